--
-- A table that takes another's place.
--
-- Nothing tells the database whether a table with the name of another, or with its
-- owner and its columns, holds the rows of the same persons: a new version of it, a
-- copy, what was loaded again after a drop.  Whoever protects it says so.
--

CREATE FUNCTION privacct._has_spent(h privacct.history) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN h.left_at IS NULL
		THEN EXISTS (SELECT FROM privacct.account a WHERE a.policy_id = h.policy_id AND a.role = 0::regrole AND (a.releases > 0 OR a.epsilon > 0 OR a.delta > 0 OR a.rho > 0))
			OR EXISTS (SELECT FROM privacct._paid l WHERE l.policy_id = h.policy_id AND (l.epsilon > 0 OR l.delta > 0 OR l.rho > 0))
		ELSE h.releases > 0 OR h.epsilon > 0 OR h.delta > 0 OR h.rho > 0
			OR EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = h.policy_id AND NOT privacct._is_nothing(i)) END
$$;
COMMENT ON FUNCTION privacct._has_spent(privacct.history) IS 'true if something was charged to a table, under the policy or before';

-- One of them for each policy: by name, or the one that the policy was declared for.
-- A policy from which one started, or with which it was said to have nothing in
-- common, stands for those that came of it too.
CREATE FUNCTION privacct._predecessors(p privacct.policy) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH member AS (SELECT t.member AS oid, (privacct._describe(t.member)).* FROM privacct._tree(p.relation) t(member)),
	known AS (SELECT p.policy_id AS id UNION SELECT i.source FROM privacct.inherited i WHERE i.policy_id = p.policy_id
			  UNION SELECT h.policy_id FROM privacct.history h JOIN member m ON m.oid = h.relation)
	SELECT DISTINCT ON (h.policy_id) h.*
	FROM member m
	CROSS JOIN LATERAL (SELECT DISTINCT unnest(m.relation_name || coalesce(array_agg(n.name), '{}'))
		FROM privacct.history own CROSS JOIN LATERAL unnest(own.names) n(name) WHERE own.relation = m.oid) called(name)
	JOIN privacct.history h ON called.name = ANY (h.names) OR (h.table_owner = m.table_owner AND h.columns = m.columns)
	WHERE h.relation NOT IN (SELECT oid FROM member) AND h.policy_id NOT IN (SELECT id FROM known)
	AND NOT EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = h.policy_id AND i.source IN (SELECT id FROM known))
	AND privacct._has_spent(h)
	ORDER BY h.policy_id, called.name = ANY (h.names) DESC, length(h.relation_name), h.relation_name
$$;
COMMENT ON FUNCTION privacct._predecessors(privacct.policy) IS 'histories of other tables, with charges that the policy knows nothing of, whose names or owner and columns its tables have';

