/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * definition.h
 *		Whether what the catalog says of a table holds for the rows that a snapshot sees.
 *
 * A unique index, a constraint, NOT NULL, a partition's bound and what is declared of a
 * table hold for all rows that are there from then on.  A snapshot that is older may see
 * rows that were deleted before, and of those they say nothing.
 */
#ifndef PA_DEFINITION_H
#define PA_DEFINITION_H

#include "postgres.h"

#include "access/htup.h"
#include "nodes/pg_list.h"
#include "utils/snapshot.h"

/* Whether the snapshot was taken after the catalog's row had come. */
extern bool pa_holds_in(HeapTuple fact, Snapshot snapshot);

/*
 * Errors out with ERRCODE_PA_REFUSED unless that is so of all that can be inferred of the
 * tables (a list of OIDs) and of those that they are partitions or children of.  Asked at
 * execution: a cached plan, an exported snapshot, a cursor or a function may bring a
 * snapshot older than the plan.
 */
extern void pa_require_older_definitions(List *relations, Snapshot snapshot);

#endif							/* PA_DEFINITION_H */
