-- What hardening takes from PUBLIC and gives back, and what the guard shows instead.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_nobody;
CREATE ROLE regress_pa_town;
CREATE SCHEMA hyg;
GRANT ALL ON SCHEMA hyg TO regress_pa_town;
GRANT USAGE ON SCHEMA hyg TO regress_pa_nobody;
CREATE TABLE hyg.town (town_id int PRIMARY KEY, name text);
ALTER TABLE hyg.town OWNER TO regress_pa_town;
GRANT SELECT ON hyg.town TO regress_pa_nobody;
INSERT INTO hyg.town SELECT i, 'town ' || i FROM generate_series(1, 100) i;
ANALYZE hyg.town;

-- every function and relation of this server has been judged: each of these lists is empty
SELECT kind, name AS not_judged FROM privacct._catalog_objects('public') o
WHERE NOT EXISTS (SELECT FROM privacct.catalog_object j WHERE j.kind = o.kind AND j.name = o.name);
SELECT kind, name AS not_there FROM privacct.catalog_object j
WHERE name !~ '^binary_upgrade_set_next_attribute_versions'	-- not in every minor version
AND current_setting('server_version_num')::int / 10000 BETWEEN coalesce(first_version, 0) AND coalesce(last_version, 99)
AND NOT EXISTS (SELECT FROM privacct._catalog_objects('public') o WHERE j.kind = o.kind AND j.name = o.name);
SELECT kind, name AS of_other_versions FROM privacct.catalog_object JOIN privacct._catalog_objects('public') USING (kind, name)
WHERE current_setting('server_version_num')::int / 10000 NOT BETWEEN coalesce(first_version, 0) AND coalesce(last_version, 99);
SELECT kind, name, verdict AS not_as_in_a_fresh_server FROM privacct.catalog_object JOIN privacct._catalog_objects('public') USING (kind, name)
WHERE usable <> (verdict <> 'guarded');
SELECT verdict, kind, count(*) > 0 AS some FROM privacct.catalog_object GROUP BY verdict, kind ORDER BY verdict, kind;

-- privileges and definitions of the catalog, but for what the extension holds
CREATE VIEW public.pa_catalog AS
SELECT 'function ' || f.oid::regprocedure AS object, a.grantor, a.grantee, a.privilege_type, a.is_grantable
FROM pg_proc f, aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a WHERE f.pronamespace = 'pg_catalog'::regnamespace
UNION ALL
SELECT 'relation ' || c.oid::regclass, a.grantor, a.grantee, a.privilege_type, a.is_grantable
FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a WHERE c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
UNION ALL
SELECT format('column %s.%s', t.attrelid::regclass, t.attname), a.grantor, a.grantee, a.privilege_type, a.is_grantable
FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid < 16384
UNION ALL
SELECT 'view ' || c.oid::regclass, 0, 0, pg_get_viewdef(c.oid), false FROM pg_class c WHERE c.oid < 16384 AND c.relkind = 'v';
CREATE TABLE public.pa_before AS SELECT * FROM pa_catalog;
CREATE TABLE public.pa_allowed AS
SELECT 'function' AS kind, f.oid FROM pg_proc f WHERE f.pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE')
UNION ALL
SELECT 'relation', c.oid FROM pg_class c WHERE c.relnamespace = 'pg_catalog'::regnamespace AND has_table_privilege('regress_pa_nobody', c.oid, 'SELECT');

