-- SPDX-License-Identifier: GPL-3.0-or-later
-- A protected table with bounds and keys, and a public one.
SET ROLE bench_owner;
CREATE TABLE hall (ward text PRIMARY KEY, building text NOT NULL, floor int NOT NULL);
INSERT INTO hall VALUES ('a', 'north', 1), ('b', 'south', 2);
CREATE TABLE stay (patient_id int NOT NULL, ward text, cost int);
GRANT SELECT ON hall TO bench_analyst;
RESET ROLE;
SELECT privacct.declare_public('hall');
SELECT privacct.protect('stay', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 1e-6), privacct.grant_budget('stay', 'bench_analyst', epsilon => 1e6, delta => 1e-6);
SELECT privacct.set_bounds('stay', 'cost', 0, 5000), privacct.set_keys('stay', 'ward', ARRAY['a', 'b', 'c']);
