-- Editions: while one lasts nobody writes to the table, and what was released of it is repeated.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_ed_owner;
GRANT privacct_admin TO regress_ed_owner;
CREATE ROLE regress_ed_analyst;
CREATE ROLE regress_ed_writer;
CREATE SCHEMA regress_editions AUTHORIZATION regress_ed_owner;
GRANT ALL ON SCHEMA regress_editions TO PUBLIC;
SET search_path = regress_editions, privacct;
SET privacct.epsilon = 0.1;

-- what a statement does, without its DETAIL
CREATE FUNCTION tried(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ': ' || SQLERRM;
END
$$;
-- whether a query is charged
CREATE FUNCTION asked(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before bigint := (SELECT count(*) FROM privacct.ledger_line);
	answer text;
BEGIN
	PERFORM set_config('role', 'regress_ed_analyst', true);
	EXECUTE format('SELECT string_agg(r::text, '' '') FROM (%s) r', query) INTO answer;
	PERFORM set_config('role', 'none', true);
	RETURN CASE (SELECT count(*) FROM privacct.ledger_line) - before WHEN 0 THEN 'repeated' ELSE 'charged' END;
END
$$;

SET ROLE regress_ed_owner;
CREATE TABLE visit (id int, person int NOT NULL, ward int, cost float8, at date NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM ('2024-02-01') TO ('2024-03-01') PARTITION BY LIST (ward);
CREATE TABLE visit_2a PARTITION OF visit_2 DEFAULT;
INSERT INTO visit SELECT i, i / 5, i % 3, i % 100, date '2024-01-01' + i % 60 FROM generate_series(1, 3000) i;
CREATE TABLE loose (LIKE visit);
GRANT INSERT, UPDATE, DELETE ON visit TO regress_ed_writer;
SELECT begin_edition('visit');
SELECT protect('visit', 'person', epsilon => 100, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_keys('visit', 'ward', ARRAY[0, 1, 2]);
SELECT grant_budget('visit', 'regress_ed_analyst', 50, 5e-6);

--
-- Declaring
--
SELECT tried(s) FROM unnest(ARRAY['SELECT privacct.set_repeats(''visit'', NULL, unchanged => NULL)', 'SELECT privacct.end_edition(''visit'')',
	'SELECT privacct.begin_edition(''visit_1'')', 'SELECT privacct.begin_edition(''nobody'')', 'SELECT privacct.begin_edition(NULL::regclass)']) s;
SELECT set_repeats('visit', NULL, unchanged => true);
RESET ROLE;
-- it may be written to: nothing is kept
SELECT asked('SELECT count(*) FROM visit'), asked('SELECT count(*) FROM visit') AS again;
SELECT count(*) AS kept FROM stored_release;
SET ROLE regress_ed_writer;
SELECT tried('SELECT privacct.begin_edition(''visit'')');
SELECT tried('INSERT INTO visit VALUES (1, 1, 1, 1, ''2024-01-05'')');
RESET ROLE;
SET ROLE regress_ed_owner;
SELECT begin_edition('visit') AS first \gset
SELECT relation, age, unchanged, edition = :first AS open, kept FROM repeats WHERE relation = 'visit'::regclass;
SELECT tried('SELECT privacct.begin_edition(''visit'')');

--
-- Who writes
--
CREATE FUNCTION write_anything() RETURNS TABLE (statement text, result text) LANGUAGE sql AS $$
	SELECT s, tried(s) FROM unnest(ARRAY['INSERT INTO visit VALUES (1, 1, 1, 1, ''2024-01-05'')', 'INSERT INTO visit_1 VALUES (1, 1, 1, 1, ''2024-01-05'')',
		'INSERT INTO visit_2a VALUES (1, 1, 1, 1, ''2024-02-05'')', 'UPDATE visit SET cost = 1 WHERE false', 'UPDATE visit_2 SET cost = 1', 'DELETE FROM visit WHERE id = -1',
		'DELETE FROM ONLY visit_1', 'TRUNCATE visit', 'TRUNCATE visit_1', 'TRUNCATE ONLY visit_2a',
		'INSERT INTO visit VALUES (1, 1, 1, 1, ''2024-01-05'') ON CONFLICT DO NOTHING',
		'MERGE INTO visit v USING (VALUES (1)) w(i) ON v.id = w.i WHEN MATCHED THEN DELETE',
		'WITH gone AS (DELETE FROM visit_1 RETURNING 1) SELECT count(*) FROM gone', 'COPY visit FROM PROGRAM ''true''']) WITH ORDINALITY u(s, i) ORDER BY i
$$;
RESET ROLE;
SELECT * FROM write_anything();
SET session_replication_role = replica;
SELECT DISTINCT result FROM write_anything();
RESET session_replication_role;
SET ROLE regress_ed_writer;
SELECT tried('INSERT INTO visit VALUES (1, 1, 1, 1, ''2024-01-05'')'), tried('UPDATE visit SET cost = 1') AS updated, tried('DELETE FROM visit') AS deleted;
RESET ROLE;
SET ROLE regress_ed_owner;

--
-- Who changes the table
--
SELECT s, tried(s) FROM unnest(ARRAY['ALTER TABLE visit DISABLE TRIGGER ALL', 'ALTER TABLE visit_1 DISABLE TRIGGER privacct_edition_rows',
	'ALTER TABLE visit_1 ENABLE TRIGGER privacct_edition', 'DROP TRIGGER privacct_edition ON visit', 'DROP TRIGGER privacct_edition_rows ON visit_2a',
	'CREATE OR REPLACE TRIGGER privacct_edition BEFORE INSERT ON visit_1 FOR EACH STATEMENT EXECUTE FUNCTION suppress_redundant_updates_trigger()',
	'ALTER TABLE visit DETACH PARTITION visit_1', 'ALTER TABLE visit_2 DETACH PARTITION visit_2a', 'DROP TABLE visit_1', 'DROP TABLE visit_2',
	'CREATE TABLE visit_3 PARTITION OF visit FOR VALUES FROM (''2024-03-01'') TO (''2024-04-01'')',
	'ALTER TABLE visit ATTACH PARTITION loose FOR VALUES FROM (''2024-03-01'') TO (''2024-04-01'')',
	'ALTER TABLE visit ALTER cost TYPE numeric', 'ALTER TABLE visit ALTER cost TYPE float4', 'ALTER TABLE visit ADD COLUMN note text', 'ALTER TABLE visit DROP COLUMN note',
	'ALTER TABLE visit RENAME COLUMN cost TO price', 'ALTER TABLE visit RENAME COLUMN price TO cost', 'ALTER TABLE visit_1 SET UNLOGGED',
	'CREATE INDEX ON visit (ward)', 'ALTER TABLE visit RENAME TO visits', 'ALTER TABLE visits RENAME TO visit']) WITH ORDINALITY u(s, i) ORDER BY i;
-- which commits before event triggers hear of it
ALTER TABLE visit DETACH PARTITION visit_1 CONCURRENTLY;
ALTER TABLE visit_2 DETACH PARTITION visit_2a CONCURRENTLY;
SELECT inhrelid::regclass, inhdetachpending FROM pg_inherits WHERE inhparent IN ('visit'::regclass, 'visit_2'::regclass) AND inhdetachpending;
VACUUM FULL visit_1;
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit'), asked('SELECT count(*) FROM visit') AS again;
SELECT editions = ARRAY[:first::bigint] AS of_edition, expires_at FROM stored_release;

--
-- Until when
--
SET ROLE regress_ed_owner;
-- rolled back, it lasts
BEGIN;
SELECT end_edition('visit');
INSERT INTO visit VALUES (1, 1, 1, 1, '2024-01-05');
ROLLBACK;
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit') AS lasts;
-- neither beginning nor ending one, nor closing a policy, waits for whoever has read the table
SET ROLE regress_ed_owner;
CREATE FUNCTION strong_locks(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	held text;
BEGIN
	EXECUTE command;
	SELECT coalesce(string_agg(DISTINCT l.mode || ' on ' || l.relation::regclass, ', '), 'none') INTO held FROM pg_locks l
	WHERE l.pid = pg_backend_pid() AND l.relation IN (SELECT oid FROM pg_class WHERE relnamespace = 'regress_editions'::regnamespace)
		AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock');
	RETURN held;
END
$$;
BEGIN;
SELECT strong_locks('SELECT end_edition(''visit'')');
SELECT strong_locks('SELECT begin_edition(''visit'')');
SELECT strong_locks('SELECT unprotect(''visit'')');
INSERT INTO visit VALUES (1, 1, 1, 1, '2024-01-05');
SELECT strong_locks('DROP TRIGGER privacct_edition ON visit');
ROLLBACK;
RESET ROLE;
-- a table that is loaded anew has another one
SET ROLE regress_ed_owner;
BEGIN;
SELECT end_edition('visit');
INSERT INTO visit VALUES (1, 1, 1, 1, '2024-01-05');
SELECT begin_edition('visit') > :first AS another;
COMMIT;
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit') AS another, asked('SELECT count(*) FROM visit') AS again;
-- what a transaction of its own begins and gives up
SET ROLE regress_ed_owner;
SELECT end_edition('visit');
BEGIN;
SELECT begin_edition('visit') > 0 AS begun;
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit WHERE ward = 1'), asked('SELECT count(*) FROM visit WHERE ward = 1') AS again;
ROLLBACK;
SET ROLE regress_ed_owner;
SELECT begin_edition('visit') > 0 AS begun;
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit WHERE ward = 1') AS of_none;
-- up to an age as well
SET ROLE regress_ed_owner;
SELECT set_repeats('visit', '1 day', unchanged => true);
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit');
SET ROLE regress_ed_owner;
SELECT end_edition('visit');
RESET ROLE;
SELECT asked('SELECT count(*) FROM visit') AS young;
SELECT expires_at - made_at AS keeps FROM stored_release;

--
-- Several tables: all of them, and no others
--
SET ROLE regress_ed_owner;
CREATE TABLE bill (person int NOT NULL, ward int);
INSERT INTO bill SELECT i, i % 3 FROM generate_series(1, 1000) i;
CREATE TABLE stay (person int NOT NULL, days int);
INSERT INTO stay SELECT i, i % 9 FROM generate_series(1, 1000) i;
CREATE TABLE ward (ward int PRIMARY KEY, building text);
INSERT INTO ward VALUES (0, 'north'), (1, 'south');
GRANT SELECT ON ward TO PUBLIC;
SELECT declare_public('ward');
SELECT create_unit('regress_ed_persons', epsilon => 100, delta => 1e-6) > 0 AS made;
SELECT protect(t, 'person', unit => 'regress_ed_persons', fresh => true) > 0 AS protected, set_repeats(t, NULL, unchanged => true) FROM unnest('{bill,stay}'::regclass[]) t;
SELECT grant_budget('regress_ed_persons'::name, 'regress_ed_analyst', 50, 1e-6);
SELECT begin_edition('bill') > 0 AS begun;
RESET ROLE;
SELECT asked('SELECT count(*) FROM bill'), asked('SELECT count(*) FROM bill') AS again;
SELECT asked('SELECT count(*) FROM bill JOIN stay USING (person)'), asked('SELECT count(*) FROM bill JOIN stay USING (person)') AS again;
SET ROLE regress_ed_owner;
SELECT begin_edition('regress_ed_persons') > 0 AS rest, tried('SELECT privacct.begin_edition(''regress_ed_persons'')') AS again;
RESET ROLE;
SELECT asked('SELECT count(*) FROM bill JOIN stay USING (person)'), asked('SELECT count(*) FROM bill JOIN stay USING (person)') AS again;
SELECT asked('SELECT count(*) FROM bill JOIN ward USING (ward)'), asked('SELECT count(*) FROM bill JOIN ward USING (ward)') AS public;

-- public tables are compared by their rows: in whatever order, of all partitions and children, and not of what is no table
CREATE FUNCTION meets(tables text) RETURNS text LANGUAGE sql AS $$ SELECT asked(format('SELECT count(*) FROM bill WHERE ward IN (SELECT ward FROM %s)', tables)) $$;
CREATE FUNCTION charged_of(tables text, change text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', 'regress_ed_owner', true);
	EXECUTE change;
	PERFORM set_config('role', 'none', true);
	RETURN meets(tables);
END
$$;
SET ROLE regress_ed_owner;
CREATE TABLE more_wards (ward int NOT NULL, building text) PARTITION BY LIST (ward);
CREATE TABLE more_0 PARTITION OF more_wards FOR VALUES IN (0);
CREATE TABLE more_1 PARTITION OF more_wards FOR VALUES IN (1, 2);
INSERT INTO more_wards TABLE ward;
CREATE MATERIALIZED VIEW seen_wards AS TABLE ward;
SELECT declare_public(t), tried(format('GRANT SELECT ON %s TO PUBLIC', t)) FROM unnest('{more_wards,seen_wards}'::regclass[]) t;
RESET ROLE;
SELECT meets(t) AS first, meets(t) AS again FROM unnest('{ward,more_wards,seen_wards}'::text[]) t;
SELECT change, charged_of(t, change) AS changed, meets(t) AS again FROM unnest(ARRAY['ward', 'ward', 'ward', 'ward', 'ward', 'ward', 'more_wards', 'more_wards', 'more_wards', 'seen_wards', 'seen_wards', 'ward'],
	ARRAY['UPDATE ward SET building = building', 'UPDATE ward SET building = ''west'' WHERE ward = 1', 'UPDATE ward SET building = ''south'' WHERE ward = 1', 'INSERT INTO ward VALUES (2, NULL)', 'UPDATE ward SET building = ''NULL'' WHERE ward = 2',
	'DELETE FROM ward WHERE ward = 2', 'DELETE FROM more_0; INSERT INTO more_0 VALUES (0, ''north'')', 'INSERT INTO more_1 VALUES (1, ''south'')', 'TRUNCATE more_1', 'REFRESH MATERIALIZED VIEW seen_wards', 'INSERT INTO ward VALUES (3, ''far''); REFRESH MATERIALIZED VIEW seen_wards', 'DELETE FROM ward WHERE ward = 3']) WITH ORDINALITY u(t, change, i) ORDER BY i;
SET ROLE regress_ed_owner;
BEGIN;
SELECT end_edition('stay');
SELECT begin_edition('stay') > 0 AS begun;
COMMIT;
RESET ROLE;
SELECT asked('SELECT count(*) FROM bill JOIN stay USING (person)') AS one_anew, asked('SELECT count(*) FROM bill') AS other;
SET ROLE regress_ed_owner;
SELECT end_edition('regress_ed_persons');
SELECT tried('SELECT privacct.end_edition(''regress_ed_persons'')');
SELECT tried('INSERT INTO bill VALUES (1, 1)'), tried('INSERT INTO stay VALUES (1, 1)') AS stay;

--
-- Children, foreign keys, and the end of a policy
--
CREATE TABLE parent (id int PRIMARY KEY);
INSERT INTO parent SELECT generate_series(1, 10);
CREATE TABLE base (person int NOT NULL REFERENCES parent ON DELETE CASCADE, n int);
CREATE TABLE child () INHERITS (base);
SELECT protect('base', 'person', epsilon => 10, delta => 1e-6, fresh => true) > 0 AS protected;
SELECT begin_edition('base') > 0 AS begun;
SELECT s, tried(s) FROM unnest(ARRAY['INSERT INTO child VALUES (1, 1)', 'DELETE FROM base', 'DELETE FROM parent', 'DELETE FROM parent WHERE id = 3', 'CREATE TABLE other () INHERITS (base)',
	'ALTER TABLE child NO INHERIT base', 'DROP TABLE child', 'DROP OWNED BY regress_ed_owner']) WITH ORDINALITY u(s, i) ORDER BY i;
SELECT unprotect('base');
SELECT tried('INSERT INTO child VALUES (1, 1)'), tried('DELETE FROM parent') AS parent, (SELECT count(*) FROM pg_trigger WHERE tgname ~ '^privacct_edition' AND tgrelid IN ('base'::regclass, 'child'::regclass)) AS triggers;
CREATE TABLE gone (person int NOT NULL, n int);
SELECT protect('gone', 'person', epsilon => 10, delta => 1e-6, fresh => true) > 0 AS protected;
SELECT begin_edition('gone') > 0 AS begun;
SELECT tried('DROP TABLE gone'), to_regclass('gone') AS gone;
CREATE TABLE person (person int PRIMARY KEY, age int);
SELECT protect('person', 'person', regime => 'local', epsilon => 4, fresh => true) > 0 AS protected;
SELECT begin_edition('person');
SELECT set_repeats('person', NULL, unchanged => true);
RESET ROLE;

SET client_min_messages = error;
SELECT problem FROM check_books() WHERE policy_id IN (SELECT p.policy_id FROM policy p WHERE p.relation_name ~ 'regress_editions');
DROP SCHEMA regress_editions CASCADE;
DROP OWNED BY regress_ed_owner, regress_ed_analyst, regress_ed_writer;
SELECT drop_unit('regress_ed_persons');
DROP ROLE regress_ed_owner, regress_ed_analyst, regress_ed_writer;
