--
-- The ledger decides.
--
-- An account is the sum of its ledger, kept so that a charge need not add up all that
-- came before.  Where the two differ, after a restore that brought one of them only or
-- because somebody wrote to them, the larger counts.  A table without an account is
-- not asked anything: the ledger's worker refuses.
--

-- What was lost is not taken back by writing to the catalog either.  The conditions
-- are looked at by the server itself: a charge calls no function for this.
CREATE FUNCTION privacct._refuse_loss() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'privacct.% only grows', TG_TABLE_NAME
		USING ERRCODE = '42501',
			  DETAIL = 'It records privacy that is lost, which cannot be taken back.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_loss() IS 'keeps what was spent';
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.account FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.rho < OLD.rho OR NEW.releases < OLD.releases)
	EXECUTE FUNCTION privacct._refuse_loss();
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.owner_account FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.owner <> OLD.owner OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta)
	EXECUTE FUNCTION privacct._refuse_loss();
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.ledger_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.charge_id < OLD.charge_id OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.rho < OLD.rho OR NEW.charges < OLD.charges
		OR NEW.folded_epsilon < OLD.folded_epsilon OR NEW.folded_delta < OLD.folded_delta OR NEW.folded_rho < OLD.folded_rho OR NEW.folded_charges < OLD.folded_charges)
	EXECUTE FUNCTION privacct._refuse_loss();
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.payer_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.payer <> OLD.payer OR NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.rho < OLD.rho OR NEW.charges < OLD.charges)
	EXECUTE FUNCTION privacct._refuse_loss();
CREATE TRIGGER only_grows BEFORE UPDATE ON privacct.release_sum FOR EACH ROW
	WHEN (NEW.policy_id <> OLD.policy_id OR NEW.hash <> OLD.hash OR NEW.charges < OLD.charges)
	EXECUTE FUNCTION privacct._refuse_loss();
DO $$
DECLARE
	kept text;
	t record;
BEGIN
	FOREACH kept IN ARRAY '{policy,account,owner_account,history,inherited,ledger_sum,payer_sum,release_sum,identity}'::text[] LOOP
		EXECUTE pg_catalog.format('CREATE TRIGGER never_less BEFORE DELETE OR TRUNCATE ON privacct.%I FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_loss()', kept);
	END LOOP;
	FOR t IN SELECT g.tgrelid::pg_catalog.regclass AS relation, g.tgname FROM pg_catalog.pg_trigger g
		WHERE g.tgfoid = 'privacct._refuse_loss()'::pg_catalog.regprocedure
	LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER %I ON %s IS %L', t.tgname, t.relation, 'keeps what was spent');
	END LOOP;
END
$$;

--
-- Discrepancies.  Views are read with the rights of their owner, and tell each user
-- what is the user's: no function with the rights of another is needed.
--

-- By name, for the table may be gone, and the policy too.
CREATE VIEW privacct._books WITH (security_barrier) AS
SELECT b.policy_id, p.policy_id IS NOT NULL AS exists, p.policy_id IS NOT NULL AND p.closed_at IS NULL AS open, p.regime, p.accountant,
	coalesce(h.relation_name, p.relation_name) AS relation_name, coalesce(p.relation::oid, h.relation::oid, 0) AS relation
FROM (SELECT policy_id FROM privacct.policy UNION SELECT policy_id FROM privacct.history UNION SELECT policy_id FROM privacct.ledger_sum
	  UNION SELECT policy_id FROM privacct.account UNION SELECT policy_id FROM privacct.quota UNION SELECT policy_id FROM privacct.prior
	  UNION SELECT policy_id FROM privacct.slot UNION SELECT policy_id FROM privacct.domain UNION SELECT policy_id FROM privacct.bound
	  UNION SELECT policy_id FROM privacct.group_key UNION SELECT policy_id FROM privacct.public_column UNION SELECT policy_id FROM privacct.question) b
LEFT JOIN privacct.policy p ON p.policy_id = b.policy_id
LEFT JOIN LATERAL (SELECT g.relation_name, g.relation FROM privacct.history g WHERE g.policy_id = b.policy_id
	ORDER BY g.relation = coalesce(p.relation, g.relation) DESC, pg_catalog.length(g.relation_name) LIMIT 1) h ON true;
COMMENT ON VIEW privacct._books IS 'every policy that anything is kept of';

