/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result.c
 *		See result.h.  Estimates are of the owners who answered (core/bayes/estimate.h).
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "core/bayes/estimate.h"
#include "bound/group_order.h"
#include "local/result.h"
#include "node/intervals.h"
#include "price/form/estimate.h"

#define NULL_KEY "<null>"		/* of a histogram */

/* A row under construction. */
typedef struct Row
{
	Tuplestorestate *store;
	TupleDesc	desc;
	Datum	   *values;
	bool	   *nulls;
	char	  **key_texts;
} Row;

static void
check(PaStatus status)
{
	if (status != PA_OK)
		elog(ERROR, "an estimate failed: %s", pa_status_text(status));
}

/* --- estimates --- */

static PaLocalEstimate
scaled(PaLocalEstimate estimate, double offset, double factor)
{
	return (PaLocalEstimate) {offset + factor * estimate.value, factor * estimate.error,
		offset + factor * estimate.low, offset + factor * estimate.high};
}

static PaLocalEstimate
estimate_additive(const PaAsk *ask, const PaTally *tally)
{
	const PaQuestion *question = &ask->question;
	PaLocalEstimate steps;

	check(pa_estimate_additive(&question->additive, ask->noise_variance, tally->total,
							   (uint64_t) tally->answered, PA_CONFIDENCE, &steps));
	return scaled(steps, question->low * tally->answered, question->step);
}

/* Sum of the values of those who answered; at least one did. */
static PaLocalEstimate
estimate_sum(const PaAsk *ask, const PaTally *tally)
{
	PaLocalEstimate sum;

	if (ask->question.kind == PA_ASK_ADDITIVE)
		return estimate_additive(ask, tally);
	check(pa_estimate_sum(&ask->question.binary, (uint64_t) tally->hits, (uint64_t) tally->answered, PA_CONFIDENCE, &sum));
	return sum;
}

static PaEstimate
to_estimate(PaLocalEstimate local, const PaTally *tally, int64 asked)
{
	return (PaEstimate) {.value = local.value,.low = local.low,.high = local.high,.acceptance = NAN,
		.error = local.error,.answered = tally->answered,.asked = asked};
}

/* --- values --- */

static char *
category_text(const PaAsk *ask, int category)
{
	Oid			output;
	bool		varlena;

	if (ask->category_nulls[category])
		return NULL;
	getTypeOutputInfo(ask->category_type, &output, &varlena);
	return OidOutputFunctionCall(output, ask->categories[category]);
}

/* {"value": estimated number of owners, ...} */
static Datum
histogram(const PaRespondents *respondents, Row *row, const PaAsk *ask, const PaTally *tally, int64 asked)
{
	StringInfoData json;

	initStringInfo(&json);
	for (uint32 i = 0; i < ask->question.response.categories; i++)
	{
		PaLocalEstimate count;
		PaEstimate	estimate;
		char	   *text = category_text(ask, (int) i);

		check(pa_estimate_category(&ask->question.response, tally->counts ? (uint64_t) tally->counts[i] : 0,
								   (uint64_t) tally->answered, PA_CONFIDENCE, &count));
		estimate = to_estimate(count, tally, asked);
		appendStringInfoString(&json, i == 0 ? "{" : ", ");
		escape_json(&json, text ? text : NULL_KEY);
		appendStringInfo(&json, ": %.17g", count.value);
		pa_intervals_add(respondents->spec->leaf->nkeys, row->key_texts,
						 psprintf("%s: %s", ask->call->label, text ? text : NULL_KEY), &estimate);
	}
	appendStringInfoChar(&json, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}

/* Without an answer there is nothing to be said. */
static Datum
value_of(const PaRespondents *respondents, Row *row, int i, int group, PaEstimate *estimate, bool *isnull)
{
	const PaAsk *ask = &respondents->asks[i];
	const PaTally *tally = &respondents->tallies[i][group];
	int64		asked = respondents->asked[group];
	PaLocalEstimate local;

	*isnull = tally->answered == 0;
	if (*isnull)
	{
		*estimate = to_estimate((PaLocalEstimate) {NAN, NAN, -INFINITY, INFINITY}, tally, asked);
		pa_intervals_add(respondents->spec->leaf->nkeys, row->key_texts, ask->call->label, estimate);
		return (Datum) 0;
	}
	if (ask->call->kind == PA_AGG_LDP_HISTOGRAM)
		return histogram(respondents, row, ask, tally, asked);
	local = estimate_sum(ask, tally);
	if (ask->call->kind == PA_AGG_LDP_AVG)
		local = pa_estimate_per_owner(local, (uint64_t) tally->answered);
	*estimate = to_estimate(local, tally, asked);
	pa_intervals_add(respondents->spec->leaf->nkeys, row->key_texts, ask->call->label, estimate);
	return Float8GetDatum(local.value);
}

/* --- rows --- */

static void
set_keys(const PaRespondents *respondents, Row *row, int group)
{
	const PaLeafSpec *leaf = respondents->spec->leaf;
	Datum		keys[PA_MAX_KEYS];
	bool		nulls[PA_MAX_KEYS];

	pa_groups_keys(respondents->groups, group, keys, nulls);
	for (int i = 0; i < leaf->nkeys; i++)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(leaf->keys[i].type, &output, &varlena);
		row->key_texts[i] = nulls[i] ? NULL : OidOutputFunctionCall(output, keys[i]);
	}
	for (int i = 0; i < leaf->ncolumns; i++)
	{
		row->nulls[i] = leaf->columns[i] < 0 || leaf->columns[i] >= PA_AGGREGATE_COLUMN(0) || nulls[leaf->columns[i]];
		row->values[i] = row->nulls[i] ? (Datum) 0 : keys[leaf->columns[i]];
	}
}

