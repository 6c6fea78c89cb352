-- What of an owner counts follows from the owner's own rows, never from the order in which they are read:
-- which groups, where there are more than count, and whatever their keys are.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_ro_analyst;
CREATE SCHEMA regress_ro;
GRANT USAGE ON SCHEMA regress_ro TO regress_ro_analyst;
SET search_path = regress_ro, privacct;
CREATE TABLE visit (person int NOT NULL, place int NOT NULL);
SELECT protect('visit', 'person', epsilon => 1e6, delta => 1e-3, max_groups_contributed => 1, max_rows_contributed => 4) > 0 AS protected;
SELECT grant_budget('visit', 'regress_ro_analyst', 1e6, 1e-3);

-- Pairs of keys: of each type those that the type's own hash function takes for one whatever its seed is
-- (64 bits are folded to 32, signs are left out), and keys that differ in little.
CREATE TABLE pair (keys text, one text, other text);
INSERT INTO pair VALUES
	('int8', '1::int8', '4294967296'), ('int8', '(-1)::int8', '4294967296'), ('int8', '5::int8', '4294967300'),
	('numeric', '1::numeric', '-1'), ('numeric', '''NaN''::numeric', '''-Infinity'''), ('numeric', '12.5::numeric', '-12.5'),
	('float8', '1::float8', '-1'), ('float8', '0::float8', '''NaN'''), ('float4', '1.5::float4', '-1.5'),
	('timestamp', 'timestamp ''2000-01-01 00:00:00.000001''', 'timestamp ''2000-01-01 01:11:34.967296'''),
	('timestamptz', 'timestamptz ''2000-01-01 00:00:00.000001+00''', 'timestamptz ''2000-01-01 01:11:34.967296+00'''),
	('time', 'time ''00:00:00.000001''', 'time ''01:11:34.967296'''),
	('interval', 'interval ''0.000001 seconds''', 'interval ''01:11:34.967296'''), ('interval', 'interval ''1 day''', 'interval ''25 hours'''),
	('date', 'date ''2000-01-01''', 'date ''2000-01-02'''), ('text', '''a''::text', '''b'''), ('text', '''''::text', 'NULL'),
	('bpchar', '''a''::bpchar', '''b'''), ('int4', '0', 'NULL'), ('bool', 'false', 'NULL::bool'), ('uuid', '''00000000-0000-0000-0000-000000000000''::uuid', 'NULL');
SELECT count(*) FILTER (WHERE hashint8extended(1, s) = hashint8extended(4294967296, s)) AS int8, count(*) FILTER (WHERE hash_numeric_extended(1, s) = hash_numeric_extended(-1, s)) AS numeric,
	count(*) FILTER (WHERE timestamp_hash_extended('2000-01-01 00:00:00.000001', s) = timestamp_hash_extended('2000-01-01 01:11:34.967296', s)) AS "timestamp",
	count(*) FILTER (WHERE interval_hash_extended('0.000001 seconds', s) = interval_hash_extended('01:11:34.967296', s)) AS "interval", count(*) AS seeds FROM generate_series(1, 10) s;

-- How many owners are in the group of the first key and in that of the other one, with an owner's two rows in either order.
CREATE FUNCTION fill(first int) RETURNS void LANGUAGE sql AS $$
	TRUNCATE regress_ro.visit;
	INSERT INTO regress_ro.visit SELECT i, first FROM generate_series(1, 400) i;
	INSERT INTO regress_ro.visit SELECT i, 3 - first FROM generate_series(1, 400) i
$$;
CREATE FUNCTION counted(question text, OUT first bigint, OUT other bigint) LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL ROLE regress_ro_analyst;
	SET LOCAL privacct.epsilon = 1000;
	SET LOCAL privacct.delta = 1e-6;
	EXECUTE question INTO first, other;
	RESET ROLE;
END
$$;
CREATE FUNCTION counts() RETURNS TABLE (keys text, question text, first bigint, other bigint) LANGUAGE plpgsql AS $$
DECLARE
	p record;
	q text;
BEGIN
	FOR p IN SELECT * FROM pair LOOP
		q := format('SELECT sum(n) FILTER (WHERE k IS NOT DISTINCT FROM %1$s), sum(n) FILTER (WHERE k IS DISTINCT FROM %1$s) FROM (SELECT CASE place WHEN 1 THEN %1$s ELSE %2$s END AS k, count(*) AS n FROM visit GROUP BY 1) g',
			p.one, p.other);
		RETURN QUERY SELECT p.keys, q, c.first, c.other FROM counted(q) c;
	END LOOP;
	-- and what two keys say together
	q := $q$SELECT sum(n) FILTER (WHERE k = 'ab'), sum(n) FILTER (WHERE k = 'a') FROM (SELECT CASE place WHEN 1 THEN 'ab' ELSE 'a' END AS k, CASE place WHEN 1 THEN 'c' ELSE 'bc' END AS l, count(*) AS n FROM visit GROUP BY 1, 2) g$q$;
	RETURN QUERY SELECT 'two', q, c.first, c.other FROM counted(q) c;
END
$$;
SELECT fill(1);
CREATE TEMP TABLE forwards AS SELECT * FROM counts();
SELECT fill(2);
CREATE TEMP TABLE backwards AS SELECT * FROM counts();
-- each owner counts once, and whichever of the two it is: in both orders
SELECT keys, f.first + f.other BETWEEN 399 AND 401 AS all_count, f.first BETWEEN 120 AND 280 AS by_chance, abs(f.first - b.first) < 2 AND abs(f.other - b.other) < 2 AS same
FROM forwards f JOIN backwards b USING (keys, question) ORDER BY keys, question;
DROP SCHEMA regress_ro CASCADE;
DROP ROLE regress_ro_analyst;
