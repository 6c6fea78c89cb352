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
#include "catalog/pg_class.h"
#include "catalog/pg_shdepend.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"

#include "catalog/role_objects.h"

typedef void (*DependencyVisitor) (void *arg, const FormData_pg_shdepend *form);

/* What depends on the role, in all databases. */
static void
each_dependency(Oid role, DependencyVisitor visit, void *arg)
{
	Relation	rel = table_open(SharedDependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_shdepend_refclassid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(AuthIdRelationId));
	ScanKeyInit(&key[1], Anum_pg_shdepend_refobjid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(role));
	scan = systable_beginscan(rel, SharedDependReferenceIndexId, true, NULL, lengthof(key), key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		visit(arg, (Form_pg_shdepend) GETSTRUCT(tuple));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
take_object(void *arg, const FormData_pg_shdepend *form)
{
	List	  **found = arg;
	ObjectAddress *address;

	if (form->dbid != MyDatabaseId ||
		(form->deptype != SHARED_DEPENDENCY_OWNER && form->deptype != SHARED_DEPENDENCY_POLICY))
		return;
	address = palloc(sizeof(ObjectAddress));
	ObjectAddressSet(*address, form->classid, form->objid);
	*found = lappend(*found, address);
}

List *
pa_objects_of_role(Oid role)
{
	List	   *found = NIL;

	each_dependency(role, take_object, &found);
	return found;
}

static void
take_usable_table(void *arg, const FormData_pg_shdepend *form)
{
	List	  **found = arg;

	if (form->dbid == MyDatabaseId && form->classid == RelationRelationId && form->deptype == SHARED_DEPENDENCY_ACL)
		*found = list_append_unique_oid(*found, form->objid);
}

List *
pa_tables_usable_by(Oid role)
{
	List	   *found = NIL;

	each_dependency(role, take_usable_table, &found);
	return found;
}

typedef struct PrivilegeSearch
{
	Oid			database;
	Oid			catalog;
	bool		found;
} PrivilegeSearch;

static void
look_for_privilege(void *arg, const FormData_pg_shdepend *form)
{
	PrivilegeSearch *search = arg;

	if (form->dbid == search->database && form->classid == search->catalog && form->deptype == SHARED_DEPENDENCY_ACL)
		search->found = true;
}

bool
pa_role_may_use(Oid role, Oid database, Oid catalog)
{
	PrivilegeSearch search = {database, catalog, false};

	each_dependency(role, look_for_privilege, &search);
	return search.found;
}
