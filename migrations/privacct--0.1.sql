-- privacct--0.1.sql
--
-- The SQL side of privacct: catalog, declarations, views, event triggers.
--
-- Conventions.  What starts with an underscore is for the extension itself and
-- nobody but its owner may execute it.  The declarations (protect, set_bounds,
-- ...) are C functions without privileges of their own: they check that the
-- caller owns the table and then call the worker of the same name with an
-- underscore in front, which is SECURITY DEFINER and gets the caller as an
-- additional first argument.  Every SECURITY DEFINER function pins search_path.

\echo Use "CREATE EXTENSION privacct" to load this file. \quit

-- The role that alone may read protected tables.  Guarded blocks are planned to
-- be read as this role, so it must never be somebody: no login, no members, no
-- attribute that opens more than the grants made by privacct.protect().
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'privacct_reader') THEN
		CREATE ROLE privacct_reader NOLOGIN NOINHERIT;
		COMMENT ON ROLE privacct_reader IS 'reads protected tables on behalf of guarded queries (privacct); must have no members';
	END IF;
	IF EXISTS (SELECT FROM pg_catalog.pg_roles
			   WHERE rolname = 'privacct_reader'
			   AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls))
	   OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m
				  JOIN pg_catalog.pg_roles r ON r.oid IN (m.roleid, m.member)
				  WHERE r.rolname = 'privacct_reader') THEN
		RAISE EXCEPTION 'role "privacct_reader" exists and cannot be used'
			USING ERRCODE = 'PA004',
				  DETAIL = 'The role must be NOLOGIN without other attributes, without members and member of nothing.',
				  HINT = 'Rename or alter the existing role, then create the extension.';
	END IF;
END
$$;

GRANT USAGE ON SCHEMA privacct TO PUBLIC;
COMMENT ON SCHEMA privacct IS 'differential privacy enforced by the database';

--
-- Catalog
--

CREATE SEQUENCE privacct.policy_id_seq;
COMMENT ON SEQUENCE privacct.policy_id_seq IS 'numbers of policies';

CREATE TABLE privacct.policy (
	policy_id bigint PRIMARY KEY DEFAULT pg_catalog.nextval('privacct.policy_id_seq'),
	relation regclass NOT NULL,
	relation_name text NOT NULL,
	owner_column name NOT NULL,
	regime text NOT NULL CHECK (regime IN ('central', 'local', 'pufferfish')),
	accounting text NOT NULL CHECK (accounting IN ('table', 'owner')),
	accountant text NOT NULL CHECK (accountant IN ('basic', 'zcdp', 'plan')),
	epsilon numeric NOT NULL CHECK (epsilon > 0 AND epsilon <= 1e6),
	delta numeric NOT NULL CHECK (delta >= 0 AND delta < 1),
	cap_rho numeric CHECK (cap_rho >= 0 AND cap_rho <= 1e6),
	cap_delta numeric NOT NULL CHECK (cap_delta >= 0 AND cap_delta <= delta),
	max_groups_contributed int NOT NULL CHECK (max_groups_contributed BETWEEN 1 AND 1000000),
	max_rows_contributed int NOT NULL CHECK (max_rows_contributed BETWEEN 1 AND 1000000000),
	min_owners int NOT NULL CHECK (min_owners BETWEEN 1 AND 1000000000),
	kernel text CHECK (kernel IN ('laplace', 'gaussian')),
	kernels text[] CHECK (kernels <@ '{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase,optimal}'),
	sample_rate float8 NOT NULL CHECK (sample_rate >= 1e-6 AND sample_rate <= 1),
	filter text CHECK (filter IN ('full', 'simplified', 'approximate', 'basic')),
	answer_group int CHECK (answer_group BETWEEN 0 AND 100000),
	secret bytea NOT NULL CHECK (pg_catalog.length(secret) = 32),
	created_at timestamptz NOT NULL,
	created_by name NOT NULL,
	closed_at timestamptz,
	lost float8[],
	CHECK ((accountant = 'zcdp') = (cap_rho IS NOT NULL)),
	CHECK ((regime = 'local') = (filter IS NOT NULL AND answer_group IS NOT NULL)),
	CHECK (relation <> 0::regclass OR closed_at IS NOT NULL)
);
CREATE UNIQUE INDEX policy_relation_open ON privacct.policy (relation) WHERE closed_at IS NULL;
ALTER SEQUENCE privacct.policy_id_seq OWNED BY privacct.policy.policy_id;
COMMENT ON TABLE privacct.policy IS 'what was declared for each protected table; closed policies stay, their charges were spent';
COMMENT ON COLUMN privacct.policy.relation IS 'root of the protected partition tree; 0 once the table was dropped';
COMMENT ON COLUMN privacct.policy.relation_name IS 'qualified name at declaration, for humans';
COMMENT ON COLUMN privacct.policy.cap_rho IS 'zcdp: the rho that (epsilon, delta/2) allows, rounded down';
COMMENT ON COLUMN privacct.policy.cap_delta IS 'what the deltas of all charges may sum to: delta (basic) or delta/2 (zcdp)';
COMMENT ON COLUMN privacct.policy.kernel IS 'default noise; null: laplace for basic, gaussian for zcdp';
COMMENT ON COLUMN privacct.policy.kernels IS 'noise that may be used; null: all';
COMMENT ON COLUMN privacct.policy.sample_rate IS 'releases are on a Poisson sample of owners of at most this rate; 1: on all';
COMMENT ON COLUMN privacct.policy.filter IS 'local regime: the Bayesian Privacy Filter that admits owners to a question';
COMMENT ON COLUMN privacct.policy.answer_group IS 'local regime: the losses of so many linear and logistic answers are bounded together and the groups'' losses added; 0: all answers in one group';
COMMENT ON COLUMN privacct.policy.secret IS 'keys the choice of the groups that an owner contributes to';
COMMENT ON COLUMN privacct.policy.lost IS 'local regime, once closed: the most that an owner lost: realised epsilon (basic filter: sum of levels) with central ones, sum of levels with them, rho';
COMMENT ON COLUMN privacct.policy.closed_at IS 'set by unprotect and by DROP TABLE';

CREATE TABLE privacct.bound (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	column_name name NOT NULL,
	lo float8 NOT NULL CHECK (lo BETWEEN -1e100 AND 1e100),
	hi float8 NOT NULL CHECK (hi BETWEEN -1e100 AND 1e100),
	column_type regtype NOT NULL,
	PRIMARY KEY (policy_id, column_name),
	CHECK (lo < hi)
);
COMMENT ON TABLE privacct.bound IS 'clamping bounds of columns: dates in days, timestamps in seconds since 2000-01-01 (timestamptz: UTC)';

CREATE TABLE privacct.group_key (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	column_name name NOT NULL,
	keys text[] NOT NULL,
	column_type regtype NOT NULL,
	PRIMARY KEY (policy_id, column_name)
);
COMMENT ON TABLE privacct.group_key IS 'public values of group columns, as output by the type of the column';

CREATE TABLE privacct.quota (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	role regrole NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon > 0 AND epsilon <= 1e6),
	delta numeric NOT NULL CHECK (delta >= 0 AND delta < 1),
	cap_rho numeric CHECK (cap_rho >= 0 AND cap_rho <= 1e6),
	cap_delta numeric NOT NULL CHECK (cap_delta >= 0 AND cap_delta <= delta),
	granted_at timestamptz NOT NULL,
	granted_by name NOT NULL,
	PRIMARY KEY (policy_id, role)
);
COMMENT ON TABLE privacct.quota IS 'what a role may spend of a policy''s budget; caps as in policy';

-- Rows are updated with every charge: room on the page keeps those updates HOT.
CREATE TABLE privacct.account (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	role regrole NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	releases bigint NOT NULL CHECK (releases >= 0),
	spared_epsilon numeric NOT NULL DEFAULT 0 CHECK (spared_epsilon BETWEEN 0 AND epsilon),
	spared_delta numeric NOT NULL DEFAULT 0 CHECK (spared_delta BETWEEN 0 AND delta),
	most_epsilon numeric NOT NULL DEFAULT 0 CHECK (most_epsilon >= 0),
	most_delta numeric NOT NULL DEFAULT 0 CHECK (most_delta >= 0),
	PRIMARY KEY (policy_id, role)
) WITH (fillfactor = 50);
COMMENT ON TABLE privacct.account IS 'running sums of charges per policy and paying role; role 0 is the policy''s total';
COMMENT ON COLUMN privacct.account.spared_epsilon IS 'pufferfish regime: of the sum, what the owner charged most was not charged, for it was about others; the rest is what the policy has spent';
COMMENT ON COLUMN privacct.account.spared_delta IS 'likewise';
COMMENT ON COLUMN privacct.account.most_epsilon IS 'pufferfish regime: the most that any owner was charged by name';
COMMENT ON COLUMN privacct.account.most_delta IS 'likewise, not necessarily of the same owner';

-- Owners are independent: a release about some of them costs the others nothing.
CREATE TABLE privacct.owner_account (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	owner text COLLATE "C" NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	PRIMARY KEY (policy_id, owner)
) WITH (fillfactor = 50);
COMMENT ON COLUMN privacct.owner_account.owner IS 'as output by the type of the owner column';
COMMENT ON TABLE privacct.owner_account IS 'pufferfish regime: what owners were charged by releases that were about named owners only; the rest of what they lost is everybody''s';

