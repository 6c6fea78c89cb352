-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Workers of the declarations: policies.
--

CREATE OR REPLACE FUNCTION privacct._policy_of(relation regclass) RETURNS privacct.policy
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	p privacct.policy;
	root text;
BEGIN
	SELECT * INTO p FROM privacct.policy q WHERE q.relation = _policy_of.relation AND q.closed_at IS NULL;
	IF FOUND THEN
		RETURN p;
	END IF;
	SELECT q.relation::text INTO root FROM privacct.policy q
	WHERE q.closed_at IS NULL AND q.relation IN (SELECT privacct._ancestors(_policy_of.relation));
	RAISE EXCEPTION 'table % has no policy of its own', relation
		USING ERRCODE = '42PA4',
			  DETAIL = CASE WHEN root IS NULL THEN 'It is not protected.'
				ELSE format('It is protected as a part of %s.', root) END,
			  HINT = CASE WHEN root IS NULL THEN 'Call privacct.protect() first.'
				ELSE format('Declare it for %s.', root) END;
END
$$;
COMMENT ON FUNCTION privacct._policy_of(regclass) IS 'the open policy of a table, or an error';

CREATE OR REPLACE FUNCTION privacct._lock(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- keeps ALTER and ATTACH away, not readers and writers
	IF EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind IN ('r', 'p')) THEN
		EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', relation);
		PERFORM privacct._hold_grants(relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._lock(regclass)
	IS 'serialises declarations with each other, with ALTER TABLE and with GRANT';

-- What nobody chose: the default noise of an accountant.
CREATE OR REPLACE FUNCTION privacct._default_kernel(accountant text) RETURNS text
	AS 'MODULE_PATHNAME', 'pa_default_kernel_name' LANGUAGE C IMMUTABLE STRICT;
COMMENT ON FUNCTION privacct._default_kernel(text) IS 'noise of a policy that names none';

CREATE OR REPLACE FUNCTION privacct._check_noise(accountant text, kernel text, kernels text[], sample_rate float8,
	delta numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known text[] := privacct._kernels('any');
	plain text[] := privacct._kernels('plain');
BEGIN
	IF kernel <> ALL (plain) THEN
		RAISE EXCEPTION 'unknown default kernel'
			USING ERRCODE = '42PA4',
				  HINT = format('Without an error bound noise is %s.',
					(SELECT string_agg(quote_literal(p), ' or ' ORDER BY i) FROM unnest(plain)
					WITH ORDINALITY u (p, i)));
	ELSIF kernel <> ALL (privacct._kernels('pure')) AND delta = 0 THEN
		RAISE EXCEPTION 'the % kernel needs a delta above 0', kernel
			USING ERRCODE = '42PA4', HINT = 'Give a delta, for example 1e-6, or choose kernel => ''laplace''.';
	ELSIF array_position(kernels, NULL) IS NOT NULL OR NOT kernels <@ known THEN
		RAISE EXCEPTION 'unknown kernel among the kernels'
			USING ERRCODE = '42PA4',
				HINT = format('Kernels are %s and %s.', array_to_string(trim_array(known, 1), ', '),
				known[cardinality(known)]);
	ELSIF sample_rate < 1 AND accountant = ANY (privacct._accountants('planned')) THEN
		RAISE EXCEPTION 'releases under a plan are not on a sample of owners'
			USING ERRCODE = '42PA4', HINT = 'Leave sample_rate at 1, or choose another accountant.';
	ELSIF accountant <> ALL (privacct._accountants('planned'))
		AND NOT ARRAY[coalesce(kernel, privacct._default_kernel(accountant))] <@ kernels THEN
		RAISE EXCEPTION 'the default kernel is not among the kernels'
			USING ERRCODE = '42PA4',
				  DETAIL = 'Releases without an error bound, and the selection of groups, need it.',
				  HINT = format('Add %L, or name another kernel.',
					coalesce(kernel, privacct._default_kernel(accountant)));
	ELSIF sample_rate IS NULL OR NOT (sample_rate >= 1e-6 AND sample_rate <= 1) THEN
		RAISE EXCEPTION 'sample_rate is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It is a probability of at least 1e-6, and 1 for no sampling.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_noise(text, text, text[], float8, numeric)
	IS 'which noise a policy has and allows, on what sample';

CREATE OR REPLACE FUNCTION privacct._check_choices(regime text, accountant text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known text[] := privacct._accountants('any');
BEGIN
	IF regime IS NULL OR accountant IS NULL THEN
		RAISE EXCEPTION 'regime and accountant must not be null' USING ERRCODE = '22004';
	ELSIF regime = 'pufferfish' THEN
		RAISE EXCEPTION 'this regime needs priors'
			USING ERRCODE = '42PA4', HINT = 'Call privacct.protect_entries().';
	ELSIF regime NOT IN ('central', 'local') THEN
		RAISE EXCEPTION 'unknown regime' USING ERRCODE = '42PA4', HINT = 'Use regime => ''central'' or ''local''.';
	ELSIF accountant <> ALL (known) THEN
		RAISE EXCEPTION 'unknown accountant'
			USING ERRCODE = '42PA4',
				  HINT = format('The accountants are %s and %L.',
					(SELECT string_agg(quote_literal(a), ', ' ORDER BY i) FROM unnest(trim_array(known, 1))
					WITH ORDINALITY u (a, i)), known[cardinality(known)]);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_choices(text, text) IS 'the words that a policy chooses among';

-- True where no owner can have two rows, so that both contributions are 1.
CREATE OR REPLACE FUNCTION privacct._owner_is_unique(relation regclass, owner name) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT EXISTS (
		SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = owner
		WHERE i.indrelid = relation AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
		AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
		AND (c.relkind = 'p' OR NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = relation)))
$$;
COMMENT ON FUNCTION privacct._owner_is_unique(regclass, name) IS 'true if a unique index allows one row per owner';

-- What is peculiar to the local regime.
CREATE OR REPLACE FUNCTION privacct._check_local(relation regclass, owner name, accountant text, delta numeric,
	sample_rate float8, filter text, answer_group int) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF filter IS NULL OR filter NOT IN ('full', 'simplified', 'approximate', 'basic') THEN
		RAISE EXCEPTION 'unknown filter'
			USING ERRCODE = '42PA4', HINT = 'The filters are ''full'', ''simplified'', ''approximate'' and ''basic''.';
	ELSIF filter = 'approximate' AND delta = 0 THEN
		RAISE EXCEPTION 'the approximate filter needs a delta above 0'
			USING ERRCODE = '42PA4', HINT = 'Give a delta, for example 1e-6, or choose filter => ''full''.';
	ELSIF answer_group IS NULL OR answer_group NOT BETWEEN 0 AND 100000 THEN
		RAISE EXCEPTION 'answer_group is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It is from 1 to 100000, and 0 for one group.';
	ELSIF accountant <> 'basic' THEN
		RAISE EXCEPTION 'a local policy has no accountant but ''basic'''
			USING ERRCODE = '42PA4', DETAIL = 'Its budget is kept for each owner by a filter on likelihood tables.',
				  HINT = 'Leave accountant out; filter => ''approximate'' uses zCDP and a delta.';
	ELSIF sample_rate < 1 THEN
		RAISE EXCEPTION 'a local policy cannot sample owners'
			USING ERRCODE = '42PA4', HINT = 'Leave sample_rate at 1.';
	END IF;
	PERFORM privacct._check_single(relation, owner);
END
$$;
COMMENT ON FUNCTION privacct._check_local(regclass, name, text, numeric, float8, text, int)
	IS 'choices that fit the local regime';

CREATE OR REPLACE FUNCTION privacct._check_single(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT privacct._owner_is_unique(relation, owner) THEN
		RAISE EXCEPTION 'table % may have several rows of one owner', relation
			USING ERRCODE = '42PA4', DETAIL = 'In the local regime an owner answers for one row.',
				  HINT = format('Add a primary key or a unique constraint on column %I alone.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_single(regclass, name) IS 'one row per owner, by a unique index';

CREATE OR REPLACE FUNCTION privacct._check_contribution(max_groups int, max_rows int, min_owners int) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (max_groups BETWEEN 1 AND 1000000 AND max_rows BETWEEN 1 AND 1000000000
			AND max_groups::numeric * max_rows <= 1e12) THEN
		RAISE EXCEPTION 'contribution bounds are out of range'
			USING ERRCODE = '42PA4',
				  DETAIL = 'max_groups_contributed is from 1 to 1e6, max_rows_contributed from 1 to 1e9, their product '
					'at most 1e12.';
	ELSIF min_owners IS NULL OR NOT min_owners BETWEEN 1 AND 1000000000 THEN
		RAISE EXCEPTION 'min_owners is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'min_owners is from 1 (no minimum) to 1e9.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_contribution(int, int, int) IS 'ranges of the contribution bounds';

-- What the table spent under an earlier policy stays spent: the new policy
-- starts from its sums, and the ledger gets one line per earlier payer, so
-- that ledger and account agree for every policy by itself.  A plan that was used
-- is spent as it was promised, for its rest was fixed too; that is one line more.
CREATE OR REPLACE FUNCTION privacct._carry_over(successor bigint, relation regclass, accountant text, caller regrole,
	fresh boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = successor);
	has_books boolean := privacct._books_of(successor) = successor;
	old privacct.policy;
	histories privacct.history[];
BEGIN
	INSERT INTO privacct.account SELECT successor, 0::regrole, 0, 0, 0, 0 WHERE has_books;
	histories := ARRAY(SELECT h FROM privacct._histories(ARRAY(SELECT privacct._tree(_carry_over.relation))) h);
	-- first those, then in order: the planner might go through all in order
	SELECT o.* INTO old
		FROM (SELECT * FROM privacct.policy q WHERE q.relation = _carry_over.relation AND q.policy_id <> successor
		OFFSET 0) o ORDER BY o.policy_id DESC LIMIT 1;
	histories := privacct._without_set_aside(p, old, histories);
	IF NOT has_books THEN
		histories := privacct._joining_histories(p, histories, caller, fresh);
	END IF;
	PERFORM privacct._start_from(p, histories, caller,
		CASE WHEN accountant = ANY (privacct._accountants('planned')) THEN '{"promised_by_plan": true}' ELSE '{}'
			END::jsonb);
END
$$;
COMMENT ON FUNCTION privacct._carry_over(bigint, regclass, text, regrole, boolean)
	IS 'opens the accounts of a new policy, with what was charged to the table and to all below it';

-- What a trigger assigns is not noticed.  An UPDATE that gives a row another partition inserts it there.
CREATE OR REPLACE FUNCTION privacct._warn_of_triggers(p privacct.policy, members oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	-- before, each row, update or insert; those of the extension assign nothing
	found text := (SELECT string_agg(DISTINCT t.tgname, ', ') FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
		WHERE c.oid = ANY (members) AND t.tgtype & 3 = 3 AND NOT t.tgisinternal
		AND NOT EXISTS (SELECT FROM pg_proc f WHERE f.oid = t.tgfoid AND f.pronamespace = 'privacct'::regnamespace)
		AND (t.tgtype & 16 <> 0 OR t.tgtype & 4 <> 0 AND (c.relispartition OR c.relkind = 'p')));
BEGIN
	IF found IS NULL THEN
		RETURN;
	ELSIF p.regime = 'central' THEN
		RAISE WARNING 'triggers may give rows of % other owners: %', p.relation, found
			USING DETAIL = 'If several owners become one, that one has lost the sum, which is not in the account. What '
				'a trigger assigns is not noticed.',
				  HINT = format('They should leave column "%s" as it is.',
					array_to_string(coalesce(p.path, ARRAY[p.owner_column]), '", "'));
	ELSE
		RAISE WARNING 'triggers may give owners of % other names: %', p.relation, found
			USING DETAIL = 'With another name they are others, who have lost nothing. What a trigger assigns is not '
				'noticed.',
				  HINT = format('They should leave column "%s" as it is.', p.owner_column);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_triggers(privacct.policy, oid[])
	IS 'tells of triggers that may assign the columns that say whose rows a table has, when it is declared and when a '
	'partition or child comes';

-- What a publisher changes is written without a statement that could be looked at.
CREATE OR REPLACE FUNCTION privacct._warn_of_subscriptions(members oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	found text := (SELECT string_agg(DISTINCT s.srrelid::regclass::text, ', ') FROM pg_subscription_rel s
		WHERE s.srrelid = ANY (members));
BEGIN
	IF found IS NOT NULL THEN
		RAISE WARNING 'a subscription may give rows of tables that are or were protected to other owners: %', found
			USING DETAIL = 'An UPDATE at the publisher is not noticed here. If it assigns the columns that say whose '
				'rows these are, owners become others, who have lost nothing, or several become one, who has lost the '
				'sum.',
				  HINT = 'See to it that the publisher leaves these columns as they are.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_subscriptions(oid[])
	IS 'tells of tables to which a subscription writes, at whichever side comes second';

CREATE OR REPLACE FUNCTION privacct._tell_subscribed(subscriptions oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- also those that were ever protected, and trees that these are in: what a policy has spent waits for them
	PERFORM privacct._warn_of_subscriptions(ARRAY(SELECT s.srrelid FROM pg_subscription_rel s
		WHERE s.srsubid = ANY (subscriptions)
		AND EXISTS (SELECT FROM privacct.history h WHERE h.relation::oid IN (SELECT privacct._family(s.srrelid)
			UNION SELECT privacct._ancestors(s.srrelid)))));
END
$$;
COMMENT ON FUNCTION privacct._tell_subscribed(oid[])
	IS 'tells of tables that are or were protected, to which subscriptions write';

CREATE OR REPLACE FUNCTION privacct._on_subscription() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	subscriptions oid[] := ARRAY(SELECT c.objid FROM pg_event_trigger_ddl_commands() c
		WHERE c.classid = 'pg_subscription'::regclass);
BEGIN
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_tell_subscribed', subscriptions);
	ELSE
		PERFORM privacct._tell_subscribed(subscriptions);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_subscription()
	IS 'tells of tables that are or were protected, to which a subscription writes';

CREATE OR REPLACE FUNCTION privacct._open_policy(caller regrole, relation regclass, owner name, caps record,
	max_groups_contributed int, max_rows_contributed int, accountant text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int, inherits text,
	fresh boolean, unit bigint, path name[] DEFAULT NULL, path_to oid DEFAULT NULL, null_owners boolean DEFAULT false,
	path_keys name[] DEFAULT NULL)
	RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	id bigint;
BEGIN
	PERFORM privacct._ask_of_marks(relation, inherits, fresh);
	PERFORM privacct._identify();
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accountant, epsilon, delta,
		cap_rho, cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate,
		filter, answer_group, secret,
		created_at, created_by, unit, path, path_to, null_owners, path_keys,
		closed_at, lost, min_epsilon, time_grid, time_epsilon, owner_attnum, owner_type, name, unit_owner, repeat_age,
		edition)
	VALUES (relation, (privacct._describe(relation)).relation_name, owner, regime, accountant, caps.epsilon,
		caps.delta,
		caps.cap_rho, caps.cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels,
		sample_rate, filter, answer_group,
		privacct._new_secret(), now(), caller::text, unit, path, path_to, coalesce(null_owners, false), path_keys,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
	RETURNING policy_id INTO id;
	PERFORM privacct._carry_over(id, relation, accountant, caller, fresh);
	PERFORM privacct._join((SELECT p FROM privacct.policy p WHERE p.policy_id = id), m), privacct._mark(m)
		FROM privacct._tree(relation) m;
	DELETE FROM privacct.unwritten u WHERE u.policy_id = id;
	PERFORM privacct._settle_predecessors(caller, id, inherits, fresh);
	PERFORM privacct._warn_of_triggers(p, t.members), privacct._warn_of_subscriptions(t.members)
		FROM privacct.policy p, (SELECT ARRAY(SELECT privacct._tree(relation)) AS members) t WHERE p.policy_id = id;
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._open_policy(regrole, regclass, name, record, int, int, text, text, int, text,
	text[], float8, text, int, text, boolean, bigint, name[], oid, boolean, name[])
	IS 'writes a policy that was checked, and opens its accounts, with what the table and others of which its owner '
		'says so have spent';

CREATE OR REPLACE FUNCTION privacct._check_unprotected(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.policy p WHERE p.relation = _check_unprotected.relation AND p.closed_at IS NULL)
		THEN
		RAISE EXCEPTION 'table % is protected already', relation
			USING ERRCODE = '42PA4',
				  HINT = 'To change the policy, call privacct.unprotect() and privacct.protect() in one transaction; '
					'what was spent is carried over.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_unprotected(regclass) IS 'no open policy of its own';

--
-- The declarations: one worker each, which opens the policy with what it was told
--

CREATE OR REPLACE FUNCTION privacct._protect(caller regrole, relation regclass, owner name[], epsilon numeric,
	delta numeric,
	max_groups_contributed int, max_rows_contributed int, accountant text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int,
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int, inherits text, fresh boolean,
	unit name, rows_without_owner text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	u privacct.policy;
	caps record;
	id bigint;
	path_to oid;
	single boolean;
	null_owners boolean := privacct._null_owners(rows_without_owner, regime);
BEGIN
	IF unit IS NOT NULL AND regime <> 'local' THEN
		PERFORM privacct._check_promised_by_unit(unit, epsilon, delta, accountant);
		u := privacct._unit_called(caller, unit);
		SELECT u.epsilon, u.delta, u.accountant INTO epsilon, delta, accountant;
	END IF;
	epsilon := coalesce(epsilon, 1);
	delta := coalesce(delta, 1e-6);
	accountant := coalesce(accountant, 'basic');
	PERFORM privacct._check_choices(regime, accountant);
	IF regime <> 'local' THEN
		filter := NULL;
		answer_group := NULL;
	ELSIF filter IN ('full', 'simplified', 'basic') THEN
		delta := 0;				-- they promise more than was asked for
	END IF;
	PERFORM privacct._check_noise(accountant, kernel, kernels, sample_rate, delta);
	SELECT * INTO caps FROM privacct._caps(accountant, epsilon, delta);
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_unprotected(relation);
	PERFORM privacct._check_policy(relation);
	IF unit IS NOT NULL THEN
		u := privacct._lock_unit(caller, unit);
		PERFORM privacct._check_joins(u, relation);
	END IF;
	path_to := privacct._check_owners(relation, owner, u.policy_id, regime, null_owners);
	IF regime = 'local' THEN
		PERFORM privacct._check_local(relation, owner[1], accountant, delta, sample_rate, filter, answer_group);
	END IF;
	single := path_to = 0 AND privacct._owner_is_unique(relation, owner[1]);
	max_groups_contributed := coalesce(max_groups_contributed, CASE WHEN single THEN 1 ELSE 3 END);
	max_rows_contributed := coalesce(max_rows_contributed, CASE WHEN single THEN 1 ELSE 10 END);
	PERFORM privacct._check_contribution(max_groups_contributed, max_rows_contributed, min_owners);
	id := privacct._open_policy(caller, relation, CASE path_to WHEN 0 THEN owner[1] ELSE '' END, caps,
		max_groups_contributed, max_rows_contributed, accountant, regime,
		min_owners, kernel, kernels, sample_rate, filter, answer_group, inherits, fresh, u.policy_id,
		CASE WHEN path_to <> 0 THEN privacct._sorted(owner) END, nullif(path_to, 0), null_owners,
		CASE WHEN path_to <> 0 THEN privacct._keys_of(relation, privacct._sorted(owner), path_to) END);
	PERFORM privacct._reserve(u, id, caller) WHERE unit IS NOT NULL AND regime = 'local';
	EXECUTE format('GRANT SELECT ON %s TO privacct_reader', relation);
	PERFORM privacct._warn_of_storage(relation, c, 1024, 'belong to nobody') FROM unnest(owner) c;
	PERFORM privacct._open_terms(id, min_epsilon, time_grid, time_epsilon, workers);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect(regrole, regclass, name[], numeric, numeric, int, int, text, text, int,
	text, text[], float8, text, int, numeric, interval, numeric, int, text, boolean, name, text)
	IS 'worker of protect';

CREATE OR REPLACE FUNCTION privacct._protect(caller regrole, relation regclass, owner name, epsilon numeric,
	delta numeric,
	max_groups_contributed int, max_rows_contributed int, accountant text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int,
	min_epsilon numeric, time_grid interval, time_epsilon numeric, workers int, inherits text, fresh boolean,
	unit name, rows_without_owner text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._protect(caller, relation, ARRAY[owner], epsilon, delta, max_groups_contributed,
		max_rows_contributed, accountant, regime, min_owners, kernel, kernels, sample_rate, filter,
		answer_group, min_epsilon, time_grid, time_epsilon, workers, inherits, fresh, unit, rows_without_owner)
$$;
COMMENT ON FUNCTION privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, int, text,
	text[], float8, text, int, numeric, interval, numeric, int, text, boolean, name, text)
	IS 'worker of protect, for one column';

CREATE OR REPLACE FUNCTION privacct._unprotect(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._check_closed(relation);
	-- whoever succeeds this policy sees all that it spent
	PERFORM privacct._hold_charges(privacct._books_of(p.policy_id));
	IF p.regime = 'local' THEN
		PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
		UPDATE privacct.policy q
			SET lost = (SELECT ARRAY[max(CASE WHEN p.filter = 'basic' THEN s.worst_case ELSE s.realised END),
			max(s.worst_case), max(s.rho)] FROM privacct._local_states(p.relation) s)
		WHERE q.policy_id = p.policy_id;
	END IF;
	UPDATE privacct.policy q SET closed_at = now() WHERE q.policy_id = p.policy_id;
	EXECUTE format('REVOKE SELECT ON %s FROM privacct_reader', relation);
END
$$;
COMMENT ON FUNCTION privacct._unprotect(regrole, regclass) IS 'worker of unprotect';

--
-- Charges are held back for one policy, not for the database.
--

-- What one owner declares, holds open or breaks is nobody else's business.
CREATE OR REPLACE FUNCTION privacct._hold_charges(policy_id bigint) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_charges' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_charges(bigint) IS 'holds charges to a policy back until the end of the transaction';

-- Without a policy nobody guards what was granted.
CREATE OR REPLACE FUNCTION privacct._check_closed(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_grants(relation);
	PERFORM privacct._check_views(relation);
END
$$;
COMMENT ON FUNCTION privacct._check_closed(regclass)
	IS 'nobody but the owner could read the table if it were not protected';

--
-- Sessions forget what concerns the table that changed.
--

--
-- What may be declared is limited: whoever asks the table keeps it in memory.
--

CREATE OR REPLACE FUNCTION privacct._check_size(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	declared record;
BEGIN
	SELECT sum(cardinality(d.list)) AS values, sum(octet_length(array_to_string(d.list, ''))) AS bytes INTO declared
	FROM (SELECT k.keys AS list FROM privacct.group_key k WHERE k.policy_id = p.policy_id
		  UNION ALL SELECT m.points FROM privacct.domain m WHERE m.policy_id = p.policy_id AND p.regime = 'local') d;
	IF declared.values > 250000 OR declared.bytes > 16777216 THEN
		RAISE EXCEPTION 'too much is declared for %', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Keys and values of its columns are %s in %s bytes; 250000 in 16 MB are allowed.',
					declared.values, declared.bytes),
				  HINT = 'Declare fewer or shorter keys, or let groups be selected privately.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_size(privacct.policy) IS 'limit of the keys and domains of a policy';
