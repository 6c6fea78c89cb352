-- SPDX-License-Identifier: GPL-3.0-or-later
-- 200,000 owners of a number of 0 to 199, or 10,000 of four numbers between 0 and 100.
SET client_min_messages = warning;
SELECT :'case' = 'box' AS is_box \gset
DROP TABLE IF EXISTS asked;
SET ROLE bench_owner;
\if :is_box
CREATE TABLE asked (person_id int PRIMARY KEY, a float8, b float8, c float8, d float8);
INSERT INTO asked SELECT i, i * 7919 % 101, i * 104729 % 101, i * 1299709 % 101, i * 15485863 % 101 FROM generate_series(1::bigint, 10000) i;
\else
CREATE TABLE asked (person_id int PRIMARY KEY, x int);
INSERT INTO asked SELECT i, i % 200 FROM generate_series(1, 200000) i;
\endif
RESET ROLE;
VACUUM (FREEZE, ANALYZE) asked;
\if :is_box
SELECT privacct.protect('asked', 'person_id', regime => 'local', filter => 'full', epsilon => 2, min_epsilon => 1e-6, fresh => true);
SELECT privacct.set_domain('asked', c, 0, 100) FROM unnest('{a,b,c,d}'::name[]) c;
\else
SELECT privacct.protect('asked', 'person_id', regime => 'local', filter => 'full', epsilon => 8, min_epsilon => 1e-6, fresh => true);
SELECT privacct.set_domain('asked', 'x', ARRAY(SELECT generate_series(0, 199)));
\endif
SELECT privacct.grant_budget('asked', 'bench_analyst', epsilon => 1000);
CHECKPOINT;
