/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * delay.c
 *		See delay.h.
 *
 * Times are microseconds since the release began, by the monotonic clock.  From the
 * charge until it is handed up the backend shows no wait event: other sessions of the
 * same role would see in pg_stat_activity what it does, and that it is done.
 *
 * The end of the session is no error that could be caught.  It is held back where
 * it is reported, before anything is said to the client and anything is let go.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "portability/instr_time.h"
#include "storage/bufmgr.h"
#include "storage/condition_variable.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

#include "compat/session.h"
#include "quiet/delay.h"
#include "quiet/quiet.h"
#include "quiet/terminator.h"
#include "quiet/traces.h"
#include "size_limits.h"
#include "session_random.h"

#define LOOK_GRID 20000			/* microseconds */
#define LAST_SLEEP 2000			/* latches wait for whole milliseconds: the rest is slept */

struct PaDelay
{
	instr_time	begin;
	bool		owed;			/* charged */
	bool		reads;			/* rows, perhaps all by now */
	bool		shown;			/* held back: it may be seen that the work is done */
	bool		noisy;
	int64		noise;			/* in steps of PA_ROW_WORK_MICROSECONDS */
	int64		grid;			/* 0: none */
	int64		quiet_until;	/* with the noise; 0: not known yet */
	PaDelay    *outer;
};

static PaDelay *under_way = NULL;	/* of the innermost release */
static uint32 hidden_wait_event;		/* what it waits for */
static emit_log_hook_type previous_emit_log = NULL;

static int64
elapsed(const PaDelay *delay)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, delay->begin);
	return INSTR_TIME_GET_MICROSEC(now);
}

void
pa_hide_waits(void)
{
	pgstat_set_wait_event_storage(&hidden_wait_event);
}

static void
show_waits(void)
{
	pgstat_set_wait_event_storage(&MyProc->wait_event_info);
}

/* The end of the step in which the work was done, and then the noise. */
static int64
after_noise(const PaDelay *delay)
{
	return (elapsed(delay) / PA_ROW_WORK_MICROSECONDS + 1 + delay->noise) * PA_ROW_WORK_MICROSECONDS;
}

static int64
next_multiple(const PaDelay *delay)
{
	return (elapsed(delay) / delay->grid + 1) * delay->grid;
}

static int64
next_doubled(const PaDelay *delay)
{
	int64		point = delay->grid;
	int64		now = elapsed(delay);

	while (point <= now)
		point *= 2;
	return point;
}

/*
 * Cancels are held; if "cut", one that is pending makes it the next multiple of the
 * grid.  Where all interrupts are held the session is about to end.
 */
static void
sleep_until(const PaDelay *delay, int64 point, bool cut)
{
	for (;;)
	{
		int64		left;

		CHECK_FOR_INTERRUPTS();
		if (InterruptHoldoffCount > 0 && pa_terminated_by_authority())
			return;
		if (cut && QueryCancelPending)
		{
			point = Min(point, next_multiple(delay));
			cut = false;
		}
		left = point - elapsed(delay);
		if (left <= 0)
			return;
		if (left > LAST_SLEEP)
		{
			(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, left / 1000 - 1, PG_WAIT_EXTENSION);
			ResetLatch(MyLatch);
		}
		else
			pg_usleep(left);
	}
}

static void
hold_back(PaDelay *delay, bool cancelled)
{
	if (delay->shown)
		return;
	HOLD_CANCEL_INTERRUPTS();
	if (delay->noisy && delay->quiet_until == 0)
		delay->quiet_until = after_noise(delay);
	if (delay->noisy)
		sleep_until(delay, delay->quiet_until, false);
	if (delay->grid > 0)
		sleep_until(delay, cancelled ? next_multiple(delay) : next_doubled(delay), true);
	RESUME_CANCEL_INTERRUPTS();
}

/* As a cancel is, unless somebody asks for the end who need not steal a look. */
static void
hold_back_end(void)
{
	PaDelay    *delay = under_way;

	under_way = NULL;
	if (delay == NULL)
		return;
	HOLD_INTERRUPTS();
	hold_back(delay, true);
	RESUME_INTERRUPTS();
}

static void
emit_log(ErrorData *error)
{
	if (error->elevel == FATAL)
		hold_back_end();
	if (previous_emit_log)
		previous_emit_log(error);
}

