-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 055: err regex from data
-- class: error
-- stopped by: P4
-- a sound design: pattern must be a constant
\set VERBOSITY default
SELECT lab.oracle($q$SELECT dp_count(*) FROM hr.emp WHERE CASE WHEN region='atoll' THEN 'x' ~ notes ELSE false END$q$, $q$SELECT dp_count(*) FROM hr.emp WHERE CASE WHEN region='north' THEN 'x' ~ notes ELSE false END$q$);
