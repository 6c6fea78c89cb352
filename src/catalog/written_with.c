/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * written_with.c
 *		See written_with.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/index.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "catalog/dependencies.h"
#include "catalog/policy.h"
#include "catalog/relation_set.h"
#include "catalog/written_with.h"

/* What the relation is an index, a TOAST table or a sequence of. */
static Oid
table_of(Oid relation)
{
	List	   *owners;

	switch (get_rel_relkind(relation))
	{
		case RELKIND_INDEX:
		case RELKIND_PARTITIONED_INDEX:
			return table_of(IndexGetRelation(relation, true));
		case RELKIND_TOASTVALUE:
		case RELKIND_SEQUENCE:
			owners = pa_dependencies(RelationRelationId, relation, false, RelationRelationId, true);
			return owners == NIL ? relation : linitial_oid(owners);
		default:
			return relation;
	}
}

/* The protected table that the table is, or is a partition or child of, if it is closed to the user. */
static Oid
closed_root(Oid table, Oid user)
{
	Oid			root = OidIsValid(table) ? pa_protected_root(table) : InvalidOid;

	return OidIsValid(root) && !pa_reads_raw(root, user) ? root : InvalidOid;
}

static Oid
referring_table(Form_pg_constraint form)
{
	return form->conrelid;
}

static Oid
referenced_table(Form_pg_constraint form)
{
	return form->confrelid;
}

/* One side of the foreign keys of which the table is on the other. */
static List *
linked(Oid table, Oid (*near) (Form_pg_constraint), Oid (*far) (Form_pg_constraint))
{
	List	   *found = NIL;
	ListCell   *cell;

	foreach(cell, pa_dependencies(RelationRelationId, table, true, ConstraintRelationId, false))
	{
		HeapTuple	tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(lfirst_oid(cell)));
		Form_pg_constraint form;

		if (!HeapTupleIsValid(tuple))
			continue;
		form = (Form_pg_constraint) GETSTRUCT(tuple);
		if (form->contype == CONSTRAINT_FOREIGN && near(form) == table)
			found = list_append_unique_oid(found, far(form));
		ReleaseSysCache(tuple);
	}
	return found;
}

static List *
referrers(Oid table)
{
	return linked(table, referenced_table, referring_table);
}

static List *
references(Oid table)
{
	return linked(table, referring_table, referenced_table);
}

/* Whether the table is written with a protected one: is it, or refers to it, or to one that does. */
static Oid
closed_reference(Oid table, Oid user)
{
	PaRelationSet *seen = pa_relation_set();
	List	   *open = list_make1_oid(table);

	while (open != NIL)
	{
		Oid			next = llast_oid(open);
		Oid			root = closed_root(next, user);

		if (OidIsValid(root))
			return root;
		open = list_delete_last(open);
		if (pa_relation_set_add(seen, next))
			open = list_concat(open, references(next));
	}
	return InvalidOid;
}

Oid
pa_written_with(Oid relation, Oid user)
{
	Oid			table = table_of(relation);
	Oid			root = OidIsValid(table) ? closed_reference(table, user) : InvalidOid;
	ListCell   *cell;

	if (OidIsValid(root) || !OidIsValid(table))
		return root;
	foreach(cell, referrers(table))
		if (OidIsValid(root = closed_reference(lfirst_oid(cell), user)))
			break;
	return root;
}

/* The protected tables that are closed to the user, with what refers to them, at any depth. */
static PaRelationSet *
all_written(Oid user)
{
	PaRelationSet *written = pa_relation_set();
	List	   *open = NIL;
	ListCell   *cell;

	/* a restored policy may be that of a table that is not there */
	foreach(cell, pa_protected_roots())
		if (SearchSysCacheExists1(RELOID, ObjectIdGetDatum(lfirst_oid(cell))) && OidIsValid(closed_root(lfirst_oid(cell), user)))
			open = lappend_oid(open, lfirst_oid(cell));
	while (open != NIL)
	{
		Oid			next = llast_oid(open);

		open = list_delete_last(open);
		if (pa_relation_set_add(written, next))
			open = list_concat(list_concat(open, pa_children(next)), referrers(next));
	}
	return written;
}

const List *
pa_all_written_with(Oid user)
{
	PaRelationSet *found = all_written(user);
	List	   *written = list_copy(pa_relation_set_members(found));
	ListCell   *cell;

	foreach(cell, written)
		pa_relation_set_add_all(found, references(lfirst_oid(cell)));
	return pa_relation_set_members(found);
}
