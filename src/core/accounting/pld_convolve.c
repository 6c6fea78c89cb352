/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_convolve.c
 *		Powers and products of tilted laws by FFT, on windows.
 *
 * Upper bounds are kept point by point: every weight computed is at least what
 * exact arithmetic would give for the law that the grids describe, but for mass
 * that moved to higher losses or to infinity.  delta(epsilon) is a sum of these
 * with factors >= 0 that rise with the loss, so it cannot be understated.
 *
 * Window.  A sum S of laws is computed cyclically on points from A to at least B.
 * Above: Chernoff, with Phi(x) = E[e^(xS)] under the weights,
 *		Pr[S > B] <= e^(log_moment) Phi(x) e^(-(tilt + x) B),
 * which is added to what is infinite.  Mass from above that the cycle brings in
 * at the low end, and from below at the high end, is only too much.  Below: what
 * is lower than A may be moved up to A.  Pr[S < A] <= e^(log_moment) Phi(-x) e^((x - tilt) A)
 * for x >= tilt, which at A has the weight Phi(-x) e^(x A); that is added there.
 *
 * Rounding.  Let w' = w + d be a computed transform, |d|_2 <= E sqrt(L) |w|_2
 * (fft.h).  Replacing the factors of a product one by one, and by Cauchy and
 * Schwarz and Parseval, a point of the inverse is wrong by at most
 *		sum over factors of E |w|_2 |convolution of the others|_2
 * and the last is at most the norm of any single other factor (Young).  For a
 * power of k it is k E |w|_2 |(w' + D)^(k-1)|_2, D = E sqrt(L) |w|_2, found by
 * summing.  The inverse transform adds E times the norm of its result; products
 * and powers of the values add relative errors.  The sum of all that is added to
 * every weight.
 */
#include "core/accounting/pld_convolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FAN 8					/* factors of one product */
#define LOG_LOW -20.7			/* ln 1e-9: weight that may be moved up to the window */
#define NO_OVERFLOW 600.0
#define LEAST_WEIGHT 1e-260		/* e^-NO_OVERFLOW, instead of what might underflow */
#define NEGLIGIBLE -80.0		/* ln of a power that is taken to be 0 */
#define SLACK 1.01				/* for terms of second order in rounding errors */

/* What a step does to several laws: each is taken so many times. */
typedef struct Factors
{
	const PaTilted *laws;
	int			count;
	double		times;
} Factors;

typedef struct Window
{
	int64_t		origin;			/* lowest point of the sum: where the cycle starts */
	int64_t		from;
	int64_t		to;
	int64_t		size;			/* of the transform */
	double		above;			/* probability of what is above */
	double		below;			/* weight of what is below, at "from" */
} Window;

void
pa_convolver_init(PaConvolver *convolver, PaPool *pool, double width, double tilt, double budget)
{
	*convolver = (PaConvolver) {.pool = pool, .width = width, .tilt = tilt, .budget = budget};
}

void
pa_convolver_close(PaConvolver *convolver)
{
	pa_fft_close(&convolver->fft);
}

static PaStatus
make_room(PaConvolver *convolver, int64_t size)
{
	PaPool	   *pool = convolver->pool;

	if (convolver->size >= size)
		return PA_OK;
	pa_pool_release(pool, convolver->product);
	pa_pool_release(pool, convolver->factor);
	convolver->product = pa_pool_get(pool, size, sizeof(PaComplex));
	convolver->factor = pa_pool_get(pool, size, sizeof(PaComplex));
	if (!convolver->product || !convolver->factor)
		return PA_NO_MEMORY;
	convolver->size = size;
	return PA_OK;
}

/* Makes the weights add to 1 and finds their moments. */
static void
normalise(PaTilted *law)
{
	double		sum = 0;
	double		first = 0;
	double		second = 0;
	double		square = 0;
	double		scale;
	int64_t		i;

	for (i = 0; i < law->count; i++)
		sum += law->weight[i];
	scale = 1.0 / sum;
	for (i = 0; i < law->count; i++)
		first += (law->weight[i] *= scale) * i;
	for (i = 0; i < law->count; i++)
	{
		second += law->weight[i] * (i - first) * (i - first);
		square += law->weight[i] * law->weight[i];
	}
	law->log_moment += log(sum);
	law->log_moment += DBL_EPSILON * (8 + 2 * fabs(law->log_moment));
	law->mean = law->lowest + first;
	law->variance = second;
	law->norm = sqrt(square) * (1.0 + DBL_EPSILON * law->count);
}

/* The weight of a mass by logarithms, where factors could over- or underflow. */
static void
tilt_far(const PaConvolver *convolver, const PaGrid *grid, PaTilted *law)
{
	double		step = convolver->tilt * convolver->width;
	double		top = -INFINITY;
	int64_t		i;

	for (i = 0; i < grid->count; i++)
		top = fmax(top, log(grid->mass[i]) + step * (grid->lowest + i));
	for (i = 0; i < grid->count; i++)
		law->weight[i] = exp(fmax(-NO_OVERFLOW, log(grid->mass[i]) + step * (grid->lowest + i) - top));
	law->log_moment = top + 16 * DBL_EPSILON * NO_OVERFLOW;
}

static void
tilt_near(const PaConvolver *convolver, const PaGrid *grid, PaTilted *law)
{
	double		up = exp(convolver->tilt * convolver->width);
	double		down = 1.0 / up;
	int64_t		zero = -grid->lowest;
	double		factor = 1.0;
	int64_t		i;

	for (i = zero; i < grid->count; i++, factor *= up)
		law->weight[i] = grid->mass[i] * factor;
	for (i = zero - 1, factor = down; i >= 0; i--, factor *= down)
		law->weight[i] = grid->mass[i] * factor;
}

PaStatus
pa_tilted_make(PaConvolver *convolver, const PaGrid *grid, PaTilted *law)
{
	double		step = convolver->tilt * convolver->width;
	int64_t		last = grid->lowest + grid->count - 1;
	int64_t		widest = last > -grid->lowest ? last : -grid->lowest;
	int64_t		i;

	if (grid->count > PA_CONVOLVE_MOST)
		return PA_OUT_OF_RANGE;
	*law = (PaTilted) {.lowest = grid->lowest, .count = grid->count, .infinite = grid->infinite,
		.weight = grid->mass};
	if (step * widest < NO_OVERFLOW && grid->lowest <= 0 && last >= 0)
		tilt_near(convolver, grid, law);
	else
		tilt_far(convolver, grid, law);
	for (i = 0; i < law->count; i++)
		law->weight[i] = fmax(law->weight[i], LEAST_WEIGHT);
	law->log_moment += 4 * DBL_EPSILON * (law->count + step * widest + fabs(law->log_moment));
	normalise(law);
	return PA_OK;
}

/* The largest power is 1: that of the last point for x >= 0, of the first for x < 0. */
double
pa_log_phi(const double *w, int64_t count, int64_t lowest, double x)
{
	double		z = exp(-fabs(x));
	double		z4 = (z * z) * (z * z);
	double		part[4] = {0, 0, 0, 0};
	int64_t		whole = count & ~(int64_t) 3;
	double		rest = 0;
	int64_t		i;
	int			k;

	if (x >= 0)
	{
		for (i = 0; i < count - whole; i++)
			rest = rest * z + w[i];
		for (; i < count; i += 4)
			for (k = 0; k < 4; k++)
				part[k] = part[k] * z4 + w[i + k];
	}
	else
	{
		for (i = count; i > whole; i--)
			rest = rest * z + w[i - 1];
		for (; i > 0; i -= 4)
			for (k = 0; k < 4; k++)
				part[k] = part[k] * z4 + w[i - 1 - k];
	}
	rest = rest * pow(z, (double) whole) + ((part[0] * z + part[1]) * z + part[2]) * z + part[3];
	return log(rest) + x * (double) (x >= 0 ? lowest + count - 1 : lowest);
}

static double
log_phi_of_sum(const Factors *factors, double x)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < factors->count; i++)
		{
		const PaTilted *law = &factors->laws[i];

		sum += factors->times * pa_log_phi(law->weight, law->count, law->lowest, x);
	}
	return sum;
}

