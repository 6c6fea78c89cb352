/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup.h
 *		Joins of protected rows with public ones, told nothing by the former.
 *
 * The public side of such a join is any plan over public tables.  It is run to
 * its end, into a table in memory, before the first protected row is read, and
 * it is run in every case.  From then on nothing outside of the protected table
 * is touched: each protected row looks its partners up in memory.  So what the
 * join does to public tables, in which order, and what it leaves behind in
 * buffers, statistics and scan positions, is the same whatever the protected
 * rows are.
 *
 * The planner knows no other join below a release; pa_lookup_require() is the
 * check.  A plan is in one process, or in each of several parallel ones, and
 * every process fills tables of its own.
 */
#ifndef PA_LOOKUP_H
#define PA_LOOKUP_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"

/* lookup_path.c: registers the planner's hook, the node and its setting; called from _PG_init */
extern void pa_lookup_init(void);

/*
 * The path by which a relation that holds protected rows is read, in one process
 * or (partial) in several; NULL if there is none that reads nothing else on the way.
 */
extern Path *pa_lookup_path(PlannerInfo *root, RelOptInfo *rel, bool partial);

/* Whether the query, once its tables are known to the planner, reads protected rows. */
extern bool pa_lookup_reads_protected(PlannerInfo *root);

/* Whether it joins the rows of one of its relations with public ones. */
extern bool pa_lookup_joins_public(PlannerInfo *root, const RelOptInfo *rel);

/*
 * Whether a node of a finished plan is a lookup, and then by which operators and
 * collations its keys meet.  Its second child is of public tables alone.
 */
extern bool pa_is_lookup_scan(const Plan *plan);
extern List *pa_lookup_operators(const CustomScan *scan);
extern List *pa_lookup_collations(const CustomScan *scan);

/*
 * Reads the public side of every join in the plan.  Errors out with 53200 if it
 * is larger than privacct.public_memory.
 */
extern void pa_lookup_fill(PlanState *plan);

/* The most rows that one protected row becomes by the plan's joins, once they are filled. */
extern double pa_lookup_fanout(PlanState *plan);

/* The side of protected rows, if the node is a lookup; else NULL. */
extern PlanState *pa_lookup_outer(PlanState *plan);

/* Memory for the public side of all joins of a process, in kB. */
extern int	pa_public_memory;

#endif							/* PA_LOOKUP_H */
