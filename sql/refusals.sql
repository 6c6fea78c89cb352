-- What a refusal says: SQLSTATE, the place in the text, DETAIL, and a HINT whose
-- form works.  The table has one line for each kind of refusal, and beside it
-- the statement that its hint leads to.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_rf_steward;
GRANT privacct_admin TO regress_rf_steward;
CREATE ROLE regress_rf_analyst;
CREATE SCHEMA refusals AUTHORIZATION regress_rf_steward;
CREATE SCHEMA desk AUTHORIZATION regress_rf_analyst;		-- the analyst's own schema
GRANT USAGE ON SCHEMA refusals TO PUBLIC;
SET search_path = refusals, privacct;
SET ROLE regress_rf_steward;
CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, day date NOT NULL, cost int,
	price numeric(8, 2), code text COLLATE "C", tag text COLLATE "POSIX", stay interval, note jsonb);
INSERT INTO visit SELECT i, (i + 1) / 2, (ARRAY['A', 'B', 'C'])[1 + i % 3], date '2024-01-01' + i, (2 * i + 5) % 11, i, 'A', 'B', '1 day', '{}' FROM generate_series(1, 120) i;
CREATE TABLE lab (test_id int PRIMARY KEY, patient_id int NOT NULL, level int);
INSERT INTO lab SELECT i, i, i % 5 FROM generate_series(1, 60) i;
CREATE TABLE staff (id int PRIMARY KEY, team int NOT NULL, grade int, age int, salary float8);
INSERT INTO staff SELECT i, i % 2, 1 + i % 3, 20 + i % 50, 1000 * i FROM generate_series(1, 100) i;
CREATE TABLE trip (person int, hour int, place text NOT NULL, site text NOT NULL, PRIMARY KEY (person, hour));
INSERT INTO trip SELECT p, h, (ARRAY['home', 'work'])[1 + (p + h) % 2], 'north' FROM generate_series(1, 8) p, generate_series(1, 10) h;
CREATE TABLE log (device int NOT NULL, n int) PARTITION BY RANGE (n);
CREATE TABLE log_low PARTITION OF log FOR VALUES FROM (0) TO (50);
CREATE TABLE ward (ward text PRIMARY KEY, building text NOT NULL, beds int);
INSERT INTO ward VALUES ('A', 'north', 10), ('B', 'north', 20), ('C', 'south', 30);
CREATE TABLE price_list (cost int, tariff int);
CREATE TABLE undeclared (ward text PRIMARY KEY);
CREATE TABLE written (ward text PRIMARY KEY);
CREATE TABLE secured (ward text PRIMARY KEY);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON secured USING (true);
CREATE SEQUENCE counter;
DO $$ BEGIN
	PERFORM privacct.protect('visit', 'patient_id', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1, max_groups_contributed => 2, max_rows_contributed => 2);
	PERFORM privacct.protect('lab', 'patient_id', epsilon => 1e6, min_epsilon => 2, delta => 0);
	PERFORM privacct.protect('log', 'device', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.1);
	PERFORM privacct.protect('staff', 'id', regime => 'local', epsilon => 1e5, min_epsilon => 1e-6, delta => 0);
	PERFORM privacct.protect_entries('trip', 'person', ARRAY['hour']::name[], 'place', privacct.chain_prior(ARRAY['home', 'work'], ARRAY[[.5, .5], [.5, .5]]),
		epsilon_pufferfish => 1e6, max_entries => 10, min_epsilon => 1e-6);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 10), privacct.set_keys('visit', 'ward', ARRAY['A', 'B', 'C']);
	PERFORM privacct.set_domain('staff', 'grade', ARRAY[1, 2, 3]), privacct.set_domain('staff', 'salary', 0, 1e5), privacct.set_public('staff', 'team'),
		privacct.set_public('trip', 'site'), privacct.set_keys('trip', 'site', ARRAY['north']);
	PERFORM privacct.grant_budget(t, 'regress_rf_analyst', 1e5) FROM unnest('{lab,log,staff,trip}'::regclass[]) t;
	PERFORM privacct.grant_budget('visit', 'regress_rf_analyst', 1e5, 0.1);
	PERFORM privacct.declare_public(t) FROM unnest('{ward,written,secured,price_list}'::regclass[]) t;
	PERFORM privacct.declare_public('price_list', '{cost}', 10);
END $$;
CREATE VIEW costly WITH (security_invoker) AS SELECT patient_id, ward, cost, price FROM visit WHERE cost > 2;
CREATE VIEW wards WITH (security_invoker) AS SELECT v.ward FROM visit v CROSS JOIN ward;
CREATE VIEW powers WITH (security_invoker) AS SELECT ward FROM visit WHERE exp(price) > 3;
CREATE FUNCTION raw_rows() RETURNS SETOF visit LANGUAGE sql STABLE AS 'SELECT * FROM refusals.visit';
GRANT SELECT ON ward, price_list, undeclared, written, secured, counter, costly, wards, powers TO regress_rf_analyst;
GRANT INSERT ON written TO PUBLIC;
SET ROLE regress_rf_analyst;
CREATE TABLE desk.number (i int PRIMARY KEY);
CREATE TABLE desk.sink (patient_id int);
CREATE TABLE desk.own (id int NOT NULL);
CREATE TYPE desk.mood AS ENUM ('sad', 'glad');
CREATE COLLATION desk.odd (locale = 'C');
CREATE COLLATION desk.loose (provider = icu, locale = 'und', deterministic = false);
CREATE OPERATOR desk.=== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int);
RESET ROLE;
DO $$ BEGIN PERFORM privacct.protect('desk.own', 'id'); END $$;
CREATE TABLE refusal (id serial, statement text, allowed text, state text DEFAULT '42PA1');
GRANT SELECT ON refusal TO PUBLIC;

