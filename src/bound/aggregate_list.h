/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aggregate_list.h
 *		The aggregates of the extension that the release node computes: one entry for
 *		each list of arguments.
 *
 * PA_AGGREGATE(kind, name, arguments, result, options, remark) is what whoever
 * includes this defines; it is undefined again at the end, and there is no guard
 * against including this twice, by intention.
 *
 *	arguments	as CREATE AGGREGATE has them; a type of two words wants a name
 *	result		bigint, float8, boolean, jsonb; numbers: an array of float8; array, element: of the first argument
 *	options		there is a second form, with options text as the last argument
 *	remark		what COMMENT ON says
 *
 * SQL makes all of them, with the functions that they are made of (60_aggregates.sql).
 * Names that begin with an underscore are for the guard alone; the others are
 * granted to everybody, and the reference has them.
 */
PA_AGGREGATE(PA_AGG_COUNT_ROWS, dp_count, "*", bigint, false,
			 "noisy number of rows")
PA_AGGREGATE(PA_AGG_COUNT, dp_count, "\"any\"", bigint, true,
			 "noisy number of values that are not NULL")
PA_AGGREGATE(PA_AGG_COUNT_OWNERS, dp_count_owners, "*", bigint, false,
			 "noisy number of distinct owners")
PA_AGGREGATE(PA_AGG_COUNT_DISTINCT, dp_count_distinct, "\"any\"", bigint, true,
			 "noisy number of different values, of which each owner covers as many as its rows may count")
PA_AGGREGATE(PA_AGG_COUNT_DISTINCT, approx_count_distinct, "\"any\"", bigint, false,
			 "dp_count_distinct under the name that other systems have for an approximate number")
PA_AGGREGATE(PA_AGG_COUNT_DISTINCT, approx_distinct, "\"any\"", bigint, false,
			 "dp_count_distinct under the name that other systems have for an approximate number")
PA_AGGREGATE(PA_AGG_SUM, dp_sum, "x boolean", float8, true,
			 "noisy sum of a boolean taken as 0 or 1")
PA_AGGREGATE(PA_AGG_SUM, dp_sum, "x double precision", float8, true,
			 "noisy sum, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_SUM, dp_sum, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy sum of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_AVG, dp_avg, "x boolean", float8, true,
			 "noisy average of a boolean taken as 0 or 1")
PA_AGGREGATE(PA_AGG_AVG, dp_avg, "x double precision", float8, true,
			 "noisy average, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_AVG, dp_avg, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy average of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_VAR_POP, dp_var_pop, "x double precision", float8, true,
			 "noisy population variance, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_VAR_POP, dp_var_pop, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy population variance of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_VAR_SAMP, dp_var_samp, "x double precision", float8, true,
			 "noisy sample variance, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_VAR_SAMP, dp_var_samp, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy sample variance of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_VAR_SAMP, dp_variance, "x double precision", float8, true,
			 "noisy sample variance, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_VAR_SAMP, dp_variance, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy sample variance of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_STDDEV_POP, dp_stddev_pop, "x double precision", float8, true,
			 "noisy population standard deviation, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_STDDEV_POP, dp_stddev_pop, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy population standard deviation of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_STDDEV_SAMP, dp_stddev_samp, "x double precision", float8, true,
			 "noisy sample standard deviation, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_STDDEV_SAMP, dp_stddev_samp, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy sample standard deviation of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_STDDEV_SAMP, dp_stddev, "x double precision", float8, true,
			 "noisy sample standard deviation, clamped to the declared bounds")
PA_AGGREGATE(PA_AGG_STDDEV_SAMP, dp_stddev, "x double precision, lo double precision, hi double precision", float8, true,
			 "noisy sample standard deviation of values clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_QUANTILE, dp_quantile, "x double precision, q double precision", float8, true,
			 "a quantile, drawn by the exponential mechanism between the declared bounds")
PA_AGGREGATE(PA_AGG_QUANTILE, dp_quantile, "x double precision, q double precision, lo double precision, hi double precision", float8, true,
			 "a quantile, drawn by the exponential mechanism between lo and hi")
PA_AGGREGATE(PA_AGG_QUANTILE, dp_quantile, "x double precision, q double precision[]", numbers, true,
			 "several quantiles at one cost, between the declared bounds")
PA_AGGREGATE(PA_AGG_QUANTILE, dp_quantile, "x double precision, q double precision[], lo double precision, hi double precision", numbers, true,
			 "several quantiles at one cost, between lo and hi")
PA_AGGREGATE(PA_AGG_MEDIAN, dp_median, "x double precision", float8, true,
			 "the median, drawn by the exponential mechanism between the declared bounds")
PA_AGGREGATE(PA_AGG_MEDIAN, dp_median, "x double precision, lo double precision, hi double precision", float8, true,
			 "the median, drawn by the exponential mechanism between lo and hi")
