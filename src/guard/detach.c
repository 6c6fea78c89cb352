/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * detach.c
 *		Before a partition is detached concurrently.
 *
 * DETACH PARTITION ... CONCURRENTLY commits once the rows of the partition are gone from
 * its parent, and goes on in another transaction.  Event triggers come at the end, too late
 * to take that back.
 */
#include "postgres.h"

#include "commands/tablecmds.h"
#include "nodes/parsenodes.h"
#include "utils/lsyscache.h"

#include "catalog/policy.h"
#include "catalog/protected.h"
#include "errors.h"
#include "guard/guard.h"

static bool
commits_midway(const AlterTableCmd *command)
{
	return command->subtype == AT_DetachPartition && ((const PartitionCmd *) command->def)->concurrent;
}

/* The table is locked as ALTER TABLE itself locks it: an edition may be about to begin. */
void
pa_refuse_concurrent_detach(const AlterTableStmt *statement)
{
	const PaPolicy *policy;
	Oid			relation;

	if (list_length(statement->cmds) != 1 || !commits_midway(linitial(statement->cmds)) || !pa_policies_exist())
		return;
	relation = AlterTableLookupRelation(unconstify(AlterTableStmt *, statement), AlterTableGetLockLevel(statement->cmds));
	policy = OidIsValid(relation) ? pa_policy_covering(relation) : NULL;
	if (policy && policy->edition != 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_POLICY),
				errmsg("table %s is of an edition, and cannot be changed so", get_rel_name(policy->relation)),
				errdetail("The rows of %s would leave it.", ((const PartitionCmd *) ((const AlterTableCmd *) linitial(statement->cmds))->def)->name->relname),
				errhint("Call privacct.end_edition() first."));
}
