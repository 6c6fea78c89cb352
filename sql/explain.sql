-- What EXPLAIN, preview() and intervals() tell of a guarded query: the privacy
-- plan, which does not depend on protected rows.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_px_steward;
GRANT privacct_admin TO regress_px_steward;
CREATE ROLE regress_px_analyst;
CREATE ROLE regress_px_other;
CREATE ROLE regress_px_nobody;
CREATE SCHEMA tools;
CREATE SCHEMA few AUTHORIZATION regress_px_steward;
CREATE SCHEMA many AUTHORIZATION regress_px_steward;
CREATE SCHEMA desk AUTHORIZATION regress_px_analyst;
GRANT USAGE ON SCHEMA tools, few, many TO PUBLIC;
SET search_path = tools, privacct;
\ir :helpers
\pset format unaligned
\pset footer off

-- the same table twice, with few rows and with many, both analysed and indexed
SET ROLE regress_px_steward;
CREATE TABLE few.visit (patient_id int NOT NULL, ward text NOT NULL, cost int, day date);
CREATE TABLE many.visit (LIKE few.visit);
INSERT INTO few.visit VALUES (1, 'a much longer name of a ward', 5, '2024-01-01');
INSERT INTO many.visit SELECT k % 5000, (ARRAY['A', 'B', 'C'])[1 + k % 3], k % 90, date '2020-01-01' + k % 1000 FROM generate_series(1, 50000) k;
CREATE INDEX ON few.visit (cost);
CREATE INDEX ON many.visit (cost);
CREATE TABLE few.ward (ward text PRIMARY KEY, building text);
CREATE TABLE many.ward (LIKE few.ward INCLUDING ALL);
INSERT INTO few.ward VALUES ('A', 'north');
INSERT INTO many.ward VALUES ('A', 'north');
ANALYZE few.visit, many.visit, few.ward, many.ward;
GRANT SELECT ON few.ward, many.ward TO regress_px_analyst;
DO $$ DECLARE t regclass; BEGIN
	PERFORM privacct.declare_public(w) FROM unnest('{few.ward,many.ward}'::regclass[]) w;
	FOREACH t IN ARRAY '{few.visit,many.visit}'::regclass[] LOOP
		PERFORM privacct.protect(t, 'patient_id', epsilon => 10, delta => 1e-6, max_groups_contributed => 2, max_rows_contributed => 3, fresh => true),
			privacct.set_bounds(t, 'cost', 0, 100), privacct.set_keys(t, 'ward', '{A,B,C}'::text[]),
			privacct.grant_budget(t, 'regress_px_analyst', 4, 1e-6), privacct.grant_budget(t, 'regress_px_other', 1, 1e-6);
	END LOOP;
