-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 012: inlined sql function
-- class: raw
-- stopped by: P2
-- a sound design: refused: planner_hook must also look AFTER standard_planner, inlining happens inside it
\set VERBOSITY default
CREATE FUNCTION lab.f() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT salary FROM hr.emp WHERE region=''atoll''';
SELECT * FROM lab.f();
