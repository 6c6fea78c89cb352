/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * width.c
 *		Chernoff's bound, and sums of noises brought onto a grid.
 *
 * Laplace, scale b: E e^(sN) = (1-r)^2/((1 - r e^s)(1 - r e^-s)), r = e^(-1/b), and since
 * (1 - r e^s)(1 - r e^-s) = (1-r)^2 - 4 r sinh(s/2)^2 its logarithm is
 * -log1p(-(sinh(s/2)/sinh(1/(2b)))^2), without cancellation; infinite from |s| = 1/b on.
 *
 * Grid (grid.h).  A term a N of a wide law is first split, N = h K + rest:
 *		Laplace		|rest| < h, independent of K, which is Laplace of scale b/h; E e^(s rest)
 *					<= e^(s^2 (h-1)^2/4), that of a Gaussian of sigma = (h-1)/sqrt(2)
 *		Gaussian	h odd, K = N/h to nearest, |rest| <= (h-1)/2 whatever K
 * and a h K is a whole multiple of the grid's step, and the rest of that.  The rests have a
 * bound of their own, by Chernoff, at a small part of alpha; whatever is certain is added.
 */
#include "core/derive/width.h"

#include <float.h>
#include <math.h>

#include "core/derive/grid.h"
#include "core/derive/smooth.h"
#include "core/optimize/golden.h"

#define LEAST_ALPHA 1e-12
#define SLACK 1e-9				/* by which a bound is made larger for the rounding of its terms */
#define WIDE 64.0				/* a larger scale is split */
#define FINE 32.0				/* into h so that this many h are a scale */
#define RESTS (1.0 / 32)		/* part of alpha for the rests */
#define MARGIN 1.5				/* a grid's length over the bound, as in grid.c */
#define EXACT_LAST 65536.0		/* a grid of whole numbers may be as long */
#define COARSE_LAST 32768.0		/* and any other one about */
#define MOST_STEPS 512.0		/* of the largest weight */

typedef struct Sum
{
	const PaPart *part;
	const double *times;		/* each so often; NULL: once */
	int			parts;
	double		log_odds;		/* ln(2/alpha), more by the excess of laws */
} Sum;

static bool
valid(const PaPart *part, int parts, double alpha)
{
	int			i;

	for (i = 0; i < parts; i++)
		if (!isfinite(part[i].weight) || fabs(part[i].weight) > 1e100 ||
			(part[i].weight != 0 && fabs(part[i].weight) < 1e-100) ||
			!(part[i].scale >= 0x1p-20 && part[i].scale <= 0x1p60) ||
			!(part[i].excess >= 0 && isfinite(part[i].excess)))
			return false;
	return parts >= 0 && alpha >= LEAST_ALPHA && alpha < 1;
}

/* ln E e^(sN), INFINITY if there is none */
static double
cumulant(const PaPart *part, double s)
{
	double		ratio;

	if (part->shape == PA_GAUSSIAN)
		return 0.5 * s * s * part->scale * part->scale;
	if (!(fabs(s) < 1 / part->scale))
		return INFINITY;
	ratio = sinh(0.5 * s) / sinh(0.5 / part->scale);
	return ratio < 1 ? -log1p(-ratio * ratio) : INFINITY;
}

static double
times_of(const Sum *sum, int i)
{
	return sum->times ? sum->times[i] : 1;
}

/* - bound at s = e^x: golden.h looks for a greatest value */
static double
less(void *context, double x)
{
	const Sum  *sum = context;
	double		s = exp(x);
	double		total = sum->log_odds;
	int			i;

	for (i = 0; i < sum->parts; i++)
		if (sum->part[i].weight != 0 && times_of(sum, i) > 0)
			total += times_of(sum, i) * cumulant(&sum->part[i], s * sum->part[i].weight);
	return isfinite(total) ? -total / s : -INFINITY;
}

/*
 * The optimum lies below the least 1/|a b| of a Laplace term, and above 1/spread, spread the
 * sum of |a| (1 + b), times a small constant: there the bound falls in s.
 */
static double
chernoff(const Sum *sum)
{
	double		most = INFINITY;
	double		spread = 0;
	double		low;
	double		x;
	int			i;

	for (i = 0; i < sum->parts; i++)
	{
		const PaPart *part = &sum->part[i];
		double		size = fabs(part->weight) * part->scale;

		spread += size * times_of(sum, i);
		if (part->shape == PA_LAPLACE && size > 0 && times_of(sum, i) > 0)
			most = fmin(most, 1 / size);
	}
	if (spread == 0)
		return 0;
	low = log(1e-3 / spread);
	if (isinf(most))
		most = 1e3 * (double) sum->parts * sum->log_odds / spread;
	return -pa_golden(less, (void *) sum, low, log(most), 1e-9, &x) * (1 + SLACK);
}

/* alpha left to plain laws */
static double
log_odds(const PaPart *part, int parts, double alpha)
{
	double		sum = log(2 / alpha);
	int			i;

	for (i = 0; i < parts; i++)
		if (part[i].weight != 0)
			sum += part[i].excess;
	return sum;
}

double
pa_noise_deviation(PaShape shape, double scale)
{
	if (shape == PA_GAUSSIAN)
		return scale;
	return fmax(1 / (M_SQRT2 * sinh(fmin(0.5 / scale, 300))), DBL_EPSILON);
}

