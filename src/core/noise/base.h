/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base.h
 *		The two noises that others are made of, on the integers or on the line.
 *
 * A boundary is a real number that sets "below" and "above" apart.  On the
 * lattice, boundaries lie between whole numbers (k + 1/2), so that one set of
 * formulas serves both spaces.
 *
 * Numbers are to nearest with relative error below PA_LAW_ERROR unless said
 * otherwise.  shift >= 0 is the distance of the two neighbouring laws
 * p(x) and p(x - shift); the loss at x is ln p(x)/p(x - shift), which falls in x.
 */
#ifndef PA_BASE_H
#define PA_BASE_H

#include <stdbool.h>

#include "core/status.h"

#define PA_LAW_ERROR 4e-12

typedef enum PaShape
{
	PA_LAPLACE,					/* p(x) ~ exp(-|x|/scale) */
	PA_GAUSSIAN					/* p(x) ~ exp(-x^2/(2 scale^2)) */
} PaShape;

typedef enum PaSpace
{
	PA_LATTICE,					/* whole numbers */
	PA_LINE						/* real numbers */
} PaSpace;

typedef struct PaBase
{
	PaShape		shape;
	PaSpace		space;
	double		scale;
	double		peak;			/* p(0) */
} PaBase;

/* PA_INVALID unless scale is finite and positive. */
extern PaStatus pa_base_make(PaShape shape, PaSpace space, double scale, PaBase *base);

/* Pr[N = x] on the lattice (x whole), the density at x on the line. */
extern double pa_base_density(const PaBase *base, double x);

/* Pr[N > boundary], any boundary, -INFINITY and INFINITY included. */
extern double pa_base_above(const PaBase *base, double boundary);

/* Pr[from < N < to] for boundaries from <= to, without cancellation. */
extern double pa_base_between(const PaBase *base, double from, double to);

/*
 * The boundary b such that the loss is above the given one exactly for x < b:
 * -INFINITY for nowhere, INFINITY for everywhere.
 */
extern double pa_base_cut(const PaBase *base, double shift, double loss);

/*
 * ln of the sum (integral) of p(x)^(1+t) p(x-shift)^(-t) over from < x < to,
 * t > -1; absolute error below 1e-10 (1 + |value|); -INFINITY if empty.
 */
extern double pa_base_log_moment(const PaBase *base, double shift, double t, double from, double to);

/* high + low, |low| small against high: more digits than one double has */
typedef struct PaLoss
{
	double		high;
	double		low;
} PaLoss;

/*
 * The part of a privacy profile that lies between two boundaries: the sum of
 * max(0, p(x) - e^loss p(x - shift)) over from < x < to.
 *
 * gain is at least the true value less PA_GAIN_ERROR gross.  It exceeds it by at
 * most as much, and for a Gaussian law by what a loss lower by some DBL_EPSILON of
 * its terms gains.  gross is at least gain, and close to it where nothing cancels.
 * Unless "reached" no x has a loss above the given one, and gain is exactly 0.
 */
typedef struct PaGain
{
	double		gain;
	double		gross;
	bool		reached;
} PaGain;

#define PA_GAIN_ERROR 1.5e-14

extern PaGain pa_base_gain(const PaBase *base, double shift, PaLoss loss, double from, double to);

/* ln(e^x + e^y) */
extern double pa_log_add(double x, double y);

#endif							/* PA_BASE_H */
