/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask.c
 *		See ask.h.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "core/bayes/estimate.h"
#include "price/calibration.h"
#include "price/least_price.h"
#include "price/release.h"
#include "errors.h"
#include "local/ask.h"
#include "local/cells.h"
#include "local/form.h"
#include "number.h"
#include "position.h"
#include "settings.h"

#define NOISE_STEPS 1024		/* lattice steps that additive noise is laid over, from the lower bound to the upper */

/* What making a question needs. */
typedef struct Maker
{
	const PaLocalSpec *spec;
	const PaPolicy *policy;
	const PaDomain *domain;
	ExprContext *context;
	Node	   *expression;
	const PaAggregateArguments *arguments;
	const PaCells *cells;		/* what it is on each cell of an interval column; NULL: on each point */
	int			column_of[PA_REGRESSION_DIMENSIONS];	/* of the spec's column: that of the domain */
	PaAsk	   *ask;
} Maker;

/* The expression at each point of its columns. */
typedef struct Values
{
	int			count;
	Oid			type;
	Datum	   *values;
	bool	   *nulls;
} Values;

bool
pa_ask_is_regression(const PaAsk *ask)
{
	return pa_question_is_regression(&ask->question);
}

static void
refuse(const Maker *maker, const char *detail, const char *hint)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("%s cannot be asked", maker->ask->call->label),
			errdetail("%s", detail),
			errhint("%s", hint),
			pa_position(maker->spec->leaf->source, maker->arguments->location));
}

static const PaDomainColumn *
declared_column(const Maker *maker, int column)
{
	const PaDomainColumn *declared = pa_policy_domain(maker->policy, maker->spec->columns[column].attnum);

	if (declared == NULL)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("Owners are asked about a column that has no domain."),
				errhint("Ask about columns that the table's owner has declared with privacct.set_domain()."));
	return declared;
}

static bool
uses_column(const Maker *maker, int column)
{
	Bitmapset  *used = NULL;

	pull_varattnos(maker->expression, 1, &used);
	return bms_is_member(column + 1 - FirstLowInvalidHeapAttributeNumber, used);
}

/* Which of the domain's columns the expression is about, ascending. */
static void
find_columns(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;
	bool		wanted[PA_REGRESSION_DIMENSIONS] = {false};

	for (int i = 0; i < maker->spec->ncolumns; i++)
	{
		maker->column_of[i] = pa_domain_column(maker->domain, declared_column(maker, i)->position);
		if (uses_column(maker, i))
			wanted[maker->column_of[i]] = true;
	}
	for (int i = 0; i < maker->domain->ncolumns; i++)
		if (wanted[i])
			question->columns[question->ncolumns++] = i;
}

static bool
is_continuous(const Maker *maker)
{
	const PaQuestion *question = &maker->ask->question;

	for (int i = 0; i < question->ncolumns; i++)
		if (maker->domain->counts[question->columns[i]] == 0)
			return true;
	return false;
}

/* --- listed columns: the expression at each point --- */

static void
number_points(Maker *maker)
{
	PaAsk	   *ask = maker->ask;
	PaQuestion *question = &ask->question;
	uint32		weight = 1;
	uint32	   *projection;

	for (int i = question->ncolumns - 1; i >= 0; i--)
	{
		for (int j = 0; j < maker->spec->ncolumns; j++)
			if (maker->column_of[j] == question->columns[i])
				ask->weight[j] = weight;
		weight *= maker->domain->counts[question->columns[i]];
	}
	question->npoints = (int) weight;
	ask->representative = palloc(sizeof(uint32) * weight);
	projection = pa_domain_project(maker->domain, question->ncolumns, question->columns);
	for (size_t x = maker->domain->points; x-- > 0;)
		ask->representative[projection[x]] = (uint32) x;
	pfree(projection);
}

