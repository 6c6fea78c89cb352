-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 126: clamp bounds from data
-- class: owner
-- stopped by: P9
-- a sound design: bounds are finite constants, lo <= hi
\set VERBOSITY default
SELECT dp_sum(salary, salary, salary) FROM hr.emp WHERE region='atoll';
SELECT dp_sum(salary, 0, (SELECT max(salary) FROM hr.emp)) FROM hr.emp WHERE region='atoll';
SELECT dp_sum(salary, '-Infinity', 'Infinity') FROM hr.emp WHERE region='atoll';
SELECT dp_sum(salary, NULL, NULL) FROM hr.emp WHERE region='atoll';
SELECT dp_sum(salary, 0, 'NaN') FROM hr.emp WHERE region='atoll';
