-- One row's work below a release is bounded, whatever is asked: longer values are
-- null as arguments of functions, and a block that could take a row longer than
-- the bound is refused before anything is charged.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_rw_steward;
GRANT privacct_admin TO regress_rw_steward;
CREATE ROLE regress_rw_analyst;
CREATE SCHEMA work AUTHORIZATION regress_rw_steward;
GRANT USAGE ON SCHEMA work TO PUBLIC;
SET search_path = work, privacct;
SET TimeZone = 'UTC';
\ir :helpers
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_rw_analyst', query) $$;
-- what becomes of it, without the figure, which is calibrated
CREATE FUNCTION verdict(query text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN answer ~ '^42PA1: A row could take \d+ microseconds' THEN 'too much work' ELSE answer END FROM ask(query) answer $$;

SET ROLE regress_rw_steward;
CREATE TABLE person (person_id int PRIMARY KEY, name text NOT NULL, word varchar(50), code char(10), region varchar(20), amount numeric, price numeric(15, 2), quantity numeric(15, 2),
	discount numeric(15, 2), tax numeric(15, 2), age int, score float8, day date, moment timestamp, instant timestamptz, span interval);
INSERT INTO person SELECT i, repeat('ab', i), 'Word ' || i, 'c' || i % 3, 'r' || i % 4, i / 3.0, i, 1 + i % 50, 0.05, 0.08, i % 90, i / 7.0,
	date '2024-01-01' + i, timestamp '2024-01-01' + i * interval '1 hour', timestamptz '2024-01-01 00:00+00' + i * interval '1 hour', interval '1 day' FROM generate_series(1, 100) i;
CREATE TABLE long_value (person_id int PRIMARY KEY, t text NOT NULL, n numeric NOT NULL);
ALTER TABLE long_value ALTER t SET STORAGE plain;
INSERT INTO long_value VALUES (1, repeat('a', 256), 1.5), (2, repeat('a', 257), repeat('9', 100)::numeric), (3, repeat('a', 1024), repeat('9', 129)::numeric),
	(4, repeat('a', 1025), ('0.' || repeat('0', 64) || '1')::numeric), (5, repeat('a', 5000), 'NaN');
CREATE TABLE stored_away (person_id int PRIMARY KEY, t text);
ALTER TABLE stored_away ALTER t SET STORAGE external;
INSERT INTO stored_away SELECT i, repeat('a', 900) FROM generate_series(1, 3) i;
ALTER TABLE stored_away ADD pad text DEFAULT NULL;
ALTER TABLE stored_away ALTER pad SET STORAGE main;
UPDATE stored_away SET pad = (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 60) i) WHERE person_id = 3;
RESET ROLE;
DO $$ BEGIN
	PERFORM privacct.protect(t, 'person_id', epsilon => 1e6, delta => 0.1), privacct.grant_budget(t, 'regress_rw_analyst', 1e6, 0.1)
	FROM unnest('{person,long_value,stored_away}'::regclass[]) t;
	PERFORM privacct.set_bounds('person', c, 0, 1000) FROM unnest('{amount,price,quantity,discount,tax,age,score}'::name[]) c;
	PERFORM privacct.set_bounds('long_value', 'n', 0, 10);
	PERFORM privacct.set_keys('person', 'region', ARRAY['r0', 'r1', 'r2', 'r3']), privacct.set_keys('person', 'age', (SELECT array_agg(i) FROM generate_series(0, 89) i)::text[]);
END $$;
ALTER ROLE regress_rw_analyst SET privacct.epsilon = 100;
SET privacct.epsilon = 100;

