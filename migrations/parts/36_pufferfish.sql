-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Pufferfish regime: rows of an owner that tell of each other
--

CREATE OR REPLACE FUNCTION privacct.influence_curve(priors jsonb, secrets text[] DEFAULT NULL,
	pairs text[] DEFAULT NULL, max_b int DEFAULT 300)
	RETURNS TABLE (b int, a float8, "left" int, "right" int)
	AS 'MODULE_PATHNAME', 'pa_influence_curve' LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 300;
COMMENT ON FUNCTION privacct.influence_curve(jsonb, text[], text[], integer)
	IS 'what the other rows of an owner tell about a secret (a, in nats) once b rows around it are set aside, for the '
	'worst secret and prior, rounded up; left and right: how many of these rows lie before and after it';

CREATE OR REPLACE FUNCTION privacct._pufferfish_limit(b int[], a float8[], longest bigint, epsilon numeric,
	OUT sum numeric, OUT at_b bigint, OUT at_a float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_limit_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_limit(int[], float8[], bigint, numeric)
	IS 'the largest sum of epsilons per row that a Pufferfish epsilon allows, rounded down, and the point of the curve '
	'that says so';

CREATE OR REPLACE FUNCTION privacct._pufferfish_spent(b int[], a float8[], longest bigint, sum numeric,
	OUT spent float8, OUT at_b bigint, OUT at_a float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_spent_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_spent(int[], float8[], bigint, numeric)
	IS 'the Pufferfish epsilon of a sum of epsilons per row, rounded up, and the point of the curve that says so';

CREATE OR REPLACE FUNCTION privacct._pufferfish_needed(b int[], a float8[], longest bigint, sum numeric, more float8)
	RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_pufferfish_needed_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_needed(int[], float8[], bigint, numeric, float8)
	IS 'the epsilon per row that raises what is spent by so much';

CREATE OR REPLACE FUNCTION privacct._checked_prior(prior jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM FROM privacct.influence_curve(prior, NULL, NULL, 1);
	RETURN prior;
END
$$;
COMMENT ON FUNCTION privacct._checked_prior(jsonb) IS 'the prior, or an error that says what is wrong with it';

-- States are written in a form that every session reads alike.
CREATE OR REPLACE FUNCTION privacct.chain_prior(states anyarray, transition float8[], start float8[] DEFAULT NULL,
	length int DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET DateStyle = iso SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_strip_nulls(jsonb_build_object('kind', 'chain', 'source', 'explicit', 'states',
		to_jsonb(states::text[]),
		'transition', transition, 'start', start, 'length', length)))
$$;
COMMENT ON FUNCTION privacct.chain_prior(anyarray, float8[], float8[], int)
	IS 'prior: the entries of an owner form a Markov chain; transition[i][j] is the probability that state j follows '
		'state i; start: law of the first entry, with the length (null: stationary, any length)';

CREATE OR REPLACE FUNCTION privacct.binary_chain_prior(states anyarray, p_low float8, p_high float8, q_low float8,
	q_high float8) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET DateStyle = iso SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'binary', 'source', 'explicit', 'states',
		to_jsonb(states::text[]),
		'p', ARRAY[p_low, p_high], 'q', ARRAY[q_low, q_high]))
$$;
COMMENT ON FUNCTION privacct.binary_chain_prior(anyarray, float8, float8, float8, float8)
	IS 'priors: all stationary chains of two states that stay in the first with a probability from p_low to p_high and '
		'in the second from q_low to q_high';

CREATE OR REPLACE FUNCTION privacct.gaussian_prior(covariance float8[], bound float8, width float8,
	centre float8 DEFAULT 0) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'gaussian', 'source', 'explicit', 'covariance',
		covariance,
		'bound', bound, 'width', width, 'centre', centre))
$$;
COMMENT ON FUNCTION privacct.gaussian_prior(double precision[], double precision, double precision, double precision)
	IS 'prior, approximate: the entries of an owner are jointly Gaussian about centre and within bound of it; a secret '
	'is that an entry lies in an interval of that width';

CREATE OR REPLACE FUNCTION privacct.table_prior(states anyarray, shape int[], probability float8[]) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET DateStyle = iso SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'table', 'source', 'explicit', 'states',
		to_jsonb(states::text[]),
		'shape', shape, 'probability', probability))
