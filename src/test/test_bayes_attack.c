/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_attack.c
 *		The best guess against all that an adversary could do, and what it can gain at most.
 */
#include <math.h>

#include "core/bayes/attack.h"
#include "source.h"
#include "unit.h"

#define MOST 4

typedef struct Case
{
	double		cell[MOST * MOST];
	double		prior[MOST];
	double		worth[MOST * MOST];
	PaChannel	channel;
	PaGain		gain;
} Case;

static void
distribution(PaRandom *random, size_t size, double *p)
{
	double		sum = 0;
	size_t		x;

	for (x = 0; x < size; x++)
		sum += p[x] = pa_random_below(random, 5) == 0 ? 0 : exp(uniform(random, -2, 2));
	if (sum == 0)
		sum = p[0] = 1;
	for (x = 0; x < size; x++)
		p[x] /= sum;
}

static void
random_case(PaRandom *random, Case *one, bool full)
{
	size_t		inputs = 2 + pa_random_below(random, MOST - 1);
	size_t		outputs = 2 + pa_random_below(random, MOST - 1);
	size_t		i;

	for (i = 0; i < inputs; i++)
		distribution(random, outputs, one->cell + i * outputs);
	distribution(random, inputs, one->prior);
	for (i = 0; full && i < inputs; i++)
		one->prior[i] = 1.0 / inputs;
	one->channel = (PaChannel) {inputs, outputs, one->cell, one->prior};
	one->gain = (PaGain) {inputs, NULL};
	if (pa_random_below(random, 3) == 0)
		return;
	one->gain = (PaGain) {1 + pa_random_below(random, MOST), one->worth};
	for (i = 0; i < one->gain.guesses * inputs; i++)
		one->worth[i] = uniform(random, 0, 3);
}

static long double
worth(const Case *one, size_t guess, size_t input)
{
	return one->gain.gain == NULL ? guess == input : one->worth[guess * one->channel.inputs + input];
}

/* Mean gain of one way of guessing: output w is answered by the guess at place w of the number. */
static long double
gain_of_strategy(const Case *one, size_t strategy)
{
	long double sum = 0;
	size_t		w;
	size_t		d;

	for (w = 0; w < one->channel.outputs; w++)
	{
		size_t		guess = strategy % one->gain.guesses;

		strategy /= one->gain.guesses;
		for (d = 0; d < one->channel.inputs; d++)
			sum += (long double) one->prior[d] * one->cell[d * one->channel.outputs + w] * worth(one, guess, d);
	}
	return sum;
}

static size_t
strategies(const Case *one)
{
	size_t		count = 1;
	size_t		w;

	for (w = 0; w < one->channel.outputs; w++)
		count *= one->gain.guesses;
	return count;
}

static void
no_strategy_gains_more(void **state)
{
	uint64_t	seed = 21;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		Case		one;
		PaLeakage	leakage;
		PaGuess		guess[MOST];
		long double best = 0;
		long double blind = 0;
		double		sum = 0;
		size_t		s;
		size_t		d;

		random_case(&random, &one, false);
		assert_int_equal(pa_channel_leakage(&one.channel, &one.gain, &plain_memory, &leakage), PA_OK);
		assert_int_equal(pa_channel_guesses(&one.channel, &one.gain, &plain_memory, guess), PA_OK);
		for (s = 0; s < strategies(&one); s++)
			best = fmaxl(best, gain_of_strategy(&one, s));
		for (s = 0; s < one.gain.guesses; s++)
		{
			long double mean = 0;

			for (d = 0; d < one.channel.inputs; d++)
				mean += one.prior[d] * worth(&one, s, d);
			blind = fmaxl(blind, mean);
		}
		for (s = 0; s < one.channel.outputs; s++)
			sum += guess[s].probability > 0 ? guess[s].probability * guess[s].gain : 0;
		assert_true(fabsl(leakage.after - best) < 1e-14);
		assert_true(fabsl(leakage.before - blind) < 1e-14);
		assert_true(fabs(sum - leakage.after) < 1e-14);
		assert_at_most(leakage.leakage, leakage.most + 1e-13);
		assert_true(leakage.before == 0 || fabsl(leakage.leakage - fmaxl(logl(best / blind), 0)) < 1e-13);
	}
}

