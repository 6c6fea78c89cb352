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

CREATE OR REPLACE AGGREGATE privacct.dp_count(*) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count(*) IS 'noised number of rows';

CREATE OR REPLACE AGGREGATE privacct.dp_count("any") (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count("any") IS 'noised number of values that are not NULL';

CREATE OR REPLACE AGGREGATE privacct.dp_count("any", options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count("any", options text)
	IS 'noised number of values that are not NULL, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_count_owners(*) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_bigint, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_count_owners(*) IS 'noised number of distinct owners';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision) IS 'noised sum, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, options text)
	IS 'noised sum, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision)
	IS 'noised sum of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x double precision, lo double precision, hi double precision, options text)
	IS 'noised sum of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x boolean) IS 'noised sum of a boolean taken as 0 or 1';

CREATE OR REPLACE AGGREGATE privacct.dp_sum(x boolean, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_sum(x boolean, options text)
	IS 'noised sum of a boolean taken as 0 or 1, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision) IS 'noised average, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, options text)
	IS 'noised average, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision)
	IS 'noised average of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x double precision, lo double precision, hi double precision, options text)
	IS 'noised average of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x boolean) IS 'noised average of a boolean taken as 0 or 1';

CREATE OR REPLACE AGGREGATE privacct.dp_avg(x boolean, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_avg(x boolean, options text)
	IS 'noised average of a boolean taken as 0 or 1, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_var_pop(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision)
	IS 'noised population variance, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_var_pop(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, options text)
	IS 'noised population variance, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision)
	IS 'noised population variance of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_pop(x double precision, lo double precision, hi double precision, options text)
	IS 'noised population variance of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_var_samp(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision)
	IS 'noised sample variance, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_var_samp(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, options text)
	IS 'noised sample variance, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision)
	IS 'noised sample variance of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_var_samp(x double precision, lo double precision, hi double precision, options text)
	IS 'noised sample variance of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_variance(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision)
	IS 'noised sample variance, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_variance(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, options text)
	IS 'noised sample variance, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision)
	IS 'noised sample variance of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_variance(x double precision, lo double precision, hi double precision, options text)
	IS 'noised sample variance of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_pop(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision)
	IS 'noised population standard deviation, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_pop(x double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, options text)
	IS 'noised population standard deviation, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision)
	IS 'noised population standard deviation of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_pop(x double precision, lo double precision, hi double precision, options text)
	IS 'noised population standard deviation of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_samp(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision)
	IS 'noised sample standard deviation, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_samp(x double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, options text)
	IS 'noised sample standard deviation, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision)
	IS 'noised sample standard deviation of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev_samp(x double precision, lo double precision, hi double precision, options text)
	IS 'noised sample standard deviation of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev(x double precision) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision)
	IS 'noised sample standard deviation, clamped to the declared bounds';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, options text)
	IS 'noised sample standard deviation, clamped to the declared bounds, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision)
	IS 'noised sample standard deviation of values clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_stddev(x double precision, lo double precision, hi double precision, options text)
	IS 'noised sample standard deviation of values clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any")
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._owner_marker("any", oid, bigint, int, int, "any")
	IS 'internal: marks a guarded block and carries its owner column';

-- The most frequent values: scores in the block, ranked outside (guard/topk.c).
CREATE OR REPLACE FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text)
	RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE AGGREGATE privacct._score(x anyelement, k double precision, hi double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._score(anyelement, double precision, double precision, text)
	IS 'internal: what dp_topk ranks by, a noised count or the rank that was drawn';

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

CREATE OR REPLACE AGGREGATE privacct.dp_topk(x anyelement, k integer) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_array, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_topk(anyelement, integer)
	IS 'the k most frequent declared values of a column, most frequent first: by noised counts, for k = 1 by the '
	'exponential mechanism';

CREATE OR REPLACE AGGREGATE privacct.dp_topk(x anyelement, k integer, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_array, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_topk(anyelement, integer, text)
	IS 'the k most frequent declared values of a column, most frequent first; kernel=exponential: drawn by the '
	'exponential mechanism';

-- Questions to owners (local regime).
CREATE OR REPLACE FUNCTION privacct._block_transition(internal, "any", oid, bigint) RETURNS internal
	IMMUTABLE PARALLEL RESTRICTED LANGUAGE C AS 'MODULE_PATHNAME', 'pa_only_in_block';
COMMENT ON FUNCTION privacct._block_transition(internal, "any", oid, bigint)
	IS 'raises an error: dp_ aggregates are computed by the release node only';

CREATE OR REPLACE AGGREGATE privacct._local_marker("any", oid, bigint) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_boolean, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._local_marker("any", oid, bigint) IS 'internal: marks a guarded block that asks owners';

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

CREATE OR REPLACE AGGREGATE privacct.ldp_avg(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision)
	IS 'mean estimated from randomised answers of owners, over the range of x';

CREATE OR REPLACE AGGREGATE privacct.ldp_avg(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, options text)
	IS 'mean estimated from randomised answers of owners, over the range of x, with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision)
	IS 'mean estimated from randomised answers of owners, clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_avg(x double precision, lo double precision, hi double precision, options text)
	IS 'mean estimated from randomised answers of owners, clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_sum(x double precision) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision)
	IS 'sum estimated from randomised answers of owners, over the range of x';

CREATE OR REPLACE AGGREGATE privacct.ldp_sum(x double precision, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, options text)
	IS 'sum estimated from randomised answers of owners, over the range of x, with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision)
	IS 'sum estimated from randomised answers of owners, clamped to [lo, hi]';

CREATE OR REPLACE AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_sum(x double precision, lo double precision, hi double precision, options text)
	IS 'sum estimated from randomised answers of owners, clamped to [lo, hi], with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_count(predicate boolean) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_count(predicate boolean)
	IS 'number of owners for whom the predicate is true, among those who answered, estimated from randomised answers';

CREATE OR REPLACE AGGREGATE privacct.ldp_count(predicate boolean, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_count(predicate boolean, options text)
	IS 'number of owners for whom the predicate is true, among those who answered, estimated from randomised answers, '
	'with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_histogram(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_jsonb, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_histogram(x anyelement)
	IS 'number of owners with each value, among those who answered, estimated from randomised answers';

CREATE OR REPLACE AGGREGATE privacct.ldp_histogram(x anyelement, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_jsonb, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_histogram(x anyelement, options text)
	IS 'number of owners with each value, among those who answered, estimated from randomised answers, with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_response(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x anyelement) IS 'a row for each owner who answers, with a randomised value';

CREATE OR REPLACE AGGREGATE privacct.ldp_response(x anyelement, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x anyelement, options text)
	IS 'a row for each owner who answers, with a randomised value, with options';

CREATE OR REPLACE AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision)
	(SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision)
	IS 'a row for each owner who answers, with lo or hi (or with a noised number) for x';

CREATE OR REPLACE AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision,
	options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.ldp_response(x double precision, lo double precision, hi double precision, options text)
	IS 'a row for each owner who answers, with lo or hi (or with a noised number) for x, with options';

CREATE OR REPLACE AGGREGATE privacct.dp_mode(x anyelement) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_mode(anyelement)
	IS 'the most frequent declared value of a column, by the exponential mechanism';

CREATE OR REPLACE AGGREGATE privacct.dp_mode(x anyelement, options text) (SFUNC = privacct._block_transition,
	STYPE = internal,
	FINALFUNC = privacct._block_final_element, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct.dp_mode(anyelement, text)
	IS 'the most frequent declared value of a column, by the exponential mechanism or the noise of the options';
