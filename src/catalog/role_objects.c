/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * role_objects.c
 *		See role_objects.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_shdepend.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"

#include "catalog/role_objects.h"

List *
pa_objects_of_role(Oid role)
{
	Relation	rel = table_open(SharedDependRelationId, AccessShareLock);
	List	   *found = NIL;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_shdepend_refclassid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(AuthIdRelationId));
	ScanKeyInit(&key[1], Anum_pg_shdepend_refobjid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(role));
	scan = systable_beginscan(rel, SharedDependReferenceIndexId, true, NULL, lengthof(key), key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_shdepend form = (Form_pg_shdepend) GETSTRUCT(tuple);
		ObjectAddress *address;

		if (form->dbid != MyDatabaseId ||
			(form->deptype != SHARED_DEPENDENCY_OWNER && form->deptype != SHARED_DEPENDENCY_POLICY))
			continue;
		address = palloc(sizeof(ObjectAddress));
		ObjectAddressSet(*address, form->classid, form->objid);
		found = lappend(found, address);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}
