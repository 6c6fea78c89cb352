-- An account is never less than what it started from and charged since, under every accountant and regime.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_carried TEMPLATE template0;
\connect regression_carried
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
CREATE ROLE regress_ca_analyst;
SET search_path = public, privacct;
SET privacct.epsilon = 0.5;
CREATE TABLE case_of (n int PRIMARY KEY, relation name, query text, statement text, called text);
INSERT INTO case_of SELECT row_number() OVER (), 'by_' || a, format('SELECT count(*) FROM by_%s', a),
	format('SELECT privacct.protect(%L, %L, accountant => %L, epsilon => 20 * $1, delta => 1e-6 * $1)', 'by_' || a, a || '_person', a), 'by_' || a
FROM unnest(privacct._accountants('any')) WITH ORDINALITY t(a, n) ORDER BY t.n;
INSERT INTO case_of SELECT 100 + v.n, v.relation, v.query, v.statement, v.called FROM (VALUES
	(1, 'vote', 'SELECT ldp_count(vote_v = 1) FROM vote', $$SELECT privacct.protect('vote', 'vote_person', regime => 'local', epsilon => 9), privacct.set_domain('vote', 'vote_v', ARRAY[0, 1])$$, 'vote'),
	(2, 'walk', $$SELECT count(*) FROM walk WHERE place = 'a'$$, $$SELECT privacct.protect_entries('walk', 'walker', '{hour}', 'place', privacct.chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 100, max_entries => 6)$$, 'walk'),
	(3, 'bought', 'SELECT count(*) FROM bought', $$SELECT privacct.protect('bought', 'bought_person', unit => 'shop')$$, 'shop'),
	(4, 'voted', 'SELECT ldp_count(voted_v = 1) FROM voted', $$SELECT privacct.protect('voted', 'voted_person', regime => 'local', epsilon => 2, unit => 'shop'), privacct.set_domain('voted', 'voted_v', ARRAY[0, 1])$$, 'voted')) v(n, relation, query, statement, called);
SELECT format('CREATE TABLE %I (%I int PRIMARY KEY)', relation, substr(relation, 4) || '_person') FROM case_of WHERE n < 100 ORDER BY n \gexec
CREATE TABLE vote (vote_person int PRIMARY KEY, vote_v int);
CREATE TABLE voted (voted_person int PRIMARY KEY, voted_v int);
CREATE TABLE bought (bought_person int PRIMARY KEY);
CREATE TABLE walk (walker int, hour int, place text NOT NULL, PRIMARY KEY (walker, hour));
INSERT INTO vote SELECT i, i % 2 FROM generate_series(1, 50) i;
INSERT INTO voted SELECT i, i % 2 FROM generate_series(1, 50) i;
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
SELECT create_unit('shop', epsilon => 30, delta => 1e-6) > 0 AS unit;
CREATE PROCEDURE declare_all(times int) LANGUAGE plpgsql AS $$
DECLARE
	c case_of;
BEGIN
	FOR c IN SELECT * FROM case_of ORDER BY n LOOP
		EXECUTE c.statement USING times;
		IF c.called = 'shop' THEN
			PERFORM privacct.grant_budget('shop', 'regress_ca_analyst', 9);
		ELSE
			PERFORM privacct.grant_budget(c.relation::regclass, 'regress_ca_analyst', CASE WHEN c.relation = 'by_plan' THEN 1 ELSE 2 END, CASE WHEN c.n < 100 THEN 1e-7 ELSE 0 END);
		END IF;
		IF c.relation = 'by_plan' THEN
			PERFORM privacct.plan_budget('by_plan', '[{"kernel": "laplace", "releases": 3}]');
		END IF;
	END LOOP;
END
$$;
CREATE PROCEDURE ask_all() LANGUAGE plpgsql AS $$
DECLARE
	c case_of;
	n numeric;
BEGIN
	SET LOCAL ROLE regress_ca_analyst;
	FOR c IN SELECT * FROM case_of ORDER BY n LOOP
		EXECUTE c.query INTO n;
	END LOOP;
	RESET ROLE;
END
$$;
GRANT SELECT ON case_of TO regress_ca_analyst;
CALL declare_all(1);
CALL ask_all();
SELECT unprotect(relation::regclass) FROM case_of ORDER BY n \g /dev/null
CALL declare_all(3);
CALL ask_all();
SELECT * FROM check_books();
SELECT policy_id, coalesce(p.name, relation_name) AS called, p.regime, count(*) AS sources, bool_and(a.epsilon >= i.epsilon AND a.releases > i.releases) AS at_least
FROM policy p JOIN inherited i USING (policy_id) JOIN account a USING (policy_id) WHERE p.closed_at IS NULL AND a.role = 0::regrole GROUP BY 1, 2, 3 ORDER BY 1;

