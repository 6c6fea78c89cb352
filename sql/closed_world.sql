-- Below the leaf: only what cannot change or complain while rows are read.  Every
-- allowed function, operator and node that takes a text is asked with a collation
-- that is indeterminate, nondeterministic, of another version or the asker's own:
-- refused before a charge, whether or not a row would reach it.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_cw_steward;
GRANT privacct_admin TO regress_cw_steward;
CREATE ROLE regress_cw_analyst;
CREATE SCHEMA closed AUTHORIZATION regress_cw_steward;
CREATE SCHEMA desk AUTHORIZATION regress_cw_analyst;		-- the analyst's own schema
GRANT USAGE ON SCHEMA closed, desk TO PUBLIC;
SET search_path = closed, privacct;
\ir :helpers
SET privacct.epsilon = 40;		-- noise vanishes in rounding
\pset format unaligned
\pset footer off

SET ROLE regress_cw_analyst;
CREATE COLLATION desk.mine (provider = icu, locale = 'en');
CREATE TYPE desk.mood AS ENUM ('fine', 'bad');
SET ROLE regress_cw_steward;
CREATE COLLATION closed.german (provider = icu, locale = 'de');
CREATE COLLATION closed.unused (provider = icu, locale = 'de');
CREATE COLLATION closed.blurred (provider = icu, locale = 'und', deterministic = false);
SET client_min_messages = error;		-- of ICU's version
CREATE COLLATION closed.aged (provider = icu, locale = 'de', version = '1');
RESET client_min_messages;
CREATE TYPE closed.colour AS ENUM ('red', 'green');
CREATE TYPE closed.spare AS ENUM ('red', 'green');
CREATE TABLE person (id int PRIMARY KEY, plain text, c text COLLATE "C", p text COLLATE "POSIX", german text COLLATE german,
	blurred text COLLATE blurred, aged text COLLATE aged, mine text COLLATE desk.mine,
	colour closed.colour, mood desk.mood, moment timestamp NOT NULL DEFAULT '2024-01-01');
INSERT INTO person SELECT i, 'x' || i % 3, 'x' || i % 3, 'x' || i % 3, 'x' || i % 3, 'x' || i % 3, 'x' || i % 3, 'x' || i % 3,
	'red', 'fine' FROM generate_series(1, 30) i;
CREATE TABLE dimension (code text COLLATE "POSIX" PRIMARY KEY, name text COLLATE german);
INSERT INTO dimension VALUES ('x0', 'null'), ('x1', 'eins');
GRANT SELECT ON dimension TO regress_cw_analyst;
-- a table does not rest on objects of others, unless nobody watches
RESET ROLE;
ALTER SCHEMA desk OWNER TO regress_cw_steward;
ALTER COLLATION desk.mine OWNER TO regress_cw_steward;
ALTER TYPE desk.mood OWNER TO regress_cw_steward;
SET ROLE regress_cw_steward;
DO $$ BEGIN
	PERFORM privacct.protect('person', 'id', epsilon => 1e6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 1, min_epsilon => 1e-6);
	PERFORM privacct.set_keys('person', c, '{x0,x1,x2}'::text[]) FROM unnest('{c,german}'::name[]) c;
	PERFORM privacct.grant_budget('person', 'regress_cw_analyst', 1e6, 0.1), privacct.declare_public('dimension');
END $$;
RESET ROLE;
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
ALTER EVENT TRIGGER privacct_foundation DISABLE;
ALTER COLLATION desk.mine OWNER TO regress_cw_analyst;
ALTER TYPE desk.mood OWNER TO regress_cw_analyst;
ALTER SCHEMA desk OWNER TO regress_cw_analyst;
GRANT CREATE ON SCHEMA closed TO regress_cw_analyst;

CREATE FUNCTION state(query text) RETURNS text LANGUAGE plpgsql SET role = regress_cw_analyst AS $$
BEGIN
	EXECUTE query;
	RETURN 'fine';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

