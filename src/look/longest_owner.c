/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * longest_owner.c
 *		See longest_owner.h.
 *
 * Entries of an index are counted as they come, if they come owner by owner; else,
 * and if there are several tables, when they are sorted.  Among them are entries of
 * rows that are gone: an owner with too many is looked at again, row by row.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

#include "compat/executor.h"
#include "look/longest_owner.h"
#include "look/owner_index.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "quiet/traces.h"
#include "quiet/uncounted.h"
#include "errors.h"
#include "settings.h"

typedef struct Count
{
	const PaPolicy *policy;
	Snapshot	snapshot;
	List	   *tables;
	TypeCacheEntry *type;		/* of owners */
	Datum		owner;			/* whose entries are being counted; none yet while entries is 0 */
	int64		entries;
	bool		fits;			/* so far */
} Count;

static void PA_NORETURN
refuse_without_index(void)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("query on a protected table is not allowed"),
			errdetail("No index says how many rows each owner has."),
			errhint("The table's owner has to create an index that begins with the owner column and has none but public columns."));
}

static PaOwnerIndex *
open_index(const Count *count, Oid table, const Datum *owner)
{
	PaOwnerIndex *index = pa_owner_index_open(count->policy, table, owner, count->snapshot);

	if (index == NULL)
		refuse_without_index();
	return index;
}

/* --- one owner --- */

static int64
rows_of(const Count *count, Datum owner)
{
	int64		rows = 0;
	ListCell   *cell;

	foreach(cell, count->tables)
	{
		PaOwnerIndex *index = open_index(count, lfirst_oid(cell), &owner);
		Datum		found;

		while (pa_owner_index_next(index, &found))
			rows += pa_owner_index_sees_row(index);
		pa_owner_index_close(index);
	}
	return rows;
}

static void
finish_owner(Count *count)
{
	if (count->entries > count->policy->max_entries && rows_of(count, count->owner) > count->policy->max_entries)
		count->fits = false;
	if (count->entries > 0 && !count->type->typbyval)
		pfree(DatumGetPointer(count->owner));
	count->entries = 0;
}

/* Owners come in order. */
static void
add_entry(Count *count, Datum owner)
{
	if (count->entries > 0 &&
		DatumGetInt32(FunctionCall2Coll(&count->type->cmp_proc_finfo, C_COLLATION_OID, count->owner, owner)) != 0)
		finish_owner(count);
	if (count->entries == 0)
		count->owner = datumCopy(owner, count->type->typbyval, count->type->typlen);
	count->entries++;
}

/* --- all of them --- */

static void
count_in_order(Count *count, PaOwnerIndex *index)
{
	Datum		owner;

	while (count->fits && pa_owner_index_next(index, &owner))
		add_entry(count, owner);
}

static void
collect(Tuplesortstate *sort, PaOwnerIndex *index)
{
	Datum		owner;

	while (pa_owner_index_next(index, &owner))
		tuplesort_putdatum(sort, owner, false);
}

static void
count_sorted(Count *count)
{
	Tuplesortstate *sort = tuplesort_begin_datum(count->policy->owner_type, count->type->lt_opr, C_COLLATION_OID, false,
												 pa_owner_memory, NULL, TUPLESORT_NONE);
	Datum		owner;
	bool		isnull;
	ListCell   *cell;

	foreach(cell, count->tables)
	{
		PaOwnerIndex *index = open_index(count, lfirst_oid(cell), NULL);

		collect(sort, index);
		pa_owner_index_close(index);
	}
	tuplesort_performsort(sort);
	while (count->fits && pa_next_sorted(sort, &owner, &isnull))
	{
		add_entry(count, owner);
		if (!count->type->typbyval)
			pfree(DatumGetPointer(owner));
	}
	tuplesort_end(sort);
}

static void
count_entries(Count *count)
{
	PaOwnerIndex *index = list_length(count->tables) == 1 ? open_index(count, linitial_oid(count->tables), NULL) : NULL;

	if (index && pa_owner_index_is_ordered(index))
		count_in_order(count, index);
	else
		count_sorted(count);
	if (index)
		pa_owner_index_close(index);
	finish_owner(count);
}

static void
look(void *argument)
{
	Count	   *count = argument;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct entries", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	int			guc_level = pa_uncounted();

	pa_traces_begin_look();
	count->tables = pa_owner_tables(count->policy);
	count->type = lookup_type_cache(count->policy->owner_type, TYPECACHE_CMP_PROC_FINFO | TYPECACHE_LT_OPR);
	count_entries(count);
	AtEOXact_GUC(false, guc_level);
	pa_forget_turn();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	pa_traces_end_look();
}

void
pa_require_longest_owner(const PaPolicy *policy, Snapshot snapshot)
{
	Count		count = {.policy = policy,.snapshot = snapshot,.fits = true};

	if (policy->max_entries == 0)
		return;
	pa_delay_look(policy, look, &count);
	if (!count.fits)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("An owner has more rows than the policy allows."),
				errhint("The table's owner can declare more with privacct.set_priors()."));
}

void
pa_recheck_longest_owner(const PaPolicy *checked, Snapshot snapshot)
{
	const PaPolicy *policy;

	AcceptInvalidationMessages();
	policy = pa_policy_of(checked->relation);
	if (policy && policy->policy_id == checked->policy_id && policy->version != checked->version)
		pa_require_longest_owner(policy, snapshot);
}
