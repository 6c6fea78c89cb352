/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * maintenance.c
 *		See maintenance.h.  The utility hook notes that a command is under way that
 *		may write figures; each transaction that it commits makes the sessions forget
 *		the protected tables on which it holds a lock, with their indexes and TOAST
 *		tables.  Which these are depends on the command, never on rows.
 *
 * It must be the same transaction: the command may go on for hours with other tables,
 * and who looks meanwhile would count one forgetting or two.  PostgreSQL tells of
 * figures in pg_class as soon as they are written, some before the commit.  So the
 * messages are sent at once, before the commit is flushed and waits for standbys;
 * and with the commit once more, for the standbys.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "storage/lmgr.h"
#include "storage/sinval.h"
#include "tcop/utility.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat/session.h"
#include "catalog/extension.h"
#include "catalog/maintenance.h"
#include "catalog/protected.h"

static ProcessUtility_hook_type previous_process_utility = NULL;
static int	running = 0;		/* such commands under way */
static bool maintained = false;	/* there was one in this transaction */

/* Commands that may write figures, among whatever else they do. */
static bool
is_maintenance(const Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_VacuumStmt:		/* ANALYZE, too */
		case T_ClusterStmt:
		case T_ReindexStmt:
		case T_IndexStmt:
		case T_AlterTableStmt:
			return true;
		default:
			return false;
	}
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	volatile int maintains = is_maintenance(statement->utilityStmt);

	running += maintains;
	maintained |= maintains;
	PG_TRY();
	{
		if (previous_process_utility)
			previous_process_utility(statement, source, read_only_tree, utility_context,
									 params, environment, destination, completion);
		else
			standard_ProcessUtility(statement, source, read_only_tree, utility_context,
									params, environment, destination, completion);
	}
	PG_FINALLY();
	{
		running -= maintains;
	}
	PG_END_TRY();
}

/* Strong enough for such a command. */
static bool
is_locked(Oid relation)
{
	LOCKTAG		tag;

	if (!OidIsValid(relation))
		return false;
	SET_LOCKTAG_RELATION(tag, MyDatabaseId, relation);
	for (LOCKMODE mode = ShareUpdateExclusiveLock; mode <= AccessExclusiveLock; mode++)
		if (pa_holds_lock(&tag, mode))
			return true;
	return false;
}

/* --- messages that are sent at once --- */

static void
send_entry(int cache, uint32 hash)
{
	SharedInvalidationMessage message = {0};

	message.cc.id = (int8) cache;
	message.cc.dbId = MyDatabaseId;
	message.cc.hashValue = hash;
	SendSharedInvalidMessages(&message, 1);
}

static void
send_relation(Oid relation)
{
	SharedInvalidationMessage message = {0};

	message.rc.id = SHAREDINVALRELCACHE_ID;
	message.rc.dbId = MyDatabaseId;
	message.rc.relId = relation;
	SendSharedInvalidMessages(&message, 1);
}

/* Statistics of columns, and of what an index computes: whether there are any or not. */
static void
send_statistics(Oid relation, int columns)
{
	for (int column = 1; column <= columns; column++)
		for (int inherited = 0; inherited <= 1; inherited++)
			send_entry(STATRELATTINH, GetSysCacheHashValue3(STATRELATTINH, ObjectIdGetDatum(relation),
															Int16GetDatum(column), BoolGetDatum(inherited)));
}

/* --- what is forgotten --- */

/* One table or index. */
static void
forget_relation(Relation classes, Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Form_pg_class form;

	if (!HeapTupleIsValid(tuple))
		return;					/* dropped by the same transaction */
	form = (Form_pg_class) GETSTRUCT(tuple);
	CacheInvalidateHeapTuple(classes, tuple, NULL);
	send_entry(RELOID, GetSysCacheHashValue1(RELOID, ObjectIdGetDatum(relation)));
	send_entry(RELNAMENSP, GetSysCacheHashValue2(RELNAMENSP, NameGetDatum(&form->relname), ObjectIdGetDatum(form->relnamespace)));
	send_statistics(relation, form->relnatts);
	send_relation(relation);
	ReleaseSysCache(tuple);
}

static void
forget_indexes(Relation classes, Oid relation)
{
	Relation	indexes = table_open(IndexRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_index_indrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(indexes, IndexIndrelidIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		forget_relation(classes, ((Form_pg_index) GETSTRUCT(tuple))->indexrelid);
	systable_endscan(scan);
	table_close(indexes, AccessShareLock);
}

static Oid
toast_table(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			toast = InvalidOid;

	if (HeapTupleIsValid(tuple))
	{
		toast = ((Form_pg_class) GETSTRUCT(tuple))->reltoastrelid;
		ReleaseSysCache(tuple);
	}
	return toast;
}

/* While its TOAST table is vacuumed, in a transaction of its own, a table stays locked. */
static void
forget_table(Relation classes, Oid relation)
{
	Oid			toast = toast_table(relation);

	if (!is_locked(relation) && !is_locked(toast))
		return;
	forget_relation(classes, relation);
	forget_indexes(classes, relation);
	if (OidIsValid(toast))
	{
		forget_relation(classes, toast);
		forget_indexes(classes, toast);
	}
}

static void
forget_tree(Relation classes, Oid root)
{
	ListCell   *cell;

	foreach(cell, find_all_inheritors(root, NoLock, NULL))
		forget_table(classes, lfirst_oid(cell));
}

static void
forget_locked_tables(void)
{
	Relation	classes;
	ListCell   *cell;

	if (!pa_policies_exist())
		return;
	classes = table_open(RelationRelationId, AccessShareLock);
	foreach(cell, pa_protected_roots())
		forget_tree(classes, lfirst_oid(cell));
	table_close(classes, AccessShareLock);
}

static void
at_end_of_transaction(XactEvent event, void *argument)
{
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
	{
		if (maintained)
			forget_locked_tables();
	}
	else if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_PREPARE || event == XACT_EVENT_ABORT)
		maintained = running > 0;
}

void
pa_maintenance_init(void)
{
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
	RegisterXactCallback(at_end_of_transaction, NULL);
}
