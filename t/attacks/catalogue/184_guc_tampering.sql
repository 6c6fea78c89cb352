-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 184: guc tampering
-- class: guc
-- stopped by: P14
-- a sound design: no user-settable parameter takes part in enforcement
\set VERBOSITY default
SET privacct.enabled=off; SET privacct.enforce=off; SET privacct.epsilon=1000000; SET privacct.noise=off; SET privacct.seed=1;
SET session_replication_role=replica; SET row_security=off; SET allow_system_table_mods=on; SET zero_damaged_pages=on; SET ignore_checksum_failure=on;

SELECT lab.outcome('SELECT salary FROM hr.emp') AS g \gset
SELECT CASE WHEN :'g'='ok' THEN 'LEAK: open' ELSE 'refused' END;
