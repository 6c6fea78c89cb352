-- What releases lose together is kept by the worker; views say what they would say without it.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_losses TEMPLATE template0;
\connect regression_losses
SET client_min_messages = warning;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/charging.psql'
CREATE ROLE regress_kl_analyst;
SET search_path = public, privacct;
\i :helpers
CREATE TABLE visit (person int PRIMARY KEY, cost int NOT NULL);
CREATE TABLE planned (planner int PRIMARY KEY);
CREATE TABLE concentrated (patient int PRIMARY KEY);
CREATE TABLE member (member int PRIMARY KEY);
CREATE TABLE voted (voter int PRIMARY KEY, voted_v int);
INSERT INTO voted SELECT i, i % 2 FROM generate_series(1, 50) i;
SELECT create_unit('shop', epsilon => 1000, delta => 1e-6) > 0 AS unit;
SELECT protect('visit', 'person', epsilon => 1000), protect('planned', 'planner', accountant => 'plan', epsilon => 3), protect('concentrated', 'patient', accountant => 'zcdp', epsilon => 100, delta => 1e-6),
	protect('member', 'member', unit => 'shop'), protect('voted', 'voter', regime => 'local', epsilon => 2, unit => 'shop'), set_domain('voted', 'voted_v', ARRAY[0, 1]) \g /dev/null
SELECT set_bounds('visit', 'cost', 0.0, 100.0), grant_budget('visit', 'regress_kl_analyst', 1000), grant_budget('planned', 'regress_kl_analyst', 3), grant_budget('concentrated', 'regress_kl_analyst', 100, 1e-6),
	grant_budget('shop', 'regress_kl_analyst', 100), grant_budget('voted', 'regress_kl_analyst', 2) \g /dev/null
SELECT FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 100}, {"kernel": "gaussian", "releases": 5}]');
CREATE PROCEDURE ask_all() LANGUAGE plpgsql AS $$
BEGIN
	PERFORM ask('regress_kl_analyst', '0.25', 'SELECT count(*) FROM visit', 3), ask('regress_kl_analyst', '0.5', 'SELECT avg(cost) FROM visit', 2), ask('regress_kl_analyst', '1', 'SELECT count(*) FROM planned', 2),
		ask('regress_kl_analyst', '1', 'SELECT count(*) FROM concentrated', 3), ask('regress_kl_analyst', '0.5', 'SELECT count(*) FROM member', 3);
END
$$;
-- what the views say with what is kept, and without
CREATE FUNCTION odometers() RETURNS SETOF odometer LANGUAGE sql AS $$ SELECT * FROM privacct.odometer ORDER BY policy_id $$;
CREATE FUNCTION agree() RETURNS boolean LANGUAGE plpgsql SET privacct.write_books = on SET client_min_messages = error AS $$
DECLARE
	kept privacct.odometer[] := ARRAY(SELECT o FROM odometers() o);
	computed privacct.odometer[];
BEGIN
	BEGIN
		DELETE FROM privacct.kept_loss;
		computed := ARRAY(SELECT o FROM odometers() o);
		RAISE SQLSTATE 'ZZZZZ';
	EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
		NULL;
	END;
	RETURN kept = computed;
END
$$;
-- the worker computes it when it has nothing to do
CREATE PROCEDURE await_kept() LANGUAGE plpgsql AS $$
BEGIN
	WHILE EXISTS (SELECT FROM privacct._unkept_losses) LOOP
		PERFORM pg_sleep(0.01);
		COMMIT;
	END LOOP;
END
$$;
CALL ask_all();
CALL await_kept();
SELECT coalesce(p.name, p.relation_name) AS called, own, cardinality(sources) AS sources, k.epsilon > 0 AS some FROM kept_loss k JOIN policy p USING (policy_id) ORDER BY 1, 2;
SELECT agree();
-- it is what is shown
CREATE FUNCTION pretend(loss float8) RETURNS void LANGUAGE sql SET privacct.write_books = on SET client_min_messages = error AS $$ UPDATE privacct.kept_loss SET epsilon = loss $$;
SELECT pretend(0.0625);
SELECT coalesce(unit, relation_name) AS called, epsilon_tight, epsilon_spent = 0.0625 AS spent FROM odometer WHERE regime = 'central' ORDER BY 1;
-- until something is charged
CALL ask_all();
SELECT coalesce(unit, relation_name) AS called FROM odometer WHERE regime = 'central' AND (epsilon_tight = 0.0625 OR epsilon_spent = 0.0625);
SELECT agree();
CALL await_kept();
SELECT agree();

