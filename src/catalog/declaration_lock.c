/*
 * declaration_lock.c
 *		Declarations against grants: neither sees what the other has not committed,
 *		so one of a table and a GRANT on it, or on a view over it, wait for each other.
 *
 * A lock per table: nobody waits for declarations of other tables.  A command that
 * grants on very many tables takes one lock for all instead, and waits for every
 * declaration that is under way.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "utils/array.h"

#include "catalog/charge_lock.h"

#define MANY 500

static void
lock(Oid relation, LOCKMODE mode)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, relation, PA_LOCK_DECLARATION);
	(void) LockAcquire(&tag, mode, false, false);
}

/* _hold_grants(relation): waits for grants that may concern the table and holds others back, until the transaction ends */
PG_FUNCTION_INFO_V1(pa_hold_grants);
PGDLLEXPORT Datum
pa_hold_grants(PG_FUNCTION_ARGS)
{
	lock(InvalidOid, RowExclusiveLock);
	lock(PG_GETARG_OID(0), ExclusiveLock);
	PG_RETURN_VOID();
}

/* _hold_declarations(relations): the other side; the relations in ascending order */
PG_FUNCTION_INFO_V1(pa_hold_declarations);
PGDLLEXPORT Datum
pa_hold_declarations(PG_FUNCTION_ARGS)
{
	Datum	   *relations;
	int			count;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), OIDOID, sizeof(Oid), true, TYPALIGN_INT, &relations, NULL, &count);
	if (count > MANY)
		lock(InvalidOid, ShareLock);
	for (int i = 0; i < count && count <= MANY; i++)
		lock(DatumGetObjectId(relations[i]), ShareLock);
	PG_RETURN_VOID();
}
