-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables of policies: what was declared, what may be spent, what was spent.  Their columns are in the
-- order in which versions added them: the library knows some of them by number.
--

CREATE SEQUENCE IF NOT EXISTS privacct.policy_id_seq;
COMMENT ON SEQUENCE privacct.policy_id_seq IS 'numbers of policies';
SELECT pg_catalog.pg_extension_config_dump('privacct.policy_id_seq', '');

CREATE TABLE IF NOT EXISTS privacct.policy (
	policy_id bigint PRIMARY KEY DEFAULT pg_catalog.nextval('privacct.policy_id_seq'),
	relation privacct.table_reference NOT NULL,
	relation_name text NOT NULL,
	owner_column name NOT NULL,
	regime text NOT NULL CHECK (regime IN ('central', 'local', 'pufferfish')),
	accounting text NOT NULL DEFAULT 'table' CHECK (accounting = 'table'),
	accountant text NOT NULL CHECK (accountant = ANY (privacct._accountants('any'))),
	epsilon numeric NOT NULL CHECK (epsilon > 0 AND epsilon <= 1e6),
	delta numeric NOT NULL CHECK (delta >= 0 AND delta < 1),
	cap_rho numeric CHECK (cap_rho >= 0 AND cap_rho <= 1e6),
	cap_delta numeric NOT NULL CHECK (cap_delta >= 0 AND cap_delta <= delta),
	max_groups_contributed int NOT NULL CHECK (max_groups_contributed BETWEEN 1 AND 1000000),
	max_rows_contributed int NOT NULL CHECK (max_rows_contributed BETWEEN 1 AND 1000000000),
	min_owners int NOT NULL CHECK (min_owners BETWEEN 1 AND 1000000000),
	kernel text CHECK (kernel = ANY (privacct._kernels('plain'))),
	kernels text[] CHECK (kernels <@ privacct._kernels('any')),
	sample_rate float8 NOT NULL CHECK (sample_rate >= 1e-6 AND sample_rate <= 1),
	filter text CHECK (filter IN ('full', 'simplified', 'approximate', 'basic')),
	answer_group int CHECK (answer_group BETWEEN 0 AND 100000),
	secret bytea NOT NULL CHECK (pg_catalog.length(secret) = 32),
	created_at timestamptz NOT NULL,
	created_by name NOT NULL,
	closed_at timestamptz,
	lost float8[],
	min_epsilon numeric CHECK (min_epsilon > 0 AND min_epsilon <= 1e6),
	time_grid interval CHECK (time_grid > '0'),
	time_epsilon numeric CHECK (time_epsilon > 0 AND time_epsilon <= 1e6),
	workers int NOT NULL DEFAULT 0 CHECK (workers BETWEEN 0 AND 1024),
	owner_attnum int2,
	owner_type name,
	name name,
	unit_owner privacct.role_reference,
	unit bigint,
	path name[],
	path_to privacct.table_reference,
	null_owners boolean NOT NULL DEFAULT false,
	path_keys name[],
	repeat_age interval CHECK (repeat_age > '0'),
	repeats_shared boolean NOT NULL DEFAULT false,
	repeats_unchanged boolean NOT NULL DEFAULT false,
	edition bigint,
	CHECK ((privacct._currency(accountant) = 'rho') = (cap_rho IS NOT NULL)),
	CHECK ((regime = 'local') = (filter IS NOT NULL AND answer_group IS NOT NULL)),
	CONSTRAINT policy_relation_check CHECK (relation <> 0::regclass OR closed_at IS NOT NULL OR name IS NOT NULL),
	CONSTRAINT policy_unit_check CHECK (unit IS NULL OR (name IS NULL AND regime <> 'pufferfish')),
	CONSTRAINT policy_name_check CHECK ((name IS NULL) = (unit_owner IS NULL)
		AND (name IS NULL OR (relation = 0::regclass AND regime = 'central'))),
	CONSTRAINT policy_path_check CHECK ((path IS NULL) = (path_to IS NULL) AND (path IS NULL) = (path_keys IS NULL)
		AND (path IS NULL OR (owner_column = '' AND unit IS NOT NULL AND regime = 'central')))
);
ALTER SEQUENCE privacct.policy_id_seq OWNED BY privacct.policy.policy_id;
COMMENT ON TABLE privacct.policy
	IS 'what was declared for each protected table, and for each privacy unit; closed policies stay, because their '
	'charges were spent';
