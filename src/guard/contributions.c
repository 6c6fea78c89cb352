/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contributions.c
 *		privacct._contributions(query): the rows that a block aggregates, with their owners,
 *		as the text of a query.
 *
 * The text is no answer and tells nothing that the catalog does not say.  Nobody may run
 * it as it is, for it hands up single rows; suggest_bounds() puts it into blocks that
 * group them by the owner, and asks those.  The guard judges these like anybody's.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "compat/permissions.h"
#include "compat/statement.h"
#include "descend.h"
#include "guard/block_rules.h"
#include "guard/column.h"
#include "guard/query_level.h"
#include "guard/subquery_entry.h"
#include "node/dry_plan.h"
#include "price/form/form.h"

/* What the block adds up. */
typedef struct Value
{
	Node	   *expression;
	char	   *text;			/* it, as a number, in the query above the rows */
	char	   *label;
	bool		summed;			/* by a sum: what an owner adds up to may be bounded */
	double		lo;				/* bounds that are given or declared; NAN: none */
	double		hi;
	Oid			relation;		/* of the protected column that it is; InvalidOid: an expression */
	char	   *column;
} Value;

typedef struct Contributions
{
	PaBlock		block;
	Query	   *query;			/* the block as written, the owner column exposed */
	List	   *rows;			/* target list of the rows */
	int			nkeys;
	List	   *values;			/* of Value */
} Contributions;

#define BLOCK_HINT "Give the text of one SELECT with aggregates over protected tables, as in 'SELECT ward, dp_sum(cost, 0, 1000) FROM visit GROUP BY ward'."

/* --- the block --- */

static void
take_block(PaGuard *guard, Query *query, Query **block)
{
	ListCell   *cell;

	pa_descend();
	if (query->cteList)
		pa_refuse(guard, -1, "Limits are suggested for queries without WITH.", "Write the subquery into FROM.");
	if (pa_reads_rows(guard, query))
	{
		if (!pa_groups_rows(query) || *block)
			pa_refuse(guard, -1, *block ? "The statement has several blocks that read protected rows." :
					  "The statement would return or use single rows of a protected table.", BLOCK_HINT);
		*block = query;
		return;
	}
	foreach(cell, query->rtable)
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_SUBQUERY)
			take_block(guard, lfirst_node(RangeTblEntry, cell)->subquery, block);
}

/* FROM and WHERE remain, and columns. */
static void
keep_rows(Query *query, List *columns)
{
	query->targetList = columns;
	query->groupClause = query->distinctClause = query->sortClause = query->windowClause = NIL;
	query->havingQual = query->limitCount = query->limitOffset = NULL;
	query->hasAggs = query->hasWindowFuncs = query->hasDistinctOn = query->hasTargetSRFs = false;
}

/*
 * Rows that the guard would not let a block count are none of a block; what it adds up need not have bounds yet.
 * Releases among them would be asked, and paid, with every question about them.
 */
static void
require_allowed(const PaGuard *guard, const Query *query)
{
	PaGuard		dry = {.source = guard->source,.user = guard->user};
	Query	   *counted = copyObject(unconstify(Query *, query));
	Aggref	   *count = makeNode(Aggref);

	count->aggfnoid = F_COUNT_;
	count->aggtype = INT8OID;
	count->aggstar = true;
	count->aggkind = AGGKIND_NORMAL;
	count->aggno = count->aggtransno = -1;
	count->location = -1;
	keep_rows(counted, list_make1(makeTargetEntry((Expr *) count, 1, pstrdup("count"), false)));
	counted->hasAggs = true;
	dry.statement = dry.query = counted;
	pa_guard_rewrite(&dry, counted);
	if (dry.blocks > 1)
		pa_refuse(guard, -1, "The block reads another release.", "Ask for that release first, and write its answer into the query.");
}

/* Keys that a subquery groups by and does not show. */
static void
show_keys(Query *query)
{
	ListCell   *cell;

	pa_descend();
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind != RTE_SUBQUERY)
			continue;
		show_keys(rte->subquery);
		if (rte->subquery->groupClause)
			pa_keep_keys(rte->subquery);
		pa_name_columns(rte);
	}
}

