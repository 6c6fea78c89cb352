-- What a session keeps of the system catalog in memory must not follow from which
-- rows a release met: EXPLAIN (BUFFERS) of a look-up would tell.  Each question is
-- asked in a session of its own, about an owner with the value and one without.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_sc_analyst;
CREATE SCHEMA caches;
GRANT USAGE ON SCHEMA caches TO regress_sc_analyst;
CREATE FUNCTION caches.pages(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off, FORMAT json) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Shared Hit Blocks')::int + (plan->0->'Plan'->>'Shared Read Blocks')::int;
END
$$;
CREATE TYPE caches.diagnosis AS ENUM ('d1', 'd2', 'd3', 'd4', 'd5');
CREATE TABLE caches.patient (owner int NOT NULL, e caches.diagnosis);
INSERT INTO caches.patient SELECT g, 'd1' FROM generate_series(1, 50) g;
INSERT INTO caches.patient VALUES (4242, 'd4');
-- labels that come later: comparing with them is by the order in pg_enum
ALTER TYPE caches.diagnosis ADD VALUE 'd0' BEFORE 'd1';
ALTER TYPE caches.diagnosis ADD VALUE 'd35' BEFORE 'd4';
-- the name of one owner is stored out of line, since the row is wide
DO $$ BEGIN
	EXECUTE 'CREATE TABLE caches.wide (owner text NOT NULL, x int, ' || (SELECT string_agg('c' || g || ' text', ', ') FROM generate_series(1, 40) g) || ')';
	EXECUTE 'INSERT INTO caches.wide (owner, x) SELECT ''owner'' || md5(g::text) || md5((g + 1)::text), g FROM generate_series(1, 50) g';
	EXECUTE 'INSERT INTO caches.wide SELECT ''owner'' || md5(''x'') || md5(''y''), 777, ' || (SELECT string_agg('md5(''' || g || ''') || md5(''' || g + 7 || ''')', ', ') FROM generate_series(1, 40) g);
	PERFORM privacct.protect('caches.patient', 'owner', epsilon => 1000, delta => 1e-6, fresh => true), privacct.protect('caches.wide', 'owner', epsilon => 1000, delta => 1e-6, fresh => true),
		privacct.grant_budget('caches.patient', 'regress_sc_analyst', 1000), privacct.grant_budget('caches.wide', 'regress_sc_analyst', 1000);
END $$;
-- many declared keys: their answers do not stay in memory
CREATE TABLE caches.keyed (owner int NOT NULL, k int NOT NULL);
INSERT INTO caches.keyed SELECT g, g FROM generate_series(1, 20) g;
DO $$ BEGIN
	PERFORM privacct.protect('caches.keyed', 'owner', epsilon => 1000, delta => 1e-6, fresh => true), privacct.grant_budget('caches.keyed', 'regress_sc_analyst', 1000),
		privacct.set_keys('caches.keyed', 'k', (SELECT array_agg(g) FROM generate_series(1, 3000) g));
END $$;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_sc_space LOCATION '';
GRANT CREATE ON TABLESPACE regress_sc_space TO regress_sc_analyst;
SELECT pg_column_size(owner) > 20 AS long_name, reltoastrelid AS toast FROM caches.wide, pg_class c WHERE x = 777 AND c.oid = 'caches.wide'::regclass \gset

\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
\o /dev/null
SELECT caches.pages($$SELECT ('d4'::text)::caches.diagnosis$$);
SELECT count(*) FROM caches.patient WHERE owner = 7 AND e::text = 'zz';
\o
SELECT caches.pages('SELECT enum_out(''d4''::caches.diagnosis)') AS without \gset
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
\o /dev/null
SELECT caches.pages($$SELECT ('d4'::text)::caches.diagnosis$$);
SELECT count(*) FROM caches.patient WHERE owner = 4242 AND e::text = 'zz';
\o
SELECT caches.pages('SELECT enum_out(''d4''::caches.diagnosis)') AS with \gset
SELECT :with = :without AS labels_alike;
-- the order of labels, looked at as soon as two are compared of which one came later
\set compare 'SELECT caches.pages($$SELECT e < ''d35'' FROM (VALUES (''d2''::caches.diagnosis), (''d3'')) v(e)$$) AS '
\set latest 'CASE WHEN owner = 4242 THEN greatest(e, ''d35'') = ''d35'' ELSE true END'
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
SELECT count(*) >= -1e6 AS asked FROM caches.patient WHERE owner = 7 AND :latest;
:compare without \gset
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
SELECT count(*) >= -1e6 AS asked FROM caches.patient WHERE owner = 4242 AND :latest;
:compare with \gset
SELECT :with = :without AS order_alike;
-- tablespaces for temporary files, looked up as soon as a transaction needs one: here for many answers
\set spill 'SELECT caches.pages(''SELECT g FROM generate_series(1, 5000) g ORDER BY g DESC'') AS '
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
SET work_mem = '64kB';
SET temp_tablespaces = regress_sc_space;
BEGIN;
:spill first \gset
:spill second \gset
COMMIT;
SELECT :first > :second AS looked_up;
BEGIN;
SELECT count(*) AS groups FROM (SELECT k, count(*) FROM caches.keyed GROUP BY k) s;
:spill with \gset
COMMIT;
BEGIN;
SELECT count(*) >= -1e6 AS asked FROM caches.keyed;
:spill without \gset
COMMIT;
SELECT :with = :without AS tablespaces_alike;
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
\o /dev/null
SELECT caches.pages('SELECT pg_relation_is_updatable(''pg_class''::regclass, false)'), regclassout((:toast)::oid::regclass);
SELECT count(*) FROM caches.wide WHERE x = 7;
\o
SELECT caches.pages('SELECT pg_relation_is_updatable(' || :toast || '::oid::regclass, false)') AS without \gset
\c -
SET SESSION AUTHORIZATION regress_sc_analyst;
\o /dev/null
SELECT caches.pages('SELECT pg_relation_is_updatable(''pg_class''::regclass, false)'), regclassout((:toast)::oid::regclass);
SELECT count(*) FROM caches.wide WHERE x = 777;
\o
SELECT caches.pages('SELECT pg_relation_is_updatable(' || :toast || '::oid::regclass, false)') AS with \gset
SELECT :with = :without AS names_alike;

-- Temporary files and tables take turns in the session's tablespaces: where a table
-- lies must not tell how many files a release made before it.
\c -
SET client_min_messages = warning;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_sc_one LOCATION '';
CREATE TABLESPACE regress_sc_two LOCATION '';
GRANT CREATE ON TABLESPACE regress_sc_one, regress_sc_two TO regress_sc_analyst;
CREATE TABLE caches.many (owner int NOT NULL);
INSERT INTO caches.many SELECT generate_series(1, 1000);
SELECT FROM privacct.protect('caches.many', 'owner', epsilon => 1000, delta => 1e-6, fresh => true), privacct.grant_budget('caches.many', 'regress_sc_analyst', 1000) \g /dev/null
CREATE FUNCTION caches.turns(looks int) RETURNS SETOF boolean LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. looks LOOP
		CREATE TEMP TABLE before ();
		PERFORM count(*) FROM caches.many;
		CREATE TEMP TABLE after ();
		RETURN NEXT (SELECT b.reltablespace = a.reltablespace FROM pg_class b, pg_class a
			WHERE b.oid = 'pg_temp.before'::regclass AND a.oid = 'pg_temp.after'::regclass);
		DROP TABLE before, after;
	END LOOP;
END
$$;
\c -
SET privacct.owner_memory = '64kB';
SET SESSION AUTHORIZATION regress_sc_analyst;
SET temp_tablespaces = regress_sc_one, regress_sc_two;
SELECT count(DISTINCT same) AS turns_seen FROM caches.turns(50) same;

\c -
SET client_min_messages = warning;
DROP TABLESPACE regress_sc_one;
DROP TABLESPACE regress_sc_two;
DROP SCHEMA caches CASCADE;
DROP TABLESPACE regress_sc_space;
DROP ROLE regress_sc_analyst;
