/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_table.h
 *		The public side of a join in memory: rows by key.
 */
#ifndef PA_LOOKUP_TABLE_H
#define PA_LOOKUP_TABLE_H

#include "postgres.h"

#include "nodes/execnodes.h"

/* A row of the public side, and the next one with the same key. */
typedef struct PaLookupRow
{
	struct PaLookupRow *next;
	Datum	   *values;
	bool	   *nulls;
} PaLookupRow;

typedef struct PaLookupTable PaLookupTable;

/*
 * An empty table, in a memory context of its own below the current one.
 * operators: outer key = inner key, hashable; types: of the inner and outer keys.
 */
extern PaLookupTable *pa_lookup_table(PlanState *parent, List *operators, List *collations,
									  List *inner_keys, List *outer_keys, TupleDesc rows);

/* Slots for a key: set its values, then call the function. */
extern TupleTableSlot *pa_lookup_inner_key(PaLookupTable *table);
extern TupleTableSlot *pa_lookup_outer_key(PaLookupTable *table);

/* Keeps a copy of the row under the inner key. */
extern void pa_lookup_add(PaLookupTable *table, TupleTableSlot *row);

/* The rows whose key equals the outer key; NULL if there is none. */
extern const PaLookupRow *pa_lookup_find(PaLookupTable *table);

/* The most rows that share a key. */
extern double pa_lookup_most(const PaLookupTable *table);

/* Memory that the table takes, in bytes. */
extern Size pa_lookup_memory(const PaLookupTable *table);

#endif							/* PA_LOOKUP_TABLE_H */
