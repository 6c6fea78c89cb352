-- GROUPING SETS, ROLLUP and CUBE: one release, whose totals are the sums of their parts.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_gs_owner;
CREATE ROLE regress_gs_analyst;
GRANT privacct_admin TO regress_gs_owner;
CREATE SCHEMA sets AUTHORIZATION regress_gs_owner;
GRANT USAGE ON SCHEMA sets TO PUBLIC;
SET search_path = sets, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_gs_owner;
CREATE TABLE visit (patient int NOT NULL, ward text, sex text NOT NULL, kind int, cost int NOT NULL, price numeric, hours float8, day date NOT NULL, note text);
INSERT INTO visit SELECT i / 4, 'w' || i % 3, CASE WHEN i % 8 < 4 THEN 'f' ELSE 'm' END, i % 2, i % 50, i % 20 * 1.1, i % 7, date '2024-01-01' + i % 60, 'n' || i % 5
	FROM generate_series(1, 2000) i;
CREATE TABLE one (patient int PRIMARY KEY, ward text, sex text);
INSERT INTO one SELECT i, 'w' || i % 3, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END FROM generate_series(1, 500) i;
CREATE TABLE few (patient int PRIMARY KEY, sex text NOT NULL);
INSERT INTO few SELECT patient, sex FROM one;
CREATE TABLE place (ward text PRIMARY KEY, building text NOT NULL);
INSERT INTO place VALUES ('w0', 'north'), ('w1', 'north'), ('w2', 'south'), ('w4', 'east');
GRANT SELECT ON place TO regress_gs_analyst;
DO $$ BEGIN
	PERFORM privacct.declare_public('place'), privacct.set_keys('place', 'ward'), privacct.set_keys('place', 'building');
	PERFORM privacct.protect('few', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, min_owners => 5, fresh => true), privacct.set_keys('few', 'sex', '{f,m}'::text[]),
		privacct.grant_budget('few', 'regress_gs_analyst', 1e6, 0.01);
	PERFORM privacct.protect('visit', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 8, max_rows_contributed => 4);
	PERFORM privacct.protect('one', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, accountant => 'zcdp');
	PERFORM privacct.set_bounds('visit', 'cost', 0, 50), privacct.set_bounds('visit', 'price', 0, 25), privacct.set_bounds('visit', 'hours', 0, 8), privacct.set_bounds('visit', 'day', '2024-01-01', '2024-02-29');
	PERFORM privacct.set_keys(t, 'ward', '{w0,w1,w2}'::text[]), privacct.set_keys(t, 'sex', '{f,m}'::text[]) FROM unnest('{visit,one}'::regclass[]) t;
	PERFORM privacct.set_keys('visit', 'kind', '{0,1}'::int[]);
	PERFORM privacct.grant_budget(t, 'regress_gs_analyst', 1e6, 0.01) FROM unnest('{visit,one}'::regclass[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_gs_analyst', query) $$;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_gs_analyst', query, 'regress_gs_owner', query) $$;

SET privacct.epsilon = 50000;
SELECT same(format('SELECT ward, sex, GROUPING(ward, sex), count(*) FROM visit GROUP BY %s ORDER BY 1, 2, 3, 4', g)), g
	FROM unnest(ARRAY['ROLLUP (ward, sex)', 'CUBE (ward, sex)', 'GROUPING SETS ((ward), (sex))', 'GROUPING SETS ((ward), (sex), ())', 'ward, ROLLUP (sex)',
		'GROUPING SETS ((ward, sex), (ward, sex), (ward))', 'DISTINCT ROLLUP (ward, sex), ROLLUP (ward)', 'ROLLUP ((ward, sex))', 'ROLLUP (ward), ROLLUP (sex)']) g;

-- other aggregates, what stands around it, expressions of keys, a single row for an owner
SELECT same('SELECT ward, kind, count(*) FILTER (WHERE cost > 10), count(price), round(sum(cost), -3), round(avg(cost), 1), round(sum(price), -2), round(sum(hours)::numeric, -2), round(stddev(cost)) FROM visit GROUP BY CUBE (ward, kind)');
SELECT same('SELECT ward, sum(cost) FROM visit GROUP BY ROLLUP (ward) HAVING sum(cost) > 16320 AND GROUPING(ward) = 0 ORDER BY sum(cost) DESC LIMIT 2');
SELECT same('SELECT coalesce(ward, ''all'') AS w, CASE GROUPING(ward) WHEN 1 THEN ''total'' END, count(*) FROM visit WHERE kind = 1 GROUP BY ROLLUP (ward)');
SELECT same('SELECT w.n, t.n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ROLLUP (ward)) w JOIN (SELECT ward, count(*) AS n FROM visit GROUP BY ward) t USING (ward)');
SELECT same('SELECT ward, sex, count(*), GROUPING(sex) FROM one GROUP BY ROLLUP (ward, sex)');
SELECT same('SELECT kind, ward, sex, GROUPING(sex, kind, ward), count(*) FROM visit GROUP BY GROUPING SETS ((ward, kind), (kind, sex), (ward, sex))');
SELECT same('SELECT date_trunc(''month'', day::timestamp), kind, count(*) FROM visit WHERE day >= ''2024-01-01'' AND day < ''2024-03-01'' GROUP BY ROLLUP (1, 2)');
SELECT same('SELECT GROUPING(ward), count(*) FROM visit GROUP BY ward');
SELECT same('SELECT building, sex, count(*) FROM visit JOIN place USING (ward) WHERE building <> ''east'' GROUP BY ROLLUP (building, sex)');

-- bounds as far apart, as near and as large as bounds may be: what is charged is answered, and its error known beforehand
SET privacct.epsilon = 0.01;
SELECT lo, hi, count(*) FILTER (WHERE r.a ~ '^\(') AS answers, min(r.a) FILTER (WHERE r.a !~ '^\(') AS refused, string_agg(DISTINCT e.a, ' ') AS errors
	FROM unnest(ARRAY[-1e100, 0, 0, 0, 0, 1e99, -1e-100]::float8[], ARRAY[1e100, 1e100, 1e77, 1e-100, 1e-90, 1e100, 1e-100]::float8[]) b(lo, hi),
	unnest(ARRAY['dp_sum', 'dp_avg', 'dp_var_pop', 'dp_var_samp', 'dp_stddev']) f, unnest(ARRAY['ROLLUP (ward)', 'CUBE (ward, sex)']) g,
	LATERAL (SELECT format('SELECT %s(%s::float8, %L, %L) FROM visit GROUP BY %s', f, 'cost', lo, hi, g) AS q) t,
	LATERAL (SELECT ask(q) AS a) r, LATERAL (SELECT ask(format('SELECT bool_and(error_95 > 0) FROM privacct.preview(%L) WHERE used', q)) AS a) e
	GROUP BY lo, hi ORDER BY hi, lo;
RESET privacct.epsilon;
SET privacct.epsilon = 50000;
-- totals are the sums of their parts, whatever the noise is; GROUPING tells a key that is null
CREATE FUNCTION adds_up(what text, scale int) RETURNS TABLE (query text, agrees boolean, noisy boolean) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_gs_analyst', true);
	EXECUTE format('CREATE TEMP TABLE cube AS SELECT ward, sex, kind, GROUPING(ward, sex, kind) AS g, %s AS x FROM visit GROUP BY CUBE (ward, sex, kind)', what);
	PERFORM set_config('role', 'none', true);
	RETURN QUERY SELECT what, (SELECT bool_and(t.x = (SELECT sum(p.x) FROM cube p WHERE p.g = t.g & f.g AND (t.g & 4 > 0 OR p.ward = t.ward)
		AND (t.g & 2 > 0 OR p.sex = t.sex) AND (t.g & 1 > 0 OR p.kind = t.kind))) FROM cube t, (SELECT DISTINCT g FROM cube) f),
		count(DISTINCT x) > scale FROM cube;
	DROP TABLE cube;
END
$$;
GRANT TEMPORARY ON DATABASE :"DBNAME" TO regress_gs_analyst;
SET privacct.epsilon = 0.5;
SELECT (adds_up(what, 20)).* FROM unnest('{count(*),count(price),sum(cost),sum(price),sum(hours),sum(cost * 0.25),sum(hours / 3)}'::text[]) what;
SET privacct.kernel = 'gaussian';
SELECT (adds_up(what, 20)).* FROM unnest('{count(*),sum(price)}'::text[]) what;
RESET privacct.kernel;
-- intervals: for each number, about as wide as the noise of a level
SET ROLE regress_gs_analyst;
SELECT count(n) + 0 * sum(n + mean)::int AS rows FROM (SELECT ward, sex, count(*) AS n, avg(cost) AS mean FROM visit GROUP BY ROLLUP (ward, sex)) q;
SELECT aggregate, cardinality(array_remove(keys, NULL)) AS keys, count(*), round(min(high - low)) = round(max(high - low)) OR aggregate <> 'count(*)' AS alike, bool_and(value BETWEEN low AND high) AS within
	FROM intervals() GROUP BY 1, 2 ORDER BY 1, 2;

-- what it costs: what one grouping does
SELECT statistic, kernel, round(scale::numeric, 3) AS scale, sensitivity, groups_per_owner AS groups, round(error_95) AS error, epsilon FROM preview('SELECT ward, sex, count(*), avg(cost) FROM visit GROUP BY ROLLUP (ward, sex)') WHERE used;
SELECT statistic, kernel, round(scale::numeric, 3) AS scale, epsilon FROM preview('SELECT ward, sex, count(*) FROM visit GROUP BY ward, sex') WHERE used;
SELECT statistic, kernel, round(scale::numeric, 3) AS scale, round(error_95) AS error, round(rho, 6) AS rho FROM preview('SELECT ward, sex, count(*) FROM one GROUP BY CUBE (ward, sex)') WHERE used;
SELECT statistic, kernel, round(scale::numeric, 3) AS scale, round(rho, 6) AS rho FROM preview('SELECT ward, sex, count(*) FROM one GROUP BY ward, sex') WHERE used;
EXPLAIN (COSTS off) SELECT ward, sex, count(*), GROUPING(ward) FROM visit GROUP BY ROLLUP (ward, sex);
EXPLAIN (COSTS off) SELECT date_trunc('month', day::timestamp), count(*) FROM visit WHERE day >= '2024-01-01' AND day < '2024-03-01' GROUP BY ROLLUP (1);
RESET ROLE;
SELECT l.epsilon, l.detail->'statistics_count' AS statistics, (SELECT jsonb_agg(s - '{scale,step,sensitivity,rho}'::text[]) FROM jsonb_array_elements(l.detail->'statistics') s) FROM privacct.ledger l
	WHERE policy_id = (SELECT policy_id FROM privacct.policy WHERE relation = 'visit'::regclass) ORDER BY charge_id DESC LIMIT 1;

-- what a level of Gaussian noise is worth: an owner may be in 5 of 12 groups, of which each ward has 4, other values 6: 4^2 + 1, 5^2
SET privacct.epsilon = 0.5;
SET privacct.kernel = 'gaussian';
SET privacct.max_groups = 5;
SELECT ask('SELECT count(n) FROM (SELECT ward, sex, kind, count(*) AS n FROM visit GROUP BY GROUPING SETS ((ward), (sex), (kind))) q');
RESET privacct.kernel;
RESET privacct.max_groups;
SELECT s->>'statistic' AS statistic, round((s->>'rho')::numeric * 2 * ((s->>'scale')::numeric / (s->>'sensitivity')::numeric) ^ 2, 2) AS squares, s ? 'noise' AS composed
	FROM privacct.ledger l, jsonb_array_elements(l.detail->'statistics') s
	WHERE charge_id = (SELECT max(charge_id) FROM privacct.ledger WHERE policy_id = (SELECT policy_id FROM privacct.policy WHERE relation = 'visit'::regclass));
-- without aggregates it is free
SELECT same('SELECT ward, sex, GROUPING(sex) FROM visit GROUP BY ROLLUP (ward, sex)');
-- repeated
SELECT privacct.set_repeats('visit', '1 day');
SET ROLE regress_gs_analyst;
CREATE TEMP TABLE first_time AS SELECT ward, sex, GROUPING(ward, sex) AS g, count(*) AS n FROM visit GROUP BY CUBE (ward, sex);
SELECT count(*), bool_and(f.g = a.g) AS repeated FROM (SELECT ward, sex, GROUPING(ward, sex) AS g, count(*) AS n FROM visit GROUP BY CUBE (ward, sex)) a
	FULL JOIN first_time f ON coalesce(a.ward, '') = coalesce(f.ward, '') AND coalesce(a.sex, '') = coalesce(f.sex, '') AND a.g = f.g AND a.n = f.n;
DROP TABLE first_time;
RESET ROLE;

-- refused
SET privacct.epsilon = 1;
SELECT ask(q), q FROM unnest(ARRAY['SELECT ward, count(DISTINCT patient) FROM visit GROUP BY ROLLUP (ward)', 'SELECT ward, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit GROUP BY ROLLUP (ward)',
	'SELECT ward, max(cost) FROM visit GROUP BY CUBE (ward)', 'SELECT ward, ''x'', count(*) FROM visit GROUP BY ROLLUP (ward, 2)',
	'SELECT count(*) FROM visit GROUP BY ()', 'SELECT count(*) FROM visit GROUP BY GROUPING SETS ((), ())', 'SELECT ward, dp_count(ward, ''kernel=staircase,within=5'') FROM visit GROUP BY ROLLUP (ward)',
	'SELECT ward, privacct.dp_count(ward, ''within=5'') FROM visit GROUP BY ROLLUP (ward)', 'SELECT patient, count(*) FROM visit GROUP BY ROLLUP (patient)',
	'SELECT sex, v.sex, count(*) FROM visit v GROUP BY ROLLUP (1, 2)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward, count(*) AS n FROM visit GROUP BY ROLLUP (ward)) q ON q.ward = v.ward']) q;
SET privacct.sample_rate = 0.5;
SELECT ask('SELECT ward, count(*) FROM visit GROUP BY ROLLUP (ward)');
RESET privacct.sample_rate;

-- what public facts decide is decided before anything is charged: keys that are no groups of their own, no keys, how many columns there are
SET ROLE regress_gs_owner;
CREATE TABLE flag (patient int PRIMARY KEY, a bool, b bool, c bool, d bool, e bool, f bool, g bool, name text);
INSERT INTO flag SELECT i, i & 1 > 0, i & 2 > 0, i & 4 > 0, i & 8 > 0, i & 16 > 0, i & 32 > 0, i & 64 > 0, 'short' FROM generate_series(1, 128) i;
CREATE TABLE named (name text PRIMARY KEY, kind int NOT NULL, title text);
INSERT INTO named VALUES ('short', 1, 'some'), ('other', 2, repeat('x', 257)), ('third', 3, NULL);
GRANT SELECT ON named TO regress_gs_analyst;
DO $$ BEGIN
	PERFORM privacct.declare_public('named'), privacct.set_keys('named', 'name'), privacct.set_keys('named', 'kind'), privacct.set_keys('named', 'title');
	PERFORM privacct.protect('flag', 'patient', epsilon => 1e6, min_epsilon => 1e-6, fresh => true);
	PERFORM privacct.set_keys('flag', c::name, '{f,t}'::bool[]) FROM unnest('{a,b,c,d,e,f,g}'::text[]) c;
	PERFORM privacct.set_keys('flag', 'name', ARRAY['short', repeat('x', 257), repeat('y', 257)]), privacct.grant_budget('flag', 'regress_gs_analyst', 1e6);
END $$;
RESET ROLE;
SET privacct.epsilon = 1000;
SELECT ask(q), q FROM unnest(ARRAY['SELECT name, count(*) FROM flag GROUP BY ROLLUP (name)', 'SELECT a, name, count(*) FROM flag GROUP BY CUBE (a, name)',
	'SELECT title, count(*) FROM flag JOIN named USING (name) GROUP BY ROLLUP (title)', 'SELECT kind, count(*) FROM flag JOIN named USING (name) WHERE kind > 3 GROUP BY ROLLUP (kind)',
	'SELECT kind, GROUPING(kind) FROM flag JOIN named USING (name) WHERE kind > 3 GROUP BY ROLLUP (kind)', 'SELECT date_trunc(''month'', day), count(*) FROM visit WHERE day > ''2025-01-01'' GROUP BY CUBE (1)',
	'SELECT date_trunc(''month'', day), sex FROM visit WHERE day > ''2025-01-01'' GROUP BY GROUPING SETS ((1), (sex))']) q;
SELECT ask(format('SELECT a, count(*) + %s FROM flag GROUP BY ROLLUP (a, b, c, d, e, f, g)', string_agg(format('GROUPING(%s)', arguments), ' + ')))
	FROM (SELECT string_agg(chr(97 + i / (7 ^ place)::int % 7), ', ') AS arguments FROM generate_series(1, 1700) i, generate_series(0, 3) place GROUP BY i) s;
SELECT count(*) AS charges FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE relation = 'flag'::regclass;
-- numbers of any size: totals are what they are, and the sums of their parts
SET ROLE regress_gs_owner;
CREATE TABLE large (patient int PRIMARY KEY, sex text NOT NULL, x numeric NOT NULL, y float8 NOT NULL, least numeric NOT NULL);
INSERT INTO large SELECT i, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END, 9e89, 9e89, 9e-21 FROM generate_series(1, 300) i;
DO $$ BEGIN
	PERFORM privacct.protect('large', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, fresh => true), privacct.set_keys('large', 'sex', '{f,m}'::text[]),
		privacct.grant_budget('large', 'regress_gs_analyst', 1e6, 0.01),
		privacct.set_bounds('large', 'x', 0, 1e90), privacct.set_bounds('large', 'y', 0, 1e90), privacct.set_bounds('large', 'least', 0, 1e-20);
END $$;
RESET ROLE;
SET privacct.epsilon = 1000;
SELECT ask('SELECT sex, round(sum(x) / 1e90, 0), round((sum(y) / 1e90)::numeric, 0), round(sum(least) * 1e20, 0) FROM large GROUP BY ROLLUP (sex)');
SET ROLE regress_gs_analyst;
SELECT sum(x) FILTER (WHERE total = 0) = sum(x) FILTER (WHERE total = 1) AS x, abs(sum(y) FILTER (WHERE total = 0) / sum(y) FILTER (WHERE total = 1) - 1) < 1e-15 AS y
	FROM (SELECT sex, GROUPING(sex) AS total, sum(x) AS x, sum(y) AS y FROM large GROUP BY ROLLUP (sex)) s;
RESET ROLE;
-- as many groupings as there may be, none of which has all the keys
SELECT ask(format('SELECT sum(n), count(*) FROM (SELECT count(*) AS n FROM flag GROUP BY GROUPING SETS (%s)) x', string_agg(keys, ', ')))
	FROM (SELECT '(' || string_agg(chr(97 + bit), ', ') || ')' AS keys FROM generate_series(1, 127) i, generate_series(0, 6) bit WHERE i >> bit & 1 > 0 GROUP BY i HAVING count(*) IN (3, 4) ORDER BY i LIMIT 64) s;

SET client_min_messages = warning;
RESET search_path;
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM regress_gs_analyst;
DROP SCHEMA sets CASCADE;
DROP ROLE regress_gs_analyst, regress_gs_owner;
