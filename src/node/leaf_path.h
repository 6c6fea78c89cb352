/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaf_path.h
 *		Planning a leaf: what leaves of either regime have in common.
 */
#ifndef PA_LEAF_PATH_H
#define PA_LEAF_PATH_H

#include "postgres.h"

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

#include "node/leaf.h"

/* The marker of a leaf that the guard made, if it is the given aggregate; NULL of any other query. */
extern Aggref *pa_leaf_marker(const Query *query, Oid (*aggregate) (void));

extern Node *pa_aggregate_argument(const Aggref *aggref, int position);

/* Adds an expression to the child's output unless it is there; its column, from 0. */
extern int	pa_leaf_add_input(PathTarget *target, Node *expression);

/* The next key of the leaf. */
extern void pa_leaf_describe_key(PlannerInfo *root, PaLeafSpec *spec, Node *expression, PathTarget *target);

/* The next aggregate, without its input; its bounds and options are appended to the arguments. */
extern PaLeafAggregate *pa_leaf_describe_call(PlannerInfo *root, PaLeafSpec *spec, Aggref *aggref, List **arguments);

/* The path of the leaf's rows with the given columns; errors out if there is none that may be taken. */
extern Path *pa_leaf_child(PlannerInfo *root, RelOptInfo *input_rel, PathTarget *target);

/* Rows and costs are constants; private is {what the executor must know, arguments}. */
extern CustomPath *pa_leaf_custom_path(RelOptInfo *rel, PathTarget *target, Path *child,
									   const CustomPathMethods *methods, List *private);

/* The grouped relation has this path only. */
extern void pa_leaf_only_path(RelOptInfo *grouped_rel, CustomPath *path);

/* Its scan, whose tuple has one column for each expression of the path's output. */
extern CustomScan *pa_leaf_scan(CustomPath *path, List *tlist, List *children, const CustomScanMethods *methods);

#endif							/* PA_LEAF_PATH_H */
