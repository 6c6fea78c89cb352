-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What protected tables rest on.
--

-- What a table rests on belongs to its owner, or to somebody who may read it anyway.
--
-- A check of a domain, a function in a default, an operator of an index run with values
-- of rows, and whoever owns one changes it; to try this, or to drop it, waits for who
-- writes to the table.  Whoever owns a schema may drop and rebuild what is in it.
-- Everything that pg_depend knows of: what goes with the table, and what any of that
-- needs, at any depth.  Types and operator classes have parts, too.
CREATE OR REPLACE FUNCTION privacct._foundation(relations oid[])
	RETURNS TABLE (relation oid, classid oid, objid oid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
-- by the indexes of pg_inherits and pg_depend
	WITH RECURSIVE tree(root, member) AS (
		SELECT r, r FROM unnest(relations) r
		UNION
		SELECT t.root, i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.member),
	part(root, classid, objid) AS (
		SELECT t.root, 'pg_class'::regclass::oid, t.member FROM tree t
		UNION
		SELECT p.root, d.classid, d.objid FROM part p
		JOIN pg_depend d ON d.refclassid = p.classid AND d.refobjid = p.objid AND d.deptype IN ('a', 'i', 'P', 'S')),
	base(root, classid, objid) AS (
		SELECT p.root, p.classid, p.objid FROM part p
		UNION
		SELECT b.root, n.classid, n.objid FROM base b CROSS JOIN LATERAL (
			SELECT d.refclassid, d.refobjid FROM pg_depend d WHERE d.classid = b.classid AND d.objid = b.objid
			UNION ALL
			-- nothing is read of what depends on a schema, or on other objects without parts
			SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = b.classid AND d.deptype IN ('a', 'i')
			AND d.refobjid = CASE
				WHEN b.classid IN ('pg_type'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass)
				THEN b.objid END) n(classid, objid))
	SELECT b.root, b.classid, b.objid FROM base b
$$;
COMMENT ON FUNCTION privacct._foundation(oid[])
	IS 'what tables, with their partitions and children, consist of and rest on; built-in objects are left out';

-- The owner of the database may drop and rebuild everything in it.
CREATE OR REPLACE FUNCTION privacct._of_others(relations oid[])
	RETURNS TABLE (relation oid, classid oid, objid oid, owner oid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
	SELECT b.relation, b.classid, b.objid, o.owner
	FROM privacct._foundation(relations) b JOIN pg_class root ON root.oid = b.relation
	CROSS JOIN LATERAL (SELECT CASE b.classid
		WHEN 'pg_class'::regclass
		THEN (SELECT c.relowner FROM pg_class c WHERE c.oid = b.objid AND c.relkind NOT IN ('i', 'I', 't'))
		WHEN 'pg_type'::regclass THEN (SELECT y.typowner FROM pg_type y WHERE y.oid = b.objid)
		WHEN 'pg_proc'::regclass THEN (SELECT f.proowner FROM pg_proc f WHERE f.oid = b.objid)
		WHEN 'pg_namespace'::regclass THEN (SELECT n.nspowner FROM pg_namespace n WHERE n.oid = b.objid)
		WHEN 'pg_operator'::regclass THEN (SELECT p.oprowner FROM pg_operator p WHERE p.oid = b.objid)
		WHEN 'pg_opclass'::regclass THEN (SELECT p.opcowner FROM pg_opclass p WHERE p.oid = b.objid)
		WHEN 'pg_opfamily'::regclass THEN (SELECT p.opfowner FROM pg_opfamily p WHERE p.oid = b.objid)
		WHEN 'pg_collation'::regclass THEN (SELECT l.collowner FROM pg_collation l WHERE l.oid = b.objid)
		WHEN 'pg_conversion'::regclass THEN (SELECT n.conowner FROM pg_conversion n WHERE n.oid = b.objid)
		WHEN 'pg_language'::regclass THEN (SELECT l.lanowner FROM pg_language l WHERE l.oid = b.objid)
		WHEN 'pg_statistic_ext'::regclass THEN (SELECT s.stxowner FROM pg_statistic_ext s WHERE s.oid = b.objid)
		WHEN 'pg_ts_config'::regclass THEN (SELECT g.cfgowner FROM pg_ts_config g WHERE g.oid = b.objid)
		WHEN 'pg_ts_dict'::regclass THEN (SELECT g.dictowner FROM pg_ts_dict g WHERE g.oid = b.objid)
		WHEN 'pg_extension'::regclass THEN (SELECT e.extowner FROM pg_extension e WHERE e.oid = b.objid)
		WHEN 'pg_publication'::regclass THEN (SELECT p.pubowner FROM pg_publication p WHERE p.oid = b.objid)
		WHEN 'pg_foreign_server'::regclass THEN (SELECT s.srvowner FROM pg_foreign_server s WHERE s.oid = b.objid)
		WHEN 'pg_foreign_data_wrapper'::regclass
		THEN (SELECT w.fdwowner FROM pg_foreign_data_wrapper w WHERE w.oid = b.objid)
		END) o(owner)
	WHERE o.owner <> root.relowner
	AND NOT pg_has_role(o.owner, root.relowner, 'USAGE') AND NOT pg_has_role(o.owner, 'pg_database_owner', 'USAGE')
	-- of types that go with another object that one is told
	AND NOT (b.classid IN ('pg_class'::regclass, 'pg_type'::regclass) AND EXISTS (SELECT FROM pg_depend i
		WHERE i.classid = b.classid AND i.objid = b.objid
		AND i.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass) AND i.deptype = 'i'
		OFFSET 0))	-- one by one: not all of them into a hash table first
$$;
COMMENT ON FUNCTION privacct._of_others(oid[])
	IS 'objects that tables rest on and that somebody owns who has not the privileges of the owner of the table, nor '
	'of the owner of the database';

CREATE OR REPLACE FUNCTION privacct._described_of_others(relations oid[])
	RETURNS TABLE (relation oid, object text, owner oid, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
	SELECT o.relation, i.type || ' ' || i.identity, o.owner,
		CASE i.type WHEN 'extension'
			THEN format('REASSIGN OWNED BY %s TO %s, or DROP EXTENSION %s and create it as the owner of the table',
			o.owner::regrole, root.relowner::regrole, i.identity)
			ELSE format('ALTER %s %s OWNER TO %s',
				CASE i.type WHEN 'statistics object' THEN 'STATISTICS' ELSE upper(i.type) END, i.identity,
				root.relowner::regrole) END
	FROM privacct._of_others(relations) o JOIN pg_class root ON root.oid = o.relation
		CROSS JOIN LATERAL pg_identify_object(o.classid, o.objid, 0) i
$$;
COMMENT ON FUNCTION privacct._described_of_others(oid[]) IS 'the objects of _of_others by name, and what mends it';

CREATE OR REPLACE FUNCTION privacct._check_foundations(relations oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	relation regclass;
	bad text;
	remedy text;
BEGIN
	SELECT o.relation, string_agg(format('%s (of %s)', o.object, o.owner::regrole), ', ' ORDER BY o.object),
		string_agg(DISTINCT o.remedy, '; ')
	INTO relation, bad, remedy FROM privacct._described_of_others(relations) o GROUP BY o.relation ORDER BY o.relation
		LIMIT 1;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'the protected table % rests on objects of other roles', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Their owners could read or count rows of the table by changing them: %s.', bad),
				  HINT = remedy || '; or use objects of the owner of the table.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_foundations(oid[])
	IS 'whatever these tables rest on belongs to roles that may read them anyway';

CREATE OR REPLACE FUNCTION privacct._check_foundation(relation regclass) RETURNS void
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._check_foundations(ARRAY[relation::oid])
$$;
COMMENT ON FUNCTION privacct._check_foundation(regclass) IS '_check_foundations of one table';

CREATE OR REPLACE FUNCTION privacct._resting() RETURNS oid[]
	AS 'MODULE_PATHNAME', 'pa_resting' LANGUAGE C;
COMMENT ON FUNCTION privacct._resting()
	IS 'protected tables that may rest on what the commands of an event trigger are about; holds declarations back '
	'that would change this';

-- Any command may change who owns what, or what rests on it: which, the library finds out.
CREATE OR REPLACE FUNCTION privacct._on_foundation_change() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	resting oid[];
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		resting := privacct._resting();
	ELSE
		resting := ARRAY(SELECT p.relation::oid FROM privacct.policy p WHERE p.closed_at IS NULL);
	END IF;
	IF resting <> '{}' THEN
		IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
			PERFORM privacct._in_latest_snapshot('_check_foundations', resting);
		ELSE
			PERFORM privacct._check_foundations(resting);
		END IF;
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_foundation_change()
	IS 'refuses to give others what a protected table rests on, or to let it rest on what is of others';

-- No event trigger fires for REASSIGN OWNED.
CREATE OR REPLACE FUNCTION privacct._on_reassign(given oid[], resting oid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_members_seen', given);
	END IF;
	PERFORM privacct._describe_again(given);
	PERFORM privacct._in_latest_snapshot('_check_foundations', resting);
END
$$;
COMMENT ON FUNCTION privacct._on_reassign(oid[], oid[])
	IS 'follows the owners of relations that REASSIGN OWNED gave to another role; no protected table of those that may '
	'rest on what was given rests on what is of others';

CREATE OR REPLACE VIEW privacct.foundation_discrepancy WITH (security_barrier) AS
SELECT p.policy_id, p.relation_name AS relation,
	pg_catalog.format('%s belongs to %s', o.object, o.owner::pg_catalog.regrole) AS problem,
	'The table rests on it: its owner could read or count rows of the table by changing it.' AS detail, o.remedy
FROM privacct._described_of_others(ARRAY(SELECT q.relation::oid FROM privacct.policy q WHERE q.closed_at IS NULL
	AND privacct._administers(q.relation))) o
JOIN privacct.policy p ON p.relation = o.relation AND p.closed_at IS NULL;
COMMENT ON VIEW privacct.foundation_discrepancy
	IS 'what protected tables rest on and is of others, one row each; shown to the owner of the table';
