/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h
 *		The plan below a release.
 */
#ifndef PA_CHILD_H
#define PA_CHILD_H

#include "postgres.h"

#include "nodes/execnodes.h"

/*
 * Starts the plan below the node and reads the public tables in it; nothing of the
 * protected table is read.  To be called before the charge: errors out, for
 * free, if public tables are too large or one row can become more than fanout rows.
 *
 * From here to pa_child_close() the session's own statistics count nothing, as
 * pg_stat_xact_user_tables would show how many rows were read, and sequential
 * scans begin at the first page, as others could see where one of them stopped.
 */
extern PlanState *pa_child_open(PlanState *node, int eflags, int fanout, int *guc_level);

/*
 * Around all that a release does: that a session has used up its temporary files must not tell that a release
 * needs one.  Returns the level of settings to give to AtEOXact_GUC().
 */
extern int	pa_child_lift_limits(void);

/* Ends it, as soon as all is read: what its end might tell is told to nobody then (quiet.h). */
extern void pa_child_close(PlanState *child, int guc_level);

#endif							/* PA_CHILD_H */
