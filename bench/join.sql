-- SPDX-License-Identifier: GPL-3.0-or-later
-- One row for each owner, and a public table of a thousand rows to be joined with.
SET ROLE bench_owner;
CREATE TABLE site (site_id int PRIMARY KEY, region int NOT NULL, weight int NOT NULL);
INSERT INTO site SELECT i, i % 20, i % 7 FROM generate_series(0, 999) AS i;
CREATE TABLE visitor (visitor_id int PRIMARY KEY, site_id int NOT NULL, income int NOT NULL);
INSERT INTO visitor SELECT i, hash / 64 % 1000, hash / 65536 FROM (SELECT i, i::bigint * 2654435761 % 4294967296 AS hash FROM generate_series(1, :rows) AS i) AS s;
GRANT SELECT ON site TO bench_analyst;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) site, visitor;
SELECT privacct.declare_public('site');
SELECT privacct.protect('visitor', 'visitor_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 1e-4), privacct.grant_budget('visitor', 'bench_analyst', epsilon => 1e6, delta => 1e-4);
SELECT privacct.set_bounds('visitor', 'income', 0, 100000);
CHECKPOINT;
