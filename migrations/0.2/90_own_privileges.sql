-- Default privileges of the installing superuser, and what a DBA granted under 0.1, must
-- not open the catalog: of others PUBLIC reads views and executes functions, and
-- privacct_admin declares.
DO $$
DECLARE
	given record;
BEGIN
	FOR given IN
		SELECT DISTINCT CASE m.classid WHEN 'pg_class'::pg_catalog.regclass THEN 'TABLE ' || m.objid::pg_catalog.regclass::text
			ELSE 'FUNCTION ' || m.objid::pg_catalog.regprocedure::text END AS object, a.grantee::pg_catalog.regrole AS grantee
		FROM pg_catalog.pg_depend m
		JOIN pg_catalog.pg_extension e ON e.oid = m.refobjid AND m.refclassid = 'pg_extension'::pg_catalog.regclass AND m.deptype = 'e'
		LEFT JOIN pg_catalog.pg_class c ON m.classid = 'pg_class'::pg_catalog.regclass AND c.oid = m.objid
		LEFT JOIN pg_catalog.pg_proc f ON m.classid = 'pg_proc'::pg_catalog.regclass AND f.oid = m.objid
		CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(c.relacl, f.proacl)) a
		WHERE e.extname = 'privacct' AND a.grantee <> 0 AND a.grantee <> coalesce(c.relowner, f.proowner)
		AND (a.grantee <> 'privacct_admin'::pg_catalog.regrole OR f.prosrc IS DISTINCT FROM 'pa_declare')
	LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON %s FROM %s CASCADE', given.object, given.grantee);
	END LOOP;
	FOR given IN
		SELECT DISTINCT CASE c.relkind WHEN 'v' THEN 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER' ELSE 'ALL' END AS privileges, m.objid::pg_catalog.regclass AS relation
		FROM pg_catalog.pg_depend m
		JOIN pg_catalog.pg_extension e ON e.oid = m.refobjid AND m.refclassid = 'pg_extension'::pg_catalog.regclass AND m.deptype = 'e'
		JOIN pg_catalog.pg_class c ON m.classid = 'pg_class'::pg_catalog.regclass AND c.oid = m.objid
		CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) a
		WHERE e.extname = 'privacct' AND a.grantee = 0 AND NOT (c.relkind = 'v' AND a.privilege_type = 'SELECT')
	LOOP
		EXECUTE pg_catalog.format('REVOKE %s ON TABLE %s FROM PUBLIC', given.privileges, given.relation);
	END LOOP;
	FOR given IN SELECT DISTINCT o.remedy FROM privacct._opened_members() o LOOP
		EXECUTE given.remedy || CASE WHEN given.remedy LIKE 'REVOKE%' THEN ' CASCADE' ELSE '' END;
	END LOOP;
END
$$;
