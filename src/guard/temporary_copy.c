/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * temporary_copy.c
 *		See temporary_copy.h.
 *
 * Rows are often put together in a temporary table first.  Nobody protects that; but what
 * is then made of it has the same rows.  Nobody else sees the table, so that it is enough
 * to remember it as long as the session.
 *
 * What is written to a table with partitions or children is in these, also when they are
 * taken away; and what is in them is read with it.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "catalog/near.h"
#include "guard/temporary_copy.h"

/* Columns kept; beyond, all are forgotten. */
#define MOST_COLUMNS 100000

typedef struct ColumnKey
{
	Oid			relation;
	int32		column;			/* InvalidAttrNumber: any */
} ColumnKey;

typedef struct TemporaryColumn
{
	ColumnKey	key;
	List	   *origins;
} TemporaryColumn;

static MemoryContext context = NULL;	/* that holds all of it */
static HTAB *temporary = NULL;	/* of TemporaryColumn */

static void
make_room(void)
{
	HASHCTL		ctl = {.keysize = sizeof(ColumnKey), .entrysize = sizeof(TemporaryColumn)};

	if (temporary && hash_get_num_entries(temporary) < MOST_COLUMNS)
		return;
	temporary = NULL;
	if (context)				/* what was handed out lives on until the transaction ends */
		MemoryContextSetParent(context, TopTransactionContext);
	context = NULL;
	context = AllocSetContextCreate(TopMemoryContext, "privacct temporary copies", ALLOCSET_SMALL_SIZES);
	ctl.hcxt = context;
	temporary = hash_create("privacct temporary copies", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static bool
has_origin(const List *origins, const PaOrigin *origin)
{
	const ListCell *cell;

	foreach(cell, origins)
	{
		const PaOrigin *there = lfirst(cell);

		if (there->relation == origin->relation && (there->column != InvalidAttrNumber || origin->column == InvalidAttrNumber))
			return true;
	}
	return false;
}

static List *
copy_origins(const List *origins)
{
	MemoryContext before = MemoryContextSwitchTo(context);
	List	   *copies = NIL;
	const ListCell *cell;

	foreach(cell, origins)
	{
		PaOrigin   *copy = palloc(sizeof(PaOrigin));

		*copy = *(const PaOrigin *) lfirst(cell);
		copy->name = pstrdup(copy->name);
		copy->qualified_name = pstrdup(copy->qualified_name);
		copy->column_name = copy->column_name ? pstrdup(copy->column_name) : NULL;
		copies = lappend(copies, copy);
	}
	MemoryContextSwitchTo(before);
	return copies;
}

static List *
kept_origins(Oid relation, AttrNumber column)
{
	ColumnKey	key = {relation, column};
	const TemporaryColumn *kept = temporary ? hash_search(temporary, &key, HASH_FIND, NULL) : NULL;

	return kept ? kept->origins : NIL;
}

/* The list that was there before is left behind: a column gets few origins, one after the other. */
static void
remember(Oid relation, AttrNumber column, const List *origins)
{
	ColumnKey	key = {relation, column};
	const List *before;
	const ListCell *cell;
	TemporaryColumn *kept;
	List	   *copies;

	make_room();
	before = kept_origins(relation, column);
	foreach(cell, origins)
		if (!has_origin(before, lfirst(cell)))
			break;
	if (cell == NULL)
		return;
	copies = copy_origins(pa_add_origins(before, origins));
	kept = hash_search(temporary, &key, HASH_ENTER, NULL);
	kept->origins = copies;
}

/* The table and what is below it. */
static const List *
family_of(Oid relation)
{
	PaRelationSet *family;

	if (!has_subclass(relation))
		return list_make1_oid(relation);
	family = pa_relation_set();
	pa_add_family(family, relation);
	return pa_relation_set_members(family);
}

/* A column of the table as one of a table below it, which has all of them. */
static AttrNumber
column_in(Oid member, Oid relation, AttrNumber column)
{
	return member == relation || column == InvalidAttrNumber ? column : get_attnum(member, get_attname(relation, column, false));
}

void
pa_remember_temporary(Oid relation, const List *targets)
{
	const ListCell *member;
	const ListCell *cell;

	foreach(member, family_of(relation))
		foreach(cell, targets)
		{
			const PaTarget *target = lfirst(cell);

			remember(lfirst_oid(member), column_in(lfirst_oid(member), relation, target->column), target->origins);
			remember(lfirst_oid(member), InvalidAttrNumber, target->origins);
		}
}

bool
pa_is_remembered(Oid relation)
{
	return kept_origins(relation, InvalidAttrNumber) != NIL;
}

List *
pa_temporary_origins(Oid relation, AttrNumber column)
{
	List	   *origins = NIL;
	const ListCell *member;

	if (temporary == NULL || get_rel_persistence(relation) != RELPERSISTENCE_TEMP)
		return NIL;
	/* what is computed of others may be made of any */
	if (column > 0 && get_attgenerated(relation, column) != '\0')
		column = InvalidAttrNumber;
	foreach(member, family_of(relation))
		origins = pa_add_origins(origins, kept_origins(lfirst_oid(member), column_in(lfirst_oid(member), relation, column)));
	return origins;
}
