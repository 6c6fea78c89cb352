-- Which statements the guard answers and which it refuses: every way in which a
-- query can reach a protected table.  Budgets are so large that noise vanishes
-- in rounding, so that answers can be compared with the owner's raw ones.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pg_steward;
GRANT privacct_admin TO regress_pg_steward;
CREATE ROLE regress_pg_analyst;
CREATE ROLE regress_pg_nobody;
CREATE SCHEMA guard AUTHORIZATION regress_pg_steward;
CREATE SCHEMA desk AUTHORIZATION regress_pg_analyst;		-- the analyst's own schema
GRANT USAGE ON SCHEMA guard TO PUBLIC;
SET search_path = guard, privacct;
\ir :helpers
\pset format unaligned
\pset footer off

SET ROLE regress_pg_steward;
CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, day date NOT NULL, cost int, note jsonb);
INSERT INTO visit SELECT i, (i + 1) / 2, (ARRAY['A', 'B', 'C'])[1 + i % 3], date '2024-01-01' + i, (2 * i + 5) % 11, '{}' FROM generate_series(1, 120) i;
CREATE TABLE lab (test_id int PRIMARY KEY, patient_id int NOT NULL, ward text, level int);
INSERT INTO lab SELECT i, i, (ARRAY['A', 'B', 'C'])[1 + i % 3], i % 5 FROM generate_series(1, 60) i;
CREATE TABLE ward (ward text PRIMARY KEY, building text NOT NULL);
INSERT INTO ward VALUES ('A', 'north'), ('B', 'north'), ('C', 'south');
CREATE TABLE building (building text PRIMARY KEY, floors int);
INSERT INTO building VALUES ('north', 3), ('south', 5);
CREATE TABLE number (i int);
INSERT INTO number SELECT generate_series(1, 1000);
CREATE TABLE hidden (ward text);
CREATE TABLE secured (ward text);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON secured USING (true);
CREATE TABLE log (device int NOT NULL, n int) PARTITION BY RANGE (n);
CREATE TABLE log_low PARTITION OF log FOR VALUES FROM (0) TO (50);
CREATE TABLE log_high PARTITION OF log FOR VALUES FROM (50) TO (100);
INSERT INTO log SELECT i, i FROM generate_series(0, 99) i;
CREATE TABLE parent (device int NOT NULL, n int);
CREATE TABLE child () INHERITS (parent);
INSERT INTO parent SELECT i, i FROM generate_series(1, 20) i;
INSERT INTO child SELECT i, i FROM generate_series(101, 110) i;
GRANT SELECT ON ward, building, number, secured TO regress_pg_analyst;
DO $$ BEGIN
	PERFORM privacct.protect('visit', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 2, fresh => true);
	PERFORM privacct.protect('lab', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true);
	PERFORM privacct.protect('log', 'device', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true);
	PERFORM privacct.protect('parent', 'device', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 10), privacct.set_bounds('lab', 'level', 0, 4);
	PERFORM privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'C']), privacct.set_keys('lab', 'ward', ARRAY['A', 'B', 'C']);
	PERFORM privacct.grant_budget(t, 'regress_pg_analyst', 1e6, 0.1) FROM unnest('{visit,lab,log,parent}'::regclass[]) t;
END $$;
SELECT privacct.declare_public(t) FROM unnest($${ward,building}$$::regclass[]) t;
CREATE VIEW costly WITH (security_invoker) AS SELECT patient_id, ward, day, cost FROM visit WHERE cost > 2;
CREATE VIEW costly_north WITH (security_invoker) AS SELECT c.ward, c.cost FROM costly c JOIN ward USING (ward) WHERE building = 'north';
CREATE VIEW by_ward WITH (security_invoker) AS SELECT ward, count(*) AS n FROM visit GROUP BY ward;
GRANT SELECT ON costly, costly_north, by_ward TO regress_pg_analyst;
CREATE FUNCTION raw_rows() RETURNS SETOF visit LANGUAGE sql STABLE AS 'SELECT * FROM guard.visit';
RESET ROLE;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_pg_analyst', query, 'regress_pg_steward', query) $$;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pg_analyst', query) $$;
SET privacct.epsilon = 8000;

--
-- Shapes of SELECT that are answered
--

