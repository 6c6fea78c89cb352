--
-- Rows that come by INSERT or COPY.
--
-- A restore brings rows, in any order, and so may anybody who can write to the tables
-- of the extension: who writes tells nothing.  So what comes is compared with what is
-- there, whichever of the two comes last: an account is never less than the ledger,
-- and a plan does not promise more than its policy.  A policy is not asked anything
-- before its history is there, which its own rows cannot make smaller.
--

CREATE FUNCTION privacct._settle_accounts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p privacct.policy;
BEGIN
	-- of an account that is not there yet the row is still to come
	FOR p IN SELECT q.* FROM privacct.policy q JOIN privacct._sums s ON s.policy_id = q.policy_id
		WHERE q.closed_at IS NULL AND s.has_account
		AND (s.epsilon < s.ledger_epsilon OR s.delta < s.ledger_delta OR s.rho < s.ledger_rho OR s.releases < s.ledger_releases
			OR s.spared_epsilon > 0 AND s.epsilon - s.spared_epsilon < s.everybodys_epsilon OR s.spared_delta > 0 AND s.delta - s.spared_delta < s.everybodys_delta)
	LOOP
		PERFORM privacct._repair_total(p);
		RAISE WARNING 'the account of % was less than the ledger', p.relation
			USING DETAIL = 'It has been raised to what the ledger says.';
	END LOOP;
END
$$;
COMMENT ON FUNCTION privacct._settle_accounts() IS 'brings accounts that came by hand or by a restore to what the ledger says';
CREATE FUNCTION privacct._on_arrival() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM privacct._settle_accounts();
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._on_arrival() IS 'accounts and lines of the ledger that come by hand or by a restore are compared';
CREATE TRIGGER settled AFTER INSERT ON privacct.account FOR EACH STATEMENT
	WHEN (pg_catalog.current_setting('privacct.write_books', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION privacct._on_arrival();
CREATE TRIGGER settled AFTER INSERT ON privacct.ledger_line FOR EACH STATEMENT
	WHEN (pg_catalog.current_setting('privacct.write_books', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION privacct._on_arrival();

-- The noise of a plan is the least that keeps its promise: what is added to it breaks that.
CREATE FUNCTION privacct._check_plans() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p record;
BEGIN
	FOR p IN SELECT q.relation, q.epsilon - i.epsilon AS epsilon, greatest(q.delta - i.delta, 0)::float8 AS delta, s.mechanisms
		FROM (SELECT DISTINCT r.policy_id FROM arrived r) a
		CROSS JOIN LATERAL (SELECT o.* FROM privacct.policy o WHERE o.policy_id = a.policy_id OFFSET 0) q
		CROSS JOIN LATERAL (SELECT coalesce(sum(e.epsilon), 0) AS epsilon, coalesce(sum(e.delta), 0) AS delta FROM privacct.inherited e WHERE e.policy_id = q.policy_id) i
		CROSS JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('statistics', jsonb_build_array(jsonb_build_object('noise', t.noise, 'steps', 1024, 'groups', t.groups)), 'count', t.releases)) AS mechanisms
			FROM privacct.slot t WHERE t.policy_id = q.policy_id) s
		WHERE q.closed_at IS NULL AND s.mechanisms IS NOT NULL
	LOOP
		IF privacct.compose(p.mechanisms, p.delta) > p.epsilon THEN
			RAISE EXCEPTION 'the plan of % promises less than its policy', p.relation
				USING ERRCODE = '42501', DETAIL = 'Its releases would together cost more than the policy allows.', HINT = 'Use privacct.plan_budget().';
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION privacct._check_plans() IS 'refuses slots that a policy has no budget for';
CREATE TRIGGER within_promise AFTER INSERT ON privacct.slot REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION privacct._check_plans();
CREATE TRIGGER within_promise AFTER INSERT ON privacct.policy REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION privacct._check_plans();

DO $$
DECLARE
	t record;
BEGIN
	FOR t IN SELECT g.tgrelid::regclass AS relation, g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
		WHERE g.tgname IN ('settled', 'within_promise') AND c.relnamespace = 'privacct'::regnamespace
	LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', t.relation, t.tgname);
		EXECUTE format('COMMENT ON TRIGGER %I ON %s IS %L', t.tgname, t.relation, 'compares rows that come with what is there');
	END LOOP;
END
$$;
REVOKE ALL ON FUNCTION privacct._settle_accounts(), privacct._on_arrival(), privacct._check_plans() FROM PUBLIC;
