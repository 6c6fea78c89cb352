/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * terminator.c
 *		See terminator.h.
 *
 * Whether a role is a superuser cannot be looked up when the session is about to
 * end.  So all of them are known beforehand, until one of pg_authid's rows changes.
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "quiet/terminator.h"

static volatile sig_atomic_t terminator = 0;	/* process id; 0: nobody, or unknown */
static volatile sig_atomic_t from_outside = false;	/* by another user of the operating system */

/* What PostgreSQL does; since 17 its signals share one function, which finds out. */
static void (*end_session) (int signal) = NULL;

static bool watching = false;
static List *superusers = NIL;
static bool superusers_known = false;

static void
remember_terminator(int signal, siginfo_t *info, void *context)
{
	if (terminator != PostmasterPid)
		terminator = info->si_pid;
	from_outside |= info->si_code <= 0 && info->si_uid != geteuid();
	end_session(signal);
}

/* If somebody else has put a handler in the place of PostgreSQL's, it is called as before. */
static void
watch_signal(void)
{
	struct sigaction action;

	if (sigaction(SIGTERM, NULL, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
		action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
		return;
	end_session = action.sa_handler;
	action.sa_sigaction = remember_terminator;
	action.sa_flags |= SA_SIGINFO;
	(void) sigaction(SIGTERM, &action, NULL);
}

static void
forget_superusers(Datum argument, int cache, uint32 hash)
{
	superusers_known = false;
}

static void
know_superusers(void)
{
	Relation	catalog = table_open(AuthIdRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(catalog, InvalidOid, false, NULL, 0, NULL);
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);
	HeapTuple	tuple;

	list_free(superusers);
	superusers = NIL;
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		if (((Form_pg_authid) GETSTRUCT(tuple))->rolsuper)
			superusers = lappend_oid(superusers, ((Form_pg_authid) GETSTRUCT(tuple))->oid);
	MemoryContextSwitchTo(caller);
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	superusers_known = true;
}

void
pa_terminator_watch(void)
{
	if (!watching)
	{
		CacheRegisterSyscacheCallback(AUTHOID, forget_superusers, (Datum) 0);
		watch_signal();
		watching = true;
	}
	if (!superusers_known)
		know_superusers();
}

bool
pa_terminated_by_authority(void)
{
	PGPROC	   *sender;

	if (from_outside || terminator == PostmasterPid)
		return true;
	sender = terminator > 0 ? BackendPidGetProc(terminator) : NULL;
	return sender != NULL && list_member_oid(superusers, sender->roleId);
}
