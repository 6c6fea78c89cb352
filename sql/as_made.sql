-- What keeps the books is what the script of the extension made.
\set SHOW_CONTEXT never
SET client_min_messages = error;
CREATE DATABASE regression_as_made TEMPLATE template0;
\connect regression_as_made
SET client_min_messages = error;
CREATE EXTENSION privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
SET search_path = pg_catalog;
SELECT * FROM pg_temp.check_tampered();
SELECT count(*) > 400 AS known FROM privacct.made;
-- pg_upgrade makes everything that is parsed anew, of how the server writes it
CREATE FUNCTION public.upgrade() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v record;
	made bigint := 0;
BEGIN
	FOR v IN SELECT format('CREATE OR REPLACE VIEW %s %s AS %s', c.oid::regclass, 'WITH (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid)) AS again
		FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v'
		UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace AND p.prosqlbody IS NOT NULL
		UNION ALL SELECT format('%s; ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', replace(pg_get_triggerdef(g.oid), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), c.oid::regclass, g.tgname)
		FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'r' AND NOT g.tgisinternal
		UNION ALL SELECT format('ALTER TABLE %1$s DROP CONSTRAINT %2$I; ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
		FROM pg_constraint k WHERE k.connamespace = 'privacct'::regnamespace AND k.contype = 'c' AND k.conrelid <> 0
	LOOP
		EXECUTE v.again;
		made := made + 1;
	END LOOP;
	RETURN made;
END
$$;
SET privacct.write_books = on;
SELECT public.upgrade() > 200 AS made_again;
RESET privacct.write_books;
SELECT problem FROM pg_temp.check_tampered();
DROP FUNCTION public.upgrade;
CREATE FUNCTION public.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION public.naught(text) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT 0.0';
CREATE FUNCTION public.naught(numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '0' $$;
CREATE FUNCTION public.nothing(text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$ SELECT '{}'::jsonb $$;
-- what check_books() says after a statement, which is undone; of what follows from it the first two
CREATE PROCEDURE public.after(statement text) LANGUAGE plpgsql SET privacct.write_books = on AS $$
DECLARE
	r record;
BEGIN
	RAISE INFO '%', statement;
	BEGIN
		EXECUTE statement;
		FOR r IN SELECT problem FROM pg_temp.check_tampered()
			WHERE problem ~ '^(table|view|function|trigger|event trigger|rule|policy|constraint|index|cast) .* (is missing|is not of the extension|is not as the extension made it|is disabled)$'
			ORDER BY problem ~ '^view|^constraint', problem LIMIT 2 LOOP
			RAISE INFO '  %', r.problem;
		END LOOP;
		RAISE EXCEPTION 'undone' USING ERRCODE = 'P0001';
	EXCEPTION
		WHEN SQLSTATE 'P0001' THEN NULL;
		WHEN OTHERS THEN RAISE INFO '  refused: %', SQLERRM;
	END;
END
$$;
DO $$
DECLARE
	statement text;
BEGIN
	FOREACH statement IN ARRAY ARRAY[
		'ALTER TABLE privacct.account RENAME TO account_old; CREATE TABLE privacct.account (LIKE privacct.account_old INCLUDING ALL)',
		'CREATE TRIGGER mine BEFORE UPDATE ON privacct.account FOR EACH ROW EXECUTE FUNCTION public.nothing(); ALTER TABLE privacct.account ENABLE ALWAYS TRIGGER mine',
		'CREATE TRIGGER mine BEFORE INSERT ON privacct.ledger_line FOR EACH ROW EXECUTE FUNCTION public.nothing(); ALTER TABLE privacct.ledger_line ENABLE ALWAYS TRIGGER mine',
		'CREATE RULE mine AS ON INSERT TO privacct.ledger_line DO INSTEAD NOTHING',
		'ALTER EXTENSION privacct DROP EVENT TRIGGER privacct_drop',
		'ALTER EXTENSION privacct DROP EVENT TRIGGER privacct_history; DROP EVENT TRIGGER privacct_history',
		'ALTER EXTENSION privacct DROP TABLE privacct.home',
		'ALTER TABLE privacct.home SET UNLOGGED',
		'ALTER TABLE privacct.home ENABLE ROW LEVEL SECURITY',
		'CREATE POLICY mine ON privacct.account USING (false)',
		'ALTER TABLE privacct.history DROP CONSTRAINT history_check',
		'ALTER TABLE privacct.account ADD COLUMN mine int',
		'ALTER TABLE privacct.account RENAME COLUMN rho TO epsilon_rho',
		'CREATE TABLE public.more () INHERITS (privacct.account)',
		'CREATE FUNCTION privacct._administers(oid) RETURNS boolean LANGUAGE sql AS ''SELECT true''',
		'CREATE OR REPLACE FUNCTION privacct._refuse_loss() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NEW; END''',
		'ALTER FUNCTION privacct._refuse_loss() RESET search_path',
		'CREATE OR REPLACE VIEW privacct._away WITH (security_barrier) AS SELECT ''''::text AS problem, ''''::text COLLATE "C" AS detail, ''''::text COLLATE "C" AS remedy WHERE false',
		'ALTER TRIGGER only_grows ON privacct.account RENAME TO z',
		'DROP TRIGGER only_grows ON privacct.account',
		'CREATE CAST (text AS numeric) WITH FUNCTION public.naught(text)',
		'ALTER EVENT TRIGGER privacct_drop RENAME TO mine',
		'CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.account FOR EACH ROW WHEN (false) EXECUTE FUNCTION privacct._refuse_loss()',
		'DROP INDEX privacct.history_policy',
		'CREATE FUNCTION public.lie(oid, oid) RETURNS int LANGUAGE sql IMMUTABLE AS ''SELECT -1''; CREATE OPERATOR CLASS public.lying FOR TYPE oid USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 public.lie(oid, oid); CREATE INDEX mine ON privacct.history (relation public.lying)',
		-- what anybody may do
		'CREATE INDEX mine ON privacct.ledger_line (payer)',
		'REINDEX TABLE privacct.account',
		'ALTER TABLE privacct.account SET (autovacuum_enabled = off)',
		'CREATE VIEW public.mine AS SELECT * FROM privacct.odometer']
	LOOP
		CALL public.after(statement);
	END LOOP;
END
$$;
SELECT * FROM pg_temp.check_tampered();
-- the worker counts by no cast of somebody's own
CREATE ROLE regress_am_analyst;
CREATE TABLE public.visit (person int PRIMARY KEY);
INSERT INTO public.visit SELECT generate_series(1, 50);
SELECT privacct.protect('public.visit', 'person') > 0 AS protected, privacct.grant_budget('public.visit', 'regress_am_analyst', 1);
CREATE CAST (text AS numeric) WITH FUNCTION public.naught(text);
CREATE CAST (numeric AS text) WITH FUNCTION public.naught(numeric);
CREATE CAST (text AS jsonb) WITH FUNCTION public.nothing(text);
SET privacct.epsilon = 1;
SET ROLE regress_am_analyst;
SELECT count(*) IS NULL AS answered FROM public.visit;
SELECT count(*) IS NULL AS answered FROM public.visit;
RESET ROLE;
SELECT role, epsilon, releases FROM privacct.account ORDER BY role::text;
SELECT epsilon, detail <> '{}' AS detailed FROM privacct.ledger;
SELECT problem, detail, remedy FROM pg_temp.check_tampered();
DROP CAST (text AS numeric);
DROP CAST (numeric AS text);
DROP CAST (text AS jsonb);
SELECT problem FROM pg_temp.check_tampered();
-- not whatever the search path is, and not for others
SET search_path = privacct, public;
SELECT * FROM privacct.object_discrepancy;
ALTER EVENT TRIGGER privacct_own_table DISABLE;
SET ROLE regress_am_analyst;
SELECT * FROM pg_temp.check_tampered();
RESET ROLE;
\connect regression
SET client_min_messages = error;
DROP DATABASE regression_as_made;
DROP ROLE regress_am_analyst;
