/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * privileges.c
 *		Who asks needs the privileges that the statement needs as it was written.
 *
 * PostgreSQL finds what to ask for in the range table of the plan; of a view, in an entry that
 * nothing else refers to.  The guard writes queries anew and leaves entries out, and a
 * privilege that stood in one would no longer be asked for.  So what the statement
 * asks for is kept before, and what the plan has lost of it is put back.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "guard/guard.h"

typedef struct PrivilegeContext
{
	const PaGuard *guard;
	List	   *entries;
} PrivilegeContext;

/* Protected tables are read as another role, as the guard has it. */
static bool
privileges_walker(Node *node, PrivilegeContext *context)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, privileges_walker, context, QTW_EXAMINE_RTES_BEFORE);
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_RELATION && rte->requiredPerms != 0 && !pa_is_protected(context->guard, rte))
			context->entries = lappend(context->entries, copyObject(rte));
		return false;
	}
	return expression_tree_walker(node, privileges_walker, context);
}

List *
pa_privileges_of(const PaGuard *guard, Query *query)
{
	PrivilegeContext context = {guard, NIL};

	(void) privileges_walker((Node *) query, &context);
	return context.entries;
}

static bool
asks_for(const RangeTblEntry *entry, const RangeTblEntry *wanted)
{
	return entry->rtekind == RTE_RELATION && entry->relid == wanted->relid && entry->checkAsUser == wanted->checkAsUser &&
		(wanted->requiredPerms & ~entry->requiredPerms) == 0 && bms_is_subset(wanted->selectedCols, entry->selectedCols) &&
		bms_is_subset(wanted->insertedCols, entry->insertedCols) && bms_is_subset(wanted->updatedCols, entry->updatedCols);
}

static bool
is_asked_for(const PlannedStmt *plan, const RangeTblEntry *wanted)
{
	ListCell   *cell;

	foreach(cell, plan->rtable)
		if (asks_for(lfirst(cell), wanted))
			return true;
	return false;
}

void
pa_keep_privileges(PlannedStmt *plan, const List *entries)
{
	const ListCell *cell;

	foreach(cell, entries)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (is_asked_for(plan, rte))
			continue;
		rte->securityQuals = NIL;
		rte->tablesample = NULL;
		plan->rtable = lappend(plan->rtable, rte);
		plan->relationOids = lappend_oid(plan->relationOids, rte->relid);
	}
}
