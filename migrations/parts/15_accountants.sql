-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Accountants: what the library's rows say of them.  Nothing else here knows one by
-- name, except where a regime has only one.
--

CREATE OR REPLACE FUNCTION privacct._accountants(property text) RETURNS text[]
	AS 'MODULE_PATHNAME', 'pa_accountants' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._accountants(text)
	IS 'names of accountants: any, pure (without a delta), planned (slots decide, not sums)';

CREATE OR REPLACE FUNCTION privacct._currency(accountant text) RETURNS text
	AS 'MODULE_PATHNAME', 'pa_accountant_currency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._currency(text)
	IS 'what is spent under an accountant, beside delta: the column of accounts that is compared with a cap';
