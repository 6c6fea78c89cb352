-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Event triggers: what was checked at declaration is kept true afterwards.
--

-- After RENAME COLUMN exactly one declared name is left without a column: it
-- is the one that was renamed, and the command says what it is called now.
CREATE OR REPLACE FUNCTION privacct._follow_rename(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	new_name name := (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation
		AND a.attnum = _follow_rename.attnum);
	p privacct.policy;
	live name[];
BEGIN
	-- partitions, children and tables of a type take the new name without a command of their own
	PERFORM privacct._follow_public_column(f, new_name) FROM privacct._family(_follow_rename.relation) f;
	FOR p IN SELECT * FROM privacct.policy q WHERE q.relation::oid IN (SELECT privacct._family(_follow_rename.relation))
		LOOP
		live := ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = p.relation AND a.attnum > 0
			AND NOT a.attisdropped);
		UPDATE privacct.policy q SET owner_column = coalesce(privacct._column_called(p.relation, p.owner_attnum),
			new_name) WHERE q.policy_id = p.policy_id AND q.owner_column <> ALL (live) AND q.owner_column <> '';
		UPDATE privacct.policy q SET path = privacct._renamed(q.path, live, new_name)
		WHERE q.policy_id = p.policy_id AND NOT q.path <@ live;
		CONTINUE WHEN p.closed_at IS NOT NULL;
		UPDATE privacct.bound b
			SET column_name = coalesce(privacct._column_called(p.relation, b.attnum), new_name)
			WHERE b.policy_id = p.policy_id AND b.column_name <> ALL (live);
		UPDATE privacct.group_key k
			SET column_name = coalesce(privacct._column_called(p.relation, k.attnum), new_name)
			WHERE k.policy_id = p.policy_id AND k.column_name <> ALL (live);
		UPDATE privacct.domain d
			SET column_name = coalesce(privacct._column_called(p.relation, d.attnum), new_name)
			WHERE d.policy_id = p.policy_id AND d.column_name <> ALL (live);
		UPDATE privacct.public_column c
			SET column_name = coalesce(privacct._column_called(p.relation, c.attnum), new_name)
			WHERE c.policy_id = p.policy_id AND c.column_name <> ALL (live);
	END LOOP;
	-- what rows of other tables refer to
	UPDATE privacct.policy q SET path_keys = privacct._renamed(q.path_keys, l.live, new_name)
	FROM privacct._family(_follow_rename.relation) f(member) CROSS JOIN LATERAL (SELECT ARRAY(SELECT a.attname
		FROM pg_attribute a WHERE a.attrelid = f.member AND a.attnum > 0 AND NOT a.attisdropped) AS live) l
	WHERE q.path_to = f.member AND NOT q.path_keys <@ l.live;
END
$$;
COMMENT ON FUNCTION privacct._follow_rename(oid, int) IS 'carries a renamed column over into the policies of its table';

