-- What owners were asked and have answered: nobody takes it back, and what is missing shows.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_local_books TEMPLATE template0;
\connect regression_local_books
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_lb_analyst;
GRANT USAGE ON SCHEMA public TO regress_lb_analyst;
SET search_path = public, privacct;
SET privacct.epsilon = 0.25;
-- how many answered, or the error
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	SET LOCAL ROLE regress_lb_analyst;
	EXECUTE query;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
		RESET ROLE;
		RETURN concat_ws(E'\n  ', SQLSTATE || ' ' || SQLERRM, nullif(hint, ''));
END
$$;
-- as a restore that left out some tables, or lost rows
CREATE FUNCTION lose(statement text, VARIADIC tables name[]) RETURNS void LANGUAGE plpgsql SET client_min_messages = error AS $$
DECLARE
	t name;
BEGIN
	FOREACH t IN ARRAY tables LOOP EXECUTE format('ALTER TABLE privacct.%I DISABLE TRIGGER USER', t); END LOOP;
	EXECUTE statement;
	FOREACH t IN ARRAY tables LOOP EXECUTE format('ALTER TABLE privacct.%I ENABLE TRIGGER USER', t); END LOOP;
END
$$;

-- one whose answers are all kept, one whose states were written, one that starts with what was lost before
CREATE TABLE fresh (id int PRIMARY KEY, yes boolean NOT NULL, age float8, ward int);
INSERT INTO fresh SELECT i, i % 2 = 0, i % 50, i % 3 FROM generate_series(1, 20) i;
CREATE TABLE written (person int PRIMARY KEY, yes boolean NOT NULL, age float8, ward int);
INSERT INTO written SELECT i, i % 2 = 0, i % 50, i % 3 FROM generate_series(1, 8000) i;
CREATE TABLE heir (LIKE fresh INCLUDING ALL, note text);
INSERT INTO heir SELECT * FROM fresh;
SELECT protect(t, CASE t::text WHEN 'written' THEN 'person' ELSE 'id' END, regime => 'local', epsilon => 4) > 0 AS protected, set_domain(t, 'yes', ARRAY[false, true]), set_domain(t, 'age', 0, 50), set_public(t, 'ward'), grant_budget(t, 'regress_lb_analyst', 100)
FROM unnest('{fresh,written,heir}'::regclass[]) t;
SELECT ask(format('SELECT ldp_count(yes), ldp_avg(age) FROM %s WHERE ward < 2', t)), ask(format('SELECT ldp_count(yes) FROM %s', t)) FROM unnest('{fresh,heir}'::regclass[]) t;
SELECT count(*), min(ask) FROM (SELECT ask('SELECT ldp_count(yes, ''epsilon=0.01'') FROM written WHERE ward < 2') FROM generate_series(1, 30)) r;
SELECT ask('SELECT ldp_count(yes, ''epsilon=0.01'') FROM written');
BEGIN;
SELECT unprotect('heir'), protect('heir', 'id', regime => 'local', epsilon => 4) > 0 AS protected;
COMMIT;
SELECT set_domain('heir', 'yes', ARRAY[false, true]), grant_budget('heir', 'regress_lb_analyst', 100);
-- a charge whose question was not put: nothing is missing
SELECT lose($$UPDATE privacct.account SET epsilon = epsilon + 1, releases = releases + 1 WHERE policy_id = 1; INSERT INTO privacct.ledger_line (policy_id, charged_at, role, payer, epsilon, delta, rho, detail) SELECT policy_id, now(), role, payer, 1, 0, 0, detail FROM privacct.ledger WHERE policy_id = 1 LIMIT 1$$, 'account', 'ledger_line');
SELECT * FROM pg_temp.check_tampered();
SELECT p.relation, a.questions, a.releases, w.question > 0 AS written, w.owners, w.states > 1 AS states FROM account a JOIN policy p USING (policy_id) LEFT JOIN owner_state_at w USING (policy_id) WHERE a.role::oid = 0 ORDER BY p.policy_id;

-- by hand
CREATE FUNCTION refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RAISE EXCEPTION 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END
$$;
SELECT name, refused(format('DELETE FROM privacct.%I', name)), refused(format('TRUNCATE privacct.%I', name)), refused(format('UPDATE privacct.%I SET policy_id = policy_id + 100', name))
FROM unnest('{question,owner_key,answer,owner_state,owner_state_at,likelihood}'::text[]) name;
-- nor by whoever says that they mean it: no sum becomes less
SET privacct.write_books = on;
SELECT refused('UPDATE privacct.likelihood SET ' || change) FROM unnest(ARRAY['central = central / 2', 'basic = basic / 2', 'log_likelihood = ''{}''', 'central = central + 1']) change;
SELECT refused('UPDATE privacct.account SET questions = questions - 1');
RESET privacct.write_books;
SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'r' AND NOT t.tgisinternal AND t.tgenabled <> 'A';

