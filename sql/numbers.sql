--
-- Numerics are read from their stored form where that is exact, else through
-- text: both give the nearest double.  total_float8(numeric) uses the same code.
--
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE TEMP TABLE stored (n numeric);
-- every count of digits on both sides of the point, both signs, stored and in memory
INSERT INTO stored
SELECT sign * (m::text || 'e' || e)::numeric
FROM unnest(ARRAY[1, -1]) sign, generate_series(-45, 45) e,
	unnest(ARRAY[0, 1, 7, 10, 9999, 10000, 10001, 123456789, 999999999999, 1000000000001, 9007199254740991,
		9007199254740992, 9007199254740993, 9999999999999999, 1234567890123456789]) m;
INSERT INTO stored SELECT (i * 7919 % 1000003)::numeric / (1 + i % 977) FROM generate_series(1, 20000) i;
INSERT INTO stored SELECT round((i * 7919 % 1000003)::numeric / 100, 2) FROM generate_series(1, 20000) i;
INSERT INTO stored VALUES ('0.00'), ('-0'), ('1e-300'), ('1e300');
SELECT count(*) AS stored, count(*) FILTER (WHERE privacct.total_float8(n) IS DISTINCT FROM n::float8) AS different FROM stored;
SELECT count(*) FILTER (WHERE privacct.total_float8(n + 0) IS DISTINCT FROM (n + 0)::float8) AS different FROM stored;
SELECT left(n::text, 9) AS n, privacct.total_float8(n) FROM (VALUES ('NaN'::numeric), ('Infinity'), ('-Infinity'), ('1e400')) v(n);
