-- SPDX-License-Identifier: GPL-3.0-or-later
-- In whatever order PostgreSQL puts the tables of a block, and by whichever of the conditions that
-- say the same, there is a plan: foreign keys of several columns, and settings of the planner.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_jo_owner;
CREATE ROLE regress_jo_analyst;
GRANT privacct_admin TO regress_jo_owner;
CREATE SCHEMA AUTHORIZATION regress_jo_owner;
GRANT USAGE ON SCHEMA regress_jo_owner TO PUBLIC;
SET search_path = regress_jo_owner, privacct;
\i sql/include/asking.psql
SET ROLE regress_jo_owner;
CREATE TABLE person (person_id int PRIMARY KEY, age int);
CREATE TABLE orders (order_id int PRIMARY KEY, person_id int NOT NULL REFERENCES person, amount int);
CREATE TABLE line (order_id int NOT NULL REFERENCES orders, line_no int NOT NULL, part int, PRIMARY KEY (order_id, line_no));
CREATE TABLE defect (order_id int NOT NULL, line_no int NOT NULL, kind int, FOREIGN KEY (order_id, line_no) REFERENCES line);
CREATE TABLE part (part int PRIMARY KEY, price int);
INSERT INTO person SELECT i, i % 90 FROM generate_series(1, 100) i;
INSERT INTO orders SELECT i, i % 100 + 1, i % 50 FROM generate_series(1, 200) i;
INSERT INTO line SELECT i % 200 + 1, i / 200 + 1, i % 7 FROM generate_series(0, 599) i;
INSERT INTO defect SELECT i % 200 + 1, i / 200 % 3 + 1, i % 3 FROM generate_series(1, 900, 2) i;
INSERT INTO part SELECT i, i * 10 FROM generate_series(0, 6) i;
CREATE TABLE kind (kind int, grade int);
INSERT INTO kind SELECT i % 3, i FROM generate_series(0, 8) i;
CREATE TABLE price (kind int, n int, eur int, PRIMARY KEY (kind, n));
INSERT INTO price SELECT k, n, k + n FROM generate_series(0, 6) k, generate_series(0, 2) n;
CREATE TABLE event (person_id int NOT NULL, k int) PARTITION BY RANGE (k);
CREATE TABLE event_low PARTITION OF event FOR VALUES FROM (0) TO (2);
CREATE TABLE event_rest PARTITION OF event DEFAULT;
INSERT INTO event SELECT i % 100 + 1, i % 5 FROM generate_series(1, 300) i;
GRANT SELECT ON price, part, kind TO regress_jo_analyst;
DO $$ BEGIN
	PERFORM create_unit('regress_jo_unit', epsilon => 1e6), protect('person', 'person_id', unit => 'regress_jo_unit', max_rows_contributed => 30),
		protect('orders', 'person_id', unit => 'regress_jo_unit', max_rows_contributed => 30),
		protect('event', 'person_id', unit => 'regress_jo_unit', max_rows_contributed => 30),
		protect('line', 'order_id', unit => 'regress_jo_unit', max_rows_contributed => 30),
		protect('defect', ARRAY['order_id', 'line_no'], unit => 'regress_jo_unit', max_rows_contributed => 30),
		declare_public('part'), declare_public('kind', '{kind}', 4), declare_public('price'), declare_public('price', '{kind}', 3), set_keys('person', 'age', (SELECT array_agg(i) FROM generate_series(0, 89) i)), grant_budget('regress_jo_unit', 'regress_jo_analyst', 1e6);
