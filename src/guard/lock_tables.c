/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_tables.c
 *		Which relations a command may lock that names tables.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_rewrite.h"
#include "miscadmin.h"
#include "storage/lockdefs.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat/rights.h"
#include "descend.h"
#include "catalog/dependencies.h"
#include "guard/lock_reach.h"
#include "guard/named.h"

/* References to tables that are still to be made are to nothing. */
static void
reach_constraints(PaRelationSet *reached, const List *constraints)
{
	const ListCell *cell;

	foreach(cell, constraints)
	{
		const Constraint *constraint = lfirst(cell);

		if (constraint->contype == CONSTR_FOREIGN)
			pa_reach_tree(reached, pa_relation_of(constraint->pktable));
	}
}

static void
reach_element(PaRelationSet *reached, const Node *element)
{
	if (element && IsA(element, Constraint))
		reach_constraints(reached, list_make1(unconstify(Node *, element)));
	if (element && IsA(element, ColumnDef))
		reach_constraints(reached, ((const ColumnDef *) element)->constraints);
}

/* A partition gets the foreign keys of its parent. */
void
pa_reach_by_create(PaRelationSet *reached, const CreateStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->inhRelations)
		pa_reach_all_of(reached, pa_relation_of(lfirst(cell)));
	foreach(cell, statement->tableElts)
		reach_element(reached, lfirst(cell));
	reach_constraints(reached, statement->constraints);
}

/* What changes a table and its children, and nothing that depends on it. */
static bool
stays_in_tree(AlterTableType change)
{
	switch (change)
	{
		case AT_AddColumn:
		case AT_ColumnDefault:
		case AT_DropNotNull:
		case AT_SetNotNull:
		case AT_SetStatistics:
		case AT_SetOptions:
		case AT_ResetOptions:
		case AT_SetStorage:
		case AT_SetCompression:
		case AT_AddConstraint:
		case AT_ChangeOwner:
		case AT_ClusterOn:
		case AT_DropCluster:
		case AT_SetLogged:
		case AT_SetUnLogged:
		case AT_SetTableSpace:
		case AT_SetRelOptions:
		case AT_ResetRelOptions:
		case AT_EnableTrig:
		case AT_EnableAlwaysTrig:
		case AT_EnableReplicaTrig:
		case AT_DisableTrig:
		case AT_EnableTrigAll:
		case AT_DisableTrigAll:
		case AT_EnableTrigUser:
		case AT_DisableTrigUser:
		case AT_EnableRule:
		case AT_EnableAlwaysRule:
		case AT_EnableReplicaRule:
		case AT_DisableRule:
		case AT_ReplicaIdentity:
		case AT_EnableRowSecurity:
		case AT_DisableRowSecurity:
		case AT_ForceRowSecurity:
		case AT_NoForceRowSecurity:
		case AT_AddIdentity:
		case AT_SetIdentity:
			return true;
		default:
			return false;
	}
}

static void
reach_by_change(PaRelationSet *reached, const AlterTableCmd *change)
{
	switch (change->subtype)
	{
		case AT_AddColumn:
		case AT_AddConstraint:
			reach_element(reached, change->def);
			break;
		case AT_AddInherit:
			pa_reach_all_of(reached, pa_relation_of((const RangeVar *) change->def));
			break;
		case AT_AttachPartition:
		case AT_DetachPartition:
			pa_reach_all_of(reached, pa_relation_of(((const PartitionCmd *) change->def)->name));
			break;
		default:
			break;
	}
}

void
pa_reach_by_alter(PaRelationSet *reached, const AlterTableStmt *statement)
{
	Oid			relation = pa_relation_of(statement->relation);
	bool		within = statement->objtype != OBJECT_TYPE;	/* tables of the type change with it */
	ListCell   *cell;

	if (!pa_owns(relation))
		return;
	foreach(cell, statement->cmds)
	{
		const AlterTableCmd *change = lfirst(cell);

		within = within && stays_in_tree(change->subtype);
		reach_by_change(reached, change);
	}
	if (within)
		pa_reach_tree(reached, relation);
	else
		pa_reach_all_of(reached, relation);
}

void
pa_reach_by_rename(PaRelationSet *reached, const RenameStmt *statement)
{
	if (statement->renameType == OBJECT_ATTRIBUTE)
		pa_reach_all_of(reached, pa_relation_of(statement->relation));
	else
		pa_reach_owned_tree(reached, statement->relation);
}

void
pa_reach_by_truncate(PaRelationSet *reached, const TruncateStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->relations)
	{
		Oid			relation = pa_relation_of(lfirst(cell));

		if (!pa_may_lock(relation))
			continue;
		if (statement->behavior == DROP_CASCADE)
			pa_reach_all_of(reached, relation);
		else
			pa_reach_tree(reached, relation);
	}
}

/* With a view goes what it reads, by the rights of the view's owner. */
static void
reach_sources(PaRelationSet *reached, Oid relation)
{
	ListCell   *rule;
	ListCell   *cell;

	pa_descend();
	if (pa_relation_set_has(reached, relation))
		return;
	pa_reach_tree(reached, relation);
	if (get_rel_relkind(relation) != RELKIND_VIEW)
		return;
	foreach(rule, pa_rules_of(relation))
		foreach(cell, pa_dependencies(RewriteRelationId, lfirst_oid(rule), false, RelationRelationId, false))
			reach_sources(reached, lfirst_oid(cell));
}

/* Whoever may write to a table may as well lock it as writing does. */
void
pa_reach_by_lock(PaRelationSet *reached, const LockStmt *statement)
{
	ListCell   *cell;

	if (statement->mode <= RowExclusiveLock)
		return;
	foreach(cell, statement->relations)
		if (pa_may_lock(pa_relation_of(lfirst(cell))))
			reach_sources(reached, pa_relation_of(lfirst(cell)));
}

void
pa_reach_published(PaRelationSet *reached, const List *objects)
{
	const ListCell *cell;

	foreach(cell, objects)
	{
		const PublicationObjSpec *object = lfirst(cell);

		if (object->pubtable)
			pa_reach_owned_tree(reached, object->pubtable->relation);
	}
}

/* SET locks the tables that leave the publication, too. */
void
pa_reach_by_publication(PaRelationSet *reached, const AlterPublicationStmt *statement)
{
	Oid			publication = get_publication_oid(statement->pubname, true);
	ListCell   *cell;

	pa_reach_published(reached, statement->pubobjects);
	if (statement->action != AP_SetObjects || !OidIsValid(publication) || !pa_owns_object(PublicationRelationId, publication, GetUserId()))
		return;
	foreach(cell, GetPublicationRelations(publication, PUBLICATION_PART_ROOT))
		pa_reach_tree(reached, lfirst_oid(cell));
}
