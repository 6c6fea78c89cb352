/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * near.c
 *		See near.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "catalog/dependencies.h"
#include "catalog/near.h"

/* --- the system catalog --- */

/* A column of a row that a unique index on oid finds; InvalidOid if there is none. */
static Oid
field_of(Oid catalog, Oid index, AttrNumber oid_column, Oid oid, Oid (*wanted) (HeapTuple))
{
	List	   *found = pa_catalog_oids(catalog, index, oid_column, oid, wanted);

	return found == NIL ? InvalidOid : linitial_oid(found);
}

static Oid
rule_relation(HeapTuple tuple)
{
	return ((Form_pg_rewrite) GETSTRUCT(tuple))->ev_class;
}

static Oid
default_relation(HeapTuple tuple)
{
	return ((Form_pg_attrdef) GETSTRUCT(tuple))->adrelid;
}

static Oid
owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner = InvalidOid;

	if (HeapTupleIsValid(tuple))
	{
		owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
		ReleaseSysCache(tuple);
	}
	return owner;
}

/* As has_any_column_privilege(role, relation, 'SELECT'). */
static bool
may_read(Oid role, Oid relation)
{
	return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)) &&
		(pg_class_aclcheck(relation, role, ACL_SELECT) == ACLCHECK_OK ||
		 pg_attribute_aclcheck_all(relation, role, ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK);
}

/* --- families and ancestors --- */

/* Tables that were made of the row type of a relation. */
static List *
tables_of_type(Oid relation)
{
	Oid			type = get_rel_type_id(relation);
	List	   *found = NIL;
	ListCell   *cell;

	if (!OidIsValid(type))
		return NIL;
	foreach(cell, pa_dependencies(TypeRelationId, type, true, RelationRelationId, false))
	{
		HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		if (((Form_pg_class) GETSTRUCT(tuple))->reloftype == type)
			found = lappend_oid(found, lfirst_oid(cell));
		ReleaseSysCache(tuple);
	}
	return found;
}

/* Adds the relations, and what leads on from each that was not in the set yet. */
static void
add_closure(PaRelationSet *set, const List *start, List *(*lead[]) (Oid), int leads)
{
	List	   *open = list_copy(start);

	while (open != NIL)
	{
		Oid			relation = llast_oid(open);

		open = list_delete_last(open);
		if (!pa_relation_set_add(set, relation))
			continue;
		for (int i = 0; i < leads; i++)
			open = list_concat(open, lead[i] (relation));
	}
}

static void
add_families(PaRelationSet *set, const List *relations)
{
	List	   *(*lead[]) (Oid) = {pa_children, tables_of_type};

	add_closure(set, relations, lead, lengthof(lead));
}

void
pa_add_family(PaRelationSet *set, Oid relation)
{
	add_families(set, list_make1_oid(relation));
}

void
pa_add_ancestors(PaRelationSet *set, Oid relation)
{
	List	   *(*lead[]) (Oid) = {pa_parents};

	add_closure(set, pa_parents(relation), lead, lengthof(lead));
}

/* --- what is near --- */

/* Relations whose rules read the relation. */
static List *
readers(Oid relation)
{
	List	   *found = NIL;
	ListCell   *cell;

	foreach(cell, pa_dependencies(RelationRelationId, relation, true, RewriteRelationId, false))
	{
		Oid			reader = field_of(RewriteRelationId, RewriteOidIndexId, Anum_pg_rewrite_oid, lfirst_oid(cell), rule_relation);

		if (OidIsValid(reader))
			found = lappend_oid(found, reader);
	}
	return found;
}

/* What the rules of the relation read. */
static List *
sources(Oid relation)
{
	List	   *found = NIL;
	ListCell   *cell;

	foreach(cell, pa_rules_of(relation))
		found = list_concat_unique_oid(found, pa_dependencies(RewriteRelationId, lfirst_oid(cell), false, RelationRelationId, false));
	return found;
}

/* Owners of the relations and, if what can be read is looked for, of what reads them at any depth. */
static List *
owners_above(const List *touched, bool readable)
{
	List	   *(*lead[]) (Oid) = {readers};
	PaRelationSet *above = pa_relation_set();
	List	   *owners = NIL;
	const ListCell *cell;

	add_closure(above, touched, lead, readable ? lengthof(lead) : 0);
	foreach(cell, pa_relation_set_members(above))
	{
		Oid			owner = owner_of(lfirst_oid(cell));

		if (OidIsValid(owner))
			owners = list_append_unique_oid(owners, owner);
	}
	return owners;
}

typedef struct Step
{
	Oid			relation;
	Oid			reader;			/* with whose rights it is read */
} Step;

static void
take_step(HTAB *taken, List **open, PaRelationSet *base, Oid relation, Oid reader)
{
	Step		step = {relation, reader};
	Step	   *next;
	bool		found;

	hash_search(taken, &step, HASH_ENTER, &found);
	if (found)
		return;
	pa_relation_set_add(base, relation);
	next = palloc(sizeof(Step));
	*next = step;
	*open = lappend(*open, next);
}

