/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lattice.c
 *		Coarser and finer lattices.
 *
 * x -> the whole number nearest to x m/d, ties upwards, is monotone, and adding d
 * to x adds exactly m.  If |x - y| <= D and s = ceil(D m/d), then the exact
 * quotients differ by at most s, a whole number, hence so do the rounded ones.
 */
#include "core/accounting/calibrate.h"

#define FIT 512					/* a fitted sensitivity is short of the steps wanted by about 1/FIT */

static PaInt128
floor_divide(PaInt128 value, PaInt128 divisor)
{
	PaInt128	quotient = value / divisor;

	return value % divisor < 0 ? quotient - 1 : quotient;
}

static PaInt128
ceil_divide(PaInt128 value, PaInt128 divisor)
{
	PaInt128	quotient = value / divisor;

	return value % divisor > 0 ? quotient + 1 : quotient;
}

static PaInt128
common_divisor(PaInt128 a, PaInt128 b)
{
	while (b != 0)
	{
		PaInt128	rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

PaInt128
pa_lattice_shift(const PaLattice *lattice, PaInt128 fine)
{
	return ceil_divide(fine * (PaInt128) lattice->multiple, lattice->divisor);
}

PaInt128
pa_lattice_round(const PaLattice *lattice, PaInt128 total)
{
	PaInt128	scaled = total * (PaInt128) lattice->multiple;
	PaInt128	below = floor_divide(scaled, lattice->divisor);
	PaInt128	rest = scaled - below * lattice->divisor;

	return rest >= lattice->divisor - rest ? below + 1 : below;
}

double
pa_lattice_step(const PaLattice *lattice)
{
	return (double) lattice->divisor / (double) lattice->multiple;
}

/*
 * Exactly "steps" where that takes no larger multiple; else the multiple makes
 * divisor FIT at least, and d = ceil(D m / steps) gives ceil(D m / d) <= steps,
 * short of it by one part in d.
 */
PaStatus
pa_lattice_fit(PaInt128 per_group, int64_t steps, PaLattice *lattice)
{
	PaInt128	common;
	PaInt128	multiple;

	if (per_group < 1 || per_group >> PA_SENSITIVITY_BITS != 0 || steps < 1 || steps > PA_FIT_STEPS)
		return PA_INVALID;
	common = common_divisor(per_group, steps);
	multiple = ceil_divide((PaInt128) steps * FIT, per_group);
	if (steps / common <= multiple)
	{
		lattice->multiple = (uint64_t) (steps / common);
		lattice->divisor = per_group / common;
		return PA_OK;
	}
	lattice->multiple = (uint64_t) multiple;
	lattice->divisor = ceil_divide(per_group * multiple, steps);
	return PA_OK;
}
