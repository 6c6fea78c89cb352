/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_pool.h
 *		The memory of one computation on losses: all of it goes when it ends.
 */
#ifndef PA_PLD_POOL_H
#define PA_PLD_POOL_H

#include "core/environment.h"

typedef struct PaPool
{
	const PaEnvironment *environment;
	struct PaPoolBlock *blocks;
} PaPool;

extern void pa_pool_init(PaPool *pool, const PaEnvironment *environment);

/* count times size bytes, aligned for anything; NULL if there is no memory. */
extern void *pa_pool_get(PaPool *pool, size_t count, size_t size);

/* One block of this pool, or NULL. */
extern void pa_pool_release(PaPool *pool, void *memory);

extern void pa_pool_release_all(PaPool *pool);

extern bool pa_pool_interrupted(const PaPool *pool);

#endif							/* PA_PLD_POOL_H */
