/*
 * arguments.c
 *		Bounds and options of a leaf's aggregates, evaluated once.
 *
 * They hold no column of a protected table (the guard saw to that).
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "utils/builtins.h"

#include "aggregate/options.h"
#include "aggregate/release.h"
#include "errors.h"
#include "settings.h"

#define MOST_RANKS 100000
#define BOUND_LIMIT 1e100		/* |bound| at most; and not all of them below 1/BOUND_LIMIT */

static Datum
evaluate(Expr *expression, ExprContext *context, bool *isnull)
{
	ExprState  *state = ExecInitExpr(expression, NULL);

	return ExecEvalExprSwitchContext(state, context, isnull);
}

static double
evaluate_bound(Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || !isfinite(DatumGetFloat8(value)) || fabs(DatumGetFloat8(value)) > BOUND_LIMIT)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("bounds of an aggregate must be finite numbers"),
				errdetail("A bound is NULL, NaN, infinite or larger than 1e100."),
				errhint("Give bounds such as dp_sum(x, 0, 100)."));
	return DatumGetFloat8(value);
}

static void
evaluate_bounds(PaAggregateArguments *arguments, List *expressions, int first, ExprContext *context)
{
	arguments->lo = evaluate_bound(list_nth(expressions, first), context);
	arguments->hi = evaluate_bound(list_nth(expressions, first + 1), context);
	if (!(arguments->lo < arguments->hi) ||
		Max(fabs(arguments->lo), fabs(arguments->hi)) < 1 / BOUND_LIMIT ||
		(arguments->hi - arguments->lo) < 1e-12 * Max(fabs(arguments->lo), fabs(arguments->hi)))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("lower bound of an aggregate must be below its upper bound"),
				errhint("Give bounds such as dp_sum(x, 0, 100)."));
}

/* k of dp_topk */
static double
evaluate_rank(Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || !(DatumGetFloat8(value) >= 1 && DatumGetFloat8(value) <= MOST_RANKS))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("dp_topk does not give so many values"),
				errdetail("Their number is from 1 to %d.", MOST_RANKS));
	return DatumGetFloat8(value);
}

static bool
is_null(const Node *expression)
{
	return IsA(expression, Const) && ((const Const *) expression)->constisnull;
}

PaAggregateArguments *
pa_release_arguments(const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	PaAggregateArguments *arguments = palloc0(sizeof(PaAggregateArguments) * Max(spec->naggregates, 1));

	for (int i = 0; i < spec->naggregates; i++)
	{
		int			first = spec->aggregates[i].first_argument;
		bool		isnull;
		Datum		options;

		if (pa_aggregate_is_local(spec->aggregates[i].kind) &&
			is_null(list_nth(expressions, first)) && is_null(list_nth(expressions, first + 1)))
			arguments[i].lo = arguments[i].hi = NAN;
		else if (pa_aggregate_needs_bounds(spec->aggregates[i].kind) || pa_aggregate_is_local(spec->aggregates[i].kind))
			evaluate_bounds(&arguments[i], expressions, first, context);
		options = evaluate(list_nth(expressions, first + 2), context, &isnull);
		arguments[i].options = isnull ? pa_options_none() : pa_options_parse(TextDatumGetCString(options));
		if (spec->aggregates[i].kind == PA_AGG_SCORE)
			arguments[i].lo = evaluate_rank(list_nth(expressions, first), context);
		else if (arguments[i].options.exponential)
			ereport(ERROR,
					errcode(ERRCODE_PA_INVALID_OPTION),
					errmsg("the exponential mechanism is for dp_topk and dp_mode only"),
					errhint("Use another kernel."));
		if (arguments[i].options.within < 0)
			arguments[i].options.within = pa_default_within;
	}
	return arguments;
}
