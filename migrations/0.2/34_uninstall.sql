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
				  HINT = 'The budgets that were spent are forgotten with the extension; the roles privacct_reader and privacct_admin stay.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._before_drop() IS 'closes what depends on the extension to be closed; called before it is dropped';

REVOKE ALL ON FUNCTION privacct._before_drop() FROM PUBLIC;
