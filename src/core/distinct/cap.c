/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cap.c
 *		The generalised exponential mechanism over caps.
 *
 * The penalty is public: rounded once to a multiple of 1/PA_CAP_UNIT it is a constant like
 * any other, and everything after it is whole numbers.  cap penalty is below 2^52 units,
 * value below 2^60, so differences fit.
 */
#include "core/distinct/cap.h"

#include <math.h>

#include "core/distinct/pairs.h"
#include "core/noise/choose.h"

#define MOST_VALUE (INT64_C(1) << 40)
#define MOST_PENALTY 0x1p20
#define LEAST_EPSILON 0x1p-20
#define MOST_EPSILON 1e5

/* In units; -1 if terms are not in their range */
static int64_t
penalty(const PaCapTerms *terms, int caps)
{
	double		sum;

	if (!(terms->noise_epsilon > 0 && terms->noise_miss > 0 && terms->noise_miss <= 0.5) ||
		!(terms->epsilon >= LEAST_EPSILON && terms->epsilon <= MOST_EPSILON) ||
		!(terms->miss > 0 && terms->miss < 1))
		return -1;
	sum = -log(2 * terms->noise_miss) / terms->noise_epsilon + 2 * log(caps / terms->miss) / terms->epsilon;
	return sum < MOST_PENALTY ? llround(sum * (double) PA_CAP_UNIT) : -1;
}

PaStatus
pa_cap_losses(const int64_t *value, const int32_t *cap, int caps, const PaCapTerms *terms, int64_t *loss)
{
	int64_t		a[PA_CAP_CANDIDATES];
	int64_t		each;
	int			i;
	int			j;

	if (caps > PA_CAP_CANDIDATES || !pa_caps_valid(cap, caps))
		return PA_INVALID;
	each = penalty(terms, caps);
	if (each < 0)
		return PA_INVALID;
	for (i = 0; i < caps; i++)
	{
		if (value[i] < 0 || value[i] > MOST_VALUE)
			return PA_INVALID;
		a[i] = cap[i] * each - value[i] * PA_CAP_UNIT;
	}
	for (i = 0; i < caps; i++)
		for (loss[i] = 0, j = 0; j < caps; j++)
		{
			int64_t		gap = (a[i] - a[j]) / cap[i > j ? i : j];

			/* only gaps above 0 count, and these are rounded downwards */
			loss[i] = gap > loss[i] ? gap : loss[i];
		}
	return PA_OK;
}

PaStatus
pa_cap_choose(const int64_t *value, const int32_t *cap, int caps, const PaCapTerms *terms,
			  PaRandom *random, const PaEnvironment *environment, int *chosen)
{
	int64_t		score[PA_CAP_CANDIDATES];
	unsigned char taken[PA_CAP_CANDIDATES];
	PaStatus	status = pa_cap_losses(value, cap, caps, terms, score);
	int			i;
	int			drawn;

	if (status != PA_OK)
		return status;
	for (i = 0; i < caps; i++)
		score[i] = -score[i];
	status = pa_choose(score, caps, 1, terms->epsilon, PA_CAP_UNIT, random, taken, &drawn, environment);
	if (status == PA_OK)
		*chosen = drawn;
	return status;
}
