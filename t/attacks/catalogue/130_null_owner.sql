-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 130: null owner
-- class: owner
-- stopped by: P7 P17
-- a sound design: NULL owners are dropped or the declaration is refused
\set VERBOSITY default
\c - :admin
SET ROLE pa_steward; CREATE TABLE hr.nul(owner int, v int); INSERT INTO hr.nul SELECT NULL, 1 FROM generate_series(1,5000); RESET ROLE;
SELECT pa_admin.protect('hr.nul','owner');
\c - pa_analyst
SELECT lab.val('SELECT dp_count(*) FROM hr.nul') AS g \gset
SELECT CASE WHEN :'g' LIKE 'ERR%' THEN 'refused' WHEN lab.num(:'g') > 2000 THEN 'LEAK: ownerless rows are unbounded '||:'g' ELSE 'bounded' END;
\c - :admin
DROP TABLE hr.nul;
