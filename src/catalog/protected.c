/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected.c
 *		See protected.h.
 *
 * Row triggers on the catalog of the extension invalidate the relcache entries of
 * the table whose policy changed and of its children, and that of privacct.policy
 * itself (invalidate.c).  The callback only flips flags; the next look-up asks the
 * catalog again, for the relation in question.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/indexing.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "descend.h"
#include "catalog/dependencies.h"
#include "catalog/extension.h"
#include "catalog/protected.h"

/* column number of privacct.policy; see migrations/ */
#define POLICY_RELATION 2

/* Answers kept; beyond, all are forgotten. */
#define MOST_ROOTS 10000

typedef struct RootEntry
{
	Oid			relation;		/* hash key */
	Oid			root;
} RootEntry;

static Oid	policy_relid = InvalidOid;	/* privacct.policy when last seen */
static bool any_valid = false;
static bool any_policy = false;
static HTAB *roots = NULL;
static RootEntry last;			/* of roots, while they are valid: a statement is asked for often */
static bool roots_valid = false;
static uint64 changes = 0;		/* of relations, so far */

/* hash_search neither allocates nor errors on HASH_FIND. */
static void
relation_changed(Datum arg, Oid relation)
{
	changes++;
	if (relation == InvalidOid || relation == policy_relid)
		any_valid = roots_valid = false;
	else if (roots_valid && hash_search(roots, &relation, HASH_FIND, NULL))
		roots_valid = false;	/* it may have been attached or detached, with all below it */
}

void
pa_protected_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

SysScanDesc
pa_scan_open_policies(Relation policies, Oid relation)
{
	ScanKeyData key;

	ScanKeyInit(&key, POLICY_RELATION, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	return systable_beginscan(policies, pa_catalog_relation("policy_relation_open"), true, NULL,
							  OidIsValid(relation) ? 1 : 0, &key);
}

/* Without its index, which a session can tell PostgreSQL to ignore, the scan finds closed ones too. */
HeapTuple
pa_next_open_policy(SysScanDesc scan, Relation policies)
{
	AttrNumber	closed_at = get_attnum(RelationGetRelid(policies), "closed_at");
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		if (heap_attisnull(tuple, closed_at, RelationGetDescr(policies)))
			break;
	return tuple;
}

static bool
has_open_policy(Oid relation)
{
	Relation	policies = table_open(policy_relid, AccessShareLock);
	SysScanDesc scan = pa_scan_open_policies(policies, relation);
	bool		found = HeapTupleIsValid(pa_next_open_policy(scan, policies));

	systable_endscan(scan);
	table_close(policies, AccessShareLock);
	return found;
}

bool
pa_policies_exist(void)
{
	/* only superusers run it, who see everything, and its relations may be half made */
	if (pa_in_own_script())
		return false;
	/* without the extension there is no relation to be told of: look again */
	if (any_valid && (OidIsValid(policy_relid) || !OidIsValid(pa_catalog_relation("policy"))))
		return any_policy;
	any_policy = true;			/* if what follows fails */
	policy_relid = pa_catalog_relation("policy");
	any_valid = true;			/* a change during the scan flips it back */
	any_policy = OidIsValid(policy_relid) && has_open_policy(InvalidOid);
	return any_policy;
}

bool
pa_policies_existed(void)
{
	Relation	policies;
	SysScanDesc scan;
	bool		found;

	if (pa_policies_exist())
		return true;
	if (pa_in_own_script() || !OidIsValid(policy_relid))
		return false;
	policies = table_open(policy_relid, AccessShareLock);
	scan = systable_beginscan(policies, InvalidOid, false, NULL, 0, NULL);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(policies, AccessShareLock);
	return found;
}

/* Searches the relation's parents, grandparents and so on; trees only are expected. */
static Oid
root_of_ancestors(Oid relation)
{
	Oid			root = InvalidOid;
	ListCell   *cell;

	pa_descend();
	foreach(cell, pa_parents(relation))
		if (!OidIsValid(root))
			root = pa_protected_root(lfirst_oid(cell));
	return root;
}

List *
pa_protected_roots(void)
{
	Relation	policies = table_open(pa_catalog_relation("policy"), AccessShareLock);
	SysScanDesc scan = pa_scan_open_policies(policies, InvalidOid);
	List	   *found = NIL;
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = pa_next_open_policy(scan, policies)))
	{
		bool		isnull;

		found = lappend_oid(found, DatumGetObjectId(heap_getattr(tuple, POLICY_RELATION, RelationGetDescr(policies), &isnull)));
	}
	systable_endscan(scan);
	table_close(policies, AccessShareLock);
	return found;
}

static void
empty_roots(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(RootEntry), .hcxt = CacheMemoryContext};

	if (roots)
		hash_destroy(roots);
	roots = hash_create("privacct protected relations", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	last.relation = InvalidOid;
	roots_valid = true;
}

Oid
pa_protected_root(Oid relation)
{
	RootEntry  *entry;
	Oid			root;
	uint64		changes_before;

	if (relation < FirstNormalObjectId || !pa_policies_exist())
		return InvalidOid;
	if (roots_valid && relation == last.relation)
		return last.root;
	if (!roots_valid || hash_get_num_entries(roots) >= MOST_ROOTS)
		empty_roots();
	entry = hash_search(roots, &relation, HASH_FIND, NULL);
	if (entry)
	{
		last = *entry;
		return entry->root;
	}
	changes_before = changes;
	root = has_open_policy(relation) ? relation : root_of_ancestors(relation);
	if (roots_valid && changes == changes_before)
	{
		entry = hash_search(roots, &relation, HASH_ENTER, NULL);
		entry->root = root;
	}
	return root;
}