SELECT count(*) > 150 AS open FROM privacct.check_hardening() WHERE remedy = 'privacct.harden_catalog()';
REVOKE SELECT ON pg_stat_wal FROM PUBLIC;		-- by the DBA
SELECT privacct.harden_catalog();
SELECT privacct.harden_catalog();		-- twice is once
SELECT * FROM privacct.check_hardening() WHERE object !~ '^database ';
SELECT * FROM privacct.check_hardening('regress_pa_nobody') WHERE object !~ '^database ';
GRANT EXECUTE ON FUNCTION pg_catalog.pg_current_wal_lsn() TO regress_pa_nobody;
GRANT pg_monitor TO regress_pa_nobody;
SELECT * FROM privacct.check_hardening('regress_pa_nobody') WHERE object = 'function pg_current_wal_lsn()' OR object ~ '^role ';
REVOKE EXECUTE ON FUNCTION pg_catalog.pg_current_wal_lsn() FROM regress_pa_nobody;
REVOKE pg_monitor FROM regress_pa_nobody;
-- what EXPLAIN counts for a session tells what others have changed since its last statement: of any query, for those who may read statistics
CREATE FUNCTION public.pa_explained(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text := 'explained';
BEGIN
	PERFORM set_config('role', who, true);
	BEGIN
		EXECUTE statement;
	EXCEPTION WHEN OTHERS THEN
		state := SQLSTATE;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN state;
END
$$;
SELECT options, who, string_agg(DISTINCT pa_explained(who, format('EXPLAIN %s %s', options, q)), ',') AS result
FROM unnest('{regress_pa_nobody,regress_pa_town,pg_read_all_stats,pg_monitor,none}'::text[]) who,
	unnest('{"","ANALYZE","(COSTS OFF)","(ANALYZE, SUMMARY, TIMING)","(BUFFERS OFF, WAL 0)",(BUFFERS),"(ANALYZE, BUFFERS)","(FORMAT json, BUFFERS 1)","(ANALYZE, WAL)","(BUFFERS, BUFFERS off)"}'::text[]) options,
	unnest('{SELECT 1,SELECT FROM pg_namespace,VALUES (2)}'::text[]) q GROUP BY 1, 2 ORDER BY 1, 2;
SET ROLE regress_pa_nobody;
EXPLAIN (COSTS off, BUFFERS) SELECT FROM hyg.town;
EXPLAIN (ANALYZE, WAL true) SELECT 1;
-- nor do commands say at length what they counted
CREATE TEMP TABLE kept (a int PRIMARY KEY);
VACUUM (ANALYZE, VERBOSE) kept;
ANALYZE VERBOSE kept;
VACUUM FULL VERBOSE kept;
CLUSTER VERBOSE kept USING kept_pkey;
REINDEX (VERBOSE true) TABLE kept;
VACUUM (VERBOSE false) kept;
DROP TABLE kept;
RESET ROLE;
-- protected tables that autovacuum comes to when rows were written
CREATE TABLE hyg.calm (id int NOT NULL, v text);
CREATE TABLE hyg.odd (id int NOT NULL) WITH (autovacuum_enabled = false);
CREATE TABLE hyg.parts (id int NOT NULL, v text) PARTITION BY LIST (id);
CREATE TABLE hyg.part_1 PARTITION OF hyg.parts FOR VALUES IN (1) WITH (autovacuum_enabled = off, toast.autovacuum_vacuum_threshold = 7);
CREATE TABLE hyg.part_2 PARTITION OF hyg.parts FOR VALUES IN (2) WITH (autovacuum_enabled = no);
CREATE TABLE hyg.part_3 PARTITION OF hyg.parts FOR VALUES IN (3) WITH (fillfactor = 50);
SELECT count(*) AS protected FROM (SELECT privacct.protect(t, 'id', epsilon => 1, fresh => true) FROM unnest('{hyg.calm,hyg.odd,hyg.parts}'::regclass[]) t) p;
SELECT * FROM privacct.check_hardening() WHERE object ~ 'hyg\.' ORDER BY 1;
DO $$ DECLARE r text; BEGIN FOR r IN SELECT split_part(remedy, ', and', 1) FROM privacct.check_hardening() WHERE object ~ 'hyg\.' LOOP EXECUTE r; END LOOP; END $$;
SELECT * FROM privacct.check_hardening() WHERE object ~ 'hyg\.';
SET client_min_messages = error;
SELECT count(privacct.unprotect(t)) AS open FROM unnest('{hyg.calm,hyg.odd,hyg.parts}'::regclass[]) t;
RESET client_min_messages;
DROP TABLE hyg.calm, hyg.odd, hyg.parts;
-- what a role can become, and what was opened while nothing watched
CREATE ROLE regress_pa_desk CREATEROLE CREATEDB;
CREATE ROLE regress_pa_copy REPLICATION BYPASSRLS;
CREATE ROLE regress_pa_root SUPERUSER;
GRANT regress_pa_desk, regress_pa_copy, regress_pa_root, privacct_reader, regress_pa_town TO regress_pa_nobody;
CREATE TABLE hyg.kept (id int PRIMARY KEY);
ALTER TABLE hyg.kept OWNER TO regress_pa_town;
SELECT privacct.protect('hyg.kept', 'id', fresh => true) > 0 AS protected;
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
GRANT EXECUTE ON FUNCTION privacct._unprotect(regrole, regclass), privacct._hold_charges(bigint) TO regress_pa_nobody;
GRANT SELECT (secret) ON privacct.policy TO PUBLIC;
GRANT USAGE ON privacct.charge_id_seq TO regress_pa_town;
GRANT CREATE ON SCHEMA privacct TO regress_pa_nobody;
GRANT CREATE ON DATABASE :"DBNAME" TO regress_pa_nobody;
SELECT object, tells, regexp_replace(remedy, ' of .*', '') AS remedy FROM privacct.check_hardening('regress_pa_nobody') WHERE object !~ '^(function|relation|column|database|temporary) ?' ORDER BY object COLLATE "C", tells;
SELECT object, tells FROM privacct.check_hardening() WHERE object !~ '^(function|relation|column|database|temporary) ?' ORDER BY object COLLATE "C", tells;
REVOKE CREATE ON DATABASE :"DBNAME" FROM regress_pa_nobody;
REVOKE CREATE ON SCHEMA privacct FROM regress_pa_nobody;
REVOKE USAGE ON privacct.charge_id_seq FROM regress_pa_town;
REVOKE SELECT (secret) ON privacct.policy FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION privacct._unprotect(regrole, regclass), privacct._hold_charges(bigint) FROM regress_pa_nobody;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
SELECT count(*) AS opened FROM privacct._opened_members();
SELECT privacct.unprotect('hyg.kept');
DROP TABLE hyg.kept;
REVOKE privacct_reader, regress_pa_town FROM regress_pa_nobody;
DROP ROLE regress_pa_desk, regress_pa_copy, regress_pa_root;
-- no plan shows a table that one may not read, as pg_statistic below pg_stats
CREATE FUNCTION public.pa_planned(view regclass) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	SET LOCAL ROLE regress_pa_nobody;
	EXECUTE format('EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM %s', view) INTO plan;
	RESET ROLE;
	RETURN ARRAY(SELECT n #>> '{}' FROM jsonb_path_query(plan, 'strict $.**."Relation Name"') n);
EXCEPTION
	WHEN OTHERS THEN RETURN ARRAY[SQLSTATE];
END
$$;
CREATE TABLE public.pa_plans AS SELECT c.oid::regclass AS view, pa_planned(c.oid) AS names FROM pg_class c
WHERE c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) AND c.relkind IN ('v', 'r');
SELECT count(*) FILTER (WHERE names = '{42PA1}') > 10 AS refused, count(*) FILTER (WHERE names <> '{42PA1}' AND names <> '{42501}') > 10 AS shown FROM public.pa_plans;
SELECT view, n AS shown_but_not_readable FROM public.pa_plans, unnest(names) n
WHERE to_regclass('pg_catalog.' || n) IS NOT NULL AND NOT has_any_column_privilege('regress_pa_nobody', to_regclass('pg_catalog.' || n), 'SELECT');
SELECT view, names FROM public.pa_plans WHERE view IN ('pg_stats'::regclass, 'pg_stats_ext'::regclass, 'pg_class'::regclass, 'pg_largeobject_metadata'::regclass) ORDER BY view::text COLLATE "C";
DROP TABLE public.pa_plans;
DROP FUNCTION public.pa_planned;
-- nor what a query over one fetches that was begun before
CREATE FUNCTION public.pa_fetch() RETURNS void LANGUAGE plpgsql AS $$ DECLARE r record; c refcursor := 'c'; BEGIN FETCH c INTO r; END $$;
SET ROLE regress_pa_nobody;
BEGIN;
DECLARE c CURSOR FOR SELECT FROM pg_stats;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT pa_fetch();
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT FROM hyg.town;
SELECT FROM pa_fetch();
FETCH c;
ROLLBACK;
RESET ROLE;
DROP FUNCTION public.pa_fetch;
-- what reads as something else is estimated as something else
CREATE FUNCTION public.pa_estimate(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	SET LOCAL ROLE regress_pa_nobody;
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
	RESET ROLE;
	RETURN plan->0->'Plan'->>'Plan Rows';
END
$$;
ANALYZE pg_class;
SELECT count(DISTINCT pa_estimate(format('SELECT %s FROM pg_class GROUP BY 1', c))) AS estimates FROM unnest('{reltuples,relpages,relallvisible}'::text[]) c;
DROP FUNCTION public.pa_estimate;
-- nor does any row of the catalog show where the WAL is, in either notation
CREATE FUNCTION public.pa_positions(low pg_lsn, high pg_lsn) RETURNS TABLE (relation regclass) LANGUAGE plpgsql AS $$
DECLARE
	c oid;
	found bool;
BEGIN
	FOR c IN SELECT oid FROM pg_class WHERE relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) AND relkind IN ('v', 'r') LOOP
		BEGIN
			SET LOCAL ROLE regress_pa_nobody;
			EXECUTE format('SELECT count(*) > 0 FROM (SELECT v::text AS t FROM %s v OFFSET 0) r, regexp_matches(t, ''[0-9A-F]+/[0-9A-F]{1,8}|(?<![.0-9e-])[0-9]{6,}'', ''g'') m
				WHERE CASE WHEN m[1] ~ ''/'' THEN m[1]::pg_lsn BETWEEN $1 AND $2 ELSE m[1]::numeric BETWEEN $1 - ''0/0'' AND $2 - ''0/0'' END', c::regclass) USING low, high INTO found;
			RESET ROLE;
			IF found THEN
				relation := c;
				RETURN NEXT;
			END IF;
		EXCEPTION
			WHEN insufficient_privilege OR SQLSTATE '42PA1' THEN NULL;
		END;
	END LOOP;
END
$$;
SELECT pid AS launcher FROM pg_stat_activity WHERE backend_type = 'logical replication launcher' \gset
SELECT pg_current_wal_lsn() AS low \gset
SET ROLE regress_pa_nobody;
CREATE TEMP TABLE pa_probe (a int, b text);
ALTER TABLE pa_probe ADD c int;
RESET ROLE;
SELECT pg_current_wal_lsn() AS high \gset
SELECT pa_positions(:'low', :'high') AS tells_a_position;
DROP FUNCTION public.pa_positions;
DROP TABLE pa_probe;
-- a function that no version of the extension has seen
SET allow_system_table_mods = on;
CREATE FUNCTION pg_catalog.pa_rows_of_everything() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 1::bigint';
SELECT * FROM privacct.check_hardening() WHERE object ~ 'pa_rows';
DROP FUNCTION pg_catalog.pa_rows_of_everything();
RESET allow_system_table_mods;

SELECT string_agg(c.relname, ' ' ORDER BY c.relname COLLATE "C") AS hidden_relations
FROM pa_allowed b JOIN pg_class c USING (oid) WHERE b.kind = 'relation' AND NOT has_table_privilege('regress_pa_nobody', c.oid, 'SELECT')
AND NOT EXISTS (SELECT FROM privacct.catalog_object o WHERE o.name = 'pg_catalog.' || c.relname AND coalesce(o.first_version, o.last_version) IS NOT NULL);
SELECT string_agg(DISTINCT f.proname, ' ' ORDER BY f.proname) AS hidden_functions
FROM pa_allowed b JOIN pg_proc f USING (oid) WHERE b.kind = 'function' AND NOT has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE')
AND f.proname !~ '^pg_stat_get_'
AND NOT EXISTS (SELECT FROM privacct.catalog_object o WHERE split_part(o.name, '(', 1) = f.proname AND coalesce(o.first_version, o.last_version) IS NOT NULL);

-- functions that are taken: an error, or null of a relation of others (the argument of the right type)
CREATE TABLE public.pa_outcome (function text, verdict text, outcome text);
GRANT INSERT ON pa_outcome TO regress_pa_nobody;
CREATE TABLE public.pa_judged AS SELECT * FROM privacct.catalog_object;
GRANT SELECT ON pa_judged TO regress_pa_nobody;
GRANT USAGE ON SCHEMA privacct TO regress_pa_nobody;
SET ROLE regress_pa_nobody;
DO $$
DECLARE
	f record;
	result text;
BEGIN
	FOR f IN SELECT p.oid::regprocedure AS function, j.name, j.verdict, format('SELECT %s FROM pg_catalog.%I(%s) x', CASE WHEN p.proretset THEN 'count(*)' ELSE 'x::text' END, p.proname,
			(SELECT string_agg(CASE WHEN t IN ('oid'::regtype, 'regclass'::regtype) THEN '''hyg.town''::regclass::oid' WHEN t = 'text'::regtype THEN '''main''' WHEN t = 'name'::regtype THEN '''postgres''' WHEN t = 'pg_lsn'::regtype THEN '''0/1'''
					WHEN t = 'boolean'::regtype THEN 'false' WHEN t = 'bytea'::regtype THEN '''x''' WHEN t::text ~ '\]$' THEN '''{3}''::' || t ELSE '''3''::' || t END, ', ' ORDER BY i)
			 FROM unnest(p.proargtypes::regtype[]) WITH ORDINALITY a(t, i))) AS statement
		FROM pa_judged j JOIN pg_proc p ON j.name = p.proname || '(' || oidvectortypes(p.proargtypes) || ')' AND p.pronamespace = 'pg_catalog'::regnamespace
		WHERE j.kind = 'function' AND j.verdict NOT IN ('harmless', 'guarded')
	LOOP
		BEGIN
			EXECUTE f.statement INTO result;
			INSERT INTO pa_outcome VALUES (f.name, f.verdict, CASE WHEN result IS NULL THEN 'null' ELSE 'value' END);
		EXCEPTION WHEN OTHERS THEN
			INSERT INTO pa_outcome VALUES (f.name, f.verdict, SQLSTATE);
		END;
	END LOOP;
END
$$;
RESET ROLE;
SELECT verdict, outcome, count(*) > 0 AS some FROM pa_outcome GROUP BY verdict, outcome ORDER BY verdict, outcome;
REVOKE SELECT ON privacct.catalog_object FROM regress_pa_nobody;

CREATE FUNCTION public.pa_tell(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$;
SELECT lo_create(4711) AS of_others;
ALTER LARGE OBJECT 4711 OWNER TO regress_pa_town;
ALTER ROLE regress_pa_nobody SET work_mem = 4096;
SET ROLE regress_pa_nobody;
SELECT lomowner FROM pg_largeobject_metadata WHERE pa_tell('oid ' || oid);
-- columns
SELECT reltuples, relpages, relallvisible, relfilenode, relfrozenxid, relminmxid FROM pg_class WHERE relname IN ('town', 'pg_class');
SELECT (c).reltuples, (c.*)::text = c::text AS whole FROM pg_class c WHERE relname = 'town';
SELECT row_to_json(c)->>'reltuples' AS reltuples FROM pg_catalog.pg_class c WHERE relname = 'town';
SELECT count(*) FROM pg_class a JOIN pg_class b USING (reltuples) WHERE a.relname = 'town' AND b.relname = 'town';
SELECT relname FROM pg_class WHERE reltuples > 0 OR relpages > 0;
WITH w AS (TABLE pg_class) SELECT reltuples FROM w WHERE relname = 'town';
SELECT (SELECT reltuples FROM pg_class WHERE oid = t.oid) FROM pg_class t WHERE relname = 'town';
SELECT datfrozenxid, datminmxid FROM pg_database WHERE datname = current_database();
SELECT xmin IS NULL FROM pg_db_role_setting;
SELECT count(*) > 0 AS some FROM pg_db_role_setting;
SELECT count(*) > 0 AS some FROM pg_catalog.pg_shdepend;
SELECT count(*) AS large_objects FROM pg_shdepend WHERE classid = 'pg_largeobject'::regclass;
SELECT count(*) AS large_objects FROM pg_largeobject_metadata;
\dl
SELECT ctid, reltuples FROM pg_class LIMIT 1;
SELECT xmin, reltuples FROM pg_class LIMIT 1;
COPY pg_class (reltuples) TO STDOUT;
COPY (SELECT reltuples FROM pg_class WHERE relname = 'town') TO STDOUT;
PREPARE p AS SELECT reltuples FROM pg_class WHERE relname = 'town';
EXECUTE p;
RESET ROLE;
EXECUTE p;
SET ROLE regress_pa_nobody;
EXECUTE p;
DEALLOCATE p;
-- counters and sizes
SELECT relname, n_live_tup, seq_scan, last_analyze FROM pg_stat_user_tables WHERE relname = 'town';
SELECT idx_scan FROM pg_stat_user_indexes WHERE relname = 'town';
SELECT heap_blks_read FROM pg_statio_user_tables WHERE relname = 'town';
SELECT n_tup_ins FROM pg_stat_xact_user_tables WHERE relname = 'town';
SELECT tup_returned, numbackends FROM pg_stat_database WHERE datname = current_database();
SELECT pg_relation_size('hyg.town'), pg_table_size('hyg.town'), pg_total_relation_size('hyg.town'), pg_indexes_size('hyg.town'), pg_relation_size('hyg.town', 'main'),
	   pg_database_size(current_database()), pg_database_size('postgres'), pg_tablespace_size('pg_default'), pg_relation_filenode('hyg.town'), pg_relation_filepath('hyg.town');
SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) FROM pg_class c;
SELECT * FROM pg_database_size('postgres');
DO $$ BEGIN RAISE NOTICE 'size %', pg_table_size('hyg.town'); END $$;
SELECT pg_stat_get_live_tuples('hyg.town'::regclass), pg_stat_get_last_analyze_time('hyg.town'::regclass), pg_stat_get_xact_tuples_returned('hyg.town'::regclass);
-- one's own
CREATE TEMP TABLE mine AS SELECT i FROM generate_series(1, 1000) i;
ANALYZE mine;
SELECT reltuples, relpages > 0 AS pages, relfilenode > 0 AS filenode, pg_table_size(oid) > 0 AS size, pg_relation_size(oid, 'main') > 0 AS main, pg_relation_filepath(oid) IS NOT NULL AS path,
	   pg_relation_filenode(oid) > 0 AS number, pg_stat_get_xact_tuples_inserted(oid) IS NOT NULL AS counter
FROM pg_class WHERE relname = 'mine';
SELECT count(*) FROM pg_stat_activity WHERE pid = pg_backend_pid();
SET client_min_messages = error;
SELECT pid, pg_cancel_backend(pid) AS cancelled, pg_terminate_backend(pid) AS ended, pg_terminate_backend(pid, 1000) AS gone
FROM (SELECT 1 UNION ALL SELECT 0 WHERE pg_cancel_backend(:launcher) OR pg_terminate_backend(:launcher, 1)) AS process(pid);
RESET client_min_messages;
SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() OR wait_event IS NOT NULL OR backend_xid IS NOT NULL OR backend_xmin IS NOT NULL;
-- errors
SELECT pg_current_wal_lsn() IS NULL;
SELECT lsn IS NULL FROM pg_logical_emit_message(false, 'x', 'y') lsn;
SELECT checkpoint_lsn IS NULL FROM pg_control_checkpoint();
SELECT count(*) FROM pg_replication_slots;
SELECT count(*) FROM pg_locks;
SELECT txid_current() IS NULL, pg_current_snapshot() IS NULL;
SELECT age(xmin) FROM hyg.town;
SELECT count(*) FROM pg_prepared_xacts;
SELECT * FROM pg_stat_wal;
SELECT * FROM pg_stat_progress_vacuum;
-- what stands for them cannot be turned to anything else
SELECT privacct._own_counter('pg_current_xact_id()'::regprocedure, 'hyg.town'::regclass);
SELECT privacct._own_counter('pg_relation_size(regclass)'::regprocedure, 'hyg.town'::regclass);
SELECT privacct._own_counter('pg_relation_filepath(regclass)'::regprocedure, 'mine'::regclass);
SELECT privacct._own_size('pg_relation_size(regclass)'::regprocedure, 'mine'::regclass, 'main');
SELECT privacct._own_counter(0, 'mine'::regclass);
SELECT count(*) FROM privacct._own_sessions(NULL) s WHERE pid <> pg_backend_pid();
SELECT privacct._own_signal('pg_rotate_logfile()'::regprocedure, 1);
-- clients still find their way
\d hyg.town
\dt hyg.*
\df privacct.unprotect
\o /dev/null
\du regress_pa_nobody
\o
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'hyg' ORDER BY ordinal_position;
SELECT tablename FROM pg_tables WHERE schemaname = 'hyg';
EXPLAIN (COSTS OFF) SELECT * FROM hyg.town WHERE town_id = 1;
SELECT privacct.soften_catalog();
DROP TABLE mine;
RESET ROLE;
-- the owner of a table, and whoever the DBA gives a function to
SET ROLE regress_pa_town;
SELECT reltuples, pg_relation_size(oid) > 0 AS size, pg_stat_get_last_analyze_time(oid) IS NOT NULL AS analyzed FROM pg_class WHERE relname = 'town';
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_relation_size(regclass, text) TO regress_pa_nobody;
SET ROLE regress_pa_nobody;
SELECT pg_relation_size('hyg.town', 'main') > 0 AS size;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION pg_catalog.pg_relation_size(regclass, text) FROM regress_pa_nobody;

-- monitoring goes on
GRANT pg_monitor TO regress_pa_nobody;
SET ROLE regress_pa_nobody;
-- (at least: what the session inserted may be added to what ANALYZE found)
SELECT n_live_tup >= 100 AS n_live_tup, pg_current_wal_lsn() IS NOT NULL AS lsn, (SELECT reltuples FROM pg_class WHERE oid = relid) FROM pg_stat_user_tables WHERE relname = 'town';
RESET ROLE;
REVOKE pg_monitor FROM regress_pa_nobody;

-- exactly what was taken is given back
SELECT privacct.soften_catalog();
SELECT has_table_privilege('public', 'pg_stat_wal', 'SELECT') AS given_back_what_the_dba_took;
-- where nothing is hardened EXPLAIN is PostgreSQL's own
SELECT pa_explained('regress_pa_nobody', 'EXPLAIN (ANALYZE, BUFFERS, WAL) SELECT 1');
DROP FUNCTION public.pa_explained;
GRANT SELECT ON pg_stat_wal TO PUBLIC;
(TABLE pa_catalog EXCEPT ALL TABLE pa_before) UNION ALL (TABLE pa_before EXCEPT ALL TABLE pa_catalog);
SELECT count(*) AS taken FROM privacct.catalog_taken;

SET client_min_messages = warning;
DROP TABLE pa_before, pa_allowed, pa_outcome, pa_judged;
DROP VIEW pa_catalog;
SELECT lo_unlink(4711);
DROP FUNCTION pa_tell(text);
DROP SCHEMA hyg CASCADE;
REVOKE USAGE ON SCHEMA privacct FROM regress_pa_nobody;
DROP ROLE regress_pa_nobody, regress_pa_town;
