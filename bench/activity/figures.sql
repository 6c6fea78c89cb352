-- SPDX-License-Identifier: GPL-3.0-or-later
-- What came out against the truth, and against what is to be expected.
\set QUIET on
\pset footer off
\pset format unaligned
\pset tuples_only on
SET search_path = activity, privacct, public;
CREATE TEMP VIEW placed AS
SELECT a.way, a.epsilon, a.run, a.cohort, r AS rank, found.rank AS true_rank, found.n, there.n AS true_n
FROM answer a CROSS JOIN generate_series(1, 3) r
JOIN truth found ON found.cohort = a.cohort AND found.state = a.top[r]
JOIN truth there ON there.cohort = a.cohort AND there.rank = r;
CREATE TEMP VIEW asked AS
SELECT way, epsilon, run, cohort, sum((rank = 1 AND true_rank = 1)::int) AS acc1, sum((rank = 2 AND true_rank = 2)::int) AS acc2,
	   sum((rank = 3 AND true_rank = 3)::int) AS acc3, avg((true_rank <= 3)::int) AS hits,
	   sum(n / ln(rank + 1)) / sum(true_n / ln(rank + 1)) AS ndcg, sum(abs(n - true_n)) AS l1
FROM placed GROUP BY way, epsilon, run, cohort;
CREATE TEMP VIEW of_run AS		-- averages over cohorts
SELECT way, epsilon, run, figure, avg(value) AS value
FROM asked CROSS JOIN LATERAL (VALUES ('acc1', acc1), ('acc2', acc2), ('acc3', acc3), ('hits', hits), ('ndcg', ndcg), ('l1', l1)) f(figure, value)
GROUP BY way, epsilon, run, figure;
CREATE TEMP TABLE measured AS
SELECT way, epsilon, figure, count(*) AS runs, avg(value) AS mean, stddev_samp(value) / sqrt(count(*)) AS error
FROM of_run GROUP BY way, epsilon, figure;
-- A histogram by GROUP BY has the law of dp_topk's.
CREATE TEMP VIEW foreseen AS
SELECT * FROM expected UNION ALL SELECT 'GROUP BY', epsilon, figure, mean, deviation, allowed FROM expected WHERE way = 'Lap-hist';

CREATE FUNCTION pg_temp.shown(m measured, e float8, decimals int) RETURNS text LANGUAGE sql AS
	$$ SELECT CASE WHEN m.mean IS NULL THEN format('(%s)', round(e::numeric, decimals)) ELSE
	   format('%s ± %s (%s)', round(m.mean::numeric, decimals), round(m.error::numeric, decimals), round(e::numeric, decimals)) END $$;
CREATE TEMP TABLE shown AS
SELECT epsilon, array_position('{Lap-hist,GROUP BY,Ours-Exp,MQM,MQM-splitpuf,Group-DP-Hist,Group-DP-Exp,Group-DP-Lap}', way) AS place, way, figure,
	   pg_temp.shown(m, e.mean, CASE figure WHEN 'l1' THEN 1 ELSE 3 END) AS cell
FROM foreseen e LEFT JOIN measured m USING (way, epsilon, figure) WHERE epsilon > 0;
\echo '| epsilon | way | Acc@1 | Acc@2 | Acc@3 | hit rate | NDCG | l1 |'
\echo '|---|---|---|---|---|---|---|---|'
SELECT format('| %s | %s | %s | %s | %s | %s | %s | %s |', epsilon, way, max(cell) FILTER (WHERE figure = 'acc1'), max(cell) FILTER (WHERE figure = 'acc2'),
	max(cell) FILTER (WHERE figure = 'acc3'), max(cell) FILTER (WHERE figure = 'hits'), max(cell) FILTER (WHERE figure = 'ndcg'), max(cell) FILTER (WHERE figure = 'l1'))
FROM shown GROUP BY epsilon, place, way ORDER BY epsilon, place;
\echo

-- Each figure may be further off than allowed with a probability below 5e-10 (Chernoff's bound
-- from the exact laws), so the four data sets together raise a false alarm less than once in a
-- million times.  Epsilon 0: the sums over all epsilons, which see small faults better.
CREATE TEMP TABLE compared AS
SELECT m.way, m.epsilon, m.figure, abs(m.mean - e.mean) AS off, e.deviation / sqrt(m.runs) AS error, e.allowed
FROM (SELECT way, epsilon, figure, mean, runs FROM measured
	  UNION ALL SELECT way, 0, figure, sum(mean), min(runs) FROM measured GROUP BY way, figure) m
JOIN foreseen e USING (way, epsilon, figure);
SELECT format('%s figures, %s answers; off by %s standard errors on the average, %s at most; %s of them by more than allowed',
	count(*), (SELECT count(*) FROM answer), round(avg(off / nullif(error, 0))::numeric, 2), round(max(off / nullif(error, 0))::numeric, 2), count(*) FILTER (WHERE off > allowed)) FROM compared;
SELECT format('WRONG: %s %s %s is off by %s, allowed is %s', way, epsilon, figure, off, allowed) FROM compared WHERE off > allowed;
SELECT format('WRONG: %s figures, %s answers', count(*), (SELECT count(*) FROM answer)) FROM compared
HAVING count(*) <> 7 * 7 * 6 OR (SELECT count(*) FROM answer) <> 7 * 6 * :runs * (SELECT count(DISTINCT cohort) FROM truth);

-- The vectors of the test suite have some of the expected figures.
CREATE TEMP TABLE vector AS
SELECT input->>'mech' AS way, (input->>'eps')::float8 AS epsilon, f.figure, f.mean
FROM jsonb_to_recordset(:'vectors'::jsonb->'vectors') v(kind text, input jsonb, expected jsonb)
CROSS JOIN LATERAL (VALUES ('acc1', expected->'acc'->0), ('acc2', expected->'acc'->1), ('acc3', expected->'acc'->2),
	('hits', expected->'hr'), ('ndcg', expected->'ndcg'), ('l1', expected->'l1')) g(figure, value)
CROSS JOIN LATERAL (SELECT g.figure, g.value::text::float8 AS mean) f
WHERE kind = 'experiment' AND input->>'config' = :'kind';
SELECT format('%s of the figures are in the vectors, which differ by %s at most', count(*), to_char(max(abs(e.mean - v.mean) / greatest(1, v.mean)), '9.9EEEE')) FROM vector v JOIN expected e USING (way, epsilon, figure) HAVING count(*) > 0;
SELECT 'WRONG: the vectors expect something else' FROM vector v LEFT JOIN expected e USING (way, epsilon, figure)
WHERE e.mean IS NULL OR abs(e.mean - v.mean) / greatest(1, v.mean) > 1e-8 LIMIT 1;
\echo
