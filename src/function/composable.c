/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composable.c
 *		privacct.check_composable() and privacct.pufferfish_leakage(): what releases
 *		from finite models say about secrets when they are run again and again.
 *
 * Thin wrappers over core/pufferfish/composable.h; they read nothing but their
 * arguments.  docs/pufferfish-composition.md explains the figures.
 *
 * Secrets are numbered from 1 in SQL and from 0 here.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "core/pufferfish/composable.h"
#include "server_environment.h"
#include "errors.h"
#include "function/arrays.h"

#define MOST_DATASETS 4096
#define MOST_SECRETS 4096
#define MOST_PAIRS 65536
#define MOST_RUNS 1000

/* Both functions have their arguments in this order; the fourth of one is the fifth of the other. */
enum
{
	ARG_MECHANISMS, ARG_SECRETS, ARG_PRIOR
};

typedef struct Model
{
	PaReleases	releases;
	int			secrets;
	unsigned char *mask;		/* [secret * datasets + D] */
	int			pairs;
	PaSecretPair *pair;
	int			priors;			/* 0: nothing is known but that every data set is possible */
	const double *prior;		/* [k * datasets + D] */
} Model;

/* --- refusals --- */

static const PaArguments mechanisms_form = {
	.message = "invalid mechanism",
	.hint = "Give probabilities as [data set][output], such as {{0.7,0.3},{0.4,0.6}}, or as [mechanism][data set][output], with zeros where a mechanism has fewer outputs."
};
static const PaArguments secrets_form = {
	.message = "invalid secrets",
	.hint = "Give the number of the secret of each data set, counted from 1 without gaps, such as {1,1,2} (0: none of them), or a matrix [secret][data set] of 0 and 1."
};
static const PaArguments prior_form = {
	.message = "invalid prior",
	.hint = "Give a probability for each data set, such as {0.5,0.25,0.25}, or a row of them for each prior."
};
static const PaArguments pairs_form = {
	.message = "invalid pairs of secrets",
	.hint = "Give rows of two numbers of secrets that exclude each other, such as {{1,2},{2,1}}; null stands for all."
};
static const PaArguments runs_form = {
	.message = "invalid number of runs",
	.hint = "Give a number from 1 to 1000."
};
static const PaArguments size_form = {
	.message = "the model is too large",
	.hint = "Put data sets with equal rows and secrets together, and outputs whose columns are proportional; or ask for fewer pairs or runs."
};

static void
check(PaStatus status, PaFault fault)
{
	CHECK_FOR_INTERRUPTS();
	if (status == PA_INVALID)
		pa_arguments_refuse(&size_form, fault == PA_FAULT_SIZE ?
							"A linear program, or the outputs of that many runs, are too large to be computed." :
							psprintf("The computation reports: %s.", pa_fault_text(fault)));
	if (status == PA_NO_SOLUTION)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("the linear program could not be solved"));
	if (status != PA_OK)
		ereport(ERROR,
				errcode(status == PA_NO_MEMORY ? ERRCODE_OUT_OF_MEMORY : ERRCODE_QUERY_CANCELED),
				errmsg("the model was not computed: %s", pa_status_text(status)));
}

/* --- arguments --- */

/* A row of probabilities; "of" says which, if there are several kinds of rows. */
static void
check_row(const PaArguments *form, const double *row, int size, int number, const char *of)
{
	PaFault		fault = pa_fault_of_distribution(row, size);

	if (fault != PA_FAULT_NONE)
		pa_arguments_refuse(form, psprintf("Row %d%s: %s.", number, of, pa_fault_text(fault)));
}

static void
check_mechanism(const PaReleases *releases, int k)
{
	const PaMechanism *mechanism = &releases->mechanism[k];
	const char *of = releases->mechanisms > 1 ? psprintf(" of mechanism %d", k + 1) : "";

	for (int d = 0; d < releases->datasets; d++)
	{
		CHECK_FOR_INTERRUPTS();
		check_row(&mechanisms_form, mechanism->likelihood + (size_t) d * mechanism->outputs,
				  mechanism->outputs, d + 1, of);
	}
}

