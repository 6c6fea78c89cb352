/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * total_number.c
 *		Arithmetic that yields NULL where the built-in raises an error.
 *
 * These functions stand in for the built-in ones inside a guarded block: an
 * error that depends on a row would tell something about that row for free.
 * NULL is not counted by any aggregate and satisfies no condition.  Where a
 * built-in reports floating-point underflow, the answer is the rounded one.
 */
#include "postgres.h"

#include <math.h>

#include "common/int.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "compat.h"
#include "size_limits.h"

/* --- integers: name, result type, left and right argument, overflow check --- */

#define INTEGER_OPERATION(name, result, left, right, overflows) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	result		value; \
\
	if (overflows((result) PG_GETARG_##left(0), (result) PG_GETARG_##right(1), &value)) \
		PG_RETURN_NULL(); \
	return PA_DATUM_##result(value); \
}

#define PA_DATUM_int16(v) Int16GetDatum(v)
#define PA_DATUM_int32(v) Int32GetDatum(v)
#define PA_DATUM_int64(v) Int64GetDatum(v)

/* division overflows for zero and for the most negative number by -1 */
#define DIVISION(bits, least) \
static inline bool \
pg_div_s##bits##_overflow(int##bits a, int##bits b, int##bits *result) \
{ \
	if (b == 0 || (b == -1 && a == least)) \
		return true; \
	*result = a / b; \
	return false; \
} \
static inline bool \
pg_mod_s##bits##_overflow(int##bits a, int##bits b, int##bits *result) \
{ \
	if (b == 0) \
		return true; \
	*result = b == -1 ? 0 : a % b; \
	return false; \
}
DIVISION(16, PG_INT16_MIN)
DIVISION(32, PG_INT32_MIN)
DIVISION(64, PG_INT64_MIN)

#define FOUR_OPERATIONS(prefix, bits, left, right) \
	INTEGER_OPERATION(prefix##pl, int##bits, left, right, pg_add_s##bits##_overflow) \
	INTEGER_OPERATION(prefix##mi, int##bits, left, right, pg_sub_s##bits##_overflow) \
	INTEGER_OPERATION(prefix##mul, int##bits, left, right, pg_mul_s##bits##_overflow) \
	INTEGER_OPERATION(prefix##div, int##bits, left, right, pg_div_s##bits##_overflow)

FOUR_OPERATIONS(int2, 16, INT16, INT16)
FOUR_OPERATIONS(int24, 32, INT16, INT32)
FOUR_OPERATIONS(int28, 64, INT16, INT64)
FOUR_OPERATIONS(int42, 32, INT32, INT16)
FOUR_OPERATIONS(int4, 32, INT32, INT32)
FOUR_OPERATIONS(int48, 64, INT32, INT64)
FOUR_OPERATIONS(int82, 64, INT64, INT16)
FOUR_OPERATIONS(int84, 64, INT64, INT32)
FOUR_OPERATIONS(int8, 64, INT64, INT64)

INTEGER_OPERATION(int2mod, int16, INT16, INT16, pg_mod_s16_overflow)
INTEGER_OPERATION(int4mod, int32, INT32, INT32, pg_mod_s32_overflow)
INTEGER_OPERATION(int8mod, int64, INT64, INT64, pg_mod_s64_overflow)

/* negation and absolute value fail on the most negative number only */
#define INTEGER_SIGN(name, bits, least, expression) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	int##bits	value = PG_GETARG_INT##bits(0); \
\
	if (value == least) \
		PG_RETURN_NULL(); \
	PG_RETURN_INT##bits(expression); \
}

INTEGER_SIGN(int2um, 16, PG_INT16_MIN, -value)
INTEGER_SIGN(int4um, 32, PG_INT32_MIN, -value)
INTEGER_SIGN(int8um, 64, PG_INT64_MIN, -value)
INTEGER_SIGN(int2abs, 16, PG_INT16_MIN, value < 0 ? -value : value)
INTEGER_SIGN(int4abs, 32, PG_INT32_MIN, value < 0 ? -value : value)
INTEGER_SIGN(int8abs, 64, PG_INT64_MIN, value < 0 ? -value : value)

/* --- narrowing casts --- */

#define NARROWING(name, argument, bits, value_type, fits) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	value_type	value = PG_GETARG_##argument(0); \
\
	if (!(fits)) \
		PG_RETURN_NULL(); \
	PG_RETURN_INT##bits((int##bits) value); \
}

#define BETWEEN(bits) (value >= PG_INT##bits##_MIN && value <= PG_INT##bits##_MAX)

NARROWING(i4toi2, INT32, 16, int32, BETWEEN(16))
NARROWING(int82, INT64, 16, int64, BETWEEN(16))
NARROWING(int84, INT64, 32, int64, BETWEEN(32))

/* rounds to even as the built-in casts do; the limits are exact in double */
#define FLOAT_TO_INTEGER(name, argument, bits, lowest, above) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	double		value = rint((double) PG_GETARG_##argument(0)); \
\
	if (isnan(value) || value < lowest || value >= above) \
		PG_RETURN_NULL(); \
	PG_RETURN_INT##bits((int##bits) value); \
}

FLOAT_TO_INTEGER(ftoi2, FLOAT4, 16, -32768.0, 32768.0)
FLOAT_TO_INTEGER(ftoi4, FLOAT4, 32, -2147483648.0, 2147483648.0)
FLOAT_TO_INTEGER(ftoi8, FLOAT4, 64, -9223372036854775808.0, 9223372036854775808.0)
FLOAT_TO_INTEGER(dtoi2, FLOAT8, 16, -32768.0, 32768.0)
FLOAT_TO_INTEGER(dtoi4, FLOAT8, 32, -2147483648.0, 2147483648.0)
FLOAT_TO_INTEGER(dtoi8, FLOAT8, 64, -9223372036854775808.0, 9223372036854775808.0)

/* --- floating point: an infinite or undefined result of finite arguments is NULL --- */

#define FLOAT_OPERATION(name, result_type, left, right, operator) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	result_type value = (result_type) PG_GETARG_##left(0) operator (result_type) PG_GETARG_##right(1); \
\
	if (!isfinite(value)) \
		PG_RETURN_NULL(); \
	PA_RETURN_##result_type(value); \
}

#define PA_RETURN_float4(v) PG_RETURN_FLOAT4(v)
#define PA_RETURN_float8(v) PG_RETURN_FLOAT8(v)

#define FOUR_FLOAT_OPERATIONS(prefix, result_type, left, right) \
	FLOAT_OPERATION(prefix##pl, result_type, left, right, +) \
	FLOAT_OPERATION(prefix##mi, result_type, left, right, -) \
	FLOAT_OPERATION(prefix##mul, result_type, left, right, *) \
	FLOAT_OPERATION(prefix##div, result_type, left, right, /)

FOUR_FLOAT_OPERATIONS(float4, float4, FLOAT4, FLOAT4)
FOUR_FLOAT_OPERATIONS(float48, float8, FLOAT4, FLOAT8)
FOUR_FLOAT_OPERATIONS(float84, float8, FLOAT8, FLOAT4)
FOUR_FLOAT_OPERATIONS(float8, float8, FLOAT8, FLOAT8)

#define FLOAT_FUNCTION(name, expression) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	double		x = PG_GETARG_FLOAT8(0); \
	double		value = expression; \
\
	if (!isfinite(value)) \
		PG_RETURN_NULL(); \
	PG_RETURN_FLOAT8(value); \
}

FLOAT_FUNCTION(dexp, exp(x))
FLOAT_FUNCTION(dlog1, log(x))
FLOAT_FUNCTION(dlog10, log10(x))
FLOAT_FUNCTION(dsqrt, sqrt(x))
FLOAT_FUNCTION(dpow, pow(x, PG_GETARG_FLOAT8(1)))

/* built in since 18; twins are the same on all servers, so that pg_upgrade brings them */
FLOAT_FUNCTION(dgamma, tgamma(x))
FLOAT_FUNCTION(dlgamma, lgamma(x))

PG_FUNCTION_INFO_V1(pa_total_dtof);
PGDLLEXPORT Datum
pa_total_dtof(PG_FUNCTION_ARGS)
{
	float4		value = (float4) PG_GETARG_FLOAT8(0);

	if (!isfinite(value))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT4(value);
}

PG_FUNCTION_INFO_V1(pa_total_width_bucket_float8);
PGDLLEXPORT Datum
pa_total_width_bucket_float8(PG_FUNCTION_ARGS)
{
	double		value = PG_GETARG_FLOAT8(0);
	double		low = PG_GETARG_FLOAT8(1);
	double		high = PG_GETARG_FLOAT8(2);
	int32		count = PG_GETARG_INT32(3);

	if (isnan(value) || !isfinite(low) || !isfinite(high) || low == high ||
		!isfinite(high - low) || count <= 0 || count == PG_INT32_MAX)
		PG_RETURN_NULL();
	return DirectFunctionCall4(width_bucket_float8, Float8GetDatum(value), Float8GetDatum(low),
							   Float8GetDatum(high), Int32GetDatum(count));
}

/* --- numeric --- */

/*
 * No sum, product, quotient or rounding of such numbers overflows, or takes long.
 * Every double that a constant may stand for is among them.
 */
#define SHORT(n) pa_numeric_within(PG_GETARG_DATUM(n), 400, 400)

/*
 * Numeric to binary: through the double nearest to it, which is infinite where
 * the value does not fit; integers are then taken from the exact numeric.
 */
static double
numeric_as_double(FunctionCallInfo fcinfo)
{
	return SHORT(0) ? pa_numeric_to_double(PG_GETARG_DATUM(0)) : NAN;
}

#define NUMERIC_OPERATION(name) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	bool		failed = false; \
	Numeric		value; \
\
	if (!SHORT(0) || !SHORT(1)) \
		PG_RETURN_NULL(); \
	value = name##_opt_error(PG_GETARG_NUMERIC(0), PG_GETARG_NUMERIC(1), &failed); \
\
	if (failed) \
		PG_RETURN_NULL(); \
	PG_RETURN_NUMERIC(value); \
}

NUMERIC_OPERATION(numeric_add)
NUMERIC_OPERATION(numeric_sub)
NUMERIC_OPERATION(numeric_mul)
NUMERIC_OPERATION(numeric_div)
NUMERIC_OPERATION(numeric_mod)

#define NUMERIC_ROUNDING(name) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	if (!SHORT(0)) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

NUMERIC_ROUNDING(numeric_ceil)
NUMERIC_ROUNDING(numeric_floor)

#define NUMERIC_WHOLE(name) \
PG_FUNCTION_INFO_V1(pa_total_##name##_whole); \
PGDLLEXPORT Datum \
pa_total_##name##_whole(PG_FUNCTION_ARGS) \
{ \
	if (!SHORT(0)) \
		PG_RETURN_NULL(); \
	return DirectFunctionCall2(name, PG_GETARG_DATUM(0), Int32GetDatum(0)); \
}

NUMERIC_WHOLE(numeric_round)
NUMERIC_WHOLE(numeric_trunc)

/* digits are free of columns */
#define NUMERIC_DIGITS(name) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	int32		digits = PG_GETARG_INT32(1); \
\
	if (digits < -PA_MAX_ROUNDING || digits > PA_MAX_ROUNDING || !SHORT(0)) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

NUMERIC_DIGITS(numeric_round)
NUMERIC_DIGITS(numeric_trunc)

PG_FUNCTION_INFO_V1(pa_total_numeric_float8);
PGDLLEXPORT Datum
pa_total_numeric_float8(PG_FUNCTION_ARGS)
{
	double		value = numeric_as_double(fcinfo);

	if (!isfinite(value))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(value);
}

PG_FUNCTION_INFO_V1(pa_total_numeric_float4);
PGDLLEXPORT Datum
pa_total_numeric_float4(PG_FUNCTION_ARGS)
{
	float4		value = (float4) numeric_as_double(fcinfo);

	if (!isfinite(value))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT4(value);
}

/*
 * A double between these limits, which it cannot equal, is the nearest to a
 * numeric that rounds into the range of the type: conversion keeps order.  Of
 * int8 the last 512 numbers are left out, which share their double with 2^63.
 */
#define NUMERIC_TO_INTEGER(name, above, below) \
PG_FUNCTION_INFO_V1(pa_total_##name); \
PGDLLEXPORT Datum \
pa_total_##name(PG_FUNCTION_ARGS) \
{ \
	double		value = numeric_as_double(fcinfo); \
\
	if (!(value > above && value < below)) \
		PG_RETURN_NULL(); \
	return name(fcinfo); \
}

NUMERIC_TO_INTEGER(numeric_int2, -32768.5, 32767.5)
NUMERIC_TO_INTEGER(numeric_int4, -2147483648.5, 2147483647.5)
NUMERIC_TO_INTEGER(numeric_int8, -9223372036854775808.0, 9223372036854775808.0)

/* Between minus and plus ten to the power, both excluded. */
static bool
is_below_power(Datum value, int power)
{
	char		string[16];
	Datum		limit;

	snprintf(string, sizeof(string), "1e%d", power);
	limit = DirectFunctionCall3(numeric_in, CStringGetDatum(string), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	return DatumGetBool(DirectFunctionCall2(numeric_lt, DirectFunctionCall1(numeric_abs, value), limit));
}

/*
 * Rounded to as many digits as the type says, and within it.  Precision and scale
 * are free of columns.
 */
PG_FUNCTION_INFO_V1(pa_total_numeric);
PGDLLEXPORT Datum
pa_total_numeric(PG_FUNCTION_ARGS)
{
	int32		modifier = PG_GETARG_INT32(1) - (int32) VARHDRSZ;
	int			precision = (modifier >> 16) & 0xffff;
	int			scale = ((modifier & 0x7ff) ^ 1024) - 1024;
	Datum		rounded;

	if (!SHORT(0))
		PG_RETURN_NULL();
	if (modifier < 0)
		return numeric(fcinfo);	/* of no precision */
	if (abs(scale) > PA_MAX_ROUNDING || precision - scale > PA_MAX_DIGITS_BEFORE)
		PG_RETURN_NULL();
	rounded = DirectFunctionCall2(numeric_round, PG_GETARG_DATUM(0), Int32GetDatum(scale));
	if (!is_below_power(rounded, precision - scale))
		PG_RETURN_NULL();
	return numeric(fcinfo);
}