CREATE OR REPLACE FUNCTION privacct._check_columns(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record;
	c record;
BEGIN
	FOR d IN
		SELECT b.column_name, b.column_type, NULL::text[] AS keys, 'bounds' AS what FROM privacct.bound b
			WHERE b.policy_id = p.policy_id AND b.lo IS NOT NULL
		UNION ALL
		SELECT b.column_name, b.column_type, NULL, 'owner_bounds' FROM privacct.bound b
			WHERE b.policy_id = p.policy_id AND b.owner_lo IS NOT NULL
		UNION ALL
		SELECT k.column_name, k.column_type, k.keys, 'keys' FROM privacct.group_key k WHERE k.policy_id = p.policy_id
		UNION ALL
		SELECT m.column_name, m.column_type, array_remove(m.points, NULL), 'domain' FROM privacct.domain m
			WHERE m.policy_id = p.policy_id
	LOOP
		c := privacct._column_type(p.relation, d.column_name);
		IF c.type <> d.column_type OR (d.keys IS NOT NULL AND NOT c.deterministic) THEN
			RAISE EXCEPTION 'the % of column "%" were declared for type %', replace(d.what, '_', ' '),
				d.column_name, d.column_type
				USING ERRCODE = '42PA4',
					  HINT = format('Call privacct.drop_%s() first.', d.what);
		ELSIF d.keys IS NOT NULL THEN
			PERFORM privacct._normal_keys(d.keys, c.type, c.full_type);
			PERFORM privacct._check_storage(p.relation, d.column_name);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_columns(privacct.policy) IS 'bounds and keys still fit their columns';

-- Tags that name the tables they change are checked against those tables only,
-- so that a policy in disorder does not stop work elsewhere; the others may
-- have changed anything.
CREATE OR REPLACE FUNCTION privacct._on_ddl_end() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	with_library boolean := current_setting('privacct.queue_size', true) IS NOT NULL;
	touched oid[];
	by_others oid[];		-- rules and row policies
	granted oid[];
	others oid[];			-- functions and schemas
	grants boolean;
	columns boolean;
	by_hand boolean;
BEGIN
	IF with_library THEN
		IF privacct._is_unconcerned() THEN
			RETURN;
		END IF;
	END IF;
	SELECT array_agg(c.objid) FILTER (WHERE c.classid = 'pg_class'::regclass),
		array_agg(c.objid) FILTER (WHERE c.classid IN ('pg_rewrite'::regclass, 'pg_policy'::regclass)),
		array_agg(c.objid) FILTER (WHERE c.classid IN ('pg_proc'::regclass, 'pg_namespace'::regclass)),
		bool_or(c.command_tag = 'GRANT'), bool_or(c.classid = 'pg_class'::regclass AND c.objsubid > 0),
		bool_or(NOT c.in_extension)
	INTO touched, by_others, others, grants, columns, by_hand FROM pg_event_trigger_ddl_commands() c;
	IF by_others <> '{}' THEN
		touched := touched || ARRAY(SELECT w.ev_class FROM pg_rewrite w WHERE w.oid = ANY (by_others)
			UNION SELECT y.polrelid FROM pg_policy y WHERE y.oid = ANY (by_others));
	END IF;
	-- a domain is the type of columns, and may have a default
	IF tg_tag = 'ALTER DOMAIN' THEN
		touched := touched || ARRAY(SELECT d.objid FROM pg_event_trigger_ddl_commands() c
			JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass AND d.refobjid = c.objid
			AND d.classid = 'pg_class'::regclass
			WHERE c.classid = 'pg_type'::regclass);
	END IF;
	-- in statements of their own, which fail without the library: then nothing can be granted
	IF grants THEN
		SELECT array_agg(g.objid) FILTER (WHERE g.relation), others || array_agg(g.objid)
			FILTER (WHERE NOT g.relation) INTO granted, others
		FROM pg_event_trigger_ddl_commands() c CROSS JOIN LATERAL (
			SELECT unnest(privacct._granted(c.command, 'pg_class'::regclass)), true
			UNION ALL SELECT unnest(privacct._granted(c.command, 'pg_proc'::regclass)), false
			UNION ALL SELECT unnest(privacct._granted(c.command, 'pg_namespace'::regclass)), false) g(objid, relation)
		WHERE c.command_tag = 'GRANT';
	END IF;
	IF by_hand THEN			-- the script of the extension sees to itself at its end
		PERFORM privacct._check_members(touched || granted || others);
	END IF;
	-- whoever has no rights on a table holds nobody back by views over it; what is near may change while this waits
	IF granted <> '{}' THEN
		WHILE privacct._in_latest_snapshot('_hold_granted', granted) LOOP
		END LOOP;
	END IF;
	IF touched <> '{}' AND (with_library
		OR EXISTS (SELECT FROM pg_class c WHERE c.oid = ANY (touched) AND c.relhasrules)) THEN
		WHILE privacct._in_latest_snapshot('_hold_changed', touched) LOOP
		END LOOP;
	END IF;
	touched := touched || granted;
	IF columns THEN
		IF privacct._keeps_snapshot() THEN
			PERFORM privacct._in_latest_snapshot('_check_isolation', touched);
		END IF;
		PERFORM privacct._follow_rename(c.objid, c.objsubid)
		FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
	END IF;
	IF with_library OR privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_touched', touched);
	ELSE
		PERFORM privacct._check_touched(touched);
	END IF;
	-- a view or a foreign key may let others write to a public table, of which its plans know nothing
	IF with_library AND EXISTS (SELECT FROM privacct.public_table)		-- without the library nothing is planned
		AND (grants OR EXISTS (SELECT FROM privacct.public_table t WHERE t.relation::oid = ANY (touched))
			OR NOT privacct._relations_near(touched, false) <@ touched) THEN
		PERFORM privacct._forget_plans(t.relation) FROM privacct.public_table t
			WHERE privacct._writer(t.relation) IS NOT NULL;
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_ddl_end() IS 'refuses changes that would undermine a policy';

CREATE OR REPLACE FUNCTION privacct._column_dropped(relation oid, dropped name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
BEGIN
	UPDATE privacct.policy q SET owner_column = ''
	WHERE q.relation = _column_dropped.relation AND q.closed_at IS NOT NULL AND q.owner_column = dropped;
	PERFORM privacct._forget_paths(ARRAY[_column_dropped.relation], dropped);
	SELECT q.* INTO p FROM privacct.policy q WHERE q.relation = _column_dropped.relation AND q.closed_at IS NULL;
	IF NOT FOUND THEN
		RETURN;
	ELSIF p.owner_column = dropped THEN
		RAISE EXCEPTION 'column "%" is the owner column of the protected table %', dropped, p.relation
			USING ERRCODE = '42PA4', HINT = 'Call privacct.unprotect() first.';
	ELSIF dropped = ANY (p.path) THEN
		RAISE EXCEPTION 'column "%" leads to the owners of the protected table %', dropped, p.relation
			USING ERRCODE = '42PA4', HINT = 'Call privacct.unprotect() first.';
	END IF;
	IF p.regime = 'pufferfish'
		AND (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped)
		OR EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped
		AND c.order_position IS NOT NULL)) THEN
		RAISE EXCEPTION 'column "%" is the entry column, or orders the entries, of the protected table %', dropped,
			p.relation
			USING ERRCODE = '42PA4', HINT = 'Call privacct.unprotect() first.';
	ELSIF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped) THEN
		PERFORM privacct._check_unasked(p);
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped;
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = dropped;
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = dropped;
END
$$;
COMMENT ON FUNCTION privacct._column_dropped(oid, name) IS 'forgets what was declared for a column';

