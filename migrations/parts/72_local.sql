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
	AND privacct._administers_books(q.relation, NULL) OFFSET 0) p
CROSS JOIN LATERAL privacct._owner_states(p.relation) o
JOIN LATERAL privacct._local_states(p.relation) s ON s.state = o.state;
COMMENT ON VIEW privacct.owner_odometer
	IS 'local regime, per owner in the table: realised and worst-case epsilon, the central part, cap, what is left, '
	'Bayesian measures of the answers; for the owner of the table';
COMMENT ON COLUMN privacct.owner_odometer.folded_epsilon IS 'as in local_state';

CREATE OR REPLACE VIEW privacct.local_likelihood WITH (security_barrier) AS
SELECT p.relation, l.state, l.owners, t.point, t.record, l.log_likelihood[t.point] AS log_likelihood, t.prior,
	   l.posterior[t.point] AS posterior, l.beside AS beside_epsilon
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	AND privacct._administers_books(q.relation, NULL) OFFSET 0) p
CROSS JOIN LATERAL privacct._local_likelihoods(p.relation) l
CROSS JOIN LATERAL privacct._local_points(p.relation) t;
COMMENT ON VIEW privacct.local_likelihood
	IS 'local regime: the likelihood table of each state, a row for each combination of listed values, after the last '
	'question; for the owner of the table';
COMMENT ON COLUMN privacct.local_likelihood.log_likelihood
	IS 'ln Pr[answers | record], the largest taken as 0, of the answers that are about listed values and were not '
	'folded';
COMMENT ON COLUMN privacct.local_likelihood.posterior IS 'what these answers make of the prior (set_prior)';
COMMENT ON COLUMN privacct.local_likelihood.beside_epsilon
	IS 'a bound on what the state''s other answers gave away: those about interval columns, and those that were folded';

CREATE OR REPLACE VIEW privacct.local_cell_likelihood WITH (security_barrier) AS
SELECT p.relation, c.state, c.column_name, c.low, c.high, c.log_likelihood
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	AND privacct._administers_books(q.relation, NULL) OFFSET 0) p
CROSS JOIN LATERAL privacct._local_cells(p.relation) c;
COMMENT ON VIEW privacct.local_cell_likelihood
	IS 'local regime: the likelihood table of each state over the cells of interval columns, as far as there were '
	'questions with steps about them; for the owner of the table';
COMMENT ON COLUMN privacct.local_cell_likelihood.low IS 'the cell is from this number on';
COMMENT ON COLUMN privacct.local_cell_likelihood.high IS 'up to below this one, or to the end of the interval';
COMMENT ON COLUMN privacct.local_cell_likelihood.log_likelihood
	IS 'ln Pr[answers | number of the cell], the largest taken as 0, of the answers with steps about the column';

CREATE OR REPLACE VIEW privacct.owner_likelihood WITH (security_barrier) AS
SELECT p.relation, o.owner, l.state, l.likelihood, t.prior, l.posterior, t.records[g.guess] AS guess, g.success,
	   l.beside AS beside_epsilon
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	AND privacct._administers_books(q.relation, NULL) OFFSET 0) p
CROSS JOIN LATERAL (SELECT pg_catalog.array_agg(t.prior ORDER BY t.point) AS prior,
	pg_catalog.array_agg(t.record ORDER BY t.point) AS records FROM privacct._local_points(p.relation) t) t
CROSS JOIN LATERAL privacct._owner_states(p.relation) o
JOIN LATERAL privacct._local_likelihoods(p.relation) l ON l.state = o.state
LEFT JOIN LATERAL (SELECT u.guess, u.success FROM pg_catalog.unnest(l.posterior) WITH ORDINALITY u(success, guess)
	ORDER BY u.success DESC, u.guess LIMIT 1) g ON true;
COMMENT ON VIEW privacct.owner_likelihood
	IS 'local regime, per owner in the table: what their answers say of each combination of listed values '
	'(local_likelihood names them), and of which an adversary would think first; for the owner of the table';
