/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writers.c
 *		Applications that write to protected tables without reading them.
 *
 * INSERT, UPDATE and DELETE that name no column of the table are left to PostgreSQL.
 * What they tell (whether a key exists, how many rows there are) is noiseless, and
 * whoever asks in releases must not learn it as well: the privileges are refused to
 * whoever has a budget (privacct._check_writers()), and since roles become members of
 * others without notice, so are the commands.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "compat/permissions.h"
#include "catalog/policy.h"
#include "guard/guard.h"

#define WRITING (ACL_INSERT | ACL_UPDATE | ACL_DELETE)

Oid
pa_asks_as(const RangeTblEntry *rte)
{
	Oid			user = pa_permissions(rte)->checkAsUser;

	return OidIsValid(user) ? user : GetUserId();
}

bool
pa_only_writes(const RangeTblEntry *rte)
{
	AclMode		asked = pa_permissions(rte)->requiredPerms;

	return (asked & WRITING) != 0 && (asked & ~WRITING) == 0;
}

/* On the table or on a column: which ones are needed PostgreSQL knows. */
static bool
has_privilege(Oid relation, Oid user, AclMode privilege)
{
	return pg_class_aclcheck(relation, user, privilege) == ACLCHECK_OK ||
		pg_attribute_aclcheck_all(relation, user, privilege, ACLMASK_ANY) == ACLCHECK_OK;
}

bool
pa_may_write(const RangeTblEntry *rte)
{
	Oid			user = pa_asks_as(rte);

	if (!pa_only_writes(rte))
		return false;
	for (AclMode privilege = 1; privilege <= WRITING; privilege <<= 1)
		if (pa_permissions(rte)->requiredPerms & privilege && !has_privilege(rte->relid, user, privilege))
			return false;
	return true;
}

bool
pa_is_written_part(const RangeTblEntry *rte, const List *range_table)
{
	const ListCell *cell;

	if (pa_permissions(rte)->requiredPerms != 0)
		return false;
	foreach(cell, range_table)
	{
		const RangeTblEntry *other = lfirst(cell);

		if (other->rtekind == RTE_RELATION && pa_only_writes(other) &&
			pa_protected_root(other->relid) == pa_protected_root(rte->relid))
			return true;
	}
	return false;
}

static void
refuse_if_asked_by(const PaPolicy *policy, Oid relation, Oid user)
{
	if (pa_reads_raw(policy->relation, user) || !pa_policy_is_asked_by(policy, user))
		return;
	ereport(ERROR,
			errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			errmsg("permission denied for table %s", get_rel_name(relation)),
			errdetail("Role \"%s\" can act as one that has a privacy budget for the table, and writing tells what releases hide.",
					  GetUserNameFromId(user, false)),
			errhint("Write as a role that has nothing to do with those that have a budget."));
}

/* Whoever acts now, and whoever logged in and can act as others. */
void
pa_refuse_asking_writers(const RangeTblEntry *rte)
{
	const PaPolicy *policy;
	Oid			user = pa_asks_as(rte);

	if (rte->rtekind != RTE_RELATION || !pa_only_writes(rte))
		return;
	policy = pa_policy_covering(rte->relid);
	if (policy == NULL || pa_reads_raw(policy->relation, user))
		return;
	refuse_if_asked_by(policy, rte->relid, user);
	refuse_if_asked_by(policy, rte->relid, GetUserId());
	refuse_if_asked_by(policy, rte->relid, GetSessionUserId());
}
