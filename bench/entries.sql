-- SPDX-License-Identifier: GPL-3.0-or-later
-- As tiny.sql, under a Pufferfish budget with an influence curve of 1000 points.
SET client_min_messages = warning;
SET ROLE bench_owner;
CREATE TABLE tiny (person_id int, at int, state int NOT NULL, PRIMARY KEY (person_id, at));
INSERT INTO tiny SELECT i % 10, i / 10, (i / 30) % 2 FROM generate_series(0, 99) AS i;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) tiny;
SELECT privacct.protect_entries('tiny', 'person_id', '{at}', 'state',
	privacct.chain_prior(ARRAY[0, 1], '{{0.9,0.1},{0.1,0.9}}'), epsilon_pufferfish => 1e6, max_b => 1000, min_epsilon => 1e-6);
SELECT privacct.grant_budget('tiny', 'bench_analyst', epsilon => 1e6);
CHECKPOINT;
