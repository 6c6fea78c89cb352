/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.c
 *		That runs are sorted, and how many rows they have.
 */
#include "core/order/cells.h"

#include "core/order/poll.h"

PaStatus
pa_cells_count(const PaCells *data, const PaEnvironment *environment, int64_t *rows)
{
	int64_t		least = 0;
	int64_t		sum = 0;
	size_t		i;

	if (data->cells < 1 || data->cells > PA_CELLS_MOST)
		return PA_INVALID;
	for (i = 0; i < data->runs; i++)
	{
		const PaCellRun *run = &data->run[i];

		if (pa_poll(environment, i))
			return PA_INTERRUPTED;
		if (run->cell < least || run->cell >= data->cells || run->rows < 1 || run->rows >= PA_CELLS_ROWS - sum)
			return PA_INVALID;
		least = run->cell + 1;
		sum += run->rows;
	}
	*rows = sum;
	return PA_OK;
}
