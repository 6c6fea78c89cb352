-- Whoever copies rows of a table that the books know, into one whose books know nothing of them, is told.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA cp;
SET search_path = cp, privacct;
CREATE TABLE visit (visit int PRIMARY KEY, person text NOT NULL, cost int NOT NULL DEFAULT 1);
CREATE TABLE vote (person text PRIMARY KEY, yes boolean NOT NULL);
CREATE TABLE bill (bill int PRIMARY KEY, person text NOT NULL);
CREATE TABLE item (bill int NOT NULL REFERENCES bill, item text);
INSERT INTO visit VALUES (1, 'a'), (2, 'b');
INSERT INTO vote VALUES ('a', true);
SELECT create_unit('cp_unit') > 0 AS unit, protect('visit', 'person', fresh => true) > 0 AS visit, protect('vote', 'person', regime => 'local', fresh => true) > 0 AS vote,
	protect('bill', 'person', unit => 'cp_unit', fresh => true) > 0 AS bill, protect('item', 'bill', unit => 'cp_unit', fresh => true) > 0 AS item;

-- in whatever form
\set VERBOSITY terse
CREATE TABLE more AS SELECT *, now() AS loaded FROM visit;
CREATE TABLE less (who text, what text);
INSERT INTO less SELECT 'x', person FROM visit;
INSERT INTO less SELECT person::varchar(10) COLLATE "C", 'x' FROM visit WHERE person > 'a';
INSERT INTO less WITH a AS (SELECT person FROM vote) SELECT b.person FROM (SELECT person FROM a) b;
INSERT INTO less WITH a AS (SELECT person FROM vote) SELECT (SELECT max(what) FROM less), b.p FROM less LEFT JOIN LATERAL (WITH c AS (SELECT person AS p FROM a) SELECT p FROM c) b ON true;
INSERT INTO less SELECT 'x' UNION ALL (SELECT person FROM visit EXCEPT SELECT 'y');
INSERT INTO less SELECT * FROM less UNION ALL SELECT person, 'x' FROM visit UNION ALL SELECT person, 'x' FROM vote;
INSERT INTO less VALUES ('x', (SELECT person FROM visit LIMIT 1));
INSERT INTO less VALUES ('x', 'y'), ('x', (SELECT person FROM visit LIMIT 1));
INSERT INTO less VALUES ((SELECT person FROM visit LIMIT 1), 'y') ON CONFLICT DO NOTHING;
INSERT INTO less SELECT v.p FROM visit, LATERAL (VALUES (person)) v(p);
INSERT INTO less SELECT r.person FROM visit v, jsonb_to_record(to_jsonb(v)) r(person text);
INSERT INTO less SELECT p FROM visit, unnest(ARRAY[person]) p;
INSERT INTO less SELECT first_value(person) OVER (ORDER BY visit) FROM visit;
MERGE INTO less USING visit ON false WHEN NOT MATCHED THEN INSERT VALUES (person, 'x');
MERGE INTO less USING visit ON who = 'x' WHEN MATCHED AND cost > 1 THEN UPDATE SET what = person;
UPDATE less SET what = person FROM visit WHERE visit = 1;
UPDATE less SET (who, what) = (SELECT 'x', person FROM visit WHERE visit = 1);
CREATE VIEW seen AS SELECT person AS p FROM visit;
SELECT p, count(*) INTO counted FROM seen GROUP BY p;
CREATE MATERIALIZED VIEW kept AS SELECT p AS q, 1 AS one FROM seen;
CREATE TABLE kept_again AS SELECT q FROM kept;
PREPARE again AS SELECT item, bill FROM item;
CREATE TABLE items AS EXECUTE again;
\a
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) CREATE TABLE explained AS EXECUTE again;
\a
WITH gone AS (INSERT INTO less SELECT person FROM visit RETURNING who) SELECT count(*) >= 0 AS gone FROM gone;
WITH gone AS (DELETE FROM visit WHERE visit = 2 RETURNING *) INSERT INTO less SELECT person FROM gone;
WITH RECURSIVE a(p, n) AS (SELECT person, 1 FROM visit UNION ALL SELECT p, n + 1 FROM a WHERE n < 2) INSERT INTO less SELECT p FROM a;
-- what is computed of one is one
CREATE TABLE hashed AS SELECT md5(person) AS h FROM visit;
CREATE TABLE merged AS SELECT person FROM visit FULL JOIN (SELECT 'z' AS person) z USING (person);
ALTER TABLE visit ADD COLUMN code text GENERATED ALWAYS AS (md5(person)) STORED, ADD COLUMN other text GENERATED ALWAYS AS (CASE cost WHEN 1 THEN 'one' END) STORED;
CREATE TABLE codes AS SELECT DISTINCT code FROM visit;
CREATE TABLE by_code AS SELECT code, max(cost) FROM visit GROUP BY code;
CREATE TABLE others AS SELECT DISTINCT other FROM visit;
ALTER TABLE visit DROP COLUMN code, DROP COLUMN other;
CREATE TABLE whole AS SELECT v FROM visit v;
CREATE TABLE one_of_all AS SELECT (SELECT v FROM visit v LIMIT 1) AS v, (SELECT b.person || i.item FROM bill b LIMIT 1) AS p FROM item i;
-- and so is what is computed of the rows of one
CREATE TABLE by_owner AS SELECT min(person) AS p, count(*) FROM visit GROUP BY person;
CREATE TABLE first_of AS SELECT (array_agg(person))[1] AS p FROM visit GROUP BY upper(person), cost;
CREATE TABLE by_set AS SELECT max(person) AS p FROM visit GROUP BY GROUPING SETS ((person), (cost));
CREATE TABLE counts AS SELECT count(*) AS n FROM visit GROUP BY person HAVING count(*) > 0;
CREATE TABLE window_of AS SELECT max(person) OVER (PARTITION BY person) AS p FROM visit;
CREATE TABLE per_owner AS SELECT n FROM (SELECT person, count(*) AS n FROM visit GROUP BY 1) v;
-- what a statement writes it may hand on
CREATE TABLE handed (p text);
WITH a AS (INSERT INTO handed SELECT person FROM visit RETURNING p) INSERT INTO less SELECT p FROM a;
WITH a AS (UPDATE handed SET p = person FROM visit WHERE visit = 1 RETURNING handed.*) INSERT INTO less SELECT p FROM a;
WITH a AS (DELETE FROM vote WHERE person = 'z' RETURNING *), b AS (INSERT INTO handed SELECT person FROM a RETURNING p) INSERT INTO less SELECT p FROM b;
WITH a AS (UPDATE handed SET p = p || 'x' RETURNING p) INSERT INTO less SELECT p FROM a;
CREATE TABLE as_text AS SELECT to_jsonb(s) AS row FROM (SELECT person, 1 AS one FROM visit) s;
\set VERBOSITY default
CREATE TABLE full_text AS SELECT person, 1 AS one FROM visit;
-- rows without their owners may be protected by others
CREATE TABLE costs AS SELECT visit AS key, cost FROM visit;
\set VERBOSITY terse
CREATE TABLE lines AS SELECT DISTINCT ON (visit) cost FROM visit ORDER BY visit;
-- nor are these many: a WITH query that is read often is looked at once
DO $$
BEGIN
	EXECUTE 'INSERT INTO less WITH a0 AS (SELECT person AS p FROM visit WHERE false)'
		|| (SELECT string_agg(format(', a%s AS (SELECT x.p || y.p AS p FROM a%s x, a%2$s y LIMIT 1)', i, i - 1), '' ORDER BY i) FROM generate_series(1, 60) i) || ' SELECT p FROM a60';
