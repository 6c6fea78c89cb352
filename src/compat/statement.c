/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statement.c
 *		See statement.h.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat/permissions.h"
#include "compat/pull_up.h"
#include "compat/statement.h"
#include "descend.h"
#include "leaf_tag.h"

#if PG_VERSION_NUM >= 160000

/* --- keys of groupings --- */

#if PG_VERSION_NUM >= 180000

static bool
is_grouping(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_GROUP;
}

typedef struct Locating
{
	const List *keys;
	Index		rtindex;
	Index		level;
} Locating;

/* A key that is named again stands, for messages, where it was first. */
static bool
locate_walker(Node *node, Locating *locating)
{
	Var		   *column = (Var *) node;
	bool		stop;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var) && column->varlevelsup == locating->level && column->varno == locating->rtindex && column->location < 0)
		column->location = exprLocation(list_nth(locating->keys, column->varattno - 1));
	if (!IsA(node, Query))
		return expression_tree_walker(node, locate_walker, locating);
	locating->level++;
	stop = query_tree_walker((Query *) node, locate_walker, locating, 0);
	locating->level--;
	return stop;
}

static void
locate_keys(Query *query)
{
	Locating	locating = {NIL};
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		locating.rtindex++;
		if (!is_grouping(lfirst(cell)))
			continue;
		locating.keys = lfirst_node(RangeTblEntry, cell)->groupexprs;
		(void) locate_walker((Node *) query->targetList, &locating);
		(void) locate_walker(query->havingQual, &locating);
	}
}

/* The parser puts the entry at the end.  Without it FROM reads as if nothing were grouped. */
static void
drop_keys(Query *query)
{
	ListCell   *cell;

	if (is_grouping(llast(query->rtable)))
		query->rtable = list_delete_last(query->rtable);
	foreach(cell, query->rtable)
		if (is_grouping(lfirst(cell)))
		{
			RangeTblEntry *rte = lfirst(cell);

			rte->rtekind = RTE_RESULT;
			rte->groupexprs = NIL;
		}
}

static void
write_keys(Query *query)
{
	if (!query->hasGroupRTE)
		return;
	locate_keys(query);
	query->targetList = (List *) flatten_group_exprs(NULL, query, (Node *) query->targetList);
	query->havingQual = flatten_group_exprs(NULL, query, query->havingQual);
	query->hasGroupRTE = false;
	drop_keys(query);
}

typedef struct Naming
{
	List	   *keys;
	Index		rtindex;
	Index		level;
} Naming;

/* The number of the key, from 1, that the expression is, seen from a subquery; 0: none. */
static int
key_number(Node *node, const Naming *naming)
{
	ListCell   *cell;

	foreach(cell, naming->keys)
	{
		Node	   *key = copyObject(lfirst(cell));

		IncrementVarSublevelsUp(key, naming->level, 0);
		if (equal(key, node))
			return foreach_current_index(cell) + 1;
	}
	return 0;
}

/* Grouping sets may make it null, as an outer join makes columns null: what is asked of it is not asked of rows. */
static Var *
make_key(const Naming *naming, int key, const Node *expression)
{
	Var		   *column = makeVar(naming->rtindex, key, exprType(expression), exprTypmod(expression),
								 exprCollation(expression), naming->level);

	column->varnullingrels = bms_make_singleton(naming->rtindex);
	return column;
}

/* What aggregates and GROUPING are about is seen before the grouping. */
static Node *
name_mutator(Node *node, Naming *naming)
{
	int			key;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == naming->level)
	{
		Aggref	   *call = copyObject((Aggref *) node);

		call->aggdirectargs = (List *) name_mutator((Node *) call->aggdirectargs, naming);
		return (Node *) call;
	}
	if (IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup == naming->level)
		return copyObject(node);
	if (IsA(node, Query))
	{
		Query	   *query;

		naming->level++;
		query = query_tree_mutator((Query *) node, name_mutator, naming, 0);
		naming->level--;
		return (Node *) query;
	}
	key = IsA(node, List) || IsA(node, TargetEntry) ? 0 : key_number(node, naming);
	if (key > 0)
		return (Node *) make_key(naming, key, node);
	return expression_tree_mutator(node, name_mutator, naming);
}

