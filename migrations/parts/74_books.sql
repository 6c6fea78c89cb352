-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Views of what does not agree.
--

CREATE OR REPLACE VIEW privacct._without_states WITH (security_barrier) AS
SELECT p.policy_id
FROM privacct.policy p
LEFT JOIN privacct.owner_state_at written ON written.policy_id = p.policy_id
LEFT JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.max(q.question), 0) AS last, pg_catalog.count(*) AS count,
	pg_catalog.max(q.owners) FILTER (WHERE q.question <= written.question) AS owners FROM privacct.question q
	WHERE q.policy_id = p.policy_id) asked
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.sum(pg_catalog.length(k.keys) / 8), 0) AS count,
	pg_catalog.bool_and(k.first_owner = k.before AND pg_catalog.length(k.keys) = 2 * pg_catalog.length(k.records))
	AS whole
	FROM (SELECT o.*, coalesce(pg_catalog.sum(pg_catalog.length(o.keys) / 8) OVER
	(ORDER BY o.first_owner ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM privacct.owner_key o
	WHERE o.policy_id = p.policy_id) k) known
CROSS JOIN LATERAL (SELECT coalesce(pg_catalog.sum(pg_catalog.length(k.states) * 8 / k.width), 0) AS count,
	pg_catalog.bool_and(k.first_owner = k.before) AS whole
	FROM (SELECT o.*, coalesce(pg_catalog.sum(pg_catalog.length(o.states) * 8 / o.width) OVER
	(ORDER BY o.first_owner ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM privacct.owner_state o
	WHERE o.policy_id = p.policy_id) k) placed
CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS count, pg_catalog.max(k.state) AS last FROM privacct.likelihood k
	WHERE k.policy_id = p.policy_id) states
WHERE p.regime = 'local'
AND (asked.last <> asked.count OR asked.last < a.questions OR asked.last < written.question
	OR EXISTS (SELECT FROM privacct.question q WHERE q.policy_id = p.policy_id
	AND q.question > coalesce(written.question, 0)
		AND NOT EXISTS (SELECT FROM privacct.answer r WHERE r.policy_id = q.policy_id AND r.question = q.question))
	OR EXISTS (SELECT FROM privacct.answer r WHERE r.policy_id = p.policy_id AND r.question <= written.question)
	OR EXISTS (SELECT FROM privacct.question q CROSS JOIN LATERAL pg_catalog.unnest(q.columns) c(position)
	WHERE q.policy_id = p.policy_id
		AND NOT EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = q.policy_id AND d.position = c.position))
	OR (written.policy_id IS NULL
	AND EXISTS (SELECT FROM privacct.inherited i WHERE i.policy_id = p.policy_id AND i.lost IS NOT NULL))
	OR (written.policy_id IS NOT NULL AND states.count <> coalesce(written.states, greatest(states.count, 1)))
	OR states.count <> states.last + 1
	OR NOT known.whole OR NOT placed.whole
	OR placed.count <> written.owners OR placed.count < asked.owners OR placed.count > known.count
	-- who answered and has no number
	OR EXISTS (SELECT FROM privacct.answer r CROSS JOIN LATERAL (SELECT pg_catalog.length(r.answered) AS bytes) l
		WHERE r.policy_id = p.policy_id AND (l.bytes > (known.count + 7) / 8
			OR (l.bytes > known.count / 8 AND pg_catalog.get_byte(r.answered, l.bytes - 1) >> (known.count % 8)::int
			> 0))));
COMMENT ON VIEW privacct._without_states
	IS 'local policies of which something that owners were asked, or lost, is missing';

-- Other types have the same bytes in all encodings.
CREATE OR REPLACE VIEW privacct._recoded WITH (security_barrier) AS
SELECT p.policy_id, p.relation_name, i.encoding
FROM privacct.identity i JOIN privacct.policy p ON p.regime = 'local' AND p.closed_at IS NULL
JOIN pg_catalog.pg_attribute a ON a.attrelid = p.relation AND a.attname = p.owner_column
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE i.encoding <> pg_catalog.getdatabaseencoding()
AND t.typcategory NOT IN ('N', 'D', 'T', 'B', 'I') AND a.atttypid <> 'pg_catalog.uuid'::pg_catalog.regtype
AND EXISTS (SELECT FROM privacct.owner_key k WHERE k.policy_id = p.policy_id);
COMMENT ON VIEW privacct._recoded
	IS 'local policies whose owners were asked in a database of another encoding, and would not be known again';

-- Whatever the role may do: before there were marks it could read what was protected.
CREATE OR REPLACE VIEW privacct._stranger WITH (security_barrier) AS
SELECT DISTINCT c.oid AS relation, pg_catalog.format('%I.%I', n.nspname, c.relname) AS relation_name
FROM pg_catalog.pg_roles r
JOIN pg_catalog.pg_shdepend d ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid AND d.deptype = 'a'
	AND d.dbid = privacct._here() AND d.classid = 'pg_class'::regclass
JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'f')
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE r.rolname = 'privacct_reader'
AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.relation = c.oid)
AND NOT EXISTS (SELECT FROM privacct.policy p WHERE p.relation = c.oid);
COMMENT ON VIEW privacct._stranger IS 'tables that were protected, but not in these books';

CREATE OR REPLACE VIEW privacct._stale WITH (security_barrier) AS
SELECT h.relation::oid AS relation, d.relation_name, h.relation_name AS known_as, h.columns
FROM privacct.history h
JOIN privacct._describe_all(ARRAY(SELECT DISTINCT g.relation::oid FROM privacct.history g)) d ON d.relation = h.relation
WHERE (h.relation_name, h.columns) IS DISTINCT FROM (d.relation_name, coalesce(d.columns, ''));
COMMENT ON VIEW privacct._stale IS 'tables with a history that were changed while nobody followed';

CREATE OR REPLACE VIEW privacct._meddled AS
SELECT c.oid AS relation, 'is not logged' AS problem,
	pg_catalog.format('ALTER %s %s SET LOGGED', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
	c.oid::pg_catalog.regclass) AS remedy
FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind IN ('r', 'S')
	AND c.relpersistence <> 'p'
	-- made so: without them answers are gone through, and questions paid for that could be repeated
	AND c.relname NOT IN ('likelihood_copy', 'owner_state_copy', 'owner_state_copy_at', 'stored_release')
UNION ALL
SELECT i.inhparent, 'has children', pg_catalog.format('ALTER TABLE %s NO INHERIT %s', i.inhrelid::pg_catalog.regclass,
	i.inhparent::pg_catalog.regclass)
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhparent
	WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'r'
UNION ALL
-- triggers of statements are those of the table that a statement names
SELECT c.oid, 'is a child of another table', CASE p.relkind
	WHEN 'p' THEN pg_catalog.format('ALTER TABLE %s DETACH PARTITION %s', p.oid::pg_catalog.regclass,
	c.oid::pg_catalog.regclass)
	ELSE pg_catalog.format('ALTER TABLE %s NO INHERIT %s', c.oid::pg_catalog.regclass, p.oid::pg_catalog.regclass) END
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
	WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'r'
UNION ALL
SELECT r.ev_class, 'has rules', pg_catalog.format('DROP RULE %I ON %s', r.rulename, r.ev_class::pg_catalog.regclass)
FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
	WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind = 'r'
