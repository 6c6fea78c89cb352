/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves.c
 *		Weighted points for the half of a law where its loss is positive.
 *
 * Per piece (piece.h) below D/2:
 *	 Laplace	to the left of 0 the loss is constant: one point; between 0 and D/2
 *				it is linear in x
 *	 Gaussian	the loss is linear in x; 11 sigma below 0 it ends
 * On a panel of at most 1.5 scales, with t D at most one and D at most four
 * scales, an integrand is e^(quadratic) with a coefficient of x below 8/scale:
 * the error of 16 points is below 1e-16 of it.  What is left out beyond
 * 11 sigma is below 1e-24 of the whole.
 *
 * Segments whose cells are too many to be listed (scale >= 32) are summed with
 * end corrections (points.h), whose error is below 1e-13 of the sum.  They are
 * points as well, with small weights of both signs.
 */
#include "core/noise/halves.h"

#include <math.h>

#include "core/noise/piece.h"
#include "core/noise/points.h"
#include "core/noise/stairs.h"

#define SHIFT_LIMIT 4.0
#define PANEL 1.5
#define REACH 11.0
#define WIDE 32.0
#define FEW 16.0
#define STAIRS_LIMIT 500

typedef struct Segment
{
	const PaBase *base;
	double		shift;
	double		factor;			/* p is so much times the base */
	double		ratio;			/* added to the loss of the base */
	double		from;
	double		to;
} Segment;

static void
add_point(PaHalves *halves, double mass, double loss)
{
	if (halves->n >= PA_HALVES || mass == 0)
		return;
	halves->mass[halves->n] = mass;
	halves->loss[halves->n] = loss;
	halves->n++;
	halves->most = fmax(halves->most, loss);
}

typedef struct Visitor
{
	PaHalves   *halves;
	const Segment *segment;
} Visitor;

/* Laplace's density goes on as a power below 0: end corrections look there. */
static void
add_at(void *context, double x, double weight)
{
	const Visitor *visitor = context;
	const Segment *s = visitor->segment;
	double		scale = s->base->scale;
	double		loss = (s->shift - 2.0 * x) / scale;
	double		p;

	if (s->base->shape == PA_GAUSSIAN)
	{
		loss *= 0.5 * s->shift / scale;
		p = pa_base_density(s->base, x);
	}
	else
		p = s->base->peak * exp(-x / scale);
	add_point(visitor->halves, weight * s->factor * p, loss + s->ratio);
}

/* A segment on which everything is smooth */
static void
add_segment(PaHalves *halves, const Segment *s)
{
	Visitor		visitor = {halves, s};
	bool		listed = s->base->scale < WIDE || s->to - s->from <= FEW;

	if (s->from < s->to)
		pa_points(s->base->space, listed, PANEL * s->base->scale, s->from, s->to, add_at, &visitor);
}

static void
add_piece(PaHalves *halves, const PaLaw *law, double shift, const PaPiece *piece)
{
	double		half = law->space == PA_LATTICE ? 0.5 : 0.0;
	Segment		s = {&law->base, shift, piece->p_factor, piece->sign * law->step, piece->from, 0};

	s.to = fmin(piece->to, law->space == PA_LATTICE ? ceil(0.5 * shift) - 0.5 : 0.5 * shift);
	if (law->base.shape == PA_GAUSSIAN)
		s.from = fmax(s.from, ceil(-REACH * s.base->scale) - half);
	else if (s.from < half)
	{
		add_point(halves, s.factor * pa_base_between(s.base, s.from, fmin(s.to, half)),
				  shift / s.base->scale + s.ratio);
		s.from = half;
	}
	add_segment(halves, &s);
}

static bool
base_halves(const PaLaw *law, double shift, PaHalves *halves)
{
	PaPiece		pieces[PA_PIECES];
	int			n = pa_law_pieces(law, shift, pieces);
	int			i;

	if (!(shift <= SHIFT_LIMIT * law->base.scale))
		return false;
	for (i = 0; i < n; i++)
		add_piece(halves, law, shift, &pieces[i]);
	return halves->n < PA_HALVES;
}

static bool
stairs_halves(const PaLaw *law, double shift, PaHalves *halves)
{
	double		most = pa_stairs_most(law, shift);
	double		above = 0;
	double		level;

	if (most > STAIRS_LIMIT)
		return false;
	for (level = most; level >= 1; level--)
	{
		double		reach = pa_stairs_reach(law, shift, level, 0).p;

		add_point(halves, reach - above, level * law->loss);
		above = reach;
	}
	return true;
}

bool
pa_halves_make(const PaLaw *law, double shift, PaHalves *halves, bool *any_order)
{
	halves->n = 0;
	halves->most = 0;
	*any_order = law->form == PA_LAW_STAIRCASE || law->form == PA_LAW_RESPONSE;
	switch (law->form)
	{
		case PA_LAW_PLAIN:
		case PA_LAW_RECYCLED:
			return base_halves(law, shift, halves);
		case PA_LAW_STAIRCASE:
			return stairs_halves(law, shift, halves);
		case PA_LAW_RESPONSE:
			add_point(halves, 1.0 / (1.0 + exp(-law->loss)), law->loss);
			return true;
		case PA_LAW_TABLE:
			break;
	}
	return false;
}

/*
 * 1 + sum of p (e^(tL) - 1), which is the sum over half of
 * (e^(tL) - 1) (1 - e^(-(1+t)L)); against e^(t most) where that is large.
 */
double
pa_halves_psi(const PaHalves *halves, double t)
{
	double		high = t * halves->most > 30.0 ? t * halves->most : 0;
	double		sum = 0;
	int			i;

	for (i = 0; i < halves->n; i++)
	{
		double		x = t * halves->loss[i];
		double		grown = high > 0 ? exp(x - high) - exp(-high) : expm1(x);

		sum += halves->mass[i] * grown * -expm1(-x - halves->loss[i]);
	}
	return high > 0 ? high + log(sum + exp(-high)) : log1p(sum);
}

double
pa_halves_mean(const PaHalves *halves)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < halves->n; i++)
		sum += halves->mass[i] * halves->loss[i] * -expm1(-halves->loss[i]);
	return sum;
}

double
pa_halves_square(const PaHalves *halves, double t)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < halves->n; i++)
	{
		double		loss = halves->loss[i];

		sum += halves->mass[i] * loss * loss * (exp(t * loss) + exp(-(1.0 + t) * loss));
	}
	return sum;
}

double
pa_halves_variance(const PaHalves *halves, double t)
{
	double		base = t * halves->most;
	double		total = exp(-base);
	double		first = 0;
	double		second = 0;
	int			i;

	for (i = 0; i < halves->n; i++)
	{
		double		loss = halves->loss[i];
		double		up = halves->mass[i] * exp(t * loss - base);
		double		down = halves->mass[i] * exp(-(1.0 + t) * loss - base);

		total += halves->mass[i] * (exp(t * loss - base) - exp(-base)) * -expm1(-(1.0 + t) * loss);
		first += (up - down) * loss;
		second += (up + down) * loss * loss;
	}
	return fmax(0, second / total - (first / total) * (first / total));
}