static void
find_block(Contributions *contributions, Query *statement)
{
	PaBlock    *block = &contributions->block;

	pa_require_budget(block->guard, statement);
	take_block(block->guard, statement, &contributions->query);
	if (contributions->query == NULL)
		pa_refuse(block->guard, -1, "It has no block of its own: no protected table in FROM, or one that the current role may read without protection.", BLOCK_HINT);
	block->guard->query = contributions->query;
	if (contributions->query->groupingSets)
		pa_refuse_grouping_sets(block->guard, contributions->query);
	require_allowed(block->guard, contributions->query);
	pa_flatten_joins(contributions->query);
	show_keys(contributions->query);
	block->rules = pa_block_rules(block->guard, contributions->query);
	block->leaf = contributions->query;
	pa_take_protected(block);
	if (block->rules != &pa_row_rules || block->policy->regime != PA_REGIME_CENTRAL)
		pa_refuse(block->guard, -1, "Limits are suggested for tables of the central regime.",
				  "Elsewhere an owner has one row, or entries are protected.");
	if (pa_accountant(block->policy->accountant)->counts_uses)
		pa_refuse(block->guard, -1, "Limits are not suggested under a plan: its slots decide what is released, not an epsilon.",
				  "Declare limits that follow from what is known of the subject.");
	pa_simplify_outer_joins(block);
	pa_follow_paths(block);
	pa_expose_owner(block);
}

/* --- its rows --- */

static void
add_column(Contributions *contributions, Node *expression, char *name)
{
	contributions->rows = lappend(contributions->rows,
								  makeTargetEntry((Expr *) copyObject(expression), list_length(contributions->rows) + 1, name, false));
}

static void
add_keys(Contributions *contributions)
{
	Query	   *query = contributions->query;
	List	   *clauses = query->groupClause || query->hasAggs ? query->groupClause : query->distinctClause;
	ListCell   *cell;

	foreach(cell, clauses)
		add_column(contributions, (Node *) get_sortgroupclause_tle(lfirst(cell), query->targetList)->expr,
				   psprintf("k%d", ++contributions->nkeys));
}

static bool
constant_bound(PaBlock *block, const Aggref *call, int position, double *bound)
{
	Node	   *given = (Node *) ((TargetEntry *) list_nth(call->args, position))->expr;
	const Const *constant;

	pa_validate_expression(block, block->leaf, given);
	constant = (const Const *) eval_const_expressions(NULL, given);
	if (!IsA(constant, Const) || constant->consttype != FLOAT8OID || constant->constisnull)
		return false;
	*bound = DatumGetFloat8(constant->constvalue);
	return isfinite(*bound);
}

/* As they are given, else as they are declared. */
static void
find_bounds(Contributions *contributions, const Aggref *call, Value *value)
{
	PaBlock    *block = &contributions->block;

	if (list_length(call->args) >= 3 && constant_bound(block, call, 1, &value->lo) && constant_bound(block, call, 2, &value->hi) &&
		value->lo < value->hi)
		return;
	if (!pa_infer_bounds(block, block->leaf, value->expression, &value->lo, &value->hi))
		value->lo = value->hi = NAN;
}

static void
find_column(const PaBlock *block, const Node *expression, Value *value)
{
	const PaPolicy *policy;
	AttrNumber	column;

	/* a cast to the type of the aggregate */
	while (IsA(expression, FuncExpr) && ((const FuncExpr *) expression)->funcformat == COERCE_IMPLICIT_CAST)
		expression = linitial(((const FuncExpr *) expression)->args);
	if (!IsA(expression, Var))
		return;
	column = pa_protected_column(block->leaf, (const Var *) expression, &policy);
	if (column == InvalidAttrNumber)
		return;
	value->relation = policy->relation;
	value->column = get_attname(policy->relation, column, false);
}

/* The one that is there already, or a new one. */
static Value *
find_value(Contributions *contributions, Node *expression)
{
	Value	   *value;
	ListCell   *cell;

	foreach(cell, contributions->values)
		if (equal(((Value *) lfirst(cell))->expression, expression))
			return lfirst(cell);
	value = palloc0(sizeof(Value));
	value->expression = expression;
	contributions->values = lappend(contributions->values, value);
	return value;
}

