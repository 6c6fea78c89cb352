/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.c
 *		See inputs.h.
 *
 * A subquery in FROM becomes a reference to its WITH query.  A subquery that is a value
 * becomes a column of its only row, by a left join with it:
 *
 *	 x > (SELECT avg(y) FROM t)		FROM ... LEFT JOIN r ON true WHERE x > r.value
 *
 * and if it was correlated by equalities, one of the row of the group (decorrelate.c).
 *
 * References are known by the name of the WITH query, which is unique; the levels that
 * PostgreSQL counts them by are written down last, for queries move meanwhile.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "descend.h"
#include "guard/decorrelate.h"
#include "guard/inputs.h"
#include "guard/scalar.h"
#include "leaf_tag.h"

/* --- which --- */

static PaBlockInput *
input_named(const PaGuard *guard, const char *name)
{
	ListCell   *cell;

	foreach(cell, guard->inputs)
		if (strcmp(((PaBlockInput *) lfirst(cell))->name, name) == 0)
			return lfirst(cell);
	return NULL;
}

bool
pa_is_input(const PaGuard *guard, const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_CTE && input_named(guard, rte->ctename) != NULL;
}

int
pa_input_rows(const PaGuard *guard, const RangeTblEntry *rte, const Bitmapset *columns)
{
	const PaBlockInput *input = input_named(guard, rte->ctename);

	return input->keyed && bms_is_subset(input->keys, columns) ? 1 : 0;
}

bool
pa_reads_releases(const PaGuard *guard, const Query *query)
{
	ListCell   *cell;

	pa_descend();
	if (query->commandType != CMD_SELECT || pa_hands_up_rows(guard, query))
		return false;
	if (pa_reads_rows(guard, query))
		return true;
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (pa_is_input(guard, rte) || (rte->rtekind == RTE_SUBQUERY && pa_reads_releases(guard, rte->subquery)))
			return true;
	}
	return false;
}

/* --- how many of its rows agree --- */

/* The columns of the query that are these of its expressions, by reference; false if one is not shown. */
static bool
add_grouped_columns(const Query *query, List *clauses, Bitmapset **keys)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		const TargetEntry *entry = get_sortgroupclause_tle(lfirst(cell), query->targetList);

		if (entry->resjunk)
			return false;
		*keys = bms_add_member(*keys, entry->resno);
	}
	return true;
}

/* The columns of the query that are these columns of its only table; false if one is not shown. */
static bool
add_columns_above(const Query *query, Index rtindex, const Bitmapset *inner, Bitmapset **keys)
{
	int			column = -1;

	while ((column = bms_next_member(inner, column)) >= 0)
	{
		ListCell   *cell;
		AttrNumber	found = InvalidAttrNumber;

		foreach(cell, query->targetList)
		{
			const TargetEntry *entry = lfirst(cell);
			const Var  *var = (const Var *) entry->expr;

			if (!entry->resjunk && IsA(var, Var) && var->varlevelsup == 0 && var->varno == rtindex && var->varattno == column)
				found = entry->resno;
		}
		if (found == InvalidAttrNumber)
			return false;
		*keys = bms_add_member(*keys, found);
	}
	return true;
}

static bool
limits_to_one_row(const Query *query)
{
	const Const *limit = (const Const *) eval_const_expressions(NULL, query->limitCount);

	return limit && IsA(limit, Const) && !limit->constisnull && query->limitOption == LIMIT_OPTION_COUNT &&
		DatumGetInt64(limit->constvalue) <= 1;
}

/*
 * Columns that no two rows of the query agree in, if it is known that there are such:
 * those it is grouped by, or those of the only thing that it reads.  None at all: it has one
 * row at most.
 */
