-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views.  They are read by everybody and show each role only what is its own.
--

-- A column that nobody selects is not computed.
CREATE OR REPLACE VIEW privacct.odometer WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, p.closed_at IS NULL AS open, p.accountant,
	   p.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent,
		pg_catalog.trim_scale(greatest(p.epsilon - e.spent, 0)) AS epsilon_left,
	   p.delta, p.cap_delta, pg_catalog.trim_scale(a.delta - a.spared_delta) AS delta_spent,
		pg_catalog.trim_scale(greatest(p.cap_delta - a.delta + a.spared_delta, 0)) AS delta_left,
	   p.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent,
		CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(p.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases,
	   -- what the accountant knows of a release may be less than its epsilon
	   CASE WHEN p.regime = 'central' THEN (
		SELECT CASE WHEN t.epsilon IS NOT NULL THEN least(t.epsilon, e.spent::float8) END
		FROM (SELECT coalesce(
			(SELECT k.epsilon FROM privacct._kept_losses k WHERE k.policy_id = p.policy_id AND NOT k.own
				AND k.delta = p.delta),
			(SELECT l.epsilon FROM privacct._all_losses l WHERE l.policy_id = p.policy_id)) AS epsilon) t)
		END AS epsilon_tight,
	   p.regime, coalesce(p.name, (SELECT u.name FROM privacct.policy u WHERE u.policy_id = p.unit)) AS unit,
	   CASE WHEN p.name IS NOT NULL
	   THEN ARRAY(SELECT m.relation_name FROM privacct.policy m WHERE m.unit = p.policy_id AND m.closed_at IS NULL
		ORDER BY m.relation_name) END AS tables,
	   (SELECT pg_catalog.trim_scale(sum(o.epsilon))
		FROM (SELECT pg_catalog.max(n.epsilon) AS epsilon FROM privacct.policy m
			JOIN privacct.unrelated n ON n.policy_id = m.policy_id
			WHERE p.policy_id IN (m.policy_id, m.unit) AND n.epsilon > 0 GROUP BY n.source) o) AS epsilon_not_counted
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT CASE
	WHEN p.regime = 'local' THEN privacct._most_lost(p)
	WHEN p.accountant = ANY (privacct._accountants('planned')) THEN coalesce(a.epsilon + coalesce(
		(SELECT k.epsilon FROM privacct._kept_losses k WHERE k.policy_id = p.policy_id AND k.own
			AND k.delta = greatest(p.delta - a.delta, 0)),
		(SELECT l.epsilon FROM privacct._own_losses l WHERE l.policy_id = p.policy_id))::numeric, p.epsilon)
	ELSE privacct._worth(p.accountant, privacct._spent(p.accountant, a.epsilon, a.rho), p.cap_delta) - a.spared_epsilon
	END OFFSET 0) e(spent)
WHERE privacct._administers_books(p.relation, p.unit_owner);
COMMENT ON VIEW privacct.odometer
	IS 'per table or privacy unit: promise, spent, left; where rho is spent epsilon_spent is what it is worth at '
	'cap_delta, for a plan what its releases so far lose, beside what was carried over; epsilon_tight is what the '
	'releases so far lose at delta if their parameters were fixed beforehand (null if more than 100,000 of them '
	'differ); shown to the owner of the table or of the unit; for a local policy what the owner who lost most has lost';
COMMENT ON COLUMN privacct.odometer.regime IS 'central, local or pufferfish: whose loss epsilon_spent is';
COMMENT ON COLUMN privacct.odometer.unit
	IS 'the privacy unit, or of a table of the local regime the one that it belongs to';
COMMENT ON COLUMN privacct.odometer.tables IS 'of a privacy unit: its tables';
COMMENT ON COLUMN privacct.odometer.epsilon_not_counted
	IS 'what other policies had charged, of which the owner of the tables said fresh => true: it is in no other column';

