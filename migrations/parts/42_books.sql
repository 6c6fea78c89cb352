-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What the books say, and repairs.
--

--
-- Autovacuum comes when enough rows were written, and writes figures: that it came
-- shows.  What it is told of a table is in two places: its TOAST table follows it,
-- unless that has options of its own.
--

CREATE OR REPLACE FUNCTION privacct._autovacuum_is_off(options text[]) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce((SELECT NOT option_value::boolean FROM pg_options_to_table(options)
		WHERE option_name = 'autovacuum_enabled'), false)
$$;
COMMENT ON FUNCTION privacct._autovacuum_is_off(text[]) IS 'whether these storage parameters keep autovacuum away';

CREATE OR REPLACE FUNCTION privacct._autovacuumed() RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT c.oid::regclass
	FROM privacct.policy p CROSS JOIN LATERAL (
		WITH RECURSIVE tree(member) AS (
			SELECT p.relation::oid UNION SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.member)
		SELECT member FROM tree) t
	JOIN pg_class c ON c.oid = t.member LEFT JOIN pg_class o ON o.oid = c.reltoastrelid
	WHERE p.closed_at IS NULL AND c.relkind = 'r' AND current_setting('autovacuum')::boolean
	AND NOT (privacct._autovacuum_is_off(c.reloptions)
		AND (o.reloptions IS NULL OR privacct._autovacuum_is_off(o.reloptions)))
$$;
COMMENT ON FUNCTION privacct._autovacuumed()
	IS 'protected tables, their partitions and children, that autovacuum comes to when rows were written';

--
-- Local regime: how much is kept of what owners answered, so that what is missing shows.
--

-- An account that is rebuilt from the ledger knows of each charge for how many questions
-- it was, but not whether they were put.  What was charged after the last question that
-- is there may be of questions that are lost.
CREATE OR REPLACE FUNCTION privacct._questions_of_ledger(p privacct.policy) RETURNS int
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT least(there.last + (SELECT coalesce(sum(coalesce((l.detail->>'questions_count')::bigint, 1)), 0)
		FROM privacct.ledger l
		WHERE l.policy_id = p.policy_id AND l.charge_id > there.charge AND p.regime = 'local'
		AND NOT coalesce(l.detail ? 'carried_from_policy', false)), 2147483647)::int
	FROM (SELECT coalesce(max(q.question), 0) AS last, coalesce(max(q.charge_id), 0) AS charge FROM privacct.question q
		WHERE q.policy_id = p.policy_id) there
$$;
COMMENT ON FUNCTION privacct._questions_of_ledger(privacct.policy)
	IS 'local regime: the most questions that may have been recorded';

--
-- Copies of states, for sessions to come.
--
-- A session that is the first to ask goes through all answers since the states were
-- last written.  Where that makes many states over and over, it leaves what came out
-- for those that come after it.  Such a copy says nothing that the answers do not say:
-- it is not logged, not dumped, not there on a standby, and used only if it was made of
-- the states and answers that are there, and is what was written.
--

-- The ledger's worker deletes, and inserts past all triggers; whatever else inserts,
-- updates and truncates changes what copies were made from.
CREATE OR REPLACE FUNCTION privacct._forget_copies() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	DELETE FROM privacct.owner_state_copy_at;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._forget_copies() IS 'copies of states are not used again';

--
-- The ledger decides.
--
-- An account is the sum of its ledger, kept so that a charge need not add up all that
-- came before.  Where the two differ, after a restore that brought one of them only or
-- because somebody wrote to them, the larger counts.  A table without an account is
-- not asked anything: the ledger's worker refuses.
--

-- What was lost is not taken back by writing to the catalog either.  The conditions
-- are looked at by the server itself: a charge calls no function for this.
CREATE OR REPLACE FUNCTION privacct._refuse_loss() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'privacct.% only grows', TG_TABLE_NAME
		USING ERRCODE = '42501',
			  DETAIL = 'It records privacy that is lost, which cannot be taken back.',
			  HINT = 'privacct.check_books() shows what does not agree, and the remedy.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_loss() IS 'keeps what was spent';

