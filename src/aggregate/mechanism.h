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

#include "aggregate/aggregate.h"
#include "core/noise/kernel.h"

typedef struct PaMechanism
{
	const char *name;
	bool		chooses;		/* groups, by their totals: no noise, and nothing of it in policies and plans */
	PaKernelKind kernel;		/* of one that noises */
	bool		(*suits) (PaAggregateKind kind);	/* NULL: every aggregate */
} PaMechanism;

/* NULL: there is none of that name, in lower case. */
extern const PaMechanism *pa_mechanism_by_name(const char *name);

/* The one that chooses. */
extern const PaMechanism *pa_mechanism_of_choice(void);

extern bool pa_mechanism_suits(const PaMechanism *mechanism, PaAggregateKind kind);

#endif							/* PA_MECHANISM_H */
