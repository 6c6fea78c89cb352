--
-- Steps and histograms over interval columns in the local regime: answers against the rows, losses
-- against all numbers of the interval.  With an epsilon of 40 answers are true but for one in 1e17.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set SHOW_CONTEXT never
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_st_dba;
GRANT privacct_admin TO regress_st_dba;
CREATE ROLE regress_st_analyst;
CREATE SCHEMA steps AUTHORIZATION regress_st_dba;
GRANT USAGE ON SCHEMA steps TO PUBLIC;
SET search_path = steps, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_st_dba;
CREATE TABLE checkup (id int PRIMARY KEY, region text NOT NULL, age int, bp numeric, temp float8, smokes boolean NOT NULL);
INSERT INTO checkup SELECT i, chr(65 + i % 3), 10 + i % 91, 90 + (i * 7 % 600) / 10.0, 35 + (i % 71) / 10.0, i % 5 = 0 FROM generate_series(1, 400) i;
INSERT INTO checkup VALUES (501, 'A', NULL, NULL, NULL, true), (502, 'A', -5, 1000, 'NaN', true), (503, 'B', 1000, 0, 'Infinity', true);
SELECT protect('checkup', 'id', regime => 'local', epsilon => 4000, fresh => true) > 0 AS protected;
SELECT set_domain('checkup', 'age', 10, 100), set_domain('checkup', 'bp', 80, 200), set_domain('checkup', 'temp', 30, 45), set_domain('checkup', 'smokes', ARRAY[false, true]), set_public('checkup', 'region');
SELECT grant_budget('checkup', 'regress_st_analyst', 100000);
-- what owners' records hold: clamped, null as the lower end
CREATE TABLE record AS SELECT id, region, greatest(least(coalesce(age, 10), 100), 10) AS age, greatest(least(coalesce(bp, 80), 200), 80) AS bp,
	CASE WHEN temp IS NULL OR temp IN ('NaN', 'Infinity') THEN 30 ELSE greatest(least(temp, 45), 30) END AS temp, smokes FROM checkup;
RESET ROLE;
SET privacct.epsilon = 40;

