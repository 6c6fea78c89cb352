/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edition.c
 *		See edition.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "catalog/edition.h"
#include "catalog/extension.h"
#include "catalog/named_columns.h"

int64
pa_edition_seen(const PaPolicy *policy, Snapshot snapshot)
{
	Relation	rel;
	ScanKeyData by_id;
	SysScanDesc scan;
	HeapTuple	tuple;
	Datum		value;
	int64		edition = 0;

	if (policy->edition == 0)
		return 0;
	rel = table_open(pa_catalog_relation("policy"), AccessShareLock);
	ScanKeyInit(&by_id, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->policy_id));
	scan = systable_beginscan(rel, pa_catalog_relation("policy_pkey"), true, snapshot, 1, &by_id);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple) && pa_named_column(tuple, RelationGetDescr(rel), "edition", &value))
		edition = DatumGetInt64(value);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return edition == policy->edition ? edition : 0;
}
