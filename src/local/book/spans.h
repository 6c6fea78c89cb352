/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spans.h
 *		Memory that is shared while there is room for it, else the process's own.
 *
 * Shared spans are nobody else's until they are part of an image (image.h).  The
 * process's own are kept when spans are cleared, to be used again.
 */
#ifndef PA_BOOK_SPANS_H
#define PA_BOOK_SPANS_H

#include "postgres.h"

typedef struct PaSpan
{
	char	   *start;
	Size		size;
} PaSpan;

typedef struct PaSpans
{
	int			count;			/* in use */
	int			nspans;			/* and kept */
	int			capacity;
	PaSpan	   *list;
	bool		refused;		/* shared memory; it is not asked for again before they are cleared */
	MemoryContext context;		/* of the list, and of the process's own */
} PaSpans;

/* One more in use; the kept ones, if there are any, are of this size. */
extern char *pa_spans_add(PaSpans *spans, Size size);

/* None is in use; of the process's own, those of one size may be kept. */
extern void pa_spans_clear(PaSpans *spans, bool keep);

extern bool pa_spans_are_shared(const PaSpans *spans);

#endif							/* PA_BOOK_SPANS_H */
