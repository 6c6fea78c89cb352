/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_spec.h
 *		What the executor knows of a block: its keys and aggregates.
 */
#ifndef PA_LEAF_SPEC_H
#define PA_LEAF_SPEC_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/pg_list.h"

#include "bound/aggregate.h"

/* A column of the child that is a part of a value. */
typedef struct PaLeafField
{
	int			input;			/* column of the child, from 0 */
	Oid			type;
} PaLeafField;

/* One aggregate of the leaf as the executor needs it. */
typedef struct PaLeafAggregate
{
	PaAggregateKind kind;
	Oid			result_type;
	int			input;			/* column of the child, from 0; -1: none (count(*)) */
	Oid			input_type;
	bool		never_null;		/* the input is known to be NOT NULL */
	int			nfields;		/* different values: the columns that make one; the input says which rows have one */
	PaLeafField *fields;
	int			first_argument; /* position in the node's expressions of its arguments, from PA_ARG_LO on */
	int			column;			/* of the block, from 1 */
	char	   *label;			/* the aggregate as text */
	int			together;		/* it is one before it once more, of which an interval is wanted that holds at once with those of
								 * so many; 0: it is asked for by itself */
} PaLeafAggregate;

/* An aggregate that is computed above the block from several in it. */
typedef struct PaLeafComposed
{
	char	   *label;
	int			nparts;
	int		   *parts;			/* aggregates, as they are asked for */
	int		   *together;		/* the same, with intervals that hold at once */
	char	   *expressions;	/* steps, its value and the ends of its interval (guard/moments.h), in columns of its parts; text of nodeToString() */
} PaLeafComposed;

/* The column, from 1, that shows a part, from 0. */
#define PA_PART_COLUMN(part, shown) (3 * (part) + (int) (shown) + 1)

/* A protected table of the block, and the policy that the block was validated by. */
typedef struct PaLeafTable
{
	Oid			relation;
	int64		policy_id;
} PaLeafTable;

/* A key, in order. */
typedef struct PaLeafKey
{
	int			table;			/* whose column it is, among PaLeafSpec.tables; -1: an expression */
	AttrNumber	column;
	int			listed;			/* whose values public data list: column of the key query, from 0; -1: not */
	int			input;			/* column of the child, from 0 */
	int			reference;		/* by which the block names it */
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

/* What GROUPING() asks of: keys, the first of them the highest bit of its value. */
#define PA_MAX_GROUPING_KEYS 31

typedef struct PaLeafGrouping
{
	int			nkeys;
	int			keys[PA_MAX_GROUPING_KEYS];
} PaLeafGrouping;

typedef struct PaLeafSpec
{
	int			ntables;
	PaLeafTable *tables;		/* each as often as it is read; the first by whose policy the release is made */
	int			entries;		/* PA_ENTRY_ flags */
	int			owners;			/* position in the node's expressions of the owners that it is about; -1: all */
	bool		one_row;		/* protected rows are read in groups that are whole owners */
	int			fanout;			/* rows that one protected row becomes by joins with public ones, at most */
	int			row_work;		/* nanoseconds that one row can take, at most, without what its levels take */
	int			workers;		/* the child is a Gather over partial nodes in so many; 0: it is no Gather */
	int			owner_input;	/* column of the child, from 0 */
	int			nkeys;
	PaLeafKey  *keys;
	int			nlevels;		/* ways in which it groups, at least 1: */
	uint32	   *levels;			/* by which keys (1 << key), as often as each is written; all keys without GROUPING SETS */
	int			ngroupings;
	PaLeafGrouping *groupings;
	const char *key_query;		/* reads the values of keys that are listed (nodeToString() of a Query); empty: none are */
	const char *question;		/* what is asked, but for values (guard/question.c); empty: not to be known again */
	const char *parts;			/* the same taken apart (node/asked.h); empty: there is no question */
	int			npublic;		/* public tables that are read; -1: others are, too */
	Oid		   *public_tables;
	int			first_value;	/* position in the node's expressions of these values, */
	int			nvalues;		/* and how many there are */
	int			naggregates;
	PaLeafAggregate *aggregates;
	int			ncomposed;
	PaLeafComposed *composed;
	const char *source;			/* text of the statement, for error positions; not part of the plan; may be NULL */
	int			ncolumns;		/* of the scan tuple */
	int		   *columns;		/* what each is: i: key i; one of these; -1: NULL */
} PaLeafSpec;

/* offsets that tell aggregates, the ends of their intervals, and GROUPING(), from keys in PaLeafSpec.columns */
#define PA_AGGREGATE_COLUMN(i) (0x10000 + (i))
#define PA_LOW_COLUMN(i) (0x20000 + (i))
#define PA_HIGH_COLUMN(i) (0x30000 + (i))
#define PA_GROUPING_COLUMN(i) (0x40000 + (i))
#define PA_AGGREGATE_OF_COLUMN(column) ((column) & 0xffff)
#define PA_IS_INTERVAL_COLUMN(column) ((column) >= PA_LOW_COLUMN(0) && (column) < PA_GROUPING_COLUMN(0))

/* leaf_spec.c: to and from the private list of a CustomScan */
extern List *pa_leaf_spec_encode(const PaLeafSpec *spec);
extern PaLeafSpec *pa_leaf_spec_decode(List *list);

#endif							/* PA_LEAF_SPEC_H */
