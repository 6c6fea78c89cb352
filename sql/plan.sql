--
-- Budgets kept by a plan: so many releases of such noise, declared beforehand.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_dba;
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_first;
CREATE ROLE regress_pa_second;
CREATE SCHEMA planned;
GRANT ALL ON SCHEMA planned TO regress_pa_dba;
GRANT USAGE ON SCHEMA planned TO PUBLIC;
SET search_path = planned, privacct, public;
\i :helpers
CREATE TABLE visit (visit_id int PRIMARY KEY, who int NOT NULL, ward text, cost float8);
INSERT INTO visit SELECT i, i / 3, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
ALTER TABLE visit OWNER TO regress_pa_dba;
RESET client_min_messages;

SET ROLE regress_pa_dba;
SELECT privacct.protect('visit', 'who', epsilon => 100000, delta => 1e-6, accountant => 'plan',
						max_groups_contributed => 3, max_rows_contributed => 3, fresh => true) > 0 AS protected;
SELECT privacct.set_bounds('visit', 'cost', 0, 500), privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'C']);
SELECT privacct.grant_budget('visit', 'regress_pa_first', 1);
SET client_min_messages = warning;
SELECT privacct.grant_budget('visit', 'regress_pa_second', 1);

-- nothing is released before there is a plan
RESET ROLE;
SELECT ask('regress_pa_first', 'SELECT count(*) FROM visit');
SELECT charges('visit');