UNION ALL
SELECT t.tgrelid, 'has triggers that may change its rows',
	pg_catalog.format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::pg_catalog.regclass)
FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc f
	ON f.oid = t.tgfoid
-- before, each row
WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND NOT t.tgisinternal AND t.tgtype & 3 = 3
	AND f.pronamespace <> c.relnamespace
UNION ALL
-- nobody needs copies of what is no part of what was spent
SELECT t.tgrelid, 'has triggers that are not of the extension',
	pg_catalog.format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::pg_catalog.regclass)
FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc f
	ON f.oid = t.tgfoid
WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relname IN ('home', 'identity', 'made',
	'written_by_hand') AND NOT t.tgisinternal AND t.tgtype & 3 <> 3 AND f.pronamespace <> c.relnamespace
UNION ALL
SELECT c.oid, 'is not of the extension', pg_catalog.format('DROP TABLE %s', c.oid::pg_catalog.regclass)
FROM pg_catalog.pg_class c WHERE c.relnamespace = 'privacct'::pg_catalog.regnamespace AND c.relkind IN ('r', 'p', 'f')
AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
	AND d.objid = c.oid AND d.deptype = 'e');
COMMENT ON VIEW privacct._meddled
	IS 'tables of the extension that do not keep what is written to them, and what mends it';

-- Of a table that is missing, or of another one in its place, not every part is told.  An
-- index more keeps nothing from anybody if what it finds is for PostgreSQL to say.
CREATE OR REPLACE VIEW privacct.object_discrepancy WITH (security_barrier) AS
WITH present AS MATERIALIZED (SELECT a.* FROM privacct._as_is() a WHERE privacct._administers(0::pg_catalog.regclass)),
whole AS MATERIALIZED (SELECT m.object FROM privacct.made m JOIN present a ON a.object = m.object
	AND a.state <> 'no member' WHERE m.part_of IS NULL)
SELECT NULL::bigint AS policy_id, NULL::text AS relation, pg_catalog.format('%s %s', coalesce(m.object, a.object),
		CASE WHEN a.object IS NULL THEN 'is missing' WHEN m.object IS NULL THEN 'is not of the extension'
		ELSE 'is not as the extension made it' END) AS problem,
	CASE WHEN m.object IS NULL THEN 'What is charged may be kept there, or nowhere.'
		ELSE 'What was spent may no longer be kept.' END AS detail,
	CASE WHEN m.object IS NULL THEN 'see what it is, then drop it or give it another schema'
		ELSE 'undo what was done to it, or restore the database; what was renamed gets its name again, and what was '
			'taken out of the extension is put back by ALTER EXTENSION privacct ADD' END AS remedy
FROM privacct.made m FULL JOIN present a ON a.object = m.object
WHERE a.state IS DISTINCT FROM m.state AND NOT (m.object IS NULL AND a.object ~ '^index ' AND a.state !~ 'order')
AND (coalesce(m.part_of, a.part_of) IS NULL OR coalesce(m.part_of, a.part_of) IN (SELECT w.object FROM whole w))
AND privacct._administers(0::pg_catalog.regclass);
COMMENT ON VIEW privacct.object_discrepancy
	IS 'what is not, or no longer, as the script of the extension created it, one row each; shown to superusers';

-- By name, for the table may be gone, and the policy too.  Mostly both are there.
CREATE OR REPLACE VIEW privacct._books WITH (security_barrier) AS
SELECT b.policy_id, p.policy_id IS NOT NULL AS exists, p.policy_id IS NOT NULL AND p.closed_at IS NULL AS open,
	p.regime, p.accountant, coalesce(h.relation_name,
		(SELECT g.relation_name FROM privacct.history g WHERE g.policy_id = b.policy_id
			ORDER BY pg_catalog.length(g.relation_name), g.relation_name LIMIT 1), p.relation_name) AS relation_name,
	coalesce(p.relation::oid, (SELECT g.relation::oid FROM privacct.history g WHERE g.policy_id = b.policy_id
			ORDER BY pg_catalog.length(g.relation_name), g.relation_name LIMIT 1), 0) AS relation,
	p.unit_owner
FROM (SELECT policy_id FROM privacct.policy UNION SELECT policy_id FROM privacct.history UNION SELECT policy_id
	FROM privacct.ledger_sum
	  UNION SELECT policy_id FROM privacct.account UNION SELECT policy_id FROM privacct.quota UNION SELECT policy_id
		FROM privacct.prior
	  UNION SELECT policy_id FROM privacct.slot UNION SELECT policy_id FROM privacct.domain UNION SELECT policy_id
		FROM privacct.bound
	  UNION SELECT policy_id FROM privacct.group_key UNION SELECT policy_id FROM privacct.public_column
		UNION SELECT policy_id FROM privacct.question) b
LEFT JOIN privacct.policy p ON p.policy_id = b.policy_id
LEFT JOIN privacct.history h ON h.policy_id = b.policy_id AND h.relation = p.relation AND h.relation <> 0::oid;
COMMENT ON VIEW privacct._books IS 'every policy that anything is kept of';

CREATE OR REPLACE VIEW privacct._sums WITH (security_barrier) AS
SELECT b.policy_id, a.policy_id IS NOT NULL AS has_account, a.epsilon, a.delta, a.rho, a.releases, a.most_epsilon,
	a.most_delta, a.spared_epsilon, a.spared_delta,
	coalesce(l.epsilon, 0) + coalesce(c.epsilon, 0) AS ledger_epsilon, coalesce(l.delta, 0) + coalesce(c.delta, 0)
		AS ledger_delta, coalesce(l.rho, 0) + coalesce(c.rho, 0) AS ledger_rho,
	coalesce(l.charges, 0) + i.releases AS ledger_releases,
	coalesce(l.epsilon - l.named_epsilon, 0) + i.epsilon AS everybodys_epsilon, coalesce(l.delta - l.named_delta, 0)
		+ i.delta AS everybodys_delta,
	coalesce(l.epsilon, 0) + i.all_epsilon AS owed_epsilon, coalesce(l.delta, 0) + i.all_delta AS owed_delta,
	coalesce(l.rho, 0) + i.rho AS owed_rho,
	coalesce(l.late_epsilon, 0) AS late_epsilon, coalesce(l.late_delta, 0) AS late_delta, coalesce(l.late_rho, 0)
		AS late_rho
FROM privacct.policy b
LEFT JOIN privacct.account a ON a.policy_id = b.policy_id AND a.role = 0::regrole
LEFT JOIN privacct._charged l ON l.policy_id = b.policy_id
LEFT JOIN (SELECT o.policy_id, sum(o.epsilon) AS epsilon, sum(o.delta) AS delta, sum(o.rho) AS rho
	FROM privacct._carried o GROUP BY o.policy_id) c ON c.policy_id = b.policy_id
LEFT JOIN (SELECT e.policy_id, sum(e.releases)::bigint AS releases, sum(e.epsilon) AS all_epsilon,
	sum(e.delta) AS all_delta, sum(e.rho) AS rho, sum(e.epsilon - e.spared_epsilon) AS epsilon,
	sum(e.delta - e.spared_delta) AS delta FROM privacct.inherited e GROUP BY e.policy_id) n
	ON n.policy_id = b.policy_id
