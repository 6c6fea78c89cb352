--
-- A table that was protected before is protected again by the same owner column.
--
-- What was charged, was charged to the owners that this column named.  Per visit
-- an epsilon of 1 says nothing about patients of a hundred visits, and the other
-- way round.  So columns are followed by number, also while the table is not
-- protected: an earlier policy's owner_column keeps the name that the column has
-- now, or is empty once it was dropped or may have come to name owners anew.
--

COMMENT ON COLUMN privacct.policy.owner_column IS 'whose row it is, by the name that the column has now; empty, of a closed policy: the column is gone';

CREATE OR REPLACE FUNCTION privacct._follow_rename(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	new_name name := (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = _follow_rename.attnum);
	p privacct.policy;
	live name[];
BEGIN
	-- partitions, children and tables of a type take the new name without a command of their own
	FOR p IN SELECT * FROM privacct.policy q WHERE q.relation::oid IN (SELECT privacct._family(_follow_rename.relation)) LOOP
		live := ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = p.relation AND a.attnum > 0 AND NOT a.attisdropped);
		UPDATE privacct.policy q SET owner_column = new_name WHERE q.policy_id = p.policy_id AND q.owner_column <> ALL (live) AND q.owner_column <> '';
		CONTINUE WHEN p.closed_at IS NOT NULL;
		UPDATE privacct.bound b SET column_name = new_name WHERE b.policy_id = p.policy_id AND b.column_name <> ALL (live);
		UPDATE privacct.group_key k SET column_name = new_name WHERE k.policy_id = p.policy_id AND k.column_name <> ALL (live);
		UPDATE privacct.domain d SET column_name = new_name WHERE d.policy_id = p.policy_id AND d.column_name <> ALL (live);
		UPDATE privacct.public_column c SET column_name = new_name WHERE c.policy_id = p.policy_id AND c.column_name <> ALL (live);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._follow_rename(oid, int) IS 'carries a renamed column over into the policies of its table';

CREATE OR REPLACE FUNCTION privacct._column_dropped(relation oid, dropped name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	UPDATE privacct.policy q SET owner_column = ''
	WHERE q.relation = _column_dropped.relation AND q.closed_at IS NOT NULL AND q.owner_column = dropped;
	SELECT q.* INTO p FROM privacct.policy q WHERE q.relation = _column_dropped.relation AND q.closed_at IS NULL;
	IF NOT FOUND THEN
		RETURN;
	ELSIF p.owner_column = dropped THEN
		RAISE EXCEPTION 'column "%" is the owner column of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	END IF;
	IF p.regime = 'pufferfish' AND (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped)
		OR EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped AND c.order_position IS NOT NULL)) THEN
		RAISE EXCEPTION 'column "%" is the entry column, or orders the entries, of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	ELSIF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped) THEN
		PERFORM privacct._check_unasked(p);
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped;
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = dropped;
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = dropped;
END
$$;

