/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_key.c
 *		See owner_key.h.
 */
#include "postgres.h"

#include "catalog/pg_namespace.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "catalog/owner_key.h"

bool
pa_owner_key_is(const char *name, Oid type)
{
	Oid			before = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(name), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));

	return pa_owner_key(before) != PA_OWNER_KEY_NONE && pa_owner_key(before) == pa_owner_key(type);
}

/* _owner_key_is(name, type) */
PG_FUNCTION_INFO_V1(pa_owner_key_is_sql);
PGDLLEXPORT Datum
pa_owner_key_is_sql(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(pa_owner_key_is(NameStr(*PG_GETARG_NAME(0)), PG_GETARG_OID(1)));
}
