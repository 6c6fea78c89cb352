-- SPDX-License-Identifier: GPL-3.0-or-later
-- A unit whose owner leaves: its tables go to others by REASSIGN OWNED, the role is dropped, or was not there when the
-- books were restored.  It is said, and the unit can be given to another.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_uo_first;
CREATE ROLE regress_uo_second;
CREATE ROLE regress_uo_third;
CREATE ROLE regress_uo_analyst;
GRANT privacct_admin TO regress_uo_first, regress_uo_second, regress_uo_third;
CREATE SCHEMA uo;
GRANT ALL ON SCHEMA uo TO PUBLIC;
SET ROLE regress_uo_first;
CREATE TABLE uo.member (pid int PRIMARY KEY, c int);
INSERT INTO uo.member SELECT i, i FROM generate_series(1, 100) i;
SELECT privacct.create_unit('uo', epsilon => 4) > 0 AS made;
SELECT privacct.protect('uo.member', 'pid', unit => 'uo') > 0 AS protected;
SELECT privacct.set_unit_owner('uo', 'regress_uo_second');		-- whose rights it has not
RESET ROLE;

REASSIGN OWNED BY regress_uo_first TO regress_uo_second;
SELECT relation, problem, remedy FROM privacct.check_books();
SET ROLE regress_uo_third;
SELECT privacct.set_unit_owner('uo', 'regress_uo_third');
SET ROLE regress_uo_second;
SELECT problem FROM privacct.check_books();
SELECT privacct.grant_budget('uo', 'regress_uo_analyst', 1);
CREATE TABLE uo.line (pid int NOT NULL);
SELECT privacct.protect('uo.line', 'pid', unit => 'uo');
RESET ROLE;
SELECT privacct.protect('uo.line', 'pid', unit => 'uo');
DROP OWNED BY regress_uo_first;
DROP ROLE regress_uo_first;
SELECT problem FROM privacct.check_books();
SET ROLE regress_uo_second;
SELECT problem FROM privacct.check_books();
SELECT privacct.grant_budget('uo', 'regress_uo_analyst', 1);
SELECT privacct.set_unit_owner('uo', 'regress_uo_third');		-- who has none on the table
SELECT privacct.set_unit_owner('uo', 'regress_uo_second');
SELECT problem FROM privacct.check_books();
SELECT privacct.grant_budget('uo', 'regress_uo_analyst', 1);
SELECT privacct.protect('uo.line', 'pid', unit => 'uo') > 0 AS protected;
SELECT privacct.set_unit_owner('none', 'regress_uo_second');
RESET ROLE;

-- restored without the role, which comes later
SET client_min_messages = error;
SET privacct.write_books = on;
UPDATE privacct.policy SET unit_owner = privacct._absent('regress_uo_late') WHERE name = 'uo';
RESET privacct.write_books;
SELECT privacct.accept_books();
RESET client_min_messages;
SELECT problem FROM privacct.check_books();
CREATE ROLE regress_uo_late IN ROLE regress_uo_second;
GRANT privacct_admin TO regress_uo_late;
SET client_min_messages = warning;
SELECT privacct.repair_books('uo.member');
RESET client_min_messages;
SELECT problem FROM privacct.check_books();
SET ROLE regress_uo_late;
SELECT privacct.grant_budget('uo', 'regress_uo_analyst', 2);
SELECT privacct.set_unit_owner('uo', NULL);
RESET ROLE;

SET client_min_messages = error;
DROP EXTENSION privacct;
DROP SCHEMA uo CASCADE;
DROP ROLE regress_uo_second, regress_uo_third, regress_uo_analyst, regress_uo_late;
