-- A protected table is read by others through views with security_invoker only:
-- these ask PostgreSQL for the privileges of who reads them, so that they show
-- nothing where the guard is missing: after unprotect(), after DROP EXTENSION,
-- without the library.

-- Whatever has rules is followed: views, materialised views, tables with rules of
-- their own.  The rules of a table, and what a materialised view holds, are its
-- owner's always.
CREATE FUNCTION privacct._open_views(relation regclass)
	RETURNS TABLE (view regclass, owner regrole, can_be_invoker boolean, grantees text[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE reader(member) AS (
		SELECT t.member FROM privacct._parts(relation) t(member)
		UNION
		SELECT w.ev_class FROM reader r
		CROSS JOIN LATERAL (SELECT d.objid FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = r.member AND d.classid = 'pg_rewrite'::regclass OFFSET 0) d
		CROSS JOIN LATERAL (SELECT o.ev_class FROM pg_rewrite o WHERE o.oid = d.objid OFFSET 0) w)
	SELECT c.oid::regclass, c.relowner::regrole, k.only_select, g.grantees
	FROM pg_class root
	CROSS JOIN (SELECT member FROM reader EXCEPT SELECT t.member FROM privacct._parts(relation) t(member)) m
	JOIN pg_class c ON c.oid = m.member
	CROSS JOIN LATERAL (SELECT c.relkind = 'v' AND NOT EXISTS (SELECT FROM pg_rewrite w
			CROSS JOIN LATERAL (SELECT d.refobjid FROM pg_depend d WHERE d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass OFFSET 0) d
			WHERE w.ev_class = c.oid AND w.ev_type <> '1' AND d.refobjid <> c.oid AND d.refobjid IN (SELECT member FROM reader))) k(only_select)
	CROSS JOIN LATERAL (SELECT array_agg(DISTINCT privacct._role_name(a.grantee) ORDER BY privacct._role_name(a.grantee))
		FROM privacct._acl(ARRAY[c.oid]) a
		WHERE a.grantee NOT IN (c.relowner, root.relowner)) g(grantees)		-- memberships come and go
	WHERE root.oid = relation
	AND (pg_has_role(c.relowner, root.relowner, 'MEMBER') OR pg_has_role(c.relowner, 'pg_read_all_data', 'MEMBER'))
	AND g.grantees IS NOT NULL
	AND NOT (k.only_select AND coalesce((SELECT o.option_value::boolean FROM pg_options_to_table(c.reloptions) o WHERE o.option_name = 'security_invoker'), false))
$$;
COMMENT ON FUNCTION privacct._open_views(regclass) IS 'views, materialised views and tables with rules that read a table with the rights of somebody who may read it raw, and on which others hold privileges';

CREATE FUNCTION privacct._closing_statement(view regclass, can_be_invoker boolean, grantees text[]) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN can_be_invoker THEN format('ALTER VIEW %s SET (security_invoker = true)', view)
		ELSE format('REVOKE ALL ON %s FROM %s', view, array_to_string(grantees, ', ')) END
$$;
COMMENT ON FUNCTION privacct._closing_statement(regclass, boolean, text[]) IS 'the statement after which a view shows no raw rows to others';

CREATE FUNCTION privacct._check_views(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	bad text;
	remedy text;
BEGIN
	SELECT string_agg(format('%s (to %s)', v.view, array_to_string(v.grantees, ', ')), '; ' ORDER BY v.view::text),
		string_agg(privacct._closing_statement(v.view, v.can_be_invoker, v.grantees), '; ' ORDER BY v.view::text)
	INTO bad, remedy FROM privacct._open_views(relation) v;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a view shows rows of the protected table % to others', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Read with the privileges of their owners, and granted to others: %s.', bad),
				  HINT = remedy || ';';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_views(regclass) IS 'others read the table through views with security_invoker only';

CREATE OR REPLACE FUNCTION privacct._check_policy(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_kind(relation);
	PERFORM privacct._check_tree(relation);
	PERFORM privacct._check_rewriting(relation);
	PERFORM privacct._check_owner_column(relation, owner);
	PERFORM privacct._check_storage(relation, owner);
	PERFORM privacct._check_grants(relation);
	PERFORM privacct._check_views(relation);
	PERFORM privacct._check_foreign_keys(relation);
END
$$;

-- What was granted under 0.1 is closed by hand before the update: analysts may then
-- need SELECT on the public tables that a view joins.
DO $$
DECLARE
	remedy text := (
		SELECT string_agg(DISTINCT privacct._closing_statement(v.view, v.can_be_invoker, v.grantees), '; ')
		FROM privacct.policy p CROSS JOIN LATERAL privacct._open_views(p.relation) v WHERE p.closed_at IS NULL);
BEGIN
	IF remedy IS NOT NULL THEN
		RAISE EXCEPTION 'views show rows of protected tables to others'
			USING ERRCODE = 'PA004',
				  DETAIL = 'They are read with the privileges of their owners; without the guard, they return raw rows.',
				  HINT = remedy || '; grant SELECT on the public tables that they join; then update again.';
	END IF;
END
$$;

REVOKE ALL ON FUNCTION privacct._open_views(regclass), privacct._closing_statement(regclass, boolean, text[]), privacct._check_views(regclass) FROM PUBLIC;