SELECT same('SELECT count(*) FROM visit');
SELECT same('SELECT ward, count(*), sum(cost), round(avg(cost), 1) FROM visit GROUP BY ward');
SELECT same('SELECT count(*) AS n, ward FROM visit WHERE cost BETWEEN 3 AND 7 GROUP BY 2 HAVING count(*) > 17 ORDER BY 1 DESC');
SELECT same('SELECT lower(ward) || 1, count(*) + 1 FROM visit GROUP BY ward');
SELECT same('SELECT ward = ''A'', count(*) FROM visit GROUP BY ward = ''A''');
SELECT same('SELECT extract(month FROM day), count(*) FROM visit GROUP BY 1');
SELECT same('SELECT CASE WHEN cost < 5 THEN ''low'' ELSE ''high'' END AS class, count(*) FROM visit GROUP BY class');
SELECT same('SELECT cost FROM visit GROUP BY cost');
SELECT same('SELECT DISTINCT cost FROM visit WHERE cost > 4 ORDER BY cost DESC');
-- declared keys are known to everybody, cost nothing, and leave no line in the ledger
SELECT count(*) AS charged FROM privacct.ledger \gset
SELECT same('SELECT DISTINCT ward FROM visit'), same('SELECT ward FROM visit WHERE cost > 5 GROUP BY ward'), same('SELECT ward FROM (SELECT ward, count(*), avg(cost) FROM visit GROUP BY ward) s'),
	same('SELECT count(*) FROM (SELECT ward, count(*) FROM visit GROUP BY ward) s');
SELECT count(*) - :charged AS lines FROM privacct.ledger;
SELECT same('SELECT DISTINCT count(*) FROM visit GROUP BY ward');
SELECT same('SELECT DISTINCT ON (n > 0) ward, n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s ORDER BY n > 0, ward');
SELECT same('SELECT DISTINCT ON (ward) ward, count(*) FROM visit GROUP BY ward ORDER BY ward');
SELECT same('SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward DESC LIMIT 1 OFFSET 1');
SELECT same('SELECT ward, count(*), rank() OVER (ORDER BY ward DESC), sum(count(*)) OVER () FROM visit GROUP BY ward');
SELECT same('SELECT ward, count(*) FILTER (WHERE cost > 5), sum(cost) FILTER (WHERE day < ''2024-02-01'') FROM visit GROUP BY ward');
SELECT same('SELECT count(DISTINCT patient_id) FROM visit WHERE cost > 8');
SELECT same('SELECT FROM visit HAVING count(*) > 10');
SELECT same('SELECT 1 FROM visit HAVING count(*) < 10');
SELECT same('SELECT ''all'' AS what, count(*) FROM visit GROUP BY 1');
SELECT same('SELECT ''all'' AS what, ward, 1.5, count(*) FROM visit GROUP BY 1, 2, 3');
SELECT same('SELECT count(*) FROM visit v WHERE v.day >= date ''2024-01-01'' + 30');
SELECT same('SELECT CASE WHEN count(*) > 10 THEN ''many'' ELSE ''few'' END FROM visit');
SELECT same('SELECT (SELECT count(*) FROM visit) > 10, (SELECT max(n) FROM (SELECT count(*) AS n FROM visit GROUP BY ward) s)');
SELECT same('SELECT ward, n FROM by_ward WHERE n > 39');
-- an aggregate that is written twice is released once: its copies agree also with much noise
SET privacct.epsilon = 0.01;
SELECT ask('SELECT count(*) = count(*), sum(cost) - sum(cost) FROM visit');
SELECT ask('SELECT n - m FROM (SELECT count(*) AS n, count(*) AS m FROM visit) s');
SELECT ask('SELECT avg(cost) FILTER (WHERE cost > 3) = avg(cost) FILTER (WHERE cost > 3) FROM visit HAVING count(*) = count(*)');
SET privacct.epsilon = 8000;