static void
store_estimates(const PaRespondents *respondents, Row *row, int group)
{
	const PaLeafSpec *leaf = respondents->spec->leaf;

	for (int i = 0; i < leaf->naggregates; i++)
	{
		PaEstimate	estimate;
		bool		isnull;
		Datum		value = value_of(respondents, row, i, group, &estimate, &isnull);

		for (int j = 0; j < leaf->ncolumns; j++)
			if (PA_IS_INTERVAL_COLUMN(leaf->columns[j]) && PA_AGGREGATE_OF_COLUMN(leaf->columns[j]) == i)
				row->values[j] = pa_interval_datum(leaf->columns[j], &estimate, &row->nulls[j]);
			else if (leaf->columns[j] == PA_AGGREGATE_COLUMN(i))
			{
				row->values[j] = value;
				row->nulls[j] = isnull;
			}
	}
	tuplestore_putvalues(row->store, row->desc, row->values, row->nulls);
}

static void
repeat_row(const Row *row, int64 times)
{
	for (int64 i = 0; i < times; i++)
	{
		CHECK_FOR_INTERRUPTS();
		tuplestore_putvalues(row->store, row->desc, row->values, row->nulls);
	}
}

static int
compare_outputs(const void *a, const void *b)
{
	int64		left = *(const int64 *) a,
				right = *(const int64 *) b;

	return (left > right) - (left < right);
}

/*
 * One row for each answer, in the order of the answers: rows in the order of
 * owners would tell whose they are to whoever knows that order.
 */
static void
store_responses(const PaRespondents *respondents, Row *row, int group)
{
	const PaAsk *ask = &respondents->asks[0];
	const PaTally *tally = &respondents->tallies[0][group];
	int			column = 0;

	while (respondents->spec->leaf->columns[column] != PA_AGGREGATE_COLUMN(0))
		column++;				/* what is sorted by is not pruned */
	row->nulls[column] = false;
	switch (ask->question.kind)
	{
		case PA_ASK_RESPONSE:
			for (uint32 i = 0; tally->counts && i < ask->question.response.categories; i++)
			{
				row->values[column] = ask->categories[i];
				row->nulls[column] = ask->category_nulls[i];
				repeat_row(row, tally->counts[i]);
			}
			break;
		case PA_ASK_ADDITIVE:
			if (tally->answered > 0)
				qsort(tally->outputs, tally->answered, sizeof(int64), compare_outputs);
			for (int64 i = 0; i < tally->answered; i++)
			{
				row->values[column] = Float8GetDatum(ask->question.low + ask->question.step * (double) tally->outputs[i]);
				repeat_row(row, 1);
			}
			break;
		case PA_ASK_BINARY:
		case PA_ASK_LINEAR:
		case PA_ASK_LOGISTIC:
		case PA_ASK_CENTRAL:
			row->values[column] = Float8GetDatum(ask->question.binary.low);
			repeat_row(row, tally->answered - tally->hits);
			row->values[column] = Float8GetDatum(ask->question.binary.high);
			repeat_row(row, tally->hits);
			break;
	}
}

static bool
lists_responses(const PaLeafSpec *leaf)
{
	return leaf->naggregates == 1 && leaf->aggregates[0].kind == PA_AGG_LDP_RESPONSE;
}

void
pa_local_store(PaRespondents *respondents, Tuplestorestate *store, TupleDesc desc)
{
	const PaLeafSpec *leaf = respondents->spec->leaf;
	Row			row = {store, desc, palloc0(sizeof(Datum) * Max(leaf->ncolumns, 1)),
	palloc0(sizeof(bool) * Max(leaf->ncolumns, 1)), palloc0(sizeof(char *) * Max(leaf->nkeys, 1))};
	int		   *order = pa_groups_order(respondents->groups);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct local rows", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	for (int i = 0; i < pa_groups_count(respondents->groups); i++)
	{
		CHECK_FOR_INTERRUPTS();
		set_keys(respondents, &row, order[i]);
		if (lists_responses(leaf))
			store_responses(respondents, &row, order[i]);
		else
			store_estimates(respondents, &row, order[i]);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
