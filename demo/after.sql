-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the DBA sees afterwards.
\set ECHO queries
SELECT relation, epsilon, epsilon_spent, epsilon_tight, releases FROM privacct.odometer;
SELECT charge_id, role, epsilon, delta FROM privacct.ledger ORDER BY charge_id;
SELECT ward, count(*), round(avg(cost)) AS avg_cost FROM visit GROUP BY ward ORDER BY 2 DESC;
