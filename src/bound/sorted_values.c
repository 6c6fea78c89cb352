/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sorted_values.c
 *		See sorted_values.h.
 *
 * What is sorted are strings of bytes: numbers of 64 bits, the highest byte first, which
 * compare as the numbers do.  They come in the order of rows, and are shuffled before (shuffle.h).
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

#include "compat/executor.h"
#include "bound/shuffle.h"
#include "bound/sorted_values.h"
#include "settings.h"

#define STATISTIC_BITS 13		/* a query has at most 1664 columns */
#define OWNER_BITS 21			/* of the hash of the owner: so the first 64 bits tell most owners of a group apart */

StaticAssertDecl(OWNER_BITS + STATISTIC_BITS + 30 <= 64, "a place is a number of 64 bits");

/* Without a value, what follows the owner is left out: such a string comes first. */
typedef struct Record
{
	char		header[VARHDRSZ];
	uint64		place;			/* group, statistic and the beginning of the owner's hash */
	uint64		owner_hash;
	uint64		owner_high;
	uint64		owner_low;
	uint64		rank;			/* of the value among those of the owner */
	uint64		value_high;
	uint64		value_low;
}			pg_attribute_packed() Record;

#define COUNTS_SIZE offsetof(Record, rank)

struct PaSortedValues
{
	PaShuffle  *shuffle;		/* of records that are not being sorted yet */
	Tuplesortstate *sort;
	Record		last;
	bool		any;			/* there was a last one */
};

static void
sort_record(void *values, const void *record)
{
	tuplesort_putdatum(((PaSortedValues *) values)->sort, PointerGetDatum(record), false);
}

PaSortedValues *
pa_sorted_values_create(void)
{
	PaSortedValues *values = palloc0(sizeof(PaSortedValues));

	values->shuffle = pa_shuffle_create(sizeof(Record), sort_record, values);
	values->sort = tuplesort_begin_datum(BYTEAOID, lookup_type_cache(BYTEAOID, TYPECACHE_LT_OPR)->lt_opr, InvalidOid,
										 false, pa_owner_memory, NULL, TUPLESORT_NONE);
	return values;
}

static uint64
place_of(const PaOwnedValue *value)
{
	return (uint64) value->group << (STATISTIC_BITS + OWNER_BITS) | (uint64) value->statistic << OWNER_BITS |
		value->owner.hash >> (64 - OWNER_BITS);
}

/* For a fixed owner, different values of the lower half have different ranks. */
static uint64
rank_of(const PaOwnedValue *value)
{
	return pa_mix64(value->owner.hash ^ value->value.low);
}

void
pa_sorted_values_add(PaSortedValues *values, const PaOwnedValue *value)
{
	Record		record = {
		.place = pg_hton64(place_of(value)),
		.owner_hash = pg_hton64(value->owner.hash),
		.owner_high = pg_hton64(value->owner.key.high),
		.owner_low = pg_hton64(value->owner.key.low)
	};

	if (!value->counts)
	{
		record.rank = pg_hton64(rank_of(value));
		record.value_high = pg_hton64(value->value.high);
		record.value_low = pg_hton64(value->value.low);
	}
	SET_VARSIZE(&record, value->counts ? COUNTS_SIZE : sizeof(Record));
	pa_shuffle_add(values->shuffle, &record);
}

void
pa_sorted_values_sort(PaSortedValues *values)
{
	pa_shuffle_end(values->shuffle);
	tuplesort_performsort(values->sort);
}

/* The next one that is not as the last was; false at the end. */
static bool
read_other(PaSortedValues *values)
{
	Datum		sorted;
	bool		isnull;

	while (pa_next_sorted(values->sort, &sorted, &isnull))
	{
		Size		size = VARSIZE_ANY(DatumGetPointer(sorted));
		bool		other = !values->any || VARSIZE(&values->last) != size ||
			memcmp(&values->last, DatumGetPointer(sorted), size) != 0;

		memcpy(&values->last, DatumGetPointer(sorted), size);
		pfree(DatumGetPointer(sorted));
		values->any = true;
		if (other)
			return true;
	}
	return false;
}

bool
pa_sorted_values_next(PaSortedValues *values, PaOwnedValue *value)
{
	const Record *record = &values->last;
	uint64		place;

	CHECK_FOR_INTERRUPTS();
	if (!read_other(values))
		return false;
	place = pg_ntoh64(record->place);
	*value = (PaOwnedValue) {
		.group = (int) (place >> (STATISTIC_BITS + OWNER_BITS)),
		.statistic = (int) (place >> OWNER_BITS & ((1 << STATISTIC_BITS) - 1)),
		.owner = {{pg_ntoh64(record->owner_high), pg_ntoh64(record->owner_low)}, pg_ntoh64(record->owner_hash)},
		.counts = VARSIZE(record) == COUNTS_SIZE
	};
	if (!value->counts)
		value->value = (PaHash128) {pg_ntoh64(record->value_high), pg_ntoh64(record->value_low)};
	return true;
}

void
pa_sorted_values_end(PaSortedValues *values)
{
	tuplesort_end(values->sort);
}
