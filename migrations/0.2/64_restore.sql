--
-- Restorable in any order.
--
-- An archive restores the tables of an extension in any order, several at a time, and
-- some of them only: foreign keys between them are no dependencies of the archive.
-- What they would refuse is found by privacct.check_books().
--

DO $$
DECLARE
	k record;
BEGIN
	FOR k IN SELECT c.conrelid::pg_catalog.regclass AS relation, c.conname FROM pg_catalog.pg_constraint c
		WHERE c.contype = 'f' AND c.connamespace = 'privacct'::pg_catalog.regnamespace
	LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s DROP CONSTRAINT %I', k.relation, k.conname);
	END LOOP;
END
$$;

--
-- Triggers.  A restore of data only may disable them all and enable them as others are
-- enabled, which in a session with session_replication_role = replica is not at all.
--

DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT g.tgrelid::regclass AS relation, g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
		WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p') AND NOT g.tgisinternal AND g.tgenabled <> 'A'
	LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
	END LOOP;
END
$$;

CREATE FUNCTION privacct._on_own_table() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record;
	enabled boolean := false;
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		IF privacct._is_unconcerned() THEN
			RETURN;
		END IF;
	END IF;
	FOR t IN SELECT g.tgrelid::regclass AS relation, g.tgname
		FROM pg_event_trigger_ddl_commands() c JOIN pg_class r ON c.classid = 'pg_class'::regclass AND r.oid = c.objid JOIN pg_trigger g ON g.tgrelid = r.oid
		WHERE r.relnamespace = 'privacct'::regnamespace AND r.relkind IN ('r', 'p') AND NOT g.tgisinternal AND g.tgenabled IN ('O', 'R')
	LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
		enabled := true;
	END LOOP;
	IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c JOIN pg_class r ON c.classid = 'pg_class'::regclass AND r.oid = c.objid JOIN pg_trigger g ON g.tgrelid = r.oid
		WHERE r.relnamespace = 'privacct'::regnamespace AND NOT g.tgisinternal AND g.tgenabled = 'D') THEN
		RAISE WARNING 'triggers that protect what was spent are disabled'
			USING HINT = 'Enable them when you are done, and look at privacct.check_books().';
	END IF;
	IF enabled THEN
		-- what they would have done meanwhile
		UPDATE privacct.policy p SET relation = 0::oid, closed_at = coalesce(p.closed_at, now())
		WHERE p.relation <> 0::oid AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = p.relation);
		PERFORM privacct._note_unwritten();
		DELETE FROM privacct.owner_state_copy_at;
		PERFORM privacct._forget_plans(p.relation) FROM privacct.policy p WHERE p.closed_at IS NULL AND current_setting('privacct.queue_size', true) IS NOT NULL;
		PERFORM privacct._settle_accounts();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_table() IS 'triggers of the catalog that are enabled fire always';
CREATE EVENT TRIGGER privacct_own_table ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION privacct._on_own_table();
ALTER EVENT TRIGGER privacct_own_table ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_table IS 'triggers of the catalog that are enabled fire always';
REVOKE ALL ON FUNCTION privacct._on_own_table() FROM PUBLIC;

-- Primary keys are restored while, or before, the policy is.  Until it is whole the
-- ledger refuses its questions, and there is nothing to check.
CREATE OR REPLACE FUNCTION privacct._check_policy_order(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	order_by name[] := ARRAY(SELECT c.column_name FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.order_position IS NOT NULL ORDER BY c.order_position);
BEGIN
	IF order_by <> '{}' AND EXISTS (SELECT FROM privacct.prior v WHERE v.policy_id = p.policy_id) AND EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id) THEN
		PERFORM privacct._check_order(p.relation, p.owner_column, order_by);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_policy_order(privacct.policy) IS '_check_order of a policy as it was declared, unless it is only half restored';
