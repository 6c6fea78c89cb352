-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 034: window over raw
-- class: shape
-- stopped by: P2
-- a sound design: refused
\set VERBOSITY default
SELECT max(salary) OVER () FROM hr.emp LIMIT 1;
SELECT dp_count(*), max(salary) FILTER (WHERE region='atoll') FROM hr.emp;
SELECT first_value(salary) OVER (ORDER BY salary DESC), dp_count(*) FROM hr.emp GROUP BY salary LIMIT 1;
