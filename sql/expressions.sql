-- What may be computed on protected rows: every built-in function of the
-- allowed types is tried; those that are allowed never raise an error, whatever
-- the row, and otherwise answer as ever.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pe_steward;
GRANT privacct_admin TO regress_pe_steward;
CREATE ROLE regress_pe_analyst;
CREATE SCHEMA expr AUTHORIZATION regress_pe_steward;
CREATE SCHEMA desk AUTHORIZATION regress_pe_analyst;
GRANT USAGE ON SCHEMA expr TO PUBLIC;
SET search_path = expr, privacct;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SET IntervalStyle = 'postgres';
\ir :helpers
\set judged :abs_srcdir '/sql/include/judged_functions.psql'
\set ECHO none
\ir :judged
\set ECHO all
\pset format unaligned
\pset footer off
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pe_analyst', query) $$;

--
-- Every function of the allowed types, on twelve values of each type.  Owner k
-- stands for one combination of values of up to three arguments.
--

CREATE TABLE point (owner_id int PRIMARY KEY, k int NOT NULL);
INSERT INTO point SELECT k, k FROM generate_series(0, 1727) k;
CREATE FUNCTION make_values(type text, list text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	ASSERT cardinality(list) = 12;
	EXECUTE format('CREATE TABLE values_%s (n int PRIMARY KEY, v %s)', type, type);
	EXECUTE format('INSERT INTO values_%s SELECT n - 1, v::%s FROM unnest($1) WITH ORDINALITY u(v, n)', type, type) USING list;
	EXECUTE format('GRANT SELECT ON values_%s TO PUBLIC', type);
	PERFORM privacct.declare_public(format('values_%s', type)::regclass);
END
$$;
SELECT make_values(type, list) FROM (VALUES
	('bool', '{true,false,NULL,true,false,true,false,true,false,true,false,true}'::text[]),
	('int2', '{0,1,-1,2,-2,7,100,-100,32767,-32768,32766,NULL}'),
	('int4', '{0,1,-1,2,-2,7,1000,-100000,2147483647,-2147483648,2147483646,NULL}'),
	('int8', '{0,1,-1,2,-7,40000,3000000000,-3000000000,9223372036854775807,-9223372036854775808,9223372036854775806,NULL}'),
	('float4', '{0,-0,1,-1,0.5,3e10,-3e38,3.4e38,1e-44,NaN,Infinity,-Infinity}'),
	('float8', '{0,1,-1,0.5,-2.5,1e20,1.7e308,-1.7e308,4.9e-324,NaN,Infinity,-Infinity}'),
	('numeric', '{0,1,-1,0.5,32767.5,-2147483648,9223372036854775807.4,1e120,-1e-60,NaN,Infinity,-Infinity}'),
	('text', ARRAY['', 'a', 'A b', 'xyz', '  a ', 'ä€', repeat('ab', 120), 'a\', '%', '12', '2024-01-01', NULL]),
	('varchar', ARRAY['', 'a', 'A b', 'xyz', '  a ', 'ä€', repeat('ab', 120), 'a\', '%', '12', '2024-01-01', NULL]),
	('bpchar', ARRAY['', 'a', 'A b', 'xyz', '  a ', 'ä€', repeat('ab', 120), 'a\', '%', '12', '2024-01-01', NULL]),
	('date', '{2000-01-01,2024-02-29,1970-01-01,0001-01-01,9999-12-31,4713-01-01 BC,5874897-12-31,infinity,-infinity,1900-03-01,294277-01-01,NULL}'),
	('timestamp', '{2000-01-01,2024-02-29 23:59:59.999999,1969-12-31 12:00,0001-01-01,9999-12-31 23:59,4713-01-01 BC,294276-12-31 23:59:59.999999,infinity,-infinity,1900-03-01,2021-06-15 08:30,NULL}'),
	('timestamptz', '{2000-01-01,2024-02-29 23:59:59.999999,1969-12-31 12:00,0001-01-01,9999-12-31 23:59,4713-01-01 BC,294276-12-31 23:59:59.999999,infinity,-infinity,1900-03-01,2021-06-15 08:30,NULL}'),
	('time', '{00:00,23:59:59.999999,24:00,12:30,08:15:30,00:00:00.000001,01:00,02:00,03:00,04:00,05:00,NULL}'),
	('interval', '{0,1 day,-1 day,1 mon,1 year 2 mons 3 days 04:05:06,178000000 years,-178000000 years,2147483647 days,-2147483648 days,2562047788 hours,-2562047788 hours,NULL}'),
	('uuid', '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12,00000000-0000-0000-0000-000000000001,10000000-0000-0000-0000-000000000000,2232ab00-9414-11ec-b3c8-9f6bdeced846,30000000-0000-7000-8000-000000000000,40000000-0000-0000-0000-000000000000,50000000-0000-0000-0000-000000000000,60000000-0000-0000-0000-000000000000,NULL}')) v(type, list);
ALTER TABLE point OWNER TO regress_pe_steward;
DO $$ BEGIN
	PERFORM privacct.declare_public('values_int4', '{v}', 1);
	PERFORM privacct.protect('point', 'owner_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01);
	PERFORM privacct.grant_budget('point', 'regress_pe_analyst', 1e6, 0.01);
END $$;

CREATE TABLE candidate AS
SELECT f.oid AS function, f.proname AS name, ARRAY(SELECT t::regtype::text FROM unnest(f.proargtypes) t) AS types,
	   ARRAY(SELECT y.typname::text FROM unnest(f.proargtypes) WITH ORDINALITY t(o, n) JOIN pg_type y ON y.oid = t.o ORDER BY t.n) AS tables,
	   NULL::text[] AS arguments, NULL::text AS verdict
FROM pg_proc f
WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.prokind = 'f' AND NOT f.proretset AND f.oid < 16384
AND f.proargtypes::oid[] || f.prorettype <@ (SELECT array_agg(oid) FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace
	AND typname IN ('bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'date', 'timestamp', 'timestamptz', 'time', 'interval', 'uuid'));
-- the values an argument takes: column v of a table of values, or a constant where columns are refused
CREATE FUNCTION call(name name, types text[], arguments text[]) RETURNS text LANGUAGE sql AS $$
	SELECT format('%I(%s)', name, string_agg(coalesce(arguments[i] || '::' || types[i], format('v%s.v', i)), ', ' ORDER BY i))
	FROM generate_subscripts(types, 1) i
$$;
CREATE FUNCTION source(tables text[]) RETURNS text LANGUAGE sql AS $$
	SELECT concat('FROM point', (SELECT string_agg(format(' JOIN values_%s v%s ON v%s.n = k / %s %% 12', tables[i], i, i, least(12 ^ (i - 1), 144)), '' ORDER BY i) FROM generate_subscripts(tables, 1) i),
				  ' WHERE k < ', 12 ^ least(cardinality(tables), 3))
$$;
-- whether the guard lets a function pass; tried again with a constant for every argument that must not depend on a row
CREATE FUNCTION judge(c candidate) RETURNS candidate LANGUAGE plpgsql AS $$
DECLARE
	answer text;
	position int;
BEGIN
	c.arguments := array_fill(NULL::text, ARRAY[cardinality(c.types)]);
	LOOP
		answer := ask(format('SELECT 1 FROM privacct.preview(%L) LIMIT 1', format('SELECT count(pg_catalog.%s) %s', call(c.name, c.types, c.arguments), source(c.tables))));
		position := substring(answer FROM 'Argument (\d)')::int;
		IF position IS NULL AND answer ~ 'The (unit of|time zone)' THEN
			position := 1;
		END IF;
		EXIT WHEN position IS NULL OR c.arguments[position] IS NOT NULL;
		c.arguments[position] := quote_literal(CASE WHEN c.name = 'date_bin' THEN (ARRAY['7 days', NULL, '2000-01-01'])[position] WHEN c.name IN ('timezone', 'date_add', 'date_subtract') THEN 'Europe/Berlin'
			WHEN c.name = 'numeric' THEN '655366' WHEN position = 1 THEN CASE WHEN 'interval' = ANY (c.types) THEN 'day' WHEN c.types[2] LIKE 'time without%' THEN 'minute' ELSE 'month' END
			WHEN c.types[position] = 'integer' THEN '2' WHEN c.name = 'to_char' THEN 'YYYY-MM' ELSE 'a%' END);
	END LOOP;
	c.verdict := CASE answer WHEN '(1)' THEN 'allowed' ELSE regexp_replace(answer, ' Function .* is not', ' The function is not') END;
	RETURN c;
END
$$;
CREATE TABLE judged AS SELECT (judge(c)).* FROM candidate c;
-- nothing but these two
SELECT verdict FROM judged GROUP BY 1 ORDER BY 1;
-- the allowed ones: this is the list
SELECT name, string_agg(array_to_string(ARRAY(SELECT coalesce(arguments[i], tables[i]) FROM generate_subscripts(tables, 1) i), ' '), ', ' ORDER BY tables, function) AS arguments
FROM judged WHERE verdict = 'allowed' AND function::regprocedure::text NOT IN (SELECT signature FROM newer_function) GROUP BY name ORDER BY name COLLATE "C";
-- what newer servers have is judged one by one: nothing is on no list, and no verdict is another
SELECT j.function::regprocedure AS on_no_list FROM judged j JOIN pg_proc p ON p.oid = j.function
WHERE p.provolatile <> 'v' AND verdict <> 'allowed' AND function::regprocedure::text NOT IN (SELECT signature FROM newer_function UNION ALL TABLE refused_function);
SELECT n.signature, n.verdict, coalesce(j.verdict, 'is not there') AS instead_of FROM newer_function n LEFT JOIN judged j ON j.function::regprocedure::text = n.signature
WHERE n.since <= current_setting('server_version_num')::int / 10000 AND (j.verdict = 'allowed') IS DISTINCT FROM (n.verdict = 'allowed') ORDER BY 1;
SELECT n.signature AS older FROM newer_function n JOIN judged j ON j.function::regprocedure::text = n.signature WHERE n.since > current_setting('server_version_num')::int / 10000;
-- each is evaluated in a guarded block.  Outside of it, what has no stand-in
-- fails on no row; a stand-in answers as the built-in or not at all
CREATE FUNCTION evaluate(j judged, OUT answers bigint, OUT errors bigint, OUT wrong bigint, OUT guarded text) LANGUAGE plpgsql AS $$
DECLARE
	call text := call(j.name, j.types, j.arguments);
	literals text := (SELECT string_agg(format('quote_nullable(v%s.v::text)', i), ', ' ORDER BY i) FROM generate_subscripts(j.tables, 1) i);
	combination record;
	one text;
BEGIN
	guarded := ask(format('SELECT count(pg_catalog.%s) %s', call, source(j.tables)));
	IF to_regprocedure(format('privacct.total_%s(%s)', j.name, array_to_string(j.types, ','))) IS NULL THEN
		EXECUTE format('SELECT count(pg_catalog.%s) %s', call, source(j.tables)) INTO answers;
		RETURN;
	END IF;
	answers := 0;
	errors := 0;
	wrong := 0;
	FOR combination IN EXECUTE format('SELECT ARRAY[%s] AS literals, (privacct.%s)::text AS stand_in %s', literals, call('total_' || j.name, j.types, j.arguments), source(j.tables)) LOOP
		BEGIN
			EXECUTE format('SELECT (pg_catalog.%I(%s))::text', j.name,
				(SELECT string_agg(format('%s::%s', coalesce(j.arguments[i], combination.literals[i]), j.tables[i]), ', ' ORDER BY i) FROM generate_subscripts(j.tables, 1) i)) INTO one;
			answers := answers + (one IS NOT NULL)::int;
			wrong := wrong + (combination.stand_in IS NOT NULL AND one IS DISTINCT FROM combination.stand_in)::int;
		EXCEPTION WHEN data_exception OR feature_not_supported THEN
			errors := errors + 1;
		END;
	END LOOP;
END
$$;
SET privacct.epsilon = 100;
CREATE TABLE evaluated AS SELECT j.function::regprocedure::text AS signature, j.name, j.tables, e.* FROM judged j, LATERAL evaluate(j) e WHERE verdict = 'allowed';
CREATE TABLE evaluated_newer AS SELECT * FROM evaluated WHERE signature IN (SELECT signature FROM newer_function);
DELETE FROM evaluated WHERE signature IN (SELECT signature FROM newer_function);
SELECT count(*) AS functions, count(wrong) AS with_stand_in, sum(wrong) AS wrong, count(*) FILTER (WHERE '(' || answers || ')' <> guarded AND wrong IS NULL) AS other_answers,
	count(*) FILTER (WHERE guarded !~ '^\(\d+\)$') AS errors FROM evaluated;
SELECT signature, wrong, answers, guarded FROM evaluated_newer WHERE wrong > 0 OR guarded !~ '^\(\d+\)$' OR '(' || answers || ')' <> guarded AND wrong IS NULL OR guarded = '(0)';
-- which answer otherwise: a text to look for, or to trim off, of more than 8 bytes is null
SELECT name, array_to_string(tables, ' ') AS types FROM evaluated WHERE '(' || answers || ')' <> guarded AND wrong IS NULL ORDER BY name COLLATE "C";
-- where the server raises errors, or answers where a block does not: infinities, years before 1 and after 9999, intervals of more than 1000 years
-- (how many of them there are with intervals depends on the server: since 17 there are infinite ones)
SELECT name, array_to_string(tables, ' ') AS types, CASE WHEN finite THEN answers END AS answers, CASE WHEN finite THEN errors END AS errors, guarded
FROM evaluated, LATERAL (SELECT 'interval' <> ALL (tables) AND name !~ '^(timestamp(tz)?_mi|age)$' AS finite) f WHERE wrong IS NOT NULL ORDER BY name COLLATE "C", tables;
-- every stand-in stands in for a function that is allowed
SELECT f.oid::regprocedure AS idle FROM pg_proc f WHERE pronamespace = 'privacct'::regnamespace AND proname LIKE 'total\_%' AND proname <> 'total_parameter'
AND NOT EXISTS (SELECT FROM newer_function n WHERE n.verdict = 'allowed' AND n.since > current_setting('server_version_num')::int / 10000
	AND n.signature = substr(f.proname, 7) || '(' || array_to_string(ARRAY(SELECT t::regtype::text FROM unnest(f.proargtypes) t), ',') || ')')
AND NOT EXISTS (SELECT FROM judged j WHERE j.verdict = 'allowed' AND 'total_' || j.name = f.proname AND j.types = ARRAY(SELECT t::regtype::text FROM unnest(f.proargtypes) t)) ORDER BY f.oid;

-- units: those that the server knows for a type, but for a few that nobody misses (since 18, weeks of intervals)
CREATE TABLE unit AS SELECT f, t, u, ask(format('SELECT 1 FROM privacct.preview(%L) LIMIT 1', format('SELECT count(%s(%L, v)) FROM point JOIN values_%s ON n = k', f, u, t))) = '(1)' AS allowed,
	ask(format('SELECT count(pg_catalog.%s(%L, v)) FROM values_%s WHERE n = 1', f, u, t)) LIKE '(%' AS known
FROM unnest('{"\"extract\"",date_part,date_trunc}'::text[]) f, unnest('{date,time,timestamp,timestamptz,interval}'::text[]) t,
	unnest('{microseconds,milliseconds,second,minute,hour,day,week,month,quarter,year,decade,century,millennium,epoch,dow,doy,isodow,isoyear,julian,timezone,timezone_hour,timezone_minute,YEAR,mon,era,"",day of month}'::text[]) u;
SELECT f, t, string_agg(u, ' ') FILTER (WHERE allowed AND known) AS allowed, string_agg(u, ' ') FILTER (WHERE allowed AND NOT known) AS wrongly, string_agg(u, ' ') FILTER (WHERE known AND NOT allowed AND (t, u) <> ('interval', 'week')) AS missed FROM unit GROUP BY f, t ORDER BY f, t;
SELECT f, t, u, answer FROM unit, ask(format('SELECT count(%s(%L, v)) FROM point JOIN values_%s ON n = k', f, u, t)) answer WHERE allowed AND answer !~ '^\(\d+\)$';

--
-- Expressions as they are written
--

CREATE TABLE fact (owner_id int PRIMARY KEY, f bool, s smallint, i int, b bigint, r real, d float8, n numeric, t text, v varchar(10), c char(4),
	day date, ts timestamp, tz timestamptz, tm time, span interval, u uuid, tag text[], doc jsonb, bits bit(4), amount money);
INSERT INTO fact SELECT k, k % 3 = 0, k % 10, k, k * 1000000, k / 4.0, k / 4.0, k / 4.0, (ARRAY['ant', 'Bee', 'cat', NULL])[1 + k % 4] || k / 10, 'v' || k % 10, 'c' || k % 10,
	date '2024-01-01' + k, timestamp '2024-01-01' + k * interval '7 hours', timestamptz '2024-01-01' + k * interval '7 hours', time '00:00' + k * interval '20 min', k * interval '1 day', md5((k % 5)::text)::uuid,
	ARRAY['x'], '{}', 5::bit(4), k
FROM generate_series(0, 59) k;
ALTER TABLE fact OWNER TO regress_pe_steward;
DO $$ BEGIN
	PERFORM privacct.protect('fact', 'owner_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01);
	PERFORM privacct.grant_budget('fact', 'regress_pe_analyst', 1e6, 0.01);
END $$;
SELECT same('regress_pe_analyst', q, 'regress_pe_steward', q), e FROM unnest(ARRAY[
	'f', 'NOT f', 'f IS TRUE', 'f IS NOT UNKNOWN', 'f AND i > 10 OR s = 0', 'f <> (i > 30)', 'i % 7 = 3', 'i / 7 = 3', '-i < -50', '@ (i - 30) < 5', 'i + s > 40', 'i - b < -1000000', 'i * s = 50', 's / 3 = 2',
	'i & 3 = 1', 'i | 1 = 7', 'i # 1 = 7', '~ i = -8', 'd > 7.3', 'd * 2 = i / 2.0', 'n * n > 100', 'n % 3 = 0',
	'r = d', 'd::int = 7', 'n::int = 7', 'd::numeric = 7.25', 'i::text = ''7''', 'f::text = ''true''', 'f::int = 1', 'i::bool', 'day::text LIKE ''2024-02%''', 'sqrt(d) > 3', '|/ d > 3', '||/ d > 2', 'd ^ 2 > 50',
	'power(d, 0.5) > 3', 'exp(d) > 1e6', 'round(d) = 7', 'round(n, 1) = 7.3', 'trunc(n) = 7', 'ceil(d) = 7', 'floor(d) = 7', 'sign(i - 7) = -1', 'abs(i - 7) = 2', 'mod(i, 7) = 2', 'width_bucket(d, 0, 15, 5) = 2', 'pi() > d',
	't = ''cat1''', 't > ''b''', 't <> ''cat1''', 't IS NULL', 't IS NOT NULL', 't IS DISTINCT FROM ''cat1''', 't IS NOT DISTINCT FROM NULL', 'coalesce(t, ''none'') = ''none''', 'nullif(s, 0) IS NULL', 'greatest(i, 30, s) = 30', 'least(d, n, 2) = 2',
	't || v = ''cat0v2''', 'lower(t) = ''bee1''', 'upper(t) LIKE ''B%''', 'initcap(t) = ''Cat1''', 'length(t) = 4', 'char_length(v) = 2', 'substr(t, 4, 1) = ''1''', 'substring(t FROM 4) = ''1''', 'substring(t FROM 2 FOR 1) = ''e''',
	'left(t, 1) = ''c''', 'right(t, 1) = ''1''', 'position(''e'' IN t) = 2', 'strpos(t, ''e'') = 2', 'trim(t) = t', 'trim(BOTH ''c'' FROM t) = ''at1''', 'reverse(t) = ''1tac''', 'split_part(t, ''a'', 2) = ''t1''', 'starts_with(t, ''an'')', 'md5(v) = md5(''v1'')',
	't LIKE ''_at%''', 't LIKE ''_at|%'' ESCAPE ''|''', 't NOT ILIKE ''c%'' ESCAPE ''''', 't NOT LIKE ''%a%''', 't ILIKE ''BEE%''', 't NOT ILIKE ''b%''', 'v LIKE ''v1''', 'v = ''v1''', 'c = ''c1''', 'c LIKE ''c1 %''', 'length(c) = 2', 'v::text || c = ''v1c1''', 't COLLATE "C" < ''a''',
	'i IN (1, 2, 3)', 'i NOT IN (1, 2, 3)', 't IN (''cat1'', ''ant0'')', 'i = ANY (ARRAY[1, 2])', 'i <> ALL (ARRAY[1, 2])', 'i > ALL (ARRAY[s, 7])', 'i IN (s, 11)', '(i, s) IN (SELECT w.v, w.v FROM values_int4 w)', 'd BETWEEN 3 AND 4', 'i NOT BETWEEN SYMMETRIC 50 AND 10', '(i, s) = (7, 7)',
	'CASE WHEN i < 10 THEN f WHEN i < 20 THEN true ELSE false END', 'CASE s WHEN 1 THEN true WHEN 2 THEN f END', 'CASE WHEN s = 0 THEN 0 ELSE 10 / s END > 4',
	'day > ''2024-02-01''', 'day - date ''2024-01-01'' = 7', 'age(timestamp ''2024-03-01'', ts) > interval ''1 month''', 'age(tz, timestamptz ''2024-01-05'') < interval ''0''', 'extract(year FROM age(day)) > 0', 'age(ts) > span', 'extract(month FROM age(day, date ''2024-01-01'')) = 1', 'day + 7 = date ''2024-01-15''', '7 + day = date ''2024-01-15''', 'day - 7 < date ''2024-01-01''', 'day + interval ''1 month'' < ''2024-02-08''', 'day = ts::date', 'ts > day', 'tz >= ts', 'day::timestamp = ts',
	'extract(month FROM day) = 2', 'extract(dow FROM ts) = 0', 'extract(hour FROM tm) = 3', 'extract(epoch FROM span) > 86400 * 50', 'date_part(''day'', tz) = 7', 'date_trunc(''month'', ts) = ''2024-01-01''', 'date_trunc(''week'', day) = ''2024-01-08''',
	'date_trunc(''day'', span) = span', 'ts - interval ''1 day'' < ''2024-01-01''', 'ts - timestamp ''2024-01-01'' > interval ''10 days''', 'span * 2 > interval ''100 days''', 'span / 2 < interval ''5 days''', '-span > interval ''-3 days''', 'span + span = interval ''4 days''',
	'span * 0.5 = interval ''12 hours''', 'to_char(ts, ''YYYY-MM'') = ''2024-01''', 'to_char(tz, ''Day'') LIKE ''Mon%''', 'tm < ''06:00''', 'isfinite(day)', 'privacct.logistic(d - 7) > 0.9', 'privacct.logistic(i * -1000) = 0', 'ts::time = ''00:00''', 'day <= current_date', 'tz < now()', 'tz < current_timestamp', 'day < current_date - 30',
	'u = ''cfcd2084-95d5-65ef-66e7-dff9f98764da''', 'u > ''a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11''', 'true', 'false', 'NULL', 'NULL::int = i', '1 = 1', 'i > (CASE WHEN f THEN 1 END)',
	'''cat'' SIMILAR TO ''c%'' OR i > 3', 'CASE WHEN i > 3 THEN ''cat'' NOT SIMILAR TO ''c|a_'' ELSE f END',
	't ~ ''^[ac]''', 't ~* ''BEE|\d3$''', 't !~ ''a'' ', 't !~* ''A''', 'c ~ ''^c1 +$''', 't SIMILAR TO ''(c|B)%"_"?''', 't NOT SIMILAR TO ''c%''', 'regexp_like(t, ''t[0-9]{1,2}$'')', 't ~ NULL', 'left(t, 0) ~ ''$^''', 'left(t, 0) ~ ''(a|\Z)\A$''', 'left(t, 0) ~ ''^a?$''', 't ~ ''$^''',
	'replace(t, ''a'', ''oa'') = ''coat1''', 'concat(t, ''-'', i) = ''cat0-2''', 'concat(''x'') = ''x'' || left(t, i - i)', 'concat(i, s) = ''77''', 'concat(i, ''-'', f) = ''7-t''', 'concat(t, NULL, v, i, f, c) = ''cat0v2'' || ''2fc2  ''', 't || i = ''cat1''||''4''', 'f || t = ''trueant''||0', 't || day = ''cat02024-01-03''', 'n::numeric(3, 1) = 7.3', 'd::numeric(4, 2) = 7.25', 'n::numeric(2, -1) = 10',
	'date_bin(''2 days'', ts, ''2024-01-01'') = ''2024-01-03''', 'date_bin(''90 min'', tz, ''2024-01-01 00:30'') > ''2024-01-04''', 'ts AT TIME ZONE ''UTC'' = tz', 'tz AT TIME ZONE ''America/New_York'' < ''2024-01-05''', 'ts AT TIME ZONE ''Europe/Berlin'' < ''2024-01-05''', 'extract(hour FROM tz AT TIME ZONE ''Asia/Kolkata'') = 5',
	'i::text::int = 7', 's::text::smallint = 7', 'b::text::bigint > 7000000', 'd::text::numeric = 7.25', 'd::text::float8 = 7.25', 'r::text::real = 7.25', 'f::text::bool', 'u::text::uuid = u', 'day::text::date = day', 'ts::text::timestamp = ts', 'tz::text::timestamptz = tz', 'right(v, 1)::int = 7', 'c::text::bool IS NULL OR true',
	'EXISTS (SELECT FROM values_int4 w WHERE w.v = i)', 'NOT EXISTS (SELECT 1 FROM values_int4 w WHERE i = w.v AND w.n < 5)', 'EXISTS (SELECT FROM values_int4 w WHERE w.v = i AND w.n = s) IS FALSE', 'CASE WHEN EXISTS (SELECT FROM values_int4 w WHERE w.v = s) THEN f END']) e,
	LATERAL (SELECT format('SELECT count(*) FILTER (WHERE %s) FROM fact', e)) AS l(q);
-- where the server raises an error on some row, that row counts as NULL
SELECT ask(format('SELECT count(*) FILTER (WHERE %s) FROM fact', e)), e FROM unnest(ARRAY['d / 0 > 1', 'n / 0 > 1', '1 / 0 = 1', '(1 / 0 = 1) IS NULL', 'i / (i - 30) > 0', 'i / (i - 30) IS NULL', '1 / (s - 5) = 1', 'sqrt(i - 30) > 5', 'sqrt(i - 30) IS NULL', 'ln(i) > 4',
	'ln(i) IS NULL', 'log(d) IS NULL', 'b / i = 1000000', 'substring(t FROM 2 FOR s - 5) = ''''', 'substring(t FROM 2 FOR s - 5) IS NULL AND t IS NOT NULL', 't LIKE ''a\''', 't LIKE ''ant0\''', '(i + 2147483640) IS NULL', '(i * 100000000) IS NULL', '(s * 10000::smallint) IS NULL',
	'(b * 1000000000000) IS NULL', '(i * 1000)::smallint IS NULL', '(d * 1e308) IS NULL', '(d * 1e38)::real IS NULL', 'exp(i * 50) IS NULL', 'power(d - 5, 0.5) IS NULL', '(s::int + 2147483640) IS NULL', 'width_bucket(d, 0, 0, 5) IS NULL', 'width_bucket(d, 0, 15, s - 5) IS NULL', 'day + i * 100000000 IS NULL', 'span * 1e300 IS NULL',
	'span / 0 IS NULL', 'i % 0 IS NULL', 'split_part(t, ''a'', 0) IS NULL AND t IS NOT NULL', 't::int IS NULL', 'v::float8 IS NULL', 'c::uuid IS NULL', 't::date IS NULL', 't::bool IS NULL', 't::numeric IS NULL', 'n::numeric(1, 0) IS NULL', 'replace(t, '''', ''b'') = t', 'date_bin(''1 mon'', ts, ''2024-01-01'') IS NULL', 'date_bin(''-1 day'', ts, ''2024-01-01'') IS NULL', 'day + interval ''200000 years'' IS NULL']) e;
-- where a condition stands does not matter: in WHERE, GROUP BY and join conditions too
SELECT ask('SELECT count(*) FROM fact WHERE 10 / s > 4'), ask('SELECT 10 / s, count(*) FROM fact GROUP BY 1'), ask('SELECT count(*) FROM fact JOIN values_int4 w ON w.v = 10 / s'),
	ask('SELECT count(*) FROM fact JOIN values_int4 w ON w.v = i AND 1 / (w.v - 1) >= 0'), ask('SELECT count(x) FROM (SELECT 10 / s AS x FROM fact WHERE sqrt(i - 30) > 1) q'), ask('SELECT count(*) FROM fact WHERE 10 / s IN (SELECT 10 / v FROM values_int2)');
SELECT same('regress_pe_analyst', q, 'regress_pe_steward', q) FROM (VALUES ('SELECT count(''x''), count(''x'') FILTER (WHERE f), count(NULL), count(DISTINCT ''x'') FROM fact')) AS v (q);
SELECT ask('SELECT dp_sum(1 / s, 0, 1, ''epsilon=100'') > 5, dp_sum(i / 0, 0, 1, ''epsilon=100'') < 1 FROM fact');

--
-- Refused
--

SET ROLE regress_pe_analyst;
CREATE FUNCTION desk.tell(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'row %', $1; RETURN true; END $$;
CREATE FUNCTION desk.abs(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'row %', $1; RETURN $1; END $$;
CREATE FUNCTION desk.plain(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + 1';
CREATE FUNCTION desk.less(int, int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'row %', $1; RETURN $1 < $2; END $$;
CREATE OPERATOR desk.< (LEFTARG = int, RIGHTARG = int, FUNCTION = desk.less);
CREATE DOMAIN desk.small AS int CHECK (VALUE < 30);
CREATE TYPE desk.mood AS ENUM ('cat0', 'ant0');
CREATE TYPE desk.pair AS (a int, b int);
CREATE FUNCTION desk.to_pair(int) RETURNS desk.pair IMMUTABLE LANGUAGE sql AS 'SELECT ROW($1, $1)::desk.pair';
CREATE SEQUENCE desk.counter;
RESET ROLE;
SELECT ask(format('SELECT count(*) FROM fact WHERE %s', e)), e FROM unnest(ARRAY[
	'desk.tell(i)', 'desk.abs(i) = 1', 'desk.plain(i) = 1', 'i OPERATOR(desk.<) 5', 'i::desk.small > 0', 't::desk.mood = ''cat0''', '(desk.to_pair(i)).a = 1', 'ROW(i, i)::desk.pair IS NOT NULL', 'ROW(i, s) IS NOT NULL', '(i, s) < (7, 3)', 'fact IS NULL',
	'i::oid = 1', 't::name = ''a''', 't::regclass = 1', 't::varchar(2) = ''a''', 'v::char(2) = ''a''',
	'i::money > amount', 'amount > 5::money', 'bits = B''0101''', 'tag[1] = ''x''', '''x'' = ANY (tag)', 'tag @> ARRAY[''x'']', 'ARRAY[i] = ARRAY[1]', 'array_length(ARRAY[i], 1) = 1', 'i = ANY (string_to_array(''1,2'', '','')::int[])', 'doc ? ''x''', 'doc ->> ''x'' = ''y''', 'to_jsonb(i) = ''1''', 'row_to_json(fact) IS NULL',
	'regexp_replace(t, ''a'', ''b'') = t', 'substring(t FROM ''c.'') = ''ca''', 't LIKE ''a|%'' ESCAPE v', 't LIKE v', 't LIKE ''%'' || v', 'overlay(t PLACING ''x'' FROM 1) = t', 'repeat(t, i) = t', 'lpad(t, i) = t', 'translate(t, ''a'', ''b'') = t', 
	'format(''%s'', t) = t', 'to_char(i, ''999'') = ''1''', 'to_char(ts, t) = ''x''', 'to_date(t, ''YYYY'') = day', 'to_number(t, ''9'') = 1', 'ascii(t) = 1', 'chr(i) = ''a''', 'encode(t::bytea, ''hex'') = ''a''', 'convert_to(t, ''LATIN1'') IS NULL', 'quote_literal(t) = t', 'sha256(t::bytea) IS NULL', 'hashtext(t) = 1',
	't ~ v', 't ~ ''(a)\1''', 't ~ ''a(?=t)''', 't ~ ''[a-z]{65}''', 't ~ ''[\d-a]''', 't ~ ''(a''', 't ~ ''(?i)a''', 't ~* ''ä''', 't ~ ''\mcat''', 't ~ ''***=a''', 't SIMILAR TO v', 't::time > tm', 't::interval > span', 'concat_ws(t, v, c) = t', 'replace(t, v, ''a'') = t', 'ts AT TIME ZONE ''CEST'' = tz', 'ts AT TIME ZONE ''nowhere'' = tz',
	'date_trunc(t, ts) = ts', 'date_trunc(''fortnight'', ts) = ts', 'date_trunc(''month'', ts, ''UTC'') = ts', 'extract(hour FROM day) = 1', 'extract(julian FROM day) = 1', 'extract(timezone FROM tz) = 1', 'date_part(t, ts) = 1', 'extract(week FROM span) = 1', 'extract(day FROM tm) = 1', 'make_date(i, 1, 1) = day', 'ts AT TIME ZONE t = tz', 'day + tm = ts', 'tm + span = tm', 'tz::time = tm', 'justify_days(span) = span', 'date_bin(span, ts, ts) = ts', '(ts, ts) OVERLAPS (ts, ts)',
	'privacct.mbp_bound(d) > 1', 'privacct.total_dexp(d) > 1', 'i << 2 = 4', 'i >> s = 1', 'factorial(i) = 1', 'gcd(i, 6) = 1', 'sin(d) > 0', 'atan2(d, 1) > 0', 'n ^ 2 = 1', 'exp(n) > 1', 'ln(n) > 1', 'sqrt(n) > 1', 'log(2, n) > 1', 'scale(n) = 1', 'div(n, 2) = 1', 'random() < 0.5', 'gen_random_uuid() = u', 'clock_timestamp() > tz', 'timeofday() = t', 'pg_sleep(1) IS NULL', 'nextval(''desk.counter'') > 0', 'setseed(d) IS NULL',
	'current_setting(''x.y'') = t', 'set_config(''x.y'', t, false) = t', 'pg_advisory_lock(i) IS NULL', 'pg_notify(''a'', t) IS NULL', 'txid_current() > 0', 'current_user = t', 'session_user = t', 'current_database() = t', 'pg_backend_pid() = i', 'pg_typeof(i) IS NULL', 'pg_column_size(t) = 1', 'version() = t', 'pg_relation_size(''fact'') = i', 'has_table_privilege(t, ''SELECT'')',
	'query_to_xml(t, true, true, '''') IS NULL', 'xmlelement(name a, t) IS NULL', 'ts_rank(to_tsvector(t), ''a'') > 0', 'generate_series(1, i) = 1', 'unnest(tag) = ''x''', 'i = count(i)', 'rank() OVER () = 1', 'i = (SELECT 1)', 'EXISTS (SELECT 1 WHERE i = 1)', 'i = ALL (SELECT 1)', 'ARRAY(SELECT i) IS NULL', 'GROUPING(i) = 1', 'num_nulls(i) = 1', '''<a/>''::xml IS DOCUMENT']) e;
-- as a grouping expression, an argument or a join condition no less
SELECT ask(q) FROM unnest(ARRAY['SELECT desk.plain(i), count(*) FROM fact GROUP BY 1', 'SELECT count(desk.plain(i)) FROM fact', 'SELECT dp_sum(desk.plain(i), 0, 1) FROM fact', 'SELECT count(*) FILTER (WHERE desk.tell(i)) FROM fact', 'SELECT count(*) FROM fact JOIN values_int4 w ON desk.plain(w.v) = i',
	'SELECT count(x) FROM (SELECT desk.plain(i) AS x FROM fact) q', 'SELECT count(*) FROM (SELECT desk.plain(i) AS x FROM fact) q', 'SELECT count(*) FROM fact WHERE i IN (SELECT desk.plain(v) FROM values_int4)', 'SELECT count(*) FROM fact WHERE i IN (SELECT v FROM values_int4 WHERE desk.tell(v))', 'SELECT tag, count(*) FROM fact GROUP BY 1', 'SELECT count(tag) FROM fact', 'SELECT ARRAY[i], count(*) FROM fact GROUP BY 1',
	'SELECT dp_sum(i, desk.plain(1), 10) FROM fact', 'SELECT count(*) FROM fact GROUP BY desk.tell(i)', 'SELECT sum(amount) FROM fact', 'SELECT avg(span) FROM fact']) q;
-- search_path does not hijack: abs is pg_catalog's, and < too unless the analyst asks for another
SET search_path = desk, pg_catalog, expr, privacct;
SELECT expr.ask('SELECT count(*) FROM expr.fact WHERE abs(i) > 50'), expr.ask('SELECT count(*) FROM expr.fact WHERE i < 5');
SET search_path = pg_catalog, desk, expr, privacct;
SELECT expr.ask('SELECT count(*) FROM expr.fact WHERE abs(i) > 50'), expr.ask('SELECT count(*) FROM expr.fact WHERE i < 5');
SET search_path = expr, privacct;
-- nondeterministic collations
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT ask('SELECT count(*) FROM fact WHERE t = ''CAT1'' COLLATE loose'), ask('SELECT t COLLATE loose, count(*) FROM fact GROUP BY 1');
-- above the block anything goes
SELECT ask('SELECT regexp_replace(x, ''1'', ''one''), desk.plain(n::int), to_jsonb(n), ARRAY[n] FROM (SELECT count(*) AS n, s::text AS x FROM fact WHERE s < 3 GROUP BY s) q');
-- a text that is not valid in the encoding, which PostgreSQL takes from nobody: it is null, and no row can tell
SET client_min_messages = error;
CREATE CAST (bytea AS text) WITHOUT FUNCTION;
RESET client_min_messages;
PREPARE longer(text) AS SELECT round(count(*)::numeric, -1) AS rows FROM expr.fact WHERE length(t || $1) > 0;
PREPARE others(text[]) AS SELECT round(count(*)::numeric, -1) AS rows FROM expr.fact WHERE t <> ALL ($1);
SET ROLE regress_pe_analyst;
EXECUTE longer('a');
EXECUTE longer('\xc3'::bytea::text);
EXECUTE others('{a}');
EXECUTE others(ARRAY['a', '\xc3'::bytea::text]);
RESET ROLE;
DEALLOCATE longer;
DEALLOCATE others;
SET client_min_messages = error;
DROP CAST (bytea AS text);

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA expr, desk CASCADE;
DROP ROLE regress_pe_analyst, regress_pe_steward;
