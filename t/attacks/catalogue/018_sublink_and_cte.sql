-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 018: sublink and cte
-- class: raw
-- stopped by: P2
-- a sound design: refused at any depth
\set VERBOSITY default
SELECT (SELECT max(salary) FROM hr.emp), 1;
WITH z AS MATERIALIZED (SELECT salary s FROM hr.emp) SELECT max(s) FROM z;
SELECT x FROM (VALUES (1)) v(y), LATERAL (SELECT max(salary) x FROM hr.emp WHERE y=1) q;
WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n+1 FROM r WHERE n < (SELECT 2 FROM hr.emp LIMIT 1)) SELECT 0 FROM r;
