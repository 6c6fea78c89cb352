-- Releases that are repeated at no cost: to whom, for how long, and for which questions.
SET client_min_messages = warning;
\set SHOW_CONTEXT never
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_rp_owner;
GRANT privacct_admin TO regress_rp_owner;
CREATE ROLE regress_rp_analyst;
CREATE ROLE regress_rp_other;
CREATE ROLE regress_rp_nobody;
CREATE SCHEMA regress_repeats AUTHORIZATION regress_rp_owner;
GRANT ALL ON SCHEMA regress_repeats TO PUBLIC;
SET search_path = regress_repeats, privacct;

-- whether a query is charged; if not, whether its answer was given before: noise is large
CREATE TABLE answered (q text, a text);
CREATE FUNCTION asked(who name, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before bigint := (SELECT count(*) FROM privacct.ledger_line);
	answer text;
	known boolean;
BEGIN
	PERFORM set_config('role', who, true);
	BEGIN
		EXECUTE format('SELECT string_agg(r::text, '' '' ORDER BY r::text COLLATE "C") FROM (%s) r', query) INTO answer;
	EXCEPTION WHEN OTHERS THEN
		PERFORM set_config('role', 'none', true);
		RETURN SQLSTATE || ': ' || SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	known := EXISTS (SELECT FROM answered o WHERE o.a IS NOT DISTINCT FROM answer);
	INSERT INTO answered VALUES (query, answer);
	RETURN CASE (SELECT count(*) FROM privacct.ledger_line) - before WHEN 0 THEN CASE WHEN known THEN 'repeated' ELSE 'free' END
		WHEN 1 THEN 'charged' ELSE 'charged often' END;
END
$$;
CREATE FUNCTION analyst(query text) RETURNS text LANGUAGE sql AS $$ SELECT asked('regress_rp_analyst', query) $$;

SET ROLE regress_rp_owner;
CREATE TABLE visit (person int NOT NULL, ward int, cost float8, at timestamptz NOT NULL, note text);
INSERT INTO visit SELECT i / 5, i % 3, i % 100, timestamptz '2024-01-01 12:00+00' + i * interval '1 minute', 'n' || i % 4 FROM generate_series(1, 5000) i;
CREATE TABLE ward (ward int PRIMARY KEY, building text);
INSERT INTO ward VALUES (0, 'north'), (1, 'south'), (2, 'south');
GRANT SELECT ON ward TO PUBLIC;
SELECT declare_public('ward');
SELECT protect('visit', 'person', epsilon => 100, delta => 1e-5, fresh => true) > 0 AS protected;
SELECT set_bounds('visit', 'cost', 0, 100), set_keys('visit', 'ward', ARRAY[0, 1, 2]);
SELECT grant_budget('visit', 'regress_rp_analyst', 50, 5e-6), grant_budget('visit', 'regress_rp_other', 50, 1e-6);
RESET ROLE;
SET privacct.epsilon = 0.1;

--
-- Off, unless the owner of the table says otherwise
--
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit');
SELECT count(*) AS kept FROM stored_release;
SET ROLE regress_rp_nobody;
SELECT set_repeats('visit', '1 day');
SET ROLE regress_rp_analyst;
SELECT set_repeats('visit', '1 day');
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '0');
SELECT set_repeats('visit', '-1 day');
SELECT set_repeats('visit', '1 month');
SELECT set_repeats('visit', '20 years');
SELECT set_repeats('visit', '1 day', NULL);
SELECT set_repeats(NULL, '1 day');
SELECT set_repeats('ward', '1 day');
SELECT set_repeats('visit', '1 day');
SELECT * FROM repeats;
RESET ROLE;

--
-- The same question, whatever it is called
--
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit');
SELECT analyst('SELECT ward, count(*) AS n, avg(cost) FROM visit GROUP BY ward'), analyst('SELECT ward, count(*) AS n, avg(cost) FROM visit GROUP BY ward');
SELECT analyst('SELECT v.ward, count(*), avg(v.cost) FROM visit AS v GROUP BY 1');
SELECT analyst('/* refreshed */  SELECT   count(*) FROM regress_repeats.visit');
-- what is around the block does not count
SELECT analyst('SELECT ward, count(*) FROM visit WHERE cost > 20 GROUP BY ward'),
	analyst('SELECT 2 * n FROM (SELECT ward, count(*) AS n FROM visit WHERE cost > 20 GROUP BY ward) t ORDER BY 1 LIMIT 1') AS around;
