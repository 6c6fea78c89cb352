/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smooth.c
 *		Discrete Gaussian noise with a little Gaussian noise of the line added.
 *
 * Let G be normal with deviation t, independent of N.  The density of N + G is
 *		e^(-x^2/(2 (sigma^2 + t^2))) sum over k of e^(-(k - c)^2/(2 v))/(Z t sqrt(2 pi)),
 *		v = sigma^2 t^2/(sigma^2 + t^2),  Z >= sigma sqrt(2 pi),
 * and by Poisson's formula the sum is at most sqrt(2 pi v) (1 + e), e = 2 sum of q^(m^2), q = e^(-2 pi^2 v).
 * So it is at most 1 + e times the density of N(0, sigma^2 + t^2), and a sum of such is at most the
 * product of these times the density of a normal number with the sum of variances.
 *
 * With S = sum a_i N_i, H = sum a_i G_i of deviation h = t sqrt(sum a_i^2), for any z:
 *		Pr(S > w) Pr(H >= -z h) <= Pr(S + H > w - z h).
 */
#include "core/derive/smooth.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LEAST_SIGMA 1.0
#define SLACK 1e-9

/* ln(1 + e), at most */
static double
log_excess(double sigma, double t)
{
	double		v = 1 / (1 / (sigma * sigma) + 1 / (t * t));
	double		q = exp(-2 * M_PI * M_PI * v);

	return log1p(2 * q / (1 - q));
}

static double
width(const PaPart *part, int parts, double alpha, double t, double z)
{
	double		excess = 0;
	double		variance = 0;
	double		added = 0;
	double		tail;
	int			i;

	for (i = 0; i < parts; i++)
	{
		double		square = part[i].weight * part[i].weight;

		if (square == 0)
			continue;
		excess += log_excess(part[i].scale, t);
		variance += square * (part[i].scale * part[i].scale + t * t);
		added += square * t * t;
	}
	tail = 0.5 * alpha * exp(-excess) * gsl_cdf_ugaussian_P(z);
	if (!(tail > 0))
		return INFINITY;
	return (z * sqrt(added) + sqrt(variance) * fmax(0, gsl_cdf_ugaussian_Qinv(tail))) * (1 + SLACK);
}

double
pa_smooth_width(const PaPart *part, int parts, double alpha)
{
	static const double deviation[] = {0.5, 0.6, 0.75, 1, 1.25};
	static const double reach[] = {1, 1.5, 2, 2.5, 3, 4};
	double		least = INFINITY;
	size_t		i;
	size_t		j;

	for (i = 0; i < (size_t) parts; i++)
		if (part[i].weight != 0 && (part[i].shape != PA_GAUSSIAN || part[i].scale < LEAST_SIGMA))
			return INFINITY;
	for (i = 0; i < sizeof(deviation) / sizeof(deviation[0]); i++)
		for (j = 0; j < sizeof(reach) / sizeof(reach[0]); j++)
			least = fmin(least, width(part, parts, alpha, deviation[i], reach[j]));
	return least;
}
