/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.c
 *		What a release is doing, for privacct.progress.
 *
 * PostgreSQL has a place for the progress of a session's command in shared memory, and
 * clears it when a transaction or subtransaction ends by an error.  Views of its own
 * show the commands that they know: ours is none of them.  Inside of another command, a
 * COPY of a query, the place is taken and stays what it is.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "compat/session.h"
#include "catalog/policy.h"
#include "node/progress.h"

/* "pa", beyond the commands of any version of the server */
#define RELEASE_COMMAND ((ProgressCommandType) 0x7061)

/* of the progress of a release */
enum
{
	PHASE,
	PHASE_BEGAN,
	BEGAN
};

static const char *const phase_names[] = {
	[PA_PHASE_RUNNING] = "running",
	[PA_PHASE_PREPARING] = "preparing",
	[PA_PHASE_PUBLIC] = "reading public tables",
	[PA_PHASE_CHARGING] = "waiting for the ledger",
	[PA_PHASE_RELEASING] = "releasing",
};

/* --- telling --- */

static bool
is_ours(void)
{
	return MyBEEntry != NULL && MyBEEntry->st_progress_command == RELEASE_COMMAND;
}

/* A release has the time of its first policy; that another one hides it is respected as well. */
static bool
hides_time(const PaLeafSpec *spec)
{
	for (int i = 0; i < spec->ntables; i++)
	{
		const PaPolicy *policy = pa_policy_of(spec->tables[i].relation);

		if (policy == NULL || policy->time_grid > 0 || policy->time_epsilon > 0)
			return true;
	}
	return false;
}

/* When the phase began would tell when it was seen that the terms had changed. */
static void
set_phase(PaPhase phase)
{
	static const int parameters[] = {PHASE, PHASE_BEGAN};
	int64		values[] = {phase, phase == PA_PHASE_RUNNING ? MyBEEntry->st_progress_param[BEGAN] : GetCurrentTimestamp()};

	pgstat_progress_update_multi_param(lengthof(parameters), parameters, values);
}

void
pa_progress_enter(PaPhase phase)
{
	if (is_ours() && MyBEEntry->st_progress_param[PHASE] != PA_PHASE_RUNNING)
		set_phase(phase);
}

void
pa_progress_priced(const PaLeafSpec *spec)
{
	if (is_ours())
		pa_progress_enter(hides_time(spec) ? PA_PHASE_RUNNING : PA_PHASE_PUBLIC);
}

void
pa_progress_begin(const PaLeafSpec *spec)
{
	static const int parameters[] = {PHASE, PHASE_BEGAN, BEGAN};
	TimestampTz now = GetCurrentTimestamp();
	int64		values[] = {hides_time(spec) ? PA_PHASE_RUNNING : PA_PHASE_PREPARING, now, now};

	if (MyBEEntry == NULL || MyBEEntry->st_progress_command != PROGRESS_COMMAND_INVALID)
		return;
	pgstat_progress_start_command(RELEASE_COMMAND, spec->tables[0].relation);
	if (is_ours())				/* not with track_activities = off */
		pgstat_progress_update_multi_param(lengthof(parameters), parameters, values);
}

void
pa_progress_end(void)
{
	if (is_ours())
		pgstat_progress_end_command();
}

/* --- showing --- */

/* As pg_stat_activity: the sessions of whose privileges the caller has, and all for whoever monitors. */
static bool
may_see(const PgBackendStatus *backend)
{
	return has_privs_of_role(GetUserId(), backend->st_userid) || has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
}

static void
show(const PgBackendStatus *backend, ReturnSetInfo *result)
{
	int64		phase = backend->st_progress_param[PHASE];
	Datum		values[] = {
		Int32GetDatum(backend->st_procpid),
		ObjectIdGetDatum(backend->st_userid),
		ObjectIdGetDatum(backend->st_progress_command_target),
		CStringGetTextDatum(phase_names[phase]),
		TimestampTzGetDatum(backend->st_progress_param[BEGAN]),
		TimestampTzGetDatum(backend->st_progress_param[PHASE_BEGAN])
	};
	bool		nulls[lengthof(values)] = {false};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

PG_FUNCTION_INFO_V1(pa_progress);
PGDLLEXPORT Datum
pa_progress(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int			count = pgstat_fetch_stat_numbackends();

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 1; i <= count; i++)
	{
		const PgBackendStatus *backend = &pa_session_status(i)->backendStatus;

		if (backend->st_progress_command == RELEASE_COMMAND && backend->st_databaseid == MyDatabaseId &&
			backend->st_progress_param[PHASE] >= 0 && backend->st_progress_param[PHASE] < lengthof(phase_names) &&
			backend->st_progress_param[BEGAN] != 0 && may_see(backend))
			show(backend, result);
	}
	return (Datum) 0;
}