CREATE VIEW privacct._sums WITH (security_barrier) AS
SELECT b.policy_id, a.policy_id IS NOT NULL AS has_account, a.epsilon, a.delta, a.rho, a.releases, a.most_epsilon, a.most_delta, a.spared_epsilon, a.spared_delta,
	coalesce(l.epsilon, 0) + coalesce(c.epsilon, 0) AS ledger_epsilon, coalesce(l.delta, 0) + coalesce(c.delta, 0) AS ledger_delta, coalesce(l.rho, 0) + coalesce(c.rho, 0) AS ledger_rho,
	coalesce(l.charges, 0) + i.releases AS ledger_releases,
	coalesce(l.epsilon - l.named_epsilon, 0) + i.epsilon AS everybodys_epsilon, coalesce(l.delta - l.named_delta, 0) + i.delta AS everybodys_delta
FROM privacct.policy b
LEFT JOIN privacct.account a ON a.policy_id = b.policy_id AND a.role = 0::regrole
LEFT JOIN privacct._charged l ON l.policy_id = b.policy_id
LEFT JOIN (SELECT o.policy_id, sum(o.epsilon) AS epsilon, sum(o.delta) AS delta, sum(o.rho) AS rho FROM privacct._carried o GROUP BY o.policy_id) c ON c.policy_id = b.policy_id
CROSS JOIN LATERAL (SELECT coalesce(sum(e.releases), 0)::bigint AS releases, coalesce(sum(e.epsilon - e.spared_epsilon), 0) AS epsilon, coalesce(sum(e.delta - e.spared_delta), 0) AS delta
	FROM privacct.inherited e WHERE e.policy_id = b.policy_id) i;
COMMENT ON VIEW privacct._sums IS 'the total account of each policy, what its ledger sums to, and what of that was about all owners';

CREATE VIEW privacct._slot_uses WITH (security_barrier) AS
SELECT l.policy_id, u.key::int AS slot, sum(u.value::bigint * l.charges)::bigint AS uses
FROM privacct.policy p
CROSS JOIN LATERAL (SELECT r.policy_id, r.slots, r.charges FROM privacct._released r WHERE r.policy_id = p.policy_id AND r.slots IS NOT NULL OFFSET 0) l
CROSS JOIN LATERAL pg_catalog.jsonb_each_text(l.slots) u(key, value)
WHERE p.accountant = 'plan' GROUP BY 1, 2;
COMMENT ON VIEW privacct._slot_uses IS 'how often the slots of plans were used, by the ledger';

CREATE VIEW privacct._unnoticed WITH (security_barrier) AS
SELECT p.policy_id, p.relation::oid AS relation FROM privacct.policy p
WHERE p.closed_at IS NULL AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.relation = p.relation AND h.left_at IS NULL)
UNION ALL
SELECT h.policy_id, i.inhrelid FROM privacct.history h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.relation
WHERE h.left_at IS NULL AND NOT EXISTS (SELECT FROM privacct.history c WHERE c.policy_id = h.policy_id AND c.relation = i.inhrelid AND c.left_at IS NULL)
UNION ALL
SELECT h.policy_id, h.relation::oid FROM privacct.history h JOIN privacct.policy p ON p.policy_id = h.policy_id
WHERE h.left_at IS NULL AND h.relation <> p.relation::oid AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i
	JOIN privacct.history a ON a.policy_id = h.policy_id AND a.relation = i.inhparent AND a.left_at IS NULL WHERE i.inhrelid = h.relation);
COMMENT ON VIEW privacct._unnoticed IS 'tables that a policy covers and that are not written down, or the other way round';

