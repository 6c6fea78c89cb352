/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * work.c
 *		See work.h.
 *
 * A call's bound is base + byte * (bytes of its arguments) + product * (bytes of
 * one times bytes of the other), in nanoseconds.  The constants were measured
 * over the extremes of each function with bench/row_time.sh, which fails where a
 * query takes longer than its bound.  Texts of a row may be stored compressed, and
 * each call decompresses them anew: that is part of what a byte takes.
 *
 * This runs when subqueries have become joins.  Sums are over what a row can reach:
 * of the results of a CASE one, of all other expressions every part.  A column of a subquery counts as often as it is used,
 * since the planner puts its expression in its place.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/detoast.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/pg_locale.h"

#include "size_limits.h"
#include "guard/work.h"
#include "price/form/form.h"

#define ROW_WORK 1500			/* reading a row of so many columns, finding its owner and group */
#define ROW_COLUMNS 32
#define COLUMN_WORK 7			/* each column more, which may have to be taken apart before the one that is wanted */
#define JOINED_WORK 300			/* each row more that it is joined with */
#define OWNER_BYTE 3
#define NODE_WORK 10			/* a step of the executor that calls no function */
#define LIMIT_WORK 30			/* a look at the size of a value */
#define LIST_WORK 200			/* looking a value up in a list */
#define ELEMENT_WORK 20			/* an element of fixed length in a list */
#define SHORTEST_ELEMENT 8		/* bytes of a text in an array, but for the empty one */
#define CAST_WORK 600			/* a value as text */
#define SUBLINK_WORK 500		/* looking a value up in what a subquery yielded */
#define KEY_WORK 200			/* of a group */
#define KEY_BYTE 6
#define AGGREGATE_WORK 200
#define DECOMPRESSED_BYTE 2
#define SHORTEST_COMPRESSED 32	/* bytes of a text that is stored compressed */
#define COLLATION_BYTE 25		/* a byte of a comparison in a collation other than C */
#define BACKTRACK_BYTES 4		/* a byte of a text compared with one of a pattern by the built-in LIKE */

/* Of a numeric that was limited, and of one made from a double: all its digits, four to two bytes. */
#define NUMERIC_BYTES ((PA_MAX_DIGITS_BEFORE + PA_MAX_DIGITS_AFTER) / 2 + 8)
#define NUMERIC_MADE (DBL_MAX_10_EXP + 8)

typedef struct WorkRule
{
	double		base;
	double		byte;
	double		product;
	int			limit;			/* of text arguments */
} WorkRule;

static const WorkRule rules[] = {
	[WORK_QUICK] = {25, 0, 0, 0},
	[WORK_MATH] = {150, 0, 0, 0},
	[WORK_TIME] = {250, 0, 0, 0},
	[WORK_ZONE] = {900, 0, 0, 0},
	[WORK_FIELD] = {500, 0, 0, 0},
	[WORK_ZONE_FIELD] = {900, 0, 0, 0},
	[WORK_FORMAT] = {1000, 120, 0, PA_MAX_FORMAT_BYTES},
	[WORK_NUMERIC_ORDER] = {60, 2, 0, 0},
	[WORK_NUMERIC_COPY] = {80, 3, 0, 0},
	[WORK_NUMERIC_SUM] = {120, 4, 0, 0},
	[WORK_NUMERIC_PRODUCT] = {120, 4, 0.25, 0},
	[WORK_NUMERIC_QUOTIENT] = {600, 15, 0.25, 0},
	[WORK_NUMERIC_ROUND] = {150, 4, 0, 0},
	[WORK_NUMERIC_READ] = {120, 10, 0, 0},
	[WORK_NUMERIC_MAKE] = {700, 0, 0, 0},
	[WORK_TEXT_EQUAL] = {40, 2, 0, PA_MAX_TEXT_BYTES},
	[WORK_BPCHAR_EQUAL] = {50, 3, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_ORDER] = {80, 3, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_SCAN] = {50, 4, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_COPY] = {100, 11, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_HEAD] = {120, 11, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_JOIN] = {80, 2.2, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_TRIM] = {250, 8, 5, PA_MAX_WORD_BYTES},
	[WORK_TEXT_FIND] = {300, 6, 0.6, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_SPLIT] = {300, 6, 0.6, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_START] = {100, 4, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_CASE] = {500, 14, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_INITCAP] = {600, 45, 0, PA_MAX_WORD_BYTES},
	[WORK_TEXT_DIGEST] = {700, 5, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_LIKE] = {250, 5, 0, PA_MAX_TEXT_BYTES},
	[WORK_TEXT_ILIKE] = {1000, 25, 0, PA_MAX_WORD_BYTES},
};

