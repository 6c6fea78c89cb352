-- SPDX-License-Identifier: GPL-3.0-or-later
-- The world of the attacks: a hospital whose tables belong to "keeper", an
-- entitled but malicious analyst "spy", a colluding analyst "mate" with a budget
-- of his own and "nobody" without one.  One patient is the secret: what is
-- peculiar to her stands here and in no case, so a hit in the output is a leak.
SET client_min_messages = warning;
CREATE ROLE keeper LOGIN;
CREATE ROLE spy LOGIN;
CREATE ROLE mate LOGIN;
CREATE ROLE nobody LOGIN;
GRANT mate, nobody TO spy;
GRANT CREATE, TEMP ON DATABASE infirmary TO spy, keeper;
CREATE SCHEMA care AUTHORIZATION keeper;
GRANT USAGE ON SCHEMA care TO PUBLIC;
CREATE SCHEMA den AUTHORIZATION spy;
GRANT ALL ON SCHEMA den TO PUBLIC;

SET ROLE keeper;
CREATE TABLE care.ward (ward text PRIMARY KEY, floor int NOT NULL);
INSERT INTO care.ward VALUES ('north', 1), ('south', 2), ('east', 3), ('annex', 4);
GRANT SELECT ON care.ward TO PUBLIC;

CREATE TABLE care.many (n int PRIMARY KEY, ward text NOT NULL, small int NOT NULL);		-- 30 for the secret
INSERT INTO care.many SELECT i, CASE WHEN i <= 30 THEN 'annex' ELSE 'ward ' || i END, CASE WHEN i <= 30 THEN 31999 ELSE -i END FROM generate_series(1, 500) i;
GRANT SELECT ON care.many TO PUBLIC;

CREATE TABLE care.stay (
	stay_id int PRIMARY KEY,
	patient int NOT NULL,
	name text NOT NULL,
	card text NOT NULL,
	ward text NOT NULL,
	cost int NOT NULL,
	small smallint NOT NULL,
	big bigint NOT NULL,
	ratio float8 NOT NULL,
	price numeric NOT NULL,
	day date NOT NULL,
	moment timestamp NOT NULL,
	instant timestamptz NOT NULL,
	span interval NOT NULL,
	note text,
	seq serial
);
-- 1500 patients with four stays each
INSERT INTO care.stay
SELECT i, 1000 + i / 4, 'patient' || i / 4, 'card-' || i / 4, (ARRAY['north', 'south', 'east'])[1 + i % 3],
	1000 + i * 7919 % 9000, i % 100, i, (i % 50) * 0.5, i % 1000 + 0.25, date '2024-01-01' + i % 365,
	timestamp '2024-01-01' + i * interval '1 hour', timestamptz '2024-01-01 00:00+00' + i * interval '1 hour',
	(i % 30) * interval '1 day', 'ordinary'
FROM generate_series(0, 5999) i;
-- one patient with very many stays, each in a ward of its own
INSERT INTO care.stay
SELECT 100000 + i, 7, 'whale', 'card-whale', 'pool' || i, 5000, 1, 1, 1, 1, '2024-06-01', '2024-06-01', '2024-06-01', '1 day', 'whale'
FROM generate_series(1, 2000) i;
-- the secret: alone in her ward, with extreme values in every type
INSERT INTO care.stay VALUES (200001, 4711, 'Ottilie Nachtigall', 'OX-5512-77', 'annex', 73915824, 31999, 9100000000000000321,
	1.5e300, 6e131000, '5874000-01-01', '294270-01-01', '294270-01-01 00:00+00', '170000000 years', 'lycanthropy');
CREATE INDEX ON care.stay (card);

