-- Whose row it is does not follow from other columns: an UPDATE of these would give rows to other owners, and nobody
-- would notice.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE SCHEMA go;
CREATE TABLE go.visit (base int NOT NULL, id int GENERATED ALWAYS AS (base) STORED NOT NULL, v int);
SELECT privacct.protect('go.visit', 'id');
ALTER TABLE go.visit ALTER id DROP EXPRESSION;
SELECT privacct.protect('go.visit', 'id') > 0 AS ok;
-- a table of a unit, and the columns of a path on both sides
SELECT privacct.create_unit('go_unit') > 0 AS ok;
CREATE TABLE go.person (base int NOT NULL, id int GENERATED ALWAYS AS (base) STORED PRIMARY KEY);
SELECT privacct.protect('go.person', 'id', unit => 'go_unit');
DROP TABLE go.person;
CREATE TABLE go.person (id int PRIMARY KEY);
CREATE TABLE go.account (id int NOT NULL REFERENCES go.person, raw int NOT NULL, no int GENERATED ALWAYS AS (raw) STORED UNIQUE, a_id int PRIMARY KEY);
CREATE TABLE go.booking (raw int NOT NULL, a_id int GENERATED ALWAYS AS (raw) STORED NOT NULL REFERENCES go.account, no int NOT NULL REFERENCES go.account (no));
SELECT privacct.protect('go.person', 'id', unit => 'go_unit') > 0 AS ok, privacct.protect('go.account', 'id', unit => 'go_unit') > 0 AS ok;
SELECT privacct.protect('go.booking', 'a_id', unit => 'go_unit');
SELECT privacct.protect('go.booking', 'no', unit => 'go_unit');
ALTER TABLE go.booking ALTER a_id DROP EXPRESSION;
SELECT privacct.protect('go.booking', 'a_id', unit => 'go_unit') > 0 AS ok;
-- later; since 17 PostgreSQL refuses it itself
CREATE FUNCTION go.refuses(statement text, ours text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE statement;
	RETURN false;
EXCEPTION WHEN OTHERS THEN
	RETURN CASE WHEN ours IS NULL OR current_setting('server_version_num')::int >= 170000 THEN SQLSTATE IN ('0A000', '42611', '42804')
		ELSE SQLSTATE = '42PA4' AND SQLERRM = ours END;
END $$;
CREATE TABLE go.stay (region int, id int NOT NULL) PARTITION BY LIST (region);
SELECT privacct.protect('go.stay', 'id', fresh => true) > 0 AS ok;
CREATE TABLE go.stay_1 (region int, id int GENERATED ALWAYS AS (region) STORED NOT NULL);
SELECT go.refuses($$ALTER TABLE go.stay ATTACH PARTITION go.stay_1 FOR VALUES IN (1)$$, 'column "id" cannot be the owner column');
SELECT go.refuses($$CREATE TABLE go.stay_2 PARTITION OF go.stay (id GENERATED ALWAYS AS (region) STORED) FOR VALUES IN (2)$$, NULL);
ALTER TABLE go.visit DROP id, ADD id int GENERATED ALWAYS AS (base) STORED;
CREATE TABLE go.room (region int NOT NULL, r_id int NOT NULL, id int NOT NULL REFERENCES go.person, PRIMARY KEY (region, r_id)) PARTITION BY LIST (region);
CREATE TABLE go.night (region int NOT NULL, r_id int NOT NULL, FOREIGN KEY (region, r_id) REFERENCES go.room);
SELECT privacct.protect('go.room', 'id', unit => 'go_unit') > 0 AS ok, privacct.protect('go.night', ARRAY['region', 'r_id'], unit => 'go_unit') > 0 AS ok;
CREATE TABLE go.room_1 (region int NOT NULL, r_id int GENERATED ALWAYS AS (region) STORED NOT NULL, id int NOT NULL REFERENCES go.person, PRIMARY KEY (region, r_id));
SELECT go.refuses($$ALTER TABLE go.room ATTACH PARTITION go.room_1 FOR VALUES IN (1)$$, 'rows of go.night cannot belong to whom (r_id, region) says');
SET client_min_messages = error;
DROP SCHEMA go CASCADE;
SELECT privacct.drop_unit('go_unit');
