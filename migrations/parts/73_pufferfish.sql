-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views of the pufferfish regime.
--

-- Pufferfish regime.  What the table was charged under earlier policies is one line.
CREATE OR REPLACE VIEW privacct.pufferfish_budget WITH (security_barrier) AS
SELECT p.relation, v.version, v.epsilon_pufferfish AS epsilon, s.spent AS epsilon_spent,
	greatest(v.epsilon_pufferfish::float8 - s.spent, 0) AS epsilon_left,
	   v.delta_pufferfish AS delta, s.at_b AS active_b, s.at_a AS active_a,
	   v.curve_left[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_left,
		v.curve_right[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_right,
	   pg_catalog.trim_scale(a.epsilon) AS entry_epsilon_spent, v.epsilon AS entry_epsilon_cap,
		pg_catalog.trim_scale(greatest(v.epsilon - a.epsilon, 0)) AS entry_epsilon_left,
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
		CASE WHEN n.longest > v.max_entries THEN 'an owner has more rows than max_entries: nothing is released' END],
		NULL) AS warnings
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'pufferfish'
	AND privacct._administers_books(q.relation, NULL) OFFSET 0) p
CROSS JOIN LATERAL (SELECT c.epsilon - c.spared_epsilon, c.delta - c.spared_delta,
	c.epsilon - c.spared_epsilon - c.most_epsilon, c.releases,
	(SELECT pg_catalog.count(*) FROM privacct.owner_account o WHERE o.policy_id = p.policy_id)
	FROM privacct.account c WHERE c.policy_id = p.policy_id AND c.role = 0::regrole)
	a(epsilon, delta, everybodys, releases, owners)
CROSS JOIN LATERAL (SELECT w.* FROM privacct.prior w WHERE w.policy_id = p.policy_id ORDER BY w.version DESC LIMIT 1) v
CROSS JOIN LATERAL privacct._usable_points(v.curve_b, v.curve_a, a.epsilon, a.delta, v.delta_pufferfish) u
CROSS JOIN LATERAL privacct._pufferfish_spent(u.b, u.a,
	CASE WHEN a.delta = 0 OR privacct._group_delta(v.max_entries, a.epsilon::float8) * a.delta::float8
	<= v.delta_pufferfish::float8 THEN v.max_entries END, a.epsilon) s
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.array_agg(g.epsilon::float8), '{}') AS epsilons,
	coalesce(pg_catalog.array_agg(g.charges::float8), '{}') AS charges
	FROM (SELECT d.epsilon, sum(d.charges) AS charges
		  FROM (SELECT r.epsilon, r.charges FROM privacct._released r WHERE r.policy_id = p.policy_id
				UNION ALL SELECT c.epsilon, 1 FROM privacct._carried c WHERE c.policy_id = p.policy_id) d
		  WHERE d.epsilon > 0 GROUP BY d.epsilon) g OFFSET 0) g
CROSS JOIN LATERAL privacct._pufferfish_sums(v.curve_b, v.curve_a, v.max_entries, g.epsilons, g.charges) m
CROSS JOIN LATERAL (SELECT privacct._longest_owner(p.relation, p.owner_column)) n(longest)
CROSS JOIN LATERAL (SELECT pg_catalog.array_agg(DISTINCT o->>'kind'),
	pg_catalog.array_agg(DISTINCT coalesce(o->>'source', 'explicit'))
	FROM pg_catalog.jsonb_array_elements(
	CASE pg_catalog.jsonb_typeof(v.priors) WHEN 'array' THEN v.priors ELSE pg_catalog.jsonb_build_array(v.priors) END)
	o) k(kinds, sources);
COMMENT ON VIEW privacct.pufferfish_budget
	IS 'Pufferfish regime: promise, spent, left; the point of the influence curve that decides; epsilon per entry '
	'spent, cap, left; what the composition theorem of the paper and the plain sum would give; shown to the owner of '
	'the table';

-- Curves follow from priors, which are public: shown to whoever may ask the table.
CREATE OR REPLACE VIEW privacct.pufferfish_curve WITH (security_barrier) AS
SELECT p.relation, v.version, v.epsilon_pufferfish AS epsilon, v.delta_pufferfish AS delta, v.max_entries,
	   v.curve_b AS b, v.curve_a AS a, v.curve_left AS "left", v.curve_right AS "right",
	   pg_catalog.trim_scale(a.epsilon) AS entry_epsilon_spent, v.epsilon AS entry_epsilon_cap,
	   pg_catalog.trim_scale(a.everybodys) AS entry_epsilon_everybodys
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'pufferfish'
	  AND (privacct._administers_books(q.relation, NULL)
		OR EXISTS (SELECT FROM privacct.quota u WHERE u.policy_id = q.policy_id
		AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
	  OFFSET 0) p
CROSS JOIN LATERAL (SELECT c.epsilon - c.spared_epsilon, c.epsilon - c.spared_epsilon - c.most_epsilon
	FROM privacct.account c WHERE c.policy_id = p.policy_id AND c.role = 0::regrole) a(epsilon, everybodys)
CROSS JOIN LATERAL (SELECT w.* FROM privacct.prior w WHERE w.policy_id = p.policy_id ORDER BY w.version DESC LIMIT 1) v;
COMMENT ON VIEW privacct.pufferfish_curve
	IS 'pufferfish regime: the influence curve in force, as arrays, and the epsilon per entry; shown to whoever may '
	'ask the table';

-- Whom others ask about is not for everybody to see.
CREATE OR REPLACE VIEW privacct.pufferfish_owner WITH (security_barrier) AS
SELECT c.relation, o.owner, pg_catalog.trim_scale(o.epsilon) AS entry_epsilon_named,
	pg_catalog.trim_scale(o.epsilon + c.entry_epsilon_everybodys) AS entry_epsilon_spent,
	   pg_catalog.trim_scale(greatest(c.entry_epsilon_cap - o.epsilon - c.entry_epsilon_everybodys, 0))
		AS entry_epsilon_left
FROM privacct.pufferfish_curve c
JOIN privacct.policy p ON p.relation = c.relation AND p.closed_at IS NULL
JOIN privacct.owner_account o ON o.policy_id = p.policy_id
WHERE privacct._administers_books(c.relation, NULL);
COMMENT ON VIEW privacct.pufferfish_owner
	IS 'pufferfish regime: owners whom releases were about by name, and their epsilon per entry; shown to the owner of '
	'the table';
