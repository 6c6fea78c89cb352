/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * periods.c
 *		Variances of running totals.
 *
 * A total of t periods has in the tree one block for each binary digit of t; there are as many
 * levels as n has digits, and an owner is in one block of each.  From below a block of 2^j has
 * the variance s_j: s_0 = 1 and 1/s_j = 1 + 1/(2 s_(j-1)), hence s_j = 1/(2 - 2^-j).
 */
#include "core/derive/periods.h"

#include <math.h>

static int
digits(int n)
{
	int			count = 0;

	for (; n > 0; n >>= 1)
		count++;
	return count;
}

static PaPeriodError
root_error(int periods)
{
	PaPeriodError error = {0};
	double		row = 0;
	double		rows = 0;
	double		f = 1;
	double		change = 0;
	double		step;
	int			k;

	for (k = 0; k < periods; k++)
	{
		step = k == 0 ? 1 : f / (2 * k - 1);	/* f_(k-1) - f_k = f_k/(2 k - 1) */
		row += f * f;
		rows += row;
		change += step * step;
		f *= 1 - 0.5 / (k + 1);
	}
	error.change = row;
	error.most = row * row;
	error.mean = row * rows / periods;
	error.single = row * change;
	return error;
}

static PaPeriodError
tree_error(int periods, int below)
{
	PaPeriodError error = {.single = NAN};
	int			t;
	int			j;

	for (t = 1; t <= periods; t++)
	{
		double		sum = 0;

		for (j = 0; t >> j > 0; j++)
			if (t >> j & 1)
				sum += below ? 1 / (2 - ldexp(1, -j)) : 1;
		error.most = fmax(error.most, sum);
		error.mean += sum / periods;
	}
	error.change = digits(periods);
	error.most *= error.change;
	error.mean *= error.change;
	return error;
}

PaStatus
pa_period_error(PaPeriodWay way, int periods, PaPeriodError *error)
{
	if (periods < 1 || periods > PA_MOST_PERIODS)
		return PA_INVALID;
	switch (way)
	{
		case PA_PERIOD_ROOT:
			*error = root_error(periods);
			return PA_OK;
		case PA_PERIOD_TREE:
			*error = tree_error(periods, 0);
			return PA_OK;
		case PA_PERIOD_BELOW:
			*error = tree_error(periods, 1);
			return PA_OK;
		case PA_PERIOD_EACH:
			*error = (PaPeriodError) {1, periods, 0.5 * (periods + 1.0), NAN};
			return PA_OK;
	}
	return PA_INVALID;
}

/* f_k = (1/2)(3/4)...(1 - 1/(2 k)) = gamma(k + 1/2)/(gamma(1/2) gamma(k + 1)) */
static double
root(int k)
{
	return k < 0 ? 0 : exp(lgamma(k + 0.5) - lgamma(k + 1.0)) / sqrt(M_PI);
}

PaStatus
pa_period_change(int periods, int times, int gap, double *change)
{
	double		sum = 0;
	int			row;
	int			i;

	if (periods < 1 || periods > PA_MOST_PERIODS || times < 1 || gap < 1)
		return PA_INVALID;
	for (row = 0; row < periods; row++)
	{
		double		entry = 0;

		for (i = 0; i < times && i <= row / gap; i++)
			entry += root(row - i * gap);
		sum += entry * entry;
	}
	*change = sum;
	return PA_OK;
}
