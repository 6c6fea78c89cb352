/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * referred_keys.c
 *		See referred_keys.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

#include "catalog/extension.h"
#include "catalog/named_columns.h"
#include "catalog/owner_path.h"
#include "catalog/referred_keys.h"
#include "compat/not_null.h"

/* Whether it is over just these columns, and says that they are unique. */
static bool
is_over(Oid index, const List *columns)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	bool		same;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_index) GETSTRUCT(tuple);
	same = form->indnkeyatts == list_length(columns);
	for (int i = 0; same && i < form->indnkeyatts; i++)
		same = list_member_int(columns, form->indkey.values[i]);
	ReleaseSysCache(tuple);
	return same && pa_is_unique_always(index);
}

static bool
is_key(Oid relation, List *indexes, const List *columns)
{
	const ListCell *cell;

	foreach(cell, columns)
		if (!pa_column_is_not_null(relation, lfirst_int(cell)))
			return false;
	foreach(cell, indexes)
		if (is_over(lfirst_oid(cell), columns))
			return true;
	return false;
}

static List *
with_key(List *keys, HeapTuple policy, TupleDesc desc, Oid relation, List *indexes)
{
	Datum		value;
	List	   *columns;

	if (pa_named_column(policy, desc, "closed_at", &value) || !pa_named_column(policy, desc, "path_keys", &value))
		return keys;
	columns = pa_columns_named(relation, value);
	return is_key(relation, indexes, columns) && !list_member(keys, columns) ? lappend(keys, columns) : keys;
}

/* Of inheritance children an index of their parent says nothing, nor does NOT NULL (compat/not_null.h).  No lock is taken. */
static List *
indexes_of(Oid relation)
{
	Relation	rel = RelationIdGetRelation(relation);
	List	   *indexes;

	if (!RelationIsValid(rel))
		return NIL;
	indexes = RelationGetIndexList(rel);
	RelationClose(rel);
	return indexes;
}

List *
pa_referred_keys(Oid relation)
{
	Oid			policies = pa_catalog_relation("policy");
	AttrNumber	path_to = OidIsValid(policies) ? get_attnum(policies, "path_to") : InvalidAttrNumber;
	List	   *keys = NIL;
	List	   *indexes = indexes_of(relation);
	Relation	rel;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;

	if (path_to == InvalidAttrNumber || indexes == NIL)
		return NIL;				/* in a database of version 0.1, too */
	rel = table_open(policies, AccessShareLock);
	ScanKeyInit(&key, path_to, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(rel, pa_catalog_relation("policy_path"), true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
		keys = with_key(keys, row, RelationGetDescr(rel), relation, indexes);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return keys;
}