StaticAssertDecl(lengthof(rules) == WORK_KINDS, "every kind of work has a bound");

/* --- limits --- */

int
pa_work_limit(PaWorkKind kind, int position)
{
	if (position == 0)
		return rules[kind].limit;
	switch (kind)
	{
		case WORK_TEXT_LIKE:
		case WORK_TEXT_ILIKE:
			return PA_MAX_PATTERN_BYTES;
		case WORK_TEXT_FIND:
		case WORK_TEXT_SPLIT:
		case WORK_TEXT_TRIM:
			return PA_MAX_NEEDLE_BYTES;
		default:
			return rules[kind].limit;
	}
}

/* Bytes of a text column by its declared length; infinite: not declared. */
static double
declared_bytes(Oid type, int32 typmod)
{
	if (typmod < (int32) VARHDRSZ)
		return INFINITY;
	if (type == VARCHAROID || type == BPCHAROID)
		return (typmod - VARHDRSZ) * pg_database_encoding_max_length();
	if (type == NUMERICOID)
	{
		int			precision = ((typmod - VARHDRSZ) >> 16) & 0xffff;
		int			scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;

		if (scale >= 0 && scale <= precision)
			return 2 + 2 * ((precision - scale + 3) / 4 + (scale + 3) / 4);
	}
	return INFINITY;
}

/* The column below changes of type that leave the value as it is; NULL: no column. */
static const Var *
column_of(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return IsA(node, Var) ? (const Var *) node : NULL;
}

static double
constant_bytes(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	return constant->constlen == -1 ? toast_raw_datum_size(constant->constvalue) - VARHDRSZ : constant->constlen;
}

static bool
is_short_constant(const Node *node)
{
	while (node && IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return node && IsA(node, Const) && constant_bytes((const Const *) node) <= PA_INLINE_BYTES;
}

static bool
is_limited_type(Oid type)
{
	return type == TEXTOID || type == VARCHAROID || type == BPCHAROID || type == NUMERICOID;
}

static Node *
call_limiter(Node *argument, int limit)
{
	Oid			type = exprType(argument);
	List	   *args = list_make1(argument);

	if (type != NUMERICOID)
		args = lappend(args, makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(limit), false, true));
	return (Node *) makeFuncExpr(pa_short_function(type), type, args, exprCollation(argument),
								 exprCollation(argument), COERCE_EXPLICIT_CALL);
}

Node *
pa_limit_argument(PaWorkKind kind, int position, Node *argument, const Node *other)
{
	Oid			type = exprType(argument);
	const Var  *column = column_of(argument);
	int			limit = pa_work_limit(kind, position);

	if (IsA(argument, Const) || !is_limited_type(type))
		return argument;
	if (limit == 0 && type != NUMERICOID)
		return argument;
	if (kind == WORK_TEXT_EQUAL && is_short_constant(other))
		return argument;		/* reads what is of the constant's length only */
	if (column && declared_bytes(column->vartype, column->vartypmod) <= PA_INLINE_BYTES)
		return argument;
	return call_limiter(argument, limit);
}

/* --- measuring --- */

