-- What PostgreSQL 16, 17 and 18 have that 15 does not, as a way to protected rows.  Each case is for servers from a
-- version on; all of them print the same: what came out as it must not.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_nv_owner;
CREATE ROLE regress_nv_analyst;
CREATE ROLE regress_nv_other;
GRANT privacct_admin TO regress_nv_owner;
CREATE SCHEMA nv AUTHORIZATION regress_nv_owner;
CREATE SCHEMA nvdesk AUTHORIZATION regress_nv_analyst;
GRANT USAGE ON SCHEMA nv TO PUBLIC;
SET search_path = nv, nvdesk, privacct, public;

CREATE FUNCTION public.nv_server() RETURNS int LANGUAGE sql AS $$ SELECT current_setting('server_version_num')::int / 10000 $$;
-- rows, or what is wrong with the statement
CREATE FUNCTION public.nv_outcome(who text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r record;
	rows text := '';
BEGIN
	PERFORM set_config('role', who, true);
	BEGIN
		IF statement ~* '^(SELECT|EXPLAIN|WITH|TABLE|MERGE.*RETURNING|UPDATE.*RETURNING|INSERT.*RETURNING|DELETE.*RETURNING)' THEN
			FOR r IN EXECUTE statement LOOP
				rows := rows || r::text;
			END LOOP;
		ELSE
			EXECUTE statement;
		END IF;
	EXCEPTION WHEN OTHERS THEN
		rows := SQLSTATE;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN rows;
END
$$;
-- what is to come out is a pattern
CREATE TABLE public.nv_case (n int GENERATED ALWAYS AS IDENTITY, since int, who text, statement text, outcome text);
CREATE TABLE public.nv_wrong (who text, statement text, instead_of text, outcome text);
-- each in a transaction of its own
CREATE PROCEDURE public.nv_run() LANGUAGE plpgsql AS $$
DECLARE
	c record;
	outcome text;
BEGIN
	TRUNCATE public.nv_wrong;
	FOR c IN SELECT * FROM public.nv_case WHERE since <= public.nv_server() ORDER BY n LOOP
		outcome := public.nv_outcome(c.who, c.statement);
		IF outcome !~ ('^(' || c.outcome || ')$') THEN
			INSERT INTO public.nv_wrong VALUES (c.who, c.statement, c.outcome, outcome);
		END IF;
		COMMIT;
	END LOOP;
	TRUNCATE public.nv_case;
END
$$;

SET ROLE regress_nv_owner;
CREATE TABLE visit (id int NOT NULL, ward text, cost int, note text);
INSERT INTO visit SELECT i, chr(65 + i % 3), i % 10, '{"a": ' || i || '}' FROM generate_series(1, 30) i;
CREATE TABLE person (id int PRIMARY KEY, born int);
INSERT INTO person SELECT i, 1950 + i FROM generate_series(1, 30) i;
DO $$ BEGIN
	PERFORM create_unit('nv_unit', epsilon => 1e6, delta => 0.1);
	PERFORM protect('visit', 'id', unit => 'nv_unit', max_rows_contributed => 3, max_groups_contributed => 3),
		protect('person', 'id', unit => 'nv_unit'), set_keys('visit', 'ward', '{A,B,C}'::text[]),
		set_bounds('visit', 'cost', 0, 10), grant_budget('visit', 'regress_nv_analyst', epsilon => 1e6, delta => 0.1);
END $$;
RESET ROLE;
SET ROLE regress_nv_analyst;
CREATE TABLE nvdesk.sink (id int, v text);
INSERT INTO nvdesk.sink VALUES (1, 'x');
RESET ROLE;
SET privacct.epsilon = 2000;
SET client_min_messages = error;

--
-- 15: a measure, and what newer versions only make easier
--
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit', '\(30\)'),
	-- of rows without a partner conditions may be constants
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit v FULL JOIN person p USING (id) WHERE v.cost <> 4', '\(27\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit v FULL JOIN person p USING (id) WHERE p.born > 1970', '\(10\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit v FULL JOIN person p ON p.id = v.id AND v.cost < 5 WHERE v.cost IS NULL', '\(15\)'),
	-- children need not be NOT NULL where their parents are
	(15, 'regress_nv_owner', 'CREATE TABLE parent (id int NOT NULL, n int CONSTRAINT n_given NOT NULL)', ''),
	(15, 'regress_nv_owner', 'CREATE TABLE child () INHERITS (parent)', ''),
	(18, 'regress_nv_owner', 'ALTER TABLE parent ALTER CONSTRAINT n_given NO INHERIT', ''),
	(15, 'regress_nv_owner', 'ALTER TABLE child ALTER COLUMN n DROP NOT NULL', ''),
	(15, 'regress_nv_owner', 'INSERT INTO child VALUES (1, 5), (2, NULL)', ''),
	(15, 'regress_nv_owner', 'SELECT protect(''parent'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(15, 'regress_nv_owner', 'SELECT grant_budget(''parent'', ''regress_nv_analyst'', epsilon => 1e6, delta => 0.1) IS NULL', '.*'),
	(15, 'regress_nv_analyst', 'SELECT count(*), count(n) FROM parent', '\(2,1\)'),
	(15, 'regress_nv_analyst', 'SELECT count(p.n) FROM visit v JOIN parent p USING (id)', '\(1\)'),
	(15, 'regress_nv_analyst', 'SELECT count(n) FROM (SELECT id, n FROM parent UNION ALL SELECT id, n FROM parent WHERE n = 7) u', '\(1\)'),
	-- since 14: names of merged columns, sets that are left out, lists that the planner would hash, ranges of places
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN person p USING (id) AS x WHERE x.id > 3', '\(27\)'),
	(15, 'regress_nv_analyst', 'SELECT count(x) FROM visit v JOIN person p USING (id) AS x', '42PA1'),
	(15, 'regress_nv_analyst', 'SELECT ward, count(*) FROM visit GROUP BY DISTINCT ROLLUP (ward), ROLLUP (ward) ORDER BY 1', '\(A,10\)\(B,10\)\(C,10\)\(,30\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE ward NOT IN (''a'', ''b'', ''c'', ''d'', ''e'', ''f'', ''g'', ''h'', ''i'', ''j'', ''A'')', '\(20\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NULL)', '\(27\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE ctid > ''(0,5)'' AND ctid < ''(0,9)''', '42PA1'),
	-- and numbers and functions
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost / ''Infinity''::numeric = 0', '\(30\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost::numeric(4, -1) = 10', '\(15\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE split_part(note, '' '', -1) = ''4}''', '\(1\)'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE unistr(ward) = ''A''', '42PA1'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE regexp_count(ward, ''A'') = 1', '42PA1'),
	(15, 'regress_nv_analyst', 'SELECT bit_xor(cost) FROM visit', '42PA1'),
	(15, 'regress_nv_analyst', 'SELECT range_agg(int4multirange(int4range(cost, cost + 1))) FROM visit', '42PA1'),
	-- roles that read and write everything, and settings that are granted
	(15, 'none', 'GRANT pg_write_all_data TO regress_nv_analyst', ''),
	(15, 'regress_nv_analyst', 'INSERT INTO visit VALUES (5)', '42501'),
	(15, 'none', 'REVOKE pg_write_all_data FROM regress_nv_analyst', ''),
	(15, 'none', 'GRANT pg_read_all_data TO regress_nv_analyst', ''),
	(15, 'regress_nv_analyst', 'SELECT cost FROM visit', '42PA1'),
	(15, 'none', 'REVOKE pg_read_all_data FROM regress_nv_analyst', ''),
	(15, 'none', 'GRANT pg_checkpoint TO regress_nv_other', ''),
	(15, 'none', 'SELECT object FROM privacct.check_hardening(''regress_nv_other'') WHERE object ~ ''^role''', '\("role pg_checkpoint"\)'),
	(15, 'none', 'REVOKE pg_checkpoint FROM regress_nv_other', ''),
	(15, 'none', 'GRANT SET ON PARAMETER session_replication_role, log_executor_stats TO regress_nv_owner, regress_nv_analyst', ''),
	(15, 'regress_nv_owner', 'SET session_replication_role = replica', ''),
	(15, 'regress_nv_owner', 'GRANT SELECT ON visit TO regress_nv_other', '42PA4'),
	(15, 'none', 'RESET session_replication_role', ''),
	(15, 'regress_nv_analyst', 'SET log_executor_stats = on', ''),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM visit', '42PA1'),
	(15, 'none', 'RESET log_executor_stats', ''),
	(15, 'none', 'REVOKE SET ON PARAMETER session_replication_role, log_executor_stats FROM regress_nv_owner, regress_nv_analyst', '');
CALL public.nv_run();
TABLE public.nv_wrong;

--
-- 16
--
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	-- nodes of SQL/JSON, and constructors
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE note IS JSON', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE (note IS JSON) IS NULL', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT JSON_ARRAY(ward)::text, count(*) FROM visit GROUP BY 1', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT JSON_ARRAYAGG(ward) FROM visit', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT JSON_OBJECTAGG(ward : cost) FROM visit', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT JSON_ARRAY(n) FROM (SELECT count(*) AS n FROM visit) s', '\(\[30\]\)'),
	(16, 'regress_nv_analyst', 'SELECT any_value(ward) FROM visit', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT * FROM visit)', '\(30\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit, generate_series(timestamptz ''2024-01-01'', timestamptz ''2024-01-03'', interval ''1 day'', ''Europe/Berlin'') g', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE ward = SYSTEM_USER', '42PA1'),
	(16, 'regress_nv_analyst', 'CREATE STATISTICS ON id, cost FROM visit', '42501'),
	(16, 'regress_nv_owner', 'CREATE STATISTICS ON id, cost FROM visit', ''),
	-- functions that error out, or differ from call to call
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE pg_input_is_valid(ward, ''int'')', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE random_normal() > cost', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE array_length(array_sample(ARRAY[cost], cost), 1) = 1', '42PA1'),
	-- collations that are there in every database, and aggregates in parallel
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE ward COLLATE unicode > ''A'' OR ward COLLATE ucs_basic > ''A''', '\(20\)'),
	(16, 'regress_nv_analyst', 'SELECT string_agg(ward, '''') FROM visit', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT array_agg(cost) FROM visit', '42PA1'),
	-- frames and runs of window functions, which the planner now sees through
	(16, 'regress_nv_analyst', 'SELECT t, ward FROM (SELECT ntile(3) OVER (ORDER BY ward) AS t, ward FROM (SELECT ward, count(*) FROM visit GROUP BY ward) g) w WHERE t <= 1', '\(1,A\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT id, ntile(3) OVER (PARTITION BY id ORDER BY cost) AS t FROM visit) w WHERE t <= 1', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE erf(cost) > 0.99', '\(24\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE erfc(cost - 5) > 1', '\(15\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE erf(1e307::float8 * (cost - 4.5)) = sign(cost - 4.5) AND erfc(1e307::float8 * (cost - 4.5)) = 1 - sign(cost - 4.5)', '\(30\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE date_add(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', interval ''1 day'', ''Europe/Berlin'') = timestamptz ''2024-03-31 12:00+02''', '\(30\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE date_subtract(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', cost * interval ''1 day'') <= timestamptz ''2024-03-22 12:00+01''', '\(6\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE date_add(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', interval ''1000000 years'') IS NULL AND date_subtract(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', interval ''1000000 years'', ''UTC'') IS NULL', '\(30\)'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE date_add(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', interval ''1 day'', ward) IS NULL', '42PA1'),
	(16, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE date_add(timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'', interval ''1 day'', ''CEST'') IS NULL', '42PA1'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2024-03-09 00:00+00'', timestamptz ''2024-04-08'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_add(t, i, z) IS DISTINCT FROM date_add(t, i, z)', '\(0\)'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2024-03-09 00:00+00'', timestamptz ''2024-04-08'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_subtract(t, i, z) IS DISTINCT FROM date_subtract(t, i, z)', '\(0\)'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2011-12-28 00:00+00'', timestamptz ''2012-01-01'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_add(t, i, z) IS DISTINCT FROM date_add(t, i, z)', '\(0\)'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2011-12-28 00:00+00'', timestamptz ''2012-01-01'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_subtract(t, i, z) IS DISTINCT FROM date_subtract(t, i, z)', '\(0\)'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2024-10-04 00:00+00'', timestamptz ''2024-11-05'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_add(t, i, z) IS DISTINCT FROM date_add(t, i, z)', '\(0\)'),
	(16, 'none', 'SELECT count(*) FROM generate_series(timestamptz ''2024-10-04 00:00+00'', timestamptz ''2024-11-05'', ''37 min'') t, unnest(''{1 mon,-1 mon,1 day,-1 day,1 mon -1 day 3 h,24 h,-13 mons 31 days}''::interval[]) i, unnest(''{Europe/Berlin,America/New_York,Asia/Kolkata,Australia/Lord_Howe,Pacific/Apia}''::text[]) z WHERE privacct.total_date_subtract(t, i, z) IS DISTINCT FROM date_subtract(t, i, z)', '\(0\)'),
	(16, 'regress_nv_analyst', 'EXPLAIN (GENERIC_PLAN) SELECT count(*) FROM visit WHERE cost > 3', '.*Noise.*'),
	(16, 'regress_nv_analyst', 'COPY visit FROM STDIN WITH (DEFAULT ''x'')', '42501|0A000'),
	-- how a column is stored is said with the table
	(16, 'regress_nv_owner', 'CREATE TABLE apart (id text STORAGE EXTERNAL NOT NULL)', ''),
	(16, 'regress_nv_owner', 'SELECT protect(''apart'', ''id'', epsilon => 1)', '42PA4'),
	(16, 'regress_nv_owner', 'ALTER TABLE apart ALTER COLUMN id SET STORAGE EXTENDED', ''),
	(16, 'regress_nv_owner', 'SELECT protect(''apart'', ''id'', epsilon => 1) > 0', '\(t\)'),
	(16, 'regress_nv_owner', 'CREATE TABLE apart_too (id text STORAGE EXTERNAL NOT NULL) INHERITS (apart)', '|42PA4'),
	(16, 'none', 'SELECT count(*) FROM pg_attribute WHERE attrelid IN (SELECT oid FROM pg_class WHERE relname ~ ''^apart'') AND attstorage = ''e''', '\(0\)'),
	-- members that may not become the role, or do not have its privileges as they are
	(16, 'none', 'GRANT regress_nv_analyst TO regress_nv_other WITH INHERIT FALSE, SET TRUE', ''),
	(16, 'regress_nv_other', 'SELECT count(*) FROM visit', '42501'),
	(16, 'none', 'GRANT regress_nv_owner TO regress_nv_other WITH INHERIT FALSE, SET FALSE', ''),
	(16, 'regress_nv_other', 'SELECT cost FROM visit', '42501|42PA1'),
	(16, 'none', 'REVOKE regress_nv_owner, regress_nv_analyst FROM regress_nv_other', ''),
	-- a lesser lock is for whoever may take a greater one
	(16, 'none', 'GRANT INSERT ON visit TO regress_nv_other', ''),
	(16, 'regress_nv_other', 'LOCK TABLE visit IN ACCESS SHARE MODE', ''),
	(16, 'regress_nv_other', 'LOCK TABLE visit IN SHARE MODE', '42501|42PA1'),
	(16, 'none', 'REVOKE INSERT ON visit FROM regress_nv_other', ''),
	(16, 'regress_nv_analyst', 'VACUUM (PROCESS_MAIN false) visit', '25001|42501|0A000');
CALL public.nv_run();
TABLE public.nv_wrong;

--
-- 17
--
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	(17, 'regress_nv_analyst', 'EXPLAIN (MEMORY) SELECT count(*) FROM visit', '42PA1'),
	(17, 'regress_nv_analyst', 'EXPLAIN (MEMORY off) SELECT count(*) FROM visit', '.*Noise.*'),
	(17, 'regress_nv_analyst', 'EXPLAIN (ANALYZE, SERIALIZE) SELECT count(*) FROM visit', '42PA1'),
	(17, 'regress_nv_analyst', 'EXPLAIN (ANALYZE, SERIALIZE binary, TIMING off) SELECT count(*) FROM visit', '42PA1'),
	(17, 'regress_nv_analyst', 'EXPLAIN (SERIALIZE none) SELECT count(*) FROM visit', '.*Noise.*'),
	(17, 'regress_nv_analyst', 'EXPLAIN (ANALYZE, SERIALIZE text, COSTS off, TIMING off, SUMMARY off, BUFFERS off) SELECT 1', '.*Result.*'),
	-- MERGE answers, and looks at rows without a partner
	(17, 'regress_nv_analyst', 'MERGE INTO sink s USING visit v ON s.id = v.id WHEN MATCHED THEN UPDATE SET v = ''y'' RETURNING s.id', '42PA1'),
	(17, 'regress_nv_analyst', 'MERGE INTO sink s USING visit v ON s.id = v.id WHEN NOT MATCHED BY SOURCE THEN DELETE', '42PA1'),
	(17, 'regress_nv_analyst', 'MERGE INTO visit v USING sink s ON s.id = v.id WHEN MATCHED THEN UPDATE SET cost = 1 RETURNING merge_action(), v.cost', '42PA1|42501'),
	(17, 'regress_nv_analyst', 'WITH m AS (MERGE INTO sink s USING visit v ON s.id = v.id WHEN MATCHED THEN DO NOTHING RETURNING v.*) SELECT count(*) FROM m', '42PA1'),
	-- functions of SQL/JSON, and tables of them
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE JSON_EXISTS(note::jsonb, ''$.a'')', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE JSON_VALUE(''{"a": 1}'', ''$.a ? (@ > $x)'' PASSING cost AS x) IS NULL', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE JSON_VALUE(''{"a": 1}'', ''strict $.b'' DEFAULT cost ON EMPTY ERROR ON ERROR) > ''1''', '42PA1|42804'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE JSON_QUERY(note::jsonb, ''$.a'') IS NULL', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v, JSON_TABLE(v.note::jsonb, ''$'' COLUMNS (a int PATH ''$.a'')) j', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN JSON_TABLE(''[1, 2]'', ''$[*]'' COLUMNS (a int PATH ''$'')) j ON j.a = v.cost', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT j.a FROM (SELECT count(*) AS n FROM visit) s, JSON_TABLE(to_jsonb(s.n), ''$'' COLUMNS (a int PATH ''$'')) j', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(JSON_SCALAR(cost)) FROM visit', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE JSON_SERIALIZE(note) = ''x''', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE (timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'') AT LOCAL = (timestamptz ''2024-03-30 12:00+01'' + cost * interval ''0'')::timestamp AND (timestamp ''2024-01-01'' + cost * interval ''0'') AT LOCAL = timestamptz ''2024-01-01''', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE (timestamptz ''infinity'' + cost * interval ''0'') AT LOCAL IS NULL', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuid_extract_version((''c232ab00-9414-11ec-b3c8-9f6bdeced84'' || cost)::uuid) = 1 AND uuid_extract_timestamp((''c232ab00-9414-11ec-b3c8-9f6bdeced84'' || cost)::uuid) = timestamptz ''2022-02-22 14:22:22-05''', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuid_extract_timestamp((''ffffffff-ffff-1fff-bfff-fffffffffff'' || cost)::uuid) > timestamptz ''5236-03-31''', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuid_extract_timestamp((''5b30857f-0bfa-48b5-ac0b-5c64e28078d'' || cost)::uuid) IS NULL AND uuid_extract_version((''00000000-0000-0000-0000-00000000000'' || cost)::uuid) IS NULL', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE random(1, cost) = 1', '42PA1'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE to_bin(cost) = ''1''', '42PA1|42883'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE pg_column_toast_chunk_id(note) IS NULL', '42PA1'),
	(17, 'regress_nv_analyst', 'COPY visit FROM STDIN WITH (ON_ERROR ignore)', '42501|0A000'),
	-- conditions that are true or false of what is declared, and partitions by them
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE id IS NULL', '\(0\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE id IS NOT NULL', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v LEFT JOIN person p ON p.id = v.id AND p.born < 1960 WHERE p.id IS NULL', '\(21\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE (cost > 3) IS NOT UNKNOWN', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost <@ int4range(1, 5)', '42PA1'),
	-- unions whose sides come in order, keys in another order, correlated IN
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT id, cost FROM visit UNION SELECT id, born FROM person) u', '\(60\)'),
	(17, 'regress_nv_analyst', 'SELECT ward, n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) g UNION SELECT ward, n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) h ORDER BY ward', '\(A,10\)\(B,10\)\(C,10\)'),
	(17, 'regress_nv_analyst', 'SELECT ward, n FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) g GROUP BY n, ward ORDER BY ward', '\(A,10\)\(B,10\)\(C,10\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit a WHERE id IN (SELECT p.id FROM person p WHERE p.born > a.cost)', '\(30\)'),
	-- case and classes by a provider of PostgreSQL's own
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE lower(ward COLLATE pg_c_utf8) = ''a''', '\(10\)'),
	-- what a column is computed from may change
	(17, 'regress_nv_owner', 'CREATE TABLE made (id int NOT NULL, x int, twice int GENERATED ALWAYS AS (x * 2) STORED)', ''),
	(17, 'regress_nv_owner', 'INSERT INTO made VALUES (1, 1), (2, 2)', ''),
	(17, 'regress_nv_owner', 'SELECT protect(''made'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(17, 'regress_nv_owner', 'SELECT grant_budget(''made'', ''regress_nv_analyst'', epsilon => 1e6, delta => 0.1) IS NULL', '.*'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM made WHERE twice = 4', '\(1\)'),
	(17, 'regress_nv_analyst', 'ALTER TABLE made ALTER COLUMN twice SET EXPRESSION AS (x * 3)', '42501'),
	(17, 'regress_nv_owner', 'ALTER TABLE made ALTER COLUMN twice SET EXPRESSION AS (x * 3)', ''),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM made WHERE twice = 4', '\(0\)'),
	(17, 'regress_nv_owner', 'ALTER TABLE made SET ACCESS METHOD DEFAULT', ''),
	-- maintenance is a privilege
	(17, 'regress_nv_owner', 'GRANT MAINTAIN ON visit TO regress_nv_analyst', '42PA4'),
	(17, 'regress_nv_owner', 'GRANT ALL ON visit TO regress_nv_analyst', '42PA4'),
	(17, 'regress_nv_owner', 'ALTER DEFAULT PRIVILEGES IN SCHEMA nv GRANT MAINTAIN ON TABLES TO regress_nv_analyst', ''),
	(17, 'regress_nv_owner', 'CREATE TABLE grown () INHERITS (visit)', '42PA4'),
	(17, 'regress_nv_owner', 'ALTER DEFAULT PRIVILEGES IN SCHEMA nv REVOKE MAINTAIN ON TABLES FROM regress_nv_analyst', ''),
	(17, 'none', 'GRANT pg_maintain TO regress_nv_other', ''),
	(17, 'none', 'SELECT object FROM privacct.check_hardening(''regress_nv_other'') WHERE object = ''role pg_maintain''', '\("role pg_maintain"\)'),
	(17, 'none', 'REVOKE pg_maintain FROM regress_nv_other', ''),
	(17, 'regress_nv_analyst', 'ANALYZE visit', ''),	-- a warning
	(17, 'regress_nv_analyst', 'REINDEX TABLE person', '42501'),
	(17, 'regress_nv_analyst', 'CLUSTER person USING person_pkey', '42501'),
	(17, 'regress_nv_analyst', 'LOCK TABLE visit IN ACCESS SHARE MODE', '42501|42PA1'),
	(17, 'regress_nv_analyst', 'COPY visit FROM STDIN WITH (ON_ERROR ignore, LOG_VERBOSITY verbose)', '42501|0A000'),
	-- conditions without columns are of the join where they stand
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN person p ON p.id = v.id AND current_date < ''2000-01-01''', '\(0\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v LEFT JOIN person p ON p.id = v.id AND current_date < ''2000-01-01'' WHERE p.id IS NULL', '\(30\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM visit v WHERE EXISTS (SELECT FROM person p WHERE p.id = v.id AND current_date < ''2000-01-01'')', '\(0\)'),
	(17, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT * FROM visit LIMIT 5) s', '42PA1'),
	-- settings that nobody knows may be set for the server, but none of ours
	(17, 'none', 'GRANT ALTER SYSTEM ON PARAMETER privacct.nonsense TO regress_nv_other', '42602');
CALL public.nv_run();
TABLE public.nv_wrong;

--
-- 18
--
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	-- columns that are computed where they are read
	(18, 'regress_nv_owner', 'CREATE TABLE virtual (id int NOT NULL, x int, inverse int GENERATED ALWAYS AS (100 / x) VIRTUAL, seven int GENERATED ALWAYS AS (coalesce(x, 7)) VIRTUAL,
		long text GENERATED ALWAYS AS (repeat(''a'', x)) VIRTUAL, t text GENERATED ALWAYS AS (''w'' || x) VIRTUAL)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO virtual SELECT i, i FROM generate_series(1, 40) i', ''),
	(18, 'regress_nv_owner', 'INSERT INTO virtual VALUES (4001, 0)', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''virtual'', ''inverse'', epsilon => 1)', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT protect(''virtual'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'SELECT grant_budget(''virtual'', ''regress_nv_analyst'', epsilon => 1e6, delta => 0.1) IS NULL', '.*'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM virtual WHERE id = 4001 AND inverse > 3', '\(0\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM virtual WHERE inverse > 3', '\(25\)'),
	(18, 'regress_nv_analyst', 'SELECT count(inverse) FROM virtual', '\(40\)'),
	(18, 'regress_nv_analyst', 'SELECT round((privacct.dp_sum(seven, 0, 100) / 10)::numeric) FROM virtual', '\(82\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM virtual WHERE long = ''a''', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT id, inverse AS i FROM virtual) s WHERE i = 50', '\(1\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM virtual a JOIN virtual b USING (id) WHERE a.inverse = b.inverse', '\(40\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v LEFT JOIN virtual r ON v.id = r.id AND r.x < 10 WHERE r.seven IS NULL', '\(21\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v WHERE EXISTS (SELECT FROM virtual r WHERE r.id = v.id AND r.inverse = 100)', '\(1\)'),
	(18, 'regress_nv_analyst', 'SELECT inverse FROM virtual', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT ctid, count(seven) FROM virtual GROUP BY 1', '42PA1'),
	(18, 'regress_nv_owner', 'SELECT inverse FROM virtual WHERE id = 4', '\(25\)'),
	(18, 'regress_nv_owner', 'SELECT inverse FROM virtual WHERE id = 4001', '22012'),
	-- of which nothing is declared: what is known of them follows from the columns that they are computed from
	(18, 'regress_nv_owner', 'SELECT set_bounds(''virtual'', ''seven'', 0, 40)', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT set_owner_bounds(''virtual'', ''seven'', 0, 40)', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT set_keys(''virtual'', ''t'', ''{w1,w2}''::text[])', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT set_bounds(''virtual'', ''x'', 0, 40)', '.*'),
	(18, 'regress_nv_analyst', 'SELECT round((sum(seven) / 10)::numeric) FROM virtual', '\(82\)'),
	(18, 'regress_nv_owner', 'CREATE TABLE asked (id int PRIMARY KEY, smokes bool, age int, region text, old bool GENERATED ALWAYS AS (age > 20) VIRTUAL, place text GENERATED ALWAYS AS (lower(region)) VIRTUAL)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO asked SELECT i, i % 5 = 0, i, chr(65 + i % 2) FROM generate_series(1, 40) i', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''asked'', ''id'', regime => ''local'', epsilon => 400) > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'SELECT set_domain(''asked'', ''old'', ''{t,f}''::bool[])', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT set_domain(''asked'', ''age'', (SELECT array_agg(i) FROM generate_series(1, 40) i)), set_domain(''asked'', ''smokes'', ''{t,f}''::bool[]), set_public(''asked'', ''region''), grant_budget(''asked'', ''regress_nv_analyst'', epsilon => 400)', '.*'),
	(18, 'regress_nv_owner', 'SELECT set_public(''asked'', ''old'')', '42PA4'),
	(18, 'regress_nv_analyst', 'SELECT round(ldp_count(old, ''epsilon=30'')), round(ldp_count(old AND smokes, ''epsilon=30'')) FROM asked WHERE place = ''a''', '\(10,2\)'),
	(18, 'regress_nv_owner', 'CREATE TABLE walk (id int, step int, place int NOT NULL, indoors int GENERATED ALWAYS AS (place % 2) VIRTUAL, PRIMARY KEY (id, step))', ''),
	(18, 'regress_nv_owner', 'SELECT protect_entries(''walk'', owner => ''id'', order_by => ''{step}'', entry => ''indoors'', priors => chain_prior(''{0,1}''::text[], ''{{0.9,0.1},{0.2,0.8}}''), max_entries => 5)', '42PA4'),
	-- and beside which types may be that blocks do not allow
	(18, 'regress_nv_owner', 'CREATE TABLE beside (id int NOT NULL, x int, doc jsonb, twice int GENERATED ALWAYS AS (x * 2) VIRTUAL, part jsonb GENERATED ALWAYS AS (doc -> ''a'') VIRTUAL, of oid GENERATED ALWAYS AS (tableoid) VIRTUAL)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO beside SELECT i, i, ''{"a": 1}'' FROM generate_series(1, 5) i', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''beside'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM beside WHERE twice = 4', '\(1\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v LEFT JOIN beside b USING (id) WHERE b.twice IS NULL', '\(25\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM beside WHERE part IS NULL', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM beside WHERE of > 5', '42PA1'),
	-- a partition may compute another one, which is not what is read by its parent
	(18, 'regress_nv_owner', 'CREATE TABLE span (id int NOT NULL, k int, kept int GENERATED ALWAYS AS (k + 1) STORED, made int GENERATED ALWAYS AS (k + 1) VIRTUAL) PARTITION BY LIST (k)', ''),
	(18, 'regress_nv_owner', 'CREATE TABLE span_1 PARTITION OF span (made GENERATED ALWAYS AS (k / (id - 1)) VIRTUAL) FOR VALUES IN (1)', ''),
	(18, 'regress_nv_owner', 'CREATE TABLE span_2 PARTITION OF span (kept GENERATED ALWAYS AS (k + 100) STORED) FOR VALUES IN (2)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO span VALUES (1, 1), (2, 2)', ''),
	(18, 'regress_nv_owner', 'SELECT made FROM span_1', '22012'),
	(18, 'regress_nv_owner', 'SELECT protect(''span'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'SELECT grant_budget(''span'', ''regress_nv_analyst'', epsilon => 1e6, delta => 0.1) IS NULL', '.*'),
	(18, 'regress_nv_analyst', 'SELECT count(*), count(made) FROM span WHERE made > 1', '\(2,2\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM span WHERE kept = 102', '\(1\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM span_1 WHERE made > 0', '42PA1'),
	-- declared NOT NULL for rows to come
	(18, 'regress_nv_owner', 'CREATE TABLE late (id int, x int, n int)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO late VALUES (NULL, 1, NULL)', ''),
	(18, 'regress_nv_owner', 'ALTER TABLE late ADD CONSTRAINT later NOT NULL id NOT VALID', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''late'', ''id'', epsilon => 1)', '42PA4'),
	(18, 'regress_nv_owner', 'UPDATE late SET id = 1', ''),
	(18, 'regress_nv_owner', 'ALTER TABLE late VALIDATE CONSTRAINT later', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''late'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'SELECT grant_budget(''late'', ''regress_nv_analyst'', epsilon => 1e6, delta => 0.1) IS NULL', '.*'),
	(18, 'regress_nv_owner', 'ALTER TABLE late ADD CONSTRAINT later_n NOT NULL n NOT VALID', ''),
	(18, 'regress_nv_analyst', 'SELECT count(*), count(n) FROM late', '\(1,0\)'),
	(18, 'regress_nv_owner', 'ALTER TABLE late ALTER COLUMN id DROP NOT NULL', '42PA4'),
	-- old and new rows
	(18, 'regress_nv_analyst', 'UPDATE visit SET cost = 1 RETURNING old.cost', '42PA1|42501'),
	(18, 'regress_nv_analyst', 'DELETE FROM visit RETURNING old.cost, new.cost', '42PA1|42501'),
	(18, 'regress_nv_analyst', 'UPDATE sink s SET v = ''z'' FROM visit v WHERE v.id = s.id RETURNING old.v, new.v', '42PA1'),
	(18, 'regress_nv_analyst', 'UPDATE sink s SET v = ''z'' RETURNING old.v, new.v', '\(x,z\)'),
	(18, 'regress_nv_analyst', 'INSERT INTO sink SELECT count(*), ''n'' FROM visit RETURNING old.id, new.id', '\(,30\)'),
	-- keys over time say nothing of the other columns
	(18, 'regress_nv_owner', 'CREATE TABLE era (span int4range, valid int4range, title text, PRIMARY KEY (span, valid WITHOUT OVERLAPS))', ''),
	(18, 'regress_nv_owner', 'INSERT INTO era SELECT ''[1,2)'', int4range(i, i + 1), ''t'' FROM generate_series(1, 5) i', ''),
	(18, 'regress_nv_owner', 'GRANT SELECT ON era TO regress_nv_analyst', ''),
	(18, 'regress_nv_owner', 'SELECT declare_public(''era'')', '.*'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN era e ON e.span = int4range(v.cost, v.cost + 1)', '42PA1'),
	-- joins of a table with itself by a key, which the planner leaves out
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM person a JOIN person b ON a.id = b.id WHERE a.born < 1960', '\(9\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN person a ON a.id = v.id JOIN person b ON b.id = a.id WHERE b.born < 1960 GROUP BY ward ORDER BY ward', '\(3\)\(3\)\(3\)'),
	(18, 'regress_nv_analyst', 'SELECT set_config(s, ''off'', false) FROM unnest(''{enable_self_join_elimination,enable_distinct_reordering,enable_seqscan,enable_nestloop}''::text[]) s', '(\(off\))+'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM person a JOIN person b ON a.id = b.id WHERE a.born < 1960', '\(9\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit v JOIN person p ON p.id = v.id', '\(30\)'),
	(18, 'regress_nv_analyst', 'SELECT set_config(s, ''on'', false) FROM unnest(''{enable_self_join_elimination,enable_distinct_reordering,enable_seqscan,enable_nestloop}''::text[]) s', '(\(on\))+'),
	-- lists as arrays, and groups that are left out before they are made
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost IN (VALUES (1), (2))', '\(6\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE id IN (VALUES (1), (NULL))', '\(1\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost = 1 OR cost = 2 OR cost = length(ward)', '\(6\)'),
	(18, 'regress_nv_analyst', 'SELECT ward, count(*) FROM visit GROUP BY GROUPING SETS ((ward), (ward, ward)) HAVING ward > ''A'' ORDER BY 1', '\(B,10\)\(B,10\)\(C,10\)\(C,10\)'),
	(18, 'regress_nv_analyst', 'SELECT ward, count(*) FROM visit GROUP BY ROLLUP (ward) HAVING ward IS NULL', '\(,30\)'),
	(18, 'regress_nv_analyst', 'SELECT ward, sum(n) FROM (SELECT ward, count(*) AS n FROM visit GROUP BY ward) g GROUP BY ROLLUP (ward) HAVING ward IS NULL OR ward = ''B'' ORDER BY 1', '\(B,10\)\(,30\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT id, cost FROM visit INTERSECT SELECT id, cost FROM visit WHERE cost > 3) i', '\(18\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM (SELECT id, cost FROM visit EXCEPT SELECT id, cost FROM visit WHERE cost > 3) i', '\(12\)'),
	-- aggregates of further types
	(18, 'regress_nv_analyst', 'SELECT max(note::bytea) FROM visit', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT max(ARRAY[cost]) FROM visit', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT min(visit) FROM visit', '42PA1'),
	-- case maps that lengthen, and patterns by collations that are not of bytes
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE upper(lower(ward) COLLATE pg_unicode_fast) = ''A''', '\(10\)'),
	(18, 'none', 'CREATE COLLATION nv.alike (provider = icu, locale = ''und-u-ks-level2'', deterministic = false)', '|0A000'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE ward COLLATE nv.alike LIKE ''a''', '42PA1|42704'),
	-- constraints that are not enforced are none; of a partitioned table they may be not validated
	(18, 'regress_nv_owner', 'CREATE TABLE bed (b int PRIMARY KEY, id int NOT NULL)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO bed VALUES (1, 1), (2, 2)', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''bed'', ''id'', unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'CREATE TABLE stay (s int, b int NOT NULL CONSTRAINT in_bed REFERENCES bed NOT ENFORCED)', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''stay'', ''{b}''::name[], unit => ''nv_unit'')', '42PA4'),
	(18, 'regress_nv_owner', 'ALTER TABLE stay ALTER CONSTRAINT in_bed ENFORCED', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''stay'', ''{b}''::name[], unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'ALTER TABLE stay ALTER CONSTRAINT in_bed NOT ENFORCED', '42PA4'),
	(18, 'regress_nv_owner', 'CREATE TABLE year (s int, b int NOT NULL) PARTITION BY LIST (s)', ''),
	(18, 'regress_nv_owner', 'CREATE TABLE year_1 PARTITION OF year DEFAULT', ''),
	(18, 'regress_nv_owner', 'ALTER TABLE year ADD CONSTRAINT in_bed FOREIGN KEY (b) REFERENCES bed NOT VALID', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''year'', ''{b}''::name[], unit => ''nv_unit'')', '42PA4'),
	(18, 'regress_nv_owner', 'ALTER TABLE year VALIDATE CONSTRAINT in_bed', ''),
	(18, 'regress_nv_owner', 'SELECT protect(''year'', ''{b}''::name[], unit => ''nv_unit'') > 0', '\(t\)'),
	(18, 'regress_nv_owner', 'ALTER TABLE ONLY year DROP CONSTRAINT in_bed', '42PA4'),
	(18, 'regress_nv_owner', 'CREATE TABLE spot (k int PRIMARY KEY, size int NOT NULL CONSTRAINT small CHECK (size BETWEEN 0 AND 9) NOT ENFORCED)', ''),
	(18, 'regress_nv_owner', 'CREATE TABLE tight (k int PRIMARY KEY, size int NOT NULL CHECK (size BETWEEN 0 AND 9))', ''),
	(18, 'regress_nv_owner', 'INSERT INTO spot SELECT i, 1000 FROM generate_series(0, 9) i', ''),
	(18, 'regress_nv_owner', 'INSERT INTO tight SELECT i, 9 FROM generate_series(0, 9) i', ''),
	(18, 'regress_nv_owner', 'SELECT declare_public(''spot''), declare_public(''tight'')', '.*'),
	(18, 'regress_nv_owner', 'GRANT SELECT ON spot, tight TO regress_nv_analyst', ''),
	(18, 'regress_nv_owner', 'CREATE TABLE band (k int PRIMARY KEY, high bool GENERATED ALWAYS AS (k > 4) VIRTUAL)', ''),
	(18, 'regress_nv_owner', 'INSERT INTO band SELECT i FROM generate_series(0, 9) i', ''),
	(18, 'regress_nv_owner', 'GRANT SELECT ON band TO regress_nv_analyst', ''),
	(18, 'regress_nv_owner', 'SELECT declare_public(''band'', ''{high}''::name[], 5)', '42PA4'),
	(18, 'regress_nv_owner', 'SELECT declare_public(''band'')', '.*'),
	(18, 'regress_nv_owner', 'SELECT set_keys(''band'', ''high'')', '42PA4'),
	(18, 'regress_nv_analyst', 'SELECT high, count(*) FROM visit JOIN band ON k = cost GROUP BY high ORDER BY high', '\(f,15\)\(t,15\)'),
	(18, 'regress_nv_analyst', 'SELECT sum(size) FROM visit JOIN tight ON k = cost', '\(270\)'),
	(18, 'regress_nv_analyst', 'SELECT sum(size) FROM visit JOIN spot ON k = cost', '22PA5'),
	-- functions of SQL whose plans are kept ask for the privileges of each day
	(18, 'regress_nv_analyst', 'CREATE FUNCTION nvdesk.met() RETURNS bigint LANGUAGE sql VOLATILE AS ''SELECT count(*) FROM nv.visit JOIN nv.tight ON k = cost''', ''),
	(18, 'regress_nv_analyst', 'SELECT nvdesk.met() FROM generate_series(1, 7) GROUP BY 1', '\(30\)'),
	(18, 'regress_nv_owner', 'REVOKE SELECT ON tight FROM regress_nv_analyst', ''),
	(18, 'regress_nv_analyst', 'SELECT nvdesk.met()', '42501'),
	(18, 'regress_nv_analyst', 'CREATE FUNCTION nvdesk.raw() RETURNS SETOF int LANGUAGE sql VOLATILE AS ''SELECT cost FROM nv.visit''', ''),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM nvdesk.raw()', '42PA1'),
	-- what is stored may be copied as a table
	(18, 'regress_nv_analyst', 'CREATE MATERIALIZED VIEW nvdesk.kept AS SELECT cost FROM visit', '42PA1'),
	-- grouped queries have an entry for their keys
	(18, 'regress_nv_analyst', 'SELECT lower(ward) || 1, count(*) FROM visit GROUP BY lower(ward) || 1 HAVING lower(ward) || 1 > ''a1'' ORDER BY lower(ward) || 1', '\(b1,10\)\(c1,10\)'),
	(18, 'regress_nv_analyst', 'SELECT ward, count(*), grouping(ward) FROM visit GROUP BY ROLLUP (ward) ORDER BY 3, 1', '\(A,10,0\)\(B,10,0\)\(C,10,0\)\(,30,1\)'),
	(18, 'regress_nv_analyst', 'SELECT (SELECT max(s.v) FROM sink s WHERE s.v > ward), count(*) FROM visit GROUP BY ward', '42PA1|\(.*\)'),
	-- functions
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuid_extract_timestamp((''ffffffff-ffff-7fff-bfff-fffffffffff'' || cost)::uuid)::text LIKE ''%10889%''', '\(30\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE gamma(cost) IS NULL', '\(3\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE round(gamma(cost + 1)) = 362880 OR round(100 * lgamma(cost + 1)) = 179', '\(6\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE gamma(100 * cost) IS NULL', '\(27\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE gamma(-cost) IS NULL AND lgamma(-cost) IS NULL AND lgamma(1e306 * (cost + 1)) IS NULL', '\(30\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE gamma(cost - 190.5) = 0', '\(30\)'),
	(18, 'regress_nv_analyst', 'SELECT casefold(ward), count(*) FROM visit GROUP BY casefold(ward) HAVING casefold(ward) <> ''b''', '\(a,10\)\(c,10\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE casefold(''SS'' || ward) = ''ssa''', '\(10\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE crc32(ward::bytea) = 1', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE array_sort(ARRAY[cost, 1]) = ''{1}''', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuidv7() IS NULL', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE uuidv4() IS NULL', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE reverse(ward::bytea) = ''A''', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT initcap(ward COLLATE pg_unicode_fast), count(*) FROM visit GROUP BY 1 ORDER BY 1', '\(A,10\)\(B,10\)\(C,10\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE cost::int4::bytea = ''x''', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE regexp_like(''A'', ward)', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE regexp_like(pattern => ward, string => ''A'')', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE extract(week FROM cost * interval ''1 day'') = 1', '42PA1'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE extract(quarter FROM cost * interval ''-1 month'') < 0', '\(27\)'),
	(18, 'regress_nv_analyst', 'SELECT count(*) FROM visit WHERE to_number(ward, ''RN'') = 1', '42PA1'),
	(18, 'regress_nv_analyst', 'COPY visit FROM STDIN WITH (ON_ERROR ignore, REJECT_LIMIT 1)', '42501|0A000'),
	(18, 'none', 'GRANT pg_signal_autovacuum_worker TO regress_nv_other', ''),
	(18, 'none', 'SELECT object FROM privacct.check_hardening(''regress_nv_other'') WHERE object ~ ''^role''', '\("role pg_signal_autovacuum_worker"\)'),
	(18, 'none', 'REVOKE pg_signal_autovacuum_worker FROM regress_nv_other', '');
CALL public.nv_run();
TABLE public.nv_wrong;

-- A foreign table asks as whoever its user is, and is answered as that role, whatever it hands on (where it is
-- installed, and that role need not say a password).
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw') AS foreign \gset
\if :foreign
CREATE EXTENSION postgres_fdw;
SELECT split_part(current_setting('unix_socket_directories'), ',', 1) AS host, current_setting('port') AS port, current_database() AS database \gset
CREATE SERVER nv_loop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'host', port :'port', dbname :'database', options '-c privacct.epsilon=2000');
CREATE USER MAPPING FOR regress_nv_analyst SERVER nv_loop OPTIONS (user 'regress_nv_analyst', password_required 'false');
ALTER ROLE regress_nv_analyst LOGIN;
CREATE FOREIGN TABLE nvdesk.far (id int, ward text, cost int, note text) SERVER nv_loop OPTIONS (schema_name 'nv', table_name 'visit');
ALTER FOREIGN TABLE nvdesk.far OWNER TO regress_nv_analyst;
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM far', '\(30\)|08001'),
	(15, 'regress_nv_analyst', 'SELECT cost FROM far', '42PA1|08001'),
	(15, 'regress_nv_analyst', 'SELECT count(*) FROM far WHERE EXISTS (SELECT FROM far b WHERE b.id = far.id AND b.cost > 3)', '42PA1|08001'),
	(15, 'regress_nv_analyst', 'ANALYZE far', '42PA1|08001'),
	(15, 'regress_nv_analyst', 'ALTER FOREIGN TABLE far OPTIONS (ADD use_remote_estimate ''on'')', ''),
	(15, 'regress_nv_analyst', 'EXPLAIN SELECT count(*) FROM far WHERE cost = 3', '42PA1|08001'),
	(16, 'none', 'ALTER SERVER nv_loop OPTIONS (ADD analyze_sampling ''bernoulli'')', ''),
	(16, 'regress_nv_analyst', 'ANALYZE far', '42PA1|08001');
CALL public.nv_run();
DROP EXTENSION postgres_fdw CASCADE;
\endif
TABLE public.nv_wrong;

-- options of EXPLAIN that an extension brings (pg_overexplain, where it is installed)
SELECT public.nv_server() >= 18 AND EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_stat_statements') AS options \gset
\if :options
LOAD 'pg_overexplain';
\endif
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	(18, 'regress_nv_analyst', 'EXPLAIN (DEBUG) SELECT count(*) FROM visit', '42PA1|42601'),
	(18, 'regress_nv_analyst', 'EXPLAIN (RANGE_TABLE, COSTS off) SELECT count(*) FROM visit', '42PA1|42601');
CALL public.nv_run();
TABLE public.nv_wrong;

--
-- What a hardened catalog tells
--
SELECT harden_catalog();
INSERT INTO public.nv_case (since, who, statement, outcome) VALUES
	(16, 'regress_nv_analyst', 'SELECT * FROM pg_stat_io', '42501'),
	(16, 'regress_nv_analyst', 'SELECT * FROM pg_stat_get_io()', '42501'),
	(16, 'regress_nv_analyst', 'SELECT last_seq_scan, n_tup_newpage_upd FROM pg_stat_user_tables WHERE relname = ''visit''', '\(,\)'),
	(17, 'regress_nv_analyst', 'SELECT * FROM pg_stat_checkpointer', '42501'),
	(17, 'regress_nv_analyst', 'SELECT * FROM pg_available_wal_summaries()', '42501'),
	(17, 'regress_nv_analyst', 'SELECT summarized_lsn FROM pg_get_wal_summarizer_state()', '42501'),
	(17, 'regress_nv_analyst', 'SELECT pg_column_toast_chunk_id(v) FROM sink', '42501'),
	(15, 'regress_nv_analyst', 'SELECT * FROM pg_stat_subscription_stats', '42501'),
	(17, 'regress_nv_analyst', 'SELECT pg_logical_emit_message(false, ''a'', ''b'', true)', '42501'),
	(17, 'regress_nv_analyst', 'SELECT pg_sync_replication_slots()', '42501'),
	(18, 'regress_nv_analyst', 'SELECT * FROM pg_stat_get_backend_io(pg_backend_pid())', '42501'),
	(18, 'regress_nv_analyst', 'SELECT * FROM pg_stat_get_backend_wal(pg_backend_pid())', '42501'),
	(18, 'regress_nv_analyst', 'SELECT * FROM pg_aios', '42501'),
	(18, 'regress_nv_analyst', 'SELECT relallfrozen FROM pg_class WHERE relname = ''visit''', '\(0\)'),
	(18, 'regress_nv_owner', 'SELECT relallfrozen FROM pg_class WHERE relname = ''visit''', '\(\d+\)'),
	(18, 'regress_nv_analyst', 'SELECT total_vacuum_time, total_analyze_time FROM pg_stat_user_tables WHERE relname = ''visit''', '\(,\)'),
	(18, 'regress_nv_analyst', 'SELECT parallel_workers_launched FROM pg_stat_database WHERE datname = current_database()', '\(\)'),
	(18, 'regress_nv_analyst', 'SELECT pg_clear_relation_stats(''nv'', ''visit'')', '42501'),
	-- ANALYZE counts pages by default
	(18, 'regress_nv_analyst', 'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT FROM sink', '((?!Buffers).)*Seq Scan((?!Buffers).)*'),
	(18, 'regress_nv_analyst', 'EXPLAIN ANALYZE SELECT FROM sink', '((?!Buffers).)*Seq Scan((?!Buffers).)*'),
	(18, 'regress_nv_analyst', 'EXPLAIN (ANALYZE, BUFFERS) SELECT FROM sink', '42PA1'),
	(18, 'none', 'EXPLAIN ANALYZE SELECT FROM sink', '.*Buffers.*'),
	(15, 'regress_nv_analyst', 'SELECT * FROM pg_class LIMIT 0', ''),
	(15, 'regress_nv_analyst', 'SELECT * FROM pg_database LIMIT 0', ''),
	(15, 'regress_nv_analyst', 'SELECT * FROM pg_attribute LIMIT 0', '');
CALL public.nv_run();
TABLE public.nv_wrong;
SELECT soften_catalog();

-- languages of functions: the guard takes each for what may be inlined, or for a black box
SELECT string_agg(lanname, ' ' ORDER BY lanname) AS languages FROM pg_language;

SET client_min_messages = error;
DROP SCHEMA nv, nvdesk CASCADE;
DROP PROCEDURE public.nv_run;
DROP FUNCTION public.nv_outcome, public.nv_server;
DROP TABLE public.nv_case, public.nv_wrong;
DROP ROLE regress_nv_analyst, regress_nv_other;
