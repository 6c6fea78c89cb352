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

static bool
is_of_two(Oid function)
{
	static const Oid functions[] = {F_CORR, F_COVAR_POP, F_COVAR_SAMP, F_REGR_SLOPE, F_REGR_INTERCEPT, F_REGR_R2, F_REGR_AVGX,
	F_REGR_AVGY, F_REGR_SXX, F_REGR_SYY, F_REGR_SXY, F_REGR_COUNT};

	for (int i = 0; i < lengthof(functions); i++)
		if (functions[i] == function)
			return true;
	return false;
}

Node *
pa_expand_moments(PaBlock *block, const Aggref *call)
{
	Pair		pair = {.block = block,.call = call};

	if (!is_of_two(call->aggfnoid) || call->aggdistinct || call->aggorder)
		return NULL;
	pair.y = variable(&pair, 0);
	pair.x = variable(&pair, 1);
	return expand(&pair);
}
