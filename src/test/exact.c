/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.c
 *		Fractions of 128 bits, and elimination with them.
 */
#include "exact.h"

#include <stdio.h>
#include <stdlib.h>

__extension__ typedef __int128 Wide;

typedef struct Fraction
{
	Wide		over;
	Wide		under;			/* > 0 */
} Fraction;

static Wide
times(Wide x, Wide y)
{
	Wide		product;

	if (__builtin_mul_overflow(x, y, &product))
	{
		fprintf(stderr, "a fraction of the test does not fit\n");
		abort();
	}
	return product;
}

static Fraction
reduced(Wide over, Wide under)
{
	Wide		x = over < 0 ? -over : over;
	Wide		y = under < 0 ? -under : under;

	while (y != 0)
	{
		Wide		rest = x % y;

		x = y;
		y = rest;
	}
	if (under < 0)
		x = -x;
	return (Fraction) {over / x, under / x};
}

static Fraction
whole(int64_t x)
{
	return (Fraction) {x, 1};
}

static Fraction
product(Fraction x, Fraction y)
{
	Fraction	one = reduced(x.over, y.under);
	Fraction	two = reduced(y.over, x.under);

	return (Fraction) {times(one.over, two.over), times(one.under, two.under)};
}

static Fraction
difference(Fraction x, Fraction y)
{
	return reduced(times(x.over, y.under) - times(y.over, x.under), times(x.under, y.under));
}

static Fraction
quotient(Fraction x, Fraction y)
{
	return product(x, y.over < 0 ? (Fraction) {-y.under, -y.over} : (Fraction) {y.under, y.over});
}

static double
value(Fraction x)
{
	return (double) ((long double) x.over / (long double) x.under);
}

/* Any solution of the size equations in the rows, the right side last; false if there is none */
static bool
eliminate(Fraction row[EXACT_SIZE][EXACT_SIZE + 1], int size, Fraction *solution)
{
	int			pivot_row[EXACT_SIZE];
	int			used = 0;
	int			column;
	int			i;
	int			j;

	for (column = 0; column < size; column++)
	{
		pivot_row[column] = -1;
		for (i = used; i < size && row[i][column].over == 0; i++)
			;
		if (i == size)
			continue;
		for (j = 0; j <= size; j++)
		{
			Fraction	swap = row[i][j];

			row[i][j] = row[used][j];
			row[used][j] = swap;
		}
		for (i = 0; i < size; i++)
		{
			Fraction	factor = quotient(row[i][column], row[used][column]);

			for (j = column; i != used && factor.over != 0 && j <= size; j++)
				row[i][j] = difference(row[i][j], product(factor, row[used][j]));
		}
		pivot_row[column] = used++;
	}
	for (i = used; i < size; i++)
		if (row[i][size].over != 0)
			return false;
	for (column = 0; column < size; column++)
		solution[column] = pivot_row[column] < 0 ? whole(0) :
			quotient(row[pivot_row[column]][size], row[pivot_row[column]][column]);
	return true;
}

bool
exact_least_squares(const int64_t *query, const int64_t *variance, const int64_t *released,
					int answers, int cells, const int64_t *target, double *estimate, double *least)
{
	static Fraction row[EXACT_SIZE][EXACT_SIZE + 1];
	Fraction	solution[EXACT_SIZE];
	Fraction	sum = whole(0);
	Fraction	square = whole(0);
	int			size = answers + cells;
	int			i;
	int			j;

	for (i = 0; i < size; i++)
		for (j = 0; j <= size; j++)
			row[i][j] = whole(0);
	for (i = 0; i < answers; i++)
	{
		row[i][i] = whole(variance[i]);
		for (j = 0; j < cells; j++)
			row[i][answers + j] = row[answers + j][i] = whole(query[i * cells + j]);
	}
	for (j = 0; j < cells; j++)
		row[answers + j][size] = whole(target[j]);
	if (!eliminate(row, size, solution))
		return false;
	for (i = 0; i < answers; i++)
	{
		sum = difference(sum, product(solution[i], whole(-released[i])));
		square = difference(square, product(product(solution[i], solution[i]), whole(-variance[i])));
	}
	*estimate = value(sum);
	*least = value(square);
	return true;
}
