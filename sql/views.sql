-- Who may read a protected table through what: views with security_invoker only.
-- What others could read raw without the guard is refused when it is made, granted,
-- altered or declared, and the hint closes it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_pv_owner;
CREATE ROLE regress_pv_second;
CREATE ROLE regress_pv_analyst;
CREATE ROLE regress_pv_member IN ROLE regress_pv_owner;
GRANT privacct_admin TO regress_pv_owner, regress_pv_second;
CREATE SCHEMA vw AUTHORIZATION regress_pv_owner;
GRANT ALL ON SCHEMA vw TO PUBLIC;
SET search_path = vw, privacct;
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN format('%s: %s | %s | %s', SQLSTATE, SQLERRM, detail, hint);
END
$$;
GRANT EXECUTE ON FUNCTION pg_temp.try(text) TO PUBLIC;
\pset format unaligned
\pset tuples_only on

SET ROLE regress_pv_owner;
CREATE TABLE vw.stay (id int PRIMARY KEY, patient int NOT NULL, ward text) PARTITION BY RANGE (id);
CREATE TABLE vw.stay_1 PARTITION OF vw.stay FOR VALUES FROM (0) TO (1000);
INSERT INTO vw.stay SELECT i, i, 'w' || i % 3 FROM generate_series(1, 90) i;
CREATE TABLE vw.ward (ward text PRIMARY KEY);
INSERT INTO vw.ward SELECT 'w' || i FROM generate_series(0, 2) i;
GRANT SELECT ON vw.ward TO PUBLIC;

-- protect() refuses what is open already: plain, by a chain, over a partition, by column, materialised, by a rule
CREATE VIEW vw.plain AS SELECT * FROM vw.stay;
CREATE VIEW vw.inner_one WITH (security_invoker = on) AS SELECT id, ward FROM vw.stay;
CREATE VIEW vw.outer_one AS SELECT * FROM vw.inner_one JOIN vw.ward USING (ward);
CREATE VIEW vw.part AS SELECT ward FROM vw.stay_1;
CREATE MATERIALIZED VIEW vw.copy AS SELECT * FROM vw.plain;
CREATE TABLE vw.bell (n int);
CREATE RULE ring AS ON INSERT TO vw.bell DO ALSO SELECT ward FROM vw.stay;
CREATE VIEW vw.kept AS SELECT * FROM vw.stay;
GRANT SELECT ON vw.plain, vw.inner_one TO regress_pv_analyst;
SELECT pg_temp.try($$SELECT privacct.protect('vw.stay', 'patient', epsilon => 1e6, delta => 0.01)$$);
GRANT SELECT ON vw.outer_one TO PUBLIC;
GRANT SELECT (ward) ON vw.part TO regress_pv_analyst;
GRANT SELECT ON vw.copy TO regress_pv_second, regress_pv_analyst;
GRANT INSERT ON vw.bell TO regress_pv_analyst;
SELECT pg_temp.try($$SELECT privacct.protect('vw.stay', 'patient', epsilon => 1e6, delta => 0.01)$$);
-- the hint closes it
ALTER VIEW vw.outer_one SET (security_invoker = true);
ALTER VIEW vw.part SET (security_invoker = true);
ALTER VIEW vw.plain SET (security_invoker = true);
REVOKE ALL ON vw.copy FROM regress_pv_analyst, regress_pv_second;
REVOKE ALL ON vw.bell FROM regress_pv_analyst;
SELECT privacct.protect('vw.stay', 'patient', epsilon => 1e6, delta => 0.01) > 0;
SELECT privacct.grant_budget('vw.stay', 'regress_pv_analyst', 1e6, 0.01), privacct.set_keys('vw.stay', 'ward', '{w0,w1,w2}'::text[]), privacct.declare_public('vw.ward');

