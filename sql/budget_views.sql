-- What the views show of budgets, and to whom.  Charges are written here as the
-- ledger writes them: one line, and the same amounts added to two accounts.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_steward;
CREATE ROLE regress_pa_second;
GRANT privacct_admin TO regress_pa_steward, regress_pa_second;
CREATE ROLE regress_pa_asker;
CREATE ROLE regress_pa_team;
GRANT regress_pa_team TO regress_pa_asker;
CREATE SCHEMA bud;
GRANT USAGE ON SCHEMA bud TO PUBLIC;
CREATE TABLE bud.sums (owner_id int NOT NULL);
CREATE TABLE bud.rhos (owner_id int NOT NULL);
CREATE TABLE bud.elsewhere (owner_id int NOT NULL);
ALTER TABLE bud.sums OWNER TO regress_pa_steward;
ALTER TABLE bud.rhos OWNER TO regress_pa_steward;
ALTER TABLE bud.elsewhere OWNER TO regress_pa_second;
SELECT privacct.protect('bud.sums', 'owner_id', epsilon => 3, delta => 1e-6, fresh => true) > 0 AS ok,
	   privacct.protect('bud.rhos', 'owner_id', epsilon => 3, delta => 1e-6, accountant => 'zcdp', fresh => true) > 0 AS ok,
	   privacct.protect('bud.elsewhere', 'owner_id', fresh => true) > 0 AS ok;
SELECT privacct.grant_budget('bud.sums', 'regress_pa_asker', 2, 1e-7), privacct.grant_budget('bud.sums', 'regress_pa_team', 2.5),
	   privacct.grant_budget('bud.rhos', 'regress_pa_asker', 2);

CREATE FUNCTION public.pa_charge(target regclass, asker name, payer name, e numeric, d numeric, r numeric) RETURNS void LANGUAGE sql SET privacct.write_books = on AS $$
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT policy_id, now(), asker, payer, e, d, r, '{"kernel": "laplace"}' FROM privacct.policy WHERE relation = target AND closed_at IS NULL;
	UPDATE privacct.account a SET epsilon = a.epsilon + e, delta = a.delta + d, rho = a.rho + r, releases = releases + 1
	FROM privacct.policy p WHERE p.relation = target AND p.closed_at IS NULL AND a.policy_id = p.policy_id AND a.role::text IN ('-', payer)
$$;
SELECT pa_charge('bud.sums', 'regress_pa_asker', 'regress_pa_asker', 0.1, 1e-8, 0.005) FROM generate_series(1, 10);
SELECT pa_charge('bud.sums', 'regress_pa_asker', 'regress_pa_team', 1.25, 0, 0.5);
SELECT pa_charge('bud.rhos', 'regress_pa_asker', 'regress_pa_asker', 0.5, 0, 0.01);
-- ten times a tenth is one
SELECT a.epsilon, a.releases FROM privacct.account a JOIN privacct.policy p USING (policy_id)
WHERE p.relation = 'bud.sums'::regclass ORDER BY a.role::text COLLATE "C";

-- the owner of the tables: promise, spent, left
SET ROLE regress_pa_steward;
SELECT relation, accountant, epsilon, epsilon_spent, epsilon_left, delta, cap_delta, delta_spent, delta_left, rho_spent, releases
FROM privacct.odometer WHERE accountant = 'basic' AND open;
SELECT relation, epsilon, round(epsilon_spent, 4) AS epsilon_spent, cap_delta, round(cap_rho, 6) AS cap_rho, rho_spent, round(rho_left, 6) AS rho_left, releases
FROM privacct.odometer WHERE accountant = 'zcdp' AND open;
SELECT relation, role, epsilon, round(epsilon_spent, 4) AS epsilon_spent, round(epsilon_left, 4) AS epsilon_left, delta, delta_spent, rho_spent, releases, granted_by = current_user AS own
FROM privacct.budget ORDER BY relation::text COLLATE "C", role::text COLLATE "C";
RESET ROLE;
-- nobody else sees them
SET ROLE regress_pa_second;
SELECT relation, releases FROM privacct.odometer ORDER BY 1;
SELECT count(*) FROM privacct.budget;
RESET ROLE;

-- the analyst: own quota and the team's; no more is left than the table has
SET ROLE regress_pa_asker;
SELECT relation, role, epsilon, round(epsilon_spent, 4) AS epsilon_spent, round(epsilon_left, 4) AS epsilon_left, delta, delta_left, rho_spent, releases
FROM privacct.my_budget ORDER BY relation::text COLLATE "C", role::text COLLATE "C";
SELECT relation, relation_name, payer, sum(epsilon) AS epsilon, sum(delta) AS delta, count(*) FROM privacct.my_ledger GROUP BY 1, 2, 3 ORDER BY 2, 3;
SELECT count(*) FROM privacct.odometer;
-- a function in a condition sees no row of others
CREATE FUNCTION pg_temp.tell(name) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE NOTICE 'row of %', $1; RETURN true; END $$;
RESET ROLE;
SET ROLE regress_pa_team;
SELECT relation, role FROM privacct.my_budget;
SELECT count(*) FROM privacct.my_ledger WHERE pg_temp.tell(role);
RESET ROLE;

-- what rho is worth: never less than the true epsilon, and zero for nothing
SELECT privacct._worth(accountant, 0, 1e-6) AS nothing, privacct._worth(accountant, cap_rho, cap_delta) BETWEEN epsilon * 0.9999 AND epsilon * 1.0001 AS tight
FROM privacct.policy WHERE relation = 'bud.rhos'::regclass;
-- a sum above the cap leaves nothing, not less
SELECT pa_charge('bud.sums', 'regress_pa_asker', 'regress_pa_team', 5, 0, 1);
SET ROLE regress_pa_asker;
SELECT role, epsilon_left FROM privacct.my_budget WHERE relation = 'bud.sums'::regclass ORDER BY role::text COLLATE "C";
RESET ROLE;
-- revoked: no budget to see, what was paid stays visible
SET ROLE regress_pa_steward;
SELECT privacct.revoke_budget('bud.sums', 'regress_pa_asker');
SET ROLE regress_pa_asker;
SELECT relation, role FROM privacct.my_budget ORDER BY relation::text COLLATE "C", role::text COLLATE "C";
SELECT count(*) FROM privacct.my_ledger;
SET ROLE regress_pa_steward;
SELECT privacct.grant_budget('bud.sums', 'regress_pa_asker', 4);
SELECT epsilon, epsilon_spent, releases FROM privacct.budget WHERE role = 'regress_pa_asker'::regrole AND relation = 'bud.sums'::regclass;
SELECT privacct.unprotect('bud.rhos');
SELECT relation, open, releases FROM privacct.odometer WHERE relation = 'bud.rhos'::regclass;
SELECT count(*) AS budgets_left FROM privacct.budget WHERE relation = 'bud.rhos'::regclass;
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA bud CASCADE;
DROP FUNCTION pa_charge(regclass, name, name, numeric, numeric, numeric);
DROP ROLE regress_pa_team, regress_pa_second;
DROP OWNED BY regress_pa_steward, regress_pa_asker;
DROP ROLE regress_pa_steward, regress_pa_asker;
-- of a dropped table only a superuser sees the odometer
SELECT relation, relation_name, open, round(epsilon_spent, 4) AS epsilon_spent FROM privacct.odometer WHERE relation_name LIKE 'bud.%' ORDER BY relation_name;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
