-- ROLLUP, CUBE and GROUPING SETS over groups that are selected: what is shown, and of which rows its numbers are.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_sl_owner;
CREATE ROLE regress_sl_analyst;
GRANT privacct_admin TO regress_sl_owner;
CREATE SCHEMA selected AUTHORIZATION regress_sl_owner;
GRANT USAGE ON SCHEMA selected TO PUBLIC;
SET search_path = selected, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_sl_owner;
-- each of 400 patients in four pairs of town and kind; twenty in pairs of their own, ten of them in a town, ten in a kind that others are in; kind is null, too
CREATE TABLE visit (patient int NOT NULL, town text, kind numeric, sex text NOT NULL, cost int NOT NULL);
INSERT INTO visit SELECT p, 't' || (p + i / 2) % 3, nullif((p + i) % 4, 3), CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END, (p * 7 + i) % 50 FROM generate_series(1, 400) p, generate_series(0, 3) i;
INSERT INTO visit SELECT 1000 + p, CASE WHEN p <= 10 THEN 't1' ELSE 'rare' || p END, CASE WHEN p <= 10 THEN 100 + p ELSE 1.00 END, 'f', 50 FROM generate_series(1, 20) p;
CREATE TABLE one (patient int PRIMARY KEY, town text, sex text);
INSERT INTO one SELECT p, CASE WHEN p > 300 THEN 'rare' || p ELSE 't' || p % 3 END, CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END FROM generate_series(1, 310) p;
CREATE TABLE few (patient int PRIMARY KEY, town text NOT NULL, sex text NOT NULL);
INSERT INTO few SELECT p, CASE WHEN p < 4 THEN 'a' ELSE 'b' END, CASE WHEN p = 30 THEN 'm' ELSE 'f' END FROM generate_series(1, 30) p;
CREATE TABLE empty (LIKE visit);
DO $$ BEGIN
	SET LOCAL client_min_messages = error;
	PERFORM privacct.protect('visit', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 4, max_rows_contributed => 2),
		privacct.protect('empty', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, fresh => true),
		privacct.protect('one', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, accountant => 'zcdp', fresh => true),
		privacct.protect('few', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, min_owners => 5, fresh => true);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 50), privacct.set_keys('visit', 'sex', '{f,m}'::text[]),
		privacct.set_keys('few', 'sex', '{f,m,x}'::text[]), privacct.set_keys('few', 'town', '{a,b}'::text[]);
	PERFORM privacct.grant_budget(t, 'regress_sl_analyst', 1e6, 0.1) FROM unnest('{visit,one,few,empty}'::regclass[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_sl_analyst', query) $$;
-- the analyst's answer to the query, and the owner's with the rows that a condition on the grouping (g) and on what is selected (p) leaves
CREATE FUNCTION same(sets text, condition text) RETURNS text LANGUAGE sql AS $$
	SELECT same('regress_sl_analyst', format('SELECT %s FROM visit GROUP BY %s', columns, sets), 'regress_sl_owner',
		format('WITH p AS (SELECT town, kind, count(DISTINCT patient) AS n FROM visit GROUP BY town, kind), r AS (SELECT %s FROM visit GROUP BY %s) SELECT * FROM r WHERE %s', columns, sets, condition))
	FROM (VALUES ('town, trim_scale(kind) AS kind, GROUPING(town, kind) AS g, count(*), round(sum(cost), -3), round(avg(cost), 1)')) v (columns) $$;

SET privacct.epsilon = 50000;
SET privacct.delta = 1e-4;
-- pairs of one owner are not shown, nor what has no other, but they are in totals
SELECT same(format('ROLLUP (%s)', k), 'g = 3 OR EXISTS (SELECT FROM p WHERE n > 1 AND (g & 2 > 0 OR p.town IS NOT DISTINCT FROM r.town) AND (g & 1 > 0 OR p.kind IS NOT DISTINCT FROM r.kind))')
	FROM unnest('{"town, kind","kind, town"}'::text[]) k;
SELECT same(g, 'g = 3 OR EXISTS (SELECT FROM p WHERE n > 1 AND (g & 2 > 0 OR p.town IS NOT DISTINCT FROM r.town) AND (g & 1 > 0 OR p.kind IS NOT DISTINCT FROM r.kind))')
	FROM unnest(ARRAY['CUBE (town, kind)', 'GROUPING SETS ((town, kind), ())', 'GROUPING SETS ((kind, town), (kind), (kind), (town))']) g;
-- without that grouping each of the others selects: by how often owners are in pairs, so that four pairs of one owner are not enough, nor ten of ten where that is needed
SELECT same('GROUPING SETS ((town), (kind), ())', 'g = 3 OR 4 < (SELECT sum(n) FROM p WHERE (g & 2 > 0 OR p.town IS NOT DISTINCT FROM r.town) AND (g & 1 > 0 OR p.kind IS NOT DISTINCT FROM r.kind))');
SELECT ask('SELECT town, sex, GROUPING(town, sex), count(*) FROM visit GROUP BY ROLLUP (town, sex)') AS with_a_declared_key;
SELECT ask('SELECT cost / 25, count(*) FROM visit GROUP BY ROLLUP (cost / 25)') AS of_an_expression;
SELECT ask('SELECT town, GROUPING(town), round(sum(cost), -3) FROM visit GROUP BY ROLLUP (town) HAVING GROUPING(town) = 1 OR sum(cost) > 5000') AS of_parts;
SELECT ask('SELECT town, count(*) FROM one GROUP BY ROLLUP (town)') AS of_one_row_each;
SELECT ask('SELECT town, kind, count(*), dp_sum(cost, 0, 50) IS NOT NULL FROM empty GROUP BY CUBE (town, kind)') AS of_nothing;
SELECT ask('SELECT town, GROUPING(town) FROM visit GROUP BY ROLLUP (town)') AS of_keys_alone;
-- a policy with a least number of owners for a group: of the finest, and how often they count elsewhere
SELECT ask('SELECT town, sex, GROUPING(town, sex), count(*) FROM few GROUP BY ROLLUP (town, sex)') AS least_owners;
SELECT ask('SELECT town, sex, count(*) FROM few GROUP BY GROUPING SETS ((town), (sex))') AS least_owners_apart;

-- noise, thresholds and price: each level has some of its own, and is not added up
SET privacct.epsilon = 1;
SET ROLE regress_sl_analyst;
EXPLAIN (COSTS off) SELECT town, kind, count(*), avg(cost) FROM visit GROUP BY ROLLUP (town, kind);
SELECT statistic, kernel, round(scale::numeric, 2) AS scale, round(error_95) AS error, owners_at_least AS owners, epsilon, delta FROM preview('SELECT town, kind, count(*) FROM visit GROUP BY GROUPING SETS ((town), (kind), ())') WHERE used;
SELECT statistic, kernel, round(scale::numeric, 2) AS scale, round(error_95) AS error, owners_at_least AS owners, epsilon, delta FROM preview('SELECT town, count(*) FROM few GROUP BY ROLLUP (town)') WHERE used;
SET privacct.kernel = 'gaussian';
SELECT statistic, kernel, round(scale::numeric, 2) AS scale, round(error_95) AS error, owners_at_least AS owners, epsilon, delta, round(rho, 6) AS rho FROM preview('SELECT town, kind, count(*) FROM visit GROUP BY ROLLUP (town, kind)') WHERE used;
SELECT statistic, kernel, round(scale::numeric, 2) AS scale, round(error_95) AS error, owners_at_least AS owners, epsilon, delta, round(rho, 6) AS rho FROM preview('SELECT town, sex, count(*) FROM one GROUP BY GROUPING SETS ((town), (sex))') WHERE used;
SELECT count(n) > 0 AS answered FROM (SELECT town, kind, count(*) AS n FROM visit GROUP BY GROUPING SETS ((town), (kind))) q;
RESET privacct.kernel;
SELECT count(n) + 0 * sum(n + mean)::int > 0 AS answered FROM (SELECT town, kind, count(*) AS n, avg(cost) AS mean FROM visit GROUP BY ROLLUP (town, kind)) q;
-- intervals are those of the noise of each level
SELECT count(DISTINCT high - low) AS widths, bool_and(value BETWEEN low AND high) AS within FROM intervals() WHERE aggregate = 'count(*)';
RESET ROLE;
SELECT l.epsilon, l.delta, l.detail->'selection_threshold' AS threshold, l.detail->'selection_delta' AS selection_delta, s->>'statistic' AS statistic, s ? 'noise' AS composed, s->'threshold' AS of_it,
	round((s->>'rho')::numeric * 2 * ((s->>'scale')::numeric / (s->>'sensitivity')::numeric) ^ 2, 2) AS squares
	FROM (SELECT * FROM privacct.ledger WHERE policy_id = (SELECT policy_id FROM privacct.policy WHERE relation = 'visit'::regclass) ORDER BY charge_id DESC OFFSET 1 LIMIT 1) l, jsonb_array_elements(l.detail->'statistics') s;
SELECT l.epsilon, l.delta, l.detail->'selection_threshold' AS threshold, l.detail->'selection_delta' AS selection_delta, s->>'statistic' AS statistic, s ? 'noise' AS composed, s->'threshold' AS of_it
	FROM (SELECT * FROM privacct.ledger WHERE policy_id = (SELECT policy_id FROM privacct.policy WHERE relation = 'visit'::regclass) ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(l.detail->'statistics') s;
-- epsilon and rho of all of it as the odometer has them are no more than was charged
SELECT bool_and(epsilon_tight <= epsilon_spent * 1.000001) AS composes FROM privacct.odometer;

-- repeated with all its groupings, and not derived
SELECT privacct.set_repeats('visit', '1 day');
SET ROLE regress_sl_analyst;
CREATE TEMP TABLE first_time AS SELECT town, kind, GROUPING(town, kind) AS g, count(*) AS n FROM visit GROUP BY CUBE (town, kind);
SELECT count(*) > 0 AS rows, count(*) FILTER (WHERE f IS NULL OR a IS NULL) AS differ FROM (SELECT town, kind, GROUPING(town, kind) AS g, count(*) AS n FROM visit GROUP BY CUBE (town, kind)) a
	FULL JOIN first_time f ON coalesce(a.town, '') = coalesce(f.town, '') AND coalesce(a.kind, -1) = coalesce(f.kind, -1) AND a.g = f.g AND a.n = f.n;
RESET ROLE;
SELECT ask('SELECT * FROM privacct.derive(''SELECT count(*) FROM visit'')') AS derived;
SELECT ask('SELECT * FROM privacct.derive(''SELECT town, count(*) FROM visit GROUP BY ROLLUP (town)'')') AS derived;

-- refused
SET privacct.epsilon = 1;
SELECT ask(q), q FROM unnest(ARRAY['SELECT town, count(DISTINCT patient) FROM visit GROUP BY ROLLUP (town)', 'SELECT patient, count(*) FROM visit GROUP BY ROLLUP (patient, town)',
	'SELECT town, privacct.dp_count(1, ''kernel=staircase, within=5'') FROM visit GROUP BY ROLLUP (town)']) q;
SET privacct.sample_rate = 0.5;
SELECT ask('SELECT town, count(*) FROM visit GROUP BY ROLLUP (town)');
RESET privacct.sample_rate;
-- each grouping takes time for each group that a row makes; beside what a row takes otherwise
SELECT ask('SELECT town, count(*) FROM visit GROUP BY CUBE (town, kind, cost, cost + 1, cost + 2, cost + 3)') AS many,
	ask('SELECT count(*) FROM (SELECT FROM visit GROUP BY CUBE (town, kind, cost, cost + 1)) g(town)') <> '' AS some;
SELECT keys, regexp_replace(left(ask('SELECT count(*) > 0 FROM (SELECT FROM visit WHERE ' || condition || ' GROUP BY ' || keys || ') g'), 120), '^\([tf]\)$', 'an answer') AS told FROM unnest('{"CUBE (town, kind, cost)","town, kind, cost"}'::text[]) keys,
	(SELECT string_agg('town || cost <> kind || ''' || repeat('x', 99) || '''', ' AND ') FROM generate_series(1, 1)) c(condition);
SELECT set_release_terms('empty', min_epsilon => 0.01, time_epsilon => 1);
SELECT ask('SELECT count(*) > 1000 FROM empty GROUP BY ROLLUP (town)') AS with_noise_on_time;

SET client_min_messages = warning;
DROP TABLE pg_temp.first_time;
RESET search_path;
DROP SCHEMA selected CASCADE;
DROP ROLE regress_sl_analyst, regress_sl_owner;
