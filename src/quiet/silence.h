/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * silence.h
 *		Sessions in which figures of protected rows could reach the client.
 *
 * EXPLAIN of a guarded statement shows the privacy plan.  EXPLAIN ANALYZE would
 * show how many rows each node read, debug output how the executor fares, and
 * serializable isolation lists the rows that were read in pg_locks.  EXPLAIN of the
 * extension's own views and functions would show how much in them is of others.
 * Where the catalog is hardened, EXPLAIN counts pages and WAL, of whatever statement,
 * for those who may read statistics only.
 */
#ifndef PA_SILENCE_H
#define PA_SILENCE_H

#include "postgres.h"

#include "nodes/pg_list.h"

/* Installs the utility hook; called from _PG_init. */
extern void pa_silence_init(void);

/*
 * Whether counters of the server are for the current user: superusers, and who may
 * read statistics, or everybody where the catalog is not hardened.
 */
extern bool pa_may_see_counters(void);

/* Errors out in such a session.  Asked at planning and, since plans are cached, at execution. */
extern void pa_require_silence(void);

/*
 * Errors out if an EXPLAIN is under way that would show figures of a table of the
 * extension or of the system catalog among those that are read, and the user may
 * not read that table itself.
 */
extern void pa_require_own_figures(List *range_table);

#endif							/* PA_SILENCE_H */