CREATE OR REPLACE FUNCTION privacct._on_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	d record;
BEGIN
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_isolation',
			ARRAY(SELECT o.objid FROM pg_event_trigger_dropped_objects() o WHERE o.classid = 'pg_class'::regclass));
	END IF;
	-- by the index, past those that were dropped
	IF NOT EXISTS (SELECT FROM privacct.policy WHERE relation::oid > 0::oid) THEN
		RETURN;
	END IF;
	FOR d IN SELECT o.objid, o.objsubid, o.address_names FROM pg_event_trigger_dropped_objects() o
		WHERE o.classid = 'pg_class'::regclass LOOP
		IF d.objsubid = 0 AND EXISTS (SELECT FROM privacct.policy WHERE path_to = d.objid) THEN
			UPDATE privacct.policy SET path_to = 0::regclass WHERE path_to = d.objid;
		END IF;
		-- an update of no rows would make every session plan anew
		IF NOT EXISTS (SELECT FROM privacct.policy WHERE relation = d.objid) THEN
			CONTINUE;
		ELSIF d.objsubid = 0 THEN
			-- the number may be given to another table one day
			UPDATE privacct.policy SET relation = 0::regclass, closed_at = coalesce(closed_at, now())
				WHERE relation = d.objid;
		ELSE
			PERFORM privacct._column_dropped(d.objid, d.address_names[3]);
		END IF;
	END LOOP;
	IF EXISTS (SELECT FROM privacct.policy WHERE path_to IS NOT NULL) THEN
		PERFORM privacct._constraint_dropped(c.oid) FROM pg_event_trigger_dropped_objects() o
			JOIN pg_namespace n ON n.nspname = o.address_names[1]
			JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = o.address_names[2]
			WHERE o.object_type = 'table constraint';
	END IF;
	-- which table an index belonged to is not told any more; ALTER TABLE is looked at when it ends
	IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() o WHERE o.object_type = 'index')
		AND tg_tag <> 'ALTER TABLE' THEN
		PERFORM privacct._check_policy_order(p) FROM privacct.policy p WHERE p.closed_at IS NULL
			AND p.regime = 'pufferfish';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_drop()
	IS 'closes the policies of dropped tables, forgets dropped columns, keeps owner columns and what makes entries '
	'single';

