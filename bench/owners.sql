-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rows of all owners and groups mixed, as they would arrive: an owner has rows in
-- nearly every group, so that bounding has to choose.
SET ROLE bench_owner;
CREATE TABLE purchase (customer_id int NOT NULL, shop int NOT NULL, amount int NOT NULL);
INSERT INTO purchase
SELECT i * 7919 % :owners, hash / 64 % 21, hash / 2048 % 1000
FROM (SELECT i, i * 2654435761 % 4294967296 AS hash FROM generate_series(1::bigint, :rows) AS i) AS s;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) purchase;
SELECT privacct.protect('purchase', 'customer_id', epsilon => 1e6, min_epsilon => 1e-6,
						max_groups_contributed => 3, max_rows_contributed => 10, workers => 2);
SELECT privacct.set_bounds('purchase', 'amount', 0, 1000);
SELECT privacct.set_keys('purchase', 'shop', ARRAY(SELECT generate_series(0, 20)));
SELECT privacct.grant_budget('purchase', 'bench_analyst', epsilon => 1e6);
CHECKPOINT;
