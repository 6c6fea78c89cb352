/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * server_environment.h
 *		Lends the core the server's memory and its interrupts.
 */
#ifndef PA_SERVER_ENVIRONMENT_H
#define PA_SERVER_ENVIRONMENT_H

#include "postgres.h"

#include "core/environment.h"

/* Allocates in the memory context that is current when it is used. */
extern const PaEnvironment *pa_server_environment(void);

/* Replaces the handlers with which GSL would abort the process. */
extern void pa_environment_init(void);

#endif							/* PA_SERVER_ENVIRONMENT_H */