CREATE SEQUENCE privacct.plan_id_seq;
COMMENT ON SEQUENCE privacct.plan_id_seq IS 'numbers of plans';
CREATE TABLE privacct.slot (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	slot int NOT NULL CHECK (slot BETWEEN 1 AND 64),
	plan_id bigint NOT NULL,
	role regrole,
	kernel text NOT NULL CHECK (kernel IN ('laplace', 'gaussian', 'brdp_laplace', 'brdp_gaussian', 'staircase')),
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
COMMENT ON TABLE privacct.slot IS 'what plan_budget() declared for each policy: so many releases of such noise, fixed before the first of them';
COMMENT ON COLUMN privacct.slot.plan_id IS 'tells a plan from the one it replaced';
COMMENT ON COLUMN privacct.slot.role IS 'whose quota has to pay; null: any; 0: a role that was dropped';
COMMENT ON COLUMN privacct.slot.noise IS 'the exact law, on a lattice where the sensitivity is 1024 steps';
COMMENT ON COLUMN privacct.slot.groups IS 'how many groups one owner may count in';
COMMENT ON COLUMN privacct.slot.within IS 'error bound, as a fraction of the sensitivity';
COMMENT ON COLUMN privacct.slot.scale IS 'of the noise, as a multiple of the sensitivity';
COMMENT ON COLUMN privacct.slot.acceptance IS 'probability that the noise keeps to the error bound';
COMMENT ON COLUMN privacct.slot.rho IS 'zCDP of one release';
COMMENT ON COLUMN privacct.slot.epsilon_alone IS 'what one release by itself loses at the plan''s delta';
COMMENT ON COLUMN privacct.slot.used IS 'releases made; only the ledger''s worker adds to it';

-- No foreign key: a charge must not wait for, or lock, the row of its policy.
CREATE SEQUENCE privacct.charge_id_seq;
COMMENT ON SEQUENCE privacct.charge_id_seq IS 'numbers of charges';
CREATE TABLE privacct.ledger (
	charge_id bigint PRIMARY KEY DEFAULT pg_catalog.nextval('privacct.charge_id_seq'),
	policy_id bigint NOT NULL,
	charged_at timestamptz NOT NULL,
	role name NOT NULL,
	payer name NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	detail jsonb
);
ALTER SEQUENCE privacct.charge_id_seq OWNED BY privacct.ledger.charge_id;
COMMENT ON TABLE privacct.ledger IS 'append-only: every charge ever made; the charges of a policy sum to its account';
COMMENT ON COLUMN privacct.ledger.role IS 'who asked';
COMMENT ON COLUMN privacct.ledger.payer IS 'whose quota paid';

--
-- Catalog of the local regime: what owners may be asked about, what they were
-- asked, and what they answered.  An owner is a number here, found by a keyed
-- hash of the owner column; the answers themselves were published.
--

CREATE TABLE privacct.domain (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	position int NOT NULL CHECK (position BETWEEN 1 AND 32),
	column_name name NOT NULL,
	points text[],
	prior float8[],
	lo float8 CHECK (lo BETWEEN -1e100 AND 1e100),
	hi float8 CHECK (hi BETWEEN -1e100 AND 1e100),
	column_type regtype NOT NULL,
	PRIMARY KEY (policy_id, position),
	UNIQUE (policy_id, column_name),
	CHECK ((points IS NULL) = (lo IS NOT NULL AND hi IS NOT NULL)),
	CHECK ((lo IS NULL) = (hi IS NULL)),
	CHECK (lo < hi),
	CHECK (pg_catalog.cardinality(prior) = pg_catalog.cardinality(points))
);
COMMENT ON TABLE privacct.domain IS 'local and pufferfish regime: the values that a column can have, a list (points) or an interval (lo to hi; dates in days, timestamps in seconds since 2000-01-01)';
COMMENT ON COLUMN privacct.domain.position IS 'of the column among those of the policy; never changes';
COMMENT ON COLUMN privacct.domain.points IS 'as output by the type of the column; local: the first stands for whatever is not listed; pufferfish: rows with other values do not count';
COMMENT ON COLUMN privacct.domain.prior IS 'what is believed of an owner before any answer, for MBP and ABP; null: all points alike';

CREATE TABLE privacct.public_column (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	column_name name NOT NULL,
	order_position int CHECK (order_position > 0),
	PRIMARY KEY (policy_id, column_name)
);
COMMENT ON TABLE privacct.public_column IS 'local and pufferfish regime: columns that are no secret; queries may be restricted to and grouped by them';
COMMENT ON COLUMN privacct.public_column.order_position IS 'pufferfish regime: place among the columns that order the rows of an owner; null: none of them';

CREATE TABLE privacct.question (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	question int NOT NULL CHECK (question > 0),
	charge_id bigint NOT NULL,
	asked_at timestamptz NOT NULL,
	text text NOT NULL,
	randomiser text NOT NULL CHECK (randomiser IN ('binary', 'response', 'additive', 'linear', 'logistic', 'central')),
	level float8 NOT NULL CHECK (level >= 0),
	rho float8 NOT NULL CHECK (rho >= 0),
	columns int[] NOT NULL,
	parameters float8[] NOT NULL,
	kernel text,
	points float8[] NOT NULL,
	owners int NOT NULL CHECK (owners >= 0),
	PRIMARY KEY (policy_id, question)
);
COMMENT ON TABLE privacct.question IS 'local regime: what owners were asked, with the exact law of their answers';
COMMENT ON COLUMN privacct.question.level IS 'LDP epsilon of the question, in nats';
COMMENT ON COLUMN privacct.question.rho IS 'the question''s zCDP';
COMMENT ON COLUMN privacct.question.columns IS 'positions of the domain''s columns that the points run over, the last fastest; linear, logistic: all that a coefficient belongs to';
COMMENT ON COLUMN privacct.question.parameters IS 'binary: low, high, flip; response: categories, lie; additive: least, most, low, step; linear: constant, a, b, epsilon; logistic: constant, epsilon; central: epsilon, 1 if owners who were never asked were in the release';
COMMENT ON COLUMN privacct.question.points IS 'the response at each point: number, category or steps; linear, logistic: the coefficients';
COMMENT ON COLUMN privacct.question.owners IS 'how many answered; central: how many were in the release, as far as they were known by then';

CREATE TABLE privacct.owner_key (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	first_owner int NOT NULL CHECK (first_owner >= 0),
	keys bytea NOT NULL,
	records bytea NOT NULL,
	PRIMARY KEY (policy_id, first_owner)
);
ALTER TABLE privacct.owner_key ALTER keys SET STORAGE PLAIN, ALTER records SET STORAGE PLAIN;
COMMENT ON TABLE privacct.owner_key IS 'local regime: keyed hashes of owners, 8 bytes each; an owner''s number is first_owner plus the place';
COMMENT ON COLUMN privacct.owner_key.records IS 'keyed hashes, 4 bytes each, of what the owner''s domain columns held at the first answer: whose values have changed is not asked again, unless the filter is basic';

CREATE TABLE privacct.answer (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	question int NOT NULL,
	answered bytea NOT NULL,
	width int NOT NULL CHECK (width IN (0, 1, 8, 16, 32, 64)),
	outputs bytea NOT NULL,
	bounds float8[],
	PRIMARY KEY (policy_id, question)
);
ALTER TABLE privacct.answer ALTER answered SET STORAGE EXTERNAL, ALTER outputs SET STORAGE EXTERNAL;
COMMENT ON TABLE privacct.answer IS 'local regime: answers to questions that are not yet part of owner_state, in the order of owners'' numbers';
COMMENT ON COLUMN privacct.answer.answered IS 'a bit for each owner, lowest first, zero bytes at the end left out';
COMMENT ON COLUMN privacct.answer.width IS 'bits of an output; 0: none (central)';
COMMENT ON COLUMN privacct.answer.outputs IS 'outputs of those who answered, one after the other';
COMMENT ON COLUMN privacct.answer.bounds IS 'linear, logistic: for each state, in order, and either output: the certified loss afterwards, that of closed groups, and the answers in these';

CREATE TABLE privacct.likelihood (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	state int NOT NULL CHECK (state >= 0),
	log_likelihood float8[] NOT NULL,
	error float8 NOT NULL CHECK (error >= 0),
	basic float8 NOT NULL CHECK (basic >= 0),
	central float8 NOT NULL CHECK (central >= 0),
	rho float8 NOT NULL CHECK (rho >= 0),
	answers int[] NOT NULL,
	loss float8 NOT NULL CHECK (loss >= 0),
	closed_loss float8 NOT NULL CHECK (closed_loss >= 0),
	closed int NOT NULL CHECK (closed >= 0),
	PRIMARY KEY (policy_id, state)
);
COMMENT ON TABLE privacct.likelihood IS 'local regime: likelihood tables, each shared by all owners with the same history; state 0 is that of an owner who was never asked';
COMMENT ON COLUMN privacct.likelihood.log_likelihood IS 'ln Pr[answers | point] for each point of the listed columns, the largest taken as 0';
COMMENT ON COLUMN privacct.likelihood.error IS 'bound of the rounding in it';
COMMENT ON COLUMN privacct.likelihood.basic IS 'sum of the levels of the questions answered';
COMMENT ON COLUMN privacct.likelihood.central IS 'sum of the epsilons of central releases';
COMMENT ON COLUMN privacct.likelihood.answers IS 'linear and logistic questions answered: question, output, question, output, ...';
COMMENT ON COLUMN privacct.likelihood.loss IS 'certified bound of what these gave away';
COMMENT ON COLUMN privacct.likelihood.closed_loss IS 'the part of it that is of closed groups of answers';
COMMENT ON COLUMN privacct.likelihood.closed IS 'how many answers are in those groups';

CREATE TABLE privacct.owner_state (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
	first_owner int NOT NULL CHECK (first_owner >= 0),
	width int NOT NULL CHECK (width IN (8, 16, 32)),
	states bytea NOT NULL,
	PRIMARY KEY (policy_id, first_owner)
);
ALTER TABLE privacct.owner_state ALTER states SET STORAGE PLAIN;
COMMENT ON TABLE privacct.owner_state IS 'local regime: the state of each owner, width bits each, after the question of owner_state_at';

CREATE TABLE privacct.owner_state_at (
	policy_id bigint PRIMARY KEY REFERENCES privacct.policy,
	question int NOT NULL CHECK (question >= 0)
);
COMMENT ON TABLE privacct.owner_state_at IS 'local regime: up to which question owner_state and likelihood tell the answers';

--
-- Catalog of the pufferfish regime.  A policy's caps are those of its last version.
--

CREATE TABLE privacct.prior (
	policy_id bigint NOT NULL REFERENCES privacct.policy,
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
COMMENT ON TABLE privacct.prior IS 'pufferfish regime: what was declared of the rows of an owner, and what follows; never changed, the last version is in force';
COMMENT ON COLUMN privacct.prior.epsilon_pufferfish IS 'what all releases together may tell about a secret';
COMMENT ON COLUMN privacct.prior.epsilon IS 'so, what releases may cost per row: the sum of epsilons for the change of one row';
COMMENT ON COLUMN privacct.prior.delta IS 'so, what the deltas of releases may sum to';
COMMENT ON COLUMN privacct.prior.hash IS 'sha256 of the priors as text';
COMMENT ON COLUMN privacct.prior.secrets IS 'values of an entry that are secrets; null: all';
COMMENT ON COLUMN privacct.prior.pairs IS 'pairs of values not to be told apart; null: any two secrets';
COMMENT ON COLUMN privacct.prior.max_entries IS 'no owner has more rows; null: no limit, and no group privacy to fall back on';
COMMENT ON COLUMN privacct.prior.curve_a IS 'what the other rows tell once curve_b rows around a secret are set aside; may be infinite';
COMMENT ON COLUMN privacct.prior.curve_left IS 'how many of these rows lie before the secret''s; -1: no order';

SELECT pg_catalog.pg_extension_config_dump('privacct.policy', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.policy_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.bound', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.group_key', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.quota', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.account', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_account', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.slot', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.plan_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.domain', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.public_column', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.prior', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.question', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_key', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.answer', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.likelihood', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_state', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_state_at', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.ledger', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.charge_id_seq', '');

--
-- Triggers on the catalog
--

CREATE FUNCTION privacct._policy_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'pa_policy_changed' LANGUAGE C;
COMMENT ON FUNCTION privacct._policy_changed() IS 'makes every session forget its plans and its copy of the policies';

CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.policy
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.bound
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.group_key
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.quota
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.domain
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.public_column
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON privacct.prior
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._policy_changed();
ALTER TABLE privacct.prior ENABLE ALWAYS TRIGGER policy_changed;
COMMENT ON TRIGGER policy_changed ON privacct.prior IS 'invalidates plans';
ALTER TABLE privacct.policy ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.bound ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.group_key ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.quota ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.domain ENABLE ALWAYS TRIGGER policy_changed;
ALTER TABLE privacct.public_column ENABLE ALWAYS TRIGGER policy_changed;
COMMENT ON TRIGGER policy_changed ON privacct.policy IS 'invalidates plans';
COMMENT ON TRIGGER policy_changed ON privacct.bound IS 'invalidates plans';
COMMENT ON TRIGGER policy_changed ON privacct.group_key IS 'invalidates plans';
COMMENT ON TRIGGER policy_changed ON privacct.quota IS 'invalidates plans';
COMMENT ON TRIGGER policy_changed ON privacct.domain IS 'invalidates plans';
COMMENT ON TRIGGER policy_changed ON privacct.public_column IS 'invalidates plans';

CREATE FUNCTION privacct._refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'the ledger is append-only'
		USING ERRCODE = '42501',
			  DETAIL = 'A charge records privacy that is lost; it cannot be taken back.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_change() IS 'keeps the ledger append-only';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON privacct.ledger
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_change();
ALTER TABLE privacct.ledger ENABLE ALWAYS TRIGGER append_only;
COMMENT ON TRIGGER append_only ON privacct.ledger IS 'keeps the ledger append-only';

CREATE FUNCTION privacct._refuse_thaw() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION 'a version of a prior is frozen'
		USING ERRCODE = '42501',
			  DETAIL = 'What was released under it was promised by it.',
			  HINT = 'privacct.set_priors() declares the next version.';
END
$$;
COMMENT ON FUNCTION privacct._refuse_thaw() IS 'keeps priors and their curves as they were declared';
CREATE TRIGGER frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON privacct.prior
	FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_thaw();
ALTER TABLE privacct.prior ENABLE ALWAYS TRIGGER frozen;
COMMENT ON TRIGGER frozen ON privacct.prior IS 'keeps priors and their curves as they were declared';

-- A role that was dropped is dumped as a bare number, which may be another
-- role's in the cluster of the restore: such a row is left out.
CREATE FUNCTION privacct._skip_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role = 0::regrole OR EXISTS (SELECT FROM pg_roles WHERE oid = NEW.role) THEN
		RETURN NEW;
	END IF;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._skip_unknown_role() IS 'leaves out rows of roles that do not exist';
CREATE TRIGGER skip_unknown_role BEFORE INSERT ON privacct.quota
	FOR EACH ROW EXECUTE FUNCTION privacct._skip_unknown_role();
CREATE TRIGGER skip_unknown_role BEFORE INSERT ON privacct.account
	FOR EACH ROW EXECUTE FUNCTION privacct._skip_unknown_role();
COMMENT ON TRIGGER skip_unknown_role ON privacct.quota IS 'leaves out rows of roles that do not exist';
COMMENT ON TRIGGER skip_unknown_role ON privacct.account IS 'leaves out rows of roles that do not exist';

CREATE FUNCTION privacct._forget_unknown_role() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NEW.role IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles WHERE oid = NEW.role) THEN
		NEW.role := 0::regrole;
	END IF;
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._forget_unknown_role() IS 'makes a slot of a role that does not exist nobody''s';
CREATE TRIGGER forget_unknown_role BEFORE INSERT ON privacct.slot
	FOR EACH ROW EXECUTE FUNCTION privacct._forget_unknown_role();
COMMENT ON TRIGGER forget_unknown_role ON privacct.slot IS 'makes a slot of a role that does not exist nobody''s';

--
-- Checks of what may be protected.  Each raises an error or returns nothing.
--

CREATE FUNCTION privacct._tree(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE tree(member) AS (
		SELECT root::oid
		UNION
		SELECT i.inhrelid FROM pg_inherits i JOIN tree t ON i.inhparent = t.member)
	SELECT member FROM tree
$$;
COMMENT ON FUNCTION privacct._tree(regclass) IS 'a table and all its partitions and inheritance children';

CREATE FUNCTION privacct._ancestors(relation regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	WITH RECURSIVE up(member) AS (
		SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = relation
		UNION
		SELECT i.inhparent FROM pg_inherits i JOIN up u ON i.inhrelid = u.member)
	SELECT member FROM up
$$;
COMMENT ON FUNCTION privacct._ancestors(regclass) IS 'what a table inherits from or is a partition of';

CREATE FUNCTION privacct._linked(root regclass) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN t.member = k.conrelid THEN k.confrelid ELSE k.conrelid END
	FROM privacct._tree(root) t(member)
	JOIN pg_constraint k ON t.member IN (k.conrelid, k.confrelid)
	WHERE k.contype = 'f'
	EXCEPT
	SELECT member FROM privacct._tree(root) t(member)
$$;
COMMENT ON FUNCTION privacct._linked(regclass) IS 'tables outside of the tree that a foreign key connects with it';

CREATE FUNCTION privacct._acl(members oid[])
	RETURNS TABLE (object text, relowner oid, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT c.oid::regclass::text, c.relowner, a.grantee, a.privilege_type
	FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
	WHERE c.oid = ANY (members)
	UNION
	SELECT format('%s(%I)', c.oid::regclass, t.attname), c.relowner, a.grantee, a.privilege_type
	FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN aclexplode(t.attacl) a
	WHERE c.oid = ANY (members) AND NOT t.attisdropped
$$;
COMMENT ON FUNCTION privacct._acl(oid[]) IS 'privileges on tables and their columns';

CREATE FUNCTION privacct._role_name(role oid) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN role = 0 THEN 'PUBLIC' ELSE role::regrole::text END
$$;
COMMENT ON FUNCTION privacct._role_name(oid) IS 'name of a grantee';

CREATE FUNCTION privacct._check_kind(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c record;
BEGIN
	SELECT k.*, n.nspname INTO c
	FROM pg_class k JOIN pg_namespace n ON n.oid = k.relnamespace WHERE k.oid = relation;
	IF c.relkind NOT IN ('r', 'p') THEN
		RAISE EXCEPTION 'relation % is not a table', relation
			USING ERRCODE = '42809',
				  DETAIL = 'Only ordinary and partitioned tables can be protected.',
				  HINT = 'Protect the table that holds the rows; views over it are then guarded too.';
	ELSIF c.nspname IN ('pg_catalog', 'information_schema', 'pg_toast', 'privacct') THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = 'PA004', DETAIL = format('It is in the system schema %I.', c.nspname);
	ELSIF c.relpersistence = 't' THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = 'PA004', DETAIL = 'It is a temporary table.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_kind(regclass) IS 'an ordinary or partitioned table of a user';

CREATE FUNCTION privacct._check_tree(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad text;
BEGIN
	SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.oid::regclass::text) INTO bad
	FROM privacct._tree(relation) t(member) JOIN pg_class c ON c.oid = t.member
	WHERE c.relkind NOT IN ('r', 'p') OR c.relowner <> root_owner OR c.relpersistence = 't';
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected with these partitions', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Foreign, temporary or with another owner than the root: %s.', bad),
				  HINT = 'All partitions and children must be tables of the same owner; detach the others.';
	END IF;
	-- whoever reads a parent outside of the tree would read rows inside of it
	SELECT string_agg(DISTINCT i.inhparent::regclass::text, ', ') INTO bad
	FROM privacct._tree(relation) t(member) JOIN pg_inherits i ON i.inhrelid = t.member
	WHERE i.inhparent NOT IN (SELECT member FROM privacct._tree(relation) u(member));
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected apart from its parent', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('It, or a child of it, is a child or partition of: %s.', bad),
				  HINT = 'Protect the root of the partition tree.';
	END IF;
	SELECT string_agg(p.relation::text, ', ') INTO bad
	FROM privacct.policy p
	WHERE p.closed_at IS NULL AND p.relation <> _check_tree.relation
	AND p.relation IN (SELECT member FROM privacct._tree(_check_tree.relation) u(member));
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'table % cannot be protected', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Children that are protected already: %s.', bad),
				  HINT = 'Unprotect the children, then protect the root.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_tree(regclass) IS 'the whole tree, one owner, no second entrance';

CREATE FUNCTION privacct._check_rewriting(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	bad text;
BEGIN
	SELECT string_agg(c.oid::regclass::text, ', ') INTO bad
	FROM privacct._tree(relation) t(member) JOIN pg_class c ON c.oid = t.member
	WHERE c.relrowsecurity OR EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = c.oid);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a protected table cannot have row-level security or rules'
			USING ERRCODE = 'PA004',
				  DETAIL = format('They are defined on: %s.', bad),
				  HINT = 'Drop the rules and disable row-level security; they could run code on protected rows.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_rewriting(regclass) IS 'no row-level security, no rules';

CREATE FUNCTION privacct._check_owner_column(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	a record;
BEGIN
	FOR a IN
		SELECT m.member::regclass AS member, t.attname, t.atttypid::regtype AS type, t.attnotnull, coalesce(l.collisdeterministic, true) AS deterministic
		FROM privacct._tree(relation) m(member)
		LEFT JOIN pg_attribute t ON t.attrelid = m.member AND t.attname = owner AND t.attnum > 0 AND NOT t.attisdropped
		LEFT JOIN pg_collation l ON l.oid = t.attcollation
	LOOP
		IF a.attname IS NULL THEN
			RAISE EXCEPTION 'column "%" of relation % does not exist', owner, a.member USING ERRCODE = '42703';
		ELSIF a.type NOT IN ('int2', 'int4', 'int8', 'uuid', 'text', 'varchar') THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = 'PA004',
					  DETAIL = format('Its type is %s.', a.type),
					  HINT = 'The owner column is of type smallint, integer, bigint, uuid, text or varchar.';
		ELSIF NOT a.deterministic THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = 'PA004',
					  DETAIL = 'Its collation is nondeterministic: different values may count as one owner.';
		ELSIF NOT a.attnotnull THEN
			RAISE EXCEPTION 'column "%" cannot be the owner column', owner
				USING ERRCODE = 'PA004',
					  DETAIL = format('It may be null in %s: such a row would belong to nobody.', a.member),
					  HINT = format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL.', a.member, owner);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_owner_column(regclass, name) IS 'exists, not null, of a type whose equality is identity';

CREATE FUNCTION privacct._check_grants(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	bad text;
BEGIN
	SELECT string_agg(format('%s (%s on %s)', privacct._role_name(a.grantee), a.privilege, a.object), ', '
					  ORDER BY privacct._role_name(a.grantee), a.object, a.privilege) INTO bad
	FROM privacct._acl(ARRAY(SELECT privacct._tree(relation))) a
	WHERE a.grantee <> a.relowner
	AND NOT (a.grantee = 'privacct_reader'::regrole AND a.privilege = 'SELECT');
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'other roles hold privileges on the protected table %', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Only the owner may hold any: %s.', bad),
				  HINT = 'REVOKE them, also on columns and partitions; look at ALTER DEFAULT PRIVILEGES for new partitions.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_grants(regclass) IS 'nobody but the owner and privacct_reader holds any privilege';

-- A foreign key lets whoever writes the other table ask whether a value is there.
CREATE FUNCTION privacct._check_foreign_keys(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	root_owner oid := (SELECT relowner FROM pg_class WHERE oid = relation);
	bad text;
BEGIN
	SELECT string_agg(w.what, ', ' ORDER BY w.what) INTO bad
	FROM (SELECT format('%s (owner of %s)', c.relowner::regrole, c.oid::regclass) AS what, c.relowner AS who
		  FROM privacct._linked(relation) l(member) JOIN pg_class c ON c.oid = l.member
		  UNION
		  SELECT format('%s (%s on %s)', privacct._role_name(a.grantee), a.privilege, a.object), a.grantee
		  FROM privacct._acl(ARRAY(SELECT privacct._linked(relation))) a
		  WHERE a.privilege IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')) w
	WHERE w.who <> root_owner
	AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = w.who AND r.rolsuper);
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION 'a foreign key connects % with a table that others can write', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('Their writes would succeed or fail depending on protected rows: %s.', bad),
				  HINT = 'Revoke the right to write, or drop the foreign key.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_foreign_keys(regclass) IS 'no foreign key to or from a table that others write';

CREATE FUNCTION privacct._check_policy(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_kind(relation);
	PERFORM privacct._check_tree(relation);
	PERFORM privacct._check_rewriting(relation);
	PERFORM privacct._check_owner_column(relation, owner);
	PERFORM privacct._check_grants(relation);
	PERFORM privacct._check_foreign_keys(relation);
END
$$;
COMMENT ON FUNCTION privacct._check_policy(regclass, name) IS 'everything that a protected table must keep to, at declaration and after each change';

CREATE FUNCTION privacct._check_amounts(accountant text, epsilon numeric, delta numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF epsilon IS NULL OR NOT epsilon BETWEEN 1e-9 AND 1e6 THEN
		RAISE EXCEPTION 'epsilon is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'Epsilon is a number from 1e-9 to 1e6.',
				  HINT = 'Usual values are between 0.1 and 10; smaller is more private.';
	ELSIF delta IS NULL OR NOT (delta >= 0 AND delta < 1) THEN
		RAISE EXCEPTION 'delta is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'Delta is a number from 0 to below 1.',
				  HINT = 'Choose delta well below one over the number of owners.';
	ELSIF delta > 0 AND delta < 1e-29 THEN
		RAISE EXCEPTION 'delta is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'A delta above 0 is at least 1e-29.', HINT = 'Use delta => 0.';
	ELSIF accountant = 'zcdp' AND delta = 0 THEN
		RAISE EXCEPTION 'the zcdp accountant needs a delta above 0'
			USING ERRCODE = 'PA004', DETAIL = 'A bound on rho says nothing about epsilon at delta 0.',
				  HINT = 'Give a delta, for example 1e-6, or choose accountant => ''basic''.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_amounts(text, numeric, numeric) IS 'epsilon and delta of a policy or a quota';

--
-- Arithmetic of accountants
--

CREATE FUNCTION privacct._rho_cap(epsilon numeric, delta numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'pa_rho_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._rho_cap(numeric, numeric) IS 'largest rho whose zCDP implies (epsilon, delta), rounded down';

CREATE FUNCTION privacct._zcdp_epsilon(rho numeric, delta numeric) RETURNS numeric
	AS 'MODULE_PATHNAME', 'pa_zcdp_epsilon_sql' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._zcdp_epsilon(numeric, numeric) IS 'epsilon that rho-zCDP implies at delta, rounded up';

-- The caps of a promise: all of delta for sums; for zcdp half of it pays for
-- the conversion of rho and the other half for what charges themselves cost.
CREATE FUNCTION privacct._caps(accountant text, INOUT epsilon numeric, INOUT delta numeric,
	OUT cap_rho numeric, OUT cap_delta numeric)
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_amounts(accountant, epsilon, delta);
	epsilon := trim_scale(trunc(epsilon, 30));
	delta := trim_scale(trunc(delta, 30));
	IF accountant = 'zcdp' THEN
		cap_delta := trim_scale(trunc(delta * 0.5, 30));
		cap_rho := privacct._rho_cap(epsilon, cap_delta);
	ELSE
		cap_delta := delta;
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._caps(text, numeric, numeric) IS 'what charges may sum to under an accountant, rounded down';

--
-- Workers of the declarations
--

CREATE FUNCTION privacct._policy_of(relation regclass) RETURNS privacct.policy
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	root text;
BEGIN
	SELECT * INTO p FROM privacct.policy q WHERE q.relation = _policy_of.relation AND q.closed_at IS NULL;
	IF FOUND THEN
		RETURN p;
	END IF;
	SELECT q.relation::text INTO root FROM privacct.policy q
	WHERE q.closed_at IS NULL AND q.relation IN (SELECT privacct._ancestors(_policy_of.relation));
	RAISE EXCEPTION 'table % has no policy of its own', relation
		USING ERRCODE = 'PA004',
			  DETAIL = CASE WHEN root IS NULL THEN 'It is not protected.' ELSE format('It is protected as a part of %s.', root) END,
			  HINT = CASE WHEN root IS NULL THEN 'Call privacct.protect() first.' ELSE format('Declare it for %s.', root) END;
END
$$;
COMMENT ON FUNCTION privacct._policy_of(regclass) IS 'the open policy of a table, or an error';

CREATE FUNCTION privacct._lock(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	-- keeps ALTER and ATTACH away, not readers and writers
	IF EXISTS (SELECT FROM pg_class WHERE oid = relation AND relkind IN ('r', 'p')) THEN
		EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', relation);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._lock(regclass) IS 'serialises declarations with each other and with ALTER TABLE';

CREATE FUNCTION privacct._planned(slots jsonb, epsilon numeric, delta numeric, most_groups int, kernels text[])
	RETURNS TABLE (slot int, role text, kernel text, noise text, releases bigint, groups int, within float8,
		weight float8, scale float8, q float8, acceptance float8, rho float8, epsilon_alone float8)
	AS 'MODULE_PATHNAME', 'pa_planned' LANGUAGE C IMMUTABLE;
COMMENT ON FUNCTION privacct._planned(jsonb, numeric, numeric, int, text[]) IS 'slots of a plan, with the tightest noise that keeps the promise';

CREATE FUNCTION privacct._hold_charges() RETURNS void
	AS 'MODULE_PATHNAME', 'pa_hold_charges' LANGUAGE C;
COMMENT ON FUNCTION privacct._hold_charges() IS 'holds charges back until the end of the transaction';

-- What nobody chose: the default noise of an accountant.
CREATE FUNCTION privacct._default_kernel(accountant text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE accountant WHEN 'zcdp' THEN 'gaussian' ELSE 'laplace' END
$$;
COMMENT ON FUNCTION privacct._default_kernel(text) IS 'noise of a policy that names none';

CREATE FUNCTION privacct._check_noise(accountant text, kernel text, kernels text[], sample_rate float8, delta numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF kernel NOT IN ('laplace', 'gaussian') THEN
		RAISE EXCEPTION 'unknown default kernel'
			USING ERRCODE = 'PA004', HINT = 'Without an error bound noise is ''laplace'' or ''gaussian''.';
	ELSIF kernel = 'gaussian' AND delta = 0 THEN
		RAISE EXCEPTION 'the gaussian kernel needs a delta above 0'
			USING ERRCODE = 'PA004', HINT = 'Give a delta, for example 1e-6, or choose kernel => ''laplace''.';
	ELSIF array_position(kernels, NULL) IS NOT NULL
		OR NOT kernels <@ '{laplace,gaussian,brdp_laplace,brdp_gaussian,staircase,optimal}' THEN
		RAISE EXCEPTION 'unknown kernel among the kernels'
			USING ERRCODE = 'PA004', HINT = 'Kernels are laplace, gaussian, brdp_laplace, brdp_gaussian, staircase and optimal.';
	ELSIF accountant = 'plan' AND sample_rate < 1 THEN
		RAISE EXCEPTION 'releases under a plan are not on a sample of owners'
			USING ERRCODE = 'PA004', HINT = 'Leave sample_rate at 1, or choose another accountant.';
	ELSIF accountant <> 'plan' AND NOT ARRAY[coalesce(kernel, privacct._default_kernel(accountant))] <@ kernels THEN
		RAISE EXCEPTION 'the default kernel is not among the kernels'
			USING ERRCODE = 'PA004',
				  DETAIL = 'Releases without an error bound, and the selection of groups, need it.',
				  HINT = format('Add %L, or name another kernel.', coalesce(kernel, privacct._default_kernel(accountant)));
	ELSIF sample_rate IS NULL OR NOT (sample_rate >= 1e-6 AND sample_rate <= 1) THEN
		RAISE EXCEPTION 'sample_rate is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It is a probability of at least 1e-6, and 1 for no sampling.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_noise(text, text, text[], float8, numeric) IS 'which noise a policy has and allows, on what sample';

CREATE FUNCTION privacct._check_choices(regime text, accounting text, accountant text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF regime IS NULL OR accounting IS NULL OR accountant IS NULL THEN
		RAISE EXCEPTION 'regime, accounting and accountant must not be null' USING ERRCODE = '22004';
	ELSIF accounting = 'owner' THEN
		RAISE EXCEPTION 'accounting per owner is not supported yet'
			USING ERRCODE = '0A000', HINT = 'Use accounting => ''table'', or regime => ''local'', where each owner has an account of their own.';
	ELSIF regime = 'pufferfish' THEN
		RAISE EXCEPTION 'this regime needs priors'
			USING ERRCODE = 'PA004', HINT = 'Call privacct.protect_entries().';
	ELSIF regime NOT IN ('central', 'local') OR accounting <> 'table' THEN
		RAISE EXCEPTION 'unknown regime or accounting'
			USING ERRCODE = 'PA004', HINT = 'Use regime => ''central'' or ''local'', accounting => ''table''.';
	ELSIF accountant NOT IN ('basic', 'zcdp', 'plan') THEN
		RAISE EXCEPTION 'unknown accountant'
			USING ERRCODE = 'PA004', HINT = 'The accountants are ''basic'', ''zcdp'' and ''plan''.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_choices(text, text, text) IS 'the words that a policy chooses among';

-- True where no owner can have two rows, so that both contributions are 1.
CREATE FUNCTION privacct._owner_is_unique(relation regclass, owner name) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT EXISTS (
		SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = owner
		WHERE i.indrelid = relation AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
		AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum
		AND (c.relkind = 'p' OR NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = relation)))
$$;
COMMENT ON FUNCTION privacct._owner_is_unique(regclass, name) IS 'true if a unique index allows one row per owner';

-- What is peculiar to the local regime.
CREATE FUNCTION privacct._check_local(relation regclass, owner name, accountant text, delta numeric, sample_rate float8, filter text, answer_group int) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF filter IS NULL OR filter NOT IN ('full', 'simplified', 'approximate', 'basic') THEN
		RAISE EXCEPTION 'unknown filter'
			USING ERRCODE = 'PA004', HINT = 'The filters are ''full'', ''simplified'', ''approximate'' and ''basic''.';
	ELSIF filter = 'approximate' AND delta = 0 THEN
		RAISE EXCEPTION 'the approximate filter needs a delta above 0'
			USING ERRCODE = 'PA004', HINT = 'Give a delta, for example 1e-6, or choose filter => ''full''.';
	ELSIF answer_group IS NULL OR answer_group NOT BETWEEN 0 AND 100000 THEN
		RAISE EXCEPTION 'answer_group is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It is from 1 to 100000, and 0 for one group.';
	ELSIF accountant <> 'basic' THEN
		RAISE EXCEPTION 'a local policy has no accountant but ''basic'''
			USING ERRCODE = 'PA004', DETAIL = 'Its budget is kept for each owner by a filter on likelihood tables.',
				  HINT = 'Leave accountant out; filter => ''approximate'' uses zCDP and a delta.';
	ELSIF sample_rate < 1 THEN
		RAISE EXCEPTION 'a local policy cannot sample owners'
			USING ERRCODE = 'PA004', HINT = 'Leave sample_rate at 1.';
	END IF;
	PERFORM privacct._check_single(relation, owner);
END
$$;
COMMENT ON FUNCTION privacct._check_local(regclass, name, text, numeric, float8, text, int) IS 'choices that fit the local regime';

CREATE FUNCTION privacct._check_single(relation regclass, owner name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT privacct._owner_is_unique(relation, owner) THEN
		RAISE EXCEPTION 'table % may have several rows of one owner', relation
			USING ERRCODE = 'PA004', DETAIL = 'In the local regime an owner answers for one row.',
				  HINT = format('Add a primary key or a unique constraint on column %I alone.', owner);
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_single(regclass, name) IS 'one row per owner, by a unique index';

CREATE FUNCTION privacct._check_contribution(max_groups int, max_rows int, min_owners int) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (max_groups BETWEEN 1 AND 1000000 AND max_rows BETWEEN 1 AND 1000000000
			AND max_groups::numeric * max_rows <= 1e12) THEN
		RAISE EXCEPTION 'contribution bounds are out of range'
			USING ERRCODE = 'PA004',
				  DETAIL = 'max_groups_contributed is from 1 to 1e6, max_rows_contributed from 1 to 1e9, their product at most 1e12.';
	ELSIF min_owners IS NULL OR NOT min_owners BETWEEN 1 AND 1000000000 THEN
		RAISE EXCEPTION 'min_owners is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'min_owners is from 1 (no minimum) to 1e9.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_contribution(int, int, int) IS 'ranges of the contribution bounds';

CREATE FUNCTION privacct._plan_is_used(policy_id bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT EXISTS (SELECT FROM privacct.slot s WHERE s.policy_id = _plan_is_used.policy_id AND s.used > 0)
		OR EXISTS (SELECT FROM privacct.ledger l WHERE l.policy_id = _plan_is_used.policy_id
				   AND NOT coalesce(l.detail ? 'carried_from_policy', false))
$$;
COMMENT ON FUNCTION privacct._plan_is_used(bigint) IS 'true once a release was made under a policy, carried ones not counted';

-- What the table spent under an earlier policy stays spent: the new policy
-- starts from its sums, and the ledger gets one line per earlier payer, so
-- that ledger and account agree for every policy by itself.  A plan that was used
-- is spent as it was promised, for its rest was fixed too; that is one line more.
CREATE FUNCTION privacct._carry_over(successor bigint, relation regclass, accountant text, caller regrole) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	old privacct.policy;
	spent privacct.account;
	promised privacct.account;
BEGIN
	SELECT p.* INTO old FROM privacct.policy p
	WHERE p.relation = _carry_over.relation AND p.policy_id <> successor
	ORDER BY p.policy_id DESC LIMIT 1;
	-- the lock fails where the snapshot is too old to show every charge
	SELECT a.* INTO spent FROM privacct.account a WHERE a.policy_id = old.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF coalesce(spent.releases, 0) = 0 THEN
		INSERT INTO privacct.account VALUES (successor, 0::regrole, 0, 0, 0, 0);
		RETURN;
	ELSIF old.regime <> (SELECT p.regime FROM privacct.policy p WHERE p.policy_id = successor) THEN
		RAISE EXCEPTION 'the regime of % cannot change', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the regime "%s".', old.regime),
				  HINT = format('Use regime => %L.', old.regime);
	ELSIF old.accountant <> _carry_over.accountant THEN
		RAISE EXCEPTION 'the accountant of % cannot change', relation
			USING ERRCODE = 'PA004',
				  DETAIL = format('An earlier policy spent budget under the accountant "%s".', old.accountant),
				  HINT = format('Use accountant => %L.', old.accountant);
	END IF;
	IF old.regime = 'local' THEN
		-- whoever is asked under the new policy may be the one who lost the most
		INSERT INTO privacct.likelihood VALUES (successor, 0, '{}', 0, greatest(old.lost[2] - old.lost[1], 0), coalesce(old.lost[1], old.epsilon), coalesce(old.lost[3], 0), '{}', 0, 0, 0);
		INSERT INTO privacct.owner_state_at VALUES (successor, 0);
	END IF;
	INSERT INTO privacct.account SELECT successor, a.role, a.epsilon, a.delta, a.rho, a.releases, a.spared_epsilon, a.spared_delta
	FROM privacct.account a WHERE a.policy_id = old.policy_id;
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
	SELECT successor, now(), _carry_over.caller::text, l.payer, sum(l.epsilon), sum(l.delta), sum(l.rho),
		jsonb_build_object('carried_from_policy', old.policy_id, 'charges', count(*))
	FROM privacct.ledger l WHERE l.policy_id = old.policy_id GROUP BY l.payer;
	IF old.accountant = 'plan' AND privacct._plan_is_used(old.policy_id) THEN
		UPDATE privacct.account a SET epsilon = old.epsilon, delta = old.delta
		WHERE a.policy_id = successor AND a.role = 0::regrole;
		INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		VALUES (successor, now(), _carry_over.caller::text, _carry_over.caller::text, old.epsilon - spent.epsilon, old.delta - spent.delta, 0,
			jsonb_build_object('carried_from_policy', old.policy_id, 'promised_by_plan', true));
		spent.epsilon := old.epsilon;
		spent.delta := old.delta;
	END IF;
	RAISE NOTICE 'what % has spent before is carried over', relation
		USING DETAIL = format('Epsilon %s, delta %s, rho %s in %s releases.', spent.epsilon, spent.delta, spent.rho, spent.releases);
END
$$;
COMMENT ON FUNCTION privacct._carry_over(bigint, regclass, text, regrole) IS 'opens the accounts of a new policy';

CREATE FUNCTION privacct._warn_of_namesake(relation_name text, successor bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.policy p JOIN privacct.account a USING (policy_id)
			   WHERE p.relation = 0::regclass AND p.relation_name = _warn_of_namesake.relation_name
			   AND p.policy_id <> successor AND a.role = 0::regrole AND a.releases > 0) THEN
		RAISE WARNING 'a dropped table of the name % has spent budget before', relation_name
			USING DETAIL = 'If this table holds the same rows, what they lost then adds to what they lose now.',
				  HINT = 'See privacct.odometer; lower epsilon by what was spent.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._warn_of_namesake(text, bigint) IS 'a table dropped and made again starts a new account: says so';

-- The caps are those of privacct._caps(), or what follows from a prior.
CREATE FUNCTION privacct._open_policy(caller regrole, relation regclass, owner name, caps record,
	max_groups_contributed int, max_rows_contributed int, accountant text, accounting text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	id bigint;
	qualified text := (SELECT format('%I.%I', n.nspname, c.relname)
					   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = relation);
BEGIN
	-- three random UUIDs hold 366 bits from the strong generator of the server
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta,
		cap_rho, cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret,
		created_at, created_by)
	VALUES (relation, qualified, owner, regime, accounting, accountant, caps.epsilon, caps.delta,
		caps.cap_rho, caps.cap_delta, max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group,
		sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
		now(), caller::text)
	RETURNING policy_id INTO id;
	PERFORM privacct._carry_over(id, relation, accountant, caller);
	PERFORM privacct._warn_of_namesake(qualified, id);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._open_policy(regrole, regclass, name, record, int, int, text, text, text, int, text, text[], float8, text, int) IS 'writes a policy that was checked, and opens its accounts';

CREATE FUNCTION privacct._check_unprotected(relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (SELECT FROM privacct.policy p WHERE p.relation = _check_unprotected.relation AND p.closed_at IS NULL) THEN
		RAISE EXCEPTION 'table % is protected already', relation
			USING ERRCODE = 'PA004',
				  HINT = 'To change the policy, call privacct.unprotect() and privacct.protect() in one transaction; what was spent is carried over.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_unprotected(regclass) IS 'no open policy of its own';

CREATE FUNCTION privacct._protect(caller regrole, relation regclass, owner name, epsilon numeric, delta numeric,
	max_groups_contributed int, max_rows_contributed int, accountant text, accounting text, regime text,
	min_owners int, kernel text, kernels text[], sample_rate float8, filter text, answer_group int) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	caps record;
	id bigint;
	single boolean;
BEGIN
	IF owner IS NULL THEN
		RAISE EXCEPTION 'owner must not be null'
			USING ERRCODE = '22004', HINT = 'Name the column that says whose row it is.';
	END IF;
	PERFORM privacct._check_choices(regime, accounting, accountant);
	IF regime <> 'local' THEN
		filter := NULL;
		answer_group := NULL;
	ELSIF filter IN ('full', 'simplified', 'basic') THEN
		delta := 0;				-- they promise more than was asked for
	END IF;
	PERFORM privacct._check_noise(accountant, kernel, kernels, sample_rate, delta);
	SELECT * INTO caps FROM privacct._caps(accountant, epsilon, delta);
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_unprotected(relation);
	PERFORM privacct._check_policy(relation, owner);
	IF regime = 'local' THEN
		PERFORM privacct._check_local(relation, owner, accountant, delta, sample_rate, filter, answer_group);
	END IF;
	single := privacct._owner_is_unique(relation, owner);
	max_groups_contributed := coalesce(max_groups_contributed, CASE WHEN single THEN 1 ELSE 3 END);
	max_rows_contributed := coalesce(max_rows_contributed, CASE WHEN single THEN 1 ELSE 10 END);
	PERFORM privacct._check_contribution(max_groups_contributed, max_rows_contributed, min_owners);
	id := privacct._open_policy(caller, relation, owner, caps, max_groups_contributed, max_rows_contributed, accountant, accounting, regime,
		min_owners, kernel, kernels, sample_rate, filter, answer_group);
	EXECUTE format('GRANT SELECT ON %s TO privacct_reader', relation);
	RETURN id;
END
$$;
COMMENT ON FUNCTION privacct._protect(regrole, regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int) IS 'worker of protect';

CREATE FUNCTION privacct._unprotect(caller regrole, relation regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	-- whoever succeeds this policy sees all that it spent
	PERFORM privacct._hold_charges();
	p := privacct._policy_of(relation);
	IF p.regime = 'local' THEN
		PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
		UPDATE privacct.policy q SET lost = (SELECT ARRAY[max(CASE WHEN p.filter = 'basic' THEN s.worst_case ELSE s.realised END), max(s.worst_case), max(s.rho)] FROM privacct._local_states(p.relation) s)
		WHERE q.policy_id = p.policy_id;
	END IF;
	UPDATE privacct.policy q SET closed_at = now() WHERE q.policy_id = p.policy_id;
	EXECUTE format('REVOKE SELECT ON %s FROM privacct_reader', relation);
END
$$;
COMMENT ON FUNCTION privacct._unprotect(regrole, regclass) IS 'worker of unprotect';

CREATE FUNCTION privacct._column_type(relation regclass, column_name name,
	OUT type regtype, OUT full_type text, OUT deterministic boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF column_name IS NULL THEN
		RAISE EXCEPTION 'column_name must not be null' USING ERRCODE = '22004';
	END IF;
	SELECT a.atttypid, format_type(a.atttypid, a.atttypmod), coalesce(l.collisdeterministic, true)
	INTO type, full_type, deterministic
	FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation
	WHERE a.attrelid = relation AND a.attname = column_name AND a.attnum > 0 AND NOT a.attisdropped;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', column_name, relation USING ERRCODE = '42703';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._column_type(regclass, name) IS 'type of a column, or an error';

CREATE FUNCTION privacct._refuse_owner_column(p privacct.policy, column_name name) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF p.owner_column = column_name THEN
		RAISE EXCEPTION 'column "%" is the owner column', column_name
			USING ERRCODE = 'PA004', DETAIL = 'Who the owners are is never released.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_owner_column(privacct.policy, name) IS 'owners are neither clamped nor grouped by';

-- A bound as a number: dates in days, timestamps in seconds since 2000-01-01.
CREATE FUNCTION privacct._bound_value(type regtype, value text) RETURNS float8
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	CASE type
		WHEN 'date'::regtype THEN
			IF NOT isfinite(value::date) THEN RETURN 'Infinity'; END IF;
			RETURN value::date - date '2000-01-01';
		WHEN 'timestamp'::regtype THEN
			IF NOT isfinite(value::timestamp) THEN RETURN 'Infinity'; END IF;
			RETURN extract(epoch FROM value::timestamp) - 946684800;
		WHEN 'timestamptz'::regtype THEN
			IF NOT isfinite(value::timestamptz) THEN RETURN 'Infinity'; END IF;
			RETURN extract(epoch FROM value::timestamptz) - 946684800;
		ELSE
			RETURN value::float8;
	END CASE;
EXCEPTION WHEN data_exception THEN
	RAISE EXCEPTION 'a bound is not a valid value for a column of type %', type
		USING ERRCODE = 'PA004', HINT = 'Give numbers for numeric and boolean columns, dates or timestamps for the others.';
END
$$;
COMMENT ON FUNCTION privacct._bound_value(regtype, text) IS 'a clamping bound as a number';

CREATE FUNCTION privacct._drop_bounds(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = _drop_bounds.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_bounds(regrole, regclass, name) IS 'worker of drop_bounds';

CREATE FUNCTION privacct._set_bounds(caller regrole, relation regclass, column_name name, lo text, hi text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	l float8;
	h float8;
BEGIN
	IF lo IS NULL AND hi IS NULL THEN
		PERFORM privacct._drop_bounds(caller, relation, column_name);
		RETURN;
	ELSIF lo IS NULL OR hi IS NULL THEN
		RAISE EXCEPTION 'only one of two bounds is null'
			USING ERRCODE = '22004', HINT = 'Give both bounds, or null for both to remove them.';
	END IF;
	PERFORM privacct._refuse_owner_column(p, column_name);
	IF c.type NOT IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool', 'date', 'timestamp', 'timestamptz') THEN
		RAISE EXCEPTION 'column "%" cannot have bounds', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s.', c.type),
				  HINT = 'Bounds are for numbers, booleans, dates and timestamps.';
	END IF;
	l := privacct._bound_value(c.type, lo);
	h := privacct._bound_value(c.type, hi);
	IF NOT (l BETWEEN -1e100 AND 1e100 AND h BETWEEN -1e100 AND 1e100) THEN
		RAISE EXCEPTION 'bounds are out of range'
			USING ERRCODE = 'PA004', DETAIL = 'Bounds are finite and at most 1e100 in absolute value.';
	ELSIF l >= h THEN
		RAISE EXCEPTION 'the lower bound is not below the upper bound' USING ERRCODE = 'PA004';
	END IF;
	INSERT INTO privacct.bound VALUES (p.policy_id, column_name, l, h, c.type)
	ON CONFLICT ON CONSTRAINT bound_pkey DO UPDATE SET lo = l, hi = h, column_type = c.type;
END
$$;
COMMENT ON FUNCTION privacct._set_bounds(regrole, regclass, name, text, text) IS 'worker of set_bounds';

-- Keys as their type writes them.  A key must come through the column's type
-- modifier unchanged, and no two keys may be equal for the type.  (By its name
-- alone, character would have a length of 1.)
CREATE FUNCTION privacct._normal_keys(keys text[], type regtype, full_type text) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	fits boolean;
	distinct_keys bigint;
	normal text[];
BEGIN
	EXECUTE format('SELECT bool_and(k::%1$s = k::%2$s), count(DISTINCT k::%1$s), array_agg(k::%1$s::text ORDER BY n)'
				   ' FROM unnest($1) WITH ORDINALITY u(k, n)', format_type(type, -1), full_type)
	INTO fits, distinct_keys, normal USING keys;
	IF NOT fits THEN
		RAISE EXCEPTION 'a key does not fit into type %', full_type USING ERRCODE = 'PA004';
	ELSIF distinct_keys <> cardinality(keys) THEN
		RAISE EXCEPTION 'the keys are not distinct'
			USING ERRCODE = 'PA004', DETAIL = format('Two of them are equal as values of type %s.', type);
	END IF;
	RETURN normal;
EXCEPTION WHEN data_exception THEN
	RAISE EXCEPTION 'a key is not a valid value of type %', full_type
		USING ERRCODE = 'PA004', HINT = 'Every key must be a value of the type of the column.';
END
$$;
COMMENT ON FUNCTION privacct._normal_keys(text[], regtype, text) IS 'group keys as their type writes them, or an error';

CREATE FUNCTION privacct._drop_keys(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = _drop_keys.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_keys(regrole, regclass, name) IS 'worker of drop_keys';

CREATE FUNCTION privacct._check_key_list(keys text[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF cardinality(keys) NOT BETWEEN 1 AND 100000 OR array_ndims(keys) <> 1 THEN
		RAISE EXCEPTION 'the keys are not a list of 1 to 100000 values'
			USING ERRCODE = 'PA004', HINT = 'To remove the keys call privacct.drop_keys().';
	ELSIF array_position(keys, NULL) IS NOT NULL THEN
		RAISE EXCEPTION 'a key is null'
			USING ERRCODE = 'PA004', DETAIL = 'Rows whose group column is null are not released with a key list.',
				  HINT = 'Group by coalesce(column, constant) over a column without nulls, or store a value instead of null.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_key_list(text[]) IS 'shape of a list of group keys';

CREATE FUNCTION privacct._set_keys(caller regrole, relation regclass, column_name name, keys text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	normal text[];
BEGIN
	IF keys IS NULL THEN
		PERFORM privacct._drop_keys(caller, relation, column_name);
		RETURN;
	END IF;
	IF p.regime <> 'pufferfish' THEN	-- there owners are no secret
		PERFORM privacct._refuse_owner_column(p, column_name);
	END IF;
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have group keys', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s%s.', c.full_type, CASE WHEN c.deterministic THEN '' ELSE ' with a nondeterministic collation' END),
				  HINT = 'Keys are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	PERFORM privacct._check_key_list(keys);
	normal := privacct._normal_keys(keys, c.type, c.full_type);
	INSERT INTO privacct.group_key VALUES (p.policy_id, column_name, normal, c.type)
	ON CONFLICT ON CONSTRAINT group_key_pkey DO UPDATE SET keys = normal, column_type = c.type;
END
$$;
COMMENT ON FUNCTION privacct._set_keys(regrole, regclass, name, text[]) IS 'worker of set_keys';

CREATE FUNCTION privacct._local_policy_of(relation regclass) RETURNS privacct.policy
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
BEGIN
	IF p.regime <> 'local' THEN
		RAISE EXCEPTION 'the policy of % is not local', relation
			USING ERRCODE = 'PA004', HINT = 'Domains and public columns are for regime => ''local''.';
	END IF;
	RETURN p;
END
$$;
COMMENT ON FUNCTION privacct._local_policy_of(regclass) IS 'the open local policy of a table, or an error';

-- Likelihood tables run over the domain: it must not change under them.
CREATE FUNCTION privacct._check_unasked(p privacct.policy) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._hold_charges();
	-- the lock fails where the snapshot is too old to show every charge
	PERFORM FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF EXISTS (SELECT FROM privacct.question q WHERE q.policy_id = p.policy_id)
	   OR EXISTS (SELECT FROM privacct.ledger l WHERE l.policy_id = p.policy_id AND NOT coalesce(l.detail ? 'carried_from_policy', false)) THEN
		RAISE EXCEPTION 'the domain of % is in use', p.relation
			USING ERRCODE = 'PA004', DETAIL = 'Owners were asked already; their likelihood tables run over the domain.',
				  HINT = 'To change it, unprotect and protect the table and declare it anew; what was lost is carried over.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_unasked(privacct.policy) IS 'nobody was asked anything under the policy yet, or an error';

CREATE FUNCTION privacct._put_domain(p privacct.policy, column_name name, points text[], lo float8, hi float8, type regtype) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
BEGIN
	PERFORM privacct._check_unasked(p);
	PERFORM privacct._refuse_owner_column(p, column_name);
	IF EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = column_name) THEN
		RAISE EXCEPTION 'column "%" is public', column_name
			USING ERRCODE = 'PA004', HINT = 'A column is either public or has a domain.';
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = column_name;
	IF (SELECT count(*) FROM privacct.domain d WHERE d.policy_id = p.policy_id) >= 32 THEN
		RAISE EXCEPTION 'more than 32 columns have domains' USING ERRCODE = 'PA004';
	ELSIF (SELECT sum(ln(cardinality(d.points))) FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.points IS NOT NULL)
		+ ln(cardinality(points)) > ln(65536.5) THEN
		RAISE EXCEPTION 'the listed columns have more than 65536 combinations'
			USING ERRCODE = 'PA004', DETAIL = 'A likelihood table has a number for each.',
				  HINT = 'List fewer values, or declare numbers by intervals.';
	END IF;
	INSERT INTO privacct.domain
	SELECT p.policy_id, min(n), column_name, points, NULL, lo, hi, type
	FROM generate_series(1, 32) n
	WHERE n NOT IN (SELECT d.position FROM privacct.domain d WHERE d.policy_id = p.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._put_domain(privacct.policy, name, text[], float8, float8, regtype) IS 'declares the domain of a column anew';

CREATE FUNCTION privacct._set_domain(caller regrole, relation regclass, column_name name, points text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	normal text[];
BEGIN
	IF c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz')
	   OR NOT c.deterministic THEN
		RAISE EXCEPTION 'column "%" cannot have a list of values', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s.', c.full_type),
				  HINT = 'Lists are for booleans, numbers, character types, uuid, dates and timestamps.';
	ELSIF points IS NULL OR cardinality(points) NOT BETWEEN 2 AND 65536 OR array_ndims(points) <> 1 THEN
		RAISE EXCEPTION 'a domain is a list of 2 to 65536 values' USING ERRCODE = 'PA004';
	ELSIF cardinality(array_positions(points, NULL)) > 1 THEN
		RAISE EXCEPTION 'null is listed more than once' USING ERRCODE = 'PA004';
	END IF;
	normal := privacct._normal_keys(array_remove(points, NULL), c.type, c.full_type);
	IF array_position(points, NULL) IS NOT NULL THEN
		normal := normal[:array_position(points, NULL) - 1] || NULL::text || normal[array_position(points, NULL):];
	END IF;
	PERFORM privacct._put_domain(p, column_name, normal, NULL, NULL, c.type);
END
$$;
COMMENT ON FUNCTION privacct._set_domain(regrole, regclass, name, text[]) IS 'worker of set_domain';

CREATE FUNCTION privacct._set_domain(caller regrole, relation regclass, column_name name, lo text, hi text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	c record := privacct._column_type(relation, column_name);
	l float8;
	h float8;
BEGIN
	IF lo IS NULL OR hi IS NULL THEN
		RAISE EXCEPTION 'the ends of an interval must not be null' USING ERRCODE = '22004';
	ELSIF c.type NOT IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'bool') THEN
		RAISE EXCEPTION 'column "%" cannot have an interval', column_name
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s.', c.type),
				  HINT = 'Intervals are for numbers; of dates and texts declare a list.';
	END IF;
	l := privacct._bound_value(c.type, lo);
	h := privacct._bound_value(c.type, hi);
	IF NOT (l BETWEEN -1e100 AND 1e100 AND h BETWEEN -1e100 AND 1e100) THEN
		RAISE EXCEPTION 'the interval is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'Its ends are finite and at most 1e100 in absolute value.';
	ELSIF l >= h THEN
		RAISE EXCEPTION 'the lower end is not below the upper end' USING ERRCODE = 'PA004';
	END IF;
	PERFORM privacct._put_domain(p, column_name, NULL, l, h, c.type);
END
$$;
COMMENT ON FUNCTION privacct._set_domain(regrole, regclass, name, text, text) IS 'worker of set_domain';

CREATE FUNCTION privacct._drop_domain(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
BEGIN
	PERFORM privacct._check_unasked(p);
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = _drop_domain.column_name;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = _drop_domain.column_name;
END
$$;
COMMENT ON FUNCTION privacct._drop_domain(regrole, regclass, name) IS 'worker of drop_domain';

CREATE FUNCTION privacct._set_prior(caller regrole, relation regclass, column_name name, prior float8[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._local_policy_of(relation);
	known int := (SELECT cardinality(d.points) FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = _set_prior.column_name);
BEGIN
	IF known IS NULL THEN
		RAISE EXCEPTION 'column "%" has no list of values', column_name
			USING ERRCODE = 'PA004', HINT = 'A prior gives a probability to each value of set_domain().';
	ELSIF prior IS NOT NULL AND (cardinality(prior) <> known OR array_ndims(prior) <> 1
		OR NOT (SELECT coalesce(bool_and(m >= 0 AND m <= 1), false) AND abs(sum(m) - 1) <= 1e-9 AND count(m) = known FROM unnest(prior) m)) THEN
		RAISE EXCEPTION 'the prior is not a probability for each value'
			USING ERRCODE = 'PA004', DETAIL = format('It needs %s numbers that are not negative and add up to 1.', known);
	END IF;
	UPDATE privacct.domain d SET prior = _set_prior.prior WHERE d.policy_id = p.policy_id AND d.column_name = _set_prior.column_name;
END
$$;
COMMENT ON FUNCTION privacct._set_prior(regrole, regclass, name, float8[]) IS 'worker of set_prior';

CREATE FUNCTION privacct._set_public(caller regrole, relation regclass, column_name name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	c record := privacct._column_type(relation, column_name);
BEGIN
	IF p.regime <> 'pufferfish' THEN
		p := privacct._local_policy_of(relation);
	END IF;
	PERFORM privacct._refuse_owner_column(p, column_name);
	IF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = _set_public.column_name) THEN
		RAISE EXCEPTION 'column "%" has a domain', column_name
			USING ERRCODE = 'PA004', DETAIL = 'What owners are asked about is no public column.',
				  HINT = CASE p.regime WHEN 'local' THEN 'Call privacct.drop_domain() first.' ELSE 'It is the entry column.' END;
	END IF;
	INSERT INTO privacct.public_column VALUES (p.policy_id, column_name) ON CONFLICT DO NOTHING;
	PERFORM privacct._check_sources(p);
END
$$;
COMMENT ON FUNCTION privacct._set_public(regrole, regclass, name) IS 'worker of set_public';

--
-- Pufferfish regime: rows of an owner that tell of each other
--

CREATE FUNCTION privacct.influence_curve(priors jsonb, secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL, max_b int DEFAULT 300)
	RETURNS TABLE (b int, a float8, "left" int, "right" int)
	AS 'MODULE_PATHNAME', 'pa_influence_curve' LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 300;
COMMENT ON FUNCTION privacct.influence_curve(jsonb, text[], text[], int)
	IS 'what the other rows of an owner tell about a secret (a, in nats) once b rows around it are set aside: the worst secret and prior, rounded up; left and right: how many of these rows lie before and after it';

CREATE FUNCTION privacct._pufferfish_limit(b int[], a float8[], longest bigint, epsilon numeric,
	OUT sum numeric, OUT at_b bigint, OUT at_a float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_limit_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_limit(int[], float8[], bigint, numeric) IS 'the largest sum of epsilons per row that a Pufferfish epsilon allows, rounded down, and the point of the curve that says so';

CREATE FUNCTION privacct._pufferfish_spent(b int[], a float8[], longest bigint, sum numeric,
	OUT spent float8, OUT at_b bigint, OUT at_a float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_spent_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_spent(int[], float8[], bigint, numeric) IS 'the Pufferfish epsilon of a sum of epsilons per row, rounded up, and the point of the curve that says so';

CREATE FUNCTION privacct._pufferfish_needed(b int[], a float8[], longest bigint, sum numeric, more float8) RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_pufferfish_needed_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_needed(int[], float8[], bigint, numeric, float8) IS 'the epsilon per row that raises what is spent by so much';

CREATE FUNCTION privacct._pufferfish_sums(b int[], a float8[], longest bigint, epsilons float8[], OUT naive float8, OUT paper float8)
	AS 'MODULE_PATHNAME', 'pa_pufferfish_sums_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION privacct._pufferfish_sums(int[], float8[], bigint, float8[]) IS 'what releases of these epsilons per row would be booked at one by one, and by the composition theorem of the paper';

CREATE FUNCTION privacct._checked_prior(prior jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM FROM privacct.influence_curve(prior, NULL, NULL, 1);
	RETURN prior;
END
$$;
COMMENT ON FUNCTION privacct._checked_prior(jsonb) IS 'the prior, or an error that says what is wrong with it';

-- States are written in a form that every session reads alike.
CREATE FUNCTION privacct.chain_prior(states anyarray, transition float8[], start float8[] DEFAULT NULL, length int DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_strip_nulls(jsonb_build_object('kind', 'chain', 'source', 'explicit', 'states', to_jsonb(states::text[]),
		'transition', transition, 'start', start, 'length', length)))
$$;
COMMENT ON FUNCTION privacct.chain_prior(anyarray, float8[], float8[], int)
	IS 'prior: the entries of an owner form a Markov chain; transition[i][j] is the probability that state j follows state i; start: law of the first entry, with the length (null: stationary, any length)';

CREATE FUNCTION privacct.binary_chain_prior(states anyarray, p_low float8, p_high float8, q_low float8, q_high float8) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'binary', 'source', 'explicit', 'states', to_jsonb(states::text[]),
		'p', ARRAY[p_low, p_high], 'q', ARRAY[q_low, q_high]))
$$;
COMMENT ON FUNCTION privacct.binary_chain_prior(anyarray, float8, float8, float8, float8)
	IS 'priors: all stationary chains of two states that stay in the first with a probability from p_low to p_high and in the second from q_low to q_high';

CREATE FUNCTION privacct.gaussian_prior(covariance float8[], bound float8, width float8, centre float8 DEFAULT 0) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'gaussian', 'source', 'explicit', 'covariance', covariance,
		'bound', bound, 'width', width, 'centre', centre))
$$;
COMMENT ON FUNCTION privacct.gaussian_prior(float8[], float8, float8, float8)
	IS 'prior, approximate: the entries of an owner are jointly Gaussian about centre and within bound of it; a secret is that an entry lies in an interval of that width';

CREATE FUNCTION privacct.table_prior(states anyarray, shape int[], probability float8[]) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_build_object('kind', 'table', 'source', 'explicit', 'states', to_jsonb(states::text[]),
		'shape', shape, 'probability', probability))
$$;
COMMENT ON FUNCTION privacct.table_prior(anyarray, int[], float8[])
	IS 'prior: the joint law of the entries of an owner as a table; shape: how many of the states each entry can have; probabilities with the last entry running fastest';

CREATE FUNCTION privacct.interval_prior(states anyarray, shape int[], low float8[], high float8[], mode text DEFAULT 'conditional',
	constraints float8[] DEFAULT NULL, upper float8[] DEFAULT NULL) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = iso AS $$
	SELECT privacct._checked_prior(jsonb_strip_nulls(jsonb_build_object('kind', 'intervals', 'source', 'explicit', 'states', to_jsonb(states::text[]),
		'shape', shape, 'low', low, 'high', high, 'mode', mode, 'constraints', constraints, 'right', upper)))
$$;
COMMENT ON FUNCTION privacct.interval_prior(anyarray, int[], float8[], float8[], text, float8[], float8[])
	IS 'priors: all joint laws of the entries of an owner whose probabilities lie in intervals; mode: they are given the secret (conditional) or not (joint, joint_bound); linear constraints: each row times the probabilities is at most upper';

CREATE FUNCTION privacct._smooth_chain(counts float8[], smoothing float8) RETURNS float8[]
	AS 'MODULE_PATHNAME', 'pa_smooth_chain' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._smooth_chain(float8[], float8) IS 'a transition matrix from counts of transitions';

CREATE FUNCTION privacct._is_protected(relation regclass) RETURNS boolean
	AS 'MODULE_PATHNAME', 'pa_is_protected_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._is_protected(regclass) IS 'whether a table, or one that it is a part of, is protected';

-- Whatever is made from protected rows tells about them, and the promise would be
-- about a prior that those very rows chose.
CREATE FUNCTION privacct._refuse_fit(source regclass, relation regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF EXISTS (
		WITH RECURSIVE read(member) AS (
			SELECT source::oid
			UNION
			SELECT n.member FROM read r CROSS JOIN LATERAL (
				SELECT d.refobjid FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
				WHERE w.ev_class = r.member AND d.refclassid = 'pg_class'::regclass
				UNION ALL SELECT privacct._tree(r.member::regclass)
				UNION ALL SELECT privacct._ancestors(r.member::regclass)) n(member))
		SELECT FROM read r WHERE r.member = relation OR privacct._is_protected(r.member::regclass)) THEN
		RAISE EXCEPTION 'a prior cannot be fitted from protected rows'
			USING ERRCODE = 'PA004',
				  DETAIL = 'The prior is published, and what is promised holds under it: it must not depend on the rows that it protects.',
				  HINT = 'Fit it from another table''s history, give the matrix, or fit it from noised counts that were paid for.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._refuse_fit(regclass, regclass) IS 'an error if the source is, or reads, a protected table or this one';

CREATE FUNCTION privacct.fit_chain_prior(source regclass, owner name, order_by name[], entry name, states anyarray, smoothing float8 DEFAULT 1e-5) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET datestyle = iso AS $$
#variable_conflict use_variable
DECLARE
	names text[] := states::text[];
	m int := cardinality(states);
	entry_type text := (SELECT format_type(a.atttypid, -1) FROM pg_attribute a
		WHERE a.attrelid = source AND a.attname = entry AND a.attnum > 0 AND NOT a.attisdropped);
	counts float8[];
BEGIN
	IF source IS NULL OR owner IS NULL OR entry IS NULL OR m IS NULL OR cardinality(order_by) IS NOT DISTINCT FROM 0 OR order_by IS NULL THEN
		RAISE EXCEPTION 'source, owner, order_by, entry and states must not be null' USING ERRCODE = '22004';
	END IF;
	PERFORM privacct._refuse_fit(source, 0::regclass);
	IF entry_type IS NULL THEN
		RAISE EXCEPTION 'column "%" of relation % does not exist', entry, source USING ERRCODE = '42703';
	END IF;
	EXECUTE format(
		'WITH s AS MATERIALIZED (SELECT array_agg(x::%5$s ORDER BY n) AS states FROM unnest($1) WITH ORDINALITY u(x, n))'
		' SELECT array_agg(coalesce(c.n, 0)::float8 ORDER BY i, j) FROM generate_series(1, $2) i CROSS JOIN generate_series(1, $2) j'
		' LEFT JOIN (SELECT t.a, t.b, count(*) AS n FROM ('
		'SELECT array_position(s.states, (lag(e.%2$I) OVER w)::%5$s) AS a, array_position(s.states, e.%2$I::%5$s) AS b FROM %1$s e CROSS JOIN s WINDOW w AS (PARTITION BY e.%3$I ORDER BY %4$s)) t'
		' WHERE t.a IS NOT NULL AND t.b IS NOT NULL GROUP BY 1, 2) c ON c.a = i AND c.b = j',
		source, entry, owner, (SELECT string_agg(format('e.%I', o), ', ' ORDER BY n) FROM unnest(order_by) WITH ORDINALITY u(o, n)),
		entry_type)
	INTO counts USING names, m;
	RETURN privacct._checked_prior(jsonb_build_object('kind', 'chain', 'states', to_jsonb(names),
		'source', format('fitted from %s', source), 'transition',
		(SELECT jsonb_agg(r.row ORDER BY i) FROM (SELECT (n - 1) / m AS i, jsonb_agg(p ORDER BY n) AS row
			FROM unnest(privacct._smooth_chain(counts, smoothing)) WITH ORDINALITY u(p, n) GROUP BY 1) r)));
END
$$;
COMMENT ON FUNCTION privacct.fit_chain_prior(regclass, name, name[], name, anyarray, float8)
	IS 'prior: a stationary chain with the transitions counted in another table, which the caller may read; transitions never seen get this probability';

-- Columns that say which row it is must say so of one row only.
CREATE FUNCTION privacct._check_order(relation regclass, owner name, order_by name[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c name;
BEGIN
	IF cardinality(order_by) NOT BETWEEN 1 AND 16 OR owner = ANY (order_by) THEN
		RAISE EXCEPTION 'the entries have no order'
			USING ERRCODE = 'PA004', DETAIL = 'order_by has 1 to 16 columns, none of them the owner.';
	END IF;
	FOREACH c IN ARRAY order_by LOOP
		PERFORM privacct._column_type(relation, c);
	END LOOP;
	IF EXISTS (SELECT FROM privacct._tree(relation) m(member) JOIN pg_attribute t ON t.attrelid = m.member
			   WHERE t.attname = ANY (order_by) AND NOT t.attnotnull) THEN
		RAISE EXCEPTION 'a column that orders the entries may be null'
			USING ERRCODE = 'PA004', HINT = 'ALTER TABLE ... ALTER COLUMN ... SET NOT NULL.';
	ELSIF NOT EXISTS (
		SELECT FROM pg_index i JOIN pg_class k ON k.oid = i.indrelid
		WHERE i.indrelid = relation AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
		AND (SELECT array_agg(a.attname ORDER BY a.attname) FROM unnest(i.indkey[0:i.indnkeyatts - 1]) u(n) JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = u.n)
			= (SELECT array_agg(o ORDER BY o) FROM unnest(order_by || owner) o)
		AND (k.relkind = 'p' OR NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = relation))) THEN
		RAISE EXCEPTION 'an owner may have several entries at one place'
			USING ERRCODE = 'PA004', DETAIL = 'An entry is one row: a change of it must not be a change of two.',
				  HINT = format('Add a primary key or a unique constraint on exactly: %s.', (SELECT string_agg(quote_ident(o), ', ' ORDER BY n) FROM unnest(owner || order_by) WITH ORDINALITY u(o, n)));
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_order(regclass, name, name[]) IS 'owner and order say which row it is';

CREATE FUNCTION privacct._check_policy_order(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._check_order(p.relation, p.owner_column,
		ARRAY(SELECT c.column_name FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.order_position IS NOT NULL ORDER BY c.order_position));
END
$$;
COMMENT ON FUNCTION privacct._check_policy_order(privacct.policy) IS '_check_order of a policy as it was declared';

-- Rows are counted with the rights of the table's owner: planning such a query may
-- call functions that this role put into an index.
CREATE FUNCTION privacct._longest_owner(relation regclass, owner name) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_longest_owner_sql' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._longest_owner(regclass, name) IS 'the most rows that an owner has; for the owner of the table';
CREATE FUNCTION privacct._count_as_owner(relation regclass, query text, "values" text[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_count_as_owner' LANGUAGE C STABLE;
COMMENT ON FUNCTION privacct._count_as_owner(regclass, text, text[]) IS 'the number that a query gives to the owner of a table';

-- A release that is (E, D)-DP for the change of one row is, at each point (b, a),
-- (a + b E, D (1 + e^E + ... + e^((b-1) E)))-Pufferfish.  e^E - 1 is at least E,
-- and as good as that where it would be lost in rounding.
CREATE FUNCTION privacct._group_delta(b float8, epsilon float8) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN b * epsilon > 600 THEN 'Infinity'
		WHEN b * epsilon < 1e-6 THEN b * 1.00001
		ELSE (exp(b * epsilon) - 1) / CASE WHEN epsilon < 1e-6 THEN epsilon ELSE exp(epsilon) - 1 END * 1.00001 END
$$;
COMMENT ON FUNCTION privacct._group_delta(float8, float8) IS 'how much of a delta per row comes out for b rows, rounded up';

CREATE FUNCTION privacct._usable_points(INOUT b int[], INOUT a float8[], epsilon numeric, delta numeric, delta_pufferfish numeric)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(array_agg(u.b ORDER BY u.b), '{}'), coalesce(array_agg(u.a ORDER BY u.b), '{}')
	FROM unnest(b, a) u(b, a)
	WHERE u.a < 'Infinity' AND (delta = 0 OR privacct._group_delta(u.b, epsilon::float8) * delta::float8 <= delta_pufferfish::float8)
$$;
COMMENT ON FUNCTION privacct._usable_points(int[], float8[], numeric, numeric, numeric) IS 'the points of a curve at which what was spent keeps to the promised delta';

-- Everything about a version that follows from the priors alone.
CREATE FUNCTION privacct._make_version(relation regclass, priors jsonb, epsilon numeric, delta numeric,
	secrets text[], pairs text[], max_entries bigint, max_b int, caller regrole) RETURNS privacct.prior
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	v privacct.prior;
	cap record;
	one jsonb;
	source regclass;
	whole int;
BEGIN
	PERFORM privacct._check_amounts('basic', epsilon, delta);
	IF priors IS NULL THEN
		RAISE EXCEPTION 'priors must not be null' USING ERRCODE = '22004';
	ELSIF max_entries NOT BETWEEN 1 AND 1000000000 THEN
		RAISE EXCEPTION 'max_entries is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It is from 1 to 1e9, or null for no limit.';
	END IF;
	SELECT array_agg(c.b ORDER BY c.b), array_agg(c.a ORDER BY c.b), array_agg(coalesce(c.left, -1) ORDER BY c.b), array_agg(coalesce(c.right, -1) ORDER BY c.b)
	INTO v.curve_b, v.curve_a, v.curve_left, v.curve_right
	FROM privacct.influence_curve(priors, secrets, pairs, max_b) c;
	-- from here on the priors are well-formed; beyond its length one tells nothing, so that of the shortest decides
	whole := (SELECT min(CASE WHEN p->>'kind' IN ('table', 'intervals') THEN jsonb_array_length(p->'shape')
		WHEN p->>'kind' = 'gaussian' THEN jsonb_array_length(p->'covariance') ELSE (p->>'length')::numeric::int END)
		FROM jsonb_array_elements(CASE jsonb_typeof(priors) WHEN 'array' THEN priors ELSE jsonb_build_array(priors) END) p);
	IF max_entries > whole THEN
		RAISE EXCEPTION 'an owner may have more rows than a prior tells about'
			USING ERRCODE = 'PA004', HINT = format('Set max_entries to at most %s, or leave it out.', whole);
	END IF;
	max_entries := coalesce(max_entries, whole);
	FOR one IN SELECT jsonb_array_elements(CASE jsonb_typeof(priors) WHEN 'array' THEN priors ELSE jsonb_build_array(priors) END) LOOP
		BEGIN
			source := to_regclass(substring(one->>'source' FROM '^fitted from (.*)$'));
		EXCEPTION WHEN syntax_error_or_access_rule_violation THEN
			source := NULL;			-- not a name
		END;
		IF source IS NOT NULL THEN
			PERFORM privacct._refuse_fit(source, relation);
		END IF;
	END LOOP;
	SELECT * INTO cap FROM privacct._pufferfish_limit(v.curve_b, v.curve_a, max_entries, trunc(epsilon, 30));
	IF cap.sum < 1e-9 THEN
		RAISE EXCEPTION 'this budget allows no release'
			USING ERRCODE = 'PA004',
				  DETAIL = 'At no point of the influence curve do the other rows tell less than epsilon_pufferfish.',
				  HINT = 'Give a larger epsilon_pufferfish or max_b, or max_entries, so that the privacy of whole owners can be fallen back on.';
	END IF;
	v.epsilon := cap.sum;
	v.delta := trim_scale(trunc((delta::float8 / privacct._group_delta(cap.at_b, cap.sum::float8))::numeric, 30));
	IF delta > 0 AND v.delta = 0 THEN
		RAISE NOTICE 'the delta is too small to allow any delta per row';
	END IF;
	v.epsilon_pufferfish := trim_scale(trunc(epsilon, 30));
	v.delta_pufferfish := trim_scale(trunc(delta, 30));
	v.priors := priors;
	v.hash := encode(sha256(convert_to(priors::text, 'UTF8')), 'hex');
	v.secrets := secrets;
	v.pairs := pairs;
	v.max_entries := max_entries;
	v.declared_at := now();
	v.declared_by := caller::text;
	RETURN v;
END
$$;
COMMENT ON FUNCTION privacct._make_version(regclass, jsonb, numeric, numeric, text[], text[], bigint, int, regrole) IS 'a version of the priors of a policy: curve and caps';

CREATE FUNCTION privacct._prior_states(priors jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT array_agg(s ORDER BY n) FROM jsonb_array_elements_text(CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END->'states') WITH ORDINALITY u(s, n)
$$;
COMMENT ON FUNCTION privacct._prior_states(jsonb) IS 'the values of an entry that a prior knows; null: numbers in an interval';

CREATE FUNCTION privacct._prior_values(priors jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT jsonb_build_array(p->'states', CASE WHEN p->>'kind' = 'gaussian' THEN coalesce(p->'centre', to_jsonb(0)) END, p->'bound')
	FROM (SELECT CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END) u(p)
$$;
COMMENT ON FUNCTION privacct._prior_values(jsonb) IS 'which values an entry can have: states, or the middle and half of an interval';

-- The entry column: its values, or the interval that they are clamped to.
CREATE FUNCTION privacct._put_entry(id bigint, relation regclass, entry name, priors jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	c record := privacct._column_type(relation, entry);
	states text[] := privacct._prior_states(priors);
	one jsonb := CASE jsonb_typeof(priors) WHEN 'array' THEN priors->0 ELSE priors END;
	lo float8 := coalesce((one->>'centre')::float8, 0) - (one->>'bound')::float8;
	hi float8 := coalesce((one->>'centre')::float8, 0) + (one->>'bound')::float8;
	numeric_type boolean := c.type IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8');
	outside bigint;
BEGIN
	IF states IS NULL AND NOT numeric_type THEN
		RAISE EXCEPTION 'column "%" cannot hold the entries of a Gaussian prior', entry
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s, which is not a number.', c.full_type);
	ELSIF states IS NOT NULL AND (NOT c.deterministic OR c.type NOT IN ('bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz')) THEN
		RAISE EXCEPTION 'column "%" cannot hold the entries of a prior with states', entry
			USING ERRCODE = 'PA004', DETAIL = format('Its type is %s%s.', c.full_type, CASE WHEN c.deterministic THEN '' ELSE ' with a nondeterministic collation' END),
				  HINT = 'States are for booleans, integers, numeric, character types, uuid, dates and timestamps.';
	END IF;
	IF states IS NOT NULL THEN
		states := privacct._normal_keys(states, c.type, c.full_type);
		IF numeric_type AND NOT EXISTS (SELECT FROM unnest(states) s WHERE s::numeric NOT BETWEEN -1e100 AND 1e100) THEN
			SELECT min(s::float8), max(s::float8) INTO lo, hi FROM unnest(states) s;
		END IF;
	END IF;
	IF numeric_type AND NOT coalesce(lo >= -1e100 AND hi <= 1e100 AND lo < hi, false) THEN
		RAISE EXCEPTION 'the values of an entry are out of range'
			USING ERRCODE = 'PA004', DETAIL = 'Numbers are finite, at most 1e100 in absolute value, and not all the same.';
	END IF;
	IF states IS NOT NULL THEN
		INSERT INTO privacct.domain VALUES (id, 1, entry, states, NULL, NULL, NULL, c.type);
		INSERT INTO privacct.group_key VALUES (id, entry, states, c.type);
	ELSE
		INSERT INTO privacct.domain VALUES (id, 1, entry, NULL, NULL, lo, hi, c.type);
	END IF;
	IF numeric_type THEN
		INSERT INTO privacct.bound VALUES (id, entry, lo, hi, c.type);
	END IF;
	outside := privacct._count_as_owner(relation, format('SELECT count(*) FROM %1$s WHERE %2$I IS NULL OR %2$I <> ALL ($1::%3$s[])',
		relation, entry, format_type(c.type, -1)), states);
	IF outside > 0 THEN
		RAISE NOTICE '% rows have entries that are not among the states', outside
			USING DETAIL = 'The prior says nothing of them: they do not count in any release.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._put_entry(bigint, regclass, name, jsonb) IS 'declares the values of the entry column';

CREATE FUNCTION privacct._check_length(relation regclass, owner name, max_entries bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF privacct._longest_owner(relation, owner) > max_entries THEN
		RAISE EXCEPTION 'an owner has more rows than the policy allows'
			USING ERRCODE = 'PA004', DETAIL = format('The policy is for at most %s.', max_entries),
				  HINT = 'Give a larger max_entries, or a prior that tells about more rows.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_length(regclass, name, bigint) IS 'no owner has more rows than was declared';

CREATE FUNCTION privacct._generated(relation regclass) RETURNS TABLE (column_name name, sources name[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT g.attname, array_agg(f.attname)
	FROM privacct._tree(relation) m(member)
	JOIN pg_attribute g ON g.attrelid = m.member AND g.attgenerated <> '' AND NOT g.attisdropped
	JOIN pg_attrdef e ON e.adrelid = m.member AND e.adnum = g.attnum
	JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = m.member AND d.refobjsubid <> g.attnum
		AND (d.classid, d.objid, d.objsubid) IN (('pg_attrdef'::regclass, e.oid, 0), ('pg_class'::regclass, m.member, g.attnum))
	JOIN pg_attribute f ON f.attrelid = m.member AND f.attnum = d.refobjsubid
	GROUP BY m.member, g.attname
$$;
COMMENT ON FUNCTION privacct._generated(regclass) IS 'the generated columns of a table and of its partitions, and what they are generated from';

-- A change of the entry changes nothing that is public: noise does not cover it.
CREATE FUNCTION privacct._check_sources(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known name[] := p.owner_column || ARRAY(SELECT c.column_name FROM privacct.public_column c WHERE c.policy_id = p.policy_id);
	entry name := (SELECT d.column_name FROM privacct.domain d WHERE d.policy_id = p.policy_id AND p.regime = 'pufferfish');
	g record;
BEGIN
	FOR g IN SELECT * FROM privacct._generated(p.relation) LOOP
		IF g.column_name = ANY (known) AND NOT g.sources <@ known THEN
			RAISE EXCEPTION 'column "%" cannot be public', g.column_name
				USING ERRCODE = 'PA004', DETAIL = format('It is generated from columns that are not: %s.',
					(SELECT string_agg(quote_ident(s), ', ' ORDER BY s) FROM unnest(g.sources) s WHERE s <> ALL (known)));
		ELSIF g.column_name = entry AND g.sources <@ known THEN
			RAISE EXCEPTION 'column "%" is no secret', g.column_name
				USING ERRCODE = 'PA004', DETAIL = format('It is generated from public columns: %s.',
					(SELECT string_agg(quote_ident(s), ', ' ORDER BY s) FROM unnest(g.sources) s));
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_sources(privacct.policy) IS 'public columns are not generated from secret ones, nor the entry from public ones';

-- Rows that were deleted since were in the releases that were paid for: these may have
-- told as much of a secret as the most rows of an owner that were allowed then.
CREATE FUNCTION privacct._check_not_shorter(v privacct.prior) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy := (SELECT q FROM privacct.policy q WHERE q.policy_id = v.policy_id);
	released bigint;
	old record;
BEGIN
	-- the lock fails where the snapshot is too old to show every charge; so it is for the row whatever it shows
	SELECT a.releases INTO STRICT released FROM privacct.account a WHERE a.policy_id = v.policy_id AND a.role = 0::regrole FOR UPDATE;
	IF released = 0 OR v.max_entries IS NULL THEN
		RETURN;
	END IF;
	SELECT CASE WHEN o.owner_column = p.owner_column THEN q.max_entries END AS max_entries INTO old
	FROM privacct.prior q JOIN privacct.policy o USING (policy_id)
	WHERE o.relation = p.relation AND (q.policy_id, q.version) < (v.policy_id, v.version)
	ORDER BY q.policy_id DESC, q.version DESC LIMIT 1;
	IF FOUND AND coalesce(old.max_entries > v.max_entries, true) THEN
		RAISE EXCEPTION 'max_entries cannot become less once something was released'
			USING ERRCODE = 'PA004',
				  DETAIL = CASE WHEN old.max_entries IS NULL THEN 'Earlier releases were of any number of rows of an owner.'
					ELSE format('Earlier releases were of up to %s rows of an owner.', old.max_entries) END,
				  HINT = 'Give priors that tell about as many rows, and no smaller max_entries.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_not_shorter(privacct.prior) IS 'a version allows owners no fewer rows than the one before, under which something was released';

CREATE FUNCTION privacct._protect_entries(caller regrole, relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric, delta_pufferfish numeric, secrets text[], pairs text[], max_entries bigint, max_b int, kernel text, kernels text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	v privacct.prior;
	caps record;
BEGIN
	IF owner IS NULL OR order_by IS NULL OR entry IS NULL THEN
		RAISE EXCEPTION 'owner, order_by and entry must not be null' USING ERRCODE = '22004';
	ELSIF entry = owner OR entry = ANY (order_by) THEN
		RAISE EXCEPTION 'column "%" cannot be the entry column', entry
			USING ERRCODE = 'PA004', DETAIL = 'Owner and order are no secrets; the entry is.';
	END IF;
	v := privacct._make_version(relation, priors, epsilon_pufferfish, delta_pufferfish, secrets, pairs, max_entries, max_b, caller);
	PERFORM privacct._check_noise('basic', kernel, kernels, 1, v.delta);
	PERFORM privacct._lock(relation);
	PERFORM privacct._check_unprotected(relation);
	PERFORM privacct._check_policy(relation, owner);
	PERFORM privacct._check_order(relation, owner, order_by);
	SELECT v.epsilon AS epsilon, v.delta AS delta, NULL::numeric AS cap_rho, v.delta AS cap_delta INTO caps;
	v.policy_id := privacct._open_policy(caller, relation, owner, caps, 2, 1, 'basic', 'table', 'pufferfish', 1, kernel, kernels, 1, NULL, NULL);
	v.version := 1;
	INSERT INTO privacct.prior SELECT v.*;
	PERFORM privacct._check_not_shorter(v);
	PERFORM privacct._check_length(relation, owner, v.max_entries);
	PERFORM privacct._put_entry(v.policy_id, relation, entry, priors);
	INSERT INTO privacct.public_column SELECT v.policy_id, c, n FROM unnest(order_by) WITH ORDINALITY u(c, n);
	PERFORM privacct._check_sources(privacct._policy_of(relation));
	EXECUTE format('GRANT SELECT ON %s TO privacct_reader', relation);
	RETURN v.policy_id;
END
$$;
COMMENT ON FUNCTION privacct._protect_entries(regrole, regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[]) IS 'worker of protect_entries';

-- What was spent per row stays spent; only what it means changes.
CREATE FUNCTION privacct._set_priors(caller regrole, relation regclass, priors jsonb, epsilon_pufferfish numeric, delta_pufferfish numeric,
	secrets text[], pairs text[], max_entries bigint, max_b int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy;
	old privacct.prior;
	v privacct.prior;
BEGIN
	PERFORM privacct._lock(relation);
	PERFORM privacct._hold_charges();
	p := privacct._policy_of(relation);
	SELECT * INTO old FROM privacct.prior q WHERE q.policy_id = p.policy_id ORDER BY q.version DESC LIMIT 1;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the entries of % are not protected', relation
			USING ERRCODE = 'PA004', HINT = 'Priors are for tables protected by privacct.protect_entries().';
	END IF;
	v := privacct._make_version(relation, priors, coalesce(epsilon_pufferfish, old.epsilon_pufferfish), coalesce(delta_pufferfish, old.delta_pufferfish),
		secrets, pairs, max_entries, max_b, caller);
	IF privacct._prior_values(priors) IS DISTINCT FROM privacct._prior_values(old.priors) THEN
		RAISE EXCEPTION 'the prior has other states than the one before'
			USING ERRCODE = 'PA004', HINT = 'Unprotect the table and protect its entries anew in one transaction; what was spent is carried over.';
	END IF;
	PERFORM privacct._check_length(relation, p.owner_column, v.max_entries);
	PERFORM privacct._check_noise('basic', p.kernel, p.kernels, 1, v.delta);
	v.policy_id := p.policy_id;
	v.version := old.version + 1;
	PERFORM privacct._check_not_shorter(v);
	INSERT INTO privacct.prior SELECT v.*;
	UPDATE privacct.policy q SET epsilon = v.epsilon, delta = v.delta, cap_delta = v.delta WHERE q.policy_id = p.policy_id;
	IF v.epsilon > old.epsilon OR v.delta > old.delta THEN
		RAISE NOTICE 'releases may now cost more than the version before promised'
			USING DETAIL = format('Version %s let the change of an entry cost epsilon %s, delta %s; version %s lets it cost epsilon %s, delta %s.',
				old.version, old.epsilon, old.delta, v.version, v.epsilon, v.delta);
	END IF;
	RETURN v.version;
END
$$;
COMMENT ON FUNCTION privacct._set_priors(regrole, regclass, jsonb, numeric, numeric, text[], text[], bigint, int) IS 'worker of set_priors';

CREATE FUNCTION privacct._role(role name) RETURNS regrole
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	found_role regrole := (SELECT r.oid FROM pg_roles r WHERE r.rolname = role);
BEGIN
	IF role IS NULL THEN
		RAISE EXCEPTION 'role must not be null' USING ERRCODE = '22004';
	ELSIF found_role IS NULL THEN
		RAISE EXCEPTION 'role "%" does not exist', role USING ERRCODE = '42704';
	END IF;
	RETURN found_role;
END
$$;
COMMENT ON FUNCTION privacct._role(name) IS 'a role by its name, or an error';

CREATE FUNCTION privacct._grant_budget(caller regrole, relation regclass, role name, epsilon numeric, delta numeric) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	grantee regrole := privacct._role(role);
	caps record;
BEGIN
	IF grantee = 'privacct_reader'::regrole
	   OR pg_has_role(grantee::oid, (SELECT c.relowner FROM pg_class c WHERE c.oid = relation), 'USAGE') THEN
		RAISE EXCEPTION 'role "%" cannot be given a budget', role
			USING ERRCODE = 'PA004',
				  DETAIL = 'It can read the table itself: superuser, owner, member of the owner, or the internal reader.',
				  HINT = 'Give the budget to a role without rights on the table.';
	END IF;
	IF p.accountant = 'plan' THEN
		RAISE NOTICE 'the budget of "%" only lets it use the plan', role
			USING DETAIL = 'Under a plan slots limit what is released; a slot may be for one role alone.';
	END IF;
	delta := coalesce(delta, CASE WHEN p.accountant = 'zcdp' THEN p.delta ELSE 0 END);
	SELECT * INTO caps FROM privacct._caps(p.accountant, epsilon, delta);
	IF caps.epsilon > p.epsilon OR caps.delta > p.delta THEN
		RAISE NOTICE 'the budget of "%" is larger than that of the table', role
			USING DETAIL = 'The table''s own budget is the limit.';
	END IF;
	INSERT INTO privacct.quota VALUES (p.policy_id, grantee, caps.epsilon, caps.delta, caps.cap_rho, caps.cap_delta, now(), caller::text)
	ON CONFLICT ON CONSTRAINT quota_pkey DO UPDATE
	SET epsilon = caps.epsilon, delta = caps.delta, cap_rho = caps.cap_rho, cap_delta = caps.cap_delta,
		granted_at = excluded.granted_at, granted_by = excluded.granted_by;
	-- what the role has spent before, also under a revoked budget, stays
	INSERT INTO privacct.account VALUES (p.policy_id, grantee, 0, 0, 0, 0) ON CONFLICT ON CONSTRAINT account_pkey DO NOTHING;
END
$$;
COMMENT ON FUNCTION privacct._grant_budget(regrole, regclass, name, numeric, numeric) IS 'worker of grant_budget';

CREATE FUNCTION privacct._revoke_budget(caller regrole, relation regclass, role name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
	p privacct.policy := privacct._policy_of(relation);
	grantee regrole := privacct._role(role);
BEGIN
	DELETE FROM privacct.quota q WHERE q.policy_id = p.policy_id AND q.role = grantee;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'role "%" has no budget for %', role, relation USING ERRCODE = 'PA004';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._revoke_budget(regrole, regclass, name) IS 'worker of revoke_budget';

-- The noise is found before charges are held back, for that may take a while.
-- Uses are looked up, and slots are deleted, under that lock: where the snapshot
-- is older than a use, deleting its slot fails.
CREATE FUNCTION privacct._plan_budget(caller regrole, relation regclass, slots jsonb)
	RETURNS TABLE (slot int, role regrole, kernel text, releases bigint, groups int, weight float8, scale float8,
		q float8, within float8, acceptance float8, rho float8, epsilon_alone float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
	p privacct.policy;
	carried privacct.account;
	id bigint := nextval('privacct.plan_id_seq');
	planned privacct.slot[];
BEGIN
	PERFORM privacct._lock(_plan_budget.relation);
	p := privacct._policy_of(_plan_budget.relation);
	IF p.accountant <> 'plan' THEN
		RAISE EXCEPTION 'the budget of % is not kept by a plan', _plan_budget.relation
			USING ERRCODE = 'PA004', DETAIL = format('The accountant of its policy is "%s".', p.accountant),
				  HINT = 'Protect a table with accountant => ''plan''.';
	END IF;
	SELECT a.* INTO carried FROM privacct.account a WHERE a.policy_id = p.policy_id AND a.role = 0::regrole;
	IF p.epsilon - carried.epsilon < 1e-9 OR p.delta < carried.delta THEN
		RAISE EXCEPTION 'nothing is left to plan with'
			USING ERRCODE = 'PA004', DETAIL = format('Earlier policies of the table spent epsilon %s, delta %s.', carried.epsilon, carried.delta),
				  HINT = 'Protect the table with a larger epsilon.';
	END IF;
	planned := ARRAY(
		SELECT ROW(p.policy_id, n.slot, id, CASE WHEN n.role IS NOT NULL THEN privacct._role(n.role::name) END, n.kernel, n.noise, n.groups,
			n.within, n.weight, n.scale, n.q, n.acceptance, n.rho, n.epsilon_alone, n.releases, 0)::privacct.slot
		FROM privacct._planned(_plan_budget.slots, p.epsilon - carried.epsilon, p.delta - carried.delta, p.max_groups_contributed, p.kernels) n);
	PERFORM privacct._hold_charges();
	IF privacct._plan_is_used(p.policy_id) THEN
		RAISE EXCEPTION 'the plan of % is in use', _plan_budget.relation
			USING ERRCODE = 'PA004', DETAIL = 'A plan is fixed before its first release: its noise must not depend on an answer.',
				  HINT = 'To plan anew, unprotect and protect the table with a larger promise; this one counts as spent.';
	END IF;
	DELETE FROM privacct.slot s WHERE s.policy_id = p.policy_id;
	INSERT INTO privacct.slot SELECT * FROM unnest(planned);
	RETURN QUERY SELECT s.slot, s.role, s.kernel, s.releases, s.groups, s.weight, s.scale, s.q, s.within, s.acceptance, s.rho, s.epsilon_alone
	FROM privacct.slot s WHERE s.policy_id = p.policy_id ORDER BY s.slot;
END
$$;
COMMENT ON FUNCTION privacct._plan_budget(regrole, regclass, jsonb) IS 'worker of plan_budget';

--
-- Declarations
--

CREATE FUNCTION privacct.protect(relation regclass, owner name, epsilon numeric DEFAULT 1, delta numeric DEFAULT 1e-6,
	max_groups_contributed int DEFAULT NULL, max_rows_contributed int DEFAULT NULL, accountant text DEFAULT 'basic',
	accounting text DEFAULT 'table', regime text DEFAULT 'central', min_owners int DEFAULT 1, kernel text DEFAULT NULL,
	kernels text[] DEFAULT NULL, sample_rate float8 DEFAULT 1, filter text DEFAULT 'full',
	answer_group int DEFAULT 0)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int)
	IS 'declares a table protected: everything released from it is (epsilon, delta)-differentially private for each owner; regime => ''local'': each owner''s answers together are, as the filter promises';

CREATE FUNCTION privacct.unprotect(relation regclass)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.unprotect(regclass) IS 'ends the protection of a table; its charges stay and are carried over to a later policy';

CREATE FUNCTION privacct.protect_entries(relation regclass, owner name, order_by name[], entry name, priors jsonb,
	epsilon_pufferfish numeric DEFAULT 1, delta_pufferfish numeric DEFAULT 0, secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL,
	max_entries bigint DEFAULT NULL, max_b int DEFAULT 300, kernel text DEFAULT NULL, kernels text[] DEFAULT NULL)
	RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[])
	IS 'declares the entries of a table protected: whoever believes one of the priors can tell two secret values of an entry apart by a factor of e^epsilon_pufferfish at most, whatever is released';

CREATE FUNCTION privacct.set_priors(relation regclass, priors jsonb, epsilon_pufferfish numeric DEFAULT NULL, delta_pufferfish numeric DEFAULT NULL,
	secrets text[] DEFAULT NULL, pairs text[] DEFAULT NULL, max_entries bigint DEFAULT NULL, max_b int DEFAULT 300)
	RETURNS int AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_priors(regclass, jsonb, numeric, numeric, text[], text[], bigint, int)
	IS 'the next version of the priors of a table protected by protect_entries(): what was spent per row stays spent; returns the version';

CREATE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo float8, hi float8)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, float8, float8) IS 'values of a column are clamped to these bounds, row by row';
CREATE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo date, hi date)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, date, date) IS 'values of a column are clamped to these bounds, row by row';
CREATE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo timestamp, hi timestamp)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, timestamp, timestamp) IS 'values of a column are clamped to these bounds, row by row';
CREATE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo timestamptz, hi timestamptz)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, timestamptz, timestamptz) IS 'values of a column are clamped to these bounds, row by row';
CREATE FUNCTION privacct.set_bounds(relation regclass, column_name name, lo text, hi text)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, text, text) IS 'bounds written as text, in the type of the column; null for both removes them';

CREATE FUNCTION privacct.drop_bounds(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_bounds(regclass, name) IS 'removes the bounds of a column';

CREATE FUNCTION privacct.set_keys(relation regclass, column_name name, keys anyarray)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_keys(regclass, name, anyarray) IS 'the public values of a group column: exactly these groups are released, also where they are empty';

CREATE FUNCTION privacct.drop_keys(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_keys(regclass, name) IS 'removes the public keys of a column: groups are then selected privately';

CREATE FUNCTION privacct.set_domain(relation regclass, column_name name, points anyarray)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_domain(regclass, name, anyarray) IS 'local regime: the values that a column can have; others, and null if it is not listed, count as the first of them';
CREATE FUNCTION privacct.set_domain(relation regclass, column_name name, lo float8, hi float8)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_domain(regclass, name, float8, float8) IS 'local regime: the interval in which the values of a column lie; others count as its nearer end, null as the lower one';
CREATE FUNCTION privacct.drop_domain(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.drop_domain(regclass, name) IS 'local regime: a column is no longer asked about, nor public';
CREATE FUNCTION privacct.set_prior(relation regclass, column_name name, prior float8[])
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_prior(regclass, name, float8[]) IS 'local regime: what is believed of a column before any answer, for the Bayesian measures; null: all listed values alike';
CREATE FUNCTION privacct.set_public(relation regclass, column_name name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.set_public(regclass, name) IS 'local and pufferfish regime: a column is no secret; queries may be restricted to and grouped by it';

CREATE FUNCTION privacct.grant_budget(relation regclass, role name, epsilon numeric, delta numeric DEFAULT NULL)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.grant_budget(regclass, name, numeric, numeric) IS 'lets a role ask a protected table, and limits what it may spend in all';

CREATE FUNCTION privacct.revoke_budget(relation regclass, role name)
	RETURNS void AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.revoke_budget(regclass, name) IS 'takes the right to ask away; what the role has spent is remembered';

CREATE FUNCTION privacct.plan_budget(relation regclass, slots jsonb)
	RETURNS TABLE (slot int, role regrole, kernel text, releases bigint, groups int, weight float8, scale float8,
		q float8, within float8, acceptance float8, rho float8, epsilon_alone float8)
	AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.plan_budget(regclass, jsonb)
	IS 'declares what may be released from a table whose accountant is ''plan'', and shows the noise: the least with which all of it keeps the promise';

--
-- Event triggers: what was checked at declaration is kept true afterwards.
--

-- After RENAME COLUMN exactly one declared name is left without a column: it
-- is the one that was renamed, and the command says what it is called now.
CREATE FUNCTION privacct._follow_rename(relation oid, attnum int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	new_name name := (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum = _follow_rename.attnum);
	live name[] := ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum > 0 AND NOT a.attisdropped);
	id bigint := (SELECT p.policy_id FROM privacct.policy p WHERE p.relation = _follow_rename.relation AND p.closed_at IS NULL);
BEGIN
	IF id IS NULL THEN
		RETURN;
	END IF;
	UPDATE privacct.policy p SET owner_column = new_name WHERE p.policy_id = id AND p.owner_column <> ALL (live);
	UPDATE privacct.bound b SET column_name = new_name WHERE b.policy_id = id AND b.column_name <> ALL (live);
	UPDATE privacct.group_key k SET column_name = new_name WHERE k.policy_id = id AND k.column_name <> ALL (live);
	UPDATE privacct.domain d SET column_name = new_name WHERE d.policy_id = id AND d.column_name <> ALL (live);
	UPDATE privacct.public_column c SET column_name = new_name WHERE c.policy_id = id AND c.column_name <> ALL (live);
END
$$;
COMMENT ON FUNCTION privacct._follow_rename(oid, int) IS 'carries a renamed column over into the policy';

CREATE FUNCTION privacct._check_columns(p privacct.policy) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record;
	c record;
BEGIN
	FOR d IN
		SELECT b.column_name, b.column_type, NULL::text[] AS keys, 'bounds' AS what FROM privacct.bound b WHERE b.policy_id = p.policy_id
		UNION ALL
		SELECT k.column_name, k.column_type, k.keys, 'keys' FROM privacct.group_key k WHERE k.policy_id = p.policy_id
		UNION ALL
		SELECT m.column_name, m.column_type, array_remove(m.points, NULL), 'domain' FROM privacct.domain m WHERE m.policy_id = p.policy_id
	LOOP
		c := privacct._column_type(p.relation, d.column_name);
		IF c.type <> d.column_type OR (d.keys IS NOT NULL AND NOT c.deterministic) THEN
			RAISE EXCEPTION 'the % of column "%" were declared for type %', d.what, d.column_name, d.column_type
				USING ERRCODE = 'PA004',
					  HINT = format('Call privacct.drop_%s() first.', d.what);
		ELSIF d.keys IS NOT NULL THEN
			PERFORM privacct._normal_keys(d.keys, c.type, c.full_type);
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._check_columns(privacct.policy) IS 'bounds and keys still fit their columns';

-- Tags that name the tables they change are checked against those tables only,
-- so that a policy in disorder does not stop work elsewhere; the others may
-- have changed anything.
CREATE FUNCTION privacct._on_ddl_end() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
	tables oid[];
	narrow boolean := tg_tag IN ('ALTER TABLE', 'ALTER FOREIGN TABLE', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE FOREIGN TABLE');
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.policy WHERE closed_at IS NULL) THEN
		RETURN;
	END IF;
	IF tg_tag = 'ALTER TABLE' THEN
		PERFORM privacct._follow_rename(c.objid, c.objsubid)
		FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass AND c.objsubid > 0;
	END IF;
	tables := ARRAY(SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_class'::regclass);
	FOR p IN SELECT * FROM privacct.policy WHERE closed_at IS NULL LOOP
		IF NOT narrow OR EXISTS (
			SELECT privacct._tree(p.relation) INTERSECT SELECT unnest(tables)
			UNION ALL SELECT privacct._ancestors(p.relation) INTERSECT SELECT unnest(tables)
			UNION ALL SELECT privacct._linked(p.relation) INTERSECT SELECT unnest(tables))
		THEN
			PERFORM privacct._check_policy(p.relation, p.owner_column);
			PERFORM privacct._check_columns(p);
			IF p.regime = 'local' THEN
				PERFORM privacct._check_single(p.relation, p.owner_column);
			ELSIF p.regime = 'pufferfish' THEN
				PERFORM privacct._check_policy_order(p);
			END IF;
			IF p.regime <> 'central' THEN
				PERFORM privacct._check_sources(p);
			END IF;
		END IF;
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._on_ddl_end() IS 'refuses changes that would undermine a policy';

CREATE FUNCTION privacct._column_dropped(relation oid, dropped name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	SELECT q.* INTO p FROM privacct.policy q WHERE q.relation = _column_dropped.relation AND q.closed_at IS NULL;
	IF NOT FOUND THEN
		RETURN;
	ELSIF p.owner_column = dropped THEN
		RAISE EXCEPTION 'column "%" is the owner column of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	END IF;
	IF p.regime = 'pufferfish' AND (EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped)
		OR EXISTS (SELECT FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped AND c.order_position IS NOT NULL)) THEN
		RAISE EXCEPTION 'column "%" is the entry column, or orders the entries, of the protected table %', dropped, p.relation
			USING ERRCODE = 'PA004', HINT = 'Call privacct.unprotect() first.';
	ELSIF EXISTS (SELECT FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped) THEN
		PERFORM privacct._check_unasked(p);
	END IF;
	DELETE FROM privacct.domain d WHERE d.policy_id = p.policy_id AND d.column_name = dropped;
	DELETE FROM privacct.public_column c WHERE c.policy_id = p.policy_id AND c.column_name = dropped;
	DELETE FROM privacct.bound b WHERE b.policy_id = p.policy_id AND b.column_name = dropped;
	DELETE FROM privacct.group_key k WHERE k.policy_id = p.policy_id AND k.column_name = dropped;
END
$$;
COMMENT ON FUNCTION privacct._column_dropped(oid, name) IS 'forgets what was declared for a column';

CREATE FUNCTION privacct._on_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	d record;
BEGIN
	IF NOT EXISTS (SELECT FROM privacct.policy WHERE relation <> 0::regclass) THEN
		RETURN;
	END IF;
	FOR d IN SELECT o.objid, o.objsubid, o.address_names FROM pg_event_trigger_dropped_objects() o WHERE o.classid = 'pg_class'::regclass LOOP
		-- an update of no rows would make every session plan anew
		IF NOT EXISTS (SELECT FROM privacct.policy WHERE relation = d.objid) THEN
			CONTINUE;
		ELSIF d.objsubid = 0 THEN
			-- the number may be given to another table one day
			UPDATE privacct.policy SET relation = 0::regclass, closed_at = coalesce(closed_at, now()) WHERE relation = d.objid;
		ELSE
			PERFORM privacct._column_dropped(d.objid, d.address_names[3]);
		END IF;
	END LOOP;
	-- which table an index belonged to is not told any more; ALTER TABLE is looked at when it ends
	IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() o WHERE o.object_type = 'index') AND tg_tag <> 'ALTER TABLE' THEN
		PERFORM privacct._check_policy_order(p) FROM privacct.policy p WHERE p.closed_at IS NULL AND p.regime = 'pufferfish';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._on_drop() IS 'closes the policies of dropped tables, forgets dropped columns, keeps owner columns and what makes entries single';

CREATE EVENT TRIGGER privacct_ddl_end ON ddl_command_end
	WHEN TAG IN ('GRANT', 'ALTER TABLE', 'ALTER FOREIGN TABLE', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO',
		'CREATE FOREIGN TABLE', 'IMPORT FOREIGN SCHEMA', 'CREATE RULE', 'CREATE POLICY', 'CREATE SCHEMA',
		'CREATE EXTENSION', 'ALTER EXTENSION')
	EXECUTE FUNCTION privacct._on_ddl_end();
CREATE EVENT TRIGGER privacct_drop ON sql_drop EXECUTE FUNCTION privacct._on_drop();
ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS;
ALTER EVENT TRIGGER privacct_drop ENABLE ALWAYS;
COMMENT ON EVENT TRIGGER privacct_ddl_end IS 'refuses changes that would undermine a policy';
COMMENT ON EVENT TRIGGER privacct_drop IS 'keeps policies in step with dropped tables and columns';

--
-- Views.  They are read by everybody and show each role only what is its own.
--

CREATE FUNCTION privacct._administers(relation regclass) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce((SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = relation),
					(SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user))
$$;
COMMENT ON FUNCTION privacct._administers(regclass) IS 'true if the current user owns the table; of a dropped table, if superuser';

CREATE FUNCTION privacct.compose(mechanisms jsonb, delta float8) RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_compose' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct.compose(jsonb, float8)
	IS 'epsilon that mechanisms with parameters fixed beforehand lose together at delta, by privacy-loss distributions, rounded up';

CREATE FUNCTION privacct.compose_delta(mechanisms jsonb, epsilon float8) RETURNS float8
	AS 'MODULE_PATHNAME', 'pa_compose_profile' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct.compose_delta(jsonb, float8)
	IS 'delta that mechanisms with parameters fixed beforehand lose together at epsilon, by privacy-loss distributions, rounded up';

-- What each policy has released, its predecessors' releases included, as
-- compose() takes it.  Equal releases are put together: the list is as long as
-- there are different ones.  Not for PUBLIC.
CREATE VIEW privacct._mechanism AS
WITH RECURSIVE chain(policy_id, source) AS (
	SELECT p.policy_id, p.policy_id FROM privacct.policy p
	UNION
	SELECT c.policy_id, (l.detail->>'carried_from_policy')::bigint FROM chain c JOIN privacct.ledger l ON l.policy_id = c.source
	WHERE l.detail ? 'carried_from_policy'),
release AS (
	SELECT c.policy_id,
		(SELECT pg_catalog.jsonb_agg(
			CASE WHEN s ? 'noise'
			THEN pg_catalog.jsonb_build_object('noise', s->'noise', 'steps', s->'steps', 'groups', l.detail->'groups_per_owner')
			ELSE pg_catalog.jsonb_build_object('epsilon', s->'epsilon', 'delta', s->'delta') END)
		 FROM pg_catalog.jsonb_array_elements(l.detail->'statistics') s) AS statistics,
		l.detail->'rest' AS rest, l.detail->'selection_delta' AS delta, l.detail->'sample_rate' AS rate, c.source = c.policy_id AS own, pg_catalog.count(*) AS count
	FROM chain c JOIN privacct.ledger l ON l.policy_id = c.source
	WHERE NOT l.detail ?| '{carried_from_policy,regime}'
	GROUP BY 1, 2, 3, 4, 5, 6)
SELECT r.policy_id, pg_catalog.jsonb_agg(m) AS mechanisms, pg_catalog.jsonb_agg(m) FILTER (WHERE r.own) AS own
FROM release r CROSS JOIN LATERAL pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
		'statistics', coalesce(r.statistics, '[]') || CASE WHEN r.rest IS NULL THEN '[]' ELSE pg_catalog.jsonb_build_array(r.rest) END,
		'delta', r.delta, 'sample_rate', r.rate, 'count', r.count)) m
GROUP BY r.policy_id;
COMMENT ON VIEW privacct._mechanism IS 'what each policy has released so far, as compose() takes it; own: without its predecessors'' releases';

CREATE FUNCTION privacct._local_states(relation regclass)
	RETURNS TABLE (state int, owners bigint, realised float8, central float8, worst_case float8, rho float8, can_bear float8, mbp float8, abp float8)
	AS 'MODULE_PATHNAME', 'pa_local_states' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._local_states(regclass) IS 'the states that owners of a local policy are in; for whoever may ask the table, and its owner';
CREATE FUNCTION privacct._owner_states(relation regclass) RETURNS TABLE (owner text, state int)
	AS 'MODULE_PATHNAME', 'pa_owner_states' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._owner_states(regclass) IS 'the state of each owner in the table; for the table''s owner';

CREATE FUNCTION privacct._most_lost(p privacct.policy) RETURNS numeric
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(CASE WHEN p.closed_at IS NULL THEN (SELECT max(s.realised) FROM privacct._local_states(p.relation) s) ELSE p.lost[1] END, 0)::numeric
$$;
COMMENT ON FUNCTION privacct._most_lost(privacct.policy) IS 'local regime: the most that an owner has lost';

CREATE VIEW privacct.odometer WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, p.closed_at IS NULL AS open, p.accountant,
	   p.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent, pg_catalog.trim_scale(greatest(p.epsilon - e.spent, 0)) AS epsilon_left,
	   p.delta, p.cap_delta, pg_catalog.trim_scale(a.delta - a.spared_delta) AS delta_spent, pg_catalog.trim_scale(greatest(p.cap_delta - a.delta + a.spared_delta, 0)) AS delta_left,
	   p.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(p.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases,
	   CASE WHEN p.regime = 'central' AND pg_catalog.jsonb_array_length(r.mechanisms) <= 100000 THEN privacct.compose(r.mechanisms, p.delta::float8) END AS epsilon_tight
FROM privacct.policy p
JOIN privacct.account a ON a.policy_id = p.policy_id AND a.role = 0::regrole
LEFT JOIN LATERAL (SELECT m.* FROM privacct._mechanism m WHERE m.policy_id = p.policy_id OFFSET 0) m ON true
CROSS JOIN LATERAL (SELECT coalesce(m.mechanisms, '[]'), coalesce(m.own, '[]')) r(mechanisms, own)
CROSS JOIN LATERAL (SELECT CASE
	WHEN p.regime = 'local' THEN privacct._most_lost(p)
	WHEN p.accountant = 'zcdp' THEN privacct._zcdp_epsilon(a.rho, p.cap_delta)
	WHEN p.accountant = 'plan' THEN CASE WHEN pg_catalog.jsonb_array_length(r.own) <= 100000
		THEN a.epsilon + privacct.compose(r.own, greatest(p.delta - a.delta, 0)::float8)::numeric ELSE p.epsilon END
	ELSE a.epsilon - a.spared_epsilon END) e(spent)
WHERE privacct._administers(p.relation);
COMMENT ON VIEW privacct.odometer IS 'per policy: promise, spent, left; for zcdp epsilon_spent is what rho_spent is worth at cap_delta, for a plan what its releases so far lose, beside what was carried over; epsilon_tight is what the releases so far lose at delta if their parameters were fixed beforehand (null if more than 100,000 of them differ); shown to the owner of the table; for a local policy what the owner who lost most has lost';

CREATE VIEW privacct.budget WITH (security_barrier) AS
SELECT p.policy_id, p.relation, p.relation_name, q.role, p.accountant,
	   q.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent, CASE WHEN p.accountant <> 'plan' THEN pg_catalog.trim_scale(greatest(q.epsilon - e.spent, 0)) END AS epsilon_left,
	   q.delta, q.cap_delta, pg_catalog.trim_scale(a.delta) AS delta_spent, CASE WHEN p.accountant <> 'plan' THEN pg_catalog.trim_scale(greatest(q.cap_delta - a.delta, 0)) END AS delta_left,
	   q.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(q.cap_rho - a.rho, 0)) END AS rho_left,
	   a.releases, q.granted_at, q.granted_by
FROM privacct.quota q
JOIN privacct.policy p ON p.policy_id = q.policy_id AND p.closed_at IS NULL
JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
CROSS JOIN LATERAL (SELECT CASE p.accountant WHEN 'zcdp' THEN privacct._zcdp_epsilon(a.rho, q.cap_delta) WHEN 'plan' THEN NULL ELSE a.epsilon END) e(spent)
WHERE privacct._administers(p.relation);
COMMENT ON VIEW privacct.budget IS 'per policy and role: quota, spent, left (null under a plan: see privacct.plan); shown to the owner of the table';

-- "left" is what the role can still spend: no more than the table has left.
CREATE VIEW privacct.my_budget WITH (security_barrier) AS
SELECT p.relation, q.role, p.accountant,
	   q.epsilon, pg_catalog.trim_scale(e.spent) AS epsilon_spent, CASE WHEN p.accountant <> 'plan' THEN pg_catalog.trim_scale(greatest(least(q.epsilon - e.spent, CASE WHEN p.regime <> 'local' THEN p.epsilon - e.total END), 0)) END AS epsilon_left,
	   q.delta, pg_catalog.trim_scale(a.delta) AS delta_spent, CASE WHEN p.accountant <> 'plan' THEN pg_catalog.trim_scale(greatest(least(q.cap_delta - a.delta, p.cap_delta - t.delta + t.spared_delta), 0)) END AS delta_left,
	   q.cap_rho, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(a.rho) END AS rho_spent, CASE WHEN p.cap_rho IS NOT NULL THEN pg_catalog.trim_scale(greatest(least(q.cap_rho - a.rho, p.cap_rho - t.rho), 0)) END AS rho_left,
	   a.releases
FROM privacct.quota q
JOIN privacct.policy p ON p.policy_id = q.policy_id AND p.closed_at IS NULL
JOIN privacct.account a ON a.policy_id = q.policy_id AND a.role = q.role
JOIN privacct.account t ON t.policy_id = q.policy_id AND t.role = 0::regrole
CROSS JOIN LATERAL (SELECT
	CASE p.accountant WHEN 'zcdp' THEN privacct._zcdp_epsilon(a.rho, q.cap_delta) WHEN 'plan' THEN NULL ELSE a.epsilon END,
	CASE WHEN p.regime = 'local' THEN 0 WHEN p.accountant = 'zcdp' THEN privacct._zcdp_epsilon(t.rho, p.cap_delta) ELSE t.epsilon - t.spared_epsilon END) e(spent, total)
WHERE pg_catalog.pg_has_role(current_user, q.role::oid, 'USAGE');
COMMENT ON VIEW privacct.my_budget IS 'budgets of the current user and of the roles whose privileges the user has; under a plan see privacct.plan';

CREATE VIEW privacct.my_ledger WITH (security_barrier) AS
SELECT l.charge_id, l.charged_at, p.relation_name AS relation, l.role, l.payer, p.accountant, l.epsilon, l.delta, l.rho, l.detail
FROM privacct.ledger l JOIN privacct.policy p USING (policy_id)
WHERE l.role = current_user;
COMMENT ON VIEW privacct.my_ledger IS 'what the current user has been charged for';

CREATE VIEW privacct.plan WITH (security_barrier) AS
SELECT p.relation, s.slot, s.role, s.kernel, s.releases, s.used, s.releases - s.used AS left, s.groups, s.weight, s.scale, s.q,
	   s.within, s.acceptance, s.rho, s.epsilon_alone
FROM privacct.slot s
JOIN privacct.policy p ON p.policy_id = s.policy_id AND p.closed_at IS NULL
WHERE privacct._administers(p.relation)
   OR EXISTS (SELECT FROM privacct.quota q WHERE q.policy_id = s.policy_id AND pg_catalog.pg_has_role(current_user, q.role::oid, 'USAGE')
			  AND (s.role IS NULL OR s.role = q.role));
COMMENT ON VIEW privacct.plan IS 'slots of plans: noise, releases planned, used and left; shown to the owner of the table and to roles that may use a slot';

CREATE VIEW privacct.local_state WITH (security_barrier) AS
SELECT p.relation, s.state, s.owners, s.realised AS realised_epsilon, s.worst_case AS worst_case_epsilon, s.central AS central_epsilon,
	   p.epsilon AS cap, s.can_bear, s.mbp, s.abp
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	  AND (privacct._administers(q.relation) OR EXISTS (SELECT FROM privacct.quota u WHERE u.policy_id = q.policy_id AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
	  OFFSET 0) p
CROSS JOIN LATERAL privacct._local_states(p.relation) s;
COMMENT ON VIEW privacct.local_state IS 'local regime: the states that owners are in; state 0: never asked, owners unknown.  They follow from published answers: shown to whoever may ask the table';

CREATE FUNCTION privacct.owners_left(relation regclass, epsilon float8) RETURNS bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
	SELECT coalesce(sum(s.owners), 0)::bigint FROM privacct._local_states(relation) s WHERE s.state > 0 AND s.can_bear >= epsilon * (1 - 1e-9)
$$;
COMMENT ON FUNCTION privacct.owners_left(regclass, float8) IS 'local regime: how many of the owners who were asked before are certain to bear a question of so much epsilon';

-- Quantiles are over owners: the least loss that so many of them do not pass.
CREATE VIEW privacct.local_odometer WITH (security_barrier) AS
SELECT p.relation, p.filter, p.epsilon AS cap, p.delta, a.questions, s.owners, s.states,
	   s.realised_least, s.realised_median, s.realised_p90, s.realised_most, s.worst_case_most, s.central_most, s.exhausted
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local'
	  AND (privacct._administers(q.relation) OR EXISTS (SELECT FROM privacct.quota u WHERE u.policy_id = q.policy_id AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
	  OFFSET 0) p
CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS questions FROM privacct.question u WHERE u.policy_id = p.policy_id) a
CROSS JOIN LATERAL (
	SELECT coalesce(pg_catalog.sum(r.owners), 0)::bigint AS owners, pg_catalog.count(*) FILTER (WHERE r.owners > 0) AS states,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0) AS realised_least,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0 AND r.below >= 0.5 * r.total) AS realised_median,
		   pg_catalog.min(r.realised) FILTER (WHERE r.owners > 0 AND r.below >= 0.9 * r.total) AS realised_p90,
		   pg_catalog.max(r.realised) FILTER (WHERE r.owners > 0) AS realised_most,
		   pg_catalog.max(r.worst_case) FILTER (WHERE r.owners > 0) AS worst_case_most,
		   pg_catalog.max(r.central) AS central_most,
		   coalesce(pg_catalog.sum(r.owners) FILTER (WHERE r.can_bear <= 0), 0)::bigint AS exhausted
	FROM (SELECT t.*, pg_catalog.sum(t.owners) OVER (ORDER BY t.realised) AS below, pg_catalog.sum(t.owners) OVER () AS total
		  FROM privacct._local_states(p.relation) t) r) s;
COMMENT ON VIEW privacct.local_odometer IS 'local regime: how the loss of the owners who were asked is distributed; shown to whoever may ask the table';

CREATE VIEW privacct.owner_odometer WITH (security_barrier) AS
SELECT p.relation, o.owner, s.state, s.realised AS realised_epsilon, s.worst_case AS worst_case_epsilon, s.central AS central_epsilon,
	   p.epsilon AS cap, greatest(p.epsilon::float8 - s.realised, 0) AS left, s.mbp, s.abp
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'local' AND privacct._administers(q.relation) OFFSET 0) p
CROSS JOIN LATERAL privacct._owner_states(p.relation) o
JOIN LATERAL privacct._local_states(p.relation) s ON s.state = o.state;
COMMENT ON VIEW privacct.owner_odometer IS 'local regime, per owner in the table: realised and worst-case epsilon, the central part, cap, what is left, Bayesian measures of the answers; for the owner of the table';

-- Pufferfish regime.  What the table was charged under earlier policies is one line.
CREATE VIEW privacct.pufferfish_budget WITH (security_barrier) AS
SELECT p.relation, v.version, v.epsilon_pufferfish AS epsilon, s.spent AS epsilon_spent, greatest(v.epsilon_pufferfish::float8 - s.spent, 0) AS epsilon_left,
	   v.delta_pufferfish AS delta, s.at_b AS active_b, s.at_a AS active_a,
	   v.curve_left[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_left, v.curve_right[pg_catalog.array_position(v.curve_b, s.at_b::int)] AS active_right,
	   pg_catalog.trim_scale(a.epsilon) AS entry_epsilon_spent, v.epsilon AS entry_epsilon_cap, pg_catalog.trim_scale(greatest(v.epsilon - a.epsilon, 0)) AS entry_epsilon_left,
	   pg_catalog.trim_scale(a.everybodys) AS entry_epsilon_everybodys, a.owners AS owners_named,
	   pg_catalog.trim_scale(a.delta) AS entry_delta_spent, v.delta AS entry_delta_cap,
	   m.paper AS paper_sum, m.naive AS naive_sum, a.releases, n.longest AS longest_owner, v.max_entries,
	   coalesce(s.at_a = 0 AND s.at_b = v.max_entries, false) AS group_privacy,
	   k.kinds AS prior, k.sources AS source, v.hash, v.declared_at, v.declared_by,
	   pg_catalog.array_remove(ARRAY[
		'row existence, owners and the columns that order the entries are not protected',
		CASE WHEN v.secrets IS NOT NULL OR v.pairs IS NOT NULL THEN 'only the listed secrets are protected' END,
		CASE WHEN 'gaussian' = ANY (k.kinds) THEN 'approximate: a Gaussian prior gives no guarantee' END,
		CASE WHEN v.curve_a[1] = 'Infinity' THEN 'infinite: some entries are certain from others nearby' END,
		CASE WHEN v.max_entries IS NULL THEN 'no max_entries: no group privacy to fall back on' END,
		CASE WHEN v.epsilon * v.max_entries <= v.epsilon_pufferfish THEN 'group privacy: the prior does not help' END,
		CASE WHEN n.longest > v.max_entries THEN 'an owner has more rows than max_entries: nothing is released' END], NULL) AS warnings
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'pufferfish' AND privacct._administers(q.relation) OFFSET 0) p
CROSS JOIN LATERAL (SELECT c.epsilon - c.spared_epsilon, c.delta - c.spared_delta, c.epsilon - c.spared_epsilon - c.most_epsilon, c.releases,
	(SELECT pg_catalog.count(*) FROM privacct.owner_account o WHERE o.policy_id = p.policy_id)
	FROM privacct.account c WHERE c.policy_id = p.policy_id AND c.role = 0::regrole) a(epsilon, delta, everybodys, releases, owners)
CROSS JOIN LATERAL (SELECT w.* FROM privacct.prior w WHERE w.policy_id = p.policy_id ORDER BY w.version DESC LIMIT 1) v
CROSS JOIN LATERAL privacct._usable_points(v.curve_b, v.curve_a, a.epsilon, a.delta, v.delta_pufferfish) u
CROSS JOIN LATERAL privacct._pufferfish_spent(u.b, u.a,
	CASE WHEN a.delta = 0 OR privacct._group_delta(v.max_entries, a.epsilon::float8) * a.delta::float8 <= v.delta_pufferfish::float8 THEN v.max_entries END, a.epsilon) s
CROSS JOIN LATERAL privacct._pufferfish_sums(v.curve_b, v.curve_a, v.max_entries,
	ARRAY(SELECT l.epsilon::float8 FROM privacct.ledger l WHERE l.policy_id = p.policy_id AND l.epsilon > 0)) m
CROSS JOIN LATERAL (SELECT privacct._longest_owner(p.relation, p.owner_column)) n(longest)
CROSS JOIN LATERAL (SELECT pg_catalog.array_agg(DISTINCT o->>'kind'), pg_catalog.array_agg(DISTINCT coalesce(o->>'source', 'explicit'))
	FROM pg_catalog.jsonb_array_elements(CASE pg_catalog.jsonb_typeof(v.priors) WHEN 'array' THEN v.priors ELSE pg_catalog.jsonb_build_array(v.priors) END) o) k(kinds, sources);
COMMENT ON VIEW privacct.pufferfish_budget IS 'pufferfish regime: promise, spent, left; the point of the influence curve that decides; epsilon per entry spent, cap, left; what the paper''s and the plain sum would say; shown to the owner of the table';

-- Curves follow from priors, which are public: shown to whoever may ask the table.
CREATE VIEW privacct.pufferfish_curve WITH (security_barrier) AS
SELECT p.relation, v.version, v.epsilon_pufferfish AS epsilon, v.delta_pufferfish AS delta, v.max_entries,
	   v.curve_b AS b, v.curve_a AS a, v.curve_left AS "left", v.curve_right AS "right",
	   pg_catalog.trim_scale(a.epsilon) AS entry_epsilon_spent, v.epsilon AS entry_epsilon_cap,
	   pg_catalog.trim_scale(a.everybodys) AS entry_epsilon_everybodys
FROM (SELECT q.* FROM privacct.policy q WHERE q.closed_at IS NULL AND q.regime = 'pufferfish'
	  AND (privacct._administers(q.relation) OR EXISTS (SELECT FROM privacct.quota u WHERE u.policy_id = q.policy_id AND pg_catalog.pg_has_role(current_user, u.role::oid, 'USAGE')))
	  OFFSET 0) p
CROSS JOIN LATERAL (SELECT c.epsilon - c.spared_epsilon, c.epsilon - c.spared_epsilon - c.most_epsilon
	FROM privacct.account c WHERE c.policy_id = p.policy_id AND c.role = 0::regrole) a(epsilon, everybodys)
CROSS JOIN LATERAL (SELECT w.* FROM privacct.prior w WHERE w.policy_id = p.policy_id ORDER BY w.version DESC LIMIT 1) v;
COMMENT ON VIEW privacct.pufferfish_curve IS 'pufferfish regime: the influence curve in force, as arrays, and the epsilon per entry; shown to whoever may ask the table';

-- Whom others ask about is not for everybody to see.
CREATE VIEW privacct.pufferfish_owner WITH (security_barrier) AS
SELECT c.relation, o.owner, pg_catalog.trim_scale(o.epsilon) AS entry_epsilon_named, pg_catalog.trim_scale(o.epsilon + c.entry_epsilon_everybodys) AS entry_epsilon_spent,
	   pg_catalog.trim_scale(greatest(c.entry_epsilon_cap - o.epsilon - c.entry_epsilon_everybodys, 0)) AS entry_epsilon_left
FROM privacct.pufferfish_curve c
JOIN privacct.policy p ON p.relation = c.relation AND p.closed_at IS NULL
JOIN privacct.owner_account o ON o.policy_id = p.policy_id
WHERE privacct._administers(c.relation);
COMMENT ON VIEW privacct.pufferfish_owner IS 'pufferfish regime: owners whom releases were about by name, and their epsilon per entry; shown to the owner of the table';

CREATE FUNCTION privacct.pufferfish_epsilon(relation regclass, more float8) RETURNS float8
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
	-- where rounding alone would pass what is left, what is left
	SELECT CASE WHEN n.needed > n.rest AND n.needed <= n.rest * (1 + 1e-9) THEN n.rest * (1 - 4.5e-16) ELSE n.needed END
	FROM privacct.pufferfish_curve c
	CROSS JOIN LATERAL (SELECT privacct._pufferfish_needed(c.b, c.a, c.max_entries, c.entry_epsilon_spent, more),
		greatest(c.entry_epsilon_cap - c.entry_epsilon_spent, 0)::float8) n(needed, rest)
	WHERE c.relation = pufferfish_epsilon.relation
$$;
COMMENT ON FUNCTION privacct.pufferfish_epsilon(regclass, float8)
	IS 'pufferfish regime: the epsilon per entry of a release about all owners that now raises what is spent by so much; null if the caller may not ask the table; for SET privacct.epsilon';

--
-- Catalog hygiene: what the statistics of the server say about sizes of tables
-- and about rows read is not noise.  Each database by itself.
--

CREATE FUNCTION privacct._statistics_views() RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT c.oid::regclass FROM pg_class c
	WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'v' AND c.relname ~ '^pg_stat(io)?_'
	AND c.relname NOT IN ('pg_stat_activity', 'pg_stat_ssl', 'pg_stat_gssapi')
	AND EXISTS (SELECT FROM pg_init_privs i CROSS JOIN aclexplode(i.initprivs) a
				WHERE i.classoid = 'pg_class'::regclass AND i.objoid = c.oid AND i.objsubid = 0
				AND a.grantee = 0 AND a.privilege_type = 'SELECT')
$$;
COMMENT ON FUNCTION privacct._statistics_views() IS 'counters of rows and pages that a fresh server shows to PUBLIC';

CREATE FUNCTION privacct._statistics_functions() RETURNS SETOF regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT f.oid::regprocedure FROM pg_proc f
	WHERE f.pronamespace = 'pg_catalog'::regnamespace
	AND ((f.proname ~ '^pg_stat_get_' AND f.proname !~ '^pg_stat_get_(activity|backend_.*)$')
		 OR f.proname IN ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
			'pg_database_size', 'pg_tablespace_size', 'pg_current_wal_lsn', 'pg_current_wal_insert_lsn',
			'pg_current_wal_flush_lsn', 'pg_last_wal_receive_lsn', 'pg_last_wal_replay_lsn'))
	AND NOT EXISTS (SELECT FROM pg_init_privs i WHERE i.classoid = 'pg_proc'::regclass AND i.objoid = f.oid
					AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) a WHERE a.grantee = 0))
$$;
COMMENT ON FUNCTION privacct._statistics_functions() IS 'counters, sizes and WAL positions that a fresh server gives to PUBLIC';

CREATE FUNCTION privacct._require_superuser() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user) THEN
		RAISE EXCEPTION 'only a superuser may change privileges on the system catalog' USING ERRCODE = '42501';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._require_superuser() IS 'an error for anybody else';

CREATE FUNCTION privacct.harden_catalog() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	object text;
BEGIN
	PERFORM privacct._require_superuser();
	-- revoking from the table takes the columns along, so that comes first
	REVOKE SELECT ON pg_catalog.pg_class FROM PUBLIC;
	EXECUTE (SELECT format('GRANT SELECT (tableoid, xmin, %s) ON pg_catalog.pg_class TO PUBLIC', string_agg(quote_ident(attname), ', '))
			 FROM pg_attribute WHERE attrelid = 'pg_class'::regclass AND attnum > 0
			 AND attname NOT IN ('reltuples', 'relpages', 'relallvisible'));
	FOR object IN SELECT privacct._statistics_views() LOOP
		EXECUTE format('REVOKE SELECT ON pg_catalog.%s FROM PUBLIC', object);
	END LOOP;
	FOR object IN SELECT privacct._statistics_functions() LOOP
		EXECUTE format('REVOKE EXECUTE ON FUNCTION pg_catalog.%s FROM PUBLIC', object);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct.harden_catalog() IS 'takes row counts, counters, sizes and WAL positions away from PUBLIC in this database';

CREATE FUNCTION privacct.soften_catalog() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	object text;
BEGIN
	PERFORM privacct._require_superuser();
	REVOKE SELECT ON pg_catalog.pg_class FROM PUBLIC;
	GRANT SELECT ON pg_catalog.pg_class TO PUBLIC;
	FOR object IN SELECT privacct._statistics_views() LOOP
		EXECUTE format('GRANT SELECT ON pg_catalog.%s TO PUBLIC', object);
	END LOOP;
	FOR object IN SELECT privacct._statistics_functions() LOOP
		EXECUTE format('GRANT EXECUTE ON FUNCTION pg_catalog.%s TO PUBLIC', object);
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct.soften_catalog() IS 'undoes harden_catalog()';

--
-- Privileges.  Nothing is for PUBLIC but what is listed here.
--

REVOKE ALL ON ALL TABLES IN SCHEMA privacct FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA privacct FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA privacct FROM PUBLIC;

GRANT SELECT ON privacct.odometer, privacct.budget, privacct.my_budget, privacct.my_ledger, privacct.plan,
	privacct.local_state, privacct.local_odometer, privacct.owner_odometer, privacct.pufferfish_budget,
	privacct.pufferfish_curve, privacct.pufferfish_owner TO PUBLIC;
-- used by the views; they tell nothing that their arguments do not
GRANT EXECUTE ON FUNCTION privacct._administers(regclass), privacct._zcdp_epsilon(numeric, numeric) TO PUBLIC;
-- they check who asks
GRANT EXECUTE ON FUNCTION privacct._local_states(regclass), privacct._owner_states(regclass), privacct._most_lost(privacct.policy),
	privacct.owners_left(regclass, float8) TO PUBLIC;
-- pure computations
GRANT EXECUTE ON FUNCTION privacct.compose(jsonb, float8), privacct.compose_delta(jsonb, float8),
	privacct.influence_curve(jsonb, text[], text[], int), privacct.chain_prior(anyarray, float8[], float8[], int),
	privacct.binary_chain_prior(anyarray, float8, float8, float8, float8), privacct.gaussian_prior(float8[], float8, float8, float8),
	privacct.table_prior(anyarray, int[], float8[]), privacct.interval_prior(anyarray, int[], float8[], float8[], text, float8[], float8[]),
	privacct._smooth_chain(float8[], float8), privacct._checked_prior(jsonb),
	privacct.pufferfish_epsilon(regclass, float8), privacct._pufferfish_needed(int[], float8[], bigint, numeric, float8),
	privacct._pufferfish_limit(int[], float8[], bigint, numeric), privacct._pufferfish_spent(int[], float8[], bigint, numeric),
	privacct._pufferfish_sums(int[], float8[], bigint, float8[]), privacct._usable_points(int[], float8[], numeric, numeric, numeric),
	privacct._group_delta(float8, float8) TO PUBLIC;
-- what refuses whoever asks a protected table tells too
GRANT EXECUTE ON FUNCTION privacct._is_protected(regclass), privacct._tree(regclass), privacct._ancestors(regclass) TO PUBLIC;
-- read with the rights of their caller, or check who asks
GRANT EXECUTE ON FUNCTION privacct._longest_owner(regclass, name), privacct.fit_chain_prior(regclass, name, name[], name, anyarray, float8),
	privacct._refuse_fit(regclass, regclass) TO PUBLIC;
-- the declarations check the ownership of the table themselves
GRANT EXECUTE ON FUNCTION
	privacct.protect(regclass, name, numeric, numeric, int, int, text, text, text, int, text, text[], float8, text, int),
	privacct.protect_entries(regclass, name, name[], name, jsonb, numeric, numeric, text[], text[], bigint, int, text, text[]),
	privacct.set_priors(regclass, jsonb, numeric, numeric, text[], text[], bigint, int),
	privacct.unprotect(regclass),
	privacct.set_bounds(regclass, name, float8, float8),
	privacct.set_bounds(regclass, name, date, date),
	privacct.set_bounds(regclass, name, timestamp, timestamp),
	privacct.set_bounds(regclass, name, timestamptz, timestamptz),
	privacct.set_bounds(regclass, name, text, text),
	privacct.drop_bounds(regclass, name),
	privacct.set_keys(regclass, name, anyarray),
	privacct.drop_keys(regclass, name),
	privacct.set_domain(regclass, name, anyarray),
	privacct.set_domain(regclass, name, float8, float8),
	privacct.drop_domain(regclass, name),
	privacct.set_prior(regclass, name, float8[]),
	privacct.set_public(regclass, name),
	privacct.grant_budget(regclass, name, numeric, numeric),
	privacct.revoke_budget(regclass, name),
	privacct.plan_budget(regclass, jsonb)
	TO PUBLIC;

-- dp_ aggregates and total functions
--
-- The aggregates are computed by the release node of a guarded block; their
-- transition and final functions raise an error wherever else they are called.

CREATE FUNCTION privacct._block_transition(internal) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, "any") RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, "any") FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, "any") IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, "any", text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, "any", text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, "any", text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, double precision) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, double precision) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, double precision) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, double precision, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, double precision, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, double precision, double precision, double precision) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, double precision, double precision, double precision, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, boolean) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, boolean) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, boolean) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, boolean, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, boolean, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, boolean, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, "any", oid, bigint, boolean, int, "any") RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, "any", oid, bigint, boolean, int, "any") FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, "any", oid, bigint, boolean, int, "any") IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_bigint(internal) RETURNS bigint
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_bigint(internal) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_bigint(internal) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_float8(internal) RETURNS double precision
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_float8(internal) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_float8(internal) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_boolean(internal) RETURNS boolean
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_boolean(internal) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_boolean(internal) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct.dp_count(*) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count(*) IS 'noised number of rows';
REVOKE ALL ON FUNCTION privacct.dp_count() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_count() TO PUBLIC;
CREATE AGGREGATE privacct.dp_count("any") (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count("any") IS 'noised number of values that are not NULL';
REVOKE ALL ON FUNCTION privacct.dp_count("any") FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_count("any") TO PUBLIC;
CREATE AGGREGATE privacct.dp_count("any", options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count("any", options text) IS 'noised number of values that are not NULL, with options';
REVOKE ALL ON FUNCTION privacct.dp_count("any", options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_count("any", options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_count_owners(*) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count_owners(*) IS 'noised number of distinct owners';
REVOKE ALL ON FUNCTION privacct.dp_count_owners() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_count_owners() TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision) IS 'noised sum, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_sum(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, options text) IS 'noised sum, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_sum(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision) IS 'noised sum of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_sum(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision, options text) IS 'noised sum of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_sum(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x boolean) IS 'noised sum of a boolean taken as 0 or 1';
REVOKE ALL ON FUNCTION privacct.dp_sum(x boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x boolean) TO PUBLIC;
CREATE AGGREGATE privacct.dp_sum(x boolean, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x boolean, options text) IS 'noised sum of a boolean taken as 0 or 1, with options';
REVOKE ALL ON FUNCTION privacct.dp_sum(x boolean, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_sum(x boolean, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision) IS 'noised average, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_avg(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, options text) IS 'noised average, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_avg(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision) IS 'noised average of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_avg(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision, options text) IS 'noised average of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_avg(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x boolean) IS 'noised average of a boolean taken as 0 or 1';
REVOKE ALL ON FUNCTION privacct.dp_avg(x boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x boolean) TO PUBLIC;
CREATE AGGREGATE privacct.dp_avg(x boolean, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x boolean, options text) IS 'noised average of a boolean taken as 0 or 1, with options';
REVOKE ALL ON FUNCTION privacct.dp_avg(x boolean, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_avg(x boolean, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_pop(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision) IS 'noised population variance, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_var_pop(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_pop(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_pop(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, options text) IS 'noised population variance, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_var_pop(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_pop(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision) IS 'noised population variance of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_var_pop(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_pop(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision, options text) IS 'noised population variance of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_var_pop(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_pop(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_samp(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision) IS 'noised sample variance, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_var_samp(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_samp(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_samp(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, options text) IS 'noised sample variance, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_var_samp(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_samp(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision) IS 'noised sample variance of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_var_samp(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_samp(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision, options text) IS 'noised sample variance of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_var_samp(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_var_samp(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_variance(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision) IS 'noised sample variance, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_variance(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_variance(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_variance(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, options text) IS 'noised sample variance, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_variance(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_variance(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision) IS 'noised sample variance of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_variance(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_variance(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision, options text) IS 'noised sample variance of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_variance(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_variance(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_pop(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision) IS 'noised population standard deviation, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_stddev_pop(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_pop(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_pop(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, options text) IS 'noised population standard deviation, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev_pop(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_pop(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision) IS 'noised population standard deviation of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision, options text) IS 'noised population standard deviation of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_samp(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision) IS 'noised sample standard deviation, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_stddev_samp(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_samp(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_samp(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, options text) IS 'noised sample standard deviation, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev_samp(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_samp(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision) IS 'noised sample standard deviation of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision, options text) IS 'noised sample standard deviation of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision) IS 'noised sample standard deviation, clamped to the declared bounds';
REVOKE ALL ON FUNCTION privacct.dp_stddev(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, options text) IS 'noised sample standard deviation, clamped to the declared bounds, with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision) IS 'noised sample standard deviation of values clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.dp_stddev(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision, options text) IS 'noised sample standard deviation of values clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.dp_stddev(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_stddev(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct._owner_marker("any", oid, bigint, boolean, int, "any") (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._owner_marker("any", oid, bigint, boolean, int, "any") IS 'internal: marks a guarded block and carries its owner column';
REVOKE ALL ON FUNCTION privacct._owner_marker("any", oid, bigint, boolean, int, "any") FROM PUBLIC;
-- The most frequent values: scores in the block, ranked outside (guard/topk.c).
CREATE FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct._score(x anyelement, k double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._score(anyelement, double precision, double precision, text) IS 'internal: what dp_topk ranks by, a noised count or the rank that was drawn';
REVOKE ALL ON FUNCTION privacct._score(anyelement, double precision, double precision, text) FROM PUBLIC;
CREATE FUNCTION privacct._rank(internal, anyelement, double precision, integer) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_rank';
COMMENT ON FUNCTION privacct._rank(internal, anyelement, double precision, integer) IS 'internal: collects values with their scores';
REVOKE ALL ON FUNCTION privacct._rank(internal, anyelement, double precision, integer) FROM PUBLIC;
CREATE FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_first_ranked';
COMMENT ON FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer) IS 'internal: the values with the greatest scores';
REVOKE ALL ON FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer) FROM PUBLIC;
CREATE FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_top_ranked';
COMMENT ON FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer) IS 'internal: the value with the greatest score';
REVOKE ALL ON FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer) FROM PUBLIC;
-- the planner looks up who may execute these: they stand in the query of whoever asks
CREATE AGGREGATE privacct._first(x anyelement, score double precision, k integer) (SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._first_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._first(anyelement, double precision, integer) IS 'internal: the k values with the greatest scores';
REVOKE ALL ON FUNCTION privacct._first(anyelement, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct._first(anyelement, double precision, integer) TO PUBLIC;
CREATE AGGREGATE privacct._top(x anyelement, score double precision, k integer) (SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._top_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._top(anyelement, double precision, integer) IS 'internal: the value with the greatest score';
REVOKE ALL ON FUNCTION privacct._top(anyelement, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct._top(anyelement, double precision, integer) TO PUBLIC;
CREATE FUNCTION privacct._block_transition(internal, anyelement, integer) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, anyelement, integer) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, integer) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, anyelement, integer, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, anyelement, integer, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, integer, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_array(internal, anyelement, integer) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_array(internal, anyelement, integer) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_array(internal, anyelement, integer) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_array(internal, anyelement, integer, text) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_array(internal, anyelement, integer, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_array(internal, anyelement, integer, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct.dp_topk(x anyelement, k integer) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_array, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_topk(anyelement, integer) IS 'the k most frequent declared values of a column, most frequent first: by noised counts, for k = 1 by the exponential mechanism';
REVOKE ALL ON FUNCTION privacct.dp_topk(anyelement, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_topk(anyelement, integer) TO PUBLIC;
CREATE AGGREGATE privacct.dp_topk(x anyelement, k integer, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_array, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_topk(anyelement, integer, text) IS 'the k most frequent declared values of a column, most frequent first; kernel=exponential: drawn by the exponential mechanism';
REVOKE ALL ON FUNCTION privacct.dp_topk(anyelement, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_topk(anyelement, integer, text) TO PUBLIC;
-- Questions to owners (local regime).
CREATE FUNCTION privacct._block_transition(internal, "any", oid, bigint) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, "any", oid, bigint) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, "any", oid, bigint) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct._local_marker("any", oid, bigint) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._local_marker("any", oid, bigint) IS 'internal: marks a guarded block that asks owners';
REVOKE ALL ON FUNCTION privacct._local_marker("any", oid, bigint) FROM PUBLIC;
CREATE FUNCTION privacct._block_transition(internal, anyelement) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, anyelement) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_transition(internal, anyelement, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_transition(internal, anyelement, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, text) IS 'raises an error: dp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_jsonb(internal) RETURNS jsonb
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_jsonb(internal) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_jsonb(internal) IS 'raises an error: ldp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_element(internal, anyelement) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_element(internal, anyelement) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_element(internal, anyelement) IS 'raises an error: ldp_ aggregates are computed by the release node only';
CREATE FUNCTION privacct._block_final_element(internal, anyelement, text) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._block_final_element(internal, anyelement, text) FROM PUBLIC;
COMMENT ON FUNCTION privacct._block_final_element(internal, anyelement, text) IS 'raises an error: ldp_ aggregates are computed by the release node only';
CREATE AGGREGATE privacct.ldp_avg(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision) IS 'mean estimated from randomised answers of owners, over the range of x';
REVOKE ALL ON FUNCTION privacct.ldp_avg(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_avg(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_avg(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, options text) IS 'mean estimated from randomised answers of owners, over the range of x, with options';
REVOKE ALL ON FUNCTION privacct.ldp_avg(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_avg(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision) IS 'mean estimated from randomised answers of owners, clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.ldp_avg(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_avg(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text) IS 'mean estimated from randomised answers of owners, clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_sum(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision) IS 'sum estimated from randomised answers of owners, over the range of x';
REVOKE ALL ON FUNCTION privacct.ldp_sum(x double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_sum(x double precision) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_sum(x double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, options text) IS 'sum estimated from randomised answers of owners, over the range of x, with options';
REVOKE ALL ON FUNCTION privacct.ldp_sum(x double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_sum(x double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision) IS 'sum estimated from randomised answers of owners, clamped to [lo, hi]';
REVOKE ALL ON FUNCTION privacct.ldp_sum(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_sum(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text) IS 'sum estimated from randomised answers of owners, clamped to [lo, hi], with options';
REVOKE ALL ON FUNCTION privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_count(predicate boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_count(predicate boolean) IS 'number of owners for whom the predicate is true, among those who answered, estimated from randomised answers';
REVOKE ALL ON FUNCTION privacct.ldp_count(predicate boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_count(predicate boolean) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_count(predicate boolean, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_count(predicate boolean, options text) IS 'number of owners for whom the predicate is true, among those who answered, estimated from randomised answers, with options';
REVOKE ALL ON FUNCTION privacct.ldp_count(predicate boolean, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_count(predicate boolean, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_histogram(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_jsonb, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_histogram(x anyelement) IS 'number of owners with each value, among those who answered, estimated from randomised answers';
REVOKE ALL ON FUNCTION privacct.ldp_histogram(x anyelement) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_histogram(x anyelement) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_histogram(x anyelement, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_jsonb, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_histogram(x anyelement, options text) IS 'number of owners with each value, among those who answered, estimated from randomised answers, with options';
REVOKE ALL ON FUNCTION privacct.ldp_histogram(x anyelement, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_histogram(x anyelement, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_response(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x anyelement) IS 'a row for each owner who answers, with a randomised value';
REVOKE ALL ON FUNCTION privacct.ldp_response(x anyelement) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_response(x anyelement) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_response(x anyelement, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x anyelement, options text) IS 'a row for each owner who answers, with a randomised value, with options';
REVOKE ALL ON FUNCTION privacct.ldp_response(x anyelement, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_response(x anyelement, options text) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision) IS 'a row for each owner who answers, with lo or hi (or with a noised number) for x';
REVOKE ALL ON FUNCTION privacct.ldp_response(x double precision, lo double precision, hi double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_response(x double precision, lo double precision, hi double precision) TO PUBLIC;
CREATE AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision, options text) IS 'a row for each owner who answers, with lo or hi (or with a noised number) for x, with options';
REVOKE ALL ON FUNCTION privacct.ldp_response(x double precision, lo double precision, hi double precision, options text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp_response(x double precision, lo double precision, hi double precision, options text) TO PUBLIC;
CREATE AGGREGATE privacct.dp_mode(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_mode(anyelement) IS 'the most frequent declared value of a column, by the exponential mechanism';
REVOKE ALL ON FUNCTION privacct.dp_mode(anyelement) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_mode(anyelement) TO PUBLIC;
CREATE AGGREGATE privacct.dp_mode(x anyelement, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_mode(anyelement, text) IS 'the most frequent declared value of a column, by the exponential mechanism or the noise of the options';
REVOKE ALL ON FUNCTION privacct.dp_mode(anyelement, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.dp_mode(anyelement, text) TO PUBLIC;
CREATE FUNCTION privacct._partial_state() RETURNS bytea
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
REVOKE ALL ON FUNCTION privacct._partial_state() FROM PUBLIC;
COMMENT ON FUNCTION privacct._partial_state() IS
	'internal: stands for what the processes of a parallel release send to each other';

CREATE FUNCTION privacct.intervals(charge_id bigint DEFAULT NULL, OUT charge bigint, OUT keys text[],
	OUT aggregate text, OUT value double precision, OUT low double precision, OUT high double precision,
	OUT confidence double precision, OUT acceptance double precision, OUT standard_error double precision,
	OUT answered bigint, OUT asked bigint) RETURNS SETOF record
	VOLATILE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_intervals';
COMMENT ON FUNCTION privacct.intervals(bigint) IS
	'confidence intervals of what this session was released under a charge (the last one by default); acceptance is the probability with which noise stayed within the error bound';
REVOKE ALL ON FUNCTION privacct.intervals(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.intervals(bigint) TO PUBLIC;

CREATE FUNCTION privacct.preview(query text, owners float8 DEFAULT NULL, OUT release int, OUT statistic text, OUT kernel text, OUT used boolean,
	OUT scale double precision, OUT q double precision, OUT sensitivity double precision, OUT groups_per_owner int,
	OUT within double precision, OUT acceptance double precision, OUT error_95 double precision,
	OUT total_error_95 double precision, OUT epsilon numeric, OUT delta numeric, OUT rho numeric,
	OUT releases_left bigint) RETURNS SETOF record
	VOLATILE PARALLEL UNSAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_preview';
COMMENT ON FUNCTION privacct.preview(text, float8) IS
	'what a query would cost and how far its answers would be from the truth, with the noise that it would have (used) and with each other kind at the same cost; owners: how many may contribute, for the error of a sample; executes and charges nothing';
REVOKE ALL ON FUNCTION privacct.preview(text, float8) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.preview(text, float8) TO PUBLIC;

CREATE FUNCTION privacct.best_sample_rate(epsilon double precision, delta double precision, sensitivity double precision,
	owners double precision, OUT rate double precision, OUT error double precision, OUT error_without double precision)
	RETURNS record IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_best_sample_rate';
COMMENT ON FUNCTION privacct.best_sample_rate(double precision, double precision, double precision, double precision) IS
	'sample rate with the least root mean square error of a total at a fixed cost, that error, and the one without sampling; 1 where sampling does not pay';
REVOKE ALL ON FUNCTION privacct.best_sample_rate(double precision, double precision, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.best_sample_rate(double precision, double precision, double precision, double precision) TO PUBLIC;

-- Bayesian measures of privacy: computations on what is given.
CREATE FUNCTION privacct.ldp(channel double precision[]) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_ldp';
COMMENT ON FUNCTION privacct.ldp(double precision[]) IS
	'local differential privacy of a channel Pr[output | input] (a row for each input): the least epsilon, in nats';
CREATE FUNCTION privacct.realized_loss(likelihood double precision[]) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_realized_loss';
COMMENT ON FUNCTION privacct.realized_loss(double precision[]) IS
	'what an output that was seen gave away at most: ln of the largest over the least of its likelihoods Pr[seen | input]';
CREATE FUNCTION privacct.mbp(channel double precision[], prior double precision[] DEFAULT NULL) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_mbp';
COMMENT ON FUNCTION privacct.mbp(double precision[], double precision[]) IS
	'maximum Bayesian privacy of a channel (two dimensions) or of one output''s likelihoods (one): largest |ln posterior/prior|; prior: uniform if null';
CREATE FUNCTION privacct.abp(channel double precision[], prior double precision[] DEFAULT NULL) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_abp';
COMMENT ON FUNCTION privacct.abp(double precision[], double precision[]) IS
	'average Bayesian privacy of a channel (its worst input) or of one output''s likelihoods: root of the Jensen-Shannon divergence of posterior and prior, in nats';
CREATE FUNCTION privacct.mbp_bound(ldp double precision, least_prior double precision DEFAULT 0) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_mbp_bound';
COMMENT ON FUNCTION privacct.mbp_bound(double precision, double precision) IS
	'largest maximum Bayesian privacy of an ldp-LDP channel, for any prior whose least mass is the given one (0: any prior)';
CREATE FUNCTION privacct.ldp_bound(mbp double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_ldp_bound';
COMMENT ON FUNCTION privacct.ldp_bound(double precision) IS
	'largest LDP epsilon of a channel with the given maximum Bayesian privacy under a prior of full support';
CREATE FUNCTION privacct.abp_bound(mbp double precision, prior_error double precision DEFAULT 0,
	OUT bound double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_abp_bound';
COMMENT ON FUNCTION privacct.abp_bound(double precision, double precision) IS
	'largest average Bayesian privacy for a maximum Bayesian privacy and an error of the attacker''s prior: tight, and as printed in the paper';
CREATE FUNCTION privacct.pac_robustness(epsilon double precision, beta double precision,
	OUT gamma double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_robustness';
COMMENT ON FUNCTION privacct.pac_robustness(double precision, double precision) IS
	'PAC robustness: an epsilon-MBP estimate that misses with probability at most beta misses on a changed input with at most gamma; printed is the paper''s bound, which holds for epsilon up to 0.6282';
CREATE FUNCTION privacct.pac_accuracy(epsilon double precision, owners bigint, alpha double precision,
	lo double precision DEFAULT 0, hi double precision DEFAULT 1,
	OUT beta double precision, OUT gamma double precision, OUT printed double precision) RETURNS record
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pac_accuracy';
COMMENT ON FUNCTION privacct.pac_accuracy(double precision, bigint, double precision, double precision, double precision) IS
	'PAC accuracy and robustness of ldp_avg by one bit from so many owners: it is off by alpha or more with probability at most beta, and at most gamma if one owner''s value is another; printed: the papers'' (1 + 4 epsilon) beta';
REVOKE ALL ON FUNCTION privacct.pac_accuracy(double precision, bigint, double precision, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.pac_accuracy(double precision, bigint, double precision, double precision, double precision) TO PUBLIC;
REVOKE ALL ON FUNCTION privacct.ldp(double precision[]), privacct.realized_loss(double precision[]),
	privacct.mbp(double precision[], double precision[]), privacct.abp(double precision[], double precision[]),
	privacct.mbp_bound(double precision, double precision), privacct.ldp_bound(double precision),
	privacct.abp_bound(double precision, double precision), privacct.pac_robustness(double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.ldp(double precision[]), privacct.realized_loss(double precision[]),
	privacct.mbp(double precision[], double precision[]), privacct.abp(double precision[], double precision[]),
	privacct.mbp_bound(double precision, double precision), privacct.ldp_bound(double precision),
	privacct.abp_bound(double precision, double precision), privacct.pac_robustness(double precision, double precision) TO PUBLIC;

-- Pufferfish on finite models: computations on what is given.
CREATE FUNCTION privacct.check_composable(mechanisms double precision[], secrets int[],
	prior double precision[] DEFAULT NULL, pairs int[] DEFAULT NULL, OUT first_secret int, OUT second_secret int,
	OUT necessary double precision, OUT sufficient double precision, OUT verdict text) RETURNS SETOF record
	IMMUTABLE PARALLEL SAFE ROWS 10 LANGUAGE C AS 'MODULE_PATHNAME', 'pa_check_composable';
COMMENT ON FUNCTION privacct.check_composable(double precision[], int[], double precision[], int[]) IS
	'whether runs of mechanisms Pr[output | data set] compose linearly, for each ordered pair of secrets: necessary is an epsilon per run below which they cannot, sufficient one with which any number of runs does (Infinity: none found)';
CREATE FUNCTION privacct.pufferfish_leakage(mechanism double precision[], secrets int[], prior double precision[],
	runs int DEFAULT 1, pairs int[] DEFAULT NULL) RETURNS double precision
	IMMUTABLE PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_pufferfish_leakage';
COMMENT ON FUNCTION privacct.pufferfish_leakage(double precision[], int[], double precision[], int, int[]) IS
	'what so many runs of a mechanism Pr[output | data set] give away together, exactly: largest ln Pr[outputs | one secret]/Pr[outputs | another], over outputs, pairs of secrets and priors';
REVOKE ALL ON FUNCTION privacct.check_composable(double precision[], int[], double precision[], int[]),
	privacct.pufferfish_leakage(double precision[], int[], double precision[], int, int[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.check_composable(double precision[], int[], double precision[], int[]),
	privacct.pufferfish_leakage(double precision[], int[], double precision[], int, int[]) TO PUBLIC;

-- The response function of logistic regression; it may be applied to protected rows.
CREATE FUNCTION privacct.logistic(x double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_logistic';
COMMENT ON FUNCTION privacct.logistic(double precision) IS
	'1/(1 + e^-x), without an error for any x; allowed in expressions over protected rows';
REVOKE ALL ON FUNCTION privacct.logistic(double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.logistic(double precision) TO PUBLIC;

-- Stand-ins for built-in functions inside guarded blocks: NULL where the built-in raises an error.
CREATE FUNCTION privacct.total_int2pl(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2pl';
CREATE FUNCTION privacct.total_int24pl(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24pl';
CREATE FUNCTION privacct.total_int28pl(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28pl';
CREATE FUNCTION privacct.total_int42pl(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42pl';
CREATE FUNCTION privacct.total_int4pl(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4pl';
CREATE FUNCTION privacct.total_int48pl(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48pl';
CREATE FUNCTION privacct.total_int82pl(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82pl';
CREATE FUNCTION privacct.total_int84pl(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84pl';
CREATE FUNCTION privacct.total_int8pl(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8pl';
CREATE FUNCTION privacct.total_int2mi(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mi';
CREATE FUNCTION privacct.total_int24mi(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24mi';
CREATE FUNCTION privacct.total_int28mi(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28mi';
CREATE FUNCTION privacct.total_int42mi(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42mi';
CREATE FUNCTION privacct.total_int4mi(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mi';
CREATE FUNCTION privacct.total_int48mi(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48mi';
CREATE FUNCTION privacct.total_int82mi(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82mi';
CREATE FUNCTION privacct.total_int84mi(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84mi';
CREATE FUNCTION privacct.total_int8mi(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mi';
CREATE FUNCTION privacct.total_int2mul(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mul';
CREATE FUNCTION privacct.total_int24mul(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24mul';
CREATE FUNCTION privacct.total_int28mul(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28mul';
CREATE FUNCTION privacct.total_int42mul(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42mul';
CREATE FUNCTION privacct.total_int4mul(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mul';
CREATE FUNCTION privacct.total_int48mul(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48mul';
CREATE FUNCTION privacct.total_int82mul(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82mul';
CREATE FUNCTION privacct.total_int84mul(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84mul';
CREATE FUNCTION privacct.total_int8mul(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mul';
CREATE FUNCTION privacct.total_int2div(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2div';
CREATE FUNCTION privacct.total_int24div(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24div';
CREATE FUNCTION privacct.total_int28div(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28div';
CREATE FUNCTION privacct.total_int42div(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42div';
CREATE FUNCTION privacct.total_int4div(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4div';
CREATE FUNCTION privacct.total_int48div(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48div';
CREATE FUNCTION privacct.total_int82div(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82div';
CREATE FUNCTION privacct.total_int84div(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84div';
CREATE FUNCTION privacct.total_int8div(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8div';
CREATE FUNCTION privacct.total_int2mod(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mod';
CREATE FUNCTION privacct.total_mod(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mod';
CREATE FUNCTION privacct.total_int2um(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2um';
CREATE FUNCTION privacct.total_int2abs(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2abs';
CREATE FUNCTION privacct.total_abs(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2abs';
CREATE FUNCTION privacct.total_int4mod(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mod';
CREATE FUNCTION privacct.total_mod(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mod';
CREATE FUNCTION privacct.total_int4um(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4um';
CREATE FUNCTION privacct.total_int4abs(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4abs';
CREATE FUNCTION privacct.total_abs(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4abs';
CREATE FUNCTION privacct.total_int8mod(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mod';
CREATE FUNCTION privacct.total_mod(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mod';
CREATE FUNCTION privacct.total_int8um(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8um';
CREATE FUNCTION privacct.total_int8abs(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8abs';
CREATE FUNCTION privacct.total_abs(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8abs';
CREATE FUNCTION privacct.total_int2(integer) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_i4toi2';
CREATE FUNCTION privacct.total_int2(bigint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82';
CREATE FUNCTION privacct.total_int4(bigint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84';
CREATE FUNCTION privacct.total_int2(real) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi2';
CREATE FUNCTION privacct.total_int2(double precision) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi2';
CREATE FUNCTION privacct.total_int2(numeric) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int2';
CREATE FUNCTION privacct.total_int4(real) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi4';
CREATE FUNCTION privacct.total_int4(double precision) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi4';
CREATE FUNCTION privacct.total_int4(numeric) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int4';
CREATE FUNCTION privacct.total_int8(real) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi8';
CREATE FUNCTION privacct.total_int8(double precision) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi8';
CREATE FUNCTION privacct.total_int8(numeric) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int8';
CREATE FUNCTION privacct.total_float4(double precision) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtof';
CREATE FUNCTION privacct.total_float4(numeric) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_float4';
CREATE FUNCTION privacct.total_float8(numeric) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_float8';
CREATE FUNCTION privacct.total_float4pl(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4pl';
CREATE FUNCTION privacct.total_float48pl(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48pl';
CREATE FUNCTION privacct.total_float84pl(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84pl';
CREATE FUNCTION privacct.total_float8pl(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8pl';
CREATE FUNCTION privacct.total_float4mi(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4mi';
CREATE FUNCTION privacct.total_float48mi(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48mi';
CREATE FUNCTION privacct.total_float84mi(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84mi';
CREATE FUNCTION privacct.total_float8mi(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8mi';
CREATE FUNCTION privacct.total_float4mul(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4mul';
CREATE FUNCTION privacct.total_float48mul(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48mul';
CREATE FUNCTION privacct.total_float84mul(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84mul';
CREATE FUNCTION privacct.total_float8mul(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8mul';
CREATE FUNCTION privacct.total_float4div(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4div';
CREATE FUNCTION privacct.total_float48div(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48div';
CREATE FUNCTION privacct.total_float84div(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84div';
CREATE FUNCTION privacct.total_float8div(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8div';
CREATE FUNCTION privacct.total_exp(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dexp';
CREATE FUNCTION privacct.total_dexp(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dexp';
CREATE FUNCTION privacct.total_ln(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog1';
CREATE FUNCTION privacct.total_dlog1(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog1';
CREATE FUNCTION privacct.total_log(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';
CREATE FUNCTION privacct.total_log10(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';
CREATE FUNCTION privacct.total_dlog10(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';
CREATE FUNCTION privacct.total_sqrt(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dsqrt';
CREATE FUNCTION privacct.total_dsqrt(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dsqrt';
CREATE FUNCTION privacct.total_power(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';
CREATE FUNCTION privacct.total_pow(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';
CREATE FUNCTION privacct.total_dpow(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';
CREATE FUNCTION privacct.total_numeric_add(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_add';
CREATE FUNCTION privacct.total_numeric_sub(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_sub';
CREATE FUNCTION privacct.total_numeric_mul(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mul';
CREATE FUNCTION privacct.total_numeric_div(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_div';
CREATE FUNCTION privacct.total_numeric_mod(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mod';
CREATE FUNCTION privacct.total_mod(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mod';
CREATE FUNCTION privacct.total_round(numeric, integer) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_round';
CREATE FUNCTION privacct.total_trunc(numeric, integer) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_trunc';
CREATE FUNCTION privacct.total_date_pli(date, integer) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_pli';
CREATE FUNCTION privacct.total_date_mii(date, integer) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mii';
CREATE FUNCTION privacct.total_integer_pl_date(integer, date) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_integer_pl_date';
CREATE FUNCTION privacct.total_date_mi(date, date) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mi';
CREATE FUNCTION privacct.total_date_pl_interval(date, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_pl_interval';
CREATE FUNCTION privacct.total_date_mi_interval(date, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mi_interval';
CREATE FUNCTION privacct.total_interval_pl_date(interval, date) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_date';
CREATE FUNCTION privacct.total_timestamp_mi(timestamp without time zone, timestamp without time zone) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi';
CREATE FUNCTION privacct.total_timestamptz_mi(timestamp with time zone, timestamp with time zone) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi';
CREATE FUNCTION privacct.total_timestamp_pl_interval(timestamp without time zone, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_pl_interval';
CREATE FUNCTION privacct.total_timestamp_mi_interval(timestamp without time zone, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi_interval';
CREATE FUNCTION privacct.total_timestamptz_pl_interval(timestamp with time zone, interval) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_pl_interval';
CREATE FUNCTION privacct.total_timestamptz_mi_interval(timestamp with time zone, interval) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_mi_interval';
CREATE FUNCTION privacct.total_interval_pl_timestamp(interval, timestamp without time zone) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_timestamp';
CREATE FUNCTION privacct.total_interval_pl_timestamptz(interval, timestamp with time zone) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_timestamptz';
CREATE FUNCTION privacct.total_timestamp(date) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_timestamp';
CREATE FUNCTION privacct.total_timestamptz(date) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_timestamptz';
CREATE FUNCTION privacct.total_date(timestamp without time zone) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_date';
CREATE FUNCTION privacct.total_date(timestamp with time zone) RETURNS date
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_date';
CREATE FUNCTION privacct.total_timestamp(timestamp with time zone) RETURNS timestamp without time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_timestamp';
CREATE FUNCTION privacct.total_timestamptz(timestamp without time zone) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_timestamptz';
CREATE FUNCTION privacct.total_interval_pl(interval, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl';
CREATE FUNCTION privacct.total_interval_mi(interval, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_mi';
CREATE FUNCTION privacct.total_interval_um(interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_um';
CREATE FUNCTION privacct.total_interval_mul(interval, double precision) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_mul';
CREATE FUNCTION privacct.total_mul_d_interval(double precision, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_mul_d_interval';
CREATE FUNCTION privacct.total_interval_div(interval, double precision) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_div';
CREATE FUNCTION privacct.total_date_trunc(text, timestamp without time zone) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_trunc';
CREATE FUNCTION privacct.total_date_trunc(text, timestamp with time zone) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_trunc';
CREATE FUNCTION privacct.total_date_trunc(text, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_trunc';
CREATE FUNCTION privacct.total_extract(text, date) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_date';
CREATE FUNCTION privacct.total_extract(text, timestamp without time zone) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_timestamp';
CREATE FUNCTION privacct.total_extract(text, timestamp with time zone) RETURNS numeric
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_timestamptz';
CREATE FUNCTION privacct.total_extract(text, interval) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_interval';
CREATE FUNCTION privacct.total_extract(text, time without time zone) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_time';
CREATE FUNCTION privacct.total_date_part(text, date) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_part_date';
CREATE FUNCTION privacct.total_date_part(text, timestamp without time zone) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_part';
CREATE FUNCTION privacct.total_date_part(text, timestamp with time zone) RETURNS double precision
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_part';
CREATE FUNCTION privacct.total_date_part(text, interval) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_part';
CREATE FUNCTION privacct.total_date_part(text, time without time zone) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_time_part';
CREATE FUNCTION privacct.total_to_char(timestamp without time zone, text) RETURNS text
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_to_char';
CREATE FUNCTION privacct.total_to_char(timestamp with time zone, text) RETURNS text
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_to_char';
CREATE FUNCTION privacct.total_textlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';
CREATE FUNCTION privacct.total_textnlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';
CREATE FUNCTION privacct.total_texticlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticlike';
CREATE FUNCTION privacct.total_texticnlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticnlike';
CREATE FUNCTION privacct.total_like(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';
CREATE FUNCTION privacct.total_notlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';
CREATE FUNCTION privacct.total_bpcharlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';
CREATE FUNCTION privacct.total_bpcharnlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';
CREATE FUNCTION privacct.total_bpchariclike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticlike';
CREATE FUNCTION privacct.total_bpcharicnlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticnlike';
CREATE FUNCTION privacct.total_substr(text, integer, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_substr';
CREATE FUNCTION privacct.total_substring(text, integer, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_substr';
CREATE FUNCTION privacct.total_width_bucket(double precision, double precision, double precision, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_width_bucket_float8';
CREATE FUNCTION privacct.total_split_part(text, text, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_split_part';
CREATE FUNCTION privacct.total_lower(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_lower';
CREATE FUNCTION privacct.total_upper(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_upper';
CREATE FUNCTION privacct.total_initcap(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_initcap';
CREATE FUNCTION privacct.total_md5(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_md5_text';
CREATE FUNCTION privacct.total_reverse(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_reverse';
CREATE FUNCTION privacct.total_textcat(text, text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textcat';
CREATE FUNCTION privacct.total_ceil(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_ceil';
CREATE FUNCTION privacct.total_ceiling(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_ceil';
CREATE FUNCTION privacct.total_floor(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_floor';
CREATE FUNCTION privacct.total_round(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_round_whole';
CREATE FUNCTION privacct.total_trunc(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_trunc_whole';
CREATE FUNCTION privacct.total_parameter(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';
CREATE FUNCTION privacct.total_parameter(character varying) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';
CREATE FUNCTION privacct.total_parameter(character) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';
CREATE FUNCTION privacct.total_parameter(anyarray) RETURNS anyarray
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_array_parameter';
CREATE FUNCTION privacct.total_parameter(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';
DO $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc
		WHERE pronamespace = 'privacct'::pg_catalog.regnamespace AND proname LIKE 'total\_%'
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', f,
			'as the built-in function, but NULL where that raises an error');
	END LOOP;
END $$;
