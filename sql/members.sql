-- What belongs to the extension stays closed, and what belongs to a protected table
-- (sequences, TOAST) is as closed as the table.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS privacct;
RESET client_min_messages;
CREATE ROLE regress_mb_owner;
CREATE ROLE regress_mb_analyst;
CREATE ROLE regress_mb_super SUPERUSER;
GRANT privacct_admin TO regress_mb_owner;
CREATE SCHEMA mb AUTHORIZATION regress_mb_owner;
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN regexp_replace(format('%s: %s | %s | %s', SQLSTATE, SQLERRM, detail, hint), 'pg_toast_\d+', 'pg_toast_N', 'g');
END
$$;
GRANT EXECUTE ON FUNCTION pg_temp.try(text) TO PUBLIC;
\pset format unaligned
\pset tuples_only on

--
-- members of the extension
--

CREATE VIEW public.mb_members AS
SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
WHERE e.extname = 'privacct' AND d.deptype = 'e';
-- privileges on them, as they are and by default
CREATE VIEW public.mb_held AS
SELECT pg_describe_object(m.classid, m.objid, 0) AS object, a.grantee, a.privilege_type
FROM mb_members m LEFT JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
LEFT JOIN pg_proc f ON m.classid = 'pg_proc'::regclass AND f.oid = m.objid
CROSS JOIN aclexplode(CASE WHEN f.oid IS NULL THEN c.relacl ELSE coalesce(f.proacl, acldefault('f', f.proowner)) END) a
UNION ALL
SELECT pg_describe_object(m.classid, m.objid, t.attnum), a.grantee, a.privilege_type
FROM mb_members m JOIN pg_attribute t ON m.classid = 'pg_class'::regclass AND t.attrelid = m.objid CROSS JOIN aclexplode(t.attacl) a
UNION ALL
SELECT 'schema', a.grantee, a.privilege_type FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a WHERE n.nspname = 'privacct';
CREATE TABLE public.mb_before AS SELECT * FROM mb_held;

SELECT statement, pg_temp.try(statement) ~ '^42PA4.*REVOKE' AS refused FROM unnest(ARRAY[
	'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA privacct TO regress_mb_analyst',
	'GRANT EXECUTE ON ALL ROUTINES IN SCHEMA privacct TO PUBLIC',
	'GRANT ALL ON ALL TABLES IN SCHEMA privacct TO regress_mb_analyst',
	'GRANT SELECT ON ALL TABLES IN SCHEMA privacct, mb TO PUBLIC',
	'GRANT USAGE ON ALL SEQUENCES IN SCHEMA privacct TO regress_mb_analyst',
	'GRANT ALL ON SCHEMA privacct TO regress_mb_analyst',
	'GRANT UPDATE (epsilon) ON privacct.quota TO regress_mb_analyst',
	'GRANT UPDATE ON privacct.quota TO privacct_admin',
	'GRANT EXECUTE ON FUNCTION privacct.dp_count() TO regress_mb_analyst WITH GRANT OPTION',
	'GRANT EXECUTE ON FUNCTION privacct.unprotect TO regress_mb_analyst']) statement;
SELECT pg_temp.try('GRANT EXECUTE ON FUNCTION privacct._unprotect(regrole, regclass) TO regress_mb_analyst');
SELECT pg_temp.try('GRANT SELECT (secret) ON privacct.policy TO PUBLIC');
-- one by one
SELECT c.relkind, pg_temp.try(format('GRANT ALL ON %s TO regress_mb_analyst', c.oid::regclass)) ~ '^42PA4.*REVOKE' AS refused, count(*) > 2 AS many
FROM mb_members m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid WHERE c.relkind IN ('r', 'v', 'S') GROUP BY 1, 2 ORDER BY 1;
SELECT pg_temp.try(format('GRANT EXECUTE ON ROUTINE %s TO regress_mb_analyst', f.oid::regprocedure)) ~ '^42PA4.*REVOKE' AS refused, count(*) > 10 AS many
FROM mb_members m JOIN pg_proc f ON m.classid = 'pg_proc'::regclass AND f.oid = m.objid WHERE f.prosecdef OR f.prosrc = 'pa_declare' GROUP BY 1;
-- owners have all privileges
SELECT statement, pg_temp.try(statement) ~ '^42PA4.*OWNER TO' AS refused FROM unnest(ARRAY[
	'ALTER TABLE privacct.policy OWNER TO regress_mb_analyst',
	'ALTER VIEW privacct.odometer OWNER TO regress_mb_analyst',
	'ALTER SEQUENCE privacct.plan_id_seq OWNER TO regress_mb_analyst',
	'ALTER FUNCTION privacct._unprotect(regrole, regclass) OWNER TO regress_mb_analyst',
	'ALTER ROUTINE privacct._unprotect(regrole, regclass) OWNER TO regress_mb_analyst',
	'ALTER AGGREGATE privacct.dp_count(*) OWNER TO regress_mb_analyst',
	'ALTER SCHEMA privacct OWNER TO regress_mb_analyst']) statement;
-- what everybody has, what the script gave, and what superusers have anyway, may be written down; what was taken may be given back
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY[
	'GRANT USAGE ON SCHEMA privacct TO regress_mb_analyst',
	'GRANT SELECT ON privacct.odometer TO regress_mb_analyst',
	'GRANT SELECT (relation) ON privacct.odometer TO regress_mb_analyst',
	'GRANT EXECUTE ON FUNCTION privacct.unprotect(regclass) TO privacct_admin',
	'GRANT ALL ON privacct.policy TO regress_mb_super',
	'REVOKE EXECUTE ON FUNCTION privacct.preview(text, float8, float8) FROM PUBLIC',
	'GRANT EXECUTE ON FUNCTION privacct.preview(text, float8, float8) TO regress_mb_analyst',
	'GRANT EXECUTE ON FUNCTION privacct.preview(text, float8, float8) TO PUBLIC']) statement;
