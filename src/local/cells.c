/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.c
 *		See cells.h.
 *
 * What a column's place among the cuts decides is an atom: a comparison with a constant, or width_bucket().
 * A first walk gathers the cuts of all atoms; a second one puts the values of the atoms in
 * their place, once for each cell.  What is left has no columns, and is whatever the block may contain.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/namespace.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "allow/allowlist.h"
#include "local/cells.h"
#include "local/form.h"
#include "number.h"

/* "x >= cut", or the contrary. */
typedef struct Side
{
	double		cut;
	bool		below;
} Side;

typedef struct CellContext
{
	int			dimensions;
	ParamListInfo params;
	const char *problem;
	int			column;			/* -1: none yet */
	double	   *cuts;
	int			ncuts;
	int			room;
	double		at;				/* second walk: a number of the cell */
} CellContext;

typedef enum Comparison
{
	LESS, LESS_OR_EQUAL, EQUAL, GREATER_OR_EQUAL, GREATER, UNEQUAL, NO_COMPARISON
} Comparison;

static const char *const signs[] = {
	[LESS] = "<",[LESS_OR_EQUAL] = "<=",[EQUAL] = "=",[GREATER_OR_EQUAL] = ">=",[GREATER] = ">",[UNEQUAL] = "<>"
};

static bool
refuse(CellContext *context, const char *problem)
{
	if (context->problem == NULL)
		context->problem = problem;
	return false;
}

/* --- one column --- */

/* a*x + b with a <> 0. */
typedef struct Line
{
	double		a;
	double		b;
} Line;

/* The form that one column has, the same as all before. */
static bool
read_line(CellContext *context, Node *node, Line *line)
{
	const char *problem;
	PaForm	   *form = pa_form_recognise(node, context->dimensions, context->params, &problem);
	int			column = -1;

	if (form == NULL || form->kind != PA_FORM_LINEAR)
		return refuse(context, form ? "What is compared is cut off, or a logistic function." : problem);
	for (int i = 0; i < context->dimensions; i++)
		if (form->theta[i] != 0)
		{
			if (column >= 0)
				return refuse(context, "Two columns are compared in one step.");
			column = i;
		}
	if (column < 0)
		return refuse(context, "What is compared is a constant.");
	if (context->column >= 0 && context->column != column)
		return refuse(context, "Steps are over two columns.");
	context->column = column;
	*line = (Line) {form->theta[column], form->constant};
	return true;
}

/* Where the line is at least, or with beyond above, a constant: that is on the side of the cut that is returned. */
static Side
solve(Line line, double constant, bool beyond)
{
	double		x = (constant - line.b) / line.a + 0.0;

	/* on a falling line z >= c is x <= t, and z > c is x < t */
	if (line.a < 0)
		return (Side) {beyond ? x : nextafter(x, INFINITY), true};
	return (Side) {beyond ? nextafter(x, INFINITY) : x, false};
}

static bool
holds(const CellContext *context, Side side)
{
	return (context->at >= side.cut) != side.below;
}

static bool
add_cut(CellContext *context, Side side)
{
	if (isnan(side.cut))
		return refuse(context, "A constant is too large.");
	if (context->ncuts == context->room)
	{
		context->room = Max(16, context->room * 2);
		context->cuts = context->cuts ? repalloc(context->cuts, sizeof(double) * context->room) :
			palloc(sizeof(double) * context->room);
	}
	context->cuts[context->ncuts++] = side.cut;
	return true;
}

/* --- comparisons --- */

static Comparison
comparison_of(Oid operator)
{
	char	   *name = get_opname(operator);
	Oid			function = get_opcode(operator);

	if (name == NULL || get_func_namespace(function) != PG_CATALOG_NAMESPACE)
		return NO_COMPARISON;
	for (int i = LESS; i < NO_COMPARISON; i++)
		if (strcmp(name, signs[i]) == 0)
			return (Comparison) i;
	return NO_COMPARISON;
}

/* With the constant on the left it is read from the right. */
static Comparison
turned(Comparison comparison)
{
	return comparison == UNEQUAL ? UNEQUAL : (Comparison) (GREATER - comparison);
}

/* z compared with a constant, from whether z is at least that, and whether above. */
static bool
compare(Comparison comparison, bool least, bool above)
{
	switch (comparison)
	{
		case LESS:
			return !least;
		case LESS_OR_EQUAL:
			return !above;
		case EQUAL:
			return least && !above;
		case GREATER_OR_EQUAL:
			return least;
		case GREATER:
			return above;
		case UNEQUAL:
			return !least || above;
		case NO_COMPARISON:
			break;
	}
	return false;
}

