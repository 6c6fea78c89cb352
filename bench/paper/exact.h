/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.h
 *		The best noise of each kind by exact accounting, on the line.
 *
 * Thin names for what the core computes, so that it can stand beside the
 * paper's answer to the same query.
 */
#ifndef EXACT_H
#define EXACT_H

#include <stdbool.h>

#include "core/environment.h"
#include "core/noise/law.h"
#include "query.h"
#include "source.h"

/* Least scale of the kernel alone, at (epsilon, delta). */
extern bool exact_plain(const Query *query, PaLaw *law);

/* Best scale and q at (epsilon, delta). */
extern bool exact_recycled(const Query *query, PaLaw *law);

/* Pure epsilon-DP; the query's delta is not used. */
extern bool exact_staircase(const Query *query, PaLaw *law);

/* Any recycled kernel, whoever chose it. */
extern bool exact_law(const Query *query, double scale, double q, PaLaw *law);

/* Its delta at the query's sensitivity and epsilon; NAN if there is no such law. */
extern double exact_delta(const Query *query, double scale, double q);

/* Acceptance of the law that one of the first three functions finds; NAN if it finds none. */
extern double exact_acceptance(bool (*choose) (const Query *query, PaLaw *law), const Query *query);

/* Epsilon at delta of so many releases; NAN if it cannot be computed. */
extern double exact_composed_epsilon(const PaLaw *law, double sensitivity, int times, double delta);

#endif							/* EXACT_H */
