-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Workers of the declarations: bounds, keys, domains.
--

CREATE OR REPLACE FUNCTION privacct._column_type(relation regclass, column_name name,
	OUT type regtype, OUT full_type text, OUT deterministic boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	IF column_name IS NULL THEN
		RAISE EXCEPTION 'column_name must not be null' USING ERRCODE = '22004';
	END IF;
	SELECT a.atttypid, format_type(a.atttypid, a.atttypmod), coalesce(l.collisdeterministic, true)
	INTO type, full_type, deterministic
	FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation
	WHERE a.attrelid = relation AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', column_name, relation USING ERRCODE = '42703';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._column_type(regclass, name) IS 'type of a column, or an error';

CREATE OR REPLACE FUNCTION privacct._refuse_owner_column(p privacct.policy, column_name name) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF p.owner_column = column_name THEN
		RAISE EXCEPTION 'column "%" is the owner column', column_name
			USING ERRCODE = '42PA4', DETAIL = 'Who the owners are is never released.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_owner_column(privacct.policy, name) IS 'owners are neither clamped nor grouped by';

-- Since 18 a column may be computed where it is read: queries see what it is computed from.
CREATE OR REPLACE FUNCTION privacct._refuse_computed(relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = column_name
			   AND a.attgenerated NOT IN ('', 's')) THEN
		RAISE EXCEPTION 'nothing can be declared of column "%"', column_name
			USING ERRCODE = '42PA4', DETAIL = 'It is computed where it is read, from other columns of the row.',
				  HINT = 'Declare what is known of those: bounds and keys of expressions follow from it.  Or generate '
					'the column STORED.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_computed(regclass, name)
	IS 'bounds, keys and domains are of columns that are stored';

-- A bound as a number: dates in days, timestamps in seconds since 2000-01-01.
CREATE OR REPLACE FUNCTION privacct._bound_value(type regtype, value text) RETURNS float8
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	CASE type
		WHEN 'date'::regtype THEN
			IF NOT isfinite(value::date) THEN RETURN 'Infinity'; END IF;
			RETURN value::date - date '2000-01-01';
		WHEN 'timestamp'::regtype THEN
			IF NOT isfinite(value::timestamp) THEN RETURN 'Infinity'; END IF;
			RETURN extract(epoch FROM value::timestamp) - 946684800;
		WHEN 'timestamptz'::regtype THEN
			IF NOT isfinite(value::timestamptz) THEN RETURN 'Infinity'; END IF;
			RETURN extract(epoch FROM value::timestamptz) - 946684800;
		ELSE
			RETURN value::float8;
	END CASE;
EXCEPTION WHEN data_exception THEN
	RAISE EXCEPTION 'a bound is not a valid value for a column of type %', type
		USING ERRCODE = '42PA4',
			HINT = 'Give numbers for numeric and boolean columns, dates or timestamps for the others.';
END
$$;
COMMENT ON FUNCTION privacct._bound_value(regtype, text) IS 'a clamping bound as a number';

CREATE OR REPLACE FUNCTION privacct._drop_bounds(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = _drop_bounds.column_name
		AND b.owner_lo IS NULL;
	UPDATE privacct.bound b SET lo = NULL, hi = NULL
	WHERE b.policy_id = p.policy_id AND b.column_name = _drop_bounds.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_bounds(regrole, regclass, name) IS 'worker of drop_bounds';

CREATE OR REPLACE FUNCTION privacct._set_bounds(caller regrole, relation regclass, column_name name, lo text, hi text)
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	l float8;
	h float8;
BEGIN
	IF lo IS NULL AND hi IS NULL THEN
		PERFORM privacct._drop_bounds(caller, relation, column_name);
		RETURN;
	ELSIF lo IS NULL OR hi IS NULL THEN
		RAISE EXCEPTION 'only one of two bounds is null'
			USING ERRCODE = '22004', HINT = 'Give both bounds, or null for both to remove them.';
	END IF;
	PERFORM privacct._refuse_owner_column(p, column_name);
	PERFORM privacct._refuse_computed(relation, column_name);
	IF c.type NOT IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool', 'date', 'timestamp', 'timestamptz')
		THEN
		RAISE EXCEPTION 'column "%" cannot have bounds', column_name
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s.', c.type),
				  HINT = 'Bounds are for numbers, booleans, dates and timestamps.';
	END IF;
	l := privacct._bound_value(c.type, lo);
	h := privacct._bound_value(c.type, hi);
	IF NOT (l BETWEEN -1e100 AND 1e100 AND h BETWEEN -1e100 AND 1e100) THEN
		RAISE EXCEPTION 'bounds are out of range'
			USING ERRCODE = '42PA4', DETAIL = 'Bounds are finite and at most 1e100 in absolute value.';
	ELSIF l >= h THEN
		RAISE EXCEPTION 'the lower bound is not below the upper bound' USING ERRCODE = '42PA4';
	END IF;
	INSERT INTO privacct.bound VALUES (p.policy_id, column_name, l, h, c.type, NULL, NULL, NULL)
	ON CONFLICT ON CONSTRAINT bound_pkey DO UPDATE SET lo = l, hi = h, column_type = c.type;
END
$$;
COMMENT ON FUNCTION privacct._set_bounds(regrole, regclass, name, text, text) IS 'worker of set_bounds';

CREATE OR REPLACE FUNCTION privacct._drop_owner_bounds(caller regrole, relation regclass, column_name name)
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = _drop_owner_bounds.column_name
		AND b.lo IS NULL;
	UPDATE privacct.bound b SET owner_lo = NULL, owner_hi = NULL
	WHERE b.policy_id = p.policy_id AND b.column_name = _drop_owner_bounds.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_owner_bounds(regrole, regclass, name) IS 'worker of drop_owner_bounds';

CREATE OR REPLACE FUNCTION privacct._set_owner_bounds(caller regrole, relation regclass, column_name name, lo float8,
	hi float8) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	IF lo IS NULL AND hi IS NULL THEN
		PERFORM privacct._drop_owner_bounds(caller, relation, column_name);
		RETURN;
	ELSIF lo IS NULL OR hi IS NULL THEN
		RAISE EXCEPTION 'only one of two bounds is null'
			USING ERRCODE = '22004', HINT = 'Give both bounds, or null for both to remove them.';
	END IF;
	PERFORM privacct._refuse_owner_column(p, column_name);
	PERFORM privacct._refuse_computed(relation, column_name);
	IF p.regime = 'pufferfish' THEN
		RAISE EXCEPTION 'sums of owners have no bounds under a Pufferfish policy'
			USING ERRCODE = '42PA4', DETAIL = 'What it protects are entries of single rows.',
				HINT = 'Declare bounds of values with privacct.set_bounds().';
	ELSIF c.type NOT IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool') THEN
		RAISE EXCEPTION 'sums of column "%" cannot have bounds', column_name
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s.', c.type),
				  HINT = 'Bounds of sums are for numbers and booleans.';
	ELSIF NOT (lo BETWEEN -1e100 AND 1e100 AND hi BETWEEN -1e100 AND 1e100) OR greatest(abs(lo), abs(hi)) < 1e-100 THEN
		RAISE EXCEPTION 'bounds are out of range'
			USING ERRCODE = '42PA4', DETAIL = 'Bounds are finite and at most 1e100 in absolute value, and one of them '
				'is at least 1e-100.';
	ELSIF lo >= hi THEN
		RAISE EXCEPTION 'the lower bound is not below the upper bound' USING ERRCODE = '42PA4';
	END IF;
	INSERT INTO privacct.bound VALUES (p.policy_id, column_name, NULL, NULL, c.type, NULL, lo, hi)
	ON CONFLICT ON CONSTRAINT bound_pkey DO UPDATE SET owner_lo = lo, owner_hi = hi, column_type = c.type;
END
$$;
COMMENT ON FUNCTION privacct._set_owner_bounds(regrole, regclass, name, float8, float8)
	IS 'worker of set_owner_bounds';

-- Keys as their type writes them.  A key must come through the column's type
-- modifier unchanged, and no two keys may be equal for the type.  (By its name
-- alone, character would have a length of 1.)
CREATE OR REPLACE FUNCTION privacct._normal_keys(keys text[], type regtype, full_type text) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	fits boolean;
	distinct_keys bigint;
	normal text[];
BEGIN
	EXECUTE format('SELECT bool_and(k::%1$s = k::%2$s), count(DISTINCT k::%1$s), array_agg(k::%1$s::text ORDER BY n)'
				   ' FROM unnest($1) WITH ORDINALITY u(k, n)', format_type(type, -1), full_type)
	INTO fits, distinct_keys, normal USING keys;
	IF NOT fits THEN
		RAISE EXCEPTION 'a key does not fit into type %', full_type USING ERRCODE = '42PA4';
	ELSIF distinct_keys <> cardinality(keys) THEN
		RAISE EXCEPTION 'the keys are not distinct'
			USING ERRCODE = '42PA4', DETAIL = format('Two of them are equal as values of type %s.', type);
	END IF;
	RETURN normal;
EXCEPTION WHEN data_exception THEN
	RAISE EXCEPTION 'a key is not a valid value of type %', full_type
		USING ERRCODE = '42PA4', HINT = 'Every key must be a value of the type of the column.';
END
$$;
COMMENT ON FUNCTION privacct._normal_keys(text[], regtype, text) IS 'group keys as their type writes them, or an error';

CREATE OR REPLACE FUNCTION privacct._drop_keys(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
	c record := privacct._column_type(relation, column_name);
BEGIN
	IF EXISTS (SELECT FROM privacct.public_table t WHERE t.relation = _drop_keys.relation) THEN
		UPDATE privacct.public_table t SET keys = array_remove(t.keys, column_name)
		WHERE t.relation = _drop_keys.relation AND column_name = ANY (t.keys);
		RETURN;
	END IF;
	p := privacct._policy_of(relation);
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = _drop_keys.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_keys(regrole, regclass, name) IS 'worker of drop_keys';

CREATE OR REPLACE FUNCTION privacct._check_key_list(keys text[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF cardinality(keys) NOT BETWEEN 1 AND 100000 OR array_ndims(keys) <> 1 THEN
		RAISE EXCEPTION 'the keys are not a list of 1 to 100000 values'
			USING ERRCODE = '42PA4', HINT = 'To remove the keys call privacct.drop_keys().';
	ELSIF array_position(keys, NULL) IS NOT NULL THEN
		RAISE EXCEPTION 'a key is null'
			USING ERRCODE = '42PA4', DETAIL = 'Rows whose group column is null are not released with a key list.',
				  HINT = 'Group by coalesce(column, constant) over a column without nulls, or store a value instead of '
					'null.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_key_list(text[]) IS 'shape of a list of group keys';

CREATE OR REPLACE FUNCTION privacct._set_keys(caller regrole, relation regclass, column_name name, keys text[])
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	normal text[];
BEGIN
	IF keys IS NULL THEN
		PERFORM privacct._drop_keys(caller, relation, column_name);
		RETURN;
	END IF;
	IF p.regime <> 'pufferfish' THEN	-- there owners are no secret
		PERFORM privacct._refuse_owner_column(p, column_name);
	END IF;
	PERFORM privacct._refuse_computed(relation, column_name);
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date',
		'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have group keys', column_name
			USING ERRCODE = '42PA4',
				DETAIL = format('Its type is %s%s.', c.full_type,
				CASE WHEN c.deterministic THEN '' ELSE ' with a nondeterministic collation' END),
				  HINT = 'Keys are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	PERFORM privacct._check_key_list(keys);
	PERFORM privacct._check_storage(relation, column_name);
	PERFORM privacct._warn_of_storage(relation, column_name, 256, 'are in the group of null');
	normal := privacct._normal_keys(keys, c.type, c.full_type);
	INSERT INTO privacct.group_key VALUES (p.policy_id, column_name, normal, c.type, NULL)
	ON CONFLICT ON CONSTRAINT group_key_pkey DO UPDATE SET keys = normal, column_type = c.type;
	PERFORM privacct._check_size(p);
END
$$;
COMMENT ON FUNCTION privacct._set_keys(regrole, regclass, name, text[]) IS 'worker of set_keys';

CREATE OR REPLACE FUNCTION privacct._local_policy_of(relation regclass) RETURNS privacct.policy
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
BEGIN
	IF p.regime <> 'local' THEN
		RAISE EXCEPTION 'the policy of % is not local', relation
			USING ERRCODE = '42PA4', HINT = 'Domains and public columns are for regime => ''local''.';
	END IF;
	RETURN p;
END
$$;
COMMENT ON FUNCTION privacct._local_policy_of(regclass) IS 'the open local policy of a table, or an error';

-- Likelihood tables run over the domain: it must not change under them.
CREATE OR REPLACE FUNCTION privacct._check_unasked(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._hold_charges(p.policy_id);
	-- the lock fails where the snapshot is too old to show every charge
	PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF EXISTS (SELECT FROM privacct.question q WHERE q.policy_id = p.policy_id)
	   OR EXISTS (SELECT FROM privacct._charged c WHERE c.policy_id = p.policy_id AND c.charges > 0) THEN
		RAISE EXCEPTION 'the domain of % is in use', p.relation
			USING ERRCODE = '42PA4', DETAIL = 'Owners were asked already; their likelihood tables run over the domain.',
				  HINT = 'To change it, unprotect and protect the table and declare it anew; what was lost is carried '
					'over.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_unasked(privacct.policy)
	IS 'nobody was asked anything under the policy yet, or an error';

CREATE OR REPLACE FUNCTION privacct._put_domain(p privacct.policy, column_name name, points text[], lo float8,
	hi float8, type regtype) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
BEGIN
	PERFORM privacct._check_unasked(p);
	PERFORM privacct._refuse_owner_column(p, column_name);
	PERFORM privacct._refuse_computed(p.relation, column_name);
	IF EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = column_name)
		THEN
		RAISE EXCEPTION 'column "%" is public', column_name
			USING ERRCODE = '42PA4', HINT = 'A column is either public or has a domain.';
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = column_name;
	IF (SELECT count(*) FROM privacct.domain d WHERE d.policy_id = p.policy_id) >= 32 THEN
		RAISE EXCEPTION 'more than 32 columns have domains' USING ERRCODE = '42PA4';
	ELSIF (SELECT sum(ln(cardinality(d.points))) FROM privacct.domain d WHERE d.policy_id = p.policy_id
		AND d.points IS NOT NULL)
		+ ln(cardinality(points)) > ln(65536.5) THEN
		RAISE EXCEPTION 'the listed columns have more than 65536 combinations'
			USING ERRCODE = '42PA4', DETAIL = 'A likelihood table has a number for each.',
				  HINT = 'List fewer values, or declare numbers by intervals.';
	END IF;
	INSERT INTO privacct.domain
	SELECT p.policy_id, min(n), column_name, points, NULL, lo, hi, type, NULL
	FROM generate_series(1, 32) n
	WHERE n NOT IN (SELECT d.position FROM privacct.domain d WHERE d.policy_id = p.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._put_domain(privacct.policy, name, text[], float8, float8, regtype)
	IS 'declares the domain of a column anew';

CREATE OR REPLACE FUNCTION privacct._set_domain(caller regrole, relation regclass, column_name name, points text[])
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	normal text[];
BEGIN
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date',
		'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have a list of values', column_name
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s.', c.full_type),
				  HINT = 'Lists are for booleans, numbers, character types, uuid, dates and timestamps.';
	ELSIF points IS NULL OR cardinality(points) NOT BETWEEN 2 AND 65536 OR array_ndims(points) <> 1 THEN
		RAISE EXCEPTION 'a domain is a list of 2 to 65536 values' USING ERRCODE = '42PA4';
	ELSIF cardinality(array_positions(points, NULL)) > 1 THEN
		RAISE EXCEPTION 'null is listed more than once' USING ERRCODE = '42PA4';
	END IF;
	PERFORM privacct._check_storage(relation, column_name);
	PERFORM privacct._warn_of_storage(relation, column_name, 1024, 'have a value outside of the domain');
	normal := privacct._normal_keys(array_remove(points, NULL), c.type, c.full_type);
	IF array_position(points, NULL) IS NOT NULL THEN
		normal := normal[:array_position(points, NULL) - 1] || NULL::text || normal[array_position(points, NULL):];
	END IF;
	PERFORM privacct._put_domain(p, column_name, normal, NULL, NULL, c.type);
	PERFORM privacct._check_size(p);
END
$$;
COMMENT ON FUNCTION privacct._set_domain(regrole, regclass, name, text[]) IS 'worker of set_domain';

CREATE OR REPLACE FUNCTION privacct._set_domain(caller regrole, relation regclass, column_name name, lo text, hi text)
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	l float8;
	h float8;
BEGIN
	IF lo IS NULL OR hi IS NULL THEN
		RAISE EXCEPTION 'the ends of an interval must not be null' USING ERRCODE = '22004';
	ELSIF c.type NOT IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool') THEN
		RAISE EXCEPTION 'column "%" cannot have an interval', column_name
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s.', c.type),
				  HINT = 'Intervals are for numbers; of dates and texts declare a list.';
	END IF;
	l := privacct._bound_value(c.type, lo);
	h := privacct._bound_value(c.type, hi);
	IF NOT (l BETWEEN -1e100 AND 1e100 AND h BETWEEN -1e100 AND 1e100) THEN
		RAISE EXCEPTION 'the interval is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'Its ends are finite and at most 1e100 in absolute value.';
	ELSIF l >= h THEN
		RAISE EXCEPTION 'the lower end is not below the upper end' USING ERRCODE = '42PA4';
	END IF;
	PERFORM privacct._put_domain(p, column_name, NULL, l, h, c.type);
END
$$;
COMMENT ON FUNCTION privacct._set_domain(regrole, regclass, name, text, text) IS 'worker of set_domain';

CREATE OR REPLACE FUNCTION privacct._drop_domain(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
BEGIN
	PERFORM privacct._check_unasked(p);
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = _drop_domain.column_name;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = _drop_domain.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_domain(regrole, regclass, name) IS 'worker of drop_domain';

CREATE OR REPLACE FUNCTION privacct._set_prior(caller regrole, relation regclass, column_name name, prior float8[])
	RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	known int := (SELECT cardinality(d.points) FROM privacct.domain d WHERE d.policy_id = p.policy_id
		AND d.column_name = _set_prior.column_name);
BEGIN
	IF known IS NULL THEN
		RAISE EXCEPTION 'column "%" has no list of values', column_name
			USING ERRCODE = '42PA4', HINT = 'A prior gives a probability to each value of set_domain().';
	ELSIF prior IS NOT NULL AND (cardinality(prior) <> known OR array_ndims(prior) <> 1
		OR NOT (SELECT coalesce(bool_and(m >= 0 AND m <= 1), false) AND abs(sum(m) - 1) <= 1e-9 AND count(m) = known
		FROM unnest(prior) m)) THEN
		RAISE EXCEPTION 'the prior is not a probability for each value'
			USING ERRCODE = '42PA4',
				DETAIL = format('It needs %s numbers that are not negative and add up to 1.', known);
	END IF;
	UPDATE privacct.domain d SET prior = _set_prior.prior WHERE d.policy_id = p.policy_id
		AND d.column_name = _set_prior.column_name;
END
$$;
COMMENT ON FUNCTION privacct._set_prior(regrole, regclass, name, float8[]) IS 'worker of set_prior';

CREATE OR REPLACE FUNCTION privacct._set_public(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	IF p.regime <> 'pufferfish' THEN
		p := privacct._local_policy_of(relation);
	END IF;
	PERFORM privacct._refuse_owner_column(p, column_name);
	IF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id
		AND d.column_name = _set_public.column_name) THEN
		RAISE EXCEPTION 'column "%" has a domain', column_name
			USING ERRCODE = '42PA4', DETAIL = 'What owners are asked about is no public column.',
				  HINT = CASE p.regime WHEN 'local' THEN 'Call privacct.drop_domain() first.'
					ELSE 'It is the entry column.' END;
	END IF;
	INSERT INTO privacct.public_column VALUES (p.policy_id, column_name, NULL, NULL) ON CONFLICT DO NOTHING;
	PERFORM privacct._check_sources(p);
END
$$;
COMMENT ON FUNCTION privacct._set_public(regrole, regclass, name) IS 'worker of set_public';
