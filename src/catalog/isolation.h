/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolation.h
 *		Changes of policies, and of tables that have one, see what others have committed.
 *
 * A declaration looks for grants, and a GRANT for policies, after each has waited
 * for the other.  With a snapshot that is older than the wait, neither would find
 * anything.
 */
#ifndef PA_ISOLATION_H
#define PA_ISOLATION_H

/* Raises an error in transactions that keep one snapshot from beginning to end. */
extern void pa_require_read_committed(void);

#endif							/* PA_ISOLATION_H */
