-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tables of the ledger and of its sums.
--

-- No foreign key: a charge must not wait for, or lock, the row of its policy.
CREATE SEQUENCE IF NOT EXISTS privacct.charge_id_seq;
COMMENT ON SEQUENCE privacct.charge_id_seq IS 'numbers of charges';
SELECT pg_catalog.pg_extension_config_dump('privacct.charge_id_seq', '');

CREATE TABLE IF NOT EXISTS privacct.ledger_line (
	charge_id bigint PRIMARY KEY DEFAULT pg_catalog.nextval('privacct.charge_id_seq'),
	policy_id bigint NOT NULL,
	charged_at timestamptz NOT NULL,
	role text COLLATE "C" NOT NULL,
	payer text COLLATE "C",
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	detail jsonb,
	detail_of bigint
);
ALTER SEQUENCE privacct.charge_id_seq OWNED BY privacct.ledger_line.charge_id;
COMMENT ON TABLE privacct.ledger_line
	IS 'append-only: every charge ever made; the charges of a policy sum to its account.  privacct.ledger shows it';
COMMENT ON COLUMN privacct.ledger_line.role IS 'who asked';
COMMENT ON COLUMN privacct.ledger_line.payer IS 'whose quota paid; null: that of the role that asked';
COMMENT ON COLUMN privacct.ledger_line.detail
	IS 'what was released; for a line with detail_of, only what decides (owners, slots), or null';
COMMENT ON COLUMN privacct.ledger_line.detail_of
	IS 'the earlier line of the policy with an equal release, whose detail this one shares; null: it has its own';
SELECT pg_catalog.pg_extension_config_dump('privacct.ledger_line', '');

CREATE INDEX IF NOT EXISTS ledger_of_policy ON privacct.ledger_line (policy_id, charge_id);
COMMENT ON INDEX privacct.ledger_of_policy IS 'the lines of a policy in order';

CREATE INDEX IF NOT EXISTS ledger_carried ON privacct.ledger_line (policy_id) WHERE detail ? 'carried_from_policy';
COMMENT ON INDEX privacct.ledger_carried IS 'what policies carried over';

CREATE INDEX IF NOT EXISTS ledger_described
	ON privacct.ledger_line (policy_id, pg_catalog.jsonb_hash_extended(detail, 0)) WHERE detail_of IS NULL
	AND detail IS NOT NULL;
COMMENT ON INDEX privacct.ledger_described IS 'lines with a description of their own, which later ones may refer to';

CREATE INDEX IF NOT EXISTS ledger_role ON privacct.ledger_line ((role::name), charge_id);
COMMENT ON INDEX privacct.ledger_role IS 'the lines of a role in order';

-- A few bytes for many lines: they are in order of time.
CREATE INDEX IF NOT EXISTS ledger_time ON privacct.ledger_line USING brin (charged_at) WITH (pages_per_range = 32);
COMMENT ON INDEX privacct.ledger_time IS 'the lines of some days';

CREATE TABLE IF NOT EXISTS privacct.ledger_sum (
	policy_id bigint PRIMARY KEY,
	charge_id bigint NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	charges bigint NOT NULL CHECK (charges >= 0),
	named_epsilon numeric NOT NULL CHECK (named_epsilon BETWEEN 0 AND epsilon),
	named_delta numeric NOT NULL CHECK (named_delta BETWEEN 0 AND delta),
	folded_epsilon numeric NOT NULL DEFAULT 0 CHECK (folded_epsilon BETWEEN 0 AND epsilon),
	folded_delta numeric NOT NULL DEFAULT 0 CHECK (folded_delta BETWEEN 0 AND delta),
	folded_rho numeric NOT NULL DEFAULT 0 CHECK (folded_rho BETWEEN 0 AND rho),
	folded_charges bigint NOT NULL DEFAULT 0 CHECK (folded_charges BETWEEN 0 AND charges),
	folded_to bigint NOT NULL DEFAULT 0 CHECK (folded_to BETWEEN 0 AND charge_id),
	folded_at timestamptz
);
COMMENT ON TABLE privacct.ledger_sum
	IS 'what a policy charged, up to a line of the ledger; without what it carried over';
