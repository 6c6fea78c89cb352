-- SPDX-License-Identifier: GPL-3.0-or-later
-- More of one person than the policy allows; bounds and noise chosen by data.

-- case: fan-out by a join
-- charges: 3
-- prints: bounded,bounded,bounded
SET privacct.epsilon = 100;
SELECT string_agg(CASE WHEN den.number(q) > bound THEN 'BREACH: unbounded' ELSE 'bounded' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.stay s JOIN care.many m ON m.small = s.small', 15),
	('SELECT dp_sum(cost, 0, 1000) FROM care.stay s JOIN care.many m ON m.small = s.small', 15000),
	('SELECT count(*) FROM care.stay s LEFT JOIN care.many m USING (small) WHERE s.stay_id = 200001', 15)) v(q, bound);

-- case: a union counts owners in all of its inputs together
-- charges: 1
SELECT count(*) FROM (TABLE care.stay UNION ALL TABLE care.stay) u;

-- case: self-joins and unions
-- errors: 5 42PA1
SELECT count(*) FROM care.stay a JOIN care.stay b USING (ward);
SELECT count(*) FROM care.stay a, care.reading b;
SELECT count(*) FROM (TABLE care.stay UNION TABLE care.stay) u;
SELECT count(*) FROM care.stay WHERE ward IN (SELECT ward FROM care.stay WHERE ward = 'annex');
WITH s AS (SELECT * FROM care.stay) SELECT count(*) FROM s a JOIN s b USING (stay_id);

-- case: a person in very many groups
-- charges: 1
-- prints: bounded
SELECT CASE WHEN coalesce(sum(n), 0) > 200 THEN 'BREACH: unbounded' ELSE 'bounded' END
FROM (SELECT ward, count(*) AS n FROM care.stay WHERE patient = 7 GROUP BY ward) s;

-- case: a person with very many rows
-- charges: 2
-- prints: bounded,bounded
SELECT string_agg(CASE WHEN den.number(q) > 200 THEN 'BREACH: unbounded' ELSE 'bounded' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.stay WHERE patient = 7'),
	('SELECT dp_sum(cost, 0, 1) FROM care.stay WHERE patient = 7')) v(q);

-- case: rows of nobody
-- charges: 3
-- prints: none,none,none
SELECT string_agg(CASE WHEN den.number(q) > 200 THEN 'BREACH: counted' ELSE 'none' END, ',')
FROM (VALUES ('SELECT count(*) FROM care.many m LEFT JOIN care.stay s ON -s.stay_id = m.n'),
	('SELECT count(*) FROM care.stay s RIGHT JOIN care.many m ON -s.stay_id = m.n'),
	('SELECT dp_sum(m.n, 0, 1) FROM care.many m LEFT JOIN care.stay s ON s.stay_id = m.n AND s.stay_id < 0')) v(q);

-- case: joins with tables of the spy
-- errors: 3 42PA1
SELECT count(*) FROM care.stay s JOIN den.many m ON m.ward = s.ward;
SELECT count(*) FROM care.stay WHERE ward IN (SELECT ward FROM den.many);
SELECT count(*) FROM care.stay s JOIN (SELECT n FROM den.one) o ON s.stay_id = 200001;

-- case: full joins
-- charges: 1
-- prints: ^none$
-- public rows without a stay are nobody's
SELECT CASE WHEN den.number('SELECT count(m.small) FROM care.stay s FULL JOIN care.many m ON m.n = -s.stay_id') > 200 THEN 'BREACH: counted' ELSE 'none' END;

-- case: bounds from data
-- errors: 7 42PA1
SELECT dp_sum(cost, cost, cost) FROM care.stay;
SELECT dp_sum(cost, 0, (SELECT max(cost) FROM (SELECT cost FROM care.stay LIMIT 1) s)) FROM care.stay;
SELECT dp_sum(cost, 0, (SELECT floor FROM care.ward LIMIT 1)) FROM care.stay;
SELECT ward, dp_avg(cost, 0, length(ward)) FROM care.stay GROUP BY ward;
SELECT dp_sum(cost, 0, 1, 'epsilon=' || ward) FROM care.stay;
SELECT dp_sum(cost, 0, 1, 'max_rows=' || cost) FROM care.stay;
SELECT dp_sum(cost, 0, 1, 'per_owner=0:' || cost) FROM care.stay;

-- case: bounds that are no bounds
-- errors: 7 22PA5
SELECT dp_sum(cost, '-Infinity', 'Infinity') FROM care.stay;
SELECT dp_sum(cost, 0, 'NaN') FROM care.stay;
SELECT dp_sum(cost, NULL, NULL) FROM care.stay;
SELECT dp_sum(cost, 0, NULL) FROM care.stay;
SELECT dp_sum(cost, 5, 0) FROM care.stay;
SELECT dp_sum(cost, 0, 1.7e308) FROM care.stay;
SELECT sum(small) FROM care.stay;