-- What is wrong with the refusal of a statement; null: nothing.
CREATE FUNCTION refused(statement text, state text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	its_state text;
	detail text;
	hint text;
BEGIN
	PERFORM set_config('role', 'regress_rf_analyst', true);
	BEGIN
		EXECUTE statement;
		RETURN 'it is answered';
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS its_state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN nullif(concat_ws(', ', CASE WHEN its_state <> state THEN its_state END, CASE WHEN detail = '' THEN 'no detail' END,
		CASE WHEN hint = '' THEN 'no hint' END), '');
END
$$;

-- Why the statement is refused; null: it is answered.
CREATE FUNCTION not_answered(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
BEGIN
	PERFORM set_config('role', 'regress_rf_analyst', true);
	BEGIN
		EXECUTE statement;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN message || ' ' || detail;
END
$$;

--
-- The kinds
--

INSERT INTO refusal (statement, allowed) VALUES
-- single rows
('SELECT * FROM visit', 'SELECT count(*) FROM visit'),
('TABLE visit', 'SELECT count(*) FROM visit'),
('SELECT FROM visit', 'SELECT count(*) FROM visit'),
('SELECT ''ä'', ward FROM costly', 'SELECT count(*) FROM visit'),
('SELECT ward FROM ward UNION SELECT ward FROM visit', 'SELECT ward FROM ward UNION SELECT ward FROM visit GROUP BY ward'),
('SELECT count(*) OVER () FROM visit', 'SELECT count(*) FROM visit'),
('SELECT EXISTS (SELECT FROM visit WHERE patient_id = 7)', 'SELECT (SELECT count(*) FROM visit WHERE patient_id = 7) > 0'),
('SELECT 7 IN (SELECT patient_id FROM visit)', 'SELECT (SELECT count(*) FROM visit WHERE patient_id = 7) > 0'),
('WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r JOIN visit ON cost = n) SELECT count(*) FROM r', 'SELECT count(*) FROM visit'),
('CREATE TABLE desk.stolen AS SELECT * FROM visit', 'CREATE TABLE desk.kept AS SELECT count(*) FROM visit'),
('INSERT INTO desk.sink SELECT patient_id FROM visit', 'INSERT INTO desk.sink SELECT count(*) FROM visit'),
('DELETE FROM desk.sink USING visit v', 'DELETE FROM desk.sink WHERE (SELECT count(*) FROM visit) > 0'),
('WITH gone AS (DELETE FROM desk.sink USING visit v RETURNING v.*) SELECT count(*) FROM gone', 'WITH n AS (SELECT count(*) FROM visit) SELECT * FROM n'),
('SELECT * FROM log_low', 'SELECT count(*) FROM log'),
-- changes
('UPDATE visit SET cost = 0 RETURNING ward', ''),
('UPDATE visit SET cost = 0 WHERE cost > 1', ''),
('DELETE FROM visit WHERE cost > 1', ''),
('MERGE INTO visit v USING ward w ON v.ward = w.ward WHEN MATCHED THEN DELETE', ''),
-- groupings
('SELECT grade, count(*) FROM staff GROUP BY ROLLUP (grade)', 'SELECT count(*) FROM staff'),
('SELECT place, count(*) FROM trip GROUP BY CUBE (place)', 'SELECT place, count(*) FROM trip GROUP BY place UNION ALL SELECT NULL, count(*) FROM trip'),
('SELECT ward, 1, count(*) FROM visit GROUP BY ROLLUP (ward, 2)', 'SELECT ward, 1, count(*) FROM visit GROUP BY ROLLUP (ward)'),
('SELECT ward, count(DISTINCT patient_id) FROM visit GROUP BY ROLLUP (ward)', 'SELECT ward, count(DISTINCT patient_id) FROM visit GROUP BY ward UNION ALL SELECT NULL, count(DISTINCT patient_id) FROM visit'),
('SELECT count(*) FROM visit GROUP BY ()', 'SELECT count(*) FROM visit'),
('SELECT ward, dp_mode(ward) FROM visit GROUP BY ROLLUP (ward)', 'SELECT dp_mode(ward) FROM visit'),
('SELECT DISTINCT ON (ward) ward, cost FROM visit', 'SELECT ward, count(*) FROM visit GROUP BY ward'),
('SELECT visit_id, cost, count(*) FROM visit GROUP BY visit_id', 'SELECT visit_id, cost, count(*) FROM visit GROUP BY visit_id, cost'),
('SELECT patient_id, count(*) FROM visit GROUP BY patient_id', 'SELECT ward, count(*) FROM visit GROUP BY ward'),
('SELECT ward IN (SELECT ward FROM ward), count(*) FROM visit GROUP BY 1', 'SELECT ward IN (''A'', ''B''), count(*) FROM visit GROUP BY 1'),
('SELECT ward, count(*) FROM visit GROUP BY ward, (SELECT 1)', 'SELECT ward, count(*) FROM visit GROUP BY ward, cost + 1'),
('SELECT count(*) FROM visit GROUP BY ' || (SELECT string_agg('cost + ' || i, ', ') FROM generate_series(1, 33) i), 'SELECT count(*) FROM visit GROUP BY ' || (SELECT string_agg('cost + ' || i, ', ') FROM generate_series(1, 32) i)),
('SELECT note, count(*) FROM visit GROUP BY note', 'SELECT ward, count(*) FROM visit GROUP BY ward'),
-- tables and joins
('SELECT count(*) FROM visit JOIN (ward a FULL JOIN ward b USING (ward)) USING (ward)', 'SELECT count(*) FROM visit JOIN (ward a LEFT JOIN ward b USING (ward)) USING (ward)'),
('SELECT count(*) FROM visit CROSS JOIN ward', 'SELECT count(*) FROM visit JOIN ward USING (ward)'),
('SELECT count(*) FROM visit v JOIN ward w ON v.ward < w.ward', 'SELECT count(*) FROM visit v JOIN ward w ON v.ward = w.ward'),
('SELECT count(*) FROM wards', 'SELECT count(*) FROM visit JOIN ward USING (ward)'),
('SELECT count(*) FROM visit JOIN price_list p USING (cost) JOIN price_list q USING (cost)', 'SELECT count(*) FROM visit JOIN price_list p USING (cost)'),
('SELECT count(*) FROM visit JOIN undeclared USING (ward)', 'SELECT * FROM (SELECT ward, count(*) FROM visit GROUP BY ward) AS b JOIN undeclared USING (ward)'),
('SELECT count(*) FROM visit JOIN written USING (ward)', 'SELECT * FROM (SELECT ward, count(*) FROM visit GROUP BY ward) AS b JOIN written USING (ward)'),
('SELECT count(*) FROM visit JOIN secured USING (ward)', 'SELECT * FROM (SELECT ward, count(*) FROM visit GROUP BY ward) AS b JOIN secured USING (ward)'),
('SELECT count(*) FROM visit JOIN desk.number ON cost = i', 'SELECT * FROM (SELECT cost, count(*) FROM visit GROUP BY cost) AS b JOIN desk.number ON cost = i'),
('SELECT count(*) FROM visit JOIN pg_class c ON relnatts = cost', 'SELECT * FROM (SELECT cost, count(*) FROM visit GROUP BY cost) AS b JOIN pg_class c ON relnatts = cost'),
('SELECT count(*) FROM visit JOIN counter ON cost = last_value', 'SELECT * FROM (SELECT cost, count(*) FROM visit GROUP BY cost) AS b JOIN counter ON cost = last_value'),
('SELECT count(*) FROM visit v, generate_series(1, 2) g', 'SELECT * FROM (SELECT ward, count(*) FROM visit GROUP BY ward) AS b, generate_series(1, 2) g'),
('SELECT count(*) FROM visit v, (VALUES (1), (2)) u', 'SELECT count(*) FROM visit v JOIN (VALUES (1), (2)) u (i) ON cost = i'),
('SELECT count(*) FROM visit v JOIN (VALUES (1), (length(current_date::text))) u (i) ON cost = i', 'SELECT count(*) FROM visit v JOIN (VALUES (1), (10)) u (i) ON cost = i'),
('WITH n AS (SELECT ward FROM ward GROUP BY ward) SELECT count(*) FROM visit JOIN n USING (ward)', 'WITH n AS (SELECT ward FROM ward) SELECT * FROM (SELECT ward, count(*) FROM visit GROUP BY ward) AS b JOIN n USING (ward)'),
('SELECT count(*) FROM visit v, LATERAL (SELECT w.building FROM ward w WHERE w.ward = v.ward) s', 'SELECT count(*) FROM visit v JOIN ward w ON w.ward = v.ward'),
('SELECT count(*) FROM visit a JOIN visit b ON a.visit_id = b.visit_id', 'SELECT count(*) FROM visit a JOIN visit b ON a.visit_id = b.visit_id AND a.patient_id = b.patient_id'),
('SELECT count(*) FROM visit JOIN lab USING (patient_id)', 'SELECT * FROM (SELECT count(*) FROM visit) a, (SELECT count(*) FROM lab) b'),
('WITH n AS NOT MATERIALIZED (SELECT * FROM visit) SELECT count(*) FROM n a JOIN n b ON a.cost = b.cost', 'WITH n AS NOT MATERIALIZED (SELECT count(*) AS n FROM visit) SELECT a.n - b.n FROM n a, n b'),
('SELECT count(*) FROM visit JOIN desk.own ON patient_id = id', 'SELECT count(*) FROM visit'),
('SELECT count(*) FROM log_low', 'SELECT count(*) FROM log WHERE n < 50'),
('SELECT count(*) FROM visit TABLESAMPLE system (50)', 'SELECT count(*) FROM visit'),
('SELECT count(*) FROM raw_rows()', 'SELECT count(*) FROM visit'),
-- subqueries
('SELECT count(*) FROM visit JOIN (SELECT ward FROM ward GROUP BY ward) w USING (ward)', 'SELECT count(*) FROM visit JOIN (SELECT ward FROM ward) w USING (ward)'),
('SELECT count(*) FROM visit JOIN (SELECT ward FROM ward LIMIT 1) w USING (ward)', 'SELECT count(*) FROM visit JOIN (SELECT ward FROM ward) w USING (ward)'),
('SELECT count(*) FROM (SELECT ward, row_number() OVER () FROM visit) s', 'SELECT count(*) FROM (SELECT ward FROM visit) s'),
('SELECT count(*) FROM (SELECT unnest(ARRAY[1, 2]) FROM visit) s', 'SELECT count(*) FROM (SELECT 1 FROM visit) s'),
('SELECT count(*) FROM visit JOIN (SELECT ward FROM ward UNION SELECT ''A'') w USING (ward)', 'SELECT count(*) FROM visit JOIN (SELECT ward FROM ward) w USING (ward)'),
('SELECT count(*) FROM (SELECT ward FROM visit FOR SHARE) s', 'SELECT count(*) FROM (SELECT ward FROM visit) s'),
('SELECT count(*) FROM visit WHERE cost > (SELECT count(*) FROM ward)', 'SELECT count(*) FROM visit WHERE cost IN (SELECT beds FROM ward)'),
('SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM lab)', 'SELECT count(*) FROM visit WHERE ward IN (SELECT ward FROM ward)'),
('SELECT count(*) FROM visit v WHERE EXISTS (SELECT FROM ward w WHERE w.ward > v.ward)', 'SELECT count(*) FROM visit v WHERE ward IN (SELECT ward FROM ward)'),
('SELECT w.ward, n FROM ward w, LATERAL (SELECT count(*) AS n FROM visit v WHERE v.ward = w.ward) x', 'SELECT w.ward, n FROM ward w JOIN (SELECT ward, count(*) AS n FROM visit GROUP BY ward) v USING (ward)'),
('SELECT count(*) FROM visit WHERE cost > (SELECT avg(cost) FROM visit GROUP BY ward)', 'SELECT count(*) FROM visit WHERE cost > (SELECT avg(cost) FROM visit)'),
('WITH r AS (SELECT ward, avg(cost) AS v FROM visit GROUP BY ward) SELECT count(*) FROM visit JOIN r ON cost > v', 'WITH r AS (SELECT ward, avg(cost) AS v FROM visit GROUP BY ward) SELECT count(*) FROM visit JOIN r USING (ward) WHERE cost > v'),
('SELECT w.ward, (SELECT count(*) FROM visit v WHERE v.ward <= w.ward) FROM ward w', 'SELECT w.ward, (SELECT count(*) FROM visit v WHERE v.ward = w.ward) FROM ward w'),
('SELECT count(*) FROM visit v WHERE cost > (SELECT avg(cost + ascii(v.ward)) FROM visit w WHERE w.ward = v.ward)', 'SELECT count(*) FROM visit v WHERE cost > (SELECT avg(cost) FROM visit w WHERE w.ward = v.ward)'),
('SELECT count(*) FROM visit v WHERE cost > (SELECT avg(cost) FROM visit w WHERE w.ward = v.ward GROUP BY day)', 'WITH r AS (SELECT ward, avg(cost) AS v FROM visit GROUP BY ward) SELECT count(*) FROM visit JOIN r USING (ward) WHERE cost > v'),
('SELECT count(*) FROM (WITH b AS (SELECT 1 AS one) SELECT cost FROM visit WHERE cost > (SELECT count(*) FROM visit WHERE cost = (SELECT one FROM b))) x', 'WITH b AS (SELECT 1 AS one) SELECT (SELECT count(*) FROM visit), one FROM b'),
('SELECT count(*) FROM visit WHERE cost > ANY (SELECT beds FROM ward)', 'SELECT count(*) FROM visit WHERE cost = ANY (SELECT beds FROM ward)'),
('SELECT count((ward, cost) IN (SELECT ward, beds FROM ward)) FROM visit', 'SELECT count(*) FILTER (WHERE (ward, cost) IN (SELECT ward, beds FROM ward)) FROM visit'),
('SELECT count(*) FROM visit v LEFT JOIN ward w ON v.ward = w.ward AND w.beds IN (SELECT beds FROM ward)', 'SELECT count(*) FROM visit v LEFT JOIN ward w ON v.ward = w.ward WHERE w.beds IN (SELECT beds FROM ward)'),
-- expressions
('SELECT count(*) FROM visit WHERE exp(price) > 3', 'SELECT count(*) FROM visit WHERE exp(price::double precision) > 3'),
('SELECT count(*) FROM visit WHERE ln(price) > 3', 'SELECT count(*) FROM visit WHERE ln(price::double precision) > 3'),
('SELECT count(*) FROM visit WHERE sqrt(price) > 3', 'SELECT count(*) FROM visit WHERE sqrt(price::double precision) > 3'),
('SELECT count(*) FROM visit WHERE power(price, 2) > 3', 'SELECT count(*) FROM visit WHERE power(price::double precision, 2) > 3'),
('SELECT count(*) FROM visit WHERE price ^ 2 > 3', 'SELECT count(*) FROM visit WHERE price::double precision ^ 2 > 3'),
('SELECT width_bucket(price, 0, 100, 10), count(*) FROM visit GROUP BY 1', 'SELECT width_bucket(price::double precision, 0, 100, 10), count(*) FROM visit GROUP BY 1'),
('SELECT count(*) FROM powers', 'SELECT count(*) FROM visit WHERE exp(price::double precision) > 3'),
('SELECT count(*) FROM visit WHERE price > 3 AND sin(cost) > 0', 'SELECT count(*) * sin(1) FROM visit WHERE price > 3'),
('SELECT count(*) FROM visit WHERE ward ~ ''(A)\1''', 'SELECT count(*) FROM visit WHERE ward LIKE ''%A%'''),
('SELECT count(*) FROM visit WHERE note IS NOT NULL', 'SELECT count(*) FROM visit WHERE ward IS NOT NULL'),
('SELECT date_trunc(''fortnight'', day), count(*) FROM visit GROUP BY 1', 'SELECT date_trunc(''week'', day), count(*) FROM visit GROUP BY 1'),
('SELECT date_trunc(ward, day), count(*) FROM visit GROUP BY 1', 'SELECT date_trunc(''month'', day), count(*) FROM visit GROUP BY 1'),
('SELECT count(*) FROM visit WHERE ward LIKE code', 'SELECT count(*) FROM visit WHERE ward LIKE ''A%'''),
('SELECT count(*) FROM visit WHERE ward::time IS NULL', 'SELECT count(*) FROM visit WHERE ward = 3::text'),
('SELECT count(*) FROM visit WHERE ward = ''' || repeat('a', 1001) || '''', 'SELECT count(*) FROM visit WHERE ward = ''' || repeat('a', 1000) || ''''),
('SELECT count(*) FROM visit WHERE ctid = ''(0,1)''', 'SELECT count(*) FROM visit WHERE visit_id = 1'),
('SELECT count(v) FROM visit v', 'SELECT count(v.ward) FROM visit v'),
('SELECT count(*) FROM visit WHERE ward LIKE ANY (ARRAY[''A%'', ''B%''])', 'SELECT count(*) FROM visit WHERE ward LIKE ''A%'' OR ward LIKE ''B%'''),
('SELECT count(*) FROM visit WHERE cost OPERATOR(desk.===) 3', 'SELECT count(*) FROM visit WHERE cost = 3'),
('SELECT count(*) FROM visit WHERE cost IN (1' || repeat(', 1', 1000) || ')', 'SELECT count(*) FROM visit WHERE cost IN (VALUES (1)' || repeat(', (1)', 1000) || ')'),
('SELECT count(*) FROM visit WHERE ward = ANY (string_to_array(ward, '',''))', 'SELECT count(*) FROM visit WHERE ward = ANY (ARRAY[''A'', ''B''])'),
('SELECT count(*) FROM visit WHERE (ward, cost) < (''B'', 3)', 'SELECT count(*) FROM visit WHERE ward < ''B'' OR ward = ''B'' AND cost < 3'),
('SELECT count(*) FROM visit WHERE ''sad''::desk.mood = ''sad''::desk.mood', 'SELECT count(*) FROM visit WHERE ''sad''::text = ''sad'''),
('SELECT count(*) FROM visit WHERE ward COLLATE desk.odd < ''B''', 'SELECT count(*) FROM visit WHERE ward COLLATE "C" < ''B'''),
('SELECT count(*) FROM visit WHERE ward COLLATE desk.loose = ''B''', 'SELECT count(*) FROM visit WHERE ward COLLATE "C" = ''B'''),
('SELECT count(*) FROM visit WHERE tag < code', 'SELECT count(*) FROM visit WHERE tag COLLATE "C" < code'),
('SELECT count(*) FROM visit WHERE ' || (SELECT string_agg('ward LIKE ''%' || i || '%x%''', ' OR ') FROM generate_series(1, 100) i), 'SELECT count(*) FROM visit WHERE ward LIKE ''%1%x%'''),
-- aggregates
('SELECT ward, max(code) FROM visit GROUP BY ward', 'SELECT ward, max(code) FROM (SELECT ward, code FROM visit GROUP BY ward, code) AS g GROUP BY ward'),
('SELECT avg(stay) FROM visit', 'SELECT privacct.dp_avg(extract(epoch FROM stay), 0, 3600) FROM visit'),
('SELECT percentile_cont(0.1) WITHIN GROUP (ORDER BY cost DESC) FROM visit', 'SELECT percentile_cont(1 - 0.1) WITHIN GROUP (ORDER BY cost) FROM visit'),
('SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ward) FROM visit', 'SELECT ward, count(*) FROM visit GROUP BY ward'),
('SELECT percentile_cont((SELECT ARRAY[0.5])) WITHIN GROUP (ORDER BY cost) FROM visit', 'SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost) FROM visit'),
('SELECT percentile_cont(0.1 * cost) WITHIN GROUP (ORDER BY price) FROM visit GROUP BY cost', 'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit'),
('SELECT min(hour) FROM trip', 'SELECT count(*) FILTER (WHERE hour < 10) FROM trip'),
('SELECT sum(cost ORDER BY cost) FROM visit', 'SELECT sum(cost) FROM visit'),
('SELECT sum(DISTINCT cost) FROM visit', 'SELECT count(DISTINCT cost) FROM visit'),
('SELECT dp_sum(cost, 0, cost) FROM visit', 'SELECT dp_sum(cost, 0, 10) FROM visit'),
('SELECT count(*), dp_mode(ward) FROM visit', 'SELECT * FROM (SELECT count(*) FROM visit) a, (SELECT dp_mode(ward) FROM visit) b'),
('SELECT dp_mode(ward) FILTER (WHERE cost > 3) FROM visit', 'SELECT dp_mode(ward) FROM visit WHERE cost > 3'),
('SELECT ward, dp_mode(ward) FROM visit GROUP BY ward', 'SELECT dp_mode(ward) FROM visit'),
('SELECT cost, dp_mode(ward) FROM visit GROUP BY visit_id', 'SELECT dp_mode(ward) FROM visit'),
('SELECT dp_sum(n, 0, 10) FROM (SELECT count(*) AS n FROM visit) s', 'SELECT sum(n) FROM (SELECT count(*) AS n FROM visit) s'),
('SELECT dp_sum(beds, 0, 10) FROM ward', 'SELECT sum(beds) FROM ward'),
-- questions to owners
('SELECT count(*), ldp_avg(grade) FROM staff', 'SELECT * FROM (SELECT count(*) FROM staff) a, (SELECT ldp_avg(grade) FROM staff) b'),
('SELECT ldp_avg(grade) FILTER (WHERE team = 1) FROM staff', 'SELECT ldp_avg(grade) FROM staff WHERE team = 1'),
('SELECT ldp_avg(age) FROM staff', 'SELECT ldp_avg(grade) FROM staff'),
('SELECT ldp_avg(1) FROM staff', 'SELECT ldp_avg(grade) FROM staff'),
('SELECT ldp_avg(grade) FROM staff WHERE age > 30', 'SELECT ldp_avg(grade) FROM staff WHERE team = 1'),
('SELECT age, ldp_avg(grade) FROM staff GROUP BY age', 'SELECT team, ldp_avg(grade) FROM staff GROUP BY team'),
('SELECT ldp_count(grade IN (SELECT beds FROM ward)) FROM staff', 'SELECT ldp_count(grade IN (1, 2)) FROM staff'),
('SELECT ldp_response(grade), ldp_avg(grade) FROM staff', 'SELECT ldp_response(grade) FROM staff'),
('SELECT ldp_avg(cost) FROM visit', 'SELECT avg(cost) FROM visit'),
('SELECT ldp_avg(grade) FROM staff JOIN ward ON grade = beds', 'SELECT ldp_avg(grade) FROM staff'),
-- entries
('SELECT count(*) FROM trip WHERE hour > 3 GROUP BY hour % 2', 'SELECT site, count(*) FROM trip WHERE place = ''home'' GROUP BY site'),
('SELECT hour, count(*) FROM trip GROUP BY hour', 'SELECT place, count(*) FROM trip GROUP BY place'),
('SELECT count(DISTINCT person) FROM trip', 'SELECT count(*) FROM trip'),
('SELECT count(DISTINCT place) FROM trip', 'SELECT place, count(*) FROM trip GROUP BY place'),
('SELECT count(*) FROM trip JOIN ward ON place = ward', 'SELECT count(*) FROM trip');

-- bounds, options, prices
INSERT INTO refusal (state, statement, allowed) VALUES
('22PA5', 'SELECT sum(visit_id) FROM visit', 'SELECT privacct.dp_sum(visit_id, 0, 100) FROM visit'),
('22PA5', 'SELECT sum(beds) FROM visit JOIN ward USING (ward)', 'SELECT privacct.dp_sum(beds, 0, 100) FROM visit JOIN ward USING (ward)'),
('22PA5', 'SELECT variance(beds) FROM visit JOIN ward USING (ward)', 'SELECT privacct.dp_variance(beds, 0, 100) FROM visit JOIN ward USING (ward)'),
('22PA5', 'SELECT count(*), dp_sum(cost, 5, 1) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 5, 2 + 3) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 5, 5 + 1e-13) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, 1e-120) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_avg(cost, 0, 1e120) FROM visit', 'SELECT privacct.dp_avg(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, ''NaN'') FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, NULL, 1) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, 1 / 0) FROM visit', 'SELECT privacct.dp_sum(cost, 0, 100) FROM visit'),
('22PA5', 'SELECT ldp_avg(grade, 3, 1) FROM staff', 'SELECT privacct.ldp_avg(grade, 0, 100) FROM staff'),
('22PA5', 'SELECT dp_topk(ward, 0) FROM visit', 'SELECT privacct.dp_topk(ward, 3) FROM visit'),
('22PA5', 'SELECT ward, dp_count(cost, ''within=5'') FROM visit GROUP BY ROLLUP (ward)', 'SELECT ward, dp_count(cost) FROM visit GROUP BY ROLLUP (ward)'),
('22PA5', 'SELECT ward, dp_count(cost, ''kernel=staircase,within=5'') FROM visit GROUP BY ROLLUP (ward)', 'SELECT ward, dp_count(cost, ''kernel=laplace'') FROM visit GROUP BY ROLLUP (ward)'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=0x10'') FROM visit', 'SELECT dp_count(cost, ''epsilon=0.2'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=inf'') FROM visit', 'SELECT dp_count(cost, ''epsilon=0.2'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=1e6'') FROM visit', 'SELECT dp_count(cost, ''epsilon=0.2'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon'') FROM visit', 'SELECT dp_count(cost, ''epsilon=0.2'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=1,,kernel=laplace'') FROM visit', 'SELECT dp_count(cost, ''epsilon=0.2, kernel=staircase, within=50'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=1,'') FROM visit', 'SELECT dp_count(cost, '' epsilon = 0.2 '') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''=1'') FROM visit', 'SELECT dp_count(cost, '''') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''epsilon=1, Epsilon=1'') FROM visit', 'SELECT dp_count(cost, ''Epsilon=1'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''' || repeat('ä', 400) || '=1'') FROM visit', 'SELECT dp_count(cost, ''rows=10000'') FROM visit'),
('22PA5', 'SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY cost) FROM visit', 'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit'),
('22PA5', 'SELECT dp_median(cost, ''kernel=laplace'') FROM visit', 'SELECT dp_median(cost) FROM visit'),
('22PA5', 'SELECT dp_count_distinct(cost, ''max_rows=5000'') FROM visit', 'SELECT dp_count_distinct(cost, ''max_rows=10'') FROM visit'),
('22PA5', 'SELECT dp_median(cost, ''max_rows=5000'') FROM visit', 'SELECT dp_median(cost, ''max_rows=10'') FROM visit'),
('22PA5', 'SELECT dp_sum(cost, ''kernel=exponential'') FROM visit', 'SELECT dp_sum(cost, ''kernel=laplace'') FROM visit'),
('22PA5', 'SELECT min(day) FROM visit', 'SELECT privacct.dp_min(extract(epoch FROM day), 0, 2e9) FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''delta=1'') FROM visit', 'SELECT dp_count(cost, ''delta=1e-9'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''within=-1'') FROM visit', 'SELECT dp_count(cost, ''within=50'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''rows=0'') FROM visit', 'SELECT dp_count(cost, ''rows=10000'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''max_rows=1.5'') FROM visit', 'SELECT dp_count(cost, ''max_rows=5'') FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, 9, ''per_owner=5'') FROM visit', 'SELECT dp_sum(cost, 0, 9, ''per_owner=0:5000'') FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, 9, ''per_owner=5:1'') FROM visit', 'SELECT dp_sum(cost, 0, 9, ''per_owner=0:5000'') FROM visit'),
('22PA5', 'SELECT dp_sum(cost, 0, 9, ''per_owner=0:5, max_rows=2'') FROM visit', 'SELECT dp_sum(cost, 0, 9, ''per_owner=0:5'') FROM visit'),
('22PA5', 'SELECT dp_variance(cost, 0, 9, ''per_owner=0:5'') FROM visit', 'SELECT dp_variance(cost, 0, 9, ''max_rows=5'') FROM visit'),
('22PA5', 'SELECT dp_count(place, ''max_rows=2'') FROM trip', 'SELECT dp_count(place) FROM trip'),
('22PA5', 'SELECT ldp_avg(grade, ''max_rows=2'') FROM staff', 'SELECT ldp_avg(grade) FROM staff'),
('22PA5', 'SELECT dp_count(cost, ''kernel=magic'') FROM visit', 'SELECT dp_count(cost, ''kernel=laplace'') FROM visit'),
('22PA5', 'SELECT dp_count(cost, ''kernel=exponential'') FROM visit', 'SELECT dp_count(cost, ''kernel=laplace'') FROM visit'),
('22PA5', 'SELECT count(*), dp_count(cost, ''kernel=staircase'') FROM visit', 'SELECT dp_count(cost, ''kernel=staircase, within=50'') FROM visit'),
('22PA5', 'SELECT dp_count(level, ''kernel=gaussian'') FROM lab', 'SELECT dp_count(level, ''kernel=laplace'') FROM lab'),
('22PA5', 'SELECT dp_topk(cost, 2, ''kernel=exponential'') FROM visit', 'SELECT dp_topk(cost, 2, ''kernel=laplace'') FROM visit'),
('22PA5', 'SELECT dp_count(level, ''epsilon=1'') FROM lab', 'SELECT dp_count(level, ''epsilon=2'') FROM lab'),
('22PA5', 'SELECT ldp_avg(salary * salary) FROM staff', 'SELECT ldp_avg(0.5 * salary, ''epsilon=20'') FROM staff'),
('22PA5', 'SELECT ldp_histogram(grade, ''kernel=laplace'') FROM staff', 'SELECT ldp_histogram(grade) FROM staff'),
('22PA5', 'SELECT ldp_histogram(salary) FROM staff', 'SELECT ldp_avg(salary, ''epsilon=20'') FROM staff');

