/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * take_inputs.c
 *		Queries in a block that read releases become its inputs.
 *
 * A subquery in FROM becomes a reference to its WITH query.  A subquery that is a value
 * becomes a column of its only row, by a left join with it:
 *
 *	 x > (SELECT avg(y) FROM t)		FROM ... LEFT JOIN r ON true WHERE x > r.value
 *
 * and if it was correlated by equalities, one of the row of the group (decorrelate.c).
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat/planner.h"
#include "descend.h"
#include "guard/asked_keys.h"
#include "guard/decorrelate.h"
#include "guard/inputs.h"
#include "guard/make_query.h"
#include "guard/scalar.h"
#include "guard/take_inputs.h"

/* --- references --- */

static void
refer_to(RangeTblEntry *rte, const PaBlockInput *input)
{
	ListCell   *cell;

	rte->rtekind = RTE_CTE;
	rte->subquery = NULL;
	rte->security_barrier = false;
	rte->lateral = false;
	rte->ctename = pstrdup(input->name);
	rte->ctelevelsup = 0;
	rte->self_reference = false;
	rte->coltypes = rte->coltypmods = rte->colcollations = NIL;
	foreach(cell, input->query->targetList)
	{
		const TargetEntry *entry = lfirst(cell);
		Node	   *column = (Node *) entry->expr;

		if (entry->resjunk)
			continue;
		rte->coltypes = lappend_oid(rte->coltypes, exprType(column));
		rte->coltypmods = lappend_int(rte->coltypmods, exprTypmod(column));
		rte->colcollations = lappend_oid(rte->colcollations, exprCollation(column));
	}
}

static RangeTblEntry *
entry_of(const PaBlockInput *input)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	ListCell   *cell;

	rte->eref = makeAlias(input->name, NIL);
	foreach(cell, input->query->targetList)
	{
		const TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk)
			rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(entry->resname ? entry->resname : "value")));
	}
	rte->inFromCl = true;
	refer_to(rte, input);
	return rte;
}

static Var *
column_of(const PaBlockInput *input, int rtindex, AttrNumber number)
{
	Node	   *expression = (Node *) get_tle_by_resno(input->query->targetList, number)->expr;

	return makeVar(rtindex, number, exprType(expression), exprTypmod(expression), exprCollation(expression), 0);
}

/* SELECT all columns, or that of the number alone, FROM the input. */
static Query *
columns_of(const PaBlockInput *input, AttrNumber number)
{
	Query	   *query = pa_query_over(entry_of(input));
	ListCell   *cell;

	foreach(cell, input->query->targetList)
	{
		const TargetEntry *entry = lfirst(cell);

		if (!entry->resjunk && (number == InvalidAttrNumber || entry->resno == number))
			query->targetList = lappend(query->targetList,
										makeTargetEntry((Expr *) column_of(input, 1, entry->resno), list_length(query->targetList) + 1,
														pstrdup(entry->resname ? entry->resname : "value"), false));
	}
	return query;
}

/* --- taking --- */

typedef struct TakeContext
{
	PaGuard    *guard;
	Query	   *holder;			/* whose WITH queries inputs become, */
	int		   *position;		/* at this place of the list */
	Query	   *query;			/* that they stand in, */
	int			depth;			/* so many levels below the holder */
	PaRewrite	rewrite;		/* what is done with a query that was taken */
	bool		kept;			/* what is looked at is computed of rows that WHERE keeps, or is WHERE */
	bool		total;			/* the query is a part of a block */
} TakeContext;

static void take_from_query(TakeContext *context);

typedef struct BetweenContext
{
	const PaGuard *guard;
	int			levels;			/* queries between the one that is taken and its holder */
	int			depth;			/* queries from here to the one that is taken */
} BetweenContext;

/* Whether something is referred to that would be out of reach in the WITH list of the holder. */
static bool
refers_between_walker(Node *node, BetweenContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool		found;

		context->depth++;
		found = query_tree_walker((Query *) node, refers_between_walker, context, QTW_EXAMINE_RTES_BEFORE);
		context->depth--;
		return found;
	}
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;

		return rte->rtekind == RTE_CTE && !pa_is_input(context->guard, rte) && (int) rte->ctelevelsup >= context->depth &&
			(int) rte->ctelevelsup < context->depth + context->levels;
	}
	return expression_tree_walker(node, refers_between_walker, context);
}

