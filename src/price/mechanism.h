/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mechanism.h
 *		What the option "kernel" of an aggregate may name.
 *
 * A mechanism noises totals, with a kind of noise of core/noise/kernel_list.h, or
 * it chooses groups instead (choice.h).
 */
#ifndef PA_MECHANISM_H
#define PA_MECHANISM_H

#include "postgres.h"

#include "core/noise/kernel.h"

typedef struct PaMechanism
{
	const char *name;
	bool		chooses;		/* for aggregates that rank (form/form.h); policies and plans do not name it */
	PaKernelKind kernel;		/* of one that noises */
} PaMechanism;

/* NULL: there is none of that name, in lower case. */
extern const PaMechanism *pa_mechanism_by_name(const char *name);

/* The one that chooses. */
extern const PaMechanism *pa_mechanism_of_choice(void);

#endif							/* PA_MECHANISM_H */