CREATE FUNCTION privacct._owners_rewritten(relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	family oid[] := ARRAY(SELECT privacct._family(_owners_rewritten.relation));
	member regclass;
	p privacct.policy;
BEGIN
	-- as ALTER TABLE will: protect() may be under way
	FOR member IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (family) AND c.relkind IN ('r', 'p') ORDER BY c.oid LOOP
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', member);
	END LOOP;
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_isolation', family);
	END IF;
	FOR p IN SELECT * FROM privacct.policy q WHERE q.owner_column = _owners_rewritten.column_name AND q.relation::oid = ANY (family) LOOP
		IF p.closed_at IS NULL THEN
			RAISE EXCEPTION 'column "%" is the owner column of the protected table %', column_name, p.relation
				USING ERRCODE = 'PA004',
					DETAIL = 'With another type, two owners may have one name: what they lost is in the accounts of two.',
					HINT = 'Types that keep all values apart are allowed without USING and without a length: larger integers, numeric or text for integers, text for uuid and varchar.';
		END IF;
		UPDATE privacct.policy q SET owner_column = '' WHERE q.policy_id = p.policy_id;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._owners_rewritten(regclass, name) IS 'an owner column keeps its owners apart, or cannot be renewed by';
REVOKE ALL ON FUNCTION privacct._owners_rewritten(regclass, name) FROM PUBLIC;

CREATE FUNCTION privacct._check_same_owners(old privacct.policy, relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF old.owner_column = owner THEN
		RETURN;
	END IF;
	RAISE EXCEPTION 'the owner column of % cannot change', relation
		USING ERRCODE = 'PA004',
			DETAIL = CASE old.owner_column WHEN '' THEN 'An earlier policy spent budget per owner of a column that was dropped or rewritten.'
				ELSE format('An earlier policy spent budget per "%s"; what each "%s" has lost is not known from that.', old.owner_column, owner) END,
			HINT = CASE old.owner_column WHEN '' THEN 'Make a new table of the rows, and take into account what was spent.'
				ELSE format('Use owner => %L.', old.owner_column) END;
END
$$;
COMMENT ON FUNCTION privacct._check_same_owners(privacct.policy, regclass, name) IS 'who is charged stays the same over all policies of a table';
REVOKE ALL ON FUNCTION privacct._check_same_owners(privacct.policy, regclass, name) FROM PUBLIC;

CREATE OR REPLACE FUNCTION privacct._carry_over(successor bigint, relation regclass, accountant text, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	old privacct.policy;
	spent privacct.account;
	promised privacct.account;
BEGIN
	SELECT p.* INTO old FROM privacct.policy p
	WHERE p.relation = _carry_over.relation AND p.policy_id <> successor
	ORDER BY p.policy_id DESC LIMIT 1;
	-- the lock fails where the snapshot is too old to show every charge
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = old.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF coalesce(spent.releases, 0) = 0 THEN
		INSERT INTO privacct.account VALUES (successor, 0::regrole, 0, 0, 0, 0);
		RETURN;
	ELSIF old.regime <> (SELECT p.regime FROM privacct.policy p WHERE p.policy_id = successor) THEN
		RAISE EXCEPTION 'the regime of % cannot change', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the regime "%s".', old.regime),
				  HINT = format('Use regime => %L.', old.regime);
	ELSIF old.accountant <> _carry_over.accountant THEN
		RAISE EXCEPTION 'the accountant of % cannot change', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the accountant "%s".', old.accountant),
				  HINT = format('Use accountant => %L.', old.accountant);
	END IF;
	PERFORM privacct._check_same_owners(old, relation, (SELECT p.owner_column FROM privacct.policy p WHERE p.policy_id = successor));
	IF old.regime = 'local' THEN
		-- whoever is asked under the new policy may be the one who lost the most
		INSERT INTO privacct.likelihood VALUES (successor, 0, '{}', 0, greatest(old.lost[2] - old.lost[1], 0), coalesce(old.lost[1], old.epsilon), coalesce(old.lost[3], 0), '{}', 0, 0, 0);
		INSERT INTO privacct.owner_state_at VALUES (successor, 0);
	END IF;
	INSERT INTO privacct.account SELECT successor, a.role, a.epsilon, a.delta, a.rho, a.releases, a.spared_epsilon, a.spared_delta
	FROM privacct.account a WHERE a.policy_id = old.policy_id;
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT successor, now(), _carry_over.caller::text, l.payer, sum(l.epsilon), sum(l.delta), sum(l.rho),
		jsonb_build_object('carried_from_policy', old.policy_id, 'charges', count(*))
	FROM privacct.ledger l WHERE l.policy_id = old.policy_id GROUP BY l.payer;
	IF old.accountant = 'plan' AND privacct._plan_is_used(old.policy_id) THEN
		UPDATE privacct.account a SET epsilon = old.epsilon, delta = old.delta
		WHERE a.policy_id = successor AND a.role = 0::regrole;
		INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		VALUES (successor, now(), _carry_over.caller::text, _carry_over.caller::text, old.epsilon - spent.epsilon, old.delta - spent.delta, 0,
			jsonb_build_object('carried_from_policy', old.policy_id, 'promised_by_plan', true));
		spent.epsilon := old.epsilon;
		spent.delta := old.delta;
	END IF;
	RAISE NOTICE 'what % has spent before is carried over', relation
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho, spent.releases);
END
$$;
