/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * golden.c
 *		See golden.h.
 */
#include "core/optimize/golden.h"

#include <math.h>

#define GOLDEN 0.61803398874989484820	/* (sqrt 5 - 1)/2 */

typedef struct Point
{
	double		x;
	double		value;
} Point;

static Point
look(PaFunction f, void *context, double x)
{
	return (Point) {x, f(context, x)};
}

double
pa_golden(PaFunction f, void *context, double low, double high, double close, double *x)
{
	Point		left = look(f, context, high - GOLDEN * (high - low));
	Point		right = look(f, context, low + GOLDEN * (high - low));

	while (high - low > close && left.x < right.x)
	{
		if (left.value >= right.value)
		{
			high = right.x;
			right = left;
			left = look(f, context, high - GOLDEN * (high - low));
		}
		else
		{
			low = left.x;
			left = right;
			right = look(f, context, low + GOLDEN * (high - low));
		}
	}
	if (right.value > left.value || isnan(left.value))
		left = right;
	*x = left.x;
	return left.value;
}
