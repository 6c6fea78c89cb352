/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * form.h
 *		The aggregates: what each takes, which statistics it is computed from, and how.
 *
 * There is a row for each kind (form.c).  A new aggregate is a kind, a name
 * (aggregate.c), a row here, and its SQL.
 */
#ifndef PA_AGGREGATE_FORM_H
#define PA_AGGREGATE_FORM_H

#include "postgres.h"

#include "bound/statistic.h"

typedef enum PaBoundsUse
{
	PA_BOUNDS_NONE,
	PA_BOUNDS_OPTIONAL,			/* none, or both */
	PA_BOUNDS_REQUIRED			/* given, or inferred from what is declared */
} PaBoundsUse;

/* Bounds of what an owner's values add up to in a group. */
typedef enum PaOwnerBoundsUse
{
	PA_OWNER_BOUNDS_NONE,
	PA_OWNER_BOUNDS_ASKED,		/* where the option per_owner gives them */
	PA_OWNER_BOUNDS_LEAST_NOISE /* given, or declared and less noisy than bounds of rows */
} PaOwnerBoundsUse;

typedef struct PaAggregateForm
{
	PaBoundsUse bounds;			/* lower and upper bound of its values */
	bool		times;			/* its values may be dates and times */
	bool		quantile;		/* takes which quantile is wanted */
	bool		draws;			/* a statistic of order (bound/order.h) */
	bool		distinct;		/* its values are told apart; a row may be one (bound/distinct.h) */
	bool		ranks;			/* takes how many values are wanted, and may choose them instead of noising */
	bool		responds;		/* chooses a value that is there, by randomised response */
	bool		candidate;		/* one of several, of which one is chosen in each group */
	PaOwnerBoundsUse owner_bounds;
	bool		adds_up;		/* computed from statistics whose totals are the sums of their parts */
	bool		is_total;		/* and it is such a total itself */
	bool		asks_owners;	/* a question to owners (src/local), not computed from statistics */

	/* Adds the statistics that it is computed from. */
	PaAggregateSource (*plan) (PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments);

	/* The aggregate from its noised statistics, which are totals of the sample. */
	PaEstimate	(*estimate) (const PaStatistics *set, const PaAggregateSource *source, const double *noised);
} PaAggregateForm;

extern const PaAggregateForm *pa_aggregate_form(PaAggregateKind kind);

/* count.c, sum.c, mean.c, variance.c, order.c */
extern const PaAggregateForm pa_form_count_rows;
extern const PaAggregateForm pa_form_count;
extern const PaAggregateForm pa_form_count_owners;
extern const PaAggregateForm pa_form_count_distinct;
extern const PaAggregateForm pa_form_score;
extern const PaAggregateForm pa_form_response;
extern const PaAggregateForm pa_form_candidate;
extern const PaAggregateForm pa_form_sum;
extern const PaAggregateForm pa_form_avg;
extern const PaAggregateForm pa_form_var_pop;
extern const PaAggregateForm pa_form_var_samp;
extern const PaAggregateForm pa_form_stddev_pop;
extern const PaAggregateForm pa_form_stddev_samp;
extern const PaAggregateForm pa_form_quantile;
extern const PaAggregateForm pa_form_least;
extern const PaAggregateForm pa_form_greatest;

/*
 * What the aggregates of a leaf are computed from.  select_groups: add the statistic by which
 * groups are selected; max_rows: M; one_row: an owner has one row.
 */
extern PaStatistics *pa_statistics_build(const PaLeafSpec *spec, const PaAggregateArguments *arguments,
										 const struct PaUnit *unit, bool select_groups, int64 max_rows, bool one_row);

/* An aggregate of the leaf from its noised statistics. */
extern PaEstimate pa_statistics_estimate(const PaStatistics *set, const PaLeafSpec *spec,
										 int aggregate, const double *noised);

/*
 * typical.c: half an interval of an aggregate in a group of so many values, at most, wherever these lie
 * between their bounds.  NAN if it is a total, whose interval is that of its noise, or drawn.
 */
extern double pa_statistics_error_of(const PaStatistics *set, const PaLeafSpec *spec, int aggregate, double values);

#endif							/* PA_AGGREGATE_FORM_H */