/* The longest value of an expression, in bytes, and the work of computing it. */
typedef struct Measure
{
	double		bytes;
	double		work;
} Measure;

/* A column of a subquery is measured once. */
typedef struct MeasuredColumn
{
	const Query *query;
	AttrNumber	resno;
	Measure		measure;
} MeasuredColumn;

typedef struct WorkContext
{
	const Query *query;			/* whose columns the expression is made of */
	double		tested;			/* bytes of what the CASE around it tests */
	List	  **columns;		/* of MeasuredColumn */
} WorkContext;

static Measure measure(const WorkContext *context, Node *node);

static Measure
measure_subquery_column(const WorkContext *context, const Query *query, AttrNumber resno)
{
	WorkContext inner = {query, INFINITY, context->columns};
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
	*column = (MeasuredColumn) {query, resno, measure(&inner, (Node *) entry->expr)};
	*context->columns = lappend(*context->columns, column);
	return column->measure;
}

static Measure
measure_column(const WorkContext *context, const Var *var)
{
	const RangeTblEntry *rte = rt_fetch(var->varno, context->query->rtable);
	int			length = get_typlen(var->vartype);

	if (rte->rtekind == RTE_SUBQUERY && var->varattno > 0 && !pa_is_read_first(rte->subquery))
		return measure_subquery_column(context, rte->subquery, var->varattno);
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		return measure(context, list_nth(rte->joinaliasvars, var->varattno - 1));
	return (Measure) {length > 0 ? length : declared_bytes(var->vartype, var->vartypmod), NODE_WORK};
}

/* A numeric's digits as they would be written out, in the bytes that store them. */
static double
numeric_bytes(const Const *constant)
{
	if (constant->constisnull)
		return 0;
	return strlen(DatumGetCString(DirectFunctionCall1(numeric_out, constant->constvalue))) / 2.0 + 4;
}

static Measure
measure_constant(const Const *constant)
{
	return (Measure) {constant->consttype == NUMERICOID ? numeric_bytes(constant) : constant_bytes(constant), NODE_WORK};
}

static Measure
measure_parameter(const Param *parameter)
{
	int			length = get_typlen(parameter->paramtype);

	if (length > 0)
		return (Measure) {length, NODE_WORK};
	return (Measure) {parameter->paramtype == NUMERICOID ? NUMERIC_BYTES : PA_MAX_PARAMETER_BYTES, LIMIT_WORK};
}

/* How long the argument is that a function of the kind sees, and the work up to there. */
static Measure
limit_argument(PaWorkKind kind, int position, Node *argument, Measure result)
{
	Oid			type = exprType(argument);
	int			limit = pa_work_limit(kind, position);

	if (!is_limited_type(type) || IsA(argument, Const))
		return result;
	result.work += LIMIT_WORK;
	if (type == NUMERICOID)
		result.bytes = fmin(result.bytes, NUMERIC_BYTES);
	else if (limit > 0)
		result.bytes = fmin(result.bytes, limit);
	return result;
}

static Measure
measure_argument(const WorkContext *context, PaWorkKind kind, int position, Node *argument)
{
	return limit_argument(kind, position, argument, measure(context, argument));
}

/* Letters may take more bytes in the other case. */
static double
growth_of_case(Oid collation)
{
	pg_locale_t locale;

	if (lc_ctype_is_c(collation))
		return 1;
	locale = pg_newlocale_from_collation(collation);
	return locale && locale->provider == COLLPROVIDER_ICU ? 3 : 2;
}

/* The bytes at the head of a text that left(), or substr() up to somewhere, with constant lengths reads. */
static double
head_bytes(Oid function, List *args, double bytes)
{
	double		characters = 0;
	ListCell   *cell;

	if (function != F_LEFT && list_length(args) < 3)
		return bytes;
	for_each_from(cell, args, 1)
	{
		Const	   *length = lfirst(cell);

		if (!IsA(length, Const) || length->constisnull || DatumGetInt32(length->constvalue) < 0)
			return bytes;
		characters += DatumGetInt32(length->constvalue);
	}
	return fmin(bytes, (characters + 1) * pg_database_encoding_max_length());
}