/* Only where it changes. */
static bool
gather_comparison(CellContext *context, Comparison comparison, Line line, double constant)
{
	bool		least = comparison != GREATER && comparison != LESS_OR_EQUAL;
	bool		above = comparison != LESS && comparison != GREATER_OR_EQUAL;

	return (!least || add_cut(context, solve(line, constant, false))) &&
		(!above || add_cut(context, solve(line, constant, true)));
}

static bool
value_of_comparison(const CellContext *context, Comparison comparison, Line line, double constant)
{
	return compare(comparison, holds(context, solve(line, constant, false)), holds(context, solve(line, constant, true)));
}

static bool
read_constant(CellContext *context, Node *node, double *value)
{
	Const	   *constant = castNode(Const, node);

	if (constant->constisnull || !pa_read_number(constant->consttype, constant->constvalue, value))
		return refuse(context, "What a column is compared with is not a finite number.");
	return true;
}

typedef struct Compared
{
	Comparison	comparison;
	Line		line;
	double		constant;
} Compared;

/* Booleans are what comparisons result in; they may be compared above. */
static bool
is_number(Oid type)
{
	return type != BOOLOID && pa_is_number_type(type);
}

static bool
is_comparison(const OpExpr *expression)
{
	return list_length(expression->args) == 2 && comparison_of(expression->opno) != NO_COMPARISON &&
		is_number(exprType(linitial(expression->args))) && is_number(exprType(lsecond(expression->args)));
}

static bool
read_comparison(CellContext *context, const OpExpr *expression, Compared *compared)
{
	Node	   *left = linitial(expression->args);
	Node	   *right = lsecond(expression->args);

	compared->comparison = comparison_of(expression->opno);
	if (IsA(left, Const))
	{
		Node	   *swap = left;

		left = right;
		right = swap;
		compared->comparison = turned(compared->comparison);
	}
	if (!IsA(right, Const))
		return refuse(context, "A column is compared with something that is no constant.");
	return read_constant(context, right, &compared->constant) && read_line(context, left, &compared->line);
}

/* --- lists --- */

typedef struct InList
{
	Comparison	comparison;
	bool		any;
	Line		line;
	double	   *numbers;
	int			count;
} InList;

static bool
is_list(const ScalarArrayOpExpr *expression)
{
	return comparison_of(expression->opno) != NO_COMPARISON && is_number(exprType(linitial(expression->args))) &&
		is_number(get_element_type(exprType(lsecond(expression->args))));
}

static bool
read_numbers(CellContext *context, Node *node, double **numbers, int *count)
{
	Const	   *constant = (Const *) node;
	ArrayType  *array;
	Datum	   *values;
	bool	   *nulls;
	int16		length;
	bool		by_value;
	char		align;

	if (!IsA(node, Const) || constant->constisnull)
		return refuse(context, "A list of numbers is not constant.");
	array = DatumGetArrayTypeP(constant->constvalue);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align, &values, &nulls, count);
	*numbers = palloc(sizeof(double) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		if (nulls[i] || !pa_read_number(ARR_ELEMTYPE(array), values[i], &(*numbers)[i]))
			return refuse(context, "A list has an element that is not a finite number.");
	return true;
}

static bool
read_list(CellContext *context, const ScalarArrayOpExpr *expression, InList *list)
{
	list->comparison = comparison_of(expression->opno);
	list->any = expression->useOr;
	return read_numbers(context, lsecond(expression->args), &list->numbers, &list->count) &&
		read_line(context, linitial(expression->args), &list->line);
}

static bool
value_of_list(const CellContext *context, const InList *list)
{
	for (int i = 0; i < list->count; i++)
		if (value_of_comparison(context, list->comparison, list->line, list->numbers[i]) == list->any)
			return list->any;
	return !list->any;
}

/* --- width_bucket --- */

/* Bucket i + 1 begins at the i-th of these; falling: and reaches down from it. */
typedef struct Buckets
{
	Line		line;
	double		ends[2];
	int			count;			/* of starts: one more than that of buckets, for what lies behind */
} Buckets;

static bool
is_bucket(const FuncExpr *call)
{
	return pa_built_in_of_twin(call->funcid) == F_WIDTH_BUCKET_FLOAT8_FLOAT8_FLOAT8_INT4;
}

static bool
read_buckets(CellContext *context, const FuncExpr *call, Buckets *buckets)
{
	double		count;

	for (int i = 1; i < 4; i++)
		if (!IsA(list_nth(call->args, i), Const))
			return refuse(context, "The bounds or the number of buckets are not constant.");
	if (!read_constant(context, lsecond(call->args), &buckets->ends[0]) || !read_constant(context, lthird(call->args), &buckets->ends[1]) ||
		!read_constant(context, lfourth(call->args), &count))
		return false;
	if (buckets->ends[0] == buckets->ends[1] || count < 1 || count > PA_MOST_CELLS)
		return refuse(context, "The buckets have no width, or there are none of them, or too many.");
	buckets->count = (int) count + 1;
	return read_line(context, linitial(call->args), &buckets->line);
}

