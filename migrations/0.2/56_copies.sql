--
-- Copies of states, for sessions to come.
--
-- A session that is the first to ask goes through all answers since the states were
-- last written.  Where that makes many states over and over, it leaves what came out
-- for those that come after it.  Such a copy says nothing that the answers do not say:
-- it is not logged, not dumped, not there on a standby, and used only if it was made of
-- the states and answers that are there, and is what was written.
--

CREATE UNLOGGED TABLE privacct.likelihood_copy (LIKE privacct.likelihood INCLUDING COMMENTS, PRIMARY KEY (policy_id, state));
ALTER TABLE privacct.likelihood_copy ALTER log_likelihood SET STORAGE EXTERNAL;
COMMENT ON TABLE privacct.likelihood_copy IS 'local regime: as likelihood, after the question of owner_state_copy_at';

CREATE UNLOGGED TABLE privacct.owner_state_copy (LIKE privacct.owner_state INCLUDING COMMENTS INCLUDING STORAGE, PRIMARY KEY (policy_id, first_owner));
COMMENT ON TABLE privacct.owner_state_copy IS 'local regime: as owner_state, after the question of owner_state_copy_at';

CREATE UNLOGGED TABLE privacct.owner_state_copy_at (
	policy_id bigint PRIMARY KEY,
	question int NOT NULL CHECK (question >= 0),
	owners int NOT NULL CHECK (owners >= 0),
	states int NOT NULL CHECK (states > 0),
	base int NOT NULL CHECK (base >= 0),
	trail bigint NOT NULL,
	seal bigint NOT NULL
);
COMMENT ON TABLE privacct.owner_state_copy_at IS 'local regime: up to which question owner_state_copy and likelihood_copy tell the answers';
COMMENT ON COLUMN privacct.owner_state_copy_at.owners IS 'how many owners owner_state_copy has';
COMMENT ON COLUMN privacct.owner_state_copy_at.states IS 'how many states likelihood_copy has';
COMMENT ON COLUMN privacct.owner_state_copy_at.base IS 'the question of the states that the copy was made from';
COMMENT ON COLUMN privacct.owner_state_copy_at.trail IS 'hash of the answers that it was made from, beside these';
COMMENT ON COLUMN privacct.owner_state_copy_at.seal IS 'hash of the states in it';
REVOKE ALL ON privacct.likelihood_copy, privacct.owner_state_copy, privacct.owner_state_copy_at FROM PUBLIC;

-- The ledger's worker deletes, and inserts past all triggers; whatever else inserts,
-- updates and truncates changes what copies were made from.
CREATE FUNCTION privacct._forget_copies() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	DELETE FROM privacct.owner_state_copy_at;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._forget_copies() IS 'copies of states are not used again';
REVOKE ALL ON FUNCTION privacct._forget_copies() FROM PUBLIC;
DO $$
DECLARE
	source text;
BEGIN
	FOREACH source IN ARRAY '{likelihood,owner_state,owner_state_at}'::text[] LOOP
		EXECUTE pg_catalog.format('CREATE TRIGGER forget_copies AFTER INSERT OR UPDATE OR TRUNCATE ON privacct.%I FOR EACH STATEMENT EXECUTE FUNCTION privacct._forget_copies()', source);
		EXECUTE pg_catalog.format('ALTER TABLE privacct.%I ENABLE ALWAYS TRIGGER forget_copies', source);
		EXECUTE pg_catalog.format('COMMENT ON TRIGGER forget_copies ON privacct.%I IS %L', source, 'copies of states are not used again');
	END LOOP;
END
$$;

-- Who looks how many can answer need not wait for measures of each history.
CREATE OR REPLACE FUNCTION privacct.owners_left(relation regclass, epsilon float8) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_owners_left' LANGUAGE C STABLE STRICT;
