-- SPDX-License-Identifier: GPL-3.0-or-later
-- Joins of protected tables: each condition by which rows of one owner meet, and the same
-- query without it.  t/044_owned.pl tries random ones.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_ow_owner;
CREATE ROLE regress_ow_analyst;
GRANT privacct_admin TO regress_ow_owner;
CREATE SCHEMA AUTHORIZATION regress_ow_owner;
GRANT USAGE ON SCHEMA regress_ow_owner TO PUBLIC;
SET ROLE regress_ow_owner;
SET search_path = regress_ow_owner, privacct;
CREATE TABLE visit (visit_id int PRIMARY KEY, person int NOT NULL, ward int, cost int);
INSERT INTO visit SELECT i, i % 20, i % 4, i % 7 FROM generate_series(1, 60) i;
CREATE TABLE named (name text COLLATE "C" NOT NULL, n int);
INSERT INTO named SELECT chr(65 + i % 5), i FROM generate_series(1, 20) i;
CREATE TABLE ward (ward int PRIMARY KEY, head int);
INSERT INTO ward SELECT i, i * 3 FROM generate_series(0, 3) i;
GRANT SELECT ON ward TO regress_ow_analyst;
DO $$ BEGIN
	PERFORM protect('visit', 'person', 1e6, max_rows_contributed => 2), set_keys('visit', 'ward', '{0,1,2,3}'::int[]), set_bounds('visit', 'cost', 0, 6),
		protect('named', 'name', 1e6, delta => 0.01, max_rows_contributed => 100), declare_public('ward'),
		grant_budget('visit', 'regress_ow_analyst', 1e6), grant_budget('named', 'regress_ow_analyst', 1e6, 0.001);
END $$;
SET ROLE regress_ow_analyst;
SET privacct.epsilon = 3000;

CREATE FUNCTION pg_temp.explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN ' || query;
END $$;
CREATE FUNCTION pg_temp.ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
	detail text;
BEGIN
	IF EXISTS (SELECT FROM pg_temp.explained(format('SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (%s) r', query)) AS line WHERE line ~ 'CTE release') THEN
		RETURN 'It reads another release.';	-- whose noise is in the answer: see inputs.sql
	END IF;
	EXECUTE format('SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (%s) r', query) INTO answer;
	RETURN answer;
EXCEPTION WHEN SQLSTATE '42PA1' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN regexp_replace(detail, 'pg_temp_\d+', 'pg_temp');
END $$;

-- without the condition, and with it
SELECT pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM (VALUES
	(1, 'visit a, visit b', 'visit a, visit b WHERE a.person = b.person'),
	(2, 'visit a JOIN visit b ON a.visit_id = b.visit_id', 'visit a JOIN visit b ON a.visit_id = b.visit_id AND a.person = b.person'),
	(3, 'visit a JOIN visit b USING (ward)', 'visit a JOIN visit b USING (person)'),
	(4, 'visit a JOIN visit b ON a.person = b.person OR a.cost = 1', 'visit a JOIN visit b ON a.person = b.person AND (a.cost = b.cost OR a.cost = 1)'),
	(5, 'visit a JOIN visit b ON NOT (a.person <> b.person)', 'visit a JOIN visit b ON NOT (a.person <> b.person) AND b.person = a.person'),
	(6, 'visit a JOIN visit b ON a.person = b.person + 0', 'visit a JOIN visit b ON a.person = b.person'),
	(7, 'visit a JOIN visit b ON a.person::float8 = b.person::float8', 'visit a JOIN visit b ON a.person::float8 = b.person AND a.person = b.person'),
	(8, 'visit a LEFT JOIN visit b ON a.cost = b.cost', 'visit a LEFT JOIN visit b ON a.cost = b.cost AND a.person = b.person'),
	(9, 'visit a LEFT JOIN visit b ON a.cost = b.cost WHERE a.person = b.person OR b.person IS NULL', 'visit a LEFT JOIN visit b ON a.cost = b.cost WHERE a.person = b.person'),
	(10, 'visit a LEFT JOIN visit b ON a.person = b.person JOIN visit c ON c.cost = b.cost', 'visit a LEFT JOIN visit b ON a.person = b.person JOIN visit c ON c.person = b.person'),
	(11, 'visit a LEFT JOIN (visit b JOIN visit c ON b.cost = c.cost) ON a.person = b.person', 'visit a LEFT JOIN (visit b JOIN visit c ON b.cost = c.cost) ON a.person = b.person AND a.person = c.person'),
	(12, 'visit a RIGHT JOIN visit b ON a.ward = b.ward', 'visit a RIGHT JOIN visit b ON a.ward = b.ward AND b.person = a.person'),
	(13, '(SELECT ward FROM visit) a JOIN visit b USING (ward)', '(SELECT ward, person AS p FROM visit) a JOIN visit b ON a.p = b.person'),
	(14, 'visit a JOIN ward w USING (ward) JOIN visit b ON b.person = w.head', 'visit a JOIN ward w USING (ward) JOIN visit b ON b.person = w.head AND a.person = b.person'),
	(15, 'visit a WHERE EXISTS (SELECT FROM visit b WHERE b.cost = 3)', 'visit a WHERE EXISTS (SELECT FROM visit b WHERE b.cost = 3 AND b.person = a.person)'),
	(16, 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE b.ward = a.ward AND b.cost > a.cost)', 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE b.person = a.person AND b.cost > a.cost)'),
	(17, 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE b.person = a.person) OR a.cost = 1', 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE b.person = a.person AND a.cost <> 1)'),
	(18, 'visit a WHERE visit_id IN (SELECT visit_id FROM visit b WHERE cost = 3)', 'visit a WHERE (person, visit_id) IN (SELECT person, visit_id FROM visit b WHERE cost = 3)'),
	(19, 'visit a WHERE visit_id IN (SELECT visit_id FROM visit b WHERE cost = 3)', 'visit a WHERE visit_id IN (SELECT visit_id FROM visit b WHERE cost = 3 AND b.person = a.person)'),
	(20, 'visit a WHERE visit_id NOT IN (SELECT person FROM visit b WHERE cost = 3)', 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE cost = 3 AND a.person = b.person)'),
	(21, 'visit a WHERE EXISTS (SELECT FROM visit b WHERE b.person = a.person AND NOT EXISTS (SELECT FROM visit c WHERE c.cost = b.cost + 1))',
		'visit a WHERE EXISTS (SELECT FROM visit b WHERE b.person = a.person AND NOT EXISTS (SELECT FROM visit c WHERE c.cost = b.cost + 1 AND c.person = b.person))'),
	(22, 'visit a WHERE EXISTS (SELECT FROM visit b WHERE b.person = a.person AND EXISTS (SELECT FROM visit c WHERE c.person = a.person))',
		'visit a WHERE EXISTS (SELECT FROM visit b JOIN visit c USING (person) WHERE b.person = a.person)'),
	(23, 'visit a WHERE EXISTS (SELECT count(*) FROM visit b WHERE b.person = a.person)', 'visit a WHERE EXISTS (SELECT 1 FROM visit b WHERE b.person = a.person ORDER BY cost)'),
	(24, 'visit a WHERE cost = ALL (SELECT cost FROM visit b WHERE b.person = a.person)', 'visit a WHERE NOT EXISTS (SELECT FROM visit b WHERE b.person = a.person AND b.cost <> a.cost)'),
	(25, 'visit a FULL JOIN visit b ON a.ward = b.ward', 'visit a FULL JOIN visit b ON a.ward = b.ward AND a.person = b.person'),
	(26, 'named a JOIN named b USING (n)', 'named a JOIN named b USING (name)'),
	(27, 'named a JOIN named b ON upper(a.name) = upper(b.name)', 'named a JOIN named b ON a.name = b.name'),
	(28, 'visit JOIN named ON n = visit_id', 'named')) q(i, without, "with") ORDER BY i;

