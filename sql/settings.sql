-- Settings of a session, settings under which nothing is answered, and who
-- pays: plans, roles and budgets at execution.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_ps_steward;
CREATE ROLE regress_ps_analyst;
CREATE ROLE regress_ps_second;
GRANT privacct_admin TO regress_ps_steward, regress_ps_second;
CREATE ROLE regress_ps_team;
CREATE ROLE regress_ps_member IN ROLE regress_ps_team;
CREATE ROLE regress_ps_guest NOINHERIT IN ROLE regress_ps_team;
CREATE SCHEMA sett AUTHORIZATION regress_ps_steward;
GRANT USAGE ON SCHEMA sett TO PUBLIC;
SET search_path = sett, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_ps_steward;
CREATE TABLE visit (patient_id int NOT NULL, cost int);
INSERT INTO visit SELECT k, k % 10 FROM generate_series(1, 100) k;
CREATE TABLE ward (ward text);
GRANT SELECT ON ward TO PUBLIC;
SELECT privacct.protect('visit', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true) > 0 AS ok;
DO $$ BEGIN
	PERFORM privacct.set_bounds('visit', 'cost', 0, 10);
	PERFORM privacct.grant_budget('visit', r, 1e5, 0.01) FROM unnest('{regress_ps_analyst,regress_ps_second,regress_ps_team}'::name[]) r;
END $$;
RESET ROLE;

--
-- Ranges
--

SELECT name, boot_val, min_val, max_val, enumvals, context, vartype FROM pg_settings WHERE name LIKE 'privacct.%' AND name NOT IN ('privacct.require_durable_storage', 'privacct.loaded_version') ORDER BY name;
SET ROLE regress_ps_analyst;
SET privacct.epsilon = 0;
SET privacct.epsilon = -1;
SET privacct.epsilon = 'NaN';
SET privacct.epsilon = 'Infinity';
SET privacct.epsilon = 1e6;
SET privacct.delta = 0;
SET privacct.delta = 0.5;
SET privacct.kernel = 'uniform';
SET privacct.no_such_setting = 1;
SET privacct.enforce = off;
SET privacct.require_durable_storage = off;
SELECT set_config('privacct.epsilon', '0.000001', false), set_config('privacct.epsilon', '100000', false), set_config('privacct.delta', '1e-30', false), set_config('privacct.kernel', 'gaussian', false), set_config('privacct.kernel', 'policy', false);
RESET privacct.delta;
-- they say what a release costs, from the next execution on
PREPARE n AS SELECT count(*) > 0 AS some FROM visit;
SET privacct.epsilon = 2;
EXECUTE n;
SET privacct.epsilon = 3;
EXECUTE n;
SET privacct.kernel = gaussian;
EXECUTE n;
RESET privacct.kernel;
SELECT epsilon, delta, detail -> 'statistics' -> 0 ->> 'kernel' AS kernel FROM my_ledger ORDER BY charge_id;
DEALLOCATE n;
RESET ROLE;
SET privacct.epsilon = 100;

--
-- Under these settings nothing is answered, and nothing charged
--