-- subqueries, views and WITH that hand up rows
SELECT same('SELECT ward, count(*) FROM (SELECT * FROM visit) s GROUP BY ward');
SELECT same('SELECT w, sum(c) FROM (SELECT ward AS w, cost AS c FROM (SELECT * FROM visit WHERE cost > 3 ORDER BY day) s) t GROUP BY w');
SELECT same('SELECT double, count(*) FROM (SELECT cost * 2 AS double FROM visit) s WHERE double < 6 GROUP BY double');
SELECT same('SELECT ward, count(*) FROM costly GROUP BY ward');
SELECT same('SELECT count(*), sum(cost) FROM costly_north');
SELECT same('WITH v AS (SELECT * FROM visit WHERE cost > 3) SELECT ward, count(*) FROM v GROUP BY ward');
SELECT same('WITH v AS MATERIALIZED (SELECT * FROM visit) SELECT count(*) FROM v WHERE cost > 3');
SELECT same('WITH v AS (SELECT * FROM visit), x AS (SELECT * FROM v WHERE cost > 3) SELECT count(*) FROM x');
SELECT same('WITH v AS (SELECT * FROM visit) SELECT (SELECT count(*) FROM v) + (SELECT count(*) FROM v WHERE cost > 3) AS n');
SELECT same('WITH n AS (SELECT ward, count(*) AS n FROM visit GROUP BY ward) SELECT a.ward, b.n - a.n FROM n a JOIN n b USING (ward)');
SELECT same('WITH w AS (SELECT * FROM ward WHERE building IS NOT NULL), v AS (SELECT * FROM visit JOIN w USING (ward)) SELECT building, count(*) FROM v GROUP BY building');
SELECT same('WITH unused AS (SELECT * FROM visit) SELECT 1');
SELECT same('SELECT cost FROM (SELECT cost, count(*), avg(cost) FROM visit GROUP BY cost) s');
SELECT same('SELECT n FROM (SELECT ward, count(*) AS n, avg(cost) FROM visit GROUP BY ward) s');
SELECT same('SELECT n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s WHERE ward = ''B''');
SELECT same('SELECT count(*), max(n) FROM (SELECT cost, count(*) AS n FROM visit GROUP BY cost) s');
SELECT same('SELECT count(*) FROM (SELECT cost, count(*) AS n FROM visit GROUP BY cost) s');
-- a view of the analyst's own: rows are read with the analyst's rights
SET ROLE regress_pg_analyst;
CREATE VIEW desk.mine AS SELECT ward, count(*) AS n FROM guard.visit GROUP BY ward;
CREATE VIEW desk.raw AS SELECT * FROM guard.visit;
RESET ROLE;
SELECT ask('SELECT ward, n FROM desk.mine'), ask('SELECT ward, count(*) FROM desk.raw GROUP BY ward');
SELECT ask('SELECT * FROM desk.raw'), ask('SELECT ward FROM costly');
-- a view must be granted as ever, whether it groups or not
REVOKE SELECT ON costly, by_ward FROM regress_pg_analyst;
SELECT ask('SELECT count(*) FROM costly'), ask('SELECT * FROM by_ward'), ask('SELECT count(*) FROM costly_north');		-- the inner view too
GRANT SELECT (ward) ON costly TO regress_pg_analyst;
SELECT ask('SELECT count(ward) FROM costly'), ask('SELECT count(cost) FROM costly');
REVOKE SELECT (ward) ON costly FROM regress_pg_analyst;
GRANT SELECT ON costly, by_ward TO regress_pg_analyst;

-- blocks inside of larger statements: each is one release
SELECT same('SELECT ward, count(*) FROM visit GROUP BY ward UNION ALL SELECT ward, count(*) FROM lab GROUP BY ward');
SELECT same('SELECT ward FROM visit GROUP BY ward HAVING count(*) > 1 EXCEPT SELECT ward FROM lab GROUP BY ward HAVING count(*) > 100');
SELECT same('SELECT v.ward, v.n, l.n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) v JOIN (SELECT ward, count(*) AS n FROM lab GROUP BY ward) l USING (ward)');
SELECT same('SELECT ward, n, building FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) v JOIN ward USING (ward)');
SELECT same('SELECT * FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) v, generate_series(1, 2) g');
SELECT same('SELECT w.ward FROM ward w WHERE EXISTS (SELECT FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s WHERE s.ward = w.ward AND n > 39)');
SELECT same('SELECT w.ward, s.n FROM ward w, LATERAL (SELECT n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) b WHERE b.ward = w.ward) s');
SELECT charges('visit') AS before \gset
SELECT ask('WITH n AS (SELECT count(*) AS n FROM visit) SELECT a.n = b.n FROM n a, n b') AS once, charges('visit') - :before AS charged;
SELECT charges('visit') AS before \gset
SELECT ask('WITH b AS (SELECT count(*) AS c FROM visit), a AS (SELECT w.building, b.c FROM ward w, b) SELECT count(DISTINCT x.c - y.c) FROM a x, a y') AS once, charges('visit') - :before AS charged;
SELECT ask('SELECT (SELECT count(*) FROM visit) = (SELECT count(*) FROM visit)') AS twice, charges('visit') - :before AS charged;
SELECT ask('SELECT w.ward, (SELECT count(*) FROM visit) FROM ward w') AS rescan, charges('visit') - :before AS charged;
SELECT ask('SELECT count(*) FROM visit LIMIT 0') AS not_run, ask('SELECT count(*) FROM visit WHERE false') AS run, charges('visit') - :before AS charged;
SELECT ask('SELECT n FROM (SELECT count(*) AS n FROM visit) s WHERE false') AS not_run, charges('visit') - :before AS charged;
SELECT ask('SELECT a.n - b.n FROM (SELECT count(*) AS n FROM visit) a, (SELECT count(*) AS n FROM visit WHERE cost > 0) b') AS two, charges('visit') - :before AS charged;
SELECT ask('SELECT count(*) FROM visit UNION ALL SELECT count(*) FROM visit') AS two, charges('visit') - :before AS charged;
-- functions of the analyst see what was released, and only that
SET ROLE regress_pg_analyst;
CREATE FUNCTION desk.peek(anyelement) RETURNS anyelement LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE NOTICE 'sees %', $1; RETURN $1; END $$;
SELECT ward, desk.peek(n) FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s WHERE desk.peek(ward) < 'C';
RESET ROLE;

