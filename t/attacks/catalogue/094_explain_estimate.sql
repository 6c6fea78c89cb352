-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 094: explain estimate
-- class: explain
-- stopped by: P10
-- a sound design: EXPLAIN of protected queries refused (or without numbers)
\set VERBOSITY default
SELECT lab.est($q$SELECT dp_count(*) FROM hr.emp WHERE region='north'$q$) AS a, lab.est($q$SELECT dp_count(*) FROM hr.emp WHERE region='west'$q$) AS b \gset
SELECT CASE WHEN :'a' LIKE 'ERR%' THEN 'refused' WHEN :'a' <> :'b' THEN 'LEAK: estimates '||:'a'||' / '||:'b' ELSE 'no difference' END;