/* A query that refers to no row outside becomes a WITH query. */
static const PaBlockInput *
take(TakeContext *context, Query *subquery)
{
	CommonTableExpr *cte = makeNode(CommonTableExpr);
	BetweenContext between = {context->guard, context->depth, 0};

	if (refers_between_walker((Node *) subquery, &between))
		pa_refuse(context->guard, pa_location_of_query(subquery),
				  "A release in a block reads a WITH query of a subquery of the block.",
				  "Write the WITH query before the SELECT of the block.");
	if (context->depth > 0)
		IncrementVarSublevelsUp((Node *) subquery, -context->depth, 1);
	cte->ctename = pa_new_input_name(context->guard, "release");
	cte->ctequery = (Node *) subquery;
	cte->ctematerialized = CTEMaterializeAlways;
	cte->location = -1;
	context->holder->cteList = list_insert_nth(context->holder->cteList, (*context->position)++, cte);
	context->rewrite(context->guard, subquery);
	return pa_register_input(context->guard, cte);
}

static AttrNumber
value_column(const Query *query)
{
	return linitial_node(TargetEntry, query->targetList)->resno;
}

/* The comparisons of its keys with what they were compared with in the subquery, in terms of the query around it. */
static Node *
match_keys(const PaBlockInput *input, int rtindex, List *matches)
{
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, matches)
	{
		const PaKeyMatch *match = lfirst(cell);
		OpExpr	   *test = copyObject(match->test);
		ListCell   *side = list_nth_cell(test->args, match->side);

		lfirst(side) = column_of(input, rtindex, match->key);
		conditions = lappend(conditions, test);
	}
	return conditions == NIL ? NULL : (Node *) make_ands_explicit(conditions);
}

/* FROM what the query reads LEFT JOIN the input ON its keys; the number of the input. */
static int
join_input(Query *query, const PaBlockInput *input, List *matches)
{
	RangeTblRef *reference = makeNode(RangeTblRef);
	JoinExpr   *join = makeNode(JoinExpr);
	List	   *from = query->jointree->fromlist;

	query->rtable = lappend(query->rtable, entry_of(input));
	reference->rtindex = list_length(query->rtable);
	join->jointype = JOIN_LEFT;
	join->larg = list_length(from) == 1 ? linitial(from) : (Node *) makeFromExpr(from, NULL);
	join->rarg = (Node *) reference;
	join->quals = match_keys(input, reference->rtindex, matches);
	query->jointree->fromlist = list_make1(join);
	return reference->rtindex;
}

static void
require_one_row(const PaGuard *guard, const SubLink *sublink, const PaBlockInput *input)
{
	if (!input->keyed || !bms_is_empty(input->keys))
		pa_refuse(guard, sublink->location, "A release that a block uses as a value may have several rows.",
				  "Leave GROUP BY out, or join the release on all columns that it is grouped by.");
}

/* The subquery as a column of what the query reads. */
static Node *
take_value(TakeContext *context, SubLink *sublink)
{
	Query	   *subquery = castNode(Query, sublink->subselect);
	List	   *matches = pa_take_matches(context->guard, sublink);
	const PaBlockInput *input;

	if (context->kept)
		pa_note_asked_keys(context->guard, subquery, context->query, matches, context->total);
	input = take(context, subquery);
	if (matches == NIL)
		require_one_row(context->guard, sublink, input);
	return (Node *) column_of(input, join_input(context->query, input, matches), value_column(input->query));
}

/* x IN (S), EXISTS (S): of a release, or of rows that are joined with releases. */
static void
take_from_set(TakeContext *context, SubLink *sublink)
{
	Query	   *subquery = castNode(Query, sublink->subselect);
	TakeContext inside = *context;

	if (pa_reads_rows(context->guard, subquery) && pa_reads_releases(context->guard, subquery) &&
		!pa_refers_outside(subquery))
	{
		sublink->subselect = (Node *) columns_of(take(context, subquery), InvalidAttrNumber);
		return;
	}
	inside.query = subquery;
	inside.depth++;
	inside.kept = false;
	take_from_query(&inside);
}

/* A value of the owner of the row outside is none of a release. */
static bool
is_release(const PaGuard *guard, const SubLink *sublink)
{
	const Query *subquery = castNode(Query, sublink->subselect);

	return sublink->subLinkType == EXPR_SUBLINK && pa_reads_releases(guard, subquery) &&
		!(pa_refers_outside(subquery) && pa_is_related_by_owner(subquery));
}

static Node *
take_mutator(Node *node, TakeContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink))
	{
		SubLink    *sublink = (SubLink *) expression_tree_mutator(node, take_mutator, context);

		if (is_release(context->guard, sublink))
			return take_value(context, sublink);
		if (sublink->subLinkType == ANY_SUBLINK || sublink->subLinkType == EXISTS_SUBLINK)
			take_from_set(context, sublink);
		return (Node *) sublink;
	}
	return expression_tree_mutator(node, take_mutator, context);
}

/* Of a query that groups: what is outside of aggregates is computed of groups. */
static Node *
take_in_aggregates_mutator(Node *node, TakeContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == 0)
		return expression_tree_mutator(node, take_mutator, context);
	return expression_tree_mutator(node, take_in_aggregates_mutator, context);
}