CREATE TABLE care.reading (patient int NOT NULL, ward text NOT NULL, pulse int NOT NULL) PARTITION BY LIST (ward);
CREATE TABLE care.reading_north PARTITION OF care.reading FOR VALUES IN ('north');
CREATE TABLE care.reading_annex PARTITION OF care.reading FOR VALUES IN ('annex');
INSERT INTO care.reading SELECT 1000 + i / 4, 'north', 60 + i % 40 FROM generate_series(0, 3999) i;
INSERT INTO care.reading VALUES (4711, 'annex', 73915824);
CREATE TABLE care.survey (patient int PRIMARY KEY, ward text NOT NULL, card text NOT NULL, pain int NOT NULL, weight float8 NOT NULL);
INSERT INTO care.survey SELECT 1000 + i, (ARRAY['north', 'south', 'east'])[1 + i % 3], 'card-' || i, i % 11, 50 + i % 80 FROM generate_series(0, 1499) i;
INSERT INTO care.survey VALUES (4711, 'annex', 'OX-5512-77', 73915824, 1.5e300);
-- where patients were hour by hour: that is what their other hours tell of
CREATE TABLE care.trace (patient int NOT NULL, hour int NOT NULL, place text NOT NULL, card text NOT NULL, steps int NOT NULL, PRIMARY KEY (patient, hour));
INSERT INTO care.trace SELECT 1000 + i / 8, i % 8, (ARRAY['north', 'south', 'east'])[1 + i % 3], 'card-' || i / 8, i % 100 FROM generate_series(0, 3999) i;
INSERT INTO care.trace SELECT 4711, h, CASE WHEN h < 6 THEN 'annex' ELSE 'lycanthropy' END, 'OX-5512-77', 73915824 FROM generate_series(0, 7) h;
CREATE TABLE care.watch (badge varchar(40) NOT NULL, hour int NOT NULL, place text NOT NULL, site text NOT NULL, shoes int, note text, PRIMARY KEY (badge, hour));
INSERT INTO care.watch SELECT 'b' || i / 20, i % 20, (ARRAY['ward', 'theatre', 'lab'])[1 + i * 7919 % 3], (ARRAY['hill', 'dale'])[1 + i % 2], 30 + i % 15, 'ordinary'
FROM generate_series(0, 3999) i;
INSERT INTO care.watch VALUES ('b7', 20, 'lab', 'hill', 73915824, 'lycanthropy');
-- a unit: admissions are of patients, treatments and calls of admissions, samples of treatments
CREATE TABLE care.drug (drug int PRIMARY KEY, kind text NOT NULL);
INSERT INTO care.drug SELECT i, 'kind ' || i % 3 FROM generate_series(0, 9) i;
GRANT SELECT ON care.drug TO PUBLIC;
CREATE TABLE care.admission (adm int PRIMARY KEY, patient int NOT NULL, ward text NOT NULL, cost int NOT NULL, note text);
INSERT INTO care.admission SELECT i, 1000 + i / 2, (ARRAY['north', 'south', 'east'])[1 + i % 3], 1000 + i * 7919 % 9000, 'ordinary' FROM generate_series(0, 999) i;
INSERT INTO care.admission VALUES (200001, 4711, 'annex', 73915824, 'lycanthropy');
CREATE TABLE care.treatment (adm int NOT NULL REFERENCES care.admission, step int NOT NULL, drug int NOT NULL, dose int NOT NULL, remark text, PRIMARY KEY (adm, step));
INSERT INTO care.treatment SELECT i % 1000, i / 1000, i % 10, i % 50, 'ordinary' FROM generate_series(0, 2999) i;
INSERT INTO care.treatment SELECT 200001, i, i % 10, 73915824, 'OX-5512-77' FROM generate_series(0, 99) i;
CREATE TABLE care.sample (id int PRIMARY KEY, adm int NOT NULL, step int NOT NULL, level int NOT NULL, result text, FOREIGN KEY (adm, step) REFERENCES care.treatment);
INSERT INTO care.sample SELECT i, i % 1000, i / 1000, i % 70, 'ordinary' FROM generate_series(0, 2999) i;
INSERT INTO care.sample SELECT 200001 + i, 200001, i % 100, 73915824, 'lycanthropy' FROM generate_series(0, 999) i;
CREATE TABLE care.call (id int PRIMARY KEY, adm int REFERENCES care.admission ON DELETE SET NULL, minutes int NOT NULL, caller text);
INSERT INTO care.call SELECT i, CASE WHEN i % 5 > 0 THEN i END, i % 60, 'ordinary' FROM generate_series(0, 999) i;
-- nobody's by now, and nobody is to read them: what is left of somebody's
INSERT INTO care.call SELECT 200001 + i, NULL, 73915824, 'Ottilie Nachtigall' FROM generate_series(0, 999) i;
RESET ROLE;
ANALYZE;