COMMENT ON COLUMN privacct.owner_likelihood.guess IS 'the most likely record afterwards (MAP)';
COMMENT ON COLUMN privacct.owner_likelihood.success IS 'and how likely it is, given the prior';
COMMENT ON COLUMN privacct.owner_likelihood.beside_epsilon IS 'as in local_likelihood';

-- What a policy lost includes what it inherited.
CREATE OR REPLACE VIEW privacct._lost_before AS
SELECT p.policy_id, (SELECT ARRAY[sum(i.lost[1]), sum(i.lost[2]), sum(i.lost[3])] FROM privacct.inherited i
	WHERE i.policy_id = p.policy_id AND i.releases > 0
	AND NOT EXISTS (SELECT FROM privacct.inherited later JOIN privacct.inherited given ON given.policy_id = p.policy_id
		AND given.source = later.policy_id AND given.releases > 0
		WHERE later.source = i.source AND later.releases >= i.releases)) AS lost
FROM privacct.policy p WHERE p.regime = 'local';
COMMENT ON VIEW privacct._lost_before
	IS 'with what every owner starts under a policy of the local regime, as policy.lost keeps it';

-- Each policy under which something was released is a mechanism of its own, given all that came before, and its
-- filter bounds the loss by what its promise leaves above the start.  Without a delta all of them together lose
-- no more than the larger of start and promise of the last (theory.md).  A double that 15 digits fall short of is
-- rounded up.
CREATE OR REPLACE VIEW privacct._reserved AS
SELECT p.policy_id, p.unit, r.epsilon, r.delta, CASE WHEN u.cap_rho IS NULL THEN 0 ELSE r.rho END AS rho,
	h.epsilon AS held_epsilon, h.delta AS held_delta, h.rho AS held_rho
FROM privacct.policy p JOIN privacct.policy u ON u.policy_id = p.unit
CROSS JOIN LATERAL (
	SELECT pg_catalog.trim_scale(CASE WHEN pg_catalog.bool_or(m.filter = 'approximate') THEN sum(m.may_lose)
			ELSE greatest(p.epsilon, least(pg_catalog.max(m.start) FILTER (WHERE m.policy_id = p.policy_id),
				sum(m.may_lose) FILTER (WHERE m.policy_id <> p.policy_id))) END) AS epsilon,
		sum(m.delta) AS delta,
		pg_catalog.trim_scale(sum(least(m.may_lose, m.may_lose * m.may_lose / 2))) AS rho
	FROM (SELECT s.policy_id, q.filter, s.start, coalesce(q.delta, 0) AS delta,
			CASE WHEN q.filter = 'approximate' THEN q.epsilon ELSE greatest(coalesce(q.epsilon, s.charged) - s.start, 0)
				END AS may_lose
		FROM (SELECT m.policy_id, m.charged, CASE WHEN m.lost::numeric::float8 >= m.lost THEN m.lost::numeric
				ELSE m.lost::numeric * 1.00000000000001 END AS start
			FROM (SELECT o.policy_id, o.charged, coalesce(b.lost[1], 0) AS lost
				FROM (SELECT p.policy_id, 0 AS charged
					UNION ALL SELECT i.source, i.epsilon FROM privacct.inherited i
					WHERE i.policy_id = p.policy_id AND i.releases > 0) o
				LEFT JOIN privacct._lost_before b ON b.policy_id = o.policy_id
				-- or each mention of what was lost is planned as a query of its own
				OFFSET 0) m) s
		LEFT JOIN privacct.policy q ON q.policy_id = s.policy_id) m) r
CROSS JOIN LATERAL (
	SELECT coalesce(sum(i.epsilon), 0) AS epsilon, coalesce(sum(i.delta), 0) AS delta, coalesce(sum(i.rho), 0) AS rho
	FROM privacct.inherited i JOIN privacct.policy o ON o.policy_id = i.source AND o.regime = 'local'
		AND o.relation = p.relation
	WHERE i.policy_id = p.unit) h
WHERE p.regime = 'local';
COMMENT ON VIEW privacct._reserved
	IS 'for each policy of the local regime whose table is of a unit, what its owners may lose in all, under it and '
	'before, and what the unit holds for the table';
