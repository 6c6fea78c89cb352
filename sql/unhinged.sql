-- Whoever changes what keeps the books, or whom they are kept of, is told when it is done.
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE SCHEMA uh;
SET search_path = uh, privacct;
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';

-- functions, views and triggers, also if they are soon what they were again
BEGIN;
CREATE OR REPLACE FUNCTION privacct._refuse_loss() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
ALTER FUNCTION privacct._here() SET jit = off;
ALTER FUNCTION privacct._here() OWNER TO CURRENT_USER;
CREATE OR REPLACE VIEW privacct._recoded WITH (security_barrier) AS SELECT NULL::bigint AS policy_id, NULL::text AS relation_name, NULL::name AS encoding WHERE false;
ALTER VIEW privacct._away SET (security_barrier = false);
CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE ON privacct.account FOR EACH ROW WHEN (false) EXECUTE FUNCTION privacct._refuse_loss();
ALTER TRIGGER only_grows ON privacct.account RENAME TO z;
ROLLBACK;
-- event triggers, and members, of which no event trigger is told
BEGIN;
ALTER EVENT TRIGGER privacct_drop DISABLE;
ALTER EVENT TRIGGER privacct_drop ENABLE REPLICA;
ALTER EVENT TRIGGER privacct_drop ENABLE;
ALTER EVENT TRIGGER privacct_drop RENAME TO mine;
ALTER EXTENSION privacct DROP TABLE privacct.home;
ROLLBACK;
-- what decides what is written, and what functions find by name, though it is PostgreSQL's own
BEGIN;
ALTER TABLE privacct.policy ALTER lost SET DEFAULT '{0,0,0}';
ALTER TABLE privacct.policy ALTER lost DROP DEFAULT;
ALTER SEQUENCE privacct.charge_id_seq INCREMENT BY -1 MINVALUE 1;
ALTER SEQUENCE privacct.charge_id_seq INCREMENT BY 1;
ALTER FUNCTION pg_catalog.trim_scale(numeric) RENAME TO trim_scale_;
ALTER FUNCTION pg_catalog.trim_scale_(numeric) RENAME TO trim_scale;
ROLLBACK;
-- what books that are restored are compared with, whatever command sets it
SELECT current_database() AS here \gset
ALTER DATABASE :"here" SET privacct.dropped_books = '1@2026-01-01';
ALTER ROLE ALL IN DATABASE :"here" SET privacct.dropped_books = '1@2026-01-01';
ALTER DATABASE :"here" RESET privacct.dropped_books;
-- the number of a database that is gone
CREATE DATABASE regression_numbered OID = 1000000;
-- tables, and what else belongs to them, by whatever command; who puts it back is told nothing
BEGIN;
ALTER TABLE privacct.policy RENAME COLUMN epsilon TO e0;
ALTER TABLE privacct.policy ADD COLUMN epsilon numeric NOT NULL DEFAULT 5;
SELECT count(*) > 0 AS told FROM object_discrepancy;
ALTER TABLE privacct.policy DROP COLUMN epsilon;
ALTER TABLE privacct.policy RENAME COLUMN e0 TO epsilon;
ALTER TABLE privacct.account DROP CONSTRAINT account_pkey;
ROLLBACK;
BEGIN;
CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO privacct._recoded DO INSTEAD SELECT NULL::bigint AS policy_id, NULL::text AS relation_name, NULL::name AS encoding WHERE false;
ALTER TABLE privacct._away RENAME TO mine;
ALTER TABLE privacct.mine RENAME TO _away;
CREATE TABLE privacct.mine (a int);
DROP TABLE privacct.mine;
DROP INDEX privacct.history_policy;
CREATE SEQUENCE privacct.also_mine;
ROLLBACK;
-- what its functions would find instead of functions, operators and casts of PostgreSQL
BEGIN;
CREATE FUNCTION pg_catalog.format(text, name, name) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x.y'::text $$;
CREATE FUNCTION of_my_own(name) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x'::text $$;
ALTER FUNCTION of_my_own(name) RENAME TO quote_ident;
ALTER FUNCTION quote_ident(name) SET SCHEMA pg_catalog;
SELECT problem FROM check_books();
ROLLBACK;
BEGIN;
CREATE FUNCTION of_my_own(name, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT true $$;
CREATE OPERATOR pg_catalog.<<>> (LEFTARG = name, RIGHTARG = text, FUNCTION = of_my_own);
CREATE CAST (text AS jsonb) WITH INOUT AS ASSIGNMENT;
ROLLBACK;
-- not what has nothing to do with that
BEGIN;
ALTER TABLE privacct.ledger_line SET (fillfactor = 90);
CREATE TABLE elsewhere (policy_id int PRIMARY KEY);
CREATE TYPE point_of_my_own AS (x int);
CREATE CAST (elsewhere AS point_of_my_own) WITH INOUT;
DROP TABLE elsewhere CASCADE;
CREATE FUNCTION of_my_own() RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE VIEW mine AS SELECT * FROM privacct.odometer;
CREATE TRIGGER copy AFTER INSERT ON privacct.ledger_line FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE INDEX mine_too ON privacct.ledger_line (payer);
CREATE EVENT TRIGGER mine ON sql_drop EXECUTE FUNCTION privacct._on_drop();
ALTER EVENT TRIGGER mine DISABLE;
ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;
ALTER DATABASE :"here" SET work_mem = '4MB';
ROLLBACK;

-- owners who are asked themselves, or charged by name, and get another name
CREATE TABLE vote (person text PRIMARY KEY, yes boolean NOT NULL);
CREATE TABLE visit (person text PRIMARY KEY, cost int);
CREATE TABLE walk (person text, hour int, place text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO vote VALUES ('a', true);
INSERT INTO visit VALUES ('a', 1);
INSERT INTO walk VALUES ('a', 1, 'x');
SET client_min_messages = warning;
SELECT protect('vote', 'person', regime => 'local', fresh => true) > 0 AS vote, protect('visit', 'person', fresh => true) > 0 AS visit,
	protect_entries('walk', 'person', '{hour}', 'place', chain_prior('{x,y}'::text[], '{{.7,.3},{.3,.7}}'), fresh => true) > 0 AS walk;
UPDATE vote SET person = 'b';
UPDATE walk SET person = 'b';
INSERT INTO vote VALUES ('b', true) ON CONFLICT (person) DO UPDATE SET person = 'c';
MERGE INTO vote v USING (VALUES ('c')) c(person) ON v.person = c.person WHEN MATCHED THEN UPDATE SET person = 'd';
WITH changed AS (UPDATE vote SET person = 'e' RETURNING person) SELECT * FROM changed;
-- rows that get other owners, who may be one of several
UPDATE visit SET person = 'b';
CREATE TABLE bill (bill int PRIMARY KEY, person text NOT NULL REFERENCES visit);
CREATE TABLE item (bill int NOT NULL REFERENCES bill, item text);
SELECT create_unit('uh_unit') > 0 AS unit, unprotect('visit'), protect('visit', 'person', unit => 'uh_unit', fresh => true) > 0 AS visit, protect('bill', 'person', unit => 'uh_unit', fresh => true) > 0 AS bill,
	protect('item', 'bill', unit => 'uh_unit', fresh => true) > 0 AS item;
UPDATE item SET bill = 2;
UPDATE bill SET bill = 3;
-- triggers may do that, too
CREATE TRIGGER renames BEFORE INSERT OR UPDATE ON vote FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE TRIGGER dates BEFORE UPDATE ON visit FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE TRIGGER dates BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION uh.nothing();
-- while it is protected, when it is declared, and afterwards
CREATE TABLE tour (person text NOT NULL, day int) PARTITION BY LIST (day);
CREATE TABLE tour_1 PARTITION OF tour FOR VALUES IN (1);
CREATE TRIGGER merges BEFORE UPDATE ON tour_1 FOR EACH ROW EXECUTE FUNCTION uh.nothing();
SELECT protect('tour', 'person') > 0 AS tour;
-- an UPDATE that moves a row inserts it
CREATE TRIGGER moves BEFORE INSERT ON tour_1 FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE TABLE tour_2 (LIKE tour);
CREATE TRIGGER arrives BEFORE INSERT ON tour_2 FOR EACH ROW EXECUTE FUNCTION uh.nothing();
ALTER TABLE tour ATTACH PARTITION tour_2 FOR VALUES IN (2);
SELECT unprotect('tour');
CREATE TRIGGER again BEFORE UPDATE ON tour_2 FOR EACH ROW EXECUTE FUNCTION uh.nothing();
DROP TABLE tour;
-- no others
CREATE TRIGGER notes AFTER UPDATE ON vote FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE TRIGGER comes BEFORE INSERT ON visit FOR EACH ROW EXECUTE FUNCTION uh.nothing();
CREATE TABLE elsewhere (person text);
CREATE TRIGGER dates BEFORE UPDATE ON elsewhere FOR EACH ROW EXECUTE FUNCTION uh.nothing();
SELECT unprotect('vote'), protect('vote', 'person', regime => 'local', fresh => true) > 0 AS vote;
DROP TRIGGER renames ON vote;
DROP TRIGGER notes ON vote;
DROP TRIGGER comes ON visit;
DROP TRIGGER dates ON visit;
DROP TRIGGER dates ON item;
UPDATE item SET item = 'x';
UPDATE visit SET cost = 2;
UPDATE vote SET yes = false;
INSERT INTO vote VALUES ('e', true) ON CONFLICT (person) DO UPDATE SET yes = true;
DELETE FROM walk;
SELECT unprotect('vote'), unprotect('item'), unprotect('bill'), unprotect('visit'), unprotect('walk'), drop_unit('uh_unit') \g /dev/null
DROP SCHEMA uh CASCADE;
