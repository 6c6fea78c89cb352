/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.c
 *		See ring.h.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat/ring.h"
#include "descend.h"
#include "bound/ring.h"
#include "lookup/lookup.h"

/* The scan's own ring, if its table is large, gives way to the one that all share; NULL takes that away. */
static void
set_ring(ScanState *node, BufferAccessStrategy ring)
{
	if (node->ss_currentRelation->rd_tableam == GetHeapamTableAmRoutine())
		pa_scan_by_ring(node, ring);
}

/* Public tables have been read. */
static bool
ring_walker(PlanState *plan, void *ring)
{
	PlanState  *protected = pa_lookup_outer(plan);

	pa_descend();
	if (protected)
		return ring_walker(protected, ring);
	if (IsA(plan, SeqScanState))
		set_ring((ScanState *) plan, ring);
	return planstate_tree_walker(plan, ring_walker, ring);
}

BufferAccessStrategy
pa_ring_begin(PlanState *rows)
{
	BufferAccessStrategy ring = GetAccessStrategy(BAS_BULKREAD);

	(void) ring_walker(rows, ring);
	return ring;
}

void
pa_ring_end(PlanState *rows, BufferAccessStrategy ring)
{
	(void) ring_walker(rows, NULL);
	FreeAccessStrategy(ring);
}
