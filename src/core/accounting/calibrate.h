/*
 * calibrate.h
 *		From a sensitivity and a wanted (epsilon, delta) to a kernel on a lattice.
 *
 * Contributions are summed exactly on a fine lattice (integers).  The noise
 * may live on a coarser one: 2^coarsen fine steps, as coarse as possible while
 * both the scale and the sensitivity still span PA_COARSE_STEPS coarse steps
 * (coarser only where the scale would not be representable otherwise).  The
 * exact total is rounded to the coarse lattice by adding half a step and
 * shifting; that map is monotone and commutes with whole coarse steps, so the
 * coarse sensitivity is ceil(fine sensitivity / 2^coarsen), with nothing to
 * add: the price of the coarse lattice is below 1/PA_COARSE_STEPS of the scale.
 *
 * The promise is made for the shortest decimal form of epsilon and delta, the
 * form in which budget.h charges them.
 */
#ifndef PA_CALIBRATE_H
#define PA_CALIBRATE_H

#include "core/noise/kernel.h"

#define PA_COARSE_STEPS 512		/* least scale and shift, in coarse steps, once coarsen > 0 */

typedef struct PaSensitivity
{
	PaInt128	per_group;		/* largest change of one group's total by one owner, fine steps, >= 1, < 2^100 */
	uint32_t	groups;			/* L0: how many groups one owner can change, >= 1 */
} PaSensitivity;

typedef struct PaCalibration
{
	PaKernel	kernel;			/* scale in coarse steps */
	uint32_t	coarsen;		/* log2 of fine steps per coarse step */
	int64_t		shift;			/* sensitivity of one coordinate, coarse steps */
	double		epsilon;		/* what this noise is worth: (epsilon, delta)-DP ... */
	double		delta;			/* ... delta is 0 for Laplace */
	double		rho;			/* ... and rho-zCDP, both rounded up */
} PaCalibration;

/*
 * Least noise of the given kind that makes the vector of L0 totals
 * (epsilon, delta)-DP.  epsilon in [1e-9, 1e6]; delta in [0, 1), and > 0 for
 * Gaussian.  Laplace ignores delta (it is pure) and has b >= L0 * shift / epsilon.
 * Gaussian: L0 = 1 by the exact lattice profile, L0 > 1 through zCDP.
 * out->epsilon is the epsilon asked for (to be charged as asked);
 * out->rho is exact for the kernel that came out: L0 * pa_kernel_rho(shift).
 * PA_NO_SOLUTION where even one coarse step of sensitivity needs a scale above
 * 2^PA_SCALE_WHOLE_BITS: L0 / epsilon > 2^40 for Laplace.
 */
extern PaStatus pa_calibrate(PaKernelKind kind, const PaSensitivity *sensitivity,
							 double epsilon, double delta, PaCalibration *out);

/* Rounds an exact total to the coarse lattice, ties upwards; never overflows. */
extern PaInt128 pa_coarsen(PaInt128 total, uint32_t coarsen);

/*
 * Private group selection: the smallest tau >= 1 with L0 * Pr[1 + N >= tau] <= delta,
 * where N is the kernel of a calibrated owners' count (per_group = 1, so
 * coarsen = 0).  delta in (0, 1).
 */
extern PaStatus pa_selection_threshold(const PaKernel *kernel, uint32_t groups, double delta, int64_t *tau);

#endif							/* PA_CALIBRATE_H */
