-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 128: huge bounds overflow
-- class: numeric
-- stopped by: P9
-- a sound design: refused or saturated without an error that depends on rows
\set VERBOSITY default
SELECT lab.oracle($q$SELECT dp_sum(salary*1e303::float8, 0, 1.7e308) FROM hr.emp WHERE region='atoll'$q$, $q$SELECT dp_sum(salary*1e303::float8, 0, 1.7e308) FROM hr.emp WHERE region='nowhere'$q$);
SELECT CASE WHEN lab.val('SELECT dp_sum(1e308::float8,0,1.7e308) FROM hr.emp') IN ('Infinity','ERR 22003') THEN 'LEAK: overflow of the sum tells the row count' ELSE 'no' END;
