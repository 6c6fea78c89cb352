/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unique_owner.c
 *		Whether an owner has at most one row.
 *
 * Only of ordinary tables without children: an index of a plain inheritance
 * parent says nothing of its children, and one of a partitioned table nothing of
 * what a partition held before it was attached.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "catalog/definition.h"
#include "catalog/unique_owner.h"

/* The index holds at every moment, and for every row that the snapshot sees. */
static bool
proves_unique_owner(Relation index, AttrNumber owner, Snapshot snapshot)
{
	Form_pg_index form = index->rd_index;

	return form->indisunique && form->indisvalid && form->indimmediate &&
		form->indnkeyatts == 1 && form->indkey.values[0] == owner &&
		RelationGetIndexPredicate(index) == NIL &&
		pa_holds_in(index->rd_indextuple, snapshot);
}

bool
pa_owner_is_unique(Oid relation, AttrNumber owner, Snapshot snapshot)
{
	Relation	rel = table_open(relation, AccessShareLock);
	List	   *indexes = RelationGetIndexList(rel);
	bool		unique = false;
	ListCell   *cell;

	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		unique |= proves_unique_owner(index, owner, snapshot);
		index_close(index, AccessShareLock);
	}
	list_free(indexes);
	if (rel->rd_rel->relkind != RELKIND_RELATION || has_subclass(relation))
		unique = false;
	table_close(rel, AccessShareLock);
	return unique;
}
