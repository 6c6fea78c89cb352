-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 120: fanout join
-- class: owner
-- stopped by: P7
-- a sound design: per-owner clamp after the join
\set VERBOSITY default
CREATE TABLE lab.fan AS SELECT 40001 AS k FROM generate_series(1,1000);
SELECT lab.val('SELECT dp_sum(salary,0,200000) FROM hr.emp e JOIN lab.fan f ON f.k=e.id') AS g \gset
SELECT CASE WHEN :'g' LIKE 'ERR%' THEN 'refused' WHEN lab.num(:'g') > 2e7 THEN 'LEAK: one owner contributed '||:'g' ELSE 'bounded' END;
