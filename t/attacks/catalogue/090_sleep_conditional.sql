-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 090: sleep conditional
-- class: timing
-- stopped by: P4 P11
-- a sound design: refused
\set VERBOSITY default
SELECT lab.slower($q$SELECT dp_count(*) FROM hr.emp WHERE CASE WHEN salary=777000+777 THEN pg_sleep(0.3) IS NOT NULL ELSE true END$q$, $q$SELECT dp_count(*) FROM hr.emp WHERE CASE WHEN salary=777000+778 THEN pg_sleep(0.3) IS NOT NULL ELSE true END$q$, 200);