$$;
COMMENT ON FUNCTION privacct.table_prior(anyarray, integer[], double precision[])
	IS 'prior: the joint law of the entries of an owner as a table; shape: how many of the states each entry can have; '
	'in probability, the last entry varies fastest';

CREATE OR REPLACE FUNCTION privacct.interval_prior(states anyarray, shape int[], low float8[], high float8[],
	mode text DEFAULT 'conditional',
	constraints float8[] DEFAULT NULL, upper float8[] DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET DateStyle = iso SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_strip_nulls(jsonb_build_object('kind', 'intervals', 'source', 'explicit',
		'states', to_jsonb(states::text[]),
		'shape', shape, 'low', low, 'high', high, 'mode', mode, 'constraints', constraints, 'right', upper)))
$$;
COMMENT ON FUNCTION privacct.interval_prior(anyarray, integer[], double precision[], double precision[], text,
	double precision[], double precision[])
	IS 'priors: all joint laws of the entries of an owner whose probabilities lie in intervals; mode: given the secret '
	'(conditional) or not (joint, joint_bound); linear constraints: each row times the probabilities is at most upper';

CREATE OR REPLACE FUNCTION privacct._smooth_chain(counts float8[], smoothing float8) RETURNS float8[]
	AS 'MODULE_PATHNAME', 'pa_smooth_chain' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._smooth_chain(float8[], float8) IS 'a transition matrix from counts of transitions';

CREATE OR REPLACE FUNCTION privacct._is_protected(relation regclass) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_is_protected_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._is_protected(regclass) IS 'whether a table, or one that it is a part of, is protected';

