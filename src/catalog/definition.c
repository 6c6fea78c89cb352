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
#include "utils/datum.h"
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

/* Nothing is inferred from one that is not valid. */
static bool
is_unique(HeapTuple index)
{
	return ((Form_pg_index) GETSTRUCT(index))->indisunique && ((Form_pg_index) GETSTRUCT(index))->indisvalid;
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

/* Columns that make the fact; 0 ends them.  NULL: all. */
static bool
say_the_same(HeapTuple a, HeapTuple b, TupleDesc desc, const AttrNumber *columns)
{
	for (int i = 0; columns ? columns[i] != 0 : i < desc->natts; i++)
	{
		AttrNumber	column = columns ? columns[i] : i + 1;
		const FormData_pg_attribute *attribute = TupleDescAttr(desc, column - 1);
		bool		a_null;
		bool		b_null;
		Datum		a_value = heap_getattr(a, column, desc, &a_null);
		Datum		b_value = heap_getattr(b, column, desc, &b_null);

		if (a_null != b_null || (!a_null && !datum_image_eq(a_value, b_value, attribute->attbyval, attribute->attlen)))
			return false;
	}
	return true;
}

typedef struct Facts
{
	Oid			catalog;
	Oid			index;			/* none: the whole catalog is read */
	bool		(*is_fact) (HeapTuple row);
	const AttrNumber *columns;
} Facts;

/* Whether another row said so then: rows are replaced when an index is rebuilt, or statistics are set. */
static bool
was_so(const Facts *facts, Relation rel, ScanKeyData key, HeapTuple row, Snapshot snapshot)
{
	SysScanDesc scan = systable_beginscan(rel, facts->index, OidIsValid(facts->index), snapshot, 1, &key);
	bool		found = false;
	HeapTuple	then;

	while (!found && HeapTupleIsValid(then = systable_getnext(scan)))
		found = facts->is_fact(then) && pa_holds_in(then, snapshot) && say_the_same(row, then, RelationGetDescr(rel), facts->columns);
	systable_endscan(scan);
	return found;
}

/* Whether all that the rows of the key say was so when the snapshot was taken. */
static bool
all_hold(const Facts *facts, const ScanKeyData *key, Snapshot snapshot)
{
	Relation	rel = table_open(facts->catalog, AccessShareLock);
	ScanKeyData here = *key;	/* a scan changes it */
	SysScanDesc scan = systable_beginscan(rel, facts->index, OidIsValid(facts->index), NULL, 1, &here);
	bool		hold = true;
	HeapTuple	row;

	while (hold && HeapTupleIsValid(row = systable_getnext(scan)))
		hold = !facts->is_fact(row) || pa_holds_in(row, snapshot) || was_so(facts, rel, *key, row, snapshot);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return hold;
}

/* --- of PostgreSQL --- */

static const AttrNumber index_columns[] = {Anum_pg_index_indnkeyatts, Anum_pg_index_indnullsnotdistinct, Anum_pg_index_indimmediate,
Anum_pg_index_indkey, Anum_pg_index_indcollation, Anum_pg_index_indclass, Anum_pg_index_indexprs, Anum_pg_index_indpred, 0};

static const AttrNumber constraint_columns[] = {Anum_pg_constraint_contype, Anum_pg_constraint_condeferrable, Anum_pg_constraint_condeferred,
	Anum_pg_constraint_convalidated, Anum_pg_constraint_confrelid, Anum_pg_constraint_confmatchtype, Anum_pg_constraint_connoinherit,
Anum_pg_constraint_conkey, Anum_pg_constraint_confkey, Anum_pg_constraint_conpfeqop, Anum_pg_constraint_conbin, 0};

static const AttrNumber attribute_columns[] = {Anum_pg_attribute_attnum, Anum_pg_attribute_atttypid, 0};

static const struct
{
	Facts		facts;
	AttrNumber	relation;		/* column that says of which relation a row is */
}			sources[] = {
	{{IndexRelationId, IndexIndrelidIndexId, is_unique, index_columns}, Anum_pg_index_indrelid},
	{{ConstraintRelationId, ConstraintRelidTypidNameIndexId, is_any, constraint_columns}, Anum_pg_constraint_conrelid},
	{{AttributeRelationId, AttributeRelidNumIndexId, is_not_null, attribute_columns}, Anum_pg_attribute_attrelid},
	{{InheritsRelationId, InheritsRelidSeqnoIndexId, is_any, NULL}, Anum_pg_inherits_inhrelid},
};

static bool
is_defined_in(Oid relation, Snapshot snapshot)
{
	for (int i = 0; i < lengthof(sources); i++)
	{
		ScanKeyData key;

		ScanKeyInit(&key, sources[i].relation, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
		if (!all_hold(&sources[i].facts, &key, snapshot))
			return false;
	}
	return true;
}

/* --- of ours --- */

static bool
has_public_columns(const PaPolicy *policy, Snapshot snapshot)
{
	Facts		facts = {pa_catalog_relation("public_column"), pa_catalog_relation("public_column_pkey"), is_any, NULL};
	ScanKeyData key;

	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->policy_id));
	return all_hold(&facts, &key, snapshot);
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
		Facts		facts = {pa_catalog_relation(catalogs[i]), InvalidOid, is_any, NULL};
		ScanKeyData key;

		ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
		if (!all_hold(&facts, &key, snapshot))
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
					errdetail("The definition of table \"%s\", or what is declared of it, has changed since the snapshot was taken; the block was not charged.",
							  get_rel_name(relation)),
					errhint("Run the query again in a new transaction."));
		all = with_parents(all, relation);
	}
	list_free(all);
}
