/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate.c
 *		What a leaf may contain: an allow list of query shapes, node types and
 *		functions.  Whatever is not named here is refused.
 *
 * Run before anything is replaced, on the analysed tree, so that functions and
 * operators are OIDs, not names.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"

#include "descend.h"
#include "size_limits.h"
#include "allow/allowlist.h"
#include "allow/pattern.h"
#include "allow/valid_text.h"
#include "allow/zone_name.h"
#include "guard/branches.h"
#include "guard/call_work.h"
#include "guard/guard.h"
#include "guard/inputs.h"
#include "guard/subquery_entry.h"
#include "guard/union.h"
#include "quiet/date_format.h"

typedef struct ValidateContext
{
	PaBlock    *block;
	const Query *query;
} ValidateContext;

static bool validate_walker(Node *node, ValidateContext *context);
static void validate_sublink(ValidateContext *context, const SubLink *sublink);

#define REFUSE_SHAPE(block, what) \
	pa_refuse((block)->guard, -1, "A subquery in a block on a protected table uses " what ".", \
			  "Keep such a subquery to columns, expressions, joins and WHERE; group in the query around it, or by the owner.")

/* --- expressions --- */

static void
validate_type(ValidateContext *context, Oid type, Oid collation, int location)
{
	if (!pa_type_allowed(type))
		pa_refuse(context->block->guard, location,
				  psprintf("Type %s is not allowed in an expression over protected rows.", format_type_be(type)),
				  "Use columns and expressions of number, boolean, text, enum, uuid, date or time types.");
	pa_validate_enum(context->block, type, location);
	pa_validate_collation(context->block, collation, location);
}

/* The units that date_trunc() and extract() take without an error on any value. */
static bool
unit_is_known(const Const *unit)
{
	static const char *const units[] = {"microseconds", "milliseconds", "second", "minute", "hour", "day",
		"week", "month", "quarter", "year", "decade", "century", "millennium", "epoch",
	"dow", "doy", "isodow", "isoyear"};
	char	   *name;

	if (unit->constisnull || unit->consttype != TEXTOID)
		return false;
	name = TextDatumGetCString(unit->constvalue);
	for (int i = 0; i < lengthof(units); i++)
		if (pg_strcasecmp(name, units[i]) == 0)
			return true;
	return false;
}

/* The units of date_trunc() are fewer, those of a date, time or interval fewer still. */
static bool
unit_suits(const Const *unit, Oid argument, bool truncates)
{
	static const char *const clock[] = {"microseconds", "milliseconds", "second", "minute", "hour"};
	static const char *const calendar[] = {"epoch", "dow", "doy", "isodow", "isoyear"};
	static const char *const weekly[] = {"week", "dow", "doy", "isodow", "isoyear"};
	char	   *name = TextDatumGetCString(unit->constvalue);
	bool		is_clock = false;

	for (int i = 0; i < lengthof(clock); i++)
		is_clock |= pg_strcasecmp(name, clock[i]) == 0;
	if (argument == TIMEOID)
		return is_clock || pg_strcasecmp(name, "epoch") == 0;
	if (argument == DATEOID && is_clock)
		return false;
	if (truncates)
		for (int i = 0; i < lengthof(calendar); i++)
			if (pg_strcasecmp(name, calendar[i]) == 0)
				return false;
	if (argument == INTERVALOID)
		for (int i = 0; i < lengthof(weekly); i++)
			if (pg_strcasecmp(name, weekly[i]) == 0)
				return false;
	return true;
}

static void
validate_unit(ValidateContext *context, List *args, bool truncates, int location)
{
	Node	   *unit = linitial(args);

	if (!IsA(unit, Const) || !unit_is_known((Const *) unit) ||
		!unit_suits((Const *) unit, exprType(lsecond(args)), truncates))
		pa_refuse(context->block->guard, location,
				  "The unit of date_trunc or extract must be a constant that suits its argument.",
				  "Write a unit such as 'day', 'week', 'month' or 'year'.");
}

/* What a parameter says is seen when it has a value. */
static void
validate_format(const ValidateContext *context, const Node *format, int location)
{
	if (IsA(format, Const) && !((const Const *) format)->constisnull &&
		pa_format_names_zone(DatumGetTextPP(((const Const *) format)->constvalue)))
		pa_refuse(context->block->guard, location, PA_FORMAT_NAMES_ZONE, PA_FORMAT_WITHOUT_ZONE);
}

