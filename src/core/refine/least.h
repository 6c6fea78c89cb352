/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least.h
 *		The least epsilon whose noise is exact enough.
 *
 * Epsilons are the decimals of four digits from 1e-6 to 1e5, which analysts read and
 * ledgers add up.
 */
#ifndef PA_LEAST_H
#define PA_LEAST_H

/*
 * The least of them for which error(context, epsilon), which falls in epsilon, is at most the
 * target; where it does not fall everywhere, one for which it is.  A negative error stands for an
 * epsilon that has none.  0 if there is none.
 */
extern double pa_least_epsilon(double (*error) (void *context, double epsilon), void *context, double target);

#endif							/* PA_LEAST_H */