static bool
find_keys(const PaGuard *guard, const Query *query, Bitmapset **keys)
{
	const RangeTblRef *reference;
	const RangeTblEntry *rte;
	Bitmapset  *inner = NULL;

	pa_descend();
	if (limits_to_one_row(query))
		return true;
	if (query->setOperations || query->groupingSets || query->hasTargetSRFs)
		return false;
	if (query->groupClause || query->hasAggs)
		return add_grouped_columns(query, query->groupClause, keys);
	if (query->jointree == NULL || list_length(query->jointree->fromlist) != 1)
		return false;
	reference = linitial(query->jointree->fromlist);
	if (!IsA(reference, RangeTblRef))
		return false;
	rte = rt_fetch(reference->rtindex, query->rtable);
	if (rte->rtekind == RTE_CTE && input_named(guard, rte->ctename) && input_named(guard, rte->ctename)->keyed)
		inner = input_named(guard, rte->ctename)->keys;
	else if (rte->rtekind != RTE_SUBQUERY || !find_keys(guard, rte->subquery, &inner))
		return false;
	return add_columns_above(query, reference->rtindex, inner, keys);
}

/* --- names --- */

typedef struct NameContext
{
	const char *name;
	int			count;
} NameContext;

static bool
count_named_walker(Node *node, NameContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, count_named_walker, context, 0);
	if (IsA(node, CommonTableExpr))
		context->count += strcmp(((CommonTableExpr *) node)->ctename, context->name) == 0;
	return expression_tree_walker(node, count_named_walker, context);
}

static int
count_named(const PaGuard *guard, const char *name)
{
	NameContext context = {name, 0};

	(void) count_named_walker((Node *) guard->statement, &context);
	return context.count;
}

/* Of no other WITH query in the statement. */
static char *
new_name(const PaGuard *guard, const char *prefix)
{
	for (int i = 1;; i++)
	{
		char	   *name = psprintf("%s %d", prefix, i);

		CHECK_FOR_INTERRUPTS();
		if (count_named(guard, name) == 0)
			return name;
	}
}

typedef struct RenameContext
{
	const char *from;
	char	   *to;
	int			level;			/* queries between the reference and the WITH */
} RenameContext;

static bool
rename_walker(Node *node, RenameContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		context->level++;
		query_tree_walker((Query *) node, rename_walker, context, QTW_EXAMINE_RTES_BEFORE);
		context->level--;
		return false;
	}
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_CTE && (int) rte->ctelevelsup == context->level && strcmp(rte->ctename, context->from) == 0)
			rte->ctename = context->to;
		return false;
	}
	return expression_tree_walker(node, rename_walker, context);
}

static void
rename_cte(Query *holder, CommonTableExpr *cte, char *name)
{
	RenameContext context = {cte->ctename, name, 0};

	query_tree_walker(holder, rename_walker, &context, QTW_EXAMINE_RTES_BEFORE);
	cte->ctename = name;
}

/* --- WITH queries --- */

static PaBlockInput *
register_input(PaGuard *guard, CommonTableExpr *cte)
{
	PaBlockInput    *input = palloc0(sizeof(PaBlockInput));
	Query	   *query = castNode(Query, cte->ctequery);

	input->name = cte->ctename;
	input->query = query;
	input->keyed = find_keys(guard, query, &input->keys);
	guard->inputs = lappend(guard->inputs, input);
	return input;
}

/* Whether there is a release in what was rewritten. */
static bool
has_releases_walker(Node *node, PaGuard *guard)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return pa_is_leaf((Query *) node) ||
			query_tree_walker((Query *) node, has_releases_walker, guard, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
		return pa_is_input(guard, (RangeTblEntry *) node);
	return expression_tree_walker(node, has_releases_walker, guard);
}