-- What a command changed is checked, and nothing else: a policy in disorder is an
-- error of who works on its tables, not of everybody.
CREATE OR REPLACE FUNCTION privacct._granted(command pg_ddl_command, catalog oid) RETURNS oid[]
	AS 'MODULE_PATHNAME', 'pa_granted' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._granted(pg_ddl_command, oid)
	IS 'objects of a catalog (pg_class, pg_proc, pg_namespace) that a GRANT is about';

CREATE OR REPLACE FUNCTION privacct._family(relation oid) RETURNS SETOF oid
LANGUAGE plpgsql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	RETURN QUERY WITH RECURSIVE family(member) AS (
		SELECT relation
		UNION
		SELECT below.member FROM family f CROSS JOIN LATERAL (
			SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = f.member
			UNION ALL
			SELECT t.oid FROM pg_class r JOIN pg_depend d ON d.refclassid = 'pg_type'::regclass
			AND d.refobjid = r.reltype AND d.classid = 'pg_class'::regclass
			JOIN pg_class t ON t.oid = d.objid AND t.reloftype = r.reltype
			WHERE r.oid = f.member) below(member))
	SELECT member FROM family;
END
$$;
COMMENT ON FUNCTION privacct._family(oid)
	IS 'a relation and what has its columns from it: partitions, inheritance children, tables of a type';

