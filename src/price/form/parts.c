/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c
 *		See parts.h.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"

#include "core/order/rank.h"

#include "bound/distinct.h"
#include "price/form/parts.h"
#include "errors.h"

#define ROW_BITS 30				/* a bound is between 2^30 and 2^31 lattice steps ... */
#define WIDE_BITS 60			/* ... of two the smaller one, and the larger one at most so many */

static int
find_input(PaStatistics *set, const PaLeafAggregate *aggregate, bool number)
{
	if (aggregate->input < 0)
		return -1;
	for (int i = 0; i < set->ninputs; i++)
		if (set->inputs[i].column == aggregate->input && set->inputs[i].number == number && set->inputs[i].nfields == 0)
			return i;
	set->inputs[set->ninputs] = (PaInput) {.column = aggregate->input,.type = aggregate->input_type,.number = number};
	return set->ninputs++;
}

static bool
same_fields(const PaInput *input, const PaLeafAggregate *aggregate)
{
	for (int i = 0; i < input->nfields && input->nfields == aggregate->nfields; i++)
		if (input->fields[i].input != aggregate->fields[i].input)
			return false;
	return input->nfields == aggregate->nfields;
}

static int
find_fields(PaStatistics *set, const PaLeafAggregate *aggregate)
{
	for (int i = 0; i < set->ninputs; i++)
		if (set->inputs[i].column == aggregate->input && same_fields(&set->inputs[i], aggregate))
			return i;
	set->inputs[set->ninputs] = (PaInput) {.column = aggregate->input,.type = aggregate->input_type,
		.nfields = aggregate->nfields,.fields = aggregate->fields
	};
	return set->ninputs++;
}

static bool
same_options(const PaOptions *a, const PaOptions *b)
{
	return a->epsilon == 0 && b->epsilon == 0 && a->delta == 0 && b->delta == 0 &&
		!a->kernel_given && !b->kernel_given;
}

static bool
same_order(const PaOrder *a, const PaOrder *b)
{
	return a == NULL || b == NULL ? a == b : a->kind == b->kind;
}

/* Quantiles that are written as one array have one epsilon, and one place in the text. */
static bool
in_one_array(const PaStatistic *a, const PaStatistic *b)
{
	return a->order && a->order->kind == PA_ORDER_QUANTILES && a->location == b->location &&
		a->options.epsilon == b->options.epsilon && a->options.delta == b->options.delta;
}

/* An error that is to be reached decides how much noise there is, not which. */
static void
set_error(PaStatistic *statistic)
{
	if (!statistic->options.reach)
		return;
	statistic->error = statistic->within;
	statistic->confidence = pa_part_confidence(PA_CONFIDENCE, Max(statistic->options.parts, 1));
	statistic->within = -1;
}

/* Adds a statistic, or finds the one that is already there and shares its noise. */
static int
add_statistic(PaStatistics *set, PaStatistic statistic)
{
	set_error(&statistic);
	for (int i = 0; i < set->nstatistics; i++)
	{
		const PaStatistic *other = &set->statistics[i];

		if (other->kind == statistic.kind && other->input == statistic.input &&
			other->lo == statistic.lo && other->hi == statistic.hi && other->within == statistic.within &&
			other->error == statistic.error && other->confidence == statistic.confidence &&
			other->owner_lo == statistic.owner_lo && other->owner_hi == statistic.owner_hi &&
			other->max_rows == statistic.max_rows && other->exact == statistic.exact &&
			(other->choice == NULL) == (statistic.choice == NULL) && same_order(other->order, statistic.order) &&
			(same_options(&other->options, &statistic.options) || in_one_array(other, &statistic)))
			return i;
	}
	if (set->nstatistics == set->room)
		elog(ERROR, "an aggregate has more statistics than there is room for");
	set->statistics[set->nstatistics] = statistic;
	return set->nstatistics++;
}

/* The step of which the larger of two bounds has between 2^bits and 2^(bits + 1), as a power of two. */
static int
exponent_for(double lo, double hi, int bits)
{
	int			exponent;

	(void) frexp(Max(fabs(lo), fabs(hi)), &exponent);
	return exponent - 1 - bits;
}

static void
set_bounds(PaStatistic *statistic, double lo, double hi, int exponent)
{
	statistic->exponent = exponent;
	statistic->steps = ldexp(1.0, -exponent);
	statistic->row_lo = (int64) floor(lo * statistic->steps);
	statistic->row_hi = (int64) ceil(hi * statistic->steps);
}

/* The lattice on which the bound is about 2^ROW_BITS steps. */
static void
set_lattice(PaStatistic *statistic, double lo, double hi)
{
	set_bounds(statistic, lo, hi, exponent_for(lo, hi, ROW_BITS));
}

/* Fine enough for rows and for sums. */
static void
set_wide_lattice(PaStatistic *statistic, const PaAggregateArguments *arguments)
{
	double		lo = arguments->owner_lo;
	double		hi = arguments->owner_hi;
	int			finest = Max(exponent_for(arguments->lo, arguments->hi, WIDE_BITS), exponent_for(lo, hi, WIDE_BITS));

	set_bounds(statistic, arguments->lo, arguments->hi,
			   Max(finest, Min(exponent_for(arguments->lo, arguments->hi, ROW_BITS), exponent_for(lo, hi, ROW_BITS))));
	statistic->owner_lo = (int64) floor(lo * statistic->steps);
	statistic->owner_hi = (int64) ceil(hi * statistic->steps);
}