static void
read_mechanisms(FunctionCallInfo fcinfo, int most_dimensions, Model *model)
{
	PaArray		array;
	const double *value = pa_array_floats(&mechanisms_form, fcinfo, ARG_MECHANISMS, "The array of probabilities",
										  2, most_dimensions, &array);
	const int  *matrix = &array.size[array.dimensions - 2];
	int			count = array.dimensions == 3 ? array.size[0] : 1;
	PaMechanism *mechanism = palloc(sizeof(PaMechanism) * count);

	if (matrix[0] > MOST_DATASETS)
		pa_arguments_refuse(&size_form, psprintf("There are more than %d data sets.", MOST_DATASETS));
	for (int k = 0; k < count; k++)
		mechanism[k] = (PaMechanism) {.outputs = matrix[1],.likelihood = value + (size_t) k * matrix[0] * matrix[1]};
	model->releases = (PaReleases) {.datasets = matrix[0],.mechanisms = count,.mechanism = mechanism};
	for (int k = 0; k < count; k++)
		check_mechanism(&model->releases, k);
}

/* From a number for each data set */
static void
mark_numbers(Model *model, const int *number)
{
	int			n = model->releases.datasets;

	for (int d = 0; d < n; d++)
	{
		/* more secrets than data sets: some have none */
		if (number[d] < 0 || number[d] > n)
			pa_arguments_refuse(&secrets_form, "The numbers of secrets are not 1, 2, ... without gaps.");
		model->secrets = Max(model->secrets, number[d]);
	}
	model->mask = palloc0(Max((size_t) model->secrets * n, 1));
	for (int d = 0; d < n; d++)
		if (number[d] > 0)
			model->mask[(size_t) (number[d] - 1) * n + d] = 1;
}

/* From a row for each secret */
static void
mark_matrix(Model *model, const int *holds, const PaArray *array)
{
	model->secrets = array->size[0];
	if (model->secrets > MOST_SECRETS)
		pa_arguments_refuse(&size_form, psprintf("There are more than %d secrets.", MOST_SECRETS));
	model->mask = palloc(array->length);
	for (size_t i = 0; i < array->length; i++)
	{
		if (holds[i] != 0 && holds[i] != 1)
			pa_arguments_refuse(&secrets_form, "A matrix of secrets has entries other than 0 and 1.");
		model->mask[i] = holds[i];
	}
}

static void
read_secrets(FunctionCallInfo fcinfo, Model *model)
{
	int			n = model->releases.datasets;
	PaArray		array;
	const int  *given = pa_array_ints(&secrets_form, fcinfo, ARG_SECRETS, "The array of secrets", 1, 2, true, &array);

	if (array.size[array.dimensions - 1] != n)
		pa_arguments_refuse(&secrets_form, "The secrets do not have one entry for each data set.");
	if (array.dimensions == 1)
		mark_numbers(model, given);
	else
		mark_matrix(model, given, &array);
	for (int s = 0; s < model->secrets; s++)
		if (memchr(model->mask + (size_t) s * n, 1, n) == NULL)
			pa_arguments_refuse(&secrets_form, psprintf("Secret %d has no data set.", s + 1));
}

static void
read_prior(FunctionCallInfo fcinfo, Model *model)
{
	int			n = model->releases.datasets;
	PaArray		array;

	model->prior = pa_array_floats(&prior_form, fcinfo, ARG_PRIOR, "The prior", 1, 2, &array);
	if (array.size[array.dimensions - 1] != n)
		pa_arguments_refuse(&prior_form, "The prior does not have one entry for each data set.");
	model->priors = array.dimensions == 1 ? 1 : array.size[0];
	for (int k = 0; k < model->priors; k++)
	{
		CHECK_FOR_INTERRUPTS();
		check_row(&prior_form, model->prior + (size_t) k * n, n, k + 1, "");
	}
}