-- What takes a text, written with "@" for it.
CREATE TABLE call (expression text);
INSERT INTO call
SELECT format('pg_catalog.%I(%s)', proname, (SELECT string_agg(CASE
	WHEN u.o = place.o THEN format('(@)::%s', t::regtype)
	WHEN t IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) THEN format('%L::%s', CASE WHEN u.o = 1 THEN 'day' ELSE 'YYYY' END, t::regtype)
	WHEN t = 'timestamp'::regtype THEN 'moment' ELSE format('1::text::%s', t::regtype) END, ', ' ORDER BY u.o)
	FROM unnest(proargtypes::oid[]) WITH ORDINALITY u(t, o)))
FROM pg_proc CROSS JOIN LATERAL unnest(proargtypes::oid[]) WITH ORDINALITY place(t, o)
WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND provolatile <> 'v' AND NOT proretset AND provariadic = 0
	AND place.t IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
	AND proargtypes::oid[] <@ (SELECT array_agg(t::oid) FROM unnest('{bool,int2,int4,int8,float4,float8,numeric,text,varchar,bpchar,timestamp}'::regtype[]) t)
	AND NOT ('bool'::regtype::oid = ANY (proargtypes::oid[]));
INSERT INTO call
SELECT format(CASE side WHEN 'l' THEN '(@)::%2$s OPERATOR(pg_catalog.%1$s) %4$s' ELSE '%3$s OPERATOR(pg_catalog.%1$s) (@)::%5$s' END, oprname,
	oprleft::regtype, CASE WHEN oprleft = 'text'::regtype THEN '''x''::text' ELSE format('''x''::%s', oprleft::regtype) END,
	CASE WHEN oprright = 'text'::regtype THEN '''x''::text' ELSE format('''x''::%s', oprright::regtype) END, oprright::regtype)
FROM pg_operator, unnest('{l,r}'::text[]) side
WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
	AND oprleft IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) AND oprright IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype);
-- other nodes, and places in a query
INSERT INTO call VALUES ('(@) IN (''x'', ''y'')'), ('(@) NOT IN (''x'', ''y'')'), ('(@) = ANY (''{x,y}''::text[])'), ('(@) IS DISTINCT FROM ''x'''),
	('NULLIF((@), ''x'')'), ('greatest((@), ''x'')'), ('least(''x'', (@))'), ('CASE id::text WHEN (@) THEN 1 ELSE 2 END'),
	('(@) BETWEEN ''a'' AND ''z'''), ('((@), id) = (''x'', 1)'), ('((@), id) IN ((''x'', 1))'), ('(@)::varchar(3) = ''x'''),
	('coalesce((@), ''x'') = ''x'''), ('(id || (@)) = ''x'''), ('CASE WHEN id < 0 THEN (@) < ''x'' ELSE false END'), ('(@) IN (SELECT plain FROM closed.dimension d(plain, n))');
CREATE TABLE place (name text, query text);
INSERT INTO place VALUES ('where', 'SELECT count(*) FROM person WHERE (#) IS NULL'), ('filter', 'SELECT count(*) FILTER (WHERE (#) IS NULL) FROM person'),
	('argument', 'SELECT dp_count((#) IS NULL) FROM person'), ('subquery', 'SELECT count(*) FROM (SELECT id, (#) IS NULL AS q FROM person) s WHERE q'),
	('join', 'SELECT count(*) FROM person JOIN dimension d ON d.code = p AND (#) IS NULL'), ('key', 'SELECT count(*) FROM person GROUP BY (#) IS NULL');
CREATE TABLE fault (name text, expression text);
INSERT INTO fault VALUES ('indeterminate', 'CASE WHEN id > 0 THEN c ELSE p END'), ('nondeterministic', 'plain COLLATE closed.blurred'),
	('nondeterministic column', 'blurred'), ('other version', 'plain COLLATE closed.aged'), ('column of other version', 'aged'),
	('of the analyst', 'plain COLLATE desk.mine'), ('column with one of the analyst', 'mine'), ('of no column', 'plain COLLATE closed.unused'),
	('imported', 'plain COLLATE "de-x-icu"');
GRANT SELECT ON ALL TABLES IN SCHEMA closed TO regress_cw_steward;

-- those that are allowed at all, in WHERE
CREATE TABLE allowed AS SELECT expression FROM call, place
WHERE name = 'where' AND state(replace(query, '#', replace(expression, '@', 'plain'))) = 'fine';
SELECT count(*) > 60 AS many FROM allowed;
SELECT charges('person') AS before \gset
SELECT f.name, count(*) = (SELECT count(*) FROM allowed) AS all_tried,
	string_agg(DISTINCT state, ' ') AS states, string_agg(a.expression, '; ') FILTER (WHERE state <> '42PA1') AS unfound