CROSS JOIN LATERAL (SELECT coalesce(n.releases, 0) AS releases, coalesce(n.all_epsilon, 0) AS all_epsilon,
	coalesce(n.all_delta, 0) AS all_delta, coalesce(n.rho, 0) AS rho, coalesce(n.epsilon, 0) AS epsilon,
	coalesce(n.delta, 0) AS delta) i
WHERE b.unit IS NULL OR b.regime = 'local';
COMMENT ON VIEW privacct._sums
	IS 'the total account of each policy that has one, what its ledger sums to, what of that was about all owners, and '
	'what it charged beside what it started from';

CREATE OR REPLACE VIEW privacct._slot_uses WITH (security_barrier) AS
SELECT l.policy_id, u.key::int AS slot, sum(u.value::bigint * l.charges)::bigint AS uses
FROM privacct.policy p
CROSS JOIN LATERAL (SELECT r.policy_id, r.slots, r.charges FROM privacct._released r WHERE r.policy_id = p.policy_id
	AND r.slots IS NOT NULL OFFSET 0) l
CROSS JOIN LATERAL pg_catalog.jsonb_each_text(l.slots) u(key, value)
WHERE p.accountant = ANY (privacct._accountants('planned')) GROUP BY 1, 2;
COMMENT ON VIEW privacct._slot_uses IS 'how often the slots of plans were used, by the ledger';

CREATE OR REPLACE VIEW privacct._unnoticed WITH (security_barrier) AS
SELECT p.policy_id, p.relation::oid AS relation FROM privacct.policy p
WHERE p.closed_at IS NULL AND p.name IS NULL
	AND NOT EXISTS (SELECT FROM privacct.history h WHERE h.policy_id = p.policy_id AND h.relation = p.relation
	AND h.left_at IS NULL)
UNION ALL
SELECT h.policy_id, i.inhrelid FROM privacct.history h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.relation
WHERE h.left_at IS NULL
	AND NOT EXISTS (SELECT FROM privacct.history c WHERE c.policy_id = h.policy_id AND c.relation = i.inhrelid
	AND c.left_at IS NULL)
UNION ALL
SELECT h.policy_id, h.relation::oid FROM privacct.history h JOIN privacct.policy p ON p.policy_id = h.policy_id
WHERE h.left_at IS NULL AND h.relation <> p.relation::oid AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i
	JOIN privacct.history a ON a.policy_id = h.policy_id AND a.relation = i.inhparent AND a.left_at IS NULL
	WHERE i.inhrelid = h.relation);
COMMENT ON VIEW privacct._unnoticed
	IS 'tables that a policy covers and that are not written down, or the other way round';

CREATE OR REPLACE VIEW privacct._disagreement WITH (security_barrier) AS
-- a row for each policy: what follows would otherwise be joined over and over, which takes longer to plan than to do
WITH books AS MATERIALIZED (SELECT b.*, p.relation AS protected, p.name, p.unit, p.owner_column, p.owner_attnum,
		p.owner_type, p.path, p.path_to, p.path_keys, p.null_owners, p.epsilon AS promised_epsilon,
		p.delta AS promised_delta, p.cap_delta, p.cap_rho, s.has_account, s.epsilon, s.delta, s.rho, s.releases,
		s.most_epsilon, s.spared_epsilon, s.spared_delta,
		s.ledger_epsilon, s.ledger_delta, s.ledger_rho, s.ledger_releases, s.everybodys_epsilon, s.everybodys_delta,
		s.owed_epsilon, s.owed_delta, s.owed_rho, s.late_epsilon, s.late_delta, s.late_rho
	FROM privacct._books b LEFT JOIN privacct.policy p ON p.policy_id = b.policy_id
	LEFT JOIN privacct._sums s ON s.policy_id = b.policy_id),
