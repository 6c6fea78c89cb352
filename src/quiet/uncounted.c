/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uncounted.c
 *		See uncounted.h.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "quiet/uncounted.h"

static void
switch_off(const char *setting)
{
	(void) set_config_option(setting, "off", PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

int
pa_uncounted(void)
{
	int			guc_level = NewGUCNestLevel();

	switch_off("track_counts");
	switch_off("synchronize_seqscans");
	return guc_level;
}
