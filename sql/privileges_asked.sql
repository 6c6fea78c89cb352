-- SPDX-License-Identifier: GPL-3.0-or-later
-- A statement needs the privileges for all that it names, whatever the guard makes of it: every
-- form of query that it writes anew, of every thing that it may leave out, without the
-- privilege and with it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_owner;
CREATE ROLE regress_pa_analyst;
GRANT privacct_admin TO regress_pa_owner;
CREATE SCHEMA regress_pa_owner AUTHORIZATION regress_pa_owner;
GRANT USAGE ON SCHEMA regress_pa_owner TO PUBLIC;
SET ROLE regress_pa_owner;
SET search_path = regress_pa_owner, privacct;
CREATE TABLE visit (id int PRIMARY KEY, o int NOT NULL, k int NOT NULL);
INSERT INTO visit SELECT i, i % 10, i % 5 FROM generate_series(1, 50) i;
CREATE TABLE open_place (k int PRIMARY KEY, name text NOT NULL, size int CHECK (size BETWEEN 0 AND 9));
INSERT INTO open_place SELECT i, 'p' || i, i FROM generate_series(0, 4) i;
CREATE TABLE place AS TABLE open_place;
ALTER TABLE place ADD PRIMARY KEY (k), ADD CHECK (size BETWEEN 0 AND 9);
GRANT SELECT ON open_place TO regress_pa_analyst;
DO $$ BEGIN
	PERFORM declare_public('place'), declare_public('open_place'), protect('visit', 'o', 1e6, delta => 0.1, max_rows_contributed => 9), set_bounds('visit', 'k', 0, 4), set_keys('visit', 'k', '{0,1,2,3,4}'::int[]), set_keys('place', 'name'), grant_budget('visit', 'regress_pa_analyst', 1e6, 0.1);
END $$;

-- what may be denied: of the analyst's own rows and of public ones
CREATE TEMP TABLE thing (name text PRIMARY KEY, protected bool NOT NULL);
INSERT INTO thing VALUES ('place', false);
CREATE PROCEDURE pg_temp.add_view(name text, protected bool, query text) LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE format('CREATE VIEW %I WITH (security_invoker = on) AS %s', name, query);
	INSERT INTO thing VALUES (name, protected);
