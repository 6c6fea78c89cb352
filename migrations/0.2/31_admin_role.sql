-- Declaring is a right that the DBA gives: to members of privacct_admin, for tables
-- that they own.  Superusers have it.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'privacct_admin') THEN
		CREATE ROLE privacct_admin NOLOGIN;
		COMMENT ON ROLE privacct_admin IS 'members may declare tables that they own protected (privacct)';
	END IF;
	IF EXISTS (SELECT FROM pg_catalog.pg_roles
			   WHERE rolname = 'privacct_admin'
			   AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls))
	   OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m
				  JOIN pg_catalog.pg_roles r ON r.oid = m.member WHERE r.rolname = 'privacct_admin') THEN
		RAISE EXCEPTION 'role "privacct_admin" exists and cannot be used'
			USING ERRCODE = 'PA004',
				  DETAIL = 'The role must be NOLOGIN without other attributes and member of nothing.',
				  HINT = 'Rename or alter the existing role, then try again.';
	END IF;
END
$$;

-- Every function that declares is the same function in C.
DO $$
DECLARE
	declaration pg_catalog.regprocedure;
	owners text;
BEGIN
	FOR declaration IN SELECT f.oid FROM pg_catalog.pg_proc f
		WHERE f.pronamespace = 'privacct'::pg_catalog.regnamespace AND f.prosrc = 'pa_declare'
	LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', declaration);
		EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO privacct_admin', declaration);
	END LOOP;
	SELECT pg_catalog.string_agg(DISTINCT c.relowner::pg_catalog.regrole::text, ', ') INTO owners
	FROM privacct.policy p JOIN pg_catalog.pg_class c ON c.oid = p.relation
	WHERE p.closed_at IS NULL AND NOT pg_catalog.pg_has_role(c.relowner, 'privacct_admin', 'USAGE');
	IF owners IS NOT NULL THEN
		RAISE WARNING 'owners of protected tables who can no longer declare anything: %', owners
			USING DETAIL = 'Their policies stay in force.',
				  HINT = 'GRANT privacct_admin to those who should continue to change policies and budgets.';
	END IF;
END
$$;
