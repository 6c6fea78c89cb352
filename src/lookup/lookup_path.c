/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lookup_path.c
 *		Planning: every join with public tables below a release looks rows up in them.
 *
 * Whatever joins the planner proposes for a relation with protected rows are
 * taken away; only lookups remain, with the protected rows outside, and hash joins of
 * protected rows with each other.  The public side is planned as usual.
 *
 * Conditions without columns, as "$1 > 3" or what a CASE or a subquery's column
 * turns out to be, are conditions of rows like others.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/restrictinfo.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "compat/marks.h"
#include "compat/permissions.h"
#include "compat/planner.h"
#include "descend.h"
#include "catalog/policy.h"
#include "lookup/bounded.h"
#include "lookup/lookup.h"
#include "lookup/lookup_plan.h"
#include "lookup/protected_join.h"
#include "leaf_tag.h"

static set_join_pathlist_hook_type previous_join_paths = NULL;
static set_rel_pathlist_hook_type previous_rel_paths = NULL;
static create_upper_paths_hook_type previous_upper_paths = NULL;

int			pa_public_memory = 512 * 1024;

/* --- which relations, which paths --- */

/* A leaf hands up no rows. */
static bool
query_reads_protected(const Query *query, Oid reader)
{
	ListCell   *cell;

	pa_descend();
	if (pa_is_leaf(query))
		return false;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst(cell);

		if (pa_read_as_in(query, rte) == reader)
			return true;
		if (rte->rtekind == RTE_SUBQUERY && rte->subquery && query_reads_protected(rte->subquery, reader))
			return true;
	}
	return false;
}

/* Whether the relation holds rows that are read for a guarded block. */
static bool
reads_protected(PlannerInfo *root, const RelOptInfo *rel, Oid reader)
{
	Relids		relids = pa_relations_read(root, rel->relids);
	int			member = -1;

	while ((member = bms_next_member(relids, member)) >= 0)
	{
		const RangeTblEntry *rte = root->simple_rte_array[member];

		if (pa_read_as(root, member) == reader)
			return true;
		if (rte->rtekind == RTE_SUBQUERY && rte->subquery && query_reads_protected(rte->subquery, reader))
			return true;
	}
	return false;
}

static bool
is_lookup(const Path *path)
{
	return pa_is_custom_path(path, &pa_lookup_node);
}

static bool reads_nothing_else(PlannerInfo *root, const Path *path);

/* As protected_join.c makes them. */
static bool
joins_protected(PlannerInfo *root, const HashPath *hash)
{
	const JoinPath *path = &hash->jpath;
	Oid			reader = pa_reader_role();

	return pa_is_protected_join(hash) &&
		reads_protected(root, path->outerjoinpath->parent, reader) && reads_nothing_else(root, path->outerjoinpath) &&
		reads_protected(root, path->innerjoinpath->parent, reader) && reads_nothing_else(root, path->innerjoinpath);
}

/* Whether scans of protected tables, lookups, and joins of protected rows are all that the path does. */
static bool
reads_nothing_else(PlannerInfo *root, const Path *path)
{
	pa_descend();
	switch (nodeTag(path))
	{
		case T_Path:
			return path->pathtype == T_SeqScan;
		case T_AppendPath:
			{
				ListCell   *cell;

				foreach(cell, ((const AppendPath *) path)->subpaths)
					if (!reads_nothing_else(root, lfirst(cell)))
						return false;
				return true;
			}
		case T_ProjectionPath:
			return reads_nothing_else(root, ((const ProjectionPath *) path)->subpath);
		case T_SubqueryScanPath:
			return reads_nothing_else(path->parent->subroot, ((const SubqueryScanPath *) path)->subpath);
		case T_AggPath:			/* as protected_group.c makes it */
			return ((const AggPath *) path)->aggstrategy == AGG_HASHED &&
				reads_nothing_else(root, ((const AggPath *) path)->subpath);
		case T_GroupResultPath:
			return true;		/* a contradiction: no row is read */
		case T_HashPath:
			return joins_protected(root, (const HashPath *) path);
		case T_CustomPath:
			return is_lookup(path) && reads_nothing_else(root, linitial(((const CustomPath *) path)->custom_paths));
		default:
			return false;
	}
}