static bool
uses_release(Node *node, void *guard)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && is_release(guard, (SubLink *) node))
		return true;
	return expression_tree_walker(node, uses_release, guard);
}

static void
take_in_conditions(TakeContext *context, Node *node)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, FromExpr))
		foreach(cell, ((FromExpr *) node)->fromlist)
			take_in_conditions(context, lfirst(cell));
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		take_in_conditions(context, join->larg);
		take_in_conditions(context, join->rarg);
		join->quals = take_mutator(join->quals, context);
	}
}

static void
take_from_tables(TakeContext *context)
{
	Query	   *query = context->query;
	Relids		members = pa_entries_below((Node *) query->jointree, false);
	int			member = -1;

	while ((member = bms_next_member(members, member)) >= 0)
	{
		RangeTblEntry *rte = rt_fetch(member, query->rtable);
		TakeContext inside = *context;

		if (rte->rtekind != RTE_SUBQUERY)
			continue;
		if (!pa_reads_releases(context->guard, rte->subquery))
		{
			inside.query = rte->subquery;
			inside.depth++;
			take_from_query(&inside);
		}
		else if (!pa_refers_outside(rte->subquery))
			refer_to(rte, take(context, rte->subquery));
	}
}

static void
take_from_query(TakeContext *context)
{
	Query	   *query = context->query;

	pa_descend();
	if (query->jointree == NULL)
		return;
	take_from_tables(context);
	if (!query->hasSubLinks)
		return;
	/* a release that is a value is joined with all that the query reads */
	pa_lift_conditions(context->guard, query, uses_release, context->guard);
	take_in_conditions(context, (Node *) query->jointree);
	context->kept = true;
	query->jointree->quals = take_mutator(query->jointree->quals, context);
	if (context->depth > 0 && !pa_groups_rows(query))
		query->targetList = (List *) take_mutator((Node *) query->targetList, context);
	else
	{
		query->targetList = (List *) take_in_aggregates_mutator((Node *) query->targetList, context);
		query->havingQual = take_in_aggregates_mutator(query->havingQual, context);
	}
}

void
pa_take_inputs(PaGuard *guard, Query *holder, int *position, Query *query, int depth, PaRewrite rewrite)
{
	TakeContext context = {guard, holder, position, query, depth, rewrite, false, true};

	take_from_query(&context);
}

/* --- correlated values of queries that read no rows --- */

/* (SELECT value FROM release WHERE key = what is outside) */
static void
decorrelate(TakeContext *context, SubLink *sublink)
{
	List	   *matches = pa_take_matches(context->guard, sublink);
	const PaBlockInput *input = take(context, castNode(Query, sublink->subselect));
	Query	   *query = columns_of(input, value_column(input->query));
	ListCell   *cell;

	foreach(cell, matches)
		IncrementVarSublevelsUp((Node *) ((PaKeyMatch *) lfirst(cell))->test, 1, 0);
	query->jointree->quals = match_keys(input, 1, matches);
	sublink->subselect = (Node *) query;
}

/* A block of the query's, which reads no rows itself, for each of its rows. */
static bool
is_correlated_block(const PaGuard *guard, const SubLink *sublink)
{
	const Query *subquery = castNode(Query, sublink->subselect);

	return is_release(guard, sublink) && pa_reads_rows(guard, subquery) && pa_refers_outside(subquery);
}

static bool
decorrelate_walker(Node *node, TakeContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && is_correlated_block(context->guard, (SubLink *) node))
		decorrelate(context, (SubLink *) node);
	return expression_tree_walker(node, decorrelate_walker, context);
}

void
pa_decorrelate(PaGuard *guard, Query *query, PaRewrite rewrite)
{
	int			position = list_length(query->cteList);
	TakeContext context = {guard, query, &position, query, 0, rewrite};

	if (query->hasSubLinks)
		(void) query_tree_walker(query, decorrelate_walker, &context, QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_CTE_SUBQUERIES);
}

static Node *
join_values_mutator(Node *node, TakeContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return node;
	if (IsA(node, SubLink) && is_correlated_block(context->guard, (SubLink *) node))
		return take_value(context, (SubLink *) node);
	return expression_tree_mutator(node, join_values_mutator, context);
}

void
pa_join_correlated(PaGuard *guard, Query *query, PaRewrite rewrite)
{
	int			position = list_length(query->cteList);
	TakeContext context = {guard, query, &position, query, 0, rewrite, true, false};

	if (!query->hasSubLinks || query->commandType != CMD_SELECT || query->jointree->fromlist == NIL)
		return;
	query->jointree->quals = join_values_mutator(query->jointree->quals, &context);
	if (!pa_groups_rows(query))
		query->targetList = (List *) join_values_mutator((Node *) query->targetList, &context);
}