END $$;
RESET ROLE;
CREATE FUNCTION lines(who name, statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line record;
BEGIN
	PERFORM set_config('role', who, true);
	FOR line IN EXECUTE statement LOOP
		RETURN NEXT regexp_replace(line::text, '''[{,}\d]+''::(oid|bigint)(\[\])?| width=\d+|[\w-]*Plan[- ]Width[^,<]*', '...', 'g');
	END LOOP;
	PERFORM set_config('role', 'none', true);
END
$$;

--
-- EXPLAIN
--

SET ROLE regress_px_analyst;
SET search_path = few, privacct;
EXPLAIN SELECT count(*) FROM visit;
EXPLAIN (COSTS OFF) SELECT ward, count(*), sum(cost), avg(cost) FROM visit WHERE cost > 3 GROUP BY ward HAVING count(*) > 7 ORDER BY 2;
EXPLAIN (COSTS OFF) SELECT day, dp_count(*), dp_sum(cost, 0, 10, 'epsilon=0.5, kernel=gaussian') FROM visit GROUP BY day;
EXPLAIN (FORMAT JSON) SELECT building, stddev(cost) FROM visit JOIN ward USING (ward) GROUP BY building LIMIT 1;
EXPLAIN (FORMAT YAML, COSTS OFF) SELECT count(DISTINCT patient_id) FROM visit;
EXPLAIN (COSTS OFF) SELECT (SELECT count(*) FROM visit) + n FROM (SELECT count(*) AS n FROM visit WHERE ward = 'A') s;
EXPLAIN (COSTS OFF) CREATE TABLE desk.result AS SELECT count(*) FROM visit;
EXPLAIN (COSTS OFF) DECLARE c CURSOR FOR SELECT count(*) FROM visit;
PREPARE q(int) AS SELECT count(*) FROM visit WHERE cost > $1;
EXPLAIN (COSTS OFF) EXECUTE q(5);
RESET ROLE;
SET search_path = tools, privacct;
-- rows, predicates, indexes: but for the widths of columns the text is the same for both tables and for any condition
CREATE FUNCTION text_of(schema text, options text, query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('search_path', schema || ', tools, privacct', true);
	RETURN (SELECT string_agg(l, E'\n') FROM lines('regress_px_analyst', format('EXPLAIN %s %s', options, query)) l);
END
$$;
SELECT options, count(*) AS queries, bool_and(text_of('few', options, q) = text_of('many', options, q)) AS same FROM unnest('{(COSTS ON),(VERBOSE),(FORMAT JSON),(FORMAT XML)}'::text[]) options,
	unnest(ARRAY['SELECT count(*) FROM visit', 'SELECT ward, sum(cost) FROM visit GROUP BY ward', 'SELECT day, count(*) FROM visit GROUP BY day ORDER BY 2', 'SELECT count(*) FROM visit WHERE cost = 17',
	'SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY 1', 'SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM ward)', 'SELECT * FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s WHERE n > 5', 'SELECT a.ward, a.n - b.n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) a JOIN (SELECT ward, count(*) AS n FROM visit WHERE cost > 5 GROUP BY ward) b USING (ward)']) q GROUP BY options ORDER BY options;
SELECT count(DISTINCT text_of('many', '', 'SELECT count(*) FROM visit WHERE ' || c)) AS texts, count(*) AS conditions
FROM unnest('{true,false,"cost = 17","cost > 89","cost < 0","cost = 1000 AND ward = ''A''","day > ''2021-01-01''","patient_id = 7"}'::text[]) c;
-- figures of execution are refused, alone or inside of something else
SELECT ask('regress_px_analyst', format('EXPLAIN %s SELECT count(*) FROM few.visit', options)), options FROM unnest('{ANALYZE,(ANALYZE),"(ANALYZE 1, TIMING OFF)","(ANALYZE, VERBOSE, BUFFERS, WAL)",(BUFFERS),"(BUFFERS on, FORMAT JSON)"}'::text[]) options;
SELECT count(*) AS allowed FROM unnest('{"(ANALYZE off)","(BUFFERS false, ANALYZE 0)","(VERBOSE, SETTINGS)","(SUMMARY off)"}'::text[]) o, lines('regress_px_analyst', format('EXPLAIN %s SELECT count(*) FROM few.visit', o)) l WHERE l LIKE '%Custom Scan%';
SET ROLE regress_px_analyst;
EXPLAIN ANALYZE SELECT count(*) FROM few.visit;
SET search_path = few, privacct;
EXPLAIN ANALYZE EXECUTE q(5);
SET search_path = tools, privacct;
EXPLAIN ANALYZE CREATE TABLE desk.result AS SELECT count(*) FROM few.visit;
CREATE FUNCTION desk.inside() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM few.visit); END $$;
EXPLAIN ANALYZE SELECT desk.inside();
-- after the errors it is as before
EXPLAIN (COSTS OFF) SELECT count(*) FROM few.visit;
SELECT count(*) IS NOT NULL AS answered FROM few.visit;
EXPLAIN SELECT * FROM few.visit;
RESET ROLE;
SELECT ask('regress_px_nobody', 'EXPLAIN SELECT count(*) FROM few.visit');
-- the owner sees what PostgreSQL shows
SET ROLE regress_px_steward;
EXPLAIN (ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM few.visit;
RESET ROLE;
SELECT charges('few.visit'), charges('many.visit');

--
-- What the extension shows to everybody is made from tables in which others are, too:
-- neither what was read of these, nor how much the planner thinks there is, is shown
--

CREATE FUNCTION explained(who name, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text := 'explained';
	ignored text;
BEGIN
	PERFORM set_config('role', who, true);
	BEGIN
		FOR ignored IN EXECUTE statement LOOP END LOOP;
	EXCEPTION WHEN OTHERS THEN
		state := SQLSTATE;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN state;
END
$$;
SELECT who, explained(who, format('EXPLAIN %s SELECT * FROM %s', options, c.oid::regclass)) AS result, count(*) > 20 AS many
FROM pg_class c, unnest('{"",(COSTS OFF),(ANALYZE),"(BUFFERS, COSTS OFF)"}'::text[]) options, unnest('{regress_px_analyst,regress_px_steward}'::name[]) who
WHERE c.relnamespace = 'privacct'::regnamespace AND has_table_privilege(who, c.oid, 'SELECT') AND c.relname NOT IN ('allowed_functions', 'progress') -- which read no table of ours
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT explained('regress_px_analyst', format('EXPLAIN (ANALYZE) SELECT %s(%s) FROM (SELECT %s OFFSET 0) s', p.oid::regproc, a.given, a.made)) AS result, count(*) > 100 AS many
FROM pg_proc p CROSS JOIN LATERAL (SELECT string_agg(format('%sa%s', CASE WHEN p.provariadic <> 0 AND a.n = p.pronargs THEN 'VARIADIC ' END, a.n), ', ' ORDER BY a.n) AS given,
	string_agg(format('NULL::%s AS a%s', t::regtype, a.n), ', ' ORDER BY a.n) AS made FROM unnest(p.proargtypes) WITH ORDINALITY a(t, n)) a
WHERE p.pronamespace = 'privacct'::regnamespace AND p.prokind = 'f' AND has_function_privilege('regress_px_analyst', p.oid, 'EXECUTE')
AND NOT EXISTS (SELECT FROM unnest(p.proargtypes || p.prorettype) t JOIN pg_type y ON y.oid = t WHERE y.typtype = 'p' AND y.typname NOT IN ('record', 'void'))
GROUP BY 1;
-- also inside of something else, by an old plan, by a view of one's own
SET ROLE regress_px_analyst;
CREATE VIEW desk.mine AS SELECT * FROM privacct.my_ledger;
CREATE FUNCTION desk.looking() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM privacct.my_budget); END $$;
CREATE FUNCTION desk.calling() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM privacct.intervals()); END $$;
PREPARE ledger AS SELECT count(*) >= 0 AS counted FROM privacct.my_ledger;
EXECUTE ledger;
RESET ROLE;
SELECT statement, explained('regress_px_analyst', statement) FROM unnest(ARRAY['EXPLAIN SELECT * FROM desk.mine', 'EXPLAIN ANALYZE SELECT desk.looking()', 'EXPLAIN ANALYZE SELECT desk.calling()',
	'EXPLAIN EXECUTE ledger', 'EXPLAIN ANALYZE EXECUTE ledger', 'EXPLAIN ANALYZE CREATE TABLE desk.copy AS SELECT * FROM privacct.my_ledger', 'EXPLAIN SELECT 1 WHERE EXISTS (SELECT FROM privacct.my_budget)',
	'EXPLAIN (ANALYZE, BUFFERS) SELECT table_name FROM information_schema.tables']) statement;
-- asking for them is allowed, and so is EXPLAIN of what shows nothing
SELECT statement, explained('regress_px_analyst', statement) FROM unnest(ARRAY['SELECT * FROM desk.mine', 'SELECT desk.looking()', 'SELECT desk.calling()', 'EXPLAIN SELECT desk.looking()', 'EXPLAIN SELECT * FROM privacct.intervals()',
	'EXPLAIN ANALYZE SELECT count(*) FROM pg_class', 'EXPLAIN SELECT table_name FROM information_schema.tables']) statement;
SET ROLE regress_px_analyst;
EXPLAIN ANALYZE SELECT * FROM privacct.my_ledger;
-- a client's own EXPLAIN, which no function is around, may have no option
EXPLAIN SELECT * FROM privacct.my_ledger;
EXPLAIN (COSTS off) SELECT FROM pg_stats;
PREPARE own_ledger AS SELECT * FROM privacct.my_ledger;
EXPLAIN EXECUTE own_ledger;
EXPLAIN ANALYZE SELECT count(*) FROM privacct.intervals();
RESET ROLE;
-- whoever may read the tables themselves may see how much is read
EXPLAIN (ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT FROM privacct.intervals() LIMIT 0;
SELECT explained(current_user, 'EXPLAIN ANALYZE SELECT * FROM privacct.my_ledger');

--
-- preview()
--

SELECT owners, ask('regress_px_analyst', format('SELECT count(*) > 0 FROM privacct.preview(''SELECT count(*) FROM few.visit'', %L)', owners))
FROM unnest('{NaN,Infinity,-Infinity,-1,1.1e15,1e300,0,1e15,NULL}'::float8[]) owners;

CREATE FUNCTION previewed(who name, query text) RETURNS TABLE (release int, statistic text, kernel text, scale numeric, sensitivity numeric, groups int, error numeric, epsilon numeric, delta numeric, releases_left bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', who, true);
	RETURN QUERY SELECT p.release, p.statistic, p.kernel, round(p.scale::numeric, 3), round(p.sensitivity::numeric, 3), p.groups_per_owner, round(p.error_95::numeric, 2), p.epsilon, p.delta, p.releases_left FROM privacct.preview(query, rows => 100) p WHERE p.used;
	PERFORM set_config('role', 'none', true);
END
$$;
SET search_path = few, tools, privacct;
SELECT * FROM previewed('regress_px_analyst', 'SELECT count(*) FROM visit');
SELECT * FROM previewed('regress_px_analyst', 'SELECT ward, count(*), sum(cost), avg(cost) FROM visit GROUP BY ward');
SELECT * FROM previewed('regress_px_analyst', 'SELECT day, count(*) FROM visit GROUP BY day');
SELECT * FROM previewed('regress_px_analyst', 'SELECT count(*) FROM visit UNION ALL SELECT dp_count(cost, ''epsilon=2'') FROM many.visit');
-- another role has another quota; larger releases are fewer; none is left for too large a one
SELECT epsilon, delta, releases_left FROM previewed('regress_px_other', 'SELECT count(*) FROM visit') WHERE statistic = 'release';
SET privacct.epsilon = 0.7;
SELECT epsilon, delta, releases_left FROM previewed('regress_px_other', 'SELECT count(*) FROM visit') WHERE statistic = 'release';
SET privacct.epsilon = 1.01;
SELECT epsilon, delta, releases_left FROM previewed('regress_px_other', 'SELECT count(*) FROM visit') WHERE statistic = 'release';
RESET privacct.epsilon;
SET privacct.kernel = gaussian;
SELECT * FROM previewed('regress_px_analyst', 'SELECT count(*) FROM visit');
RESET privacct.kernel;
-- under zcdp what counts is rho
CREATE TABLE few.rho (patient_id int NOT NULL);
ALTER TABLE few.rho OWNER TO regress_px_steward;
SELECT privacct.protect('few.rho', 'patient_id', epsilon => 1, delta => 1e-6, accountant => 'zcdp', fresh => true) > 0 AS ok, privacct.grant_budget('few.rho', 'regress_px_analyst', 1) IS NOT NULL AS granted;
SELECT statistic, kernel, epsilon, delta, releases_left > 100 AS more_than_basic_allows FROM previewed('regress_px_analyst', 'SELECT count(*) FROM rho');
-- what it does not take
SELECT ask('regress_px_analyst', format('SELECT count(*) FROM privacct.preview(%L)', q)), q FROM unnest(ARRAY['SELECT * FROM visit', 'SELECT 1', '', 'SELECT count(*) FROM visit; SELECT 1', 'EXPLAIN SELECT count(*) FROM visit',
	'CREATE TABLE desk.t AS SELECT count(*) FROM visit', 'INSERT INTO desk.t SELECT count(*) FROM visit', 'DELETE FROM visit', 'COPY visit TO STDOUT', 'SELECT count(*) FROM visit WHERE cost > $1', 'SELECT count( FROM visit', 'SELECT sum(cost, 0) FROM visit', 'SELECT dp_sum(cost, 5, 1) FROM visit',
	'SELECT * FROM privacct.preview(''SELECT count(*) FROM visit'')', 'SELECT count(*) FROM ward']) q;
SELECT ask('regress_px_steward', 'SELECT count(*) FROM privacct.preview(''SELECT count(*) FROM visit'')'), ask('regress_px_nobody', 'SELECT count(*) FROM privacct.preview(''SELECT count(*) FROM visit'')'),
	ask('regress_px_analyst', 'SELECT count(*) FROM privacct.preview(NULL)');
-- nothing ran, nothing was charged
SET ROLE regress_px_analyst;
CREATE TABLE desk.kept (n bigint);
SELECT count(*) FROM privacct.preview('WITH x AS (INSERT INTO desk.kept SELECT count(*) FROM visit RETURNING n) SELECT n FROM x');
SELECT count(*) FROM desk.kept;
RESET ROLE;
SELECT charges('few.visit'), charges('many.visit'), charges('few.rho');

--
-- intervals()
--

SET ROLE regress_px_analyst;
SET search_path = many, privacct;
SELECT count(*) AS n FROM visit \gset
SELECT keys, aggregate, value = :n AS as_released, low < value AND value < high AS around, round((high - low)::numeric / 2, 2) AS error, confidence, charge = (SELECT max(charge_id) FROM my_ledger) AS last_charge FROM intervals();
SELECT round(error_95::numeric, 2) AS error FROM preview('SELECT count(*) FROM visit') WHERE statistic <> 'release';
SELECT ward, count(*) + sum(cost) + avg(cost) FILTER (WHERE cost > 5) + count(DISTINCT patient_id) IS NULL AS incomplete FROM visit GROUP BY ward;
SELECT keys, string_agg(aggregate, ', '), bool_and(low <= value AND value <= high) AS around FROM intervals() GROUP BY keys ORDER BY keys;
-- an earlier charge by its number; of others nothing
SELECT aggregate, value = :n AS first FROM intervals((SELECT min(charge_id) FROM my_ledger WHERE relation_name = 'many.visit'));
SELECT count(*) FROM intervals(-1);
RESET ROLE;
SET ROLE regress_px_other;
SELECT count(*) FROM intervals();
SELECT count(*) FROM many.visit \gset
SELECT keys, aggregate, value = :count AS as_released FROM intervals();
RESET ROLE;
SELECT count(*) FROM intervals();

SET client_min_messages = warning;
RESET search_path;
DEALLOCATE ALL;
DROP SCHEMA few, many, tools, desk CASCADE;
DROP ROLE regress_px_steward, regress_px_analyst, regress_px_other, regress_px_nobody;
