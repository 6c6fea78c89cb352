-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Hardening of the system catalog.
--

CREATE OR REPLACE FUNCTION privacct._require_superuser() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user) THEN
		RAISE EXCEPTION 'only a superuser may change privileges on the system catalog' USING ERRCODE = '42501';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._require_superuser() IS 'an error for anybody else';

-- What a later version does not have is taken as if a fresh server gave it to nobody: pg_upgrade would try to take it
-- there, and fail.
CREATE OR REPLACE FUNCTION privacct._as_if_initial(function regprocedure, taken boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET allow_system_table_mods = on AS $$
BEGIN
	DELETE FROM pg_init_privs i WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = function AND i.objsubid = 0;
	INSERT INTO pg_init_privs (objoid, classoid, objsubid, privtype, initprivs)
	SELECT f.oid, 'pg_proc'::regclass, 0, 'i', f.proacl FROM pg_proc f WHERE taken AND f.oid = function
		AND f.proacl IS NOT NULL;
END
$$;
COMMENT ON FUNCTION privacct._as_if_initial(regprocedure, boolean)
	IS 'whether dumps leave the privileges of a function of the catalog aside';

CREATE OR REPLACE FUNCTION privacct.harden_catalog() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	object record;
BEGIN
	PERFORM privacct._require_latest();
	PERFORM privacct._require_superuser();
	FOR object IN SELECT o.kind, o.name, o.identity, j.verdict
		FROM privacct._catalog_objects('public') o JOIN privacct.catalog_object j USING (kind, name)
		WHERE o.kind <> 'column' AND o.usable AND j.verdict NOT IN ('harmless', 'guarded')
		AND (j.verdict <> 'columns' OR has_table_privilege('public', o.identity, 'SELECT'))
	LOOP
		PERFORM privacct._take(object.kind, object.name, object.identity);
		IF object.verdict = 'columns' THEN
			PERFORM privacct._grant_columns(object.identity);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct.harden_catalog()
	IS 'takes away from PUBLIC, in this database, what the system catalog tells about rows and about what is written';

-- After pg_upgrade: what the new server has, and the old one had not.
CREATE OR REPLACE FUNCTION privacct._harden_newer() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._require_latest();
	IF NOT EXISTS (SELECT FROM privacct.catalog_taken) OR has_table_privilege('public', 'pg_class', 'SELECT') THEN
		RETURN;
	END IF;
	PERFORM privacct._take(o.kind, o.name, o.identity)
	FROM privacct._catalog_objects('public') o JOIN privacct.catalog_object j USING (kind, name)
	WHERE o.kind <> 'column' AND o.usable AND j.verdict NOT IN ('harmless', 'guarded', 'columns')
	AND j.first_version IS NOT NULL
	AND NOT EXISTS (SELECT FROM privacct.catalog_taken t WHERE t.kind = o.kind AND t.name = o.name);
END
$$;
COMMENT ON FUNCTION privacct._harden_newer()
	IS 'takes from PUBLIC what a newer server has, where the catalog was hardened on an older one';

-- The ledger's worker calls it when it starts: objects that pg_upgrade brought are the same, and read otherwise.
CREATE OR REPLACE FUNCTION privacct._follow_server() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	PERFORM privacct._require_latest();
	IF EXISTS (SELECT FROM privacct.made m WHERE m.object = 'server'
		AND m.state = (current_setting('server_version_num')::int / 10000)::text) THEN
		RETURN;
	END IF;
	DELETE FROM privacct.made;
	INSERT INTO privacct.made SELECT a.object, a.part_of, a.state FROM privacct._as_is() a;
	PERFORM privacct._harden_newer();
END
$$;
COMMENT ON FUNCTION privacct._follow_server()
	IS 'where pg_upgrade has brought the database to another version: remembers how the extension''s objects read, '
	'and takes from PUBLIC what it has';

CREATE OR REPLACE FUNCTION privacct.soften_catalog() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	PERFORM privacct._require_latest();
	PERFORM privacct._require_superuser();
	PERFORM privacct._give_back(o.kind, o.identity, t.lent)
	FROM privacct.catalog_taken t JOIN privacct._catalog_objects('public') o USING (kind, name);
	DELETE FROM privacct.catalog_taken;
END
$$;
COMMENT ON FUNCTION privacct.soften_catalog() IS 'gives back to PUBLIC what harden_catalog() took';

--
-- Catalog hygiene: what the system catalog says of rows, and of what is written
-- to them, is not noise.  Each object of the catalog has been judged; what tells
-- is taken away from PUBLIC.  Where clients read such values among others, the
-- guard puts in their place what tells nothing: see src/guard/metadata.c.
--

-- What the catalog of this server has, named as in catalog_object, and whether the
-- role (or 'public') may use it.  Immutable functions compute from their arguments.
CREATE OR REPLACE FUNCTION privacct._catalog_objects(role text)
	RETURNS TABLE (kind text, name text, identity text, usable boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT 'function', f.proname || '(' || oidvectortypes(f.proargtypes) || ')', 'pg_catalog.' || quote_ident(f.proname)
		|| '(' || oidvectortypes(f.proargtypes) || ')',
		   has_function_privilege(role, f.oid, 'EXECUTE')
	FROM pg_proc f WHERE f.pronamespace = 'pg_catalog'::regnamespace AND f.provolatile <> 'i'
	UNION ALL
	SELECT 'relation', n.nspname || '.' || c.relname, quote_ident(n.nspname) || '.' || quote_ident(c.relname),
		   has_any_column_privilege(role, c.oid, 'SELECT')
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
	UNION ALL
	SELECT 'column', n.nspname || '.' || c.relname || '.' || a.attname, quote_ident(n.nspname) || '.'
		|| quote_ident(c.relname),
		   has_column_privilege(role, c.oid, a.attnum, 'SELECT')
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
	WHERE EXISTS (SELECT FROM privacct.catalog_object o WHERE o.kind = 'relation' AND o.verdict = 'columns'
		AND o.name = n.nspname || '.' || c.relname)
$$;
COMMENT ON FUNCTION privacct._catalog_objects(text)
	IS 'functions and relations of the system catalog, columns of those judged by columns, and whether the role may '
	'use them';

-- A relation judged by its columns: those are given of which it was found that they tell nothing, but for those
-- that a later version does not have, where a grant would fail; the guard shows them all the same.
CREATE OR REPLACE FUNCTION privacct._grant_columns(relation text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE (SELECT format('GRANT SELECT (%s) ON %s TO PUBLIC', string_agg(quote_ident(a.attname), ', '), relation)
			 FROM pg_attribute a JOIN privacct.catalog_object o ON o.kind = 'column' AND o.name = relation || '.'
				|| a.attname
			 WHERE a.attrelid = relation::regclass AND NOT a.attisdropped AND o.verdict = 'harmless'
			 AND o.last_version IS NULL);
END
$$;
COMMENT ON FUNCTION privacct._grant_columns(text) IS 'gives PUBLIC the columns of a catalog that tell nothing';

-- Where CREATE EXTENSION finds a catalog that is hardened already, as pg_restore --clean
-- leaves it, the rows of the dump come to those that are there.
CREATE OR REPLACE FUNCTION privacct._know_taken() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	UPDATE privacct.catalog_taken t SET lent = NEW.lent OR t.lent WHERE t.kind = NEW.kind AND t.name = NEW.name;
	IF FOUND THEN
		RETURN NULL;
	END IF;
	-- dumps leave it aside
	IF NEW.kind = 'function' AND to_regprocedure('pg_catalog.' || NEW.name) IS NOT NULL
		AND has_function_privilege('public', to_regprocedure('pg_catalog.' || NEW.name), 'EXECUTE') AND EXISTS (
		SELECT FROM privacct.catalog_object o WHERE (o.kind, o.name) = (NEW.kind, NEW.name)
		AND o.last_version IS NOT NULL) THEN
		EXECUTE format('REVOKE EXECUTE ON FUNCTION pg_catalog.%s FROM PUBLIC', NEW.name);
		IF NEW.lent THEN
			EXECUTE format('GRANT EXECUTE ON FUNCTION pg_catalog.%s TO pg_monitor', NEW.name);
		END IF;
		PERFORM privacct._as_if_initial(to_regprocedure('pg_catalog.' || NEW.name), true);
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._know_taken() IS 'lets rows of a dump come to those that are there';

-- Monitoring goes on: what PUBLIC loses, pg_monitor keeps.
CREATE OR REPLACE FUNCTION privacct._take(kind text, name text, identity text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	object text := CASE kind WHEN 'function' THEN 'EXECUTE ON FUNCTION ' ELSE 'SELECT ON ' END || identity;
	lent boolean;
BEGIN
	EXECUTE format('REVOKE %s FROM PUBLIC', object);
	lent := NOT CASE kind WHEN 'function' THEN has_function_privilege('pg_monitor', identity, 'EXECUTE')
		ELSE has_table_privilege('pg_monitor', identity, 'SELECT') END;
	IF lent THEN
		EXECUTE format('GRANT %s TO pg_monitor', object);
	END IF;
	IF kind = 'function' AND EXISTS (SELECT FROM privacct.catalog_object o
		WHERE o.kind = 'function' AND o.name = _take.name AND o.last_version IS NOT NULL) THEN
		PERFORM privacct._as_if_initial(identity::regprocedure, true);
	END IF;
	INSERT INTO privacct.catalog_taken VALUES (kind, name, lent);
END
$$;
COMMENT ON FUNCTION privacct._take(text, text, text) IS 'takes an object of the catalog from PUBLIC';

CREATE OR REPLACE FUNCTION privacct._give_back(kind text, identity text, lent boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	object text := CASE kind WHEN 'function' THEN 'EXECUTE ON FUNCTION ' ELSE 'SELECT ON ' END || identity;
BEGIN
	IF lent THEN
		EXECUTE format('REVOKE %s FROM pg_monitor', object);
	END IF;
	-- revoking from a table takes the columns along
	EXECUTE format('REVOKE %s FROM PUBLIC', object);
	EXECUTE format('GRANT %s TO PUBLIC', object);
	IF kind = 'function' AND EXISTS (SELECT FROM privacct.catalog_object o
		WHERE o.kind = 'function' AND 'pg_catalog.' || o.name = identity AND o.last_version IS NOT NULL) THEN
		PERFORM privacct._as_if_initial(identity::regprocedure, false);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._give_back(text, text, boolean) IS 'gives an object of the catalog back to PUBLIC';

CREATE OR REPLACE FUNCTION privacct.check_hardening(role text DEFAULT 'public')
	RETURNS TABLE (object text, tells text, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT o.kind || ' ' || o.name, j.reason,
		CASE WHEN role = 'public' THEN 'privacct.harden_catalog()' ELSE 'privacct.harden_catalog(), or revoke it' END
	FROM privacct._catalog_objects(role) o JOIN privacct.catalog_object j USING (kind, name)
	WHERE o.usable AND j.verdict NOT IN ('harmless', 'guarded', 'columns')
	UNION ALL
	SELECT o.kind || ' ' || o.name, 'nobody has judged it', 'revoke it, or look for a newer privacct'
	FROM privacct._catalog_objects(role) o WHERE o.usable
	AND NOT EXISTS (SELECT FROM privacct.catalog_object j WHERE j.kind = o.kind AND j.name = o.name)
	UNION ALL
	SELECT 'extension ' || e.extname, 'counters or pages of its own', 'revoke its functions and views'
	FROM pg_extension e
	WHERE e.extname IN ('pg_stat_statements', 'pg_stat_kcache', 'pg_qualstats', 'pg_wait_sampling', 'pg_buffercache',
		'pgstattuple', 'pg_visibility',
		'pg_freespacemap', 'pgrowlocks', 'pageinspect', 'pg_walinspect', 'amcheck', 'file_fdw', 'adminpack')
	AND EXISTS (SELECT FROM pg_depend d JOIN pg_proc f ON f.oid = d.objid
				WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
				AND d.deptype = 'e'
				AND has_function_privilege(role, f.oid, 'EXECUTE'))
	UNION ALL
	SELECT 'role ' || g.rolname, 'what is closed to others', 'revoke it'
	FROM pg_roles g JOIN pg_roles r ON r.rolname = role
	WHERE g.rolname IN ('pg_monitor', 'pg_read_all_data', 'pg_read_all_settings', 'pg_read_all_stats',
		'pg_stat_scan_tables', 'pg_read_server_files',
		'pg_write_server_files', 'pg_execute_server_program', 'pg_checkpoint', 'pg_signal_backend', 'pg_maintain',
		'pg_signal_autovacuum_worker', 'privacct_reader')
	AND NOT r.rolsuper AND pg_has_role(r.oid, g.oid, 'MEMBER')
	UNION ALL
	SELECT 'role ' || g.rolname, 'rows of protected tables that it owns', 'revoke it'
	FROM pg_roles g JOIN pg_roles r ON r.rolname = role
	WHERE NOT r.rolsuper AND g.oid <> r.oid AND pg_has_role(r.oid, g.oid, 'MEMBER')
	AND EXISTS (SELECT FROM privacct.policy p JOIN pg_class c ON c.oid = p.relation WHERE p.closed_at IS NULL
		AND c.relowner = g.oid)
	UNION ALL
	SELECT o.object, 'rows of the protected table ' || p.relation_name || ', which rests on it', o.remedy
	FROM privacct._described_of_others(ARRAY(SELECT q.relation::oid FROM privacct.policy q WHERE q.closed_at IS NULL)) o
	JOIN privacct.policy p ON p.relation = o.relation
	WHERE p.closed_at IS NULL AND (role = 'public' OR pg_has_role(role, o.owner, 'MEMBER'))
	UNION ALL
	SELECT 'ownership of database ' || d.datname,
		'when and where rows of protected tables are written: its owner may rebuild and drop everything in it',
		format('ALTER DATABASE %I OWNER TO another role', d.datname)
	FROM pg_database d JOIN pg_roles r ON r.rolname = role
	WHERE d.datname = current_database() AND NOT r.rolsuper AND pg_has_role(r.oid, d.datdba, 'MEMBER')
	UNION ALL					-- not BYPASSRLS: protected tables have no row security
	SELECT 'attribute ' || a.name || ' of role ' || g.rolname, a.tells, format('ALTER ROLE %I NO%s', g.rolname, a.name)
		|| CASE WHEN g.oid = r.oid THEN '' ELSE ', or revoke the role' END
	FROM pg_roles g JOIN pg_roles r ON r.rolname = role AND pg_has_role(r.oid, g.oid, 'MEMBER')
	CROSS JOIN LATERAL (VALUES (g.rolsuper, 'SUPERUSER', 'everything'),
		(g.rolcreaterole AND NOT g.rolsuper, 'CREATEROLE',
		'all that any other role may see: it can be made a member of each but superusers'),
		(g.rolreplication AND NOT g.rolsuper, 'REPLICATION', 'all rows: it can copy the server and read its WAL'),
		(g.rolcreatedb AND NOT g.rolsuper, 'CREATEDB',
		'counters of all databases, in one of its own that is not hardened; and what is in templates'))
		a(held, name, tells)
	WHERE a.held
	UNION ALL
	SELECT o.object, format('policies and books, or lets change them (%s to %s)', o.privilege,
		privacct._role_name(o.grantee)), o.remedy
	FROM privacct._opened_members() o
	WHERE role = 'public' OR o.grantee = 0 OR pg_has_role(role, o.grantee, 'MEMBER')
	UNION ALL
	SELECT 'event trigger ' || t.evtname, 'what a grant or another command opens: it is not refused',
		format('ALTER EVENT TRIGGER %I ENABLE ALWAYS', t.evtname)
	FROM pg_event_trigger t JOIN pg_depend d ON d.classid = 'pg_event_trigger'::regclass AND d.objid = t.oid
		AND d.deptype = 'e'
	JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	WHERE e.extname = 'privacct' AND t.evtenabled <> 'A'
	UNION ALL
	SELECT 'database ' || d.datname, 'counters of all databases, unless it is hardened too',
		'harden it, or revoke CONNECT'
	FROM pg_database d WHERE d.datallowconn AND d.datname <> current_database()
		AND has_database_privilege(role, d.oid, 'CONNECT')
	UNION ALL
	SELECT 'temporary objects', 'how many transactions and objects the server has made, by xmin and numbers of objects',
		'revoke TEMPORARY on the database'
	WHERE has_database_privilege(role, current_database(), 'TEMPORARY')
	UNION ALL
	SELECT 'objects in schema ' || n.nspname,
		'how many transactions and objects the server has made, by xmin and numbers of objects',
		'revoke CREATE on the schema'
	FROM pg_namespace n WHERE n.nspname !~ '^pg_' AND has_schema_privilege(role, n.oid, 'CREATE')
	UNION ALL
	SELECT 'autovacuum of ' || t, 'that it came, when enough rows were written',
		   format('ALTER TABLE %s SET (autovacuum_enabled = off, toast.autovacuum_enabled = off), and VACUUM ANALYZE '
			'on a schedule', t)
	FROM privacct._autovacuumed() t
	UNION ALL
	SELECT 'schemas of its own',
		'how many transactions and objects the server has made, by xmin and numbers of objects',
		'revoke CREATE on the database'
	WHERE has_database_privilege(role, current_database(), 'CREATE')
$$;
COMMENT ON FUNCTION privacct.check_hardening(text)
	IS 'what the server still tells a role (or everybody: public) about rows or about what others write, and what can '
	'be done about it';

-- What the guard puts in the place of functions.
CREATE OR REPLACE FUNCTION privacct._own_counter(function oid, relation oid) RETURNS bigint LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_counter(oid, oid)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

CREATE OR REPLACE FUNCTION privacct._own_size(function oid, relation oid, fork text) RETURNS bigint LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_size(oid, oid, text)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

CREATE OR REPLACE FUNCTION privacct._own_moment(function oid, relation oid) RETURNS timestamptz LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_moment(oid, oid)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

CREATE OR REPLACE FUNCTION privacct._own_duration(function oid, relation oid) RETURNS float8 LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_duration(oid, oid)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

CREATE OR REPLACE FUNCTION privacct._own_number(function oid, relation oid) RETURNS oid LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_number(oid, oid)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

CREATE OR REPLACE FUNCTION privacct._own_path(function oid, relation oid) RETURNS text LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_of_own_relation';
COMMENT ON FUNCTION privacct._own_path(oid, oid)
	IS 'what the function says of a relation of a role whose privileges the caller has, else null';

DO $$
BEGIN
	EXECUTE format('CREATE FUNCTION privacct._own_sessions(%s) RETURNS SETOF record LANGUAGE C STABLE PARALLEL '
		'RESTRICTED AS %L, %L',
		pg_get_function_arguments('pg_stat_get_activity(int)'::regprocedure), 'MODULE_PATHNAME', 'pa_own_sessions');
END
$$;

COMMENT ON FUNCTION privacct._own_sessions(int)
	IS 'pg_stat_get_activity() of sessions of roles whose privileges the caller has, without waits and transaction '
	'numbers';

CREATE OR REPLACE FUNCTION privacct._own_signal(function oid, pid int, timeout bigint DEFAULT 0) RETURNS boolean
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'pa_own_signal';
COMMENT ON FUNCTION privacct._own_signal(oid, int, bigint)
	IS 'what the function does with a session of a role whose privileges the caller has; other processes are none';

CREATE OR REPLACE FUNCTION privacct._may_ask(relation oid) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask';
COMMENT ON FUNCTION privacct._may_ask(oid)
	IS 'whether the current user holds a budget for the relation: then information_schema lists it';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(name, text, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(name, text, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(name, oid, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(name, oid, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(oid, text, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(oid, text, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(oid, oid, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(oid, oid, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(text, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(text, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';

CREATE OR REPLACE FUNCTION privacct._may_ask_any(oid, text) RETURNS boolean LANGUAGE C
	STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pa_may_ask_any';
COMMENT ON FUNCTION privacct._may_ask_any(oid, text)
	IS 'as has_any_column_privilege(), of SELECT by way of a budget; of the caller''s own roles';
