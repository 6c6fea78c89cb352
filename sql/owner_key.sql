-- Owners are known by keys that are made of their values: what changes a key makes somebody else of its owner.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/trying.psql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DATABASE regression_owner_key TEMPLATE template0;
\connect regression_owner_key
SET client_min_messages = warning;
CREATE EXTENSION privacct;
CREATE ROLE regress_ok_analyst;
CREATE SCHEMA ok;
GRANT USAGE ON SCHEMA ok TO regress_ok_analyst;
SET search_path = ok, privacct;
CREATE FUNCTION ask(relation regclass, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	SET LOCAL ROLE regress_ok_analyst;
	EXECUTE format(query, relation);
	RESET ROLE;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RESET ROLE;
	RETURN concat_ws(' | ', SQLSTATE || ' ' || SQLERRM, nullif(detail, ''));
END
$$;
\ir :helpers
-- a table of 200 owners of a type
CREATE FUNCTION make(relation_name name, type text, value text, regime text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (person %s PRIMARY KEY, yes boolean NOT NULL, %I int)', relation_name, type, relation_name);
	EXECUTE format('INSERT INTO %I SELECT %s, i %% 2 = 0 FROM generate_series(1, 200) i', relation_name, value);
	PERFORM privacct.protect(relation_name::text::regclass, 'person', regime => regime), privacct.grant_budget(relation_name::text::regclass, 'regress_ok_analyst', 100);
	IF regime = 'local' THEN
		PERFORM privacct.set_domain(relation_name::text::regclass, 'yes', ARRAY[false, true]);
	END IF;
	RETURN regime;
END
$$;
SET privacct.epsilon = 1;
CREATE DOMAIN whole AS int;
CREATE DOMAIN words AS text;
SELECT type, make('local_' || type, type, value, 'local') FROM (VALUES
	('int2', 'i'), ('int4', 'i'), ('int8', 'i'), ('uuid', 'md5(i::text)::uuid'), ('text', 'i::text'), ('varchar', 'i::text')) v(type, value);
-- one question, and all owners are exhausted
SELECT p.relation, ask(p.relation, 'SELECT ldp_count(yes) FROM %s'), ask(p.relation, 'SELECT ldp_count(yes) FROM %s') AS again FROM policy p WHERE p.closed_at IS NULL AND p.relation::text LIKE 'local_%';

-- From each type to every other that a column of it can have: refused, or the owners stay who they are.
CREATE FUNCTION changed(relation_name name, type text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('ALTER TABLE %I ALTER person TYPE %s', relation_name, type);
	RAISE EXCEPTION 'allowed' USING ERRCODE = 'P0001';
EXCEPTION
	WHEN SQLSTATE 'P0001' THEN RETURN SQLERRM;
	WHEN SQLSTATE '42PA4' THEN RETURN 'refused';
	WHEN OTHERS THEN RETURN 'not by PostgreSQL';
END
$$;
SELECT substr(relation.name, 7) AS "from", changed(relation.name, type.name), string_agg(type.name, ', ' ORDER BY type.n) AS "to"
FROM unnest('{local_int2,local_int4,local_int8,local_uuid,local_text,local_varchar}'::text[]) WITH ORDINALITY relation(name, n),
	unnest('{int2,int4,int8,numeric,"numeric(10,2)",float8,uuid,text,varchar,varchar(40),char(40),name,bytea,whole,words,oid}'::text[]) WITH ORDINALITY type(name, n)
GROUP BY relation.n, 1, 2 ORDER BY relation.n, 2;
SELECT format('ALTER TABLE local_%s ALTER person TYPE %s', f, t), format($q$SELECT %L AS type, ask('local_%s', 'SELECT ldp_count(yes) FROM %%s')$q$, t, f)
FROM (VALUES ('int2', 'int8'), ('int2', 'int4'), ('int2', 'int2'), ('text', 'varchar'), ('text', 'text')) v(f, t) \gexec
SELECT try('ALTER TABLE local_int4 ALTER person TYPE text');
SELECT try('ALTER TABLE local_uuid ALTER person TYPE text USING person::text');
SELECT relation, owners_left(relation, 1) FROM policy WHERE closed_at IS NULL AND relation::text LIKE 'local_%' ORDER BY relation::text;

-- Renewed: every owner starts with the most that one of them lost, whatever the key is.
BEGIN;
SELECT unprotect('local_int4');
ALTER TABLE local_int4 ALTER person TYPE text;
SELECT protect('local_int4', 'person', regime => 'local') > 0 AS protected, grant_budget('local_int4', 'regress_ok_analyst', 100), set_domain('local_int4', 'yes', ARRAY[false, true]);
COMMIT;
SELECT ask('local_int4', 'SELECT ldp_count(yes) FROM %s');

-- A cast of somebody's own between built-in types does with the values what it likes.
SELECT make('central_int4', 'int4', 'i', 'central');
SELECT ask('central_int4', 'SELECT count(*) FROM %s');
CREATE FUNCTION merged(int4) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'all' $$;
CREATE CAST (int4 AS text) WITH FUNCTION merged(int4) AS ASSIGNMENT;
SELECT try('ALTER TABLE central_int4 ALTER person TYPE text');
DROP CAST (int4 AS text);
-- central: nothing is kept of an owner by key, so what keeps owners apart is enough
SELECT try(format('ALTER TABLE central_int4 ALTER person TYPE %s', type)) FROM unnest('{int8,numeric,text,varchar}'::text[]) type;

-- What was not noticed, for the library was not there or a trigger was disabled, is not read.
SET privacct.write_books = on;
UPDATE policy SET owner_type = 'uuid' WHERE relation = 'local_text'::regclass;
RESET privacct.write_books;
SELECT ask('local_text', 'SELECT ldp_count(yes) FROM %s');
SELECT problem, detail, remedy FROM check_books() WHERE relation = 'ok.local_text';

-- The owner column is followed by its number: another one that has its name now is not it.
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
ALTER EVENT TRIGGER privacct_history DISABLE;
SELECT make('swapped', 'int4', 'i', 'central'), make('closed', 'int4', 'i', 'central');
SELECT ask('swapped', 'SELECT count(*) FROM %s'), ask('closed', 'SELECT count(*) FROM %s');
SELECT unprotect('closed');
UPDATE swapped SET swapped = 1;
UPDATE closed SET closed = 1;
ALTER TABLE swapped ALTER swapped SET NOT NULL;
ALTER TABLE closed ALTER closed SET NOT NULL;
SELECT format('ALTER TABLE %1$s RENAME person TO t', t), format('ALTER TABLE %1$s RENAME %1$s TO person', t), format('ALTER TABLE %1$s RENAME t TO %1$s', t) FROM unnest('{swapped,closed}'::text[]) t \gexec
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
SELECT ask('swapped', 'SELECT count(*) FROM %s');
SELECT problem, detail, remedy FROM check_books() WHERE relation = 'ok.swapped';
SELECT try(format('SELECT privacct.protect(''closed'', %L)', c)) FROM unnest('{person,closed}'::text[]) c;
SELECT format('ALTER TABLE %1$s RENAME person TO t', t), format('ALTER TABLE %1$s RENAME %1$s TO person', t) FROM unnest('{swapped,closed}'::text[]) t \gexec
SELECT problem, detail, remedy FROM check_books() WHERE relation ~ '^ok.(swapped|closed)';
SELECT ask('swapped', 'SELECT count(*) FROM %s');
SELECT try(format('SELECT privacct.protect(''closed'', %L, fresh => true)', c)) FROM unnest('{t,person}'::text[]) c;
-- dropped and made again, the same
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
ALTER EVENT TRIGGER privacct_history DISABLE;
ALTER EVENT TRIGGER privacct_drop DISABLE;
ALTER EVENT TRIGGER privacct_history_drop DISABLE;
ALTER TABLE swapped DROP person;
ALTER TABLE swapped ADD person int NOT NULL DEFAULT 1;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_history_drop ENABLE ALWAYS;
SELECT ask('swapped', 'SELECT count(*) FROM %s');
SELECT problem, remedy FROM check_books() WHERE relation = 'ok.swapped';
\connect regression
SET client_min_messages = warning;
DROP DATABASE regression_owner_key;
DROP ROLE regress_ok_analyst;
