-- Accounts are compared with the ledger; the larger counts, and without an account nothing is asked.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_books TEMPLATE template0;
\connect regression_books
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_bk_analyst;
CREATE ROLE regress_bk_steward IN ROLE privacct_admin;
GRANT CREATE, USAGE ON SCHEMA public TO regress_bk_steward;
SET search_path = public, privacct;
SET privacct.epsilon = 1;
CREATE FUNCTION ask(query text, times int DEFAULT 1) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
	detail text;
	hint text;
BEGIN
	SET LOCAL ROLE regress_bk_analyst;
	FOR i IN 1 .. times LOOP
		EXECUTE query INTO n;
	END LOOP;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		RESET ROLE;
		RETURN concat_ws(E'\n  ', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''), nullif(hint, ''));
END
$$;
-- what a superuser can do to the books, and a restore that went wrong
CREATE FUNCTION tamper(tables name[], statement text) RETURNS void LANGUAGE plpgsql SET privacct.write_books = on SET client_min_messages = error AS $$
DECLARE
	t name;
BEGIN
	FOREACH t IN ARRAY tables LOOP EXECUTE format('ALTER TABLE privacct.%I DISABLE TRIGGER USER', t); END LOOP;
	EXECUTE statement;
	FOREACH t IN ARRAY tables LOOP EXECUTE format('ALTER TABLE privacct.%I ENABLE TRIGGER USER', t); END LOOP;
END
$$;
SET ROLE regress_bk_steward;
CREATE TABLE visit (person int NOT NULL, ward text);
INSERT INTO visit SELECT i, 'A' FROM generate_series(1, 50) i;
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
CREATE TABLE planned (person int PRIMARY KEY);
INSERT INTO planned SELECT generate_series(1, 50);
SELECT protect('visit', 'person', epsilon => 10) AS visit, protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 100, max_entries => 6) AS walk,
	protect('planned', 'person', accountant => 'plan', epsilon => 3) AS planned;
SELECT grant_budget('visit', 'regress_bk_analyst', 10), grant_budget('walk', 'regress_bk_analyst', 10), grant_budget('planned', 'regress_bk_analyst', 1) \g /dev/null
SELECT FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 3}]');
RESET ROLE;
SELECT ask('SELECT count(*) FROM visit', 3);
SELECT ask($$SELECT count(*) FROM walk WHERE place = 'a'$$), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$);
SELECT ask('SELECT count(*) FROM planned', 2);
SELECT * FROM pg_temp.check_tampered();

-- nothing becomes less by accident
UPDATE account SET epsilon = 0;
UPDATE account SET epsilon = epsilon + 0 WHERE policy_id = 1;
DELETE FROM account;
TRUNCATE owner_account, history;
DELETE FROM policy;
DELETE FROM inherited;

-- an account that is less than its ledger
SELECT tamper('{account}', 'UPDATE privacct.account SET epsilon = 1, releases = 1 WHERE policy_id = 1');
SELECT * FROM pg_temp.check_tampered();
SET ROLE regress_bk_analyst;
SELECT * FROM pg_temp.check_tampered();
SELECT repair_books('visit');
SET ROLE regress_bk_steward;
SELECT problem, remedy FROM pg_temp.check_tampered();
-- renewed: the ledger counts
BEGIN;
SELECT unprotect('visit'), protect('visit', 'person', epsilon => 10) > 0 AS protected;
SELECT epsilon_spent, releases FROM odometer WHERE relation = 'visit'::regclass AND open;
ROLLBACK;
SELECT repair_books('visit');
SELECT * FROM pg_temp.check_tampered();
RESET ROLE;

