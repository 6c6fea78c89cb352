/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pufferfish.c
 *		Influence curves and Pufferfish budgets of what is given.
 *
 * Thin wrappers over core/pufferfish; they read nothing but their arguments.  A
 * curve is given as two arrays, b and a, and the longest owner (null: any length).
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/tuplestore.h"

#include "compat/version.h"
#include "core/pufferfish/chain_fit.h"
#include "core/pufferfish/odometer.h"
#include "amount.h"
#include "errors.h"
#include "function/prior.h"

/* Rows that no owner has: (0, this) is a point that never decides. */
#define NO_LONGEST (INT64_C(1) << 52)

#define LONGEST_ARGUMENT 2

static void PA_NORETURN
refuse(const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("invalid Pufferfish budget or secrets"),
			errdetail("%s", detail));
}

/* By address: the fault is written by the call that gives the status. */
static void
check(PaStatus status, const PaFault *fault)
{
	CHECK_FOR_INTERRUPTS();
	if (status != PA_OK)
		refuse(status == PA_INVALID ? psprintf("Reason: %s.", pa_fault_text(*fault)) : pa_status_text(status));
}

/* --- secrets --- */

static char **
read_texts(ArrayType *array, int *count)
{
	Datum	   *values;
	bool	   *nulls;
	char	  **texts;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, count);
	texts = palloc(sizeof(char *) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			refuse("A secret is null.");
		texts[i] = TextDatumGetCString(values[i]);
	}
	return texts;
}

static int
find_state(const PaPrior *prior, const char *name)
{
	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < prior->nstates; i++)
		if (strcmp(prior->states[i], name) == 0)
			return i;
	refuse("A secret is not among the states of the prior.");
}

/* Which states are secrets; null: all of them. */
static bool *
mark_secrets(const PaPrior *prior, ArrayType *secrets)
{
	bool	   *secret = palloc(sizeof(bool) * prior->nstates);
	int			count;
	char	  **names;

	memset(secret, secrets == NULL, prior->nstates);
	if (secrets == NULL)
		return secret;
	names = read_texts(secrets, &count);
	for (int i = 0; i < count; i++)
		secret[find_state(prior, names[i])] = true;
	return secret;
}

/* Every two of the secrets, in both orders. */
static PaSecretPair *
all_pairs(const PaPrior *prior, ArrayType *secrets, int *npairs)
{
	const bool *secret = mark_secrets(prior, secrets);
	PaSecretPair *pairs = palloc(sizeof(PaSecretPair) * prior->nstates * prior->nstates);

	*npairs = 0;
	for (int i = 0; i < prior->nstates; i++)
		for (int j = 0; j < prior->nstates; j++)
			if (i != j && secret[i] && secret[j])
				pairs[(*npairs)++] = (PaSecretPair) {i, j};
	return pairs;
}

/* The listed pairs, in both orders. */
static PaSecretPair *
listed_pairs(const PaPrior *prior, ArrayType *list, int *npairs)
{
	int			count;
	char	  **names;
	PaSecretPair *pairs;

	if (ARR_NDIM(list) != 2 || ARR_DIMS(list)[1] != 2)
		refuse("The pairs of secrets are not an array of pairs.");
	if (ARR_DIMS(list)[0] > prior->nstates * prior->nstates)
		refuse("There are more pairs of secrets than the states of the prior allow.");
	names = read_texts(list, &count);
	pairs = palloc(sizeof(PaSecretPair) * Max(count, 1));
	*npairs = 0;
	for (int i = 0; i < count; i += 2)
	{
		int			first = find_state(prior, names[i]);
		int			second = find_state(prior, names[i + 1]);

		if (first == second)
			refuse("A pair of secrets has the same value twice.");
		pairs[(*npairs)++] = (PaSecretPair) {first, second};
		pairs[(*npairs)++] = (PaSecretPair) {second, first};
	}
	return pairs;
}

static PaSecretPair *
wanted_pairs(const PaPrior *prior, ArrayType *secrets, ArrayType *list, int *npairs)
{
	PaSecretPair *pairs;

	if (prior->nstates == 0)
	{
		if (secrets || list)
			refuse("Secrets of a Gaussian prior are intervals: they cannot be listed.");
		*npairs = 0;
		return NULL;
	}
	if (secrets && list)
		refuse("Both secrets and pairs are given.");
	pairs = list ? listed_pairs(prior, list, npairs) : all_pairs(prior, secrets, npairs);
	if (*npairs == 0)
		refuse("There are no two secrets to tell apart.");
	return pairs;
}

/* --- influence_curve(priors, secrets, pairs, max_b): b, a, left, right --- */