END
$$;

-- by way of a temporary table
CREATE TEMP TABLE mine AS SELECT person AS who, cost, 1 AS one FROM visit;
CREATE TEMP TABLE also_mine (a text, b text);
INSERT INTO also_mine SELECT upper(who), one FROM mine;
INSERT INTO also_mine SELECT 'x', person FROM vote;
CREATE TABLE out_again AS SELECT * FROM mine;
INSERT INTO less SELECT a FROM also_mine;
INSERT INTO less SELECT b FROM also_mine;
CREATE TABLE out_alone AS SELECT cost AS c FROM mine;
CREATE TABLE out_counted AS SELECT cost, count(*) FROM mine GROUP BY cost;
CREATE TABLE out_one AS SELECT one FROM mine;
UPDATE also_mine SET a = 'x';
-- of which columns are made of others, that has partitions or children, or is read by the statement that fills it
ALTER TABLE mine ADD COLUMN copied text, ADD COLUMN made text GENERATED ALWAYS AS (upper(who)) STORED;
UPDATE mine SET copied = who;
CREATE TABLE out_copied AS SELECT copied FROM mine;
CREATE TABLE out_made AS SELECT made FROM mine;
CREATE TEMP TABLE tree_mine (a int, p text) PARTITION BY LIST (a);
CREATE TEMP TABLE leaf_mine (p text, a int);
ALTER TABLE tree_mine ATTACH PARTITION leaf_mine FOR VALUES IN (1);
INSERT INTO tree_mine SELECT 1, person FROM visit;
ALTER TABLE tree_mine DETACH PARTITION leaf_mine;
CREATE TABLE out_leaf AS SELECT p FROM leaf_mine;
CREATE TABLE out_one_leaf AS SELECT a FROM leaf_mine;
CREATE TEMP TABLE parent_mine (p text);
CREATE TEMP TABLE child_mine (p text);
INSERT INTO child_mine SELECT person FROM visit;
CREATE TABLE out_alone_parent AS SELECT p FROM parent_mine;
ALTER TABLE child_mine INHERIT parent_mine;
CREATE TABLE out_child AS SELECT p FROM parent_mine;
CREATE TEMP TABLE filled_mine (p text);
WITH a AS (INSERT INTO filled_mine SELECT person FROM visit RETURNING p) INSERT INTO less SELECT p FROM a;
CREATE TABLE pg_temp.third AS SELECT b FROM also_mine;
CREATE TEMP TABLE at_once (a text);
WITH filled AS (INSERT INTO at_once SELECT person FROM visit RETURNING a) INSERT INTO less SELECT a FROM filled;
-- also when the table that they are of is gone
CREATE TABLE short (id int PRIMARY KEY, cost int);
SELECT protect('short', 'id', fresh => true) > 0 AS short;
CREATE TEMP TABLE of_short AS SELECT * FROM short;
PREPARE of_short AS INSERT INTO less SELECT cost FROM of_short;
PREPARE gone AS SELECT id, cost FROM short;
DROP TABLE short;
\set VERBOSITY default
CREATE TABLE out_late AS SELECT * FROM of_short;
EXECUTE of_short;
\set VERBOSITY terse
CREATE TABLE out_gone AS EXECUTE gone;