static void
add_value(Contributions *contributions, const Aggref *call, bool summed)
{
	Node	   *expression = (Node *) linitial_node(TargetEntry, call->args)->expr;
	Value	   *value = find_value(contributions, pa_apply_filter(expression, (Node *) call->aggfilter));
	char	   *name = psprintf("v%d", list_length(contributions->values));

	value->summed |= summed;
	if (value->label)
		return;
	find_column(&contributions->block, expression, value);
	find_bounds(contributions, call, value);
	value->label = pa_aggregate_label(&contributions->block, call);
	value->text = psprintf(exprType(expression) == BOOLOID ? "%s::int" : "%s", name);
	add_column(contributions, value->expression, name);
}

static void
add_values(Contributions *contributions)
{
	ListCell   *cell;

	foreach(cell, pa_aggregates_of(contributions->query))
	{
		const Aggref *call = lfirst_node(Aggref, cell);
		PaAggregateKind kind;

		if (call->agglevelsup == 0 && pa_aggregate_kind(call->aggfnoid, &kind) && call->args != NIL &&
			pa_aggregate_form(kind)->bounds == PA_BOUNDS_REQUIRED)
			add_value(contributions, call, pa_aggregate_form(kind)->owner_bounds == PA_OWNER_BOUNDS_LEAST_NOISE);
	}
}

static void
become_rows(Contributions *contributions)
{
	Query	   *query = contributions->query;

	add_column(contributions, (Node *) contributions->block.owner, pstrdup("o"));
	add_keys(contributions);
	add_values(contributions);
	keep_rows(query, contributions->rows);
}

/* Names that the search path of whoever runs it need not have. */
static char *
text_of(Query *query)
{
	int			level = NewGUCNestLevel();
	char	   *text;

	(void) set_config_option("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	text = pg_get_querydef(query, false);
	AtEOXact_GUC(true, level);
	return text;
}

/* --- for SQL --- */

static void
put_value(ReturnSetInfo *result, const char *rows, int nkeys, const Value *value)
{
	Datum		values[9] = {CStringGetTextDatum(rows), Int32GetDatum(nkeys)};
	bool		nulls[9] = {false, false, true, true, true, true, true, true, true};

	if (value)
	{
		values[2] = CStringGetTextDatum(value->label);
		values[3] = CStringGetTextDatum(value->text);
		values[4] = BoolGetDatum(value->summed);
		values[5] = Float8GetDatum(value->lo);
		values[6] = Float8GetDatum(value->hi);
		values[7] = ObjectIdGetDatum(value->relation);
		nulls[2] = nulls[3] = nulls[4] = false;
		nulls[5] = nulls[6] = isnan(value->lo);
		nulls[7] = nulls[8] = value->column == NULL;
		if (value->column)
			values[8] = CStringGetTextDatum(value->column);
	}
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
find_rows(void *argument)
{
	Contributions *contributions = argument;
	Query	   *statement = unconstify(Query *, contributions->block.guard->statement);

	pa_gather_permissions(statement);
	pa_open_statement(statement);
	pa_write_generated(statement);
	find_block(contributions, statement);
	become_rows(contributions);
}

/* As the planner's hook has it, of which this is no part. */
static void
find_within_steps(Contributions *contributions)
{
	List	   *around = pa_exchange_permissions(NIL);

	PG_TRY();
	{
		pa_within_steps(find_rows, contributions);
	}
	PG_FINALLY();
	{
		(void) pa_exchange_permissions(around);
	}
	PG_END_TRY();
}

/* A row for each value that the block adds up; one without a value where it adds up none. */
PG_FUNCTION_INFO_V1(pa_contributions);
PGDLLEXPORT Datum
pa_contributions(PG_FUNCTION_ARGS)
{
	char	   *source = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Query	   *statement = pa_dry_analyze(source);
	PaGuard		guard = {.source = source,.statement = statement,.query = statement,.user = GetUserId()};
	Contributions contributions = {.block = {.guard = &guard}};
	char	   *rows;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	find_within_steps(&contributions);
	rows = text_of(contributions.query);
	foreach(cell, contributions.values)
		put_value((ReturnSetInfo *) fcinfo->resultinfo, rows, contributions.nkeys, lfirst(cell));
	if (contributions.values == NIL)
		put_value((ReturnSetInfo *) fcinfo->resultinfo, rows, contributions.nkeys, NULL);
	return (Datum) 0;
}
