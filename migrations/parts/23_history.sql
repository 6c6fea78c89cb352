-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables that tell whose books these are, and what was charged before.
--

CREATE TABLE IF NOT EXISTS privacct.inherited (
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
COMMENT ON TABLE privacct.inherited
	IS 'what the accounts of a policy started from, for each earlier policy that charged it';
COMMENT ON COLUMN privacct.inherited.policy_id IS 'the policy that started from this';
COMMENT ON COLUMN privacct.inherited.source
	IS 'the policy that charged it; what that policy inherited has rows of its own';
COMMENT ON COLUMN privacct.inherited.epsilon IS 'sum of the charges; a policy that charged nothing is not listed';
COMMENT ON COLUMN privacct.inherited.delta IS 'likewise';
COMMENT ON COLUMN privacct.inherited.rho IS 'likewise';
COMMENT ON COLUMN privacct.inherited.releases IS 'how many there were';
COMMENT ON COLUMN privacct.inherited.spared_epsilon
	IS 'pufferfish regime: of the sum, what the owner charged most was not charged';
COMMENT ON COLUMN privacct.inherited.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.inherited.lost
	IS 'local regime: as in privacct.policy, including what the source had inherited';
SELECT pg_catalog.pg_extension_config_dump('privacct.inherited', '');

CREATE INDEX IF NOT EXISTS inherited_source ON privacct.inherited (source);
COMMENT ON INDEX privacct.inherited_source IS 'which policies started from what another had charged';

CREATE TABLE IF NOT EXISTS privacct.history (
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
	path name[],
	keys name[],
	key_policies bigint[],
	CHECK ((left_at IS NULL) = (epsilon IS NULL)),
	CHECK (num_nulls(epsilon, delta, rho, releases, spared_epsilon, spared_delta) IN (0, 6)),
	CHECK ((keys IS NULL) = (key_policies IS NULL) AND cardinality(keys) = cardinality(key_policies))
);
-- without a key nothing could be updated beside a publication of all tables
ALTER TABLE privacct.history REPLICA IDENTITY FULL;
COMMENT ON TABLE privacct.history IS 'every table, partition and child that a policy ever covered';
COMMENT ON COLUMN privacct.history.relation IS 'the table; 0 once it was dropped';
COMMENT ON COLUMN privacct.history.relation_name IS 'its qualified name, as last known';
COMMENT ON COLUMN privacct.history.names IS 'the qualified names that it has had since a policy first covered it';
COMMENT ON COLUMN privacct.history.table_owner IS 'its owner, as last known';
COMMENT ON COLUMN privacct.history.owners IS 'the owners that it has had since a policy first covered it';
COMMENT ON COLUMN privacct.history.columns
	IS 'the names of its columns, in alphabetical order, as last known: a name[] as text';
COMMENT ON COLUMN privacct.history.column_lists
	IS 'the lists of columns that it has had since a policy first covered it';
COMMENT ON COLUMN privacct.history.owner_column
	IS 'the owner column of the policy, by its present name; empty: there is a path, or the column is gone, or was '
	'rewritten after the table left the policy';
COMMENT ON COLUMN privacct.history.owner_attnum IS 'the number of that column in the table as it is in this database';
COMMENT ON COLUMN privacct.history.regime IS 'of the policy';
COMMENT ON COLUMN privacct.history.accountant IS 'of the policy';
COMMENT ON COLUMN privacct.history.promised_epsilon IS 'promise of the policy: what counts if less cannot be shown';
COMMENT ON COLUMN privacct.history.promised_delta IS 'likewise';
COMMENT ON COLUMN privacct.history.left_at IS 'when the policy was closed or the table left it; null: still covered';
COMMENT ON COLUMN privacct.history.epsilon
	IS 'what the policy itself had charged when the table left it: an upper bound on what the owners in the table '
	'lost; null while it is covered';
COMMENT ON COLUMN privacct.history.delta IS 'likewise';
COMMENT ON COLUMN privacct.history.rho IS 'likewise';
COMMENT ON COLUMN privacct.history.releases IS 'how many charges these were';
COMMENT ON COLUMN privacct.history.spared_epsilon
	IS 'pufferfish regime: of the sum, what the owner charged most was not charged';
COMMENT ON COLUMN privacct.history.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.history.lost IS 'local regime: as in privacct.policy, when the table left';
COMMENT ON COLUMN privacct.history.path
	IS 'the path of the policy, by the present names of its columns here and in its order; null: there is an owner '
	'column; empty: likewise';
COMMENT ON COLUMN privacct.history.keys
	IS 'the columns by which rows of other tables found their owners here when the table left, by their present names; '
	'an empty name: the column is gone or was rewritten; null while it is covered';
COMMENT ON COLUMN privacct.history.key_policies
	IS 'for each of them the policy of a table with such rows, in the order of its path_keys';
SELECT pg_catalog.pg_extension_config_dump('privacct.history', '');

CREATE UNIQUE INDEX IF NOT EXISTS history_member ON privacct.history (policy_id, relation) WHERE relation <> 0::oid;

CREATE INDEX IF NOT EXISTS history_relation ON privacct.history (relation);

CREATE INDEX IF NOT EXISTS history_policy ON privacct.history (policy_id);

CREATE TABLE IF NOT EXISTS privacct.unrelated (
	policy_id bigint NOT NULL,
	source bigint NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	releases bigint NOT NULL CHECK (releases >= 0),
	PRIMARY KEY (policy_id, source)
);
COMMENT ON TABLE privacct.unrelated
	IS 'charges of other policies of which the owner of a table said that its rows were not in them; zeros: nothing '
	'was charged, and it was said what the two have to do with each other';
COMMENT ON COLUMN privacct.unrelated.policy_id IS 'the policy of the table';
COMMENT ON COLUMN privacct.unrelated.source IS 'the policy that charged';
COMMENT ON COLUMN privacct.unrelated.epsilon
	IS 'sum of the charges when it was said; rows may have come with what was charged later';
COMMENT ON COLUMN privacct.unrelated.delta IS 'likewise';
COMMENT ON COLUMN privacct.unrelated.rho IS 'likewise';
COMMENT ON COLUMN privacct.unrelated.releases IS 'how many there were';
SELECT pg_catalog.pg_extension_config_dump('privacct.unrelated', '');

CREATE TABLE IF NOT EXISTS privacct.identity (
	books uuid PRIMARY KEY,
	encoding name NOT NULL,
	made_at timestamptz NOT NULL,
	accepted_to bigint,
	formerly uuid[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE privacct.identity
	IS 'the name of the books: one row, from the first policy on, or two if the books of two databases are in one';
COMMENT ON COLUMN privacct.identity.books IS 'made once, and dumped with the books';
COMMENT ON COLUMN privacct.identity.encoding
	IS 'encoding of the database: owners of the local regime are recognized by the bytes that they had in it';
COMMENT ON COLUMN privacct.identity.made_at IS 'when the first policy was made';
COMMENT ON COLUMN privacct.identity.accepted_to
	IS 'the last charge when charges were first accepted as missing: later numbers may stand for others than there; '
	'null: they never were';
COMMENT ON COLUMN privacct.identity.formerly IS 'names that they had until they were accepted as they are';
SELECT pg_catalog.pg_extension_config_dump('privacct.identity', '');

CREATE TABLE IF NOT EXISTS privacct.home (
	one boolean PRIMARY KEY DEFAULT true CHECK (one),
	database oid NOT NULL,
	last_charge bigint,
	charged_at timestamptz,
	books uuid,
	dropped_books uuid,
	cluster bigint,
	timeline bigint,
	dropped_questions bigint,
	CHECK ((last_charge IS NULL) = (charged_at IS NULL))
);
COMMENT ON TABLE privacct.home IS 'the database that the books belong to: one row, which is not dumped';
COMMENT ON COLUMN privacct.home.database
	IS 'the database in which the first policy was made, or the books were accepted; 0: a subscription writes to them';
COMMENT ON COLUMN privacct.home.last_charge
	IS 'last charge of books that were dropped here and replaced by restored ones: it is in the ledger unless the '
	'restored ones are older; null: there were none';
COMMENT ON COLUMN privacct.home.charged_at IS 'when that charge was made';
COMMENT ON COLUMN privacct.home.dropped_questions
	IS 'how many questions owners had been asked by then, by all accounts: what is charged is recorded later';
COMMENT ON COLUMN privacct.home.dropped_books
	IS 'the name of the books that were dropped here: those that take their place have it; null: they had none';
COMMENT ON COLUMN privacct.home.cluster IS 'the cluster in which the books were last known to lack nothing';
COMMENT ON COLUMN privacct.home.timeline
	IS 'its timeline then: under a later one, charges from before a promotion or recovery may be missing';
COMMENT ON COLUMN privacct.home.books
	IS 'the name that the books were given here; those that a dump brings have another one until they are accepted';

CREATE TABLE IF NOT EXISTS privacct.written_by_hand (
	written_at timestamptz NOT NULL,
	role text COLLATE "C" NOT NULL,
	object text COLLATE "C" NOT NULL,
	command text COLLATE "C" NOT NULL,
	accepted_at timestamptz,
	PRIMARY KEY (written_at, role, object, command)
);
COMMENT ON TABLE privacct.written_by_hand
	IS 'transactions that changed the books, or what keeps them, other than by the functions of the extension; stays';
COMMENT ON COLUMN privacct.written_by_hand.written_at IS 'when the transaction began';
COMMENT ON COLUMN privacct.written_by_hand.role IS 'who had logged in';
COMMENT ON COLUMN privacct.written_by_hand.object IS 'what was changed: a table of the books, or what keeps them';
COMMENT ON COLUMN privacct.written_by_hand.command IS 'by which command';
COMMENT ON COLUMN privacct.written_by_hand.accepted_at
	IS 'when a superuser answered for it, with accept_books(); null: nobody did';
SELECT pg_catalog.pg_extension_config_dump('privacct.written_by_hand', '');

CREATE TABLE IF NOT EXISTS privacct.made (
	object text PRIMARY KEY,
	part_of text,
	state text NOT NULL
);
COMMENT ON TABLE privacct.made
	IS 'what the script of the extension has created; not dumped, because the script creates it again';
COMMENT ON COLUMN privacct.made.object IS 'a member of the extension, or an object that belongs to one of its tables';
COMMENT ON COLUMN privacct.made.part_of IS 'the member that it belongs to; null: it is a member itself';
COMMENT ON COLUMN privacct.made.state IS 'how it was made, as _as_is() tells it';