-- which owner counts: of the side that is kept; nulls are nobody's, and count for no b
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT count(*), count(b.cost), count(DISTINCT a.person), count(DISTINCT b.person) FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6',
	'SELECT b.ward, count(*), sum(a.cost) FROM visit a JOIN visit b ON a.person = b.person AND a.visit_id <> b.visit_id GROUP BY b.ward',
	'SELECT b.ward, count(*), sum(b.cost) FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6 GROUP BY b.ward',
	'SELECT a.ward, count(w.head) FROM visit a JOIN visit b USING (person) LEFT JOIN ward w ON w.ward = a.cost GROUP BY a.ward',
	'SELECT a.person, count(*) FROM visit a JOIN visit b USING (person) GROUP BY a.person',
	'SELECT b.person, count(*) FROM visit a LEFT JOIN visit b USING (person) GROUP BY b.person',
	'SELECT count(*), count(b.cost) FROM visit a LEFT JOIN visit b ON a.person = b.person AND false',
	'SELECT count(*), count(b.cost) FROM visit a LEFT JOIN visit b ON 1 = 0 AND a.person = b.person',
	'SELECT count(*) FROM visit a JOIN visit b ON a.person = b.person AND NULL',
	'SELECT count(a.cost), count(b.cost) FROM visit a FULL JOIN visit b ON a.person = b.person AND false',
	'SELECT count(*), count(c.cost) FROM visit a LEFT JOIN (visit b JOIN visit c ON b.person = c.person AND 2 > 3) ON a.person = b.person AND true',
	'SELECT count(*) FROM visit a, visit b WHERE a.person = b.person AND 1 > 2',
	'SELECT count(*), count(w.head) FROM visit a LEFT JOIN ward w ON w.ward = a.cost AND false']) q;

-- groups of owners
SELECT pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM (VALUES
	(1, '(SELECT ward, count(*) AS n FROM visit GROUP BY ward) d', '(SELECT person, count(*) AS n FROM visit GROUP BY person) d'),
	(2, '(SELECT DISTINCT ward FROM visit) d JOIN visit USING (ward)', '(SELECT DISTINCT person, ward FROM visit) d'),
	(3, '(SELECT (array_agg(person))[1] AS person FROM visit GROUP BY ward) d JOIN visit v USING (person)', '(SELECT person, min(ward) AS w FROM visit GROUP BY person) d JOIN visit v USING (person)'),
	(4, '(SELECT a.person FROM visit a JOIN visit b USING (ward) GROUP BY a.person) d', '(SELECT a.person FROM visit a JOIN visit b USING (person, ward) GROUP BY a.person) d'),
	(5, '(SELECT b.person FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost > 3 GROUP BY b.person) d', '(SELECT a.person, b.person AS b FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost > 3 GROUP BY a.person, b.person) d'),
	(6, '(SELECT person, avg(cost::float8) AS n FROM visit GROUP BY person) d', '(SELECT person, avg(cost::numeric) AS n FROM visit GROUP BY person) d WHERE n > 2'),
	(7, '(SELECT person FROM visit GROUP BY person, cost::float8) d', '(SELECT person FROM visit GROUP BY person, cost) d'),
	(8, '(SELECT person, count(DISTINCT ward) FILTER (WHERE cost > 1) AS n FROM visit GROUP BY person) d', '(SELECT person, count(*) AS n FROM (SELECT DISTINCT person, ward FROM visit) w GROUP BY person) d'),
	(9, '(SELECT person, string_agg(ward::text, ''-'') AS n FROM visit GROUP BY person) d', '(SELECT person, max(ward) AS n FROM visit GROUP BY person) d'),
	(10, '(SELECT person FROM visit GROUP BY ROLLUP (person)) d', '(SELECT person FROM visit GROUP BY person HAVING count(*) > 1) d'),
	(11, '(SELECT DISTINCT ON (person) person, cost FROM visit ORDER BY person, cost) d', '(SELECT person, min(cost) FROM visit GROUP BY person) d'),
	(12, '(SELECT person, w.head, count(*) FROM visit, ward w GROUP BY person, w.head) d WHERE d.head = d.person', '(SELECT person, w.head, count(*) FROM visit JOIN ward w USING (ward) GROUP BY person, w.head) d WHERE d.head = d.person'),
	(13, 'visit v JOIN (SELECT person AS p, max(cost) AS m FROM visit GROUP BY person) d ON v.cost = d.m', 'visit v JOIN (SELECT person AS p, max(cost) AS m FROM visit GROUP BY person) d ON v.cost = d.m AND v.person = d.p')) q(i, without, "with") ORDER BY i;
