-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 070: notice in where
-- class: function
-- stopped by: P4
-- a sound design: refused
\set VERBOSITY default
SELECT dp_count(*) FROM hr.emp WHERE lab.leak(CASE WHEN region='atoll' THEN ssn END);
