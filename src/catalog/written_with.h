/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * written_with.h
 *		What is locked when rows of a protected table are written.
 *
 * These are the table itself, its partitions and children, tables that refer to one
 * of these by foreign keys, or to a table that does, for they may change with it, and
 * the tables that any of all these refers to, in which rows are looked up.  Indexes,
 * TOAST tables and sequences count as their table.
 */
#ifndef PA_WRITTEN_WITH_H
#define PA_WRITTEN_WITH_H

#include "postgres.h"

#include "nodes/pg_list.h"

/*
 * The protected table with whose rows the relation is locked, if the user may not
 * read it as it is; InvalidOid: there is none.
 */
extern Oid	pa_written_with(Oid relation, Oid user);

/* The relations of which that is so. */
extern const List *pa_all_written_with(Oid user);

#endif							/* PA_WRITTEN_WITH_H */