Path *
pa_lookup_path(PlannerInfo *root, RelOptInfo *rel, bool partial)
{
	Path	   *best = NULL;
	ListCell   *cell;

	foreach(cell, partial ? rel->partial_pathlist : rel->pathlist)
	{
		Path	   *path = lfirst(cell);

		if (path->param_info == NULL && reads_nothing_else(root, path) &&
			(best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return best;
}

/*
 * If there are none yet, PostgreSQL's own stay, so that it goes on planning: the join may
 * be made in another order.  What is made of them is never taken.
 */
static List *
only_oblivious(PlannerInfo *root, List *paths)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, paths)
		if (reads_nothing_else(root, lfirst(cell)))
			kept = lappend(kept, lfirst(cell));
	return kept == NIL ? paths : kept;
}

/* --- the paths of a join --- */

/*
 * PostgreSQL's own joins are proposed too, and would push one out that costs more.  So
 * ours cost a millionth of what they cost, and of what their sides do, which others need not
 * read to the end: among themselves they are compared as ever.
 */
#define DISCOUNT 1e-6

static Cost
discounted(const Path *path)
{
	bool		is_ours = is_lookup(path) || (IsA(path, HashPath) && pa_is_protected_join((const HashPath *) path));

	return is_ours ? path->total_cost : DISCOUNT * path->total_cost;
}

static CustomPath *
make_lookup(RelOptInfo *joinrel, Path *outer, Path *inner, JoinType jointype, List *clauses)
{
	CustomPath *path = pa_custom_path(&pa_lookup_node, joinrel, joinrel->reltarget, list_make2(outer, inner),
									  list_make2(makeInteger(jointype), clauses));

	path->path.rows = joinrel->rows;
	path->path.total_cost = discounted(outer) +
		DISCOUNT * (inner->total_cost + cpu_operator_cost * (inner->rows + outer->rows) + cpu_tuple_cost * joinrel->rows);
	path->path.parallel_safe = joinrel->consider_parallel && outer->parallel_safe && inner->parallel_safe;
	path->path.parallel_workers = outer->parallel_workers;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	return path;
}

static void
add_lookups(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel, JoinType jointype, List *clauses)
{
	Path	   *inner = innerrel->cheapest_total_path;
	Path	   *safe = get_cheapest_parallel_safe_total_inner(innerrel->pathlist);
	Path	   *outer = pa_lookup_path(root, outerrel, false);
	Path	   *partial = pa_lookup_path(root, outerrel, true);

	if (outer && inner->param_info == NULL)
		add_path(joinrel, (Path *) make_lookup(joinrel, outer, safe ? safe : inner, jointype, clauses));
	if (partial && safe && joinrel->consider_parallel)
		add_partial_path(joinrel, (Path *) make_lookup(joinrel, partial, safe, jointype, clauses));
}

static double public_part(const PlannerInfo *root, const RelOptInfo *table);

/* Of the tables of a subquery, each of which may leave some out. */
static double
part_of_subquery(const PlannerInfo *root)
{
	double		part = 1;

	pa_descend();
	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i])
			part *= public_part(root, root->simple_rel_array[i]);
	return part;
}

/* Which part of its rows a public table's conditions leave, by its statistics; 1: rows without a partner stay. */
static double
public_part(const PlannerInfo *root, const RelOptInfo *table)
{
	if (table->reloptkind != RELOPT_BASEREL || pa_is_table_nulled(root, table))
		return 1;
	if (table->subroot)
		return part_of_subquery(table->subroot);
	return table->tuples <= table->rows ? 1 : table->rows / table->tuples;
}

/*
 * As many as the largest of its protected tables has, less what conditions of public tables leave out:
 * estimates that are multiplied with each other would grow with the number of tables.
 */
static double
assumed_rows(PlannerInfo *root, const RelOptInfo *joinrel, Oid reader)
{
	Relids		relids = pa_relations_read(root, joinrel->relids);
	double		rows = 1;
	double		part = 1;
	int			member = -1;

	while ((member = bms_next_member(relids, member)) >= 0)
		if (reads_protected(root, root->simple_rel_array[member], reader))
			rows = Max(rows, root->simple_rel_array[member]->rows);
		else
			part *= public_part(root, root->simple_rel_array[member]);
	return clamp_row_est(rows * part);
}

