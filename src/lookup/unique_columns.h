/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unique_columns.h
 *		Columns that no two rows of a query agree in.
 */
#ifndef PA_UNIQUE_COLUMNS_H
#define PA_UNIQUE_COLUMNS_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/* The WITH query of a name that stands outside of the query that is looked at, or null. */
typedef const Query *(*PaFindWith) (const char *name, const void *argument);

/*
 * Whether it is known that there are such: those that the query is grouped by, or those of the
 * only thing that it reads.  None at all: it has one row at most.
 */
extern bool pa_unique_columns(const Query *query, PaFindWith find, const void *argument, Bitmapset **columns);

#endif							/* PA_UNIQUE_COLUMNS_H */
