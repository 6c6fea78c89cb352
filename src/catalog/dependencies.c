/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dependencies.c
 *		See dependencies.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_rewrite.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"

#include "catalog/dependencies.h"

List *
pa_catalog_oids(Oid catalog, Oid index, AttrNumber column, Oid value, Oid (*wanted) (HeapTuple))
{
	Relation	rel = table_open(catalog, AccessShareLock);
	List	   *found = NIL;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	CHECK_FOR_INTERRUPTS();
	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(value));
	scan = systable_beginscan(rel, index, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		found = lappend_oid(found, wanted(tuple));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

static Oid
inherits_parent(HeapTuple tuple)
{
	return ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent;
}

static Oid
inherits_child(HeapTuple tuple)
{
	return ((Form_pg_inherits) GETSTRUCT(tuple))->inhrelid;
}

static Oid
rule_oid(HeapTuple tuple)
{
	return ((Form_pg_rewrite) GETSTRUCT(tuple))->oid;
}

List *
pa_parents(Oid relation)
{
	return pa_catalog_oids(InheritsRelationId, InheritsRelidSeqnoIndexId, Anum_pg_inherits_inhrelid, relation, inherits_parent);
}

List *
pa_children(Oid relation)
{
	return pa_catalog_oids(InheritsRelationId, InheritsParentIndexId, Anum_pg_inherits_inhparent, relation, inherits_child);
}

List *
pa_rules_of(Oid relation)
{
	return pa_catalog_oids(RewriteRelationId, RewriteRelRulenameIndexId, Anum_pg_rewrite_ev_class, relation, rule_oid);
}

List *
pa_dependencies(Oid class, Oid object, bool up, Oid other, bool owned)
{
	Relation	rel = table_open(DependRelationId, AccessShareLock);
	List	   *found = NIL;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	CHECK_FOR_INTERRUPTS();
	ScanKeyInit(&key[0], up ? Anum_pg_depend_refclassid : Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(class));
	ScanKeyInit(&key[1], up ? Anum_pg_depend_refobjid : Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(object));
	scan = systable_beginscan(rel, up ? DependReferenceIndexId : DependDependerIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if ((up ? form->classid : form->refclassid) == other &&
			(!owned || form->deptype == DEPENDENCY_AUTO || form->deptype == DEPENDENCY_INTERNAL))
			found = list_append_unique_oid(found, up ? form->objid : form->refobjid);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}
