-- What the DBA sees afterwards.
\set ECHO queries
SELECT charge_id, role, epsilon, delta FROM privacct.ledger ORDER BY charge_id;
SELECT ward, count(*), round(avg(cost)) AS avg_cost FROM visit GROUP BY ward ORDER BY 2 DESC;