static void
validate_zone(const ValidateContext *context, const Const *zone, int location)
{
	if (IsA(zone, Const) && !zone->constisnull && pa_is_zone_name(TextDatumGetCString(zone->constvalue)))
		return;
	pa_refuse(context->block->guard, location, "The time zone must be a constant, the full name of a zone, and no abbreviation.",
			  "Write a name of the view pg_timezone_names that is not in pg_timezone_abbrevs, such as 'Europe/Berlin' or 'UTC'.");
}

static void
validate_pattern(const ValidateContext *context, Oid function, const Const *pattern, Oid collation, int location)
{
	const char *reason = "it is not a constant";
	const text *value;

	if (IsA(pattern, Const) && pattern->constisnull)
		return;
	if (IsA(pattern, Const))
	{
		value = DatumGetTextPP(pattern->constvalue);
		if (pa_pattern_make(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), pa_ignores_case(function), collation, &reason))
			return;
	}
	pa_refuse(context->block->guard, location,
			  psprintf("A regular expression is of a kind that is not allowed over protected rows: %s.", reason),
			  "Use characters, brackets, groups, |, ^, $ and repetitions, at most 64 characters with these written out; or LIKE.");
}

static bool
free_of_rows(Node *node)
{
	return !contain_var_clause(node) && !contain_subplans(node);
}

static bool
is_refused(Oid function)
{
	int			constants;

	return pa_function_class(function, &constants) == PA_FUNCTION_REFUSED;
}

/* nearest: what to write instead; NULL: nothing like it is allowed */
static void
refuse_function(const ValidateContext *context, Oid function, const char *nearest, int location)
{
	pa_refuse(context->block->guard, location,
			  psprintf("Function %s is not allowed in an expression over protected rows.",
					   format_procedure(function)),
			  nearest ? nearest :
			  "Apply it to the result, outside the aggregates, or use one of the view privacct.allowed_functions.");
}

#define AS_VALUE "Write its value as a constant or a parameter, as in timestamptz '2025-02-01 00:00'."
#define AS_DOUBLES "Cast its arguments of type numeric to double precision, as in x::double precision."

/* Judges a function (or the function behind an operator) and those arguments that must be constant. */
static void
validate_function(ValidateContext *context, Oid function, List *args, Oid collation, int location)
{
	PaWorkKind	kind;
	int			constants;
	int			position = 0;
	ListCell   *cell;

	if (pa_function_class(function, &constants) == PA_FUNCTION_REFUSED)
		refuse_function(context, function, OidIsValid(pa_function_of_doubles(function)) ? AS_DOUBLES : args && free_of_rows((Node *) args) ? AS_VALUE : NULL, location);
	foreach(cell, args)
	{
		if ((constants & (1 << position)) && !free_of_rows(lfirst(cell)))
			pa_refuse(context->block->guard, location,
					  psprintf("Argument %d of function %s must not depend on a row.",
							   position + 1, get_func_name(function)),
					  "Write a constant or a parameter there.");
		position++;
	}
	kind = pa_function_work(function);
	if (kind == WORK_FORMAT)
		validate_format(context, lsecond(args), location);
	if (pa_is_named_zone(kind))
		validate_zone(context, list_nth(args, pa_zone_argument(function)), location);
	if (kind == WORK_TEXT_REGEX)
		validate_pattern(context, function, lsecond(args), collation, location);
	if (kind == WORK_FIELD || kind == WORK_ZONE_FIELD)
		validate_unit(context, args, strcmp(get_func_name(function), "date_trunc") == 0, location);
}

/* Casts through text: from types whose output has no user code and no error, and to types that have a total cast. */
static void
validate_text_cast(ValidateContext *context, const CoerceViaIO *cast)
{
	Oid			type = exprType((Node *) cast->arg);

	if (pa_is_text_type(cast->resulttype))
		validate_type(context, type, InvalidOid, exprLocation((Node *) cast->arg));
	else if (!pa_is_text_type(type) || !OidIsValid(pa_text_cast(cast->resulttype)))
		pa_refuse(context->block->guard, cast->location,
				  psprintf("A cast to %s can fail on some row.", format_type_be(cast->resulttype)),
				  "Cast constants instead, or compare as text.");
}

