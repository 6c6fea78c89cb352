/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stairs.h
 *		What a staircase gives away: its loss takes few values.
 *
 * The loss is law->loss times a whole number from -most to most.
 */
#ifndef PA_STAIRS_H
#define PA_STAIRS_H

#include "core/noise/law.h"

/* Pr[N > boundary] of a staircase. */
extern double pa_stairs_above(const PaLaw *law, double boundary);

/* Pr[-boundary < N < boundary] of a staircase, boundary >= 0. */
extern double pa_stairs_within(const PaLaw *law, double boundary);

/* p(x) of a staircase */
extern double pa_stairs_density(const PaLaw *law, double x);

/* most = ceil(shift/width) */
extern double pa_stairs_most(const PaLaw *law, double shift);

/*
 * Pr[loss >= level law->loss] under p, and under the shifted law times e^tilt;
 * level is whole.
 */
extern PaMasses pa_stairs_reach(const PaLaw *law, double shift, double level, double tilt);

#endif							/* PA_STAIRS_H */
