--
-- Old lines of the ledger are folded into its sums.
--
-- Nothing that decides or is shown of what was spent needs a single line: see
-- docs/dba-guide.md.  The last line stays, by which an empty ledger is known as one
-- that was lost, and so do lines whose description others have that stay.
--

CREATE FUNCTION privacct._take_out_lines(policy_id bigint, last bigint, but bigint[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'pa_take_out_lines' LANGUAGE C STRICT;
COMMENT ON FUNCTION privacct._take_out_lines(bigint, bigint, bigint[]) IS 'takes charges that are summed out of the ledger, up to a line and but for some, and returns how many';

-- An earlier policy's lines are older; of an open one nothing is charged meanwhile.
CREATE FUNCTION privacct._fold_policy(id bigint, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	last bigint;
	described bigint[];
	problem text;
BEGIN
	PERFORM privacct._await_charges(id);
	PERFORM privacct._sum_ledger(id);
	SELECT d.problem INTO problem FROM privacct._line_sums d WHERE d.policy_id = id AND d.problem IS NOT NULL;
	IF problem IS NOT NULL THEN
		RAISE EXCEPTION 'the ledger of a policy is not what its sums say'
			USING ERRCODE = 'PA004', DETAIL = format('Lines are folded only where they agree with their sums: %s.', problem), HINT = 'SELECT * FROM privacct.check_books() shows the remedy.';
	END IF;
	SELECT least(min(l.charge_id) FILTER (WHERE l.charged_at >= before), max(l.charge_id)) - 1 INTO last FROM privacct.ledger_line l WHERE l.policy_id = id;
	described := ARRAY(SELECT DISTINCT l.detail_of FROM privacct.ledger_line l WHERE l.policy_id = id AND l.charge_id > last AND l.detail_of <= last ORDER BY 1);
	UPDATE privacct.ledger_sum t SET folded_epsilon = t.folded_epsilon + c.epsilon, folded_delta = t.folded_delta + c.delta, folded_rho = t.folded_rho + c.rho,
		folded_charges = t.folded_charges + c.charges
	FROM (SELECT sum(l.epsilon) AS epsilon, sum(l.delta) AS delta, sum(l.rho) AS rho, count(*) AS charges
		  FROM privacct._charge l WHERE l.policy_id = id AND l.charge_id <= last AND l.charge_id <> ALL (described)) c
	WHERE t.policy_id = id AND c.charges > 0;
	RETURN coalesce(privacct._take_out_lines(id, last, described), 0);
END
$$;
COMMENT ON FUNCTION privacct._fold_policy(bigint, timestamptz) IS 'fold_ledger() for one policy';

CREATE FUNCTION privacct._fold_ledger(caller regrole, relation regclass, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	folded bigint;
BEGIN
	IF before IS NULL THEN
		RAISE EXCEPTION 'the time up to which lines are folded must be given' USING ERRCODE = 'PA004', HINT = 'For instance: before => now() - interval ''1 year''.';
	END IF;
	PERFORM privacct._lock(relation);
	PERFORM privacct._policy_of(relation);
	SELECT sum(privacct._fold_policy(f.policy_id, before)) INTO folded
	FROM (SELECT p.policy_id FROM privacct.policy p WHERE p.relation = _fold_ledger.relation ORDER BY p.policy_id) f;
	RETURN folded;
END
$$;
COMMENT ON FUNCTION privacct._fold_ledger(regrole, regclass, timestamptz) IS 'worker of fold_ledger';
CREATE FUNCTION privacct.fold_ledger(relation regclass, before timestamptz) RETURNS bigint AS 'MODULE_PATHNAME', 'pa_declare' LANGUAGE C;
COMMENT ON FUNCTION privacct.fold_ledger(regclass, timestamptz) IS 'takes charges of a table that were made before a time out of the ledger, and returns how many; what was spent, also by whom and for which releases, stays in its sums';
REVOKE ALL ON FUNCTION privacct._take_out_lines(bigint, bigint, bigint[]), privacct._fold_policy(bigint, timestamptz),
	privacct._fold_ledger(regrole, regclass, timestamptz), privacct.fold_ledger(regclass, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION privacct.fold_ledger(regclass, timestamptz) TO privacct_admin;
