/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * known_owners.c
 *		See known_owners.h.
 *
 * Answers are kept as those of protected.c are: row triggers on privacct.policy and
 * privacct.history invalidate relcache entries (invalidate.c), the callback only flips a
 * flag, and the next look-up asks the catalog again, by its indexes.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "catalog/extension.h"
#include "catalog/known_owners.h"
#include "catalog/named_columns.h"
#include "catalog/near.h"
#include "catalog/protected.h"

/* Relations kept; beyond, all are forgotten. */
#define MOST_RELATIONS 10000

typedef struct KnownEntry
{
	Oid			relation;		/* hash key */
	bool		answered;		/* or it only contributed to the answer for another one */
	PaKnownOwners known;
} KnownEntry;

/* What is looked for: columns of the relation, as told by one of the tables below it. */
typedef struct Search
{
	Oid			relation;
	Oid			member;			/* the relation, or a table below it */
	PaRelationSet *roots;		/* of the trees that the member is or was in */
	PaRelationSet *seen;		/* all that the answer depends on */
	PaKnownOwners known;
	bool		has_history;	/* the member, by itself */
} Search;

typedef void (*RowVisitor) (Search *search, HeapTuple row, TupleDesc desc);

static HTAB *kept = NULL;		/* of KnownEntry */
static MemoryContext context = NULL;	/* that holds all of it */
static bool valid = false;
static Oid	policy_relid = InvalidOid;	/* privacct.policy when last seen */
static uint64 changes = 0;		/* of relations, so far */

/* hash_search neither allocates nor errors on HASH_FIND. */
static void
relation_changed(Datum arg, Oid relation)
{
	changes++;
	if (valid && (relation == InvalidOid || relation == policy_relid || hash_search(kept, &relation, HASH_FIND, NULL)))
		valid = false;
}

void
pa_known_owners_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

/* --- rows of the catalog of the extension --- */