/* Whether the number is in bucket i + 1 or one behind it. */
static Side
start_of(const Buckets *buckets, int i)
{
	bool		falling = buckets->ends[0] > buckets->ends[1];
	double		start = i == buckets->count - 1 ? buckets->ends[1] :
		buckets->ends[0] + (buckets->ends[1] - buckets->ends[0]) * i / (buckets->count - 1);
	Side		side = solve(buckets->line, start, falling);

	return falling ? (Side) {side.cut, !side.below} : side;
}

static int
value_of_buckets(const CellContext *context, const Buckets *buckets)
{
	int			bucket = 0;

	while (bucket < buckets->count && holds(context, start_of(buckets, bucket)))
		bucket++;
	return bucket;
}

/* --- the walks --- */

static bool gather_walker(Node *node, CellContext *context);

/* What is no atom itself may be made of atoms; if not, the reason why it is none is told. */
static bool
gather_parts(Node *node, CellContext *context)
{
	if (expression_tree_walker(node, gather_walker, context))
		return true;
	context->problem = NULL;
	return false;
}

static bool
gather_comparisons(CellContext *context, Comparison comparison, Line line, const double *numbers, int count)
{
	for (int i = 0; i < count; i++)
		if (!gather_comparison(context, comparison, line, numbers[i]))
			return true;
	return false;
}

/* True: it is refused. */
static bool
gather_walker(Node *node, CellContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	CHECK_FOR_INTERRUPTS();
	if (IsA(node, OpExpr) && is_comparison((OpExpr *) node))
	{
		Compared	compared;

		if (!read_comparison(context, (OpExpr *) node, &compared))
			return gather_parts(node, context);
		return gather_comparisons(context, compared.comparison, compared.line, &compared.constant, 1);
	}
	if (IsA(node, ScalarArrayOpExpr) && is_list((ScalarArrayOpExpr *) node))
	{
		InList		list;

		if (!read_list(context, (ScalarArrayOpExpr *) node, &list))
			return gather_parts(node, context);
		return gather_comparisons(context, list.comparison, list.line, list.numbers, list.count);
	}
	if (IsA(node, FuncExpr) && is_bucket((FuncExpr *) node))
	{
		Buckets		buckets;

		if (!read_buckets(context, (FuncExpr *) node, &buckets))
			return true;
		for (int i = 0; i < buckets.count; i++)
			if (!add_cut(context, start_of(&buckets, i)))
				return true;
		return false;
	}
	if (IsA(node, Var))
		return !refuse(context, "A column stands outside of comparisons with constants and of width_bucket().");
	return expression_tree_walker(node, gather_walker, context);
}

static Node *
boolean(bool value)
{
	return makeBoolConst(value, false);
}

/* What is read here was read by the first walk, with the same result. */
static Node *
value_mutator(Node *node, CellContext *context)
{
	Compared	compared;
	InList		list;
	Buckets		buckets;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, OpExpr) && is_comparison((OpExpr *) node) && read_comparison(context, (OpExpr *) node, &compared))
		return boolean(value_of_comparison(context, compared.comparison, compared.line, compared.constant));
	if (IsA(node, ScalarArrayOpExpr) && is_list((ScalarArrayOpExpr *) node) && read_list(context, (ScalarArrayOpExpr *) node, &list))
		return boolean(value_of_list(context, &list));
	if (IsA(node, FuncExpr) && is_bucket((FuncExpr *) node) && read_buckets(context, (FuncExpr *) node, &buckets))
		return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(value_of_buckets(context, &buckets)), false, true);
	return expression_tree_mutator(node, value_mutator, context);
}

PaCells *
pa_cells_recognise(Node *expression, int dimensions, const double *low, const double *high,
				   ParamListInfo params, const char **problem)
{
	CellContext context = {.dimensions = dimensions,.params = params,.column = -1};
	Node	   *folded = pa_form_fold(expression, params);
	PaCells    *cells;

	if (gather_walker(folded, &context) || context.column < 0)
	{
		*problem = context.problem ? context.problem : "No column is compared with a constant.";
		return NULL;
	}
	context.ncuts = pa_cuts_settle(context.cuts, context.ncuts, low[context.column], high[context.column]);
	if (context.ncuts >= PA_MOST_CELLS)
	{
		*problem = "There are too many steps.";
		return NULL;
	}
	cells = palloc0(sizeof(PaCells));
	cells->column = context.column;
	cells->cuts = (PaCuts) {context.ncuts, context.cuts};
	for (int i = 0; i <= context.ncuts; i++)
	{
		context.at = i == 0 ? low[context.column] : context.cuts[i - 1];
		cells->values = lappend(cells->values, value_mutator(folded, &context));
	}
	return cells;
}
