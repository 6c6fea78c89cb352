-- SPDX-License-Identifier: GPL-3.0-or-later
-- Section 6.3 of "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting" through SQL:
-- 20,000 generated check-ups, four regressions, one randomised bit of each owner for each.
\set QUIET on
\pset footer off
SET client_min_messages = warning;
SELECT setseed(0.63) \g /dev/null
CREATE TABLE checkup (person_id int PRIMARY KEY, age float8 NOT NULL, sex int NOT NULL, bp float8 NOT NULL, bmi float8 NOT NULL);
INSERT INTO checkup SELECT i, 10 + 80 * (random() + random()) / 2, (random() < 0.5)::int,
	least(greatest(90 + 20 * (random() + random() + random()), 50), 200), least(greatest(17 + 6 * (random() + random() + random()), 10), 50)
FROM generate_series(1, 20000) i;
ALTER TABLE checkup OWNER TO bench_owner;
SET ROLE bench_owner;
SELECT privacct.protect('checkup', owner => 'person_id', regime => 'local', epsilon => 4) \g /dev/null
SELECT privacct.set_domain('checkup', 'age', 10, 100), privacct.set_domain('checkup', 'sex', ARRAY[0, 1]),
	privacct.set_domain('checkup', 'bp', 50, 200), privacct.set_domain('checkup', 'bmi', 10, 50) \g /dev/null
SELECT privacct.grant_budget('checkup', 'bench_analyst', epsilon => 100) \g /dev/null
CREATE TEMP TABLE truth AS SELECT
	avg(1 / (1 + exp(-(6.177 - 0.059 * age - 1.456 * sex - 0.0134 * bp)))) AS heart,
	avg(1 / (1 + exp(-(-7.989 + 0.0761 * age + 0.0952 * sex + 0.0163 * bmi)))) AS stroke,
	avg(1 / (1 + exp(-(-5.07 + 0.0491 * age - 0.0091 * bp + 0.1039 * bmi)))) AS diabetes,
	avg(least(12, greatest(0, 12.323 + 0.0855 * age + 0.4617 * sex - 0.07 * bp))) AS sleep FROM checkup;
GRANT SELECT ON truth TO bench_analyst;
RESET ROLE;

SET ROLE bench_analyst;
SET search_path = public, privacct;
SET privacct.epsilon = 4;
\set ECHO queries
SELECT ldp_avg(1 / (1 + exp(-(6.177 - 0.059 * age - 1.456 * sex - 0.0134 * bp)))) AS heart,
       ldp_avg(1 / (1 + exp(-(-7.989 + 0.0761 * age + 0.0952 * sex + 0.0163 * bmi)))) AS stroke,
       ldp_avg(1 / (1 + exp(-(-5.07 + 0.0491 * age - 0.0091 * bp + 0.1039 * bmi)))) AS diabetes,
       ldp_avg(least(12, greatest(0, 12.323 + 0.0855 * age + 0.4617 * sex - 0.07 * bp)), 0, 12) AS sleep
FROM checkup;
SELECT * FROM truth;
SELECT aggregate, round(value::numeric, 4) AS value, round(low::numeric, 4) AS low, round(high::numeric, 4) AS high, answered, asked FROM intervals();
SELECT owners, round(realised_epsilon::numeric, 4) AS realised, round(worst_case_epsilon::numeric, 4) AS sum_of_levels FROM local_state WHERE owners > 0 ORDER BY realised_epsilon;
SELECT cap, questions, owners, round(realised_median::numeric, 4) AS median, round(realised_p90::numeric, 4) AS p90, round(realised_most::numeric, 4) AS most FROM local_odometer;
SET privacct.epsilon = 1;
SELECT ldp_avg(age) FROM checkup;
SELECT aggregate, round(value::numeric, 2) AS value, answered, asked FROM intervals();
SELECT ldp_avg(1 / (1 + exp(-(6.177 - 0.059 * age - 1.456 * sex - 0.0134 * bp)))) AS heart FROM checkup;
SELECT aggregate, round(value::numeric, 4) AS value, answered, asked FROM intervals();
SELECT questions, owners, round(realised_median::numeric, 4) AS median, round(realised_p90::numeric, 4) AS p90, round(realised_most::numeric, 4) AS most,
       round(worst_case_most::numeric, 4) AS sum_of_levels FROM local_odometer;
