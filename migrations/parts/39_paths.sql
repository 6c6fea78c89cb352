-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Owner paths: how a row finds its owner in another table.
--
-- A row of a table with a path belongs to whom the row belongs that its foreign key refers
-- to, and so on, up to a table with an owner column.  What makes the owner one is the unique
-- key that is referred to; a row without a partner there belongs to nobody.
--

CREATE OR REPLACE FUNCTION privacct._sorted(names name[]) RETURNS name[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT DISTINCT n FROM unnest(names) n ORDER BY n)
$$;
COMMENT ON FUNCTION privacct._sorted(name[]) IS 'names in alphabetical order, each once';

CREATE OR REPLACE FUNCTION privacct._columns_called(relation oid, numbers int2[]) RETURNS name[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = ANY (numbers)
		ORDER BY a.attname)
$$;
COMMENT ON FUNCTION privacct._columns_called(oid, int2[]) IS 'names of columns, in alphabetical order';

-- A foreign key to a partitioned table has others below it, which are its parts.
CREATE OR REPLACE FUNCTION privacct._foreign_keys(relation regclass, columns name[]) RETURNS SETOF pg_constraint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT k.* FROM pg_constraint k
	WHERE k.conrelid = relation AND k.contype = 'f' AND k.conparentid = 0
	AND privacct._columns_called(relation, k.conkey) = privacct._sorted(columns)
	ORDER BY k.conname
$$;
COMMENT ON FUNCTION privacct._foreign_keys(regclass, name[]) IS 'foreign keys of a table over exactly these columns';

-- What makes the owner one is the key that is referred to.  There may be foreign keys of the
-- same columns to other keys, which say nothing of owners.
CREATE OR REPLACE FUNCTION privacct._referred(k pg_constraint, columns name[]) RETURNS name[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT privacct._column_called(k.confrelid,
		k.confkey[array_position(k.conkey, privacct._column_number(k.conrelid, c.name))])
		FROM unnest(columns) WITH ORDINALITY c(name, n) ORDER BY c.n)
$$;
COMMENT ON FUNCTION privacct._referred(pg_constraint, name[])
	IS 'the columns that columns of a foreign key refer to, in the same order';

