/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounds.c
 *		Interval arithmetic: between which numbers an expression lies if the
 *		columns lie between their declared bounds; or its sum over the rows of an
 *		owner in a group, if the sums of columns do.
 *
 * The interval is only a proposal for the clamp of an aggregate.  Every value is
 * clamped to it and the sensitivity follows from it, so an interval that is too
 * narrow costs accuracy, never privacy.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "catalog/public_table.h"
#include "descend.h"
#include "guard/branches.h"
#include "guard/column.h"
#include "guard/guard.h"
#include "guard/parameters.h"
#include "number.h"

typedef struct Interval2
{
	double		lo;
	double		hi;				/* lo > hi: empty, e.g. of a NULL */
} Interval2;

typedef struct InferContext
{
	const PaBlock *block;
	const Query *query;
	bool		of_owners;		/* bounds are wanted of sums over the rows of an owner, not of values */
} InferContext;

static bool infer(const InferContext *context, Node *node, Interval2 *result);

static const Interval2 empty = {INFINITY, -INFINITY};

static Interval2
hull(Interval2 a, Interval2 b)
{
	return (Interval2) {fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static bool
infer_hull(const InferContext *context, List *nodes, Interval2 *result)
{
	ListCell   *cell;

	*result = empty;
	foreach(cell, nodes)
	{
		Interval2	one;

		if (!infer(context, lfirst(cell), &one))
			return false;
		*result = hull(*result, one);
	}
	return true;
}

static bool
infer_const(const Const *constant, Interval2 *result)
{
	double		value;

	if (constant->constisnull)
	{
		*result = empty;
		return true;
	}
	switch (constant->consttype)
	{
		case INT2OID:
			value = DatumGetInt16(constant->constvalue);
			break;
		case INT4OID:
			value = DatumGetInt32(constant->constvalue);
			break;
		case INT8OID:
			value = DatumGetInt64(constant->constvalue);
			break;
		case FLOAT4OID:
			value = DatumGetFloat4(constant->constvalue);
			break;
		case FLOAT8OID:
			value = DatumGetFloat8(constant->constvalue);
			break;
		case NUMERICOID:
			value = pa_numeric_to_double(constant->constvalue);
			break;
		case DATEOID:
			value = DatumGetDateADT(constant->constvalue);
			break;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			value = DatumGetTimestamp(constant->constvalue) / (double) USECS_PER_SEC;
			break;
		default:
			return false;
	}
	if (!isfinite(value))
		return false;
	*result = (Interval2) {value, value};
	return true;
}

static bool
infer_union(const InferContext *context, const RangeTblEntry *rte, AttrNumber column, Interval2 *result)
{
	ListCell   *cell;

	if (context->of_owners)
		return false;			/* an owner has a sum in each input */
	*result = empty;
	foreach(cell, pa_union_inputs(rte->subquery))
	{
		const RangeTblEntry *input = lfirst(cell);
		InferContext inside = {context->block, input->subquery, false};
		Interval2	one;

		if (!infer(&inside, pa_union_column(input, column), &one))
			return false;
		*result = hull(*result, one);
	}
	return true;
}

/* How often a constant is added up is not known. */
static bool
infer_sum_of_const(const Const *constant, Interval2 *result)
{
	if (!infer_const(constant, result))
		return false;
	if (result->lo > result->hi)
		*result = (Interval2) {0, 0};
	return result->lo == 0 && result->hi == 0;
}

static bool
infer_declared(const InferContext *context, const PaBound *bound, Interval2 *result)
{
	if (bound == NULL || !(context->of_owners ? bound->of_owners : bound->of_rows))
		return false;
	*result = context->of_owners ? (Interval2) {bound->owner_lo, bound->owner_hi} : (Interval2) {bound->lo, bound->hi};
	return true;
}

/* How often a value of a public table is added up is not known. */
static bool
infer_checked(const InferContext *context, const RangeTblEntry *rte, AttrNumber column, Interval2 *result)
{
	Const	   *least;
	Const	   *largest;
	Interval2	hi;

	if (context->of_owners || !pa_is_public(rte->relid) || !pa_checked_bounds(rte->relid, column, &least, &largest) ||
		!infer_const(least, result) || !infer_const(largest, &hi))
		return false;
	result->hi = hi.hi;
	return result->lo <= result->hi;
}

/* A column of the protected table has declared bounds, one of a subquery or join those of what is behind it. */
static bool
infer_var(const InferContext *context, const Var *var, Interval2 *result)
{
	const PaPolicy *policy;
	AttrNumber	column = pa_protected_column(context->query, var, &policy);
	const PaBound *bound = policy ? pa_policy_bound(policy, column) : NULL;
	const RangeTblEntry *rte = rt_fetch(var->varno, context->query->rtable);

	if (infer_declared(context, bound, result))
		return true;
	if (var->varlevelsup != 0 || var->varattno <= 0)
		return false;
	if (pa_is_union(rte))
		return infer_union(context, rte, var->varattno, result);
	if (rte->rtekind == RTE_SUBQUERY)
	{
		InferContext inside = {context->block, rte->subquery, context->of_owners};
		TargetEntry *entry = get_tle_by_resno(rte->subquery->targetList, var->varattno);

		return entry && infer(&inside, (Node *) entry->expr, result);
	}
	if (rte->rtekind == RTE_RELATION)
		return infer_checked(context, rte, var->varattno, result);
	if (rte->rtekind == RTE_JOIN)
		return infer(context, list_nth(rte->joinaliasvars, var->varattno - 1), result);
	return false;
}

static bool
ends_with(const char *name, const char *suffix)
{
	size_t		length = strlen(name),
				tail = strlen(suffix);

	return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

static Interval2
product(Interval2 a, Interval2 b)
{
	double		p = a.lo * b.lo,
				q = a.lo * b.hi,
				r = a.hi * b.lo,
				s = a.hi * b.hi;

	return (Interval2) {fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

/*
 * The sum of terms times factors: between those of the sum of the terms times the
 * least and the largest factor, if no two terms have different signs.
 */
static bool
infer_sum_of_products(const InferContext *context, Node *term, Node *factor, bool divide, Interval2 *result)
{
	InferContext of_rows = {context->block, context->query, false};
	Interval2	value,
				sum,
				by;

	if (!infer(context, term, &sum) || !infer(&of_rows, term, &value) || !infer(&of_rows, factor, &by))
		return false;
	if (value.lo < 0 && value.hi > 0)
		return false;
	if (divide)
	{
		if (by.lo <= 0 && by.hi >= 0)
			return false;
		by = (Interval2) {1 / by.hi, 1 / by.lo};
	}
	*result = product(sum, by);
	return isfinite(result->lo) && isfinite(result->hi) && result->lo <= result->hi;
}

/* The number that it is; where that is not known yet, any will do, for there will be another plan. */
static bool
infer_parameter(const InferContext *context, Node *parameter, Interval2 *result)
{
	bool		waits;
	const Const *value = pa_constant(context->block->guard, parameter, &waits);

	if (value)
		return context->of_owners ? infer_sum_of_const(value, result) : infer_const(value, result);
	context->block->guard->waits |= waits && pa_is_number_type(exprType(parameter));
	*result = (Interval2) {0, 1};
	return waits && pa_is_number_type(exprType(parameter));
}

/* Sum, difference and product; anything else has no interval here. */
static bool
infer_binary(const InferContext *context, const char *name, List *args, Interval2 *result)
{
	Interval2	a,
				b;

	if (context->of_owners && ends_with(name, "mul"))
		return infer_sum_of_products(context, linitial(args), lsecond(args), false, result) ||
			infer_sum_of_products(context, lsecond(args), linitial(args), false, result);
	if (context->of_owners && ends_with(name, "div"))
		return infer_sum_of_products(context, linitial(args), lsecond(args), true, result);
	if (!infer(context, linitial(args), &a) || !infer(context, lsecond(args), &b))
		return false;
	if (a.lo > a.hi || b.lo > b.hi)
		*result = empty;
	else if (ends_with(name, "mul"))
		*result = product(a, b);
	else if (ends_with(name, "pl") || ends_with(name, "_add") || strcmp(name, "date_pli") == 0)
		*result = (Interval2) {a.lo + b.lo, a.hi + b.hi};
	else if (ends_with(name, "mi") || ends_with(name, "_sub") || strcmp(name, "date_mii") == 0)
		*result = (Interval2) {a.lo - b.hi, a.hi - b.lo};
	else if (ends_with(name, "div") && (b.lo > 0 || b.hi < 0))
	{
		double		p = a.lo / b.lo,
					q = a.lo / b.hi,
					r = a.hi / b.lo,
					s = a.hi / b.hi;

		*result = (Interval2) {fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
	}
	else
		return false;
	return isfinite(result->lo) && isfinite(result->hi);
}

static bool
infer_unary(const InferContext *context, const char *name, Node *arg, Interval2 *result)
{
	static const char *const casts[] = {"float4", "float8", "int2", "int4", "int8", "numeric"};
	static const char *const roundings[] = {"round", "ceil", "ceiling", "floor", "trunc", "dround", "dtrunc"};
	Interval2	a;

	if (!infer(context, arg, &a))
		return false;
	for (int i = 0; i < lengthof(casts); i++)
		if (strcmp(name, casts[i]) == 0)
		{
			*result = a;
			return true;
		}
	for (int i = 0; i < lengthof(roundings) && !context->of_owners; i++)
		if (strcmp(name, roundings[i]) == 0)
		{
			*result = (Interval2) {floor(a.lo), ceil(a.hi)};
			return true;
		}
	if (ends_with(name, "um") || ends_with(name, "uminus"))
		*result = (Interval2) {-a.hi, -a.lo};
	else if (ends_with(name, "abs") && !context->of_owners)
		*result = (Interval2) {a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, fmax(fabs(a.lo), fabs(a.hi))};
	else
		return false;
	return true;
}

/*
 * Seconds of a difference of timestamps, or since 1970 of a time.  Bounds of
 * times count from 2000: timestamps and their differences in seconds, dates in days.
 */
static bool
infer_epoch(const InferContext *context, Node *arg, Interval2 *result)
{
	const double since_1970 = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (double) SECS_PER_DAY;
	double		unit = exprType(arg) == DATEOID ? SECS_PER_DAY : 1;
	double		offset = exprType(arg) == INTERVALOID ? 0 : since_1970;

	if (!infer(context, arg, result))
		return false;
	*result = (Interval2) {result->lo * unit + offset, result->hi * unit + offset};
	return true;
}

/* Other fields of dates have bounds by nature. */
static bool
infer_extract(const InferContext *context, List *args, Interval2 *result)
{
	static const struct
	{
		const char *unit;
		Interval2	range;
	}			fields[] = {
		{"month", {1, 12}}, {"quarter", {1, 4}}, {"day", {1, 31}}, {"hour", {0, 23}}, {"minute", {0, 59}},
		{"week", {1, 53}}, {"dow", {0, 6}}, {"isodow", {1, 7}}, {"doy", {1, 366}},
	};
	Const	   *unit = linitial(args);
	char	   *name;

	if (!IsA(unit, Const) || unit->constisnull)
		return false;
	name = TextDatumGetCString(unit->constvalue);
	if (pg_strcasecmp(name, "epoch") == 0)
		return infer_epoch(context, lsecond(args), result);
	if (exprType(lsecond(args)) == INTERVALOID)
		return false;
	for (int i = 0; i < lengthof(fields); i++)
		if (pg_strcasecmp(name, fields[i].unit) == 0)
		{
			*result = fields[i].range;
			return true;
		}
	return false;
}

static bool
infer_call(const InferContext *context, const char *name, List *args, Interval2 *result)
{
	if (strcmp(name, "extract") == 0 || strcmp(name, "date_part") == 0)
		return !context->of_owners && infer_extract(context, args, result);
	if (list_length(args) == 1 || strcmp(name, "numeric") == 0)
		return infer_unary(context, name, linitial(args), result);
	if (list_length(args) == 2)
		return infer_binary(context, name, args, result);
	return false;
}

static bool
infer_function(const InferContext *context, Oid function, List *args, Interval2 *result)
{
	char	   *name = get_func_name(function);
	bool		found = infer_call(context, name, args, result);

	pfree(name);
	return found;
}

/* Each row takes one of them: an owner's sum is made of parts of their sums. */
static bool
infer_branches(const InferContext *context, List *nodes, Interval2 *result)
{
	ListCell   *cell;

	if (!context->of_owners)
		return infer_hull(context, nodes, result);
	*result = (Interval2) {0, 0};
	foreach(cell, nodes)
	{
		Interval2	one;

		if (!infer(context, lfirst(cell), &one))
			return false;
		result->lo += fmin(one.lo, 0);
		result->hi += fmax(one.hi, 0);
	}
	return true;
}

static bool
infer_case(const InferContext *context, const CaseExpr *expression, Interval2 *result)
{
	List	   *results = NIL;
	ListCell   *cell;

	foreach(cell, expression->args)
		results = lappend(results, lfirst_node(CaseWhen, cell)->result);
	if (expression->defresult)
		results = lappend(results, expression->defresult);
	return infer_branches(context, results, result);
}

static bool
infer(const InferContext *context, Node *node, Interval2 *result)
{
	pa_descend();
	if (exprType(node) == BOOLOID && !context->of_owners)
	{
		*result = (Interval2) {0, 1};
		return true;
	}
	switch (nodeTag(node))
	{
		case T_Const:
			return context->of_owners ? infer_sum_of_const((Const *) node, result) : infer_const((Const *) node, result);
		case T_Param:
			return infer_parameter(context, node, result);
		case T_Var:
			return infer_var(context, (Var *) node, result);
		case T_FuncExpr:
			return infer_function(context, ((FuncExpr *) node)->funcid, ((FuncExpr *) node)->args, result);
		case T_OpExpr:
			set_opfuncid((OpExpr *) node);
			return infer_function(context, ((OpExpr *) node)->opfuncid, ((OpExpr *) node)->args, result);
		case T_NullIfExpr:
			return infer(context, linitial(((NullIfExpr *) node)->args), result);
		case T_CaseExpr:
			return infer_case(context, (CaseExpr *) node, result);
		case T_CoalesceExpr:
			return infer_branches(context, ((CoalesceExpr *) node)->args, result);
		case T_MinMaxExpr:
			return !context->of_owners && infer_hull(context, ((MinMaxExpr *) node)->args, result);
		case T_RelabelType:
			return infer(context, (Node *) ((RelabelType *) node)->arg, result);
		default:
			return false;
	}
}

bool
pa_infer_bounds(const PaBlock *block, const Query *query, Node *expression, double *lo, double *hi)
{
	InferContext context = {block, query, false};
	Interval2	result;

	if (!infer(&context, expression, &result) || result.lo > result.hi)
		return false;
	if (result.lo == result.hi)	/* a constant: leave room for its absence */
		result = hull(result, result.lo == 0 ? (Interval2) {0, 1} : (Interval2) {0, 0});
	*lo = result.lo;
	*hi = result.hi;
	return true;
}

bool
pa_infer_owner_bounds(const PaBlock *block, const Query *query, Node *expression, double *lo, double *hi)
{
	InferContext context = {block, query, true};
	Interval2	result;

	if (!infer(&context, expression, &result) || result.lo >= result.hi)
		return false;
	*lo = result.lo;
	*hi = result.hi;
	return true;
}