-- values of the rows of the same owner, and LATERAL subqueries
SELECT pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM (VALUES
	(1, 'visit a WHERE cost > (SELECT avg(cost) FROM visit b WHERE b.ward = a.ward)', 'visit a WHERE cost > (SELECT avg(cost) FROM visit b WHERE b.ward = a.ward AND b.person = a.person)'),
	(2, 'visit a WHERE cost > (SELECT avg(cost) FROM visit b WHERE b.person = a.visit_id)', 'visit a WHERE cost > (SELECT avg(cost) FROM visit b WHERE b.person = a.visit_id AND b.person = a.person)'),
	(3, 'visit a WHERE cost = (SELECT max(cost) FROM visit b WHERE b.person = a.person AND b.cost < a.cost)', 'visit a WHERE cost = (SELECT max(cost) FROM visit b WHERE b.person = a.person)'),
	(4, 'visit a WHERE cost = (SELECT cost FROM visit b WHERE b.person = a.person)', 'visit a WHERE cost = (SELECT min(cost) FROM visit b WHERE b.person = a.person)'),
	(5, 'visit a WHERE cost = (SELECT min(cost) FROM visit b WHERE b.person = a.person GROUP BY ward)', 'visit a WHERE cost = (SELECT min(cost) FROM visit b WHERE b.person = a.person AND b.ward = a.ward HAVING count(*) > 3) OR cost = 6'),
	(6, 'visit a WHERE cost = (SELECT max(cost::float8) FROM visit b WHERE b.person = a.person)', 'visit a WHERE cost = (SELECT max(cost)::float8 FROM visit b WHERE b.person = a.person)'),
	(7, 'visit a WHERE cost > (SELECT avg(b.cost + a.cost) FROM visit b WHERE b.person = a.person)', 'visit a WHERE cost > (SELECT avg(b.cost) + a.cost FROM visit b WHERE b.person = a.person) - a.cost'),
	(7, 'visit a WHERE cost > (SELECT avg(b.cost) FROM visit b WHERE b.person = a.person AND b.cost::float8 = a.ward::float8)', 'visit a WHERE cost > (SELECT avg(b.cost) FROM visit b WHERE b.person = a.person AND b.cost = a.ward)'),
	(8, 'visit a WHERE (SELECT count(*) FROM visit b WHERE b.person = a.person OR b.cost = 1) > 1', 'visit a WHERE (SELECT count(*) FROM visit b WHERE b.person = a.person AND b.cost = 1) = 0 OR ward = 1'),
	(9, 'visit a LEFT JOIN visit b ON a.person = b.person AND (SELECT count(*) FROM visit c WHERE c.person = a.person) > 5', 'visit a WHERE (SELECT count(*) FROM visit b WHERE b.person = a.person AND b.visit_id < 9) IN (0, 1)'),
	(10, '(SELECT person, (SELECT count(*) FROM visit b WHERE b.person = a.person) AS n FROM visit a GROUP BY person) d', '(SELECT person, sum((SELECT count(*) FROM visit b WHERE b.person = a.person)) AS n FROM visit a GROUP BY person) d WHERE n = 9'),
	(11, 'visit a WHERE cost > (SELECT avg(b.cost) FROM visit b WHERE b.person = a.person AND b.cost > (SELECT min(c.cost) FROM visit c WHERE c.person = a.person))', 'visit a WHERE cost > (SELECT avg(b.cost) FROM visit b WHERE b.person = a.person AND b.cost > (SELECT min(c.cost) FROM visit c WHERE c.person = b.person))'),
	(12, 'visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6 WHERE 1 < (SELECT count(*) FROM visit c WHERE c.person = b.person)', 'visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6 WHERE 1 < (SELECT count(*) FROM visit c WHERE c.person = a.person)'),
	(13, 'visit a, LATERAL (SELECT cost AS c FROM visit b WHERE b.ward = a.ward) l WHERE l.c > a.cost', 'visit a, LATERAL (SELECT cost AS c FROM visit b WHERE b.ward = a.ward AND b.person = a.person) l WHERE l.c > a.cost'),
	(14, 'visit a LEFT JOIN LATERAL (SELECT cost FROM visit b WHERE b.person = a.person ORDER BY cost LIMIT 1) l ON true WHERE l.cost > 3', 'visit a LEFT JOIN LATERAL (SELECT min(cost) AS cost FROM visit b WHERE b.person = a.person) l ON true WHERE l.cost > 3'),
	(15, 'visit a JOIN LATERAL (SELECT count(*) AS n FROM visit b WHERE b.person = a.person AND b.cost < 3) l ON l.n = 0', 'visit a JOIN LATERAL (SELECT count(*) AS n FROM visit b WHERE b.person = a.person AND b.cost < 3) l ON true WHERE l.n = 0'),
	(16, 'visit a LEFT JOIN LATERAL (SELECT ward, count(*) AS n FROM visit b WHERE b.ward = a.ward GROUP BY ward) l ON l.n > 1', 'visit a LEFT JOIN LATERAL (SELECT ward, count(*) AS n FROM visit b WHERE b.person = a.person GROUP BY ward) l ON l.n > 1'),
	(17, 'visit a, LATERAL (SELECT a.cost - b.cost AS c FROM visit b WHERE b.person = a.person) l WHERE l.c > 0', 'visit a, LATERAL (SELECT b.cost FROM visit b WHERE b.person = a.person AND a.cost - b.cost > 0) l'),
	(17, 'visit a JOIN (visit c LEFT JOIN LATERAL (SELECT b.cost FROM visit b WHERE b.person = a.person) l ON true) ON a.person = c.person', 'visit a JOIN (visit c LEFT JOIN LATERAL (SELECT b.cost FROM visit b WHERE b.person = c.person AND b.cost = 1) l ON true) ON a.person = c.person WHERE l.cost = 1'),
	(17, 'visit a, LATERAL (SELECT max(cost) AS m FROM visit c WHERE c.person = a.person) k, LATERAL (SELECT count(*) AS n FROM visit c WHERE c.cost = k.m) j WHERE j.n = 1', 'visit a, LATERAL (SELECT max(cost) AS m FROM visit c WHERE c.person = a.person) k, LATERAL (SELECT count(*) AS n FROM visit c WHERE c.person = a.person AND c.cost = k.m) j WHERE j.n = 1'),
	(18, 'visit a JOIN (SELECT * FROM ward w WHERE EXISTS (SELECT FROM visit b WHERE b.ward = w.ward AND b.cost = 3)) w USING (ward)', 'visit a JOIN ward w USING (ward) WHERE EXISTS (SELECT FROM visit b WHERE b.ward = w.ward AND b.cost = 3 AND b.person = a.person)'),
	(19, 'visit a WHERE cost > (SELECT avg(cost) FROM visit b)', 'visit a WHERE cost > (SELECT avg(cost) FROM visit b WHERE b.person = a.person)'),
	(20, 'visit a WHERE cost > (SELECT max(c.head) FROM ward c WHERE c.ward = a.ward)', 'visit a WHERE cost > (SELECT max(c.head) FROM visit b JOIN ward c USING (ward) WHERE c.ward = a.ward AND b.person = a.person)')) q(i, without, "with") ORDER BY i;