-- EXPLAIN, preview()
INSERT INTO refusal (statement, allowed) VALUES
('EXPLAIN ANALYZE SELECT count(*) FROM visit', 'EXPLAIN SELECT count(*) FROM visit'),
('EXPLAIN (COSTS OFF, BUFFERS) SELECT count(*) FROM visit', 'EXPLAIN (COSTS OFF) SELECT count(*) FROM visit'),
('SELECT * FROM preview(''SELECT * FROM visit'')', 'SELECT * FROM preview(''SELECT count(*) FROM visit'')'),
('SELECT * FROM preview(''SELECT 1'')', 'SELECT * FROM preview(''SELECT count(*) FROM visit'')'),
('SELECT * FROM preview(''DELETE FROM visit'')', 'SELECT * FROM preview(''SELECT count(*) FROM visit'')'),
('SELECT * FROM preview(NULL)', 'SELECT * FROM preview(''SELECT count(*) FROM visit'')');
INSERT INTO refusal (state, statement, allowed) VALUES
('22PA5', 'SELECT * FROM preview(''SELECT dp_sum(cost, 5, 1) FROM visit'')', 'SELECT * FROM preview(''SELECT privacct.dp_sum(cost, 0, 100) FROM visit'')'),
('22PA5', 'SELECT * FROM preview(''SELECT count(*) FROM visit'', -1)', 'SELECT * FROM preview(''SELECT count(*) FROM visit'')');

