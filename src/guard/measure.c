/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.c
 *		See measure.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "descend.h"
#include "guard/branches.h"
#include "guard/call_work.h"
#include "guard/guard.h"
#include "guard/measure.h"
#include "size_limits.h"

#define NODE_WORK 10			/* a step of the executor that calls no function */
#define LIMIT_WORK 30			/* a look at the size of a value */
#define LIST_WORK 200			/* looking a value up in a list */
#define ELEMENT_WORK 20			/* an element of fixed length in a list */
#define SHORTEST_ELEMENT 8		/* bytes of a text in an array, but for the empty one */
#define CAST_WORK 600			/* a value as text */
#define DECOMPRESSED_BYTE 2

/* A column of a subquery is measured once. */
typedef struct MeasuredColumn
{
	const Query *query;
	AttrNumber	resno;
	PaMeasure		measure;
} MeasuredColumn;

static PaMeasure
measure_subquery_column(const PaWorkContext *context, const Query *query, AttrNumber resno)
{
	PaWorkContext inner = {query, INFINITY, context->columns};
	TargetEntry *entry = get_tle_by_resno(query->targetList, resno);
	MeasuredColumn *column;
	ListCell   *cell;

	foreach(cell, *context->columns)
	{
		column = lfirst(cell);
		if (column->query == query && column->resno == resno)
			return column->measure;
	}
	column = palloc(sizeof(MeasuredColumn));
	*column = (MeasuredColumn) {query, resno, pa_measure(&inner, (Node *) entry->expr)};
	*context->columns = lappend(*context->columns, column);
	return column->measure;
}

/* A row is of one of the inputs. */
static PaMeasure
measure_union_column(const PaWorkContext *context, const RangeTblEntry *rte, AttrNumber column)
{
	PaMeasure	result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, pa_union_inputs(rte->subquery))
	{
		const Query *input = ((const RangeTblEntry *) lfirst(cell))->subquery;
		PaMeasure	one = measure_subquery_column(context, input, column);

		result.work = fmax(result.work, one.work);
		result.bytes = fmax(result.bytes, one.bytes);
	}
	return result;
}

static PaMeasure
measure_column(const PaWorkContext *context, const Var *var)
{
	const RangeTblEntry *rte = rt_fetch(var->varno, context->query->rtable);
	int			length = get_typlen(var->vartype);

	if (rte->rtekind == RTE_SUBQUERY && var->varattno > 0 && !pa_makes_rows(rte->subquery))
		return measure_subquery_column(context, rte->subquery, var->varattno);
	if (pa_is_union(rte) && var->varattno > 0 && !pa_is_read_first(rte->subquery))
		return measure_union_column(context, rte, var->varattno);
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		return pa_measure(context, list_nth(rte->joinaliasvars, var->varattno - 1));
	return (PaMeasure) {length > 0 ? length : pa_declared_bytes(var->vartype, var->vartypmod), NODE_WORK};
}

/* A numeric's digits as they would be written out, in the bytes that store them. */
static double
numeric_bytes(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	return strlen(DatumGetCString(DirectFunctionCall1(numeric_out, constant->constvalue))) / 2.0 + 4;
}

static PaMeasure
measure_constant(const Const *constant)
{
	return (PaMeasure) {constant->consttype == NUMERICOID ? numeric_bytes(constant) : pa_constant_bytes(constant), NODE_WORK};
}

static PaMeasure
measure_parameter(const Param *parameter)
{
	int			length = get_typlen(parameter->paramtype);

	if (length > 0)
		return (PaMeasure) {length, NODE_WORK};
	return (PaMeasure) {parameter->paramtype == NUMERICOID ? PA_NUMERIC_BYTES : PA_MAX_PARAMETER_BYTES, LIMIT_WORK};
}

