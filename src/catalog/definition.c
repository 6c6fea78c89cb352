/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * definition.c
 *		See definition.h.
 *
 * What rests on such facts is not only ours: PostgreSQL's planner infers from unique
 * indexes that the first match of a join is the last one and that a group needs no other
 * columns, and from bounds and checks which tables it need not read.  So it is not asked
 * which of them were used.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/definition.h"
#include "catalog/extension.h"
#include "catalog/policy.h"
#include "errors.h"

/* Whatever else was running then; one of this transaction if the snapshot was taken after it. */
bool
pa_holds_in(HeapTuple fact, Snapshot snapshot)
{
	TransactionId xid = HeapTupleHeaderGetXmin(fact->t_data);

	if (TransactionIdIsCurrentTransactionId(xid))
		return !IsolationUsesXactSnapshot() && HeapTupleHeaderGetCmin(fact->t_data) < snapshot->curcid;
	return !XidInMVCCSnapshot(xid, snapshot);
}

/* --- rows of a catalog --- */

static bool
is_unique(HeapTuple index)
{
	return ((Form_pg_index) GETSTRUCT(index))->indisunique;
}

static bool
is_not_null(HeapTuple column)
{
	return ((Form_pg_attribute) GETSTRUCT(column))->attnum > 0 && ((Form_pg_attribute) GETSTRUCT(column))->attnotnull;
}

static bool
is_any(HeapTuple row)
{
	return true;
}

/* Whether all rows of the key hold; without an index the whole catalog is read. */
static bool
all_hold(Oid catalog, Oid index, ScanKey key, bool (*is_fact) (HeapTuple row), Snapshot snapshot)
{
	Relation	rel = table_open(catalog, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, index, OidIsValid(index), NULL, 1, key);
	bool		hold = true;
	HeapTuple	row;

	while (hold && HeapTupleIsValid(row = systable_getnext(scan)))
		hold = !is_fact(row) || pa_holds_in(row, snapshot);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return hold;
}

/* --- of PostgreSQL --- */

static const struct
{
	Oid			catalog;
	Oid			index;
	AttrNumber	relation;		/* column that says of which relation a row is */
	bool		(*is_fact) (HeapTuple row);
}			sources[] = {
	{IndexRelationId, IndexIndrelidIndexId, Anum_pg_index_indrelid, is_unique},
	{ConstraintRelationId, ConstraintRelidTypidNameIndexId, Anum_pg_constraint_conrelid, is_any},
	{AttributeRelationId, AttributeRelidNumIndexId, Anum_pg_attribute_attrelid, is_not_null},
	{InheritsRelationId, InheritsRelidSeqnoIndexId, Anum_pg_inherits_inhrelid, is_any},
};

static bool
is_defined_in(Oid relation, Snapshot snapshot)
{
	for (int i = 0; i < lengthof(sources); i++)
	{
		ScanKeyData key;

		ScanKeyInit(&key, sources[i].relation, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
		if (!all_hold(sources[i].catalog, sources[i].index, &key, sources[i].is_fact, snapshot))
			return false;
	}
	return true;
}

/* --- of ours --- */

static bool
has_public_columns(const PaPolicy *policy, Snapshot snapshot)
{
	ScanKeyData key;

	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->policy_id));
	return all_hold(pa_catalog_relation("public_column"), pa_catalog_relation("public_column_pkey"), &key, is_any, snapshot);
}

/* Whose rows they are is read from the rows themselves; what else policies say is about no rows. */
static bool
is_declared_in(Oid relation, Snapshot snapshot)
{
	static const char *const catalogs[] = {"public_table", "public_fanout"};
	const PaPolicy *policy = pa_policy_of(relation);

	if (policy)
		return has_public_columns(policy, snapshot);
	for (int i = 0; i < lengthof(catalogs); i++)
	{
		ScanKeyData key;

		ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
		if (!all_hold(pa_catalog_relation(catalogs[i]), InvalidOid, &key, is_any, snapshot))
			return false;
	}
	return true;
}

/* --- all --- */

static List *
with_parents(List *relations, Oid child)
{
	Relation	rel = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;

	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(child));
	scan = systable_beginscan(rel, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
		relations = list_append_unique_oid(relations, ((Form_pg_inherits) GETSTRUCT(row))->inhparent);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return relations;
}

void
pa_require_older_definitions(List *relations, Snapshot snapshot)
{
	List	   *all = list_copy(relations);

	for (int i = 0; i < list_length(all); i++)
	{
		Oid			relation = list_nth_oid(all, i);

		if (!is_defined_in(relation, snapshot) || !is_declared_in(relation, snapshot))
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("query on a protected table is not allowed"),
					errdetail("The definition of table \"%s\", or what is declared of it, has changed since the snapshot was taken; nothing was charged.",
							  get_rel_name(relation)),
					errhint("Run the query again in a new transaction."));
		all = with_parents(all, relation);
	}
	list_free(all);
}
