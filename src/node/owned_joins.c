/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owned_joins.c
 *		See owned_joins.h.
 *
 * A column of a plan node is followed down to the scan that reads it.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "catalog/policy.h"
#include "descend.h"
#include "lookup/lookup.h"
#include "lookup/owner_equality.h"
#include "node/owned_joins.h"
#include "node/plan_tree.h"

static const PaSource nothing = {NULL, InvalidOid, 0};

typedef struct Tracing
{
	EState	   *estate;
	bool		never;			/* a column is of a contradiction, which yields no row */
} Tracing;

static PaSource trace(Tracing *tracing, const Plan *plan, const Node *node);

static PaSource
trace_output(Tracing *tracing, const Plan *plan, AttrNumber column)
{
	const TargetEntry *entry = plan ? get_tle_by_resno(plan->targetlist, column) : NULL;

	return entry ? trace(tracing, plan, (const Node *) entry->expr) : nothing;
}

/* A column of a partition has another number there than in the table. */
static PaSource
column_of_scan(const Scan *scan, Oid relation, AttrNumber column)
{
	Oid			root = pa_protected_root(relation);

	if (OidIsValid(root) && root != relation)
		return (PaSource) {scan, root, get_attnum(root, get_attname(relation, column, false))};
	return (PaSource) {scan, relation, column};
}

/* The rows of a lookup are those of its outer child, and then columns of the public side. */
static PaSource
trace_lookup(Tracing *tracing, const Plan *plan, AttrNumber column)
{
	const Plan *outer = linitial(((const CustomScan *) plan)->custom_plans);

	return column <= list_length(outer->targetlist) ? trace_output(tracing, outer, column) : nothing;
}

/* The parts of a table, whose columns are the same, or the inputs of a union. */
static PaSource
trace_append(Tracing *tracing, const Append *append, AttrNumber column)
{
	PaSource	first = trace_output(tracing, linitial(append->appendplans), column);
	List	   *sources = NIL;
	bool		same = true;
	ListCell   *cell;

	foreach(cell, append->appendplans)
	{
		PaSource   *source = palloc(sizeof(PaSource));

		*source = trace_output(tracing, lfirst(cell), column);
		same &= source->relation == first.relation && source->column == first.column;
		sources = lappend(sources, source);
	}
	return same ? (PaSource) {append, first.relation, first.column} : pa_source_of_union(append, sources);
}

static PaSource
trace(Tracing *tracing, const Plan *plan, const Node *node)
{
	const Var  *var = (const Var *) pa_source_expression(node);

	pa_descend();
	if (IsA(plan, Result) && plan->lefttree == NULL)
	{
		tracing->never = true;
		return nothing;
	}
	if (!IsA(var, Var))
		return nothing;
	if (var->varno == OUTER_VAR && IsA(plan, Append))
		return trace_append(tracing, (const Append *) plan, var->varattno);
	if (var->varno == OUTER_VAR)
		return trace_output(tracing, plan->lefttree, var->varattno);
	if (var->varno == INNER_VAR)
		return trace_output(tracing, plan->righttree, var->varattno);
	if (pa_is_lookup_scan(plan))
		return trace_lookup(tracing, plan, var->varattno);
	if (IsA(plan, SubqueryScan))
		return trace_output(tracing, ((const SubqueryScan *) plan)->subplan, var->varattno);
	if (!IsA(plan, SeqScan) || var->varattno <= 0)
		return nothing;
	return column_of_scan((const Scan *) plan, exec_rt_fetch(var->varno, tracing->estate)->relid, var->varattno);
}

static PaSourceEquality *
equality_of(Tracing *tracing, const HashJoin *join, const OpExpr *clause)
{
	PaSourceEquality *equality = palloc(sizeof(PaSourceEquality));

	*equality = (PaSourceEquality) {{trace(tracing, (const Plan *) join, linitial(clause->args)),
	trace(tracing, (const Plan *) join, lsecond(clause->args))}};
	return equality;
}

static List *
add_equalities(List *equalities, Tracing *tracing, const HashJoin *join)
{
	ListCell   *cell;

	foreach(cell, join->hashclauses)
		equalities = lappend(equalities, equality_of(tracing, join, lfirst_node(OpExpr, cell)));
	return equalities;
}

/* As lookup/protected_join.c finds them. */
static List *
add_equalities_below(List *equalities, Tracing *tracing, const Plan *plan)
{
	const HashJoin *join = (const HashJoin *) plan;

	pa_descend();
	if (pa_is_lookup_scan(plan))
		return add_equalities_below(equalities, tracing, linitial(((const CustomScan *) plan)->custom_plans));
	if (IsA(plan, Result) && plan->lefttree)
		return add_equalities_below(equalities, tracing, plan->lefttree);
	if (!IsA(plan, HashJoin))
		return equalities;
	if (join->join.jointype == JOIN_INNER || join->join.jointype == JOIN_SEMI)
		equalities = add_equalities(equalities, tracing, join);
	equalities = add_equalities_below(equalities, tracing, plan->lefttree);
	return add_equalities_below(equalities, tracing, plan->righttree->lefttree);	/* below its Hash */
}

static void
require_owned_join(const HashJoin *join, EState *estate)
{
	Tracing		tracing = {estate, false};
	List	   *equalities = add_equalities(NIL, &tracing, join);
	List	   *within;

	if (tracing.never)
		return;
	within = add_equalities_below(add_equalities_below(NIL, &tracing, join->join.plan.lefttree), &tracing,
								  join->join.plan.righttree->lefttree);
	if (!tracing.never && !pa_have_one_owner(equalities, within))
		elog(ERROR, "rows of different owners are joined");
}

static bool
require_owned_joins(Plan *plan, void *estate)
{
	pa_descend();
	if (IsA(plan, HashJoin))
		require_owned_join((const HashJoin *) plan, estate);
	if (!pa_is_lookup_scan(plan))
		return true;
	pa_plan_visit(linitial(((CustomScan *) plan)->custom_plans), require_owned_joins, estate);
	return false;
}

int
pa_key_of_owners(const HashJoin *join, EState *estate)
{
	Tracing		tracing = {estate, false};
	ListCell   *cell;

	foreach(cell, join->hashclauses)
		if (pa_have_one_owner(list_make1(equality_of(&tracing, join, lfirst_node(OpExpr, cell))), NIL))
			return foreach_current_index(cell);
	return -1;
}

void
pa_require_owned_joins(Plan *child, EState *estate)
{
	pa_plan_visit(child, require_owned_joins, estate);
}
