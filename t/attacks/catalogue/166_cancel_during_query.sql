-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 166: cancel during query
-- class: budget
-- stopped by: P6
-- a sound design: charged before the scan, so a cancelled run is paid
\set VERBOSITY default
SELECT pa_admin.charges() AS c0 \gset
\! psql -U pa_analyst -qAtX -c "SET statement_timeout=150; SELECT c, pg_sleep(1) FROM (SELECT dp_count(*) c FROM hr.emp) q" >/dev/null 2>&1
SELECT CASE WHEN lab.val($q$SELECT dp_count(*) FROM hr.emp$q$) LIKE 'ERR%' THEN 'refused' WHEN pa_admin.charges() - :c0 < 2 THEN 'LEAK: a cancelled run was free' ELSE 'charged' END;