/* How long the argument is that a function of the kind sees, and the work up to there. */
static PaMeasure
limit_argument(PaWorkKind kind, int position, Node *argument, PaMeasure result)
{
	Oid			type = exprType(argument);
	int			limit = pa_work_limit(kind, position);

	if (!pa_is_limited_type(type) || IsA(argument, Const))
		return result;
	result.work += LIMIT_WORK;
	if (type == NUMERICOID)
		result.bytes = fmin(result.bytes, PA_NUMERIC_BYTES);
	else if (limit > 0)
		result.bytes = fmin(result.bytes, limit);
	return result;
}

static PaMeasure
measure_argument(const PaWorkContext *context, PaWorkKind kind, int position, Node *argument)
{
	return limit_argument(kind, position, argument, pa_measure(context, argument));
}

/* first: how long the first argument is before it is limited; may be NULL */
static PaMeasure
measure_call(const PaWorkContext *context, Oid function, List *args, Oid type, Oid collation, double *first)
{
	PaWorkKind	kind = pa_function_work(function);
	double		bytes[2] = {0, 0};
	PaMeasure		result = {0, 0};
	int			position = 0;
	ListCell   *cell;

	foreach(cell, args)
	{
		PaMeasure		whole = pa_measure(context, lfirst(cell));
		PaMeasure		argument = limit_argument(kind, position, lfirst(cell), whole);

		result.work += argument.work;
		if (position == 0 && first)
			*first = whole.bytes;
		if (position < lengthof(bytes) && get_typlen(exprType(lfirst(cell))) == -1)
			bytes[position] = argument.bytes;
		position++;
	}
	if (kind == WORK_TEXT_LIKE)
	{
		result.work += DECOMPRESSED_BYTE * bytes[0];
		bytes[0] = pa_searched_bytes(lsecond(args), bytes[0], bytes[1]);
	}
	if (kind == WORK_TEXT_HEAD)
		bytes[0] = pa_head_bytes(function, args, bytes[0]);
	result.work += pa_call_work(kind, collation, bytes[0], bytes[1]);
	result.bytes = pa_result_bytes(kind, type, collation, bytes[0], bytes[1]);
	return result;
}

/* All of the expressions, of which the longest is the result. */
static PaMeasure
measure_all(const PaWorkContext *context, List *nodes)
{
	PaMeasure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, nodes)
	{
		PaMeasure		one = pa_measure(context, lfirst(cell));

		result.work += one.work;
		result.bytes = fmax(result.bytes, one.bytes);
	}
	return result;
}

/* All conditions, and the result that takes longest. */
static PaMeasure
measure_case(const PaWorkContext *context, const CaseExpr *expression)
{
	PaMeasure		tested = expression->arg ? pa_measure(context, (Node *) expression->arg) : (PaMeasure) {0, 0};
	PaWorkContext inner = {context->query, expression->arg ? tested.bytes : context->tested, context->columns};
	PaMeasure		result = {0, 0};
	double		conditions = tested.work + NODE_WORK;
	ListCell   *cell;

	if (expression->defresult)
		result = pa_measure(context, (Node *) expression->defresult);
	foreach(cell, expression->args)
	{
		const CaseWhen *when = lfirst_node(CaseWhen, cell);
		PaMeasure		one = pa_measure(context, (Node *) when->result);

		conditions += pa_measure(&inner, (Node *) when->expr).work + NODE_WORK;
		result.work = fmax(result.work, one.work);
		result.bytes = fmax(result.bytes, one.bytes);
	}
	result.work += conditions;
	return result;
}

static PaMeasure
measure_greatest(const PaWorkContext *context, const MinMaxExpr *expression)
{
	PaWorkKind	kind = pa_comparison_work(expression->minmaxtype);
	PaMeasure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, expression->args)
	{
		PaMeasure		one = measure_argument(context, kind, 0, lfirst(cell));

		result.bytes = fmax(result.bytes, one.bytes);
		result.work += one.work;
	}
	result.work += list_length(expression->args) *
		pa_call_work(kind, expression->inputcollid, result.bytes, result.bytes);
	return result;
}

/* The list itself, below changes of the type of its elements that leave them as they are. */
static Node *
list_of(Node *node)
{
	while (IsA(node, RelabelType) || IsA(node, ArrayCoerceExpr))
		node = IsA(node, RelabelType) ? (Node *) ((RelabelType *) node)->arg : (Node *) ((ArrayCoerceExpr *) node)->arg;
	return node;
}

