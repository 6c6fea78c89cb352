/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * custom_node.h
 *		A plan node of ours: what PostgreSQL's CustomPath, CustomScan and
 *		CustomScanState of one kind have to say, in one table.
 */
#ifndef PA_CUSTOM_NODE_H
#define PA_CUSTOM_NODE_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

typedef struct PaCustomNode
{
	CustomPathMethods path;
	CustomScanMethods scan;
	CustomExecMethods exec;
	Size		state_size;		/* of the struct that begins with a CustomScanState */
} PaCustomNode;

/*
 * The table of a kind: its name in EXPLAIN, what its state is, what plans its path,
 * and the members of CustomExecMethods that it has beside the name.
 */
#define PA_CUSTOM_NODE(name, state_type, plan_path, ...) \
	{ \
		.path = {.CustomName = name,.PlanCustomPath = plan_path}, \
		.scan = {.CustomName = name,.CreateCustomScanState = pa_custom_create_state}, \
		.exec = {.CustomName = name, __VA_ARGS__}, \
		.state_size = sizeof(state_type) \
	}

/* To be called when the library is loaded: parallel workers find the node by its name. */
extern void pa_custom_register(const PaCustomNode *node);

/* An empty path of the node, without costs. */
extern CustomPath *pa_custom_path(const PaCustomNode *node, RelOptInfo *rel, PathTarget *target, List *children, List *private);

/*
 * The scan of a path of such a node.  Its tuple has a column for each of the
 * expressions, which are copied.
 */
extern CustomScan *pa_custom_scan(const CustomPath *path, List *tlist, List *columns, List *children);

/* True if the path, plan or state is one of this node. */
extern bool pa_is_custom_path(const Path *path, const PaCustomNode *node);
extern bool pa_is_custom_scan(const Plan *plan, const PaCustomNode *node);
extern bool pa_is_custom_state(const PlanState *state, const PaCustomNode *node);

/* The table of whatever node of ours it is. */
extern const PaCustomNode *pa_custom_node(const CustomScan *scan);

/* For the table: makes the state, empty. */
extern Node *pa_custom_create_state(CustomScan *scan);

/* Start and end the plans below; for nodes that need nothing else. */
extern void pa_custom_begin_children(CustomScanState *state, EState *estate, int eflags);
extern void pa_custom_end_children(CustomScanState *state);

/* For the table of a node below a release, which stores its rows: nothing below it is read twice. */
extern void pa_custom_refuse_rescan(CustomScanState *state);

#endif							/* PA_CUSTOM_NODE_H */
