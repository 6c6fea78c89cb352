/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan_filter.c
 *		See scan_filter.h.
 *
 * The filter takes the place of the scan's condition, and asks it about the rows that are left.  When a heap is
 * about to be read, the filter is asked in its pages, too (page_scan.h).
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "utils/rel.h"

#include "descend.h"
#include "lookup/lookup.h"
#include "lookup/page_scan.h"
#include "lookup/row_filter.h"
#include "lookup/scan_filter.h"

typedef struct ScanFilter
{
	ExprState	state;			/* must be first */
	ExprState  *condition;		/* of the scan; NULL: none */
	PaRowFilter row;
} ScanFilter;

/* --- where a column comes from --- */

static bool
keeps_outer(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_ANTI;
}

static bool
keeps_inner(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_RIGHT;
}

/* What a node hands up in a column. */
static const Node *
handed_up(const Plan *plan, AttrNumber column)
{
	return column > 0 && column <= list_length(plan->targetlist) ?
		(const Node *) list_nth_node(TargetEntry, plan->targetlist, column - 1)->expr : NULL;
}

static PaScannedColumn
through_join(PlanState *plan, const Node *value)
{
	JoinType	type = ((const Join *) plan->plan)->jointype;

	if (((const Var *) value)->varno == OUTER_VAR && keeps_outer(type))
		return pa_scanned_column(outerPlanState(plan), value, OUTER_VAR);
	if (((const Var *) value)->varno == INNER_VAR && keeps_inner(type))
		return pa_scanned_column(innerPlanState(plan), value, INNER_VAR);
	return (PaScannedColumn) {NULL};
}

/* The columns of a lookup's outer rows come first, and their rows are kept whatever its type is. */
static PaScannedColumn
through_lookup(PlanState *plan, const Node *value)
{
	PlanState  *outer = pa_lookup_outer(plan);

	if (outer == NULL || ((const Var *) value)->varattno > list_length(outer->plan->targetlist))
		return (PaScannedColumn) {NULL};
	return pa_scanned_column(outer, value, INDEX_VAR);
}

static PaScannedColumn
of_scan(PlanState *plan, const Var *column)
{
	if (column->varattno <= 0)
		return (PaScannedColumn) {NULL};
	return (PaScannedColumn) {(ScanState *) plan, column->varattno, column->vartype};
}

PaScannedColumn
pa_scanned_column(PlanState *plan, const Node *key, int varno)
{
	const Node *value = IsA(key, Var) && ((const Var *) key)->varno == varno ? handed_up(plan->plan, ((const Var *) key)->varattno) : NULL;

	pa_descend();
	if (IsA(plan, CustomScanState) && outerPlanState(plan)) /* hands rows on as they are (node/whole_joins.c) */
		return pa_scanned_column(outerPlanState(plan), key, varno);
	if (value == NULL || !IsA(value, Var))
		return (PaScannedColumn) {NULL};
	if (IsA(plan, SeqScanState))
		return of_scan(plan, (const Var *) value);
	if (IsA(plan, HashJoinState))
		return through_join(plan, value);
	if (IsA(plan, HashState))
		return pa_scanned_column(outerPlanState(plan), value, OUTER_VAR);
	return through_lookup(plan, value);
}

/* --- filtering --- */

static Datum
is_left(ExprState *state, ExprContext *context, bool *isnull)
{
	ScanFilter *filter = (ScanFilter *) state;
	Datum		value = slot_getattr(context->ecxt_scantuple, filter->row.column, isnull);

	if (*isnull || !pa_row_may_meet(&filter->row, value))
	{
		*isnull = false;
		return BoolGetDatum(false);
	}
	return filter->condition ? ExecEvalExpr(filter->condition, context, isnull) : BoolGetDatum(true);
}

static ScanFilter *
make_filter(const PaScannedColumn *column)
{
	ScanFilter *filter = MemoryContextAllocZero(column->scan->ps.state->es_query_cxt, sizeof(ScanFilter));

	filter->state.type = T_ExprState;
	filter->state.flags = EEO_FLAG_IS_QUAL;
	filter->state.evalfunc = is_left;
	filter->condition = column->scan->ps.qual;
	filter->row.column = column->column;
	filter->row.type = column->type;
	column->scan->ps.qual = &filter->state;
	return filter;
}

void
pa_filter_scan(const PaScannedColumn *column, const PaKeyFilter *keys)
{
	make_filter(column)->row.keys = keys;
}

void
pa_filter_scan_exactly(const PaScannedColumn *column, const PaNumberSet *numbers)
{
	make_filter(column)->row.numbers = numbers;
}

/* --- in pages --- */

/* Tables that are read in several inputs of an Append: a union reads one as often as it is written. */
typedef struct Scanned
{
	List	   *once;			/* Oid */
	List	   *again;
} Scanned;

static bool
note_scans(PlanState *plan, Scanned *scanned)
{
	PlanState  *protected = pa_lookup_outer(plan);

	pa_descend();
	if (protected)
		return note_scans(protected, scanned);
	if (IsA(plan, SeqScanState))
	{
		Oid			table = RelationGetRelid(((ScanState *) plan)->ss_currentRelation);

		if (list_member_oid(scanned->once, table))
			scanned->again = list_append_unique_oid(scanned->again, table);
		else
			scanned->once = lappend_oid(scanned->once, table);
	}
	return planstate_tree_walker(plan, note_scans, scanned);
}

/*
 * A row that was written has all rows of its page looked at, once for each scan; how many scans there are
 * is counted for a row's own work alone.  So what is scanned again is read row by row.
 */
static bool
ask_walker(PlanState *plan, List *again)
{
	PlanState  *protected = pa_lookup_outer(plan);

	pa_descend();
	if (protected)				/* public tables have been read */
		return ask_walker(protected, again);
	if (IsA(plan, AppendState))
	{
		Scanned		scanned = {NIL, list_copy(again)};

		(void) note_scans(plan, &scanned);
		return planstate_tree_walker(plan, ask_walker, scanned.again);
	}
	if (IsA(plan, SeqScanState) && plan->qual && plan->qual->evalfunc == is_left &&
		!list_member_oid(again, RelationGetRelid(((ScanState *) plan)->ss_currentRelation)))
		(void) pa_scan_by_pages((ScanState *) plan, &((ScanFilter *) plan->qual)->row);
	return planstate_tree_walker(plan, ask_walker, again);
}

void
pa_filter_pages(PlanState *rows)
{
	(void) ask_walker(rows, NIL);
}
