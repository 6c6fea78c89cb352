/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * row_mark_conditions.c
 *		Conditions of triggers and policies that read xmax.
 *
 * They are in no statement, so every table that is to be used is asked for them.  Few
 * tables have any: those without are remembered until they change.
 */
#include "postgres.h"

#include "access/relation.h"
#include "nodes/nodeFuncs.h"
#include "rewrite/rowsecurity.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/rel.h"
#include "utils/reltrigger.h"

#include "guard/guard.h"

/* Tables remembered; beyond, all are forgotten. */
#define MOST_TABLES 10000

static HTAB *without = NULL;	/* of Oid */
static bool valid = false;
static uint64 changes = 0;		/* of relations, so far */

/* hash_search neither allocates nor errors on HASH_FIND. */
static void
relation_changed(Datum arg, Oid relation)
{
	changes++;
	if (valid && (relation == InvalidOid || hash_search(without, &relation, HASH_FIND, NULL)))
		valid = false;
}

void
pa_row_mark_conditions_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

static bool
is_without(Oid relation)
{
	return valid && hash_search(without, &relation, HASH_FIND, NULL) != NULL;
}

static void
remember(Oid relation)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(Oid)};

	if (!valid || hash_get_num_entries(without) >= MOST_TABLES)
	{
		valid = false;
		if (without)
			hash_destroy(without);
		without = NULL;			/* if what follows fails */
		without = hash_create("privacct tables without conditions on xmax", 64, &ctl, HASH_ELEM | HASH_BLOBS);
		valid = true;
	}
	(void) hash_search(without, &relation, HASH_ENTER, NULL);
}

static const char *
trigger_on_row_mark(const TriggerDesc *triggers)
{
	for (int i = 0; triggers && i < triggers->numtriggers; i++)
		if (triggers->triggers[i].tgqual && pa_shows_row_mark(stringToNode(triggers->triggers[i].tgqual)))
			return triggers->triggers[i].tgname;
	return NULL;
}

static const char *
policy_on_row_mark(const RowSecurityDesc *security)
{
	ListCell   *cell;

	if (security == NULL)
		return NULL;
	foreach(cell, security->policies)
	{
		const RowSecurityPolicy *policy = lfirst(cell);

		if (pa_shows_row_mark((const Node *) policy->qual) || pa_shows_row_mark((const Node *) policy->with_check_qual))
			return policy->policy_name;
	}
	return NULL;
}

const char *
pa_condition_on_row_mark(Oid relation, bool only_read)
{
	uint64		changes_before = changes;
	Relation	rel;
	const char *trigger,
			   *policy;

	if (is_without(relation))
		return NULL;
	rel = try_relation_open(relation, NoLock);
	if (rel == NULL)
		return NULL;
	trigger = trigger_on_row_mark(rel->trigdesc);
	policy = policy_on_row_mark(rel->rd_rsdesc);
	if (trigger)
		trigger = pstrdup(trigger);
	if (policy)
		policy = pstrdup(policy);
	relation_close(rel, NoLock);
	if (trigger == NULL && policy == NULL && changes == changes_before)
		remember(relation);
	return trigger && !only_read ? trigger : policy;
}
