--
-- What a local policy says of itself: who can bear a question, and what a budget is worth.
--

DROP FUNCTION privacct.preview(text, float8);
CREATE FUNCTION privacct.preview(query text, owners float8 DEFAULT NULL, OUT release int, OUT statistic text, OUT kernel text, OUT used boolean,
	OUT scale double precision, OUT q double precision, OUT sensitivity double precision, OUT groups_per_owner int,
	OUT within double precision, OUT acceptance double precision, OUT error_95 double precision,
	OUT total_error_95 double precision, OUT epsilon numeric, OUT delta numeric, OUT rho numeric,
	OUT releases_left bigint, OUT owners_able bigint, OUT owners_known bigint, OUT newcomers boolean) RETURNS SETOF record
	VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_preview';
COMMENT ON FUNCTION privacct.preview(text, float8) IS
	'what a query would cost and how far its answers would be from the truth, with the noise that it would have (used) and with each other kind at the same cost; owners: how many may contribute, for the error of a sample; local regime: of the owners who were asked before (owners_known) so many can bear it (owners_able), and whether those never asked can (newcomers); executes and charges nothing';
REVOKE ALL ON FUNCTION privacct.preview(text, float8) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.preview(text, float8) TO PUBLIC;

COMMENT ON FUNCTION privacct.intervals(bigint) IS
	'confidence intervals of what this session was released under a charge (the last one by default); acceptance is the probability with which noise stayed within the error bound; answered of asked owners; of a central release on a local table those who were asked before and are in it, of those who were asked before';

CREATE FUNCTION privacct._tell_of_budget(p privacct.policy, role name, caps record) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	spent privacct.account;
BEGIN
	IF p.accountant = 'plan' THEN
		RAISE NOTICE 'the budget of "%" only entitles it to use the plan', role
			USING DETAIL = 'Under a plan, slots limit what is released; a slot may be reserved for one role.';
		RETURN;
	END IF;
	-- in the local regime every owner has an own budget, which this one does not add to
	IF p.regime <> 'local' AND (caps.epsilon > p.epsilon OR caps.delta > p.delta) THEN
		RAISE NOTICE 'the budget of "%" is larger than that of the table', role
			USING DETAIL = 'The table''s own budget is the limit.';
	END IF;
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = privacct._role(_tell_of_budget.role);
	IF spent.rho > caps.cap_rho OR (caps.cap_rho IS NULL AND spent.epsilon > caps.epsilon) OR spent.delta > caps.cap_delta THEN
		RAISE NOTICE 'the budget of "%" is less than what it has spent', role
			USING DETAIL = concat(CASE WHEN caps.cap_rho IS NULL THEN format('It has spent epsilon %s of %s', trim_scale(spent.epsilon), trim_scale(caps.epsilon))
					ELSE format('It has spent rho %s of %s', trim_scale(spent.rho), trim_scale(caps.cap_rho)) END,
				format(' and delta %s of %s.', trim_scale(spent.delta), trim_scale(caps.cap_delta))),
				HINT = 'A budget is what a role may spend in total; to let it continue, grant more than that.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_of_budget(privacct.policy, name, record) IS 'notices of what a budget that is granted is not worth';
REVOKE ALL ON FUNCTION privacct._tell_of_budget(privacct.policy, name, record) FROM PUBLIC;

CREATE OR REPLACE FUNCTION privacct._grant_budget(caller regrole, relation regclass, role name, epsilon numeric, delta numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	grantee regrole := privacct._role(role);
	caps record;
BEGIN
	IF grantee = 'privacct_reader'::regrole
	   OR pg_has_role(grantee::oid, (SELECT c.relowner FROM pg_class c WHERE c.oid = relation), 'USAGE') THEN
		RAISE EXCEPTION 'role "%" cannot be given a budget', role
			USING ERRCODE = 'PA004',
				  DETAIL = 'It can read the table itself: superuser, owner, member of the owner, or the internal reader.',
				  HINT = 'Give the budget to a role without rights on the table.';
	END IF;
	delta := coalesce(delta, CASE WHEN p.accountant = 'zcdp' THEN p.delta ELSE 0 END);
	SELECT * INTO caps FROM privacct._caps(p.accountant, epsilon, delta);
	INSERT INTO privacct.quota VALUES (p.policy_id, grantee, caps.epsilon, caps.delta, caps.cap_rho, caps.cap_delta, now(), caller::text)
	ON CONFLICT ON CONSTRAINT quota_pkey DO UPDATE
	SET epsilon = caps.epsilon, delta = caps.delta, cap_rho = caps.cap_rho, cap_delta = caps.cap_delta,
		granted_at = excluded.granted_at, granted_by = excluded.granted_by;
	-- what the role has spent before, also under a revoked budget, stays
	INSERT INTO privacct.account VALUES (p.policy_id, grantee, 0, 0, 0, 0) ON CONFLICT ON CONSTRAINT account_pkey DO NOTHING;
	PERFORM privacct._tell_of_budget(p, role, caps);
END
$$;

CREATE OR REPLACE VIEW privacct.odometer WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, p.closed_at IS NULL AS open, p.accountant,
	   p.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent, pg_catalog.trim_scale(greatest(p.epsilon - e.spent, 0)) AS epsilon_left,
	   p.delta, p.cap_delta, pg_catalog.trim_scale(a.delta - a.spared_delta) AS delta_spent, pg_catalog.trim_scale(greatest(p.cap_delta - a.delta + a.spared_delta, 0)) AS delta_left,
	   p.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(p.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases,
	   CASE WHEN p.regime = 'central' AND pg_catalog.jsonb_array_length(r.mechanisms) <= 100000 THEN privacct.compose(r.mechanisms, p.delta::float8) END AS epsilon_tight,
	   p.regime
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
LEFT JOIN LATERAL (SELECT m.* FROM privacct._mechanism m WHERE m.policy_id = p.policy_id OFFSET 0) m ON true
CROSS JOIN LATERAL (SELECT coalesce(m.mechanisms, '[]'), coalesce(m.own, '[]')) r(mechanisms, own)
CROSS JOIN LATERAL (SELECT CASE
	WHEN p.regime = 'local' THEN privacct._most_lost(p)
	WHEN p.accountant = 'zcdp' THEN privacct._zcdp_epsilon(a.rho, p.cap_delta)
	WHEN p.accountant = 'plan' THEN CASE WHEN pg_catalog.jsonb_array_length(r.own) <= 100000
		THEN a.epsilon + privacct.compose(r.own, greatest(p.delta - a.delta, 0)::float8)::numeric ELSE p.epsilon END
	ELSE a.epsilon - a.spared_epsilon END) e(spent)
WHERE privacct._administers(p.relation);
COMMENT ON COLUMN privacct.odometer.regime IS 'central, local or pufferfish: whose loss epsilon_spent is';
