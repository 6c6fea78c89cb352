/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foundation.c
 *		See foundation.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid_d.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "catalog/declaration_lock.h"
#include "catalog/dependencies.h"
#include "catalog/foundation.h"
#include "catalog/near.h"
#include "catalog/protected.h"
#include "catalog/unconcerned.h"

/* Objects that were reached; those that are still to be left from. */
typedef struct Climb
{
	HTAB	   *reached;
	List	   *open;
	List	   *tables;
} Climb;

static void
reach(Climb *climb, Oid class, Oid object)
{
	ObjectAddress address;
	bool		found;
	char		kind;

	ObjectAddressSet(address, class, object);
	hash_search(climb->reached, &address, HASH_ENTER, &found);
	if (found)
		return;
	climb->open = lappend(climb->open, memcpy(palloc(sizeof(address)), &address, sizeof(address)));
	if (class != RelationRelationId)
		return;
	kind = get_rel_relkind(object);
	if (kind == RELKIND_RELATION || kind == RELKIND_PARTITIONED_TABLE)
		climb->tables = lappend_oid(climb->tables, object);
}

/* An object is part of one of these if it goes with it. */
static bool
has_parts(Oid class)
{
	return class == RelationRelationId || class == TypeRelationId ||
		class == OperatorClassRelationId || class == OperatorFamilyRelationId;
}

/* What depends on the object (up), or what it is part of. */
static void
reach_from(Climb *climb, const ObjectAddress *at, bool up)
{
	Relation	rel = table_open(DependRelationId, AccessShareLock);
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	CHECK_FOR_INTERRUPTS();
	ScanKeyInit(&key[0], up ? Anum_pg_depend_refclassid : Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(at->classId));
	ScanKeyInit(&key[1], up ? Anum_pg_depend_refobjid : Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(at->objectId));
	scan = systable_beginscan(rel, up ? DependReferenceIndexId : DependDependerIndexId, true, NULL, 2, key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend form = (Form_pg_depend) GETSTRUCT(tuple);

		if (up)
			reach(climb, form->classid, form->objid);
		else if (form->deptype != DEPENDENCY_NORMAL && has_parts(form->refclassid))
			reach(climb, form->refclassid, form->refobjid);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
reach_parents(Climb *climb, const ObjectAddress *at)
{
	ListCell   *cell;

	if (at->classId == RelationRelationId)
		foreach(cell, pa_parents(at->objectId))
			reach(climb, RelationRelationId, lfirst_oid(cell));
}

List *
pa_tables_resting_on(const List *objects)
{
	HASHCTL		ctl = {.keysize = sizeof(ObjectAddress), .entrysize = sizeof(ObjectAddress), .hcxt = CurrentMemoryContext};
	Climb		climb = {.reached = hash_create("privacct objects", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT)};
	const ListCell *cell;

	InvalidateCatalogSnapshot();	/* what was committed while a lock was waited for is seen */
	foreach(cell, objects)
	{
		const ObjectAddress *object = lfirst(cell);

		reach(&climb, object->classId, object->objectId);
	}
	while (climb.open != NIL)
	{
		ObjectAddress *at = llast(climb.open);

		climb.open = list_delete_last(climb.open);
		reach_from(&climb, at, true);
		reach_from(&climb, at, false);
		reach_parents(&climb, at);
		pfree(at);
	}
	hash_destroy(climb.reached);
	return climb.tables;
}

List *
pa_protected_resting_on(const List *objects)
{
	List	   *roots = NIL;
	ListCell   *cell;

	if (!pa_policies_exist())
		return NIL;
	foreach(cell, pa_tables_resting_on(objects))
	{
		Oid			root = pa_protected_root(lfirst_oid(cell));

		if (OidIsValid(root))
			roots = list_append_unique_oid(roots, root);
	}
	return roots;
}

bool
pa_is_trusted_with(Oid role, Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	bool		trusted = true;

	if (HeapTupleIsValid(tuple))
	{
		trusted = has_privs_of_role(role, ((Form_pg_class) GETSTRUCT(tuple))->relowner) ||
			has_privs_of_role(role, ROLE_PG_DATABASE_OWNER);
		ReleaseSysCache(tuple);
	}
	return trusted;
}

/* --- for SQL --- */

/* What the commands of a statement are about. */
typedef struct Subject
{
	List	   *objects;		/* of ObjectAddress * */
	List	   *lockless;		/* those of them that can be changed while a table that rests on them is locked */
} Subject;

/* A command on a table, or a part of it, has locked that. */
static bool
locks_table(Oid class)
{
	return class == RelationRelationId || class == TriggerRelationId || class == RewriteRelationId ||
		class == PolicyRelationId || class == StatisticExtRelationId;
}

static void
add_object(void *arg, TupleTableSlot *slot)
{
	Subject    *subject = arg;
	bool		nowhere;
	bool		isnull;
	Oid			class = DatumGetObjectId(slot_getattr(slot, PA_COMMAND_CLASS, &nowhere));
	ObjectAddress *object;

	if (nowhere)
		return;
	object = palloc(sizeof(ObjectAddress));
	ObjectAddressSet(*object, class, DatumGetObjectId(slot_getattr(slot, PA_COMMAND_OBJECT, &isnull)));
	subject->objects = lappend(subject->objects, object);
	if (!locks_table(class))
		subject->lockless = lappend(subject->lockless, object);
}

/*
 * _resting(): the protected tables that may rest on what the commands of an event
 * trigger are about.  Declarations that would change this wait from now on.
 */
PG_FUNCTION_INFO_V1(pa_resting);
PGDLLEXPORT Datum
pa_resting(PG_FUNCTION_ARGS)
{
	Subject		subject = {0};
	List	   *tables;

	pa_each_command(add_object, &subject);
	do
		tables = pa_tables_resting_on(subject.lockless);
	while (tables != NIL && pa_hold_relations(tables, NIL));	/* what rests on them may have changed while this waited */
	PG_RETURN_ARRAYTYPE_P(pa_oid_array(pa_protected_resting_on(subject.objects)));
}
