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

-- What was asked since the owner of a table said something is not settled by that.
CREATE FUNCTION privacct._is_unsettled(p privacct.policy, h privacct.history) RETURNS boolean
LANGUAGE sql COST 10000 SET search_path = pg_catalog, pg_temp AS $$
	SELECT EXISTS (SELECT FROM privacct._debts(h) d WHERE NOT privacct._covers(p, d)
		AND NOT EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = p.policy_id AND u.source = d.source
			AND u.epsilon >= d.epsilon AND u.delta >= d.delta AND u.rho >= d.rho AND u.releases >= d.releases))
$$;
COMMENT ON FUNCTION privacct._is_unsettled(privacct.policy, privacct.history) IS 'true if more was charged to a table than the account of a policy has, or its owner said to have nothing to do with';

-- Of several tables that a policy covered one is named: by name, or the one that it was declared for.
CREATE FUNCTION privacct._predecessors(p privacct.policy) RETURNS SETOF privacct.history
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	WITH member AS (SELECT t.member AS oid, (privacct._describe(t.member)).* FROM privacct._tree(p.relation) t(member)),
	called AS (SELECT array_agg(n.name) AS names FROM (SELECT relation_name FROM member
			UNION SELECT unnest(own.names) FROM privacct.history own WHERE own.relation IN (SELECT oid FROM member)) n(name))
	SELECT DISTINCT ON (h.policy_id) h.*
	FROM privacct.history h CROSS JOIN called
	WHERE h.relation NOT IN (SELECT oid FROM member)
	AND (h.names && called.names OR EXISTS (SELECT FROM member m WHERE m.columns = ANY (h.column_lists)
		AND (m.table_owner = h.table_owner OR m.owner = ANY (h.owners::oid[]) OR privacct._absent(m.table_owner) = ANY (h.owners::oid[]))))
	AND privacct._has_spent(h) AND privacct._is_unsettled(p, h)
	ORDER BY h.policy_id, h.names && called.names DESC, length(h.relation_name), h.relation_name
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
		RAISE EXCEPTION 'no table % was ever protected', btrim(name)
			USING ERRCODE = 'PA004', HINT = 'inherits names a table that has spent budget, also one that was dropped.';
	ELSIF cardinality(tables) > 1 THEN
		RAISE EXCEPTION 'more than one table % was protected', btrim(name)
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
	INSERT INTO privacct.unrelated AS u
	SELECT p.policy_id, d.source, max(d.epsilon), max(d.delta), max(d.rho), max(d.releases) FROM unnest(predecessors) h CROSS JOIN LATERAL privacct._debts(h) d GROUP BY d.source
	ON CONFLICT ON CONSTRAINT unrelated_pkey DO UPDATE SET epsilon = greatest(u.epsilon, excluded.epsilon), delta = greatest(u.delta, excluded.delta),
		rho = greatest(u.rho, excluded.rho), releases = greatest(u.releases, excluded.releases);
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
	-- commas that an even number of quotes follows
	FOREACH name IN ARRAY coalesce(regexp_split_to_array(inherits, ',(?=(?:[^"]*"[^"]*")*[^"]*$)'), '{}') LOOP
		PERFORM privacct._start_from(p, ARRAY(SELECT h FROM privacct._histories_named(name, p, caller) h), caller, jsonb_build_object('inherits', btrim(name)));
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
-- A protected table that takes another's name
--

CREATE FUNCTION privacct._check_name(p privacct.policy, name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	spent text := (SELECT string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name) FROM privacct.history h
		WHERE name = ANY (h.names) AND h.relation NOT IN (SELECT privacct._tree(p.relation)) AND privacct._has_spent(h) AND privacct._is_unsettled(p, h));
BEGIN
	IF spent IS NOT NULL THEN
		RAISE EXCEPTION 'a protected table would have the name %, under which budget was spent', name
			USING ERRCODE = 'PA004',
				  DETAIL = format('These had that name, and have charges that the account of %s does not know: %s.', p.relation, spent),
				  HINT = format('In one transaction: SELECT privacct.unprotect() of the table; then this statement; then SELECT privacct.protect() with inherits => %L, or with fresh => true if it has no rows of the same persons.', spent);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_name(privacct.policy, text) IS 'what a policy covers does not take the name of another table that has spent budget';

CREATE FUNCTION privacct._check_new_name() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_name(p, NEW.relation_name) FROM privacct.policy p WHERE p.policy_id = NEW.policy_id;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._check_new_name() IS '_check_name of a table that is renamed';
CREATE TRIGGER new_name AFTER UPDATE OF relation_name ON privacct.history FOR EACH ROW
	WHEN (NEW.relation_name <> OLD.relation_name AND NEW.left_at IS NULL) EXECUTE FUNCTION privacct._check_new_name();
COMMENT ON TRIGGER new_name ON privacct.history IS 'a protected table does not take the name of another that has spent budget';

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
REVOKE ALL ON FUNCTION privacct._has_spent(privacct.history), privacct._is_unsettled(privacct.policy, privacct.history), privacct._predecessors(privacct.policy), privacct._same_name(text, text),
	privacct._histories_named(text, privacct.policy, regrole), privacct._refuse_predecessors(privacct.policy, privacct.history[]),
	privacct._check_name(privacct.policy, text), privacct._check_new_name(), privacct._start_fresh(privacct.policy, privacct.history[], regrole), privacct._settle_predecessors(regrole, bigint, text, boolean),
	privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int, text, boolean),
	privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int, text, boolean)
	FROM PUBLIC;
