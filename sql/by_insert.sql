-- What comes by INSERT, as from a restore, refills nothing; nor do the tables of the
-- extension forget what is written to them.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
\set VERBOSITY terse
CREATE DATABASE regression_insert TEMPLATE template0;
\connect regression_insert
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_bi_analyst;
SET search_path = public, privacct;
SET privacct.epsilon = 1;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
	hint text;
BEGIN
	SET LOCAL ROLE regress_bi_analyst;
	EXECUTE query INTO n;
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RESET ROLE;
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || CASE WHEN hint ~ 'check_books' THEN ': see check_books()' ELSE '' END;
END
$$;
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || CASE WHEN hint = '' THEN ' without a hint' ELSE '' END;
END
$$;
CREATE FUNCTION person_table(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (%I int NOT NULL, %I int); INSERT INTO %1$I SELECT i FROM generate_series(1, 50) i', name, name || '_person', name || '_v');
	EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (%I)', name, name || '_person');
END
$$;
SELECT person_table('visit'), person_table('planned'), person_table('vote');
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
SELECT protect('visit', 'visit_person', epsilon => 3), protect('planned', 'planned_person', accountant => 'plan', epsilon => 3, delta => 1e-6), protect('vote', 'vote_person', regime => 'local', epsilon => 3),
	protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 50, max_entries => 6);
SELECT set_domain('vote', 'vote_v', ARRAY[0, 1]), grant_budget('visit', 'regress_bi_analyst', 3), grant_budget('planned', 'regress_bi_analyst', 1), grant_budget('vote', 'regress_bi_analyst', 3), grant_budget('walk', 'regress_bi_analyst', 20);
SELECT slot FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 2}, {"kernel": "gaussian", "releases": 1}]');
CREATE TABLE question_of (relation regclass, query text);
INSERT INTO question_of VALUES ('visit', 'SELECT count(*) FROM visit'), ('planned', 'SELECT count(*) FROM planned'), ('vote', 'SELECT ldp_count(vote_v = 1) FROM vote'),
	('walk', $$SELECT count(*) FROM walk WHERE place = 'a'$$), ('walk', $$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$);
SELECT query, ask(query) FROM question_of;

-- numbers of charges that are set back
SELECT _sum_ledger(policy_id) FROM policy;
SELECT fold_ledger('visit', now());
SELECT setval('charge_id_seq', 1, false);
SELECT query, ask(query) FROM question_of WHERE relation = 'visit'::regclass;
SELECT setval('charge_id_seq', 1);
SELECT query, ask(query) FROM question_of WHERE relation IN ('visit'::regclass, 'walk'::regclass);
SELECT charge_id, policy_id FROM ledger ORDER BY 1;
SELECT relation, problem FROM pg_temp.check_tampered();
SELECT relation, releases FROM odometer ORDER BY policy_id;
SELECT fold_ledger('visit', now()), fold_ledger('walk', now());
SELECT relation, problem FROM pg_temp.check_tampered();

-- what owners were charged by name, that is lost
CREATE FUNCTION lose(relation regclass, condition text DEFAULT 'true') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER; DELETE FROM %1$s WHERE %s; ALTER TABLE %1$s ENABLE TRIGGER USER', relation, condition);
END
$$;
SELECT lose('owner_account');
SELECT ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$);
SELECT relation, problem FROM pg_temp.check_tampered();
SELECT repair_books('walk');
SELECT ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$), (SELECT epsilon_spent FROM odometer WHERE relation = 'walk'::regclass);

-- accounts that are lost, and come by hand: the ledger's amount is the least
CREATE FUNCTION forge() RETURNS void LANGUAGE sql AS $$
	INSERT INTO account (policy_id, role, epsilon, delta, rho, releases, spared_epsilon)
	SELECT policy_id, role, CASE regime WHEN 'pufferfish' THEN 1.5 ELSE 0 END, 0, 0, 0, CASE regime WHEN 'pufferfish' THEN 1.5 ELSE 0 END FROM policy, unnest(ARRAY[0::oid, 'regress_bi_analyst'::regrole::oid]) role WHERE closed_at IS NULL
$$;
SELECT lose('account');
SELECT query, ask(query) FROM question_of;
SELECT forge();
SELECT relation, epsilon_spent, releases FROM odometer ORDER BY policy_id;
SELECT lose('account');
BEGIN;
ALTER TABLE account DISABLE TRIGGER USER;
SELECT forge();
ALTER TABLE account ENABLE TRIGGER USER;
COMMIT;
SELECT relation, epsilon_spent, releases FROM odometer ORDER BY policy_id;
SELECT repair_books(relation) FROM policy;
SELECT relation, problem FROM pg_temp.check_tampered();
-- whoever says that they count all the same gets what is left, and no more
SELECT ask('SELECT count(*) FROM visit');
SELECT accept_books();
SELECT ask('SELECT count(*) FROM visit');

-- slots of a plan, also of one that is to come
SELECT try($$INSERT INTO slot SELECT policy_id, 3, plan_id, role, kernel, noise, groups, within, weight, scale, q, acceptance, rho, epsilon_alone, releases, 0 FROM slot WHERE slot = 1$$);
INSERT INTO slot SELECT (SELECT last_value + 1 FROM policy_id_seq), slot, plan_id, role, kernel, noise, groups, within, weight, scale, q, acceptance, rho, epsilon_alone, 1000, 0 FROM slot;
SELECT person_table('later');
SELECT try($$SELECT protect('later', 'later_person', accountant => 'plan', epsilon => 3, delta => 1e-6)$$);
DROP TABLE later;