found AS MATERIALIZED (
	SELECT b.policy_id, 'the policy is missing' AS problem,
	'Its table is not protected: nobody but its owner can read it.' AS detail,
		CASE WHEN b.relation_name IS NULL THEN 'restore privacct.policy, or protect its table with inherits or fresh'
			ELSE pg_catalog.format('SELECT privacct.protect(%L, ...), which starts from what the ledger says',
			b.relation_name) END AS remedy
	FROM books b WHERE NOT b.exists
	-- a policy that was renewed since is accounted for by its successor
	AND NOT EXISTS (SELECT FROM privacct.inherited i JOIN privacct.policy p ON p.policy_id = i.policy_id
	WHERE i.source = b.policy_id)
	UNION ALL
	SELECT s.policy_id, CASE WHEN g.gone THEN 'account and ledger are missing' ELSE 'the account is missing' END,
		CASE WHEN g.gone THEN 'What was spent is not known. Nothing is released.'
			ELSE pg_catalog.format('The ledger says epsilon %s, delta %s, rho %s in %s releases.',
				pg_catalog.trim_scale(s.ledger_epsilon), pg_catalog.trim_scale(s.ledger_delta),
				pg_catalog.trim_scale(s.ledger_rho), s.ledger_releases) END,
		CASE WHEN g.gone THEN
		'restore privacct.ledger, privacct.ledger_sum or privacct.account, or unprotect the table and protect it '
		'again: all that was promised is then spent' END
	FROM books s
	-- by the index: the lines of all policies are many
	CROSS JOIN LATERAL (SELECT pg_catalog.count(*) = 0
	FROM (SELECT FROM privacct.ledger_sum t WHERE t.policy_id = s.policy_id
		UNION ALL (SELECT FROM privacct.ledger l WHERE l.policy_id = s.policy_id LIMIT 1)) k) g(gone)
	WHERE s.open AND NOT s.has_account
	UNION ALL
	SELECT b.policy_id,
	CASE WHEN b.owner_attnum <> privacct._column_number(b.protected, b.owner_column)
	THEN 'another column has the name of the owner column' ELSE 'the owner column is missing' END,
		'Nothing is released.',
		CASE WHEN c.attisdropped
		THEN 'what was spent is per owner of a column that was dropped: load the rows into another table, and take '
		'into account what was spent'
			ELSE pg_catalog.format(
			'ALTER TABLE %s RENAME %I TO %I, and give the column that has that name another one before; after a '
			'restore with --disable-triggers, restore without that option instead: columns had other numbers',
			b.protected, c.attname, b.owner_column) END
	FROM books b JOIN pg_catalog.pg_attribute c ON c.attrelid = b.protected AND c.attnum = b.owner_attnum
	-- as _column_number() says, which would be called for every policy
	WHERE b.open AND b.owner_attnum IS DISTINCT FROM (SELECT n.attnum FROM pg_catalog.pg_attribute n
		WHERE n.attrelid = b.protected AND n.attname = b.owner_column AND n.attnum > 0 AND NOT n.attisdropped)
	UNION ALL
	SELECT b.policy_id, pg_catalog.format('another column is called %s, or none', d.column_name),
	pg_catalog.format('The %s of the column that was called so when they were declared are not used.', d.what),
	pg_catalog.format('give the columns of %s the names that they had, or SELECT privacct.%s(%L, %L) and declare it '
	'anew; after a restore with --disable-triggers, restore without that option: columns had other numbers',
	b.relation_name, d.drop, b.relation_name, d.column_name)
	FROM books b
	JOIN (SELECT l.policy_id, l.column_name, l.attnum, 'bounds', 'drop_bounds' FROM privacct.bound l
			WHERE l.lo IS NOT NULL
		UNION ALL SELECT o.policy_id, o.column_name, o.attnum, 'bounds of sums', 'drop_owner_bounds'
			FROM privacct.bound o WHERE o.owner_lo IS NOT NULL
		UNION ALL SELECT k.policy_id, k.column_name, k.attnum, 'keys', 'drop_keys' FROM privacct.group_key k
		UNION ALL SELECT m.policy_id, m.column_name, m.attnum, 'domain', 'drop_domain' FROM privacct.domain m
		UNION ALL SELECT c.policy_id, c.column_name, c.attnum, 'public values', 'drop_domain'
			FROM privacct.public_column c) d(policy_id, column_name, attnum, what, drop) ON d.policy_id = b.policy_id
	WHERE b.open AND d.attnum <> coalesce((SELECT n.attnum FROM pg_catalog.pg_attribute n
		WHERE n.attrelid = b.protected AND n.attname = d.column_name AND n.attnum > 0 AND NOT n.attisdropped), 0)
	UNION ALL
	SELECT b.policy_id, 'the owner column has another type',
	pg_catalog.format('The books are kept by keys of owners, which were made of type %s. Nothing is released.',
	b.owner_type),
		'give it that type again, or unprotect the table and protect it again: every owner then starts with the most '
		'that one of them lost'
	FROM books b JOIN pg_catalog.pg_attribute a ON a.attrelid = b.protected AND a.attnum = b.owner_attnum
	AND a.attname = b.owner_column
	WHERE b.open AND b.regime = 'local' AND NOT privacct._owner_key_is(b.owner_type, a.atttypid)
	UNION ALL
	SELECT s.policy_id,
	CASE WHEN d.less THEN 'the account is less than the ledger' ELSE 'the ledger is less than the account' END,
		pg_catalog.format('The account says epsilon %s, delta %s, rho %s in %s releases, the ledger epsilon %s, delta '
		'%s, rho %s in %s releases.',
			pg_catalog.trim_scale(s.epsilon), pg_catalog.trim_scale(s.delta), pg_catalog.trim_scale(s.rho), s.releases,
			pg_catalog.trim_scale(s.ledger_epsilon), pg_catalog.trim_scale(s.ledger_delta),
			pg_catalog.trim_scale(s.ledger_rho), s.ledger_releases),
		CASE WHEN NOT d.less
		THEN 'none is needed, the account counts; what is missing in the ledger may be in a copy of it' END
	FROM books s
	CROSS JOIN LATERAL (SELECT s.epsilon < s.ledger_epsilon OR s.delta < s.ledger_delta OR s.rho < s.ledger_rho
	OR s.releases < s.ledger_releases,
		s.epsilon > s.ledger_epsilon OR s.delta > s.ledger_delta OR s.rho > s.ledger_rho
		OR s.releases > s.ledger_releases) d(less, more)
	WHERE s.open AND s.has_account AND (d.less OR d.more)
	UNION ALL
	-- where lines that say what was carried over are lost, the ledger does not tell
	SELECT s.policy_id, 'the account is less than what it started from and charged',
		pg_catalog.format('The account says epsilon %s, delta %s, rho %s; charged since it started, and before, were '
			'epsilon %s, delta %s, rho %s.',
			pg_catalog.trim_scale(s.epsilon), pg_catalog.trim_scale(s.delta), pg_catalog.trim_scale(s.rho),
			pg_catalog.trim_scale(s.owed_epsilon), pg_catalog.trim_scale(s.owed_delta),
			pg_catalog.trim_scale(s.owed_rho)), NULL
	FROM books s
	WHERE s.open AND s.has_account AND (s.epsilon < s.owed_epsilon OR s.delta < s.owed_delta OR s.rho < s.owed_rho)
	AND s.epsilon >= s.ledger_epsilon AND s.delta >= s.ledger_delta AND s.rho >= s.ledger_rho
	UNION ALL
	-- what was carried over may be more, and a unit gets more with each table; but then nothing is charged
	SELECT s.policy_id, 'the account is above what was promised',
		pg_catalog.format('It says %s %s, delta %s; promised were %s, delta %s; %s, delta %s was carried over.',
			c.currency, pg_catalog.trim_scale(c.spent), pg_catalog.trim_scale(s.delta - s.spared_delta),
			pg_catalog.trim_scale(c.cap), pg_catalog.trim_scale(s.cap_delta), pg_catalog.trim_scale(c.carried),
			pg_catalog.trim_scale(i.delta)),
		'none, it was released; who changed the books, and may do so, is for a superuser to find out'
	FROM books s
	LEFT JOIN (SELECT e.policy_id, sum(e.epsilon - e.spared_epsilon) AS epsilon, sum(e.delta - e.spared_delta) AS delta,
		sum(e.rho) AS rho FROM privacct.inherited e GROUP BY e.policy_id) n ON n.policy_id = s.policy_id
	CROSS JOIN LATERAL (SELECT coalesce(n.epsilon, 0), coalesce(n.delta, 0), coalesce(n.rho, 0)) i(epsilon, delta, rho)
	CROSS JOIN LATERAL (SELECT CASE WHEN s.cap_rho IS NULL THEN 'epsilon' ELSE 'rho' END AS currency,
		CASE WHEN s.cap_rho IS NULL THEN s.epsilon - s.spared_epsilon ELSE s.rho END AS spent,
		coalesce(s.cap_rho, s.promised_epsilon) AS cap,
		CASE WHEN s.cap_rho IS NULL THEN i.epsilon ELSE i.rho END AS carried) c
	WHERE s.open AND s.has_account AND s.regime <> 'local'
	AND (c.spent > c.cap AND c.spent > c.carried AND (s.name IS NULL OR c.spent - c.carried > c.cap)
		OR s.delta - s.spared_delta > s.cap_delta AND s.delta - s.spared_delta > i.delta
		AND (s.name IS NULL OR s.delta - s.spared_delta - i.delta > s.cap_delta))
	UNION ALL
	SELECT q.policy_id, pg_catalog.format('the account of role %s is %s', q.role,
	CASE WHEN q.missing THEN 'missing' ELSE 'less than the ledger' END),
		pg_catalog.format('The ledger says epsilon %s, delta %s, rho %s.', pg_catalog.trim_scale(l.epsilon),
			pg_catalog.trim_scale(l.delta), pg_catalog.trim_scale(l.rho)), NULL
	-- as if it had paid whatever is not in the sums yet: of few roles the lines have to be read
	FROM (SELECT q.policy_id, q.role, r.rolname, a.policy_id IS NULL AS missing, a.epsilon, a.delta, a.rho
		FROM privacct.quota q JOIN books b ON b.policy_id = q.policy_id
		LEFT JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
		LEFT JOIN pg_catalog.pg_roles r ON r.oid = q.role
		LEFT JOIN privacct.payer_sum t ON t.policy_id = q.policy_id AND t.payer = r.rolname
		LEFT JOIN (SELECT c.policy_id, c.payer, sum(c.epsilon) AS epsilon, sum(c.delta) AS delta, sum(c.rho) AS rho
			FROM privacct._carried c GROUP BY c.policy_id, c.payer) o ON o.policy_id = q.policy_id
			AND o.payer = r.rolname
		WHERE b.open AND (a.policy_id IS NULL
			OR a.epsilon < coalesce(t.epsilon, 0) + coalesce(o.epsilon, 0) + b.late_epsilon
			OR a.delta < coalesce(t.delta, 0) + coalesce(o.delta, 0) + b.late_delta
			OR a.rho < coalesce(t.rho, 0) + coalesce(o.rho, 0) + b.late_rho
			OR b.late_epsilon IS NULL) OFFSET 0) q
	CROSS JOIN LATERAL (SELECT coalesce(sum(c.epsilon), 0) AS epsilon, coalesce(sum(c.delta), 0) AS delta,
		coalesce(sum(c.rho), 0) AS rho
		FROM privacct._paid c WHERE c.policy_id = q.policy_id AND c.payer = q.rolname OFFSET 0) l
	WHERE q.missing OR (q.epsilon < l.epsilon OR q.delta < l.delta OR q.rho < l.rho)
	-- not where a role that was called so has it, which is called otherwise now, or gone
	AND NOT (
		SELECT coalesce(sum(o.epsilon - m.epsilon) FILTER (WHERE o.epsilon > m.epsilon), 0) >= l.epsilon - q.epsilon
			AND coalesce(sum(o.delta - m.delta) FILTER (WHERE o.delta > m.delta), 0) >= l.delta - q.delta
			AND coalesce(sum(o.rho - m.rho) FILTER (WHERE o.rho > m.rho), 0) >= l.rho - q.rho
		FROM privacct.account o LEFT JOIN pg_catalog.pg_roles n ON n.oid = o.role
		CROSS JOIN LATERAL (SELECT coalesce(sum(c.epsilon), 0) AS epsilon, coalesce(sum(c.delta), 0) AS delta,
		coalesce(sum(c.rho), 0) AS rho
			FROM privacct._paid c WHERE c.policy_id = q.policy_id AND c.payer = n.rolname) m
		WHERE o.policy_id = q.policy_id AND o.role <> 0::oid AND o.role <> q.role)
	UNION ALL
	SELECT q.policy_id,
	CASE WHEN r.rolname IS NULL THEN 'a budget is of a role that is not there'
	ELSE pg_catalog.format('budget of role %s is of one that was not there', r.rolname) END,
		'It was restored without the role.',
		CASE WHEN r.rolname IS NULL THEN 'create the role as it was called, then call privacct.repair_books()' END
	FROM privacct.quota q JOIN books b ON b.policy_id = q.policy_id
	LEFT JOIN pg_catalog.pg_roles r ON privacct._absent(r.rolname) = q.role
	WHERE b.open AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles o WHERE o.oid = q.role)
	AND q.role::oid::bigint >= 3221225472
	UNION ALL
	SELECT u.policy_id, pg_catalog.format('slot %s of the plan was used more often than it says', u.slot),
	pg_catalog.format('The ledger says %s times, the slot %s.', u.uses, coalesce(t.used, 0)),
		CASE WHEN t.policy_id IS NULL
		THEN 'restore privacct.slot, or unprotect the table and protect it again: the plan is then spent' END
	FROM privacct._slot_uses u JOIN books b ON b.policy_id = u.policy_id
	LEFT JOIN privacct.slot t ON t.policy_id = u.policy_id AND t.slot = u.slot
	WHERE b.open AND u.uses > coalesce(t.used, 0)
	UNION ALL
	-- of what was spent nothing is missing: the odometer composes what is there, and slots say their use themselves
	SELECT t.policy_id, pg_catalog.format('the sums of charges by %s are missing%s', c.what,
		CASE WHEN c.charges > 0 THEN ' in part' END),
	pg_catalog.format('The sum of the ledger tells of %s charges of epsilon %s in all, these of %s of %s.', t.charges,
		pg_catalog.trim_scale(t.epsilon), c.charges, pg_catalog.trim_scale(c.epsilon)),
	pg_catalog.format('restore privacct.%s, or SELECT privacct.repair_books(%L), which adds what the lines of the '
		'ledger tell; what is missing is not shown by views, but counts', c.source, b.relation_name)
	FROM privacct.ledger_sum t JOIN books b ON b.policy_id = t.policy_id
	LEFT JOIN (SELECT g.policy_id, sum(g.charges) AS charges, sum(g.charges * g.epsilon) AS epsilon
		FROM privacct.release_sum g GROUP BY g.policy_id) r ON r.policy_id = t.policy_id
	LEFT JOIN (SELECT g.policy_id, sum(g.charges) AS charges, sum(g.epsilon) AS epsilon
		FROM privacct.payer_sum g GROUP BY g.policy_id) y ON y.policy_id = t.policy_id
	CROSS JOIN LATERAL (VALUES ('release', 'release_sum', coalesce(r.charges, 0), coalesce(r.epsilon, 0)),
		('payer', 'payer_sum', coalesce(y.charges, 0), coalesce(y.epsilon, 0))) c(what, source, charges, epsilon)
	WHERE b.open AND (c.charges < t.charges OR c.epsilon < t.epsilon)
	UNION ALL
	SELECT s.policy_id, 'accounts of owners are missing', 'The owner who was charged most by name is not among them.',
	NULL
	FROM books s
	WHERE s.open AND s.most_epsilon > 0 AND s.most_epsilon
	> coalesce((SELECT pg_catalog.max(o.epsilon) FROM privacct.owner_account o WHERE o.policy_id = s.policy_id), 0)
	UNION ALL
	SELECT s.policy_id, 'the account spares what was about all owners',
	pg_catalog.format('About all owners were epsilon %s, delta %s; without what it spares the account says %s, %s.',
		pg_catalog.trim_scale(s.everybodys_epsilon), pg_catalog.trim_scale(s.everybodys_delta),
		pg_catalog.trim_scale(s.epsilon - s.spared_epsilon), pg_catalog.trim_scale(s.delta - s.spared_delta)), NULL
	FROM books s
	WHERE s.open AND (s.spared_epsilon > 0 AND s.epsilon - s.spared_epsilon < s.everybodys_epsilon OR s.spared_delta > 0
	AND s.delta - s.spared_delta < s.everybodys_delta)
	UNION ALL
	SELECT b.policy_id, 'what the policy covers is not written down',
	'Partitions or children came, or left, unnoticed. What would read those that came is refused.', NULL
	FROM books b WHERE b.open AND b.policy_id IN (SELECT u.policy_id FROM privacct._unnoticed u)
	UNION ALL
	SELECT b.policy_id, 'the priors are missing', 'Nothing is released.',
	'restore privacct.prior, or unprotect the table and protect its entries again'
	FROM books b WHERE b.open AND b.regime = 'pufferfish'
	AND NOT EXISTS (SELECT FROM privacct.prior v WHERE v.policy_id = b.policy_id)
	UNION ALL
	SELECT b.policy_id, 'the table is treated as unrelated to others, and nobody said so',
	'The ledger has no line of a protect() with fresh.',
		pg_catalog.format('as a superuser: SET privacct.write_books = on; DELETE FROM privacct.unrelated WHERE '
		'policy_id = %s', b.policy_id)
	FROM books b
	-- zeros cover no charge: a table that was protected beside this one has them
	WHERE b.open AND EXISTS (SELECT FROM privacct.unrelated u WHERE u.policy_id = b.policy_id
	AND (u.epsilon > 0 OR u.delta > 0 OR u.rho > 0 OR u.releases > 0))
	AND NOT EXISTS (SELECT FROM privacct.policy q JOIN privacct.ledger l ON l.policy_id = q.policy_id
	AND l.detail ? 'carried_from_policy' WHERE q.relation = b.protected AND l.detail ? 'fresh')
	UNION ALL
	SELECT b.policy_id, 'the priors in force are not those of the policy', 'Nothing is released.',
	'unprotect the table and protect its entries again'
	FROM books b
	WHERE b.open AND b.regime = 'pufferfish'
	AND (b.promised_epsilon, b.promised_delta) <> (SELECT v.epsilon, v.delta FROM privacct.prior v
		WHERE v.policy_id = b.policy_id ORDER BY v.version DESC LIMIT 1)
	UNION ALL
	-- set_priors() declares other amounts
	SELECT b.policy_id, 'the policy is not the one that was declared',
	pg_catalog.format('It has accountant %s, epsilon %s, delta %s; declared were %s, epsilon %s, delta %s.',
		b.accountant, pg_catalog.trim_scale(b.promised_epsilon), pg_catalog.trim_scale(b.promised_delta), h.accountant,
		pg_catalog.trim_scale(h.promised_epsilon), pg_catalog.trim_scale(h.promised_delta)),
	'unprotect the table and protect it again; who changed the books, and may do so, is for a superuser to find out'
	FROM books b
	-- all at once: a look for each policy takes longer
	JOIN (SELECT DISTINCT ON (g.policy_id) g.* FROM privacct.history g JOIN books o ON o.policy_id = g.policy_id
		WHERE g.left_at IS NULL AND (g.accountant, g.promised_epsilon, g.promised_delta)
			<> (o.accountant, o.promised_epsilon, o.promised_delta) ORDER BY g.policy_id) h ON h.policy_id = b.policy_id
	WHERE b.open AND b.regime <> 'pufferfish'
	UNION ALL
	SELECT b.policy_id, 'the entry or its order is missing', 'Nothing is released.',
	'restore privacct.domain and privacct.public_column, or unprotect the table and protect its entries again'
	FROM books b WHERE b.open AND b.regime = 'pufferfish'
	AND NOT (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = b.policy_id)
			 AND EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = b.policy_id
				AND c.order_position IS NOT NULL))
	UNION ALL
	SELECT b.policy_id, 'the table that says whose rows these are is not protected under the same unit',
	'Nothing is released.', 'protect it under the unit, or unprotect this table'
	FROM books b
	WHERE b.open AND b.path IS NOT NULL AND NOT EXISTS (SELECT FROM privacct.policy a WHERE a.relation = b.path_to
		AND a.closed_at IS NULL AND a.unit = b.unit)
	UNION ALL
	SELECT b.policy_id, 'the foreign key to owners is not what it was',
	CASE WHEN k.oid IS NULL
		THEN pg_catalog.format('There is none of (%s) to %s (%s).', pg_catalog.array_to_string(b.path, ', '), b.path_to,
			pg_catalog.array_to_string(b.path_keys, ', '))
		ELSE pg_catalog.format('The foreign key %I %s.', k.conname,
			privacct._why_no_path(k::pg_catalog.pg_constraint, b.null_owners)) END,
	'make it what it was, or unprotect the table'
	FROM books b
	LEFT JOIN LATERAL privacct._path_key(b.protected, b.path, b.path_to, b.path_keys, b.null_owners) k ON true
	WHERE b.open AND b.path IS NOT NULL AND (k.oid IS NULL OR privacct._why_no_path(k::pg_catalog.pg_constraint,
		b.null_owners) IS NOT NULL)
	UNION ALL
	SELECT b.policy_id, CASE WHEN u.policy_id IS NULL THEN 'the unit is missing' ELSE 'the unit is another one' END,
	'Nothing is released.',
	'restore privacct.policy, or unprotect the table and protect it again'
	FROM books b
	LEFT JOIN privacct.policy u ON u.policy_id = b.unit AND u.name IS NOT NULL AND u.closed_at IS NULL
	WHERE b.open AND b.unit IS NOT NULL AND (u.policy_id IS NULL OR b.regime = 'central'
		AND (u.accountant, u.epsilon, u.delta) <> (b.accountant, b.promised_epsilon, b.promised_delta))
	UNION ALL
	SELECT b.policy_id, 'the unit holds less than owners may lose',
	pg_catalog.format('They may lose epsilon %s, delta %s, rho %s; it holds %s, %s, %s for the table.', r.epsilon,
		r.delta, r.rho, pg_catalog.trim_scale(r.held_epsilon), pg_catalog.trim_scale(r.held_delta),
		pg_catalog.trim_scale(r.held_rho)),
	'unprotect the table and protect it again, which charges the unit'
	FROM books b JOIN privacct._reserved r ON r.policy_id = b.policy_id
	WHERE b.open AND (r.epsilon > r.held_epsilon OR r.delta > r.held_delta OR r.rho > r.held_rho)
	UNION ALL
	SELECT b.policy_id, 'the states of owners are missing', 'Nothing is released.',
	'restore the tables privacct.question, answer, owner_key, owner_state, owner_state_at and likelihood, or unprotect '
	'the table and protect it again: all that was promised is then spent'
	FROM books b WHERE b.open AND EXISTS (SELECT FROM privacct._without_states w WHERE w.policy_id = b.policy_id))
