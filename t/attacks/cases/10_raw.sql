-- SPDX-License-Identifier: GPL-3.0-or-later
-- Raw rows, by every statement that could hand one out.

-- case: plain select
-- errors: 4 42PA1
SELECT * FROM care.stay WHERE ward = 'annex';
TABLE care.stay;
SELECT name FROM ONLY care.stay ORDER BY cost DESC LIMIT 1;
SELECT 1 FROM care.stay WHERE stay_id = 200001;

-- case: copy out
-- errors: 1 42501, 2 42PA1
COPY care.stay TO STDOUT;
COPY (SELECT name, cost FROM care.stay) TO STDOUT;
COPY (TABLE care.reading) TO STDOUT;

-- case: into a new relation
-- errors: 4 42PA1
CREATE TABLE den.loot AS SELECT * FROM care.stay;
SELECT * INTO den.loot FROM care.stay;
CREATE MATERIALIZED VIEW den.loot AS SELECT * FROM care.stay;
CREATE TEMP TABLE loot AS TABLE care.reading;

-- case: into an old relation
-- errors: 4 42PA1
INSERT INTO den.one SELECT cost FROM care.stay WHERE ward = 'annex';
UPDATE den.one SET n = cost FROM care.stay WHERE ward = 'annex';
DELETE FROM den.one USING care.stay WHERE ward = 'annex' RETURNING cost;
MERGE INTO den.one USING care.stay s ON s.ward = 'annex' WHEN MATCHED THEN UPDATE SET n = s.cost;
TABLE den.one;

-- case: returning and conflict clauses
-- errors: 3 42PA1
INSERT INTO den.one VALUES (2) RETURNING (SELECT max(cost) FROM (SELECT cost FROM care.stay LIMIT 9) s);
INSERT INTO den.one VALUES ((SELECT cost FROM care.stay WHERE ward = 'annex'));
WITH x AS (UPDATE den.one SET n = n RETURNING n) SELECT name FROM x, care.stay;

-- case: view, rule and matview
-- errors: 3 42PA1
CREATE VIEW den.window AS SELECT * FROM care.stay;
SELECT name FROM den.window WHERE ward = 'annex';
CREATE VIEW den.barrier WITH (security_barrier, security_invoker) AS SELECT * FROM care.stay;
SELECT name FROM den.barrier;
CREATE TABLE den.bell (n int);
CREATE RULE echo AS ON INSERT TO den.bell DO ALSO SELECT name FROM care.stay WHERE ward = 'annex';
INSERT INTO den.bell VALUES (3);

-- case: cursor
-- errors: 1 25P02, 1 34000, 2 42PA1
BEGIN;
DECLARE c CURSOR FOR SELECT name FROM care.stay;
FETCH 1 FROM c;
ROLLBACK;
BEGIN;
DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT name FROM care.stay;
COMMIT;
FETCH LAST FROM c;

-- case: prepared
-- errors: 1 42PA1, 1 26000
PREPARE p AS SELECT name FROM care.stay WHERE ward = $1;
EXECUTE p('annex');
DEALLOCATE p;
EXECUTE p('annex');

-- case: partition by itself
-- errors: 6 42PA1
SELECT pulse FROM care.reading_annex;
SELECT max(pulse) FROM care.reading_annex;
SELECT count(*) FROM care.reading_annex;
SELECT count(*) FROM ONLY care.reading_annex;
SELECT pulse FROM care.reading WHERE ward = 'annex';
SELECT count(*) FROM care.reading r JOIN care.reading_annex a USING (ward);

-- case: sql functions are inlined late
-- errors: 5 42PA1
CREATE FUNCTION den.steal() RETURNS SETOF text LANGUAGE sql STABLE AS 'SELECT name FROM care.stay';
SELECT * FROM den.steal();
SELECT den.steal();
CREATE FUNCTION den.steal_row() RETURNS SETOF care.stay LANGUAGE sql STABLE ROWS 1 AS 'SELECT * FROM care.stay';
SELECT name FROM den.steal_row() WHERE ward = 'annex';
CREATE FUNCTION den.steal_atomic() RETURNS SETOF text LANGUAGE sql STABLE BEGIN ATOMIC SELECT name FROM care.stay; END;
SELECT * FROM den.steal_atomic();
CREATE FUNCTION den.steal_one() RETURNS text LANGUAGE sql STABLE AS 'SELECT name FROM care.stay WHERE stay_id = 200001';
SELECT den.steal_one();

