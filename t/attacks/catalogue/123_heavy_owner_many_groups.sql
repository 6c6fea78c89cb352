-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 123: heavy owner many groups
-- class: owner
-- stopped by: P7
-- a sound design: an owner contributes to at most k groups
\set VERBOSITY default
SELECT lab.val($q$SELECT sum(c) FROM (SELECT village, dp_count(*) c FROM hr.emp WHERE region='west' GROUP BY village) q$q$) AS g \gset
SELECT CASE WHEN :'g' LIKE 'ERR%' THEN 'refused' WHEN :'g' <> 'NULL' AND lab.num(:'g') > 1500 THEN 'LEAK: one owner fills '||:'g'||' groups' ELSE 'bounded' END;