CREATE VIEW privacct.discrepancy WITH (security_barrier) AS
WITH books AS MATERIALIZED (SELECT * FROM privacct._books),
sums AS MATERIALIZED (SELECT * FROM privacct._sums),
paid AS MATERIALIZED (SELECT c.policy_id, c.payer, sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho FROM privacct._paid c GROUP BY c.policy_id, c.payer),
found AS MATERIALIZED (
	SELECT b.policy_id, 'the policy is missing' AS problem, 'Its table is not protected: nobody but its owner can read it.' AS detail,
		CASE WHEN b.relation_name IS NULL THEN 'restore privacct.policy, or protect its table with inherits or fresh'
			ELSE pg_catalog.format('SELECT privacct.protect(%L, ...), which starts from what the ledger says', b.relation_name) END AS remedy
	FROM books b WHERE NOT b.exists
	-- a policy that was renewed since is accounted for by its successor
	AND NOT EXISTS (SELECT FROM privacct.inherited i JOIN privacct.policy p ON p.policy_id = i.policy_id WHERE i.source = b.policy_id)
	UNION ALL
	SELECT s.policy_id, CASE WHEN g.gone THEN 'account and ledger are missing' ELSE 'the account is missing' END,
		CASE WHEN g.gone THEN 'What was spent is not known. Nothing is released.'
			ELSE pg_catalog.format('The ledger says epsilon %s, delta %s, rho %s in %s releases.',
				pg_catalog.trim_scale(s.ledger_epsilon), pg_catalog.trim_scale(s.ledger_delta), pg_catalog.trim_scale(s.ledger_rho), s.ledger_releases) END,
		CASE WHEN g.gone THEN 'restore privacct.ledger, privacct.ledger_sum or privacct.account, or unprotect the table and protect it again: all that was promised is then spent' END
	FROM sums s JOIN books b ON b.policy_id = s.policy_id
	-- by the index: the lines of all policies are many
	CROSS JOIN LATERAL (SELECT pg_catalog.count(*) = 0 FROM (SELECT FROM privacct.ledger_sum t WHERE t.policy_id = s.policy_id
		UNION ALL (SELECT FROM privacct.ledger l WHERE l.policy_id = s.policy_id LIMIT 1)) k) g(gone)
	WHERE b.open AND NOT s.has_account
	UNION ALL
	SELECT b.policy_id, CASE WHEN p.owner_attnum <> privacct._column_number(p.relation, p.owner_column) THEN 'another column has the name of the owner column' ELSE 'the owner column is missing' END,
		'Nothing is released.', CASE WHEN c.attisdropped THEN 'what was spent is per owner of a column that was dropped: load the rows into another table, and take into account what was spent'
			ELSE pg_catalog.format('ALTER TABLE %s RENAME %I TO %I, and give the column that has that name another one before; after a restore with --disable-triggers, restore without that option instead: columns had other numbers', p.relation, c.attname, p.owner_column) END
	FROM books b JOIN privacct.policy p ON p.policy_id = b.policy_id JOIN pg_catalog.pg_attribute c ON c.attrelid = p.relation AND c.attnum = p.owner_attnum
	WHERE b.open AND p.owner_attnum IS DISTINCT FROM privacct._column_number(p.relation, p.owner_column)
	UNION ALL
	SELECT b.policy_id, 'the owner column has another type', pg_catalog.format('The books are kept by keys of owners, which were made of type %s. Nothing is released.', p.owner_type),
		'give it that type again, or unprotect the table and protect it again: every owner then starts with the most that one of them lost'
	FROM books b JOIN privacct.policy p ON p.policy_id = b.policy_id
	JOIN pg_catalog.pg_attribute a ON a.attrelid = p.relation AND a.attnum = p.owner_attnum AND a.attname = p.owner_column
	WHERE b.open AND b.regime = 'local' AND NOT privacct._owner_key_is(p.owner_type, a.atttypid)
	UNION ALL
	SELECT s.policy_id, CASE WHEN d.less THEN 'the account is less than the ledger' ELSE 'the ledger is less than the account' END,
		pg_catalog.format('The account says epsilon %s, delta %s, rho %s in %s releases, the ledger epsilon %s, delta %s, rho %s in %s releases.',
			pg_catalog.trim_scale(s.epsilon), pg_catalog.trim_scale(s.delta), pg_catalog.trim_scale(s.rho), s.releases,
			pg_catalog.trim_scale(s.ledger_epsilon), pg_catalog.trim_scale(s.ledger_delta), pg_catalog.trim_scale(s.ledger_rho), s.ledger_releases),
		CASE WHEN NOT d.less THEN 'none is needed, the account counts; what is missing in the ledger may be in a copy of it' END
	FROM sums s JOIN books b ON b.policy_id = s.policy_id
	CROSS JOIN LATERAL (SELECT s.epsilon < s.ledger_epsilon OR s.delta < s.ledger_delta OR s.rho < s.ledger_rho OR s.releases < s.ledger_releases,
		s.epsilon > s.ledger_epsilon OR s.delta > s.ledger_delta OR s.rho > s.ledger_rho OR s.releases > s.ledger_releases) d(less, more)
	WHERE b.open AND s.has_account AND (d.less OR d.more)
	UNION ALL
	SELECT q.policy_id, pg_catalog.format('the account of role %s is %s', q.role, CASE WHEN a.policy_id IS NULL THEN 'missing' ELSE 'less than the ledger' END),
		pg_catalog.format('The ledger says epsilon %s, delta %s, rho %s.', pg_catalog.trim_scale(coalesce(l.epsilon, 0)), pg_catalog.trim_scale(coalesce(l.delta, 0)), pg_catalog.trim_scale(coalesce(l.rho, 0))), NULL
	FROM privacct.quota q JOIN books b ON b.policy_id = q.policy_id
	LEFT JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
	LEFT JOIN pg_catalog.pg_roles r ON r.oid = q.role
	LEFT JOIN paid l ON l.policy_id = q.policy_id AND l.payer = r.rolname
	WHERE b.open AND (a.policy_id IS NULL OR a.epsilon < l.epsilon OR a.delta < l.delta OR a.rho < l.rho)
	-- not where a role that was called so has it, which is called otherwise now, or gone
	AND (a.policy_id IS NULL OR NOT (
		SELECT coalesce(sum(o.epsilon - m.epsilon) FILTER (WHERE o.epsilon > m.epsilon), 0) >= l.epsilon - a.epsilon
			AND coalesce(sum(o.delta - m.delta) FILTER (WHERE o.delta > m.delta), 0) >= l.delta - a.delta
			AND coalesce(sum(o.rho - m.rho) FILTER (WHERE o.rho > m.rho), 0) >= l.rho - a.rho
		FROM privacct.account o LEFT JOIN pg_catalog.pg_roles n ON n.oid = o.role
		CROSS JOIN LATERAL (SELECT coalesce(sum(c.epsilon), 0) AS epsilon, coalesce(sum(c.delta), 0) AS delta, coalesce(sum(c.rho), 0) AS rho
			FROM privacct._paid c WHERE c.policy_id = q.policy_id AND c.payer = n.rolname) m
		WHERE o.policy_id = q.policy_id AND o.role <> 0::oid AND o.role <> q.role))
	UNION ALL
	SELECT q.policy_id, CASE WHEN r.rolname IS NULL THEN 'a budget is of a role that is not there' ELSE pg_catalog.format('budget of role %s is of one that was not there', r.rolname) END,
		'It was restored without the role.', CASE WHEN r.rolname IS NULL THEN 'create the role as it was called, then call privacct.repair_books()' END
	FROM privacct.quota q JOIN books b ON b.policy_id = q.policy_id
	LEFT JOIN pg_catalog.pg_roles r ON privacct._absent(r.rolname) = q.role
	WHERE b.open AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles o WHERE o.oid = q.role) AND q.role::oid::bigint >= 3221225472
	UNION ALL
	SELECT u.policy_id, pg_catalog.format('slot %s of the plan was used more often than it says', u.slot), pg_catalog.format('The ledger says %s times, the slot %s.', u.uses, coalesce(t.used, 0)),
		CASE WHEN t.policy_id IS NULL THEN 'restore privacct.slot, or unprotect the table and protect it again: the plan is then spent' END
	FROM privacct._slot_uses u JOIN books b ON b.policy_id = u.policy_id
	LEFT JOIN privacct.slot t ON t.policy_id = u.policy_id AND t.slot = u.slot
	WHERE b.open AND u.uses > coalesce(t.used, 0)
	UNION ALL
	SELECT s.policy_id, 'accounts of owners are missing', 'The owner who was charged most by name is not among them.', NULL
	FROM sums s JOIN books b ON b.policy_id = s.policy_id
	WHERE b.open AND s.most_epsilon > coalesce((SELECT pg_catalog.max(o.epsilon) FROM privacct.owner_account o WHERE o.policy_id = s.policy_id), 0)
	UNION ALL
	SELECT s.policy_id, 'the account spares what was about all owners', pg_catalog.format('About all owners were epsilon %s, delta %s; without what it spares the account says %s, %s.',
		pg_catalog.trim_scale(s.everybodys_epsilon), pg_catalog.trim_scale(s.everybodys_delta), pg_catalog.trim_scale(s.epsilon - s.spared_epsilon), pg_catalog.trim_scale(s.delta - s.spared_delta)), NULL
	FROM sums s JOIN books b ON b.policy_id = s.policy_id
	WHERE b.open AND (s.spared_epsilon > 0 AND s.epsilon - s.spared_epsilon < s.everybodys_epsilon OR s.spared_delta > 0 AND s.delta - s.spared_delta < s.everybodys_delta)
	UNION ALL
	SELECT b.policy_id, 'what the policy covers is not written down', 'Partitions or children came, or left, unnoticed. What would read those that came is refused.', NULL
	FROM books b WHERE b.open AND b.policy_id IN (SELECT u.policy_id FROM privacct._unnoticed u)
	UNION ALL
	SELECT b.policy_id, 'the priors are missing', 'Nothing is released.', 'restore privacct.prior, or unprotect the table and protect its entries again'
	FROM books b WHERE b.open AND b.regime = 'pufferfish' AND NOT EXISTS (SELECT FROM privacct.prior v WHERE v.policy_id = b.policy_id)
	UNION ALL
	SELECT b.policy_id, 'the table is treated as unrelated to others, and nobody said so', 'The ledger has no line of a protect() with fresh.',
		pg_catalog.format('as a superuser: SET privacct.write_books = on; DELETE FROM privacct.unrelated WHERE policy_id = %s', b.policy_id)
	FROM books b JOIN privacct.policy p ON p.policy_id = b.policy_id
	-- zeros cover no charge: a table that was protected beside this one has them
	WHERE b.open AND EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = b.policy_id AND (u.epsilon > 0 OR u.delta > 0 OR u.rho > 0 OR u.releases > 0))
	AND NOT EXISTS (SELECT FROM privacct.policy q JOIN privacct.ledger l ON l.policy_id = q.policy_id AND l.detail ? 'carried_from_policy' WHERE q.relation = p.relation AND l.detail ? 'fresh')
	UNION ALL
	SELECT b.policy_id, 'the priors in force are not those of the policy', 'Nothing is released.', 'unprotect the table and protect its entries again'
	FROM books b JOIN privacct.policy p ON p.policy_id = b.policy_id
	WHERE b.open AND b.regime = 'pufferfish' AND (p.epsilon, p.delta) <> (SELECT v.epsilon, v.delta FROM privacct.prior v WHERE v.policy_id = b.policy_id ORDER BY v.version DESC LIMIT 1)
	UNION ALL
	SELECT b.policy_id, 'the entry or its order is missing', 'Nothing is released.', 'restore privacct.domain and privacct.public_column, or unprotect the table and protect its entries again'
	FROM books b WHERE b.open AND b.regime = 'pufferfish'
	AND NOT (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = b.policy_id)
			 AND EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = b.policy_id AND c.order_position IS NOT NULL))
	UNION ALL
	SELECT b.policy_id, 'the states of owners are missing', 'Nothing is released.', 'restore the tables privacct.question, answer, owner_key, owner_state, owner_state_at and likelihood, or unprotect the table and protect it again: all that was promised is then spent'
	FROM books b WHERE b.open AND EXISTS (SELECT FROM privacct._without_states w WHERE w.policy_id = b.policy_id))
