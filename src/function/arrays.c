/*
 * arrays.c
 *		Arrays of numbers that a caller wrote by hand: checked, or refused.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "errors.h"
#include "function/arrays.h"

#define MOST_INTS 0x1000000

void
pa_arguments_refuse(const PaArguments *arguments, const char *detail)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_OPTION),
			errmsg("%s", arguments->message),
			errdetail("%s", detail),
			arguments->hint ? errhint("%s", arguments->hint) : 0);
}

static ArrayType *
array_of(const PaArguments *arguments, FunctionCallInfo fcinfo, int i, const char *name,
		 int least_dimensions, int most_dimensions, PaArray *array)
{
	ArrayType  *given;

	Assert(most_dimensions <= PA_ARRAY_DIMENSIONS);
	if (PG_ARGISNULL(i))
		pa_arguments_refuse(arguments, psprintf("%s is null.", name));
	given = PG_GETARG_ARRAYTYPE_P(i);
	*array = (PaArray) {.dimensions = ARR_NDIM(given)};
	if (array->dimensions < least_dimensions || array->dimensions > most_dimensions)
		pa_arguments_refuse(arguments, psprintf("%s does not have the required dimensions.", name));
	for (int d = 0; d < array->dimensions; d++)
		array->size[d] = ARR_DIMS(given)[d];
	array->length = ArrayGetNItems(ARR_NDIM(given), ARR_DIMS(given));
	return given;
}

const double *
pa_array_floats(const PaArguments *arguments, FunctionCallInfo fcinfo, int i, const char *name,
				int least_dimensions, int most_dimensions, PaArray *array)
{
	ArrayType  *given = array_of(arguments, fcinfo, i, name, least_dimensions, most_dimensions, array);

	if (array_contains_nulls(given))
		pa_arguments_refuse(arguments, psprintf("%s has nulls.", name));
	return (const double *) ARR_DATA_PTR(given);
}

const int *
pa_array_ints(const PaArguments *arguments, FunctionCallInfo fcinfo, int i, const char *name,
			  int least_dimensions, int most_dimensions, bool nulls, PaArray *array)
{
	ArrayType  *given = array_of(arguments, fcinfo, i, name, least_dimensions, most_dimensions, array);
	Datum	   *datums;
	bool	   *isnull;
	int			count;
	int		   *ints;

	if (!nulls && array_contains_nulls(given))
		pa_arguments_refuse(arguments, psprintf("%s has nulls.", name));
	if (array->length > MOST_INTS)
		pa_arguments_refuse(arguments, psprintf("%s is too large.", name));
	deconstruct_array(given, INT4OID, sizeof(int32), true, TYPALIGN_INT, &datums, &isnull, &count);
	ints = palloc(sizeof(int) * Max(count, 1));
	for (int n = 0; n < count; n++)
		ints[n] = isnull[n] ? 0 : DatumGetInt32(datums[n]);
	pfree(datums);
	pfree(isnull);
	return ints;
}