-- Whatever is made from protected rows tells about them, and the promise would be
-- about a prior that those very rows chose.
CREATE OR REPLACE FUNCTION privacct._refuse_fit(source regclass, relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (
		WITH RECURSIVE read(member) AS (
			SELECT source::oid
			UNION
			SELECT n.member FROM read r CROSS JOIN LATERAL (
				SELECT d.refobjid FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass
				AND d.objid = w.oid
				WHERE w.ev_class = r.member AND d.refclassid = 'pg_class'::regclass
				UNION ALL SELECT privacct._tree(r.member::regclass)
				UNION ALL SELECT privacct._ancestors(r.member::regclass)) n(member))
		SELECT FROM read r WHERE r.member = relation OR privacct._is_protected(r.member::regclass)) THEN
		RAISE EXCEPTION 'a prior cannot be fitted from protected rows'
			USING ERRCODE = '42PA4',
				  DETAIL = 'The prior is published, and what is promised holds under it: it must not depend on the '
					'rows that it protects.',
				  HINT = 'Fit it from another table''s history, give the matrix, or fit it from noised counts that '
					'were paid for.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_fit(regclass, regclass)
	IS 'an error if the source is, or reads, a protected table or this one';

CREATE OR REPLACE FUNCTION privacct.fit_chain_prior(source regclass, owner name, order_by name[], entry name,
	states anyarray, smoothing float8 DEFAULT 1e-5) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET DateStyle = iso SET datestyle = iso AS $$
#variable_conflict use_variable
DECLARE
	names text[] := states::text[];
	m int := cardinality(states);
	entry_type text := (SELECT format_type(a.atttypid, -1) FROM pg_attribute a
		WHERE a.attrelid = source AND a.attname = entry AND a.attnum > 0 AND NOT a.attisdropped);
	counts float8[];
BEGIN
	IF source IS NULL OR owner IS NULL OR entry IS NULL OR m IS NULL OR cardinality(order_by) IS NOT DISTINCT FROM 0
		OR order_by IS NULL THEN
		RAISE EXCEPTION 'source, owner, order_by, entry and states must not be null' USING ERRCODE = '22004';
	ELSIF cardinality(order_by) > 16 THEN
		RAISE EXCEPTION 'the entries have no order' USING ERRCODE = '42PA4', DETAIL = 'order_by has 1 to 16 columns.';
	END IF;
	PERFORM privacct._refuse_fit(source, 0::regclass);
	IF entry_type IS NULL THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', entry, source USING ERRCODE = '42703';
	END IF;
	EXECUTE format(
		'WITH s AS MATERIALIZED (SELECT array_agg(x::%5$s ORDER BY n) AS states FROM unnest($1) WITH ORDINALITY u(x, '
		'n))'
		' SELECT array_agg(coalesce(c.n, 0)::float8 ORDER BY i, j) FROM generate_series(1, $2) i CROSS JOIN '
		'generate_series(1, $2) j'
		' LEFT JOIN (SELECT t.a, t.b, count(*) AS n FROM ('
		'SELECT array_position(s.states, (lag(e.%2$I) OVER w)::%5$s) AS a, array_position(s.states, e.%2$I::%5$s) AS b '
		'FROM %1$s e CROSS JOIN s WINDOW w AS (PARTITION BY e.%3$I ORDER BY %4$s)) t'
		' WHERE t.a IS NOT NULL AND t.b IS NOT NULL GROUP BY 1, 2) c ON c.a = i AND c.b = j',
		source, entry, owner, (SELECT string_agg(format('e.%I', o), ', ' ORDER BY n) FROM unnest(order_by)
		WITH ORDINALITY u(o, n)),
		entry_type)
	INTO counts USING names, m;
	RETURN privacct._checked_prior(jsonb_build_object('kind', 'chain', 'states', to_jsonb(names),
		'source', format('fitted from %s', source), 'transition',
		(SELECT jsonb_agg(r.row ORDER BY i) FROM (SELECT (n - 1) / m AS i, jsonb_agg(p ORDER BY n) AS row
			FROM unnest(privacct._smooth_chain(counts, smoothing)) WITH ORDINALITY u(p, n) GROUP BY 1) r)));
END
$$;
COMMENT ON FUNCTION privacct.fit_chain_prior(regclass, name, name[], name, anyarray, double precision)
	IS 'prior: a stationary chain with the transitions counted in another table, which the caller must be able to '
	'read; transitions that never occur get the probability smoothing';

-- Columns that say which row it is must say so of one row only.
CREATE OR REPLACE FUNCTION privacct._check_order(relation regclass, owner name, order_by name[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c name;
BEGIN
	IF cardinality(order_by) NOT BETWEEN 1 AND 16 OR owner = ANY (order_by) THEN
		RAISE EXCEPTION 'the entries have no order'
			USING ERRCODE = '42PA4', DETAIL = 'order_by has 1 to 16 columns, none of them the owner.';
	END IF;
	FOREACH c IN ARRAY order_by LOOP
		PERFORM privacct._column_type(relation, c);
	END LOOP;
	IF EXISTS (SELECT FROM privacct._tree(relation) m(member) JOIN pg_attribute t ON t.attrelid = m.member
			   WHERE t.attname = ANY (order_by) AND NOT privacct._never_null(m.member, t.attnum)) THEN
		RAISE EXCEPTION 'a column that orders the entries may be null'
			USING ERRCODE = '42PA4', HINT = 'ALTER TABLE ... ALTER COLUMN ... SET NOT NULL.';
	ELSIF NOT EXISTS (
		SELECT FROM pg_index i JOIN pg_class k ON k.oid = i.indrelid
		WHERE i.indrelid = relation AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
		AND i.indexprs IS NULL
		AND (SELECT array_agg(a.attname ORDER BY a.attname) FROM unnest(i.indkey[0:i.indnkeyatts - 1]) u(n)
		JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = u.n)
			= (SELECT array_agg(o ORDER BY o) FROM unnest(order_by || owner) o)
		AND (k.relkind = 'p' OR NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = relation))) THEN
		RAISE EXCEPTION 'an owner may have several entries at one place'
			USING ERRCODE = '42PA4', DETAIL = 'An entry is one row: a change of it must not be a change of two.',
				  HINT = format('Add a primary key or a unique constraint on exactly: %s.',
					(SELECT string_agg(quote_ident(o), ', ' ORDER BY n) FROM unnest(owner || order_by)
					WITH ORDINALITY u(o, n)));
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_order(regclass, name, name[]) IS 'owner and order say which row it is';

-- Primary keys are restored while, or before, the policy is.  Until it is whole the
-- ledger refuses its questions, and there is nothing to check.
CREATE OR REPLACE FUNCTION privacct._check_policy_order(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	order_by name[] := ARRAY(SELECT c.column_name FROM privacct.public_column c WHERE c.policy_id = p.policy_id
		AND c.order_position IS NOT NULL ORDER BY c.order_position);
BEGIN
	IF order_by <> '{}' AND EXISTS (SELECT FROM privacct.prior v WHERE v.policy_id = p.policy_id)
		AND EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id) THEN
		PERFORM privacct._check_order(p.relation, p.owner_column, order_by);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_policy_order(privacct.policy)
	IS '_check_order of a policy as it was declared, unless it is only half restored';

-- Rows are counted with the rights of the table's owner: planning such a query may
-- call functions that this role put into an index.
CREATE OR REPLACE FUNCTION privacct._longest_owner(relation regclass, owner name) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_longest_owner_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._longest_owner(regclass, name)
	IS 'the most rows that an owner has; for the owner of the table';

CREATE OR REPLACE FUNCTION privacct._count_as_owner(relation regclass, query text, "values" text[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_count_as_owner' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._count_as_owner(regclass, text, text[])
	IS 'the number that a query gives to the owner of a table';

-- A release that is (E, D)-DP for the change of one row is, at each point (b, a),
-- (a + b E, D (1 + e^E + ... + e^((b-1) E)))-Pufferfish.  e^E - 1 is at least E,
-- and as good as that where it would be lost in rounding.
CREATE OR REPLACE FUNCTION privacct._group_delta(b float8, epsilon float8) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN b * epsilon > 600 THEN 'Infinity'
		WHEN b * epsilon < 1e-6 THEN b * 1.00001
		ELSE (exp(b * epsilon) - 1) / CASE WHEN epsilon < 1e-6 THEN epsilon ELSE exp(epsilon) - 1 END * 1.00001 END
$$;
COMMENT ON FUNCTION privacct._group_delta(float8, float8)
	IS 'how much of a delta per row comes out for b rows, rounded up';

CREATE OR REPLACE FUNCTION privacct._usable_points(INOUT b int[], INOUT a float8[], epsilon numeric, delta numeric,
	delta_pufferfish numeric)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(array_agg(u.b ORDER BY u.b), '{}'), coalesce(array_agg(u.a ORDER BY u.b), '{}')
	FROM unnest(b, a) u(b, a)
	WHERE u.a < 'Infinity'
		AND (delta = 0 OR privacct._group_delta(u.b, epsilon::float8) * delta::float8 <= delta_pufferfish::float8)
$$;
COMMENT ON FUNCTION privacct._usable_points(int[], float8[], numeric, numeric, numeric)
	IS 'the points of a curve at which what was spent keeps to the promised delta';

-- Everything about a version that follows from the priors alone.
CREATE OR REPLACE FUNCTION privacct._make_version(relation regclass, priors jsonb, epsilon numeric, delta numeric,
	secrets text[], pairs text[], max_entries bigint, max_b int, caller regrole) RETURNS privacct.prior
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	v privacct.prior;
	cap record;
	one jsonb;
	source regclass;
	whole int;
BEGIN
	PERFORM privacct._check_amounts('basic', epsilon, delta);
	IF priors IS NULL THEN
		RAISE EXCEPTION 'priors must not be null' USING ERRCODE = '22004';
	ELSIF max_entries NOT BETWEEN 1 AND 1000000000 THEN
		RAISE EXCEPTION 'max_entries is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It is from 1 to 1e9, or null for no limit.';
	END IF;
	SELECT array_agg(c.b ORDER BY c.b), array_agg(c.a ORDER BY c.b), array_agg(coalesce(c.left, -1) ORDER BY c.b),
		array_agg(coalesce(c.right, -1) ORDER BY c.b)
	INTO v.curve_b, v.curve_a, v.curve_left, v.curve_right
	FROM privacct.influence_curve(priors, secrets, pairs, max_b) c;
	-- from here on the priors are well-formed; beyond its length one tells nothing, so that of the shortest decides
	whole := (SELECT min(CASE WHEN p->>'kind' IN ('table', 'intervals') THEN jsonb_array_length(p->'shape')
		WHEN p->>'kind' = 'gaussian' THEN jsonb_array_length(p->'covariance') ELSE (p->>'length')::numeric::int END)
		FROM jsonb_array_elements(CASE jsonb_typeof(priors) WHEN 'array' THEN priors ELSE jsonb_build_array(priors) END)
		p);
	IF max_entries > whole THEN
		RAISE EXCEPTION 'an owner may have more rows than a prior tells about'
			USING ERRCODE = '42PA4', HINT = format('Set max_entries to at most %s, or leave it out.', whole);
	END IF;
	max_entries := coalesce(max_entries, whole);
	FOR one IN SELECT jsonb_array_elements(
		CASE jsonb_typeof(priors) WHEN 'array' THEN priors ELSE jsonb_build_array(priors) END) LOOP
		BEGIN
			source := to_regclass(substring(one->>'source' FROM '^fitted from (.*)$'));
		EXCEPTION WHEN syntax_error_or_access_rule_violation THEN
			source := NULL;			-- not a name
		END;
		IF source IS NOT NULL THEN
			PERFORM privacct._refuse_fit(source, relation);
		END IF;
	END LOOP;
	SELECT * INTO cap FROM privacct._pufferfish_limit(v.curve_b, v.curve_a, max_entries, trunc(epsilon, 30));
	IF cap.sum < 1e-9 THEN
		RAISE EXCEPTION 'this budget allows no release'
			USING ERRCODE = '42PA4',
				  DETAIL = 'At no point of the influence curve do the other rows tell less than epsilon_pufferfish.',
				  HINT = 'Give a larger epsilon_pufferfish or max_b, or max_entries, so that the privacy of whole '
					'owners can be fallen back on.';
	END IF;
	v.epsilon := cap.sum;
	v.delta := trim_scale(trunc((delta::float8 / privacct._group_delta(cap.at_b, cap.sum::float8))::numeric, 30));
	IF delta > 0 AND v.delta = 0 THEN
		RAISE NOTICE 'the delta is too small to allow any delta per row';
	END IF;
	v.epsilon_pufferfish := trim_scale(trunc(epsilon, 30));
	v.delta_pufferfish := trim_scale(trunc(delta, 30));
	v.priors := priors;
	v.hash := encode(sha256(convert_to(priors::text, 'UTF8')), 'hex');
	v.secrets := secrets;
	v.pairs := pairs;
	v.max_entries := max_entries;
	v.declared_at := now();
	v.declared_by := caller::text;
	RETURN v;
END
$$;
COMMENT ON FUNCTION privacct._make_version(regclass, jsonb, numeric, numeric, text[], text[], bigint, int, regrole)
	IS 'a version of the priors of a policy: curve and caps';

CREATE OR REPLACE FUNCTION privacct._prior_states(priors jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_agg(s ORDER BY n)
		FROM jsonb_array_elements_text(CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END->'states')
		WITH ORDINALITY u(s, n)
$$;
COMMENT ON FUNCTION privacct._prior_states(jsonb)
	IS 'the values of an entry that a prior knows; null: numbers in an interval';

CREATE OR REPLACE FUNCTION privacct._prior_values(priors jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT jsonb_build_array(p->'states', CASE WHEN p->>'kind' = 'gaussian' THEN coalesce(p->'centre', to_jsonb(0)) END,
		p->'bound')
	FROM (SELECT CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END) u(p)
$$;
COMMENT ON FUNCTION privacct._prior_values(jsonb)
	IS 'which values an entry can have: states, or the middle and half of an interval';

-- The entry column: its values, or the interval that they are clamped to.
CREATE OR REPLACE FUNCTION privacct._put_entry(id bigint, relation regclass, entry name, priors jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	c record := privacct._column_type(relation, entry);
	states text[] := privacct._prior_states(priors);
	one jsonb := CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END;
	lo float8 := coalesce((one->>'centre')::float8, 0) - (one->>'bound')::float8;
	hi float8 := coalesce((one->>'centre')::float8, 0) + (one->>'bound')::float8;
	numeric_type boolean := c.type IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8');
	outside bigint;
BEGIN
	PERFORM privacct._refuse_computed(relation, entry);
	IF states IS NULL AND NOT numeric_type THEN
		RAISE EXCEPTION 'column "%" cannot hold the entries of a Gaussian prior', entry
			USING ERRCODE = '42PA4', DETAIL = format('Its type is %s, which is not a number.', c.full_type);
	ELSIF states IS NOT NULL
		AND (NOT c.deterministic
		OR c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date',
		'timestamp', 'timestamptz')) THEN
		RAISE EXCEPTION 'column "%" cannot hold the entries of a prior with states', entry
			USING ERRCODE = '42PA4',
				DETAIL = format('Its type is %s%s.', c.full_type,
				CASE WHEN c.deterministic THEN '' ELSE ' with a nondeterministic collation' END),
				  HINT = 'States are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	IF states IS NOT NULL THEN
		states := privacct._normal_keys(states, c.type, c.full_type);
		IF numeric_type AND NOT EXISTS (SELECT FROM unnest(states) s WHERE s::numeric NOT BETWEEN -1e100 AND 1e100) THEN
			SELECT min(s::float8), max(s::float8) INTO lo, hi FROM unnest(states) s;
		END IF;
	END IF;
	IF numeric_type AND NOT coalesce(lo >= -1e100 AND hi <= 1e100 AND lo < hi, false) THEN
		RAISE EXCEPTION 'the values of an entry are out of range'
			USING ERRCODE = '42PA4',
				DETAIL = 'Numbers are finite, at most 1e100 in absolute value, and not all the same.';
	END IF;
	IF states IS NOT NULL THEN
		INSERT INTO privacct.domain VALUES (id, 1, entry, states, NULL, NULL, NULL, c.type, NULL);
		INSERT INTO privacct.group_key VALUES (id, entry, states, c.type, NULL);
	ELSE
		INSERT INTO privacct.domain VALUES (id, 1, entry, NULL, NULL, lo, hi, c.type, NULL);
	END IF;
	IF numeric_type THEN
		INSERT INTO privacct.bound VALUES (id, entry, lo, hi, c.type, NULL, NULL, NULL);
	END IF;
	outside := privacct._count_as_owner(relation,
		format('SELECT count(*) FROM %1$s WHERE %2$I IS NULL OR %2$I <> ALL ($1::%3$s[])',
		relation, entry, format_type(c.type, -1)), states);
	IF outside > 0 THEN
		RAISE NOTICE '% rows have entries that are not among the states', outside
			USING DETAIL = 'The prior says nothing of them: they do not count in any release.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._put_entry(bigint, regclass, name, jsonb) IS 'declares the values of the entry column';

CREATE OR REPLACE FUNCTION privacct._check_length(relation regclass, owner name, max_entries bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._longest_owner(relation, owner) > max_entries THEN
		RAISE EXCEPTION 'an owner has more rows than the policy allows'
			USING ERRCODE = '42PA4', DETAIL = format('The policy is for at most %s.', max_entries),
				  HINT = 'Give a larger max_entries, or a prior that tells about more rows.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_length(regclass, name, bigint) IS 'no owner has more rows than was declared';

CREATE OR REPLACE FUNCTION privacct._generated(relation regclass) RETURNS TABLE (column_name name, sources name[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT g.attname, array_agg(f.attname)
	FROM privacct._tree(relation) m(member)
	JOIN pg_attribute g ON g.attrelid = m.member AND g.attgenerated <> '' AND NOT g.attisdropped
	JOIN pg_attrdef e ON e.adrelid = m.member AND e.adnum = g.attnum
	JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = m.member AND d.refobjsubid <> g.attnum
		AND (d.classid, d.objid, d.objsubid)
			IN (('pg_attrdef'::regclass, e.oid, 0), ('pg_class'::regclass, m.member, g.attnum))
	JOIN pg_attribute f ON f.attrelid = m.member AND f.attnum = d.refobjsubid
	GROUP BY m.member, g.attname
$$;
COMMENT ON FUNCTION privacct._generated(regclass)
	IS 'the generated columns of a table and of its partitions, and what they are generated from';

-- A change of the entry changes nothing that is public: noise does not cover it.
CREATE OR REPLACE FUNCTION privacct._check_sources(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known name[] := p.owner_column || ARRAY(SELECT c.column_name FROM privacct.public_column c
		WHERE c.policy_id = p.policy_id);
	entry name := (SELECT d.column_name FROM privacct.domain d WHERE d.policy_id = p.policy_id
		AND p.regime = 'pufferfish');
	g record;
BEGIN
	FOR g IN SELECT * FROM privacct._generated(p.relation) LOOP
		IF g.column_name = ANY (known) AND NOT g.sources <@ known THEN
			RAISE EXCEPTION 'column "%" cannot be public', g.column_name
				USING ERRCODE = '42PA4', DETAIL = format('It is generated from columns that are not: %s.',
					(SELECT string_agg(quote_ident(s), ', ' ORDER BY s) FROM unnest(g.sources) s
					WHERE s <> ALL (known)));
		ELSIF g.column_name = entry AND g.sources <@ known THEN
			RAISE EXCEPTION 'column "%" is no secret', g.column_name
				USING ERRCODE = '42PA4', DETAIL = format('It is generated from public columns: %s.',
					(SELECT string_agg(quote_ident(s), ', ' ORDER BY s) FROM unnest(g.sources) s));
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_sources(privacct.policy)
	IS 'public columns are not generated from secret ones, nor the entry from public ones';

-- Rows that were deleted since were in the releases that were paid for: these may have
-- told as much of a secret as the most rows of an owner that were allowed then.
CREATE OR REPLACE FUNCTION privacct._check_not_shorter(v privacct.prior) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	released bigint;
	versions bigint;
	longest bigint;
BEGIN
	-- the lock fails where the snapshot is too old to show every charge; so it is for the row whatever it shows
	SELECT a.releases INTO STRICT released FROM privacct.account a WHERE a.policy_id = v.policy_id
		AND a.role = 0::regrole FOR UPDATE;
	IF released = 0 OR v.max_entries IS NULL THEN
		RETURN;
	END IF;
	SELECT count(*), CASE WHEN count(*) = count(q.max_entries) THEN max(q.max_entries) END INTO versions, longest
	-- the last of each policy, no earlier one allowed more
	FROM (SELECT DISTINCT ON (w.policy_id) w.* FROM privacct.prior w
		  WHERE (w.policy_id = v.policy_id AND w.version < v.version)
		  OR w.policy_id IN (SELECT i.source FROM privacct.inherited i WHERE i.policy_id = v.policy_id
			AND NOT privacct._is_nothing(i))
		  ORDER BY w.policy_id, w.version DESC) q;
	IF versions > 0 AND coalesce(longest > v.max_entries, true) THEN
		RAISE EXCEPTION 'max_entries cannot become less once something was released'
			USING ERRCODE = '42PA4',
				  DETAIL = CASE WHEN longest IS NULL THEN 'Earlier releases allowed any number of rows per owner.'
					ELSE format('Earlier releases allowed up to %s rows per owner.', longest) END,
				  HINT = 'Give priors for at least that many rows, and no smaller max_entries.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_not_shorter(privacct.prior)
	IS 'a version allows owners no fewer rows than the one before, under which something was released';

CREATE OR REPLACE FUNCTION privacct._protect_entries(caller regrole, relation regclass, owner name, order_by name[],
	entry name, priors jsonb,
	epsilon_pufferfish numeric, delta_pufferfish numeric, secrets text[], pairs text[], max_entries bigint, max_b int,
	kernel text, kernels text[],
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int, inherits text, fresh boolean)
	RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	v privacct.prior;
	caps record;
BEGIN
	IF owner IS NULL OR order_by IS NULL OR entry IS NULL THEN
		RAISE EXCEPTION 'owner, order_by and entry must not be null' USING ERRCODE = '22004';
	ELSIF entry = owner OR entry = ANY (order_by) THEN
		RAISE EXCEPTION 'column "%" cannot be the entry column', entry
			USING ERRCODE = '42PA4', DETAIL = 'Owner and order are no secrets; the entry is.';
	END IF;
	v := privacct._make_version(relation, priors, epsilon_pufferfish, delta_pufferfish, secrets, pairs, max_entries,
		max_b, caller);
	PERFORM privacct._check_noise('basic', kernel, kernels, 1, v.delta);
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_unprotected(relation);
	PERFORM privacct._check_policy(relation);
	PERFORM privacct._check_owner(relation, owner, false);
	PERFORM privacct._check_leads_nowhere(relation, owner, NULL);
	PERFORM privacct._check_referrers(relation, ARRAY[owner], 0::oid);
	PERFORM privacct._check_order(relation, owner, order_by);
	SELECT v.epsilon AS epsilon, v.delta AS delta, NULL::numeric AS cap_rho, v.delta AS cap_delta INTO caps;
	v.policy_id := privacct._open_policy(caller, relation, owner, caps, 2, 1, 'basic', 'pufferfish', 1, kernel,
		kernels, 1, NULL, NULL, inherits, fresh, NULL);
	v.version := 1;
	INSERT INTO privacct.prior SELECT v.*;
	PERFORM privacct._check_not_shorter(v);
	PERFORM privacct._check_length(relation, owner, v.max_entries);
	PERFORM privacct._put_entry(v.policy_id, relation, entry, priors);
	INSERT INTO privacct.public_column SELECT v.policy_id, c, n, NULL FROM unnest(order_by) WITH ORDINALITY u(c, n);
	PERFORM privacct._check_sources(privacct._policy_of(relation));
	EXECUTE format('GRANT SELECT ON %s TO privacct_reader', relation);
	PERFORM privacct._check_storage(relation, entry);
	PERFORM privacct._warn_of_storage(relation, owner, 1024, 'belong to nobody');
	PERFORM privacct._warn_of_storage(relation, entry, 1024, 'have an entry that is not read');
	PERFORM privacct._open_terms(v.policy_id, min_epsilon, time_grid, time_epsilon, workers);
	RETURN v.policy_id;
END
$$;
COMMENT ON FUNCTION privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[],
	text[], bigint, int, text, text[], numeric, interval, numeric, int, text, boolean)
	IS 'worker of protect_entries';

-- What was spent per row stays spent; only what it means changes.
CREATE OR REPLACE FUNCTION privacct._set_priors(caller regrole, relation regclass, priors jsonb,
	epsilon_pufferfish numeric, delta_pufferfish numeric,
	secrets text[], pairs text[], max_entries bigint, max_b int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy;
	old privacct.prior;
	v privacct.prior;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._hold_charges(p.policy_id);
	SELECT * INTO old FROM privacct.prior q WHERE q.policy_id = p.policy_id ORDER BY q.version DESC LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the entries of % are not protected', relation
			USING ERRCODE = '42PA4', HINT = 'Priors are for tables protected by privacct.protect_entries().';
	END IF;
	v := privacct._make_version(relation, priors, coalesce(epsilon_pufferfish, old.epsilon_pufferfish),
		coalesce(delta_pufferfish, old.delta_pufferfish),
		secrets, pairs, max_entries, max_b, caller);
	IF privacct._prior_values(priors) IS DISTINCT FROM privacct._prior_values(old.priors) THEN
		RAISE EXCEPTION 'the prior has other states than the one before'
			USING ERRCODE = '42PA4',
				HINT = 'Unprotect the table and protect its entries anew in one transaction; what was spent is carried '
				'over.';
	END IF;
	PERFORM privacct._check_length(relation, p.owner_column, v.max_entries);
	PERFORM privacct._check_noise('basic', p.kernel, p.kernels, 1, v.delta);
	v.policy_id := p.policy_id;
	v.version := old.version + 1;
	PERFORM privacct._check_not_shorter(v);
	INSERT INTO privacct.prior SELECT v.*;
	UPDATE privacct.policy q SET epsilon = v.epsilon, delta = v.delta, cap_delta = v.delta
		WHERE q.policy_id = p.policy_id;
	IF v.epsilon > old.epsilon OR v.delta > old.delta THEN
		RAISE NOTICE 'releases may now cost more than the version before promised'
			USING DETAIL = format(
				'Version %s let the change of an entry cost epsilon %s, delta %s; version %s lets it cost epsilon %s, '
				'delta %s.',
				old.version, old.epsilon, old.delta, v.version, v.epsilon, v.delta);
	END IF;
	RETURN v.version;
END
$$;
COMMENT ON FUNCTION privacct._set_priors(regrole, regclass, jsonb, numeric, numeric, text[], text[], bigint, int)
	IS 'worker of set_priors';

CREATE OR REPLACE FUNCTION privacct.pufferfish_epsilon(relation regclass, more float8) RETURNS float8
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
	-- where rounding alone would pass what is left, what is left
	SELECT CASE WHEN n.needed > n.rest AND n.needed <= n.rest * (1 + 1e-9) THEN n.rest * (1 - 4.5e-16) ELSE n.needed END
	FROM privacct.pufferfish_curve c
	CROSS JOIN LATERAL (SELECT privacct._pufferfish_needed(c.b, c.a, c.max_entries, c.entry_epsilon_spent, more),
		greatest(c.entry_epsilon_cap - c.entry_epsilon_spent, 0)::float8) n(needed, rest)
	WHERE c.relation = pufferfish_epsilon.relation
$$;
COMMENT ON FUNCTION privacct.pufferfish_epsilon(regclass, double precision)
	IS 'Pufferfish regime: the epsilon per entry of a release about all owners that would now raise what is spent by '
	'more; null if the caller may not query the table; for SET privacct.epsilon';

CREATE OR REPLACE FUNCTION privacct._pufferfish_sums(b int[], a float8[], longest bigint, epsilons float8[],
	counts float8[], OUT naive float8, OUT paper float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_sums_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[], float8[])
	IS 'what so many releases of these epsilons per row would be booked at one by one, and by the composition theorem '
	'of the paper';