PaStatus
pa_width_bound(const PaPart *part, int parts, double alpha, double *width)
{
	Sum			sum = {part, NULL, parts, 0};

	if (!valid(part, parts, alpha))
		return PA_INVALID;
	sum.log_odds = log_odds(part, parts, alpha);
	*width = chernoff(&sum);
	return PA_OK;
}

PaStatus
pa_width_bound_of_many(const PaPart *part, const double *times, int parts, double alpha, double *width)
{
	Sum			sum = {part, times, parts, log(2 / alpha)};
	int			i;

	if (!valid(part, parts, alpha))
		return PA_INVALID;
	for (i = 0; i < parts; i++)
		if (!(times[i] >= 0 && isfinite(times[i])) || part[i].excess != 0)
			return PA_INVALID;
	*width = chernoff(&sum);
	return PA_OK;
}

/* A split of all terms onto a grid */
typedef struct Split
{
	double		step;			/* of the grid */
	PaGridTerm *term;
	PaPart	   *rest;			/* two for each term */
	int			terms;
	int			rests;
	double		certain;		/* what rests add at most beyond those */
} Split;

/* h */
static double
block(const PaPart *part)
{
	double		h = part->scale > WIDE ? floor(part->scale / FINE) : 1;

	return part->shape == PA_GAUSSIAN && fmod(h, 2) == 0 ? h - 1 : h;
}

/* Whether all terms are on the grid of whole numbers as they are */
static bool
on_grid(const Sum *sum, double bound)
{
	int			i;

	for (i = 0; i < sum->parts; i++)
		if (sum->part[i].weight != floor(sum->part[i].weight) || fabs(sum->part[i].weight) > EXACT_LAST)
			return false;
	return pa_grid_last(bound) <= EXACT_LAST;
}

static void
split_term(Split *split, const PaPart *part, double h)
{
	double		weight = fabs(part->weight) * h;
	double		steps = nearbyint(weight / split->step);
	double		left = fabs(fma(-steps, split->step, weight)) * (1 + SLACK);
	PaPart		k = {left, part->shape, part->scale / h, 0};

	split->term[split->terms++] = (PaGridTerm) {(int) steps, part->shape, part->scale, h};
	if (part->shape == PA_GAUSSIAN && h > 1)
		split->certain += (fabs(part->weight) * (h - 1) + left) / 2;
	else if (h > 1)
		split->rest[split->rests++] = (PaPart) {part->weight, PA_GAUSSIAN, (h - 1) / sqrt(2), 0};
	if (left > 1e-100)
		split->rest[split->rests++] = k;
}

static void
split_all(Split *split, const Sum *sum, double bound, bool exact)
{
	double		largest = 0;
	int			i;

	for (i = 0; i < sum->parts; i++)
		largest = fmax(largest, fabs(sum->part[i].weight) * block(&sum->part[i]));
	split->step = exact ? 1 : fmax(MARGIN * bound / COARSE_LAST, largest / MOST_STEPS);
	split->terms = 0;
	split->rests = 0;
	split->certain = 0;
	for (i = 0; i < sum->parts; i++)
		if (sum->part[i].weight != 0)
			split_term(split, &sum->part[i], exact ? 1 : block(&sum->part[i]));
}

/* The width by the grid, INFINITY if it gives none */
static PaStatus
by_grid(const Split *split, double bound, double alpha, const PaEnvironment *environment, double *width)
{
	bool		rests = split->rests > 0;
	double		rest = 0;
	PaStatus	status;

	if (rests)
	{
		Sum			sum = {split->rest, NULL, split->rests, log(2 / (alpha * RESTS))};

		rest = chernoff(&sum);
	}
	status = pa_grid_width(split->term, split->terms, bound / split->step, rests ? alpha * (1 - RESTS) : alpha,
						   environment, width);
	*width = *width * split->step + (rest + split->certain) * (1 + SLACK);
	return status;
}

PaStatus
pa_width(const PaPart *part, int parts, double alpha, const PaEnvironment *environment, double *width)
{
	Sum			sum = {part, NULL, parts, 0};
	Split		split = {0};
	double		bound;
	double		narrow = INFINITY;
	PaStatus	status = pa_width_bound(part, parts, alpha, &bound);

	if (status != PA_OK)
		return status;
	sum.log_odds = log_odds(part, parts, alpha);
	if (bound > 0)
	{
		split.rest = environment->allocate(environment->context,
										   (size_t) parts * (2 * sizeof(PaPart) + sizeof(PaGridTerm)));
		if (split.rest == NULL)
			return PA_NO_MEMORY;
		split.term = (PaGridTerm *) (split.rest + 2 * parts);
		if (on_grid(&sum, bound))
		{
			split_all(&split, &sum, bound, true);
			status = by_grid(&split, bound, 2 * exp(-sum.log_odds), environment, &narrow);
		}
		if (status == PA_OK && isinf(narrow))
		{
			split_all(&split, &sum, bound, false);
			status = by_grid(&split, bound, 2 * exp(-sum.log_odds), environment, &narrow);
		}
		environment->release(environment->context, split.rest);
	}
	if (status == PA_OK)
		*width = fmin(fmin(bound, narrow), bound > 0 ? pa_smooth_width(part, parts, 2 * exp(-sum.log_odds)) : 0);
	return status;
}
