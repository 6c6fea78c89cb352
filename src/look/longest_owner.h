/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * longest_owner.h
 *		Pufferfish regime: whether owners keep to the number of rows that was declared.
 */
#ifndef PA_LONGEST_OWNER_H
#define PA_LONGEST_OWNER_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "catalog/policy.h"

/*
 * Errors out if an owner has more rows than the policy's max_entries, in the snapshot
 * of the query.  That rows exist is no secret in this regime, so it may be looked at
 * before the charge; what is read is an index of owners and public columns, and
 * rows only of owners whose entries there are more than that.
 */
extern void pa_require_longest_owner(const PaPolicy *policy, Snapshot snapshot);

/*
 * After a charge: it was held against the priors in force by then, which may allow
 * fewer rows than those that were looked at before.
 */
extern void pa_recheck_longest_owner(const PaPolicy *checked, Snapshot snapshot);

#endif							/* PA_LONGEST_OWNER_H */
