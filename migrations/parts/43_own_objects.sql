-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Objects of the extension itself.
--

CREATE OR REPLACE FUNCTION privacct._policy_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'pa_policy_changed' LANGUAGE C;
COMMENT ON FUNCTION privacct._policy_changed()
	IS 'makes every session forget its plans over a table and its copy of the policy';

CREATE OR REPLACE FUNCTION privacct._refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- a publisher may fold its ledger; what it sends makes these books a copy
	IF TG_TABLE_NAME = 'ledger_line' AND TG_LEVEL = 'ROW' AND privacct._by_subscription() THEN
		RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
	END IF;
	RAISE EXCEPTION 'the ledger is append-only'
		USING ERRCODE = '42501',
			  DETAIL = 'A charge records privacy that is lost; it cannot be taken back.',
			  HINT = 'privacct.check_books() shows what does not agree, and the remedy.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_change() IS 'keeps the ledger append-only';

CREATE OR REPLACE FUNCTION privacct._refuse_thaw() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'a version of a prior is frozen'
		USING ERRCODE = '42501',
			  DETAIL = 'What was released under it was promised by it.',
			  HINT = 'privacct.set_priors() declares the next version.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_thaw() IS 'keeps priors and their curves as they were declared';

-- What was dropped before the dump stays out; what has a name may come.
CREATE OR REPLACE FUNCTION privacct._skip_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role = 0::regrole OR NEW.role::oid::bigint >= 3221225472
		OR EXISTS (SELECT FROM pg_roles r WHERE r.oid = NEW.role) THEN
		RETURN NEW;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._skip_unknown_role() IS 'leaves out rows of roles that were dropped';

CREATE OR REPLACE FUNCTION privacct._forget_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role IS NOT NULL AND NEW.role::oid::bigint < 3221225472
		AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = NEW.role) THEN
		NEW.role := 0::oid;
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._forget_unknown_role() IS 'makes a slot of a role that was dropped nobody''s';

CREATE OR REPLACE FUNCTION privacct._administers(relation regclass) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce((SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = relation),
					(SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user))
$$;
COMMENT ON FUNCTION privacct._administers(regclass)
	IS 'true if the current user owns the table; of a dropped table, if superuser';

--
-- Privileges.  Nothing is for PUBLIC but what is listed here.
--

