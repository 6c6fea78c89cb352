/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mode.h
 *		The most frequent of declared keys, by the exponential mechanism on counts.
 *
 *	 p(y) ~ exp(epsilon count(y)/per_key),
 *
 * where one owner raises a count by at most per_key: with counts of owners, each of which
 * counts once in every key it has, that is 1 however many keys an owner has; with counts of
 * rows it is the most rows of one owner in one key.  Counts can only rise when an owner comes, so
 * there is no factor 2: log ratios lie in an interval of length epsilon, and a draw is
 * epsilon-DP and epsilon^2/8-zCDP (docs/theory-analysts.md, 3).  It is drawn as choose.h draws,
 * with epsilon rounded down to a multiple of 2^-41.
 */
#ifndef PA_MODE_H
#define PA_MODE_H

#include "core/noise/choose.h"

/*
 * The k most frequent, drawn one after the other, each from those that are left: epsilon is that of one draw.
 * counts: keys of them; epsilon: 2^-41 to PA_MODE_MOST_EPSILON; per_key: 1 to 2^40 - 1; taken: room for keys; chosen: for k.
 * Otherwise as pa_choose.
 */
#define PA_MODE_MOST_EPSILON 5e4

extern PaStatus pa_mode_draw(const int64_t *counts, int keys, int k, double epsilon, int64_t per_key, PaRandom *random,
							 unsigned char *taken, int *chosen, const PaEnvironment *environment);

/* The law of the first draw: probability[0..keys - 1]; the same arguments */
extern PaStatus pa_mode_law(const int64_t *counts, int keys, double epsilon, int64_t per_key, double *probability);

#endif							/* PA_MODE_H */