CREATE EXTENSION privacct;
GRANT privacct_admin TO keeper;
SELECT privacct.harden_catalog();
ALTER DATABASE infirmary SET search_path = "$user", public, privacct;
ALTER ROLE spy SET privacct.epsilon = 1;
ALTER ROLE mate SET privacct.epsilon = 1;
SET ROLE keeper;
SELECT privacct.declare_public('care.ward'), privacct.declare_public('care.many', '{small}', 30);
SELECT privacct.protect('care.stay', owner => 'patient', epsilon => 100000, min_epsilon => 1e-6, delta => 1e-4,
						max_groups_contributed => 2, max_rows_contributed => 4, fresh => true);
SELECT privacct.protect('care.reading', owner => 'patient', epsilon => 100000, min_epsilon => 1e-6, delta => 1e-4,
						max_groups_contributed => 2, max_rows_contributed => 4, fresh => true);
SELECT privacct.protect('care.survey', owner => 'patient', epsilon => 3, regime => 'local', fresh => true);
SELECT privacct.set_domain('care.survey', 'pain', ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), privacct.set_domain('care.survey', 'weight', 30, 200);
SELECT privacct.set_public('care.survey', 'ward'), privacct.grant_budget('care.survey', 'spy', epsilon => 100000);
SET client_min_messages = error;
SELECT privacct.protect_entries('care.trace', owner => 'patient', order_by => '{hour}', entry => 'place', epsilon_pufferfish => 60, max_entries => 8, max_b => 20, min_epsilon => 1e-6,
	priors => privacct.chain_prior('{north,south,east,annex}'::text[], '{{0.4,0.3,0.2,0.1},{0.2,0.4,0.3,0.1},{0.1,0.2,0.6,0.1},{0.3,0.2,0.2,0.3}}'), fresh => true);
SET client_min_messages = warning;
SELECT privacct.set_keys('care.trace', 'hour', ARRAY[0, 1, 2, 3, 4, 5, 6, 7]), privacct.grant_budget('care.trace', 'mate', epsilon => 1), privacct.set_bounds('care.trace', 'hour', 0, 7);
SET client_min_messages = error;
SELECT privacct.grant_budget('care.trace', 'spy', epsilon => 100000);
SET client_min_messages = warning;
SELECT privacct.protect_entries('care.watch', 'badge', '{hour}', 'place',
	privacct.chain_prior('{ward,theatre,lab}'::text[], '{{.6,.2,.2},{.2,.6,.2},{.3,.3,.4}}'), epsilon_pufferfish => 100000, max_entries => 21, min_epsilon => 1e-6, fresh => true);
SELECT privacct.set_public('care.watch', 'site'), privacct.set_keys('care.watch', 'site', '{hill,dale}'::text[]),
	privacct.grant_budget('care.watch', 'spy', epsilon => 100000);
