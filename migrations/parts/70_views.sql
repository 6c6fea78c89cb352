-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views of the ledger and its sums.
--

CREATE OR REPLACE VIEW privacct.ledger AS
SELECT l.charge_id, l.policy_id, l.charged_at, l.role::name AS role, coalesce(l.payer, l.role)::name AS payer,
	l.epsilon, l.delta, l.rho,
	coalesce(d.detail, l.detail) AS detail
FROM privacct.ledger_line l LEFT JOIN privacct.ledger_line d ON d.charge_id = l.detail_of;
ALTER VIEW privacct.ledger ALTER charge_id SET DEFAULT pg_catalog.nextval('privacct.charge_id_seq');
COMMENT ON VIEW privacct.ledger IS 'append-only: every charge ever made; the charges of a policy sum to its account';
COMMENT ON COLUMN privacct.ledger.role IS 'who asked';
COMMENT ON COLUMN privacct.ledger.payer IS 'whose quota paid';

-- Whatever may have charges, so that a look at one policy reads its lines alone.
CREATE OR REPLACE VIEW privacct._summed AS
SELECT b.policy_id, coalesce(s.charge_id, 0) AS charge_id
FROM (SELECT p.policy_id FROM privacct.policy p UNION SELECT t.policy_id FROM privacct.ledger_sum t) b
LEFT JOIN privacct.ledger_sum s ON s.policy_id = b.policy_id;
COMMENT ON VIEW privacct._summed IS 'up to which line the ledger of each policy is summed';

CREATE OR REPLACE VIEW privacct._charge AS
SELECT l.charge_id, l.policy_id, coalesce(l.payer, l.role)::name AS payer, l.epsilon, l.delta, l.rho,
	coalesce(l.detail ? 'owners', false) AS named, l.detail->'slots' AS slots,
	privacct._mechanisms(coalesce(d.detail, l.detail)) AS mechanisms, coalesce(d.detail, l.detail)
		AS detail
FROM privacct.ledger_line l LEFT JOIN privacct.ledger_line d ON d.charge_id = l.detail_of
WHERE NOT coalesce(l.detail ? 'carried_from_policy', false);
COMMENT ON VIEW privacct._charge IS 'lines of the ledger that are charges, with what they released';

CREATE OR REPLACE VIEW privacct._release AS
SELECT c.charge_id, c.policy_id, e.epsilon, c.mechanisms, c.slots,
	pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(e.epsilon, c.mechanisms, c.slots)::text,
		'UTF8')) AS hash
FROM privacct._charge c CROSS JOIN LATERAL (SELECT pg_catalog.trim_scale(c.epsilon)) e(epsilon);
COMMENT ON VIEW privacct._release IS 'charges, those of equal releases alike';

CREATE OR REPLACE VIEW privacct._tail AS
SELECT s.policy_id, c.charge_id, c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.mechanisms
FROM privacct._summed s
-- By the index, policy for policy: the planner, which does not know that the limit is
-- none, plans for few lines, and few there are.
CROSS JOIN LATERAL (SELECT l.* FROM privacct._charge l WHERE l.policy_id = s.policy_id AND l.charge_id > s.charge_id
	ORDER BY l.charge_id LIMIT (SELECT 9223372036854775807)) c;
COMMENT ON VIEW privacct._tail IS 'charges that are not in the sums yet';

CREATE OR REPLACE VIEW privacct._carried AS
SELECT l.policy_id, (l.detail->>'carried_from_policy')::bigint AS source, coalesce(l.payer, l.role)::name AS payer,
	l.epsilon, l.delta, l.rho, (l.detail->>'charges')::bigint AS charges
FROM privacct.ledger_line l WHERE l.detail ? 'carried_from_policy' AND NOT l.detail ? 'fresh';
COMMENT ON VIEW privacct._carried IS 'lines of the ledger that say what a policy carried over';

CREATE OR REPLACE VIEW privacct._charged AS
SELECT b.policy_id, coalesce(t.epsilon, 0) + c.epsilon AS epsilon, coalesce(t.delta, 0) + c.delta AS delta,
	coalesce(t.rho, 0) + c.rho AS rho, coalesce(t.charges, 0) + c.charges AS charges,
	coalesce(t.named_epsilon, 0) + c.named_epsilon AS named_epsilon, coalesce(t.named_delta, 0) + c.named_delta
		AS named_delta, c.epsilon AS late_epsilon, c.delta AS late_delta, c.rho AS late_rho
