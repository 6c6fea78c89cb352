/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf.h
 *		The plan node that computes, pays for and releases a protected block.
 *
 * Planning: the guard leaves a query with a marker aggregate; leaf_path.c makes
 * a CustomPath of it whose child yields one row per joined row: owner, keys,
 * inputs of the aggregates.
 *
 * Execution, all at the first fetch: entitle, calibrate, read public tables whole,
 * CHARGE, only then read, bound, add up, noise, store.  Later fetches and rescans
 * read the store.
 */
#ifndef PA_LEAF_H
#define PA_LEAF_H

#include "postgres.h"

#include "nodes/extensible.h"
#include "nodes/pg_list.h"
#include "nodes/plannodes.h"
#include "utils/tuplestore.h"

#include "bound/leaf_spec.h"

/* leaf_path.c */
extern void pa_leaf_init(void);

/*
 * The queryId by which a leaf is known: random, of this process.  Whoever writes
 * the marker aggregate into a query of their own cannot give it this.
 */
extern uint64 pa_leaf_tag(void);

/* True if the scan is a leaf of this kind; pa_is_local_scan() knows the other. */
extern bool pa_is_leaf_scan(const CustomScan *scan);

/* leaf_exec.c: the next row of a store, in a slot of the same shape */
extern TupleTableSlot *pa_leaf_next_stored(Tuplestorestate *store, TupleTableSlot *stored, TupleTableSlot *slot);

/* leaf_exec.c, partial.c */
extern Node *pa_create_leaf_state(CustomScan *scan);
extern Node *pa_create_partial_state(CustomScan *scan);

#endif							/* PA_LEAF_H */
