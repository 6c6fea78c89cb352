/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * odometer.c
 *		Minimum and maximum over the points of a curve.
 *
 * Rounding: a + b E and (eps - a)/b are a few operations each, hence right within
 * 4 ulp of |a| + |b E| and of (|eps| + |a|)/b; the results are moved by more.  What
 * is needed for all that is left must fit below a limit that others have rounded too.
 */
#include "core/pufferfish/odometer.h"

#include <float.h>
#include <math.h>

#define FEW (8 * DBL_EPSILON)

static PaInfluence
whole(const PaCurve *curve)
{
	return (PaInfluence) {0.0, curve->longest, -1, -1};
}

static bool
amount(double value)
{
	return value >= 0 && isfinite(value);
}

PaStatus
pa_pufferfish_spent(const PaCurve *curve, double sum, double *spent, PaInfluence *point, PaFault *fault)
{
	PaInfluence best = whole(curve);
	int			i;

	if (!amount(sum))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (pa_curve_check(curve, fault) != PA_OK)
		return PA_INVALID;
	for (i = 0; i < curve->points; i++)
		if (curve->point[i].a + (double) curve->point[i].b * sum < best.a + (double) best.b * sum)
			best = curve->point[i];
	*spent = (best.a + (double) best.b * sum) * (1 + FEW);
	if (point != NULL)
		*point = best;
	return PA_OK;
}

PaStatus
pa_pufferfish_limit(const PaCurve *curve, double epsilon, double *sum, PaInfluence *point, PaFault *fault)
{
	PaInfluence best = whole(curve);
	double		most = epsilon / (double) best.b * (1 - FEW);
	int			i;

	if (!amount(epsilon))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	if (pa_curve_check(curve, fault) != PA_OK)
		return PA_INVALID;
	for (i = 0; i < curve->points; i++)
	{
		const PaInfluence *other = &curve->point[i];
		double		low = (epsilon - other->a - FEW * epsilon) / (double) other->b;

		if (low > most)
		{
			best = *other;
			most = low;
		}
	}
	*sum = most;
	if (point != NULL)
		*point = best;
	return PA_OK;
}

PaStatus
pa_pufferfish_needed(const PaCurve *curve, double sum, double more, double *epsilon, PaFault *fault)
{
	double		spent;
	double		limit;
	PaStatus	status;

	if (!amount(more))
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	status = pa_pufferfish_spent(curve, sum, &spent, NULL, fault);
	if (status == PA_OK)
		status = pa_pufferfish_limit(curve, (spent + more) * (1 - 2 * FEW), &limit, NULL, fault);
	if (status == PA_OK)
		*epsilon = fmax(0.0, limit - sum);
	return status;
}

PaStatus
pa_pufferfish_sums(const PaCurve *curve, const PaPufferfishRelease *release, int releases,
				   PaPufferfishSums *sums, PaFault *fault)
{
	PaPufferfishSums made = {0, 0, 0, 0};
	double		most = 0;
	PaStatus	status;
	int			i;

	for (i = 0; i < releases; i++)
	{
		double		a = release[i].a;
		double		count = 1 + release[i].others;

		if (!amount(a) || !(release[i].epsilon > a) || !amount(release[i].epsilon) || release[i].b < 1 || !amount(release[i].others))
			return pa_fault(fault, PA_FAULT_ARGUMENT);
		made.naive += count * release[i].epsilon;
		made.paper += count * (release[i].epsilon - a);
		made.per_row += count * ((release[i].epsilon - a) / (double) release[i].b);
		most = fmax(most, a);
	}
	made.paper += most;
	status = pa_pufferfish_spent(curve, made.per_row, &made.spent, NULL, fault);
	if (status == PA_OK)
		*sums = made;
	return status;
}
