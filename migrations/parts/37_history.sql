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

CREATE OR REPLACE FUNCTION privacct._owner_key_is(type_name name, type oid) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_owner_key_is_sql' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._owner_key_is(name, oid)
	IS 'true if owners of a type have the keys that they have as another';

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
	FOR p IN SELECT * FROM privacct.policy q WHERE q.owner_column = _owners_rewritten.column_name
		AND q.relation::oid = ANY (family) LOOP
		-- local: the books of an open policy are kept by keys of owners; once it is closed, the
		-- most that one of them lost is everybody's
		CONTINUE WHEN apart AND (p.closed_at IS NOT NULL OR p.regime <> 'local');
		IF p.closed_at IS NULL THEN
			RAISE EXCEPTION 'column "%" is the owner column of the protected table %', column_name, p.relation
				USING ERRCODE = 'PA004',
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
		END IF;
		UPDATE privacct.policy q SET owner_column = '' WHERE q.policy_id = p.policy_id;
	END LOOP;
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

-- Of columns by their names: the same values have many types, and types are renamed.
CREATE OR REPLACE FUNCTION privacct._describe(relation oid, OUT relation_name text, OUT table_owner name, OUT owner oid,
	OUT columns text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT format('%I.%I', n.nspname, c.relname), pg_get_userbyid(c.relowner), c.relowner,
		(SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation
$$;
COMMENT ON FUNCTION privacct._describe(oid) IS 'by what a table is known again';

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
CREATE OR REPLACE FUNCTION privacct._own_spending(h privacct.history) RETURNS privacct.inherited
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	own privacct.inherited;
	account privacct.account;
	gone boolean;
	promised boolean;
BEGIN
	IF h.left_at IS NOT NULL THEN
		RETURN ROW(h.policy_id, h.policy_id, h.epsilon, h.delta, h.rho, h.releases, h.spared_epsilon, h.spared_delta,
			h.lost)::privacct.inherited;
	END IF;
	PERFORM privacct._await_charges(h.policy_id);
	SELECT a.* INTO account FROM privacct.account a WHERE a.policy_id = h.policy_id AND a.role = 0::regrole;
	gone := privacct._books_are_gone(h.policy_id);
	promised := gone OR (h.accountant = 'plan' AND privacct._plan_is_used(h.policy_id));
	-- where account and ledger differ, the larger counts
	SELECT h.policy_id, h.policy_id,
		greatest(account.epsilon - before.epsilon, charged.epsilon,
			CASE WHEN promised THEN h.promised_epsilon - before.epsilon END, 0),
		greatest(account.delta - before.delta, charged.delta,
			CASE WHEN promised THEN h.promised_delta - before.delta END, 0),
		greatest(account.rho - before.rho, charged.rho, CASE WHEN gone THEN h.promised_epsilon - before.rho END, 0),
		greatest(account.releases - before.releases, charged.releases, CASE WHEN gone THEN 1 END, 0),
		least(greatest(account.spared_epsilon - before.spared_epsilon, 0), charged.named_epsilon),
		least(greatest(account.spared_delta - before.spared_delta, 0), charged.named_delta), NULL
	INTO own
	FROM (SELECT coalesce(sum(i.epsilon), 0) AS epsilon, coalesce(sum(i.delta), 0) AS delta,
		coalesce(sum(i.rho), 0) AS rho, coalesce(sum(i.releases), 0) AS releases,
			coalesce(sum(i.spared_epsilon), 0) AS spared_epsilon, coalesce(sum(i.spared_delta), 0) AS spared_delta
		  FROM privacct.inherited i WHERE i.policy_id = h.policy_id) before,
		(SELECT c.epsilon, c.delta, c.rho, c.charges AS releases, c.named_epsilon, c.named_delta
			FROM privacct._charged c WHERE c.policy_id = h.policy_id) charged;
	own.lost := CASE WHEN own.releases > 0 THEN privacct._lost_under(h) END;
	RETURN own;
END
$$;
COMMENT ON FUNCTION privacct._own_spending(privacct.history)
	IS 'what a policy itself has charged while it covered a table';

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
	RETURN QUERY SELECT i.* FROM privacct.inherited i WHERE i.policy_id = h.policy_id;
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

-- Of a history that another one of them includes, nothing is to be said apart.
CREATE OR REPLACE FUNCTION privacct._histories(members oid[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
	SELECT h.* FROM privacct.history h
	WHERE h.relation = ANY (members) AND h.relation <> 0
	AND NOT EXISTS (SELECT FROM privacct.history g JOIN privacct.inherited i ON i.policy_id = g.policy_id
		WHERE g.relation = ANY (members) AND i.source = h.policy_id AND NOT privacct._is_nothing(i)
		AND i.epsilon >= h.epsilon AND i.delta >= h.delta AND i.rho >= h.rho AND i.releases >= h.releases)
	ORDER BY h.policy_id, h.relation
$$;
COMMENT ON FUNCTION privacct._histories(oid[])
	IS 'under which policies tables were, but for those that a later one of them started from';

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

CREATE OR REPLACE FUNCTION privacct._check_same_owners(h privacct.history, relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	before name := privacct._owner_column_of(h);
BEGIN
	IF before = owner THEN
		RETURN;
	END IF;
	RAISE EXCEPTION 'the owner column of % cannot change', relation
		USING ERRCODE = 'PA004',
			DETAIL = CASE before WHEN ''
				THEN 'An earlier policy spent budget per owner of a column that was dropped or rewritten.'
				ELSE format('An earlier policy spent budget per "%s"; what each "%s" has lost is not known from that.',
					before, owner) END,
			HINT = CASE before WHEN '' THEN 'Make a new table of the rows, and take into account what was spent.'
				ELSE format('Use owner => %L.', before) END;
END
$$;
COMMENT ON FUNCTION privacct._check_same_owners(privacct.history, regclass, name)
	IS 'who is charged stays the same over all policies of a table';

CREATE OR REPLACE FUNCTION privacct._check_same_terms(h privacct.history, p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF h.regime <> p.regime THEN
		RAISE EXCEPTION 'the regime of % cannot change', p.relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the regime "%s".', h.regime),
				  HINT = format('Use regime => %L.', h.regime);
	ELSIF h.accountant <> p.accountant THEN
		RAISE EXCEPTION 'the accountant of % cannot change', p.relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the accountant "%s".', h.accountant),
				  HINT = format('Use accountant => %L.', h.accountant);
	END IF;
	PERFORM privacct._check_same_owners(h, p.relation, p.owner_column);
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
BEGIN
	FOREACH h IN ARRAY histories LOOP
		of_one := ARRAY(SELECT d FROM privacct._debts(h) d);
		IF EXISTS (SELECT FROM unnest(of_one) d WHERE NOT privacct._is_nothing(d)) THEN
			PERFORM privacct._check_same_terms(h, p);
			of_all := of_all || of_one;
		END IF;
	END LOOP;
	RETURN coalesce(privacct._merged(of_all), '{}');
END
$$;
COMMENT ON FUNCTION privacct._debts_of_all(privacct.history[], privacct.policy)
	IS 'what several histories bring together, if a policy can start from all of them';

-- Lines of the ledger for each earlier payer, from the last policy of the same table.
CREATE OR REPLACE FUNCTION privacct._copy_charges(old privacct.policy, successor bigint, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT successor, now(), caller::text, c.payer, c.epsilon, c.delta, c.rho,
		jsonb_build_object('carried_from_policy', c.source, 'charges', c.charges)
	FROM (SELECT l.source, l.payer, sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho,
		sum(l.charges) AS charges
		  FROM privacct._paid l WHERE l.policy_id = old.policy_id GROUP BY 1, 2) c
	ORDER BY c.source, c.payer;
	INSERT INTO privacct.account (policy_id, role, epsilon, delta, rho, releases)
	SELECT successor, a.role, a.epsilon, a.delta, a.rho, a.releases
	FROM privacct.account a WHERE a.policy_id = old.policy_id AND a.role <> 0::regrole;
END
$$;
COMMENT ON FUNCTION privacct._copy_charges(privacct.policy, bigint, regrole)
	IS 'carries what roles were charged over from one policy of a table to the next';

-- The ledger agrees with the account for every policy by itself.
CREATE OR REPLACE FUNCTION privacct._write_debts(p privacct.policy, caller regrole, remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT p.policy_id, now(), caller::text, caller::text, more.epsilon, more.delta, more.rho,
		jsonb_build_object('carried_from_policy', i.source) || remark
	FROM privacct.inherited i
	CROSS JOIN LATERAL (SELECT trim_scale(greatest(i.epsilon - coalesce(sum(l.epsilon), 0), 0)),
		trim_scale(greatest(i.delta - coalesce(sum(l.delta), 0), 0)),
		trim_scale(greatest(i.rho - coalesce(sum(l.rho), 0), 0))
		FROM privacct._carried l WHERE l.policy_id = p.policy_id AND l.source = i.source) more(epsilon, delta, rho)
	WHERE i.policy_id = p.policy_id AND (more.epsilon > 0 OR more.delta > 0 OR more.rho > 0)
	ORDER BY i.source;
	UPDATE privacct.account a SET (epsilon, delta, rho, releases, spared_epsilon, spared_delta) =
		(SELECT sum(i.epsilon), sum(i.delta), sum(i.rho), sum(i.releases), sum(i.spared_epsilon), sum(i.spared_delta)
		 FROM privacct.inherited i WHERE i.policy_id = p.policy_id)
	WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
END
$$;
COMMENT ON FUNCTION privacct._write_debts(privacct.policy, regrole, jsonb)
	IS 'brings the total account and the ledger of a new policy to what it inherited';

-- Whoever is asked under the new policy may be the one who lost the most.  What a
-- policy lost includes what it inherited.
CREATE OR REPLACE FUNCTION privacct._write_losses(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	lost float8[];
BEGIN
	SELECT ARRAY[sum(i.lost[1]), sum(i.lost[2]), sum(i.lost[3])] INTO lost
	FROM privacct.inherited i
	WHERE i.policy_id = p.policy_id AND i.releases > 0
	AND NOT EXISTS (SELECT FROM privacct.inherited later JOIN privacct.inherited given ON given.policy_id = p.policy_id
		AND given.source = later.policy_id AND given.releases > 0
					WHERE later.source = i.source AND later.releases >= i.releases);
	IF p.regime <> 'local' OR lost[1] IS NULL THEN
		RETURN;
	END IF;
	INSERT INTO privacct.likelihood AS k VALUES (p.policy_id, 0, '{}', 0, greatest(lost[2] - lost[1], 0), lost[1],
		coalesce(lost[3], 0), '{}', 0, 0, 0)
	ON CONFLICT ON CONSTRAINT likelihood_pkey DO UPDATE SET basic = greatest(k.basic, excluded.basic),
		central = greatest(k.central, excluded.central), rho = greatest(k.rho, excluded.rho);
	INSERT INTO privacct.owner_state_at (policy_id, question, owners, states) VALUES (p.policy_id, 0, 0, 1) ON CONFLICT
		ON CONSTRAINT owner_state_at_pkey DO NOTHING;
END
$$;
COMMENT ON FUNCTION privacct._write_losses(privacct.policy)
	IS 'local regime: every owner starts with the most that one of them lost before';

CREATE OR REPLACE FUNCTION privacct._start_from(p privacct.policy, histories privacct.history[], caller regrole,
	remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	debts privacct.inherited[] := privacct._debts_of_all(histories, p);
	spent privacct.account;
BEGIN
	INSERT INTO privacct.inherited AS i
	SELECT p.policy_id, d.source, d.epsilon, d.delta, d.rho, d.releases, d.spared_epsilon, d.spared_delta, d.lost
		FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)
	ON CONFLICT ON CONSTRAINT inherited_pkey
		DO UPDATE SET (epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost) =
		(SELECT m.epsilon, m.delta, m.rho, m.releases, m.spared_epsilon, m.spared_delta, m.lost
			FROM unnest(privacct._merged(ARRAY[i, excluded]::privacct.inherited[])) m);
	IF NOT EXISTS (SELECT FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)) THEN
		RETURN;
	END IF;
	PERFORM privacct._write_debts(p, caller, remark);
	PERFORM privacct._write_losses(p);
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	RAISE NOTICE 'what % has spent before is carried over', p.relation
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho,
			spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._start_from(privacct.policy, privacct.history[], regrole, jsonb)
	IS 'adds what histories bring to the accounts of a policy under which nothing was asked yet';

--
-- Who is covered
--

CREATE OR REPLACE FUNCTION privacct._join(p privacct.policy, member oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
DECLARE
	d record := privacct._describe(member);
BEGIN
	UPDATE privacct.history h SET left_at = NULL, epsilon = NULL, delta = NULL, rho = NULL, releases = NULL,
		spared_epsilon = NULL, spared_delta = NULL, lost = NULL,
		owner_column = p.owner_column, owner_attnum = privacct._column_number(member, p.owner_column)
	WHERE h.policy_id = p.policy_id AND h.relation = member;
	IF NOT FOUND THEN
		INSERT INTO privacct.history (policy_id, relation, relation_name, names, table_owner, owners, columns,
			column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta)
		VALUES (p.policy_id, member, d.relation_name, ARRAY[d.relation_name], d.table_owner,
			ARRAY[d.owner::privacct.role_reference], coalesce(d.columns, ''), ARRAY[coalesce(d.columns, '')],
			p.owner_column, p.regime, p.accountant, p.epsilon, p.delta);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._join(privacct.policy, oid) IS 'a table is covered by a policy from now on';

CREATE OR REPLACE FUNCTION privacct._leave(h privacct.history) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	own privacct.inherited := privacct._own_spending(h);
BEGIN
	UPDATE privacct.history q SET left_at = now(), epsilon = own.epsilon, delta = own.delta, rho = own.rho,
		releases = own.releases,
		spared_epsilon = own.spared_epsilon, spared_delta = own.spared_delta, lost = own.lost
	WHERE q.policy_id = h.policy_id AND q.relation = h.relation AND q.relation_name = h.relation_name
		AND q.left_at IS NULL;
END
$$;
COMMENT ON FUNCTION privacct._leave(privacct.history)
	IS 'a table is no longer covered by a policy, and takes with it what the policy has charged';

-- Whatever closes a policy: unprotect(), DROP TABLE, a superuser.
CREATE OR REPLACE FUNCTION privacct._on_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._leave(h) FROM privacct.history h WHERE h.policy_id = NEW.policy_id AND h.left_at IS NULL;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_closing() IS 'all tables leave a policy that is closed';

-- Policies of which no history was kept, of 0.1 or restored from a dump of it, are noted
-- as they come: nobody has to look for them among all.
CREATE TABLE IF NOT EXISTS privacct.unwritten (policy_id bigint PRIMARY KEY);
COMMENT ON TABLE privacct.unwritten
	IS 'policies of which no history may be written yet, since they were not made by protect(); not dumped';
COMMENT ON COLUMN privacct.unwritten.policy_id IS 'the policy';

CREATE OR REPLACE FUNCTION privacct._note_unwritten() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	INSERT INTO privacct.unwritten SELECT p.policy_id FROM privacct.policy p
	WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id) ON CONFLICT
		ON CONSTRAINT unwritten_pkey DO NOTHING
$$;
COMMENT ON FUNCTION privacct._note_unwritten() IS 'looks for policies without a history';

CREATE OR REPLACE FUNCTION privacct._on_policies() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
BEGIN
	INSERT INTO privacct.unwritten SELECT n.policy_id FROM new_policy n
	WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = n.policy_id) ON CONFLICT
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
			column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta)
		SELECT p.policy_id, 0::oid, p.relation_name, ARRAY[p.relation_name], p.created_by, '{}', '', '{}',
			p.owner_column, p.regime, p.accountant, p.epsilon, p.delta
		WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id);
		PERFORM privacct._leave(q) FROM privacct.history q WHERE q.policy_id = p.policy_id AND p.closed_at IS NOT NULL;
	END LOOP;
	-- not what somebody else's restore has noted meanwhile
	DELETE FROM privacct.unwritten u WHERE EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = u.policy_id)
		OR NOT EXISTS (SELECT FROM privacct.policy q WHERE q.policy_id = u.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._complete_history() IS 'writes the history of policies that have none';

CREATE OR REPLACE FUNCTION privacct._covers(p privacct.policy, debt privacct.inherited) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._is_nothing(debt) OR debt.source = p.policy_id OR EXISTS (
		SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.source = debt.source
		AND i.epsilon - i.spared_epsilon >= debt.epsilon - debt.spared_epsilon
		AND i.delta - i.spared_delta >= debt.delta - debt.spared_delta
		AND i.rho >= debt.rho AND i.releases >= debt.releases)
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
	WHERE NOT privacct._covers(p, d) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'table % has spent budget that is not in the account of %', member, p.relation
			USING ERRCODE = 'PA004',
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

CREATE OR REPLACE FUNCTION privacct._sync_members(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
	SET enable_mergejoin = off SET jit = off AS $$
DECLARE
	members oid[] := ARRAY(SELECT privacct._tree(p.relation));
	newcomer oid;
BEGIN
	PERFORM privacct._leave(h) FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
		AND h.relation <> ALL (members);
	FOR newcomer IN
		SELECT c.oid FROM pg_class c WHERE c.oid = ANY (members)		-- not what somebody else dropped just now
		EXCEPT SELECT h.relation::oid FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
	LOOP
		PERFORM privacct._check_covered(p, newcomer);
		PERFORM privacct._check_no_stranger(p, newcomer);
		PERFORM privacct._check_name(p, newcomer, d.relation_name, '{}'),
			privacct._check_column_list(p, newcomer, d.columns) FROM privacct._describe(newcomer) d;
		PERFORM privacct._join(p, newcomer), privacct._mark(newcomer);
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

-- No event trigger fires for it.
CREATE OR REPLACE FUNCTION privacct._owners_reassigned() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._describe_again(ARRAY(SELECT DISTINCT c.oid FROM privacct.history h JOIN pg_class c
		ON c.oid = h.relation WHERE c.relowner <> ALL (h.owners::oid[])));
END
$$;
COMMENT ON FUNCTION privacct._owners_reassigned() IS 'follows owners after REASSIGN OWNED';

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
	IF tg_tag = 'ALTER SCHEMA' THEN
		touched := ARRAY(SELECT DISTINCT h.relation::oid FROM privacct.history h JOIN pg_class r ON r.oid = h.relation
			WHERE r.relnamespace IN (SELECT c.objid FROM pg_event_trigger_ddl_commands() c
			WHERE c.classid = 'pg_namespace'::regclass));
	ELSE
		PERFORM privacct._follow_owner_column(c.objid, c.objsubid) FROM pg_event_trigger_ddl_commands() c
		WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
		touched := ARRAY(SELECT DISTINCT privacct._family(t) FROM unnest(touched) t);
	END IF;
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

-- Of a table that its policy no longer covers it is not told which column is rewritten:
-- it may be the one that names the owners.
CREATE OR REPLACE FUNCTION privacct._on_member_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
BEGIN
	IF pg_event_trigger_table_rewrite_reason() & 4 <> 0 THEN		-- of columns
		UPDATE privacct.history h SET owner_column = '' WHERE h.relation = pg_event_trigger_table_rewrite_oid()
			AND h.left_at IS NOT NULL AND h.owner_column <> '';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_member_rewrite() IS 'forgets the owner column of a history whose table is rewritten';

-- The name of this trigger is after that of privacct_drop, which closes policies.
CREATE OR REPLACE FUNCTION privacct._on_member_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin
	= off SET enable_mergejoin = off SET jit = off SET privacct.write_books = on AS $$
DECLARE
	d record;
BEGIN
	FOR d IN SELECT o.objid, o.objsubid, o.address_names FROM pg_event_trigger_dropped_objects() o
		WHERE o.classid = 'pg_class'::regclass AND EXISTS (SELECT FROM privacct.history h WHERE h.relation = o.objid)
	LOOP
		IF d.objsubid <> 0 THEN
			UPDATE privacct.history h SET owner_column = '' WHERE h.relation = d.objid
				AND h.owner_column = d.address_names[3];
			PERFORM privacct._describe_again(ARRAY[d.objid]);
			CONTINUE;
		END IF;
		PERFORM privacct._leave(h) FROM privacct.history h WHERE h.relation = d.objid AND h.left_at IS NULL;
		UPDATE privacct.history h SET relation = 0::oid WHERE h.relation = d.objid;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_member_drop() IS 'keeps the history of a table that is dropped';