/* The elements of a list, how long they are on the average, and the work of computing them for each row. */
typedef struct ListSize
{
	double		elements;
	double		bytes;
	double		work;
} ListSize;

static bool
is_parameter_walker(Node *node, void *context)
{
	pa_descend();
	return node && (IsA(node, Param) || expression_tree_walker(node, is_parameter_walker, context));
}

/* What the planner makes a constant, as numbers that are cast to the type of the column. */
static bool
all_constants(List *nodes)
{
	return !contain_var_clause((Node *) nodes) && !is_parameter_walker((Node *) nodes, NULL) &&
		!contain_mutable_functions((Node *) nodes) && !contain_subplans((Node *) nodes);
}

/* Each is copied into the list, whole, whatever it is compared with. */
static PaMeasure
measure_elements(const PaWorkContext *context, const ArrayExpr *list)
{
	PaWorkKind	kind = pa_element_work(list->element_typeid);
	PaMeasure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, list->elements)
	{
		PaMeasure		one = measure_argument(context, kind, 0, lfirst(cell));

		result.work += one.work + pa_call_work(kind, InvalidOid, one.bytes, 0);
		result.bytes = fmax(result.bytes, one.bytes);
	}
	return result;
}

static ListSize
list_size(const PaWorkContext *context, Node *list)
{
	int			length = get_typlen(get_element_type(exprType(list)));
	ListSize	size = {0, Max(length, 1), 0};

	list = list_of(list);
	if (IsA(list, Const))
	{
		Const	   *constant = (Const *) list;
		ArrayType  *array = constant->constisnull ? NULL : DatumGetArrayTypeP(constant->constvalue);

		size.elements = array ? ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) : 0;
		if (length < 0 && size.elements > 0)
			size.bytes = ARR_SIZE(array) / size.elements;
	}
	else if (IsA(list, ArrayExpr))
	{
		PaMeasure		all = measure_elements(context, (ArrayExpr *) list);

		size.elements = list_length(((ArrayExpr *) list)->elements);
		if (length < 0)
			size.bytes = all.bytes;
		if (!all_constants(((ArrayExpr *) list)->elements))
			size.work = all.work;
	}
	else
	{
		size.elements = length > 0 ? PA_MAX_ELEMENTS : PA_MAX_ARRAY_BYTES / SHORTEST_ELEMENT;
		if (length < 0)
			size.bytes = PA_MAX_ARRAY_BYTES / size.elements;
	}
	return size;
}

/* A row is compared with each element (node/plan_tree.h). */
static PaMeasure
measure_list(const PaWorkContext *context, const ScalarArrayOpExpr *expression)
{
	PaWorkKind	kind = pa_function_work(get_opcode(expression->opno));
	PaMeasure		value = measure_argument(context, kind, 0, linitial(expression->args));
	ListSize	size = list_size(context, lsecond(expression->args));
	bool		fixed = get_typlen(exprType(linitial(expression->args))) > 0;
	PaMeasure		result = {sizeof(Datum), value.work + size.work + LIST_WORK};

	if (kind == WORK_QUICK)
		result.work += size.elements * ELEMENT_WORK;
	else
		result.work += size.elements * pa_call_work(kind, expression->inputcollid, fixed ? 0 : value.bytes, fixed ? 0 : size.bytes);
	return result;
}

/* How long the text of a value is. */
static double
text_bytes(Oid type, double bytes)
{
	switch (type)
	{
		case NUMERICOID:
			return 2 * bytes + 8;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return bytes;
		default:
			return 120;			/* numbers, times, intervals, labels of enums */
	}
}

