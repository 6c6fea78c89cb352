/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owners.h
 *		Charges that are about some owners only, and cost the others nothing.
 *
 * A policy of the pufferfish regime keeps an account for each owner that a
 * release named.  What a table has spent is what its owner charged most was
 * charged: everybody's charges, and the most of any owner's own (parallel
 * composition; docs/theory-pufferfish.md).  The account's sums remain those of
 * all charges; beside them stands how much of that the owner charged most was spared.
 */
#ifndef PA_LEDGER_OWNERS_H
#define PA_LEDGER_OWNERS_H

#include "ledger/store.h"

/* Fills in the accounts of the owners that the requests name, as of now. */
extern void pa_owners_read(PaAccounts *accounts, PaLedgerSlot **slots, int count);

/* By how much the request raises what the policy has spent. */
extern PaCost pa_owners_cost(const PaAccounts *accounts, const PaChargeRequest *request, const PaLine *total);

/* Charges the owners that the request names, of which "raised" is what the policy was charged. */
extern void pa_owners_charge(PaAccounts *accounts, const PaChargeRequest *request, PaLine *total, const PaCost *raised);

/* Adds what owners were charged to their sums. */
extern void pa_owners_write(const PaAccounts *accounts);

#endif							/* PA_LEDGER_OWNERS_H */
