/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * moments.c
 *		See moments.h.
 *
 * With x in [lo, hi], mid the middle of that and h half its width, all of pairs
 * without a NULL:
 *
 *	 covariance		E[(x - mid_x)(y - mid_y)] - (E[x] - mid_x)(E[y] - mid_y)
 *
 * of which the product lies in [-h_x h_y, h_x h_y], and is an expression like any
 * other.  What is noised is what dp_avg and dp_var_pop of x, of y and of the product
 * are computed from (docs/theory.md); what several aggregates of a block need is
 * released once.  Everything else is arithmetic on what was released.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "bound/aggregate.h"
#include "catalog/extension.h"
#include "errors.h"
#include "guard/interval_call.h"
#include "guard/moments.h"

typedef struct Variable
{
	Node	   *value;			/* NULL where the other one is no number */
	Node	   *clamped;		/* less the middle; NULL where it is no number */
	double		lo;
	double		hi;
	double		mid;
	double		half;
} Variable;

typedef struct Pair
{
	const PaBlock *block;
	const Aggref *call;
	int			together;		/* aggregates of one variable whose intervals hold at once */
	bool		in_steps;		/* what is used several times is computed once: */
	List	   *steps;
	Variable	y;				/* in the order of the arguments */
	Variable	x;
} Pair;

/* --- expressions --- */

static Node *
number(double value)
{
	return (Node *) makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value), false, FLOAT8PASSBYVAL);
}

