/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foundation.h
 *		What a table rests on: types, functions, operators, schemas, ... that it cannot
 *		do without.  Whoever owns one of these can act on the rows of the table.
 *
 * The functions _foundation and _of_others of the SQL script go down from a table, and
 * say what may be whose.  These go up from an object.
 */
#ifndef PA_FOUNDATION_H
#define PA_FOUNDATION_H

#include "postgres.h"

#include "catalog/objectaddress.h"
#include "nodes/pg_list.h"

/*
 * OIDs of the tables that rest on one of the objects (of ObjectAddress *), the objects
 * themselves and what these are parts of included; they may be too many, not too few.
 */
extern List *pa_tables_resting_on(const List *objects);

/* The protected ones among these, or what they are parts of. */
extern List *pa_protected_resting_on(const List *objects);

/* Whether the role may do with the table's rows what it likes: by its owner's privileges, or the database's. */
extern bool pa_is_trusted_with(Oid role, Oid table);

#endif							/* PA_FOUNDATION_H */
