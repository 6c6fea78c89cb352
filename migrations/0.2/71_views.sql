--
-- Views that look up sums, and compute what is dear only for whoever selects it.
--

-- Which policies' releases are among those of a policy: its own, and what it carried
-- over.  A column that nobody selects is not computed.
CREATE OR REPLACE VIEW privacct.odometer WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, p.closed_at IS NULL AS open, p.accountant,
	   p.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent, pg_catalog.trim_scale(greatest(p.epsilon - e.spent, 0)) AS epsilon_left,
	   p.delta, p.cap_delta, pg_catalog.trim_scale(a.delta - a.spared_delta) AS delta_spent, pg_catalog.trim_scale(greatest(p.cap_delta - a.delta + a.spared_delta, 0)) AS delta_left,
	   p.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(p.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases,
	   CASE WHEN p.regime = 'central' THEN (
		SELECT CASE WHEN pg_catalog.count(*) <= 100000
			THEN privacct.compose(coalesce(pg_catalog.jsonb_agg(g.mechanism || pg_catalog.jsonb_build_object('count', g.count)), '[]'), p.delta::float8) END
		FROM (WITH RECURSIVE chain(source) AS (
				SELECT p.policy_id UNION SELECT l.source FROM chain c JOIN privacct._carried l ON l.policy_id = c.source WHERE l.source IS NOT NULL)
			  SELECT m.mechanism, sum(r.charges) AS count
			  FROM chain c CROSS JOIN LATERAL (SELECT d.* FROM privacct._released d WHERE d.policy_id = c.source OFFSET 0) r CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(r.mechanisms) m(mechanism)
			  GROUP BY m.mechanism) g) END AS epsilon_tight,
	   p.regime
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT CASE
	WHEN p.regime = 'local' THEN privacct._most_lost(p)
	WHEN p.accountant = 'zcdp' THEN privacct._zcdp_epsilon(a.rho, p.cap_delta)
	WHEN p.accountant = 'plan' THEN (
		SELECT CASE WHEN pg_catalog.count(*) <= 100000
			THEN a.epsilon + privacct.compose(coalesce(pg_catalog.jsonb_agg(g.mechanism || pg_catalog.jsonb_build_object('count', g.count)), '[]'), greatest(p.delta - a.delta, 0)::float8)::numeric
			ELSE p.epsilon END
		FROM (SELECT m.mechanism, sum(r.charges) AS count
			  FROM privacct._released r CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(r.mechanisms) m(mechanism)
			  WHERE r.policy_id = p.policy_id GROUP BY m.mechanism) g)
	ELSE a.epsilon - a.spared_epsilon END OFFSET 0) e(spent)
WHERE privacct._administers(p.relation);
DROP VIEW privacct._mechanism;

CREATE FUNCTION privacct._pufferfish_sums(b int[], a float8[], longest bigint, epsilons float8[], counts float8[], OUT naive float8, OUT paper float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_sums_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[], float8[]) IS 'what so many releases of these epsilons per row would be booked at one by one, and by the composition theorem of the paper';
REVOKE ALL ON FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[], float8[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[], float8[]) TO PUBLIC;

