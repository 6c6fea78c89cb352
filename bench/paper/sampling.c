/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampling.c
 *		Algorithm 4 and Fig. 6, beside what sampling really costs and gains.
 *
 * A sum over a sample, divided by the rate p, changes by up to D/p when one
 * owner is added or removed; the paper calibrates for D.  Sampling is Poisson
 * here (every owner enters alone with probability p), for which Theorem 4 is
 * exact with add/remove neighbours.
 */
#include <math.h>

#include "brdp_paper.h"
#include "core/accounting/sampling.h"
#include "exact.h"
#include "markdown.h"
#include "tables.h"

#define EPSILON 0.1				/* as in Fig. 6, as are delta, SPREAD and SHARE */
#define DELTA 1e-5
#define SPREAD 10.0				/* sigma_x */
#define MEAN 11.0				/* ours: the middle of 0 to 22 */
#define SHARE 0.1				/* p_c */

#define RATES 20				/* rates that are tried: 1/20, 2/20, ... */
#define REACH 8.5				/* of the sampling error, in standard deviations */
#define CELLS 20000

typedef struct Case
{
	const char *name;
	double		owners;
	Query		query;
	PaperSample of_paper;		/* Proposition 6 */
	PaperSample of_poisson;
} Case;

static Case
counting(double owners)
{
	Case		it = {"count", owners, {PA_GAUSSIAN, 3, 1, EPSILON, DELTA},
	{sqrt(owners * SHARE * (1 - SHARE))}, {sqrt(owners * SHARE)}};

	return it;
}

static Case
summing(double owners)
{
	Case		it = {"sum", owners, {PA_GAUSSIAN, 5, 22, EPSILON, DELTA},
	{SPREAD * sqrt(owners)}, {hypot(SPREAD, MEAN) * sqrt(owners)}};

	return it;
}

static Case
averaging(double owners)
{
	Case		it = {"average", owners, {PA_GAUSSIAN, 0.1, 22 / owners, EPSILON, DELTA},
	{SPREAD / sqrt(owners)}, {hypot(SPREAD, MEAN) / sqrt(owners)}};

	return it;
}

/* Pr[|E + N| <= theta], E normal: midpoint rule over E, and E and -E are alike. */
static double
total_acceptance(const PaLaw *law, double theta, double sampling_sd)
{
	double		width = REACH / CELLS;
	double		sum = 0;
	int			i;

	if (sampling_sd <= 0)
		return pa_law_acceptance(law, theta);
	for (i = 0; i < CELLS; i++)
	{
		double		z = (i + 0.5) * width;
		double		error = z * sampling_sd;

		sum += exp(-0.5 * z * z) * (pa_law_above(law, -theta - error) - pa_law_above(law, theta - error));
	}
	return sum * width * 2 / sqrt(2 * M_PI);
}

/* A recycler that is (epsilon, delta)-DP with sampling, and its acceptance with all error. */
static double
valid_acceptance(const Case *it, double rate)
{
	Query		inner = it->query;
	PaLaw		law;

	if (pa_sampling_inner(rate, it->query.epsilon, it->query.delta, &inner.epsilon, &inner.delta) != PA_OK)
		return NAN;
	inner.sensitivity /= rate;
	if (!exact_recycled(&inner, &law))
		return NAN;
	return total_acceptance(&law, inner.theta, paper_sampling_sd(&it->of_poisson, rate));
}

static void
cells_of_best_valid_rate(const Case *it)
{
	double		best = 0;
	int			best_rate = RATES;
	int			i;

	for (i = RATES; i > 0; i--)
	{
		double		at = valid_acceptance(it, (double) i / RATES);

		if (at > best)
		{
			best = at;
			best_rate = i;
		}
	}
	cell_fixed((double) best_rate / RATES, 2);
	cell_probability(best);
}

static void
cells_of_paper(const Case *it)
{
	PaperRecycler at;
	PaSampledDelta true_delta;
	PaLaw		law;
	double		rate;

	if (!paper_best_rate(&it->query, &it->of_paper, &rate, &at) || !exact_law(&it->query, at.scale, at.q, &law))
		return;
	true_delta = pa_sampled_delta(&law, it->query.sensitivity / rate, rate, it->query.epsilon);
	cell_fixed(rate, 3);
	cell_probability(paper_claimed_acceptance(&it->query, &at, paper_sampling_sd(&it->of_paper, rate)));
	cell_probability(total_acceptance(&law, it->query.theta, paper_sampling_sd(&it->of_poisson, rate)));
	cell_rough(fmax(true_delta.remove, true_delta.add));
	cell_probability(valid_acceptance(it, rate));
}

