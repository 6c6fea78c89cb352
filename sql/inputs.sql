-- SPDX-License-Identifier: GPL-3.0-or-later
-- Releases that blocks read: as a value, joined on their keys, as a set; each is charged, once,
-- before the block around it.  t/048_inputs.pl has what happens between two charges.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_in_owner;
CREATE ROLE regress_in_analyst;
GRANT privacct_admin TO regress_in_owner;
CREATE SCHEMA AUTHORIZATION regress_in_owner;
GRANT USAGE, CREATE ON SCHEMA regress_in_owner TO PUBLIC;
SET search_path = regress_in_owner, privacct;
\i sql/include/asking.psql
SET ROLE regress_in_owner;
CREATE TABLE customer (c_id int PRIMARY KEY, region int, bal int);
INSERT INTO customer SELECT i, i % 4, i % 100 FROM generate_series(1, 200) i;
CREATE TABLE line (l_id int PRIMARY KEY, person int NOT NULL, part int, qty int, note text COLLATE "C");
INSERT INTO line SELECT i, i % 200 + 1, i % 5, i % 20 + 20 * (i % 5), 'n' || i % 3 FROM generate_series(1, 1000) i;
CREATE TABLE part (p int PRIMARY KEY, brand int);
INSERT INTO part SELECT i, i % 2 FROM generate_series(0, 6) i;
CREATE TABLE undeclared (p int PRIMARY KEY, good boolean);
INSERT INTO undeclared SELECT i, i = 1 FROM generate_series(0, 6) i;
CREATE TABLE kind (note text COLLATE "C" PRIMARY KEY, part int UNIQUE, good boolean, words text);
INSERT INTO kind SELECT 'n' || i, i, i = 1, repeat('x', 3000 * i) FROM generate_series(0, 3) i;
CREATE TABLE other (person int NOT NULL, n int);
INSERT INTO other SELECT i % 200 + 1, i % 50 FROM generate_series(1, 400) i;
CREATE TABLE trace (person int, step int, place text NOT NULL, PRIMARY KEY (person, step));
INSERT INTO trace SELECT p, s, (ARRAY['home', 'work'])[1 + (p + s) % 2] FROM generate_series(1, 8) p, generate_series(1, 10) s;
CREATE TABLE staff (id int PRIMARY KEY, team int NOT NULL, age int);
INSERT INTO staff SELECT i, i % 2, 20 + i % 50 FROM generate_series(1, 100) i;
GRANT SELECT ON part, undeclared, kind TO regress_in_analyst;
DO $$ BEGIN
	PERFORM create_unit('regress_in_unit', 1e6, 1e-3), protect('customer', 'c_id', unit => 'regress_in_unit'),
		protect('line', 'person', unit => 'regress_in_unit', max_groups_contributed => 5, max_rows_contributed => 5),
		protect('other', 'person', 1e6, max_rows_contributed => 2), declare_public('part'), declare_public('kind'),
		set_keys('customer', 'region', '{0,1,2,3}'::int[]), set_keys('line', 'part', '{0,1,2,3,4}'::int[]), set_keys('line', 'note', '{n0,n1,n2}'::text[]),
		set_bounds('customer', 'bal', 0, 100), set_bounds('line', 'qty', 0, 100), set_bounds('other', 'n', 0, 50),
		protect('staff', 'id', regime => 'local', epsilon => 1e5, delta => 0), set_public('staff', 'team'), set_domain('staff', 'age', 20, 70),
		protect_entries('trace', 'person', '{step}', 'place', chain_prior('{home,work}'::text[], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 1e6, max_entries => 10),
		grant_budget('staff', 'regress_in_analyst', 1e5), grant_budget('trace', 'regress_in_analyst', 1e5), grant_budget('regress_in_unit', 'regress_in_analyst', 1e6, 1e-3), grant_budget('other', 'regress_in_analyst', 1e6);
END $$;
RESET ROLE;
SET privacct.epsilon = 3000;

-- what a query answers, compared with its answer over raw rows, and what it has cost
CREATE FUNCTION charged() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM ledger';
CREATE FUNCTION look(query text, OUT answer text, OUT releases bigint) LANGUAGE plpgsql AS $$
BEGIN
	releases := charged();
	answer := same('regress_in_analyst', query, 'regress_in_owner', query);
	releases := charged() - releases;
	IF answer LIKE 'DIFF%: 42PA1%' THEN
		answer := ask('regress_in_analyst', query);
	END IF;
END $$;

-- as a value: in WHERE, ON, FILTER and arguments, of the same table and of others
SELECT i, l.* FROM (VALUES
	(1, 'SELECT count(*) FROM customer WHERE bal > (SELECT avg(bal) + 0.5 FROM customer WHERE bal > 20)'),
	(2, 'SELECT region, count(*) FROM customer WHERE bal > (SELECT 0.3 + avg(n) FROM other) GROUP BY region'),
	(3, 'SELECT count(*) FROM other WHERE n > (SELECT avg(bal) / 3 + 0.1 FROM customer)'),
	(4, 'SELECT count(*) FILTER (WHERE qty > (SELECT avg(qty) + 0.3 FROM line)) FROM line'),
	(5, 'SELECT count(CASE WHEN qty > (SELECT avg(qty) + 0.3 FROM line) THEN 1 END), count(*) FROM line'),
	(6, 'SELECT count(*) FROM line JOIN customer ON person = c_id AND qty > (SELECT avg(qty) + 0.3 FROM line)'),
	(7, 'SELECT count(*) FROM line WHERE qty BETWEEN (SELECT avg(qty) - 10.3 FROM line) AND (SELECT avg(qty) + 10.3 FROM line)'),
	(8, 'SELECT count(*) FROM (SELECT * FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line)) x'),
	(9, 'SELECT count(*) FROM (SELECT person, sum(qty) s FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line) GROUP BY person) x WHERE s > 150'),
	(10, 'SELECT count(*) FROM customer WHERE EXISTS (SELECT FROM line WHERE person = c_id AND qty > (SELECT avg(qty) + 45.3 FROM line))'),
	(11, 'SELECT count(*) FROM line WHERE part IN (SELECT p FROM part WHERE brand * 100 > (SELECT avg(qty) FROM line))'),
	(12, 'SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line))'),
	(13, 'SELECT count(*) FROM line, (SELECT avg(qty) + 0.3 AS a FROM line) r WHERE qty > a'),
	(14, 'WITH r AS (SELECT part, avg(qty) AS q FROM line GROUP BY part) SELECT count(*) FROM line WHERE qty + 0.3 > (SELECT max(q) FROM r)'),
	(15, 'WITH r AS (SELECT part, avg(qty) AS q FROM line GROUP BY part) SELECT count(*) FROM line WHERE qty + 0.3 > (SELECT q FROM r ORDER BY q DESC LIMIT 1)'),
	(16, 'WITH v AS (SELECT * FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line)) SELECT (SELECT count(*) FROM v), (SELECT count(*) FROM v WHERE part = 4)'),
	(17, 'SELECT x, (SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line)) FROM generate_series(1, 3) x'),
	(19, 'SELECT count(*) FROM line WHERE qty > (SELECT count(*) + 0.5 FROM trace)'),
	(20, 'SELECT count(*) FROM staff WHERE age > (SELECT avg(qty) + 0.3 FROM line)'),
	(18, 'SELECT x, n FROM generate_series(1, 3) x LEFT JOIN LATERAL (SELECT count(*) AS n FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line)) y ON true')) q(i, query), look(query) l ORDER BY i;

-- what is released may be anything
SELECT i, l.* FROM (VALUES
	(1, 'SELECT count(*) FROM line WHERE (qty > (SELECT avg(qty) FROM line HAVING false)) IS NULL'),
	(2, 'SELECT count(*) FROM line WHERE qty < (SELECT ''NaN''::numeric FROM line HAVING count(*) > 0)'),
	(3, 'SELECT count(*) FROM line WHERE qty < (SELECT ''infinity''::float8 FROM line HAVING count(*) > 0)')) q(i, query), look(query) l ORDER BY i;
-- what would be an error over raw rows
SET ROLE regress_in_analyst;
SELECT count(*) FROM line WHERE qty / (SELECT 0 * count(*) FROM line) IS NULL;
SELECT count(*) FROM line WHERE qty + (SELECT 9223372036854775807 + 0 * count(*) FROM line) > 5;
SELECT count(*) FROM line WHERE left(note, (SELECT (-3000000000 + 0 * count(*))::int8 FROM line)::int) = '';
RESET ROLE;

-- joined on the whole key, and as a set
SELECT i, l.* FROM (VALUES
	(1, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q'),
	(2, 'SELECT count(*) FROM line JOIN (SELECT part, avg(qty) AS q FROM line GROUP BY 1) a USING (part) WHERE qty < 0.935 * q'),
	(3, 'SELECT part, count(*) FROM line LEFT JOIN (SELECT part, avg(qty) AS q FROM line GROUP BY 1 HAVING avg(qty) > 40) a USING (part) WHERE q IS NULL AND qty > 10 OR qty < q GROUP BY part'),
	(4, 'WITH a AS (SELECT part, note, avg(qty) AS q FROM line GROUP BY 1, 2) SELECT count(*) FROM line l JOIN a ON l.part = a.part AND l.note = a.note WHERE qty < 0.935 * q'),
	(5, 'WITH a AS (SELECT part, note, avg(qty) AS q FROM line GROUP BY 1, 2) SELECT count(*) FROM line l JOIN a ON l.part = a.part WHERE qty < 0.935 * q'),
	(6, 'WITH a AS (SELECT avg(qty) AS q FROM line GROUP BY part) SELECT count(*) FROM line JOIN a ON qty = q'),
	(7, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l JOIN a ON l.part <= a.part'),
	(8, 'WITH a AS (SELECT DISTINCT part FROM line) SELECT count(*) FROM line JOIN a USING (part)'),
	(9, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT (SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q), (SELECT count(*) FROM line JOIN a USING (part) WHERE qty > 1.12 * q), (SELECT count(*) FROM a)'),
	(10, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1), b AS (SELECT part, count(*) AS n FROM line JOIN a USING (part) WHERE qty < 0.935 * q GROUP BY part) SELECT count(*) FROM line JOIN b USING (part) WHERE qty < n + 0.5'),
	(11, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l JOIN part ON l.part = p JOIN a ON a.part = p WHERE qty < 0.935 * q AND brand = 1'),
	(12, 'SELECT count(*) FROM line WHERE part IN (SELECT part FROM line GROUP BY part HAVING avg(qty) > 40)'),
	(13, 'SELECT count(*) FROM line WHERE part NOT IN (SELECT part FROM line GROUP BY part HAVING avg(qty) > 40)'),
	(14, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l WHERE EXISTS (SELECT FROM a WHERE a.part = l.part AND q > 40)'),
	(15, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l WHERE NOT EXISTS (SELECT FROM a WHERE a.part = l.part AND qty < 0.935 * q)'),
	(16, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l WHERE EXISTS (SELECT FROM a WHERE q > 40)'),
	(17, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line l WHERE EXISTS (SELECT FROM a WHERE qty < q)'),
	(18, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM customer WHERE EXISTS (SELECT FROM line JOIN a USING (part) WHERE person = c_id AND qty > 1.12 * q)'),
	(19, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM (SELECT person, count(*) c FROM line JOIN a USING (part) WHERE qty < 0.935 * q GROUP BY person) x WHERE c > 1'),
	(20, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT a.part, n FROM a JOIN (WITH a AS (SELECT region, count(*) AS n FROM customer GROUP BY 1) SELECT region AS part, n FROM a) b USING (part)'),
	(21, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT (SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q), (WITH a AS (SELECT note, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (note) WHERE qty < 0.935 * q)'),
	(24, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT (SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q), (WITH a AS (SELECT avg(qty) AS q, note FROM line GROUP BY 2) SELECT count(*) FROM line JOIN a USING (note) WHERE qty < 0.935 * q)'),
	(25, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT (SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q), (WITH a AS MATERIALIZED (SELECT 1 AS part) SELECT count(*) FROM line JOIN a USING (part))'),
	(23, 'WITH a AS NOT MATERIALIZED (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (part) JOIN part ON p = part LEFT JOIN a b ON b.part = p WHERE qty < 0.935 * a.q AND qty < 0.935 * b.q'),
	(22, 'WITH "release 1" AS (SELECT note, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN "release 1" USING (note) WHERE qty < 0.935 * q AND qty > (SELECT avg(qty) - 20.3 FROM line)')) q(i, query), look(query) l ORDER BY i;

-- correlated values, in blocks and in queries that read public tables alone
SELECT i, l.* FROM (VALUES
	(1, 'SELECT count(*) FROM line, part WHERE p = part AND brand = 1 AND qty < (SELECT 0.935 * avg(qty) FROM line WHERE part = p)'),
	(2, 'SELECT count(*) FROM line a WHERE qty < (SELECT 0.935 * avg(qty) FROM line b WHERE a.part = b.part AND b.qty > 10)'),
	(3, 'SELECT p FROM part WHERE p * 20 + 9.0 < (SELECT avg(qty) FROM line WHERE part = p)'),
	(4, 'SELECT p, (SELECT round(avg(qty) / 7) FROM line WHERE part = p AND note = ''n'' || brand) FROM part'),
	(5, 'SELECT brand FROM part x WHERE p IN (SELECT p FROM part y WHERE p > 0 AND 30.5 < (SELECT avg(qty) FROM line WHERE part = y.p))'),
	(6, 'SELECT part, count(*) FROM line l GROUP BY part HAVING count(*) > (SELECT count(*) - 20 FROM line WHERE part = l.part AND note <> ''n3'')'),
	(7, 'SELECT count(*) FROM line, part WHERE p = part AND qty < (SELECT avg(qty) FROM line WHERE part <= p)'),
	(8, 'SELECT count(*) FROM line, part WHERE p = part AND qty < (SELECT avg(qty + p) FROM line WHERE part = p)'),
	(9, 'SELECT count(*) FROM line, part WHERE p = part AND qty < (SELECT avg(qty) FROM line WHERE part = p GROUP BY note)'),
	(10, 'SELECT p FROM part WHERE 3 < (SELECT max(c) FROM (SELECT count(*) c FROM line WHERE part = p) x)'),
	(11, 'SELECT count(*) FROM customer WHERE bal > (SELECT avg(qty) FROM line WHERE person = c_id)')) q(i, query), look(query) l ORDER BY i;

-- of which only the groups that are asked for count, where a declared table says which: an owner counts in one group
SET privacct.max_groups = 1;
SELECT i, l.* FROM (VALUES
	(1, 'SELECT part FROM kind WHERE good AND (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) > 320'),
	(2, 'SELECT part FROM kind WHERE part = 1 AND (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) > 320'),
	(3, 'SELECT part FROM kind WHERE part IN (SELECT p FROM part WHERE p = 1 AND sqrt(p) < 2) AND (SELECT count(*) FROM line WHERE kind.part = l_id % 3) > 320'),
	(4, 'SELECT part FROM kind WHERE part IN (SELECT p FROM part WHERE p = 1) AND (SELECT count(*) FROM line WHERE kind.note = line.note AND l_id % 3 = kind.part) > 320'),
	(5, 'SELECT count(*) FROM line JOIN kind USING (note) WHERE good AND qty < (SELECT count(*) - 280.5 FROM line WHERE line.note = kind.note)'),
	(6, 'SELECT count(*) FROM line LEFT JOIN kind ON kind.note = line.note WHERE good AND qty < (SELECT count(*) - 280.5 FROM line l WHERE l.note = kind.note)'),
	(7, 'SELECT count(*) FROM line JOIN kind ON kind.note = line.note AND good WHERE qty < (SELECT count(*) - 280.5 FROM line l WHERE l.note = kind.note)'),
	(8, 'SELECT part FROM kind WHERE part = 1 AND words LIKE ''x%'' AND (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) > 320')) q(i, query), look(query) l ORDER BY i;
-- and of which all do where that is not said in WHERE, or not of such a table, or not by what any block may read
SELECT i, answer LIKE 'DIFF%' AS all_groups FROM (VALUES
	(1, 'SELECT part FROM kind WHERE good OR (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) > 320'),
	(2, 'SELECT k.part FROM kind k LEFT JOIN kind ON k.part = kind.part AND 320 < (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) WHERE kind.good'),
	(3, 'SELECT part FROM kind WHERE sqrt(part) = 1 AND (SELECT count(*) FROM line WHERE l_id % 3 = kind.part) > 320'),
	(4, 'SELECT p FROM undeclared WHERE good AND (SELECT count(*) FROM line WHERE l_id % 3 = p) > 320'),
	(5, 'SELECT note FROM kind WHERE note = ''n1'' AND (SELECT count(*) FROM line WHERE line.note = kind.note) > 320')) q(i, query), look(query) l ORDER BY i;
RESET privacct.max_groups;
-- and what is said of the table leaves out no row that asks
SELECT i, l.* FROM (VALUES
	(1, 'SELECT k.part FROM kind k LEFT JOIN kind ON k.part = kind.part AND 190 < (SELECT count(*) FROM line WHERE line.part = kind.part) WHERE kind.good IS NOT TRUE ORDER BY 1'),
	(2, 'SELECT k.part, kind.part FROM kind k LEFT JOIN kind ON k.part = kind.part + 1 AND 190 < (SELECT count(*) FROM line WHERE line.part = kind.part) WHERE kind.good ORDER BY 1'),
	(3, 'SELECT k.part, (SELECT round(avg(qty) / 7) FROM line WHERE line.part = kind.part) FROM kind k LEFT JOIN kind ON k.part = kind.part + 1 WHERE kind.good IS NOT TRUE ORDER BY 1'),
	(4, 'SELECT k.part, (SELECT count(*) FROM line WHERE line.part = k.part) FROM kind k LEFT JOIN kind ON k.part = kind.part AND k.good ORDER BY 1'),
	(5, 'SELECT k.part, (SELECT round(avg(qty) / 7) FROM line WHERE line.part = k.part) FROM kind k FULL JOIN kind ON k.part = kind.part AND k.good AND kind.good ORDER BY 1'),
	(6, 'SELECT count(*) FROM line LEFT JOIN kind ON kind.part = line.part AND good WHERE (SELECT count(*) FROM line l WHERE l.part = kind.part) > 190'),
	(7, 'SELECT count(*) FROM line LEFT JOIN kind ON kind.part = line.part AND good WHERE ((SELECT count(*) FROM line l WHERE l.part = kind.part) > 190) IS NOT TRUE'),
	(8, 'SELECT part FROM kind WHERE words LIKE ''x%'' AND (SELECT count(*) FROM line WHERE line.part = kind.part) > 190 ORDER BY 1'),
	(9, 'SELECT part FROM kind WHERE NOT (words LIKE ''y%'') AND (SELECT count(*) FROM line WHERE line.part = kind.part) > 190 ORDER BY 1'),
	(10, 'SELECT part FROM kind WHERE note IN (SELECT note FROM kind WHERE words LIKE ''x%'') AND (SELECT count(*) FROM line WHERE line.part = kind.part) > 190 ORDER BY 1'),
	(11, 'SELECT count(*) FROM line JOIN kind USING (part) WHERE kind.note LIKE ''n_'' AND NOT good AND qty < (SELECT avg(qty) + 0.3 FROM line l WHERE l.part = kind.part)'),
	(12, 'SELECT p FROM undeclared WHERE good AND (SELECT count(*) FROM line WHERE part = p) > 190'),
	(13, 'SELECT count(*) FROM customer c JOIN kind ON c.region = kind.part AND good WHERE bal < (SELECT avg(qty) + 0.3 FROM line WHERE line.part = kind.part)'),
	(14, 'SELECT p FROM part WHERE p > 2 AND p < (SELECT 1000 * count(*) FROM line WHERE part = p)'),
	(15, 'SELECT part FROM kind WHERE EXISTS (SELECT FROM part WHERE p = kind.part) AND (SELECT count(*) FROM line WHERE line.part = kind.part) > 190 ORDER BY 1')) q(i, query), look(query) l ORDER BY i;

-- which are joined where rows are public, not searched for each row
CREATE FUNCTION pg_temp.searches(query text, OUT plan text) LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	plan := '';
	SET LOCAL ROLE regress_in_analyst;
	FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
		plan := greatest(plan, substring(line FROM 'Join|SubPlan'));
	END LOOP;
	RESET ROLE;
END $$;
SELECT i, searches FROM (VALUES
	(1, 'SELECT p FROM part WHERE p > 1 AND p * 20 + 9.0 < (SELECT avg(qty) FROM line WHERE part = p)'),
	(2, 'SELECT p, (SELECT round(avg(qty) / 7) FROM line WHERE part = p AND note = ''n'' || brand) FROM part'),
	(3, 'SELECT brand FROM part x WHERE p IN (SELECT p FROM part y WHERE p > 0 AND 30.5 < (SELECT avg(qty) FROM line WHERE part = y.p))'),
	(4, 'SELECT brand, count(*) FROM part WHERE 30.5 < (SELECT avg(qty) FROM line WHERE part = p) GROUP BY brand'),
	(5, 'SELECT brand, (SELECT count(*) FROM line WHERE part = brand) FROM part GROUP BY brand')) q(i, query), pg_temp.searches(query) ORDER BY i;

-- refused, and nothing is charged
SELECT i, l.* FROM (VALUES
	(1, 'SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) FROM line GROUP BY part)'),
	(2, 'SELECT count(*) FROM line WHERE qty > (SELECT generate_series(1, 2) FROM line HAVING count(*) > 0)'),
	(3, 'SELECT count(*) FROM line LEFT JOIN customer ON person = c_id AND qty > (SELECT avg(qty) FROM line)'),
	(4, 'SELECT count(*) FROM (SELECT person, sum(qty) FROM line GROUP BY person HAVING sum(qty) > (SELECT avg(qty) FROM line)) x'),
	(5, 'SELECT qty > (SELECT avg(qty) FROM line), count(*) FROM line GROUP BY 1'),
	(6, 'SELECT count(*) FROM line WHERE qty > (SELECT max(p) FROM undeclared)'),
	(7, 'SELECT count(*) FROM line JOIN (SELECT p, count(*) FROM undeclared GROUP BY p) u ON p = part'),
	(8, 'WITH RECURSIVE a AS (SELECT count(*) AS n FROM line UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT count(*) FROM line JOIN a ON qty = n'),
	(9, 'SELECT count(*) FROM line WHERE qty > ALL (SELECT avg(qty) FROM line)'),
	(10, 'SELECT count(*) FROM (WITH b AS (SELECT 1 AS one) SELECT qty FROM line WHERE qty > (SELECT count(*) FROM line WHERE qty = (SELECT one FROM b))) x'),
	(11, 'SELECT * FROM generate_series(1, 3) x, LATERAL (WITH a AS (SELECT n + x AS n FROM (SELECT count(*) AS n FROM line) b) SELECT count(*) FROM line, a WHERE qty = n) y'),
	(12, 'SELECT * FROM generate_series(1, 3) x, LATERAL (WITH c AS MATERIALIZED (SELECT x AS v), a AS (SELECT n + v AS n FROM c, (SELECT count(*) AS n FROM line) b LIMIT 1) SELECT count(*) FROM line, a WHERE qty = n) y'),
	(13, 'SELECT ldp_avg(age) FROM staff WHERE team > (SELECT count(*) FROM line)'),
	(14, 'SELECT count(*) FROM trace WHERE step > (SELECT count(*) FROM line)'),
	(15, 'SELECT place, count(*) FROM trace JOIN (SELECT note AS place, count(*) AS n FROM line GROUP BY 1) a USING (place) GROUP BY place'),
	(16, 'SELECT count(*) FROM line JOIN staff ON id = person')) q(i, query), look(query) l ORDER BY i;

-- refused when it is priced, at whatever depth: still nothing is charged; of blocks beside each other only what comes first
CREATE FUNCTION priced(query text, OUT answer text, OUT releases bigint) LANGUAGE plpgsql AS $$
BEGIN
	releases := charged();
	answer := ask('regress_in_analyst', query);
	releases := charged() - releases;
END $$;
SELECT i, p.* FROM (VALUES
	(1, 'SELECT dp_count(l_id, ''bogus=1'') FROM line WHERE qty > (SELECT count(*) FROM line)'),
	(2, 'SELECT dp_sum(qty, 5, 5) FROM line WHERE qty > (SELECT count(*) FROM line)'),
	(3, 'SELECT dp_count(l_id, ''epsilon=0.01'') FROM line WHERE (SELECT ldp_avg(age) FROM staff) > 0'),
	(4, 'SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) FROM line WHERE qty > (SELECT dp_sum(qty, 5, 5) FROM line WHERE qty > (SELECT count(*) FROM line)))'),
	(5, 'WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1), b AS (SELECT part, dp_sum(qty, 5, 5) AS n FROM line JOIN a USING (part) WHERE qty < q GROUP BY part) SELECT count(*) FROM line JOIN a USING (part) JOIN b USING (part) WHERE qty < n'),
	(6, 'SELECT ldp_avg(age, ''bogus=1'') + (SELECT count(*) FROM customer WHERE bal > (SELECT avg(n) FROM other)) FROM staff'),
	(7, 'SELECT count(*) FROM line UNION ALL SELECT dp_sum(qty, 5, 5) FROM line')) q(i, query), priced(query) p ORDER BY i;
DROP FUNCTION priced(text);

-- as deep as one likes: each level costs about as much planning as the last (it was twice as much)
CREATE FUNCTION nest(form text, depth int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT count(*) AS c FROM line';
	plan json;
BEGIN
	FOR i IN 1 .. depth LOOP
		query := replace(format(form, query), 'level', 'x' || i);
	END LOOP;
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RETURN (length(plan::text) - length(replace(plan::text, 'privacct release', ''))) / length('privacct release') || ' releases';
END $$;
SET ROLE regress_in_analyst;
SET statement_timeout = '5min';
SELECT form, nest(form, 60) FROM (VALUES
	('SELECT count(*) AS c FROM line WHERE qty > (%s)'),
	('SELECT count(*) FROM line WHERE qty IN (%s)'),
	('SELECT count(*) AS c FROM line, (%s) level WHERE qty > c'),
	('SELECT count(CASE WHEN qty > (%s) THEN 1 END) FROM line'),
	('WITH level AS (%s) SELECT count(*) FROM line WHERE qty > (TABLE level)'),
	('SELECT count(*) FROM (SELECT part FROM line WHERE qty > (%s)) level')) f(form);
RESET statement_timeout;
RESET ROLE;
DROP FUNCTION nest(text, int);

-- the places and hints
SET ROLE regress_in_analyst;
SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) FROM line GROUP BY part);
WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a ON qty < q;
SELECT count(*) FROM line, part WHERE p = part AND qty < (SELECT avg(qty) FROM line WHERE part <= p);

-- a plan says all that it would release, and releases nothing; preview() the same
SELECT count(*) AS before FROM my_ledger \gset
EXPLAIN (COSTS OFF) WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q AND qty > (SELECT avg(bal) FROM customer);
SELECT release, statistic, epsilon FROM preview('WITH a AS (SELECT part, avg(qty) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q AND qty > (SELECT avg(bal) FROM customer)') WHERE used ORDER BY release;
PREPARE below (int, numeric) AS SELECT count(*) FROM line WHERE qty < (SELECT avg(qty) * $2 FROM line WHERE qty > $1);
EXPLAIN (COSTS OFF) EXECUTE below (20, 0.955);
SELECT count(*) - :before AS charged FROM my_ledger;

-- each execution is charged, twice
EXECUTE below (20, 0.955);
EXECUTE below (60, 0.5);
SET plan_cache_mode = force_generic_plan;
EXECUTE below (60, 0.5);
SELECT count(*) - :before AS charged FROM my_ledger;

-- a cursor draws once, however it moves
SELECT count(*) AS before FROM my_ledger \gset
BEGIN;
DECLARE c SCROLL CURSOR FOR WITH a AS (SELECT part, round(avg(qty) + 0.3) q FROM line GROUP BY part) SELECT a.part, q, b.n FROM a JOIN (SELECT part, count(*) n FROM line JOIN a USING (part) WHERE qty < q - 0.5 GROUP BY part) b USING (part) ORDER BY 1;
SELECT count(*) - :before AS charged FROM my_ledger;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
MOVE ABSOLUTE 0 FROM c;
FETCH ALL FROM c;
MOVE ABSOLUTE 0 FROM c;
FETCH ALL FROM c;
COMMIT;
SELECT count(*) - :before AS charged FROM my_ledger;

-- releases are charged in the order in which they are read: the inner one is the first
SELECT count(*) FROM customer WHERE bal > (SELECT 0.3 + avg(n) FROM other);
SELECT relation FROM (SELECT charge_id, relation_name AS relation FROM my_ledger ORDER BY charge_id DESC LIMIT 2) x ORDER BY charge_id;
RESET ROLE;

-- what is done with a release is done before the block around it begins: with the session's own settings
CREATE FUNCTION pg_temp.tell(x numeric) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
	RAISE WARNING 'work_mem is %', current_setting('work_mem');
	RETURN x;
END $$;
SET ROLE regress_in_analyst;
SET work_mem = '5MB';
SELECT count(*) FROM line WHERE qty > (SELECT pg_temp.tell(avg(qty) + 0.3) FROM line);
WITH a AS (SELECT part, pg_temp.tell(avg(qty)) AS q FROM line GROUP BY 1) SELECT count(*) FROM line JOIN a USING (part) WHERE qty < 0.935 * q;
RESET work_mem;
RESET ROLE;

-- in parallel as far as each can be: what reads a release cannot
SET ROLE regress_in_owner;
SELECT set_release_terms('line', workers => 2);
RESET ROLE;
SET ROLE regress_in_analyst;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) FROM line);
SELECT count(*) FROM line WHERE qty > (SELECT avg(qty) + 0.3 FROM line);
RESET ROLE;
DROP SCHEMA regress_in_owner CASCADE;
DROP ROLE regress_in_owner, regress_in_analyst;
