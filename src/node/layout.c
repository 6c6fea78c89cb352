/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layout.c
 *		See layout.h.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

#include "node/layout.h"
#include "descend.h"
#include "short_value.h"

/* Values of at most so many bytes, with their headers, are never stored out of their rows. */
#define BYTES_IN_ROW 24

/* --- dimensions --- */

PaLayout *
pa_layout_make(ExprContext *context)
{
	PaLayout    *layout = palloc0(sizeof(PaLayout));

	layout->room = 8;
	layout->dimensions = palloc0(sizeof(PaDimension) * layout->room);
	layout->context = context;
	return layout;
}

/* A value as another type of the same form is the same value. */
static Node *
strip(Node *node)
{
	while (node && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

int
pa_layout_find(const PaLayout *layout, Node *expression)
{
	expression = strip(expression);
	for (int i = 0; i < layout->ndimensions; i++)
		if (equal(layout->dimensions[i].expression, expression))
			return i;
	return -1;
}

/* As nbtree asks when it removes duplicates. */
static bool
is_exact(const TypeCacheEntry *cache, Oid collation)
{
	Oid			support = get_opfamily_proc(cache->btree_opf, cache->btree_opintype, cache->btree_opintype, BTEQUALIMAGE_PROC);

	return OidIsValid(support) &&
		DatumGetBool(OidFunctionCall1Coll(support, collation, ObjectIdGetDatum(cache->btree_opintype)));
}

static bool
is_whole(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == DATEOID || type == BOOLOID;
}

static bool
may_be_long(Node *expression)
{
	int32		most = type_maximum_size(exprType(expression), exprTypmod(expression));

	return get_typlen(exprType(expression)) == -1 && (most < 0 || most > BYTES_IN_ROW);
}

int
pa_layout_add(PaLayout *layout, Node *expression, const char *name)
{
	int			known = pa_layout_find(layout, expression);
	Node	   *stripped = strip(expression);
	TypeCacheEntry *cache = lookup_type_cache(exprType(stripped), TYPECACHE_BTREE_OPFAMILY | TYPECACHE_CMP_PROC_FINFO);

	if (known >= 0 || !OidIsValid(cache->cmp_proc_finfo.fn_oid))
		return known;
	if (layout->ndimensions == layout->room)
		layout->dimensions = repalloc(layout->dimensions, sizeof(PaDimension) * (layout->room *= 2));
	layout->dimensions[layout->ndimensions] = (PaDimension) {
		.expression = stripped,.name = pstrdup(name),.type = exprType(stripped),.collation = exprCollation(stripped),
		.cache = cache,.exact = is_exact(cache, exprCollation(stripped)),.whole = is_whole(exprType(stripped)),
		.long_as_null = may_be_long(stripped)
	};
	return layout->ndimensions++;
}

static int
compare(const PaDimension *dimension, Datum a, Datum b)
{
	return DatumGetInt32(FunctionCall2Coll(&dimension->cache->cmp_proc_finfo, dimension->collation, a, b));
}

/* Where a value is among the points, or would be. */
static int
search(const PaDimension *dimension, Datum value, bool *found)
{
	int			low = 0;
	int			high = dimension->npoints;

	*found = false;
	while (low < high)
	{
		int			middle = (low + high) / 2;
		int			order = compare(dimension, dimension->points[middle], value);

		*found |= order == 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
pa_layout_add_point(PaLayout *layout, int number, Datum value)
{
	PaDimension *dimension = &layout->dimensions[number];
	bool		found;
	int			at = search(dimension, value, &found);

	if (found)
		return;
	if (dimension->npoints == 0)
		dimension->points = palloc(sizeof(Datum) * 4);
	else if (dimension->npoints >= 4 && (dimension->npoints & (dimension->npoints - 1)) == 0)
		dimension->points = repalloc_huge(dimension->points, sizeof(Datum) * dimension->npoints * 2);
	memmove(dimension->points + at + 1, dimension->points + at, sizeof(Datum) * (dimension->npoints - at));
	dimension->points[at] = datumCopy(value, dimension->cache->typbyval, dimension->cache->typlen);
	dimension->npoints++;
}

/* --- places --- */

int
pa_layout_places(const PaDimension *dimension)
{
	return 2 * dimension->npoints + 2;
}

static int64
whole_value(const PaDimension *dimension, Datum value)
{
	switch (dimension->type)
	{
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		case INT8OID:
			return DatumGetInt64(value);
		case DATEOID:
			return DatumGetDateADT(value);
		default:
			return DatumGetBool(value);
	}
}

bool
pa_layout_possible(const PaDimension *dimension, int place)
{
	int			after = place / 2;	/* the point after the gap */

	if (place == 0)
		return !dimension->never_null;
	if (!pa_is_gap(place) || !dimension->whole)
		return true;
	if (dimension->type == BOOLOID && after == 0)
		return dimension->npoints == 0 || DatumGetBool(dimension->points[0]);
	if (dimension->type == BOOLOID && after == dimension->npoints)
		return !DatumGetBool(dimension->points[after - 1]);
	if (after == 0 || after == dimension->npoints)
		return true;
	return whole_value(dimension, dimension->points[after]) - 1 > whole_value(dimension, dimension->points[after - 1]);
}

bool
pa_layout_short_points(const PaDimension *dimension)
{
	for (int i = 0; i < dimension->npoints; i++)
		if (!pa_value_is_short(dimension->points[i], BYTES_IN_ROW - VARHDRSZ))
			return false;
	return true;
}

int
pa_layout_place(const PaDimension *dimension, Datum value, bool isnull)
{
	bool		found;
	int			at;

	if (isnull)
		return 0;
	at = search(dimension, value, &found);
	return found ? 2 * at + 2 : 2 * at + 1;
}

/* --- what an expression is of --- */

typedef struct UseContext
{
	const PaLayout *layout;
	uint32		used;
	bool		others;
} UseContext;

static bool
use_walker(Node *node, UseContext *context)
{
	int			dimension;

	pa_descend();
	if (node == NULL)
		return false;
	dimension = pa_layout_find(context->layout, node);
	if (dimension >= 0)
	{
		context->used |= 1u << Min(dimension, 31);
		return false;
	}
	context->others |= IsA(node, Var) || IsA(node, SubLink) || IsA(node, Query) || IsA(node, Param);
	return context->others || expression_tree_walker(node, use_walker, context);
}

bool
pa_layout_covers(const PaLayout *layout, Node *expression)
{
	UseContext	context = {layout, 0, false};

	(void) use_walker(expression, &context);
	return !context.others;
}

uint32
pa_layout_uses(const PaLayout *layout, Node *expression)
{
	UseContext	context = {layout, 0, false};

	(void) use_walker(expression, &context);
	return context.used;
}

/* --- comparisons --- */

/* expression op constant; what its operator is in the order of the expression's type. */
typedef struct Comparison
{
	Node	   *expression;
	Const	   *constant;		/* or an array of such */
	StrategyNumber strategy;
	bool		negated;
} Comparison;

static bool
find_strategy(Comparison *comparison, Oid operator, Oid collation)
{
	Oid			type = exprType(comparison->expression);
	TypeCacheEntry *cache = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	int			strategy;
	Oid			left;
	Oid			right;

	if (!OidIsValid(cache->btree_opf) || collation != exprCollation(comparison->expression))
		return false;
	if (!op_in_opfamily(operator, cache->btree_opf))
	{
		operator = get_negator(operator);
		comparison->negated = true;
	}
	if (!OidIsValid(operator) || !op_in_opfamily(operator, cache->btree_opf))
		return false;
	get_op_opfamily_properties(operator, cache->btree_opf, false, &strategy, &left, &right);
	comparison->strategy = (StrategyNumber) strategy;
	return left == right && (!comparison->negated || strategy == BTEqualStrategyNumber);
}

static bool
is_comparison(Node *node, Comparison *comparison)
{
	*comparison = (Comparison) {0};
	if (IsA(node, OpExpr) && list_length(((OpExpr *) node)->args) == 2)
	{
		OpExpr	   *call = (OpExpr *) node;
		Node	   *left = strip(linitial(call->args));
		Node	   *right = strip(lsecond(call->args));
		bool		swapped = IsA(left, Const);
		Oid			operator = swapped ? get_commutator(call->opno) : call->opno;

		if (IsA(left, Const) == IsA(right, Const) || !OidIsValid(operator))
			return false;
		comparison->expression = swapped ? right : left;
		comparison->constant = (Const *) (swapped ? left : right);
		return find_strategy(comparison, operator, call->inputcollid);
	}
	if (IsA(node, ScalarArrayOpExpr))
	{
		ScalarArrayOpExpr *call = (ScalarArrayOpExpr *) node;
		Node	   *array = strip(lsecond(call->args));

		comparison->expression = strip(linitial(call->args));
		comparison->constant = (Const *) array;
		return IsA(array, Const) && !IsA(comparison->expression, Const) &&
			find_strategy(comparison, call->opno, call->inputcollid) &&
			comparison->strategy == BTEqualStrategyNumber && comparison->negated != call->useOr;
	}
	return false;
}

static void
array_values(const Const *array, Datum **values, bool **nulls, int *count)
{
	ArrayType  *elements = DatumGetArrayTypeP(array->constvalue);
	int16		length;
	bool		by_value;
	char		align;

	get_typlenbyvalalign(ARR_ELEMTYPE(elements), &length, &by_value, &align);
	deconstruct_array(elements, ARR_ELEMTYPE(elements), length, by_value, align, values, nulls, count);
}

static void
add_points_of(PaLayout *layout, int dimension, Node *node, const Comparison *comparison)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;

	if (comparison->constant->constisnull)
		return;
	if (IsA(node, OpExpr))
	{
		pa_layout_add_point(layout, dimension, comparison->constant->constvalue);
		return;
	}
	array_values(comparison->constant, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			pa_layout_add_point(layout, dimension, values[i]);
}

typedef struct ConstantsContext
{
	PaLayout   *layout;
	const PaAsked *add;
} ConstantsContext;

static bool
constants_walker(Node *node, ConstantsContext *context)
{
	Comparison	comparison;

	pa_descend();
	if (node == NULL)
		return false;
	if (is_comparison(node, &comparison))
	{
		int			dimension = context->add && !pa_layout_covers(context->layout, comparison.expression) ?
			pa_layout_add(context->layout, comparison.expression, pa_asked_name(context->add, comparison.expression)) :
			pa_layout_find(context->layout, comparison.expression);

		if (dimension >= 0)
			add_points_of(context->layout, dimension, node, &comparison);
		return false;
	}
	return expression_tree_walker(node, constants_walker, context);
}

void
pa_layout_add_constants(PaLayout *layout, Node *condition, const PaAsked *add)
{
	ConstantsContext context = {layout, add};

	(void) constants_walker(condition, &context);
}

/* --- values --- */

typedef struct PlaceContext
{
	const PaLayout *layout;
	const int  *places;
	bool		undecided;
} PlaceContext;

static Node *
place_mutator(Node *node, PlaceContext *context)
{
	const PaDimension *dimension;
	int			number;
	int			place;

	pa_descend();
	if (node == NULL)
		return NULL;
	number = IsA(node, RelabelType) ? -1 : pa_layout_find(context->layout, node);
	if (number < 0)
		return expression_tree_mutator(node, place_mutator, context);
	dimension = &context->layout->dimensions[number];
	place = context->places[number];
	if (place == PA_ANYWHERE || pa_is_gap(place) || !dimension->exact)
	{
		context->undecided = true;
		return node;
	}
	return (Node *) makeConst(dimension->type, exprTypmod(node), dimension->collation, dimension->cache->typlen,
							  place == 0 ? (Datum) 0 : dimension->points[place / 2 - 1], place == 0, dimension->cache->typbyval);
}

/* A dimension's own value is known also where equal values differ: any of them stands for its group. */
bool
pa_layout_value(const PaLayout *layout, Node *expression, const int *places, Datum *value, bool *isnull)
{
	PlaceContext context = {layout, places, false};
	int			number = pa_layout_find(layout, expression);
	Node	   *constant;

	if (number >= 0)
	{
		int			place = places[number];

		if (place == PA_ANYWHERE || pa_is_gap(place))
			return false;
		*isnull = place == 0;
		*value = *isnull ? (Datum) 0 : layout->dimensions[number].points[place / 2 - 1];
		return true;
	}
	constant = place_mutator(expression, &context);
	if (context.undecided || !pa_layout_covers(layout, expression))
		return false;
	fix_opfuncids(constant);
	*value = ExecEvalExprSwitchContext(ExecInitExpr((Expr *) constant, NULL), layout->context, isnull);
	return true;
}

/* --- conditions --- */

/* Of a place and a point, as numbers of places. */
static bool
holds(StrategyNumber strategy, int place, int point)
{
	switch (strategy)
	{
		case BTLessStrategyNumber:
			return place < point;
		case BTLessEqualStrategyNumber:
			return place <= point;
		case BTEqualStrategyNumber:
			return place == point;
		case BTGreaterEqualStrategyNumber:
			return place >= point;
		default:
			return place > point;
	}
}

static PaVerdict
negate(PaVerdict verdict)
{
	return verdict == PA_TRUE ? PA_FALSE : verdict == PA_FALSE ? PA_TRUE : verdict;
}

static PaVerdict
judge_list(const PaDimension *dimension, const Const *array, int place)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;
	PaVerdict	verdict = PA_FALSE;

	array_values(array, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		int			point = nulls[i] ? 0 : pa_layout_place(dimension, values[i], false);

		if (pa_is_gap(point) && point == place)
			return PA_UNDECIDED;
		if (point == place)
			return PA_TRUE;
		if (point == 0)
			verdict = PA_NULL;
	}
	return verdict;
}

static PaVerdict
judge_comparison(const PaLayout *layout, Node *node, const Comparison *comparison, const int *places)
{
	int			number = pa_layout_find(layout, comparison->expression);
	const PaDimension *dimension = &layout->dimensions[number];
	int			place = places[number];
	PaVerdict	verdict;

	if (comparison->constant->constisnull || place == 0)
		return PA_NULL;
	if (place == PA_ANYWHERE)
		return PA_UNDECIDED;
	if (IsA(node, OpExpr))
	{
		int			point = pa_layout_place(dimension, comparison->constant->constvalue, false);

		if (pa_is_gap(point) && point == place)
			return PA_UNDECIDED;
		verdict = holds(comparison->strategy, place, point) ? PA_TRUE : PA_FALSE;
	}
	else
		verdict = judge_list(dimension, comparison->constant, place);
	return comparison->negated ? negate(verdict) : verdict;
}

/* AND: what is false decides, then what is not decided. */
static PaVerdict
both(PaVerdict a, PaVerdict b)
{
	if (a == PA_FALSE || b == PA_FALSE)
		return PA_FALSE;
	if (a == PA_UNDECIDED || b == PA_UNDECIDED)
		return PA_UNDECIDED;
	return a == PA_NULL || b == PA_NULL ? PA_NULL : PA_TRUE;
}

static PaVerdict
judge_bool(const PaLayout *layout, const BoolExpr *expression, const int *places)
{
	PaVerdict	verdict = PA_TRUE;
	ListCell   *cell;

	if (expression->boolop == NOT_EXPR)
		return negate(pa_layout_judge(layout, linitial(expression->args), places));
	foreach(cell, expression->args)
	{
		PaVerdict	next = pa_layout_judge(layout, lfirst(cell), places);

		verdict = both(verdict, expression->boolop == AND_EXPR ? next : negate(next));
	}
	return expression->boolop == AND_EXPR ? verdict : negate(verdict);
}

PaVerdict
pa_layout_judge(const PaLayout *layout, Node *condition, const int *places)
{
	Comparison	comparison;
	Datum		value;
	bool		isnull;

	pa_descend();
	if (IsA(condition, BoolExpr))
		return judge_bool(layout, (BoolExpr *) condition, places);
	if (is_comparison(condition, &comparison) && pa_layout_find(layout, comparison.expression) >= 0)
		return judge_comparison(layout, condition, &comparison, places);
	if (IsA(condition, NullTest) && !((NullTest *) condition)->argisrow)
	{
		int			number = pa_layout_find(layout, (Node *) ((NullTest *) condition)->arg);

		if (number >= 0 && places[number] == 0 && layout->dimensions[number].long_as_null)
			return PA_UNDECIDED;
		if (number >= 0 && places[number] != PA_ANYWHERE)
			return (places[number] == 0) == (((NullTest *) condition)->nulltesttype == IS_NULL) ? PA_TRUE : PA_FALSE;
	}
	if (!pa_layout_value(layout, condition, places, &value, &isnull))
		return PA_UNDECIDED;
	return isnull ? PA_NULL : DatumGetBool(value) ? PA_TRUE : PA_FALSE;
}