CREATE OR REPLACE FUNCTION privacct._in_latest_snapshot(name text, relations oid[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_in_latest_snapshot' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._in_latest_snapshot(text, oid[])
	IS 'calls a STABLE function of this schema that sees what was committed until now, whatever the isolation level; '
	'returns what it returns, of nothing false';

CREATE OR REPLACE FUNCTION privacct._fed(sequences oid[]) RETURNS SETOF oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY
		SELECT d.refobjid FROM pg_depend d
		WHERE d.classid = 'pg_class'::regclass AND d.objid = ANY (sequences) AND d.refclassid = 'pg_class'::regclass
			AND d.deptype IN ('a', 'i')
		UNION
		SELECT a.adrelid FROM pg_depend d JOIN pg_attrdef a ON a.oid = d.objid
		WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY (sequences)
			AND d.classid = 'pg_attrdef'::regclass
		UNION
		SELECT t.objid FROM pg_depend d
		JOIN pg_depend t ON t.refclassid = 'pg_type'::regclass AND t.refobjid = d.objid
			AND t.classid = 'pg_class'::regclass
		WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY (sequences) AND d.classid = 'pg_type'::regclass;
END
$$;
COMMENT ON FUNCTION privacct._fed(oid[])
	IS 'tables that own these sequences and TOAST tables or have them in a default, their own or that of a domain';

CREATE OR REPLACE FUNCTION privacct._relations_near(touched oid[], readable boolean) RETURNS oid[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
-- a few rows by their indexes, however large the catalog
DECLARE
	next oid[] := touched;
	near oid[];
	parts oid[];
BEGIN
	LOOP
		near := near || (WITH RECURSIVE above(member) AS (		-- views over these, and what has rules that read them
			SELECT unnest(next)
			UNION
			SELECT w.ev_class FROM above a
			JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = a.member
			AND d.classid = 'pg_rewrite'::regclass
			JOIN pg_rewrite w ON w.oid = d.objid
			WHERE readable),
		base(member, reader) AS (				-- what these read by their rules, with whose rights it may be read
			SELECT t.member, o.relowner FROM unnest(next) t(member),
				(SELECT DISTINCT c.relowner FROM above a JOIN pg_class c ON c.oid = a.member) o
			UNION
			SELECT d.refobjid, r.reader FROM base b JOIN pg_rewrite w ON w.ev_class = b.member
			JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
			AND d.refclassid = 'pg_class'::regclass
			JOIN pg_class c ON c.oid = b.member
			CROSS JOIN LATERAL (VALUES (b.reader), (c.relowner)) r(reader)
			WHERE NOT readable OR has_any_column_privilege(r.reader, d.refobjid, 'SELECT')),
		linked(member) AS (						-- and what foreign keys connect with these
			SELECT member FROM base
			UNION
			SELECT unnest(ARRAY[k.conrelid, k.confrelid]) FROM base b
			-- the planner would start at the few foreign keys that it expects
			CROSS JOIN LATERAL (SELECT d.objid FROM pg_depend d
				WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = b.member
				AND d.classid = 'pg_constraint'::regclass OFFSET 0) d
			JOIN pg_constraint k ON k.oid = d.objid AND k.contype = 'f'),
		up(member) AS (
			SELECT member FROM linked UNION SELECT i.inhparent FROM up u JOIN pg_inherits i ON i.inhrelid = u.member)
		SELECT array_agg(n.member ORDER BY n.member)
		FROM (SELECT member FROM up UNION SELECT privacct._family(member) FROM linked) n);
		parts := ARRAY(SELECT c.oid FROM pg_class c WHERE c.oid = ANY (near) AND c.relkind IN ('S', 't'));
		EXIT WHEN parts = '{}';			-- most often
		next := ARRAY(SELECT privacct._fed(parts) EXCEPT SELECT unnest(near));
		EXIT WHEN next = '{}';
	END LOOP;
	RETURN near;
END
$$;
COMMENT ON FUNCTION privacct._relations_near(oid[], boolean)
	IS 'tables whose policies a change of these relations may undermine; readable: only those that views over or among '
	'them can read, by the rights of their owners';

-- Who may read what, what is read, and what is protected: whoever changes one of these
-- looks at the others, and does not see what is not committed.  So who looks at a
-- relation and who changes it wait for each other.
CREATE OR REPLACE FUNCTION privacct._hold_grants(relation regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_grants' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_grants(regclass)
	IS 'waits for grants that may concern the table and holds others back until the end of the transaction';

CREATE OR REPLACE FUNCTION privacct._hold(changed oid[], seen oid[]) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_hold' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold(oid[], oid[])
	IS 'waits for who changes or looks at relations that are changed, and who changes those that are seen, and holds '
	'others back until the end of the transaction; whether any of them was not held yet';

CREATE OR REPLACE FUNCTION privacct._forget_plans(relation regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_forget_plans' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._forget_plans(regclass) IS 'lets every session plan anew what reads the table';

CREATE OR REPLACE FUNCTION privacct._hold_granted(granted oid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN privacct._hold('{}', coalesce(privacct._relations_near(granted, true), '{}'));
END
$$;
COMMENT ON FUNCTION privacct._hold_granted(oid[]) IS '_hold of what may be read through these relations';

-- What has rules is changed for whoever reads through it; a table, where something is
-- protected that others may have been given partitions, sequences or foreign keys of.
CREATE OR REPLACE FUNCTION privacct._hold_changed(touched oid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	near oid[] := coalesce(privacct._relations_near(touched, true), '{}');
	near_protected oid[] := ARRAY(SELECT p.relation FROM privacct.policy p WHERE p.closed_at IS NULL
		AND p.relation::oid = ANY (near));
	ruled oid[] := ARRAY(SELECT c.oid FROM pg_class c WHERE c.oid = ANY (touched) AND c.relhasrules);
BEGIN
	IF near_protected <> '{}' AND NOT touched <@ ruled THEN
		RETURN privacct._hold(near || ARRAY(SELECT privacct._parts(p.relation) FROM unnest(near_protected) p(relation)),
			'{}');
	ELSIF ruled <> '{}' THEN
		RETURN privacct._hold(ruled, near);
	END IF;
	RETURN false;
END
$$;
COMMENT ON FUNCTION privacct._hold_changed(oid[])
	IS '_hold of relations that were altered and of what may be read through them';

CREATE OR REPLACE FUNCTION privacct._check_undermined(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_policy(p.relation);
	IF p.path IS NULL THEN
		PERFORM privacct._check_owner(p.relation, p.owner_column, p.null_owners);
		PERFORM privacct._check_leads_nowhere(p.relation, p.owner_column, p.unit) WHERE p.unit IS NOT NULL;
		PERFORM privacct._check_owner_kind(p.relation, p.owner_column, p.unit);
	ELSE
		PERFORM privacct._check_path(p.relation, p.path, p.path_to, p.path_keys, p.null_owners);
	END IF;
	PERFORM privacct._check_columns(p);
	IF p.regime = 'local' THEN
		PERFORM privacct._check_single(p.relation, p.owner_column);
	ELSIF p.regime = 'pufferfish' THEN
		PERFORM privacct._check_policy_order(p);
	END IF;
	IF p.regime <> 'central' THEN
		PERFORM privacct._check_sources(p);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_undermined(privacct.policy) IS 'what a command near the table may have undermined';

-- A table that somebody else drops meanwhile has nothing left to check.
CREATE OR REPLACE FUNCTION privacct._check_touched(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	p privacct.policy;
	near oid[] := privacct._relations_near(touched, false);
BEGIN
	-- first those, then in order: the planner might go through all in order
	FOR p IN SELECT o.* FROM (
			SELECT q.policy_id FROM privacct.policy q WHERE q.closed_at IS NULL AND q.relation::oid = ANY (near)
			UNION SELECT q.policy_id FROM privacct.policy q WHERE q.closed_at IS NULL AND q.path_to::oid = ANY (near)) n
		JOIN privacct.policy o ON o.policy_id = n.policy_id ORDER BY n.policy_id LOOP
		BEGIN
			PERFORM privacct._check_undermined(p);
		EXCEPTION WHEN OTHERS THEN
			-- gone by now, which this function knows without a snapshot
			IF pg_table_is_visible(p.relation) IS NOT NULL THEN
				RAISE;
			END IF;
		END;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_touched(oid[])
	IS 'the policies that a change of these relations may undermine are in order';

-- What is written into policies follows from the policies that the transaction sees.
CREATE OR REPLACE FUNCTION privacct._check_isolation(changed oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	IF EXISTS (SELECT FROM unnest(changed) c(relation) CROSS JOIN LATERAL privacct._family(c.relation) f(member)
			JOIN privacct.policy p ON p.relation::oid = f.member) THEN
		PERFORM privacct._require_read_committed();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_isolation(oid[])
	IS 'columns and tables that policies name are changed under READ COMMITTED only';

CREATE OR REPLACE FUNCTION privacct._require_read_committed() RETURNS void
	AS 'MODULE_PATHNAME', 'pa_require_read_committed_sql' LANGUAGE C;
COMMENT ON FUNCTION privacct._require_read_committed() IS 'raises an error in transactions that keep one snapshot';

CREATE OR REPLACE FUNCTION privacct._keeps_snapshot() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')
$$;
COMMENT ON FUNCTION privacct._keeps_snapshot() IS 'whether the transaction does not see what others commit meanwhile';

-- Without the library, which the error comes from, that is an error, too.
CREATE OR REPLACE FUNCTION privacct._require_latest() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._require_read_committed();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._require_latest()
	IS '_require_read_committed for what works without the library';

CREATE OR REPLACE FUNCTION privacct._is_unconcerned() RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_is_unconcerned' LANGUAGE C;
COMMENT ON FUNCTION privacct._is_unconcerned()
	IS 'whether nothing is kept of any relation that the commands of an event trigger are about, or that is near '
	'these; if so, holds declarations back that would change this';

CREATE OR REPLACE FUNCTION privacct._find_near(touched oid[], readable boolean) RETURNS oid[]
	AS 'MODULE_PATHNAME', 'pa_find_near' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._find_near(oid[], boolean) IS 'as _relations_near, as the library finds it';
