/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attack.h
 *		What an adversary makes of outputs: posteriors, the best guess, and what it gains.
 *
 * A gain function says what a guess is worth for each input, gain[g * inputs + d] >= 0;
 * NULL is 1 for the input itself and 0 for others, so that the mean gain of the best
 * guess is the probability that it is right (Bayes vulnerability), and the guess
 * the most likely input (MAP).  g-leakage is the best mean gain with outputs in view over
 * that without ("Measuring information leakage using generalized gain functions",
 * Alvim, Chatzikokolakis, Palamidessi, Smith 2012).
 *
 * All to nearest; equal guesses: the first.
 */
#ifndef PA_ATTACK_H
#define PA_ATTACK_H

#include "core/bayes/measures.h"

typedef struct PaGain
{
	size_t		guesses;
	const double *gain;			/* NULL: guesses are inputs, and worth 1 if right */
} PaGain;

/* The best guess in view of one output. */
typedef struct PaGuess
{
	double		probability;	/* of the output */
	size_t		guess;
	double		gain;			/* mean over the posterior; for an impossible output NAN */
} PaGuess;

typedef struct PaLeakage
{
	double		before;			/* mean gain of the best guess without an output */
	double		after;			/* with one, on average */
	double		leakage;		/* ln after/before; INFINITY if nothing could be gained before, 0 if not afterwards either */
	double		most;			/* the largest that it is for any prior and gain function */
} PaLeakage;

/* PA_INVALID for channels as in measures.h, and for gains that are negative, not finite, or none. */

/* posterior[w * inputs + d]; NAN for outputs that are impossible under the prior */
extern PaStatus pa_channel_posterior(const PaChannel *channel, const PaEnvironment *environment, double *posterior);

/* guess[w] */
extern PaStatus pa_channel_guesses(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment,
								   PaGuess *guess);
extern PaStatus pa_channel_leakage(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment,
								   PaLeakage *leakage);

/*
 * The same of one transcript that was seen: its posterior, as pa_realised_measures() gives it, and
 * realised loss.  prior NULL: uniform.
 */
extern PaStatus pa_realised_guess(const double *posterior, size_t size, const PaGain *gain,
								  const PaEnvironment *environment, PaGuess *guess);
extern PaStatus pa_realised_leakage(const double *posterior, const double *prior, size_t size, double loss,
									const PaGain *gain, const PaEnvironment *environment, PaLeakage *leakage);

#endif							/* PA_ATTACK_H */
