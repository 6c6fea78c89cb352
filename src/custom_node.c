/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * custom_node.c
 *		See custom_node.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/makefuncs.h"

#include "custom_node.h"

void
pa_custom_register(const PaCustomNode *node)
{
	RegisterCustomScanMethods(&node->scan);
}

/* --- planning --- */

CustomPath *
pa_custom_path(const PaCustomNode *node, RelOptInfo *rel, PathTarget *target, List *children, List *private)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = target;
	path->custom_paths = children;
	path->custom_private = private;
	path->methods = &node->path;
	return path;
}

CustomScan *
pa_custom_scan(const CustomPath *path, List *tlist, List *columns, List *children)
{
	const PaCustomNode *node = (const PaCustomNode *) ((const char *) path->methods - offsetof(PaCustomNode, path));
	CustomScan *scan = makeNode(CustomScan);
	ListCell   *cell;

	scan->scan.plan.targetlist = tlist;
	scan->flags = path->flags;
	foreach(cell, columns)
		scan->custom_scan_tlist = lappend(scan->custom_scan_tlist,
										  makeTargetEntry(copyObject(lfirst(cell)), foreach_current_index(cell) + 1, NULL, false));
	scan->custom_plans = children;
	scan->methods = &node->scan;
	return scan;
}

/* --- which node it is --- */

bool
pa_is_custom_path(const Path *path, const PaCustomNode *node)
{
	return IsA(path, CustomPath) && ((const CustomPath *) path)->methods == &node->path;
}

bool
pa_is_custom_scan(const Plan *plan, const PaCustomNode *node)
{
	return IsA(plan, CustomScan) && ((const CustomScan *) plan)->methods == &node->scan;
}

bool
pa_is_custom_state(const PlanState *state, const PaCustomNode *node)
{
	return IsA(state, CustomScanState) && ((const CustomScanState *) state)->methods == &node->exec;
}

const PaCustomNode *
pa_custom_node(const CustomScan *scan)
{
	return (const PaCustomNode *) ((const char *) scan->methods - offsetof(PaCustomNode, scan));
}

/* --- executing --- */

Node *
pa_custom_create_state(CustomScan *scan)
{
	const PaCustomNode *node = pa_custom_node(scan);
	CustomScanState *state = (CustomScanState *) newNode(node->state_size, T_CustomScanState);

	state->methods = &node->exec;
	return (Node *) state;
}

void
pa_custom_begin_children(CustomScanState *state, EState *estate, int eflags)
{
	ListCell   *cell;

	foreach(cell, castNode(CustomScan, state->ss.ps.plan)->custom_plans)
		state->custom_ps = lappend(state->custom_ps, ExecInitNode(lfirst(cell), estate, eflags));
}

void
pa_custom_end_children(CustomScanState *state)
{
	ListCell   *cell;

	foreach(cell, state->custom_ps)
		ExecEndNode(lfirst(cell));
}

void
pa_custom_refuse_rescan(CustomScanState *state)
{
	elog(ERROR, "a %s cannot be scanned again", state->methods->CustomName);
}