END $$;
CALL pg_temp.add_view('v_place', false, 'SELECT * FROM open_place');
CREATE VIEW shown WITH (security_invoker = on) AS SELECT * FROM open_place;
GRANT SELECT ON shown TO regress_pa_analyst;
CALL pg_temp.add_view('v_place_of_shown', false, 'SELECT k, name, size FROM shown WHERE size >= 0');
CALL pg_temp.add_view('v_rows', true, 'SELECT * FROM visit');
CALL pg_temp.add_view('v_join', true, 'SELECT v.id, v.o, v.k FROM visit v JOIN open_place p USING (k)');
CALL pg_temp.add_view('v_union_all', true, 'SELECT * FROM visit WHERE k = 1 UNION ALL SELECT * FROM visit WHERE k > 1');
CALL pg_temp.add_view('v_union', true, 'SELECT * FROM visit UNION SELECT * FROM visit WHERE k > 1');
CALL pg_temp.add_view('v_intersect', true, 'SELECT * FROM visit INTERSECT SELECT * FROM visit WHERE k > 1');
CALL pg_temp.add_view('v_except', true, 'SELECT * FROM visit EXCEPT SELECT * FROM visit WHERE k = 1');
CALL pg_temp.add_view('v_full', true, 'SELECT id, o, a.k FROM visit a FULL JOIN visit b USING (id, o)');
CALL pg_temp.add_view('v_group', true, 'SELECT max(id) AS id, o, k FROM visit GROUP BY o, k');
CALL pg_temp.add_view('v_distinct', true, 'SELECT DISTINCT id, o, k FROM visit');
CALL pg_temp.add_view('v_window', true, 'SELECT id, o, k FROM (SELECT *, count(*) OVER (PARTITION BY o) AS n FROM visit) w WHERE n > 0');
CALL pg_temp.add_view('v_semi', true, 'SELECT * FROM visit a WHERE EXISTS (SELECT FROM visit b WHERE b.o = a.o AND b.k = 1)');
CALL pg_temp.add_view('v_value', true, 'SELECT * FROM visit a WHERE k <= (SELECT count(*) FROM visit b WHERE b.o = a.o)');
CALL pg_temp.add_view('v_lateral', true, 'SELECT a.* FROM visit a, LATERAL (SELECT count(*) AS n FROM visit b WHERE b.o = a.o) l WHERE n > 0');
CALL pg_temp.add_view('v_with', true, 'WITH w AS (SELECT * FROM visit) SELECT * FROM w');
CREATE TEMP TABLE form (id int PRIMARY KEY, protected bool NOT NULL, query text NOT NULL);
INSERT INTO form VALUES
	(1, false, 'SELECT count(*) FROM visit JOIN %s p USING (k)'),
	(2, false, 'SELECT count(*) FROM visit LEFT JOIN %s p USING (k)'),
	(3, false, 'SELECT sum(size) FROM visit JOIN %s p USING (k)'),
	(4, false, 'SELECT count(*) FROM visit WHERE EXISTS (SELECT FROM %s p WHERE p.k = visit.k)'),
	(5, false, 'SELECT count(*) FROM visit WHERE k IN (SELECT k FROM %s)'),
	(6, false, 'SELECT count(*) FROM visit WHERE k NOT IN (SELECT k FROM %s)'),
	(7, false, 'SELECT count(*) FROM visit JOIN (SELECT DISTINCT k FROM %s) p USING (k)'),
	(8, false, 'SELECT count(*) FROM visit JOIN (SELECT k FROM %s UNION SELECT 9) p USING (k)'),
	(9, false, 'WITH p AS (SELECT * FROM %s) SELECT count(*) FROM visit JOIN p USING (k)'),
	(10, false, 'WITH p AS MATERIALIZED (SELECT * FROM %s) SELECT count(*), (SELECT count(*) FROM p) FROM visit'),
	(11, false, 'SELECT p.name, count(*) FROM visit JOIN %s p USING (k) GROUP BY p.name'),
	(12, false, 'SELECT p.k, n FROM %s p JOIN (SELECT k, count(*) AS n FROM visit GROUP BY k) v USING (k)'),
	(13, false, 'SELECT count(*) FROM visit a JOIN visit b USING (o) JOIN %s p ON p.k = b.k'),
	(14, false, 'SELECT count(*) FROM (SELECT o, max(size) AS m FROM visit JOIN %s p USING (k) GROUP BY o) g'),
	(15, false, 'SELECT count(*) FROM (SELECT o, k FROM visit UNION SELECT o, p.k FROM visit JOIN %s p USING (k)) u'),
	(16, false, 'SELECT count(*) FROM visit a WHERE EXISTS (SELECT FROM visit b JOIN %s p USING (k) WHERE b.o = a.o)'),
	(17, false, 'SELECT (SELECT count(*) FROM visit) + (SELECT count(*) FROM %s)'),
	(18, false, 'SELECT count(*) FROM visit WHERE k > (SELECT min(size) FROM %s)'),
	(19, true, 'SELECT count(*) FROM %s'),
	(20, true, 'SELECT k, count(*) FROM %s GROUP BY k'),
	(21, true, 'SELECT count(*) FROM %s a JOIN visit b USING (o)'),
	(22, true, 'SELECT count(*) FROM visit b LEFT JOIN %s a USING (o)'),
	(23, true, 'SELECT count(*) FROM visit b FULL JOIN %s a USING (o, k)'),
	(24, true, 'SELECT count(*) FROM visit b WHERE EXISTS (SELECT FROM %s a WHERE a.o = b.o)'),
	(25, true, 'SELECT count(*) FROM visit b WHERE o NOT IN (SELECT o FROM %s)'),
	(26, true, 'SELECT count(*) FROM visit b WHERE k < (SELECT count(*) FROM %s a WHERE a.o = b.o)'),
	(27, true, 'SELECT count(*) FROM (SELECT o, count(*) FROM %s GROUP BY o) g'),
	(28, true, 'SELECT count(*) FROM (SELECT o, k FROM %s UNION SELECT o, k FROM visit) u'),
	(29, true, 'SELECT count(*) FROM (SELECT o, k FROM visit EXCEPT SELECT o, k FROM %s) u'),
	(30, true, 'SELECT count(*) FROM (SELECT o, k FROM %s UNION ALL SELECT o, k FROM visit) u'),
	(31, true, 'WITH w AS (SELECT * FROM %s) SELECT count(*) FROM w'),
	(32, true, 'SELECT count(*) FROM visit WHERE k > (SELECT avg(k) / 10 FROM %s)'),
	(33, true, 'SELECT count(*) FROM visit JOIN (SELECT k, count(*) AS n FROM %s GROUP BY k) r USING (k)'),
	(34, true, 'SELECT count(*) FROM visit a, LATERAL (SELECT count(*) AS n FROM %s b WHERE b.o = a.o) l WHERE n >= 0'),
	(35, true, 'SELECT count(*) FROM (SELECT o, sum(k) OVER (PARTITION BY o) AS s FROM %s) w WHERE s > 0'),
	(36, true, 'SELECT count(*) FROM (SELECT DISTINCT o, k FROM %s) d');
