/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * root.h
 *		Where a falling function passes 1, approached from the safe side.
 */
#ifndef PA_ROOT_H
#define PA_ROOT_H

/* For pa_root: what is reached over what is allowed, so at most 1 is safe; >= 0. */
typedef double (*PaFunction) (void *context, double x);

/*
 * f(low) > 1 >= f(high), 0 <= low < high.  Returns a point at which f <= 1 was
 * seen: one with f >= 1 - close, or one within a relative 1e-13 of a point at
 * which f > 1 was seen.  Ends after at most some 150 evaluations; about 10 are
 * the rule.
 */
extern double pa_root(PaFunction f, void *context, double low, double f_low,
					  double high, double f_high, double close);

#endif							/* PA_ROOT_H */