--
-- All of them
--

SET privacct.epsilon = 40;
SELECT id, left(statement, 100) AS statement, refused(statement, state) FROM refusal WHERE refused(statement, state) IS NOT NULL ORDER BY id;
SELECT id, left(allowed, 100) AS allowed, not_answered(allowed) FROM refusal WHERE allowed <> '' AND not_answered(allowed) IS NOT NULL ORDER BY id;
-- and where each is wrong
SET ROLE regress_rf_analyst;
SELECT statement FROM refusal WHERE length(statement) < 500 ORDER BY id \gexec
-- without the long statements themselves
\set ECHO none
SELECT statement FROM refusal WHERE length(statement) >= 500 ORDER BY id \gexec
\set ECHO all

--
-- Other texts than the one that was sent
--

-- several lines, and several statements
SELECT 'äöü' AS letters,
	(SELECT count(*)
	 FROM visit v
	 CROSS JOIN ward w);
EXPLAIN SELECT 1 FROM ward JOIN (SELECT visit.ward, count(*) FROM visit
	CROSS JOIN ward w GROUP BY visit.ward) s USING (ward);
SELECT count(*) FROM ward \; SELECT count(*) FROM visit CROSS JOIN ward;
-- prepared before
PREPARE joined AS SELECT count(*) FROM visit CROSS JOIN ward;
EXECUTE joined;
PREPARE clamped(float8) AS SELECT dp_sum(cost, 0, $1) FROM visit;
EXECUTE clamped(-1);
SET plan_cache_mode = force_generic_plan;
EXECUTE clamped(-1);
RESET plan_cache_mode;
DEALLOCATE ALL;
-- opened before
BEGIN;
DECLARE c CURSOR FOR SELECT dp_sum(cost, 5, 1) FROM visit;
FETCH c;
ROLLBACK;
-- in functions
DO $$ DECLARE n bigint; BEGIN
	n := 1 + (SELECT count(*) FROM visit CROSS JOIN ward);
