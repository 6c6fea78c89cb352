-- SPDX-License-Identifier: GPL-3.0-or-later
-- attack 190: references existence oracle
-- class: raw
-- stopped by: P1
-- a sound design: refused: no REFERENCES privilege
\set VERBOSITY default
CREATE TABLE lab.fk(id int REFERENCES hr.emp(id));
SELECT lab.oracle('INSERT INTO lab.fk VALUES (40001)', 'INSERT INTO lab.fk VALUES (40002)');
