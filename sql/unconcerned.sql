-- Commands that have nothing to do with anything protected are not looked at further.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
\pset format unaligned
\pset footer off
SET search_path = public, privacct;
CREATE ROLE regress_pa_keeper;
CREATE ROLE regress_pa_guest;
GRANT privacct_admin TO regress_pa_keeper;
CREATE SCHEMA zoo AUTHORIZATION regress_pa_keeper;
SET ROLE regress_pa_keeper;

-- everything by which one relation hangs together with another
CREATE TABLE zoo.alone (id int PRIMARY KEY, note text);
CREATE TABLE zoo.ward (id int PRIMARY KEY);
CREATE TABLE zoo.visit (id serial PRIMARY KEY, ward int REFERENCES zoo.ward, parent int REFERENCES zoo.visit) ;
CREATE TABLE zoo.bill (visit int REFERENCES zoo.visit ON DELETE CASCADE);
CREATE TABLE zoo.root (id int, part int) PARTITION BY LIST (part);
CREATE TABLE zoo.leaf PARTITION OF zoo.root FOR VALUES IN (1);
CREATE TABLE zoo.branch PARTITION OF zoo.root FOR VALUES IN (2) PARTITION BY LIST (id);
CREATE TABLE zoo.twig PARTITION OF zoo.branch FOR VALUES IN (1);
CREATE TABLE zoo.above (id int);
CREATE TABLE zoo.beside (id int);
CREATE TABLE zoo.below () INHERITS (zoo.above, zoo.beside);
CREATE TYPE zoo.shape AS (id int, ward int);
CREATE TABLE zoo.shaped OF zoo.shape;
CREATE TABLE zoo.row_of_ward (w zoo.ward);
CREATE SEQUENCE zoo.counter;
CREATE SEQUENCE zoo.domain_counter;
CREATE TABLE zoo.counted (id int DEFAULT nextval('zoo.counter'));
CREATE DOMAIN zoo.number AS int DEFAULT nextval('zoo.domain_counter');
CREATE TABLE zoo.numbered (n zoo.number);
CREATE VIEW zoo.over_visit AS SELECT id FROM zoo.visit;
CREATE VIEW zoo.over_over AS SELECT id FROM zoo.over_visit;
CREATE VIEW zoo.over_leaf WITH (security_invoker = true) AS SELECT l.id FROM zoo.leaf l JOIN zoo.alone a USING (id);
CREATE MATERIALIZED VIEW zoo.kept AS SELECT id FROM zoo.above;
CREATE TABLE zoo.ruled (id int);
CREATE RULE passes_on AS ON INSERT TO zoo.ruled DO ALSO INSERT INTO zoo.counted VALUES (NEW.id);
GRANT USAGE, CREATE ON SCHEMA zoo TO regress_pa_guest;
GRANT SELECT (id) ON zoo.root TO regress_pa_guest;
SET ROLE regress_pa_guest;
CREATE VIEW zoo.of_guest AS SELECT id FROM zoo.root;
CREATE VIEW zoo.of_guest_without AS SELECT * FROM zoo.bill;
CREATE TABLE zoo.of_guest_itself (id int);
CREATE VIEW zoo.of_guest_invoker WITH (security_invoker = true) AS SELECT o.id FROM zoo.over_over o, zoo.of_guest_itself;
RESET ROLE;