COMMENT ON COLUMN privacct.policy.relation IS 'root of the protected partition tree; 0 once the table was dropped';
COMMENT ON COLUMN privacct.policy.relation_name IS 'qualified name at declaration, for humans';
COMMENT ON COLUMN privacct.policy.owner_column
	IS 'whose row it is, by the present name of the column; empty in a closed policy if the column is gone';
COMMENT ON COLUMN privacct.policy.accounting IS 'whose account is charged: the table''s';
COMMENT ON COLUMN privacct.policy.cap_rho IS 'where rho is spent: what (epsilon, delta/2) allows, rounded down';
COMMENT ON COLUMN privacct.policy.cap_delta
	IS 'what the deltas of all charges may add up to: delta, or where rho is spent delta/2';
COMMENT ON COLUMN privacct.policy.kernel IS 'default noise; null: that of the accountant';
COMMENT ON COLUMN privacct.policy.kernels IS 'noise that may be used; null: all';
COMMENT ON COLUMN privacct.policy.sample_rate
	IS 'releases are made on a Poisson sample of owners of at most this rate; 1: on all owners';
COMMENT ON COLUMN privacct.policy.filter
	IS 'local regime: the Bayesian Privacy Filter that admits owners to a question';
COMMENT ON COLUMN privacct.policy.answer_group
	IS 'local regime: the losses of this many linear and logistic answers are bounded together, and the losses of the '
	'groups added up; 0: all answers are in one group';
COMMENT ON COLUMN privacct.policy.secret IS 'keys the choice of the groups that an owner contributes to';
COMMENT ON COLUMN privacct.policy.closed_at IS 'set by unprotect and by DROP TABLE';
COMMENT ON COLUMN privacct.policy.lost
	IS 'local regime, once closed: the most that an owner lost: realised epsilon (basic filter: sum of levels) with '
	'central ones, sum of levels with them, rho';
COMMENT ON COLUMN privacct.policy.min_epsilon
	IS 'the least that a release costs; where rho is spent, what it stands for at cap_delta; null: a ten-thousandth of '
	'the cap';
COMMENT ON COLUMN privacct.policy.time_grid
	IS 'releases are returned 1, 2, 4, 8, ... times this long after they began; null: as soon as they are done';
COMMENT ON COLUMN privacct.policy.time_epsilon
	IS 'what a release costs in addition for noise on its time; null: no noise on time';
COMMENT ON COLUMN privacct.policy.workers
	IS 'parallel workers that each release asks for, whatever the size of the table';
COMMENT ON COLUMN privacct.policy.owner_attnum IS 'number of the owner column in the table as it is in this database';
COMMENT ON COLUMN privacct.policy.owner_type
	IS 'type of the owner column when the policy was made: in the local regime, the books are kept by keys made from '
	'this type';
COMMENT ON COLUMN privacct.policy.name
	IS 'of a privacy unit, which has no table of its own: its books are those of the tables whose unit it is';
COMMENT ON COLUMN privacct.policy.unit_owner IS 'whose a privacy unit is';
COMMENT ON COLUMN privacct.policy.unit
	IS 'the privacy unit that the table belongs to, whose promise, accountant and caps these are; its books pay, but '
	'for local policies, which have books of their own; null: the table is a unit of its own';
COMMENT ON COLUMN privacct.policy.path
	IS 'the columns of a foreign key to another table of the unit, whose row says whose row it is; null: the owner '
	'column says so itself; empty in a closed policy if they, or what they refer to, are gone or were rewritten';
COMMENT ON COLUMN privacct.policy.path_to IS 'the table that the foreign key refers to; 0 once it was dropped';
COMMENT ON COLUMN privacct.policy.null_owners
	IS 'whether the owner column, or a column of the path, may be null: such rows belong to nobody and do not count';
COMMENT ON COLUMN privacct.policy.path_keys
	IS 'the columns of that table which those of the path refer to, in the same order';