-- nor how it is sorted
SELECT sorted, analyst('SELECT ward, count(*) FROM visit WHERE cost > 30 GROUP BY ward' || sorted) FROM unnest(ARRAY['', ' ORDER BY 1', ' ORDER BY ward DESC', ' ORDER BY 2, 1', ' ORDER BY ward DESC NULLS LAST', ' ORDER BY count(*) DESC LIMIT 2']) sorted;
SELECT analyst('SELECT count(*), ward FROM visit WHERE cost > 30 GROUP BY ward') AS other_columns;
SELECT analyst('SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building'), analyst('SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building');
SELECT analyst('SELECT note, count(*) FROM visit GROUP BY note'), analyst('SELECT note, count(*) FROM visit GROUP BY note');
SELECT analyst('SELECT count(*) FROM visit WHERE ward IN (SELECT w.ward FROM ward w WHERE building = ''south'')'),
	analyst('SELECT count(*) FROM visit WHERE ward IN (SELECT w.ward FROM ward w WHERE building = ''south'')');
SELECT analyst('SELECT count(DISTINCT person), sum(cost), stddev(cost) FROM visit'), analyst('SELECT count(DISTINCT person), sum(cost), stddev(cost) FROM visit');
-- what is the same for all rows may be a key as well
SELECT q, analyst(q), analyst(q) AS again FROM unnest(ARRAY['SELECT now() > ''-infinity'', count(*) FROM visit GROUP BY now()', 'SELECT ward, current_date > ''-infinity'', count(*) FROM visit GROUP BY ward, current_date',
	'SELECT DISTINCT date_trunc(''day'', now()) > ''-infinity'' FROM visit', 'SELECT dp_mode(current_date::text) IS NOT NULL FROM visit']) q;
SET ROLE regress_rp_analyst;
PREPARE by_parameters (float8) AS SELECT count(*), dp_sum(cost, 0, $1 + 1) FROM visit GROUP BY $1, $1 + 1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_parameters (1);
RESET plan_cache_mode;
RESET ROLE;

--
-- Other questions
--
SELECT q, analyst(q), analyst(q) AS again FROM unnest(ARRAY[
	'SELECT count(*) FROM visit WHERE ward = 1',
	'SELECT count(*) FROM visit WHERE ward = 2',
	'SELECT count(*) FROM visit WHERE note = ''1''',
	'SELECT count(*) FROM visit WHERE note = ''2''',
	'SELECT count(*) FROM visit WHERE note = '' :location 1''',
	'SELECT count(*) FROM visit WHERE note = '' :location 2''',
	'SELECT count(*), sum(cost) FROM visit',
	'SELECT sum(cost), count(*) FROM visit',
	'SELECT dp_sum(cost, 0, 50) FROM visit',
	'SELECT dp_sum(cost, 0, 60) FROM visit',
	'SELECT dp_sum(cost, 0, 60, ''epsilon=0.2'') FROM visit',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit',
	'SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY cost) FROM visit',
	'SELECT min(cost) FROM visit',
	'SELECT n FROM (SELECT count(*) AS n, sum(cost) AS s FROM visit) t',
	'SELECT s FROM (SELECT count(*) AS n, sum(cost) AS s FROM visit) t']) WITH ORDINALITY q(q, i) ORDER BY i;
-- two columns with the same bounds, of which one is wanted
SELECT q, analyst(q), analyst(q) AS again FROM unnest(ARRAY[
	'SELECT a FROM (SELECT sum(cost) AS a, sum(100 - cost) AS b FROM visit) t',
	'SELECT b FROM (SELECT sum(cost) AS a, sum(100 - cost) AS b FROM visit) t']) WITH ORDINALITY q(q, i) ORDER BY i;

