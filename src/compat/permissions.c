/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * permissions.c
 *		See permissions.h.
 */
#include "postgres.h"

#include "catalog/pg_authid_d.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"

#include "compat/permissions.h"
#include "descend.h"

#if PG_VERSION_NUM >= 160000

static List *in_force = NIL;

List *
pa_exchange_permissions(List *permissions)
{
	List	   *before = in_force;

	in_force = permissions;
	return before;
}

/* PostgreSQL errors out if the entry and what it refers to are not of one table. */
const PaPermissions *
pa_permissions(const RangeTblEntry *rte)
{
	static const PaPermissions none = {.type = T_RTEPermissionInfo};

	return rte->perminfoindex == 0 ? &none : getRTEPermissionInfo(in_force, unconstify(RangeTblEntry *, rte));
}

static void
set_permissions(RangeTblEntry *rte, PaPermissions *permissions)
{
	in_force = lappend(in_force, permissions);
	rte->perminfoindex = list_length(in_force);
}

PaPermissions *
pa_change_permissions(RangeTblEntry *rte)
{
	PaPermissions *permissions = copyObject(unconstify(PaPermissions *, pa_permissions(rte)));

	permissions->relid = rte->relid;
	permissions->inh = rte->inh;
	set_permissions(rte, permissions);
	return permissions;
}

void
pa_drop_permissions(RangeTblEntry *rte)
{
	rte->perminfoindex = 0;
}

/* They are where the entry refers to. */
void
pa_forget_read_columns(RangeTblEntry *rte)
{
	rte->perminfoindex = 0;
}

void
pa_adopt_permissions(RangeTblEntry *rte, const ParseState *state)
{
	set_permissions(rte, getRTEPermissionInfo(state->p_rteperminfos, rte));
}

/* The planner wants them of every table, and the executor wants some to be asked for. */
void
pa_ask_nobody(RangeTblEntry *rte)
{
	PaPermissions *permissions;

	if (rte->rtekind != RTE_RELATION)
		return;
	permissions = makeNode(RTEPermissionInfo);
	permissions->relid = rte->relid;
	permissions->inh = rte->inh;
	permissions->requiredPerms = ACL_SELECT;
	permissions->checkAsUser = BOOTSTRAP_SUPERUSERID;
	set_permissions(rte, permissions);
}

bool
pa_is_child(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->perminfoindex == 0;
}

/* --- one list for a statement --- */

static bool gather_walker(Node *node, void *nothing);

static void
gather(Query *query)
{
	int			before = list_length(in_force);
	ListCell   *cell;

	pa_descend();
	in_force = list_concat(in_force, query->rteperminfos);
	query->rteperminfos = NIL;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->perminfoindex > 0)
			rte->perminfoindex += before;
	}
	/* most statements have no other queries in expressions */
	if (query->hasSubLinks)
		(void) query_tree_walker(query, gather_walker, NULL, 0);
	else
	{
		foreach(cell, query->rtable)
			(void) gather_walker((Node *) ((RangeTblEntry *) lfirst(cell))->subquery, NULL);
		foreach(cell, query->cteList)
			(void) gather_walker(((CommonTableExpr *) lfirst(cell))->ctequery, NULL);
	}
}

static bool
gather_walker(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, gather_walker, nothing);
	gather((Query *) node);
	return false;
}

void
pa_gather_permissions(Query *query)
{
	gather(query);
}

static bool
has_permissions(const RangeTblEntry *rte)
{
	return rte->perminfoindex > 0 && (rte->rtekind == RTE_RELATION || (rte->rtekind == RTE_SUBQUERY && OidIsValid(rte->relid)));
}

/* Entries that several queries have become one for each. */
static void
settle_entry(Query *query, ListCell *cell)
{
	const PaPermissions *permissions = has_permissions(lfirst(cell)) ? pa_permissions(lfirst(cell)) : NULL;
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	*rte = *(RangeTblEntry *) lfirst(cell);
	lfirst(cell) = rte;
	rte->perminfoindex = 0;
	if (permissions == NULL)
		return;
	query->rteperminfos = lappend(query->rteperminfos, copyObject(unconstify(PaPermissions *, permissions)));
	rte->perminfoindex = list_length(query->rteperminfos);
}

