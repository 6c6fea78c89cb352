/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * brdp_paper.c
 *		The algorithms of a paper as they are printed there.  NOT VALID.
 *
 * See brdp_paper.h.  Nothing here bounds a privacy loss: Theorem 1 treats the
 * shift of the loss by L as independent of the kernel's loss, which it is not,
 * and forgets the factor 1/(1 - pbar q) of the densities.
 *
 * Tolerances are not printed in the paper: 1e-12 for q and 1e-9 epsilon for
 * epsilon_y here.
 */
#include "brdp_paper.h"

#include <math.h>

#include "core/noise/continuous.h"

#define Q_TOLERANCE 1e-12
#define KERNEL_TOLERANCE 1e-9	/* of epsilon_y, relative to epsilon */
#define RATE_TOLERANCE 1e-4
#define SCAN_STEPS 600
#define ORDERS 400				/* Renyi orders: 1 + 10^-2 to 1 + 10^4 */

bool
paper_scale(const Query *query, double epsilon_y, double *scale)
{
	PaStatus	status;

	if (query->shape == PA_GAUSSIAN)
		status = pa_gaussian_sigma(epsilon_y, query->delta, query->sensitivity, scale);
	else
		status = pa_laplace_scale(epsilon_y, query->delta, query->sensitivity, scale);
	return status == PA_OK;
}

static double
kernel_mass(const Query *query, double scale, double from, double to)
{
	PaBase		base;

	if (to <= from || pa_base_make(query->shape, PA_LINE, scale, &base) != PA_OK)
		return 0.0;
	return pa_base_between(&base, from, to);
}

static double
kernel_delta(const Query *query, double scale, double epsilon)
{
	if (query->shape == PA_GAUSSIAN)
		return pa_gaussian_profile(scale, query->sensitivity, epsilon);
	return pa_laplace_profile(scale, query->sensitivity, epsilon);
}

double
paper_weight(const Query *query, double scale)
{
	double		theta = query->theta;
	double		moved = query->sensitivity - theta;
	double		low = kernel_mass(query, scale, -theta, fmin(moved, theta));
	double		high = kernel_mass(query, scale, fmax(theta, moved), theta + query->sensitivity);

	return fmax(low, high);
}

static double
mixed_delta(const Query *query, double scale, double weight, double q)
{
	double		loss = -log1p(-q);

	return (1 - weight) * kernel_delta(query, scale, query->epsilon)
		+ weight * kernel_delta(query, scale, query->epsilon - loss);
}

double
paper_delta(const Query *query, double scale, double q)
{
	return mixed_delta(query, scale, paper_weight(query, scale), q);
}

double
paper_baseline(double epsilon, double epsilon_y)
{
	return -expm1(epsilon_y - epsilon);
}

static double
acceptance(double mass, double q)
{
	return mass / (1 - (1 - mass) * q);
}

bool
paper_recycling_rate(const Query *query, double epsilon_y, PaperRecycler *answer)
{
	double		low = 0;
	double		up = 1;
	double		scale;
	double		weight;

	if (!paper_scale(query, epsilon_y, &scale))
		return false;
	weight = paper_weight(query, scale);
	while (up - low > Q_TOLERANCE)
	{
		double		middle = (up + low) / 2;

		if (mixed_delta(query, scale, weight, middle) <= query->delta)
			low = middle;
		else
			up = middle;
	}
	answer->epsilon_y = epsilon_y;
	answer->scale = scale;
	answer->q = low;
	answer->claimed_delta = mixed_delta(query, scale, weight, low);
	answer->acceptance = acceptance(kernel_mass(query, scale, -query->theta, query->theta), low);
	return true;
}

/* The kernel's mass within theta, or that of its sum with a normal error (the paper adds variances). */
static double
mass_with_sampling(const Query *query, double scale, double sampling_sd)
{
	return kernel_mass(query, sampling_sd > 0 ? hypot(scale, sampling_sd) : scale, -query->theta, query->theta);
}

static double
objective_value(const Query *query, PaperObjective objective, double sampling_sd, double epsilon_y)
{
	PaperRecycler at;
	double		mass;

	if (!paper_recycling_rate(query, epsilon_y, &at))
		return INFINITY;
	mass = mass_with_sampling(query, at.scale, sampling_sd);
	if (objective == PAPER_AS_PRINTED)
		return 1 - at.q + at.q / mass;
	return at.q + (1 - at.q) / mass;
}

bool
paper_best_kernel(const Query *query, PaperObjective objective, double sampling_sd, PaperRecycler *answer)
{
	double		low = 0;
	double		up = query->epsilon;

	while (up - low > KERNEL_TOLERANCE * query->epsilon)
	{
		double		first = low + (up - low) / 3;
		double		second = up - (up - low) / 3;

		if (objective_value(query, objective, sampling_sd, first) >
			objective_value(query, objective, sampling_sd, second))
			low = first;
		else
			up = second;
	}
	return paper_recycling_rate(query, (low + up) / 2, answer);
}

