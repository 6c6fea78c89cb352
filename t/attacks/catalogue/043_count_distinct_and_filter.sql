-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 043: count distinct and filter
-- class: shape
-- stopped by: P2 P4
-- a sound design: DISTINCT, FILTER, ORDER BY inside the aggregate are honoured or refused, never dropped
\set VERBOSITY default
SELECT count(DISTINCT salary) FILTER (WHERE region='atoll'), max(salary) FROM hr.emp;
SELECT CASE WHEN lab.num(lab.val('SELECT dp_count(*) FILTER (WHERE false) FROM hr.emp')) > 10000 THEN 'LEAK: FILTER silently dropped' ELSE 'honoured or refused' END WHERE lab.val('SELECT dp_count(*) FILTER (WHERE false) FROM hr.emp') NOT LIKE 'ERR%';
SELECT 'refused' WHERE lab.val('SELECT dp_count(*) FILTER (WHERE false) FROM hr.emp') LIKE 'ERR%';