/* With grouping sets a key may be null where its expression is not; of a release (a leaf) the keys are columns. */
static void
name_keys(Query *query)
{
	RangeTblEntry *rte;
	Naming		naming = {NIL};
	ListCell   *cell;

	if (query->groupingSets == NIL || query->groupClause == NIL || pa_is_leaf(query))
		return;
	rte = makeNode(RangeTblEntry);
	rte->rtekind = RTE_GROUP;
	rte->eref = makeAlias("*GROUP*", NIL);
	foreach(cell, query->groupClause)
	{
		TargetEntry *entry = get_sortgroupclause_tle(lfirst(cell), query->targetList);

		rte->eref->colnames = lappend(rte->eref->colnames, makeString(entry->resname ? entry->resname : "?column?"));
		naming.keys = lappend(naming.keys, entry->expr);
	}
	rte->groupexprs = copyObject(naming.keys);
	query->rtable = lappend(query->rtable, rte);
	naming.rtindex = list_length(query->rtable);
	query->hasGroupRTE = true;
	query->targetList = (List *) name_mutator((Node *) query->targetList, &naming);
	query->havingQual = name_mutator(query->havingQual, &naming);
}

#else

static bool
is_grouping(const RangeTblEntry *rte)
{
	return false;
}

static void
write_keys(Query *query)
{
}

static void
name_keys(Query *query)
{
}

#endif

/* --- columns without marks --- */

typedef struct Opening
{
	const Query *query;			/* in which columns of level 0 are */
	struct Opening *around;
} Opening;

static bool
is_key(const Opening *opening, const Var *column)
{
	for (Index level = column->varlevelsup; level > 0 && opening; level--)
		opening = opening->around;
	return opening && column->varno > 0 && column->varno <= list_length(opening->query->rtable) &&
		is_grouping(rt_fetch(column->varno, opening->query->rtable));
}

static bool
open_walker(Node *node, Opening *around)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Opening		opening = {(Query *) node, around};

		write_keys((Query *) node);
		return query_tree_walker((Query *) node, open_walker, &opening, 0);
	}
	if (IsA(node, Var) && !is_key(around, (Var *) node))
		((Var *) node)->varnullingrels = NULL;
	return expression_tree_walker(node, open_walker, around);
}

void
pa_open_statement(Query *query)
{
	(void) open_walker((Node *) query, NULL);
}

/* --- columns with marks --- */

/*
 * A place in a query.  A column that is named there has been made null by the outer joins that
 * make its table null, but for those that the place itself is in: in the condition of a
 * join, or in a table that it joins, it is seen as it comes out of what is below.
 */
typedef struct Place
{
	List	   *rtable;			/* of its query */
	struct Place *around;		/* of the query in the one around it */
	Relids	   *nulled;			/* for each entry, the outer joins that make it null */
	Relids	   *above;			/* ... and all that it is in */
	int			entries;
	Relids		within;			/* joins that the place is in */
} Place;

static void mark_query(Query *query, Place *around);

static Node *
mark_mutator(Node *node, Place *place)
{
	const Place *home = place;
	Var		   *column;

	pa_descend();
	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		Query	   *query = copyObject((Query *) node);

		mark_query(query, place);
		return (Node *) query;
	}
	if (!IsA(node, Var))
		return expression_tree_mutator(node, mark_mutator, place);
	column = copyObject((Var *) node);
	for (Index level = column->varlevelsup; level > 0 && home; level--)
		home = home->around;
	if (home && column->varno > 0 && column->varno <= home->entries && !is_grouping(rt_fetch(column->varno, home->rtable)))
		column->varnullingrels = bms_difference(home->nulled[column->varno], home->within);
	return (Node *) column;
}

/* Those that the guard has made have no number, and copies have one in common. */
static void
number_joins(Query *query, Node *from, Bitmapset **seen)
{
	JoinExpr   *join = (JoinExpr *) from;
	ListCell   *cell;

	pa_descend();
	if (IsA(from, FromExpr))
		foreach(cell, ((FromExpr *) from)->fromlist)
			number_joins(query, lfirst(cell), seen);
	if (!IsA(from, JoinExpr))
		return;
	number_joins(query, join->larg, seen);
	number_joins(query, join->rarg, seen);
	if (join->rtindex == 0 && !IS_OUTER_JOIN(join->jointype))
		return;
	if (join->rtindex == 0 || bms_is_member(join->rtindex, *seen))
	{
		RangeTblEntry *rte = makeNode(RangeTblEntry);

		rte->rtekind = RTE_JOIN;
		rte->eref = makeAlias("join", NIL);
		query->rtable = lappend(query->rtable, rte);
		join->rtindex = list_length(query->rtable);
	}
	rt_fetch(join->rtindex, query->rtable)->jointype = join->jointype;
	*seen = bms_add_member(*seen, join->rtindex);
}

