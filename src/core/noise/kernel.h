/*
 * kernel.h
 *		Noise on the integers: exact law, exact sampler, exact privacy.
 *
 * A kernel is a symmetric unimodal law on the integers.  Its scale is the
 * dyadic rational numerator / 2^shift (b of the Laplace law p(k) ~ exp(-|k|/b),
 * sigma of the Gaussian law p(k) ~ exp(-k^2 / (2 sigma^2))), so that the law
 * that is sampled is to the last bit the law that is accounted.
 *
 * Numbers of a law are computed in double; a bound that protects is rounded
 * towards more privacy (a tail or a delta up, never down), by more than the
 * error of its computation.
 *
 * Sources: Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential
 * Privacy" (2020); docs/theory.md has the proofs.
 */
#ifndef PA_KERNEL_H
#define PA_KERNEL_H

#include "core/random/random.h"

typedef enum PaKernelKind
{
	PA_KERNEL_LAPLACE,
	PA_KERNEL_GAUSSIAN
} PaKernelKind;

/*
 * The dyadic scales: numerator is in [1, 2^PA_SCALE_BITS) if shift is in
 * [1, PA_SCALE_SHIFT], and in [1, 2^PA_SCALE_WHOLE_BITS) if shift is 0.  So a
 * scale is between 2^-20 and 2^40 and, from 1 up, precise to one millionth.
 * sampler.c proves that nothing overflows in these ranges.  A scale of 2^-20
 * already stands for "no noise": Pr[N != 0] < exp(-2^20).
 */
#define PA_SCALE_BITS 21
#define PA_SCALE_SHIFT 20
#define PA_SCALE_WHOLE_BITS 40

typedef struct PaKernel
{
	PaKernelKind kind;
	uint64_t	numerator;
	uint32_t	shift;
} PaKernel;

extern const char *pa_kernel_name(PaKernelKind kind);	/* "laplace", "gaussian" */

/*
 * Smallest representable scale >= scale, in lowest terms; PA_OUT_OF_RANGE if
 * there is none, PA_INVALID unless scale is finite and > 0.
 */
extern PaStatus pa_kernel_make(PaKernelKind kind, double scale, PaKernel *kernel);
extern double pa_kernel_scale(const PaKernel *kernel);

/* True iff the kernel is one that pa_kernel_make can make, lowest terms aside. */
extern bool pa_kernel_valid(const PaKernel *kernel);

/*
 * One draw, |noise| < 2^53.  The number of random bits used depends on the
 * noise, never on the data.  PA_INVALID for a kernel that is not valid,
 * PA_NO_RANDOMNESS if the source failed.
 */
extern PaStatus pa_kernel_sample(const PaKernel *kernel, PaRandom *random, int64_t *noise);

/* Pr[N = k], relative error below 1e-12 */
extern double pa_kernel_pmf(const PaKernel *kernel, int64_t k);

/* Pr[N >= k], rounded up (relative error below 1e-10) */
extern double pa_kernel_tail(const PaKernel *kernel, int64_t k);

/* The smallest m >= 0 with Pr[|N| > m] <= 1 - confidence, 0 < confidence < 1; else -1 */
extern int64_t pa_kernel_error(const PaKernel *kernel, double confidence);

/*
 * Exact privacy profile of one coordinate: sup over both directions of
 * sum_k max(0, p(k) - e^epsilon p(k - shift)) for |shift| = sensitivity >= 0
 * lattice steps; rounded up, in [0, 1].  epsilon is any finite number.
 * Monotone in the sensitivity (docs/theory.md), so it covers smaller shifts.
 */
extern double pa_kernel_delta(const PaKernel *kernel, int64_t sensitivity, double epsilon);

/*
 * zCDP of one coordinate: sup over alpha > 1 of D_alpha(p || p shifted)/alpha,
 * rounded up.  Gaussian: sensitivity^2/(2 sigma^2).  Laplace: D_alpha/alpha
 * falls in alpha, so it is the Kullback-Leibler divergence, in closed form
 * (docs/theory.md); never above epsilon^2/2 nor epsilon, epsilon = sensitivity/b.
 */
extern double pa_kernel_rho(const PaKernel *kernel, int64_t sensitivity);

#endif							/* PA_KERNEL_H */
