--
-- What keeps the books is as the script made it.
--
-- A table that is renamed and another one in its place, a trigger that is dropped, or
-- one of somebody's own that turns every charge into nothing, a function that is
-- replaced: what was spent is then kept elsewhere, or not at all.  At its end the
-- script writes down what there is (99_made.sql); privacct.check_books() compares.
--

CREATE TABLE privacct.made (
	object text PRIMARY KEY,
	part_of text,
	state text NOT NULL
);
COMMENT ON TABLE privacct.made IS 'what the script of the extension has made; not dumped, for the script makes it again';
COMMENT ON COLUMN privacct.made.object IS 'a member of the extension, or what belongs to one of its tables';
COMMENT ON COLUMN privacct.made.part_of IS 'the member that it belongs to; null: it is a member itself';
COMMENT ON COLUMN privacct.made.state IS 'how it was made, as _as_is() tells it';
REVOKE ALL ON privacct.made FROM PUBLIC;

-- Whether triggers are enabled is told apart.
CREATE FUNCTION privacct._as_is() RETURNS TABLE (object text, part_of text, state text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH member AS MATERIALIZED (
		SELECT d.classid, d.objid FROM pg_extension e
		JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
		WHERE e.extname = 'privacct'),
	relation AS MATERIALIZED (
		SELECT c.*, i.identity AS name, i.type || ' ' || i.identity AS whole FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
		CROSS JOIN LATERAL pg_identify_object(m.classid, m.objid, 0) i)
	SELECT i.type || ' ' || i.identity, NULL,
		CASE m.classid
			WHEN 'pg_class'::regclass THEN (SELECT concat_ws(' ', r.relkind, r.relpersistence, r.relrowsecurity, md5(CASE r.relkind WHEN 'v' THEN pg_get_viewdef(r.oid) END),
				md5((SELECT string_agg(concat_ws(' ', a.attname, a.atttypid::regtype, a.attnotnull), ',' ORDER BY a.attnum) FROM pg_attribute a
					 WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped))) FROM relation r WHERE r.oid = m.objid)
			WHEN 'pg_proc'::regclass THEN (SELECT md5(concat_ws(' ', p.prosrc, p.probin, p.prosecdef, p.prolang, p.provolatile, p.proisstrict, p.prorettype::regtype, p.proconfig)) FROM pg_proc p WHERE p.oid = m.objid)
			WHEN 'pg_event_trigger'::regclass THEN (SELECT concat_ws(' ', e.evtevent, e.evttags, e.evtfoid::regprocedure) FROM pg_event_trigger e WHERE e.oid = m.objid)
			ELSE '' END
	FROM member m CROSS JOIN LATERAL pg_identify_object(m.classid, m.objid, 0) i
	UNION ALL
	SELECT format('trigger %I on %s', t.tgname, r.name), r.whole, regexp_replace(pg_get_triggerdef(t.oid), '^.*? ON ', '') || t.tgtype
	FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal
	UNION ALL
	SELECT format('rule %I on %s', w.rulename, r.name), r.whole, w.ev_enabled::text FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid
	UNION ALL
	SELECT format('policy %I on %s', s.polname, r.name), r.whole, '' FROM relation r JOIN pg_policy s ON s.polrelid = r.oid
	UNION ALL
	SELECT format('constraint %I on %s', k.conname, r.name), r.whole, pg_get_constraintdef(k.oid) FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid
	UNION ALL
	SELECT format('index %I on %s', c.relname, r.name), r.whole, concat_ws(' ', md5(pg_get_indexdef(x.indexrelid)), x.indisvalid, x.indisready, x.indislive)
	FROM relation r JOIN pg_index x ON x.indrelid = r.oid JOIN pg_class c ON c.oid = x.indexrelid
	UNION ALL
	SELECT format('table %s as a child of %s', i.inhrelid::regclass, r.name), r.whole, '' FROM relation r JOIN pg_inherits i ON i.inhparent = r.oid
	UNION ALL
	-- what is beside the members: names in functions may find it instead
	SELECT i.type || ' ' || i.identity, NULL, 'no member'
	FROM (SELECT 'pg_class'::regclass, c.oid FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind NOT IN ('i', 'I', 't', 'c')
		  UNION ALL SELECT 'pg_proc'::regclass, p.oid FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace
		  UNION ALL SELECT 'pg_type'::regclass, t.oid FROM pg_type t WHERE t.typnamespace = 'privacct'::regnamespace AND t.typrelid = 0 AND t.typelem = 0) o(classid, objid)
	CROSS JOIN LATERAL pg_identify_object(o.classid, o.objid, 0) i
	WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = o.classid AND m.objid = o.objid)
	UNION ALL
	-- what is found whatever the search path is: values of PostgreSQL's types become others
	SELECT 'cast ' || i.identity, NULL, 'no member'
	FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget CROSS JOIN LATERAL pg_identify_object('pg_cast'::regclass, c.oid, 0) i
	WHERE c.oid >= 16384 AND s.typnamespace = 'pg_catalog'::regnamespace AND t.typnamespace = 'pg_catalog'::regnamespace
$$;
COMMENT ON FUNCTION privacct._as_is() IS 'the members of the extension, what belongs to its tables, what else is in its schema, and casts that its functions would use';

-- Of a table that is missing, or of another one in its place, not every part is told.  An
-- index more keeps nothing from anybody.
CREATE VIEW privacct.object_discrepancy WITH (security_barrier) AS
WITH present AS MATERIALIZED (SELECT a.* FROM privacct._as_is() a WHERE privacct._administers(0::pg_catalog.regclass)),
whole AS MATERIALIZED (SELECT m.object FROM privacct.made m JOIN present a ON a.object = m.object AND a.state <> 'no member' WHERE m.part_of IS NULL)
SELECT NULL::bigint AS policy_id, NULL::text AS relation, pg_catalog.format('%s %s', coalesce(m.object, a.object),
		CASE WHEN a.object IS NULL THEN 'is missing' WHEN m.object IS NULL THEN 'is not of the extension' ELSE 'is not as the extension made it' END) AS problem,
	CASE WHEN m.object IS NULL THEN 'What is charged may be kept there, or nowhere.' ELSE 'What was spent may no longer be kept.' END AS detail,
	CASE WHEN m.object IS NULL THEN 'see what it is, then drop it or give it another schema'
		ELSE 'undo what was done to it, or restore the database; what was renamed gets its name again, and what was taken out of the extension is put back by ALTER EXTENSION privacct ADD' END AS remedy
FROM privacct.made m FULL JOIN present a ON a.object = m.object
WHERE a.state IS DISTINCT FROM m.state AND NOT (m.object IS NULL AND a.object ~ '^index ')
AND (coalesce(m.part_of, a.part_of) IS NULL OR coalesce(m.part_of, a.part_of) IN (SELECT w.object FROM whole w))
AND privacct._administers(0::pg_catalog.regclass);
COMMENT ON VIEW privacct.object_discrepancy IS 'what is not, or is no longer, as the script of the extension made it, one row each; shown to superusers';
REVOKE ALL ON privacct.object_discrepancy FROM PUBLIC;
GRANT SELECT ON privacct.object_discrepancy TO PUBLIC;
REVOKE ALL ON FUNCTION privacct._as_is() FROM PUBLIC;
-- it tells nothing that is not in the catalog
GRANT EXECUTE ON FUNCTION privacct._as_is() TO PUBLIC;