-- Privileges on what belongs to the extension stay what its script made them: its
-- functions believe whom they call, and its tables hold budgets and secrets.
CREATE OR REPLACE FUNCTION privacct._opened_members()
	RETURNS TABLE (classid oid, objid oid, object text, grantee oid, privilege text, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH member AS (
		SELECT d.classid, d.objid, e.extowner FROM pg_extension e
		JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
		WHERE e.extname = 'privacct'),
	relation AS (
		SELECT c.oid, c.relname, c.relacl, c.relowner, m.extowner,
		CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
			coalesce(i.initprivs, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", m.extowner)) AS made
		FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
		LEFT JOIN pg_init_privs i ON i.classoid = m.classid AND i.objoid = c.oid AND i.objsubid = 0
		WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')),
	holding(classid, objid, kind, name, columns, owner, held, made, extowner) AS (
		SELECT 'pg_class'::regclass, r.oid, r.kind, r.oid::regclass::text, '', r.relowner,
			coalesce(r.relacl, acldefault(CASE r.kind WHEN 'SEQUENCE' THEN 's' ELSE 'r' END::"char", r.relowner)),
			r.made, r.extowner
		FROM relation r
		UNION ALL
		SELECT 'pg_class'::regclass, r.oid, r.kind, r.oid::regclass::text, format(' (%I)', a.attname), r.relowner,
		a.attacl, r.made || coalesce(i.initprivs, '{}'), r.extowner
		FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
		LEFT JOIN pg_init_privs i ON i.classoid = 'pg_class'::regclass AND i.objoid = r.oid AND i.objsubid = a.attnum
		UNION ALL
		SELECT 'pg_proc'::regclass, f.oid, 'ROUTINE', f.oid::regprocedure::text, '', f.proowner,
			coalesce(f.proacl, acldefault('f', f.proowner)), coalesce(i.initprivs, acldefault('f', m.extowner)),
			m.extowner
		FROM member m JOIN pg_proc f ON m.classid = 'pg_proc'::regclass AND f.oid = m.objid
		LEFT JOIN pg_init_privs i ON i.classoid = m.classid AND i.objoid = f.oid AND i.objsubid = 0
		UNION ALL					-- not a member: it was there before
		SELECT 'pg_namespace'::regclass, n.oid, 'SCHEMA', quote_ident(n.nspname), '', n.nspowner,
			coalesce(n.nspacl, acldefault('n', n.nspowner)), ARRAY[makeaclitem(0, e.extowner, 'USAGE', false)],
			e.extowner
		FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'privacct')
	SELECT h.classid, h.objid, lower(h.kind) || ' ' || h.name, g.grantee, g.privilege_type || h.columns,
		CASE WHEN g.grantee = h.owner THEN format('ALTER %s %s OWNER TO %s', h.kind, h.name, h.extowner::regrole)
			ELSE format('REVOKE %s%s ON %s %s FROM %s', g.privilege_type, h.columns, h.kind, h.name,
				privacct._role_name(g.grantee)) END
	FROM holding h CROSS JOIN aclexplode(h.held) g
	WHERE g.grantee <> h.extowner AND NOT EXISTS (SELECT FROM pg_roles s WHERE s.oid = g.grantee AND s.rolsuper)
	AND (g.grantee = h.owner OR NOT EXISTS (SELECT FROM aclexplode(h.made) m
		WHERE m.privilege_type = g.privilege_type AND m.grantee IN (0, g.grantee)
		AND (m.is_grantable OR NOT g.is_grantable)))
$$;
COMMENT ON FUNCTION privacct._opened_members()
	IS 'privileges on objects of the extension, and its schema, that its script did not give';

CREATE OR REPLACE FUNCTION privacct._check_members(objects oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	opened record;
BEGIN
	-- by the index of pg_depend; numbers of other catalogs do no harm
	IF NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid IN ('pg_class'::regclass, 'pg_proc'::regclass)
		AND d.objid = ANY (objects)
			AND d.refclassid = 'pg_extension'::regclass)
	   AND 'privacct'::regnamespace <> ALL (objects) THEN
		RETURN;
	END IF;
	SELECT count(*) AS number, (array_agg(o.object ORDER BY o.object))[1] AS object,
		(array_agg(o.remedy ORDER BY o.object, o.remedy))[1] AS remedy,
		string_agg(DISTINCT privacct._role_name(o.grantee), ', ') AS grantees INTO opened
	FROM privacct._opened_members() o WHERE o.objid = ANY (objects);
	IF opened.number > 0 THEN
		RAISE EXCEPTION 'privileges on the objects of privacct cannot be given to others'
			USING ERRCODE = '42PA4',
				  DETAIL = format('%s would have privileges that the extension did not give them on %s%s.',
					opened.grantees, opened.object,
					CASE WHEN opened.number > 1 THEN format(', and %s more', opened.number - 1) ELSE '' END),
				  HINT = format('%s; whoever shall declare tables becomes a member of privacct_admin.', opened.remedy);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_members(oid[])
	IS 'the extension''s objects among these are open to nobody to whom its script did not open them';

-- DROP EXTENSION leaves nothing open that was closed by a policy.
CREATE OR REPLACE FUNCTION privacct._before_drop() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	freed text[] := '{}';
BEGIN
	-- charges wait for the locks that are held by now; what was charged before they were must be seen
	PERFORM privacct._require_read_committed();
	PERFORM privacct._check_may_forget();
	PERFORM privacct._leave_mark();
	FOR p IN SELECT q.* FROM privacct.policy q JOIN pg_class c ON c.oid = q.relation
		WHERE q.closed_at IS NULL ORDER BY q.relation::text
	LOOP
		PERFORM privacct._check_closed(p.relation);
		EXECUTE format('REVOKE SELECT ON %s FROM privacct_reader', p.relation);
		freed := freed || p.relation::text;
	END LOOP;
	IF freed <> '{}' THEN
		RAISE NOTICE 'tables that are no longer protected: %', array_to_string(freed, ', ')
			USING DETAIL = 'Only their owners may read them; views that were granted to others answer "permission '
				'denied".',
				  HINT = 'privacct.uninstall() takes roles, marks and hardening back, too; DROP EXTENSION leaves them.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._before_drop()
	IS 'closes what depends on the extension to be closed; called before it is dropped';

-- What it made outside of its schema goes with it: hardening, marks, roles.  A function may
-- drop the extension that it belongs to; the rest of it needs nothing of the extension.
CREATE OR REPLACE FUNCTION privacct.uninstall() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	marked regclass;
	others text;
	spent boolean := EXISTS (SELECT FROM privacct.history h WHERE privacct._has_spent(h));
	told text := current_setting('client_min_messages');
BEGIN
	PERFORM privacct._require_latest();
	PERFORM privacct.soften_catalog();
	PERFORM privacct._close_edition(p) FROM privacct.policy p WHERE p.closed_at IS NULL;
	PERFORM privacct._remove_edition_triggers();
	DROP EXTENSION privacct;
	-- with a warning if it is done for no function of the extension, which it was just now
	PERFORM set_config('client_min_messages', 'error', true);
	EXECUTE format('ALTER DATABASE %I RESET privacct.dropped_books', current_database());
	FOR marked IN SELECT d.objid FROM pg_shdepend d JOIN pg_roles r ON d.refclassid = 'pg_authid'::regclass
		AND d.refobjid = r.oid
		WHERE r.rolname = 'privacct_reader' AND d.deptype = 'a' AND d.classid = 'pg_class'::regclass
		AND d.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
	LOOP
		EXECUTE format('REVOKE ALL ON %s FROM privacct_reader', marked);
	END LOOP;
	PERFORM set_config('client_min_messages', told, true);
	IF spent THEN
		RAISE WARNING 'nobody will be asked what tables have spent before'
			USING DETAIL = 'Whoever protects one of them again, here or where it is restored, starts from zero: marks '
				'of tables, and that there were books, are taken back, too.';
	END IF;
	BEGIN
		DROP SCHEMA privacct;
	EXCEPTION WHEN dependent_objects_still_exist THEN
		GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
		RAISE NOTICE 'schema "privacct" stays' USING DETAIL = others;
	END;
	-- functions of every other database that has the extension are granted to the first
	BEGIN
		DROP ROLE IF EXISTS privacct_admin, privacct_reader;
	EXCEPTION WHEN dependent_objects_still_exist THEN
		GET STACKED DIAGNOSTICS others = PG_EXCEPTION_DETAIL;
		RAISE NOTICE 'roles privacct_admin and privacct_reader stay'
			USING DETAIL = others,
				  HINT = 'They go with the last database that the extension is uninstalled from, unless something else '
					'was granted to them.';
	END;
END
$$;
COMMENT ON FUNCTION privacct.uninstall()
	IS 'drops the extension, and takes back what it made outside of its schema: for superusers, in every database that '
	'has it';

CREATE OR REPLACE FUNCTION privacct._without_table() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.relation <> 0 AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = NEW.relation) THEN
		NEW.relation := 0::oid;
		NEW.closed_at := coalesce(NEW.closed_at, now());
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._without_table()
	IS 'closes the policy of a table that a restore does not bring; its charges stay';

CREATE OR REPLACE FUNCTION privacct._skip_absent_table() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN CASE WHEN EXISTS (SELECT FROM pg_class c WHERE c.oid = NEW.relation) THEN NEW END;
END
$$;
COMMENT ON FUNCTION privacct._skip_absent_table() IS 'leaves out rows of tables that do not exist';

--
-- Tables of the extension that do not keep what is written to them.
--
-- What is written is lost in a crash, is not what was written, or is not all that is
-- read: then what was spent is forgotten without a row that anybody wrote to.
--

CREATE OR REPLACE FUNCTION privacct._refuse_meddling(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	m record;
BEGIN
	SELECT d.relation::regclass AS relation, d.problem, d.remedy INTO m FROM privacct._meddled d
		WHERE d.relation = ANY (touched) LIMIT 1;
	IF FOUND AND current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' THEN
		RAISE EXCEPTION 'tables of the extension cannot be altered'
			USING ERRCODE = '42501',
				DETAIL = format('Then %s %s: what was spent might be forgotten.', m.relation, m.problem),
				  HINT = 'Indexes may be rebuilt, tables vacuumed and moved to another tablespace.  To have rows '
					'elsewhere, copy them with an AFTER trigger.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_meddling(oid[]) IS 'refuses what makes tables of the extension forget';

CREATE OR REPLACE FUNCTION privacct._on_own_meddling() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF tg_tag ~ 'TABLE' AND current_setting('privacct.queue_size', true) IS NOT NULL THEN
		IF privacct._is_unconcerned() THEN
			RETURN;
		END IF;
	END IF;
	PERFORM privacct._refuse_meddling(ARRAY(
		SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass
		-- the other one of a parent and its child, of a partitioned table and its partition
		UNION ALL SELECT o.relation FROM pg_event_trigger_ddl_commands() c
		CROSS JOIN LATERAL (SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = c.objid
			UNION ALL SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = c.objid) o(relation)
		WHERE c.classid = 'pg_class'::regclass
		UNION ALL SELECT t.tgrelid FROM pg_event_trigger_ddl_commands() c JOIN pg_trigger t
		ON c.classid = 'pg_trigger'::regclass AND t.oid = c.objid
		UNION ALL SELECT r.ev_class FROM pg_event_trigger_ddl_commands() c JOIN pg_rewrite r
		ON c.classid = 'pg_rewrite'::regclass AND r.oid = c.objid));
END
$$;
COMMENT ON FUNCTION privacct._on_own_meddling() IS 'refuses what makes tables of the extension forget';

-- Before it is done: rows that are written anew pass no trigger.
CREATE OR REPLACE FUNCTION privacct._on_own_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' AND pg_event_trigger_table_rewrite_reason()
		& 4 <> 0
		AND EXISTS (SELECT FROM pg_class c WHERE c.oid = pg_event_trigger_table_rewrite_oid()
			AND c.relnamespace = 'privacct'::regnamespace) THEN
		RAISE EXCEPTION 'tables of the extension cannot be altered'
			USING ERRCODE = '42501',
				DETAIL = 'A column of another type may have other values: what was spent might be forgotten.',
				  HINT = 'Indexes may be rebuilt, tables vacuumed and moved to another tablespace.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_rewrite() IS 'refuses to write columns of the extension''s tables anew';

--
-- What keeps the books is as the script made it.
--
-- A table that is renamed and another one in its place, a trigger that is dropped, or
-- one of somebody's own that turns every charge into nothing, a function that is
-- replaced: what was spent is then kept elsewhere, or not at all.  At its end the
-- script writes down what there is (99_made.sql); privacct.check_books() compares.
--

-- Whether triggers are enabled is told apart.  The names in this are those of when it was made:
-- a function of somebody's own is not called instead.
CREATE OR REPLACE FUNCTION privacct._as_is() RETURNS TABLE (object text, part_of text, state text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH member AS MATERIALIZED (
		SELECT d.classid, d.objid FROM pg_extension e
		JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
		WHERE e.extname = 'privacct'
		-- since 17 types of rows and arrays are members, too, which go with what they are of
		AND NOT EXISTS (SELECT FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
			WHERE d.classid = 'pg_type'::regclass AND t.oid = d.objid AND (c.relkind <> 'c' OR t.typcategory = 'A'))),
	relation AS MATERIALIZED (
		SELECT c.*, i.identity AS name, i.type || ' ' || i.identity AS whole FROM member m JOIN pg_class c
		ON m.classid = 'pg_class'::regclass AND c.oid = m.objid
		CROSS JOIN LATERAL pg_identify_object(m.classid, m.objid, 0) i)
	SELECT i.type || ' ' || i.identity, NULL,
		CASE m.classid
			WHEN 'pg_class'::regclass
				-- all that decides what becomes of a row that is written
				THEN (SELECT concat_ws(' ', r.relkind, r.relpersistence, r.relrowsecurity, r.relforcerowsecurity,
				r.relreplident, (SELECT h.amname FROM pg_am h WHERE h.oid = r.relam),
				md5(CASE r.relkind WHEN 'v' THEN pg_get_viewdef(r.oid) END),
				md5((SELECT string_agg(concat_ws(' ', a.attname, a.atttypid::regtype, a.atttypmod, a.attnotnull,
					a.attidentity, a.attgenerated, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid)), ','
					ORDER BY a.attnum) FROM pg_attribute a
					LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
					WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped)),
				-- and whether a dump has its rows
				(SELECT format('dumped %s', e.extcondition[array_position(e.extconfig, r.oid)]) FROM pg_extension e
				WHERE e.extname = 'privacct' AND r.oid = ANY (e.extconfig)),
				(SELECT concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
					s.seqcycle) FROM pg_sequence s WHERE s.seqrelid = r.oid)) FROM relation r WHERE r.oid = m.objid)
			WHEN 'pg_proc'::regclass
				THEN (SELECT md5(concat_ws(' ', p.prosrc, pg_get_function_sqlbody(p.oid), p.probin, p.prosecdef,
				p.prolang, p.provolatile,
				p.proisstrict, p.prorettype::regtype, p.proconfig)) FROM pg_proc p WHERE p.oid = m.objid)
			WHEN 'pg_event_trigger'::regclass
				THEN (SELECT concat_ws(' ', e.evtevent, e.evttags, e.evtfoid::regprocedure) FROM pg_event_trigger e
				WHERE e.oid = m.objid)
			ELSE '' END
	FROM member m CROSS JOIN LATERAL pg_identify_object(m.classid, m.objid, 0) i
	UNION ALL
	SELECT format('trigger %I on %s', t.tgname, r.name), r.whole,
		regexp_replace(pg_get_triggerdef(t.oid), '^.*? ON ', '') || t.tgtype
	FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid JOIN pg_proc f ON f.oid = t.tgfoid
	-- those of one's own that copy rows come after them
	WHERE NOT t.tgisinternal AND (t.tgtype & 66 <> 0 OR f.pronamespace = 'privacct'::regnamespace)
	UNION ALL
	SELECT format('rule %I on %s', w.rulename, r.name), r.whole, w.ev_enabled::text FROM relation r JOIN pg_rewrite w
		ON w.ev_class = r.oid
	UNION ALL
	SELECT format('policy %I on %s', s.polname, r.name), r.whole, '' FROM relation r JOIN pg_policy s
		ON s.polrelid = r.oid
	UNION ALL
	SELECT format('constraint %I on %s', k.conname, r.name), r.whole, pg_get_constraintdef(k.oid) FROM relation r
		JOIN pg_constraint k ON k.conrelid = r.oid
	WHERE k.contype <> 'n'		-- since 18; what the columns say is above
	UNION ALL
	SELECT format('index %I on %s', c.relname, r.name), r.whole,
		concat_ws(' ', md5(pg_get_indexdef(x.indexrelid)), x.indisvalid, x.indisready, x.indislive,
			CASE WHEN EXISTS (SELECT FROM unnest(x.indclass) o(class) WHERE o.class >= 16384)
				THEN 'in another order' END)
	FROM relation r JOIN pg_index x ON x.indrelid = r.oid JOIN pg_class c ON c.oid = x.indexrelid
	UNION ALL
	SELECT format('table %s as a child of %s', i.inhrelid::regclass, i.inhparent::regclass), r.whole, ''
	FROM relation r JOIN pg_inherits i ON r.oid IN (i.inhparent, i.inhrelid) WHERE r.relkind = 'r'
	UNION ALL
	-- what is beside the members: names in functions may find it instead
	SELECT i.type || ' ' || i.identity, NULL, 'no member'
	FROM (SELECT 'pg_class'::regclass, c.oid FROM pg_class c WHERE c.relnamespace = 'privacct'::regnamespace
		AND c.relkind NOT IN ('i', 'I', 't', 'c')
		  UNION ALL SELECT 'pg_proc'::regclass, p.oid FROM pg_proc p WHERE p.pronamespace = 'privacct'::regnamespace
		  UNION ALL SELECT 'pg_type'::regclass, t.oid FROM pg_type t WHERE t.typnamespace = 'privacct'::regnamespace
			AND t.typrelid = 0 AND t.typelem = 0) o(classid, objid)
	CROSS JOIN LATERAL pg_identify_object(o.classid, o.objid, 0) i
	WHERE NOT EXISTS (SELECT FROM member m WHERE m.classid = o.classid AND m.objid = o.objid)
	UNION ALL
	-- what is found whatever the search path is: values of PostgreSQL's types become others
	SELECT 'cast ' || i.identity, NULL, 'no member'
	FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget
		CROSS JOIN LATERAL pg_identify_object('pg_cast'::regclass, c.oid, 0) i
	WHERE c.oid >= 16384 AND s.typnamespace = 'pg_catalog'::regnamespace AND t.typnamespace = 'pg_catalog'::regnamespace
	UNION ALL
	-- other extensions have functions there, but with names of their own
	SELECT i.type || ' ' || i.identity, NULL, 'no member'
	FROM (SELECT 'pg_proc'::regclass, p.oid, EXISTS (SELECT FROM pg_proc o WHERE o.pronamespace = p.pronamespace
			AND o.proname = p.proname AND o.oid < 16384)
		FROM pg_proc p WHERE p.oid >= 16384 AND p.pronamespace = 'pg_catalog'::regnamespace
		UNION ALL SELECT 'pg_operator'::regclass, o.oid, true FROM pg_operator o
		WHERE o.oid >= 16384 AND o.oprnamespace = 'pg_catalog'::regnamespace) o(classid, objid, overloads)
	CROSS JOIN LATERAL pg_identify_object(o.classid, o.objid, 0) i
	WHERE o.overloads OR NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = o.classid AND d.objid = o.objid
		AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e')
	UNION ALL
	-- and PostgreSQL's own, which have the same numbers in every cluster, may be given other names
	SELECT 'catalog ' || o.name, NULL, md5(string_agg(o.described, ',' ORDER BY o.oid))
	FROM (SELECT 'pg_proc' AS name, p.oid, concat_ws(' ', p.proname, p.pronamespace, p.proisstrict, p.prosecdef,
			p.proconfig) AS described FROM pg_proc p
		UNION ALL SELECT 'pg_operator', o.oid, concat_ws(' ', o.oprname, o.oprnamespace) FROM pg_operator o
		UNION ALL SELECT 'pg_type', t.oid, concat_ws(' ', t.typname, t.typnamespace) FROM pg_type t) o
	WHERE o.oid < 10000 GROUP BY o.name
	UNION ALL
	-- all of this reads otherwise on another one
	SELECT 'server', NULL, (current_setting('server_version_num')::int / 10000)::text;
END;
COMMENT ON FUNCTION privacct._as_is()
	IS 'the members of the extension, what belongs to its tables, what else is in its schema, and casts, functions and '
	'operators that its functions would use';

-- Where nothing is as it was left, whoever did that is told, and whoever goes on; where all is, nobody.
CREATE OR REPLACE FUNCTION privacct._warn_of_changes(changed text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	problems text[] := ARRAY(SELECT d.problem FROM privacct.object_discrepancy d ORDER BY 1);
BEGIN
	IF changed IS NULL AND problems = '{}' THEN
		RETURN;
	END IF;
	PERFORM privacct._note_hand('what keeps the books', coalesce(changed, concat_ws('; ', problems[1], problems[2])));
	RAISE WARNING 'what keeps the books of privacct was changed%', coalesce(': ' || changed, '')
		USING DETAIL = concat_ws(' ', 'What tables have spent might be forgotten.', nullif(concat_ws('; ',
			problems[1], problems[2], problems[3],
			CASE WHEN cardinality(problems) > 3 THEN format('and %s more', cardinality(problems) - 3) END), '') || '.'),
			HINT = 'Undo it, and look at privacct.check_books().';
END
$$;
COMMENT ON FUNCTION privacct._warn_of_changes(text)
	IS 'tells of what was changed, and of all that is not as the script of the extension made it';

CREATE OR REPLACE FUNCTION privacct._may_change_own() RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_may_change_own' LANGUAGE C;
COMMENT ON FUNCTION privacct._may_change_own()
	IS 'true if the commands of an event trigger are about members of the extension, parts of its tables, or what its '
	'functions might find by name';

-- Functions, views and triggers may be another's for a while, and then again what they were.
CREATE OR REPLACE FUNCTION privacct._on_own_change() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	changed text;
	touched boolean;
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		IF NOT privacct._may_change_own() THEN
			RETURN;
		END IF;
	END IF;
	SELECT string_agg(DISTINCT c.object_identity, ', ') FILTER (WHERE NOT c.in_extension
			AND c.object_type IN ('function', 'procedure', 'aggregate', 'view', 'trigger')
			-- those of one's own that copy rows come after them
			AND (o.member AND c.object_type <> 'trigger' OR o.by_trigger)),
		-- not what the script of the extension does
		coalesce(bool_or(c.object_type = 'cast' OR c.schema_name = 'pg_catalog' OR NOT c.in_extension), false)
	INTO changed, touched
	FROM pg_event_trigger_ddl_commands() c
	LEFT JOIN pg_trigger t ON c.classid = 'pg_trigger'::regclass AND t.oid = c.objid
	LEFT JOIN pg_class r ON r.oid = t.tgrelid
	LEFT JOIN pg_proc f ON f.oid = t.tgfoid
	CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM pg_depend d WHERE d.classid = c.classid AND d.objid = c.objid
			AND d.refclassid = 'pg_extension'::regclass
			AND d.refobjid = (SELECT e.oid FROM pg_extension e WHERE e.extname = 'privacct') AND d.deptype = 'e'),
		coalesce(r.relnamespace = 'privacct'::regnamespace AND (t.tgtype & 2 <> 0
			OR f.pronamespace = 'privacct'::regnamespace), false)) o(member, by_trigger);
	IF changed IS NOT NULL OR touched AND current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' THEN
		PERFORM privacct._warn_of_changes(changed);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_change()
	IS 'tells of changes of what keeps the books, and of what its functions might find by name';

CREATE OR REPLACE FUNCTION privacct._on_own_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- of a table that is altered the other one tells
	IF tg_tag !~ '^ALTER' AND EXISTS (SELECT FROM pg_event_trigger_dropped_objects() o WHERE (o.schema_name = 'privacct'
			OR o.address_names[1] = 'privacct') AND o.object_type NOT IN ('trigger', 'toast table', 'type'))
		AND EXISTS (SELECT FROM pg_extension e WHERE e.extname = 'privacct') THEN
		PERFORM privacct._warn_of_changes(NULL);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_drop() IS 'tells of indexes, rules and constraints that keep the books no more';

--
-- Restorable in any order.
--
-- An archive restores the tables of an extension in any order, several at a time, and
-- some of them only: foreign keys between them are no dependencies of the archive.
-- What they would refuse is found by privacct.check_books().
--

--
-- Triggers.  A restore of data only may disable them all and enable them as others are
-- enabled, which in a session with session_replication_role = replica is not at all.
--

CREATE OR REPLACE FUNCTION privacct._on_own_table() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
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
		FROM pg_event_trigger_ddl_commands() c JOIN pg_class r ON c.classid = 'pg_class'::regclass AND r.oid = c.objid
			JOIN pg_trigger g ON g.tgrelid = r.oid JOIN pg_proc f ON f.oid = g.tgfoid
		WHERE r.relnamespace = 'privacct'::regnamespace AND r.relkind IN ('r', 'p') AND NOT g.tgisinternal
			AND f.pronamespace = r.relnamespace AND g.tgenabled IN ('O', 'R')
	LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
		enabled := true;
	END LOOP;
	IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c JOIN pg_class r ON c.classid = 'pg_class'::regclass
		AND r.oid = c.objid JOIN pg_trigger g ON g.tgrelid = r.oid JOIN pg_proc f ON f.oid = g.tgfoid
		WHERE r.relnamespace = 'privacct'::regnamespace AND NOT g.tgisinternal AND f.pronamespace = r.relnamespace
			AND g.tgenabled = 'D') THEN
		PERFORM privacct._note_hand('triggers', 'DISABLE');
		DELETE FROM privacct.kept_loss;
		RAISE WARNING 'triggers that protect what was spent are disabled'
			USING HINT = 'Enable them when you are done, and look at privacct.check_books().';
	END IF;
	IF enabled THEN
		-- what they would have done meanwhile
		UPDATE privacct.policy p SET relation = 0::oid, closed_at = coalesce(p.closed_at, now())
		WHERE p.relation <> 0::oid AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = p.relation);
		PERFORM privacct._note_unwritten();
		DELETE FROM privacct.owner_state_copy_at;
		DELETE FROM privacct.stored_release;
		PERFORM privacct._forget_plans(p.relation) FROM privacct.policy p WHERE p.closed_at IS NULL
			AND current_setting('privacct.queue_size', true) IS NOT NULL;
		PERFORM privacct._settle_accounts();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_table() IS 'triggers of the catalog that are enabled fire always';

