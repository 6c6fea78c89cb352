/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * poll.h
 *		Asks now and then whether to go on.
 */
#ifndef PA_POLL_H
#define PA_POLL_H

#include "core/environment.h"

#define PA_POLL_EVERY 4096

/* Whether the caller wants an end; it is asked at one step of PA_POLL_EVERY.  environment may be NULL */
static inline bool
pa_poll(const PaEnvironment *environment, size_t step)
{
	return step % PA_POLL_EVERY == 0 && environment != NULL && environment->interrupted != NULL &&
		environment->interrupted(environment->context);
}

#endif							/* PA_POLL_H */
