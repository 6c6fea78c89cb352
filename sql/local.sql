--
-- The local regime: owners are asked one by one, each as long as the filter lets them.
-- With an epsilon of 40 answers are true but for one in 1e17, so that estimates
-- can be compared with the rows.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_dba;
CREATE ROLE regress_pa_analyst;
CREATE ROLE regress_pa_nobody;
CREATE SCHEMA asked AUTHORIZATION regress_pa_dba;
GRANT USAGE ON SCHEMA asked TO PUBLIC;
SET search_path = asked, privacct, public;
\i :helpers
CREATE TABLE checkup (person_id int PRIMARY KEY, region text, ward int, grade int, smokes boolean, blood text, age float8, bp float8);
INSERT INTO checkup SELECT i, chr(65 + i % 3), i % 7, i % 4, i % 5 = 0, (ARRAY['A', 'B', 'AB', '0'])[1 + i % 4], 10 + i % 91, 100 + i % 50
FROM generate_series(1, 1000) i;
CREATE TABLE visit (visit_id int PRIMARY KEY, person_id int NOT NULL, grade int);
ALTER TABLE checkup OWNER TO regress_pa_dba;
ALTER TABLE visit OWNER TO regress_pa_dba;
RESET client_min_messages;

-- declaring: what fits and what does not
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	state text;
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', state || ':', SQLERRM, '- ' || nullif(detail, ''));
END
$$;
SET ROLE regress_pa_dba;
SELECT call, try('SELECT privacct.protect(' || call || ')') FROM unnest(ARRAY[
	$$'visit', 'person_id', regime => 'local'$$,
	$$'checkup', 'person_id', regime => 'lokal'$$,
	$$'checkup', 'person_id', regime => 'local', filter => 'fuller'$$,
	$$'checkup', 'person_id', regime => 'local', filter => NULL$$,
	$$'checkup', 'person_id', regime => 'local', accountant => 'zcdp'$$,
	$$'checkup', 'person_id', regime => 'local', sample_rate => 0.5$$,
	$$'checkup', 'person_id', regime => 'local', filter => 'approximate', delta => 0$$,
	$$'checkup', 'person_id', regime => 'local', answer_group => -1$$,
	$$'checkup', 'person_id', regime => 'local', epsilon => 1000$$]) call;
SELECT call, try('SELECT privacct.' || call) FROM unnest(ARRAY[
	$$set_domain('visit', 'grade', ARRAY[1, 2])$$,
	$$set_domain('checkup', 'nothing', ARRAY[1, 2])$$,
	$$set_domain('checkup', 'person_id', ARRAY[1, 2])$$,
	$$set_domain('checkup', 'grade', ARRAY[1])$$,
	$$set_domain('checkup', 'grade', ARRAY[1, 1])$$,
	$$set_domain('checkup', 'grade', ARRAY['x', 'y'])$$,
	$$set_domain('checkup', 'grade', NULL::int[])$$,
	$$set_domain('checkup', 'grade', ARRAY[[0, 1], [2, 3]])$$,
	$$set_domain('checkup', 'grade', ARRAY[0, NULL, 1, NULL])$$,
	$$set_domain('checkup', 'grade', ARRAY(SELECT generate_series(1, 65537)))$$,
	$$set_domain('checkup', 'age', 100, 10)$$,
	$$set_domain('checkup', 'age', 0, 'Infinity')$$,
	$$set_domain('checkup', 'age', NULL, 1)$$,
	$$set_domain('checkup', 'blood', 0, 1)$$,
	$$set_prior('checkup', 'grade', ARRAY[0.5, 0.5])$$,
	$$set_domain('checkup', 'grade', ARRAY[0, 1, 2, 3])$$,
	$$set_prior('checkup', 'grade', ARRAY[0.5, 0.5])$$,
	$$set_prior('checkup', 'grade', ARRAY[0.5, 0.5, 0.5, -0.5])$$,
	$$set_prior('checkup', 'grade', ARRAY[0.4, 0.3, 0.2, 0.1])$$,
	$$set_public('checkup', 'grade')$$,
	$$set_public('checkup', 'region')$$,
	$$set_domain('checkup', 'region', ARRAY['A', 'B'])$$,
	$$set_public('checkup', 'ward')$$,
	$$set_public('checkup', 'person_id')$$,
	$$set_domain('checkup', 'smokes', ARRAY[false, true])$$,
	$$set_domain('checkup', 'blood', ARRAY['A', 'B', 'AB', '0'])$$,
	$$set_domain('checkup', 'bp', ARRAY(SELECT generate_series(1, 10000)))$$,
	$$set_domain('checkup', 'age', 10, 100)$$,
	$$set_domain('checkup', 'bp', 50, 200)$$,
	$$grant_budget('checkup', 'regress_pa_analyst', 100000)$$]) call;
