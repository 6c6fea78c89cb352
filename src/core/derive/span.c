/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * span.c
 *		Rows in reduced echelon form modulo a prime.
 */
#include "core/derive/span.h"

#include <string.h>

#include "core/random/random.h"

#define PRIME ((UINT64_C(1) << 61) - 1)
#define MOST_COLUMNS 32768

PaStatus
pa_span_make(int columns, int rows, const PaEnvironment *environment, PaSpan *span)
{
	size_t		n = (size_t) columns;
	size_t		most = (size_t) (rows < columns ? rows : columns);

	if (columns < 1 || columns > MOST_COLUMNS || rows < 0)
		return PA_INVALID;
	span->row = environment->allocate(environment->context, (most + 1) * n * sizeof(uint64_t) + most * sizeof(int));
	if (span->row == NULL)
		return PA_NO_MEMORY;
	span->scratch = span->row + most * n;
	span->most = (int) most;
	span->pivot = (int *) (span->scratch + n);
	span->columns = columns;
	span->rank = 0;
	return PA_OK;
}

void
pa_span_free(PaSpan *span, const PaEnvironment *environment)
{
	environment->release(environment->context, span->row);
}

/* Both below the prime, as is what comes out */
static uint64_t
multiply(uint64_t x, uint64_t y)
{
	PaUint128	product = (PaUint128) x * y;
	uint64_t	sum = (uint64_t) (product & PRIME) + (uint64_t) (product >> 61);

	return sum >= PRIME ? sum - PRIME : sum;
}

/* x^(PRIME - 2), by Fermat */
static uint64_t
invert(uint64_t x)
{
	uint64_t	power = 1;
	uint64_t	exponent;

	for (exponent = PRIME - 2; exponent > 0; exponent >>= 1)
	{
		if (exponent & 1)
			power = multiply(power, x);
		x = multiply(x, x);
	}
	return power;
}

static uint64_t
residue(int64_t x)
{
	int64_t		rest = x % (int64_t) PRIME;

	return (uint64_t) (rest < 0 ? rest + (int64_t) PRIME : rest);
}

/* to -= factor row */
static void
subtract(uint64_t *to, uint64_t factor, const uint64_t *row, int columns)
{
	int			i;

	if (factor == 0)
		return;
	for (i = 0; i < columns; i++)
		if (row[i] != 0)
		{
			uint64_t	part = multiply(factor, row[i]);

			to[i] = to[i] >= part ? to[i] - part : to[i] + PRIME - part;
		}
}

static uint64_t *
row_at(const PaSpan *span, int i)
{
	return span->row + (size_t) i * (size_t) span->columns;
}

/* What the rows leave of this one, in scratch; its first column that is not 0, or -1 */
static int
reduce(PaSpan *span, const int64_t *row)
{
	int			i;

	for (i = 0; i < span->columns; i++)
		span->scratch[i] = residue(row[i]);
	for (i = 0; i < span->rank; i++)
		subtract(span->scratch, span->scratch[span->pivot[i]], row_at(span, i), span->columns);
	for (i = 0; i < span->columns; i++)
		if (span->scratch[i] != 0)
			return i;
	return -1;
}

bool
pa_span_add(PaSpan *span, const int64_t *row)
{
	int			pivot = reduce(span, row);
	uint64_t	inverse;
	int			i;

	if (pivot < 0 || span->rank == span->most)
		return false;
	inverse = invert(span->scratch[pivot]);
	for (i = 0; i < span->columns; i++)
		span->scratch[i] = multiply(span->scratch[i], inverse);
	for (i = 0; i < span->rank; i++)
		subtract(row_at(span, i), row_at(span, i)[pivot], span->scratch, span->columns);
	memcpy(row_at(span, span->rank), span->scratch, (size_t) span->columns * sizeof(uint64_t));
	span->pivot[span->rank++] = pivot;
	return true;
}

bool
pa_span_has(PaSpan *span, const int64_t *row, bool *missing)
{
	bool		spanned = reduce(span, row) < 0;
	int			i;

	for (i = 0; missing != NULL && i < span->columns; i++)
		missing[i] = span->scratch[i] != 0;
	return spanned;
}
