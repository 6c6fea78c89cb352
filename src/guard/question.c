/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * question.c
 *		What a block asks, so that the same question is known again (node/repeat.h).
 *
 * Two blocks are the same question if their leaves are the same tree, but for names and
 * places in the statement, and if what is the same for all rows and known only when they
 * are executed has the same values.  So a question is a hash of the tree, and a list of
 * expressions.  It is taken from the leaf before the planner sees it: prepared statements
 * ask the same whether their plans are custom or generic.
 *
 * A question that is not known again only costs what it costs.  Where it is not certain
 * that the tree says all, there is none.
 */
#include "postgres.h"

#include <sodium.h>

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "descend.h"
#include "leaf_tag.h"
#include "tree_text.h"
#include "compat/permissions.h"
#include "catalog/extension.h"
#include "catalog/public_table.h"
#include "guard/block_rules.h"
#include "guard/interval_call.h"

typedef struct Contents
{
	List	   *values;			/* expressions whose values are known at execution */
	bool		unclear;		/* the tree does not say all */
} Contents;

/* --- what is known at execution --- */

static bool
needs_row(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Param))
		return ((Param *) node)->paramkind != PARAM_EXTERN;
	if (IsA(node, Var) || IsA(node, Aggref) || IsA(node, GroupingFunc) || IsA(node, WindowFunc) || IsA(node, SubLink) ||
		IsA(node, Query) || IsA(node, CaseTestExpr) || IsA(node, CoerceToDomainValue) || IsA(node, SetToDefault))
		return true;
	return expression_tree_walker(node, needs_row, context);
}

static bool
has_parameter(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	return IsA(node, Param) || expression_tree_walker(node, has_parameter, context);
}

static bool
is_value(Node *node)
{
	return nodeTag(node) >= T_Var && nodeTag(node) <= T_NextValueExpr &&
		!needs_row(node, NULL) && !expression_returns_set(node);
}

/* Inputs are releases, whose rows the tree does not say; rows of a sample are others each time. */
static bool
is_clear(const RangeTblEntry *rte)
{
	return rte->tablesample == NULL &&
		(rte->rtekind == RTE_RELATION || rte->rtekind == RTE_SUBQUERY || rte->rtekind == RTE_JOIN ||
		 rte->rtekind == RTE_FUNCTION || rte->rtekind == RTE_VALUES || rte->rtekind == RTE_RESULT);
}

static bool
collect_walker(Node *node, Contents *contents)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		contents->unclear |= pa_is_leaf((Query *) node) || ((Query *) node)->cteList != NIL;
		return query_tree_walker((Query *) node, collect_walker, contents, QTW_EXAMINE_RTES_BEFORE);
	}
	if (IsA(node, RangeTblEntry))
	{
		contents->unclear |= !is_clear((RangeTblEntry *) node);
		return false;
	}
	/* the names of the columns of a row are part of its type */
	contents->unclear |= (IsA(node, Var) && ((Var *) node)->varattno == InvalidAttrNumber) ||
		(IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN && ((Param *) node)->paramkind != PARAM_SUBLINK);
	if (is_value(node))
	{
		if (has_parameter(node, NULL) || contain_mutable_functions(node))
			contents->values = list_append_unique(contents->values, node);
		return false;
	}
	return expression_tree_walker(node, collect_walker, contents);
}

/* What it does may be replaced, and the tree stays the same. */
static bool
is_of_others(Oid function, void *context)
{
	return function >= FirstNormalObjectId && !pa_is_own_function(function);
}

static bool
calls_others_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (check_functions_in_node(node, is_of_others, NULL))
		return true;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, calls_others_walker, context, 0);
	return expression_tree_walker(node, calls_others_walker, context);
}

/* A column of a query around the leaf. */
static bool
refers_outside_walker(Node *node, Index *level)
{
	bool		found;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup > *level;
	if (!IsA(node, Query))
		return expression_tree_walker(node, refers_outside_walker, level);
	(*level)++;
	found = query_tree_walker((Query *) node, refers_outside_walker, level, 0);
	(*level)--;
	return found;
}

static Contents
contents_of(Query *leaf)
{
	Contents	contents = {0};
	Index		level = 0;

	query_tree_walker(leaf, collect_walker, &contents, QTW_EXAMINE_RTES_BEFORE);
	contents.unclear |= leaf->cteList != NIL || contain_volatile_functions((Node *) leaf) ||
		query_tree_walker(leaf, calls_others_walker, NULL, 0) ||
		query_tree_walker(leaf, refers_outside_walker, &level, 0);
	return contents;
}

/* --- the tree --- */

static bool
forget_names_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		((RangeTblEntry *) node)->alias = NULL;
		((RangeTblEntry *) node)->eref = NULL;
		return false;
	}
	if (IsA(node, TargetEntry))
		((TargetEntry *) node)->resname = NULL;
	else if (IsA(node, JoinExpr))
		((JoinExpr *) node)->alias = ((JoinExpr *) node)->join_using_alias = NULL;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, forget_names_walker, context, QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, forget_names_walker, context);
}

