/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_sum.c
 *		Building sums, and what can be read off them directly.
 */
#include "core/bayes/branch_sum.h"

#include <float.h>
#include <math.h>

bool
pa_box_valid(const PaBox *box)
{
	int			j;

	if (box->dimensions < 1 || box->dimensions > PA_REGRESSION_DIMENSIONS)
		return false;
	for (j = 0; j < box->dimensions; j++)
		if (!(fabs(box->low[j]) < PA_SUM_LIMIT && fabs(box->high[j]) < PA_SUM_LIMIT &&
			  box->low[j] <= box->high[j]))
			return false;
	return true;
}

static double
scale_of(const PaRegression *query, const PaBox *box)
{
	double		scale = fabs(query->constant);
	int			j;

	for (j = 0; j < box->dimensions; j++)
		scale += fabs(query->theta[j]) * fmax(fabs(box->low[j]), fabs(box->high[j]));
	return scale;
}

bool
pa_answer_valid(const PaAnswer *answer, const PaBox *box)
{
	const PaRegression *query = &answer->query;

	if (answer->output != 0 && answer->output != 1)
		return false;
	if (!pa_regression_valid(query, box->dimensions) || !(scale_of(query, box) < PA_SUM_LIMIT))
		return false;
	return query->kind == PA_REGRESSION_LOGISTIC ||
		(fabs(query->a) < PA_SUM_LIMIT && fabs(query->b) < PA_SUM_LIMIT &&
		 expm1(query->epsilon) / (query->b - query->a) < PA_SUM_LIMIT);
}

static void
add_term(PaSum *sum, const PaBox *box, const PaAnswer *answer, bool minus)
{
	int			i = sum->terms++;
	double		sign;
	int			j;

	sum->term[i] = pa_term_make(&answer->query, answer->output, minus, &sign);
	for (j = 0; j < sum->dimensions; j++)
		sum->theta[i * sum->dimensions + j] = sign * answer->query.theta[j];
	sum->constant[i] = sign * answer->query.constant;
	sum->scale[i] = scale_of(&answer->query, box);
	sum->offset += sum->term[i].offset;
	sum->level += 1.0 + answer->query.epsilon;
}

PaSum *
pa_sum_make(const PaBox *box, const PaAnswer *const *answers, int n, bool minus,
			const PaEnvironment *environment)
{
	size_t		numbers = (size_t) n * (size_t) (box->dimensions + 2);
	size_t		size = sizeof(PaSum) + (size_t) n * sizeof(PaTerm) + numbers * sizeof(double);
	PaSum	   *sum = environment->allocate(environment->context, size);
	PaSum		empty = {.dimensions = box->dimensions};
	int			i;

	if (sum == NULL)
		return NULL;
	*sum = empty;
	sum->term = (PaTerm *) (sum + 1);
	sum->theta = (double *) (sum->term + n);
	sum->constant = sum->theta + (size_t) n * (size_t) box->dimensions;
	sum->scale = sum->constant + n;
	sum->error = 2 * (n + box->dimensions + 16) * DBL_EPSILON;
	for (i = 0; i < n; i++)
		add_term(sum, box, answers[i], minus);
	return sum;
}

void
pa_sum_range(const PaSum *sum, int i, const double *low, const double *high,
			 double *least, double *most)
{
	const double *theta = sum->theta + (size_t) i * (size_t) sum->dimensions;
	double		slack = (sum->dimensions + 2) * DBL_EPSILON * sum->scale[i];
	double		bottom = sum->constant[i];
	double		top = sum->constant[i];
	int			j;

	for (j = 0; j < sum->dimensions; j++)
	{
		double		at_low = theta[j] * low[j];
		double		at_high = theta[j] * high[j];

		bottom += at_low < at_high ? at_low : at_high;
		top += at_low < at_high ? at_high : at_low;
	}
	*least = bottom - slack;
	*most = top + slack;
}

double
pa_sum_value(const PaSum *sum, const double *x, double *error)
{
	double		value = 0;
	double		magnitude = sum->level;
	int			i,
				j;

	for (i = 0; i < sum->terms; i++)
	{
		const double *theta = sum->theta + (size_t) i * (size_t) sum->dimensions;
		double		w = sum->constant[i];
		PaTermAt	at;

		for (j = 0; j < sum->dimensions; j++)
			w += theta[j] * x[j];
		at = pa_term_at(&sum->term[i], w);
		value += at.value;
		magnitude += at.slope * sum->scale[i];
	}
	*error = sum->error * magnitude;
	return value;
}
