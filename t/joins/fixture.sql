-- SPDX-License-Identifier: GPL-3.0-or-later
-- Protected tables of every shape, and public ones with nulls, gaps and repeated values.
--
-- Those of one unit are there three times, in schemas with a unit each: of all owners, without one of
-- them, and of this one alone.
CREATE EXTENSION privacct;
CREATE ROLE analyst LOGIN;
CREATE TABLE d1 (k int PRIMARY KEY, v int, t varchar(10));
INSERT INTO d1 VALUES (0, 1, 'x'), (1, NULL, 'y'), (2, 0, NULL), (4, 2, 'z'), (5, 4, 'x'), (-70000, 1, 'x');
CREATE TABLE d2 (k int PRIMARY KEY, v int, f boolean);
INSERT INTO d2 VALUES (0, 0, true), (1, 2, false), (2, NULL, NULL), (6, 1, true);
CREATE TABLE d3 (t varchar(10), s int, v int, PRIMARY KEY (t, s));
INSERT INTO d3 SELECT t, s, s * 7 % 5 FROM unnest(ARRAY['x', 'y', 'q']) t, generate_series(0, 2) s;
CREATE TABLE named (k bigint PRIMARY KEY, v int, t varchar(10));	-- some owners
INSERT INTO named SELECT i * 5, i % 4, 't' || i % 3 FROM generate_series(0, 30) i;
CREATE TABLE listed (x int, y varchar(10));
INSERT INTO listed VALUES (1, 'x'), (NULL, 'y'), (2, NULL), (2, 'z');
CREATE TABLE nothing (x int, y varchar(10));
CREATE VIEW d1_view AS SELECT k, coalesce(v, -1) AS v, t FROM d1;
GRANT SELECT ON d1, d2, d3, named, listed, nothing, d1_view TO analyst;
SELECT privacct.declare_public(t) FROM unnest('{d1,d2,named,listed,nothing}'::regclass[]) t;
SELECT privacct.declare_public('d3', '{t}', 3);

CREATE FUNCTION make_tables(schema text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE SCHEMA %s; GRANT USAGE ON SCHEMA %1$s TO analyst; SET LOCAL search_path = %1$s, public', schema);
	CREATE TABLE plain (s int2 NOT NULL, id int NOT NULL, a int, b int, t varchar(10));
	CREATE TABLE parts (LIKE plain) PARTITION BY LIST (b);
	CREATE TABLE parts_low PARTITION OF parts FOR VALUES IN (0, 1);
	CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
	CREATE TABLE shared_out (LIKE plain);		-- read by workers
	CREATE TABLE wide (c "char" NOT NULL, id bigint NOT NULL, a int2, b int, t varchar(10));
	CREATE VIEW barrier WITH (security_invoker, security_barrier) AS SELECT * FROM plain WHERE a IS DISTINCT FROM 6;
	GRANT SELECT ON barrier TO analyst;
	PERFORM privacct.create_unit(schema, epsilon => 1e6, delta => 0.1);
	PERFORM privacct.protect(t, 'id', unit => schema, max_groups_contributed => 1, max_rows_contributed => 200, min_epsilon => 1e-6, workers => w, fresh => true),
		privacct.set_keys(t, 'a', '{0,1,2,4,5,6}'::int[]), privacct.set_keys(t, 'b', '{0,1,2,3}'::int[])
	FROM (VALUES ('plain'::regclass, 0), ('parts', 0), ('shared_out', 2), ('wide', 0)) v (t, w);
	PERFORM privacct.grant_budget(schema, 'analyst', 1e6, 0.1);
END $$;
SELECT make_tables(schema) FROM unnest('{whole,without,alone}'::text[]) schema;

-- What conditions ask about is the same whoever is missing.
CREATE TABLE still (s int2 NOT NULL, id int NOT NULL, a int, b int, t varchar(10));
INSERT INTO still SELECT 1, i / 2, nullif(i % 7, 3), nullif(i % 5, 4), (ARRAY['x', 'y', 'z', NULL, 'w'])[1 + i % 5] FROM generate_series(1, 400) i;
SELECT privacct.protect('still', 'id', epsilon => 1e6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 200, min_epsilon => 1e-6, fresh => true),
	privacct.grant_budget('still', 'analyst', 1e6, 0.1);

-- The same rows in another order in each of the schemas.
CREATE FUNCTION fill(seed float8, gone int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	part record;
	tbl text;
BEGIN
	PERFORM setseed(seed);
	SET LOCAL search_path = whole, public;
	FOREACH tbl IN ARRAY '{plain,parts,shared_out,wide}'::text[] LOOP
		EXECUTE format('DELETE FROM whole.%s; DELETE FROM without.%1$s; DELETE FROM alone.%1$s', tbl);
	END LOOP;
	INSERT INTO plain SELECT i % 3, i / 2, nullif((random() * 6)::int, 3), nullif((random() * 4)::int, 4),
		(ARRAY['x', 'y', 'z', NULL, 'w'])[1 + (random() * 4)::int] FROM generate_series(1, 400) i ORDER BY random();
	INSERT INTO parts SELECT s, id, b + 1, a % 4, t FROM plain WHERE random() < 0.9 ORDER BY random();
	INSERT INTO shared_out SELECT s, id, nullif((random() * 6)::int, 3), b, t FROM plain WHERE id % 10 > 0 ORDER BY random();
	INSERT INTO wide SELECT 'c', id + 4294967296 * (random() < 0.1)::int, b, nullif((random() * 4)::int, 4), t FROM plain WHERE random() < 0.7 ORDER BY random();
	FOR part IN SELECT * FROM unnest('{plain,parts,shared_out,wide}'::text[]) tbl, (VALUES ('without', '<>'), ('alone', '=')) v (schema, test) LOOP
		EXECUTE format('INSERT INTO %s.%s SELECT * FROM whole.%2$s WHERE id %s %s ORDER BY random()', part.schema, part.tbl, part.test, gone);
	END LOOP;
END $$;

-- Beside pages of which all rows are visible, where a scan leaves out what meets nothing (lookup/page_scan.h), others.
CREATE FUNCTION touch() RETURNS void LANGUAGE sql AS $$
	UPDATE whole.plain SET a = a WHERE id < 3;
	UPDATE without.plain SET a = a WHERE id > 197;
	UPDATE whole.wide SET b = b WHERE id < 3;
$$;
