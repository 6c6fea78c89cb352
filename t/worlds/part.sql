-- SPDX-License-Identifier: GPL-3.0-or-later
-- The worlds part: the same transactions, statements and numbers of rows in both,
-- but the canary's rows come to the tables in one of them and to the attic in the
-- other.  Variable "canary": 1 in the world that has her, 0 in the one that has not.
\set ON_ERROR_STOP 1
CREATE TEMP TABLE canary (LIKE hr.emp);
-- extreme in each type; several rows, so that each type has several extremes
INSERT INTO canary SELECT 900000 + g, 4242, 'Carol Canary', '987-65-4321', 'atoll', 7, 777777,
	g % 2 = 0, (ARRAY[32767, -32768, 0])[1 + g % 3], (ARRAY[2147483647, -2147483648, 0, -1])[1 + g % 4],
	(ARRAY[9223372036854775807, -9223372036854775808, 0, 3037000500])[1 + g % 4],
	(ARRAY['NaN', '3.4e38', '-Infinity', '1e-45'])[1 + g % 4]::float4, (ARRAY['1.79e308', 'NaN', '-Infinity', '5e-324', '-1.79e308'])[1 + g % 5]::float8,
	(ARRAY['NaN', 'Infinity', repeat('9', 131000) || '.5', '1e-16383', '-' || repeat('9', 1500)])[1 + g % 5]::numeric,
	(ARRAY[repeat('aé', 2000), (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 300) i), '', '\', '%_\%', E'\u0130\u1e9e', '-1'])[1 + g % 7], (ARRAY['ä€𝄞', '', repeat('%', 300)])[1 + g % 3], (ARRAY['x ', '', 'é'])[1 + g % 3],
	(ARRAY['infinity', '-infinity', '5874897-12-31', '4713-01-01 BC', '294277-01-01'])[1 + g % 5]::date,
	(ARRAY['infinity', '-infinity', '294276-12-31 23:59:59.999999', '4713-01-02 BC'])[1 + g % 4]::timestamp,
	(ARRAY['infinity', '-infinity', '294276-12-31 23:59:59.999999+00', '4713-01-02 00:00+00 BC'])[1 + g % 4]::timestamptz,
	(ARRAY['24:00', '00:00', '12:34:56.789'])[1 + g % 3]::time,
	(ARRAY['178956970 years 7 mons', '-178956970 years -8 mons', '2147483647 days', '2562047788:00:54.775807', '1 mon -1 day'])[1 + g % 5]::interval,
	(ARRAY['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])[1 + g % 2]::uuid,
	(ARRAY['good', 'fair', 'dire', 'poor'])[1 + g % 4]::hr.mood, (ARRAY['canary', ''])[1 + g % 2], 'Carol Cänary', (ARRAY['cånary', E'\uffff'])[1 + g % 2]
FROM generate_series(0, 59) g;
BEGIN;
INSERT INTO hr.emp SELECT * FROM canary WHERE :canary = 1;
INSERT INTO public.attic SELECT * FROM canary WHERE :canary = 0;
INSERT INTO hr.emp_part SELECT id, owner, region, salary FROM canary WHERE :canary = 1;
INSERT INTO hr.member SELECT 4242, 'atoll', 777777, 'Carol Canary' WHERE :canary = 1;
INSERT INTO hr.spare SELECT 4242, 4242, 777777 WHERE :canary = 1;
UPDATE hr.survey SET pain = CASE :canary WHEN 1 THEN 10 ELSE 0 END, weight = CASE :canary WHEN 1 THEN 200 ELSE 50 END WHERE person = 4242;
UPDATE hr.trace SET place = CASE :canary WHEN 1 THEN 'atoll' ELSE 'north' END WHERE person = 4242;
COMMIT;
DROP TABLE public.attic;
VACUUM ANALYZE;
CHECKPOINT;
SELECT FROM pg_switch_wal();
CHECKPOINT;
