-- Where an account was written last is where it is looked for first, whatever an older transaction keeps of it; wherever it is, it is found.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_places TEMPLATE template0;
\connect regression_places
SET client_min_messages = warning;
CREATE EXTENSION privacct;
CREATE ROLE regress_lp_analyst;
SET search_path = public, privacct;
CREATE FUNCTION ask(query text, times int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	PERFORM set_config('privacct.epsilon', '1', true), set_config('role', 'regress_lp_analyst', true);
	FOR i IN 1 .. times LOOP
		EXECUTE query INTO n;
	END LOOP;
	RESET ROLE;
END
$$;
CREATE TABLE visit (person int PRIMARY KEY);
INSERT INTO visit SELECT generate_series(1, 50);
CREATE TABLE walk (person int, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO walk SELECT i, j, substr('ab', 1 + (i + j) % 2, 1) FROM generate_series(1, 20) i, generate_series(1, 6) j;
SELECT protect('visit', 'person', epsilon => 10000) AS visit,
	protect_entries('walk', 'person', '{hour}', 'place', chain_prior(ARRAY['a', 'b'], '{{.7,.3},{.3,.7}}'), 10000, max_entries => 6) AS walk;
SELECT grant_budget(r, 'regress_lp_analyst', 9000) FROM unnest('{visit,walk}'::regclass[]) r \g /dev/null

-- hundreds of charges, in statistics that come when they come: their accounts are hardly looked up in the index
SELECT ask('SELECT count(*) FROM visit', 1), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 1) \g /dev/null
CREATE FUNCTION charged(at_least int, OUT updated boolean, OUT looked_up bigint) LANGUAGE plpgsql AS $f$
DECLARE
	updates bigint := pg_stat_get_tuples_updated('privacct.account'::regclass);
	looks bigint := pg_stat_get_numscans('privacct.account_pkey'::regclass);
BEGIN
	PERFORM ask('SELECT count(*) FROM visit', 100), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 100);
	LOOP
		PERFORM ask('SELECT count(*) FROM visit', 1), pg_sleep(0.1), pg_stat_clear_snapshot();
		EXIT WHEN pg_stat_get_tuples_updated('privacct.account'::regclass) - updates >= at_least;
	END LOOP;
	updated := true;
	looked_up := pg_stat_get_numscans('privacct.account_pkey'::regclass) - looks;
END
$f$;
SELECT updated, looked_up < 50 AS rarely_looked_up FROM charged(400);
SELECT * FROM check_books();

-- somebody else writes it, it moves, another row comes to its place: nothing is lost and nothing is charged to another
CREATE TEMP TABLE before AS SELECT policy_id, role, releases, epsilon FROM account;
SET privacct.write_books = on;
SELECT ask('SELECT count(*) FROM visit', 2), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 2) \g /dev/null
UPDATE account SET epsilon = epsilon;
SELECT ask('SELECT count(*) FROM visit', 2), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 2) \g /dev/null
BEGIN;
UPDATE account SET epsilon = epsilon;
UPDATE account SET epsilon = epsilon;
ROLLBACK;
SELECT ask('SELECT count(*) FROM visit', 2), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 2) \g /dev/null
VACUUM FULL account;
SELECT ask('SELECT count(*) FROM visit', 2), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 2) \g /dev/null
-- others come to where they were
ALTER TABLE privacct.account DISABLE TRIGGER USER;
CREATE TEMP TABLE rows AS SELECT * FROM account;
TRUNCATE account;
INSERT INTO account SELECT 1000 + i, 0::oid, 0, 0, 0, 0 FROM generate_series(1, 40) i;
INSERT INTO account SELECT * FROM rows ORDER BY policy_id DESC, role::oid;
ALTER TABLE privacct.account ENABLE TRIGGER USER;
SELECT ask('SELECT count(*) FROM visit', 2), ask($$SELECT count(*) FROM walk WHERE place = 'a' AND person = 1$$, 2) \g /dev/null
SELECT count(*) FILTER (WHERE releases = 0) AS others FROM account WHERE policy_id > 1000;
ALTER TABLE privacct.account DISABLE TRIGGER USER;
DELETE FROM account WHERE policy_id > 1000;
ALTER TABLE privacct.account ENABLE TRIGGER USER;
SELECT a.policy_id, a.role, a.releases - b.releases AS releases, trim_scale(a.epsilon - b.epsilon) AS epsilon FROM account a JOIN before b USING (policy_id, role) ORDER BY a.policy_id, a.role::oid;
SELECT * FROM check_books();

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_places;
DROP ROLE regress_lp_analyst;
