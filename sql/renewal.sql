-- Who is charged stays the same when a policy is renewed.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
CREATE ROLE regress_rn_analyst;
CREATE SCHEMA rn;
GRANT USAGE ON SCHEMA rn TO regress_rn_analyst;
SET search_path = rn, privacct;
CREATE FUNCTION ask(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	n numeric;
BEGIN
	SET LOCAL ROLE regress_rn_analyst;
	EXECUTE query INTO n;
	RESET ROLE;
	RETURN CASE WHEN n IS NULL THEN 'null' ELSE 'answered' END;
END
$$;
CREATE FUNCTION renew(relation regclass, owner name) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	PERFORM protect(relation, owner, epsilon => 4, min_epsilon => 1e-6);
	RETURN (SELECT format('%s releases, epsilon %s', o.releases, o.epsilon_spent) FROM odometer o WHERE o.relation = renew.relation AND o.open);
EXCEPTION
	WHEN SQLSTATE '42PA4' THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
		RETURN concat_ws(' | ', SQLERRM, detail, hint);
END
$$;
CREATE TABLE stay (visit int NOT NULL, patient int NOT NULL, cost int);
INSERT INTO stay SELECT i, i % 5, i FROM generate_series(1, 100) i;

-- nothing was spent yet: any column will do
SELECT renew('stay', 'visit');
SELECT unprotect('stay'), renew('stay', 'patient');
SELECT unprotect('stay'), renew('stay', 'visit'), grant_budget('stay', 'regress_rn_analyst', 4);
SET privacct.epsilon = 1;
SELECT ask('SELECT count(*) FROM stay');
SELECT unprotect('stay');
SELECT renew('stay', 'patient');
SELECT renew('stay', 'visit');
SELECT unprotect('stay');

-- columns are followed while the table is not protected, names are not enough
ALTER TABLE stay RENAME visit TO encounter;
ALTER TABLE stay RENAME patient TO visit;
SELECT renew('stay', 'visit');
SELECT renew('stay', 'encounter');
SELECT unprotect('stay');
ALTER TABLE stay DROP encounter;
ALTER TABLE stay ADD encounter int NOT NULL DEFAULT 1;
SELECT renew('stay', 'encounter');
SELECT renew('stay', 'visit');

-- in partitions, which are renamed with their parent
CREATE TABLE log_1 (day int NOT NULL, person int NOT NULL, device int NOT NULL);
INSERT INTO log_1 SELECT i % 10, i % 7, i FROM generate_series(1, 70) i;
SELECT renew('log_1', 'person'), grant_budget('log_1', 'regress_rn_analyst', 4);
SELECT ask('SELECT count(*) FROM log_1');
SELECT unprotect('log_1');
CREATE TABLE log (LIKE log_1) PARTITION BY RANGE (day);
ALTER TABLE log ATTACH PARTITION log_1 FOR VALUES FROM (0) TO (10);
ALTER TABLE log RENAME person TO somebody;
ALTER TABLE log RENAME device TO person;
ALTER TABLE log DETACH PARTITION log_1;
SELECT renew('log_1', 'person');
SELECT renew('log_1', 'somebody');

-- a new type must not give two owners one name
CREATE TABLE pay (person int NOT NULL, amount numeric);
INSERT INTO pay SELECT i, i FROM generate_series(1, 100) i;
SELECT renew('pay', 'person'), grant_budget('pay', 'regress_rn_analyst', 4);
SELECT ask('SELECT count(*) FROM pay');
ALTER TABLE pay ALTER person TYPE int USING person / 10;
ALTER TABLE pay ALTER person TYPE smallint;
ALTER TABLE pay ALTER person TYPE char(20);
ALTER TABLE pay ALTER amount TYPE int USING amount / 10, ALTER person TYPE varchar(9);
ALTER TABLE pay ALTER amount TYPE int;
ALTER TABLE pay ALTER person TYPE bigint;
ALTER TABLE pay ALTER person TYPE text;
ALTER TABLE pay ALTER person TYPE text COLLATE "C";
ALTER TABLE pay RENAME person TO who;
ALTER TABLE pay ALTER who TYPE int USING who::int;
SELECT ask('SELECT count(*) FROM pay');
SELECT unprotect('pay');
ALTER TABLE pay ALTER who TYPE int USING who::int / 10;
SELECT renew('pay', 'who');

-- names and types that come from elsewhere: a type, commands for other kinds of relations
CREATE TYPE stay_type AS (person int, visit int, cost int);
CREATE TABLE typed OF stay_type;
CREATE TABLE below_typed () INHERITS (typed);
INSERT INTO typed SELECT i % 5, i, i FROM generate_series(1, 100) i;
ALTER TABLE typed ALTER person SET NOT NULL, ALTER visit SET NOT NULL;
SELECT renew('typed', 'person'), grant_budget('typed', 'regress_rn_analyst', 4);
SELECT set_bounds('typed', 'cost', 0, 100), set_keys('typed', 'visit', ARRAY[1, 2]);
SELECT ask('SELECT count(*) FROM typed');
CREATE FUNCTION names() RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', p.owner_column, (SELECT b.column_name FROM privacct.bound b WHERE b.policy_id = p.policy_id),
		(SELECT k.column_name FROM privacct.group_key k WHERE k.policy_id = p.policy_id))
	FROM privacct.policy p WHERE p.relation = 'typed'::regclass ORDER BY p.policy_id DESC LIMIT 1 $$;