-- unions
SELECT pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM (VALUES
	(1, '(SELECT cost FROM visit UNION ALL SELECT head FROM ward) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT head FROM ward JOIN visit USING (ward) WHERE cost = 2) u'),
	(2, '(SELECT cost FROM visit UNION SELECT ward FROM visit) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT ward FROM visit WHERE cost = 2 UNION ALL SELECT 1 FROM visit WHERE cost = 3) u'),
	(3, '(SELECT cost FROM visit EXCEPT ALL SELECT ward FROM visit) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT avg(cost)::int FROM visit GROUP BY person, ward) u'),
	(4, '(SELECT person AS p FROM visit UNION ALL SELECT cost FROM visit) u JOIN visit v ON v.person = u.p', '(SELECT person AS p FROM visit WHERE cost = 1 UNION ALL SELECT person FROM visit WHERE cost = 2) u JOIN visit v ON v.person = u.p WHERE v.cost = 1'),
	(5, '(SELECT person AS p, ward FROM visit UNION ALL SELECT cost, person FROM visit) u JOIN visit v ON v.person = u.p', '(SELECT person AS p, ward AS w, person AS o FROM visit WHERE cost = 1 UNION ALL SELECT cost, person, person FROM visit WHERE cost = 2) u JOIN visit v ON v.person = u.o WHERE v.cost = 1'),
	(6, '(SELECT p FROM (SELECT person AS p FROM visit UNION ALL SELECT cost FROM visit) u GROUP BY p) g', '(SELECT p FROM (SELECT person AS p FROM visit UNION ALL SELECT person FROM visit) u GROUP BY p HAVING count(*) > 2) g'),
	(7, '(SELECT cost FROM visit UNION ALL SELECT cost FROM (SELECT a.cost FROM visit a JOIN visit b USING (ward)) j) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT cost FROM (SELECT a.cost FROM visit a JOIN visit b USING (person, visit_id) WHERE b.cost = 2) j) u'),
	(8, '(SELECT cost FROM visit UNION ALL SELECT count(*) FROM visit) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT count(*) FROM visit WHERE cost = 2 GROUP BY person) u'),
	(9, '(SELECT person::numeric AS p FROM visit UNION ALL SELECT person FROM visit) u JOIN visit v ON v.person = u.p', '(SELECT person::bigint AS p FROM visit WHERE cost = 1 UNION ALL SELECT person FROM visit WHERE cost = 2) u JOIN visit v ON v.person = u.p WHERE v.cost = 1'),
	(10, '(SELECT count(*) FROM visit GROUP BY person UNION ALL SELECT ward FROM visit GROUP BY person, ward) u', '(SELECT count(*) FROM visit GROUP BY person UNION ALL SELECT ward::bigint FROM visit GROUP BY person, ward) u'),
	(11, '((SELECT cost FROM visit UNION ALL SELECT ward FROM visit LIMIT 3) UNION ALL SELECT ward FROM visit) u', '((SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT ward FROM visit WHERE cost = 2) UNION ALL SELECT ward FROM visit WHERE cost = 3) u'),
	(12, '(SELECT cost FROM visit UNION ALL SELECT cost FROM visit LIMIT 3) u', '(SELECT cost FROM visit WHERE cost = 1 UNION ALL SELECT cost FROM visit WHERE cost = 2 ORDER BY 1) u'),
	(13, '(SELECT visit_id FROM visit UNION ALL SELECT n FROM named) u', '(SELECT name FROM named UNION ALL SELECT name FROM named) u'),
	(14, 'visit a WHERE EXISTS (SELECT FROM (SELECT person, cost FROM visit UNION ALL SELECT person, ward FROM visit) u WHERE u.cost = a.cost + 1)', 'visit a WHERE EXISTS (SELECT FROM (SELECT person, cost FROM visit UNION ALL SELECT person, ward FROM visit) u WHERE u.cost = a.cost + 1 AND u.person = a.person)'),
	(15, 'visit a WHERE cost IN (SELECT cost FROM visit b WHERE b.person = a.person UNION ALL SELECT 1)', 'visit a WHERE cost IN (SELECT cost FROM (SELECT person, cost FROM visit UNION ALL SELECT person, ward FROM visit) b WHERE b.person = a.person)')) q(i, without, "with") ORDER BY i;
-- the rows of one owner that one row may become by unions, joined with each other or not
SELECT n, m, pg_temp.ask(format('SELECT count(*) FROM (%s) a %s', u, (SELECT string_agg(format('JOIN (%s) b%s ON b%2$s.person = a.person', u, i), ' ') FROM generate_series(2, m) i))) AS answer FROM (VALUES
	(2, 1), (2, 6), (2, 7), (8, 2), (8, 3), (64, 1), (65, 1)) v(n, m), LATERAL (SELECT string_agg('SELECT person FROM visit WHERE visit_id = 1', ' UNION ALL ') AS u FROM generate_series(1, n)) w;
-- and the work of what stands around it
SELECT place, pg_temp.ask(format('SELECT count(*) >= 0 FROM (%s) u %s', (SELECT string_agg('SELECT person, cost FROM visit ' || CASE WHEN place = 'within' THEN e ELSE '' END || left(i::text, 0), ' UNION ALL ') FROM generate_series(1, 20) i), CASE WHEN place = 'around' THEN e ELSE '' END)) AS answer
FROM unnest('{within,around,nowhere}'::text[]) place, (VALUES ('WHERE md5(md5(cost::text)) <> md5(''a'')')) v(e);
-- LATERAL beside a release; what a group of a primary key has besides
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM visit v, LATERAL (SELECT count(*) AS n FROM visit w WHERE w.person = v.person) l WHERE v.cost < (SELECT count(*) FROM visit)',
	'SELECT count(*) FROM visit v LEFT JOIN LATERAL (SELECT max(cost) AS n FROM visit w WHERE w.person = v.person) l ON true WHERE l.n < (SELECT count(*) FROM visit)',
	'SELECT dp_sum(CASE WHEN cost < (SELECT count(*) FROM visit) THEN l.n END, 0, 9) FROM ward JOIN visit v USING (ward), LATERAL (SELECT max(cost) AS n FROM visit w WHERE w.person = v.person) l',
	'SELECT count(*) FROM (SELECT visit_id, cost, person FROM visit GROUP BY visit_id, person) g',
	'SELECT count(*) FROM visit v WHERE coalesce((SELECT max(w.cost) FROM visit w WHERE w.person = v.person), 1) IN (SELECT y.cost FROM visit y WHERE y.person = v.person)',
	'SELECT count(*) FROM visit v WHERE coalesce((SELECT w.cost FROM visit w WHERE w.visit_id = v.visit_id), 1) IN (SELECT y.cost FROM visit y WHERE y.person = v.person)',
	'SELECT count(*) FROM (SELECT visit_id, cost, person FROM visit GROUP BY visit_id, person, cost) g']) q;

