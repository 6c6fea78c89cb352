/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h
 *		Transactions, locks, settings and buffers of the session.
 */
#ifndef PA_COMPAT_SESSION_H
#define PA_COMPAT_SESSION_H

#include "compat/version.h"

#include "storage/buf_internals.h"
#include "storage/bufmgr.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "utils/backend_status.h"
#include "utils/guc_tables.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#if PG_VERSION_NUM < 170000
#include "utils/old_snapshot.h"
#endif

static inline LocalTransactionId
pa_local_transaction(void)
{
#if PG_VERSION_NUM >= 170000
	return MyProc->vxid.lxid;
#else
	return MyProc->lxid;
#endif
}

static inline bool
pa_holds_lock(const LOCKTAG *tag, LOCKMODE mode)
{
#if PG_VERSION_NUM >= 170000
	return LockHeldByMe(tag, mode, false);
#else
	return LockHeldByMe(tag, mode);
#endif
}

/* The setting, as the server keeps it; NULL: there is none. */
static inline struct config_generic *
pa_find_setting(const char *name)
{
#if PG_VERSION_NUM >= 160000
	int			number;
	struct config_generic **settings = get_guc_variables(&number);
#else
	int			number = GetNumConfigOptions();
	struct config_generic **settings = get_guc_variables();
#endif

	for (int i = 0; i < number; i++)
		if (strcmp(settings[i]->name, name) == 0)
			return settings[i];
	return NULL;
}

/* What the server tells of one of its sessions, from 1. */
static inline LocalPgBackendStatus *
pa_session_status(int number)
{
#if PG_VERSION_NUM >= 160000
	return pgstat_get_local_beentry_by_index(number);
#else
	return pgstat_fetch_stat_local_beentry(number);
#endif
}

/* Whether a statement fails once rows were written after its snapshot; PostgreSQL 17 has no such setting. */
static inline bool
pa_snapshots_expire(void)
{
#if PG_VERSION_NUM >= 170000
	return false;
#else
	return old_snapshot_threshold >= 0;
#endif
}

/* A transaction that takes too long ends its session: since 17. */
static inline bool
pa_is_transaction_timeout(int sqlstate)
{
#if PG_VERSION_NUM >= 170000
	return sqlstate == ERRCODE_TRANSACTION_TIMEOUT;
#else
	return false;
#endif
}

/*
 * Others may be waiting for a page that was being read.  In 16 the page is let go with the
 * resource owner, when the transaction aborts, and cannot be before.
 */
static inline void
pa_let_go_of_reads(void)
{
#if PG_VERSION_NUM >= 170000
	if (CurrentResourceOwner)
		ResourceOwnerReleaseAllOfKind(CurrentResourceOwner, &buffer_io_resowner_desc);
#elif PG_VERSION_NUM < 160000
	AbortBufferIO();
#endif
}

#endif							/* PA_COMPAT_SESSION_H */