/* M: the aggregate's own, unless an owner has one row anyway. */
static int64
max_rows(const PaStatistics *set, const PaAggregateArguments *arguments)
{
	return arguments->options.max_rows > 0 && !set->one_row ? (int64) arguments->options.max_rows : set->max_rows;
}

static bool
can_be_nan(Oid type)
{
	return type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID;
}

int
pa_add_count(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
			 const PaAggregateArguments *arguments, double rows)
{
	PaStatistic statistic = {.kind = kind,.options = arguments->options,.label = aggregate->label,.steps = 1,
		.within = rows,.row_lo = 0,.row_hi = 1,.max_rows = max_rows(set, arguments),.count = -1,.input = -1,.location = arguments->location
	};

	if (kind == PA_STAT_VALUES && aggregate->never_null && !can_be_nan(aggregate->input_type))
		statistic.kind = PA_STAT_ROWS;
	if (statistic.kind == PA_STAT_VALUES || kind == PA_STAT_OWNERS)
		statistic.input = find_input(set, aggregate, false);
	return add_statistic(set, statistic);
}

/* On a lattice on which what is covered with any cap, divided by it, is whole; half of its epsilon is for the draw */
static void
draw_cap(PaStatistic *statistic)
{
	statistic->choice = palloc0(sizeof(PaCapChoice));
	statistic->exponent = -PA_CAP_BITS;
	statistic->steps = statistic->row_hi = 1 << PA_CAP_BITS;
	statistic->within = -1;
	statistic->options.epsilon /= 2;
}

/* The statistic that is the cap; the release looks at how large caps may be (price/distinct.h). */
static void
add_choice(PaStatistics *set, int counted)
{
	const PaStatistic *covered = &set->statistics[counted];
	PaCapChoice *choice = covered->choice;
	PaStatistic statistic = {.kind = PA_STAT_CAP,.options.epsilon = covered->options.epsilon,.options.within = -1,
		.label = psprintf("cap of %s", covered->label),.steps = 1,.within = -1,.max_rows = covered->max_rows,.count = -1,
		.input = -1,.location = covered->location,.choice = choice
	};

	for (int32 cap = 1; cap < Min(covered->max_rows, PA_MOST_COVERED); cap *= 2)
		choice->cap[choice->caps++] = cap;
	choice->cap[choice->caps++] = (int32) Min(covered->max_rows, PA_MOST_COVERED);
	if (set->nstatistics == set->room)
		elog(ERROR, "an aggregate has more statistics than there is room for");
	choice->counted = counted;
	choice->chosen = set->nstatistics;
	set->statistics[set->nstatistics++] = statistic;
}

int
pa_add_distinct(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments)
{
	PaStatistic statistic = {.kind = PA_STAT_DISTINCT,.options = arguments->options,.label = aggregate->label,.steps = 1,
		.within = arguments->options.within,.row_lo = 0,.row_hi = 1,.max_rows = max_rows(set, arguments),.count = -1,
		.location = arguments->location,.exact = arguments->options.cover == PA_COVER_EXACT && !set->one_row
	};
	int			index;

	statistic.input = find_fields(set, aggregate);
	if (arguments->options.cap == PA_CAP_AUTO && statistic.max_rows > 1)
		draw_cap(&statistic);
	index = add_statistic(set, statistic);
	if (set->statistics[index].choice && set->statistics[index].choice->caps == 0)
		add_choice(set, index);
	return index;
}

int
pa_add_count_of_numbers(PaStatistics *set, const PaLeafAggregate *aggregate,
						const PaAggregateArguments *arguments, double rows)
{
	bool		nan_is_null = can_be_nan(aggregate->input_type);
	PaStatistic statistic = {.kind = PA_STAT_VALUES,.options = arguments->options,.steps = 1,
		.within = rows,.row_lo = 0,.row_hi = 1,.max_rows = max_rows(set, arguments),.count = -1,.input = -1,.location = arguments->location
	};

	if (aggregate->never_null && !nan_is_null)
		statistic.kind = PA_STAT_ROWS;
	else
		statistic.input = find_input(set, aggregate, nan_is_null);
	statistic.label = psprintf("count for %s", aggregate->label);
	return add_statistic(set, statistic);
}

static double
largest(double lo, double hi)
{
	return Max(fabs(lo), fabs(hi));
}

/* Whether the bounds of owners' sums are those to use. */
static bool
by_owner(const PaStatistics *set, const PaAggregateArguments *arguments)
{
	if (!arguments->owner_bounds || arguments->options.limit == PA_LIMIT_ROWS)
		return false;
	return arguments->options.limit == PA_LIMIT_OWNER ||
		largest(arguments->owner_lo, arguments->owner_hi) < max_rows(set, arguments) * largest(arguments->lo, arguments->hi);
}