static TupleTableSlot *
make_slot(const PaLocalSpec *spec)
{
	TupleDesc	desc = CreateTemplateTupleDesc(spec->ncolumns);

	for (int i = 0; i < spec->ncolumns; i++)
	{
		TupleDescInitEntry(desc, i + 1, NULL, spec->columns[i].type, spec->columns[i].typmod, 0);
		TupleDescInitEntryCollation(desc, i + 1, spec->columns[i].collation);
	}
	return MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
}

/* The slot holds the values of one point; columns that the question is not about are NULL. */
static void
store_point(const Maker *maker, TupleTableSlot *slot, uint32 point)
{
	ExecClearTuple(slot);
	for (int i = 0; i < maker->spec->ncolumns; i++)
	{
		const PaDomainColumn *declared = declared_column(maker, i);
		uint32		weight = maker->ask->weight[i];

		slot->tts_isnull[i] = weight == 0;
		if (weight == 0)
			continue;
		slot->tts_values[i] = declared->values[point / weight % declared->count];
		slot->tts_isnull[i] = declared->nulls[point / weight % declared->count];
	}
	ExecStoreVirtualTuple(slot);
}

/* An expression without columns for each cell. */
static Values
evaluate_cells(const Maker *maker)
{
	int			count = maker->ask->question.npoints;
	Values		values = {count, exprType(maker->expression), palloc(sizeof(Datum) * count), palloc(sizeof(bool) * count)};
	int16		length;
	bool		by_value;

	get_typlenbyval(values.type, &length, &by_value);
	for (int cell = 0; cell < count; cell++)
	{
		ExprState  *state = ExecInitExprWithParams(list_nth(maker->cells->values, cell), maker->context->ecxt_param_list_info);
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		value = ExecEvalExprSwitchContext(state, maker->context, &values.nulls[cell]);
		values.values[cell] = values.nulls[cell] ? (Datum) 0 : datumCopy(value, by_value, length);
		ResetExprContext(maker->context);
	}
	return values;
}

static Values
evaluate_points(const Maker *maker)
{
	int			count = maker->ask->question.npoints;
	Values		values = {count, exprType(maker->expression), palloc(sizeof(Datum) * count), palloc(sizeof(bool) * count)};
	TupleTableSlot *slot = make_slot(maker->spec);
	TupleTableSlot *outer = maker->context->ecxt_scantuple;
	ExprState  *state = ExecInitExprWithParams((Expr *) maker->expression, maker->context->ecxt_param_list_info);
	int16		length;
	bool		by_value;

	get_typlenbyval(values.type, &length, &by_value);
	maker->context->ecxt_scantuple = slot;
	for (int point = 0; point < count; point++)
	{
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		store_point(maker, slot, (uint32) point);
		value = ExecEvalExprSwitchContext(state, maker->context, &values.nulls[point]);
		values.values[point] = values.nulls[point] ? (Datum) 0 : datumCopy(value, by_value, length);
		ResetExprContext(maker->context);
	}
	maker->context->ecxt_scantuple = outer;
	ExecDropSingleTupleTableSlot(slot);
	return values;
}

static Values
evaluate(const Maker *maker)
{
	return maker->cells ? evaluate_cells(maker) : evaluate_points(maker);
}

static void
set_numbers(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;
	Values		values = evaluate(maker);

	question->points = palloc(sizeof(double) * values.count);
	for (int i = 0; i < values.count; i++)
		if (values.nulls[i] || !pa_read_number(values.type, values.values[i], &question->points[i]))
			refuse(maker, "At some point of the domain it is not a number.",
				   "Use coalesce() where the expression may be null; mind divisions by zero and logarithms.");
}

/* Values that were seen, by hash. */
typedef struct Categories
{
	PaAsk	   *ask;
	int			count;
	TypeCacheEntry *type;
	Oid			collation;
	int		   *buckets;		/* numbers of categories; -1: empty */
	uint32		mask;
} Categories;

