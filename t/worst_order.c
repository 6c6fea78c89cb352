/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worst_order.c
 *		The numbers from 0 on in an order for which PostgreSQL's quicksort takes as many
 *		comparisons as there are pairs, but for a factor, where each comes so many times in
 *		a row: t/024_first_row.pl compiles and loads it.
 *
 * Made by an adversary (McIlroy 1999): which of two numbers is the smaller one is decided when they are first
 * compared, so that what becomes a pivot is smaller than almost all others.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"

PG_MODULE_MAGIC;

static int *value;				/* by number of the place; "undecided" at first */
static int	undecided;
static int	decided;
static int	times;

static int
compare(const int *a, const int *b)
{
	int			left = *a / times;
	int			right = *b / times;

	if (left == right)
		return *a < *b ? -1 : *a > *b;
	if (value[left] == undecided && value[right] == undecided)
		value[right] = decided++;
	return value[left] < value[right] ? -1 : value[left] > value[right];
}

#define ST_SORT sort_places
#define ST_ELEMENT_TYPE int
#define ST_COMPARE(a, b) compare(a, b)
#define ST_SCOPE static
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

PG_FUNCTION_INFO_V1(worst_order);
Datum
worst_order(PG_FUNCTION_ARGS)
{
	int			count = PG_GETARG_INT32(0);
	int		   *place;
	Datum	   *result = palloc(sizeof(Datum) * count);

	times = PG_GETARG_INT32(1);
	place = palloc(sizeof(int) * count * times);
	value = palloc(sizeof(int) * count);
	undecided = count;
	decided = 0;
	for (int i = 0; i < count; i++)
		value[i] = undecided;
	for (int i = 0; i < count * times; i++)
		place[i] = i;
	sort_places(place, count * times);
	for (int i = 0; i < count; i++)
		result[i] = Int32GetDatum(value[i] == undecided ? decided++ : value[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(result, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}