SELECT f.policy_id, f.relation_name AS relation, f.problem, f.detail,
	CASE WHEN f.remedy IS NULL AND f.open THEN pg_catalog.format('SELECT privacct.repair_books(%L)', f.relation_name) ELSE f.remedy END AS remedy
-- whose it is is asked of what was found, not of every table, and that is little: the limit is none
FROM (SELECT o.*, g.relation_name, g.relation, g.open FROM found o JOIN books g ON g.policy_id = o.policy_id LIMIT (SELECT 9223372036854775807)) f WHERE privacct._administers(f.relation::regclass)
UNION ALL
SELECT NULL, NULL, a.problem, a.detail, a.remedy
FROM privacct._away a
WHERE privacct._administers(0::regclass) OR EXISTS (SELECT FROM privacct.policy p WHERE p.closed_at IS NULL AND privacct._administers(p.relation))
UNION ALL
SELECT NULL, s.relation_name, 'the table was protected in other books', 'What was spent on it there is not known here.',
	pg_catalog.format('restore the books with the tables, in a database of its own, or SELECT privacct.protect(%L, ...) with inherits or fresh; if it is not to be protected, REVOKE ALL ON %s FROM privacct_reader', s.relation_name, s.relation_name)
FROM privacct._stranger s WHERE privacct._administers(s.relation::regclass)
UNION ALL
SELECT NULL, NULL, pg_catalog.format('event trigger %s is disabled', e.evtname), 'What becomes of protected tables is not followed.', pg_catalog.format('ALTER EVENT TRIGGER %I ENABLE ALWAYS', e.evtname)
FROM pg_catalog.pg_event_trigger e WHERE e.evtname ~ '^privacct_' AND e.evtenabled <> 'A' AND privacct._administers(0::regclass)
UNION ALL
SELECT NULL, NULL, pg_catalog.format('%s %s', m.relation::regclass, m.problem), 'What was spent might be forgotten.', m.remedy
FROM privacct._meddled m WHERE privacct._administers(0::regclass)
UNION ALL
SELECT NULL, NULL, pg_catalog.format('triggers of %s are disabled', c.oid::regclass), 'They keep what was spent, and let sessions know what changed.', pg_catalog.format('ALTER TABLE %s ENABLE TRIGGER USER', c.oid::regclass)
FROM pg_catalog.pg_class c
WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p') AND EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled <> 'A')
AND privacct._administers(0::regclass);
COMMENT ON VIEW privacct.discrepancy IS 'where the books do not agree, one row each; shown to the owner of the table, of a table that is gone to superusers';

