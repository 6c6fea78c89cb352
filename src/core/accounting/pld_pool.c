/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_pool.c
 *		A doubly linked list of blocks from the caller's allocator.
 */
#include "core/accounting/pld_pool.h"

#include <assert.h>
#include <stdint.h>

typedef struct PaPoolBlock
{
	struct PaPoolBlock *next;
	struct PaPoolBlock *previous;
} PaPoolBlock;

static_assert(sizeof(PaPoolBlock) % sizeof(double) == 0, "what follows a block is aligned as the block is");

void
pa_pool_init(PaPool *pool, const PaEnvironment *environment)
{
	pool->environment = environment;
	pool->blocks = NULL;
}

void *
pa_pool_get(PaPool *pool, size_t count, size_t size)
{
	PaPoolBlock *block;

	if (count > (SIZE_MAX - sizeof(PaPoolBlock)) / size)
		return NULL;
	block = pool->environment->allocate(pool->environment->context, sizeof(PaPoolBlock) + count * size);
	if (block == NULL)
		return NULL;
	block->previous = NULL;
	block->next = pool->blocks;
	if (block->next != NULL)
		block->next->previous = block;
	pool->blocks = block;
	return block + 1;
}

void
pa_pool_release(PaPool *pool, void *memory)
{
	PaPoolBlock *block;

	if (memory == NULL)
		return;
	block = (PaPoolBlock *) memory - 1;
	if (block->next != NULL)
		block->next->previous = block->previous;
	if (block->previous != NULL)
		block->previous->next = block->next;
	else
		pool->blocks = block->next;
	pool->environment->release(pool->environment->context, block);
}

void
pa_pool_release_all(PaPool *pool)
{
	while (pool->blocks != NULL)
		pa_pool_release(pool, pool->blocks + 1);
}

bool
pa_pool_interrupted(const PaPool *pool)
{
	return pool->environment->interrupted != NULL &&
		pool->environment->interrupted(pool->environment->context);
}
