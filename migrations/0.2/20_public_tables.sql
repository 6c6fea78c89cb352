--
-- Public tables, which blocks may join with protected ones
--

CREATE TABLE privacct.public_table (
	relation regclass PRIMARY KEY,
	relation_name text NOT NULL,
	declared_at timestamptz NOT NULL,
	declared_by name NOT NULL
);
COMMENT ON TABLE privacct.public_table IS 'tables that guarded queries may join with protected ones: nothing in them is secret';
COMMENT ON COLUMN privacct.public_table.relation_name IS 'qualified name at declaration, for humans';

CREATE TABLE privacct.public_fanout (
	relation regclass NOT NULL,
	columns name[] NOT NULL,
	rows int NOT NULL CHECK (rows BETWEEN 1 AND 64),
	PRIMARY KEY (relation, columns)
);
COMMENT ON TABLE privacct.public_fanout IS 'how many rows of a public table agree in some columns, at most; of unique keys it is known';

SELECT pg_catalog.pg_extension_config_dump('privacct.public_table', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.public_fanout', '');
REVOKE ALL ON privacct.public_table, privacct.public_fanout FROM PUBLIC;

CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.public_table
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.public_fanout
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
ALTER TABLE privacct.public_table ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.public_fanout ENABLE ALWAYS TRIGGER policy_changed;

-- What a view or materialized view reads, at any depth.
CREATE FUNCTION privacct._sources(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE source(oid) AS (
		SELECT $1::oid
		UNION
		SELECT d.refobjid
		FROM source s JOIN pg_rewrite r ON r.ev_class = s.oid
		JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
	)
	SELECT oid FROM source
$$;
COMMENT ON FUNCTION privacct._sources(regclass) IS 'the relation and all that its definition reads';

CREATE FUNCTION privacct._writer(relation regclass) RETURNS text
	AS 'MODULE_PATHNAME', 'pa_public_writer_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._writer(regclass) IS 'which other role than its owner may change a table, and by way of what, as a sentence; null: none';

CREATE FUNCTION privacct._check_public(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c pg_class := (SELECT c FROM pg_class c WHERE c.oid = relation);
	hit text;
BEGIN
	IF c.relkind NOT IN ('r', 'p', 'm') OR c.relpersistence = 't' OR c.oid < 16384 THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = 'PA004', DETAIL = 'It is not an ordinary table, partitioned table or materialized view, or it is temporary.',
				  HINT = 'Copy the rows into a table.';
	END IF;
	SELECT s::regclass::text INTO hit FROM privacct._sources(relation) s WHERE privacct._is_protected(s) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = 'PA004', DETAIL = format('It is protected, or made from protected table %s.', hit),
				  HINT = 'Only tables that tell nothing about protected rows can be public.';
	END IF;
	hit := privacct._writer(relation);
	IF hit IS NOT NULL THEN
		RAISE EXCEPTION 'relation % cannot be declared public', relation
			USING ERRCODE = 'PA004', DETAIL = hit,
				  HINT = 'Nobody but its owner may be able to change a public table: revoke INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES and TRIGGER, also on views and on tables whose rules or foreign keys change it.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_public(regclass) IS 'an ordinary table, not made from protected rows, that its owner alone may change';

CREATE FUNCTION privacct._check_fanout(relation regclass, columns name[], rows int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	missing name := (SELECT u FROM unnest(columns) u
					 WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = u AND a.attnum > 0 AND NOT a.attisdropped)
					 LIMIT 1);
	list text := (SELECT string_agg(quote_ident(u), ', ') FROM unnest(columns) u);
	most bigint;
BEGIN
	IF missing IS NOT NULL THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', missing, relation USING ERRCODE = '42703';
	END IF;
	IF cardinality(columns) = 0 OR rows IS NULL OR rows NOT BETWEEN 1 AND 64 THEN
		RAISE EXCEPTION 'columns and rows belong together'
			USING ERRCODE = 'PA004', DETAIL = 'They declare how many rows at most, from 1 to 64, have the same values in the columns.',
				  HINT = 'Write, for example, declare_public(''price'', columns => ''{product}'', rows => 12); of unique keys nothing need be said.';
	END IF;
	most := privacct._count_as_owner(relation,
		format('SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM %s WHERE ROW(%s) IS NOT NULL GROUP BY %s) s', relation, list, list), NULL);
	IF most > rows THEN
		RAISE EXCEPTION 'table % has % rows with the same values in %', relation, most, list
			USING ERRCODE = 'PA004', HINT = 'Declare that many.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_fanout(regclass, name[], int) IS 'at most so many rows of the table agree in the columns';

CREATE FUNCTION privacct._declare_public(caller regrole, relation regclass, columns name[], rows int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
BEGIN
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_public(relation);
	INSERT INTO privacct.public_table AS t
	VALUES (relation, (SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation),
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

CREATE FUNCTION privacct._drop_public(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	DELETE FROM privacct.public_fanout f WHERE f.relation = _drop_public.relation;
	DELETE FROM privacct.public_table t WHERE t.relation = _drop_public.relation;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'table % is not declared public', relation USING ERRCODE = 'PA004';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._drop_public(regrole, regclass) IS 'worker of drop_public';

CREATE FUNCTION privacct.declare_public(relation regclass, columns name[] DEFAULT NULL, rows int DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.declare_public(regclass, name[], int)
	IS 'declares a table public: guarded queries may join it by equality on a unique key, or on the columns given, in which at most so many rows agree';

CREATE FUNCTION privacct.drop_public(relation regclass)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_public(regclass) IS 'takes declare_public() back';

CREATE VIEW privacct.public_tables WITH (security_barrier) AS
SELECT t.relation, f.columns, f.rows
FROM privacct.public_table t LEFT JOIN privacct.public_fanout f USING (relation)
WHERE pg_catalog.has_table_privilege(t.relation, 'SELECT') OR pg_catalog.has_any_column_privilege(t.relation, 'SELECT');
COMMENT ON VIEW privacct.public_tables IS 'tables that guarded queries may join, with what is declared of them, to those who may read them';

-- A dropped table is public no more.
CREATE FUNCTION privacct._on_public_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	DELETE FROM privacct.public_fanout f USING pg_event_trigger_dropped_objects() d
	WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0 AND f.relation = d.objid;
	DELETE FROM privacct.public_table t USING pg_event_trigger_dropped_objects() d
	WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0 AND t.relation = d.objid;
END
$$;
COMMENT ON FUNCTION privacct._on_public_drop() IS 'a table that is dropped is public no more';
CREATE EVENT TRIGGER privacct_public_drop ON sql_drop EXECUTE FUNCTION privacct._on_public_drop();
ALTER EVENT TRIGGER privacct_public_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_public_drop IS 'a table that is dropped is public no more';

REVOKE ALL ON FUNCTION privacct._sources(regclass), privacct._writer(regclass), privacct._check_public(regclass),
	privacct._check_fanout(regclass, name[], int), privacct._declare_public(regrole, regclass, name[], int),
	privacct._drop_public(regrole, regclass), privacct._on_public_drop() FROM PUBLIC;
GRANT SELECT ON privacct.public_tables TO PUBLIC;

-- The marker of a guarded block carries the fan-out of its joins.
DROP AGGREGATE privacct._owner_marker("any", oid, bigint, boolean, int, "any");
DROP FUNCTION privacct._block_transition(internal, "any", oid, bigint, boolean, int, "any");
CREATE FUNCTION privacct._block_transition(internal, "any", oid, bigint, int, int, "any") RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, "any", oid, bigint, int, int, "any") FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, "any", oid, bigint, int, int, "any") IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any") (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any") IS 'internal: marks a guarded block and carries its owner column';
REVOKE ALL ON FUNCTION privacct._owner_marker("any", oid, bigint, int, int, "any") FROM PUBLIC;