COMMENT ON COLUMN privacct.policy.repeat_age
	IS 'for how long a release is repeated to whoever asks the same, at no cost; null: not by its age';
COMMENT ON COLUMN privacct.policy.repeats_shared
	IS 'whether releases are repeated to every role that may ask the table, or only to the one that asked first';
COMMENT ON COLUMN privacct.policy.repeats_unchanged
	IS 'whether a release of an edition of the table is repeated as long as this edition lasts';
COMMENT ON COLUMN privacct.policy.edition
	IS 'of which edition the table is, while nobody may write to it; null: of none';
SELECT pg_catalog.pg_extension_config_dump('privacct.policy', '');

CREATE UNIQUE INDEX IF NOT EXISTS policy_relation_open ON privacct.policy (relation) WHERE closed_at IS NULL
	AND name IS NULL;

CREATE UNIQUE INDEX IF NOT EXISTS policy_name_open ON privacct.policy (name) WHERE closed_at IS NULL
	AND name IS NOT NULL;
COMMENT ON INDEX privacct.policy_name_open IS 'privacy units by name';

CREATE INDEX IF NOT EXISTS policy_unit ON privacct.policy (unit) WHERE unit IS NOT NULL;
COMMENT ON INDEX privacct.policy_unit IS 'tables of a privacy unit, also those that have left it';

CREATE INDEX IF NOT EXISTS policy_path ON privacct.policy (path_to) WHERE path_to IS NOT NULL;
COMMENT ON INDEX privacct.policy_path IS 'policies whose rows find their owners in a table';

CREATE INDEX IF NOT EXISTS policy_edition ON privacct.policy (policy_id) WHERE closed_at IS NULL
	AND edition IS NOT NULL;
COMMENT ON INDEX privacct.policy_edition IS 'policies whose tables are of an edition';

-- Most commands have nothing to do with anything protected: whether one has is found by
-- the library without planning a query.
CREATE INDEX IF NOT EXISTS policy_relation ON privacct.policy (relation);
COMMENT ON INDEX privacct.policy_relation IS 'policies of a table, also closed ones';

CREATE INDEX IF NOT EXISTS policy_entries ON privacct.policy (policy_id) WHERE closed_at IS NULL
	AND regime = 'pufferfish';
COMMENT ON INDEX privacct.policy_entries IS 'policies that need an index of their table';

CREATE TABLE IF NOT EXISTS privacct.bound (
	policy_id bigint NOT NULL,
	column_name name NOT NULL,
	lo float8 CHECK (lo BETWEEN -1e100 AND 1e100),
	hi float8 CHECK (hi BETWEEN -1e100 AND 1e100),
	column_type regtype NOT NULL,
	attnum int2,
	owner_lo float8 CHECK (owner_lo BETWEEN -1e100 AND 1e100),
	owner_hi float8 CHECK (owner_hi BETWEEN -1e100 AND 1e100),
	PRIMARY KEY (policy_id, column_name),
	CHECK (lo < hi),
	CONSTRAINT bound_is_one CHECK ((lo IS NULL) = (hi IS NULL) AND (owner_lo IS NULL) = (owner_hi IS NULL)
		AND owner_lo < owner_hi IS NOT FALSE AND (lo IS NOT NULL OR owner_lo IS NOT NULL))
);
COMMENT ON TABLE privacct.bound
	IS 'clamping bounds of columns: dates in days, timestamps in seconds since 2000-01-01 (timestamptz: UTC)';
COMMENT ON COLUMN privacct.bound.owner_lo IS 'least sum of the values of one owner in a group; null: rows are bounded';
COMMENT ON COLUMN privacct.bound.owner_hi IS 'largest sum of the values of one owner in a group';
COMMENT ON COLUMN privacct.bound.attnum
	IS 'number of the column in the table as it is in this database; null: not known';
SELECT pg_catalog.pg_extension_config_dump('privacct.bound', '');

CREATE TABLE IF NOT EXISTS privacct.group_key (
	policy_id bigint NOT NULL,
	column_name name NOT NULL,
	keys text[] NOT NULL,
	column_type regtype NOT NULL,
	attnum int2,
	PRIMARY KEY (policy_id, column_name)
);
COMMENT ON TABLE privacct.group_key IS 'public values of group columns, as output by the type of the column';
COMMENT ON COLUMN privacct.group_key.attnum
	IS 'number of the column in the table as it is in this database; null: not known';