void
pa_note_input(PaGuard *guard, Query *holder, CommonTableExpr *cte)
{
	if (cte->cterecursive || castNode(Query, cte->ctequery)->commandType != CMD_SELECT ||
		!has_releases_walker(cte->ctequery, guard))
		return;
	if (count_named(guard, cte->ctename) > 1)
		rename_cte(holder, cte, new_name(guard, cte->ctename));
	(void) register_input(guard, cte);
}

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
query_over(const PaBlockInput *input, AttrNumber number)
{
	Query	   *query = makeNode(Query);
	RangeTblRef *reference = makeNode(RangeTblRef);
	ListCell   *cell;

	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->rtable = list_make1(entry_of(input));
	reference->rtindex = 1;
	query->jointree = makeFromExpr(list_make1(reference), NULL);
	query->stmt_location = -1;
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
	cte->ctename = new_name(context->guard, "release");
	cte->ctequery = (Node *) subquery;
	cte->ctematerialized = CTEMaterializeAlways;
	cte->location = -1;
	context->holder->cteList = list_insert_nth(context->holder->cteList, (*context->position)++, cte);
	pa_rewrite_query(context->guard, subquery);
	return register_input(context->guard, cte);
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
	const PaBlockInput *input = take(context, subquery);

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
		sublink->subselect = (Node *) query_over(take(context, subquery), InvalidAttrNumber);
		return;
	}
	inside.query = subquery;
	inside.depth++;
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
uses_release_walker(Node *node, const PaGuard *guard)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && is_release(guard, (SubLink *) node))
		return true;
	return expression_tree_walker(node, uses_release_walker, unconstify(PaGuard *, guard));
}

/*
 * The condition of an inner join that has a release as a value is one of WHERE, where it
 * can be joined; of an outer join it cannot.
 */
static void
lift_conditions(TakeContext *context, Node *node, bool below_outer)
{
	ListCell   *cell;

	pa_descend();
	if (IsA(node, FromExpr))
		foreach(cell, ((FromExpr *) node)->fromlist)
			lift_conditions(context, lfirst(cell), below_outer);
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		bool		outer = below_outer || join->jointype != JOIN_INNER;

		lift_conditions(context, join->larg, outer);
		lift_conditions(context, join->rarg, outer);
		if (!uses_release_walker(join->quals, context->guard))
		{
			join->quals = take_mutator(join->quals, context);
			return;
		}
		if (outer)
			pa_refuse(context->guard, exprLocation(join->quals), "The condition of an outer join has a subquery.",
					  "Put the subquery into WHERE, or into a subquery in FROM.");
		context->query->jointree->quals = make_and_qual(context->query->jointree->quals, join->quals);
		join->quals = NULL;
	}
}

static void
take_from_tables(TakeContext *context)
{
	Query	   *query = context->query;
	Relids		members = get_relids_in_jointree((Node *) query->jointree, false);
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
	lift_conditions(context, (Node *) query->jointree, false);
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
pa_take_inputs(PaGuard *guard, Query *holder, int *position, Query *query, int depth)
{
	TakeContext context = {guard, holder, position, query, depth};

	take_from_query(&context);
}

/* --- correlated values of queries that read no rows --- */

/* (SELECT value FROM release WHERE key = what is outside) */
static void
decorrelate(TakeContext *context, SubLink *sublink)
{
	List	   *matches = pa_take_matches(context->guard, sublink);
	const PaBlockInput *input = take(context, castNode(Query, sublink->subselect));
	Query	   *query = query_over(input, value_column(input->query));
	ListCell   *cell;

	foreach(cell, matches)
		IncrementVarSublevelsUp((Node *) ((PaKeyMatch *) lfirst(cell))->test, 1, 0);
	query->jointree->quals = match_keys(input, 1, matches);
	sublink->subselect = (Node *) query;
}

static bool
decorrelate_walker(Node *node, TakeContext *context)
{
	pa_descend();
	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink))
	{
		SubLink    *sublink = (SubLink *) node;
		const Query *subquery = castNode(Query, sublink->subselect);

		if (is_release(context->guard, sublink) && pa_reads_rows(context->guard, subquery) && pa_refers_outside(subquery))
			decorrelate(context, sublink);
	}
	return expression_tree_walker(node, decorrelate_walker, context);
}

