/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.c
 *		See inputs.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

#include "descend.h"
#include "node/inputs.h"
#include "node/plan_tree.h"

/* One scan of each WITH query. */
static bool
collect(Plan *plan, void *opaque)
{
	List	  **scans = opaque;
	ListCell   *cell;

	if (!IsA(plan, CteScan))
		return true;
	foreach(cell, *scans)
		if (((CteScan *) lfirst(cell))->ctePlanId == ((CteScan *) plan)->ctePlanId)
			return true;
	*scans = lappend(*scans, plan);
	return true;
}

List *
pa_inputs_begin(Plan *plan, EState *estate, int eflags)
{
	List	   *scans = NIL;
	List	   *inputs = NIL;
	ListCell   *cell;

	pa_plan_visit(plan, collect, &scans);
	foreach(cell, scans)
		inputs = lappend(inputs, ExecInitNode(lfirst(cell), estate, eflags));
	return inputs;
}

typedef struct Found
{
	List	   *queries;		/* that were searched */
	List	   *scans;
} Found;

static bool
find_scans(PlanState *state, Found *found)
{
	pa_descend();
	if (IsA(state, CustomScanState))
		found->scans = lappend(found->scans, state);
	if (IsA(state, CteScanState))
	{
		PlanState  *query = ((CteScanState *) state)->cteplanstate;

		if (list_member_ptr(found->queries, query))
			return false;
		found->queries = lappend(found->queries, query);
		return find_scans(query, found);
	}
	return planstate_tree_walker(state, find_scans, found);
}

List *
pa_inputs_custom_scans(List *inputs)
{
	Found		found = {NIL, NIL};
	ListCell   *cell;

	foreach(cell, inputs)
		(void) find_scans(lfirst(cell), &found);
	return found.scans;
}

void
pa_inputs_read(List *inputs)
{
	ListCell   *cell;

	foreach(cell, inputs)
	{
		TupleTableSlot *row;

		do
		{
			CHECK_FOR_INTERRUPTS();
			row = ExecProcNode(lfirst(cell));
		} while (!TupIsNull(row));
	}
}

void
pa_inputs_end(List *inputs)
{
	ListCell   *cell;

	foreach(cell, inputs)
		ExecEndNode(lfirst(cell));
}
