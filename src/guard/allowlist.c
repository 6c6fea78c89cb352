/*
 * allowlist.c
 *		What may be evaluated on protected rows, by OID.
 *
 * Three lists, all of built-in functions (operators are judged by the function
 * behind them), none of them volatile or able to run queries:
 *	 total		raises no error on any argument
 *	 partial	may raise one; evaluated by its total twin in schema privacct,
 *				which yields NULL where the built-in raises an error
 *	 everything else is refused
 * The one function that is not built in, privacct.logistic, is total.
 * Some arguments of partial functions must not depend on a row (units, formats,
 * patterns): their positions are a bit mask.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/namespace.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "catalog/policy.h"
#include "guard/allowlist.h"

#define TWIN_PREFIX "total_"

static const Oid total_functions[] = {
	F_ABS_FLOAT4, F_ABS_FLOAT8, F_ABS_NUMERIC, F_BOOLEQ, F_BOOLGE, F_BOOLGT, F_BOOLLE, F_BOOLLT,
	F_BOOLNE, F_BOOL_INT4, F_BPCHAREQ, F_BPCHARGE, F_BPCHARGT, F_BPCHARLE, F_BPCHARLT, F_BPCHARNE,
	F_BTRIM_TEXT, F_BTRIM_TEXT_TEXT, F_CBRT, F_CEILING_FLOAT8, F_CEIL_FLOAT8,
	F_CHARACTER_LENGTH_BPCHAR, F_CHARACTER_LENGTH_TEXT, F_CHAR_LENGTH_BPCHAR, F_CHAR_LENGTH_TEXT,
	F_DATE_EQ, F_DATE_EQ_TIMESTAMP, F_DATE_EQ_TIMESTAMPTZ, F_DATE_GE, F_DATE_GE_TIMESTAMP,
	F_DATE_GE_TIMESTAMPTZ, F_DATE_GT, F_DATE_GT_TIMESTAMP, F_DATE_GT_TIMESTAMPTZ, F_DATE_LE,
	F_DATE_LE_TIMESTAMP, F_DATE_LE_TIMESTAMPTZ, F_DATE_LT, F_DATE_LT_TIMESTAMP,
	F_DATE_LT_TIMESTAMPTZ, F_DATE_NE, F_DATE_NE_TIMESTAMP, F_DATE_NE_TIMESTAMPTZ, F_DCBRT,
	F_DROUND, F_DTRUNC, F_ENUM_EQ, F_ENUM_NE, F_FLOAT48EQ, F_FLOAT48GE, F_FLOAT48GT, F_FLOAT48LE,
	F_FLOAT48LT, F_FLOAT48NE, F_FLOAT4ABS, F_FLOAT4EQ, F_FLOAT4GE, F_FLOAT4GT, F_FLOAT4LE,
	F_FLOAT4LT, F_FLOAT4NE, F_FLOAT4UM, F_FLOAT4UP, F_FLOAT4_INT2, F_FLOAT4_INT4, F_FLOAT4_INT8,
	F_FLOAT84EQ, F_FLOAT84GE, F_FLOAT84GT, F_FLOAT84LE, F_FLOAT84LT, F_FLOAT84NE, F_FLOAT8ABS,
	F_FLOAT8EQ, F_FLOAT8GE, F_FLOAT8GT, F_FLOAT8LE, F_FLOAT8LT, F_FLOAT8NE, F_FLOAT8UM, F_FLOAT8UP,
	F_FLOAT8_FLOAT4, F_FLOAT8_INT2, F_FLOAT8_INT4, F_FLOAT8_INT8, F_FLOOR_FLOAT8, F_INT24EQ,
	F_INT24GE, F_INT24GT, F_INT24LE, F_INT24LT, F_INT24NE, F_INT28EQ, F_INT28GE, F_INT28GT,
	F_INT28LE, F_INT28LT, F_INT28NE, F_INT2AND, F_INT2EQ, F_INT2GE, F_INT2GT, F_INT2LE, F_INT2LT,
	F_INT2NE, F_INT2NOT, F_INT2OR, F_INT2UP, F_INT2XOR, F_INT42EQ, F_INT42GE, F_INT42GT, F_INT42LE,
	F_INT42LT, F_INT42NE, F_INT48EQ, F_INT48GE, F_INT48GT, F_INT48LE, F_INT48LT, F_INT48NE,
	F_INT4AND, F_INT4EQ, F_INT4GE, F_INT4GT, F_INT4LE, F_INT4LT, F_INT4NE, F_INT4NOT, F_INT4OR,
	F_INT4UP, F_INT4XOR, F_INT4_BOOL, F_INT4_INT2, F_INT82EQ, F_INT82GE, F_INT82GT, F_INT82LE,
	F_INT82LT, F_INT82NE, F_INT84EQ, F_INT84GE, F_INT84GT, F_INT84LE, F_INT84LT, F_INT84NE,
	F_INT8AND, F_INT8EQ, F_INT8GE, F_INT8GT, F_INT8LE, F_INT8LT, F_INT8NE, F_INT8NOT, F_INT8OR,
	F_INT8UP, F_INT8XOR, F_INT8_INT2, F_INT8_INT4, F_INTERVAL_EQ, F_INTERVAL_GE, F_INTERVAL_GT,
	F_INTERVAL_LE, F_INTERVAL_LT, F_INTERVAL_NE, F_ISFINITE_DATE, F_ISFINITE_INTERVAL,
	F_ISFINITE_TIMESTAMP, F_ISFINITE_TIMESTAMPTZ, F_LEFT, F_LENGTH_BPCHAR, F_LENGTH_TEXT,
	F_LTRIM_TEXT, F_LTRIM_TEXT_TEXT, F_NOW, F_NUMERIC_ABS, F_NUMERIC_EQ, F_NUMERIC_FLOAT4,
	F_NUMERIC_FLOAT8, F_NUMERIC_GE, F_NUMERIC_GT, F_NUMERIC_INT2, F_NUMERIC_INT4, F_NUMERIC_INT8,
	F_NUMERIC_LE, F_NUMERIC_LT, F_NUMERIC_NE, F_NUMERIC_UMINUS, F_NUMERIC_UPLUS,
	F_OCTET_LENGTH_BPCHAR, F_OCTET_LENGTH_TEXT, F_PI, F_POSITION_TEXT_TEXT, F_RIGHT,
	F_ROUND_FLOAT8, F_RTRIM_TEXT, F_RTRIM_TEXT_TEXT, F_SIGN_FLOAT8, F_SIGN_NUMERIC, F_STARTS_WITH,
	F_STATEMENT_TIMESTAMP, F_STRPOS, F_SUBSTRING_TEXT_INT4, F_SUBSTR_TEXT_INT4, F_TEXTEQ,
	F_TEXTLEN, F_TEXTNE, F_TEXT_BOOL, F_TEXT_BPCHAR, F_TEXT_GE, F_TEXT_GT, F_TEXT_LE, F_TEXT_LT,
	F_TIMESTAMPTZ_EQ, F_TIMESTAMPTZ_EQ_DATE, F_TIMESTAMPTZ_EQ_TIMESTAMP, F_TIMESTAMPTZ_GE,
	F_TIMESTAMPTZ_GE_DATE, F_TIMESTAMPTZ_GE_TIMESTAMP, F_TIMESTAMPTZ_GT, F_TIMESTAMPTZ_GT_DATE,
	F_TIMESTAMPTZ_GT_TIMESTAMP, F_TIMESTAMPTZ_LE, F_TIMESTAMPTZ_LE_DATE,
	F_TIMESTAMPTZ_LE_TIMESTAMP, F_TIMESTAMPTZ_LT, F_TIMESTAMPTZ_LT_DATE,
	F_TIMESTAMPTZ_LT_TIMESTAMP, F_TIMESTAMPTZ_NE, F_TIMESTAMPTZ_NE_DATE,
	F_TIMESTAMPTZ_NE_TIMESTAMP, F_TIMESTAMP_EQ, F_TIMESTAMP_EQ_DATE, F_TIMESTAMP_EQ_TIMESTAMPTZ,
	F_TIMESTAMP_GE, F_TIMESTAMP_GE_DATE, F_TIMESTAMP_GE_TIMESTAMPTZ, F_TIMESTAMP_GT,
	F_TIMESTAMP_GT_DATE, F_TIMESTAMP_GT_TIMESTAMPTZ, F_TIMESTAMP_LE, F_TIMESTAMP_LE_DATE,
	F_TIMESTAMP_LE_TIMESTAMPTZ, F_TIMESTAMP_LT, F_TIMESTAMP_LT_DATE, F_TIMESTAMP_LT_TIMESTAMPTZ,
	F_TIMESTAMP_NE, F_TIMESTAMP_NE_DATE, F_TIMESTAMP_NE_TIMESTAMPTZ, F_TIME_EQ, F_TIME_GE,
	F_TIME_GT, F_TIME_LE, F_TIME_LT, F_TIME_NE, F_TIME_TIMESTAMP, F_TRANSACTION_TIMESTAMP,
	F_TRUNC_FLOAT8, F_UUID_EQ, F_UUID_GE, F_UUID_GT, F_UUID_LE, F_UUID_LT, F_UUID_NE
};

/* .constants: bit i set: argument i must be free of columns */
static const struct PartialFunction
{
	Oid			function;
	uint8		constants;
}			partial_functions[] = {
	{F_ABS_INT2, 0}, {F_ABS_INT4, 0}, {F_ABS_INT8, 0}, {F_BPCHARICLIKE, 2}, {F_BPCHARICNLIKE, 2},
	{F_BPCHARLIKE, 2}, {F_BPCHARNLIKE, 2}, {F_CEILING_NUMERIC, 0}, {F_CEIL_NUMERIC, 0},
	{F_DATE_MI, 0}, {F_DATE_MII, 0}, {F_DATE_MI_INTERVAL, 0}, {F_DATE_PART_TEXT_DATE, 1},
	{F_DATE_PART_TEXT_INTERVAL, 1}, {F_DATE_PART_TEXT_TIME, 1}, {F_DATE_PART_TEXT_TIMESTAMP, 1},
	{F_DATE_PART_TEXT_TIMESTAMPTZ, 1}, {F_DATE_PLI, 0}, {F_DATE_PL_INTERVAL, 0},
	{F_DATE_TIMESTAMP, 0}, {F_DATE_TIMESTAMPTZ, 0}, {F_DATE_TRUNC_TEXT_INTERVAL, 1},
	{F_DATE_TRUNC_TEXT_TIMESTAMP, 1}, {F_DATE_TRUNC_TEXT_TIMESTAMPTZ, 1}, {F_DEXP, 0},
	{F_DLOG1, 0}, {F_DLOG10, 0}, {F_DPOW, 0}, {F_DSQRT, 0}, {F_EXP_FLOAT8, 0},
	{F_EXTRACT_TEXT_DATE, 1}, {F_EXTRACT_TEXT_INTERVAL, 1}, {F_EXTRACT_TEXT_TIME, 1},
	{F_EXTRACT_TEXT_TIMESTAMP, 1}, {F_EXTRACT_TEXT_TIMESTAMPTZ, 1}, {F_FLOAT48DIV, 0},
	{F_FLOAT48MI, 0}, {F_FLOAT48MUL, 0}, {F_FLOAT48PL, 0}, {F_FLOAT4DIV, 0}, {F_FLOAT4MI, 0},
	{F_FLOAT4MUL, 0}, {F_FLOAT4PL, 0}, {F_FLOAT4_FLOAT8, 0}, {F_FLOAT4_NUMERIC, 0},
	{F_FLOAT84DIV, 0}, {F_FLOAT84MI, 0}, {F_FLOAT84MUL, 0}, {F_FLOAT84PL, 0}, {F_FLOAT8DIV, 0},
	{F_FLOAT8MI, 0}, {F_FLOAT8MUL, 0}, {F_FLOAT8PL, 0}, {F_FLOAT8_NUMERIC, 0},
	{F_FLOOR_NUMERIC, 0}, {F_INITCAP, 0}, {F_INT24DIV, 0}, {F_INT24MI, 0}, {F_INT24MUL, 0},
	{F_INT24PL, 0}, {F_INT28DIV, 0}, {F_INT28MI, 0}, {F_INT28MUL, 0}, {F_INT28PL, 0},
	{F_INT2ABS, 0}, {F_INT2DIV, 0}, {F_INT2MI, 0}, {F_INT2MOD, 0}, {F_INT2MUL, 0}, {F_INT2PL, 0},
	{F_INT2UM, 0}, {F_INT2_FLOAT4, 0}, {F_INT2_FLOAT8, 0}, {F_INT2_INT4, 0}, {F_INT2_INT8, 0},
	{F_INT2_NUMERIC, 0}, {F_INT42DIV, 0}, {F_INT42MI, 0}, {F_INT42MUL, 0}, {F_INT42PL, 0},
	{F_INT48DIV, 0}, {F_INT48MI, 0}, {F_INT48MUL, 0}, {F_INT48PL, 0}, {F_INT4ABS, 0},
	{F_INT4DIV, 0}, {F_INT4MI, 0}, {F_INT4MOD, 0}, {F_INT4MUL, 0}, {F_INT4PL, 0}, {F_INT4UM, 0},
	{F_INT4_FLOAT4, 0}, {F_INT4_FLOAT8, 0}, {F_INT4_INT8, 0}, {F_INT4_NUMERIC, 0}, {F_INT82DIV, 0},
	{F_INT82MI, 0}, {F_INT82MUL, 0}, {F_INT82PL, 0}, {F_INT84DIV, 0}, {F_INT84MI, 0},
	{F_INT84MUL, 0}, {F_INT84PL, 0}, {F_INT8ABS, 0}, {F_INT8DIV, 0}, {F_INT8MI, 0}, {F_INT8MOD, 0},
	{F_INT8MUL, 0}, {F_INT8PL, 0}, {F_INT8UM, 0}, {F_INT8_FLOAT4, 0}, {F_INT8_FLOAT8, 0},
	{F_INT8_NUMERIC, 0}, {F_INTEGER_PL_DATE, 0}, {F_INTERVAL_DIV, 0}, {F_INTERVAL_MI, 0},
	{F_INTERVAL_MUL, 0}, {F_INTERVAL_PL, 0}, {F_INTERVAL_PL_DATE, 0}, {F_INTERVAL_PL_TIMESTAMP, 0},
	{F_INTERVAL_PL_TIMESTAMPTZ, 0}, {F_INTERVAL_UM, 0}, {F_LIKE_TEXT_TEXT, 2}, {F_LN_FLOAT8, 0},
	{F_LOG10_FLOAT8, 0}, {F_LOG_FLOAT8, 0}, {F_LOWER_TEXT, 0}, {F_MD5_TEXT, 0},
	{F_MOD_INT2_INT2, 0}, {F_MOD_INT4_INT4, 0}, {F_MOD_INT8_INT8, 0}, {F_MOD_NUMERIC_NUMERIC, 0},
	{F_MUL_D_INTERVAL, 0}, {F_NOTLIKE_TEXT_TEXT, 2}, {F_NUMERIC_ADD, 0}, {F_NUMERIC_DIV, 0},
	{F_NUMERIC_MOD, 0}, {F_NUMERIC_MUL, 0}, {F_NUMERIC_SUB, 0}, {F_POWER_FLOAT8_FLOAT8, 0},
	{F_POW_FLOAT8_FLOAT8, 0}, {F_REVERSE, 0}, {F_ROUND_NUMERIC, 0}, {F_ROUND_NUMERIC_INT4, 2},
	{F_SPLIT_PART, 4}, {F_SQRT_FLOAT8, 0}, {F_SUBSTRING_TEXT_INT4_INT4, 0},
	{F_SUBSTR_TEXT_INT4_INT4, 0}, {F_TEXTCAT, 0}, {F_TEXTICLIKE, 2}, {F_TEXTICNLIKE, 2},
	{F_TEXTLIKE, 2}, {F_TEXTNLIKE, 2}, {F_TIMESTAMPTZ_DATE, 0}, {F_TIMESTAMPTZ_MI, 0},
	{F_TIMESTAMPTZ_MI_INTERVAL, 0}, {F_TIMESTAMPTZ_PL_INTERVAL, 0}, {F_TIMESTAMPTZ_TIMESTAMP, 0},
	{F_TIMESTAMP_DATE, 0}, {F_TIMESTAMP_MI, 0}, {F_TIMESTAMP_MI_INTERVAL, 0},
	{F_TIMESTAMP_PL_INTERVAL, 0}, {F_TIMESTAMP_TIMESTAMPTZ, 0}, {F_TO_CHAR_TIMESTAMPTZ_TEXT, 2},
	{F_TO_CHAR_TIMESTAMP_TEXT, 2}, {F_TRUNC_NUMERIC, 0}, {F_TRUNC_NUMERIC_INT4, 2},
	{F_UPPER_TEXT, 0}, {F_WIDTH_BUCKET_FLOAT8_FLOAT8_FLOAT8_INT4, 0}
};

