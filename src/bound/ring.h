/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.h
 *		Protected pages take few of the server's shared buffers.
 *
 * What a scan reads into the buffer pool drives out what was there, and whoever
 * filled the pool with tables of his own can count, by EXPLAIN (BUFFERS) or by
 * time, how many pages that was.  So protected tables of any size are read
 * through one small ring of buffers, as PostgreSQL reads large tables.
 */
#ifndef PA_RING_H
#define PA_RING_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "storage/buf.h"

/*
 * From here to pa_ring_end() all protected tables of the plan share a ring, in the
 * current memory context.  To be called before the plan's first row.
 */
extern BufferAccessStrategy pa_ring_begin(PlanState *rows);
extern void pa_ring_end(PlanState *rows, BufferAccessStrategy ring);

#endif							/* PA_RING_H */
