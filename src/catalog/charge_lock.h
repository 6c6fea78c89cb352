/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * charge_lock.h
 *		Who may make charges, and on which policies.
 *
 * Charges of a database are made by one worker at a time.  A policy that is being
 * changed or closed is held: nothing is charged to it until the transaction that
 * holds it ends, so its successor sees all that it spent.  Other policies are
 * charged meanwhile.
 */
#ifndef PA_CHARGE_LOCK_H
#define PA_CHARGE_LOCK_H

#include "postgres.h"

/*
 * Subids of the advisory locks of the extension.  SQL-callable ones have 1 or 2
 * there, so no user can take these.
 */
enum
{
	PA_LOCK_LEDGER = 0x5041,
	PA_LOCK_BOOK,				/* local/book.c */
	PA_LOCK_POLICY,
	PA_LOCK_DECLARATION,		/* declaration_lock.c */
	PA_LOCK_ALIKE				/* alike_lock.c */
};

/*
 * Keeps every other worker of the database out, and the extension where it is, until
 * the transaction ends.  To be called before any table of the extension is locked.
 */
extern void pa_lock_ledger(void);

/*
 * Keeps whoever wants to hold the policy waiting until the transaction ends;
 * false, at once, if it is held or somebody waits to hold it.  To be called
 * before the snapshot that the policy is read with is taken.
 */
extern bool pa_enter_policy(int64 policy_id);

#endif							/* PA_CHARGE_LOCK_H */
