-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whatever the grammar lets stand where a command names a relation: the command is PostgreSQL's to
-- refuse, and nothing is taken for a name that is none.
SET client_min_messages = error;
CREATE EXTENSION privacct;
CREATE ROLE regress_nm_owner;
GRANT CREATE ON SCHEMA public TO regress_nm_owner;
CREATE TABLE person (person_id int PRIMARY KEY, a int, b int);
SELECT privacct.protect('person', 'person_id', fresh => true) > 0 AS protected;
SET ROLE regress_nm_owner;
CREATE TABLE mine (a int, b int);
CREATE TABLE whole (a int, b int) PARTITION BY LIST (a);
CREATE FUNCTION fire() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
RESET ROLE;
CREATE TEMP TABLE command (of text);
CREATE TEMP TABLE named (so text);
INSERT INTO command SELECT btrim(line, E'\t ') FROM regexp_split_to_table($$
	CREATE STATISTICS s ON a, b FROM @
	CREATE TRIGGER t BEFORE INSERT ON @ FOR EACH ROW EXECUTE FUNCTION fire()
	CREATE CONSTRAINT TRIGGER t AFTER INSERT ON mine FROM @ FOR EACH ROW EXECUTE FUNCTION fire()
	ALTER TRIGGER t ON @ DEPENDS ON EXTENSION privacct
	DROP TRIGGER t ON @
	CREATE RULE r AS ON INSERT TO @ DO NOTHING
	CREATE POLICY p ON @
	ALTER POLICY p ON @ USING (true)
	CREATE INDEX ON @ (a)
	ALTER INDEX @ ATTACH PARTITION @
	REINDEX TABLE @
	CLUSTER @
	ANALYZE @
	ANALYZE @ (a)
	LOCK TABLE @
	TRUNCATE @
	COPY @ TO STDOUT
	REFRESH MATERIALIZED VIEW @
	CREATE TABLE c (LIKE @)
	CREATE TABLE c () INHERITS (@)
	CREATE TABLE c OF @
	CREATE TABLE c PARTITION OF @ DEFAULT
	CREATE TABLE c (a int REFERENCES @)
	CREATE TABLE @ AS SELECT 1 AS a
	CREATE VIEW @ AS SELECT 1 AS a
	CREATE FOREIGN TABLE @ (a int) SERVER nowhere
	IMPORT FOREIGN SCHEMA s LIMIT TO (@) FROM SERVER nowhere INTO public
	ALTER TABLE @ ADD c int
	ALTER TABLE @ RENAME TO d
	ALTER TABLE @ RENAME a TO d
	ALTER TABLE @ SET SCHEMA pg_temp
	ALTER TABLE mine INHERIT @
	ALTER TABLE mine NO INHERIT @
	ALTER TABLE mine OF @
	ALTER TABLE mine ADD FOREIGN KEY (a) REFERENCES @
	ALTER TABLE whole ATTACH PARTITION @ DEFAULT
	ALTER TABLE whole DETACH PARTITION @
	ALTER TABLE mine ALTER b TYPE @
	ALTER TYPE @ ADD ATTRIBUTE c int
	ALTER TYPE @ RENAME TO d
	ALTER DOMAIN @ DROP NOT NULL
	ALTER SEQUENCE @ RESTART
	CREATE SEQUENCE q OWNED BY @.a
	ALTER EXTENSION privacct ADD TABLE @
	ALTER FUNCTION fire() DEPENDS ON EXTENSION @
	CREATE FUNCTION f() RETURNS SETOF @ LANGUAGE sql AS ''
	CREATE TYPE d AS (a @)
	CREATE DOMAIN d AS @
	CREATE CAST (@ AS int) WITH INOUT
	COMMENT ON TABLE @ IS 'c'
	COMMENT ON COLUMN @.a IS 'c'
	COMMENT ON CONSTRAINT c ON @ IS 'c'
	SECURITY LABEL ON TABLE @ IS 'c'
	CREATE PUBLICATION p FOR TABLE @
	ALTER PUBLICATION p ADD TABLE @
	GRANT SELECT ON @ TO PUBLIC
	ALTER DEFAULT PRIVILEGES IN SCHEMA @ GRANT SELECT ON TABLES TO PUBLIC
	DROP TABLE @
	DROP VIEW @
	DROP TYPE @
	DROP OWNED BY @
	REASSIGN OWNED BY @ TO @
	SELECT 1 AS a INTO @
	INSERT INTO @ VALUES (1)
	UPDATE @ SET a = 1
	DELETE FROM @
	MERGE INTO @ USING mine m ON m.a = 1 WHEN MATCHED THEN DO NOTHING
	SELECT count(*) FROM @
	SELECT a FROM @ FOR UPDATE
	TABLE @
$$, '\n') AS line WHERE line ~ '\S';
INSERT INTO named SELECT btrim(line, E'\t ') FROM regexp_split_to_table($$
	mine
	person
	public.person
	public.mine AS m
	nowhere
	nowhere.mine
	nowhere.public.mine
	a.b.c.d
	mine.a
	mine.a.b.c.d
	pg_temp.mine
	""
	"MINE"
	ONLY mine
	mine *
	(mine)
	mine, person
	mine m (x, y)
	mine TABLESAMPLE SYSTEM (1)
	person TABLESAMPLE SYSTEM (1) REPEATABLE (1)
	(SELECT 1 AS a, 2 AS b) AS q
	LATERAL (SELECT 1 AS a, 2 AS b) AS q
	(SELECT a, b FROM person) AS q
	(VALUES (1, 2)) AS q (a, b)
	generate_series(1, 2) AS a
	LATERAL generate_series(1, 2) AS a
	ROWS FROM (generate_series(1, 2), generate_series(1, 2)) AS q (a, b)
	mine CROSS JOIN person
	(mine NATURAL JOIN person)
	(mine NATURAL JOIN person) AS q
	XMLTABLE('/r' PASSING '<r/>' COLUMNS a int, b int) AS q
	SETOF mine
	mine[]
	mine%ROWTYPE
	mine.a%TYPE
	CURRENT_USER
	ALL
	NULL
	1
	'mine'
$$, '\n') AS line WHERE line ~ '\S';
GRANT SELECT ON command, named TO PUBLIC;
SET ROLE regress_nm_owner;
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RAISE 'done' USING ERRCODE = 'ZZZZZ';
EXCEPTION
	WHEN OTHERS THEN
		RETURN SQLSTATE;
END
$$;
SELECT count(*) > 2000 AS many,
	   count(*) FILTER (WHERE outcome = 'ZZZZZ') > 10 AS some_done,
	   count(*) FILTER (WHERE outcome IN ('0A000', '3F000') AND of LIKE '%FROM @' AND so LIKE '%(%') > 0 AS some_have_no_name,
	   count(*) FILTER (WHERE outcome LIKE 'XX%') AS internal_errors
FROM (SELECT of, so, outcome(replace(of, '@', so)) FROM command, named OFFSET 0) AS tried;
SELECT outcome('CREATE STATISTICS s ON a, b FROM ' || so) AS outcome, so FROM named WHERE so LIKE '%(%' AND so NOT LIKE '(mine)' ORDER BY so COLLATE "C";
RESET ROLE;
SELECT privacct.unprotect('person');
DROP TABLE person;
DROP OWNED BY regress_nm_owner;
DROP ROLE regress_nm_owner;
