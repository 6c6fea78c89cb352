-- SPDX-License-Identifier: GPL-3.0-or-later
-- A protected table that costs nothing to read, and a table to insert into.
SET ROLE bench_owner;
CREATE TABLE tiny (person_id int PRIMARY KEY, income int NOT NULL);
INSERT INTO tiny SELECT i, i FROM generate_series(1, 100) AS i;
CREATE TABLE entry (entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount int NOT NULL);
RESET ROLE;
VACUUM (FREEZE, ANALYZE) tiny;
SELECT privacct.protect('tiny', 'person_id', epsilon => 1e6, min_epsilon => 1e-6);
SELECT privacct.grant_budget('tiny', 'bench_analyst', epsilon => 1e6);
CHECKPOINT;
