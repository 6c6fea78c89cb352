-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 156: repeat and average
-- class: budget
-- stopped by: P18
-- a sound design: n runs: n charges, or one and the same cached answer
\set VERBOSITY default
SELECT pa_admin.charges() AS c0 \gset
DO $$ DECLARE v text[]; BEGIN FOR i IN 1..10 LOOP v := v || lab.val('SELECT dp_count(*) FROM hr.emp'); END LOOP; PERFORM set_config('lab.got', CASE WHEN v[1] LIKE 'ERR%' THEN v[1] ELSE 'v' END, false); END $$;
SELECT current_setting('lab.got') AS got \gset
SELECT lab.free(:'got', :c0, 10);
