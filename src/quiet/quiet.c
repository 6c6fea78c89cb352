/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiet.c
 *		See quiet.h.
 *
 * With whereToSendOutput set to nobody, elog.c decides for every message, whatever
 * its level and origin (those of parallel workers are raised again in the
 * leader), that it goes to the log alone.  The decision is made when a message is
 * raised and kept with it, so the original error can be written to the log when
 * it is caught, still without going to the client.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"

#include "compat/session.h"
#include "quiet/quiet.h"
#include "errors.h"

static emit_log_hook_type previous_emit_log = NULL;
static int	quiet_depth = 0;

/*
 * The session ends, because somebody says so, or by a limit of its own: that has no other way to
 * be told, and is told as well when all is read and the answer is held back.
 */
static bool
ends_by_command(const ErrorData *error)
{
	return error->elevel == FATAL &&
		(error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN || error->sqlerrcode == ERRCODE_CRASH_SHUTDOWN ||
		 pa_is_transaction_timeout(error->sqlerrcode));
}

static void
emit_log(ErrorData *error)
{
	if (quiet_depth > 0 && !IsParallelWorker() && ends_by_command(error))
		error->output_to_client = true;
	if (previous_emit_log)
		previous_emit_log(error);
}

void
pa_raise_canceled(void)
{
	ereport(ERROR,
			errcode(ERRCODE_QUERY_CANCELED),
			errmsg("canceling a release on a protected table"),
			errdetail("It was charged, and nothing was released."),
			errhint("Give the statement more time with statement_timeout before asking again."));
	pg_unreachable();
}

static void
raise_constant_error(int sqlstate)
{
	if (sqlstate == ERRCODE_QUERY_CANCELED)
		pa_raise_canceled();
	ereport(ERROR,
			errcode(ERRCODE_PA_RELEASE_FAILED),
			errmsg("a release on a protected table could not be completed"),
			errdetail("It was charged, and nothing was released."),
			errhint("The server log says what happened; ask the database administrator."));
}

/*
 * Temporary files take turns in the session's tablespaces, with its temporary
 * tables: where the next table lies would tell how many files there were.  Setting
 * the tablespaces anew begins with any one of them.
 */
void
pa_forget_turn(void)
{
	int			room = 4;
	Oid		   *tablespaces = NULL;
	int			count = 0;

	if (!TempTablespacesAreSet())
		return;
	do
	{
		room *= 2;
		if (tablespaces)
			pfree(tablespaces);
		tablespaces = MemoryContextAlloc(TopTransactionContext, sizeof(Oid) * room);
		count = GetTempTablespaces(tablespaces, room);
	} while (count == room);
	SetTempTablespaces(tablespaces, count);
}

void
pa_quietly(void (*work) (void *argument), void *argument)
{
	CommandDest output = whereToSendOutput;
	int			depth = quiet_depth;
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		whereToSendOutput = DestNone;
		quiet_depth++;
		work(argument);
	}
	PG_CATCH();
	{
		int			sqlstate = geterrcode();

		MemoryContextSwitchTo(context);
		EmitErrorReport();
		FlushErrorState();
		pa_forget_turn();
		quiet_depth = depth;
		whereToSendOutput = output;
		raise_constant_error(sqlstate);
	}
	PG_END_TRY();
	pa_forget_turn();
	quiet_depth = depth;
	whereToSendOutput = output;
}

void
pa_log_alone(void (*work) (void *argument), void *argument)
{
	CommandDest output = whereToSendOutput;
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		whereToSendOutput = DestNone;
		work(argument);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		whereToSendOutput = output;
		error->output_to_client = output == DestRemote;
		ReThrowError(error);
	}
	PG_END_TRY();
	whereToSendOutput = output;
}

void
pa_quiet_init(void)
{
	previous_emit_log = emit_log_hook;
	emit_log_hook = emit_log;
}
