/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dropped_with.c
 *		See dropped_with.h.
 *
 * What depends on a column counts as depending on its table: that is more than
 * PostgreSQL would drop, never less.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_trigger.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"

#include "catalog/dependencies.h"
#include "catalog/dropped_with.h"

/* --- parts of relations --- */

static Oid
constraint_table(HeapTuple tuple)
{
	return ((Form_pg_constraint) GETSTRUCT(tuple))->conrelid;
}

static Oid
constraint_referenced(HeapTuple tuple)
{
	return ((Form_pg_constraint) GETSTRUCT(tuple))->confrelid;
}

static Oid
trigger_table(HeapTuple tuple)
{
	return ((Form_pg_trigger) GETSTRUCT(tuple))->tgrelid;
}

static Oid
default_table(HeapTuple tuple)
{
	return ((Form_pg_attrdef) GETSTRUCT(tuple))->adrelid;
}

static Oid
rule_table(HeapTuple tuple)
{
	return ((Form_pg_rewrite) GETSTRUCT(tuple))->ev_class;
}

static Oid
policy_table(HeapTuple tuple)
{
	return ((Form_pg_policy) GETSTRUCT(tuple))->polrelid;
}

static Oid
statistics_table(HeapTuple tuple)
{
	return ((Form_pg_statistic_ext) GETSTRUCT(tuple))->stxrelid;
}

static const struct
{
	Oid			class;
	Oid			index;
	AttrNumber	oid;
	Oid			(*relation) (HeapTuple);
}			parts[] = {
	{ConstraintRelationId, ConstraintOidIndexId, Anum_pg_constraint_oid, constraint_table},
	{ConstraintRelationId, ConstraintOidIndexId, Anum_pg_constraint_oid, constraint_referenced},
	{TriggerRelationId, TriggerOidIndexId, Anum_pg_trigger_oid, trigger_table},
	{AttrDefaultRelationId, AttrDefaultOidIndexId, Anum_pg_attrdef_oid, default_table},
	{RewriteRelationId, RewriteOidIndexId, Anum_pg_rewrite_oid, rule_table},
	{PolicyRelationId, PolicyOidIndexId, Anum_pg_policy_oid, policy_table},
	{StatisticExtRelationId, StatisticExtOidIndexId, Anum_pg_statistic_ext_oid, statistics_table},
};

static void
add_relations_of(PaRelationSet *set, const ObjectAddress *object)
{
	if (object->classId == RelationRelationId)
		pa_relation_set_add(set, object->objectId);
	for (int i = 0; i < lengthof(parts); i++)
	{
		ListCell   *cell;

		if (parts[i].class != object->classId)
			continue;
		foreach(cell, pa_catalog_oids(parts[i].class, parts[i].index, parts[i].oid, object->objectId, parts[i].relation))
			if (OidIsValid(lfirst_oid(cell)))	/* constraints may be those of a domain, or no foreign keys */
				pa_relation_set_add(set, lfirst_oid(cell));
	}
}

/* --- dependencies --- */

typedef struct Found
{
	Oid			class;			/* hash key, with the next */
	Oid			object;
} Found;

typedef struct Search
{
	HTAB	   *found;
	List	   *open;			/* of ObjectAddress *: found, and not followed yet */
} Search;

static void
add_object(Search *search, Oid class, Oid object)
{
	Found		key = {class, object};
	ObjectAddress *address;
	bool		known;

	hash_search(search->found, &key, HASH_ENTER, &known);
	if (known)
		return;
	address = palloc(sizeof(ObjectAddress));
	ObjectAddressSet(*address, class, object);
	search->open = lappend(search->open, address);
}

/* What depends on the object (up), or what the object is a part of, which goes with it. */
static void
follow(Search *search, const ObjectAddress *object, bool up)
{
	Relation	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], up ? Anum_pg_depend_refclassid : Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(object->classId));
	ScanKeyInit(&key[1], up ? Anum_pg_depend_refobjid : Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(object->objectId));
	scan = systable_beginscan(rel, up ? DependReferenceIndexId : DependDependerIndexId, true, NULL, lengthof(key), key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (up)
			add_object(search, form->classid, form->objid);
		else if (form->deptype == DEPENDENCY_INTERNAL)
			add_object(search, form->refclassid, form->refobjid);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

void
pa_add_dropped_with(PaRelationSet *set, Oid class, Oid object)
{
	HASHCTL		ctl = {.keysize = sizeof(Found), .entrysize = sizeof(Found), .hcxt = CurrentMemoryContext};
	Search		search = {hash_create("privacct objects", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT), NIL};

	add_object(&search, class, object);
	while (search.open != NIL)
	{
		ObjectAddress *next = llast(search.open);

		CHECK_FOR_INTERRUPTS();
		search.open = list_delete_last(search.open);
		add_relations_of(set, next);
		follow(&search, next, true);
		follow(&search, next, false);
	}
	hash_destroy(search.found);
}