--
-- DROP EXTENSION forgets what was spent: not by accident.
--

CREATE OR REPLACE FUNCTION privacct._check_may_forget() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	-- as they are called now
	spent text := (SELECT string_agg(t.called, ', ' ORDER BY t.called) FROM privacct.policy p
		CROSS JOIN LATERAL (SELECT coalesce((SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c
			JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = p.relation), p.relation_name) AS called) t
		WHERE p.closed_at IS NULL
		AND EXISTS (SELECT FROM privacct._paid l WHERE l.policy_id = p.policy_id
		AND (l.epsilon > 0 OR l.delta > 0 OR l.rho > 0)));
BEGIN
	IF spent IS NOT NULL AND NOT coalesce(current_setting('privacct.allow_drop_extension', true)::boolean, false) THEN
		RAISE EXCEPTION 'dropping the extension would forget what protected tables have spent'
			USING ERRCODE = '42PA4',
				  DETAIL = format('Protected, and with charges: %s.', spent),
				  HINT = 'Keep a copy of privacct.ledger; then, as a superuser, SET privacct.allow_drop_extension = '
					'on.';
	ELSIF EXISTS (SELECT FROM privacct.history h WHERE privacct._has_spent(h)) THEN
		RAISE WARNING 'what tables have spent is forgotten'
			USING DETAIL = 'If one of them is protected again, it starts from zero. Whoever protects tables here is '
				'asked for fresh => true, until these books are restored or privacct.accept_books() says that they do '
				'not count.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_may_forget()
	IS 'the extension is not dropped while a policy with charges is open, unless privacct.allow_drop_extension is on';

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

