-- SPDX-License-Identifier: GPL-3.0-or-later
-- As the analyst: each way to ask for the three most frequent states of each cohort, :runs times.
-- A release with E per row is worth the epsilon that privacct.pufferfish_epsilon turns into E, or,
-- as the privacy of a whole group of rows, length E.
\set QUIET on
\pset footer off
\pset format unaligned
\pset tuples_only on
SET search_path = activity, privacct, public;
SELECT max(state) + 1 AS states, count(DISTINCT at) FILTER (WHERE NOT train) AS length FROM generated \gset

-- One release at pufferfish_epsilon spends the budget, the next is refused.
CREATE TEMP TABLE once (name text, top int[]);
SELECT format('SET privacct.epsilon = %s', pufferfish_epsilon(name::regclass, epsilon)),
	format('INSERT INTO once SELECT %L, dp_topk(state, 3) FROM %I GROUP BY cohort', name, name) FROM budget \gexec
CREATE FUNCTION pg_temp.refusal(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('privacct.epsilon', '0.001', true);
	EXECUTE format('SELECT dp_topk(state, 3) FROM %I GROUP BY cohort', name);
	RETURN 'WRONG: a second one';
EXCEPTION WHEN OTHERS THEN
	RETURN CASE WHEN SQLSTATE = '53PA2' THEN 'a refusal' ELSE 'WRONG: ' || SQLSTATE || ': ' || SQLERRM END;
END
$$;
SELECT format('- budget %s: %s, then %s', b.epsilon, CASE WHEN count(o.name) > 0 THEN 'a release for all of it' ELSE 'WRONG: no release' END, pg_temp.refusal(b.name))
FROM budget b LEFT JOIN once o USING (name) GROUP BY b.epsilon, b.name ORDER BY b.epsilon;

-- Counts by themselves: each is a release of its own, all of them share what the query may spend.
SELECT format('(SELECT cohort, (SELECT array_agg(state::int - 1 ORDER BY n DESC, state) FROM unnest(counts) WITH ORDINALITY u(n, state)) AS top'
	' FROM (SELECT cohort, ARRAY[%s] AS counts FROM visit GROUP BY cohort) c)', string_agg(format('count(*) FILTER (WHERE state = %s)', s), ', ' ORDER BY s)) AS counts
FROM generate_series(0, :states - 1) s \gset
\set histogram '(SELECT cohort, dp_topk(state, 3) AS top FROM visit GROUP BY cohort)'
\set groups '(SELECT cohort, (array_agg(state ORDER BY n DESC, state))[1:3] AS top FROM (SELECT cohort, state, count(*) AS n FROM visit GROUP BY cohort, state) c GROUP BY cohort)'
\set exponential '(SELECT cohort, dp_topk(state, 3, ''kernel=exponential'') AS top FROM visit GROUP BY cohort)'
CREATE TEMP TABLE way (way text, whole_group boolean, question text);
INSERT INTO way VALUES
	('Lap-hist', false, :'histogram'), ('GROUP BY', false, :'groups'), ('Ours-Exp', false, :'exponential'), ('MQM', false, :'counts'),
	('Group-DP-Hist', true, :'histogram'), ('Group-DP-Exp', true, :'exponential'), ('Group-DP-Lap', true, :'counts');
CREATE TEMP TABLE price AS SELECT epsilon, pufferfish_epsilon('visit', epsilon) AS entry_epsilon, epsilon / :length AS group_epsilon FROM rate;
SELECT CASE WHEN max(abs(p.entry_epsilon / r.entry_epsilon - 1)) < 1e-9 THEN '- epsilon per row: as expected' ELSE '- epsilon per row: WRONG' END
FROM price p JOIN rate r USING (epsilon);
SELECT format('SET privacct.epsilon = %s', CASE WHEN whole_group THEN group_epsilon ELSE entry_epsilon END),
	format('INSERT INTO answer SELECT %L, %s, %s, cohort, top FROM %s q', way, epsilon, run, question)
FROM way CROSS JOIN price CROSS JOIN generate_series(1, :runs) run \gexec
