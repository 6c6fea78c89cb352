/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_path.c
 *		Planning a leaf: its grouping step becomes one CustomPath.
 *
 * Rows and costs of the path are constants, so that nothing above the leaf, and
 * no EXPLAIN, depends on estimates from protected rows.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "catalog/policy.h"
#include "node/leaf_path.h"
#include "node/plan_tree.h"
#include "price/unit/unit.h"
#include "errors.h"
#include "lookup/lookup.h"

#define LEAF_ROWS 100
#define LEAF_COST 1000.0

static create_upper_paths_hook_type previous_upper_paths = NULL;

static Plan *plan_leaf_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
							List *tlist, List *clauses, List *children);
static Plan *plan_partial_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
							   List *tlist, List *clauses, List *children);

static const CustomPathMethods leaf_path_methods = {
	.CustomName = "privacct release",
	.PlanCustomPath = plan_leaf_path,
};
static const CustomPathMethods partial_path_methods = {
	.CustomName = "privacct partial release",
	.PlanCustomPath = plan_partial_path,
};
static const CustomScanMethods leaf_scan_methods = {
	.CustomName = "privacct release",
	.CreateCustomScanState = pa_create_leaf_state,
};
static const CustomScanMethods partial_scan_methods = {
	.CustomName = "privacct partial release",
	.CreateCustomScanState = pa_create_partial_state,
};

uint64
pa_leaf_tag(void)
{
	static uint64 tag = 0;
	static int	owner = 0;

	while (tag == 0 || owner != MyProcPid)
	{
		if (!pg_strong_random(&tag, sizeof(tag)))
			ereport(ERROR,
					errcode(ERRCODE_INTERNAL_ERROR),
					errmsg("could not generate random bits"));
		owner = MyProcPid;
	}
	return tag;
}

Aggref *
pa_leaf_marker(const Query *query, Oid (*aggregate) (void))
{
	Aggref	   *marker;

	if (query->queryId == 0 || query->queryId != pa_leaf_tag())
		return NULL;
	marker = castNode(Aggref, llast_node(TargetEntry, query->targetList)->expr);
	return marker->aggfnoid == aggregate() ? marker : NULL;
}

Node *
pa_aggregate_argument(const Aggref *aggref, int position)
{
	return (Node *) ((TargetEntry *) list_nth(aggref->args, position))->expr;
}

int
pa_leaf_add_input(PathTarget *target, Node *expression)
{
	int			position = 0;
	ListCell   *cell;

	foreach(cell, target->exprs)
	{
		if (equal(lfirst(cell), expression))
			return position;
		position++;
	}
	add_column_to_pathtarget(target, (Expr *) expression, 0);
	return position;
}

static AttrNumber
declared_column(PlannerInfo *root, Node *expression, Oid relation)
{
	RangeTblEntry *rte;

	if (!IsA(expression, Var))
		return InvalidAttrNumber;
	rte = rt_fetch(((Var *) expression)->varno, root->parse->rtable);
	if (rte->rtekind != RTE_RELATION || rte->relid != relation)
		return InvalidAttrNumber;
	return ((Var *) expression)->varattno;
}

void
pa_leaf_describe_key(PlannerInfo *root, PaLeafSpec *spec, Node *expression, PathTarget *target)
{
	PaLeafKey  *key = &spec->keys[spec->nkeys++];

	key->column = declared_column(root, expression, spec->relation);
	key->input = pa_leaf_add_input(target, expression);
	key->type = exprType(expression);
	key->collation = exprCollation(expression);
}

/*
 * Where a value is never NULL, count(x) is count(*): one statistic serves both.
 * Known of constants and of NOT NULL columns of a table read without a join.
 */
static bool
never_null(PlannerInfo *root, Node *expression)
{
	RangeTblEntry *rte;
	HeapTuple	tuple;
	bool		not_null;

	if (IsA(expression, Const))
		return !((Const *) expression)->constisnull;
	if (!IsA(expression, Var) || bms_num_members(root->all_baserels) != 1)
		return false;
	rte = rt_fetch(((Var *) expression)->varno, root->parse->rtable);
	if (rte->rtekind != RTE_RELATION)
		return false;
	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(rte->relid), Int16GetDatum(((Var *) expression)->varattno));
	if (!HeapTupleIsValid(tuple))
		return false;
	not_null = ((Form_pg_attribute) GETSTRUCT(tuple))->attnotnull;
	ReleaseSysCache(tuple);
	return not_null;
}

PaLeafAggregate *
pa_leaf_describe_call(PlannerInfo *root, PaLeafSpec *spec, Aggref *aggref, List **arguments)
{
	PaLeafAggregate *aggregate = &spec->aggregates[spec->naggregates++];

	if (!pa_aggregate_kind(aggref->aggfnoid, &aggregate->kind))
		elog(ERROR, "unexpected aggregate %u in a leaf", aggref->aggfnoid);
	aggregate->result_type = aggref->aggtype;
	aggregate->input = -1;
	aggregate->input_type = exprType(pa_aggregate_argument(aggref, PA_ARG_VALUE));
	aggregate->first_argument = list_length(*arguments);
	for (int i = PA_ARG_LO; i < PA_ARG_COUNT; i++)
		*arguments = lappend(*arguments, pa_aggregate_argument(aggref, i));
	aggregate->label = pstrdup(tlist_member((Expr *) aggref, root->parse->targetList)->resname);
	return aggregate;
}

