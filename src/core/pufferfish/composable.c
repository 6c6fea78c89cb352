/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composable.c
 *		The linear program of the necessary condition.
 *
 * For one pair and one D: columns beta_l, epsilon; rows
 *		sum of beta_l (-ln p_l(w)) - epsilon <= -ln p_D(w),		sum of beta = 1.
 * Epsilon is at least 0: with the weights p_D(w) of one mechanism the rows add up to
 * sum of beta_l KL(p_D | p_l).  Multipliers alpha >= 0 of the rows, of the sum 1, show
 * that epsilon is at least min over l of sum of alpha (ln p_D(w) - ln p_l(w)).
 */
#include "core/pufferfish/composable.h"

#include <math.h>
#include <string.h>

#include "core/pufferfish/lp.h"

#define MOST_DATASETS 4096
#define MOST_OUTPUTS 65536

PaStatus
pa_releases_check(const PaReleases *releases, PaFault *fault)
{
	int			k;
	int			d;

	if (releases->datasets < 1 || releases->mechanisms < 1)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (releases->datasets > MOST_DATASETS)
		return pa_fault(fault, PA_FAULT_SIZE);
	for (k = 0; k < releases->mechanisms; k++)
	{
		const PaMechanism *mechanism = &releases->mechanism[k];

		if (mechanism->outputs < 1)
			return pa_fault(fault, PA_FAULT_ARGUMENT);
		if (mechanism->outputs > MOST_OUTPUTS)
			return pa_fault(fault, PA_FAULT_SIZE);
		for (d = 0; d < releases->datasets; d++)
		{
			PaFault		found = pa_fault_of_distribution(mechanism->likelihood + (size_t) d * (size_t) mechanism->outputs,
														 (size_t) mechanism->outputs);

			if (found != PA_FAULT_NONE)
				return pa_fault(fault, found);
		}
	}
	return PA_OK;
}

double
pa_release_slack(int outputs, const double *p, int rows, const double *row, const double *beta)
{
	double		most = -INFINITY;
	int			w;
	int			l;

	for (w = 0; w < outputs; w++)
	{
		double		slack = p[w] > 0 ? log(p[w]) : -INFINITY;

		for (l = 0; slack > -INFINITY && l < rows; l++)
			if (beta[l] > 0)
				slack -= beta[l] * log(row[l * outputs + w]);
		most = fmax(most, slack);
	}
	return most;
}

typedef struct Case
{
	const PaReleases *releases;
	const PaEnvironment *environment;
	int			dataset;		/* D */
	int			count;			/* data sets that may carry weight */
	int		   *carrier;
	int			rows;			/* outputs that D can produce, plus one */
	double	   *row;			/* the program, from the environment */
	double	   *right;
	double	   *cost;
	double	   *x;
	double	   *multiplier;
} Case;

static double
at(const PaMechanism *mechanism, int dataset, int w)
{
	return mechanism->likelihood[(size_t) dataset * (size_t) mechanism->outputs + (size_t) w];
}

static double
level_of_output(const PaReleases *releases, const PaMechanism *mechanism, int w,
				const unsigned char *first, const unsigned char *second)
{
	double		most = 0;
	double		least = INFINITY;
	int			d;

	for (d = 0; d < releases->datasets; d++)
	{
		if (first[d])
			most = fmax(most, at(mechanism, d, w));
		if (second[d])
			least = fmin(least, at(mechanism, d, w));
	}
	return most > 0 ? log(most) - log(least) : 0.0;
}

double
pa_release_level(const PaReleases *releases, const unsigned char *first, const unsigned char *second)
{
	double		level = 0;
	int			k;
	int			w;

	for (k = 0; k < releases->mechanisms; k++)
		for (w = 0; w < releases->mechanism[k].outputs; w++)
			level = fmax(level, level_of_output(releases, &releases->mechanism[k], w, first, second));
	return level;
}

/* Whether l can produce all that D can */
static bool
carries(const PaReleases *releases, int dataset, int l)
{
	int			k;
	int			w;

	for (k = 0; k < releases->mechanisms; k++)
		for (w = 0; w < releases->mechanism[k].outputs; w++)
			if (at(&releases->mechanism[k], dataset, w) > 0 && !(at(&releases->mechanism[k], l, w) > 0))
				return false;
	return true;
}

static int
count_outputs(const PaReleases *releases, int dataset)
{
	int			count = 0;
	int			k;
	int			w;

	for (k = 0; k < releases->mechanisms; k++)
		for (w = 0; w < releases->mechanism[k].outputs; w++)
			count += at(&releases->mechanism[k], dataset, w) > 0;
	return count;
}

static void
fill_rows(Case *one)
{
	int			columns = one->count + 1;
	double	   *row = one->row;
	double	   *right = one->right;
	int			k;
	int			w;
	int			l;

	for (k = 0; k < one->releases->mechanisms; k++)
		for (w = 0; w < one->releases->mechanism[k].outputs; w++)
		{
			const PaMechanism *mechanism = &one->releases->mechanism[k];

			if (!(at(mechanism, one->dataset, w) > 0))
				continue;
			for (l = 0; l < one->count; l++)
				row[l] = -log(at(mechanism, one->carrier[l], w));
			row[one->count] = -1;
			*right++ = -log(at(mechanism, one->dataset, w));
			row += columns;
		}
	for (l = 0; l < one->count; l++)
		row[l] = 1;
	row[one->count] = 0;
	*right = 1;
	memset(one->cost, 0, (size_t) columns * sizeof(double));
	one->cost[one->count] = 1;
}