CREATE OR REPLACE VIEW privacct.budget WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, q.role, p.accountant,
	   q.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent,
		CASE WHEN NOT k.planned THEN pg_catalog.trim_scale(greatest(q.epsilon - e.spent, 0)) END
		AS epsilon_left,
	   q.delta, q.cap_delta, pg_catalog.trim_scale(a.delta) AS delta_spent,
		CASE WHEN NOT k.planned THEN pg_catalog.trim_scale(greatest(q.cap_delta - a.delta, 0)) END
		AS delta_left,
	   q.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent,
		CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(q.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases, q.granted_at, q.granted_by, p.name AS unit
FROM privacct.quota q
JOIN privacct.policy p ON p.policy_id = q.policy_id AND p.closed_at IS NULL
JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
CROSS JOIN LATERAL (SELECT p.accountant = ANY (privacct._accountants('planned'))) k(planned)
CROSS JOIN LATERAL (SELECT CASE WHEN NOT k.planned
	THEN privacct._worth(p.accountant, privacct._spent(p.accountant, a.epsilon, a.rho), q.cap_delta) END) e(spent)
WHERE privacct._administers_books(p.relation, p.unit_owner);
COMMENT ON VIEW privacct.budget
	IS 'per policy and role: quota, spent, left (null under a plan: see privacct.plan); shown to the owner of the '
	'table';

-- "left" is what the role can still spend: no more than the table has left.
CREATE OR REPLACE VIEW privacct.my_budget WITH (security_barrier) AS
SELECT p.relation, q.role, p.accountant,
	   q.epsilon, CASE WHEN p.cap_rho IS NOT NULL THEN privacct._four_digits(e.spent, true)
		ELSE pg_catalog.trim_scale(e.spent) END AS epsilon_spent,
		CASE WHEN NOT k.planned
		THEN CASE WHEN p.cap_rho IS NOT NULL THEN privacct._four_digits(l.epsilon, false)
			ELSE pg_catalog.trim_scale(l.epsilon) END END AS epsilon_left,
	   q.delta, pg_catalog.trim_scale(a.delta) AS delta_spent,
		CASE WHEN NOT k.planned
		THEN pg_catalog.trim_scale(greatest(least(q.cap_delta - a.delta, p.cap_delta - t.delta + t.spared_delta), 0))
		END AS delta_left,
	   q.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN privacct._four_digits(a.rho, true) END AS rho_spent,
		CASE WHEN p.cap_rho IS NOT NULL
		THEN privacct._four_digits(greatest(least(q.cap_rho - a.rho, p.cap_rho - t.rho), 0), false) END AS rho_left,
	   a.releases, p.name AS unit,
	   CASE WHEN p.name IS NOT NULL
	   THEN ARRAY(SELECT m.relation_name FROM privacct.policy m WHERE m.unit = p.policy_id AND m.closed_at IS NULL
		AND m.regime = 'central' ORDER BY m.relation_name) END AS tables,
	   p.policy_id
FROM privacct.quota q
JOIN privacct.policy p ON p.policy_id = q.policy_id AND p.closed_at IS NULL
JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
JOIN privacct.account t ON t.policy_id = q.policy_id AND t.role = 0::regrole
CROSS JOIN LATERAL (SELECT p.accountant = ANY (privacct._accountants('planned'))) k(planned)
CROSS JOIN LATERAL (SELECT
	CASE WHEN NOT k.planned
	THEN privacct._worth(p.accountant, privacct._spent(p.accountant, a.epsilon, a.rho), q.cap_delta) END,
	CASE WHEN p.regime = 'local' THEN 0
	ELSE privacct._worth(p.accountant, privacct._spent(p.accountant, t.epsilon, t.rho), p.cap_delta) - t.spared_epsilon
	END) e(spent, total)
CROSS JOIN LATERAL (SELECT greatest(least(q.epsilon - e.spent,
	CASE WHEN p.regime <> 'local' THEN p.epsilon - e.total END), 0)) l(epsilon)
WHERE pg_catalog.pg_has_role(current_user, q.role::oid, 'USAGE');
COMMENT ON VIEW privacct.my_budget
	IS 'budgets of the current user and of the roles whose privileges the user has; what is converted to or from rho '
	'with four digits, spent rounded up and left rounded down; under a plan see privacct.plan';

-- The newest line first: who looks at some of them reads these alone.  The planner does
-- not know that the limit is none, and plans for a part of the lines: by the index.
CREATE OR REPLACE VIEW privacct.my_ledger WITH (security_barrier) AS
SELECT l.charge_id, l.charged_at, p.relation, p.relation_name, l.role, l.payer, p.accountant, l.epsilon, l.delta, l.rho,
	l.detail, l.policy_id
FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
WHERE l.role = current_user
ORDER BY l.charge_id DESC LIMIT (SELECT 9223372036854775807);
COMMENT ON VIEW privacct.my_ledger IS 'what the current user has been charged for, the newest first';

CREATE OR REPLACE VIEW privacct.plan WITH (security_barrier) AS
SELECT p.relation, s.slot, s.role, s.kernel, s.releases, s.used, s.releases - s.used AS left, s.groups, s.weight,
	s.scale, s.q,
	   s.within, s.acceptance, s.rho, s.epsilon_alone, p.name AS unit
FROM privacct.slot s
JOIN privacct.policy p ON p.policy_id = s.policy_id AND p.closed_at IS NULL
WHERE privacct._administers_books(p.relation, p.unit_owner)
   OR EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = s.policy_id
	AND pg_catalog.pg_has_role(current_user, q.role::oid, 'USAGE')
			  AND (s.role IS NULL OR s.role = q.role));
