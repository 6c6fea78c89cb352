/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * members.c
 *		See members.h.
 *
 * Partitions and children are listed, then locked: one may have left meanwhile, with
 * what the policy had charged by then.  The answer would be about its rows, and the
 * charge unknown to whoever protects it next.  One that came in this transaction may
 * be gone after a rollback, which takes back no charge.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "executor/spi.h"
#include "nodes/parsenodes.h"
#include "nodes/pathnodes.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "catalog/members.h"
#include "errors.h"

static Oid
table_of(const PlannedStmt *plan, Index index)
{
	const RangeTblEntry *entry = rt_fetch(index, plan->rtable);

	return entry->rtekind == RTE_RELATION ? entry->relid : InvalidOid;
}

/* The tables below the root in the plan, at any depth. */
static List *
planned_members(const PlannedStmt *plan, Oid root)
{
	List	   *members = NIL;
	int			known;

	do
	{
		ListCell   *cell;

		known = list_length(members);
		foreach(cell, plan->appendRelations)
		{
			const AppendRelInfo *child = lfirst(cell);
			Oid			parent = table_of(plan, child->parent_relid);

			if (parent == root || list_member_oid(members, parent))
				members = list_append_unique_oid(members, table_of(plan, child->child_relid));
		}
	} while (list_length(members) > known);
	return members;
}

/* Covered by now, and not only by this transaction.  (Without a snapshot the scan takes a new one, in parallel mode, too.) */
static bool
is_covered(Relation history, const PaPolicy *policy, Oid member)
{
	TupleDesc	desc = RelationGetDescr(history);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		covered = false;

	ScanKeyInit(&keys[0], SPI_fnumber(desc, "policy_id"), BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->policy_id));
	ScanKeyInit(&keys[1], SPI_fnumber(desc, "relation"), BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(member));
	scan = systable_beginscan(history, pa_catalog_relation("history_member"), true, NULL, lengthof(keys), keys);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		covered = heap_attisnull(tuple, SPI_fnumber(desc, "left_at"), desc) &&
			!TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data));
	systable_endscan(scan);
	return covered;
}

void
pa_require_members(const PaPolicy *policy, const PlannedStmt *plan)
{
	List	   *members = planned_members(plan, policy->relation);
	Relation	history;
	ListCell   *cell;

	if (members == NIL)
		return;
	history = table_open(pa_catalog_relation("history"), AccessShareLock);
	foreach(cell, members)
		if (!is_covered(history, policy, lfirst_oid(cell)))
			ereport(ERROR,
					errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
					errmsg("the partitions or children of table \"%s\" are being changed", get_rel_name(policy->relation)),
					errdetail("The query would read one that has left the table, or that was added in this transaction; the block was not charged."),
					errhint("Try again when that transaction has ended. If it is refused again, the owner of the table can find the remedy with SELECT * FROM privacct.check_books()."));
	table_close(history, AccessShareLock);
	list_free(members);
}
