/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_path.c
 *		Planning: every join below a release looks rows up in public tables.
 *
 * Whatever joins the planner proposes for a relation with protected rows are
 * taken away; only lookups remain, with the protected rows outside.  The public
 * side is planned as usual.
 *
 * Conditions without columns, as "$1 > 3" or what a CASE or a subquery's column
 * turns out to be, are conditions of rows like others.
 */
#include "postgres.h"

#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "catalog/policy.h"
#include "lookup/lookup.h"
#include "lookup/lookup_plan.h"

static set_join_pathlist_hook_type previous_join_paths = NULL;
static set_rel_pathlist_hook_type previous_rel_paths = NULL;

int			pa_public_memory = 512 * 1024;

static Plan *plan_lookup(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
						 List *tlist, List *clauses, List *children);

static const CustomPathMethods lookup_path_methods = {
	.CustomName = "privacct lookup",
	.PlanCustomPath = plan_lookup,
};
static const CustomScanMethods lookup_scan_methods = {
	.CustomName = "privacct lookup",
	.CreateCustomScanState = pa_create_lookup_state,
};

/* --- which relations, which paths --- */

/* A query that groups hands up no rows: it is a leaf, or over one. */
static bool
query_reads_protected(const Query *query, Oid reader)
{
	ListCell   *cell;

	if (query->hasAggs || query->groupClause)
		return false;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && rte->checkAsUser == reader)
			return true;
		if (rte->rtekind == RTE_SUBQUERY && query_reads_protected(rte->subquery, reader))
			return true;
	}
	return false;
}

/* Whether the relation holds rows that are read for a guarded block. */
static bool
reads_protected(PlannerInfo *root, const RelOptInfo *rel, Oid reader)
{
	int			member = -1;

	while ((member = bms_next_member(rel->relids, member)) >= 0)
	{
		const RangeTblEntry *rte = root->simple_rte_array[member];

		if (rte->rtekind == RTE_RELATION && rte->checkAsUser == reader)
			return true;
		if (rte->rtekind == RTE_SUBQUERY && query_reads_protected(rte->subquery, reader))
			return true;
	}
	return false;
}

static bool
is_lookup(const Path *path)
{
	return IsA(path, CustomPath) && ((const CustomPath *) path)->methods == &lookup_path_methods;
}

static bool
reads_nothing_else(const Path *path)
{
	switch (nodeTag(path))
	{
		case T_Path:
			return path->pathtype == T_SeqScan;
		case T_AppendPath:
			{
				ListCell   *cell;

				foreach(cell, ((const AppendPath *) path)->subpaths)
					if (!reads_nothing_else(lfirst(cell)))
						return false;
				return true;
			}
		case T_ProjectionPath:
			return reads_nothing_else(((const ProjectionPath *) path)->subpath);
		case T_SubqueryScanPath:
			return reads_nothing_else(((const SubqueryScanPath *) path)->subpath);
		case T_GroupResultPath:
			return true;		/* a contradiction: no row is read */
		case T_CustomPath:
			return is_lookup(path) && reads_nothing_else(linitial(((const CustomPath *) path)->custom_paths));
		default:
			return false;
	}
}

Path *
pa_lookup_path(RelOptInfo *rel, bool partial)
{
	Path	   *best = NULL;
	ListCell   *cell;

	foreach(cell, partial ? rel->partial_pathlist : rel->pathlist)
	{
		Path	   *path = lfirst(cell);

		if (path->param_info == NULL && reads_nothing_else(path) &&
			(best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return best;
}

static List *
only_lookups(List *paths)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, paths)
		if (is_lookup(lfirst(cell)))
			kept = lappend(kept, lfirst(cell));
	return kept;
}

/* --- the paths of a join --- */

/*
 * PostgreSQL's own joins are proposed first, and would push a lookup out that
 * costs more.  So a lookup costs a millionth of what it costs: among themselves
 * lookups are compared as ever.
 */
#define DISCOUNT 1e-6

static CustomPath *
make_lookup(RelOptInfo *joinrel, Path *outer, Path *inner, JoinType jointype, List *clauses)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->path.parent = joinrel;
	path->path.pathtarget = joinrel->reltarget;
	path->path.rows = joinrel->rows;
	path->path.startup_cost = 0;
	path->path.total_cost = (is_lookup(outer) ? outer->total_cost : DISCOUNT * outer->total_cost) +
		DISCOUNT * (inner->total_cost + cpu_operator_cost * (inner->rows + outer->rows) + cpu_tuple_cost * joinrel->rows);
	path->path.parallel_safe = joinrel->consider_parallel && outer->parallel_safe && inner->parallel_safe;
	path->path.parallel_workers = outer->parallel_workers;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_paths = list_make2(outer, inner);
	path->custom_private = list_make2(makeInteger(jointype), clauses);
	path->methods = &lookup_path_methods;
	return path;
}

