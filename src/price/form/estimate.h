/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.h
 *		From noised totals to estimates with intervals.
 */
#ifndef PA_FORM_ESTIMATE_H
#define PA_FORM_ESTIMATE_H

#include "postgres.h"

#include "bound/statistic.h"

/* A noised total of the sample, as an estimate for all. */
extern PaEstimate pa_estimate_statistic(const PaStatistics *set, int index, const double *noised, double confidence);

/* A ratio of estimates with a positive denominator. */
extern PaEstimate pa_estimate_ratio(PaEstimate sum, PaEstimate count);

extern PaEstimate pa_estimate_clamp(PaEstimate estimate, double low, double high);
extern PaEstimate pa_estimate_shift(PaEstimate estimate, double by);

/* The estimate's value in the aggregate's result type. */
extern Datum pa_estimate_datum(const PaLeafAggregate *aggregate, const PaEstimate *estimate);

/* The end of its interval that a column of a leaf shows; NULL if none is known. */
extern Datum pa_interval_datum(int column, const PaEstimate *estimate, bool *isnull);

#endif							/* PA_FORM_ESTIMATE_H */