-- What reads the whole ledger is for whoever asks for it.
CREATE VIEW privacct._line_sums AS
SELECT t.policy_id, s.epsilon, s.delta, s.rho, s.charges, l.epsilon AS line_epsilon, l.delta AS line_delta, l.rho AS line_rho, l.charges AS line_charges,
	CASE WHEN l.epsilon < s.epsilon OR l.delta < s.delta OR l.rho < s.rho OR l.charges < s.charges THEN 'lines of the ledger are missing'
		WHEN (l.epsilon, l.delta, l.rho, l.charges) <> (s.epsilon, s.delta, s.rho, s.charges) THEN 'lines of the ledger are not in its sums' END AS problem
FROM privacct.ledger_sum t
CROSS JOIN LATERAL (SELECT t.epsilon - t.folded_epsilon, t.delta - t.folded_delta, t.rho - t.folded_rho, t.charges - t.folded_charges) s(epsilon, delta, rho, charges)
CROSS JOIN LATERAL (SELECT coalesce(sum(g.epsilon), 0), coalesce(sum(g.delta), 0), coalesce(sum(g.rho), 0), pg_catalog.count(*)
	FROM privacct.ledger_line g WHERE g.policy_id = t.policy_id AND g.charge_id <= t.charge_id AND NOT coalesce(g.detail ? 'carried_from_policy', false) OFFSET 0) l(epsilon, delta, rho, charges);
