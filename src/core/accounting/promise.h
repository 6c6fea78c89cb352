/*
 * promise.h
 *		What pa_calibrate asks of its parts, one per family of kernels.
 *
 * A part gets a sensitivity and an error bound in steps of a lattice that was
 * chosen before, and returns a valid kernel that was tested against the promise
 * in the very form that is charged, or PA_OUT_OF_RANGE where a coarser lattice
 * could help, or PA_NO_SOLUTION.
 */
#ifndef PA_PROMISE_H
#define PA_PROMISE_H

#include "core/accounting/calibrate.h"
#include "core/accounting/decimal.h"

typedef struct PaPromise
{
	PaKernelKind kind;
	uint32_t	groups;
	PaDecimal	decimal;		/* epsilon, as charged, for pure kinds */
	double		epsilon;		/* one unit below what is asked, hence below its shortest decimal */
	double		delta;			/* likewise */
	double		rho;			/* the goal of one coordinate, rounded down; 0: epsilon and delta are */
	double		unit;			/* first guess of the plain scale / sensitivity */
} PaPromise;

/* Laplace or Gaussian: the least scale. */
extern PaStatus pa_promise_scale(const PaPromise *promise, PaKernelKind kind, int64_t shift, PaKernel *kernel);

/* Whether plain noise of this kind keeps the promise. */
extern bool pa_promise_suffices(const PaPromise *promise, const PaKernel *kernel, int64_t shift);

/* The recyclers: the greatest acceptance of the band. */
extern PaStatus pa_promise_recycler(const PaPromise *promise, int64_t shift, int64_t band, PaKernel *kernel);

extern PaStatus pa_promise_staircase(const PaPromise *promise, int64_t shift, int64_t band, PaKernel *kernel);

/* The linear program; kernel->table is allocated. */
extern PaStatus pa_promise_table(const PaPromise *promise, int64_t shift, int64_t band,
								 const PaEnvironment *environment, PaKernel *kernel);

/* The support that the program needs, without regard to limits. */
extern double pa_promise_table_last(const PaPromise *promise, double shift, double band);

#define PA_TABLE_SHIFT 64		/* most steps for the program */
#define PA_TABLE_BAND 128
#define PA_TABLE_LAST 256		/* of the support: some 30 ms */
#define PA_TABLE_LEAST 8		/* least steps on a lattice that was made coarser for it */
#define PA_TABLE_DELTA 1e-3		/* least delta of a coordinate */

#endif							/* PA_PROMISE_H */
