/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likelihood.h
 *		What one owner's answers so far say about each value of a finite domain.
 *
 * value[x] = ln Pr[answers so far | x] - the largest of these: so the largest is
 * exactly 0, and -INFINITY stands for a value that an answer ruled out.  The
 * realised loss log L = max - min is what the answers gave away at most:
 * for every prior belief and every statement about the owner the belief changed
 * by a factor of at most L ("Actual Knowledge Gain", Theorem 3.2).
 *
 * Each ln Pr is rounded to a multiple of 2^-44 before it is added.  As long as
 * all |numbers| are below 2^8 a table does not depend on the order of the
 * answers, bit for bit, nor does the error bound but for its own rounding.
 *
 * error bounds |computed loss - exact loss|: the sum of what each addition can
 * have rounded (likelihood.c).  A filter adds it.
 */
#ifndef PA_LIKELIHOOD_H
#define PA_LIKELIHOOD_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

#define PA_MOST_DOMAIN 65536

typedef struct PaLikelihood
{
	size_t		size;			/* points of the domain */
	double	   *value;			/* belongs to the caller */
	double		error;			/* nats */
} PaLikelihood;

typedef struct PaRealisedLoss
{
	double		loss;			/* log L, nats; INFINITY if some but not all values are ruled out */
	double		error;
} PaRealisedLoss;

/* No answers yet: all 0.  PA_INVALID unless 1 <= size <= PA_MOST_DOMAIN. */
extern PaStatus pa_likelihood_start(double *value, size_t size, PaLikelihood *likelihood);

/* Whether a table that was stored is of the form above, all on the grid. */
extern bool pa_likelihood_valid(const PaLikelihood *likelihood);

extern PaRealisedLoss pa_likelihood_loss(const PaLikelihood *likelihood);

/*
 * Adds an answer, column[x] = ln Pr[answer | x], right within 2^-50 of its size.
 * PA_INVALID, and nothing changed, if a number is NaN or above 0, or if the
 * answer is impossible for every value that is left: it cannot have happened.
 */
extern PaStatus pa_likelihood_add(PaLikelihood *likelihood, const double *column);

/*
 * The loss if that answer were added.  An answer that is impossible for every
 * value is none: the loss is then -INFINITY.  Columns as above, not checked.
 */
extern PaRealisedLoss pa_likelihood_after(const PaLikelihood *likelihood, const double *column);

/* Whether the column is one: no NaN, nothing above 0. */
extern bool pa_likelihood_column_valid(const double *column, size_t size);

/*
 * What is added instead of a log-likelihood <= 0: the nearest multiple of 2^-44.
 * Never falls in its argument; -INFINITY stays.
 */
extern double pa_likelihood_grid(double log_likelihood);

/*
 * The error after an addition of numbers of the grid: |column| <= largest,
 * |sums| <= sum, loss after.  Never falls in these.
 */
extern double pa_likelihood_error_after(const PaLikelihood *likelihood, double largest, double sum, double loss);

#endif							/* PA_LIKELIHOOD_H */
