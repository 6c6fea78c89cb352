/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * account.h
 *		A look at an account, for previews.  What decides is the ledger's worker.
 */
#ifndef PA_CATALOG_ACCOUNT_H
#define PA_CATALOG_ACCOUNT_H

#include "postgres.h"

#include "core/accounting/budget.h"

#include "catalog/policy.h"

/* How often the payer's quota could pay the cost, as things stand now. */
extern int64 pa_releases_left_of_quota(const PaPolicy *policy, Oid payer, const PaCost *cost);

/* How often the policy's cap could bear it.  owners: the names of those that it is about; NIL: all. */
extern int64 pa_releases_left_of_policy(const PaPolicy *policy, List *owners, const PaCost *cost);

#endif							/* PA_CATALOG_ACCOUNT_H */