COMMENT ON VIEW privacct.plan
	IS 'slots of plans: noise, releases planned, used and left; shown to the owner of the table and to roles that may '
	'use a slot';

CREATE OR REPLACE VIEW privacct._asked_policy WITH (security_barrier) AS
SELECT p.* FROM privacct.policy p
WHERE p.closed_at IS NULL AND p.name IS NULL
  AND (privacct._administers_books(p.relation, NULL)
	OR EXISTS (SELECT FROM privacct.quota u
	WHERE u.policy_id = CASE WHEN p.regime <> 'local' AND p.unit IS NOT NULL THEN p.unit ELSE p.policy_id END
	AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
OFFSET 0;
COMMENT ON VIEW privacct._asked_policy IS 'open policies of tables that the user may ask, or administers';

-- Everything here is public: whoever asks sees it in the costs of releases.
CREATE OR REPLACE VIEW privacct.release_terms WITH (security_barrier) AS
SELECT p.relation, p.accountant,
	CASE privacct._currency(p.accountant) WHEN 'epsilon' THEN t.least_price END AS least_epsilon,
	CASE privacct._currency(p.accountant) WHEN 'rho' THEN t.least_price END AS least_rho,
	   p.min_epsilon, p.time_grid, p.time_epsilon, t.time_delta, t.mean_delay, t.longest_delay, p.workers
FROM privacct._asked_policy p
CROSS JOIN LATERAL privacct._terms_of(p.relation) t;
COMMENT ON VIEW privacct.release_terms
	IS 'per policy: the least that a release costs (null under a plan), the grid and the noise of its time, with the '
	'delta that this costs and how long it holds a release back, and workers; shown to everybody who may query the '
	'table';

CREATE OR REPLACE VIEW privacct.repeats WITH (security_barrier) AS
SELECT p.relation, p.repeat_age AS age, p.repeats_shared AS shared,
	s.kept, pg_catalog.now() - s.made_at AS oldest,
	p.repeats_unchanged AS unchanged, p.edition
FROM privacct._asked_policy p
CROSS JOIN LATERAL privacct._kept_releases(p.relation) s
WHERE p.regime = 'central';
COMMENT ON VIEW privacct.repeats
	IS 'per policy: for how long releases are repeated (null: not by their age), whether to all roles and whether '
	'while the table is unchanged, and its edition (null: it may be written to), shown to everybody who may query the '
	'table; and to those who administer it how many releases are kept for its privacy unit, and the age of the oldest '
	'(null on a standby)';

CREATE OR REPLACE VIEW privacct.public_tables WITH (security_barrier) AS
SELECT t.relation, f.columns, f.rows, t.keys
FROM privacct.public_table t LEFT JOIN privacct.public_fanout f USING (relation)
WHERE pg_catalog.has_table_privilege(t.relation, 'SELECT') OR pg_catalog.has_any_column_privilege(t.relation, 'SELECT');
COMMENT ON VIEW privacct.public_tables
	IS 'tables that guarded queries may join, with what is declared about them; shown to those who can read them';