/* Where allow/total_text.c leaves LIKE to the built-in matcher, which tries the pattern at each place of the text. */
static bool
like_is_built_in(void)
{
	return pg_database_encoding_max_length() > 1 && GetDatabaseEncoding() != PG_UTF8;
}

/* What LIKE reads of a text: all of it if it looks for a part between two %, else its ends. */
static double
searched_bytes(Node *pattern, double bytes, double pattern_bytes)
{
	int			wildcards = 0;

	if (!IsA(pattern, Const) || ((Const *) pattern)->constisnull || like_is_built_in())
		return bytes;
	for (const char *c = TextDatumGetCString(((Const *) pattern)->constvalue); *c; c++)
		wildcards += *c == '%';
	return wildcards > 1 ? bytes : fmin(bytes, pattern_bytes * pg_database_encoding_max_length());
}

/* What a function of the kind makes of arguments of these lengths. */
static double
result_bytes(PaWorkKind kind, Oid type, Oid collation, double left, double right)
{
	int			length = get_typlen(type);

	if (length > 0)
		return length;
	switch (kind)
	{
		case WORK_QUICK:
			return sizeof(Datum);	/* a boolean as text */
		case WORK_FORMAT:
			return 12 * PA_MAX_FORMAT_BYTES;
		case WORK_FIELD:
		case WORK_ZONE_FIELD:
			return 20;			/* extract() */
		case WORK_NUMERIC_MAKE:
			return NUMERIC_MADE;
		case WORK_NUMERIC_QUOTIENT:
			return fmin(2 * (left + right) + 20, 600);
		case WORK_NUMERIC_ROUND:
			return left + PA_MAX_ROUNDING / 2;
		case WORK_TEXT_CASE:
		case WORK_TEXT_INITCAP:
			return left * growth_of_case(collation);
		case WORK_TEXT_DIGEST:
			return 32;
		case WORK_TEXT_COPY:
		case WORK_TEXT_HEAD:
		case WORK_TEXT_TRIM:
		case WORK_TEXT_SPLIT:
			return left;
		default:
			return left + right;	/* sums, products, joined texts */
	}
}

/* A call of a function of the kind on arguments of these lengths. */
static double
call_work(PaWorkKind kind, Oid collation, double left, double right)
{
	const WorkRule *rule = &rules[kind];

	if (rule->base == 0)
		return INFINITY;
	if (rule->byte == 0)
		return rule->base;
	switch (kind)
	{
		case WORK_FORMAT:
			return rule->base + rule->byte * right;
		case WORK_TEXT_EQUAL:
			return rule->base + (rule->byte + (fmin(left, right) < SHORTEST_COMPRESSED ? 0 : 1)) * fmin(left, right);
		case WORK_TEXT_LIKE:
			return rule->base + rule->byte * (left + right) + (like_is_built_in() ? BACKTRACK_BYTES * left * right : 0);
		case WORK_TEXT_ORDER:
			return rule->base + (lc_collate_is_c(collation) ? rule->byte : COLLATION_BYTE) * (left + right);
		case WORK_NUMERIC_PRODUCT:
		case WORK_NUMERIC_QUOTIENT:
			return rule->base + rule->byte * (left + right) +
				rule->product * fmin(left, PA_MAX_NUMERIC_BYTES) * fmin(right, PA_MAX_NUMERIC_BYTES);
		default:
			return rule->base + rule->byte * (left + right) + (rule->product > 0 ? rule->product * left * right : 0);
	}
}