END $$;
RESET ROLE;
SET privacct.epsilon = 1000;
CREATE TABLE form (i int, query text);
INSERT INTO form VALUES
	(1, 'SELECT count(*) FROM defect'),
	(2, 'SELECT count(*) FROM line JOIN defect USING (order_id, line_no)'),
	(3, 'SELECT count(*) FROM orders o WHERE EXISTS (SELECT FROM line l WHERE l.order_id = o.order_id AND EXISTS (SELECT FROM defect d WHERE d.order_id = l.order_id AND d.line_no = l.line_no))'),
	(4, 'SELECT count(*) FROM orders o JOIN (line l JOIN defect d USING (order_id, line_no)) USING (order_id)'),
	(5, 'SELECT count(*) FROM defect d JOIN orders o USING (order_id) JOIN line l ON l.order_id = o.order_id AND l.line_no = d.line_no JOIN person USING (person_id)'),
	(6, 'SELECT count(*) FROM defect JOIN line USING (order_id, line_no) JOIN part USING (part) JOIN orders USING (order_id) WHERE price > 20'),
	(7, 'SELECT count(*) FROM line l LEFT JOIN defect d ON d.order_id = l.order_id AND d.line_no = l.line_no AND d.kind = 1'),
	(8, 'SELECT count(*) FROM line l JOIN orders o USING (order_id) LEFT JOIN defect d ON d.order_id = o.order_id AND d.line_no = l.line_no'),
	(9, 'SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT FROM line l JOIN defect d USING (order_id, line_no) WHERE d.order_id = o.order_id AND kind = 2)'),
	(10, 'SELECT count(*) FROM person p WHERE person_id IN (SELECT person_id FROM orders WHERE order_id IN (SELECT order_id FROM line JOIN defect USING (order_id, line_no) WHERE kind = 1))'),
	-- a release is joined on its key, also where PostgreSQL sees that another order is possible
	(11, 'SELECT count(*) FROM line l LEFT JOIN (SELECT o.order_id FROM orders o JOIN person p USING (person_id) JOIN (SELECT age, count(*) n FROM person GROUP BY age) r USING (age) WHERE person_id = 24 AND n > 0.5) z ON z.order_id = l.order_id'),
	(12, 'SELECT count(*) FROM line l WHERE NOT EXISTS (SELECT FROM orders o JOIN person p USING (person_id) WHERE (SELECT count(*) / 1000 FROM person q WHERE q.age = p.age) = 0 AND l.order_id = o.order_id AND person_id % 3 = 1)'),
	-- and a public table on a value that is computed of what a subquery finds
	(13, 'SELECT count(*) FROM (SELECT CASE WHEN part NOT IN (SELECT kind FROM kind) THEN line_no END i FROM line) x JOIN kind ON kind.kind = x.i'),
	(14, 'SELECT count(*) FROM (SELECT CASE WHEN part IN (SELECT kind FROM kind) THEN part END i FROM line) x JOIN part ON part.part = x.i'),
	-- by a key of which two protected tables have one column each, where it is known how many rows agree in the first
	(15, 'SELECT count(*) FROM line l JOIN price p ON p.kind = l.part JOIN orders o ON o.order_id = l.order_id AND p.n = o.amount'),
	(16, 'SELECT count(*) FROM (SELECT l.part, o.amount FROM line l JOIN orders o USING (order_id)) x JOIN price p ON p.kind = x.part AND p.n = x.amount'),
	(17, 'SELECT count(*) FROM line l JOIN price p ON p.kind = l.part LEFT JOIN orders o ON o.order_id = l.order_id AND p.n = o.amount'),
	-- inputs of unions are read as tables are that are joined
	(18, 'SELECT count(*) FROM (SELECT person_id FROM event WHERE k = 1 UNION ALL SELECT person_id FROM person) x'),
	(19, 'SELECT count(*) FROM (SELECT person_id FROM event WHERE k IS NULL UNION SELECT person_id FROM person WHERE person_id IN (1, 2)) x'),
	(20, 'SELECT count(*) FROM (SELECT person_id FROM (SELECT person_id FROM orders WHERE amount = 3 UNION ALL SELECT person_id FROM person WHERE age = 3) y WHERE person_id = 3 UNION ALL SELECT person_id FROM person) x'),
	(21, 'SELECT count(*) FROM (SELECT person_id FROM event WHERE k = 1 INTERSECT SELECT person_id FROM person EXCEPT SELECT person_id FROM event WHERE k = 2) x');
CREATE FUNCTION tried(setting text, value text) RETURNS TABLE (s text, v text, refused text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config(setting, value, false);
	RETURN QUERY SELECT setting, value, string_agg(i || ' ' || answer, ', ' ORDER BY i) FILTER (WHERE answer !~ '^same')
		FROM (SELECT i, same('regress_jo_analyst', query, 'regress_jo_owner', query) AS answer FROM form) x;
	EXECUTE format('RESET %I', setting);
END $$;
SELECT i, same('regress_jo_analyst', query, 'regress_jo_owner', query) FROM form ORDER BY i;
SELECT t.* FROM (VALUES ('from_collapse_limit', '1'), ('join_collapse_limit', '1'), ('from_collapse_limit', '64'), ('geqo_threshold', '2'), ('geqo', 'off'),
	('seq_page_cost', '1.7e308'), ('random_page_cost', '1.7e308'), ('cpu_tuple_cost', '1.7e308'), ('cpu_index_tuple_cost', '1.7e308'), ('cpu_operator_cost', '1.7e308'),
	('parallel_setup_cost', '1.7e308'), ('parallel_tuple_cost', '1.7e308'), ('seq_page_cost', '0'), ('cpu_tuple_cost', '0'), ('cpu_operator_cost', '0')) x(setting, value),
	tried(setting, value) t;
-- what is set stays as it is set, whether planning succeeds or not
SET from_collapse_limit = 1;
SET cpu_tuple_cost = 1.7e308;
SET ROLE regress_jo_analyst;
SELECT count(*) > 0 AS answered FROM defect;
SELECT count(*) FROM defect JOIN orders ON amount = line_no;
SHOW from_collapse_limit;
SHOW cpu_tuple_cost;
RESET ROLE;
RESET from_collapse_limit;
RESET cpu_tuple_cost;
-- equalities through rows that may be made up tell nothing about whose they are
SET ROLE regress_jo_analyst;
SELECT count(*) FROM orders a LEFT JOIN orders b ON a.person_id = b.person_id AND a.amount = b.order_id JOIN line l ON l.order_id = a.amount;
SELECT count(*) FROM orders a JOIN orders b ON a.person_id = b.person_id AND a.amount = b.order_id JOIN line l ON l.order_id = a.amount;
RESET ROLE;
