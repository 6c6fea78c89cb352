-- What one owner declares, holds open or breaks is nobody else's business.

--
-- Charges are held back for one policy, not for the database.
--

CREATE FUNCTION privacct._hold_charges(policy_id bigint) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_charges' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_charges(bigint) IS 'holds charges to a policy back until the end of the transaction';

-- Without a policy nobody guards what was granted.
CREATE FUNCTION privacct._check_closed(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_grants(relation);
	PERFORM privacct._check_views(relation);
END
$$;
COMMENT ON FUNCTION privacct._check_closed(regclass) IS 'nobody but the owner could read the table if it were not protected';

CREATE OR REPLACE FUNCTION privacct._unprotect(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._check_closed(relation);
	-- whoever succeeds this policy sees all that it spent
	PERFORM privacct._hold_charges(p.policy_id);
	IF p.regime = 'local' THEN
		PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
		UPDATE privacct.policy q SET lost = (SELECT ARRAY[max(CASE WHEN p.filter = 'basic' THEN s.worst_case ELSE s.realised END), max(s.worst_case), max(s.rho)] FROM privacct._local_states(p.relation) s)
		WHERE q.policy_id = p.policy_id;
	END IF;
	UPDATE privacct.policy q SET closed_at = now() WHERE q.policy_id = p.policy_id;
	EXECUTE format('REVOKE SELECT ON %s FROM privacct_reader', relation);
END
$$;

CREATE OR REPLACE FUNCTION privacct._check_unasked(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._hold_charges(p.policy_id);
	-- the lock fails where the snapshot is too old to show every charge
	PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF EXISTS (SELECT FROM privacct.question q WHERE q.policy_id = p.policy_id)
	   OR EXISTS (SELECT FROM privacct._charged c WHERE c.policy_id = p.policy_id AND c.charges > 0) THEN
		RAISE EXCEPTION 'the domain of % is in use', p.relation
			USING ERRCODE = 'PA004', DETAIL = 'Owners were asked already; their likelihood tables run over the domain.',
				  HINT = 'To change it, unprotect and protect the table and declare it anew; what was lost is carried over.';
	END IF;
END
$$;

CREATE OR REPLACE FUNCTION privacct._set_priors(caller regrole, relation regclass, priors jsonb, epsilon_pufferfish numeric, delta_pufferfish numeric,
	secrets text[], pairs text[], max_entries bigint, max_b int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
			USING ERRCODE = 'PA004', HINT = 'Priors are for tables protected by privacct.protect_entries().';
	END IF;
	v := privacct._make_version(relation, priors, coalesce(epsilon_pufferfish, old.epsilon_pufferfish), coalesce(delta_pufferfish, old.delta_pufferfish),
		secrets, pairs, max_entries, max_b, caller);
	IF privacct._prior_values(priors) IS DISTINCT FROM privacct._prior_values(old.priors) THEN
		RAISE EXCEPTION 'the prior has other states than the one before'
			USING ERRCODE = 'PA004', HINT = 'Unprotect the table and protect its entries anew in one transaction; what was spent is carried over.';
	END IF;
	PERFORM privacct._check_length(relation, p.owner_column, v.max_entries);
	PERFORM privacct._check_noise('basic', p.kernel, p.kernels, 1, v.delta);
	v.policy_id := p.policy_id;
	v.version := old.version + 1;
	PERFORM privacct._check_not_shorter(v);
	INSERT INTO privacct.prior SELECT v.*;
	UPDATE privacct.policy q SET epsilon = v.epsilon, delta = v.delta, cap_delta = v.delta WHERE q.policy_id = p.policy_id;
	IF v.epsilon > old.epsilon OR v.delta > old.delta THEN
		RAISE NOTICE 'releases may now cost more than the version before promised'
			USING DETAIL = format('Version %s let the change of an entry cost epsilon %s, delta %s; version %s lets it cost epsilon %s, delta %s.',
				old.version, old.epsilon, old.delta, v.version, v.epsilon, v.delta);
	END IF;
	RETURN v.version;
END
$$;

CREATE OR REPLACE FUNCTION privacct._plan_budget(caller regrole, relation regclass, slots jsonb)
	RETURNS TABLE (slot int, role regrole, kernel text, releases bigint, groups int, weight float8, scale float8,
		q float8, within float8, acceptance float8, rho float8, epsilon_alone float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	p privacct.policy;
	carried privacct.account;
	id bigint := nextval('privacct.plan_id_seq');
	planned privacct.slot[];
BEGIN
	PERFORM privacct._lock(_plan_budget.relation);
	p := privacct._policy_of(_plan_budget.relation);
	IF p.accountant <> 'plan' THEN
		RAISE EXCEPTION 'the budget of % is not managed by a plan', _plan_budget.relation
			USING ERRCODE = 'PA004', DETAIL = format('The accountant of its policy is "%s".', p.accountant),
				  HINT = 'Protect a table with accountant => ''plan''.';
	END IF;
	SELECT a.* INTO carried FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	IF p.epsilon - carried.epsilon < 1e-9 OR p.delta < carried.delta THEN
		RAISE EXCEPTION 'there is no budget left for a plan'
			USING ERRCODE = 'PA004', DETAIL = format('Earlier policies of the table spent epsilon %s, delta %s.', carried.epsilon, carried.delta),
				  HINT = 'Protect the table with a larger epsilon.';
	END IF;
	planned := ARRAY(
		SELECT ROW(p.policy_id, n.slot, id, CASE WHEN n.role IS NOT NULL THEN privacct._role(n.role::name) END, n.kernel, n.noise, n.groups,
			n.within, n.weight, n.scale, n.q, n.acceptance, n.rho, n.epsilon_alone, n.releases, 0)::privacct.slot
		FROM privacct._planned(_plan_budget.slots, p.epsilon - carried.epsilon, p.delta - carried.delta, p.max_groups_contributed, p.kernels) n);
	PERFORM privacct._hold_charges(p.policy_id);
	IF privacct._plan_is_used(p.policy_id) THEN
		RAISE EXCEPTION 'the plan of % is in use', _plan_budget.relation
			USING ERRCODE = 'PA004', DETAIL = 'A plan is fixed before its first release: its noise must not depend on an answer.',
				  HINT = 'To plan anew, unprotect and protect the table with a larger promise; this one counts as spent.';
	END IF;
	DELETE FROM privacct.slot s WHERE s.policy_id = p.policy_id;
	INSERT INTO privacct.slot SELECT * FROM unnest(planned);
	RETURN QUERY SELECT s.slot, s.role::oid::regrole, s.kernel, s.releases, s.groups, s.weight, s.scale, s.q, s.within, s.acceptance, s.rho, s.epsilon_alone
	FROM privacct.slot s WHERE s.policy_id = p.policy_id ORDER BY s.slot;
END
$$;

DROP FUNCTION privacct._hold_charges();

--
-- Sessions forget what concerns the table that changed.
--

DO $$
DECLARE
	changed text;
BEGIN
	FOREACH changed IN ARRAY '{policy,bound,group_key,quota,domain,public_column,prior,public_table,public_fanout}'::text[] LOOP
		EXECUTE pg_catalog.format('DROP TRIGGER policy_changed ON privacct.%I', changed);
		EXECUTE pg_catalog.format('CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE ON privacct.%I'
			' FOR EACH ROW EXECUTE FUNCTION privacct._policy_changed()', changed);
		EXECUTE pg_catalog.format('CREATE TRIGGER policies_gone AFTER TRUNCATE ON privacct.%I'
			' FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed()', changed);
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER policy_changed', changed);
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER policies_gone', changed);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER policy_changed ON privacct.%I IS %L', changed, 'invalidates plans over the table');
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER policies_gone ON privacct.%I IS %L', changed, 'invalidates plans');
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._policy_changed() IS 'makes every session forget its plans over a table and its copy of the policy';

--
-- What may be declared is limited: whoever asks the table keeps it in memory.
--

CREATE FUNCTION privacct._check_size(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	declared record;
BEGIN
	SELECT sum(cardinality(d.list)) AS values, sum(octet_length(array_to_string(d.list, ''))) AS bytes INTO declared
	FROM (SELECT k.keys AS list FROM privacct.group_key k WHERE k.policy_id = p.policy_id
		  UNION ALL SELECT m.points FROM privacct.domain m WHERE m.policy_id = p.policy_id AND p.regime = 'local') d;
	IF declared.values > 250000 OR declared.bytes > 16777216 THEN
		RAISE EXCEPTION 'too much is declared for %', p.relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Keys and values of its columns are %s in %s bytes; 250000 in 16 MB are allowed.', declared.values, declared.bytes),
				  HINT = 'Declare fewer or shorter keys, or let groups be selected privately.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_size(privacct.policy) IS 'limit of the keys and domains of a policy';

CREATE OR REPLACE FUNCTION privacct._set_keys(caller regrole, relation regclass, column_name name, keys text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have group keys', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s%s.', c.full_type, CASE WHEN c.deterministic THEN '' ELSE ' with a nondeterministic collation' END),
				  HINT = 'Keys are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	PERFORM privacct._check_key_list(keys);
	PERFORM privacct._check_storage(relation, column_name);
	PERFORM privacct._warn_of_storage(relation, column_name, 256, 'are in the group of null');
	normal := privacct._normal_keys(keys, c.type, c.full_type);
	INSERT INTO privacct.group_key VALUES (p.policy_id, column_name, normal, c.type)
	ON CONFLICT ON CONSTRAINT group_key_pkey DO UPDATE SET keys = normal, column_type = c.type;
	PERFORM privacct._check_size(p);
END
$$;

CREATE OR REPLACE FUNCTION privacct._set_domain(caller regrole, relation regclass, column_name name, points text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	normal text[];
BEGIN
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have a list of values', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s.', c.full_type),
				  HINT = 'Lists are for booleans, numbers, character types, uuid, dates and timestamps.';
	ELSIF points IS NULL OR cardinality(points) NOT BETWEEN 2 AND 65536 OR array_ndims(points) <> 1 THEN
		RAISE EXCEPTION 'a domain is a list of 2 to 65536 values' USING ERRCODE = 'PA004';
	ELSIF cardinality(array_positions(points, NULL)) > 1 THEN
		RAISE EXCEPTION 'null is listed more than once' USING ERRCODE = 'PA004';
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

REVOKE ALL ON FUNCTION privacct._hold_charges(bigint), privacct._check_closed(regclass), privacct._check_size(privacct.policy) FROM PUBLIC;
