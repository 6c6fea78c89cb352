-- Aggregates of two variables: those of the raw rows, with little noise.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pm_owner;
CREATE ROLE regress_pm_analyst;
GRANT privacct_admin TO regress_pm_owner;
CREATE SCHEMA moments AUTHORIZATION regress_pm_owner;
GRANT USAGE ON SCHEMA moments TO PUBLIC;
SET search_path = moments, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_pm_owner;
CREATE TABLE pair (owner int PRIMARY KEY, ward text, x int NOT NULL, y float8, z numeric);
INSERT INTO pair SELECT i, 'w' || i % 2, i % 20, CASE WHEN i % 7 > 0 THEN i % 20 * 2 + i % 3 END, i % 11 FROM generate_series(1, 400) i;
CREATE TABLE many (owner int NOT NULL, x float8, y float8);
INSERT INTO many SELECT i % 50, i % 10, 10 - i % 10 FROM generate_series(1, 1000) i;
DO $$ BEGIN
	PERFORM privacct.protect('pair', 'owner', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01);
	PERFORM privacct.protect('many', 'owner', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 1, max_rows_contributed => 4);
	PERFORM privacct.set_bounds('pair', 'x', 0, 20), privacct.set_bounds('pair', 'y', 0, 50), privacct.set_keys('pair', 'ward', '{w0,w1,w2}'::text[]);
	PERFORM privacct.set_bounds('many', 'x', 0, 10), privacct.set_bounds('many', 'y', 0, 10);
	PERFORM privacct.grant_budget(t, 'regress_pm_analyst', 1e6, 0.01) FROM unnest('{pair,many}'::regclass[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pm_analyst', query) $$;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_pm_analyst', query, 'regress_pm_owner', query) $$;
SET privacct.epsilon = 20000;

SELECT same(format('SELECT round(%s(y, x)::numeric, 1) FROM pair', f)), f FROM unnest('{corr,covar_pop,covar_samp,regr_slope,regr_intercept,regr_r2,regr_avgx,regr_avgy,regr_count}'::text[]) f;
SELECT same(format('SELECT round(%s(y, x)::numeric, -1) FROM pair', f)), f FROM unnest('{regr_sxx,regr_syy,regr_sxy}'::text[]) f;
SELECT same('SELECT ward, round(corr(y, x)::numeric, 1), round(regr_slope(y, x + 1)::numeric, 1) FROM pair WHERE ward <> ''w2'' GROUP BY ward ORDER BY ward LIMIT 2');
SELECT same('SELECT round(regr_slope(y, x) FILTER (WHERE x > 5)::numeric, 1), round((corr(y, x) * 100)::numeric) FROM pair HAVING regr_count(y, x) > 100');
SELECT same('SELECT round(corr(x::float8, x)::numeric, 1), round(corr(-x::float8, x)::numeric, 1) FROM pair');
-- with more rows than count, an owner counts with the mean of them
SELECT same('SELECT round(corr(y, x)::numeric, 1), round(regr_slope(y, x)::numeric, 1) FROM many');
-- never NULL, never an error: an empty group, and no deviation at all
SELECT ask('SELECT ward, corr(y, x) BETWEEN -1 AND 1 AND regr_r2(y, x) BETWEEN 0 AND 1 AND regr_slope(y, x) IS NOT NULL AND regr_intercept(y, x) IS NOT NULL AND covar_samp(y, x) IS NOT NULL AND regr_sxx(y, x) >= 0 FROM pair GROUP BY ward'),
	ask('SELECT corr(y, x * 0) IS NOT NULL, regr_slope(y, x * 0) IS NOT NULL FROM pair');
SET privacct.epsilon = 0.001;
SELECT ask('SELECT corr(y, x) BETWEEN -1 AND 1, regr_slope(y, x) IS NOT NULL, covar_pop(y, x) BETWEEN -250 AND 250 FROM pair');
-- intervals hold the number, and with little noise are narrow; what they are about is in them or, one time in twenty, near
CREATE FUNCTION bars(f text, epsilon float8) RETURNS TABLE (aggregate text, held boolean, shown boolean, narrow boolean) LANGUAGE plpgsql AS $$
DECLARE
	truth float8;
BEGIN
	EXECUTE format('SELECT %s(y, x) FROM pair', f) INTO truth;
	PERFORM set_config('privacct.epsilon', epsilon::text, true), set_config('role', 'regress_pm_analyst', true);
	RETURN QUERY EXECUTE format('SELECT %L, %s BETWEEN 6 * low - 5 * high AND 6 * high - 5 * low, value BETWEEN low AND high, high - low < 0.02 * greatest(abs(%2$s), 1) FROM (SELECT %1$s(y, x) AS value, dp_interval_low(%1$s(y, x)) AS low, dp_interval_high(%1$s(y, x)) AS high FROM pair) t', f, truth);
	PERFORM set_config('role', 'none', true);
END
$$;
SELECT b.* FROM unnest('{corr,covar_pop,covar_samp,regr_slope,regr_intercept,regr_r2,regr_avgx,regr_avgy,regr_sxx,regr_syy,regr_sxy,regr_count}'::text[]) f, bars(f, 20000) b;
SELECT b.aggregate, b.shown FROM unnest('{corr,covar_pop,regr_slope,regr_intercept,regr_r2,regr_avgx,regr_sxx,regr_sxy,regr_count}'::text[]) f, bars(f, 0.01) b;
SELECT ask('SELECT dp_interval_low(corr(y, x)), dp_interval_high(regr_slope(y, x)), dp_interval_low(regr_intercept(y, x)) FROM pair');
-- intervals() has that of the whole, the same as is shown beside it, and those of its parts once
CREATE FUNCTION listed(f text, query text) RETURNS TABLE (aggregate text, same boolean, parts bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_pm_analyst', true);
	RETURN QUERY EXECUTE format('WITH shown AS MATERIALIZED (%s), listed AS MATERIALIZED (SELECT i.* FROM shown, intervals() i) '
		'SELECT i.aggregate, bool_and(i.value = s.value AND i.low IS NOT DISTINCT FROM s.low AND i.high IS NOT DISTINCT FROM s.high), '
		'(SELECT count(DISTINCT l.aggregate) FROM listed l WHERE l.aggregate ~ ''^(dp_|count)'') * 100 + (SELECT count(*) FROM listed l) / (SELECT count(*) FROM shown) '
		'FROM shown s JOIN listed i ON i.keys[1] IS NOT DISTINCT FROM s.ward AND i.aggregate ~ %L GROUP BY 1', query, '^' || f);
	PERFORM set_config('role', 'none', true);
END
$$;
SELECT l.* FROM unnest('{corr,covar_pop,covar_samp,regr_slope,regr_intercept,regr_r2,regr_avgx,regr_avgy,regr_sxx,regr_syy,regr_sxy,regr_count}'::text[]) f,
	listed(f, format('SELECT NULL AS ward, %1$s(y, x) AS value, dp_interval_low(%1$s(y, x)) AS low, dp_interval_high(%1$s(y, x)) AS high FROM pair', f)) l;
SELECT l.* FROM listed('regr_slope', 'SELECT ward, regr_slope(y, x) AS value, dp_interval_low(regr_slope(y, x)) AS low, dp_interval_high(regr_slope(y, x)) AS high FROM pair GROUP BY ROLLUP (ward)') l;
SET privacct.epsilon = 20;
SELECT l.* FROM listed('regr_intercept', 'SELECT ward, regr_intercept(y, x) AS value, dp_interval_low(regr_intercept(y, x)) AS low, dp_interval_high(regr_intercept(y, x)) AS high FROM pair GROUP BY ward') l;
-- also where it is not shown; and a repeat has it, which is the same question with and without error bars
SET privacct.epsilon = 20000;
SET ROLE regress_pm_owner;
SELECT privacct.set_repeats('pair', '1 day');
SET ROLE regress_pm_analyst;
SELECT count(corr) FROM (SELECT ward, corr(y, x) FROM pair GROUP BY ward) t;
SELECT keys, aggregate, round(value::numeric, 1) AS value, high - low < 0.02 AS narrow FROM intervals() WHERE aggregate ~ 'corr' ORDER BY keys LIMIT 2;
SELECT releases FROM my_budget WHERE relation = 'pair'::regclass \gset
SET privacct.error_bars = on;
SELECT count(corr), count(low) FROM (SELECT ward, corr(y, x), dp_interval_low(corr(y, x)) AS low FROM pair GROUP BY ward) t;
RESET privacct.error_bars;
SELECT releases - :releases AS charged FROM my_budget WHERE relation = 'pair'::regclass;
SELECT keys, d.aggregate, abs(i.value - d.value) + abs(i.low - d.low) + abs(i.high - d.high) < 0.001 AS same FROM derive('SELECT ward, corr(y, x) FROM pair GROUP BY ward') d JOIN intervals() i USING (keys, aggregate) WHERE d.aggregate ~ 'corr' ORDER BY keys LIMIT 2;
RESET ROLE;
SET ROLE regress_pm_owner;
SELECT privacct.set_repeats('pair', NULL);
RESET ROLE;
-- where several are to hold together each is wider
SET privacct.epsilon = 20;
SELECT ask('SELECT dp_interval_high(dp_avg(x, 0, 20, ''together=5'')) - dp_interval_low(dp_avg(x, 0, 20, ''together=5'')) > dp_interval_high(avg(x)) - dp_interval_low(avg(x)) FROM pair');
SELECT ask('SELECT dp_avg(x, 0, 20, ''together=0'') FROM pair');
SET privacct.epsilon = 0.001;
-- what is noised, once for all of them
SET ROLE regress_pm_analyst;
SELECT statistic, sensitivity FROM preview('SELECT corr(y, x), covar_pop(y, x), regr_slope(y, x), regr_intercept(y, x), regr_r2(y, x), regr_avgx(y, x) FROM pair') WHERE used AND statistic !~ ' values$';
SELECT count(*) AS statistics FROM preview('SELECT corr(y, x) FROM pair') WHERE used AND statistic !~ ' values$';
SELECT count(*) AS statistics FROM preview('SELECT corr(y, x), dp_interval_low(corr(y, x)), dp_interval_high(corr(y, x)) FROM pair') WHERE used AND kernel IS NOT NULL;
RESET ROLE;
-- refused
SELECT ask(q), q FROM unnest(ARRAY['SELECT corr(y, z) FROM pair', 'SELECT corr(DISTINCT y, x) FROM pair', 'SELECT regr_slope(y, x ORDER BY x) FROM pair', 'SELECT bool_and(x > 1) FROM pair', 'SELECT every(x > 1), bool_or(x > 1) FROM pair', 'SELECT corr(y, x) FROM (SELECT x, random() AS y FROM pair) q']) q;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA moments CASCADE;
DROP ROLE regress_pm_analyst, regress_pm_owner;