--
-- Joins inside a block
--

SELECT same('SELECT building, count(*), sum(cost) FROM visit JOIN ward USING (ward) GROUP BY building');
SELECT same('SELECT w.building, count(*) FROM ward w, visit v WHERE w.ward = v.ward AND v.cost > 4 GROUP BY w.building');
SELECT same('SELECT count(*) FROM visit NATURAL JOIN ward');
SELECT same('SELECT floors, count(*) FROM visit JOIN ward USING (ward) JOIN building b USING (building) GROUP BY floors');
SELECT same('SELECT coalesce(w.building, ''none''), count(*) FROM visit v LEFT JOIN ward w ON w.ward = v.ward AND v.cost > 4 GROUP BY 1');
SELECT same('SELECT count(v.patient_id), count(*) FROM visit v RIGHT JOIN ward w ON w.ward = v.ward');
SELECT same('SELECT count(*) FROM visit v JOIN (SELECT ward, building FROM ward WHERE building <> ''east'') w USING (ward)');
SELECT same('SELECT building, count(*) FROM (SELECT * FROM visit WHERE cost > 1) v JOIN ward USING (ward) GROUP BY building');
SELECT same('SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM ward WHERE building = ''north'')');
SELECT same('SELECT count(*) FROM visit WHERE ward NOT IN (SELECT ward FROM ward WHERE building = ''north'')');
SELECT same('SELECT count(*) FROM visit WHERE EXISTS (SELECT FROM ward WHERE building = ''north'')');
SELECT same('SELECT count(*) FROM visit WHERE NOT EXISTS (SELECT FROM ward WHERE building = ''north'')');
-- the join fans out, an owner's share does not
SELECT ask('SELECT count(*) FROM visit v, generate_series(1, 1000) g'), ask('SELECT count(*) FROM visit v JOIN ward w ON true');
SELECT ask('SELECT count(*) FROM visit v CROSS JOIN number'), ask('SELECT count(*) FROM visit v, number m WHERE v.patient_id = m.i');
SET ROLE regress_pg_analyst;
CREATE TABLE desk.number AS SELECT i FROM generate_series(1, 1000) i;
RESET ROLE;
-- refused joins
SELECT ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM visit a JOIN visit b ON a.visit_id = b.visit_id',
	'SELECT count(*) FROM visit v JOIN lab l ON v.patient_id = l.patient_id',
	'SELECT count(*) FROM visit v, costly c',
	'SELECT count(*) FROM visit v FULL JOIN ward w USING (ward)',
	'SELECT count(*) FROM visit v CROSS JOIN desk.number',
	'SELECT count(*) FROM visit WHERE cost IN (SELECT i FROM desk.number)',
	'SELECT count(*) FROM visit v JOIN hidden USING (ward)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward FROM hidden) h USING (ward)',
	'SELECT count(*) FROM visit v JOIN secured USING (ward)',
	'SELECT count(*) FROM visit v JOIN pg_class c ON c.relname = v.ward',
	'SELECT count(*) FROM visit v, unnest(ARRAY[1, 2]) u',
	'SELECT count(*) FROM visit v, (VALUES (1), (2)) u',
	'SELECT count(*) FROM visit v, LATERAL (SELECT w.building FROM ward w WHERE w.ward = v.ward) s',
	'SELECT count(*) FROM visit v, LATERAL (SELECT v.cost) s',
	'WITH n AS (SELECT ward FROM ward GROUP BY ward) SELECT count(*) FROM visit JOIN n USING (ward)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward FROM ward GROUP BY ward) w USING (ward)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward FROM ward LIMIT 1) w USING (ward)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward FROM ward UNION SELECT ''A'') w USING (ward)',
	'SELECT count(*) FROM visit v JOIN (SELECT ward, unnest(ARRAY[1, 2]) FROM ward) w USING (ward)',
	'SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM lab)',
	'SELECT count(*) FROM visit WHERE cost > (SELECT count(*) FROM ward)',
	'SELECT count(*) FROM visit v WHERE EXISTS (SELECT FROM ward w WHERE w.ward = v.ward)',
	'SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM hidden)',
	'SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM secured)',
	'SELECT count(*) FROM ward w WHERE w.ward IN (SELECT v.ward FROM visit v)']) q;