SELECT o.*, g.relation_name, g.relation, g.open, g.unit_owner FROM found o JOIN books g ON g.policy_id = o.policy_id;
COMMENT ON VIEW privacct._disagreement IS 'where the books do not agree with each other, of whatever table';

-- What was restored in place of what was dropped counts if it is complete, as every part of it says of the others.
CREATE OR REPLACE FUNCTION privacct._agree() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
	RETURN NOT EXISTS (SELECT FROM privacct._disagreement);
END
$$;
COMMENT ON FUNCTION privacct._agree() IS 'true if the books agree with each other';

-- What owners of the local regime were asked is recorded after it was charged: books that have the last charge may lack
-- the question.
CREATE OR REPLACE VIEW privacct._recorded WITH (security_barrier) AS
SELECT coalesce(sum(a.questions), 0)::bigint AS questions FROM privacct.account a WHERE a.role = 0::regrole;
COMMENT ON VIEW privacct._recorded IS 'local regime: how many questions owners were asked, of all policies; only grows';

-- What was left vouches in its place only, and counts in all: a dump that is older than the first policy brings none
-- that could be compared.
CREATE OR REPLACE VIEW privacct._forgotten WITH (security_barrier) AS
SELECT pg_catalog.split_part(m.mark, '@', 2) AS charged_at FROM privacct._left() m(mark)
WHERE m.mark IS NOT NULL
	AND NOT EXISTS (SELECT FROM privacct.identity i WHERE i.books::text = pg_catalog.split_part(m.mark, '@', 5));
