/*
 * kernel_routine.h
 *		What a kind of kernel is: its row in the table of kernel.c.
 *
 * Each family has a file with the rows of its kinds and all of their functions:
 * kernel_plain.c, kernel_recycler.c, kernel_staircase.c, kernel_table.c.  What
 * kernel.h promises of pa_kernel_... the row keeps; every function but valid is
 * called for valid kernels only.
 */
#ifndef PA_KERNEL_ROUTINE_H
#define PA_KERNEL_ROUTINE_H

#include "core/noise/kernel.h"

/* An integer of a kernel, 64 bits wide and not negative, that its text names. */
typedef struct PaKernelField
{
	const char *name;			/* NULL: no more of them */
	size_t		offset;			/* in PaKernel */
} PaKernelField;

typedef struct PaKernelRoutine
{
	bool		needs_band;
	bool		recycles;
	bool		pure;			/* its loss is bounded, at any scale */
	bool		tabulated;		/* drawn from a table: no scale, text, log_fall nor law_of */
	bool		reduces;		/* its text has numerator/2^shift in lowest terms */
	PaKernelField fields[3];	/* what the text has after the scale, and an empty one */

	bool		(*valid) (const PaKernel *kernel);
	double		(*scale) (const PaKernel *kernel);
	PaLaw		(*law) (const PaKernel *kernel);

	/* The kernel of a scale alone; NULL: the kind needs more. */
	PaStatus	(*make) (PaKernelKind kind, double scale, PaKernel *kernel);

	/* The law of numbers that need not be drawable. */
	PaStatus	(*law_of) (const PaKernelNumbers *numbers, PaLaw *law);

	/* At least the inverse of a round's acceptance; NULL: every round is accepted. */
	uint64_t	(*rounds) (const PaKernel *kernel);

	/*
	 * One draw.  The source has failed if so many rounds are refused; what a
	 * failed source gives does not matter.
	 */
	int64_t		(*draw) (const PaKernel *kernel, PaRandom *random, uint32_t patience);

	double		(*log_fall) (const PaKernel *kernel, int64_t k);

	/* NULL: losses never repeat. */
	PaKernelTail (*tail) (const PaKernel *kernel);
} PaKernelRoutine;

#define PA_KERNEL(kind, name) extern const PaKernelRoutine pa_kernel_##name;
#include "core/noise/kernel_list.h"

#endif							/* PA_KERNEL_ROUTINE_H */
