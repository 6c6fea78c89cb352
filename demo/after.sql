-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the DBA sees afterwards.
\set ECHO queries
\echo '-- The unit: what was promised, what was spent, and what that is worth by exact accounting.'
SELECT unit, epsilon, epsilon_spent, round(epsilon_tight::numeric, 3) AS epsilon_tight, epsilon_left, releases
FROM privacct.odometer WHERE unit = 'hospital';

\echo '-- The last releases.  The ledger has the noise of each, and no text of a query.'
SELECT charge_id, role, epsilon,
	   array_to_string(ARRAY(SELECT jsonb_array_elements_text(detail->'tables')), ', ') AS tables
FROM privacct.ledger ORDER BY charge_id DESC LIMIT 4;
SELECT count(*) AS problems FROM privacct.check_books();

\echo '-- The exact answers, which no analyst sees.'
SELECT w.ward, count(v.cost) AS visits, round(avg(v.cost)) AS avg_cost
FROM ward w LEFT JOIN visit v USING (ward) GROUP BY w.ward ORDER BY visits DESC;
SELECT drug, count(*) AS prescriptions
FROM patient JOIN visit USING (patient_id) JOIN prescription USING (visit_id)
WHERE born <= 1960 GROUP BY drug ORDER BY prescriptions DESC;
SELECT drug, count(*) AS reactions FROM prescription JOIN reaction USING (visit_id, line)
GROUP BY drug ORDER BY reactions DESC;
SELECT least(visits, 8) AS visits, count(*) AS patients
FROM (SELECT patient_id, count(*) AS visits FROM visit GROUP BY patient_id) AS p
GROUP BY 1 ORDER BY 1;
