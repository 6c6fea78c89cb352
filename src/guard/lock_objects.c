/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_objects.c
 *		Which relations a command may lock that names objects of other kinds.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/namespace.h"
#include "compat/rights.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/parse_type.h"
#include "storage/lmgr.h"
#include "utils/acl.h"

#include "catalog/dependencies.h"
#include "catalog/dropped_with.h"
#include "catalog/role_objects.h"
#include "guard/lock_reach.h"
#include "guard/named.h"

/* --- altered --- */

void
pa_reach_by_set_schema(PaRelationSet *reached, const AlterObjectSchemaStmt *statement)
{
	Oid			extension;

	pa_reach_owned_tree(reached, statement->relation);
	if (statement->objectType != OBJECT_EXTENSION)
		return;
	extension = get_extension_oid(strVal(statement->object), true);
	if (OidIsValid(extension) && pa_owns_object(ExtensionRelationId, extension, GetUserId()))
		pa_add_dropped_with(reached, ExtensionRelationId, extension);
}

void
pa_reach_by_domain(PaRelationSet *reached, const AlterDomainStmt *statement)
{
	Oid			type = LookupTypeNameOid(NULL, makeTypeNameFromNameList(statement->typeName), true);

	if (OidIsValid(type) && pa_owns_object(TypeRelationId, type, GetUserId()))
		pa_add_dropped_with(reached, TypeRelationId, type);
}

/* --- dropped --- */

static bool
is_relation(ObjectType type)
{
	return type == OBJECT_TABLE || type == OBJECT_VIEW || type == OBJECT_MATVIEW ||
		type == OBJECT_INDEX || type == OBJECT_SEQUENCE || type == OBJECT_FOREIGN_TABLE;
}

/* A partition takes its parent's lock, and that of the default partition. */
static void
reach_dropped_relation(PaRelationSet *reached, List *names)
{
	Oid			relation = pa_relation_of(makeRangeVarFromNameList(names));
	ListCell   *cell;

	if (!pa_may_drop(relation))
		return;
	pa_reach_all_of(reached, relation);
	foreach(cell, pa_parents(relation))
		pa_reach_tree(reached, lfirst_oid(cell));
}

/* Found, and its owner looked at, as PostgreSQL does; but the object is not kept locked, and never alone. */
static ObjectAddress
find_dropped(ObjectType type, Node *object)
{
	Relation	relation = NULL;
	ObjectAddress address = get_object_address(type, object, &relation, AccessShareLock, true);
	Oid			schema;

	if (!OidIsValid(address.objectId))
		return address;
	schema = get_object_namespace(&address);
	if (!OidIsValid(schema) || !pa_owns_object(NamespaceRelationId, schema, GetUserId()))
		check_object_ownership(GetUserId(), type, address, object, relation);
	if (relation)
		table_close(relation, AccessShareLock);
	UnlockDatabaseObject(address.classId, address.objectId, 0, AccessShareLock);
	return address;
}

void
pa_reach_by_drop(PaRelationSet *reached, const DropStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->objects)
	{
		ObjectAddress address;

		if (is_relation(statement->removeType))
		{
			reach_dropped_relation(reached, castNode(List, lfirst(cell)));
			continue;
		}
		address = find_dropped(statement->removeType, lfirst(cell));
		if (OidIsValid(address.objectId))
			pa_add_dropped_with(reached, address.classId, address.objectId);
	}
}

/* Temporary tables go, and whatever is made of temporary types and functions. */
void
pa_reach_by_discard(PaRelationSet *reached, const DiscardStmt *statement)
{
	Oid			schema = LookupExplicitNamespace("pg_temp", true);

	if (OidIsValid(schema) && (statement->target == DISCARD_ALL || statement->target == DISCARD_TEMP))
		pa_add_dropped_with(reached, NamespaceRelationId, schema);
}

/* --- what belongs to roles, or speaks of them --- */

/* Those whose objects the user may drop; if there is another among them, PostgreSQL refuses. */
static List *
roles_of(const List *names)
{
	List	   *roles = NIL;
	const ListCell *cell;

	foreach(cell, names)
	{
		Oid			role = get_rolespec_oid(lfirst(cell), true);

		if (OidIsValid(role) && has_privs_of_role(GetUserId(), role))
			roles = lappend_oid(roles, role);
	}
	return roles;
}

/* A policy of row security that names the role is taken from its table. */
void
pa_reach_by_drop_owned(PaRelationSet *reached, const DropOwnedStmt *statement)
{
	ListCell   *cell;
	ListCell   *object;

	foreach(cell, roles_of(statement->roles))
		foreach(object, pa_objects_of_role(lfirst_oid(cell)))
		{
			const ObjectAddress *address = lfirst(object);

			pa_add_dropped_with(reached, address->classId, address->objectId);
		}
}

void
pa_reach_by_reassign(PaRelationSet *reached, const ReassignOwnedStmt *statement)
{
	ListCell   *cell;
	ListCell   *object;

	foreach(cell, roles_of(statement->roles))
		foreach(object, pa_objects_of_role(lfirst_oid(cell)))
		{
			const ObjectAddress *address = lfirst(object);

			if (address->classId == RelationRelationId)
				pa_reach_tree(reached, address->objectId);
		}
}
