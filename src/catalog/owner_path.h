/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_path.h
 *		How a row finds its owner in another table, along foreign keys.
 *
 * The owner of a row of policy->relation is the value of the owner column in the row that
 * inner joins along the steps lead to, always taken from there.  Each step refers to a key
 * that is unique at every moment, so there is one such row at most; a row without one
 * belongs to nobody, which foreign keys do not exclude.
 */
#ifndef PA_OWNER_PATH_H
#define PA_OWNER_PATH_H

#include "postgres.h"

#include "access/attnum.h"
#include "catalog/pg_index.h"
#include "nodes/pg_list.h"

#include "catalog/policy.h"

/* referencing.columns[i] operators[i] referenced.keys[i], for each i < nkeys */
typedef struct PaPathStep
{
	Oid			constraint;		/* the foreign key */
	Oid			index;			/* the unique index over keys */
	Oid			referencing;
	Oid			referenced;
	int			nkeys;
	AttrNumber	columns[INDEX_MAX_KEYS];	/* of referencing */
	AttrNumber	keys[INDEX_MAX_KEYS];	/* of referenced */
	Oid			operators[INDEX_MAX_KEYS];	/* keys[i] = columns[i], in this order of arguments */
} PaPathStep;

typedef struct PaOwnerPath
{
	List	   *steps;			/* of PaPathStep, from the policy's table on; NIL: it has the owner column itself */
	const PaPolicy *end;		/* of the table that has it: see its owner_attnum and owner_type */
} PaOwnerPath;

/*
 * The path of a policy, in the current memory context, as the catalog has it now.  Errors out
 * (55PA3) where a foreign key or a table on the way is not what it has to be.  Any change of
 * it invalidates a table of the path (PaPathStep.referencing or referenced).
 */
extern PaOwnerPath *pa_owner_path(const PaPolicy *policy);

/* Whether no two rows have the same values under the index, at any moment. */
extern bool pa_is_unique_always(Oid index);

#endif							/* PA_OWNER_PATH_H */
