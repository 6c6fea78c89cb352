-- No table of the extension is changed by hand, whichever there are.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA regress_byhand;
SET search_path = regress_byhand, privacct;

-- what a statement of a superuser is answered, with what there is to do instead
CREATE FUNCTION by_hand(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
	rows bigint;
BEGIN
	EXECUTE statement;
	GET DIAGNOSTICS rows = ROW_COUNT;
	RETURN CASE WHEN rows = 0 AND statement !~ '^TRUNCATE' THEN 'nothing to change' ELSE 'done' END;
EXCEPTION
	WHEN insufficient_privilege THEN
		GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
		RETURN CASE WHEN hint = '' THEN 'refused without a hint' ELSE 'refused' END;
	WHEN OTHERS THEN
		RETURN SQLERRM;
END
$$;
CREATE VIEW kept AS
SELECT c.oid::regclass AS relation, a.attname AS first_column, s.statement
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
CROSS JOIN LATERAL (VALUES (format('UPDATE %s SET %I = %I', c.oid::regclass, a.attname, a.attname)),
	(format('DELETE FROM %s', c.oid::regclass)), (format('TRUNCATE %s', c.oid::regclass)),
	(format('MERGE INTO %s t USING (SELECT) s ON true WHEN MATCHED THEN DELETE', c.oid::regclass))) s(statement)
WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p');
SELECT count(DISTINCT relation) > 20 AS many, count(*) = 4 * count(DISTINCT relation) AS all_ways FROM kept;
-- each of these is one that somebody forgot; t/058_any_way.pl tries those that have no row here
SELECT statement, by_hand(statement) FROM kept WHERE by_hand(statement) NOT IN ('refused', 'nothing to change');
SET session_replication_role = replica;
SELECT statement, by_hand(statement) FROM kept WHERE by_hand(statement) NOT IN ('refused', 'nothing to change');
RESET session_replication_role;
SELECT relation, (SELECT string_agg(g.tgname, ', ' ORDER BY g.tgname) FROM pg_trigger g WHERE g.tgrelid = relation AND g.tgenabled <> 'A') AS not_always
FROM (SELECT DISTINCT relation FROM kept) k WHERE EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = relation AND NOT g.tgisinternal AND g.tgenabled <> 'A');
-- and each of these is a function that would fail
SELECT f.oid::regprocedure AS cannot_write FROM pg_proc f
WHERE f.pronamespace = 'privacct'::regnamespace AND f.prosrc ~* '\m(insert|update|delete|truncate)\M[^;]*\mprivacct\.'
AND f.prosrc ~* '\m(insert\s+into|update|delete\s+from|truncate)\s+(only\s+|table\s+)?(privacct\.|%)' AND NOT coalesce(f.proconfig @> '{privacct.write_books=on}', false);

