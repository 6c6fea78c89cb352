-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 009: view and rule
-- class: raw
-- stopped by: P1 P2
-- a sound design: the view may be created; reading it is refused
\set VERBOSITY default
CREATE VIEW lab.v AS SELECT * FROM hr.emp;
SELECT salary FROM lab.v WHERE region='atoll';
CREATE TABLE lab.r(a int); CREATE RULE rr AS ON INSERT TO lab.r DO ALSO SELECT salary FROM hr.emp WHERE region='atoll';
INSERT INTO lab.r VALUES (1);
