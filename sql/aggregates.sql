-- What the aggregates of a guarded block compute: values, types, clamping, the
-- bounding of what an owner contributes, groups, bounds, options.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_steward;
GRANT privacct_admin TO regress_pa_steward;
CREATE ROLE regress_pa_analyst;
CREATE SCHEMA aggs AUTHORIZATION regress_pa_steward;
GRANT USAGE ON SCHEMA aggs TO PUBLIC;
SET search_path = aggs, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pa_analyst', query) $$;
CREATE FUNCTION same(query text, raw_query text) RETURNS text LANGUAGE sql AS $$
	SELECT same('regress_pa_analyst', query, 'regress_pa_steward', raw_query) $$;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same(query, query) $$;
-- a table for the steward, with a policy of 1e6 and the analyst free to spend it
CREATE FUNCTION protect(relation regclass, owner name, groups int, rows int, variadic more text[] DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s OWNER TO regress_pa_steward', relation);
	EXECUTE format('SELECT privacct.protect(%L, %L, epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => %s, max_rows_contributed => %s, fresh => true %s)',
				   relation, owner, groups, rows, coalesce(', ' || array_to_string(nullif(more, '{}'), ', '), ''));
	PERFORM privacct.grant_budget(relation, 'regress_pa_analyst', 1e6, 0.01);
END
$$;
SET privacct.epsilon = 20000;

--
-- Values and types.  40 owners, two rows each; a group without rows, a group
-- that is not declared
--

CREATE TABLE measure (owner_id int NOT NULL, g text, s smallint, i int, b bigint, n numeric, r real, d double precision, f boolean);
INSERT INTO measure SELECT k / 2, (ARRAY['A', 'B', 'C', 'other'])[1 + k % 4], x - 5, x - 5, x - 5, x - 5, x - 5, x - 5, x > 4
FROM generate_series(0, 79) k, LATERAL (SELECT nullif(k * 3 % 11, 10) AS x) l;
SELECT protect('measure', 'owner_id', 2, 2);
DO $$ BEGIN
	PERFORM privacct.set_bounds('measure', c, -5, 5) FROM unnest('{s,i,b,n,r,d}'::name[]) c;
	PERFORM privacct.set_keys('measure', 'g', '{A,B,C,empty}'::text[]);
END $$;
SELECT c, same(replace('SELECT count(x), sum(x), round(avg(x)::numeric, 1), count(*) - count(x) FROM measure', 'x', c)) FROM unnest('{s,i}'::text[]) c;
SELECT c, same(replace('SELECT count(x), round(sum(x)::numeric), round(avg(x)::numeric, 1) FROM measure', 'x', c)) FROM unnest('{b,n,r,d}'::text[]) c;
SELECT c, same(replace('SELECT round(var_pop(x)::numeric, 1), round(var_samp(x)::numeric, 1), round(variance(x)::numeric, 1),
	round(stddev_pop(x)::numeric, 1), round(stddev_samp(x)::numeric, 1), round(stddev(x)::numeric, 1) FROM measure', 'x', c)) FROM unnest('{s,i,b,n,r,d}'::text[]) c;
SELECT c, same(replace('SELECT pg_typeof(count(x)), pg_typeof(sum(x)), pg_typeof(avg(x)), pg_typeof(var_pop(x)), pg_typeof(variance(x)),
	pg_typeof(stddev_pop(x)), pg_typeof(stddev(x)) FROM measure', 'x', c)) FROM unnest('{s,i,b,n,r,d}'::text[]) c;
SELECT c, same(replace('SELECT dp_count(x), round(dp_sum(x)), round(dp_avg(x)::numeric, 1), round(dp_var_pop(x)::numeric, 1), round(dp_var_samp(x)::numeric, 1),
	round(dp_stddev_pop(x)::numeric, 1), round(dp_stddev_samp(x)::numeric, 1) FROM measure', 'x', c),
	replace('SELECT count(x), round(sum(x)), round(avg(x)::numeric, 1), round(var_pop(x)::numeric, 1), round(var_samp(x)::numeric, 1),
	round(stddev_pop(x)::numeric, 1), round(stddev_samp(x)::numeric, 1) FROM measure', 'x', c)) FROM unnest('{s,i,b,n,r,d}'::text[]) c;
SELECT ask('SELECT pg_typeof(dp_count(i)), pg_typeof(dp_sum(i)), pg_typeof(dp_avg(i)), pg_typeof(dp_variance(i)), pg_typeof(dp_stddev(i)), pg_typeof(dp_count_owners(*)) FROM measure');
-- booleans are 0 and 1
SELECT same('SELECT dp_count(f), round(dp_sum(f)), round(dp_avg(f)::numeric, 1) FROM measure', 'SELECT count(f), sum(f::int), round(avg(f::int), 1) FROM measure');
SELECT same('SELECT sum(f::int), count(*) FILTER (WHERE f), count(*) FILTER (WHERE NOT f), count(*) FILTER (WHERE f IS NULL) FROM measure');
-- owners
SELECT same('SELECT count(DISTINCT owner_id), dp_count_owners(*) FROM measure', 'SELECT count(DISTINCT owner_id), count(DISTINCT owner_id) FROM measure');
SELECT same('SELECT count(DISTINCT owner_id) FILTER (WHERE i > 3), count(DISTINCT owner_id) FILTER (WHERE false), count(DISTINCT owner_id) FILTER (WHERE NULL) FROM measure');
SELECT same('SELECT count(*) FILTER (WHERE false), count(*) FILTER (WHERE NULL), count(*) FILTER (WHERE true), count(i) FILTER (WHERE false), coalesce(sum(i) FILTER (WHERE false), 0) FROM measure');
SELECT same('SELECT g, dp_count_owners(*) FROM measure GROUP BY g', 'SELECT k, count(DISTINCT owner_id) FROM unnest(''{A,B,C,empty}''::text[]) k LEFT JOIN measure ON g = k GROUP BY k');
-- conditions
SELECT same('SELECT sum(i) FILTER (WHERE i > 0), sum(CASE WHEN i > 0 THEN i END), sum(CASE WHEN i > 0 THEN i ELSE 0 END), count(i) FILTER (WHERE i > 0), count(*) FILTER (WHERE i > 0) FROM measure');
SELECT same('SELECT round(avg(i) FILTER (WHERE g = ''A''), 1), count(CASE WHEN g = ''A'' THEN 1 END), count(NULL::int), count(1) FROM measure');
-- declared keys: all of them come out and no other, also if the query selects nothing
SELECT same('SELECT g, count(*), sum(i) FROM measure GROUP BY g', 'SELECT k, count(owner_id), coalesce(sum(i), 0) FROM unnest(''{A,B,C,empty}''::text[]) k LEFT JOIN measure ON g = k GROUP BY k');
SELECT ask('SELECT g, count(*) FROM measure WHERE false GROUP BY g');
SELECT ask('SELECT count(*), sum(i), avg(i) BETWEEN -5 AND 5, variance(i) >= 0 FROM measure WHERE false'), ask('SELECT g, count(*) FROM measure GROUP BY g HAVING count(*) > 0');

--
-- NaN and infinity are NULL in sums; the clamp
--

CREATE TABLE odd (owner_id int NOT NULL, d double precision, r real, n numeric);
INSERT INTO odd SELECT k, x, x, x FROM generate_series(1, 50) k, LATERAL (SELECT (ARRAY['NaN', 'Infinity', '-Infinity', '2', '8'])[1 + k % 5]::float8 AS x) l;
SELECT protect('odd', 'owner_id', 1, 1);
DO $$ BEGIN PERFORM privacct.set_bounds('odd', c, 0, 10) FROM unnest('{d,r,n}'::name[]) c; END $$;
SELECT c, same(replace('SELECT round(sum(x)::numeric), round(avg(x)::numeric, 1), round(var_pop(x)::numeric, 1), count(x) FROM odd', 'x', c),
	replace('SELECT round(sum(x)::numeric), round(avg(x)::numeric, 1), round(var_pop(x)::numeric, 1), 50 FROM odd WHERE x IN (2, 8)', 'x', c)) FROM unnest('{d,r,n}'::text[]) c;
SELECT same('SELECT round(dp_sum(d, 3, 5)), round(dp_sum(d, -1, 5)), round(dp_avg(d, 0, 5)::numeric, 1) FROM odd',
	'SELECT round(sum(greatest(3, least(5, d)))), round(sum(least(5, d))), round(avg(least(5, d))::numeric, 1) FROM odd WHERE d IN (2, 8)');

--
-- Bounding.  One owner has 1000 rows of value 9 in group A, 30 have two rows of
-- value 4 in each of five groups
--

CREATE TABLE heavy (owner_id int NOT NULL, g text NOT NULL, x int);
INSERT INTO heavy SELECT 0, 'A', 9 FROM generate_series(1, 1000);
INSERT INTO heavy SELECT k, g, 4 FROM generate_series(1, 30) k, unnest('{A,B,C,D,E}'::text[]) g, generate_series(1, 2);
SELECT protect('heavy', 'owner_id', 2, 3);
DO $$ BEGIN PERFORM privacct.set_bounds('heavy', 'x', 0, 10), privacct.set_keys('heavy', 'g', '{A,B,C,D,E}'::text[]); END $$;
-- three rows of each owner, sums and means scaled to them
SELECT same('SELECT count(*), count(x), sum(x), round(avg(x), 1), count(DISTINCT owner_id) FROM heavy WHERE g = ''A''',
	'SELECT 63, 63, 30 + 240, round((27 + 240) / 63.0, 1), 31');
SELECT same('SELECT count(*), count(x), sum(x), round(avg(x), 1), count(DISTINCT owner_id) FROM heavy',
	'SELECT 93, 93, 30 + 30 * 30, round((27 + 30 * 12) / 93.0, 1), 31');
-- the clamp of an owner's sum, on both sides of zero
SELECT ask('SELECT round(dp_sum(x, 0, 1))::int, round(dp_sum(x, -10, 0))::int, round(dp_sum(-x, -10, 0))::int, round(dp_sum(x - 6, -10, 10))::int,
	round(dp_sum(x, 5, 6))::int, round(dp_sum(x, -6, -5))::int FROM heavy WHERE owner_id = 0');
-- two groups of each owner
SELECT ask('SELECT sum(n), sum(m), count(*), min(o) >= 0, sum(s) FROM (SELECT g, count(*) AS n, count(x) AS m, count(DISTINCT owner_id) AS o, sum(x) AS s FROM heavy GROUP BY g) s');
SELECT ask('SELECT sum(n) FROM (SELECT g, count(DISTINCT owner_id) AS n FROM heavy WHERE owner_id > 0 GROUP BY g) s');
-- the same two in every query
SELECT ask('SELECT bool_and(a.n = 2 * b.n), count(*) FROM (SELECT g, count(*) AS n FROM heavy WHERE owner_id > 0 GROUP BY g) a
	JOIN (SELECT g, count(DISTINCT owner_id) AS n FROM heavy WHERE owner_id > 0 GROUP BY g) b USING (g)');
-- not the same two for everybody: with 30 owners every group has somebody
SELECT ask('SELECT min(n) > 0, max(n) < 30 FROM (SELECT g, count(DISTINCT owner_id) AS n FROM heavy WHERE owner_id > 0 GROUP BY g) a');
-- an owner within the limits is not bounded
SELECT ask('SELECT g, count(*), sum(x) FROM heavy WHERE owner_id > 0 AND g IN (''A'', ''B'') GROUP BY g');
-- rows of an outer join that belong to nobody do not count
CREATE TABLE site (g text PRIMARY KEY);
INSERT INTO site VALUES ('A'), ('Z');
GRANT SELECT ON site TO PUBLIC;
DO $$ BEGIN PERFORM privacct.declare_public('site'); END $$;
SELECT ask('SELECT s.g, count(*), count(DISTINCT owner_id) FROM heavy h RIGHT JOIN site s ON s.g = h.g AND owner_id > 0 GROUP BY s.g');
SELECT ask('SELECT count(*), count(s.g) FROM heavy h LEFT JOIN site s ON s.g = h.g WHERE owner_id BETWEEN 1 AND 10 AND h.g < ''C''');

--
-- Owners of every type: 20 owners with five rows, of which two count
--

CREATE TABLE owners_int2 AS SELECT (k - 10)::int2 AS o FROM generate_series(1, 20) k, generate_series(1, 5);
CREATE TABLE owners_int8 AS SELECT k * 5000000000 AS o FROM generate_series(-10, 9) k, generate_series(1, 5);
CREATE TABLE owners_uuid AS SELECT md5(k::text)::uuid AS o FROM generate_series(1, 20) k, generate_series(1, 5);
CREATE TABLE owners_text AS SELECT CASE k WHEN 1 THEN '' WHEN 2 THEN 'o' WHEN 3 THEN 'O' WHEN 4 THEN 'o ' ELSE repeat('x', 50 * k) || k END AS o FROM generate_series(1, 20) k, generate_series(1, 5);
CREATE TABLE owners_varchar AS SELECT ('owner ' || k)::varchar(20) AS o FROM generate_series(1, 20) k, generate_series(1, 5);
DO $$ DECLARE t regclass; BEGIN
	FOREACH t IN ARRAY '{owners_int2,owners_int8,owners_uuid,owners_text,owners_varchar}'::regclass[] LOOP
		EXECUTE format('ALTER TABLE %s ALTER o SET NOT NULL', t);
		PERFORM protect(t, 'o', 1, 2);
	END LOOP;
END $$;
SELECT t, ask(format('SELECT count(*), count(o), count(DISTINCT o) FROM %s', t)) FROM unnest('{owners_int2,owners_int8,owners_uuid,owners_text,owners_varchar}'::text[]) t;

--
-- Private selection of groups that are not declared: one owner with many rows
-- never comes out, 200 owners do
--

CREATE TABLE places (owner_id int NOT NULL, place text, size numeric, few text NOT NULL);
INSERT INTO places SELECT 0, 'alone', 1, 'few' FROM generate_series(1, 500);
INSERT INTO places SELECT k, 'many', 2.0, 'few' FROM generate_series(1, 200) k;
INSERT INTO places SELECT k, NULL, 2.00, 'some' FROM generate_series(201, 400) k;
INSERT INTO places SELECT k, 'some', 3, 'some' FROM generate_series(401, 450) k;
SELECT protect('places', 'owner_id', 1, 10);
SET privacct.epsilon = 1;
SET privacct.delta = 1e-7;
SELECT DISTINCT ask('SELECT place, count(*) > 0 FROM places WHERE owner_id <= 400 GROUP BY place') FROM generate_series(1, 20);
SELECT ask('SELECT DISTINCT place FROM places'), ask('SELECT place FROM places GROUP BY 1 HAVING count(*) > 1e6'), ask('SELECT size, upper(place) FROM places GROUP BY 1, 2');
SELECT ask('SELECT place, count(*) FROM places WHERE owner_id = 0 GROUP BY place');
-- equal numbers are one group
SET privacct.epsilon = 10;		-- noise of more than 100 does not come
SELECT ask('SELECT size, count(*) > 300 FROM places WHERE owner_id BETWEEN 1 AND 400 GROUP BY size');
SET privacct.epsilon = 1;
-- min_owners asks for more
CREATE TABLE places_100 AS SELECT * FROM places;
ALTER TABLE places_100 ALTER owner_id SET NOT NULL;
SELECT protect('places_100', 'owner_id', 1, 10, 'min_owners => 100');
SELECT ask('SELECT DISTINCT place FROM places_100');
-- selection needs a delta
CREATE TABLE places_0 AS SELECT * FROM places;
ALTER TABLE places_0 ALTER owner_id SET NOT NULL, OWNER TO regress_pa_steward;
DO $$ BEGIN
	PERFORM privacct.protect('places_0', 'owner_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0, fresh => true), privacct.grant_budget('places_0', 'regress_pa_analyst', 1e6);
	PERFORM privacct.set_keys('places_0', 'few', '{few,some}'::text[]);
END $$;
SELECT ask('SELECT place, count(*) FROM places_0 GROUP BY place'), ask('SELECT dp_count(place, ''kernel=gaussian'') FROM places_0');
SELECT ask('SELECT few, count(*) > 0 FROM places_0 GROUP BY few');
RESET privacct.delta;
SET privacct.epsilon = 20000;

--
-- One row per owner: no bounding, no owner table.  What is known at planning
-- decides, not what the rows are
--

CREATE FUNCTION limits(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; found text := '';
BEGIN
	PERFORM set_config('role', 'regress_pa_analyst', true);
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		found := concat_ws(', ', nullif(found, ''), substring(line FROM '(?:Groups|Rows) per Owner: \d+'));
	END LOOP;
	PERFORM set_config('role', 'none', true);
	RETURN found;
END
$$;
CREATE TABLE person (owner_id int PRIMARY KEY, age int, town text);
INSERT INTO person SELECT k, 20 + k % 50, 'town' FROM generate_series(1, 100) k;
SELECT protect('person', 'owner_id', 5, 7);
DO $$ BEGIN PERFORM privacct.set_bounds('person', 'age', 0, 120); END $$;
SELECT limits('SELECT count(*) FROM person') AS plain, limits('SELECT age, count(*) FROM person GROUP BY age') AS grouped, limits('SELECT count(*) FROM (SELECT * FROM person) p') AS subquery,
	limits('SELECT age, count(*) FROM person LEFT JOIN site ON town = g GROUP BY age') AS joined, limits('SELECT count(*) FROM person WHERE town IN (SELECT g FROM site)') AS semijoined;
SELECT same('SELECT count(*), sum(age), round(avg(age), 1), count(DISTINCT owner_id) FROM person'), same('SELECT town, count(*) FROM person GROUP BY town'),
	ask('SELECT count(*) FROM person LEFT JOIN site ON town = g'), ask('SELECT count(*) FROM person WHERE town NOT IN (SELECT g FROM site)');
CREATE FUNCTION indexed(name text, ddl text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (owner_id int NOT NULL, x int)', name);
	EXECUTE replace(ddl, '$1', name);
	PERFORM protect(name::regclass, 'owner_id', 5, 7);
	RETURN ddl;
END
$$;
CREATE TABLE indexes AS SELECT n, indexed('indexed_' || n, ddl) AS index FROM (VALUES (1, 'CREATE UNIQUE INDEX ON $1 (owner_id)'), (2, 'CREATE UNIQUE INDEX ON $1 (owner_id) INCLUDE (x)'),
	(3, 'CREATE UNIQUE INDEX ON $1 (owner_id) WHERE x > 0'), (4, 'CREATE UNIQUE INDEX ON $1 (owner_id, x)'), (5, 'CREATE UNIQUE INDEX ON $1 ((owner_id + 1))'),
	(6, 'ALTER TABLE $1 ADD UNIQUE (owner_id) DEFERRABLE'), (7, 'CREATE INDEX ON $1 (owner_id)'),
	(8, 'CREATE UNIQUE INDEX ON $1 (owner_id); CREATE TABLE aggs.heirs () INHERITS ($1); ALTER TABLE aggs.heirs OWNER TO regress_pa_steward')) v(n, ddl);
SELECT limits(format('SELECT x, count(*) FROM indexed_%s GROUP BY x', n)), index FROM indexes ORDER BY n;
DROP INDEX indexed_1_owner_id_idx;
SELECT limits('SELECT x, count(*) FROM indexed_1 GROUP BY x') AS dropped;

--
-- Bounds: of an expression from those of its columns.  With one row per owner
-- the sensitivity of a sum is the larger bound, that of a mean half their distance
--

CREATE TABLE bounded (owner_id int PRIMARY KEY, a int, b numeric, c double precision, day date, seen timestamp, f boolean, free int);
SELECT protect('bounded', 'owner_id', 1, 1);
DO $$ BEGIN
	PERFORM privacct.set_bounds('bounded', 'a', 0, 10), privacct.set_bounds('bounded', 'b', -3, 4), privacct.set_bounds('bounded', 'c', 2, 8),
		privacct.set_bounds('bounded', 'day', date '2024-01-01', date '2024-12-31');
END $$;
CREATE FUNCTION inferred(expression text, source text DEFAULT 'bounded') RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text; problem text;
BEGIN
	PERFORM set_config('role', 'regress_pa_analyst', true);
	BEGIN
		SELECT string_agg(CASE WHEN statistic LIKE 'centred%' THEN 'half width ' ELSE 'largest ' END || round(p.sensitivity::numeric, 2), ', ') INTO result
		FROM privacct.preview(format('SELECT sum(%1$s), avg(%1$s) FROM %2$s', expression, source)) p WHERE used AND statistic LIKE '%sum%';
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS problem = MESSAGE_TEXT;
		result := SQLSTATE || ': ' || problem;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN result;
END
$$;
SELECT e, inferred(e) FROM unnest(ARRAY['a', 'a * 2 + 1', 'a - b', 'b - a', 'a * b', 'b * b', '-b', '@ b', 'abs(b)', 'a / 4.0', 'a / c', '10 - a', 'a::float8', 'c::int', 'round(c)', 'ceil(c * 1.1)',
	'CASE WHEN a > 3 THEN a ELSE b END', 'CASE WHEN f THEN 1 END', 'CASE a WHEN 1 THEN 5 WHEN 2 THEN 7 ELSE 0 END', 'coalesce(a, 20)', 'coalesce(b, 0)', 'nullif(a, 0)', 'greatest(a, 5)', 'least(b, 1)',
	'f::int', '(a > 3)::int', '1', '0', '-2.5', 'day - date ''2024-01-01''', 'date ''2025-01-01'' - day', 'extract(month FROM day)', 'extract(hour FROM seen)', 'date_part(''dow'', seen)', 'a + NULL',
	'free', 'a + free', 'a / b', 'CASE WHEN a > 3 THEN free END', 'sqrt(c)', 'a % 7', 'extract(year FROM day)', 'extract(epoch FROM seen)', 'coalesce(free, 1)', 'c + ''Infinity''', 'c * 1e300 * 1e300', 'day', 'seen']) e;
-- bounds are those of the column, also behind a subquery or a view; of a public table there are none
CREATE VIEW bounded_view WITH (security_invoker) AS SELECT a AS x, a * 2 AS double FROM bounded;
GRANT SELECT ON bounded_view TO regress_pa_analyst;
SELECT source, e, i.* FROM (VALUES ('(SELECT a + 1 AS y, f FROM bounded) s', 'y'), ('(SELECT x * 2 AS y FROM (SELECT a - b AS x FROM bounded) s) t', 'y'), ('bounded LEFT JOIN site ON g = a::text', 'a'),
	('(SELECT a AS y FROM bounded LEFT JOIN site ON g = a::text) s', 'y'), ('bounded_view', 'double + x'), ('(SELECT free AS y FROM bounded) s', 'y'), ('bounded LEFT JOIN (SELECT g, length(g) AS w FROM site) s ON g = a::text', 'w')) v(source, e),
	inferred(e, source) i;
SET ROLE regress_pa_analyst;
SELECT sum(free) FROM bounded;
RESET ROLE;

--
-- Explicit bounds and options
--

SELECT same('SELECT round(dp_sum(age, 30, 40)), round(dp_sum(age::float8, 30::float8, 40.0)), round(dp_sum(age, -''5''::int, 40)), round(dp_sum(age, 30 + 0, 4 * 10)) FROM person',
	'SELECT a, a, b, a FROM (SELECT sum(greatest(30, least(40, age)))::float8 AS a, sum(least(40, age))::float8 AS b FROM person) s');
SELECT ask(format('SELECT dp_sum(age, %s) IS NOT NULL FROM person', bounds)), bounds FROM unnest(ARRAY['0, 100', '100, 0', '5, 5', 'NULL, 1', '0, NULL', '0, ''NaN''', '''NaN'', 1', '''-Infinity'', 1',
	'0, ''Infinity''', '0, 1.7e308', '-1.7e308, 1.7e308', '-1e100, 1e100', '0, 1.0001e100', '0, 1e-101', '0, 1e-99', '1e15, 1e15 + 1', '0, age', 'age, 100', '0, 1 / 0', '0, random()', '0, (SELECT 1)', '0, sqrt(-1)',
	'''zero'', 1', '1', '0, 1, 2', '0, 100, ''epsilon=10'', 1']) bounds;
SELECT ask(format('SELECT %s IS NOT NULL FROM person', call)), call FROM unnest(ARRAY['dp_count(age, ''epsilon=1'')', 'dp_sum(age, ''epsilon=1,delta=1e-9, kernel = Gaussian '')', 'dp_avg(age, 0, 50, '' EPSILON = 2 '')',
	'dp_count(age, '''')', 'dp_count(age, '','')', 'dp_count(age, NULL)', 'dp_sum(age > 30, ''epsilon=1'')', 'dp_count(age, ''epsilon=1e5'')', 'dp_count(age, ''epsilon=1e6'')', 'dp_count(age, ''epsilon=0'')', 'dp_count(age, ''epsilon=-1'')',
	'dp_count(age, ''epsilon=NaN'')', 'dp_count(age, ''epsilon=inf'')', 'dp_count(age, ''epsilon=one'')', 'dp_count(age, ''epsilon=1 2'')', 'dp_count(age, ''epsilon='')', 'dp_count(age, ''epsilon'')', 'dp_count(age, ''=1'')',
	'dp_count(age, ''delta=0'')', 'dp_count(age, ''delta=1'')', 'dp_count(age, ''kernel=uniform'')', 'dp_count(age, ''colour=5'')', 'dp_count(age, town)', 'dp_count(age, ''epsilon='' || town)', 'dp_count(age, ''epsilon='' || ''2'')',
	'dp_sum(town)', 'dp_sum(age, ''a'', ''b'')', 'dp_median(age)']) call;
-- parameters are judged when the query runs
PREPARE clamp(float8, float8, text) AS SELECT round(dp_sum(age, $1, $2, $3)) FROM aggs.person;
SET ROLE regress_pa_analyst;
EXECUTE clamp(0, 10, 'epsilon=1000');
EXECUTE clamp(10, 0, NULL);
EXECUTE clamp(0, 'NaN', NULL);
EXECUTE clamp(NULL, 1, NULL);
EXECUTE clamp(0, 1, 'epsilon=0');
SET plan_cache_mode = force_generic_plan;
EXECUTE clamp(0, 10, NULL);
EXECUTE clamp(0, 1.7e308, NULL);
EXECUTE clamp(0, 10, 'epsilon=x');
RESET plan_cache_mode;
RESET ROLE;
-- an option is paid for by itself, what is left is shared
SELECT statistic, kernel, round(error_95::numeric, 4) AS error, epsilon FROM (SELECT set_config('role', 'regress_pa_analyst', false)) r,
	preview('SELECT dp_count(age, ''epsilon=0.5''), dp_sum(age, 0, 10, ''epsilon=0.25, kernel=gaussian''), count(*), count(*) FILTER (WHERE age > 30) FROM aggs.person') WHERE used;
RESET ROLE;

--
-- Results that do not fit saturate
--

CREATE TABLE wide (owner_id int PRIMARY KEY, i int, r real, b bigint);
INSERT INTO wide VALUES (1, 2147483647, 3e38, 9223372036854775807);
SELECT protect('wide', 'owner_id', 1, 1);
DO $$ BEGIN PERFORM privacct.set_bounds('wide', c, -1e100, 1e100) FROM unnest('{i,r,b}'::name[]) c; END $$;
SET privacct.epsilon = 0.001;
SELECT ask('SELECT sum(i) IN (9223372036854775807, -9223372036854775808), abs(sum(r)) = 3.4e38::real, abs(sum(b)) > 1e80, abs(avg(b)) <= 1e100, abs(dp_sum(i)) > 1e80 FROM wide');

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA aggs CASCADE;
DROP ROLE regress_pa_steward, regress_pa_analyst;
