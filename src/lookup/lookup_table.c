/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_table.c
 *		Rows of the public side by key, on PostgreSQL's own hash tables of tuples.
 *
 * One key that is a whole number, as most are, has a faster one of its own.
 * Without keys (a side of one row, or one that a constant has narrowed down) all
 * rows are partners of every row.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat/tuple_hash.h"
#include "lookup/lookup_table.h"
#include "lookup/number_table.h"
#include "lookup/seeded_hash.h"

struct PaLookupTable
{
	MemoryContext context;
	int			nkeys;
	number_table_hash *numbers; /* of one key that is a whole number */
	TupleHashTable hash;		/* of other keys */
	TupleTableSlot *inner_key;
	TupleTableSlot *outer_key;
	PaOtherHash outer_hash;
	ExprState  *equal;			/* outer key and inner key */
	TupleTableSlot *row;		/* to take a kept row apart */
	PaLookupRow *all;			/* without keys */
	int64		most;			/* rows of one key */
};

#define INITIAL_KEYS 256

static TupleDesc
key_shape(List *keys)
{
	TupleDesc	shape = CreateTemplateTupleDesc(list_length(keys));
	AttrNumber	number = 1;
	ListCell   *cell;

	foreach(cell, keys)
	{
		ExprState  *key = lfirst(cell);

		TupleDescInitEntry(shape, number, NULL, exprType((Node *) key->expr), exprTypmod((Node *) key->expr), 0);
		TupleDescInitEntryCollation(shape, number, exprCollation((Node *) key->expr));
		number++;
	}
	return shape;
}

/* Hash and equality functions of the keys: within the public side, and across. */
typedef struct KeyFunctions
{
	AttrNumber *columns;
	Oid		   *collations;
	Oid		   *equal_inner;
	Oid		   *equal_across;
	FmgrInfo   *hash_inner;
	FmgrInfo   *hash_outer;
} KeyFunctions;

static KeyFunctions
key_functions(List *operators, List *collations)
{
	int			count = list_length(operators);
	KeyFunctions functions = {
		palloc(sizeof(AttrNumber) * count), palloc(sizeof(Oid) * count), palloc(sizeof(Oid) * count),
		palloc(sizeof(Oid) * count), palloc0(sizeof(FmgrInfo) * count), palloc0(sizeof(FmgrInfo) * count)
	};

	for (int i = 0; i < count; i++)
	{
		Oid			operator = list_nth_oid(operators, i);
		Oid			left,
					right,
					hash_left,
					hash_right;

		if (!get_compatible_hash_operators(operator, &left, &right) ||
			!get_op_hash_functions(operator, &hash_left, &hash_right))
			elog(ERROR, "operator %u cannot be hashed", operator);
		functions.columns[i] = i + 1;
		functions.collations[i] = list_nth_oid(collations, i);
		functions.equal_inner[i] = get_opcode(right);
		functions.equal_across[i] = get_opcode(operator);
		fmgr_info(hash_right, &functions.hash_inner[i]);
		fmgr_info(hash_left, &functions.hash_outer[i]);
	}
	return functions;
}

static void
seed_hashes(FmgrInfo *hashes, TupleDesc shape)
{
	Oid		   *types = palloc(sizeof(Oid) * shape->natts);

	for (int i = 0; i < shape->natts; i++)
		types[i] = TupleDescAttr(shape, i)->atttypid;
	pa_seed_hashes(hashes, types, shape->natts);
}

static Oid
type_of(const TupleTableSlot *key)
{
	return TupleDescAttr(key->tts_tupleDescriptor, 0)->atttypid;
}

static void
make_hash(PaLookupTable *table, PlanState *parent, List *operators, List *collations, List *inner_keys, List *outer_keys)
{
	KeyFunctions functions = key_functions(operators, collations);
	TupleDesc	inner = key_shape(inner_keys);
	TupleDesc	outer = key_shape(outer_keys);

	table->inner_key = MakeSingleTupleTableSlot(inner, &TTSOpsVirtual);
	table->outer_key = MakeSingleTupleTableSlot(outer, &TTSOpsVirtual);
	if (table->nkeys == 1 && pa_is_whole_number(type_of(table->inner_key)) && pa_is_whole_number(type_of(table->outer_key)))
	{
		table->numbers = number_table_create(table->context, INITIAL_KEYS, NULL);
		return;
	}
	seed_hashes(functions.hash_inner, inner);
	seed_hashes(functions.hash_outer, outer);
	table->outer_hash = pa_other_hash(parent, outer, &TTSOpsVirtual, table->nkeys, functions.columns,
									  functions.hash_outer, functions.collations);
	table->equal = ExecBuildGroupingEqual(outer, inner, &TTSOpsVirtual, &TTSOpsMinimalTuple, table->nkeys,
										  functions.columns, functions.equal_across, functions.collations, parent);
	table->hash = pa_build_tuple_hash(parent, inner, table->nkeys, functions.columns, functions.equal_inner,
									  functions.hash_inner, functions.collations, INITIAL_KEYS,
									  table->context, parent->ps_ExprContext->ecxt_per_tuple_memory);
}

