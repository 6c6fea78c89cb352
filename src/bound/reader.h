/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.h
 *		Reads the joined rows of a leaf into groups and owners.
 */
#ifndef PA_READER_H
#define PA_READER_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "bound/group_table.h"
#include "bound/owner_table.h"
#include "bound/sample.h"
#include "catalog/policy.h"

/* What a release decides about reading; the same in every process of it. */
typedef struct PaReading
{
	uint32		max_groups;		/* L0 */
	int64		max_rows;		/* M */
	bool		one_row_per_owner;
	bool		declared_groups;	/* else groups come into being with their rows */
	const PaKeyRows *key_rows;	/* that public data make of them; NULL: none */
	bool		select_groups;	/* the owners of each group are counted for selection */
	PaSample	sample;			/* of owners */
	const void *gate;			/* which owners may be in it; NULL: all.  Not for parallel workers */
} PaReading;

typedef struct PaReader
{
	const PaLeafSpec *spec;
	PaStatistics *set;
	PaGroupTable *groups;
	PaOwnerTable *owners;		/* NULL: each row is a whole owner */
	PaSortedCells *cells;		/* NULL: there are no statistics of order */
	PaSortedValues *values;		/* NULL: there are none of different values */
	MemoryContext context;		/* of all of it */
	MemoryContext of_owners;	/* of them alone, until their totals are made */
	PaSample	sample;
	const void *gate;
	Oid			owner_type;
	const uint8 *secret;
	int64	   *terms;			/* scratch: what one row adds ... */
	char	   *kept;			/* ... and the values that it has orders keep */
	PaKeptRoom	room;			/* of terms */
} PaReader;

/* rows: the shape of the rows that will be read; policies: of the leaf's tables */
extern PaReader *pa_reader_create(PlanState *node, TupleDesc rows, const PaLeafSpec *spec, PaStatistics *set,
								  const PaPolicy *const *policies, const PaReading *reading, MemoryContext context);

/* Reads the plan to its end. */
extern void pa_reader_run(PaReader *reader, PlanState *rows);

/* Adds every owner's bounded contributions to the groups' totals and to the cells, when all is read; values are used up. */
extern void pa_reader_total(PaReader *reader);

#endif							/* PA_READER_H */
