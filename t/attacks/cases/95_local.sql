-- SPDX-License-Identifier: GPL-3.0-or-later
-- The local regime in wrong hands: answers of owners, and what surrounds them.

-- case: rows without a randomiser
-- errors: 9 42PA1
SELECT pain FROM care.survey WHERE patient = 4711;
SELECT * FROM care.survey LIMIT 1;
SELECT ldp_count(pain > 5), max(pain) FROM care.survey;
SELECT ldp_count(pain > 5) FROM care.survey WHERE pain > 5;
SELECT ldp_count(pain > 5) FROM care.survey WHERE card = 'x';
SELECT pain, ldp_count(pain > 5) FROM care.survey GROUP BY pain;
SELECT ward, ldp_count(pain > 5) FROM care.survey GROUP BY ward, patient;
SELECT ldp_count(pain > 5) FROM care.survey ORDER BY min(card);
SELECT ldp_count(pain > 5) OVER () FROM care.survey;

-- case: questions about what has no domain
-- errors: 8 42PA1
SELECT ldp_avg(patient) FROM care.survey;
SELECT ldp_response(card) FROM care.survey;
SELECT ldp_histogram(ward) FROM care.survey;
SELECT ldp_response(s) FROM care.survey s;
SELECT ldp_response(ctid) FROM care.survey;
SELECT ldp_count(tableoid = 1 AND pain > 3) FROM care.survey;
SELECT ldp_count(pain > 3 AND card LIKE 'O%') FROM care.survey;
SELECT ldp_count(xmin = '3'::xid) FROM care.survey;

-- case: code of the spy inside a question or beside it
-- errors: 7 42PA1
CREATE FUNCTION den.spot(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'BREACH %', $1; RETURN true; END $$;
CREATE FUNCTION den.spot(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'BREACH %', $1; RETURN true; END $$;
CREATE OPERATOR den.~~~ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
SELECT ldp_count(den.spot(pain)) FROM care.survey;
SELECT ldp_count(pain > 3) FROM care.survey WHERE den.spot(ward);
SELECT ldp_count(pain OPERATOR(den.~~~) 3) FROM care.survey;
SELECT ldp_count(pain IN (SELECT n FROM care.many)) FROM care.survey;
SELECT ldp_count(pain > (SELECT 3)) FROM care.survey;
SELECT ldp_count(pain > 3) FILTER (WHERE den.spot(pain)) FROM care.survey;
SELECT ldp_count(random() < pain) FROM care.survey;

-- case: joins, correlation and other tables
-- errors: 5 42PA1
SELECT ldp_count(s.pain > 3) FROM care.survey s JOIN care.many m ON m.ward = s.ward;
SELECT ldp_count(s.pain > 3) FROM care.survey s, care.stay t WHERE s.patient = t.patient;
SELECT (SELECT ldp_count(s.pain > m.n) FROM care.survey s) FROM care.many m;
SELECT ldp_count(s.pain > 3) FROM care.survey s TABLESAMPLE SYSTEM (1);
SELECT ldp_count(cost > 3) FROM care.stay;

-- case: epsilons and bounds out of any range
-- errors: 7 22PA5, 1 22023
SELECT ldp_count(pain > 3, 'epsilon=1000') FROM care.survey;
SELECT ldp_count(pain > 3, 'epsilon=-1') FROM care.survey;
SELECT ldp_count(pain > 3, 'epsilon=NaN') FROM care.survey;
SELECT ldp_avg(pain, 3, 3) FROM care.survey;
SELECT ldp_avg(pain, 'NaN', 3) FROM care.survey;
SELECT ldp_avg(pain, '-Infinity', 'Infinity') FROM care.survey;
SELECT ldp_avg(pain / 0) FROM care.survey;
SET privacct.filter_nodes = -1;

-- case: a value outside of the domain is not asked for
-- charges: 1
-- prints: ^(0|1|2|3|4|5|6|7|8|9|10)\n
SET client_min_messages = warning;
SELECT DISTINCT x FROM (SELECT ldp_response(pain, 'epsilon=2') AS x FROM care.survey) r ORDER BY x;

-- case: the books of the local regime
-- errors: 14 42501
SELECT * FROM privacct.answer;
SELECT * FROM privacct.question;
SELECT * FROM privacct.owner_key;
SELECT * FROM privacct.owner_state;
SELECT * FROM privacct.likelihood;
SELECT * FROM privacct.domain;
SELECT owner, state FROM privacct._owner_states('care.survey');
SELECT log_likelihood FROM privacct._local_likelihoods('care.survey');
SELECT record FROM privacct._local_points('care.survey');
SELECT low FROM privacct._local_cells('care.survey');
SELECT privacct.set_domain('care.survey', 'pain', ARRAY[1, 2]);
SELECT privacct.set_public('care.survey', 'card');
SELECT privacct._set_public('keeper', 'care.survey', 'card');
SELECT privacct.unprotect('care.survey');
SELECT 'BREACH: ' || owner FROM privacct.owner_odometer;
SELECT 'BREACH: ' || owner FROM privacct.owner_likelihood;
SELECT 'BREACH: ' || state FROM privacct.local_likelihood;
SELECT 'BREACH: ' || state FROM privacct.local_cell_likelihood;

-- case: our aggregates on tables of the spy, and by themselves
-- errors: 4 42PA1, 1 42501
-- charges: 0
CREATE TABLE den.own (n int PRIMARY KEY, v int);
INSERT INTO den.own SELECT i, i FROM generate_series(1, 10) i;
SELECT ldp_avg(v) FROM den.own;
SELECT ldp_response(v) FROM den.own;
SELECT ldp_histogram(v) FROM den.own;
SELECT ldp_response(r) FROM (SELECT ldp_response(pain) AS r FROM care.survey) s;
SELECT privacct._local_marker(n, ARRAY['care.survey'::regclass::oid], '{1}') FROM den.own;

-- case: nobody loses more than the cap, however often they are asked
-- charges: any
-- prints: kept
SET client_min_messages = warning;
DO $$ BEGIN
	FOR i IN 1..40 LOOP
		BEGIN
			PERFORM ward, ldp_count(pain > i % 10, 'epsilon=0.5') FROM care.survey GROUP BY ward;
			IF i % 4 = 0 THEN RAISE EXCEPTION 'undo'; END IF;
			IF i % 5 = 0 THEN PERFORM count(*) FROM care.survey; END IF;
			IF i % 7 = 0 THEN PERFORM ldp_avg(weight) FROM care.survey; END IF;
		EXCEPTION WHEN raise_exception OR SQLSTATE '53PA2' THEN NULL;
		END;
	END LOOP;
END $$;
SELECT CASE WHEN max(realised_epsilon) <= 3.000001 AND sum(owners) > 1000 THEN 'kept' ELSE 'BREACH: too much' END FROM local_state WHERE relation = 'care.survey'::regclass;

-- case: prepared for one, executed by another
-- as: mate
-- errors: 1 42501
SET client_min_messages = warning;
PREPARE q AS SELECT ldp_count(pain > 3) FROM care.survey;
EXECUTE q;

-- case: settings that would show figures of rows
-- errors: 1 42501, 3 42PA1
SET client_min_messages = debug1;
SET debug_print_plan = on;
SELECT ldp_count(pain > 3) FROM care.survey;
RESET debug_print_plan;
EXPLAIN ANALYZE SELECT ldp_count(pain > 3) FROM care.survey;
BEGIN ISOLATION LEVEL SERIALIZABLE;