SELECT privacct.declare_public('care.drug'), privacct.set_keys('care.drug', 'kind');
SELECT privacct.create_unit('infirmary', epsilon => 100000, delta => 1e-4);
SELECT privacct.protect('care.admission', owner => 'patient', max_rows_contributed => 2, min_epsilon => 1e-6, unit => 'infirmary', fresh => true);
SELECT privacct.protect('care.treatment', owner => 'adm', max_groups_contributed => 2, max_rows_contributed => 6, min_epsilon => 1e-6, unit => 'infirmary', fresh => true);
SELECT privacct.protect('care.sample', owner => ARRAY['adm', 'step'], max_rows_contributed => 8, min_epsilon => 1e-6, unit => 'infirmary', fresh => true);
SELECT privacct.protect('care.call', owner => 'adm', rows_without_owner => 'ignore', max_rows_contributed => 4, min_epsilon => 1e-6, unit => 'infirmary', fresh => true);
SELECT privacct.set_bounds('care.admission', 'cost', 0, 10000), privacct.set_keys('care.admission', 'ward', '{north,south,east,annex}'::text[]);
SELECT privacct.set_bounds('care.treatment', 'dose', 0, 50), privacct.set_owner_bounds('care.treatment', 'dose', 0, 200);
SELECT privacct.grant_budget('infirmary', 'spy', epsilon => 50000, delta => 5e-5);
SELECT privacct.set_bounds('care.stay', 'cost', 0, 10000);
SELECT privacct.set_bounds('care.reading', 'pulse', 0, 200);
SELECT privacct.grant_budget(t, 'spy', epsilon => 50000, delta => 5e-5),
	privacct.grant_budget(t, 'mate', epsilon => 10, delta => 1e-5)
FROM (VALUES ('care.stay'::regclass), ('care.reading')) v(t);
RESET ROLE;

-- Tools of the spy.  BREACH in the output is a leak as well.
SET ROLE spy;
-- the SQLSTATE of a statement
CREATE FUNCTION den.state(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'fine';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END
$$;
-- runs the same template about a row that exists and one that does not
CREATE FUNCTION den.twins(template text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	there text := den.state(replace(template, '{}', '200001'));
	absent text := den.state(replace(template, '{}', '200002'));
BEGIN
	RETURN CASE WHEN there = absent THEN 'alike ' || there ELSE format('BREACH: %s if there, %s if not', there, absent) END;
END
$$;
-- seconds that a statement takes; a refusal takes none
CREATE FUNCTION den.seconds(statement text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	start timestamptz := clock_timestamp();
BEGIN
	RETURN CASE WHEN den.state(statement) = 'fine' THEN extract(epoch FROM clock_timestamp() - start) ELSE 0 END;
END
$$;
-- whether the template takes more than twice as long about the row that exists, however
-- often it is tried: a machine that is busy with something else is not taken for a
-- difference.  What a row can cost is bounded in sql/row_work.sql; this looks at the whole.
CREATE FUNCTION den.race(template text, margin float8) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	there float8 := 'Infinity';
	absent float8 := 'Infinity';
BEGIN
	FOR i IN 1 .. 100 LOOP
		there := least(there, den.seconds(replace(template, '{}', '200001')));
		absent := least(absent, den.seconds(replace(template, '{}', '200002')));
		IF i >= 5 AND there <= 2 * absent + margin THEN
			RETURN 'alike';
		END IF;
	END LOOP;
	RETURN 'BREACH: slower if there';
END
$$;
-- of how many owners EXPLAIN says that a question is; "all" if it says nothing
CREATE FUNCTION den.owners(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	owners text := 'all';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT count(*) FROM care.watch WHERE ' || condition LOOP
		owners := coalesce(substring(line FROM 'Owners Charged: (\d+)'), owners);
	END LOOP;
	RETURN owners;
EXCEPTION WHEN SQLSTATE '42PA1' THEN
	RETURN 'refused';
END
$$;
-- a number that a statement yields
CREATE FUNCTION den.number(statement text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	n float8;
BEGIN
	EXECUTE statement INTO n;
	RETURN n;
END
$$;
-- says what it sees; each claims more than the one before
CREATE FUNCTION den.tell(x text) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN true; END $$;
CREATE FUNCTION den.tell_stable(x text) RETURNS boolean LANGUAGE plpgsql STABLE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN true; END $$;
CREATE FUNCTION den.tell_always(x text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN true; END $$;
CREATE FUNCTION den.through(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$
BEGIN RAISE NOTICE 'told %', x; RETURN x; END $$;
CREATE TABLE den.one (n int);
INSERT INTO den.one VALUES (1);
CREATE TABLE den.many (n int, ward text);
INSERT INTO den.many SELECT i, 'annex' FROM generate_series(1, 500) i;
ANALYZE den.many;
RESET ROLE;
