-- Isolation level serializable tells what others read and write.  Where something is
-- protected it is for those who read it as it is, whichever way it is asked for.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir '/sql/include/asking.psql'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_se_steward;
CREATE ROLE regress_se_neighbour;
GRANT privacct_admin TO regress_se_steward, regress_se_neighbour;
CREATE ROLE regress_se_analyst;
CREATE ROLE regress_se_member IN ROLE regress_se_analyst;
CREATE ROLE regress_se_nobody;
CREATE ROLE regress_se_application;
ALTER ROLE regress_se_application SET privacct.allow_serializable = on;
CREATE SCHEMA ward AUTHORIZATION regress_se_steward;
GRANT USAGE ON SCHEMA ward TO PUBLIC;
CREATE SCHEMA lab AUTHORIZATION regress_se_neighbour;
SET search_path = ward, privacct;
\pset format unaligned
\pset footer off
\ir :helpers

-- Ways to it, and what becomes of each, which is undone.
CREATE FUNCTION with_setting() RETURNS int LANGUAGE sql SET default_transaction_isolation = 'serializable' RETURN 1;
GRANT EXECUTE ON FUNCTION with_setting() TO PUBLIC;
CREATE TABLE ways AS SELECT * FROM (VALUES (1, 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE'),
	(2, 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE'), (3, 'SET transaction_isolation = ''serializable'''),
	(4, 'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE'), (5, 'SET default_transaction_isolation = serializable'),
	(6, 'SET LOCAL default_transaction_isolation = serializable'), (7, 'SELECT set_config(''default_transaction_isolation'', ''serializable'', false)'),
	(8, 'SELECT set_config(''transaction_isolation'', ''SERIALIZABLE'', true)'), (9, 'SELECT with_setting()'),
	(10, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')) w(i, way);
GRANT SELECT ON ways TO PUBLIC;
CREATE FUNCTION try_way(way text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
BEGIN
	EXECUTE way;
	RAISE SQLSTATE '25001';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
	-- this, or that it comes too late in the transaction
	RETURN CASE WHEN state = '25001' THEN 'set' ELSE state || ': ' || message END;
END
$$;

-- nothing is protected
SET ROLE regress_se_nobody;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
RESET ROLE;

CREATE TABLE visit (patient_id int NOT NULL, cost int);
CREATE TABLE lab.sample (patient_id int NOT NULL);
INSERT INTO visit SELECT i, i FROM generate_series(1, 100) i;
ALTER TABLE visit OWNER TO regress_se_steward;
ALTER TABLE lab.sample OWNER TO regress_se_neighbour;
CREATE TABLE shop (item int);
INSERT INTO shop VALUES (1);
GRANT ALL ON shop TO PUBLIC;
SET ROLE regress_se_steward;
SELECT privacct.protect('ward.visit', 'patient_id', epsilon => 100, delta => 0.01) > 0 AS protected;
SELECT privacct.grant_budget('ward.visit', 'regress_se_analyst', epsilon => 10, delta => 0.01);
RESET ROLE;
SET ROLE regress_se_neighbour;
SELECT privacct.protect('lab.sample', 'patient_id', epsilon => 100) > 0 AS protected;
RESET ROLE;
SET ROLE regress_se_analyst;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
BEGIN ISOLATION LEVEL SERIALIZABLE;
START TRANSACTION ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE;
SET ROLE regress_se_member;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
SET ROLE regress_se_nobody;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
SET privacct.allow_serializable = on;
-- who owns one of the tables goes on as before
SET ROLE regress_se_steward;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
BEGIN ISOLATION LEVEL SERIALIZABLE;
UPDATE visit SET cost = cost + 1 WHERE patient_id = 1;
SELECT with_setting();
COMMIT;
RESET ROLE;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
-- but not with a budget for another
SET ROLE regress_se_steward;
SELECT privacct.grant_budget('ward.visit', 'regress_se_neighbour', epsilon => 10);
SET ROLE regress_se_neighbour;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
RESET ROLE;
-- a superuser can let others
SET privacct.allow_serializable = on;
SET ROLE regress_se_application;
SELECT try_way(way), string_agg(i::text, ' ' ORDER BY i) AS ways FROM ways GROUP BY 1 ORDER BY 1;
RESET ROLE;
RESET privacct.allow_serializable;

-- the level that is there already is of no use
SET ROLE regress_se_analyst;
\lo_unlink 1
PREPARE plain AS SELECT item FROM shop;
EXECUTE plain;
RESET ROLE;
\set VERBOSITY terse
\set in_it 'BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL ROLE regress_se_analyst;'
:in_it
SELECT item FROM shop;
ROLLBACK;
:in_it
EXECUTE plain;
ROLLBACK;
:in_it
INSERT INTO shop VALUES (2);
ROLLBACK;
:in_it
COPY shop TO STDOUT;
ROLLBACK;
:in_it
DO 'BEGIN END';
ROLLBACK;
:in_it
DECLARE c CURSOR FOR SELECT item FROM shop;
ROLLBACK;
:in_it
LOCK TABLE shop IN ROW EXCLUSIVE MODE;
ROLLBACK;
:in_it
NOTIFY anybody;
ROLLBACK;
-- what no statement calls
:in_it
\lo_unlink 1
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
DECLARE c CURSOR FOR SELECT item FROM shop;
SET LOCAL ROLE regress_se_analyst;
FETCH c;
ROLLBACK;
-- what leads out
:in_it
SHOW transaction_isolation;
SET LOCAL work_mem = '1MB';
RESET work_mem;
ROLLBACK;
SET default_transaction_isolation = 'serializable';
SET ROLE regress_se_analyst;
SELECT 1;
SET default_transaction_isolation = 'read committed';
SELECT 1 AS one;
RESET ROLE;
-- functions with the rights of others are the caller's
CREATE FUNCTION inner_level() RETURNS text LANGUAGE sql SECURITY DEFINER RETURN current_setting('transaction_isolation');
:in_it
SELECT inner_level();
ROLLBACK;
