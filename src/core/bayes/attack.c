/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attack.c
 *		See attack.h.
 *
 * The best mean gain over a measure q of inputs is max over g of sum of q(d) gain(g, d).  For one
 * output q is Pr[d] Pr[w | d], of which the posterior is a multiple: so nothing is divided by
 * the probability of an output before the end.  After outputs it is the sum of these maxima.
 */
#include "core/bayes/attack.h"

#include <math.h>

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

static bool
gain_valid(const PaGain *gain, size_t inputs)
{
	size_t		i;

	if (gain->gain == NULL)
		return true;
	for (i = 0; i < gain->guesses * inputs; i++)
		if (!(gain->gain[i] >= 0 && gain->gain[i] < INFINITY))
			return false;
	return gain->guesses > 0;
}

static double
mass(const double *prior, size_t size, size_t d)
{
	return prior == NULL ? 1.0 / (double) size : prior[d];
}

/* Mean gain of one guess over a measure. */
static double
worth(const PaGain *gain, size_t guess, const double *measure, size_t inputs)
{
	double		sum = 0.0;
	size_t		d;

	if (gain->gain == NULL)
		return measure[guess];
	for (d = 0; d < inputs; d++)
		sum += measure[d] * gain->gain[guess * inputs + d];
	return sum;
}

static PaStatus
best_guess(const PaGain *gain, const double *measure, size_t inputs, const PaEnvironment *environment, PaGuess *best)
{
	size_t		guesses = gain->gain == NULL ? inputs : gain->guesses;
	size_t		g;

	best->gain = -1.0;
	for (g = 0; g < guesses; g++)
	{
		double		value = worth(gain, g, measure, inputs);

		if (interrupted(environment))
			return PA_INTERRUPTED;
		if (value > best->gain)
		{
			best->gain = value;
			best->guess = g;
		}
	}
	return PA_OK;
}

/* measure[d] = Pr[d] Pr[w | d]; returns Pr[w] */
static double
joint(const PaChannel *channel, size_t w, double *measure)
{
	double		sum = 0.0;
	size_t		d;

	for (d = 0; d < channel->inputs; d++)
		sum += measure[d] = mass(channel->prior, channel->inputs, d) * channel->probability[d * channel->outputs + w];
	return sum;
}

PaStatus
pa_channel_posterior(const PaChannel *channel, const PaEnvironment *environment, double *posterior)
{
	size_t		w;
	size_t		d;

	if (!pa_channel_valid(channel))
		return PA_INVALID;
	for (w = 0; w < channel->outputs; w++)
	{
		double	   *row = posterior + w * channel->inputs;
		double		all = joint(channel, w, row);

		if (interrupted(environment))
			return PA_INTERRUPTED;
		for (d = 0; d < channel->inputs; d++)
			row[d] = all > 0 ? row[d] / all : NAN;
	}
	return PA_OK;
}

/* The best guess for each output; its gain is that over the joint measure. */
static PaStatus
joint_guesses(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment, PaGuess *guess, double *measure)
{
	PaStatus	status = PA_OK;
	size_t		w;

	for (w = 0; status == PA_OK && w < channel->outputs; w++)
	{
		guess[w].probability = joint(channel, w, measure);
		status = best_guess(gain, measure, channel->inputs, environment, &guess[w]);
	}
	return status;
}

static PaStatus
all_guesses(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment, PaGuess *guess)
{
	double	   *measure;
	PaStatus	status;

	if (!pa_channel_valid(channel) || !gain_valid(gain, channel->inputs))
		return PA_INVALID;
	measure = environment->allocate(environment->context, channel->inputs * sizeof(double));
	if (measure == NULL)
		return PA_NO_MEMORY;
	status = joint_guesses(channel, gain, environment, guess, measure);
	environment->release(environment->context, measure);
	return status;
}

PaStatus
pa_channel_guesses(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment, PaGuess *guess)
{
	PaStatus	status = all_guesses(channel, gain, environment, guess);
	size_t		w;

	for (w = 0; status == PA_OK && w < channel->outputs; w++)
		guess[w].gain = guess[w].probability > 0 ? guess[w].gain / guess[w].probability : NAN;
	return status;
}

/* ln after/before */
static double
log_ratio(double after, double before)
{
	if (before > 0)
		return log(after / before);
	return after > 0 ? INFINITY : 0.0;
}

/* The best mean gain over the prior. */
static PaStatus
gain_before(const double *prior, size_t size, const PaGain *gain, const PaEnvironment *environment, double *before)
{
	double	   *measure = environment->allocate(environment->context, size * sizeof(double));
	PaGuess		guess = {0};
	PaStatus	status;
	size_t		d;

	if (measure == NULL)
		return PA_NO_MEMORY;
	for (d = 0; d < size; d++)
		measure[d] = mass(prior, size, d);
	status = best_guess(gain, measure, size, environment, &guess);
	environment->release(environment->context, measure);
	*before = guess.gain;
	return status;
}

/* ln of the sum over outputs of the largest Pr[w | d]: no prior and no gain function has more. */
static double
capacity(const PaChannel *channel)
{
	double		sum = 0.0;
	size_t		w;
	size_t		d;

	for (w = 0; w < channel->outputs; w++)
	{
		double		most = 0.0;

		for (d = 0; d < channel->inputs; d++)
			most = fmax(most, channel->probability[d * channel->outputs + w]);
		sum += most;
	}
	return fmax(log(sum), 0.0);
}

PaStatus
pa_channel_leakage(const PaChannel *channel, const PaGain *gain, const PaEnvironment *environment, PaLeakage *leakage)
{
	PaGuess    *guess = environment->allocate(environment->context, channel->outputs * sizeof(PaGuess));
	PaStatus	status;
	size_t		w;

	if (guess == NULL)
		return PA_NO_MEMORY;
	status = all_guesses(channel, gain, environment, guess);
	if (status == PA_OK)
		status = gain_before(channel->prior, channel->inputs, gain, environment, &leakage->before);
	leakage->after = 0.0;
	for (w = 0; status == PA_OK && w < channel->outputs; w++)
		leakage->after += guess[w].gain;
	environment->release(environment->context, guess);
	if (status != PA_OK)
		return status;
	leakage->leakage = fmax(log_ratio(leakage->after, leakage->before), 0.0);	/* what is below is rounding */
	leakage->most = capacity(channel);
	return PA_OK;
}

PaStatus
pa_realised_guess(const double *posterior, size_t size, const PaGain *gain, const PaEnvironment *environment, PaGuess *guess)
{
	guess->probability = NAN;
	if (size < 1 || !gain_valid(gain, size))
		return PA_INVALID;
	return best_guess(gain, posterior, size, environment, guess);
}

PaStatus
pa_realised_leakage(const double *posterior, const double *prior, size_t size, double loss, const PaGain *gain,
					const PaEnvironment *environment, PaLeakage *leakage)
{
	PaGuess		guess;
	PaStatus	status = pa_realised_guess(posterior, size, gain, environment, &guess);

	if (status == PA_OK)
		status = gain_before(prior, size, gain, environment, &leakage->before);
	if (status != PA_OK)
		return status;
	leakage->after = guess.gain;
	leakage->leakage = log_ratio(leakage->after, leakage->before);
	leakage->most = loss;
	return PA_OK;
}
