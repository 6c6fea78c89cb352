-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Privacy units: what one owner may lose in all, over all tables of the unit.
--
-- A unit is a policy without a table.  It has a promise, an accountant, quotas, an account
-- and a ledger, as the policy of a table has that is a unit of its own.  The tables of a
-- unit have policies, too, which say whose rows are whose and what a release may contain;
-- what is released from any of them is charged to the books of the unit.
--

-- In the local regime each owner has a budget, which is kept by keys of owners: such a
-- table has books of its own, and the unit is charged all that they may come to.
CREATE OR REPLACE FUNCTION privacct._books_of(id bigint) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
	RETURN coalesce((SELECT p.unit FROM privacct.policy p WHERE p.policy_id OPERATOR(pg_catalog.=) id
		AND p.regime OPERATOR(pg_catalog.<>) 'local'), id);
COMMENT ON FUNCTION privacct._books_of(bigint) IS 'the policy whose books pay for what is released under a policy';

CREATE OR REPLACE FUNCTION privacct._books_policy(p privacct.policy) RETURNS privacct.policy
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT b FROM privacct.policy b WHERE b.policy_id = privacct._books_of(p.policy_id)
$$;
COMMENT ON FUNCTION privacct._books_policy(privacct.policy) IS 'as _books_of, the policy itself';

CREATE OR REPLACE FUNCTION privacct._administers_books(relation regclass, unit_owner oid) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_administers_books' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._administers_books(regclass, oid)
	IS 'true if the current user owns the table or the unit; of what has no owner any more, if superuser';

CREATE OR REPLACE FUNCTION privacct._called_of(p privacct.policy) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN p.name IS NULL THEN p.relation::regclass::text ELSE format('unit "%s"', p.name) END
$$;
COMMENT ON FUNCTION privacct._called_of(privacct.policy) IS 'what a message calls the table or the unit of a policy';

CREATE OR REPLACE FUNCTION privacct._unit_called(caller regrole, name name) RETURNS privacct.policy
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	u privacct.policy := (SELECT q FROM privacct.policy q WHERE q.name = _unit_called.name AND q.closed_at IS NULL);
BEGIN
	IF u.policy_id IS NULL THEN
		RAISE EXCEPTION 'unit "%" does not exist', name
			USING ERRCODE = '42704', HINT = 'Call privacct.create_unit() first.';
	ELSIF NOT coalesce((SELECT c.rolsuper OR pg_has_role(c.oid, o.oid, 'USAGE') IS TRUE
			FROM pg_roles c LEFT JOIN pg_roles o ON o.oid = u.unit_owner WHERE c.oid = caller), false) THEN
		IF privacct._unit_is_left_by(u, u.unit_owner) THEN
			RAISE EXCEPTION 'must be owner of unit %', name
				USING ERRCODE = '42501', DETAIL = 'Its owner is not there any more, or has no rights on its tables.',
					  HINT = format('SELECT privacct.set_unit_owner(%L, ...) gives it to another: for superusers, and '
						'whoever owns all its tables.', name);
		END IF;
		RAISE EXCEPTION 'must be owner of unit %', name USING ERRCODE = '42501';
	END IF;
	RETURN u;
END
$$;
COMMENT ON FUNCTION privacct._unit_called(regrole, name) IS 'an open unit by its name, if it is the caller''s';

CREATE OR REPLACE FUNCTION privacct._lock_unit(caller regrole, name name) RETURNS privacct.policy
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	u privacct.policy := privacct._unit_called(caller, name);
BEGIN
	PERFORM FROM privacct.policy q WHERE q.policy_id = u.policy_id FOR UPDATE;
	RETURN privacct._unit_called(caller, name);
END
$$;
COMMENT ON FUNCTION privacct._lock_unit(regrole, name)
	IS 'as _unit_called; holds back who drops the unit, or gives it tables or budgets, until the end of the '
	'transaction';

-- Three random UUIDs hold 366 bits from the strong generator of the server.
CREATE OR REPLACE FUNCTION privacct._new_secret() RETURNS bytea
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
	SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;
COMMENT ON FUNCTION privacct._new_secret() IS 'a key for the choice of groups';

