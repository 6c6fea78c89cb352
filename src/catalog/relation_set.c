/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relation_set.c
 *		See relation_set.h.
 */
#include "postgres.h"

#include "utils/hsearch.h"

#include "catalog/relation_set.h"

struct PaRelationSet
{
	HTAB	   *table;
	List	   *members;
};

PaRelationSet *
pa_relation_set(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(Oid), .hcxt = CurrentMemoryContext};
	PaRelationSet *set = palloc0(sizeof(PaRelationSet));

	set->table = hash_create("privacct relations", 32, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return set;
}

bool
pa_relation_set_add(PaRelationSet *set, Oid relation)
{
	bool		found;

	hash_search(set->table, &relation, HASH_ENTER, &found);
	if (!found)
		set->members = lappend_oid(set->members, relation);
	return !found;
}

bool
pa_relation_set_has(const PaRelationSet *set, Oid relation)
{
	return hash_search(set->table, &relation, HASH_FIND, NULL) != NULL;
}

const List *
pa_relation_set_members(const PaRelationSet *set)
{
	return set->members;
}

void
pa_relation_set_add_all(PaRelationSet *set, const List *relations)
{
	const ListCell *cell;

	foreach(cell, relations)
		pa_relation_set_add(set, lfirst_oid(cell));
}