SELECT pg_catalog.pg_extension_config_dump('privacct.group_key', '');

CREATE TABLE IF NOT EXISTS privacct.quota (
	policy_id bigint NOT NULL,
	role privacct.role_reference NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon > 0 AND epsilon <= 1e6),
	delta numeric NOT NULL CHECK (delta >= 0 AND delta < 1),
	cap_rho numeric CHECK (cap_rho >= 0 AND cap_rho <= 1e6),
	cap_delta numeric NOT NULL CHECK (cap_delta >= 0 AND cap_delta <= delta),
	granted_at timestamptz NOT NULL,
	granted_by name NOT NULL,
	PRIMARY KEY (policy_id, role)
);
COMMENT ON TABLE privacct.quota IS 'what a role may spend of a policy''s budget; caps as in policy';
SELECT pg_catalog.pg_extension_config_dump('privacct.quota', '');

-- Rows are updated with every charge: room on the page keeps those updates HOT.
CREATE TABLE IF NOT EXISTS privacct.account (
	policy_id bigint NOT NULL,
	role privacct.role_reference NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	releases bigint NOT NULL CHECK (releases >= 0),
	spared_epsilon numeric NOT NULL DEFAULT 0 CHECK (spared_epsilon BETWEEN 0 AND epsilon),
	spared_delta numeric NOT NULL DEFAULT 0 CHECK (spared_delta BETWEEN 0 AND delta),
	most_epsilon numeric NOT NULL DEFAULT 0 CHECK (most_epsilon >= 0),
	most_delta numeric NOT NULL DEFAULT 0 CHECK (most_delta >= 0),
	questions int NOT NULL DEFAULT 0 CHECK (questions >= 0),
	PRIMARY KEY (policy_id, role)
) WITH (fillfactor = 50);
COMMENT ON TABLE privacct.account
	IS 'running sums of charges per policy and paying role; role 0 is the policy''s total';
COMMENT ON COLUMN privacct.account.spared_epsilon
	IS 'Pufferfish regime: the part of the sum that the owner charged most was not charged, because it was about '
	'others; the rest is what the policy has spent';
COMMENT ON COLUMN privacct.account.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.account.most_epsilon IS 'pufferfish regime: the most that any owner was charged by name';
COMMENT ON COLUMN privacct.account.most_delta IS 'likewise, not necessarily of the same owner';
COMMENT ON COLUMN privacct.account.questions
	IS 'local regime, in the account of the table (role 0): the last question that was recorded in privacct.question';
SELECT pg_catalog.pg_extension_config_dump('privacct.account', '');

-- Owners are independent: a release about some of them costs the others nothing.
CREATE TABLE IF NOT EXISTS privacct.owner_account (
	policy_id bigint NOT NULL,
	owner text COLLATE "C" NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	PRIMARY KEY (policy_id, owner)
) WITH (fillfactor = 50);
COMMENT ON TABLE privacct.owner_account
	IS 'Pufferfish regime: what owners were charged by releases about named owners only; the rest of what they lost is '
	'everybody''s';
COMMENT ON COLUMN privacct.owner_account.owner IS 'as output by the type of the owner column';
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_account', '');

CREATE SEQUENCE IF NOT EXISTS privacct.plan_id_seq;
COMMENT ON SEQUENCE privacct.plan_id_seq IS 'numbers of plans';
SELECT pg_catalog.pg_extension_config_dump('privacct.plan_id_seq', '');

