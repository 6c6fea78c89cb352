/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_equality.h
 *		Equalities of columns by which only rows of one owner meet.
 *
 * A row's owner is in its owner column, or is that of the row that it refers to
 * (catalog/owner_path.h).  So rows meet that are of one owner where owner columns are
 * equal; where all columns of a foreign key on the way to the owner are equal to the key
 * that they refer to; and where two such foreign keys refer to the same key.
 */
#ifndef PA_OWNER_EQUALITY_H
#define PA_OWNER_EQUALITY_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"

/* A column of a table; table: which of the times that it stands in FROM.  A relation of 0: no column of a table. */
typedef struct PaSource
{
	const void *table;
	Oid			relation;
	AttrNumber	column;
} PaSource;

typedef struct PaSourceEquality
{
	PaSource	sides[2];
} PaSourceEquality;

/*
 * Whether some of the PaSourceEquality, which hold all at once, make the owners of two rows one.  Each is
 * between the two rows; what is equal within one of them, which may be of several tables, is told apart.
 */
extern bool pa_have_one_owner(List *equalities, List *within);

/* Whether it is one of those, or a part of one of those, by which only rows of one owner meet. */
extern bool pa_is_of_owners(const PaSourceEquality *equality);

/* The expression without changes of type, and of length, that leave the value as it is, or null. */
extern const Node *pa_source_expression(const Node *node);

/* A column of the table that a union of rows is, from PaSource of its inputs: an owner if all of these are. */
extern PaSource pa_source_of_union(const void *table, List *sources);

/* What the expression of a query is before it is planned, through subqueries in FROM. */
extern PaSource pa_source_of(const Query *query, const Node *node);

#endif							/* PA_OWNER_EQUALITY_H */