FROM fault f, allowed a, place p, state(replace(query, '#', replace(a.expression, '@', f.expression))) state
WHERE p.name = 'where' GROUP BY f.name ORDER BY 1;
SELECT f.name, p.name AS place, string_agg(DISTINCT state, ' ') AS states
FROM fault f, (VALUES ('(@) < ''x'''), ('lower(@)'), ('(@) IN (''x'', ''y'')')) e(expression), place p,
	state(replace(query, '#', replace(e.expression, '@', f.expression))) state
WHERE p.name <> 'where' GROUP BY f.name, p.name HAVING string_agg(DISTINCT state, ' ') <> '42PA1';
SELECT charges('person') - :before AS charged;

-- what is refused is refused with a place and a way out
SET ROLE regress_cw_analyst;
SELECT count(*) FROM person WHERE c < p;
SELECT count(*) FROM person WHERE lower(plain COLLATE closed.blurred) = 'x';
SELECT count(*) FROM person WHERE lower(plain COLLATE closed.aged) = 'x';
SELECT count(*) FROM person WHERE lower(plain COLLATE desk.mine) = 'x';
SELECT count(*) FROM person WHERE mood = 'fine';
SELECT count(*) FROM person WHERE colour::text = 'fine'::desk.mood::text;
SELECT count(*) FROM person WHERE CASE c WHEN p THEN true END;
RESET ROLE;

-- what the table's own columns have may be used, and what is said to be done helps
SELECT ask('regress_cw_analyst', q) FROM (VALUES
	('SELECT count(*) FROM person WHERE c COLLATE "C" < p COLLATE "C"'),
	('SELECT count(*) FROM person WHERE german < ''y'''),
	('SELECT count(*) FROM person WHERE lower(plain COLLATE german) = ''x1'''),
	('SELECT count(*) FROM person WHERE colour = ''red'''),
	('SELECT count(*) FROM person WHERE colour::text = ''red'''),
	('SELECT count(*) FROM person JOIN dimension d ON d.code = p WHERE d.name = ''eins'''),
	('SELECT c || (p COLLATE "C"), count(*) > 5 FROM person GROUP BY 1'),
	('SELECT german, count(*) > 5 FROM person GROUP BY 1')) v(q);

-- a cached plan: what it names is looked at again, before the charge
SELECT charges('person') AS before \gset
SET plan_cache_mode = force_generic_plan;
SET ROLE regress_cw_analyst;
PREPARE sorted(text) AS SELECT count(*) FROM person WHERE left(german, 20) < $1;
PREPARE red AS SELECT count(*) FROM person WHERE colour = 'red';
EXECUTE sorted('y');
EXECUTE red;
RESET ROLE;
UPDATE pg_collation SET collversion = '1' WHERE collname = 'german';
SET ROLE regress_cw_analyst;
EXECUTE sorted('y');
RESET ROLE;
SET client_min_messages = warning;
ALTER COLLATION closed.german REFRESH VERSION;
RESET client_min_messages;
ALTER COLLATION closed.german OWNER TO regress_cw_analyst;
ALTER TYPE closed.colour OWNER TO regress_cw_analyst;
SET ROLE regress_cw_analyst;
EXECUTE sorted('y');
EXECUTE red;
RESET ROLE;
ALTER COLLATION closed.german OWNER TO regress_cw_steward;
ALTER TYPE closed.colour OWNER TO regress_cw_steward;
SET ROLE regress_cw_analyst;
EXECUTE sorted('y');
EXECUTE red;
RESET ROLE;
RESET plan_cache_mode;
SELECT charges('person') - :before AS charged;

