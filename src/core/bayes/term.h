/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term.h
 *		The logarithm of one answer's probability as a rising function of one number.
 *
 * A query asks for y = r(z), z = theta.x + c, and answers one bit o with
 *
 *	 Pr[o = 1] = (1 + (e^eps - 1) u)/(e^eps + 1),	u = (y - a)/(b - a) in [0, 1]
 *
 * where y is z cut to [a, b], or 1/(1 + e^-z) with a = 0 and b = 1.  As a
 * function of w = z (o = 1) or w = -z (o = 0) the log-likelihood rises, is convex
 * up to a bend and concave from there on.  So is minus the log-likelihood as a
 * function of -w.  A PaTerm is either; so the largest and the smallest
 * log-likelihood are the same problem, the maximum of a sum of terms.
 *
 *	 sigmoid	h + ln((1 + e^-h e^-t)/(1 + e^h e^-t)), t = w - bend, h = eps/2: odd in t,
 *				from -h to h
 *	 rise		ln(1 + k (w - start)) on [start, end], k = (e^eps - 1)/(end - start):
 *				from 0 to eps, level outside, concave from start on
 *	 relief		-ln(1 + k (end - w)) on [start, end]: from -eps to 0, level
 *				outside, convex up to end
 *
 * Log-likelihood or its negative = term + offset.  w is kept in the units of z:
 * rounding k by a factor 1 + r then moves a term by at most |r|, however large k
 * is.  Values are within (8 + eps) 2^-53 of the exact ones for the w given.
 */
#ifndef PA_TERM_H
#define PA_TERM_H

#include <stdbool.h>

#include "core/status.h"

#define PA_REGRESSION_EPSILON 64.0	/* eps of a query is in (0, this] */
#define PA_REGRESSION_DIMENSIONS 32

typedef enum PaRegressionKind
{
	PA_REGRESSION_LINEAR,			/* z cut to [a, b], which may be no cut at all */
	PA_REGRESSION_LOGISTIC		/* 1/(1 + e^-z); a and b are not read */
} PaRegressionKind;

/* A query; theta has as many entries as the domain has dimensions and is the caller's. */
typedef struct PaRegression
{
	PaRegressionKind kind;
	const double *theta;
	double		constant;
	double		a;				/* a < b */
	double		b;
	double		epsilon;
} PaRegression;

typedef enum PaTermShape
{
	PA_TERM_SIGMOID,
	PA_TERM_RISE,
	PA_TERM_RELIEF
} PaTermShape;

typedef struct PaTerm
{
	PaTermShape shape;
	double		bend;			/* sigmoid: its inflection; rise: start; relief: end */
	double		start;			/* of the ramp; sigmoid: -INFINITY */
	double		end;			/* of the ramp; sigmoid: INFINITY */
	double		epsilon;
	double		half;			/* epsilon/2 */
	double		grow;			/* e^half */
	double		shrink;			/* e^-half */
	double		steep;			/* k */
	double		offset;
} PaTerm;

typedef struct PaTermAt
{
	double		value;
	double		slope;			/* >= 0; at a corner that of one side */
	double		curvature;
} PaTermAt;

/* Finite numbers in range, a < b, and a finite k; theta is looked at as well. */
extern bool pa_regression_valid(const PaRegression *query, int dimensions);

/* theta.x + c. */
extern double pa_regression_z(const PaRegression *query, int dimensions, const double *x);

/*
 * The term of the log-likelihood of the output (0 or 1), or with minus that of
 * its negative, and the sign of w = sign z.
 */
extern PaTerm pa_term_make(const PaRegression *query, int output, bool minus, double *sign);

extern double pa_term_value(const PaTerm *term, double w);
extern PaTermAt pa_term_at(const PaTerm *term, double w);

/* Where the concave part has this slope, about; a point of it in any case. */
extern double pa_term_where(const PaTerm *term, double slope);

/* The least and the largest slope on [low, high], corners included. */
extern void pa_term_slopes(const PaTerm *term, double low, double high, double *least, double *most);

#endif							/* PA_TERM_H */
