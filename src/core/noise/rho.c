/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rho.c
 *		The least rho of zCDP: the supremum of D_order/order, with a certificate.
 *
 * With psi(t) = t D_(1+t), the ratio is psi(t)/(t (1+t)), t > 0.  psi is convex
 * and psi(0) = 0.  Bounds of the ratio on intervals:
 *
 *	[a, b]		Let psi'' >= k there.  Then psi - k t (1+t)/2 is convex, hence below
 *				its chord A + B t, and the ratio is at most k/2 +
 *				(A + B t)/(t (1+t)), the greatest value of which is at an end or at a
 *				root of B t^2 + 2 A t + A = 0.  For k:
 *				psi'' is the variance of L under p e^(tL).  Where losses are within
 *				+-M, tilts at t and a differ by factors within e^(+-2 (t-a) M) of
 *				each other (total mass included), and Var f >= c Var' f if one law is
 *				at least c times the other; so psi''(t) >= e^(-2 (b-a) M) psi''(a).
 *				Recycled Gaussian laws: under p e^(tL) the law is a bell, where the
 *				base's loss has the variance 2 r, r = D^2/(2 sigma^2), times
 *				constants that differ by a factor of at most F = e^((1+2b) step).
 *				The rest R of the loss is +-step on two pieces no longer than D, of
 *				mass below F 2 D/(sigma sqrt(2 pi)), and 0 elsewhere.  So the
 *				deviation of L is at least sqrt(2 r/F) - step sqrt(F .8 D/sigma).
 *				(Bells on the lattice with sigma >= 1, whatever their centre, have
 *				variance and peak of those on the line up to 1e-6.)
 *	[0, b]		psi'' <= V - K^2 with K = psi'(0), the divergence of order 1, and
 *				V the larger one of sum p L^2 and sum p L^2 e^(bL): the latter sum is
 *				convex in b, and psi' >= K.  So psi <= K t + (V - K^2) t^2/2, and
 *				K + (V - K^2) t/2 over 1 + t is greatest at an end.  Or D_(1+b).
 *	[b, inf)	no loss above M: M/(1+b).
 *				Gaussian base, r = D^2/(2 sigma^2): the constants are at most
 *				c_in e^(t step) and the base's moment is at most e^(t (1+t) r), so
 *				the ratio is at most r + (step + ln(c_in)/t)/(1+t), which falls.  And
 *				let E(t) = ln c_in + t step - (tD - band)^2/(2 sigma^2).  The
 *				moment's bell has its centre at -tD; where tD >= band, its mass
 *				right of -band is at most e^(-(tD - band)^2/(2 sigma^2)), so the ratio is
 *				at most r + ln(c_out + e^E)/(t (1+t)).  That is r at most from where
 *				e^E <= 1 - c_out, E falling, which is from a closed form on.
 *
 * The interval with the greatest bound is divided until that is within TOLERANCE
 * of the greatest ratio seen, or up to INTERVALS: what is returned is the greatest
 * bound, valid in any case.
 *
 * Known in closed form: Gaussian D^2/(2 sigma^2); Laplace, the divergence of
 * order 1, on the lattice (docs/theory.md) and, as the limit of ever finer
 * lattices, on the line.
 */
#include <float.h>
#include <math.h>

#include "core/noise/renyi.h"

#define TOLERANCE 5e-7
#define INTERVALS 600
#define FIRST 0.0625
#define LEAST_FIRST 1e-7
#define GROWTH 4.0

/* A chord from (low, at_low) to (high, at_high), values of psi from above */
typedef struct Interval
{
	double		low;
	double		high;
	double		at_low;
	double		at_high;
	double		bend;			/* k */
	double		bound;
} Interval;

typedef struct Search
{
	PaMoments	moments;
	double		mean;			/* K, or its lower bound */
	double		best;			/* greatest ratio seen, from below */
	int			n;
	Interval	intervals[INTERVALS];
} Search;

/* x - 1 + e^-x, without cancellation for x >= 0 */
static double
convex_gap(double x)
{
	double		term;
	double		sum = 0;
	int			i;

	if (x > 0.5)
		return x + expm1(-x);
	term = 0.5 * x * x;
	for (i = 3; i <= 18; i++)
	{
		sum += term;
		term *= -x / i;
	}
	return sum;
}

/* 1 - x / sinh(x), x > 0 */
static double
sinh_gap(double x)
{
	double		term;
	double		sum = 0;
	int			i;

	if (x > 700.0)
		return 1.0;
	if (x > 1.0)
		return 1.0 - x / sinh(x);
	term = x * x * x / 6.0;		/* sinh(x) - x = x^3/3! + x^5/5! + ... */
	for (i = 5; i <= 21; i += 2)
	{
		sum += term;
		term *= x * x / (i * (i - 1));
	}
	return x > 0 ? sum / sinh(x) : 0;
}

