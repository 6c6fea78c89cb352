--
-- Quantiles, the least and the greatest value, the mode: every form, every refusal with its hint,
-- who counts with how many rows, and what is charged.
-- With an epsilon this large the answers are those of the rows, where no two cells are equally good.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
SELECT array_agg(round(i / 16.0, 4)) AS sixteenths FROM generate_series(1, 15) i \gset
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_qu_steward;
GRANT privacct_admin TO regress_qu_steward;
CREATE ROLE regress_qu_analyst;
CREATE SCHEMA ranked AUTHORIZATION regress_qu_steward;
GRANT USAGE ON SCHEMA ranked TO PUBLIC;
SET search_path = ranked, privacct, public;
SET ROLE regress_qu_steward;
-- ages 0 to 99, ten persons each, and one more of 50
CREATE TABLE person (id int PRIMARY KEY, age int NOT NULL, income double precision, born date, seen timestamp, seenz timestamptz,
	member boolean, score numeric(6,2), height real, s smallint, b bigint, city text, took interval);
INSERT INTO person SELECT i, a, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN float8 'NaN' WHEN 2 THEN 'infinity' ELSE a * 100 END, date '2000-01-01' + a,
	timestamp '2020-01-01' + a * interval '1 hour', timestamptz '2020-01-01 UTC' + a * interval '1 hour', a > 20, a / 4.0, a, a - 50, a * 1000000000::bigint,
	(ARRAY['a', 'b', 'b', 'c'])[1 + i % 4], a * interval '1 minute'