-- set operations that compare rows, and full joins: as PostgreSQL answers the table's owner
SET privacct.max_rows = 100;
RESET ROLE;
CREATE TEMP TABLE compared AS SELECT i, without, "with" FROM (VALUES
	(1, '(SELECT cost FROM visit UNION SELECT ward FROM visit) u', '(SELECT person, cost FROM visit UNION SELECT person, ward FROM visit) u'),
	(2, '(SELECT cost FROM visit INTERSECT SELECT ward FROM visit) u', '(SELECT person, cost FROM visit INTERSECT SELECT person, ward FROM visit) u'),
	(3, '(SELECT person FROM visit EXCEPT SELECT ward FROM visit) u', '(SELECT person FROM visit EXCEPT SELECT person FROM visit WHERE cost > 4) u'),
	(4, '(SELECT person, cost FROM visit EXCEPT SELECT ward, head FROM ward) u', '(SELECT person, cost FROM visit EXCEPT (SELECT person, ward FROM visit UNION ALL SELECT person, cost FROM visit WHERE ward = 1)) u'),
	(5, '(SELECT person, cost FROM visit INTERSECT ALL SELECT person, ward FROM visit) u', '((SELECT person, cost FROM visit WHERE cost > 1 INTERSECT SELECT person, ward FROM visit) UNION ALL SELECT person, nullif(cost, 3) FROM visit) u'),
	(6, '(SELECT person, cost::float8 FROM visit UNION SELECT person, ward FROM visit) u', '(SELECT person, cost::bigint FROM visit UNION SELECT person, ward FROM visit ORDER BY 2) u'),
	(7, '(SELECT person, cost FROM visit UNION SELECT person, ward FROM visit LIMIT 5) u', '(SELECT nullif(cost, 2) AS c, person FROM visit UNION SELECT nullif(ward, 2), person FROM visit) u'),
	(8, 'visit a WHERE EXISTS (SELECT FROM (SELECT cost FROM visit EXCEPT SELECT ward FROM visit) b WHERE b.cost = a.cost)', 'visit a WHERE EXISTS (SELECT FROM (SELECT person, cost FROM visit EXCEPT SELECT person, ward FROM visit) b WHERE b.person = a.person AND b.cost = a.cost)'),
	(9, 'visit a FULL JOIN visit b ON a.person = b.cost', 'visit a FULL JOIN visit b ON a.person = b.person AND a.cost = b.ward'),
	(10, '(SELECT * FROM visit WHERE cost = 1) a FULL JOIN (SELECT * FROM visit WHERE cost = 2) b ON a.ward = b.ward', '(SELECT * FROM visit WHERE cost = 1) a FULL JOIN (SELECT * FROM visit WHERE cost = 2) b USING (person) WHERE a.cost IS NULL OR b.ward IS NULL'),
	(11, 'visit a FULL JOIN visit b ON a.person = b.person AND a.cost = b.ward JOIN visit c ON c.person = b.visit_id', '(SELECT coalesce(a.person, b.person) AS p, a.person AS o FROM visit a FULL JOIN visit b ON a.person = b.person AND a.cost = b.ward) s JOIN visit c ON c.person = s.o'),
	(12, 'visit a FULL JOIN (visit b FULL JOIN visit c ON b.person = c.person AND b.cost = c.ward) ON a.visit_id = b.person', 'visit a FULL JOIN (visit b FULL JOIN visit c ON b.person = c.person AND b.cost = c.ward) ON a.person = b.person AND a.ward = c.cost'),
	(13, '(SELECT a.person FROM visit a FULL JOIN visit b ON a.person = b.person AND a.cost = b.ward GROUP BY a.person) g', '(SELECT coalesce(b.cost, 9) AS c FROM visit a FULL JOIN visit b ON a.person = b.person AND a.cost = b.ward WHERE b.cost < 3 OR a.cost > 2) s LEFT JOIN ward w ON w.ward = s.c'),
	(14, 'visit v JOIN (ward a FULL JOIN ward b ON a.ward = b.head) ON a.ward = v.ward', 'visit v FULL JOIN ward w ON w.ward = v.cost WHERE v.visit_id IS NOT NULL'),
	(15, 'visit a FULL JOIN visit b USING (person, cost) FULL JOIN visit c USING (cost)', '(SELECT * FROM visit WHERE cost = 1) a FULL JOIN (SELECT * FROM visit WHERE cost = 2) b USING (person) FULL JOIN (SELECT * FROM visit WHERE cost = 3) c USING (person)')) q(i, without, "with");
GRANT SELECT ON compared TO regress_ow_analyst;
SET ROLE regress_ow_analyst;
SELECT i, pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM compared ORDER BY i;
RESET ROLE;
SELECT i, pg_temp.ask('SELECT count(*) FROM ' || "with") AS exact FROM compared ORDER BY i;
DROP TABLE compared;
SET ROLE regress_ow_analyst;
RESET privacct.max_rows;
-- whose rows they are is seen where the query does not show it, and counted in all inputs together
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM (SELECT cost AS c FROM visit UNION ALL SELECT ward FROM visit) u',
	'SELECT count(DISTINCT o), count(DISTINCT p) FROM (SELECT person AS o, person::bigint AS p FROM visit UNION ALL SELECT person, person FROM visit) u',
	'SELECT round(sum(cost) / 10) FROM (SELECT cost FROM visit UNION ALL SELECT - cost FROM visit) u',
	'WITH u AS (SELECT person, cost FROM visit UNION ALL SELECT person, ward FROM visit) SELECT count(*) FROM u a JOIN u b USING (person)',
	'SELECT u.o, count(*) FROM (SELECT person AS o FROM visit UNION ALL SELECT cost FROM visit) u GROUP BY u.o',
	'SELECT cost FROM visit UNION ALL SELECT cost FROM visit']) q;
SELECT sum(w) FROM (SELECT cost AS w FROM visit UNION ALL SELECT ward FROM visit) u;