END $$;
DO $$ BEGIN EXECUTE 'SELECT dp_sum(cost, 5, 1) FROM visit'; END $$;
CREATE FUNCTION desk.rows() RETURNS int LANGUAGE sql AS 'SELECT cost FROM refusals.visit';
SELECT desk.rows();
CREATE FUNCTION desk.atomic() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT cost FROM refusals.visit; END;
SELECT desk.atomic();
CREATE FUNCTION desk.answer() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM refusals.visit); END $$;
EXPLAIN ANALYZE SELECT desk.answer();
-- in rules
CREATE RULE leak AS ON INSERT TO desk.sink DO ALSO SELECT * FROM refusals.visit;
INSERT INTO desk.sink VALUES (1);
DROP RULE leak ON desk.sink;

--
-- What has no place in the text
--

BEGIN ISOLATION LEVEL SERIALIZABLE;
RESET ROLE;
SET privacct.allow_serializable = on;
SET ROLE regress_rf_analyst;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*) FROM visit;
ROLLBACK;
RESET ROLE;
RESET privacct.allow_serializable;
SET ROLE regress_rf_analyst;
SET trace_sort = on;
SELECT count(*) FROM visit;
RESET trace_sort;

--
-- Conditions without columns, also such as only the planner finds
--

RESET ROLE;
CREATE FUNCTION pg_temp.both(query text) RETURNS TABLE (who text, n bigint) LANGUAGE plpgsql AS $$
BEGIN
	FOREACH who IN ARRAY '{regress_rf_analyst,regress_rf_steward}'::text[] LOOP
		PERFORM set_config('role', who, true);
		EXECUTE 'SELECT (' || query || ')' INTO n;
		RETURN NEXT;
	END LOOP;
	PERFORM set_config('role', 'none', true);
