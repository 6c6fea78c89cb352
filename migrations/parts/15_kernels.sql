-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Names of kernels.
--

--
-- The names of kernels come from the library, which has the one list of them.
--
-- A version with another kernel changes nothing here.
--

CREATE OR REPLACE FUNCTION privacct._kernels(property text) RETURNS text[]
	AS 'MODULE_PATHNAME', 'pa_kernels' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._kernels(text)
	IS 'names of kernels: any, plain (without an error bound), pure (without a delta), planned (slots of a plan can '
	'have it)';
