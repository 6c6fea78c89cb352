-- dp_choose: the exponential mechanism over candidates, whose scores are sums over rows; dp_response: single entries by
-- randomised response.  With so much epsilon that the best one is drawn, and so little that the law shows.
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_ch_dba;
GRANT privacct_admin TO regress_ch_dba;
CREATE ROLE regress_ch_analyst;
CREATE SCHEMA choice AUTHORIZATION regress_ch_dba;
GRANT USAGE ON SCHEMA choice TO PUBLIC;
SET search_path = choice, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_ch_dba;
CREATE TABLE bid (bidder int NOT NULL, ward text NOT NULL, price float8);
INSERT INTO bid SELECT i, (ARRAY['A', 'B'])[1 + i % 2], CASE WHEN i % 2 = 0 THEN i % 40 ELSE 60 + i % 40 END FROM generate_series(1, 400) i;
INSERT INTO bid SELECT i, 'A', 7 FROM generate_series(1, 40) i;
INSERT INTO bid VALUES (900, 'A', NULL), (901, 'B', 'NaN'), (902, 'B', 1e9);
SELECT protect('bid', 'bidder', epsilon => 1e6, max_rows_contributed => 2, max_groups_contributed => 2, min_epsilon => 1e-6, fresh => true) > 0 AS protected;
SELECT set_keys('bid', 'ward', ARRAY['A', 'B', 'C']), set_bounds('bid', 'price', 0, 100), grant_budget('bid', 'regress_ch_analyst', 1e6);
RESET ROLE;
SET privacct.epsilon = 1000;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_ch_analyst', query) $$;
-- the price at which most is taken: revenue is a sum over bids
SELECT (SELECT p FROM unnest('{5,20,40,65,90}'::int[]) p ORDER BY (SELECT sum(CASE WHEN least(price, 100) >= p THEN p ELSE 0 END) FROM bid WHERE price <> 'NaN') DESC LIMIT 1) AS best,
	ask('SELECT dp_choose(ARRAY[5, 20, 40, 65, 90], ARRAY[CASE WHEN price >= 5 THEN 5 ELSE 0 END, CASE WHEN price >= 20 THEN 20 ELSE 0 END, CASE WHEN price >= 40 THEN 40 ELSE 0 END, CASE WHEN price >= 65 THEN 65 ELSE 0 END, CASE WHEN price >= 90 THEN 90 ELSE 0 END], 0, 90) FROM bid') AS chosen;
SELECT ask('SELECT * FROM (SELECT ward, dp_choose(ARRAY[''low'', ''middle'', ''high''], ARRAY[(price < 30)::int, (price BETWEEN 30 AND 60)::int, (price > 60)::int], 0, 1) FROM bid GROUP BY ward) x WHERE ward <> ''C''');
SELECT ask('SELECT ward, upper(dp_choose(ARRAY[''a'', ''b''], ARRAY[price, -price], -100, 100, ''epsilon=500'')) || ''!'' FROM bid GROUP BY ward HAVING ward = ''B'' AND dp_choose(ARRAY[''a'', ''b''], ARRAY[price, -price], -100, 100, ''epsilon=500'') = ''a''');
SELECT ask('SELECT c, count(*) FROM (SELECT ward, dp_choose(ARRAY[1.5, 2.5], ARRAY[1 - price, price], 0, 100) AS c FROM bid GROUP BY ward) x WHERE ward <> ''C'' GROUP BY c');
-- what a row adds is clamped; rows of an owner beyond max_rows do not count
SELECT ask('SELECT dp_choose(ARRAY[''many'', ''large''], ARRAY[CASE WHEN price < 100 THEN 1 END, CASE WHEN price > 100 THEN 1e9 END], 0, 1) FROM bid');
-- an empty group, and candidates that are the same: something is drawn
SELECT ask('SELECT dp_choose(ARRAY[1, 1, 1], ARRAY[price, price, price], 0, 100) FROM bid WHERE ward = ''C''');