static bool
overlap(const Model *model, PaSecretPair pair)
{
	int			n = model->releases.datasets;
	const unsigned char *first = model->mask + (size_t) pair.first * n;
	const unsigned char *second = model->mask + (size_t) pair.second * n;

	for (int d = 0; d < n; d++)
		if (first[d] && second[d])
			return true;
	return false;
}

static void
add_pair(Model *model, PaSecretPair pair)
{
	if (model->pairs == MOST_PAIRS)
		pa_arguments_refuse(&size_form, psprintf("There are more than %d pairs of secrets.", MOST_PAIRS));
	model->pair[model->pairs++] = pair;
}

/* All ordered pairs that exclude each other */
static void
pair_all(Model *model)
{
	for (int i = 0; i < model->secrets; i++)
		for (int j = 0; j < model->secrets; j++)
		{
			CHECK_FOR_INTERRUPTS();
			if (i != j && !overlap(model, (PaSecretPair) {i, j}))
				add_pair(model, (PaSecretPair) {i, j});
		}
	if (model->pairs == 0)
		pa_arguments_refuse(&secrets_form, "There are no two secrets that exclude each other.");
}

static void
read_pairs(FunctionCallInfo fcinfo, int argument, Model *model)
{
	PaArray		array;
	const int  *given;

	model->pair = palloc(sizeof(PaSecretPair) * MOST_PAIRS);
	if (PG_ARGISNULL(argument))
	{
		pair_all(model);
		return;
	}
	given = pa_array_ints(&pairs_form, fcinfo, argument, "The array of pairs", 2, 2, false, &array);
	if (array.size[1] != 2)
		pa_arguments_refuse(&pairs_form, "A pair does not have two secrets.");
	for (int i = 0; i < array.size[0]; i++)
	{
		int			first = given[2 * i];
		int			second = given[2 * i + 1];

		if (Min(first, second) < 1 || Max(first, second) > model->secrets)
			pa_arguments_refuse(&pairs_form, psprintf("Pair %d has a secret that does not exist.", i + 1));
		if (overlap(model, (PaSecretPair) {first - 1, second - 1}))
			pa_arguments_refuse(&pairs_form, psprintf("The secrets of pair %d have data sets in common.", i + 1));
		add_pair(model, (PaSecretPair) {first - 1, second - 1});
	}
}

/* --- composition of one pair --- */

static bool
has_mass(const Model *model, int secret, const double *prior)
{
	int			n = model->releases.datasets;

	for (int d = 0; d < n; d++)
		if (model->mask[(size_t) secret * n + d] && prior[d] > 0)
			return true;
	return false;
}

/* What matters for a pair under a prior: data sets with mass, those of the first secret before the others. */
typedef struct Contest
{
	PaReleases	releases;
	int			first;			/* how many are of the first secret */
	unsigned char *masks;		/* of both */
	double	   *prior;			/* adds up to 1; NULL if none was given */
} Contest;

/* Data sets of a secret with mass, from index[count] on; the new count */
static int
gather(const Model *model, int secret, const double *prior, int *index, int count)
{
	int			n = model->releases.datasets;

	for (int d = 0; d < n; d++)
		if (model->mask[(size_t) secret * n + d] && (prior == NULL || prior[d] > 0))
			index[count++] = d;
	return count;
}

static PaMechanism
rows_of(const PaMechanism *mechanism, const int *index, int count)
{
	size_t		outputs = mechanism->outputs;
	double	   *likelihood = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(double) * count * outputs);

	for (int i = 0; i < count; i++)
		memcpy(likelihood + i * outputs, mechanism->likelihood + index[i] * outputs, sizeof(double) * outputs);
	return (PaMechanism) {.outputs = mechanism->outputs,.likelihood = likelihood};
}

