/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traces.c
 *		See traces.h.
 */
#include "postgres.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "fmgr.h"
#include "utils/memutils.h"

#include "quiet/date_format.h"
#include "quiet/traces.h"

#ifdef __GLIBC__
#define HEAP_THRESHOLD (128 * 1024)		/* bytes; where the C library begins, too */
#endif

static MemoryContext context = NULL;	/* of the list */
static List *used = NIL;
static bool begun = false;

/* From then on they do not follow what is freed. */
static void
fix_heap(void)
{
#ifdef __GLIBC__
	static bool fixed = false;

	if (fixed)
		return;
	(void) mallopt(M_MMAP_THRESHOLD, HEAP_THRESHOLD);
	(void) mallopt(M_TRIM_THRESHOLD, HEAP_THRESHOLD);
	fixed = true;
#endif
}

static void
shrink_heap(void)
{
#ifdef __GLIBC__
	(void) malloc_trim(0);
#endif
}

void
pa_traces_begin(const List *formats)
{
	MemoryContext caller;
	const ListCell *cell;

	fix_heap();
	if (context == NULL)
		context = AllocSetContextCreate(TopMemoryContext, "privacct traces", ALLOCSET_SMALL_SIZES);
	MemoryContextReset(context);
	used = NIL;
	caller = MemoryContextSwitchTo(context);
	foreach(cell, formats)
		used = lappend(used, PG_DETOAST_DATUM_COPY(PointerGetDatum(lfirst(cell))));
	MemoryContextSwitchTo(caller);
	begun = true;
}

void
pa_traces_begin_look(void)
{
	if (!begun)
		pa_traces_begin(NIL);
}

void
pa_traces_end_look(void)
{
	shrink_heap();
}

void
pa_traces_shrink(void)
{
	if (begun)
		shrink_heap();
}

void
pa_traces_remove(void)
{
	ListCell   *cell;

	if (!begun)
		return;
	begun = false;
	foreach(cell, used)
		pa_use_format(lfirst(cell));
	used = NIL;
	MemoryContextReset(context);
	shrink_heap();
}
