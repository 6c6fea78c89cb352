-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Workers of the declarations: budgets and plans.
--

CREATE OR REPLACE FUNCTION privacct._planned(slots jsonb, epsilon numeric, delta numeric, most_groups int,
	kernels text[])
	RETURNS TABLE (slot int, role text, kernel text, noise text, releases bigint, groups int, within float8,
		weight float8, scale float8, q float8, acceptance float8, rho float8, epsilon_alone float8)
	AS 'MODULE_PATHNAME', 'pa_planned' LANGUAGE C IMMUTABLE;
COMMENT ON FUNCTION privacct._planned(jsonb, numeric, numeric, int, text[])
	IS 'slots of a plan, with the tightest noise that keeps the promise';

CREATE OR REPLACE FUNCTION privacct._plan_is_used(policy_id bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT EXISTS (SELECT FROM privacct.slot s WHERE s.policy_id = _plan_is_used.policy_id AND s.used > 0)
		OR EXISTS (SELECT FROM privacct.ledger l WHERE l.policy_id = _plan_is_used.policy_id
				   AND NOT coalesce(l.detail ? 'carried_from_policy', false))
$$;
COMMENT ON FUNCTION privacct._plan_is_used(bigint)
	IS 'true once a release was made under a policy, carried ones not counted';

CREATE OR REPLACE FUNCTION privacct._role(role name) RETURNS regrole
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	found_role regrole := (SELECT r.oid FROM pg_roles r WHERE r.rolname = role);
BEGIN
	IF role IS NULL THEN
		RAISE EXCEPTION 'role must not be null' USING ERRCODE = '22004';
	ELSIF found_role IS NULL THEN
		RAISE EXCEPTION 'role "%" does not exist', role USING ERRCODE = '42704';
	END IF;
	RETURN found_role;
END
$$;
COMMENT ON FUNCTION privacct._role(name) IS 'a role by its name, or an error';

CREATE OR REPLACE FUNCTION privacct._check_grantee(p privacct.policy, grantee regrole) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF grantee = 'privacct_reader'::regrole OR EXISTS (
		SELECT FROM privacct.policy t JOIN pg_class c ON c.oid = t.relation
		WHERE t.closed_at IS NULL AND p.policy_id IN (t.policy_id, t.unit)
		AND pg_has_role(grantee::oid, c.relowner, 'USAGE')) THEN
		RAISE EXCEPTION 'role "%" cannot be given a budget', (SELECT r.rolname FROM pg_roles r WHERE r.oid = grantee)
			USING ERRCODE = '42PA4',
				  DETAIL = 'It can read the table itself: superuser, owner, member of the owner, or the internal '
					'reader.',
				  HINT = 'Give the budget to a role without rights on the table.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_grantee(privacct.policy, regrole)
	IS 'a role that has a budget of a table, or of a unit, can read none of its tables by itself';

-- Roles are known by their numbers: who drops one and makes it anew has made another, which has spent nothing.  The
-- ledger knows by which names they have paid.  What no role has that there is now was paid by those that are gone; they
-- may have been called otherwise when they went.
CREATE OR REPLACE FUNCTION privacct._paid_by_gone(p privacct.policy)
	RETURNS TABLE (payer name, epsilon numeric, delta numeric, rho numeric, charges bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH paid AS MATERIALIZED (SELECT c.payer, sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho,
			sum(c.charges)::bigint AS charges
		FROM privacct._paid c WHERE c.policy_id = p.policy_id GROUP BY c.payer),
	here AS MATERIALIZED (SELECT r.rolname, a.epsilon, a.delta, a.rho
		FROM privacct.account a JOIN pg_roles r ON r.oid = a.role WHERE a.policy_id = p.policy_id),
	-- more than by their names: they were called otherwise
	renamed AS MATERIALIZED (SELECT coalesce(sum(greatest(h.epsilon - coalesce(c.epsilon, 0), 0)), 0) AS epsilon,
			coalesce(sum(greatest(h.delta - coalesce(c.delta, 0), 0)), 0) AS delta,
			coalesce(sum(greatest(h.rho - coalesce(c.rho, 0), 0)), 0) AS rho
		FROM here h LEFT JOIN paid c ON c.payer = h.rolname),
	missing AS MATERIALIZED (SELECT c.payer, greatest(c.epsilon - coalesce(h.epsilon, 0), 0) AS epsilon,
			greatest(c.delta - coalesce(h.delta, 0), 0) AS delta, greatest(c.rho - coalesce(h.rho, 0), 0) AS rho,
			c.charges
		FROM paid c LEFT JOIN here h ON h.rolname = c.payer)
	SELECT m.* FROM missing m WHERE (m.epsilon > 0 OR m.delta > 0 OR m.rho > 0)
	AND EXISTS (SELECT FROM renamed n, (SELECT sum(o.epsilon) AS epsilon, sum(o.delta) AS delta, sum(o.rho) AS rho
		FROM missing o) t WHERE t.epsilon > n.epsilon OR t.delta > n.delta OR t.rho > n.rho)
$$;
COMMENT ON FUNCTION privacct._paid_by_gone(privacct.policy)
	IS 'by their names when they paid, what roles were charged that are not there any more; roles that are only called '
	'otherwise now may be among them';

CREATE OR REPLACE FUNCTION privacct._tell_of_namesake(p privacct.policy, role name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	paid record;
	others text;
BEGIN
	SELECT g.* INTO paid FROM privacct._paid_by_gone(p) g WHERE g.payer = role;
	IF FOUND THEN
		RAISE WARNING 'a role that was called "%" has spent budget of %', role, privacct._called_of(p)
			USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases. It was dropped; the role that is '
				'called so now starts from nothing.', trim_scale(paid.epsilon), trim_scale(paid.delta),
				trim_scale(paid.rho), paid.charges),
				  HINT = 'If the same people use it, privacct.repair_books() counts this as spent by it.';
		RETURN;
	END IF;
	others := (SELECT string_agg(format('"%s": epsilon %s, delta %s, rho %s', g.payer, trim_scale(g.epsilon),
		trim_scale(g.delta), trim_scale(g.rho)), '; ' ORDER BY g.payer) FROM privacct._paid_by_gone(p) g);
	IF others IS NOT NULL THEN
		RAISE NOTICE 'roles that are gone have spent budget of %', privacct._called_of(p)
			USING DETAIL = format('When they did, they were called %s. Role "%s" starts from nothing.', others, role),
				  HINT = 'If the same people use it, give it a budget that is smaller by that.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_of_namesake(privacct.policy, name)
	IS 'tells who gives a budget to a new role what roles that are gone have spent: it may be one of them';

CREATE OR REPLACE FUNCTION privacct._put_quota(caller regrole, p privacct.policy, role name, epsilon numeric,
	delta numeric) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	grantee regrole := privacct._role(role);
	caps record;
BEGIN
	PERFORM privacct._check_grantee(p, grantee);
	delta := coalesce(delta, CASE WHEN p.accountant = ANY (privacct._accountants('pure')) THEN 0 ELSE p.delta END);
	SELECT * INTO caps FROM privacct._caps(p.accountant, epsilon, delta);
	INSERT INTO privacct.quota VALUES (p.policy_id, grantee, caps.epsilon, caps.delta, caps.cap_rho, caps.cap_delta,
		now(), caller::text)
	ON CONFLICT ON CONSTRAINT quota_pkey DO UPDATE
	SET epsilon = caps.epsilon, delta = caps.delta, cap_rho = caps.cap_rho, cap_delta = caps.cap_delta,
		granted_at = excluded.granted_at, granted_by = excluded.granted_by;
	PERFORM privacct._check_writers(t.relation) FROM privacct.policy t
	WHERE t.closed_at IS NULL AND p.policy_id IN (t.policy_id, t.unit);
	-- what the role has spent before, also under a revoked budget, stays
	INSERT INTO privacct.account VALUES (p.policy_id, grantee, 0, 0, 0, 0) ON CONFLICT ON CONSTRAINT account_pkey
		DO NOTHING;
	IF FOUND THEN
		PERFORM privacct._tell_of_namesake(p, role);
	END IF;
	PERFORM privacct._tell_of_budget(p, role, caps);
END
$$;
COMMENT ON FUNCTION privacct._put_quota(regrole, privacct.policy, name, numeric, numeric)
	IS 'writes what a role may spend of a policy''s budget';

CREATE OR REPLACE FUNCTION privacct._take_quota(p privacct.policy, role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	grantee regrole := privacct._role(role);
BEGIN
	DELETE FROM privacct.quota q WHERE q.policy_id = p.policy_id AND q.role = grantee;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'role "%" has no budget for %', role, privacct._called_of(p) USING ERRCODE = '42PA4';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._take_quota(privacct.policy, name) IS 'takes a role its budget';

-- The books of a table are those of its unit; who names the table is told so.
CREATE OR REPLACE FUNCTION privacct._paying_policy(caller regrole, relation regclass) RETURNS privacct.policy
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	b privacct.policy := privacct._books_policy(p);
BEGIN
	IF b.policy_id <> p.policy_id THEN
		b := privacct._lock_unit(caller, b.name);
		RAISE NOTICE 'the budget of % is that of unit "%"', relation, b.name
			USING DETAIL = format('It is for all tables of the unit: %s.', (
				SELECT string_agg(t.relation_name, ', ' ORDER BY t.relation_name) FROM privacct.policy t
				WHERE t.unit = b.policy_id AND t.closed_at IS NULL AND t.regime = 'central')),
				HINT = format('Name the unit to say so: %L.', b.name);
	END IF;
	RETURN b;
END
$$;
COMMENT ON FUNCTION privacct._paying_policy(regrole, regclass) IS 'the policy whose budget is granted for a table';

CREATE OR REPLACE FUNCTION privacct._grant_budget(caller regrole, relation regclass, role name, epsilon numeric,
	delta numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._put_quota(caller, privacct._paying_policy(caller, relation), role, epsilon, delta);
END
$$;
COMMENT ON FUNCTION privacct._grant_budget(regrole, regclass, name, numeric, numeric)
	IS 'worker of grant_budget, for a table';

CREATE OR REPLACE FUNCTION privacct._grant_budget(caller regrole, unit name, role name, epsilon numeric,
	delta numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._put_quota(caller, privacct._lock_unit(caller, unit), role, epsilon, delta);
END
$$;
COMMENT ON FUNCTION privacct._grant_budget(regrole, name, name, numeric, numeric)
	IS 'worker of grant_budget, for a unit';

CREATE OR REPLACE FUNCTION privacct._revoke_budget(caller regrole, relation regclass, role name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._take_quota(privacct._paying_policy(caller, relation), role);
END
$$;
COMMENT ON FUNCTION privacct._revoke_budget(regrole, regclass, name) IS 'worker of revoke_budget, for a table';

CREATE OR REPLACE FUNCTION privacct._revoke_budget(caller regrole, unit name, role name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._take_quota(privacct._lock_unit(caller, unit), role);
END
$$;
COMMENT ON FUNCTION privacct._revoke_budget(regrole, name, name) IS 'worker of revoke_budget, for a unit';

-- The noise is found before charges are held back, for that may take a while.
-- Uses are looked up, and slots are deleted, under that lock: where the snapshot
-- is older than a use, deleting its slot fails.
CREATE OR REPLACE FUNCTION privacct._plan_budget(caller regrole, relation regclass, slots jsonb)
	RETURNS TABLE (slot int, role regrole, kernel text, releases bigint, groups int, weight float8, scale float8,
		q float8, within float8, acceptance float8, rho float8, epsilon_alone float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_column
DECLARE
	p privacct.policy;
	carried privacct.account;
	id bigint := nextval('privacct.plan_id_seq');
	planned privacct.slot[];
BEGIN
	PERFORM privacct._lock(_plan_budget.relation);
	p := privacct._paying_policy(caller, _plan_budget.relation);
	IF p.accountant <> ALL (privacct._accountants('planned')) THEN
		RAISE EXCEPTION 'the budget of % is not managed by a plan', _plan_budget.relation
			USING ERRCODE = '42PA4', DETAIL = format('The accountant of its policy is "%s".', p.accountant),
				  HINT = format('Protect a table with accountant => %L.', (privacct._accountants('planned'))[1]);
	END IF;
	SELECT a.* INTO carried FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	IF p.epsilon - carried.epsilon < 1e-9 OR p.delta < carried.delta THEN
		RAISE EXCEPTION 'there is no budget left for a plan'
			USING ERRCODE = '42PA4',
				DETAIL = format('Earlier policies of the table spent epsilon %s, delta %s.', carried.epsilon,
				carried.delta),
				  HINT = 'Protect the table with a larger epsilon.';
	END IF;
	planned := ARRAY(
		SELECT ROW(p.policy_id, n.slot, id, CASE WHEN n.role IS NOT NULL THEN privacct._role(n.role::name) END,
		n.kernel, n.noise, n.groups,
			n.within, n.weight, n.scale, n.q, n.acceptance, n.rho, n.epsilon_alone, n.releases, 0)::privacct.slot
		FROM privacct._planned(_plan_budget.slots, p.epsilon - carried.epsilon, p.delta - carried.delta,
		(SELECT max(t.max_groups_contributed) FROM privacct.policy t WHERE t.closed_at IS NULL
			AND p.policy_id IN (t.policy_id, t.unit)), p.kernels) n);
	PERFORM privacct._hold_charges(p.policy_id);
	IF privacct._plan_is_used(p.policy_id) THEN
		RAISE EXCEPTION 'the plan of % is in use', _plan_budget.relation
			USING ERRCODE = '42PA4',
				DETAIL = 'A plan is fixed before its first release: its noise must not depend on an answer.',
				  HINT = 'To plan anew, unprotect and protect the table with a larger promise; this one counts as '
					'spent.';
	END IF;
	DELETE FROM privacct.slot s WHERE s.policy_id = p.policy_id;
	INSERT INTO privacct.slot SELECT * FROM unnest(planned);
	RETURN QUERY SELECT s.slot, s.role::oid::regrole, s.kernel, s.releases, s.groups, s.weight, s.scale, s.q, s.within,
		s.acceptance, s.rho, s.epsilon_alone
	FROM privacct.slot s WHERE s.policy_id = p.policy_id ORDER BY s.slot;
END
$$;
COMMENT ON FUNCTION privacct._plan_budget(regrole, regclass, jsonb) IS 'worker of plan_budget';

--
-- What a local policy says of itself: who can bear a question, and what a budget is worth.
--

CREATE OR REPLACE FUNCTION privacct._tell_of_budget(p privacct.policy, role name, caps record) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	account privacct.account;
	spent numeric;
	cap numeric := privacct._cap(p.accountant, caps.epsilon, caps.cap_delta);
BEGIN
	IF p.accountant = ANY (privacct._accountants('planned')) THEN
		RAISE NOTICE 'the budget of "%" only entitles it to use the plan', role
			USING DETAIL = 'Under a plan, slots limit what is released; a slot may be reserved for one role.';
		RETURN;
	END IF;
	-- in the local regime every owner has an own budget, which this one does not add to
	IF p.regime <> 'local' AND (caps.epsilon > p.epsilon OR caps.delta > p.delta) THEN
		RAISE NOTICE 'the budget of "%" is larger than that of the %', role,
			CASE WHEN p.name IS NULL THEN 'table' ELSE 'unit' END
			USING DETAIL = format('The %s own budget is the limit.',
				CASE WHEN p.name IS NULL THEN 'table''s' ELSE 'unit''s' END);
	END IF;
	SELECT a.* INTO account FROM privacct.account a WHERE a.policy_id = p.policy_id
		AND a.role = privacct._role(_tell_of_budget.role);
	spent := privacct._spent(p.accountant, account.epsilon, account.rho);
	IF spent > cap OR account.delta > caps.cap_delta THEN
		RAISE NOTICE 'the budget of "%" is less than what it has spent', role
			USING DETAIL = format('It has spent %s %s of %s and delta %s of %s.', privacct._currency(p.accountant),
				trim_scale(spent), trim_scale(cap), trim_scale(account.delta), trim_scale(caps.cap_delta)),
				HINT = 'A budget is what a role may spend in total; to let it continue, grant more than that.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_of_budget(privacct.policy, name, record)
	IS 'notices of what a budget that is granted is not worth';
