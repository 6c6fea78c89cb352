/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partial.h
 *		Parallel reading: each process reads a share of the rows into its own
 *		groups and owners and sends those, in chunks, to the leader.
 *
 * Sending owners before they are bounded keeps the result exact: an owner's
 * groups are chosen, and its contributions clamped, in the leader alone, over
 * what all processes saw of it.  A process drops a group of an owner only if L0
 * groups of smaller rank are kept, and then the leader would drop it too.
 */
#ifndef PA_PARTIAL_H
#define PA_PARTIAL_H

#include "postgres.h"

#include "bound/reader.h"
#include "custom_node.h"

/* The node itself; its private data is that of the leaf. */
extern const PaCustomNode pa_partial_node;

/* Shape of the rows that the partial nodes read. */
extern TupleDesc pa_partial_rows(PlanState *gather);

/*
 * Reads the Gather to its end into the leader's reader.  The workers learn from
 * reading what the release decided.
 */
extern void pa_partial_gather(PlanState *gather, const PaReading *reading, PaReader *reader);

#endif							/* PA_PARTIAL_H */
