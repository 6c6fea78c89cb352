/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_forms.c
 *		Intervals of forms: narrowing, bounding, cutting, splitting.
 *
 * In 9 dimensions, with logistic queries whose coefficients are within +-10, +-3 and
 * +-1 (ranges of 90, 27 and 9) linear programs are ahead of climbs up to 30, 20 and no
 * terms, and with ramps that a third of the range fills up to 15.
 */
#include "core/bayes/branch_forms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SIGMOID_WIDTH 8.0		/* outside, its slope is below a tenth of the largest */
#define STEEP 2.0				/* widths in the range of a form, */
#define STEEP_TERMS 2			/* for so many terms per dimension */
#define STEEPER 6.0
#define STEEPER_TERMS 3
#define PASSES 2				/* over the forms that narrow a box */
#define SHRINK 0.8				/* an interval cut to less is worth another bound */
#define INSIDE 0.1				/* of an interval: how far a split stays from its ends */

/* Whether most forms range over so many widths of their terms. */
static bool
mostly_steep(const PaSum *sum, const PaBox *box, double widths)
{
	int			count = 0;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		const PaTerm *term = &sum->term[i];
		double		width = term->shape == PA_TERM_SIGMOID ? SIGMOID_WIDTH : term->end - term->start;
		double		low;
		double		high;

		pa_sum_range(sum, i, box->low, box->high, &low, &high);
		count += high - low >= widths * width;
	}
	return 2 * count > sum->terms;
}

bool
pa_forms_wanted(const PaSum *sum, const PaBox *box)
{
	if (sum->terms <= STEEP_TERMS * sum->dimensions)
		return mostly_steep(sum, box, STEEP);
	return sum->terms <= STEEPER_TERMS * sum->dimensions && mostly_steep(sum, box, STEEPER);
}

PaForms *
pa_forms_make(const PaSum *sum, PaClimb *climb, const PaEnvironment *environment)
{
	size_t		n = (size_t) sum->terms;
	size_t		d = (size_t) sum->dimensions;
	PaForms    *forms = environment->allocate(environment->context,
											  sizeof(PaForms) + (5 * n + 2 * d) * sizeof(double));

	if (forms == NULL)
		return NULL;
	memset(forms, 0, sizeof(*forms));
	forms->climb = climb;
	forms->environment = environment;
	forms->from = (double *) (forms + 1);
	forms->to = forms->from + n;
	forms->relaxation.tangent = forms->from + 2 * n;
	forms->relaxation.w = forms->from + 3 * n;
	forms->relaxation.slope = forms->from + 4 * n;
	forms->relaxation.x = forms->from + 5 * n;
	forms->relaxation.gradient = forms->relaxation.x + d;
	forms->relaxation.envelope = climb->envelope;
	forms->program = pa_program_make(sum->terms, sum->dimensions, environment);
	if (forms->program != NULL)
		return forms;
	environment->release(environment->context, forms);
	return NULL;
}

void
pa_forms_free(PaForms *forms)
{
	pa_program_free(forms->program);
	forms->environment->release(forms->environment->context, forms);
}

void
pa_forms_open(PaForms *forms, const PaSum *sum)
{
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		forms->from[i] = -INFINITY;
		forms->to[i] = INFINITY;
	}
}

static bool
is_split(const PaForms *forms, int i)
{
	return forms->from[i] > -INFINITY || forms->to[i] < INFINITY;
}

bool
pa_forms_split(const PaForms *forms, const PaSum *sum)
{
	int			i;

	for (i = 0; i < sum->terms; i++)
		if (is_split(forms, i))
			return true;
	return false;
}

/* --- narrowing --- */

/* x_j is at most base + reach, or at least base - reach, rounded outwards. */
static double
beyond(double base, double reach)
{
	double		slack = 4 * DBL_EPSILON * (fabs(base) + fabs(reach));

	return base + reach + (reach < 0 ? -slack : slack);
}

