/*
 * promise.h
 *		What pa_calibrate asks of its parts: one row per kind of noise.
 *
 * A row turns the goal of a request into that of one coordinate, chooses a
 * lattice, and fits a kernel.  "fit" gets a sensitivity and an error bound in
 * steps of that lattice and returns a valid kernel that was tested against the
 * promise in the very form that is charged, or PA_OUT_OF_RANGE where a coarser
 * lattice could help, or PA_NO_SOLUTION.
 *
 * calibrate_scale.c, calibrate_recycle.c, calibrate_stairs.c and
 * calibrate_table.c have the rows, promise.c what they share.
 */
#ifndef PA_PROMISE_H
#define PA_PROMISE_H

#include "core/accounting/calibrate.h"
#include "core/accounting/decimal.h"

typedef struct PaPromise
{
	uint32_t	groups;
	PaDecimal	decimal;		/* epsilon, as charged, for pure kinds */
	double		epsilon;		/* one unit below what is asked, hence below its shortest decimal */
	double		delta;			/* likewise */
	double		rho;			/* the goal of one coordinate, rounded down; 0: epsilon and delta are */
	double		unit;			/* first guess of the plain scale / sensitivity */
} PaPromise;

typedef struct PaCalibrator
{
	/*
	 * What is asked of one coordinate; groups, epsilon and delta are set before.
	 * PA_NO_SOLUTION if the kind cannot do it.
	 */
	PaStatus	(*prepare) (const PaRequest *request, PaPromise *promise);

	/* The lattice, coarser by 2^result; -1: there is none. */
	int			(*coarsen) (const PaRequest *request, const PaPromise *promise);

	/* band is -1 if there is no error bound; only a table asks for the environment. */
	PaStatus	(*fit) (const PaPromise *promise, int64_t shift, int64_t band,
						const PaEnvironment *environment, PaKernel *kernel);

	/* A slot's noise of so much strength (plan.h); NULL: the kind has no slots. */
	PaStatus	(*planned) (double strength, int64_t shift, int64_t band, PaKernel *kernel);

	bool		needs_environment;
} PaCalibrator;

#define PA_KERNEL(kind, name) extern const PaCalibrator pa_calibrate_##name;
#include "core/noise/kernel_list.h"

/* The row of a kind. */
extern const PaCalibrator *pa_calibrator(PaKernelKind kind);

/* --- promise.c: what rows share --- */

/* For noise of a bounded loss: the parts of epsilon, or of rho, add up. */
extern PaStatus pa_promise_pure(const PaRequest *request, PaPromise *promise);

/* For Gaussian noise: the exact profile of one coordinate, else the parts of a rho. */
extern PaStatus pa_promise_gaussian(const PaRequest *request, PaPromise *promise);

/* Of one slot of a plan: so much pure loss, or so much rho. */
extern PaStatus pa_promise_planned_loss(double strength, PaPromise *promise);
extern void pa_promise_planned_rho(double strength, PaPromise *promise);

/* Sensitivity and error bound (-1: none) on a lattice that is coarser by 2^coarsen. */
extern PaInt128 pa_promise_shift(const PaRequest *request, int coarsen);
extern int64_t pa_promise_band(const PaRequest *request, int coarsen);

/* The coarsest lattice that is fine enough, or the finest one that may be possible. */
extern int	pa_promise_coarsen(const PaRequest *request, const PaPromise *promise);

/*
 * Whether a kernel keeps the promise: tests of (epsilon, delta) by the profile of
 * any kind, or in integers for plain Laplace.  Where rho is the goal both ask for that.
 */
typedef bool (*PaPromiseTest) (const PaPromise *promise, const PaKernel *kernel, int64_t shift);
extern bool pa_promise_by_profile(const PaPromise *promise, const PaKernel *kernel, int64_t shift);
extern bool pa_promise_by_loss(const PaPromise *promise, const PaKernel *kernel, int64_t shift);

/* calibrate_scale.c: Laplace or Gaussian of the least scale that passes the test. */
extern PaStatus pa_promise_scale(const PaPromise *promise, PaKernelKind kind, PaPromiseTest keeps,
								 int64_t shift, PaKernel *kernel);

#endif							/* PA_PROMISE_H */