-- case: plpgsql
-- errors: 5 42PA1
DO $$ DECLARE x text := (SELECT name FROM care.stay WHERE ward = 'annex'); BEGIN RAISE NOTICE '%', x; END $$;
DO $$ DECLARE x text; BEGIN EXECUTE 'SELECT max(name) FROM care.stay' INTO x; RAISE NOTICE '%', x; END $$;
DO $$ DECLARE r record; BEGIN FOR r IN SELECT * FROM care.stay LOOP RAISE NOTICE '%', r; END LOOP; END $$;
DO $$ BEGIN ASSERT (SELECT cost FROM care.stay WHERE stay_id = 200001) < 5; END $$;
CREATE FUNCTION den.rows() RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT name FROM care.stay; END $$;
SELECT * FROM den.rows();

-- case: untrusted languages and files
-- errors: 1 42704, 4 42501
CREATE FUNCTION den.c() RETURNS int LANGUAGE c AS 'libc', 'getpid';
SELECT pg_read_file('PG_VERSION');
SELECT pg_ls_dir('.');
COPY den.one FROM PROGRAM 'true';
DO LANGUAGE plpythonu 'pass';

-- case: built-ins that run queries
-- errors: 6 42PA1
SELECT query_to_xml('SELECT name FROM care.stay', true, false, '');
SELECT table_to_xml('care.stay', true, false, '');
SELECT schema_to_xml('care', true, false, '');
SELECT database_to_xml(true, false, '');
SELECT query_to_xml('SELECT max(cost) FROM care.reading_annex, care.stay', true, false, '');
SELECT * FROM ts_stat('SELECT name::tsvector FROM care.stay');
SELECT ts_rewrite('a'::tsquery, 'SELECT name::tsquery, name::tsquery FROM care.stay');

-- case: sublinks everywhere
-- errors: 9 42PA1
SELECT (SELECT max(name) FROM care.stay);
SELECT EXISTS (SELECT FROM care.stay WHERE stay_id = 200001);
SELECT ARRAY(SELECT name FROM care.stay);
SELECT 1 WHERE 'annex' IN (SELECT ward FROM care.stay);
SELECT n FROM den.one ORDER BY (SELECT cost FROM care.stay WHERE stay_id = 200001);
SELECT n FROM den.one LIMIT (SELECT cost FROM care.stay WHERE stay_id = 200001);
SELECT * FROM den.one o, LATERAL (SELECT name FROM care.stay WHERE stay_id > o.n) l;
SELECT count(*) FROM den.one HAVING count(*) < (SELECT cost FROM care.stay WHERE stay_id = 200001);
VALUES ((SELECT name FROM care.stay LIMIT 1));

-- case: with queries
-- errors: 4 42PA1
WITH x AS (SELECT name FROM care.stay) TABLE x;
WITH x AS MATERIALIZED (SELECT name FROM care.stay) SELECT max(name) FROM x;
WITH RECURSIVE x AS (SELECT name FROM care.stay UNION SELECT name FROM x) SELECT count(*) FROM x;
WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < (SELECT bit_and(cost) FROM (SELECT cost FROM care.stay) y)) SELECT max(n) FROM x;

-- case: set operations
-- errors: 4 42PA1
SELECT name FROM care.stay UNION ALL SELECT 'x';
SELECT 'x' EXCEPT SELECT name FROM care.stay;
SELECT 'annex' INTERSECT SELECT ward FROM care.stay;
SELECT count(*) FROM (SELECT name FROM care.stay UNION SELECT name FROM care.stay) u;

-- case: row marks and samples
-- errors: 3 42PA1, 1 0A000
SELECT name FROM care.stay FOR SHARE SKIP LOCKED;
SELECT count(*) FROM care.stay TABLESAMPLE SYSTEM (100);
SELECT count(*) FROM (SELECT * FROM care.stay FOR UPDATE) s;
SELECT count(*) FROM care.stay GROUP BY ward FOR UPDATE;

-- case: whole rows
-- errors: 6 42PA1
SELECT row_to_json(s) FROM care.stay s;
SELECT s::text FROM care.stay s;
SELECT (s).name FROM care.stay s;
SELECT count(s) FROM care.stay s;
SELECT count(*) FROM care.stay s WHERE s IS NOT NULL;
SELECT count(*) FROM care.stay s WHERE s::text LIKE '%annex%';

