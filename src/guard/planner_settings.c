/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * planner_settings.c
 *		The planner's settings while a statement with protected blocks is planned.
 *
 * A block has few plans that may be taken (lookup/lookup_path.c).  Settings by which
 * PostgreSQL would not look at them, since tables are joined in the order in which they are
 * written, or could not tell them from others, since all cost infinitely much, are brought
 * to where it does.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/planmain.h"

#include "guard/guard.h"

#define LEAST_LIMIT 8			/* of tables that are put in order together: PostgreSQL's default */
#define MOST_COST 1e6			/* of a page, of a row, or of what is done with one */

static int *const limits[] = {&from_collapse_limit, &join_collapse_limit};

static double *const costs[] = {
	&seq_page_cost, &random_page_cost, &cpu_tuple_cost, &cpu_index_tuple_cost, &cpu_operator_cost,
	&parallel_tuple_cost, &parallel_setup_cost, &recursive_worktable_factor
};

typedef struct Settings
{
	int			limits[lengthof(limits)];
	double		costs[lengthof(costs)];
} Settings;

static Settings
current(void)
{
	Settings	settings;

	for (int i = 0; i < lengthof(limits); i++)
		settings.limits[i] = *limits[i];
	for (int i = 0; i < lengthof(costs); i++)
		settings.costs[i] = *costs[i];
	return settings;
}

static void
set(const Settings *settings)
{
	for (int i = 0; i < lengthof(limits); i++)
		*limits[i] = settings->limits[i];
	for (int i = 0; i < lengthof(costs); i++)
		*costs[i] = settings->costs[i];
}

static Settings
within_range(Settings settings)
{
	for (int i = 0; i < lengthof(limits); i++)
		settings.limits[i] = Max(settings.limits[i], LEAST_LIMIT);
	for (int i = 0; i < lengthof(costs); i++)
		settings.costs[i] = Min(settings.costs[i], MOST_COST);
	return settings;
}

static PlannedStmt *
try_to_plan(PlannedStmt *(*plan) (void *argument), void *argument, const Settings *own)
{
	PlannedStmt *volatile planned = NULL;

	PG_TRY();
	{
		planned = plan(argument);
	}
	PG_CATCH();
	{
		set(own);
		PG_RE_THROW();
	}
	PG_END_TRY();
	return planned;
}

/* Not as settings of the session, which functions that are computed while it is planned would see. */
PlannedStmt *
pa_plan_within_range(PlannedStmt *(*plan) (void *argument), void *argument)
{
	Settings	own = current();
	Settings	ours = within_range(own);
	PlannedStmt *planned;

	set(&ours);
	planned = try_to_plan(plan, argument, &own);
	set(&own);
	return planned;
}
