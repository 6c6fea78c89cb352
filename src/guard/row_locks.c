/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * row_locks.c
 *		What rows of a protected table leave in the rows that they refer to.
 *
 * A foreign key locks the row that it refers to, and PostgreSQL writes into that
 * row, in xmax, by which transaction: whoever may read the table would see that a
 * row came, and what it says.  The mark outlasts the foreign key, the policy and the
 * table.  So of other people's tables, whatever refers to them, xmax is for those
 * who write them, and leave marks of their own.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/reltrigger.h"

#include "compat/permissions.h"
#include "catalog/policy.h"
#include "catalog/protected.h"
#include "errors.h"
#include "guard/guard.h"

/* The protected table that refers to this one, of which the user is no owner, by the triggers of its foreign key. */
static Oid
protected_referrer(Oid relation)
{
	Relation	rel = relation_open(relation, AccessShareLock);
	Oid			found = InvalidOid;

	for (int i = 0; rel->trigdesc && i < rel->trigdesc->numtriggers && !OidIsValid(found); i++)
	{
		const Trigger *trigger = &rel->trigdesc->triggers[i];
		Oid			root = OidIsValid(trigger->tgconstrrelid) ? pa_protected_root(trigger->tgconstrrelid) : InvalidOid;

		if (OidIsValid(root) && !has_privs_of_role(GetUserId(), pa_table_owner(root)))
			found = root;
	}
	relation_close(rel, AccessShareLock);
	return found;
}

static bool
reads_locks(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION &&
		bms_is_member(MaxTransactionIdAttributeNumber - FirstLowInvalidHeapAttributeNumber, pa_permissions(rte)->selectedCols);
}

static bool
may_see_locks(Oid relation)
{
	if (relation >= FirstNormalObjectId && !has_privs_of_role(GetUserId(), pa_table_owner(relation)) &&
		pg_class_aclcheck(relation, GetUserId(), ACL_INSERT | ACL_UPDATE | ACL_DELETE) != ACLCHECK_OK)
		return false;
	return !OidIsValid(protected_referrer(relation));
}

void
pa_refuse_row_locks(const RangeTblEntry *rte)
{
	ListCell   *cell;

	if (!reads_locks(rte) || !pa_policies_existed())
		return;
	foreach(cell, find_all_inheritors(rte->relid, AccessShareLock, NULL))
		if (!may_see_locks(lfirst_oid(cell)))
			ereport(ERROR,
					errcode(ERRCODE_PA_REFUSED),
					errmsg("column xmax of table %s is not shown", get_rel_name(rte->relid)),
					errdetail("It says which rows of the table a protected table refers to, or referred to, and since when."),
					errhint("Leave xmax out; xmin tells when a row was written."));
}
