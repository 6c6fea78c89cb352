-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 135: differencing
-- class: diff
-- stopped by: P8 P18
-- a sound design: both answers noised and charged
\set VERBOSITY default
SELECT lab.num(lab.val('SELECT dp_sum(salary,0,1000000) FROM hr.emp')) - lab.num(lab.val('SELECT dp_sum(salary,0,1000000) FROM hr.emp WHERE NOT (region=''atoll'')')) AS d WHERE lab.val('SELECT dp_sum(salary,0,1000000) FROM hr.emp') NOT LIKE 'ERR%';
