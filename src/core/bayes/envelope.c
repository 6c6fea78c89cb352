/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * envelope.c
 *		Tangent points from the safe side.
 *
 * Let T(q) = f(q) - f'(q)(q - low) - f(low) for q past the bend, where f is
 * concave: T' = -f''(q)(q - low) >= 0.  The tangent at q passes above (low, f(low))
 * if and only if T(q) >= 0, and then lies above f on [low, q]: on the concave part as
 * a tangent, at low and at the bend hence on the convex part between.  So any q
 * with T(q) >= 0 gives a concave function above f, the least one where T(q) = 0;
 * the search for it may end early, but only where T >= 0 was seen.
 */
#include "core/bayes/envelope.h"

#include <math.h>

#define ROUNDS 40
#define CLOSE 1e-7				/* of T, against the rise over the interval */

static double
excess(double low, double f_low, PaTermAt at, double q)
{
	return at.value - at.slope * (q - low) - f_low;
}

/*
 * The tangent point in (from, to], T(from) <= 0 <= T(to), by Newton's method kept
 * within the bracket; *at is what the term is there.
 */
static double
tangent_point(const PaTerm *term, double low, double from, double to, double close, PaTermAt *at)
{
	double		f_low = pa_term_value(term, low);
	double		safe = to;
	double		q = from + 0.5 * (to - from);
	int			i;

	for (i = 0; i < ROUNDS; i++)
	{
		PaTermAt	here = pa_term_at(term, q);
		double		t = excess(low, f_low, here, q);
		double		rate = -here.curvature * (q - low);
		double		next;

		if (t >= 0)
		{
			safe = q;
			*at = here;
			if (t <= close)
				break;
		}
		else
			from = q;
		next = q - (t - 0.5 * close) / rate;
		if (!(next > from && next < safe))
			next = from + 0.5 * (safe - from);
		if (!(next > from && next < safe))
			break;
		q = next;
	}
	return safe;
}

static void
set_chord(PaEnvelope *envelope, double f_low, double high, double f_high)
{
	envelope->anchor = high;
	envelope->level = f_high;
	envelope->slope = high > envelope->low ? fmax((f_high - f_low) / (high - envelope->low), 0.0) : 0.0;
}

PaEnvelope
pa_envelope_make(const PaTerm *term, double low, double high)
{
	PaEnvelope	envelope = {low, high, -INFINITY, 0, 0, 0, INFINITY, 0};
	double		last = fmin(high, term->end);	/* the envelope is level from here on */
	double		f_low;
	PaTermAt	at;

	if (low < term->end && high > term->end)
	{
		envelope.corner = term->end;
		envelope.corner_slope = term->shape == PA_TERM_RISE ?
			term->steep / (1.0 + term->steep * (term->end - term->start)) : 0;
	}
	if (low >= term->bend)
		return envelope;
	f_low = pa_term_value(term, low);
	if (last > term->bend)
	{
		at = pa_term_at(term, last);
		if (term->shape == PA_TERM_RISE && last == term->end)
			at.slope = envelope.corner < INFINITY ? envelope.corner_slope :
				term->steep / (1.0 + term->steep * (term->end - term->start));
		if (excess(low, f_low, at, last) > 0)
		{
			envelope.knot = tangent_point(term, low, term->bend, last, CLOSE * (at.value - f_low), &at);
			envelope.anchor = envelope.knot;
			envelope.level = at.value;
			envelope.slope = at.slope;
			return envelope;
		}
	}
	set_chord(&envelope, f_low, last, pa_term_value(term, last));
	envelope.knot = envelope.corner;
	envelope.corner_slope = envelope.slope;
	return envelope;
}

/* --- at a point --- */

static PaEnvelopeAt
line_at(const PaEnvelope *envelope, double w)
{
	PaEnvelopeAt at;

	at.value = envelope->level + envelope->slope * (w - envelope->anchor);
	at.slope = envelope->slope;
	at.curvature = 0;
	at.support = envelope->level - envelope->slope * envelope->anchor;
	return at;
}

static PaEnvelopeAt
sharp_at(const PaEnvelope *envelope, const PaTerm *term, double w)
{
	PaEnvelopeAt at;
	PaTermAt	plain;

	if (w < envelope->knot)
		return line_at(envelope, w);
	plain = pa_term_at(term, w);
	at.value = plain.value;
	at.slope = plain.slope;
	at.curvature = fmin(plain.curvature, 0.0);
	at.support = plain.value - plain.slope * w;
	return at;
}

/* Within reach of the corner: a parabola whose slope falls to 0. */
static PaEnvelopeAt
round_at(const PaEnvelope *envelope, const PaTerm *term, double w, double reach)
{
	PaEnvelopeAt at = sharp_at(envelope, term, envelope->corner - reach);
	double		t = fmin(w - (envelope->corner - reach), 2 * reach);
	double		slope = at.slope;
	double		f_corner = pa_term_value(term, envelope->corner);

	at.value += slope * t * (1.0 - t / (4 * reach));
	at.curvature = t < 2 * reach ? -slope / (2 * reach) : 0;
	at.slope = fmin(slope * (1.0 - t / (2 * reach)), envelope->corner_slope);
	at.support = f_corner - at.slope * envelope->corner;
	return at;
}

PaEnvelopeAt
pa_envelope_at(const PaEnvelope *envelope, const PaTerm *term, double w, double smooth)
{
	double		reach;

	if (envelope->corner == INFINITY)
		return sharp_at(envelope, term, w);
	reach = smooth * fmin(envelope->high - envelope->low, 2 * (envelope->corner - envelope->low));
	if (w <= envelope->corner - reach || !(reach > 0))
		return sharp_at(envelope, term, w);
	return round_at(envelope, term, w, reach);
}

/* The tangent at the end of a ramp whose slope is nearest. */
static PaEnvelopeAt
end_at(const PaEnvelope *envelope, const PaTerm *term, double slope)
{
	PaEnvelopeAt at = {0};
	double		before = term->steep / (1.0 + term->steep * (term->end - term->start));

	if (envelope->knot >= term->end)
		before = envelope->slope;
	at.slope = fmin(fmax(slope, 0.0), before);
	at.value = pa_term_value(term, term->end);
	at.support = at.value - at.slope * term->end;
	return at;
}

/* The tangent whose slope is nearest, more or less. */
static PaEnvelopeAt
touching(const PaEnvelope *envelope, const PaTerm *term, double slope)
{
	double		from = fmax(envelope->low, envelope->knot);
	double		w = fmin(fmax(pa_term_where(term, slope), from), envelope->high);

	if (envelope->low < envelope->knot && (slope >= envelope->slope || envelope->knot > envelope->high))
		return line_at(envelope, from);
	if (w >= term->end && envelope->low < term->end)
		return end_at(envelope, term, slope);
	return sharp_at(envelope, term, w);
}

double
pa_envelope_support(const PaEnvelope *envelope, const PaTerm *term, double slope, double *tangent)
{
	PaEnvelopeAt at = touching(envelope, term, slope);
	double		rest = at.slope - slope;

	*tangent = at.slope;
	return at.support + fmax(rest * envelope->low, rest * envelope->high);
}

double
pa_envelope_value(const PaEnvelope *envelope, const PaTerm *term, double w)
{
	return w < envelope->knot ? line_at(envelope, w).value : pa_term_value(term, w);
}
