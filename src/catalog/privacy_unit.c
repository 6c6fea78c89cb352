/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * privacy_unit.c
 *		See privacy_unit.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/extension.h"
#include "catalog/privacy_unit.h"

bool
pa_find_unit(const char *name, int64 *unit)
{
	Relation	policies = table_open(pa_catalog_relation("policy"), AccessShareLock);
	Oid			relid = RelationGetRelid(policies);
	AttrNumber	closed_at = get_attnum(relid, "closed_at");
	NameData	wanted;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	namestrcpy(&wanted, name);
	ScanKeyInit(&key, get_attnum(relid, "name"), BTEqualStrategyNumber, F_NAMEEQ, NameGetDatum(&wanted));
	scan = systable_beginscan(policies, pa_catalog_relation("policy_name_open"), true, NULL, 1, &key);
	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;

		/* without its index the scan finds closed ones too */
		found = heap_attisnull(tuple, closed_at, RelationGetDescr(policies));
		if (found)
			*unit = DatumGetInt64(heap_getattr(tuple, get_attnum(relid, "policy_id"), RelationGetDescr(policies), &isnull));
	}
	systable_endscan(scan);
	table_close(policies, AccessShareLock);
	return found;
}
