/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot.c
 *		Reads privacct.slot.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/policy.h"
#include "catalog/slot.h"

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

List *
pa_slots_of(int64 policy_id)
{
	Relation	rel = table_open(pa_catalog_relation("slot"), AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	List	   *slots = NIL;
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		if (DatumGetInt64(column(tuple, RelationGetDescr(rel), SLOT_POLICY)) == policy_id)
			slots = lappend(slots, read_slot(tuple, RelationGetDescr(rel)));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	list_sort(slots, by_number);
	return slots;
}