COMMENT ON VIEW privacct._line_sums IS 'what the sums say of the lines that are still there, and these lines themselves';

CREATE VIEW privacct.line_discrepancy WITH (security_barrier) AS
SELECT b.policy_id, b.relation_name AS relation, s.problem,
	pg_catalog.format('The sums say epsilon %s, delta %s, rho %s in %s charges, the lines epsilon %s, delta %s, rho %s in %s.',
		pg_catalog.trim_scale(s.epsilon), pg_catalog.trim_scale(s.delta), pg_catalog.trim_scale(s.rho), s.charges,
		pg_catalog.trim_scale(s.line_epsilon), pg_catalog.trim_scale(s.line_delta), pg_catalog.trim_scale(s.line_rho), s.line_charges) AS detail,
	CASE s.problem WHEN 'lines of the ledger are missing' THEN 'none is needed, the sums count; what is missing in the ledger may be in a copy of it'
		ELSE pg_catalog.format('SELECT privacct.repair_books(%L)', b.relation_name) END AS remedy
FROM (SELECT g.* FROM privacct._books g WHERE g.open AND privacct._administers(g.relation::regclass) OFFSET 0) b
JOIN privacct._line_sums s ON s.policy_id = b.policy_id
WHERE s.problem IS NOT NULL
UNION ALL
SELECT b.policy_id, b.relation_name, 'descriptions of charges are missing', pg_catalog.format('%s charges are described by lines of the ledger that are not there.', d.charges),
	'none is needed, what they cost counts; the lines may be in a copy of the ledger'
FROM (SELECT g.* FROM privacct._books g WHERE g.open AND privacct._administers(g.relation::regclass) OFFSET 0) b
CROSS JOIN LATERAL (SELECT sum(u.charges) AS charges
	FROM (SELECT l.detail_of, pg_catalog.count(*) AS charges FROM privacct.ledger_line l WHERE l.policy_id = b.policy_id AND l.detail_of IS NOT NULL GROUP BY l.detail_of) u
	WHERE NOT EXISTS (SELECT FROM privacct.ledger_line o WHERE o.charge_id = u.detail_of) OFFSET 0) d
WHERE d.charges > 0
UNION ALL
SELECT i.policy_id, NULL, 'the policy is missing', 'Its table is not protected: nobody but its owner can read it.', 'restore privacct.policy, or protect its table with inherits or fresh'
FROM privacct._in_ledger i WHERE NOT EXISTS (SELECT FROM privacct._books b WHERE b.policy_id = i.policy_id) AND privacct._administers(0::regclass);
COMMENT ON VIEW privacct.line_discrepancy IS 'where the lines of the ledger do not agree with its sums, one row each; reads all lines of the tables that the user owns';

