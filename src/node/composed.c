/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composed.c
 *		See composed.h.
 *
 * Its expressions are total, and of functions alone that are built in or ours.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"

#include "node/composed.h"
#include "price/form/estimate.h"

/* Behind the steps: its value and the ends of its interval */
#define RESULTS 3

typedef struct Composition
{
	TupleTableSlot *parts;		/* PA_PART_COLUMN() */
	TupleTableSlot *steps;		/* what was computed, in order */
	int			nexpressions;
	ExprState **expressions;
} Composition;

struct PaComposing
{
	const PaLeafSpec *spec;
	ExprContext *context;
	Composition *compositions;
};

static TupleTableSlot *
parts_slot(const PaLeafSpec *spec, const PaLeafComposed *composed)
{
	TupleDesc	desc = CreateTemplateTupleDesc(PA_PART_COLUMN(composed->nparts - 1, PA_SHOWN_HIGH));

	for (int i = 0; i < composed->nparts; i++)
	{
		TupleDescInitEntry(desc, PA_PART_COLUMN(i, PA_SHOWN_VALUE), "value", spec->aggregates[composed->parts[i]].result_type, -1, 0);
		TupleDescInitEntry(desc, PA_PART_COLUMN(i, PA_SHOWN_LOW), "low", FLOAT8OID, -1, 0);
		TupleDescInitEntry(desc, PA_PART_COLUMN(i, PA_SHOWN_HIGH), "high", FLOAT8OID, -1, 0);
	}
	return MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
}

static TupleTableSlot *
steps_slot(int count)
{
	TupleDesc	desc = CreateTemplateTupleDesc(count);

	for (int i = 0; i < count; i++)
		TupleDescInitEntry(desc, i + 1, "step", FLOAT8OID, -1, 0);
	return MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
}

static Composition
begin(const PaLeafSpec *spec, const PaLeafComposed *composed)
{
	List	   *expressions = stringToNode(composed->expressions);
	int			count = list_length(expressions);
	Composition composition = {parts_slot(spec, composed), steps_slot(count), count, palloc(sizeof(ExprState *) * count)};

	fix_opfuncids((Node *) expressions);
	for (int i = 0; i < count; i++)
		composition.expressions[i] = ExecInitExpr(list_nth(expressions, i), NULL);
	return composition;
}

PaComposing *
pa_composing_begin(const PaLeafSpec *spec)
{
	PaComposing *composing;

	if (spec->ncomposed == 0)
		return NULL;
	composing = palloc(sizeof(PaComposing));
	*composing = (PaComposing) {spec, CreateStandaloneExprContext(), palloc(sizeof(Composition) * spec->ncomposed)};
	for (int i = 0; i < spec->ncomposed; i++)
		composing->compositions[i] = begin(spec, &spec->composed[i]);
	return composing;
}

static void
put_parts(const PaLeafSpec *spec, const PaLeafComposed *composed, const PaEstimate *estimates, TupleTableSlot *slot)
{
	ExecClearTuple(slot);
	for (int i = 0; i < composed->nparts; i++)
	{
		int			first = PA_PART_COLUMN(i, PA_SHOWN_VALUE) - 1;
		const PaEstimate *together = &estimates[composed->together[i]];

		slot->tts_values[first] = pa_estimate_datum(&spec->aggregates[composed->parts[i]], &estimates[composed->parts[i]]);
		slot->tts_values[first + 1] = pa_interval_datum(PA_LOW_COLUMN(0), together, &slot->tts_isnull[first + 1]);
		slot->tts_values[first + 2] = pa_interval_datum(PA_HIGH_COLUMN(0), together, &slot->tts_isnull[first + 2]);
		slot->tts_isnull[first] = false;
	}
	ExecStoreVirtualTuple(slot);
}

/* A step is not asked for before it is there. */
static void
compute(const Composition *composition, ExprContext *context)
{
	TupleTableSlot *steps = composition->steps;

	ExecStoreAllNullTuple(steps);
	context->ecxt_scantuple = composition->parts;
	context->ecxt_innertuple = steps;
	for (int i = 0; i < composition->nexpressions; i++)
		steps->tts_values[i] = ExecEvalExprSwitchContext(composition->expressions[i], context, &steps->tts_isnull[i]);
}

static double
result(const Composition *composition, PaShown shown)
{
	int			step = composition->nexpressions - RESULTS + (int) shown;

	return composition->steps->tts_isnull[step] ? NAN : DatumGetFloat8(composition->steps->tts_values[step]);
}

PaEstimate
pa_compose_estimate(PaComposing *composing, int composed, const PaEstimate *estimates)
{
	const Composition *composition = &composing->compositions[composed];

	ResetExprContext(composing->context);
	put_parts(composing->spec, &composing->spec->composed[composed], estimates, composition->parts);
	compute(composition, composing->context);
	return (PaEstimate) {
		.value = result(composition, PA_SHOWN_VALUE),
			.low = result(composition, PA_SHOWN_LOW),
			.high = result(composition, PA_SHOWN_HIGH),
			.acceptance = NAN
	};
}