/* first: how long the first argument is before it is limited; may be NULL */
static Measure
measure_call(const WorkContext *context, Oid function, List *args, Oid type, Oid collation, double *first)
{
	PaWorkKind	kind = pa_function_work(function);
	double		bytes[2] = {0, 0};
	Measure		result = {0, 0};
	int			position = 0;
	ListCell   *cell;

	foreach(cell, args)
	{
		Measure		whole = measure(context, lfirst(cell));
		Measure		argument = limit_argument(kind, position, lfirst(cell), whole);

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
		bytes[0] = searched_bytes(lsecond(args), bytes[0], bytes[1]);
	}
	if (kind == WORK_TEXT_HEAD)
		bytes[0] = head_bytes(function, args, bytes[0]);
	result.work += call_work(kind, collation, bytes[0], bytes[1]);
	result.bytes = result_bytes(kind, type, collation, bytes[0], bytes[1]);
	return result;
}

/* All of the expressions, of which the longest is the result. */
static Measure
measure_all(const WorkContext *context, List *nodes)
{
	Measure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, nodes)
	{
		Measure		one = measure(context, lfirst(cell));

		result.work += one.work;
		result.bytes = fmax(result.bytes, one.bytes);
	}
	return result;
}

/* All conditions, and the result that takes longest. */
static Measure
measure_case(const WorkContext *context, const CaseExpr *expression)
{
	Measure		tested = expression->arg ? measure(context, (Node *) expression->arg) : (Measure) {0, 0};
	WorkContext inner = {context->query, expression->arg ? tested.bytes : context->tested, context->columns};
	Measure		result = {0, 0};
	double		conditions = tested.work + NODE_WORK;
	ListCell   *cell;

	if (expression->defresult)
		result = measure(context, (Node *) expression->defresult);
	foreach(cell, expression->args)
	{
		const CaseWhen *when = lfirst_node(CaseWhen, cell);
		Measure		one = measure(context, (Node *) when->result);

		conditions += measure(&inner, (Node *) when->expr).work + NODE_WORK;
		result.work = fmax(result.work, one.work);
		result.bytes = fmax(result.bytes, one.bytes);
	}
	result.work += conditions;
	return result;
}

PaWorkKind
pa_comparison_work(Oid type)
{
	if (type == NUMERICOID)
		return WORK_NUMERIC_ORDER;
	return is_limited_type(type) ? WORK_TEXT_ORDER : WORK_QUICK;
}

PaWorkKind
pa_element_work(Oid type)
{
	if (type == NUMERICOID)
		return WORK_NUMERIC_COPY;
	return is_limited_type(type) ? WORK_TEXT_JOIN : WORK_QUICK;
}

static Measure
measure_greatest(const WorkContext *context, const MinMaxExpr *expression)
{
	PaWorkKind	kind = pa_comparison_work(expression->minmaxtype);
	Measure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, expression->args)
	{
		Measure		one = measure_argument(context, kind, 0, lfirst(cell));

		result.bytes = fmax(result.bytes, one.bytes);
		result.work += one.work;
	}
	result.work += list_length(expression->args) *
		call_work(kind, expression->inputcollid, result.bytes, result.bytes);
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
static Measure
measure_elements(const WorkContext *context, const ArrayExpr *list)
{
	PaWorkKind	kind = pa_element_work(list->element_typeid);
	Measure		result = {0, NODE_WORK};
	ListCell   *cell;

	foreach(cell, list->elements)
	{
		Measure		one = measure_argument(context, kind, 0, lfirst(cell));

		result.work += one.work + call_work(kind, InvalidOid, one.bytes, 0);
		result.bytes = fmax(result.bytes, one.bytes);
	}
	return result;
}