/*
 * x = -tilt + sqrt(tilt^2 + 2 c/v) would minimise B for a Gaussian; any x is
 * valid.  The factor 2 of what is above and below is for rounding.
 */
static PaStatus
find_window(const PaConvolver *convolver, const Factors *factors, Window *window)
{
	double		step = convolver->tilt * convolver->width;
	double		log_budget = log(convolver->budget);
	double		log_moment = 0;
	double		mean = 0;
	double		variance = 0;
	double		origin = 0;
	double		end = 0;
	double		from;
	double		to;
	double		c;
	double		x;
	int			i;

	for (i = 0; i < factors->count; i++)
	{
		const PaTilted *law = &factors->laws[i];

		log_moment += factors->times * law->log_moment;
		mean += factors->times * law->mean;
		variance += factors->times * law->variance;
		origin += factors->times * law->lowest;
		end += factors->times * (law->lowest + law->count - 1);
	}
	if (fabs(origin) > 1e15 || fabs(end) > 1e15)
		return PA_OUT_OF_RANGE;
	variance = fmax(variance, 1e-6);
	c = fmax(0.0, log_moment - log_budget - step * mean);
	x = fmax(2.0 * c / variance / (step + sqrt(step * step + 2.0 * c / variance)), 0.1 / sqrt(variance));
	to = ceil((log_moment + log_phi_of_sum(factors, x) - log_budget) / (step + x));
	if (!isfinite(to))			/* the sum underflowed: it says nothing, so nothing is cut */
		to = end;
	window->above = to < end ? 2.0 * convolver->budget : 0.0;
	x = fmax(sqrt(-2.0 * LOG_LOW / variance), step);
	from = floor((LOG_LOW - log_phi_of_sum(factors, -x)) / x);
	if (!isfinite(from))
		from = origin;
	window->below = from > origin ? 2.0 * exp(LOG_LOW) : 0.0;
	from = fmax(from, origin);
	to = fmax(fmin(to, end), from);
	if (to - from >= PA_CONVOLVE_MOST)
		return PA_OUT_OF_RANGE;
	window->origin = (int64_t) origin;
	window->from = (int64_t) from;
	window->to = (int64_t) to;
	for (window->size = 2; window->size <= to - from; window->size *= 2)
		;
	return PA_OK;
}

