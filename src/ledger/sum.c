/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sum.c
 *		See sum.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "catalog/charge_lock.h"
#include "ledger/statement.h"
#include "ledger/sum.h"
#include "ledger/transaction.h"

/* New lines of a policy that are summed when nothing is to be charged, and those that are in any case. */
#define SOME_LINES 8
#define MANY_LINES 1024

/* Lines summed at a time: charges wait meanwhile. */
#define LINES_AT_A_TIME MANY_LINES

typedef struct Behind
{
	int64		policy_id;		/* hash key */
	int			lines;			/* not summed; MANY_LINES if that is not known */
} Behind;

static HTAB *behind = NULL;
static int	most_lines = 0;		/* that one of them may be behind */

static PaStatement sum_statement = {
	"SELECT privacct._sum_ledger($1, $2)", 2, {INT8OID, INT8OID}, NULL
};

static void
note(int64 policy_id)
{
	HASHCTL		ctl = {.keysize = sizeof(int64), .entrysize = sizeof(Behind), .hcxt = TopMemoryContext};
	Behind	   *entry;
	bool		found;

	if (behind == NULL)
		behind = hash_create("privacct ledger sums", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	entry = hash_search(behind, &policy_id, HASH_ENTER, &found);
	entry->lines = found ? Min(entry->lines + 1, MANY_LINES) : MANY_LINES;
	most_lines = Max(most_lines, entry->lines);
}

void
pa_sum_note(PaLedgerSlot **slots, int count)
{
	for (int i = 0; i < count; i++)
		if (slots[i]->answer.verdict == PA_VERDICT_CHARGED && slots[i]->answer.charge_id > 0)
			note(slots[i]->request.policy_id);
}

/* True if all lines are summed. */
static bool
run_statement(int64 policy_id)
{
	Datum		arguments[2] = {Int64GetDatum(policy_id), Int64GetDatum(LINES_AT_A_TIME)};
	bool		isnull;
	bool		all;

	pa_statement_run(&sum_statement, arguments, SPI_OK_SELECT);
	all = DatumGetBool(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_freetuptable(SPI_tuptable);
	return all;
}

static void
sum_policy(void *argument)
{
	Behind	   *entry = argument;

	entry->lines = 0;			/* whoever holds the policy is not waited for */
	if (!pa_enter_policy(entry->policy_id))
		return;
	pa_ledger_begin_query();
	if (!run_statement(entry->policy_id))
		entry->lines = MANY_LINES;
	pa_ledger_end_query();
}

/* Policies that are so many lines behind; read before any transaction, which would end the scan. */
static List *
behind_by(int lines)
{
	List	   *found = NIL;
	HASH_SEQ_STATUS all;
	Behind	   *entry;

	most_lines = 0;
	hash_seq_init(&all, behind);
	while ((entry = hash_seq_search(&all)) != NULL)
	{
		if (entry->lines >= lines)
			found = lappend(found, entry);
		else
			most_lines = Max(most_lines, entry->lines);
	}
	return found;
}

bool
pa_sum_is_wanted(void)
{
	return most_lines >= SOME_LINES;
}

void
pa_sum_follow(bool idle)
{
	int			lines = idle ? SOME_LINES : MANY_LINES;
	List	   *policies;
	ListCell   *cell;

	if (most_lines < lines)
		return;
	policies = behind_by(lines);
	foreach(cell, policies)
	{
		Behind	   *entry = lfirst(cell);	/* entries are never removed */

		if (!pa_ledger_try(sum_policy, entry))
			entry->lines = 0;
		most_lines = Max(most_lines, entry->lines);
	}
	list_free(policies);
}
