/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * server_environment.c
 *		Lends the core the server's memory and its interrupts.
 */
#include "postgres.h"

#include <gsl/gsl_errno.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "server_environment.h"

static void *
server_allocate(void *context, size_t size)
{
	if (!AllocHugeSizeIsValid(size))
		return NULL;
	return MemoryContextAllocExtended(CurrentMemoryContext, size, MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

static void
server_release(void *context, void *memory)
{
	if (memory)
		pfree(memory);
}

/* Asks, and leaves it to the caller of the core to react. */
static bool
server_interrupted(void *context)
{
	return InterruptHoldoffCount == 0 && INTERRUPTS_PENDING_CONDITION() && (QueryCancelPending || ProcDiePending);
}

const PaEnvironment *
pa_server_environment(void)
{
	static const PaEnvironment environment = {server_allocate, server_release, server_interrupted, NULL};

	return &environment;
}

void
pa_environment_init(void)
{
	(void) gsl_set_error_handler_off();
}
