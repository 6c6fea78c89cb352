/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * granted.c
 *		What a GRANT is about, which pg_event_trigger_ddl_commands() does not tell SQL.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "tcop/deparse_utility.h"
#include "utils/array.h"

#include "catalog/granted.h"
#include "catalog/near.h"

Oid
pa_catalog_of(ObjectType type)
{
	switch (type)
	{
		case OBJECT_TABLE:
		case OBJECT_SEQUENCE:
			return RelationRelationId;
		case OBJECT_FUNCTION:
		case OBJECT_PROCEDURE:
		case OBJECT_ROUTINE:
			return ProcedureRelationId;
		case OBJECT_SCHEMA:
			return NamespaceRelationId;
		default:
			return InvalidOid;
	}
}

/* _granted(command, catalog): the OIDs of the objects of a GRANT; empty if they are in another catalog, and for other commands */
PG_FUNCTION_INFO_V1(pa_granted);
PGDLLEXPORT Datum
pa_granted(PG_FUNCTION_ARGS)
{
	CollectedCommand *command = (CollectedCommand *) PG_GETARG_POINTER(0);
	List	   *objects = NIL;

	if (command->type == SCT_Grant && pa_catalog_of(command->d.grant.istmt->objtype) == PG_GETARG_OID(1))
		objects = command->d.grant.istmt->objects;
	PG_RETURN_ARRAYTYPE_P(pa_oid_array(objects));
}
