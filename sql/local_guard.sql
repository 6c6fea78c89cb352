--
-- The local regime: what must not happen.
--
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_analyst;
CREATE SCHEMA asked;
GRANT USAGE ON SCHEMA asked TO PUBLIC;
SET search_path = asked, privacct, public;
\i :helpers
CREATE TABLE person (id int PRIMARY KEY, ward int, grade int, age float8);
INSERT INTO person SELECT i, i % 5, i % 4, 10 + i % 91 FROM generate_series(1, 100) i;

-- sums of levels hold whatever the record: the basic filter goes by them alone, also for linear and logistic questions
SELECT privacct.protect('person', 'id', epsilon => 1, regime => 'local', filter => 'basic', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('person', 'age', 10, 100), privacct.set_domain('person', 'grade', ARRAY[0, 1, 2, 3]), privacct.set_public('person', 'ward');
SELECT privacct.grant_budget('person', 'regress_pa_analyst', 1000000);
SET privacct.epsilon = 0.4;
SELECT count(*) FROM (SELECT ask('regress_pa_analyst', CASE WHEN i % 2 = 0 THEN 'SELECT ldp_avg(age) FROM person' ELSE 'SELECT ldp_avg(logistic(age - 50)) FROM person' END) FROM generate_series(1, 10) i) r;
SELECT max(worst_case_epsilon) <= 1 AS kept FROM local_state WHERE relation = 'person'::regclass;

-- answers that nobody looks at are rows all the same
SET client_min_messages = error;
SELECT FROM privacct.unprotect('person');
DROP TABLE person;
CREATE TABLE person (id int PRIMARY KEY, ward int, grade int, age float8);
INSERT INTO person SELECT i, i % 5, i % 4, 10 + i % 91 FROM generate_series(1, 100) i;
SELECT privacct.protect('person', 'id', epsilon => 1000, regime => 'local', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('person', 'age', 10, 100), privacct.set_domain('person', 'grade', ARRAY[0, 1, 2, 3]), privacct.set_public('person', 'ward');
SELECT privacct.grant_budget('person', 'regress_pa_analyst', 1000000);
SET client_min_messages = warning;
SELECT ask('regress_pa_analyst', 'SELECT count(*) FROM (SELECT ldp_response(grade) FROM person) r');
SELECT ask('regress_pa_analyst', 'SELECT ward, count(*) FROM (SELECT ward, ldp_response(grade) FROM person WHERE ward < 2 GROUP BY ward) r GROUP BY ward');

-- but a question whose answers would be no rows is not asked
SELECT count(*) AS charged FROM privacct.ledger \gset
SELECT ask('regress_pa_analyst', q), q FROM unnest(ARRAY['SELECT 1 FROM (SELECT ldp_avg(grade) FROM person) r', 'SELECT count(*) FROM (SELECT ward, ldp_count(grade > 1) FROM person GROUP BY ward) r',
	'SELECT ward FROM (SELECT ward, ldp_avg(age), ldp_histogram(grade) FROM person GROUP BY ward) r', 'EXPLAIN SELECT 1 FROM (SELECT ldp_avg(grade) FROM person) r',
	'SELECT * FROM privacct.preview(''SELECT 1 FROM (SELECT ldp_avg(grade) FROM person) r'')']) q;
SELECT count(*) - :charged AS lines FROM privacct.ledger;

-- no internal errors
SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(age, ''epsilon=700'') FROM person');
SELECT ask('regress_pa_analyst', 'SELECT ldp_avg(1e300 * age - 1e300 * grade) FROM person');

-- a row's number may be further from the least of a domain than any number
CREATE TABLE far (id int PRIMARY KEY, account bigint);
INSERT INTO far VALUES (1, 9223372036854775807), (2, -9223372036854775808), (3, -5000000000), (4, NULL);
SELECT privacct.protect('far', 'id', epsilon => 1000, regime => 'local', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('far', 'account', ARRAY[-5000000000, -4999999999]::bigint[]);
SELECT privacct.grant_budget('far', 'regress_pa_analyst', 1000000);
SELECT ask('regress_pa_analyst', 'SELECT ldp_count(account = -5000000000) BETWEEN -1000 AND 1000 FROM far');

-- likelihood tables that do not fit are folded into bounds
CREATE TABLE large (id int PRIMARY KEY, v int);
INSERT INTO large SELECT i, i FROM generate_series(1, 5000) i;
SELECT privacct.protect('large', 'id', epsilon => 1000, regime => 'local', fresh => true) > 0 AS protected;
SELECT privacct.set_domain('large', 'v', ARRAY(SELECT generate_series(0, 65535)));
SELECT privacct.grant_budget('large', 'regress_pa_analyst', 1000000);
SELECT ask('regress_pa_analyst', 'SELECT ldp_histogram(v / 16) FROM large') LIKE '(%' AS answered;
SELECT count(*) FROM privacct.question q JOIN privacct.policy p USING (policy_id) WHERE p.relation = 'large'::regclass;

DROP SCHEMA asked CASCADE;
DROP ROLE regress_pa_analyst;
