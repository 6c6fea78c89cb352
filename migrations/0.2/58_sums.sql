--
-- The ledger in few rows.
--
-- What is looked up of the ledger, its sums, by policy and payer, and which releases
-- there were, is kept up to some line, and the lines after that are added when somebody
-- looks.  The ledger's worker brings the sums forward from time to time, in a
-- transaction of its own.  Only charges are summed; what was carried over from earlier
-- policies is in a few lines that an index finds.
--

CREATE TABLE privacct.ledger_sum (
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
	folded_charges bigint NOT NULL DEFAULT 0 CHECK (folded_charges BETWEEN 0 AND charges)
);
COMMENT ON TABLE privacct.ledger_sum IS 'what a policy charged, up to a line of the ledger; without what it carried over';
COMMENT ON COLUMN privacct.ledger_sum.charge_id IS 'the last line that is in the sums';
COMMENT ON COLUMN privacct.ledger_sum.charges IS 'how many there were';
COMMENT ON COLUMN privacct.ledger_sum.named_epsilon IS 'pufferfish regime: of the sum, what was about owners that were named';
COMMENT ON COLUMN privacct.ledger_sum.named_delta IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_epsilon IS 'of the sum, what is of lines that fold_ledger() took out of the ledger';
COMMENT ON COLUMN privacct.ledger_sum.folded_delta IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_rho IS 'likewise';
COMMENT ON COLUMN privacct.ledger_sum.folded_charges IS 'how many these were';

CREATE TABLE privacct.payer_sum (
	policy_id bigint NOT NULL,
	payer name NOT NULL,
	epsilon numeric NOT NULL CHECK (epsilon >= 0),
	delta numeric NOT NULL CHECK (delta >= 0),
	rho numeric NOT NULL CHECK (rho >= 0),
	charges bigint NOT NULL CHECK (charges >= 0),
	PRIMARY KEY (policy_id, payer)
);
COMMENT ON TABLE privacct.payer_sum IS 'as ledger_sum, by who paid';
COMMENT ON COLUMN privacct.payer_sum.payer IS 'whose quota paid';
COMMENT ON COLUMN privacct.payer_sum.charges IS 'how many there were';

CREATE TABLE privacct.release_sum (
	policy_id bigint NOT NULL,
	hash bytea NOT NULL,
	epsilon numeric NOT NULL,
	mechanisms jsonb NOT NULL,
	slots jsonb,
	charges bigint NOT NULL CHECK (charges >= 0),
	PRIMARY KEY (policy_id, hash)
);
COMMENT ON TABLE privacct.release_sum IS 'which releases there were up to the same line, equal ones together';
COMMENT ON COLUMN privacct.release_sum.hash IS 'of the next three columns';
COMMENT ON COLUMN privacct.release_sum.epsilon IS 'that one of them was charged';
COMMENT ON COLUMN privacct.release_sum.mechanisms IS 'what one of them released, as compose() takes it';
COMMENT ON COLUMN privacct.release_sum.slots IS 'slots of a plan that one of them used';
COMMENT ON COLUMN privacct.release_sum.charges IS 'how many there were';

SELECT pg_catalog.pg_extension_config_dump('privacct.ledger_sum', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.payer_sum', '');
SELECT pg_catalog.pg_extension_config_dump('privacct.release_sum', '');
REVOKE ALL ON privacct.ledger_sum, privacct.payer_sum, privacct.release_sum FROM PUBLIC;

--
-- Lines
--

-- Whatever may have charges, so that a look at one policy reads its lines alone.
CREATE VIEW privacct._summed AS
SELECT b.policy_id, coalesce(s.charge_id, 0) AS charge_id
FROM (SELECT p.policy_id FROM privacct.policy p UNION SELECT t.policy_id FROM privacct.ledger_sum t) b
LEFT JOIN privacct.ledger_sum s ON s.policy_id = b.policy_id;
COMMENT ON VIEW privacct._summed IS 'up to which line the ledger of each policy is summed';

-- What time has cost is apart: a sample of owners does not amplify it.  Of a line whose
-- description is not there its amounts count.
CREATE FUNCTION privacct._mechanisms(detail jsonb, epsilon numeric, delta numeric) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT CASE WHEN detail IS NULL OR detail - '{owners,slots}'::text[] = '{}'	-- lost: no promise at all
	THEN '[{"statistics": [{"epsilon": 1000000, "delta": 1}]}]'
	WHEN NOT detail ? 'regime' THEN jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
		'statistics', coalesce((SELECT jsonb_agg(
			CASE WHEN s ? 'noise'
			THEN jsonb_build_object('noise', s->'noise', 'steps', s->'steps', 'groups', detail->'groups_per_owner')
			ELSE jsonb_build_object('epsilon', s->'epsilon', 'delta', s->'delta') END)
			FROM jsonb_array_elements(detail->'statistics') s), '[]')
			|| CASE WHEN detail ? 'rest' THEN jsonb_build_array(detail->'rest') ELSE '[]' END,
		'delta', detail->'selection_delta', 'sample_rate', detail->'sample_rate'))) ELSE '[]' END
	|| CASE WHEN detail ? 'time' THEN jsonb_build_array(jsonb_build_object('statistics',
		jsonb_build_array(jsonb_build_object('epsilon', detail->'time'->'epsilon', 'delta', detail->'time'->'delta')))) ELSE '[]' END
