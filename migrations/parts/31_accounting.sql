-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Arithmetic of accountants, and terms of releases.
--

--
-- Arithmetic of accountants
--

CREATE OR REPLACE FUNCTION privacct._cap(accountant text, epsilon numeric, delta numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'pa_accountant_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._cap(text, numeric, numeric)
	IS 'how much of the currency of an accountant implies (epsilon, delta), rounded down';

-- Of an amount that was converted no more than four digits mean anything.
CREATE OR REPLACE FUNCTION privacct._four_digits(amount numeric, up boolean) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN amount <= 0 THEN amount
		ELSE trim_scale(CASE WHEN up THEN ceil(amount * d.scale) ELSE floor(amount * d.scale) END / d.scale) END
	FROM (SELECT 10::numeric ^ (3 - floor(log(CASE WHEN amount > 0 THEN amount ELSE 1 END)))::int) d(scale)
$$;
COMMENT ON FUNCTION privacct._four_digits(numeric, boolean) IS 'an amount with four digits, rounded up or down';

CREATE OR REPLACE FUNCTION privacct._worth(accountant text, spent numeric, delta numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'pa_accountant_worth' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._worth(text, numeric, numeric)
	IS 'epsilon that an amount of the currency of an accountant implies at delta, rounded up';

-- The caps of a promise.  Where a currency is converted, half of delta pays for that,
-- and the other half for what charges themselves cost.
CREATE OR REPLACE FUNCTION privacct._caps(accountant text, INOUT epsilon numeric, INOUT delta numeric,
	OUT cap_rho numeric, OUT cap_delta numeric)
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_amounts(accountant, epsilon, delta);
	epsilon := trim_scale(trunc(epsilon, 30));
	delta := trim_scale(trunc(delta, 30));
	cap_delta := CASE WHEN accountant = ANY (privacct._accountants('pure')) THEN delta
		ELSE trim_scale(trunc(delta * 0.5, 30)) END;
	IF privacct._currency(accountant) = 'rho' THEN
		cap_rho := privacct._cap(accountant, epsilon, cap_delta);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._caps(text, numeric, numeric)
	IS 'what charges may sum to under an accountant, rounded down; a column for each currency';

-- The library takes the argument by its place: currencies are in its order.
CREATE OR REPLACE FUNCTION privacct._spent(accountant text, epsilon numeric, rho numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'pa_accountant_spent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._spent(text, numeric, numeric)
	IS 'that of the sums of an account which is in the currency of the accountant';

CREATE OR REPLACE FUNCTION privacct._most_lost(p privacct.policy) RETURNS numeric
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(CASE WHEN p.closed_at IS NULL
		THEN (SELECT max(s.realised) FROM privacct._local_states(p.relation) s) ELSE p.lost[1] END, 0)::numeric
$$;
COMMENT ON FUNCTION privacct._most_lost(privacct.policy) IS 'local regime: the most that an owner has lost';

--
-- What a policy says of each release beside its noise: the least that it costs,
-- when it is handed up, how many workers read for it.
--

-- Terms may be loosened as well as tightened: each release is charged for what it
-- was made under, and what earlier ones promised stays true.  Who loosens them is told.
CREATE OR REPLACE FUNCTION privacct._check_release_terms(p privacct.policy, min_epsilon numeric, time_grid interval,
	time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF min_epsilon IS NOT NULL AND p.accountant = ANY (privacct._accountants('planned')) THEN
		RAISE EXCEPTION 'releases under a plan have no least price'
			USING ERRCODE = '42PA4', DETAIL = 'Its slots are the only releases.', HINT = 'Leave min_epsilon out.';
	ELSIF NOT (min_epsilon >= 1e-9 AND min_epsilon <= p.epsilon) THEN
		RAISE EXCEPTION 'min_epsilon is out of range'
			USING ERRCODE = '42PA4',
				DETAIL = format('It must be from 1e-9 to what all releases may cost together, which is %s.', p.epsilon),
				  HINT = 'Leave it out for a ten-thousandth of that.';
	ELSIF extract(month FROM time_grid) <> 0 OR extract(year FROM time_grid) <> 0
		OR NOT (time_grid >= '1 ms' AND time_grid <= '1 minute') THEN
		RAISE EXCEPTION 'time_grid is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It must be from 1 millisecond to 1 minute.',
				HINT = 'For example time_grid => ''50 ms''.';
	ELSIF workers IS NULL OR workers NOT BETWEEN 0 AND 1024 THEN
		RAISE EXCEPTION 'workers is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It must be from 0 (none) to 1024.';
	ELSIF workers > 0 AND (time_grid IS NOT NULL OR time_epsilon IS NOT NULL) THEN
		RAISE EXCEPTION 'time_grid and time_epsilon cannot be combined with workers'
			USING ERRCODE = '42PA4', DETAIL = 'Other sessions can see when workers end.',
				HINT = 'Set workers to 0, or leave time_grid and time_epsilon out.';
	ELSIF time_epsilon IS NOT NULL THEN
		PERFORM privacct._check_time_epsilon(p, time_epsilon);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_release_terms(privacct.policy, numeric, interval, numeric, int)
	IS 'ranges of the terms of releases, and what fits a policy';

-- Why not everywhere: a local policy keeps a budget for each owner by a filter that
-- has no delta, and a question would cost each of them the time's epsilon in full,
-- which is more than answers give away; a plan composes the noise of its slots, and
-- time has none.
CREATE OR REPLACE FUNCTION privacct._check_time_epsilon(p privacct.policy, time_epsilon numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (time_epsilon >= 1e-6 AND time_epsilon <= p.epsilon) THEN
		RAISE EXCEPTION 'time_epsilon is out of range'
			USING ERRCODE = '42PA4',
				DETAIL = format('It must be from 1e-6 to what all releases may cost together, which is %s.', p.epsilon),
				  HINT = 'Usual values are as large as the epsilon of a release.';
	ELSIF p.regime = 'local' THEN
		RAISE EXCEPTION 'a local policy cannot have noise on time'
			USING ERRCODE = '42PA4',
				DETAIL = 'Every owner who is asked would lose time_epsilon with each question, and a delta, which '
				'their budgets do not have.',
				  HINT = 'Use time_grid.';
	ELSIF p.accountant = ANY (privacct._accountants('planned')) THEN
		RAISE EXCEPTION 'a plan cannot have noise on time'
			USING ERRCODE = '42PA4', DETAIL = 'Its slots were composed without it.',
				HINT = 'Use time_grid, or another accountant.';
	ELSIF p.cap_delta = 0 THEN
		RAISE EXCEPTION 'noise on time needs a delta above 0'
			USING ERRCODE = '42PA4', DETAIL = 'A delay is limited, and what lies beyond the limit is a delta.',
				  HINT = 'Give a delta, for example 1e-6, or use time_grid.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_time_epsilon(privacct.policy, numeric) IS 'whether a policy can have noise on time';

CREATE OR REPLACE FUNCTION privacct._terms_of(relation regclass, OUT least_price numeric, OUT time_delta numeric,
	OUT mean_delay interval, OUT longest_delay interval)
	AS 'MODULE_PATHNAME', 'pa_release_terms' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._terms_of(regclass)
	IS 'what follows from the terms of releases: the least price in the currency of the accountant, the delta and the '
	'delays of noise on time; for whoever may ask the table, and its owner';

CREATE OR REPLACE FUNCTION privacct._put_release_terms(id bigint, min_epsilon numeric, time_grid interval,
	time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	delta numeric;
BEGIN
	PERFORM privacct._check_release_terms((SELECT p FROM privacct.policy p WHERE p.policy_id = id), min_epsilon,
		time_grid, time_epsilon, workers);
	UPDATE privacct.policy p SET min_epsilon = trim_scale(min_epsilon), time_grid = time_grid,
		time_epsilon = trim_scale(time_epsilon), workers = workers
	WHERE p.policy_id = id;
	-- errors out on delays that are too long
	delta := (privacct._terms_of((SELECT p.relation FROM privacct.policy p WHERE p.policy_id = id))).time_delta;
	IF EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = privacct._books_of(id) AND q.cap_delta < delta) THEN
		RAISE NOTICE 'the budgets of some roles have no delta to pay for noise on time'
			USING DETAIL = format('It costs delta %s with each release.', delta),
				HINT = 'Grant them one with privacct.grant_budget().';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._put_release_terms(bigint, numeric, interval, numeric, int)
	IS 'checks and writes the terms of releases';

CREATE OR REPLACE FUNCTION privacct._tell_of_terms(old privacct.policy, new privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF coalesce(new.min_epsilon, new.epsilon / 10000) < coalesce(old.min_epsilon, old.epsilon / 10000)
		AND old.accountant <> ALL (privacct._accountants('planned')) THEN
		RAISE NOTICE 'releases may now cost less'
			USING DETAIL = 'So there may be more of them, and more looks at their time.';
	END IF;
	IF coalesce(new.time_grid::text, new.time_epsilon::text) IS NULL
		AND coalesce(old.time_grid::text, old.time_epsilon::text) IS NOT NULL THEN
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
COMMENT ON FUNCTION privacct._tell_of_terms(privacct.policy, privacct.policy)
	IS 'says where the terms of releases promise less than those of before';

CREATE OR REPLACE FUNCTION privacct._set_release_terms(caller regrole, relation regclass, min_epsilon numeric,
	time_grid interval, time_epsilon numeric, workers int) RETURNS void
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
COMMENT ON FUNCTION privacct._set_release_terms(regrole, regclass, numeric, interval, numeric, int)
	IS 'worker of set_release_terms';

--
-- The declarations, with the terms at the end
--

CREATE OR REPLACE FUNCTION privacct._open_terms(id bigint, min_epsilon numeric, time_grid interval,
	time_epsilon numeric, workers int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	policy privacct.policy;
	old privacct.policy;
BEGIN
	PERFORM privacct._put_release_terms(id, min_epsilon, time_grid, time_epsilon, workers);
	SELECT p.* INTO policy FROM privacct.policy p WHERE p.policy_id = id;
	SELECT p.* INTO old FROM privacct.policy p WHERE p.relation = policy.relation AND p.policy_id < id
		ORDER BY p.policy_id DESC LIMIT 1;
	PERFORM privacct._tell_of_terms(old, policy) WHERE old.policy_id IS NOT NULL;
END
$$;
COMMENT ON FUNCTION privacct._open_terms(bigint, numeric, interval, numeric, int)
	IS 'terms of releases under a new policy';
