-- SPDX-License-Identifier: GPL-3.0-or-later
-- What an analyst does, without SELECT on the table.
\set ECHO queries
SELECT * FROM visit LIMIT 1;
SELECT statistic, kernel, scale, error_95, epsilon, releases_left
FROM privacct.preview('SELECT ward, count(*) FROM visit GROUP BY ward') WHERE used;
SELECT ward, count(*), round(avg(cost)) AS avg_cost FROM visit GROUP BY ward ORDER BY 2 DESC;
SELECT keys, aggregate, round(value) AS value, round(low) AS low, round(high) AS high FROM privacct.intervals();
SELECT w.building, count(*) FROM visit v JOIN ward w USING (ward) GROUP BY w.building ORDER BY 1;
SELECT date_trunc('quarter', day)::date AS quarter, count(*) FILTER (WHERE insured) AS insured_visits
FROM visit WHERE los_days > 2 GROUP BY 1 ORDER BY 1;
SELECT kernel, used, scale, q, round(acceptance::numeric, 3) AS acceptance, round(error_95) AS error_95, epsilon, delta, releases_left
FROM privacct.preview($$SELECT dp_sum(los_days, 'within=50, epsilon=1') FROM visit$$) WHERE kernel IS NOT NULL;
SELECT dp_sum(los_days, 'within=50, epsilon=1') AS days FROM visit;
SELECT aggregate, round(value) AS value, round(low) AS low, round(high) AS high, round(acceptance::numeric, 3) AS acceptance FROM privacct.intervals();
BEGIN;
SELECT count(DISTINCT patient_id) AS patients FROM visit;
ROLLBACK;
SET privacct.epsilon = 0.001;
SELECT count(*) FROM visit;
SET privacct.epsilon = 5;
SELECT count(*) FROM visit;
RESET privacct.epsilon;
SELECT relation, epsilon, epsilon_spent, epsilon_left, releases FROM privacct.my_budget;
