/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * serializable.c
 *		See serializable.h.
 *
 * The level is refused where it is set, before a snapshot is taken.  It may have been
 * set before, in a file, or by another role, so whatever a session does is refused, too,
 * but for what leads out of the transaction, or out of the setting.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "catalog/objectaccess.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "storage/proc.h"
#include "tcop/utility.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "compat/session.h"
#include "errors.h"
#include "settings.h"
#include "catalog/policy.h"
#include "catalog/protected.h"
#include "quiet/serializable.h"

#define REFUSED "isolation level serializable is not allowed in this database"
#define REASON "It tells a transaction what others have read and written, also of protected tables."
#define INSTEAD "Use isolation level repeatable read. A superuser can allow it with ALTER ROLE ... SET privacct.allow_serializable = on."

static ProcessUtility_hook_type previous_process_utility = NULL;
static ExecutorStart_hook_type previous_executor_start = NULL;
static object_access_hook_type previous_object_access = NULL;
static GucEnumCheckHook previous_check_transaction = NULL;
static GucEnumCheckHook previous_check_default = NULL;

/*
 * The user is that of the session, or of SET ROLE: what a trigger or a function does
 * with other rights is part of what the user does.
 */
static bool
is_allowed(void)
{
	Oid			user = GetOuterUserId();
	bool		reads_raw = false;
	ListCell   *cell;

	if (pa_allow_serializable || IsParallelWorker() || superuser_arg(user) || !pa_policies_exist())
		return true;
	foreach(cell, pa_protected_roots())
	{
		const PaPolicy *policy = pa_policy_of(lfirst_oid(cell));

		if (pa_reads_raw(lfirst_oid(cell), user))
			reads_raw = true;
		else if (policy && OidIsValid(pa_policy_payer(policy, user)))
			return false;
	}
	return reads_raw;
}

/* Looked up once for each transaction and user. */
static void
require_other_level(void)
{
	static LocalTransactionId allowed_in = InvalidLocalTransactionId;
	static Oid	allowed_to = InvalidOid;

	if (!IsolationIsSerializable() || !IsTransactionState() ||
		(allowed_in == pa_local_transaction() && allowed_to == GetOuterUserId()))
		return;
	if (!is_allowed())
		ereport(ERROR,
				errcode(ERRCODE_PA_REFUSED),
				errmsg(REFUSED),
				errdetail(REASON),
				errhint(INSTEAD));
	allowed_in = pa_local_transaction();
	allowed_to = GetOuterUserId();
}

/* --- where it is set --- */

static bool
check_level(int level)
{
	if (level != XACT_SERIALIZABLE || !IsTransactionState() || is_allowed())
		return true;
	GUC_check_errcode(ERRCODE_PA_REFUSED);
	GUC_check_errmsg(REFUSED);
	GUC_check_errdetail(REASON);
	GUC_check_errhint(INSTEAD);
	return false;
}

static bool
check_transaction(int *level, void **extra, GucSource source)
{
	return check_level(*level) && (previous_check_transaction == NULL || previous_check_transaction(level, extra, source));
}

static bool
check_default(int *level, void **extra, GucSource source)
{
	return check_level(*level) && (previous_check_default == NULL || previous_check_default(level, extra, source));
}

static void
guard_setting(const char *name, GucEnumCheckHook check, GucEnumCheckHook *previous)
{
	struct config_enum *setting = (struct config_enum *) pa_find_setting(name);

	*previous = setting->check_hook;
	setting->check_hook = check;
}

/* --- where it was set before --- */

/* What ends the transaction, or changes settings. */
static bool
leads_out(const Node *statement)
{
	switch (nodeTag(statement))
	{
		case T_TransactionStmt:
		case T_VariableSetStmt:
		case T_VariableShowStmt:
		case T_DiscardStmt:
			return true;
		default:
			return false;
	}
}

static void
process_utility(PlannedStmt *statement, const char *source, bool read_only_tree,
				ProcessUtilityContext utility_context, ParamListInfo params,
				QueryEnvironment *environment, DestReceiver *destination, QueryCompletion *completion)
{
	if (!leads_out(statement->utilityStmt))
		require_other_level();
	if (previous_process_utility)
		previous_process_utility(statement, source, read_only_tree, utility_context,
								 params, environment, destination, completion);
	else
		standard_ProcessUtility(statement, source, read_only_tree, utility_context,
								params, environment, destination, completion);
}

static void
executor_start(QueryDesc *query, int flags)
{
	require_other_level();
	if (previous_executor_start)
		previous_executor_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
}

/* Calls of functions that no statement makes. */
static void
object_access(ObjectAccessType access, Oid class, Oid object, int sub_object, void *argument)
{
	if (access == OAT_FUNCTION_EXECUTE)
		require_other_level();
	if (previous_object_access)
		previous_object_access(access, class, object, sub_object, argument);
}

void
pa_serializable_init(void)
{
	guard_setting("transaction_isolation", check_transaction, &previous_check_transaction);
	guard_setting("default_transaction_isolation", check_default, &previous_check_default);
	previous_process_utility = ProcessUtility_hook;
	ProcessUtility_hook = process_utility;
	previous_executor_start = ExecutorStart_hook;
	ExecutorStart_hook = executor_start;
	previous_object_access = object_access_hook;
	object_access_hook = object_access;
}
