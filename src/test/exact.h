/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.h
 *		Least squares in fractions: what the core's numbers are compared with.
 */
#ifndef PA_TEST_EXACT_H
#define PA_TEST_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#define EXACT_SIZE 24

/*
 * The least sum a_i^2 variance[i] under X'a = target, from the conditions of Lagrange, which are
 * solved by elimination in fractions.  False if no weights give the target.  Fails the test if a
 * fraction does not fit.
 */
extern bool exact_least_squares(const int64_t *query, const int64_t *variance, const int64_t *released,
								int answers, int cells, const int64_t *target,
								double *estimate, double *least);

#endif							/* PA_TEST_EXACT_H */
