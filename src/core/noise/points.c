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

/* Gauss and Legendre on [-1, 1], 16 points */
static const double node[8] = {
	0.095012509837637441, 0.28160355077925892, 0.45801677765722737, 0.61787624440264377,
	0.755404408355003, 0.86563120238783176, 0.9445750230732326, 0.98940093499164994
};
static const double weight[8] = {
	0.1894506104550685, 0.18260341504492358, 0.16915651939500254, 0.14959598881657674,
	0.12462897125553388, 0.095158511682492786, 0.062253523938647894, 0.027152459411754096
};

/* Of values at -5/2, -3/2, ..., 5/2 cells from a boundary: the ends' correction */
static const double ends[6] = {
	-367.0 / 967680, 17.0 / 5760 + 5 * 367.0 / 967680, -1.0 / 24 - 3 * 17.0 / 5760 - 10 * 367.0 / 967680,
	1.0 / 24 + 3 * 17.0 / 5760 + 10 * 367.0 / 967680, -17.0 / 5760 - 5 * 367.0 / 967680, 367.0 / 967680
};

static void
visit_panel(double from, double to, PaVisit visit, void *context)
{
	double		middle = 0.5 * (from + to);
	double		half = 0.5 * (to - from);
	int			i;

	for (i = 0; i < 8; i++)
	{
		visit(context, middle - half * node[i], half * weight[i]);
		visit(context, middle + half * node[i], half * weight[i]);
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