CREATE FUNCTION under(setting text, value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before bigint := charges('visit');
	was text := current_setting(setting);
	answer text;
BEGIN
	PERFORM set_config(setting, value, true);
	answer := ask('regress_ps_analyst', 'SELECT count(*) FROM visit');
	PERFORM set_config(setting, was, true);
	RETURN concat(answer, CASE WHEN charges('visit') > before THEN ' CHARGED' END);
END
$$;
SET client_min_messages = debug1;
SET ROLE regress_ps_analyst;
SELECT count(*) FROM visit;
RESET client_min_messages;
RESET ROLE;
SELECT name AS parallel FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SELECT replace(setting, :'parallel', 'force_parallel_mode') AS setting, value, under(setting, value) FROM (VALUES ('client_min_messages', 'debug1'), ('client_min_messages', 'log'), ('client_min_messages', 'notice'), ('client_min_messages', 'error'),
	('debug_print_plan', 'on'), ('debug_print_parse', 'on'), ('debug_print_rewritten', 'on'), ('debug_pretty_print', 'off'), ('log_statement_stats', 'on'), ('log_planner_stats', 'on'), ('log_executor_stats', 'on'), ('log_parser_stats', 'on'), ('trace_sort', 'on'),
	('row_security', 'off'), ('enable_seqscan', 'off'), (:'parallel', 'on'), ('work_mem', '64kB'), ('jit', 'on'), ('from_collapse_limit', '1'), ('default_transaction_read_only', 'on'), ('standard_conforming_strings', 'off')) v(setting, value);
SET ROLE regress_ps_analyst;
-- other tables are no concern of these settings
SET debug_print_plan = on;
SELECT count(*) FROM ward;
RESET debug_print_plan;
RESET ROLE;
SET privacct.allow_serializable = on;
SET ROLE regress_ps_analyst;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM ward;
SELECT count(*) FROM visit;
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT count(*) FROM visit;
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE;
SELECT count(*) FROM visit;
ROLLBACK;
RESET ROLE;
RESET privacct.allow_serializable;
SET ROLE regress_ps_analyst;

--
-- Who pays: the current role, when the query runs
--

PREPARE n AS SELECT count(*) FROM visit;
EXECUTE n;
SET ROLE regress_ps_second;
EXECUTE n;
SELECT count(*) AS mine, string_agg(DISTINCT payer, ' ') AS payer FROM my_ledger;
RESET ROLE;
-- the owner's plan, which reads raw rows, is of no use to the analyst
SET ROLE regress_ps_steward;
PREPARE raw AS SELECT patient_id FROM visit ORDER BY 1 LIMIT 1;
EXECUTE raw;
SET ROLE regress_ps_analyst;
EXECUTE raw;
SET ROLE regress_ps_steward;
EXECUTE raw;
CREATE FUNCTION raw() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT max(patient_id) FROM sett.visit); END $$;
SELECT raw();
SET ROLE regress_ps_analyst;
SELECT raw();
RESET ROLE;
DEALLOCATE ALL;
-- whoever fetches the first row asks
BEGIN;
SET LOCAL ROLE regress_ps_analyst;
DECLARE c CURSOR FOR SELECT count(*) FROM visit;
SET LOCAL ROLE regress_ps_steward;
FETCH c;
ROLLBACK;
-- a definer function asks as its owner, who pays
SET ROLE regress_ps_second;
CREATE FUNCTION pg_temp.paid() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM sett.visit';
SELECT count(*) AS count FROM my_ledger \gset before_
SET ROLE regress_ps_analyst;
SELECT count(*) AS count FROM my_ledger \gset mine_
SELECT pg_temp.paid();
SELECT count(*) - :mine_count AS charged_to_caller FROM my_ledger;
SET ROLE regress_ps_second;
SELECT count(*) - :before_count AS charged_to_owner FROM my_ledger;
RESET ROLE;

-- a member of a role pays from the role's budget, if it has the role's privileges
SELECT ask('regress_ps_member', 'SELECT count(*) FROM visit'), ask('regress_ps_guest', 'SELECT count(*) FROM visit'), ask('regress_ps_team', 'SELECT count(*) FROM visit');
SELECT l.role, l.payer, count(*) FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'visit'::regclass AND l.payer = 'regress_ps_team' GROUP BY 1, 2 ORDER BY 1;
SELECT role, releases FROM privacct.budget WHERE relation = 'visit'::regclass AND role::text IN ('regress_ps_team', 'regress_ps_member') ORDER BY role::text;
-- from its own, once it has one
SELECT privacct.grant_budget('visit', 'regress_ps_member', 250);
SELECT ask('regress_ps_member', 'SELECT count(*) FROM visit');
SELECT role, releases FROM privacct.budget WHERE relation = 'visit'::regclass AND role::text IN ('regress_ps_team', 'regress_ps_member') ORDER BY role::text;
-- which is not filled up from the role's
SELECT ask('regress_ps_member', 'SELECT count(*) FROM visit'), ask('regress_ps_member', 'SELECT count(*) FROM visit');
REVOKE regress_ps_team FROM regress_ps_member;
SELECT privacct.revoke_budget('visit', 'regress_ps_member');
SELECT ask('regress_ps_member', 'SELECT count(*) FROM visit');

--
-- What changes between preparing and executing
--

SET ROLE regress_ps_analyst;
SET plan_cache_mode = force_generic_plan;
PREPARE n2 AS SELECT count(*), round(avg(cost), 0) BETWEEN 4 AND 5 AS near FROM visit;
EXECUTE n2;
SET ROLE regress_ps_steward;
SELECT privacct.revoke_budget('visit', 'regress_ps_analyst');
SET ROLE regress_ps_analyst;
EXECUTE n2;
SET ROLE regress_ps_steward;
SELECT privacct.grant_budget('visit', 'regress_ps_analyst', 1e5, 0.01);
SELECT privacct.drop_bounds('visit', 'cost');
SET ROLE regress_ps_analyst;
EXECUTE n2;
SET ROLE regress_ps_steward;
SELECT privacct.set_bounds('visit', 'cost', 0, 1);
SET ROLE regress_ps_analyst;
EXECUTE n2;
SET ROLE regress_ps_steward;
SELECT privacct.unprotect('visit');
SET ROLE regress_ps_analyst;
EXECUTE n2;
SET ROLE regress_ps_steward;
SET client_min_messages = warning;
BEGIN;
SELECT privacct.protect('visit', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_rows_contributed => 1, fresh => true) > 0 AS ok;
SELECT privacct.grant_budget('visit', 'regress_ps_analyst', 1e6, 0.01), privacct.set_bounds('visit', 'cost', 0, 10);
COMMIT;
RESET client_min_messages;
SET ROLE regress_ps_analyst;
EXECUTE n2;
DEALLOCATE ALL;
RESET plan_cache_mode;
RESET ROLE;

