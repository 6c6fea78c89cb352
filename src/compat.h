/*
 * compat.h
 *		What depends on the version of PostgreSQL.
 *
 * Tested with 15.  16 moves the permissions of range-table entries and changes
 * the signature of ExecutorCheckPerms_hook; the guard is to be ported before
 * this check is widened.
 */
#ifndef PA_COMPAT_H
#define PA_COMPAT_H

#include "postgres.h"

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 160000
#error "this version of privacct is for PostgreSQL 15"
#endif

#include "utils/builtins.h"

/*
 * A numeric as the nearest double; infinite if it does not fit, NaN for NaN.
 *
 * Method: PostgreSQL offers the conversion through text only, which costs more
 * than all the rest of a row.  The stored form (the same since 9.1, and kept by
 * pg_upgrade) is a header of 16 bits, here of the short kind: bit 15 set, bit 14
 * clear, bit 13 the sign, bits 6 to 0 the weight in two's complement, then
 * digits of base 10000.  Up to four digits that make a whole number of at most
 * 2^53 are exact in double, so are the powers of 10000 up to the fifth, and one
 * product or quotient of exact numbers is rounded once: the result is the
 * nearest double, as from text.  Everything else goes through text.
 */
static inline double
pa_numeric_to_double(Datum numeric)
{
	static const double powers[] = {1, 1e4, 1e8, 1e12, 1e16, 1e20};
	struct varlena *stored = (struct varlena *) DatumGetPointer(numeric);
	uint16		header;
	int			ndigits;
	int			exponent;
	int64		whole = 0;

	if (VARATT_IS_EXTENDED(stored) && !VARATT_IS_SHORT(stored))
		return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, numeric));
	memcpy(&header, VARDATA_ANY(stored), sizeof(header));
	ndigits = (VARSIZE_ANY_EXHDR(stored) - sizeof(header)) / sizeof(int16);
	exponent = ((header & 0x40) ? (header & 0x3f) - 0x40 : (header & 0x3f)) - (ndigits - 1);
	if ((header & 0xc000) != 0x8000 || ndigits > 4 || exponent < -5 || exponent > 5)
		return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, numeric));
	for (int i = 0; i < ndigits; i++)
	{
		int16		digit;

		memcpy(&digit, VARDATA_ANY(stored) + sizeof(header) + i * sizeof(digit), sizeof(digit));
		whole = whole * 10000 + digit;
	}
	if (whole > INT64CONST(9007199254740992))
		return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, numeric));
	if (header & 0x2000)
		whole = -whole;
	return exponent >= 0 ? whole * powers[exponent] : whole / powers[-exponent];
}

#endif							/* PA_COMPAT_H */