END
$$;
SET privacct.epsilon = 1000;
SELECT q, array_agg(n) AS answers, count(DISTINCT n) = 1 AS same FROM unnest(ARRAY[
	'SELECT count(*) FROM visit JOIN ward USING (ward) WHERE CASE WHEN 1 = 1 THEN now() > ''2000-01-01'' ELSE cost > 3 END',
	'SELECT count(*) FROM visit JOIN ward USING (ward) WHERE CASE WHEN 1 = 1 THEN now() < ''2000-01-01'' ELSE cost > 3 END',
	'SELECT count(*) FROM visit JOIN ward ON visit.ward = ward.ward AND coalesce(now() > ''2000-01-01'', cost > 3)',
	'SELECT count(*) FROM visit LEFT JOIN ward ON visit.ward = ward.ward AND now() < ''2000-01-01'' WHERE beds IS NULL',
	'SELECT count(*) FROM visit LEFT JOIN (SELECT * FROM ward WHERE now() < ''2000-01-01'') w USING (ward) WHERE beds IS NULL',
	'SELECT count(*) FROM (SELECT * FROM visit WHERE now() > ''2000-01-01'') v LEFT JOIN ward USING (ward)',
	'SELECT count(*) FROM ward LEFT JOIN (SELECT * FROM visit WHERE now() < ''2000-01-01'') v USING (ward) WHERE patient_id IS NOT NULL',
	'SELECT count(*) FROM (SELECT ward, now() > ''2000-01-01'' AS p FROM visit) v JOIN ward USING (ward) WHERE p',
	'SELECT count(*) FROM (SELECT ward, now() < ''2000-01-01'' AS p FROM visit) v JOIN ward USING (ward) WHERE p',
	'SELECT count(*) FROM visit WHERE coalesce(now() < ''2000-01-01'', cost > 3)']) q, pg_temp.both(q) GROUP BY q ORDER BY q;
SET ROLE regress_rf_analyst;
PREPARE tested(bool) AS SELECT round(count(*)) AS count FROM visit JOIN ward USING (ward) WHERE CASE WHEN 1 = 1 THEN $1 ELSE cost > 3 END;
SET plan_cache_mode = force_generic_plan;
EXECUTE tested(true);
EXECUTE tested(false);
EXECUTE tested(NULL);
SET plan_cache_mode = force_custom_plan;
EXECUTE tested(true);
EXECUTE tested(false);
EXECUTE tested(NULL);
DEALLOCATE ALL;
RESET ROLE;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA refusals, desk CASCADE;
DROP ROLE regress_rf_analyst, regress_rf_steward;