COMMENT ON VIEW privacct._forgotten IS 'books with charges that were dropped here, and are not here again';

CREATE OR REPLACE VIEW privacct._doubt WITH (security_barrier) AS
SELECT NOT (c.copied OR c.older) AS if_they_disagree,
	CASE WHEN c.copied THEN 'the books are a copy' WHEN c.older THEN 'the books are older than those that were here'
	ELSE 'parts of the books may be older than those that were here' END AS problem,
	CASE WHEN c.copied
		THEN 'They are of another database, were restored from a dump, or have rows that were written by hand: what '
			'was charged there, or since, is not known here. Nothing is released.'
		WHEN c.older THEN pg_catalog.format(CASE WHEN c.charged
			THEN 'What owners answered to the last charge of those that were dropped here, at %s, is not in these. '
				'Nothing is released.'
			ELSE 'The last charge of those that were dropped here, at %s, is not in these. Nothing is released.' END,
			h.charged_at)
		ELSE 'They took the place of those that were dropped here, and do not agree with each other: parts of them may '
			'be of an earlier time. Nothing is released.' END AS detail,
	CASE WHEN NOT (c.copied OR c.older) THEN 'mend what else is told, or ' ELSE '' END
		|| 'SELECT privacct.accept_books(), as a superuser who answers for what is not in them' AS remedy