\connect regression_local_books
SET client_min_messages = warning;
SET search_path = public, privacct;
SET privacct.epsilon = 0.25;
-- whatever is lost, of one table or of all, is found
CREATE TEMP TABLE loss (id int GENERATED ALWAYS AS IDENTITY, tables name[], condition text DEFAULT 'true');
INSERT INTO loss (tables, condition) VALUES
	('{question,answer,owner_key,owner_state,owner_state_at,likelihood}', 'true'),
	('{question}', 'true'), ('{answer}', 'true'), ('{owner_key}', 'true'), ('{owner_state}', 'true'), ('{owner_state_at}', 'true'), ('{likelihood}', 'true'),
	('{owner_state,owner_state_at,likelihood}', 'true'),
	('{domain}', 'true'),
	('{question}', 'question = (SELECT max(q.question) FROM privacct.question q WHERE q.policy_id = gone.policy_id)'),
	('{question,answer}', 'question = (SELECT max(q.question) FROM privacct.question q WHERE q.policy_id = gone.policy_id)'),
	('{answer}', 'question = (SELECT max(q.question) FROM privacct.question q WHERE q.policy_id = gone.policy_id)'),
	('{owner_key}', 'first_owner = (SELECT max(q.first_owner) FROM privacct.owner_key q WHERE q.policy_id = gone.policy_id)'),
	('{owner_state}', 'first_owner = 0'),
	('{likelihood}', 'state = (SELECT max(q.state) FROM privacct.likelihood q WHERE q.policy_id = gone.policy_id)');
CREATE FUNCTION found(tables name[], condition text, policy bigint) RETURNS text LANGUAGE plpgsql SET client_min_messages = error AS $$
DECLARE
	t name;
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = policy);
	rows int;
	gone int := 0;
	relation text := p.relation_name;
	told text;
BEGIN
	BEGIN
		FOREACH t IN ARRAY tables LOOP
			EXECUTE format('ALTER TABLE privacct.%I DISABLE TRIGGER USER', t);
			EXECUTE format('DELETE FROM privacct.%I gone WHERE policy_id = %s AND (%s)', t, policy, condition);
			GET DIAGNOSTICS rows = ROW_COUNT;
			gone := gone + rows;
			EXECUTE format('ALTER TABLE privacct.%I ENABLE TRIGGER USER', t);
		END LOOP;
		told := CASE WHEN gone = 0 THEN 'nothing to lose' ELSE
			concat_ws(', ', (SELECT string_agg(problem, '; ') FROM pg_temp.check_tampered()),
				(SELECT CASE WHEN s.realised >= p.epsilon::float8 * (1 - 1e-9) AND s.can_bear = 0 THEN 'shown as spent' ELSE 'shown as ' || round(s.realised::numeric, 1) END FROM _local_states(p.relation) s ORDER BY s.realised DESC LIMIT 1),
				(SELECT CASE WHEN epsilon_spent >= p.epsilon THEN 'odometer: spent' ELSE 'odometer: ' || round(epsilon_spent, 1) END FROM odometer WHERE policy_id = policy)) END;
		RAISE EXCEPTION '%', told USING ERRCODE = 'P0099';
	EXCEPTION WHEN SQLSTATE 'P0099' THEN
		RETURN SQLERRM;
	END;
END
$$;
SELECT tables, left(condition, 20) AS condition, found(tables, condition, 1) AS fresh, found(tables, condition, 2) AS written, found(tables, condition, 4) AS heir FROM loss ORDER BY id;

-- all of it is gone, and stays gone
SELECT lose('DELETE FROM privacct.question; DELETE FROM privacct.answer; DELETE FROM privacct.owner_key; DELETE FROM privacct.owner_state; DELETE FROM privacct.owner_state_at; DELETE FROM privacct.likelihood',
	'question', 'answer', 'owner_key', 'owner_state', 'owner_state_at', 'likelihood');
SELECT ask(format('SELECT ldp_count(yes) FROM %s', t)) FROM unnest('{fresh,written,heir}'::regclass[]) t;
\connect regression_local_books
SET client_min_messages = warning;
SET search_path = public, privacct;
SET privacct.epsilon = 0.25;
SELECT t, ask(format('SELECT ldp_count(yes) FROM %s', t)) AS local, ask(format('SELECT count(*) FROM %s', t)) AS central, ask(format('EXPLAIN SELECT ldp_count(yes) FROM %s', t)) AS explain,
	ask(format('SELECT * FROM preview(''SELECT ldp_count(yes) FROM %s'')', t)) AS preview FROM unnest('{fresh,written,heir}'::regclass[]) t;
SELECT * FROM pg_temp.check_tampered();
SELECT relation, cap, questions, owners, realised_most FROM local_odometer WHERE relation = 'written'::regclass;
SELECT count(*) FROM owner_odometer WHERE relation = 'written'::regclass AND "left" < 1e-9;
-- no rebuilt account makes it look whole
SELECT lose('DELETE FROM privacct.account', 'account');
SELECT repair_books(t) FROM unnest('{fresh,written,heir}'::regclass[]) t;
SELECT policy_id, problem FROM pg_temp.check_tampered();
SELECT set_domain('fresh', 'yes', ARRAY[false, true]);
-- the way on: all that was promised is spent
BEGIN;
SELECT unprotect(t), protect(t, CASE t::text WHEN 'written' THEN 'person' ELSE 'id' END, regime => 'local', epsilon => 5) > 0 AS protected FROM unnest('{fresh,written,heir}'::regclass[]) t;
COMMIT;
SELECT set_domain(t, 'yes', ARRAY[false, true]), grant_budget(t, 'regress_lb_analyst', 1000) FROM unnest('{fresh,written,heir}'::regclass[]) t;
SELECT * FROM pg_temp.check_tampered();
-- (under its last policy the heir was asked nothing: it starts with what it lost before)
SELECT relation, CASE WHEN epsilon_spent >= 4 * (1 - 1e-9) THEN 'all' WHEN epsilon_spent > 0 THEN 'what was lost before' END AS spent FROM odometer WHERE open ORDER BY policy_id;
SELECT ask(format('SELECT ldp_count(yes, ''epsilon=4.99'') FROM %s', t)) FROM unnest('{fresh,written,heir}'::regclass[]) t;

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_local_books;
DROP ROLE regress_lb_analyst;
