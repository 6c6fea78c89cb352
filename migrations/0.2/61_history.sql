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

CREATE TABLE privacct.inherited (
	policy_id bigint NOT NULL,
	source bigint NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	releases bigint NOT NULL CHECK (releases >= 0),
	spared_epsilon numeric NOT NULL CHECK (spared_epsilon BETWEEN 0 AND epsilon),
	spared_delta numeric NOT NULL CHECK (spared_delta BETWEEN 0 AND delta),
	lost float8[],
	PRIMARY KEY (policy_id, source)
);
COMMENT ON TABLE privacct.inherited IS 'what the accounts of a policy started from, by the earlier policy that charged it';
COMMENT ON COLUMN privacct.inherited.policy_id IS 'the policy that started from it';
COMMENT ON COLUMN privacct.inherited.source IS 'the policy that charged it; what that one inherited has rows of its own';
COMMENT ON COLUMN privacct.inherited.epsilon IS 'sum of the charges; one that charged nothing is not listed';
COMMENT ON COLUMN privacct.inherited.delta IS 'likewise';
COMMENT ON COLUMN privacct.inherited.rho IS 'likewise';
COMMENT ON COLUMN privacct.inherited.releases IS 'how many there were';
COMMENT ON COLUMN privacct.inherited.spared_epsilon IS 'pufferfish regime: of the sum, what the owner charged most was not charged';
COMMENT ON COLUMN privacct.inherited.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.inherited.lost IS 'local regime: as in privacct.policy, with what the source had inherited';

CREATE TABLE privacct.history (
	policy_id bigint NOT NULL,
	relation privacct.table_reference NOT NULL,
	relation_name text NOT NULL,
	names text[] NOT NULL,
	table_owner name NOT NULL,
	owners privacct.role_reference[] NOT NULL,
	columns text NOT NULL,
	column_lists text[] NOT NULL,
	owner_column name NOT NULL,
	owner_attnum int2,
	regime text NOT NULL,
	accountant text NOT NULL,
	promised_epsilon numeric NOT NULL,
	promised_delta numeric NOT NULL,
	left_at timestamptz,
	epsilon numeric CHECK (epsilon >= 0),
	delta numeric CHECK (delta >= 0),
	rho numeric CHECK (rho >= 0),
	releases bigint CHECK (releases >= 0),
	spared_epsilon numeric CHECK (spared_epsilon BETWEEN 0 AND epsilon),
	spared_delta numeric CHECK (spared_delta BETWEEN 0 AND delta),
	lost float8[],
	CHECK ((left_at IS NULL) = (epsilon IS NULL)),
	CHECK (num_nulls(epsilon, delta, rho, releases, spared_epsilon, spared_delta) IN (0, 6))
);
CREATE UNIQUE INDEX history_member ON privacct.history (policy_id, relation) WHERE relation <> 0::oid;
CREATE INDEX history_relation ON privacct.history (relation);
CREATE INDEX history_policy ON privacct.history (policy_id);
ALTER TABLE privacct.history REPLICA IDENTITY FULL;		-- without a key nothing could be updated beside a publication of all tables
CREATE TRIGGER number_owner_column BEFORE INSERT ON privacct.history FOR EACH ROW EXECUTE FUNCTION privacct._number_owner_column();
ALTER TABLE privacct.history ENABLE ALWAYS TRIGGER number_owner_column;
COMMENT ON TRIGGER number_owner_column ON privacct.history IS 'writes down which column the owner column is';
COMMENT ON TABLE privacct.history IS 'every table, partition and child that a policy ever covered';
COMMENT ON COLUMN privacct.history.relation IS 'the table; 0 once it was dropped';
COMMENT ON COLUMN privacct.history.relation_name IS 'its qualified name, as last known';
COMMENT ON COLUMN privacct.history.names IS 'the qualified names that it has had since the policy covered it';
COMMENT ON COLUMN privacct.history.table_owner IS 'its owner, as last known';
COMMENT ON COLUMN privacct.history.owners IS 'the owners that it has had since the policy covered it';
COMMENT ON COLUMN privacct.history.columns IS 'the names of its columns, in alphabetical order, as last known';
COMMENT ON COLUMN privacct.history.column_lists IS 'the lists of columns that it has had since the policy covered it';
COMMENT ON COLUMN privacct.history.owner_column IS 'whom the policy charged, by the name that the column has now; empty: the column is gone, or was rewritten after the table left the policy';
COMMENT ON COLUMN privacct.history.owner_attnum IS 'the number of that column in the table as it is in this database';
COMMENT ON COLUMN privacct.history.regime IS 'of the policy';
COMMENT ON COLUMN privacct.history.accountant IS 'of the policy';
COMMENT ON COLUMN privacct.history.promised_epsilon IS 'of the policy: what counts where less cannot be shown';
COMMENT ON COLUMN privacct.history.promised_delta IS 'likewise';
COMMENT ON COLUMN privacct.history.left_at IS 'when the policy was closed or the table left it; null: covered';
COMMENT ON COLUMN privacct.history.epsilon IS 'what the policy itself had charged when the table left it: an upper bound of what the table''s owners lost; null while it is covered';
COMMENT ON COLUMN privacct.history.delta IS 'likewise';
COMMENT ON COLUMN privacct.history.rho IS 'likewise';
COMMENT ON COLUMN privacct.history.releases IS 'how many charges these were';
COMMENT ON COLUMN privacct.history.spared_epsilon IS 'pufferfish regime: of the sum, what the owner charged most was not charged';
COMMENT ON COLUMN privacct.history.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.history.lost IS 'local regime: as in privacct.policy, when the table left';

