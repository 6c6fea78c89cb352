/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arguments.c
 *		Bounds and options of a leaf's aggregates, evaluated once.
 *
 * They hold no column of a protected table (the guard saw to that).
 */
#include "postgres.h"

#include <math.h>

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "price/form/form.h"
#include "price/options.h"
#include "price/release.h"
#include "errors.h"
#include "position.h"
#include "settings.h"

#define MOST_RANKS 100000
#define BOUND_LIMIT 1e100		/* |bound| at most; and not all of them below 1/BOUND_LIMIT */
#define CLOSEST_BOUNDS 1e-12	/* their distance, in relation to the larger one */

static Expr *
argument_of(const PaLeafAggregate *aggregate, List *expressions, int argument)
{
	return list_nth(expressions, aggregate->first_argument + argument - PA_ARG_LO);
}

static Datum
evaluate(Expr *expression, ExprContext *context, bool *isnull)
{
	ExprState  *state = ExecInitExpr(expression, NULL);

	return ExecEvalExprSwitchContext(state, context, isnull);
}

/* An aggregate that takes bounds as arguments, for one that has none: "dp_sum" for "sum(x)". */
static char *
bounded_name(const PaLeafAggregate *aggregate)
{
	const char *label = aggregate->label;
	bool		takes = strncmp(label, "dp_", strlen("dp_")) == 0 || strncmp(label, "ldp_", strlen("ldp_")) == 0;

	return psprintf("privacct.%s%.*s", takes ? "" : "dp_", (int) strcspn(label, "("), label);
}

/* An example of bounds that are allowed. */
static void
refuse_bounds(const PaLeafSpec *spec, const PaLeafAggregate *aggregate, const Node *bound,
			  const char *message, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("%s", message),
			errdetail("%s", detail),
			errhint("Give bounds such as %s(x, 0, 100).", bounded_name(aggregate)),
			pa_position(spec->source, exprLocation(bound)));
}

static double
evaluate_bound(const PaLeafSpec *spec, const PaLeafAggregate *aggregate, Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || !isfinite(DatumGetFloat8(value)) || fabs(DatumGetFloat8(value)) > BOUND_LIMIT)
		refuse_bounds(spec, aggregate, (Node *) expression, "bounds of an aggregate must be finite numbers",
					  isnull ? "A bound is NULL, or cannot be computed." : "A bound is NaN, infinite or larger than 1e100.");
	return DatumGetFloat8(value);
}

static void
evaluate_bounds(PaAggregateArguments *arguments, const PaLeafSpec *spec, const PaLeafAggregate *aggregate,
				List *expressions, ExprContext *context)
{
	Expr	   *lower = argument_of(aggregate, expressions, PA_ARG_LO);
	Expr	   *upper = argument_of(aggregate, expressions, PA_ARG_HI);
	double		lo = evaluate_bound(spec, aggregate, lower, context);
	double		hi = evaluate_bound(spec, aggregate, upper, context);
	double		largest = Max(fabs(lo), fabs(hi));

	if (!(lo < hi))
		refuse_bounds(spec, aggregate, (Node *) lower, "lower bound of an aggregate must be below its upper bound",
					  lo > hi ? "The first bound is the lower one." : "The two are the same.");
	if (largest < 1 / BOUND_LIMIT)
		refuse_bounds(spec, aggregate, (Node *) lower, "bounds of an aggregate are too small",
					  "One of them must be 1e-100 or more, in absolute value.");
	if (hi - lo < CLOSEST_BOUNDS * largest)
		refuse_bounds(spec, aggregate, (Node *) lower, "bounds of an aggregate are too close to each other",
					  "They must differ by 1e-12 of the larger one, or more.");
	arguments->lo = lo;
	arguments->hi = hi;
}

/* Bounds of owners' sums that are declared, or NULL. */
static ArrayType *
declared_owner_bounds(const PaLeafAggregate *aggregate, List *expressions, ExprContext *context)
{
	bool		isnull;
	Datum		bounds = evaluate(argument_of(aggregate, expressions, PA_ARG_OWNER), context, &isnull);

	return isnull ? NULL : DatumGetArrayTypeP(bounds);
}

static void
refuse_limit(const PaLeafSpec *spec, int location, const char *message, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("%s", message),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_position(spec->source, location));
}