-- into tables that the books know, of which nothing was said; but not where something was
CREATE TABLE archive (a text NOT NULL, z int);
SELECT protect('archive', 'a', fresh => true) > 0 AS archive, unprotect('archive');
INSERT INTO archive SELECT person, cost FROM visit;
SELECT protect('archive', 'a', inherits => 'cp.visit') > 0 AS archive;
INSERT INTO archive SELECT person, cost FROM visit;
INSERT INTO visit SELECT 100 + z, a FROM archive WHERE false;
INSERT INTO archive SELECT person FROM visit UNION ALL SELECT person FROM vote;
INSERT INTO item SELECT bill FROM bill;
CREATE TABLE tree (part int NOT NULL, person text NOT NULL) PARTITION BY LIST (part);
CREATE TABLE tree_1 PARTITION OF tree FOR VALUES IN (1);
SELECT protect('tree', 'person', fresh => true) > 0 AS tree;
INSERT INTO tree SELECT 1, person FROM tree_1;
INSERT INTO tree_1 SELECT 1, person FROM visit;
ALTER TABLE tree DETACH PARTITION tree_1;
INSERT INTO tree_1 SELECT 1, person FROM tree;
SELECT unprotect('tree'), unprotect('archive');
INSERT INTO archive SELECT person FROM tree;
-- partitions that come while no policy covers the table get rows of others by what is written to it
ALTER TABLE tree ATTACH PARTITION tree_1 FOR VALUES IN (1);
INSERT INTO tree SELECT 1, person FROM tree;
UPDATE tree SET part = 1;
CREATE TABLE tree_n (part int NOT NULL, person text NOT NULL) PARTITION BY LIST (upper(person));
CREATE TABLE tree_n1 PARTITION OF tree_n DEFAULT;
ALTER TABLE tree ATTACH PARTITION tree_n DEFAULT;
UPDATE tree SET part = 2 WHERE part = 1;
INSERT INTO tree SELECT 2, person FROM tree WHERE part = 1;
INSERT INTO tree SELECT 2, person FROM tree_1;
WITH a AS (UPDATE tree SET part = 2 WHERE false RETURNING 1) SELECT count(*) FROM a;
MERGE INTO tree USING (VALUES (3)) v(n) ON part = n WHEN MATCHED THEN UPDATE SET part = 2;
CREATE TABLE beside (extra int, person text NOT NULL, note text, part int NOT NULL) PARTITION BY RANGE (extra);
CREATE TABLE beside_1 PARTITION OF beside DEFAULT;
ALTER TABLE tree DETACH PARTITION tree_1;
ALTER TABLE tree_1 ADD COLUMN extra int, ADD COLUMN note text;
ALTER TABLE beside ATTACH PARTITION tree_1 FOR VALUES FROM (0) TO (1);
UPDATE beside SET extra = 1;
UPDATE beside SET note = 'x';
INSERT INTO beside VALUES (2, 'x', 'y', 1);
DELETE FROM beside WHERE extra = 2;
-- so does a parent
ALTER TABLE beside DETACH PARTITION tree_1;
CREATE TABLE above (person text NOT NULL);
ALTER TABLE tree_1 INHERIT above;
INSERT INTO above SELECT person FROM tree_1;
INSERT INTO above SELECT person FROM above;
WITH a AS (DELETE FROM tree_1 RETURNING *) INSERT INTO above SELECT person FROM a;
\set VERBOSITY default
CREATE TABLE of_above AS SELECT person FROM above;
\set VERBOSITY terse
INSERT INTO above VALUES ('x');
DELETE FROM above;
INSERT INTO tree_1 SELECT 1, person FROM tree_1;
CREATE TABLE vote_2 (person text PRIMARY KEY, yes boolean NOT NULL);
SELECT protect('vote_2', 'person', regime => 'local', fresh => true) > 0 AS vote_2;
INSERT INTO vote_2 SELECT * FROM vote WHERE false;
INSERT INTO vote_2 SELECT p, true FROM seen WHERE false;