-- what the owner of a table says, and nobody said
INSERT INTO unrelated SELECT policy_id, 4, 100, 1, 100, 100 FROM policy WHERE relation = 'visit'::regclass;
SELECT relation, problem FROM pg_temp.check_tampered();
SET privacct.write_books = on;
DELETE FROM unrelated;
DELETE FROM slot WHERE policy_id NOT IN (SELECT policy_id FROM policy);
RESET privacct.write_books;
SELECT relation, problem FROM pg_temp.check_tampered();

-- a version of the priors that allows more
INSERT INTO prior SELECT policy_id, version + 1, 100, delta_pufferfish, 100, delta, priors, hash, secrets, pairs, max_entries, curve_b, curve_a, curve_left, curve_right, declared_at, declared_by FROM prior;
SELECT accept_books();
SELECT ask($$SELECT count(*) FROM walk WHERE place = 'a'$$);
SELECT relation, problem FROM pg_temp.check_tampered();

-- states that nobody was in
SELECT ask('SELECT ldp_count(vote_v = 1) FROM vote');
INSERT INTO likelihood SELECT policy_id, 0, '{}', 0, 0, 0, 0, '{}', 0, 0, 0 FROM policy WHERE relation = 'vote'::regclass;
INSERT INTO owner_state SELECT policy_id, 0, 8, decode(repeat('00', 50), 'hex') FROM policy WHERE relation = 'vote'::regclass;
INSERT INTO owner_state_at SELECT policy_id, max(question), 50, 1 FROM question GROUP BY 1;
SELECT accept_books();
SELECT ask('SELECT ldp_count(vote_v = 1) FROM vote');
SELECT relation, problem FROM pg_temp.check_tampered() WHERE relation = 'public.vote';

-- a policy of one's own making
SELECT unprotect('visit');
INSERT INTO policy (relation, relation_name, owner_column, regime, accountant, epsilon, delta, cap_delta, max_groups_contributed, max_rows_contributed, min_owners, sample_rate, secret, created_at, created_by, workers)
SELECT relation, relation_name, owner_column, regime, accountant, epsilon, delta, cap_delta, max_groups_contributed, max_rows_contributed, min_owners, sample_rate, secret, now(), created_by, workers FROM policy WHERE policy_id = 1;
INSERT INTO account (policy_id, role, epsilon, delta, rho, releases) SELECT (SELECT max(policy_id) FROM policy), role, 0, 0, 0, 0 FROM unnest(ARRAY[0::oid, 'regress_bi_analyst'::regrole::oid]) role;
INSERT INTO quota SELECT (SELECT max(policy_id) FROM policy), role, epsilon, delta, cap_rho, cap_delta, now(), granted_by FROM quota WHERE policy_id = 1;
GRANT SELECT ON visit TO privacct_reader;
SELECT ask('SELECT count(*) FROM visit');
SELECT relation, problem, remedy FROM pg_temp.check_tampered() WHERE relation = 'public.visit';
SELECT try($$SELECT repair_books('visit')$$);

-- no table of the extension becomes one that forgets
CREATE VIEW own AS SELECT c.oid::regclass AS relation, c.relkind FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'S') AND c.relpersistence = 'p';
SELECT c.relname AS made_unlogged FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'S') AND c.relpersistence <> 'p' ORDER BY 1;
CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
SELECT count(*) > 20 AS many FROM own;
-- each of these is one that somebody forgot
SELECT s.statement, answer FROM own CROSS JOIN LATERAL (VALUES (format('ALTER %s %s SET UNLOGGED', CASE relkind WHEN 'r' THEN 'TABLE' ELSE 'SEQUENCE' END, relation)),
	(format('CREATE TRIGGER other BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION other()', relation)), (format('CREATE RULE other AS ON INSERT TO %s DO INSTEAD NOTHING', relation))) s(statement) CROSS JOIN LATERAL try(s.statement) answer
WHERE (relkind = 'r' OR statement ~ 'UNLOGGED') AND answer <> '42501';
SELECT s.statement, answer FROM own CROSS JOIN LATERAL (SELECT format('ALTER TABLE %s ALTER %I TYPE %s USING NULL', relation, a.attname, format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum > 0 AND relkind = 'r') s(statement) CROSS JOIN LATERAL try(s.statement) answer
WHERE answer NOT IN ('42501', '0A000 without a hint', '42804 without a hint', '42804');
SELECT relation, problem FROM pg_temp.check_tampered() WHERE relation IS NULL;
SELECT ask('SELECT count(*) FROM planned');
SELECT accept_books();

-- what was done unseen is seen, and nothing is charged meanwhile
GRANT SELECT ON planned TO privacct_reader;
ALTER EVENT TRIGGER privacct_own_meddling DISABLE;
ALTER TABLE ledger_line SET UNLOGGED;
CREATE TABLE evil () INHERITS (quota);
CREATE TABLE privacct.evil ();
ALTER EVENT TRIGGER privacct_own_meddling ENABLE ALWAYS;
SELECT problem, remedy FROM pg_temp.check_tampered() WHERE relation IS NULL;
SELECT ask('SELECT count(*) FROM planned');
ALTER TABLE ledger_line SET LOGGED;
SELECT ask('SELECT count(*) FROM planned');
DROP TABLE public.evil, privacct.evil;
SELECT problem, remedy FROM pg_temp.check_tampered() WHERE relation IS NULL;
-- another tablespace is none of that
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_bi LOCATION '';
ALTER TABLE account SET TABLESPACE regress_bi;
ALTER TABLE ledger_line SET TABLESPACE regress_bi;
SELECT ask('SELECT count(*) FROM planned');
SELECT ask('SELECT count(*) FROM planned');
\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_insert;
DROP TABLESPACE regress_bi;
DROP ROLE regress_bi_analyst;
