/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likelihoods.c
 *		SQL-callable side of the likelihood tables: what owners' answers say of each value.
 *
 * They are read from the book, so they are those after the last question, wherever the
 * catalog keeps its answers.  A table follows from published answers; whose it is does not,
 * and with it one looks for values: so they are for the table's owner alone.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "compat/version.h"
#include "core/bayes/measures.h"
#include "server_environment.h"
#include "local/odometer.h"
#include "local/steps.h"

PG_FUNCTION_INFO_V1(pa_local_likelihoods);
PG_FUNCTION_INFO_V1(pa_local_points);
PG_FUNCTION_INFO_V1(pa_local_cells);

static Datum
array_of(const double *values, size_t count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));
	Datum		array;

	for (size_t i = 0; i < count; i++)
		elements[i] = Float8GetDatum(values[i]);
	array = PointerGetDatum(construct_array(elements, (int) count, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	pfree(elements);
	return array;
}

/* Rows are made in a memory of their own: a table has up to 65,536 numbers. */
static void
put_state(ReturnSetInfo *result, int number, int64 owners, const PaOwnerState *state, const double *prior)
{
	const PaLikelihood *table = &state->likelihood;
	double	   *likelihood = palloc(sizeof(double) * table->size);
	double	   *posterior = palloc(sizeof(double) * table->size);
	PaRealisedMeasures measures;
	Datum		values[6] = {Int32GetDatum(number), Int64GetDatum(owners), array_of(table->value, table->size)};
	bool		nulls[6] = {false};

	for (size_t x = 0; x < table->size; x++)
		likelihood[x] = exp(table->value[x]);
	values[3] = array_of(likelihood, table->size);
	nulls[4] = pa_realised_measures(table->value, prior, table->size, pa_server_environment(), &measures, posterior) != PA_OK;
	CHECK_FOR_INTERRUPTS();
	if (!nulls[4])				/* values without prior mass may be all that is possible */
		values[4] = array_of(posterior, table->size);
	values[5] = Float8GetDatum(state->borne.beside);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _local_likelihoods(relation): state, owners, log_likelihood, likelihood, posterior, beside */
PGDLLEXPORT Datum
pa_local_likelihoods(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const PaPolicy *policy = pa_odometer_policy(PG_GETARG_OID(0));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct likelihood", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller;
	PaBook	   *book;
	const double *prior;
	const int64 *owners;

	pa_odometer_require_owner(PG_GETARG_OID(0));
	InitMaterializedSRF(fcinfo, 0);
	book = pa_odometer_book(policy);
	if (book == NULL)
		return (Datum) 0;
	prior = pa_odometer_prior(policy, &book->domain);
	owners = pa_book_owners_of_states(book);
	caller = MemoryContextSwitchTo(context);
	for (int i = 0; i < book->nstates; i++)
	{
		put_state(result, i, owners[i], pa_book_state(book, i), prior);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return (Datum) 0;
}

/* --- cells --- */

/* A row for each cell of an interval column, from its lower end on. */
static void
put_cells(ReturnSetInfo *result, const PaPolicy *policy, const PaDomain *domain, PaSteps *steps, int number, const PaOwnerState *state, int column)
{
	int			dimension = domain->dimension[column];
	PaCuts		cuts = pa_steps_cuts(steps, dimension);
	PaLikelihood table = pa_steps_table(steps, state, dimension);
	const PaDomainColumn *declared = list_nth(pa_policy_domains(policy), column);
	NameData	name;

	namestrcpy(&name, get_attname(policy->relation, declared->attnum, false));
	for (int cell = 0; cell <= cuts.count; cell++)
	{
		Datum		values[5] = {Int32GetDatum(number), NameGetDatum(&name),
			Float8GetDatum(cell == 0 ? domain->low[dimension] : cuts.cut[cell - 1]),
		Float8GetDatum(cell == cuts.count ? domain->high[dimension] : cuts.cut[cell]), Float8GetDatum(table.value[cell])};
		bool		nulls[5] = {false};

		CHECK_FOR_INTERRUPTS();
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* _local_cells(relation): state, column, low, high, log_likelihood */
PGDLLEXPORT Datum
pa_local_cells(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const PaPolicy *policy = pa_odometer_policy(PG_GETARG_OID(0));
	PaBook	   *book;
	PaSteps    *steps;

	pa_odometer_require_owner(PG_GETARG_OID(0));
	InitMaterializedSRF(fcinfo, 0);
	book = pa_odometer_book(policy);
	if (book == NULL)
		return (Datum) 0;
	steps = pa_steps_make(book, NULL);
	for (int state = 0; state < book->nstates; state++)
		for (int i = 0; i < book->domain.ncolumns; i++)
			if (book->domain.dimension[i] >= 0 && pa_steps_cuts(steps, book->domain.dimension[i]).count > 0)
				put_cells(result, policy, &book->domain, steps, state, pa_book_state(book, state), i);
	return (Datum) 0;
}

/* --- points --- */

/* The values of a listed column as texts, in the order of their places; NULL for null. */
static char **
texts_of(const PaDomainColumn *column)
{
	char	  **texts = palloc(sizeof(char *) * column->count);
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(column->type, &output, &varlena);
	for (int i = 0; i < column->count; i++)
		texts[i] = column->nulls[i] ? NULL : OidOutputFunctionCall(output, column->values[i]);
	return texts;
}

typedef struct Listed
{
	const char *name;
	char	  **texts;
	const uint32 *places;		/* of each point */
} Listed;

static int
list_columns(const PaPolicy *policy, const PaDomain *domain, Listed *listed)
{
	int			count = 0;
	int			index = 0;
	ListCell   *cell;

	foreach(cell, pa_policy_domains(policy))
	{
		const PaDomainColumn *column = lfirst(cell);
		int			i = index++;

		if (column->listed)
			listed[count++] = (Listed) {get_attname(policy->relation, column->attnum, false), texts_of(column),
			pa_domain_project(domain, 1, &i)};
	}
	return count;
}

/* {"column": "value", ...} */
static Datum
point_as_json(const Listed *listed, int count, size_t x)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	for (int i = 0; i < count; i++)
	{
		const char *text = listed[i].texts[listed[i].places[x]];

		appendStringInfoString(&json, i > 0 ? ", " : "");
		escape_json(&json, listed[i].name);
		appendStringInfoString(&json, ": ");
		if (text)
			escape_json(&json, text);
		else
			appendStringInfoString(&json, "null");
	}
	appendStringInfoChar(&json, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}

/* _local_points(relation): point, its values, prior */
PGDLLEXPORT Datum
pa_local_points(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const PaPolicy *policy = pa_odometer_policy(PG_GETARG_OID(0));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct point", ALLOCSET_DEFAULT_SIZES);
	PaDomain	domain = pa_domain_of(policy);
	const double *prior = pa_odometer_prior(policy, &domain);
	Listed	   *listed = palloc(sizeof(Listed) * Max(domain.ncolumns, 1));
	int			count = list_columns(policy, &domain, listed);

	pa_odometer_require_owner(PG_GETARG_OID(0));
	InitMaterializedSRF(fcinfo, 0);
	for (size_t x = 0; x < domain.points; x++)
	{
		MemoryContext caller = MemoryContextSwitchTo(context);
		Datum		values[3] = {Int32GetDatum((int) x + 1), point_as_json(listed, count, x),
		Float8GetDatum(prior ? prior[x] : 1.0 / (double) domain.points)};
		bool		nulls[3] = {false};

		CHECK_FOR_INTERRUPTS();
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(context);
	}
	MemoryContextDelete(context);
	return (Datum) 0;
}
