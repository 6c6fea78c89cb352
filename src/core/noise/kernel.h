/*
 * kernel.h
 *		Noise that is drawn exactly: what a release uses.
 *
 * Noise is a whole number of lattice steps; so are sensitivities and bands.
 * All parameters are integers, so that the law drawn is the law accounted:
 *
 *	 laplace		Pr[N = k] ~ exp(-|k|/b)				b = numerator/2^shift
 *	 gaussian		Pr[N = k] ~ exp(-k^2/(2 sigma^2))	sigma = numerator/2^shift
 *	 brdp_laplace,	the same, but what falls outside of |k| <= band is drawn again
 *	 brdp_gaussian	with probability 1 - keep/2^PA_KEEP_BITS
 *	 staircase		Pr[N = k] ~ exp(e floor((band - |k|)/width)), e = numerator/2^shift
 *	 optimal		Pr[N = k] = table->weight[|k|]/table->total
 *
 * All are symmetric and unimodal.  Numbers of a law are computed in double; a
 * bound that protects is rounded towards more privacy, by more than the error
 * of its computation.  But for pa_kernel_name, pa_kernel_valid and
 * pa_kernel_sample every function asks for a valid kernel, or one of the kinds.
 *
 * Samplers: Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential
 * Privacy" (2020), Algorithms 1-3, and rejection from those; the recycler's
 * number of rounds is independent of what it returns.  docs/theory.md proves
 * the laws and their profiles.
 *
 * What differs from kind to kind stands in kernel_routine.h and the files that
 * it names; nothing else asks which kind a kernel is of.
 */
#ifndef PA_KERNEL_H
#define PA_KERNEL_H

#include <stdint.h>

#include "core/noise/law.h"
#include "core/random/random.h"

typedef enum PaKernelKind
{
#define PA_KERNEL(kind, name) kind,
#include "core/noise/kernel_list.h"
} PaKernelKind;

enum
{
#define PA_KERNEL(kind, name) + 1
	PA_KERNEL_KINDS =
#include "core/noise/kernel_list.h"
};

/* Sets of kinds. */
#define PA_KERNEL_BIT(kind) (UINT32_C(1) << (kind))
#define PA_KERNEL_ALL (PA_KERNEL_BIT(PA_KERNEL_KINDS) - 1)

/*
 * The dyadic scales of Laplace and Gaussian, recycled or not: numerator is in
 * [1, 2^PA_SCALE_BITS) if shift is in [1, PA_SCALE_SHIFT], and in
 * [1, 2^PA_SCALE_WHOLE_BITS) if shift is 0.  So a scale is between 2^-20 and
 * 2^40 and, from 1 up, precise to one millionth.  draw.c proves that nothing
 * overflows in these ranges.  A scale of 2^-20 already stands for "no noise":
 * Pr[N != 0] < exp(-2^20).
 */
#define PA_SCALE_BITS 21		/* numerator < 2^21 where shift > 0 */
#define PA_SCALE_WHOLE_BITS 40	/* numerator < 2^40 where shift = 0 */
#define PA_SCALE_SHIFT 20		/* most bits after the point */

#define PA_KEEP_BITS 62			/* keep is in [1, 2^62], with at most 53 significant bits */
#define PA_BAND_LIMIT (INT64_C(1) << 52)	/* bands and widths stay below */

/* A staircase's width/e, the scale of a Laplace of the same cost, is below 2^40 as well. */
#define PA_STAIR_SHIFT 44		/* shift of every staircase */
#define PA_STAIR_BITS 52		/* numerator < 2^52, so e < 2^8 */

/*
 * A recycler's round is accepted, and a staircase's proposal, with at least this
 * probability: kernels that would need more patience are not made.
 */
#define PA_LEAST_ROUND 0x1p-12

typedef struct PaKernel
{
	PaKernelKind kind;
	uint32_t	shift;
	uint64_t	numerator;
	int64_t		band;			/* brdp, staircase: theta in steps */
	uint64_t	keep;			/* brdp: (1 - q) 2^PA_KEEP_BITS, from 1 on */
	int64_t		width;			/* staircase: of a stair, from 1 on */
	const PaNoiseTable *table;	/* optimal; belongs to whoever made the kernel */
} PaKernel;

/* The name that kernel_list.h has; "unknown" for what is no kind. */
extern const char *pa_kernel_name(PaKernelKind kind);

/* False if there is no kernel of that name (case matters). */
extern bool pa_kernel_by_name(const char *name, PaKernelKind *kind);

/* Whether noise of this kind is made for an error bound. */
extern bool pa_kernel_needs_band(PaKernelKind kind);

/* Whether the kind is budget recycling. */
extern bool pa_kernel_recycles(PaKernelKind kind);

/* Whether the loss of this kind is bounded, so that it needs no delta. */
extern bool pa_kernel_is_pure(PaKernelKind kind);

/* Whether the kind is drawn from a table: it has no scale and no text then. */
extern bool pa_kernel_is_table(PaKernelKind kind);

/* The kinds that have a property: one of the four above, or the like. */
extern uint32_t pa_kernel_kinds(bool (*has) (PaKernelKind kind));

