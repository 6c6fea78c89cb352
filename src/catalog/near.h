/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * near.h
 *		What hangs together with a relation: whose policies a change of it may undermine.
 *
 * The functions _family, _fed and _relations_near of the SQL script say what is meant,
 * and work without this library.  These find the same by the indexes of the system
 * catalog alone, as it is now (own changes and all that is committed), without
 * planning a query.
 */
#ifndef PA_NEAR_H
#define PA_NEAR_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "utils/array.h"

#include "catalog/relation_set.h"

/* The relation and what has its columns from it: partitions, inheritance children, tables of a type. */
extern void pa_add_family(PaRelationSet *set, Oid relation);

/* What the relation is a partition or child of, and so on; without the relation. */
extern void pa_add_ancestors(PaRelationSet *set, Oid relation);

/*
 * Adds what is near the relations, these included.  readable: only what views over or
 * among them can read, by the rights of their owners.
 */
extern void pa_add_near(PaRelationSet *set, const List *touched, bool readable);

/* The elements of an oid[]. */
extern List *pa_relations_of_array(ArrayType *array);

/* The other way round. */
extern ArrayType *pa_oid_array(const List *oids);

#endif							/* PA_NEAR_H */