static void
describe_aggregate(PlannerInfo *root, PaLeafSpec *spec, Aggref *aggref, PathTarget *target, List **arguments)
{
	PaLeafAggregate *aggregate = pa_leaf_describe_call(root, spec, aggref, arguments);
	Node	   *value = pa_aggregate_argument(aggref, PA_ARG_VALUE);
	bool		no_value = IsA(value, Const) && ((Const *) value)->consttype == PA_NO_VALUE_TYPE;

	if (aggregate->kind == PA_AGG_COUNT_ROWS && !no_value)
		aggregate->kind = PA_AGG_COUNT; /* count(*) with FILTER */
	if (aggregate->kind == PA_AGG_COUNT && never_null(root, value))
		aggregate->kind = PA_AGG_COUNT_ROWS;
	if (aggregate->kind != PA_AGG_COUNT_ROWS &&
		!(aggregate->kind == PA_AGG_COUNT_OWNERS && (no_value || IsA(value, Var))))
		aggregate->input = pa_leaf_add_input(target, value);
	aggregate->never_null = never_null(root, value);
}

/* What one column of the scan tuple is; see leaf.h. */
static int
describe_column(PlannerInfo *root, PaLeafSpec *spec, Node *expression, const Aggref *marker,
				PathTarget *target, List **arguments)
{
	if (expression == (Node *) marker || IsA(expression, Const))
		return -1;				/* constants: keys without a choice, or outputs that nothing uses */
	if (IsA(expression, Aggref))
	{
		if (equal(expression, marker))
			return -1;
		describe_aggregate(root, spec, (Aggref *) expression, target, arguments);
		return PA_AGGREGATE_COLUMN(spec->naggregates - 1);
	}
	pa_leaf_describe_key(root, spec, expression, target);
	return spec->nkeys - 1;
}

/* Whose rows alone it is about is the last expression, unless it is everybody's. */
static void
describe_owners(PaLeafSpec *spec, const Aggref *marker, List **arguments)
{
	Node	   *owners = pa_aggregate_argument(marker, PA_MARK_OWNERS);

	spec->owners = -1;
	if (IsA(owners, Const) && ((Const *) owners)->constisnull)
		return;
	spec->owners = list_length(*arguments);
	*arguments = lappend(*arguments, owners);
}

/* What the leaf computes, what its child must yield, and the expressions to evaluate once. */
static PaLeafSpec *
describe_leaf(PlannerInfo *root, const Aggref *marker, const PathTarget *output,
			  PathTarget *target, List **arguments)
{
	PaLeafSpec *spec = palloc0(sizeof(PaLeafSpec));
	int			columns = list_length(output->exprs);
	ListCell   *cell;

	spec->keys = palloc0(sizeof(PaLeafKey) * columns);
	spec->aggregates = palloc0(sizeof(PaLeafAggregate) * columns);
	spec->columns = palloc0(sizeof(int) * columns);
	spec->relation = DatumGetObjectId(castNode(Const, pa_aggregate_argument(marker, PA_MARK_RELATION))->constvalue);
	spec->policy_id = DatumGetInt64(castNode(Const, pa_aggregate_argument(marker, PA_MARK_POLICY))->constvalue);
	spec->entries = DatumGetInt32(castNode(Const, pa_aggregate_argument(marker, PA_MARK_ENTRIES))->constvalue);
	spec->fanout = DatumGetInt32(castNode(Const, pa_aggregate_argument(marker, PA_MARK_FANOUT))->constvalue);
	spec->owner_input = pa_leaf_add_input(target, pa_aggregate_argument(marker, PA_MARK_OWNER));
	foreach(cell, output->exprs)
		spec->columns[spec->ncolumns++] = describe_column(root, spec, lfirst(cell), marker, target, arguments);
	describe_owners(spec, marker, arguments);
	return spec;
}

CustomPath *
pa_leaf_custom_path(RelOptInfo *rel, PathTarget *target, Path *child, const CustomPathMethods *methods, List *private)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = target;
	path->path.rows = LEAF_ROWS;
	path->path.startup_cost = path->path.total_cost = LEAF_COST;
	path->custom_paths = list_make1(child);
	path->custom_private = private;
	path->methods = methods;
	return path;
}

/*
 * As many as the policy asks for, if it can be read in parallel.  Owners with
 * accounts of their own are let in one by one.
 */
static int
count_workers(PlannerInfo *root, RelOptInfo *input_rel, Oid relation, const PathTarget *target, List *arguments)
{
	const PaPolicy *policy = pa_policy_of(relation);

	if (policy == NULL || pa_unit_of(policy)->owners_pay || pa_lookup_path(input_rel, true) == NULL || !root->glob->parallelModeOK ||
		!is_parallel_safe(root, (Node *) target->exprs) || !is_parallel_safe(root, (Node *) arguments))
		return 0;
	return Min(policy->workers, max_parallel_workers_per_gather);
}

