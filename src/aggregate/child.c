/*
 * child.c
 *		See child.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "utils/guc.h"

#include "aggregate/child.h"
#include "errors.h"
#include "lookup/lookup.h"

static void
switch_off(const char *setting)
{
	(void) set_config_option(setting, "off", PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

int
pa_uncounted(void)
{
	int			guc_level = NewGUCNestLevel();

	switch_off("track_counts");
	switch_off("synchronize_seqscans");
	return guc_level;
}

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
