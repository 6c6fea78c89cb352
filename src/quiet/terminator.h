/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * terminator.h
 *		Who has asked for the end of this session: an analyst may do so, as of any
 *		session of a role of theirs, in order to see how fast it ends.
 *
 * PostgreSQL does not keep whose SIGTERM it was; the kernel tells.
 */
#ifndef PA_TERMINATOR_H
#define PA_TERMINATOR_H

#include "postgres.h"

/* From here on the session knows.  Reads the system catalog, so not to be called while a message is reported. */
extern void pa_terminator_watch(void);

/*
 * True if the postmaster, a superuser's session or another user of the operating
 * system has asked for the end.  False also where that is not known, as of a
 * session that is gone.  Reads shared memory only.
 */
extern bool pa_terminated_by_authority(void);

#endif							/* PA_TERMINATOR_H */
