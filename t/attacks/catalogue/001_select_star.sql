-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 001: select star
-- class: raw
-- stopped by: P1 P2
-- a sound design: refused
\set VERBOSITY default
SELECT * FROM hr.emp WHERE region='atoll';
TABLE hr.emp;
