/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h
 *		Influence curves of rows whose joint law is a table.
 *
 * All 2^n sets H are tried, so this is for few rows; exact but for rounding, which
 * is bounded and added.
 */
#ifndef PA_TABLE_CURVE_H
#define PA_TABLE_CURVE_H

#include "core/pufferfish/secrets.h"

/*
 * prior[k * cells + cell]: "priors" laws.  As in Definition 6.2 one H must do for all
 * of them: min over H of max over priors.  Curves of single priors, joined by
 * pa_curve_join, are a guarantee too, and no larger: each prior may have an H of
 * its own.  A pair does not count under a prior that gives one of its secrets no mass.
 * point[b - 1] for b = 1..entries.  PA_FAULT_ENTRY, _SUM, _SIZE, _SECRET, _ARGUMENT.
 */
extern PaStatus pa_table_curve(const PaFinite *finite, const double *prior, int priors,
							   const PaEnvironment *environment, PaInfluence *point, PaFault *fault);

#endif							/* PA_TABLE_CURVE_H */
