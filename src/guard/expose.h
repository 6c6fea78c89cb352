/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expose.h
 *		Columns that say who the owner is, handed up through subqueries.
 */
#ifndef PA_EXPOSE_H
#define PA_EXPOSE_H

#include "guard/column.h"

/*
 * The column of a protected table, or union, as the query reads it, through subqueries in FROM, which hand
 * it up from now on; NULL if one groups rows, and not by this column.
 */
extern Var *pa_expose_column(Query *query, PaColumn column);

/* Groups also by a column that says who the owner is, as other keys do. */
extern void pa_group_by_owner(Query *query, TargetEntry *entry);

#endif							/* PA_EXPOSE_H */
