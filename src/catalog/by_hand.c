/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * by_hand.c
 *		See by_hand.h.
 *
 * fmgr calls its hook for every function that has settings or is a security definer,
 * and so for all of the extension that write: they are made with the setting.  Of a
 * function that somebody else made with it, what it writes is written by hand.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "catalog/by_hand.h"
#include "catalog/extension.h"

static fmgr_hook_type previous_fmgr = NULL;
static Oid *running = NULL;		/* the innermost last */
static int	nrunning = 0;
static int	room = 0;
static bool never = false;
static bool by_hand = false;	/* of no meaning: what is shown is found out */

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

void
pa_by_hand_never(void)
{
	never = true;
}

static bool
is_by_hand(void)
{
	const char *open = GetConfigOption("privacct.write_books", true, false);

	if (never || creating_extension || IsBinaryUpgrade || open == NULL || strcmp(open, "on") != 0)
		return false;
	return nrunning == 0 || !pa_is_own_function(running[nrunning - 1]);
}

static const char *
show(void)
{
	return is_by_hand() ? "on" : "off";
}

/* A setting that nobody can set, for conditions of triggers: they name no function that needs the library. */
void
pa_by_hand_init(void)
{
	DefineCustomBoolVariable("privacct.by_hand",
							 "Shows whether what is written to the books now is written by hand.",
							 NULL,
							 &by_hand, false, PGC_INTERNAL, GUC_NOT_IN_SAMPLE, NULL, NULL, show);
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
