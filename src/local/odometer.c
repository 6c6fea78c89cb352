/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * odometer.c
 *		SQL-callable side of the states: what owners have lost so far.
 *
 * States follow from published answers, so what is said of them without owners
 * is public.  Which owner is in which state is for the table's owner alone.
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/tuplestore.h"

#include "core/bayes/measures.h"
#include "server_environment.h"
#include "errors.h"
#include "local/admit.h"
#include "local/odometer.h"
#include "local/book/session_books.h"

PG_FUNCTION_INFO_V1(pa_local_states);
PG_FUNCTION_INFO_V1(pa_owner_states);
PG_FUNCTION_INFO_V1(pa_owners_left);

enum
{
	COL_STATE, COL_OWNERS, COL_REALISED, COL_CENTRAL, COL_WORST_CASE, COL_RHO, COL_LEFT, COL_MBP, COL_ABP, COL_FOLDED, COLUMNS
};

/* Whoever may ask the table may see what answers have given away, and its owner. */
const PaPolicy *
pa_odometer_policy(Oid relation)
{
	const PaPolicy *policy = pa_policy_of(relation);

	if (policy == NULL || policy->regime != PA_REGIME_LOCAL)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("table has no local policy"),
				errhint("States are kept for tables that are protected with regime => 'local'."));
	if (!pa_reads_raw(relation, GetUserId()) && !OidIsValid(pa_policy_payer(policy, GetUserId())))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(relation));
	return policy;
}

void
pa_odometer_require_owner(Oid relation)
{
	if (!pa_reads_raw(relation, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relation));
}

double *
pa_odometer_prior(const PaPolicy *policy, const PaDomain *domain)
{
	double	   *prior;
	bool		given = false;
	int			i = 0;
	ListCell   *cell;

	foreach(cell, pa_policy_domains(policy))
		given |= ((PaDomainColumn *) lfirst(cell))->prior != NULL;
	if (!given)
		return NULL;
	prior = palloc(sizeof(double) * domain->points);
	for (size_t x = 0; x < domain->points; x++)
		prior[x] = 1;
	foreach(cell, pa_policy_domains(policy))
	{
		const PaDomainColumn *column = lfirst(cell);
		int			index = i++;
		uint32	   *places;

		if (!column->listed)
			continue;
		places = pa_domain_project(domain, 1, &index);
		for (size_t x = 0; x < domain->points; x++)
			prior[x] *= column->prior ? column->prior[places[x]] : 1.0 / column->count;
		pfree(places);
	}
	return prior;
}

/*
 * Of the local answers: exact for listed columns; where there are answers about
 * the box, whose values are taken to be independent of the listed ones, an upper
 * bound.
 */
static void
put_measures(Datum *values, bool *nulls, const PaOwnerState *state, const double *prior)
{
	PaRealisedMeasures measures;

	if (pa_realised_measures(state->likelihood.value, prior, state->likelihood.size, pa_server_environment(), &measures, NULL) != PA_OK)
	{
		CHECK_FOR_INTERRUPTS();
		nulls[COL_MBP] = nulls[COL_ABP] = true;
		return;
	}
	values[COL_MBP] = Float8GetDatum(measures.mbp + state->borne.beside);
	values[COL_ABP] = Float8GetDatum(state->borne.beside == 0 ? measures.abp : pa_abp_of_mbp(measures.mbp + state->borne.beside));
}

PaBook *
pa_odometer_book(const PaPolicy *policy)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	PaBook	   *volatile book = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		book = pa_book_open(policy);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_PA_LEDGER_UNAVAILABLE)
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	return book;
}