--
-- Too much work, and not charged
--
SELECT charges('person') AS charged_before \gset
CREATE FUNCTION times(n int, one text, glue text) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(replace(one, '#', i::text), glue) FROM generate_series(1, n) i $$;
CREATE TABLE attack (name text, condition text);
INSERT INTO attack VALUES
	('concatenations of long constants', 'length(' || times(200, 'name || ''' || repeat('x', 900) || '''', ' || ') || ') > 0'),
	('a long set of characters to trim', 'btrim(name, ''' || repeat('bcdefgh', 100) || ''') = '''''),
	('strpos of long in long', 'strpos(name, ''' || repeat('a', 900) || 'b'') > 0'),
	('strpos of long in concatenated', 'strpos(name || name || name, ''' || repeat('a', 500) || ''') > 0'),
	('position of a column in another', 'position(name || ''a'' IN name) > 0 AND ' || times(5, 'strpos(name, word) > #', ' AND ')),
	('5,000 terms of LIKE', times(5000, 'name LIKE ''%a#%''', ' OR ')),
	('5,000 terms of LIKE on a short column', times(5000, 'word LIKE ''%a#%''', ' OR ')),
	('1,000 terms of ILIKE', times(1000, 'word ILIKE ''%a#%''', ' AND ')),
	('nested CASE', times(300, 'CASE WHEN name LIKE ''%#%'' THEN 1 ELSE ', '') || '2' || repeat(' END', 300) || ' = 1'),
	('CASE in the condition of CASE', times(30, 'CASE WHEN md5(name) = ''#'' THEN true ELSE ', '') || 'false' || repeat(' END', 30)),
	('chain of products', times(300, 'amount', ' * ') || ' > 0'),
	('chain of quotients', times(100, 'amount', ' / ') || ' > 0'),
	('chain of sums', times(500, 'amount', ' + ') || ' > 0'),
	('a huge constant in arithmetic', 'amount + 1e100000 > 0'),
	('a constant of many digits', times(20, 'amount * 0.' || repeat('7', 900), ' + ') || ' > 0'),
	('powers', times(500, 'power(score, 1.7)', ' + ') || ' > 0'),
	('long formats', times(20, 'to_char(moment, ''' || repeat('YYYYMM', 10) || ''')', ' || ') || ' = '''''),
	('a very long format', 'to_char(moment, ''' || repeat('YYYYMM', 150) || ''') = '''''),
	('time zones', times(100, '(moment + # * span)::timestamptz > instant', ' AND ')),
	('split_part', times(20, 'split_part(name, ''a'', #) = ''x''', ' OR ')),
	('joins of texts that may be stored compressed', times(20, '(''#'' || name) IS NULL', ' OR ')),
	('comparisons of texts that may be stored compressed', times(8, '(name || ''#'') = name', ' OR ')),
	('reverse', repeat('reverse(', 20) || 'name' || repeat(')', 20) || ' = '''''),
	('digests', times(20, 'md5(name || #::text) = ''x''', ' OR ')),
	('upper and lower', times(20, 'upper(lower(name || ''#'')) = ''x''', ' OR ')),
	('two lists of 600', times(2, 'age IN (' || times(600, '#', ', ') || ')', ' AND ')),
	('lists of expressions', 'age IN (' || times(300, 'age + #', ', ') || ') AND age <> ALL (ARRAY[' || times(300, 'age * #', ', ') || '])'),
	('a list to be ordered by', 'name > ALL (ARRAY[' || times(500, '''x#''', ', ') || '])'),
	('GREATEST of many', 'greatest(' || times(200, 'name || ''#''', ', ') || ') > ''x'''),
	('casts', times(100, '(amount + #)::text', ' || ') || ' = ''x''');
SELECT name, verdict(format('SELECT count(*) FROM person WHERE %s', condition)) FROM attack;
-- wherever it stands
SELECT verdict(replace(query, '#', (SELECT condition FROM attack WHERE name = 'powers'))) FROM unnest(ARRAY[
	'SELECT count(*) FILTER (WHERE #) FROM person', 'SELECT dp_sum(CASE WHEN # THEN 1.0 ELSE 0 END, 0, 1) FROM person', 'SELECT #, count(*) FROM person GROUP BY 1',
	'SELECT count(*) FROM (SELECT person_id, # AS c FROM person) s WHERE c', 'SELECT count(*) FROM (SELECT * FROM person WHERE #) s', 'WITH s AS (SELECT * FROM person WHERE #) SELECT count(*) FROM s']) query;