-- windows, different values, NOT IN
SELECT pg_temp.ask('SELECT count(*) FROM ' || without) AS without, pg_temp.ask('SELECT count(*) FROM ' || "with") AS "with" FROM (VALUES
	(1, '(SELECT cost, avg(cost) OVER (PARTITION BY ward) AS a FROM visit) d WHERE cost > a', '(SELECT cost, avg(cost) OVER (PARTITION BY ward, person) AS a FROM visit) d WHERE cost > a'),
	(2, '(SELECT cost, avg(cost) OVER () AS a FROM visit) d WHERE cost > a', '(SELECT cost, avg(cost) OVER (PARTITION BY person) AS a FROM visit) d WHERE cost > a'),
	(3, '(SELECT cost, avg(cost) OVER (PARTITION BY person ORDER BY cost) AS a FROM visit) d WHERE cost > a', '(SELECT cost, avg(cost) OVER (PARTITION BY person ORDER BY cost ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS a FROM visit) d WHERE cost > a'),
	(4, '(SELECT cost, sum(cost) OVER (PARTITION BY person ROWS UNBOUNDED PRECEDING) AS a FROM visit) d WHERE cost = a', '(SELECT cost, sum(cost) OVER (PARTITION BY person RANGE UNBOUNDED PRECEDING) AS a FROM visit) d WHERE cost = a OR a > 9'),
	(5, '(SELECT cost, sum(cost) OVER (PARTITION BY person RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS a FROM visit) d WHERE cost > a', '(SELECT cost, sum(cost) OVER (PARTITION BY person RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS a FROM visit) d WHERE cost > a - cost'),
	(6, '(SELECT row_number() OVER (PARTITION BY person) AS n FROM visit) d WHERE n = 1', '(SELECT count(*) OVER (PARTITION BY person) AS n FROM visit) d WHERE n = 3'),
	(7, '(SELECT cost, sum(cost::float8) OVER (PARTITION BY person) AS a FROM visit) d WHERE a > 9', '(SELECT cost, sum(cost::numeric) OVER (PARTITION BY person) AS a FROM visit) d WHERE a > 9'),
	(8, '(SELECT cost, count(*) OVER (PARTITION BY person, cost::float8) AS n FROM visit) d WHERE n = 1', '(SELECT cost, count(*) OVER (PARTITION BY person, cost) AS n FROM visit) d WHERE n = 1'),
	(9, '(SELECT a.cost, count(*) OVER (PARTITION BY b.person) AS n FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 3) d WHERE n > 3', '(SELECT a.cost, count(*) OVER (PARTITION BY a.person, b.person) AS n FROM visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 3) d WHERE n = 3'),
	(10, '(SELECT a.cost, count(*) OVER (PARTITION BY a.person) AS n FROM visit a JOIN visit b USING (ward)) d WHERE n > 3', '(SELECT a.cost, count(*) OVER (PARTITION BY a.person) AS n FROM visit a JOIN visit b USING (person, visit_id)) d WHERE n = 3'),
	(11, '(SELECT person, count(*) OVER (PARTITION BY person) AS n FROM visit GROUP BY person, ward) d', '(SELECT DISTINCT person, count(*) OVER (PARTITION BY person) AS n FROM visit) d'),
	(12, 'visit v, LATERAL (SELECT count(*) OVER (PARTITION BY person) AS n FROM visit b WHERE b.person = v.person) d', '(SELECT person, sum(n) OVER (PARTITION BY person) AS s FROM (SELECT person, count(*) OVER (PARTITION BY person, ward) AS n FROM visit) e) d WHERE s = 9'),
	(13, '(SELECT ward, count(DISTINCT person) AS n FROM visit GROUP BY ward) d JOIN visit USING (ward)', '(SELECT person, ward, count(DISTINCT cost) AS n FROM visit GROUP BY person, ward HAVING count(DISTINCT visit_id) = 3) d'),
	(14, '(SELECT person, count(DISTINCT cost::float8) AS n FROM visit GROUP BY person) d', '(SELECT person, count(DISTINCT cost) AS n FROM visit GROUP BY person) d WHERE n = 3'),
	(15, '(SELECT person, sum(DISTINCT cost) AS n FROM visit GROUP BY person) d', '(SELECT person, sum(cost) AS n FROM (SELECT DISTINCT person, cost FROM visit) e GROUP BY person) d'),
	(16, 'visit a WHERE cost < (SELECT count(DISTINCT ward) FROM visit b WHERE b.ward = a.ward)', 'visit a WHERE cost < (SELECT count(DISTINCT visit_id) FROM visit b WHERE b.ward = a.ward AND b.person = a.person)'),
	(17, 'visit a WHERE visit_id NOT IN (SELECT visit_id FROM visit b WHERE cost = 3)', 'visit a WHERE (person, visit_id) NOT IN (SELECT person, visit_id FROM visit b WHERE cost = 3)'),
	(18, 'visit a WHERE cost NOT IN (SELECT cost FROM visit b WHERE b.person = a.person AND b.visit_id < a.visit_id)', 'visit a WHERE visit_id NOT IN (SELECT visit_id FROM visit b WHERE b.person = a.person AND b.cost = 1)'),
	(19, 'visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6 WHERE b.person NOT IN (SELECT person FROM visit c WHERE c.cost = 1)', 'visit a LEFT JOIN visit b ON a.person = b.person AND b.cost = 6 WHERE a.person NOT IN (SELECT person FROM visit c WHERE c.cost = 1)'),
	(20, 'visit a WHERE person NOT IN (SELECT c.person FROM visit b LEFT JOIN visit c ON b.person = c.person AND c.cost = 1)', 'visit a WHERE person NOT IN (SELECT b.person FROM visit b LEFT JOIN visit c ON b.person = c.person AND c.cost = 1 WHERE b.cost = 1)')) q(i, without, "with") ORDER BY i;

-- rows of public tables that follow from protected rows, whichever side is preserved
SELECT pg_temp.ask('SELECT count(*) FROM ' || q) FROM unnest(ARRAY[
	'(SELECT w.head c FROM ward w WHERE EXISTS (SELECT FROM visit p WHERE p.person = w.head)) x LEFT JOIN visit a ON x.c = a.person',
	'visit a RIGHT JOIN (SELECT w.head c FROM ward w WHERE EXISTS (SELECT FROM visit p WHERE p.person = w.head)) x ON x.c = a.person',
	'visit a JOIN (SELECT w.head c FROM ward w WHERE NOT EXISTS (SELECT FROM visit p WHERE p.person = w.head)) x ON x.c = a.person',
	'visit a JOIN (SELECT w.head c FROM ward w WHERE w.head IN (SELECT person FROM visit)) x ON x.c = a.person',
	'visit a WHERE a.person IN (SELECT w.head FROM ward w WHERE w.head IN (SELECT person FROM visit))',
	'(SELECT c FROM (VALUES (1)) v(c) WHERE EXISTS (SELECT FROM visit p WHERE p.person = c)) x JOIN visit a ON x.c = a.person']) q;