static PaMeasure
measure_text_cast(const PaWorkContext *context, const CoerceViaIO *cast)
{
	Oid			type = exprType((Node *) cast->arg);
	PaMeasure		result = measure_argument(context, WORK_NUMERIC_COPY, 0, (Node *) cast->arg);

	if (pa_is_text_type(type) && OidIsValid(pa_text_cast(cast->resulttype)))
	{
		result = measure_argument(context, WORK_TEXT_READ, 0, (Node *) cast->arg);
		result.work += pa_call_work(WORK_TEXT_READ, InvalidOid, result.bytes, 0);
		result.bytes = pa_result_bytes(WORK_TEXT_READ, cast->resulttype, InvalidOid, result.bytes, 0);
		return result;
	}
	result.bytes = text_bytes(type, result.bytes);
	result.work += CAST_WORK + pa_copied_bytes_work(fmin(result.bytes, PA_MAX_TEXT_BYTES));
	return result;
}

/* What expression_tree_walker() visits; the result is of a fixed length. */
typedef struct PartsContext
{
	const PaWorkContext *context;
	double		work;
} PartsContext;

static bool
measure_parts_walker(Node *node, PartsContext *parts)
{
	pa_descend();
	if (node && IsA(node, List))
		return expression_tree_walker(node, measure_parts_walker, parts);
	if (node)
		parts->work += pa_measure(parts->context, node).work;
	return false;
}

static PaMeasure
measure_parts(const PaWorkContext *context, Node *node)
{
	PartsContext parts = {context, NODE_WORK};

	(void) expression_tree_walker(node, measure_parts_walker, &parts);
	return (PaMeasure) {sizeof(Datum), parts.work};
}

/* Of a subquery that groups by owner (grouped.c): what a row adds. */
static PaMeasure
measure_aggregate(const PaWorkContext *context, const Aggref *aggref)
{
	int			length = get_typlen(aggref->aggtype);
	PaMeasure	result = {length > 0 ? length : pa_declared_bytes(aggref->aggtype, -1), AGGREGATE_WORK};
	ListCell   *cell;

	foreach(cell, aggref->args)
		result.work += pa_measure(context, (Node *) ((TargetEntry *) lfirst(cell))->expr).work;
	result.work += pa_measure(context, (Node *) aggref->aggfilter).work;
	return result;
}

PaMeasure
pa_measure(const PaWorkContext *context, Node *node)
{
	pa_descend();
	if (node == NULL)
		return (PaMeasure) {0, 0};
	switch (nodeTag(node))
	{
		case T_Var:
			return measure_column(context, (Var *) node);
		case T_Const:
			return measure_constant((Const *) node);
		case T_Param:
			return measure_parameter((Param *) node);
		case T_CaseTestExpr:
			return (PaMeasure) {context->tested, NODE_WORK};
		case T_FuncExpr:
			{
				FuncExpr   *call = (FuncExpr *) node;

				return measure_call(context, call->funcid, call->args, call->funcresulttype, call->inputcollid, NULL);
			}
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			{
				OpExpr	   *operator = (OpExpr *) node;
				PaMeasure		result;
				double		first;

				set_opfuncid(operator);
				result = measure_call(context, operator->opfuncid, operator->args, operator->opresulttype, operator->inputcollid, &first);
				if (IsA(node, NullIfExpr))
					result.bytes = first;
				return result;
			}
		case T_ScalarArrayOpExpr:
			return measure_list(context, (ScalarArrayOpExpr *) node);
		case T_MinMaxExpr:
			return measure_greatest(context, (MinMaxExpr *) node);
		case T_CoalesceExpr:
			return measure_all(context, ((CoalesceExpr *) node)->args);
		case T_CaseExpr:
			return measure_case(context, (CaseExpr *) node);
		case T_CoerceViaIO:
			return measure_text_cast(context, (CoerceViaIO *) node);
		case T_RelabelType:
			return pa_measure(context, (Node *) ((RelabelType *) node)->arg);
		case T_CollateExpr:
			return pa_measure(context, (Node *) ((CollateExpr *) node)->arg);
		case T_SQLValueFunction:
			return (PaMeasure) {sizeof(Datum), pa_zone_work()};
		case T_Aggref:
			return measure_aggregate(context, (Aggref *) node);
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
			return measure_parts(context, node);
		default:
			return (PaMeasure) {INFINITY, INFINITY};
	}
}
