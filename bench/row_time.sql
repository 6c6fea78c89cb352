-- SPDX-License-Identifier: GPL-3.0-or-later
-- A table whose rows are alike: one value at an extreme of each type in each column,
-- and the calls of every function on them, with as many copies as a block may have.
SET ROLE bench_owner;
CREATE TABLE extreme AS SELECT i AS owner, 1 AS flag, 5 AS five, 5::int8 AS fives,
	true AS bool1, 32767::int2 AS int21, 2147483647 AS int41, 9223372036854775807 AS int81, 3.4e38::float4 AS float41,
	1.2345678901234567e-300::float8 AS float81, -1.5::float8 AS float82,
	(repeat('9', 100))::numeric AS numeric1, (repeat('9', 60) || '.' || repeat('9', 60))::numeric AS numeric2,
	('0.' || repeat('0', 59) || '7321')::numeric AS numeric3, 12345.67 AS numeric4,
	repeat('a', 1024) AS text1, repeat('é', 512) AS text2, repeat('a', 256) AS text3, repeat('é', 128) AS text4, repeat('€', 80) || 'ab' AS text5,
	'a'::text AS text6, repeat('a', 8) AS text7, repeat(' ', 1023) || 'a' AS text8,
	(SELECT string_agg(chr(97 + ('x' || substr(md5(g::text), 1, 4))::bit(16)::int % 4), '' ORDER BY g) FROM generate_series(1, 1024) g) AS text9,
	repeat('a', 1024)::varchar AS varchar1, repeat('€', 341)::varchar AS varchar2,
	repeat('a', 1024)::bpchar AS bpchar1, repeat('é', 100)::char(512) AS bpchar2,
	date '9999-12-31' AS date1, timestamp '9999-12-31 23:59:59.999999' AS timestamp1, timestamp '1999-08-17 11:22:33' AS timestamp2,
	timestamptz '9999-12-30 23:59:59.999999' AS timestamptz1, timestamptz '1999-08-17 11:22:33' AS timestamptz2,
	time '23:59:59.999999' AS time1, interval '-900 years -11 mons -29 days -23:59:59.999999' AS interval1, interval '3 days' AS interval2,
	'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS uuid1
FROM generate_series(1, :rows) i;
RESET ROLE;
-- stored compressed, which takes long to undo: many short matches
ALTER TABLE extreme ALTER text9 SET STORAGE main;
DO $$ DECLARE c record; BEGIN
	FOR c IN SELECT attname FROM pg_attribute WHERE attrelid = 'extreme'::regclass AND attnum > 0 AND attstorage = 'x' LOOP
		EXECUTE format('ALTER TABLE extreme ALTER %I SET STORAGE plain', c.attname);
	END LOOP;
END $$;
ALTER TABLE extreme ALTER owner SET NOT NULL;
VACUUM (FULL, FREEZE, ANALYZE) extreme;
SELECT privacct.protect('extreme', 'owner', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01), privacct.grant_budget('extreme', 'bench_analyst', epsilon => 1e6, delta => 0.01);

-- Calls: each function on columns of its types, later arguments on constants, too.
CREATE TABLE argument (type text, place int, expression text, is_column boolean DEFAULT false);
INSERT INTO argument SELECT regexp_replace(attname, '\d$', ''), place, attname, true FROM pg_attribute, generate_series(1, 2) place
	WHERE attrelid = 'extreme'::regclass AND attname ~ '\d$' AND attnum > 0 AND (place = 1 OR attname ~ '[16]$');
INSERT INTO argument SELECT 'text', place, quote_literal(e) || '::text' FROM generate_series(1, 2) place,
	unnest(ARRAY['b', 'ab', repeat('a', 9) || 'b', 'b' || repeat('a', 9), 'bcdefghé', '%b', '%ab%', '%' || repeat('a', 60) || 'b%', '%_a_a_a_b%', '%é_é_éa%', '%a%a%a%a%a%b%',
		repeat('a%', 90), repeat('_', 250), 'epoch', 'microseconds', 'week', 'month', 'millennium', 'isoyear', 'YYYY-MM-DD HH24:MI:SS.US', 'TMDay, TMMonth DDth YYYY TZ', repeat('WQDJIY', 10), repeat('FMRM', 16)]) e;
