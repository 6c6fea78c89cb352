/*
 * sum.c
 *		See sum.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "catalog/charge_lock.h"
#include "ledger/batch.h"
#include "ledger/statement.h"
#include "ledger/sum.h"

/* Lines that who looks adds up at most, but for those of a worker that ended. */
#define NEW_LINES 64

/* Lines summed at a time: charges wait meanwhile. */
#define LINES_AT_A_TIME 1000

typedef struct Behind
{
	int64		policy_id;		/* hash key */
	int			lines;			/* not summed; NEW_LINES if that is not known */
} Behind;

static HTAB *behind = NULL;
static bool any_far_behind = false;

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
	entry->lines = found ? Min(entry->lines + 1, NEW_LINES) : NEW_LINES;
	any_far_behind |= entry->lines >= NEW_LINES;
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

/* True if there is nothing more to do before the policy is charged again. */
static bool
sum_policy(int64 policy_id)
{
	bool		done = true;	/* whoever holds the policy is not waited for */

	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	(void) set_config_option("synchronous_commit", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
	pa_lock_ledger();
	if (pa_enter_policy(policy_id))
	{
		SPI_connect();
		PushActiveSnapshot(GetTransactionSnapshot());
		done = run_statement(policy_id);
		PopActiveSnapshot();
		SPI_finish();
	}
	CommitTransactionCommand();
	return done;
}

static bool
try_sum_policy(int64 policy_id)
{
	MemoryContext context = CurrentMemoryContext;
	volatile bool done = true;

	PG_TRY();
	{
		done = sum_policy(policy_id);
	}
	PG_CATCH();
	{
		(void) pa_batch_roll_back(context);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	return done;
}

/* Policies with many new lines; read before any transaction, which would end the scan. */
static List *
far_behind(void)
{
	List	   *found = NIL;
	HASH_SEQ_STATUS all;
	Behind	   *entry;

	hash_seq_init(&all, behind);
	while ((entry = hash_seq_search(&all)) != NULL)
		if (entry->lines >= NEW_LINES)
			found = lappend(found, entry);
	return found;
}

void
pa_sum_follow(void)
{
	List	   *policies;
	ListCell   *cell;

	if (!any_far_behind)
		return;
	any_far_behind = false;
	policies = far_behind();
	foreach(cell, policies)
	{
		Behind	   *entry = lfirst(cell);	/* entries are never removed */

		entry->lines = try_sum_policy(entry->policy_id) ? 0 : NEW_LINES;
		any_far_behind |= entry->lines > 0;
	}
	list_free(policies);
}
