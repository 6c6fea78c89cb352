-- SPDX-License-Identifier: GPL-3.0-or-later
-- One row for each owner; and amounts of other types, half as many of them, so that
-- either table stays in the shared buffers.
SET ROLE bench_owner;
CREATE TABLE person (person_id int PRIMARY KEY, income int NOT NULL);
INSERT INTO person SELECT i, i::bigint * 2654435761 % 4294967296 / 65536 FROM generate_series(1, :rows) AS i;
CREATE TABLE measure (person_id int PRIMARY KEY, large bigint NOT NULL, float float8 NOT NULL, exact numeric NOT NULL);
INSERT INTO measure SELECT person_id, income, income / 7.0, income / 100.0 FROM person WHERE person_id % 2 = 0;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) person, measure;
SELECT privacct.protect(relation, 'person_id', epsilon => 1e6, min_epsilon => 1e-6, fresh => true),
	privacct.grant_budget(relation, 'bench_analyst', epsilon => 1e6)
FROM unnest(ARRAY['person', 'measure']::regclass[]) AS relation;
SELECT privacct.set_bounds('person', 'income', 0, 100000);
SELECT privacct.set_bounds('measure', name, 0, 100000) FROM unnest(ARRAY['large', 'float', 'exact']) AS name;
CHECKPOINT;
