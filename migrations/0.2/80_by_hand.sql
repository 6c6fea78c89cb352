--
-- Nothing that the extension keeps is changed by hand.
--
-- What was spent is in many tables: not only in sums, but in slots that were used, in
-- answers, in the history of a table, in a promise that becomes larger.  So no table of
-- the extension is updated, emptied or deleted from but by its own functions, which say
-- that they do so.  Rows come as they are: a restore brings them, but to the tables that
-- are not logged.
--
-- This step is after all that create tables and functions.
--

-- The condition is looked at by the server itself: a charge calls no function for this.
CREATE FUNCTION privacct._refuse_by_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'privacct.% cannot be changed by hand', TG_TABLE_NAME
		USING ERRCODE = '42501',
			  DETAIL = 'It is part of the books: what was promised, what was spent, or what that follows from.',
			  HINT = TG_ARGV[0];
END
$$;
COMMENT ON FUNCTION privacct._refuse_by_hand() IS 'keeps the tables of the extension to its functions';
REVOKE ALL ON FUNCTION privacct._refuse_by_hand() FROM PUBLIC;

CREATE OR REPLACE FUNCTION privacct._refuse_loss() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'privacct.% only grows', TG_TABLE_NAME
		USING ERRCODE = '42501',
			  DETAIL = 'It records privacy that is lost, which cannot be taken back.',
			  HINT = 'privacct.check_books() shows what does not agree, and the remedy.';
END
$$;

CREATE OR REPLACE FUNCTION privacct._refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'the ledger is append-only'
		USING ERRCODE = '42501',
			  DETAIL = 'A charge records privacy that is lost; it cannot be taken back.',
			  HINT = 'privacct.check_books() shows what does not agree, and the remedy.';
END
$$;

DO $$
DECLARE
	t record;
	f regprocedure;
BEGIN
	FOR t IN
		SELECT c.relname AS name, CASE c.relpersistence WHEN 'u' THEN 'INSERT OR ' END AS more, coalesce(w.way, 'What was spent stays spent; privacct.check_books() shows what does not agree, and the remedy.') AS way
		FROM pg_class c
		LEFT JOIN (VALUES
			('policy', 'Use privacct.unprotect() and privacct.protect() in one transaction: what was spent is carried over.'),
			('bound', 'Use privacct.set_bounds().'),
			('group_key', 'Use privacct.set_keys().'),
			('quota', 'Use privacct.grant_budget() and privacct.revoke_budget().'),
			('slot', 'Use privacct.plan_budget().'),
			('domain', 'Use privacct.set_domain(), or protect the entries anew.'),
			('public_column', 'Use privacct.set_public(), or protect the entries anew.'),
			('prior', 'privacct.set_priors() declares the next version.'),
			('public_table', 'Use privacct.declare_public() and privacct.drop_public().'),
			('public_fanout', 'Use privacct.declare_public() and privacct.drop_public().'),
			('catalog_object', 'Use privacct.harden_catalog() and privacct.soften_catalog().'),
			('catalog_taken', 'Use privacct.harden_catalog() and privacct.soften_catalog().'),
			('history', 'Protect a table with inherits or fresh, to say what it has to do with another.'),
			('inherited', 'Protect a table with inherits or fresh, to say what it has to do with another.')) w(name, way) ON w.name = c.relname
		WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p')
	LOOP
		EXECUTE format('CREATE TRIGGER only_by_functions BEFORE %sUPDATE OR DELETE OR TRUNCATE ON privacct.%I FOR EACH STATEMENT'
			' WHEN (pg_catalog.current_setting(''privacct.write_books'', true) IS DISTINCT FROM ''on'') EXECUTE FUNCTION privacct._refuse_by_hand(%L)', t.more, t.name, t.way);
		EXECUTE format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER only_by_functions', t.name);
		EXECUTE format('COMMENT ON TRIGGER only_by_functions ON privacct.%I IS %L', t.name, 'keeps the table to the functions of the extension');
	END LOOP;
	FOR f IN SELECT p.oid FROM pg_proc p
		WHERE p.pronamespace = 'privacct'::regnamespace AND p.prosrc ~* '\m(insert\s+into|update|delete\s+from|truncate)\s+privacct\.'
	LOOP
		EXECUTE format('ALTER FUNCTION %s SET privacct.write_books = on', f);
	END LOOP;
END
$$;

-- A plan has no more releases than it was made for.
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.slot FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.slot <> OLD.slot OR NEW.plan_id <> OLD.plan_id OR NEW.used < OLD.used OR NEW.releases > OLD.releases)
	EXECUTE FUNCTION privacct._refuse_loss();
ALTER TABLE privacct.slot ENABLE ALWAYS TRIGGER only_grows;
COMMENT ON TRIGGER only_grows ON privacct.slot IS 'keeps what was spent';

-- Nor are the triggers dropped.
CREATE FUNCTION privacct._on_own_trigger_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	dropped text := (SELECT min(o.object_identity) FROM pg_event_trigger_dropped_objects() o WHERE o.object_type = 'trigger' AND o.address_names[1] = 'privacct');
BEGIN
	IF dropped IS NOT NULL AND current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' THEN
		RAISE EXCEPTION 'trigger % cannot be dropped', dropped
			USING ERRCODE = '42501',
				  DETAIL = 'It protects what was spent, or tells sessions what has changed.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_trigger_drop() IS 'keeps the triggers of the extension''s tables';
REVOKE ALL ON FUNCTION privacct._on_own_trigger_drop() FROM PUBLIC;
CREATE EVENT TRIGGER privacct_own_trigger ON sql_drop WHEN TAG IN ('DROP TRIGGER') EXECUTE FUNCTION privacct._on_own_trigger_drop();
ALTER EVENT TRIGGER privacct_own_trigger ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_own_trigger IS 'keeps the triggers of the extension''s tables';