static void
each_row(const char *table, const char *index, const char *column, RegProcedure equals, Datum value,
		 RowVisitor visit, Search *search)
{
	Oid			relid = pa_catalog_relation(table);
	AttrNumber	attnum = OidIsValid(relid) ? get_attnum(relid, column) : InvalidAttrNumber;
	Relation	rel;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;

	if (attnum == InvalidAttrNumber)
		return;
	rel = table_open(relid, AccessShareLock);
	ScanKeyInit(&key, attnum, BTEqualStrategyNumber, equals, value);
	scan = systable_beginscan(rel, pa_catalog_relation(index), true, NULL, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
		visit(search, row, RelationGetDescr(rel));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/* --- columns --- */

/* A column of the member, as one of the relation. */
static List *
with_column(List *columns, const Search *search, AttrNumber column)
{
	const char *name = column == InvalidAttrNumber ? NULL : get_attname(search->member, column, true);
	AttrNumber	own = name ? get_attnum(search->relation, name) : InvalidAttrNumber;

	return own == InvalidAttrNumber ? columns : list_append_unique_int(columns, own);
}

/* --- columns that say whose rows these are --- */

/* By its number, which a rename leaves. */
static List *
owner_column(const Search *search, HeapTuple row, TupleDesc desc)
{
	Datum		name;
	Datum		number;

	if (!pa_named_column(row, desc, "owner_column", &name) || NameStr(*DatumGetName(name))[0] == '\0')
		return NIL;				/* forgotten: the table is not protected by it again */
	return list_make1_int(pa_named_column(row, desc, "owner_attnum", &number) ? DatumGetInt16(number) :
						  get_attnum(search->member, NameStr(*DatumGetName(name))));
}

/* Of privacct.policy or privacct.history, which call these columns alike. */
static void
take_owners(Search *search, HeapTuple row, TupleDesc desc)
{
	Datum		path;
	List	   *columns = pa_named_column(row, desc, "path", &path) ? pa_columns_named(search->member, path) :
		owner_column(search, row, desc);
	const ListCell *cell;

	foreach(cell, columns)
		search->known.owners = with_column(search->known.owners, search, lfirst_int(cell));
}

static void
visit_policy(Search *search, HeapTuple row, TupleDesc desc)
{
	Datum		relation;

	if (!pa_named_column(row, desc, "relation", &relation))
		return;
	pa_relation_set_add(search->roots, DatumGetObjectId(relation));
	if (DatumGetObjectId(relation) == search->member)
		take_owners(search, row, desc);
}

/* --- columns that others refer to --- */

static void
take_keys(Search *search, HeapTuple row, TupleDesc desc, const char *attribute)
{
	Datum		keys;
	List	   *columns = pa_named_column(row, desc, attribute, &keys) ? pa_columns_named(search->member, keys) : NIL;
	const ListCell *cell;

	foreach(cell, columns)
		search->known.keys = with_column(search->known.keys, search, lfirst_int(cell));
}

static void
visit_referrer(Search *search, HeapTuple row, TupleDesc desc)
{
	take_keys(search, row, desc, "path_keys");
}

static void
visit_history(Search *search, HeapTuple row, TupleDesc desc)
{
	Datum		policy;

	if (!pa_named_column(row, desc, "policy_id", &policy))
		return;
	each_row("policy", "policy_pkey", "policy_id", F_INT8EQ, policy, visit_policy, search);
	take_owners(search, row, desc);
	take_keys(search, row, desc, "keys");
}

/* --- the answer --- */

static void
visit_any_history(Search *search, HeapTuple row, TupleDesc desc)
{
	search->has_history = true;
}

bool
pa_has_history(Oid relation)
{
	Search		search = {.relation = relation, .member = relation};

	each_row("history", "history_relation", "relation", F_OIDEQ, ObjectIdGetDatum(relation), visit_any_history, &search);
	return search.has_history;
}

static void
search_member(Search *search, Oid member)
{
	const ListCell *cell;

	search->member = member;
	search->roots = pa_relation_set();
	pa_relation_set_add(search->roots, member);
	pa_add_ancestors(search->roots, member);
	foreach(cell, pa_relation_set_members(search->roots))
		each_row("policy", "policy_path", "path_to", F_OIDEQ, ObjectIdGetDatum(lfirst_oid(cell)), visit_referrer, search);
	each_row("policy", "policy_relation", "relation", F_OIDEQ, ObjectIdGetDatum(member), visit_policy, search);
	each_row("history", "history_relation", "relation", F_OIDEQ, ObjectIdGetDatum(member), visit_history, search);
	pa_relation_set_add_all(search->seen, pa_relation_set_members(search->roots));
}

static Search
search_below(Oid relation)
{
	Search		search = {.relation = relation, .seen = pa_relation_set()};
	PaRelationSet *members = pa_relation_set();
	const ListCell *cell;

	pa_add_family(members, relation);
	foreach(cell, pa_relation_set_members(members))
		search_member(&search, lfirst_oid(cell));
	return search;
}

static void
forget_all(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(KnownEntry)};

	valid = false;
	if (context)
		MemoryContextDelete(context);
	context = NULL;
	context = AllocSetContextCreate(CacheMemoryContext, "privacct known owners", ALLOCSET_SMALL_SIZES);
	ctl.hcxt = context;
	kept = hash_create("privacct known owners", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	policy_relid = pa_catalog_relation("policy");
	valid = true;
}

static KnownEntry *
enter(Oid relation)
{
	bool		found;
	KnownEntry *entry = hash_search(kept, &relation, HASH_ENTER, &found);

	if (!found)
		*entry = (KnownEntry) {.relation = relation};
	return entry;
}

static void
keep(const Search *search)
{
	MemoryContext before = MemoryContextSwitchTo(context);
	PaKnownOwners known = {list_copy(search->known.owners), list_copy(search->known.keys)};
	KnownEntry *entry = enter(search->relation);
	const ListCell *cell;

	entry->known = known;
	entry->answered = true;
	foreach(cell, pa_relation_set_members(search->seen))
		(void) enter(lfirst_oid(cell));
	MemoryContextSwitchTo(before);
}

PaKnownOwners
pa_known_owners(Oid relation)
{
	KnownEntry *entry = valid ? hash_search(kept, &relation, HASH_FIND, NULL) : NULL;
	Search		search;
	uint64		changes_before;

	if (entry && entry->answered)
		return entry->known;
	if (relation < FirstNormalObjectId || !pa_policies_existed())
		return (PaKnownOwners) {0};
	if (!valid || hash_get_num_entries(kept) >= MOST_RELATIONS)
		forget_all();
	changes_before = changes;
	search = search_below(relation);
	if (valid && changes == changes_before)
		keep(&search);
	return search.known;
}
