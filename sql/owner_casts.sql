-- SPDX-License-Identifier: GPL-3.0-or-later
-- The owner column as another type, wherever it can say whose a row is: an answer that is right, or
-- a refusal before anything is charged; never an error that a row causes.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_oc_owner;
CREATE ROLE regress_oc_analyst;
GRANT privacct_admin TO regress_oc_owner;
CREATE SCHEMA AUTHORIZATION regress_oc_owner;
GRANT USAGE ON SCHEMA regress_oc_owner TO PUBLIC;
SET ROLE regress_oc_owner;
SET search_path = regress_oc_owner, privacct;
CREATE TABLE as_int2 (o int2 NOT NULL, x int);
CREATE TABLE as_int4 (o int4 NOT NULL, x int);
CREATE TABLE as_int8 (o int8 NOT NULL, x int);
CREATE TABLE as_text (o text NOT NULL, x int);
CREATE TABLE as_varchar (o varchar(40) NOT NULL, x int);
CREATE TABLE as_uuid (o uuid NOT NULL, x int);
-- twenty owners with three rows each
CREATE TABLE owner_table AS SELECT 'as_' || t AS name FROM unnest('{int2,int4,int8,text,varchar,uuid}'::text[]) t;
SET client_min_messages = error;
DO $$
DECLARE
	name text;
BEGIN
	FOR name IN SELECT o.name FROM owner_table o LOOP
		EXECUTE format('INSERT INTO %s SELECT %s, i %% 3 FROM generate_series(1, 60) i', name,
					   CASE WHEN name = 'as_uuid' THEN '(''00000000-0000-0000-0000-0000000000'' || lpad((i % 20)::text, 2, ''0''))::uuid' ELSE 'i % 20' END);
		PERFORM protect(name, 'o', epsilon => 1e6, delta => 0.01, max_rows_contributed => 3, fresh => true), grant_budget(name, 'regress_oc_analyst', 1e6, 0.001);
	END LOOP;
END $$;
RESET client_min_messages;
CREATE TABLE tried (owner text, cast_to text, place int, outcome text);
GRANT ALL ON tried TO regress_oc_analyst;
GRANT SELECT ON owner_table TO regress_oc_analyst;
SET ROLE regress_oc_analyst;
SET privacct.epsilon = 3000;
CREATE FUNCTION pg_temp.outcome(query text, exact text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer numeric;
	charges bigint := (SELECT count(*) FROM my_ledger);
BEGIN
	EXECUTE query INTO answer;
	RETURN CASE WHEN answer = exact::numeric THEN 'right' ELSE format('%s instead of %s', answer, exact) END;
EXCEPTION WHEN OTHERS THEN
	RETURN CASE WHEN SQLSTATE IN ('42846', '42883', '42804', '42725') THEN 'no such cast or comparison'	-- PostgreSQL's own
		WHEN SQLSTATE = '42PA1' THEN 'refused' ELSE SQLSTATE || ' ' || SQLERRM END || CASE WHEN (SELECT count(*) FROM my_ledger) > charges THEN ', charged' ELSE '' END;
END $$;
INSERT INTO tried SELECT o.name, t, p.place, pg_temp.outcome(replace(replace(p.query, 'TABLE', o.name), 'CAST', t), p.exact)
FROM owner_table o, regexp_split_to_table('text;varchar;varchar(3);bpchar;char(4);"char";name;bytea;int2;int4;int8;oid;xid;regclass;money;numeric;numeric(9, 2);float4;float8;bool;date;timestamp;uuid;json;text COLLATE "C"', ';') t, (VALUES
	(1, 'SELECT count(*) FROM (SELECT o::CAST AS k FROM TABLE UNION ALL SELECT o::CAST FROM TABLE WHERE x = 1) s', '60'),	-- 60 of 80: three rows of each owner count
	(2, 'SELECT count(*) FROM (SELECT o::CAST AS k FROM TABLE GROUP BY o::CAST) s', '20'),
	(3, 'SELECT count(*) FROM (SELECT DISTINCT o::CAST AS k, x FROM TABLE) s', '60'),
	(4, 'SELECT count(*) FROM TABLE a JOIN TABLE b ON a.o::CAST = b.o::CAST AND a.x = b.x', '60'),
	(5, 'SELECT count(*) FROM TABLE a WHERE EXISTS (SELECT FROM TABLE b WHERE b.o::CAST = a.o::CAST AND b.x > a.x)', '40'),
	(6, 'SELECT count(*) FROM (SELECT o::CAST AS k FROM TABLE) a WHERE k IN (SELECT o::CAST FROM TABLE WHERE x = 1)', '60'),
	(7, 'SELECT count(*) FROM (SELECT o::CAST AS k, x FROM TABLE INTERSECT SELECT o::CAST, x FROM TABLE WHERE x > 0) s', '40'),
	(8, 'SELECT count(*) FROM (SELECT x, count(*) OVER (PARTITION BY o::CAST) AS n FROM TABLE) s WHERE n = 3', '60'),
	(9, 'SELECT count(*) FROM TABLE a FULL JOIN TABLE b ON a.o::CAST = b.o::CAST AND a.x = b.x + 1', '60'),
	(10, 'SELECT count(*) FROM TABLE a WHERE (SELECT count(*) FROM TABLE b WHERE b.o::CAST = a.o::CAST) = 3', '60')) p(place, query, exact);
SELECT outcome, count(*) FROM tried WHERE outcome !~ 'right|refused|no such' GROUP BY 1 ORDER BY 2 DESC;
-- as what an owner may be named
SELECT owner, string_agg(DISTINCT cast_to, ' ' ORDER BY cast_to) AS casts, string_agg(DISTINCT place::text, ' ') AS places FROM tried WHERE outcome = 'right' GROUP BY owner ORDER BY owner;

RESET ROLE;
RESET search_path;
DROP SCHEMA regress_oc_owner CASCADE;
DROP OWNED BY regress_oc_owner, regress_oc_analyst;
DROP ROLE regress_oc_owner, regress_oc_analyst;
