-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables that take another's place.
--

--
-- Tables that were protected in other books.
--
-- A dump of some tables, or a restore of some, leaves the books behind.  So every
-- table that a policy ever covered carries a mark that is dumped with it and that
-- nothing takes away again: privacct_reader may refer to it.  That opens nothing, for
-- the role has no members and no login.  A table that has the mark, and that these
-- books do not know, has spent from a budget that is in others.
--

CREATE OR REPLACE FUNCTION privacct._mark(relation oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE format('GRANT REFERENCES ON %s TO privacct_reader', relation::regclass);
END
$$;
COMMENT ON FUNCTION privacct._mark(oid) IS 'lets a table remember that it was protected';

CREATE OR REPLACE FUNCTION privacct._tell_unmarked(revoked oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	unmarked text := (SELECT string_agg(DISTINCT c.oid::regclass::text, ', ') FROM privacct.history h
		JOIN pg_class c ON c.oid = h.relation JOIN pg_roles r ON r.rolname = 'privacct_reader'
		WHERE (revoked = '{}' OR h.relation = ANY (revoked))
		AND NOT EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee = r.oid
			AND a.privilege_type = 'REFERENCES'));
BEGIN
	IF unmarked IS NOT NULL THEN
		RAISE WARNING 'tables no longer remember that they were protected: %', unmarked
			USING DETAIL = 'Where they are restored without the books they would pass for new ones, which have spent '
				'nothing.',
				  HINT = format('GRANT REFERENCES ON %s TO privacct_reader.', unmarked);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._tell_unmarked(oid[]) IS 'tells of those of some tables, or of all, that have no mark';

CREATE OR REPLACE FUNCTION privacct._on_revoke() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	revoked oid[] := '{}';		-- who knows
BEGIN
	IF tg_tag = 'REVOKE' AND current_setting('privacct.queue_size', true) IS NOT NULL THEN
		revoked := ARRAY(SELECT unnest(privacct._granted(c.command, 'pg_class'::regclass))
			FROM pg_event_trigger_ddl_commands() c WHERE c.command_tag = 'REVOKE');
		IF revoked = '{}' THEN
			RETURN;
		END IF;
	END IF;
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_tell_unmarked', revoked);
	ELSE
		PERFORM privacct._tell_unmarked(revoked);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_revoke() IS 'tells whoever takes the marks of tables that were protected';

CREATE OR REPLACE FUNCTION privacct._ask_of_marks(relation regclass, inherits text, fresh boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	strangers text;
	charged_at text := (SELECT f.charged_at FROM privacct._forgotten f);
BEGIN
	PERFORM privacct._complete_history();
	-- each by itself, or all that have the mark are gone through
	strangers := (SELECT string_agg(s.relation_name, ', ' ORDER BY s.relation_name)
		FROM privacct._tree(_ask_of_marks.relation) m(oid)
		CROSS JOIN LATERAL (SELECT t.relation_name FROM privacct._stranger t WHERE t.relation = m.oid OFFSET 0) s);
	IF strangers IS NOT NULL AND inherits IS NULL AND fresh IS NOT TRUE THEN
		RAISE EXCEPTION 'table % was protected in other books', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('What was spent on it there is not known here: %s.', strangers),
				  HINT = 'Restore the books with the tables, in a database of its own.  If a table in these books has '
					'spent budget on its rows, name it: inherits => ''...''.  If what it has spent is not to count, '
					'use fresh => true, with an epsilon that is smaller by that amount.';
	ELSIF strangers IS NOT NULL THEN		-- what these books know of another table covers nothing of that
		RAISE WARNING 'what % has spent in other books does not count', relation
			USING DETAIL = format('It is not known here: %s.', strangers);
	ELSIF charged_at IS NULL OR NOT EXISTS (SELECT FROM privacct._tree(_ask_of_marks.relation) m(oid)
			WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.relation = m.oid)) THEN
		RETURN;
	ELSIF inherits IS NULL AND fresh IS NOT TRUE THEN
		RAISE EXCEPTION 'table % may have been protected in books that were dropped', relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('The last charge of these was made at %s, and they were not restored.', charged_at),
				  HINT = 'Restore them in place, or in a database of its own.  Or use fresh => true, with an epsilon '
					'that is smaller by what was spent on these persons.  If it counts for no table any more, a '
					'superuser says so once: SELECT privacct.accept_books().';
	ELSE
		RAISE WARNING 'what % has spent in books that were dropped does not count', relation
			USING DETAIL = format('The last charge of these was made at %s, and they were not restored.', charged_at);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._ask_of_marks(regclass, text, boolean)
	IS 'asks whoever protects a table what became of the books that it was protected in';

CREATE OR REPLACE FUNCTION privacct._check_no_stranger(p privacct.policy, member regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct._stranger s WHERE s.relation = member) THEN
		RAISE EXCEPTION 'table % was protected in other books', member
			USING ERRCODE = '42PA4',
				  DETAIL = format('What was spent on it there is not in the account of %s.', p.relation),
				  HINT = format('In one transaction: SELECT privacct.unprotect(%1$L); then this statement; then SELECT '
					'privacct.protect(%1$L, ...) with fresh => true, and with an epsilon that is smaller by what it '
					'has spent. Or load its rows into a table without a history.', p.relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_no_stranger(privacct.policy, regclass)
	IS 'no table comes under an open policy that has spent from a budget in other books';

--
-- A table that takes another's place.
--
-- Nothing tells the database whether a table with the name of another, in whatever
-- schema, or with its columns, holds the rows of the same persons: a new version of
-- it, a copy, what was loaded again after a drop.  Whoever protects it says so.  That
-- is asked of all that have spent and of all that are protected, for these spend later.
--

-- Names without their schemas, and lists of columns, which may be longer than an index takes.
CREATE OR REPLACE FUNCTION privacct._bare_names(names text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT replace(regexp_replace((regexp_match(n, '("(?:[^"]|"")*"|[^."]*)$'))[1], '^"(.*)"$', '\1'),
		'""', '"') FROM unnest(names) n)
$$;
COMMENT ON FUNCTION privacct._bare_names(text[]) IS 'qualified names without their schemas';

-- A tool that quotes names makes them of other cases.
CREATE OR REPLACE FUNCTION privacct._lower(names text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT lower(n COLLATE "C") AS name FROM unnest(names) n ORDER BY name)
$$;
COMMENT ON FUNCTION privacct._lower(text[]) IS 'names as they are looked up';

CREATE OR REPLACE FUNCTION privacct._hashes(lists text[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT hashtextextended(privacct._lower(l::text[])::text, 0) FROM unnest(lists) l)
$$;
COMMENT ON FUNCTION privacct._hashes(text[]) IS 'lists of columns as they are looked up';

-- Names that were told beside a value of type name have its collation, not that of texts.
CREATE OR REPLACE FUNCTION privacct._called(names text[], column_lists text[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.* FROM privacct.history h
	WHERE privacct._lower(privacct._bare_names(h.names)) && privacct._lower(_called.names) COLLATE "C"
		OR privacct._hashes(h.column_lists) && privacct._hashes(_called.column_lists)
$$;
COMMENT ON FUNCTION privacct._called(text[], text[])
	IS 'histories of tables that had one of these names, in whatever schema and case, or lists of columns';

CREATE OR REPLACE FUNCTION privacct._describe_called(names text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	PERFORM privacct._describe_again(ARRAY(SELECT h.relation::oid FROM privacct._called(_describe_called.names, '{}') h
		UNION SELECT c.oid FROM pg_class c WHERE c.relname = ANY (_describe_called.names::name[])));
END
$$;
COMMENT ON FUNCTION privacct._describe_called(text[])
	IS '_describe_again of what has one of these names, or had it: also what was renamed while no trigger was there';

CREATE OR REPLACE FUNCTION privacct._has_spent(h privacct.history) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT EXISTS (SELECT FROM privacct._spent_under(ARRAY[h]) s
		WHERE s.epsilon > 0 OR s.delta > 0 OR s.rho > 0 OR s.releases > 0)
$$;
COMMENT ON FUNCTION privacct._has_spent(privacct.history)
	IS 'true if something was charged to a table, under the policy or before';

-- They were asked together, one of them started from what the other had spent, or it was said that it does not.
CREATE OR REPLACE FUNCTION privacct._is_told(filled oid, source oid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
	SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
	WITH one AS MATERIALIZED (SELECT h.policy_id FROM privacct._family(filled) m(oid)
			JOIN privacct.history h ON h.relation = m.oid),
	other AS MATERIALIZED (SELECT h.policy_id FROM privacct._family(source) m(oid)
			JOIN privacct.history h ON h.relation = m.oid),
	paying AS MATERIALIZED (SELECT o.policy_id FROM other o UNION SELECT privacct._books_of(o.policy_id) FROM other o),
	paid AS MATERIALIZED (SELECT o.policy_id FROM one o UNION SELECT privacct._books_of(o.policy_id) FROM one o)
	SELECT EXISTS (SELECT FROM paid JOIN paying USING (policy_id))
		OR EXISTS (SELECT FROM paid p JOIN privacct.inherited i ON i.policy_id = p.policy_id
			JOIN paying s ON s.policy_id = i.source)
		OR EXISTS (SELECT FROM paying s JOIN privacct.inherited i ON i.policy_id = s.policy_id
			JOIN paid p ON p.policy_id = i.source)
		OR EXISTS (SELECT FROM paid p JOIN privacct.unrelated u ON u.policy_id = p.policy_id
			JOIN paying s ON s.policy_id = u.source)
		OR EXISTS (SELECT FROM paying s JOIN privacct.unrelated u ON u.policy_id = s.policy_id
			JOIN paid p ON p.policy_id = u.source)
$$;
COMMENT ON FUNCTION privacct._is_told(oid, oid)
	IS 'true if whoever protected two tables knows, or was told, what they have to do with each other';

-- It holds for a table all that was lost before, and all that its last policy promises.
CREATE OR REPLACE FUNCTION privacct._is_held(unit bigint, local_policy bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	RETURN EXISTS (SELECT FROM (SELECT local_policy UNION SELECT i.policy_id FROM privacct.inherited i
			WHERE i.source = local_policy) l(policy_id)
		JOIN privacct._reserved r ON r.policy_id = l.policy_id
		WHERE r.unit = _is_held.unit AND r.epsilon <= r.held_epsilon AND r.delta <= r.held_delta
		AND r.rho <= r.held_rho);
END
$$;
COMMENT ON FUNCTION privacct._is_held(bigint, bigint)
	IS 'true if a privacy unit was charged all that owners can have lost under a policy of the local regime, or can '
	'still lose';

-- What was asked since the owner of a table said something is not settled by that.  Of two
-- tables that are protected it is asked once, whatever they have spent: that the one starts
-- from what the other has spent says nothing of what they spend from now on.
CREATE OR REPLACE FUNCTION privacct._unsettled(p privacct.policy, others privacct.history[])
	RETURNS SETOF privacct.history
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	books bigint := privacct._books_of(p.policy_id);
	in_rho boolean := privacct._currency(p.accountant) = 'rho';
	told bigint[];		-- others that it is to be said something of
BEGIN
	IF others = '{}' THEN
		RETURN;
	END IF;
	told := ARRAY(
		SELECT h.n FROM unnest(others) WITH ORDINALITY h(policy_id, relation, relation_name, names, table_owner, owners,
			columns, column_lists, owner_column, owner_attnum, regime, accountant, promised_epsilon, promised_delta,
			left_at, epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost, path, keys, key_policies, n)
		JOIN (SELECT s.n, bool_or(k.charged AND s.source <> books AND s.source IS DISTINCT FROM p.unit
				AND i.policy_id IS NULL AND u.policy_id IS NULL
				-- a table whose owners are asked themselves, for which the unit holds all that they may lose
				AND ((others[s.n]).regime = 'local' AND privacct._is_held(p.unit, (others[s.n]).policy_id)) IS NOT TRUE)
				AS unsettled
			FROM privacct._spent_under(others) s
			CROSS JOIN LATERAL (SELECT s.epsilon > 0 OR s.delta > 0 OR s.rho > 0 OR s.releases > 0) k(charged)
			CROSS JOIN LATERAL (SELECT ROW(NULL, s.source, s.epsilon, s.delta, s.rho, s.releases, s.spared_epsilon,
				s.spared_delta, NULL)::privacct.inherited) r(debt)
			CROSS JOIN LATERAL (SELECT (r.debt).* WHERE (others[s.n]).accountant = p.accountant
				UNION ALL SELECT i.* FROM privacct._in_currency(r.debt, (others[s.n]).accountant,
					(others[s.n]).promised_delta, p.accountant) i WHERE (others[s.n]).accountant <> p.accountant) c
			LEFT JOIN privacct.inherited i ON i.policy_id IN (books, p.unit) AND i.source = s.source
				AND (in_rho OR i.epsilon - i.spared_epsilon >= c.epsilon - c.spared_epsilon)
				AND i.delta - i.spared_delta >= c.delta - c.spared_delta AND (NOT in_rho OR i.rho >= c.rho)
				AND i.releases >= c.releases
			LEFT JOIN privacct.unrelated u ON u.policy_id = p.policy_id AND u.source = s.source
				AND u.epsilon >= s.epsilon AND u.delta >= s.delta AND u.rho >= s.rho AND u.releases >= s.releases
			GROUP BY s.n) d ON d.n = h.n
		LEFT JOIN privacct.policy q ON q.policy_id = h.policy_id
		WHERE d.unsettled OR h.left_at IS NULL
			AND coalesce(q.unit, h.policy_id) <> coalesce(p.unit, p.policy_id)		-- which pays for local tables, too
			AND NOT EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = p.policy_id AND u.source = h.policy_id)
			-- in the words of an earlier policy of the one, or of the other
			AND NOT EXISTS (SELECT FROM privacct.unrelated u JOIN privacct.policy o ON o.policy_id = u.source
				WHERE u.policy_id = p.policy_id AND o.relation = q.relation AND o.relation <> 0::oid)
			AND NOT EXISTS (SELECT FROM privacct.unrelated u JOIN privacct.policy o ON o.policy_id = u.source
				WHERE u.policy_id = h.policy_id AND o.relation = p.relation));
	RETURN QUERY SELECT o.policy_id, o.relation, o.relation_name, o.names, o.table_owner, o.owners, o.columns,
		o.column_lists, o.owner_column, o.owner_attnum, o.regime, o.accountant, o.promised_epsilon, o.promised_delta,
		o.left_at, o.epsilon, o.delta, o.rho, o.releases, o.spared_epsilon, o.spared_delta, o.lost, o.path, o.keys,
		o.key_policies
	FROM unnest(others) WITH ORDINALITY o(policy_id, relation, relation_name, names, table_owner, owners, columns,
		column_lists, owner_column, owner_attnum, regime, accountant, promised_epsilon, promised_delta, left_at,
		epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost, path, keys, key_policies, n)
	WHERE o.n = ANY (told);
END
$$;
COMMENT ON FUNCTION privacct._unsettled(privacct.policy, privacct.history[])
	IS 'those histories of other tables that have charges of which a policy knows nothing, or are of tables that '
	'another policy protects, of which nothing was said yet';

CREATE OR REPLACE FUNCTION privacct._alike(p privacct.policy, names text[], column_lists text[])
	RETURNS SETOF privacct.history
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT privacct._unsettled(p, ARRAY(SELECT h FROM privacct._called(_alike.names, _alike.column_lists) h
		WHERE h.relation <> ALL (ARRAY(SELECT privacct._tree(p.relation)))))
$$;
COMMENT ON FUNCTION privacct._alike(privacct.policy, text[], text[])
	IS 'histories of other tables with a name, in whatever schema, or columns, of which something has to be said';

-- Whoever was in a table when some books were charged for it, or might have been, is in all
-- that they were charged for: in the partition that left, in what stays, in the tables of the
-- unit.  Each of these that is protected by itself has a budget of its own from then on.
CREATE OR REPLACE FUNCTION privacct._akin(p privacct.policy, named bigint[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH member AS MATERIALIZED (SELECT m.oid FROM privacct._tree(p.relation) m(oid)),
	own AS MATERIALIZED (SELECT DISTINCT h.policy_id FROM member m JOIN privacct.history h ON h.relation = m.oid
		AND h.policy_id <> p.policy_id),
	before AS MATERIALIZED (SELECT o.policy_id FROM own o UNION SELECT unnest(named)),
	-- as _books_of, all at once; its own unit sees to its tables when they come and when they leave
	books AS MATERIALIZED (SELECT DISTINCT coalesce(q.unit, b.policy_id) AS policy_id
		FROM before b LEFT JOIN privacct.policy q ON q.policy_id = b.policy_id AND q.regime <> 'local'
		WHERE coalesce(q.unit, b.policy_id) IS DISTINCT FROM p.unit),
	source AS MATERIALIZED (SELECT b.policy_id FROM books b
		UNION SELECT i.source FROM books b JOIN privacct.inherited i ON i.policy_id = b.policy_id),
	started AS MATERIALIZED (SELECT s.policy_id FROM source s
		UNION SELECT i.policy_id FROM source s JOIN privacct.inherited i ON i.source = s.policy_id
			AND i.policy_id IS DISTINCT FROM p.unit),
	charging AS MATERIALIZED (SELECT t.policy_id FROM started t
		UNION SELECT q.policy_id FROM started t CROSS JOIN LATERAL (SELECT o.policy_id FROM privacct.policy o
			WHERE o.unit = t.policy_id AND o.regime <> 'local' OFFSET 0) q),
	-- what left may be under another policy now, which need not have started from anything
	kin AS MATERIALIZED (SELECT c.policy_id FROM charging c
		UNION SELECT o.policy_id FROM own c
			JOIN privacct.history h ON h.policy_id = c.policy_id AND h.left_at IS NOT NULL
			JOIN privacct.history o ON o.relation = h.relation AND o.relation <> 0::oid AND o.left_at IS NULL)
	-- one for each: partitions may be many.  First those, then their policies: the planner might go through all.
	SELECT h.* FROM kin k
	CROSS JOIN LATERAL (SELECT o.* FROM privacct.policy o WHERE o.policy_id = k.policy_id OFFSET 0) q
	CROSS JOIN LATERAL (SELECT r.* FROM privacct.history r WHERE r.policy_id = q.policy_id AND r.relation = q.relation
			AND r.relation <> 0::oid
		UNION ALL (SELECT r.* FROM privacct.history r WHERE r.policy_id = q.policy_id AND q.relation = 0::oid
			ORDER BY r.releases DESC, r.relation_name LIMIT 1)) h
	WHERE k.policy_id <> p.policy_id AND h.relation::oid NOT IN (SELECT m.oid FROM member m)
	-- who protected that one was told that the sum is lost
	AND NOT EXISTS (SELECT FROM (SELECT n.source FROM privacct.unrelated n WHERE n.policy_id = k.policy_id OFFSET 0) u
		CROSS JOIN LATERAL (SELECT o.relation FROM privacct.policy o WHERE o.policy_id = u.source OFFSET 0) o
		WHERE o.relation = p.relation)
$$;
COMMENT ON FUNCTION privacct._akin(privacct.policy, bigint[])
	IS 'histories of other tables that were charged for together with those of a new policy, or with tables that its '
	'owner has named, whatever their names and columns are';

-- Of several tables that a policy covered one is named: by name, or the one that it was declared for.
-- Two who declare, or rename, at the same time would not see each other.
CREATE OR REPLACE FUNCTION privacct._hold_alike(keys text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_alike' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._hold_alike(text[])
	IS 'waits for others who ask about tables with the same keys, and holds them back until the transaction ends';

-- Of partitions, which may be many, the columns and what they were charged under.
CREATE OR REPLACE FUNCTION privacct._wait_for_alike(p privacct.policy, names text[], column_lists text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	-- without the library nothing is charged
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		PERFORM privacct._hold_alike(ARRAY(SELECT 'name ' || n FROM unnest(privacct._lower(names)) n
			UNION SELECT 'columns ' || c FROM unnest(privacct._hashes(column_lists)) c
			UNION SELECT 'books ' || coalesce(q.unit, h.policy_id) FROM privacct.history h
				JOIN privacct.policy q ON q.policy_id = h.policy_id
				WHERE h.relation = p.relation AND h.relation <> 0::oid));
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._wait_for_alike(privacct.policy, text[], text[])
	IS 'lets those who declare tables that look alike, or have a history in common, do so one after the other';

CREATE OR REPLACE FUNCTION privacct._predecessors(p privacct.policy, named bigint[]) RETURNS SETOF privacct.history
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	members oid[] := ARRAY(SELECT privacct._tree(p.relation));
	called text[];
	with_columns text[];
	others privacct.history[];
BEGIN
	PERFORM privacct._catch_up(), privacct._describe_again(members);
	called := privacct._bare_names(ARRAY(SELECT (privacct._describe(m)).relation_name FROM unnest(members) m
		UNION SELECT unnest(own.names) FROM privacct.history own WHERE own.relation = ANY (members)));
	with_columns := ARRAY(SELECT DISTINCT d.columns FROM unnest(members) m CROSS JOIN LATERAL privacct._describe(m) d
		WHERE d.columns IS NOT NULL);
	PERFORM privacct._wait_for_alike(p, privacct._bare_names(ARRAY(SELECT unnest(own.names) FROM privacct.history own
		WHERE own.relation = p.relation)), with_columns);
	PERFORM privacct._describe_called(called);
	others := ARRAY(SELECT h FROM privacct._called(called, with_columns) h WHERE h.relation <> ALL (members)
		UNION SELECT h FROM privacct._akin(p, named) h);
	RETURN QUERY SELECT DISTINCT ON (h.policy_id) h.* FROM privacct._unsettled(p, others) h
	ORDER BY h.policy_id, privacct._bare_names(h.names) && called DESC, length(h.relation_name), h.relation_name;
END
$$;
COMMENT ON FUNCTION privacct._predecessors(privacct.policy, bigint[])
	IS 'histories of other tables whose names or columns the tables of a new policy have, or with which they have '
	'something in common, of which its owner has to say something; and of tables that have it in common with those '
	'that were named';

-- Names are compared as identifiers are read; one without a schema is looked for in all.
CREATE OR REPLACE FUNCTION privacct._same_name(asked text, relation_name text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	wanted text[] := parse_ident(asked);
	had text[] := parse_ident(relation_name);
BEGIN
	RETURN CASE cardinality(wanted) WHEN 1 THEN wanted[1] = had[2] ELSE wanted = had END;
END
$$;
COMMENT ON FUNCTION privacct._same_name(text, text) IS 'true if a name, with or without a schema, is that of a table';

CREATE OR REPLACE FUNCTION privacct._histories_named(name text, p privacct.policy, caller regrole)
	RETURNS SETOF privacct.history
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	wanted text[] := parse_ident(name);
	called text[] := wanted[cardinality(wanted):];
	others privacct.history[];
	found privacct.history[];
	tables text[];
	h privacct.history;
BEGIN
	PERFORM privacct._describe_called(called);
	others := ARRAY(SELECT a FROM privacct._called(called, '{}') a
		WHERE a.relation NOT IN (SELECT privacct._tree(p.relation)));
	found := ARRAY(SELECT o FROM unnest(others) o WHERE privacct._same_name(name, o.relation_name));
	IF found = '{}' THEN		-- nothing has that name now: whatever had it once
		found := ARRAY(SELECT o FROM unnest(others) o
			WHERE EXISTS (SELECT FROM unnest(o.names) n WHERE privacct._same_name(name, n)));
	END IF;
	tables := ARRAY(SELECT DISTINCT f.relation_name FROM unnest(found) f ORDER BY 1);
	IF tables = '{}' THEN
		RAISE EXCEPTION 'no table % was ever protected', btrim(name)
			USING ERRCODE = '42PA4',
				HINT = 'inherits names a table that has spent budget, possibly one that was dropped.';
	ELSIF cardinality(tables) > 1 THEN
		RAISE EXCEPTION 'more than one table % was protected', btrim(name)
			USING ERRCODE = '42PA4', DETAIL = format('They are: %s.', array_to_string(tables, ', ')),
				HINT = 'Name it with its schema.';
	END IF;
	FOREACH h IN ARRAY found LOOP
		IF NOT coalesce((SELECT pg_has_role(caller::oid, coalesce(c.relowner, r.oid), 'USAGE')
						 FROM (SELECT) one LEFT JOIN pg_class c ON c.oid = h.relation LEFT JOIN pg_roles r
							ON r.rolname = h.table_owner),
						(SELECT r.rolsuper FROM pg_roles r WHERE r.oid = caller)) THEN
			RAISE EXCEPTION 'must be owner of table %', h.relation_name USING ERRCODE = '42501';
		END IF;
		RETURN NEXT h;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._histories_named(text, privacct.policy, regrole)
	IS 'the histories of one table, by its name, which is none of the policy, if they are the caller''s';

CREATE OR REPLACE FUNCTION privacct._first_of(names text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_to_string(names[:20], ', ') || CASE WHEN cardinality(names) > 20 THEN ', ...' ELSE '' END
$$;
COMMENT ON FUNCTION privacct._first_of(text[]) IS 'so many names as a message can have';

-- What is said of others, for a refusal.
CREATE OR REPLACE FUNCTION privacct._tell_of(others privacct.history[], OUT spent text, OUT beside text,
	OUT listed text)
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._first_of(array_agg(DISTINCT h.relation_name) FILTER (WHERE h.has_spent)),
		privacct._first_of(array_agg(DISTINCT h.relation_name) FILTER (WHERE NOT h.has_spent)),
		privacct._first_of(array_agg(DISTINCT h.relation_name))
	FROM (SELECT others[s.n].relation_name, bool_or(s.epsilon > 0 OR s.delta > 0 OR s.rho > 0 OR s.releases > 0)
		AS has_spent FROM privacct._spent_under(others) s GROUP BY s.n) h
$$;
COMMENT ON FUNCTION privacct._tell_of(privacct.history[])
	IS 'which of some tables have spent budget, and which are protected and have spent nothing yet';

CREATE OR REPLACE FUNCTION privacct._refuse_predecessors(p privacct.policy, predecessors privacct.history[])
	RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record := privacct._tell_of(predecessors);
	startable text := (SELECT s.listed FROM privacct._tell_of(ARRAY(SELECT h FROM unnest(predecessors) h
		WHERE h.regime = p.regime)) s);
	others text := (SELECT s.listed FROM privacct._tell_of(ARRAY(SELECT h FROM unnest(predecessors) h
		WHERE h.regime <> p.regime)) s);
BEGIN
	RAISE EXCEPTION 'table % may hold rows of persons %', p.relation,
		CASE WHEN t.spent IS NULL THEN 'who are in another protected table' ELSE 'whose budget was spent' END
		USING ERRCODE = '42PA4',
			  DETAIL = 'With its name, in whatever schema, its columns, or a history in common, '
				|| concat_ws('; ', 'these have spent budget: ' || t.spent, 'these are protected: ' || t.beside) || '.',
			  HINT = concat_ws('  ',
				CASE WHEN startable IS NOT NULL THEN format('If it holds rows of the same persons, start from what was '
					'spent: inherits => %L.', startable) END,
				CASE WHEN others IS NULL THEN 'If it does not, say fresh => true.' ELSE
					format('What was spent under another regime cannot be started from (%s): say fresh => true, and if '
						'it holds rows of the same persons, use an epsilon that is smaller by what they may have lost '
						'there, unless the unit has been charged for that.', others) END);
END
$$;
COMMENT ON FUNCTION privacct._refuse_predecessors(privacct.policy, privacct.history[])
	IS 'asks whoever protects a table what it has to do with others';

-- Amounts that are carried over all the same are not told; of a table that is protected, what is to come.
CREATE OR REPLACE FUNCTION privacct._tell_what_does_not_count(p privacct.policy, others privacct.history[]) RETURNS text
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	SELECT string_agg(concat(t.relation_name, ': ', concat_ws(', and ',
		CASE WHEN t.epsilon > 0 OR t.delta > 0 OR t.rho > 0 OR t.releases > 0
			THEN format('epsilon %s, delta %s, rho %s in %s releases', trim_scale(t.epsilon), trim_scale(t.delta),
				trim_scale(t.rho), t.releases) END,
		CASE WHEN t.open THEN 'what it spends from now on' END)), '; ' ORDER BY t.relation_name)
	FROM (SELECT s.relation_name, sum(s.epsilon) AS epsilon, sum(s.delta) AS delta, sum(s.rho) AS rho,
			sum(s.releases) AS releases, bool_or(s.open) AS open
		FROM (SELECT (others[d.n]).relation_name, d.source, bool_or((others[d.n]).left_at IS NULL) AS open,
				max(c.epsilon) AS epsilon, max(c.delta) AS delta, max(c.rho) AS rho, max(c.releases) AS releases
			FROM privacct._spent_under(others) d
			LEFT JOIN privacct.inherited i ON i.policy_id = privacct._books_of(p.policy_id) AND i.source = d.source
			CROSS JOIN LATERAL (SELECT greatest(d.epsilon - coalesce(i.epsilon, 0), 0),
				greatest(d.delta - coalesce(i.delta, 0), 0), greatest(d.rho - coalesce(i.rho, 0), 0),
				greatest(d.releases - coalesce(i.releases, 0), 0)) c(epsilon, delta, rho, releases)
			GROUP BY 1, 2) s
		GROUP BY 1) t
	WHERE t.epsilon > 0 OR t.delta > 0 OR t.rho > 0 OR t.releases > 0 OR t.open
$$;
COMMENT ON FUNCTION privacct._tell_what_does_not_count(privacct.policy, privacct.history[])
	IS 'other tables, each with what it has spent that a policy does not start from';

CREATE OR REPLACE FUNCTION privacct._warn_of_fresh(p privacct.policy, others privacct.history[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	listed text := privacct._tell_what_does_not_count(p, others);
BEGIN
	IF listed IS NOT NULL THEN
		RAISE WARNING 'what these tables spend does not count for %', p.relation
			USING DETAIL = listed || '.',
				  HINT = 'Persons who are in them lose the sum. If there are any, unprotect the table and protect it '
					'with inherits.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_fresh(privacct.policy, privacct.history[])
	IS 'says of each table that was left out by fresh what it has spent';

CREATE OR REPLACE FUNCTION privacct._start_fresh(p privacct.policy, predecessors privacct.history[], caller regrole)
	RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	SELECT privacct._warn_of_fresh(p, predecessors) WHERE predecessors <> '{}';
	INSERT INTO privacct.unrelated AS u
	SELECT p.policy_id, d.source, max(d.epsilon), max(d.delta), max(d.rho), max(d.releases)
	FROM privacct._spent_under(predecessors) d GROUP BY d.source
	ON CONFLICT ON CONSTRAINT unrelated_pkey DO UPDATE SET epsilon = greatest(u.epsilon, excluded.epsilon),
		delta = greatest(u.delta, excluded.delta),
		rho = greatest(u.rho, excluded.rho), releases = greatest(u.releases, excluded.releases);
	INSERT INTO privacct.unrelated SELECT DISTINCT p.policy_id, h.policy_id, 0, 0, 0, 0 FROM unnest(predecessors) h
		ON CONFLICT ON CONSTRAINT unrelated_pkey DO NOTHING;
	-- no charge: nothing is carried, and the ledger says from where
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT p.policy_id, now(), caller::text, caller::text, 0, 0, 0,
		jsonb_build_object('carried_from_policy', NULL, 'fresh', jsonb_agg(DISTINCT h.relation_name))
	FROM unnest(predecessors) h HAVING count(*) > 0
$$;
COMMENT ON FUNCTION privacct._start_fresh(privacct.policy, privacct.history[], regrole)
	IS 'writes down that a table has nothing to do with others that look like it';

CREATE OR REPLACE FUNCTION privacct._start_beside(p privacct.policy, histories privacct.history[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	still_open text := (SELECT string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name)
		FROM unnest(histories) h WHERE h.left_at IS NULL);
BEGIN
	INSERT INTO privacct.unrelated SELECT DISTINCT p.policy_id, h.policy_id, 0, 0, 0, 0 FROM unnest(histories) h
		WHERE h.left_at IS NULL
	ON CONFLICT ON CONSTRAINT unrelated_pkey DO NOTHING;
	IF still_open IS NOT NULL THEN
		RAISE WARNING 'persons in both % and % lose the sum of what is spent on both tables', p.relation, still_open
			USING DETAIL = 'What was spent is carried over; from now on each of them has a budget of its own.',
				  HINT = 'Unprotect the one that is no longer asked.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._start_beside(privacct.policy, privacct.history[])
	IS 'writes down, and says, that a table that was named by inherits is still protected';

CREATE OR REPLACE FUNCTION privacct._settle_predecessors(caller regrole, id bigint, inherits text, fresh boolean)
	RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = id);
	name text;
	named privacct.history[];
	all_named bigint[] := '{}';
	predecessors privacct.history[];
BEGIN
	-- commas that an even number of quotes follows
	FOREACH name IN ARRAY coalesce(regexp_split_to_array(inherits, ',(?=(?:[^"]*"[^"]*")*[^"]*$)'), '{}') LOOP
		named := ARRAY(SELECT h FROM privacct._histories_named(name, p, caller) h
			WHERE privacct._books_of(h.policy_id) <> privacct._books_of(id));
		PERFORM privacct._start_from(p, named, caller, jsonb_build_object('inherits', btrim(name)));
		PERFORM privacct._start_beside(p, named);
		all_named := all_named || ARRAY(SELECT h.policy_id FROM unnest(named) h);
	END LOOP;
	predecessors := ARRAY(SELECT h FROM privacct._predecessors(p, all_named) h);
	IF fresh THEN
		PERFORM privacct._start_fresh(p, predecessors, caller);
	ELSIF predecessors <> '{}' THEN
		PERFORM privacct._refuse_predecessors(p, predecessors);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._settle_predecessors(regrole, bigint, text, boolean)
	IS 'starts a policy from what other tables have spent, or not, as its owner says';

--
-- A protected table that takes another's name, and a table that comes under a policy.
--
-- Partitions come and go.  Where the tables of two policies have had a name in common
-- before, or one with the same columns is there, that was asked when these were
-- protected, and is not asked of each that follows.
--

CREATE OR REPLACE FUNCTION privacct._shares_names(p privacct.policy, member oid, other bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT EXISTS (
		SELECT unnest(privacct._bare_names(h.names)) FROM privacct.history h WHERE h.policy_id = p.policy_id
		AND h.left_at IS NULL AND h.relation <> member
		INTERSECT
		SELECT unnest(privacct._bare_names(h.names)) FROM privacct.history h WHERE h.policy_id = other)
$$;
COMMENT ON FUNCTION privacct._shares_names(privacct.policy, oid, bigint)
	IS 'true if tables of two policies, but for one of them, have a name in common, in whatever schemas';

CREATE OR REPLACE FUNCTION privacct._refuse_newcomer(p privacct.policy, what text, others privacct.history[])
	RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record := privacct._tell_of(others);
BEGIN
	RAISE EXCEPTION 'a protected table would have the %, % %', what,
		CASE WHEN what ~ '^columns' THEN 'with which' ELSE 'under which' END,
			CASE WHEN t.spent IS NULL THEN 'another is protected' ELSE 'budget was spent' END
		USING ERRCODE = '42PA4',
			  DETAIL = concat_ws(' ', format('These have charges that are not in the account of %s: ', p.relation)
				|| t.spent || '.', 'These are protected: ' || t.beside || '.'),
			  HINT = format('In one transaction: SELECT privacct.unprotect() of the table; then this statement; then '
				'SELECT privacct.protect() with inherits => %L, or with fresh => true if it has no rows of the same '
				'persons.', t.listed);
END
$$;
COMMENT ON FUNCTION privacct._refuse_newcomer(privacct.policy, text, privacct.history[])
	IS 'asks whoever brings a table under a policy, or renames one, what it has to do with others';

CREATE OR REPLACE FUNCTION privacct._check_name(p privacct.policy, member oid, name text, had text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	bare text[] := privacct._bare_names(ARRAY[name]);
	asked boolean := bare && privacct._bare_names(had);
	others privacct.history[];
BEGIN
	PERFORM privacct._catch_up();
	PERFORM privacct._wait_for_alike(p, bare, '{}');
	others := ARRAY(SELECT h FROM privacct._alike(p, bare, '{}') h
		WHERE name = ANY (h.names) OR NOT (asked OR privacct._shares_names(p, member, h.policy_id)));
	IF others <> '{}' THEN
		PERFORM privacct._refuse_newcomer(p, 'name ' || name, others);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_name(privacct.policy, oid, text, text[])
	IS 'what a policy covers does not take the name of another table, in whatever schema, unless it had it before';

CREATE OR REPLACE FUNCTION privacct._check_column_list(p privacct.policy, member oid, columns text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	others privacct.history[];
BEGIN
	IF columns IS NULL OR EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
		AND h.relation <> member AND _check_column_list.columns = ANY (h.column_lists)) THEN
		RETURN;
	END IF;
	PERFORM privacct._catch_up();
	PERFORM privacct._wait_for_alike(p, '{}', ARRAY[columns]);
	others := ARRAY(SELECT h FROM privacct._alike(p, '{}', ARRAY[_check_column_list.columns]) h);
	IF others <> '{}' THEN
		PERFORM privacct._refuse_newcomer(p, 'columns of ' || member::regclass, others);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_column_list(privacct.policy, oid, text)
	IS 'what comes under a policy, with columns that none of its tables has, does not have those of another table';

CREATE OR REPLACE FUNCTION privacct._check_new_name() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_name(p, NEW.relation, NEW.relation_name, OLD.names) FROM privacct.policy p
		WHERE p.policy_id = NEW.policy_id;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._check_new_name() IS '_check_name of a table that is renamed';

-- Columns come and go with every release of an application, in many tables at a time: that is told, not refused.
CREATE OR REPLACE FUNCTION privacct._on_new_columns() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = NEW.policy_id);
	others privacct.history[];
	t record;
BEGIN
	-- without the library nothing is released; nor can sums be compared
	IF current_setting('privacct.queue_size', true) IS NULL OR EXISTS (SELECT FROM privacct.history h
		WHERE h.policy_id = NEW.policy_id AND h.left_at IS NULL
		AND h.relation <> NEW.relation AND NEW.columns = ANY (h.column_lists)) THEN
		RETURN NULL;
	END IF;
	others := ARRAY(SELECT h FROM privacct._alike(p, '{}', ARRAY[NEW.columns]) h
		WHERE NOT privacct._bare_names(h.names) && privacct._bare_names(NEW.names)
		AND NOT h.column_lists && OLD.column_lists);
	IF others <> '{}' THEN
		t := privacct._tell_of(others);
		RAISE WARNING 'the protected table % has the columns of another now', NEW.relation_name
			USING DETAIL = concat_ws(' ', format('These have charges that are not in the account of %s: ',
					NEW.relation_name) || t.spent || '.', 'These are protected: ' || t.beside || '.'),
				HINT = format('If it has rows of the same persons, in one transaction: SELECT privacct.unprotect() of '
					'the table; then SELECT privacct.protect() with inherits => %L.', t.listed);
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_new_columns() IS 'tells of a protected table that gets the columns of another';
