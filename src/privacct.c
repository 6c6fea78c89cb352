/*
 * privacct.c
 *		Module entry: initialises the rooms of the house, in the order of their
 *		dependence.  The only file that knows them all.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/guc.h"

#include "aggregate/leaf.h"
#include "aggregate/silence.h"
#include "catalog/policy.h"
#include "environment.h"
#include "guard/guard.h"
#include "ledger/ledger.h"
#include "local/spec.h"
#include "lookup/lookup.h"
#include "settings.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	pa_environment_init();
	pa_settings_init();
	pa_ledger_init();
	pa_policy_init();
	pa_silence_init();
	pa_lookup_init();
	pa_leaf_init();
	pa_local_init();
	pa_guard_init();
	MarkGUCPrefixReserved("privacct");
}