-- case: writes
-- errors: 5 42PA1, 1 42501
INSERT INTO care.stay (stay_id) VALUES (200001);
UPDATE care.stay SET cost = cost WHERE ward = 'annex' RETURNING name;
DELETE FROM care.stay WHERE stay_id = 200001;
MERGE INTO care.stay s USING den.one o ON s.stay_id = o.n WHEN MATCHED THEN DELETE;
INSERT INTO care.stay (stay_id) VALUES (200001) ON CONFLICT DO NOTHING;
TRUNCATE care.stay;

-- case: definitions on the table
-- errors: 12 42501
CREATE INDEX ON care.stay ((den.through(cost)));
CREATE STATISTICS den.s ON ward, cost FROM care.stay;
CREATE TRIGGER t BEFORE INSERT ON care.stay FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE RULE r AS ON SELECT TO care.stay DO INSTEAD SELECT 1;
CREATE POLICY p ON care.stay USING (den.tell(name));
ALTER TABLE care.stay ADD CHECK (den.tell(name));
ALTER TABLE care.stay ENABLE ROW LEVEL SECURITY;
BEGIN; LOCK TABLE care.stay IN ACCESS SHARE MODE; ROLLBACK;
CLUSTER care.stay USING stay_pkey;
REINDEX TABLE care.stay;
COMMENT ON TABLE care.stay IS 'x';
GRANT SELECT ON care.stay TO spy;

-- case: maintenance
-- prints: skipping
-- errors: 1 42PA1
VACUUM care.stay;
ANALYZE VERBOSE care.stay;

-- case: family ties
-- errors: 5 42501
CREATE TABLE den.kid () INHERITS (care.stay);
CREATE TABLE den.twin (LIKE care.stay INCLUDING ALL);
CREATE TABLE den.root (patient int NOT NULL, ward text NOT NULL, pulse int NOT NULL) PARTITION BY LIST (ward);
ALTER TABLE den.root ATTACH PARTITION care.reading_annex FOR VALUES IN ('annex');
ALTER TABLE care.reading DETACH PARTITION care.reading_annex;
CREATE TABLE den.part PARTITION OF care.reading FOR VALUES IN ('attic');

-- case: foreign key as an existence oracle
-- errors: 2 42501, 1 42P01
CREATE TABLE den.key (id int REFERENCES care.stay);
CREATE TABLE den.key2 (id int);
ALTER TABLE den.key2 ADD FOREIGN KEY (id) REFERENCES care.stay;
INSERT INTO den.key VALUES (200001);

-- case: code hidden in expressions of own tables
-- errors: 2 0A000, 2 42PA1
CREATE FUNCTION den.peek(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN (SELECT cost FROM care.stay WHERE stay_id = $1); END $$;
CREATE TABLE den.d1 (n int DEFAULT den.peek(200001));
INSERT INTO den.d1 DEFAULT VALUES RETURNING n;
CREATE TABLE den.d2 (n int CHECK (den.peek(n) IS NOT NULL));
INSERT INTO den.d2 VALUES (200001);
CREATE TABLE den.d3 (n int DEFAULT (SELECT cost FROM care.stay));
CREATE TABLE den.d4 (n int CHECK (n < (SELECT max(cost) FROM care.stay)));

-- case: trigger of the spy
-- errors: 1 42PA1
CREATE FUNCTION den.pull() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n := (SELECT cost FROM care.stay WHERE ward = 'annex'); RETURN NEW; END $$;
CREATE TABLE den.trap (n int);
CREATE TRIGGER pull BEFORE INSERT ON den.trap FOR EACH ROW EXECUTE FUNCTION den.pull();
INSERT INTO den.trap VALUES (9) RETURNING n;

-- case: security definer of the spy, called by others
-- errors: 2 42PA1
CREATE FUNCTION den.deputy() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT name FROM care.stay WHERE stay_id = 200001';
SELECT den.deputy();
SET ROLE nobody;
SELECT den.deputy();

-- case: event triggers and publications
-- errors: 4 42501
CREATE FUNCTION den.ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION den.ddl();
CREATE PUBLICATION p FOR TABLE care.stay;
CREATE PUBLICATION p FOR ALL TABLES;
SELECT pg_create_logical_replication_slot('s', 'test_decoding');

-- case: foreign servers and loopback connections
-- errors: 3 42501
CREATE EXTENSION postgres_fdw;
CREATE EXTENSION dblink;
CREATE EXTENSION pageinspect;
