/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * law.h
 *		Laws of noise, and what they give away about a shift.
 *
 * Every law here is symmetric and unimodal, hence (docs/theory.md):  among all
 * shifts of at most D the shift D gives away most, for every hockey-stick and
 * Renyi divergence, and both directions are equal.  So everything is about the
 * pair p(x), p(x - shift) with loss ln p(x)/p(x - shift).
 *
 *	 plain		Laplace or Gaussian
 *	 recycled	(Budget-Recycling DP) what falls outside of |x| <= band is drawn
 *				again with probability q:
 *				p(x) c_in inside, p(x) c_out outside, c_out/c_in = 1 - q,
 *				c_in = 1/(1 - pbar q), pbar = Pr[|N| > band]
 *	 staircase	p(x) ~ exp(loss floor((band - |x|)/width)): pure loss-DP for
 *				every shift of at most width
 *	 table		finite: weights of 0..last, mirrored (the LP's optimum)
 *	 response	not additive noise: the worst pair of any (loss, leak)-DP
 *				mechanism; only loss queries make sense (exceed, delta, renyi)
 *
 * On the lattice band is whole.  Works for any parameters a double can state;
 * kernel.h has the ones that can be sampled exactly.
 */
#ifndef PA_LAW_H
#define PA_LAW_H

#include <stdint.h>

#include "core/noise/base.h"

typedef enum PaLawForm
{
	PA_LAW_PLAIN,
	PA_LAW_RECYCLED,
	PA_LAW_STAIRCASE,
	PA_LAW_TABLE,
	PA_LAW_RESPONSE
} PaLawForm;

/* Weights of |N| = 0..last: Pr[N = k] = weight[|k|] / total; they do not grow. */
typedef struct PaNoiseTable
{
	int32_t		last;
	uint64_t	total;			/* weight[0] + 2 (weight[1] + ... + weight[last]) <= 2^62 */
	const uint64_t *weight;
} PaNoiseTable;

typedef struct PaLaw
{
	PaLawForm	form;
	PaSpace		space;
	PaBase		base;			/* plain, recycled */
	double		band;			/* recycled, staircase: theta */
	double		inside;			/* recycled: c_in */
	double		outside;		/* recycled: c_out */
	double		keep;			/* recycled: 1 - q; 1 for others */
	double		step;			/* recycled: ln(c_in/c_out) = -ln(1-q) >= 0 */
	double		step_low;		/* recycled: what step lacks, of its rounding */
	double		band_mass;		/* recycled: Pr[|N| <= band] of the base */
	double		out_mass;		/* recycled: Pr[|N| > band] of the base */
	double		loss;			/* staircase, response: epsilon */
	double		width;			/* staircase: of a stair */
	double		leak;			/* response: delta */
	const PaNoiseTable *table;
} PaLaw;

/* Constructors: PA_INVALID for what is not finite or out of range. */
extern PaStatus pa_law_plain(PaShape shape, PaSpace space, double scale, PaLaw *law);

/*
 * keep = 1 - q in (0, 1], not below 2^-1022; band >= 0.  keep = 0, which has no
 * privacy, is allowed where the band has mass: for comparison with the literature.
 * Where the band has none (band = 0 on the line) the law is the base whatever keep.
 */
extern PaStatus pa_law_recycled(PaShape shape, PaSpace space, double scale,
								double band, double keep, PaLaw *law);

/*
 * The same by lam = (1-q)/(1 - pbar q) in (0, 1], in which delta is convex and
 * acceptance is 1 - lam pbar; keep = lam (1-pbar)/(1 - lam pbar).
 */
extern PaStatus pa_law_recycled_by_lam(PaShape shape, PaSpace space, double scale,
									   double band, double lam, PaLaw *law);

/* loss > 0, width > 0 (whole on the lattice), band >= 0 */
extern PaStatus pa_law_staircase(PaSpace space, double loss, double width, double band, PaLaw *law);

extern PaStatus pa_law_table(const PaNoiseTable *table, PaLaw *law);

/* epsilon >= 0, 0 <= delta <= 1 */
extern PaStatus pa_law_response(double epsilon, double delta, PaLaw *law);

/* keep = 1 - q of a recycled law, 1 for others */
extern double pa_law_keep(const PaLaw *law);

/* Pr[N = x] (lattice) or the density at x (line). */
extern double pa_law_density(const PaLaw *law, double x);

/* Pr[N > boundary]; boundaries as in base.h; relative error below PA_LAW_ERROR. */
extern double pa_law_above(const PaLaw *law, double boundary);

/* Pr[|N| <= theta]: the acceptance probability of an error bound. */
extern double pa_law_acceptance(const PaLaw *law, double theta);

/* Pr[loss > given] under p and under p(. - shift), to nearest. */
typedef struct PaMasses
{
	double		p;
	double		q;
} PaMasses;

extern PaMasses pa_law_exceed(const PaLaw *law, double shift, double loss);

/*
 * The exact privacy profile, rounded up:
 *		delta(epsilon) = sum max(0, p(x) - e^epsilon p(x - shift)),
 * also for negative epsilon; never above 1.  Relative excess below 1e-8 where
 * delta is not smaller than 1e-12, unless a large mass has a loss that is above
 * epsilon by less than 1e-10 or so.  Exactly 0 from the largest loss on.
 */
extern double pa_law_delta(const PaLaw *law, double shift, double epsilon);

/* The largest loss: INFINITY if there is none. */
extern double pa_law_most_loss(const PaLaw *law, double shift);

/*
 * Renyi divergence of the given order >= 1 (1: Kullback-Leibler), rounded up; may
 * be INFINITY.  Relative excess below 1e-8 (1e-6 for order 1).
 */
extern double pa_law_renyi(const PaLaw *law, double shift, double order);

/*
 * The least rho such that one release is rho-zCDP: the supremum over orders > 1
 * of renyi(order)/order, rounded up; INFINITY if there is none.  Relative excess
 * below 1e-6, but up to 1e-4 where the quotient hardly depends on the order
 * (recycled Gaussian laws with small q or shift), and 2e-2 on the lattice for
 * sigma below a third of a step.  Some 60 us, at most a few ms.
 */
extern double pa_law_rho(const PaLaw *law, double shift);

#endif							/* PA_LAW_H */
