/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allowed_functions.c
 *		The SQL side of the allow list: what a query may use over protected rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/array.h"

#include "allow/allowlist.h"
#include "catalog/extension.h"

#define MOST_ARGUMENTS 8		/* as many as a bit mask of them has */

enum {COL_FUNCTION, COL_NULL_ON_ERROR, COL_CONSTANTS, COLUMNS};

/* Positions of the arguments, from 1. */
static ArrayType *
positions(int constants)
{
	Datum		position[MOST_ARGUMENTS];
	int			count = 0;

	for (int i = 0; i < MOST_ARGUMENTS; i++)
		if (constants & (1 << i))
			position[count++] = Int32GetDatum(i + 1);
	return construct_array(position, count, INT4OID, sizeof(int32), true, TYPALIGN_INT);
}

static void
put_function(ReturnSetInfo *result, Oid function)
{
	int			constants;
	PaFunctionClass class = pa_function_class(function, &constants);
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	if (class == PA_FUNCTION_REFUSED)
		return;
	values[COL_FUNCTION] = ObjectIdGetDatum(function);
	values[COL_NULL_ON_ERROR] = BoolGetDatum(class == PA_FUNCTION_PARTIAL);
	values[COL_CONSTANTS] = PointerGetDatum(positions(constants));
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* _allowed_functions() */
PG_FUNCTION_INFO_V1(pa_allowed_functions);
PGDLLEXPORT Datum
pa_allowed_functions(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			argument = FLOAT8OID;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; OidIsValid(pa_allowed_function(i)); i++)
		put_function(result, pa_allowed_function(i));
	put_function(result, pa_find_own_function("logistic", 1, &argument));
	return (Datum) 0;
}
