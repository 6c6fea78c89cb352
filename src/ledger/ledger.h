/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ledger.h
 *		The one place where a release is paid for.
 *
 * pa_ledger_charge() asks the database's ledger worker to check and charge one
 * release as one atomic step, and returns only once the charge is durable.
 * The charge is made in the worker's own transaction: nothing that happens to
 * the caller afterwards undoes it.  Every refusal and every failure is an
 * ereport(ERROR); after an error nothing may be released, and the charge may
 * or may not have been made (it is never made twice).
 */
#ifndef PA_LEDGER_H
#define PA_LEDGER_H

#include "postgres.h"

#include "storage/dsm.h"

#include "core/accounting/budget.h"
#include "core/accounting/plan.h"

#define PA_LEDGER_DETAIL 8192	/* bytes of the description of a charge, NUL included */
#define PA_LEDGER_OWNERS 4096	/* bytes of the names of all owners that a charge is about */
#define PA_LEDGER_OWNER 128		/* bytes of one of them, NUL included */
#define PA_LEDGER_TABLES 16	/* protected tables that one release reads */

/* So many uses of a slot of the policy's plan. */
typedef struct PaSlotUses
{
	int			slot;
	int			uses;			/* from 1 on */
} PaSlotUses;

typedef struct PaChargeRequest
{
	int64		policy_id;		/* whose books pay */
	int			ntables;		/* policies of the tables that are read, each of them this one, or of this unit: */
	int64		tables[PA_LEDGER_TABLES]; /* they must still be in force */
	Oid			payer;			/* role whose quota pays */
	Oid			user;			/* who asked */
	PaCost		cost;
	bool		is_look;		/* rows are read for it: the policy's least price holds for */
	PaCost		look;			/* the whole release, or the cheapest question of it */
	int64		plan_id;		/* of the plan that the noise was read from, if there are uses */
	int			nuses;			/* 0 unless the policy has a plan */
	PaSlotUses	uses[PA_PLAN_SLOTS];
	int			nowners;		/* the release is about these owners alone; 0: about all */
	char		owners[PA_LEDGER_OWNERS];	/* their names, all different, each ended by a NUL */
	dsm_handle	rows;			/* not a charge but these rows to be written (rows.h), unless DSM_HANDLE_INVALID */
	char		detail[PA_LEDGER_DETAIL];	/* json: kernels, scales, sensitivities */
} PaChargeRequest;

/* Shared memory, GUCs and hooks; called from _PG_init while preloading. */
extern void pa_ledger_init(void);

/*
 * While the ledger is closed to this session whatever would read protected rows
 * or charge errors out, with ERRCODE_PA_REFUSED: a preview looks and does not
 * ask, whatever is called while it plans.  Each closing is undone by a reopening.
 */
extern void pa_ledger_close(void);
extern void pa_ledger_reopen(void);
extern void pa_ledger_require_open(void);

/* Charges or errors out; returns the ledger's charge_id. */
extern int64 pa_ledger_charge(const PaChargeRequest *request);

/* The same, but says nothing if the ledger does not take it: then false, and it may have been charged. */
extern bool pa_ledger_try_charge(const PaChargeRequest *request);

/* Has the rows in a segment of shared memory (rows.c) written, durably, or errors out. */
extern void pa_ledger_write_rows(int64 policy_id, dsm_handle rows);

/* The same, but says nothing if the ledger does not take them. */
extern void pa_ledger_offer_rows(int64 policy_id, dsm_handle rows);

#endif							/* PA_LEDGER_H */
