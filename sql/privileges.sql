-- Who may do what with the objects of the extension.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
\pset format unaligned
\pset footer off
CREATE ROLE regress_pa_nobody;
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
-- functions with an open search_path, of those that are not parsed when they are made
SELECT f.oid::regprocedure AS open_search_path FROM pa_members m JOIN pg_proc f ON f.oid = m.objid JOIN pg_language l ON l.oid = f.prolang
WHERE m.classid = 'pg_proc'::regclass AND l.lanname IN ('sql', 'plpgsql')
AND (f.proconfig @> ARRAY['search_path=pg_catalog, pg_temp']) IS NOT TRUE AND f.prosqlbody IS NULL;
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
WHERE c.relkind IN ('r', 'S') AND c.oid <> ALL ((SELECT extconfig FROM pg_extension WHERE extname = 'privacct')::oid[])
ORDER BY c.relname COLLATE "C";

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

-- beside a publication of all tables none could be updated without an identity of its rows
SELECT c.oid::regclass AS without_identity FROM pa_members m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid AND c.relkind = 'r'
WHERE c.relreplident = 'n' OR (c.relreplident = 'd' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary));

SET client_min_messages = warning;
DROP VIEW pa_members;
DROP ROLE regress_pa_nobody;