PA_AGGREGATE(PA_AGG_LEAST, dp_min, "x double precision", float8, true,
			 "about the least value, drawn by the exponential mechanism between the declared bounds")
PA_AGGREGATE(PA_AGG_LEAST, dp_min, "x double precision, lo double precision, hi double precision", float8, true,
			 "about the least value, drawn by the exponential mechanism between lo and hi")
PA_AGGREGATE(PA_AGG_GREATEST, dp_max, "x double precision", float8, true,
			 "about the greatest value, drawn by the exponential mechanism between the declared bounds")
PA_AGGREGATE(PA_AGG_GREATEST, dp_max, "x double precision, lo double precision, hi double precision", float8, true,
			 "about the greatest value, drawn by the exponential mechanism between lo and hi")
PA_AGGREGATE(PA_AGG_TOPK, dp_topk, "x anyelement, k integer", array, false,
			 "the k most frequent declared values of a column, most frequent first: by noisy counts, for k = 1 by the exponential mechanism")
PA_AGGREGATE(PA_AGG_TOPK, dp_topk, "x anyelement, k integer, options text", array, false,
			 "the k most frequent declared values of a column, most frequent first; kernel=exponential: drawn by the exponential mechanism")
PA_AGGREGATE(PA_AGG_LDP_AVG, ldp_avg, "x double precision", float8, true,
			 "mean estimated from randomised answers of owners, over the range of x")
PA_AGGREGATE(PA_AGG_LDP_AVG, ldp_avg, "x double precision, lo double precision, hi double precision", float8, true,
			 "mean estimated from randomised answers of owners, clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_LDP_SUM, ldp_sum, "x double precision", float8, true,
			 "sum estimated from randomised answers of owners, over the range of x")
PA_AGGREGATE(PA_AGG_LDP_SUM, ldp_sum, "x double precision, lo double precision, hi double precision", float8, true,
			 "sum estimated from randomised answers of owners, clamped to [lo, hi]")
PA_AGGREGATE(PA_AGG_LDP_COUNT, ldp_count, "predicate boolean", float8, true,
			 "number of owners for whom the predicate is true, among those who answered, estimated from randomised answers")
PA_AGGREGATE(PA_AGG_LDP_HISTOGRAM, ldp_histogram, "x anyelement", jsonb, true,
			 "number of owners with each value, among those who answered, estimated from randomised answers")
PA_AGGREGATE(PA_AGG_LDP_RESPONSE, ldp_response, "x anyelement", element, true,
			 "a row for each owner who answers, with a randomised value")
PA_AGGREGATE(PA_AGG_LDP_RESPONSE, ldp_response, "x double precision, lo double precision, hi double precision", float8, true,
			 "a row for each owner who answers, with lo or hi (or with a noisy number) for x")
PA_AGGREGATE(PA_AGG_TOPK, dp_mode, "x anyelement", element, false,
			 "the most frequent declared value of a column, by the exponential mechanism")
PA_AGGREGATE(PA_AGG_TOPK, dp_mode, "x anyelement, options text", element, false,
			 "the most frequent declared value of a column, by the exponential mechanism or the noise of the options")
PA_AGGREGATE(PA_AGG_RESPONSE, dp_response, "x anyelement", element, true,
			 "the value of a single entry by randomised response: each declared value of the column is drawn, one that is there e^epsilon times as often as others")
PA_AGGREGATE(PA_AGG_CHOOSE, dp_choose, "candidates anyarray, scores double precision[], lo double precision, hi double precision", element, true,
			 "the candidate with the largest sum of scores, each clamped to [lo, hi], by the exponential mechanism")
PA_AGGREGATE(PA_AGG_RESPONDED, _response, "x anyelement, options text", float8, false,
			 "internal: what dp_response is made of, whether a value was drawn")
PA_AGGREGATE(PA_AGG_CANDIDATE, _candidate, "x double precision, lo double precision, hi double precision, i integer, options text", float8, false,
			 "internal: what dp_choose is made of, whether a candidate was drawn")
PA_AGGREGATE(PA_AGG_SCORE, _score, "x anyelement, k integer, options text", float8, false,
			 "internal: what dp_topk ranks by, a noisy count or the rank that was drawn")
PA_AGGREGATE(PA_AGG_OWNER, _owner_marker, "\"any\", oid[], bigint[], integer, integer, integer, integer, \"any\", text, integer[], text, text, integer, text", boolean, false,
			 "internal: marks a guarded block and carries its owner column")
PA_AGGREGATE(PA_AGG_OWNER, _local_marker, "\"any\", oid[], bigint[]", boolean, false,
			 "internal: marks a guarded block that asks owners")

#undef PA_AGGREGATE
