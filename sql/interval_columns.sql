-- Ends of intervals as columns beside the numbers: what intervals() says, at no cost, wherever aggregates may stand.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_iv_owner;
GRANT privacct_admin TO regress_iv_owner;
CREATE ROLE regress_iv_analyst;
CREATE SCHEMA regress_intervals AUTHORIZATION regress_iv_owner;
GRANT ALL ON SCHEMA regress_intervals TO PUBLIC;
SET search_path = regress_intervals, privacct;

SET ROLE regress_iv_owner;
CREATE TABLE visit (person int NOT NULL, ward int, cost float8);
INSERT INTO visit SELECT i / 5, i % 3, i % 100 FROM generate_series(1, 3000) i;
SELECT protect('visit', 'person', epsilon => 1000, fresh => true) > 0 AS protected;
SELECT set_bounds('visit', 'cost', 0, 100), set_keys('visit', 'ward', ARRAY[0, 1, 2]);
SELECT grant_budget('visit', 'regress_iv_analyst', 500);
CREATE VIEW seen WITH (security_invoker) AS SELECT * FROM visit WHERE cost > 10;
GRANT SELECT ON seen TO PUBLIC;
CREATE TABLE person (id int PRIMARY KEY, smokes boolean NOT NULL);
INSERT INTO person SELECT i, i % 3 = 0 FROM generate_series(1, 1000) i;
SELECT protect('person', 'id', regime => 'local', epsilon => 10, fresh => true) > 0 AS protected;
SELECT set_domain('person', 'smokes', ARRAY[false, true]);
SELECT grant_budget('person', 'regress_iv_analyst', 10);
RESET ROLE;

-- what a query with the columns keys, aggregate, value, low, high says, against what intervals() says
CREATE FUNCTION differs(query text, OUT shown bigint, OUT differ bigint, OUT charges bigint) LANGUAGE plpgsql AS $$
DECLARE
	before bigint := (SELECT count(*) FROM privacct.my_ledger);
BEGIN
	EXECUTE format('CREATE TEMP TABLE said AS SELECT * FROM (%s) q(keys, aggregate, value, low, high)', query);
	SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT FROM privacct.intervals() i
			WHERE (i.keys, i.aggregate, i.low, i.high) IS NOT DISTINCT FROM (s.keys, s.aggregate, s.low, s.high)
			AND i.value::numeric(20, 4) = s.value::numeric(20, 4)))
		INTO shown, differ FROM said s;
	charges := (SELECT count(*) FROM privacct.my_ledger) - before;
	DROP TABLE said;
END
$$;
SET ROLE regress_iv_analyst;
SET privacct.epsilon = 1;

--
-- Aggregates, groups, expressions
--
SELECT * FROM differs($$ SELECT '{}'::text[], 'count(*)', count(*)::float8, dp_interval_low(count(*)), dp_interval_high(count(*)) FROM visit $$);
SELECT * FROM differs($$ SELECT ARRAY[ward::text], 'avg(cost)', avg(cost), dp_interval_low(avg(cost)), dp_interval_high(avg(cost)) FROM visit GROUP BY ward $$);
SELECT * FROM differs($$ SELECT ARRAY[ward::text], 'stddev(cost)', stddev(cost), dp_interval_low(stddev(cost)), dp_interval_high(stddev(cost))
	FROM visit GROUP BY ward $$);
SELECT * FROM differs($$ SELECT ARRAY[ward::text], 'dp_sum(cost)', dp_sum(cost, 0, 50, 'epsilon=0.5'), dp_interval_low(dp_sum(cost, 0, 50, 'epsilon=0.5')),
	dp_interval_high(dp_sum(cost, 0, 50, 'epsilon=0.5')) FROM seen GROUP BY ward $$);
SELECT * FROM differs($$ SELECT ARRAY[ward::text], 'count(*)', count(*)::float8, dp_interval_low(count(*)), dp_interval_high(count(*)) FROM visit GROUP BY ROLLUP (ward) $$);
SELECT * FROM differs($$ SELECT '{}'::text[], 'ldp_count(smokes)', ldp_count(smokes), dp_interval_low(ldp_count(smokes)), dp_interval_high(ldp_count(smokes)) FROM person $$);
-- an interval alone, in conditions and in the order, twice, of the query around a subquery
SELECT count(*) FROM (SELECT dp_interval_high(sum(cost)) - dp_interval_low(sum(cost)) AS width, dp_interval_low(sum(cost)) AS low FROM visit
	GROUP BY ward HAVING dp_interval_high(count(*)) > -1e9 ORDER BY dp_interval_low(count(*))) x WHERE width > 0;