DROP OWNED BY regress_mb_analyst, regress_mb_super;
TABLE mb_held EXCEPT TABLE mb_before;
TABLE mb_before EXCEPT TABLE mb_held;
SELECT count(*) FROM privacct._opened_members();

--
-- parts of protected tables
--

SET ROLE regress_mb_owner;
CREATE SEQUENCE mb.loose;
CREATE SEQUENCE mb.of_domain;
CREATE SEQUENCE mb.elsewhere;
CREATE DOMAIN mb.numbered AS int DEFAULT nextval('mb.of_domain');
CREATE TABLE mb.stay (stay_id serial, line int GENERATED ALWAYS AS IDENTITY, loose int DEFAULT nextval('mb.loose'), of_domain mb.numbered,
	patient int NOT NULL, note text) PARTITION BY RANGE (stay_id);
CREATE TABLE mb.stay_1 PARTITION OF mb.stay FOR VALUES FROM (0) TO (1000);
CREATE SEQUENCE mb.of_partition;
ALTER TABLE mb.stay_1 ALTER loose SET DEFAULT nextval('mb.of_partition') + 1;
CREATE VIEW mb.counter AS SELECT last_value FROM mb.loose;
-- protect() refuses what is open
GRANT SELECT ON SEQUENCE mb.loose TO regress_mb_analyst;
SELECT pg_temp.try($$SELECT privacct.protect('mb.stay', 'patient')$$);
REVOKE ALL ON mb.loose FROM regress_mb_analyst;
GRANT SELECT ON mb.counter TO regress_mb_analyst;
SELECT pg_temp.try($$SELECT privacct.protect('mb.stay', 'patient')$$);
REVOKE ALL ON mb.counter FROM regress_mb_analyst;
SELECT privacct.protect('mb.stay', 'patient') > 0;
-- afterwards each privilege on each is refused
SELECT privilege, pg_temp.try(format('GRANT %s ON SEQUENCE mb.%I TO %s', privilege, sequence, grantee)) AS outcome
FROM unnest('{stay_stay_id_seq,stay_line_seq,loose,of_domain,of_partition}'::text[]) sequence, unnest('{SELECT,USAGE,UPDATE}'::text[]) privilege, unnest('{regress_mb_analyst,PUBLIC}'::text[]) grantee
ORDER BY sequence, privilege, grantee;
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY[
	'GRANT SELECT ON mb.loose TO regress_mb_analyst',
	'GRANT SELECT ON ALL SEQUENCES IN SCHEMA mb TO regress_mb_analyst',
	'GRANT SELECT ON mb.counter TO regress_mb_analyst',
	'GRANT USAGE ON SEQUENCE mb.elsewhere TO regress_mb_analyst',
	'ALTER TABLE mb.stay ALTER loose SET DEFAULT nextval(''mb.elsewhere'')',
	'ALTER TABLE mb.stay ADD COLUMN more int DEFAULT nextval(''mb.elsewhere'')',
	'ALTER SEQUENCE mb.elsewhere OWNED BY mb.stay.note',
	'ALTER DOMAIN mb.numbered SET DEFAULT nextval(''mb.elsewhere'')',
	'ALTER DEFAULT PRIVILEGES IN SCHEMA mb GRANT SELECT ON SEQUENCES TO regress_mb_analyst',
	'ALTER TABLE mb.stay ADD COLUMN more serial',
	'CREATE SEQUENCE mb.born OWNED BY mb.stay.note',
	'ALTER DEFAULT PRIVILEGES IN SCHEMA mb REVOKE SELECT ON SEQUENCES FROM regress_mb_analyst',
	'ALTER TABLE mb.stay ADD COLUMN more serial']) statement;
RESET ROLE;
SELECT pg_temp.try('ALTER SEQUENCE mb.loose OWNER TO regress_mb_analyst');
-- by superusers: TOAST tables
SELECT reltoastrelid::regclass AS toast FROM pg_class WHERE oid = 'mb.stay_1'::regclass \gset
SELECT pg_temp.try('GRANT SELECT ON ' || :'toast' || ' TO regress_mb_analyst');
SELECT pg_temp.try('GRANT SELECT (chunk_data) ON ' || :'toast' || ' TO PUBLIC');
CREATE VIEW mb.chunks AS SELECT chunk_data FROM :toast;
SELECT pg_temp.try('GRANT SELECT ON mb.chunks TO regress_mb_analyst');
-- what was opened while nothing watched is named, and REVOKE closes it
ALTER EVENT TRIGGER privacct_ddl_end DISABLE;
GRANT SELECT ON SEQUENCE mb.stay_line_seq TO regress_mb_analyst;
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
SELECT pg_temp.try($$SELECT privacct.unprotect('mb.stay')$$);
REVOKE ALL ON mb.stay_line_seq FROM regress_mb_analyst;
SELECT privacct.unprotect('mb.stay');
GRANT SELECT ON SEQUENCE mb.stay_line_seq TO regress_mb_analyst;

SET client_min_messages = warning;
DROP SCHEMA mb CASCADE;
DROP VIEW mb_held, mb_members;
DROP TABLE mb_before;
DROP OWNED BY regress_mb_owner, regress_mb_analyst;
DROP ROLE regress_mb_owner, regress_mb_analyst, regress_mb_super;
-- for the tests that follow
SET client_min_messages = error;
SELECT privacct.accept_books() \g /dev/null
