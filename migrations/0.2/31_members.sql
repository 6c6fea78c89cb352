-- Privileges on what belongs to the extension stay what its script made them: its
-- functions believe whom they call, and its tables hold budgets and secrets.

CREATE FUNCTION privacct._opened_members()
	RETURNS TABLE (classid oid, objid oid, object text, grantee oid, privilege text, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH member AS (
		SELECT d.classid, d.objid, e.extowner FROM pg_extension e
		JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
		WHERE e.extname = 'privacct'),
	relation AS (
		SELECT c.oid, c.relname, c.relacl, c.relowner, m.extowner, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
			coalesce(i.initprivs, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", m.extowner)) AS made
		FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
		LEFT JOIN pg_init_privs i ON i.classoid = m.classid AND i.objoid = c.oid AND i.objsubid = 0
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')),
	holding(classid, objid, kind, name, columns, owner, held, made, extowner) AS (
		SELECT 'pg_class'::regclass, r.oid, r.kind, r.oid::regclass::text, '', r.relowner,
			coalesce(r.relacl, acldefault(CASE r.kind WHEN 'SEQUENCE' THEN 's' ELSE 'r' END::"char", r.relowner)), r.made, r.extowner
		FROM relation r
		UNION ALL
		SELECT 'pg_class'::regclass, r.oid, r.kind, r.oid::regclass::text, format(' (%I)', a.attname), r.relowner, a.attacl, r.made || coalesce(i.initprivs, '{}'), r.extowner
		FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
		LEFT JOIN pg_init_privs i ON i.classoid = 'pg_class'::regclass AND i.objoid = r.oid AND i.objsubid = a.attnum
		UNION ALL
		SELECT 'pg_proc'::regclass, f.oid, 'ROUTINE', f.oid::regprocedure::text, '', f.proowner,
			coalesce(f.proacl, acldefault('f', f.proowner)), coalesce(i.initprivs, acldefault('f', m.extowner)), m.extowner
		FROM member m JOIN pg_proc f ON m.classid = 'pg_proc'::regclass AND f.oid = m.objid
		LEFT JOIN pg_init_privs i ON i.classoid = m.classid AND i.objoid = f.oid AND i.objsubid = 0
		UNION ALL					-- not a member: it was there before
		SELECT 'pg_namespace'::regclass, n.oid, 'SCHEMA', quote_ident(n.nspname), '', n.nspowner,
			coalesce(n.nspacl, acldefault('n', n.nspowner)), ARRAY[makeaclitem(0, e.extowner, 'USAGE', false)], e.extowner
		FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'privacct')
	SELECT h.classid, h.objid, lower(h.kind) || ' ' || h.name, g.grantee, g.privilege_type || h.columns,
		CASE WHEN g.grantee = h.owner THEN format('ALTER %s %s OWNER TO %s', h.kind, h.name, h.extowner::regrole)
			ELSE format('REVOKE %s%s ON %s %s FROM %s', g.privilege_type, h.columns, h.kind, h.name, privacct._role_name(g.grantee)) END
	FROM holding h CROSS JOIN aclexplode(h.held) g
	WHERE g.grantee <> h.extowner AND NOT EXISTS (SELECT FROM pg_roles s WHERE s.oid = g.grantee AND s.rolsuper)
	AND (g.grantee = h.owner OR NOT EXISTS (SELECT FROM aclexplode(h.made) m
		WHERE m.privilege_type = g.privilege_type AND m.grantee IN (0, g.grantee) AND (m.is_grantable OR NOT g.is_grantable)))
$$;
COMMENT ON FUNCTION privacct._opened_members() IS 'privileges on objects of the extension, and its schema, that its script did not give';

CREATE FUNCTION privacct._check_members(objects oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	opened record;
BEGIN
	-- by the index of pg_depend; numbers of other catalogs do no harm
	IF NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid IN ('pg_class'::regclass, 'pg_proc'::regclass) AND d.objid = ANY (objects)
			AND d.refclassid = 'pg_extension'::regclass)
	   AND 'privacct'::regnamespace <> ALL (objects) THEN
		RETURN;
	END IF;
	SELECT count(*) AS number, (array_agg(o.object ORDER BY o.object))[1] AS object, (array_agg(o.remedy ORDER BY o.object, o.remedy))[1] AS remedy,
		string_agg(DISTINCT privacct._role_name(o.grantee), ', ') AS grantees INTO opened
	FROM privacct._opened_members() o WHERE o.objid = ANY (objects);
	IF opened.number > 0 THEN
		RAISE EXCEPTION 'privileges on the objects of privacct cannot be given to others'
			USING ERRCODE = 'PA004',
				  DETAIL = format('%s would have privileges that the extension did not give them on %s%s.', opened.grantees, opened.object,
					CASE WHEN opened.number > 1 THEN format(', and %s more', opened.number - 1) ELSE '' END),
				  HINT = format('%s; whoever shall declare tables becomes a member of privacct_admin.', opened.remedy);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_members(oid[]) IS 'the extension''s objects among these are open to nobody to whom its script did not open them';

REVOKE ALL ON FUNCTION privacct._opened_members(), privacct._check_members(oid[]) FROM PUBLIC;