/* One state, of everybody, in which nothing is left. */
static void
put_spent(ReturnSetInfo *result, const PaPolicy *policy)
{
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	values[COL_STATE] = Int32GetDatum(0);
	values[COL_OWNERS] = Int64GetDatum(0);
	values[COL_REALISED] = values[COL_WORST_CASE] = values[COL_CENTRAL] = Float8GetDatum(policy->filter.epsilon);
	values[COL_RHO] = values[COL_LEFT] = values[COL_FOLDED] = Float8GetDatum(0);
	nulls[COL_MBP] = nulls[COL_ABP] = true;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static double
left_of(const PaPolicy *policy, const PaOwnerState *state)
{
	return pa_filter_left(&policy->filter, &state->borne, &state->likelihood);
}

PGDLLEXPORT Datum
pa_local_states(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const PaPolicy *policy = pa_odometer_policy(PG_GETARG_OID(0));
	PaBook	   *book = pa_odometer_book(policy);
	const double *prior;
	const int64 *owners;

	InitMaterializedSRF(fcinfo, 0);
	if (book == NULL)
	{
		put_spent(result, policy);
		return (Datum) 0;
	}
	prior = pa_odometer_prior(policy, &book->domain);
	owners = pa_book_owners_of_states(book);
	for (int i = 0; i < book->nstates; i++)
	{
		PaOwnerState refined = *pa_book_state(book, i);
		PaOwnerState *state = &refined;
		Datum		values[COLUMNS];
		bool		nulls[COLUMNS] = {false};

		CHECK_FOR_INTERRUPTS();
		pa_state_refine(policy, book, state);
		values[COL_STATE] = Int32GetDatum(i);
		values[COL_OWNERS] = Int64GetDatum(owners[i]);
		values[COL_REALISED] = Float8GetDatum(pa_state_loss(state));
		values[COL_CENTRAL] = Float8GetDatum(state->borne.central);
		values[COL_WORST_CASE] = Float8GetDatum(state->borne.basic + state->borne.central);
		values[COL_RHO] = Float8GetDatum(state->borne.rho);
		values[COL_LEFT] = Float8GetDatum(left_of(policy, state));
		values[COL_FOLDED] = Float8GetDatum(state->folded);
		put_measures(values, nulls, state, prior);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* A search can only find that more is left. */
static bool
can_bear(const PaPolicy *policy, const PaBook *book, int number, double epsilon)
{
	PaOwnerState state = *pa_book_state(book, number);

	if (left_of(policy, &state) >= epsilon)
		return true;
	pa_state_refine(policy, book, &state);
	return left_of(policy, &state) >= epsilon;
}

/* owners_left(relation, epsilon) */
PGDLLEXPORT Datum
pa_owners_left(PG_FUNCTION_ARGS)
{
	const PaPolicy *policy = pa_odometer_policy(PG_GETARG_OID(0));
	double		epsilon = PG_GETARG_FLOAT8(1) * (1 - 1e-9);
	PaBook	   *book = pa_odometer_book(policy);
	const int64 *owners = book ? pa_book_owners_of_states(book) : NULL;
	int64		able = 0;

	for (int i = 1; book && i < book->nstates; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (can_bear(policy, book, i, epsilon))
			able += owners[i];
	}
	PG_RETURN_INT64(able);
}

/* Owner and state of one row of the table. */
static void
put_owner(ReturnSetInfo *result, const PaPolicy *policy, const PaBook *book, HeapTuple row, TupleDesc desc)
{
	Datum		values[2];
	bool		nulls[2] = {false};
	bool		isnull;
	Datum		owner = SPI_getbinval(row, desc, 1, &isnull);
	int			number = book ? pa_book_find(book, pa_book_key(book, policy->owner_type, owner)) : -1;

	values[0] = CStringGetTextDatum(SPI_getvalue(row, desc, 1));
	values[1] = Int32GetDatum(number < 0 ? 0 : book->states[number]);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _owner_states(relation): the table's owners as of now, read with the caller's rights, and their states */
PGDLLEXPORT Datum
pa_owner_states(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			relation = PG_GETARG_OID(0);
	const PaPolicy *policy = pa_odometer_policy(relation);
	PaBook	   *book = pa_odometer_book(policy);
	Portal		rows;

	pa_odometer_require_owner(relation);
	pa_require_owner_column(policy);
	InitMaterializedSRF(fcinfo, 0);
	SPI_connect();
	rows = SPI_cursor_parse_open(NULL,
								 psprintf("SELECT %s FROM %s",
										  quote_identifier(get_attname(relation, policy->owner_attnum, false)),
										  quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)),
																	 get_rel_name(relation))),
								 &(SPIParseOpenOptions) {.read_only = true});
	for (;;)
	{
		SPI_cursor_fetch(rows, true, 10000);
		if (SPI_processed == 0)
			break;
		for (uint64 i = 0; i < SPI_processed; i++)
			put_owner(result, policy, book, SPI_tuptable->vals[i], SPI_tuptable->tupdesc);
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_cursor_close(rows);
	SPI_finish();
	return (Datum) 0;
}