void
pa_delay_init(void)
{
	previous_emit_log = emit_log_hook;
	emit_log_hook = emit_log;
}

/* What others may be waiting for goes before the wait, as when a transaction aborts; workers end. */
static void
let_go(void)
{
	LWLockReleaseAll();
	pgstat_report_wait_end();
	pa_let_go_of_reads();
	UnlockBuffers();
	ConditionVariableCancelSleep();
	LockErrorCleanup();
	if (ParallelContextActive())
		AtEOSubXact_Parallel(false, GetCurrentSubTransactionId());
}

static void
begin_release(PaDelay *delay)
{
	INSTR_TIME_SET_CURRENT(delay->begin);
	delay->outer = under_way;
	under_way = delay;
}

static void
end_release(PaDelay *delay)
{
	under_way = delay->outer;
	if (under_way == NULL || !under_way->owed)
		show_waits();
}

/* A cancel that is pending is the same error whether it met the work or came when that was done. */
static void
check_for_interrupts(const PaDelay *delay)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		CHECK_FOR_INTERRUPTS();
	}
	PG_CATCH();
	{
		if (!delay->owed || geterrcode() != ERRCODE_QUERY_CANCELED)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		pa_raise_canceled();
	}
	PG_END_TRY();
}

/* If there is no memory for a copy, nothing must wait for a release that is gone. */
static ErrorData *
take_error(PaDelay *delay)
{
	ErrorData  *error;

	under_way = delay->outer;
	error = CopyErrorData();
	under_way = delay;
	FlushErrorState();
	return error;
}

static void
hold_back_error(PaDelay *delay, MemoryContext context)
{
	ErrorData  *error;
	bool		canceled;

	MemoryContextSwitchTo(context);
	error = take_error(delay);
	canceled = error->sqlerrcode == ERRCODE_QUERY_CANCELED;
	let_go();
	pa_traces_remove();
	hold_back(delay, canceled);
	end_release(delay);
	check_for_interrupts(delay);	/* whichever came first */
	if (canceled && delay->owed)
		pa_raise_canceled();
	ReThrowError(error);
}

void
pa_delay_run(void (*work) (void *state, PaDelay *delay), void *state)
{
	MemoryContext context = CurrentMemoryContext;
	PaDelay    *delay = palloc0(sizeof(PaDelay));

	begin_release(delay);
	PG_TRY();
	{
		work(state, delay);
	}
	PG_CATCH();
	{
		hold_back_error(delay, context);
	}
	PG_END_TRY();
	pa_traces_remove();
	hold_back(delay, false);
	end_release(delay);
	check_for_interrupts(delay);
	pfree(delay);
}

void
pa_delay_look(const PaPolicy *policy, void (*look) (void *state), void *state)
{
	PaDelay    *delay = under_way;
	int64		grid;

	if (delay == NULL)
	{
		look(state);
		return;
	}
	pa_terminator_watch();
	grid = delay->grid;
	delay->grid = Max(policy->time_grid, LOOK_GRID);
	pa_hide_waits();
	look(state);
	HOLD_CANCEL_INTERRUPTS();
	sleep_until(delay, next_doubled(delay), true);
	RESUME_CANCEL_INTERRUPTS();
	delay->grid = grid;
	if (!delay->owed)
		show_waits();
	CHECK_FOR_INTERRUPTS();
}

void
pa_delay_reads(void)
{
	if (under_way)
		under_way->reads = true;
}

void
pa_delay_show(void)
{
	for (PaDelay *delay = under_way; delay; delay = delay->outer)
	{
		if (!delay->owed || !delay->reads)
			continue;
		pa_traces_shrink();
		hold_back(delay, false);
		delay->shown = true;
		check_for_interrupts(delay);
	}
}

/* The noise is drawn before a row is read: how long drawing takes is part of it. */
void
pa_delay_owe(PaDelay *delay, const PaPolicy *policy, const PaDelayLaw *law)
{
	PaStatus	status = PA_OK;

	if (policy->time_grid > 0 || (law != NULL && law->reach > 0))
		pa_terminator_watch();
	delay->grid = policy->time_grid;
	delay->owed = true;
	pa_hide_waits();
	if (law == NULL || law->reach == 0)
		return;
	status = pa_delay_sample(law, pa_session_random(), &delay->noise);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing a delay failed: %s", pa_status_text(status)));
	delay->noisy = true;
}