-- and those that are there whether a protected row meets them or not: the row of nobody may meet one of somebody
SELECT pg_temp.ask('SELECT count(*) FROM ' || q) FROM unnest(ARRAY[
	'visit a JOIN (ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6) ON a.person = w.ward',
	'ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6 JOIN visit a ON a.person = w.ward',
	'visit a LEFT JOIN (ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6) ON a.person = w.ward',
	'visit a WHERE NOT EXISTS (SELECT FROM ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6 WHERE a.person = w.ward)',
	'visit a WHERE a.person NOT IN (SELECT w.ward FROM ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6)',
	'visit a, LATERAL (SELECT w.ward FROM ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6 WHERE w.ward = a.person) l',
	'ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6 LEFT JOIN visit a ON a.person = w.ward',
	-- none of these is missed
	'visit a JOIN (ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6) ON a.person = b.person',
	'ward w LEFT JOIN visit b ON b.person = w.ward AND b.cost = 6 LEFT JOIN visit a ON a.person = b.person',
	'(SELECT b.person, count(*) AS n FROM ward w LEFT JOIN visit b ON b.person = w.ward GROUP BY b.person) x JOIN visit a USING (person)']) q;
-- HAVING groups, with GROUP BY or without, and is looked at wherever it stands
CREATE FUNCTION pg_temp.code() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'code of an analyst'; END $$;
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM (SELECT 1 x FROM visit HAVING true) s', 'SELECT count(*) FROM (SELECT 1 x FROM visit HAVING false) s',
	'SELECT 1 FROM visit HAVING true', 'SELECT DISTINCT 1 FROM visit HAVING true',
	'SELECT count(*) FROM visit a JOIN (SELECT 1 x FROM visit HAVING true) s ON a.ward = s.x',
	'SELECT count(*) FROM visit a WHERE EXISTS (SELECT 1 FROM visit HAVING true)',
	'SELECT count(*) FROM visit a WHERE a.ward = (SELECT 1 FROM visit HAVING true)',
	'SELECT count(*) FROM visit v WHERE v.cost IN (SELECT 1 FROM ward HAVING pg_temp.code())',
	'SELECT count(*) FROM visit v WHERE EXISTS (SELECT FROM ward HAVING pg_temp.code())',
	'SELECT count(*) FROM visit v JOIN (SELECT 1 x FROM ward HAVING pg_temp.code()) w ON w.x = v.cost',
	'SELECT count(*) FROM visit v JOIN (SELECT 1 x FROM (VALUES (1)) w(y) HAVING pg_temp.code()) w ON w.x = v.cost',
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person HAVING pg_temp.code()) s',
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person HAVING person IN (SELECT head FROM ward)) s']) q;

-- as a key, and in an aggregate
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT round(sum(dp_sum) / 10) FROM (SELECT ward, dp_sum((SELECT count(*) FROM visit b WHERE b.person = a.person), 0, 9) FROM visit a GROUP BY ward) s',
	'SELECT ward, count(*) FILTER (WHERE 3 > (SELECT max(cost) FROM visit b WHERE b.person = a.person)) FROM visit a GROUP BY ward',
	'SELECT count(*) FROM named a GROUP BY (SELECT count(*) > 3 FROM named b WHERE b.name = a.name)',
	'SELECT ward, (SELECT max(cost) FROM visit b WHERE b.person = a.person) FROM visit a GROUP BY ward, person']) q;

\set VERBOSITY sqlstate
SELECT person, count(*) FROM visit GROUP BY person;
\set VERBOSITY default
WITH d AS (SELECT person, count(*) AS n FROM visit GROUP BY person) SELECT dp_avg(n, 0, 10) BETWEEN 2.9 AND 3.1 AS three FROM d;
-- whole owners have one row, others as many as is declared
SELECT q, (SELECT array_agg(substring(line FROM 'Rows.*')) FILTER (WHERE line ~ 'Rows per') FROM pg_temp.explained(q) line) FROM unnest(ARRAY[
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person) d',
	'SELECT count(*) FROM (SELECT person FROM (SELECT a.person FROM visit a LEFT JOIN visit b USING (person)) x GROUP BY person) d LEFT JOIN ward ON ward = person',
	'SELECT count(*) FROM (SELECT a.person, b.person FROM visit a JOIN visit b USING (person) GROUP BY a.person, b.person) d',
	'SELECT count(*) FROM (SELECT a.person, b.person FROM visit a LEFT JOIN visit b USING (person) GROUP BY a.person, b.person) d',
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person, ward) d',
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person) d WHERE EXISTS (SELECT FROM visit v WHERE v.person = d.person)',
	'SELECT count(*) FROM (SELECT person FROM visit GROUP BY person) d JOIN visit v USING (person)']) q;

-- that owners agree follows through other tables, or from conditions around: rows of different owners do not meet before
SELECT pg_temp.ask('SELECT count(*) FROM ' || q) FROM unnest(ARRAY[
	'visit x LEFT JOIN (visit a JOIN visit b ON a.ward = b.ward) ON x.person = a.person AND x.person = b.person',
	'visit a JOIN visit b ON a.ward = b.ward JOIN ward w ON w.head = a.person AND w.head = b.person',
	'(SELECT a.person AS p, b.person AS q, a.cost FROM visit a, visit b WHERE a.visit_id = b.visit_id) s WHERE p = q',
	'(SELECT person, max(cost) AS m FROM visit GROUP BY person) g, (SELECT visit_id, person AS o FROM visit) v WHERE g.m = v.visit_id AND v.o = g.person',
	'visit a, visit b, visit c WHERE a.cost = b.cost AND a.person = c.person AND b.person = c.person']) q;

-- what is hashed is limited where it is read: long keys are null, long owners nobody
RESET ROLE;
SET ROLE regress_ow_owner;
CREATE TABLE note (person int NOT NULL, words text);
INSERT INTO note VALUES (1, 'a'), (1, repeat('x', 5000)), (1, repeat('y', 5000)), (2, repeat('x', 5000)), (2, repeat('x', 1024));
CREATE TABLE writer (name text COLLATE "C" NOT NULL, n int);
INSERT INTO writer VALUES ('a', 1), (repeat('x', 1000), 1);
CREATE TABLE hidden (person int NOT NULL);
DO $$ BEGIN
	-- the columns of every table are gone through; time is hidden if one table hides it
	EXECUTE 'CREATE TABLE wide (person int NOT NULL, ' || (SELECT string_agg(format('c%s "char"', i), ', ') FROM generate_series(1, 1500) i) || ')';
	PERFORM create_unit('regress_ow', 1e6);
	PERFORM protect('note', 'person', unit => 'regress_ow', max_rows_contributed => 9, workers => 2, fresh => true),
		protect('wide', 'person', unit => 'regress_ow', max_rows_contributed => 1, fresh => true), protect('hidden', 'person', unit => 'regress_ow', max_rows_contributed => 1, time_grid => '5 ms', fresh => true),
		protect('writer', 'name', 1e6, delta => 0.01, max_rows_contributed => 9, fresh => true);
	PERFORM grant_budget('regress_ow', 'regress_ow_analyst', 1e6), grant_budget('writer', 'regress_ow_analyst', 1e6, 0.001);
