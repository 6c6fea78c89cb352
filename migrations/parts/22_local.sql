-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables of the local regime.
--

CREATE TABLE IF NOT EXISTS privacct.question (
	policy_id bigint NOT NULL,
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
	cuts float8[],
	PRIMARY KEY (policy_id, question)
);
COMMENT ON TABLE privacct.question IS 'local regime: what owners were asked, with the exact law of their answers';
COMMENT ON COLUMN privacct.question.level IS 'LDP epsilon of the question, in nats';
COMMENT ON COLUMN privacct.question.rho IS 'rho of the question under zCDP';
COMMENT ON COLUMN privacct.question.columns
	IS 'positions of the domain''s columns that the points run over, the last varying fastest; linear, logistic: those '
	'that have a coefficient';
COMMENT ON COLUMN privacct.question.parameters
	IS 'binary: low, high, flip; response: categories, lie; additive: least, most, low, step; linear: constant, a, b, '
	'epsilon; logistic: constant, epsilon; central: epsilon, 1 if owners who were never asked were in the release';
COMMENT ON COLUMN privacct.question.points
	IS 'the response at each point: number, category or steps; linear, logistic: the coefficients';
COMMENT ON COLUMN privacct.question.cuts
	IS 'where the response changes over an interval column: the points are then its cells, the first below the first '
	'cut, the others from a cut on; else null';
COMMENT ON COLUMN privacct.question.owners
	IS 'how many answered; central: how many were in the release, as far as they were known by then';
SELECT pg_catalog.pg_extension_config_dump('privacct.question', '');

CREATE TABLE IF NOT EXISTS privacct.owner_key (
	policy_id bigint NOT NULL,
	first_owner int NOT NULL CHECK (first_owner >= 0),
	keys bytea NOT NULL,
	records bytea NOT NULL,
	PRIMARY KEY (policy_id, first_owner)
);
ALTER TABLE privacct.owner_key ALTER keys SET STORAGE PLAIN, ALTER records SET STORAGE PLAIN;
COMMENT ON TABLE privacct.owner_key
	IS 'local regime: keyed hashes of owners, 8 bytes each; an owner''s number is first_owner plus the place';
COMMENT ON COLUMN privacct.owner_key.records
	IS 'keyed hashes, 4 bytes each, of what the owner''s domain columns held at the first answer: an owner whose '
	'values have changed is not asked again, unless the filter is basic';
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_key', '');

-- Tables that do not fit into memory become numbers.
CREATE TABLE IF NOT EXISTS privacct.answer (
	policy_id bigint NOT NULL,
	question int NOT NULL,
	answered bytea NOT NULL,
	width int NOT NULL CHECK (width IN (0, 1, 8, 16, 32, 64)),
	outputs bytea NOT NULL,
	bounds float8[],
	most_states int CHECK (most_states > 0),
	PRIMARY KEY (policy_id, question)
);
ALTER TABLE privacct.answer ALTER answered SET STORAGE EXTERNAL, ALTER outputs SET STORAGE EXTERNAL;
COMMENT ON TABLE privacct.answer
	IS 'local regime: answers to questions that are not yet in owner_state, in the order of the owners'' numbers';
COMMENT ON COLUMN privacct.answer.answered IS 'a bit for each owner, lowest first; zero bytes at the end are left out';
COMMENT ON COLUMN privacct.answer.width IS 'bits of an output; 0: none (central)';
COMMENT ON COLUMN privacct.answer.outputs IS 'outputs of those who answered, one after the other';
COMMENT ON COLUMN privacct.answer.bounds
	IS 'linear, logistic: for each state, in order, and for each of the two outputs: the certified loss afterwards, '
	'that of closed groups, and the answers in these';
COMMENT ON COLUMN privacct.answer.most_states
	IS 'how many states there may be afterwards; for all others, bounds stand; null: any number';
SELECT pg_catalog.pg_extension_config_dump('privacct.answer', '');

CREATE TABLE IF NOT EXISTS privacct.likelihood (
	policy_id bigint NOT NULL,
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
	folded float8 NOT NULL DEFAULT 0 CHECK (folded >= 0),
	steps float8 NOT NULL DEFAULT 0 CHECK (steps >= 0),
	PRIMARY KEY (policy_id, state)
);
COMMENT ON TABLE privacct.likelihood
	IS 'local regime: likelihood tables, each shared by all owners with the same history; state 0 is that of an owner '
	'who was never asked';
COMMENT ON COLUMN privacct.likelihood.log_likelihood
	IS 'ln Pr[answers | point] for each point of the listed columns, the largest taken as 0';