--
-- Refused SELECT
--

SELECT charges('visit') AS before \gset
SELECT ask(q) FROM unnest(ARRAY[
	'SELECT * FROM visit',
	'TABLE visit',
	'SELECT ward FROM visit LIMIT 1',
	'SELECT ward, count(*) OVER () FROM visit',
	'SELECT 1 FROM visit',
	'SELECT ward FROM visit UNION SELECT ward FROM ward',
	'SELECT count(*) FROM (SELECT ward FROM visit UNION SELECT ward FROM visit) s',
	'SELECT count(*) FROM (SELECT ward FROM visit LIMIT 5) s',
	'SELECT count(*) FROM (SELECT ward, row_number() OVER () FROM visit) s',
	'SELECT count(*) FROM (SELECT unnest(ARRAY[1, 2]) FROM visit) s',
	'SELECT EXISTS (SELECT FROM visit WHERE patient_id = 7)',
	'SELECT 7 IN (SELECT patient_id FROM visit)',
	'SELECT ARRAY(SELECT patient_id FROM visit)',
	'SELECT (SELECT cost FROM visit WHERE visit_id = 1)',
	'SELECT w.ward, s.n FROM ward w, LATERAL (SELECT count(*) AS n FROM visit v WHERE v.ward = w.ward) s',
	'WITH RECURSIVE r AS (SELECT patient_id FROM visit UNION SELECT patient_id + 1 FROM r WHERE patient_id < 0) SELECT count(*) FROM r',
	'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r JOIN visit ON cost = n) SELECT count(*) FROM r',
	'SELECT ward, max(cost) FROM visit GROUP BY ROLLUP (ward)',
	'SELECT DISTINCT ON (ward) ward, cost FROM visit',
	'SELECT count(*) FROM (SELECT DISTINCT ON (ward) ward, cost FROM visit) s',
	'SELECT ward FROM visit FOR UPDATE',
	'SELECT ward FROM visit GROUP BY ward FOR UPDATE',
	'SELECT count(*) FROM (SELECT ward FROM visit FOR SHARE) s',
	'SELECT count(*) FROM visit TABLESAMPLE system (50)',
	'SELECT count(*) FROM visit TABLESAMPLE bernoulli (50) REPEATABLE (1)',
	'SELECT xmin, count(*) FROM visit GROUP BY xmin',
	'SELECT count(*) FROM visit WHERE ctid = ''(0,1)''',
	'SELECT tableoid::regclass, count(*) FROM visit GROUP BY 1',
	'SELECT count(v) FROM visit v',
	'SELECT count(v.*) FROM visit v',
	'SELECT v, count(*) FROM visit v GROUP BY v',
	'SELECT count(*) FROM visit v WHERE v IS NOT NULL',
	'SELECT patient_id, count(*) FROM visit GROUP BY patient_id',
	'SELECT patient_id % 10, count(*) FROM visit GROUP BY 1',
	'SELECT p, count(*) FROM (SELECT patient_id AS p FROM visit) s GROUP BY p',
	'SELECT DISTINCT patient_id FROM visit',
	'SELECT patient_id, count(*) FROM visit v JOIN number m ON v.patient_id = m.i GROUP BY patient_id',
	'SELECT max(ward) FROM visit',
	'SELECT min(day), count(*) FROM visit',
	'SELECT array_agg(ward) FROM visit',
	'SELECT string_agg(ward, '','') FROM visit',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost DESC) FROM visit',
	'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ward) FROM visit',
	'SELECT mode() WITHIN GROUP (ORDER BY ward) FILTER (WHERE cost > 1) FROM visit',
	'SELECT rank(3) WITHIN GROUP (ORDER BY cost) FROM visit',
	'SELECT bool_and(cost > 1) FROM visit',
	'SELECT json_agg(cost) FROM visit',
	'SELECT corr(cost, visit_id) FROM visit',
	'SELECT avg(DISTINCT cost) FROM visit',
	'SELECT sum(DISTINCT cost) FROM visit',
	'SELECT sum(cost ORDER BY cost) FROM visit',
	'SELECT count(*) + cost FROM visit GROUP BY ward',
	'SELECT note, count(*) FROM visit GROUP BY note',
	'SELECT ward, count(*) FROM visit GROUP BY ward, (SELECT 1)',
	'SELECT privacct.dp_sum(cost, 0, max(cost)) FROM visit']) q;
