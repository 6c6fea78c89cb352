/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * descend.h
 *		What every function does first that may call itself, directly or not, as
 *		deep as a statement, plan or catalog goes.
 *
 * PostgreSQL's walkers of expressions check the stack, those of queries do not,
 * and neither hears a cancel.  scripts/tree/recursion.py finds where it is missing.
 */
#ifndef PA_DESCEND_H
#define PA_DESCEND_H

#include "compat/version.h"

#include "miscadmin.h"

/* Steps that may still be taken; nobody counts where no statement is being guarded. */
extern uint64 pa_steps_left;

/* Errors out: the statement has taken too many. */
extern void pa_refuse_steps(void) PA_NORETURN;

/* Raises an error if the stack has grown too much, if the statement was cancelled, or if it takes too many steps. */
static inline void
pa_descend(void)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (pa_steps_left == 0)
		pa_refuse_steps();
	pa_steps_left--;
}

/*
 * Calls the function, which may take so many steps that any statement of ordinary size is
 * done with: what takes a number that grows faster is refused before it takes the server's memory.
 */
extern void pa_within_steps(void (*function) (void *argument), void *argument);

#endif							/* PA_DESCEND_H */
