/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * environment.h
 *		What a long computation borrows from its caller: memory, and whether to go on.
 *
 * Every function that takes one frees what it allocated before it returns,
 * whatever it returns.  interrupted() may be called often; once it says true
 * the function returns PA_INTERRUPTED soon.
 */
#ifndef PA_ENVIRONMENT_H
#define PA_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

typedef struct PaEnvironment
{
	void	   *(*allocate) (void *context, size_t size);	/* NULL if there is no memory; fit for numbers of 8 bytes and pointers */
	void		(*release) (void *context, void *memory);
	bool		(*interrupted) (void *context); /* may be NULL */
	void	   *context;
} PaEnvironment;

#endif							/* PA_ENVIRONMENT_H */
