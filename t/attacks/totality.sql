-- SPDX-License-Identifier: GPL-3.0-or-later
-- Calls every immutable or stable built-in function, whose types a block may use,
-- on the extremes of those types inside a block.  Prints what fails otherwise than
-- by a refusal (42846: there is no such cast), and "allowed N of M" calls.
SET client_min_messages = warning;
CREATE TABLE care.brink (
	patient int NOT NULL, v int NOT NULL,
	bool1 bool, int21 int2, int41 int4, int81 int8, float41 float4, float81 float8, numeric1 numeric, text1 text,
	varchar1 varchar, bpchar1 bpchar, date1 date, timestamp1 timestamp, timestamptz1 timestamptz, time1 time, interval1 interval, uuid1 uuid,
	bool2 bool, int22 int2, int42 int4, int82 int8, float42 float4, float82 float8, numeric2 numeric, text2 text,
	varchar2 varchar, bpchar2 bpchar, date2 date, timestamp2 timestamp, timestamptz2 timestamptz, time2 time, interval2 interval, uuid2 uuid,
	bool3 bool, int23 int2, int43 int4, int83 int8, float43 float4, float83 float8, numeric3 numeric, text3 text,
	varchar3 varchar, bpchar3 bpchar, date3 date, timestamp3 timestamp, timestamptz3 timestamptz, time3 time, interval3 interval, uuid3 uuid);

