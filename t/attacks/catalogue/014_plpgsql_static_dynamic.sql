-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 014: plpgsql static dynamic
-- class: raw
-- stopped by: P2
-- a sound design: refused
\set VERBOSITY default
DO $$ DECLARE x int; BEGIN x := (SELECT max(salary) FROM hr.emp); RAISE NOTICE '%', x; END $$;
DO $$ DECLARE x int; BEGIN EXECUTE 'SELECT max(salary) FROM hr.emp' INTO x; RAISE NOTICE '%', x; END $$;
DO $$ DECLARE r record; BEGIN FOR r IN SELECT salary FROM hr.emp WHERE region='atoll' LOOP RAISE NOTICE '%', r; END LOOP; END $$;