static bool
is_category(const Categories *categories, int number, Datum value, bool isnull)
{
	const PaAsk *ask = categories->ask;

	if (isnull || ask->category_nulls[number])
		return isnull && ask->category_nulls[number];
	return DatumGetBool(FunctionCall2Coll(&categories->type->eq_opr_finfo, categories->collation,
										  ask->categories[number], value));
}

/* Number of the category, which is new or was seen before. */
static int
find_category(Categories *categories, Datum value, bool isnull)
{
	uint32		at = isnull ? 0 :
		DatumGetUInt32(FunctionCall1Coll(&categories->type->hash_proc_finfo, categories->collation, value));

	for (at &= categories->mask; categories->buckets[at] >= 0; at = (at + 1) & categories->mask)
		if (is_category(categories, categories->buckets[at], value, isnull))
			return categories->buckets[at];
	categories->buckets[at] = categories->count;
	categories->ask->categories[categories->count] = value;
	categories->ask->category_nulls[categories->count] = isnull;
	return categories->count++;
}

/* Distinct values are categories, in the order of the points. */
static void
set_categories(Maker *maker)
{
	PaAsk	   *ask = maker->ask;
	Values		values = evaluate(maker);
	Categories	categories = {
		.ask = ask,.collation = exprCollation(maker->expression),.mask = 1,
		.type = lookup_type_cache(values.type, TYPECACHE_EQ_OPR_FINFO | TYPECACHE_HASH_PROC_FINFO)
	};

	if (!OidIsValid(categories.type->eq_opr_finfo.fn_oid) || !OidIsValid(categories.type->hash_proc_finfo.fn_oid))
		refuse(maker, "Its values cannot be compared.", "Ask about numbers, texts, dates or booleans.");
	while (categories.mask < 2u * values.count)
		categories.mask = categories.mask * 2 + 1;
	categories.buckets = palloc(sizeof(int) * (categories.mask + 1));
	memset(categories.buckets, 0xff, sizeof(int) * (categories.mask + 1));
	ask->question.points = palloc(sizeof(double) * values.count);
	ask->categories = palloc(sizeof(Datum) * values.count);
	ask->category_nulls = palloc(sizeof(bool) * values.count);
	ask->category_type = values.type;
	for (int i = 0; i < values.count; i++)
		ask->question.points[i] = find_category(&categories, values.values[i], values.nulls[i]);
	ask->question.response.categories = (uint32_t) categories.count;
}

/* --- randomisers --- */

static void
check_made(const Maker *maker, PaStatus status)
{
	if (status != PA_OK)
		refuse(maker, psprintf("The computation reports: %s.", pa_status_text(status)),
			   "Choose another epsilon (a question takes up to 50, with the option kernel up to 1e5), other bounds or another kernel.");
}

static void
given_bounds(const Maker *maker, double *lo, double *hi)
{
	if (!isnan(maker->arguments->lo))
	{
		*lo = maker->arguments->lo;
		*hi = maker->arguments->hi;
	}
	else if (maker->ask->call->kind == PA_AGG_LDP_COUNT)
	{
		*lo = 0;
		*hi = 1;
	}
	if (!(*lo < *hi))
		refuse(maker, "It is the same for all owners.", "Ask about something that owners differ in.");
}

/* The bounds of listed values, unless they are given. */
static void
bounds_of_points(const Maker *maker, double *lo, double *hi)
{
	const PaQuestion *question = &maker->ask->question;

	*lo = INFINITY;
	*hi = -INFINITY;
	for (int i = 0; i < question->npoints; i++)
	{
		*lo = fmin(*lo, question->points[i]);
		*hi = fmax(*hi, question->points[i]);
	}
	given_bounds(maker, lo, hi);
}

static void
make_binary(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;
	double		lo,
				hi;

	set_numbers(maker);
	bounds_of_points(maker, &lo, &hi);
	question->kind = PA_ASK_BINARY;
	check_made(maker, pa_binary_make(lo, hi, maker->ask->epsilon, &question->binary));
}

