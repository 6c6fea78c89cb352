/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bisect.h
 *		The point from which on a condition holds.
 */
#ifndef PA_BISECT_H
#define PA_BISECT_H

#include <stdbool.h>

typedef bool (*PaCondition) (void *context, double x);

/*
 * For a condition that fails below some x > 0 and holds above it: a point at
 * which it was seen to hold, within a relative 1e-14 of one at which it was
 * seen to fail.  The search starts at guess > 0 and gives up (false) beyond
 * 2^-300 and 2^300.
 */
extern bool pa_bisect(PaCondition condition, void *context, double guess, double *x);

#endif							/* PA_BISECT_H */
