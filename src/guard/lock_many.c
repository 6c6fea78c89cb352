/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_many.c
 *		Which relations a command may lock that need not name any.
 *
 * Of those that are not named PostgreSQL takes what is the user's to change.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_database.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat/rights.h"
#include "catalog/dependencies.h"
#include "catalog/written_with.h"
#include "guard/lock_reach.h"
#include "guard/named.h"

/* What is written with protected rows and is the user's to change. */
static void
reach_all(PaRelationSet *reached, bool (*may) (Oid))
{
	const ListCell *cell;

	foreach(cell, pa_all_written_with(GetUserId()))
		if (may(lfirst_oid(cell)))
			pa_relation_set_add(reached, lfirst_oid(cell));
}

void
pa_reach_by_vacuum(PaRelationSet *reached, const VacuumStmt *statement)
{
	ListCell   *cell;
	ListCell   *child;

	foreach(cell, statement->rels)
	{
		Oid			relation = pa_relation_of(lfirst_node(VacuumRelation, cell)->relation);

		if (pa_may_vacuum(relation))
			pa_reach_tree(reached, relation);
		else if (OidIsValid(relation))
			foreach(child, pa_children(relation))
				pa_reach_tree(reached, lfirst_oid(child));
	}
	if (statement->rels == NIL)
		reach_all(reached, pa_may_vacuum);
}

static void
reach_schema(PaRelationSet *reached, const char *name)
{
	Oid			schema = get_namespace_oid(name, true);
	const ListCell *cell;

	if (!OidIsValid(schema) || !pa_owns_object(NamespaceRelationId, schema, GetUserId()))
		return;
	foreach(cell, pa_all_written_with(GetUserId()))
		if (get_rel_namespace(lfirst_oid(cell)) == schema)
			pa_relation_set_add(reached, lfirst_oid(cell));
}

void
pa_reach_by_reindex(PaRelationSet *reached, const ReindexStmt *statement)
{
	switch (statement->kind)
	{
		case REINDEX_OBJECT_INDEX:
		case REINDEX_OBJECT_TABLE:
			pa_reach_owned_tree(reached, statement->relation);
			break;
		case REINDEX_OBJECT_SCHEMA:
			reach_schema(reached, statement->name);
			break;
		case REINDEX_OBJECT_SYSTEM:	/* no tables but PostgreSQL's own */
			break;
		case REINDEX_OBJECT_DATABASE:
			if (pa_owns_object(DatabaseRelationId, MyDatabaseId, GetUserId()))
				reach_all(reached, pa_may_vacuum);
			break;
	}
}

void
pa_reach_by_cluster(PaRelationSet *reached, const ClusterStmt *statement)
{
	if (statement->relation)
		pa_reach_owned_tree(reached, statement->relation);
	else
		reach_all(reached, pa_owns);
}

/* All relations of a tablespace that are the user's. */
void
pa_reach_by_move(PaRelationSet *reached)
{
	reach_all(reached, pa_owns);
}