FROM privacct.home h
CROSS JOIN LATERAL (SELECT h.database <> privacct._here()
	OR h.last_charge IS NULL AND NOT EXISTS (SELECT FROM privacct.identity i WHERE i.books = h.books)
	AND (EXISTS (SELECT FROM privacct.identity) OR EXISTS (SELECT FROM privacct.policy))
	OR h.dropped_books IS NOT NULL AND NOT EXISTS (SELECT FROM privacct.identity i WHERE i.books = h.dropped_books),
	h.last_charge IS NOT NULL AND (NOT there.charged OR EXISTS (SELECT FROM privacct._recorded r
		WHERE r.questions < h.dropped_questions)),
	there.charged
	FROM (SELECT EXISTS (SELECT FROM privacct.ledger l WHERE l.charge_id = h.last_charge
		AND l.charged_at = h.charged_at) OFFSET 0) there(charged)
	-- or each mention is planned as queries of its own
	OFFSET 0) c(copied, older, charged)
-- one line vouches for itself only
WHERE c.copied OR c.older OR h.last_charge IS NOT NULL
UNION ALL
SELECT false, 'the server was promoted, or recovered to a point in time',
	pg_catalog.format('It writes timeline %s, the books were kept under timeline %s: charges that were made after it '
		'left that may be missing. Nothing is released.', privacct._timeline(), coalesce(h.timeline::text, 'unknown')),
	'add lines that are missing, from the server that was left or a copy of the ledger, with INSERT INTO '
	'privacct.ledger; then SELECT privacct.accept_books(), as a superuser who answers for what is not in them'
FROM privacct.home h
WHERE NOT privacct._timeline_is_followed(h.cluster, h.timeline) AND EXISTS (SELECT FROM privacct.policy)
UNION ALL
SELECT false, 'the books of more than one database are in this one',
	pg_catalog.format('The same numbers stand for different policies and charges in each of them: %s. Nothing is '
	'released.',
		pg_catalog.string_agg(i.books::text, ', ' ORDER BY i.made_at, i.books)),
	'restore each dump into a database of its own'
FROM privacct.identity i HAVING pg_catalog.count(*) > 1
UNION ALL
SELECT false, 'books that were dropped here were not restored',
	pg_catalog.format('Their last charge was made at %s. What tables have spent by then is not known here; whoever '
		'protects one that is not in these books is asked.', f.charged_at),
	'restore them in place, or in a database of its own; or SELECT privacct.accept_books(), as a superuser who answers '
	'for what is not in these'
FROM privacct._forgotten f
UNION ALL
SELECT DISTINCT false, 'owners cannot be recognized',
	pg_catalog.format('They were asked in a database with the encoding %s; by their keys they are others here. Of %s '
	'nothing is released.', r.encoding, r.relation_name),
	pg_catalog.format('restore into a database with the encoding %s, or unprotect the table and protect it again: '
		'every owner then starts with the most that one has lost', r.encoding)
FROM privacct._recoded r;
COMMENT ON VIEW privacct._doubt
	IS 'books that do not belong to the database, some only if they do not agree with each other, and what to do';

CREATE OR REPLACE VIEW privacct._away WITH (security_barrier) AS
SELECT d.problem, d.detail, d.remedy FROM privacct._doubt d
WHERE NOT d.if_they_disagree OR EXISTS (SELECT FROM privacct._disagreement);
COMMENT ON VIEW privacct._away IS 'books that do not belong to the database, and what to do';

-- Planning where books disagree takes longer than looking: once is enough.
CREATE OR REPLACE VIEW privacct.discrepancy WITH (security_barrier) AS
WITH disagreement AS MATERIALIZED (SELECT * FROM privacct._disagreement)
SELECT f.policy_id, f.relation_name AS relation, f.problem, f.detail,
	CASE WHEN f.remedy IS NULL AND f.open THEN pg_catalog.format('SELECT privacct.repair_books(%L)', f.relation_name)
		ELSE f.remedy END AS remedy
-- whose it is is asked of what was found, not of every table, and that is little
FROM disagreement f
WHERE privacct._administers_books(f.relation::regclass, f.unit_owner)
UNION ALL
SELECT NULL, NULL, a.problem, a.detail, a.remedy
FROM privacct._doubt a
-- whether the reader owns anything is found out if there is something to tell
WHERE CASE WHEN NOT a.if_they_disagree OR EXISTS (SELECT FROM disagreement) THEN privacct._administers(0::regclass)
	OR EXISTS (SELECT FROM privacct.policy p WHERE p.closed_at IS NULL
		AND privacct._administers_books(p.relation, NULL)) END
UNION ALL
SELECT NULL, NULL, 'the books were written by hand',
	pg_catalog.format('%s times since somebody last answered for it, first on %s, last on %s, by %s.',
	pg_catalog.count(DISTINCT (w.written_at, w.role)), pg_catalog.min(w.written_at)::date,
	pg_catalog.max(w.written_at)::date, pg_catalog.string_agg(DISTINCT w.role, ', ')),
	'look at privacct.written_by_hand, and at what it did; then SELECT privacct.accept_books(), as a superuser who '
	'answers for it'
FROM privacct.written_by_hand w WHERE w.accepted_at IS NULL
HAVING CASE WHEN pg_catalog.count(*) > 0 THEN privacct._administers(0::regclass)
	OR EXISTS (SELECT FROM privacct.policy p WHERE p.closed_at IS NULL
		AND privacct._administers_books(p.relation, NULL)) END
UNION ALL
SELECT DISTINCT NULL::bigint, t.relation_name, 'what the table is called, or its columns, is not written down',
	pg_catalog.format('It was known as %s, with the columns %s. Of tables that look like it nobody is asked.',
		t.known_as, t.columns), 'the next protect(), or any ALTER TABLE of it, writes it down'
FROM privacct._stale t WHERE privacct._administers(t.relation::regclass)
UNION ALL
SELECT NULL, s.relation_name, 'the table was protected in other books', 'What was spent on it there is not known here.',
	pg_catalog.format('restore the books with the tables, in a database of its own, or SELECT privacct.protect(%L, '
		'...) with inherits or fresh; if it is not to be protected, REVOKE ALL ON %s FROM privacct_reader',
		s.relation_name, s.relation_name)
FROM privacct._stranger s WHERE privacct._administers(s.relation::regclass)
UNION ALL
SELECT u.policy_id, u.name::text, CASE WHEN r.rolname IS NULL THEN 'the owner of the unit is not there'
	ELSE 'the owner of the unit has no rights on its tables' END,
	'Budgets are given, and tables protected, by nobody but superusers, or not at all.',
	pg_catalog.format('SELECT privacct.set_unit_owner(%L, ...); if the unit was restored without the role, create it '
		'as it was called, then call privacct.repair_books() as a superuser', u.name)