static double
clamp(double x, double lo, double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* Where an owner has one row, both clamps are one: to where the second takes the ends of the first. */
static void
set_one_row(PaStatistic *statistic, const PaAggregateArguments *arguments)
{
	statistic->lo = clamp(arguments->lo, arguments->owner_lo, arguments->owner_hi);
	statistic->hi = clamp(arguments->hi, arguments->owner_lo, arguments->owner_hi);
	set_lattice(statistic, statistic->lo, statistic->hi);
}

int
pa_add_sum(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments,
		   const char *label, double within)
{
	PaStatistic statistic = {.kind = PA_STAT_SUM,.options = arguments->options,.label = label,.within = within,
		.lo = arguments->lo,.hi = arguments->hi,.count = -1,
		.max_rows = max_rows(set, arguments),.location = arguments->location
	};

	statistic.input = find_input(set, aggregate, true);
	statistic.never_missing = aggregate->never_null && !can_be_nan(aggregate->input_type);
	if (!by_owner(set, arguments))
		set_lattice(&statistic, arguments->lo, arguments->hi);
	else if (set->one_row)
		set_one_row(&statistic, arguments);
	else
	{
		statistic.kind = PA_STAT_OWNER_SUM;
		set_wide_lattice(&statistic, arguments);
	}
	return add_statistic(set, statistic);
}

int
pa_add_moment(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
			  const PaAggregateArguments *arguments, double rows, int count)
{
	double		half = (arguments->hi - arguments->lo) / 2;
	double		range = kind == PA_STAT_CENTRED ? half : half * half / 2;
	PaStatistic statistic = {.kind = kind,.options = arguments->options,.count = count,
		.within = rows < 0 ? rows : rows * range,.lo = arguments->lo,.hi = arguments->hi,
		.max_rows = max_rows(set, arguments),.location = arguments->location
	};

	statistic.label = psprintf("%s for %s", kind == PA_STAT_CENTRED ? "centred sum" : "centred squares", aggregate->label);
	statistic.centre = kind == PA_STAT_CENTRED ? (arguments->lo + arguments->hi) / 2 : range;
	statistic.input = find_input(set, aggregate, true);
	set_lattice(&statistic, -range, range);
	return add_statistic(set, statistic);
}

/*
 * As many cells as there may be, each as narrow as that allows and as doubles tell apart;
 * whole numbers and days have one each, if they can.
 */
static int
cell_exponent(Oid type, double lo, double hi)
{
	int			exponent;
	bool		whole = type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID || type == BOOLOID;

	(void) frexp(hi - lo, &exponent);	/* hi - lo < 2^exponent */
	exponent = Max(exponent - PA_CELL_BITS, exponent_for(lo, hi, DBL_MANT_DIG - 1));
	return whole ? Max(exponent, 0) : exponent;
}

static PaOrder *
make_order(PaOrderKind kind, PaStatistic *statistic)
{
	PaOrder    *order = palloc0(sizeof(PaOrder));

	order->kind = kind;
	order->first = (int64) floor(statistic->lo * statistic->steps);
	order->cells = (int64) ceil(statistic->hi * statistic->steps) - order->first + 1;
	return order;
}

/* The number of the quantile among those of the order. */
static int
add_rank(PaOrder *order, double wanted)
{
	uint32		quantile = 0;
	int			rank = 0;

	if (order->kind == PA_ORDER_QUANTILES && pa_quantile_decimal(wanted, &quantile) != PA_OK)
		elog(ERROR, "a quantile is out of range");
	while (rank < order->nranks && order->quantiles[rank] != quantile)
		rank++;
	if (rank == PA_QUANTILES_MOST)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("too many quantiles of one value"),
				errdetail("There may be %d of them in a query.", PA_QUANTILES_MOST),
				errhint("Ask for fewer of them."));
	order->quantiles[rank] = quantile;
	order->nranks = Max(order->nranks, rank + 1);
	return rank;
}

int
pa_add_order(PaStatistics *set, const PaLeafAggregate *aggregate, PaOrderKind kind,
			 const PaAggregateArguments *arguments, int *rank)
{
	PaStatistic statistic = {.kind = PA_STAT_ORDER,.options = arguments->options,.label = aggregate->label,
		.within = -1,.lo = arguments->lo,.hi = arguments->hi,.count = -1,
		.max_rows = max_rows(set, arguments),.location = arguments->location
	};
	int			index;

	statistic.input = find_input(set, aggregate, true);
	statistic.exponent = cell_exponent(aggregate->input_type, arguments->lo, arguments->hi);
	statistic.steps = ldexp(1.0, -statistic.exponent);
	statistic.order = make_order(kind, &statistic);
	index = add_statistic(set, statistic);
	*rank = add_rank(set->statistics[index].order, arguments->quantile);
	return index;
}

PaAggregateArguments
pa_share_options(const PaAggregateArguments *arguments, int parts)
{
	PaAggregateArguments shared = *arguments;

	shared.options.epsilon /= parts;
	shared.options.delta /= parts;
	shared.options.parts = parts;
	return shared;
}
