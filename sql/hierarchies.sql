-- Totals of keys that public data list together, of which not all combinations are there:
-- wards of buildings of towns, months of quarters.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_hi_owner;
CREATE ROLE regress_hi_analyst;
GRANT privacct_admin TO regress_hi_owner;
CREATE SCHEMA tree AUTHORIZATION regress_hi_owner;
GRANT USAGE ON SCHEMA tree TO PUBLIC;
SET search_path = tree, privacct;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_hi_owner;
CREATE TABLE place (ward text PRIMARY KEY, building text NOT NULL, town text);
INSERT INTO place VALUES ('w5', 'south', 'x'), ('w0', 'north', 'x'), ('w3', 'old', NULL), ('w1', 'north', 'x'), ('w4', 'old', NULL), ('w2', 'south', 'x'), ('w6', 'old', 'y');
CREATE TABLE visit (patient int NOT NULL, ward text, sex text NOT NULL, cost int NOT NULL, price numeric NOT NULL, day date NOT NULL);
INSERT INTO visit SELECT i / 4, 'w' || i % 7, CASE WHEN i % 8 < 4 THEN 'f' ELSE 'm' END, i % 50, i % 20 * 1.1, date '2024-01-01' + i % 150 FROM generate_series(1, 2100) i;
GRANT SELECT ON place TO regress_hi_analyst;
DO $$ BEGIN
	PERFORM privacct.declare_public('place'), privacct.set_keys('place', 'ward'), privacct.set_keys('place', 'building'), privacct.set_keys('place', 'town');
	PERFORM privacct.protect('visit', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 4, max_rows_contributed => 4);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 50), privacct.set_bounds('visit', 'price', 0, 25), privacct.set_bounds('visit', 'day', '2024-01-01', '2024-06-30');
	PERFORM privacct.set_keys('visit', 'sex', '{f,m}'::text[]);
	PERFORM privacct.grant_budget('visit', 'regress_hi_analyst', 1e6, 0.01);
END $$;
RESET ROLE;
CREATE VIEW wards WITH (security_invoker) AS SELECT p.*, patient, sex, cost, price, day FROM place p LEFT JOIN visit v ON p.ward = v.ward;
GRANT SELECT ON wards TO PUBLIC;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT left(same('regress_hi_analyst', query, 'regress_hi_owner', query), 300) $$;

SET privacct.epsilon = 20000;
SELECT same(format('SELECT town, building, ward, GROUPING(town, building, ward), count(patient), round(sum(cost) / 90.0), round(avg(cost) + 0.2) FROM wards GROUP BY %s', g)), g
	FROM unnest(ARRAY['ROLLUP (1, 2, 3)', 'CUBE (1, 2, 3)', 'GROUPING SETS ((1), (2), (3))', 'GROUPING SETS ((2), (2), (1, 3), ())', 'building, ROLLUP (town, ward)']) g;
-- with keys that are declared, in a list of their own, and with one another's conditions
SELECT same(format('SELECT building, ward, sex, GROUPING(building, ward, sex), count(patient), round(sum(price) / 112) FROM wards WHERE ward <> ''w6'' GROUP BY %s', g)), g
	FROM unnest(ARRAY['sex, ROLLUP (1, 2)', 'ROLLUP (1, 3, 2)', 'CUBE (1, 2), ROLLUP (3)']) g;
