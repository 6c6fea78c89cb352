/*
 * term.c
 *		Values, slopes and curvatures of terms, without cancellation.
 *
 * A sigmoid is computed for t >= 0 and reflected.  There the quotient has a
 * relative error of at most 6 units (2^-53), so its logarithm an absolute one of 6
 * and its own; with h added the sum of term.h.  exp(-t) that underflows leaves
 * the limit h, which is not below the value.  A rise is ln of a number whose
 * relative error is 4 units.
 */
#include "core/bayes/term.h"

#include <math.h>

bool
pa_regression_valid(const PaRegression *query, int dimensions)
{
	int			j;

	if (query->kind != PA_REGRESSION_LINEAR && query->kind != PA_REGRESSION_LOGISTIC)
		return false;
	if (!(query->epsilon > 0 && query->epsilon <= PA_REGRESSION_EPSILON) || !isfinite(query->constant))
		return false;
	for (j = 0; j < dimensions; j++)
		if (!isfinite(query->theta[j]))
			return false;
	if (query->kind == PA_REGRESSION_LOGISTIC)
		return true;
	return isfinite(query->a) && isfinite(query->b) && query->a < query->b &&
		isfinite(query->b - query->a) &&
		isfinite(expm1(query->epsilon) / (query->b - query->a));
}

double
pa_regression_z(const PaRegression *query, int dimensions, const double *x)
{
	double		z = query->constant;
	int			j;

	for (j = 0; j < dimensions; j++)
		z += query->theta[j] * x[j];
	return z;
}

PaTerm
pa_term_make(const PaRegression *query, int output, bool minus, double *sign)
{
	PaTerm		term = {.epsilon = query->epsilon, .half = query->epsilon / 2};
	bool		up = (output != 0) != minus;

	*sign = up ? 1 : -1;
	term.grow = exp(term.half);
	term.shrink = exp(-term.half);
	term.offset = -(query->epsilon + log1p(exp(-query->epsilon)));
	if (query->kind == PA_REGRESSION_LOGISTIC)
	{
		term.shape = PA_TERM_SIGMOID;
		term.bend = minus ? term.half : -term.half;
		term.start = -INFINITY;
		term.end = INFINITY;
		term.offset += term.half;
	}
	else
	{
		term.shape = minus ? PA_TERM_RELIEF : PA_TERM_RISE;
		term.start = up ? query->a : -query->b;
		term.end = up ? query->b : -query->a;
		term.bend = minus ? term.end : term.start;
		term.steep = expm1(query->epsilon) / (query->b - query->a);
	}
	if (minus)
		term.offset = -term.offset;
	return term;
}

/* --- shapes --- */

static PaTermAt
sigmoid_at(const PaTerm *term, double w)
{
	double		t = w - term->bend;
	double		e = exp(-fabs(t));
	double		over = 1.0 + term->shrink * e;
	double		under = 1.0 + term->grow * e;
	double		value = term->half + log(over / under);
	PaTermAt	at;

	at.slope = (term->grow - term->shrink) * e / (over * under);
	at.curvature = -at.slope * (1.0 - e * e) / (over * under);
	at.value = t < 0 ? -value : value;
	if (t < 0)
		at.curvature = -at.curvature;
	return at;
}

static PaTermAt
rise_at(const PaTerm *term, double w)
{
	PaTermAt	at = {0, 0, 0};

	if (w < term->start)
		return at;
	if (w >= term->end)
	{
		at.value = term->epsilon;
		return at;
	}
	at.value = fmin(log1p(term->steep * (w - term->start)), term->epsilon);
	at.slope = term->steep / (1.0 + term->steep * (w - term->start));
	at.curvature = -at.slope * at.slope;
	return at;
}

static PaTermAt
relief_at(const PaTerm *term, double w)
{
	PaTermAt	at = {0, 0, 0};

	if (w >= term->end)
		return at;
	if (w < term->start)
	{
		at.value = -term->epsilon;
		return at;
	}
	at.value = -fmin(log1p(term->steep * (term->end - w)), term->epsilon);
	at.slope = term->steep / (1.0 + term->steep * (term->end - w));
	at.curvature = at.slope * at.slope;
	return at;
}

PaTermAt
pa_term_at(const PaTerm *term, double w)
{
	switch (term->shape)
	{
		case PA_TERM_SIGMOID:
			return sigmoid_at(term, w);
		case PA_TERM_RISE:
			return rise_at(term, w);
		case PA_TERM_RELIEF:
			break;
	}
	return relief_at(term, w);
}

double
pa_term_value(const PaTerm *term, double w)
{
	return pa_term_at(term, w).value;
}

double
pa_term_where(const PaTerm *term, double slope)
{
	double		c;

	if (term->shape == PA_TERM_RELIEF)
		return term->bend;
	if (!(slope > 0))
		return term->end;
	if (term->shape == PA_TERM_RISE)
		return fmin(fmax(term->start + (1.0 / slope - 1.0 / term->steep), term->start), term->end);
	c = ((term->grow - term->shrink) / slope - (term->grow + term->shrink)) / 2;
	return term->bend + (c > 1 ? acosh(c) : 0.0);
}

/* --- slopes on an interval --- */

static double
slope_at(const PaTerm *term, double w)
{
	return pa_term_at(term, w).slope;
}

void
pa_term_slopes(const PaTerm *term, double low, double high, double *least, double *most)
{
	double		first = fmax(low, term->start);
	double		last = fmin(high, term->end);
	double		at_first;
	double		at_last;

	*least = 0;
	*most = 0;
	if (first > last)
		return;
	if (term->shape == PA_TERM_SIGMOID)
	{
		at_first = slope_at(term, first);
		at_last = slope_at(term, last);
		*least = fmin(at_first, at_last);
		*most = fmax(at_first, at_last);
		if (first < term->bend && last > term->bend)
			*most = slope_at(term, term->bend);
		return;
	}
	if (term->shape == PA_TERM_RISE)
	{
		at_first = term->steep / (1.0 + term->steep * (first - term->start));
		at_last = term->steep / (1.0 + term->steep * (last - term->start));
	}
	else
	{
		at_first = term->steep / (1.0 + term->steep * (term->end - first));
		at_last = term->steep / (1.0 + term->steep * (term->end - last));
	}
	*most = fmax(at_first, at_last);
	if (low >= term->start && high <= term->end)
		*least = fmin(at_first, at_last);
}
