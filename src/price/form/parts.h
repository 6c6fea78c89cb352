/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.h
 *		The statistics that aggregates are made of.
 *
 * Each function adds a statistic, or finds an equal one, and returns its number; equal
 * statistics share their noise.  "rows" is how many rows' worth of error the statistic
 * may have, so that the aggregate keeps to its error bound; negative: no bound.
 */
#ifndef PA_FORM_PARTS_H
#define PA_FORM_PARTS_H

#include "postgres.h"

#include "bound/order.h"
#include "bound/statistic.h"

/* Rows, values or owners. */
extern int	pa_add_count(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
						 const PaAggregateArguments *arguments, double rows);

/* Different values, as many as owners cover. */
extern int	pa_add_distinct(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments);

/* Values that are numbers: what a mean is of. */
extern int	pa_add_count_of_numbers(PaStatistics *set, const PaLeafAggregate *aggregate,
									const PaAggregateArguments *arguments, double rows);

/* Clamped values, of each row or of each owner; within: the error bound, negative: none. */
extern int	pa_add_sum(PaStatistics *set, const PaLeafAggregate *aggregate, const PaAggregateArguments *arguments,
					   const char *label, double within);

/* CENTRED: x - mid.  SQUARES: (x - mid)^2 about the middle of its own range.  count: who counts the values */
extern int	pa_add_moment(PaStatistics *set, const PaLeafAggregate *aggregate, PaStatisticKind kind,
						  const PaAggregateArguments *arguments, double rows, int count);

/* What is drawn from the order of values (bound/order.h): *rank is which of its numbers is that of the arguments. */
extern int	pa_add_order(PaStatistics *set, const PaLeafAggregate *aggregate, PaOrderKind kind,
						 const PaAggregateArguments *arguments, int *rank);

/* The arguments, with epsilon and delta shared by so many parts. */
extern PaAggregateArguments pa_share_options(const PaAggregateArguments *arguments, int parts);

#endif							/* PA_FORM_PARTS_H */
