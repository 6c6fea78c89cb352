/*
 * indexes.c
 *		Which indexes of a protected table a leaf may be planned with.
 *
 * The operators of an index need not be those of the statement: an operator class
 * of an extension brings functions of its own, and the condition of a partial
 * index is checked again for rows of a lossy bitmap.  Such an index is passed
 * over, so that only what is built in runs over protected rows.
 */
#include "postgres.h"

#include "access/transam.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"

#include "guard/guard.h"

static get_relation_info_hook_type previous_relation_info = NULL;

static bool
is_foreign_function(Oid function, void *context)
{
	return function >= FirstUnpinnedObjectId;
}

static bool
foreign_code_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return check_functions_in_node(node, is_foreign_function, context) ||
		expression_tree_walker(node, foreign_code_walker, context);
}

static bool
has_foreign_code(const IndexOptInfo *index)
{
	for (int i = 0; i < index->nkeycolumns; i++)
		if (index->opfamily[i] >= FirstUnpinnedObjectId)
			return true;
	return index->relam >= FirstUnpinnedObjectId ||
		foreign_code_walker((Node *) index->indexprs, NULL) || foreign_code_walker((Node *) index->indpred, NULL);
}

static void
pass_over_indexes(PlannerInfo *root, Oid relation, bool inhparent, RelOptInfo *rel)
{
	ListCell   *cell;

	if (previous_relation_info)
		previous_relation_info(root, relation, inhparent, rel);
	if (rel->indexlist == NIL || !OidIsValid(planner_rt_fetch(rel->relid, root)->checkAsUser) || !pa_policies_exist() ||
		planner_rt_fetch(rel->relid, root)->checkAsUser != pa_reader_role())
		return;
	foreach(cell, rel->indexlist)
		if (has_foreign_code(lfirst(cell)))
			rel->indexlist = foreach_delete_current(rel->indexlist, cell);
}

void
pa_indexes_init(void)
{
	previous_relation_info = get_relation_info_hook;
	get_relation_info_hook = pass_over_indexes;
}
