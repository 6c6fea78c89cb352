/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * central_row.c
 *		A row of a central release: what becomes of it, whether it was just made or is repeated.
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "node/central.h"
#include "node/composed.h"
#include "node/intervals.h"
#include "price/form/estimate.h"

static void
remember_intervals(const PaLeafState *state, const Datum *keys, const bool *nulls, const PaEstimate *estimates)
{
	const PaLeafSpec *spec = state->spec;
	char	   *texts[PA_MAX_KEYS];

	for (int i = 0; i < spec->nkeys; i++)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(spec->keys[i].type, &output, &varlena);
		texts[i] = nulls[i] ? NULL : OidOutputFunctionCall(output, keys[i]);
	}
	for (int i = 0; i < spec->ncomposed; i++)
	{
		PaEstimate	estimate = pa_compose_estimate(state->composing, i, estimates);

		pa_intervals_add(spec->nkeys, texts, spec->composed[i].label, &estimate);
	}
	for (int i = 0; i < spec->naggregates; i++)
	{
		if (spec->aggregates[i].together > 0)
			continue;
		pa_intervals_add(spec->nkeys, texts, spec->aggregates[i].label, &estimates[i]);
		if (spec->aggregates[i].kind == PA_AGG_COUNT_ROWS || spec->aggregates[i].kind == PA_AGG_COUNT)
			pa_intervals_count(spec->tables[0].relation, estimates[i].value);
	}
}

/* As PostgreSQL has it: a bit for each of its arguments, 1 where the row is not grouped by it. */
static Datum
grouping_value(const PaLeafGrouping *grouping, uint32 level)
{
	uint32		value = 0;

	for (int i = 0; i < grouping->nkeys; i++)
		value = value << 1 | (~level >> grouping->keys[i] & 1);
	return Int32GetDatum((int32) value);
}

/* What a column shows of an aggregate, or of GROUPING(). */
static Datum
released_value(const PaLeafSpec *spec, int column, uint32 level, const PaEstimate *estimates, bool *isnull)
{
	int			aggregate = PA_AGGREGATE_OF_COLUMN(column);

	if (column >= PA_GROUPING_COLUMN(0))
		return grouping_value(&spec->groupings[column - PA_GROUPING_COLUMN(0)], level);
	if (PA_IS_INTERVAL_COLUMN(column))
		return pa_interval_datum(column, &estimates[aggregate], isnull);
	return pa_estimate_datum(&spec->aggregates[aggregate], &estimates[aggregate]);
}

void
pa_central_store_row(PaLeafState *state, uint32 level, const Datum *keys, const bool *key_nulls,
					 const PaEstimate *estimates, bool remember)
{
	const PaLeafSpec *spec = state->spec;
	Datum	   *values = palloc0(sizeof(Datum) * Max(spec->ncolumns, 1));
	bool	   *nulls = palloc0(sizeof(bool) * Max(spec->ncolumns, 1));

	for (int i = 0; i < spec->ncolumns; i++)
	{
		int			column = spec->columns[i];

		nulls[i] = column < 0 || (column < PA_AGGREGATE_COLUMN(0) && key_nulls[column]);
		if (column >= PA_AGGREGATE_COLUMN(0))
			values[i] = released_value(spec, column, level, estimates, &nulls[i]);
		else if (!nulls[i])
			values[i] = keys[column];
	}
	tuplestore_putvalues(state->store, state->stored->tts_tupleDescriptor, values, nulls);
	if (remember)
		remember_intervals(state, keys, key_nulls, estimates);
}
