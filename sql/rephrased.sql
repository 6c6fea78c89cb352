-- What tools write, and what means the same in a form that a block takes.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_rp_owner;
CREATE ROLE regress_rp_analyst;
GRANT privacct_admin TO regress_rp_owner;
CREATE SCHEMA said AUTHORIZATION regress_rp_owner;
GRANT USAGE ON SCHEMA said TO PUBLIC;
SET search_path = said, privacct;
SET TimeZone = 'Europe/Berlin';
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_rp_owner;
CREATE TABLE place (ward text PRIMARY KEY, building text, code text UNIQUE);
INSERT INTO place VALUES ('w0', 'north', 'a'), ('w1', NULL, 'b'), ('w2', 'south', NULL);
CREATE TABLE visit (patient int NOT NULL, ward text, kind text NOT NULL, day date NOT NULL, seen timestamptz NOT NULL, cost int NOT NULL);
INSERT INTO visit SELECT i / 2, CASE WHEN i % 10 > 0 THEN 'w' || i % 3 END, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, date '2025-01-01' + i % 100,
	timestamptz '2025-03-29 22:00' + i % 10 * interval '1 hour', i % 50 FROM generate_series(0, 999) i;
GRANT SELECT ON place TO regress_rp_analyst;
DO $$ BEGIN
	PERFORM privacct.declare_public('place');
	PERFORM privacct.protect('visit', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01, max_groups_contributed => 2, max_rows_contributed => 2);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 50);
	PERFORM privacct.grant_budget('visit', 'regress_rp_analyst', 1e6, 0.01);
END $$;
RESET ROLE;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE sql AS $$ SELECT same('regress_rp_analyst', query, 'regress_rp_owner', query) $$;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_rp_analyst', query) $$;
SET privacct.epsilon = 10000;

-- nulls that are equal, where one side has none: in ON, in WHERE, under AND and OR, of columns of subqueries
SELECT same(format('SELECT building, count(*) FROM visit v %s GROUP BY 1', q)), q FROM unnest(ARRAY[
	'LEFT JOIN place p ON v.ward = p.ward OR v.ward IS NULL AND p.ward IS NULL',
	'LEFT JOIN place p ON v.ward = p.ward OR (p.ward IS NULL AND v.ward IS NULL AND cost > 3)',
	'JOIN place p ON v.ward IS NOT DISTINCT FROM p.ward',
	'JOIN place p ON NOT (p.ward IS DISTINCT FROM v.ward) AND cost < 20',
	'JOIN place p ON v.kind = p.code OR v.kind IS NULL AND p.code IS NULL',
	'JOIN (SELECT ward AS w, building FROM place) p ON v.ward = p.w OR v.ward IS NULL AND p.w IS NULL',
	'JOIN place p ON true WHERE v.ward = p.ward OR v.ward IS NULL AND p.ward IS NULL',
	'LEFT JOIN place p ON (v.ward = p.ward OR v.ward IS NULL AND p.ward IS NULL) WHERE p.building IS NOT DISTINCT FROM ''north''']) q;
-- a column that an outer join makes up may be null above it, and stays what it is
SELECT same('SELECT count(*) FROM visit v LEFT JOIN place p ON v.ward = p.ward WHERE p.ward IS NULL OR p.building = ''north''');
SELECT same('SELECT count(*) FROM visit v LEFT JOIN place p ON v.ward = p.ward WHERE NOT (v.ward IS DISTINCT FROM p.ward)');
SELECT same('SELECT count(*) FROM visit WHERE NOT (kind IS NULL OR kind = ''a'') OR ward IS NULL');
SELECT same('SELECT count(*) FROM visit WHERE kind IS NULL OR day IS NULL');
-- both may be null
SELECT ask('SELECT count(*) FROM visit v JOIN place p ON v.ward = p.code OR v.ward IS NULL AND p.code IS NULL');
SELECT ask('SELECT count(*) FROM visit v JOIN place p ON v.ward IS NOT DISTINCT FROM p.code');

