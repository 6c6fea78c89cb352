-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 004: create table as
-- class: raw
-- stopped by: P1 P2
-- a sound design: refused
\set VERBOSITY default
CREATE TABLE lab.c AS SELECT * FROM hr.emp WHERE dept=7;
SELECT INTO lab.c2 FROM hr.emp;
SELECT * FROM lab.c WHERE region='atoll';