void
pa_decorrelate(PaGuard *guard, Query *query)
{
	int			position = list_length(query->cteList);
	TakeContext context = {guard, query, &position, query, 0};

	if (query->hasSubLinks)
		(void) query_tree_walker(query, decorrelate_walker, &context, QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_CTE_SUBQUERIES);
}

/* --- levels --- */

typedef struct SettleContext
{
	PaGuard    *guard;
	List	   *around;			/* Query, the innermost first */
	bool		in_leaf;
} SettleContext;

static CommonTableExpr *
cte_of(const Query *query, const char *name)
{
	ListCell   *cell;

	foreach(cell, query->cteList)
		if (strcmp(((CommonTableExpr *) lfirst(cell))->ctename, name) == 0)
			return lfirst(cell);
	return NULL;
}

/* The number of the query, from the innermost one, that has the WITH query. */
static int
level_of(List *around, const char *name)
{
	ListCell   *cell;

	foreach(cell, around)
		if (cte_of(lfirst(cell), name))
			return foreach_current_index(cell);
	elog(ERROR, "release \"%s\" is not in reach", name);
	return 0;
}

/* What a WITH query depends on: rows of queries around it, by itself or by other WITH queries. */
typedef struct DependContext
{
	const PaGuard *guard;
	List	   *around;			/* Query, the innermost first */
	int			depth;			/* of them stand below its holder */
} DependContext;

static bool depends_on_rows(const PaGuard *guard, List *around, const char *name);

static bool
depends_walker(Node *node, DependContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		DependContext inside = {context->guard, lcons(node, list_copy(context->around)), context->depth + 1};

		return query_tree_walker((Query *) node, depends_walker, &inside, QTW_EXAMINE_RTES_BEFORE);
	}
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;
		int			level;

		if (rte->rtekind != RTE_CTE || rte->self_reference)
			return false;
		level = pa_is_input(context->guard, rte) ? level_of(context->around, rte->ctename) : (int) rte->ctelevelsup;
		return level >= context->depth && depends_on_rows(context->guard, list_copy_tail(context->around, level), rte->ctename);
	}
	return expression_tree_walker(node, depends_walker, context);
}

/* Of the WITH query of the first of the queries. */
static bool
depends_on_rows(const PaGuard *guard, List *around, const char *name)
{
	CommonTableExpr *cte = cte_of(linitial(around), name);
	DependContext context = {guard, around, 0};

	return pa_refers_outside(castNode(Query, cte->ctequery)) || depends_walker(cte->ctequery, &context);
}

/* What a block reads is computed once, and never written in place of the reference. */
static void
settle(SettleContext *context, RangeTblEntry *rte)
{
	int			level = level_of(context->around, rte->ctename);
	List	   *around = list_copy_tail(context->around, level);
	CommonTableExpr *cte = cte_of(linitial(around), rte->ctename);

	rte->ctelevelsup = level;
	cte->cterefcount = Max(cte->cterefcount, 1);
	if (!context->in_leaf)
		return;
	cte->ctematerialized = CTEMaterializeAlways;
	if (depends_on_rows(context->guard, around, cte->ctename))
		pa_refuse(context->guard, cte->location, "A release that a block reads depends on a row of a query around the block.",
				  "Leave what depends on it to the query around, which can use the results of blocks.");
}

static bool
settle_walker(Node *node, SettleContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		SettleContext inside = {context->guard, lcons(node, list_copy(context->around)), context->in_leaf || pa_is_leaf((Query *) node)};

		return query_tree_walker((Query *) node, settle_walker, &inside, QTW_EXAMINE_RTES_BEFORE);
	}
	if (IsA(node, RangeTblEntry))
	{
		if (pa_is_input(context->guard, (RangeTblEntry *) node))
			settle(context, (RangeTblEntry *) node);
		return false;
	}
	return expression_tree_walker(node, settle_walker, context);
}

void
pa_settle_inputs(PaGuard *guard, Query *statement)
{
	SettleContext context = {guard, NIL, false};

	if (guard->inputs != NIL)
		(void) settle_walker((Node *) statement, &context);
}