INSERT INTO argument SELECT t, place, e || '::' || t FROM generate_series(2, 4) place,
	(VALUES ('int4', '2'), ('int4', '-1'), ('int4', '500'), ('int4', '60'), ('text', '''Europe/Berlin'''), ('float8', '3.7'), ('numeric', '7.77'), ('numeric', repeat('3', 80))) v(t, e);
ANALYZE argument;
CREATE TABLE candidate AS
SELECT p.oid, format('%s.%I', pronamespace::regnamespace, proname) AS name, pronargs,
	ARRAY(SELECT t.typname::text FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY u(t, o) JOIN pg_type t ON t.oid = u.t ORDER BY u.o) AS types
FROM pg_proc p
WHERE p.prokind = 'f' AND p.provolatile <> 'v' AND NOT p.proretset AND (p.pronargs BETWEEN 1 AND 3 OR p.proname = 'width_bucket') AND p.provariadic = 0
AND (p.pronamespace = 'pg_catalog'::regnamespace OR p.oid = 'privacct.logistic(float8)'::regprocedure);
DELETE FROM candidate WHERE NOT types <@ (SELECT array_agg(type) FROM argument);
CREATE TABLE call AS
SELECT DISTINCT c.expression FROM candidate f CROSS JOIN LATERAL (
	SELECT format('%s(%s)', f.name, concat_ws(', ', a.expression, b.expression, c.expression, d.expression)) AS expression
	FROM argument a LEFT JOIN argument b ON b.type = f.types[2] AND b.place = 2
	LEFT JOIN argument c ON c.type = f.types[3] AND c.place = 3
	LEFT JOIN argument d ON d.type = f.types[4] AND d.place = 4
	WHERE a.type = f.types[1] AND a.place = 1 AND (a.is_column OR b.is_column)
	AND (f.pronargs < 2 OR b.type IS NOT NULL) AND (f.pronargs < 3 OR c.type IS NOT NULL) AND (f.pronargs < 4 OR d.type IS NOT NULL)
	ORDER BY md5(concat(a.expression, b.expression, c.expression, d.expression))
	LIMIT CASE WHEN f.types && '{text,varchar,bpchar,numeric,interval,timestamp,timestamptz}' THEN :calls ELSE 1 END) c;
