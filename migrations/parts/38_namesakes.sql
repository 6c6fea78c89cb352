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

CREATE OR REPLACE FUNCTION privacct._ask_of_marks(relation regclass, inherits text, fresh boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	strangers text;
BEGIN
	PERFORM privacct._complete_history();
	-- each by itself, or all that have the mark are gone through
	strangers := (SELECT string_agg(s.relation_name, ', ' ORDER BY s.relation_name)
		FROM privacct._tree(_ask_of_marks.relation) m(oid)
		CROSS JOIN LATERAL (SELECT t.relation_name FROM privacct._stranger t WHERE t.relation = m.oid OFFSET 0) s);
	IF strangers IS NOT NULL AND inherits IS NULL AND fresh IS NOT TRUE THEN
		RAISE EXCEPTION 'table % was protected in other books', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('What was spent on it there is not known here: %s.', strangers),
				  HINT = 'Restore the books with the tables, in a database of its own.  If a table in these books has '
					'spent budget on its rows, name it: inherits => ''...''.  If what it has spent is not to count, '
					'use fresh => true, with an epsilon that is smaller by that amount.';
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
			USING ERRCODE = 'PA004',
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

CREATE OR REPLACE FUNCTION privacct._hashes(lists text[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT hashtextextended(l, 0) FROM unnest(lists) l)
$$;
COMMENT ON FUNCTION privacct._hashes(text[]) IS 'lists of columns as they are looked up';

-- Names that were told beside a value of type name have its collation, not that of texts.
CREATE OR REPLACE FUNCTION privacct._called(names text[], column_lists text[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.* FROM privacct.history h WHERE privacct._bare_names(h.names) && _called.names COLLATE "C"
		OR privacct._hashes(h.column_lists) && privacct._hashes(_called.column_lists)
$$;
COMMENT ON FUNCTION privacct._called(text[], text[])
	IS 'histories of tables that had one of these names, in whatever schema, or lists of columns';

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
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT CASE WHEN h.left_at IS NULL
		THEN EXISTS (SELECT FROM privacct.account a WHERE a.policy_id = h.policy_id AND a.role = 0::regrole
			AND (a.releases > 0 OR a.epsilon > 0 OR a.delta > 0 OR a.rho > 0))
			OR EXISTS (SELECT FROM privacct._paid l WHERE l.policy_id = h.policy_id
				AND (l.epsilon > 0 OR l.delta > 0 OR l.rho > 0))
		ELSE h.releases > 0 OR h.epsilon > 0 OR h.delta > 0 OR h.rho > 0
			OR EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = h.policy_id AND NOT privacct._is_nothing(i))
				END
$$;
COMMENT ON FUNCTION privacct._has_spent(privacct.history)
	IS 'true if something was charged to a table, under the policy or before';

-- What was asked since the owner of a table said something is not settled by that.
CREATE OR REPLACE FUNCTION privacct._is_unsettled(p privacct.policy, h privacct.history) RETURNS boolean
LANGUAGE sql COST 10000 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT EXISTS (SELECT FROM privacct._debts(h) d WHERE NOT privacct._covers(p, d)
		AND NOT EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = p.policy_id AND u.source = d.source
			AND u.epsilon >= d.epsilon AND u.delta >= d.delta AND u.rho >= d.rho AND u.releases >= d.releases))
$$;
COMMENT ON FUNCTION privacct._is_unsettled(privacct.policy, privacct.history)
	IS 'true if more was charged to a table than the account of a policy has, or its owner said to have nothing to do '
	'with';

-- Two tables that are protected are asked about once.
CREATE OR REPLACE FUNCTION privacct._is_beside(p privacct.policy, h privacct.history) RETURNS boolean
LANGUAGE sql STABLE COST 1000 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.left_at IS NULL AND h.policy_id <> p.policy_id
		AND NOT EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = p.policy_id AND u.source = h.policy_id)
		AND NOT EXISTS (SELECT FROM privacct.unrelated u JOIN privacct.policy q ON q.policy_id = u.source
			WHERE u.policy_id = h.policy_id AND q.relation = p.relation)
$$;
COMMENT ON FUNCTION privacct._is_beside(privacct.policy, privacct.history)
	IS 'true if a table is protected by another policy, and nobody has said what the two have to do with each other';

CREATE OR REPLACE FUNCTION privacct._alike(p privacct.policy, names text[], column_lists text[])
	RETURNS SETOF privacct.history
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.* FROM privacct._called(_alike.names, _alike.column_lists) h
	WHERE h.relation NOT IN (SELECT privacct._tree(p.relation))
	AND CASE WHEN privacct._has_spent(h) THEN privacct._is_unsettled(p, h) ELSE privacct._is_beside(p, h) END
$$;
COMMENT ON FUNCTION privacct._alike(privacct.policy, text[], text[])
	IS 'histories of other tables with a name, in whatever schema, or columns, that have charges of which the policy '
	'knows nothing, or are protected by another';

-- Of several tables that a policy covered one is named: by name, or the one that it was declared for.
CREATE OR REPLACE FUNCTION privacct._predecessors(p privacct.policy) RETURNS SETOF privacct.history
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	members oid[] := ARRAY(SELECT privacct._tree(p.relation));
	called text[];
	with_columns text[];
BEGIN
	PERFORM privacct._describe_again(members);
	called := privacct._bare_names(ARRAY(SELECT (privacct._describe(m)).relation_name FROM unnest(members) m
		UNION SELECT unnest(own.names) FROM privacct.history own WHERE own.relation = ANY (members)));
	with_columns := ARRAY(SELECT DISTINCT d.columns FROM unnest(members) m CROSS JOIN LATERAL privacct._describe(m) d
		WHERE d.columns IS NOT NULL);
	PERFORM privacct._describe_called(called);
	RETURN QUERY SELECT DISTINCT ON (h.policy_id) h.* FROM privacct._alike(p, called, with_columns) h
	ORDER BY h.policy_id, privacct._bare_names(h.names) && called DESC, length(h.relation_name), h.relation_name;
END
$$;
COMMENT ON FUNCTION privacct._predecessors(privacct.policy)
	IS 'histories of other tables whose names or columns the tables of a new policy have, of which its owner has to '
	'say something';

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
			USING ERRCODE = 'PA004',
				HINT = 'inherits names a table that has spent budget, possibly one that was dropped.';
	ELSIF cardinality(tables) > 1 THEN
		RAISE EXCEPTION 'more than one table % was protected', btrim(name)
			USING ERRCODE = 'PA004', DETAIL = format('They are: %s.', array_to_string(tables, ', ')),
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

-- What is said of others, for a refusal.
CREATE OR REPLACE FUNCTION privacct._tell_of(others privacct.history[], OUT spent text, OUT beside text,
	OUT listed text)
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	SELECT string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name) FILTER (WHERE h.has_spent),
		string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name) FILTER (WHERE NOT h.has_spent),
		string_agg(DISTINCT h.relation_name, ', ' ORDER BY h.relation_name)
	FROM (SELECT o.relation_name, privacct._has_spent(o) AS has_spent FROM unnest(others) o) h
