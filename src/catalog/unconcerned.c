/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unconcerned.c
 *		Commands that have nothing to do with anything protected, which are most: event
 *		triggers leave at once.
 *
 * What a command is about, and what is near that, is compared with what the extension
 * keeps anything of.  In doubt the command concerns it: then the functions of the SQL
 * script look, check and refuse.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "tcop/deparse_utility.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "catalog/declaration_lock.h"
#include "catalog/extension.h"
#include "catalog/granted.h"
#include "catalog/near.h"
#include "catalog/unconcerned.h"

/* What the commands of a statement are about. */
typedef struct Subject
{
	List	   *touched;		/* relations that were made or altered */
	List	   *granted;		/* relations that privileges were given or taken on */
	bool		other_grants;	/* privileges on something else */
	bool		unclear;		/* something that is always looked at */
} Subject;

/* --- what a statement is about --- */

/* Objects of other catalogs cannot be opened to others. */
static bool
is_own(Oid catalog, Oid object)
{
	if (catalog == NamespaceRelationId)
		return object == pa_schema();
	return (catalog == RelationRelationId || catalog == ProcedureRelationId) && pa_is_own_object(catalog, object);
}

static void
add_grant(Subject *subject, const InternalGrant *grant)
{
	Oid			catalog = pa_catalog_of(grant->objtype);
	const ListCell *cell;

	if (catalog == RelationRelationId)
		subject->granted = list_concat(subject->granted, grant->objects);
	else
		subject->other_grants = true;
	foreach(cell, grant->objects)
		subject->unclear |= is_own(catalog, lfirst_oid(cell));
}

static void
add_object(Subject *subject, Oid catalog, Oid object, const char *tag)
{
	if (catalog == RelationRelationId)
		subject->touched = list_append_unique_oid(subject->touched, object);
	subject->unclear |= is_own(catalog, object) ||
		catalog == ExtensionRelationId || catalog == RewriteRelationId || catalog == PolicyRelationId ||
		(catalog == TypeRelationId && strcmp(tag, "ALTER DOMAIN") == 0) ||
		(catalog == NamespaceRelationId && strcmp(tag, "ALTER SCHEMA") == 0);
}

static void
add_command(void *arg, TupleTableSlot *slot)
{
	Subject    *subject = arg;
	bool		nowhere;
	bool		isnull;
	Oid			catalog = DatumGetObjectId(slot_getattr(slot, PA_COMMAND_CLASS, &nowhere));
	Oid			object = DatumGetObjectId(slot_getattr(slot, PA_COMMAND_OBJECT, &isnull));
	Datum		tag = slot_getattr(slot, PA_COMMAND_TAG, &isnull);
	CollectedCommand *command = (CollectedCommand *) DatumGetPointer(slot_getattr(slot, PA_COMMAND_ITSELF, &isnull));

	if (command->type == SCT_Grant)
		add_grant(subject, command->d.grant.istmt);
	else if (!nowhere)
		add_object(subject, catalog, object, TextDatumGetCString(tag));
}

void
pa_each_command(void (*command) (void *, TupleTableSlot *), void *arg)
{
	FmgrInfo	function;
	LOCAL_FCINFO(call, 0);
	ReturnSetInfo result = {.type = T_ReturnSetInfo, .econtext = CreateStandaloneExprContext(), .allowedModes = SFRM_Materialize};
	TupleTableSlot *slot;

	fmgr_info(F_PG_EVENT_TRIGGER_DDL_COMMANDS, &function);
	InitFunctionCallInfoData(*call, &function, 0, InvalidOid, NULL, (Node *) &result);
	(void) FunctionCallInvoke(call);
	slot = MakeSingleTupleTableSlot(result.setDesc, &TTSOpsMinimalTuple);
	while (tuplestore_gettupleslot(result.setResult, true, false, slot))
		command(arg, slot);
	ExecDropSingleTupleTableSlot(slot);
	tuplestore_end(result.setResult);
	FreeExprContext(result.econtext, true);
}

/* --- what is kept --- */

/* A table of the extension that names relations, and the index by which one is found. */
static const struct
{
	const char *table;
	const char *index;
	AttrNumber	column;
}			kept[] = {
	{"policy", "policy_relation", 2},
	{"history", "history_relation", 2},
	{"public_table", "public_table_pkey", 1},
};

#define PUBLIC_TABLES 2

static bool
has_row(Relation rel, Oid index, AttrNumber column, Oid relation)
{
	ScanKeyData key;
	SysScanDesc scan;
	bool		found;

	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(rel, index, OidIsValid(index), NULL, OidIsValid(relation) ? 1 : 0, &key);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	return found;
}