INSERT INTO call VALUES
	('numeric1::text'), ('numeric2::text'), ('float81::text'), ('interval1::text'), ('timestamptz1::text'), ('timestamp1::text'), ('uuid1::text'), ('date1::text'),
	('greatest(numeric1, numeric2)'), ('greatest(text3, text4)'), ('greatest(text3, text3 || ''b'')'), ('greatest(int41, 3)'), ('nullif(text1, text1)'), ('text1 IS DISTINCT FROM text1'), ('coalesce(text1, text2)'),
	('CASE text1 WHEN ''a'' THEN 1 WHEN ''b'' THEN 2 END'), ('CASE WHEN int41 = 3 THEN 1 WHEN int41 = 4 THEN 2 END'),
	('text9 || ''a'''), ('''a'' || text9'), ('text9 || text9'), ('text9 = (text9 || '''')'), ('text9 <> ALL (ARRAY[' || (SELECT string_agg(quote_literal(repeat('b', 1023) || n), ', ') FROM generate_series(1, 2) n) || '])'), ('text9 LIKE ''ab%'''), ('text9 LIKE ''%zz'''), ('nullif(text9, text1)'), ('text9 IS DISTINCT FROM text1'),
	('text1 || text1'), ('text1 || ''a'' || text6'), ('upper(text3 COLLATE "en-x-icu")'), ('lower(text4 COLLATE "en-x-icu")'), ('initcap(text4 COLLATE "en-x-icu")'), ('initcap(text5 COLLATE "en-x-icu")'),
	('upper(text4 COLLATE "C.utf8")'), ('lower(text3 COLLATE "C.utf8")'), ('initcap(text3 COLLATE "C.utf8")'),
	('text3 COLLATE "en-x-icu" < text4'), ('text4 COLLATE "en-x-icu" < (text4 || ''é'')'), ('text4 COLLATE "en-x-icu" < upper(text4 COLLATE "en-x-icu")'),
	('text4 COLLATE "en-x-icu" ILIKE ''%é_é_éa%'''), ('text3 COLLATE "C.utf8" ILIKE ''%ab%'''),
	('int41 IN (1, 2, 3)'), ('int41 IN (' || (SELECT string_agg(i::text, ',') FROM generate_series(1, 100) i) || ')'),
	('int41 IN (' || (SELECT string_agg('int81 + ' || i::text, ',') FROM generate_series(1, 20) i) || ')'),
	('int41 > ALL (ARRAY[' || (SELECT string_agg(i::text, ',') FROM generate_series(1, 100) i) || '])'),
	('text1 IN (' || (SELECT string_agg(quote_literal(repeat('a', 20) || i), ',') FROM generate_series(1, 50) i) || ')'),
	('text3 > ALL (ARRAY[' || (SELECT string_agg(quote_literal('a' || i), ',') FROM generate_series(1, 10) i) || '])'),
	('numeric2 IN (' || (SELECT string_agg(i::text, ',') FROM generate_series(1, 50) i) || ')');

