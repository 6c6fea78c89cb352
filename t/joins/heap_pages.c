/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_pages.c
 *		Counts what scans by a sampling method read of heaps, and what they hand up: t/022_joins.pl compiles
 *		and loads it.
 *
 * Statements have no counters while they read protected rows, so the heap's own functions are replaced in this
 * session, in a table that is meant to be read only.
 */
#include "postgres.h"

#include <sys/mman.h>
#include <unistd.h>

#include "access/heapam.h"
#include "access/tableam.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"

PG_MODULE_MAGIC;

static TableAmRoutine heap;		/* as it was */
static int64 rows_in_pages = 0;
static int64 rows_handed_up = 0;

static bool
next_block(TableScanDesc scan, SampleScanState *sample)
{
	Page		page;

	if (!heap.scan_sample_next_block(scan, sample))
		return false;
	page = BufferGetPage(((HeapScanDesc) scan)->rs_cbuf);
	for (OffsetNumber i = FirstOffsetNumber; i <= PageGetMaxOffsetNumber(page); i++)
		rows_in_pages += ItemIdIsNormal(PageGetItemId(page, i));
	return true;
}

static bool
next_tuple(TableScanDesc scan, SampleScanState *sample, TupleTableSlot *slot)
{
	bool		any = heap.scan_sample_next_tuple(scan, sample, slot);

	rows_handed_up += any;
	return any;
}

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	TableAmRoutine *routine = unconstify(TableAmRoutine *, GetHeapamTableAmRoutine());
	uintptr_t	size = sysconf(_SC_PAGESIZE);
	uintptr_t	begin = (uintptr_t) routine / size * size;

	heap = *routine;
	if (mprotect((void *) begin, (uintptr_t) (routine + 1) - begin, PROT_READ | PROT_WRITE) != 0)
		elog(ERROR, "the functions of heaps cannot be replaced: %m");
	routine->scan_sample_next_block = next_block;
	routine->scan_sample_next_tuple = next_tuple;
}

/* rows_left_out(): by sampling methods, in pages that the session read since it asked last */
PG_FUNCTION_INFO_V1(rows_left_out);
PGDLLEXPORT Datum
rows_left_out(PG_FUNCTION_ARGS)
{
	int64		left_out = rows_in_pages - rows_handed_up;

	rows_in_pages = rows_handed_up = 0;
	PG_RETURN_INT64(left_out);
}