static void
add_lookups(RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel, JoinType jointype, List *clauses)
{
	Path	   *inner = innerrel->cheapest_total_path;
	Path	   *safe = get_cheapest_parallel_safe_total_inner(innerrel->pathlist);
	Path	   *outer = pa_lookup_path(outerrel, false);
	Path	   *partial = pa_lookup_path(outerrel, true);

	if (outer && inner->param_info == NULL)
		add_path(joinrel, (Path *) make_lookup(joinrel, outer, safe ? safe : inner, jointype, clauses));
	if (partial && safe && joinrel->consider_parallel)
		add_partial_path(joinrel, (Path *) make_lookup(joinrel, partial, safe, jointype, clauses));
}

static void
lookup_join_paths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
				  JoinType jointype, JoinPathExtraData *extra)
{
	Oid			reader;

	if (previous_join_paths)
		previous_join_paths(root, joinrel, outerrel, innerrel, jointype, extra);
	if (!pa_policies_exist())
		return;
	reader = pa_reader_role();
	if (!reads_protected(root, joinrel, reader))
		return;
	joinrel->pathlist = only_lookups(joinrel->pathlist);
	joinrel->partial_pathlist = only_lookups(joinrel->partial_pathlist);
	if (!reads_protected(root, outerrel, reader) || reads_protected(root, innerrel, reader))
		return;
	if (jointype == JOIN_INNER || jointype == JOIN_LEFT || jointype == JOIN_SEMI || jointype == JOIN_ANTI)
		add_lookups(joinrel, outerrel, innerrel, jointype, extra->restrictlist);
}

/* --- conditions without columns --- */

static void
make_ordinary(List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
		lfirst_node(RestrictInfo, cell)->pseudoconstant = false;
}

static bool
query_of_protected(PlannerInfo *root)
{
	Oid			reader = pa_reader_role();

	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i] && reads_protected(root, root->simple_rel_array[i], reader))
			return true;
	return false;
}

/*
 * PostgreSQL would look at such a condition once and read nothing if it is not
 * met; and of a join with one it does not ask extensions for paths.  This is
 * called for each table, before joins are planned.
 */
static void
lookup_rel_paths(PlannerInfo *root, RelOptInfo *rel, Index rtindex, RangeTblEntry *rte)
{
	if (previous_rel_paths)
		previous_rel_paths(root, rel, rtindex, rte);
	if (!root->hasPseudoConstantQuals || !pa_policies_exist() || !query_of_protected(root))
		return;
	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i])
		{
			make_ordinary(root->simple_rel_array[i]->baserestrictinfo);
			make_ordinary(root->simple_rel_array[i]->joininfo);
		}
}

/* --- the plan --- */

typedef struct LookupKeys
{
	List	   *outer;
	List	   *inner;
	List	   *operators;
	List	   *collations;
	List	   *rest;			/* clauses that are no keys */
} LookupKeys;

/* The equality that a clause is, with or without IS TRUE (guard/once.c); NULL: another one. */
static const OpExpr *
equality_of(const RestrictInfo *clause)
{
	const Node *node = (const Node *) clause->clause;

	if (IsA(node, BooleanTest) && ((const BooleanTest *) node)->booltesttype == IS_TRUE)
		node = (const Node *) ((const BooleanTest *) node)->arg;
	if (!IsA(node, OpExpr) || list_length(((const OpExpr *) node)->args) != 2 ||
		!op_hashjoinable(((const OpExpr *) node)->opno, exprType(linitial(((const OpExpr *) node)->args))))
		return NULL;
	return (const OpExpr *) node;
}

