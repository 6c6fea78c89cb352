/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * charge_lock.c
 *		See charge_lock.h.
 */
#include "postgres.h"

#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"

#include "catalog/charge_lock.h"
#include "catalog/extension.h"

static LOCKTAG
policy_tag(int64 policy_id)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, (uint32) (policy_id >> 32), (uint32) policy_id, PA_LOCK_POLICY);
	return tag;
}

/* What drops the extension locks it before any of its tables, in an order of its own. */
static void
keep_extension(void)
{
	Oid			extension = get_extension_oid(PA_EXTENSION, true);

	if (OidIsValid(extension))
		LockDatabaseObject(ExtensionRelationId, extension, 0, AccessShareLock);
}

void
pa_lock_ledger(void)
{
	LOCKTAG		tag;

	keep_extension();
	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, 0, PA_LOCK_LEDGER);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

bool
pa_enter_policy(int64 policy_id)
{
	LOCKTAG		tag = policy_tag(policy_id);

	return LockAcquire(&tag, ShareLock, false, true) != LOCKACQUIRE_NOT_AVAIL;
}

/*
 * _hold_charges(policy_id): waits for the charges that are being made to the
 * policy and holds others back until the end of the transaction.
 */
PG_FUNCTION_INFO_V1(pa_hold_charges);
PGDLLEXPORT Datum
pa_hold_charges(PG_FUNCTION_ARGS)
{
	LOCKTAG		tag;

	pa_require_version();
	tag = policy_tag(PG_GETARG_INT64(0));
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	PG_RETURN_VOID();
}
