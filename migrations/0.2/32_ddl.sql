-- What a command changed is checked, and nothing else: a policy in disorder is an
-- error of who works on its tables, not of everybody.

CREATE FUNCTION privacct._granted(command pg_ddl_command) RETURNS oid[]
	AS 'MODULE_PATHNAME', 'pa_granted' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._granted(pg_ddl_command) IS 'tables that a GRANT is about';

CREATE FUNCTION privacct._relations_near(touched oid[]) RETURNS oid[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE base(member) AS (		-- and what these read by their rules
		SELECT unnest(touched)
		UNION
		SELECT d.refobjid FROM base b JOIN pg_rewrite w ON w.ev_class = b.member
		JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass),
	linked(member) AS (						-- and what foreign keys connect with these
		SELECT member FROM base
		UNION
		SELECT unnest(ARRAY[k.conrelid, k.confrelid]) FROM base b
		JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = b.member AND d.classid = 'pg_constraint'::regclass
		JOIN pg_constraint k ON k.oid = d.objid AND k.contype = 'f'),
	up(member) AS (
		SELECT member FROM linked UNION SELECT i.inhparent FROM up u JOIN pg_inherits i ON i.inhrelid = u.member),
	down(member) AS (
		SELECT member FROM linked UNION SELECT i.inhrelid FROM down d JOIN pg_inherits i ON i.inhparent = d.member)
	SELECT array_agg(n.member ORDER BY n.member) FROM (SELECT member FROM up UNION SELECT member FROM down) n
$$;
COMMENT ON FUNCTION privacct._relations_near(oid[]) IS 'tables whose policies a change of these relations may undermine';

-- A declaration and a grant that are made at the same time do not see each other.
CREATE FUNCTION privacct._hold_grants(relation regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_grants' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_grants(regclass) IS 'waits for grants that may concern the table and holds others back until the end of the transaction';

CREATE FUNCTION privacct._hold_declarations(relations oid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_declarations' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_declarations(oid[]) IS 'waits for declarations of the tables and holds others back until the end of the transaction';

CREATE FUNCTION privacct._forget_plans(relation regclass) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_forget_plans' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._forget_plans(regclass) IS 'lets every session plan anew what reads the table';

CREATE OR REPLACE FUNCTION privacct._lock(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- keeps ALTER and ATTACH away, not readers and writers
	IF EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind IN ('r', 'p')) THEN
		EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', relation);
		PERFORM privacct._hold_grants(relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._lock(regclass) IS 'serialises declarations with each other, with ALTER TABLE and with GRANT';

CREATE OR REPLACE FUNCTION privacct._on_ddl_end() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	touched oid[];
	near oid[];
BEGIN
	IF tg_tag = 'ALTER TABLE' THEN
		PERFORM privacct._follow_rename(c.objid, c.objsubid)
		FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
	END IF;
	touched := ARRAY(
		SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass
		UNION SELECT w.ev_class FROM pg_event_trigger_ddl_commands() c JOIN pg_rewrite w ON w.oid = c.objid WHERE c.classid = 'pg_rewrite'::regclass
		UNION SELECT y.polrelid FROM pg_event_trigger_ddl_commands() c JOIN pg_policy y ON y.oid = c.objid WHERE c.classid = 'pg_policy'::regclass);
	-- in statements of their own, which fail without the library: then nothing can be granted
	IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c WHERE c.command_tag = 'GRANT') THEN
		touched := touched || ARRAY(SELECT unnest(privacct._granted(c.command)) FROM pg_event_trigger_ddl_commands() c WHERE c.command_tag = 'GRANT');
		near := privacct._relations_near(touched);
		PERFORM privacct._hold_declarations(near);
	ELSE
		near := privacct._relations_near(touched);
		IF EXISTS (SELECT FROM pg_class c WHERE c.oid = ANY (touched) AND c.relkind IN ('v', 'm') AND c.relacl IS NOT NULL) THEN
			PERFORM privacct._hold_declarations(near);
		END IF;
	END IF;
	FOR p IN SELECT * FROM privacct.policy q WHERE q.closed_at IS NULL AND q.relation::oid = ANY (near) ORDER BY q.policy_id LOOP
		PERFORM privacct._check_policy(p.relation, p.owner_column);
		PERFORM privacct._check_columns(p);
		IF p.regime = 'local' THEN
			PERFORM privacct._check_single(p.relation, p.owner_column);
		ELSIF p.regime = 'pufferfish' THEN
			PERFORM privacct._check_policy_order(p);
		END IF;
		IF p.regime <> 'central' THEN
			PERFORM privacct._check_sources(p);
		END IF;
	END LOOP;
	-- a view or a foreign key may let others write to a public table, of which its plans know nothing
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN		-- without the library nothing is planned
		PERFORM privacct._forget_plans(t.relation) FROM privacct.public_table t WHERE privacct._writer(t.relation) IS NOT NULL;
	END IF;
END
$$;

DROP EVENT TRIGGER privacct_ddl_end;
CREATE EVENT TRIGGER privacct_ddl_end ON ddl_command_end
	WHEN TAG IN ('GRANT', 'ALTER TABLE', 'ALTER FOREIGN TABLE', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO',
		'CREATE FOREIGN TABLE', 'IMPORT FOREIGN SCHEMA', 'CREATE RULE', 'CREATE POLICY', 'CREATE SCHEMA',
		'CREATE EXTENSION', 'ALTER EXTENSION', 'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW')
	EXECUTE FUNCTION privacct._on_ddl_end();
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_ddl_end IS 'refuses changes that would undermine a policy';

REVOKE ALL ON FUNCTION privacct._granted(pg_ddl_command), privacct._relations_near(oid[]), privacct._forget_plans(regclass),
	privacct._hold_grants(regclass), privacct._hold_declarations(oid[]) FROM PUBLIC;
