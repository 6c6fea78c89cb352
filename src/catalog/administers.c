/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * administers.c
 *		Whose the books of a table are: views ask it of each policy.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/syscache.h"

/* InvalidOid if the table is gone. */
static Oid
owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

static bool
is_of_user(Oid owner)
{
	return superuser() || (SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(owner)) && has_privs_of_role(GetUserId(), owner));
}

/* _administers_books(relation, unit_owner): boolean */
PG_FUNCTION_INFO_V1(pa_administers_books);
PGDLLEXPORT Datum
pa_administers_books(PG_FUNCTION_ARGS)
{
	if (!PG_ARGISNULL(1))
		PG_RETURN_BOOL(is_of_user(PG_GETARG_OID(1)));
	PG_RETURN_BOOL(is_of_user(PG_ARGISNULL(0) ? InvalidOid : owner_of(PG_GETARG_OID(0))));
}
