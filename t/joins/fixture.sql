-- SPDX-License-Identifier: GPL-3.0-or-later
-- Protected tables of every shape, and public ones with nulls, gaps and repeated values.
CREATE EXTENSION privacct;
CREATE ROLE analyst LOGIN;
CREATE TABLE plain (id int NOT NULL, a int, b int, t varchar(10));
INSERT INTO plain SELECT i / 2, nullif(i % 7, 3), nullif(i % 5, 4), (ARRAY['x', 'y', 'z', NULL, 'w'])[1 + i % 5] FROM generate_series(1, 400) i;
CREATE TABLE parts (LIKE plain INCLUDING ALL) PARTITION BY LIST (b);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES IN (0, 1);
CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM plain;
CREATE TABLE shared_out (LIKE plain INCLUDING ALL);		-- read by workers
INSERT INTO shared_out SELECT * FROM plain;
CREATE VIEW barrier WITH (security_invoker, security_barrier) AS SELECT * FROM plain WHERE a IS DISTINCT FROM 6;

CREATE TABLE d1 (k int PRIMARY KEY, v int, t varchar(10));
INSERT INTO d1 VALUES (0, 1, 'x'), (1, NULL, 'y'), (2, 0, NULL), (4, 2, 'z'), (5, 4, 'x');
CREATE TABLE d2 (k int PRIMARY KEY, v int, f boolean);
INSERT INTO d2 VALUES (0, 0, true), (1, 2, false), (2, NULL, NULL), (6, 1, true);
CREATE TABLE d3 (t varchar(10), s int, v int, PRIMARY KEY (t, s));
INSERT INTO d3 SELECT t, s, s * 7 % 5 FROM unnest(ARRAY['x', 'y', 'q']) t, generate_series(0, 2) s;
CREATE TABLE listed (x int, y varchar(10));
INSERT INTO listed VALUES (1, 'x'), (NULL, 'y'), (2, NULL), (2, 'z');
CREATE TABLE nothing (x int, y varchar(10));
CREATE VIEW d1_view AS SELECT k, coalesce(v, -1) AS v, t FROM d1;
GRANT SELECT ON d1, d2, d3, listed, nothing, barrier, d1_view TO analyst;
SELECT privacct.declare_public(t) FROM unnest('{d1,d2,listed,nothing}'::regclass[]) t;
SELECT privacct.declare_public('d3', '{t}', 3);
SELECT privacct.protect(t, 'id', epsilon => 1e6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 200,
						min_epsilon => 1e-6, workers => w, fresh => true),
	privacct.grant_budget(t, 'analyst', 1e6, 0.1)
FROM (VALUES ('plain'::regclass, 0), ('parts', 0), ('shared_out', 2)) v (t, w);
-- of whose pages all rows are visible: a scan leaves out there what meets nothing (lookup/page_scan.h)
VACUUM plain;
