/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * law.c
 *		Plain, recycled and tabulated laws, and the worst pair: masses and tails.
 *
 * A recycled law is its base times c_in within the band and c_out outside; with
 * the shifted one there are four cuts, at -band, band, shift - band and
 * shift + band, hence five pieces.  In the middle one both or neither are
 * within their bands.
 *
 * c_in = 1/(1 - pbar q) = 1/(p + pbar keep) has no cancellation.  ln(keep) is
 * kept in two doubles: a pure budget is the sum of two losses, and a profile
 * next to it would feel the rounding.  Staircases are in stairs.c.
 *
 * Error bound: every number is a sum of products, without cancellation, of
 * what base.c gives.
 */
#include "core/noise/law.h"

#include <float.h>
#include <math.h>

#include "core/noise/piece.h"
#include "core/noise/stairs.h"

static double
half_cell(const PaLaw *law)
{
	return law->space == PA_LATTICE ? 0.5 : 0.0;
}

static bool
whole(PaSpace space, double x)
{
	return space == PA_LINE || x == floor(x);
}

PaStatus
pa_law_plain(PaShape shape, PaSpace space, double scale, PaLaw *law)
{
	PaLaw		made = {.form = PA_LAW_PLAIN, .space = space, .inside = 1, .outside = 1, .keep = 1};
	PaStatus	status = pa_base_make(shape, space, scale, &made.base);

	if (status == PA_OK)
		*law = made;
	return status;
}

static PaStatus
recycled_base(PaShape shape, PaSpace space, double scale, double band, PaLaw *law)
{
	PaLaw		made = {.form = PA_LAW_RECYCLED, .space = space, .band = band};
	PaStatus	status = pa_base_make(shape, space, scale, &made.base);
	double		edge;

	if (status != PA_OK)
		return status;
	if (!(isfinite(band) && band >= 0) || !whole(space, band))
		return PA_INVALID;
	edge = band + half_cell(&made);
	made.band_mass = pa_base_between(&made.base, -edge, edge);
	made.out_mass = fmin(1.0, 2.0 * pa_base_above(&made.base, edge));
	*law = made;
	return PA_OK;
}

/* keep = 1 is the plain law: all constants are exact then */
static void
set_keep(PaLaw *law, double keep)
{
	double		step = -log(keep);

	law->keep = keep;
	law->step = keep < 1 ? step : 0;
	law->step_low = keep < 1 && keep > 0 ? (double) (-logl(keep) - step) : 0;
	law->inside = keep < 1 ? 1.0 / (law->band_mass + law->out_mass * keep) : 1;
	law->outside = keep * law->inside;
}

PaStatus
pa_law_recycled(PaShape shape, PaSpace space, double scale, double band, double keep, PaLaw *law)
{
	PaLaw		made;
	PaStatus	status = recycled_base(shape, space, scale, band, &made);

	if (status != PA_OK)
		return status;
	if (!((keep >= DBL_MIN || (keep == 0 && made.band_mass > 0)) && keep <= 1))
		return PA_INVALID;
	set_keep(&made, made.band_mass > 0 ? keep : 1);
	*law = made;
	return PA_OK;
}

PaStatus
pa_law_recycled_by_lam(PaShape shape, PaSpace space, double scale, double band, double lam, PaLaw *law)
{
	PaLaw		made;
	PaStatus	status = recycled_base(shape, space, scale, band, &made);
	double		p = made.band_mass;

	if (status != PA_OK)
		return status;
	if (!(lam > 0 && lam <= 1))
		return PA_INVALID;
	if (lam < 1 && p > 0)
		set_keep(&made, fmax(DBL_MIN, lam * p / ((1.0 - lam) + lam * p)));
	else
		set_keep(&made, 1);
	*law = made;
	return PA_OK;
}

PaStatus
pa_law_staircase(PaSpace space, double loss, double width, double band, PaLaw *law)
{
	PaLaw		made = {
		.form = PA_LAW_STAIRCASE, .space = space, .band = band, .loss = loss, .width = width,
		.inside = 1, .outside = 1, .keep = 1
	};

	if (!(isfinite(loss) && loss > 0 && isfinite(width) && width > 0 && isfinite(band) && band >= 0) ||
		(space != PA_LATTICE && space != PA_LINE) || !whole(space, width) || !whole(space, band))
		return PA_INVALID;
	*law = made;
	return PA_OK;
}

PaStatus
pa_law_table(const PaNoiseTable *table, PaLaw *law)
{
	PaLaw		made = {.form = PA_LAW_TABLE, .space = PA_LATTICE, .inside = 1, .outside = 1, .keep = 1, .table = table};
	uint64_t	rest = table->total;
	int32_t		k;

	if (table->last < 0 || table->total == 0 || table->total > (UINT64_C(1) << 62))
		return PA_INVALID;
	for (k = 0; k <= table->last; k++)
	{
		uint64_t	one = table->weight[k];

		if (one > rest || (k > 0 && (one > rest / 2 || one > table->weight[k - 1])))
			return PA_INVALID;
		rest -= k > 0 ? 2 * one : one;
	}
	if (rest != 0)
		return PA_INVALID;
	*law = made;
	return PA_OK;
}