FROM generate_series(0, 1000) i, LATERAL (SELECT CASE WHEN i = 1000 THEN 50 ELSE i / 10 END AS a) l;
-- one of the 101 owners has 10,000 rows, the others one each; two places
CREATE TABLE visit (person int NOT NULL, cost int NOT NULL, day date, place text);
INSERT INTO visit SELECT i, 10, date '2024-01-01' + i, (ARRAY['x', 'y'])[1 + i % 2] FROM generate_series(1, 100) i;
INSERT INTO visit SELECT 0, 90, '2024-01-01', 'x' FROM generate_series(1, 10000) i;
-- one owner, whose rows are half one thing and half another
CREATE TABLE divided (person int NOT NULL, x int NOT NULL);
INSERT INTO divided SELECT 1, i % 2 FROM generate_series(1, 100) i;
CREATE TABLE strewn (person int NOT NULL, k int NOT NULL, x int NOT NULL);
INSERT INTO strewn SELECT i, k, k FROM generate_series(1, 30) j, generate_series(1, 3) i, generate_series(1, 150) k;
CREATE TABLE hollow (person int NOT NULL, x int, place text);
CREATE TABLE hut (person int PRIMARY KEY, x int);
INSERT INTO hut SELECT i, i FROM generate_series(1, 100) i;
CREATE TABLE hall (LIKE hut INCLUDING ALL);
CREATE TABLE hamlet (LIKE hut INCLUDING ALL);
INSERT INTO hall TABLE hut;
CREATE TABLE asked (person int PRIMARY KEY, x int);
INSERT INTO asked SELECT i, i % 10 FROM generate_series(1, 10) i;
CREATE TABLE step (person int, hour int, place int NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO step SELECT i, h, (i + h) % 2 FROM generate_series(1, 5) i, generate_series(1, 3) h;
RESET ROLE;
-- what ask() and others may do is not in the way
\i :helpers
SET ROLE regress_qu_steward;
DO $$ BEGIN
	PERFORM protect('person', 'id', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, fresh => true), protect('visit', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 2, max_rows_contributed => 4, fresh => true),
		protect('divided', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true), protect('hollow', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, max_groups_contributed => 1, max_rows_contributed => 1, fresh => true),
		protect('strewn', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, fresh => true),
		protect('hut', 'person', epsilon => 1e6, delta => 0.1, min_epsilon => 1e-6, kernels => '{laplace}', fresh => true), protect('hall', 'person', epsilon => 1e3, delta => 1e-6, min_epsilon => 1e-6, accountant => 'zcdp', fresh => true),
		protect('hamlet', 'person', epsilon => 1e5, delta => 1e-6, accountant => 'plan', max_groups_contributed => 1, max_rows_contributed => 1, fresh => true), protect('asked', 'person', regime => 'local', epsilon => 1e5, min_epsilon => 1e-6, delta => 0, fresh => true),
		protect_entries('step', 'person', ARRAY['hour']::name[], 'place', chain_prior(ARRAY['0', '1'], ARRAY[[.5, .5], [.5, .5]]), epsilon_pufferfish => 1e6, max_entries => 3, min_epsilon => 1e-6, fresh => true);
	PERFORM set_bounds('person', 'age', 0, 99), set_bounds('person', 'income', 0, 10000), set_bounds('person', 'born', date '2000-01-01', date '2005-01-01'), set_bounds('person', 'seen', timestamp '2020-01-01', timestamp '2020-03-01'),
		set_bounds('person', 'seenz', timestamptz '2020-01-01 UTC', timestamptz '2020-03-01 UTC'), set_bounds('person', 'score', 0, 25), set_bounds('person', 'height', 0, 100), set_bounds('person', 's', -60, 60), set_bounds('person', 'b', 0, 1e11),
		set_bounds('visit', 'cost', 0, 100), set_bounds('divided', 'x', 0, 1), set_bounds('hollow', 'x', 10, 20), set_bounds('hut', 'x', 0, 100), set_bounds('hall', 'x', 0, 100), set_bounds('hamlet', 'x', 0, 100),
		set_keys('strewn', 'k', ARRAY(SELECT generate_series(1, 150))), set_keys('person', 'city', '{a,b,c,d}'::text[]), set_keys('visit', 'place', '{x,y,z}'::text[]), set_keys('hollow', 'place', '{p,q}'::text[]), set_domain('asked', 'x', 0, 10);
	PERFORM grant_budget(t::regclass, 'regress_qu_analyst', CASE WHEN t IN ('asked', 'hamlet') THEN 1e5 WHEN t = 'hall' THEN 1e3 ELSE 1e6 END, CASE WHEN t IN ('asked', 'step') THEN 0 WHEN t IN ('hall', 'hamlet') THEN 1e-6 ELSE 0.1 END) FROM unnest('{person,visit,divided,strewn,hollow,hut,hall,hamlet,asked,step}'::text[]) t;
END $$;
RESET ROLE;
CREATE FUNCTION own(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_qu_analyst', query, 'regress_qu_steward', query) $$;
CREATE FUNCTION got(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_qu_analyst', query) $$;
SET privacct.epsilon = 2000;

--
-- As PostgreSQL writes them
--
SELECT q, own('SELECT ' || q) FROM unnest(ARRAY[
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_cont(0.25) WITHIN GROUP (ORDER BY age), percentile_disc(0.9) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_disc(ARRAY[0.1, 0.25, 0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_cont(ARRAY[0.9, 0.1, 0.9]) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_cont(''{0.1,0.5}''::float8[]) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_cont(ARRAY[1, 0.5]) WITHIN GROUP (ORDER BY age) FROM person',
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FILTER (WHERE age >= 90) FROM person WHERE age <> 94',
	'percentile_disc(0.5) WITHIN GROUP (ORDER BY born) FROM person',
	'percentile_disc(0.1) WITHIN GROUP (ORDER BY member), percentile_disc(0.5) WITHIN GROUP (ORDER BY member) FROM person',
	'percentile_disc(0.5) WITHIN GROUP (ORDER BY s) FROM person',
	'min(age), max(age) FROM person', 'min(born), max(born) FROM person', 'min(s), max(s) FROM person',
	'min(age) FILTER (WHERE age > 30), max(age) FILTER (WHERE age < 60) FROM person WHERE city <> ''a''',
	'min(age) + max(age) AS both FROM person HAVING min(age) < 50 ORDER BY max(age)',
	'mode() WITHIN GROUP (ORDER BY city) FROM person',
	'city, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) > 40 AS late, max(age) > 97 AS high FROM person GROUP BY city HAVING city < ''d'' AND percentile_disc(0.5) WITHIN GROUP (ORDER BY age) > 30',
	'x.m FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS m FROM person) x',
	'max(m) FROM (SELECT city, max(age) AS m FROM person GROUP BY city HAVING city <> ''d'') x']) q;
-- between cells: as near as a cell is wide
SELECT got('SELECT abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY score) - 12.5) < 0.001, abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY height) - 50) < 0.001, abs(percentile_disc(0.5) WITHIN GROUP (ORDER BY b) - 50000000000) < 1e6 FROM person'),
	got('SELECT abs(extract(epoch FROM min(seen) - timestamp ''2020-01-01'')) < 10, abs(extract(epoch FROM max(seenz) - timestamptz ''2020-01-05 03:00 UTC'')) < 10, abs(extract(epoch FROM percentile_disc(0.5) WITHIN GROUP (ORDER BY seen) - timestamp ''2020-01-03 02:00'')) < 10 FROM person');
-- of null, NaN and infinities nothing counts: 3 and 4 of each ten do
SELECT got('SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY income) BETWEEN 4890 AND 5010, round(max(income)) FROM person'), ask('regress_qu_steward', 'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY income), max(income) FROM person WHERE income < ''infinity''');

--
-- dp_ forms, with bounds and options
--
SELECT q, got('SELECT ' || q) FROM unnest(ARRAY[
	'dp_median(age) FROM person', 'dp_median(age, 0, 99) FROM person', 'dp_median(age, ''epsilon=500'') FROM person', 'dp_median(age, 0, 99, ''epsilon=500'') FROM person',
	'dp_quantile(age, 0.25) FROM person', 'dp_quantile(age, 0.25, 0, 99) FROM person', 'dp_quantile(age, 0.25, ''epsilon=500'') FROM person', 'dp_quantile(age, 0.25, 0, 99, ''epsilon=500'') FROM person',
	'dp_quantile(age, ARRAY[0.25, 0.75]) FROM person', 'dp_quantile(age, ARRAY[0.25, 0.75], 0, 99) FROM person', 'dp_quantile(age, ARRAY[0.25, 0.75], ''epsilon=500'') FROM person', 'dp_quantile(age, ARRAY[0.25, 0.75], 0, 99, ''epsilon=500'') FROM person',
	'dp_min(age), dp_max(age) FROM person', 'dp_min(age, 10, 50), dp_max(age, 10, 50) FROM person', 'dp_min(age, ''epsilon=500''), dp_max(age, 20, 30, ''epsilon=500'') FROM person',
	'dp_min(age, 0, 99, ''max_rows=1'') FROM person', 'dp_median(age::float8) FROM person', 'dp_median(age * 2, 0, 200) FROM person', 'dp_median(CASE WHEN age > 50 THEN age END) FROM person',
	'dp_median(age) FILTER (WHERE age < 9), count(*) FROM person', 'dp_mode(city) FROM person', 'city, dp_median(age) BETWEEN 40 AND 60 FROM person GROUP BY city HAVING city < ''d''',
	'dp_median(age) FROM person WHERE age > (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM person)']) q;
-- parameters
PREPARE of_two(float8, float8) AS SELECT percentile_disc(ARRAY[$1, $2]) WITHIN GROUP (ORDER BY age), dp_quantile(age, $1, 0, 99) FROM person;
SET ROLE regress_qu_analyst;
EXECUTE of_two(0.1, 0.9);
EXECUTE of_two(0.9, 0.25);
DEALLOCATE of_two;
RESET ROLE;

--
-- Who counts
--
-- 10,000 rows of one owner count as four; without the limit they would be nearly all
SELECT got('SELECT dp_median(cost), dp_quantile(cost, 0.9), dp_quantile(cost, 0.99) FROM visit'), got('SELECT place, dp_median(cost), max(cost) FROM visit GROUP BY place HAVING place < ''z''');
-- which row of an owner counts changes from release to release, by chance: always the same in 60 has the probability 2^-59
SELECT count(*), min(x), max(x) FROM (SELECT got('SELECT dp_median(x) FROM divided WHERE ' || i || ' > 0') AS x FROM generate_series(1, 60) i) r;
-- in a small memory owners, and values to be sorted, are in files: as many count as in a large one
SET privacct.owner_memory = '64kB';
SELECT own('SELECT percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY age), min(age), max(age) FROM person'), got('SELECT dp_median(cost), dp_quantile(cost, 0.9), dp_quantile(cost, 0.99) FROM visit');
RESET privacct.owner_memory;
-- three owners with thirty rows in each of 150 groups, more than any of their parts in memory has room for: all groups, or as
-- many as count, with as many rows as count; in files; from parallel workers
CREATE FUNCTION strewn(groups int) RETURNS text LANGUAGE sql AS $$
	SELECT set_config('privacct.max_groups', groups::text, false), set_config('privacct.max_rows', '20', false), set_config('privacct.epsilon', '100000', false);
	SELECT got('SELECT round(sum(n)), count(*) FILTER (WHERE round(n) > 0 AND m <> k) FROM (SELECT k, count(*) AS n, dp_quantile(x, 0.5, 0, 1000, ''max_rows=20'') AS m FROM strewn GROUP BY k) s')
$$;
SELECT strewn(150), strewn(100);
SET privacct.owner_memory = '64kB';
SELECT strewn(150), strewn(100);
SET ROLE regress_qu_steward;
SELECT set_release_terms('strewn', workers => 2);
RESET ROLE;
SELECT strewn(150), strewn(100);
RESET privacct.owner_memory;
SELECT strewn(150), strewn(100);
RESET privacct.max_groups;
RESET privacct.max_rows;
SET privacct.epsilon = 2000;
-- an empty table gives a value between the bounds, never null
SELECT q, got('SELECT ' || q || ' FROM hollow') FROM unnest(ARRAY['dp_median(x) BETWEEN 10 AND 20', 'min(x) BETWEEN 10 AND 20', 'max(x) BETWEEN 10 AND 20',
	'percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY x) <@ ARRAY[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]::float8[]', 'mode() WITHIN GROUP (ORDER BY place) IN (''p'', ''q'')']) q;
SELECT got('SELECT place, dp_median(x) BETWEEN 10 AND 20 FROM hollow GROUP BY place'), got('SELECT dp_median(age) BETWEEN 0 AND 99, min(age) IS NULL FROM person WHERE age < 0');
SELECT count(DISTINCT x) > 1 AS by_chance FROM (SELECT got('SELECT dp_median(x) FROM hollow WHERE ' || i || ' > 0') AS x FROM generate_series(1, 60) i) r;

--
-- In parallel: the same
--
SET ROLE regress_qu_steward;
SELECT set_release_terms('person', workers => 2), set_release_terms('visit', workers => 2);
RESET ROLE;
SELECT own('SELECT percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY age), min(age), max(age), percentile_disc(0.5) WITHIN GROUP (ORDER BY born) FROM person'),
	own('SELECT city, max(age) > 97 AS high FROM person GROUP BY city HAVING city < ''d'''), got('SELECT dp_median(cost), dp_quantile(cost, 0.9), dp_quantile(cost, 0.99) FROM visit');
SET privacct.owner_memory = '64kB';
SELECT own('SELECT percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY age), min(age), max(age) FROM person'), got('SELECT dp_median(cost), dp_quantile(cost, 0.9), dp_quantile(cost, 0.99) FROM visit');
RESET privacct.owner_memory;
SET ROLE regress_qu_analyst;
EXPLAIN (COSTS OFF) SELECT city, percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY age), min(age), dp_median(age, 'epsilon=3'), count(*) FROM person GROUP BY city;
RESET ROLE;

--
-- What is charged
--
-- all quantiles of a value are one statistic, whose levels share its epsilon
SET ROLE regress_qu_analyst;
SELECT percentile_cont(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY age) AS three, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS the_same, dp_quantile(age, 0.25) AS one_more, max(age), count(*) FROM person;
SELECT aggregate, value, low, high FROM intervals();
SELECT statistic, kernel, used, round(scale::numeric, 6) AS scale, round(error_95::numeric, 4) AS error_95, epsilon, owner_limit FROM preview('SELECT dp_median(age), min(age) FROM person') ORDER BY 1;
-- comparing kinds of noise for one aggregate leaves what is drawn for another as it is
SELECT noised, drawn, count(*), count(DISTINCT round(error_95::numeric, 4)) AS answers
FROM unnest(ARRAY['count(*)', 'dp_sum(age, 0, 10)', 'count(DISTINCT age)', 'dp_count_distinct(age, ''cap=auto'')']) noised,
	unnest(ARRAY['max(age)', 'dp_median(age)', 'dp_quantile(age, ARRAY[0.1, 0.5, 0.9])']) drawn,
	unnest(ARRAY[format('SELECT %s, %s FROM person GROUP BY city', noised, drawn), format('SELECT %s, %s FROM person GROUP BY city', drawn, noised)]) query,
	LATERAL (SELECT p.error_95 FROM preview(query) p WHERE p.kernel = 'exponential' AND p.statistic !~ 'distinct') e
GROUP BY noised, drawn ORDER BY noised, drawn;
SELECT statistic, kernel, round(scale::numeric, 6) AS scale, round(error_95::numeric, 4) AS error_95, epsilon FROM preview('SELECT place, dp_quantile(cost, ARRAY[0.1, 0.5, 0.9]) FROM visit GROUP BY place');
RESET ROLE;
SELECT epsilon, s->>'statistic' AS statistic, s->>'kernel' AS kernel, s->>'levels' AS levels, round((s->>'epsilon')::numeric, 3) AS share, round((s->>'rho')::numeric, 3) AS rho
FROM (SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(detail->'statistics') s;
-- an array with options of its own is drawn together too, other calls are not
SET privacct.epsilon = 1;
SET ROLE regress_qu_analyst;
SELECT count(*), bool_and(q BETWEEN i / 16.0 * 100 - 3 AND i / 16.0 * 100 + 3) AS near FROM (SELECT dp_quantile(age, (:'sixteenths')::float8[], 0, 99, 'epsilon=600') AS a FROM person) r, unnest(a) WITH ORDINALITY u(q, i);
EXPLAIN (COSTS OFF) SELECT dp_quantile(age, ARRAY[0.1, 0.9], 'epsilon=60'), dp_median(age, 'epsilon=60'), dp_quantile(age, 0.3), dp_median(age), dp_median(age, 0, 50), percentile_cont(ARRAY[0.2, 0.3]) WITHIN GROUP (ORDER BY age) FROM person;
RESET ROLE;
SET privacct.epsilon = 2000;
-- under zCDP a level costs an eighth of the square of its epsilon
SET privacct.epsilon = 1;
SET ROLE regress_qu_analyst;
SELECT dp_median(x) BETWEEN 0 AND 100 AS one, dp_quantile(x, ARRAY[0.25, 0.5, 0.75]) IS NOT NULL AS three FROM hall;
RESET ROLE;
SET privacct.epsilon = 2000;
SELECT round(rho, 9) AS rho, s->>'levels' AS levels, s->>'epsilon' AS epsilon, round((s->>'rho')::numeric, 9) AS of_levels FROM (SELECT * FROM privacct.ledger ORDER BY charge_id DESC LIMIT 1) l, jsonb_array_elements(detail->'statistics') s;

--
-- What is refused, and what its hint leads to
--
CREATE TABLE offered AS SELECT 0.5::float8 AS q;
GRANT SELECT ON offered TO PUBLIC;
CREATE FUNCTION offer() RETURNS float8 LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN 0.5; END $$;
CREATE FUNCTION refused(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; detail text; hint text;
BEGIN
	IF query IS NULL THEN
		RETURN '';
	END IF;
	PERFORM set_config('role', 'regress_qu_analyst', true);
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
SELECT left(q, 150) AS q, refused('SELECT ' || q) AS refusal, coalesce(refused('SELECT ' || nullif(h, '')), '') AS hinted FROM (VALUES
	('percentile_cont(0.5) WITHIN GROUP (ORDER BY age DESC) FROM person', 'percentile_cont(1 - 0.5) WITHIN GROUP (ORDER BY age) FROM person'),
	('percentile_cont(1.5) WITHIN GROUP (ORDER BY age) FROM person', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM person'),
	('percentile_cont(-0.1) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(''NaN'') WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(NULL::float8) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(ARRAY[0.5, NULL]) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(NULL::float8[]) WITHIN GROUP (ORDER BY age) FROM person', 'percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) FROM person'),
	('percentile_cont(''{}''::float8[]) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(ARRAY[[0.5, 0.6]]) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont((SELECT ARRAY[0.5])) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont((SELECT array_agg(i / 300.0) FROM generate_series(1, 300) i)) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(array_fill(0.5::float8, ARRAY[256])) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(age / 100.0) WITHIN GROUP (ORDER BY income) FROM person GROUP BY age', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY income) FROM person'),
	('dp_quantile(income, age / 100.0) FROM person', ''),
	('* FROM (VALUES (0.1::float8), (0.9)) w(q), LATERAL (SELECT percentile_cont(q) WITHIN GROUP (ORDER BY age) FROM person) l', 'percentile_cont(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY age) FROM person'),
	('q, ARRAY(SELECT percentile_cont(q) WITHIN GROUP (ORDER BY age) FROM person GROUP BY city) FROM offered', ''),
	('q FROM offered WHERE 49 IN (SELECT percentile_cont(q) WITHIN GROUP (ORDER BY age) FROM person)', ''),
	('q FROM offered WHERE EXISTS (SELECT FROM person HAVING dp_quantile(age, q) > 5)', ''),
	('q, (WITH z AS MATERIALIZED (SELECT percentile_cont(ARRAY[q, 0.5]) WITHIN GROUP (ORDER BY age) AS m FROM person) SELECT m FROM z) FROM offered', ''),
	('percentile_cont(random()) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('percentile_cont(ARRAY[0.5, offer()]) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('dp_quantile(age, offer()) FROM person', ''),
	('percentile_disc(0.5) WITHIN GROUP (ORDER BY city) FROM person', 'city, count(*) FROM person GROUP BY city'),
	('min(city) FROM person', 'max(city) FROM (SELECT city FROM person GROUP BY city) AS g'),
	('max(took) FROM person', 'dp_max(extract(epoch FROM seen - timestamp ''2020-01-01''), 0, 3600) FROM person'),
	('percentile_cont(0.5) WITHIN GROUP (ORDER BY took) FROM person', ''),
	('min(day) FROM visit', 'dp_min(extract(epoch FROM day), 0, 2e9) FROM visit'),
	('max(cost + 1) FROM visit WHERE cost = 1', ''),
	('percentile_disc(0.5) WITHIN GROUP (ORDER BY day) FROM visit', 'dp_quantile(extract(epoch FROM day), 0.5, 0, 2e9) FROM visit'),
	('dp_quantile(length(place), 0.5) FROM visit', 'dp_quantile(length(place), 0.5, 0, 100) FROM visit'),
	('dp_median(age, 5, 5) FROM person', 'dp_median(age, 0, 100) FROM person'),
	('dp_median(age, ''kernel=laplace'') FROM person', 'dp_median(age) FROM person'),
	('dp_median(age, ''within=3'') FROM person', ''),
	('dp_median(age, ''per_owner=0:3'') FROM person', ''),
	('dp_median(age, ''max_rows=2000'') FROM visit, person WHERE id = person', ''),
	('dp_median(cost, ''max_rows=2000'') FROM visit', 'dp_median(cost, ''max_rows=10'') FROM visit'),
	('sum(age), dp_sum(age, ''kernel=exponential'') FROM person', 'sum(age), dp_sum(age, ''kernel=laplace'') FROM person'),
	('min(DISTINCT age) FROM person', ''),
	('rank(3) WITHIN GROUP (ORDER BY age) FROM person', ''),
	('min(x) FROM hut', 'sum(x) FROM hut'),
	('min(x) FROM hamlet', 'count(*) FILTER (WHERE x < 10) FROM hamlet'),
	('min(x) FROM asked', 'dp_min(x, 0, 100) FROM asked'),
	('min(hour) FROM step', 'count(*) FILTER (WHERE hour < 10) FROM step'),
	('dp_median(place) FROM step', ''),
	('city, mode() WITHIN GROUP (ORDER BY city) FROM person GROUP BY city', ''),
	('mode() WITHIN GROUP (ORDER BY city), count(*) FROM person', ''),
	('a, q FROM (SELECT dp_quantile(age, ARRAY[' || (SELECT string_agg((i / 300.0)::text, ',') FROM generate_series(1, 200) i) || ']) AS a, dp_quantile(age, ARRAY[' || (SELECT string_agg((i / 301.0)::text, ',') FROM generate_series(1, 200) i) || ']) AS q FROM person) x', '')
) v(q, h);
\pset format aligned
-- what an owner could take in memory is bounded by public numbers: with a group more or less of an owner the answer is the same
CREATE TABLE many (owner int NOT NULL, k int NOT NULL, x float8);
INSERT INTO many SELECT 1, 1, 0.5;
ALTER TABLE many OWNER TO regress_qu_steward;
SET ROLE regress_qu_steward;
DO $$ BEGIN
	PERFORM protect('many', 'owner', epsilon => 1e6, delta => 1e-2, min_epsilon => 1e-6, max_groups_contributed => 20000, max_rows_contributed => 1, fresh => true);
	PERFORM grant_budget('many', 'regress_qu_analyst', 1e6, 1e-2), set_keys('many', 'k', (SELECT array_agg(i) FROM generate_series(1, 20000) i));
END $$;
RESET ROLE;
CREATE FUNCTION statistics(n int, most int) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(format('dp_quantile(x, 0.5, 0, %s, ''max_rows=%s'')', i, most), ', ') FROM generate_series(1, n) i $$;
SELECT n, m, groups, refused(concat('SET LOCAL privacct.epsilon = 10; SET LOCAL privacct.max_groups = ', groups, '; SELECT k, ', statistics(n, m), ' FROM many WHERE k < 0 GROUP BY k')) FROM (VALUES (1, 1024, 1), (2, 1024, 1), (8, 1024, 4096), (2, 512, 1), (1, 1024, 15000), (1, 1024, 20000)) v(n, m, groups);
-- of groups without rows no owner takes room
\c -
SET client_min_messages = warning;
SET search_path = ranked, privacct, public;
SET privacct.epsilon = 10;
SET privacct.max_groups = 1;
SELECT a, (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+) kB'))[1]::int < 250000 AS small FROM ask('regress_qu_analyst', 'SELECT count(q) FROM (SELECT k, dp_quantile(x, 0.5, 0, 1, ''max_rows=1024'') AS q FROM many GROUP BY k) g') a;
-- not of a sample
SET ROLE regress_qu_analyst;
SET privacct.sample_rate = 0.5;
SELECT dp_median(age) FROM person;
RESET privacct.sample_rate;
-- the place is pointed at
SELECT age, percentile_cont(2) WITHIN GROUP (ORDER BY income) FROM person GROUP BY age;
RESET ROLE;

RESET search_path;
DROP SCHEMA ranked CASCADE;
DROP OWNED BY regress_qu_analyst, regress_qu_steward;
DROP ROLE regress_qu_analyst, regress_qu_steward;
