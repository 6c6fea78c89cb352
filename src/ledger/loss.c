/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loss.c
 *		See loss.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "storage/lmgr.h"

#include "catalog/extension.h"
#include "ledger/loss.h"
#include "ledger/statement.h"
#include "ledger/transaction.h"

/* Not between the charges of somebody who asks one question after another. */
#define LOSS_AFTER_MS 200

/* What charges wait for is no more than one part. */
#define NEXT_PART_MS 1

static long next_ms = LOSS_AFTER_MS;	/* an earlier worker may have left something */
static int64 next_policy = 0;

static PaStatement loss_statement = {
	"SELECT privacct._keep_losses($1)", 1, {INT8OID}, NULL
};

void
pa_loss_note(void)
{
	next_ms = LOSS_AFTER_MS;
	next_policy = 0;
}

long
pa_loss_wait(void)
{
	return next_ms;
}

/*
 * Lines that somebody else is writing would make what is computed untrue, after it was
 * forgotten for their sake.  Nobody is waited for.
 */
static bool
lock_lines(void)
{
	static const char *const lines[] = {"ledger_line", "ledger_sum", "release_sum"};

	for (int i = 0; i < lengthof(lines); i++)
	{
		Oid			relation = pa_catalog_relation(lines[i]);

		if (!OidIsValid(relation) || !ConditionalLockRelationOid(relation, ShareLock))
			return false;
	}
	return true;
}

static void
keep_losses(void *none)
{
	Datum		argument = Int64GetDatum(next_policy);
	Datum		next;
	bool		all;

	(void) none;
	next_ms = LOSS_AFTER_MS;
	if (!lock_lines())
		return;
	pa_ledger_begin_query();
	pa_statement_run(&loss_statement, &argument, SPI_OK_SELECT);
	next = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &all);
	next_policy = all ? 0 : DatumGetInt64(next);
	next_ms = all ? -1 : NEXT_PART_MS;
	SPI_freetuptable(SPI_tuptable);
	pa_ledger_end_query();
}

void
pa_loss_follow(void)
{
	if (!pa_ledger_try(keep_losses, NULL))
		next_ms = -1;				/* until something is charged: the log need not say it again */
}
