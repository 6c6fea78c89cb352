-- SPDX-License-Identifier: GPL-3.0-or-later
-- Entries of correlated rows in wrong hands: the prior speaks of the entries alone, so all else must be known or out of reach.

-- case: single entries
-- errors: 10 42PA1, 1 42501
SELECT * FROM care.trace;
SELECT place FROM care.trace WHERE patient = 4711;
SELECT DISTINCT ON (hour) place FROM care.trace WHERE patient = 4711;
SELECT place, count(*) OVER () FROM care.trace;
SELECT max(place) FROM care.trace WHERE patient = 4711 AND hour = 3;
SELECT string_agg(place, ',') FROM care.trace WHERE patient = 4711;
SELECT count(*) FILTER (WHERE t::text LIKE '%annex%') FROM care.trace t;
SELECT place FROM care.trace ORDER BY hour LIMIT 1;
COPY care.trace TO STDOUT;
CREATE TABLE den.copy AS SELECT * FROM care.trace;
DELETE FROM care.trace WHERE patient = 4711;

-- case: columns of which the prior says nothing
-- errors: 9 42PA1
SELECT count(*) FROM care.trace WHERE card = 'OX-' || '5512' || '-77';
SELECT card, count(*) FROM care.trace GROUP BY card;
SELECT sum(steps) FROM care.trace;
SELECT dp_sum(steps, 0, 1e8) FROM care.trace;
SELECT avg(steps) FILTER (WHERE place = 'annex') FROM care.trace;
SELECT count(steps) FROM care.trace;
SELECT dp_topk(card, 3) FROM care.trace;
SELECT count(*) FROM (SELECT patient, steps > 1000 AS many FROM care.trace) t WHERE many;
SELECT count(*) FROM care.trace WHERE xmin = '3'::xid;

-- case: groups that come from the rows
-- errors: 7 42PA1
SELECT patient, count(*) FROM care.trace GROUP BY patient;
SELECT DISTINCT patient FROM care.trace;
SELECT upper(place), count(*) FROM care.trace GROUP BY upper(place);
SELECT place || hour, count(*) FROM care.trace GROUP BY 1;
SELECT count(DISTINCT patient) FROM care.trace WHERE place = 'annex';
SELECT place, dp_mode(patient) FROM care.trace GROUP BY place;
SELECT place, count(*) FROM care.trace GROUP BY CUBE (place);

-- case: values that no prior knows are in no group and in no count
-- charges: 4
-- prints: (?m)^(annex|east|north|south)$
SET client_min_messages = warning;
SELECT place FROM care.trace GROUP BY place HAVING count(*) IS NOT NULL ORDER BY place;
SELECT count(*) FROM care.trace WHERE place NOT IN ('north', 'south', 'east', 'annex') HAVING count(*) > 100;
SELECT dp_topk(place, 100) FROM care.trace;
SELECT dp_topk(place, 2, 'kernel=exponential') FROM care.trace WHERE hour > 5;

-- case: joins and subqueries on whose row it is
-- errors: 8 42PA1
CREATE TABLE den.suspects (patient int PRIMARY KEY, place text);
INSERT INTO den.suspects VALUES (4711, 'annex');
SELECT count(*) FROM care.trace JOIN den.suspects USING (patient);
SELECT count(*) FROM care.trace t, den.suspects s WHERE t.place = s.place;
SELECT count(*) FROM care.trace WHERE patient IN (SELECT patient FROM den.suspects);
SELECT count(*) FROM care.trace t WHERE EXISTS (SELECT FROM den.suspects s WHERE s.patient = t.patient);
SELECT count(*) FROM care.trace a JOIN care.trace b USING (patient) WHERE a.hour = 1 AND b.hour = 2;
SELECT count(*) FROM care.trace JOIN care.stay USING (patient);
SELECT count(*) FROM care.trace, LATERAL (SELECT place AS p) l;
SELECT (SELECT count(*) FROM care.trace WHERE patient = s.patient) FROM den.suspects s;