static void
make_response(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;

	question->kind = PA_ASK_RESPONSE;
	set_categories(maker);
	if (question->response.categories < 2)
		refuse(maker, "It is the same for all owners.", "Ask about something that owners differ in.");
	check_made(maker, pa_response_make(question->response.categories, maker->ask->epsilon, &question->response));
}

/* Numbers are rounded to a lattice between the bounds before noise of the kernel is added. */
static void
make_additive(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;
	const PaOptions *options = &maker->arguments->options;
	double		lo,
				hi,
				fine;
	PaCalibration calibration;
	PaRequest	request = {
		.sensitivity = {.per_group = NOISE_STEPS,.groups = 1},
		.epsilon = maker->ask->epsilon,
		.delta = options->delta > 0 ? options->delta : pa_default_delta
	};

	set_numbers(maker);
	bounds_of_points(maker, &lo, &hi);
	fine = (hi - lo) / NOISE_STEPS;
	request.within = options->within < 0 ? -1 : options->within / fine;
	check_made(maker, pa_calibration_find(&request, 1u << options->kernel, &calibration));
	question->kind = PA_ASK_ADDITIVE;
	question->low = lo;
	question->step = fine * pa_lattice_step(&calibration.lattice);
	for (int i = 0; i < question->npoints; i++)
		question->points[i] = (double) pa_lattice_round(&calibration.lattice,
														(PaInt128) rint((fmin(fmax(question->points[i], lo), hi) - lo) / fine));
	check_made(maker, pa_additive_make(&calibration.kernel, 0, calibration.shift, &question->additive));
	maker->ask->noise_variance = pa_additive_variance(&question->additive);
}

static bool
wants_categories(const Maker *maker)
{
	PaAggregateKind kind = maker->ask->call->kind;

	return kind == PA_AGG_LDP_HISTOGRAM || (kind == PA_AGG_LDP_RESPONSE && isnan(maker->arguments->lo));
}

static void
make_listed(Maker *maker)
{
	bool		categories = wants_categories(maker);

	number_points(maker);
	if (categories && maker->arguments->options.kernel_given)
		refuse(maker, "Categories are answered by k-ary randomised response.",
			   "Leave the option kernel out, or give bounds: a number can be answered with noise.");
	if (categories)
		make_response(maker);
	else if (maker->arguments->options.kernel_given)
		make_additive(maker);
	else
		make_binary(maker);
}

/* --- interval columns: a linear form --- */

/* The range of the form over the box. */
static void
form_range(const Maker *maker, double *lo, double *hi)
{
	const PaQuestion *question = &maker->ask->question;

	*lo = *hi = question->regression.constant;
	for (int i = 0; i < maker->domain->dimensions; i++)
	{
		*lo += fmin(question->points[i] * maker->domain->low[i], question->points[i] * maker->domain->high[i]);
		*hi += fmax(question->points[i] * maker->domain->low[i], question->points[i] * maker->domain->high[i]);
	}
}

static void
set_coefficients(Maker *maker, const PaForm *form)
{
	PaAsk	   *ask = maker->ask;

	ask->question.npoints = maker->domain->dimensions;
	ask->question.points = palloc0(sizeof(double) * maker->domain->dimensions);
	ask->question.regression.constant = form->constant;
	for (int i = 0; i < maker->spec->ncolumns; i++)
	{
		int			dimension = maker->domain->dimension[maker->column_of[i]];

		if (form->theta[i] == 0)
			continue;
		if (dimension < 0)
			refuse(maker, "A linear form has a column that is not declared as numbers.",
				   "Declare the column by an interval, or by a list of numbers without null.");
		ask->coefficient[i] = ask->question.points[dimension] = form->theta[i];
	}
}