-- case: bounds as parameters of a generic plan
-- errors: 4 22PA5
-- charges: 1
SET plan_cache_mode = force_generic_plan;
PREPARE p(float8, float8) AS SELECT dp_sum(cost, $1, $2) FROM care.stay WHERE ward = 'annex';
EXECUTE p(0, 1);
EXECUTE p(0, 'Infinity');
EXECUTE p('NaN', 'NaN');
EXECUTE p(NULL, 1000000);
EXECUTE p(1000000, 0);

-- case: tiny and degenerate bounds
-- errors: 2 22PA5
-- charges: 1
SELECT 'BREACH: ' || x FROM
	(SELECT dp_sum(cost, 0, 1e-300) AS x FROM care.stay) s WHERE x::text IN ('NaN', 'Infinity', '-Infinity');
SELECT 'BREACH: ' || x FROM
	(SELECT dp_sum(cost, 3, 3) AS x FROM care.stay) s WHERE x::text IN ('NaN', 'Infinity', '-Infinity');
SELECT 'BREACH: ' || x FROM
	(SELECT dp_sum(cost, -1e100, 1e100) AS x FROM care.stay) s WHERE x::text IN ('NaN', 'Infinity', '-Infinity');

-- case: options that would silence the noise
-- errors: 9 22PA5
SELECT dp_count(cost, 'epsilon=0') FROM care.stay;
SELECT dp_count(cost, 'epsilon=-1') FROM care.stay;
SELECT dp_count(cost, 'epsilon=1e300') FROM care.stay;
SELECT dp_count(cost, 'epsilon=NaN') FROM care.stay;
SELECT dp_count(cost, 'epsilon=inf') FROM care.stay;
SELECT dp_count(cost, 'delta=1') FROM care.stay;
SELECT dp_count(cost, 'kernel=none') FROM care.stay;
SELECT dp_count(cost, 'noise=off') FROM care.stay;
SELECT dp_count(cost, 'epsilon') FROM care.stay;

-- case: options given twice, of which one would be paid for
-- errors: 2 22PA5
SELECT dp_count(cost, 'epsilon=0.001,epsilon=2') IS NULL FROM care.stay;
SELECT dp_count(cost, 'epsilon=2,EPSILON=0.001') IS NULL FROM care.stay;

-- case: the same aggregate twice is not two looks for one price
-- charges: 1
-- prints: same
SELECT CASE WHEN a = b AND b = c THEN 'same' ELSE 'BREACH: fresh noise' END
FROM (SELECT count(*) AS a, count(*) AS b, count(patient) AS c FROM care.stay) s;

-- case: more looks cost more
-- charges: 2
-- prints: shared
WITH x AS MATERIALIZED (SELECT count(*), dp_sum(cost, 0, 1), dp_sum(cost, 0, 2) FROM care.stay) SELECT count(*) FROM x;
WITH x AS MATERIALIZED (SELECT dp_count(cost, 'epsilon=1'), dp_count(cost, 'epsilon=1') FROM care.stay) SELECT count(*) FROM x;
SELECT CASE WHEN max(n) > 1.0001 THEN 'BREACH: free epsilon' ELSE 'shared' END
FROM (SELECT (SELECT sum((s->>'epsilon')::float8) FROM jsonb_array_elements(detail->'statistics') s) / epsilon::float8 AS n
	FROM my_ledger ORDER BY charge_id DESC LIMIT 2) l;

-- case: nan and infinity in values
-- charges: 4
SELECT 'BREACH: ' || v::text FROM (
	SELECT den.number(q) AS v FROM (VALUES
		('SELECT dp_sum(CASE WHEN stay_id = 200001 THEN ''NaN''::float8 ELSE 0 END, 0, 1) FROM care.stay'),
		('SELECT dp_sum(CASE WHEN stay_id = 200001 THEN ''Infinity''::float8 ELSE 0 END, -1, 1) FROM care.stay'),
		('SELECT dp_avg(CASE WHEN stay_id = 200001 THEN ''-Infinity''::numeric::float8 ELSE 0 END, -1, 1) FROM care.stay'),
		('SELECT dp_sum(CASE WHEN stay_id = 200001 THEN ''NaN''::numeric ELSE price END::float8, -1, 1) FROM care.stay')) q(q)) s
WHERE v::text IN ('NaN', 'Infinity', '-Infinity');