SELECT ask('SELECT count(*) FROM visit GROUP BY ' || string_agg('cost + ' || i, ', ')) FROM generate_series(1, 33) i;
SELECT charges('visit') - :before AS charged_for_refusals;
SELECT same('SELECT count(*) FROM visit WHERE cost = 1 GROUP BY ' || string_agg('cost + ' || i, ', ')) FROM generate_series(1, 32) i;
-- hidden in expressions of subqueries or behind a join, an owner is still alone in its group, which does not come out
SELECT ask('SELECT q, count(*) FROM (SELECT p + 1 AS q FROM (SELECT patient_id AS p FROM visit) s) t GROUP BY q');
SELECT ask('SELECT m.i, count(*) FROM visit v JOIN number m ON v.patient_id = m.i GROUP BY m.i');
-- the error points at the place, and says what to write instead
SET ROLE regress_pg_analyst;
SELECT ward, count(*) FROM visit WHERE lower(ward) = 'a' AND note ? 'x' GROUP BY ward;
SELECT ward, array_agg(cost) FROM visit GROUP BY ward;
SELECT * FROM visit;
RESET ROLE;

--
-- Other statements
--

SET ROLE regress_pg_analyst;
SET search_path = guard, privacct;
-- results go where the analyst wants them
CREATE TABLE desk.result AS SELECT ward, count(*) AS n FROM visit GROUP BY ward;
SELECT ward, count(*) AS n INTO desk.result2 FROM visit GROUP BY ward;
INSERT INTO desk.result SELECT ward || '+', count(*) FROM visit WHERE cost > 5 GROUP BY ward RETURNING *;
INSERT INTO desk.result VALUES ('all', (SELECT count(*) FROM visit));
UPDATE desk.result SET n = (SELECT count(*) FROM visit WHERE cost > 9) WHERE ward = 'all';
UPDATE desk.result r SET n = s.n FROM (SELECT ward, count(*) AS n FROM visit WHERE cost > 8 GROUP BY ward) s WHERE s.ward = r.ward;
DELETE FROM desk.result WHERE n < (SELECT count(*) FROM visit) / 10.0 AND ward = 'A+';
MERGE INTO desk.result r USING (SELECT ward, count(*) AS n FROM visit GROUP BY ward) s ON s.ward = r.ward
	WHEN MATCHED THEN UPDATE SET n = r.n + s.n WHEN NOT MATCHED THEN INSERT VALUES (s.ward, s.n);
SELECT * FROM desk.result ORDER BY ward COLLATE "C";
SELECT * FROM desk.result2 ORDER BY ward;
CREATE MATERIALIZED VIEW desk.kept AS SELECT ward, count(*) AS n FROM guard.visit GROUP BY ward;
SELECT * FROM desk.kept ORDER BY ward;
REFRESH MATERIALIZED VIEW desk.kept;
COPY (SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward) TO STDOUT;
VALUES ((SELECT count(*) FROM visit));
WITH kept AS (INSERT INTO desk.result SELECT 'more', count(*) FROM visit RETURNING n) SELECT n FROM kept;
-- not rows
CREATE TABLE desk.stolen AS SELECT * FROM visit;
SELECT * INTO desk.stolen FROM visit;
CREATE TABLE desk.sink (patient_id int);
INSERT INTO desk.sink SELECT patient_id FROM visit;
UPDATE desk.sink SET patient_id = v.patient_id FROM visit v;
DELETE FROM desk.sink USING visit v;
WITH gone AS (DELETE FROM desk.sink USING visit v RETURNING v.*) SELECT count(*) FROM gone;
\set VERBOSITY sqlstate
MERGE INTO desk.sink s USING visit v ON s.patient_id = v.patient_id WHEN NOT MATCHED THEN INSERT VALUES (v.patient_id);
\set VERBOSITY default
COPY (SELECT * FROM visit) TO STDOUT;
COPY visit TO STDOUT;
CREATE RULE leak AS ON INSERT TO desk.sink DO ALSO SELECT * FROM guard.visit;
INSERT INTO desk.sink VALUES (1);
DROP RULE leak ON desk.sink;
ALTER TABLE desk.sink ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY probe ON desk.sink USING (EXISTS (SELECT FROM guard.visit WHERE cost = 3));
SELECT * FROM desk.sink;
DROP TABLE desk.sink;
\set VERBOSITY sqlstate
CREATE MATERIALIZED VIEW desk.copy AS SELECT * FROM guard.visit;
\set VERBOSITY default
-- nor changes
INSERT INTO visit VALUES (0, 0, 'A', '2024-01-01', 1, NULL);
INSERT INTO visit SELECT 0, 0, ward, '2024-01-01', count(*) FROM visit GROUP BY ward;
UPDATE visit SET cost = 0;
DELETE FROM visit;
MERGE INTO visit v USING ward w ON v.ward = w.ward WHEN MATCHED THEN DELETE;
TRUNCATE visit;
\copy visit FROM '/dev/null'
BEGIN;
LOCK TABLE visit IN ACCESS SHARE MODE;
ROLLBACK;
ALTER TABLE visit ADD x int;
CREATE INDEX ON visit (cost);
CREATE TRIGGER t AFTER INSERT ON visit EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE TABLE desk.reference (visit_id int REFERENCES guard.visit);
\set VERBOSITY sqlstate
ANALYZE visit;
\set VERBOSITY default
\set VERBOSITY sqlstate
VACUUM visit;
\set VERBOSITY default

