/*
 * isolation.c
 *		See isolation.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "catalog/extension.h"
#include "catalog/isolation.h"
#include "errors.h"

void
pa_require_read_committed(void)
{
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("privacy policies can only be changed at isolation level READ COMMITTED"),
				errdetail("The snapshot of this transaction may not show what others have declared or granted."),
				errhint("Use BEGIN ISOLATION LEVEL READ COMMITTED."));
}

PG_FUNCTION_INFO_V1(pa_require_read_committed_sql);
PGDLLEXPORT Datum
pa_require_read_committed_sql(PG_FUNCTION_ARGS)
{
	pa_require_read_committed();
	PG_RETURN_VOID();
}

/*
 * _in_latest_snapshot(name, relations): calls our function of that name, which is
 * STABLE and so reads what the active snapshot shows, with the relations.  Its result
 * is a boolean, or void, which counts as false.
 */
PG_FUNCTION_INFO_V1(pa_in_latest_snapshot);
PGDLLEXPORT Datum
pa_in_latest_snapshot(PG_FUNCTION_ARGS)
{
	static const Oid arguments[] = {OIDARRAYOID};
	Oid			function = pa_own_function(text_to_cstring(PG_GETARG_TEXT_PP(0)), lengthof(arguments), arguments);
	Datum		result;

	PushActiveSnapshot(GetLatestSnapshot());
	result = OidFunctionCall1(function, PG_GETARG_DATUM(1));
	PopActiveSnapshot();
	PG_RETURN_BOOL(DatumGetBool(result));
}
