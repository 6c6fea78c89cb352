/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.c
 *		See inputs.h.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"

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