bool
paper_scan_kernels(const Query *query, PaperRecycler *answer)
{
	PaperRecycler at;
	bool		found = false;
	int			i;

	for (i = 0; i <= SCAN_STEPS; i++)
		if (paper_recycling_rate(query, query->epsilon * pow(10, -6.0 * i / SCAN_STEPS), &at)
			&& (!found || at.acceptance > answer->acceptance))
		{
			*answer = at;
			found = true;
		}
	return found;
}

/* Renyi divergence of order 1 + more of Laplace noise, Mironov 2017, Table II */
static double
laplace_renyi(double loss, double more)
{
	double		order = 1 + more;
	double		twice = 2 * order - 1;

	return loss + log(order / twice + more / twice * exp(-twice * loss)) / more;
}

/* Epsilon and delta are tied by delta = exp(more (divergence - epsilon)) for each order. */
typedef struct KernelCurve
{
	bool		gaussian;
	double		scale;
	double		shift;			/* Gaussian: of all releases together */
	double		divergence[ORDERS]; /* Laplace: of all releases together */
} KernelCurve;

static double
order_above_one(int i)
{
	return pow(10, -2 + 6.0 * i / (ORDERS - 1));
}

static KernelCurve
kernel_curve(const Query *query, double scale, int times)
{
	KernelCurve curve = {query->shape == PA_GAUSSIAN, scale, query->sensitivity * sqrt(times), {0}};
	int			i;

	for (i = 0; i < ORDERS && !curve.gaussian; i++)
		curve.divergence[i] = times * laplace_renyi(query->sensitivity / scale, order_above_one(i));
	return curve;
}

static double
curve_delta(const KernelCurve *curve, double epsilon)
{
	double		least = 0;
	double		more = order_above_one(0);
	double		ratio = order_above_one(1) / more;
	int			i;

	if (curve->gaussian)
		return pa_gaussian_profile(curve->scale, curve->shift, epsilon);
	for (i = 0; i < ORDERS; i++, more *= ratio)
		least = fmin(least, more * (curve->divergence[i] - epsilon));
	return exp(least);
}

static double
log_binomial(int n, int k)
{
	return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

static double
composed_delta(const KernelCurve *curve, double weight, double q, int times, PaperSum sum, double epsilon)
{
	double		loss = -log1p(-q);
	double		delta = 0;
	int			k;

	for (k = sum == PAPER_ALGORITHM_3 ? 1 : 0; k <= times; k++)
	{
		double		log_share = log_binomial(times, k) + k * log1p(-weight)
			+ (k < times ? (times - k) * log(weight) : 0);

		if (log_share > -80)
			delta += exp(log_share) * curve_delta(curve, epsilon - (times - k) * loss);
	}
	return delta;
}

double
paper_composed_epsilon(const Query *query, double scale, double q, int times, PaperSum sum, double delta)
{
	KernelCurve curve = kernel_curve(query, scale, times);
	double		weight = paper_weight(query, scale);
	double		low = 0;
	double		up = 1;
	int			i;

	while (up < 1e9 && composed_delta(&curve, weight, q, times, sum, up) > delta)
		up *= 2;
	for (i = 0; i < 50; i++)
	{
		double		middle = (low + up) / 2;

		if (composed_delta(&curve, weight, q, times, sum, middle) > delta)
			low = middle;
		else
			up = middle;
	}
	return up;
}

double
paper_sampling_sd(const PaperSample *sample, double rate)
{
	return sample->sd * sqrt((1 - rate) / rate);
}

Query
paper_sampled_query(const Query *query, double rate)
{
	Query	inner = *query;

	inner.epsilon = log1p(expm1(query->epsilon) / rate);
	inner.delta = fmin(query->delta / rate, 0.999999);
	return inner;
}

static double
rate_objective(const Query *query, const PaperSample *sample, double rate)
{
	Query	inner = paper_sampled_query(query, rate);
	double		sd = paper_sampling_sd(sample, rate);
	PaperRecycler at;

	if (!paper_best_kernel(&inner, PAPER_AS_MEANT, sd, &at))
		return INFINITY;
	return at.q + (1 - at.q) / mass_with_sampling(&inner, at.scale, sd);
}

bool
paper_best_rate(const Query *query, const PaperSample *sample, double *rate, PaperRecycler *answer)
{
	double		low = 0;
	double		up = 1;
	Query	inner;

	while (up - low > RATE_TOLERANCE)
	{
		double		first = low + (up - low) / 3;
		double		second = up - (up - low) / 3;

		if (rate_objective(query, sample, first) > rate_objective(query, sample, second))
			low = first;
		else
			up = second;
	}
	*rate = (low + up) / 2;
	inner = paper_sampled_query(query, *rate);
	return paper_best_kernel(&inner, PAPER_AS_MEANT, paper_sampling_sd(sample, *rate), answer);
}

double
paper_claimed_acceptance(const Query *query, const PaperRecycler *recycler, double sampling_sd)
{
	return acceptance(mass_with_sampling(query, recycler->scale, sampling_sd), recycler->q);
}
