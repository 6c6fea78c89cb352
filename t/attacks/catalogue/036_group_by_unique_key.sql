-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 036: group by unique key
-- class: group
-- stopped by: P8
-- a sound design: keys come from a public domain or pass a threshold
\set VERBOSITY default
SELECT village, dp_count(*) FROM hr.emp WHERE region='atoll' GROUP BY village;
