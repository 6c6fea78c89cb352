/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan_tree.h
 *		Going through finished plans, which PostgreSQL 15 has no walker for.
 */
#ifndef PA_PLAN_TREE_H
#define PA_PLAN_TREE_H

#include "postgres.h"

#include "nodes/plannodes.h"

/*
 * Calls visit for the plan and, where it returns true, for everything below it,
 * as far as plans hold their children.
 */
extern void pa_plan_visit(Plan *plan, bool (*visit) (Plan *plan, void *context), void *context);

/*
 * The expressions and conditions that a node evaluates, in a list of lists; its
 * output comes first.  Errors out for a node that no leaf can have.
 */
extern List *pa_plan_expressions(const Plan *plan);

/* The same for a node that reads public tables only, before a protected row is read. */
extern List *pa_plan_public_expressions(const Plan *plan);

/*
 * Takes shortcuts away that a plan would take by what is in protected tables.
 *
 * Values are compared with the elements of a list one after the other: PostgreSQL
 * would make a hash table of a list of constants when a row first reaches it; with
 * elements that are chosen to hash alike that takes as long as that row's reader likes.
 * A hash join treats no value by itself that is frequent by the table's statistics, and its
 * table is at first as large as that of any other.
 */
extern void pa_plan_make_steady(Plan *plan);

/* The CustomScans of a statement that release protected blocks, by this test, those of WITH queries and other subplans first. */
extern List *pa_plan_custom_scans(const PlannedStmt *statement, bool (*wanted) (const CustomScan *scan));

#endif							/* PA_PLAN_TREE_H */