-- EXISTS does not ask how many, nor in which order
SELECT same(format('SELECT count(*) FROM visit v WHERE %s', q)), q FROM unnest(ARRAY[
	'EXISTS (SELECT 1 FROM place p WHERE p.ward = v.ward AND building = ''north'' LIMIT 1)',
	'NOT EXISTS (SELECT DISTINCT building FROM place p WHERE p.ward = v.ward ORDER BY building LIMIT 5)',
	'EXISTS (SELECT DISTINCT ON (building) code FROM place p WHERE p.ward = v.ward ORDER BY building, code)',
	'EXISTS (SELECT 1 FROM visit w WHERE w.patient = v.patient AND w.cost > v.cost ORDER BY day LIMIT 1)',
	'NOT EXISTS (SELECT 1 FROM visit w WHERE w.patient = v.patient AND w.cost > v.cost LIMIT 1 + 1)',
	'EXISTS (SELECT 1 FROM place p WHERE p.ward = v.ward LIMIT NULL)']) q;
SELECT ask(format('SELECT count(*) FROM visit v WHERE EXISTS (SELECT 1 FROM place p WHERE p.ward = v.ward %s)', q)), q FROM unnest(ARRAY['LIMIT 0', 'OFFSET 1', 'LIMIT -1', 'LIMIT (SELECT 1)']) q;
SET ROLE regress_rp_analyst;
PREPARE some_rows(int) AS SELECT count(*) FROM visit v WHERE EXISTS (SELECT 1 FROM place p WHERE p.ward = v.ward LIMIT $1);
EXECUTE some_rows(1);
EXECUTE some_rows(0);
EXECUTE some_rows(NULL);
RESET ROLE;

-- functions of constants are constants, allowed over rows or not
SELECT same(format('SELECT count(*) FROM visit WHERE %s', q)), q FROM unnest(ARRAY[
	'day >= make_date(2025, 2, 1)', 'day < date ''2025-01-01'' + make_interval(days => 30)', 'kind = regexp_replace(''xax'', ''x'', '''', ''g'')', 'kind LIKE ''%'' || ''a'' || ''%'' ESCAPE ''/''',
	'cost < factorial(4)', 'kind = encode(''a'', ''escape'')', 'cost = ascii(''!'') - 30', 'day = to_date(''01.02.2025'', ''DD.MM.YYYY'')', 'day BETWEEN to_date(''2025-02-01'', ''YYYY-MM-DD'') AND to_date(''2025 90'', ''YYYY DDD'')',
	'seen >= to_timestamp(''2025-03-30 02:30:00.000000'', ''YYYY-MM-DD HH24:MI:SS.US'')', 'seen > to_timestamp(''2025-03-30 04'', ''YYYY-MM-DD HH24'')', 'seen < to_timestamp(NULL, ''YYYY'')', 'seen < to_timestamp(1743300000)']) q;
-- what fails, fails before anything is charged, and for all rows alike
SELECT ask(format('SELECT count(*) FROM visit WHERE %s', q)), q FROM unnest(ARRAY['cost < 0 AND day = make_date(2025, 2, 30)', 'day = to_date(''2025-02-30'', ''YYYY-MM-DD'')', 'CASE WHEN cost > 100 THEN day = to_date(''x'', ''YYYY'') ELSE true END',
	'seen < to_timestamp(''2025-03-30 +02'', ''YYYY-MM-DD TZH'')', 'day < to_date(''März'', ''TMMonth'')', 'day = to_date(kind, ''YYYY'')', 'cost < factorial(cost)', 'cost < random()', 'cost < to_number(''5'', ''9'')', 'cost < length(current_setting(''TimeZone''))', 'kind = version()']) q;
-- with parameters, and in a time zone that changes between
SET ROLE regress_rp_analyst;
PREPARE since(text) AS SELECT count(*) FROM visit WHERE seen >= to_timestamp($1, 'YYYY-MM-DD HH24') AND day >= make_date(2025, 1, length($1) - 10);
SELECT format('EXECUTE since(''2025-03-30 %s'')', to_char(hour, 'FM00')) FROM generate_series(3, 10) hour \gexec
SET plan_cache_mode = force_generic_plan;
EXECUTE since('2025-03-30 04');
PREPARE zone AS SELECT count(*) FROM visit WHERE seen >= to_timestamp('2025-03-30 04', 'YYYY-MM-DD HH24');
EXECUTE zone;
SET TimeZone = 'UTC';
EXECUTE zone;
RESET plan_cache_mode;
RESET ROLE;

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA said CASCADE;
DROP ROLE regress_rp_analyst, regress_rp_owner;
