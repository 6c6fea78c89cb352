/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.c
 *		See ring.h.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "descend.h"
#include "bound/ring.h"
#include "lookup/lookup.h"

/* The scan's own ring, if its table is large, gives way to the one that all share; NULL takes that away. */
static void
set_ring(ScanState *node, BufferAccessStrategy ring)
{
	HeapScanDesc scan;

	if (node->ss_currentRelation->rd_tableam != GetHeapamTableAmRoutine())
		return;
	if (node->ss_currentScanDesc == NULL)	/* the executor would begin it with the first row */
		node->ss_currentScanDesc = table_beginscan(node->ss_currentRelation, node->ps.state->es_snapshot, 0, NULL);
	scan = (HeapScanDesc) node->ss_currentScanDesc;
	if (ring && scan->rs_strategy)
		FreeAccessStrategy(scan->rs_strategy);
	scan->rs_strategy = ring;
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