-- columns of subqueries stand for their expressions, as often as they are used
CREATE FUNCTION doubled(n int, operation text) RETURNS text LANGUAGE sql AS $$
	SELECT 'SELECT count(*) FROM ' || repeat('(SELECT person_id, ' || operation || ' AS word FROM ', n) || 'person' || repeat(') s', n) || ' WHERE word <> ''''' $$;
SELECT n, verdict(doubled(n, 'word || word')) FROM unnest('{1,3,12,40}'::int[]) n;
SELECT n, verdict(doubled(n, 'coalesce(nullif(word, ''x''), word, nullif(word, ''y''))')) FROM unnest('{1,3,12,40}'::int[]) n;
-- whatever follows them, and whatever they are made of
CREATE FUNCTION nested(n int, operation text) RETURNS text LANGUAGE sql AS $$
	SELECT repeat('(SELECT person_id, ' || operation || ' AS age FROM ', n) || 'person' || repeat(') s', n) $$;
SELECT use, (SELECT string_agg(verdict(replace(query, '#', nested(n, operation))), '; ' ORDER BY n) FROM unnest('{1,18}'::int[]) n)
FROM (VALUES ('aggregates', 'age + age', 'SELECT dp_sum(age, 0, 1) > 0 FROM #'), ('aggregates without bounds', 'age + age', 'SELECT sum(age) > 0 FROM #'),
	('conditions', 'age + age', 'SELECT count(*) FROM # WHERE age > 5'), ('keys', 'age + age', 'SELECT age, count(*) FROM # GROUP BY age'),
	('equalities', 'age + age', 'SELECT count(*) FROM # JOIN (VALUES (5)) v(k) ON k = age'), ('no use', 'age + age', 'SELECT count(*) FROM #'),
	('FILTER', 'age + age', 'SELECT count(*) FILTER (WHERE age > 5) FROM #'), ('names of joins', 'age + age', 'SELECT count(*) FROM (# JOIN (VALUES (10)) v(k) ON k = age) AS j WHERE age > 5'),
	('conditions inside', 'age + age', 'SELECT count(*) FROM (SELECT * FROM # WHERE age > 5) t'), ('WITH', 'age + age', 'WITH s AS (SELECT * FROM #) SELECT count(*) FROM s WHERE age > 5'),
	('subqueries', 'CASE WHEN age IN (VALUES (1), (2)) AND age IN (VALUES (3), (4)) THEN 1 END', 'SELECT count(*) FROM # WHERE age > 5'), ('CASE', 'CASE age WHEN age THEN 1 END', 'SELECT count(*) FROM # WHERE age > 5')) AS uses(use, operation, query);
-- of columns that read no column, and of many that are long
SELECT verdict('SELECT count(*) FROM ' || repeat('(SELECT person_id, c + c AS c FROM ', n) || '(SELECT person_id, 1' || repeat(' + 1', 2000) || ' AS c FROM person) s' ||
	repeat(') s', n) || ' WHERE c > 5') FROM unnest('{7,14}'::int[]) n;
SELECT verdict('SELECT count(*) FROM (SELECT person_id, age' || repeat(' + 0', 1000) || ' AS age FROM person) s WHERE ' || string_agg('age <> ' || i, ' AND ')) FROM generate_series(1, 200) i;
-- deeper than the stack, though each expression is not
SELECT verdict('SELECT sum(age) FROM ' || nested(6, 'age' || repeat(' + 0', 3000)));
-- however deep: what is measured is measured once
SELECT name, verdict(format('SELECT count(*) FROM person WHERE %s = ''x''', repeat(before, 200) || 'word' || repeat(after, 200))) FROM (VALUES
	('NULLIF', 'nullif(', ', ''y'')'), ('NULLIF, the other way', 'nullif(''y'', ', ')'), ('COALESCE', 'coalesce(', ', ''y'')'),
	('CASE', 'CASE WHEN word <> '''' THEN ', ' END'), ('CASE of it', 'CASE ', ' WHEN ''y'' THEN ''z'' ELSE word END'),
	('concatenation', '(', ' || ''y'')'), ('GREATEST', 'greatest(', ', ''y'')'), ('lower', 'lower(', ')')) AS nested(name, before, after);
SELECT charges('person') - :charged_before AS charged;

-- a refusal says where, and what to write instead
SET ROLE regress_rw_analyst;
\set VERBOSITY default
SELECT count(*) FROM person WHERE age > 3 AND btrim(name, 'a long set of characters, of which each is compared with each at the ends of the text') <> '';
\set VERBOSITY terse
RESET ROLE;

--
-- What analysts ask passes
--
CREATE TABLE honest (query text);
INSERT INTO honest VALUES
	('SELECT count(*) FROM person WHERE lower(name) LIKE ''%x%'''),
	('SELECT count(*) FROM person WHERE lower(word) LIKE ''%x%'' OR lower(region) LIKE ''%x%'' OR code LIKE ''x%'''),
	('SELECT count(*) FROM person WHERE name LIKE ''a%b'' AND name NOT LIKE ''%zz%'' AND word ILIKE ''%word%'''),
	('SELECT count(*) FROM person WHERE CASE ' || times(20, 'WHEN age = # THEN #', ' ') || ' ELSE 0 END > 3'),
	('SELECT count(*) FROM person WHERE CASE ' || times(20, 'WHEN word LIKE ''Word #%'' THEN #', ' ') || ' ELSE 0 END > 3'),
	('SELECT count(*) FROM person WHERE CASE word ' || times(20, 'WHEN ''Word #'' THEN #', ' ') || ' ELSE 0 END > 3'),
	('SELECT count(*) FROM person WHERE age IN (' || times(850, '#', ', ') || ')'),
	('SELECT count(*) FROM person WHERE age NOT IN (' || times(500, '#', ', ') || ')'),
	('SELECT count(*) FROM person WHERE word IN (' || times(300, '''Word #''', ', ') || ')'),
	('SELECT region, sum(quantity), sum(price), sum(price * (1 - discount)), dp_sum((price * (1 - discount) * (1 + tax))::float8, 0, 1000), avg(quantity), avg(price), avg(discount), count(*) FROM person WHERE day <= date ''2024-12-01'' - interval ''90 days'' GROUP BY region'),
	('SELECT dp_sum((price * discount)::float8, 0, 100) FROM person WHERE day >= date ''2024-01-01'' AND day < date ''2024-01-01'' + interval ''1 year'' AND discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND quantity < 24'),
	('SELECT date_trunc(''month'', instant), count(*) FROM person GROUP BY 1'),
	('SELECT extract(year FROM day), extract(month FROM day), count(*) FROM person GROUP BY 1, 2'),
	('SELECT to_char(moment, ''YYYY-MM''), count(*) FROM person GROUP BY 1'),
	('SELECT substr(name, 1, 2), left(name, 1), count(*) FROM person GROUP BY 1, 2'),
	('SELECT width_bucket(score, 0, 20, 10), count(*) FROM person GROUP BY 1'),
	('SELECT count(*) FROM person WHERE trim(name) <> '''' AND name || '' '' || word <> ''x'''),
	('SELECT split_part(word, '' '', 1), count(*) FROM person GROUP BY 1'),
	('SELECT sum(amount), avg(amount), stddev(amount), count(amount) FROM person WHERE amount > 1 AND round(amount, 2) < 1000'),
	('SELECT count(*) FROM person WHERE coalesce(name, '''') > ''ab'' AND upper(code) = ''C1'''),
	('SELECT age, count(*), sum(age), avg(score), stddev(score), count(DISTINCT person_id) FROM person GROUP BY age');
SELECT left(query, 70) AS query FROM honest WHERE ask(query) ~ '^[A-Z0-9]{5}:';
SELECT ask('SELECT count(*) FROM person WHERE age IN (' || times(1001, '#', ', ') || ')');

--
-- Long values are null as arguments, keys and numbers, and only there
--
SELECT condition, ask(format('SELECT count(*) FROM long_value WHERE %s', condition)) FROM unnest(ARRAY[
	'true', 't IS NOT NULL', 'length(t) > 0', 'octet_length(t) > 0', 't LIKE ''a%''', 't LIKE ''%a''', 'lower(t) > ''a''', 't > ''a''', 't || ''b'' <> ''''', 'left(t, 1) = ''a''', 't <> ''b''', 't <> ''bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb''', 'md5(t) <> ''''',
	'n IS NOT NULL', 'n > 0', 'n + 1 IS NOT NULL', 'n::float8 > 0', 'round(n) IS NOT NULL', 'n::text <> ''''', 'greatest(n, 1) > 0', 'n IN (1.5, 2.5)']) condition;
SELECT ask('SELECT count(t), count(n), count(*) FROM long_value'), ask('SELECT sum(n) BETWEEN 8 AND 15, count(n) FROM long_value');
SELECT ask('SELECT length(left(t, 1)), count(*) FROM long_value GROUP BY 1');
-- an element of a list is copied into it
SELECT test, ask(format('SELECT count(*) FROM long_value WHERE %s', test)) FROM unnest(ARRAY['left(''b'', 1) <> ALL (ARRAY[t])', '''b'' <> ALL (ARRAY[t, ''c''])',
	'1.5 <> ALL (ARRAY[n])', '2 < ALL (ARRAY[n, 3])']) test;
SELECT n, verdict(format('SELECT count(*) FROM person WHERE ''x'' = ANY (ARRAY[%s])', (SELECT string_agg('word', ', ') FROM generate_series(1, n)))) FROM unnest('{1,70}'::int[]) n;
SELECT n, verdict(format('SELECT count(*) FROM long_value WHERE ''x'' = ANY (ARRAY[%s])', (SELECT string_agg('t', ', ') FROM generate_series(1, n)))) FROM unnest('{1,70}'::int[]) n;
-- so are values that are stored out of line
SELECT ask('SELECT count(*) FROM stored_away WHERE t IS NOT NULL'), ask('SELECT count(*) FROM stored_away WHERE t LIKE ''a%''');
-- and parameters
SELECT array_agg(-i) FILTER (WHERE i <= 500) AS few, array_agg(-i) AS many FROM generate_series(1, 600) i \gset
SET ROLE regress_rw_analyst;
PREPARE p(text, int[]) AS SELECT count(*) FROM work.person WHERE name <> $1 AND age <> ALL ($2);
EXECUTE p(repeat('x', 1000), :'few');
EXECUTE p(repeat('x', 1001), '{}');
EXECUTE p('', :'many');
-- an array that PL/pgSQL has taken apart is as long as it is, too
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION pg_temp.not_among(length int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	list int[] := '{}';
	answer bigint;
BEGIN
	FOR i IN 1 .. length LOOP
		list := list || -i;
	END LOOP;
	SELECT count(*) INTO answer FROM work.person WHERE age <> ALL (list);
	RETURN answer;
END $$;
SELECT pg_temp.not_among(n) FROM unnest('{0,1,500,501}'::int[]) n;
RESET plan_cache_mode;
RESET ROLE;

--
-- LIKE has a matcher of its own: as the built-in one
--
SELECT setseed(0.42);
CREATE TABLE pair AS SELECT (SELECT coalesce(string_agg((ARRAY['a', 'b', 'é', 'ab', '漢', '\'])[1 + floor(random() * 6)::int], ''), '') FROM generate_series(1, (random() * 9)::int + 0 * i)) AS t,
	(SELECT coalesce(string_agg((ARRAY['a', 'b', 'é', '%', '_', '%', '漢', '\a', '\%', '\_', '\\'])[1 + floor(random() * 11)::int], ''), '') FROM generate_series(1, (random() * 8)::int + 0 * i)) AS p
FROM generate_series(1, 50000) i;
SELECT count(*) FILTER (WHERE t LIKE p) > 1000 AS some_match, count(*) FILTER (WHERE (t LIKE p) IS DISTINCT FROM total_textlike(t, p)) AS like_differs,
	count(*) FILTER (WHERE (t NOT LIKE p) IS DISTINCT FROM total_textnlike(t, p)) AS not_like_differs,
	count(*) FILTER (WHERE (upper(t) ILIKE p) IS DISTINCT FROM total_texticlike(upper(t), p)) AS ilike_differs FROM pair;
SELECT total_textlike('a', repeat('a', 257)) IS NULL AS long_pattern, total_textlike('a', repeat('%', 101)) IS NULL AS many_wildcards,
	total_textlike('a', '%' || repeat('b', 65) || '%') IS NULL AS long_part, total_textlike(repeat('b', 70), repeat('b', 65) || '%') AS long_head, total_textlike(repeat('b', 70), '%' || repeat('b', 65)) AS long_tail;
-- which in encodings of which a byte does not tell where a character begins is what is used, and takes longer
SELECT verdict(q) FROM unnest(ARRAY['SELECT count(*) FROM person WHERE word LIKE ''%'  || repeat('x', 60) || '%''',
	'SELECT count(*) FROM person WHERE word ILIKE ''%' || repeat('x', 60) || '%''', 'SELECT count(*) FROM person WHERE word LIKE ''%x%'' OR word ILIKE ''x%''']) q;
-- what is evaluated several times counts several times, and copies are counted
CREATE FUNCTION nested(n int, inner_one text, around text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := inner_one;
BEGIN
	FOR i IN 1 .. n LOOP result := replace(around, '#', result); END LOOP;
	RETURN result;
END
$$;
SET ROLE regress_rw_steward;
CREATE TABLE label (k int PRIMARY KEY, label text NOT NULL UNIQUE);
INSERT INTO label VALUES (0, 'a'), (1, 'b');
SELECT privacct.declare_public('label');
GRANT SELECT ON label TO regress_rw_analyst;
RESET ROLE;
SELECT n, verdict('SELECT count(*) FROM person WHERE ' || nested(n, '(' || nested(8, 'md5(word)', 'reverse(#)') || ' NOT IN (SELECT label FROM label))', '(#::int NOT IN (SELECT k FROM label WHERE k > 1))'))
FROM unnest('{0,1,12}'::int[]) n;
SELECT n, verdict('WITH c0 AS (SELECT age FROM person), ' || (SELECT string_agg(format('c%s AS (SELECT a.age FROM c%s a, c%s b)', i, i - 1, i - 1), ', ') FROM generate_series(1, n) i) || format(' SELECT count(*) FROM c%s', n))
FROM unnest('{1,40}'::int[]) n;
SELECT n, verdict('SELECT count(*) FROM person WHERE age NOT IN ' || nested(n, '(SELECT k FROM label)', '(SELECT k FROM label WHERE k NOT IN #)')) FROM unnest('{2,30}'::int[]) n;
-- what is joined is limited before it is looked through
SELECT n, verdict('SELECT count(*) FROM person ' || (SELECT string_agg(format('JOIN label l%s ON l%s.k = person.age', i, i), ' ') FROM generate_series(1, n) i)) FROM unnest('{3,65,1000}'::int[]) n;
-- no more formats of dates than the session keeps
SELECT n, verdict('SELECT count(*) FROM person WHERE CASE ' || (SELECT string_agg(format('WHEN age = %s THEN to_char(moment, ''DD%s'') = word', i, i), ' ') FROM generate_series(1, n) i) || ' END') FROM unnest('{3,20,21}'::int[]) n;
-- quantiles of one value cut the same row again and again
SELECT n, verdict('SELECT privacct.dp_quantile(age, ARRAY[' || (SELECT string_agg((i::float8 / (n + 1))::text, ', ') FROM generate_series(1, n) i) || '], 0, 99) IS NOT NULL FROM person') FROM unnest('{1,3,9,15,16,99,255}'::int[]) n;
-- all columns before the one that is wanted are gone through
RESET ROLE;
SET ROLE regress_rw_steward;
DO $$
BEGIN
	EXECUTE 'CREATE TABLE wide (person_id int PRIMARY KEY, ' || (SELECT string_agg(format('c%s "char"', i), ', ') FROM generate_series(1, 1500) i) || ')';
END
$$;
SELECT privacct.protect('wide', 'person_id', epsilon => 1000) > 0 AS protected;
DO $$ BEGIN PERFORM privacct.grant_budget('wide', 'regress_rw_analyst', 1000); END $$;
SET ROLE regress_rw_analyst;
SELECT n, verdict('SELECT count(*) FROM wide WHERE ' || (SELECT string_agg('md5(person_id::text) <> ''a''', ' AND ') FROM generate_series(1, n))) FROM unnest('{1,6}'::int[]) n;
-- wherever the table is read
SELECT n, verdict('SELECT count(*) FROM (' || (SELECT string_agg('SELECT person_id FROM wide WHERE person_id > 0', ' UNION ALL ') FROM generate_series(1, n)) || ') x') FROM unnest('{1,2,3}'::int[]) n;
RESET ROLE;
-- texts in the order of the C library, which for some characters takes the square of their length
SET ROLE regress_rw_steward;
CREATE TABLE letter (person_id int PRIMARY KEY, libc varchar(50) COLLATE "C.utf8", bytes varchar(50) COLLATE "C");
SELECT privacct.protect('letter', 'person_id', epsilon => 1000) > 0 AS protected;
DO $$ BEGIN PERFORM privacct.grant_budget('letter', 'regress_rw_analyst', 1000); END $$;
SET ROLE regress_rw_analyst;
SELECT condition, verdict('SELECT count(*) FROM letter WHERE ' || condition) FROM unnest(ARRAY['libc < ''m''', 'libc BETWEEN ''a'' AND ''m''', 'libc COLLATE "C" < ''m''', 'libc = ''m''', 'bytes < ''m''', 'substr(libc, 1, 1) < ''m''']) condition;
RESET ROLE;
CREATE DATABASE regress_rw_japan ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0;
\connect regress_rw_japan
\o /dev/null
SET client_min_messages = warning;
CREATE EXTENSION privacct;
GRANT CREATE ON SCHEMA public TO regress_rw_steward;
SET ROLE regress_rw_steward;
CREATE TABLE public.person (person_id int PRIMARY KEY, word varchar(50));
SELECT privacct.protect('person', 'person_id', epsilon => 1), privacct.grant_budget('person', 'regress_rw_analyst', 1);
\o
\set VERBOSITY sqlstate
SET ROLE regress_rw_analyst;
EXPLAIN SELECT count(*) FROM person WHERE word LIKE '%xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%';
EXPLAIN SELECT count(*) FROM person WHERE word ILIKE '%xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%';
EXPLAIN (COSTS OFF) SELECT count(*) FROM person WHERE word LIKE '%x%';
-- the C library may not know all characters of the encoding
EXPLAIN SELECT count(*) FROM person WHERE word ILIKE 'x%';
EXPLAIN SELECT count(*) FROM person WHERE lower(word) = 'x';
EXPLAIN SELECT count(*) FROM person WHERE initcap(word) = 'X';
\connect regression
SET client_min_messages = warning;
DROP DATABASE regress_rw_japan;
DROP SCHEMA work CASCADE;
DROP ROLE regress_rw_steward, regress_rw_analyst;
