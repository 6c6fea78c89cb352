/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * new_owners.c
 *		Who writes to the columns that say whose rows these are makes others of the
 *		owners, with nothing lost, or one of several, who have lost the sum.
 *
 * That is so as long as the books know whose rows these were, also while the table is not
 * protected, or no partition: it may be so again.  Only what a statement assigns is seen.
 * A trigger of the table may assign more, and that is said when it is made.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_trigger.h"
#include "nodes/parsenodes.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "catalog/known_owners.h"
#include "catalog/policy.h"
#include "catalog/protected.h"
#include "guard/guard.h"

/* --- what a statement assigns --- */

static bool
assigns(const List *targets, AttrNumber column)
{
	const ListCell *cell;

	foreach(cell, targets)
		if (!((const TargetEntry *) lfirst(cell))->resjunk && ((const TargetEntry *) lfirst(cell))->resno == column)
			return true;
	return false;
}

bool
pa_updates_column(const Query *query, AttrNumber column)
{
	const ListCell *cell;

	if (query->commandType == CMD_UPDATE)
		return assigns(query->targetList, column);
	if (query->onConflict && assigns(query->onConflict->onConflictSet, column))
		return true;
	foreach(cell, query->mergeActionList)
	{
		const MergeAction *action = lfirst(cell);

		if (action->commandType == CMD_UPDATE && assigns(action->targetList, column))
			return true;
	}
	return false;
}

/* --- columns that say whose rows these are --- */

/* The number that a column of the root has in the table or partition. */
static AttrNumber
column_in(Oid relation, Oid root, AttrNumber column)
{
	return relation == root ? column : get_attnum(relation, get_attname(root, column, false));
}

/* The owner column, or a column of the path to the owner, that the statement writes; InvalidAttrNumber: none. */
static AttrNumber
written_owner(const Query *query, Oid relation, const PaPolicy *policy)
{
	List	   *columns = policy->owner_attnum == InvalidAttrNumber ? policy->path : list_make1_int(policy->owner_attnum);
	const ListCell *cell;

	foreach(cell, columns)
	{
		AttrNumber	column = column_in(relation, policy->relation, lfirst_int(cell));

		if (column != InvalidAttrNumber && pa_updates_column(query, column))
			return column;
	}
	return InvalidAttrNumber;
}

/* One of the columns that the statement writes; InvalidAttrNumber: none. */
static AttrNumber
written_of(const Query *query, const List *columns)
{
	const ListCell *cell;

	foreach(cell, columns)
		if (pa_updates_column(query, lfirst_int(cell)))
			return lfirst_int(cell);
	return InvalidAttrNumber;
}

/* --- what is said --- */

/* policy: the one that is open; NULL: there was one. */
static void
warn_of_owners(Oid relation, AttrNumber column, const PaPolicy *policy)
{
	const char *name = get_attname(relation, column, false);

	if (policy == NULL || policy->regime == PA_REGIME_CENTRAL)
		ereport(WARNING,
				errmsg("rows of %s get other owners", get_rel_name(relation)),
				errdetail("What was spent was spent for each owner that column \"%s\" told: if several become one, that one has lost the sum, which is not in the account.", name),
				errhint("If owners are merged, protect the table with an epsilon that is smaller by that."));
	else
		ereport(WARNING,
				errmsg("owners of %s get other names", get_rel_name(relation)),
				errdetail("They are recognized by column \"%s\": with another value they are others, who have lost nothing.", name),
				errhint("If they are the same persons, unprotect the table, change the column, and protect it again: every owner then starts with the most that one has lost."));
}

static void
warn_of_key(Oid relation, AttrNumber column)
{
	ereport(WARNING,
			errmsg("rows that refer to %s may get other owners", get_rel_name(relation)),
			errdetail("Whose they are is found by way of column \"%s\".", get_attname(relation, column, false)),
			errhint("Rows that were here before should go on belonging to whom they belonged."));
}

static void
warn(const Query *query)
{
	Oid			relation = query->resultRelation ? rt_fetch(query->resultRelation, query->rtable)->relid : InvalidOid;
	Oid			root;
	const PaPolicy *policy;
	PaKnownOwners known;
	AttrNumber	column;

	if (!OidIsValid(relation) ||
		(query->commandType != CMD_UPDATE && query->onConflict == NULL && query->mergeActionList == NIL))
		return;
	root = pa_protected_root(relation);
	policy = OidIsValid(root) ? pa_policy_of(root) : NULL;
	known = pa_known_owners(relation);
	if (policy && (column = written_owner(query, relation, policy)) != InvalidAttrNumber)
		warn_of_owners(relation, column, policy);
	else if ((column = written_of(query, known.owners)) != InvalidAttrNumber)
		warn_of_owners(relation, column, NULL);
	else if ((column = written_of(query, known.keys)) != InvalidAttrNumber)
		warn_of_key(relation, column);
}

void
pa_warn_of_new_owners(const Query *query)
{
	const ListCell *cell;

	warn(query);
	foreach(cell, query->cteList)
	{
		const Node *inner = ((const CommonTableExpr *) lfirst(cell))->ctequery;

		if (IsA(inner, Query))
			warn((const Query *) inner);
	}
}

/* --- triggers that may assign more --- */

/* Those of the extension assign nothing. */
static bool
is_ours(const CreateTrigStmt *statement)
{
	return list_length(statement->funcname) == 2 && strcmp(strVal(linitial(statement->funcname)), "privacct") == 0;
}

/* An UPDATE that gives a row another partition inserts it there. */
static bool
fires_for_update(const CreateTrigStmt *statement, Oid relation)
{
	if (is_ours(statement) || !statement->row || statement->timing != TRIGGER_TYPE_BEFORE)
		return false;
	return TRIGGER_FOR_UPDATE(statement->events) || (TRIGGER_FOR_INSERT(statement->events) &&
													 (get_rel_relispartition(relation) || get_rel_relkind(relation) == RELKIND_PARTITIONED_TABLE));
}

void
pa_warn_of_assigning_trigger(const CreateTrigStmt *statement)
{
	Oid			relation;
	Oid			root;
	const PaPolicy *policy;
	PaKnownOwners known;

	if (!pa_policies_existed())
		return;
	relation = RangeVarGetRelid(statement->relation, NoLock, true);
	if (!OidIsValid(relation) || !fires_for_update(statement, relation))
		return;
	root = pa_protected_root(relation);
	policy = OidIsValid(root) ? pa_policy_of(root) : NULL;
	known = pa_known_owners(relation);
	if (policy != NULL && policy->regime != PA_REGIME_CENTRAL)
		ereport(WARNING,
				errmsg("a trigger may give owners of %s other names", get_rel_name(relation)),
				errdetail("They are recognized by their names: with another one they are others, who have lost nothing. What a trigger assigns is not noticed."),
				errhint("It should leave column \"%s\" as it is.", get_attname(root, policy->owner_attnum, false)));
	else if (policy != NULL || known.owners != NIL || known.keys != NIL)
		ereport(WARNING,
				errmsg("a trigger may give rows of %s other owners", get_rel_name(relation)),
				errdetail("If several owners become one, that one has lost the sum, which is not in the account. What a trigger assigns is not noticed."),
				errhint("It should leave the columns that say whose rows these are, or rows that refer to them, as they are."));
}