/* epsilon from the weights, made to add up to 1 */
static double
attained(const Case *one)
{
	double		sum = 0;
	double		most = 0;
	int			i;
	int			l;

	for (l = 0; l < one->count; l++)
		sum += one->x[l] = fmax(0.0, one->x[l]);
	if (!(sum > 0))
		return INFINITY;
	for (i = 0; i < one->rows - 1; i++)
	{
		double		slack = -one->right[i];

		for (l = 0; l < one->count; l++)
			slack += one->x[l] / sum * one->row[(size_t) i * (size_t) (one->count + 1) + (size_t) l];
		most = fmax(most, slack);
	}
	return most;
}

static double
proved(const Case *one)
{
	double		least = INFINITY;
	double		sum = 0;
	int			i;
	int			l;

	for (i = 0; i < one->rows - 1; i++)
		sum += one->multiplier[i] = fmax(0.0, one->multiplier[i]);
	if (!(sum > 0))
		return 0.0;
	for (l = 0; l < one->count; l++)
	{
		double		bound = 0;

		for (i = 0; i < one->rows - 1; i++)
			bound += one->multiplier[i] / sum *
				(one->row[(size_t) i * (size_t) (one->count + 1) + (size_t) l] - one->right[i]);
		least = fmin(least, bound);
	}
	return fmax(0.0, least);
}

static PaStatus
solve_case(Case *one, PaEpsilonBounds *bounds)
{
	size_t		columns = (size_t) one->count + 1;
	size_t		rows = (size_t) count_outputs(one->releases, one->dataset) + 1;
	PaLp		lp;
	PaStatus	status;

	*bounds = (PaEpsilonBounds) {INFINITY, INFINITY};
	if (one->count == 0)
		return PA_OK;
	if ((double) rows * (double) columns > PA_LP_CELLS)
		return PA_INVALID;
	one->rows = (int) rows;
	one->row = one->environment->allocate(one->environment->context,
										  (columns * rows + 2 * columns + 2 * rows) * sizeof(double));
	if (one->row == NULL)
		return PA_NO_MEMORY;
	one->right = one->row + columns * rows;
	one->multiplier = one->right + rows;
	one->cost = one->multiplier + rows;
	one->x = one->cost + columns;
	fill_rows(one);
	lp = (PaLp) {(int) columns, (int) rows, (int) rows - 1, one->cost, one->row, one->right};
	status = pa_lp_solve(&lp, one->environment, one->x, one->multiplier, NULL);
	if (status == PA_OK)
	{
		bounds->epsilon = attained(one);
		bounds->least = fmin(proved(one), bounds->epsilon); /* but for rounding it is */
	}
	one->environment->release(one->environment->context, one->row);
	return status;
}

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

/* D of the first secret against the data sets of the second */
static PaStatus
necessary_at(Case *one, const unsigned char *second, const unsigned char *support, PaEpsilonBounds *bounds)
{
	int			l;

	one->count = 0;
	for (l = 0; l < one->releases->datasets; l++)
		if (second[l] && (support == NULL || support[l]) && carries(one->releases, one->dataset, l))
			one->carrier[one->count++] = l;
	return solve_case(one, bounds);
}

static PaStatus
necessary(Case *one, const PaSecrets *secrets, const unsigned char *support,
		  PaEpsilonBounds *bounds, double *by_dataset)
{
	int			n = secrets->cells;
	PaStatus	status = PA_OK;
	int			i;

	*bounds = (PaEpsilonBounds) {0, 0};
	for (i = 0; status == PA_OK && i < secrets->pairs; i++)
	{
		const unsigned char *first = secrets->mask + (size_t) secrets->pair[i].first * (size_t) n;
		const unsigned char *second = secrets->mask + (size_t) secrets->pair[i].second * (size_t) n;

		for (one->dataset = 0; status == PA_OK && one->dataset < n; one->dataset++)
		{
			PaEpsilonBounds found = {NAN, NAN};

			if (interrupted(one->environment))
				return PA_INTERRUPTED;
			if (first[one->dataset] && (support == NULL || support[one->dataset]))
			{
				status = necessary_at(one, second, support, &found);
				bounds->epsilon = fmax(bounds->epsilon, found.epsilon);
				bounds->least = fmax(bounds->least, found.least);
			}
			if (by_dataset != NULL)
				by_dataset[i * n + one->dataset] = found.epsilon;
		}
	}
	return status;
}

PaStatus
pa_release_necessary(const PaReleases *releases, const PaFinite *finite, const unsigned char *support,
					 const PaEnvironment *environment, PaEpsilonBounds *bounds, double *by_dataset, PaFault *fault)
{
	Case		one = {.releases = releases, .environment = environment};
	PaEpsilonBounds found;
	PaSecrets	secrets;
	PaStatus	status = pa_releases_check(releases, fault);

	if (status != PA_OK)
		return status;
	if (finite->cells != releases->datasets)
		return pa_fault(fault, PA_FAULT_SECRET);
	status = pa_secrets_open(finite, environment, &secrets, fault);
	if (status != PA_OK)
		return status;
	one.carrier = environment->allocate(environment->context, (size_t) releases->datasets * sizeof(int));
	if (one.carrier == NULL)
		status = PA_NO_MEMORY;
	else
	{
		status = necessary(&one, &secrets, support, &found, by_dataset);
		environment->release(environment->context, one.carrier);
		if (status == PA_INVALID)
			pa_fault(fault, PA_FAULT_SIZE);
	}
	pa_secrets_release(&secrets, environment);
	if (status == PA_OK)
		*bounds = found;
	return status;
}