static Node *
calculate(Oid function, Node *a, Node *b)
{
	return (Node *) makeFuncExpr(function, FLOAT8OID, list_make2(a, b), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

#define PLUS(a, b) calculate(F_FLOAT8PL, a, b)
#define MINUS(a, b) calculate(F_FLOAT8MI, a, b)
#define TIMES(a, b) calculate(F_FLOAT8MUL, a, b)
#define OVER(a, b) calculate(F_FLOAT8DIV, a, b)

static Node *
root(Node *value)
{
	return (Node *) makeFuncExpr(F_SQRT_FLOAT8, FLOAT8OID, list_make1(value), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

static Node *
extreme(MinMaxOp op, Node *a, Node *b)
{
	MinMaxExpr *expression = makeNode(MinMaxExpr);

	expression->minmaxtype = FLOAT8OID;
	expression->op = op;
	expression->args = list_make2(a, b);
	expression->location = -1;
	return (Node *) expression;
}

static Node *
between(Node *value, Node *lo, Node *hi)
{
	return extreme(IS_LEAST, extreme(IS_GREATEST, value, lo), hi);
}

/* CASE WHEN condition THEN value ELSE otherwise END; no condition is met by NULL. */
static Node *
either(Node *condition, Node *value, Node *otherwise)
{
	CaseExpr   *expression = makeNode(CaseExpr);
	CaseWhen   *when = makeNode(CaseWhen);

	when->expr = (Expr *) condition;
	when->result = (Expr *) value;
	when->location = -1;
	expression->casetype = FLOAT8OID;
	expression->args = list_make1(when);
	expression->defresult = (Expr *) otherwise;
	expression->location = -1;
	return (Node *) expression;
}

static Node *
is_above(Node *value, double least)
{
	return (Node *) makeFuncExpr(F_FLOAT8GT, BOOLOID, list_make2(value, number(least)), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/* --- variables --- */

static Node *
argument(const Aggref *call, int position)
{
	return (Node *) ((TargetEntry *) list_nth(call->args, position))->expr;
}

/* An integer that is never null, as a number. */
static bool
is_always_there(const PaBlock *block, Node *value)
{
	const FuncExpr *cast = (const FuncExpr *) value;

	return IsA(value, FuncExpr) && (cast->funcid == F_FLOAT8_INT2 || cast->funcid == F_FLOAT8_INT4 || cast->funcid == F_FLOAT8_INT8) &&
		pa_is_never_null(block->leaf, linitial(cast->args));
}

/* The expression, or NULL where the value is none, NaN or infinite, of which the first two are not less than infinity. */
static Node *
where_there(const PaBlock *block, Node *expression, Node *value)
{
	Node	   *size;

	if (is_always_there(block, value))
		return expression;
	size = (Node *) makeFuncExpr(F_FLOAT8ABS, FLOAT8OID, list_make1(copyObject(value)), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	return either((Node *) makeFuncExpr(F_FLOAT8LT, BOOLOID, list_make2(size, number(INFINITY)), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL),
				  expression, (Node *) makeNullConst(FLOAT8OID, -1, InvalidOid));
}

static Variable
variable(const Pair *pair, int position)
{
	const PaBlock *block = pair->block;
	Node	   *value = argument(pair->call, position);
	Variable	result;

	if (!pa_infer_bounds(block, block->leaf, value, &result.lo, &result.hi))
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("no bounds are known for the argument of %s", get_func_name(pair->call->aggfnoid)),
				errdetail("Each value must be clamped to bounds that do not depend on data."),
				errhint("Have the table's owner declare bounds with privacct.set_bounds()."),
				pa_error_position(block->guard, exprLocation(value) < 0 ? pair->call->location : exprLocation(value)));
	result.value = where_there(block, copyObject(value), argument(pair->call, 1 - position));
	result.mid = (result.lo + result.hi) / 2;
	result.half = (result.hi - result.lo) / 2;
	result.clamped = where_there(block, MINUS(between(copyObject(value), number(result.lo), number(result.hi)), number(result.mid)), value);
	return result;
}

/* NULL where either is. */
static Node *
product(const Pair *pair)
{
	return TIMES(copyObject(pair->x.clamped), copyObject(pair->y.clamped));
}

/* --- aggregates of one variable --- */

static Node *
aggregate(const Pair *pair, Oid function, Oid type, List *arguments)
{
	Aggref	   *call = makeNode(Aggref);
	ListCell   *cell;

	call->aggfnoid = function;
	call->aggtype = type;
	call->aggtranstype = InvalidOid;
	call->aggkind = 'n';
	call->aggno = call->aggtransno = -1;
	call->aggfilter = copyObject(pair->call->aggfilter);
	call->location = pair->call->location;
	foreach(cell, arguments)
	{
		call->args = lappend(call->args, makeTargetEntry((Expr *) copyObject(lfirst(cell)), list_length(call->args) + 1, NULL, false));
		call->aggargtypes = lappend_oid(call->aggargtypes, exprType(lfirst(cell)));
	}
	return (Node *) call;
}

static Node *
of_values(const Pair *pair, const char *name, Node *value, double lo, double hi)
{
	Oid			types[] = {FLOAT8OID, FLOAT8OID, FLOAT8OID};

	return aggregate(pair, pa_own_function(name, lengthof(types), types), FLOAT8OID, list_make3(value, number(lo), number(hi)));
}

static Node *
mean(const Pair *pair, const Variable *variable)
{
	return of_values(pair, "dp_avg", variable->value, variable->lo, variable->hi);
}

static Node *
variance(const Pair *pair, const Variable *variable)
{
	return of_values(pair, "dp_var_pop", variable->value, variable->lo, variable->hi);
}

static Node *
count(const Pair *pair)
{
	return aggregate(pair, F_COUNT_ANY, INT8OID, list_make1(product(pair)));
}

static Node *
size(const Pair *pair)
{
	return extreme(IS_GREATEST, (Node *) makeFuncExpr(F_FLOAT8_INT8, FLOAT8OID, list_make1(count(pair)), InvalidOid, InvalidOid,
													  COERCE_IMPLICIT_CAST), number(0));
}

/* --- of two --- */

static Node *
covariance(const Pair *pair)
{
	double		most = pair->x.half * pair->y.half;
	Node	   *products = of_values(pair, "dp_avg", product(pair), -most, most);
	Node	   *means = TIMES(MINUS(mean(pair, &pair->x), number(pair->x.mid)), MINUS(mean(pair, &pair->y), number(pair->y.mid)));

	return between(MINUS(products, means), number(-most), number(most));
}

/* Of as many pairs as there are, for a sample of them. */
static Node *
sample_covariance(const Pair *pair)
{
	Node	   *factor = either(is_above(size(pair), 1), OVER(size(pair), MINUS(size(pair), number(1))), number(1));

	return TIMES(covariance(pair), factor);
}

/* The covariance over both deviations; where noise leaves one of them at 0, nothing is known, and 0 the answer. */
static Node *
correlation(const Pair *pair)
{
	Node	   *deviations = TIMES(root(variance(pair, &pair->x)), root(variance(pair, &pair->y)));

	return either(is_above(deviations, 0), between(OVER(covariance(pair), copyObject(deviations)), number(-1), number(1)), number(0));
}

/* No steeper than the deviations allow. */
static Node *
slope(const Pair *pair)
{
	return either(is_above(variance(pair, &pair->x), 0),
				  OVER(TIMES(correlation(pair), root(variance(pair, &pair->y))), root(variance(pair, &pair->x))), number(0));
}

static Node *
intercept(const Pair *pair)
{
	return MINUS(mean(pair, &pair->y), TIMES(slope(pair), mean(pair, &pair->x)));
}

static Node *
expand(const Pair *pair)
{
	switch (pair->call->aggfnoid)
	{
		case F_CORR:
			return correlation(pair);
		case F_COVAR_POP:
			return covariance(pair);
		case F_COVAR_SAMP:
			return sample_covariance(pair);
		case F_REGR_SLOPE:
			return slope(pair);
		case F_REGR_INTERCEPT:
			return intercept(pair);
		case F_REGR_R2:
			return TIMES(correlation(pair), correlation(pair));
		case F_REGR_AVGX:
			return mean(pair, &pair->x);
		case F_REGR_AVGY:
			return mean(pair, &pair->y);
		case F_REGR_SXX:
			return TIMES(size(pair), variance(pair, &pair->x));
		case F_REGR_SYY:
			return TIMES(size(pair), variance(pair, &pair->y));
		case F_REGR_SXY:
			return TIMES(size(pair), covariance(pair));
		case F_REGR_COUNT:
			return count(pair);
	}
	return NULL;
}

/* --- their intervals --- */

/*
 * Each of the aggregates of one variable is in its interval but for a part of 5 %; then an
 * aggregate of two is in what follows from them by arithmetic on intervals.
 */
typedef struct Range
{
	Node	   *lo;
	Node	   *hi;
} Range;

#define COPY(node) copyObject(node)
#define LEAST(a, b) extreme(IS_LEAST, a, b)
#define GREATEST(a, b) extreme(IS_GREATEST, a, b)

static Range
range_of(const Pair *pair, Node *aggregate)
{
	return (Range) {
		(Node *) pa_interval_call(castNode(Aggref, aggregate), PA_SHOWN_LOW, pair->together),
			(Node *) pa_interval_call(castNode(Aggref, aggregate), PA_SHOWN_HIGH, pair->together)
	};
}

static Range
within(Range range, double lo, double hi)
{
	return (Range) {between(range.lo, number(lo), number(hi)), between(range.hi, number(lo), number(hi))};
}

/* Both, or what nothing is known about, where the condition is not met. */
static Range
where(Node *condition, Range range, double lo, double hi)
{
	return (Range) {either(condition, range.lo, number(lo)), either(COPY(condition), range.hi, number(hi))};
}

static Node *
step(Pair *pair, Node *value)
{
	if (!pair->in_steps || IsA(value, Var))
		return value;
	pair->steps = lappend(pair->steps, value);
	return (Node *) makeVar(INNER_VAR, list_length(pair->steps), FLOAT8OID, -1, InvalidOid, 0);
}

static Range
known(Pair *pair, Range range)
{
	return (Range) {step(pair, range.lo), step(pair, range.hi)};
}

static Range
product_of(Range a, Range b)
{
	Node	   *lo = LEAST(LEAST(TIMES(COPY(a.lo), COPY(b.lo)), TIMES(COPY(a.lo), COPY(b.hi))),
						   LEAST(TIMES(COPY(a.hi), COPY(b.lo)), TIMES(COPY(a.hi), COPY(b.hi))));
	Node	   *hi = GREATEST(GREATEST(TIMES(COPY(a.lo), COPY(b.lo)), TIMES(COPY(a.lo), COPY(b.hi))),
							  GREATEST(TIMES(COPY(a.hi), COPY(b.lo)), TIMES(COPY(a.hi), COPY(b.hi))));

	return (Range) {lo, hi};
}

static Range
less(Range a, Range b)
{
	return (Range) {MINUS(a.lo, b.hi), MINUS(a.hi, b.lo)};
}

/* By what is above 0 throughout */
static Range
over(Range a, Range b)
{
	return (Range) {
		LEAST(OVER(COPY(a.lo), COPY(b.lo)), OVER(COPY(a.lo), COPY(b.hi))),
			GREATEST(OVER(COPY(a.hi), COPY(b.lo)), OVER(COPY(a.hi), COPY(b.hi)))
	};
}

static Range
centred_mean_range(Pair *pair, const Variable *variable)
{
	Range		range = range_of(pair, mean(pair, variable));

	return known(pair, (Range) {MINUS(range.lo, number(variable->mid)), MINUS(range.hi, number(variable->mid))});
}

static Range
deviation_range(Pair *pair, const Variable *variable)
{
	Range		range = range_of(pair, variance(pair, variable));

	return known(pair, (Range) {root(range.lo), root(range.hi)});
}

static Range
size_range(Pair *pair)
{
	return known(pair, within(range_of(pair, count(pair)), 0, INFINITY));
}

static Range
covariance_range(Pair *pair)
{
	double		most = pair->x.half * pair->y.half;
	Range		products = range_of(pair, of_values(pair, "dp_avg", product(pair), -most, most));

	return known(pair, within(less(products, product_of(centred_mean_range(pair, &pair->x), centred_mean_range(pair, &pair->y))), -most, most));
}

/* Of n >= 2 pairs the factor is n/(n - 1), from 1 to 2. */
static Range
sample_covariance_range(Pair *pair)
{
	Range		least = size_range(pair);
	Range		factor = {number(1), either(is_above(COPY(least.lo), 2), OVER(COPY(least.lo), MINUS(COPY(least.lo), number(1))), number(2))};

	return product_of(covariance_range(pair), known(pair, factor));
}

static Range
correlation_range(Pair *pair)
{
	Range		deviations = known(pair, product_of(deviation_range(pair, &pair->x), deviation_range(pair, &pair->y)));

	return known(pair, where(is_above(COPY(deviations.lo), 0), within(over(covariance_range(pair), deviations), -1, 1), -1, 1));
}

static Range
slope_range(Pair *pair)
{
	Range		x = deviation_range(pair, &pair->x);
	Range		steepest = known(pair, product_of(correlation_range(pair), deviation_range(pair, &pair->y)));

	return known(pair, where(is_above(COPY(x.lo), 0), over(steepest, x), -INFINITY, INFINITY));
}

static Range
intercept_range(Pair *pair)
{
	Range		x = deviation_range(pair, &pair->x);

	return where(is_above(COPY(x.lo), 0), less(range_of(pair, mean(pair, &pair->y)), product_of(slope_range(pair), range_of(pair, mean(pair, &pair->x)))),
				 -INFINITY, INFINITY);
}

static Range
square_range(Range range)
{
	Range		corners = product_of(range, range);
	Node	   *apart = TIMES(COPY(range.lo), COPY(range.hi));

	return (Range) {
		either(is_above(apart, 0), LEAST(TIMES(COPY(range.lo), COPY(range.lo)), TIMES(COPY(range.hi), COPY(range.hi))), number(0)), corners.hi
	};
}

static Range
expand_range(Pair *pair)
{
	switch (pair->call->aggfnoid)
	{
		case F_CORR:
			return correlation_range(pair);
		case F_COVAR_POP:
			return covariance_range(pair);
		case F_COVAR_SAMP:
			return sample_covariance_range(pair);
		case F_REGR_SLOPE:
			return slope_range(pair);
		case F_REGR_INTERCEPT:
			return intercept_range(pair);
		case F_REGR_R2:
			return square_range(correlation_range(pair));
		case F_REGR_AVGX:
			return range_of(pair, mean(pair, &pair->x));
		case F_REGR_AVGY:
			return range_of(pair, mean(pair, &pair->y));
		case F_REGR_SXX:
			return product_of(size_range(pair), range_of(pair, variance(pair, &pair->x)));
		case F_REGR_SYY:
			return product_of(size_range(pair), range_of(pair, variance(pair, &pair->y)));
		case F_REGR_SXY:
			return product_of(size_range(pair), covariance_range(pair));
	}
	return range_of(pair, count(pair));
}

/* How many aggregates of one variable it is computed from. */
static int
parts_of(Oid function)
{
	switch (function)
	{
		case F_CORR:
		case F_REGR_SLOPE:
		case F_REGR_INTERCEPT:
		case F_REGR_R2:
			return 5;
		case F_COVAR_SAMP:
		case F_REGR_SXY:
			return 4;
		case F_COVAR_POP:
			return 3;
		case F_REGR_SXX:
		case F_REGR_SYY:
			return 2;
	}
	return 1;
}

bool
pa_is_of_two_variables(Oid function)
{
	static const Oid functions[] = {F_CORR, F_COVAR_POP, F_COVAR_SAMP, F_REGR_SLOPE, F_REGR_INTERCEPT, F_REGR_R2, F_REGR_AVGX,
	F_REGR_AVGY, F_REGR_SXX, F_REGR_SYY, F_REGR_SXY, F_REGR_COUNT};

	for (int i = 0; i < lengthof(functions); i++)
		if (functions[i] == function)
			return true;
	return false;
}

static bool
begin(Pair *pair, const PaBlock *block, const Aggref *call)
{
	if (!pa_is_of_two_variables(call->aggfnoid) || call->aggdistinct || call->aggorder)
		return false;
	*pair = (Pair) {.block = block,.call = call,.together = parts_of(call->aggfnoid)};
	pair->y = variable(pair, 0);
	pair->x = variable(pair, 1);
	return true;
}

bool
pa_expand_moments(PaBlock *block, const Aggref *call, PaMoments *moments)
{
	Pair		pair;
	Range		range;

	if (!begin(&pair, block, call))
		return false;
	pair.in_steps = true;
	range = expand_range(&pair);
	*moments = (PaMoments) {expand(&pair), pair.steps, range.lo, range.hi, pair.together};
	return true;
}

Node *
pa_expand_interval(PaBlock *block, const Aggref *call, PaShown end)
{
	Pair		pair;
	Range		range;

	if (!begin(&pair, block, call))
		return NULL;
	range = expand_range(&pair);
	return end == PA_SHOWN_LOW ? range.lo : range.hi;
}
