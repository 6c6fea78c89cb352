-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views of the local regime.
--

CREATE OR REPLACE VIEW privacct.local_state WITH (security_barrier) AS
SELECT p.relation, s.state, s.owners, s.realised AS realised_epsilon, s.worst_case AS worst_case_epsilon,
	s.central AS central_epsilon,
	   p.epsilon AS cap, s.can_bear, s.mbp, s.abp, s.folded AS folded_epsilon
FROM privacct._asked_policy p
CROSS JOIN LATERAL privacct._local_states(p.relation) s
WHERE p.regime = 'local';
COMMENT ON VIEW privacct.local_state
	IS 'local regime: the states that owners are in (state 0: never asked, number of owners unknown); they follow from '
	'published answers and are shown to everybody who may query the table';
COMMENT ON COLUMN privacct.local_state.folded_epsilon
	IS 'the part of realised_epsilon that is a bound, from answers whose table did not fit into memory';

-- What is left below the slack of the filters is rounding.
CREATE OR REPLACE VIEW privacct.local_odometer WITH (security_barrier) AS
SELECT p.relation, p.filter, p.epsilon AS cap, p.delta, a.questions, s.owners, s.states,
	   s.realised_least, s.realised_median, s.realised_p90, s.realised_most, s.worst_case_most, s.central_most,
		s.exhausted, s.folded
FROM privacct._asked_policy p
CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS questions FROM privacct.question u WHERE u.policy_id = p.policy_id) a
CROSS JOIN LATERAL (
	SELECT coalesce(pg_catalog.sum(r.owners), 0)::bigint AS owners, pg_catalog.count(*)
	FILTER (WHERE r.owners > 0) AS states,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0) AS realised_least,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0 AND r.below >= 0.5 * r.total) AS realised_median,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0 AND r.below >= 0.9 * r.total) AS realised_p90,
		   pg_catalog.max(r.realised) FILTER (WHERE r.owners > 0) AS realised_most,
		   pg_catalog.max(r.worst_case) FILTER (WHERE r.owners > 0) AS worst_case_most,
		   pg_catalog.max(r.central) AS central_most,
		   coalesce(pg_catalog.sum(r.owners) FILTER (WHERE r.can_bear <= 1e-9), 0)::bigint AS exhausted,
		   coalesce(pg_catalog.sum(r.owners) FILTER (WHERE r.folded > 0), 0)::bigint AS folded
	FROM (SELECT t.*, pg_catalog.sum(t.owners) OVER (ORDER BY t.realised) AS below, pg_catalog.sum(t.owners) OVER ()
	AS total
		  FROM privacct._local_states(p.relation) t) r) s
WHERE p.regime = 'local';
COMMENT ON VIEW privacct.local_odometer
	IS 'local regime: how the loss of the owners who were asked is distributed; shown to everybody who may query the '
	'table';
COMMENT ON COLUMN privacct.local_odometer.folded
	IS 'owners with some answers kept only as a bound, because tables did not fit into memory';

CREATE OR REPLACE VIEW privacct.owner_odometer WITH (security_barrier) AS
SELECT p.relation, o.owner, s.state, s.realised AS realised_epsilon, s.worst_case AS worst_case_epsilon,
	s.central AS central_epsilon,
	   p.epsilon AS cap, greatest(p.epsilon::float8 - s.realised, 0) AS left, s.mbp, s.abp, s.folded AS folded_epsilon
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	AND privacct._administers(q.relation) OFFSET 0) p
CROSS JOIN LATERAL privacct._owner_states(p.relation) o
JOIN LATERAL privacct._local_states(p.relation) s ON s.state = o.state;
COMMENT ON VIEW privacct.owner_odometer
	IS 'local regime, per owner in the table: realised and worst-case epsilon, the central part, cap, what is left, '
	'Bayesian measures of the answers; for the owner of the table';
COMMENT ON COLUMN privacct.owner_odometer.folded_epsilon IS 'as in local_state';
