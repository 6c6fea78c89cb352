/*
 * granted.c
 *		What a GRANT is about, which pg_event_trigger_ddl_commands() does not tell SQL.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "tcop/deparse_utility.h"
#include "utils/array.h"

/* _granted(command): the OIDs of the relations of a GRANT; empty for other objects and commands */
PG_FUNCTION_INFO_V1(pa_granted);
PGDLLEXPORT Datum
pa_granted(PG_FUNCTION_ARGS)
{
	CollectedCommand *command = (CollectedCommand *) PG_GETARG_POINTER(0);
	List	   *relations = NIL;
	Datum	   *oids;
	int			n = 0;
	ListCell   *cell;

	if (command->type == SCT_Grant && command->d.grant.istmt->objtype == OBJECT_TABLE)
		relations = command->d.grant.istmt->objects;
	oids = palloc(sizeof(Datum) * Max(list_length(relations), 1));
	foreach(cell, relations)
		oids[n++] = ObjectIdGetDatum(lfirst_oid(cell));
	PG_RETURN_ARRAYTYPE_P(construct_array(oids, n, OIDOID, sizeof(Oid), true, TYPALIGN_INT));
}
