-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 082: advisory lock per row
-- class: sidechannel
-- stopped by: P4
-- a sound design: refused
\set VERBOSITY default
SELECT dp_count(*) FROM hr.emp WHERE region='atoll' AND pg_try_advisory_lock(salary);
SELECT objid FROM pg_locks WHERE locktype='advisory';