SELECT same('SELECT date_trunc(''quarter'', day), date_trunc(''month'', day), count(*) FROM visit WHERE day < ''2024-05-01'' GROUP BY ROLLUP (1, 2) HAVING count(*) > 0');
SELECT same('SELECT building, date_trunc(''quarter'', day), GROUPING(building), count(patient) FROM wards GROUP BY ROLLUP (1, 2)');
-- views of columns are joined as the tables that they are of
CREATE VIEW places WITH (security_invoker) AS SELECT ward AS w, building AS b FROM place;
CREATE VIEW visits WITH (security_invoker) AS SELECT patient AS p, ward AS w, sex AS s, cost AS c FROM visit;
GRANT SELECT ON places, visits TO PUBLIC;
SELECT same(q), q FROM unnest(ARRAY['SELECT b, s, count(*), count(c), GROUPING(b) FROM places JOIN visits USING (w) GROUP BY ROLLUP (b, s)',
	'SELECT s, count(*), round(sum(c) / 100.0) FROM visits WHERE c > 10 GROUP BY CUBE (s)',
	'SELECT s, count(*) FROM visits v WHERE EXISTS (SELECT FROM visits x WHERE x.p = v.p AND x.c = 3) GROUP BY ROLLUP (s)',
	'SELECT s, count(*), count(c2) FROM visits LEFT JOIN (SELECT w AS w2, b, 0 AS c2 FROM places) x ON w = w2 WHERE b = ''old'' GROUP BY ROLLUP (s)',
	'SELECT s, count(*) FROM places p LEFT JOIN (SELECT w, s, c FROM visits WHERE c < 25) v ON p.w = v.w WHERE b <> ''old'' GROUP BY ROLLUP (s)']) q;