CREATE FUNCTION pg_temp.extremes(type text) RETURNS text[] LANGUAGE sql AS $$
	SELECT CASE
		WHEN type = 'bool' THEN '{t,f}'
		WHEN type = 'int2' THEN '{-32768,32767,0,1,-1}'
		WHEN type = 'int4' THEN '{-2147483648,2147483647,0,1,-1,46341,33}'
		WHEN type = 'int8' THEN '{-9223372036854775808,9223372036854775807,0,1,-1,3037000500,2147483648}'
		WHEN type = 'float4' THEN '{NaN,Infinity,-Infinity,3.4e38,-3.4e38,1e-45,0,-0,1,-1,0.5}'
		WHEN type = 'float8' THEN '{NaN,Infinity,-Infinity,1.79e308,-1.79e308,5e-324,0,-0,1,-1,0.5,9.3e18,-2147483648.6}'
		WHEN type = 'numeric' THEN ARRAY['NaN', 'Infinity', '-Infinity', repeat('9', 131072) || '.5', '-' || repeat('9', 131072) || '.5',
			'1e-16383', '0', '1', '-1', '0.5', '1e400', '9223372036854775807.5']
		WHEN type IN ('text', 'varchar', 'bpchar') THEN ARRAY['', 'a', 'ä€𝄞', '\', '%_\', '100%', 'day', repeat('aé', 2000), repeat('aé', 300), E'\u0130\u1e9e', '-1', '2024-02-30']
		WHEN type = 'date' THEN '{infinity,-infinity,5874897-12-31,4713-01-01 BC,2000-01-01,294276-12-31,294277-01-01}'
		WHEN type IN ('timestamp', 'timestamptz') THEN '{infinity,-infinity,294276-12-31 23:59:59.999999+00,4713-01-02 00:00 BC,2000-02-29 12:00+00}'
		WHEN type = 'time' THEN '{00:00,24:00,12:34:56.789}'
		WHEN type = 'interval' THEN '{178956970 years 7 mons,-178956970 years -8 mons,2147483647 days,-2147483648 days,2562047788:00:54.775807,-2562047788:00:54.775807,0,1 mon -1 day}'
		ELSE '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}'
	END::text[]
$$;
-- the extreme of a row is picked by a hash, so that columns vary independently
CREATE PROCEDURE pg_temp.fill(lowest int, highest int) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (SELECT format('INSERT INTO care.brink SELECT i, 1, %s FROM generate_series(%s, %s) i',
		string_agg(format('(pg_temp.extremes(%1$L))[1 + abs(hashtext(%2$L || i) %% cardinality(pg_temp.extremes(%1$L)))]::%1$I', t, t || n), ', ' ORDER BY n, o),
		lowest, highest)
	FROM generate_series(1, 3) n, unnest('{bool,int2,int4,int8,float4,float8,numeric,text,varchar,bpchar,date,timestamp,timestamptz,time,interval,uuid}'::text[]) WITH ORDINALITY u(t, o));
END
$$;
CALL pg_temp.fill(1, 800);
-- texts that are compressed, though they are short enough to be read
SELECT format('ALTER TABLE care.brink ALTER COLUMN %I SET STORAGE MAIN', t || n) FROM generate_series(1, 3) n, unnest('{text,varchar,bpchar}'::text[]) t \gexec
ALTER TABLE care.brink SET (toast_tuple_target = 128);
CALL pg_temp.fill(801, 1000);
DO $$ BEGIN
	ASSERT (SELECT count(*) FROM care.brink WHERE pg_column_compression(text1) IS NOT NULL AND octet_length(text1) < 1000) > 0;
END $$;
ALTER TABLE care.brink OWNER TO keeper;
SELECT FROM privacct.protect('care.brink', 'patient', epsilon => 1000000, min_epsilon => 1e-6);
SELECT FROM privacct.grant_budget('care.brink', 'spy', epsilon => 1000000);

-- the calls: all arguments from columns, or one of several a constant (a call of constants
-- alone fails where it is planned, whatever the rows are)
CREATE TABLE den.call AS
WITH f AS (
	SELECT p.oid, p.proname, p.pronargs, a.types
	FROM pg_proc p CROSS JOIN LATERAL (SELECT array_agg(t.typname::text ORDER BY u.o) AS types
		FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY u(t, o) JOIN pg_type t ON t.oid = u.t) a
	WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.provolatile <> 'v' AND NOT p.proretset
	AND p.pronargs BETWEEN 1 AND 4 AND p.provariadic = 0
	AND a.types <@ '{bool,int2,int4,int8,float4,float8,numeric,text,varchar,bpchar,date,timestamp,timestamptz,time,interval,uuid}')
SELECT DISTINCT format('SELECT count(*) FROM care.brink WHERE pg_catalog.%I(%s) IS NULL', proname,
	(SELECT string_agg(CASE WHEN u.o = c.place AND c.value IS NOT NULL THEN format('%L::%I', c.value, u.t)
							WHEN u.o > 3 THEN format('1::%I', u.t) ELSE u.t || u.o END, ', ' ORDER BY u.o)
	 FROM unnest(f.types) WITH ORDINALITY u(t, o))) AS statement
FROM f CROSS JOIN LATERAL (
	SELECT 0 AS place, NULL AS value
	UNION ALL SELECT 1, v FROM unnest('{day,month,week,epoch,century,microseconds,isodow}'::text[]) v WHERE f.types[1] = 'text' AND f.pronargs > 1
	UNION ALL SELECT 2, v FROM unnest(ARRAY['a%\', '%%', 'YYYY-MM-DD', 'TMMonth Q WW', repeat('%a', 50)]) v WHERE f.types[2] = 'text'
	UNION ALL SELECT f.pronargs, v FROM unnest('{0,-1,2147483647,-2147483648}'::text[]) v WHERE f.types[f.pronargs] = 'int4' AND f.pronargs > 1) c
WHERE NOT (f.pronargs = 4 AND f.types[4] NOT IN ('int4', 'float8', 'numeric', 'text'))
UNION SELECT format('SELECT count(*) FROM care.brink WHERE %s1::%s IS NULL', t, target)
FROM unnest('{bool,int2,int4,int8,float4,float8,numeric,date,timestamp,timestamptz,time,interval,uuid}'::text[]) t,
	unnest('{text,varchar,bpchar,varchar(3),int2,int4,int8,numeric,"numeric(5,2)",float4,date,timestamp,"timestamp(0)",timestamptz,time,interval,"interval year"}'::text[]) target;

GRANT SELECT ON den.call TO spy;
SET ROLE spy;
SET privacct.epsilon = 1;
CREATE TEMP TABLE outcome AS SELECT statement, den.state(statement) AS state FROM den.call;
SELECT 'FAILS: ' || state || ' ' || left(statement, 200) FROM outcome WHERE state NOT IN ('fine', '42PA1', '42846') ORDER BY 1;
SELECT format('allowed %s of %s', count(*) FILTER (WHERE state = 'fine'), count(*)) FROM outcome;
