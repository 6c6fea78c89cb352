--
-- Tables of the extension that do not keep what is written to them.
--
-- What is written is lost in a crash, is not what was written, or is not all that is
-- read: then what was spent is forgotten without a row that anybody wrote to.
--

CREATE VIEW privacct._meddled AS
SELECT c.oid AS relation, 'is not logged' AS problem, pg_catalog.format('ALTER %s %s SET LOGGED', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::pg_catalog.regclass) AS remedy
FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind IN ('r', 'S') AND c.relpersistence <> 'p'
	AND c.relname NOT IN ('likelihood_copy', 'owner_state_copy', 'owner_state_copy_at')		-- made so: without them answers are gone through
UNION ALL
SELECT i.inhparent, 'has children', pg_catalog.format('ALTER TABLE %s NO INHERIT %s', i.inhrelid::pg_catalog.regclass, i.inhparent::pg_catalog.regclass)
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhparent WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'r'
UNION ALL
SELECT r.ev_class, 'has rules', pg_catalog.format('DROP RULE %I ON %s', r.rulename, r.ev_class::pg_catalog.regclass)
FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'r'
UNION ALL
SELECT t.tgrelid, 'has triggers that may change its rows', pg_catalog.format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::pg_catalog.regclass)
FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND NOT t.tgisinternal AND t.tgtype & 3 = 3 AND f.pronamespace <> c.relnamespace		-- before, each row
UNION ALL
SELECT c.oid, 'is not of the extension', pg_catalog.format('DROP TABLE %s', c.oid::pg_catalog.regclass)
FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind IN ('r', 'p', 'f')
AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e');
COMMENT ON VIEW privacct._meddled IS 'tables of the extension that do not keep what is written to them, and what mends it';
REVOKE ALL ON privacct._meddled FROM PUBLIC;

CREATE FUNCTION privacct._refuse_meddling(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	m record;
BEGIN
	SELECT d.relation::regclass AS relation, d.problem, d.remedy INTO m FROM privacct._meddled d WHERE d.relation = ANY (touched) LIMIT 1;
	IF FOUND AND current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' THEN
		RAISE EXCEPTION 'tables of the extension cannot be altered'
			USING ERRCODE = '42501', DETAIL = format('Then %s %s: what was spent might be forgotten.', m.relation, m.problem),
				  HINT = 'Indexes may be rebuilt, tables vacuumed and moved to another tablespace.  To have rows elsewhere, copy them with an AFTER trigger.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_meddling(oid[]) IS 'refuses what makes tables of the extension forget';

CREATE FUNCTION privacct._on_own_meddling() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF tg_tag = 'ALTER TABLE' AND current_setting('privacct.queue_size', true) IS NOT NULL THEN
		IF privacct._is_unconcerned() THEN
			RETURN;
		END IF;
	END IF;
	PERFORM privacct._refuse_meddling(ARRAY(
		SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass
		UNION ALL SELECT t.tgrelid FROM pg_event_trigger_ddl_commands() c JOIN pg_trigger t ON c.classid = 'pg_trigger'::regclass AND t.oid = c.objid
		UNION ALL SELECT r.ev_class FROM pg_event_trigger_ddl_commands() c JOIN pg_rewrite r ON c.classid = 'pg_rewrite'::regclass AND r.oid = c.objid));
END
$$;
COMMENT ON FUNCTION privacct._on_own_meddling() IS 'refuses what makes tables of the extension forget';
CREATE EVENT TRIGGER privacct_own_meddling ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'ALTER SEQUENCE', 'CREATE TRIGGER', 'CREATE RULE') EXECUTE FUNCTION privacct._on_own_meddling();
ALTER EVENT TRIGGER privacct_own_meddling ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_meddling IS 'refuses what makes tables of the extension forget';

-- Before it is done: rows that are written anew pass no trigger.
CREATE FUNCTION privacct._on_own_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' AND pg_event_trigger_table_rewrite_reason() & 4 <> 0
		AND EXISTS (SELECT FROM pg_class c WHERE c.oid = pg_event_trigger_table_rewrite_oid() AND c.relnamespace = 'privacct'::regnamespace) THEN
		RAISE EXCEPTION 'tables of the extension cannot be altered'
			USING ERRCODE = '42501', DETAIL = 'A column of another type may have other values: what was spent might be forgotten.',
				  HINT = 'Indexes may be rebuilt, tables vacuumed and moved to another tablespace.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_rewrite() IS 'refuses to write columns of the extension''s tables anew';
CREATE EVENT TRIGGER privacct_own_rewrite ON table_rewrite EXECUTE FUNCTION privacct._on_own_rewrite();
ALTER EVENT TRIGGER privacct_own_rewrite ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_rewrite IS 'refuses to write columns of the extension''s tables anew';
REVOKE ALL ON FUNCTION privacct._refuse_meddling(oid[]), privacct._on_own_meddling(), privacct._on_own_rewrite() FROM PUBLIC;