CREATE TABLE IF NOT EXISTS privacct.slot (
	policy_id bigint NOT NULL,
	slot int NOT NULL CHECK (slot BETWEEN 1 AND 64),
	plan_id bigint NOT NULL,
	role privacct.role_reference,
	kernel text NOT NULL CHECK (kernel = ANY (privacct._kernels('planned'))),
	noise text NOT NULL,
	groups int NOT NULL CHECK (groups BETWEEN 1 AND 1000000),
	within float8 CHECK (within BETWEEN 0 AND 1000),
	weight float8 NOT NULL CHECK (weight > 0),
	scale float8 NOT NULL CHECK (scale > 0),
	q float8 CHECK (q >= 0 AND q < 1),
	acceptance float8 CHECK (acceptance BETWEEN 0 AND 1),
	rho float8 NOT NULL CHECK (rho >= 0),
	epsilon_alone float8 NOT NULL CHECK (epsilon_alone >= 0),
	releases bigint NOT NULL CHECK (releases BETWEEN 1 AND 1000000000),
	used bigint NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND releases),
	PRIMARY KEY (policy_id, slot)
) WITH (fillfactor = 50);
COMMENT ON TABLE privacct.slot
	IS 'what plan_budget() declared for each policy: so many releases of such noise, fixed before the first of them';
COMMENT ON COLUMN privacct.slot.plan_id IS 'distinguishes a plan from the one it replaced';
COMMENT ON COLUMN privacct.slot.role IS 'whose quota has to pay; null: any; 0: a role that was dropped';
COMMENT ON COLUMN privacct.slot.noise IS 'the exact law, on a lattice where the sensitivity is 1024 steps';
COMMENT ON COLUMN privacct.slot.groups IS 'how many groups one owner may count in';
COMMENT ON COLUMN privacct.slot.within IS 'error bound, as a fraction of the sensitivity';
COMMENT ON COLUMN privacct.slot.scale IS 'of the noise, as a multiple of the sensitivity';
COMMENT ON COLUMN privacct.slot.acceptance IS 'probability that the noise stays within the error bound';
COMMENT ON COLUMN privacct.slot.rho IS 'rho of one release under zCDP';
COMMENT ON COLUMN privacct.slot.epsilon_alone IS 'what one release by itself loses at the plan''s delta';
COMMENT ON COLUMN privacct.slot.used IS 'releases made; only the ledger''s worker adds to it';
SELECT pg_catalog.pg_extension_config_dump('privacct.slot', '');

--
-- Catalog of the local regime: what owners may be asked about, what they were
-- asked, and what they answered.  An owner is a number here, found by a keyed
-- hash of the owner column; the answers themselves were published.
--

CREATE TABLE IF NOT EXISTS privacct.domain (
	policy_id bigint NOT NULL,
	position int NOT NULL CHECK (position BETWEEN 1 AND 32),
	column_name name NOT NULL,
	points text[],
	prior float8[],
	lo float8 CHECK (lo BETWEEN -1e100 AND 1e100),
	hi float8 CHECK (hi BETWEEN -1e100 AND 1e100),
	column_type regtype NOT NULL,
	attnum int2,
	PRIMARY KEY (policy_id, position),
	UNIQUE (policy_id, column_name),
	CHECK ((points IS NULL) = (lo IS NOT NULL AND hi IS NOT NULL)),
	CHECK ((lo IS NULL) = (hi IS NULL)),
	CHECK (lo < hi),
	CHECK (pg_catalog.cardinality(prior) = pg_catalog.cardinality(points))
);
COMMENT ON TABLE privacct.domain
	IS 'local and pufferfish regime: the values that a column can have, a list (points) or an interval (lo to hi; '
	'dates in days, timestamps in seconds since 2000-01-01)';
COMMENT ON COLUMN privacct.domain.position IS 'position of the column among those of the policy; never changes';
COMMENT ON COLUMN privacct.domain.points
	IS 'as output by the type of the column; local: the first one stands for everything that is not listed; '
	'Pufferfish: rows with other values do not count';
COMMENT ON COLUMN privacct.domain.prior
	IS 'what is believed about an owner before any answer, for MBP and ABP; null: all points are equally likely';
COMMENT ON COLUMN privacct.domain.attnum
	IS 'number of the column in the table as it is in this database; null: not known';
SELECT pg_catalog.pg_extension_config_dump('privacct.domain', '');

CREATE TABLE IF NOT EXISTS privacct.public_column (
	policy_id bigint NOT NULL,
	column_name name NOT NULL,
	order_position int CHECK (order_position > 0),
	attnum int2,
	PRIMARY KEY (policy_id, column_name)
);
COMMENT ON TABLE privacct.public_column
	IS 'local and Pufferfish regime: columns that are not secret; queries may filter and group by them';