$$;
COMMENT ON FUNCTION privacct._tell_of(privacct.history[])
	IS 'which of some tables have spent budget, and which are protected and have spent nothing yet';

CREATE OR REPLACE FUNCTION privacct._refuse_predecessors(p privacct.policy, predecessors privacct.history[])
	RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record := privacct._tell_of(predecessors);
BEGIN
	RAISE EXCEPTION 'table % may hold rows of persons %', p.relation,
		CASE WHEN t.spent IS NULL THEN 'who are in another protected table' ELSE 'whose budget was spent' END
		USING ERRCODE = 'PA004',
			  DETAIL = 'With its name, in whatever schema, or with its columns, '
				|| concat_ws('; ', 'these have spent budget: ' || t.spent, 'these are protected: ' || t.beside) || '.',
			  HINT = format('If it holds rows of the same persons, start from what was spent: inherits => %L.  If it '
				'does not, say fresh => true.', t.listed);
END
$$;
COMMENT ON FUNCTION privacct._refuse_predecessors(privacct.policy, privacct.history[])
	IS 'asks whoever protects a table what it has to do with others';

CREATE OR REPLACE FUNCTION privacct._start_fresh(p privacct.policy, predecessors privacct.history[], caller regrole)
	RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	INSERT INTO privacct.unrelated AS u
	SELECT p.policy_id, d.source, max(d.epsilon), max(d.delta), max(d.rho), max(d.releases)
	FROM (SELECT o AS h FROM unnest(predecessors) o WHERE privacct._has_spent(o) OFFSET 0) s
		CROSS JOIN LATERAL privacct._debts(s.h) d GROUP BY d.source
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
		RAISE NOTICE 'persons in both % and % lose the sum of what is spent on both tables', p.relation, still_open
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
	predecessors privacct.history[];
BEGIN
	-- commas that an even number of quotes follows
	FOREACH name IN ARRAY coalesce(regexp_split_to_array(inherits, ',(?=(?:[^"]*"[^"]*")*[^"]*$)'), '{}') LOOP
		named := ARRAY(SELECT h FROM privacct._histories_named(name, p, caller) h);
		PERFORM privacct._start_from(p, named, caller, jsonb_build_object('inherits', btrim(name)));
		PERFORM privacct._start_beside(p, named);
	END LOOP;
	predecessors := ARRAY(SELECT h FROM privacct._predecessors(p) h);
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
		USING ERRCODE = 'PA004',
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
	others privacct.history[] := ARRAY(SELECT h FROM privacct._alike(p, bare, '{}') h
		WHERE name = ANY (h.names) OR NOT (asked OR privacct._shares_names(p, member, h.policy_id)));
BEGIN
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
