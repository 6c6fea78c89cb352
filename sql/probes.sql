-- What tools ask to learn columns, and values of parameters that a plan has to know.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pp_owner;
CREATE ROLE regress_pp_analyst;
GRANT privacct_admin TO regress_pp_owner;
CREATE SCHEMA probes AUTHORIZATION regress_pp_owner;
GRANT USAGE ON SCHEMA probes TO PUBLIC;
SET search_path = probes, privacct;
\ir :helpers
\pset format unaligned
\pset footer off
SET ROLE regress_pp_owner;
CREATE TABLE visit (id int PRIMARY KEY, patient int NOT NULL, ward text, day date, cost float8);
INSERT INTO visit SELECT i, i, 'w' || i % 3, date '2024-01-01' + i, i % 10 FROM generate_series(1, 90) i;
CREATE TABLE ward (ward text PRIMARY KEY);
INSERT INTO ward VALUES ('w0'), ('w1');
CREATE TABLE copy (id int);
GRANT SELECT ON ward TO regress_pp_analyst;
GRANT INSERT ON copy TO regress_pp_analyst;
DO $$ BEGIN
	PERFORM privacct.protect('visit', 'patient', epsilon => 1e6, min_epsilon => 1e-6, delta => 0.01);
	PERFORM privacct.set_bounds('visit', 'cost', 0, 10), privacct.set_keys('visit', 'ward', '{w0,w1,w2}'::text[]), privacct.declare_public('ward');
	PERFORM privacct.set_bounds('visit', 'day', '2024-01-01', '2024-12-31');
	PERFORM privacct.grant_budget('visit', 'regress_pp_analyst', 1e6, 0.01);
END $$;
CREATE VIEW costly WITH (security_invoker) AS SELECT * FROM visit WHERE cost > 2;
GRANT SELECT ON costly TO regress_pp_analyst;
RESET ROLE;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE sql AS $$ SELECT ask('regress_pp_analyst', query) $$;
CREATE FUNCTION look(n bigint, factor float8) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	one record;
	total float8;
BEGIN
	FOR one IN SELECT * FROM visit LIMIT n LOOP
		RETURN 'rows';
	END LOOP;
	SELECT round(sum(cost * factor)) INTO total FROM visit;
	RETURN total;
END
$$;
SET privacct.epsilon = 20000;

-- columns, without rows and without a price: dbplyr, Power BI, Metabase, JDBC, SQLAlchemy, and what they wrap
SELECT ask(q), q FROM unnest(ARRAY[
	'SELECT * FROM visit LIMIT 0', 'SELECT * FROM visit WHERE (0 = 1)', 'SELECT * FROM (SELECT * FROM visit) q LIMIT 0', 'SELECT * FROM (SELECT * FROM visit WHERE cost > 1) AS "q01" WHERE (0 = 1)',
	'select * from (select * from "probes"."visit") "_" limit 0', 'SELECT true AS "_" FROM "probes"."visit" WHERE 1 <> 1 LIMIT 0', 'SELECT ctid, * FROM visit WHERE false', 'SELECT v, v.tableoid, xmin FROM visit v WHERE NULL',
	'SELECT * FROM (SELECT ctid, v.* FROM visit v) q WHERE 1 = 0', 'SELECT DISTINCT patient, ward FROM visit LIMIT 0', 'SELECT * FROM (SELECT DISTINCT patient FROM visit) q WHERE (0 = 1)', 'WITH q AS (SELECT * FROM visit) SELECT ward FROM q WHERE 0 = 1',
	'WITH q AS MATERIALIZED (SELECT * FROM visit), r AS (SELECT * FROM q) SELECT * FROM r LIMIT 0', 'SELECT patient FROM visit UNION ALL SELECT id FROM visit LIMIT 0', 'SELECT * FROM (SELECT patient, max(cost), count(*) FROM visit GROUP BY 1) q WHERE 0 = 1',
	'SELECT * FROM (SELECT ward, max(cost) FROM visit GROUP BY 1) q LIMIT 0', 'SELECT * FROM visit WHERE ward = ''w1'' AND 1 = 0', 'SELECT * FROM visit v WHERE false AND EXISTS (SELECT FROM visit w WHERE w.day = v.day AND w.ctid <> v.ctid)',
	'SELECT *, (SELECT max(cost) FROM visit w WHERE w.day = v.day) FROM visit v LIMIT 0', 'SELECT * FROM visit JOIN ward USING (ward) FETCH FIRST 0 ROWS ONLY', 'SELECT * FROM costly LIMIT 0', 'SELECT ctid FROM visit v WHERE false AND v.xmin IS NULL AND v IS NOT NULL',
	'SELECT *, row_number() OVER (ORDER BY cost) FROM visit WHERE false', 'TABLE visit LIMIT 0']) q;
