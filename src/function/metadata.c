/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metadata.c
 *		SQL functions that the guard puts in the place of PostgreSQL's own where a
 *		user may not use these: see guard/metadata.c.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tupdesc.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"
#include "utils/varlena.h"

#include "catalog/hygiene.h"
#include "catalog/policy.h"
#include "errors.h"

PG_FUNCTION_INFO_V1(pa_of_own_relation);
PG_FUNCTION_INFO_V1(pa_own_sessions);
PG_FUNCTION_INFO_V1(pa_own_signal);
PG_FUNCTION_INFO_V1(pa_may_ask);
PG_FUNCTION_INFO_V1(pa_may_ask_any);

extern PGDLLEXPORT Datum pa_of_own_relation(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum pa_own_sessions(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum pa_own_signal(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum pa_may_ask(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum pa_may_ask_any(PG_FUNCTION_ARGS);

/* Tables, indexes and TOAST tables alike have an owner; no relation is nobody's. */
static bool
is_own_relation(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	bool		own;

	if (!HeapTupleIsValid(tuple))
		return false;
	own = has_privs_of_role(GetUserId(), ((Form_pg_class) GETSTRUCT(tuple))->relowner);
	ReleaseSysCache(tuple);
	return own;
}

/* The NULL that a built-in function returns is passed on. */
static Datum
pass_on(FunctionCallInfo fcinfo)
{
	LOCAL_FCINFO(call, 2);
	FmgrInfo	function;
	Datum		result;

	fmgr_info(PG_GETARG_OID(0), &function);
	InitFunctionCallInfoData(*call, &function, PG_NARGS() - 1, PG_GET_COLLATION(), NULL, NULL);
	for (int i = 1; i < PG_NARGS(); i++)
		call->args[i - 1] = fcinfo->args[i];
	result = FunctionCallInvoke(call);
	fcinfo->isnull = call->isnull;
	return result;
}

/*
 * _own_counter(function, relation) and its like: what the function, one that is
 * judged "own", says of the relation; NULL if it is not the caller's.
 */
Datum
pa_of_own_relation(PG_FUNCTION_ARGS)
{
	if (pa_function_judgement(PG_GETARG_OID(0)) != PA_JUDGED_OWN || get_func_nargs(PG_GETARG_OID(0)) != PG_NARGS() - 1 ||
		get_func_rettype(PG_GETARG_OID(0)) != get_func_rettype(fcinfo->flinfo->fn_oid))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("function %u tells nothing about one relation", PG_GETARG_OID(0)));
	if (!is_own_relation(PG_GETARG_OID(1)))
		PG_RETURN_NULL();
	return pass_on(fcinfo);
}

/* Columns by name: their number differs between versions. */
static int
column_number(TupleDesc desc, const char *name)
{
	for (int i = 0; i < desc->natts; i++)
		if (strcmp(NameStr(TupleDescAttr(desc, i)->attname), name) == 0)
			return i;
	elog(ERROR, "pg_stat_get_activity() has no column %s", name);
}

/* This session, or one of the user's roles; none of their parallel workers. */
static bool
is_own_session(TupleDesc desc, const Datum *values, const bool *nulls)
{
	int			user = column_number(desc, "usesysid");

	if (DatumGetInt32(values[column_number(desc, "pid")]) == MyProcPid)
		return true;
	return !nulls[user] && has_privs_of_role(GetUserId(), DatumGetObjectId(values[user])) && nulls[column_number(desc, "leader_pid")];
}

static void
copy_own_session(Tuplestorestate *to, TupleDesc desc, TupleTableSlot *slot)
{
	static const char *const untold[] = {"wait_event_type", "wait_event", "backend_xid", "backend_xmin"};

	slot_getallattrs(slot);
	if (!is_own_session(desc, slot->tts_values, slot->tts_isnull))
		return;
	for (int i = 0; i < lengthof(untold); i++)
		slot->tts_isnull[column_number(desc, untold[i])] = true;
	tuplestore_putvalues(to, desc, slot->tts_values, slot->tts_isnull);
}

/* pg_stat_get_activity() for the caller's sessions, waits and transaction numbers left out. */
Datum
pa_own_sessions(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *info = (ReturnSetInfo *) fcinfo->resultinfo;
	Tuplestorestate *all;
	TupleTableSlot *slot;
	MemoryContext caller;

	(void) pg_stat_get_activity(fcinfo);
	all = info->setResult;
	caller = MemoryContextSwitchTo(info->econtext->ecxt_per_query_memory);
	info->setResult = tuplestore_begin_heap((info->allowedModes & SFRM_Materialize_Random) != 0, false, work_mem);
	MemoryContextSwitchTo(caller);
	slot = MakeSingleTupleTableSlot(info->setDesc, &TTSOpsMinimalTuple);
	while (tuplestore_gettupleslot(all, true, false, slot))
		copy_own_session(info->setResult, info->setDesc, slot);
	ExecDropSingleTupleTableSlot(slot);
	tuplestore_end(all);
	return (Datum) 0;
}

/* This session, one of the user's roles, or anything for administrators of sessions; no parallel worker. */
static bool
may_signal(int pid)
{
	PGPROC	   *process = BackendPidGetProc(pid);

	if (pid == MyProcPid || has_privs_of_role(GetUserId(), ROLE_PG_SIGNAL_BACKEND))
		return true;
	return process && has_privs_of_role(GetUserId(), process->roleId) &&
		(process->lockGroupLeader == NULL || process->lockGroupLeader == process);
}

/*
 * _own_signal(function, pid, timeout): what the function, one that signals a session, does
 * with a session of the caller's; of any other process it says that there is none.
 */
Datum
pa_own_signal(PG_FUNCTION_ARGS)
{
	if (pa_function_judgement(PG_GETARG_OID(0)) != PA_JUDGED_SESSIONS || get_func_rettype(PG_GETARG_OID(0)) != BOOLOID)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("function %u signals no session", PG_GETARG_OID(0)));
	if (may_signal(PG_GETARG_INT32(1)))
		return pass_on(fcinfo);
	ereport(WARNING, errmsg("PID %d is not a PostgreSQL backend process", PG_GETARG_INT32(1)));
	PG_RETURN_BOOL(false);
}

static bool
may_ask(Oid relation, Oid user)
{
	const PaPolicy *policy = pa_policies_exist() ? pa_policy_of(relation) : NULL;

	return policy != NULL && OidIsValid(pa_policy_payer(policy, user));
}

/* True if a policy is declared for the relation and the user holds a budget for it. */
Datum
pa_may_ask(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(may_ask(PG_GETARG_OID(0), GetUserId()));
}

/* The role of has_any_column_privilege(role, relation, privilege), or InvalidOid if there is no such role. */
static Oid
role_argument(FunctionCallInfo fcinfo)
{
	if (PG_NARGS() == 2)
		return GetUserId();
	if (get_fn_expr_argtype(fcinfo->flinfo, 0) == NAMEOID)
		return get_role_oid(NameStr(*PG_GETARG_NAME(0)), true);
	return PG_GETARG_OID(0);
}

static Oid
relation_argument(FunctionCallInfo fcinfo)
{
	int			position = PG_NARGS() - 2;

	if (get_fn_expr_argtype(fcinfo->flinfo, position) == OIDOID)
		return PG_GETARG_OID(position);
	return RangeVarGetRelid(makeRangeVarFromNameList(textToQualifiedNameList(PG_GETARG_TEXT_PP(position))), NoLock, true);
}

/* True if a list of privileges has SELECT among them. */
static bool
names_select(const text *privileges)
{
	char	   *list = text_to_cstring(privileges);
	char	   *rest = NULL;

	for (char *name = strtok_r(list, ", \t\n", &rest); name; name = strtok_r(NULL, ", \t\n", &rest))
		if (pg_strcasecmp(name, "select") == 0)
			return true;
	return false;
}

/*
 * _may_ask_any: as has_any_column_privilege(), of SELECT by way of a budget.  Only
 * the caller's own roles are told of.
 */
Datum
pa_may_ask_any(PG_FUNCTION_ARGS)
{
	Oid			role = role_argument(fcinfo);

	PG_RETURN_BOOL(names_select(PG_GETARG_TEXT_PP(PG_NARGS() - 1)) && OidIsValid(role) &&
				   has_privs_of_role(GetUserId(), role) && may_ask(relation_argument(fcinfo), role));
}
