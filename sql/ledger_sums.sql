-- The ledger's sums: views look up these and a few lines, and lines can be folded into them.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/charging.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_sums TEMPLATE template0;
\connect regression_sums
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_ls_analyst;
CREATE ROLE regress_ls_second;
CREATE ROLE regress_ls_steward IN ROLE privacct_admin;
GRANT CREATE, USAGE ON SCHEMA public TO regress_ls_steward;
SET search_path = public, privacct;
\ir :helpers
-- what the whole ledger says, as it says it
CREATE VIEW by_lines AS
SELECT policy_id, sum(epsilon) AS epsilon, sum(delta) AS delta, sum(rho) AS rho, count(*) AS charges,
	coalesce(sum(epsilon) FILTER (WHERE detail ? 'owners'), 0) AS named_epsilon, coalesce(sum(delta) FILTER (WHERE detail ? 'owners'), 0) AS named_delta
FROM privacct.ledger WHERE NOT coalesce(detail ? 'carried_from_policy', false) GROUP BY policy_id;
CREATE FUNCTION shown() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT 'odometer ' || to_jsonb(o)::text FROM odometer o
	UNION ALL SELECT 'budget ' || (to_jsonb(b) - 'granted_at')::text FROM budget b
	UNION ALL SELECT 'plan ' || to_jsonb(p)::text FROM plan p
	UNION ALL SELECT 'entries ' || (to_jsonb(e) - 'declared_at')::text FROM pufferfish_budget e
	UNION ALL SELECT 'paid ' || jsonb_build_array(policy_id, payer, sum(epsilon), sum(charges))::text FROM privacct._paid GROUP BY policy_id, payer
	ORDER BY 1
$$;
SET ROLE regress_ls_steward;
CREATE TABLE visit (person int PRIMARY KEY, cost int NOT NULL);
INSERT INTO visit SELECT i, i FROM generate_series(1, 50) i;
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
CREATE TABLE planned (person int PRIMARY KEY);
CREATE TABLE concentrated (patient int PRIMARY KEY);
SELECT protect('visit', 'person', epsilon => 1000) AS visit, protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 1000, max_entries => 6) AS walk,
	protect('planned', 'person', accountant => 'plan', epsilon => 3) AS planned, protect('concentrated', 'patient', accountant => 'zcdp', epsilon => 100, delta => 1e-6) AS concentrated;
SELECT set_bounds('visit', 'cost', 0.0, 100.0) \g /dev/null
SELECT grant_budget(relation, role, 1000) FROM unnest('{visit,walk}'::regclass[]) relation, unnest('{regress_ls_analyst,regress_ls_second}'::name[]) role \g /dev/null
SELECT grant_budget('planned', 'regress_ls_analyst', 3), grant_budget('concentrated', 'regress_ls_analyst', 100, 1e-6) \g /dev/null
SELECT FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 100}, {"kernel": "gaussian", "releases": 5}]');
RESET ROLE;
SELECT ask('regress_ls_analyst', '0.25', 'SELECT count(*) FROM visit', 150), ask('regress_ls_second', '0.5', 'SELECT avg(cost) FROM visit', 20),
	ask('regress_ls_analyst', '0.25', $$SELECT count(*) FROM walk WHERE place = 'a'$$, 70), ask('regress_ls_analyst', '0.5', $$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 30),
	ask('regress_ls_analyst', '1', 'SELECT count(*) FROM planned', 70), ask('regress_ls_analyst', '1', 'SELECT count(*) FROM concentrated', 70) \g /dev/null

-- the worker brings sums forward by itself when it has nothing to do, and with the lines after them they are those of the ledger
DO $$
BEGIN
	WHILE (SELECT count(*) FROM privacct.ledger_sum t JOIN privacct.policy p USING (policy_id)
			WHERE (SELECT count(*) FROM privacct.ledger l WHERE l.policy_id = t.policy_id AND l.charge_id > t.charge_id) < 8) < 4 LOOP
		PERFORM pg_sleep(0.01);
		COMMIT;
	END LOOP;
END
$$;
SELECT policy_id, (SELECT count(*) FROM privacct.ledger l WHERE l.policy_id = t.policy_id AND l.charge_id > t.charge_id) < 8 AS few_lines_after, t.charges > 0 AS some_summed
FROM privacct.ledger_sum t ORDER BY 1;
SELECT policy_id, epsilon, delta, rho, charges, named_epsilon, named_delta FROM privacct._charged EXCEPT TABLE by_lines;
SELECT policy_id, payer, sum(epsilon), sum(charges) FROM privacct._paid GROUP BY 1, 2
EXCEPT SELECT policy_id, payer, sum(epsilon), count(*) FROM privacct.ledger GROUP BY 1, 2;
SELECT policy_id, sum(charges) FROM privacct._released GROUP BY 1 EXCEPT SELECT policy_id, count(*) FROM privacct.ledger GROUP BY 1;
SELECT * FROM pg_temp.check_tampered();
SELECT policy_id, charges, epsilon FROM privacct._charged ORDER BY 1;

