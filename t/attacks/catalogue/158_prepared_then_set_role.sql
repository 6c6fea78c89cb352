-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 158: prepared then set role
-- class: budget
-- stopped by: P18
-- a sound design: the plan of one role does not serve another
\set VERBOSITY default
PREPARE p AS SELECT dp_count(*) FROM hr.emp;
SET plan_cache_mode=force_generic_plan; EXECUTE p;
SET ROLE pa_other; EXECUTE p;
\set s :SQLSTATE
RESET ROLE;
SELECT CASE WHEN :'s'='00000' THEN 'LEAK: pa_other used a plan it is not entitled to (unless pa_other is entitled)' ELSE 'refused' END;
