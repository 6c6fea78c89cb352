-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views of charges over time, for reports and dashboards: they show the owner of a table, or of a unit, who
-- spent what of it and when.
--

CREATE OR REPLACE VIEW privacct.spending WITH (security_barrier) AS
SELECT l.charge_id, l.charged_at, p.policy_id, coalesce(p.name, p.relation_name) AS budget, p.regime, p.accountant,
	l.role::name AS role, coalesce(l.payer, l.role)::name AS payer, l.epsilon, l.delta, l.rho
FROM privacct.policy p JOIN privacct.ledger_line l ON l.policy_id = p.policy_id
WHERE privacct._administers_books(p.relation, p.unit_owner) AND p.closed_at IS NULL
	AND NOT coalesce(l.detail ? 'carried_from_policy', false);
COMMENT ON VIEW privacct.spending
	IS 'charges of open policies, one row each, as far as they are still in the ledger; shown to the owner of the '
		'table '
	'or of the unit';
COMMENT ON COLUMN privacct.spending.budget IS 'name of the unit, or of the table as it was declared';

CREATE OR REPLACE VIEW privacct.daily_spending WITH (security_barrier) AS
SELECT s.policy_id, s.budget, s.payer, s.charged_at::date AS day, pg_catalog.count(*) AS charges,
	sum(s.epsilon) AS epsilon, sum(s.delta) AS delta, sum(s.rho) AS rho
FROM privacct.spending s GROUP BY s.policy_id, s.budget, s.payer, s.charged_at::date;
COMMENT ON VIEW privacct.daily_spending
	IS 'what each payer was charged for each budget on each day, by the time zone of the session; shown to the owner '
		'of '
	'the table or of the unit';

-- In the local regime owners lose what nobody can foresee, and under a plan every slot has a pace of its own.
CREATE OR REPLACE VIEW privacct.forecast WITH (security_barrier) AS
SELECT o.policy_id, o.budget, o.tables, o.regime, o.accountant, o.epsilon, o.delta, o.epsilon_spent, o.epsilon_left,
	o.delta_spent, o.cap_delta, o.spent, o.cap, o.releases, coalesce(w.charges, 0) AS week_charges,
	least(greatest(o.spent / o.cap, CASE WHEN o.cap_delta > 0 AND o.foreseen THEN o.delta_spent / o.cap_delta END), 1)
		AS share_spent,
	CASE WHEN o.foreseen THEN coalesce(w.spent, 0) / d.days / o.cap END AS share_per_day,
	CASE WHEN o.foreseen THEN least(greatest(o.cap - o.spent, 0) / nullif(w.spent / d.days, 0),
		o.delta_left / nullif(w.delta / d.days, 0)) END AS days_left
FROM (SELECT b.policy_id, coalesce(b.unit, b.relation_name) AS budget, b.tables, b.regime, b.accountant, b.epsilon,
		b.epsilon_spent, b.epsilon_left, b.delta, b.cap_delta, b.delta_spent, b.delta_left, b.releases,
		coalesce(b.rho_spent, b.epsilon_spent) AS spent, coalesce(b.cap_rho, b.epsilon) AS cap,
		b.regime <> 'local' AND b.accountant <> ALL (privacct._accountants('planned')) AS foreseen,
		b.cap_rho IS NOT NULL AS by_rho
	FROM (SELECT i.policy_id, CASE WHEN i.tables IS NOT NULL THEN i.unit END AS unit, i.relation_name, i.tables,
		i.regime,
			i.accountant, i.epsilon, i.epsilon_spent, i.epsilon_left, i.delta, i.cap_delta, i.delta_spent, i.delta_left,
			i.cap_rho, i.rho_spent, i.releases
		FROM privacct.odometer i WHERE i.open OFFSET 0) b) o
