/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * aggregate.h
 *		The aggregates that a leaf computes.
 */
#ifndef PA_AGGREGATE_H
#define PA_AGGREGATE_H

#include "postgres.h"

#define PA_MAX_KEYS 32			/* grouping expressions of a block */

typedef enum PaAggregateKind
{
	PA_AGG_COUNT_ROWS,			/* count(*) */
	PA_AGG_COUNT,				/* count(x) */
	PA_AGG_COUNT_OWNERS,		/* count(DISTINCT owner) */
	PA_AGG_COUNT_DISTINCT,		/* count(DISTINCT x) */
	PA_AGG_SUM,
	PA_AGG_AVG,
	PA_AGG_VAR_POP,
	PA_AGG_VAR_SAMP,
	PA_AGG_STDDEV_POP,
	PA_AGG_STDDEV_SAMP,
	PA_AGG_QUANTILE,
	PA_AGG_MEDIAN,
	PA_AGG_LEAST,				/* min(x) */
	PA_AGG_GREATEST,
	PA_AGG_TOPK,				/* dp_topk, dp_mode: never in a leaf (guard/topk.c) */
	PA_AGG_SCORE,				/* what they rank by: noised counts, or ranks */
	PA_AGG_RESPONSE,			/* dp_response: never in a leaf (guard/topk.c) */
	PA_AGG_RESPONDED,			/* which value was drawn */
	PA_AGG_CHOOSE,				/* dp_choose: never in a leaf (guard/choose.c) */
	PA_AGG_CANDIDATE,			/* whether it was drawn; its score is a sum */
	PA_AGG_LDP_AVG,				/* local regime: owners are asked one by one */
	PA_AGG_LDP_SUM,
	PA_AGG_LDP_COUNT,
	PA_AGG_LDP_HISTOGRAM,
	PA_AGG_LDP_RESPONSE,		/* a row for each answer */
	PA_AGG_OWNER				/* not a result: marks a leaf and carries its owner column */
} PaAggregateKind;

/*
 * Arguments of an aggregate of a leaf in canonical form, always all of them:
 * value (a NULL of PA_NO_VALUE_TYPE if there is none: no expression over rows can
 * be folded to that), what of it is shown (PA_SHOWN(); int), lower and upper bound (float8; NULL constants if none), declared
 * bounds of an owner's sum (array of two float8; a NULL constant if none), how many
 * values dp_topk wants, or which candidate it is (int; NULL constant if it is another aggregate), which quantile
 * (float8; NULL constant if it is none), options (text; NULL constant if none).  Where
 * different values are counted, the value says by not being NULL which rows have one, and
 * what makes it follows: any number of expressions.
 * The marker has: owner column, OIDs of the protected tables, numbers of the policies that
 * the block was validated by, the fan-out of its joins with public tables, 1 if its protected rows are grouped by
 * their owners alone, what is done with entries
 * (PA_ENTRY_ flags), whose rows it is about, the query that lists groups (text of nodeToString(), or NULL), the
 * sort-group references of the keys that its columns list, and what it asks, if that may be known again: a text, or
 * NULL, the same taken apart, the OIDs of the public tables that it reads (NULL if there are others), what it composes
 * (guard/composed.h), and then any number of expressions (guard/question.c).  That of a leaf that asks owners has the
 * first three, and then what local/spec.h says.
 */
#define PA_NO_VALUE_TYPE OIDOID

enum
{
	PA_ARG_VALUE, PA_ARG_SHOWN, PA_ARG_LO, PA_ARG_HI, PA_ARG_OWNER, PA_ARG_RANKS, PA_ARG_QUANTILE, PA_ARG_OPTIONS, PA_ARG_COUNT
};
enum
{
	PA_MARK_OWNER, PA_MARK_RELATIONS, PA_MARK_POLICIES, PA_MARK_FANOUT, PA_MARK_ROW_WORK, PA_MARK_ONE_ROW, PA_MARK_ENTRIES, PA_MARK_OWNERS,
	PA_MARK_KEY_QUERY, PA_MARK_LISTED_KEYS, PA_MARK_QUESTION, PA_MARK_PARTS, PA_MARK_PUBLIC_TABLES, PA_MARK_COMPOSED, PA_MARK_COUNT
};

/* What a column of a leaf shows of an aggregate: itself, or an end of its interval (double precision). */
typedef enum PaShown
{
	PA_SHOWN_VALUE, PA_SHOWN_LOW, PA_SHOWN_HIGH
} PaShown;

/* As a number: with the interval of how many aggregates, at least 1, that of the end shown holds at once. */
#define PA_SHOWN(shown, together) ((int) (shown) | ((together) - 1) << 2)
#define PA_SHOWN_END(number) ((PaShown) ((number) & 3))
#define PA_SHOWN_TOGETHER(number) (((number) >> 2) + 1)

/* What the aggregate function is; false if it is none of ours nor of the ordinary ones. */
extern bool pa_aggregate_kind(Oid function, PaAggregateKind *kind);

/* True for dp_count and its kin, which take bounds and options as arguments. */
extern bool pa_is_dp_aggregate(Oid function);

/* Functions of schema privacct by name: the markers of both regimes' leaves, dp_count_owners() and dp_count_distinct(). */
extern Oid	pa_marker_aggregate(void);
extern Oid	pa_local_marker_aggregate(void);
extern Oid	pa_owners_aggregate(void);
extern Oid	pa_distinct_aggregate(void);

/* What dp_choose and dp_response are made of. */
extern Oid	pa_candidate_aggregate(void);
extern Oid	pa_response_aggregate(void);

/* What dp_topk is made of: scores in the block, and the ranking around it, as an array or the first of it. */
extern Oid	pa_score_aggregate(void);
extern Oid	pa_ranking_aggregate(bool array);

#endif							/* PA_AGGREGATE_H */
