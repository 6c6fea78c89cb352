/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * greedy.h
 *		How many values owners cover who take them in turn.
 *
 * There are cap rounds.  In each the owners come in their order, and each takes the
 * first of its values that is still free.  One more owner, with all its values,
 * changes the number of values taken by 0..cap; the number is at most the true one,
 * and at least half of the most that can be covered (docs/theory-derived.md).
 */
#ifndef PA_GREEDY_H
#define PA_GREEDY_H

#include "core/distinct/pairs.h"

/*
 * covered[i]: values taken after cap[i] rounds.  Caps as pa_caps_valid asks.  Work:
 * pairs + owners times the last cap.  PA_INVALID, PA_NO_MEMORY, PA_INTERRUPTED.
 */
extern PaStatus pa_distinct_greedy(const PaPairs *pairs, const int32_t *cap, int caps,
								   const PaEnvironment *environment, int64_t *covered);

#endif							/* PA_GREEDY_H */