--
-- Discrepancies.  Views are read with the rights of their owner, and tell each user
-- what is the user's: no function with the rights of another is needed.
--

-- To compile a query of this size takes longer than to run it.
CREATE OR REPLACE FUNCTION privacct.check_books()
	RETURNS TABLE (policy_id bigint, relation text, problem text, detail text, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
	SELECT d.policy_id, d.relation, d.problem, d.detail, d.remedy
		FROM (SELECT * FROM privacct.discrepancy UNION ALL SELECT * FROM privacct.line_discrepancy
		UNION ALL SELECT * FROM privacct.object_discrepancy UNION ALL SELECT * FROM privacct.foundation_discrepancy) d
		ORDER BY d.policy_id, d.problem
$$;
COMMENT ON FUNCTION privacct.check_books()
	IS 'compares policies, accounts, the ledger and its sums, and the objects that keep them: one row for each '
	'discrepancy, with the remedy; no row means that all is well';

--
-- Repair
--

CREATE OR REPLACE FUNCTION privacct._check_ledger_is_there(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._books_are_gone(p.policy_id) THEN
		RAISE EXCEPTION 'both the account and the ledger of % are missing', privacct._called_of(p)
			USING ERRCODE = '42PA4',
				  DETAIL = 'What was spent is not known.',
				  HINT = 'Restore privacct.ledger_line, privacct.ledger_sum or privacct.account from the dump; or '
					'unprotect the table and protect it again (of a unit: its tables, and make a new unit): all that '
					'was promised is then spent.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_ledger_is_there(privacct.policy)
	IS 'there is something to rebuild the account from';

-- Lines that came from a copy of the ledger.
CREATE OR REPLACE FUNCTION privacct._repair_sums(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	DELETE FROM privacct.kept_loss;
	INSERT INTO privacct.payer_sum AS t
	SELECT p.policy_id, c.payer, sum(c.epsilon), sum(c.delta), sum(c.rho), count(*)
	FROM privacct._charge c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id
		WHERE c.policy_id = p.policy_id GROUP BY c.payer
	ON CONFLICT ON CONSTRAINT payer_sum_pkey DO UPDATE SET epsilon = greatest(t.epsilon, excluded.epsilon),
		delta = greatest(t.delta, excluded.delta),
		rho = greatest(t.rho, excluded.rho), charges = greatest(t.charges, excluded.charges);
	INSERT INTO privacct.release_sum AS t
	SELECT p.policy_id, c.hash, c.epsilon, c.mechanisms, c.slots, count(*)
	FROM privacct._release c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id
		WHERE c.policy_id = p.policy_id
	GROUP BY c.hash, c.epsilon, c.mechanisms, c.slots
	ON CONFLICT ON CONSTRAINT release_sum_pkey DO UPDATE SET charges = greatest(t.charges, excluded.charges);
	UPDATE privacct.ledger_sum t SET epsilon = greatest(t.epsilon, l.epsilon + t.folded_epsilon),
		delta = greatest(t.delta, l.delta + t.folded_delta),
		rho = greatest(t.rho, l.rho + t.folded_rho), charges = greatest(t.charges, l.charges + t.folded_charges)
	FROM (SELECT sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho, count(*) AS charges
		  FROM privacct._charge c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id
			WHERE c.policy_id = p.policy_id) l
	WHERE t.policy_id = p.policy_id AND l.charges > 0;
$$;
COMMENT ON FUNCTION privacct._repair_sums(privacct.policy)
	IS 'brings the sums of a policy to what its lines say, if that is more';

CREATE OR REPLACE FUNCTION privacct._repair_total(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	INSERT INTO privacct.account AS a (policy_id, role, epsilon, delta, rho, releases, most_epsilon, most_delta,
		questions)
	SELECT p.policy_id, 0::regrole, greatest(s.ledger_epsilon, s.owed_epsilon), greatest(s.ledger_delta, s.owed_delta),
		greatest(s.ledger_rho, s.owed_rho), s.ledger_releases, named.epsilon, named.delta,
		privacct._questions_of_ledger(p)
	FROM privacct._sums s,
		(SELECT coalesce(max(o.epsilon), 0) AS epsilon, coalesce(max(o.delta), 0) AS delta FROM privacct.owner_account o
			WHERE o.policy_id = p.policy_id) named
	WHERE s.policy_id = p.policy_id
	-- what the owner charged most was charged is everybody's, where it is not known whose it is
	ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = greatest(a.epsilon, excluded.epsilon),
		delta = greatest(a.delta, excluded.delta),
		rho = greatest(a.rho, excluded.rho), releases = greatest(a.releases, excluded.releases),
		most_epsilon = least(a.most_epsilon, excluded.most_epsilon),
			most_delta = least(a.most_delta, excluded.most_delta),
		spared_epsilon = least(a.spared_epsilon,
			greatest(a.epsilon - (SELECT s.everybodys_epsilon FROM privacct._sums s WHERE s.policy_id = p.policy_id),
			0)),
		spared_delta = least(a.spared_delta,
			greatest(a.delta - (SELECT s.everybodys_delta FROM privacct._sums s WHERE s.policy_id = p.policy_id), 0))
$$;
COMMENT ON FUNCTION privacct._repair_total(privacct.policy)
	IS 'brings the total account of a policy to what the ledger says, and to what it charged beside what it started '
	'from';

CREATE OR REPLACE FUNCTION privacct._repair_roles(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	-- what was restored without a role that there is now
	UPDATE privacct.quota q SET role = r.oid FROM pg_roles r
	WHERE q.policy_id = p.policy_id AND q.role = privacct._absent(r.rolname)
		AND NOT EXISTS (SELECT FROM privacct.quota o WHERE o.policy_id = p.policy_id AND o.role = r.oid);
	UPDATE privacct.account a SET role = r.oid FROM pg_roles r
	WHERE a.policy_id = p.policy_id AND a.role = privacct._absent(r.rolname)
		AND NOT EXISTS (SELECT FROM privacct.account o WHERE o.policy_id = p.policy_id AND o.role = r.oid);
	UPDATE privacct.slot s SET role = r.oid FROM pg_roles r WHERE s.policy_id = p.policy_id
		AND s.role = privacct._absent(r.rolname);
	UPDATE privacct.policy q SET unit_owner = r.oid FROM pg_roles r WHERE q.policy_id = p.policy_id
		AND q.unit_owner = privacct._absent(r.rolname);
	INSERT INTO privacct.account AS a (policy_id, role, epsilon, delta, rho, releases)
	SELECT p.policy_id, r.oid, coalesce(l.epsilon, 0), coalesce(l.delta, 0), coalesce(l.rho, 0), l.charges
	FROM pg_roles r
	CROSS JOIN LATERAL (SELECT sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho,
		coalesce(sum(c.charges), 0)::bigint AS charges
		FROM privacct._paid c WHERE c.policy_id = p.policy_id AND c.payer = r.rolname) l
	WHERE EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = p.policy_id AND q.role = r.oid)
	OR EXISTS (SELECT FROM privacct._paid c WHERE c.policy_id = p.policy_id AND c.payer = r.rolname
		AND c.source = p.policy_id)
	ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = greatest(a.epsilon, excluded.epsilon),
		delta = greatest(a.delta, excluded.delta),
		rho = greatest(a.rho, excluded.rho), releases = greatest(a.releases, excluded.releases)
$$;
COMMENT ON FUNCTION privacct._repair_roles(privacct.policy)
	IS 'brings the accounts of paying roles to what the ledger says';

CREATE OR REPLACE FUNCTION privacct._repair_books(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
	b privacct.policy;
	spent privacct.account;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	b := privacct._books_policy(p);
	PERFORM privacct._unit_called(caller, b.name) WHERE b.name IS NOT NULL;
	PERFORM privacct._identify();
	PERFORM privacct._await_charges(b.policy_id);
	PERFORM privacct._check_ledger_is_there(b);
	PERFORM privacct._complete_history();
	PERFORM privacct._sync_members(p);
	PERFORM privacct._check_covered(p, h.relation) FROM privacct.history h WHERE h.policy_id = p.policy_id
		AND h.left_at IS NULL;
	PERFORM privacct._repair_sums(b);
	PERFORM privacct._repair_total(b);
	PERFORM privacct._repair_roles(b);
	UPDATE privacct.slot s SET used = least(u.uses, s.releases) FROM privacct._slot_uses u
	WHERE s.policy_id = b.policy_id AND u.policy_id = b.policy_id AND s.slot = u.slot AND u.uses > s.used;
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = b.policy_id AND a.role = 0::regrole;
	RAISE NOTICE 'the accounts of % now hold at least what the ledger says', privacct._called_of(b)
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho,
			spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._repair_books(regrole, regclass) IS 'worker of repair_books';

--
-- Rows that come by INSERT or COPY.
--
-- A restore brings rows, in any order, and so may anybody who can write to the tables
-- of the extension: who writes tells nothing.  So what comes is compared with what is
-- there, whichever of the two comes last: an account is never less than the ledger,
-- and a plan does not promise more than its policy.  A policy is not asked anything
-- before its history is there, which its own rows cannot make smaller.
--

CREATE OR REPLACE FUNCTION privacct._settle_accounts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
BEGIN
	DELETE FROM privacct.kept_loss;
	-- of an account that is not there yet the row is still to come
	FOR p IN SELECT q.* FROM privacct.policy q JOIN privacct._sums s ON s.policy_id = q.policy_id
		WHERE q.closed_at IS NULL AND s.has_account
		AND (s.epsilon < greatest(s.ledger_epsilon, s.owed_epsilon) OR s.delta < greatest(s.ledger_delta, s.owed_delta)
			OR s.rho < greatest(s.ledger_rho, s.owed_rho) OR s.releases < s.ledger_releases
			OR s.spared_epsilon > 0 AND s.epsilon - s.spared_epsilon < s.everybodys_epsilon OR s.spared_delta > 0
			AND s.delta - s.spared_delta < s.everybodys_delta)
	LOOP
		PERFORM privacct._repair_total(p);
		RAISE WARNING 'the account of % was less than the ledger', privacct._called_of(p)
			USING DETAIL = 'It has been raised to what the ledger says.';
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._settle_accounts()
	IS 'brings accounts that came by hand or by a restore to what the ledger says';

CREATE OR REPLACE FUNCTION privacct._on_arrival() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._settle_accounts();
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_arrival()
	IS 'accounts and lines of the ledger that come by hand or by a restore are compared';

-- The noise of a plan is the least that keeps its promise: what is added to it breaks that.
CREATE OR REPLACE FUNCTION privacct._check_plans() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	p record;
BEGIN
	FOR p IN SELECT (SELECT privacct._called_of(n) FROM privacct.policy n WHERE n.policy_id = q.policy_id) AS called,
		q.epsilon - i.epsilon AS epsilon,
		greatest(q.delta - i.delta, 0)::float8 AS delta, s.mechanisms
		FROM (SELECT DISTINCT r.policy_id FROM arrived r) a
		CROSS JOIN LATERAL (SELECT o.* FROM privacct.policy o WHERE o.policy_id = a.policy_id OFFSET 0) q
		CROSS JOIN LATERAL (SELECT coalesce(sum(e.epsilon), 0) AS epsilon, coalesce(sum(e.delta), 0) AS delta
			FROM privacct.inherited e WHERE e.policy_id = q.policy_id) i
		CROSS JOIN LATERAL (
			SELECT jsonb_agg(jsonb_build_object('statistics',
			jsonb_build_array(jsonb_build_object('noise', t.noise, 'steps', 1024, 'groups', t.groups)), 'count',
			t.releases)) AS mechanisms
			FROM privacct.slot t WHERE t.policy_id = q.policy_id) s
		WHERE q.closed_at IS NULL AND s.mechanisms IS NOT NULL
	LOOP
		IF privacct.compose(p.mechanisms, p.delta) > p.epsilon THEN
			RAISE EXCEPTION 'the plan of % promises less than its policy', p.called
				USING ERRCODE = '42501', DETAIL = 'Its releases would together cost more than the policy allows.',
					HINT = 'Use privacct.plan_budget().';
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._check_plans() IS 'refuses slots that a policy has no budget for';