FROM privacct.policy u LEFT JOIN pg_catalog.pg_roles r ON r.oid = u.unit_owner
CROSS JOIN LATERAL (SELECT pg_catalog.bool_or(privacct._administers(t.relation)) AS administered,
	pg_catalog.bool_or(pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE') IS NOT TRUE) AS strange
	FROM privacct.policy t JOIN pg_catalog.pg_class c ON c.oid = t.relation
	WHERE t.unit = u.policy_id AND t.closed_at IS NULL) o
WHERE u.name IS NOT NULL AND u.closed_at IS NULL AND (r.rolname IS NULL OR o.strange)
	AND (o.administered OR privacct._administers_books(NULL, u.unit_owner))
UNION ALL
SELECT NULL, NULL, pg_catalog.format('event trigger %s is disabled', e.evtname),
	'What becomes of protected tables is not followed.',
	pg_catalog.format('ALTER EVENT TRIGGER %I ENABLE ALWAYS', e.evtname)
FROM pg_catalog.pg_event_trigger e WHERE e.evtname ~ '^privacct_' AND e.evtenabled <> 'A'
	AND privacct._administers(0::regclass)
UNION ALL
SELECT NULL, NULL, pg_catalog.format('%s %s', m.relation::regclass, m.problem), 'What was spent might be forgotten.',
	m.remedy
FROM privacct._meddled m WHERE privacct._administers(0::regclass)
UNION ALL
SELECT NULL, NULL, pg_catalog.format('triggers of %s are disabled', c.oid::regclass),
	'They keep what was spent, and let sessions know what changed.',
	pg_catalog.format('ALTER TABLE %s ENABLE TRIGGER USER', c.oid::regclass)
FROM pg_catalog.pg_class c
WHERE c.relnamespace = 'privacct'::regnamespace AND c.relkind IN ('r', 'p')
	AND EXISTS (SELECT FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
	WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND f.pronamespace = c.relnamespace AND t.tgenabled <> 'A')
AND privacct._administers(0::regclass);
COMMENT ON VIEW privacct.discrepancy
	IS 'where the books do not agree, one row each; shown to the owner of the table, or to superusers if the table is '
	'gone';

-- What reads the whole ledger is for whoever asks for it.
CREATE OR REPLACE VIEW privacct._line_sums AS
SELECT t.policy_id, s.epsilon, s.delta, s.rho, s.charges, l.epsilon AS line_epsilon, l.delta AS line_delta,
	l.rho AS line_rho, l.charges AS line_charges,
	CASE WHEN l.epsilon < s.epsilon OR l.delta < s.delta OR l.rho < s.rho OR l.charges < s.charges
		THEN 'lines of the ledger are missing'
		WHEN (l.epsilon, l.delta, l.rho, l.charges) <> (s.epsilon, s.delta, s.rho, s.charges)
			THEN 'lines of the ledger are not in its sums' END AS problem
FROM privacct.ledger_sum t
CROSS JOIN LATERAL (SELECT t.epsilon - t.folded_epsilon, t.delta - t.folded_delta, t.rho - t.folded_rho,
	t.charges - t.folded_charges) s(epsilon, delta, rho, charges)
CROSS JOIN LATERAL (SELECT coalesce(sum(g.epsilon), 0), coalesce(sum(g.delta), 0), coalesce(sum(g.rho), 0),
	pg_catalog.count(*)
	FROM privacct.ledger_line g WHERE g.policy_id = t.policy_id AND g.charge_id <= t.charge_id
	AND NOT coalesce(g.detail ? 'carried_from_policy', false) OFFSET 0) l(epsilon, delta, rho, charges);
COMMENT ON VIEW privacct._line_sums
	IS 'what the sums say of the lines that are still there, and these lines themselves';

CREATE OR REPLACE VIEW privacct.line_discrepancy WITH (security_barrier) AS
SELECT b.policy_id, b.relation_name AS relation, s.problem,
	pg_catalog.format('The sums say epsilon %s, delta %s, rho %s in %s charges, the lines epsilon %s, delta %s, rho %s '
		'in %s.',
		pg_catalog.trim_scale(s.epsilon), pg_catalog.trim_scale(s.delta), pg_catalog.trim_scale(s.rho), s.charges,
		pg_catalog.trim_scale(s.line_epsilon), pg_catalog.trim_scale(s.line_delta), pg_catalog.trim_scale(s.line_rho),
		s.line_charges) AS detail,
	CASE s.problem WHEN 'lines of the ledger are missing'
		THEN 'none is needed, the sums count; what is missing in the ledger may be in a copy of it'
		ELSE pg_catalog.format('SELECT privacct.repair_books(%L)', b.relation_name) END AS remedy
FROM (SELECT g.* FROM privacct._books g WHERE g.open AND privacct._administers(g.relation::regclass) OFFSET 0) b
-- no line of others' tables is read
CROSS JOIN LATERAL (SELECT d.* FROM privacct._line_sums d WHERE d.policy_id = b.policy_id OFFSET 0) s
WHERE s.problem IS NOT NULL
UNION ALL
SELECT b.policy_id, b.relation_name, 'descriptions of charges are missing',
	pg_catalog.format('%s charges are described by lines of the ledger that are not there.', d.charges),
	'none is needed, what they cost counts; the lines may be in a copy of the ledger'
FROM (SELECT g.* FROM privacct._books g WHERE g.open AND privacct._administers(g.relation::regclass) OFFSET 0) b
CROSS JOIN LATERAL (SELECT sum(u.charges) AS charges
	FROM (SELECT l.detail_of, pg_catalog.count(*) AS charges FROM privacct.ledger_line l WHERE l.policy_id = b.policy_id
	AND l.detail_of IS NOT NULL GROUP BY l.detail_of) u
	WHERE NOT EXISTS (SELECT FROM privacct.ledger_line o WHERE o.charge_id = u.detail_of) OFFSET 0) d
WHERE d.charges > 0
UNION ALL
SELECT b.policy_id, b.relation_name, 'an owner is in the books twice', 'Nothing is released.',
	'restore privacct.owner_key, or unprotect the table and protect it again: all that was promised is then spent'
FROM (SELECT g.* FROM privacct._books g WHERE g.open AND g.regime = 'local'
	AND privacct._administers(g.relation::regclass) OFFSET 0) b
WHERE EXISTS (SELECT FROM privacct.owner_key k
	CROSS JOIN LATERAL pg_catalog.generate_series(0, pg_catalog.length(k.keys) / 8 - 1) o(place)
	WHERE k.policy_id = b.policy_id GROUP BY pg_catalog.substr(k.keys, o.place * 8 + 1, 8)
	HAVING pg_catalog.count(*) > 1)
UNION ALL
SELECT i.policy_id, NULL, 'the policy is missing', 'Its table is not protected: nobody but its owner can read it.',
	'restore privacct.policy, or protect its table with inherits or fresh'
FROM privacct._in_ledger i WHERE NOT EXISTS (SELECT FROM privacct._books b WHERE b.policy_id = i.policy_id)
	AND privacct._administers(0::regclass);
COMMENT ON VIEW privacct.line_discrepancy
	IS 'where the lines of the ledger do not agree with its sums, one row each; reads all lines of the tables that the '
	'user owns';
