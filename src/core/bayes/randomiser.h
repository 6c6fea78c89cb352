/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * randomiser.h
 *		How an owner answers in the local regime: laws that are drawn exactly.
 *
 *	 binary		a value y of [low, high] becomes "high" with probability
 *				flip + (1 - 2 flip)(y - low)/(high - low), else "low"
 *				(Nguyen et al. 2016; "Actual Knowledge Gain", section 2.5)
 *	 response	one of k categories: with probability "lie" a uniform one, else
 *				the true one (k-ary randomised response)
 *	 additive	a whole number of lattice steps plus noise of a kernel
 *
 * The probability drawn is the one accounted: a double p is a dyadic rational,
 * and a comparison of 128 random bits with p 2^128 is true with probability
 * exactly p for every double p of [PA_LEAST_CHANCE, 1].  So the doubles in these
 * structures are the law; nothing about it is rounded afterwards.  flip and lie
 * are rounded up when they are made, towards more privacy.
 *
 * Epsilons and log-likelihoods are natural logarithms (nats).
 */
#ifndef PA_RANDOMISER_H
#define PA_RANDOMISER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/noise/kernel.h"
#include "core/random/random.h"

#define PA_LEAST_CHANCE 0x1p-74	/* p 2^128 is whole from here on: 53 bits end at 2^-127 */
#define PA_LEAST_EPSILON 1e-9
#define PA_MOST_EPSILON 50.0	/* e^-50 is above PA_LEAST_CHANCE */
#define PA_MOST_CATEGORIES 65536

/*
 * True with probability exactly p, which is in [PA_LEAST_CHANCE, 1]; false after
 * a failure of the source.
 */
extern bool pa_chance(double p, PaRandom *random);

/*
 * A bit that is !likely with probability exactly rare, in [PA_LEAST_CHANCE,
 * 1/2].
 */
typedef struct PaCoin
{
	double		rare;
	bool		likely;
} PaCoin;

extern PaStatus pa_coin_draw(const PaCoin *coin, PaRandom *random, bool *output);

/* ln Pr[output], relative error below 2^-52 */
extern double pa_coin_log_likelihood(const PaCoin *coin, bool output);

typedef struct PaBinary
{
	double		low;			/* in units of the value */
	double		high;
	double		flip;			/* least probability of either output, below 1/2 */
} PaBinary;

/*
 * epsilon-LDP on [low, high].  PA_INVALID unless low < high are finite with a
 * finite difference, and epsilon is in [PA_LEAST_EPSILON, PA_MOST_EPSILON].
 */
extern PaStatus pa_binary_make(double low, double high, double epsilon, PaBinary *binary);

/*
 * The owner's coin; its output true means "high".  y is clamped; PA_INVALID for
 * NaN.  Log-likelihoods are within 1e-14 of what the formula above gives with
 * flip = 1/(e^epsilon + 1).
 */
extern PaStatus pa_binary_coin(const PaBinary *binary, double y, PaCoin *coin);

/* The LDP level on the whole of [low, high], rounded up: ln (1 - flip)/flip. */
extern double pa_binary_level(const PaBinary *binary);

typedef struct PaResponse
{
	uint32_t	categories;		/* k */
	double		lie;			/* probability of a uniform answer, at most 1 */
} PaResponse;

/*
 * epsilon-LDP; PA_INVALID unless k is in [2, PA_MOST_CATEGORIES], epsilon as
 * above.
 */
extern PaStatus pa_response_make(uint32_t categories, double epsilon, PaResponse *response);

/*
 * The owner's answer to the true category; PA_INVALID unless it is below k.  The
 * number of random bits used does not depend on either.
 */
extern PaStatus pa_response_draw(const PaResponse *response, uint32_t truth, PaRandom *random, uint32_t *output);

/* Pr[truth] and Pr[one certain other], to nearest */
extern double pa_response_same(const PaResponse *response);
extern double pa_response_other(const PaResponse *response);

/* ln Pr[output | truth], relative error below 2^-50 */
extern double pa_response_log_likelihood(const PaResponse *response, bool same);

/* The LDP level, rounded up: ln Pr[truth]/Pr[other]. */
extern double pa_response_level(const PaResponse *response);

typedef struct PaAdditive
{
	PaKernel	kernel;			/* not "optimal" */
	int64_t		least;			/* values are clamped to least..most, in steps */
	int64_t		most;
	double		log_peak;		/* ln Pr[N = 0] */
} PaAdditive;

/*
 * PA_INVALID unless the kernel is valid and not a table, and
 * -2^51 <= least <= most <= 2^51.
 */
extern PaStatus pa_additive_make(const PaKernel *kernel, int64_t least, int64_t most, PaAdditive *additive);

/* value (clamped) + noise */
extern PaStatus pa_additive_draw(const PaAdditive *additive, int64_t value, PaRandom *random, int64_t *output);

/*
 * ln Pr[output | value] in closed form, finite for every output of
 * -2^54..2^54.  The difference of two such numbers is right within 2^-50 of
 * the larger |ln Pr - ln Pr[N = 0]|.
 */
extern double pa_additive_log_likelihood(const PaAdditive *additive, int64_t value, int64_t output);

/* The LDP level, rounded up; INFINITY for Gaussian noise unless least = most. */
extern double pa_additive_level(const PaAdditive *additive);

/*
 * rho of zCDP for the change of a value, rounded up; finite for Gaussian noise
 * too.
 */
extern double pa_additive_rho(const PaAdditive *additive);

/*
 * Outputs first..last such that every other output tells any two values of
 * least..most apart in the same way as one of these does: all that a filter has
 * to look at.  False if there are no such outputs (Gaussian noise).
 */
extern bool pa_additive_window(const PaAdditive *additive, int64_t *first, int64_t *last);

/*
 * The output of the window that tells values apart in the same way; the output
 * itself if there is no window.
 */
extern int64_t pa_additive_fold(const PaAdditive *additive, int64_t output);

#endif							/* PA_RANDOMISER_H */
