/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * serializable.h
 *		Who may use isolation level serializable.
 *
 * Serializable transactions are told of each other: one fails with 40001, its DETAIL
 * says why, when two others have read and written the same rows, and a deferrable one
 * waits for all that write.  So where something is protected the level is for those
 * who read a protected table as it is, as applications that write it do, unless they
 * have a budget for another; privacct.allow_serializable gives it to others.
 */
#ifndef PA_SERIALIZABLE_H
#define PA_SERIALIZABLE_H

/* Installs what sees settings, statements and calls of functions; called from _PG_init. */
extern void pa_serializable_init(void);

#endif							/* PA_SERIALIZABLE_H */
