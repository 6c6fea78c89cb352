-- SPDX-License-Identifier: GPL-3.0-or-later
-- One row for each owner; and many rows of each, of which ten count.
SET ROLE bench_owner;
CREATE TABLE earner (person_id int PRIMARY KEY, income int NOT NULL, wage float8 NOT NULL);
INSERT INTO earner SELECT i, hash / 65536, hash / 65536.0 FROM (SELECT i, i::bigint * 2654435761 % 4294967296 AS hash FROM generate_series(1, :rows) AS i) AS s;
CREATE TABLE bought (person_id int NOT NULL, price int NOT NULL);
INSERT INTO bought SELECT i::bigint * 7919 % :owners, i::bigint * 2654435761 % 4294967296 / 65536 FROM generate_series(1, :rows) AS i;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) earner, bought;
SELECT privacct.protect('earner', 'person_id', epsilon => 1e6, min_epsilon => 1e-6, fresh => true),
	privacct.protect('bought', 'person_id', epsilon => 1e6, min_epsilon => 1e-6, max_rows_contributed => 10, fresh => true),
	privacct.grant_budget('earner', 'bench_analyst', epsilon => 1e6), privacct.grant_budget('bought', 'bench_analyst', epsilon => 1e6);
SELECT privacct.set_bounds('earner', 'income', 0, 65536), privacct.set_bounds('earner', 'wage', 0, 65536), privacct.set_bounds('bought', 'price', 0, 65536);
CHECKPOINT;
