/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * origin.h
 *		Of which tables that the books know a query hands on rows.
 */
#ifndef PA_ORIGIN_H
#define PA_ORIGIN_H

#include "postgres.h"

#include "nodes/parsenodes.h"

/* A table that the books know, of which something is made; it may be gone since. */
typedef struct PaOrigin
{
	Oid			relation;
	AttrNumber	column;			/* that says whose rows these are; InvalidAttrNumber: of others only */
	/* what they were called: */
	const char *name;
	const char *qualified_name; /* quoted: of a table below it if only that has a history */
	const char *column_name;	/* NULL if there is no column */
} PaOrigin;

/* A column of a query, or one that a statement assigns. */
typedef struct PaTarget
{
	AttrNumber	column;
	List	   *origins;		/* PaOrigin, one for each table */
} PaTarget;

extern PaOrigin *pa_make_origin(Oid relation, AttrNumber column);

/* Both lists of PaOrigin in one, which is new; each table once. */
extern List *pa_add_origins(const List *origins, const List *others);

/*
 * List of PaTarget: the columns that have an origin.  What is computed of rows of several owners, as by an aggregate, has
 * none, nor have conditions; nor has what this user may not read, who gets no rows but answers with noise.
 */
extern List *pa_targets_with_origin(const Query *query);

/* The same of what a statement, or a WITH query of another one, writes to a table; that has other origins than itself. */
extern List *pa_assigned_with_origin(const Query *query, const Query *outer, Oid filled);

#endif							/* PA_ORIGIN_H */