/* A uniform prior and the right input as what is wanted have the largest leakage. */
static void
the_most_is_attained(void **state)
{
	uint64_t	seed = 22;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 5000; i++)
	{
		Case		one;
		PaLeakage	leakage;

		random_case(&random, &one, true);
		one.gain = (PaGain) {one.channel.inputs, NULL};
		assert_int_equal(pa_channel_leakage(&one.channel, &one.gain, &plain_memory, &leakage), PA_OK);
		assert_true(fabs(leakage.leakage - leakage.most) < 1e-13);
	}
}

/* Of one output: the posterior by Bayes' formula, and never more than the realised loss. */
static void
one_output(void **state)
{
	uint64_t	seed = 23;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		Case		one;
		PaRealisedMeasures measures;
		PaLeakage	leakage;
		PaGuess		guess[MOST];
		PaGuess		seen;
		double		posterior[MOST];
		double		all[MOST * MOST];
		double		l[MOST];
		size_t		n;
		size_t		w;
		size_t		d;

		random_case(&random, &one, false);
		n = one.channel.inputs;
		w = pa_random_below(&random, one.channel.outputs);
		for (d = 0; d < n; d++)
			l[d] = log(one.cell[d * one.channel.outputs + w]) - 1000;
		assert_int_equal(pa_channel_posterior(&one.channel, &plain_memory, all), PA_OK);
		assert_int_equal(pa_channel_guesses(&one.channel, &one.gain, &plain_memory, guess), PA_OK);
		if (!(guess[w].probability > 0))
		{
			assert_true(isnan(all[w * n]) && isnan(guess[w].gain));
			continue;
		}
		assert_int_equal(pa_realised_measures(l, one.prior, n, &plain_memory, &measures, posterior), PA_OK);
		for (d = 0; d < n; d++)
			assert_true(fabs(posterior[d] - all[w * n + d]) < 1e-12);
		assert_int_equal(pa_realised_guess(posterior, n, &one.gain, &plain_memory, &seen), PA_OK);
		assert_true(fabs(seen.gain - guess[w].gain) < 1e-12 * (1 + seen.gain));
		assert_int_equal(pa_realised_leakage(posterior, one.prior, n, measures.loss, &one.gain, &plain_memory, &leakage), PA_OK);
		assert_true(leakage.after == seen.gain && leakage.most == measures.loss);
		assert_at_most(fabs(leakage.leakage), leakage.most + 1e-12);
	}
}

static void
refusals(void **state)
{
	const double cell[] = {0.5, 0.5, 0.25, 0.75};
	const double bad[] = {0.5, 0.6, 0.25, 0.75};
	const double gains[] = {1, -1};
	const double infinite[] = {1, INFINITY};
	const double worthless[] = {0, 0};
	PaChannel	channel = {2, 2, cell, NULL};
	PaChannel	broken = {2, 2, bad, NULL};
	PaLeakage	leakage;
	PaGuess		guess[2];
	double		posterior[4];

	(void) state;
	assert_int_equal(pa_channel_posterior(&broken, &plain_memory, posterior), PA_INVALID);
	assert_int_equal(pa_channel_guesses(&broken, &(PaGain) {2, NULL}, &plain_memory, guess), PA_INVALID);
	assert_int_equal(pa_channel_leakage(&channel, &(PaGain) {1, gains}, &plain_memory, &leakage), PA_INVALID);
	assert_int_equal(pa_channel_leakage(&channel, &(PaGain) {1, infinite}, &plain_memory, &leakage), PA_INVALID);
	assert_int_equal(pa_channel_leakage(&channel, &(PaGain) {0, gains}, &plain_memory, &leakage), PA_INVALID);
	assert_int_equal(pa_channel_leakage(&channel, &(PaGain) {1, worthless}, &plain_memory, &leakage), PA_OK);
	assert_true(leakage.before == 0 && leakage.after == 0 && leakage.leakage == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_strategy_gains_more),
		cmocka_unit_test(the_most_is_attained),
		cmocka_unit_test(one_output),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
