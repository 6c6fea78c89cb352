/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_random.h
 *		Random bits of the operating system for what a session draws.
 */
#ifndef PA_SESSION_RANDOM_H
#define PA_SESSION_RANDOM_H

#include "postgres.h"

#include "core/random/random.h"

/* One generator for each process, since a buffer must not be shared across a fork. */
extern PaRandom *pa_session_random(void);

#endif							/* PA_SESSION_RANDOM_H */