/* A response is cut where it is measured from and to: one cut, at the bounds. */
static void
make_linear(Maker *maker, const PaForm *form)
{
	PaRegression *regression = &maker->ask->question.regression;
	double		lo,
				hi;

	form_range(maker, &lo, &hi);
	lo = fmax(lo, form->a);
	hi = fmin(hi, form->b);
	given_bounds(maker, &lo, &hi);
	if (form->a > lo || form->b < hi)
		refuse(maker, "It is cut off inside its bounds.", "Use the numbers at which the form is cut off as bounds, or cut it off further out.");
	maker->ask->question.kind = PA_ASK_LINEAR;
	regression->a = lo;
	regression->b = hi;
}

static void
make_logistic(Maker *maker)
{
	PaRegression *regression = &maker->ask->question.regression;
	double		lo = 0,
				hi = 1;

	given_bounds(maker, &lo, &hi);
	if (lo != 0 || hi != 1)
		refuse(maker, "A logistic response is a number between 0 and 1.", "Give the bounds 0 and 1, or none.");
	maker->ask->question.kind = PA_ASK_LOGISTIC;
	regression->a = 0;
	regression->b = 1;
}

/* The coin leaves room for what drawing may add, so that an owner bears the epsilon that was asked for and no more. */
static void
set_coin(Maker *maker)
{
	PaQuestion *question = &maker->ask->question;

	question->regression.theta = question->points;
	question->regression.epsilon = maker->ask->epsilon;
	question->regression.epsilon -= pa_drawing_slack(question, maker->domain);
	if (!(question->regression.epsilon > 0))
		refuse(maker, "Its form is so steep, or its epsilon so large, that the rounding of numbers could show.",
			   "Ask with smaller coefficients or wider cuts, or with less epsilon.");
}

static void
check_regression(const Maker *maker)
{
	PaRegression regression = maker->ask->question.regression;
	PaBox		box = pa_domain_box(maker->domain);
	PaBinary	binary;
	double		level;

	regression.kind = maker->ask->question.kind == PA_ASK_LINEAR ? PA_REGRESSION_LINEAR : PA_REGRESSION_LOGISTIC;
	regression.theta = maker->ask->question.points;
	check_made(maker, pa_binary_make(regression.a, regression.b, regression.epsilon, &binary));
	check_made(maker, pa_regression_level(&box, &regression, &level));
}

/* --- interval columns: steps --- */

/* NULL, with a problem: there are none, or not over one interval column alone. */
static const PaCells *
find_cells(const Maker *maker, const char **problem)
{
	double		low[PA_REGRESSION_DIMENSIONS];
	double		high[PA_REGRESSION_DIMENSIONS];

	for (int i = 0; i < maker->spec->ncolumns; i++)
	{
		low[i] = declared_column(maker, i)->lo;
		high[i] = declared_column(maker, i)->hi;
	}
	if (maker->ask->question.ncolumns > 1)
	{
		*problem = "It has steps over an interval column, and other columns beside it.";
		return NULL;
	}
	return pa_cells_recognise(maker->expression, maker->spec->ncolumns, low, high, maker->context->ecxt_param_list_info, problem);
}

/* The cells take the place of points of listed columns. */
static void
make_steps(Maker *maker, const PaCells *cells)
{
	PaAsk	   *ask = maker->ask;
	PaQuestion *question = &ask->question;

	if (cells->cuts.count == 0)
		refuse(maker, "It is the same for all owners.", "Ask about something that owners differ in.");
	maker->cells = cells;
	ask->cell_column = cells->column;
	question->ncuts = cells->cuts.count;
	question->cuts = unconstify(double *, cells->cuts.cut);
	question->npoints = cells->cuts.count + 1;
	ask->representative = palloc(sizeof(uint32) * question->npoints);
	for (int i = 0; i < question->npoints; i++)
		ask->representative[i] = (uint32) i;
	if (wants_categories(maker))
		make_response(maker);
	else
		make_binary(maker);
}

/* --- interval columns: one or the other --- */