FROM (SELECT p.policy_id FROM privacct.policy p UNION SELECT s.policy_id FROM privacct.ledger_sum s) b
LEFT JOIN privacct.ledger_sum t ON t.policy_id = b.policy_id
CROSS JOIN LATERAL (SELECT coalesce(sum(l.epsilon), 0) AS epsilon, coalesce(sum(l.delta), 0) AS delta,
	coalesce(sum(l.rho), 0) AS rho, pg_catalog.count(*) AS charges,
		coalesce(sum(l.epsilon) FILTER (WHERE l.named), 0) AS named_epsilon,
		coalesce(sum(l.delta) FILTER (WHERE l.named), 0) AS named_delta
	FROM (SELECT g.epsilon, g.delta, g.rho, g.named FROM privacct._charge g WHERE g.policy_id = b.policy_id
	AND g.charge_id > coalesce(t.charge_id, 0)
		ORDER BY g.charge_id LIMIT (SELECT 9223372036854775807)) l) c;
COMMENT ON VIEW privacct._charged
	IS 'what each policy charged, without what it carried over, and how much of it is not in the sums yet';

CREATE OR REPLACE VIEW privacct._paid AS
SELECT t.policy_id, t.policy_id AS source, t.payer, t.epsilon, t.delta, t.rho, t.charges FROM privacct.payer_sum t
UNION ALL SELECT l.policy_id, l.policy_id, l.payer, l.epsilon, l.delta, l.rho, 1 FROM privacct._tail l
UNION ALL SELECT c.policy_id, c.source, c.payer, c.epsilon, c.delta, c.rho, coalesce(c.charges, 0)
	FROM privacct._carried c;
COMMENT ON VIEW privacct._paid
	IS 'what each payer was charged under a policy, by the policy that charged it, in several rows';

CREATE OR REPLACE VIEW privacct._released AS
SELECT t.policy_id, t.epsilon, t.mechanisms, t.slots, t.charges FROM privacct.release_sum t
UNION ALL SELECT l.policy_id, l.epsilon, l.mechanisms, l.slots, 1 FROM privacct._tail l;
COMMENT ON VIEW privacct._released IS 'which releases a policy made; equal ones may be in several rows';

CREATE OR REPLACE VIEW privacct._in_ledger AS
WITH RECURSIVE found(policy_id) AS (
	SELECT (SELECT min(l.policy_id) FROM privacct.ledger_line l)
	UNION ALL
	SELECT (SELECT min(l.policy_id) FROM privacct.ledger_line l WHERE l.policy_id > f.policy_id) FROM found f
	WHERE f.policy_id IS NOT NULL)
SELECT f.policy_id FROM found f WHERE f.policy_id IS NOT NULL;
COMMENT ON VIEW privacct._in_ledger IS 'policies that have lines in the ledger, each by one look into its index';

--
-- What releases lose together, if their parameters were fixed beforehand.
--

-- Which policies' releases are among those of a policy: its own, and what it carried over.
CREATE OR REPLACE VIEW privacct._all_losses AS
SELECT p.policy_id, p.delta, (
	SELECT CASE WHEN pg_catalog.count(*) <= 100000
		THEN privacct.compose(
		coalesce(pg_catalog.jsonb_agg(g.mechanism || pg_catalog.jsonb_build_object('count', g.count)), '[]'),
		p.delta::float8) END
	FROM (WITH RECURSIVE chain(source) AS (
			SELECT p.policy_id UNION SELECT l.source FROM chain c JOIN privacct._carried l ON l.policy_id = c.source
			WHERE l.source IS NOT NULL)
		  SELECT m.mechanism - 'refined' AS mechanism, sum(r.charges) AS count
		  FROM chain c CROSS JOIN LATERAL (SELECT d.* FROM privacct._released d WHERE d.policy_id = c.source
			OFFSET 0) r CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(r.mechanisms) m(mechanism)
		  GROUP BY 1
		  UNION ALL
		  SELECT pg_catalog.jsonb_build_object('statistics', pg_catalog.jsonb_build_array(
			pg_catalog.jsonb_build_object('epsilon', l.epsilon, 'delta', l.delta))), 1
		  FROM chain c JOIN privacct.ledger_line l ON l.policy_id = c.source AND l.detail ? 'carried_from_policy'
		  WHERE l.detail ? 'promised_to_owners' AND l.epsilon > 0) g) AS epsilon,
	-- last, for who compares only looks at the rest
	(WITH RECURSIVE chain(source) AS (
			SELECT p.policy_id UNION SELECT l.source FROM chain c JOIN privacct._carried l ON l.policy_id = c.source
			WHERE l.source IS NOT NULL) SELECT pg_catalog.array_agg(c.source) FROM chain c) AS sources