--
-- Other sessions: who asks, and under which settings
--
SELECT asked('regress_rp_other', 'SELECT count(*) FROM visit'), asked('regress_rp_other', 'SELECT count(*) FROM visit');
SELECT asked('regress_rp_nobody', 'SELECT count(*) FROM visit');
SELECT analyst('SELECT count(*) FROM visit WHERE at::date = ''2024-01-02''');
SET TimeZone = 'Asia/Tokyo';
SELECT analyst('SELECT count(*) FROM visit WHERE at::date = ''2024-01-02''');
RESET TimeZone;
SELECT analyst('SELECT count(*) FROM visit WHERE at::date = ''2024-01-02''');
CREATE FUNCTION under(setting text, value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	before text := current_setting(setting);
	told text;
BEGIN
	PERFORM set_config(setting, value, false);
	told := analyst('SELECT ward, sum(cost) FROM visit GROUP BY ward');
	PERFORM set_config(setting, before, false);
	RETURN told;
END
$$;
SELECT setting, value, under(setting, value), under(setting, value) AS again FROM (VALUES
	(1, 'privacct.epsilon', '0.1'), (2, 'privacct.epsilon', '0.2'), (3, 'privacct.max_rows', '2'), (4, 'privacct.max_groups', '1'),
	(5, 'privacct.kernel', 'gaussian'), (6, 'privacct.sample_rate', '0.5'), (7, 'privacct.within', '50'), (8, 'DateStyle', 'German, DMY'),
	(9, 'IntervalStyle', 'iso_8601'), (10, 'extra_float_digits', '0'), (11, 'application_name', 'dashboard'), (12, 'work_mem', '1MB')) v(i, setting, value) ORDER BY i;

--
-- Other declarations
--
CREATE FUNCTION by_ward() RETURNS text LANGUAGE sql AS $$ SELECT analyst('SELECT ward, sum(cost) FROM visit GROUP BY ward') $$;
SELECT by_ward();
SET ROLE regress_rp_owner;
SELECT set_bounds('visit', 'cost', 0, 90);
RESET ROLE;
SELECT by_ward(), by_ward() AS again;
SET ROLE regress_rp_owner;
SELECT set_bounds('visit', 'cost', 0, 100);
SELECT set_keys('visit', 'ward', ARRAY[0, 1]);
RESET ROLE;
SELECT by_ward(), by_ward() AS again;
SET ROLE regress_rp_owner;
SELECT set_keys('visit', 'ward', ARRAY[0, 1, 2]);
RESET ROLE;
SELECT by_ward(), by_ward() AS again;
-- groups that public tables list
SELECT analyst('SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building');
INSERT INTO ward VALUES (3, 'west');
SELECT analyst('SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building'), analyst('SELECT building, count(*) FROM visit JOIN ward USING (ward) GROUP BY building') AS again;

--
-- Prepared statements: the values count, not the plans
--
SET ROLE regress_rp_analyst;
SELECT releases AS before FROM my_budget WHERE relation = 'visit'::regclass \gset
PREPARE by_value(int, text) AS SELECT count(*) FROM visit WHERE ward = $1 AND note = lower($2);
SET plan_cache_mode = force_custom_plan;
EXECUTE by_value(1, 'n1') \gset first_
EXECUTE by_value(1, 'N1') \gset second_
EXECUTE by_value(2, 'n1') \gset third_
SET plan_cache_mode = force_generic_plan;
EXECUTE by_value(1, 'n1') \gset fourth_
EXECUTE by_value(2, 'n1') \gset fifth_
RESET plan_cache_mode;
SELECT :first_count = :second_count AS same_value, :first_count = :fourth_count AS generic, :third_count = :fifth_count AS other_value,
	releases - :before AS paid FROM my_budget WHERE relation = 'visit'::regclass;
SELECT releases AS before FROM my_budget WHERE relation = 'visit'::regclass \gset
-- what is the same for all rows: now() passes, today stays
PREPARE recent AS SELECT count(*) FROM visit WHERE at < now() - interval '1 day';
PREPARE today AS SELECT count(*) FROM visit WHERE at < date_trunc('century', now());
BEGIN;
EXECUTE recent \gset first_
EXECUTE recent \gset second_
EXECUTE today \gset third_
COMMIT;
EXECUTE recent \gset fourth_
EXECUTE today \gset fifth_
SELECT :first_count = :second_count AS within, :third_count = :fifth_count AS same_century, releases - :before AS paid
FROM my_budget WHERE relation = 'visit'::regclass;

--
-- Transactions, cursors, two blocks in one statement
--
SELECT releases AS before FROM my_budget WHERE relation = 'visit'::regclass \gset
BEGIN READ ONLY;
SELECT count(*) FROM visit WHERE cost > 1 \gset first_
SELECT count(*) FROM visit WHERE cost > 1 \gset second_
ROLLBACK;
SELECT count(*) FROM visit WHERE cost > 1 \gset third_
SELECT :first_count = :second_count AS read_only, :first_count = :third_count AS rolled_back, releases - :before AS paid FROM my_budget WHERE relation = 'visit'::regclass;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM visit WHERE cost > 2 \gset first_
COMMIT;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT ward, count(*) FROM visit WHERE cost > 3 GROUP BY ward ORDER BY ward;
FETCH c \gset fourth_
ROLLBACK;
BEGIN;
DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT count(*) FROM visit WHERE cost > 2;
COMMIT;
FETCH c \gset second_
MOVE BACKWARD ALL c;
FETCH c \gset third_
CLOSE c;
SELECT :first_count = :second_count AS held, :second_count = :third_count AS rescanned, releases - :before AS paid FROM my_budget WHERE relation = 'visit'::regclass;
SELECT (SELECT count(*) FROM visit WHERE cost > 4) = (SELECT count(*) FROM visit WHERE cost > 4) AS one_answer;
SELECT releases - :before AS paid FROM my_budget WHERE relation = 'visit'::regclass;
-- intervals are those of the charge, and are there once
SELECT count(*) FROM visit WHERE cost > 1 \gset fourth_
SELECT value = :fourth_count AS same, low < value AND value < high AS ordered, charge = (SELECT charge_id FROM my_ledger ORDER BY charge_id DESC OFFSET 3 LIMIT 1) AS of_charge FROM intervals();
SELECT count(*) FROM visit WHERE cost > 1 \gset fourth_
SELECT count(*) FROM intervals();
-- what is known before it is asked
CREATE FUNCTION explained(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ 'Repeat' THEN
			RETURN NEXT regexp_replace(trim(line), '\d+', 'N', 'g');
		END IF;
	END LOOP;
END
$$;
SELECT explained('SELECT count(*) FROM visit WHERE cost > 1');
SELECT explained('SELECT count(*) FROM visit WHERE cost > 1.5') AS not_asked;
SELECT regexp_replace(statistic, '\d+', 'N', 'g') AS statistic, used, epsilon FROM preview('SELECT count(*) FROM visit WHERE cost > 1') WHERE statistic ~ 'release|repeat';
SELECT statistic, used, epsilon FROM preview('SELECT count(*) FROM visit WHERE cost > 1.5') WHERE statistic ~ 'release|repeat';
SELECT relation, age, shared, kept IS NULL AS not_told FROM repeats;
SELECT * FROM stored_release;
RESET ROLE;

--
-- Blocks that are not known again: over releases
--
SELECT q, analyst(q), analyst(q) AS again FROM unnest(ARRAY[
	'SELECT count(*) FROM visit WHERE cost > (SELECT avg(v.cost) FROM visit v)']) q(q);

--
-- How old they may be
--
SELECT analyst('SELECT count(*) FROM visit');
BEGIN;
SET LOCAL client_min_messages = error;
SET LOCAL privacct.write_books = on;
UPDATE stored_release SET made_at = made_at - interval '25 hours', expires_at = expires_at - interval '25 hours';
COMMIT;
-- few are deleted with each charge, which others wait for
SELECT count(*) > 20 AS many, count(*) AS before FROM stored_release \gset
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit') AS again;
SELECT :'many' AS many, :before + 1 - count(*) AS deleted FROM stored_release;
SELECT analyst(format('SELECT count(*) FROM visit WHERE cost > %s', i)) FROM generate_series(1, :before / 10) i \g /dev/null
SELECT count(*) AS expired FROM stored_release WHERE expires_at < now();
BEGIN;
SET LOCAL client_min_messages = error;
SET LOCAL privacct.write_books = on;
UPDATE stored_release SET made_at = made_at + interval '1 hour';
COMMIT;
SELECT analyst('SELECT count(*) FROM visit') AS from_the_future;
DELETE FROM stored_release;
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '50 ms');
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit');
SELECT pg_sleep(0.06);
SELECT analyst('SELECT count(*) FROM visit') AS too_old;
-- large ones are not kept
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '1 day');
RESET ROLE;
SET privacct.repeat_size = '1kB';
SET privacct.epsilon = 5;
SELECT analyst('SELECT cost::int, count(*) FROM visit GROUP BY 1'), analyst('SELECT cost::int, count(*) FROM visit GROUP BY 1') AS again;
SET privacct.epsilon = 0.1;
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit') AS again;
RESET privacct.repeat_size;
SET ROLE regress_rp_analyst;
SET privacct.repeat_size = '2kB';
RESET ROLE;