JOIN privacct.policy p ON p.policy_id = o.policy_id
CROSS JOIN LATERAL (SELECT least(7, greatest(1, extract(epoch FROM pg_catalog.now() - p.created_at) / 86400)) AS days) d
LEFT JOIN (SELECT s.policy_id, pg_catalog.count(*) AS charges, sum(s.delta) AS delta,
		CASE WHEN pg_catalog.max(s.rho) > 0 AND privacct._currency(pg_catalog.max(s.accountant)) = 'rho' THEN sum(s.rho)
			ELSE sum(s.epsilon) END AS spent
	FROM privacct.spending s WHERE s.charged_at >= pg_catalog.now() - interval '7 days' GROUP BY s.policy_id) w
	ON w.policy_id = o.policy_id;
COMMENT ON VIEW privacct.forecast
	IS 'per open budget: the share that is spent, the share that each of the last 7 days spent, and how many days the '
	'rest lasts at that pace (null: nothing was spent, or the regime has no pace); shown to the owner of the table or '
	'of the unit';
COMMENT ON COLUMN privacct.forecast.spent IS 'in what the accountant counts: rho under zcdp, else epsilon';
COMMENT ON COLUMN privacct.forecast.cap IS 'likewise';
COMMENT ON COLUMN privacct.forecast.days_left IS 'until epsilon (zcdp: rho) or delta is spent, whichever comes first';

-- Most lines are like others, and described by one: each description is looked at once, and counts as often as there
-- are lines.  The median is the least value that half of the lines do not exceed.
CREATE OR REPLACE VIEW privacct.recent_noise WITH (security_barrier) AS
SELECT w.policy_id, coalesce(w.name, w.relation_name) AS budget, w.statistic, w.kernel, sum(w.lines)::bigint
		AS releases,
	pg_catalog.min(w.epsilon) FILTER (WHERE w.to_epsilon * 2 >= w.epsilons) AS epsilon,
	pg_catalog.min(w.error) FILTER (WHERE w.to_error * 2 >= w.errors) AS error,
	pg_catalog.min(w.confidence) FILTER (WHERE w.to_confidence * 2 >= w.confidences) AS confidence,
	pg_catalog.max(w.last_charged_at) AS last_charged_at
FROM (SELECT p.policy_id, p.name, p.relation_name, n.statistic, n.kernel, n.epsilon, n.error, n.confidence, l.lines,
		l.last_charged_at,
		sum(l.lines) OVER (alike ORDER BY n.epsilon) AS to_epsilon, sum(l.lines) OVER (alike ORDER BY n.error)
			AS to_error, sum(l.lines) OVER (alike ORDER BY n.confidence) AS to_confidence,
		sum(l.lines) FILTER (WHERE n.epsilon IS NOT NULL) OVER alike AS epsilons,
		sum(l.lines) FILTER (WHERE n.error IS NOT NULL) OVER alike AS errors,
		sum(l.lines) FILTER (WHERE n.confidence IS NOT NULL) OVER alike AS confidences
	FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL
		AND privacct._administers_books(q.relation, q.unit_owner) OFFSET 0) p
	CROSS JOIN LATERAL (SELECT coalesce(g.detail_of, g.charge_id) AS described, pg_catalog.count(*) AS lines,
			pg_catalog.max(g.charged_at) AS last_charged_at
		FROM (SELECT e.charge_id, e.charged_at, e.detail_of FROM privacct.ledger_line e
			WHERE e.policy_id = p.policy_id ORDER BY e.charge_id DESC LIMIT 50) g
		GROUP BY coalesce(g.detail_of, g.charge_id)) l
	JOIN privacct.ledger_line d ON d.charge_id = l.described
	CROSS JOIN LATERAL privacct._noise_of(d.detail) n
	WINDOW alike AS (PARTITION BY p.policy_id, p.name, p.relation_name, n.statistic, n.kernel)) w
GROUP BY w.policy_id, w.name, w.relation_name, w.statistic, w.kernel;
COMMENT ON VIEW privacct.recent_noise
	IS 'the noise of what was released lately, of the last 50 charges of each policy: for each statistic the median of '
	'its epsilon and of how far the noise is off at most with the given confidence; shown to the owner of the table or '
	'of the unit';
