/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.c
 *		See inputs.h.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/hsearch.h"

#include "descend.h"
#include "guard/inputs.h"
#include "lookup/unique_columns.h"
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

/* --- names --- */

typedef struct NameContext
{
	const char *name;
	int			count;
	HTAB	   *seen;			/* queries: one that is being taken stands in two places, and so may one in it */
} NameContext;

static bool
count_named_walker(Node *node, NameContext *context)
{
	bool		seen;

	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		(void) hash_search(context->seen, &node, HASH_ENTER, &seen);
		return !seen && query_tree_walker((Query *) node, count_named_walker, context, 0);
	}
	if (IsA(node, CommonTableExpr))
		context->count += strcmp(((CommonTableExpr *) node)->ctename, context->name) == 0;
	return expression_tree_walker(node, count_named_walker, context);
}

static int
count_named(const PaGuard *guard, const char *name)
{
	HASHCTL		control = {.keysize = sizeof(Node *),.entrysize = sizeof(Node *),.hcxt = CurrentMemoryContext};
	NameContext context = {name, 0};

	context.seen = hash_create("privacct queries", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	(void) count_named_walker((Node *) guard->statement, &context);
	hash_destroy(context.seen);
	return context.count;
}

char *
pa_new_input_name(PaGuard *guard, const char *prefix)
{
	for (;;)
	{
		char	   *name = psprintf("%s %d", prefix, ++guard->named);

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

static const Query *
query_named(const char *name, const void *guard)
{
	const PaBlockInput *input = input_named(guard, name);

	return input ? input->query : NULL;
}

const PaBlockInput *
pa_register_input(PaGuard *guard, CommonTableExpr *cte)
{
	PaBlockInput *input = palloc0(sizeof(PaBlockInput));
	Query	   *query = castNode(Query, cte->ctequery);

	input->name = cte->ctename;
	input->query = query;
	input->keyed = pa_unique_columns(query, query_named, guard, &input->keys);
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
		rename_cte(holder, cte, pa_new_input_name(guard, cte->ctename));
	(void) pa_register_input(guard, cte);
}
