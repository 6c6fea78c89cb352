-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Which releases are repeated.
--

CREATE OR REPLACE FUNCTION privacct._forget_releases(id bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
	DELETE FROM privacct.stored_release s USING privacct.policy p
	WHERE p.policy_id = id AND s.policy_id IN (p.policy_id, p.unit)
$$;
COMMENT ON FUNCTION privacct._forget_releases(bigint)
	IS 'forgets releases that a policy, or its unit, has paid for: they are not repeated';

CREATE OR REPLACE FUNCTION privacct._kept_releases(relation regclass, OUT kept bigint, OUT made_at timestamptz)
	AS 'MODULE_PATHNAME', 'pa_kept_releases' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION privacct._kept_releases(regclass)
	IS 'how many releases are kept for the privacy unit of a table, and when the oldest was made; nulls for who does '
	'not administer it, and on a standby';

CREATE OR REPLACE FUNCTION privacct._check_repeats(p privacct.policy, age interval, shared boolean,
	unchanged boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF shared IS NULL OR unchanged IS NULL THEN
		RAISE EXCEPTION '% must not be null', CASE WHEN shared IS NULL THEN 'shared' ELSE 'unchanged' END
			USING ERRCODE = '22004';
	ELSIF (age IS NOT NULL OR unchanged) AND p.regime <> 'central' THEN
		RAISE EXCEPTION 'releases of table % cannot be repeated', p.relation
			USING ERRCODE = '42PA4',
				  DETAIL = format('Its regime is %s: only central releases are kept.', p.regime),
				  HINT = 'Leave age null, and unchanged out.';
	ELSIF extract(month FROM age) <> 0 OR extract(year FROM age) <> 0
		OR NOT (age >= '1 ms' AND age <= '3660 days') THEN
		RAISE EXCEPTION 'age is out of range'
			USING ERRCODE = '42PA4', DETAIL = 'It must be from 1 ms to 3660 days, without months and years.',
				HINT = 'For example age => ''1 day'', or null for no repeats.';
	END IF;
END
$$;
COMMENT ON FUNCTION privacct._check_repeats(privacct.policy, interval, boolean, boolean)
	IS 'whether releases of a policy can be repeated so';

CREATE OR REPLACE FUNCTION privacct._set_repeats(caller regrole, relation regclass, age interval, shared boolean,
	unchanged boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET privacct.write_books = on AS $$
#variable_conflict use_variable
DECLARE
	old privacct.policy;
BEGIN
	PERFORM privacct._lock(relation);
	old := privacct._policy_of(relation);
	PERFORM privacct._check_repeats(old, age, shared, unchanged);
	UPDATE privacct.policy p SET repeat_age = age, repeats_shared = shared,
		repeats_unchanged = unchanged WHERE p.policy_id = old.policy_id;
	-- those that were kept under other rules are for nobody any more
	PERFORM privacct._forget_releases(old.policy_id);
END
$$;
COMMENT ON FUNCTION privacct._set_repeats(regrole, regclass, interval, boolean, boolean) IS 'worker of set_repeats';
