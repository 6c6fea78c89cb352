-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 011: partition child
-- class: raw
-- stopped by: P1 P17
-- a sound design: refused: protection covers the whole inheritance tree
\set VERBOSITY default
SELECT salary FROM hr.emp_part_atoll;
SELECT max(salary) FROM ONLY hr.emp_part_atoll;
SELECT salary FROM hr.emp_part WHERE region='atoll';