/* What is given is for the aggregate, and makes sense. */
static void
check_limit(const PaLeafSpec *spec, const PaLeafAggregate *aggregate, const PaOptions *options, int location)
{
	const PaAggregateForm *form = pa_aggregate_form(aggregate->kind);
	double		largest = Max(fabs(options->owner_lo), fabs(options->owner_hi));

	if (options->limit != PA_LIMIT_LEAST_NOISE && (form->asks_owners || spec->entries != 0))
		refuse_limit(spec, location, "max_rows and per_owner are for releases that count owners with their rows",
					 "Here an owner answers for one row, or entries are protected.", "Leave the option out.");
	if (options->limit != PA_LIMIT_OWNER)
		return;
	if (form->owner_bounds == PA_OWNER_BOUNDS_NONE)
		refuse_limit(spec, location, "per_owner is for sums and averages",
					 "It bounds what the values of one owner add up to in a group.",
					 "Use the option max_rows, as in 'max_rows=5', or take a sum, as in privacct.dp_sum(x, 0, 100, 'per_owner=0:5000').");
	if (!(options->owner_lo < options->owner_hi) || largest > BOUND_LIMIT || largest < 1 / BOUND_LIMIT)
		refuse_limit(spec, location, "bounds of an owner's sum are out of range",
					 "The lower one comes first; the larger one, in absolute value, is from 1e-100 to 1e100.",
					 "Write them as in 'per_owner=0:5000'.");
}

/* Those of the options, or declared ones. */
static void
evaluate_owner_bounds(PaAggregateArguments *arguments, const PaLeafAggregate *aggregate, List *expressions, ExprContext *context)
{
	ArrayType  *declared = declared_owner_bounds(aggregate, expressions, context);

	arguments->owner_bounds = arguments->options.limit == PA_LIMIT_OWNER || declared != NULL;
	if (arguments->options.limit == PA_LIMIT_OWNER)
	{
		arguments->owner_lo = arguments->options.owner_lo;
		arguments->owner_hi = arguments->options.owner_hi;
	}
	else if (declared)
	{
		arguments->owner_lo = ((float8 *) ARR_DATA_PTR(declared))[0];
		arguments->owner_hi = ((float8 *) ARR_DATA_PTR(declared))[1];
	}
}

static int
evaluate_ranks(const PaLeafSpec *spec, Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || DatumGetInt32(value) < 1 || DatumGetInt32(value) > MOST_RANKS)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("the number of values of dp_topk is out of range"),
				errdetail("It must be from 1 to %d.", MOST_RANKS),
				errhint("Write such a number, as in privacct.dp_topk(x, 3)."),
				pa_position(spec->source, exprLocation((Node *) expression)));
	return DatumGetInt32(value);
}

static double
evaluate_quantile(const PaLeafSpec *spec, Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);

	if (isnull || !(DatumGetFloat8(value) >= 0 && DatumGetFloat8(value) <= 1))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("a quantile is out of range"),
				errdetail("It is a number from 0 to 1."),
				errhint("Write such a number, as in percentile_cont(0.5)."),
				pa_position(spec->source, exprLocation((Node *) expression)));
	return DatumGetFloat8(value);
}

/* What is drawn is not noised. */
static void
check_drawn(const PaLeafSpec *spec, const PaOptions *options, int location)
{
	if (options->kernel_given || options->within >= 0 || options->relative > 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("what is drawn has no noise to choose"),
				errdetail("Quantiles, the least and the greatest value, dp_choose and dp_response draw by the exponential mechanism."),
				errhint("Leave the options kernel, within and error out; privacct.preview() shows by how many ranks quantiles may be off."),
				pa_position(spec->source, location));
}

/* What only numbers of different values have */
static void
check_undistinct(const PaLeafSpec *spec, const PaOptions *options, int location)
{
	if (options->cover != PA_COVER_DEFAULT || options->cap != PA_CAP_DEFAULT)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("the options cover and cap are for numbers of different values"),
				errdetail("They say how values are shared among their owners, and how many of them an owner covers."),
				errhint("Leave them out, or count different values, as in privacct.dp_count_distinct(x, 'cover=exact')."),
				pa_position(spec->source, location));
}

/* Whether the answer is a number that is noised: then errors may be wanted of it. */
static bool
has_noised_answer(const PaAggregateForm *form, const PaOptions *options)
{
	return !form->draws && !form->ranks && !form->candidate && !form->responds && options->cap != PA_CAP_AUTO;
}

static void
refuse_error(const PaLeafSpec *spec, int location, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("an error cannot be asked for here"),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_position(spec->source, location));
}

static void
check_wanted_error(const PaLeafSpec *spec, const PaAggregateForm *form, const PaOptions *options, int location)
{
	if (!options->reach && options->relative == 0)
		return;
	if (form->asks_owners)
		refuse_error(spec, location, "How exact an estimate from answers of owners is depends on how many of them answer.",
					 "Leave the option error out, or RESET privacct.accuracy; privacct.preview() shows how many owners can answer.");
	if (!has_noised_answer(form, options))
		refuse_error(spec, location, form->ranks ? "What is returned are values, not how frequent they are." :
					 "With cap=auto, how much noise there is depends on the cap that is drawn.",
					 form->ranks ? "Leave the option out, and give an epsilon." : "Leave one of the options out.");
	if (options->reach && form->adds_up && !form->is_total && options->rows == 0)
		refuse_error(spec, location, "The error of a mean depends on how many values it is of.",
					 "Say of how many at least, as in 'error=20, rows=5000', or ask for a relative error, as in 'error=2 %'.");
}