/* The relations and what their rules read, at any depth, with the rights of a reader or of a view on the way. */
static PaRelationSet *
read_by(const List *touched, bool readable)
{
	HASHCTL		ctl = {.keysize = sizeof(Step), .entrysize = sizeof(Step), .hcxt = CurrentMemoryContext};
	HTAB	   *taken = hash_create("privacct readers", 32, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	PaRelationSet *base = pa_relation_set();
	List	   *owners = owners_above(touched, readable);
	List	   *open = NIL;
	const ListCell *cell;
	const ListCell *inner;

	foreach(cell, touched)
		foreach(inner, owners)
			take_step(taken, &open, base, lfirst_oid(cell), lfirst_oid(inner));
	while (open != NIL)
	{
		Step	   *at = llast(open);
		Oid			owner = owner_of(at->relation);

		open = list_delete_last(open);
		foreach(cell, sources(at->relation))
		{
			Oid			source = lfirst_oid(cell);

			if (!readable || may_read(at->reader, source))
				take_step(taken, &open, base, source, at->reader);
			if (OidIsValid(owner) && (!readable || may_read(owner, source)))
				take_step(taken, &open, base, source, owner);
		}
	}
	return base;
}

static void
add_linked_by(PaRelationSet *set, Oid constraint)
{
	HeapTuple	tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(constraint));
	Form_pg_constraint form;

	if (!HeapTupleIsValid(tuple))
		return;
	form = (Form_pg_constraint) GETSTRUCT(tuple);
	if (form->contype == CONSTRAINT_FOREIGN)
	{
		pa_relation_set_add(set, form->conrelid);
		pa_relation_set_add(set, form->confrelid);
	}
	ReleaseSysCache(tuple);
}

/* These and what foreign keys connect with one of them. */
static PaRelationSet *
linked_with(const PaRelationSet *base)
{
	PaRelationSet *linked = pa_relation_set();
	const ListCell *cell;
	const ListCell *inner;

	pa_relation_set_add_all(linked, pa_relation_set_members(base));
	foreach(cell, pa_relation_set_members(base))
		foreach(inner, pa_dependencies(RelationRelationId, lfirst_oid(cell), true, ConstraintRelationId, false))
			add_linked_by(linked, lfirst_oid(inner));
	return linked;
}

/* Tables that own the sequence or TOAST table, or have it in a default, their own or that of a domain. */
static List *
fed_by(Oid part)
{
	List	   *fed = pa_dependencies(RelationRelationId, part, false, RelationRelationId, true);
	ListCell   *cell;

	foreach(cell, pa_dependencies(RelationRelationId, part, true, AttrDefaultRelationId, false))
	{
		Oid			table = field_of(AttrDefaultRelationId, AttrDefaultOidIndexId, Anum_pg_attrdef_oid, lfirst_oid(cell), default_relation);

		if (OidIsValid(table))
			fed = list_append_unique_oid(fed, table);
	}
	foreach(cell, pa_dependencies(RelationRelationId, part, true, TypeRelationId, false))
		fed = list_concat_unique_oid(fed, pa_dependencies(TypeRelationId, lfirst_oid(cell), true, RelationRelationId, false));
	return fed;
}

/* What the sequences and TOAST tables of the set feed and is not in it. */
static const List *
fed_from(const PaRelationSet *set)
{
	PaRelationSet *fed = pa_relation_set();
	const ListCell *cell;
	const ListCell *inner;

	foreach(cell, pa_relation_set_members(set))
	{
		char		kind = get_rel_relkind(lfirst_oid(cell));

		if (kind != RELKIND_SEQUENCE && kind != RELKIND_TOASTVALUE)
			continue;
		foreach(inner, fed_by(lfirst_oid(cell)))
			if (!pa_relation_set_has(set, lfirst_oid(inner)))
				pa_relation_set_add(fed, lfirst_oid(inner));
	}
	return pa_relation_set_members(fed);
}

void
pa_add_near(PaRelationSet *set, const List *touched, bool readable)
{
	List	   *(*up[]) (Oid) = {pa_parents};
	const List *next = touched;

	InvalidateCatalogSnapshot();	/* what was committed while a lock was waited for is seen */
	while (next != NIL)
	{
		PaRelationSet *linked = linked_with(read_by(next, readable));
		PaRelationSet *below = pa_relation_set();
		PaRelationSet *above = pa_relation_set();

		add_closure(above, pa_relation_set_members(linked), up, lengthof(up));
		add_families(below, pa_relation_set_members(linked));
		pa_relation_set_add_all(set, pa_relation_set_members(above));
		pa_relation_set_add_all(set, pa_relation_set_members(below));
		next = fed_from(set);
	}
}

/* --- for SQL --- */

List *
pa_relations_of_array(ArrayType *array)
{
	List	   *relations = NIL;
	Datum	   *elements;
	int			count;

	deconstruct_array(array, OIDOID, sizeof(Oid), true, TYPALIGN_INT, &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		relations = lappend_oid(relations, DatumGetObjectId(elements[i]));
	return relations;
}

ArrayType *
pa_oid_array(const List *oids)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(oids), 1));
	int			n = 0;
	const ListCell *cell;

	foreach(cell, oids)
		elements[n++] = ObjectIdGetDatum(lfirst_oid(cell));
	return construct_array(elements, n, OIDOID, sizeof(Oid), true, TYPALIGN_INT);
}

/* _find_near(touched, readable): what _relations_near() finds, in no order */
PG_FUNCTION_INFO_V1(pa_find_near);
PGDLLEXPORT Datum
pa_find_near(PG_FUNCTION_ARGS)
{
	PaRelationSet *set = pa_relation_set();

	pa_add_near(set, pa_relations_of_array(PG_GETARG_ARRAYTYPE_P(0)), PG_GETARG_BOOL(1));
	PG_RETURN_ARRAYTYPE_P(pa_oid_array(pa_relation_set_members(set)));
}
