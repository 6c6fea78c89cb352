/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dependencies.h
 *		What the system catalog says of how objects hang together, by its indexes.
 */
#ifndef PA_DEPENDENCIES_H
#define PA_DEPENDENCIES_H

#include "postgres.h"

#include "access/htup.h"
#include "nodes/pg_list.h"

/* Of the rows of a catalog whose column, the first of an index, has a value: what is wanted of each. */
extern List *pa_catalog_oids(Oid catalog, Oid index, AttrNumber column, Oid value, Oid (*wanted) (HeapTuple));

/* Tables that a table is a partition or child of, and its own partitions or children; one step. */
extern List *pa_parents(Oid relation);
extern List *pa_children(Oid relation);

/* Rules of a relation, that of a view among them. */
extern List *pa_rules_of(Oid relation);

/*
 * Objects of the class "other" that depend on the object (up), or that it depends on.
 * owned: by automatic and internal dependencies only.
 */
extern List *pa_dependencies(Oid class, Oid object, bool up, Oid other, bool owned);

#endif							/* PA_DEPENDENCIES_H */