FROM privacct.policy p WHERE p.regime = 'central';
COMMENT ON VIEW privacct._all_losses
	IS 'what the releases of each policy lose at its delta, with those that it carried over; null if more than 100,000 '
	'differ';

CREATE OR REPLACE VIEW privacct._own_losses AS
SELECT p.policy_id, d.delta, (
	SELECT CASE WHEN pg_catalog.count(*) <= 100000
		THEN privacct.compose(
		coalesce(pg_catalog.jsonb_agg(g.mechanism || pg_catalog.jsonb_build_object('count', g.count)), '[]'),
		d.delta::float8) END
	FROM (SELECT m.mechanism, sum(r.charges) AS count
		  FROM privacct._released r CROSS JOIN LATERAL pg_catalog.jsonb_array_elements(r.mechanisms) m(mechanism)
		  WHERE r.policy_id = p.policy_id GROUP BY m.mechanism) g) AS epsilon,
	ARRAY[p.policy_id] AS sources
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT greatest(p.delta - a.delta, 0) AS delta) d
WHERE p.accountant = ANY (privacct._accountants('planned'));
COMMENT ON VIEW privacct._own_losses IS 'what the releases under plans lose at what is left of delta; null likewise';

CREATE OR REPLACE VIEW privacct._kept_losses AS
SELECT k.policy_id, k.own, k.delta, k.epsilon FROM privacct.kept_loss k
WHERE k.composed_by = pg_catalog.current_setting('privacct.loaded_version', true)
AND NOT EXISTS (SELECT FROM ROWS FROM (pg_catalog.unnest(k.sources), pg_catalog.unnest(k.last_lines)) s(source, line)
	CROSS JOIN LATERAL (SELECT FROM privacct.ledger_line l WHERE l.policy_id = s.source AND l.charge_id > s.line
		ORDER BY l.charge_id LIMIT 1) later);
COMMENT ON VIEW privacct._kept_losses IS 'what was computed of these, and is true';

CREATE OR REPLACE VIEW privacct._unkept_losses AS
SELECT p.policy_id, o.own
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT false AS own, p.delta UNION ALL SELECT true, greatest(p.delta - a.delta, 0)
	WHERE p.accountant = ANY (privacct._accountants('planned'))) o
WHERE p.regime = 'central' AND NOT EXISTS (SELECT FROM privacct._kept_losses k WHERE k.policy_id = p.policy_id
	AND k.own = o.own AND k.delta = o.delta)
AND (SELECT pg_catalog.count(*) FROM (WITH RECURSIVE chain(source) AS (
		SELECT p.policy_id UNION SELECT l.source FROM chain c JOIN privacct._carried l ON l.policy_id = c.source
		WHERE l.source IS NOT NULL)
	-- a charge may wait until one policy is done: few statistics compose in milliseconds, hundreds in seconds
	SELECT FROM chain c CROSS JOIN LATERAL (
		SELECT pg_catalog.jsonb_path_query_array(r.mechanisms, 'lax $[*].statistics[*]') AS statistics
		FROM privacct.release_sum r WHERE r.policy_id = c.source
		UNION ALL SELECT pg_catalog.jsonb_path_query_array(g.detail, 'lax $.statistics[*]')
		FROM privacct.ledger_line g WHERE g.policy_id = c.source AND g.charge_id
			> coalesce((SELECT s.charge_id FROM privacct.ledger_sum s WHERE s.policy_id = c.source), 0)) l
	CROSS JOIN LATERAL pg_catalog.generate_series(0, pg_catalog.jsonb_array_length(l.statistics))
	LIMIT 25) r) <= 24;
COMMENT ON VIEW privacct._unkept_losses IS 'policies of which these are not known, and are soon computed';