-- one release, one price, whatever the number of candidates and groups
CREATE FUNCTION charged(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before numeric := (SELECT epsilon_spent FROM odometer WHERE relation = 'bid'::regclass);
BEGIN
	PERFORM ask(query);
	RETURN (SELECT format('%s: %s', trim_scale(o.epsilon_spent - before), (SELECT l.detail->'choice' FROM privacct.ledger l ORDER BY charge_id DESC LIMIT 1)) FROM odometer o WHERE relation = 'bid'::regclass);
END
$$;
SELECT charged('SELECT dp_choose(ARRAY[1, 2, 3], ARRAY[price, 0, 1], 0, 100, ''epsilon=2'') FROM bid'), charged('SELECT ward, dp_choose(ARRAY[1, 2, 3], ARRAY[price, 0, 1], 0, 100, ''epsilon=2'') FROM bid GROUP BY ward');
SET ROLE regress_ch_analyst;
SET privacct.epsilon = 2;
EXPLAIN (COSTS OFF) SELECT ward, dp_choose(ARRAY[1, 2, 3], ARRAY[price, 0, 1], 0, 100) FROM bid GROUP BY ward;
SELECT statistic, kernel, scale, epsilon FROM preview('SELECT ward, dp_choose(ARRAY[1, 2, 3], ARRAY[price, 0, 1], 0, 100) FROM bid GROUP BY ward');
RESET ROLE;

-- types of one's own stay until the rows are handed up; one that was dropped since the statement was planned is noticed before the charge
CREATE TYPE mood AS ENUM ('glad', 'sad');
SELECT releases FROM odometer WHERE relation = 'bid'::regclass \gset
BEGIN;
SET LOCAL ROLE regress_ch_analyst;
DECLARE plain CURSOR FOR SELECT dp_choose(ARRAY['glad', 'sad']::mood[], ARRAY[price, 1], 0, 100) FROM bid;
DECLARE as_text CURSOR FOR SELECT dp_choose(ARRAY['glad', 'sad']::mood[], ARRAY[price, 1], 0, 100)::text FROM bid;
DECLARE above CURSOR FOR SELECT n::text::mood FROM (SELECT count(*) AS n FROM bid) b;
DECLARE kept CURSOR FOR SELECT dp_choose(ARRAY['glad', 'sad'], ARRAY[price, 1], 0, 100) = 'glad' FROM bid;
RESET ROLE;
DROP TYPE mood;
SET LOCAL ROLE regress_ch_analyst;
SAVEPOINT before;
FETCH plain;
ROLLBACK TO before;
FETCH as_text;
ROLLBACK TO before;
FETCH above;
ROLLBACK TO before;
FETCH kept;
COMMIT;
SELECT releases - :releases AS charged FROM odometer WHERE relation = 'bid'::regclass;
CREATE TYPE mood AS ENUM ('glad', 'sad');
BEGIN;
SET LOCAL ROLE regress_ch_analyst;
SELECT dp_choose(ARRAY['glad', 'sad']::mood[], ARRAY[price, 1], 0, 100)::text FROM bid;
SELECT objid::regtype, mode FROM pg_locks WHERE classid = 'pg_type'::regclass AND objid = 'mood'::regtype AND pid = pg_backend_pid();
COMMIT;
-- what is refused for its price says where it stands
SET ROLE regress_ch_dba;
CREATE TABLE dear (person int PRIMARY KEY, x text NOT NULL);
SELECT protect('dear', 'person', epsilon => 1e6, fresh => true) > 0 AS protected;
SELECT set_keys('dear', 'x', ARRAY['a', 'b']), grant_budget('dear', 'regress_ch_analyst', 1e6);
SET ROLE regress_ch_analyst;
SET privacct.epsilon = 1;
SELECT dp_choose(ARRAY[1, 2], ARRAY[person, 1], 0, 1) FROM dear;
SELECT mode() WITHIN GROUP (ORDER BY x) FROM dear;
SELECT 'most frequent', dp_topk(x, 2) FROM dear;
RESET ROLE;
SET privacct.epsilon = 1000;
-- the law: sums of 3, 0 and 0 with a change of at most 2 rows of 1, so weights e^(epsilon/4 score); chi-square of two degrees, 41.4 at 1e-9
SET ROLE regress_ch_dba;
CREATE TABLE three (owner int NOT NULL, x int NOT NULL);
INSERT INTO three VALUES (1, 1), (1, 1), (2, 1);
SELECT protect('three', 'owner', epsilon => 1e6, max_rows_contributed => 2, max_groups_contributed => 1, min_epsilon => 1e-6, fresh => true) > 0 AS protected;
SELECT grant_budget('three', 'regress_ch_analyst', 1e6);
CREATE FUNCTION law(query text, times int) RETURNS TABLE (answer text, n bigint) LANGUAGE plpgsql AS $$
DECLARE
	answers text[] := '{}';
BEGIN
	FOR i IN 1 .. times LOOP
		answers := answers || ask('regress_ch_analyst', query);
	END LOOP;
	RETURN QUERY SELECT a, count(*) FROM unnest(answers) a GROUP BY 1;
END
$$;
RESET ROLE;
SELECT count(*) AS kinds, sum(power(n - 800 * p, 2) / (800 * p)) < 41.4 AS law FROM law('SELECT dp_choose(ARRAY[1, 2, 3], ARRAY[x, 0, 0], 0, 1, ''epsilon=1.5'') FROM three', 800) l,
	LATERAL (SELECT CASE answer WHEN '(1)' THEN exp(1.5 / 4 * 3) ELSE 1 END / (exp(1.5 / 4 * 3) + 2) AS p) q;

--
-- Entries
--
SET ROLE regress_ch_dba;
CREATE TABLE stay (person int, hour int, place text, site text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO stay SELECT p, h, (ARRAY['ward', 'lab', 'hall'])[1 + (p + h) % 3], 'north' FROM generate_series(1, 20) p, generate_series(1, 12) h;
UPDATE stay SET place = 'roof' WHERE person = 5 AND hour = 5;
SELECT protect_entries('stay', owner => 'person', order_by => '{hour}', entry => 'place', priors => chain_prior('{ward,lab,hall}'::text[], '{{.8,.1,.1},{.1,.8,.1},{.1,.1,.8}}'), epsilon_pufferfish => 1e4, min_epsilon => 1e-6) > 0 AS protected;
SELECT set_public('stay', 'site'), set_keys('stay', 'site', ARRAY['north', 'south']), set_keys('stay', 'hour', ARRAY[1, 2, 3]), grant_budget('stay', 'regress_ch_analyst', 1e4);
RESET ROLE;
SET privacct.epsilon = 40;
SELECT ask('SELECT dp_response(place) FROM stay WHERE person = 4 AND hour = 2'), ask('SELECT dp_response(place, ''epsilon=50'') FROM stay WHERE person = 4 AND hour = 3');
SELECT string_agg(format('(%s,%s)', hour, place), ' ' ORDER BY hour) = ask('SELECT hour, dp_response(place) FROM stay WHERE person = 7 GROUP BY hour') AS as_it_is FROM stay WHERE person = 7 AND hour <= 3;
SELECT ask('SELECT dp_choose(ARRAY[''in'', ''out''], ARRAY[(place = ''ward'')::int, (place <> ''ward'')::int], 0, 1) FROM stay WHERE person = 4 AND hour IN (2, 5)') AS inside, ask('SELECT site, dp_choose(ARRAY[1, 2], ARRAY[(hour < 3)::int, 0.5], 0, 1) FROM stay GROUP BY site HAVING site = ''north''') AS north;
-- e^epsilon times as often as each other state; of an entry that is no state, or is not there, all alike
SELECT count(*) AS kinds, sum(power(n - 600 * p, 2) / (600 * p)) < 41.4 AS law FROM law('SELECT dp_response(place, ''epsilon=0.7'') FROM stay WHERE person = 4 AND hour = 2', 600) l,
	LATERAL (SELECT CASE answer WHEN '(ward)' THEN exp(0.7) ELSE 1 END / (exp(0.7) + 2) AS p) q;
SELECT count(*) AS kinds, sum(power(n - 200, 2) / 200) < 41.4 AS law FROM law('SELECT dp_response(place, ''epsilon=0.7'') FROM stay WHERE person = 5 AND hour = 5', 600) l;
-- of many entries: which states there are, not how often
SELECT count(*) AS kinds, sum(power(n - 200, 2) / 200) < 41.4 AS law FROM law('SELECT dp_response(place, ''epsilon=0.5'') FROM stay WHERE person = 4', 600) l;
SELECT count(*), min(l.epsilon), max(l.epsilon), max(l.detail->'choice'->>'kernel') AS kernel FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'stay'::regclass AND l.epsilon = 0.5;

-- what cannot be had
SELECT q, ask('SELECT ' || q) FROM unnest(ARRAY['dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, 100), count(*) FROM bid', 'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, 100), dp_choose(ARRAY[1, 2], ARRAY[price, 2], 0, 100) FROM bid', 'dp_choose(ARRAY[1], ARRAY[price], 0, 100) FROM bid',
	'dp_choose(ARRAY[1, 2], ARRAY[price], 0, 100) FROM bid', 'dp_choose(ARRAY[price, 2], ARRAY[price, 1], 0, 100) FROM bid', 'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, 100) FILTER (WHERE price > 1) FROM bid', 'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, price) FROM bid', 'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 1, 0) FROM bid',
	'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, 100, ''kernel=laplace'') FROM bid', 'dp_choose(ARRAY[1, 2], ARRAY[price, 1], 0, 100, ''within=1'') FROM bid', 'price, dp_choose(ARRAY[1, 2], ARRAY[1, 2], 0, 100) FROM bid GROUP BY price', 'ward, dp_choose(ARRAY[1, 2], ARRAY[price, 2], 0, 100) FROM bid GROUP BY ROLLUP (ward)',
	'dp_interval_low(dp_choose(ARRAY[1, 2], ARRAY[price, 2], 0, 100)) FROM bid', 'dp_response(ward) FROM bid', 'dp_response(place), count(*) FROM stay', 'dp_response(place, ''kernel=laplace'') FROM stay', 'dp_response(upper(place)) FROM stay', 'dp_choose(NULL::int[], ARRAY[price, 2], 0, 100) FROM bid', 'dp_choose(ARRAY[1, 2], NULL, 0, 100) FROM bid',
	'dp_choose(array_agg(price), ARRAY[price, 2], 0, 100) FROM bid', 'count(*), _candidate(price, 0, 1, 1, NULL) FROM bid', '_candidate(price, 0, 1, 1, NULL), count(*) FROM bid', '_response(place, NULL) FROM stay', '_response(place, NULL), count(*) FROM stay GROUP BY site']) q;
SET client_min_messages = warning;
DROP SCHEMA choice CASCADE;
DROP OWNED BY regress_ch_dba;
DROP ROLE regress_ch_dba, regress_ch_analyst;
