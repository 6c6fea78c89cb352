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

#include "postgres.h"

#include "miscadmin.h"

/* Raises an error if the stack has grown too much, or if the statement was cancelled. */
static inline void
pa_descend(void)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
}

#endif							/* PA_DESCEND_H */
