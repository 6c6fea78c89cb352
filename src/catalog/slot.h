/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot.h
 *		The slots of a policy's plan, as they stand: what may still be released.
 *
 * Read from the table every time, for uses change with every charge.  What
 * decides is the ledger's worker.
 */
#ifndef PA_SLOT_H
#define PA_SLOT_H

#include "postgres.h"

#include "nodes/pg_list.h"

#include "core/noise/kernel.h"

typedef struct PaSlot
{
	int64		plan_id;
	int			number;
	bool		everybodys;		/* else the role's alone */
	Oid			role;
	PaKernel	kernel;			/* on the lattice of PA_PLAN_STEPS */
	uint32		groups;			/* that one owner may reach */
	double		within;			/* error bound as a fraction of the sensitivity; negative: none */
	double		rho;			/* of one release */
	double		epsilon;		/* of one release by itself */
	int64		left;
} PaSlot;

/* List of PaSlot in order of their numbers; NIL where no plan was declared. */
extern List *pa_slots_of(int64 policy_id);

#endif							/* PA_SLOT_H */