/* Adds the weights to the real or imaginary part, around the cycle. */
static void
load(const PaTilted *law, PaComplex *z, int64_t size, bool imaginary)
{
	int64_t		i;

	for (i = 0; i < law->count; i++)
	{
		PaComplex  *at = &z[i & (size - 1)];

		if (imaginary)
			at->im += law->weight[i];
		else
			at->re += law->weight[i];
	}
}

/* Pr[some loss is infinite], rounded up */
static double
any_infinite(const Factors *factors)
{
	double		log_finite = 0;
	int			i;

	for (i = 0; i < factors->count; i++)
		log_finite += factors->times * log1p(-fmin(factors->laws[i].infinite, 1.0));
	return fmin(1.0, -expm1(log_finite) * (1.0 + 16 * DBL_EPSILON));
}

/* Reads the window off the cycle. */
static PaStatus
unload(PaConvolver *convolver, const Factors *factors, const Window *window, double error, PaTilted *out)
{
	int64_t		i;
	double		scale = 1.0 / window->size;

	*out = (PaTilted) {.lowest = window->from, .count = window->to - window->from + 1,
		.infinite = any_infinite(factors) + window->above};
	for (i = 0; i < factors->count; i++)
		out->log_moment += factors->times * factors->laws[i].log_moment;
	out->log_moment += 8 * DBL_EPSILON * fabs(out->log_moment);
	out->weight = pa_pool_get(convolver->pool, out->count, sizeof(double));
	if (out->weight == NULL)
		return PA_NO_MEMORY;
	for (i = 0; i < out->count; i++)
		out->weight[i] = error + scale *
			fmax(0.0, convolver->product[(window->from - window->origin + i) & (window->size - 1)].re);
	out->weight[0] += window->below;
	normalise(out);
	return pa_pool_interrupted(convolver->pool) ? PA_INTERRUPTED : PA_OK;
}

/*
 * From the transform of a + i b, whose parts are
 * A = (Z(f) + conj Z(-f))/2 and B = (Z(f) - conj Z(-f))/2i, to A B; A alone if not both.
 */
