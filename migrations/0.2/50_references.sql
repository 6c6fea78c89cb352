--
-- Tables and roles that may be absent when a dump is restored.
--
-- A regclass or regrole of which there is no table or role fails, and with it the
-- whole COPY: one missing role would lose the accounts of all.  These types look and
-- compare like them, and read such a name as a number that nothing has.
--

CREATE TYPE privacct.table_reference;
CREATE FUNCTION privacct._table_reference_in(cstring) RETURNS privacct.table_reference
	AS 'MODULE_PATHNAME', 'pa_table_reference_in' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._table_reference_out(privacct.table_reference) RETURNS cstring AS 'regclassout' LANGUAGE internal STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._table_reference_send(privacct.table_reference) RETURNS bytea AS 'regclasssend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._table_reference_recv(internal) RETURNS privacct.table_reference AS 'regclassrecv' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE privacct.table_reference (INPUT = privacct._table_reference_in, OUTPUT = privacct._table_reference_out,
	SEND = privacct._table_reference_send, RECEIVE = privacct._table_reference_recv, LIKE = pg_catalog.oid);
COMMENT ON TYPE privacct.table_reference IS 'as regclass; the name of a table that is not there is read as a number that no table has';
COMMENT ON FUNCTION privacct._table_reference_in(cstring) IS 'reads a table_reference';
COMMENT ON FUNCTION privacct._table_reference_out(privacct.table_reference) IS 'writes a table_reference';
COMMENT ON FUNCTION privacct._table_reference_send(privacct.table_reference) IS 'writes a table_reference in binary';
COMMENT ON FUNCTION privacct._table_reference_recv(internal) IS 'reads a table_reference in binary';

CREATE TYPE privacct.role_reference;
CREATE FUNCTION privacct._role_reference_in(cstring) RETURNS privacct.role_reference
	AS 'MODULE_PATHNAME', 'pa_role_reference_in' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._role_reference_out(privacct.role_reference) RETURNS cstring AS 'regroleout' LANGUAGE internal STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._role_reference_send(privacct.role_reference) RETURNS bytea AS 'regrolesend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION privacct._role_reference_recv(internal) RETURNS privacct.role_reference AS 'regrolerecv' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE privacct.role_reference (INPUT = privacct._role_reference_in, OUTPUT = privacct._role_reference_out,
	SEND = privacct._role_reference_send, RECEIVE = privacct._role_reference_recv, LIKE = pg_catalog.oid);
COMMENT ON TYPE privacct.role_reference IS 'as regrole; the name of a role that is not there is read as a number that no role has';
COMMENT ON FUNCTION privacct._role_reference_in(cstring) IS 'reads a role_reference';
COMMENT ON FUNCTION privacct._role_reference_out(privacct.role_reference) IS 'writes a role_reference';
COMMENT ON FUNCTION privacct._role_reference_send(privacct.role_reference) IS 'writes a role_reference in binary';
COMMENT ON FUNCTION privacct._role_reference_recv(internal) IS 'reads a role_reference in binary';

CREATE FUNCTION privacct._absent(role name) RETURNS oid AS 'MODULE_PATHNAME', 'pa_absent_role' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._absent(name) IS 'the number that stands for a role of that name where there is none';

CREATE CAST (privacct.table_reference AS oid) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (privacct.table_reference AS regclass) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (oid AS privacct.table_reference) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (regclass AS privacct.table_reference) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (privacct.role_reference AS oid) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (privacct.role_reference AS regrole) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (oid AS privacct.role_reference) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE CAST (regrole AS privacct.role_reference) WITHOUT FUNCTION AS ASSIGNMENT;