--
-- Whose they are
--
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '1 day', shared => true);
SELECT * FROM repeats;
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit');
SELECT asked('regress_rp_other', 'SELECT count(*) FROM visit') AS what_another_paid, asked('regress_rp_nobody', 'SELECT count(*) FROM visit');
SELECT analyst('SELECT count(*) FROM visit WHERE current_user = ''regress_rp_analyst''');
SELECT asked('regress_rp_other', 'SELECT count(*) FROM visit WHERE current_user = ''regress_rp_analyst''');

--
-- Budgets: who has none left may still be told what was paid for, who has none may not
--
SET ROLE regress_rp_owner;
SELECT grant_budget('visit', 'regress_rp_other', 0.000001, 1e-6);
RESET ROLE;
SELECT asked('regress_rp_other', 'SELECT count(*) FROM visit'), asked('regress_rp_other', 'SELECT count(*) FROM visit WHERE cost > 99');
SET ROLE regress_rp_owner;
SELECT revoke_budget('visit', 'regress_rp_other');
RESET ROLE;
SELECT asked('regress_rp_other', 'SELECT count(*) FROM visit');

--
-- Several tables: the strictest of them
--
SET ROLE regress_rp_owner;
CREATE TABLE bill (person int NOT NULL, amount int);
INSERT INTO bill SELECT i / 5, i % 50 FROM generate_series(1, 5000) i;
CREATE TABLE stay (person int NOT NULL, days int);
INSERT INTO stay SELECT i / 5, i % 9 FROM generate_series(1, 5000) i;
SELECT create_unit('regress_rp_persons', epsilon => 100, delta => 1e-6) > 0 AS made;
SELECT protect(t, 'person', unit => 'regress_rp_persons', fresh => true) > 0 AS protected FROM unnest('{bill,stay}'::regclass[]) t;
SELECT grant_budget('regress_rp_persons'::name, 'regress_rp_analyst', 50, 1e-6);
SELECT set_repeats('bill', '1 day');
RESET ROLE;
CREATE FUNCTION joined() RETURNS text LANGUAGE sql AS $$ SELECT analyst('SELECT count(*) FROM bill JOIN stay USING (person)') $$;
SELECT joined(), joined() AS again;
SET ROLE regress_rp_owner;
SELECT set_repeats('stay', '1 hour', shared => true);
RESET ROLE;
SELECT joined(), joined() AS again;
SELECT age, expires_at - made_at AS keeps, role = 'regress_rp_analyst'::regrole AS own FROM repeats, stored_release WHERE relation = 'bill'::regclass ORDER BY keeps;
BEGIN;
SET LOCAL client_min_messages = error;
SET LOCAL privacct.write_books = on;
UPDATE stored_release SET made_at = made_at - interval '2 hours';
COMMIT;
SELECT joined(), joined() AS again;

