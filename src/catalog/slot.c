/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot.c
 *		Reads privacct.slot.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "executor/tuptable.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/policy.h"
#include "catalog/slot.h"
#include "core/accounting/plan.h"

/* column numbers of privacct.slot; see migrations/ */
enum
{
	SLOT_POLICY = 1, SLOT_NUMBER, SLOT_PLAN, SLOT_ROLE, SLOT_KERNEL, SLOT_NOISE, SLOT_GROUPS, SLOT_WITHIN,
	SLOT_WEIGHT, SLOT_SCALE, SLOT_Q, SLOT_ACCEPTANCE, SLOT_RHO, SLOT_EPSILON, SLOT_RELEASES, SLOT_USED
};

static Datum
column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	if (isnull)
		elog(ERROR, "null column %d in privacct.slot", attnum);
	return value;
}

static PaKernel
read_noise(HeapTuple tuple, TupleDesc desc)
{
	char	   *written = TextDatumGetCString(column(tuple, desc, SLOT_NOISE));
	PaKernel	kernel;

	if (pa_kernel_parse(written, &kernel) != PA_OK)
		elog(ERROR, "noise \"%s\" in privacct.slot is not the text of a kernel", written);
	return kernel;
}

static PaSlot *
read_slot(HeapTuple tuple, TupleDesc desc)
{
	PaSlot	   *slot = palloc0(sizeof(PaSlot));
	bool		isnull;

	slot->plan_id = DatumGetInt64(column(tuple, desc, SLOT_PLAN));
	slot->number = DatumGetInt32(column(tuple, desc, SLOT_NUMBER));
	slot->role = DatumGetObjectId(heap_getattr(tuple, SLOT_ROLE, desc, &isnull));
	slot->everybodys = isnull;
	slot->kernel = read_noise(tuple, desc);
	slot->groups = DatumGetInt32(column(tuple, desc, SLOT_GROUPS));
	slot->within = DatumGetFloat8(heap_getattr(tuple, SLOT_WITHIN, desc, &isnull));
	if (isnull)
		slot->within = -1;
	slot->rho = DatumGetFloat8(column(tuple, desc, SLOT_RHO));
	slot->epsilon = DatumGetFloat8(column(tuple, desc, SLOT_EPSILON));
	slot->left = DatumGetInt64(column(tuple, desc, SLOT_RELEASES)) - DatumGetInt64(column(tuple, desc, SLOT_USED));
	return slot;
}

static int
by_number(const ListCell *a, const ListCell *b)
{
	const PaSlot *first = lfirst(a);
	const PaSlot *second = lfirst(b);

	return first->number < second->number ? -1 : first->number > second->number;
}

/*
 * Where the slots of the policy were that this session asked for last.  Each use makes a
 * new version of a row, and while an old transaction is open none goes away: whoever
 * goes through the table looks at all of them.  From where a row was, only those are
 * looked at that came since.  The slots of a plan come and go together.
 */
static struct
{
	Oid			table;
	int64		policy_id;
	int			count;
	struct
	{
		int64		plan_id;
		int			number;
		ItemPointerData place;
	}			slots[PA_PLAN_SLOTS];
}			last;

static void
note(HeapTuple tuple, const PaSlot *slot)
{
	last.slots[last.count].plan_id = slot->plan_id;
	last.slots[last.count].number = slot->number;
	last.slots[last.count++].place = tuple->t_self;
}

/* The i-th slot as it is now; NULL if it is not found where it was. */
static PaSlot *
follow(TableScanDesc scan, int i, TupleTableSlot *row)
{
	ItemPointer place = &last.slots[i].place;
	HeapTuple	tuple;
	PaSlot	   *slot;

	if (!table_tuple_tid_valid(scan, place))
		return NULL;
	table_tuple_get_latest_tid(scan, place);
	if (!table_tuple_fetch_row_version(scan->rs_rd, place, scan->rs_snapshot, row))
		return NULL;
	tuple = ExecFetchSlotHeapTuple(row, false, NULL);
	if (DatumGetInt64(column(tuple, row->tts_tupleDescriptor, SLOT_POLICY)) != last.policy_id)
		return NULL;
	slot = read_slot(tuple, row->tts_tupleDescriptor);
	return slot->plan_id == last.slots[i].plan_id && slot->number == last.slots[i].number ? slot : NULL;
}

/* The slots from where they were; NIL if one is not found. */
static List *
follow_all(Relation rel, int64 policy_id)
{
	Snapshot	snapshot = RegisterSnapshot(GetCatalogSnapshot(RelationGetRelid(rel)));
	TableScanDesc scan = table_beginscan_tid(rel, snapshot);
	TupleTableSlot *row = table_slot_create(rel, NULL);
	List	   *slots = NIL;
	bool		found = last.table == RelationGetRelid(rel) && last.policy_id == policy_id;

	for (int i = 0; found && i < last.count; i++)
	{
		PaSlot	   *slot = follow(scan, i, row);

		found = slot != NULL;
		slots = lappend(slots, slot);
	}
	ExecDropSingleTupleTableSlot(row);
	table_endscan(scan);
	UnregisterSnapshot(snapshot);
	return found ? slots : NIL;
}

static List *
find_all(Relation rel, int64 policy_id)
{
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	List	   *slots = NIL;
	HeapTuple	tuple;

	last.table = RelationGetRelid(rel);
	last.policy_id = policy_id;
	last.count = 0;
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		if (DatumGetInt64(column(tuple, RelationGetDescr(rel), SLOT_POLICY)) != policy_id)
			continue;
		slots = lappend(slots, read_slot(tuple, RelationGetDescr(rel)));
		if (last.count < PA_PLAN_SLOTS)
			note(tuple, llast(slots));
	}
	systable_endscan(scan);
	return slots;
}

List *
pa_slots_of(int64 policy_id)
{
	Relation	rel = table_open(pa_catalog_relation("slot"), AccessShareLock);
	List	   *slots = follow_all(rel, policy_id);

	if (slots == NIL)
		slots = find_all(rel, policy_id);
	table_close(rel, AccessShareLock);
	list_sort(slots, by_number);
	return slots;
}