-- what it looks like
CREATE ROLE regress_byhand_analyst;
GRANT USAGE ON SCHEMA regress_byhand TO regress_byhand_analyst;
CREATE TABLE planned (person int PRIMARY KEY);
INSERT INTO planned SELECT generate_series(1, 50);
SELECT protect('planned', 'person', accountant => 'plan', epsilon => 3) > 0 AS protected, grant_budget('planned', 'regress_byhand_analyst', 1);
SELECT FROM plan_budget('planned', '[{"kernel": "laplace", "releases": 2}]');
SET ROLE regress_byhand_analyst;
SET privacct.epsilon = 1;
SELECT count(*) IS NOT NULL AS answered FROM planned;
RESET ROLE;
UPDATE slot SET used = 0;
UPDATE policy SET epsilon = 100;
DELETE FROM quota;
DROP TRIGGER only_by_functions ON slot;
-- who switches them off is told
SET client_min_messages = warning;
BEGIN;
ALTER TABLE slot DISABLE TRIGGER only_by_functions;
SELECT problem FROM check_books() WHERE relation IS NULL;
ROLLBACK;
-- who says so may; what was spent does not become less
BEGIN;
SET LOCAL privacct.write_books = on;
UPDATE privacct.group_key SET keys = keys;
UPDATE slot SET used = 0;
ROLLBACK;
BEGIN;
SET LOCAL privacct.write_books = on;
UPDATE slot SET releases = 100;
ROLLBACK;
-- whoever does, in whatever way, is written down for good; functions of the extension are not
BEGIN;
CREATE FUNCTION opened() RETURNS void LANGUAGE sql SET privacct.write_books = on AS 'UPDATE privacct.bound SET lo = lo';
SELECT grant_budget('planned', 'regress_byhand_analyst', 2), unprotect('planned');
SELECT object, command FROM written_by_hand;
SELECT opened();
SELECT set_config('privacct.write_books', 'on', true);
UPDATE privacct.group_key SET keys = keys;
SELECT protect('planned', 'person', accountant => 'plan', epsilon => 3) > 0 AS protected, grant_budget('planned', 'regress_byhand_analyst', 1);
DO $$ BEGIN DELETE FROM privacct.unrelated; TRUNCATE privacct.unrelated; INSERT INTO privacct.ledger SELECT * FROM privacct.ledger WHERE false; END $$;
SELECT set_config('privacct.write_books', 'off', true);
ALTER TABLE slot DISABLE TRIGGER only_by_functions;
ALTER EVENT TRIGGER privacct_drop DISABLE;
ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;
SELECT role = session_user AS by_me, written_at = now() AS now, object, command, accepted_at FROM written_by_hand ORDER BY object, command;
ALTER TABLE slot ENABLE TRIGGER only_by_functions;
SELECT problem, regexp_replace(replace(detail, CURRENT_USER, 'WHO'), '[0-9-]{10}', 'DAY', 'g') AS detail FROM check_books() WHERE problem ~ 'by hand';
-- every table is, whichever there are, or refuses also that
CREATE FUNCTION changed() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	relation text;
BEGIN
	PERFORM set_config('privacct.write_books', 'on', true);
	FOR relation IN SELECT DISTINCT k.relation::text FROM kept k LOOP
		BEGIN
			EXECUTE format('DELETE FROM %s WHERE false', relation);
			RETURN NEXT relation;
		EXCEPTION WHEN insufficient_privilege THEN NULL;
		END;
	END LOOP;
	PERFORM set_config('privacct.write_books', 'off', true);
