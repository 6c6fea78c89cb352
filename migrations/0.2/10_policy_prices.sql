--
-- What a policy says of each release beside its noise: the least that it costs,
-- when it is handed up, how many workers read for it.
--

ALTER TABLE privacct.policy
	ADD COLUMN min_epsilon numeric CHECK (min_epsilon > 0 AND min_epsilon <= 1e6),
	ADD COLUMN time_grid interval CHECK (time_grid > '0'),
	ADD COLUMN time_epsilon numeric CHECK (time_epsilon > 0 AND time_epsilon <= 1e6),
	ADD COLUMN workers int NOT NULL DEFAULT 0 CHECK (workers BETWEEN 0 AND 1024);
COMMENT ON COLUMN privacct.policy.min_epsilon IS 'the least that a release costs; under zcdp the rho that it stands for at cap_delta; null: a ten-thousandth of the cap';
COMMENT ON COLUMN privacct.policy.time_grid IS 'releases are handed up 1, 2, 4, 8, ... times so long after they began; null: as soon as they are done';
COMMENT ON COLUMN privacct.policy.time_epsilon IS 'what a release costs in addition for noise on its time; null: no noise on time';
COMMENT ON COLUMN privacct.policy.workers IS 'parallel workers that each release asks for, whatever the size of the table';