-- Tables bring what was charged to a unit, and are known again by their names; a unit by its own.
CREATE OR REPLACE FUNCTION privacct._tell_of_former_unit(name name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	spent privacct.account;
BEGIN
	SELECT a.* INTO spent FROM privacct.policy q JOIN privacct.account a ON a.policy_id = q.policy_id
		AND a.role = 0::regrole
	WHERE q.name = name AND q.closed_at IS NOT NULL
		AND (a.epsilon > 0 OR a.delta > 0 OR a.rho > 0 OR a.releases > 0)
	ORDER BY q.policy_id DESC LIMIT 1;
	IF FOUND THEN
		RAISE NOTICE 'a unit that was called "%" has spent budget', name
			USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases. The new one starts from what its '
				'tables bring with them, and from nothing where these are others.', trim_scale(spent.epsilon),
				trim_scale(spent.delta), trim_scale(spent.rho), spent.releases),
				  HINT = 'If others have rows of the same persons, protect them with inherits, or create the unit with '
					'an epsilon that is smaller by that.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_of_former_unit(name)
	IS 'tells who makes a privacy unit what an earlier one of its name has spent';

CREATE OR REPLACE FUNCTION privacct._create_unit(caller regrole, name name, epsilon numeric, delta numeric,
	accountant text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	caps record;
	id bigint;
BEGIN
	-- what grant_budget() is told may be a unit or a table
	IF name IS NULL OR quote_ident(name) <> name THEN
		RAISE EXCEPTION 'a unit cannot be called "%"', name
			USING ERRCODE = '42602', DETAIL = 'Its name is an identifier that needs no quotes.',
				  HINT = 'Use letters in lower case, digits and underscores.';
	END IF;
	PERFORM privacct._check_choices('central', accountant);
	SELECT * INTO caps FROM privacct._caps(accountant, epsilon, delta);
	PERFORM privacct._identify();
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accountant, epsilon, delta, cap_rho,
		cap_delta, max_groups_contributed, max_rows_contributed, min_owners, sample_rate, secret, created_at,
		created_by, name, unit_owner, kernel, kernels, filter, answer_group, closed_at, lost, min_epsilon, time_grid,
		time_epsilon, owner_attnum, owner_type, unit, path, path_to, path_keys, repeat_age,
		edition)
	VALUES (0::oid, name, '', 'central', accountant, caps.epsilon, caps.delta,
		caps.cap_rho, caps.cap_delta, 1, 1, 1, 1, privacct._new_secret(), now(),
		caller::text, name, caller, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL, NULL)
	ON CONFLICT DO NOTHING
	RETURNING policy_id INTO id;
	IF id IS NULL THEN
		RAISE EXCEPTION 'unit "%" already exists', name USING ERRCODE = '42710';
	END IF;
	INSERT INTO privacct.account VALUES (id, 0::regrole, 0, 0, 0, 0);
	PERFORM privacct._tell_of_former_unit(name);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._create_unit(regrole, name, numeric, numeric, text) IS 'worker of create_unit';