-- cursors: one release, however it is read
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward;
FETCH 1 FROM c;
FETCH LAST FROM c;
FETCH ABSOLUTE 1 FROM c;
FETCH BACKWARD ALL FROM c;
FETCH ALL FROM c;
COMMIT;
BEGIN;
DECLARE h CURSOR WITH HOLD FOR SELECT count(*) FROM visit;
COMMIT;
FETCH ALL FROM h;
CLOSE h;
BEGIN;
DECLARE raw CURSOR FOR SELECT * FROM visit;
ROLLBACK;
SELECT count(*) FROM my_ledger \gset before_
BEGIN;
DECLARE n SCROLL CURSOR FOR SELECT count(*) FROM visit;
FETCH n;
MOVE BACKWARD ALL IN n;
FETCH n;
ROLLBACK;
BEGIN;
DECLARE unread CURSOR FOR SELECT count(*) FROM visit;
COMMIT;
SELECT count(*) - :before_count AS charged FROM my_ledger;
-- prepared: every execution is a release
PREPARE dear(int) AS SELECT count(*) FROM visit WHERE cost > $1;
SELECT count(*) AS count FROM my_ledger \gset before_
EXECUTE dear(0);
EXECUTE dear(1);
EXECUTE dear(2);
EXECUTE dear(3);
EXECUTE dear(4);
EXECUTE dear(5);
EXECUTE dear(6);
SET plan_cache_mode = force_generic_plan;
EXECUTE dear(7);
EXECUTE dear(8);
SET plan_cache_mode = force_custom_plan;
EXECUTE dear(9);
RESET plan_cache_mode;
SELECT count(*) - :before_count AS charged FROM my_ledger;
PREPARE raw AS SELECT * FROM visit;
EXECUTE raw;
DEALLOCATE ALL;
-- with rollback the charge stays
SELECT count(*) AS count FROM my_ledger \gset before_
BEGIN;
SELECT count(*) FROM visit;
SAVEPOINT s;
SELECT count(*) FROM visit;
SELECT 1 / (count(*) - count(*)) FROM visit;
ROLLBACK TO s;
ROLLBACK;
SELECT count(*) - :before_count AS charged FROM my_ledger;

