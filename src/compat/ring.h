/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.h
 *		Has a scan read its table through few of the server's buffers.
 *
 * Until 16 a scan asks for each page with the ring that it has, which may be another one.  Since 17 it
 * hands its ring to a stream when it begins, and has one only if the table is large beside the
 * server's buffers: so it begins as if these were few.
 */
#ifndef PA_COMPAT_RING_H
#define PA_COMPAT_RING_H

#include "compat/version.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"

#if PG_VERSION_NUM >= 170000

/* A ring has an eighth of these, and tables of more than a quarter have one. */
#define PA_AS_IF_BUFFERS 64

/* Nothing has been read yet. */
static inline TableScanDesc
pa_begin_again(ScanState *node)
{
	TableScanDesc scan = node->ss_currentScanDesc;
	ParallelTableScanDesc shared = scan ? scan->rs_parallel : NULL;

	if (scan)
		table_endscan(scan);
	node->ss_currentScanDesc = NULL;
	return shared ? table_beginscan_parallel(node->ss_currentRelation, shared) :
		table_beginscan(node->ss_currentRelation, node->ps.state->es_snapshot, 0, NULL);
}

#endif

/* Of a heap; before its first row.  NULL takes the ring away, when the scan is done. */
static inline void
pa_scan_by_ring(ScanState *node, BufferAccessStrategy ring)
{
#if PG_VERSION_NUM >= 170000
	int			buffers = NBuffers;

	if (ring == NULL)
		return;
	PG_TRY();
	{
		NBuffers = PA_AS_IF_BUFFERS;
		node->ss_currentScanDesc = pa_begin_again(node);
	}
	PG_FINALLY();
	{
		NBuffers = buffers;
	}
	PG_END_TRY();
#else
	HeapScanDesc scan;

	if (node->ss_currentScanDesc == NULL)	/* the executor would begin it with the first row */
		node->ss_currentScanDesc = table_beginscan(node->ss_currentRelation, node->ps.state->es_snapshot, 0, NULL);
	scan = (HeapScanDesc) node->ss_currentScanDesc;
	if (ring && scan->rs_strategy)
		FreeAccessStrategy(scan->rs_strategy);
	scan->rs_strategy = ring;
#endif
}

/* Has it read by a sampling method from now on, by the same ring; before its first row. */
static inline void
pa_sample_by_ring(ScanState *node)
{
	HeapScanDesc before = (HeapScanDesc) node->ss_currentScanDesc;
	Snapshot	snapshot = node->ps.state->es_snapshot;
#if PG_VERSION_NUM >= 170000
	int			buffers = NBuffers;

	table_endscan(&before->rs_base);
	node->ss_currentScanDesc = NULL;
	PG_TRY();
	{
		NBuffers = PA_AS_IF_BUFFERS;
		node->ss_currentScanDesc = table_beginscan_sampling(node->ss_currentRelation, snapshot, 0, NULL, true, false, false);
	}
	PG_FINALLY();
	{
		NBuffers = buffers;
	}
	PG_END_TRY();
#else
	HeapScanDesc scan = (HeapScanDesc) table_beginscan_sampling(node->ss_currentRelation, snapshot, 0, NULL, false, false, false);

	scan->rs_strategy = before->rs_strategy;
	before->rs_strategy = NULL;
	node->ss_currentScanDesc = &scan->rs_base;
	table_endscan(&before->rs_base);
#endif
}

#endif							/* PA_COMPAT_RING_H */
