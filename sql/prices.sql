-- The least price of a release, the price of its time, and who may declare them.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pp_dba;
GRANT privacct_admin TO regress_pp_dba;
CREATE ROLE regress_pp_analyst;
CREATE ROLE regress_pp_nobody;
CREATE SCHEMA pri;
GRANT ALL ON SCHEMA pri TO PUBLIC;
SET search_path = pri, privacct, public;
\i :helpers
SET ROLE regress_pp_dba;
CREATE TABLE visit (owner_id int NOT NULL, ward int, cost float8);
INSERT INTO visit SELECT i / 5, i % 3, i % 100 FROM generate_series(1, 500) i;
CREATE TABLE single (owner_id int PRIMARY KEY, ward int, cost float8);
INSERT INTO single SELECT i, i % 3, i FROM generate_series(1, 100) i;
CREATE TABLE by_rho (LIKE single INCLUDING ALL);
CREATE TABLE by_plan (LIKE single INCLUDING ALL);
CREATE TABLE asked (owner_id int PRIMARY KEY, grade int, weight float8);
INSERT INTO asked SELECT i, i % 4, i FROM generate_series(1, 100) i;
CREATE TABLE trip (person int NOT NULL, hour int NOT NULL, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO trip SELECT i / 5, i % 5, (ARRAY['home', 'work'])[1 + i % 2] FROM generate_series(5, 99) i;

--
-- Declaration: what is out of range, what does not fit a policy, and by whom
--
SELECT protect('visit', 'owner_id', epsilon => 8, min_epsilon => 9, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, min_epsilon => 0, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, min_epsilon => 'NaN', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_grid => '1 us', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_grid => '2 minutes', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_grid => '1 month', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_grid => '-1 month 30 days 1 s', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_epsilon => 9, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_epsilon => 1e-7, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_epsilon => 'NaN', fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_epsilon => 1e-4, fresh => true);		-- a delay of minutes
SELECT protect('visit', 'owner_id', epsilon => 8, delta => 0, time_epsilon => 0.1, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, time_epsilon => 0.1, workers => 1, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, workers => -1, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, workers => NULL, fresh => true);
SELECT protect('visit', 'owner_id', epsilon => 8, workers => 1025, fresh => true);
SELECT protect('by_plan', 'owner_id', accountant => 'plan', min_epsilon => 0.1, fresh => true);
SELECT protect('by_plan', 'owner_id', accountant => 'plan', time_epsilon => 0.1, fresh => true);
SELECT protect('asked', 'owner_id', regime => 'local', time_epsilon => 0.1, fresh => true);
RESET ROLE;
SELECT count(*) AS protected FROM privacct.policy p WHERE p.relation IN ('visit'::regclass, 'by_plan'::regclass, 'asked'::regclass);
SET ROLE regress_pp_dba;

SELECT protect('visit', 'owner_id', epsilon => 8, delta => 1e-7, fresh => true) > 0 AS visit,
	protect('single', 'owner_id', epsilon => 8, delta => 1e-6, min_epsilon => 0.05, time_epsilon => 0.1, fresh => true) > 0 AS single,
	protect('by_rho', 'owner_id', epsilon => 4, delta => 1e-6, accountant => 'zcdp', fresh => true) > 0 AS by_rho,
	protect('by_plan', 'owner_id', accountant => 'plan', workers => 2, fresh => true) > 0 AS by_plan,
	protect('asked', 'owner_id', regime => 'local', epsilon => 2, time_grid => '1 ms', fresh => true) > 0 AS asked;
SELECT protect_entries('trip', 'person', '{hour}', 'place', chain_prior('{home,work}'::text[], '{{0.6,0.4},{0.4,0.6}}'), 4, 1e-4,
	max_entries => 5, min_epsilon => 0.02, time_epsilon => 0.1, fresh => true) > 0 AS trip;
SELECT set_domain('asked', 'grade', ARRAY[0,1,2,3]), set_keys('visit', 'ward', ARRAY[0,1,2]), set_keys('by_rho', 'ward', ARRAY[0,1,2]);
SELECT grant_budget(t, 'regress_pp_analyst', 0.9, delta => CASE t WHEN 'asked'::regclass THEN 0 WHEN 'trip'::regclass THEN 2e-7 ELSE 5e-8 END) IS NOT NULL AS granted FROM unnest(ARRAY['visit', 'single', 'by_rho', 'by_plan', 'asked', 'trip']::regclass[]) t;
RESET ROLE;

CREATE FUNCTION show_terms() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT t::text FROM (SELECT relation, accountant, least_epsilon, least_rho, min_epsilon, time_grid, time_epsilon, time_delta::float4, mean_delay, longest_delay, workers
		FROM privacct.release_terms ORDER BY relation::text COLLATE "C") t
$$;
SET ROLE regress_pp_dba;
SELECT show_terms();
SET ROLE regress_pp_analyst;
SELECT count(*) FROM show_terms();
SET ROLE regress_pp_nobody;
SELECT count(*) FROM show_terms();
SELECT t IS NULL AS nothing FROM _terms_of('visit') t;
SELECT set_release_terms('visit', min_epsilon => 1);
RESET ROLE;
GRANT privacct_admin TO regress_pp_nobody;
SET ROLE regress_pp_nobody;
SELECT set_release_terms('visit', min_epsilon => 1);
RESET ROLE;
REVOKE privacct_admin FROM regress_pp_nobody;

--
-- The floor
--
SET ROLE regress_pp_analyst;
SET privacct.epsilon = 0.0007;
SELECT count(*) FROM visit;
SELECT ward, count(*), dp_avg(cost, 0, 100) FROM visit GROUP BY ward;
SELECT dp_count(owner_id, 'epsilon=0.0001') FROM visit;
SELECT count(*), dp_sum(cost, 0, 100, 'epsilon=0.00005') FROM visit;
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit;
SELECT * FROM preview('SELECT count(*) FROM visit');
SELECT count(*) FROM by_rho;
SELECT ward, count(*) FROM by_rho GROUP BY ward;
SELECT dp_count(owner_id, 'epsilon=0.0001, kernel=laplace') FROM by_rho;
SET privacct.sample_rate = 0.5;
SELECT count(*) FROM visit;
RESET privacct.sample_rate;
SET privacct.epsilon = 0.0001;
SELECT ldp_count(grade > 1), ldp_avg(grade, 0, 3) FROM asked;
SELECT ldp_count(grade > 1, 'epsilon=0.0001') FROM asked;
SELECT * FROM preview('SELECT ldp_count(grade > 1, ''epsilon=0.0001'') FROM asked');
SET privacct.epsilon = 0.00009;		-- of each of two neighbours
SELECT count(*) FROM asked;
SET privacct.epsilon = 0.0001;
SELECT count(*) IS NOT NULL AS answered FROM asked;
SET privacct.epsilon = 0.001;
SELECT dp_topk(place, 1) IS NOT NULL AS answered FROM trip WHERE hour = 1;		-- with its time it costs enough
-- what reads no row is no look: it is not charged, by whichever accountant, and no release of which there would be intervals
SELECT count(*) IS NOT NULL AS answered FROM asked;
SELECT count(*) AS shown, sum(value) AS released FROM intervals() \gset
SELECT ward FROM visit GROUP BY ward ORDER BY ward;
SELECT ward FROM (SELECT ward, count(*) FROM visit GROUP BY ward) q ORDER BY ward;
SELECT 1 AS unused FROM (SELECT count(*) FROM visit) q UNION ALL SELECT 2 FROM (SELECT count(*), count(DISTINCT owner_id) FROM by_rho) q
UNION ALL SELECT 3 FROM (SELECT count(*) FROM asked) q UNION ALL SELECT 4 FROM (SELECT count(*) FROM trip) q;
SELECT count(*) AS shown, count(*) = :shown AND sum(value) = :released AS intervals_of_the_last_release FROM intervals();
RESET ROLE;
SELECT charges(t) FROM unnest(ARRAY['visit', 'by_rho', 'asked', 'trip']::regclass[]) t;
SELECT count(*) AS lines FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE p.relation = ANY ('{visit,by_rho,asked,trip}'::regclass[]) AND l.epsilon = 0 AND NOT l.detail ? 'fresh';
SELECT count(*) AS asked_for_nothing FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'asked'::regclass AND q.level = 0;

-- The hint is the least, up to its digits: it is allowed, and a bit less is not.
CREATE FUNCTION hint_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	SET LOCAL ROLE regress_pp_analyst;
	EXECUTE 'EXPLAIN ' || query;
	RESET ROLE;
	RETURN 'allowed';
EXCEPTION WHEN SQLSTATE '22PA5' THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN hint;
END
$$;
CREATE FUNCTION try_hint(start float8, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	least float8;
BEGIN
	PERFORM set_config('privacct.epsilon', start::text, true);
	least := substring(hint_of(query) FROM 'SET privacct.epsilon = ([0-9.e-]+), or more');
	PERFORM set_config('privacct.epsilon', least::text, true);
	IF hint_of(query) <> 'allowed' THEN
		RETURN 'the hint does not help';
	END IF;
	PERFORM set_config('privacct.epsilon', (least * 0.999)::text, true);
	RETURN CASE WHEN hint_of(query) = 'allowed' THEN 'less is allowed' ELSE 'the least' END;
END
$$;
SELECT query, try_hint(start, query) FROM (VALUES
	(0.0001, 'SELECT count(*) FROM visit'),
	(0.0001, 'SELECT ward, count(*), dp_sum(cost, 0, 9) FROM visit GROUP BY ward'),
	(0.0001, 'SELECT count(*) FROM by_rho'),
	(0.00001, 'SELECT count(*), dp_avg(cost, 0, 100, ''kernel=laplace'') FROM by_rho'),
	(0.0001, 'SELECT dp_topk(ward, 1) FROM by_rho'),
	(0.00001, 'SELECT count(*) FROM asked'),
	(0.00001, 'SELECT ldp_count(grade > 1), ldp_avg(grade, 0, 3) FROM asked')) v(start, query);

-- what is charged for time counts as well
SET ROLE regress_pp_analyst;
SET privacct.epsilon = 0.001;
SELECT count(*) IS NOT NULL AS answered FROM single;
RESET privacct.epsilon;

--
-- The price of time: in the same charge, and everywhere shown
--
SELECT count(*) IS NOT NULL AS answered FROM single;
EXPLAIN (COSTS OFF) SELECT count(*) FROM single;
SELECT statistic, kernel, scale, epsilon, delta::float4, rho::float4 FROM preview('SELECT count(*) FROM single') WHERE used;
SELECT epsilon, delta::float4, rho::float4, detail->'time'->'epsilon' AS time_epsilon, (detail->'time'->>'delta')::float4 AS time_delta,
	detail->'time'->'scale' AS scale, detail->'time'->'reach' AS reach, detail->'time'->'step_us' AS step_us
FROM my_ledger ORDER BY charge_id DESC LIMIT 1;
SELECT count(*) IS NOT NULL AS answered FROM trip WHERE place = 'home';
SELECT count(*) IS NOT NULL AS answered FROM trip WHERE place = 'home' AND person IN (3, 4);		-- its time is about everybody
EXPLAIN (COSTS OFF) SELECT count(*) FROM trip WHERE place = 'home' AND person IN (3, 4);
RESET ROLE;
SELECT count(*) AS owners_named FROM owner_account o JOIN policy p USING (policy_id) WHERE p.relation IN ('single'::regclass, 'trip'::regclass);
-- a sample does not make time cheaper, and the odometer has both
SET ROLE regress_pp_analyst;
SET privacct.sample_rate = 0.1;
SELECT count(*) IS NOT NULL AS answered FROM single;
SELECT epsilon, delta::float4 FROM my_ledger ORDER BY charge_id DESC LIMIT 1;
RESET privacct.sample_rate;
RESET ROLE;
SELECT epsilon_spent, delta_spent::float4, releases, epsilon_tight BETWEEN 0.45 AND epsilon_spent AS tight FROM odometer WHERE relation = 'single'::regclass;
-- under zcdp: half the square, and the delta with that of the selection
SET ROLE regress_pp_dba;
SELECT set_release_terms('by_rho', time_epsilon => 0.1);
SET ROLE regress_pp_analyst;
SELECT rho::float4, delta::float4, statistic FROM preview('SELECT count(*) FROM by_rho') WHERE statistic IN ('time', 'release');
SELECT dp_topk(ward, 1) IS NOT NULL AS answered FROM by_rho;
SELECT epsilon, detail->'statistics'->0->'epsilon' AS noise, detail->'time'->'epsilon' AS time FROM my_ledger ORDER BY charge_id DESC LIMIT 1;
-- how long draws take is hidden by no delay: there is noise instead
SELECT statistic, kernel FROM preview('SELECT dp_mode(place) FROM trip') WHERE used;
SELECT dp_topk(ward, 1, 'kernel=exponential') FROM by_rho;
SELECT dp_mode(place, 'kernel=exponential') FROM trip;
RESET ROLE;

--
-- Terms can be changed, either way; what is left out gets its default
--
SET ROLE regress_pp_dba;
SELECT set_release_terms('visit', min_epsilon => 0.5, workers => 3);
SELECT set_release_terms('visit', min_epsilon => 0.5, time_grid => '2 ms');
SELECT set_release_terms('visit', min_epsilon => 0.5, time_grid => '1 ms');
SELECT set_release_terms('visit', min_epsilon => 0.5, time_grid => '1 ms', workers => 3);
SELECT set_release_terms('visit', min_epsilon => 0.4, time_epsilon => 1);
SELECT set_release_terms('visit', min_epsilon => 0.4, time_epsilon => 2);
SELECT set_release_terms('visit');
SELECT set_release_terms('trip', min_epsilon => 0.03, time_grid => '1 ms');
SELECT set_priors('trip', chain_prior('{home,work}'::text[], '{{0.7,0.3},{0.3,0.7}}'), max_entries => 5) AS version;
SELECT show_terms();
SELECT revoke_budget('single', 'regress_pp_analyst'), grant_budget('single', 'regress_pp_analyst', 1);
SELECT set_release_terms('single', time_epsilon => 0.1);
SELECT set_release_terms('visit', min_epsilon => 8.1);
SELECT set_release_terms('visit', time_epsilon => 1e-3);
SELECT set_release_terms('pri.nothing');
RESET ROLE;
SELECT set_release_terms('pg_class');

SET client_min_messages = warning;
DROP SCHEMA pri CASCADE;
DROP ROLE regress_pp_dba, regress_pp_analyst, regress_pp_nobody;
