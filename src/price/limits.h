/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limits.h
 *		What bounds the contribution of an owner to a group, shown and compared.
 */
#ifndef PA_LIMITS_H
#define PA_LIMITS_H

#include "price/release.h"

/*
 * The limit of a statistic, as "20 rows of 0 to 100" or "a sum of 0 to 5000"; NULL where
 * owners are not what is protected.
 */
extern char *pa_limit_text(const PaRelease *release, const PaStatistic *statistic);

/* Whether the statistic is limited otherwise than by so many rows as the release as a whole. */
extern bool pa_limit_is_own(const PaRelease *release, const PaStatistic *statistic);

/*
 * The release as it would be if the sum of an aggregate were bounded in the given way, and the
 * number of its statistic there; NULL if it is bounded so already, or cannot be.  For
 * comparison, never to be executed.
 */
extern PaRelease *pa_limit_alternative(const PaRelease *release, int aggregate, PaLimitKind limit, int *statistic);

#endif							/* PA_LIMITS_H */