SELECT charges('visit') AS charges;
-- what returns rows, or does more, is what it was
SELECT ask(q), q FROM unnest(ARRAY['SELECT * FROM visit LIMIT 1', 'SELECT * FROM visit LIMIT NULL', 'SELECT * FROM visit WHERE false OR cost > 1', 'SELECT * FROM visit LIMIT 0 FOR UPDATE', 'SELECT * FROM (SELECT * FROM visit FOR UPDATE) q LIMIT 0',
	'WITH a AS (SELECT id FROM visit), b AS (INSERT INTO copy SELECT id FROM a RETURNING id) SELECT id FROM b LIMIT 0', 'SELECT ctid FROM visit', 'SELECT * FROM (SELECT * FROM visit LIMIT 0) q UNION ALL SELECT * FROM visit',
	'SELECT count(*) FROM (SELECT * FROM visit LIMIT 0) q', 'SELECT count(*) FROM visit LIMIT 0', 'SELECT count(*) > 5 FROM visit WHERE false']) q;
-- nobody else learns more than before
SELECT ask('privacct_reader', 'SELECT 1 FROM probes.visit LIMIT 0');

-- LIMIT $1: one plan for each value, as long as a plan for all would not know
SET ROLE regress_pp_analyst;
\set VERBOSITY default
PREPARE limited AS SELECT id FROM visit LIMIT $1;
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(0);
EXECUTE limited(1);
PREPARE nested(int) AS SELECT * FROM (SELECT * FROM (SELECT ctid, id FROM visit) a LIMIT $1 - 1) b;
EXECUTE nested(1);
EXECUTE nested(2);
SET plan_cache_mode = force_generic_plan;
EXECUTE limited(0);
EXPLAIN (COSTS OFF) EXECUTE limited(0);
RESET plan_cache_mode;
-- groups are limited as ever, with any plan
SET plan_cache_mode = force_generic_plan;
PREPARE groups(int) AS SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward LIMIT $1;
EXECUTE groups(2);
RESET plan_cache_mode;

-- bounds of expressions with parameters
PREPARE scaled(float8) AS SELECT round(sum(cost * $1)), round(avg(cost + $1 * 1.2)), round(sum(CASE WHEN ward = 'w1' THEN cost - $1 END)) FROM visit;
EXECUTE scaled(2);
EXECUTE scaled(2);
EXECUTE scaled(2);
EXECUTE scaled(2);
EXECUTE scaled(2);
EXECUTE scaled(-2);
EXECUTE scaled(-2);
EXECUTE scaled(NULL);
EXECUTE scaled('NaN');
SELECT statistic, sensitivity FROM preview('SELECT sum(cost * 4) FROM visit') WHERE statistic LIKE 'sum%' AND used;
SET plan_cache_mode = force_generic_plan;
EXECUTE scaled(2);
PREPARE compared(float8) AS SELECT round(sum(CASE WHEN cost > $1 THEN cost END)) FROM visit;
EXECUTE compared(5);
RESET plan_cache_mode;

-- units, zones and patterns
PREPARE periods(text) AS SELECT date_trunc($1, day)::date AS period, count(*) FROM visit GROUP BY 1 ORDER BY 1;
EXECUTE periods('quarter');
EXECUTE periods('fortnight');
PREPARE matching(text, text, interval) AS SELECT count(*) FROM visit WHERE ward ~ $1 AND extract(hour FROM day::timestamp AT TIME ZONE $2 AT TIME ZONE 'UTC') = 23 AND date_bin($3, day::timestamp, '2024-01-01') > '2024-02-01';
EXECUTE matching('^w[01]$', 'Europe/Berlin', '7 days');
EXECUTE matching('^w[01]$', 'Europe/Berlin', '7 days');
EXECUTE matching('^w[01]$', 'Europe/Berlin', '7 days');
EXECUTE matching('^w[01]$', 'Europe/Berlin', '7 days');
EXECUTE matching('^w[01]$', 'Europe/Berlin', '7 days');
EXECUTE matching('1', 'Europe/Berlin', '7 days');
EXECUTE matching('(w)\1', 'Europe/Berlin', '7 days');
EXECUTE matching('1', 'CEST', '7 days');
EXECUTE matching('1', 'Europe/Berlin', '1 month');
EXECUTE matching(NULL, 'Europe/Berlin', '7 days');
-- PL/pgSQL gives the values of variables
SELECT look(0, 1), look(0, 2), look(0, 3), look(0, 1), look(0, 1), look(0, 1), look(0, 2);
RESET ROLE;

SET client_min_messages = warning;
DEALLOCATE ALL;
RESET search_path;
DROP SCHEMA probes CASCADE;
DROP ROLE regress_pp_analyst, regress_pp_owner;
