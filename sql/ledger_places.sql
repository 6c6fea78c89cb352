-- Where an account, an owner's account or a slot of a plan was written last is where it is looked for first, whatever an older transaction keeps of it; wherever it is, it is found.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_places TEMPLATE template0;
\connect regression_places
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
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
CREATE TABLE planned (person int PRIMARY KEY);
INSERT INTO planned SELECT generate_series(1, 50);
SELECT protect('planned', 'person', epsilon => 1000, accountant => 'plan', fresh => true) AS planned;
SELECT grant_budget(r, 'regress_lp_analyst', 900) FROM unnest('{visit,walk,planned}'::regclass[]) r \g /dev/null
SELECT count(*) FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 100000}, {"kernel": "laplace", "releases": 7}]');
CREATE FUNCTION ask_all(times int) RETURNS void LANGUAGE sql AS $$
	SELECT ask('SELECT count(*) FROM visit', times), ask('SELECT count(*) FROM walk WHERE place = ''a'' AND person = 1', times), ask('SELECT count(*) FROM planned', times)
$$;

-- hundreds of charges, in statistics that come when they come: their accounts are hardly looked up in the index
SELECT ask_all(1) \g /dev/null
CREATE FUNCTION charged(at_least int) RETURNS TABLE (updated regclass, looked_up_rarely boolean, read_rarely boolean) LANGUAGE plpgsql AS $f$
DECLARE
	watched regclass[] := '{privacct.account,privacct.owner_account,privacct.slot}';
	updates bigint[] := ARRAY(SELECT pg_stat_get_tuples_updated(w) FROM unnest(watched) w);
	looks bigint[] := ARRAY(SELECT pg_stat_get_numscans((w || '_pkey')::regclass) FROM unnest(watched) w);
	reads bigint[] := ARRAY(SELECT pg_stat_get_numscans(w) FROM unnest(watched) w);
BEGIN
	PERFORM ask_all(100);
	LOOP
		PERFORM ask_all(1), pg_sleep(0.1), pg_stat_clear_snapshot();
		EXIT WHEN (SELECT bool_and(pg_stat_get_tuples_updated(watched[i]) - updates[i] >= at_least) FROM generate_subscripts(watched, 1) i);
	END LOOP;
	RETURN QUERY SELECT watched[i], pg_stat_get_numscans((watched[i] || '_pkey')::regclass) - looks[i] < 50, pg_stat_get_numscans(watched[i]) - reads[i] < 50 FROM generate_subscripts(watched, 1) i;
END
$f$;
SELECT * FROM charged(100);
SELECT * FROM pg_temp.check_tampered();

-- somebody else writes it, it moves, another row comes to its place: nothing is lost and nothing is charged to another
CREATE TEMP TABLE before AS SELECT policy_id, role::oid::text AS of, releases, epsilon FROM account UNION ALL SELECT policy_id, owner, NULL, epsilon FROM owner_account UNION ALL SELECT policy_id, 'slot ' || slot, used, NULL FROM slot;
SET privacct.write_books = on;
SELECT ask_all(2) \g /dev/null
UPDATE account SET epsilon = epsilon;
UPDATE owner_account SET epsilon = epsilon;
UPDATE slot SET used = used;
SELECT ask_all(2) \g /dev/null
BEGIN;
UPDATE account SET epsilon = epsilon;
UPDATE account SET epsilon = epsilon;
UPDATE owner_account SET epsilon = epsilon;
UPDATE slot SET used = used;
ROLLBACK;
SELECT ask_all(2) \g /dev/null
VACUUM FULL account;
VACUUM FULL owner_account;
VACUUM FULL slot;
SELECT ask_all(2) \g /dev/null
-- others come to where they were
ALTER TABLE privacct.account DISABLE TRIGGER USER;
CREATE TEMP TABLE rows AS SELECT * FROM account;
TRUNCATE account;
INSERT INTO account SELECT 1000 + i, 0::oid, 0, 0, 0, 0 FROM generate_series(1, 40) i;
INSERT INTO account SELECT * FROM rows ORDER BY policy_id DESC, role::oid;
ALTER TABLE privacct.account ENABLE TRIGGER USER;
ALTER TABLE privacct.owner_account DISABLE TRIGGER USER;
CREATE TEMP TABLE owner_rows AS SELECT * FROM owner_account;
TRUNCATE owner_account;
INSERT INTO owner_account SELECT 2, 'another', 0, 0;
INSERT INTO owner_account SELECT * FROM owner_rows;
ALTER TABLE privacct.owner_account ENABLE TRIGGER USER;
ALTER TABLE privacct.slot DISABLE TRIGGER USER;
CREATE TEMP TABLE slot_rows AS SELECT * FROM slot;
TRUNCATE slot;
INSERT INTO slot SELECT * FROM slot_rows ORDER BY slot DESC;
ALTER TABLE privacct.slot ENABLE TRIGGER USER;
SELECT ask_all(2) \g /dev/null
SELECT count(*) FILTER (WHERE releases = 0) AS others FROM account WHERE policy_id > 1000;
ALTER TABLE privacct.account DISABLE TRIGGER USER;
DELETE FROM account WHERE policy_id > 1000;
ALTER TABLE privacct.account ENABLE TRIGGER USER;
SELECT a.policy_id, CASE a.of WHEN 'regress_lp_analyst'::regrole::oid::text THEN 'analyst' ELSE a.of END AS of, a.releases - coalesce(b.releases, 0) AS releases, trim_scale(a.epsilon - coalesce(b.epsilon, 0)) AS epsilon
FROM (SELECT policy_id, role::oid::text, releases, epsilon FROM account UNION ALL SELECT policy_id, owner, NULL, epsilon FROM owner_account UNION ALL SELECT policy_id, 'slot ' || slot, used, NULL FROM slot) a(policy_id, of, releases, epsilon)
LEFT JOIN before b USING (policy_id, of) ORDER BY 1, 2;
SELECT * FROM pg_temp.check_tampered();

\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_places;
DROP ROLE regress_lp_analyst;