static bool settle_walker(Node *node, void *nothing);

static void
settle(Query *query)
{
	ListCell   *cell;

	pa_descend();
	if (query->rteperminfos != NIL)
		return;					/* it was met before */
	foreach(cell, query->rtable)
		settle_entry(query, cell);
	if (query->hasSubLinks)
		(void) query_tree_walker(query, settle_walker, NULL, 0);
	else
	{
		foreach(cell, query->rtable)
			(void) settle_walker((Node *) ((RangeTblEntry *) lfirst(cell))->subquery, NULL);
		foreach(cell, query->cteList)
			(void) settle_walker(((CommonTableExpr *) lfirst(cell))->ctequery, NULL);
	}
}

static bool
settle_walker(Node *node, void *nothing)
{
	pa_descend();
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, settle_walker, nothing);
	settle((Query *) node);
	return false;
}

void
pa_settle_permissions(Query *query)
{
	settle(query);
}

/* --- plans --- */

void
pa_add_entry(PlannedStmt *plan, RangeTblEntry *rte, const PaPermissions *permissions)
{
	rte->subquery = NULL;
	/* the plan is what is looked at */
	plan->permInfos = in_force = lappend(plan->permInfos, copyObject(unconstify(PaPermissions *, permissions)));
	rte->perminfoindex = list_length(plan->permInfos);
	plan->rtable = lappend(plan->rtable, rte);
#if PG_VERSION_NUM >= 180000
	plan->unprunableRelids = bms_add_member(plan->unprunableRelids, list_length(plan->rtable));
#endif
}

Oid
pa_read_as(const PlannerInfo *root, Index rtindex)
{
	const RelOptInfo *rel = root->simple_rel_array[rtindex];

	if (root->simple_rte_array[rtindex]->rtekind != RTE_RELATION)
		return InvalidOid;
	return rel ? rel->userid : pa_read_as_in(root->parse, root->simple_rte_array[rtindex]);
}

Oid
pa_read_as_in(const Query *query, const RangeTblEntry *rte)
{
	if (rte->rtekind != RTE_RELATION || rte->perminfoindex == 0)
		return InvalidOid;
	return getRTEPermissionInfo(query->rteperminfos, unconstify(RangeTblEntry *, rte))->checkAsUser;
}

void
pa_require_permissions(const PlannedStmt *plan)
{
	(void) ExecCheckPermissions(plan->rtable, plan->permInfos, true);
}

#else

List *
pa_exchange_permissions(List *permissions)
{
	return NIL;
}

const PaPermissions *
pa_permissions(const RangeTblEntry *rte)
{
	return rte;
}

PaPermissions *
pa_change_permissions(RangeTblEntry *rte)
{
	return rte;
}

void
pa_drop_permissions(RangeTblEntry *rte)
{
	rte->requiredPerms = 0;
	rte->checkAsUser = InvalidOid;
	rte->selectedCols = NULL;
}

void
pa_forget_read_columns(RangeTblEntry *rte)
{
	rte->selectedCols = NULL;
}

void
pa_adopt_permissions(RangeTblEntry *rte, const ParseState *state)
{
}

void
pa_ask_nobody(RangeTblEntry *rte)
{
	rte->requiredPerms = 0;
}

bool
pa_is_child(const RangeTblEntry *rte)
{
	return false;
}

void
pa_gather_permissions(Query *query)
{
}

void
pa_settle_permissions(Query *query)
{
}

void
pa_add_entry(PlannedStmt *plan, RangeTblEntry *rte, const PaPermissions *permissions)
{
	plan->rtable = lappend(plan->rtable, rte);
}

Oid
pa_read_as(const PlannerInfo *root, Index rtindex)
{
	return pa_read_as_in(root->parse, root->simple_rte_array[rtindex]);
}

Oid
pa_read_as_in(const Query *query, const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION ? rte->checkAsUser : InvalidOid;
}

void
pa_require_permissions(const PlannedStmt *plan)
{
	(void) ExecCheckRTPerms(plan->rtable, true);
}

#endif
