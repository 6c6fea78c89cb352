/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locks.c
 *		Nobody locks what is written with the rows of a protected table but those who
 *		may read it as it is, whatever they own and whatever was granted to them.
 *
 * Waiting for a lock shows that somebody writes to a table: to which partition, and
 * to which table a row refers.  rights.c asks for the rights that a command needs; but
 * commands go beyond the table that they name: to its partitions, to the other tables
 * of its foreign keys, to all that depends on it.  Here each command is known: either
 * it takes no lock for which writers would make it wait, or the relations that it may
 * lock are found, rather more than less.  What is not known is refused.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "tcop/utility.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "catalog/policy.h"
#include "catalog/written_with.h"
#include "errors.h"
#include "guard/guard.h"
#include "guard/lock_reach.h"
#include "guard/named.h"

/*
 * Commands that lock no relation that is there already, or no more than reading and
 * writing rows do; or that only superusers may give; or that run others, which come
 * here by themselves.
 */
static bool
takes_no_lock(NodeTag command)
{
	switch (command)
	{
			/* sessions and transactions */
		case T_TransactionStmt:
		case T_ConstraintsSetStmt:
		case T_ListenStmt:
		case T_NotifyStmt:
		case T_UnlistenStmt:
		case T_VariableSetStmt:
		case T_VariableShowStmt:
		case T_LoadStmt:
		case T_CheckPointStmt:
			/* queries */
		case T_CallStmt:
		case T_ClosePortalStmt:
		case T_CopyStmt:
		case T_CreateTableAsStmt:
		case T_DeallocateStmt:
		case T_DeclareCursorStmt:
		case T_DoStmt:
		case T_ExecuteStmt:
		case T_ExplainStmt:
		case T_FetchStmt:
		case T_PrepareStmt:
			/* the cluster */
		case T_AlterDatabaseRefreshCollStmt:
		case T_AlterDatabaseSetStmt:
		case T_AlterDatabaseStmt:
		case T_AlterRoleSetStmt:
		case T_AlterRoleStmt:
		case T_AlterSystemStmt:
		case T_AlterTableSpaceOptionsStmt:
		case T_CreateRoleStmt:
		case T_CreateTableSpaceStmt:
		case T_CreatedbStmt:
		case T_DropRoleStmt:
		case T_DropTableSpaceStmt:
		case T_DropdbStmt:
		case T_GrantRoleStmt:
			/* privileges and owners; those of tables are changed by ALTER TABLE */
		case T_AlterDefaultPrivilegesStmt:
		case T_AlterOwnerStmt:
		case T_GrantStmt:
			/* objects that have no rows */
		case T_AlterCollationStmt:
		case T_AlterEnumStmt:
		case T_AlterEventTrigStmt:
		case T_AlterFdwStmt:
		case T_AlterForeignServerStmt:
		case T_AlterFunctionStmt:
		case T_AlterOpFamilyStmt:
		case T_AlterOperatorStmt:
		case T_AlterStatsStmt:
		case T_AlterSubscriptionStmt:
		case T_AlterTSConfigurationStmt:
		case T_AlterTSDictionaryStmt:
		case T_AlterTypeStmt:
		case T_AlterUserMappingStmt:
		case T_CompositeTypeStmt:
		case T_CreateAmStmt:
		case T_CreateCastStmt:
		case T_CreateConversionStmt:
		case T_CreateDomainStmt:
		case T_CreateEnumStmt:
		case T_CreateEventTrigStmt:
		case T_CreateFdwStmt:
		case T_CreateForeignServerStmt:
		case T_CreateFunctionStmt:
		case T_CreateOpClassStmt:
		case T_CreateOpFamilyStmt:
		case T_CreatePLangStmt:
		case T_CreateRangeStmt:
		case T_CreateSeqStmt:
		case T_CreateSubscriptionStmt:
		case T_CreateTransformStmt:
		case T_CreateUserMappingStmt:
		case T_DefineStmt:
		case T_DropSubscriptionStmt:
		case T_DropUserMappingStmt:
			/* each of their commands comes here */
		case T_AlterExtensionStmt:
		case T_CreateExtensionStmt:
		case T_CreateSchemaStmt:
		case T_ImportForeignSchemaStmt:
			return true;
		default:
			return false;
	}
}