COMMENT ON COLUMN privacct.public_column.order_position
	IS 'Pufferfish regime: position among the columns that order the rows of an owner; null: not one of them';
COMMENT ON COLUMN privacct.public_column.attnum
	IS 'number of the column in the table as it is in this database; null: not known';
SELECT pg_catalog.pg_extension_config_dump('privacct.public_column', '');

--
-- Catalog of the pufferfish regime.  A policy's caps are those of its last version.
--

CREATE TABLE IF NOT EXISTS privacct.prior (
	policy_id bigint NOT NULL,
	version int NOT NULL CHECK (version > 0),
	epsilon_pufferfish numeric NOT NULL CHECK (epsilon_pufferfish > 0 AND epsilon_pufferfish <= 1e6),
	delta_pufferfish numeric NOT NULL CHECK (delta_pufferfish >= 0 AND delta_pufferfish < 1),
	epsilon numeric NOT NULL CHECK (epsilon > 0),
	delta numeric NOT NULL CHECK (delta >= 0 AND delta <= delta_pufferfish),
	priors jsonb NOT NULL,
	hash text NOT NULL,
	secrets text[],
	pairs text[],
	max_entries bigint CHECK (max_entries BETWEEN 1 AND 1000000000),
	curve_b int[] NOT NULL,
	curve_a float8[] NOT NULL,
	curve_left int[] NOT NULL,
	curve_right int[] NOT NULL,
	declared_at timestamptz NOT NULL,
	declared_by name NOT NULL,
	PRIMARY KEY (policy_id, version)
);
COMMENT ON TABLE privacct.prior
	IS 'Pufferfish regime: what was declared about the rows of an owner, and what follows; never changed, the last '
	'version is in force';
COMMENT ON COLUMN privacct.prior.epsilon_pufferfish IS 'what all releases together may tell about a secret';
COMMENT ON COLUMN privacct.prior.epsilon
	IS 'what releases may therefore cost per row: the sum of epsilons for the change of one row';
COMMENT ON COLUMN privacct.prior.delta IS 'what the deltas of releases may therefore add up to';
COMMENT ON COLUMN privacct.prior.hash IS 'sha256 of the priors as text';
COMMENT ON COLUMN privacct.prior.secrets IS 'values of an entry that are secrets; null: all';
COMMENT ON COLUMN privacct.prior.pairs IS 'pairs of values that must not be told apart; null: any two secrets';
COMMENT ON COLUMN privacct.prior.max_entries
	IS 'no owner has more rows; null: no limit, and no group privacy to fall back on';
COMMENT ON COLUMN privacct.prior.curve_a
	IS 'what the other rows tell once curve_b rows around a secret are set aside; may be infinite';
COMMENT ON COLUMN privacct.prior.curve_left IS 'how many of these rows lie before the secret''s; -1: no order';
SELECT pg_catalog.pg_extension_config_dump('privacct.prior', '');

CREATE TABLE IF NOT EXISTS privacct.public_table (
	relation privacct.table_reference PRIMARY KEY,
	relation_name text NOT NULL,
	declared_at timestamptz NOT NULL,
	declared_by name NOT NULL,
	keys name[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE privacct.public_table
	IS 'tables that guarded queries may join with protected ones: nothing in them is secret';
COMMENT ON COLUMN privacct.public_table.relation_name IS 'qualified name at declaration, for humans';
COMMENT ON COLUMN privacct.public_table.keys
	IS 'columns whose values are the groups where a block groups by them; see set_keys()';
SELECT pg_catalog.pg_extension_config_dump('privacct.public_table', '');

CREATE TABLE IF NOT EXISTS privacct.public_fanout (
	relation privacct.table_reference NOT NULL,
	columns name[] NOT NULL,
	rows int NOT NULL CHECK (rows BETWEEN 1 AND 64),
	PRIMARY KEY (relation, columns)
);
COMMENT ON TABLE privacct.public_fanout
	IS 'how many rows of a public table agree in some columns, at most; for unique keys it is known';
SELECT pg_catalog.pg_extension_config_dump('privacct.public_fanout', '');
