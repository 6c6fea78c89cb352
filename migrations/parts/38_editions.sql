-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Editions: between the beginning and the end of one nobody writes to the table.
--

-- A statement is refused whatever it would have done to which rows, and every row by whatever way it comes: a
-- subscription fires no triggers of statements.
CREATE OR REPLACE FUNCTION privacct._refuse_edition() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'table % is of an edition, and cannot be written to', TG_RELID::regclass
		USING ERRCODE = '55000',
			  DETAIL = 'Releases of the edition are repeated for as long as it lasts.',
			  HINT = 'The owner of the protected table can call privacct.end_edition() first.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_edition() IS 'refuses to write to a table that is of an edition';

-- The triggers of a table say themselves of which edition they are: a table that has left the tree, or has come
-- to it, is found by them.
CREATE OR REPLACE FUNCTION privacct._edition_triggers(relation oid)
	RETURNS TABLE (name name, edition text, fires boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	-- before every statement that writes (62), and before every row (31)
	SELECT t.tgname, convert_from(substring(t.tgargs FOR length(t.tgargs) - 1), 'UTF8'),
		t.tgenabled = 'A' AND t.tgtype = CASE t.tgtype & 1 WHEN 0 THEN 62 ELSE 31 END AND t.tgqual IS NULL
			AND t.tgattr = ''
	FROM pg_trigger t
	WHERE t.tgrelid = _edition_triggers.relation AND t.tgfoid = 'privacct._refuse_edition()'::regprocedure
		AND t.tgenabled <> 'D'
$$;
COMMENT ON FUNCTION privacct._edition_triggers(oid) IS 'triggers by which a table refuses to be written to';

CREATE OR REPLACE FUNCTION privacct._freeze(member regclass, edition bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE TRIGGER privacct_edition BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s '
		'FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_edition(%L)', member, edition);
	EXECUTE format('ALTER TABLE ONLY %s ENABLE ALWAYS TRIGGER privacct_edition', member);
	IF EXISTS (SELECT FROM pg_class c WHERE c.oid = member AND c.relkind = 'r') THEN
		EXECUTE format('CREATE OR REPLACE TRIGGER privacct_edition_rows BEFORE INSERT OR UPDATE OR DELETE ON %s '
			'FOR EACH ROW EXECUTE FUNCTION privacct._refuse_edition(%L)', member, edition);
		EXECUTE format('ALTER TABLE ONLY %s ENABLE ALWAYS TRIGGER privacct_edition_rows', member);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._freeze(regclass, bigint) IS 'lets a table refuse to be written to';

-- The triggers stay, disabled: to drop one waits for everybody who has read the table, and whoever comes meanwhile
-- waits, too.
CREATE OR REPLACE FUNCTION privacct._thaw(root oid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record;
	thawed boolean := false;
BEGIN
	FOR t IN SELECT m.member::regclass AS member, e.name FROM privacct._tree(root) m(member)
		CROSS JOIN LATERAL privacct._edition_triggers(m.member) e LOOP
		EXECUTE format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.member, t.name);
		thawed := true;
	END LOOP;
	RETURN thawed;
END
$$;
COMMENT ON FUNCTION privacct._thaw(oid)
	IS 'lets a table, its partitions and children be written to; whether one of them could not';

CREATE OR REPLACE FUNCTION privacct._remove_edition_triggers() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT g.tgrelid::regclass AS member, g.tgname AS name FROM pg_trigger g
		WHERE g.tgfoid = 'privacct._refuse_edition()'::regprocedure AND NOT g.tgisinternal LOOP
		EXECUTE format('DROP TRIGGER %I ON %s', t.name, t.member);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._remove_edition_triggers()
	IS 'takes away what lets tables refuse to be written to, of editions that ended, too';

-- What was released of it is repeated as any other release from then on.
CREATE OR REPLACE FUNCTION privacct._close_edition(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	UPDATE privacct.policy q SET edition = NULL WHERE q.policy_id = p.policy_id AND q.edition IS NOT NULL;
	UPDATE privacct.stored_release s SET expires_at = s.made_at + p.repeat_age
		WHERE s.editions @> ARRAY[p.edition] AND p.repeat_age IS NOT NULL;
	DELETE FROM privacct.stored_release s WHERE s.editions @> ARRAY[p.edition] AND p.repeat_age IS NULL;
$$;
COMMENT ON FUNCTION privacct._close_edition(privacct.policy) IS 'nothing is of the edition of a policy any more';

CREATE OR REPLACE FUNCTION privacct._check_edition_possible(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	foreign_part regclass := (SELECT c.oid::regclass FROM privacct._tree(p.relation) m JOIN pg_class c ON c.oid = m
		WHERE c.relkind NOT IN ('r', 'p') ORDER BY c.oid LIMIT 1);
BEGIN
	IF p.regime <> 'central' THEN
		RAISE EXCEPTION 'table % cannot have editions', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Its regime is %s: only central releases are repeated.', p.regime),
				  HINT = 'Protect the table in the central regime.';
	ELSIF p.edition IS NOT NULL THEN
		RAISE EXCEPTION 'table % is of an edition already', p.relation
			USING ERRCODE = '42PA4', HINT = 'Call privacct.end_edition() first.';
	ELSIF foreign_part IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot have editions', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('%s is a foreign table: others can write to what it stands for.', foreign_part),
				  HINT = 'Detach it, or copy its rows into a table.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_edition_possible(privacct.policy) IS 'whether an edition of a table can begin';

-- Whoever has written to the table holds a lock on it until he commits: LOCK TABLE waits for them all.
CREATE OR REPLACE FUNCTION privacct._begin_edition(caller regrole, relation regclass) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy;
	number bigint;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._check_edition_possible(p);
	EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', relation);
	number := nextval('privacct.edition_seq');
	PERFORM privacct._freeze(m, number) FROM privacct._tree(relation) m;
	UPDATE privacct.policy q SET edition = number WHERE q.policy_id = p.policy_id;
	RETURN number;
END
$$;
COMMENT ON FUNCTION privacct._begin_edition(regrole, regclass) IS 'worker of begin_edition';

CREATE OR REPLACE FUNCTION privacct._end_edition(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._close_edition(p);
	IF NOT privacct._thaw(relation) AND p.edition IS NULL THEN
		RAISE EXCEPTION 'table % is of no edition', relation
			USING ERRCODE = '42PA4', HINT = 'Call privacct.begin_edition() to begin one.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._end_edition(regrole, regclass) IS 'worker of end_edition';

-- All tables of a unit, in one transaction.
CREATE OR REPLACE FUNCTION privacct._begin_edition(caller regrole, unit name) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	u privacct.policy := privacct._lock_unit(caller, unit);
	number bigint;
BEGIN
	SELECT max(privacct._begin_edition(caller, t.relation)) INTO number FROM (SELECT q.relation::regclass AS relation
		FROM privacct.policy q WHERE q.unit = u.policy_id AND q.closed_at IS NULL AND q.edition IS NULL
		AND q.regime = 'central' ORDER BY q.policy_id) t;
	IF number IS NULL THEN
		RAISE EXCEPTION 'unit "%" has no table that is of no edition', unit
			USING ERRCODE = '42PA4', HINT = 'Call privacct.end_edition() first.';
	END IF;
	RETURN number;
END
$$;
COMMENT ON FUNCTION privacct._begin_edition(regrole, name) IS 'worker of begin_edition';

CREATE OR REPLACE FUNCTION privacct._end_edition(caller regrole, unit name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	u privacct.policy := privacct._lock_unit(caller, unit);
	ended bigint;
BEGIN
	SELECT count(privacct._end_edition(caller, t.relation)) INTO ended FROM (SELECT q.relation::regclass AS relation
		FROM privacct.policy q WHERE q.unit = u.policy_id AND q.closed_at IS NULL AND q.edition IS NOT NULL
		ORDER BY q.policy_id) t;
	IF ended = 0 THEN
		RAISE EXCEPTION 'unit "%" has no table that is of an edition', unit
			USING ERRCODE = '42PA4', HINT = 'Call privacct.begin_edition() to begin one.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._end_edition(regrole, name) IS 'worker of end_edition';

-- A restore may bring rows after the policy, before it brings the triggers: which rows an edition had is not known
-- there.  The triggers stay until somebody ends it.
CREATE OR REPLACE FUNCTION privacct._leave_edition() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.edition := NULL;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._leave_edition() IS 'a policy that a restore brings is of no edition';

-- What must be so while an edition lasts, whichever command has changed it.  Which tables it had says the history,
-- which is written after this.
CREATE OR REPLACE FUNCTION privacct._check_edition(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	broken text := (SELECT min(m.member::regclass::text) FROM privacct._tree(p.relation) m(member)
		JOIN pg_class c ON c.oid = m.member
		WHERE (SELECT count(*) FROM privacct._edition_triggers(m.member) e WHERE e.fires
			AND e.edition = p.edition::text) < CASE c.relkind WHEN 'r' THEN 2 ELSE 1 END);
BEGIN
	broken := coalesce(broken, (SELECT min(h.relation_name) FROM privacct.history h
		WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
		AND NOT EXISTS (SELECT FROM privacct._tree(p.relation) m(member) WHERE m.member = h.relation::oid)));
	IF broken IS NOT NULL THEN
		RAISE EXCEPTION 'table % is of an edition, and cannot be changed so', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('%s would come to it or leave it, or could be written to.', broken),
				  HINT = 'Call privacct.end_edition() first.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_edition(privacct.policy)
	IS 'every table of an open edition refuses to be written to, and none has come or gone';

CREATE OR REPLACE FUNCTION privacct._check_editions(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
BEGIN
	PERFORM privacct._check_edition(p) FROM privacct.policy p WHERE p.closed_at IS NULL AND p.edition IS NOT NULL
		AND (EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
				AND h.relation::oid = ANY (touched))
			OR EXISTS (SELECT FROM unnest(touched) t CROSS JOIN LATERAL privacct._ancestors(t) a(relation)
				WHERE a.relation::oid = p.relation::oid));
END
$$;
COMMENT ON FUNCTION privacct._check_editions(oid[]) IS 'the editions of these tables are in order';

CREATE OR REPLACE FUNCTION privacct._check_rewritten(rewritten oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	frozen regclass := (SELECT min(r) FROM unnest(rewritten) r
		WHERE EXISTS (SELECT FROM privacct._edition_triggers(r)));
BEGIN
	IF frozen IS NOT NULL THEN
		RAISE EXCEPTION 'table % is of an edition, and cannot be changed so', frozen
			USING ERRCODE = '42PA4', DETAIL = 'The values of a column would be computed anew.',
				  HINT = 'Call privacct.end_edition() first.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_rewritten(oid[]) IS 'these tables are of no edition';

-- With the latest snapshot also for whoever does not see yet that an edition began.
CREATE OR REPLACE FUNCTION privacct._on_edition_change() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	touched oid[];
	check_by text := CASE tg_event WHEN 'table_rewrite' THEN '_check_rewritten' ELSE '_check_editions' END;
BEGIN
	IF tg_event = 'ddl_command_end' THEN
		touched := ARRAY(SELECT coalesce(t.tgrelid, c.objid) FROM pg_event_trigger_ddl_commands() c
			LEFT JOIN pg_trigger t ON c.classid = 'pg_trigger'::regclass AND t.oid = c.objid
			WHERE c.classid IN ('pg_class'::regclass, 'pg_trigger'::regclass));
	ELSIF tg_event = 'sql_drop' THEN
		touched := ARRAY(SELECT coalesce(c.oid, o.objid) FROM pg_event_trigger_dropped_objects() o
			LEFT JOIN pg_namespace n ON o.object_type = 'trigger' AND n.nspname = o.address_names[1]
			LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = o.address_names[2]
			WHERE o.object_type IN ('table', 'trigger'));
	ELSIF pg_event_trigger_table_rewrite_reason() & 4 <> 0 THEN		-- values of columns are computed anew
		touched := ARRAY[pg_event_trigger_table_rewrite_oid()];
	END IF;
	IF touched = '{}' OR touched IS NULL THEN
		RETURN;
	ELSIF current_setting('privacct.queue_size', true) IS NOT NULL OR privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot(check_by, touched);
	ELSIF tg_event = 'table_rewrite' THEN
		PERFORM privacct._check_rewritten(touched);
	ELSE
		PERFORM privacct._check_editions(touched);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_edition_change() IS 'refuses commands that would change a table of an edition';