static void
make_continuous(Maker *maker)
{
	const char *problem = NULL;
	const char *no_steps = NULL;
	const PaCells *cells;
	PaForm	   *form;

	if (maker->arguments->options.kernel_given)
		refuse(maker, "Questions over columns declared by intervals are answered by one bit, or by k-ary randomised response.",
			   "Leave the option kernel out.");
	cells = find_cells(maker, &no_steps);
	if (cells)
	{
		make_steps(maker, cells);
		return;
	}
	if (wants_categories(maker))
		refuse(maker, no_steps,
			   "Over a column declared by an interval, count cells of it alone, as in ldp_histogram(width_bucket(x, lo, hi, 10)); or declare a list with privacct.set_domain().");
	form = pa_form_recognise(maker->expression, maker->spec->ncolumns, maker->context->ecxt_param_list_info, &problem);
	if (form == NULL)
		refuse(maker, maker->ask->call->kind == PA_AGG_LDP_COUNT ? no_steps : problem,
			   "Over columns declared by intervals, ask about one linear form of them, such as 0.5*a - 2*b + 3, cut off with least(greatest(form, lo), hi), or privacct.logistic(form); or about steps over one of them, such as a > 50 or width_bucket(a, 0, 100, 10).");
	set_coefficients(maker, form);
	if (form->kind == PA_FORM_LOGISTIC)
		make_logistic(maker);
	else
		make_linear(maker, form);
	set_coin(maker);
	check_regression(maker);
}

/* --- all calls --- */

static void
make_ask(Maker *maker)
{
	PaAsk	   *ask = maker->ask;
	double		level;

	ask->question.text = ask->call->label;
	find_columns(maker);
	if (is_continuous(maker))
		make_continuous(maker);
	else
		make_listed(maker);
	pa_question_complete(&ask->question, maker->domain);
	level = ask->question.level;
	if (isfinite(level) && level > ask->epsilon * (1 + 1e-9))
		elog(ERROR, "question \"%s\" costs more than it was made for", ask->question.text);
}

/* Who is asked, and in which group, would be read all the same. */
static void
require_question(const PaLeafSpec *leaf)
{
	if (leaf->naggregates == 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("Nothing uses the answers of the owners."),
				errhint("Use the result of the ldp_ aggregate, or leave the block out."));
}

PaAsk *
pa_ask_prepare(const PaLocalSpec *spec, List *expressions, const PaPolicy *policy,
			   const PaDomain *domain, ExprContext *context)
{
	const PaLeafSpec *leaf = spec->leaf;
	PaAggregateArguments *arguments = pa_release_arguments(leaf, expressions, context);
	PaAsk	   *asks = palloc0(sizeof(PaAsk) * Max(leaf->naggregates, 1));
	int			sharing = 0;

	require_question(leaf);
	for (int i = 0; i < leaf->naggregates; i++)
		sharing += arguments[i].options.epsilon == 0;
	for (int i = 0; i < leaf->naggregates; i++)
	{
		Maker		maker = {spec, policy, domain, context, list_nth(spec->expressions, i), &arguments[i],.ask = &asks[i]};

		asks[i].call = &leaf->aggregates[i];
		asks[i].epsilon = arguments[i].options.epsilon > 0 ? arguments[i].options.epsilon : pa_default_epsilon / sharing;
		pa_require_least_price_of_question(policy, asks[i].epsilon, arguments[i].options.epsilon > 0 ? 0 : sharing,
								  leaf->source, arguments[i].location);
		make_ask(&maker);
	}
	return asks;
}

PaAmount
pa_ask_amount(double epsilon)
{
	PaAmount	result;

	if (pa_amount_from_double_up(epsilon, &result) != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the cost of the release is out of range"),
				errdetail("The ledger cannot record so much epsilon."),
				errhint("Ask for less epsilon."));
	return result;
}

double
pa_ask_total(const PaAsk *asks, int count)
{
	double		total = 0;

	for (int i = 0; i < count; i++)
		total += asks[i].epsilon;
	return total;
}