-- Terms may be loosened as well as tightened: each release is charged for what it
-- was made under, and what earlier ones promised stays true.  Who loosens them is told.
CREATE FUNCTION privacct._check_release_terms(p privacct.policy, min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF p.accountant = 'plan' AND min_epsilon IS NOT NULL THEN
		RAISE EXCEPTION 'releases under a plan have no least price'
			USING ERRCODE = 'PA004', DETAIL = 'Its slots are the only releases.', HINT = 'Leave min_epsilon out.';
	ELSIF NOT (min_epsilon >= 1e-9 AND min_epsilon <= p.epsilon) THEN
		RAISE EXCEPTION 'min_epsilon is out of range'
			USING ERRCODE = 'PA004', DETAIL = format('It must be from 1e-9 to what all releases may cost together, which is %s.', p.epsilon),
				  HINT = 'Leave it out for a ten-thousandth of that.';
	ELSIF extract(month FROM time_grid) <> 0 OR extract(year FROM time_grid) <> 0
		OR NOT (time_grid >= '1 ms' AND time_grid <= '1 minute') THEN
		RAISE EXCEPTION 'time_grid is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It must be from 1 millisecond to 1 minute.', HINT = 'For example time_grid => ''50 ms''.';
	ELSIF workers IS NULL OR workers NOT BETWEEN 0 AND 1024 THEN
		RAISE EXCEPTION 'workers is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It must be from 0 (none) to 1024.';
	ELSIF workers > 0 AND (time_grid IS NOT NULL OR time_epsilon IS NOT NULL) THEN
		RAISE EXCEPTION 'time_grid and time_epsilon cannot be combined with workers'
			USING ERRCODE = 'PA004', DETAIL = 'Other sessions can see when workers end.', HINT = 'Set workers to 0, or leave time_grid and time_epsilon out.';
	ELSIF time_epsilon IS NOT NULL THEN
		PERFORM privacct._check_time_epsilon(p, time_epsilon);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_release_terms(privacct.policy, numeric, interval, numeric, int) IS 'ranges of the terms of releases, and what fits a policy';

-- Why not everywhere: a local policy keeps a budget for each owner by a filter that
-- has no delta, and a question would cost each of them the time's epsilon in full,
-- which is more than answers give away; a plan composes the noise of its slots, and
-- time has none.
CREATE FUNCTION privacct._check_time_epsilon(p privacct.policy, time_epsilon numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (time_epsilon >= 1e-6 AND time_epsilon <= p.epsilon) THEN
		RAISE EXCEPTION 'time_epsilon is out of range'
			USING ERRCODE = 'PA004', DETAIL = format('It must be from 1e-6 to what all releases may cost together, which is %s.', p.epsilon),
				  HINT = 'Usual values are as large as the epsilon of a release.';
	ELSIF p.regime = 'local' THEN
		RAISE EXCEPTION 'a local policy cannot have noise on time'
			USING ERRCODE = 'PA004', DETAIL = 'Every owner who is asked would lose time_epsilon with each question, and a delta, which their budgets do not have.',
				  HINT = 'Use time_grid.';
	ELSIF p.accountant = 'plan' THEN
		RAISE EXCEPTION 'a plan cannot have noise on time'
			USING ERRCODE = 'PA004', DETAIL = 'Its slots were composed without it.', HINT = 'Use time_grid, or another accountant.';
	ELSIF p.cap_delta = 0 THEN
		RAISE EXCEPTION 'noise on time needs a delta above 0'
			USING ERRCODE = 'PA004', DETAIL = 'A delay is limited, and what lies beyond the limit is a delta.',
				  HINT = 'Give a delta, for example 1e-6, or use time_grid.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_time_epsilon(privacct.policy, numeric) IS 'whether a policy can have noise on time';

CREATE FUNCTION privacct._terms_of(relation regclass, OUT least_price numeric, OUT time_delta numeric, OUT mean_delay interval, OUT longest_delay interval)
	AS 'MODULE_PATHNAME', 'pa_release_terms' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._terms_of(regclass) IS 'what follows from the terms of releases: the least price in the currency of the accountant, the delta and the delays of noise on time; for whoever may ask the table, and its owner';

CREATE FUNCTION privacct._put_release_terms(id bigint, min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	delta numeric;
BEGIN
	PERFORM privacct._check_release_terms((SELECT p FROM privacct.policy p WHERE p.policy_id = id), min_epsilon, time_grid, time_epsilon, workers);
	UPDATE privacct.policy p SET min_epsilon = trim_scale(min_epsilon), time_grid = time_grid, time_epsilon = trim_scale(time_epsilon), workers = workers
	WHERE p.policy_id = id;
	-- errors out on delays that are too long
	delta := (privacct._terms_of((SELECT p.relation FROM privacct.policy p WHERE p.policy_id = id))).time_delta;
	IF EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = id AND q.cap_delta < delta) THEN
		RAISE NOTICE 'the budgets of some roles have no delta to pay for noise on time'
			USING DETAIL = format('It costs delta %s with each release.', delta), HINT = 'Grant them one with privacct.grant_budget().';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._put_release_terms(bigint, numeric, interval, numeric, int) IS 'checks and writes the terms of releases';

CREATE FUNCTION privacct._tell_of_terms(old privacct.policy, new privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF coalesce(new.min_epsilon, new.epsilon / 10000) < coalesce(old.min_epsilon, old.epsilon / 10000) AND old.accountant <> 'plan' THEN
		RAISE NOTICE 'releases may now cost less' USING DETAIL = 'So there may be more of them, and more looks at their time.';
	END IF;
	IF coalesce(new.time_grid::text, new.time_epsilon::text) IS NULL AND coalesce(old.time_grid::text, old.time_epsilon::text) IS NOT NULL THEN
		RAISE NOTICE 'releases are now returned as soon as they are done'
			USING DETAIL = 'Their time tells more than the time of earlier ones.';
	ELSIF new.time_epsilon IS NULL AND old.time_epsilon IS NOT NULL THEN
		RAISE NOTICE 'releases now have no noise on time'
			USING DETAIL = 'Their time tells more than the time of earlier ones.';
	ELSIF new.time_epsilon IS NULL AND new.time_grid < old.time_grid THEN
		RAISE NOTICE 'releases are now returned on a finer grid'
			USING DETAIL = 'Their time tells more than the time of earlier ones.';
	ELSIF new.time_epsilon > old.time_epsilon THEN
		RAISE NOTICE 'the time of a release may now tell more' USING DETAIL = 'It is charged for that.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_of_terms(privacct.policy, privacct.policy) IS 'says where the terms of releases promise less than those of before';

CREATE FUNCTION privacct._set_release_terms(caller regrole, relation regclass, min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	old privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	old := privacct._policy_of(relation);
	PERFORM privacct._put_release_terms(old.policy_id, min_epsilon, time_grid, time_epsilon, workers);
	PERFORM privacct._tell_of_terms(old, privacct._policy_of(relation));
END
$$;
COMMENT ON FUNCTION privacct._set_release_terms(regrole, regclass, numeric, interval, numeric, int) IS 'worker of set_release_terms';

CREATE FUNCTION privacct.set_release_terms(relation regclass, min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_release_terms(regclass, numeric, interval, numeric, int)
	IS 'the least price of a release, the grid and the noise of its time, its workers, from the next release on; what is left out gets its default';
REVOKE ALL ON FUNCTION privacct.set_release_terms(regclass, numeric, interval, numeric, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.set_release_terms(regclass, numeric, interval, numeric, int) TO PUBLIC;

CREATE VIEW privacct._asked_policy WITH (security_barrier) AS
SELECT p.* FROM privacct.policy p
WHERE p.closed_at IS NULL
  AND (privacct._administers(p.relation) OR EXISTS (SELECT FROM privacct.quota u WHERE u.policy_id = p.policy_id AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
OFFSET 0;
COMMENT ON VIEW privacct._asked_policy IS 'open policies of tables that the user may ask, or administers';
REVOKE ALL ON privacct._asked_policy FROM PUBLIC;

-- Everything here is public: whoever asks sees it in the costs of releases.
CREATE VIEW privacct.release_terms WITH (security_barrier) AS
SELECT p.relation, p.accountant, CASE WHEN p.cap_rho IS NULL THEN t.least_price END AS least_epsilon, CASE WHEN p.cap_rho IS NOT NULL THEN t.least_price END AS least_rho,
	   p.min_epsilon, p.time_grid, p.time_epsilon, t.time_delta, t.mean_delay, t.longest_delay, p.workers
FROM privacct._asked_policy p
CROSS JOIN LATERAL privacct._terms_of(p.relation) t;
COMMENT ON VIEW privacct.release_terms IS 'per policy: the least that a release costs (null under a plan), the grid and the noise of its time, with the delta that this costs and how long it holds a release back, and workers; shown to whoever may ask the table';

-- What each policy has released, as in 0.1, and beside it what time has cost, which
-- a sample of owners does not amplify.
CREATE OR REPLACE VIEW privacct._mechanism AS
WITH RECURSIVE chain(policy_id, source) AS (
	SELECT p.policy_id, p.policy_id FROM privacct.policy p
	UNION
	SELECT c.policy_id, (l.detail->>'carried_from_policy')::bigint FROM chain c JOIN privacct.ledger l ON l.policy_id = c.source
	WHERE l.detail ? 'carried_from_policy'),
release AS (
	SELECT c.policy_id,
		(SELECT pg_catalog.jsonb_agg(
			CASE WHEN s ? 'noise'
			THEN pg_catalog.jsonb_build_object('noise', s->'noise', 'steps', s->'steps', 'groups', l.detail->'groups_per_owner')
			ELSE pg_catalog.jsonb_build_object('epsilon', s->'epsilon', 'delta', s->'delta') END)
		 FROM pg_catalog.jsonb_array_elements(l.detail->'statistics') s) AS statistics,
		l.detail->'rest' AS rest, l.detail->'selection_delta' AS delta, l.detail->'sample_rate' AS rate, c.source = c.policy_id AS own, pg_catalog.count(*) AS count
	FROM chain c JOIN privacct.ledger l ON l.policy_id = c.source
	WHERE NOT l.detail ?| '{carried_from_policy,regime}'
	GROUP BY 1, 2, 3, 4, 5, 6
	UNION ALL
	SELECT c.policy_id, NULL, pg_catalog.jsonb_build_object('epsilon', l.detail->'time'->'epsilon', 'delta', l.detail->'time'->'delta'),
		NULL, NULL, c.source = c.policy_id, pg_catalog.count(*)
	FROM chain c JOIN privacct.ledger l ON l.policy_id = c.source
	WHERE l.detail ? 'time'
	GROUP BY 1, 3, 6)
SELECT r.policy_id, pg_catalog.jsonb_agg(m) AS mechanisms, pg_catalog.jsonb_agg(m) FILTER (WHERE r.own) AS own
FROM release r CROSS JOIN LATERAL pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'statistics', coalesce(r.statistics, '[]') || CASE WHEN r.rest IS NULL THEN '[]' ELSE pg_catalog.jsonb_build_array(r.rest) END,
		'delta', r.delta, 'sample_rate', r.rate, 'count', r.count)) m
GROUP BY r.policy_id;

--
-- The declarations, with the terms at the end
--

CREATE FUNCTION privacct._open_terms(id bigint, min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	policy privacct.policy;
	old privacct.policy;
BEGIN
	PERFORM privacct._put_release_terms(id, min_epsilon, time_grid, time_epsilon, workers);
	SELECT p.* INTO policy FROM privacct.policy p WHERE p.policy_id = id;
	SELECT p.* INTO old FROM privacct.policy p WHERE p.relation = policy.relation AND p.policy_id < id ORDER BY p.policy_id DESC LIMIT 1;
	PERFORM privacct._tell_of_terms(old, policy) WHERE old.policy_id IS NOT NULL;
END
$$;
COMMENT ON FUNCTION privacct._open_terms(bigint, numeric, interval, numeric, int) IS 'terms of releases under a new policy';

CREATE FUNCTION privacct._protect(caller regrole, relation regclass, owner name, epsilon numeric, delta numeric,
	max_groups_contributed int, max_rows_contributed int, accountant text, accounting text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int,
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	id bigint;
BEGIN
	id := privacct._protect(caller, relation, owner, epsilon, delta, max_groups_contributed, max_rows_contributed, accountant, accounting, regime,
		min_owners, kernel, kernels, sample_rate, filter, answer_group);
	PERFORM privacct._warn_of_storage(relation, owner, 1024, 'belong to nobody');
	PERFORM privacct._open_terms(id, min_epsilon, time_grid, time_epsilon, workers);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int)
	IS 'worker of protect: the policy, then the terms of its releases';

DROP FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int);
CREATE FUNCTION privacct.protect(relation regclass, owner name, epsilon numeric DEFAULT 1, delta numeric DEFAULT 1e-6,
	max_groups_contributed int DEFAULT NULL, max_rows_contributed int DEFAULT NULL, accountant text DEFAULT 'basic',
	accounting text DEFAULT 'table', regime text DEFAULT 'central', min_owners int DEFAULT 1, kernel text DEFAULT NULL,
	kernels text[] DEFAULT NULL, sample_rate float8 DEFAULT 1, filter text DEFAULT 'full',
	answer_group int DEFAULT 0, min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL,
	time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int)
	IS 'declares a table protected: everything released from it is (epsilon, delta)-differentially private for each owner; regime => ''local'': each owner''s answers together are, as the filter promises';
REVOKE ALL ON FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int) TO PUBLIC;

CREATE FUNCTION privacct._protect_entries(caller regrole, relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric, delta_pufferfish numeric, secrets text[], pairs text[], max_entries bigint, max_b int, kernel text, kernels text[],
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	id bigint;
BEGIN
	id := privacct._protect_entries(caller, relation, owner, order_by, entry, priors, epsilon_pufferfish, delta_pufferfish,
		secrets, pairs, max_entries, max_b, kernel, kernels);
	PERFORM privacct._check_storage(relation, entry);
	PERFORM privacct._warn_of_storage(relation, owner, 1024, 'belong to nobody');
	PERFORM privacct._warn_of_storage(relation, entry, 1024, 'have an entry that is not read');
	PERFORM privacct._open_terms(id, min_epsilon, time_grid, time_epsilon, workers);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int)
	IS 'worker of protect_entries: the policy, then the terms of its releases';

DROP FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[]);
CREATE FUNCTION privacct.protect_entries(relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric DEFAULT 1, delta_pufferfish numeric DEFAULT 0, secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL,
	max_entries bigint DEFAULT NULL, max_b int DEFAULT 300, kernel text DEFAULT NULL, kernels text[] DEFAULT NULL,
	min_epsilon numeric DEFAULT NULL, time_grid interval DEFAULT NULL, time_epsilon numeric DEFAULT NULL, workers int DEFAULT 0)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int)
	IS 'declares the entries of a table protected: whoever believes one of the priors can tell two secret values of an entry apart by a factor of e^epsilon_pufferfish at most, whatever is released';
REVOKE ALL ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int) TO PUBLIC;

--
-- Privileges
--

REVOKE ALL ON FUNCTION
	privacct._check_release_terms(privacct.policy, numeric, interval, numeric, int),
	privacct._check_time_epsilon(privacct.policy, numeric),
	privacct._put_release_terms(bigint, numeric, interval, numeric, int),
	privacct._open_terms(bigint, numeric, interval, numeric, int),
	privacct._tell_of_terms(privacct.policy, privacct.policy),
	privacct._set_release_terms(regrole, regclass, numeric, interval, numeric, int),
	privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int, numeric, interval, numeric, int),
	privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[], numeric, interval, numeric, int)
	FROM PUBLIC;
REVOKE ALL ON FUNCTION privacct._terms_of(regclass) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct._terms_of(regclass) TO PUBLIC;
REVOKE ALL ON privacct.release_terms FROM PUBLIC;
GRANT SELECT ON privacct.release_terms TO PUBLIC;