$$;
COMMENT ON FUNCTION privacct._mechanisms(jsonb, numeric, numeric) IS 'what a charge of this detail and these amounts released, as compose() takes it';

CREATE VIEW privacct._charge AS
SELECT l.charge_id, l.policy_id, coalesce(l.payer, l.role)::name AS payer, l.epsilon, l.delta, l.rho, coalesce(l.detail ? 'owners', false) AS named, l.detail->'slots' AS slots,
	privacct._mechanisms(coalesce(d.detail, l.detail), l.epsilon, l.delta) AS mechanisms, coalesce(d.detail, l.detail) AS detail
FROM privacct.ledger_line l LEFT JOIN privacct.ledger_line d ON d.charge_id = l.detail_of
WHERE NOT coalesce(l.detail ? 'carried_from_policy', false);
COMMENT ON VIEW privacct._charge IS 'lines of the ledger that are charges, with what they released';

CREATE VIEW privacct._release AS
SELECT c.charge_id, c.policy_id, e.epsilon, c.mechanisms, c.slots,
	pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(e.epsilon, c.mechanisms, c.slots)::text, 'UTF8')) AS hash
FROM privacct._charge c CROSS JOIN LATERAL (SELECT pg_catalog.trim_scale(c.epsilon)) e(epsilon);
COMMENT ON VIEW privacct._release IS 'charges, those of equal releases alike';

CREATE VIEW privacct._tail AS
SELECT s.policy_id, c.charge_id, c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.mechanisms
FROM privacct._summed s
-- By the index, policy for policy: the planner, which does not know that the limit is
-- none, plans for few lines, and few there are.
CROSS JOIN LATERAL (SELECT l.* FROM privacct._charge l WHERE l.policy_id = s.policy_id AND l.charge_id > s.charge_id
	ORDER BY l.charge_id LIMIT (SELECT 9223372036854775807)) c;
COMMENT ON VIEW privacct._tail IS 'charges that are not in the sums yet';

CREATE VIEW privacct._carried AS
SELECT l.policy_id, (l.detail->>'carried_from_policy')::bigint AS source, coalesce(l.payer, l.role)::name AS payer, l.epsilon, l.delta, l.rho, (l.detail->>'charges')::bigint AS charges
FROM privacct.ledger_line l WHERE l.detail ? 'carried_from_policy' AND NOT l.detail ? 'fresh';
COMMENT ON VIEW privacct._carried IS 'lines of the ledger that say what a policy carried over';

--
-- Sums, with the lines that are not in the tables yet
--

CREATE VIEW privacct._charged AS
SELECT s.policy_id, coalesce(t.epsilon, 0) + c.epsilon AS epsilon, coalesce(t.delta, 0) + c.delta AS delta, coalesce(t.rho, 0) + c.rho AS rho, coalesce(t.charges, 0) + c.charges AS charges,
	coalesce(t.named_epsilon, 0) + c.named_epsilon AS named_epsilon, coalesce(t.named_delta, 0) + c.named_delta AS named_delta
FROM privacct._summed s
LEFT JOIN privacct.ledger_sum t ON t.policy_id = s.policy_id
CROSS JOIN LATERAL (SELECT coalesce(sum(l.epsilon), 0) AS epsilon, coalesce(sum(l.delta), 0) AS delta, coalesce(sum(l.rho), 0) AS rho, pg_catalog.count(*) AS charges,
		coalesce(sum(l.epsilon) FILTER (WHERE l.named), 0) AS named_epsilon, coalesce(sum(l.delta) FILTER (WHERE l.named), 0) AS named_delta
	FROM (SELECT g.epsilon, g.delta, g.rho, g.named FROM privacct._charge g WHERE g.policy_id = s.policy_id AND g.charge_id > s.charge_id
		ORDER BY g.charge_id LIMIT (SELECT 9223372036854775807)) l) c;
COMMENT ON VIEW privacct._charged IS 'what each policy charged, without what it carried over';

CREATE VIEW privacct._paid AS
SELECT t.policy_id, t.policy_id AS source, t.payer, t.epsilon, t.delta, t.rho, t.charges FROM privacct.payer_sum t
UNION ALL SELECT l.policy_id, l.policy_id, l.payer, l.epsilon, l.delta, l.rho, 1 FROM privacct._tail l
UNION ALL SELECT c.policy_id, c.source, c.payer, c.epsilon, c.delta, c.rho, coalesce(c.charges, 0) FROM privacct._carried c;
COMMENT ON VIEW privacct._paid IS 'what each payer was charged under a policy, by the policy that charged it, in several rows';