static Relids
with_join(Relids joins, const JoinExpr *join, bool added)
{
	return added && join->rtindex > 0 ? bms_add_member(bms_copy(joins), join->rtindex) : joins;
}

static void
look_at_joins(Place *place, Node *from, Relids nulled, Relids above)
{
	JoinExpr   *join = (JoinExpr *) from;
	JoinType	type;
	ListCell   *cell;

	pa_descend();
	if (IsA(from, RangeTblRef))
	{
		place->nulled[((RangeTblRef *) from)->rtindex] = nulled;
		place->above[((RangeTblRef *) from)->rtindex] = above;
		return;
	}
	if (IsA(from, FromExpr))
	{
		foreach(cell, ((FromExpr *) from)->fromlist)
			look_at_joins(place, lfirst(cell), nulled, above);
		return;
	}
	type = castNode(JoinExpr, from)->jointype;
	place->nulled[join->rtindex] = nulled;
	place->above[join->rtindex] = above;
	above = with_join(above, join, true);
	look_at_joins(place, join->larg, with_join(nulled, join, type == JOIN_RIGHT || type == JOIN_FULL), above);
	look_at_joins(place, join->rarg, with_join(nulled, join, type == JOIN_LEFT || type == JOIN_FULL), above);
}

static void
mark_conditions(Place *place, Node *from, Relids within)
{
	JoinExpr   *join = (JoinExpr *) from;
	ListCell   *cell;

	pa_descend();
	if (IsA(from, FromExpr))
	{
		foreach(cell, ((FromExpr *) from)->fromlist)
			mark_conditions(place, lfirst(cell), within);
		place->within = within;
		((FromExpr *) from)->quals = mark_mutator(((FromExpr *) from)->quals, place);
	}
	else if (IsA(from, JoinExpr))
	{
		within = with_join(within, join, true);
		mark_conditions(place, join->larg, within);
		mark_conditions(place, join->rarg, within);
		place->within = within;
		join->quals = mark_mutator(join->quals, place);
	}
}

static void
mark_entry(Place *place, RangeTblEntry *rte)
{
	if (rte->subquery)
		mark_query(rte->subquery, place);
	rte->joinaliasvars = (List *) mark_mutator((Node *) rte->joinaliasvars, place);
	rte->functions = (List *) mark_mutator((Node *) rte->functions, place);
	rte->tablefunc = (TableFunc *) mark_mutator((Node *) rte->tablefunc, place);
	rte->values_lists = (List *) mark_mutator((Node *) rte->values_lists, place);
	rte->tablesample = (TableSampleClause *) mark_mutator((Node *) rte->tablesample, place);
	rte->securityQuals = (List *) mark_mutator((Node *) rte->securityQuals, place);
#if PG_VERSION_NUM >= 180000
	rte->groupexprs = (List *) mark_mutator((Node *) rte->groupexprs, place);
#endif
}

static void
mark_query(Query *query, Place *around)
{
	Place		place = {.around = around};
	FromExpr   *from;
	Bitmapset  *seen = NULL;
	int			rtindex = 0;
	ListCell   *cell;

	pa_descend();
	if (query->groupingSets && pa_is_leaf(query))
		pa_set_rows_apart(query);
	from = query->jointree;
	name_keys(query);
	if (from)
		number_joins(query, (Node *) from, &seen);
	place.rtable = query->rtable;
	place.entries = list_length(query->rtable);
	place.nulled = palloc0(sizeof(Relids) * (place.entries + 1));
	place.above = palloc0(sizeof(Relids) * (place.entries + 1));
	if (from)
	{
		look_at_joins(&place, (Node *) from, NULL, NULL);
		mark_conditions(&place, (Node *) from, NULL);
	}
	foreach(cell, query->rtable)
	{
		place.within = place.above[++rtindex];
		mark_entry(&place, lfirst(cell));
	}
	place.within = NULL;
	query->jointree = NULL;		/* they are done */
	query->rtable = NIL;
	(void) query_tree_mutator(query, mark_mutator, &place, QTW_DONT_COPY_QUERY);
	query->jointree = from;
	query->rtable = place.rtable;
}

void
pa_close_statement(Query *query)
{
	mark_query(query, NULL);
}

#else

void
pa_open_statement(Query *query)
{
}

void
pa_close_statement(Query *query)
{
}

#endif

Node *
pa_key_of_grouping(const RangeTblEntry *rte, AttrNumber key)
{
#if PG_VERSION_NUM >= 180000
	if (is_grouping(rte))
		return list_nth(rte->groupexprs, key - 1);
#endif
	return NULL;
}
