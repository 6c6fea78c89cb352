--
-- The names of kernels come from the library, which has the one list of them.
--
-- A version with another kernel changes nothing here.
--

CREATE FUNCTION privacct._kernels(property text) RETURNS text[]
	AS 'MODULE_PATHNAME', 'pa_kernels' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION privacct._kernels(text) IS 'names of kernels: any, plain (without an error bound), pure (without a delta), planned (slots of a plan can have it)';
REVOKE ALL ON FUNCTION privacct._kernels(text) FROM PUBLIC;

-- What nobody chose: the default noise of an accountant.
CREATE OR REPLACE FUNCTION privacct._default_kernel(accountant text) RETURNS text
	AS 'MODULE_PATHNAME', 'pa_default_kernel_name' LANGUAGE C IMMUTABLE STRICT;

ALTER TABLE privacct.policy
	DROP CONSTRAINT policy_kernel_check,
	DROP CONSTRAINT policy_kernels_check,
	ADD CONSTRAINT policy_kernel_check CHECK (kernel = ANY (privacct._kernels('plain'))),
	ADD CONSTRAINT policy_kernels_check CHECK (kernels <@ privacct._kernels('any'));
ALTER TABLE privacct.slot
	DROP CONSTRAINT slot_kernel_check,
	ADD CONSTRAINT slot_kernel_check CHECK (kernel = ANY (privacct._kernels('planned')));

CREATE OR REPLACE FUNCTION privacct._check_noise(accountant text, kernel text, kernels text[], sample_rate float8, delta numeric) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known text[] := privacct._kernels('any');
	plain text[] := privacct._kernels('plain');
BEGIN
	IF kernel <> ALL (plain) THEN
		RAISE EXCEPTION 'unknown default kernel'
			USING ERRCODE = 'PA004',
				  HINT = format('Without an error bound noise is %s.', (SELECT string_agg(quote_literal(p), ' or ' ORDER BY i) FROM unnest(plain) WITH ORDINALITY u (p, i)));
	ELSIF kernel <> ALL (privacct._kernels('pure')) AND delta = 0 THEN
		RAISE EXCEPTION 'the % kernel needs a delta above 0', kernel
			USING ERRCODE = 'PA004', HINT = 'Give a delta, for example 1e-6, or choose kernel => ''laplace''.';
	ELSIF array_position(kernels, NULL) IS NOT NULL OR NOT kernels <@ known THEN
		RAISE EXCEPTION 'unknown kernel among the kernels'
			USING ERRCODE = 'PA004', HINT = format('Kernels are %s and %s.', array_to_string(trim_array(known, 1), ', '), known[cardinality(known)]);
	ELSIF accountant = 'plan' AND sample_rate < 1 THEN
		RAISE EXCEPTION 'releases under a plan are not on a sample of owners'
			USING ERRCODE = 'PA004', HINT = 'Leave sample_rate at 1, or choose another accountant.';
	ELSIF accountant <> 'plan' AND NOT ARRAY[coalesce(kernel, privacct._default_kernel(accountant))] <@ kernels THEN
		RAISE EXCEPTION 'the default kernel is not among the kernels'
			USING ERRCODE = 'PA004',
				  DETAIL = 'Releases without an error bound, and the selection of groups, need it.',
				  HINT = format('Add %L, or name another kernel.', coalesce(kernel, privacct._default_kernel(accountant)));
	ELSIF sample_rate IS NULL OR NOT (sample_rate >= 1e-6 AND sample_rate <= 1) THEN
		RAISE EXCEPTION 'sample_rate is out of range'
			USING ERRCODE = 'PA004', DETAIL = 'It is a probability of at least 1e-6, and 1 for no sampling.';
	END IF;
END
$$;
