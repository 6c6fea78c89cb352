-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 039: grouping sets
-- class: group
-- stopped by: P8
-- a sound design: each grouping set is a query of its own or refused
\set VERBOSITY default
SELECT village, salary, dp_count(*) FROM hr.emp WHERE region='atoll' GROUP BY GROUPING SETS ((village),(salary),());
SELECT village, dp_count(*) FROM hr.emp WHERE region='atoll' GROUP BY ROLLUP(village);