-- what a plan may not say; nothing changes
CREATE FUNCTION try_plan(plan jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	state text;
BEGIN
	PERFORM privacct.plan_budget('visit', plan);
	RETURN 'planned';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', state || ':', SQLERRM, '- ' || nullif(detail, ''));
END
$$;
SELECT plan, try_plan(plan) FROM unnest(ARRAY[NULL, '{}', '[]', '3', '[1]', '[{}]',
	'[{"kernel": "laplace"}]',
	'[{"kernel": "uniform", "releases": 1}]',
	'[{"kernel": "optimal", "releases": 1, "within": 1}]',
	'[{"kernel": "staircase", "releases": 1}]',
	'[{"kernel": "laplace", "releases": 0}]',
	'[{"kernel": "laplace", "releases": 1.5}]',
	'[{"kernel": "laplace", "releases": 1e10}]',
	'[{"kernel": "laplace", "releases": "many"}]',
	'[{"kernel": "laplace", "releases": 1, "groups": 4}]',
	'[{"kernel": "laplace", "releases": 1, "weight": 0}]',
	'[{"kernel": "laplace", "releases": 1, "within": -1}]',
	'[{"kernel": "laplace", "releases": 1, "epsilon": 1}]',
	'[{"kernel": "laplace", "releases": 1, "role": "regress_pa_nobody"}]',
	'[{"kernel": "laplace", "releases": 1, "role": 7}]']::jsonb[]) plan;
SELECT try_plan(jsonb_agg(jsonb '{"kernel": "laplace", "releases": 1}')) FROM generate_series(1, 65);
SELECT count(*) FROM privacct.plan;

-- only the owner plans
SET ROLE regress_pa_first;
SELECT * FROM privacct.plan_budget('visit', '[{"kernel": "laplace", "releases": 1000}]');
RESET ROLE;

-- a plan, and one that replaces it before anything was released
SET ROLE regress_pa_dba;
SELECT slot, kernel, releases, groups FROM privacct.plan_budget('visit', '[{"kernel": "brdp_laplace", "releases": 7, "within": 0.5}]');
SELECT slot, role, kernel, releases, groups, weight, within, scale < 0.01 AS exact, acceptance > 0.999999 AS accepted, epsilon_alone > 0 AND rho > 0 AS costs
FROM privacct.plan_budget('visit', '[
	{"kernel": "laplace", "releases": 3},
	{"kernel": "laplace", "releases": 2, "role": "regress_pa_second"},
	{"kernel": "gaussian", "releases": 4, "groups": 1, "weight": 0.9},
	{"kernel": "staircase", "releases": 2, "within": 0.1, "groups": 1}]');
RESET ROLE;

-- each role sees the slots that it may use
CREATE VIEW lefts AS SELECT string_agg(format('%s: %s of %s', slot, plan.left, releases), ', ' ORDER BY slot) AS slots_left FROM privacct.plan;
GRANT SELECT ON lefts TO PUBLIC;
SELECT ask(r, 'SELECT slot, plan.left FROM privacct.plan') FROM unnest('{regress_pa_dba, regress_pa_first, regress_pa_second}'::name[]) r;
CREATE ROLE regress_pa_stranger;
SELECT ask('regress_pa_stranger', 'SELECT slot FROM privacct.plan');

-- what it would take
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		RETURN NEXT regexp_replace(line, '(scale|Rho:) [0-9.e+-]+', '\1 ...');
	END LOOP;
END
$$;
SET ROLE regress_pa_first;
SELECT explained('SELECT count(*), avg(cost) FROM visit');
SELECT statistic, kernel, within, epsilon, delta, releases_left FROM privacct.preview('SELECT count(*) FROM visit') ORDER BY used DESC, kernel;
SELECT kernel, releases_left FROM privacct.preview('SELECT ward, count(*), sum(cost) FROM visit GROUP BY ward') WHERE statistic = 'release';
RESET ROLE;

-- answers, and what they use; the session's epsilon is ignored
SET privacct.epsilon = 1e-6;
SELECT same('regress_pa_first', 'SELECT count(*) FROM visit', 'regress_pa_dba', 'SELECT count(*) FROM visit');
SELECT same('regress_pa_first', 'SELECT ward, count(*) FROM visit GROUP BY ward', 'regress_pa_dba', 'SELECT ward, count(*) FROM visit GROUP BY ward');
SELECT slots_left FROM lefts;
-- a kernel of one's choice, by the query or the session
SELECT same('regress_pa_first', $$SELECT dp_count(cost, 'kernel=gaussian') FROM visit$$, 'regress_pa_dba', 'SELECT count(cost) FROM visit');
SET privacct.kernel = 'staircase';
SELECT same('regress_pa_first', 'SELECT count(*) FROM visit', 'regress_pa_dba', 'SELECT count(*) FROM visit');
RESET privacct.kernel;
SELECT slots_left FROM lefts;
-- an average takes two: the last laplace and a gaussian
SELECT ask('regress_pa_first', 'SELECT avg(cost) BETWEEN 149 AND 152 AS near FROM visit');
SELECT slots_left FROM lefts;
SELECT charges('visit');
-- three groups an owner take a slot for three, and the first role's are used up
SELECT ask('regress_pa_first', 'SELECT ward, count(*) FROM visit GROUP BY ward');
SELECT same('regress_pa_second', 'SELECT ward, count(*) FROM visit GROUP BY ward', 'regress_pa_dba', 'SELECT ward, count(*) FROM visit GROUP BY ward');
SELECT slots_left FROM lefts;

-- what cannot be asked for
SELECT ask('regress_pa_first', $$SELECT dp_count(cost, 'epsilon=1') FROM visit$$);
SELECT ask('regress_pa_first', $$SELECT dp_count(cost, 'delta=0.01') FROM visit$$);
SELECT ask('regress_pa_first', $$SELECT dp_count(cost, 'within=1') FROM visit$$);
SELECT o, ask('regress_pa_first', format('SELECT dp_count(cost), dp_count(cost, %L) FROM visit', o)), ask('regress_pa_first', format('SELECT dp_count(cost, %L), dp_count(cost) FROM visit', o))
FROM unnest('{error=2 %,error=100,within=1}'::text[]) o;
SELECT ask('regress_pa_first', $$SELECT dp_count(cost, 'kernel=brdp_laplace') FROM visit$$);
SELECT ask('regress_pa_first', 'SELECT cost > 3, count(*) FROM visit GROUP BY 1');
SELECT ask('regress_pa_first', 'SELECT ward FROM visit GROUP BY ward');
SET privacct.within = 5;
SELECT ask('regress_pa_first', 'SELECT count(*) FROM visit');
RESET privacct.within;
SET privacct.sample_rate = 0.5;
SELECT ask('regress_pa_first', 'SELECT count(*) FROM visit');
RESET privacct.sample_rate;
SELECT slots_left FROM lefts;

-- all or nothing: five statistics, four uses
SELECT ask('regress_pa_first', 'SELECT count(*), count(cost), sum(cost), sum(-cost), count(DISTINCT who) FROM visit');
SELECT slots_left FROM lefts;
-- a release that fits no more is still explained
SET ROLE regress_pa_first;
SELECT explained('SELECT ward, count(*) FROM visit GROUP BY ward');
SELECT releases_left FROM privacct.preview('SELECT ward, count(*) FROM visit GROUP BY ward') WHERE statistic = 'release';
RESET ROLE;

-- in use: fixed
SELECT try_plan('[{"kernel": "laplace", "releases": 1}]');
-- the books
SELECT l.payer, l.epsilon, l.delta, l.rho > 0 AS rho, l.detail->'slots' AS slots FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
WHERE p.relation = 'visit'::regclass ORDER BY charge_id;
SELECT accountant, epsilon, epsilon_spent BETWEEN 1 AND 100000 AS spent, epsilon_left BETWEEN 1 AND 100000 AS left, delta_spent, releases
FROM privacct.odometer WHERE relation = 'visit'::regclass AND open;
SELECT role, accountant, epsilon, epsilon_spent, epsilon_left, delta_left, releases FROM privacct.budget WHERE relation = 'visit'::regclass ORDER BY role::text COLLATE "C";
SELECT ask('regress_pa_first', 'SELECT role, epsilon_spent, epsilon_left, releases FROM privacct.my_budget');

-- a later policy: what the plan promised is spent, used or not
SET ROLE regress_pa_dba;
SELECT privacct.unprotect('visit');
SELECT privacct.protect('visit', 'who', epsilon => 1e6, delta => 1e-6, fresh => true) > 0 AS protected;
SELECT privacct.protect('visit', 'who', epsilon => 100000, delta => 1e-6, accountant => 'plan', fresh => true) > 0 AS protected;
RESET ROLE;
SELECT a.role, a.epsilon, a.delta, a.releases FROM privacct.account a JOIN privacct.policy p USING (policy_id)
WHERE p.relation = 'visit'::regclass AND closed_at IS NULL ORDER BY a.role::text COLLATE "C";
SELECT l.payer, l.epsilon, l.delta, l.detail ? 'promised_by_plan' AS promised FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
WHERE p.relation = 'visit'::regclass AND closed_at IS NULL ORDER BY 1, 2;
SELECT epsilon_spent, epsilon_left FROM privacct.odometer WHERE relation = 'visit'::regclass AND open;
SELECT try_plan('[{"kernel": "laplace", "releases": 1}]');
-- one that was not used adds nothing
SELECT privacct.unprotect('visit');
SELECT privacct.protect('visit', 'who', epsilon => 300000, delta => 2e-6, accountant => 'plan', max_groups_contributed => 1, fresh => true) > 0 AS protected;
SELECT epsilon_spent, epsilon_left, delta_spent, delta_left FROM privacct.odometer WHERE relation = 'visit'::regclass AND open;
SELECT privacct.grant_budget('visit', 'regress_pa_first', 1);
SELECT epsilon_alone BETWEEN 99900 AND 100000 AS half_of_what_is_left FROM privacct.plan_budget('visit', '[{"kernel": "laplace", "releases": 2}]');
SELECT same('regress_pa_first', 'SELECT count(*) FROM visit', 'regress_pa_dba', 'SELECT count(*) FROM visit');
SELECT epsilon_spent BETWEEN 199900 AND 200000 AS spent FROM privacct.odometer WHERE relation = 'visit'::regclass AND open;
SELECT privacct.unprotect('visit');
SELECT privacct.protect('visit', 'who', epsilon => 400000, delta => 2e-6, accountant => 'plan', fresh => true) > 0 AS protected;
SELECT epsilon_spent, delta_spent FROM privacct.odometer WHERE relation = 'visit'::regclass AND open;
SELECT sum(l.epsilon) = a.epsilon AND sum(l.delta) = a.delta AS books_agree FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
WHERE p.relation = 'visit'::regclass AND closed_at IS NULL GROUP BY a.epsilon, a.delta;
-- all of delta is spent: pure noise alone can still be planned
SELECT try_plan('[{"kernel": "gaussian", "releases": 1}]');
SELECT try_plan('[{"kernel": "laplace", "releases": 1}, {"kernel": "staircase", "releases": 1, "within": 1}]');

-- a minimum of owners takes a use more
CREATE TABLE small (owner int PRIMARY KEY, ward text NOT NULL);
INSERT INTO small SELECT i, CASE WHEN i <= 5 THEN 'B' ELSE 'C' END FROM generate_series(1, 205) i;
SELECT privacct.protect('small', 'owner', epsilon => 100000, delta => 0, accountant => 'plan', min_owners => 10, kernels => '{laplace}', fresh => true) > 0 AS protected;
SELECT privacct.set_keys('small', 'ward', ARRAY['A', 'B', 'C']), privacct.grant_budget('small', 'regress_pa_first', 1);
SELECT * FROM privacct.plan_budget('small', '[{"kernel": "staircase", "releases": 1, "within": 1}]');
SELECT slot, releases FROM privacct.plan_budget('small', '[{"kernel": "laplace", "releases": 3}]');
SELECT ask('regress_pa_first', 'SELECT ward, count(*) FROM small GROUP BY ward');
SELECT ask('regress_pa_first', 'SELECT ward, count(*) FROM small GROUP BY ward');
SELECT slot, used FROM privacct.plan WHERE relation = 'small'::regclass;
SELECT ask('regress_pa_first', 'SELECT count(*) FROM small');

-- what does not go with a plan
SELECT privacct.protect('lefts', 'who', accountant => 'plan', fresh => true);
CREATE TABLE other (who int NOT NULL);
SELECT privacct.protect('other', 'who', accountant => 'plan', sample_rate => 0.5, fresh => true);
SELECT privacct.protect('other', 'who', fresh => true) > 0 AS protected;
SELECT * FROM privacct.plan_budget('other', '[{"kernel": "laplace", "releases": 3}]');
SELECT * FROM privacct.plan_budget('lefts', '[{"kernel": "laplace", "releases": 3}]');
SELECT * FROM privacct.plan_budget(NULL, '[{"kernel": "laplace", "releases": 3}]');

DROP SCHEMA planned CASCADE;
DROP OWNED BY regress_pa_dba, regress_pa_first, regress_pa_second, regress_pa_stranger;
DROP ROLE regress_pa_dba, regress_pa_first, regress_pa_second, regress_pa_stranger;
