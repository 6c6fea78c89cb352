/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protected_join.c
 *		See protected_join.h.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "compat/names.h"
#include "compat/planner.h"
#include "descend.h"
#include "lookup/owner_equality.h"
#include "lookup/protected_join.h"

static bool
joins(const RestrictInfo *clause, Relids outer, Relids inner)
{
	return (bms_is_subset(clause->left_relids, outer) && bms_is_subset(clause->right_relids, inner)) ||
		(bms_is_subset(clause->left_relids, inner) && bms_is_subset(clause->right_relids, outer));
}

static bool
compares_columns(const OpExpr *test)
{
	return IsA(test, OpExpr) && list_length(test->args) == 2 && op_hashjoinable(test->opno, exprType(linitial(test->args))) &&
		IsA(pa_source_expression(linitial(test->args)), Var) && IsA(pa_source_expression(lsecond(test->args)), Var);
}

/* The equality that is kept as "(a = b) IS TRUE" so that nothing is concluded from it (guard/once.c); NULL: another condition. */
static RestrictInfo *
plain_equality(PlannerInfo *root, const RestrictInfo *clause)
{
	const BooleanTest *test = (const BooleanTest *) clause->clause;
	RestrictInfo *plain;

	if (!IsA(test, BooleanTest) || test->booltesttype != IS_TRUE || !compares_columns((const OpExpr *) test->arg))
		return NULL;
	plain = pa_restrict_alike(root, test->arg, clause);
	plain->hashjoinoperator = ((const OpExpr *) test->arg)->opno;
	return plain;
}

/* Those of a join, with equalities of columns as such. */
static List *
plain_conditions(PlannerInfo *root, List *conditions)
{
	List	   *plain = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		RestrictInfo *equality = plain_equality(root, lfirst(cell));

		plain = lappend(plain, equality ? equality : lfirst(cell));
	}
	return plain;
}

/* The conditions by which both sides are hashed. */
static List *
hash_clauses(const RelOptInfo *joinrel, const PaProtectedSides *sides, JoinType jointype, List *conditions)
{
	List	   *clauses = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (IS_OUTER_JOIN(jointype) && RINFO_IS_PUSHED_DOWN(clause, joinrel->relids))
			continue;
		if (clause->can_join && OidIsValid(clause->hashjoinoperator) &&
			joins(clause, sides->outer->parent->relids, sides->inner->parent->relids))
			clauses = lappend(clauses, clause);
	}
	return clauses;
}

static List *
add_equalities(List *equalities, PlannerInfo *root, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		List	   *sides = ((OpExpr *) lfirst_node(RestrictInfo, cell)->clause)->args;
		PaSourceEquality *equality = palloc(sizeof(PaSourceEquality));

		*equality = (PaSourceEquality) {{pa_source_of(root->parse, linitial(sides)), pa_source_of(root->parse, lsecond(sides))}};
		equalities = lappend(equalities, equality);
	}
	return equalities;
}

/*
 * By which the rows of a side were put together: of a = b and b = c PostgreSQL may ask for a = c here, having
 * seen to a = b below.  Where a join makes up rows that have no partner, its equalities do not hold.
 */
static List *
add_equalities_below(List *equalities, PlannerInfo *root, const Path *path)
{
	const HashPath *hash = (const HashPath *) path;

	pa_descend();
	if (IsA(path, ProjectionPath))
		return add_equalities_below(equalities, root, ((const ProjectionPath *) path)->subpath);
	if (IsA(path, CustomPath))	/* a lookup */
		return add_equalities_below(equalities, root, linitial(((const CustomPath *) path)->custom_paths));
	if (!IsA(path, HashPath))
		return equalities;
	if (hash->jpath.jointype == JOIN_INNER || hash->jpath.jointype == JOIN_SEMI)
		equalities = add_equalities(equalities, root, hash->path_hashclauses);
	equalities = add_equalities_below(equalities, root, hash->jpath.outerjoinpath);
	return add_equalities_below(equalities, root, hash->jpath.innerjoinpath);
}

/* Other joins form pairs of rows of different owners, even if no such pair is left in the end. */
static bool
have_one_owner(PlannerInfo *root, List *clauses, const PaProtectedSides *sides)
{
	List	   *within = add_equalities_below(add_equalities_below(NIL, root, sides->outer), root, sides->inner);

	return pa_have_one_owner(add_equalities(NIL, root, clauses), within);
}

static Path *
make_hash_join(PlannerInfo *root, RelOptInfo *joinrel, JoinType jointype, JoinPathExtraData *extra,
			   Path *outer, const PaProtectedSides *sides, List *conditions, List *clauses)
{
	JoinCostWorkspace workspace;
	Path	   *path;

	initial_cost_hashjoin(root, &workspace, jointype, clauses, outer, sides->inner, extra, false);
	path = (Path *) create_hashjoin_path(root, joinrel, jointype, &workspace, extra, outer, sides->inner, false,
										 conditions, NULL, clauses);
	path->startup_cost = 0;
	path->total_cost = sides->discounted(outer) + sides->discounted(sides->inner) +
		sides->discount * (cpu_tuple_cost * (outer->rows + 2 * sides->inner->rows + joinrel->rows));
	return path;
}

/*
 * A join the other way around that leaves rows of the inner side, or that wants one side to be unique: the plain ones are
 * proposed, too, and what is known of joins below a release is known of these.
 */
static bool
is_planners_own(JoinType jointype)
{
	switch (jointype)
	{
		case JOIN_INNER:
		case JOIN_LEFT:
		case JOIN_FULL:
		case JOIN_RIGHT:
		case JOIN_SEMI:
		case JOIN_ANTI:
			return false;
		PA_CASE_PLANNERS_JOINS:
			return true;
	}
	return true;
}

void
pa_add_protected_joins(PlannerInfo *root, RelOptInfo *joinrel, const PaProtectedSides *sides,
					   JoinType jointype, JoinPathExtraData *extra)
{
	List	   *conditions;
	List	   *clauses;

	if (sides->outer == NULL || sides->inner == NULL || is_planners_own(jointype))
		return;
	conditions = plain_conditions(root, extra->restrictlist);
	clauses = hash_clauses(joinrel, sides, jointype, conditions);
	if (!have_one_owner(root, clauses, sides))
		return;
	add_path(joinrel, make_hash_join(root, joinrel, jointype, extra, sides->outer, sides, conditions, clauses));
	/* each process hashes the inner side for itself, and must not make up its rows */
	if (sides->partial && joinrel->consider_parallel && sides->inner->parallel_safe && jointype != JOIN_RIGHT)
		add_partial_path(joinrel, make_hash_join(root, joinrel, jointype, extra, sides->partial, sides, conditions, clauses));
}

bool
pa_is_protected_join(const HashPath *path)
{
	return path->jpath.path.startup_cost == 0 && !path->jpath.path.parallel_aware;
}
