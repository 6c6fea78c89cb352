/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiet.h
 *		Between charge and release nothing is said to the client.
 *
 * Whatever is raised while protected rows are read might be raised because of a
 * row, by whomever: PostgreSQL, a library, a damaged page.  So messages stay in
 * the server's log, and an error becomes one that is always the same.
 */
#ifndef PA_QUIET_H
#define PA_QUIET_H

#include "compat/version.h"

/* Installs the log hook; called from _PG_init. */
extern void pa_quiet_init(void);

/*
 * Runs work(argument) in silence: no message of any level reaches the client, in
 * a parallel worker none reaches the leader.  An error goes to the server's log
 * and is replaced by ERRCODE_PA_RELEASE_FAILED, or, where the statement was
 * canceled by its client or a timeout, by ERRCODE_QUERY_CANCELED, with constant
 * texts.  The end of the session on an administrator's command is told as ever.
 */
extern void pa_quietly(void (*work) (void *argument), void *argument);

/*
 * Runs work(argument) where messages below errors go to the server's log alone; to be used
 * before a charge, for what would be said once in a session.
 */
extern void pa_log_alone(void (*work) (void *argument), void *argument);

/* The error of a release that is charged and canceled, whatever it was about when the cancel came. */
extern void pa_raise_canceled(void) PA_NORETURN;

/* After whatever may have written temporary files: in which tablespace the next one lies tells no number of them. */
extern void pa_forget_turn(void);

#endif							/* PA_QUIET_H */