static PaInfluence *
joint_curve(Jsonb *json, ArrayType *secrets, ArrayType *list, int most)
{
	int			npriors,
				npairs;
	PaPrior    *priors = pa_priors_read(json, &npriors);
	PaSecretPair *pairs = wanted_pairs(priors, secrets, list, &npairs);
	PaInfluence *all = palloc(sizeof(PaInfluence) * most);
	PaInfluence *one = palloc(sizeof(PaInfluence) * most);
	PaFault		fault = PA_FAULT_NONE;

	pa_prior_curve(&priors[0], pairs, npairs, most, all);
	for (int i = 1; i < npriors; i++)
	{
		pa_prior_curve(&priors[i], pairs, npairs, most, one);
		check(pa_curve_join(all, one, most, &fault), &fault);
	}
	return all;
}

PG_FUNCTION_INFO_V1(pa_influence_curve);
PGDLLEXPORT Datum
pa_influence_curve(PG_FUNCTION_ARGS)
{
	int			most = PG_ARGISNULL(3) ? 0 : PG_GETARG_INT32(3);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	PaInfluence *point;

	if (PG_ARGISNULL(0))
		ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("priors must not be null"));
	if (most < 1 || most > PA_MOST_POINTS)
		refuse(psprintf("The number of points is not between 1 and %d.", PA_MOST_POINTS));
	point = joint_curve(PG_GETARG_JSONB_P(0), PG_ARGISNULL(1) ? NULL : PG_GETARG_ARRAYTYPE_P(1),
						PG_ARGISNULL(2) ? NULL : PG_GETARG_ARRAYTYPE_P(2), most);
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < most; i++)
	{
		Datum		values[4] = {Int32GetDatum((int32) point[i].b), Float8GetDatum(point[i].a),
		Int32GetDatum(point[i].left), Int32GetDatum(point[i].right)};
		bool		nulls[4] = {false, false, point[i].left < 0, point[i].right < 0};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/* --- budgets --- */

/* The functions are not strict, for the longest owner may be null; nothing else may. */
static void
refuse_nulls(FunctionCallInfo fcinfo)
{
	for (int i = 0; i < PG_NARGS(); i++)
		if (i != LONGEST_ARGUMENT && PG_ARGISNULL(i))
			refuse("An argument is null.");
}

/* Points with finite a, and the longest owner: the first arguments.  Checks the others for nulls too. */
static PaCurve
read_curve(FunctionCallInfo fcinfo)
{
	ArrayType  *b;
	ArrayType  *a;
	int			count;
	PaInfluence *point;
	PaCurve		curve = {.longest = PG_ARGISNULL(LONGEST_ARGUMENT) ? NO_LONGEST : PG_GETARG_INT64(LONGEST_ARGUMENT)};

	refuse_nulls(fcinfo);
	b = PG_GETARG_ARRAYTYPE_P(0);
	a = PG_GETARG_ARRAYTYPE_P(1);
	count = ArrayGetNItems(ARR_NDIM(b), ARR_DIMS(b));
	curve.point = point = palloc0(sizeof(PaInfluence) * Max(count, 1));
	if (array_contains_nulls(a) || array_contains_nulls(b) || ArrayGetNItems(ARR_NDIM(a), ARR_DIMS(a)) != count)
		refuse("The arrays of the curve do not fit together.");
	for (int i = 0; i < count; i++)
	{
		point[curve.points].b = ((int32 *) ARR_DATA_PTR(b))[i];
		point[curve.points].a = ((double *) ARR_DATA_PTR(a))[i];
		point[curve.points].left = point[curve.points].right = -1;
		curve.points += !isinf(point[curve.points].a);
	}
	return curve;
}

static double
read_amount(Datum amount)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8, amount));
}

/* The shortest decimal below a number */
static Datum
amount_below(double value)
{
	PaAmount	amount;

	if (pa_amount_from_double_down(Min(value, 1e6), &amount) != PA_OK)
		refuse("An amount is out of range.");
	return pa_amount_datum(amount);
}

static Datum
amount_and_point(FunctionCallInfo fcinfo, Datum amount, const PaInfluence *point)
{
	Datum		values[3] = {amount, Int64GetDatum(point->b), Float8GetDatum(point->a)};
	bool		nulls[3] = {false, point->b == NO_LONGEST, point->b == NO_LONGEST};
	TupleDesc	shape;

	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls));
}

/* _pufferfish_limit(b, a, longest, epsilon): the largest sum per row, the point */
PG_FUNCTION_INFO_V1(pa_pufferfish_limit_sql);
PGDLLEXPORT Datum
pa_pufferfish_limit_sql(PG_FUNCTION_ARGS)
{
	PaCurve		curve = read_curve(fcinfo);
	PaInfluence point;
	PaFault		fault = PA_FAULT_NONE;
	double		sum;

	check(pa_pufferfish_limit(&curve, read_amount(PG_GETARG_DATUM(3)) * (1 - DBL_EPSILON), &sum, &point, &fault), &fault);
	if (point.b == NO_LONGEST)
		sum = 0;
	return amount_and_point(fcinfo, amount_below(sum * (1 - DBL_EPSILON)), &point);
}

