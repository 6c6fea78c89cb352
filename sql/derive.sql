-- Answers that follow from releases that were paid for and kept.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_dv_owner;
GRANT privacct_admin TO regress_dv_owner;
CREATE ROLE regress_dv_analyst;
CREATE ROLE regress_dv_other;
CREATE SCHEMA regress_derive AUTHORIZATION regress_dv_owner;
GRANT ALL ON SCHEMA regress_derive TO PUBLIC;
SET search_path = regress_derive, privacct;

SET ROLE regress_dv_owner;
CREATE TABLE visit (person int NOT NULL, ward text, sex text, cost float8, day date, size numeric);
INSERT INTO visit SELECT i / 3, chr(65 + i % 4), CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END, i % 100, date '2024-01-01' + i % 90, i % 3 FROM generate_series(1, 6000) i;
CREATE TABLE ward (ward text PRIMARY KEY, building text);
INSERT INTO ward VALUES ('A', 'north'), ('B', 'south'), ('C', 'south');
GRANT SELECT ON ward TO PUBLIC;
SELECT declare_public('ward');
SELECT protect('visit', 'person', epsilon => 1000, delta => 1e-5, max_groups_contributed => 3, fresh => true) > 0 AS protected;
SELECT set_bounds('visit', 'cost', 0, 100), set_keys('visit', 'ward', ARRAY['A', 'B', 'C']), set_keys('visit', 'sex', ARRAY['f', 'm']), set_keys('visit', 'size', ARRAY[0, 1, 2]);
SELECT grant_budget('visit', 'regress_dv_analyst', 500, 5e-6), grant_budget('visit', 'regress_dv_other', 400, 5e-6);
RESET ROLE;
SET ROLE regress_dv_analyst;
SET privacct.epsilon = 1;