ALTER TYPE stay_type RENAME ATTRIBUTE person TO tmp CASCADE;
ALTER TYPE stay_type RENAME ATTRIBUTE visit TO person CASCADE;
ALTER TYPE stay_type RENAME ATTRIBUTE tmp TO visit CASCADE;
SELECT names();
ALTER TYPE stay_type ALTER ATTRIBUTE visit TYPE smallint CASCADE;
ALTER TYPE stay_type ALTER ATTRIBUTE visit TYPE bigint CASCADE;
ALTER TYPE stay_type ALTER ATTRIBUTE cost TYPE bigint CASCADE;
ALTER TYPE stay_type DROP ATTRIBUTE visit CASCADE;
ALTER TABLE typed NOT OF;
ALTER VIEW typed RENAME visit TO tmp;
ALTER MATERIALIZED VIEW typed RENAME cost TO visit;
ALTER FOREIGN TABLE typed RENAME tmp TO cost;
SELECT names();
SELECT unprotect('typed');
ALTER TABLE typed OF stay_type;
ALTER TABLE typed RENAME cost TO tmp;
ALTER TABLE typed RENAME visit TO cost;
ALTER TABLE typed RENAME tmp TO visit;
ALTER TABLE typed OF stay_type;
ALTER TYPE stay_type RENAME ATTRIBUTE visit TO who CASCADE;
SELECT names();
SELECT renew('typed', 'cost');
BEGIN;
ALTER TYPE stay_type ALTER ATTRIBUTE who TYPE varchar(9) CASCADE;
SELECT renew('typed', 'who');
ROLLBACK;
ALTER TYPE stay_type ALTER ATTRIBUTE who TYPE smallint CASCADE;
SELECT renew('typed', 'who');

-- where one snapshot is kept, nothing is changed that policies name
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT renew('pay', 'who');
SAVEPOINT s;
ALTER TABLE stay RENAME visit TO tmp;
ROLLBACK TO s;
ALTER TABLE stay DROP cost;
ROLLBACK TO s;
DROP TABLE stay;
ROLLBACK TO s;
ALTER TABLE stay ALTER visit TYPE int USING 1;
ROLLBACK TO s;
CREATE TEMP TABLE elsewhere (a int);
ALTER TABLE elsewhere RENAME a TO b;
DROP TABLE elsewhere;
COMMIT;

DROP SCHEMA rn CASCADE;
DROP ROLE regress_rn_analyst;