END
$$;
CREATE TEMP TABLE changed AS SELECT 'privacct.' || regexp_replace(c, '.*\.', '') AS object FROM changed() c;
SELECT count(*) > 20 AS many FROM changed;
SELECT object AS not_written_down FROM changed c WHERE NOT EXISTS (SELECT FROM written_by_hand w WHERE w.object = c.object AND w.command = 'DELETE');
-- what is written down stays, also when somebody has answered for it
SET LOCAL privacct.write_books = on;
SAVEPOINT a;
DELETE FROM written_by_hand;
ROLLBACK TO a;
UPDATE written_by_hand SET role = 'nobody';
ROLLBACK TO a;
RESET privacct.write_books;
SELECT accept_books();
SELECT problem FROM check_books() WHERE problem ~ 'by hand';
SELECT count(*) > 6 AS stays, bool_and(accepted_at = now()) AS answered_for FROM written_by_hand;
SET LOCAL privacct.write_books = on;
UPDATE written_by_hand SET accepted_at = NULL;
ROLLBACK;
-- nobody has answered for what is written now: not by what a column is by default, nor beforehand, nor by an UPDATE, nor for what comes after it
BEGIN;
ALTER TABLE written_by_hand ALTER accepted_at SET DEFAULT now();
SELECT set_config('privacct.write_books', 'on', true);
UPDATE privacct.bound SET lo = lo;
INSERT INTO written_by_hand VALUES (now(), session_user, 'privacct.quota', 'DELETE', now()), (now(), session_user, 'privacct.written_by_hand', 'INSERT', now());
DELETE FROM privacct.quota WHERE false;
SELECT object, command FROM written_by_hand WHERE accepted_at IS NULL ORDER BY object, command;
SAVEPOINT a;
UPDATE written_by_hand SET accepted_at = now();
ROLLBACK TO a;
SELECT accept_books();
SELECT count(*) FROM written_by_hand WHERE accepted_at IS NULL;
UPDATE privacct.bound SET lo = lo;
SELECT object, command FROM written_by_hand WHERE accepted_at IS NULL ORDER BY object, command;
ROLLBACK;
-- whichever way it is turned on
BEGIN;
UPDATE pg_settings SET setting = 'on' WHERE name = 'privacct.write_books';
SET LOCAL privacct.write_books = off;
SAVEPOINT a;
SET LOCAL privacct.write_books = on;
SET LOCAL privacct.write_books = off;
CREATE FUNCTION opens() RETURNS text LANGUAGE sql SET privacct.write_books = off RETURN set_config('privacct.write_books', 'off', true) || set_config('privacct.write_books', 'on', true);
SELECT opens();
ROLLBACK;
-- lines are not for triggers of somebody's own
CREATE FUNCTION copied() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE privacct.written_by_hand SET accepted_at = now() WHERE accepted_at IS NULL; RETURN NULL; END $$;
CREATE TRIGGER copied AFTER INSERT ON privacct.written_by_hand FOR EACH ROW EXECUTE FUNCTION copied();
BEGIN;
SET LOCAL privacct.write_books = on;
CREATE TRIGGER copied AFTER INSERT ON privacct.written_by_hand FOR EACH ROW EXECUTE FUNCTION copied();
SELECT problem, remedy FROM check_books() WHERE problem ~ 'has triggers';
UPDATE privacct.bound SET lo = lo;
ROLLBACK;
DROP FUNCTION copied;
-- nor is code of somebody's own the extension's, which its functions come across, or which runs beside another script
BEGIN;
CREATE FUNCTION audit() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE privacct.policy SET epsilon = 100 WHERE epsilon = 3; END $$;
CREATE EVENT TRIGGER regress_byhand_audit ON ddl_command_end WHEN TAG IN ('GRANT') EXECUTE FUNCTION audit();
CREATE TABLE other (person int NOT NULL);
SELECT protect('other', 'person', fresh => true) > 0 AS protected;
SELECT object, command FROM written_by_hand ORDER BY object, command;
SELECT relation, problem, detail FROM check_books() WHERE problem !~ 'by hand';
ROLLBACK;
BEGIN;
CREATE FUNCTION audit() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('privacct.write_books', 'on', true); UPDATE privacct.policy SET epsilon = 100 WHERE epsilon = 3; END $$;
CREATE EVENT TRIGGER regress_byhand_audit ON ddl_command_end WHEN TAG IN ('CREATE FUNCTION') EXECUTE FUNCTION audit();
CREATE EXTENSION tcn SCHEMA regress_byhand;
SELECT object, command FROM written_by_hand ORDER BY object, command;
ROLLBACK;
-- what a table has spent is found by whatever is called when it leaves a policy
BEGIN;
SELECT count(privacct._leave(h.policy_id, h.relation)) FROM history h WHERE h.relation_name ~ 'planned$' AND h.left_at IS NULL;
SELECT epsilon > 0 AS spent, releases > 0 AS asked FROM history WHERE relation_name ~ 'planned$';
ROLLBACK;
SET ROLE regress_byhand_analyst;
SET privacct.write_books = on;
SELECT count(*) IS NOT NULL AS answered FROM planned;
SELECT count(*) IS NOT NULL AS answered FROM planned;
RESET ROLE;
SELECT slot, releases, used FROM slot WHERE policy_id = (SELECT max(policy_id) FROM policy);
-- what copies the ledger, in its worker, and writes to the books beside that
CREATE FUNCTION copied() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE privacct.bound SET lo = lo; RETURN NULL; END $$;
CREATE TABLE asked (person int PRIMARY KEY);
SELECT protect('asked', 'person', fresh => true) > 0 AS protected, grant_budget('asked', 'regress_byhand_analyst', 1);
CREATE TRIGGER copied AFTER INSERT ON privacct.ledger_line FOR EACH ROW EXECUTE FUNCTION copied();
SET ROLE regress_byhand_analyst;
SET privacct.epsilon = 0.1;
SELECT count(*) IS NOT NULL AS answered FROM asked;
RESET ROLE;
SELECT object, command FROM written_by_hand ORDER BY object, command;
-- it may go, but none of the extension's with it
BEGIN;
SET LOCAL privacct.write_books = on;
DROP TRIGGER never_emptied ON privacct.ledger_line;
SET LOCAL privacct.write_books = off;
DROP TRIGGER copied ON privacct.ledger_line;
ROLLBACK;
DROP TRIGGER append_only ON privacct.ledger_line;
DROP TRIGGER copied ON privacct.ledger_line;
-- no charge has a number below the last one, whichever way numbers are counted
SELECT max(charge_id) AS last FROM ledger \gset
ALTER SEQUENCE charge_id_seq INCREMENT BY -1;
SET ROLE regress_byhand_analyst;
SELECT count(*) IS NOT NULL AS answered FROM asked;
RESET ROLE;
SELECT count(*) FROM ledger WHERE charge_id = :last + 1;
ALTER SEQUENCE charge_id_seq INCREMENT BY 1;
DROP SCHEMA regress_byhand CASCADE;
DROP ROLE regress_byhand_analyst;
