-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 141: bounds as parameters
-- class: owner
-- stopped by: P9
-- a sound design: bounds given as parameters are checked at execution, also in generic plans
\set VERBOSITY default
PREPARE p(float8,float8) AS SELECT dp_sum(salary,$1,$2) FROM hr.emp WHERE region='atoll';
SET plan_cache_mode=force_generic_plan;
EXECUTE p(0,1); EXECUTE p(0,'Infinity'); EXECUTE p('NaN','NaN'); EXECUTE p(NULL,1000000); EXECUTE p(1000000,0);
