-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 058: err domain check
-- class: error
-- stopped by: P4
-- a sound design: user domains are not in the allow-list
\set VERBOSITY default
CREATE DOMAIN lab.dom AS int CHECK (VALUE <> 777000+777); CREATE DOMAIN lab.dom2 AS int CHECK (VALUE <> 777000+778);
SELECT lab.oracle($q$SELECT dp_count(*) FROM hr.emp WHERE salary::lab.dom > 0$q$, $q$SELECT dp_count(*) FROM hr.emp WHERE salary::lab.dom2 > 0$q$);
