--
-- Local regime: how much is kept of what owners answered, so that what is missing shows.
--

ALTER TABLE privacct.account ADD questions int NOT NULL DEFAULT 0 CHECK (questions >= 0);
COMMENT ON COLUMN privacct.account.questions IS 'local regime, in the account of the table (role 0): the last question that was recorded in privacct.question';
UPDATE privacct.account a SET questions = q.last
FROM (SELECT policy_id, pg_catalog.max(question) AS last FROM privacct.question GROUP BY policy_id) q
WHERE a.policy_id = q.policy_id AND a.role::oid = 0;

ALTER TABLE privacct.owner_state_at ADD owners int CHECK (owners >= 0), ADD states int CHECK (states > 0);
COMMENT ON COLUMN privacct.owner_state_at.owners IS 'how many owners owner_state has; null: not known, of states that version 0.1 wrote';
COMMENT ON COLUMN privacct.owner_state_at.states IS 'how many states likelihood has; null: likewise';

-- An account that is rebuilt from the ledger knows of each charge for how many questions
-- it was, but not whether they were put.  What was charged after the last question that
-- is there may be of questions that are lost.
CREATE FUNCTION privacct._questions_of_ledger(p privacct.policy) RETURNS int
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT least(there.last + (SELECT coalesce(sum(coalesce((l.detail->>'questions_count')::bigint, 1)), 0) FROM privacct.ledger l
		WHERE l.policy_id = p.policy_id AND l.charge_id > there.charge AND p.regime = 'local' AND NOT coalesce(l.detail ? 'carried_from_policy', false)), 2147483647)::int
	FROM (SELECT coalesce(max(q.question), 0) AS last, coalesce(max(q.charge_id), 0) AS charge FROM privacct.question q WHERE q.policy_id = p.policy_id) there
$$;
COMMENT ON FUNCTION privacct._questions_of_ledger(privacct.policy) IS 'local regime: the most questions that may have been recorded';
REVOKE ALL ON FUNCTION privacct._questions_of_ledger(privacct.policy) FROM PUBLIC;

-- Tables that do not fit into memory become numbers.
ALTER TABLE privacct.answer ADD most_states int CHECK (most_states > 0);
COMMENT ON COLUMN privacct.answer.most_states IS 'how many states there may be afterwards, for all others bounds stand; null: no matter how many';
ALTER TABLE privacct.likelihood ADD folded float8 NOT NULL DEFAULT 0 CHECK (folded >= 0);
COMMENT ON COLUMN privacct.likelihood.folded IS 'bound of what answers gave away that neither log_likelihood nor answers tell any more';