CREATE FUNCTION counted(predicate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	raw text := ask('regress_st_dba', format('SELECT region, count(*) FILTER (WHERE %s) FROM record GROUP BY region', predicate));
	answer text := ask('regress_st_analyst', format('SELECT region, round(ldp_count(%s)) + 0 FROM checkup GROUP BY region', predicate));
BEGIN
	RETURN CASE WHEN raw = answer THEN 'same' ELSE raw || ' <> ' || answer END;
END
$$;
SELECT p, counted(p) FROM unnest(ARRAY['age > 50', 'age >= 50', 'age < 50', 'age <= 50', 'age = 50', 'age <> 50', '50 < age', '50.5 >= age', 'age > 50.5', 'age BETWEEN 20 AND 30',
	'NOT (age BETWEEN 20 AND 30 OR age > 80)', 'age IN (20, 30, 40)', 'age NOT IN (20, 30)', 'age = ANY (ARRAY[11, 12, 13])', '2 * age - 3 > 97', '-age > -50', '-age >= -50', '3 - age < -47', 'age / 2.0 > 25', 'age::float8 > 1e300 OR age < 20',
	'bp > 99.9', 'bp >= 99.9', 'bp = 120.3', 'bp BETWEEN 100.1 AND 110.7', 'temp < 36.6', 'temp <= 36.6', 'temp = 36.6', 'age > 100 OR age < 11', 'age >= 100', 'CASE WHEN age < 30 THEN true WHEN age < 60 THEN false ELSE age > 90 END',
	'width_bucket(age, 0, 100, 10) = 5', 'width_bucket(age, 0, 100, 10) % 2 = 0', '(age > 30) <> (age > 60)', 'coalesce(nullif(age > 40, false), false)', 'width_bucket(age, 0, 100, 10) IN (2, 5)', 'age > 20 AND width_bucket(age, 0, 100, 10) < 5']) p;

CREATE FUNCTION binned(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	raw text := ask('regress_st_dba', format('SELECT coalesce(nullif(format(''%%s'', %s), ''''), ''<null>''), count(*) FROM record GROUP BY 1', expression));
	answer text := ask('regress_st_analyst', format('SELECT h.key, round(h.value::numeric) FROM (SELECT ldp_histogram(%s) AS h FROM checkup) a, jsonb_each_text(a.h) h WHERE round(h.value::numeric) <> 0', expression));
BEGIN
	RETURN CASE WHEN raw = answer THEN 'same' ELSE raw || ' <> ' || answer END;
END
$$;
SELECT e, binned(e) FROM unnest(ARRAY['width_bucket(age, 0, 100, 10)', 'width_bucket(age, 20, 60, 4)', 'width_bucket(age, 60, 20, 4)', 'width_bucket(-age, -60, -20, 4)', 'width_bucket(2 * age + 1, 0, 200, 7)', 'width_bucket(bp::float8, 80, 140, 6)', 'width_bucket(temp, 35, 42, 7)', 'age > 50', 'CASE WHEN age < 18 THEN ''minor'' WHEN age < 65 THEN ''adult'' ELSE ''old'' END', 'CASE WHEN age > 50 THEN 1 END', 'width_bucket(age, 10, 100, 3) * 10 + (age > 95)::int', 'least(width_bucket(age, 0, 100, 10), 7)']) e;
-- numbers and single answers
SELECT ask('regress_st_analyst', 'SELECT round(ldp_sum(CASE WHEN age > 50 THEN 10 ELSE -10 END)) FROM checkup') = (SELECT format('(%s)', sum(CASE WHEN age > 50 THEN 10 ELSE -10 END)) FROM record) AS sum,
	ask('regress_st_analyst', 'SELECT r, count(*) FROM (SELECT ldp_response(age > 50) AS r FROM checkup) x GROUP BY r') = (SELECT string_agg(format('(%s,%s)', b, n), ' ' ORDER BY b) FROM (SELECT age > 50 AS b, count(*) AS n FROM record GROUP BY 1) y) AS responses,
	ask('regress_st_analyst', 'SELECT round(ldp_avg((age > 50)::int) * 403) FROM checkup') = (SELECT format('(%s)', count(*) FILTER (WHERE age > 50)) FROM record) AS average;
PREPARE above(int) AS SELECT round(ldp_count(age > $1)) FROM checkup;
SET ROLE regress_st_analyst;
EXECUTE above(70);
RESET ROLE;
SELECT count(*) FROM record WHERE age > 70;
SELECT DISTINCT randomiser, cuts, points, parameters[1:1] AS categories FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'checkup'::regclass AND array_length(cuts, 1) < 5 AND randomiser = 'response' ORDER BY 2, 3, 1;

-- what is none of these says why
SELECT q, ask('regress_st_analyst', 'SELECT ' || q || ' FROM checkup') FROM unnest(ARRAY['ldp_count(age > 50 AND smokes)', 'ldp_count(age > 50 AND bp > 100)', 'ldp_count(age > bp)', 'ldp_count(age + bp > 150)', 'ldp_count(age > 5)', 'ldp_histogram(age)',
	'ldp_histogram(age / 10)', 'ldp_count(age IS NULL)', 'ldp_count(abs(age) > 3)', 'ldp_count(age * age > 100)', 'ldp_histogram(width_bucket(age, 0, 100, 100000))', 'ldp_histogram(width_bucket(age, 10, 100, 5) + smokes::int)',
	'ldp_count(age > NULL::int)', 'ldp_count(age > 50, ''kernel=laplace'')', 'ldp_avg(width_bucket(age, 0, 100, 10) * age)', 'ldp_count(CASE age WHEN 50 THEN true ELSE false END)', 'ldp_count(logistic(age) > 0.5)', 'ldp_count(age IN (1, NULL))', 'ldp_avg(CASE WHEN age > 50 THEN 1 END)']) q;

--
-- Losses: of each owner's answers the largest less the least log-likelihood over the interval, at its ends, cuts and between
--
SET ROLE regress_st_dba;
CREATE TABLE die (id int PRIMARY KEY, x float8 NOT NULL, y int NOT NULL, z boolean NOT NULL);
INSERT INTO die SELECT i, i % 60, i % 7, i % 2 = 0 FROM generate_series(1, 90) i;
SELECT protect('die', 'id', regime => 'local', epsilon => 4, fresh => true) > 0 AS protected;
SELECT set_domain('die', 'x', 0, 60), set_domain('die', 'y', 0, 6), set_domain('die', 'z', ARRAY[false, true]), grant_budget('die', 'regress_st_analyst', 1000);
RESET ROLE;
CREATE FUNCTION losses(who regclass) RETURNS TABLE (loss numeric, owners bigint) LANGUAGE sql AS $$
	WITH q AS (SELECT q.*, a.answered, a.width, a.outputs FROM privacct.question q JOIN privacct.answer a USING (policy_id, question) JOIN privacct.policy p USING (policy_id)
		WHERE p.relation = who AND p.closed_at IS NULL AND q.cuts IS NOT NULL),
	-- an owner's answer stands where those before them who answered end
	o AS (SELECT q.question, i AS owner, row_number() OVER (PARTITION BY q.question ORDER BY i) - 1 AS place FROM q, generate_series(0, 8 * length(q.answered) - 1) i WHERE get_bit(q.answered, i) = 1),
	a AS (SELECT q.columns[1] AS dimension, o.owner, q.cuts, q.points, q.parameters, q.randomiser, CASE q.width WHEN 1 THEN get_bit(q.outputs, o.place::int) ELSE get_byte(q.outputs, o.place::int) END AS output FROM q JOIN o USING (question)),
	x AS (SELECT DISTINCT q.columns[1] AS dimension, u.x FROM q, LATERAL (SELECT 0::float8 AS x UNION SELECT unnest(q.cuts) UNION SELECT unnest(q.cuts) - 1e-9 UNION SELECT unnest(q.cuts) + 1e-9) u),
	l AS (SELECT a.owner, x.dimension, x.x, sum(ln(CASE a.randomiser
			WHEN 'response' THEN CASE WHEN v.value = a.output THEN 1 - a.parameters[2] + a.parameters[2] / a.parameters[1] ELSE a.parameters[2] / a.parameters[1] END
			ELSE CASE a.output WHEN 1 THEN h.high ELSE 1 - h.high END END)) AS ll
		FROM a JOIN x USING (dimension), LATERAL (SELECT a.points[1 + (SELECT count(*) FROM unnest(a.cuts) c WHERE c <= x.x)] AS value) v,
			LATERAL (SELECT a.parameters[3] + (1 - 2 * a.parameters[3]) * (v.value - a.parameters[1]) / (a.parameters[2] - a.parameters[1]) AS high) h
		GROUP BY 1, 2, 3),
	r AS (SELECT owner, sum(range) AS loss FROM (SELECT owner, dimension, max(ll) - min(ll) AS range FROM l GROUP BY 1, 2) d GROUP BY 1)
	SELECT round(loss::numeric, 7), count(*) FROM r GROUP BY 1 $$;
CREATE FUNCTION told(who regclass) RETURNS TABLE (loss numeric, owners bigint) LANGUAGE sql AS $$
	SELECT round(realised_epsilon::numeric, 7), sum(owners)::bigint FROM privacct.local_state WHERE relation = who AND state > 0 AND owners > 0 GROUP BY 1 $$;
SET privacct.epsilon = 0.3;
SELECT ask('regress_st_analyst', 'SELECT ldp_count(x > 30) IS NOT NULL FROM die');
SELECT count(*) > 0 AS some, bool_and(t.owners IS NOT NULL AND l.owners IS NOT NULL) AS same FROM losses('die') l FULL JOIN told('die') t USING (loss, owners);
SELECT count(ask('regress_st_analyst', format('SELECT %s IS NOT NULL FROM die', q))) FROM unnest(ARRAY['ldp_histogram(width_bucket(x, 0, 60, 6))', 'ldp_count(x > 30)', 'ldp_avg(CASE WHEN x < 20 THEN 1 WHEN x < 40 THEN 2.5 ELSE 4 END)', 'ldp_count(y >= 3)', 'ldp_histogram(width_bucket(x, 0, 60, 4))', 'ldp_count(y IN (1, 5))']) q;
SELECT count(*) > 3 AS many, bool_and(t.owners IS NOT NULL AND l.owners IS NOT NULL) AS same FROM losses('die') l FULL JOIN told('die') t USING (loss, owners);
-- and what they say of each cell: ranges add up to the loss
SELECT bool_and(abs(s.realised_epsilon - c.loss) < 1e-9) AS same, (SELECT count(DISTINCT column_name) FROM local_cell_likelihood WHERE relation = 'die'::regclass) AS columns
FROM local_state s JOIN LATERAL (SELECT sum(range) AS loss FROM (SELECT max(log_likelihood) - min(log_likelihood) AS range FROM local_cell_likelihood c WHERE c.relation = s.relation AND c.state = s.state GROUP BY column_name) r) c ON true WHERE s.relation = 'die'::regclass;
SELECT column_name, low, high FROM local_cell_likelihood WHERE relation = 'die'::regclass AND state = 0 ORDER BY 1, 2;
-- answers to the same question cancel out, in whatever order: more can be asked than sums of epsilon allow
SELECT count(ask('regress_st_analyst', 'SELECT ldp_count(x > 30) IS NOT NULL FROM die')) FROM generate_series(1, 14);
SELECT count(*) > 3 AS many, bool_and(t.owners IS NOT NULL AND l.owners IS NOT NULL) AS same FROM losses('die') l FULL JOIN told('die') t USING (loss, owners);
SELECT max(realised_epsilon) <= 4 + 1e-9 AS kept, max(worst_case_epsilon) > 4.1 AS more_than_sums FROM local_state WHERE relation = 'die'::regclass;
-- other sessions, which read the books anew, know the same
CREATE TABLE seen AS SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) AS states FROM local_state s WHERE relation = 'die'::regclass;
\c -
SET search_path = steps, privacct;
\pset format unaligned
\pset footer off
SET privacct.epsilon = 0.3;
SET client_min_messages = warning;
SELECT states = (SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) FROM local_state s WHERE relation = 'die'::regclass) AS same FROM seen;
-- beside answers about listed columns, linear ones and central releases, whose losses add up
SELECT count(ask('regress_st_analyst', format('SELECT %s IS NOT NULL FROM die', q))) FROM unnest(ARRAY['count(*)', 'ldp_count(z)', 'ldp_avg(x)', 'ldp_avg(logistic(y - 3.0))', 'ldp_count(y < 2)', 'ldp_avg(y)']) q, generate_series(1, 4);
SELECT max(realised_epsilon) <= 4 + 1e-9 AS kept, min(can_bear) < 0.3 AS exhausted FROM local_state WHERE relation = 'die'::regclass;

-- histories that differ in the order of answers are one; states are written once answers take more room
SET ROLE regress_st_dba;
SET client_min_messages = error;
CREATE TABLE coin (LIKE die INCLUDING ALL);
INSERT INTO coin SELECT i, i % 60, 0, true FROM generate_series(1, 40000) i;
SELECT protect('coin', 'id', regime => 'local', epsilon => 20, fresh => true) > 0 AS protected;
SELECT set_domain('coin', 'x', 0, 60), grant_budget('coin', 'regress_st_analyst', 1000);
RESET ROLE;
SET privacct.epsilon = 0.1;
SELECT count(ask('regress_st_analyst', 'SELECT ldp_count(x > 20) IS NOT NULL FROM coin')) FROM generate_series(1, 20) i;
SELECT count(*) > 0 AS written, max(steps) > 0 AS with_steps, max(array_length(answers, 1)) / 2 BETWEEN 10 AND 20 AS many, count(*) < 25 AS merged FROM privacct.likelihood l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'coin'::regclass AND state > 0;
CREATE TABLE known AS SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) AS states, max(realised_epsilon) AS most, max(worst_case_epsilon) AS sum FROM local_state s WHERE relation = 'coin'::regclass;
SELECT most <= 2 + 1e-9 AS kept, round(sum::numeric, 3) AS sum FROM known;
\c -
SET search_path = steps, privacct;
\pset format unaligned
\pset footer off
SELECT states = (SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) FROM local_state s WHERE relation = 'coin'::regclass) AS same FROM known;

-- more histories than fit into memory: what their answers gave away becomes a number, rounded up to 13 bits, and nobody loses more than the cap
SET ROLE regress_st_dba;
SET client_min_messages = error;
CREATE TABLE crowd (LIKE die INCLUDING ALL);
INSERT INTO crowd SELECT i, i % 60, 0, true FROM generate_series(1, 3000) i;
SELECT protect('crowd', 'id', regime => 'local', epsilon => 1.5, fresh => true) > 0 AS protected;
SELECT set_domain('crowd', 'x', 0, 60), grant_budget('crowd', 'regress_st_analyst', 1000);
RESET ROLE;
SET privacct.epsilon = 0.3;
SET privacct.book_memory = '64kB';
SELECT count(ask('regress_st_analyst', format('SELECT ldp_histogram(width_bucket(x, 0, %s, 6)) IS NOT NULL FROM crowd', 60 + i))) FROM generate_series(1, 9) i;
SELECT max(realised_epsilon) <= 1.5 * (1 + 1.0 / 4096) AS kept, max(folded_epsilon) > 0 AS folded, bool_or(beside_epsilon > folded_epsilon) AS steps_beside, sum(owners) AS owners
FROM local_state s JOIN (SELECT DISTINCT state, beside_epsilon FROM local_likelihood WHERE relation = 'crowd'::regclass) l USING (state) WHERE relation = 'crowd'::regclass;
CREATE TABLE crowded AS SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) AS states FROM local_state s WHERE relation = 'crowd'::regclass;
\c -
SET search_path = steps, privacct;
\pset format unaligned
\pset footer off
SELECT states = (SELECT md5(string_agg(s::text, ',' ORDER BY s.state)) FROM local_state s WHERE relation = 'crowd'::regclass) AS same FROM crowded;

SET client_min_messages = warning;
DROP SCHEMA steps CASCADE;
DROP OWNED BY regress_st_dba;
DROP ROLE regress_st_dba, regress_st_analyst;