static int
compare_oids(const void *a, const void *b)
{
	Oid			x = *(const Oid *) a;
	Oid			y = *(const Oid *) b;

	return (x > y) - (x < y);
}

/* The lists are written by name; sort them once by OID. */
static const Oid *
sorted_totals(void)
{
	static Oid	sorted[lengthof(total_functions)];
	static bool ready = false;

	if (!ready)
	{
		memcpy(sorted, total_functions, sizeof(total_functions));
		qsort(sorted, lengthof(sorted), sizeof(Oid), compare_oids);
		ready = true;
	}
	return sorted;
}

bool
pa_is_logistic(Oid function)
{
	Oid			argument = FLOAT8OID;

	return function >= FirstUnpinnedObjectId && function == pa_find_own_function("logistic", 1, &argument);
}

PaFunctionClass
pa_function_class(Oid function, int *constants)
{
	*constants = 0;
	if (bsearch(&function, sorted_totals(), lengthof(total_functions), sizeof(Oid), compare_oids))
		return PA_FUNCTION_TOTAL;
	for (int i = 0; i < lengthof(partial_functions); i++)
		if (partial_functions[i].function == function)
		{
			*constants = partial_functions[i].constants;
			return PA_FUNCTION_PARTIAL;
		}
	return pa_is_logistic(function) ? PA_FUNCTION_TOTAL : PA_FUNCTION_REFUSED;
}

