/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * row_filter.h
 *		Whether a row may meet another one, by a column of it that is a whole number.
 */
#ifndef PA_ROW_FILTER_H
#define PA_ROW_FILTER_H

#include "postgres.h"

#include "access/attnum.h"

#include "lookup/key_filter.h"
#include "lookup/number_set.h"
#include "lookup/seeded_hash.h"

typedef struct PaRowFilter
{
	AttrNumber	column;
	Oid			type;
	const PaKeyFilter *keys;	/* one of both: those that the others have */
	const PaNumberSet *numbers;
} PaRowFilter;

/* The value is not null, which meets nothing. */
static inline bool
pa_row_may_meet(const PaRowFilter *filter, Datum value)
{
	int64		number = pa_whole_number(filter->type, value);

	return filter->numbers ? pa_number_set_has(filter->numbers, number) : pa_key_filter_may_have(filter->keys, number);
}

#endif							/* PA_ROW_FILTER_H */