-- functions
CREATE FUNCTION desk.static(low int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint; BEGIN SELECT count(*) INTO n FROM guard.visit WHERE cost >= low; RETURN n; END $$;
CREATE FUNCTION desk.dynamic(low int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint; BEGIN EXECUTE 'SELECT count(*) FROM guard.visit WHERE cost >= $1' INTO n USING low; RETURN n; END $$;
CREATE FUNCTION desk.loop() RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; t text := '';
BEGIN FOR r IN SELECT ward, count(*) AS n FROM guard.visit GROUP BY ward ORDER BY 1 LOOP t := t || r.ward || r.n; END LOOP; RETURN t; END $$;
CREATE FUNCTION desk.scalar() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM guard.visit';
CREATE FUNCTION desk.inlined() RETURNS TABLE (w text, n bigint) STABLE LANGUAGE sql AS 'SELECT ward, count(*) FROM guard.visit GROUP BY ward';
CREATE FUNCTION desk.atomic() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM guard.visit; END;
CREATE FUNCTION desk.raw_static() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT cost FROM guard.visit WHERE visit_id = 1); END $$;
CREATE FUNCTION desk.raw_loop() RETURNS void LANGUAGE plpgsql AS $$
DECLARE r record; BEGIN FOR r IN SELECT * FROM guard.visit LOOP RAISE NOTICE '%', r; END LOOP; END $$;
CREATE FUNCTION desk.raw_scalar() RETURNS int LANGUAGE sql AS 'SELECT cost FROM guard.visit WHERE visit_id = 1';
CREATE FUNCTION desk.raw_inlined() RETURNS TABLE (c int) STABLE LANGUAGE sql AS 'SELECT cost FROM guard.visit';
CREATE FUNCTION desk.raw_atomic() RETURNS SETOF int STABLE LANGUAGE sql BEGIN ATOMIC SELECT cost FROM guard.visit; END;
RESET ROLE;
SELECT ask('SELECT desk.static(5), desk.dynamic(5), desk.loop(), desk.scalar(), desk.atomic()');
SELECT ask(q) FROM unnest(ARRAY[
	'SELECT * FROM desk.inlined()',
	'SELECT desk.raw_static()',
	'SELECT desk.raw_loop()',
	'SELECT desk.raw_scalar()',
	'SELECT * FROM desk.raw_inlined()',
	'SELECT count(*) FROM desk.raw_inlined()',
	'SELECT desk.raw_inlined()',
	'SELECT * FROM desk.raw_atomic()',
	'SELECT count(*) FROM raw_rows()',
	'SELECT table_to_xml(''guard.visit'', false, false, '''')',
	'SELECT query_to_xml(''SELECT * FROM guard.visit'', false, false, '''')',
	'SELECT ts_stat(''SELECT note FROM guard.visit'')']) q;
DO $$ DECLARE n bigint; BEGIN
	SET LOCAL ROLE regress_pg_analyst;
	SELECT count(*) INTO n FROM guard.visit;
	RAISE NOTICE 'count %', n;
	PERFORM * FROM guard.visit;
EXCEPTION WHEN SQLSTATE '42PA1' THEN RAISE NOTICE 'refused';
END $$;

--
-- Partitions and children
--

SELECT same('SELECT n / 10, count(*) FROM log GROUP BY 1');
SELECT same('SELECT count(*) FROM log WHERE n < 20');
SELECT same('SELECT count(*) FROM parent');
SELECT same('SELECT count(*) FROM ONLY parent');
SELECT ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM log_low',
	'SELECT * FROM log_low',
	'SELECT count(*) FROM child',
	'SELECT count(*) FROM log JOIN log_low USING (n)']) q;

--
-- Who may ask
--

SET ROLE regress_pg_nobody;
SELECT count(*) FROM guard.visit;
SELECT * FROM guard.visit;
SELECT privacct.dp_count(*) FROM guard.ward;
RESET ROLE;
-- the owner and superusers read raw rows; dp_ aggregates are for guarded roles
SELECT ask('regress_pg_steward', 'SELECT count(*) FROM visit WHERE patient_id < 3'), ask('regress_pg_steward', 'SELECT dp_count(*) FROM visit');
SELECT ask('SELECT dp_count(*), dp_sum(floors) FROM building');
-- a steward's function that runs with the steward's rights is the steward's decision
SET ROLE regress_pg_steward;
CREATE FUNCTION declassified() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = guard AS 'SELECT count(*) FROM visit';
RESET ROLE;
SELECT ask('SELECT declassified()');
-- a view over two owners' tables: neither owner nor analyst reads the other's rows
CREATE ROLE regress_pg_neighbour;
GRANT CREATE ON SCHEMA guard TO regress_pg_neighbour;
SET ROLE regress_pg_neighbour;
CREATE VIEW borrowed AS SELECT count(*) FROM visit;
GRANT SELECT ON borrowed TO regress_pg_analyst;
RESET ROLE;
SELECT ask('regress_pg_neighbour', 'SELECT * FROM borrowed'), ask('SELECT * FROM borrowed');

-- what a query brings along is limited
SELECT ask(format('SELECT count(*) FROM visit WHERE cost IN (%s)', string_agg(i::text, ','))) FROM generate_series(1, 10001) i;
SELECT ask(format('SELECT count(*) FROM visit WHERE ward = %L', repeat('a', 1001)));

-- the ledger has a line for each charge, and the analyst for each line
SELECT count(*) = charges('visit') AS complete, string_agg(DISTINCT l.role, ' ') AS roles
FROM privacct.ledger l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'visit'::regclass AND p.closed_at IS NULL;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA guard, desk CASCADE;
DROP ROLE regress_pg_neighbour, regress_pg_analyst, regress_pg_steward, regress_pg_nobody;
