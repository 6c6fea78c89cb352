-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 052: err int overflow
-- class: error
-- stopped by: P5 P9
-- a sound design: saturating arithmetic
\set VERBOSITY default
SELECT lab.oracle($q$SELECT dp_count(*) FROM hr.emp WHERE salary*2800 > 0$q$, $q$SELECT dp_count(*) FROM hr.emp WHERE salary*2700 > 0$q$);
