-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Aggregates.
--

-- dp_ aggregates and total functions
--
-- The aggregates are computed by the release node of a guarded block; their
-- transition and final functions raise an error wherever else they are called.
CREATE OR REPLACE FUNCTION privacct._block_transition(internal) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, "any") RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, "any")
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, "any", text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, "any", text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, double precision) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, double precision)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, double precision, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, double precision, double precision, double precision)
	RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, double precision, double precision, double precision,
	text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, double precision, double precision, double precision, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, boolean) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, boolean)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, boolean, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, boolean, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_bigint(internal) RETURNS bigint
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_bigint(internal)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_float8(internal) RETURNS double precision
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_float8(internal)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_boolean(internal) RETURNS boolean
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_boolean(internal)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._rank(internal, anyelement, double precision, integer) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_rank';
COMMENT ON FUNCTION privacct._rank(internal, anyelement, double precision, integer)
	IS 'internal: collects values with their scores';

CREATE OR REPLACE FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_first_ranked';
COMMENT ON FUNCTION privacct._first_ranked(internal, anyelement, double precision, integer)
	IS 'internal: the values with the greatest scores';

CREATE OR REPLACE FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_top_ranked';
COMMENT ON FUNCTION privacct._top_ranked(internal, anyelement, double precision, integer)
	IS 'internal: the value with the greatest score';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, anyelement, integer) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, integer)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, anyelement, integer, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, integer, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_array(internal, anyelement, integer) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_array(internal, anyelement, integer)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_array(internal, anyelement, integer, text) RETURNS anyarray
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_array(internal, anyelement, integer, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

-- Questions to owners (local regime).
CREATE OR REPLACE FUNCTION privacct._block_transition(internal, "any", oid, bigint) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, "any", oid, bigint)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, anyelement) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_transition(internal, anyelement, text) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_jsonb(internal) RETURNS jsonb
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_jsonb(internal)
	IS 'raises an error: ldp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_element(internal, anyelement) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_element(internal, anyelement)
	IS 'raises an error: ldp_ aggregates are computed by the release node only';

CREATE OR REPLACE FUNCTION privacct._block_final_element(internal, anyelement, text) RETURNS anyelement
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_final_element(internal, anyelement, text)
	IS 'raises an error: ldp_ aggregates are computed by the release node only';

CREATE OR REPLACE AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any")
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any")
	IS 'internal: marks a guarded block and carries its owner column';

