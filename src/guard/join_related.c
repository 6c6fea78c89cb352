/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join_related.c
 *		Subqueries over protected rows that refer to the row outside become joins, in this order.
 */
#include "postgres.h"

#include "descend.h"
#include "guard/guard.h"
#include "guard/related.h"

/* Within subqueries first, so that each is as others are when it is joined. */
void
pa_join_related(PaGuard *guard, Query *query)
{
	ListCell   *cell;

	pa_descend();
	pa_group_set_operations(guard, query);
	foreach(cell, query->rtable)
		if (((RangeTblEntry *) lfirst(cell))->rtekind == RTE_SUBQUERY)
			pa_join_related(guard, ((RangeTblEntry *) lfirst(cell))->subquery);
	if (query->jointree == NULL || !pa_reads_rows(guard, query))
		return;
	pa_flatten_joins(query);
	pa_join_laterals(guard, query);
	pa_join_full(guard, query);
	if (query->hasSubLinks)
	{
		pa_join_values(guard, query, pa_join_related);
		pa_make_semijoins(guard, query, pa_join_related);
	}
	pa_join_windows(guard, query);
	pa_join_distinct(guard, query);
}
