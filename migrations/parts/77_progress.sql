-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What releases are doing.
--

CREATE OR REPLACE FUNCTION privacct._progress(OUT pid int, OUT usesysid oid, OUT relid oid, OUT phase text,
	OUT began_at timestamptz, OUT phase_began_at timestamptz) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'pa_progress' LANGUAGE C STABLE PARALLEL RESTRICTED;
COMMENT ON FUNCTION privacct._progress()
	IS 'releases that are being made in the database, in sessions of roles whose privileges the caller has; for '
	'members of pg_read_all_stats in all';

CREATE OR REPLACE VIEW privacct.progress WITH (security_barrier) AS
SELECT p.pid, pg_catalog.pg_get_userbyid(p.usesysid) AS role, p.relid::regclass AS relation, p.phase, p.began_at,
	p.phase_began_at, pg_catalog.clock_timestamp() - p.began_at AS elapsed
FROM privacct._progress() p;
COMMENT ON VIEW privacct.progress
	IS 'releases that are being made: what they are doing, as far as that tells nothing of rows; shown to the role '
	'whose session it is, and to members of pg_read_all_stats';
COMMENT ON COLUMN privacct.progress.relation IS 'the protected table that the block names first';
COMMENT ON COLUMN privacct.progress.phase
	IS 'preparing, reading public tables, waiting for the ledger, releasing; only running if the policy hides the time '
	'of releases';