CREATE OR REPLACE AGGREGATE privacct._score(x anyelement, k integer, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._score(anyelement, integer, text)
	IS 'internal: what dp_topk ranks by, a noisy count or the rank that was drawn';

-- the planner looks up who may execute these: they stand in the query of whoever asks
CREATE OR REPLACE AGGREGATE privacct._first(x anyelement, score double precision, k integer)
	(SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._first_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._first(anyelement, double precision, integer)
	IS 'internal: the k values with the greatest scores';

CREATE OR REPLACE AGGREGATE privacct._top(x anyelement, score double precision, k integer)
	(SFUNC = privacct._rank, STYPE = internal,
	FINALFUNC = privacct._top_ranked, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._top(anyelement, double precision, integer)
	IS 'internal: the value with the greatest score';

CREATE OR REPLACE AGGREGATE privacct._local_marker("any", oid, bigint) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._local_marker("any", oid, bigint) IS 'internal: marks a guarded block that asks owners';

-- The aggregates for everybody.  All are alike: what they are computed from is in their arguments, and how is for the
-- release node.  Where "options" is true there is a second form with them as its last argument.
DO $$
DECLARE
	a record;
	more text;
	name text;
BEGIN
	FOR a IN SELECT * FROM (VALUES
		('dp_count', '*', 'bigint', false, 'noisy number of rows'),
		('dp_count', '"any"', 'bigint', true, 'noisy number of values that are not NULL'),
		('dp_count_owners', '*', 'bigint', false, 'noisy number of distinct owners'),
		('dp_sum', 'x boolean', 'float8', true, 'noisy sum of a boolean taken as 0 or 1'),
		('dp_sum', 'x double precision', 'float8', true, 'noisy sum, clamped to the declared bounds'),
		('dp_sum', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy sum of values clamped to [lo, hi]'),
		('dp_avg', 'x boolean', 'float8', true, 'noisy average of a boolean taken as 0 or 1'),
		('dp_avg', 'x double precision', 'float8', true, 'noisy average, clamped to the declared bounds'),
		('dp_avg', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy average of values clamped to [lo, hi]'),
		('dp_var_pop', 'x double precision', 'float8', true,
		'noisy population variance, clamped to the declared bounds'),
		('dp_var_pop', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy population variance of values clamped to [lo, hi]'),
		('dp_var_samp', 'x double precision', 'float8', true, 'noisy sample variance, clamped to the declared bounds'),
		('dp_var_samp', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy sample variance of values clamped to [lo, hi]'),
		('dp_variance', 'x double precision', 'float8', true, 'noisy sample variance, clamped to the declared bounds'),
		('dp_variance', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy sample variance of values clamped to [lo, hi]'),
		('dp_stddev_pop', 'x double precision', 'float8', true,
		'noisy population standard deviation, clamped to the declared bounds'),
		('dp_stddev_pop', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy population standard deviation of values clamped to [lo, hi]'),
		('dp_stddev_samp', 'x double precision', 'float8', true,
		'noisy sample standard deviation, clamped to the declared bounds'),
		('dp_stddev_samp', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy sample standard deviation of values clamped to [lo, hi]'),
		('dp_stddev', 'x double precision', 'float8', true,
		'noisy sample standard deviation, clamped to the declared bounds'),
		('dp_stddev', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'noisy sample standard deviation of values clamped to [lo, hi]'),
		('dp_topk', 'x anyelement, k integer', 'array', false,
		'the k most frequent declared values of a column, most frequent first: by noisy counts, for k = 1 by the '
		'exponential mechanism'),
		('dp_topk', 'x anyelement, k integer, options text', 'array', false,
		'the k most frequent declared values of a column, most frequent first; kernel=exponential: drawn by the '
		'exponential mechanism'),
		('ldp_avg', 'x double precision', 'float8', true,
		'mean estimated from randomised answers of owners, over the range of x'),
		('ldp_avg', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'mean estimated from randomised answers of owners, clamped to [lo, hi]'),
		('ldp_sum', 'x double precision', 'float8', true,
		'sum estimated from randomised answers of owners, over the range of x'),
		('ldp_sum', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'sum estimated from randomised answers of owners, clamped to [lo, hi]'),
		('ldp_count', 'predicate boolean', 'float8', true,
		'number of owners for whom the predicate is true, among those who answered, estimated from randomised answers'),
		('ldp_histogram', 'x anyelement', 'jsonb', true,
		'number of owners with each value, among those who answered, estimated from randomised answers'),
		('ldp_response', 'x anyelement', 'element', true, 'a row for each owner who answers, with a randomised value'),
		('ldp_response', 'x double precision, lo double precision, hi double precision', 'float8', true,
		'a row for each owner who answers, with lo or hi (or with a noisy number) for x'),
		('dp_mode', 'x anyelement', 'element', false,
		'the most frequent declared value of a column, by the exponential mechanism'),
		('dp_mode', 'x anyelement, options text', 'element', false,
		'the most frequent declared value of a column, by the exponential mechanism or the noise of the options')
		) v(name, arguments, result, options, remark)
	LOOP
		FOREACH more IN ARRAY CASE WHEN a.options THEN '{"", ", options text"}'::text[] ELSE '{""}' END
		LOOP
			name := pg_catalog.format('privacct.%I(%s)', a.name, a.arguments || more);
			EXECUTE pg_catalog.format(
				'CREATE OR REPLACE AGGREGATE %s (SFUNC = privacct._block_transition, STYPE = internal,'
				' FINALFUNC = privacct.%I, FINALFUNC_EXTRA = %s, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED)',
				name, '_block_final_' || a.result, (a.result IN ('array', 'element'))::text);
			EXECUTE pg_catalog.format('COMMENT ON AGGREGATE %s IS %L', name,
				a.remark || CASE WHEN more <> '' THEN ', with options' ELSE '' END);
		END LOOP;
	END LOOP;
END
$$;
