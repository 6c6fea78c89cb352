/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base.c
 *		Laplace and Gaussian laws on the integers and on the line.
 *
 * Laplace, b the scale: on the lattice r = exp(-1/b), p(k) = (1-r)/(1+r) r^|k|
 * and Pr[N > u] = r^(u+1/2)/(1+r); on the line Pr[N > u] = e^(-u/b)/2.  Masses on
 * one side are a tail times -expm1(-length/b); an interval around 0 is cut there.
 *
 * Its loss is D/b for x <= 0, (D - 2x)/b between, -D/b for x >= D.  With
 * reach = D - b loss the cells that count are x < reach/2, or all; on 0..D
 * (a + c is twice the middle of the boundaries a and c)
 *		sum over a < x < c of (p(x) - e^loss p(x - D))
 *			= Pr[a < N < c] (1 - e^(-(reach - (a + c))/b)),
 * since the sum of e^(x/b) is e^((a+c)/b) times that of e^(-x/b).  fma rounds reach
 * once, so its sign, and with it the comparison with the atoms, has no error.
 *
 * Gaussian: gaussian.c has the masses, apart from their exponents; p and
 * e^loss q are formed with exponents of two doubles each, whose difference is
 * then right to the rounding of the factors.  The loss is D (D - 2x)/(2 sigma^2);
 * gains are computed for a loss lowered by more than its rounding, so that no
 * cell is left out for it.
 */
#include "core/noise/base.h"

#include <float.h>
#include <math.h>

#include "core/noise/gaussian.h"

/* How much a Gaussian loss may be wrong, against its terms */
#define LOSS_ERROR (8 * DBL_EPSILON)

static const PaLoss no_tilt = {0, 0};

static double
half_cell(const PaBase *base)
{
	return base->space == PA_LATTICE ? 0.5 : 0.0;
}

PaStatus
pa_base_make(PaShape shape, PaSpace space, double scale, PaBase *base)
{
	PaBase		made = {.shape = shape, .space = space, .scale = scale};

	if (!(isfinite(scale) && scale > 0) ||
		(shape != PA_LAPLACE && shape != PA_GAUSSIAN) ||
		(space != PA_LATTICE && space != PA_LINE))
		return PA_INVALID;
	if (shape == PA_GAUSSIAN)
		made.peak = pa_bell_peak(space, scale);
	else
		made.peak = space == PA_LATTICE ? tanh(0.5 / scale) : 0.5 / scale;
	if (!isfinite(made.peak))
		return PA_INVALID;
	*base = made;
	return PA_OK;
}

/* e^(-x/b), x >= 0, with what the quotient's rounding lost */
static double
fall(double x, double b)
{
	double		steps = x / b;

	if (!(steps < 800.0))
		return 0;
	return exp(-steps) * (1.0 - fma(-steps, b, x) / b);
}

double
pa_base_density(const PaBase *base, double x)
{
	if (base->shape == PA_GAUSSIAN)
		return base->peak * pa_bell_exp(x, base->scale, no_tilt);
	return base->peak * fall(fabs(x), base->scale);
}

/* Pr[N > u], u >= 0 */
static double
laplace_tail(const PaBase *base, double u)
{
	if (base->space == PA_LINE)
		return 0.5 * fall(u, base->scale);
	return fall(u + 0.5, base->scale) / (1.0 + exp(-1.0 / base->scale));
}

/* Pr[from < N < to], 0 <= from < to */
static double
laplace_side(const PaBase *base, double from, double to)
{
	return laplace_tail(base, from) * -expm1(-(to - from) / base->scale);
}

static double
laplace_between(const PaBase *base, double from, double to)
{
	double		half = half_cell(base);
	double		mass = 0;

	if (!(from < to))
		return 0;
	if (to <= 0)
		return laplace_side(base, -to, -from);
	if (from >= 0)
		return laplace_side(base, from, to);
	if (base->space == PA_LATTICE)
		mass = base->peak;
	if (from < -half)
		mass += laplace_side(base, half, -from);
	if (to > half)
		mass += laplace_side(base, half, to);
	return fmin(mass, 1.0);
}