/* A huge constant that only some rows reach would make them slow, or fail for want of memory. */
static void
validate_constant(ValidateContext *context, const Const *constant)
{
	Oid			element = get_element_type(constant->consttype);
	int			most = OidIsValid(element) ? PA_MAX_ARRAY_BYTES : PA_MAX_PARAMETER_BYTES;

	if (!constant->constisnull && constant->constlen == -1 && toast_raw_datum_size(constant->constvalue) - VARHDRSZ > most)
		pa_refuse(context->block->guard, constant->location,
				  psprintf("A constant in a block is longer than %d bytes.", most),
				  "Use shorter constants, or apply them to the result of the block.");
	if (!constant->constisnull && !pa_is_valid_value(constant->consttype, constant->constvalue))
		pa_refuse(context->block->guard, constant->location,
				  "A constant in a block is not valid in the encoding of the database.",
				  "Use constants that PostgreSQL would take from a client.");

	validate_type(context, OidIsValid(element) ? element : constant->consttype,
				  constant->constcollid, constant->location);
}

static void
validate_var(ValidateContext *context, const Var *var)
{
	if (var->varlevelsup != 0)
		pa_refuse(context->block->guard, var->location,
				  "A block on a protected table refers to a query around it.",
				  "Write the block without correlation and join its result.");
	if (var->varattno <= 0)
		pa_refuse(context->block->guard, var->location,
				  "System columns and whole rows of tables in a block are not allowed.",
				  "Name the columns.");
	validate_type(context, var->vartype, var->varcollid, var->location);
}

/*
 * The planner derives the function of such an expression from its operator
 * again, when it negates it and when it estimates, so a twin would not stay.
 */
static void
refuse_partial(ValidateContext *context, Oid function, int location)
{
	int			constants;

	if (pa_function_class(function, &constants) == PA_FUNCTION_PARTIAL)
		pa_refuse(context->block->guard, location,
				  "ANY, ALL, IS DISTINCT FROM and NULLIF over protected rows are allowed with comparisons only.",
				  "Write the conditions one by one, joined by AND or OR.");
}

static Oid
double_for_numeric(Oid type)
{
	return type == NUMERICOID ? FLOAT8OID : type;
}

/* A regular expression, or an operator that would be allowed, were numerics double precision. */
static const char *
nearest_of_operator(Oid operator)
{
	const char *name = get_opname(operator);
	Oid			left,
				right,
				other;

	if (strcmp(name, "~") == 0 || strcmp(name, "~*") == 0 || strcmp(name, "!~") == 0 || strcmp(name, "!~*") == 0)
		return pa_like_is_built_in() ? "Use LIKE, as in x LIKE '%abc%', of columns with a declared length such as varchar(50)." :
			"Use LIKE or ILIKE, as in x LIKE '%abc%'.";
	op_input_types(operator, &left, &right);
	other = OpernameGetOprid(list_make2(makeString("pg_catalog"), makeString(pstrdup(name))),
							 double_for_numeric(left), double_for_numeric(right));
	return OidIsValid(other) && !is_refused(get_opcode(other)) ? AS_DOUBLES : NULL;
}

/*
 * An operator must be built-in itself, not only by its function: the planner
 * follows its negator, commutator and estimators, which its owner chose.
 */
static void
validate_operator(ValidateContext *context, Oid operator, Oid function, List *args, Oid collation, int location)
{
	if (operator >= FirstUnpinnedObjectId)
		pa_refuse(context->block->guard, location,
				  psprintf("Operator %s is not built in.", get_opname(operator)),
				  "Use the built-in operators; a search_path with other schemas before pg_catalog may hide them.");
	if (is_refused(function))
		refuse_function(context, function, nearest_of_operator(operator), location);
	validate_function(context, function, args, collation, location);
}

/* The list of IN, ANY or ALL: a constant, a parameter or single elements, perhaps relabelled as text. */
static void
validate_array(ValidateContext *context, Node *node)
{
	if (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	else if (IsA(node, ArrayCoerceExpr) && IsA(((ArrayCoerceExpr *) node)->elemexpr, RelabelType))
		node = (Node *) ((ArrayCoerceExpr *) node)->arg;
	if (IsA(node, ArrayExpr) && list_length(((ArrayExpr *) node)->elements) > PA_MAX_LIST)
		pa_refuse(context->block->guard, exprLocation(node),
				  psprintf("A list in a block has more than %d elements.", PA_MAX_LIST),
				  "Write IN (VALUES (...), ...).");
	if (IsA(node, Const))
		validate_constant(context, (Const *) node);
	else if (IsA(node, ArrayExpr) && !((ArrayExpr *) node)->multidims)
		validate_walker((Node *) ((ArrayExpr *) node)->elements, context);
	else if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXTERN && type_is_array(((Param *) node)->paramtype))
		validate_type(context, get_element_type(((Param *) node)->paramtype), InvalidOid, ((Param *) node)->location);
	else
		pa_refuse(context->block->guard, exprLocation(node), "An array of this kind is not allowed over protected rows.",
				  "Write the list of IN or ANY as constants or as a parameter.");
}