/* epsilon - (1 - e^-epsilon) u/sinh(u), epsilon = D/b, u = 1/b or 0, by positive parts */
static double
laplace_rho(const PaBase *base, double shift)
{
	double		epsilon = shift / base->scale;
	double		rho = convex_gap(epsilon);

	if (base->space == PA_LATTICE)
		rho -= expm1(-epsilon) * sinh_gap(1.0 / base->scale);
	return fmin(rho, fmin(0.5 * epsilon * epsilon, epsilon));
}

/* The greatest value of k/2 + (A + B t)/(t (1+t)) on an interval */
static double
chord_bound(const Interval *i)
{
	double		half = 0.5 * i->bend;
	double		low = i->at_low - half * i->low * (1.0 + i->low);
	double		high = i->at_high - half * i->high * (1.0 + i->high);
	double		b = (high - low) / (i->high - i->low);
	double		a = low - b * i->low;
	double		bound = fmax(low / (i->low * (1.0 + i->low)), high / (i->high * (1.0 + i->high)));
	double		square = a * a - a * b;
	int			sign;

	for (sign = -1; sign <= 1 && square >= 0 && b != 0; sign += 2)
	{
		double		root = (sign * sqrt(square) - a) / b;

		if (root > i->low && root < i->high)
			bound = fmax(bound, (a / root + b) / (1.0 + root));
	}
	return half + bound;
}

/* The ratio at t as psi from above; its lower end counts for the best. */
static double
look_at(Search *s, double t)
{
	PaPsi		psi = pa_moments_psi(&s->moments, t);

	s->best = fmax(s->best, (psi.value - psi.error) / (t * (1.0 + t)));
	return psi.value + psi.error;
}

/* A lower bound of psi'' on an interval */
static double
least_bend(const Search *s, double low, double high)
{
	const PaLaw *law = s->moments.law;
	double		most = pa_law_most_loss(law, s->moments.shift);
	double		steps = s->moments.shift / law->base.scale;
	double		factor;
	double		root;

	if (most < INFINITY)
	{
		if (!s->moments.halved || (!s->moments.any_order && low * steps > 1.0) ||
			low * most > 300.0 || (high - low) * most > 10.0)
			return 0;
		return pa_halves_variance(&s->moments.halves, low) * exp(-2.0 * (high - low) * most) * (1.0 - 1e-9);
	}
	if (law->space == PA_LATTICE && law->base.scale < 1.0)
		return 0;
	factor = exp((1.0 + 2.0 * high) * law->step);
	root = steps * (1.0 - 1e-6) / sqrt(factor) - law->step * sqrt(fmin(1.0, 0.8 * factor * steps));
	return root > 0 ? root * root : 0;
}

static Interval
interval_of(const Search *s, double low, double high, double at_low, double at_high)
{
	Interval	i = {low, high, at_low, at_high, least_bend(s, low, high), 0};

	i.bound = chord_bound(&i);
	return i;
}

static void
add_interval(Search *s, double low, double high, double at_low, double at_high)
{
	s->intervals[s->n++] = interval_of(s, low, high, at_low, at_high);
}

/* On [0, t], t D no more than half a scale where halves are used */
static double
bound_near_zero(const Search *s, double t, double psi)
{
	double		bound = psi / t;
	double		square;
	double		bend;

	if (!s->moments.halved)
		return bound;
	square = fmax(pa_halves_square(&s->moments.halves, 0), pa_halves_square(&s->moments.halves, t));
	bend = fmax(0, square * (1.0 + PA_HALVES_ERROR) - s->mean * s->mean * (1.0 - 4.0 * PA_HALVES_ERROR));
	return fmin(bound, fmax(s->mean, (s->mean + 0.5 * bend * t) / (1.0 + t)) * (1.0 + 4.0 * PA_HALVES_ERROR));
}

/* Where t begins: moments up to there are those of halves */
static double
first_t(const Search *s)
{
	const PaLaw *law = s->moments.law;
	double		most;

	if (!s->moments.halved)
		return LEAST_FIRST;
	most = s->moments.halves.most;
	if (!s->moments.any_order)
		most = fmax(most, s->moments.shift / law->base.scale);
	return fmin(FIRST, 0.5 / most);
}

/*
 * The t from which on the ratio of a recycled Gaussian law is at most r: the
 * larger root of E(t) = ln(1 - c_out), 1 - c_out = (1 - keep) p c_in.
 */
static double
gaussian_end(const PaLaw *law, double shift)
{
	double		sigma = law->base.scale;
	double		steps = shift / sigma;
	double		top = law->band / shift + law->step / (steps * steps);
	double		height = law->band / shift * law->step + 0.5 * (law->step / steps) * (law->step / steps);

	height += 1e-9 - log(-expm1(-law->step) * law->band_mass);
	return (top + sqrt(2.0 * height) / steps) * (1.0 + 1e-9);
}

