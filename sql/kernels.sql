-- Error bounds and the kernels made for them: options, settings, what a policy
-- allows, equal costs, samples of owners, composition.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pk_steward;
GRANT privacct_admin TO regress_pk_steward;
CREATE ROLE regress_pk_analyst;
CREATE SCHEMA kern AUTHORIZATION regress_pk_steward;
GRANT USAGE ON SCHEMA kern TO PUBLIC;
SET search_path = kern, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pk_analyst', query) $$;
CREATE FUNCTION same(query text, raw_query text) RETURNS text LANGUAGE sql AS $$
	SELECT same('regress_pk_analyst', query, 'regress_pk_steward', raw_query) $$;
-- one table, several policies of it: each test starts afresh
CREATE FUNCTION protect(relation regclass, epsilon numeric, more text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT privacct.protect(%L, %L, epsilon => %s, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 2, max_rows_contributed => 2, fresh => true %s)',
				   relation, 'owner_id', epsilon, more);
	PERFORM privacct.set_bounds(relation, 'x', -5, 5), privacct.set_keys(relation, 'g', '{A,B,C}'::text[]),
		privacct.grant_budget(relation, 'regress_pk_analyst', epsilon, 0.01);
END
$$;
SET ROLE regress_pk_steward;
CREATE TABLE rich (owner_id int NOT NULL, g text, x int);
INSERT INTO rich SELECT k / 2, (ARRAY['A', 'B', 'C'])[1 + k % 3], k % 11 - 5 FROM generate_series(0, 799) k;
CREATE TABLE poor (LIKE rich);
CREATE TABLE pure (LIKE rich);
CREATE TABLE strict (LIKE rich);
CREATE TABLE concentrated (LIKE rich);
CREATE TABLE sampled (LIKE rich);
INSERT INTO sampled SELECT k / 2, (ARRAY['A', 'B', 'C'])[1 + k % 3], 5 FROM generate_series(0, 19999) k;
RESET ROLE;
SELECT protect('rich', 1e6), protect('poor', 20), protect('strict', 8, $$, kernels => '{laplace,gaussian,staircase}'$$),
	protect('concentrated', 8, $$, accountant => 'zcdp'$$), protect('sampled', 1e6);
DO $$ BEGIN
	PERFORM privacct.protect('pure', 'owner_id', epsilon => 8, delta => 0, max_rows_contributed => 2, fresh => true), privacct.grant_budget('pure', 'regress_pk_analyst', 8);
	PERFORM privacct.set_bounds('pure', 'x', -5, 5);
END $$;

--
-- Every kernel, for counts, sums, averages and variances, grouped (two groups an
-- owner) or not.  With so much epsilon noise vanishes in rounding: sums are 2 or
-- more from where they would round otherwise, which is ten deviations of Gaussian noise.
--

