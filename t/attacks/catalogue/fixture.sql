-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fixture of the attack catalogue. Run as a superuser in an empty database.
-- Canaries (never spelled out in an attack script): salary, ssn, name and village of one person.
\set VERBOSITY terse
SET client_min_messages = warning; SET check_function_bodies = off;
DO $$ BEGIN CREATE ROLE pa_steward LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE pa_analyst LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE pa_other LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
DO $$ BEGIN EXECUTE format('GRANT CONNECT, TEMP, CREATE ON DATABASE %I TO pa_analyst', current_database()); END $$;
GRANT pa_other TO pa_analyst;                -- for the role-switching attacks
CREATE SCHEMA hr AUTHORIZATION pa_steward;   GRANT USAGE ON SCHEMA hr TO PUBLIC;
CREATE SCHEMA lab AUTHORIZATION pa_analyst;  GRANT USAGE ON SCHEMA lab TO PUBLIC;
CREATE SCHEMA pa_admin;                      GRANT USAGE ON SCHEMA pa_admin TO PUBLIC;

SET SESSION AUTHORIZATION pa_steward;
CREATE TABLE hr.dim_dept(dept int PRIMARY KEY, dname text);
INSERT INTO hr.dim_dept SELECT g, 'dept '||g FROM generate_series(0,9) g;
GRANT SELECT ON hr.dim_dept TO PUBLIC;
-- many rows per owner; owner 7 is a heavy owner with 2000 rows in 2000 villages
CREATE TABLE hr.emp(id int PRIMARY KEY, owner int NOT NULL, name text, ssn text, region text, village text, dept int, salary int, bonus float8, hired date, ts timestamp, notes text);
INSERT INTO hr.emp SELECT g, 100+g/5, 'name'||g/5, 'ssn-'||g, (ARRAY['north','south','east'])[1+g%3], 'v'||g%50, g%10, 20000+(g*37)%150000, g%1000, date '2015-01-01'+g%2000, timestamp '2015-01-01'+g%2000*interval '1 day', 'note' FROM generate_series(1,20000) g;
INSERT INTO hr.emp SELECT 30000+g, 7, 'heavy', 'hs'||g, 'west', 'hv'||g, g%10, 50000, 1, '2019-01-01', '2019-01-01', 'heavy' FROM generate_series(1,2000) g;
INSERT INTO hr.emp VALUES (40001, 4242, 'Carol Canary', '987-65-4321', 'atoll', 'Canaryville', 7, 777777, 12, '2018-08-08', '2018-08-08', '(');
CREATE INDEX emp_ssn ON hr.emp(ssn);
CREATE TABLE hr.emp_part(id int, owner int NOT NULL, region text, salary int) PARTITION BY LIST (region);
CREATE TABLE hr.emp_part_north PARTITION OF hr.emp_part FOR VALUES IN ('north');
CREATE TABLE hr.emp_part_atoll PARTITION OF hr.emp_part FOR VALUES IN ('atoll');
INSERT INTO hr.emp_part SELECT id, owner, region, salary FROM hr.emp WHERE region IN ('north','atoll');
RESET SESSION AUTHORIZATION;
ANALYZE hr.emp; ANALYZE hr.emp_part;

SET SESSION AUTHORIZATION pa_analyst;
-- helpers owned by the analyst
CREATE FUNCTION lab.val(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text; BEGIN EXECUTE q INTO r; RETURN coalesce(r, 'NULL'); EXCEPTION WHEN OTHERS THEN RETURN 'ERR '||SQLSTATE; END $$;
CREATE FUNCTION lab.outcome(q text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN EXECUTE q; RETURN 'ok'; EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$;
CREATE FUNCTION lab.num(v text) RETURNS float8 LANGUAGE plpgsql AS $$ BEGIN RETURN v::float8; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;
-- two probes that differ only in a fact about the victim: a different outcome is a leak
CREATE FUNCTION lab.oracle(hit text, miss text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE h text := lab.outcome(hit); m text := lab.outcome(miss);
BEGIN RETURN CASE WHEN h <> m THEN 'LEAK: oracle hit='||h||' miss='||m ELSE 'no difference: '||h END; END $$;
CREATE FUNCTION lab.ms(q text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE t timestamptz := clock_timestamp(); BEGIN BEGIN EXECUTE q; EXCEPTION WHEN OTHERS THEN RETURN -1; END; RETURN extract(epoch FROM clock_timestamp()-t)*1000; END $$;
CREATE FUNCTION lab.slower(hit text, miss text, delta float8) RETURNS text LANGUAGE plpgsql AS $$
DECLARE h float8; m float8; BEGIN PERFORM lab.ms(miss); m := least(lab.ms(miss), lab.ms(miss)); h := least(lab.ms(hit), lab.ms(hit));
RETURN CASE WHEN h < 0 OR m < 0 THEN 'refused' WHEN h - m > delta THEN 'LEAK: timing hit - miss > '||delta||' ms' ELSE 'no timing difference' END; END $$;
-- the planner's row estimate without execution
CREATE FUNCTION lab.est(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE j json; BEGIN EXECUTE 'EXPLAIN (FORMAT JSON) '||q INTO j; RETURN (SELECT string_agg(x[1], ',') FROM regexp_matches(j::text, '"Plan Rows": ([0-9]+)', 'g') x); EXCEPTION WHEN OTHERS THEN RETURN 'ERR '||SQLSTATE; END $$;
-- leaking functions of every costume
CREATE FUNCTION lab.leak(text) RETURNS bool LANGUAGE plpgsql VOLATILE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'seen %', $1; RETURN true; END $$;
CREATE FUNCTION lab.leak_imm(text) RETURNS bool LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'seen %', $1; RETURN true; END $$;
CREATE FUNCTION lab.leak_num(int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'seen %', $1; RETURN $1; END $$;
CREATE FUNCTION lab.free(got text, c0 bigint, need bigint) RETURNS text LANGUAGE sql AS $$
SELECT CASE WHEN got LIKE 'ERR%' THEN 'refused: '||got WHEN pa_admin.charges() - c0 < need THEN 'LEAK: '||need||' answer(s) for '||(pa_admin.charges()-c0)||' charge(s)' ELSE 'charged' END $$;
RESET SESSION AUTHORIZATION;
