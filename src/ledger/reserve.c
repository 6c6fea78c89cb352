/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reserve.c
 *		Keeps places of background workers free for the workers of ledgers.
 *
 * Every user may set max_parallel_workers, and so take all places of the server with one
 * query that sleeps: nobody could be charged until it ends.  What they set is lowered to
 * what leaves the reserve, wherever it comes from.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "compat/session.h"
#include "ledger/queue.h"

#define SETTING "max_parallel_workers"

static GucIntCheckHook previous_check = NULL;

static bool
leave_reserve(int *workers, void **extra, GucSource source)
{
	*workers = Min(*workers, Max(max_worker_processes - pa_ledger_reserved_workers, 0));
	return previous_check == NULL || previous_check(workers, extra, source);
}

/* What is set by now, and what RESET goes back to, was set without the check. */
void
pa_reserve_init(void)
{
	struct config_int *setting = (struct config_int *) pa_find_setting(SETTING);

	previous_check = setting->check_hook;
	setting->check_hook = leave_reserve;
	SetConfigOption(SETTING, GetConfigOption(SETTING, false, false), PGC_POSTMASTER, setting->gen.source);
}
