-- DROP EXTENSION leaves nothing open that was closed by a policy.

CREATE FUNCTION privacct._before_drop() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	freed text[] := '{}';
BEGIN
	PERFORM privacct._check_may_forget();
	PERFORM privacct._leave_mark();
	FOR p IN SELECT q.* FROM privacct.policy q JOIN pg_class c ON c.oid = q.relation
		WHERE q.closed_at IS NULL ORDER BY q.relation::text
	LOOP
		PERFORM privacct._check_closed(p.relation);
		EXECUTE format('REVOKE SELECT ON %s FROM privacct_reader', p.relation);
		freed := freed || p.relation::text;
	END LOOP;
	IF freed <> '{}' THEN
		RAISE NOTICE 'tables that are no longer protected: %', array_to_string(freed, ', ')
			USING DETAIL = 'Only their owners may read them; views that were granted to others answer "permission denied".',
				  HINT = 'privacct.uninstall() takes roles, marks and hardening back, too; DROP EXTENSION leaves them.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._before_drop() IS 'closes what depends on the extension to be closed; called before it is dropped';

REVOKE ALL ON FUNCTION privacct._before_drop() FROM PUBLIC;

-- What it made outside of its schema goes with it: hardening, marks, roles.  A function may
-- drop the extension that it belongs to; the rest of it needs nothing of the extension.
CREATE FUNCTION privacct.uninstall() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	marked regclass;
	others text;
BEGIN
	PERFORM privacct.soften_catalog();
	DROP EXTENSION privacct;
	EXECUTE format('ALTER DATABASE %I RESET privacct.dropped_books', current_database());
	FOR marked IN SELECT d.objid FROM pg_shdepend d JOIN pg_roles r ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid
		WHERE r.rolname = 'privacct_reader' AND d.deptype = 'a' AND d.classid = 'pg_class'::regclass
		AND d.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM privacct_reader', marked);
	END LOOP;
	BEGIN
		DROP SCHEMA privacct;
	EXCEPTION WHEN dependent_objects_still_exist THEN
		GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
		RAISE NOTICE 'schema "privacct" stays' USING DETAIL = others;
	END;
	-- functions of every other database that has the extension are granted to the first
	BEGIN
		DROP ROLE IF EXISTS privacct_admin, privacct_reader;
	EXCEPTION WHEN dependent_objects_still_exist THEN
		GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
		RAISE NOTICE 'roles privacct_admin and privacct_reader stay'
			USING DETAIL = others,
				  HINT = 'They go with the last database that the extension is uninstalled from, unless something else was granted to them.';
	END;
END
$$;
COMMENT ON FUNCTION privacct.uninstall() IS 'drops the extension, and takes back what it made outside of its schema: for superusers, in every database that has it';
REVOKE ALL ON FUNCTION privacct.uninstall() FROM PUBLIC;
