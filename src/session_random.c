/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_random.c
 *		See session_random.h.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "session_random.h"

static bool
fill_strong(void *context, void *bytes, size_t length)
{
	return pg_strong_random(bytes, length);
}

PaRandom *
pa_session_random(void)
{
	static PaRandom random;
	static int	owner = 0;

	if (owner != MyProcPid || random.failed)
	{
		pa_random_init(&random, fill_strong, NULL);
		owner = MyProcPid;
	}
	return &random;
}