double
pa_base_between(const PaBase *base, double from, double to)
{
	PaBell		bell;

	if (base->shape == PA_LAPLACE)
		return laplace_between(base, from, to);
	bell = pa_bell_mass(base, 0, from, to);
	return fmin(1.0, pa_bell_norm(base) * bell.factor * pa_bell_exp(bell.point, base->scale, no_tilt));
}

double
pa_base_above(const PaBase *base, double boundary)
{
	if (boundary < 0)
		return 1.0 - pa_base_between(base, -boundary, INFINITY);
	return pa_base_between(base, boundary, INFINITY);
}

/* D - b loss */
static double
laplace_reach(const PaBase *base, double shift, PaLoss loss)
{
	return fma(-base->scale, loss.high, shift) - base->scale * loss.low;
}

/* The last boundary with only points below x before it. */
static double
boundary_below(const PaBase *base, double x)
{
	return base->space == PA_LATTICE ? ceil(x) - 0.5 : x;
}

static double
laplace_cut(const PaBase *base, double shift, PaLoss loss)
{
	double		reach = laplace_reach(base, shift, loss);

	if (reach <= 0)
		return -INFINITY;
	if (laplace_reach(base, -shift, loss) > 0)
		return INFINITY;
	return boundary_below(base, 0.5 * reach);
}

/* shift > 0 */
static double
gaussian_cut(const PaBase *base, double shift, double loss)
{
	double		back = base->scale * loss * (base->scale / shift);

	if (loss == 0)
		back = 0;
	else if (isnan(back))		/* 0 times infinity: take it all in */
		back = -INFINITY;
	return boundary_below(base, 0.5 * shift - back);
}

double
pa_base_cut(const PaBase *base, double shift, double loss)
{
	PaLoss		exact = {loss, 0};

	if (shift == 0)
		return loss < 0 ? INFINITY : -INFINITY;
	if (base->shape == PA_LAPLACE)
		return laplace_cut(base, shift, exact);
	return gaussian_cut(base, shift, loss);
}

/* 1 - e^x for x < 0, of a mass; nothing for others */
static void
add_gain(PaGain *sum, double mass, double x, double doubt)
{
	double		gain = mass * -expm1(x);

	if (!(x < 0) || !(mass > 0))
		return;
	sum->gain += gain;
	sum->gross += gain + mass * fmin(1.0, doubt);
}

static PaGain
laplace_gain(const PaBase *base, double shift, PaLoss loss, double from, double to)
{
	double		b = base->scale;
	double		half = half_cell(base);
	double		reach = laplace_reach(base, shift, loss);
	double		beyond = laplace_reach(base, -shift, loss);
	double		end = fmin(to, laplace_cut(base, shift, loss));
	double		low = fmax(from, half);
	double		high = fmin(end, shift - half);
	PaGain		sum = {0, 0, from < end};

	if (!sum.reached)
		return sum;
	if (from < half)
		add_gain(&sum, laplace_between(base, from, fmin(end, half)), -reach / b, 0);
	if (low < high)
		add_gain(&sum, laplace_side(base, low, high), -(reach - (low + high)) / b, reach / b);
	low = fmax(low, shift - half);
	if (low < end)
		add_gain(&sum, laplace_side(base, low, end), -beyond / b, 0);
	return sum;
}

/*
 * How much a mass may change, against itself, as its boundaries on the line were
 * rounded: at its edge a bell is at most 1/length + (1 + z)/sigma times the mass
 * that lies outwards, and 1/length times what lies inwards.
 */
static double
boundary_doubt(const PaBase *base, double from, double to)
{
	double		size = (isfinite(from) ? fabs(from) : 0) + (isfinite(to) ? fabs(to) : 0);

	if (base->space == PA_LATTICE)
		return 0;
	return 2.0 * DBL_EPSILON * size * (1.0 / (to - from) + (1.0 + size / base->scale) / base->scale);
}

