/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matching.h
 *		The most values that owners can cover, each at most so many of its own.
 *
 * A maximum matching of values to owners with a capacity (Knop, Steinke, "Counting
 * Distinct Elements Under Person-Level Differential Privacy", 2023).  One more owner
 * changes it by 0..cap; it is at most the true number of values, and equals it for
 * large caps (docs/theory-derived.md).
 */
#ifndef PA_MATCHING_H
#define PA_MATCHING_H

#include "core/distinct/pairs.h"

/* So many phases there are at least, and seldom more */
#define PA_EXACT_PHASES 64

/*
 * covered[i]: the most values that can be covered with cap[i].  Caps as pa_caps_valid
 * asks.  The number does not depend on any order.  Work: every pair twice in each of
 * PA_EXACT_PHASES phases, or of as many as are needed if these are more, at most twice the
 * square root of values for each cap (Hopcroft, Karp 1973); what was found for a smaller
 * cap is where the next one begins.  PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED, which is
 * asked before each phase.
 */
extern PaStatus pa_distinct_exact(const PaPairs *pairs, const int32_t *cap, int caps,
								  const PaEnvironment *environment, int64_t *covered);

#endif							/* PA_MATCHING_H */