/* Relations of which the command changes nothing but themselves; NULL is none. */
static void
add_named(PaRelationSet *reached, const Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_AlterExtensionContentsStmt:
			pa_reach_owned_tree(reached, pa_relation_in_name(((const AlterExtensionContentsStmt *) statement)->objtype,
															  ((const AlterExtensionContentsStmt *) statement)->object));
			break;
		case T_AlterObjectDependsStmt:
			pa_reach_owned_tree(reached, ((const AlterObjectDependsStmt *) statement)->relation);
			break;
		case T_AlterPolicyStmt:
			pa_reach_owned_tree(reached, ((const AlterPolicyStmt *) statement)->table);
			break;
		case T_AlterPublicationStmt:
			pa_reach_by_publication(reached, (const AlterPublicationStmt *) statement);
			break;
		case T_AlterSeqStmt:
			pa_reach_owned_tree(reached, ((const AlterSeqStmt *) statement)->sequence);
			break;
		case T_CommentStmt:
			pa_reach_owned_tree(reached, pa_relation_in_name(((const CommentStmt *) statement)->objtype, ((const CommentStmt *) statement)->object));
			break;
		case T_CreatePolicyStmt:
			pa_reach_owned_tree(reached, ((const CreatePolicyStmt *) statement)->table);
			break;
		case T_CreatePublicationStmt:
			pa_reach_published(reached, ((const CreatePublicationStmt *) statement)->pubobjects);
			break;
		case T_CreateStatsStmt:
			pa_reach_owned_trees(reached, ((const CreateStatsStmt *) statement)->relations);
			break;
		case T_CreateTrigStmt:	/* by the privilege TRIGGER, too */
			pa_reach_tree(reached, pa_relation_of(((const CreateTrigStmt *) statement)->relation));
			pa_reach_tree(reached, pa_relation_of(((const CreateTrigStmt *) statement)->constrrel));
			break;
		case T_IndexStmt:
			pa_reach_owned_tree(reached, ((const IndexStmt *) statement)->relation);
			break;
		case T_RefreshMatViewStmt:
			pa_reach_owned_tree(reached, ((const RefreshMatViewStmt *) statement)->relation);
			break;
		case T_RuleStmt:
			pa_reach_owned_tree(reached, ((const RuleStmt *) statement)->relation);
			break;
		case T_SecLabelStmt:
			pa_reach_owned_tree(reached, pa_relation_in_name(((const SecLabelStmt *) statement)->objtype, ((const SecLabelStmt *) statement)->object));
			break;
		case T_ViewStmt:
			pa_reach_owned_tree(reached, ((const ViewStmt *) statement)->view);
			break;
		default:
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("%s is not allowed where tables are protected", CreateCommandName((Node *) statement)),
					errdetail("Which tables the command locks is not known."),
					errhint("Have a superuser give it."));
	}
}

static void
add_reached(PaRelationSet *reached, const Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_AlterDomainStmt:
			pa_reach_by_domain(reached, (const AlterDomainStmt *) statement);
			break;
		case T_AlterObjectSchemaStmt:
			pa_reach_by_set_schema(reached, (const AlterObjectSchemaStmt *) statement);
			break;
		case T_AlterTableMoveAllStmt:
			pa_reach_by_move(reached);
			break;
		case T_AlterTableStmt:
			pa_reach_by_alter(reached, (const AlterTableStmt *) statement);
			break;
		case T_ClusterStmt:
			pa_reach_by_cluster(reached, (const ClusterStmt *) statement);
			break;
		case T_CreateForeignTableStmt:
			pa_reach_by_create(reached, &((const CreateForeignTableStmt *) statement)->base);
			break;
		case T_CreateStmt:
			pa_reach_by_create(reached, (const CreateStmt *) statement);
			break;
		case T_DiscardStmt:
			pa_reach_by_discard(reached, (const DiscardStmt *) statement);
			break;
		case T_DropOwnedStmt:
			pa_reach_by_drop_owned(reached, (const DropOwnedStmt *) statement);
			break;
		case T_DropStmt:
			pa_reach_by_drop(reached, (const DropStmt *) statement);
			break;
		case T_LockStmt:
			pa_reach_by_lock(reached, (const LockStmt *) statement);
			break;
		case T_ReassignOwnedStmt:
			pa_reach_by_reassign(reached, (const ReassignOwnedStmt *) statement);
			break;
		case T_ReindexStmt:
			pa_reach_by_reindex(reached, (const ReindexStmt *) statement);
			break;
		case T_RenameStmt:
			pa_reach_by_rename(reached, (const RenameStmt *) statement);
			break;
		case T_TruncateStmt:
			pa_reach_by_truncate(reached, (const TruncateStmt *) statement);
			break;
		case T_VacuumStmt:
			pa_reach_by_vacuum(reached, (const VacuumStmt *) statement);
			break;
		default:
			add_named(reached, statement);
			break;
	}
}

static void
refuse(const Node *statement, Oid relation, Oid protected)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_REFUSED),
			errmsg("%s would lock relation %s", CreateCommandName((Node *) statement), pa_name_of_table(relation)),
			errdetail("It is locked when rows of the protected table %s are written: waiting for it would show when that happens.",
					  pa_name_of_table(protected)),
			errhint("Have the owner of table %s give the command, or name only tables that no partition, foreign key or type connects with it.",
					pa_name_of_table(protected)));
}

static void
check_reached(const Node *statement)
{
	PaRelationSet *reached = pa_relation_set();
	const ListCell *cell;

	add_reached(reached, statement);
	foreach(cell, pa_relation_set_members(reached))
	{
		Oid			protected = pa_written_with(lfirst_oid(cell), GetUserId());

		if (OidIsValid(protected))
			refuse(statement, lfirst_oid(cell), protected);
	}
}

void
pa_refuse_locks(const Node *statement)
{
	MemoryContext context;
	MemoryContext caller;

	if (takes_no_lock(nodeTag(statement)) || !IsTransactionState() || superuser() || !pa_policies_exist())
		return;
	context = AllocSetContextCreate(CurrentMemoryContext, "privacct locks of a command", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	check_reached(statement);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}
