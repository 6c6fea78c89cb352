-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Releases that are kept to be repeated.
--

-- Written by the ledger's worker.  Nothing is lost with them but the price of asking again: they are neither dumped
-- nor logged.
CREATE UNLOGGED TABLE IF NOT EXISTS privacct.stored_release (
	key bytea NOT NULL,
	charge_id bigint NOT NULL,
	policy_id bigint NOT NULL,
	role oid NOT NULL,
	made_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL,
	rows bytea NOT NULL,
	editions bigint[],
	source bytea,
	parts bytea,
	PRIMARY KEY (key, charge_id)
);
COMMENT ON TABLE privacct.stored_release
	IS 'releases that may be repeated, as they were handed up; emptied by a crash, not dumped';
COMMENT ON COLUMN privacct.stored_release.key
	IS 'hash of the question, of all that decides how it is answered but the rows, and of who asked';
COMMENT ON COLUMN privacct.stored_release.charge_id IS 'by which charge it was paid for';
COMMENT ON COLUMN privacct.stored_release.policy_id IS 'whose books paid';
COMMENT ON COLUMN privacct.stored_release.role IS 'to whom it may be repeated; 0: to everybody who may ask';
COMMENT ON COLUMN privacct.stored_release.made_at IS 'when the transaction began that made it';
COMMENT ON COLUMN privacct.stored_release.expires_at IS 'when it is too old, as the policy was then';
COMMENT ON COLUMN privacct.stored_release.editions
	IS 'of which editions its tables were; null: somebody could write to one of them';
COMMENT ON COLUMN privacct.stored_release.source
	IS 'hash of whose rows it is about, but for conditions; null: nobody knows';
COMMENT ON COLUMN privacct.stored_release.parts
	IS 'what was asked, the laws of the noise, and the noised totals of each group, for others to be derived from; '
	'null: they cannot be';
COMMENT ON COLUMN privacct.stored_release.rows IS 'keys and estimates of each group';

CREATE SEQUENCE IF NOT EXISTS privacct.edition_seq;
COMMENT ON SEQUENCE privacct.edition_seq IS 'numbers of editions of tables';

CREATE INDEX IF NOT EXISTS stored_release_expires ON privacct.stored_release (expires_at);
COMMENT ON INDEX privacct.stored_release_expires IS 'releases that are too old';

CREATE INDEX IF NOT EXISTS stored_release_source ON privacct.stored_release (source);
COMMENT ON INDEX privacct.stored_release_source IS 'releases that others may be derived from';

CREATE INDEX IF NOT EXISTS stored_release_policy ON privacct.stored_release (policy_id);
COMMENT ON INDEX privacct.stored_release_policy IS 'releases of a policy';