-- an index with code that is not built in takes no part
SET ROLE regress_cw_steward;
CREATE FUNCTION closed.loud(x int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE NOTICE 'row %', x; RETURN true; END $$;
SET client_min_messages = error;
CREATE INDEX loud_index ON person (id) WHERE closed.loud(id);
CREATE INDEX german_index ON person (german);
RESET ROLE;
RESET client_min_messages;
SET enable_seqscan = off;
SELECT ask('regress_cw_analyst', 'SELECT count(*) FROM person WHERE id = 7 OR german = ''x1''');
RESET enable_seqscan;
DROP INDEX loud_index;

-- a preview executes nothing: functions are not called, at whatever depth
SET client_min_messages = warning;
SET ROLE regress_cw_analyst;
CREATE TABLE desk.trail (n int);
CREATE FUNCTION desk.asks() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN PERFORM count(*) FROM closed.person; PERFORM count(*), c FROM closed.person GROUP BY c; RETURN 1; END $$;
CREATE FUNCTION desk.inlined() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT desk.asks()';
CREATE FUNCTION desk.caught() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN PERFORM count(*) FROM closed.person; RETURN 1; EXCEPTION WHEN OTHERS THEN RETURN 2; END $$;
CREATE FUNCTION desk.definer() RETURNS int IMMUTABLE LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN RETURN desk.asks(); END $$;
CREATE FUNCTION desk.stable() RETURNS int STABLE LANGUAGE plpgsql AS $$ BEGIN RETURN desk.asks(); END $$;
CREATE FUNCTION desk.opens() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE c CURSOR FOR SELECT count(*) FROM closed.person; n int; BEGIN OPEN c; FETCH c INTO n; RETURN n; END $$;
CREATE FUNCTION desk.previews() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN PERFORM FROM privacct.preview('SELECT desk.asks() FROM closed.person'); RETURN 1; END $$;
CREATE OPERATOR desk.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
CREATE FUNCTION desk.same(a int, b int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN desk.asks() = a; END $$;
CREATE OPERATOR desk.<=> (LEFTARG = int, RIGHTARG = int, FUNCTION = desk.same);
RESET ROLE;
SELECT charges('person') AS before \gset
SELECT expression, ask('regress_cw_analyst', format('SELECT count(*) FROM privacct.preview(%L)', format('SELECT count(*) + %s FROM closed.person', expression)))
FROM unnest('{desk.asks(),desk.inlined(),desk.caught(),desk.definer(),desk.opens(),desk.previews(),(1 OPERATOR(desk.<=>) 2)::int}'::text[]) expression;
SELECT ask('regress_cw_analyst', q) FROM (VALUES
	($q$SELECT count(*) FROM privacct.preview('SELECT desk.asks()')$q$),
	($q$SELECT count(*) FROM privacct.preview('SELECT s.n FROM (SELECT count(*) AS n FROM closed.person) s, desk.trail t WHERE t.n < desk.stable()')$q$),
	($q$SELECT count(*) FROM privacct.preview('SELECT count(*) + (1 OPERATOR(desk.===) 2)::int FROM closed.person')$q$),
	($q$SELECT count(*) FROM privacct.preview('SELECT to_char(count(*), ''9'') || privacct.logistic(0.5) FROM closed.person')$q$)) v(q);
-- nor is a protected table asked by a built-in function that the planner calls
SET ROLE regress_cw_steward;
CREATE VIEW counted WITH (security_invoker) AS SELECT c, count(*) FROM person GROUP BY c;
GRANT SELECT ON counted TO regress_cw_analyst;
RESET ROLE;
SELECT ask('regress_cw_analyst', $q$SELECT count(*) FROM privacct.preview('SELECT s.n FROM (SELECT count(*) AS n FROM closed.person) s, desk.trail t
	WHERE t.n < length(table_to_xml(''closed.counted'', true, true, '''')::text)')$q$);
SELECT charges('person') - :before AS charged;
-- a function that is folded may ask, and is charged; it changes nothing for the query around it
SELECT ask('regress_cw_analyst', 'SELECT count(*) + desk.asks() FROM closed.person');
SELECT charges('person') - :before AS charged;
-- nor may it make the plan be shown
CREATE FUNCTION desk.shows() RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN RETURN length(set_config('debug_print_plan', 'on', true)); END $$;
BEGIN;
SET LOCAL ROLE regress_cw_analyst;
\set SHOW_CONTEXT never
SELECT count(*) + desk.shows() FROM closed.person;
ROLLBACK;

-- what a foreign key writes into the rows that it refers to
SET ROLE regress_cw_steward;
CREATE TABLE closed.diagnosis (code text PRIMARY KEY) PARTITION BY LIST (code);
CREATE TABLE closed.diagnosis_b PARTITION OF closed.diagnosis FOR VALUES IN ('B20');
INSERT INTO closed.diagnosis VALUES ('B20');
CREATE TABLE closed.found (patient int NOT NULL, code text REFERENCES closed.diagnosis);
GRANT SELECT ON closed.diagnosis, closed.diagnosis_b TO regress_cw_analyst;
INSERT INTO closed.found VALUES (1, 'B20');
SELECT protect('closed.found', 'patient') > 0 AS protected;
SELECT xmax <> '0' AS owner_sees FROM closed.diagnosis;
SET ROLE regress_cw_analyst;
CREATE VIEW desk.seen AS SELECT xmax AS mark, code FROM closed.diagnosis_b;
CREATE FUNCTION desk.seen_by() RETURNS TABLE (mark xid) STABLE LANGUAGE sql AS 'SELECT xmax FROM closed.diagnosis';
CREATE FUNCTION desk.seen_inside() RETURNS TABLE (mark xid) STABLE LANGUAGE sql BEGIN ATOMIC SELECT xmax FROM closed.diagnosis_b; END;
SELECT xmax FROM closed.diagnosis;
SELECT count(*) FROM closed.diagnosis_b d ORDER BY max(d.xmax::text);
SELECT mark FROM desk.seen;
SELECT code FROM desk.seen;
SELECT * FROM desk.seen_by();
SELECT * FROM desk.seen_inside();
SELECT code, xmin <> '0' AS written FROM closed.diagnosis WHERE EXISTS (SELECT FROM closed.diagnosis_b b WHERE b.xmax <> '0');
SELECT code, xmin <> '0' AS written FROM closed.diagnosis;
CREATE TEMP TABLE own AS SELECT 1 AS a;
SELECT xmax FROM own;
DROP TABLE own;
-- which is still there when the foreign key, the policy, or the table is gone
RESET ROLE;
SET ROLE regress_cw_steward;
ALTER TABLE closed.found DROP CONSTRAINT found_code_fkey;
SET ROLE regress_cw_analyst;
SELECT xmax FROM closed.diagnosis;
SET ROLE regress_cw_steward;
DROP TABLE closed.found;
SET ROLE regress_cw_analyst;
SELECT xmax FROM closed.diagnosis;
SELECT mark FROM desk.seen;
SET ROLE regress_cw_steward;
GRANT INSERT, UPDATE ON closed.diagnosis, closed.diagnosis_b TO regress_cw_analyst;
SET ROLE regress_cw_analyst;
INSERT INTO closed.diagnosis_b VALUES ('B20') ON CONFLICT (code) DO UPDATE SET code = 'B20' RETURNING xmax = 0 AS inserted;
SELECT count(xmax) FROM closed.diagnosis;
RESET ROLE;
-- a time zone has the name that the session gives it, and to_char() complains of a long one
SELECT set_config('timezone', '<' || repeat('A', 200) || '>5', false) IS NOT NULL AS set;
SELECT format, ask('regress_cw_analyst', format('SELECT count(*) BETWEEN -1000 AND 1000 FROM closed.person WHERE CASE WHEN id = 1 THEN to_char(now(), %L) END = ''x''', format)) AS constant
FROM unnest('{TZ,tz,YYYY-MM-DD tZ,"TZ",OF YYYY TZH}'::text[]) format;
SET ROLE regress_cw_analyst;
PREPARE shows(text) AS SELECT count(*) BETWEEN -1000 AND 1000 AS answered FROM closed.person WHERE CASE WHEN id = 1 THEN to_char(now(), $1) END = 'x';
EXECUTE shows('YYYY TZ');
EXECUTE shows('YYYY OF');
EXECUTE shows('');
SET plan_cache_mode = force_generic_plan;
EXECUTE shows('YYYY Tz');
EXECUTE shows('YYYY-MM OF');
RESET plan_cache_mode;
DEALLOCATE shows;
RESET ROLE;
RESET timezone;

SET client_min_messages = warning;
DROP SCHEMA closed, desk CASCADE;
DROP ROLE regress_cw_steward, regress_cw_analyst;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
