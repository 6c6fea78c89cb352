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
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_analyst;
CREATE ROLE regress_pa_nobody;
CREATE SCHEMA asked;
GRANT ALL ON SCHEMA asked TO regress_pa_dba;
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
	$$'checkup', 'person_id', regime => 'local', epsilon => 5000$$]) call;
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
SELECT column_name, position, points, prior, lo, hi FROM privacct.domain JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'checkup'::regclass ORDER BY position;

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

-- a question may come through views, subqueries, WITH, parameters; what is around it is free
SET ROLE regress_pa_dba;
CREATE VIEW graded WITH (security_invoker) AS SELECT person_id AS id, region AS place, grade * 1.0 AS g, ward FROM checkup WHERE ward < 3;
GRANT SELECT ON graded TO regress_pa_analyst;
RESET ROLE;
SELECT ask('regress_pa_analyst', 'SELECT place, round(ldp_count(g >= 2)) n FROM graded WHERE place <> ''C'' GROUP BY place ORDER BY n');
SELECT region, count(*) FROM checkup WHERE ward < 3 AND region <> 'C' AND grade >= 2 GROUP BY region ORDER BY region;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(x = 3)) + 0.5 FROM (SELECT grade + 1 AS x, region FROM checkup) c WHERE region = ''B''');
SELECT ask('regress_pa_analyst', 'WITH c AS (SELECT grade, ward FROM checkup) SELECT ward % 2 AS odd, round(ldp_sum((grade > 1)::int)) FROM c GROUP BY 1 HAVING ldp_sum((grade > 1)::int) > 1');
SET ROLE regress_pa_analyst;
PREPARE several(int, text) AS SELECT round(ldp_count(grade = $1)) FROM checkup WHERE region = $2;
EXECUTE several(1, 'A');
EXECUTE several(2, 'C');
SET plan_cache_mode = force_generic_plan;
EXECUTE several(3, 'C');
RESET plan_cache_mode;
RESET ROLE;

-- linear forms: bits are about the cut form, so a form at its bounds is answered truly.  At an
-- epsilon of 25 one answer in 7e10 is not true; at 40 rounding of the form would already cost more
-- than is certified, and nobody is asked.
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_sum(least(greatest(10 * age - 555, 0), 1), 0, 1, ''epsilon=25'')) FROM checkup');
SELECT count(*) FROM checkup WHERE age > 55.5;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_sum(logistic(100 * (age + bp) - 20050), ''epsilon=25'')) FROM checkup WHERE region = ''A''');
SELECT count(*) FROM checkup WHERE age + bp > 200.5 AND region = 'A';
SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(1 / (1 + exp(-(0.1 * age - 0.05 * bp + 3 * grade))), ''epsilon=25'') BETWEEN 0.4 AND 0.9 FROM checkup');
SELECT avg(1 / (1 + exp(-(0.1 * age - 0.05 * bp + 3 * grade)))) BETWEEN 0.5 AND 0.8 FROM checkup;
SELECT ask('regress_pa_analyst', 'SELECT x, count(*) > 100 FROM (SELECT ldp_response(age, 10, 100, ''epsilon=25'') x FROM checkup) r GROUP BY x');
SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(least(greatest(1e6 * age - 5.5e7, 0), 1)) FROM checkup');
SELECT question, text, randomiser, columns, parameters[1] AS constant, points FROM privacct.question WHERE randomiser IN ('linear', 'logistic') ORDER BY question;

-- additive noise, one answer for each owner
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_avg(grade, ''kernel=laplace'')::numeric, 1) FROM checkup');
SELECT ask('regress_pa_analyst', 'SELECT ldp_sum(grade, ''kernel=staircase, within=0.5'') BETWEEN 1400 AND 1600 FROM checkup');
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_avg(grade, 0, 3, ''kernel=brdp_laplace, within=0.2'')::numeric, 1) FROM checkup');
SELECT ask('regress_pa_analyst', 'SELECT count(*), count(DISTINCT x) FROM (SELECT round(ldp_response(grade, 0, 3, ''kernel=laplace, epsilon=250'')::numeric) x FROM checkup) r');

