/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * invalidate.c
 *		What other sessions must forget when the catalog of the extension changes:
 *		plans over, and policies of, the tables concerned, and nothing else.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "catalog/named_columns.h"

/* column numbers of privacct.policy and privacct.history, and of policy_id or the table itself elsewhere; see migrations/ */
#define POLICY_ID 1
#define POLICY_RELATION 2
#define FIRST_COLUMN 1

static void
invalidate(Oid relation)
{
	if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
		CacheInvalidateRelcacheByRelid(relation);
}

/* The table and its children: a plan may read one of them alone. */
static void
invalidate_tree(Oid root)
{
	ListCell   *cell;

	if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(root)))
		return;					/* dropped, or 0 */
	foreach(cell, find_all_inheritors(root, NoLock, NULL))
		invalidate(lfirst_oid(cell));
}

static Datum
column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	bool		isnull;

	return heap_getattr(tuple, attnum, desc, &isnull);
}

/* The tables of a privacy unit, which has no table of its own. */
static void
invalidate_unit(Relation policies, int64 unit)
{
	AttrNumber	attnum = get_attnum(RelationGetRelid(policies), "unit");
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (attnum == InvalidAttrNumber)
		return;					/* a database of version 0.1 */
	ScanKeyInit(&key, attnum, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(unit));
	scan = systable_beginscan(policies, get_relname_relid("policy_unit", RelationGetNamespace(policies)), true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		invalidate_tree(DatumGetObjectId(column(tuple, RelationGetDescr(policies), POLICY_RELATION)));
	systable_endscan(scan);
}

/* A row of privacct.policy. */
static void
policy_changed(Relation policies, HeapTuple row)
{
	Oid			relation = DatumGetObjectId(column(row, RelationGetDescr(policies), POLICY_RELATION));
	Datum		path_to;

	if (pa_named_column(row, RelationGetDescr(policies), "path_to", &path_to))
		invalidate(DatumGetObjectId(path_to));
	if (OidIsValid(relation))
		invalidate_tree(relation);
	else
		invalidate_unit(policies, DatumGetInt64(column(row, RelationGetDescr(policies), POLICY_ID)));
}

/* The tables of the policy that a row of another relation belongs to. */
static void
invalidate_policy(Oid policies, int64 policy_id)
{
	Relation	rel = table_open(policies, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, POLICY_ID, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy_id));
	scan = systable_beginscan(rel, get_relname_relid("policy_pkey", RelationGetNamespace(rel)), true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		policy_changed(rel, tuple);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
row_changed(Relation changed, Oid policies, HeapTuple row)
{
	TupleDesc	desc = RelationGetDescr(changed);

	if (RelationGetRelid(changed) == policies)
		policy_changed(changed, row);
	else if (strcmp(RelationGetRelationName(changed), "history") == 0)
		invalidate(DatumGetObjectId(column(row, desc, POLICY_RELATION)));
	else if (TupleDescAttr(desc, FIRST_COLUMN - 1)->attlen == sizeof(Oid))
		invalidate_tree(DatumGetObjectId(column(row, desc, FIRST_COLUMN)));
	else
		invalidate_policy(policies, DatumGetInt64(column(row, desc, FIRST_COLUMN)));
}

/*
 * Trigger on the catalog relations, for each row; for TRUNCATE, which tells no
 * rows, everything is invalidated.
 */
PG_FUNCTION_INFO_V1(pa_policy_changed);
PGDLLEXPORT Datum
pa_policy_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Oid			policies;

	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				errmsg("function was not called by a trigger"));
	policies = get_relname_relid("policy", RelationGetNamespace(trigger->tg_relation));
	if (!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		CacheInvalidateRelcacheAll();
	else
	{
		row_changed(trigger->tg_relation, policies, trigger->tg_trigtuple);
		if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
			row_changed(trigger->tg_relation, policies, trigger->tg_newtuple);
	}
	/* whether there is any policy at all */
	if (RelationGetRelid(trigger->tg_relation) == policies)
		invalidate(policies);
	return PointerGetDatum(NULL);
}

/* _forget_plans(relation): plans over the table are made, and judged, anew */
PG_FUNCTION_INFO_V1(pa_forget_plans);
PGDLLEXPORT Datum
pa_forget_plans(PG_FUNCTION_ARGS)
{
	invalidate_tree(PG_GETARG_OID(0));
	PG_RETURN_VOID();
}
