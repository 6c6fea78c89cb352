/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * envelope.h
 *		The least concave function above a term on an interval, and its tangents.
 *
 * A term is convex, then concave.  On [low, high] its envelope is the chord from
 * low to the point where that chord is a tangent, then the term; or the chord
 * alone; or the term alone if the bend lies before low.  Where a ramp ends within
 * the interval the envelope has a corner, at `corner`.
 *
 * A tangent of slope s lies above the envelope, hence above the term, on the
 * whole interval: term(w) <= s w + support, support = sup (envelope(w) - s w).
 */
#ifndef PA_ENVELOPE_H
#define PA_ENVELOPE_H

#include "core/bayes/term.h"

typedef struct PaEnvelope
{
	double		low;
	double		high;
	double		knot;			/* a line before, the term from here; -INFINITY or INFINITY too */
	double		anchor;			/* where the line's level is given */
	double		level;
	double		slope;
	double		corner;			/* INFINITY if there is none */
	double		corner_slope;	/* of the envelope just before the corner; just after it is 0 */
} PaEnvelope;

typedef struct PaEnvelopeAt
{
	double		value;			/* of the smoothed envelope */
	double		slope;			/* of the tangent */
	double		curvature;		/* <= 0 */
	double		support;
} PaEnvelopeAt;

/* low <= high. */
extern PaEnvelope pa_envelope_make(const PaTerm *term, double low, double high);

/*
 * At w, with the corner rounded off within a fraction `smooth` of the interval on
 * either side: value, slope and curvature are for taking steps.  slope and support
 * are a tangent of the envelope itself, whatever smooth is.
 */
extern PaEnvelopeAt pa_envelope_at(const PaEnvelope *envelope, const PaTerm *term, double w, double smooth);

/*
 * The supremum of envelope(w) - slope w over [low, high] for any slope, from above:
 * computed with the tangent of slope *tangent where the supremum should be.
 */
extern double pa_envelope_support(const PaEnvelope *envelope, const PaTerm *term, double slope,
								  double *tangent);

/* The envelope itself. */
extern double pa_envelope_value(const PaEnvelope *envelope, const PaTerm *term, double w);

#endif							/* PA_ENVELOPE_H */