-- The bound of an expression in nanoseconds, from the refusal of many copies; NULL: not allowed even once.
CREATE FUNCTION copies(e text, n int) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('((%s) IS NULL) IS NOT NULL', e), ' AND ') FROM generate_series(1, n) $$;
CREATE FUNCTION bound(e text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE detail text; n int := 2000 - least(1900, length(e)); BEGIN
	EXECUTE 'EXPLAIN SELECT count(*) FROM extreme WHERE CASE WHEN flag = 0 THEN ' || copies(e, n) || ' END';
	RETURN NULL;
EXCEPTION WHEN sqlstate '42PA1' THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN substring(detail FROM 'A row could take (\d+) microseconds')::float8 * 1000 / n;
WHEN OTHERS THEN RETURN NULL;
END $$;
-- Time of this process on a processor, in nanoseconds: the machine may have other things to do.
-- The kernel counts it when the process gives the processor back, as it does to sleep.
CREATE FUNCTION cpu_time() RETURNS float8 LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ BEGIN
	PERFORM pg_sleep(0.0001);
	RETURN split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8;
END $$;
-- Nanoseconds that a row takes in the first query, more than in the second.
CREATE FUNCTION more_time(queries text[], reps int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	best float8[] := '{Infinity,Infinity}';
	start float8;
	rows float8 := current_setting('bench.rows');
BEGIN
	FOR i IN 1..reps LOOP
		FOR side IN 1..2 LOOP
			start := cpu_time();
			EXECUTE queries[side];
			best[side] := least(best[side], (cpu_time() - start) / rows);
		END LOOP;
	END LOOP;
	RETURN best[1] - best[2];
END $$;
-- For rows of one side only the condition is evaluated; copies fill what a block may have.
CREATE FUNCTION row_time(e text, n int, reps int) RETURNS float8 LANGUAGE sql AS $$
	SELECT more_time(array_agg(format('SELECT count(*) FROM extreme WHERE CASE WHEN flag = %s THEN %s END', side, copies(e, n)) ORDER BY side), reps)
	FROM generate_series(1, 2) side $$;
-- Places of an expression in a query: it is evaluated as often as it is written, wherever it stands.
SET ROLE bench_owner;
CREATE TABLE pub AS SELECT i AS n, i AS m FROM generate_series(1, 100) i;
ALTER TABLE pub ADD PRIMARY KEY (n), ADD UNIQUE (m);
GRANT SELECT ON pub TO bench_analyst;
SELECT privacct.declare_public('pub');
RESET ROLE;
CREATE TABLE form (query text);
INSERT INTO form VALUES
	('SELECT count(*) FROM extreme WHERE E = 5'),
	('SELECT count(*) FROM extreme WHERE E = 5 AND E = five AND five = 5'),
	('SELECT count(*) FROM extreme WHERE E = five AND five = fives AND fives = E'),
	('SELECT count(*) FROM extreme WHERE E = 5 OR E = 6 AND five = 7'),
	('SELECT count(*) FROM extreme WHERE NOT (E = 5 AND E <> 6)'),
	('SELECT count(*) FROM extreme WHERE E IN (SELECT n FROM pub)'),
	('SELECT count(*) FROM extreme WHERE E NOT IN (SELECT n FROM pub)'),
	('SELECT count(*) FROM extreme WHERE (E, five) IN (SELECT n, m FROM pub)'),
	('SELECT count(*) FROM extreme WHERE E IN (VALUES (5), (6), (7))'),
	('SELECT count(*) FROM extreme JOIN pub ON n = E'),
	('SELECT count(*) FROM extreme JOIN pub ON n = E WHERE n = five AND five = 5'),
	('SELECT count(*) FROM extreme LEFT JOIN pub ON n = E'),
	('SELECT count(*) FROM extreme LEFT JOIN pub ON n = E WHERE n IS NULL'),
	('SELECT count(*) FROM extreme JOIN pub p ON p.n = E JOIN pub q ON q.n = E'),
	('SELECT count(*) FROM extreme JOIN pub p ON p.n = E JOIN pub q ON q.n = p.m'),
	('SELECT count(*) FROM extreme JOIN pub p ON p.n = E JOIN pub q ON q.n = p.n AND q.n = five'),
	('SELECT count(*) FROM (SELECT E AS x, five FROM extreme) s WHERE x = 5 AND x = five'),
	('SELECT count(*) FROM (SELECT E AS x FROM extreme) s JOIN pub ON n = x WHERE x IN (SELECT m FROM pub)'),
	('WITH s AS (SELECT E AS x FROM extreme) SELECT count(*) FROM s WHERE x = 5 AND x <> 6'),
	('WITH s AS MATERIALIZED (SELECT E AS x FROM extreme) SELECT count(*) FROM s WHERE x = 5 AND x <> 6'),
	('SELECT count(*) FILTER (WHERE E = 5), count(*) FILTER (WHERE E = 5) FROM extreme'),
	('SELECT count(E), count(E) FROM extreme'),
	('SELECT count(*) FROM extreme WHERE CASE E WHEN 1 THEN five WHEN 2 THEN 3 WHEN 3 THEN 4 ELSE 5 END = 5'),
	('SELECT count(*) FROM extreme WHERE coalesce(nullif(E, 5), 6) = 6'),
	('SELECT count(*) FROM extreme WHERE E BETWEEN 4 AND 6'),
	('SELECT count(*) FROM extreme WHERE E BETWEEN SYMMETRIC 6 AND 4'),
	('SELECT count(*) FROM extreme WHERE (E = 5) IS NOT DISTINCT FROM (five = 5)'),
	('SELECT count(*) FROM extreme WHERE E = ANY (ARRAY[4, 5, 6])'),
	('SELECT count(*) FROM extreme WHERE greatest(E, five, 5) = 5');
-- E is 5 and costs n times the length of a compressed text, for rows of one side only.
CREATE FUNCTION form_query(query text, n int, side int) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(query, '\mE\M', format('(CASE WHEN flag = %s THEN greatest(5, %s) END)', side,
		(SELECT string_agg('length(text9) - 2000', ', ') FROM generate_series(1, n))), 'g') $$;
-- The most copies that the bound admits; 0: the form is not allowed.
CREATE FUNCTION form_copies(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n int := 0; BEGIN
	LOOP
		BEGIN
			EXECUTE 'EXPLAIN ' || form_query(query, n + 1, 1);
		EXCEPTION WHEN SQLSTATE '42PA1' THEN
			RETURN n;
		END;
		n := n + 1;
	END LOOP;
END $$;
CREATE FUNCTION form_time(query text, n int, reps int) RETURNS float8 LANGUAGE sql AS $$
	SELECT more_time(array_agg(form_query(query, n, side) ORDER BY side), reps) FROM generate_series(1, 2) side $$;
-- Joins of protected tables: one row of all, which meets those of its owner, against none that does.
SET ROLE bench_owner;
CREATE TABLE met AS SELECT i AS owner, CASE WHEN i = 5 THEN 1 ELSE 0 END AS flag FROM generate_series(1, :rows) i;
ALTER TABLE met ALTER owner SET NOT NULL;
RESET ROLE;
SELECT privacct.protect('met', 'owner', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, fresh => true), privacct.grant_budget('met', 'bench_analyst', epsilon => 1e6, delta => 0.01);
CREATE TABLE join_form (form text, tables int, query text);
INSERT INTO join_form SELECT 'chain', n, 'SELECT count(*) FROM met t0 ' || string_agg(format('JOIN met t%s ON t%1$s.owner = t%s.owner', i, i - 1), ' ') || ' WHERE t0.flag = SIDE'
	FROM unnest('{2,4,6,8}'::int[]) n, generate_series(1, n - 1) i GROUP BY n;
INSERT INTO join_form SELECT 'chain, all conditions', n, 'SELECT count(*) FROM met t0 ' || string_agg(format('JOIN met t%s ON t%1$s.owner = t%s.owner AND t%1$s.flag = SIDE', i, i - 1), ' ') || ' WHERE t0.flag = SIDE'
	FROM unnest('{2,4,6,8}'::int[]) n, generate_series(1, n - 1) i GROUP BY n;
INSERT INTO join_form SELECT 'star', n, 'SELECT count(*) FROM met t0 ' || string_agg(format('LEFT JOIN met t%s ON t%1$s.owner = t0.owner', i), ' ') || ' WHERE t0.flag = SIDE'
	FROM unnest('{2,4,6,8}'::int[]) n, generate_series(1, n - 1) i GROUP BY n;
INSERT INTO join_form VALUES
	('EXISTS', 2, 'SELECT count(*) FROM met t WHERE flag = SIDE AND EXISTS (SELECT FROM met u WHERE u.owner = t.owner)'),
	('NOT EXISTS', 2, 'SELECT count(*) FROM met t WHERE flag = SIDE AND NOT EXISTS (SELECT FROM met u WHERE u.owner = t.owner)'),
	('EXISTS a row', 2, 'SELECT count(*) FROM met t WHERE EXISTS (SELECT FROM met u WHERE u.owner = t.owner AND flag = SIDE)'),
	('NOT EXISTS a row', 2, 'SELECT count(*) FROM met t WHERE NOT EXISTS (SELECT FROM met u WHERE u.owner = t.owner AND flag = SIDE)'),
	('groups', 2, 'SELECT count(*) FROM met t JOIN (SELECT owner, count(*) FROM met WHERE flag = SIDE GROUP BY owner) u USING (owner)'),
	('through a public table', 2, 'SELECT count(*) FROM met t JOIN met u ON t.flag = u.flag JOIN pub ON n = t.owner AND n = u.owner WHERE t.flag = SIDE'),
	('below an outer join', 3, 'SELECT count(*) FROM met x LEFT JOIN (met t JOIN met u ON t.flag = u.flag AND t.flag = SIDE) ON x.owner = t.owner AND x.owner = u.owner');
CREATE TABLE join_figure (form text, tables int, measured float8);
-- Nanoseconds that the row takes alone; planning, which takes longer than the row, is done before.
CREATE FUNCTION join_time(query text, reps int) RETURNS float8 LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE time float8; BEGIN
	EXECUTE 'PREPARE met AS ' || replace(query, 'SIDE', '1');
	EXECUTE 'PREPARE not_met AS ' || replace(query, 'SIDE', '3');
	time := more_time('{EXECUTE met,EXECUTE not_met}', reps) * current_setting('bench.rows')::float8;
	DEALLOCATE met;
	DEALLOCATE not_met;
	RETURN time;
END $$;
-- Groupings of selected groups: each row of one side is a group of its own in all of them.
SET ROLE bench_owner;
CREATE TABLE own_group AS SELECT i AS owner, 1 AS flag, x AS longest, p || x % 2 AS text1, p || x / 2 % 2 AS text2, p || x / 4 % 2 AS text3, x / 8 % 2 AS int1, x / 16 % 2 AS int2, x / 32 % 2 AS int3, x / 64 % 2 AS int4, p || x AS text4
FROM (SELECT i, hashint4(i) & 2147483647 AS x FROM generate_series(1, 10 * :rows) i) r, (SELECT repeat('x', 240) AS p) p;
ALTER TABLE own_group ALTER owner SET NOT NULL;
RESET ROLE;
VACUUM (FREEZE, ANALYZE) own_group;
SELECT privacct.protect('own_group', 'owner', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, fresh => true), privacct.grant_budget('own_group', 'bench_analyst', epsilon => 1e6, delta => 0.01);
-- The most groupings of these columns that the bound admits, each by the last and others.
CREATE FUNCTION levels_query(keys text[], aggregates text, n int, side int) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT %s FROM own_group WHERE flag = %s GROUP BY GROUPING SETS (%s)', aggregates, side, string_agg(sets, ', ')) FROM (
		SELECT (SELECT format('(%s)', string_agg(k, ', ')) FROM unnest(keys) WITH ORDINALITY u(k, o) WHERE o = cardinality(keys) OR i >> (o - 1)::int & 1 = 1) AS sets
		FROM generate_series(1, (1 << cardinality(keys) - 1) - 1) i ORDER BY length(replace(i::bit(8)::text, '0', '')) = cardinality(keys) / 2 DESC, i LIMIT n) s $$;
CREATE FUNCTION most_levels(keys text[], aggregates text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n int := 1; BEGIN
	LOOP
		BEGIN
			EXECUTE 'EXPLAIN ' || levels_query(keys, aggregates, n + 1, 1);
		EXCEPTION WHEN SQLSTATE '42PA1' THEN
			RETURN n;
		END;
		n := n + 1;
		IF n >= (1 << cardinality(keys) - 1) - 1 THEN RETURN n; END IF;
	END LOOP;
END $$;
CREATE FUNCTION levels_time(keys text[], aggregates text, n int, reps int) RETURNS float8 LANGUAGE sql AS $$
	SELECT more_time(ARRAY[levels_query(keys, aggregates, n, 1), levels_query(keys, aggregates, n, 2)], reps) / 10 $$;
CREATE TABLE levels_form (keys text[], aggregates text, several int);
INSERT INTO levels_form SELECT keys, CASE several WHEN 1 THEN 'count(*)' ELSE (SELECT string_agg(format('privacct.dp_variance(longest, 0, %s)', i), ', ') FROM generate_series(1, several) i) END, several
FROM unnest('{1,5,15}'::int[]) several, (VALUES ('{int1,int2,int3,int4,longest}'::text[]), ('{text1,text4}'), ('{text1,text2,text3,text4}'), ('{int1,int2,int3,text1,text2,text4}'), ('{int1,int2,int3,int4,text4}')) k(keys);
CREATE TABLE levels_figure (keys text[], several int, groupings int, measured float8);
CREATE TABLE form_figure (query text, copies int, measured float8);
CREATE TABLE figure (expression text, bound float8, copies int, measured float8);
GRANT SELECT ON call, argument, form, join_form, levels_form TO bench_analyst;
GRANT ALL ON figure, form_figure, join_figure, levels_figure TO bench_analyst;
