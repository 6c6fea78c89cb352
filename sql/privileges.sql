-- Who may do what with the objects of the extension, and catalog hygiene.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pa_nobody;
CREATE ROLE regress_pa_town;
CREATE VIEW public.pa_members AS
SELECT classid, objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
WHERE e.extname = 'privacct' AND d.deptype = 'e';

-- relations: privileges of anybody but the owner
SELECT c.oid::regclass AS relation, c.relkind AS kind,
	   coalesce((SELECT string_agg(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END || ' ' || a.privilege_type, ', ')
				 FROM aclexplode(c.relacl) a WHERE a.grantee <> c.relowner), 'nobody') AS others,
	   c.reloptions
FROM pa_members m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
WHERE c.relkind <> 'i' ORDER BY c.relname COLLATE "C";

-- functions: executable by
SELECT f.oid::regprocedure AS function,
	   CASE WHEN f.prosecdef THEN 'definer' ELSE 'invoker' END AS runs_as,
	   (SELECT string_agg(CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, ', ')
		FROM aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a WHERE a.grantee <> f.proowner) AS others
FROM pa_members m JOIN pg_proc f ON m.classid = 'pg_proc'::regclass AND f.oid = m.objid
ORDER BY f.oid::regprocedure::text COLLATE "C";

-- each of these lists is empty
-- functions with an open search_path
SELECT f.oid::regprocedure AS open_search_path FROM pa_members m JOIN pg_proc f ON f.oid = m.objid JOIN pg_language l ON l.oid = f.prolang
WHERE m.classid = 'pg_proc'::regclass AND l.lanname IN ('sql', 'plpgsql')
AND (f.proconfig @> ARRAY['search_path=pg_catalog, pg_temp']) IS NOT TRUE;
-- definer functions for everybody
SELECT f.oid::regprocedure AS definer_for_public FROM pa_members m JOIN pg_proc f ON f.oid = m.objid
WHERE m.classid = 'pg_proc'::regclass AND f.prosecdef AND has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE');
-- declarations that are everybody's, or not the administrators'
SELECT f.oid::regprocedure AS undeclared FROM pa_members m JOIN pg_proc f ON f.oid = m.objid
WHERE m.classid = 'pg_proc'::regclass AND f.prosrc = 'pa_declare'
AND (has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE') OR NOT has_function_privilege('privacct_admin', f.oid, 'EXECUTE'));
-- objects without a comment
SELECT pg_describe_object(m.classid, m.objid, 0) AS uncommented FROM pa_members m
WHERE obj_description(m.objid, m.classid::regclass::text) IS NULL AND m.classid <> 'pg_type'::regclass
AND m.classid <> 'pg_cast'::regclass ORDER BY 1;
-- tables and sequences that a dump would leave empty
SELECT c.oid::regclass AS not_dumped FROM pa_members m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
WHERE c.relkind IN ('r', 'S') AND c.oid <> ALL ((SELECT extconfig FROM pg_extension WHERE extname = 'privacct')::oid[]);

-- the reader is nobody
SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
	   (SELECT count(*) FROM pg_auth_members m WHERE r.oid IN (m.roleid, m.member)) AS members
FROM pg_roles r WHERE rolname = 'privacct_reader';
SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
	   (SELECT count(*) FROM pg_auth_members m WHERE r.oid = m.member) AS memberships
FROM pg_roles r WHERE rolname = 'privacct_admin';

-- nobody sees an empty house
SET ROLE regress_pa_nobody;
SELECT (SELECT count(*) FROM privacct.odometer) AS odometer, (SELECT count(*) FROM privacct.budget) AS budget,
	   (SELECT count(*) FROM privacct.my_budget) AS my_budget, (SELECT count(*) FROM privacct.my_ledger) AS my_ledger;
BEGIN;
LOCK TABLE privacct.account IN ACCESS SHARE MODE;
ROLLBACK;
CREATE TABLE privacct.mine ();
RESET ROLE;

-- catalog hygiene
CREATE SCHEMA hyg AUTHORIZATION regress_pa_town;
GRANT USAGE ON SCHEMA hyg TO regress_pa_nobody;
CREATE TABLE hyg.town (town_id int PRIMARY KEY, name text);
ALTER TABLE hyg.town OWNER TO regress_pa_town;
GRANT SELECT ON hyg.town TO regress_pa_nobody;
CREATE TABLE public.pa_before AS
SELECT 'function' AS kind, f.oid, has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE') AS allowed FROM pg_proc f WHERE f.pronamespace = 'pg_catalog'::regnamespace
UNION ALL
SELECT 'relation', c.oid, has_table_privilege('regress_pa_nobody', c.oid, 'SELECT') FROM pg_class c WHERE c.relnamespace = 'pg_catalog'::regnamespace;

SELECT privacct.harden_catalog();
SELECT privacct.harden_catalog();		-- twice is once
SELECT string_agg(c.relname, ' ' ORDER BY c.relname COLLATE "C") AS hidden_relations
FROM pa_before b JOIN pg_class c USING (oid)
WHERE b.kind = 'relation' AND b.allowed AND NOT has_table_privilege('regress_pa_nobody', c.oid, 'SELECT');
SELECT string_agg(DISTINCT f.proname, ' ' ORDER BY f.proname) AS hidden_functions
FROM pa_before b JOIN pg_proc f USING (oid)
WHERE b.kind = 'function' AND b.allowed AND NOT has_function_privilege('regress_pa_nobody', f.oid, 'EXECUTE')
AND f.proname !~ '^pg_stat_get_';
SET ROLE regress_pa_nobody;
SELECT reltuples FROM pg_class LIMIT 1;
SELECT relpages FROM pg_class LIMIT 1;
SELECT c FROM pg_class c LIMIT 1;
SELECT n_live_tup FROM pg_stat_all_tables LIMIT 1;
SELECT pg_stat_get_xact_tuples_returned('hyg.town'::regclass);
SELECT pg_stat_get_live_tuples('hyg.town'::regclass);
SELECT pg_relation_size('hyg.town');
SELECT pg_current_wal_lsn() IS NULL;
SELECT tup_returned IS NULL FROM pg_stat_database LIMIT 1;
-- clients still find their way
\d hyg.town
\dt hyg.*
\df privacct.unprotect
\du regress_pa_nobody
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'hyg' ORDER BY ordinal_position;
SELECT n.nspname, c.relname, c.relkind, d.description FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
LEFT JOIN pg_catalog.pg_description d ON c.oid = d.objoid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
WHERE c.relname LIKE 'town%' AND n.nspname = 'hyg' ORDER BY c.relname;
SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE c.oid = 'hyg.town'::regclass AND a.attnum > 0 ORDER BY a.attnum;
SELECT tablename FROM pg_tables WHERE schemaname = 'hyg';
SELECT count(*) > 0 AS activity FROM pg_stat_activity;
EXPLAIN (COSTS OFF) SELECT * FROM hyg.town WHERE town_id = 1;
SELECT privacct.soften_catalog();
RESET ROLE;

SELECT privacct.soften_catalog();
SELECT count(*) AS not_restored FROM pa_before b
WHERE b.allowed IS DISTINCT FROM CASE b.kind WHEN 'function' THEN has_function_privilege('regress_pa_nobody', b.oid, 'EXECUTE')
	ELSE has_table_privilege('regress_pa_nobody', b.oid, 'SELECT') END;
SELECT count(*) AS column_grants_left FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attacl IS NOT NULL;

SET client_min_messages = warning;
DROP TABLE pa_before;
DROP VIEW pa_members;
DROP SCHEMA hyg CASCADE;
DROP ROLE regress_pa_nobody, regress_pa_town;
