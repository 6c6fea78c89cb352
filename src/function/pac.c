/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pac.c
 *		Estimates that are probably approximately correct: accuracy, robustness, privacy.
 *
 * Thin wrappers over core/bayes/estimate.h, measures.h and pac.h; they read nothing but their arguments.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "compat/version.h"
#include "core/bayes/estimate.h"
#include "core/bayes/pac.h"
#include "function/measure.h"

/* The bit by which an ldp_avg is answered. */
static PaBinary
bit_of(double epsilon, double lo, double hi)
{
	PaBinary	binary;

	if (pa_binary_make(lo, hi, epsilon, &binary) != PA_OK)
		pa_measure_refuse("A number is out of its range.");
	return binary;
}

/* Of so many owners; NaN of none. */
static double
miss_of(const PaBinary *binary, int64 owners, double alpha)
{
	return owners < 1 ? NAN : pa_estimate_miss(binary, (uint64_t) owners, alpha);
}

/* pac_accuracy(epsilon, owners, alpha, lo, hi): beta, gamma, printed */
PG_FUNCTION_INFO_V1(pa_pac_accuracy);
PGDLLEXPORT Datum
pa_pac_accuracy(PG_FUNCTION_ARGS)
{
	double		epsilon = PG_GETARG_FLOAT8(0);
	PaBinary	binary = bit_of(epsilon, PG_GETARG_FLOAT8(3), PG_GETARG_FLOAT8(4));
	double		beta = miss_of(&binary, PG_GETARG_INT64(1), PG_GETARG_FLOAT8(2));

	/* another value of one owner changes any event by a factor of e^epsilon; the bound is for twice an MBP */
	return pa_measure_row(fcinfo, (double[]) {beta, pa_pac_gamma(epsilon / 2, beta), pa_pac_gamma_printed(epsilon, beta)}, 3);
}

/* pac_robustness(epsilon, beta): gamma, printed */
PG_FUNCTION_INFO_V1(pa_pac_robustness);
PGDLLEXPORT Datum
pa_pac_robustness(PG_FUNCTION_ARGS)
{
	double		epsilon = PG_GETARG_FLOAT8(0);
	double		beta = PG_GETARG_FLOAT8(1);

	return pa_measure_row(fcinfo, (double[]) {pa_pac_gamma(epsilon, beta), pa_pac_gamma_printed(epsilon, beta)}, 2);
}

/* pac_alpha(epsilon, owners, beta, lo, hi) */
PG_FUNCTION_INFO_V1(pa_pac_alpha);
PGDLLEXPORT Datum
pa_pac_alpha(PG_FUNCTION_ARGS)
{
	PaBinary	binary = bit_of(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(3), PG_GETARG_FLOAT8(4));
	int64		owners = PG_GETARG_INT64(1);

	return pa_measure_bound(owners < 1 ? NAN : pa_estimate_reach(&binary, (uint64_t) owners, PG_GETARG_FLOAT8(2)));
}

/* pac_owners(epsilon, alpha, beta, lo, hi) */
PG_FUNCTION_INFO_V1(pa_pac_owners);
PGDLLEXPORT Datum
pa_pac_owners(PG_FUNCTION_ARGS)
{
	PaBinary	binary = bit_of(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(3), PG_GETARG_FLOAT8(4));
	double		owners = pa_estimate_owners(&binary, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2));

	(void) pa_measure_bound(owners);
	if (owners > 0x1p52)
		pa_measure_refuse("So many owners there cannot be.");
	PG_RETURN_INT64((int64) owners);
}

static void
put_form(ReturnSetInfo *result, const char *measure, double epsilon, double beta, double alpha)
{
	Datum		values[4] = {CStringGetTextDatum(measure), pa_measure_bound(epsilon), pa_measure_bound(beta), Float8GetDatum(alpha)};
	bool		nulls[4] = {false};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* pac_forms(epsilon, owners, alpha, lo, hi, least_prior): measure, epsilon, beta, alpha */
PG_FUNCTION_INFO_V1(pa_pac_forms);
PGDLLEXPORT Datum
pa_pac_forms(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	double		epsilon = PG_GETARG_FLOAT8(0);
	double		alpha = PG_GETARG_FLOAT8(2);
	PaBinary	binary = bit_of(epsilon, PG_GETARG_FLOAT8(3), PG_GETARG_FLOAT8(4));
	double		beta = miss_of(&binary, PG_GETARG_INT64(1), alpha);
	double		mbp = pa_mbp_of_ldp(epsilon, PG_GETARG_FLOAT8(5));

	InitMaterializedSRF(fcinfo, 0);
	put_form(result, "LDP", epsilon, beta, alpha);
	put_form(result, "MBP", mbp, beta, alpha);
	put_form(result, "ABP", pa_abp_of_mbp_near(mbp, 0), beta, alpha);
	return (Datum) 0;
}

/* pac_private(alpha, gamma, epsilon, beta): scale, delta, private_alpha, private_gamma */
PG_FUNCTION_INFO_V1(pa_pac_private_of);
PGDLLEXPORT Datum
pa_pac_private_of(PG_FUNCTION_ARGS)
{
	PaPacPrivate made = pa_pac_private(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_FLOAT8(3));

	return pa_measure_row(fcinfo, (double[]) {made.scale, made.delta, made.alpha, made.gamma}, 4);
}

/* pac_share(epsilon, owners, beta, ratio, dimensions) */
PG_FUNCTION_INFO_V1(pa_pac_share_of);
PGDLLEXPORT Datum
pa_pac_share_of(PG_FUNCTION_ARGS)
{
	return pa_measure_bound(pa_pac_share(PG_GETARG_FLOAT8(0), (double) PG_GETARG_INT64(1), PG_GETARG_FLOAT8(2),
										 PG_GETARG_FLOAT8(3), PG_GETARG_INT32(4)));
}