COMMENT ON COLUMN privacct.likelihood.error IS 'bound of the rounding in it';
COMMENT ON COLUMN privacct.likelihood.basic IS 'sum of the levels of the questions answered';
COMMENT ON COLUMN privacct.likelihood.central IS 'sum of the epsilons of central releases';
COMMENT ON COLUMN privacct.likelihood.answers
	IS 'questions about interval columns answered: question, output, question, output, ...; those with steps come last,'
	' sorted, and by the first question of the same law';
COMMENT ON COLUMN privacct.likelihood.loss IS 'certified bound on what the linear and logistic ones gave away';
COMMENT ON COLUMN privacct.likelihood.steps IS 'what those with steps gave away';
COMMENT ON COLUMN privacct.likelihood.closed_loss IS 'the part of it that belongs to closed groups of answers';
COMMENT ON COLUMN privacct.likelihood.closed IS 'how many answers are in those groups';
COMMENT ON COLUMN privacct.likelihood.folded
	IS 'bound on what answers gave away that neither log_likelihood nor answers tell any longer';
SELECT pg_catalog.pg_extension_config_dump('privacct.likelihood', '');

CREATE TABLE IF NOT EXISTS privacct.owner_state (
	policy_id bigint NOT NULL,
	first_owner int NOT NULL CHECK (first_owner >= 0),
	width int NOT NULL CHECK (width IN (8, 16, 32)),
	states bytea NOT NULL,
	PRIMARY KEY (policy_id, first_owner)
);
ALTER TABLE privacct.owner_state ALTER states SET STORAGE PLAIN;
COMMENT ON TABLE privacct.owner_state
	IS 'local regime: the state of each owner, width bits each, after the question of owner_state_at';
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_state', '');

CREATE TABLE IF NOT EXISTS privacct.owner_state_at (
	policy_id bigint PRIMARY KEY,
	question int NOT NULL CHECK (question >= 0),
	owners int CHECK (owners >= 0),
	states int CHECK (states > 0)
);
COMMENT ON TABLE privacct.owner_state_at
	IS 'local regime: up to which question owner_state and likelihood tell the answers';
COMMENT ON COLUMN privacct.owner_state_at.owners
	IS 'how many owners owner_state has; null: not known, of states that version 0.1 wrote';
COMMENT ON COLUMN privacct.owner_state_at.states IS 'how many states likelihood has; null: likewise';
SELECT pg_catalog.pg_extension_config_dump('privacct.owner_state_at', '');

CREATE UNLOGGED TABLE IF NOT EXISTS privacct.likelihood_copy (LIKE privacct.likelihood INCLUDING COMMENTS,
	PRIMARY KEY (policy_id, state));
ALTER TABLE privacct.likelihood_copy ALTER log_likelihood SET STORAGE EXTERNAL;
COMMENT ON TABLE privacct.likelihood_copy IS 'local regime: as likelihood, after the question of owner_state_copy_at';

CREATE UNLOGGED TABLE IF NOT EXISTS privacct.owner_state_copy
	(LIKE privacct.owner_state INCLUDING COMMENTS INCLUDING STORAGE, PRIMARY KEY (policy_id, first_owner));
COMMENT ON TABLE privacct.owner_state_copy IS 'local regime: as owner_state, after the question of owner_state_copy_at';

CREATE UNLOGGED TABLE IF NOT EXISTS privacct.owner_state_copy_at (
	policy_id bigint PRIMARY KEY,
	question int NOT NULL CHECK (question >= 0),
	owners int NOT NULL CHECK (owners >= 0),
	states int NOT NULL CHECK (states > 0),
	base int NOT NULL CHECK (base >= 0),
	trail bigint NOT NULL,
	seal bigint NOT NULL
);
COMMENT ON TABLE privacct.owner_state_copy_at
	IS 'local regime: up to which question owner_state_copy and likelihood_copy tell the answers';
COMMENT ON COLUMN privacct.owner_state_copy_at.owners IS 'how many owners owner_state_copy has';
COMMENT ON COLUMN privacct.owner_state_copy_at.states IS 'how many states likelihood_copy has';
COMMENT ON COLUMN privacct.owner_state_copy_at.base IS 'the question of the states that the copy was made from';
COMMENT ON COLUMN privacct.owner_state_copy_at.trail IS 'hash of the answers that it was made from, beside these';
COMMENT ON COLUMN privacct.owner_state_copy_at.seal IS 'hash of the states in it';
