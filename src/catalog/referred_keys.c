/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * referred_keys.c
 *		See referred_keys.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/extension.h"
#include "catalog/named_columns.h"
#include "catalog/owner_path.h"
#include "catalog/referred_keys.h"

static bool
is_indexed_by(Oid index, const List *columns)
{
	Relation	rel = index_open(index, AccessShareLock);
	bool		same = rel->rd_index->indnkeyatts == list_length(columns);

	for (int i = 0; same && i < rel->rd_index->indnkeyatts; i++)
		same = list_member_int(columns, rel->rd_index->indkey.values[i]);
	index_close(rel, AccessShareLock);
	return same && pa_is_unique_always(index);
}

/* Of inheritance children an index of their parent says nothing. */
static bool
is_key(Relation table, const List *columns)
{
	TupleDesc	desc = RelationGetDescr(table);
	List	   *indexes = table->rd_rel->relkind == RELKIND_PARTITIONED_TABLE || !table->rd_rel->relhassubclass ? RelationGetIndexList(table) : NIL;
	const ListCell *cell;

	foreach(cell, columns)
		if (lfirst_int(cell) <= 0 || !TupleDescAttr(desc, lfirst_int(cell) - 1)->attnotnull)
			return false;
	foreach(cell, indexes)
		if (is_indexed_by(lfirst_oid(cell), columns))
			return true;
	return false;
}

static List *
with_key(List *keys, HeapTuple policy, TupleDesc desc, Relation table)
{
	Datum		value;
	List	   *columns;

	if (pa_named_column(policy, desc, "closed_at", &value) || !pa_named_column(policy, desc, "path_keys", &value))
		return keys;
	columns = pa_columns_named(RelationGetRelid(table), value);
	return is_key(table, columns) && !list_member(keys, columns) ? lappend(keys, columns) : keys;
}

List *
pa_referred_keys(Oid relation)
{
	Oid			policies = pa_catalog_relation("policy");
	AttrNumber	path_to = OidIsValid(policies) ? get_attnum(policies, "path_to") : InvalidAttrNumber;
	List	   *keys = NIL;
	Relation	rel,
				table;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;

	if (path_to == InvalidAttrNumber)
		return NIL;				/* a database of version 0.1 */
	rel = table_open(policies, AccessShareLock);
	table = table_open(relation, AccessShareLock);
	ScanKeyInit(&key, path_to, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(rel, pa_catalog_relation("policy_path"), true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
		keys = with_key(keys, row, RelationGetDescr(rel), table);
	systable_endscan(scan);
	table_close(table, AccessShareLock);
	table_close(rel, AccessShareLock);
	return keys;
}
