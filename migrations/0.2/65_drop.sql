--
-- DROP EXTENSION forgets what was spent: not by accident.
--

CREATE FUNCTION privacct._check_may_forget() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	spent text := (SELECT string_agg(p.relation_name, ', ' ORDER BY p.relation_name) FROM privacct.policy p
		WHERE p.closed_at IS NULL AND EXISTS (SELECT FROM privacct._paid l WHERE l.policy_id = p.policy_id AND (l.epsilon > 0 OR l.delta > 0 OR l.rho > 0)));
BEGIN
	IF spent IS NOT NULL AND NOT coalesce(current_setting('privacct.allow_drop_extension', true)::boolean, false) THEN
		RAISE EXCEPTION 'dropping the extension would forget what protected tables have spent'
			USING ERRCODE = 'PA004',
				  DETAIL = format('Protected, and with charges: %s.', spent),
				  HINT = 'Keep a copy of privacct.ledger; then, as a superuser, SET privacct.allow_drop_extension = on.';
	ELSIF EXISTS (SELECT FROM privacct.history h WHERE privacct._has_spent(h)) THEN
		RAISE WARNING 'what tables have spent is forgotten'
			USING DETAIL = 'If one of them is protected again, it starts from zero.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_may_forget() IS 'the extension is not dropped while a policy with charges is open, unless privacct.allow_drop_extension is on';

REVOKE ALL ON FUNCTION privacct._check_may_forget() FROM PUBLIC;