/* A column that stands for the chunks of a partial node. */
static PathTarget *
chunk_target(void)
{
	PathTarget *target = create_empty_pathtarget();
	Oid			function = pa_own_function("_partial_state", 0, NULL);

	add_column_to_pathtarget(target, (Expr *) makeFuncExpr(function, BYTEAOID, NIL, InvalidOid, InvalidOid,
														   COERCE_EXPLICIT_CALL), 0);
	return target;
}

/* The rows of the block, read by nothing but scans of the protected table and lookups. */
Path *
pa_leaf_child(PlannerInfo *root, RelOptInfo *input_rel, PathTarget *target)
{
	Path	   *path = pa_lookup_path(input_rel, false);

	if (path == NULL)
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg("query on a protected table is not allowed"),
				errdetail("The block's public tables cannot be read before its protected rows."),
				errhint("Join the result of the block with the public tables."));
	return (Path *) create_projection_path(root, input_rel, path, target);
}

/* Gather over partial nodes over the cheapest partial path. */
static Path *
make_parallel_child(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel,
					PathTarget *target, int workers, List *private)
{
	Path	   *partial = pa_lookup_path(input_rel, true);
	CustomPath *path;

	partial = (Path *) create_projection_path(root, input_rel, partial, target);
	path = pa_leaf_custom_path(grouped_rel, chunk_target(), partial, &partial_path_methods, private);
	path->path.parallel_aware = true;
	path->path.parallel_safe = true;
	path->path.parallel_workers = workers;
	return (Path *) create_gather_path(root, grouped_rel, &path->path, path->path.pathtarget, NULL, NULL);
}

void
pa_leaf_only_path(RelOptInfo *grouped_rel, CustomPath *path)
{
	grouped_rel->pathlist = list_make1(path);
	grouped_rel->partial_pathlist = NIL;
	grouped_rel->rows = LEAF_ROWS;
}

static CustomPath *
make_leaf_path(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel, const Aggref *marker)
{
	PathTarget *target = create_empty_pathtarget();
	List	   *arguments = NIL;
	PaLeafSpec *spec = describe_leaf(root, marker, grouped_rel->reltarget, target, &arguments);
	List	   *private;
	Path	   *child;

	set_pathtarget_cost_width(root, target);
	spec->workers = count_workers(root, input_rel, spec->relation, target, arguments);
	private = list_make2(pa_leaf_spec_encode(spec), arguments);
	if (spec->workers > 0)
		child = make_parallel_child(root, input_rel, grouped_rel, target, spec->workers, private);
	else
		child = pa_leaf_child(root, input_rel, target);
	return pa_leaf_custom_path(grouped_rel, grouped_rel->reltarget, child, &leaf_path_methods, private);
}

static void
leaf_upper_paths(PlannerInfo *root, UpperRelationKind stage,
				 RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra)
{
	Aggref	   *marker;

	if (previous_upper_paths)
		previous_upper_paths(root, stage, input_rel, output_rel, extra);
	if (stage != UPPERREL_GROUP_AGG || IS_OTHER_REL(output_rel))
		return;					/* of a partition: the parent's paths are replaced anyway */
	marker = pa_leaf_marker(root->parse, pa_marker_aggregate);
	if (marker)
		pa_leaf_only_path(output_rel, make_leaf_path(root, input_rel, output_rel, marker));
}

CustomScan *
pa_leaf_scan(CustomPath *path, List *tlist, List *children, const CustomScanMethods *methods)
{
	CustomScan *scan = makeNode(CustomScan);
	int			resno = 1;
	ListCell   *cell;

	foreach(cell, path->path.pathtarget->exprs)
		scan->custom_scan_tlist = lappend(scan->custom_scan_tlist,
										  makeTargetEntry(copyObject(lfirst(cell)), resno++, NULL, false));
	scan->scan.plan.targetlist = tlist;
	scan->custom_plans = children;
	scan->custom_private = linitial(path->custom_private);
	scan->custom_exprs = copyObject(lsecond(path->custom_private));
	scan->methods = methods;
	pa_plan_unhash_lists((Plan *) scan);
	return scan;
}

static Plan *
plan_leaf_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
			   List *tlist, List *clauses, List *children)
{
	return (Plan *) pa_leaf_scan(path, tlist, children, &leaf_scan_methods);
}

bool
pa_is_leaf_scan(const CustomScan *scan)
{
	return scan->methods == &leaf_scan_methods;
}

static Plan *
plan_partial_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
				  List *tlist, List *clauses, List *children)
{
	return (Plan *) pa_leaf_scan(path, tlist, children, &partial_scan_methods);
}

void
pa_leaf_init(void)
{
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = leaf_upper_paths;
	RegisterCustomScanMethods(&leaf_scan_methods);
	RegisterCustomScanMethods(&partial_scan_methods);
}
