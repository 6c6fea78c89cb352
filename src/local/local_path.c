/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * local_path.c
 *		Planning a leaf that asks owners: its grouping step becomes one CustomPath.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"

#include "local/spec.h"
#include "node/leaf_path.h"

static create_upper_paths_hook_type previous_upper_paths = NULL;

static Plan *plan_local_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path,
							 List *tlist, List *clauses, List *children);

static const CustomPathMethods local_path_methods = {
	.CustomName = "privacct local release",
	.PlanCustomPath = plan_local_path,
};
static const CustomScanMethods local_scan_methods = {
	.CustomName = "privacct local release",
	.CreateCustomScanState = pa_create_local_state,
};

typedef struct ColumnContext
{
	PaLocalSpec *spec;
	PathTarget *target;
} ColumnContext;

/* The column's number among those that are asked about, from 1 on; it becomes an input. */
static int
add_column(ColumnContext *context, Var *var)
{
	PaLocalSpec *spec = context->spec;
	PaLocalColumn *column;

	for (int i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i].attnum == var->varattno)
			return i + 1;
	spec->columns = repalloc(spec->columns, sizeof(PaLocalColumn) * (spec->ncolumns + 1));
	column = &spec->columns[spec->ncolumns++];
	*column = (PaLocalColumn) {var->varattno, pa_leaf_add_input(context->target, (Node *) var),
	var->vartype, var->vartypmod, var->varcollid};
	return spec->ncolumns;
}

/* The expression over the columns that are asked about, in order of their numbers. */
static Node *
over_columns_mutator(Node *node, ColumnContext *context)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;

		return (Node *) makeVar(1, add_column(context, var), var->vartype, var->vartypmod, var->varcollid, 0);
	}
	return expression_tree_mutator(node, over_columns_mutator, context);
}

static int
describe_column(PlannerInfo *root, PaLocalSpec *spec, Node *expression, const Aggref *marker,
				PathTarget *target, List **arguments)
{
	ColumnContext context = {spec, target};

	if (IsA(expression, Const) || equal(expression, marker))
		return -1;
	if (IsA(expression, Aggref))
	{
		pa_leaf_describe_call(root, spec->leaf, (Aggref *) expression, arguments);
		spec->expressions = lappend(spec->expressions,
									over_columns_mutator(pa_aggregate_argument((Aggref *) expression, PA_ARG_VALUE), &context));
		return PA_AGGREGATE_COLUMN(spec->leaf->naggregates - 1);
	}
	pa_leaf_describe_key(root, spec->leaf, expression, target);
	return spec->leaf->nkeys - 1;
}

static PaLocalSpec *
describe_leaf(PlannerInfo *root, const Aggref *marker, const PathTarget *output, PathTarget *target, List **arguments)
{
	PaLocalSpec *spec = palloc0(sizeof(PaLocalSpec));
	PaLeafSpec *leaf = spec->leaf = palloc0(sizeof(PaLeafSpec));
	int			columns = list_length(output->exprs);
	ColumnContext context = {spec, target};
	ListCell   *cell;

	spec->columns = palloc0(sizeof(PaLocalColumn));
	leaf->keys = palloc0(sizeof(PaLeafKey) * columns);
	leaf->aggregates = palloc0(sizeof(PaLeafAggregate) * columns);
	leaf->columns = palloc0(sizeof(int) * columns);
	leaf->relation = DatumGetObjectId(castNode(Const, pa_aggregate_argument(marker, PA_MARK_RELATION))->constvalue);
	leaf->fanout = 1;
	leaf->owner_input = pa_leaf_add_input(target, pa_aggregate_argument(marker, PA_MARK_OWNER));
	leaf->policy_id = DatumGetInt64(castNode(Const, pa_aggregate_argument(marker, PA_MARK_POLICY))->constvalue);
	spec->public_columns = castNode(Const, pa_aggregate_argument(marker, PA_MARK_PUBLIC));
	for (int i = PA_MARK_DOMAIN; i < list_length(marker->args); i++)
		(void) add_column(&context, castNode(Var, pa_aggregate_argument(marker, i)));
	foreach(cell, output->exprs)
		leaf->columns[leaf->ncolumns++] = describe_column(root, spec, lfirst(cell), marker, target, arguments);
	return spec;
}

static CustomPath *
make_local_path(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *grouped_rel, const Aggref *marker)
{
	PathTarget *target = create_empty_pathtarget();
	List	   *arguments = NIL;
	PaLocalSpec *spec = describe_leaf(root, marker, grouped_rel->reltarget, target, &arguments);
	Path	   *child;

	set_pathtarget_cost_width(root, target);
	child = pa_leaf_child(root, input_rel, target);
	return pa_leaf_custom_path(grouped_rel, grouped_rel->reltarget, child, &local_path_methods,
							   list_make2(pa_local_spec_encode(spec), arguments));
}

static void
local_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input_rel, RelOptInfo *output_rel, void *extra)
{
	Aggref	   *marker;

	if (previous_upper_paths)
		previous_upper_paths(root, stage, input_rel, output_rel, extra);
	if (stage != UPPERREL_GROUP_AGG || IS_OTHER_REL(output_rel))
		return;
	marker = pa_leaf_marker(root->parse, pa_local_marker_aggregate);
	if (marker)
		pa_leaf_only_path(output_rel, make_local_path(root, input_rel, output_rel, marker));
}

static Plan *
plan_local_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses, List *children)
{
	return (Plan *) pa_leaf_scan(path, tlist, children, &local_scan_methods);
}

bool
pa_is_local_scan(const CustomScan *scan)
{
	return scan->methods == &local_scan_methods;
}

void
pa_local_init(void)
{
	previous_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = local_upper_paths;
	RegisterCustomScanMethods(&local_scan_methods);
	pa_central_init();
}
