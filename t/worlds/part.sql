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
-- her deals, of which long values take numbers too
CREATE TEMP TABLE deals (LIKE hr.deal);
INSERT INTO deals SELECT 90000 + g % 12, g / 12, (ARRAY[19, 77777, NULL])[1 + g % 3], (ARRAY[777777, 2147483647, -2147483648, 0, NULL])[1 + g / 12 % 5],
	(ARRAY[repeat('9', 131072), repeat('9', 131072), '1e-16383', 'NaN', NULL])[1 + g / 12 % 5]::numeric, (ARRAY['infinity', '294276-12-31 23:59:59.999999', '4713-01-02 BC', NULL])[1 + g % 4]::timestamp,
	(ARRAY['canary', repeat('aé', 2000), (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 300) i), '\', '-1', NULL])[1 + g % 6], (ARRAY[true, false, NULL])[1 + g % 3]
FROM generate_series(0, 119) g;
BEGIN;
INSERT INTO hr.emp SELECT * FROM canary WHERE :canary = 1;
INSERT INTO public.attic SELECT * FROM canary WHERE :canary = 0;
INSERT INTO hr.emp_part SELECT id, owner, region, salary FROM canary WHERE :canary = 1;
INSERT INTO hr.member SELECT 4242, 'atoll', 777777, 'Carol Canary' WHERE :canary = 1;
INSERT INTO hr.guest SELECT g, 4242, 7, 77 FROM generate_series(0, 59) g WHERE :canary = 1;
INSERT INTO hr.spare SELECT 4242, 4242, 777777 WHERE :canary = 1;
-- all of the unit's tables; her contacts are there without her too, and nobody's: that is what ON DELETE SET NULL leaves
INSERT INTO hr.account SELECT 90000 + g, 4242, 'atoll', (ARRAY[4, NULL])[1 + g % 2], 777777, (ARRAY['NaN', '1.79e308', '-Infinity'])[1 + g % 3]::float8,
	(ARRAY['Carol Canary', '', repeat('%', 300)])[1 + g % 3], (ARRAY['infinity', '2021-12-31', '4713-01-01 BC', NULL])[1 + g % 4]::date, (ARRAY['dire', 'good', NULL])[1 + g % 3]::hr.mood
FROM generate_series(0, 11) g WHERE :canary = 1;
INSERT INTO hr.deal SELECT * FROM deals WHERE :canary = 1;
INSERT INTO public.attic_deal SELECT * FROM deals WHERE :canary = 0;
INSERT INTO hr.parcel SELECT 900000 + g, 90000 + g % 12, g / 12 % 10, (ARRAY[777777, 2147483647, NULL, -1])[1 + g % 4], (ARRAY[9223372036854775807, -9223372036854775808, 0, NULL])[1 + g % 4],
	(ARRAY['canary', 'ä€𝄞', '', NULL])[1 + g % 4], (ARRAY['infinity', '294276-12-31 23:59:59.999999+00', NULL])[1 + g % 3]::timestamptz,
	(ARRAY['178956970 years 7 mons', '-2147483647 days', '2562047788:00:54.775807', NULL])[1 + g % 4]::interval
FROM generate_series(0, 1799) g WHERE :canary = 1;
INSERT INTO hr.contact SELECT 900000 + g, CASE WHEN :canary = 1 THEN 90000 + g % 12 END, (ARRAY[777777, 2147483647, -2147483648, NULL])[1 + g % 4], 'canary', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
FROM generate_series(0, 99) g;
UPDATE hr.survey SET pain = CASE :canary WHEN 1 THEN 10 ELSE 0 END, weight = CASE :canary WHEN 1 THEN 200 ELSE 50 END WHERE person = 4242;
UPDATE hr.trace SET place = CASE :canary WHEN 1 THEN 'atoll' ELSE 'north' END WHERE person = 4242;
COMMIT;
DROP TABLE public.attic, public.attic_deal;
VACUUM ANALYZE;
CHECKPOINT;
SELECT FROM pg_switch_wal();
CHECKPOINT;