COMMENT ON COLUMN privacct.ledger_sum.charge_id IS 'the last line that is in the sums';
COMMENT ON COLUMN privacct.ledger_sum.charges IS 'how many charges these are';
COMMENT ON COLUMN privacct.ledger_sum.named_epsilon
	IS 'Pufferfish regime: the part of the sum that was about named owners';
COMMENT ON COLUMN privacct.ledger_sum.named_delta IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_epsilon
	IS 'the part of the sum from lines that fold_ledger() removed from the ledger';
COMMENT ON COLUMN privacct.ledger_sum.folded_delta IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_rho IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_charges IS 'how many these were';
COMMENT ON COLUMN privacct.ledger_sum.folded_to
	IS 'no line up to this number is missing: what is not in the ledger was folded, and comes from a copy in vain';
COMMENT ON COLUMN privacct.ledger_sum.folded_at IS 'when the last of these was charged';
SELECT pg_catalog.pg_extension_config_dump('privacct.ledger_sum', '');

CREATE TABLE IF NOT EXISTS privacct.payer_sum (
	policy_id bigint NOT NULL,
	payer name NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	charges bigint NOT NULL CHECK (charges >= 0),
	PRIMARY KEY (policy_id, payer)
);
COMMENT ON TABLE privacct.payer_sum IS 'like ledger_sum, for each payer';
COMMENT ON COLUMN privacct.payer_sum.payer IS 'whose quota paid';
COMMENT ON COLUMN privacct.payer_sum.charges IS 'how many charges these are';
SELECT pg_catalog.pg_extension_config_dump('privacct.payer_sum', '');

CREATE TABLE IF NOT EXISTS privacct.release_sum (
	policy_id bigint NOT NULL,
	hash bytea NOT NULL,
	epsilon numeric NOT NULL,
	mechanisms jsonb NOT NULL,
	slots jsonb,
	charges bigint NOT NULL CHECK (charges >= 0),
	PRIMARY KEY (policy_id, hash)
);
COMMENT ON TABLE privacct.release_sum IS 'the releases up to the same line, equal ones together';
COMMENT ON COLUMN privacct.release_sum.hash IS 'hash of the next three columns';
COMMENT ON COLUMN privacct.release_sum.epsilon IS 'what one of them was charged';
COMMENT ON COLUMN privacct.release_sum.mechanisms IS 'what one of them released, as compose() takes it';
COMMENT ON COLUMN privacct.release_sum.slots IS 'slots of a plan that one of them used';
COMMENT ON COLUMN privacct.release_sum.charges IS 'how many there were';
SELECT pg_catalog.pg_extension_config_dump('privacct.release_sum', '');

-- To compose the releases of one policy takes milliseconds, and views show all policies.  Written by the ledger's
-- worker when it has nothing to charge; nothing is lost with it but time.
CREATE TABLE IF NOT EXISTS privacct.kept_loss (
	policy_id bigint NOT NULL,
	own boolean NOT NULL,
	delta numeric NOT NULL,
	sources bigint[] NOT NULL,
	last_lines bigint[] NOT NULL,
	epsilon float8 NOT NULL,
	composed_by text NOT NULL,
	PRIMARY KEY (policy_id, own)
);
COMMENT ON TABLE privacct.kept_loss
	IS 'what the releases of a policy lose together, as long as no line comes to the ledger that changes it; not '
	'dumped';
COMMENT ON COLUMN privacct.kept_loss.own IS 'of its own releases only, or also of those that it carried over';
COMMENT ON COLUMN privacct.kept_loss.delta IS 'at which delta';
COMMENT ON COLUMN privacct.kept_loss.sources IS 'the policies whose releases these are';
COMMENT ON COLUMN privacct.kept_loss.last_lines IS 'the last line of each of them in the ledger when it was computed';
COMMENT ON COLUMN privacct.kept_loss.epsilon IS 'what they lose';
COMMENT ON COLUMN privacct.kept_loss.composed_by
	IS 'the version of the library that has computed it; another one may find less, and computes it anew';
