-- SPDX-License-Identifier: GPL-3.0-or-later
-- Error bounds, kernels, samples and compositions in wrong hands.

-- case: data chooses neither kernel nor error bound
-- errors: 3 42PA1
SELECT privacct.dp_sum(cost, 'within=' || cost) FROM care.stay;
SELECT privacct.dp_sum(cost, CASE WHEN cost > 5 THEN 'kernel=laplace' ELSE 'kernel=gaussian' END) FROM care.stay;
SELECT privacct.dp_sum(cost, (SELECT 'within=' || max(cost) FROM care.stay)) FROM care.stay;

-- case: options do not change what is charged
-- errors: 2 42PA1
-- charges: 4
-- prints: 0.2,0.3,0.4,0.4
SET privacct.epsilon = 0.1;
SELECT privacct.dp_count(1, set_config('privacct.epsilon', '1000', false)) FROM care.stay;
SELECT privacct.dp_count(1, current_setting('privacct.kernel')) FROM care.stay;
PREPARE asked(text) AS SELECT privacct.dp_count(1, $1) FROM care.stay;
SET privacct.epsilon = 0.2;
EXECUTE asked(NULL) \g /dev/null
SET privacct.epsilon = 0.3;
EXECUTE asked('rows=5') \g /dev/null
BEGIN;
DECLARE later SCROLL CURSOR FOR SELECT count(*) FROM care.stay;
SET privacct.epsilon = 0.4;
SET privacct.sample_rate = 0.5;
FETCH later \g /dev/null
RESET privacct.sample_rate;
FETCH BACKWARD later \g /dev/null
COMMIT;
SELECT privacct.dp_count(1, 'epsilon=0.4') FROM care.stay \g /dev/null
SELECT string_agg(epsilon::text, ',' ORDER BY charge_id) FROM (SELECT * FROM privacct.my_ledger ORDER BY charge_id DESC LIMIT 4) s;

-- case: no error bound buys silence
-- charges: 8
-- prints: ^noise\nnoise$
SET privacct.epsilon = 0.01;
SELECT CASE WHEN count(DISTINCT n) > 1 THEN 'noise' ELSE 'BREACH: a constant' END FROM (
	SELECT privacct.dp_count(1, 'within=0') AS n FROM care.stay UNION ALL SELECT privacct.dp_count(1, 'within=0') FROM care.stay UNION ALL
	SELECT privacct.dp_count(1, 'within=1e100') FROM care.stay UNION ALL SELECT privacct.dp_count(1, 'within=1e-100') FROM care.stay) s;
SELECT CASE WHEN count(DISTINCT n) > 1 THEN 'noise' ELSE 'BREACH: a constant' END FROM (
	SELECT privacct.dp_count(1, 'within=2, kernel=staircase') AS n FROM care.stay UNION ALL SELECT privacct.dp_count(1, 'within=2, kernel=staircase') FROM care.stay UNION ALL
	SELECT privacct.dp_count(1, 'within=2, kernel=brdp_laplace') FROM care.stay UNION ALL SELECT privacct.dp_count(1, 'within=2, kernel=brdp_laplace') FROM care.stay) s;

-- case: a sample costs what was asked for, however small
-- charges: 3
-- prints: ^0.3$
SET privacct.epsilon = 0.1;
SET privacct.sample_rate = 0.000001;
SELECT count(*) FROM care.stay WHERE name = 'x' \g /dev/null
SET privacct.sample_rate = 0.5;
SELECT count(*) FROM care.stay \g /dev/null
SET privacct.sample_rate = 0.999999;
SELECT ward, count(*) FROM care.stay GROUP BY ward \g /dev/null
SELECT sum(epsilon) FROM (SELECT epsilon FROM privacct.my_ledger ORDER BY charge_id DESC LIMIT 3) s;

-- case: who is in a sample changes with every release, also in one statement
-- charges: 6
-- prints: ^fresh$
SET privacct.epsilon = 5000;
SET privacct.sample_rate = 0.5;
SELECT CASE WHEN count(DISTINCT n) > 1 THEN 'fresh' ELSE 'BREACH: one sample' END FROM (
	SELECT count(*) AS n FROM care.stay UNION ALL SELECT count(*) FROM care.stay UNION ALL SELECT count(*) FROM care.stay UNION ALL
	SELECT count(*) FROM care.stay UNION ALL SELECT count(*) FROM care.stay UNION ALL SELECT count(*) FROM care.stay) s;

-- case: settings out of range
-- errors: 6 22023
SET privacct.sample_rate = 0;
SET privacct.sample_rate = 'NaN';
SET privacct.sample_rate = 1.5;
SET privacct.within = 'NaN';
SET privacct.kernel = 'none';
SET privacct.within = -2;

-- case: what only the extension may read and call
-- errors: 5 42501
SELECT * FROM privacct._released;
SELECT * FROM privacct.slot;
SELECT privacct._check_noise('basic', NULL, NULL, 1, 0);
SELECT privacct._default_kernel('basic');
UPDATE privacct.policy SET sample_rate = 1, kernels = NULL;

-- case: compositions without end
-- errors: 2 57014
SET statement_timeout = '3s';
SELECT count(privacct.compose(('[' || repeat('{"kernel": "gaussian", "scale": 1e-3, "count": 1000000000},', 20000) || '{"epsilon": 1}]')::jsonb, g * 1e-300)) FROM generate_series(1, 1000) g;
SELECT count(privacct.compose_delta('[{"kernel": "brdp_gaussian", "scale": 1, "within": 1, "q": 0.9, "sample_rate": 0.1, "count": 1000000}]', g)) FROM generate_series(1, 1000000) g;
SET statement_timeout = 0;
SELECT privacct.compose('[{"kernel": "gaussian", "scale": 1e-300, "count": 1000000000}]', 0) IS NOT NULL;