-- case: code of the spy over entries
-- errors: 7 42PA1
CREATE FUNCTION den.peek(text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$ BEGIN RAISE NOTICE 'BREACH %', $1; RETURN true; END $$;
CREATE OPERATOR den.=~~ (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq);
SELECT count(*) FROM care.trace WHERE den.peek(place);
SELECT count(*) FILTER (WHERE den.peek(place)) FROM care.trace;
SELECT count(*) FROM care.trace WHERE place OPERATOR(den.=~~) 'annex';
SELECT dp_topk(place, CASE WHEN den.peek('x') THEN 2 END) FROM care.trace;
SELECT dp_topk(place, hour) FROM care.trace;
SELECT dp_mode(CASE WHEN den.peek(place) THEN 1 END) FROM care.trace;
SELECT dp_count(place, place) FROM care.trace;

-- case: errors that depend on an entry
-- charges: any
-- prints: ^(alike \w+\n)+$
CREATE FUNCTION den.pair(template text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN a = b THEN 'alike ' || a ELSE 'BREACH: ' || a || ' ' || b END FROM (SELECT den.state(replace(template, '{}', 'annex')) AS a, den.state(replace(template, '{}', 'zoo')) AS b) s
$$;
SET privacct.epsilon = 0.01;
SELECT den.pair('SELECT dp_sum(1 / (CASE WHEN place = ''{}'' THEN 0 ELSE 1 END), 0, 1) FROM care.trace WHERE patient = 4711');
SELECT den.pair('SELECT dp_sum(2147483647 + length(replace(place, ''{}'', ''''))::int, 0, 1) FROM care.trace WHERE patient = 4711');
SELECT den.pair('SELECT count(*) FROM care.trace WHERE CASE WHEN place = ''{}'' THEN 1 / (hour - hour) = 0 ELSE true END');
SELECT den.pair('SELECT dp_sum(exp(CASE WHEN place = ''{}'' THEN 1e6 ELSE 1 END), 0, 1) FROM care.trace');
SELECT den.pair('SELECT dp_sum(sqrt(CASE WHEN place = ''{}'' THEN -1 ELSE 1 END), 0, 1) FROM care.trace');
SELECT den.pair('SELECT place::int FROM care.trace WHERE place = ''{}''');

-- case: priors and policies of a table of others
-- errors: 16 42501, 4 42PA4
SELECT privacct.set_priors('care.trace', privacct.chain_prior('{north,south,east,annex}'::text[], array_fill(0.25::float8, ARRAY[4,4])), 1e6);
SELECT privacct.protect_entries('care.stay', 'patient', '{stay_id}', 'ward', privacct.chain_prior('{north,annex}'::text[], array_fill(0.5::float8, ARRAY[2,2])));
SELECT privacct.unprotect('care.trace');
SELECT privacct.set_public('care.trace', 'card');
SELECT privacct.set_bounds('care.trace', 'steps', 0, 1);
SELECT privacct.set_keys('care.trace', 'patient', ARRAY[4711]);
SELECT privacct.grant_budget('care.trace', 'spy', 1e6);
SELECT privacct._set_priors('keeper', 'care.trace', '{}', 1, 0, NULL, NULL, NULL, 1);
SELECT privacct._longest_owner('care.trace', 'patient');
SELECT privacct._longest_owner('care.stay', 'card');
SELECT privacct._count_as_owner('care.trace', 'SELECT steps::bigint FROM care.trace WHERE patient = 4711', NULL);
SELECT * FROM privacct.prior;
UPDATE privacct.prior SET epsilon = 1e6;
INSERT INTO privacct.prior SELECT * FROM privacct.prior;
DROP INDEX care.trace_pkey;
ALTER TABLE care.trace DROP CONSTRAINT trace_pkey;
CREATE VIEW den.over AS SELECT patient, hour, place FROM care.trace;
CREATE VIEW den.over_stays AS SELECT patient, stay_id, ward FROM care.stay;
SELECT privacct.fit_chain_prior('care.trace', 'patient', '{hour}', 'place', '{north,annex}'::text[]);
SELECT privacct.fit_chain_prior('den.over', 'patient', '{hour}', 'place', '{north,annex}'::text[]);
SELECT privacct.fit_chain_prior('den.over_stays', 'patient', '{stay_id}', 'ward', '{north,annex}'::text[]);
SELECT privacct.fit_chain_prior('care.reading_annex', 'patient', '{pulse}', 'ward', '{north,annex}'::text[]);

-- case: a table with a trap in an index
-- errors: 2 42501
CREATE TABLE den.pit (patient int NOT NULL, hour int NOT NULL, place text, PRIMARY KEY (patient, hour));
CREATE FUNCTION den.climb(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	IF current_user <> 'spy' THEN RAISE NOTICE 'BREACH as %', current_user; END IF;
	RETURN $1;
END
$$;
CREATE INDEX ON den.pit ((hour + den.climb(1)));
CREATE INDEX ON den.pit (hour) WHERE hour > den.climb(1);
\c - postgres
GRANT privacct_admin TO spy;
\c - spy
SET client_min_messages = notice;
SELECT privacct.protect_entries('den.pit', 'patient', '{hour}', 'place', privacct.chain_prior('{a,b}'::text[], array_fill(0.5::float8, ARRAY[2,2])), max_entries => 5) > 0;
\c -
SELECT privacct.set_priors('den.pit', privacct.chain_prior('{a,b}'::text[], array_fill(0.5::float8, ARRAY[2,2])), max_entries => 6);
SELECT longest_owner FROM privacct.pufferfish_budget;
SELECT privacct.unprotect('den.pit');
SELECT privacct._put_entry(1, 'den.pit', 'place', '{}');
SELECT privacct._count_as_owner('den.pit', 'SELECT 1::bigint', NULL);
\c - postgres
REVOKE privacct_admin FROM spy;

-- case: what views tell a spy is what was declared
-- prints: ^1\|0\n
SELECT (SELECT count(*) FROM privacct.pufferfish_curve WHERE relation = 'care.trace'::regclass), (SELECT count(*) FROM privacct.pufferfish_budget);

-- case: nobody sees the curve
-- as: nobody
-- errors: 1 42501
-- prints: 0\n
SELECT count(*) FROM privacct.pufferfish_curve;
SELECT count(*) FROM care.trace;

-- case: priors that would take for ever
-- errors: 5 42PA4
SET statement_timeout = '30min';
SELECT privacct.influence_curve(privacct.chain_prior(ARRAY(SELECT generate_series(1, 400)), array_fill(1.0::float8 / 400, ARRAY[400,400])), max_b => 4096);
SELECT privacct.table_prior('{f,t}'::text[], array_fill(2, ARRAY[16]), array_fill(1.0::float8 / 65536, ARRAY[65536])) IS NOT NULL;
SELECT privacct.gaussian_prior((SELECT array_agg(r) FROM (SELECT array_agg(CASE WHEN i = j THEN 1 ELSE 0.001 END) AS r FROM generate_series(1, 256) i, generate_series(1, 256) j GROUP BY i) m), 5, 0.1) IS NOT NULL;
SELECT privacct.influence_curve((SELECT jsonb_agg(privacct.chain_prior(ARRAY(SELECT generate_series(1, 100)), array_fill(0.01::float8, ARRAY[100,100]))) FROM generate_series(1, 64)), max_b => 4096);
SELECT privacct.chain_prior(ARRAY(SELECT generate_series(1, 100000)), '{{1}}');

-- case: the budget of entries holds, however it is asked
-- charges: any
-- prints: kept
SET client_min_messages = warning;
DO $$ BEGIN
	FOR i IN 1..60 LOOP
		BEGIN
			PERFORM set_config('privacct.epsilon', (1 + i % 3)::text, false);
			PERFORM place, count(*) FROM care.trace WHERE hour = i % 8 GROUP BY place;
			PERFORM dp_mode(place) FROM care.trace WHERE patient = 4711;
			IF i % 4 = 0 THEN RAISE EXCEPTION 'undo'; END IF;
		EXCEPTION WHEN raise_exception OR SQLSTATE '53PA2' THEN NULL;
		END;
	END LOOP;
END $$;
SELECT CASE WHEN entry_epsilon_spent <= entry_epsilon_cap AND entry_epsilon_spent > entry_epsilon_cap - 2 THEN 'kept' ELSE 'BREACH: too much' END FROM privacct.pufferfish_curve WHERE relation = 'care.trace'::regclass;

-- case: and then nothing more
-- errors: 2 53PA2
SELECT count(*) FROM care.trace;
SELECT dp_mode(place, 'kernel=exponential') FROM care.trace;