static Contest
contest_of(const Model *model, PaSecretPair pair, const double *prior)
{
	int		   *index = palloc(sizeof(int) * model->releases.datasets);
	Contest		contest = {.first = gather(model, pair.first, prior, index, 0)};
	int			n = gather(model, pair.second, prior, index, contest.first);
	PaMechanism *mechanism = palloc(sizeof(PaMechanism) * model->releases.mechanisms);
	double		mass = 0;

	for (int k = 0; k < model->releases.mechanisms; k++)
		mechanism[k] = rows_of(&model->releases.mechanism[k], index, n);
	contest.releases = (PaReleases) {.datasets = n,.mechanisms = model->releases.mechanisms,.mechanism = mechanism};
	contest.masks = palloc0(2 * (size_t) n);
	memset(contest.masks, 1, contest.first);
	memset(contest.masks + n + contest.first, 1, n - contest.first);
	if (prior == NULL)
		return contest;
	contest.prior = palloc(sizeof(double) * n);
	for (int i = 0; i < n; i++)
		mass += prior[index[i]];
	for (int i = 0; i < n; i++)
		contest.prior[i] = prior[index[i]] / mass;
	return contest;
}

static PaEpsilonBounds
necessary(const Contest *contest)
{
	const PaSecretPair pair = {0, 1};
	PaFinite	secrets = {.cells = contest->releases.datasets,.secrets = 2,.mask = contest->masks,.pairs = 1,.pair = &pair};
	PaEpsilonBounds bounds = {0};
	PaFault		fault = PA_FAULT_NONE;
	PaStatus	status = pa_release_necessary(&contest->releases, &secrets, NULL, pa_server_environment(),
											  &bounds, NULL, &fault);

	check(status, fault);
	return bounds;
}

/* INFINITY also if the program is too large: there are other sufficient conditions. */
static double
transport(const Contest *contest)
{
	double		epsilon = INFINITY;
	PaFault		fault = PA_FAULT_NONE;
	PaStatus	status = pa_release_transport(&contest->releases, contest->prior,
											  contest->masks, contest->masks + contest->releases.datasets,
											  pa_server_environment(), &epsilon, &fault);

	if (status != PA_INVALID || fault != PA_FAULT_SIZE)
		check(status, fault);
	return epsilon;
}

/* - ln of the least mass of a data set given the second secret */
static double
surprise(const Contest *contest)
{
	double		least = INFINITY;
	double		sum = 0;

	for (int i = contest->first; i < contest->releases.datasets; i++)
	{
		least = Min(least, contest->prior[i]);
		sum += contest->prior[i];
	}
	return log(sum) - log(least);
}

typedef struct Found
{
	bool		compared;		/* by any prior */
	double		necessary;
	double		sufficient;
} Found;

/*
 * Of the necessary epsilon the lower bound: not what the program attains, but what it
 * proves.  Weights that attain epsilon show that k runs leak at most k epsilon plus
 * the surprise of the second secret (docs/pufferfish-composition.md), and what does for
 * whatever prior does for this one.
 */
static void
add_contest(const Contest *contest, Found *found)
{
	PaEpsilonBounds bounds = necessary(contest);
	double		epsilon = pa_release_level(&contest->releases, contest->masks, contest->masks + contest->releases.datasets);

	if (contest->prior != NULL)
	{
		epsilon = Min(epsilon, transport(contest));
		epsilon = Min(epsilon, bounds.epsilon + surprise(contest));
	}
	found->compared = true;
	found->necessary = Max(found->necessary, bounds.least);
	found->sufficient = Max(found->sufficient, epsilon);
}