-- whatever the noise is, totals are the sums of their parts, to the last digit
SET privacct.epsilon = 0.5;
SET ROLE regress_hi_analyst;
CREATE FUNCTION pg_temp.adds_up(what text) RETURNS TABLE (query text, towns boolean, buildings boolean, wards boolean, noisy boolean) LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE format('WITH r AS MATERIALIZED (SELECT town, building, ward, GROUPING(town, building, ward) AS g, %s AS x FROM wards GROUP BY ROLLUP (1, 2, 3))
		SELECT %L, (SELECT sum(x) FROM r WHERE g = 3) = (SELECT x FROM r WHERE g = 7),
			(SELECT bool_and(t.x = (SELECT sum(x) FROM r WHERE g = 1 AND r.town IS NOT DISTINCT FROM t.town)) FROM r t WHERE g = 3),
			(SELECT bool_and(t.x = (SELECT sum(x) FROM r WHERE g = 0 AND r.town IS NOT DISTINCT FROM t.town AND r.building = t.building)) FROM r t WHERE g = 1),
			count(DISTINCT x) > 6 FROM r', what, what);
END
$$;
SELECT (pg_temp.adds_up(what)).* FROM unnest('{count(*),sum(cost),sum(price),sum(cost * 0.25)}'::text[]) what;
-- an interval is as wide as there are wards in a group
SELECT count(n) FROM (SELECT town, building, ward, count(*) AS n FROM wards GROUP BY ROLLUP (1, 2, 3)) q;
SELECT round(high - low) AS width, string_agg(keys::text, ' ' ORDER BY keys) AS groups, bool_and(value BETWEEN low AND high) AS within FROM intervals() GROUP BY 1 ORDER BY 1;
-- what is added up is so even if the groups that it is added up from are not asked for
EXPLAIN (COSTS off) SELECT building, town, count(*) FROM wards GROUP BY GROUPING SETS ((1), (2));
SELECT statistic, round(scale::numeric, 3) AS scale, round(error_95) AS error, epsilon FROM preview('SELECT building, town, count(*) FROM wards GROUP BY GROUPING SETS ((1), (2))') WHERE used;
DROP FUNCTION pg_temp.adds_up(text);
RESET ROLE;
-- repeated
SELECT privacct.set_repeats('visit', '1 day');
SET ROLE regress_hi_analyst;
SELECT sum(n) IS NOT NULL AS asked FROM (SELECT town, building, ward, count(*) AS n FROM wards GROUP BY ROLLUP (1, 2, 3)) q;
SELECT releases FROM my_budget \gset
SELECT sum(n) IS NOT NULL AS again FROM (SELECT town, building, ward, count(*) AS n FROM wards GROUP BY ROLLUP (1, 2, 3)) q;
SELECT releases - :releases AS paid FROM my_budget;
-- other answers follow from such a release: other groupings of the same, parts, totals, with conditions on what is listed
SET privacct.epsilon = 20000;
SELECT count(n) FROM (SELECT town, building, ward, count(patient) AS n FROM wards GROUP BY ROLLUP (1, 2, 3)) q;
RESET ROLE;
-- what is derived, against what the owner reads; or why nothing is
CREATE FUNCTION derived(query text, columns int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	shown text := (SELECT format('SELECT array_to_string(ARRAY[%s], '','', ''-'') FROM (%s) q(%s)', string_agg(format(CASE WHEN i = columns THEN 'round(c%s::numeric)::text' ELSE 'c%s::text' END, i), ', '), query, string_agg(format('c%s', i), ', ')) FROM generate_series(1, columns) i);
	got text := ask('regress_hi_analyst', format('SELECT array_to_string(keys || round(value)::bigint::text, '','', ''-'') FROM derive(%L)', query));
	wanted text := ask('regress_hi_owner', shown);
BEGIN
	RETURN CASE WHEN got = wanted THEN 'same: ' || left(got, 100) WHEN got ~ '^4' THEN got ELSE format('DIFFERENT: %s INSTEAD OF %s', got, wanted) END;
END
$$;
SELECT derived(q, n), q FROM (VALUES ('SELECT town, building, ward, count(patient) FROM wards GROUP BY 1, 2, 3', 4), ('SELECT town, building, ward, count(patient) FROM wards GROUP BY ROLLUP (1, 2, 3)', 4),
	('SELECT town, building, count(patient) FROM wards GROUP BY ROLLUP (1, 2)', 3), ('SELECT building, count(patient) FROM wards GROUP BY 1', 2),
	('SELECT building, ward, count(patient) FROM wards GROUP BY GROUPING SETS ((1), (2))', 3), ('SELECT count(patient) FROM wards', 1),
	('SELECT count(patient) FROM wards WHERE building = ''old''', 1), ('SELECT count(patient) FROM wards WHERE town IS NULL', 1),
	('SELECT building, ward, count(patient) FROM wards WHERE town = ''x'' GROUP BY ROLLUP (1, 2)', 3),
	('SELECT sex, count(patient) FROM wards GROUP BY 1', 2), ('SELECT building, sum(cost) FROM wards GROUP BY 1', 2)) v(q, n);
-- so it does beside declared keys, where the finest groups have noise and totals have some of their own
SET ROLE regress_hi_analyst;
SELECT count(n) FROM (SELECT sex, building, ward, sum(cost * 0.001) AS n FROM wards GROUP BY sex, ROLLUP (2, 3)) q;
RESET ROLE;
SELECT derived(q, n), q FROM (VALUES ('SELECT building, sex, sum(cost * 0.001) FROM wards GROUP BY CUBE (1, 2)', 3), ('SELECT sum(cost * 0.001) FROM wards WHERE sex = ''f'' AND building <> ''old''', 1)) v(q, n);
SET ROLE regress_hi_analyst;
SELECT keys, low < value AND value < high AS within, array_length(charges, 1) AS releases FROM derive('SELECT building, sum(cost * 0.001) FROM wards GROUP BY ROLLUP (1)');
-- which combinations there are is told by the finest groups alone: without them nothing follows
SELECT count(n) FROM (SELECT town, building, sum(price) AS n FROM wards GROUP BY GROUPING SETS ((1), (2))) q;
RESET ROLE;
SELECT derived('SELECT building, sum(price) FROM wards GROUP BY 1', 2);
-- months of quarters
SET ROLE regress_hi_analyst;
SELECT count(n) FROM (SELECT date_trunc('quarter', day), date_trunc('month', day), count(*) AS n FROM visit GROUP BY ROLLUP (1, 2)) q;
RESET ROLE;
SELECT derived(q, n), q FROM (VALUES ('SELECT date_trunc(''quarter'', day), count(*) FROM visit GROUP BY ROLLUP (1)', 2),
	('SELECT date_trunc(''quarter'', day), date_trunc(''month'', day), count(*) FROM visit GROUP BY 1, 2', 3),
	('SELECT date_trunc(''quarter'', day), date_trunc(''month'', day), count(*) FROM visit WHERE date_trunc(''quarter'', day) = ''2024-04-01'' GROUP BY ROLLUP (1, 2)', 3)) v(q, n);
SET ROLE regress_hi_analyst;
RESET ROLE;

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA tree CASCADE;
DROP ROLE regress_hi_analyst, regress_hi_owner;
