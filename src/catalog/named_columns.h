/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named_columns.h
 *		Columns of the extension's tables, and of those of users, by their names.
 */
#ifndef PA_NAMED_COLUMNS_H
#define PA_NAMED_COLUMNS_H

#include "postgres.h"

#include "access/htup.h"
#include "access/tupdesc.h"
#include "nodes/pg_list.h"

/*
 * A column of the row; false if it is NULL, or not there: columns of version 0.2, of
 * which a database that was not updated yet has none.
 */
extern bool pa_named_column(HeapTuple row, TupleDesc desc, const char *name, Datum *value);

/* The numbers of the relation's columns, a name[]; InvalidAttrNumber for those that are gone. */
extern List *pa_columns_named(Oid relation, Datum names);

#endif							/* PA_NAMED_COLUMNS_H */
