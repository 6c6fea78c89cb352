/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * members.h
 *		Which tables a policy covers, as it is written down: see privacct.history.
 */
#ifndef PA_MEMBERS_H
#define PA_MEMBERS_H

#include "postgres.h"

#include "nodes/plannodes.h"

#include "catalog/policy.h"

/*
 * Errors out (55PA3) unless every partition and child of the policy's table that the
 * plan reads is written down, by a transaction that has committed, as covered by the
 * policy.  To be called when the plan's locks are held, and before the charge: a table
 * that is locked neither comes nor goes.
 */
extern void pa_require_members(const PaPolicy *policy, const PlannedStmt *plan);

#endif							/* PA_MEMBERS_H */
