--
-- Numbers of different values: every form, every refusal with its hint, how many values of an owner
-- count, that the order of rows does not matter, and what is charged.
-- With an epsilon this large the answers are those of the rows.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_di_steward;
GRANT privacct_admin TO regress_di_steward;
CREATE ROLE regress_di_analyst;
CREATE SCHEMA various AUTHORIZATION regress_di_steward;
GRANT USAGE ON SCHEMA various TO PUBLIC;
SET search_path = various, privacct, public;
SET ROLE regress_di_steward;
CREATE TYPE mood AS ENUM ('good', 'bad');
-- a value for each owner, in many types, and in forms that are equal
CREATE TABLE person (id int PRIMARY KEY, age int NOT NULL, born date, seen timestamp, seenz timestamptz, hour time, member boolean, score numeric, height real,
	weight float8, s smallint, b bigint, city text, code char(4), name varchar(20), took interval, key uuid, mood mood, long text);
INSERT INTO person SELECT i, i % 50, date '2000-01-01' + i % 40, timestamp '2020-01-01' + i % 30 * interval '1 hour', timestamptz '2020-01-01 UTC' + i % 29 * interval '1 hour',
	time '00:00' + i % 28 * interval '1 minute', CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END, ((i % 10) || '.' || repeat('0', i % 4))::numeric,
	CASE i % 4 WHEN 0 THEN '0' WHEN 1 THEN '-0' WHEN 2 THEN 'NaN' ELSE 'infinity' END::real, CASE WHEN i % 7 > 0 THEN i % 7 * 0.5 END, i % 11, i % 12 * 10000000000,
	CASE WHEN i % 20 > 0 THEN 'c' || i % 20 END, 'k' || i % 9, 'n' || i % 8, CASE i % 2 WHEN 0 THEN interval '1 day' ELSE interval '24 hours' END,
	('00000000-0000-0000-0000-0000000000' || 10 + i % 6)::uuid, (CASE WHEN i % 2 = 0 THEN 'good' ELSE 'bad' END)::mood, repeat('x', CASE WHEN i % 5 = 0 THEN 1000 ELSE i % 5 END)
