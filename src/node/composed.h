/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composed.h
 *		Estimates of what is composed of several aggregates of a release (guard/composed.h).
 */
#ifndef PA_NODE_COMPOSED_H
#define PA_NODE_COMPOSED_H

#include "postgres.h"

#include "bound/statistic.h"

typedef struct PaComposing PaComposing;

/* Ready to be computed, in the current context; NULL: nothing is composed. */
extern PaComposing *pa_composing_begin(const PaLeafSpec *spec);

/* One of spec->composed, by the estimates of a row's aggregates; what cannot be computed is NAN. */
extern PaEstimate pa_compose_estimate(PaComposing *composing, int composed, const PaEstimate *estimates);

#endif							/* PA_NODE_COMPOSED_H */