PaLookupTable *
pa_lookup_table(PlanState *parent, List *operators, List *collations, List *inner_keys, List *outer_keys, TupleDesc rows)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct lookup", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaLookupTable *table = palloc0(sizeof(PaLookupTable));

	table->context = context;
	table->nkeys = list_length(operators);
	table->row = MakeSingleTupleTableSlot(rows, &TTSOpsMinimalTuple);
	if (table->nkeys > 0)
		make_hash(table, parent, operators, collations, inner_keys, outer_keys);
	MemoryContextSwitchTo(caller);
	return table;
}

TupleTableSlot *
pa_lookup_inner_key(PaLookupTable *table)
{
	return table->inner_key;
}

TupleTableSlot *
pa_lookup_outer_key(PaLookupTable *table)
{
	return table->outer_key;
}

/* An equality is never true of a null. */
static bool
has_null(const TupleTableSlot *key)
{
	for (int i = 0; i < key->tts_tupleDescriptor->natts; i++)
		if (key->tts_isnull[i])
			return true;
	return false;
}

/* A copy of the row, taken apart once and for all. */
static PaLookupRow *
keep_row(PaLookupTable *table, TupleTableSlot *row)
{
	int			columns = row->tts_tupleDescriptor->natts;
	PaLookupRow *kept = palloc(sizeof(PaLookupRow));

	ExecStoreMinimalTuple(ExecCopySlotMinimalTuple(row), table->row, false);
	slot_getallattrs(table->row);
	kept->values = palloc(sizeof(Datum) * Max(columns, 1));
	kept->nulls = palloc(sizeof(bool) * Max(columns, 1));
	memcpy(kept->values, table->row->tts_values, sizeof(Datum) * columns);
	memcpy(kept->nulls, table->row->tts_isnull, sizeof(bool) * columns);
	ExecClearTuple(table->row);
	return kept;
}

static int64
number_of(const TupleTableSlot *key)
{
	return pa_whole_number(type_of(key), key->tts_values[0]);
}

/* The rows of the inner key, which may have none yet. */
static PaKeyRows *
rows_of_key(PaLookupTable *table)
{
	TupleHashEntry entry;
	void	  **rows;
	bool		found;

	if (table->numbers)
	{
		PaNumberEntry *number = number_table_insert(table->numbers, number_of(table->inner_key), &found);

		if (!found)
			number->rows = (PaKeyRows) {NULL};
		return &number->rows;
	}
	entry = LookupTupleHashEntry(table->hash, table->inner_key, &found, NULL);
	rows = pa_entry_pointer(table->hash, entry);
	if (*rows == NULL)
		*rows = MemoryContextAllocZero(table->context, sizeof(PaKeyRows));
	return *rows;
}

static void
add_to_key(PaLookupTable *table, PaLookupRow *row)
{
	PaKeyRows  *rows = rows_of_key(table);

	row->next = rows->first;
	rows->first = row;
	rows->count++;
	table->most = Max(table->most, rows->count);
}

void
pa_lookup_add(PaLookupTable *table, TupleTableSlot *row)
{
	MemoryContext caller;
	PaLookupRow *kept;

	if (table->nkeys > 0 && has_null(ExecStoreVirtualTuple(table->inner_key)))
	{
		ExecClearTuple(table->inner_key);
		return;
	}
	caller = MemoryContextSwitchTo(table->context);
	kept = keep_row(table, row);
	if (table->nkeys > 0)
	{
		add_to_key(table, kept);
		ExecClearTuple(table->inner_key);
	}
	else
	{
		kept->next = table->all;
		table->all = kept;
		table->most++;
	}
	MemoryContextSwitchTo(caller);
}

static const PaLookupRow *
find_number(PaLookupTable *table)
{
	const PaNumberEntry *entry = NULL;

	if (!table->outer_key->tts_isnull[0])
		entry = number_table_lookup(table->numbers, number_of(table->outer_key));
	return entry ? entry->rows.first : NULL;
}

const PaLookupRow *
pa_lookup_find(PaLookupTable *table)
{
	TupleHashEntry entry = NULL;

	if (table->nkeys == 0)
		return table->all;
	if (table->numbers)
		return find_number(table);
	if (!has_null(ExecStoreVirtualTuple(table->outer_key)))
		entry = FindTupleHashEntry(table->hash, table->outer_key, table->equal, table->outer_hash);
	ExecClearTuple(table->outer_key);
	return entry ? ((PaKeyRows *) *pa_entry_pointer(table->hash, entry))->first : NULL;
}

double
pa_lookup_most(const PaLookupTable *table)
{
	return table->most;
}

Size
pa_lookup_memory(const PaLookupTable *table)
{
	return MemoryContextMemAllocated(table->context, true);
}