SET privacct.epsilon = 20000;
CREATE FUNCTION with_kernel(kernel text, query text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(query, 'OPTIONS', format('''kernel=%s, within=10''', kernel)) $$;
SELECT k, same(with_kernel(k, 'SELECT dp_count(x, OPTIONS), round((dp_sum(x, OPTIONS) + 23) / 10), round(dp_avg(x, OPTIONS)::numeric, 1), round(dp_variance(x, OPTIONS)::numeric, 1) FROM rich'),
	'SELECT count(x), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1), round(variance(x)::numeric, 1) FROM rich')
FROM unnest('{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase}'::text[]) k;
SELECT k, same(with_kernel(k, 'SELECT g, dp_count(x, OPTIONS), round((dp_sum(x, OPTIONS) + 23) / 10), round(dp_avg(x, OPTIONS)::numeric, 1) FROM rich GROUP BY g'),
	'SELECT g, count(x), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1) FROM rich GROUP BY g')
FROM unnest('{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase}'::text[]) k;
-- without a kernel, and by settings
SELECT same('SELECT dp_count(x, ''within=3''), round((dp_sum(x, ''within=20'') + 23) / 10) FROM rich', 'SELECT count(x), round((sum(x) + 23) / 10.0) FROM rich');
SET privacct.within = 20;
SELECT same('SELECT g, count(*), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1) FROM rich GROUP BY g', 'SELECT g, count(*), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1) FROM rich GROUP BY g');
SET privacct.kernel = staircase;
SELECT same('SELECT g, count(*), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1) FROM rich GROUP BY g', 'SELECT g, count(*), round((sum(x) + 23) / 10.0), round(avg(x)::numeric, 1) FROM rich GROUP BY g');
RESET privacct.kernel;
RESET privacct.within;

--
-- The comparison: every kernel at equal cost, the one with the best acceptance is used
--

SET privacct.epsilon = 1;
SET privacct.delta = 1e-5;
CREATE FUNCTION compared(query text) RETURNS TABLE (statistic text, kernel text, used boolean, scale numeric, q numeric, within numeric,
	acceptance numeric, error_95 numeric, epsilon numeric, delta numeric, rho numeric, releases_left bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_pk_analyst', true);
	RETURN QUERY SELECT p.statistic, p.kernel, p.used, round(p.scale::numeric, 3), round(p.q::numeric, 4), round(p.within::numeric, 3),
		round(p.acceptance::numeric, 4), round(p.error_95::numeric, 2), p.epsilon, p.delta, round(p.rho, 4), p.releases_left
		FROM privacct.preview(query) p;
	PERFORM set_config('role', 'none', true);
END
$$;
SELECT * FROM compared('SELECT count(*) FROM poor');
SELECT * FROM compared('SELECT dp_count(x, ''within=1'') FROM poor');
SELECT * FROM compared('SELECT dp_count(x, ''within=1, epsilon=3'') FROM poor');
SELECT * FROM compared('SELECT dp_sum(x, ''within=4, epsilon=3'') FROM poor');
SELECT * FROM compared('SELECT g, dp_avg(x, ''within=0.5, rows=100, epsilon=3'') FROM poor GROUP BY g');
SELECT * FROM compared('SELECT dp_sum(x, ''within=4, epsilon=3'') FROM concentrated');
SELECT * FROM compared('SELECT dp_sum(x, ''within=4, epsilon=3, kernel=gaussian'') FROM poor') WHERE used;
SELECT * FROM compared('SELECT dp_sum(x, ''within=4, epsilon=3, delta=0.01'') FROM poor') WHERE kernel = 'optimal';
-- optimal: the linear program where it can be solved, else the staircase, which is as good but for delta; never worse than the staircase
SELECT w, e, d, count(*) FILTER (WHERE o.used) AS answered, max(o.kernel) FILTER (WHERE o.used AND o.kernel IS NOT NULL) AS kernel, bool_and(o.acceptance >= s.acceptance) FILTER (WHERE o.used AND o.kernel IS NOT NULL) AS as_good
FROM unnest('{0.5,3,7,40}'::numeric[]) w, unnest('{0.3,2}'::numeric[]) e, unnest('{0.00001,0.005}'::numeric[]) d,
	LATERAL compared(format('SELECT dp_sum(x, -3, 7, ''kernel=optimal, within=%s, epsilon=%s, delta=%s'') FROM poor', w, e, d)) o,
	LATERAL compared(format('SELECT dp_sum(x, -3, 7, ''kernel=staircase, within=%s, epsilon=%s, delta=%s'') FROM poor', w, e, d)) s
WHERE s.used AND s.kernel IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- with an error bound, used is never accepted less often than another kernel
SELECT count(*), bool_and(u.acceptance >= p.acceptance)
FROM unnest('{1,2,5,10,30}'::int[]) w, unnest('{0.1,0.5,1,3,6}'::numeric[]) e, unnest('{poor,concentrated}'::text[]) t,
	LATERAL compared(format('SELECT dp_sum(x, ''within=%s, epsilon=%s'') FROM %s', w, e, t)) u,
	LATERAL compared(format('SELECT dp_sum(x, ''within=%s, epsilon=%s'') FROM %s', w, e, t)) p
WHERE u.used AND u.kernel IS NOT NULL AND p.kernel IS NOT NULL;
-- under zcdp no kernel costs more than Gaussian noise
SELECT bool_and(p.rho <= g.rho) FROM compared('SELECT g, dp_sum(x, ''within=4, epsilon=3'') FROM concentrated GROUP BY g') g,
	compared('SELECT g, dp_sum(x, ''within=4, epsilon=3'') FROM concentrated GROUP BY g') p WHERE g.kernel = 'gaussian' AND p.kernel IS NOT NULL;

--
-- What is charged
--

CREATE FUNCTION charged(query text) RETURNS TABLE (epsilon numeric, delta numeric, rho numeric, kernels text) LANGUAGE plpgsql AS $$
DECLARE
	answer text := ask(query);
BEGIN
	IF answer ~ '^[0-9A-Z]{5}:' THEN
		RAISE EXCEPTION '%', answer;
	END IF;
	RETURN QUERY SELECT l.epsilon, l.delta, round(l.rho, 4), (SELECT string_agg(s->>'kernel', ', ') FROM jsonb_array_elements(l.detail->'statistics') s)
	FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1;
END
$$;
-- how many of the intervals are not about the exact value, or too wide to say anything
CREATE FUNCTION missed(query text, exact float8, times integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	misses integer := 0;
	misses_now boolean;
BEGIN
	FOR i IN 1 .. times LOOP
		EXECUTE query;
		SELECT NOT (exact BETWEEN low AND high AND high - low < exact) INTO STRICT misses_now FROM privacct.intervals();
		misses := misses + misses_now::integer;
	END LOOP;
	RETURN misses;
END
$$;
SELECT k, (charged(with_kernel(k, 'SELECT dp_sum(x, OPTIONS) FROM poor'))).* FROM unnest('{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase}'::text[]) k;
SELECT k, (charged(with_kernel(k, 'SELECT dp_sum(x, OPTIONS) FROM concentrated'))).* FROM unnest('{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase}'::text[]) k;
SELECT (charged('SELECT dp_avg(x, ''epsilon=0.5, within=10'') FROM poor')).*;
SELECT (charged('SELECT dp_sum(x, ''within=4, epsilon=1, delta=0.00001, kernel=optimal'') FROM poor')).*;
SELECT ask('SELECT dp_sum(x, ''kernel=optimal'') FROM poor');
SELECT ask('SELECT dp_sum(x, ''kernel=optimal, within=4, delta=0.00001'') FROM concentrated');
-- a policy without delta chooses among pure kernels
SELECT (charged('SELECT dp_sum(x, ''epsilon=0.5, within=2'') FROM pure')).*;
SELECT DISTINCT kernel FROM compared('SELECT dp_sum(x, ''epsilon=0.5, within=2'') FROM pure') WHERE kernel IS NOT NULL ORDER BY 1;
SELECT ask('SELECT dp_sum(x, ''within=2, kernel=brdp_gaussian'') FROM pure');

--
-- Refusals
--

SELECT o, ask(format('SELECT dp_sum(x, %L) FROM poor', o)) FROM unnest(ARRAY['within=-1', 'within=x', 'within=inf', 'within=', 'rows=0', 'rows=1e99',
	'kernel=exponential', 'kernel=staircase', 'kernel=brdp_laplace', 'kernel=brdp_gaussian', 'kernel=optimal', 'kernel=STAIRCASE']) o;
SET privacct.kernel = brdp_gaussian;
SELECT ask('SELECT count(*) FROM poor');
RESET privacct.kernel;
SET privacct.within = -0.5;
SELECT ask('SELECT count(*) IS NOT NULL FROM poor');
SET privacct.within = 1e200;
RESET privacct.within;
-- options in a long parameter are read, too
SET plan_cache_mode = force_generic_plan;
SET ROLE regress_pk_analyst;
PREPARE with_options(text) AS SELECT dp_count(x, $1) IS NOT NULL AS answered FROM poor;
EXECUTE with_options(repeat(' ', 5000) || 'epsilon=0.125');
SELECT epsilon FROM my_ledger ORDER BY charge_id DESC LIMIT 1;
EXECUTE with_options(repeat(' ', 5000) || 'epsilon=much');
EXECUTE with_options(NULL);
RESET ROLE;
RESET plan_cache_mode;
-- kernels that the policy does not allow are neither used nor compared
SELECT kernel, used FROM compared('SELECT dp_sum(x, ''within=4, epsilon=3'') FROM strict') WHERE kernel IS NOT NULL;
SELECT ask('SELECT dp_sum(x, ''within=4, kernel=brdp_laplace'') FROM strict');
SELECT ask('SELECT dp_sum(x, ''kernel=brdp_laplace'') FROM strict');
\set VERBOSITY terse
SET ROLE regress_pk_steward;
SELECT unprotect('pure');
SELECT protect('pure', 'owner_id', kernels => '{gaussian}');
SELECT protect('pure', 'owner_id', kernels => '{laplace,spline}');
SELECT protect('pure', 'owner_id', kernels => ARRAY['laplace', NULL]);
SELECT protect('pure', 'owner_id', kernels => '{}');
SELECT protect('pure', 'owner_id', kernel => 'staircase');
SELECT protect('pure', 'owner_id', accountant => 'zcdp', kernels => '{laplace}');
SELECT protect('pure', 'owner_id', sample_rate => 0);
SELECT protect('pure', 'owner_id', sample_rate => 1.5);
SELECT protect('pure', 'owner_id', sample_rate => NULL);
SELECT protect('pure', 'owner_id', sample_rate => 'NaN');
SELECT protect('pure', 'owner_id', sample_rate => 1e-12);
RESET ROLE;
\set VERBOSITY default

--
-- Reports
--

SET ROLE regress_pk_analyst;
SELECT dp_sum(x, 'within=4, epsilon=0.5') AS s, dp_avg(x, 'within=0.5, rows=100, epsilon=0.5') AS a, count(*) AS n FROM poor \gset
SELECT aggregate, low < high AS wide, round(acceptance::numeric, 4) AS acceptance FROM intervals();
EXPLAIN (COSTS OFF) SELECT dp_sum(x, 'within=4, kernel=brdp_gaussian') FROM poor;
EXPLAIN (COSTS OFF) SELECT dp_sum(x, 'within=4, kernel=staircase') FROM poor;
RESET ROLE;
SELECT s->>'kernel' AS kernel, s ? 'acceptance' AS acceptance, s ? 'noise' AS noise, (s->>'within')::float8 AS within
FROM privacct.ledger l, jsonb_array_elements(l.detail->'statistics') s WHERE charge_id = (SELECT max(charge_id) FROM privacct.ledger);

--
-- Samples: an owner is in with all rows or not at all; the price is what was asked for
--

SET privacct.epsilon = 20000;
SET privacct.sample_rate = 0.5;
-- owners have two rows: noise aside, rows are twice the owners
SELECT ask('SELECT count(*) = 2 * count(DISTINCT owner_id) AND sum(x) = 5 * count(*) AND count(*) % 4 = 0 FROM sampled');
-- 10000 owners, 20000 rows: off by more than 1600 has a chance below 1e-14
SELECT ask('SELECT abs(count(*) - 20000) <= 1600, abs(sum(x) - 100000) < 8000, round(avg(x)::numeric, 2) FROM sampled');
SELECT ask('SELECT g, abs(count(*) - 20000 / 3.0) < 1400 FROM sampled GROUP BY g');
-- each release has a sample of its own: that eight counts are equal has a chance below 1e-15
SELECT ask('SELECT count(DISTINCT n) > 1 FROM (' || (SELECT string_agg('SELECT count(*) AS n FROM sampled', ' UNION ALL ') FROM generate_series(1, 8)) || ') s');
SET privacct.sample_rate = 0.000001;
SELECT ask('SELECT count(*) FROM sampled WHERE owner_id = -1');
SET privacct.sample_rate = 0.25;
SET privacct.epsilon = 1;
SELECT (charged('SELECT count(*), sum(x) FROM sampled')).*;
SELECT l.detail->'sample_rate' AS rate, round(sum((s->>'epsilon')::numeric), 4) AS on_the_sample, round(ln(1 + (exp(1.0) - 1) / 0.25), 4) AS expected
FROM privacct.ledger l, jsonb_array_elements(l.detail->'statistics') s WHERE charge_id = (SELECT max(charge_id) FROM privacct.ledger) GROUP BY 1;
SET ROLE regress_pk_analyst;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sampled;
SELECT kernel, round(error_95::numeric, 2) AS error, round(total_error_95::numeric, 2) AS total, epsilon FROM preview('SELECT count(*) FROM sampled', owners => 10000) WHERE used;
SELECT kernel, round(error_95::numeric, 2) AS error, total_error_95 FROM preview('SELECT count(*) FROM sampled') WHERE used AND kernel IS NOT NULL;
-- 95% intervals about what the whole table says, noise and sampling together: that 10 of 20 miss has a chance below 2e-8
SELECT missed('SELECT count(*) FROM sampled', 20000, 20) < 10 AS rows, missed('SELECT count(DISTINCT owner_id) FROM sampled', 10000, 20) < 10 AS owners,
	missed('SELECT avg(x) FROM sampled', 5, 20) < 10 AS averages;
SELECT count(*) AS n, sum(x) AS s, avg(x) AS a FROM sampled \gset
-- of a sum of values of both signs nothing is known
SELECT aggregate, high - low = 'Infinity' AS unknown FROM intervals();
-- zcdp: noise of bounded loss only
SELECT kernel, used FROM preview('SELECT count(*) FROM concentrated') WHERE kernel IS NOT NULL;
SELECT dp_count(x, 'kernel=gaussian') FROM concentrated;
RESET ROLE;
RESET privacct.sample_rate;
-- the policy's rate holds for everybody
SELECT unprotect('sampled');
SET client_min_messages = warning;
SELECT protect('sampled', 1e6, ', sample_rate => 0.5');
RESET client_min_messages;
SET privacct.epsilon = 20000;
SELECT ask('SELECT abs(count(*) - 20000) <= 1600 FROM sampled');
SELECT round(rate::numeric, 3) AS rate, round(error::numeric, 3) AS error, round(error_without::numeric, 3) AS error_without
FROM (VALUES (0.1, 0), (1, 1e-6), (3, 0), (8, 1e-6)) v(e, d), LATERAL best_sample_rate(e, d, 1, 10000);
SELECT best_sample_rate(0, 0, 1, 1);
SELECT best_sample_rate(1, 0, 1, -1);

--
-- Composition
--

-- known answers: 3.2770 for the mix, 4.5216 for 1000 Gaussians
SELECT round(compose('[{"kernel": "gaussian", "scale": 20, "count": 100}, {"kernel": "laplace", "scale": 20, "count": 100}]', 1e-6)::numeric, 2) AS mix,
	round(compose('[{"kernel": "gaussian", "scale": 30.749566131977332, "count": 1000}]', 1e-5)::numeric, 2) AS gaussians,
	compose('[{"epsilon": 0.5, "count": 4}]', 0) AS pure, compose('[]', 0) AS nothing, compose('[{"epsilon": 1, "delta": 0.1}]', 0.05) AS too_little,
	round(compose('[{"kernel": "gaussian", "scale": 4.03172, "count": 50, "sample_rate": 0.2}]', 1e-5)::numeric, 2) AS sampled;
SELECT round(compose('[{"kernel": "brdp_gaussian", "scale": 15, "sensitivity": 5, "within": 1, "q": 0.9, "count": 100}]', 1e-5)::numeric, 0) AS recycled,
	round(compose('[{"kernel": "staircase", "scale": 2, "sensitivity": 1, "within": 0.5, "count": 2}]', 0)::numeric, 6) AS stairs,
	round(compose('[{"kernel": "laplace", "scale": 2, "sensitivity": 1, "step": 1}]', 0)::numeric, 6) AS lattice,
	round(compose_delta('[{"kernel": "gaussian", "scale": 1, "sensitivity": 1}]', 1)::numeric, 3) AS delta;
CREATE FUNCTION try(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	EXECUTE query;
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' - ', SQLSTATE || ': ' || SQLERRM, nullif(detail, ''));
END
$$;
SELECT m, try(format('SELECT privacct.compose(%L, 1e-5)', m)) FROM unnest(ARRAY['{}', '3', '[3]', '[{}]', '[{"kernel": "laplace"}]', '[{"kernel": "spline", "scale": 1}]',
	'[{"kernel": "laplace", "scale": 0}]', '[{"kernel": "laplace", "scale": "1"}]', '[{"kernel": "laplace", "scale": 1, "count": 0}]',
	'[{"kernel": "laplace", "scale": 1, "sample_rate": 2}]', '[{"kernel": "laplace", "scale": 1, "colour": 2}]', '[{"kernel": "staircase", "scale": 1}]',
	'[{"noise": "laplace 81/2^3"}]', '[{"noise": "laplace 80/2^3", "steps": 1}]', '[{"noise": "laplace 81/2^3", "steps": 1, "groups": 2}]',
	'[{"statistics": 1}]', '[{"statistics": [{"statistics": []}]}]', '[{"statistics": [{"epsilon": 1}], "sample_rate": 0.1, "delta": 1e-7, "count": 3}]',
	'[{"kernel": "laplace", "scale": 1, "count": 1.9}]', '[{"kernel": "laplace", "scale": 1, "groups": 1.9}]', '[{"noise": "laplace 81/2^3", "steps": 0.5}]',
	'[{"epsilon": 1, "delta": 2}]', '[{"kernel": "brdp_laplace", "scale": 1, "within": 1, "q": 1}]']) m;
SELECT d, try(format('SELECT privacct.compose(%L, %L)', '[{"epsilon": 1}]', d)) FROM unnest('{-1,1,NaN,0,0.99}'::float8[]) d;

-- the odometer's tight number is never above what was charged, up to rounding of its search,
-- also where a release has more statistics than its line in the ledger has room for
SET privacct.epsilon = 1;
SELECT ask('SELECT ' || string_agg(format('dp_sum(x, 0, %s) IS NULL', i), ' OR ') || ' FROM strict') FROM generate_series(1, 60) i;
SELECT ask('SELECT ' || string_agg(format('dp_sum(x, 0, %s, ''kernel=gaussian'') IS NULL', i), ' OR ') || ' FROM strict') FROM generate_series(1, 60) i;
SELECT jsonb_array_length(detail->'statistics') < 60 AS cut, detail ? 'rest' AS rest FROM privacct.ledger ORDER BY charge_id DESC LIMIT 2;
SELECT relation, epsilon_tight > 0 AS positive, epsilon_tight <= epsilon_spent * 1.001 AS tight FROM privacct.odometer WHERE open AND relation::text IN ('poor', 'strict', 'concentrated') AND releases > 0 ORDER BY relation::text;
-- what was carried over counts
SELECT epsilon_tight AS before FROM privacct.odometer WHERE relation = 'poor'::regclass AND open \gset
SELECT unprotect('poor');
SET client_min_messages = warning;
SELECT protect('poor', 20);
RESET client_min_messages;
SELECT epsilon_tight = :before AS carried FROM privacct.odometer WHERE relation = 'poor'::regclass AND open;
-- too many different releases are not composed, and hide nothing else
SET client_min_messages = error;
SET privacct.write_books = on;
INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
SELECT policy_id, now(), 'nobody', 'nobody', 0, 0, 0, jsonb_build_object('groups_per_owner', 1, 'statistics', jsonb_build_array(jsonb_build_object('epsilon', i, 'delta', 0)))
FROM privacct.policy, generate_series(1, 100001) i WHERE relation = 'strict'::regclass;
RESET privacct.write_books;
SELECT privacct.accept_books() \g /dev/null
RESET client_min_messages;
SELECT relation, epsilon_spent > 0 AS spent, epsilon_tight IS NULL AS unknown FROM privacct.odometer WHERE open AND relation::text IN ('poor', 'strict') ORDER BY relation::text;

-- kernels are named in one place: what else names them all asks for them
SELECT p, privacct._kernels(p) FROM unnest('{any,plain,pure,planned}'::text[]) p;
SELECT try($$SELECT privacct._kernels('colourful')$$);
SELECT enumvals = 'policy'::text || privacct._kernels('any') AS setting FROM pg_settings WHERE name = 'privacct.kernel';
SELECT a, privacct._default_kernel(a) FROM unnest('{basic,zcdp,plan}'::text[]) a;
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'privacct'::regnamespace AND contype::text <> 'n' AND pg_get_constraintdef(oid) ~ 'kernel' ORDER BY conname;
SELECT p.oid::regprocedure AS spells_them_out FROM pg_proc p
WHERE p.pronamespace = 'privacct'::regnamespace AND (SELECT count(*) FROM unnest(privacct._kernels('any')) k WHERE p.prosrc ~ k) > 2;

DROP SCHEMA kern CASCADE;
DROP ROLE regress_pk_steward, regress_pk_analyst;
