/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sorted_cells.c
 *		See sorted_cells.h.
 *
 * The place of a value is a whole number: group, statistic and cell.  Single values are
 * sorted as such.  Runs are sorted as strings of 16 bytes, place and count, whose first
 * half decides.  Reading merges the two.
 *
 * Values come in the order of rows, and are shuffled before (shuffle.h).
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"
#include "utils/uuid.h"

#include "compat/executor.h"
#include "bound/order.h"
#include "bound/shuffle.h"
#include "bound/sorted_cells.h"
#include "settings.h"

#define STATISTIC_BITS 13			/* a query has at most 1664 columns */

StaticAssertDecl(PA_CELL_BITS + 1 + STATISTIC_BITS + 30 <= 64, "a place is a number of 64 bits");

/* At this place there are so many values. */
typedef struct Run
{
	uint64		place;
	uint64		count;
} Run;

StaticAssertDecl(sizeof(Run) == UUID_LEN, "a run is as long as a uuid");

/* What is sorted in one way, and the next of it. */
typedef struct Source
{
	Tuplesortstate *sort;		/* NULL: there is nothing of it */
	Run			next;			/* count 0: at the end */
} Source;

struct PaSortedCells
{
	PaShuffle  *shuffle;		/* of places of values that are not being sorted yet */
	Source		values;
	Source		runs;
	bool		held;			/* what was read last is the next again: */
	PaGroupRun	last;
};

static uint64
pack(int group, int statistic, int64 cell)
{
	return (uint64) group << (STATISTIC_BITS + PA_CELL_BITS + 1) | (uint64) statistic << (PA_CELL_BITS + 1) | (uint64) cell;
}

static PaGroupRun
unpack(Run run)
{
	return (PaGroupRun) {
		.group = (int) (run.place >> (STATISTIC_BITS + PA_CELL_BITS + 1)),
		.statistic = (int) (run.place >> (PA_CELL_BITS + 1) & ((1 << STATISTIC_BITS) - 1)),
		.cell = (int64) (run.place & ((UINT64CONST(1) << (PA_CELL_BITS + 1)) - 1)),
		.count = (int64) run.count
	};
}

/* --- collecting --- */

static Tuplesortstate *
begin_sort(Oid type, Oid less)
{
	return tuplesort_begin_datum(type, less, InvalidOid, false, pa_owner_memory, NULL, TUPLESORT_NONE);
}

static void
sort_place(void *cells, const void *place)
{
	tuplesort_putdatum(((PaSortedCells *) cells)->values.sort, Int64GetDatum((int64) *(const uint64 *) place), false);
}

PaSortedCells *
pa_sorted_cells_create(void)
{
	PaSortedCells *cells = palloc0(sizeof(PaSortedCells));

	cells->shuffle = pa_shuffle_create(sizeof(uint64), sort_place, cells);
	cells->values.sort = begin_sort(INT8OID, Int8LessOperator);
	return cells;
}

void
pa_sorted_cells_add(PaSortedCells *cells, int group, int statistic, int64 cell)
{
	uint64		place = pack(group, statistic, cell);

	pa_shuffle_add(cells->shuffle, &place);
}

void
pa_sorted_cells_add_run(PaSortedCells *cells, const PaGroupRun *run)
{
	Run			sorted = {
		pg_hton64(pack(run->group, run->statistic, run->cell)), (uint64) run->count
	};

	if (cells->runs.sort == NULL)
		cells->runs.sort = begin_sort(UUIDOID, lookup_type_cache(UUIDOID, TYPECACHE_LT_OPR)->lt_opr);
	tuplesort_putdatum(cells->runs.sort, PointerGetDatum(&sorted), false);
}

/* --- reading --- */

static void
advance_values(Source *values)
{
	Datum		place;
	bool		isnull;

	values->next.count = 0;
	if (pa_next_sorted(values->sort, &place, &isnull))
		values->next = (Run) {(uint64) DatumGetInt64(place), 1};
}

static void
advance_runs(Source *runs)
{
	Datum		sorted;
	bool		isnull;

	runs->next.count = 0;
	if (runs->sort == NULL || !pa_next_sorted(runs->sort, &sorted, &isnull))
		return;
	memcpy(&runs->next, DatumGetPointer(sorted), sizeof(Run));
	runs->next.place = pg_ntoh64(runs->next.place);
	pfree(DatumGetPointer(sorted));
}

void
pa_sorted_cells_sort(PaSortedCells *cells)
{
	pa_shuffle_end(cells->shuffle);
	tuplesort_performsort(cells->values.sort);
	if (cells->runs.sort)
		tuplesort_performsort(cells->runs.sort);
	advance_values(&cells->values);
	advance_runs(&cells->runs);
}

/* All that is at one place in both, as one; its count is 0 at the end. */
static Run
read_place(PaSortedCells *cells)
{
	Run		   *value = &cells->values.next;
	Run		   *run = &cells->runs.next;
	Run			read = {value->count == 0 || (run->count > 0 && run->place < value->place) ? run->place : value->place, 0};

	while (value->count > 0 && value->place == read.place)
	{
		read.count += value->count;
		advance_values(&cells->values);
	}
	while (run->count > 0 && run->place == read.place)
	{
		read.count += run->count;
		advance_runs(&cells->runs);
	}
	return read;
}

bool
pa_sorted_cells_next(PaSortedCells *cells, PaGroupRun *run)
{
	CHECK_FOR_INTERRUPTS();
	if (!cells->held)
		cells->last = unpack(read_place(cells));
	cells->held = false;
	*run = cells->last;
	return run->count > 0;
}

void
pa_sorted_cells_put_back(PaSortedCells *cells)
{
	cells->held = true;
}

void
pa_sorted_cells_end(PaSortedCells *cells)
{
	tuplesort_end(cells->values.sort);
	if (cells->runs.sort)
		tuplesort_end(cells->runs.sort);
}