-- Names are compared as identifiers are read; one without a schema is looked for in all.
CREATE FUNCTION privacct._same_name(asked text, relation_name text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	wanted text[] := parse_ident(asked);
	had text[] := parse_ident(relation_name);
BEGIN
	RETURN CASE cardinality(wanted) WHEN 1 THEN wanted[1] = had[2] ELSE wanted = had END;
END
$$;
COMMENT ON FUNCTION privacct._same_name(text, text) IS 'true if a name, with or without a schema, is that of a table';

CREATE FUNCTION privacct._histories_named(name text, p privacct.policy, caller regrole) RETURNS SETOF privacct.history
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	others privacct.history[] := ARRAY(SELECT h FROM privacct.history h WHERE h.relation NOT IN (SELECT privacct._tree(p.relation)));
	found privacct.history[] := ARRAY(SELECT o FROM unnest(others) o WHERE privacct._same_name(name, o.relation_name));
	tables text[];
	h privacct.history;
BEGIN
	IF found = '{}' THEN		-- nothing has that name now: whatever had it once
		found := ARRAY(SELECT o FROM unnest(others) o WHERE EXISTS (SELECT FROM unnest(o.names) n WHERE privacct._same_name(name, n)));
	END IF;
	tables := ARRAY(SELECT DISTINCT f.relation_name FROM unnest(found) f ORDER BY 1);
	IF tables = '{}' THEN
		RAISE EXCEPTION 'no table % was ever protected', name
			USING ERRCODE = 'PA004', HINT = 'inherits names a table that has spent budget, also one that was dropped.';
	ELSIF cardinality(tables) > 1 THEN
		RAISE EXCEPTION 'more than one table % was protected', name
			USING ERRCODE = 'PA004', DETAIL = format('They are: %s.', array_to_string(tables, ', ')), HINT = 'Name it with its schema.';
	END IF;
	FOREACH h IN ARRAY found LOOP
		IF NOT coalesce((SELECT pg_has_role(caller::oid, coalesce(c.relowner, r.oid), 'USAGE')
						 FROM (SELECT) one LEFT JOIN pg_class c ON c.oid = h.relation LEFT JOIN pg_roles r ON r.rolname = h.table_owner),
						(SELECT r.rolsuper FROM pg_roles r WHERE r.oid = caller)) THEN
			RAISE EXCEPTION 'must be owner of table %', h.relation_name USING ERRCODE = '42501';
		END IF;
		RETURN NEXT h;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._histories_named(text, privacct.policy, regrole) IS 'the histories of one table, by its name, which is none of the policy, if they are the caller''s';

CREATE FUNCTION privacct._refuse_predecessors(p privacct.policy, predecessors privacct.history[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	listed text := (SELECT string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name) FROM unnest(predecessors) h);
BEGIN
	RAISE EXCEPTION 'table % may hold rows of persons whose budget was spent', p.relation
		USING ERRCODE = 'PA004',
			  DETAIL = format('With its name, or with its owner and its columns, these have spent budget: %s.', listed),
			  HINT = format('If it holds rows of the same persons, start from what was spent: inherits => %L.  If it does not, say fresh => true.', listed);
END
$$;
COMMENT ON FUNCTION privacct._refuse_predecessors(privacct.policy, privacct.history[]) IS 'asks whoever protects a table what it has to do with others';

CREATE FUNCTION privacct._start_fresh(p privacct.policy, predecessors privacct.history[], caller regrole) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	INSERT INTO privacct.inherited SELECT p.policy_id, h.policy_id, 0, 0, 0, 0, 0, 0, NULL FROM unnest(predecessors) h;
	-- no charge: nothing is carried, and the ledger says from where
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT p.policy_id, now(), caller::text, caller::text, 0, 0, 0,
		jsonb_build_object('carried_from_policy', NULL, 'fresh', jsonb_agg(DISTINCT h.relation_name))
	FROM unnest(predecessors) h HAVING count(*) > 0
$$;
COMMENT ON FUNCTION privacct._start_fresh(privacct.policy, privacct.history[], regrole) IS 'writes down that a table has nothing to do with others that look like it';

CREATE FUNCTION privacct._settle_predecessors(caller regrole, id bigint, inherits text, fresh boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = id);
	name text;
	predecessors privacct.history[];
BEGIN
	PERFORM privacct._describe_again(ARRAY(SELECT h.relation::oid FROM privacct.history h WHERE h.relation <> 0));
	FOREACH name IN ARRAY coalesce(regexp_split_to_array(inherits, '\s*,\s*'), '{}') LOOP
		PERFORM privacct._start_from(p, ARRAY(SELECT h FROM privacct._histories_named(name, p, caller) h), caller, jsonb_build_object('inherits', name));
	END LOOP;
	predecessors := ARRAY(SELECT h FROM privacct._predecessors(p) h);
	IF fresh THEN
		PERFORM privacct._start_fresh(p, predecessors, caller);
	ELSIF predecessors <> '{}' THEN
		PERFORM privacct._refuse_predecessors(p, predecessors);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._settle_predecessors(regrole, bigint, text, boolean) IS 'starts a policy from what other tables have spent, or not, as its owner says';

--
-- The declarations, with what was there before at the end
--

CREATE FUNCTION privacct._protect(caller regrole, relation regclass, owner name, epsilon numeric, delta numeric,
	max_groups_contributed int, max_rows_contributed int, accountant text, accounting text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int,
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int, inherits text, fresh boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	id bigint;
BEGIN
	id := privacct._protect(caller, relation, owner, epsilon, delta, max_groups_contributed, max_rows_contributed, accountant, accounting, regime,
		min_owners, kernel, kernels, sample_rate, filter, answer_group, min_epsilon, time_grid, time_epsilon, workers);
	PERFORM privacct._settle_predecessors(caller, id, inherits, fresh);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int, text, boolean)
	IS 'worker of protect: the policy and its terms, then what other tables have to do with it';

DROP FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int);
CREATE FUNCTION privacct.protect(relation regclass, owner name, epsilon numeric DEFAULT 1, delta numeric DEFAULT 1e-6,
	max_groups_contributed int DEFAULT NULL, max_rows_contributed int DEFAULT NULL, accountant text DEFAULT 'basic',
	accounting text DEFAULT 'table', regime text DEFAULT 'central', min_owners int DEFAULT 1, kernel text DEFAULT NULL,
	kernels text[] DEFAULT NULL, sample_rate float8 DEFAULT 1, filter text DEFAULT 'full',
	answer_group int DEFAULT 0, min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0, inherits text DEFAULT NULL, fresh boolean DEFAULT false)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int, text, boolean)
	IS 'declares a table protected: everything released from it is (epsilon, delta)-differentially private for each owner; regime => ''local'': each owner''s answers together are, as the filter promises; inherits: it starts from what these tables have spent, which hold rows of the same persons; fresh: it has nothing to do with others of its name, or of its owner and columns';