-- Views depend on the types of the columns that they read: they are made again as they were.
CREATE FUNCTION privacct._take_views() RETURNS text[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	v record;
	views text[] := '{}';
	again text[] := '{}';
BEGIN
	FOR v IN
		WITH RECURSIVE below(view, other) AS (
			SELECT w.ev_class, d.refobjid FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class AND c.relnamespace = 'privacct'::regnamespace
			JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class
			JOIN pg_class o ON o.oid = d.refobjid AND o.relkind = 'v'),
		depth(view, n) AS (
			SELECT c.oid, 0 FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind = 'v'
			UNION SELECT b.view, d.n + 1 FROM depth d JOIN below b ON b.other = d.view)
		SELECT d.view::regclass AS name, max(d.n) AS n, c.reloptions, pg_get_viewdef(d.view) AS definition, obj_description(d.view, 'pg_class') AS remark,
			EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee = 0) AS for_all
		FROM depth d JOIN pg_class c ON c.oid = d.view GROUP BY d.view, c.reloptions, c.relacl ORDER BY 2, d.view
	LOOP
		views := views || v.name::text;
		again := again || format('CREATE VIEW %s %s AS %s', v.name, 'WITH (' || array_to_string(v.reloptions, ', ') || ')', v.definition)
			|| format('COMMENT ON VIEW %s IS %L', v.name, v.remark)
			|| format('REVOKE ALL ON %s FROM PUBLIC', v.name);
		IF v.for_all THEN
			again := again || format('GRANT SELECT ON %s TO PUBLIC', v.name);
		END IF;
	END LOOP;
	EXECUTE 'DROP VIEW ' || array_to_string(views, ', ');
	RETURN again;
END
$$;
DO $$
DECLARE
	again pg_catalog.text[] := privacct._take_views();
	made pg_catalog.text;
BEGIN
	ALTER TABLE privacct.policy ALTER relation TYPE privacct.table_reference;
	ALTER TABLE privacct.public_table ALTER relation TYPE privacct.table_reference;
	ALTER TABLE privacct.public_fanout ALTER relation TYPE privacct.table_reference;
	ALTER TABLE privacct.quota ALTER role TYPE privacct.role_reference;
	ALTER TABLE privacct.account ALTER role TYPE privacct.role_reference;
	ALTER TABLE privacct.slot ALTER role TYPE privacct.role_reference;
	FOREACH made IN ARRAY again LOOP
		EXECUTE made;
	END LOOP;
END
$$;

--
-- Rows of tables and roles that are not there
--

CREATE FUNCTION privacct._without_table() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.relation <> 0 AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = NEW.relation) THEN
		NEW.relation := 0::oid;
		NEW.closed_at := coalesce(NEW.closed_at, now());
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._without_table() IS 'closes the policy of a table that a restore does not bring; its charges stay';
CREATE TRIGGER without_table BEFORE INSERT ON privacct.policy FOR EACH ROW EXECUTE FUNCTION privacct._without_table();
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER without_table;
COMMENT ON TRIGGER without_table ON privacct.policy IS 'closes the policy of a table that a restore does not bring; its charges stay';

CREATE FUNCTION privacct._skip_absent_table() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN CASE WHEN EXISTS (SELECT FROM pg_class c WHERE c.oid = NEW.relation) THEN NEW END;
END
$$;
COMMENT ON FUNCTION privacct._skip_absent_table() IS 'leaves out rows of tables that do not exist';
CREATE TRIGGER skip_absent_table BEFORE INSERT ON privacct.public_table FOR EACH ROW EXECUTE FUNCTION privacct._skip_absent_table();
CREATE TRIGGER skip_absent_table BEFORE INSERT ON privacct.public_fanout FOR EACH ROW EXECUTE FUNCTION privacct._skip_absent_table();
COMMENT ON TRIGGER skip_absent_table ON privacct.public_table IS 'leaves out rows of tables that do not exist';
COMMENT ON TRIGGER skip_absent_table ON privacct.public_fanout IS 'leaves out rows of tables that do not exist';

-- What was dropped before the dump stays out; what has a name may come.
CREATE OR REPLACE FUNCTION privacct._skip_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role = 0::regrole OR NEW.role::oid::bigint >= 3221225472 OR EXISTS (SELECT FROM pg_roles r WHERE r.oid = NEW.role) THEN
		RETURN NEW;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._skip_unknown_role() IS 'leaves out rows of roles that were dropped';

CREATE OR REPLACE FUNCTION privacct._forget_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role IS NOT NULL AND NEW.role::oid::bigint < 3221225472 AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = NEW.role) THEN
		NEW.role := 0::oid;
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._forget_unknown_role() IS 'makes a slot of a role that was dropped nobody''s';

REVOKE ALL ON FUNCTION privacct._table_reference_in(cstring), privacct._table_reference_out(privacct.table_reference), privacct._table_reference_send(privacct.table_reference),
	privacct._table_reference_recv(internal), privacct._role_reference_in(cstring), privacct._role_reference_out(privacct.role_reference),
	privacct._role_reference_send(privacct.role_reference), privacct._role_reference_recv(internal), privacct._absent(name), privacct._without_table(), privacct._skip_absent_table() FROM PUBLIC;
