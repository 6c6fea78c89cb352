/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock_reach.c
 *		See lock_reach.h.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat/rights.h"
#include "catalog/dependencies.h"
#include "catalog/dropped_with.h"
#include "guard/lock_reach.h"
#include "guard/named.h"

bool
pa_owns(Oid relation)
{
	return OidIsValid(relation) && pa_owns_object(RelationRelationId, relation, GetUserId());
}

bool
pa_may_drop(Oid relation)
{
	return OidIsValid(relation) &&
		(pa_owns(relation) || pa_owns_object(NamespaceRelationId, get_rel_namespace(relation), GetUserId()));
}

bool
pa_may_lock(Oid relation)
{
	return OidIsValid(relation) &&
		pg_class_aclmask(relation, GetUserId(), ACL_UPDATE | ACL_DELETE | ACL_TRUNCATE, ACLMASK_ANY) != 0;
}

bool
pa_may_vacuum(Oid relation)
{
	return OidIsValid(relation) && (pa_owns(relation) || pa_owns_object(DatabaseRelationId, MyDatabaseId, GetUserId()));
}

void
pa_reach_tree(PaRelationSet *reached, Oid relation)
{
	PaRelationSet *tree = pa_relation_set();	/* what was reached otherwise may be without its children */
	List	   *open = OidIsValid(relation) ? list_make1_oid(relation) : NIL;

	while (open != NIL)
	{
		Oid			next = llast_oid(open);

		open = list_delete_last(open);
		if (pa_relation_set_add(tree, next))
			open = list_concat(open, pa_children(next));
	}
	pa_relation_set_add_all(reached, pa_relation_set_members(tree));
}

void
pa_reach_owned_tree(PaRelationSet *reached, const RangeVar *name)
{
	Oid			relation = pa_relation_of(name);

	if (pa_owns(relation))
		pa_reach_tree(reached, relation);
}

void
pa_reach_owned_trees(PaRelationSet *reached, const List *names)
{
	const ListCell *cell;

	foreach(cell, names)
		pa_reach_owned_tree(reached, lfirst(cell));
}

void
pa_reach_all_of(PaRelationSet *reached, Oid relation)
{
	if (OidIsValid(relation))
		pa_add_dropped_with(reached, RelationRelationId, relation);
}
