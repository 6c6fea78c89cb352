-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 137: system columns
-- class: diff
-- stopped by: P4
-- a sound design: refused
\set VERBOSITY default
SELECT lab.outcome($q$SELECT dp_sum(salary,0,1000000) FROM hr.emp WHERE ctid >= '(100,1)'$q$) AS g, lab.outcome($q$SELECT xmin::text, dp_count(*) FROM hr.emp GROUP BY 1$q$) AS h, lab.outcome($q$SELECT tableoid::regclass::text, dp_count(*) FROM hr.emp_part GROUP BY 1$q$) AS i \gset
SELECT CASE WHEN 'ok' IN (:'g',:'h',:'i') THEN 'LEAK: physical position as a predicate' ELSE 'refused' END;