static PaGain
gaussian_gain(const PaBase *base, double shift, PaLoss loss, double from, double to)
{
	double		sigma = base->scale;
	double		steps = shift / sigma;
	double		error = LOSS_ERROR * (fabs(loss.high) + 0.5 * steps * steps);
	double		norm = pa_bell_norm(base);
	double		end = isfinite(error) ? fmin(to, gaussian_cut(base, shift, loss.high - 0.5 * error)) : to;
	PaGain		sum = {0, 0, from < end};
	PaBell		p;
	PaBell		q;
	double		up;
	double		down;

	if (!sum.reached)
		return sum;
	if (!isfinite(error))
	{
		sum.gain = sum.gross = pa_base_between(base, from, to);
		return sum;
	}
	loss.low -= error;
	p = pa_bell_mass(base, 0, from, end);
	q = pa_bell_mass(base, 0, from - shift, end - shift);
	up = norm * p.factor * pa_bell_exp(p.point, sigma, no_tilt);
	down = q.factor > 0 ? norm * q.factor * pa_bell_exp(q.point, sigma, loss) : 0;
	sum.gain = fmax(0, up - down);
	sum.gross = up + fmin(up, down) *
		(1.0 + boundary_doubt(base, from - shift, end - shift) / PA_GAIN_ERROR);
	return sum;
}

PaGain
pa_base_gain(const PaBase *base, double shift, PaLoss loss, double from, double to)
{
	PaGain		none = {0, 0, false};

	if (shift == 0)
	{
		none.reached = loss.high < 0 && from < to;
		if (none.reached)
			add_gain(&none, pa_base_between(base, from, to), loss.high + loss.low, 0);
		return none;
	}
	if (base->shape == PA_LAPLACE)
		return laplace_gain(base, shift, loss, from, to);
	return gaussian_gain(base, shift, loss, from, to);
}

double
pa_log_add(double x, double y)
{
	double		high = fmax(x, y);

	if (high == -INFINITY)
		return high;
	return high + log1p(exp(fmin(x, y) - high));
}

/*
 * ln of the sum of e^(-fall x) over from < x < to, from finite; fall may be
 * negative if to is finite.  The end with the larger term is the reference.
 */
static double
log_powers(PaSpace space, double fall, double from, double to)
{
	double		half = space == PA_LATTICE ? 0.5 : 0.0;
	double		length = to - from;
	double		steep = fabs(fall);
	double		reference = fall >= 0 ? -fall * (from + half) : -fall * (to - half);
	double		ratio;

	if (!(length > 0))
		return -INFINITY;
	if (steep * length == 0)
		return reference + log(length);
	ratio = -expm1(-steep * length);
	return reference + log(ratio / (space == PA_LATTICE ? -expm1(-steep) : steep));
}

static double
laplace_log_moment(const PaBase *base, double shift, double t, double from, double to)
{
	double		b = base->scale;
	double		half = half_cell(base);
	double		zero = shift > 0 ? half : -half;
	double		most = shift / b;
	double		sum;

	sum = t * most + log_powers(base->space, 1.0 / b, fmax(-to, -zero), -from);
	sum = pa_log_add(sum, t * most + log_powers(base->space, (1.0 + 2.0 * t) / b,
											 fmax(from, zero), fmin(to, shift - half)));
	sum = pa_log_add(sum, -t * most + log_powers(base->space, 1.0 / b, fmax(from, shift - half), to));
	return log(base->peak) + sum;
}

static double
gaussian_log_moment(const PaBase *base, double shift, double t, double from, double to)
{
	double		sigma = base->scale;
	PaBell		bell = pa_bell_mass(base, -t * shift, from, to);
	double		z = bell.point / sigma;

	if (!(bell.factor > 0))
		return -INFINITY;
	return -0.5 * z * z + t * ((shift / sigma) * ((shift - 2.0 * bell.point) / (2.0 * sigma))) +
		log(bell.factor * pa_bell_norm(base));
}

double
pa_base_log_moment(const PaBase *base, double shift, double t, double from, double to)
{
	if (!(from < to))
		return -INFINITY;
	if (base->shape == PA_LAPLACE)
		return laplace_log_moment(base, shift, t, from, to);
	return gaussian_log_moment(base, shift, t, from, to);
}