GRANT SELECT ON thing, form TO regress_pa_analyst;

SET ROLE regress_pa_analyst;
SET privacct.epsilon = 100;
CREATE FUNCTION pg_temp.ask(query text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE 'SELECT FROM (' || query || ') AS r';
	RETURN 'answered';
EXCEPTION
	WHEN insufficient_privilege THEN RETURN 'denied';
	WHEN SQLSTATE '42PA1' THEN RETURN 'refused';
END $$;
CREATE FUNCTION pg_temp.asked() RETURNS TABLE (answer text, n bigint) BEGIN ATOMIC
	-- a planner before 16 finds fewer orders in which rows of one owner meet, of parts of a union: there, and only there, these are refused
	SELECT CASE WHEN fewer_orders AND answer = 'refused' THEN 'answered' WHEN fewer_orders AND answer = 'answered' THEN 'not refused' ELSE answer END, count(*)
	FROM (SELECT pg_temp.ask(format(query, name)) AS answer,
			current_setting('server_version_num')::int < 160000 AND name = 'v_union_all' AND id IN (21, 22, 23, 24, 25, 26, 34, 35) AS fewer_orders
		FROM form JOIN thing USING (protected)) a GROUP BY 1 ORDER BY 1;
END;
-- nothing is answered that it may not read
SELECT * FROM pg_temp.asked();
SELECT count(*) AS charges FROM my_ledger;
RESET ROLE;
SET search_path = regress_pa_owner, privacct;
DO $$ BEGIN EXECUTE (SELECT format('GRANT SELECT ON %s TO regress_pa_analyst', string_agg(name, ', ')) FROM thing); END $$;
SET ROLE regress_pa_analyst;
SELECT * FROM pg_temp.asked();
-- a plan that is kept asks as well
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION pg_temp.kept() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	PERFORM count(*) FROM v_union;
	RETURN 'answered';
EXCEPTION WHEN insufficient_privilege THEN
	RETURN 'denied';
END $$;
SELECT pg_temp.kept();
RESET ROLE;
REVOKE SELECT ON v_union FROM regress_pa_analyst;
SET ROLE regress_pa_analyst;
SELECT pg_temp.kept();

RESET ROLE;
RESET search_path;
DROP SCHEMA regress_pa_owner CASCADE;
DROP OWNED BY regress_pa_owner, regress_pa_analyst;
DROP ROLE regress_pa_owner, regress_pa_analyst;
