-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Histories of tables.
--

--
-- A table that was protected before is protected again by the same owner column.
--
-- What was charged, was charged to the owners that this column named.  Per visit
-- an epsilon of 1 says nothing about patients of a hundred visits, and the other
-- way round.  So columns are followed by number, also while the table is not
-- protected: an earlier policy's owner_column keeps the name that the column has
-- now, or is empty once it was dropped or may have come to name owners anew.
--

CREATE OR REPLACE FUNCTION privacct._column_number(relation oid, column_name name) RETURNS int2
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = relation AND a.attname = column_name AND a.attnum > 0
		AND NOT a.attisdropped
$$;
COMMENT ON FUNCTION privacct._column_number(oid, name)
	IS 'by what a column is known when it is renamed, or another one has its name';

CREATE OR REPLACE FUNCTION privacct._column_called(relation oid, column_number int2) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = column_number AND NOT a.attisdropped
$$;
COMMENT ON FUNCTION privacct._column_called(oid, int2) IS 'the name that a column has now';

-- After RENAME COLUMN one of the names is that of no column.
CREATE OR REPLACE FUNCTION privacct._renamed(names name[], live name[], new_name name) RETURNS name[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN names IS NOT NULL THEN ARRAY(SELECT CASE WHEN n.name = ANY (live) THEN n.name ELSE new_name END
		FROM unnest(names) WITH ORDINALITY n(name, place) ORDER BY n.place) END
$$;
COMMENT ON FUNCTION privacct._renamed(name[], name[], name)
	IS 'names of columns, in their order, after one got another';

-- Where a dump is restored columns have other numbers, and the keys of owners are what they were.
CREATE OR REPLACE FUNCTION privacct._number_owner_column() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.owner_attnum := privacct._column_number(NEW.relation, NEW.owner_column);
	IF TG_TABLE_NAME = 'policy' THEN
		NEW.owner_type := coalesce(NEW.owner_type,
			(SELECT t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
			WHERE a.attrelid = NEW.relation AND a.attnum = NEW.owner_attnum));
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._number_owner_column() IS 'writes down which column the owner column is';

-- A dump may bring the policy later; its numbers are of the database that it was made of.
CREATE OR REPLACE FUNCTION privacct._number_column() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	NEW.attnum := (SELECT privacct._column_number(p.relation, NEW.column_name) FROM privacct.policy p
		WHERE p.policy_id = NEW.policy_id);
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._number_column() IS 'writes down which column something was declared for';

CREATE OR REPLACE FUNCTION privacct._number_columns() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
BEGIN
	UPDATE privacct.bound d SET attnum = privacct._column_number(n.relation, d.column_name) FROM new_policy n
		WHERE d.policy_id = n.policy_id AND d.attnum IS NULL;
	UPDATE privacct.group_key d SET attnum = privacct._column_number(n.relation, d.column_name) FROM new_policy n
		WHERE d.policy_id = n.policy_id AND d.attnum IS NULL;
	UPDATE privacct.domain d SET attnum = privacct._column_number(n.relation, d.column_name) FROM new_policy n
		WHERE d.policy_id = n.policy_id AND d.attnum IS NULL;
	UPDATE privacct.public_column d SET attnum = privacct._column_number(n.relation, d.column_name) FROM new_policy n
		WHERE d.policy_id = n.policy_id AND d.attnum IS NULL;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._number_columns() IS '_number_column of what a dump brought before the policy';

CREATE OR REPLACE FUNCTION privacct._owner_key_is(type_name name, type oid) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_owner_key_is_sql' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._owner_key_is(name, oid)
	IS 'true if owners of a type have the keys that they have as another';

-- By which columns the rows of a table, and those that refer to it, find their owners.
CREATE OR REPLACE FUNCTION privacct._told_by(family oid[], column_name name) RETURNS SETOF privacct.policy
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT q.* FROM privacct.policy q WHERE q.relation::oid = ANY (family)
		AND (q.owner_column = column_name OR column_name = ANY (q.path))
	UNION ALL
	SELECT q.* FROM privacct.policy q WHERE q.path_to::oid = ANY (family) AND column_name = ANY (q.path_keys)
$$;
COMMENT ON FUNCTION privacct._told_by(oid[], name) IS 'policies whose owners are found by a column of these tables';

CREATE OR REPLACE FUNCTION privacct._refuse_rewrite(p privacct.policy, column_name name, apart boolean) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF p.path IS NOT NULL THEN
		RAISE EXCEPTION 'column "%" leads to the owners of the protected table %', column_name, p.relation
			USING ERRCODE = '42PA4',
				DETAIL = 'With other values, rows might belong to other owners, but what was lost is in the accounts '
					'of those to whom they belonged.',
				HINT = 'Without USING, COLLATE and a length, integers become other integers, and text and varchar each '
					'other.';
	END IF;
	RAISE EXCEPTION 'column "%" is the owner column of the protected table %', column_name, p.relation
		USING ERRCODE = '42PA4',
			DETAIL = CASE WHEN apart
				THEN 'Owners are recognized by keys that are made from its values; with another kind of type, '
				'owners who have lost everything would be asked again.'
				ELSE 'With another type, two owners might get the same name, but what they lost is in two '
					'accounts.' END,
			HINT = concat('Without USING, COLLATE and a length, ',
				CASE p.regime WHEN 'local' THEN '' ELSE 'integers and uuid become text, ' END,
				'integers become other integers, and text and varchar each other.',
				CASE WHEN apart THEN
				format(' Or, in one transaction: SELECT privacct.unprotect(%1$L); this statement; SELECT '
				'privacct.protect(%1$L, ...), under which every owner starts with the most that one of them '
				'lost.', p.relation) END);
END
$$;
COMMENT ON FUNCTION privacct._refuse_rewrite(privacct.policy, name, boolean)
	IS 'refuses to rewrite what tells the owners of a protected table';

CREATE OR REPLACE FUNCTION privacct._forget_paths(family oid[], column_name name) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	UPDATE privacct.policy q SET path = '{}', path_keys = '{}'
	FROM privacct._told_by(family, column_name) t
	WHERE q.policy_id = t.policy_id AND t.closed_at IS NOT NULL AND t.path IS NOT NULL
$$;
COMMENT ON FUNCTION privacct._forget_paths(oid[], name)
	IS 'closed policies whose paths have a column of these tables are not known to lead to the same owners any more';

CREATE OR REPLACE FUNCTION privacct._forget_members(members oid[], column_name name) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
	UPDATE privacct.history h SET owner_column = '', path = CASE WHEN h.path IS NOT NULL THEN '{}'::name[] END
	WHERE h.relation = ANY (members) AND h.left_at IS NOT NULL
	AND (h.owner_column = column_name OR column_name = ANY (h.path));
	UPDATE privacct.history h SET keys = array_replace(h.keys, column_name, '')
	WHERE h.relation = ANY (members) AND column_name = ANY (h.keys)
$$;
COMMENT ON FUNCTION privacct._forget_members(oid[], name)
	IS 'tables that left a policy are not known to have its owners once a column that tells them is rewritten';

CREATE OR REPLACE FUNCTION privacct._owners_rewritten(relation regclass, column_name name, apart boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	family oid[] := ARRAY(SELECT privacct._family(_owners_rewritten.relation));
	member regclass;
	p privacct.policy;
BEGIN
	-- as ALTER TABLE will: protect() may be under way
	FOR member IN SELECT c.oid FROM pg_class c WHERE c.oid = ANY (family) AND c.relkind IN ('r', 'p')
		ORDER BY c.oid LOOP
		EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', member);
	END LOOP;
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_isolation', family);
	END IF;
	-- local: the books of an open policy are kept by keys of owners; once it is closed, the
	-- most that one of them lost is everybody's
	FOR p IN SELECT * FROM privacct._told_by(family, column_name) t
		WHERE t.closed_at IS NULL AND (NOT apart OR t.regime = 'local') LOOP
		PERFORM privacct._refuse_rewrite(p, column_name, apart);
	END LOOP;
	IF NOT apart THEN
		UPDATE privacct.policy q SET owner_column = ''
		WHERE q.owner_column = _owners_rewritten.column_name AND q.relation::oid = ANY (family);
		PERFORM privacct._forget_paths(family, column_name);
		PERFORM privacct._forget_members(family, column_name);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._owners_rewritten(regclass, name, boolean)
	IS 'an owner column keeps its owners apart (apart), and under an open policy of the local regime their keys; or '
	'the policy cannot be renewed by it';

--
-- One history of a population.
--
-- What was asked of rows stays lost wherever the rows go: into a table of their own
-- when a partition is detached, below another root, under another name.  So for each
-- table that a policy ever covered it is kept what the policy had charged when the
-- table left it.  Whoever protects the table again starts from there.
--
-- Two things are kept apart.  What a policy itself charged is counted once, however
-- many tables it covered.  What it started from is listed by the policy that charged
-- it, so that two tables that once were one do not bring the same charges twice.
-- Everything is kept as text and numbers: it outlives tables, roles and restores.
--

--
-- What a table brings with it
--

-- Of columns by their names: the same values have many types, and types are renamed.  As an array, whose text says
-- which names they are without the quotes of an identifier, of which there are more in a later server.
CREATE OR REPLACE FUNCTION privacct._describe(relation oid, OUT relation_name text, OUT table_owner name, OUT owner oid,
	OUT columns text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT format('%I.%I', n.nspname, c.relname), pg_get_userbyid(c.relowner), c.relowner,
		(SELECT array_agg(a.attname ORDER BY a.attname)::text FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation
$$;
COMMENT ON FUNCTION privacct._describe(oid) IS 'by what a table is known again';

-- The same of many tables: to call a function with settings takes longer than what it does.
CREATE OR REPLACE FUNCTION privacct._describe_all(relations oid[]) RETURNS TABLE (relation oid, relation_name text,
	columns text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT c.oid, format('%I.%I', n.nspname, c.relname),
		-- null where there is none; in the order of an index
		nullif(ARRAY(SELECT a.attname FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname), '{}')::text
	FROM unnest(relations) r(oid) JOIN pg_class c ON c.oid = r.oid JOIN pg_namespace n ON n.oid = c.relnamespace
$$;
COMMENT ON FUNCTION privacct._describe_all(oid[]) IS 'by what each of these tables is known again';

-- Without the library nothing is charged.
CREATE OR REPLACE FUNCTION privacct._await_charges(policy_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		PERFORM privacct._hold_charges(policy_id);
	END IF;
	-- the lock fails where the snapshot is too old to show every charge
	PERFORM FROM privacct.account a WHERE a.policy_id = _await_charges.policy_id AND a.role = 0::regrole FOR UPDATE;
END
$$;
COMMENT ON FUNCTION privacct._await_charges(bigint)
	IS 'waits until all charges to a policy can be seen, and holds others back until the end of the transaction';

CREATE OR REPLACE FUNCTION privacct._most_lost_of(p privacct.policy) RETURNS float8[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY[max(CASE WHEN p.filter = 'basic' THEN s.worst_case ELSE s.realised END), max(s.worst_case), max(s.rho)]
		FROM privacct._local_states(p.relation) s
$$;
COMMENT ON FUNCTION privacct._most_lost_of(privacct.policy)
	IS 'local regime: the most that an owner has lost under an open policy, as policy.lost keeps it';

CREATE OR REPLACE FUNCTION privacct._lost_under(h privacct.history) RETURNS float8[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = h.policy_id);
BEGIN
	IF h.regime <> 'local' THEN
		RETURN NULL;
	ELSIF p.policy_id IS NULL OR EXISTS (SELECT FROM privacct._without_states w WHERE w.policy_id = h.policy_id) THEN
		RETURN ARRAY[h.promised_epsilon, h.promised_epsilon, 0]::float8[];
	ELSIF p.closed_at IS NULL AND EXISTS (SELECT FROM pg_class c WHERE c.oid = p.relation) THEN
		RETURN privacct._most_lost_of(p);
	END IF;
	-- of a table that was dropped it is not known: then as much as was promised
	RETURN coalesce(p.lost, ARRAY[h.promised_epsilon, h.promised_epsilon, 0]::float8[]);
END
$$;
COMMENT ON FUNCTION privacct._lost_under(privacct.history)
	IS 'local regime: the most that an owner has lost under a policy; null in other regimes';

-- From protect() on a policy has an account, and with the first charge a sum, which folding leaves.
CREATE OR REPLACE FUNCTION privacct._books_are_gone(id bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT NOT EXISTS (SELECT FROM privacct.account a WHERE a.policy_id = id AND a.role = 0::regrole)
		AND NOT EXISTS (SELECT FROM privacct.ledger_sum s WHERE s.policy_id = id)
		AND NOT EXISTS (SELECT FROM privacct.ledger l WHERE l.policy_id = id)
$$;
COMMENT ON FUNCTION privacct._books_are_gone(bigint)
	IS 'true if there is neither an account of a policy, nor a line of the ledger, nor a sum of such lines: what it '
	'has charged is not known';

-- A plan that was used is spent as it was promised, for its rest was fixed too; so is a policy
-- of which neither account nor ledger is there, whatever there is of others.  (A rho that epsilon allows is no larger.)
-- All at once: tables that look alike may be many.
CREATE OR REPLACE FUNCTION privacct._spent_under(histories privacct.history[])
	RETURNS TABLE (n bigint, source bigint, epsilon numeric, delta numeric, rho numeric, releases bigint,
		spared_epsilon numeric, spared_delta numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH h AS MATERIALIZED (SELECT o.*, coalesce(q.unit, o.policy_id) AS books		-- as _books_of, all at once
		FROM unnest(histories) WITH ORDINALITY o(policy_id, relation, relation_name,
		names, table_owner, owners, columns, column_lists, owner_column, owner_attnum, regime, accountant,
		promised_epsilon, promised_delta, left_at, epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost,
		path, keys, key_policies, n) LEFT JOIN privacct.policy q ON q.policy_id = o.policy_id AND q.regime <> 'local')
	SELECT h.n, h.books, h.epsilon, h.delta, h.rho, h.releases, h.spared_epsilon, h.spared_delta
	FROM h WHERE h.left_at IS NOT NULL
	UNION ALL
	-- where account and ledger differ, the larger counts
	SELECT h.n, h.books,
		greatest(a.epsilon - b.epsilon, c.epsilon, CASE WHEN p.promised THEN h.promised_epsilon - b.epsilon END, 0),
		greatest(a.delta - b.delta, c.delta, CASE WHEN p.promised THEN h.promised_delta - b.delta END, 0),
		greatest(a.rho - b.rho, c.rho, CASE WHEN g.gone THEN h.promised_epsilon - b.rho END, 0),
		greatest(a.releases - b.releases, c.charges, CASE WHEN g.gone THEN 1 END, 0),
		coalesce(least(greatest(a.spared_epsilon - b.spared_epsilon, 0), c.named_epsilon), 0),
		coalesce(least(greatest(a.spared_delta - b.spared_delta, 0), c.named_delta), 0)
	FROM h
	LEFT JOIN privacct.account a ON a.policy_id = h.books AND a.role = 0::regrole
	CROSS JOIN LATERAL (SELECT coalesce(sum(i.epsilon), 0) AS epsilon, coalesce(sum(i.delta), 0) AS delta,
		coalesce(sum(i.rho), 0) AS rho, coalesce(sum(i.releases), 0) AS releases,
		coalesce(sum(i.spared_epsilon), 0) AS spared_epsilon, coalesce(sum(i.spared_delta), 0) AS spared_delta
		FROM privacct.inherited i WHERE i.policy_id = h.books) b
	-- as in _charged, which would be gone through for each
	LEFT JOIN privacct.ledger_sum t ON t.policy_id = h.books
	CROSS JOIN LATERAL (SELECT coalesce(t.epsilon, 0) + coalesce(sum(l.epsilon), 0) AS epsilon,
		coalesce(t.delta, 0) + coalesce(sum(l.delta), 0) AS delta, coalesce(t.rho, 0) + coalesce(sum(l.rho), 0) AS rho,
		coalesce(t.charges, 0) + count(*) AS charges,
		coalesce(t.named_epsilon, 0) + coalesce(sum(l.epsilon) FILTER (WHERE l.named), 0) AS named_epsilon,
		coalesce(t.named_delta, 0) + coalesce(sum(l.delta) FILTER (WHERE l.named), 0) AS named_delta
		FROM privacct._charge l WHERE l.policy_id = h.books AND l.charge_id > coalesce(t.charge_id, 0)) c
	CROSS JOIN LATERAL (SELECT a.policy_id IS NULL AND privacct._books_are_gone(h.books) AS gone) g
	CROSS JOIN LATERAL (SELECT g.gone OR CASE WHEN h.accountant = ANY (privacct._accountants('planned'))
		THEN privacct._plan_is_used(h.books) ELSE false END AS promised) p
	WHERE h.left_at IS NULL
	UNION ALL
	SELECT h.n, i.source, i.epsilon, i.delta, i.rho, i.releases, i.spared_epsilon, i.spared_delta
	FROM h JOIN privacct.inherited i ON i.policy_id = h.books
$$;
COMMENT ON FUNCTION privacct._spent_under(privacct.history[])
	IS 'what policies themselves have charged while they covered tables, and what these had inherited, as far as it '
	'can be seen';

CREATE OR REPLACE FUNCTION privacct._own_spending(h privacct.history) RETURNS privacct.inherited
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	books bigint := privacct._books_of(h.policy_id);
	own privacct.inherited;
BEGIN
	IF h.left_at IS NULL THEN
		PERFORM privacct._await_charges(books);
	END IF;
	SELECT h.policy_id, s.source, s.epsilon, s.delta, s.rho, s.releases, s.spared_epsilon, s.spared_delta, h.lost
	INTO own FROM privacct._spent_under(ARRAY[h]) s WHERE s.source = books;
	IF h.left_at IS NULL THEN
		own.lost := CASE WHEN own.releases > 0 THEN privacct._lost_under(h) END;
	END IF;
	RETURN own;
END
$$;
COMMENT ON FUNCTION privacct._own_spending(privacct.history)
	IS 'what a policy itself, or the unit of its table, has charged while it covered a table';

CREATE OR REPLACE FUNCTION privacct._is_nothing(debt privacct.inherited) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT debt.epsilon = 0 AND debt.delta = 0 AND debt.rho = 0 AND debt.releases = 0
$$;
COMMENT ON FUNCTION privacct._is_nothing(privacct.inherited) IS 'true if nothing was charged';

CREATE OR REPLACE FUNCTION privacct._debts(h privacct.history) RETURNS SETOF privacct.inherited
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	RETURN NEXT privacct._own_spending(h);
	RETURN QUERY SELECT i.* FROM privacct.inherited i WHERE i.policy_id = privacct._books_of(h.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._debts(privacct.history)
	IS 'what was charged to a table while a policy covered it, by the policy that charged it';

-- What is spent is the sum less what it spared; the largest of each counts.
CREATE OR REPLACE FUNCTION privacct._merged(debts privacct.inherited[]) RETURNS privacct.inherited[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_agg(ROW(NULL, m.source, m.epsilon, m.delta, m.rho, m.releases, m.epsilon - m.spent_epsilon,
		m.delta - m.spent_delta, m.lost)::privacct.inherited ORDER BY m.source)
	FROM (SELECT d.source, max(d.epsilon) AS epsilon, max(d.delta) AS delta, max(d.rho) AS rho,
		max(d.releases) AS releases,
			max(d.epsilon - d.spared_epsilon) AS spent_epsilon, max(d.delta - d.spared_delta) AS spent_delta,
			CASE WHEN count(d.lost) > 0 THEN ARRAY[max(d.lost[1]), max(d.lost[2]), max(d.lost[3])] END AS lost
		  FROM unnest(debts) d GROUP BY d.source) m
$$;
COMMENT ON FUNCTION privacct._merged(privacct.inherited[])
	IS 'one line for each policy that charged, the largest of what is given for it';

--
-- Starting from a history
--

-- The name that the owner column has now, or nothing: followed with the table that was
-- protected.  What has its name, and is another column, took it while nobody followed.
CREATE OR REPLACE FUNCTION privacct._owner_column_of(h privacct.history) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN c.owner_attnum <> privacct._column_number(h.relation, c.owner_column) THEN ''
		ELSE c.owner_column END
	FROM (SELECT p.owner_column, p.owner_attnum FROM privacct.policy p WHERE p.policy_id = h.policy_id
		AND p.relation = h.relation
		  UNION ALL SELECT h.owner_column, h.owner_attnum) c LIMIT 1
$$;
COMMENT ON FUNCTION privacct._owner_column_of(privacct.history)
	IS 'whom a policy charged, by the name that the column has now in a table that it covered';

CREATE OR REPLACE FUNCTION privacct._path_of(h privacct.history) RETURNS name[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT c.path FROM (SELECT p.path FROM privacct.policy p WHERE p.policy_id = h.policy_id AND p.relation = h.relation
		UNION ALL SELECT h.path) c LIMIT 1
$$;
COMMENT ON FUNCTION privacct._path_of(privacct.history)
	IS 'the columns by which rows found their owners elsewhere, by the names that they have now';

-- Only where those tables are still above: the books of a table by itself, or below another, say nothing of them.
-- The policy of such rows that has forgotten its own way is not renewed by it either.
CREATE OR REPLACE FUNCTION privacct._keeps_keys(h privacct.history) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT NOT EXISTS (
		SELECT FROM (SELECT u.name, u.policy_id, row_number() OVER (PARTITION BY u.policy_id ORDER BY u.n) AS place
			FROM unnest(h.keys, h.key_policies) WITH ORDINALITY u(name, policy_id, n)) k
		JOIN privacct.policy q ON q.policy_id = k.policy_id
		WHERE q.path_keys[k.place] <> k.name AND q.path_to::oid IN (SELECT privacct._ancestors(h.relation)))
$$;
COMMENT ON FUNCTION privacct._keeps_keys(privacct.history)
	IS 'true if rows of other tables find their owners in a table by the columns by which they did before it left';

-- Of a history that a later one of them includes, nothing is to be said apart.  A unit may get what it has given: by
-- another table, long after this one left it.
CREATE OR REPLACE FUNCTION privacct._histories(members oid[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.* FROM privacct.history h
	WHERE h.relation = ANY (members) AND h.relation <> 0
	AND NOT EXISTS (SELECT FROM privacct.history g
		JOIN privacct.inherited i ON i.policy_id = privacct._books_of(g.policy_id)
		WHERE g.relation = ANY (members) AND g.policy_id > h.policy_id AND i.source = privacct._books_of(h.policy_id)
		AND NOT privacct._is_nothing(i)
		AND i.epsilon >= h.epsilon AND i.delta >= h.delta AND i.rho >= h.rho AND i.releases >= h.releases
		-- which says nothing of a table that is known by other columns by now
		AND privacct._owner_column_of(g) = privacct._owner_column_of(h)
		AND privacct._path_of(g) IS NOT DISTINCT FROM privacct._path_of(h) AND privacct._keeps_keys(h))
	ORDER BY h.policy_id, h.relation
$$;
COMMENT ON FUNCTION privacct._histories(oid[])
	IS 'under which policies tables were, but for those that a later one of them started from';

CREATE OR REPLACE FUNCTION privacct._is_forgotten(h privacct.history) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT '' = ANY (h.keys) IS TRUE AND NOT privacct._keeps_keys(h)
		OR CASE WHEN privacct._path_of(h) IS NULL THEN privacct._owner_column_of(h) = ''
			ELSE privacct._path_of(h) = '{}' END
$$;
COMMENT ON FUNCTION privacct._is_forgotten(privacct.history)
	IS 'true if it is not known any more whom a policy charged for the rows of a table';

CREATE OR REPLACE FUNCTION privacct._way(columns name[], keys name[]) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY(SELECT format('%I %I', w.column, w.key) FROM unnest(columns, keys) w("column", key) ORDER BY 1)
$$;
COMMENT ON FUNCTION privacct._way(name[], name[]) IS 'which columns refer to which, in whatever order';

-- By a column, or along the same foreign key, to the same key.  Whose rows that refers to is
-- asked of the other table: another unit starts from what it brings.
CREATE OR REPLACE FUNCTION privacct._same_owners(h privacct.history, p privacct.policy) RETURNS boolean
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._keeps_keys(h) AND CASE WHEN p.path IS NULL THEN privacct._owner_column_of(h) = p.owner_column
		ELSE EXISTS (SELECT FROM privacct.policy o WHERE o.policy_id = h.policy_id AND o.path_to = p.path_to
			AND privacct._way(privacct._path_of(h), o.path_keys) = privacct._way(p.path, p.path_keys)
			AND (o.unit = p.unit OR NOT EXISTS (SELECT FROM privacct._debts(h) d WHERE NOT privacct._covers(p,
				privacct._in_currency(d, h.accountant, h.promised_delta, p.accountant))))) END
$$;
COMMENT ON FUNCTION privacct._same_owners(privacct.history, privacct.policy)
	IS 'true if an earlier policy of a table charged the owners that a new one charges';

CREATE OR REPLACE FUNCTION privacct._check_same_owners(h privacct.history, relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	before name := privacct._owner_column_of(h);
BEGIN
	IF before = owner THEN
		RETURN;
	END IF;
	RAISE EXCEPTION 'the owner column of % cannot change', relation
		USING ERRCODE = '42PA4',
			DETAIL = CASE before WHEN ''
				THEN 'An earlier policy spent budget per owner of a column that was dropped or rewritten.'
				ELSE format('An earlier policy spent budget per "%s"; what each "%s" has lost is not known from that.',
					before, owner) END,
			HINT = CASE WHEN before = '' THEN 'Make a new table of the rows, and take into account what was spent.'
				-- a partition or child that was away
				WHEN h.relation <> relation::oid AND h.relation IN (SELECT privacct._tree(relation))
				THEN format('Give the columns of %s the names that they had in the tree, or take it out.',
					h.relation_name)
				ELSE format('Use owner => %L.', before) END;
END
$$;
COMMENT ON FUNCTION privacct._check_same_owners(privacct.history, regclass, name)
	IS 'who is charged stays the same over all policies of a table';

CREATE OR REPLACE FUNCTION privacct._check_same_terms(h privacct.history, p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF h.regime <> p.regime AND h.relation NOT IN (SELECT privacct._tree(p.relation)) THEN
		RAISE EXCEPTION 'table % cannot start from what % has spent', p.relation, h.relation_name
			USING ERRCODE = '42PA4',
				  DETAIL = format('That was spent under the regime "%s".', h.regime),
				  HINT = format('Leave it out of inherits, and use fresh => true: with an epsilon that is smaller by '
					'what the same persons may have lost there, unless the unit has been charged for that.  Or use '
					'regime => %L.', h.regime);
	ELSIF h.regime <> p.regime THEN
		RAISE EXCEPTION 'the regime of % cannot change', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('An earlier policy spent budget under the regime "%s".', h.regime),
				  HINT = format('Use regime => %L.', h.regime);
	ELSIF h.accountant <> p.accountant AND privacct._books_of(p.policy_id) = p.policy_id THEN
		RAISE EXCEPTION 'the accountant of % cannot change', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('An earlier policy spent budget under the accountant "%s".', h.accountant),
				  HINT = format('Use accountant => %L.', h.accountant);
	END IF;
	IF p.path IS NULL THEN
		PERFORM privacct._check_same_owners(h, p.relation, p.owner_column);
	ELSIF NOT privacct._same_owners(h, p) THEN
		PERFORM privacct._refuse_other_owners(h, p);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_same_terms(privacct.history, privacct.policy)
	IS 'regime, accountant and owner column are those of earlier policies';

CREATE OR REPLACE FUNCTION privacct._debts_of_all(histories privacct.history[], p privacct.policy)
	RETURNS privacct.inherited[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	h privacct.history;
	of_one privacct.inherited[];
	of_all privacct.inherited[] := '{}';
	books bigint := privacct._books_of(p.policy_id);
BEGIN
	FOREACH h IN ARRAY histories LOOP
		CONTINUE WHEN privacct._books_of(h.policy_id) = books;		-- it has them
		of_one := ARRAY(SELECT privacct._in_currency(d, h.accountant, h.promised_delta, p.accountant)
			FROM privacct._debts(h) d WHERE d.source <> books);
		IF EXISTS (SELECT FROM unnest(of_one) d WHERE NOT privacct._covers(p, d)) THEN		-- of what is there already
			PERFORM privacct._check_same_terms(h, p);
			of_all := of_all || of_one;
		END IF;
	END LOOP;
	RETURN coalesce(privacct._merged(of_all), '{}');
END
$$;
COMMENT ON FUNCTION privacct._debts_of_all(privacct.history[], privacct.policy)
	IS 'what several histories bring together, if a policy can start from all of them';

CREATE OR REPLACE FUNCTION privacct._inherited_sum(books bigint) RETURNS privacct.inherited
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT books, books, coalesce(sum(i.epsilon), 0), coalesce(sum(i.delta), 0), coalesce(sum(i.rho), 0),
		coalesce(sum(i.releases), 0)::bigint, coalesce(sum(i.spared_epsilon), 0), coalesce(sum(i.spared_delta), 0),
		NULL::float8[]
	FROM privacct.inherited i WHERE i.policy_id = books
$$;
COMMENT ON FUNCTION privacct._inherited_sum(bigint) IS 'what a policy started from, in all';

-- The ledger agrees with the account for every policy by itself.
CREATE OR REPLACE FUNCTION privacct._write_debts(books bigint, caller regrole, remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT books, now(), caller::text, caller::text, more.epsilon, more.delta, more.rho,
		jsonb_build_object('carried_from_policy', i.source) || remark
	FROM privacct.inherited i
	CROSS JOIN LATERAL (SELECT trim_scale(greatest(i.epsilon - coalesce(sum(l.epsilon), 0), 0)),
		trim_scale(greatest(i.delta - coalesce(sum(l.delta), 0), 0)),
		trim_scale(greatest(i.rho - coalesce(sum(l.rho), 0), 0))
		FROM privacct._carried l WHERE l.policy_id = books AND l.source = i.source) more(epsilon, delta, rho)
	WHERE i.policy_id = books AND (more.epsilon > 0 OR more.delta > 0 OR more.rho > 0)
	ORDER BY i.source;
END
$$;
COMMENT ON FUNCTION privacct._write_debts(bigint, regrole, jsonb)
	IS 'brings the ledger of a policy to what it inherited';

CREATE OR REPLACE FUNCTION privacct._add_inherited(books bigint, debts privacct.inherited[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	before privacct.inherited := privacct._inherited_sum(books);
	now privacct.inherited;
BEGIN
	INSERT INTO privacct.inherited AS i
	SELECT books, d.source, d.epsilon, d.delta, d.rho, d.releases, d.spared_epsilon, d.spared_delta, d.lost
		FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)
	ON CONFLICT ON CONSTRAINT inherited_pkey
		DO UPDATE SET (epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost) =
		(SELECT m.epsilon, m.delta, m.rho, m.releases, m.spared_epsilon, m.spared_delta, m.lost
			FROM unnest(privacct._merged(ARRAY[i, excluded]::privacct.inherited[])) m);
	now := privacct._inherited_sum(books);
	UPDATE privacct.account a SET epsilon = a.epsilon + now.epsilon - before.epsilon,
		delta = a.delta + now.delta - before.delta, rho = a.rho + now.rho - before.rho,
		releases = a.releases + now.releases - before.releases,
		spared_epsilon = a.spared_epsilon + now.spared_epsilon - before.spared_epsilon,
		spared_delta = a.spared_delta + now.spared_delta - before.spared_delta
	WHERE a.policy_id = books AND a.role = 0::regrole;
END
$$;
COMMENT ON FUNCTION privacct._add_inherited(bigint, privacct.inherited[])
	IS 'writes down from what a policy starts, and adds it to its total account';

-- Whoever is asked under the new policy may be the one who lost the most.
CREATE OR REPLACE FUNCTION privacct._write_losses(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	lost float8[] := (SELECT b.lost FROM privacct._lost_before b WHERE b.policy_id = p.policy_id);
BEGIN
	IF p.regime <> 'local' OR lost[1] IS NULL THEN
		RETURN;
	END IF;
	INSERT INTO privacct.likelihood AS k VALUES (p.policy_id, 0, '{}', 0, greatest(lost[2] - lost[1], 0), lost[1],
		coalesce(lost[3], 0), '{}', 0, 0, 0)
	ON CONFLICT ON CONSTRAINT likelihood_pkey DO UPDATE SET basic = greatest(k.basic, excluded.basic),
		central = greatest(k.central, excluded.central), rho = greatest(k.rho, excluded.rho);
	-- written anew in any case: whoever has read the states sees that they are others
	INSERT INTO privacct.owner_state_at AS a (policy_id, question, owners, states) VALUES (p.policy_id, 0, 0, 1)
	ON CONFLICT ON CONSTRAINT owner_state_at_pkey DO UPDATE SET question = a.question;
END
$$;
COMMENT ON FUNCTION privacct._write_losses(privacct.policy)
	IS 'local regime: every owner starts with the most that one of them lost before';

-- What was left out once is not asked of again.
CREATE OR REPLACE FUNCTION privacct._without_set_aside(p privacct.policy, old privacct.policy,
	histories privacct.history[]) RETURNS privacct.history[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.unrelated SELECT p.policy_id, u.source, u.epsilon, u.delta, u.rho, u.releases
		FROM privacct.unrelated u WHERE u.policy_id = old.policy_id
		AND EXISTS (SELECT FROM unnest(histories) h WHERE h.policy_id = old.policy_id AND h.relation = old.relation);
	RETURN ARRAY(SELECT h FROM unnest(histories) h WHERE NOT EXISTS (
		SELECT FROM privacct.unrelated u CROSS JOIN LATERAL privacct._own_spending(h) d
		WHERE u.policy_id = p.policy_id AND u.source = d.source AND NOT privacct._same_owners(h, p)
		AND NOT privacct._is_nothing(d)
		AND u.epsilon >= d.epsilon AND u.delta >= d.delta AND u.rho >= d.rho AND u.releases >= d.releases));
END
$$;
COMMENT ON FUNCTION privacct._without_set_aside(privacct.policy, privacct.policy, privacct.history[])
	IS 'histories but for those of which it was said that they do not count, as is written down for the new policy too';

-- Of an earlier owner column that was another one it is not known what each owner of the unit has lost.
CREATE OR REPLACE FUNCTION privacct._refuse_other_owners(h privacct.history, p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	before name := privacct._owner_column_of(h);
BEGIN
	RAISE EXCEPTION 'what % has spent is not known per owner of the unit', p.relation
		USING ERRCODE = '42PA4',
			DETAIL = CASE before WHEN ''
				THEN 'It was spent per owner of a column that was dropped or rewritten, or along other foreign keys, '
					'or to other keys.'
				WHEN p.owner_column
				THEN 'Rows of other tables found their owners here by other columns.'
				ELSE format('It was spent per "%s", and each owner of the unit may have lost many times as much.',
					before) END,
			HINT = 'If it is not to count, say fresh => true; privacct.odometer goes on showing it.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_other_owners(privacct.history, privacct.policy)
	IS 'refuses to carry into a unit what was charged to other owners';

CREATE OR REPLACE FUNCTION privacct._joining_histories(p privacct.policy, histories privacct.history[], caller regrole,
	fresh boolean) RETURNS privacct.history[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	h privacct.history;
	joining privacct.history[] := '{}';
	left_out privacct.history[] := '{}';
BEGIN
	FOREACH h IN ARRAY histories LOOP
		IF privacct._same_owners(h, p) OR NOT privacct._has_spent(h) THEN
			joining := joining || h;
		ELSIF fresh THEN
			left_out := left_out || h;
		ELSE
			PERFORM privacct._refuse_other_owners(h, p);
		END IF;
	END LOOP;
	PERFORM privacct._start_fresh(p, left_out, caller);
	RETURN joining;
END
$$;
COMMENT ON FUNCTION privacct._joining_histories(privacct.policy, privacct.history[], regrole, boolean)
	IS 'the histories that a table brings into a unit; the others were left out in so many words';

CREATE OR REPLACE FUNCTION privacct._check_no_slots(p privacct.policy, books bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.slot s WHERE s.policy_id = books) THEN
		RAISE EXCEPTION 'the unit of % has a plan', p.relation
			USING ERRCODE = '42PA4',
				DETAIL = 'The plan uses all that the unit promises, and the table brings what it has spent.',
				HINT = 'Let tables that have spent budget join before privacct.plan_budget() is called.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_no_slots(privacct.policy, bigint)
	IS 'nothing is added to what a policy starts from once its plan is made';

--
-- What roles have spent goes the way of the totals: for each policy that charged, the
-- largest of what the histories say, and nothing that the books have already.  Where the
-- table left before all of it was charged, no more than the total when it left.
--

CREATE OR REPLACE FUNCTION privacct._paid_before(p privacct.policy, histories privacct.history[])
	RETURNS TABLE (source bigint, payer name, epsilon numeric, delta numeric, rho numeric, charges bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	WITH books AS MATERIALIZED (SELECT privacct._books_of(h.policy_id) AS policy_id, min(h.accountant) AS accountant,
			min(h.promised_delta) AS promised_delta FROM unnest(histories) h
		WHERE privacct._books_of(h.policy_id) <> privacct._books_of(p.policy_id) GROUP BY 1),
	paid AS MATERIALIZED (SELECT c.source, c.payer, max(c.epsilon) AS epsilon, max(c.delta) AS delta, max(c.rho) AS rho,
			max(c.charges)::bigint AS charges
		FROM books b
		CROSS JOIN LATERAL (SELECT l.source, l.payer, sum(l.epsilon) AS epsilon, sum(l.delta) AS delta,
			sum(l.rho) AS rho, sum(l.charges)::bigint AS charges FROM privacct._paid l WHERE l.policy_id = b.policy_id
			GROUP BY 1, 2) l
		CROSS JOIN LATERAL (SELECT l.payer, i.source, i.epsilon, i.delta, i.rho, l.charges
			FROM privacct._in_currency(ROW(NULL, l.source, l.epsilon, l.delta, l.rho, greatest(l.charges, 1), 0, 0,
			NULL)::privacct.inherited, b.accountant, b.promised_delta, p.accountant) i) c
		GROUP BY 1, 2)
	SELECT n.source, n.payer, greatest(n.epsilon - o.epsilon, 0), greatest(n.delta - o.delta, 0),
		greatest(n.rho - o.rho, 0), n.charges
	FROM paid n
	CROSS JOIN LATERAL (SELECT coalesce(sum(l.epsilon), 0) AS epsilon, coalesce(sum(l.delta), 0) AS delta,
		coalesce(sum(l.rho), 0) AS rho FROM privacct._paid l
		WHERE l.policy_id = privacct._books_of(p.policy_id) AND l.source = n.source AND l.payer = n.payer) o
	WHERE n.epsilon > o.epsilon OR n.delta > o.delta OR n.rho > o.rho
$$;
COMMENT ON FUNCTION privacct._paid_before(privacct.policy, privacct.history[])
	IS 'what each payer was charged in the books that histories tell of, by the policy that charged it, in the '
	'currency of a new policy and without what its books have of that';

-- Roles are known by their numbers, whatever they were called when they paid.
CREATE OR REPLACE FUNCTION privacct._carry_accounts(p privacct.policy, histories privacct.history[],
	more privacct.inherited[]) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	WITH was AS MATERIALIZED (		-- all at once under one policy; under several, each what it charged
		SELECT a.role::oid AS role, max(least(a.epsilon, t.epsilon)) AS epsilon, max(least(a.delta, t.delta)) AS delta,
			max(least(a.rho, t.rho)) AS rho, max(least(a.releases, t.releases))::bigint AS releases
		FROM unnest(histories) h JOIN privacct.account a ON a.policy_id = privacct._books_of(h.policy_id)
		CROSS JOIN (SELECT sum(m.epsilon) AS epsilon, sum(m.delta) AS delta, sum(m.rho) AS rho,
			sum(m.releases) AS releases FROM unnest(more) m) t
		WHERE a.role <> 0::regrole AND a.policy_id <> privacct._books_of(p.policy_id)
		AND privacct._currency(h.accountant) = privacct._currency(p.accountant)
		AND NOT EXISTS (SELECT FROM privacct.account o WHERE o.policy_id = privacct._books_of(p.policy_id)
			AND o.role = a.role)
		GROUP BY 1),
	paid AS MATERIALIZED (
		SELECT r.oid AS role, sum(least(c.epsilon, m.epsilon)) AS epsilon, sum(least(c.delta, m.delta))
			AS delta, sum(least(c.rho, m.rho)) AS rho, sum(least(c.charges, m.releases))::bigint AS releases
		FROM privacct._paid_before(p, histories) c JOIN unnest(more) m ON m.source = c.source
		JOIN pg_roles r ON r.rolname = c.payer
		-- whoever declares pays for nothing: what is carried over is in its name only
		WHERE EXISTS (SELECT FROM privacct.quota q WHERE q.role = r.oid)
			OR EXISTS (SELECT FROM privacct.account o WHERE o.role = r.oid)
		GROUP BY r.oid)
	INSERT INTO privacct.account AS a (policy_id, role, epsilon, delta, rho, releases)
	SELECT privacct._books_of(p.policy_id), role, greatest(w.epsilon, c.epsilon), greatest(w.delta, c.delta),
		greatest(w.rho, c.rho), greatest(w.releases, c.releases)
	FROM was w FULL JOIN paid c USING (role)
	ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = a.epsilon + excluded.epsilon,
		delta = a.delta + excluded.delta, rho = a.rho + excluded.rho, releases = a.releases + excluded.releases
$$;
COMMENT ON FUNCTION privacct._carry_accounts(privacct.policy, privacct.history[], privacct.inherited[])
	IS 'adds to the accounts of roles what they were charged in the books that histories tell of, as far as the '
	'policy starts from that';

CREATE OR REPLACE FUNCTION privacct._carry_payers(p privacct.policy, histories privacct.history[],
	more privacct.inherited[], caller regrole, remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	PERFORM privacct._carry_accounts(p, histories, more);
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT privacct._books_of(p.policy_id), now(), caller::text, c.payer, c.epsilon, c.delta, c.rho,
		jsonb_build_object('carried_from_policy', c.source, 'charges', c.charges) || remark
	FROM (SELECT b.*, sum(b.epsilon) OVER s AS all_epsilon, sum(b.delta) OVER s AS all_delta,
			sum(b.rho) OVER s AS all_rho FROM privacct._paid_before(p, histories) b
		WINDOW s AS (PARTITION BY b.source)) c
	JOIN unnest(more) m ON m.source = c.source
	-- or the ledger would say more than the account
	WHERE c.all_epsilon <= m.epsilon AND c.all_delta <= m.delta AND c.all_rho <= m.rho
	ORDER BY c.source, c.payer;
END
$$;
COMMENT ON FUNCTION privacct._carry_payers(privacct.policy, privacct.history[], privacct.inherited[], regrole, jsonb)
	IS 'carries over who was charged what a policy starts from';

-- By how much the debts of some books have grown.
CREATE OR REPLACE FUNCTION privacct._grown(before privacct.inherited[], books bigint) RETURNS privacct.inherited[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(array_agg(ROW(books, i.source, i.epsilon - coalesce(b.epsilon, 0), i.delta - coalesce(b.delta, 0),
		i.rho - coalesce(b.rho, 0), i.releases - coalesce(b.releases, 0), 0, 0, NULL)::privacct.inherited), '{}')
	FROM privacct.inherited i LEFT JOIN unnest(before) b ON b.source = i.source WHERE i.policy_id = books
$$;
COMMENT ON FUNCTION privacct._grown(privacct.inherited[], bigint) IS 'what a policy starts from that it did not before';

CREATE OR REPLACE FUNCTION privacct._start_from(p privacct.policy, histories privacct.history[], caller regrole,
	remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	books bigint := privacct._books_of(p.policy_id);
	debts privacct.inherited[] := privacct._debts_of_all(histories, p);
	before privacct.inherited[] := ARRAY(SELECT i FROM privacct.inherited i WHERE i.policy_id = books);
	spent privacct.account;
BEGIN
	IF NOT EXISTS (SELECT FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)) THEN
		RETURN;
	END IF;
	PERFORM privacct._await_charges(books);
	PERFORM privacct._check_no_slots(p, books);
	PERFORM privacct._add_inherited(books, debts);
	PERFORM privacct._carry_payers(p, histories, privacct._grown(before, books), caller,
		remark - 'promised_by_plan');
	PERFORM privacct._write_debts(books, caller, remark);
	PERFORM privacct._write_losses(p);
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = books AND a.role = 0::regrole;
	RAISE NOTICE 'what % has spent before is carried over', p.relation
		USING DETAIL = format('%sEpsilon %s, delta %s, rho %s in %s releases.',
			CASE WHEN books <> p.policy_id THEN 'With it the account of the unit says: ' END, spent.epsilon,
			spent.delta, spent.rho, spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._start_from(privacct.policy, privacct.history[], regrole, jsonb)
	IS 'adds what histories bring to the books of a new policy';

--
-- Who is covered
--

-- What a table was called under earlier policies, it is known by under each that follows.
CREATE OR REPLACE FUNCTION privacct._join(p privacct.policy, member oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	d record := privacct._describe(member);
BEGIN
	UPDATE privacct.history h SET left_at = NULL, epsilon = NULL, delta = NULL, rho = NULL, releases = NULL,
		spared_epsilon = NULL, spared_delta = NULL, lost = NULL, keys = NULL, key_policies = NULL,
		owner_column = p.owner_column, owner_attnum = privacct._column_number(member, p.owner_column), path = p.path
	WHERE h.policy_id = p.policy_id AND h.relation = member;
	IF NOT FOUND THEN
		INSERT INTO privacct.history (policy_id, relation, relation_name, names, table_owner, owners, columns,
			column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta, path,
			owner_attnum, left_at, epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost, keys,
			key_policies)
		VALUES (p.policy_id, member, d.relation_name,
			ARRAY(SELECT unnest(h.names) FROM privacct.history h WHERE h.relation = member
				UNION SELECT d.relation_name ORDER BY 1), d.table_owner,
			ARRAY(SELECT unnest(h.owners)::oid FROM privacct.history h WHERE h.relation = member
				UNION SELECT d.owner ORDER BY 1)::privacct.role_reference[], coalesce(d.columns, ''),
			ARRAY(SELECT unnest(h.column_lists) FROM privacct.history h WHERE h.relation = member
				UNION SELECT coalesce(d.columns, '') ORDER BY 1),
			p.owner_column, p.regime, p.accountant, p.epsilon, p.delta, p.path,
			NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._join(privacct.policy, oid) IS 'a table is covered by a policy from now on';

-- By their names in the tree; of a table with several policies that found its owners in the same way, one says it all.
CREATE OR REPLACE FUNCTION privacct._keys_under(id bigint, OUT keys name[], OUT key_policies bigint[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT coalesce(array_agg(k.name ORDER BY q.policy_id, k.place), '{}'),
		coalesce(array_agg(q.policy_id ORDER BY q.policy_id, k.place), '{}')
	FROM (SELECT max(r.policy_id) AS policy_id, r.path_keys FROM privacct.policy r
		WHERE r.path_to::oid > 0::oid
		AND EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = id AND h.relation = r.path_to)
		GROUP BY r.relation::oid, r.path, r.path_to::oid, r.path_keys) q
	CROSS JOIN LATERAL unnest(q.path_keys) WITH ORDINALITY k(name, place)
$$;
COMMENT ON FUNCTION privacct._keys_under(bigint)
	IS 'by which columns of tables that a policy covers rows of other tables find their owners, as a history keeps it';

CREATE OR REPLACE FUNCTION privacct._leave(id bigint, member oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	h privacct.history;
	own privacct.inherited;
	referred record := privacct._keys_under(id);
BEGIN
	FOR h IN SELECT q.* FROM privacct.history q WHERE q.policy_id = id AND q.relation = member AND q.left_at IS NULL
	LOOP
		own := privacct._own_spending(h);
		UPDATE privacct.history q SET left_at = now(), epsilon = own.epsilon, delta = own.delta, rho = own.rho,
			releases = own.releases,
			spared_epsilon = own.spared_epsilon, spared_delta = own.spared_delta, lost = own.lost,
			keys = referred.keys, key_policies = referred.key_policies
		WHERE q.policy_id = id AND q.relation = member AND q.relation_name = h.relation_name AND q.left_at IS NULL;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._leave(bigint, oid)
	IS 'a table is no longer covered by a policy, and takes with it what the policy has charged';

-- Whatever closes a policy: unprotect(), DROP TABLE, a superuser.
CREATE OR REPLACE FUNCTION privacct._on_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._leave(h.policy_id, h.relation) FROM privacct.history h WHERE h.policy_id = NEW.policy_id
		AND h.left_at IS NULL;
	PERFORM privacct._close_edition(NEW), privacct._thaw(NEW.relation) WHERE NEW.edition IS NOT NULL;
	PERFORM privacct._forget_releases(NEW.policy_id);
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_closing() IS 'all tables leave a policy that is closed, and its releases are '
	'not repeated';

-- Policies of which no history was kept, of 0.1 or restored from a dump of it, are noted
-- as they come: nobody has to look for them among all.
CREATE TABLE IF NOT EXISTS privacct.unwritten (policy_id bigint PRIMARY KEY);
COMMENT ON TABLE privacct.unwritten
	IS 'policies of which no history may be written yet, since they were not made by protect(); not dumped';
COMMENT ON COLUMN privacct.unwritten.policy_id IS 'the policy';

CREATE OR REPLACE FUNCTION privacct._note_unwritten() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	INSERT INTO privacct.unwritten SELECT p.policy_id FROM privacct.policy p
	WHERE p.name IS NULL AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id) ON CONFLICT
		ON CONSTRAINT unwritten_pkey DO NOTHING
$$;
COMMENT ON FUNCTION privacct._note_unwritten() IS 'looks for policies without a history';

CREATE OR REPLACE FUNCTION privacct._on_policies() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.unwritten SELECT n.policy_id FROM new_policy n
	WHERE n.name IS NULL AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = n.policy_id) ON CONFLICT
		ON CONSTRAINT unwritten_pkey DO NOTHING;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_policies() IS 'notes policies without a history';

-- They get one, each by the table that it was declared for.  What they carried over is in
-- the ledger.
CREATE OR REPLACE FUNCTION privacct._complete_history() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	p privacct.policy;
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.unwritten) THEN
		RETURN;
	END IF;
	FOR p IN SELECT q.* FROM privacct.unwritten u JOIN privacct.policy q ON q.policy_id = u.policy_id
		WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = q.policy_id) ORDER BY q.policy_id LOOP
		INSERT INTO privacct.inherited
		SELECT p.policy_id, c.source, c.epsilon, c.delta, c.rho, coalesce(a.releases, 0), coalesce(a.spared_epsilon, 0),
			coalesce(a.spared_delta, 0),
			CASE WHEN o.regime = 'local' THEN coalesce(o.lost, ARRAY[o.epsilon, o.epsilon, 0]::float8[]) END
		FROM (SELECT l.source, sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho
			  FROM privacct._carried l WHERE l.policy_id = p.policy_id AND l.source IS NOT NULL GROUP BY 1) c
		LEFT JOIN privacct.policy o ON o.policy_id = c.source
		LEFT JOIN privacct.account a ON a.policy_id = c.source AND a.role = 0::regrole
		ON CONFLICT ON CONSTRAINT inherited_pkey DO NOTHING;
		PERFORM privacct._join(p, m) FROM privacct._tree(p.relation) m
			WHERE EXISTS (SELECT FROM pg_class c WHERE c.oid = p.relation) AND (m = p.relation OR p.closed_at IS NULL);
		INSERT INTO privacct.history (policy_id, relation, relation_name, names, table_owner, owners, columns,
			column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta, path,
			owner_attnum, left_at, epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost, keys,
			key_policies)
		SELECT p.policy_id, 0::oid, p.relation_name, ARRAY[p.relation_name], p.created_by, '{}', '', '{}',
			p.owner_column, p.regime, p.accountant, p.epsilon, p.delta, NULL,
			NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
		WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id);
		PERFORM privacct._leave(q.policy_id, q.relation) FROM privacct.history q WHERE q.policy_id = p.policy_id
			AND p.closed_at IS NOT NULL;
	END LOOP;
	-- not what somebody else's restore has noted meanwhile
	DELETE FROM privacct.unwritten u WHERE EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = u.policy_id)
		OR NOT EXISTS (SELECT FROM privacct.policy q WHERE q.policy_id = u.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._complete_history() IS 'writes the history of policies that have none';

CREATE OR REPLACE FUNCTION privacct._covers(p privacct.policy, debt privacct.inherited) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._is_nothing(debt) OR debt.source = privacct._books_of(p.policy_id) OR EXISTS (
		SELECT FROM privacct.inherited i WHERE i.policy_id = privacct._books_of(p.policy_id) AND i.source = debt.source
		AND CASE privacct._currency(p.accountant) WHEN 'rho' THEN i.rho >= debt.rho
			ELSE i.epsilon - i.spared_epsilon >= debt.epsilon - debt.spared_epsilon END
		AND i.delta - i.spared_delta >= debt.delta - debt.spared_delta AND i.releases >= debt.releases)
$$;
COMMENT ON FUNCTION privacct._covers(privacct.policy, privacct.inherited)
	IS 'true if the account of a policy has all of a debt';

CREATE OR REPLACE FUNCTION privacct._check_covered(p privacct.policy, member regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	debt privacct.inherited;
BEGIN
	PERFORM privacct._complete_history();
	SELECT d.* INTO debt FROM privacct._histories(ARRAY[member::oid]) h CROSS JOIN LATERAL privacct._debts(h) d
	WHERE NOT privacct._covers(p, privacct._in_currency(d, h.accountant, h.promised_delta, p.accountant)) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'table % has spent budget that is not in the account of %', member, p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Policy %s charged its rows epsilon %s, delta %s, rho %s in %s releases.',
					debt.source, debt.epsilon, debt.delta, debt.rho, debt.releases),
				  HINT = format('In one transaction: SELECT privacct.unprotect(%1$L); then this statement; then SELECT '
					'privacct.protect(%1$L, ...), which starts from what both have spent. Or load the rows into a '
					'table without a history.', p.relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_covered(privacct.policy, regclass)
	IS 'a table that comes under an open policy brings nothing that the policy has not charged or inherited';

CREATE OR REPLACE FUNCTION privacct._tells_others(h privacct.history, p privacct.policy) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT NOT privacct._keeps_keys(h) OR CASE WHEN p.path IS NULL
		THEN privacct._owner_column_of(h) IS DISTINCT FROM p.owner_column
		ELSE privacct._way(privacct._path_of(h), (SELECT o.path_keys FROM privacct.policy o
			WHERE o.policy_id = h.policy_id)) IS DISTINCT FROM privacct._way(p.path, p.path_keys) END
$$;
COMMENT ON FUNCTION privacct._tells_others(privacct.history, privacct.policy)
	IS 'true if a table would be covered by a policy by other columns than those by which it was known before';

-- By the name that the column has now, which was followed while the table was away: another one may have the name of
-- the owner column by then.
CREATE OR REPLACE FUNCTION privacct._check_remembered(p privacct.policy, member regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	known record;
BEGIN
	SELECT privacct._is_forgotten(h) AS forgotten INTO known
	FROM privacct.history h WHERE h.relation = member AND (privacct._is_forgotten(h) OR privacct._tells_others(h, p))
		AND privacct._has_spent(h)
	ORDER BY 1 DESC LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'rows of % may belong to others than before', member
			USING ERRCODE = '42PA4',
				  DETAIL = format('A column that tells their owners %s; what each owner has lost is not known from the '
					'account of %s.', CASE WHEN known.forgotten THEN 'was dropped or rewritten, or another may have '
					'its name' ELSE 'has another name now' END, p.relation),
				  HINT = CASE WHEN known.forgotten
					THEN 'Load the rows into a table without a history, and take into account what was spent.'
					ELSE 'Give the columns the names that they had in the tree.' END;
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_remembered(privacct.policy, regclass)
	IS 'a table that comes back under a policy has the owners that it had';

CREATE OR REPLACE FUNCTION privacct._sync_members(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	members oid[] := ARRAY(SELECT privacct._tree(p.relation));
	newcomer oid;
BEGIN
	PERFORM privacct._leave(h.policy_id, h.relation) FROM privacct.history h WHERE h.policy_id = p.policy_id
		AND h.left_at IS NULL AND h.relation <> ALL (members);
	FOR newcomer IN
		SELECT c.oid FROM pg_class c WHERE c.oid = ANY (members)		-- not what somebody else dropped just now
		EXCEPT SELECT h.relation::oid FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
	LOOP
		PERFORM privacct._check_covered(p, newcomer);
		PERFORM privacct._check_remembered(p, newcomer);
		PERFORM privacct._check_no_stranger(p, newcomer);
		PERFORM privacct._check_name(p, newcomer, d.relation_name, '{}'),
			privacct._check_column_list(p, newcomer, d.columns) FROM privacct._describe(newcomer) d;
		PERFORM privacct._join(p, newcomer), privacct._mark(newcomer),
			privacct._warn_of_triggers(p, ARRAY[newcomer]), privacct._warn_of_subscriptions(ARRAY[newcomer]);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._sync_members(privacct.policy)
	IS 'writes down which tables came under a policy and which left it';

--
-- Tables that are altered and dropped
--

CREATE OR REPLACE FUNCTION privacct._describe_again(members oid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	there oid[] := ARRAY(SELECT c.oid FROM pg_class c WHERE c.oid = ANY (members));		-- not what was dropped
BEGIN
	UPDATE privacct.history h
	SET relation_name = d.relation_name, table_owner = d.table_owner, columns = coalesce(d.columns, ''),
		names = CASE WHEN d.relation_name = ANY (h.names) THEN h.names ELSE h.names || d.relation_name END,
		owners = CASE WHEN d.owner = ANY (h.owners::oid[]) THEN h.owners
			ELSE h.owners || d.owner::privacct.role_reference END,
		column_lists = CASE WHEN d.columns = ANY (h.column_lists) THEN h.column_lists
			ELSE h.column_lists || d.columns END
	FROM unnest(there) m(oid) CROSS JOIN LATERAL privacct._describe(m.oid) d
	WHERE h.relation = ANY (there) AND h.relation = m.oid
	AND ((h.relation_name, h.table_owner, h.columns) IS DISTINCT
		FROM (d.relation_name, d.table_owner, coalesce(d.columns, '')) OR d.owner <> ALL (h.owners::oid[]));
END
$$;
COMMENT ON FUNCTION privacct._describe_again(oid[]) IS 'keeps what is written of tables with a history as they are now';

--
-- What happened while nobody followed.
--
-- Event triggers do not fire in single-user mode, nor while somebody has disabled them
-- in the catalog itself.  Both leave a trace: the server was started since, or a row of
-- the catalog is another one than before.  Then every table with a history is described
-- again, once, by whoever is the next to ask what looks like it; with triggers that are
-- not all there, each time.
--

CREATE TABLE IF NOT EXISTS privacct.followed (
	one boolean PRIMARY KEY DEFAULT true CHECK (one),
	server_started_at timestamptz NOT NULL,
	triggers text NOT NULL
);
COMMENT ON TABLE privacct.followed
	IS 'since when all changes of tables with a history have been followed: one row; not dumped';
COMMENT ON COLUMN privacct.followed.server_started_at IS 'the start of the server when they were described last';
COMMENT ON COLUMN privacct.followed.triggers
	IS 'the event triggers at that time, and their functions: numbers, and transactions that made them what they were';

CREATE OR REPLACE FUNCTION privacct._followers(OUT triggers text, OUT whole boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT string_agg(concat_ws(' ', e.oid, e.xmin, f.oid, f.xmin), ', ' ORDER BY e.oid),
		bool_and(e.evtenabled = 'A') AND count(*) >= (SELECT count(*) FROM privacct.made m
			WHERE m.object >= 'event trigger ' AND m.object < 'event trigger~')
	FROM pg_event_trigger e JOIN pg_proc f ON f.oid = e.evtfoid WHERE e.evtname ~ '^privacct_'
$$;
COMMENT ON FUNCTION privacct._followers()
	IS 'what follows changes of tables, as it is in the catalog now, and whether all of it is there and enabled';

CREATE OR REPLACE FUNCTION privacct._catch_up() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	now record := privacct._followers();
BEGIN
	IF now.whole AND EXISTS (SELECT FROM privacct.followed f WHERE f.server_started_at = pg_postmaster_start_time()
		AND f.triggers = now.triggers) THEN
		RETURN;
	END IF;
	PERFORM privacct._describe_again(ARRAY(SELECT DISTINCT h.relation::oid FROM privacct.history h
		WHERE h.relation <> 0::oid));
	-- nobody waits for whoever is doing so: then it is done twice
	INSERT INTO privacct.followed (server_started_at, triggers)
	SELECT pg_postmaster_start_time(), now.triggers
	WHERE pg_try_advisory_xact_lock('privacct.followed'::regclass::oid::bigint)
	ON CONFLICT ON CONSTRAINT followed_pkey DO UPDATE SET server_started_at = excluded.server_started_at,
		triggers = excluded.triggers;
END
$$;
COMMENT ON FUNCTION privacct._catch_up()
	IS 'describes tables with a history again if something may have happened to them that was not followed';

-- Partitions, children and tables of a type take the new name without a command of their own.
CREATE OR REPLACE FUNCTION privacct._follow_owner_column(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
BEGIN
	UPDATE privacct.history h SET owner_column = coalesce(privacct._column_called(h.relation, h.owner_attnum),
		privacct._column_called(_follow_owner_column.relation, _follow_owner_column.attnum::int2))
	WHERE h.relation IN (SELECT privacct._family(_follow_owner_column.relation)) AND h.owner_column <> ''
	AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = h.relation AND a.attname = h.owner_column
		AND a.attnum > 0 AND NOT a.attisdropped);
	UPDATE privacct.history h SET path = privacct._renamed(h.path, l.live, n.new_name),
		keys = privacct._renamed(h.keys, l.live, n.new_name)
	FROM privacct._column_called(_follow_owner_column.relation, _follow_owner_column.attnum::int2) n(new_name),
		privacct._family(_follow_owner_column.relation) f(member)
		CROSS JOIN LATERAL (SELECT ''::name || ARRAY(SELECT a.attname
			FROM pg_attribute a WHERE a.attrelid = f.member AND a.attnum > 0 AND NOT a.attisdropped) AS live) l
	WHERE h.relation = f.member AND (NOT h.path <@ l.live OR NOT h.keys <@ l.live);
END
$$;
COMMENT ON FUNCTION privacct._follow_owner_column(oid, int)
	IS 'carries a renamed column over into the histories of its table';

-- What a table is called, and who is above it, is written down of the policies that the transaction sees.
CREATE OR REPLACE FUNCTION privacct._check_members_seen(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.history h WHERE h.relation = ANY (touched))
		OR EXISTS (SELECT FROM unnest(touched) t CROSS JOIN LATERAL privacct._ancestors(t) a(relation)
			JOIN privacct.policy p ON p.relation = a.relation::oid WHERE p.closed_at IS NULL) THEN
		PERFORM privacct._require_read_committed();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_members_seen(oid[])
	IS 'tables with a history, and what comes under a policy, are changed under READ COMMITTED only';

CREATE OR REPLACE FUNCTION privacct._on_member_change() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	touched oid[];
	concerned bigint[];
	p privacct.policy;
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		IF privacct._is_unconcerned() THEN
			RETURN;
		END IF;
	END IF;
	touched := ARRAY(SELECT DISTINCT c.objid FROM pg_event_trigger_ddl_commands() c
		WHERE c.classid = 'pg_class'::regclass);
	PERFORM privacct._follow_owner_column(c.objid, c.objsubid) FROM pg_event_trigger_ddl_commands() c
	WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
	touched := ARRAY(SELECT DISTINCT privacct._family(t) FROM unnest(touched) t
		-- pg_class has no index of schemas; an extension takes its tables with it
		UNION SELECT d.objid FROM pg_event_trigger_ddl_commands() c
		JOIN pg_depend d ON d.refclassid = c.classid AND d.refobjid = c.objid AND d.classid = 'pg_class'::regclass
		WHERE c.classid IN ('pg_namespace'::regclass, 'pg_extension'::regclass)
		AND EXISTS (SELECT FROM privacct.history h WHERE h.relation = d.objid OFFSET 0));
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_members_seen', touched);
	END IF;
	IF NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = ANY (touched))
		AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.relation = ANY (touched)) THEN
		RETURN;
	END IF;
	PERFORM privacct._describe_again(touched);
	concerned := ARRAY(SELECT o.policy_id FROM privacct.policy o
		WHERE o.relation = ANY (touched || ARRAY(SELECT privacct._ancestors(t) FROM unnest(touched) t))
		UNION SELECT h.policy_id FROM privacct.history h WHERE h.relation = ANY (touched) AND h.left_at IS NULL);
	FOR p IN SELECT * FROM (SELECT * FROM privacct.policy q WHERE q.policy_id = ANY (concerned) OFFSET 0) o
		WHERE o.closed_at IS NULL ORDER BY o.policy_id LOOP
		PERFORM privacct._sync_members(p);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_member_change()
	IS 'follows tables with a history, and refuses to bring them under a policy that does not know it';

-- The library looks before: _owners_rewritten.  An event trigger is not told which column is rewritten.
CREATE OR REPLACE FUNCTION privacct._on_member_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	rewritten regclass := pg_event_trigger_table_rewrite_oid();
BEGIN
	IF pg_event_trigger_table_rewrite_reason() & 4 <> 0		-- of columns
		AND current_setting('privacct.queue_size', true) IS NULL
		AND (EXISTS (SELECT FROM privacct.history h WHERE h.relation = rewritten)
			OR EXISTS (SELECT FROM privacct.policy p WHERE p.relation = rewritten)
			OR EXISTS (SELECT FROM privacct.policy p WHERE p.path_to = rewritten)) THEN
		RAISE EXCEPTION 'columns of % are not rewritten without the library', rewritten
			USING ERRCODE = '42PA4',
				DETAIL = 'The books know whose rows it has; without the library nobody sees whether that changes.',
				HINT = 'Add privacct to shared_preload_libraries and restart the server.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_member_rewrite()
	IS 'refuses, without the library, to rewrite columns of tables whose owners the books know';

-- The name of this trigger is after that of privacct_drop, which closes policies.
CREATE OR REPLACE FUNCTION privacct._on_member_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	d record;
BEGIN
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_members_seen',
			ARRAY(SELECT o.objid FROM pg_event_trigger_dropped_objects() o WHERE o.classid = 'pg_class'::regclass));
	END IF;
	FOR d IN SELECT o.objid, o.objsubid, o.address_names FROM pg_event_trigger_dropped_objects() o
		WHERE o.classid = 'pg_class'::regclass AND EXISTS (SELECT FROM privacct.history h WHERE h.relation = o.objid)
	LOOP
		IF d.objsubid <> 0 THEN
			UPDATE privacct.history h SET owner_column = '' WHERE h.relation = d.objid
				AND h.owner_column = d.address_names[3];
			PERFORM privacct._forget_members(ARRAY[d.objid], d.address_names[3]);
			PERFORM privacct._describe_again(ARRAY[d.objid]);
			CONTINUE;
		END IF;
		PERFORM privacct._leave(h.policy_id, h.relation) FROM privacct.history h WHERE h.relation = d.objid
			AND h.left_at IS NULL;
		UPDATE privacct.history h SET relation = 0::oid WHERE h.relation = d.objid;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_member_drop() IS 'keeps the history of a table that is dropped';
