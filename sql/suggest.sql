-- suggest_bounds(): limits that so large a part of the owners keeps to, by questions that are
-- charged like any others.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_ps_steward;
GRANT privacct_admin TO regress_ps_steward;
CREATE ROLE regress_ps_analyst;
CREATE ROLE regress_ps_nobody;
CREATE SCHEMA suggest AUTHORIZATION regress_ps_steward;
GRANT USAGE ON SCHEMA suggest TO PUBLIC;
SET search_path = suggest, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_ps_analyst', query) $$;
CREATE FUNCTION suggested(query text, quantile float8 DEFAULT 0.85, epsilon numeric DEFAULT 5000) RETURNS TABLE(what text, lo numeric, hi numeric, declaration text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_ps_analyst', true);
	RETURN QUERY SELECT * FROM privacct.suggest_bounds(query, quantile, epsilon);
	PERFORM set_config('role', 'none', true);
END
$$;

-- 100 owners: 90 have 6 visits in up to 3 wards, of 10 to 50 each; 10 have 200 in 20 wards, of up to 5000
CREATE TABLE visit (id int PRIMARY KEY, o int NOT NULL, ward int NOT NULL, cost int, change float8, paid boolean);
INSERT INTO visit SELECT o * 1000 + k, o, k % 3, 10 + 8 * (k % 6), CASE WHEN k = 1 THEN -0.3 ELSE 0.01 END, k = 1 FROM generate_series(1, 90) o, generate_series(1, 6) k;
INSERT INTO visit SELECT o * 1000 + k, o, k % 20, 25 * k, -1000, NULL FROM generate_series(91, 100) o, generate_series(1, 200) k;
CREATE TABLE ward (ward int PRIMARY KEY, name text NOT NULL);
INSERT INTO ward SELECT k, 'ward ' || k % 7 FROM generate_series(0, 19) k;
CREATE TABLE bill (id int NOT NULL REFERENCES visit, o int NOT NULL, part int);
INSERT INTO bill SELECT id, o, 3 FROM visit WHERE o <= 90;
CREATE TABLE item (visit int NOT NULL REFERENCES visit, kind int, price int);
INSERT INTO item SELECT id, k, 7 FROM visit, generate_series(1, 2) k WHERE o <= 90;
ALTER TABLE item DROP COLUMN kind, ADD COLUMN kind int;
ALTER TABLE item OWNER TO regress_ps_steward;
ALTER TABLE visit OWNER TO regress_ps_steward;
ALTER TABLE ward OWNER TO regress_ps_steward;
ALTER TABLE bill OWNER TO regress_ps_steward;
GRANT SELECT ON ward TO regress_ps_analyst;
CREATE VIEW visits WITH (security_invoker) AS SELECT o AS owner, cost AS k1, ward AS v1, cost + 1 AS o FROM visit WHERE cost > 0;
GRANT SELECT ON visits TO regress_ps_analyst;
SET ROLE regress_ps_steward;
DO $$ BEGIN
	PERFORM privacct.create_unit('person', epsilon => 1e6, delta => 0.1), privacct.grant_budget('person', 'regress_ps_analyst', 1e6, 0.1),
		privacct.protect('visit', 'o', unit => 'person', min_epsilon => 1e-6), privacct.protect('bill', 'o', unit => 'person', min_epsilon => 1e-6), privacct.declare_public('ward'), privacct.protect('item', 'visit', unit => 'person', min_epsilon => 1e-6), privacct.set_bounds('item', 'price', 0, 10),
		privacct.set_bounds('visit', 'cost', 0, 10000);
END $$;
RESET ROLE;

SELECT * FROM suggested('SELECT count(*) FROM suggest.visit');
SELECT * FROM suggested('SELECT ward, sum(cost) FROM suggest.visit GROUP BY ward ORDER BY 2 DESC LIMIT 3');
SELECT * FROM suggested('SELECT ward, sum(cost) FROM suggest.visit GROUP BY ward', 0.95);
-- rows are clamped first, as the query says
SELECT * FROM suggested('SELECT dp_sum(cost, 0, 20) FROM suggest.visit');
-- bounds of values where none are known, on both sides of 0
SELECT * FROM suggested('SELECT sum(change) FROM suggest.visit');
SELECT * FROM suggested('SELECT dp_sum(-cost), dp_sum(cost * change, -1, 1), avg(change) FILTER (WHERE cost > 20) FROM suggest.visit');
-- booleans, DISTINCT, HAVING, conditions, joins, views, subqueries, columns that are called like others
SELECT * FROM suggested('SELECT dp_sum(paid) FROM suggest.visit HAVING dp_sum(cost) > 5');
SELECT * FROM suggested('SELECT DISTINCT ward FROM suggest.visit WHERE cost BETWEEN 11 AND 90');
SELECT * FROM suggested('SELECT name, sum(cost) FROM suggest.visit JOIN suggest.ward USING (ward) GROUP BY name');
SELECT * FROM suggested('SELECT sum(cost) FROM suggest.visit v JOIN suggest.bill b ON b.id = v.id AND b.o = v.o WHERE EXISTS (SELECT FROM suggest.bill c WHERE c.o = v.o)');
SELECT * FROM suggested('SELECT v1, count(*), sum(k1) FROM suggest.visits WHERE o < 100000 GROUP BY v1');
SELECT * FROM suggested('SELECT max(n) FROM (SELECT ward, count(*) AS n FROM (SELECT cost AS o, ward FROM suggest.visit) v GROUP BY ward) g');
SELECT * FROM suggested('SELECT sum(n) FROM (SELECT o, count(*) AS n FROM suggest.visit GROUP BY o) v');
-- where the owner is found by a path
SELECT * FROM suggested('SELECT sum(price) FROM suggest.item');
SELECT * FROM suggested('SELECT ward, sum(price) FROM suggest.item i JOIN suggest.visit v ON v.id = i.visit GROUP BY ward');
-- names are those that the caller sees
SET search_path = privacct, suggest, pg_catalog;
SELECT * FROM suggest.suggested('SELECT count(*) FROM visit');
SET search_path = suggest, privacct;

-- what is spent: each limit is found in steps of equal price, all of them together at most what is said
CREATE FUNCTION spent() RETURNS TABLE(epsilon numeric, releases bigint) LANGUAGE sql AS $$ SELECT a.epsilon, a.releases FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE p.name = 'person' AND a.role = 0::regrole $$;
SELECT epsilon AS before, releases AS asked FROM spent() \gset
SELECT count(*) FROM suggested('SELECT ward, sum(change), sum(cost) FROM suggest.visit GROUP BY ward', 0.85, 3);
-- by noise, one of 31 places is found by 4 or 5 questions, one of 13 by 3 or 4
SELECT s.epsilon - :before <= 3 AND s.epsilon - :before > 2.8 AS spent, releases - :asked BETWEEN 37 AND 39 AS asked FROM spent() s;

-- what the guard does not let a block count; keys that a subquery does not show
SELECT ask(format('SELECT count(*) FROM privacct._contributions(%L)', q)) FROM unnest(ARRAY[
	'SELECT count(*) FROM (SELECT o FROM suggest.visit UNION ALL SELECT ward FROM suggest.ward) s',
	'SELECT sum(s.n) FROM (SELECT max(cost) AS n FROM suggest.visit GROUP BY o HAVING count(*) > 1) s',
	'SELECT sum(s.n) FROM (SELECT max(cost) AS n FROM suggest.visit v GROUP BY ward) s',
	'SELECT sum(cost) FROM suggest.visit v WHERE EXISTS (SELECT FROM suggest.bill b WHERE b.o = v.o)',
	'SELECT sum(cost) FROM suggest.visit v JOIN suggest.bill b ON b.part = v.ward']) q;
-- refusals
SELECT ask(format('SELECT * FROM privacct.suggest_bounds(%L, %s)', q, a)) FROM (VALUES ('SELECT count(*) FROM suggest.visit', '0, 1'), ('SELECT count(*) FROM suggest.visit', '1, 1'), ('SELECT count(*) FROM suggest.visit', 'NULL, 1'), ('SELECT count(*) FROM suggest.visit', '''nan'', 1'),
	('SELECT count(*) FROM suggest.visit', '0.5, 0'), ('SELECT count(*) FROM suggest.visit', '0.5, NULL'), ('SELECT count(*) FROM suggest.visit', '0.5, ''nan'''), ('SELECT count(*) FROM suggest.visit', '0.5, 1e6'),
	(NULL, '0.5, 1'), ('SELECT 1', '0.5, 1'), ('SELECT count(*) FROM suggest.ward', '0.5, 1'), ('DELETE FROM suggest.visit', '0.5, 1'), ('SELECT 1; SELECT 2', '0.5, 1'), ('SELECT', '0.5, 1'), ('SELECT cost FROM suggest.visit', '0.5, 1'),
	('SELECT (SELECT count(*) FROM suggest.visit)', '0.5, 1'), ('SELECT count(*) FROM suggest.visit UNION SELECT 1', '0.5, 1'), ('SELECT 1 FROM (SELECT count(*) FROM suggest.visit) a, (SELECT count(*) FROM suggest.visit) b', '0.5, 1'),
	('WITH v AS (SELECT * FROM suggest.visit) SELECT count(*) FROM v', '0.5, 1'), ('SELECT ward, count(*) FROM suggest.visit GROUP BY ROLLUP (ward)', '0.5, 1'), ('SELECT o, count(*) FROM suggest.visit GROUP BY o', '0.5, 1'),
	('SELECT change, count(*) FROM suggest.visit GROUP BY change', '0.5, 1'), ('SELECT count(*) FROM suggest.visit a JOIN suggest.visit b ON a.ward = b.ward', '0.5, 1'), ('SELECT count(*) FROM suggest.visit WHERE random() < 0.5', '0.5, 1'),
	('SELECT ldp_avg(cost) FROM suggest.visit', '0.5, 1')) v(q, a);
SELECT ask('regress_ps_nobody', 'SELECT * FROM privacct.suggest_bounds(''SELECT sum(cost) FROM suggest.visit'', 0.5, 1)'), ask('regress_ps_nobody', 'SELECT * FROM privacct._contributions(''SELECT sum(cost) FROM suggest.visit'')');
SELECT ask('regress_ps_steward', 'SELECT * FROM privacct.suggest_bounds(''SELECT sum(cost) FROM suggest.visit'', 0.5, 1)');
-- a release that the rows come from would be asked with each question; too little for all of them
SELECT ask(format('SELECT * FROM privacct.suggest_bounds(%L, 0.5, 3)', q)) FROM unnest(ARRAY['SELECT count(*) FROM suggest.visit WHERE cost > (SELECT avg(cost) FROM suggest.visit)', 'SELECT count(*) FROM suggest.visit JOIN (SELECT ward, count(*) AS n FROM suggest.visit GROUP BY ward) w USING (ward)']) q;
CREATE TABLE dear (o int NOT NULL);
INSERT INTO dear SELECT i FROM generate_series(1, 100) i;
ALTER TABLE dear OWNER TO regress_ps_steward;
SET ROLE regress_ps_steward;
DO $$ BEGIN PERFORM privacct.protect('dear', 'o', epsilon => 100, min_epsilon => 10, fresh => true), privacct.grant_budget('dear', 'regress_ps_analyst', 100); END $$;
SET ROLE regress_ps_analyst;
SELECT count(*) FROM privacct.suggest_bounds('SELECT count(*) FROM suggest.dear', 0.5, 49);
SELECT count(*) FROM privacct.suggest_bounds('SELECT count(*) FROM suggest.dear', 0.5, 50);
RESET ROLE;
-- the text of the rows answers nobody
SELECT rows_query AS rows FROM privacct._contributions('SELECT 1') \gset
SET ROLE regress_ps_analyst;
SELECT rows_query AS rows FROM privacct._contributions('SELECT ward, sum(cost) FROM suggest.visit GROUP BY ward') \gset
:rows;
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA suggest CASCADE;
DROP ROLE regress_ps_analyst, regress_ps_steward, regress_ps_nobody;