CREATE OR REPLACE FUNCTION privacct._keys_of(relation regclass, columns name[], path_to oid) RETURNS name[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._referred(k, columns) FROM privacct._foreign_keys(relation, columns) k
	WHERE k.confrelid = path_to LIMIT 1
$$;
COMMENT ON FUNCTION privacct._keys_of(regclass, name[], oid)
	IS 'the columns that these refer to in a table, to which there is one way';

-- Of several that say the same, one that can be relied on: foreign keys are replaced in two steps.
CREATE OR REPLACE FUNCTION privacct._path_key(relation regclass, columns name[], path_to oid, keys name[],
	null_owners boolean) RETURNS pg_constraint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN (SELECT k FROM privacct._foreign_keys(relation, columns) k
		WHERE k.confrelid = _path_key.path_to AND privacct._referred(k, columns) = keys
		ORDER BY privacct._why_no_path(k, _path_key.null_owners) IS NOT NULL, k.conname LIMIT 1);
END
$$;
COMMENT ON FUNCTION privacct._path_key(regclass, name[], oid, name[], boolean)
	IS 'the foreign key of a path; null if there is none';

CREATE OR REPLACE FUNCTION privacct._names_the_owner(k pg_constraint, p privacct.policy) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT p.path IS NULL AND privacct._columns_called(k.confrelid, k.confkey) = ARRAY[p.owner_column]
$$;
COMMENT ON FUNCTION privacct._names_the_owner(pg_constraint, privacct.policy)
	IS 'true if a foreign key refers to the owner column of a protected table: then its own column names the owner';

CREATE OR REPLACE FUNCTION privacct._policy_above(relation oid) RETURNS privacct.policy
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT p FROM privacct.policy p WHERE p.closed_at IS NULL AND p.name IS NULL
		AND p.relation IN (SELECT _policy_above.relation UNION ALL SELECT privacct._ancestors(_policy_above.relation))
$$;
COMMENT ON FUNCTION privacct._policy_above(oid) IS 'the open policy that covers a table, or null';

CREATE OR REPLACE FUNCTION privacct._refuse_path(relation regclass, columns name[], why text, way text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'rows of % cannot belong to whom (%) says', relation, array_to_string(columns, ', ')
		USING ERRCODE = '42PA4', DETAIL = why, HINT = way;
END
$$;
COMMENT ON FUNCTION privacct._refuse_path(regclass, name[], text, text)
	IS 'refuses columns that do not lead to the owner';

-- The table that the columns lead to; 0 where they name the owner themselves.  What is
-- refused is most likely a mistake: an order, or a part of it, taken for a person.
CREATE OR REPLACE FUNCTION privacct._path_from(relation regclass, columns name[], unit bigint) RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	k pg_constraint;
	p privacct.policy;
	leads_to oid := 0;
	ways text[] := '{}';		-- tables and keys
BEGIN
	FOR k IN SELECT * FROM privacct._foreign_keys(relation, columns) LOOP
		p := privacct._policy_above(k.confrelid);
		IF k.confrelid = relation THEN
			PERFORM privacct._refuse_path(relation, columns, 'They refer to the table itself.',
				'Name the column that says whose row it is.');
		ELSIF p.policy_id IS NULL THEN
			CONTINUE;
		ELSIF privacct._names_the_owner(k, p) THEN
			IF unit IS NOT NULL AND p.unit IS DISTINCT FROM unit THEN
				PERFORM privacct._refuse_path(relation, columns,
					format('They refer to %s, which does not belong to the unit: its owners would lose the sum.',
						k.confrelid::regclass),
					'Protect both tables under one unit, the one that is referred to first.');
			END IF;
			ways := array_append(ways, k.confrelid::regclass::text);
		ELSIF unit IS NULL OR p.unit IS DISTINCT FROM unit OR p.regime <> 'central' THEN
			PERFORM privacct._refuse_path(relation, columns, format('They refer to %s, whose rows belong to %s.',
				k.confrelid::regclass, privacct._owner_of(p)),
				'Protect both tables under one unit, with unit => ''...'', the one that is referred to first.');
		ELSE
			leads_to := k.confrelid;
			ways := array_append(ways, format('%s (%s)', k.confrelid::regclass,
				array_to_string(privacct._referred(k, privacct._sorted(columns)), ', ')));
		END IF;
	END LOOP;
	ways := ARRAY(SELECT DISTINCT w FROM unnest(ways) w ORDER BY w);
	IF leads_to <> 0 AND cardinality(ways) > 1 THEN
		PERFORM privacct._refuse_path(relation, columns, format('They refer to %s and to %s.', ways[1], ways[2]),
			'Drop the foreign key that does not say whose row it is.');
	END IF;
	RETURN leads_to;
END
$$;
COMMENT ON FUNCTION privacct._path_from(regclass, name[], bigint)
	IS 'which table says whose row it is, by a foreign key over these columns; 0: the column does so itself';

CREATE OR REPLACE FUNCTION privacct._owner_of(p privacct.policy) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN p.path IS NULL THEN quote_ident(p.owner_column)
		ELSE format('whom (%s) leads to', array_to_string(p.path, ', ')) END
$$;
COMMENT ON FUNCTION privacct._owner_of(privacct.policy) IS 'whose the rows of a protected table are, for messages';

CREATE OR REPLACE FUNCTION privacct._holds_owner(p privacct.policy, column_name name) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN CASE WHEN p.path IS NULL THEN p.owner_column = column_name
		ELSE privacct._holds_owner(privacct._policy_above(p.path_to),
			p.path_keys[array_position(p.path, column_name)]) END;
END
$$;
COMMENT ON FUNCTION privacct._holds_owner(privacct.policy, name)
	IS 'true if a column of a protected table has the owner in it, found by a path or not';

-- Where the whole key leads to an owner, a part of it is most likely no owner by itself: the number of
-- an order in the key of its lines.
CREATE OR REPLACE FUNCTION privacct._check_part_of_key(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	k pg_constraint;
	p privacct.policy;
BEGIN
	FOR k IN SELECT c.* FROM pg_constraint c
		WHERE c.conrelid = _check_part_of_key.relation AND c.contype = 'f' AND c.conparentid = 0
		AND cardinality(c.conkey) > 1 AND privacct._column_number(c.conrelid, owner) = ANY (c.conkey) ORDER BY c.conname
	LOOP
		p := privacct._policy_above(k.confrelid);
		IF p.policy_id IS NULL
			OR coalesce(privacct._holds_owner(p, (privacct._referred(k, ARRAY[owner]))[1]), false) THEN
			CONTINUE;
		END IF;
		PERFORM privacct._refuse_path(relation, ARRAY[owner],
			format('It is part of a key that refers to %s, whose rows belong to %s.',
				k.confrelid::regclass, privacct._owner_of(p)),
			format('Name the whole key, %L::name[]; protect both tables under one unit, with unit => ''...'', '
				'the one that is referred to first.', privacct._columns_called(relation, k.conkey)));
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_part_of_key(regclass, name)
	IS 'refuses an owner column that is part of a foreign key to a table with other owners';

CREATE OR REPLACE FUNCTION privacct._check_leads_nowhere(relation regclass, owner name, unit bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	path_to oid := privacct._path_from(relation, ARRAY[owner], unit);
BEGIN
	IF path_to <> 0 THEN
		PERFORM privacct._refuse_path(relation, ARRAY[owner], format('It refers to %s, which has another owner.',
			path_to::regclass), 'Protect the table anew, with this foreign key as the way to its owners.');
	END IF;
	PERFORM privacct._check_part_of_key(relation, owner);
END
$$;
COMMENT ON FUNCTION privacct._check_leads_nowhere(regclass, name, bigint)
	IS 'refuses an owner column that refers to a table with another owner';

-- The other way round: tables that are protected already, by a column that refers to this one
-- and is no owner here.
CREATE OR REPLACE FUNCTION privacct._check_referrers(relation regclass, owner name[], path_to oid) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	r record;
BEGIN
	-- first those, then in order: the planner might go through all in order
	SELECT o.relation, o.owner_column INTO r
	FROM (SELECT p.policy_id, p.relation::regclass AS relation, p.owner_column
		FROM privacct._linked(_check_referrers.relation) l(member)
		JOIN privacct.policy p ON p.relation = l.member AND p.closed_at IS NULL AND p.path IS NULL
		CROSS JOIN LATERAL privacct._foreign_keys(l.member, ARRAY[p.owner_column]) k
		WHERE k.confrelid = _check_referrers.relation
		AND NOT (_check_referrers.path_to = 0 AND privacct._columns_called(k.confrelid, k.confkey) = owner) OFFSET 0) o
	ORDER BY o.policy_id LIMIT 1;
	IF FOUND THEN
		PERFORM privacct._refuse_path(relation, owner, format('Those of %s belong to "%s", which refers to this table.',
			r.relation, r.owner_column),
			format('In one transaction: SELECT privacct.unprotect(%L); then protect this table, and then that one, '
			'under one unit.', r.relation));
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_referrers(regclass, name[], oid)
	IS 'no protected table takes rows of this one for owners';

CREATE OR REPLACE FUNCTION privacct._check_no_circle(relation regclass, columns name[], path_to oid) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (
		WITH RECURSIVE way(relation) AS (
			SELECT _check_no_circle.path_to
			UNION SELECT p.path_to::oid FROM way w JOIN privacct.policy p ON p.relation = w.relation
				AND p.closed_at IS NULL AND p.path_to IS NOT NULL)
		SELECT FROM way w WHERE w.relation = _check_no_circle.relation) THEN
		PERFORM privacct._refuse_path(relation, columns, format('They refer to %s, whose owners are found here.',
			path_to::regclass), 'One table of a circle names the owner by a column of its own.');
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_no_circle(regclass, name[], oid) IS 'a path ends';

-- Rows that other commands may have left without a partner belong to nobody; but a command
-- that gives them another partner gives them to another owner.
CREATE OR REPLACE FUNCTION privacct._why_no_path(k pg_constraint, null_owners boolean) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	RETURN CASE
		WHEN NOT k.convalidated THEN 'is not validated'
		WHEN k.condeferrable THEN 'is deferrable'
		WHEN 'd' IN (k.confdeltype, k.confupdtype) THEN 'has SET DEFAULT: it would give rows to another owner'
		WHEN 'n' IN (k.confdeltype, k.confupdtype) AND NOT null_owners
			THEN 'has SET NULL, which needs rows_without_owner => ''ignore'''
		WHEN NOT EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = k.conindid AND i.indisunique AND i.indisvalid
			AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL)
			THEN 'refers to a key that is not unique at every moment'
		WHEN EXISTS (
			WITH RECURSIVE parts(oid) AS (
				SELECT k.oid UNION SELECT c.oid FROM parts p JOIN pg_constraint c ON c.conparentid = p.oid)
			SELECT FROM parts p JOIN pg_trigger t ON t.tgconstraint = p.oid WHERE t.tgenabled NOT IN ('O', 'A'))
			THEN 'has triggers that are disabled'
		WHEN EXISTS (SELECT FROM pg_class c WHERE c.oid IN (k.conrelid, k.confrelid) AND c.relkind = 'r'
			AND EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid))
			THEN 'says nothing of inheritance children' END;
END
$$;
COMMENT ON FUNCTION privacct._why_no_path(pg_constraint, boolean)
	IS 'why a foreign key does not say whose row it is; null if it does';

-- Values that are equal have to be the same, on both sides.
CREATE OR REPLACE FUNCTION privacct._is_exact(type oid, typmod int, collation_id oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN type IN ('text'::regtype, 'varchar'::regtype)
			THEN coalesce((SELECT c.collisdeterministic FROM pg_collation c WHERE c.oid = collation_id), false)
		WHEN type = 'numeric'::regtype THEN typmod >= 4
		ELSE type IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'uuid'::regtype, 'date'::regtype,
			'timestamp'::regtype, 'timestamptz'::regtype, 'bool'::regtype) END
$$;
COMMENT ON FUNCTION privacct._is_exact(oid, int, oid) IS 'true of types whose equal values are the same';

CREATE OR REPLACE FUNCTION privacct._check_path_columns(k pg_constraint, columns name[], null_owners boolean)
	RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c record;
	relation regclass := k.conrelid;
BEGIN
	FOR c IN SELECT m.member::regclass AS member, a.attname, a.atttypid::regtype AS type,
			privacct._never_null(m.member, a.attnum) AS never_null,
			CASE WHEN a.attgenerated <> '' THEN format('%s.%I', m.member::regclass, a.attname)
				ELSE (SELECT min(format('%s.%I', g.attrelid::regclass, g.attname))
					FROM privacct._tree(k.confrelid) t(oid) JOIN pg_attribute g ON g.attrelid = t.oid
					AND g.attname = r.attname AND g.attgenerated <> '') END AS generated,
			privacct._is_exact(a.atttypid, a.atttypmod, a.attcollation)
			AND privacct._is_exact(r.atttypid, r.atttypmod, r.attcollation)
			AND (a.atttypid = r.atttypid AND (a.atttypid <> 'numeric'::regtype OR a.atttypmod = r.atttypmod)
				OR ta.typcategory = 'S' AND tr.typcategory = 'S'
				OR '{int2,int4,int8}'::regtype[] @> ARRAY[a.atttypid::regtype, r.atttypid::regtype]) AS exact
		FROM unnest(k.conkey, k.confkey) u(own, other)
		JOIN pg_attribute o ON o.attrelid = k.conrelid AND o.attnum = u.own
		JOIN pg_attribute r ON r.attrelid = k.confrelid AND r.attnum = u.other
		CROSS JOIN privacct._tree(relation) m(member)
		JOIN pg_attribute a ON a.attrelid = m.member AND a.attname = o.attname AND NOT a.attisdropped
		JOIN pg_type ta ON ta.oid = a.atttypid JOIN pg_type tr ON tr.oid = r.atttypid
	LOOP
		IF NOT c.exact THEN
			PERFORM privacct._refuse_path(relation, columns,
				format('Values of type %s that are equal need not be the same: column %I.', c.type, c.attname),
				'Refer by integers, uuid, dates, numeric with a scale, or text of a deterministic collation.');
		ELSIF c.generated IS NOT NULL THEN
			PERFORM privacct._refuse_path(relation, columns,
				format('%s is generated: an UPDATE of other columns would give rows to other owners.', c.generated),
				'ALTER COLUMN ... DROP EXPRESSION, or refer by columns that are not generated.');
		ELSIF NOT c.never_null AND NOT null_owners THEN
			PERFORM privacct._refuse_path(relation, columns,
				format('Column %I may be null in %s: such a row would belong to nobody.', c.attname, c.member),
				format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL; or say rows_without_owner => ''ignore''.',
				c.member, c.attname));
		END IF;
		PERFORM privacct._check_storage(relation, c.attname);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_path_columns(pg_constraint, name[], boolean)
	IS 'columns of a foreign key that says whose row it is: not null, not generated, and equal values are the same';

-- Where a dump is restored foreign keys come last.  That one is dropped is refused; without
-- it nothing is released.
CREATE OR REPLACE FUNCTION privacct._check_path(relation regclass, columns name[], path_to oid, keys name[],
	null_owners boolean) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	k pg_constraint := privacct._path_key(relation, columns, path_to, keys, null_owners);
	why text;
BEGIN
	IF k.oid IS NULL THEN
		RETURN;
	END IF;
	why := privacct._why_no_path(k, null_owners);
	IF why IS NOT NULL THEN
		PERFORM privacct._refuse_path(relation, columns, format('The foreign key %I %s.', k.conname, why),
			'A path to owners is a foreign key that is validated, immediate and enabled, to a unique key.');
	ELSIF (SELECT count(DISTINCT c.relowner) FROM pg_class c WHERE c.oid IN (relation, path_to)) > 1 THEN
		PERFORM privacct._refuse_path(relation, columns, format('%s has another owner.', path_to::regclass),
			'Give both tables one owner.');
	END IF;
	PERFORM privacct._check_path_columns(k, columns, null_owners);
END
$$;
COMMENT ON FUNCTION privacct._check_path(regclass, name[], oid, name[], boolean)
	IS 'a foreign key that says whose row it is, at declaration and after each change';

CREATE OR REPLACE FUNCTION privacct._null_owners(rows_without_owner text, regime text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF rows_without_owner NOT IN ('refuse', 'ignore') THEN
		RAISE EXCEPTION 'unknown rows_without_owner'
			USING ERRCODE = '42PA4', HINT = 'Use rows_without_owner => ''refuse'' or ''ignore''.';
	ELSIF rows_without_owner = 'ignore' AND regime <> 'central' THEN
		RAISE EXCEPTION 'rows without owner are ignored in the central regime only'
			USING ERRCODE = '42PA4', HINT = 'Leave rows_without_owner out.';
	END IF;
	RETURN coalesce(rows_without_owner = 'ignore', false);
END
$$;
COMMENT ON FUNCTION privacct._null_owners(text, text) IS 'whether rows may have no owner';

-- One person has one name in all tables of a unit.
CREATE OR REPLACE FUNCTION privacct._check_owner_kind(relation regclass, owner name, unit bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	own text := privacct._kind_of_owner(relation, owner);
	other record;
BEGIN
	SELECT o.relation, o.kind INTO other
	FROM (SELECT p.policy_id, p.relation::regclass AS relation, k.kind
		FROM privacct.policy p CROSS JOIN LATERAL privacct._kind_of_owner(p.relation, p.owner_column) k(kind)
		WHERE p.unit = _check_owner_kind.unit AND p.closed_at IS NULL AND p.path IS NULL
		AND p.relation <> _check_owner_kind.relation AND k.kind <> own OFFSET 0) o
	ORDER BY o.policy_id LIMIT 1;
	IF FOUND THEN
		PERFORM privacct._refuse_path(relation, ARRAY[owner],
			format('Owners in the unit have names of type %s, as in %s, and here of type %s.', other.kind,
				other.relation, own),
			'Name owners by one type in all tables of a unit, or protect this table apart.');
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_owner_kind(regclass, name, bigint)
	IS 'owners have names of one type in all tables of a unit, or integers';

CREATE OR REPLACE FUNCTION privacct._kind_of_owner(relation oid, owner name) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE t.typname WHEN 'int2' THEN 'integer' WHEN 'int4' THEN 'integer' WHEN 'int8' THEN 'integer'
		WHEN 'varchar' THEN 'text' ELSE t.typname END
	FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
	WHERE a.attrelid = relation AND a.attname = owner AND a.attnum > 0
$$;
COMMENT ON FUNCTION privacct._kind_of_owner(oid, name)
	IS 'the type of an owner column, all integers alike, and all texts';

-- If the table that it refers to is dropped with it, nothing is released from here on.
CREATE OR REPLACE FUNCTION privacct._constraint_dropped(relation oid) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	p privacct.policy;
BEGIN
	SELECT q.* INTO p FROM privacct.policy q WHERE q.relation = _constraint_dropped.relation AND q.closed_at IS NULL
		AND q.path IS NOT NULL AND q.path_to <> 0::oid;
	IF FOUND AND (privacct._path_key(p.relation, p.path, p.path_to, p.path_keys, p.null_owners)).oid IS NULL THEN
		PERFORM privacct._refuse_path(p.relation, p.path,
			format('No foreign key of these columns refers to %s (%s) any more.', p.path_to,
				array_to_string(p.path_keys, ', ')),
			'Keep the foreign key while the table is protected, or call privacct.unprotect() first.');
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._constraint_dropped(oid) IS 'keeps the foreign key of a path';

-- Which kind of owner a table has, and whether it can.
CREATE OR REPLACE FUNCTION privacct._check_owners(relation regclass, columns name[], unit bigint, regime text,
	null_owners boolean) RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	path_to oid;
BEGIN
	IF cardinality(columns) = 0 OR array_position(columns, NULL) IS NOT NULL OR columns IS NULL THEN
		RAISE EXCEPTION 'owner must not be null'
			USING ERRCODE = '22004', HINT = 'Name the column that says whose row it is.';
	END IF;
	path_to := privacct._path_from(relation, columns, unit);
	IF path_to = 0 THEN
		IF cardinality(columns) > 1 THEN
			PERFORM privacct._refuse_path(relation, columns,
				'No foreign key of these columns refers to a protected table of the unit.',
				'Name the one column that says whose row it is, or protect the table that is referred to first.');
		END IF;
		PERFORM privacct._check_owner(relation, columns[1], null_owners);
		PERFORM privacct._check_part_of_key(relation, columns[1]);
		PERFORM privacct._check_referrers(relation, columns, path_to);
		PERFORM privacct._check_owner_kind(relation, columns[1], unit);
		RETURN 0;
	ELSIF regime <> 'central' THEN
		PERFORM privacct._refuse_path(relation, columns,
			'In the local regime an owner answers for one row, by a column of it.', 'Use the central regime.');
	END IF;
	PERFORM privacct._check_no_circle(relation, columns, path_to);
	columns := privacct._sorted(columns);
	PERFORM privacct._check_path(relation, columns, path_to, privacct._keys_of(relation, columns, path_to),
		null_owners);
	PERFORM privacct._check_referrers(relation, columns, path_to);
	RETURN path_to;
END
$$;
COMMENT ON FUNCTION privacct._check_owners(regclass, name[], bigint, text, boolean)
	IS 'the table that says whose rows these are, 0 if the one column does, or an error';
