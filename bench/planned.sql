-- SPDX-License-Identifier: GPL-3.0-or-later
-- As tiny.sql, under a plan.
SET client_min_messages = warning;
SET ROLE bench_owner;
CREATE TABLE tiny (person_id int PRIMARY KEY);
INSERT INTO tiny SELECT generate_series(1, 100);
RESET ROLE;
VACUUM (FREEZE, ANALYZE) tiny;
SELECT privacct.protect('tiny', 'person_id', epsilon => 1000, delta => 1e-6, accountant => 'plan');
SELECT privacct.grant_budget('tiny', 'bench_analyst', epsilon => 1000);
SELECT FROM privacct.plan_budget('tiny', '[{"kernel": "gaussian", "releases": 100000}, {"kernel": "laplace", "releases": 2}]');
CHECKPOINT;
