-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 152: plpgsql exception
-- class: budget
-- stopped by: P6
-- a sound design: charged
\set VERBOSITY default
SELECT pa_admin.charges() AS c0 \gset
DO $$ DECLARE x text; BEGIN BEGIN x := lab.val('SELECT dp_count(*) FROM hr.emp'); RAISE EXCEPTION 'x' USING DETAIL = x; EXCEPTION WHEN OTHERS THEN PERFORM set_config('lab.got', x, false); END; END $$;
SELECT current_setting('lab.got') AS got \gset
SELECT lab.free(:'got', :c0, 1);
