/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * privacct.c
 *		Module entry: initialises the rooms of the house, in the order of their
 *		dependence.  The only file that knows them all.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/guc.h"

#include "catalog/by_hand.h"
#include "catalog/maintenance.h"
#include "catalog/policy.h"
#include "node/central.h"
#include "node/dry_plan.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "quiet/serializable.h"
#include "quiet/silence.h"
#include "server_environment.h"
#include "guard/guard.h"
#include "ledger/ledger.h"
#include "local/spec.h"
#include "lookup/lookup.h"
#include "lookup/protected_group.h"
#include "settings.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

/*
 * A library that comes later has no ledger, and guards one session only: then
 * PostgreSQL's privileges, which let nobody read a protected table, are safer.
 */
static void
require_preload(void)
{
	if (!process_shared_preload_libraries_in_progress)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("privacct must be loaded when the server starts"),
				errhint("Add privacct to shared_preload_libraries and restart the server."));
}

void
_PG_init(void)
{
	require_preload();
	pa_environment_init();
	pa_extension_init();
	pa_settings_init();
	pa_ledger_init();
	pa_policy_init();
	pa_maintenance_init();
	pa_silence_init();
	pa_serializable_init();
	pa_quiet_init();
	pa_delay_init();
	pa_lookup_init();
	pa_protected_group_init();
	pa_leaf_init();
	pa_central_init();
	pa_local_init();
	pa_guard_init();
	pa_dry_plan_init();
	pa_by_hand_init();
	MarkGUCPrefixReserved("privacct");
}
