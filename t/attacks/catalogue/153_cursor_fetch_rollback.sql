-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 153: cursor fetch rollback
-- class: budget
-- stopped by: P6
-- a sound design: charged
\set VERBOSITY default
SELECT pa_admin.charges() AS c0 \gset
\set got 'ERR x'
BEGIN; DECLARE c CURSOR FOR SELECT region, dp_count(*) AS got FROM hr.emp GROUP BY region;
FETCH 1 FROM c \gset
ROLLBACK;
SELECT lab.free(:'got', :c0, 1);