/* What the session wants of every aggregate, but for what this one says. */
static void
take_settings(const PaLeafSpec *spec, const PaAggregateForm *form, PaOptions *options, int location)
{
	bool		absolute = pa_default_accuracy.absolute > 0;

	if (options->within >= 0 || options->relative > 0)
		return;
	if (!has_noised_answer(form, options) ||
		(pa_default_accuracy.relative == 0 && !(absolute && options->epsilon == 0)))
	{
		if (!form->draws && !form->candidate && !form->responds && options->cap != PA_CAP_AUTO)
			options->within = pa_default_within;
		return;
	}
	if (pa_default_within >= 0)
		refuse_error(spec, location, "Both privacct.accuracy and privacct.within are set, which mean different noise.",
					 "RESET one of them.");
	options->reach = absolute;
	options->relative = pa_default_accuracy.relative;
	if (absolute)
		options->within = pa_default_accuracy.absolute;
}

static PaOptions
evaluate_options(const PaLeafSpec *spec, const PaLeafAggregate *aggregate, Expr *expression, ExprContext *context)
{
	bool		isnull;
	Datum		value = evaluate(expression, context, &isnull);
	int			location = exprLocation((Node *) expression);
	const PaAggregateForm *form = pa_aggregate_form(aggregate->kind);
	PaOptions	options = isnull ? pa_options_none() : pa_options_parse(TextDatumGetCString(value), spec->source, location);

	if (form->draws || form->candidate || form->responds)
		check_drawn(spec, &options, location);
	else if (options.exponential && !form->ranks)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("the exponential mechanism is for aggregates that choose among values"),
				errdetail("This one returns a number that is computed from all of them."),
				errhint("Use another kernel, as in 'kernel=laplace'."),
				pa_position(spec->source, location));
	if (!form->distinct)
		check_undistinct(spec, &options, location);
	if (options.cap == PA_CAP_AUTO && options.within >= 0 && !options.reach)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("with cap=auto there is no error bound"),
				errdetail("How much noise there is depends on the cap that is drawn."),
				errhint("Leave one of the options out."),
				pa_position(spec->source, location));
	take_settings(spec, form, &options, location);
	check_wanted_error(spec, form, &options, location);
	if (options.least < 0)
		options.least = pa_accuracy_floor;
	return options;
}

static bool
is_null(const Expr *expression)
{
	return IsA(expression, Const) && ((const Const *) expression)->constisnull;
}

static bool
has_bounds(const PaLeafAggregate *aggregate, List *expressions)
{
	PaBoundsUse use = pa_aggregate_form(aggregate->kind)->bounds;

	return use == PA_BOUNDS_REQUIRED ||
		(use == PA_BOUNDS_OPTIONAL && !(is_null(argument_of(aggregate, expressions, PA_ARG_LO)) &&
										is_null(argument_of(aggregate, expressions, PA_ARG_HI))));
}

PaAggregateArguments *
pa_release_arguments(const PaLeafSpec *spec, List *expressions, ExprContext *context)
{
	PaAggregateArguments *arguments = palloc0(sizeof(PaAggregateArguments) * Max(spec->naggregates, 1));

	for (int i = 0; i < spec->naggregates; i++)
	{
		const PaLeafAggregate *aggregate = &spec->aggregates[i];
		Expr	   *options = argument_of(aggregate, expressions, PA_ARG_OPTIONS);

		arguments[i].lo = arguments[i].hi = NAN;
		if (has_bounds(aggregate, expressions))
			evaluate_bounds(&arguments[i], spec, aggregate, expressions, context);
		arguments[i].options = evaluate_options(spec, aggregate, options, context);
		arguments[i].location = exprLocation((Node *) options);
		check_limit(spec, aggregate, &arguments[i].options, arguments[i].location);
		evaluate_owner_bounds(&arguments[i], aggregate, expressions, context);
		if (pa_aggregate_form(aggregate->kind)->ranks)
			arguments[i].ranks = evaluate_ranks(spec, argument_of(aggregate, expressions, PA_ARG_RANKS), context);
		if (pa_aggregate_form(aggregate->kind)->quantile)
			arguments[i].quantile = evaluate_quantile(spec, argument_of(aggregate, expressions, PA_ARG_QUANTILE), context);
	}
	return arguments;
}
