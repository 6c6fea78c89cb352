--
-- The local regime's budgets: what nobody can bear is refused for nothing, and what
-- can be borne is known beforehand.
--
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_pa_dba;
GRANT privacct_admin TO regress_pa_dba;
CREATE ROLE regress_pa_asker;
CREATE SCHEMA purse;
GRANT ALL ON SCHEMA purse TO regress_pa_dba;
GRANT USAGE ON SCHEMA purse TO PUBLIC;
SET search_path = purse, privacct, public;

-- the statement's own error, or how many owners answered; what is noised is not shown
CREATE FUNCTION asked(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	state text;
	answered text;
BEGIN
	PERFORM set_config('role', 'regress_pa_asker', true);
	EXECUTE query;
	answered := (SELECT string_agg(DISTINCT i.answered || ' of ' || i.asked, ', ') FROM privacct.intervals() i);
	PERFORM set_config('role', 'none', true);
	RETURN coalesce(answered, 'answered');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', state || ':', SQLERRM, '- ' || nullif(detail, ''));
END
$$;
CREATE VIEW paid AS SELECT p.relation_name AS table, a.epsilon, a.releases, (SELECT count(*) FROM privacct.question q WHERE q.policy_id = p.policy_id) AS questions
	FROM privacct.account a JOIN privacct.policy p USING (policy_id) WHERE a.role::text = 'regress_pa_asker' AND p.closed_at IS NULL;
CREATE TABLE person (id int PRIMARY KEY, grade int, age float8, region text);
INSERT INTO person SELECT i, i % 4, 10 + i % 91, chr(65 + i % 2) FROM generate_series(1, 20) i;
CREATE TABLE visit (id int PRIMARY KEY, cost int);
INSERT INTO visit SELECT i, i FROM generate_series(1, 50) i;
ALTER TABLE person OWNER TO regress_pa_dba;
ALTER TABLE visit OWNER TO regress_pa_dba;
SET ROLE regress_pa_dba;
SELECT protect('person', 'id', regime => 'local', epsilon => 1, fresh => true) > 0 AS protected;
SELECT set_domain('person', 'grade', ARRAY[0, 1, 2, 3]), set_domain('person', 'age', 10, 100), set_public('person', 'region');
RESET client_min_messages;

-- a role may ask for more than one owner can give: no word about the table's own budget
SELECT grant_budget('person', 'regress_pa_asker', 100);
RESET ROLE;

--
-- More than anybody may lose
--
SET privacct.epsilon = 1.1;
SELECT asked('SELECT ldp_avg(grade) FROM person');
SELECT asked('SELECT ldp_avg(age) FROM person');
SELECT asked('SELECT ldp_avg(grade, ''epsilon=0.5''), ldp_avg(age, ''epsilon=1.1'') FROM person');
SELECT asked('SELECT ldp_avg(grade, ''kernel=gaussian, epsilon=0.5'') FROM person');
SET privacct.epsilon = 0.6;		-- twice that for each owner
SELECT asked('SELECT count(*) FROM person');
SELECT * FROM paid;

--
-- Exactly what everybody may lose
--
SET privacct.epsilon = 1;
SET ROLE regress_pa_asker;
SELECT statistic, releases_left, owners_able, owners_known, newcomers FROM preview('SELECT ldp_avg(age, ''epsilon=0.1'') FROM person');
SELECT statistic, releases_left, owners_able, owners_known, newcomers FROM preview('SELECT ldp_avg(age) FROM person');
RESET ROLE;
SELECT asked('SELECT ldp_avg(age) FROM person WHERE region = ''A''');
SET ROLE regress_pa_asker;
SELECT statistic, releases_left, owners_able, owners_known, newcomers FROM preview('SELECT ldp_avg(age) FROM person');
EXPLAIN (COSTS OFF) SELECT ldp_avg(age) FROM person;
RESET ROLE;
SELECT asked('SELECT ldp_avg(age) FROM person');
SELECT questions, owners, exhausted FROM local_odometer;

-- now everybody has been asked
SELECT asked('SELECT ldp_avg(age) FROM person'), asked('SELECT ldp_avg(grade, ''epsilon=0.01'') FROM person');
SELECT asked('SELECT count(*) FROM person');
SELECT * FROM paid;
INSERT INTO person SELECT i, i % 4, 10 + i % 91, chr(65 + i % 2) FROM generate_series(21, 26) i;
-- which is looked up once, for however many questions: 30 looks would end after 20 ms * 2^30
SET statement_timeout = '10min';
SELECT asked('SELECT ' || string_agg(format('ldp_avg(age, ''epsilon=0.0%s'')', i), ', ' ORDER BY i) || ', ldp_avg(age, ''epsilon=1.5'') FROM person') FROM generate_series(10, 39) i;
RESET statement_timeout;
SELECT asked('SELECT ldp_avg(age, ''epsilon=0.5'') FROM person');

-- a central release: of those who were asked before some can bear it
SET privacct.epsilon = 0.25;
SET ROLE regress_pa_asker;
SELECT DISTINCT statistic, releases_left, owners_able, owners_known, newcomers FROM preview('SELECT count(*) FROM person') ORDER BY 1;
SELECT count(*) IS NOT NULL AS released FROM person;
SELECT answered, asked, standard_error FROM intervals();
RESET ROLE;
SELECT asked('SELECT count(*) FROM person');
SELECT * FROM paid;

-- the slack that drawing needs is part of what is asked for, also where it is large
SET client_min_messages = warning;
CREATE TABLE cap AS SELECT row_number() OVER () AS n, f AS filter, e AS epsilon, q AS question
FROM unnest('{full,simplified,approximate,basic}'::text[]) f, unnest('{0.1,1,4,12,20}'::float8[]) e,
	unnest('{ldp_avg(age),"ldp_avg(0.3 * age - 0.001 * size)",ldp_avg(logistic(0.1 * age - 5))}'::text[]) q;
DO $$
DECLARE
	c cap;
BEGIN
	FOR c IN SELECT * FROM cap LOOP
		EXECUTE format('CREATE TABLE cap_%s (id int PRIMARY KEY, age float8, size float8)', c.n);
		EXECUTE format('INSERT INTO cap_%s SELECT i, 10 + i %% 91, i FROM generate_series(1, 30) i', c.n);
		PERFORM protect(format('cap_%s', c.n)::regclass, 'id', regime => 'local', epsilon => c.epsilon::numeric, filter => c.filter,
			delta => CASE c.filter WHEN 'approximate' THEN 1e-6 ELSE 0 END, fresh => true);
		PERFORM set_domain(format('cap_%s', c.n)::regclass, 'age', 10, 100), set_domain(format('cap_%s', c.n)::regclass, 'size', 0, 1e6);
		PERFORM grant_budget(format('cap_%s', c.n)::regclass, 'regress_pa_asker', 1000);
	END LOOP;
END $$;
SELECT c.filter, c.epsilon, c.question, a FROM cap c, set_config('privacct.epsilon', c.epsilon::text, false), asked(format('SELECT %s FROM purse.cap_%s', c.question, c.n)) a
WHERE a <> '30 of 30' ORDER BY c.n;
DO $$ BEGIN EXECUTE (SELECT 'DROP TABLE cap, ' || string_agg('cap_' || n, ', ') FROM cap); END $$;
RESET client_min_messages;

--
-- A budget below what was spent, and larger than the table's
--
SET ROLE regress_pa_dba;
SELECT protect('visit', 'id', epsilon => 10, delta => 0, fresh => true) > 0 AS protected;
SELECT grant_budget('visit', 'regress_pa_asker', 20);
RESET ROLE;
SET privacct.epsilon = 2;
SELECT asked('SELECT count(*) FROM visit');
SET ROLE regress_pa_dba;
SELECT grant_budget('visit', 'regress_pa_asker', 2);
SELECT grant_budget('visit', 'regress_pa_asker', 1.5);
SELECT grant_budget('person', 'regress_pa_asker', 0.5);
SELECT relation_name, regime FROM odometer WHERE open ORDER BY 1;
RESET ROLE;

--
-- A table that is gone when its policy is looked at, as if it had been dropped in between
--
SET allow_system_table_mods = on;
BEGIN;
CREATE TABLE near (id int);
SET LOCAL privacct.write_books = on;
UPDATE privacct.policy SET relation = 4294000000::oid::regclass WHERE relation = 'visit'::regclass;
INSERT INTO pg_inherits VALUES ('near'::regclass, 4294000000, 1, false);
GRANT SELECT ON near TO regress_pa_asker;
ALTER TABLE near ADD COLUMN v int;
ROLLBACK;
RESET allow_system_table_mods;
-- one that is there is checked
SET client_min_messages = error;
GRANT SELECT ON visit TO regress_pa_asker;
RESET client_min_messages;

DROP VIEW paid;
DROP FUNCTION asked;
DROP TABLE person, visit;
DROP SCHEMA purse;
DROP OWNED BY regress_pa_asker, regress_pa_dba;
DROP ROLE regress_pa_asker, regress_pa_dba;
