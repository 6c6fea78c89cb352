/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.c
 *		See child.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "utils/guc.h"

#include "node/child.h"
#include "node/seeded_groups.h"
#include "node/whole_joins.h"
#include "quiet/uncounted.h"
#include "errors.h"
#include "lookup/lookup.h"
#include "settings.h"

/* The guard has bounded it by what is declared; the tables may have changed since. */
static void
check_fanout(PlanState *child, int fanout)
{
	if (pa_lookup_fanout(child) > fanout)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("A public table has more rows with the same values than were declared; the block was not charged."),
				errhint("The table's owner has to declare how many there are, with privacct.declare_public()."));
}

static void
set_limit(const char *setting, const char *value)
{
	(void) set_config_option(setting, value, PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

/* Joins and groups of protected rows have as much as owners have, whatever the session allows itself. */
static void
settle_memory(void)
{
	set_limit("work_mem", psprintf("%dkB", pa_owner_memory));
	set_limit("hash_mem_multiplier", "1");
}

int
pa_child_lift_limits(void)
{
	int			guc_level = NewGUCNestLevel();

	set_limit("temp_file_limit", "-1");
	return guc_level;
}

PlanState *
pa_child_open(PlanState *node, int eflags, int fanout, int *guc_level)
{
	CustomScan *plan = (CustomScan *) node->plan;
	MemoryContext caller = MemoryContextSwitchTo(node->state->es_query_cxt);
	PlanState  *child;

	*guc_level = pa_uncounted();
	settle_memory();
	child = ExecInitNode(linitial(plan->custom_plans), node->state, eflags);
	pa_make_joins_whole(child);
	pa_seed_groups(child);
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