-- What was charged stays in its books, and is known to the histories of the tables that it had.
CREATE OR REPLACE FUNCTION privacct._drop_unit(caller regrole, name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	u privacct.policy := privacct._lock_unit(caller, name);
	tables text;
BEGIN
	SELECT string_agg(t.relation_name, ', ' ORDER BY t.relation_name) INTO tables
		FROM privacct.policy t WHERE t.unit = u.policy_id AND t.closed_at IS NULL;
	IF tables IS NOT NULL THEN
		RAISE EXCEPTION 'unit "%" has tables', name
			USING ERRCODE = '42PA4', DETAIL = format('They are: %s.', tables),
				  HINT = 'Call privacct.unprotect() for each of them first.';
	END IF;
	PERFORM privacct._hold_charges(u.policy_id);
	UPDATE privacct.policy q SET closed_at = now() WHERE q.policy_id = u.policy_id;
END
$$;
COMMENT ON FUNCTION privacct._drop_unit(regrole, name) IS 'worker of drop_unit';

-- Roles are dropped, and REASSIGN OWNED gives tables to others, but no unit.
CREATE OR REPLACE FUNCTION privacct._unit_is_left_by(u privacct.policy, owner oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = owner)
		OR EXISTS (SELECT FROM privacct.policy t JOIN pg_class c ON c.oid = t.relation
			WHERE t.unit = u.policy_id AND t.closed_at IS NULL AND pg_has_role(owner, c.relowner, 'USAGE') IS NOT TRUE)
$$;
COMMENT ON FUNCTION privacct._unit_is_left_by(privacct.policy, oid)
	IS 'true if a role is not there, or has no rights on a table of the unit';

-- Whoever has all its tables could unprotect them all.
CREATE OR REPLACE FUNCTION privacct._set_unit_owner(caller regrole, name name, new_owner regrole) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	u privacct.policy;
BEGIN
	SELECT q.* INTO u FROM privacct.policy q WHERE q.name = _set_unit_owner.name AND q.closed_at IS NULL FOR UPDATE;
	IF u.policy_id IS NULL OR privacct._unit_is_left_by(u, caller)
		OR NOT EXISTS (SELECT FROM privacct.policy t WHERE t.unit = u.policy_id AND t.closed_at IS NULL) THEN
		u := privacct._lock_unit(caller, name);
	END IF;
	IF privacct._unit_is_left_by(u, new_owner) THEN
		RAISE EXCEPTION 'unit % cannot be given to that role', name
			USING ERRCODE = '42PA4', DETAIL = 'It has no rights on a table of the unit.',
				  HINT = 'Give the tables to it first, or make it a member of their owners.';
	ELSIF NOT pg_has_role(caller, new_owner, 'MEMBER') THEN
		RAISE EXCEPTION 'must be member of the role that gets unit %', name
			USING ERRCODE = '42501', HINT = 'That role, or a superuser, can take it.';
	END IF;
	UPDATE privacct.policy q SET unit_owner = new_owner WHERE q.policy_id = u.policy_id;
END
$$;
COMMENT ON FUNCTION privacct._set_unit_owner(regrole, name, regrole) IS 'worker of set_unit_owner';

-- Of a local policy they say what its owners may lose, which the unit is charged.
CREATE OR REPLACE FUNCTION privacct._check_promised_by_unit(unit name, epsilon numeric, delta numeric, accountant text)
	RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF num_nonnulls(epsilon, delta, accountant) > 0 THEN
		RAISE EXCEPTION 'epsilon, delta and accountant are those of the unit'
			USING ERRCODE = '42PA4', DETAIL = format('What is released from the table is charged to unit "%s".', unit),
				  HINT = 'Leave them out.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_promised_by_unit(name, numeric, numeric, text)
	IS 'a table of a unit promises nothing by itself';

CREATE OR REPLACE FUNCTION privacct._check_joins(u privacct.policy, relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	table_owner oid := (SELECT c.relowner FROM pg_class c WHERE c.oid = relation);
	bad text;
BEGIN
	IF NOT coalesce((SELECT o.rolsuper OR pg_has_role(o.oid, table_owner, 'USAGE') FROM pg_roles o
			WHERE o.oid = u.unit_owner), false) THEN
		RAISE EXCEPTION 'table % cannot belong to unit %', relation, u.relation_name
			USING ERRCODE = '42PA4', DETAIL = 'The owner of the unit has no rights on the table.',
				  HINT = format('All tables of a unit are of its owner, or of roles whose privileges its owner has.  '
					'If that is another now: SELECT privacct.set_unit_owner(%L, ...).', u.name);
	END IF;
	SELECT string_agg(q.role::regrole::text, ', ' ORDER BY q.role::regrole::text) INTO bad
	FROM privacct.quota q JOIN pg_roles r ON r.oid = q.role
	WHERE q.policy_id = u.policy_id AND pg_has_role(r.oid, table_owner, 'USAGE');
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot belong to unit %', relation, u.relation_name
			USING ERRCODE = '42PA4',
				  DETAIL = format('These have a budget of the unit, and can read the table itself: %s.', bad),
				  HINT = 'Call privacct.revoke_budget() first.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_joins(privacct.policy, regclass) IS 'what a table must keep to that joins a unit';

--
-- What a table brings from other books.
--
-- Of a pure epsilon the least of epsilon and its square's half is a rho, and with a delta
-- beside it is one but for that delta (theory.md).  The other way a rho is worth an epsilon
-- at a delta: half of what its own policy took.  But only a rho that is known beforehand: when a
-- table joins, and what it has spent by then, may follow from answers.  So it is rounded up
-- to one of 128 powers of two, among which the delta is shared.  What a unit holds for a table of the local
-- regime grows with that table's promises, which may follow from what owners have answered:
-- only epsilon itself is then a rho, and it is kept beside the rho of it.  So it is where numbers were refined: how far
-- follows from answers.
--

CREATE OR REPLACE FUNCTION privacct._worth_by_then(accountant text, spent numeric, delta numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN spent = 0 THEN 0 ELSE privacct._worth(accountant,
		(SELECT min(2::numeric ^ k) FROM generate_series(-64, 63) k WHERE 2::numeric ^ k >= spent), delta / 128) END
$$;
COMMENT ON FUNCTION privacct._worth_by_then(text, numeric, numeric)
	IS 'what an amount is worth as epsilon that may follow from answers, as may the time when somebody asks';

CREATE OR REPLACE FUNCTION privacct._in_currency(debt privacct.inherited, of text, promised_delta numeric, "in" text)
	RETURNS privacct.inherited
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	in_rho boolean := privacct._currency("in") = 'rho';
BEGIN
	IF privacct._currency(of) = privacct._currency("in") OR debt.releases = 0 THEN
		RETURN debt;
	ELSIF EXISTS (SELECT FROM privacct.policy q WHERE q.policy_id = debt.source AND q.regime = 'local') THEN
		debt.rho := CASE WHEN in_rho THEN greatest(debt.rho, debt.epsilon) ELSE debt.rho END;
	ELSIF in_rho THEN
		debt.rho := trim_scale(CASE WHEN EXISTS (SELECT FROM privacct._released r
			WHERE r.policy_id = debt.source AND r.mechanisms @> '[{"refined": true}]'::jsonb) THEN debt.epsilon
			ELSE least(debt.epsilon, debt.epsilon * debt.epsilon / 2) END);
	ELSE
		debt.epsilon := privacct._worth_by_then(of, debt.rho, promised_delta / 2);
		debt.delta := trim_scale(debt.delta + promised_delta / 2);
	END IF;
	RETURN debt;
END
$$;
COMMENT ON FUNCTION privacct._in_currency(privacct.inherited, text, numeric, text)
	IS 'what charges under one accountant are worth under another';

--
-- Tables of the local regime.
--
-- Each owner has a budget in the books of the table, which releases from it use up as
-- they come.  The unit is charged when the table joins: so much that all that an owner
-- can have lost by then, and can still lose, is charged (_reserved).
--

CREATE OR REPLACE FUNCTION privacct._reserve(u privacct.policy, id bigint, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = id);
	r record;
	debt privacct.inherited;
BEGIN
	PERFORM privacct._await_charges(u.policy_id);
	PERFORM privacct._check_no_slots(p, u.policy_id);
	SELECT * INTO r FROM privacct._reserved v WHERE v.policy_id = id;
	debt := ROW(u.policy_id, id, greatest(r.epsilon - r.held_epsilon, 0), greatest(r.delta - r.held_delta, 0),
		greatest(r.rho - r.held_rho, 0), 1, 0, 0, NULL);
	PERFORM privacct._check_room(u, p, debt, r.epsilon);
	PERFORM privacct._add_inherited(u.policy_id, ARRAY[debt]);
	PERFORM privacct._write_debts(u.policy_id, caller, '{"promised_to_owners": true}');
END
$$;
COMMENT ON FUNCTION privacct._reserve(privacct.policy, bigint, regrole)
	IS 'charges a unit what owners in a table of the local regime may lose';

CREATE OR REPLACE FUNCTION privacct._check_room(u privacct.policy, p privacct.policy, debt privacct.inherited,
	lost numeric) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	spent privacct.account := (SELECT a FROM privacct.account a WHERE a.policy_id = u.policy_id
		AND a.role = 0::regrole);
BEGIN
	IF spent.delta + debt.delta > u.cap_delta OR privacct._spent(u.accountant, spent.epsilon + debt.epsilon,
		spent.rho + debt.rho) > coalesce(u.cap_rho, u.epsilon) THEN
		RAISE EXCEPTION 'unit "%" has less left than owners in % may lose', u.name, p.relation
			USING ERRCODE = '53PA2',
				DETAIL = format('In the local regime each owner has a budget, which the unit is charged when the '
				'table joins, together with what owners have lost before: epsilon %s in all.', lost),
				HINT = 'Give the table a smaller epsilon, or the unit a larger one.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_room(privacct.policy, privacct.policy, privacct.inherited, numeric)
	IS 'what owners in a table of the local regime may lose is left in its unit';