-- nor what a library of another version has computed, which may compose better: it is computed anew
CREATE FUNCTION composed_by(version text) RETURNS void LANGUAGE sql SET privacct.write_books = on SET client_min_messages = error AS $$ UPDATE privacct.kept_loss SET composed_by = version, epsilon = 0.0625 $$;
SELECT composed_by('0.1');
SELECT count(*) AS known FROM privacct._kept_losses;
SELECT agree();
SELECT ask('regress_kl_analyst', '0.25', 'SELECT count(*) FROM visit', 1) \g /dev/null
CALL await_kept();
SELECT count(*) = (SELECT count(*) FROM kept_loss) AS known, count(*) FILTER (WHERE k.epsilon = 0.0625) AS old FROM privacct._kept_losses k;

-- a table starts from what was spent, or joins, or its promise becomes another
SELECT unprotect('visit'), unprotect('planned');
SELECT protect('visit', 'person', epsilon => 2000, delta => 1e-5) > 0 AS visit, protect('planned', 'planner', accountant => 'plan', epsilon => 30, delta => 1e-5) > 0 AS planned;
SELECT agree();
SELECT grant_budget('visit', 'regress_kl_analyst', 1000) \g /dev/null
SELECT ask('regress_kl_analyst', '0.25', 'SELECT count(*) FROM visit', 1) \g /dev/null
CALL await_kept();
SELECT coalesce(p.name, p.relation_name) AS called, own, cardinality(sources) AS sources FROM kept_loss k JOIN policy p USING (policy_id) WHERE p.closed_at IS NULL ORDER BY 1, 2;
SELECT agree();
SELECT pretend(0.0625);
SELECT unprotect('voted');
SELECT protect('voted', 'voter', regime => 'local', epsilon => 20, unit => 'shop') > 0 AS voted;
SELECT unit FROM odometer WHERE unit = 'shop' AND regime = 'central' AND epsilon_tight = 0.0625;
SELECT ask('regress_kl_analyst', '0.25', 'SELECT count(*) FROM visit', 1) \g /dev/null
CALL await_kept();
SELECT pretend(0.0625);

-- each time something is computed, however little time there is
CREATE FUNCTION steps() RETURNS TABLE (step int, kept bigint) LANGUAGE plpgsql SET client_min_messages = error SET privacct.write_books = on AS $$
DECLARE
	next bigint := 0;
BEGIN
	DELETE FROM privacct.kept_loss;
	FOR step IN 1 .. 20 LOOP
		next := privacct._keep_losses(next, 0);
		kept := (SELECT count(DISTINCT policy_id) FROM privacct.kept_loss);
		RETURN QUERY SELECT step, kept;
		EXIT WHEN next IS NULL;
	END LOOP;
END
$$;
BEGIN;
SELECT step, kept FROM steps();
SELECT count(*) AS not_kept FROM privacct._unkept_losses;
SELECT agree();
ROLLBACK;

-- folding changes nothing
SELECT fold_ledger('visit', 'infinity') > 0 AS folded;
SELECT count(*) = (SELECT count(*) FROM kept_loss) AS still_known FROM privacct._kept_losses WHERE epsilon = 0.0625;

-- what is written by hand, restored or repaired is not known
SET client_min_messages = error;
CREATE FUNCTION known_after(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	known bigint;
BEGIN
	EXECUTE statement;
	known := (SELECT count(*) FROM privacct._kept_losses);
	RAISE SQLSTATE 'ZZZZZ';
EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN
	RETURN known;
END
$$;
SELECT known_after('SELECT') > 0 AS known;
SELECT statement, known_after(statement) FROM unnest(ARRAY[
	$$SET LOCAL privacct.write_books = on; UPDATE privacct.release_sum SET charges = charges + 1$$,
	$$INSERT INTO privacct.release_sum SELECT policy_id, 'x', epsilon, mechanisms, slots, charges FROM privacct.release_sum LIMIT 1$$,
	$$INSERT INTO privacct.ledger (charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail) SELECT -charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail FROM privacct.ledger LIMIT 1$$,
	$$ALTER TABLE privacct.release_sum DISABLE TRIGGER USER; ALTER TABLE privacct.release_sum ENABLE TRIGGER USER$$,
	$$SELECT privacct.repair_books('visit')$$]) statement;
-- what takes long to compose is left to who looks: charges would wait
SELECT ask('regress_kl_analyst', '0.25', (SELECT 'SELECT ' || string_agg(format('count(*) FILTER (WHERE cost > %s)', i), ', ') || ' FROM visit' FROM generate_series(1, 30) i), 1) \g /dev/null
SELECT (SELECT count(*) FROM privacct._unkept_losses l WHERE l.policy_id = p.policy_id) AS to_be_composed, (SELECT count(*) FROM privacct._kept_losses l WHERE l.policy_id = p.policy_id) AS kept
	FROM policy p WHERE relation = 'visit'::regclass AND closed_at IS NULL;
\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_losses;
DROP ROLE regress_kl_analyst;