static bool
is_of(PlannerInfo *root, Node *side, Relids relids)
{
	Relids		members = pull_varnos(root, side);

	return !bms_is_empty(members) && bms_is_subset(members, relids);
}

/* Takes "outer = inner", either way around, as a key. */
static bool
take_key(PlannerInfo *root, LookupKeys *keys, const RestrictInfo *clause, Relids outer, Relids inner)
{
	const OpExpr *equality = equality_of(clause);
	Node	   *left;
	Node	   *right;
	bool		swapped;

	if (equality == NULL)
		return false;
	left = linitial(equality->args);
	right = lsecond(equality->args);
	swapped = is_of(root, left, inner);
	if (!is_of(root, swapped ? right : left, outer) || !is_of(root, swapped ? left : right, inner))
		return false;
	if (swapped && !OidIsValid(get_commutator(equality->opno)))
		return false;
	keys->outer = lappend(keys->outer, swapped ? right : left);
	keys->inner = lappend(keys->inner, swapped ? left : right);
	keys->operators = lappend_oid(keys->operators, swapped ? get_commutator(equality->opno) : equality->opno);
	keys->collations = lappend_oid(keys->collations, equality->inputcollid);
	return true;
}

/* Splits the clauses of a join into keys, conditions of a pair, and what is asked of the result. */
static List *
split_clauses(PlannerInfo *root, LookupKeys *keys, const CustomPath *path, JoinType jointype, List *clauses)
{
	Relids		outer = ((Path *) linitial(path->custom_paths))->parent->relids;
	Relids		inner = ((Path *) lsecond(path->custom_paths))->parent->relids;
	Relids		joined = path->path.parent->relids;
	List	   *others = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (IS_OUTER_JOIN(jointype) && RINFO_IS_PUSHED_DOWN(clause, joined))
			others = lappend(others, clause->clause);
		else if (!take_key(root, keys, clause, outer, inner))
			keys->rest = lappend(keys->rest, clause->clause);
	}
	return others;
}

static Plan *
plan_lookup(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses, List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	JoinType	jointype = (JoinType) intVal(linitial(path->custom_private));
	LookupKeys	keys = {NIL};
	ListCell   *child;

	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = split_clauses(root, &keys, path, jointype, lsecond(path->custom_private));
	scan->flags = path->flags;
	foreach(child, children)
	{
		ListCell   *cell;

		foreach(cell, ((Plan *) lfirst(child))->targetlist)
			scan->custom_scan_tlist = lappend(scan->custom_scan_tlist,
											  makeTargetEntry(copyObject(((TargetEntry *) lfirst(cell))->expr),
															  list_length(scan->custom_scan_tlist) + 1, NULL, false));
	}
	scan->custom_plans = children;
	scan->custom_exprs = list_make3(keys.outer, keys.inner, keys.rest);
	scan->custom_private = list_make4(makeInteger(jointype),
									  makeInteger(list_length(((Plan *) linitial(children))->targetlist)),
									  keys.operators, keys.collations);
	scan->methods = &lookup_scan_methods;
	return (Plan *) scan;
}

bool
pa_is_lookup_scan(const CustomScan *scan)
{
	return scan->methods == &lookup_scan_methods;
}

List *
pa_lookup_operators(const CustomScan *scan)
{
	return list_nth(scan->custom_private, PA_LOOKUP_OPERATORS);
}

List *
pa_lookup_collations(const CustomScan *scan)
{
	return list_nth(scan->custom_private, PA_LOOKUP_COLLATIONS);
}

void
pa_lookup_init(void)
{
	DefineCustomIntVariable("privacct.public_memory",
							"Memory of a release, in each of its processes, for the public tables that a block joins.",
							"A block that needs more is refused before it is charged.",
							&pa_public_memory, 512 * 1024, 64, MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, NULL, NULL, NULL);
	previous_join_paths = set_join_pathlist_hook;
	set_join_pathlist_hook = lookup_join_paths;
	previous_rel_paths = set_rel_pathlist_hook;
	set_rel_pathlist_hook = lookup_rel_paths;
	RegisterCustomScanMethods(&lookup_scan_methods);
}