/* _pufferfish_spent(b, a, longest, sum): what is spent, the point */
PG_FUNCTION_INFO_V1(pa_pufferfish_spent_sql);
PGDLLEXPORT Datum
pa_pufferfish_spent_sql(PG_FUNCTION_ARGS)
{
	PaCurve		curve = read_curve(fcinfo);
	PaInfluence point;
	PaFault		fault = PA_FAULT_NONE;
	double		spent;

	check(pa_pufferfish_spent(&curve, read_amount(PG_GETARG_DATUM(3)) * (1 + DBL_EPSILON), &spent, &point, &fault), &fault);
	if (point.b == NO_LONGEST && spent > 0)
		spent = INFINITY;		/* no point says anything */
	return amount_and_point(fcinfo, Float8GetDatum(spent), &point);
}

/* _pufferfish_needed(b, a, longest, sum, more): epsilon per row that raises what is spent by so much */
PG_FUNCTION_INFO_V1(pa_pufferfish_needed_sql);
PGDLLEXPORT Datum
pa_pufferfish_needed_sql(PG_FUNCTION_ARGS)
{
	PaCurve		curve = read_curve(fcinfo);
	PaFault		fault = PA_FAULT_NONE;
	double		epsilon;

	check(pa_pufferfish_needed(&curve, read_amount(PG_GETARG_DATUM(3)) * (1 + DBL_EPSILON), PG_GETARG_FLOAT8(4),
							   &epsilon, &fault), &fault);
	PG_RETURN_FLOAT8(epsilon);
}

/* _pufferfish_sums(b, a, longest, epsilons, counts): naive, paper */
PG_FUNCTION_INFO_V1(pa_pufferfish_sums_sql);
PGDLLEXPORT Datum
pa_pufferfish_sums_sql(PG_FUNCTION_ARGS)
{
	PaCurve		curve = read_curve(fcinfo);
	ArrayType  *epsilons = PG_GETARG_ARRAYTYPE_P(3);
	ArrayType  *counts = PG_GETARG_ARRAYTYPE_P(4);
	int			count = ArrayGetNItems(ARR_NDIM(epsilons), ARR_DIMS(epsilons));
	PaPufferfishRelease *releases = palloc(sizeof(PaPufferfishRelease) * Max(count, 1));
	PaPufferfishSums sums = {0};
	PaFault		fault = PA_FAULT_NONE;
	Datum		values[2];
	bool		nulls[2] = {false};
	TupleDesc	shape;

	if (array_contains_nulls(epsilons) || array_contains_nulls(counts))
		refuse("An epsilon or a count is null.");
	if (ArrayGetNItems(ARR_NDIM(counts), ARR_DIMS(counts)) != count)
		refuse("There are not as many counts as epsilons.");
	for (int i = 0; i < count; i++)
	{
		PaInfluence point;

		check(pa_pufferfish_spent(&curve, ((double *) ARR_DATA_PTR(epsilons))[i], &releases[i].epsilon, &point, &fault), &fault);
		releases[i].a = point.a;
		releases[i].b = point.b;
		releases[i].others = ((double *) ARR_DATA_PTR(counts))[i] - 1;
	}
	check(pa_pufferfish_sums(&curve, releases, count, &sums, &fault), &fault);
	if (get_call_result_type(fcinfo, NULL, &shape) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	values[0] = Float8GetDatum(sums.naive);
	values[1] = Float8GetDatum(sums.paper);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls));
}

/* _smooth_chain(counts, smoothing): m x m numbers, row by row, as a transition matrix */
PG_FUNCTION_INFO_V1(pa_smooth_chain);
PGDLLEXPORT Datum
pa_smooth_chain(PG_FUNCTION_ARGS)
{
	ArrayType  *counts = PG_GETARG_ARRAYTYPE_P_COPY(0);
	int			count = ArrayGetNItems(ARR_NDIM(counts), ARR_DIMS(counts));
	int			states = (int) rint(sqrt(count));
	double	   *matrix = (double *) ARR_DATA_PTR(counts);
	PaFault		fault = PA_FAULT_NONE;

	if (array_contains_nulls(counts) || states < 2 || states * states != count)
		refuse("The counts are not a square matrix.");
	check(pa_chain_fit(matrix, states, PG_GETARG_FLOAT8(1), matrix, &fault), &fault);
	PG_RETURN_ARRAYTYPE_P(counts);
}
