/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.c
 *		Gauss and Legendre's rule, and the ends of midpoint sums.
 *
 * A sum over the cells between two boundaries is the integral less the
 * difference, over the ends, of
 *		delta/24 - 17 delta^3/5760 + 367 delta^5/967680
 * of the function (central differences over one cell), which follows from
 * delta = 2 sinh(d/2): the sum is 1/(2 sinh(d/2)), the integral 1/d.  The next
 * term is 6e-5 delta^7.
 */
#include "core/noise/points.h"

#include <math.h>

#include "core/noise/legendre.h"

/* Of values at -5/2, -3/2, ..., 5/2 cells from a boundary: the ends' correction */
static const double ends[6] = {
	-367.0 / 967680, 17.0 / 5760 + 5 * 367.0 / 967680, -1.0 / 24 - 3 * 17.0 / 5760 - 10 * 367.0 / 967680,
	1.0 / 24 + 3 * 17.0 / 5760 + 10 * 367.0 / 967680, -17.0 / 5760 - 5 * 367.0 / 967680, 367.0 / 967680
};

static void
visit_panel(double from, double to, PaVisit visit, void *context)
{
	const PaLegendre *rule = &pa_legendre_16;
	double		middle = 0.5 * (from + to);
	double		half = 0.5 * (to - from);
	int			i;

	for (i = 0; i < rule->pairs; i++)
	{
		visit(context, middle - half * rule->node[i], half * rule->weight[i]);
		visit(context, middle + half * rule->node[i], half * rule->weight[i]);
	}
}

void
pa_points(PaSpace space, bool listed, double panel, double from, double to, PaVisit visit, void *context)
{
	double		panels = ceil((to - from) / panel);
	double		i;
	int			j;

	if (space == PA_LATTICE && listed)
	{
		for (i = 0; i < to - from; i++)
			visit(context, from + 0.5 + i, 1.0);
		return;
	}
	for (i = 0; i < panels; i++)
		visit_panel(from + (to - from) * (i / panels), from + (to - from) * ((i + 1.0) / panels), visit, context);
	for (j = 0; j < 6 && space == PA_LATTICE; j++)
	{
		visit(context, to + j - 2.5, -ends[j]);
		visit(context, from + j - 2.5, ends[j]);
	}
}