CREATE FUNCTION privacct._protect_entries(caller regrole, relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric, delta_pufferfish numeric, secrets text[], pairs text[], max_entries bigint, max_b int, kernel text, kernels text[],
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int, inherits text, fresh boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	id bigint;
BEGIN
	id := privacct._protect_entries(caller, relation, owner, order_by, entry, priors, epsilon_pufferfish, delta_pufferfish,
		secrets, pairs, max_entries, max_b, kernel, kernels, min_epsilon, time_grid, time_epsilon, workers);
	PERFORM privacct._settle_predecessors(caller, id, inherits, fresh);
	PERFORM privacct._check_not_shorter(v) FROM privacct.prior v WHERE v.policy_id = id;
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int, text, boolean)
	IS 'worker of protect_entries: the policy and its terms, then what other tables have to do with it';

DROP FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int);
CREATE FUNCTION privacct.protect_entries(relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric DEFAULT 1, delta_pufferfish numeric DEFAULT 0, secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL,
	max_entries bigint DEFAULT NULL, max_b int DEFAULT 300, kernel text DEFAULT NULL, kernels text[] DEFAULT NULL,
	min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL, time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0,
	inherits text DEFAULT NULL, fresh boolean DEFAULT false)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int, text, boolean)
	IS 'declares the entries of a table protected: whoever believes one of the priors can tell two secret values of an entry apart by a factor of e^epsilon_pufferfish at most, whatever is released';

DO $$
DECLARE
	declaration pg_catalog.regprocedure;
BEGIN
	FOR declaration IN SELECT f.oid FROM pg_catalog.pg_proc f
		WHERE f.pronamespace = 'privacct'::pg_catalog.regnamespace AND f.proname IN ('protect', 'protect_entries')
	LOOP
		EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', declaration);
		EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO privacct_admin', declaration);
	END LOOP;
END
$$;
REVOKE ALL ON FUNCTION privacct._has_spent(privacct.history), privacct._predecessors(privacct.policy), privacct._same_name(text, text),
	privacct._histories_named(text, privacct.policy, regrole), privacct._refuse_predecessors(privacct.policy, privacct.history[]),
	privacct._start_fresh(privacct.policy, privacct.history[], regrole), privacct._settle_predecessors(regrole, bigint, text, boolean),
	privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int, text, boolean),
	privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int, text, boolean)
	FROM PUBLIC;