FROM generate_series(1, 1000) i;
-- 200 owners with six values each of 400; places of few
CREATE TABLE visit (person int NOT NULL, drug int, day date NOT NULL, place text);
INSERT INTO visit SELECT o, (o * 7 + v * v * 31) % 400, date '2024-01-01' + v, (ARRAY['x', 'y', 'x'])[1 + (o + v) % 3]
FROM generate_series(1, 200) o, generate_series(1, 6) v, generate_series(1, 2);
-- one owner has 50,000 values
CREATE TABLE lonely (person int NOT NULL, x int NOT NULL, part int);
INSERT INTO lonely SELECT 1, i, i % 30 FROM generate_series(1, 50000) i;
-- everybody has the same ten values
CREATE TABLE alike (person int NOT NULL, x int NOT NULL);
INSERT INTO alike SELECT o, v FROM generate_series(1, 30) o, generate_series(1, 10) v;
CREATE TABLE hollow (person int NOT NULL, x int, place text);
CREATE TABLE hall (person int PRIMARY KEY, x int);
INSERT INTO hall SELECT i, i % 70 FROM generate_series(1, 100) i;
CREATE TABLE hamlet (LIKE hall INCLUDING ALL);
INSERT INTO hamlet TABLE hall;
CREATE TABLE crowd (person int NOT NULL, x int);
CREATE TABLE timed (LIKE crowd);
CREATE TABLE by_rho (LIKE alike);
INSERT INTO by_rho TABLE alike;
CREATE TABLE by_plan (LIKE alike);
CREATE TABLE by_laplace (LIKE alike);
CREATE TABLE asked (person int PRIMARY KEY, x int);
INSERT INTO asked SELECT i, i % 10 FROM generate_series(1, 10) i;
CREATE TABLE step (person int, hour int, place int NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO step SELECT i, h, (i + h) % 2 FROM generate_series(1, 5) i, generate_series(1, 3) h;
RESET ROLE;
\i :helpers
SET ROLE regress_di_steward;
DO $$ BEGIN
	PERFORM protect('person', 'id', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, fresh => true), protect('visit', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 2, max_rows_contributed => 6, fresh => true),
		protect('lonely', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 3, fresh => true), protect('alike', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		protect('hollow', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 2, fresh => true), protect('hall', 'person', epsilon => 1e3, delta => 1e-6, min_epsilon => 1e-6, accountant => 'zcdp', fresh => true),
		protect('hamlet', 'person', epsilon => 1e5, delta => 1e-6, accountant => 'plan', max_groups_contributed => 1, max_rows_contributed => 1, fresh => true), protect('crowd', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_rows_contributed => 1000, fresh => true), protect('timed', 'person', epsilon => 1e6, delta => 1e-6, max_groups_contributed => 1, max_rows_contributed => 2, time_epsilon => 1, fresh => true),
		protect('by_rho', 'person', epsilon => 1e3, delta => 1e-6, min_epsilon => 1e-6, accountant => 'zcdp', max_groups_contributed => 1, max_rows_contributed => 5, fresh => true), protect('by_plan', 'person', epsilon => 100, delta => 1e-6, accountant => 'plan', max_groups_contributed => 1, max_rows_contributed => 5, fresh => true),
		protect('by_laplace', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, kernels => '{laplace}', max_rows_contributed => 5, fresh => true),
		protect('asked', 'person', regime => 'local', epsilon => 1e5, min_epsilon => 1e-6, delta => 0, fresh => true),
		protect_entries('step', 'person', ARRAY['hour']::name[], 'place', chain_prior(ARRAY['0', '1'], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 1e6, max_entries => 3, min_epsilon => 1e-6, fresh => true);
	PERFORM set_keys('visit', 'place', '{x,y,z}'::text[]), set_keys('lonely', 'part', ARRAY(SELECT generate_series(0, 29))), set_keys('hollow', 'place', '{p,q}'::text[]), set_keys('person', 'city', '{c1,c2}'::text[]), set_domain('asked', 'x', 0, 10);
	PERFORM grant_budget(t::regclass, 'regress_di_analyst', CASE WHEN t IN ('asked', 'hamlet') THEN 1e5 WHEN t IN ('hall', 'by_rho') THEN 1e3 WHEN t = 'by_plan' THEN 100 ELSE 1e6 END, CASE WHEN t IN ('asked', 'step') THEN 0 WHEN t IN ('hall', 'hamlet', 'timed', 'by_rho', 'by_plan') THEN 1e-6 ELSE 0.1 END)
	FROM unnest('{person,visit,lonely,alike,hollow,hall,hamlet,crowd,timed,by_rho,by_plan,by_laplace,asked,step}'::text[]) t;
	PERFORM plan_budget('by_plan', '[{"kernel": "laplace", "releases": 10}]');
END $$;
RESET ROLE;
CREATE FUNCTION own(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_di_analyst', query, 'regress_di_steward', query) $$;
CREATE FUNCTION own(query text, raw text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_di_analyst', query, 'regress_di_steward', raw) $$;
CREATE FUNCTION got(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_di_analyst', query) $$;
SET privacct.epsilon = 2000;

--
-- As PostgreSQL writes them
--
-- of every type; equal values in different forms are one, null is none
SELECT c, own(format('SELECT count(DISTINCT %s) FROM person', c)) FROM unnest('{age,born,seen,seenz,hour,member,score,height,weight,s,b,city,code,name,took,key,mood}'::text[]) c;
SELECT q, own('SELECT ' || q) FROM unnest(ARRAY[
	'count(DISTINCT age), count(DISTINCT city), count(*) FROM person', 'count(DISTINCT id) FROM person', 'count(DISTINCT 1), count(DISTINCT NULL::int) FROM person',
	'count(DISTINCT age % 7), count(DISTINCT age / 2 + 1) FROM person', 'count(DISTINCT upper(city)) FROM person', 'count(DISTINCT age > 20) FROM person',
	'count(DISTINCT extract(month FROM born)) FROM person', 'count(DISTINCT date_trunc(''month'', born)) FROM person', 'count(DISTINCT CASE WHEN age < 10 THEN age END) FROM person',
	'count(DISTINCT age) FILTER (WHERE city = ''c3''), count(DISTINCT city) FILTER (WHERE age < 5) FROM person WHERE member',
	'count(DISTINCT age) + count(DISTINCT s) AS both FROM person HAVING count(DISTINCT age) > 9 ORDER BY count(DISTINCT s)',
	'count(DISTINCT (age, s)) FROM person', 'count(DISTINCT (member, city)), count(DISTINCT ROW(member)), count(DISTINCT member) FROM person', 'count(DISTINCT (weight, age % 3, city)) FILTER (WHERE age > 10) FROM person',
	'count(DISTINCT (member IS NULL, city)) FILTER (WHERE age > 1000) FROM person', 'count(DISTINCT (1, 2)) FROM person', 'count(DISTINCT ROW()) FROM person', 'count(DISTINCT ''x'') FROM person',
	'x.n FROM (SELECT count(DISTINCT age) AS n FROM person) x', 'count(DISTINCT drug), count(DISTINCT day), count(DISTINCT person) FROM visit', 'count(DISTINCT place) FROM visit WHERE day = ''2024-01-03''',
	'place, count(DISTINCT drug) > 60 AS n, count(DISTINCT day) FROM visit GROUP BY place HAVING place < ''z''', 'day, count(DISTINCT place) FROM visit WHERE day < ''2024-01-04'' GROUP BY day',
	'count(DISTINCT age) FROM person WHERE age > (SELECT count(DISTINCT s) FROM person)']) q;
-- a text that is too long is no value; as a part of a row it is null
SELECT got('SELECT count(DISTINCT long), count(DISTINCT (long, mood)) FROM person');

--
-- dp_ forms, with options
--
SELECT q, own('SELECT ' || q, 'SELECT ' || r) FROM (VALUES
	('dp_count_distinct(age) FROM person', 'count(DISTINCT age) FROM person'), ('dp_count_distinct(city, ''epsilon=500'') FROM person', 'count(DISTINCT city) FROM person'),
	('dp_count_distinct((age, s), ''epsilon=500'') FROM person', 'count(DISTINCT (age, s)) FROM person'), ('dp_count_distinct(age) FILTER (WHERE age < 9) FROM person', '9'),
	('dp_count_distinct(id) FROM person', '1000'), ('dp_count(DISTINCT age) FROM person', '50'), ('dp_count_distinct(drug, ''max_rows=12'') FROM visit', 'count(DISTINCT drug) FROM visit'),
	('dp_count_distinct(x, ''max_rows=256, epsilon=50000'') FROM lonely', '256'), ('dp_count_distinct(x, ''kernel=gaussian'') FROM lonely', '3'),
	('dp_count_distinct(x, ''cover=Greedy'') FROM lonely', '3'), ('dp_count_distinct(x, ''cover=exact'') FROM lonely', '3'), ('dp_count_distinct(age, '' COVER = EXACT '') FROM person', '50'), ('dp_count_distinct(x, ''cover=exact'') FROM alike', '10')) v(q, r);
PREPARE of_two(int) AS SELECT count(DISTINCT age % $1), dp_count_distinct((age % $1, s)) FROM person;
SET ROLE regress_di_analyst;
EXECUTE of_two(7);
EXECUTE of_two(3);
DEALLOCATE of_two;
RESET ROLE;

--
-- How many values of an owner count
--
-- one owner's 50,000 as three; 30 owners of the same ten values, one each, cover all: each takes one that is free
SELECT got('SELECT count(DISTINCT x), count(DISTINCT (x, person)), count(*) FROM lonely'), got('SELECT count(DISTINCT x) FROM alike'), got('SELECT count(DISTINCT x) FROM hollow'), got('SELECT place, count(DISTINCT x) FROM hollow GROUP BY place');
-- and in one group of thirty
SELECT got('SELECT sum(n), count(*) FROM (SELECT part, count(DISTINCT x) AS n FROM lonely GROUP BY part) g');
-- at least half of what can be covered, and never more: no row if so
SELECT n, n BETWEEN 100 AND 200 FROM got('SELECT dp_count_distinct(drug, ''max_rows=1'') FROM visit') g, LATERAL (SELECT regexp_replace(g, '\D', '', 'g')::int) l(n) WHERE n NOT BETWEEN 100 AND 200;
-- by a cap that is drawn: nearly always the one that is best, of 1, 2, 4, ... and the limit; of those who have one row there is none to draw
SELECT q, own('SELECT ' || q, 'SELECT ' || r) FROM (VALUES ('dp_count_distinct(x, ''cap=auto'') FROM lonely', '3'), ('dp_count_distinct(x, ''max_rows=256, cap=auto, epsilon=90000'') FROM lonely', '256'), ('dp_count_distinct(x, ''max_rows=100, CAP=Auto, cover=exact, epsilon=50000'') FROM lonely', '100'),
	('dp_count_distinct(x, ''max_rows=8, cap=auto'') FROM alike', '10'), ('dp_count_distinct(x, ''cap=auto'') FROM hollow', '0'), ('place, dp_count_distinct(x, ''cap=auto, epsilon=500'') FROM hollow GROUP BY place', '''p'', 0 UNION SELECT ''q'', 0'),
	('dp_count_distinct(drug, ''max_rows=12, cap=auto''), dp_count_distinct(drug, ''max_rows=12, cap=auto''), dp_count_distinct(drug, ''max_rows=12'') FROM visit', '400, 400, 400'), ('dp_count_distinct(age, ''cap=auto'') FROM person', '50'), ('dp_count_distinct(age, ''cap=fixed'') FROM person', '50')) v(q, r);
-- as other systems write it
SELECT q, own('SELECT ' || q, 'SELECT ' || r) FROM (VALUES ('approx_count_distinct(age) FROM person', '50'), ('approx_distinct(city) FROM person', '19'), ('approx_count_distinct((age, s)) FROM person', '550'), ('approx_count_distinct(id), APPROX_DISTINCT("person"."id") FROM "person"', '1000, 1000'),
	('APPROX_COUNT_DISTINCT(CASE WHEN (person.age > 30) THEN person.city ELSE NULL END) FROM person', '19'), ('approx_distinct(age) FILTER (WHERE age < 9) FROM person', '9'), ('place, approx_count_distinct(x) FROM hollow GROUP BY place', '''p'', 0 UNION SELECT ''q'', 0')) v(q, r);
SELECT got('SELECT sum(n), count(*) FROM (SELECT part, dp_count_distinct(x, ''cap=auto'') AS n FROM lonely GROUP BY part) g');

--
-- One owner more changes a number by 0 to as many values as count of an owner, in each group
--
SET ROLE regress_di_steward;
CREATE TABLE worlds AS SELECT o AS person, v AS x, (o + v) % 2 AS part FROM generate_series(1, 30) o, generate_series(1, 12) v WHERE hashint8(o * 1000 + v) % 4 = 0 AND v <= 2 + o % 12;
-- and two who alone have values
INSERT INTO worlds VALUES (31, 100, 0), (32, 101, 1), (32, 102, 1);
ALTER TABLE worlds ALTER person SET NOT NULL;
SET client_min_messages = error;
SELECT protect('worlds', 'person', epsilon => 1e6, delta => 0, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 2, fresh => true) > 0 AS protected, set_keys('worlds', 'part', '{0,1}'::int[]), grant_budget('worlds', 'regress_di_analyst', 1e6);
SET client_min_messages = warning;
RESET ROLE;
GRANT USAGE, CREATE ON SCHEMA various TO regress_di_analyst;
SET ROLE regress_di_analyst;
CREATE TABLE seen (without int, part int, one int, two int, all_of_them int);
CREATE TABLE seen_exactly (without int, part int, two int);
DO $$ BEGIN
	FOR i IN 0 .. 32 LOOP	-- nobody is 0
		INSERT INTO seen SELECT i, NULL, dp_count_distinct(x, 'max_rows=1'), dp_count_distinct(x), dp_count_distinct(x, 'max_rows=12') FROM worlds WHERE person <> i;
		INSERT INTO seen SELECT i, part, dp_count_distinct(x, 'max_rows=1'), dp_count_distinct(x), dp_count_distinct(x, 'max_rows=12') FROM worlds WHERE person <> i GROUP BY part;
		INSERT INTO seen_exactly SELECT i, NULL, dp_count_distinct(x, 'cover=exact') FROM worlds WHERE person <> i;
		INSERT INTO seen_exactly SELECT i, part, dp_count_distinct(x, 'cover=exact') FROM worlds WHERE person <> i GROUP BY part;
	END LOOP;
END $$;
RESET ROLE;
SELECT count(*), bool_and(w.one - l.one BETWEEN 0 AND 1) AS one, bool_and(w.two - l.two BETWEEN 0 AND 2) AS two, bool_and(w.all_of_them - l.all_of_them BETWEEN 0 AND 12) AS all_of_them,
	bool_or(w.one > l.one) AS ones, bool_or(w.two = l.two + 2) AS twos, bool_and(l.one <= l.two AND l.two <= l.all_of_them AND 2 * l.one >= least(l.two, l.all_of_them)) AS ordered
FROM seen w JOIN seen l ON w.part IS NOT DISTINCT FROM l.part WHERE w.without = 0 AND l.without > 0;
SELECT count(*), bool_and(e.two BETWEEN s.two AND 2 * s.two AND e.two <= s.all_of_them) AS no_less, bool_and(w.two - e.two BETWEEN 0 AND 2) AS two
FROM seen_exactly e JOIN seen s ON s.without = e.without AND s.part IS NOT DISTINCT FROM e.part JOIN seen_exactly w ON w.without = 0 AND w.part IS NOT DISTINCT FROM e.part;
-- no group counts less than its own owners cover, nor all groups together more than theirs
SELECT count(*), bool_and(s.all_of_them <= (SELECT count(DISTINCT x) FROM worlds x WHERE x.part = s.part AND person <> s.without)) AS no_more FROM seen s WHERE part IS NOT NULL;

--
-- The order of rows does not matter
--
CREATE VIEW questions AS SELECT * FROM unnest(ARRAY['dp_count_distinct(drug, ''max_rows=1''), dp_count_distinct(drug, ''max_rows=2''), dp_count_distinct((drug, day), ''max_rows=2'') FROM visit',
	'place, dp_count_distinct(drug, ''max_rows=1''), dp_count_distinct(drug, ''max_rows=3'') FROM visit GROUP BY place', 'place, dp_count_distinct(drug, ''max_rows=1, cover=exact'') FROM visit GROUP BY place', 'dp_count_distinct(age), count(DISTINCT (age, s)) FROM person',
	'day, dp_count_distinct(drug, ''max_rows=1'') FROM visit GROUP BY day']) WITH ORDINALITY q(question, number);
CREATE TABLE answers AS SELECT 'at first' AS state, number, got('SELECT ' || question) AS answer FROM questions;
CREATE FUNCTION again(state text) RETURNS void LANGUAGE sql AS $$ INSERT INTO answers SELECT state, number, got('SELECT ' || question) FROM questions $$;
SET privacct.owner_memory = '64kB';
SELECT again('in a small memory');
RESET privacct.owner_memory;
SET ROLE regress_di_steward;
CREATE TABLE kept AS TABLE visit ORDER BY drug, day DESC, person DESC;
DELETE FROM visit;
INSERT INTO visit TABLE kept;
RESET ROLE;
SELECT again('in another order');
SET ROLE regress_di_steward;
SELECT set_release_terms('person', workers => 2), set_release_terms('visit', workers => 2);
RESET ROLE;
SELECT again('in parallel');
SET privacct.owner_memory = '64kB';
SELECT again('in parallel, in a small memory');
RESET privacct.owner_memory;
SELECT number, count(*), count(DISTINCT answer) FROM answers GROUP BY number ORDER BY number;

--
-- What is charged
--
SET ROLE regress_di_analyst;
EXPLAIN (COSTS OFF) SELECT place, count(DISTINCT drug), dp_count_distinct(drug, 'max_rows=2'), dp_count_distinct((drug, day), 'epsilon=3'), count(*) FROM visit GROUP BY place;
SELECT count(DISTINCT drug) AS one, dp_count_distinct(drug) AS the_same, dp_count_distinct(drug, 'max_rows=12') AS more, count(DISTINCT person) FROM visit;
SELECT aggregate, value, low, high FROM intervals();
EXPLAIN (COSTS OFF) SELECT dp_count_distinct(drug, 'cover=exact'), count(DISTINCT drug) FROM visit;
SELECT dp_count_distinct(drug, 'cover=exact, max_rows=1') = 200 AS exact, count(DISTINCT drug) > 200 AS greedy FROM visit;
SELECT statistic, kernel, used, sensitivity, owner_limit, epsilon FROM preview('SELECT count(DISTINCT drug) FROM visit') WHERE used;
-- half for the cap, half for the noise; an own epsilon is halved
EXPLAIN (COSTS OFF) SELECT place, dp_count_distinct(drug, 'cap=auto'), dp_count_distinct(drug, 'cap=auto'), dp_count_distinct(day, 'cap=auto, max_rows=2, epsilon=10'), count(*) FROM visit GROUP BY place;
EXPLAIN (COSTS OFF) SELECT dp_count_distinct(age, 'cap=auto') FROM person;
SELECT statistic, kernel, used, round(scale::numeric, 6) AS scale, sensitivity, owner_limit, epsilon FROM preview('SELECT dp_count_distinct(drug, ''cap=auto'') FROM visit') WHERE used;
SELECT dp_count_distinct(drug, 'cap=auto, max_rows=12') AS n FROM visit;
SELECT aggregate, value, round(low) AS low, round(high) AS high FROM intervals();
SET privacct.epsilon = 1;
EXPLAIN (COSTS OFF) SELECT dp_count_distinct(x, 'cap=auto') FROM by_rho;
SELECT dp_count_distinct(x, 'cap=auto') BETWEEN -1000 AND 1000 AS drawn FROM by_rho;
RESET ROLE;
SELECT epsilon, round(rho, 4) AS rho, s->>'statistic' AS statistic, s->>'kernel' AS kernel, s->>'cover' AS cover, round((s->>'epsilon')::numeric, 3) AS share, round((s->>'rho')::numeric, 4) AS share_rho, s ? 'noise' AS noise
FROM (SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(detail->'statistics') s;
SET privacct.epsilon = 2000;
SET ROLE regress_di_analyst;
RESET ROLE;
SET privacct.epsilon = 1;
SET ROLE regress_di_analyst;
SELECT count(DISTINCT x) BETWEEN 30 AND 110 AS hall FROM hall;
RESET ROLE;
SET privacct.epsilon = 2000;

--
-- What is refused, and what its hint leads to
--
CREATE FUNCTION refused(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
	IF query IS NULL THEN
		RETURN '';
	END IF;
	PERFORM set_config('role', 'regress_di_analyst', true);
	BEGIN
		EXECUTE query;
		message := 'ANSWERED';
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN concat_ws(' | ', state, message, detail, hint);
END
$$;
\pset format unaligned
SELECT q, refused('SELECT ' || q) AS refusal, coalesce(refused('SELECT ' || nullif(h, '')), '') AS hinted FROM (VALUES
	('sum(DISTINCT age) FROM person', 'count(DISTINCT age) FROM person'),
	('min(DISTINCT age) FROM person', ''),
	('avg(DISTINCT age) FROM person', ''),
	('dp_sum(DISTINCT age, 0, 10) FROM person', ''),
	('dp_count_distinct(DISTINCT age, ''max_rows=2'') FROM person', ''),
	('count(DISTINCT person) FROM person', 'count(DISTINCT (id, age)) FROM person'),
	('count(DISTINCT person.*) FROM person', ''),
	('count(DISTINCT (age, (s, b))) FROM person', 'count(DISTINCT (age, s, b)) FROM person'),
	('count(DISTINCT ARRAY[age, s]) FROM person', ''),
	('count((age, s)) FROM person', ''),
	('count(DISTINCT ln(age)) FROM person', ''),
	('count(DISTINCT age ORDER BY age) FROM person', ''),
	('count(DISTINCT age) OVER () FROM person', ''),
	('count(DISTINCT random()) FROM person', ''),
	('dp_count_distinct(age, city) FROM person', ''),
	('approx_count_distinct(place) FROM step', ''),
	('dp_count_distinct(age, ''max_rows=0'') FROM person', ''),
	('dp_count_distinct(drug, ''max_rows=300'') FROM visit', 'dp_count_distinct(drug, ''max_rows=10'') FROM visit'),
	('dp_count_distinct(drug, ''per_owner=0:3'') FROM visit', ''),
	('dp_count_distinct(drug, ''kernel=exponential'') FROM visit', ''),
	('dp_count_distinct(drug, ''cap=3'') FROM visit', ''),
	('dp_count_distinct(drug, ''cover=best'') FROM visit', 'dp_count_distinct(drug, ''cover=exact'') FROM visit'),
	('dp_count_distinct(drug, ''cover=exact, cover=exact'') FROM visit', ''),
	('dp_count(drug, ''cover=exact'') FROM visit', 'dp_count_distinct(drug, ''cover=exact'') FROM visit'),
	('dp_sum(drug, 0, 9, ''cap=auto'') FROM visit', ''),
	('dp_count_distinct(drug, ''cap=auto, within=3'') FROM visit', 'dp_count_distinct(drug, ''cap=auto'') FROM visit'),
	('dp_count_distinct(drug, ''cap=auto, max_rows=300'') FROM visit', ''),
	('dp_count_distinct(drug, ''cap=auto, epsilon=0.000001'') FROM visit', ''),
	('dp_count_distinct(x, ''cap=auto'') FROM by_plan', 'dp_count_distinct(x, ''max_rows=2'') FROM by_plan'),
	('dp_count_distinct(x, ''cap=auto'') FROM by_laplace', 'dp_count_distinct(x, ''max_rows=2'') FROM by_laplace'),
	('dp_median(drug, 0, 99, ''cover=greedy'') FROM visit', ''),
	('dp_count_distinct(x, ''cover=exact'') FROM timed', 'dp_count_distinct(x, ''cover=greedy'') FROM timed'),
	('dp_count_distinct(x, ''cap=auto'') FROM timed', 'dp_count_distinct(x, ''max_rows=2'') FROM timed'),
	('dp_count_distinct(drug, ''cover=exact''), dp_count_distinct(day, ''cover=exact'') FROM visit', ''),
	('count(DISTINCT x) FROM crowd', 'dp_count_distinct(x, ''max_rows=10'') FROM crowd'),
	('count(DISTINCT x) FROM asked', ''),
	('dp_count_distinct(x) FROM asked', ''),
	('count(DISTINCT place) FROM step', 'place, count(*) FROM step GROUP BY place'),
	('dp_count_distinct(place) FROM step', ''),
	('count(DISTINCT a), count(DISTINCT b), count(DISTINCT c), count(DISTINCT d), count(DISTINCT e), count(DISTINCT f), count(DISTINCT g) FROM (SELECT id, age AS a, s AS b, b AS c, age + 1 AS d, age + 2 AS e, age + 3 AS f, age + 4 AS g FROM person) x', '')
) v(q, h);
\pset format aligned
SET ROLE regress_di_analyst;
SET privacct.sample_rate = 0.5;
SELECT count(DISTINCT age) FROM person;
RESET privacct.sample_rate;
-- what is known only when it is executed takes as long as it may
PREPARE covered(text, text) AS SELECT dp_count_distinct(drug, $1), dp_count_distinct(day, $2) FROM visit;
EXECUTE covered('max_rows=1', 'max_rows=1');
DEALLOCATE covered;
PREPARE covered(text) AS SELECT dp_count_distinct(x, $1) FROM alike;
EXECUTE covered('cover=exact');
EXECUTE covered('cover=greedy');
DEALLOCATE covered;
-- options that are long do not vanish
PREPARE optioned(text) AS SELECT dp_count_distinct((drug, day, place), $1) FROM visit;
EXECUTE optioned(repeat(' ', 1100) || 'cap=3');
DEALLOCATE optioned;
RESET ROLE;

-- half of such a release is known to be worth less under zcdp than its epsilon: no figure is above what is spent
SET ROLE regress_di_steward;
CREATE TABLE few (person int NOT NULL, x int);
INSERT INTO few TABLE by_rho;
SET client_min_messages = error;
SELECT protect('few', 'person', epsilon => 10, delta => 1e-6, accountant => 'zcdp', max_groups_contributed => 1, max_rows_contributed => 5, fresh => true) > 0 AS protected;
SELECT grant_budget('few', 'regress_di_analyst', 10, 1e-6);
SET ROLE regress_di_analyst;
SET privacct.epsilon = 0.1;
SELECT dp_count_distinct(x, 'cap=auto') IS NOT NULL AS drawn FROM few;
SELECT dp_count_distinct(x, 'cap=auto') IS NOT NULL AS drawn FROM few;
SELECT dp_count_distinct(x, 'cap=auto') IS NOT NULL AS drawn FROM few;
RESET ROLE;
SELECT releases, epsilon_tight <= epsilon_spent AS tight FROM privacct.odometer WHERE relation_name ~ 'few';

RESET search_path;
DROP SCHEMA various CASCADE;
DROP OWNED BY regress_di_analyst, regress_di_steward;
DROP ROLE regress_di_analyst, regress_di_steward;
