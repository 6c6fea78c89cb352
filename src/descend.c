/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * descend.c
 *		See descend.h.
 */
#include "postgres.h"

#include "descend.h"

#define MOST_STEPS 5000000

uint64		pa_steps_left = PG_UINT64_MAX;

void
pa_refuse_steps(void)
{
	ereport(ERROR,
			errcode(ERRCODE_STATEMENT_TOO_COMPLEX),
			errmsg("query on a protected table is too complex"),
			errdetail("To find out what its answers are made of takes too many steps."),
			errhint("Nest fewer subqueries, refer to each WITH query once, or split the statement."));
}

void
pa_within_steps(void (*function) (void *argument), void *argument)
{
	uint64		before = pa_steps_left;

	pa_steps_left = MOST_STEPS;
	PG_TRY();
	{
		function(argument);
	}
	PG_FINALLY();
	{
		pa_steps_left = before;
	}
	PG_END_TRY();
}