--
-- The end of a budget
--

SET ROLE regress_ps_steward;
CREATE TABLE scarce (patient_id int PRIMARY KEY, ward text);
INSERT INTO scarce SELECT k, 'A' FROM generate_series(1, 100) k;
SELECT privacct.protect('scarce', 'patient_id', epsilon => 1, min_epsilon => 1e-6, delta => 1e-6, fresh => true) > 0 AS ok;
SELECT privacct.grant_budget('scarce', 'regress_ps_analyst', 0.5, 2e-9), privacct.grant_budget('scarce', 'regress_ps_second', 1, 1e-6);
RESET ROLE;
SET privacct.epsilon = 0.2;
SET ROLE regress_ps_analyst;
SELECT count(*) IS NOT NULL AS answered FROM scarce;
SELECT count(*) IS NOT NULL AS answered FROM scarce;
SELECT count(*) FROM scarce;
SET privacct.epsilon = 0.1;
SELECT count(*) IS NOT NULL AS answered FROM scarce;
SET privacct.epsilon = 1e-6;
SELECT count(*) FROM scarce;
SELECT epsilon_spent, epsilon_left, releases FROM my_budget WHERE relation = 'scarce'::regclass;
SET ROLE regress_ps_second;
SET privacct.epsilon = 0.6;
SELECT count(*) FROM scarce;
SET privacct.epsilon = 0.5;
SELECT count(*) IS NOT NULL AS answered FROM scarce;
SET privacct.epsilon = 1e-6;
SELECT count(*) FROM scarce;
-- a release of more than one block is paid block by block: what was paid stays paid
SELECT epsilon_left FROM my_budget WHERE relation = 'scarce'::regclass;
RESET ROLE;
SELECT relation, epsilon, epsilon_spent, epsilon_left, releases FROM privacct.odometer WHERE relation = 'scarce'::regclass;
-- delta is a budget too
CREATE TABLE scarce_delta AS SELECT * FROM scarce;
ALTER TABLE scarce_delta ADD PRIMARY KEY (patient_id), OWNER TO regress_ps_steward;
SELECT privacct.protect('scarce_delta', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 1e-6, fresh => true) > 0 AS ok, privacct.grant_budget('scarce_delta', 'regress_ps_analyst', 1e6, 2.5e-9) IS NOT NULL AS granted;
SET privacct.epsilon = 10;
SELECT ask('regress_ps_analyst', 'SELECT ward FROM scarce_delta GROUP BY ward') FROM generate_series(1, 3);
SELECT ask('regress_ps_analyst', 'SELECT count(*) IS NOT NULL FROM scarce_delta');
-- and rho
CREATE TABLE scarce_rho AS SELECT * FROM scarce;
ALTER TABLE scarce_rho ADD PRIMARY KEY (patient_id), OWNER TO regress_ps_steward;
SELECT privacct.protect('scarce_rho', 'patient_id', epsilon => 1, delta => 1e-6, accountant => 'zcdp', fresh => true) > 0 AS ok, privacct.grant_budget('scarce_rho', 'regress_ps_analyst', 1) IS NOT NULL AS granted;
SET privacct.epsilon = 0.9;
SELECT ask('regress_ps_analyst', 'SELECT count(*) IS NOT NULL FROM scarce_rho') LIKE '(t)' AS answered FROM generate_series(1, 2);
SELECT round(rho_spent / cap_rho, 1) <= 1 AS within, releases > 0 AS some FROM privacct.odometer WHERE relation = 'scarce_rho'::regclass;

SET client_min_messages = warning;
RESET search_path;
DROP FUNCTION pg_temp.paid();
DROP SCHEMA sett CASCADE;
DROP ROLE regress_ps_member, regress_ps_guest, regress_ps_team, regress_ps_steward, regress_ps_analyst, regress_ps_second;
