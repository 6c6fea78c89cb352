-- What is locked when rows of a protected table are written is not for others to
-- lock, whatever they own.  t/038_locks.pl tries every command; these are the words.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_lk_owner;
CREATE ROLE regress_lk_stranger;
GRANT privacct_admin TO regress_lk_owner;
CREATE SCHEMA s AUTHORIZATION regress_lk_owner;
CREATE SCHEMA desk AUTHORIZATION regress_lk_stranger;
GRANT USAGE ON SCHEMA s TO regress_lk_stranger;

SET ROLE regress_lk_owner;
CREATE TABLE s.ward (code int PRIMARY KEY, name text);
CREATE TABLE s.visit (id int NOT NULL, patient int NOT NULL, ward int REFERENCES s.ward) PARTITION BY LIST (ward);
CREATE TABLE s.visit_1 PARTITION OF s.visit FOR VALUES IN (1);
GRANT REFERENCES, TRIGGER ON s.ward TO regress_lk_stranger;
SET ROLE regress_lk_stranger;
CREATE TABLE desk.own (ward int CONSTRAINT own_ward REFERENCES s.ward, other int);

-- without a policy PostgreSQL decides
VACUUM (ANALYZE) s.visit;
RESET ROLE;
DO $$ BEGIN PERFORM privacct.protect('s.visit', owner => 'patient', epsilon => 1); END $$;
SET ROLE regress_lk_stranger;

-- partitions, the table that is referred to, keys that were there before
VACUUM (ANALYZE) s.visit;
CREATE TABLE desk.more (ward int REFERENCES s.ward);
CREATE TRIGGER t AFTER INSERT ON s.ward FOR EACH STATEMENT EXECUTE FUNCTION suppress_redundant_updates_trigger();
ALTER TABLE desk.own DROP CONSTRAINT own_ward;
DROP TABLE desk.own;
DROP SCHEMA desk CASCADE;
DROP OWNED BY regress_lk_stranger;

-- what has nothing to do with protected rows
ALTER TABLE desk.own ADD COLUMN more text;
CREATE TABLE desk.more (a int PRIMARY KEY, b int REFERENCES desk.more);
DROP TABLE desk.more;
VACUUM desk.own;

-- whoever has no right is told so as ever
ALTER TABLE s.ward ADD COLUMN more text;
DROP TABLE s.visit_1;
BEGIN;
LOCK TABLE s.ward;
ROLLBACK;

-- the owner is free to
SET ROLE regress_lk_owner;
VACUUM (ANALYZE) s.visit;
ALTER TABLE s.ward ADD COLUMN more text;
ALTER TABLE s.visit DROP CONSTRAINT visit_ward_fkey;

-- now that nothing refers to it, the table is one as any
SET ROLE regress_lk_stranger;
DROP TABLE desk.own;

RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA s, desk CASCADE;
DROP ROLE regress_lk_owner, regress_lk_stranger;