CREATE VIEW privacct._released AS
SELECT t.policy_id, t.epsilon, t.mechanisms, t.slots, t.charges FROM privacct.release_sum t
UNION ALL SELECT l.policy_id, l.epsilon, l.mechanisms, l.slots, 1 FROM privacct._tail l;
COMMENT ON VIEW privacct._released IS 'which releases a policy made; equal ones may be in several rows';

--
-- Bringing them forward
--

-- Nothing is charged to the policy meanwhile: the worker, and whoever calls
-- _await_charges(), see to that.
CREATE FUNCTION privacct._sum_ledger(id bigint, lines bigint DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	first bigint := coalesce((SELECT t.charge_id FROM privacct.ledger_sum t WHERE t.policy_id = id), 0) + 1;
	last bigint := (SELECT max(l.charge_id) FROM (SELECT c.charge_id FROM privacct.ledger_line c WHERE c.policy_id = id AND c.charge_id >= first ORDER BY c.charge_id LIMIT lines) l);
BEGIN
	IF last IS NULL THEN
		RETURN true;
	END IF;
	WITH line AS MATERIALIZED (			-- most are alike
		SELECT c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.detail, count(*) AS charges
		FROM privacct._charge c WHERE c.policy_id = id AND c.charge_id BETWEEN first AND last
		GROUP BY c.payer, c.epsilon, c.delta, c.rho, c.named, c.slots, c.detail),
	released AS (
		INSERT INTO privacct.release_sum AS t
		SELECT id, sha256(convert_to(jsonb_build_array(r.epsilon, r.mechanisms, r.slots)::text, 'UTF8')), r.epsilon, r.mechanisms, r.slots, sum(r.charges)
		FROM (SELECT trim_scale(l.epsilon) AS epsilon, privacct._mechanisms(l.detail, l.epsilon, l.delta) AS mechanisms, l.slots, l.charges FROM line l OFFSET 0) r
		GROUP BY r.epsilon, r.mechanisms, r.slots
		ON CONFLICT ON CONSTRAINT release_sum_pkey DO UPDATE SET charges = t.charges + excluded.charges),
	paid AS (
		INSERT INTO privacct.payer_sum AS t
		SELECT id, l.payer, sum(l.charges * l.epsilon), sum(l.charges * l.delta), sum(l.charges * l.rho), sum(l.charges) FROM line l GROUP BY l.payer
		ON CONFLICT ON CONSTRAINT payer_sum_pkey DO UPDATE
		SET epsilon = t.epsilon + excluded.epsilon, delta = t.delta + excluded.delta, rho = t.rho + excluded.rho, charges = t.charges + excluded.charges)
	INSERT INTO privacct.ledger_sum AS t (policy_id, charge_id, epsilon, delta, rho, charges, named_epsilon, named_delta)
	SELECT id, last, coalesce(sum(l.charges * l.epsilon), 0), coalesce(sum(l.charges * l.delta), 0), coalesce(sum(l.charges * l.rho), 0), coalesce(sum(l.charges), 0),
		coalesce(sum(l.charges * l.epsilon) FILTER (WHERE l.named), 0), coalesce(sum(l.charges * l.delta) FILTER (WHERE l.named), 0)
	FROM line l
	ON CONFLICT ON CONSTRAINT ledger_sum_pkey DO UPDATE
	SET charge_id = excluded.charge_id, epsilon = t.epsilon + excluded.epsilon, delta = t.delta + excluded.delta, rho = t.rho + excluded.rho,
		charges = t.charges + excluded.charges, named_epsilon = t.named_epsilon + excluded.named_epsilon, named_delta = t.named_delta + excluded.named_delta;
	RETURN NOT EXISTS (SELECT FROM privacct.ledger_line l WHERE l.policy_id = id AND l.charge_id > last);
END
$$;
COMMENT ON FUNCTION privacct._sum_ledger(bigint, bigint) IS 'adds lines of a policy to its sums, so many at most; true if that were all';

CREATE VIEW privacct._in_ledger AS
WITH RECURSIVE found(policy_id) AS (
	SELECT (SELECT min(l.policy_id) FROM privacct.ledger_line l)
	UNION ALL
	SELECT (SELECT min(l.policy_id) FROM privacct.ledger_line l WHERE l.policy_id > f.policy_id) FROM found f WHERE f.policy_id IS NOT NULL)
SELECT f.policy_id FROM found f WHERE f.policy_id IS NOT NULL;
COMMENT ON VIEW privacct._in_ledger IS 'policies that have lines in the ledger, each by one look into its index';

REVOKE ALL ON privacct._summed, privacct._charge, privacct._release, privacct._tail, privacct._carried, privacct._charged, privacct._paid, privacct._released, privacct._in_ledger FROM PUBLIC;
REVOKE ALL ON FUNCTION privacct._mechanisms(jsonb, numeric, numeric), privacct._sum_ledger(bigint, bigint) FROM PUBLIC;
-- what views call tells nothing that its argument does not
GRANT EXECUTE ON FUNCTION privacct._mechanisms(jsonb, numeric, numeric) TO PUBLIC;

DO $$
BEGIN
	PERFORM privacct._sum_ledger(p.policy_id) FROM privacct._in_ledger p;
END
$$;