static bool
validate_walker(Node *node, ValidateContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	pa_validate_input_collation(context->block, node);
	switch (nodeTag(node))
	{
		case T_Var:
			validate_var(context, (Var *) node);
			return false;
		case T_Const:
			validate_constant(context, (Const *) node);
			return false;
		case T_Param:
			if (((Param *) node)->paramkind != PARAM_EXTERN &&
				((Param *) node)->paramkind != PARAM_SUBLINK)
				break;
			validate_type(context, ((Param *) node)->paramtype, ((Param *) node)->paramcollid,
						  ((Param *) node)->location);
			return false;
		case T_FuncExpr:
			{
				FuncExpr   *call = (FuncExpr *) node;

				if (call->funcretset || call->funcvariadic)
					break;
				validate_function(context, call->funcid, call->args, call->inputcollid, call->location);
				validate_type(context, call->funcresulttype, call->funccollid, call->location);
				return expression_tree_walker(node, validate_walker, context);
			}
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			{
				OpExpr	   *operator = (OpExpr *) node;

				set_opfuncid(operator);
				if (operator->opretset)
					break;
				validate_operator(context, operator->opno, operator->opfuncid, operator->args, operator->inputcollid, operator->location);
				if (!IsA(node, OpExpr))
					refuse_partial(context, operator->opfuncid, operator->location);
				validate_type(context, operator->opresulttype, operator->opcollid, operator->location);
				return expression_tree_walker(node, validate_walker, context);
			}
		case T_ScalarArrayOpExpr:
			{
				ScalarArrayOpExpr *operator = (ScalarArrayOpExpr *) node;

				set_sa_opfuncid(operator);
				validate_operator(context, operator->opno, operator->opfuncid, operator->args, operator->inputcollid, operator->location);
				refuse_partial(context, operator->opfuncid, operator->location);
				validate_array(context, lsecond(operator->args));
				return validate_walker(linitial(operator->args), context);
			}
		case T_MinMaxExpr:
			validate_type(context, ((MinMaxExpr *) node)->minmaxtype, ((MinMaxExpr *) node)->minmaxcollid,
						  ((MinMaxExpr *) node)->location);
			return expression_tree_walker(node, validate_walker, context);
		case T_CoalesceExpr:
			validate_type(context, ((CoalesceExpr *) node)->coalescetype, ((CoalesceExpr *) node)->coalescecollid,
						  ((CoalesceExpr *) node)->location);
			return expression_tree_walker(node, validate_walker, context);
		case T_RelabelType:
			validate_type(context, ((RelabelType *) node)->resulttype, ((RelabelType *) node)->resultcollid,
						  ((RelabelType *) node)->location);
			return expression_tree_walker(node, validate_walker, context);
		case T_CollateExpr:
			validate_type(context, exprType(node), ((CollateExpr *) node)->collOid, ((CollateExpr *) node)->location);
			return expression_tree_walker(node, validate_walker, context);
		case T_CoerceViaIO:
			validate_text_cast(context, (CoerceViaIO *) node);
			return expression_tree_walker(node, validate_walker, context);
		case T_NullTest:
			if (((NullTest *) node)->argisrow)
				break;
			return expression_tree_walker(node, validate_walker, context);
		case T_SQLValueFunction:
			validate_type(context, ((SQLValueFunction *) node)->type, InvalidOid, -1);
			return false;
		case T_Aggref:
			pa_validate_grouped_aggregate(context->block, context->query, (Aggref *) node);
			return expression_tree_walker(node, validate_walker, context);
		case T_TargetEntry:		/* an argument of it */
			return expression_tree_walker(node, validate_walker, context);
		case T_SubLink:
			validate_sublink(context, (SubLink *) node);
			return false;
		case T_List:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
			return expression_tree_walker(node, validate_walker, context);
		default:
			break;
	}
	pa_refuse(context->block->guard, exprLocation(node),
			  "The expression is of a kind that is not allowed over protected rows.",
			  "Use comparisons, arithmetic, CASE, IN, LIKE and the functions listed in the documentation.");
	return true;
}