static PaComplex
untangle(PaComplex z, PaComplex opposite, bool both)
{
	PaComplex	a = {0.5 * (z.re + opposite.re), 0.5 * (z.im - opposite.im)};
	PaComplex	b = {0.5 * (z.im + opposite.im), 0.5 * (opposite.re - z.re)};

	if (!both)
		return a;
	return (PaComplex) {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* One frequency of product *= transform, or = if it is the first, and the opposite one */
static inline void
multiply_at(PaConvolver *convolver, int64_t i, int64_t j, bool both, bool first)
{
	PaComplex  *product = convolver->product;
	PaComplex	value = untangle(convolver->factor[i], convolver->factor[j], both);

	if (!first)
		value = (PaComplex) {value.re * product[i].re - value.im * product[i].im,
			value.re * product[i].im + value.im * product[i].re};
	product[j] = (PaComplex) {value.re, -value.im};
	product[i] = value;
}

/* product *= transform of one law or two */
static PaStatus
multiply_in(PaConvolver *convolver, const PaTilted *laws, int count, int64_t size, bool first)
{
	PaComplex  *factor = convolver->factor;
	PaStatus	status;
	int64_t		i;

	memset(factor, 0, size * sizeof(PaComplex));
	load(&laws[0], factor, size, false);
	if (count > 1)
		load(&laws[1], factor, size, true);
	status = pa_fft_forward(&convolver->fft, factor, size);
	if (status != PA_OK)
		return status;
	multiply_at(convolver, 0, 0, count > 1, first);
	for (i = 1; i < size - i; i++)
		multiply_at(convolver, i, size - i, count > 1, first);
	if (size > 1)
		multiply_at(convolver, size / 2, size / 2, count > 1, first);
	return PA_OK;
}

/* The two smallest norms bound what is left of a product without one factor. */
static double
product_error(const PaTilted *laws, int count, int64_t size)
{
	double		unit = pa_fft_error(size) + 2 * DBL_EPSILON;
	double		least = INFINITY;
	double		second = INFINITY;
	double		sum = 0;
	int			i;

	for (i = 0; i < count; i++)
	{
		double		norm = laws[i].norm;

		/* two laws that are transformed together share their error */
		sum += i + 1 < count || i % 2 == 1 ? hypot(norm, laws[i ^ 1].norm) : norm;
		second = fmin(second, fmax(norm, least));
		least = fmin(least, norm);
	}
	return SLACK * (unit * (sum * second + least) + 4 * count * DBL_EPSILON * least * second);
}

static PaStatus
product(PaConvolver *convolver, const PaTilted *laws, int count, PaTilted *out)
{
	Factors		factors = {laws, count, 1.0};
	Window		window;
	PaStatus	status = find_window(convolver, &factors, &window);
	int			i;

	if (status == PA_OK)
		status = make_room(convolver, window.size);
	if (status != PA_OK)
		return status;
	for (i = 0; i < count && status == PA_OK; i += 2)
		status = multiply_in(convolver, laws + i, count - i, window.size, i == 0);
	if (status == PA_OK)
		status = pa_fft_backward(&convolver->fft, convolver->product, window.size);
	if (status != PA_OK)
		return status;
	return unload(convolver, &factors, &window, product_error(laws, count, window.size), out);
}

/* Sums over all frequencies that the error of a power is made of. */
typedef struct PowerSums
{
	double		value;			/* |w|^k */
	double		square;			/* |w|^2k */
	double		slope;			/* (|w| + D)^(2k-2) */
} PowerSums;

static PaComplex
power(PaComplex z, double times, double blur, PowerSums *sums)
{
	double		size = sqrt(z.re * z.re + z.im * z.im);
	double		log_value = times * log(size);
	double		value;
	double		phase;

	if (!(log_value > NEGLIGIBLE))
	{
		sums->slope += exp(2.0 * (times - 1.0) * log(exp(NEGLIGIBLE / times) + blur));
		return (PaComplex) {0, 0};
	}
	value = exp(log_value);
	phase = times * atan2(z.im, z.re);
	sums->value += value;
	sums->square += value * value;
	sums->slope += exp(2.0 * (times - 1.0) * log(size + blur));
	return (PaComplex) {value * cos(phase), value * sin(phase)};
}

/* Powers of all frequencies; what the inverse transform is wrong by at each point */
static double
raise(PaConvolver *convolver, const PaTilted *law, int64_t size, double times)
{
	double		unit = pa_fft_error(size) + 2 * DBL_EPSILON;
	double		blur = unit * sqrt((double) size) * law->norm;
	PaComplex  *z = convolver->product;
	PowerSums	all = {0, 0, 0};
	int64_t		i;

	for (i = 0; i < size; i++)
	{
		int64_t		j = i == 0 ? 0 : size - i;
		PowerSums	sums = {0, 0, 0};
		double		weight = j == i ? 1.0 : 2.0;

		if (j < i)
			continue;
		z[i] = power(z[i], times, blur, &sums);
		if (j != i)
			z[j] = (PaComplex) {z[i].re, -z[i].im};
		all.value += weight * sums.value;
		all.square += weight * sums.square;
		all.slope += weight * sums.slope;
	}
	return SLACK * (times * unit * law->norm * sqrt(all.slope / size) + unit * sqrt(all.square / size) +
					(8 + 8 * times) * DBL_EPSILON * all.value / size + exp(NEGLIGIBLE));
}

PaStatus
pa_tilted_power(PaConvolver *convolver, double times, PaTilted *law)
{
	Factors		factors = {law, 1, times};
	PaTilted	out;
	Window		window;
	double		error;
	PaStatus	status;

	if (times == 1.0)
		return PA_OK;
	status = find_window(convolver, &factors, &window);
	if (status == PA_OK)
		status = make_room(convolver, window.size);
	if (status != PA_OK)
		return status;
	memset(convolver->product, 0, window.size * sizeof(PaComplex));
	load(law, convolver->product, window.size, false);
	status = pa_fft_forward(&convolver->fft, convolver->product, window.size);
	if (status == PA_OK && pa_pool_interrupted(convolver->pool))
		status = PA_INTERRUPTED;
	if (status != PA_OK)
		return status;
	error = raise(convolver, law, window.size, times);
	status = pa_fft_backward(&convolver->fft, convolver->product, window.size);
	if (status != PA_OK)
		return status;
	status = unload(convolver, &factors, &window, error, &out);
	pa_pool_release(convolver->pool, law->weight);
	*law = out;
	return status;
}

static int
bucket_of(const PaTilted *law)
{
	return 63 - __builtin_clzll((unsigned long long) law->count);
}

/* Takes the shortest laws, up to FAN of them, off the buckets. */
static int
take_shortest(const int64_t *next, int64_t heads[64], int64_t taken[FAN])
{
	int			n = 0;
	int			bucket;

	for (bucket = 0; bucket < 64 && n < FAN; bucket++)
		while (heads[bucket] >= 0 && n < FAN)
		{
			taken[n++] = heads[bucket];
			heads[bucket] = next[heads[bucket]];
		}
	return n;
}

/* Several of the shortest at a time, so that long ones are met late and seldom. */
PaStatus
pa_tilted_sum(PaConvolver *convolver, PaTilted *laws, int64_t count, PaTilted *sum)
{
	int64_t    *next = pa_pool_get(convolver->pool, count, sizeof(int64_t));
	int64_t		heads[64];
	int64_t		left;
	int64_t		i;

	if (next == NULL)
		return PA_NO_MEMORY;
	memset(heads, -1, sizeof(heads));
	for (i = count; i-- > 0;)
	{
		next[i] = heads[bucket_of(&laws[i])];
		heads[bucket_of(&laws[i])] = i;
	}
	for (left = count; left > 1;)
	{
		int64_t		taken[FAN];
		int			n = take_shortest(next, heads, taken);
		PaTilted	factors[FAN];
		PaTilted	out;
		PaStatus	status;
		int			j;

		for (j = 0; j < n; j++)
			factors[j] = laws[taken[j]];
		status = product(convolver, factors, n, &out);
		if (status != PA_OK)
			return status;
		for (j = 0; j < n; j++)
			pa_pool_release(convolver->pool, factors[j].weight);
		laws[taken[0]] = out;
		next[taken[0]] = heads[bucket_of(&out)];
		heads[bucket_of(&out)] = taken[0];
		left -= n - 1;
	}
	for (i = 0; i < 64; i++)
		if (heads[i] >= 0)
			*sum = laws[heads[i]];
	pa_pool_release(convolver->pool, next);
	return PA_OK;
}