-- To compile a query of this size takes longer than to run it.
CREATE FUNCTION privacct.check_books() RETURNS TABLE (policy_id bigint, relation text, problem text, detail text, remedy text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
	SELECT d.policy_id, d.relation, d.problem, d.detail, d.remedy FROM (SELECT * FROM privacct.discrepancy UNION ALL SELECT * FROM privacct.line_discrepancy
		UNION ALL SELECT * FROM privacct.object_discrepancy) d ORDER BY d.policy_id, d.problem
$$;
COMMENT ON FUNCTION privacct.check_books() IS 'compares policies, accounts, the ledger and its sums, and what keeps them: one row for each discrepancy, with what mends it; none is how it should be';

--
-- Repair
--

CREATE FUNCTION privacct._check_ledger_is_there(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._books_are_gone(p.policy_id) THEN
		RAISE EXCEPTION 'both the account and the ledger of % are missing', p.relation
			USING ERRCODE = 'PA004',
				  DETAIL = 'What was spent is not known.',
				  HINT = 'Restore privacct.ledger_line, privacct.ledger_sum or privacct.account from the dump; or unprotect the table and protect it again: all that was promised is then spent.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_ledger_is_there(privacct.policy) IS 'there is something to rebuild the account from';

-- Lines that came from a copy of the ledger.
CREATE FUNCTION privacct._repair_sums(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	INSERT INTO privacct.payer_sum AS t
	SELECT p.policy_id, c.payer, sum(c.epsilon), sum(c.delta), sum(c.rho), count(*)
	FROM privacct._charge c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id WHERE c.policy_id = p.policy_id GROUP BY c.payer
	ON CONFLICT ON CONSTRAINT payer_sum_pkey DO UPDATE SET epsilon = greatest(t.epsilon, excluded.epsilon), delta = greatest(t.delta, excluded.delta),
		rho = greatest(t.rho, excluded.rho), charges = greatest(t.charges, excluded.charges);
	INSERT INTO privacct.release_sum AS t
	SELECT p.policy_id, c.hash, c.epsilon, c.mechanisms, c.slots, count(*)
	FROM privacct._release c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id WHERE c.policy_id = p.policy_id
	GROUP BY c.hash, c.epsilon, c.mechanisms, c.slots
	ON CONFLICT ON CONSTRAINT release_sum_pkey DO UPDATE SET charges = greatest(t.charges, excluded.charges);
	UPDATE privacct.ledger_sum t SET epsilon = greatest(t.epsilon, l.epsilon + t.folded_epsilon), delta = greatest(t.delta, l.delta + t.folded_delta),
		rho = greatest(t.rho, l.rho + t.folded_rho), charges = greatest(t.charges, l.charges + t.folded_charges)
	FROM (SELECT sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho, count(*) AS charges
		  FROM privacct._charge c JOIN privacct.ledger_sum s ON s.policy_id = c.policy_id AND c.charge_id <= s.charge_id WHERE c.policy_id = p.policy_id) l
	WHERE t.policy_id = p.policy_id AND l.charges > 0;
$$;
COMMENT ON FUNCTION privacct._repair_sums(privacct.policy) IS 'brings the sums of a policy to what its lines say, if that is more';

CREATE FUNCTION privacct._repair_total(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	INSERT INTO privacct.account AS a (policy_id, role, epsilon, delta, rho, releases, most_epsilon, most_delta, questions)
	SELECT p.policy_id, 0::regrole, s.ledger_epsilon, s.ledger_delta, s.ledger_rho, s.ledger_releases, named.epsilon, named.delta, privacct._questions_of_ledger(p)
	FROM privacct._sums s,
		(SELECT coalesce(max(o.epsilon), 0) AS epsilon, coalesce(max(o.delta), 0) AS delta FROM privacct.owner_account o WHERE o.policy_id = p.policy_id) named
	WHERE s.policy_id = p.policy_id
	-- what the owner charged most was charged is everybody's, where it is not known whose it is
	ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = greatest(a.epsilon, excluded.epsilon), delta = greatest(a.delta, excluded.delta),
		rho = greatest(a.rho, excluded.rho), releases = greatest(a.releases, excluded.releases),
		most_epsilon = least(a.most_epsilon, excluded.most_epsilon), most_delta = least(a.most_delta, excluded.most_delta),
		spared_epsilon = least(a.spared_epsilon, greatest(a.epsilon - (SELECT s.everybodys_epsilon FROM privacct._sums s WHERE s.policy_id = p.policy_id), 0)),
		spared_delta = least(a.spared_delta, greatest(a.delta - (SELECT s.everybodys_delta FROM privacct._sums s WHERE s.policy_id = p.policy_id), 0))
$$;
COMMENT ON FUNCTION privacct._repair_total(privacct.policy) IS 'brings the total account of a policy to what the ledger says';

CREATE FUNCTION privacct._repair_roles(p privacct.policy) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	-- what was restored without a role that there is now
	UPDATE privacct.quota q SET role = r.oid FROM pg_roles r
	WHERE q.policy_id = p.policy_id AND q.role = privacct._absent(r.rolname) AND NOT EXISTS (SELECT FROM privacct.quota o WHERE o.policy_id = p.policy_id AND o.role = r.oid);
	UPDATE privacct.account a SET role = r.oid FROM pg_roles r
	WHERE a.policy_id = p.policy_id AND a.role = privacct._absent(r.rolname) AND NOT EXISTS (SELECT FROM privacct.account o WHERE o.policy_id = p.policy_id AND o.role = r.oid);
	UPDATE privacct.slot s SET role = r.oid FROM pg_roles r WHERE s.policy_id = p.policy_id AND s.role = privacct._absent(r.rolname);
	INSERT INTO privacct.account AS a (policy_id, role, epsilon, delta, rho, releases)
	SELECT p.policy_id, r.oid, coalesce(l.epsilon, 0), coalesce(l.delta, 0), coalesce(l.rho, 0), l.charges
	FROM pg_roles r
	CROSS JOIN LATERAL (SELECT sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho, coalesce(sum(c.charges), 0)::bigint AS charges
		FROM privacct._paid c WHERE c.policy_id = p.policy_id AND c.payer = r.rolname) l
	WHERE EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = p.policy_id AND q.role = r.oid)
	OR EXISTS (SELECT FROM privacct._paid c WHERE c.policy_id = p.policy_id AND c.payer = r.rolname AND c.source = p.policy_id)
	ON CONFLICT ON CONSTRAINT account_pkey DO UPDATE SET epsilon = greatest(a.epsilon, excluded.epsilon), delta = greatest(a.delta, excluded.delta),
		rho = greatest(a.rho, excluded.rho), releases = greatest(a.releases, excluded.releases)
$$;
COMMENT ON FUNCTION privacct._repair_roles(privacct.policy) IS 'brings the accounts of paying roles to what the ledger says';

CREATE FUNCTION privacct._repair_books(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	spent privacct.account;
BEGIN
	PERFORM privacct._lock(relation);
	p := privacct._policy_of(relation);
	PERFORM privacct._identify();
	PERFORM privacct._await_charges(p.policy_id);
	PERFORM privacct._check_ledger_is_there(p);
	PERFORM privacct._complete_history();
	PERFORM privacct._sync_members(p);
	PERFORM privacct._check_covered(p, h.relation) FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.left_at IS NULL;
	PERFORM privacct._repair_sums(p);
	PERFORM privacct._repair_total(p);
	PERFORM privacct._repair_roles(p);
	UPDATE privacct.slot s SET used = least(u.uses, s.releases) FROM privacct._slot_uses u
	WHERE s.policy_id = p.policy_id AND u.policy_id = p.policy_id AND s.slot = u.slot AND u.uses > s.used;
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	RAISE NOTICE 'the accounts of % now hold at least what the ledger says', relation
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho, spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._repair_books(regrole, regclass) IS 'worker of repair_books';
CREATE FUNCTION privacct.repair_books(relation regclass) RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.repair_books(regclass) IS 'rebuilds the accounts of a table from its ledger; where both are there, the larger counts';

REVOKE ALL ON privacct._books, privacct._unnoticed, privacct._sums, privacct._slot_uses, privacct._line_sums, privacct.discrepancy, privacct.line_discrepancy FROM PUBLIC;
GRANT SELECT ON privacct.discrepancy, privacct.line_discrepancy TO PUBLIC;
REVOKE ALL ON FUNCTION privacct._refuse_loss(), privacct.check_books(), privacct._check_ledger_is_there(privacct.policy),
	privacct._repair_sums(privacct.policy), privacct._repair_total(privacct.policy), privacct._repair_roles(privacct.policy), privacct._repair_books(regrole, regclass), privacct.repair_books(regclass) FROM PUBLIC;
-- what the view calls tells nothing that its argument does not
GRANT EXECUTE ON FUNCTION privacct.check_books(), privacct._absent(name) TO PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.repair_books(regclass) TO privacct_admin;