static void
acceptance_table(void)
{
	int			i;
	double		owners;

	heading("6a. Algorithm 4 and Fig. 6: acceptance with sampling");
	paragraph("Gaussian kernel, eps = .1, delta = 1e-5, sigma_x = 10, p_c = .1 as in the figure. Ours: D = 1, theta = 3 (count); "
			  "D = 22, theta = 5, mean 11 (sum); D = 22/n, theta = .1 (average). "
			  "p of the last columns is the best of %d.", RATES);
	table("query|n|p by Algorithm 4|claimed acceptance|true acceptance|true delta|valid BR at that p|"
		  "best p|its valid BR|valid BR without sampling");
	for (i = 0; i < 3; i++)
		for (owners = 100; owners <= 1e5; owners *= 10)
		{
			Case		it = i == 0 ? counting(owners) : i == 1 ? summing(owners) : averaging(owners);

			cell_text(it.name);
			cell_count((long) owners);
			cells_of_paper(&it);
			cells_of_best_valid_rate(&it);
			cell_probability(valid_acceptance(&it, 1.0));
			row_end();
		}
}

static double
noise_sd(PaShape shape, double epsilon, double delta, double sensitivity)
{
	Query		query = {shape, 0, sensitivity, epsilon, delta};
	PaLaw		law;

	if (!exact_plain(&query, &law))
		return NAN;
	return shape == PA_GAUSSIAN ? law.base.scale : M_SQRT2 * law.base.scale;
}

static void
error_row(const Case *it, double rate)
{
	static const PaShape shapes[] = {PA_GAUSSIAN, PA_LAPLACE};
	double		contributing = it->owners * SHARE;
	double		epsilon;
	double		delta;
	int			i;

	if (pa_sampling_inner(rate, it->query.epsilon, it->query.delta, &epsilon, &delta) != PA_OK)
		return;
	cell_count((long) it->owners);
	cell_fixed(rate, 2);
	cell_fixed(epsilon, 4);
	for (i = 0; i < 2; i++)
	{
		double		sd = noise_sd(shapes[i], epsilon, delta, it->query.sensitivity);

		cell_fixed(hypot(sd, paper_sampling_sd(&it->of_paper, rate)), 2);
		cell_fixed(pa_sampling_error(rate, sd, contributing, it->query.sensitivity), 2);
	}
	row_end();
}

static void
error_table(void)
{
	static const double rates[] = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
	double		owners;
	int			i;

	heading("6b. Sampling a count: root mean square of all error");
	paragraph("eps = .1, delta = 1e-5, a tenth of n owners is counted. \"Paper\": noise for D = 1 and the variance of Proposition 6. "
			  "\"True\": noise for D/p, and Poisson sampling.");
	table("n|p|eps on the sample|Gaussian, paper|Gaussian, true|Laplace, paper|Laplace, true");
	for (owners = 100; owners <= 1e4; owners *= 10)
		for (i = 0; i < (int) (sizeof(rates) / sizeof(rates[0])); i++)
		{
			Case		it = counting(owners);

			error_row(&it, rates[i]);
		}
}

static void
best_rate_table(void)
{
	static const double epsilons[] = {0.1, 1, 5};
	static const double deltas[] = {0, 1e-5};
	static const double owners[] = {1, 10, 100, 1000};
	int			i;
	int			j;
	int			k;

	heading("6c. The rate with the least true error");
	paragraph("D = 1; a count to which so many owners contribute; delta = 0 is Laplace noise, else Gaussian.");
	table("eps|delta|owners|best p|error|error without sampling");
	for (i = 0; i < 3; i++)
		for (j = 0; j < 2; j++)
			for (k = 0; k < 4; k++)
			{
				double		rate;
				double		error;
				double		without;

				if (pa_sampling_best_rate(epsilons[i], deltas[j], 1.0, owners[k], &rate, &error, &without) != PA_OK)
					continue;
				cell_short(epsilons[i]);
				cell_rough(deltas[j]);
				cell_short(owners[k]);
				cell_fixed(rate, 3);
				cell_fixed(error, 4);
				cell_fixed(without, 4);
				row_end();
			}
}

void
tables_of_sampling(void)
{
	acceptance_table();
	error_table();
	best_rate_table();
}
