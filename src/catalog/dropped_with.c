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
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"

#include "catalog/dependencies.h"
#include "catalog/dropped_with.h"
#include "catalog/object_parts.h"

static void
add_relations_of(PaRelationSet *set, const ObjectAddress *object)
{
	ListCell   *cell;

	if (object->classId == RelationRelationId)
		pa_relation_set_add(set, object->objectId);
	foreach(cell, pa_relations_of_part(object->classId, object->objectId))
		pa_relation_set_add(set, lfirst_oid(cell));
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
