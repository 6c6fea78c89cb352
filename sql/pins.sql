-- What the functions of the extension mean and write is the same in every session: each has the settings of
-- 91_pins.sql, unless it was parsed when it was made, and writes nothing.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
SELECT p.oid::regprocedure AS not_pinned, p.prosqlbody IS NOT NULL AS parsed
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
WHERE p.pronamespace = 'privacct'::regnamespace AND l.lanname NOT IN ('c', 'internal')
AND NOT coalesce(p.proconfig, '{}') @> '{quote_all_identifiers=off,standard_conforming_strings=on,transform_null_equals=off,array_nulls=on,bytea_output=hex,DateStyle=ISO,IntervalStyle=postgres,extra_float_digits=1,gin_fuzzy_search_limit=0}'
ORDER BY p.oid::regprocedure::text COLLATE "C";
