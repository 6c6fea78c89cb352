/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * golden.h
 *		The greatest value of a function with one maximum, by golden sections.
 */
#ifndef PA_GOLDEN_H
#define PA_GOLDEN_H

#include "core/optimize/root.h"

/*
 * The greatest value that was seen in [low, high], until the interval that has the
 * maximum is no wider than "close" (> 0), or than what a double resolves; *x is where.
 * A function with several maxima has one of them found.
 */
extern double pa_golden(PaFunction f, void *context, double low, double high, double close, double *x);

#endif							/* PA_GOLDEN_H */
