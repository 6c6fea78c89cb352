/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_groups.h
 *		Groups of a query's own rows, joined with these: each row meets the group that it is in.
 */
#ifndef PA_OWN_GROUPS_H
#define PA_OWN_GROUPS_H

#include "postgres.h"

#include "guard/guard.h"
#include "guard/make_query.h"

/* The query's rows once more, without what is computed of them; errors out for what a copy would not be the same of. */
extern Query *pa_copy_rows(PaGuard *guard, const Query *query, int location);

/* Groups the query also by what the clauses name in another with the same rows, and hands it up. */
extern void pa_group_as(Query *query, const Query *other, List *clauses);

/* The aggregate of one value, without a collation; type: of its result. */
extern Aggref *pa_aggregate_of(Oid function, Oid type, Node *value, int location);

/* Whether the key is null in no row: declared so, or by WHERE key IS NOT NULL. */
extern bool pa_has_value(const Query *query, Node *key);

/*
 * Joins groups with the rows of the query that have their keys, which are what the clauses
 * name in the query and the first columns of the groups.
 */
extern void pa_join_groups(PaGuard *guard, Query *query, Query *groups, List *clauses);

#endif							/* PA_OWN_GROUPS_H */
