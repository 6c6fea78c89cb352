-- SPDX-License-Identifier: GPL-3.0-or-later
-- Questions to owners: one randomised answer each, as long as the filter lets them.
\set ECHO queries
SET privacct.epsilon = 1;
SELECT region, round(ldp_avg(grade)::numeric, 2) AS grade, round(ldp_count(grade = 3)) AS severe FROM checkup GROUP BY region ORDER BY region;
SELECT round(ldp_avg(logistic(0.1 * age - 5))::numeric, 3) AS risk FROM checkup;
SELECT ldp_histogram(grade) FROM checkup;
SELECT aggregate, round(value) AS value, round(low) AS low, round(high) AS high, answered, asked FROM intervals();
SELECT cap, questions, owners, states, round(realised_median::numeric, 2) AS median_loss, round(realised_most::numeric, 2) AS most, round(worst_case_most::numeric, 2) AS sum_of_epsilons FROM local_odometer;
\set ECHO none
