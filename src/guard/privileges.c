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

#include "compat/permissions.h"
#include "descend.h"
#include "guard/guard.h"

typedef struct Privilege
{
	RangeTblEntry *entry;
	const PaPermissions *wanted;
} Privilege;

typedef struct PrivilegeContext
{
	const PaGuard *guard;
	List	   *privileges;		/* Privilege */
} PrivilegeContext;

static Privilege *
privilege_of(const RangeTblEntry *rte)
{
	Privilege  *privilege = palloc(sizeof(Privilege));

	privilege->entry = copyObject(unconstify(RangeTblEntry *, rte));
	privilege->wanted = pa_permissions(privilege->entry);
	return privilege;
}

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

		if (pa_permissions(rte)->requiredPerms != 0 && !pa_is_protected(context->guard, rte))
			context->privileges = lappend(context->privileges, privilege_of(rte));
		return false;
	}
	return expression_tree_walker(node, privileges_walker, context);
}

List *
pa_privileges_of(const PaGuard *guard, Query *query)
{
	PrivilegeContext context = {guard, NIL};

	(void) privileges_walker((Node *) query, &context);
	return context.privileges;
}

static bool
asks_for(const RangeTblEntry *entry, const Privilege *privilege)
{
	const PaPermissions *asked = pa_permissions(entry);
	const PaPermissions *wanted = privilege->wanted;

	return entry->relid == privilege->entry->relid && asked->checkAsUser == wanted->checkAsUser &&
		(wanted->requiredPerms & ~asked->requiredPerms) == 0 && bms_is_subset(wanted->selectedCols, asked->selectedCols) &&
		bms_is_subset(wanted->insertedCols, asked->insertedCols) && bms_is_subset(wanted->updatedCols, asked->updatedCols);
}

static bool
is_asked_for(const PlannedStmt *plan, const Privilege *wanted)
{
	ListCell   *cell;

	foreach(cell, plan->rtable)
		if (asks_for(lfirst(cell), wanted))
			return true;
	return false;
}

void
pa_keep_privileges(PlannedStmt *plan, const List *privileges)
{
	const ListCell *cell;

	foreach(cell, privileges)
	{
		Privilege  *privilege = lfirst(cell);

		if (is_asked_for(plan, privilege))
			continue;
		privilege->entry->securityQuals = NIL;
		privilege->entry->tablesample = NULL;
		pa_add_entry(plan, privilege->entry, privilege->wanted);
		plan->relationOids = lappend_oid(plan->relationOids, privilege->entry->relid);
	}
}