static ListSize
list_size(const WorkContext *context, Node *list)
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
		Measure		all = measure_elements(context, (ArrayExpr *) list);

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
static Measure
measure_list(const WorkContext *context, const ScalarArrayOpExpr *expression)
{
	PaWorkKind	kind = pa_function_work(get_opcode(expression->opno));
	Measure		value = measure_argument(context, kind, 0, linitial(expression->args));
	ListSize	size = list_size(context, lsecond(expression->args));
	bool		fixed = get_typlen(exprType(linitial(expression->args))) > 0;
	Measure		result = {sizeof(Datum), value.work + size.work + LIST_WORK};

	if (kind == WORK_QUICK)
		result.work += size.elements * ELEMENT_WORK;
	else
		result.work += size.elements * call_work(kind, expression->inputcollid, fixed ? 0 : value.bytes, fixed ? 0 : size.bytes);
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

static Measure
measure_text_cast(const WorkContext *context, const CoerceViaIO *cast)
{
	Oid			type = exprType((Node *) cast->arg);
	Measure		result = measure_argument(context, WORK_NUMERIC_COPY, 0, (Node *) cast->arg);

	result.bytes = text_bytes(type, result.bytes);
	result.work += CAST_WORK + rules[WORK_TEXT_COPY].byte * fmin(result.bytes, PA_MAX_TEXT_BYTES);
	return result;
}

/* What expression_tree_walker() visits; the result is of a fixed length. */
typedef struct PartsContext
{
	const WorkContext *context;
	double		work;
} PartsContext;

static bool
measure_parts_walker(Node *node, PartsContext *parts)
{
	if (node && IsA(node, List))
		return expression_tree_walker(node, measure_parts_walker, parts);
	if (node)
		parts->work += measure(parts->context, node).work;
	return false;
}

static Measure
measure_parts(const WorkContext *context, Node *node)
{
	PartsContext parts = {context, NODE_WORK};

	(void) expression_tree_walker(node, measure_parts_walker, &parts);
	return (Measure) {sizeof(Datum), parts.work};
}

static Measure
measure(const WorkContext *context, Node *node)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (node == NULL)
		return (Measure) {0, 0};
	switch (nodeTag(node))
	{
		case T_Var:
			return measure_column(context, (Var *) node);
		case T_Const:
			return measure_constant((Const *) node);
		case T_Param:
			return measure_parameter((Param *) node);
		case T_CaseTestExpr:
			return (Measure) {context->tested, NODE_WORK};
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
				Measure		result;
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
			return measure(context, (Node *) ((RelabelType *) node)->arg);
		case T_CollateExpr:
			return measure(context, (Node *) ((CollateExpr *) node)->arg);
		case T_SQLValueFunction:
			return (Measure) {sizeof(Datum), rules[WORK_ZONE].base};
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
			return measure_parts(context, node);
		default:
			return (Measure) {INFINITY, INFINITY};
	}
}

/* --- a block --- */

typedef struct BlockWork
{
	const PaBlock *block;
	List	   *columns;
	List	   *inputs;			/* expressions of the leaf that are computed once */
	double		total;
	double		largest;
	int			location;		/* of the expression with the largest part */
} BlockWork;

static void
add_work(BlockWork *work, Node *node, double amount)
{
	work->total += amount;
	if (amount > work->largest)
	{
		work->largest = amount;
		work->location = exprLocation(node);
	}
}

/* Conditions one by one.  The planner concludes nothing from them (once.c). */
static void
add_conditions(BlockWork *work, const Query *query, Node *quals)
{
	WorkContext context = {query, INFINITY, &work->columns};

	if (quals == NULL)
		return;
	if (is_andclause(quals))
	{
		ListCell   *cell;

		foreach(cell, ((BoolExpr *) quals)->args)
			add_conditions(work, query, lfirst(cell));
		return;
	}
	if (IsA(quals, List))
	{
		ListCell   *cell;

		foreach(cell, (List *) quals)
			add_conditions(work, query, lfirst(cell));
		return;
	}
	add_work(work, quals, measure(&context, quals).work);
}

