/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * domain.c
 *		Points, boxes, and where a row is among them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/date.h"
#include "utils/typcache.h"

#include "local/domain.h"
#include "number.h"
#include "short_value.h"

#define MOST_DIRECT 65536		/* places that are looked up by the value itself */

PaDomain
pa_domain_of(const PaPolicy *policy)
{
	PaDomain	domain = {.points = 1};
	ListCell   *cell;

	foreach(cell, pa_policy_domains(policy))
	{
		const PaDomainColumn *column = lfirst(cell);
		int			i = domain.ncolumns++;

		if (column->attnum == InvalidAttrNumber)
			elog(ERROR, "a column of the domain of policy " INT64_FORMAT " is missing", policy->policy_id);
		domain.positions[i] = column->position;
		domain.counts[i] = column->listed ? column->count : 0;
		domain.dimension[i] = -1;
		if (column->listed)
			domain.points *= column->count;
		if (column->lo < column->hi)
		{
			domain.dimension[i] = domain.dimensions;
			domain.low[domain.dimensions] = column->lo;
			domain.high[domain.dimensions] = column->hi;
			domain.dimensions++;
		}
	}
	if (domain.points > PA_MOST_DOMAIN)
		elog(ERROR, "the domain of policy " INT64_FORMAT " is too large", policy->policy_id);
	return domain;
}

bool
pa_domain_equal(const PaDomain *a, const PaDomain *b)
{
	return memcmp(a, b, sizeof(PaDomain)) == 0;
}

PaBox
pa_domain_box(const PaDomain *domain)
{
	return (PaBox) {domain->dimensions, domain->low, domain->high};
}

int
pa_domain_column(const PaDomain *domain, int position)
{
	for (int i = 0; i < domain->ncolumns; i++)
		if (domain->positions[i] == position)
			return i;
	return -1;
}

/* How far apart points lie that differ by one place in the column only. */
static size_t
stride(const PaDomain *domain, int column)
{
	size_t		result = 1;

	for (int i = column + 1; i < domain->ncolumns; i++)
		if (domain->counts[i] > 0)
			result *= domain->counts[i];
	return result;
}

uint32 *
pa_domain_project(const PaDomain *domain, int ncolumns, const int *columns)
{
	uint32	   *projection = palloc0(sizeof(uint32) * domain->points);

	for (int i = 0; i < ncolumns; i++)
	{
		size_t		step = stride(domain, columns[i]);
		int			count = domain->counts[columns[i]];

		for (size_t x = 0; x < domain->points; x++)
			projection[x] = projection[x] * count + (uint32) (x / step % count);
	}
	return projection;
}

/* --- the place of a value --- */

struct PaPlaces
{
	const PaDomainColumn *column;
	int			null_place;
	bool		direct;			/* whole numbers: by a table from least on */
	int64		least;
	int64		span;
	int		   *table;			/* direct: of span places; else of mask + 1 buckets; -1: none */
	uint32		mask;
	TypeCacheEntry *type;
	Oid			collation;
};

static bool
whole_number(Oid type, Datum value, int64 *number)
{
	if (type != DATEOID)
		return pa_read_whole(type, value, number);
	*number = DatumGetDateADT(value);
	return true;
}

static bool
make_direct(PaPlaces *places)
{
	const PaDomainColumn *column = places->column;
	int64		least = PG_INT64_MAX,
				most = PG_INT64_MIN,
				number;

	for (int i = 0; i < column->count; i++)
	{
		if (column->nulls[i])
			continue;
		if (!whole_number(column->type, column->values[i], &number))
			return false;
		least = Min(least, number);
		most = Max(most, number);
	}
	if ((uint64) most - (uint64) least >= MOST_DIRECT)
		return false;
	places->least = least;
	places->span = most - least + 1;
	places->table = palloc(sizeof(int) * places->span);
	memset(places->table, 0, sizeof(int) * places->span);
	for (int i = 0; i < column->count; i++)
		if (!column->nulls[i] && whole_number(column->type, column->values[i], &number))
			places->table[number - least] = i;
	return true;
}

static uint32
bucket(const PaPlaces *places, Datum value)
{
	return DatumGetUInt32(FunctionCall1Coll(&places->type->hash_proc_finfo, places->collation, value)) & places->mask;
}

static void
make_hashed(PaPlaces *places)
{
	const PaDomainColumn *column = places->column;

	places->type = lookup_type_cache(column->type, TYPECACHE_HASH_PROC_FINFO | TYPECACHE_EQ_OPR_FINFO);
	places->mask = 1;
	while (places->mask < 2u * column->count)
		places->mask = places->mask * 2 + 1;
	places->table = palloc(sizeof(int) * (places->mask + 1));
	memset(places->table, 0xff, sizeof(int) * (places->mask + 1));
	for (int i = 0; i < column->count; i++)
	{
		uint32		at;

		if (column->nulls[i])
			continue;
		for (at = bucket(places, column->values[i]); places->table[at] >= 0; at = (at + 1) & places->mask)
			;
		places->table[at] = i;
	}
}

PaPlaces *
pa_places_create(const PaDomainColumn *column, Oid collation)
{
	PaPlaces   *places = palloc0(sizeof(PaPlaces));

	places->column = column;
	places->collation = collation;
	for (int i = 0; i < column->count; i++)
		if (column->nulls[i])
			places->null_place = i;
	places->direct = make_direct(places);
	if (!places->direct)
		make_hashed(places);
	return places;
}

int
pa_places_find(PaPlaces *places, Datum value, bool isnull)
{
	int64		number;

	if (isnull)
		return places->null_place;
	if (places->direct)
	{
		uint64		place;

		if (!whole_number(places->column->type, value, &number) || number < places->least)
			return 0;
		place = (uint64) number - (uint64) places->least;	/* a row's value may be anything */
		return place < places->span ? places->table[place] : 0;
	}
	if (places->type->typlen == -1 && !pa_value_is_short(value, PA_MAX_TEXT_BYTES))
		return 0;
	for (uint32 at = bucket(places, value); places->table[at] >= 0; at = (at + 1) & places->mask)
		if (DatumGetBool(FunctionCall2Coll(&places->type->eq_opr_finfo, places->collation,
										   places->column->values[places->table[at]], value)))
			return places->table[at];
	return 0;
}