/* Whether a table of the extension names one of the relations; true as well if it is not there (yet). */
static bool
names_one_of(int table, const List *relations)
{
	Oid			relid = pa_catalog_relation(kept[table].table);
	Oid			index = pa_catalog_relation(kept[table].index);
	Relation	rel;
	const ListCell *cell;
	bool		found = false;

	if (!OidIsValid(relid) || !OidIsValid(index))
		return true;
	rel = table_open(relid, AccessShareLock);
	foreach(cell, relations)
		found = found || has_row(rel, index, kept[table].column, lfirst_oid(cell));
	table_close(rel, AccessShareLock);
	return found;
}

static bool
any_table_is_public(void)
{
	Relation	rel = table_open(pa_catalog_relation(kept[PUBLIC_TABLES].table), AccessShareLock);
	bool		found = has_row(rel, InvalidOid, kept[PUBLIC_TABLES].column, InvalidOid);

	table_close(rel, AccessShareLock);
	return found;
}

/* --- the answer --- */

/*
 * All that a change of the relations has to do with: what is near, and, for the
 * histories of tables, what these and their children are children of.
 */
static const List *
surroundings(const List *relations)
{
	PaRelationSet *families = pa_relation_set();
	PaRelationSet *set = pa_relation_set();
	const ListCell *cell;

	pa_add_near(set, relations, false);
	foreach(cell, relations)
		pa_add_family(families, lfirst_oid(cell));
	foreach(cell, pa_relation_set_members(families))
		pa_add_ancestors(set, lfirst_oid(cell));
	return pa_relation_set_members(set);
}

/*
 * Whoever writes to a public table by way of others does so by way of what is near
 * these: a view, a rule, a parent, a foreign key.
 */
static bool
may_lead_to_public_table(const Subject *subject, const List *relations, const List *around)
{
	return (subject->other_grants || list_difference_oid(around, relations) != NIL) && any_table_is_public();
}

/* Tables of the extension have neither parents nor children. */
static bool
is_related_to_own(const List *relations)
{
	PaRelationSet *set = pa_relation_set();
	const ListCell *cell;

	foreach(cell, relations)
	{
		pa_add_family(set, lfirst_oid(cell));
		pa_add_ancestors(set, lfirst_oid(cell));
	}
	foreach(cell, pa_relation_set_members(set))
		if (is_own(RelationRelationId, lfirst_oid(cell)))
			return true;
	return false;
}

static bool
concerns_what_is_kept(const Subject *subject)
{
	List	   *relations = list_union_oid(subject->touched, subject->granted);
	const List *around = surroundings(relations);

	for (int table = 0; table < lengthof(kept); table++)
		if (names_one_of(table, around))
			return true;
	if (is_related_to_own(subject->touched))
		return true;
	return may_lead_to_public_table(subject, relations, around);
}

static List *
with_rules(const List *relations)
{
	List	   *found = NIL;
	const ListCell *cell;

	foreach(cell, relations)
	{
		HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		if (((Form_pg_class) GETSTRUCT(tuple))->relhasrules)
			found = lappend_oid(found, lfirst_oid(cell));
		ReleaseSysCache(tuple);
	}
	return found;
}

static const List *
readable_near(const List *relations)
{
	PaRelationSet *set = pa_relation_set();

	pa_add_near(set, relations, true);
	return pa_relation_set_members(set);
}

/* As _hold_granted() and _hold_changed(), where nothing is protected; true if something was not held yet. */
static bool
hold(const Subject *subject)
{
	List	   *ruled = with_rules(subject->touched);
	bool		new = false;

	if (subject->granted != NIL)
		new |= pa_hold_relations(NIL, readable_near(subject->granted));
	if (ruled != NIL)
		new |= pa_hold_relations(ruled, readable_near(subject->touched));
	return new;
}

bool
pa_command_is_unconcerned(void)
{
	Subject		subject = {0};

	pa_each_command(add_command, &subject);
	if (subject.unclear)
		return false;
	do
	{
		if (concerns_what_is_kept(&subject))
			return false;
	} while (hold(&subject));	/* what is near may have changed while this waited */
	return true;
}

/* _is_unconcerned(): see unconcerned.h */
PG_FUNCTION_INFO_V1(pa_is_unconcerned);
PGDLLEXPORT Datum
pa_is_unconcerned(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(pa_command_is_unconcerned());
}
