-- Default privileges of the installing superuser, and what a DBA granted under 0.1, must
-- not open the catalog: of others PUBLIC reads views and executes functions, and
-- privacct_admin declares.
DO $$
DECLARE
	remedy text;
BEGIN
	-- first: a change of privileges on an object makes all that it has those of the script
	FOR remedy IN SELECT DISTINCT o.remedy FROM privacct._opened_members() o LOOP
		EXECUTE remedy || CASE WHEN remedy LIKE 'REVOKE%' THEN ' CASCADE' ELSE '' END;
	END LOOP;
	-- then what the script itself made so
	FOR remedy IN
		WITH member AS (
			SELECT m.classid, m.objid FROM pg_catalog.pg_depend m
			JOIN pg_catalog.pg_extension e ON e.oid = m.refobjid AND m.refclassid = 'pg_extension'::pg_catalog.regclass AND m.deptype = 'e'
			WHERE e.extname = 'privacct'),
		relation AS (
			SELECT c.* FROM member m JOIN pg_catalog.pg_class c ON m.classid = 'pg_class'::pg_catalog.regclass AND c.oid = m.objid)
		SELECT pg_catalog.format('REVOKE ALL (%I) ON TABLE %s FROM %s CASCADE', t.attname, r.oid::pg_catalog.regclass, privacct._role_name(a.grantee))
		FROM relation r JOIN pg_catalog.pg_attribute t ON t.attrelid = r.oid CROSS JOIN LATERAL pg_catalog.aclexplode(t.attacl) a
		WHERE a.grantee <> r.relowner
		UNION
		SELECT pg_catalog.format('REVOKE %s ON TABLE %s FROM %s CASCADE',
			CASE WHEN a.grantee = 0 AND r.relkind = 'v' THEN 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER' ELSE 'ALL' END, r.oid::pg_catalog.regclass, privacct._role_name(a.grantee))
		FROM relation r CROSS JOIN LATERAL pg_catalog.aclexplode(r.relacl) a
		WHERE a.grantee <> r.relowner AND NOT (a.grantee = 0 AND r.relkind = 'v' AND a.privilege_type = 'SELECT')
		UNION
		SELECT pg_catalog.format('REVOKE ALL ON FUNCTION %s FROM %s CASCADE', f.oid::pg_catalog.regprocedure, privacct._role_name(a.grantee))
		FROM member m JOIN pg_catalog.pg_proc f ON m.classid = 'pg_proc'::pg_catalog.regclass AND f.oid = m.objid
		CROSS JOIN LATERAL pg_catalog.aclexplode(f.proacl) a
		WHERE a.grantee NOT IN (0, f.proowner) AND (a.grantee <> 'privacct_admin'::pg_catalog.regrole OR f.prosrc <> 'pa_declare')
	LOOP
		EXECUTE remedy;
	END LOOP;
END
$$;
