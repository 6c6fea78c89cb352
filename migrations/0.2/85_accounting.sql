-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Accounts are of tables; those of owners were a word without anything behind it.
--

CREATE OR REPLACE FUNCTION privacct._check_choices(regime text, accounting text, accountant text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF regime IS NULL OR accounting IS NULL OR accountant IS NULL THEN
		RAISE EXCEPTION 'regime, accounting and accountant must not be null' USING ERRCODE = '22004';
	ELSIF regime = 'pufferfish' THEN
		RAISE EXCEPTION 'this regime needs priors'
			USING ERRCODE = 'PA004', HINT = 'Call privacct.protect_entries().';
	ELSIF regime NOT IN ('central', 'local') OR accounting <> 'table' THEN
		RAISE EXCEPTION 'unknown regime or accounting'
			USING ERRCODE = 'PA004', HINT = 'Use regime => ''central'' or ''local'', accounting => ''table''.';
	ELSIF accountant NOT IN ('basic', 'zcdp', 'plan') THEN
		RAISE EXCEPTION 'unknown accountant'
			USING ERRCODE = 'PA004', HINT = 'The accountants are ''basic'', ''zcdp'' and ''plan''.';
	END IF;
END
$$;

ALTER TABLE privacct.policy DROP CONSTRAINT policy_accounting_check;
ALTER TABLE privacct.policy ADD CONSTRAINT policy_accounting_check CHECK (accounting = 'table');