--
-- Other regimes
--
SET ROLE regress_rp_owner;
CREATE TABLE person (person int PRIMARY KEY, age int);
INSERT INTO person SELECT i, i % 100 FROM generate_series(1, 1000) i;
SELECT protect('person', 'person', regime => 'local', epsilon => 4, fresh => true) > 0 AS protected;
SELECT set_repeats('person', '1 day');
SELECT set_repeats('person', NULL);
RESET ROLE;

--
-- A new policy begins without them, and knows none of the old ones
--
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit') AS again;
SET ROLE regress_rp_owner;
BEGIN;
SELECT unprotect('visit');
SELECT protect('visit', 'person', epsilon => 100, delta => 1e-5, min_owners => 1) > 0 AS protected;
SELECT grant_budget('visit', 'regress_rp_analyst', 50, 5e-6);
COMMIT;
SELECT relation, age, shared, kept FROM repeats WHERE relation = 'visit'::regclass;
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit') AS again;
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '1 day');
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit'), analyst('SELECT count(*) FROM visit') AS again;
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', NULL);
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit');
SELECT count(*) AS kept FROM stored_release WHERE policy_id = (SELECT p.policy_id FROM policy p WHERE p.relation = 'visit'::regclass AND p.closed_at IS NULL);
-- closed
SET ROLE regress_rp_owner;
SELECT set_repeats('visit', '1 day');
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit');
SET ROLE regress_rp_owner;
SELECT unprotect('visit');
RESET ROLE;
SELECT analyst('SELECT count(*) FROM visit');

SET client_min_messages = error;
RESET privacct.epsilon;
SELECT problem FROM check_books() WHERE policy_id IN (SELECT p.policy_id FROM policy p WHERE p.relation_name ~ 'regress_repeats');
DROP SCHEMA regress_repeats CASCADE;
DROP OWNED BY regress_rp_owner, regress_rp_analyst, regress_rp_other;
SELECT privacct.drop_unit('regress_rp_persons');
DROP ROLE regress_rp_owner, regress_rp_analyst, regress_rp_other, regress_rp_nobody;