void
pa_validate_expression(PaBlock *block, const Query *query, Node *expression)
{
	ValidateContext context = {block, query};

	validate_walker(expression, &context);
}

/* --- FROM --- */

static void
validate_table(PaBlock *block, const RangeTblEntry *rte)
{
	if (rte->tablesample)
		pa_refuse_table(block->guard, rte, "A block on a protected table uses TABLESAMPLE.",
						"Leave TABLESAMPLE out; noise does not depend on the number of rows.");
	if (rte->securityQuals)
		pa_refuse_table(block->guard, rte, "A block reads a table with row-level security.",
						"Join the result of the block with that table.");
	if (OidIsValid(pa_protected_root(rte->relid)) && !pa_is_protected(block->guard, rte))
		pa_refuse_table(block->guard, rte, "A block reads a protected table as its owner.",
						"Query as a role that has a budget for every protected table of the block.");
}

/* The first table or subquery in a part of FROM. */
static const RangeTblEntry *
first_entry(const Query *query, const Node *node)
{
	while (IsA(node, JoinExpr))
		node = ((const JoinExpr *) node)->larg;
	return rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable);
}

/* Its values may come to stand in the conditions of the block, so computing them must be no work. */
static void
validate_values(PaBlock *block, const Query *query, const RangeTblEntry *rte)
{
	ListCell   *row;
	ListCell   *cell;

	foreach(row, rte->values_lists)
		foreach(cell, (List *) lfirst(row))
		{
			Node	   *value = lfirst(cell);

			pa_validate_expression(block, query, value);
			lfirst(cell) = value = eval_const_expressions(NULL, value);
			while (IsA(value, RelabelType))
				value = (Node *) ((RelabelType *) value)->arg;
			if (!IsA(value, Const) && !IsA(value, Param))
				pa_refuse(block->guard, exprLocation(value), "VALUES in a block computes a value.",
						  "Write constants, or parameters of the type that the column has.");
		}
}