Oid
pa_total_twin(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc proc;
	char		name[NAMEDATALEN];
	Oid			twin;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_FUNCTION),
				errmsg("function with OID %u does not exist", function));
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	snprintf(name, sizeof(name), TWIN_PREFIX "%s", NameStr(proc->proname));
	twin = pa_own_function(name, proc->pronargs, proc->proargtypes.values);
	ReleaseSysCache(tuple);
	return twin;
}

Oid
pa_built_in_of_twin(Oid function)
{
	HeapTuple	tuple;
	Form_pg_proc proc;
	Oid			built_in = InvalidOid;

	if (function < FirstUnpinnedObjectId)
		return function;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	if (pa_is_own_function(function) && strncmp(NameStr(proc->proname), TWIN_PREFIX, strlen(TWIN_PREFIX)) == 0)
		built_in = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
								   CStringGetDatum(NameStr(proc->proname) + strlen(TWIN_PREFIX)),
								   PointerGetDatum(&proc->proargtypes), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
	ReleaseSysCache(tuple);
	return built_in;
}

Oid
pa_parameter_function(Oid type)
{
	Oid			declared = OidIsValid(get_element_type(type)) ? ANYARRAYOID : type;

	return pa_own_function("total_parameter", 1, &declared);
}

bool
pa_type_allowed(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case TIMEOID:
		case INTERVALOID:
		case UUIDOID:
			return true;
		default:
			/* values of an enum are compared and printed by built-in code */
			return get_typtype(type) == TYPTYPE_ENUM;
	}
}
