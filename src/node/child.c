/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.c
 *		See child.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "utils/guc.h"

#include "node/child.h"
#include "quiet/uncounted.h"
#include "errors.h"
#include "lookup/lookup.h"

/* The guard has bounded it by what is declared; the tables may have changed since. */
static void
check_fanout(PlanState *child, int fanout)
{
	if (pa_lookup_fanout(child) > fanout)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("A public table has more rows with the same values than were declared; nothing was charged."),
				errhint("The table's owner has to declare how many there are, with privacct.declare_public()."));
}

PlanState *
pa_child_open(PlanState *node, int eflags, int fanout, int *guc_level)
{
	CustomScan *plan = (CustomScan *) node->plan;
	MemoryContext caller = MemoryContextSwitchTo(node->state->es_query_cxt);
	PlanState  *child;

	*guc_level = pa_uncounted();
	child = ExecInitNode(linitial(plan->custom_plans), node->state, eflags);
	pa_lookup_fill(child);
	check_fanout(child, fanout);
	MemoryContextSwitchTo(caller);
	return child;
}

void
pa_child_close(PlanState *child, int guc_level)
{
	ExecShutdownNode(child);
	ExecEndNode(child);
	AtEOXact_GUC(true, guc_level);
}