-- what is dear is computed for whoever selects it, and no view reads all lines
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP RETURN NEXT line; END LOOP;
END
$$;
SELECT count(*) FILTER (WHERE line ~ 'compose') AS composed, count(*) FILTER (WHERE line ~ 'on privacct.ledger_line\M') AS lines_read FROM plan_of('SELECT policy_id, delta_spent, releases FROM privacct.odometer') line;
SELECT count(*) FILTER (WHERE line ~ 'compose') > 0 AS composed FROM plan_of('SELECT epsilon_tight FROM privacct.odometer') line;
SET enable_seqscan = off;
SELECT line FROM plan_of('SELECT * FROM privacct.discrepancy') line WHERE line ~ 'Seq Scan on privacct.ledger_line\M';
SELECT line FROM plan_of('SELECT * FROM privacct.odometer') line WHERE line ~ 'Seq Scan on privacct.ledger_line\M';
SELECT line FROM plan_of('SELECT * FROM privacct.pufferfish_budget') line WHERE line ~ 'Seq Scan on privacct.ledger_line\M';
RESET enable_seqscan;

-- how many lines are read, for all policies: those after the sums, twice at most for each place that sums them
CREATE FUNCTION lines_read(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ' || query INTO plan;
	RETURN coalesce((SELECT sum((n->>'Actual Rows')::numeric * (n->>'Actual Loops')::numeric) FROM jsonb_path_query(plan, 'strict $.**') n
		WHERE jsonb_typeof(n) = 'object' AND n->>'Relation Name' = 'ledger_line'), 0);
END
$$;
SELECT privacct._sum_ledger(policy_id) FROM policy \g /dev/null
SELECT lines_read('SELECT * FROM privacct.odometer') AS odometer, lines_read('SELECT * FROM privacct.budget') AS budget, lines_read('SELECT * FROM privacct.pufferfish_budget') AS pufferfish_budget,
	lines_read('SELECT * FROM privacct.discrepancy') < 60 AS few_for_discrepancy;

-- folded: nothing that is shown of what was spent changes
CREATE TEMP TABLE before AS SELECT * FROM shown() line;
SET ROLE regress_ls_second;
SELECT fold_ledger('visit', now());
SET ROLE regress_ls_steward;
SELECT fold_ledger('visit', NULL);
SELECT fold_ledger('visit', now() - interval '1 year');
SELECT fold_ledger('visit', now()), fold_ledger('walk', now()), fold_ledger('planned', now()), fold_ledger('concentrated', now());
SELECT fold_ledger('visit', now());
RESET ROLE;
SELECT policy_id, count(*) FROM ledger GROUP BY 1 ORDER BY 1;
SELECT policy_id, folded_charges, folded_epsilon FROM ledger_sum ORDER BY 1;
TABLE before EXCEPT SELECT * FROM shown();
SELECT * FROM pg_temp.check_tampered();
-- charged, checked, repaired and carried over as if the lines were there
SELECT ask('regress_ls_analyst', '0.25', 'SELECT count(*) FROM visit', 3);
SELECT policy_id, charges, epsilon FROM privacct._charged WHERE policy_id = 1;
ALTER TABLE privacct.account DISABLE TRIGGER USER;
DELETE FROM privacct.account;
ALTER TABLE privacct.account ENABLE TRIGGER USER;
SELECT policy_id, problem, detail FROM pg_temp.check_tampered();
SELECT repair_books(relation) FROM policy ORDER BY policy_id;
SELECT * FROM pg_temp.check_tampered();
SELECT relation, releases, epsilon_spent > 0 AS spent FROM odometer ORDER BY policy_id;
SELECT role, epsilon, releases FROM account WHERE policy_id = 1 ORDER BY role::text;
SELECT unprotect('visit'), protect('visit', 'person', epsilon => 1000) > 0 AS again;
SELECT epsilon_spent, releases FROM odometer WHERE relation = 'visit'::regclass AND open;
SELECT payer, epsilon, detail->'charges' AS charges FROM ledger WHERE policy_id = (SELECT max(policy_id) FROM policy) ORDER BY payer;
SELECT (SELECT epsilon_tight FROM odometer WHERE policy_id = 1) = (SELECT epsilon_tight FROM odometer WHERE relation = 'visit'::regclass AND open) AS tight_the_same;

-- the ledger stays append-only, and nothing is taken out that is not summed
DELETE FROM ledger;
SELECT privacct._take_out_lines(4, 1000000, '{}');
UPDATE ledger_sum SET charges = 0;
SET privacct.write_books = on;
UPDATE ledger_sum SET charges = 0;
UPDATE ledger_sum SET folded_charges = 0;
UPDATE payer_sum SET epsilon = 0;
UPDATE release_sum SET charges = 0;
RESET privacct.write_books;
DELETE FROM release_sum;
TRUNCATE payer_sum;
-- lines that are missing are noticed, and so are those that were put back
ALTER TABLE privacct.ledger_line DISABLE TRIGGER USER;
DELETE FROM privacct.ledger_line WHERE policy_id = 2;
ALTER TABLE privacct.ledger_line ENABLE TRIGGER USER;
SELECT policy_id, problem, remedy FROM pg_temp.check_tampered();
INSERT INTO ledger VALUES (1, 3, now(), 'regress_ls_analyst', 'regress_ls_analyst', 0, 0, 0.5);
SELECT policy_id, problem, detail, remedy FROM pg_temp.check_tampered();
SELECT repair_books('planned');
SELECT policy_id, problem FROM pg_temp.check_tampered();

-- lines that come back are in all sums: by who paid, and for what
SELECT _sum_ledger(policy_id) FROM policy WHERE policy_id = 4;
SELECT charges FROM ledger_sum WHERE policy_id = 4;
INSERT INTO ledger VALUES (2, 4, now(), 'regress_ls_second', 'regress_ls_second', 0.125, 0, 0.25, '{"statistics": [{"epsilon": 0.125, "delta": 0}]}');
INSERT INTO ledger SELECT 3, 4, charged_at, role, payer, epsilon, delta, rho, detail FROM ledger WHERE policy_id = 4 AND charge_id > 10 ORDER BY charge_id DESC LIMIT 1;
SELECT policy_id, problem, remedy FROM pg_temp.check_tampered() WHERE policy_id = 4;
SELECT repair_books('concentrated');
SELECT policy_id, problem FROM pg_temp.check_tampered() WHERE policy_id = 4;
SELECT payer, epsilon, rho, charges FROM payer_sum WHERE policy_id = 4 AND payer = 'regress_ls_second';
SELECT epsilon, mechanisms, charges FROM release_sum WHERE policy_id = 4 AND epsilon = 0.125;
SELECT charges, folded_charges FROM ledger_sum WHERE policy_id = 4;
SELECT releases, rho - 0.25 > 0 AS rho_grew FROM account WHERE policy_id = 4 AND role = 0::oid;
-- and what is less in the lines makes nothing less
SELECT policy_id, s.payer, s.charges >= l.charges AS no_less FROM payer_sum s CROSS JOIN LATERAL (SELECT count(*) AS charges FROM ledger l WHERE l.policy_id = s.policy_id AND l.payer = s.payer) l ORDER BY 1, 2;

-- books that pg_upgrade has moved take their new cluster's number, whatever is left to sum
BEGIN;
SET LOCAL privacct.write_books = on;
UPDATE privacct.home SET cluster = 1, timeline = 0;
RESET privacct.write_books;
SELECT _sum_ledger(1) \g /dev/null
SELECT cluster = _cluster() AS cluster, timeline = _timeline() AS timeline FROM privacct.home;
ROLLBACK;

-- sums that a restore left out: what was spent counts, and it is told that views show less
BEGIN;
ALTER TABLE privacct.release_sum DISABLE TRIGGER USER;
ALTER TABLE privacct.payer_sum DISABLE TRIGGER USER;
DELETE FROM privacct.release_sum WHERE policy_id = 3;
DELETE FROM privacct.payer_sum WHERE policy_id = 3;
SELECT policy_id, problem, detail, remedy FROM pg_temp.check_tampered() WHERE problem ~ 'sums of charges';
ROLLBACK;
-- or brought in part
BEGIN;
ALTER TABLE privacct.release_sum DISABLE TRIGGER USER;
ALTER TABLE privacct.payer_sum DISABLE TRIGGER USER;
DELETE FROM privacct.release_sum r WHERE r.policy_id = 2 AND r.hash = (SELECT s.hash FROM privacct.release_sum s WHERE s.policy_id = 2 ORDER BY 1 LIMIT 1);
UPDATE privacct.payer_sum SET epsilon = epsilon / 2 WHERE policy_id = 2;
SELECT policy_id, problem FROM pg_temp.check_tampered() WHERE problem ~ 'sums of charges';
ROLLBACK;
SELECT policy_id, problem FROM pg_temp.check_tampered() WHERE problem ~ 'sums of charges';

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_sums;
DROP ROLE regress_ls_analyst, regress_ls_second, regress_ls_steward;
