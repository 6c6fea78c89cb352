-- SPDX-License-Identifier: GPL-3.0-or-later
-- What an analyst does, without SELECT on any table but the public one.
\set ECHO queries
\echo '-- Rows are refused, and so is what cannot be made private; the hint says what can.  A refusal costs nothing.'
SELECT * FROM patient LIMIT 1;
SELECT array_agg(cost) FROM visit;
\ir budget.sql

\echo '-- What would a query cost, and how exact would it be?  Two limits of what one patient adds, side by side.'
SET privacct.epsilon = 0.5;
SELECT owner_limit, used, groups_per_owner, scale, error_95, epsilon, releases_left
FROM preview('SELECT ward, sum(cost) FROM ward LEFT JOIN visit USING (ward) GROUP BY ward')
WHERE kernel = 'laplace';

\echo '-- The public table lists the groups.  The count serves the average, too.'
SELECT w.building, w.ward, count(v.cost) AS visits, round(avg(v.cost)) AS avg_cost
FROM ward w LEFT JOIN visit v USING (ward) GROUP BY w.building, w.ward ORDER BY visits DESC;
\echo '-- How far from the truth may that be?  Asking is free.'
SELECT keys, aggregate, round(value) AS value, round(low) AS low, round(high) AS high FROM intervals() LIMIT 4;
\ir budget.sql

\echo '-- A join of three protected tables: what patients of 65 and older are given.'
SELECT drug, count(*) AS prescriptions
FROM patient JOIN visit USING (patient_id) JOIN prescription USING (visit_id)
WHERE born <= 1960 GROUP BY drug ORDER BY prescriptions DESC;
\ir budget.sql

\echo '-- A row here names no patient: the database finds out whose it is, and limits what each patient adds.'
SET privacct.epsilon = 0.1;
SELECT count(*) AS reactions FROM reaction;
\echo '-- Reactions are rare, so few rows of a patient are enough, and take less noise.'
SET privacct.max_groups = 2;
SET privacct.max_rows = 2;
SELECT drug, count(*) AS reactions FROM prescription JOIN reaction USING (visit_id, line)
GROUP BY drug ORDER BY reactions DESC;
RESET privacct.max_groups;
RESET privacct.max_rows;
\ir budget.sql

\echo '-- A distribution per person: the subquery is about each, the query around it about all.'
SET privacct.epsilon = 0.2;
SELECT least(visits, 8) AS visits, count(*) AS patients
FROM (SELECT patient_id, count(*) AS visits FROM visit GROUP BY patient_id) AS p
GROUP BY 1 ORDER BY 1;
\ir budget.sql

\echo '-- Who never came?  Asked twice; the second way limits a patient to one row, and is more exact.'
SET privacct.epsilon = 0.1;
SELECT count(*) AS never_came
FROM patient LEFT JOIN visit USING (patient_id) WHERE visit_id IS NULL;
SELECT count(*) AS never_came
FROM patient p WHERE NOT EXISTS (SELECT FROM visit v WHERE v.patient_id = p.patient_id);
\ir budget.sql

\echo '-- Months: limits that suit wards may not suit months.  What do 90 % of the patients keep to?'
SELECT what, hi, declaration
FROM suggest_bounds($$SELECT date_trunc('month', day), count(*) FROM visit GROUP BY 1$$, 0.9, 0.5);
SET privacct.max_rows = 2;
SET privacct.max_groups = 8;
SET privacct.epsilon = 0.25;
SELECT date_trunc('month', day)::date AS month, count(*) AS visits
FROM visit WHERE day BETWEEN '2025-04-01' AND '2025-09-30' GROUP BY 1 ORDER BY 1;
RESET privacct.max_rows;
RESET privacct.max_groups;
\ir budget.sql

\echo '-- Rows of two patients never meet.'
SELECT count(*) FROM visit a JOIN visit b USING (ward);
\echo '-- When the budget does not suffice, nothing is released.'
SET privacct.epsilon = 3;
SELECT count(*) FROM patient;
\ir budget.sql
