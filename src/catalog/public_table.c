/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * public_table.c
 *		See public_table.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_index.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

#include "catalog/policy.h"
#include "catalog/public_table.h"

/* columns of privacct.public_table and public_fanout; see migrations/ */
enum
{
	TABLE_RELATION = 1, TABLE_NAME, TABLE_DECLARED_AT, TABLE_DECLARED_BY, TABLE_KEYS
};
enum
{
	FANOUT_RELATION = 1, FANOUT_COLUMNS, FANOUT_ROWS
};

/* Rows of a catalog relation whose first column is the given relation. */
static SysScanDesc
begin_scan(Relation catalog, Oid relation)
{
	ScanKeyData key;

	ScanKeyInit(&key, TABLE_RELATION, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	return systable_beginscan(catalog, InvalidOid, false, NULL, 1, &key);
}

static Relation
open_catalog(const char *name)
{
	Oid			relid = pa_catalog_relation(name);

	if (!OidIsValid(relid))
		elog(ERROR, "relation privacct.%s is missing", name);
	return table_open(relid, AccessShareLock);
}

bool
pa_is_public(Oid relation)
{
	Relation	catalog = open_catalog("public_table");
	SysScanDesc scan = begin_scan(catalog, relation);
	bool		found = HeapTupleIsValid(systable_getnext(scan));

	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return found;
}

/* Whether the index says that no two rows agree in the columns; that rows do not overlap is left aside. */
static bool
index_is_key(Oid index, const Bitmapset *columns)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	bool		is_key;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_index) GETSTRUCT(tuple);
	is_key = form->indisunique && form->indisvalid && form->indimmediate && !form->indisexclusion &&
		heap_attisnull(tuple, Anum_pg_index_indpred, NULL);
	for (int i = 0; is_key && i < form->indnkeyatts; i++)
		is_key = form->indkey.values[i] > 0 && bms_is_member(form->indkey.values[i], columns);
	ReleaseSysCache(tuple);
	return is_key;
}

static bool
has_unique_key(Oid relation, const Bitmapset *columns)
{
	Relation	rel = table_open(relation, AccessShareLock);
	bool		found = false;
	ListCell   *cell;

	/* the children of a table that is not partitioned have keys of their own */
	if (rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE || !has_subclass(relation))
		foreach(cell, RelationGetIndexList(rel))
			found |= index_is_key(lfirst_oid(cell), columns);
	table_close(rel, AccessShareLock);
	return found;
}

char *
pa_public_key(Oid relation)
{
	Relation	rel = table_open(relation, AccessShareLock);
	List	   *indexes = RelationGetIndexList(rel);
	Oid			key = rel->rd_pkindex;
	Bitmapset  *columns = NULL;
	ListCell   *cell;

	for (int i = 1; i <= RelationGetNumberOfAttributes(rel); i++)
		columns = bms_add_member(columns, i);
	foreach(cell, indexes)
		if (!OidIsValid(key) && index_is_key(lfirst_oid(cell), columns))
			key = lfirst_oid(cell);
	if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE && has_subclass(relation))
		key = InvalidOid;
	table_close(rel, AccessShareLock);
	return OidIsValid(key) ? psprintf("(%s)", pg_get_indexdef_columns(key, false)) : NULL;
}

static bool
names_have(Oid relation, Datum names, AttrNumber column)
{
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypePCopy(names), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		if (get_attnum(relation, NameStr(*DatumGetName(elements[i]))) == column)
			return column > 0;
	return false;
}

static bool
names_are_in(Oid relation, Datum names, const Bitmapset *columns)
{
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypePCopy(names), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
	{
		AttrNumber	column = get_attnum(relation, NameStr(*DatumGetName(elements[i])));

		if (column <= 0 || !bms_is_member(column, columns))
			return false;
	}
	return count > 0;
}

bool
pa_public_lists(Oid relation, AttrNumber column)
{
	Relation	catalog = open_catalog("public_table");
	SysScanDesc scan = begin_scan(catalog, relation);
	HeapTuple	tuple = systable_getnext(scan);
	bool		lists = false;

	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		names = heap_getattr(tuple, TABLE_KEYS, RelationGetDescr(catalog), &isnull);

		lists = !isnull && names_have(relation, names, column);
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return lists;
}

int
pa_public_rows(Oid relation, const Bitmapset *columns)
{
	Relation	catalog;
	SysScanDesc scan;
	HeapTuple	tuple;
	int			least = 0;

	if (columns == NULL)
		return 0;
	if (has_unique_key(relation, columns))
		return 1;
	catalog = open_catalog("public_fanout");
	scan = begin_scan(catalog, relation);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		names = heap_getattr(tuple, FANOUT_COLUMNS, RelationGetDescr(catalog), &isnull);
		int			rows = DatumGetInt32(heap_getattr(tuple, FANOUT_ROWS, RelationGetDescr(catalog), &isnull));

		if (names_are_in(relation, names, columns) && (least == 0 || rows < least))
			least = rows;
	}
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return least;
}
