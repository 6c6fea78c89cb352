/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owner_path.c
 *		See owner_path.h.
 *
 * A policy says which columns lead to which columns of which table; the foreign key between
 * them is looked up, so that it may be dropped and made anew under another name.  There may
 * be others between the same tables, to other keys, that say nothing of owners.  Event triggers keep it what it
 * was at declaration (migrations/parts/39_paths.sql); what is looked at here is what makes
 * the owner one.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_constraint.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "catalog/owner_path.h"
#include "errors.h"

static void
refuse(const PaPolicy *policy)
{
	ereport(ERROR,
			errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			errmsg("the owners of table \"%s\" cannot be found", get_rel_name(policy->relation)),
			errdetail("The foreign key that leads to them, or a table on the way, is not what was protected; the block was not charged."),
			errhint("The owner of the table can find the remedy with SELECT * FROM privacct.check_books()."));
}

bool
pa_is_unique_always(Oid index)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	bool		unique;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_index) GETSTRUCT(tuple);
	unique = form->indisunique && form->indisvalid && form->indimmediate &&
		heap_attisnull(tuple, Anum_pg_index_indpred, NULL) && heap_attisnull(tuple, Anum_pg_index_indexprs, NULL);
	ReleaseSysCache(tuple);
	return unique;
}

static bool
refers(const PaPathStep *step, AttrNumber column, AttrNumber key)
{
	for (int i = 0; i < step->nkeys; i++)
		if (step->columns[i] == column)
			return step->keys[i] == key;
	return false;
}

/* The columns are those of the path, in whatever order, and so is what they refer to. */
static bool
is_over(const PaPathStep *step, const List *path, const List *path_keys)
{
	const ListCell *column;
	const ListCell *key;

	if (step->nkeys != list_length(path) || step->nkeys != list_length(path_keys))
		return false;
	forboth(column, path, key, path_keys)
		if (!refers(step, lfirst_int(column), lfirst_int(key)))
			return false;
	return true;
}

/* True if the foreign key is that of the policy's path, and can be relied on. */
static bool
read_key(HeapTuple tuple, const PaPolicy *policy, PaPathStep *step)
{
	Form_pg_constraint form = (Form_pg_constraint) GETSTRUCT(tuple);

	/* those to partitions of a table are parts of the one to the table */
	if (form->contype != CONSTRAINT_FOREIGN || form->confrelid != policy->path_to || OidIsValid(form->conparentid) ||
		!form->convalidated || form->condeferrable)
		return false;
	step->constraint = form->oid;
	step->index = form->conindid;
	step->referencing = form->conrelid;
	step->referenced = form->confrelid;
	DeconstructFkConstraintRow(tuple, &step->nkeys, step->columns, step->keys, step->operators, NULL, NULL, NULL, NULL);
	return is_over(step, policy->path, policy->path_keys) && pa_is_unique_always(step->index);
}

static PaPathStep *
read_step(const PaPolicy *policy)
{
	PaPathStep *step = palloc0(sizeof(PaPathStep));
	Relation	constraints = table_open(ConstraintRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&key, Anum_pg_constraint_conrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(policy->relation));
	scan = systable_beginscan(constraints, ConstraintRelidTypidNameIndexId, true, NULL, 1, &key);
	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
		found = read_key(tuple, policy, step);
	systable_endscan(scan);
	table_close(constraints, AccessShareLock);
	if (!found)
		refuse(policy);
	return step;
}

/* Whether one of the steps sets out from the table: then the way is a circle. */
static bool
has_left(const List *steps, Oid relation)
{
	ListCell   *cell;

	foreach(cell, steps)
		if (((PaPathStep *) lfirst(cell))->referencing == relation)
			return true;
	return false;
}

PaOwnerPath *
pa_owner_path(const PaPolicy *policy)
{
	PaOwnerPath *path = palloc0(sizeof(PaOwnerPath));

	path->end = policy;
	while (path->end->path != NIL)
	{
		const PaPolicy *next = pa_policy_of(path->end->path_to);

		if (next == NULL || next->unit != policy->unit || next->regime != policy->regime)
			refuse(policy);
		path->steps = lappend(path->steps, read_step(path->end));
		if (has_left(path->steps, next->relation))
			refuse(policy);
		path->end = next;
	}
	pa_require_owner_column(path->end);
	return path;
}