-- The condition is looked at by the server itself: a charge calls no function for this.  What
-- a subscription changes makes these books a copy; an error would stop it for all tables.
CREATE OR REPLACE FUNCTION privacct._refuse_by_hand() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF TG_LEVEL = 'ROW' AND privacct._by_subscription() THEN
		PERFORM privacct._note_arrival(TG_TABLE_NAME, true) WHERE TG_TABLE_NAME <> 'home';	-- which _find_copy sees to
		RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
	END IF;
	RAISE EXCEPTION 'privacct.% cannot be changed by hand', TG_TABLE_NAME
		USING ERRCODE = '42501',
			  DETAIL = 'It is part of the books: what was promised, what was spent, or what that follows from.',
			  HINT = TG_ARGV[0];
END
$$;
COMMENT ON FUNCTION privacct._refuse_by_hand() IS 'keeps the tables of the extension to its functions';

-- Nor are the triggers dropped.
CREATE OR REPLACE FUNCTION privacct._on_own_trigger_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	-- one of somebody's own that copies rows may go, from a table that has all of the extension's
	dropped text := (SELECT min(o.object_identity) FROM pg_event_trigger_dropped_objects() o
		JOIN pg_class c ON c.relnamespace = 'privacct'::regnamespace AND c.relname = o.address_names[2]
		WHERE o.object_type = 'trigger' AND o.address_names[1] = 'privacct'
		AND EXISTS (SELECT FROM privacct.made m CROSS JOIN LATERAL pg_identify_object('pg_class'::regclass, c.oid, 0) i
			WHERE m.part_of = i.type || ' ' || i.identity AND m.object ~ '^trigger '
			AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid
				AND m.object = format('trigger %I on %s', t.tgname, i.identity))));
BEGIN
	IF dropped IS NOT NULL AND current_setting('privacct.write_books', true) IS DISTINCT FROM 'on' THEN
		RAISE EXCEPTION 'trigger % cannot be dropped', dropped
			USING ERRCODE = '42501',
				  DETAIL = 'It protects what was spent, or tells sessions what has changed.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_own_trigger_drop() IS 'keeps the triggers of the extension''s tables';
