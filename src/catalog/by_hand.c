/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * by_hand.c
 *		See by_hand.h.
 *
 * fmgr calls its hook for every function that has settings or is a security definer,
 * and so for all of the extension that write: they are made with the setting.  Of a
 * function that somebody else made with it, what it writes is written by hand.  So is
 * what somebody's code writes that a statement of the extension comes across, such as
 * an event trigger, or a trigger of the ledger: the hook is asked for while code of
 * the extension runs.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "replication/logicalworker.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/memutils.h"

#include "compat/session.h"
#include "catalog/by_hand.h"
#include "catalog/extension.h"

static needs_fmgr_hook_type previous_needs_fmgr = NULL;
static fmgr_hook_type previous_fmgr = NULL;
static Oid *running = NULL;		/* the innermost last */
static int	nrunning = 0;
static int	room = 0;
static bool own_process = false;	/* what no function runs is the extension's */
static bool by_hand = false;	/* of no meaning: what is shown is found out */
static bool write_books = false;	/* read by the triggers of the extension's tables */
static struct config_generic *write_books_setting = NULL;
static GucStack *closed = NULL; /* where a function has turned it off, and code in it may turn it on */
static char *dropped_books = NULL;	/* of a database: read by privacct._dropped() */

static void
enter(Oid function)
{
	if (nrunning == room)
	{
		int			more = Max(room * 2, 64);

		running = running ? repalloc(running, more * sizeof(Oid)) : MemoryContextAlloc(TopMemoryContext, more * sizeof(Oid));
		room = more;
	}
	running[nrunning++] = function;
}

/* What errors out at the start of a call is not told of its end, so the others come first. */
static void
on_call(FmgrHookEventType event, FmgrInfo *function, Datum *private)
{
	if (previous_fmgr)
		previous_fmgr(event, function, private);
	if (event == FHET_START)
		enter(function->fn_oid);
	else
		nrunning--;
}

static bool
own_code_runs(void)
{
	return nrunning > 0 ? pa_is_own_function(running[nrunning - 1]) : own_process;
}

static bool
needs_fmgr(Oid function)
{
	return (previous_needs_fmgr && previous_needs_fmgr(function)) ||
		((nrunning > 0 || own_process) && pa_runs_others_code(function) && own_code_runs());
}

void
pa_by_hand_never(void)
{
	own_process = true;
}

bool
pa_extension_writes(void)
{
	return IsBinaryUpgrade || pa_in_own_script() || own_code_runs();
}

static void
warn_of_opening(void)
{
	ereport(WARNING,
			errmsg("statements may change the books of privacct from now on"),
			errdetail("What they write is noted in privacct.written_by_hand: what tables have spent might be forgotten."),
			errhint("Turn privacct.write_books off as soon as you are done."));
}

/*
 * Given to a database, a role or a function it stays, and who does that is told; who writes
 * it into a file, or the command that starts the server, would not be.
 */
static bool
check_write_books(bool *value, void **extra, GucSource source)
{
	if (!*value)
		return true;
	if (source == PGC_S_FILE || source == PGC_S_ARGV)
	{
		GUC_check_errdetail("Statements change the books of privacct in a session that has set it, or for whose role or database it was set.");
		return false;
	}
	if (source == PGC_S_TEST && !pa_in_own_script() && !IsBinaryUpgrade)
		warn_of_opening();
	return true;
}

/* By a function that has the setting, as it is entered, or by code in it. */
static bool
is_of_function(const GucStack *stack)
{
	return stack != NULL && stack->state == GUC_SAVE;
}

/* Not where what was on in the function goes off as it is left. */
static bool
is_closed_by_function(const GucStack *stack, bool value)
{
	return is_of_function(stack) && !value && !(write_books && !stack->prior.val.boolval);
}

/*
 * Whichever way a session gets it: a statement, a function that sets, the settings of its
 * role or its database, those that it was started with, or a transaction that is undone.
 */
static void
assign_write_books(bool value, void *extra)
{
	GucStack   *stack = write_books_setting ? write_books_setting->stack : NULL;
	bool		entered = is_of_function(stack) && stack != closed;

	closed = is_closed_by_function(stack, value) ? stack : NULL;
	if (value && !entered && (MyProcPort != NULL || !IsUnderPostmaster) && !pa_in_own_script() && !IsBinaryUpgrade)
		warn_of_opening();
}

/* What a publisher sends is no statement that leaves a line: it is not let in by the setting. */
static const char *
show_write_books(void)
{
	return write_books && (!IsLogicalWorker() || pa_extension_writes()) ? "on" : "off";
}

/*
 * By what is left with a database, books that are restored are known to be complete;
 * functions of the extension write it.  However it is set there, its value is tested first.
 */
static bool
check_dropped_books(char **value, void **extra, GucSource source)
{
	if (source == PGC_S_TEST && !pa_extension_writes())
		ereport(WARNING,
				errmsg("what keeps the books of privacct was changed"),
				errdetail("With this setting, books that are restored pass for complete: what tables have spent might be forgotten."),
				errhint("Undo it, and look at privacct.check_books()."));
	return true;
}

static const char *
show_by_hand(void)
{
	return write_books && !pa_extension_writes() ? "on" : "off";
}

/* Settings, for conditions of triggers: they name no function that needs the library. */
static void
define_settings(void)
{
	DefineCustomBoolVariable("privacct.write_books",
							 "Lets statements change the tables of the extension.",
							 "Its own functions set it for themselves.",
							 &write_books, false, PGC_SUSET, GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							 check_write_books, assign_write_books, show_write_books);
	write_books_setting = pa_find_setting("privacct.write_books");
	DefineCustomStringVariable("privacct.dropped_books",
							   "What DROP EXTENSION leaves with the database: the last charge of its books, and when it was made.",
							   NULL,
							   &dropped_books, "", PGC_SUSET, GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE, check_dropped_books, NULL, NULL);
	DefineCustomBoolVariable("privacct.by_hand",
							 "Shows whether what is written to the books now is written by hand.",
							 NULL,
							 &by_hand, false, PGC_INTERNAL, GUC_NOT_IN_SAMPLE, NULL, NULL, show_by_hand);
}

void
pa_by_hand_init(void)
{
	define_settings();
	previous_needs_fmgr = needs_fmgr_hook;
	needs_fmgr_hook = needs_fmgr;
	previous_fmgr = fmgr_hook;
	fmgr_hook = on_call;
}

void
pa_note_hand(const char *object, const char *command)
{
	Oid			types[] = {TEXTOID, TEXTOID};
	Datum		values[] = {CStringGetTextDatum(object), CStringGetTextDatum(command)};

	if (!OidIsValid(pa_catalog_relation("written_by_hand")))
		return;
	SPI_connect();
	SPI_execute_with_args("SELECT privacct._note_hand($1, $2)", lengthof(types), types, values, NULL, false, 0);
	SPI_finish();
}