-- the library finds what the SQL script means by near
CREATE FUNCTION pg_temp.differences(wanted oid[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT format('%s, readable %s: %s instead of %s', r.oid::regclass, readable, f.found::regclass[], n.near::regclass[])
	FROM unnest(wanted) r(oid) CROSS JOIN (VALUES (true), (false)) b(readable)
	CROSS JOIN LATERAL (SELECT array_agg(DISTINCT u ORDER BY u) FROM unnest(privacct._relations_near(ARRAY[r.oid], readable)) u) n(near)
	CROSS JOIN LATERAL (SELECT array_agg(u ORDER BY u) FROM unnest(privacct._find_near(ARRAY[r.oid], readable)) u) f(found)
	WHERE n.near IS DISTINCT FROM f.found
$$;
SELECT count(*) AS relations FROM pg_class WHERE relnamespace = 'zoo'::regnamespace;
SELECT pg_temp.differences(ARRAY(SELECT oid FROM pg_class WHERE relnamespace IN ('zoo'::regnamespace, 'pg_toast'::regnamespace) AND oid >= 16384 ORDER BY oid)) AS difference;
SELECT pg_temp.differences(ARRAY(SELECT oid FROM pg_class WHERE relnamespace = 'privacct'::regnamespace AND relkind IN ('r', 'v') ORDER BY oid)) AS difference;
-- of several at once, and of one that is not there
SELECT cardinality(n.near), n.near = f.found AS same
FROM (SELECT '{zoo.over_over,zoo.counter,zoo.of_guest,zoo.kept,zoo.shape}'::regclass[]::oid[] || 1::oid) r(oids)
CROSS JOIN LATERAL (SELECT array_agg(DISTINCT u ORDER BY u) FROM unnest(privacct._relations_near(r.oids, true)) u) n(near)
CROSS JOIN LATERAL (SELECT array_agg(u ORDER BY u) FROM unnest(privacct._find_near(r.oids, true)) u) f(found);

-- what is looked at: how often a policy is checked, and whether the commands were looked at by SQL at all
SET track_functions = 'all';
CREATE PROCEDURE pg_temp.look(command text) LANGUAGE plpgsql AS $$
DECLARE
	checked bigint := coalesce(pg_stat_get_xact_function_calls('privacct._check_undermined(privacct.policy)'::regprocedure), 0);
	looked bigint := coalesce(pg_stat_get_xact_function_calls('privacct._check_members(oid[])'::regprocedure), 0);
	followed bigint := coalesce(pg_stat_get_xact_function_calls('privacct._describe_again(oid[])'::regprocedure), 0);
	policies bigint := coalesce(pg_stat_get_xact_tuples_returned('privacct.policy'::regclass), 0);
BEGIN
	EXECUTE command;
	RAISE NOTICE '%: looked at %, policies checked %, histories followed %, policies read %', command,
		coalesce(pg_stat_get_xact_function_calls('privacct._check_members(oid[])'::regprocedure), 0) - looked,
		coalesce(pg_stat_get_xact_function_calls('privacct._check_undermined(privacct.policy)'::regprocedure), 0) - checked,
		coalesce(pg_stat_get_xact_function_calls('privacct._describe_again(oid[])'::regprocedure), 0) - followed,
		CASE WHEN coalesce(pg_stat_get_xact_function_calls('privacct._check_members(oid[])'::regprocedure), 0) = looked
			THEN coalesce(pg_stat_get_xact_tuples_returned('privacct.policy'::regclass), 0) - policies END;
END
$$;
CREATE TABLE patient (id int PRIMARY KEY, owner int NOT NULL, cost int) PARTITION BY RANGE (id);
CREATE TABLE patient_1 PARTITION OF patient FOR VALUES FROM (0) TO (10);
CREATE TABLE second (id int PRIMARY KEY, owner int NOT NULL);
CREATE TABLE third (id int PRIMARY KEY, owner int NOT NULL);
CREATE TABLE former (id int PRIMARY KEY, owner int NOT NULL);
CREATE TABLE pointing (patient int REFERENCES patient);
CREATE TABLE other_parent (x int);
CREATE TABLE public_code (id int PRIMARY KEY);
SELECT protect('patient', 'id', fresh => true) > 0, protect('second', 'owner', fresh => true) > 0, protect('third', 'owner', fresh => true) > 0, protect('former', 'owner', fresh => true) > 0;
SELECT unprotect('former');
CREATE TABLE of_both () INHERITS (former, other_parent);

BEGIN;
\echo --- nothing to do with a policy
CALL pg_temp.look('CREATE TEMP TABLE passing (a int, b text)');
CALL pg_temp.look('CREATE TABLE plain (a int PRIMARY KEY, b text)');
CALL pg_temp.look('CREATE TABLE plain_child () INHERITS (plain)');
CALL pg_temp.look('CREATE TABLE plain_copy AS SELECT * FROM plain');
CALL pg_temp.look('CREATE SEQUENCE plain_seq OWNED BY plain.a');
CALL pg_temp.look('ALTER TABLE plain ALTER a SET DEFAULT nextval(''plain_seq'')');
CALL pg_temp.look('ALTER TABLE plain RENAME COLUMN b TO c');
CALL pg_temp.look('GRANT SELECT ON plain TO regress_pa_guest');
CALL pg_temp.look('GRANT SELECT (a) ON plain TO regress_pa_guest');
CALL pg_temp.look('GRANT USAGE ON SEQUENCE plain_seq TO regress_pa_guest');
CALL pg_temp.look('GRANT CREATE ON SCHEMA public TO regress_pa_guest');
CALL pg_temp.look('CREATE VIEW over_plain AS SELECT * FROM plain');
CALL pg_temp.look('GRANT SELECT ON over_plain TO regress_pa_guest');
CALL pg_temp.look('ALTER VIEW over_plain RENAME TO over_plainly');
CALL pg_temp.look('CREATE TABLE pointing_elsewhere (a int REFERENCES plain)');
CALL pg_temp.look('CREATE SCHEMA elsewhere CREATE TABLE there (a int)');
\echo --- something to do with one
CALL pg_temp.look('ALTER TABLE patient ADD COLUMN note text');
CALL pg_temp.look('ALTER TABLE patient_1 ALTER cost SET STATISTICS 10');
CALL pg_temp.look('CREATE TABLE patient_2 PARTITION OF patient FOR VALUES FROM (10) TO (20)');
CALL pg_temp.look('CREATE TABLE pointing_too (patient int REFERENCES patient ON DELETE RESTRICT)');
CALL pg_temp.look('ALTER TABLE pointing ADD COLUMN b int');
CALL pg_temp.look('CREATE VIEW over_patient AS SELECT * FROM patient');
CALL pg_temp.look('ALTER TABLE former RENAME TO formerly');
CALL pg_temp.look('ALTER TABLE formerly RENAME COLUMN owner TO person');
CALL pg_temp.look('ALTER TABLE other_parent ADD COLUMN y int');
CALL pg_temp.look('ALTER SCHEMA elsewhere RENAME TO anywhere');
CALL pg_temp.look('GRANT SELECT ON over_patient TO CURRENT_USER');
CALL pg_temp.look('GRANT SELECT ON privacct.odometer TO PUBLIC');
CALL pg_temp.look('ALTER TABLE privacct.policy ALTER relation SET STATISTICS 10');
ROLLBACK;
GRANT TRIGGER ON patient TO regress_pa_guest;
GRANT SELECT ON patient_1 TO regress_pa_guest;
GRANT SELECT ON privacct.ledger TO regress_pa_guest;
BEGIN;
\echo --- where a table is public, what may be a way to write to it
SELECT declare_public('public_code');
CALL pg_temp.look('CREATE TABLE plain (a int)');
CALL pg_temp.look('GRANT UPDATE ON plain TO regress_pa_guest');
CALL pg_temp.look('CREATE VIEW over_code AS SELECT * FROM public_code');
CALL pg_temp.look('CREATE VIEW over_plain AS SELECT * FROM plain');
CALL pg_temp.look('GRANT CREATE ON SCHEMA public TO regress_pa_guest');
ROLLBACK;

\set VERBOSITY terse
SELECT privacct._is_unconcerned();
\set VERBOSITY default
SELECT unprotect('patient'), unprotect('second'), unprotect('third');
DROP TABLE patient, second, third, of_both, former, other_parent, pointing, public_code;
SET client_min_messages = warning;
DROP SCHEMA zoo CASCADE;
REVOKE privacct_admin FROM regress_pa_keeper;
DROP ROLE regress_pa_keeper, regress_pa_guest;
