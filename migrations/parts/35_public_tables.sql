-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Public tables.
--

--
-- Public tables, which blocks may join with protected ones
--

-- What a view or materialized view reads, at any depth.
CREATE OR REPLACE FUNCTION privacct._sources(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE source(oid) AS (
		SELECT $1::oid
		UNION
		SELECT d.refobjid
		FROM source s JOIN pg_rewrite r ON r.ev_class = s.oid
		JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
		AND d.refclassid = 'pg_class'::regclass
	)
	SELECT oid FROM source
$$;
COMMENT ON FUNCTION privacct._sources(regclass) IS 'the relation and all that its definition reads';

CREATE OR REPLACE FUNCTION privacct._writer(relation regclass) RETURNS text
	AS 'MODULE_PATHNAME', 'pa_public_writer_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._writer(regclass)
	IS 'which other role than its owner may change a table, and by way of what, as a sentence; null: none';

CREATE OR REPLACE FUNCTION privacct._check_public(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c pg_class := (SELECT c FROM pg_class c WHERE c.oid = relation);
	hit text;
BEGIN
	IF c.relkind NOT IN ('r', 'p', 'm') OR c.relpersistence = 't' OR c.oid < 16384 THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = '42PA4',
				DETAIL = 'It is not an ordinary table, partitioned table or materialized view, or it is temporary.',
				  HINT = 'Copy the rows into a table.';
	END IF;
	SELECT s::regclass::text INTO hit FROM privacct._sources(relation) s WHERE privacct._is_protected(s) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = '42PA4', DETAIL = format('It is protected, or made from protected table %s.', hit),
				  HINT = 'Only tables that tell nothing about protected rows can be public.';
	END IF;
	hit := privacct._writer(relation);
	IF hit IS NOT NULL THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = '42PA4', DETAIL = hit,
				  HINT = 'Nobody but its owner may be able to change a public table: revoke INSERT, UPDATE, DELETE, '
					'TRUNCATE, REFERENCES and TRIGGER, also on views and on tables whose rules or foreign keys change '
					'it.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_public(regclass)
	IS 'an ordinary table, not made from protected rows, that its owner alone may change';

CREATE OR REPLACE FUNCTION privacct._check_fanout(relation regclass, columns name[], rows int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	missing name := (SELECT u FROM unnest(columns) u
					 WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = u
						AND a.attnum > 0 AND NOT a.attisdropped)
					 LIMIT 1);
	list text := (SELECT string_agg(quote_ident(u), ', ') FROM unnest(columns) u);
	most bigint;
BEGIN
	IF missing IS NOT NULL THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', missing, relation USING ERRCODE = '42703';
	END IF;
	PERFORM privacct._refuse_computed(relation, u) FROM unnest(columns) u;
	IF cardinality(columns) = 0 OR rows IS NULL OR rows NOT BETWEEN 1 AND 64 THEN
		RAISE EXCEPTION 'columns and rows belong together'
			USING ERRCODE = '42PA4',
				DETAIL = 'They declare how many rows at most, from 1 to 64, have the same values in the columns.',
				  HINT = 'Write, for example, declare_public(''price'', columns => ''{product}'', rows => 12); of '
					'unique keys nothing need be said.';
	END IF;
	most := privacct._count_as_owner(relation,
		format('SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM %s WHERE ROW(%s) IS NOT NULL GROUP BY %s) s',
		relation, list, list), NULL);
	IF most > rows THEN
		RAISE EXCEPTION 'table % has % rows with the same values in %', relation, most, list
			USING ERRCODE = '42PA4', HINT = 'Declare that many.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_fanout(regclass, name[], int)
	IS 'at most so many rows of the table agree in the columns';

CREATE OR REPLACE FUNCTION privacct._declare_public(caller regrole, relation regclass, columns name[], rows int)
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
BEGIN
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_public(relation);
	INSERT INTO privacct.public_table AS t
	VALUES (relation, (SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n
		ON n.oid = c.relnamespace WHERE c.oid = relation),
		now(), caller::text)
	ON CONFLICT ON CONSTRAINT public_table_pkey DO NOTHING;
	IF columns IS NOT NULL OR rows IS NOT NULL THEN
		PERFORM privacct._check_fanout(relation, columns, rows);
		INSERT INTO privacct.public_fanout AS f VALUES (relation, columns, rows)
		ON CONFLICT ON CONSTRAINT public_fanout_pkey DO UPDATE SET rows = excluded.rows;
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._declare_public(regrole, regclass, name[], int) IS 'worker of declare_public';

-- Values of these columns are the groups, and are read when a block is executed.
CREATE OR REPLACE FUNCTION privacct._set_keys(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	c record := privacct._column_type(relation, column_name);
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.public_table t WHERE t.relation = relation) THEN
		RAISE EXCEPTION 'table % is not declared public', relation
			USING ERRCODE = '42PA4', DETAIL = 'Without a list the keys are the values of a column of a public table.',
				  HINT = CASE WHEN privacct._is_protected(relation)
					THEN 'Give the keys as an array, or join a public table and group by a column of that.'
					ELSE 'Call privacct.declare_public() first.' END;
	END IF;
	PERFORM privacct._refuse_computed(relation, column_name);
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date',
		'timestamp', 'timestamptz') THEN
		RAISE EXCEPTION 'column "%" cannot have group keys', column_name
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s.', c.full_type),
				  HINT = 'Keys are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	UPDATE privacct.public_table t SET keys = privacct._sorted(t.keys || column_name)
	WHERE t.relation = relation AND column_name <> ALL (t.keys);
END
$$;
COMMENT ON FUNCTION privacct._set_keys(regrole, regclass, name) IS 'worker of set_keys';

-- After RENAME COLUMN one name is left without a column.
CREATE OR REPLACE FUNCTION privacct._follow_public_column(relation oid, new_name name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	UPDATE privacct.public_table t SET keys = privacct._sorted(ARRAY(
		SELECT CASE WHEN a.attname IS NULL THEN new_name ELSE k END
		FROM unnest(t.keys) k LEFT JOIN pg_attribute a ON a.attrelid = t.relation AND a.attname = k AND a.attnum > 0
		AND NOT a.attisdropped))
	WHERE t.relation::oid = _follow_public_column.relation AND t.keys <> '{}'
		AND EXISTS (SELECT FROM unnest(t.keys) k WHERE NOT EXISTS (SELECT FROM pg_attribute a
			WHERE a.attrelid = t.relation AND a.attname = k AND a.attnum > 0 AND NOT a.attisdropped));
END
$$;
COMMENT ON FUNCTION privacct._follow_public_column(oid, name)
	IS 'carries a renamed column over into the keys of a public table';

CREATE OR REPLACE FUNCTION privacct._drop_public(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	DELETE FROM privacct.public_fanout f WHERE f.relation = _drop_public.relation;
	DELETE FROM privacct.public_table t WHERE t.relation = _drop_public.relation;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not declared public', relation USING ERRCODE = '42PA4';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._drop_public(regrole, regclass) IS 'worker of drop_public';

-- A dropped table is public no more.
CREATE OR REPLACE FUNCTION privacct._on_public_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	DELETE FROM privacct.public_fanout f USING pg_event_trigger_dropped_objects() d
	WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0 AND f.relation = d.objid;
	DELETE FROM privacct.public_table t USING pg_event_trigger_dropped_objects() d
	WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0 AND t.relation = d.objid;
	UPDATE privacct.public_table t SET keys = array_remove(t.keys, d.address_names[3]::name)
	FROM pg_event_trigger_dropped_objects() d
	WHERE d.classid = 'pg_class'::regclass AND d.objsubid > 0 AND t.relation = d.objid
	AND d.address_names[3]::name = ANY (t.keys);
END
$$;
COMMENT ON FUNCTION privacct._on_public_drop() IS 'a table that is dropped is public no more';
