-- One row for each owner.
SET ROLE bench_owner;
CREATE TABLE person (person_id int PRIMARY KEY, income int NOT NULL);
INSERT INTO person SELECT i, i::bigint * 2654435761 % 4294967296 / 65536 FROM generate_series(1, :rows) AS i;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) person;
SELECT privacct.protect('person', 'person_id', epsilon => 1e6);
SELECT privacct.set_bounds('person', 'income', 0, 100000);
SELECT privacct.grant_budget('person', 'bench_analyst', epsilon => 1e6);
CHECKPOINT;