END $$;
INSERT INTO writer VALUES (repeat('y', 5000), 1);
SET ROLE regress_ow_analyst;
SELECT pg_temp.ask(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM (SELECT DISTINCT person, words FROM note) d',
	'SELECT count(*) FROM (SELECT person, words, count(words) AS n FROM note GROUP BY 1, 2 HAVING words IS NULL OR words > ''a'') d',
	'SELECT count(*) FROM (SELECT name FROM writer GROUP BY name) d', 'SELECT count(*) FROM (SELECT name, n FROM writer GROUP BY name, n) d JOIN writer USING (name)']) q;
SELECT n, (SELECT regexp_replace(pg_temp.ask('SELECT count(*) >= 0 FROM note JOIN wide USING (person) WHERE ' || string_agg('md5(person::text) <> ''a''', ' AND ')), '\d+ micro', 'many micro') FROM generate_series(1, n)) AS answer FROM unnest('{1,5}'::int[]) n;
SELECT q, (SELECT array_agg(btrim(line)) FILTER (WHERE line ~ 'Workers|Grid') FROM pg_temp.explained(q) line) FROM unnest(ARRAY[
	'SELECT count(*) FROM note', 'SELECT count(*) FROM note JOIN hidden USING (person)', 'SELECT count(*) FROM hidden JOIN note USING (person)', 'SELECT count(*) FROM note JOIN wide USING (person)']) q;

-- one charge, whatever is joined; a free look charges none
SELECT count(*) AS charges FROM my_ledger \gset before_
SELECT count(*) FROM visit a JOIN visit b USING (person) JOIN visit c USING (person) WHERE EXISTS (SELECT FROM visit d WHERE d.person = a.person);
SELECT count(*) - :before_charges AS charges FROM my_ledger;
SELECT count(*) > 0 AS shown FROM preview('SELECT count(*) FROM visit a JOIN visit b USING (person)');
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit a JOIN visit b USING (person);

-- WITH in subqueries and in views, of rows and of public tables
CREATE TEMP VIEW with_rows AS WITH c AS (SELECT * FROM visit), d AS (SELECT c.person, c.cost, w.head FROM c JOIN ward w USING (ward)) SELECT * FROM d WHERE cost > 0;
SELECT pg_temp.ask(q), q FROM unnest(ARRAY['SELECT count(*) FROM visit a JOIN visit b USING (person)', 'SELECT count(*) FROM (WITH c AS (SELECT person FROM visit) SELECT a.person FROM c a JOIN c b USING (person)) s',
	'SELECT count(*) FROM visit JOIN ward USING (ward) WHERE cost > 0', 'SELECT count(*) FROM with_rows', 'SELECT count(*) FROM visit JOIN (WITH p AS (SELECT ward, head FROM ward) SELECT * FROM p WHERE head >= 0) w USING (ward) WHERE cost > 0',
	'SELECT count(*) FROM visit a WHERE EXISTS (SELECT FROM visit b WHERE b.person = a.person AND b.cost = 6)', 'SELECT count(*) FROM visit a WHERE EXISTS (WITH c AS (SELECT * FROM visit) SELECT FROM c WHERE c.person = a.person AND c.cost = 6)',
	'WITH c AS (SELECT * FROM visit) SELECT count(*) FROM c a WHERE EXISTS (WITH d AS (SELECT * FROM c WHERE cost = 6) SELECT FROM d WHERE d.person = a.person)',
	'SELECT count(*) FROM (WITH c AS (SELECT person FROM visit WHERE cost >= (SELECT count(*) FROM visit WHERE cost < -1)) SELECT person FROM c) s',
	'SELECT count(*) FROM (WITH c AS (SELECT person FROM visit WHERE cost > (SELECT count(*) FROM visit)) SELECT a.person FROM c a JOIN c b USING (person)) s',
	'SELECT count(*) FROM (WITH RECURSIVE c AS (SELECT person FROM visit UNION ALL SELECT person FROM c) SELECT * FROM c) s']) q;

-- a window of an owner that may be null
RESET ROLE;
SET ROLE regress_ow_owner;
CREATE TABLE loose (person int, n int);
INSERT INTO loose SELECT nullif(i % 10, 0), i FROM generate_series(1, 100) i;
DO $$ BEGIN
	PERFORM protect('loose', 'person', 1e6, max_rows_contributed => 20, rows_without_owner => 'ignore', fresh => true);
	PERFORM grant_budget('loose', 'regress_ow_analyst', 1e6);
END $$;
SET ROLE regress_ow_analyst;
SELECT pg_temp.ask(q), q FROM unnest(ARRAY['SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person) AS c FROM loose) x WHERE c = 10',
	'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY person) AS c FROM loose WHERE person IS NOT NULL) x WHERE c = 10',
	'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY n, person) AS c FROM loose WHERE n > 50 AND person IS NOT NULL) x WHERE c = 1',
	'SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY n, person) AS c FROM loose WHERE n > 50 OR person IS NOT NULL) x WHERE c = 1']) q;

-- what is never NULL is counted once, beside count(*): not where an outer join makes the rows
SELECT from_where, (SELECT count(*) FROM preview('SELECT count(*), count(b.visit_id) FROM ' || from_where) WHERE used AND statistic <> 'release') AS statistics
FROM unnest(ARRAY['visit b', '(SELECT cost AS visit_id FROM visit) b', 'visit a JOIN visit b USING (person)', 'visit a LEFT JOIN visit b ON a.person = b.person AND a.cost = b.ward', 'visit a RIGHT JOIN visit b ON a.person = b.person AND a.cost = b.ward',
	'visit a FULL JOIN visit b USING (person, visit_id)', 'visit a JOIN (visit c LEFT JOIN visit b ON b.person = c.person AND b.cost = 9) ON a.person = c.person', 'visit a JOIN (SELECT visit_id, person FROM visit) b USING (person)',
	'(SELECT max(visit_id) AS visit_id FROM visit GROUP BY person) b', '(SELECT visit_id FROM visit UNION ALL SELECT cost FROM visit) b']) from_where;

RESET ROLE;
SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA regress_ow_owner CASCADE;
DROP OWNED BY regress_ow_owner, regress_ow_analyst;
DROP ROLE regress_ow_owner, regress_ow_analyst;