CREATE TABLE privacct.unrelated (
	policy_id bigint NOT NULL,
	source bigint NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	releases bigint NOT NULL CHECK (releases >= 0),
	PRIMARY KEY (policy_id, source)
);
COMMENT ON TABLE privacct.unrelated IS 'charges of other policies of which the owner of a table said that its rows were not in them; zeros: nothing was charged, and it was said what the two have to do with each other';
COMMENT ON COLUMN privacct.unrelated.policy_id IS 'the policy of that table';
COMMENT ON COLUMN privacct.unrelated.source IS 'the policy that charged';
COMMENT ON COLUMN privacct.unrelated.epsilon IS 'sum of the charges when it was said; rows may have come with what was charged later';
COMMENT ON COLUMN privacct.unrelated.delta IS 'likewise';
COMMENT ON COLUMN privacct.unrelated.rho IS 'likewise';
COMMENT ON COLUMN privacct.unrelated.releases IS 'how many there were';

SELECT pg_catalog.pg_extension_config_dump('privacct.inherited', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.unrelated', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.history', '');
REVOKE ALL ON privacct.inherited, privacct.unrelated, privacct.history FROM PUBLIC;

--
-- What a table brings with it
--

-- Of columns by their names: the same values have many types, and types are renamed.
CREATE FUNCTION privacct._describe(relation oid, OUT relation_name text, OUT table_owner name, OUT owner oid, OUT columns text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('%I.%I', n.nspname, c.relname), pg_get_userbyid(c.relowner), c.relowner,
		(SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation
$$;
COMMENT ON FUNCTION privacct._describe(oid) IS 'by what a table is known again';

-- Without the library nothing is charged.
CREATE FUNCTION privacct._await_charges(policy_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF current_setting('privacct.queue_size', true) IS NOT NULL THEN
		PERFORM privacct._hold_charges(policy_id);
	END IF;
	-- the lock fails where the snapshot is too old to show every charge
	PERFORM FROM privacct.account a WHERE a.policy_id = _await_charges.policy_id AND a.role = 0::regrole FOR UPDATE;
END
$$;
COMMENT ON FUNCTION privacct._await_charges(bigint) IS 'waits until all charges to a policy can be seen, and holds others back until the end of the transaction';

CREATE FUNCTION privacct._most_lost_of(p privacct.policy) RETURNS float8[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT ARRAY[max(CASE WHEN p.filter = 'basic' THEN s.worst_case ELSE s.realised END), max(s.worst_case), max(s.rho)] FROM privacct._local_states(p.relation) s
$$;
COMMENT ON FUNCTION privacct._most_lost_of(privacct.policy) IS 'local regime: the most that an owner has lost under an open policy, as policy.lost keeps it';

CREATE VIEW privacct._without_states WITH (security_barrier) AS
SELECT p.policy_id
FROM privacct.policy p
LEFT JOIN privacct.owner_state_at written ON written.policy_id = p.policy_id
LEFT JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.max(q.question), 0) AS last, pg_catalog.count(*) AS count,
	pg_catalog.max(q.owners) FILTER (WHERE q.question <= written.question) AS owners FROM privacct.question q WHERE q.policy_id = p.policy_id) asked
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.sum(pg_catalog.length(k.keys) / 8), 0) AS count, pg_catalog.bool_and(k.first_owner = k.before AND pg_catalog.length(k.keys) = 2 * pg_catalog.length(k.records)) AS whole
	FROM (SELECT o.*, coalesce(pg_catalog.sum(pg_catalog.length(o.keys) / 8) OVER (ORDER BY o.first_owner ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM privacct.owner_key o WHERE o.policy_id = p.policy_id) k) known
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.sum(pg_catalog.length(k.states) * 8 / k.width), 0) AS count, pg_catalog.bool_and(k.first_owner = k.before) AS whole
	FROM (SELECT o.*, coalesce(pg_catalog.sum(pg_catalog.length(o.states) * 8 / o.width) OVER (ORDER BY o.first_owner ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM privacct.owner_state o WHERE o.policy_id = p.policy_id) k) placed
CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS count, pg_catalog.max(k.state) AS last FROM privacct.likelihood k WHERE k.policy_id = p.policy_id) states
WHERE p.regime = 'local'
AND (asked.last <> asked.count OR asked.last < a.questions OR asked.last < written.question
	OR EXISTS (SELECT FROM privacct.question q WHERE q.policy_id = p.policy_id AND q.question > coalesce(written.question, 0)
		AND NOT EXISTS (SELECT FROM privacct.answer r WHERE r.policy_id = q.policy_id AND r.question = q.question))
	OR EXISTS (SELECT FROM privacct.answer r WHERE r.policy_id = p.policy_id AND r.question <= written.question)
	OR EXISTS (SELECT FROM privacct.question q CROSS JOIN LATERAL pg_catalog.unnest(q.columns) c(position) WHERE q.policy_id = p.policy_id
		AND NOT EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = q.policy_id AND d.position = c.position))
	OR (written.policy_id IS NULL AND EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.lost IS NOT NULL))
	OR (written.policy_id IS NOT NULL AND states.count <> coalesce(written.states, greatest(states.count, 1)))
	OR states.count <> states.last + 1
	OR NOT known.whole OR NOT placed.whole
	OR placed.count <> written.owners OR placed.count < asked.owners OR placed.count > known.count
	-- who answered and has no number
	OR EXISTS (SELECT FROM privacct.answer r CROSS JOIN LATERAL (SELECT pg_catalog.length(r.answered) AS bytes) l
		WHERE r.policy_id = p.policy_id AND (l.bytes > (known.count + 7) / 8
			OR (l.bytes > known.count / 8 AND pg_catalog.get_byte(r.answered, l.bytes - 1) >> (known.count % 8)::int > 0))));
COMMENT ON VIEW privacct._without_states IS 'local policies of which something that owners were asked, or lost, is missing';
REVOKE ALL ON privacct._without_states FROM PUBLIC;

CREATE FUNCTION privacct._lost_under(h privacct.history) RETURNS float8[]
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
COMMENT ON FUNCTION privacct._lost_under(privacct.history) IS 'local regime: the most that an owner has lost under a policy; null in other regimes';

