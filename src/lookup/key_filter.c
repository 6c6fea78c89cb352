/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_filter.c
 *		See key_filter.h.
 */
#include "postgres.h"

#include "lookup/key_filter.h"
#include "settings.h"

#define MOST_BYTES (1024 * 1024)	/* more would no longer be in a cache near the processor */
#define SHARE 16				/* of the memory for owners */

PaKeyFilter *
pa_key_filter_create(void)
{
	PaKeyFilter *filter = palloc(sizeof(PaKeyFilter));
	Size		bytes = MOST_BYTES;

	while (bytes > (Size) pa_owner_memory * 1024 / SHARE)
		bytes /= 2;
	/* of all filters of the process the next one knows nothing of the last: who looks at the time learns no place */
	if (!pg_strong_random(&filter->factor, sizeof(filter->factor)) || !pg_strong_random(&filter->addend, sizeof(filter->addend)))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not generate random bits"));
	filter->mask = bytes * BITS_PER_BYTE - 1;
	filter->bits = palloc(bytes);
	filter->parts = palloc0(Max(bytes / PA_FILTER_PART, 1));
	return filter;
}