-- afterwards each way is refused
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY[
	'GRANT SELECT ON vw.kept TO regress_pv_analyst',
	'GRANT SELECT ON vw.kept TO PUBLIC',
	'GRANT SELECT (ward) ON vw.kept TO regress_pv_analyst',
	'GRANT UPDATE ON vw.kept TO regress_pv_analyst',
	'GRANT SELECT ON vw.kept TO regress_pv_member',
	'GRANT SELECT ON ALL TABLES IN SCHEMA vw TO regress_pv_member',
	'GRANT SELECT ON vw.copy TO regress_pv_analyst',
	'GRANT INSERT ON vw.bell TO regress_pv_analyst',
	'ALTER VIEW vw.plain SET (security_invoker = false)',
	'ALTER VIEW vw.plain RESET (security_invoker)',
	'ALTER TABLE vw.plain SET (security_invoker = off)',
	'CREATE OR REPLACE VIEW vw.plain AS SELECT * FROM vw.stay',
	'CREATE OR REPLACE VIEW vw.plain WITH (security_invoker) AS SELECT * FROM vw.stay',
	'CREATE RULE more AS ON UPDATE TO vw.plain DO INSTEAD SELECT ward FROM vw.stay_1',
	'CREATE RULE more AS ON DELETE TO vw.ward DO ALSO SELECT ward FROM vw.stay']) statement;
ALTER DEFAULT PRIVILEGES IN SCHEMA vw GRANT SELECT ON TABLES TO regress_pv_analyst;
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY[
	'CREATE VIEW vw.born_open AS SELECT * FROM vw.stay',
	'CREATE MATERIALIZED VIEW vw.born_copy AS SELECT * FROM vw.stay',
	'CREATE VIEW vw.born_above AS SELECT * FROM vw.inner_one',
	'CREATE VIEW vw.born_closed WITH (security_invoker = yes) AS SELECT * FROM vw.stay']) statement;
ALTER DEFAULT PRIVILEGES IN SCHEMA vw REVOKE SELECT ON TABLES FROM regress_pv_analyst;
RESET ROLE;
-- a superuser's view is a way as well; of whoever may not read the table it is none
CREATE VIEW vw.supers AS SELECT * FROM vw.stay;
GRANT SELECT ON vw.supers TO regress_pv_owner;
SELECT pg_temp.try('GRANT SELECT ON vw.supers TO regress_pv_analyst');
SET ROLE regress_pv_second;
CREATE VIEW vw.seconds AS SELECT * FROM vw.stay;
GRANT SELECT ON vw.seconds TO PUBLIC;
RESET ROLE;
SELECT pg_temp.try('ALTER VIEW vw.seconds OWNER TO regress_pv_owner');

-- the guard answers through the views that are left
SET ROLE regress_pv_analyst;
SET privacct.epsilon = 1000;
SELECT pg_temp.try('SELECT * FROM vw.plain'), pg_temp.try('SELECT ward FROM vw.part');
SELECT round(count(*)) FROM vw.plain;
SELECT ward, round(count(*)) FROM vw.outer_one GROUP BY ward ORDER BY ward;
SELECT round(count(*)) FROM vw.seconds;
RESET ROLE;

-- what others break is nobody else's business, and what one breaks oneself is told
SET ROLE regress_pv_second;
CREATE TABLE vw.mine (id int PRIMARY KEY);
GRANT SELECT ON vw.mine TO regress_pv_analyst;
RESET ROLE;
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
GRANT SELECT ON vw.supers TO regress_pv_analyst;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
SET ROLE regress_pv_second;
GRANT INSERT ON vw.mine TO regress_pv_analyst;
CREATE TABLE vw.another (id int);
RESET ROLE;
SET ROLE regress_pv_owner;
SELECT pg_temp.try($$ALTER TABLE vw.stay ADD COLUMN note text$$);
-- unprotect() and DROP EXTENSION leave nothing open
SELECT pg_temp.try($$SELECT privacct.unprotect('vw.stay')$$);
RESET ROLE;
SELECT pg_temp.try('SET LOCAL privacct.allow_drop_extension = on; DROP EXTENSION privacct CASCADE');
REVOKE SELECT ON vw.supers FROM regress_pv_analyst;
SET ROLE regress_pv_owner;
SELECT privacct.unprotect('vw.stay');
SET ROLE regress_pv_analyst;
SELECT v, pg_temp.try(format('SELECT count(*) FROM vw.%I', v)) FROM unnest('{stay,stay_1,plain,inner_one,outer_one,part,copy,kept,supers,seconds,born_closed}'::text[]) v;
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA vw CASCADE;
DROP OWNED BY regress_pv_owner, regress_pv_second, regress_pv_analyst, regress_pv_member;
DROP ROLE regress_pv_member, regress_pv_owner, regress_pv_second, regress_pv_analyst;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