static void
add_from(BlockWork *work, const Query *query, Node *node)
{
	if (IsA(node, FromExpr))
	{
		ListCell   *cell;

		foreach(cell, ((FromExpr *) node)->fromlist)
			add_from(work, query, lfirst(cell));
		add_conditions(work, query, ((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		add_from(work, query, ((JoinExpr *) node)->larg);
		add_from(work, query, ((JoinExpr *) node)->rarg);
		add_conditions(work, query, ((JoinExpr *) node)->quals);
	}
	else
	{
		const RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, node)->rtindex, query->rtable);

		if (rte->rtekind == RTE_SUBQUERY && pa_is_read_first(rte->subquery))
			work->total += SUBLINK_WORK;
		else if (rte->rtekind == RTE_SUBQUERY)
			add_from(work, rte->subquery, (Node *) rte->subquery->jointree);
	}
}

/* A value that the leaf reads, with the work of reading it; computed once however often it stands there. */
static void
add_input(BlockWork *work, Node *node, bool key)
{
	WorkContext context = {work->block->leaf, INFINITY, &work->columns};
	Measure		value = {0, 0};
	Oid			type = exprType(node);

	if (!list_member(work->inputs, node))
	{
		work->inputs = lappend(work->inputs, node);
		value = measure(&context, node);
	}
	if (key)
		value.work += KEY_WORK + (get_typlen(type) == -1 ? KEY_BYTE * fmin(measure(&context, node).bytes, PA_MAX_KEY_BYTES) : 0);
	else
		value.work += AGGREGATE_WORK;
	if (type == NUMERICOID)
		value.work += call_work(WORK_NUMERIC_READ, InvalidOid, fmin(measure(&context, node).bytes, NUMERIC_BYTES), 0);
	add_work(work, node, value.work);
}

static void
add_outputs(BlockWork *work)
{
	ListCell   *cell;

	foreach(cell, work->block->leaf->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		PaAggregateKind kind;

		if (entry->resjunk)
			continue;			/* the marker */
		if (!IsA(entry->expr, Aggref))
			add_input(work, (Node *) entry->expr, true);
		else if (pa_aggregate_kind(((Aggref *) entry->expr)->aggfnoid, &kind) && !pa_aggregate_form(kind)->asks_owners)
			add_input(work, (Node *) ((TargetEntry *) linitial(((Aggref *) entry->expr)->args))->expr, false);
	}
}

/* Columns of the widest of the block's protected tables, all of which may stand before one that is wanted. */
static int
most_columns(Oid relation)
{
	int			most = pa_table_columns(relation);
	ListCell   *cell;

	if (has_subclass(relation))
		foreach(cell, find_all_inheritors(relation, NoLock, NULL))
			most = Max(most, pa_table_columns(lfirst_oid(cell)));
	return most;
}

/* Before anything is done with it. */
static double
row_work(const PaBlock *block)
{
	return ROW_WORK + COLUMN_WORK * Max(most_columns(block->policy->relation) - ROW_COLUMNS, 0);
}

double
pa_work_bound(const PaBlock *block, int *location)
{
	BlockWork	work = {.block = block,.total = row_work(block),.location = -1};

	if (get_typlen(block->owner->vartype) == -1)
		work.total += OWNER_BYTE * fmin(declared_bytes(block->owner->vartype, block->owner->vartypmod), PA_MAX_TEXT_BYTES);
	add_from(&work, block->leaf, (Node *) block->leaf->jointree);
	add_outputs(&work);
	*location = work.location;
	return work.total;
}

void
pa_refuse_much_work(const PaBlock *block, double rows_per_row)
{
	int			location;
	double		row = row_work(block);
	double		work = row + rows_per_row * (pa_work_bound(block, &location) - row) + (rows_per_row - 1) * JOINED_WORK;

	if (work <= PA_MAX_ROW_WORK)
		return;
	pa_refuse(block->guard, location,
			  psprintf("A row could take %.0f microseconds in this block; at most %d are allowed.",
					   ceil(work / 1000), PA_MAX_ROW_WORK / 1000),
			  "Split the block into several, shorten patterns, write long lists as IN (VALUES (...), ...), or work on columns with a declared length such as varchar(50).");
}
