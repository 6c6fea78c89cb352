/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least.c
 *		See least.h.
 */
#include "core/refine/least.h"

#include <stdio.h>
#include <stdlib.h>

#define MANTISSAS 9000			/* 1000 to 9999 */
#define LEAST_EXPONENT (-9)		/* 1000e-9 */
#define DECADES 11

/* To nearest: the decimal's shortest form is the one that is printed. */
static double
decimal(int index)
{
	char		text[32];

	snprintf(text, sizeof(text), "%de%d", 1000 + index % MANTISSAS, LEAST_EXPONENT + index / MANTISSAS);
	return strtod(text, NULL);
}

double
pa_least_epsilon(double (*error) (void *context, double epsilon), void *context, double target)
{
	int			high = DECADES * MANTISSAS;	/* 1e5: the only one that may be too small */
	int			low = -1;
	double		found = error(context, decimal(high));

	if (!(found >= 0 && found <= target))
		return 0;
	while (high - low > 1)
	{
		int			middle = low + (high - low) / 2;

		found = error(context, decimal(middle));
		if (found >= 0 && found <= target)
			high = middle;
		else
			low = middle;
	}
	return decimal(high);
}