RESET ROLE;
SELECT column_name, position, points, prior, lo, hi FROM privacct.domain ORDER BY position;

-- answers are about the rows
SET privacct.epsilon = 40;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 2)), round(ldp_count(grade > 1)) FROM checkup');
SELECT ask('regress_pa_analyst', 'SELECT region, round(ldp_count(blood IN (''A'', ''0''))) FROM checkup GROUP BY region');
SELECT region, count(*) FROM checkup WHERE blood IN ('A', '0') GROUP BY region ORDER BY region;
SELECT ask('regress_pa_analyst', $$
	SELECT (SELECT string_agg(key || ': ' || round(value::numeric), ', ' ORDER BY key) FROM jsonb_each_text(h))
	FROM (SELECT ldp_histogram(grade) h FROM checkup WHERE region = 'A') r$$);
SELECT grade, count(*) FROM checkup WHERE region = 'A' GROUP BY grade ORDER BY grade;
SELECT ask('regress_pa_analyst', 'SELECT x, count(*) FROM (SELECT ldp_response(blood) x FROM checkup) r GROUP BY x');
SELECT ask('regress_pa_analyst', 'SELECT region, x, count(*) FROM (SELECT region, ldp_response(smokes) x FROM checkup GROUP BY region) r GROUP BY region, x');
SELECT ask('regress_pa_analyst', 'SELECT x, count(*) FROM (SELECT ldp_response(grade, 1, 2) x FROM checkup WHERE ward = 3) r GROUP BY x');

-- one question after the other is recorded, with its law and who answered
SELECT question, text, randomiser, level < 40.000001 AS bounded, columns, points, owners FROM privacct.question ORDER BY question;

-- what cannot be asked
SELECT query, ask('regress_pa_analyst', query) FROM unnest(ARRAY[
	'SELECT ldp_avg(grade) FROM checkup WHERE age > 20',
	'SELECT grade, ldp_avg(grade) FROM checkup GROUP BY grade',
	'SELECT ldp_avg(person_id) FROM checkup',
	'SELECT ldp_avg(ward) FROM checkup',
	'SELECT ldp_avg(1) FROM checkup',
	'SELECT ldp_avg(grade) FILTER (WHERE region = ''A'') FROM checkup',
	'SELECT ldp_avg(DISTINCT grade) FROM checkup',
	'SELECT ldp_avg(grade), count(*) FROM checkup',
	'SELECT ldp_response(grade), ldp_avg(grade) FROM checkup',
	'SELECT ldp_avg(grade) FROM checkup c JOIN checkup d USING (person_id)',
	'SELECT ldp_avg(1 / grade) FROM checkup',
	'SELECT ldp_avg(grade * 0) FROM checkup',
	'SELECT ldp_avg(grade, 3, 1) FROM checkup',
	'SELECT ldp_histogram(age) FROM checkup',
	'SELECT ldp_response(age) FROM checkup',
	'SELECT ldp_count(age > 50) FROM checkup',
	'SELECT ldp_avg(age * bp) FROM checkup',
	'SELECT ldp_avg(round(age)) FROM checkup',
	'SELECT ldp_avg(logistic(age), 0, 2) FROM checkup',
	'SELECT ldp_avg(least(age, 50), 0, 100) FROM checkup',
	'SELECT ldp_avg(age, ''kernel=laplace'') FROM checkup',
	'SELECT ldp_histogram(grade, ''kernel=laplace'') FROM checkup',
	'SELECT ldp_avg(grade, ''kernel=gaussian'') FROM checkup',
	'SELECT person_id FROM checkup',
	'SELECT avg(grade) FROM visit']) query;
SELECT ask('regress_pa_nobody', 'SELECT ldp_avg(grade) FROM checkup');
SELECT ask('regress_pa_dba', 'SELECT ldp_avg(grade) FROM checkup');

DROP SCHEMA asked CASCADE;
DROP ROLE regress_pa_dba, regress_pa_analyst, regress_pa_nobody;
