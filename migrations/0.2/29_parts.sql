-- What shows of a table beside its rows: a sequence counts its inserts, and in a TOAST
-- table lie its values.  These are guarded as the table itself.

CREATE FUNCTION privacct._parts(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH tree(member) AS (SELECT t.member FROM privacct._tree(relation) t(member)),
	used(classid, objid) AS (				-- defaults, of domains too
		SELECT 'pg_attrdef'::regclass, a.oid FROM tree t JOIN pg_attrdef a ON a.adrelid = t.member
		UNION
		SELECT 'pg_type'::regclass, y.oid FROM tree t JOIN pg_attribute a ON a.attrelid = t.member JOIN pg_type y ON y.oid = a.atttypid AND y.typtype = 'd')
	SELECT member FROM tree
	UNION
	SELECT c.oid FROM tree t
	JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.member AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
	JOIN pg_class c ON c.oid = d.objid AND c.relkind IN ('S', 't')
	UNION
	SELECT c.oid FROM used u
	JOIN pg_depend d ON d.classid = u.classid AND d.objid = u.objid AND d.refclassid = 'pg_class'::regclass
	JOIN pg_class c ON c.oid = d.refobjid AND c.relkind = 'S'
$$;
COMMENT ON FUNCTION privacct._parts(regclass) IS 'a table, its partitions and children, their TOAST tables, and the sequences that they own or that feed their columns';

CREATE OR REPLACE FUNCTION privacct._check_grants(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	parts oid[] := ARRAY(SELECT privacct._parts(relation));
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad text;
	beside text;
BEGIN
	SELECT string_agg(format('%s (%s on %s)', privacct._role_name(a.grantee), a.privilege, a.object), ', '
					  ORDER BY privacct._role_name(a.grantee), a.object, a.privilege) INTO bad
	FROM privacct._acl(parts) a
	WHERE a.grantee NOT IN (a.relowner, root_owner)
	AND NOT (a.grantee = 'privacct_reader'::regrole AND a.privilege IN ('SELECT', 'REFERENCES'));	-- the latter is a mark that stays
	IF bad IS NOT NULL THEN
		SELECT string_agg(DISTINCT format('REVOKE ALL ON %s FROM %s', o.part::regclass, privacct._role_name(a.grantee)), '; ') INTO beside
		FROM (SELECT unnest(parts) EXCEPT SELECT privacct._tree(relation)) o(part) CROSS JOIN privacct._acl(ARRAY[o.part]) a WHERE a.grantee NOT IN (a.relowner, root_owner);
		RAISE EXCEPTION 'other roles hold privileges on the protected table %', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Only the owner may hold any: %s.', bad),
				  HINT = coalesce(beside || ';', 'REVOKE them, also on columns and partitions; look at ALTER DEFAULT PRIVILEGES for new partitions.');
	END IF;
	SELECT string_agg(format('ALTER SEQUENCE %s OWNER TO %s', c.oid::regclass, root_owner::regrole), '; ' ORDER BY c.oid::regclass::text) INTO bad
	FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
	WHERE c.oid = ANY (parts) AND c.relkind = 'S' AND c.relowner <> root_owner AND NOT r.rolsuper;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a sequence of another role is used by the protected table %', relation
			USING ERRCODE = 'PA004',
				  DETAIL = 'Its owner could count the rows that are inserted.',
				  HINT = bad || ';';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_grants(regclass) IS 'nobody but the owner and privacct_reader holds any privilege on the table and its parts';

REVOKE ALL ON FUNCTION privacct._parts(regclass) FROM PUBLIC;

-- What was granted under 0.1 is closed by hand before the update.
DO $$
DECLARE
	p privacct.policy;
BEGIN
	FOR p IN SELECT * FROM privacct.policy q WHERE q.closed_at IS NULL ORDER BY q.policy_id LOOP
		PERFORM privacct._check_grants(p.relation);
	END LOOP;
END
$$;
