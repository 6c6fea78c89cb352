/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * questions.c
 *		Blocks that ask owners (local regime): one table, questions about columns
 *		with domains, everything else about public columns.
 *
 * Which owners are asked, and in which group their answers are counted, depends
 * on public columns alone, so it may be seen.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "guard/block_rules.h"
#include "guard/column.h"
#include "guard/query_level.h"
#include "price/form/form.h"

/* --- which columns --- */

typedef struct ColumnContext
{
	const PaBlock *block;
	bool		asked;			/* columns with domains, else public ones */
} ColumnContext;

static bool
column_fits(const ColumnContext *context, const Var *var)
{
	const PaPolicy *policy = context->block->policy;
	AttrNumber	column = pa_protected_column(context->block->leaf, var, NULL);

	return context->asked ? pa_policy_domain(policy, column) != NULL :
		list_member_int(policy->public_columns, column);
}

static bool
check_columns_walker(Node *node, ColumnContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return false;			/* of a sublink: public tables, without correlation */
	if (!IsA(node, Var))
		return expression_tree_walker(node, check_columns_walker, context);
	if (column_fits(context, (Var *) node))
		return false;
	if (context->asked)
		pa_refuse(context->block->guard, ((Var *) node)->location,
				  "Owners are asked about a column that has no domain.",
				  "Ask about columns that the table's owner has declared with privacct.set_domain().");
	pa_refuse(context->block->guard, ((Var *) node)->location,
			  "WHERE or GROUP BY of a question to owners uses a column that is not public.",
			  "Use public columns there; put conditions on others into the question, as in ldp_count(x > 3).");
}

static void
require_public_columns(const PaBlock *block, Node *expression)
{
	ColumnContext context = {block, false};

	(void) check_columns_walker(expression, &context);
}

static void
require_domains(const PaBlock *block, Node *expression)
{
	ColumnContext context = {block, true};

	(void) check_columns_walker(expression, &context);
	if (contain_subplans(expression))
		pa_refuse(block->guard, exprLocation(expression), "A question to owners has a subquery.",
				  "Ask about columns and expressions of columns.");
	if (!contain_var_clause(expression))
		pa_refuse(block->guard, exprLocation(expression), "A question to owners does not use a column.",
				  "Ask about columns that have a domain.");
}

static Datum
public_columns(const PaPolicy *policy)
{
	Datum	   *elements = palloc(sizeof(Datum) * (list_length(policy->public_columns) + 1));
	int			count = 0;
	ListCell   *cell;

	foreach(cell, policy->public_columns)
		elements[count++] = Int32GetDatum(lfirst_int(cell));
	return PointerGetDatum(construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

/* All columns with domains are read along: the owner's record (local/spec.h). */
static void
mark_domain(const PaBlock *block, Aggref *marker)
{
	RangeTblEntry *rte = rt_fetch(block->owner->varno, block->leaf->rtable);
	ListCell   *cell;

	pa_add_to_marker(marker, (Node *) makeConst(INT4ARRAYOID, -1, InvalidOid, -1,
												public_columns(block->policy), false, false));
	foreach(cell, pa_policy_domains(block->policy))
	{
		AttrNumber	column = ((PaDomainColumn *) lfirst(cell))->attnum;
		Oid			type,
					collation;
		int32		typmod;

		if (column == InvalidAttrNumber)
			elog(ERROR, "a column of the domain of policy " INT64_FORMAT " is missing", block->policy->policy_id);
		get_atttypetypmodcoll(rte->relid, column, &type, &typmod, &collation);
		pa_read_column(rte, column);
		pa_add_to_marker(marker, (Node *) makeVar(block->owner->varno, column, type, typmod, collation, 0));
	}
}

/* --- the block --- */

bool
pa_asks_owners(PaGuard *guard, const Query *query)
{
	int			questions = 0,
				responses = 0,
				others = 0;
	int			location = -1;	/* of one of the others, else of the last question */
	ListCell   *cell;

	foreach(cell, pa_aggregates_of(query))
	{
		const Aggref *call = lfirst_node(Aggref, cell);
		PaAggregateKind kind;
		bool		asks = pa_aggregate_kind(call->aggfnoid, &kind) && pa_aggregate_form(kind)->asks_owners;

		questions += asks;
		responses += asks && kind == PA_AGG_LDP_RESPONSE;
		others += !asks;
		if (!asks || others == 0)
			location = call->location;
	}
	if (questions == 0)
		return false;
	if (others > 0)
		pa_refuse(guard, location, "A block has both questions to owners and other aggregates.",
				  "Ask for them in subqueries of their own and join the results.");
	if (responses > 0 && questions > 1)
		pa_refuse(guard, location, "A block with ldp_response has other questions.",
				  "Ask one at a time; several columns can be one question, as in ldp_response(a || b).");
	return true;
}

static void
validate(const PaBlock *block)
{
	if (block->policy->regime != PA_REGIME_LOCAL)
		pa_refuse(block->guard, -1, "ldp_ aggregates ask owners, and the policy of the table is not local.",
				  "Use count, sum, avg, variance, stddev or their dp_ forms.");
	if (!block->alone || block->owner == NULL)
		pa_refuse(block->guard, -1, "A question to owners joins the protected table with another one.",
				  "Query the table alone, and join the result of the block.");
	require_public_columns(block, block->leaf->jointree->quals);
}

static void
validate_key(const PaBlock *block, Node *key)
{
	require_public_columns(block, key);
	pa_refuse_owner_key(block, key);
}

static void
validate_call(const PaBlock *block, const Aggref *call, PaAggregateKind kind)
{
	if (call->aggfilter || call->aggdistinct)
		pa_refuse(block->guard, call->location, "A question to owners has FILTER or DISTINCT.",
				  "Exclude owners with WHERE on public columns, or put the condition into the question.");
}

static void
restrict_rows(PaBlock *block, List *keys)
{
}

const PaBlockRules pa_question_rules = {
	.one_table = true,
	.marker = pa_local_marker_aggregate,
	.mark = mark_domain,
	.validate = validate,
	.validate_key = validate_key,
	.validate_call = validate_call,
	.validate_value = require_domains,
	.restrict_rows = restrict_rows,
};
