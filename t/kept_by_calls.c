/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kept_by_calls.c
 *		Calls functions as the first row would, and tells whether a call left something
 *		that the next one would find: t/024_first_row.pl compiles and loads it.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

PG_MODULE_MAGIC;

static Datum
read_argument(Oid type, char *string)
{
	Oid			input,
				parameter;

	getTypeInputInfo(type, &input, &parameter);
	return OidInputFunctionCall(input, string, parameter, -1);
}

static Size
used(MemoryContext context)
{
	MemoryContextCounters counters = {0};

	context->methods->stats(context, NULL, NULL, &counters, false);
	return counters.totalspace - counters.freespace;
}

/* The function's own context grows when it keeps anything that its FmgrInfo does not. */
static bool
keeps(FmgrInfo *function, FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "row", ALLOCSET_DEFAULT_SIZES);
	Size		before = used(context);
	MemoryContext caller = MemoryContextSwitchTo(row);

	(void) FunctionCallInvoke(fcinfo);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(row);
	return function->fn_extra != NULL || used(context) != before;
}

/* kept_by_call(function oid, types oid[], arguments text[]) */
PG_FUNCTION_INFO_V1(kept_by_call);
PGDLLEXPORT Datum
kept_by_call(PG_FUNCTION_ARGS)
{
	LOCAL_FCINFO(call, FUNC_MAX_ARGS);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "function", ALLOCSET_DEFAULT_SIZES);
	FmgrInfo	function;
	Datum	   *types,
			   *values;
	bool	   *nulls;
	int			ntypes,
				nvalues;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), OIDOID, sizeof(Oid), true, TYPALIGN_INT, &types, NULL, &ntypes);
	deconstruct_array(PG_GETARG_ARRAYTYPE_P(2), TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &nvalues);
	fmgr_info_cxt(PG_GETARG_OID(0), &function, context);
	InitFunctionCallInfoData(*call, &function, nvalues, DEFAULT_COLLATION_OID, NULL, NULL);
	for (int i = 0; i < nvalues; i++)
	{
		call->args[i].value = read_argument(DatumGetObjectId(types[i]), TextDatumGetCString(values[i]));
		call->args[i].isnull = false;
	}
	PG_RETURN_BOOL(keeps(&function, call, context));
}
