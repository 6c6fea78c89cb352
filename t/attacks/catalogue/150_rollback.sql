-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 150: rollback
-- class: budget
-- stopped by: P6
-- a sound design: charged
\set VERBOSITY default
SELECT pa_admin.charges() AS c0 \gset
BEGIN; SELECT lab.val($q$SELECT dp_count(*) FROM hr.emp$q$) AS got \gset
ROLLBACK;
SELECT lab.free(:'got', :c0, 1);