static void
add_protected_joins(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
					JoinType jointype, JoinPathExtraData *extra)
{
	PaProtectedSides sides = {
		.outer = pa_lookup_path(root, outerrel, false),
		.partial = pa_lookup_path(root, outerrel, true),
		.inner = pa_lookup_path(root, innerrel, false),
		.discount = DISCOUNT,
		.discounted = discounted
	};

	pa_add_protected_joins(root, joinrel, &sides, jointype, extra);
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
	joinrel->rows = assumed_rows(root, joinrel, reader);
	joinrel->pathlist = only_oblivious(root, joinrel->pathlist);
	joinrel->partial_pathlist = only_oblivious(root, joinrel->partial_pathlist);
	if (!reads_protected(root, outerrel, reader))
		return;
	if (reads_protected(root, innerrel, reader))
		add_protected_joins(root, joinrel, outerrel, innerrel, jointype, extra);
	else if (jointype == JOIN_SEMI || jointype == JOIN_ANTI || ((jointype == JOIN_INNER || jointype == JOIN_LEFT) && pa_is_bounded(root, outerrel, innerrel)))
		add_lookups(root, joinrel, outerrel, innerrel, jointype, extra->restrictlist);
}

/* --- conditions without columns --- */

static void
make_ordinary(List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
		lfirst_node(RestrictInfo, cell)->pseudoconstant = false;
}

bool
pa_lookup_reads_protected(PlannerInfo *root)
{
	Oid			reader = pa_reader_role();

	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i] && reads_protected(root, root->simple_rel_array[i], reader))
			return true;
	return false;
}

bool
pa_lookup_joins_public(PlannerInfo *root, const RelOptInfo *rel)
{
	Relids		relids = pa_relations_read(root, rel->relids);
	Oid			reader = pa_reader_role();
	int			member = -1;

	while ((member = bms_next_member(relids, member)) >= 0)
		if (!reads_protected(root, root->simple_rel_array[member], reader))
			return true;
	return false;
}

/*
 * PostgreSQL takes the cheapest path for an input of a union, and for a partition, so no others are left there.
 *
 * It would look at a condition without columns once and read nothing if it is not met; and of a
 * join with one it does not ask extensions for paths.  This is called for each table,
 * before joins are planned.
 */
static void
lookup_rel_paths(PlannerInfo *root, RelOptInfo *rel, Index rtindex, RangeTblEntry *rte)
{
	if (previous_rel_paths)
		previous_rel_paths(root, rel, rtindex, rte);
	if (!pa_policies_exist())
		return;
	if (reads_protected(root, rel, pa_reader_role()))
		rel->pathlist = only_oblivious(root, rel->pathlist);
	if (!root->hasPseudoConstantQuals || !pa_lookup_reads_protected(root))
		return;
	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i])
		{
			make_ordinary(root->simple_rel_array[i]->baserestrictinfo);
			make_ordinary(root->simple_rel_array[i]->joininfo);
		}
}

/* Of a subquery, too, that is an input of a union. */
static void
lookup_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input, RelOptInfo *output, void *extra)
{
	if (previous_upper_paths)
		previous_upper_paths(root, stage, input, output, extra);
	if (stage == UPPERREL_FINAL && root->parent_root && pa_policies_exist() && !pa_is_leaf(root->parse) && pa_lookup_reads_protected(root))
		output->pathlist = only_oblivious(root, output->pathlist);
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

/* Columns of the outer row, and then of the inner one. */
static List *
columns_of(List *children)
{
	List	   *columns = NIL;
	ListCell   *child;

	foreach(child, children)
	{
		ListCell   *cell;

		foreach(cell, ((Plan *) lfirst(child))->targetlist)
			columns = lappend(columns, ((TargetEntry *) lfirst(cell))->expr);
	}
	return columns;
}

Plan *
pa_lookup_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses, List *children)
{
	JoinType	jointype = (JoinType) intVal(linitial(path->custom_private));
	LookupKeys	keys = {NIL};
	List	   *columns = columns_of(children);
	List	   *others = split_clauses(root, &keys, path, jointype, lsecond(path->custom_private));
	List	   *seen = list_concat(list_concat_copy(rel->reltarget->exprs, others), columns);	/* first as they leave the join */
	CustomScan *scan = pa_custom_scan(path, tlist, pa_mark_alike(columns, seen), children);

	scan->scan.plan.qual = others;
	scan->custom_exprs = list_make3(pa_mark_alike(keys.outer, seen), pa_mark_alike(keys.inner, seen),
									pa_mark_alike(keys.rest, seen));
	scan->custom_private = list_make4(makeInteger(jointype),
									  makeInteger(list_length(((Plan *) linitial(children))->targetlist)),
									  keys.operators, keys.collations);
	return (Plan *) scan;
}

bool
pa_is_lookup_scan(const Plan *plan)
{
	return pa_is_custom_scan(plan, &pa_lookup_node);
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
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = lookup_upper_paths;
	pa_custom_register(&pa_lookup_node);
}