-- From protect() on a policy has an account, and with the first charge a sum, which folding leaves.
CREATE FUNCTION privacct._books_are_gone(id bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT NOT EXISTS (SELECT FROM privacct.account a WHERE a.policy_id = id AND a.role = 0::regrole)
		AND NOT EXISTS (SELECT FROM privacct.ledger_sum s WHERE s.policy_id = id)
		AND NOT EXISTS (SELECT FROM privacct.ledger l WHERE l.policy_id = id)
$$;
COMMENT ON FUNCTION privacct._books_are_gone(bigint) IS 'true if there is neither an account of a policy, nor a line of the ledger, nor a sum of such lines: what it has charged is not known';

-- A plan that was used is spent as it was promised, for its rest was fixed too; so is a policy
-- of which neither account nor ledger is there, whatever there is of others.  (A rho that epsilon allows is no larger.)
CREATE FUNCTION privacct._own_spending(h privacct.history) RETURNS privacct.inherited
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	own privacct.inherited;
	account privacct.account;
	gone boolean;
	promised boolean;
BEGIN
	IF h.left_at IS NOT NULL THEN
		RETURN ROW(h.policy_id, h.policy_id, h.epsilon, h.delta, h.rho, h.releases, h.spared_epsilon, h.spared_delta, h.lost)::privacct.inherited;
	END IF;
	PERFORM privacct._await_charges(h.policy_id);
	SELECT a.* INTO account FROM privacct.account a WHERE a.policy_id = h.policy_id AND a.role = 0::regrole;
	gone := privacct._books_are_gone(h.policy_id);
	promised := gone OR (h.accountant = 'plan' AND privacct._plan_is_used(h.policy_id));
	-- where account and ledger differ, the larger counts
	SELECT h.policy_id, h.policy_id,
		greatest(account.epsilon - before.epsilon, charged.epsilon, CASE WHEN promised THEN h.promised_epsilon - before.epsilon END, 0),
		greatest(account.delta - before.delta, charged.delta, CASE WHEN promised THEN h.promised_delta - before.delta END, 0),
		greatest(account.rho - before.rho, charged.rho, CASE WHEN gone THEN h.promised_epsilon - before.rho END, 0),
		greatest(account.releases - before.releases, charged.releases, CASE WHEN gone THEN 1 END, 0),
		least(greatest(account.spared_epsilon - before.spared_epsilon, 0), charged.named_epsilon),
		least(greatest(account.spared_delta - before.spared_delta, 0), charged.named_delta), NULL
	INTO own
	FROM (SELECT coalesce(sum(i.epsilon), 0) AS epsilon, coalesce(sum(i.delta), 0) AS delta, coalesce(sum(i.rho), 0) AS rho, coalesce(sum(i.releases), 0) AS releases,
			coalesce(sum(i.spared_epsilon), 0) AS spared_epsilon, coalesce(sum(i.spared_delta), 0) AS spared_delta
		  FROM privacct.inherited i WHERE i.policy_id = h.policy_id) before,
		(SELECT c.epsilon, c.delta, c.rho, c.charges AS releases, c.named_epsilon, c.named_delta FROM privacct._charged c WHERE c.policy_id = h.policy_id) charged;
	own.lost := CASE WHEN own.releases > 0 THEN privacct._lost_under(h) END;
	RETURN own;
END
$$;
COMMENT ON FUNCTION privacct._own_spending(privacct.history) IS 'what a policy itself has charged while it covered a table';

CREATE FUNCTION privacct._is_nothing(debt privacct.inherited) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT debt.epsilon = 0 AND debt.delta = 0 AND debt.rho = 0 AND debt.releases = 0
$$;
COMMENT ON FUNCTION privacct._is_nothing(privacct.inherited) IS 'true if nothing was charged';

CREATE FUNCTION privacct._debts(h privacct.history) RETURNS SETOF privacct.inherited
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN NEXT privacct._own_spending(h);
	RETURN QUERY SELECT i.* FROM privacct.inherited i WHERE i.policy_id = h.policy_id;
END
$$;
COMMENT ON FUNCTION privacct._debts(privacct.history) IS 'what was charged to a table while a policy covered it, by the policy that charged it';

-- What is spent is the sum less what it spared; the largest of each counts.
CREATE FUNCTION privacct._merged(debts privacct.inherited[]) RETURNS privacct.inherited[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_agg(ROW(NULL, m.source, m.epsilon, m.delta, m.rho, m.releases, m.epsilon - m.spent_epsilon, m.delta - m.spent_delta, m.lost)::privacct.inherited ORDER BY m.source)
	FROM (SELECT d.source, max(d.epsilon) AS epsilon, max(d.delta) AS delta, max(d.rho) AS rho, max(d.releases) AS releases,
			max(d.epsilon - d.spared_epsilon) AS spent_epsilon, max(d.delta - d.spared_delta) AS spent_delta,
			CASE WHEN count(d.lost) > 0 THEN ARRAY[max(d.lost[1]), max(d.lost[2]), max(d.lost[3])] END AS lost
		  FROM unnest(debts) d GROUP BY d.source) m
$$;
COMMENT ON FUNCTION privacct._merged(privacct.inherited[]) IS 'one line for each policy that charged, the largest of what is given for it';

-- Of a history that another one of them includes, nothing is to be said apart.
CREATE FUNCTION privacct._histories(members oid[]) RETURNS SETOF privacct.history
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT h.* FROM privacct.history h
	WHERE h.relation = ANY (members) AND h.relation <> 0
	AND NOT EXISTS (SELECT FROM privacct.history g JOIN privacct.inherited i ON i.policy_id = g.policy_id
		WHERE g.relation = ANY (members) AND i.source = h.policy_id AND NOT privacct._is_nothing(i)
		AND i.epsilon >= h.epsilon AND i.delta >= h.delta AND i.rho >= h.rho AND i.releases >= h.releases)
	ORDER BY h.policy_id, h.relation
$$;
COMMENT ON FUNCTION privacct._histories(oid[]) IS 'under which policies tables were, but for those that a later one of them started from';

--
-- Starting from a history
--

-- The name that the owner column has now, or nothing: followed with the table that was
-- protected.  What has its name, and is another column, took it while nobody followed.
CREATE FUNCTION privacct._owner_column_of(h privacct.history) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN c.owner_attnum <> privacct._column_number(h.relation, c.owner_column) THEN '' ELSE c.owner_column END
	FROM (SELECT p.owner_column, p.owner_attnum FROM privacct.policy p WHERE p.policy_id = h.policy_id AND p.relation = h.relation
		  UNION ALL SELECT h.owner_column, h.owner_attnum) c LIMIT 1
$$;
COMMENT ON FUNCTION privacct._owner_column_of(privacct.history) IS 'whom a policy charged, by the name that the column has now in a table that it covered';

CREATE FUNCTION privacct._check_same_owners(h privacct.history, relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	before name := privacct._owner_column_of(h);
BEGIN
	IF before = owner THEN
		RETURN;
	END IF;
	RAISE EXCEPTION 'the owner column of % cannot change', relation
		USING ERRCODE = 'PA004',
			DETAIL = CASE before WHEN '' THEN 'An earlier policy spent budget per owner of a column that was dropped or rewritten.'
				ELSE format('An earlier policy spent budget per "%s"; what each "%s" has lost is not known from that.', before, owner) END,
			HINT = CASE before WHEN '' THEN 'Make a new table of the rows, and take into account what was spent.'
				ELSE format('Use owner => %L.', before) END;
END
$$;
COMMENT ON FUNCTION privacct._check_same_owners(privacct.history, regclass, name) IS 'who is charged stays the same over all policies of a table';

CREATE FUNCTION privacct._check_same_terms(h privacct.history, p privacct.policy) RETURNS void
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
COMMENT ON FUNCTION privacct._check_same_terms(privacct.history, privacct.policy) IS 'regime, accountant and owner column are those of earlier policies';

CREATE FUNCTION privacct._debts_of_all(histories privacct.history[], p privacct.policy) RETURNS privacct.inherited[]
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
COMMENT ON FUNCTION privacct._debts_of_all(privacct.history[], privacct.policy) IS 'what several histories bring together, if a policy can start from all of them';

-- Lines of the ledger for each earlier payer, from the last policy of the same table.
CREATE FUNCTION privacct._copy_charges(old privacct.policy, successor bigint, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT successor, now(), caller::text, c.payer, c.epsilon, c.delta, c.rho, jsonb_build_object('carried_from_policy', c.source, 'charges', c.charges)
	FROM (SELECT l.source, l.payer, sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho, sum(l.charges) AS charges
		  FROM privacct._paid l WHERE l.policy_id = old.policy_id GROUP BY 1, 2) c
	ORDER BY c.source, c.payer;
	INSERT INTO privacct.account (policy_id, role, epsilon, delta, rho, releases)
	SELECT successor, a.role, a.epsilon, a.delta, a.rho, a.releases
	FROM privacct.account a WHERE a.policy_id = old.policy_id AND a.role <> 0::regrole;
END
$$;
COMMENT ON FUNCTION privacct._copy_charges(privacct.policy, bigint, regrole) IS 'carries what roles were charged over from one policy of a table to the next';

-- The ledger agrees with the account for every policy by itself.
CREATE FUNCTION privacct._write_debts(p privacct.policy, caller regrole, remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT p.policy_id, now(), caller::text, caller::text, more.epsilon, more.delta, more.rho, jsonb_build_object('carried_from_policy', i.source) || remark
	FROM privacct.inherited i
	CROSS JOIN LATERAL (SELECT trim_scale(greatest(i.epsilon - coalesce(sum(l.epsilon), 0), 0)), trim_scale(greatest(i.delta - coalesce(sum(l.delta), 0), 0)), trim_scale(greatest(i.rho - coalesce(sum(l.rho), 0), 0))
		FROM privacct._carried l WHERE l.policy_id = p.policy_id AND l.source = i.source) more(epsilon, delta, rho)
	WHERE i.policy_id = p.policy_id AND (more.epsilon > 0 OR more.delta > 0 OR more.rho > 0)
	ORDER BY i.source;
	UPDATE privacct.account a SET (epsilon, delta, rho, releases, spared_epsilon, spared_delta) =
		(SELECT sum(i.epsilon), sum(i.delta), sum(i.rho), sum(i.releases), sum(i.spared_epsilon), sum(i.spared_delta)
		 FROM privacct.inherited i WHERE i.policy_id = p.policy_id)
	WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
END
$$;
COMMENT ON FUNCTION privacct._write_debts(privacct.policy, regrole, jsonb) IS 'brings the total account and the ledger of a new policy to what it inherited';

-- Whoever is asked under the new policy may be the one who lost the most.  What a
-- policy lost includes what it inherited.
CREATE FUNCTION privacct._write_losses(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	lost float8[];
BEGIN
	SELECT ARRAY[sum(i.lost[1]), sum(i.lost[2]), sum(i.lost[3])] INTO lost
	FROM privacct.inherited i
	WHERE i.policy_id = p.policy_id AND i.releases > 0
	AND NOT EXISTS (SELECT FROM privacct.inherited later JOIN privacct.inherited given ON given.policy_id = p.policy_id AND given.source = later.policy_id AND given.releases > 0
					WHERE later.source = i.source AND later.releases >= i.releases);
	IF p.regime <> 'local' OR lost[1] IS NULL THEN
		RETURN;
	END IF;
	INSERT INTO privacct.likelihood AS k VALUES (p.policy_id, 0, '{}', 0, greatest(lost[2] - lost[1], 0), lost[1], coalesce(lost[3], 0), '{}', 0, 0, 0)
	ON CONFLICT ON CONSTRAINT likelihood_pkey DO UPDATE SET basic = greatest(k.basic, excluded.basic), central = greatest(k.central, excluded.central), rho = greatest(k.rho, excluded.rho);
	INSERT INTO privacct.owner_state_at (policy_id, question, owners, states) VALUES (p.policy_id, 0, 0, 1) ON CONFLICT ON CONSTRAINT owner_state_at_pkey DO NOTHING;
END
$$;
COMMENT ON FUNCTION privacct._write_losses(privacct.policy) IS 'local regime: every owner starts with the most that one of them lost before';

CREATE FUNCTION privacct._start_from(p privacct.policy, histories privacct.history[], caller regrole, remark jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	debts privacct.inherited[] := privacct._debts_of_all(histories, p);
	spent privacct.account;
BEGIN
	INSERT INTO privacct.inherited AS i
	SELECT p.policy_id, d.source, d.epsilon, d.delta, d.rho, d.releases, d.spared_epsilon, d.spared_delta, d.lost FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)
	ON CONFLICT ON CONSTRAINT inherited_pkey DO UPDATE SET (epsilon, delta, rho, releases, spared_epsilon, spared_delta, lost) =
		(SELECT m.epsilon, m.delta, m.rho, m.releases, m.spared_epsilon, m.spared_delta, m.lost FROM unnest(privacct._merged(ARRAY[i, excluded]::privacct.inherited[])) m);
	IF NOT EXISTS (SELECT FROM unnest(debts) d WHERE NOT privacct._is_nothing(d)) THEN
		RETURN;
	END IF;
	PERFORM privacct._write_debts(p, caller, remark);
	PERFORM privacct._write_losses(p);
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	RAISE NOTICE 'what % has spent before is carried over', p.relation
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho, spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._start_from(privacct.policy, privacct.history[], regrole, jsonb) IS 'adds what histories bring to the accounts of a policy under which nothing was asked yet';

CREATE OR REPLACE FUNCTION privacct._carry_over(successor bigint, relation regclass, accountant text, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = successor);
	old privacct.policy;
	histories privacct.history[];
BEGIN
	INSERT INTO privacct.account VALUES (successor, 0::regrole, 0, 0, 0, 0);
	histories := ARRAY(SELECT h FROM privacct._histories(ARRAY(SELECT privacct._tree(_carry_over.relation))) h);
	-- first those, then in order: the planner might go through all in order
	SELECT o.* INTO old FROM (SELECT * FROM privacct.policy q WHERE q.relation = _carry_over.relation AND q.policy_id <> successor OFFSET 0) o ORDER BY o.policy_id DESC LIMIT 1;
	IF EXISTS (SELECT FROM unnest(histories) h WHERE h.policy_id = old.policy_id AND h.relation = old.relation) THEN
		PERFORM privacct._copy_charges(old, successor, caller);
		INSERT INTO privacct.unrelated SELECT successor, u.source, u.epsilon, u.delta, u.rho, u.releases FROM privacct.unrelated u WHERE u.policy_id = old.policy_id;
	END IF;
	PERFORM privacct._start_from(p, histories, caller, CASE accountant WHEN 'plan' THEN '{"promised_by_plan": true}' ELSE '{}' END::jsonb);
END
$$;
COMMENT ON FUNCTION privacct._carry_over(bigint, regclass, text, regrole) IS 'opens the accounts of a new policy, with what was charged to the table and to all below it';

--
-- Who is covered
--

CREATE FUNCTION privacct._join(p privacct.policy, member oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record := privacct._describe(member);
BEGIN
	UPDATE privacct.history h SET left_at = NULL, epsilon = NULL, delta = NULL, rho = NULL, releases = NULL, spared_epsilon = NULL, spared_delta = NULL, lost = NULL,
		owner_column = p.owner_column, owner_attnum = privacct._column_number(member, p.owner_column)
	WHERE h.policy_id = p.policy_id AND h.relation = member;
	IF NOT FOUND THEN
		INSERT INTO privacct.history (policy_id, relation, relation_name, names, table_owner, owners, columns, column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta)
		VALUES (p.policy_id, member, d.relation_name, ARRAY[d.relation_name], d.table_owner, ARRAY[d.owner::privacct.role_reference], coalesce(d.columns, ''), ARRAY[coalesce(d.columns, '')],
			p.owner_column, p.regime, p.accountant, p.epsilon, p.delta);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._join(privacct.policy, oid) IS 'a table is covered by a policy from now on';

CREATE FUNCTION privacct._leave(h privacct.history) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	own privacct.inherited := privacct._own_spending(h);
BEGIN
	UPDATE privacct.history q SET left_at = now(), epsilon = own.epsilon, delta = own.delta, rho = own.rho, releases = own.releases,
		spared_epsilon = own.spared_epsilon, spared_delta = own.spared_delta, lost = own.lost
	WHERE q.policy_id = h.policy_id AND q.relation = h.relation AND q.relation_name = h.relation_name AND q.left_at IS NULL;
END
$$;
COMMENT ON FUNCTION privacct._leave(privacct.history) IS 'a table is no longer covered by a policy, and takes with it what the policy has charged';

-- Whatever closes a policy: unprotect(), DROP TABLE, a superuser.
CREATE FUNCTION privacct._on_closing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._leave(h) FROM privacct.history h WHERE h.policy_id = NEW.policy_id AND h.left_at IS NULL;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_closing() IS 'all tables leave a policy that is closed';
CREATE TRIGGER closing AFTER UPDATE OF closed_at ON privacct.policy
	FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION privacct._on_closing();
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER closing;
COMMENT ON TRIGGER closing ON privacct.policy IS 'all tables leave a policy that is closed';

-- Policies of which no history was kept, of 0.1 or restored from a dump of it, are noted
-- as they come: nobody has to look for them among all.
CREATE TABLE privacct.unwritten (policy_id bigint PRIMARY KEY);
COMMENT ON TABLE privacct.unwritten IS 'policies of which no history may be written yet, since they were not made by protect(); not dumped';
COMMENT ON COLUMN privacct.unwritten.policy_id IS 'the policy';
REVOKE ALL ON privacct.unwritten FROM PUBLIC;

CREATE FUNCTION privacct._note_unwritten() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	INSERT INTO privacct.unwritten SELECT p.policy_id FROM privacct.policy p
	WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id) ON CONFLICT ON CONSTRAINT unwritten_pkey DO NOTHING
$$;
COMMENT ON FUNCTION privacct._note_unwritten() IS 'looks for policies without a history';

CREATE FUNCTION privacct._on_policies() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	INSERT INTO privacct.unwritten SELECT n.policy_id FROM new_policy n
	WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = n.policy_id) ON CONFLICT ON CONSTRAINT unwritten_pkey DO NOTHING;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_policies() IS 'notes policies without a history';
CREATE TRIGGER unwritten AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS new_policy FOR EACH STATEMENT EXECUTE FUNCTION privacct._on_policies();
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER unwritten;
COMMENT ON TRIGGER unwritten ON privacct.policy IS 'notes policies without a history';

-- They get one, each by the table that it was declared for.  What they carried over is in
-- the ledger.
CREATE FUNCTION privacct._complete_history() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.unwritten) THEN
		RETURN;
	END IF;
	FOR p IN SELECT q.* FROM privacct.unwritten u JOIN privacct.policy q ON q.policy_id = u.policy_id
		WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = q.policy_id) ORDER BY q.policy_id LOOP
		INSERT INTO privacct.inherited
		SELECT p.policy_id, c.source, c.epsilon, c.delta, c.rho, coalesce(a.releases, 0), coalesce(a.spared_epsilon, 0), coalesce(a.spared_delta, 0),
			CASE WHEN o.regime = 'local' THEN coalesce(o.lost, ARRAY[o.epsilon, o.epsilon, 0]::float8[]) END
		FROM (SELECT l.source, sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho
			  FROM privacct._carried l WHERE l.policy_id = p.policy_id AND l.source IS NOT NULL GROUP BY 1) c
		LEFT JOIN privacct.policy o ON o.policy_id = c.source
		LEFT JOIN privacct.account a ON a.policy_id = c.source AND a.role = 0::regrole
		ON CONFLICT ON CONSTRAINT inherited_pkey DO NOTHING;
		PERFORM privacct._join(p, m) FROM privacct._tree(p.relation) m WHERE EXISTS (SELECT FROM pg_class c WHERE c.oid = p.relation) AND (m = p.relation OR p.closed_at IS NULL);
		INSERT INTO privacct.history (policy_id, relation, relation_name, names, table_owner, owners, columns, column_lists, owner_column, regime, accountant, promised_epsilon, promised_delta)
		SELECT p.policy_id, 0::oid, p.relation_name, ARRAY[p.relation_name], p.created_by, '{}', '', '{}', p.owner_column, p.regime, p.accountant, p.epsilon, p.delta
		WHERE NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id);
		PERFORM privacct._leave(q) FROM privacct.history q WHERE q.policy_id = p.policy_id AND p.closed_at IS NOT NULL;
	END LOOP;
	-- not what somebody else's restore has noted meanwhile
	DELETE FROM privacct.unwritten u WHERE EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = u.policy_id)
		OR NOT EXISTS (SELECT FROM privacct.policy q WHERE q.policy_id = u.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._complete_history() IS 'writes the history of policies that have none';

CREATE FUNCTION privacct._covers(p privacct.policy, debt privacct.inherited) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._is_nothing(debt) OR debt.source = p.policy_id OR EXISTS (
		SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.source = debt.source
		AND i.epsilon - i.spared_epsilon >= debt.epsilon - debt.spared_epsilon AND i.delta - i.spared_delta >= debt.delta - debt.spared_delta
		AND i.rho >= debt.rho AND i.releases >= debt.releases)
$$;
COMMENT ON FUNCTION privacct._covers(privacct.policy, privacct.inherited) IS 'true if the account of a policy has all of a debt';

CREATE FUNCTION privacct._check_covered(p privacct.policy, member regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	debt privacct.inherited;
BEGIN
	PERFORM privacct._complete_history();
	SELECT d.* INTO debt FROM privacct._histories(ARRAY[member::oid]) h CROSS JOIN LATERAL privacct._debts(h) d
	WHERE NOT privacct._covers(p, d) LIMIT 1;
	IF FOUND THEN
		RAISE EXCEPTION 'table % has spent budget that is not in the account of %', member, p.relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Policy %s charged its rows epsilon %s, delta %s, rho %s in %s releases.', debt.source, debt.epsilon, debt.delta, debt.rho, debt.releases),
				  HINT = format('In one transaction: SELECT privacct.unprotect(%1$L); then this statement; then SELECT privacct.protect(%1$L, ...), which starts from what both have spent. Or load the rows into a table without a history.', p.relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_covered(privacct.policy, regclass) IS 'a table that comes under an open policy brings nothing that the policy has not charged or inherited';

CREATE FUNCTION privacct._sync_members(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	members oid[] := ARRAY(SELECT privacct._tree(p.relation));
	newcomer oid;
BEGIN
	PERFORM privacct._leave(h) FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL AND h.relation <> ALL (members);
	FOR newcomer IN
		SELECT c.oid FROM pg_class c WHERE c.oid = ANY (members)		-- not what somebody else dropped just now
		EXCEPT SELECT h.relation::oid FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL
	LOOP
		PERFORM privacct._check_covered(p, newcomer);
		PERFORM privacct._check_no_stranger(p, newcomer);
		PERFORM privacct._check_name(p, newcomer, d.relation_name, '{}'), privacct._check_column_list(p, newcomer, d.columns) FROM privacct._describe(newcomer) d;
		PERFORM privacct._join(p, newcomer), privacct._mark(newcomer);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._sync_members(privacct.policy) IS 'writes down which tables came under a policy and which left it';

-- Whatever opens a policy says what other tables have to do with it, or is asked.
DROP FUNCTION privacct._open_policy(regrole, regclass, name, record, int, int, text, text, text, int, text, text[], float8, text, int);
CREATE FUNCTION privacct._open_policy(caller regrole, relation regclass, owner name, caps record,
	max_groups_contributed int, max_rows_contributed int, accountant text, accounting text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int, inherits text, fresh boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	id bigint;
BEGIN
	PERFORM privacct._ask_of_marks(relation, inherits, fresh);
	PERFORM privacct._identify();
	-- three random UUIDs hold 366 bits from the strong generator of the server
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta,
		cap_rho, cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret,
		created_at, created_by)
	VALUES (relation, (privacct._describe(relation)).relation_name, owner, regime, accounting, accountant, caps.epsilon, caps.delta,
		caps.cap_rho, caps.cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group,
		sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
		now(), caller::text)
	RETURNING policy_id INTO id;
	PERFORM privacct._carry_over(id, relation, accountant, caller);
	PERFORM privacct._join((SELECT p FROM privacct.policy p WHERE p.policy_id = id), m), privacct._mark(m) FROM privacct._tree(relation) m;
	DELETE FROM privacct.unwritten u WHERE u.policy_id = id;
	PERFORM privacct._settle_predecessors(caller, id, inherits, fresh);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._open_policy(regrole, regclass, name, record, int, int, text, text, text, int, text, text[], float8, text, int, text, boolean)
	IS 'writes a policy that was checked, and opens its accounts, with what the table and others of which its owner says so have spent';
REVOKE ALL ON FUNCTION privacct._open_policy(regrole, regclass, name, record, int, int, text, text, text, int, text, text[], float8, text, int, text, boolean) FROM PUBLIC;
DROP FUNCTION privacct._warn_of_namesake(text, bigint);

-- Rows that were deleted since were in the releases that were paid for: these may have
-- told as much of a secret as the most rows of an owner that were allowed then.
CREATE OR REPLACE FUNCTION privacct._check_not_shorter(v privacct.prior) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	released bigint;
	versions bigint;
	longest bigint;
BEGIN
	-- the lock fails where the snapshot is too old to show every charge; so it is for the row whatever it shows
	SELECT a.releases INTO STRICT released FROM privacct.account a WHERE a.policy_id = v.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF released = 0 OR v.max_entries IS NULL THEN
		RETURN;
	END IF;
	SELECT count(*), CASE WHEN count(*) = count(q.max_entries) THEN max(q.max_entries) END INTO versions, longest
	FROM (SELECT DISTINCT ON (w.policy_id) w.* FROM privacct.prior w		-- the last of each policy, no earlier one allowed more
		  WHERE (w.policy_id = v.policy_id AND w.version < v.version)
		  OR w.policy_id IN (SELECT i.source FROM privacct.inherited i WHERE i.policy_id = v.policy_id AND NOT privacct._is_nothing(i))
		  ORDER BY w.policy_id, w.version DESC) q;
	IF versions > 0 AND coalesce(longest > v.max_entries, true) THEN
		RAISE EXCEPTION 'max_entries cannot become less once something was released'
			USING ERRCODE = 'PA004',
				  DETAIL = CASE WHEN longest IS NULL THEN 'Earlier releases allowed any number of rows per owner.'
					ELSE format('Earlier releases allowed up to %s rows per owner.', longest) END,
				  HINT = 'Give priors for at least that many rows, and no smaller max_entries.';
	END IF;
END
$$;

--
-- Tables that are altered and dropped
--

CREATE FUNCTION privacct._describe_again(members oid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	there oid[] := ARRAY(SELECT c.oid FROM pg_class c WHERE c.oid = ANY (members));		-- not what was dropped
BEGIN
	UPDATE privacct.history h
	SET relation_name = d.relation_name, table_owner = d.table_owner, columns = coalesce(d.columns, ''),
		names = CASE WHEN d.relation_name = ANY (h.names) THEN h.names ELSE h.names || d.relation_name END,
		owners = CASE WHEN d.owner = ANY (h.owners::oid[]) THEN h.owners ELSE h.owners || d.owner::privacct.role_reference END,
		column_lists = CASE WHEN d.columns = ANY (h.column_lists) THEN h.column_lists ELSE h.column_lists || d.columns END
	FROM unnest(there) m(oid) CROSS JOIN LATERAL privacct._describe(m.oid) d
	WHERE h.relation = ANY (there) AND h.relation = m.oid
	AND ((h.relation_name, h.table_owner, h.columns) IS DISTINCT FROM (d.relation_name, d.table_owner, coalesce(d.columns, '')) OR d.owner <> ALL (h.owners::oid[]));
END
$$;
COMMENT ON FUNCTION privacct._describe_again(oid[]) IS 'keeps what is written of tables with a history as they are now';

-- No event trigger fires for it.
CREATE FUNCTION privacct._owners_reassigned() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._describe_again(ARRAY(SELECT DISTINCT c.oid FROM privacct.history h JOIN pg_class c ON c.oid = h.relation WHERE c.relowner <> ALL (h.owners::oid[])));
END
$$;
COMMENT ON FUNCTION privacct._owners_reassigned() IS 'follows owners after REASSIGN OWNED';
REVOKE ALL ON FUNCTION privacct._owners_reassigned() FROM PUBLIC;

-- Partitions, children and tables of a type take the new name without a command of their own.
CREATE FUNCTION privacct._follow_owner_column(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	UPDATE privacct.history h SET owner_column = coalesce(privacct._column_called(h.relation, h.owner_attnum), privacct._column_called(_follow_owner_column.relation, _follow_owner_column.attnum::int2))
	WHERE h.relation IN (SELECT privacct._family(_follow_owner_column.relation)) AND h.owner_column <> ''
	AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = h.relation AND a.attname = h.owner_column AND a.attnum > 0 AND NOT a.attisdropped);
END
$$;
COMMENT ON FUNCTION privacct._follow_owner_column(oid, int) IS 'carries a renamed column over into the histories of its table';

-- What a table is called, and who is above it, is written down of the policies that the transaction sees.
CREATE FUNCTION privacct._check_members_seen(touched oid[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.history h WHERE h.relation = ANY (touched))
		OR EXISTS (SELECT FROM unnest(touched) t CROSS JOIN LATERAL privacct._ancestors(t) a(relation) JOIN privacct.policy p ON p.relation = a.relation::oid WHERE p.closed_at IS NULL) THEN
		PERFORM privacct._require_read_committed();
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_members_seen(oid[]) IS 'tables with a history, and what comes under a policy, are changed under READ COMMITTED only';

CREATE FUNCTION privacct._on_member_change() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
	touched := ARRAY(SELECT DISTINCT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass);
	IF tg_tag = 'ALTER SCHEMA' THEN
		touched := ARRAY(SELECT DISTINCT h.relation::oid FROM privacct.history h JOIN pg_class r ON r.oid = h.relation
			WHERE r.relnamespace IN (SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_namespace'::regclass));
	ELSE
		PERFORM privacct._follow_owner_column(c.objid, c.objsubid) FROM pg_event_trigger_ddl_commands() c
		WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
		touched := ARRAY(SELECT DISTINCT privacct._family(t) FROM unnest(touched) t);
	END IF;
	IF privacct._keeps_snapshot() THEN
		PERFORM privacct._in_latest_snapshot('_check_members_seen', touched);
	END IF;
	IF NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = ANY (touched)) AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.relation = ANY (touched)) THEN
		RETURN;
	END IF;
	PERFORM privacct._describe_again(touched);
	concerned := ARRAY(SELECT o.policy_id FROM privacct.policy o WHERE o.relation = ANY (touched || ARRAY(SELECT privacct._ancestors(t) FROM unnest(touched) t))
		UNION SELECT h.policy_id FROM privacct.history h WHERE h.relation = ANY (touched) AND h.left_at IS NULL);
	FOR p IN SELECT * FROM (SELECT * FROM privacct.policy q WHERE q.policy_id = ANY (concerned) OFFSET 0) o WHERE o.closed_at IS NULL ORDER BY o.policy_id LOOP
		PERFORM privacct._sync_members(p);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_member_change() IS 'follows tables with a history, and refuses to bring them under a policy that does not know it';

-- The name of this trigger is after that of privacct_ddl_end: a tree that cannot be protected is refused first.
CREATE EVENT TRIGGER privacct_history ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'ALTER TYPE', 'ALTER VIEW',
		'ALTER MATERIALIZED VIEW', 'ALTER FOREIGN TABLE', 'ALTER INDEX', 'CREATE TABLE', 'CREATE FOREIGN TABLE', 'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE EXTENSION', 'ALTER EXTENSION')
	EXECUTE FUNCTION privacct._on_member_change();
ALTER EVENT TRIGGER privacct_history ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_history IS 'follows tables with a history, and refuses to bring them under a policy that does not know it';

-- Of a table that its policy no longer covers it is not told which column is rewritten:
-- it may be the one that names the owners.
CREATE FUNCTION privacct._on_member_rewrite() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF pg_event_trigger_table_rewrite_reason() & 4 <> 0 THEN		-- of columns
		UPDATE privacct.history h SET owner_column = '' WHERE h.relation = pg_event_trigger_table_rewrite_oid() AND h.left_at IS NOT NULL AND h.owner_column <> '';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_member_rewrite() IS 'forgets the owner column of a history whose table is rewritten';
CREATE EVENT TRIGGER privacct_rewrite ON table_rewrite EXECUTE FUNCTION privacct._on_member_rewrite();
ALTER EVENT TRIGGER privacct_rewrite ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_rewrite IS 'forgets the owner column of a history whose table is rewritten';

-- The name of this trigger is after that of privacct_drop, which closes policies.
CREATE FUNCTION privacct._on_member_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record;
BEGIN
	FOR d IN SELECT o.objid, o.objsubid, o.address_names FROM pg_event_trigger_dropped_objects() o
		WHERE o.classid = 'pg_class'::regclass AND EXISTS (SELECT FROM privacct.history h WHERE h.relation = o.objid)
	LOOP
		IF d.objsubid <> 0 THEN
			UPDATE privacct.history h SET owner_column = '' WHERE h.relation = d.objid AND h.owner_column = d.address_names[3];
			PERFORM privacct._describe_again(ARRAY[d.objid]);
			CONTINUE;
		END IF;
		PERFORM privacct._leave(h) FROM privacct.history h WHERE h.relation = d.objid AND h.left_at IS NULL;
		UPDATE privacct.history h SET relation = 0::oid WHERE h.relation = d.objid;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_member_drop() IS 'keeps the history of a table that is dropped';
CREATE EVENT TRIGGER privacct_history_drop ON sql_drop EXECUTE FUNCTION privacct._on_member_drop();
ALTER EVENT TRIGGER privacct_history_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_history_drop IS 'keeps the history of a table that is dropped';

REVOKE ALL ON FUNCTION privacct._describe(oid), privacct._await_charges(bigint), privacct._most_lost_of(privacct.policy), privacct._lost_under(privacct.history),
	privacct._books_are_gone(bigint), privacct._own_spending(privacct.history), privacct._is_nothing(privacct.inherited), privacct._debts(privacct.history), privacct._merged(privacct.inherited[]),
	privacct._histories(oid[]), privacct._owner_column_of(privacct.history), privacct._check_same_owners(privacct.history, regclass, name),
	privacct._check_same_terms(privacct.history, privacct.policy), privacct._debts_of_all(privacct.history[], privacct.policy),
	privacct._copy_charges(privacct.policy, bigint, regrole), privacct._write_debts(privacct.policy, regrole, jsonb), privacct._write_losses(privacct.policy),
	privacct._start_from(privacct.policy, privacct.history[], regrole, jsonb), privacct._join(privacct.policy, oid), privacct._leave(privacct.history),
	privacct._on_closing(), privacct._note_unwritten(), privacct._on_policies(), privacct._complete_history(), privacct._covers(privacct.policy, privacct.inherited), privacct._check_covered(privacct.policy, regclass),
	privacct._sync_members(privacct.policy), privacct._describe_again(oid[]), privacct._follow_owner_column(oid, int),
	privacct._check_members_seen(oid[]), privacct._on_member_change(), privacct._on_member_rewrite(), privacct._on_member_drop() FROM PUBLIC;

SELECT privacct._note_unwritten();
SELECT privacct._complete_history();
