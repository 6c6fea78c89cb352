-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 194: new partition default privileges
-- class: raw
-- stopped by: P17
-- a sound design: a partition attached later is protected at once
\set VERBOSITY default
\c - :admin
ALTER DEFAULT PRIVILEGES FOR ROLE pa_steward IN SCHEMA hr GRANT SELECT ON TABLES TO pa_analyst;
SET ROLE pa_steward; CREATE TABLE hr.emp_part_new PARTITION OF hr.emp_part FOR VALUES IN ('new'); INSERT INTO hr.emp_part VALUES (1,4242,'new',777000+777); RESET ROLE;
ALTER DEFAULT PRIVILEGES FOR ROLE pa_steward IN SCHEMA hr REVOKE SELECT ON TABLES FROM pa_analyst;
\c - pa_analyst
SELECT salary FROM hr.emp_part_new;
\c - :admin
DROP TABLE hr.emp_part_new;
