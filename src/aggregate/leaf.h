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

#include "aggregate/aggregate.h"

/* One aggregate of the leaf as the executor needs it. */
typedef struct PaLeafAggregate
{
	PaAggregateKind kind;
	Oid			result_type;
	int			input;			/* column of the child, from 0; -1: none (count(*)) */
	Oid			input_type;
	bool		never_null;		/* the input is known to be NOT NULL */
	int			first_argument; /* position in the node's expressions of its arguments, from PA_ARG_LO on */
	char	   *label;			/* the aggregate as text */
} PaLeafAggregate;

/* A key, in order. */
typedef struct PaLeafKey
{
	AttrNumber	column;			/* of the protected table, or InvalidAttrNumber for an expression */
	int			input;			/* column of the child, from 0 */
	Oid			type;
	Oid			collation;
} PaLeafKey;

/* Pufferfish regime: the privacy unit is the entry of a row, and it decides ... */
enum
{
	PA_ENTRY_UNIT = 1,			/* (the block is of that regime) */
	PA_ENTRY_SELECTS = 2,		/* whether the row counts */
	PA_ENTRY_GROUPS = 4,		/* in which group */
	PA_ENTRY_RUNS = 8			/* in which group, the last key left aside */
};

typedef struct PaLeafSpec
{
	Oid			relation;		/* the protected table */
	int64		policy_id;		/* of the policy that the block was validated by */
	int			entries;		/* PA_ENTRY_ flags */
	int			owners;			/* position in the node's expressions of the owners that it is about; -1: all */
	int			fanout;			/* rows that one protected row becomes by joins, at most */
	int			workers;		/* the child is a Gather over partial nodes in so many; 0: it is no Gather */
	int			owner_input;	/* column of the child, from 0 */
	int			nkeys;
	PaLeafKey  *keys;
	int			naggregates;
	PaLeafAggregate *aggregates;
	const char *source;			/* text of the statement, for error positions; not part of the plan; may be NULL */
	int			ncolumns;		/* of the scan tuple */
	int		   *columns;		/* what each is: i: key i; PA_AGGREGATE_COLUMN(i): aggregate i; -1: NULL */
} PaLeafSpec;

/* offset that tells aggregates from keys in PaLeafSpec.columns */
#define PA_AGGREGATE_COLUMN(i) (0x10000 + (i))

/* leaf_spec.c: to and from the private list of a CustomScan */
extern List *pa_leaf_spec_encode(const PaLeafSpec *spec);
extern PaLeafSpec *pa_leaf_spec_decode(List *list);

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
