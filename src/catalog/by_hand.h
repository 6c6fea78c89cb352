/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * by_hand.h
 *		Whether a statement that may write to the books is somebody's own.
 *
 * privacct.write_books is on in the functions of the extension that write, in the
 * ledger's worker, in its scripts, and wherever a superuser turned it on, but in no
 * worker that applies what a publisher sends.
 */
#ifndef PA_BY_HAND_H
#define PA_BY_HAND_H

/* Defines the settings by which triggers know, and follows which function with settings of its own is the innermost; called from _PG_init, after all others that hook calls. */
extern void pa_by_hand_init(void);

/* What this process writes by no function is the extension's: the ledger's worker. */
extern void pa_by_hand_never(void);

/* Whether what is done now is done by a function or a script of the extension, its worker or pg_upgrade. */
extern bool pa_extension_writes(void);

/* Leaves a line in privacct.written_by_hand, if the extension is installed and up to date. */
extern void pa_note_hand(const char *object, const char *command);

#endif							/* PA_BY_HAND_H */