/* Without priors there is one contest, of all data sets.  "work" is memory for one contest. */
static Found
compare(const Model *model, PaSecretPair pair, MemoryContext work)
{
	MemoryContext caller = MemoryContextSwitchTo(work);
	Found		found = {false, 0, 0};

	for (int k = 0; k < Max(model->priors, 1); k++)
	{
		const double *prior = model->priors == 0 ? NULL : model->prior + (size_t) k * model->releases.datasets;
		Contest		contest;

		CHECK_FOR_INTERRUPTS();
		if (prior != NULL && !(has_mass(model, pair.first, prior) && has_mass(model, pair.second, prior)))
			continue;
		contest = contest_of(model, pair, prior);
		add_contest(&contest, &found);
		MemoryContextReset(work);
	}
	MemoryContextSwitchTo(caller);
	return found;
}

static const char *
verdict(const Found *found)
{
	if (!found->compared)
		return "not compared";
	if (isinf(found->necessary))
		return "does not compose";
	return isinf(found->sufficient) ? "depends on the prior" : "composes";
}

/* --- the functions --- */

/* check_composable(mechanisms, secrets, prior, pairs) */
PG_FUNCTION_INFO_V1(pa_check_composable);
PGDLLEXPORT Datum
pa_check_composable(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "privacct pair of secrets", ALLOCSET_DEFAULT_SIZES);
	Model		model = {0};

	read_mechanisms(fcinfo, 3, &model);
	read_secrets(fcinfo, &model);
	if (!PG_ARGISNULL(ARG_PRIOR))
		read_prior(fcinfo, &model);
	read_pairs(fcinfo, ARG_PRIOR + 1, &model);
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < model.pairs; i++)
	{
		Found		found = compare(&model, model.pair[i], work);
		Datum		values[5];
		bool		nulls[5] = {false};

		values[0] = Int32GetDatum(model.pair[i].first + 1);
		values[1] = Int32GetDatum(model.pair[i].second + 1);
		values[2] = Float8GetDatum(found.necessary);
		values[3] = Float8GetDatum(found.sufficient);
		values[4] = CStringGetTextDatum(verdict(&found));
		nulls[2] = nulls[3] = !found.compared;
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	MemoryContextDelete(work);
	return (Datum) 0;
}

/* Leakage 0 of pairs that no prior compares would look like a guarantee. */
static void
check_compared(const Model *model)
{
	size_t		n = model->releases.datasets;

	for (int i = 0; i < model->pairs; i++)
		for (int k = 0; k < model->priors; k++)
		{
			CHECK_FOR_INTERRUPTS();
			if (has_mass(model, model->pair[i].first, model->prior + k * n) &&
				has_mass(model, model->pair[i].second, model->prior + k * n))
				return;
		}
	pa_arguments_refuse(&prior_form, "No prior gives mass to both secrets of a pair.");
}

/* pufferfish_leakage(mechanism, secrets, prior, runs, pairs) */
PG_FUNCTION_INFO_V1(pa_pufferfish_leakage);
PGDLLEXPORT Datum
pa_pufferfish_leakage(PG_FUNCTION_ARGS)
{
	Model		model = {0};
	PaFinite	secrets;
	PaFault		fault = PA_FAULT_NONE;
	PaStatus	status;
	double		leakage = 0;

	read_mechanisms(fcinfo, 2, &model);
	read_secrets(fcinfo, &model);
	read_prior(fcinfo, &model);
	read_pairs(fcinfo, ARG_PRIOR + 2, &model);
	check_compared(&model);
	if (PG_ARGISNULL(ARG_PRIOR + 1) || PG_GETARG_INT32(ARG_PRIOR + 1) < 1 || PG_GETARG_INT32(ARG_PRIOR + 1) > MOST_RUNS)
		pa_arguments_refuse(&runs_form, "The number of runs is null or out of its range.");
	secrets = (PaFinite) {.cells = model.releases.datasets,.secrets = model.secrets,.mask = model.mask,
		.pairs = model.pairs,.pair = model.pair};
	status = pa_release_leakage(&model.releases, &secrets, model.prior, model.priors, PG_GETARG_INT32(ARG_PRIOR + 1),
								pa_server_environment(), &leakage, &fault);
	check(status, fault);
	PG_RETURN_FLOAT8(leakage);
}
