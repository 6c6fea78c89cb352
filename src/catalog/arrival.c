/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrival.c
 *		Rows of the books that no function of the extension wrote.
 *
 * Row triggers see them by whatever way they come: by a statement on the table, on a
 * partitioned table or a parent that it was given, or by a subscription.  A restore
 * brings millions, so what is written down is written down once a statement.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "replication/logicalworker.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "compat/session.h"

/* When that was last done: what was rolled back is done again. */
static struct
{
	LocalTransactionId transaction;
	SubTransactionId part;
	CommandId	command;
}			noted;

static bool
is_noted(void)
{
	return noted.transaction == pa_local_transaction() && noted.part == GetCurrentSubTransactionId() &&
		noted.command == GetCurrentCommandId(false);
}

static void
note_arrival(Relation table)
{
	Oid			types[2] = {TEXTOID, BOOLOID};
	Datum		values[2] = {CStringGetTextDatum(RelationGetRelationName(table)), BoolGetDatum(IsLogicalWorker())};

	SPI_connect();
	SPI_execute_with_args("SELECT privacct._note_arrival($1, $2)", 2, types, values, NULL, false, 0);
	SPI_finish();
	noted.transaction = pa_local_transaction();
	noted.part = GetCurrentSubTransactionId();
	noted.command = GetCurrentCommandId(false);
}

/* _find_arrival(): what changes or deletes rows, other triggers see. */
PG_FUNCTION_INFO_V1(pa_find_arrival);
PGDLLEXPORT Datum
pa_find_arrival(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("function was not called by a trigger"));
	if (!is_noted())
		note_arrival(trigger->tg_relation);
	PG_RETURN_POINTER(trigger->tg_trigtuple);
}

/* _by_subscription() */
PG_FUNCTION_INFO_V1(pa_by_subscription);
PGDLLEXPORT Datum
pa_by_subscription(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(IsLogicalWorker());
}
