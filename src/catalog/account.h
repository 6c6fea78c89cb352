/*
 * account.h
 *		A look at an account, for previews.  What decides is the ledger's worker.
 */
#ifndef PA_CATALOG_ACCOUNT_H
#define PA_CATALOG_ACCOUNT_H

#include "postgres.h"

#include "core/accounting/budget.h"

#include "catalog/policy.h"

/*
 * How often the payer could pay the cost, as things stand now; limited by the policy's
 * cap too, unless it is each owner's.  owners: the names of those that it is about; NIL: all.
 */
extern int64 pa_releases_left(const PaPolicy *policy, Oid payer, List *owners, const PaCost *cost);

#endif							/* PA_CATALOG_ACCOUNT_H */