/* A bound of the ratio on [t, infinity) */
static double
bound_from(const Search *s, double t)
{
	const PaLaw *law = s->moments.law;
	double		steps;
	double		r;

	if (law->form == PA_LAW_STAIRCASE || law->form == PA_LAW_RESPONSE || law->base.shape == PA_LAPLACE)
		return pa_law_most_loss(law, s->moments.shift) / (1.0 + t);
	steps = s->moments.shift / law->base.scale;
	r = 0.5 * steps * steps;
	if (t >= gaussian_end(law, s->moments.shift))
		return r;
	return r + (law->step + fmax(0, log(law->inside)) / t) / (1.0 + t);
}

/* Intervals from 0 to where the rest is bounded well enough; returns the bound of that. */
static double
cover(Search *s, double *first, double *near_zero)
{
	double		t = first_t(s);
	double		psi = look_at(s, t);

	*first = t;
	*near_zero = bound_near_zero(s, t, psi);
	while (bound_from(s, t) > s->best * (1.0 + 0.5 * TOLERANCE) && s->n < INTERVALS / 2 && t < 1e150)
	{
		double		next = t * GROWTH;
		double		at_next = look_at(s, next);

		add_interval(s, t, next, psi, at_next);
		t = next;
		psi = at_next;
	}
	return bound_from(s, t);
}

/* Makes the first interval shorter; false if that is pointless. */
static bool
shorten(Search *s, double *first, double *near_zero)
{
	double		t = *first / GROWTH;
	double		at_first;
	double		psi;

	if (!s->moments.halved || t < 1e-12)
		return false;
	at_first = look_at(s, *first);
	psi = look_at(s, t);
	add_interval(s, t, *first, psi, at_first);
	*near_zero = bound_near_zero(s, t, psi);
	*first = t;
	return true;
}

static void
divide(Search *s, int worst)
{
	Interval	old = s->intervals[worst];
	double		t = sqrt(old.low) * sqrt(old.high);
	double		psi = look_at(s, t);

	s->intervals[worst] = interval_of(s, old.low, t, old.at_low, psi);
	add_interval(s, t, old.high, psi, old.at_high);
}

static double
refine(Search *s)
{
	double		first;
	double		near_zero;
	double		rest = cover(s, &first, &near_zero);

	for (;;)
	{
		double		limit = s->best * (1.0 + TOLERANCE);
		int			worst = -1;
		double		bound = fmax(rest, near_zero);
		int			i;

		for (i = 0; i < s->n; i++)
			if (worst < 0 || s->intervals[i].bound > s->intervals[worst].bound)
				worst = i;
		if (worst >= 0)
			bound = fmax(bound, s->intervals[worst].bound);
		if (bound <= limit || s->n >= INTERVALS - 1)
			return bound;
		if (near_zero >= bound)
		{
			if (!shorten(s, &first, &near_zero))
				return bound;
		}
		else if (worst >= 0 && s->intervals[worst].bound >= bound)
			divide(s, worst);
		else
			return bound;
	}
}

static double
certified(const PaLaw *law, double shift)
{
	Search		search = {.mean = 0, .best = 0, .n = 0};
	double		most = pa_law_most_loss(law, shift);
	double		bound;

	pa_moments_make(law, shift, &search.moments);
	if (search.moments.halved)
		search.mean = pa_halves_mean(&search.moments.halves);
	search.best = search.mean * (1.0 - PA_HALVES_ERROR);
	if (law->base.shape == PA_GAUSSIAN && law->form == PA_LAW_RECYCLED)
		search.best = fmax(search.best, 0.5 * (shift / law->base.scale) * (shift / law->base.scale) * (1.0 - 1e-12));
	bound = refine(&search);
	bound = fmin(bound, 0.5 * most * most);
	return bound < most ? bound : most;
}

double
pa_law_rho(const PaLaw *law, double shift)
{
	bool		plain = law->form == PA_LAW_PLAIN || (law->form == PA_LAW_RECYCLED && law->step == 0);
	double		steps = shift / law->base.scale;
	double		rho;

	if (law->form != PA_LAW_RESPONSE && shift == 0)
		return 0;
	if (pa_law_unbounded(law, shift))
		return INFINITY;
	if (law->form == PA_LAW_RESPONSE)
		rho = law->loss * tanh(0.5 * law->loss);
	else if (plain)
		rho = law->base.shape == PA_LAPLACE ? laplace_rho(&law->base, shift) : 0.5 * steps * steps;
	else
		rho = certified(law, shift);
	rho = rho * (1.0 + 128 * DBL_EPSILON) + DBL_MIN;
	return rho >= 0 ? rho : INFINITY;
}
