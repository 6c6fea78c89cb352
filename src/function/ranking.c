/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ranking.c
 *		The outer half of dp_topk and dp_mode: values in the order of their scores.
 *
 * What they see was released: noised counts, or the ranks that were drawn.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

#include "errors.h"

typedef struct Ranked
{
	Datum		value;
	double		score;
	int			place;			/* in order of arrival */
} Ranked;

typedef struct Ranking
{
	Oid			type;
	int16		length;
	bool		by_value;
	char		align;
	int			k;
	int			count;
	int			room;
	Ranked	   *items;
} Ranking;

static Ranking *
start_ranking(FunctionCallInfo fcinfo, MemoryContext context)
{
	Ranking    *ranking = MemoryContextAllocZero(context, sizeof(Ranking));

	ranking->type = get_fn_expr_argtype(fcinfo->flinfo, 1);
	get_typlenbyvalalign(ranking->type, &ranking->length, &ranking->by_value, &ranking->align);
	ranking->k = PG_ARGISNULL(3) ? 0 : PG_GETARG_INT32(3);
	ranking->room = 64;
	ranking->items = MemoryContextAlloc(context, sizeof(Ranked) * ranking->room);
	return ranking;
}

/* _rank(state, value, score, k): the state */
PG_FUNCTION_INFO_V1(pa_rank);
PGDLLEXPORT Datum
pa_rank(PG_FUNCTION_ARGS)
{
	MemoryContext context;
	MemoryContext caller;
	Ranking    *ranking;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "a ranking is made by an aggregate only");
	ranking = PG_ARGISNULL(0) ? start_ranking(fcinfo, context) : (Ranking *) PG_GETARG_POINTER(0);
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_POINTER(ranking);
	if (ranking->count == ranking->room)
		ranking->items = repalloc(ranking->items, sizeof(Ranked) * (ranking->room *= 2));
	caller = MemoryContextSwitchTo(context);
	ranking->items[ranking->count] = (Ranked) {
		datumCopy(PG_GETARG_DATUM(1), ranking->by_value, ranking->length), PG_GETARG_FLOAT8(2), ranking->count
	};
	ranking->count++;
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(ranking);
}

/* Greatest scores first; equal ones as they came, which is the order of the declared keys. */
static int
compare_ranked(const void *a, const void *b)
{
	const Ranked *left = a;
	const Ranked *right = b;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	return left->place - right->place;
}

/* _first_ranked(state, ...): the k values with the greatest scores, as an array */
PG_FUNCTION_INFO_V1(pa_first_ranked);
PGDLLEXPORT Datum
pa_first_ranked(PG_FUNCTION_ARGS)
{
	Ranking    *ranking = PG_ARGISNULL(0) ? NULL : (Ranking *) PG_GETARG_POINTER(0);
	Datum	   *values;
	int			count;

	if (ranking == NULL)
		PG_RETURN_NULL();
	qsort(ranking->items, ranking->count, sizeof(Ranked), compare_ranked);
	count = Min(ranking->count, ranking->k);
	values = palloc(sizeof(Datum) * Max(count, 1));
	for (int i = 0; i < count; i++)
		values[i] = ranking->items[i].value;
	PG_RETURN_ARRAYTYPE_P(construct_array(values, count, ranking->type, ranking->length, ranking->by_value, ranking->align));
}

/* _top_ranked(state, ...): the value with the greatest score */
PG_FUNCTION_INFO_V1(pa_top_ranked);
PGDLLEXPORT Datum
pa_top_ranked(PG_FUNCTION_ARGS)
{
	Ranking    *ranking = PG_ARGISNULL(0) ? NULL : (Ranking *) PG_GETARG_POINTER(0);

	if (ranking == NULL || ranking->count == 0)
		PG_RETURN_NULL();
	qsort(ranking->items, ranking->count, sizeof(Ranked), compare_ranked);
	PG_RETURN_DATUM(datumCopy(ranking->items[0].value, ranking->by_value, ranking->length));
}