--
-- Nothing is kept
--
CREATE FUNCTION refused(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	PERFORM privacct.derive(query);
	RETURN 'derived';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN SQLSTATE || ': ' || SQLERRM || ': ' || detail || ' ' || hint;
END
$$;
SELECT refused('SELECT count(*) FROM visit');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT set_repeats('visit', '1 day');
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT refused('SELECT count(*) FROM visit');

--
-- Sums of the groups of one release
--
CREATE TEMP TABLE released AS SELECT ward, sex, count(*) AS n, sum(cost) AS s FROM visit GROUP BY ward, sex;
SELECT count(*) AS groups FROM released;
CREATE FUNCTION value_of(query text, wanted text DEFAULT 'count(*)') RETURNS float8 LANGUAGE sql AS $$
	SELECT round(value::numeric, 6)::float8 FROM privacct.derive(query) d WHERE d.aggregate = wanted
$$;
SELECT q, value_of(q) = (SELECT sum(n) FROM released WHERE w IS NULL OR ward = ANY (w)) AS adds_up FROM (VALUES
	('SELECT count(*) FROM visit', NULL::text[]),
	('SELECT count(*) FROM visit WHERE ward IN (''A'', ''C'')', '{A,C}'),
	('SELECT count(*) FROM visit WHERE ward = ''B''', '{B}'),
	('SELECT count(*) FROM visit WHERE ''B'' = ward', '{B}'),
	('SELECT count(*) FROM visit WHERE ward <> ''B''', '{A,C}'),
	('SELECT count(*) FROM visit WHERE NOT ward IN (''A'', ''C'')', '{B}'),
	('SELECT count(*) FROM visit WHERE ward NOT IN (''A'', ''Z'')', '{B,C}'),
	('SELECT count(*) FROM visit WHERE ward >= ''B''', '{B,C}'),
	('SELECT count(*) FROM visit WHERE ward BETWEEN ''A'' AND ''BB''', '{A,B}'),
	('SELECT count(*) FROM visit WHERE ward LIKE ''A%'' OR ward = ''C''', '{A,C}'),
	('SELECT count(*) FROM visit WHERE lower(ward) = ''c''', '{C}'),
	('SELECT count(*) FROM visit WHERE ward IS NOT NULL', '{A,B,C}'),
	('SELECT count(*) FROM visit WHERE ward = ANY (ARRAY[''A'', NULL])', '{A}')) v(q, w);
SELECT keys, value = (SELECT sum(n) FROM released r WHERE r.ward = d.keys[1]) AS adds_up, low < value AND value < high AS ordered, confidence,
	charges = ARRAY[(SELECT max(charge_id) FROM my_ledger)] AS of_charge, scope
FROM derive('SELECT ward, count(*) FROM visit GROUP BY ward') d;
SELECT keys, value = (SELECT sum(n) FROM released r WHERE r.sex = d.keys[1] AND ward IN ('A', 'B')) AS adds_up, scope
FROM derive('SELECT sex, count(*) FROM visit WHERE ward IN (''A'', ''B'') GROUP BY sex') d;
-- functions of keys
SELECT keys, value = (SELECT sum(n) FROM released r WHERE (ward < 'B')::text = left(d.keys[1], 1) OR (ward < 'B') = d.keys[1]::boolean) AS adds_up
FROM derive('SELECT ward < ''B'', count(*) FROM visit GROUP BY 1') d ORDER BY keys;
SELECT keys, value = (SELECT sum(n) FROM released r WHERE ward || sex = d.keys[1]) AS adds_up
FROM derive('SELECT ward || sex, count(*) FROM visit GROUP BY 1') d ORDER BY keys;
-- groups themselves, sums, averages, and levels
SELECT keys, aggregate, value = CASE aggregate WHEN 'count(*)' THEN n ELSE s END AS same
FROM derive('SELECT ward, sex, count(*), sum(cost) FROM visit GROUP BY ward, sex') d JOIN released r ON ward = keys[1] AND sex = keys[2] ORDER BY 1, 2;
SELECT round(value::numeric, 6) = (SELECT round(sum(s)::numeric, 6) FROM released) AS adds_up FROM derive('SELECT sum(cost) FROM visit');
SELECT keys, value = (SELECT sum(n) FROM released r WHERE (ward = d.keys[1] OR d.keys[1] IS NULL) AND (sex = d.keys[2] OR d.keys[2] IS NULL)) AS adds_up
FROM derive('SELECT ward, sex, count(*) FROM visit GROUP BY ROLLUP (ward, sex)') d ORDER BY keys;
-- releases in several levels, with noise for totals or without
CREATE TEMP TABLE rolled AS SELECT ward, sex, count(*) AS n FROM visit WHERE cost < 60 GROUP BY ROLLUP (ward, sex);
SELECT keys, abs(value - n) <= 1 AS same FROM derive('SELECT ward, count(*) FROM visit WHERE cost < 60 GROUP BY ward') d JOIN rolled r ON r.ward = keys[1] AND r.sex IS NULL ORDER BY keys;
SELECT abs(value - n) <= 1 AS same FROM derive('SELECT count(*) FROM visit WHERE cost < 60') d, rolled r WHERE r.ward IS NULL;
SELECT abs(value - n) <= 1 AS same FROM derive('SELECT count(*) FROM visit WHERE 60 > cost AND sex = ''f'' AND ward < ''B''') d, rolled r WHERE r.ward = 'A' AND r.sex = 'f';
CREATE TEMP TABLE cube AS SELECT ward, sex, count(*) AS n FROM visit WHERE cost < 70 GROUP BY CUBE (ward, sex);
SELECT keys, abs(value - n) <= 6 AS near FROM derive('SELECT sex, count(*) FROM visit WHERE cost < 70 GROUP BY sex') d JOIN cube r ON r.sex = keys[1] AND r.ward IS NULL ORDER BY keys;
SELECT keys, abs(value - n) <= 6 AS near FROM derive('SELECT ward, sex, count(*) FROM visit WHERE cost < 70 GROUP BY ward, sex') d JOIN cube r ON r.ward = keys[1] AND r.sex = keys[2] ORDER BY keys;
SELECT count(a) AS groups FROM (SELECT ward, avg(cost) AS a FROM visit GROUP BY ward) t;
SELECT aggregate, value BETWEEN 0 AND 100 AS within, low <= value AND value <= high AS ordered, scope FROM derive('SELECT avg(cost), count(cost) FROM visit');
-- what is around the block is left out
SELECT value = (SELECT sum(n) FROM released) AS adds_up FROM derive('SELECT 2 * c FROM (SELECT count(*) AS c FROM visit) t WHERE c > 0');
-- it costs nothing
SELECT count(*) = 4 AS charges FROM my_ledger WHERE relation_name ~ 'regress_derive.visit';
SELECT regexp_replace(statistic, '\d+', 'N', 'g') AS statistic, used, epsilon, error_95 > 0 AS error FROM preview('SELECT ward, count(*) FROM visit GROUP BY ward') WHERE statistic ~ 'derived|release';
SELECT statistic FROM preview('SELECT count(*) FROM visit WHERE cost > 17') WHERE statistic ~ 'derived';

--
-- What does not follow
--
SELECT q, refused(q) FROM unnest(ARRAY[
	'SELECT count(*) FROM visit WHERE cost > 17',
	'SELECT count(*) FROM visit WHERE ward = ''D''',
	'SELECT day, count(*) FROM visit GROUP BY day',
	'SELECT stddev(cost) FROM visit',
	'SELECT dp_sum(cost, 0, 50) FROM visit',
	'SELECT count(DISTINCT person) FROM visit',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit',
	'SELECT dp_count_distinct(cost) FROM visit',
	'SELECT count(*) FROM visit WHERE cost > (SELECT avg(cost) FROM visit)',
	'SELECT count(*) FROM visit UNION ALL SELECT count(*) FROM visit',
	'SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building',
	'SELECT 1',
	'SELECT relation FROM privacct.repeats',
	'DELETE FROM visit',
	'SELECT FROM',
	NULL]) q;
SET privacct.sample_rate = 0.5;
SELECT refused('SELECT count(*) FROM visit');
RESET privacct.sample_rate;
-- limits are part of what a sum is
SET privacct.max_rows = 1;
SELECT refused('SELECT count(*) FROM visit');
RESET privacct.max_rows;
-- groups that are selected say nothing of the rest
SET privacct.epsilon = 5;
SELECT count(n) > 0 AS shown FROM (SELECT day, count(*) AS n FROM visit GROUP BY day) t;
SELECT refused('SELECT count(*) FROM visit WHERE day > ''2024-02-01''');
SELECT count(n) > 0 AS shown FROM (SELECT v.day, count(*) AS n FROM visit v JOIN visit w USING (person) GROUP BY v.day) t;
SELECT refused('SELECT count(*) FROM visit v JOIN visit w USING (person)');
SET privacct.epsilon = 1;
-- equal values that differ
SELECT count(n) AS groups FROM (SELECT size, count(*) AS n FROM visit GROUP BY size) t;
SELECT refused('SELECT count(*) FROM visit WHERE size > 0'), refused('SELECT count(*) FROM visit WHERE size::text = ''1''');

--
-- Whose it is
--
RESET ROLE;
SET ROLE regress_dv_other;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
SELECT statistic FROM preview('SELECT ward, count(*) FROM visit GROUP BY ward') WHERE statistic ~ 'derived';
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT set_repeats('visit', '1 day', shared => true);
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT count(n) AS groups FROM (SELECT ward, sex, count(*) AS n FROM visit GROUP BY ward, sex) t;
RESET ROLE;
SET ROLE regress_dv_other;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT revoke_budget('visit', 'regress_dv_other');
RESET ROLE;
SET ROLE regress_dv_other;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
-- other declarations
SELECT set_keys('visit', 'ward', ARRAY['A', 'B', 'C', 'D']);
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT set_keys('visit', 'ward', ARRAY['A', 'B']);
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT array_agg(keys) FROM derive('SELECT ward, count(*) FROM visit GROUP BY ward');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT set_repeats('visit', NULL);
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT refused('SELECT ward, count(*) FROM visit GROUP BY ward');
RESET ROLE;

--
-- Several releases: of one edition, where an owner has one row
--
SET ROLE regress_dv_owner;
CREATE TABLE person (id int PRIMARY KEY, ward text NOT NULL CHECK (ward IN ('A', 'B', 'C')), sex text NOT NULL CHECK (sex = 'f' OR sex = 'm'), age int NOT NULL, note text NOT NULL);
INSERT INTO person SELECT i, chr(65 + i % 3), CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END, i % 90, 'n' || i % 5 FROM generate_series(1, 3000) i;
SELECT protect('person', 'id', epsilon => 1000, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_keys('person', 'ward', ARRAY['A', 'B', 'C']), set_keys('person', 'sex', ARRAY['f', 'm']);
SELECT grant_budget('person', 'regress_dv_analyst', 500, 5e-6);
SELECT set_repeats('person', '1 day', unchanged => true);
RESET ROLE;
SET ROLE regress_dv_analyst;
-- no edition: each by itself
SELECT count(*) AS n FROM person WHERE age < 30 \gset below_
SELECT count(*) AS n FROM person \gset all_
SELECT refused('SELECT count(*) FROM person WHERE age >= 30');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT begin_edition('person') > 0 AS begun;
RESET ROLE;
SET ROLE regress_dv_analyst;
-- what was released before it began is not of it
SELECT refused('SELECT count(*) FROM person WHERE age >= 30');
SET privacct.max_groups = 2;
SELECT count(*) AS n FROM person WHERE age < 30 \gset below_
SELECT count(*) AS n FROM person \gset all_
RESET privacct.max_groups;
SELECT value = :all_n - :below_n AS difference, array_length(charges, 1) AS releases, scope FROM derive('SELECT count(*) FROM person WHERE age >= 30');
SELECT value = :all_n - :below_n AS difference FROM derive('SELECT count(*) FROM person WHERE NOT age < 30');
SELECT refused('SELECT count(*) FROM person WHERE age >= 31');
SELECT refused('SELECT count(*) FROM person WHERE note >= ''n1''');
-- a note that is too long to be compared is in neither part; what others say is not touched by it
SELECT count(*) AS n FROM person WHERE note >= 'n1' \gset some_
SELECT refused('SELECT count(*) FROM person WHERE note < ''n1''');
SELECT value = :all_n - :below_n AS difference FROM derive('SELECT count(*) FROM person WHERE age >= 30');
-- two of the same: by their variances
SET privacct.epsilon = 2;
SELECT count(*) AS n FROM person \gset finer_
SET privacct.epsilon = 1;
SELECT abs(d.value - (v2 * :all_n + v1 * :finer_n) / (v1 + v2)) < 1e-6 AS weighted, array_length(charges, 1) AS releases, d.high - d.low < 2 * 3 AS narrower
FROM derive('SELECT count(*) FROM person') d, (SELECT 2 * exp(-1::float8) / (1 - exp(-1::float8)) ^ 2 AS v1, 2 * exp(-2::float8) / (1 - exp(-2::float8)) ^ 2 AS v2) v;
-- asked again for nothing is one noise
SET privacct.max_groups = 2;
SELECT count(*) AS n FROM person \gset again_
RESET privacct.max_groups;
SELECT :again_n = :all_n AS repeated;
SELECT array_length(charges, 1) AS releases FROM derive('SELECT count(*) FROM person');
-- parameters are values
PREPARE by_ward(text, int) AS SELECT count(*) AS n FROM person WHERE ward = $1 AND age < $2 + 1;
SET plan_cache_mode = force_generic_plan;
EXECUTE by_ward('A', 59) \gset a_
SET plan_cache_mode = force_custom_plan;
EXECUTE by_ward('B', 59) \gset b_
RESET plan_cache_mode;
SELECT value = :a_n + :b_n AS adds_up FROM derive('SELECT count(*) FROM person WHERE ward IN (''A'', ''B'') AND age < 60');
SELECT value = :b_n AS same FROM derive('SELECT count(*) FROM person WHERE age < 60 AND ''B'' = ward');
-- what the table itself rules out
SELECT count(n) AS groups FROM (SELECT ward, count(*) AS n FROM person GROUP BY ward) t;
SELECT scope IS NULL AS whole, array_length(charges, 1) AS releases FROM derive('SELECT count(*) FROM person');
RESET ROLE;
SET ROLE regress_dv_owner;
SELECT end_edition('person');
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT refused('SELECT count(*) FROM person WHERE age >= 30');
RESET ROLE;

-- totals of several groupings are of the rows that have groups: not of those with a null, or another value
SET ROLE regress_dv_owner;
CREATE TABLE member (id int PRIMARY KEY, paid bool, grade int, day date NOT NULL CHECK (day BETWEEN '2024-01-01' AND '2024-01-03'));
INSERT INTO member SELECT i, CASE WHEN i % 5 > 0 THEN i % 2 = 0 END, i % 4, date '2024-01-01' + i % 3 FROM generate_series(1, 3000) i;
SELECT protect('member', 'id', epsilon => 100000, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_keys('member', 'paid', ARRAY[false, true]), set_keys('member', 'grade', ARRAY[0, 1, 2]), set_keys('member', 'day', ARRAY[date '2024-01-01', '2024-01-02', '2024-01-03']);
SELECT grant_budget('member', 'regress_dv_analyst', 50000, 5e-6), set_repeats('member', NULL, unchanged => true), begin_edition('member') > 0 AS begun;
RESET ROLE;
SET ROLE regress_dv_analyst;
SET privacct.epsilon = 1000;
SELECT count(n) AS groups FROM (SELECT paid, day, count(*) AS n FROM member GROUP BY ROLLUP (paid, day)) t;
SELECT count(n) AS groups FROM (SELECT grade, day, count(*) AS n FROM member GROUP BY CUBE (grade, day)) t;
SELECT round(value) AS value, scope FROM derive('SELECT count(*) FROM member');
SELECT refused('SELECT count(*) FROM member WHERE paid IS NULL');
SELECT q, value_of(q) AS value FROM (VALUES ('SELECT count(*) FROM member WHERE paid'), ('SELECT count(*) FROM member WHERE paid IS NOT NULL'), ('SELECT count(*) FROM member WHERE grade IN (0, 1, 2)'),
	('SELECT count(*) FROM member WHERE grade < 2 AND day > date ''2024-01-01'' AND grade >= 0 AND grade <> -1')) v(q);
SELECT count(*) AS n FROM member;
SELECT round(value) AS value, scope FROM derive('SELECT count(*) FROM member WHERE paid IS NULL');
SELECT round(value) AS value, scope FROM derive('SELECT count(*) FROM member WHERE grade NOT IN (0, 1, 2) OR grade IS NULL');
SET privacct.epsilon = 1;
RESET ROLE;

-- checks of which nobody knows what they say of a row: errors, the session, code of others
SET ROLE regress_dv_owner;
CREATE FUNCTION tell(x int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE EXCEPTION 'called by %', current_user; END $$;
CREATE FUNCTION mine(x int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE DOMAIN told AS int;
CREATE TABLE checked (id int PRIMARY KEY, x int NOT NULL CHECK (x BETWEEN 1 AND 3), y varchar(4) NOT NULL CHECK (y IN ('a', 'b')), at timestamptz NOT NULL,
	CHECK (100 / x > 1), CHECK (100 / x < 1 OR x > -1), CHECK (x = 2 OR current_setting('TimeZone') <> 'Asia/Tokyo'), CHECK (at::date <> '2024-01-02'), CHECK (mine(x)), CHECK (x::told > 0));
INSERT INTO checked SELECT i, 1 + i % 3, chr(97 + i % 2), '2024-01-01 20:00+00' FROM generate_series(1, 900) i;
CREATE OR REPLACE FUNCTION mine(x int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT regress_derive.tell(x)';
ALTER DOMAIN told ADD CHECK (tell(VALUE)) NOT VALID;
SELECT protect('checked', 'id', epsilon => 1000, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_keys('checked', 'x', ARRAY[1, 2, 3]), set_keys('checked', 'y', ARRAY['a', 'b']), grant_budget('checked', 'regress_dv_analyst', 1000, 5e-6), set_repeats('checked', NULL, unchanged => true), begin_edition('checked') > 0 AS begun;
RESET ROLE;
SET ROLE regress_dv_analyst;
SET TimeZone = 'Asia/Tokyo';
SET privacct.epsilon = 100;
SELECT count(n) AS groups FROM (SELECT x, count(*) AS n FROM checked GROUP BY x) t;
SELECT count(n) AS groups FROM (SELECT y, count(*) AS n FROM checked WHERE x = 2 GROUP BY y) t;
SELECT q, value_of(q) AS value FROM (VALUES ('SELECT count(*) FROM checked WHERE x <> 0'), ('SELECT count(*) FROM checked WHERE x < 3'), ('SELECT count(*) FROM checked WHERE x = 2 AND y <> ''c'' ')) v(q);
SELECT count(*) > 0 AS previewed FROM preview('SELECT count(*) FROM checked WHERE x <> 0');
RESET TimeZone;
SET privacct.epsilon = 1;
RESET ROLE;

-- who may not read a public table is not told what others asked of it
SET ROLE regress_dv_owner;
CREATE TABLE grade (grade int PRIMARY KEY, secret int NOT NULL);
INSERT INTO grade SELECT i, i % 2 FROM generate_series(0, 3) i;
SELECT declare_public('grade');
SELECT end_edition('member'), set_repeats('member', '1 day', shared => true), grant_budget('member', 'regress_dv_other', 1000, 1e-6);
GRANT SELECT ON grade TO regress_dv_other;
RESET ROLE;
SET ROLE regress_dv_other;
SET privacct.epsilon = 100;
SELECT count(n) AS groups FROM (SELECT m.grade, count(*) AS n FROM member m JOIN grade USING (grade) WHERE secret = 1 GROUP BY m.grade) t;
SELECT array_agg(value ORDER BY keys) FROM derive('SELECT m.grade, count(*) FROM member m JOIN grade USING (grade) WHERE secret = 1 GROUP BY m.grade');
RESET ROLE;
SET ROLE regress_dv_analyst;
SET privacct.epsilon = 100;
SELECT count(*) FROM derive('SELECT m.grade, count(*) FROM member m JOIN grade USING (grade) WHERE secret = 1 GROUP BY m.grade');
SELECT count(*) FROM preview('SELECT m.grade, count(*) FROM member m JOIN grade USING (grade) WHERE secret = 1 GROUP BY m.grade');
SET privacct.epsilon = 1;
RESET ROLE;

-- releases whose types are gone are passed over
SET ROLE regress_dv_owner;
CREATE TYPE mood AS ENUM ('sad', 'well');
CREATE COLLATION plain (provider = libc, locale = 'C');
CREATE TABLE felt (person int PRIMARY KEY, mood mood NOT NULL, name varchar(3) COLLATE plain NOT NULL, ward int NOT NULL);
INSERT INTO felt SELECT i, (ARRAY['sad', 'well'])[1 + i % 2]::mood, 'n' || i % 2, i % 4 FROM generate_series(1, 1000) i;
SELECT protect('felt', 'person', epsilon => 10000, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_keys('felt', 'ward', ARRAY[0, 1, 2, 3]), grant_budget('felt', 'regress_dv_analyst', 10000, 5e-6), set_repeats('felt', '1 day');
RESET ROLE;
SET ROLE regress_dv_analyst;
SET privacct.epsilon = 100;
SELECT count(n) AS groups FROM (SELECT ward, count(*) AS n FROM felt WHERE mood = 'well' GROUP BY ward) t;
SELECT count(n) AS groups FROM (SELECT ward, count(*) AS n FROM felt WHERE name > 'n' GROUP BY ward) t;
SELECT count(n) AS groups FROM (SELECT ward, count(*) AS n FROM felt GROUP BY ward) t;
RESET ROLE;
SET ROLE regress_dv_owner;
ALTER TABLE felt ALTER mood TYPE text, ALTER name TYPE varchar(3) COLLATE "C";
DROP TYPE mood;
DROP COLLATION plain;
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT value_of('SELECT count(*) FROM felt') AS value;
SELECT refused('SELECT count(*) FROM felt WHERE mood = ''well''');
SELECT count(*) > 0 AS previewed FROM preview('SELECT count(*) FROM felt');
SET privacct.epsilon = 1;
RESET ROLE;

-- keys that are too long are in the group of null, with others
SET ROLE regress_dv_owner;
CREATE TABLE named (person int PRIMARY KEY, name text NOT NULL);
INSERT INTO named SELECT i, CASE i % 2 WHEN 0 THEN 'a' ELSE repeat('x', 257) END FROM generate_series(1, 100) i;
SET client_min_messages = error;
SELECT protect('named', 'person', epsilon => 1000, fresh => true) > 0 AS protected, set_keys('named', 'name', ARRAY['a', repeat('x', 257)]), set_repeats('named', '1 day'), grant_budget('named', 'regress_dv_analyst', 100);
SET client_min_messages = warning;
RESET ROLE;
SET ROLE regress_dv_analyst;
SELECT count(n) AS groups FROM (SELECT name, count(*) AS n FROM named GROUP BY name) t;
SELECT refused('SELECT count(*) FROM named WHERE name IS NULL');
SELECT refused('SELECT name, count(*) FROM named GROUP BY name');
RESET ROLE;

-- who has nothing to do with it
SELECT has_function_privilege('regress_dv_other', 'privacct.derive(text)', 'EXECUTE') AS everybody;
SET client_min_messages = error;
SELECT problem FROM check_books() WHERE policy_id IN (SELECT p.policy_id FROM policy p WHERE p.relation_name ~ 'regress_derive');
DROP SCHEMA regress_derive CASCADE;
DROP OWNED BY regress_dv_owner, regress_dv_analyst, regress_dv_other;
DROP ROLE regress_dv_owner, regress_dv_analyst, regress_dv_other;
