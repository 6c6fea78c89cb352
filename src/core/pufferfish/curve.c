/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve.c
 *		What all influence curves have in common.
 */
#include "core/pufferfish/curve.h"

#include <math.h>

void
pa_curve_settle(PaInfluence *point, int points)
{
	int			i;

	for (i = 0; i < points; i++)
	{
		/* also what is not a number, so that it cannot pass for little */
		if (!(point[i].a >= 0))
			point[i].a = point[i].a < 0 ? 0.0 : INFINITY;
		if (i > 0 && point[i].a > point[i - 1].a)
		{
			point[i].a = point[i - 1].a;
			point[i].left = point[i - 1].left;
			point[i].right = point[i - 1].right;
		}
	}
}

PaStatus
pa_curve_join(PaInfluence *all, const PaInfluence *one, int points, PaFault *fault)
{
	int			i;

	for (i = 0; i < points; i++)
		if (all[i].b != one[i].b)
			return pa_fault(fault, PA_FAULT_ARGUMENT);
	for (i = 0; i < points; i++)
		if (!(one[i].a <= all[i].a))
			all[i] = one[i];
	return PA_OK;
}

PaStatus
pa_curve_check(const PaCurve *curve, PaFault *fault)
{
	int			i;

	if (curve->longest < 1 || curve->points < 0)
		return pa_fault(fault, PA_FAULT_ARGUMENT);
	for (i = 0; i < curve->points; i++)
	{
		const PaInfluence *point = &curve->point[i];

		if (!(point->a >= 0) || point->b < 1)
			return pa_fault(fault, PA_FAULT_ENTRY);
		if (i > 0 && (point->b <= point[-1].b || point->a > point[-1].a))
			return pa_fault(fault, PA_FAULT_ARGUMENT);
	}
	return PA_OK;
}
