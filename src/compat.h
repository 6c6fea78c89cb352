/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compat.h
 *		Numerics as they are stored, in the same way since PostgreSQL 9.1.
 */
#ifndef PA_COMPAT_H
#define PA_COMPAT_H

#include "compat/version.h"

#include "access/detoast.h"
#include "utils/builtins.h"

#include "size_limits.h"

/*
 * Whether a numeric takes at most PA_MAX_NUMERIC_BYTES, and written out so many
 * digits on either side of the point.  Looks at nothing that is stored out of
 * line.  Its header is of the short kind (see below), or of the long one, 16 bits
 * of which the last 14 are the digits after the point, and the weight; NaN and
 * infinities have a header of their own.
 */
static inline bool
pa_numeric_within(Datum numeric, int before, int after)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(numeric);
	uint16		header;
	int16		weight;

	if (VARATT_IS_EXTERNAL(stored) || toast_raw_datum_size(numeric) > VARHDRSZ + PA_MAX_NUMERIC_BYTES)
		return false;
	stored = PG_DETOAST_DATUM_PACKED(numeric);
	memcpy(&header, VARDATA_ANY(stored), sizeof(header));
	if ((header & 0xc000) == 0xc000)
		return true;
	if ((header & 0xc000) == 0x8000)
		return ((header & 0x40) ? 0 : ((header & 0x3f) + 1) * 4) <= before && ((header >> 7) & 0x3f) <= after;
	memcpy(&weight, VARDATA_ANY(stored) + sizeof(header), sizeof(weight));
	return (weight + 1) * 4 <= before && (header & 0x3fff) <= after;
}

/* What a row's numeric must be in order to be an argument of a function. */
static inline bool
pa_numeric_is_short(Datum numeric)
{
	return pa_numeric_within(numeric, PA_MAX_DIGITS_BEFORE, PA_MAX_DIGITS_AFTER);
}

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