/*
 * True if the parameters are in range: what the sampler, which overflows outside
 * of it, and the patience of PA_LEAST_ROUND ask for.  Fractions need not be in
 * lowest terms.  keep has at most 53 significant bits, so that a double holds
 * what is drawn.  A table's weights must not grow and must add up to its total.
 */
extern bool pa_kernel_valid(const PaKernel *kernel);

/*
 * Laplace or Gaussian with the smallest representable scale >= scale, in lowest
 * terms.  PA_INVALID unless scale is finite and > 0, or for another kind;
 * PA_OUT_OF_RANGE if there is none, that is from 2^40 on.
 */
extern PaStatus pa_kernel_make(PaKernelKind kind, double scale, PaKernel *kernel);

/* The scale; of a staircase width / loss, which a Laplace of the same cost has; 0 for a table. */
extern double pa_kernel_scale(const PaKernel *kernel);

/* q of a recycler, rounded down; 0 for others. */
extern double pa_kernel_recycling(const PaKernel *kernel);

/* The law that is drawn. */
extern PaLaw pa_kernel_law(const PaKernel *kernel);

/* A law as it is thought of: numbers that need not be drawable. */
typedef struct PaKernelNumbers
{
	PaSpace		space;
	double		scale;			/* what pa_kernel_scale says */
	double		sensitivity;	/* staircase: width of a stair */
	double		band;			/* where the kind needs one */
	double		keep;			/* recyclers: 1 - q */
} PaKernelNumbers;

/* The law of a kind at such numbers.  PA_INVALID for a table, or what law.h refuses. */
extern PaStatus pa_kernel_law_of(PaKernelKind kind, const PaKernelNumbers *numbers, PaLaw *law);

/*
 * How many rounds a draw takes on average, at most: a bound on the inverse of a
 * recycler's or a staircase's acceptance, from integers alone, hence not tight;
 * never above 1/PA_LEAST_ROUND; 1 for kinds without rounds.
 */
extern uint32_t pa_kernel_rounds(const PaKernel *kernel);

/*
 * One exact draw, |noise| < 2^53.  The number of random bits used depends on the
 * noise and on the rounds refused before it, never on the data.  PA_INVALID for
 * a kernel that is not valid, PA_NO_RANDOMNESS if the source failed.
 */
extern PaStatus pa_kernel_sample(const PaKernel *kernel, PaRandom *random, int64_t *noise);

/* Pr[N = k], to nearest. */
extern double pa_kernel_pmf(const PaKernel *kernel, int64_t k);

/* Pr[N >= k], rounded up, any k (relative error below 1e-10, or 1e-300). */
extern double pa_kernel_tail(const PaKernel *kernel, int64_t k);

/* Pr[|N| <= theta], rounded down (relative error below 1e-10); 0 for theta < 0. */
extern double pa_kernel_acceptance(const PaKernel *kernel, int64_t theta);

/* Least m >= 0 with Pr[|N| > m] <= 1 - confidence, 0 < confidence < 1; else -1. */
extern int64_t pa_kernel_error(const PaKernel *kernel, double confidence);

/*
 * The privacy profile of one coordinate of sensitivity D >= 0, rounded up, in
 * [0, 1]: the supremum over both directions of
 *		sum over k of max(0, Pr[N = k] - e^epsilon Pr[N = k - D]).
 * epsilon is any finite number.  It covers smaller shifts (docs/theory.md).
 */
extern double pa_kernel_delta(const PaKernel *kernel, int64_t sensitivity, double epsilon);

/*
 * rho of zCDP for one coordinate: the supremum over orders > 1 of
 * D_order(N || N + D)/order, rounded up; INFINITY if there is none.
 */
extern double pa_kernel_rho(const PaKernel *kernel, int64_t sensitivity);

/*
 * ln Pr[N = k]/Pr[N = 0] in closed form, k >= 0, finite for every k.  Not for
 * tables.
 */
extern double pa_kernel_log_fall(const PaKernel *kernel, int64_t k);

/* From margin steps beyond two values on, what noise tells about them repeats. */
typedef struct PaKernelTail
{
	int64_t		margin;
	int64_t		period;
} PaKernelTail;

/* False if it never repeats: Gaussian noise, and tables. */
extern bool pa_kernel_tail_repeats(const PaKernel *kernel, PaKernelTail *tail);

/*
 * Canonical text, and back: equal kernels have equal texts, fractions in lowest
 * terms but for the staircase's, whose shift is always the same.
 *		laplace 81/2^3
 *		gaussian 12/2^0
 *		brdp_laplace 81/2^3 band 10 keep 4611686018427387904
 *		staircase 123/2^44 band 10 width 3
 * A table has no text (PA_INVALID), and a text that is not exactly of this form,
 * or not of a valid kernel, is PA_INVALID.
 */
#define PA_KERNEL_TEXT 128
extern PaStatus pa_kernel_print(const PaKernel *kernel, char text[PA_KERNEL_TEXT]);
extern PaStatus pa_kernel_parse(const char *text, PaKernel *kernel);

#endif							/* PA_KERNEL_H */
