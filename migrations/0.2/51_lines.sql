--
-- Lines of the ledger, as they are stored.
--
-- Nearly every charge is like an earlier one.  What is large in it, the description of
-- what was released, is stored with the first, and the others say which that is; what
-- decides is in each line itself: amounts, who paid, how many owners were named, slots
-- of a plan.  The view privacct.ledger shows all lines as if each were whole; what is
-- inserted into it, by SQL or by the COPY of a dump of 0.1, becomes such a line.
--

DO $$
DECLARE
	again pg_catalog.text[] := privacct._take_views();
	made pg_catalog.text;
BEGIN
	ALTER TABLE privacct.ledger RENAME TO ledger_line;
	ALTER INDEX privacct.ledger_pkey RENAME TO ledger_line_pkey;
	-- rewrites it once; its lines keep their own descriptions
	ALTER TABLE privacct.ledger_line ALTER role TYPE text COLLATE "C", ALTER payer DROP NOT NULL,
		ALTER payer TYPE text COLLATE "C" USING nullif(payer, role), ADD detail_of bigint;
	CREATE VIEW privacct.ledger AS
	SELECT l.charge_id, l.policy_id, l.charged_at, l.role::name AS role, coalesce(l.payer, l.role)::name AS payer, l.epsilon, l.delta, l.rho,
		coalesce(d.detail, l.detail) AS detail
	FROM privacct.ledger_line l LEFT JOIN privacct.ledger_line d ON d.charge_id = l.detail_of;
	FOREACH made IN ARRAY again LOOP
		EXECUTE made;
	END LOOP;
END
$$;
DROP FUNCTION privacct._take_views();

COMMENT ON TABLE privacct.ledger_line IS 'append-only: every charge ever made; the charges of a policy sum to its account.  privacct.ledger shows it';
COMMENT ON COLUMN privacct.ledger_line.payer IS 'whose quota paid; null: that of who asked';
COMMENT ON COLUMN privacct.ledger_line.detail IS 'what was released; of a line with detail_of only what decides (owners, slots), or null';
COMMENT ON COLUMN privacct.ledger_line.detail_of IS 'the earlier line of the policy that was released alike, whose detail it has; null: its own';
COMMENT ON VIEW privacct.ledger IS 'append-only: every charge ever made; the charges of a policy sum to its account';
COMMENT ON COLUMN privacct.ledger.role IS 'who asked';
COMMENT ON COLUMN privacct.ledger.payer IS 'whose quota paid';
ALTER VIEW privacct.ledger ALTER charge_id SET DEFAULT pg_catalog.nextval('privacct.charge_id_seq');
REVOKE ALL ON privacct.ledger FROM PUBLIC;

CREATE INDEX ledger_of_policy ON privacct.ledger_line (policy_id, charge_id);
COMMENT ON INDEX privacct.ledger_of_policy IS 'the lines of a policy in order';
CREATE INDEX ledger_carried ON privacct.ledger_line (policy_id) WHERE detail ? 'carried_from_policy';
COMMENT ON INDEX privacct.ledger_carried IS 'what policies carried over';
CREATE INDEX ledger_described ON privacct.ledger_line (policy_id, pg_catalog.jsonb_hash_extended(detail, 0)) WHERE detail_of IS NULL AND detail IS NOT NULL;
COMMENT ON INDEX privacct.ledger_described IS 'lines with a description of their own, which later ones may refer to';
CREATE INDEX ledger_role ON privacct.ledger_line ((role::name), charge_id);
COMMENT ON INDEX privacct.ledger_role IS 'the lines of a role in order';

-- What of a description is in each line.
CREATE FUNCTION privacct._deciding(detail jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN nullif(pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('owners', detail->'owners', 'slots', detail->'slots')), '{}'::pg_catalog.jsonb);
COMMENT ON FUNCTION privacct._deciding(jsonb) IS 'what of the description of a charge decides';

-- What was carried over is no charge, and keeps its own description.
CREATE FUNCTION privacct._insert_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	described bigint := (SELECT d.charge_id FROM privacct.ledger_line d
		WHERE d.policy_id = NEW.policy_id AND jsonb_hash_extended(d.detail, 0) = jsonb_hash_extended(NEW.detail, 0) AND d.detail_of IS NULL AND d.detail = NEW.detail
		AND NOT NEW.detail ? 'carried_from_policy' LIMIT 1);
BEGIN
	NEW.charge_id := coalesce(NEW.charge_id, nextval('privacct.charge_id_seq'));
	INSERT INTO privacct.ledger_line (charge_id, policy_id, charged_at, role, payer, epsilon, delta, rho, detail, detail_of)
	VALUES (NEW.charge_id, NEW.policy_id, NEW.charged_at, NEW.role, nullif(NEW.payer, NEW.role), NEW.epsilon, NEW.delta, NEW.rho,
		CASE WHEN described IS NULL THEN NEW.detail ELSE privacct._deciding(NEW.detail) END, described);
	RETURN NEW;
END
$$;
COMMENT ON FUNCTION privacct._insert_line() IS 'stores a line of the ledger';
CREATE TRIGGER insert_line INSTEAD OF INSERT ON privacct.ledger FOR EACH ROW EXECUTE FUNCTION privacct._insert_line();
COMMENT ON TRIGGER insert_line ON privacct.ledger IS 'stores a line of the ledger';
-- without the second nobody gets as far as the first
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON privacct.ledger FOR EACH STATEMENT EXECUTE FUNCTION privacct._refuse_change();
CREATE TRIGGER append_only_lines INSTEAD OF UPDATE OR DELETE ON privacct.ledger FOR EACH ROW EXECUTE FUNCTION privacct._refuse_change();
COMMENT ON TRIGGER append_only ON privacct.ledger IS 'keeps the ledger append-only';
COMMENT ON TRIGGER append_only_lines ON privacct.ledger IS 'keeps the ledger append-only';
REVOKE ALL ON FUNCTION privacct._deciding(jsonb), privacct._insert_line() FROM PUBLIC;