-- what every account says without what it started from; lines that say so are lost, or not
CREATE TABLE kept AS SELECT a.policy_id, a.role, a.epsilon, a.delta, a.rho, a.releases FROM account a;
CREATE PROCEDURE forget(lines boolean) LANGUAGE plpgsql SET privacct.write_books = on SET client_min_messages = error AS $$
BEGIN
	ALTER TABLE privacct.account DISABLE TRIGGER USER;
	ALTER TABLE privacct.ledger_line DISABLE TRIGGER USER;
	UPDATE privacct.account a SET epsilon = a.epsilon - i.epsilon, delta = a.delta - i.delta, rho = a.rho - i.rho
	FROM (SELECT i.policy_id, sum(i.epsilon) AS epsilon, sum(i.delta) AS delta, sum(i.rho) AS rho FROM privacct.inherited i GROUP BY 1) i
	WHERE a.policy_id = i.policy_id AND a.role = 0::regrole;
	DELETE FROM privacct.ledger_line WHERE lines AND detail ? 'carried_from_policy';
END
$$;
CREATE PROCEDURE repair() LANGUAGE sql AS $$ SELECT privacct.repair_books(c.relation::regclass) FROM case_of c ORDER BY c.n $$;
CREATE VIEW less AS
SELECT k.policy_id, k.role FROM kept k LEFT JOIN account a USING (policy_id, role)
WHERE a.policy_id IS NULL OR a.epsilon < k.epsilon OR a.delta < k.delta OR a.rho < k.rho OR a.releases < k.releases;
BEGIN;
CALL forget(false);
SELECT policy_id, relation, problem FROM pg_temp.check_tampered() WHERE problem ~ 'the account is less' ORDER BY 1;
CALL repair();
SELECT policy_id, problem FROM pg_temp.check_tampered() WHERE problem ~ 'the account is less';
SELECT * FROM less;
ROLLBACK;
BEGIN;
CALL forget(true);
SELECT policy_id, relation, problem, detail, remedy FROM pg_temp.check_tampered() WHERE problem ~ 'the account is less' ORDER BY 1;
CALL repair();
SELECT policy_id, problem FROM pg_temp.check_tampered() WHERE problem ~ 'the account is less';
SELECT * FROM less;
ROLLBACK;

-- whoever enables triggers again raises it
SET client_min_messages = error;
BEGIN;
CALL forget(true);
ALTER TABLE privacct.account ENABLE TRIGGER USER;
SELECT * FROM less;
ROLLBACK;
SET client_min_messages = warning;

-- folded lines are still counted
CALL ask_all();
TRUNCATE kept;
INSERT INTO kept SELECT a.policy_id, a.role, a.epsilon, a.delta, a.rho, a.releases FROM account a;
SELECT sum(fold_ledger(relation::regclass, 'infinity')) > 0 AS folded FROM case_of;
SELECT * FROM check_books();
BEGIN;
CALL forget(true);
SELECT policy_id FROM pg_temp.check_tampered() WHERE problem ~ 'the account is less' ORDER BY 1;
CALL repair();
SELECT * FROM less;
ROLLBACK;

-- roles are known by their numbers: one that is made anew has spent nothing, and who gives it a budget is told
CREATE TABLE again (person int NOT NULL);
SELECT protect('again', 'person', epsilon => 10) > 0 AS again;
CREATE ROLE regress_ca_leaver;
CREATE VIEW spent AS SELECT role, epsilon_spent, releases FROM budget WHERE relation = 'again'::regclass AND role::text ~ '^regress' ORDER BY role;
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 2);
SET SESSION AUTHORIZATION regress_ca_leaver;
SELECT count(*) IS NULL AS lost FROM public.again;
RESET SESSION AUTHORIZATION;
ALTER ROLE regress_ca_leaver RENAME TO regress_ca_renamed;
CREATE ROLE regress_ca_leaver;
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 2);
SELECT * FROM spent;
DROP ROLE regress_ca_leaver, regress_ca_renamed;
CREATE ROLE regress_ca_leaver;
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 2);
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 3);
SELECT * FROM spent;
SELECT repair_books('again');
SELECT * FROM spent;
-- also by another name than it had when it spent, and under another policy
ALTER ROLE regress_ca_leaver RENAME TO regress_ca_renamed;
CREATE ROLE regress_ca_leaver;
SET client_min_messages = notice;
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 2);
DROP ROLE regress_ca_renamed;
CREATE ROLE regress_ca_renamed;
SELECT grant_budget('again', 'regress_ca_renamed', epsilon => 2);
SET client_min_messages = warning;
DROP ROLE regress_ca_leaver, regress_ca_renamed;
SELECT unprotect('again');
SELECT protect('again', 'person', epsilon => 10) > 0 AS again;
CREATE ROLE regress_ca_leaver;
SELECT grant_budget('again', 'regress_ca_leaver', epsilon => 2);
DROP ROLE regress_ca_leaver;
\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_carried;
DROP ROLE regress_ca_analyst;