static void
validate_jointree(PaBlock *block, Query *query, Node *node)
{
	pa_descend();
	if (node == NULL)
		return;
	if (IsA(node, FromExpr))
	{
		ListCell   *cell;

		foreach(cell, ((FromExpr *) node)->fromlist)
			validate_jointree(block, query, lfirst(cell));
		pa_validate_expression(block, query, ((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (join->jointype == JOIN_FULL)
			pa_refuse_table(block->guard, first_entry(query, join->rarg), "A block uses a FULL JOIN of public tables.",
							"Use an inner, left or right join, or join the result of the block.");
		validate_jointree(block, query, join->larg);
		validate_jointree(block, query, join->rarg);
		pa_validate_expression(block, query, join->quals);
	}
	else
	{
		RangeTblEntry *rte = rt_fetch(castNode(RangeTblRef, (Node *) node)->rtindex, query->rtable);

		if (rte->rtekind == RTE_RELATION)
			validate_table(block, rte);
		else if (rte->rtekind == RTE_SUBQUERY && !rte->lateral)
		{
			pa_validate_from(block, rte->subquery);
			pa_name_columns(rte);
		}
		else if (rte->rtekind == RTE_VALUES && !rte->lateral)
			validate_values(block, query, rte);
		else if (pa_is_input(block->guard, rte))
			;					/* released, and read before the block */
		else
			pa_refuse_table(block->guard, rte,
							"A block joins a protected table with a function, lateral subquery, or WITH query that does more than SELECT columns ... FROM ... WHERE.",
							"Join with VALUES of constants, or join the result of the block instead, as in FROM (SELECT x, count(*) FROM t GROUP BY x) AS b JOIN ... USING (x).");
	}
}

/* ORDER BY without LIMIT changes nothing in a subquery; its hidden columns go with it. */
static void
drop_sorting(Query *query)
{
	List	   *visible = NIL;
	ListCell   *cell;

	query->sortClause = NIL;
	foreach(cell, query->targetList)
		if (!((TargetEntry *) lfirst(cell))->resjunk)
			visible = lappend(visible, lfirst(cell));
	query->targetList = visible;
}

static void
validate_subquery_shape(PaBlock *block, const Query *query)
{
	if (query->commandType != CMD_SELECT || query->utilityStmt)
		REFUSE_SHAPE(block, "something other than SELECT");
	if (pa_groups_rows(query) && !pa_groups_by_owner(query))
		REFUSE_SHAPE(block, "grouping");
	if (query->hasWindowFuncs || query->windowClause)
		REFUSE_SHAPE(block, "window functions");
	if (query->hasTargetSRFs)
		REFUSE_SHAPE(block, "functions that return sets");
	if (query->setOperations && !pa_reads_rows(block->guard, query))
		REFUSE_SHAPE(block, "UNION, INTERSECT or EXCEPT");
	if (query->limitCount || query->limitOffset)
		REFUSE_SHAPE(block, "LIMIT or OFFSET");
	if (query->rowMarks)
		REFUSE_SHAPE(block, "FOR UPDATE or FOR SHARE");
}

static bool
is_there(Node *node, void *nothing)
{
	return node != NULL;
}

/* Whatever else a query may evaluate, in fields that are not looked at one by one; a WITH that is read is refused where it is. */
static void
refuse_the_rest(PaBlock *block, const Query *query)
{
	Query		rest = *query;

	rest.targetList = NIL;
	rest.jointree = NULL;
	rest.havingQual = NULL;
	rest.rtable = NIL;
	rest.cteList = NIL;
	rest.setOperations = NULL;	/* union.c */
	if (query_tree_walker(&rest, is_there, NULL, 0))
		REFUSE_SHAPE(block, "something that is unknown");
}

static void
validate_having(PaBlock *block, const Query *query)
{
	pa_validate_expression(block, query, query->havingQual);
	if (contain_subplans(query->havingQual))
		pa_refuse(block->guard, exprLocation(query->havingQual), "A condition of HAVING has a subquery, in a subquery that groups by the owner.",
				  "Put the condition into WHERE of the query around it.");
}

static bool
is_plain_column(const Node *node)
{
	const Var  *var = (const Var *) node;

	return IsA(node, Var) && var->varlevelsup == 0 && var->varattno > 0;
}

/* Those of a union. */
static void
validate_inputs(PaBlock *block, Query *query)
{
	ListCell   *cell;

	pa_descend();
	if (query->setOperations == NULL)
		return;
	pa_validate_union(block, query);
	foreach(cell, pa_union_inputs(query))
		pa_validate_from(block, ((RangeTblEntry *) lfirst(cell))->subquery);
}

/*
 * FROM and WHERE of the query; for a subquery of a block also its shape and
 * its output.
 */
void
pa_validate_from(PaBlock *block, Query *query)
{
	const Query *around = block->guard->query;

	if (query != block->leaf)
	{
		ListCell   *cell;

		block->guard->query = query;
		validate_subquery_shape(block, query);
		refuse_the_rest(block, query);
		if (pa_groups_rows(query))
			pa_validate_grouped(block, query);
		else
			drop_sorting(query);
		validate_having(block, query);
		pa_flatten_joins(query);
		foreach(cell, query->targetList)
		{
			Node	   *column = (Node *) ((TargetEntry *) lfirst(cell))->expr;

			/* the type of a plain column matters only where it is used */
			if (!is_plain_column(column))
				pa_validate_expression(block, query, column);
		}
	}
	validate_inputs(block, query);
	validate_jointree(block, query, (Node *) query->jointree);
	block->guard->query = around;
}

/* --- sublinks: membership in a public, uncorrelated set --- */

static void
validate_sublink(ValidateContext *context, const SubLink *sublink)
{
	PaGuard    *guard = context->block->guard;

	if (sublink->subLinkType != ANY_SUBLINK && sublink->subLinkType != EXISTS_SUBLINK)
		pa_refuse(guard, sublink->location, "A block uses a subquery as a value.",
				  "Use IN (SELECT ...) over public tables, or a constant; in WHERE, or in what is computed of each row, also a release, as (SELECT avg(x) FROM t), or what rows of the same owner say, as (SELECT aggregate FROM ... WHERE ... AND b.owner = a.owner).");
	if (pa_names_protected(sublink->subselect, guard))
		pa_refuse(guard, sublink->location, "A condition of a block reads a protected table in a subquery.",
				  "Write EXISTS (SELECT FROM ... WHERE ...), or NOT EXISTS, as a condition of WHERE, joined by AND with others; elsewhere, subqueries may read public tables only.");
	validate_walker(sublink->testexpr, context);
	pa_validate_from(context->block, castNode(Query, sublink->subselect));
}
