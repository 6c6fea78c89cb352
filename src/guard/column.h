/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * column.h
 *		The columns of tables behind the columns of a query.
 */
#ifndef PA_COLUMN_H
#define PA_COLUMN_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "nodes/pathnodes.h"

#include "catalog/policy.h"

/* A column of a table of the block, or of a union in it, or (table NULL) no single column. */
typedef struct PaColumn
{
	RangeTblEntry *table;
	AttrNumber	attnum;
} PaColumn;

/*
 * What the expression of the query is, through joins, subqueries in FROM and changes of
 * type that leave the value as it is.
 */
extern PaColumn pa_column_of(const Query *query, Node *node);

/* What the column of a join or subquery stands for, in terms of the query inner; NULL for columns of other tables. */
extern Node *pa_behind_column(const Query *query, const Var *var, const Query **inner);

/* The tables, as RangeTblEntry, whose columns the expression of the query is made of; each once. */
extern List *pa_tables_of(const Query *query, Node *node);

/*
 * The column of a protected table that a column of the query is, through joins and
 * subqueries in FROM; InvalidAttrNumber if it is none.  policy: of the table, else
 * NULL; may be NULL.
 */
extern AttrNumber pa_protected_column(const Query *query, const Var *var, const PaPolicy **policy);

/* Whether values of the type that are equal are the same. */
extern bool pa_is_exact(Oid type, Oid collation);

/*
 * Whether the expression of the query is the owner column of a protected table, and of
 * each input of a union; is made of one, among others.
 */
extern bool pa_is_owner_column(const Query *query, Node *node);
extern bool pa_mentions_owner(const Query *query, Node *node);

/*
 * Whether some of the columns, PaColumn, say whose the rows of a protected table are: its owner
 * column, all columns that refer to where the owner is, or all by which other tables refer to
 * its rows.  In the central regime.
 */
extern bool pa_name_owners(const List *columns);

#endif							/* PA_COLUMN_H */
