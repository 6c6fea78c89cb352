/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_scan.c
 *		See page_scan.h.
 *
 * PostgreSQL's own interface for such a scan is that of TABLESAMPLE: a sampling method looks at a page, which the heap
 * has locked for it, and says which row is next.  Of a page that says that all of its rows are visible, those are
 * left out here that meet nothing.  On any other page the heap has to look at each row to know, which may leave a
 * trace in the page and tell transactions that they conflict: so it is given all of them, whatever they meet.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "access/tsmapi.h"
#include "access/tupmacs.h"
#include "executor/executor.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat/ring.h"
#include "lookup/page_scan.h"

/* In the place of the condition of the scan. */
typedef struct PageScan
{
	ExprState	state;			/* must be first */
	ExprState  *condition;
	SampleScanState sample;		/* of which nothing but the method and its state is looked at */
	PaRowFilter filter;
	int			place;			/* of the column, in the data of a row without nulls */
	bool		by_value;		/* of its type */
	int16		length;
	HeapScanDesc heap;
	BlockNumber page;
	bool		all_visible;	/* all rows of the page */
	OffsetNumber next;			/* of the page */
	bool		in_page;
	bool		ended;
} PageScan;

/* --- in a page --- */

/* Of a row with nulls, or from before the table had the column, its condition is asked. */
static inline bool
may_meet(const PageScan *scan, const HeapTupleHeaderData *row)
{
	if ((row->t_infomask & HEAP_HASNULL) || HeapTupleHeaderGetNatts(row) < scan->filter.column)
		return true;
	return pa_row_may_meet(&scan->filter, fetch_att((char *) row + row->t_hoff + scan->place, scan->by_value, scan->length));
}

static void
begin_page(PageScan *scan, Page page, BlockNumber block, OffsetNumber last)
{
	scan->page = block;
	scan->all_visible = PageIsAllVisible(page) && !scan->heap->rs_base.rs_snapshot->takenDuringRecovery;
	scan->next = last;
}

/* From the last to the first, which is the order in which they lie in memory: the processor fetches them before they are asked for. */
static OffsetNumber
next_row(SampleScanState *node, BlockNumber block, OffsetNumber last)
{
	PageScan   *scan = node->tsm_state;
	Page		page = BufferGetPage(scan->heap->rs_cbuf);

	if (scan->page != block)
		begin_page(scan, page, block, last);
	while (scan->next >= FirstOffsetNumber)
	{
		OffsetNumber offset = scan->next--;
		ItemId		item = PageGetItemId(page, offset);

		if (ItemIdIsNormal(item) && (!scan->all_visible || may_meet(scan, (HeapTupleHeader) PageGetItem(page, item))))
			return offset;
	}
	return InvalidOffsetNumber;
}

static TsmRoutine method = {.type = T_TsmRoutine,.NextSampleTuple = next_row};

/* --- the scan --- */

static TupleTableSlot *
next_visible(ScanState *node)
{
	PageScan   *scan = (PageScan *) node->ps.qual;
	TableScanDesc heap = node->ss_currentScanDesc;

	while (!scan->ended)
	{
		if (!scan->in_page)
			scan->in_page = table_scan_sample_next_block(heap, &scan->sample);
		if (!scan->in_page)
			scan->ended = true;
		else if (table_scan_sample_next_tuple(heap, &scan->sample, node->ss_ScanTupleSlot))
			return node->ss_ScanTupleSlot;
		else
			scan->in_page = false;
	}
	return ExecClearTuple(node->ss_ScanTupleSlot);
}

static bool
recheck(ScanState *node, TupleTableSlot *row)
{
	return true;
}

static TupleTableSlot *
page_scan_next(PlanState *plan)
{
	return ExecScan((ScanState *) plan, next_visible, recheck);
}

static Datum
ask_condition(ExprState *state, ExprContext *context, bool *isnull)
{
	return ExecEvalExpr(((PageScan *) state)->condition, context, isnull);
}

/* --- beginning --- */

/* Where the column begins in the data of a row without nulls; -1: that depends on the row. */
static int
place_of(TupleDesc columns, AttrNumber column)
{
	int			place = 0;

	for (int i = 0; i < column - 1; i++)
	{
		if (TupleDescAttr(columns, i)->attlen <= 0)
			return -1;
		place = att_align_nominal(place, TupleDescAttr(columns, i)->attalign) + TupleDescAttr(columns, i)->attlen;
	}
	return att_align_nominal(place, TupleDescAttr(columns, column - 1)->attalign);
}

static bool
is_scanned_alone(const ScanState *node)
{
	return node->ss_currentRelation->rd_tableam == GetHeapamTableAmRoutine() && node->ss_currentScanDesc &&
		node->ss_currentScanDesc->rs_parallel == NULL;
}

bool
pa_scan_by_pages(ScanState *node, const PaRowFilter *filter)
{
	TupleDesc	columns = RelationGetDescr(node->ss_currentRelation);
	int			place = place_of(columns, filter->column);
	PageScan   *scan;

	if (place < 0 || !is_scanned_alone(node))
		return false;
	pa_sample_by_ring(node);
	scan = MemoryContextAllocZero(node->ps.state->es_query_cxt, sizeof(PageScan));
	scan->state.type = T_ExprState;
	scan->state.flags = EEO_FLAG_IS_QUAL;
	scan->state.evalfunc = ask_condition;
	scan->condition = node->ps.qual;
	scan->sample.tsmroutine = &method;
	scan->sample.tsm_state = scan;
	scan->filter = *filter;
	scan->place = place;
	scan->by_value = TupleDescAttr(columns, filter->column - 1)->attbyval;
	scan->length = TupleDescAttr(columns, filter->column - 1)->attlen;
	scan->heap = (HeapScanDesc) node->ss_currentScanDesc;
	scan->page = InvalidBlockNumber;
	node->ps.qual = &scan->state;
	if (node->ps.ExecProcNode == node->ps.ExecProcNodeReal)
		node->ps.ExecProcNode = page_scan_next;
	node->ps.ExecProcNodeReal = page_scan_next;
	return true;
}
