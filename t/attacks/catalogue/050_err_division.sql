-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 050: err division
-- class: error
-- stopped by: P4 P5
-- a sound design: both probes same outcome
\set VERBOSITY default
SELECT lab.oracle($q$SELECT dp_count(*) FROM hr.emp WHERE 1/(salary-777000-777) >= 0$q$, $q$SELECT dp_count(*) FROM hr.emp WHERE 1/(salary-777000-778) >= 0$q$);