CREATE OR REPLACE VIEW privacct.pufferfish_budget WITH (security_barrier) AS
SELECT p.relation, v.version, v.epsilon_pufferfish AS epsilon, s.spent AS epsilon_spent, greatest(v.epsilon_pufferfish::float8 - s.spent, 0) AS epsilon_left,
	   v.delta_pufferfish AS delta, s.at_b AS active_b, s.at_a AS active_a,
	   v.curve_left[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_left, v.curve_right[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_right,
	   pg_catalog.trim_scale(a.epsilon) AS entry_epsilon_spent, v.epsilon AS entry_epsilon_cap, pg_catalog.trim_scale(greatest(v.epsilon - a.epsilon, 0)) AS entry_epsilon_left,
	   pg_catalog.trim_scale(a.everybodys) AS entry_epsilon_everybodys, a.owners AS owners_named,
	   pg_catalog.trim_scale(a.delta) AS entry_delta_spent, v.delta AS entry_delta_cap,
	   m.paper AS paper_sum, m.naive AS naive_sum, a.releases, n.longest AS longest_owner, v.max_entries,
	   coalesce(s.at_a = 0 AND s.at_b = v.max_entries, false) AS group_privacy,
	   k.kinds AS prior, k.sources AS source, v.hash, v.declared_at, v.declared_by,
	   pg_catalog.array_remove(ARRAY[
		'row existence, owners and the columns that order the entries are not protected',
		CASE WHEN v.secrets IS NOT NULL OR v.pairs IS NOT NULL THEN 'only the listed secrets are protected' END,
		CASE WHEN 'gaussian' = ANY (k.kinds) THEN 'approximate: a Gaussian prior gives no guarantee' END,
		CASE WHEN v.curve_a[1] = 'Infinity' THEN 'infinite: some entries are certain from others nearby' END,
		CASE WHEN v.max_entries IS NULL THEN 'no max_entries: no group privacy to fall back on' END,
		CASE WHEN v.epsilon * v.max_entries <= v.epsilon_pufferfish THEN 'group privacy: the prior does not help' END,
		CASE WHEN n.longest > v.max_entries THEN 'an owner has more rows than max_entries: nothing is released' END], NULL) AS warnings
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'pufferfish' AND privacct._administers(q.relation) OFFSET 0) p
CROSS JOIN LATERAL (SELECT c.epsilon - c.spared_epsilon, c.delta - c.spared_delta, c.epsilon - c.spared_epsilon - c.most_epsilon, c.releases,
	(SELECT pg_catalog.count(*) FROM privacct.owner_account o WHERE o.policy_id = p.policy_id)
	FROM privacct.account c WHERE c.policy_id = p.policy_id AND c.role = 0::regrole) a(epsilon, delta, everybodys, releases, owners)
CROSS JOIN LATERAL (SELECT w.* FROM privacct.prior w WHERE w.policy_id = p.policy_id ORDER BY w.version DESC LIMIT 1) v
CROSS JOIN LATERAL privacct._usable_points(v.curve_b, v.curve_a, a.epsilon, a.delta, v.delta_pufferfish) u
CROSS JOIN LATERAL privacct._pufferfish_spent(u.b, u.a,
	CASE WHEN a.delta = 0 OR privacct._group_delta(v.max_entries, a.epsilon::float8) * a.delta::float8 <= v.delta_pufferfish::float8 THEN v.max_entries END, a.epsilon) s
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.array_agg(g.epsilon::float8), '{}') AS epsilons, coalesce(pg_catalog.array_agg(g.charges::float8), '{}') AS charges
	FROM (SELECT d.epsilon, sum(d.charges) AS charges
		  FROM (SELECT r.epsilon, r.charges FROM privacct._released r WHERE r.policy_id = p.policy_id
				UNION ALL SELECT c.epsilon, 1 FROM privacct._carried c WHERE c.policy_id = p.policy_id) d
		  WHERE d.epsilon > 0 GROUP BY d.epsilon) g OFFSET 0) g
CROSS JOIN LATERAL privacct._pufferfish_sums(v.curve_b, v.curve_a, v.max_entries, g.epsilons, g.charges) m
CROSS JOIN LATERAL (SELECT privacct._longest_owner(p.relation, p.owner_column)) n(longest)
CROSS JOIN LATERAL (SELECT pg_catalog.array_agg(DISTINCT o->>'kind'), pg_catalog.array_agg(DISTINCT coalesce(o->>'source', 'explicit'))
	FROM pg_catalog.jsonb_array_elements(CASE pg_catalog.jsonb_typeof(v.priors) WHEN 'array' THEN v.priors ELSE pg_catalog.jsonb_build_array(v.priors) END) o) k(kinds, sources);
DROP FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[]);

-- The newest line first: who looks at some of them reads these alone.  The planner does
-- not know that the limit is none, and plans for a part of the lines: by the index.
CREATE OR REPLACE VIEW privacct.my_ledger WITH (security_barrier) AS
SELECT l.charge_id, l.charged_at, p.relation_name AS relation, l.role, l.payer, p.accountant, l.epsilon, l.delta, l.rho, l.detail
FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
WHERE l.role = current_user
ORDER BY l.charge_id DESC LIMIT (SELECT 9223372036854775807);
COMMENT ON VIEW privacct.my_ledger IS 'what the current user has been charged for, the newest first';
