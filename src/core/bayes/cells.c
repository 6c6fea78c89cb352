/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.c
 *		See cells.h.
 */
#include "core/bayes/cells.h"

#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
	double		left = *(const double *) a;
	double		right = *(const double *) b;

	return (left > right) - (left < right);
}

int
pa_cuts_settle(double *cut, int count, double low, double high)
{
	int			kept = 0;
	int			i;

	qsort(cut, (size_t) count, sizeof(double), compare);
	for (i = 0; i < count; i++)
		if (cut[i] > low && cut[i] <= high && (kept == 0 || cut[i] > cut[kept - 1]))
			cut[kept++] = cut[i];
	return kept;
}

int
pa_cuts_merge(const PaCuts *a, const PaCuts *b, double *merged)
{
	int			count = 0;
	int			i = 0;
	int			j = 0;

	while (i < a->count || j < b->count)
	{
		double		next = j == b->count || (i < a->count && a->cut[i] < b->cut[j]) ? a->cut[i] : b->cut[j];

		i += i < a->count && a->cut[i] == next;
		j += j < b->count && b->cut[j] == next;
		merged[count++] = next;
	}
	return count;
}

int
pa_cell_of(const PaCuts *cuts, double x)
{
	int			low = 0;
	int			high = cuts->count;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (cuts->cut[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
pa_cells_project(const PaCuts *finer, const PaCuts *coarser, uint32_t *projection)
{
	int			cell = 0;
	int			i;

	projection[0] = 0;
	for (i = 0; i < finer->count; i++)
	{
		while (cell < coarser->count && coarser->cut[cell] <= finer->cut[i])
			cell++;
		projection[i + 1] = (uint32_t) cell;
	}
}