/* What one form leaves of the box; false if nothing. */
static bool
narrow_by(const PaForms *forms, const PaSum *sum, int i, double *low, double *high)
{
	const double *theta = sum->theta + i * sum->dimensions;
	double		slack = (sum->dimensions + 6) * DBL_EPSILON * sum->scale[i];
	double		bottom;
	double		top;
	double		above;			/* how much w may rise from its least value, and fall from its largest */
	double		below;
	int			j;

	pa_sum_range(sum, i, low, high, &bottom, &top);
	above = forms->to[i] - bottom + slack;
	below = top - forms->from[i] + slack;
	if (above < 0 || below < 0)
		return false;
	for (j = 0; j < sum->dimensions; j++)
	{
		double		up = (theta[j] > 0 ? above : below) / fabs(theta[j]);
		double		down = (theta[j] > 0 ? below : above) / fabs(theta[j]);
		double		least = low[j];

		if (theta[j] == 0)
			continue;
		if (down < high[j] - low[j])
			low[j] = fmax(low[j], beyond(high[j], -down));
		if (up < high[j] - least)
			high[j] = fmin(high[j], beyond(least, up));
		if (low[j] > high[j])
			return false;
	}
	return true;
}

bool
pa_forms_narrow(const PaForms *forms, const PaSum *sum, double *low, double *high)
{
	int			pass;
	int			i;

	for (pass = 0; pass < PASSES; pass++)
		for (i = 0; i < sum->terms; i++)
			if (is_split(forms, i) && !narrow_by(forms, sum, i, low, high))
				return false;
	return true;
}

/* --- bounding --- */

bool
pa_forms_bound(PaForms *forms, const PaSum *sum, int side, const double *low, const double *high,
			   double floor, double close)
{
	PaRelaxation *relaxation = &forms->relaxation;
	PaClimb    *climb = forms->climb;
	size_t		bytes = (size_t) sum->dimensions * sizeof(double);

	relaxation->sum = sum;
	relaxation->side = side;
	relaxation->low = low;
	relaxation->high = high;
	memcpy(relaxation->x, climb->x, bytes);
	if (!pa_program_bound(forms->program, relaxation, floor, close))
		return false;
	memcpy(climb->x, relaxation->x, bytes);
	climb->sum = sum;
	climb->bound = INFINITY;
	if (relaxation->bound > floor && !pa_relaxation_exact(relaxation, close))
		pa_climb_bound(climb, sum, low, high, floor, close);
	if (climb->bound < relaxation->bound)
		return true;
	climb->bound = relaxation->bound;
	memcpy(climb->x, relaxation->x, bytes);
	memcpy(climb->bound_gradient, relaxation->gradient, bytes);
	return true;
}

/* --- cutting --- */

/*
 * With the multiplier s_i and the tangent of slope r_i by which the supremum of
 * envelope_i(w) - s_i w was computed, the bound falls by |s_i - r_i| for each unit that w
 * is away from the end where the supremum is.
 */
bool
pa_forms_cut(PaForms *forms, const PaSum *sum, double floor, bool *cut)
{
	const PaRelaxation *relaxation = &forms->relaxation;
	bool		worth = false;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		const PaEnvelope *envelope = &relaxation->envelope[i];
		double		fall = relaxation->slope[i] - relaxation->tangent[i];
		double		keep = (relaxation->bound - floor) / fabs(fall) * (1.0 + 1e-9) +
			4 * DBL_EPSILON * sum->scale[i];
		double		width = envelope->high - envelope->low;

		if (!(keep < width * 0.999))
			continue;
		*cut = true;
		worth = worth || keep < SHRINK * width;
		if (fall > 0)
			forms->to[i] = fmin(forms->to[i], envelope->low + keep);
		else
			forms->from[i] = fmax(forms->from[i], envelope->high - keep);
	}
	return worth;
}

/* --- splitting --- */

int
pa_forms_choose(const PaForms *forms, const PaSum *sum, double *point)
{
	const PaRelaxation *relaxation = &forms->relaxation;
	double		worst = 0;
	int			best = -1;
	int			i;

	for (i = 0; i < sum->terms; i++)
	{
		const PaEnvelope *envelope = &relaxation->envelope[i];
		double		w = relaxation->w[i];
		double		gap = pa_envelope_value(envelope, &sum->term[i], w) - pa_term_value(&sum->term[i], w);
		double		away = INSIDE * (envelope->high - envelope->low);
		double		at = fmin(fmax(w, envelope->low + away), envelope->high - away);

		if (gap > worst && at > envelope->low && at < envelope->high)
		{
			worst = gap;
			best = i;
			*point = at;
		}
	}
	return best;
}
