-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 044: group by owner
-- class: group
-- stopped by: P7 P8
-- a sound design: the owner column is never a group key, nor an input of one
\set VERBOSITY default
SELECT owner, dp_count(*) FROM hr.emp WHERE region='atoll' GROUP BY owner \g |sed 's/^4242.*/LEAK: owner id/'
SELECT 'LEAK: owners '||count(*) FROM (SELECT owner, dp_count(*) c FROM hr.emp GROUP BY owner) q HAVING count(*)=4003;
