/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_change.c
 *		Commands that may change what the extension's script has made, or what its
 *		functions find by name.  Nearly all do not: for these nothing else is looked at.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/index.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_cast.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "catalog/dependencies.h"
#include "catalog/extension.h"
#include "catalog/object_parts.h"
#include "catalog/unconcerned.h"

/* --- what is found by name --- */

/* InvalidOid if the object has none, or is gone. */
static Oid
schema_of(Oid catalog, Oid object)
{
	int			cache = is_objectclass_supported(catalog) ? get_object_catcache_oid(catalog) : -1;
	AttrNumber	column = cache >= 0 ? get_object_attnum_namespace(catalog) : InvalidAttrNumber;
	HeapTuple	tuple = column != InvalidAttrNumber ? SearchSysCache1(cache, ObjectIdGetDatum(object)) : NULL;
	Oid			schema = InvalidOid;
	bool		isnull;

	if (HeapTupleIsValid(tuple))
	{
		schema = DatumGetObjectId(SysCacheGetAttr(cache, tuple, column, &isnull));
		ReleaseSysCache(tuple);
	}
	return schema;
}

/* A parent or a child of a table of the extension. */
static bool
is_kin_of_own(Oid relation)
{
	const ListCell *cell;

	foreach(cell, list_concat(find_inheritance_children(relation, NoLock), pa_parents(relation)))
		if (pa_is_own_object(RelationRelationId, lfirst_oid(cell)))
			return true;
	return false;
}

/* Under another name or in another schema, another one is found in the place of one of PostgreSQL's own. */
static bool
is_found_by_name(Oid catalog)
{
	return catalog == ProcedureRelationId || catalog == OperatorRelationId || catalog == TypeRelationId;
}

static bool
may_change_own(Oid catalog, Oid object)
{
	Oid			schema;

	if (catalog == RelationRelationId && is_kin_of_own(object))
		return true;
	if (object < FirstNormalObjectId)
		return is_found_by_name(catalog);
	if (catalog == CastRelationId || pa_is_own_object(catalog, object))
		return true;
	schema = schema_of(catalog, object);
	return OidIsValid(schema) && (schema == PG_CATALOG_NAMESPACE || schema == pa_schema());
}

/* Or an index. */
static bool
is_part_of_own(Oid catalog, Oid object)
{
	List	   *relations = pa_relations_of_part(catalog, object);
	ListCell   *cell;

	if (catalog == RelationRelationId && get_rel_relkind(object) == RELKIND_INDEX)
		relations = list_make1_oid(IndexGetRelation(object, true));
	foreach(cell, relations)
		if (may_change_own(RelationRelationId, lfirst_oid(cell)))
			return true;
	return false;
}

static void
look_at(void *arg, TupleTableSlot *slot)
{
	bool	   *found = arg;
	bool		nowhere;
	bool		isnull;
	Oid			catalog = DatumGetObjectId(slot_getattr(slot, PA_COMMAND_CLASS, &nowhere));
	Oid			object = DatumGetObjectId(slot_getattr(slot, PA_COMMAND_OBJECT, &isnull));

	if (!*found && !nowhere)
		*found = is_part_of_own(catalog, object) || may_change_own(catalog, object);
}

/*
 * _may_change_own(): for an event trigger of ddl_command_end, true if its commands are
 * about members of the extension, parts of its tables, or anything beside them.
 */
PG_FUNCTION_INFO_V1(pa_may_change_own);
PGDLLEXPORT Datum
pa_may_change_own(PG_FUNCTION_ARGS)
{
	bool		found = false;

	pa_each_command(look_at, &found);
	PG_RETURN_BOOL(found);
}
