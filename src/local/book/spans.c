/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spans.c
 *		See spans.h.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "local/book/image.h"
#include "local/book/pages.h"
#include "local/book/spans.h"

/* First, for a span that is on no list is lost if there is no memory for the list. */
static void
grow_list(PaSpans *spans)
{
	if (spans->nspans < spans->capacity)
		return;
	spans->capacity = Max(2 * spans->capacity, 4);
	spans->list = spans->list ?
		repalloc_huge(spans->list, sizeof(PaSpan) * spans->capacity) :
		MemoryContextAlloc(spans->context, sizeof(PaSpan) * spans->capacity);
}

char *
pa_spans_add(PaSpans *spans, Size size)
{
	if (spans->count == spans->nspans)
	{
		char	   *start;

		grow_list(spans);
		start = spans->refused ? NULL : pa_images_take_pages(size);
		if (start == NULL)
		{
			spans->refused = true;
			start = MemoryContextAllocHuge(spans->context, size);
		}
		spans->list[spans->nspans++] = (PaSpan) {start, size};
	}
	return spans->list[spans->count++].start;
}

void
pa_spans_clear(PaSpans *spans, bool keep)
{
	int			kept = 0;

	for (int i = 0; i < spans->nspans; i++)
	{
		PaSpan		span = spans->list[i];

		if (pa_pages_hold(span.start))
			pa_pages_give(span.start, span.size);
		else if (keep)
			spans->list[kept++] = span;
		else
			pfree(span.start);
	}
	spans->count = 0;
	spans->nspans = kept;
	spans->refused = kept > 0;
}

bool
pa_spans_are_shared(const PaSpans *spans)
{
	return !spans->refused;
}