-- values that are not in the domain count as the first of it, or the nearer end
INSERT INTO checkup SELECT i, 'D', 0, 17, NULL, NULL, -5, 1000 FROM generate_series(1001, 1010) i;
SELECT ask('regress_pa_analyst', 'SELECT region, round(ldp_count(grade = 0)), round(ldp_count(smokes)), round(ldp_count(blood = ''A'')) FROM checkup GROUP BY region');
SELECT region, count(*) FILTER (WHERE grade = 0), count(*) FILTER (WHERE smokes), count(*) FILTER (WHERE blood = 'A') FROM checkup WHERE region <> 'D' GROUP BY region ORDER BY region;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_avg(least(greatest(age, 10), 11), 10, 11, ''epsilon=25'')), round(ldp_avg(least(greatest(bp, 199), 200), 199, 200, ''epsilon=25'')) FROM checkup WHERE region = ''D''');

-- preview and EXPLAIN ask nobody
SELECT ask('regress_pa_analyst', 'SELECT release, statistic, kernel, round(total_error_95::numeric, 2), epsilon FROM preview(''SELECT region, ldp_count(grade = 1), ldp_avg(age), ldp_histogram(blood) FROM checkup GROUP BY region'', 1000)');
SET ROLE regress_pa_analyst;
SET privacct.epsilon = 1;
EXPLAIN (COSTS OFF) SELECT region, ldp_avg(grade), ldp_avg(logistic(age - 50)) FROM checkup GROUP BY region;
RESET ROLE;
SET privacct.epsilon = 40;
SELECT max(question) FROM privacct.question;

-- declarations are in use now
SELECT call, try('SELECT privacct.' || call) FROM unnest(ARRAY[
	$$set_domain('checkup', 'grade', ARRAY[0, 1])$$,
	$$drop_domain('checkup', 'grade')$$,
	$$set_prior('checkup', 'grade', NULL)$$]) call;
SELECT statement, try(statement) FROM unnest(ARRAY[
	'ALTER TABLE checkup DROP COLUMN grade',
	'ALTER TABLE checkup ALTER grade TYPE bigint',
	'ALTER TABLE checkup DROP CONSTRAINT checkup_pkey',
	'ALTER TABLE checkup RENAME COLUMN smokes TO smoker']) statement;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(smoker)) FROM checkup');
SELECT column_name FROM privacct.domain WHERE position = 2;

--
-- Admission.  Answers at epsilon 40 are what they are about, so losses are known.
--
CREATE FUNCTION asked_and_answered() RETURNS text LANGUAGE sql AS $$
	SELECT ask('regress_pa_analyst', 'SELECT keys, aggregate, answered, asked FROM intervals()')
$$;
SET client_min_messages = warning;
CREATE TABLE staff (id uuid PRIMARY KEY, team int, grade int, age float8);
INSERT INTO staff SELECT md5(i::text)::uuid, i % 2, i % 4, 20 + i % 40 FROM generate_series(1, 100) i;
SELECT privacct.protect('staff', 'id', epsilon => 80, regime => 'local', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('staff', 'grade', ARRAY[0, 1, 2, 3]), privacct.set_public('staff', 'team'), privacct.set_keys('staff', 'team', ARRAY[0, 1]);
SELECT privacct.grant_budget('staff', 'regress_pa_analyst', 1000);
RESET client_min_messages;
SET privacct.epsilon = 40;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 2)) FROM staff WHERE team = 0'), asked_and_answered();
-- an owner who leaves and comes back has lost what they lost; a new one nothing; and one whose record is
-- another one is not asked again, since their likelihoods are about the first
CREATE TABLE gone AS SELECT * FROM staff WHERE team = 0;
DELETE FROM staff WHERE team = 0;
INSERT INTO staff SELECT id, team, CASE WHEN age < 24 THEN 3 - grade ELSE grade END, age FROM gone;
INSERT INTO staff SELECT md5(i::text)::uuid, 0, 3, 50 FROM generate_series(101, 107) i;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 3)) FROM staff WHERE team = 0'), asked_and_answered();
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 3)) FROM staff WHERE team = 0'), asked_and_answered();

-- a central release costs each owner who is in it twice its epsilon
SET privacct.epsilon = 20;
SELECT ask('regress_pa_analyst', 'SELECT team, count(*) FROM staff GROUP BY team');
SET privacct.epsilon = 40;
SELECT ask('regress_pa_analyst', 'SELECT filter, cap, questions, owners, states, round(realised_median::numeric, 6), round(worst_case_most::numeric, 6), round(central_most::numeric, 6), exhausted FROM local_odometer WHERE relation = ''staff''::regclass');
SELECT ask('regress_pa_analyst', 'SELECT team, round(ldp_count(grade = 1)) FROM staff GROUP BY team'), asked_and_answered();
SELECT ask('regress_pa_analyst', 'SELECT ldp_count(grade = 1) FROM staff'), asked_and_answered();
SELECT ask('regress_pa_analyst', 'SELECT team, count(*) FROM staff GROUP BY team');
SELECT ask('regress_pa_analyst', 'SELECT state, owners, round(realised_epsilon::numeric, 6), round(worst_case_epsilon::numeric, 6), round(central_epsilon::numeric, 6), round(can_bear::numeric, 6), round(mbp::numeric, 6), round(abp::numeric, 6) FROM local_state WHERE relation = ''staff''::regclass');
SELECT ask('regress_pa_analyst', 'SELECT owners_left(''staff'', 0.001)');
-- who is in which state is for the owner of the table
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM owner_odometer');
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM _owner_states(''staff'')');
SELECT ask('regress_pa_nobody', 'SELECT count(*) FROM local_state');
SELECT ask('regress_pa_nobody', 'SELECT count(*) FROM _local_states(''staff'')');
SELECT s.team, s.grade = 2 AS hit, o.state, count(*), round(min(o.realised_epsilon)::numeric, 6) AS least, round(max(o.realised_epsilon)::numeric, 6) AS most, round(max("left")::numeric, 6) AS "left"
FROM owner_odometer o JOIN staff s ON s.id::text = o.owner GROUP BY 1, 2, 3 ORDER BY 1, 2;
-- what answers say of each value: from the first one on, whether states were written or not
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM local_likelihood'), ask('regress_pa_analyst', 'SELECT count(*) FROM owner_likelihood');
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM _local_likelihoods(''staff'')'), ask('regress_pa_analyst', 'SELECT count(*) FROM _local_points(''staff'')'), ask('regress_pa_nobody', 'SELECT count(*) FROM _local_likelihoods(''staff'')');
SELECT (SELECT count(*) FROM privacct.likelihood l JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'staff'::regclass) AS written,
	count(DISTINCT state) AS states, count(DISTINCT point) AS points FROM local_likelihood WHERE relation = 'staff'::regclass;
SELECT state, owners, string_agg(format('%s: %s', record->>'grade', round(log_likelihood::numeric, 6)), ', ' ORDER BY point) AS log_likelihoods, round(min(beside_epsilon)::numeric, 6) AS beside
FROM local_likelihood WHERE relation = 'staff'::regclass GROUP BY 1, 2 ORDER BY 1;
-- against the views beside, and Bayes' formula
SELECT count(*), bool_and(abs(s.realised_epsilon - s.central_epsilon - l.loss - l.beside) < 1e-9) AS same_loss, bool_and(l.off < 1e-12) AS by_the_formula, bool_and(abs(l.total - 1) < 1e-12) AS adds_up
FROM local_state s JOIN LATERAL (SELECT max(log_likelihood) - min(log_likelihood) AS loss, min(beside_epsilon) AS beside, sum(posterior) AS total,
	max(abs(posterior - prior * exp(log_likelihood) / (SELECT sum(prior * exp(log_likelihood)) FROM local_likelihood m WHERE m.relation = s.relation AND m.state = s.state))) AS off
	FROM local_likelihood l WHERE l.relation = s.relation AND l.state = s.state) l ON true WHERE s.relation = 'staff'::regclass;
SELECT count(*) AS owners, bool_and(o.state = w.state AND abs(m.mbp - w.mbp) < 1e-9 AND abs(m.abp - w.abp) < 1e-9) AS same_measures, bool_and(o.success = m.most AND o.guess = m.first) AS best_guess
FROM owner_likelihood o JOIN owner_odometer w USING (relation, owner),
	LATERAL (SELECT mbp(o.likelihood, o.prior) + o.beside_epsilon AS mbp, CASE WHEN o.beside_epsilon = 0 THEN abp(o.likelihood, o.prior) ELSE w.abp END AS abp,
		(SELECT max(p) FROM unnest(o.posterior) p) AS most, (SELECT record FROM local_likelihood l WHERE l.relation = o.relation AND l.state = o.state ORDER BY posterior DESC, point LIMIT 1) AS first) m
WHERE relation = 'staff'::regclass;
SELECT guess->>'grade' AS guess, s.grade = (guess->>'grade')::int AS right, count(*) FROM owner_likelihood o JOIN staff s ON s.id::text = o.owner GROUP BY 1, 2 ORDER BY 1, 2;
SELECT question, text, randomiser, parameters, owners FROM privacct.question q JOIN privacct.policy p USING (policy_id)
WHERE p.relation = 'staff'::regclass AND randomiser = 'central' ORDER BY question;
SELECT ask('regress_pa_analyst', 'SELECT grade, count(*) FROM staff GROUP BY grade');
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM staff WHERE grade = (SELECT ldp_avg(grade) FROM staff)');
SELECT epsilon_spent > 80 AND epsilon_spent < 80.000001 AS spent, epsilon_left FROM odometer WHERE relation = 'staff'::regclass;

-- what was lost goes over to the next policy
SET client_min_messages = warning;
SELECT try('SELECT privacct.unprotect(''staff''), privacct.protect(''staff'', ''id'', fresh => true)');
BEGIN;
SELECT privacct.unprotect('staff');
SELECT privacct.protect('staff', 'id', epsilon => 110, regime => 'local', filter => 'simplified', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('staff', 'age', 20, 60), privacct.set_domain('staff', 'grade', ARRAY[0, 1, 2, 3]);
SELECT privacct.grant_budget('staff', 'regress_pa_analyst', 1000);
COMMIT;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_sum(logistic(100 * age - 4950), ''epsilon=25'')) FROM staff'), asked_and_answered();
SELECT count(*) FROM staff WHERE age > 49.5;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 1)) FROM staff'), asked_and_answered();
SELECT round(max(realised_epsilon)::numeric) AS most, count(*) FROM owner_odometer WHERE relation = 'staff'::regclass;

-- the approximate filter goes by zCDP: 61 questions of epsilon 0.1 where sums of epsilon allow 20
BEGIN;
SELECT privacct.unprotect('staff');
COMMIT;
CREATE TABLE crew (LIKE staff INCLUDING ALL);
INSERT INTO crew SELECT * FROM staff LIMIT 50;
SELECT privacct.protect('crew', 'id', epsilon => 2, delta => 0.1, regime => 'local', filter => 'approximate', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('crew', 'grade', ARRAY[0, 1, 2, 3]);
SELECT privacct.grant_budget('crew', 'regress_pa_analyst', 1000);
-- Gaussian noise has no bounded loss: only such a filter lets it through
SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(grade, ''kernel=gaussian, epsilon=0.01'') IS NULL FROM crew'), asked_and_answered();
SET privacct.epsilon = 0.1;
SELECT min(a), max(a) FROM (SELECT substring(asked_and_answered() FROM '([0-9]+),50\)')::int AS a, ask('regress_pa_analyst', 'SELECT ldp_avg(grade) FROM crew')
	FROM generate_series(1, 61) i OFFSET 1) r;
SELECT count(*) FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'crew'::regclass AND q.owners = 50;
SELECT ask('regress_pa_analyst', 'SELECT team, count(*) FROM crew GROUP BY team');
-- sums of levels hold whatever the values are: the basic filter goes on with whoever has changed
CREATE TABLE shift (LIKE staff INCLUDING ALL);
INSERT INTO shift SELECT * FROM staff LIMIT 20;
SELECT privacct.protect('shift', 'id', epsilon => 80, regime => 'local', filter => 'basic', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('shift', 'grade', ARRAY[0, 1, 2, 3]);
SELECT privacct.grant_budget('shift', 'regress_pa_analyst', 1000);
SET privacct.epsilon = 40;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade >= 0 AND grade < 4)) FROM shift');
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 1)) FROM shift'), (SELECT count(*) FROM shift WHERE grade = 1);
UPDATE shift SET grade = 1;
SELECT ask('regress_pa_analyst', 'SELECT round(ldp_count(grade = 1)) FROM shift'), asked_and_answered();
SELECT ask('regress_pa_analyst', 'SELECT ldp_count(grade = 1) FROM shift'), asked_and_answered();
SET privacct.epsilon = 0.1;

-- groups of linear answers are bounded by themselves (Appendix C)
CREATE TABLE troop (LIKE staff INCLUDING ALL);
INSERT INTO troop SELECT * FROM staff LIMIT 20;
SELECT privacct.protect('troop', 'id', epsilon => 1, regime => 'local', answer_group => 2, fresh => true) > 0 AS protected;
SELECT privacct.set_domain('troop', 'age', 20, 60);
SELECT privacct.grant_budget('troop', 'regress_pa_analyst', 1000);
SELECT count(*) FROM (SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(age) FROM troop') FROM generate_series(1, 20) i) r;
SELECT question, owners FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'troop'::regclass AND question <= 9;
SELECT max(realised_epsilon) <= 1 AND max(worst_case_epsilon) > 1 AS kept FROM local_state WHERE relation = 'troop'::regclass;

-- what is generated from a secret is one
CREATE TABLE badge (id int PRIMARY KEY, grade int NOT NULL, high boolean GENERATED ALWAYS AS (grade > 2) STORED, team int);
SELECT privacct.protect('badge', 'id', epsilon => 1, regime => 'local', fresh => true) > 0 AS protected;
SELECT privacct.set_public('badge', 'high');
SELECT privacct.set_public('badge', 'team');
ALTER TABLE badge ADD twice int GENERATED ALWAYS AS (team * 2) STORED;
SELECT privacct.set_public('badge', 'twice');
ALTER TABLE badge DROP twice, ADD twice int GENERATED ALWAYS AS (grade * 2) STORED;
SELECT privacct.set_public('badge', 'twice');

DROP SCHEMA asked CASCADE;
DROP ROLE regress_pa_dba, regress_pa_analyst, regress_pa_nobody;