SELECT count(*), (SELECT dp_interval_low(count(v.cost))) < dp_interval_high(count(v.cost)) AS ordered FROM visit v \gset
SELECT :'ordered' AS ordered;
-- a repeat has the intervals of its release, whether it had been asked for them or not
RESET ROLE;
SELECT set_repeats('visit', '1 day');
SET ROLE regress_iv_analyst;
SELECT count(*) AS n FROM visit WHERE cost > 20 \gset
SELECT * FROM differs($$ SELECT '{}'::text[], 'count(*)', count(*)::float8, dp_interval_low(count(*)), dp_interval_high(count(*)) FROM visit WHERE cost > 20 $$);
SELECT dp_interval_low(count(*)) < :n AND :n = count(*) AS known FROM visit WHERE cost > 20;
-- the type does not follow the aggregate
SELECT pg_typeof(dp_interval_low(count(*))), pg_typeof(dp_interval_high(sum(cost))) FROM visit;
-- prepared
PREPARE asked(float8) AS SELECT dp_interval_low(count(*)) < dp_interval_high(count(*)) AS ordered FROM visit WHERE cost > $1;
EXECUTE asked(1);
EXECUTE asked(2);
EXPLAIN (COSTS OFF) SELECT ward, dp_interval_low(count(*)) FROM visit GROUP BY ward;
SELECT statistic, used, epsilon FROM preview('SELECT ward, dp_interval_low(count(*)) FROM visit GROUP BY ward') WHERE used;

--
-- Not of what has none
--
SELECT max(charge_id) AS before FROM my_ledger \gset
SELECT dp_interval_low(count(*) + 1) FROM visit;
SELECT dp_interval_high(n) FROM (SELECT count(*) AS n FROM visit) x;
SELECT dp_interval_low(ward), count(*) FROM visit GROUP BY ward;
SELECT sum(dp_interval_low(cost)) FROM visit;
SELECT dp_interval_low(min(cost)) FROM visit;
SELECT dp_interval_low(percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY cost)) FROM visit;
SELECT dp_interval_low(mode() WITHIN GROUP (ORDER BY ward)) FROM visit;
SELECT dp_interval_low(ldp_histogram(smokes)) FROM person;
SELECT dp_interval_low(count(*)) FROM pg_class;
SELECT dp_interval_high(5);
SELECT count(*) AS charged FROM my_ledger WHERE charge_id > :before;

--
-- A setting adds them to what a client sends
--
SET privacct.error_bars = on;
SELECT ward, count(*) AS n, avg(cost), min(cost), count(*) + 1 AS more FROM visit GROUP BY ward ORDER BY count(*) \gdesc
SELECT count(*) AS n, sum(cost) AS s FROM seen \gset
SELECT :n BETWEEN :n_low AND :n_high AS n, :s BETWEEN :s_low AND :s_high AS s;
WITH v AS (SELECT * FROM seen) SELECT count(*) FROM (SELECT cost AS c FROM v WHERE ward = 1) x \gdesc
SELECT ward, count(*) FROM visit GROUP BY GROUPING SETS (ward, ()) HAVING count(*) > 0 \gdesc
SELECT ldp_avg(smokes::int) AS share FROM person \gdesc
SELECT count(*) AS a_name_that_is_as_long_as_the_name_of_a_column_can_be_in_postgres FROM visit \gdesc
-- not to what is no number of the release itself, nor where its columns were counted by somebody
SELECT DISTINCT count(*) FROM visit \gdesc
SELECT dp_mode(ward), dp_topk(ward, 2), mode() WITHIN GROUP (ORDER BY ward) FROM visit \gdesc
SELECT dp_mode(ward) IS NOT NULL AS answered FROM visit;
SELECT count(*) FROM visit UNION ALL SELECT count(*) FROM visit \gdesc
SELECT sum(n) FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) x \gdesc
SELECT count(*) FROM pg_class \gdesc
WITH n AS (SELECT count(*) FROM visit) SELECT max(count) FROM n \gdesc
DO $$
DECLARE
	one bigint;
	row record;
BEGIN
	one := (SELECT count(*) FROM visit);
	FOR row IN SELECT count(*) FROM visit LOOP
		RAISE INFO '% column', (SELECT count(*) FROM json_object_keys(to_json(row)));
	END LOOP;
END
$$;
CREATE FUNCTION pg_temp.visits() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM visit';
SELECT pg_temp.visits() > 0 AS answered;
CREATE TEMP TABLE counted AS SELECT count(*) FROM visit;
SELECT column_name FROM information_schema.columns WHERE table_name = 'counted';
INSERT INTO counted SELECT count(*) FROM visit;
-- as it was when it was prepared
PREPARE visits AS SELECT count(*) AS n FROM visit;
EXECUTE visits \gdesc
CREATE TABLE regress_intervals.other ();
EXECUTE visits \gset
SET privacct.error_bars = off;
EXECUTE visits \gset
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit WHERE cost > 50;

RESET ROLE;
DROP SCHEMA regress_intervals CASCADE;
DROP OWNED BY regress_iv_owner, regress_iv_analyst;
DROP ROLE regress_iv_owner, regress_iv_analyst;
