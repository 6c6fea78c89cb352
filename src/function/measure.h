/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h
 *		Arguments of functions that measure privacy: channels, likelihoods, priors, numbers.
 *
 * A channel is an array of two dimensions, Pr[output | input] with a row for each input; a
 * likelihood one of one dimension, Pr[what was seen | input].
 */
#ifndef PA_MEASURE_H
#define PA_MEASURE_H

#include "postgres.h"

#include "core/bayes/measures.h"
#include "function/arrays.h"

#define PA_CHANNEL_FORM "A channel has a row of probabilities for each input, which add up to 1, and so does a prior."
#define PA_LIKELIHOOD_FORM "A likelihood has a number from 0 to 1 for each input, one with prior mass above 0."

extern void pa_measure_refuse(const char *detail) PA_NORETURN;

/* Errors out unless it is PA_OK; detail: of what is invalid. */
extern void pa_measure_check(PaStatus status, const char *detail);

/* Argument i as numbers. */
extern const double *pa_measure_numbers(FunctionCallInfo fcinfo, int i, int least_dimensions, int most_dimensions, PaArray *array);

/* The prior in argument 1, or NULL for uniform. */
extern const double *pa_measure_prior(FunctionCallInfo fcinfo, size_t inputs);
extern PaChannel pa_measure_channel(FunctionCallInfo fcinfo, const double *probability, const PaArray *array);

/* What one output that was seen says, from Pr[seen | x] for each x; posterior may be NULL. */
extern PaRealisedMeasures pa_measure_realised(FunctionCallInfo fcinfo, const double *likelihood, size_t size, double *posterior);

/* A number that was computed; NaN: an argument is out of its range. */
extern Datum pa_measure_bound(double value);

/* A row of numbers, as the function declares it. */
extern Datum pa_measure_row(FunctionCallInfo fcinfo, const double *values, int count);

#endif							/* PA_MEASURE_H */
