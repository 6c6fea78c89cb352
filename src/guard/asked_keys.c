/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked_keys.c
 *		See asked_keys.h.
 *
 * The condition is what WHERE says of the public table alone.  It is taken only if a block may read it:
 * nothing that was answered is refused because of it.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "allow/allowlist.h"
#include "catalog/policy.h"
#include "catalog/public_table.h"
#include "catalog/public_writer.h"
#include "guard/asked_keys.h"
#include "guard/decorrelate.h"
#include "guard/make_query.h"

/* --- what a block may read --- */

static bool
is_public_for(Oid relation, Oid owner)
{
	PaPublicWriter writer;

	return pa_is_public(relation) && (pa_table_owner(relation) == owner || superuser_arg(pa_table_owner(relation))) &&
		!pa_public_writer(relation, &writer);
}

static bool
is_usable_entry(const RangeTblEntry *rte, Oid owner)
{
	return rte->rtekind == RTE_RELATION && rte->relkind == RELKIND_RELATION && rte->securityQuals == NIL &&
		rte->tablesample == NULL && is_public_for(rte->relid, owner);
}

typedef struct UsableContext
{
	Oid			owner;			/* of the protected tables */
	int			table;			/* the public one */
	int			depth;			/* subqueries around what is looked at */
} UsableContext;

static bool
is_refused(Oid function, void *nothing)
{
	int			constants;

	return pa_function_class(function, &constants) == PA_FUNCTION_REFUSED;
}

static bool
is_usable_column(const Var *column, const UsableContext *context)
{
	if (column->varattno <= 0 || (int) column->varlevelsup > context->depth)
		return false;
	return (int) column->varlevelsup < context->depth || (context->depth == 0 && column->varno == context->table);
}

static bool
is_unusable_walker(Node *node, UsableContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		const Query *query = (Query *) node;
		bool		found;

		if (query->cteList || query->setOperations || query->rowMarks || query->limitCount || query->limitOffset)
			return true;
		context->depth++;
		found = query_tree_walker((Query *) node, is_unusable_walker, context, QTW_EXAMINE_RTES_BEFORE);
		context->depth--;
		return found;
	}
	if (IsA(node, RangeTblEntry))
		return !is_usable_entry((RangeTblEntry *) node, context->owner);
	if (IsA(node, Var))
		return !is_usable_column((Var *) node, context);
	if (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_SUBLINK)
		return true;
	if (check_functions_in_node(node, is_refused, NULL))
		return true;
	return expression_tree_walker(node, is_unusable_walker, context);
}

/* What WHERE says of the table alone, in terms of a query over it. */
static List *
conditions_of(PaGuard *guard, const Query *around, int table, Oid owner)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) around->jointree->quals))
	{
		UsableContext context = {owner, table, 0};
		Node	   *condition = lfirst(cell);

		if (!contain_vars_of_level(condition, 0) || contain_mutable_functions(condition) || is_unusable_walker(condition, &context))
			continue;
		condition = pa_copy(guard, condition);
		ChangeVarNodes(condition, table, 1, 0);
		conditions = lappend(conditions, condition);
	}
	return conditions;
}

/* --- which keys --- */

/* The column outside that the key is equal to; NULL: it is not a column. */
static const Var *
column_outside(const PaKeyMatch *match)
{
	const Var  *outside = list_nth(match->test->args, 1 - match->side);

	return IsA(outside, Var) && outside->varlevelsup == 0 && outside->varattno > 0 ? outside : NULL;
}

/* Of the first protected table that the release reads; 0: there is none in its FROM. */
static Oid
owner_of_protected(const Query *release)
{
	ListCell   *cell;

	foreach(cell, release->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && OidIsValid(pa_protected_root(rte->relid)))
			return pa_table_owner(rte->relid);
	}
	return InvalidOid;
}

/* key = ANY value of the column of the subquery that is added for it */
static Node *
make_test(Query *release, const PaKeyMatch *match, Query *asked)
{
	OpExpr	   *test = copyObject(match->test);
	Var		   *column = copyObject(unconstify(Var *, column_outside(match)));
	Param	   *value = makeNode(Param);

	column->varno = column->varnosyn = 1;
	value->paramkind = PARAM_SUBLINK;
	value->paramid = pa_add_output(asked, (Node *) column)->resno;
	value->paramtype = column->vartype;
	value->paramtypmod = column->vartypmod;
	value->paramcollid = column->varcollid;
	value->location = -1;
	lfirst(list_nth_cell(test->args, 1 - match->side)) = value;
	lfirst(list_nth_cell(test->args, match->side)) = copyObject(get_tle_by_resno(release->targetList, match->key)->expr);
	if (match->side == 1)
		CommuteOpExpr(test);
	return (Node *) test;
}

/* Whether the test reads "key = value", as that of IN does, or can be written so. */
static bool
can_be_in(const PaKeyMatch *match)
{
	return match->side == 0 || OidIsValid(get_commutator(match->test->opno));
}

static void
leave_asked(Query *release, const Query *around, List *matches, int table, List *conditions)
{
	SubLink    *in = makeNode(SubLink);
	Query	   *asked = pa_query_over(copyObject(rt_fetch(table, around->rtable)));
	List	   *tests = NIL;
	ListCell   *cell;

	foreach(cell, matches)
		if (column_outside(lfirst(cell)) && (int) column_outside(lfirst(cell))->varno == table && can_be_in(lfirst(cell)))
			tests = lappend(tests, make_test(release, lfirst(cell), asked));
	if (tests == NIL)
		return;
	asked->jointree->quals = (Node *) make_ands_explicit(conditions);
	asked->hasSubLinks = checkExprHasSubLink(asked->jointree->quals);
	in->subLinkType = ANY_SUBLINK;
	in->testexpr = (Node *) make_ands_explicit(tests);
	in->operName = list_make1(makeString("="));
	in->subselect = (Node *) asked;
	in->location = -1;
	release->jointree->quals = (Node *) make_ands_explicit(lappend(make_ands_implicit((Expr *) release->jointree->quals), in));
	release->hasSubLinks = true;
}

void
pa_leave_asked_keys(PaGuard *guard, Query *release, const Query *around, List *matches)
{
	Oid			owner = owner_of_protected(release);
	Relids		seen = NULL;
	ListCell   *cell;

	foreach(cell, matches)
	{
		const Var  *column = column_outside(lfirst(cell));
		List	   *conditions;

		if (column == NULL || bms_is_member(column->varno, seen))
			continue;
		seen = bms_add_member(seen, column->varno);
		if (!is_usable_entry(rt_fetch(column->varno, around->rtable), owner))
			continue;
		conditions = conditions_of(guard, around, column->varno, owner);
		if (conditions != NIL)
			leave_asked(release, around, matches, column->varno, conditions);
	}
}
