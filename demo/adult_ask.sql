-- SPDX-License-Identifier: GPL-3.0-or-later
\set ECHO queries
SELECT salary, count(*), round(avg(age), 2) AS age, round(avg(hours_per_week), 2) AS hours, round(stddev(age), 2) AS spread
FROM adult GROUP BY salary;
SELECT education, count(*) FROM adult WHERE sex = 'Female' GROUP BY education ORDER BY 2 DESC LIMIT 5;
\set ECHO none