-- no others: what is computed of several, conditions, and what makes no table
CREATE TABLE sums AS SELECT count(*) FROM visit;
CREATE TABLE sums_of_all AS SELECT cost, sum(cost), max(person) FROM visit GROUP BY cost;
CREATE TABLE costs_alone AS SELECT DISTINCT cost FROM visit UNION SELECT 1;
CREATE TABLE shares AS SELECT n, sum(cost) OVER () AS share FROM (SELECT count(*) AS n, 1 AS cost FROM visit) v;
CREATE TABLE questions AS SELECT EXISTS (SELECT FROM visit WHERE person = 'a') AS a, 'a' IN (SELECT person FROM visit) AS b, (SELECT count(*) FROM visit) AS n;
INSERT INTO bill SELECT 100 + bill, person FROM bill WHERE false;
UPDATE bill SET bill = 100 + bill FROM vote WHERE vote.person = bill.person;
INSERT INTO bill VALUES (100, 'a') ON CONFLICT (bill) DO UPDATE SET bill = excluded.bill + bill.bill;
CREATE TABLE IF NOT EXISTS more AS SELECT * FROM visit;
CREATE TABLE empty AS SELECT * FROM visit WITH NO DATA;
EXPLAIN (COSTS off) CREATE TABLE unexplained AS SELECT * FROM visit;
INSERT INTO less SELECT 'x' EXCEPT SELECT person FROM visit;
INSERT INTO less SELECT who FROM less WHERE who IN (SELECT person FROM visit);
PREPARE still AS SELECT one FROM kept;
DROP MATERIALIZED VIEW kept;
CREATE MATERIALIZED VIEW kept AS SELECT 2 AS one;
CREATE TABLE renewed AS EXECUTE still;
CREATE TABLE recursion AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2) SELECT n FROM r;
CREATE ROLE regress_cp_analyst;
GRANT USAGE, CREATE ON SCHEMA cp TO regress_cp_analyst;
SET ROLE regress_cp_analyst;
\set VERBOSITY sqlstate
CREATE TABLE refused AS SELECT person FROM visit;
\set VERBOSITY default
RESET ROLE;
SELECT unprotect(t) FROM unnest('{vote_2,vote,item,bill,visit}'::regclass[]) t \g /dev/null
SELECT drop_unit('cp_unit');
DROP SCHEMA cp CASCADE;
DROP ROLE regress_cp_analyst;
