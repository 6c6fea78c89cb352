-- A protected table rests on nothing that others own: whatever kind of object it is,
-- however it is used, and whatever comes first: the object, the policy, or the owner.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
\getenv abs_srcdir PG_ABS_SRCDIR
\set tampered :abs_srcdir '/sql/include/tampered.psql'
\i :tampered
RESET client_min_messages;
CREATE ROLE regress_fd_steward;
CREATE ROLE regress_fd_deputy IN ROLE regress_fd_steward;		-- has the steward's privileges
CREATE ROLE regress_fd_analyst;
CREATE ROLE regress_fd_super SUPERUSER;
GRANT privacct_admin TO regress_fd_steward;
CREATE SCHEMA fd AUTHORIZATION regress_fd_steward;
GRANT USAGE, CREATE ON SCHEMA fd TO regress_fd_analyst, regress_fd_deputy;
GRANT CREATE ON DATABASE :"DBNAME" TO regress_fd_analyst, regress_fd_steward, regress_fd_deputy;
CREATE FUNCTION fd.same(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 - $2';
ALTER FUNCTION fd.same OWNER TO regress_fd_steward;
\pset format unaligned
\pset tuples_only on

--
-- The grammar: a kind of object, how it is made, what the steward makes of it, how a
-- table uses it ($t: the table, or a partition of it), and whose it becomes (@).
--
CREATE TABLE kind (n serial, kind text, made text, aside text, used text, given text);
INSERT INTO kind (kind, made, aside, used, given) VALUES
	('domain', 'CREATE DOMAIN fd.d AS int', '', 'ALTER TABLE $r ADD c fd.d', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, of an array', 'CREATE DOMAIN fd.d AS int', '', 'ALTER TABLE $r ADD c fd.d[]', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, below another', 'CREATE DOMAIN fd.d AS int', 'CREATE DOMAIN fd.e AS fd.d', 'ALTER TABLE $r ADD c fd.e', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, below two', 'CREATE DOMAIN fd.d AS int', 'CREATE DOMAIN fd.e AS fd.d; CREATE DOMAIN fd.f AS fd.e[]', 'ALTER TABLE $r ALTER v TYPE fd.f USING NULL', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, in a composite type', 'CREATE DOMAIN fd.d AS int', 'CREATE TYPE fd.y AS (a fd.d)', 'ALTER TABLE $r ADD c fd.y', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, in the row of a table', 'CREATE DOMAIN fd.d AS int', 'CREATE TABLE fd.o (a fd.d)', 'ALTER TABLE $r ADD c fd.o', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, of a range', 'CREATE DOMAIN fd.d AS int', 'CREATE TYPE fd.y AS RANGE (subtype = fd.d)', 'ALTER TABLE $r ADD c fd.y', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, of a cast', 'CREATE DOMAIN fd.d AS int', '', 'ALTER TABLE $t ADD CHECK (v::fd.d > 0)', 'ALTER DOMAIN fd.d OWNER TO @'),
	('domain, of an argument', 'CREATE DOMAIN fd.d AS int', 'CREATE FUNCTION fd.g(fd.d) RETURNS boolean LANGUAGE sql IMMUTABLE AS ''SELECT true''', 'ALTER TABLE $t ADD CHECK (fd.g(v))', 'ALTER DOMAIN fd.d OWNER TO @'),
	('enum', 'CREATE TYPE fd.y AS ENUM (''a'')', '', 'ALTER TABLE $r ADD c fd.y', 'ALTER TYPE fd.y OWNER TO @'),
	('composite type', 'CREATE TYPE fd.y AS (a int)', '', 'ALTER TABLE $r ADD c fd.y[]', 'ALTER TYPE fd.y OWNER TO @'),
	('composite type, of the table', 'CREATE TYPE fd.y AS (id int, v int, w text)', '', 'ALTER TABLE $t OF fd.y', 'ALTER TYPE fd.y OWNER TO @'),
	('range', 'CREATE TYPE fd.y AS RANGE (subtype = int)', '', 'ALTER TABLE $r ADD c fd.y', 'ALTER TYPE fd.y OWNER TO @'),
	('range, its constructor', 'CREATE TYPE fd.y AS RANGE (subtype = int)', '', 'ALTER TABLE $r ADD c fd.y', 'ALTER FUNCTION fd.y(int, int) OWNER TO @'),
	('row of a table', 'CREATE TABLE fd.o (a int)', '', 'ALTER TABLE $r ADD c fd.o', 'ALTER TABLE fd.o OWNER TO @'),
	('row of a view', 'CREATE VIEW fd.o AS SELECT 1 AS a', '', 'ALTER TABLE $r ADD c fd.o', 'ALTER VIEW fd.o OWNER TO @'),
	('collation', 'CREATE COLLATION fd.l FROM "C"', '', 'ALTER TABLE $r ADD c text COLLATE fd.l', 'ALTER COLLATION fd.l OWNER TO @'),
	('collation, of an index', 'CREATE COLLATION fd.l FROM "C"', '', 'CREATE INDEX ON $t (w COLLATE fd.l)', 'ALTER COLLATION fd.l OWNER TO @'),
	('sequence', 'CREATE SEQUENCE fd.q', '', 'ALTER TABLE $t ALTER v SET DEFAULT nextval(''fd.q'')', 'ALTER SEQUENCE fd.q OWNER TO @'),
	('statistics', '', '', 'CREATE STATISTICS fd.s ON id, v FROM $t', 'ALTER STATISTICS fd.s OWNER TO @'),
	('publication', '', '', 'CREATE PUBLICATION fd_p FOR TABLE $t', 'ALTER PUBLICATION fd_p OWNER TO @'),
	('schema, of the table', 'CREATE SCHEMA fd_s; GRANT CREATE ON SCHEMA fd_s TO PUBLIC', '', 'ALTER TABLE $t SET SCHEMA fd_s', 'ALTER SCHEMA fd_s OWNER TO @'),
	('schema, of a type', 'CREATE SCHEMA fd_s; GRANT ALL ON SCHEMA fd_s TO PUBLIC', 'CREATE DOMAIN fd_s.d AS int', 'ALTER TABLE $r ADD c fd_s.d', 'ALTER SCHEMA fd_s OWNER TO @'),
	('operator', 'CREATE OPERATOR fd.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)', '', 'ALTER TABLE $t ADD CHECK (v OPERATOR(fd.===) 1)', 'ALTER OPERATOR fd.=== (int, int) OWNER TO @'),
	('operator class', 'CREATE OPERATOR CLASS fd.k FOR TYPE int USING btree AS OPERATOR 1 <, FUNCTION 1 fd.same(int, int)', '', 'CREATE INDEX ON $t (v fd.k)', 'ALTER OPERATOR CLASS fd.k USING btree OWNER TO @'),
	('operator family', 'CREATE OPERATOR FAMILY fd.m USING btree; CREATE OPERATOR CLASS fd.k FOR TYPE int USING btree FAMILY fd.m AS OPERATOR 1 <, FUNCTION 1 fd.same(int, int)', '',
		'CREATE INDEX ON $t (v fd.k)', 'ALTER OPERATOR FAMILY fd.m USING btree OWNER TO @'),
	('function, of an operator class', 'CREATE FUNCTION fd.c(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS ''SELECT $1 - $2''; CREATE OPERATOR CLASS fd.k FOR TYPE int USING btree AS OPERATOR 1 <, FUNCTION 1 fd.c(int, int)', '',
		'CREATE INDEX ON $t (v fd.k)', 'ALTER FUNCTION fd.c OWNER TO @'),
	('function, of an operator', 'CREATE FUNCTION fd.c(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS ''SELECT true''; CREATE OPERATOR fd.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = fd.c)', '',
		'ALTER TABLE $t ADD CHECK (v OPERATOR(fd.===) 1)', 'ALTER FUNCTION fd.c OWNER TO @'),
	('language', 'CREATE TRUSTED LANGUAGE fd_l HANDLER plpgsql_call_handler', 'CREATE FUNCTION fd.g() RETURNS trigger LANGUAGE fd_l AS ''BEGIN RETURN NULL; END''', 'CREATE TRIGGER fd_g AFTER INSERT ON $t EXECUTE FUNCTION fd.g()', 'ALTER LANGUAGE fd_l OWNER TO @'),
	('text search configuration', 'CREATE TEXT SEARCH CONFIGURATION fd.x (COPY = simple)', '', 'CREATE INDEX ON $t USING gin (to_tsvector(''fd.x'', w))', 'ALTER TEXT SEARCH CONFIGURATION fd.x OWNER TO @'),
	('text search dictionary', 'CREATE TEXT SEARCH DICTIONARY fd.i (TEMPLATE = simple)', 'CREATE TEXT SEARCH CONFIGURATION fd.x (COPY = simple); ALTER TEXT SEARCH CONFIGURATION fd.x ALTER MAPPING FOR word WITH fd.i',
		'ALTER TABLE $t ADD CHECK (to_tsvector(''fd.x'', w) IS NULL)', 'ALTER TEXT SEARCH DICTIONARY fd.i OWNER TO @'),
	('aggregate', 'CREATE AGGREGATE fd.a (int) (SFUNC = int4pl, STYPE = int)', 'CREATE FUNCTION fd.g(x int) RETURNS int IMMUTABLE RETURN (SELECT fd.a(x))', 'ALTER TABLE $t ADD CHECK (fd.g(v) > 0)', 'ALTER AGGREGATE fd.a (int) OWNER TO @'),
	('function, of a trigger', 'CREATE FUNCTION fd.f() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''', '', 'CREATE TRIGGER fd_g AFTER INSERT ON $t EXECUTE FUNCTION fd.f()', 'ALTER FUNCTION fd.f OWNER TO @'),
	('function, of what is attached', 'CREATE FUNCTION fd.f() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''',
		'CREATE TABLE fd.leaf (LIKE fd.p INCLUDING ALL); CREATE TRIGGER fd_g AFTER INSERT ON fd.leaf EXECUTE FUNCTION fd.f()', 'ALTER TABLE $r ATTACH PARTITION fd.leaf DEFAULT', 'ALTER FUNCTION fd.f OWNER TO @'),
	('function, of what inherits', 'CREATE FUNCTION fd.f() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''',
		'CREATE TABLE fd.leaf (LIKE $r INCLUDING ALL); CREATE TRIGGER fd_g AFTER INSERT ON fd.leaf EXECUTE FUNCTION fd.f()', 'ALTER TABLE fd.leaf INHERIT $r', 'ALTER FUNCTION fd.f OWNER TO @');
INSERT INTO kind (kind, made, aside, used, given)
SELECT 'function, of ' || u.place, 'CREATE FUNCTION fd.f(int) RETURNS int LANGUAGE sql IMMUTABLE AS ''SELECT 1''', u.aside, u.used, 'ALTER ROUTINE fd.f OWNER TO @'
FROM (VALUES
	('a check', '', 'ALTER TABLE $t ADD CHECK (fd.f(v) > 0) NOT VALID'),
	('a default', '', 'ALTER TABLE $t ALTER v SET DEFAULT fd.f(1)'),
	('a generated column', '', 'ALTER TABLE $r ADD c int GENERATED ALWAYS AS (fd.f(v)) STORED'),
	('an index', '', 'CREATE INDEX ON $t (fd.f(v))'),
	('the condition of an index', '', 'CREATE INDEX ON $t (v) WHERE fd.f(v) > 0'),
	('statistics', '', 'CREATE STATISTICS fd.s ON (fd.f(v)), id FROM $t'),
	('an exclusion', '', 'ALTER TABLE $t ADD EXCLUDE USING btree (id WITH =) WHERE (fd.f(v) > 0)'),
	('a row policy', '', 'CREATE POLICY fd_y ON $t USING (fd.f(v) > 0)'),
	('the condition of a trigger', 'CREATE FUNCTION fd.g() RETURNS trigger LANGUAGE plpgsql AS ''BEGIN RETURN NULL; END''', 'CREATE TRIGGER fd_g AFTER INSERT ON $t FOR EACH ROW WHEN (fd.f(NEW.v) > 0) EXECUTE FUNCTION fd.g()'),
	('the check of a domain', 'CREATE DOMAIN fd.e AS int CHECK (fd.f(value) > 0)', 'ALTER TABLE $r ADD c fd.e'),
	('the default of a domain', 'CREATE DOMAIN fd.e AS int DEFAULT fd.f(1)', 'ALTER TABLE $r ADD c fd.e'),
	('a function', 'CREATE FUNCTION fd.g(x int) RETURNS int IMMUTABLE RETURN fd.f(x)', 'ALTER TABLE $t ADD CHECK (fd.g(v) > 0)')) u(place, aside, used);
-- what a rightful owner does to an object that is in use already
INSERT INTO kind (kind, made, aside, used, given)
SELECT 'function, ' || u.place, 'CREATE FUNCTION fd.f(int) RETURNS int LANGUAGE sql IMMUTABLE AS ''SELECT 1''', u.aside, u.used, 'ALTER FUNCTION fd.f OWNER TO @'
FROM (VALUES
	('added to a domain', 'CREATE DOMAIN fd.e AS int; ALTER TABLE $r ADD c fd.e', 'ALTER DOMAIN fd.e ADD CHECK (fd.f(value) > 0) NOT VALID'),
	('default of a domain in use', 'CREATE DOMAIN fd.e AS int; ALTER TABLE $r ADD c fd.e', 'ALTER DOMAIN fd.e SET DEFAULT fd.f(2)'),
	('put into a function', 'CREATE FUNCTION fd.g(x int) RETURNS int IMMUTABLE RETURN 1; ALTER TABLE $t ADD CHECK (fd.g(v) > 0)', 'CREATE OR REPLACE FUNCTION fd.g(x int) RETURNS int IMMUTABLE RETURN fd.f(x)')) u(place, aside, used);
INSERT INTO kind (kind, made, aside, used, given) VALUES
	('domain, added to a table whose rows are values', 'CREATE DOMAIN fd.d AS int', 'CREATE TABLE fd.o (a int); ALTER TABLE $r ADD c fd.o', 'ALTER TABLE fd.o ADD b fd.d', 'ALTER DOMAIN fd.d OWNER TO @');

-- Runs statements, as the steward ('+') or as superuser ('!'), then each of the last ones
-- by itself, and tells what these raise; all is undone.
CREATE FUNCTION outcomes(steps text[], VARIADIC last text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	step text;
	results text[] := '{}';
BEGIN
	FOREACH step IN ARRAY steps LOOP
		CONTINUE WHEN length(step) < 2;
		EXECUTE CASE left(step, 1) WHEN '+' THEN 'SET LOCAL ROLE regress_fd_steward' ELSE 'RESET ROLE' END;
		EXECUTE substr(step, 2);
	END LOOP;
	FOREACH step IN ARRAY last LOOP
		BEGIN
			EXECUTE CASE left(step, 1) WHEN '+' THEN 'SET LOCAL ROLE regress_fd_steward' ELSE 'RESET ROLE' END;
			EXECUTE substr(step, 2);
			RAISE EXCEPTION USING ERRCODE = 'ZZ000';
		EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
			results := results || 'allowed'::text;
		WHEN SQLSTATE '42PA4' THEN
			results := results || 'refused'::text;
		WHEN OTHERS THEN
			results := results || format('%s: %s %s', step, SQLSTATE, SQLERRM);
		END;
	END LOOP;
	RAISE EXCEPTION USING ERRCODE = 'ZZ000';
EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
	RESET ROLE;
	RETURN results;
WHEN OTHERS THEN
	RESET ROLE;
	RETURN ARRAY[format('%s: %s %s', step, SQLSTATE, SQLERRM)];
END
$$;

-- of a table, or of a partition of one
CREATE FUNCTION tried(k kind, place text) RETURNS TABLE (way text, outcomes text[]) LANGUAGE plpgsql AS $$
DECLARE
	root text := CASE WHEN place = 'table' AND k.kind !~ 'attached' THEN 'fd.t' ELSE 'fd.p' END;
	base text := CASE root WHEN 'fd.t' THEN '+CREATE TABLE fd.t (id int NOT NULL, v int, w text)'
		ELSE '+CREATE TABLE fd.p (id int NOT NULL, v int, w text) PARTITION BY LIST (id); CREATE TABLE fd.p_1 PARTITION OF fd.p FOR VALUES IN (1)' END;
	part text := CASE place WHEN 'table' THEN root ELSE 'fd.p_1' END;
	protect text := format($x$+DO 'BEGIN PERFORM privacct.protect(c.oid, owner => ''id'', epsilon => 1, fresh => true) FROM pg_class c WHERE c.relname = ''%s''; END'$x$, substr(root, 4));
	made text := '!' || k.made;
	aside text := '+' || replace(replace(k.aside, '$r', root), '$t', part);
	used text := '+' || replace(replace(k.used, '$r', root), '$t', part);
	to_steward text := CASE WHEN k.made = '' THEN '' ELSE '!' || replace(k.given, '@', 'regress_fd_steward') END;
	to_deputy text := '!' || replace(k.given, '@', 'regress_fd_deputy');
	to_analyst text := '!' || replace(k.given, '@', 'regress_fd_analyst');
BEGIN
	way := 'of an analyst, protected';
	outcomes := outcomes(ARRAY[base, made, to_steward, aside, used, to_analyst], protect);
	RETURN NEXT;
	way := 'protected, given to an analyst, a superuser, a deputy, and from there to the analyst';
	outcomes := outcomes(ARRAY[base, made, to_steward, aside, used, protect], to_analyst, '!' || replace(k.given, '@', 'regress_fd_super'), to_deputy,
		to_deputy || '; REASSIGN OWNED BY regress_fd_deputy TO regress_fd_analyst');
	RETURN NEXT;
	IF k.made <> '' THEN
		way := 'protected, made to rest on an analyst''s';
		outcomes := outcomes(ARRAY[base, made, to_analyst, aside, protect], used);
		RETURN NEXT;
	END IF;
END
$$;

SET client_min_messages = error;
CREATE TABLE result AS SELECT k.n, k.kind, p.place, t.way, t.outcomes
FROM kind k, (VALUES ('table'), ('partition')) p(place), tried(k, p.place) t
WHERE p.place = 'table' OR k.used ~ '\$t' AND k.kind ~ '^(schema, of the table|function, of (a trigger|a check|an index)|statistics|publication|operator class)$';
RESET client_min_messages;
SELECT way, outcomes, count(*) > 40 AS many FROM result GROUP BY 1, 2 HAVING count(*) > 2 ORDER BY 1, 2;
SELECT r.kind, r.place, r.way, r.outcomes FROM result r
WHERE r.outcomes::text NOT IN ('{refused}', '{refused,allowed,allowed,refused}') ORDER BY r.n, r.place, r.way;

-- every catalog whose objects have owners is asked, but those on which no table rests
SELECT DISTINCT f.fktable FROM pg_get_catalog_foreign_keys() f
WHERE f.pktable = 'pg_authid'::regclass AND f.fkcols[1] ~ '(owner|datdba)$'
AND pg_get_functiondef('privacct._of_others'::regproc) !~ format('WHEN ''%s''::regclass', f.fktable) ORDER BY 1;

--
-- What is said
--

CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN format('%s: %s | %s | %s', SQLSTATE, SQLERRM, detail, hint);
END
$$;
GRANT EXECUTE ON FUNCTION pg_temp.try(text) TO PUBLIC;
SET client_min_messages = error;
SET ROLE regress_fd_analyst;
CREATE DOMAIN fd.theirs AS int;
CREATE FUNCTION fd.their_check(int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE EXTENSION citext SCHEMA fd;			-- a trusted one: its functions are a superuser's, the extension is not
SET ROLE regress_fd_steward;
CREATE DOMAIN fd.own AS int;
CREATE TABLE fd.t (id int PRIMARY KEY, v fd.theirs CHECK (fd.their_check(v)), n fd.citext);
SELECT pg_temp.try($$SELECT privacct.protect('fd.t', owner => 'id', epsilon => 1)$$);
ALTER TABLE fd.t DROP v, DROP n, ADD v fd.own;
SELECT privacct.protect('fd.t', owner => 'id', epsilon => 1);
SELECT pg_temp.try('ALTER TABLE fd.t ADD n fd.citext');
SELECT pg_temp.try('ALTER DOMAIN fd.own ADD CHECK (fd.their_check(value))');
RESET ROLE;
SELECT pg_temp.try('ALTER SCHEMA fd OWNER TO regress_fd_analyst');
SELECT pg_temp.try('ALTER DOMAIN fd.own OWNER TO regress_fd_analyst');
-- what nothing protected rests on is everybody's own affair, and what it does is its rightful owner's
SELECT pg_temp.try('ALTER FUNCTION fd.their_check OWNER TO regress_fd_steward; ALTER FUNCTION fd.their_check OWNER TO regress_fd_analyst');
SET ROLE regress_fd_steward;
SELECT pg_temp.try('ALTER DOMAIN fd.own ADD CONSTRAINT small CHECK (value < 10)');
RESET ROLE;
-- the schema public is the database owner's, who has to be trusted
SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'public';
CREATE TABLE public.fd_town (id int PRIMARY KEY);
ALTER TABLE public.fd_town OWNER TO regress_fd_steward;
SET ROLE regress_fd_steward;
SELECT privacct.protect('public.fd_town', owner => 'id', epsilon => 1);
RESET ROLE;
ALTER DATABASE :"DBNAME" OWNER TO regress_fd_analyst;
SELECT replace(object, current_database(), 'DATABASE') AS object, tells FROM privacct.check_hardening('regress_fd_analyst') WHERE object ~ 'ownership|pg_database_owner|fd\.';
ALTER DATABASE :"DBNAME" OWNER TO CURRENT_USER;

--
-- What nobody watched
--

INSERT INTO fd.t VALUES (1, 7), (2, 8);
ALTER EVENT TRIGGER privacct_foundation DISABLE;
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
ALTER DOMAIN fd.own OWNER TO regress_fd_analyst;
ALTER EVENT TRIGGER privacct_foundation ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
SELECT object, tells, remedy FROM privacct.check_hardening('regress_fd_analyst') WHERE object ~ 'fd\.';
SET ROLE regress_fd_steward;
SELECT relation, problem, detail, remedy FROM pg_temp.check_tampered();
SET ROLE regress_fd_analyst;
SELECT count(*) FROM pg_temp.check_tampered();
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY[
	'ALTER DOMAIN fd.own ADD CHECK (value <> 7)', 'ALTER DOMAIN fd.own SET NOT NULL', 'ALTER DOMAIN fd.own DROP CONSTRAINT small', 'ALTER DOMAIN fd.own SET DEFAULT 1',
	'ALTER DOMAIN fd.own VALIDATE CONSTRAINT small', 'ALTER DOMAIN fd.own RENAME CONSTRAINT small TO little', 'ALTER DOMAIN fd.own RENAME TO mine',
	'ALTER TYPE fd.own RENAME TO mine', 'DROP DOMAIN fd.own', 'DROP DOMAIN fd.own CASCADE', 'DROP TYPE fd.theirs, fd.own CASCADE',
	'ALTER DOMAIN fd.theirs ADD CHECK (value <> 7)']) statement;
RESET ROLE;
-- a role that loses what it was trusted with
ALTER DOMAIN fd.own OWNER TO regress_fd_deputy;
REVOKE regress_fd_steward FROM regress_fd_deputy;
SELECT relation, problem FROM pg_temp.check_tampered();
GRANT regress_fd_steward TO regress_fd_deputy;
SELECT relation, problem FROM pg_temp.check_tampered();

DROP SCHEMA fd CASCADE;
DROP TABLE public.fd_town, kind, result CASCADE;
DROP OWNED BY regress_fd_steward, regress_fd_deputy, regress_fd_analyst;
DROP ROLE regress_fd_steward, regress_fd_deputy, regress_fd_analyst, regress_fd_super;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
