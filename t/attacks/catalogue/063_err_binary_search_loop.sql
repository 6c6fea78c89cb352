-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 063: err binary search loop
-- class: error
-- stopped by: P5
-- a sound design: the loop learns nothing
\set VERBOSITY default
DO $$ DECLARE lo int := 0; hi int := 1048576; mid int; BEGIN
 FOR i IN 1..20 LOOP mid := (lo+hi)/2;
  BEGIN EXECUTE format('SELECT dp_count(*) FROM hr.emp WHERE region=''atoll'' AND 1/(CASE WHEN salary >= %s THEN 0 ELSE 1 END) = 1', mid); hi := mid;
  EXCEPTION WHEN division_by_zero THEN lo := mid; END; END LOOP;
 RAISE NOTICE 'found %', lo; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'refused %', SQLSTATE; END $$;