-- no account: refused, with what to do, until it is done
SELECT tamper('{account}', 'DELETE FROM privacct.account');
SELECT ask('SELECT count(*) FROM visit');
SELECT * FROM pg_temp.check_tampered();
BEGIN;
SELECT unprotect('visit'), protect('visit', 'person', epsilon => 10) > 0 AS protected;
SELECT epsilon_spent, releases FROM odometer WHERE relation = 'visit'::regclass AND open;
ROLLBACK;
SELECT repair_books(relation) FROM policy;
SELECT * FROM pg_temp.check_tampered();
SELECT relation, epsilon_spent, releases FROM odometer ORDER BY relation::text;
SELECT role, epsilon, releases FROM account WHERE policy_id = 1 ORDER BY role::text;
SELECT ask('SELECT count(*) FROM visit', 7), ask('SELECT count(*) FROM visit');

SELECT tamper('{account}', 'UPDATE privacct.account SET spared_epsilon = epsilon WHERE role = 0::regrole');
SELECT * FROM pg_temp.check_tampered();
SELECT repair_books(relation) FROM policy;
SELECT * FROM pg_temp.check_tampered();

-- no account of a role, uses of slots, accounts of owners, priors, a policy
SELECT tamper('{account}', 'DELETE FROM privacct.account WHERE role <> 0::regrole');
SELECT ask('SELECT count(*) FROM planned');
SELECT tamper('{slot}', 'UPDATE privacct.slot SET used = 1');
SELECT tamper('{account,owner_account}', 'UPDATE privacct.account SET most_epsilon = 1, spared_epsilon = 0 WHERE policy_id = 2; DELETE FROM privacct.owner_account');
SELECT * FROM pg_temp.check_tampered();
SELECT repair_books(relation) FROM policy;
SELECT * FROM pg_temp.check_tampered();
SELECT ask('SELECT count(*) FROM planned', 2);
SELECT ask('SELECT count(*) FROM planned');
SELECT tamper('{prior}', 'DELETE FROM privacct.prior');
SELECT ask($$SELECT count(*) FROM walk WHERE place = 'a'$$);
SELECT problem, remedy FROM pg_temp.check_tampered();
SELECT tamper('{policy}', 'DELETE FROM privacct.policy WHERE policy_id = 1');
SELECT ask('SELECT count(*) FROM visit');
SELECT problem, remedy FROM pg_temp.check_tampered() WHERE policy_id = 1;
SELECT protect('visit', 'ward') > 0;
ALTER TABLE visit ALTER ward SET NOT NULL;
SELECT protect('visit', 'ward') > 0;
SELECT protect('visit', 'person', epsilon => 20) > 0 AS protected;
SELECT epsilon_spent, releases FROM odometer WHERE relation = 'visit'::regclass AND open;
SELECT problem FROM pg_temp.check_tampered() WHERE policy_id = 1;

-- a ledger that is less than its account; neither of them
SELECT tamper('{ledger_line}', 'DELETE FROM privacct.ledger_line WHERE charge_id % 2 = 0');
SELECT policy_id, problem, remedy FROM pg_temp.check_tampered() WHERE problem ~ 'less|lines';
SELECT tamper('{ledger_line,account,ledger_sum}', 'DELETE FROM privacct.ledger_line; DELETE FROM privacct.account; DELETE FROM privacct.ledger_sum');
SELECT repair_books('visit');
-- whatever is there of other tables
CREATE TABLE elsewhere (person int PRIMARY KEY, at text);
INSERT INTO elsewhere SELECT generate_series(1, 50);
SELECT protect('elsewhere', 'person') > 0 AS protected, grant_budget('elsewhere', 'regress_bk_analyst', 1);
SELECT ask('SELECT count(*) FROM elsewhere');
SELECT problem, detail, remedy FROM pg_temp.check_tampered() WHERE relation = 'public.visit';
SELECT repair_books('visit');
SELECT unprotect('visit'), protect('visit', 'person', epsilon => 20) > 0 AS protected;
SELECT epsilon_spent, releases FROM odometer WHERE relation = 'visit'::regclass AND open;

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_books;
DROP ROLE regress_bk_analyst, regress_bk_steward;
