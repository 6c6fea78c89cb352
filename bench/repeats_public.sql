-- SPDX-License-Identifier: GPL-3.0-or-later
-- A large public table, and an edition of a tiny protected one.
SET ROLE bench_owner;
CREATE TABLE shop (shop_id int PRIMARY KEY, city text NOT NULL, kind text NOT NULL);
INSERT INTO shop SELECT i, 'city ' || i % 1000, 'kind ' || i % 10 FROM generate_series(1, :rows) AS i;
GRANT SELECT ON shop TO bench_analyst;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) shop;
SELECT privacct.declare_public('shop'), privacct.set_keys('shop', 'kind');
SELECT privacct.set_repeats('tiny', NULL, unchanged => true), privacct.begin_edition('tiny');
CHECKPOINT;