/* How groups are sorted outside, which PostgreSQL writes down where they are made. */
static void
forget_order(Query *leaf)
{
	List	   *groups = NIL;
	ListCell   *cell;
	ListCell   *group;

	if (leaf->sortClause || leaf->distinctClause || leaf->windowClause || leaf->groupingSets)
		return;
	foreach(cell, leaf->targetList)
	{
		Index		number = lfirst_node(TargetEntry, cell)->ressortgroupref;

		groups = lappend(groups, number == 0 ? NULL : get_sortgroupref_clause_noerr(number, leaf->groupClause));
	}
	forboth(cell, leaf->targetList, group, groups)
	{
		SortGroupClause *clause = lfirst(group);

		lfirst_node(TargetEntry, cell)->ressortgroupref = clause ? foreach_current_index(cell) + 1 : 0;
		if (clause)
			*clause = (SortGroupClause) {T_SortGroupClause, .tleSortGroupRef = foreach_current_index(cell) + 1,.eqop = clause->eqop};
	}
}

/* Intervals are of what is asked anyway. */
static void
forget_intervals(Query *leaf)
{
	List	   *asked = NIL;
	ListCell   *cell;

	foreach(cell, leaf->targetList)
	{
		TargetEntry *entry = lfirst(cell);

		if (pa_shows_interval(entry))
			continue;
		asked = lappend(asked, entry);
		entry->resno = list_length(asked);
	}
	leaf->targetList = asked;
}

static char *
text_of(const Query *leaf)
{
	Query	   *copy = copyObject(unconstify(Query *, leaf));

	forget_intervals(copy);
	query_tree_walker(copy, forget_names_walker, NULL, QTW_EXAMINE_RTES_BEFORE);
	forget_order(copy);
	return pa_tree_text(copy);
}

/* --- its parts --- */

/* Which columns are read is no part of whose rows are. */
static bool
forget_columns_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		pa_forget_read_columns((RangeTblEntry *) node);
		return false;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, forget_columns_walker, context, QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, forget_columns_walker, context);
}

/* The leaf and the values, for node/asked.c. */
static char *
parts_of(const Query *leaf, List *values)
{
	Query	   *copy = copyObject(unconstify(Query *, leaf));

	query_tree_walker(copy, forget_names_walker, NULL, QTW_EXAMINE_RTES_BEFORE);
	query_tree_walker(copy, forget_columns_walker, NULL, QTW_EXAMINE_RTES_BEFORE);
	return nodeToString(list_make2(copy, values));
}

/* --- the question --- */

static bool
may_be_repeated(const PaBlock *block)
{
	ListCell   *cell;

	foreach(cell, block->tables)
	{
		const PaPolicy *policy = ((PaBlockTable *) lfirst(cell))->policy;

		if (policy == NULL || policy->regime != PA_REGIME_CENTRAL || !pa_policy_repeats(policy))
			return false;
	}
	return true;
}

char *
pa_question(const PaBlock *block, List **values, char **parts)
{
	unsigned char hash[crypto_generichash_BYTES];
	char	   *hex;
	char	   *text;
	Contents	contents;

	*values = NIL;
	*parts = NULL;
	if (!may_be_repeated(block))
		return NULL;
	contents = contents_of(block->leaf);
	if (contents.unclear)
		return NULL;
	text = text_of(block->leaf);
	crypto_generichash(hash, sizeof(hash), (unsigned char *) text, strlen(text), NULL, 0);
	hex = palloc(2 * sizeof(hash) + 1);
	sodium_bin2hex(hex, 2 * sizeof(hash) + 1, hash, sizeof(hash));
	*values = contents.values;
	*parts = parts_of(block->leaf, contents.values);
	return hex;
}

/* --- its tables --- */

typedef struct OtherTables
{
	List	   *relations;		/* OIDs, each once */
	bool		unclear;
} OtherTables;

/* What can be read again as it was: tables.  A view that is read is written out beside its entry. */
static void
take_table(OtherTables *others, const RangeTblEntry *rte)
{
	if (rte->rtekind != RTE_RELATION || rte->relkind == RELKIND_VIEW || OidIsValid(pa_protected_root(rte->relid)))
		return;
	others->unclear |= !pa_is_public(rte->relid);
	others->relations = list_append_unique_oid(others->relations, rte->relid);
}

static bool
take_tables_walker(Node *node, void *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
		take_table(context, (RangeTblEntry *) node);
	else if (IsA(node, Query))
		return query_tree_walker((Query *) node, take_tables_walker, context, QTW_EXAMINE_RTES_BEFORE);
	else
		return expression_tree_walker(node, take_tables_walker, context);
	return false;
}

bool
pa_public_tables(const PaBlock *block, List **relations)
{
	OtherTables others = {0};

	query_tree_walker(block->leaf, take_tables_walker, &others, QTW_EXAMINE_RTES_BEFORE);
	*relations = others.relations;
	return !others.unclear;
}