PaStatus
pa_law_response(double epsilon, double delta, PaLaw *law)
{
	PaLaw		made = {
		.form = PA_LAW_RESPONSE, .space = PA_LATTICE, .loss = epsilon, .leak = delta, .inside = 1, .outside = 1, .keep = 1
	};

	if (!(isfinite(epsilon) && epsilon >= 0 && delta >= 0 && delta <= 1))
		return PA_INVALID;
	*law = made;
	return PA_OK;
}

double
pa_law_keep(const PaLaw *law)
{
	return law->keep;
}

static double
table_density(const PaNoiseTable *table, double x)
{
	if (!(fabs(x) <= table->last))
		return 0;
	return (double) table->weight[(int32_t) fabs(x)] / (double) table->total;
}

static double
table_above(const PaNoiseTable *table, double boundary)
{
	uint64_t	sum = 0;
	int32_t		k;

	if (boundary < 0)
		return 1.0 - table_above(table, -boundary);
	for (k = table->last; k > boundary; k--)
		sum += table->weight[k];
	return (double) sum / (double) table->total;
}

static double
table_within(const PaNoiseTable *table, double edge)
{
	uint64_t	sum = table->weight[0];
	int32_t		k;

	for (k = 1; k <= table->last && k < edge; k++)
		sum += 2 * table->weight[k];
	return (double) sum / (double) table->total;
}

double
pa_law_density(const PaLaw *law, double x)
{
	switch (law->form)
	{
		case PA_LAW_PLAIN:
			return pa_base_density(&law->base, x);
		case PA_LAW_RECYCLED:
			return pa_base_density(&law->base, x) * (fabs(x) <= law->band ? law->inside : law->outside);
		case PA_LAW_STAIRCASE:
			return pa_stairs_density(law, x);
		case PA_LAW_TABLE:
			return table_density(law->table, x);
		case PA_LAW_RESPONSE:
			break;
	}
	return 0;
}

static double
recycled_above(const PaLaw *law, double boundary)
{
	double		edge = law->band + half_cell(law);

	if (boundary < 0)
		return 1.0 - recycled_above(law, -boundary);
	if (boundary >= edge)
		return law->outside * pa_base_above(&law->base, boundary);
	return law->inside * pa_base_between(&law->base, boundary, edge) +
		law->outside * (0.5 * law->out_mass);
}

double
pa_law_above(const PaLaw *law, double boundary)
{
	switch (law->form)
	{
		case PA_LAW_PLAIN:
			return pa_base_above(&law->base, boundary);
		case PA_LAW_RECYCLED:
			return fmin(1.0, recycled_above(law, boundary));
		case PA_LAW_STAIRCASE:
			return pa_stairs_above(law, boundary);
		case PA_LAW_TABLE:
			return table_above(law->table, boundary);
		case PA_LAW_RESPONSE:
			break;
	}
	return 0;
}

static double
recycled_acceptance(const PaLaw *law, double edge)
{
	double		band = law->band + half_cell(law);
	double		rest;

	if (edge <= band)
		return law->inside * pa_base_between(&law->base, -edge, edge);
	rest = law->inside * law->band_mass;
	return rest + 2.0 * law->outside * pa_base_between(&law->base, band, edge);
}

double
pa_law_acceptance(const PaLaw *law, double theta)
{
	double		edge = law->space == PA_LATTICE ? floor(theta) + 0.5 : theta;

	if (!(theta >= 0) || law->form == PA_LAW_RESPONSE)
		return 0;
	if (law->form == PA_LAW_PLAIN)
		return pa_base_between(&law->base, -edge, edge);
	if (law->form == PA_LAW_RECYCLED)
		return fmin(1.0, recycled_acceptance(law, edge));
	if (law->form == PA_LAW_STAIRCASE)
		return pa_stairs_within(law, edge);
	return table_within(law->table, edge);
}

static int
add_piece(PaPiece pieces[PA_PIECES], int n, double from, double to, double p, double q, int sign)
{
	PaPiece		piece = {from, to, p, q, sign};

	if (!(from < to))
		return n;
	pieces[n] = piece;
	return n + 1;
}

/* a + b, rounded up or down if it is not exact */
static double
sum_towards(double a, double b, double direction)
{
	double		sum = a + b;
	double		part = sum - a;
	double		lost = (a - (sum - part)) + (b - part);

	return (direction > 0 ? lost > 0 : lost < 0) ? nextafter(sum, direction) : sum;
}

/*
 * Where a cut is rounded, the piece with the larger ratio gets what is between:
 * a profile is only larger for it.
 */
int
pa_law_pieces(const PaLaw *law, double shift, PaPiece pieces[PA_PIECES])
{
	double		edge = law->band + half_cell(law);
	double		in = law->inside;
	double		out = law->outside;
	double		inner = sum_towards(shift, -edge, INFINITY);
	double		outer = sum_towards(shift, edge, -INFINITY);
	double		low = fmin(edge, inner);
	double		high = fmax(edge, inner);
	double		middle = low < edge ? in : out;
	int			n;

	if (law->form == PA_LAW_PLAIN || law->step == 0 || shift == 0)
		return add_piece(pieces, 0, -INFINITY, INFINITY, 1, 1, 0);
	n = add_piece(pieces, 0, -INFINITY, -edge, out, out, 0);
	n = add_piece(pieces, n, -edge, low, in, out, 1);
	n = add_piece(pieces, n, low, high, middle, middle, 0);
	n = add_piece(pieces, n, high, outer, out, in, -1);
	return add_piece(pieces, n, outer, INFINITY, out, out, 0);
}
