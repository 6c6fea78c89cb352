/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_bayes_randomiser.c
 *		Randomised answers: exact thresholds, laws, levels and windows.
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "core/bayes/query.h"
#include "core/bayes/randomiser.h"
#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A source that hands out these words, again and again */
typedef struct Words
{
	uint64_t	word[2];
} Words;

static bool
source_words(void *context, void *bytes, size_t length)
{
	size_t		at;

	for (at = 0; at + sizeof(Words) <= length; at += sizeof(Words))
		memcpy((char *) bytes + at, context, sizeof(Words));
	return true;
}

static bool
chance_at(double p, PaUint128 u)
{
	Words		words = {{(uint64_t) (u >> 64), (uint64_t) u}};
	PaRandom	random;

	pa_random_init(&random, source_words, &words);
	return pa_chance(p, &random);
}

/* p 2^128, from the digits of p */
static PaUint128
threshold(double p)
{
	int			exponent;
	double		mantissa = frexp(p, &exponent);
	PaUint128	digits = (PaUint128) ldexp(mantissa, 53);
	int			shift = exponent - 53 + 128;

	assert_true(shift >= 0);
	return digits << shift;
}

static void
chances_are_exact(void **state)
{
	const double odds[] = {0.5, 1.0 / 3, 0.1, PA_LEAST_CHANCE, nextafter(PA_LEAST_CHANCE, 1), exp(-50),
	0.75, nextafter(1, 0), 1e-5};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(odds); i++)
	{
		PaUint128	t = threshold(odds[i]);

		assert_true(chance_at(odds[i], t - 1));
		assert_false(chance_at(odds[i], t));
		assert_true(chance_at(odds[i], 0));
		assert_false(chance_at(odds[i], ~(PaUint128) 0));
	}
	assert_true(chance_at(1.0, ~(PaUint128) 0));
}

static void
no_answer_without_randomness(void **state)
{
	Tape		tape = {NULL, 0, 0};
	PaRandom	random;
	PaCoin		coin = {0.25, true};
	PaResponse	response;
	PaAdditive	additive;
	PaKernel	kernel;
	bool		bit = false;
	uint32_t	category = 7;
	int64_t		output = 7;

	(void) state;
	assert_int_equal(pa_response_make(3, 1, &response), PA_OK);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 2, &kernel), PA_OK);
	assert_int_equal(pa_additive_make(&kernel, 0, 5, &additive), PA_OK);
	pa_random_init(&random, source_tape, &tape);
	assert_int_equal(pa_coin_draw(&coin, &random, &bit), PA_NO_RANDOMNESS);
	assert_int_equal(pa_response_draw(&response, 1, &random, &category), PA_NO_RANDOMNESS);
	assert_int_equal(pa_additive_draw(&additive, 1, &random, &output), PA_NO_RANDOMNESS);
	assert_false(pa_chance(1.0, &random));
	assert_false(bit);
	assert_int_equal(category, 7);
	assert_int_equal(output, 7);
}

static void
binary_is_what_it_says(void **state)
{
	uint64_t	seed = 1;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 100000; i++)
	{
		double		epsilon = exp(uniform(&random, log(PA_LEAST_EPSILON), log(PA_MOST_EPSILON)));
		double		low = uniform(&random, -10, 10);
		double		high = low + exp(uniform(&random, -10, 10));
		double		y = i % 7 == 0 ? low : i % 7 == 1 ? high : uniform(&random, low, high);
		long double flip = 1 / (expl(epsilon) + 1);
		long double nearer = fminl((long double) y - low, (long double) high - y);
		long double want = flip + (1 - 2 * flip) * nearer / ((long double) high - low);
		PaBinary	binary;
		PaCoin		coin;

		assert_int_equal(pa_binary_make(low, high, epsilon, &binary), PA_OK);
		assert_int_equal(pa_binary_coin(&binary, y, &coin), PA_OK);
		assert_true(binary.flip >= flip && binary.flip < 0.5 && binary.flip >= PA_LEAST_CHANCE);
		assert_true(coin.rare >= binary.flip && coin.rare <= 0.5);
		assert_close(coin.rare, want, 1e-14);
		if (fabs(y - low) != fabs(high - y))
			assert_true(coin.likely == (y - low > high - y));
		assert_at_most(log1pl((1 - 2 * (long double) binary.flip) / binary.flip), pa_binary_level(&binary));
		assert_at_most(pa_binary_level(&binary), epsilon * (1 + 1e-14L) + 1e-16);
		assert_close(pa_coin_log_likelihood(&coin, !coin.likely), logl(coin.rare), 4e-16);
		assert_close(pa_coin_log_likelihood(&coin, coin.likely), log1pl(-(long double) coin.rare), 4e-16);
	}
}

static void
binary_refuses(void **state)
{
	PaBinary	binary;
	PaCoin		coin;

	(void) state;
	assert_int_equal(pa_binary_make(0, 1, 0, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(0, 1, 50.1, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(0, 1, NAN, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(1, 1, 1, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(0, INFINITY, 1, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(-1.7e308, 1.7e308, 1, &binary), PA_INVALID);
	assert_int_equal(pa_binary_make(-1, 1, 1, &binary), PA_OK);
	assert_int_equal(pa_binary_coin(&binary, NAN, &coin), PA_INVALID);
	assert_int_equal(pa_binary_coin(&binary, INFINITY, &coin), PA_OK);
	assert_true(coin.likely && coin.rare == binary.flip);
	assert_int_equal(pa_binary_coin(&binary, -3, &coin), PA_OK);
	assert_true(!coin.likely && coin.rare == binary.flip);
}

static void
coins_fall_as_they_should(void **state)
{
	const double rare[] = {0.5, 0.3, 0.01};
	long		draws = draws_wanted() / 4;
	PaRandom	random;
	size_t		i;
	long		j;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(rare); i++)
	{
		PaCoin		coin = {rare[i], i % 2 == 0};
		double		seen[2] = {0, 0};
		double		expected[2] = {draws * rare[i], draws * (1 - rare[i])};

		for (j = 0; j < draws; j++)
		{
			bool		output;

			assert_int_equal(pa_coin_draw(&coin, &random, &output), PA_OK);
			seen[output == coin.likely]++;
		}
		assert_true(chi_square_p(seen, expected, 2) > FALSE_ALARM);
	}
}

static void
response_is_what_it_says(void **state)
{
	const uint32_t categories[] = {2, 3, 21, 1000, PA_MOST_CATEGORIES};
	const double epsilons[] = {PA_LEAST_EPSILON, 0.01, 1, 8, PA_MOST_EPSILON};
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; i < COUNT(categories); i++)
		for (j = 0; j < COUNT(epsilons); j++)
		{
			long double k = categories[i];
			long double e = expl(epsilons[j]);
			PaResponse	response;

			assert_int_equal(pa_response_make(categories[i], epsilons[j], &response), PA_OK);
			assert_true(response.lie >= k / (e + k - 1) && response.lie <= 1);
			assert_close(pa_response_other(&response), 1 / (e + k - 1), 1e-14);
			assert_close(pa_response_same(&response), e / (e + k - 1), 1e-14 * k);
			assert_close(pa_response_same(&response) + (k - 1) * pa_response_other(&response), 1, 1e-15 * k);
			assert_at_most(pa_response_level(&response), epsilons[j] * (1 + 1e-14L) + 1e-14L * k);
			assert_at_most(log1pl((1 - (long double) response.lie) * k / response.lie), pa_response_level(&response));
			assert_close(pa_response_log_likelihood(&response, false), logl(response.lie / k), 1e-15);
			assert_close(pa_response_log_likelihood(&response, true),
						 log1pl(-(long double) response.lie * (k - 1) / k), 1e-15);
		}
}

static void
response_draws(void **state)
{
	long		draws = draws_wanted() / 4;
	double		seen[5] = {0};
	double		expected[5];
	PaResponse	response;
	PaRandom	random;
	uint32_t	output;
	long		j;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	assert_int_equal(pa_response_make(1, 1, &response), PA_INVALID);
	assert_int_equal(pa_response_make(PA_MOST_CATEGORIES + 1, 1, &response), PA_INVALID);
	assert_int_equal(pa_response_make(5, 0, &response), PA_INVALID);
	assert_int_equal(pa_response_make(5, 1.5, &response), PA_OK);
	assert_int_equal(pa_response_draw(&response, 5, &random, &output), PA_INVALID);
	for (j = 0; j < draws; j++)
	{
		assert_int_equal(pa_response_draw(&response, 3, &random, &output), PA_OK);
		seen[output]++;
	}
	for (output = 0; output < 5; output++)
		expected[output] = draws * (output == 3 ? pa_response_same(&response) : pa_response_other(&response));
	assert_true(chi_square_p(seen, expected, 5) > FALSE_ALARM);
}

/* Some kernels of every kind that answers may use */
static int
some_kernels(PaKernel kernel[8])
{
	int			i;

	for (i = 0; i < 6; i++)
	{
		assert_int_equal(pa_kernel_make(i % 2 == 0 ? PA_KERNEL_LAPLACE : PA_KERNEL_GAUSSIAN,
										i < 2 ? 3.5 : 0.5 + i, &kernel[i]), PA_OK);
		if (i >= 2)
		{
			kernel[i].kind = i % 2 == 0 ? PA_KERNEL_BRDP_LAPLACE : PA_KERNEL_BRDP_GAUSSIAN;
			kernel[i].band = i - 1;
			kernel[i].keep = UINT64_C(1) << (PA_KEEP_BITS - i);
		}
	}
	for (i = 6; i < 8; i++)
	{
		PaKernel	stairs = {PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT, UINT64_C(1) << (PA_STAIR_SHIFT - 1), 5, 0, i - 3, NULL};

		kernel[i] = stairs;
	}
	for (i = 0; i < 8; i++)
		assert_true(pa_kernel_valid(&kernel[i]));
	return 8;
}

static void
additive_likelihoods_and_levels(void **state)
{
	PaKernel	kernel[8];
	int			kernels = some_kernels(kernel);
	int64_t		shift;
	int64_t		y;
	int			i;

	(void) state;
	for (i = 0; i < kernels; i++)
		for (shift = 0; shift <= 9; shift += 3)
		{
			long double most = 0;
			double		level;
			PaAdditive	additive;

			assert_int_equal(pa_additive_make(&kernel[i], -1, shift - 1, &additive), PA_OK);
			for (y = -300; y <= 300; y++)
			{
				double		l = pa_additive_log_likelihood(&additive, -1, y);

				assert_close(l, additive.log_peak + reference_log(&kernel[i], y + 1), 1e-14);
				if (pa_kernel_pmf(&kernel[i], y + 1) > 0x1p-1000)
					assert_close(exp(l), pa_kernel_pmf(&kernel[i], y + 1), 1e-10);
				most = fmaxl(most, reference_log(&kernel[i], y + 1) - reference_log(&kernel[i], y + 1 - shift));
			}
			level = pa_additive_level(&additive);
			if (reference_is_gaussian(&kernel[i]) && shift > 0)
				assert_true(level == INFINITY && isfinite(pa_additive_rho(&additive)));
			else
			{
				assert_at_most(most, level);
				assert_at_most(level, most * (1 + 1e-9L));
			}
			assert_true(pa_additive_log_likelihood(&additive, 1000, 3) ==
						pa_additive_log_likelihood(&additive, shift - 1, 3));
		}
}

static void
additive_refuses(void **state)
{
	const uint64_t weight[] = {2, 1};
	PaNoiseTable table = {1, 4, weight};
	PaKernel	optimal = {.kind = PA_KERNEL_OPTIMAL,.table = &table};
	PaKernel	kernel;
	PaAdditive	additive;

	(void) state;
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 2, &kernel), PA_OK);
	assert_int_equal(pa_additive_make(&kernel, 1, 0, &additive), PA_INVALID);
	assert_int_equal(pa_additive_make(&kernel, 0, (INT64_C(1) << 51) + 1, &additive), PA_INVALID);
	assert_int_equal(pa_additive_make(&optimal, 0, 1, &additive), PA_INVALID);
	kernel.numerator = 0;
	assert_int_equal(pa_additive_make(&kernel, 0, 1, &additive), PA_INVALID);
}

/*
 * No output outside of the window tells more than those inside, whatever was
 * said before.
 */
static void
windows_suffice(void **state)
{
	uint64_t	seed = 5;
	PaKernel	kernel[8];
	int			kernels = some_kernels(kernel);
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 400; i++)
	{
		int64_t		value[4];
		double		column[4];
		double		before[4];
		PaLikelihood likelihood;
		PaAdditive	additive;
		PaRealisedLoss worst;
		PaRealisedLoss here;
		PaQuery		query;
		int64_t		y;
		int			x;

		assert_int_equal(pa_likelihood_start(before, 4, &likelihood), PA_OK);
		for (x = 0; x < 4; x++)
		{
			value[x] = (int64_t) uniform(&random, -10, 10);
			column[x] = -uniform(&random, 0, 3);
		}
		assert_int_equal(pa_likelihood_add(&likelihood, column), PA_OK);
		assert_int_equal(pa_additive_make(&kernel[i % kernels], -10, 10, &additive), PA_OK);
		assert_int_equal(pa_query_additive(&additive, value, 4, &plain_memory, &query), PA_OK);
		if (!pa_query_enumerable(&query))
			assert_true(reference_is_gaussian(&kernel[i % kernels]));
		else
		{
			assert_int_equal(pa_query_worst(&query, &likelihood, &plain_memory, &worst), PA_OK);
			assert_at_most(worst.loss, pa_likelihood_loss(&likelihood).loss + query.level + 1e-12);
			for (y = -200; y <= 200; y++)
			{
				for (x = 0; x < 4; x++)
					column[x] = pa_query_log_likelihood(&query, (size_t) x, y);
				here = pa_likelihood_after(&likelihood, column);
				assert_at_most(here.loss, worst.loss + 1e-12);
			}
		}
		pa_query_free(&query, &plain_memory);
	}
}

/* A folded output is one of the window, and log-likelihoods differ by a constant from its own. */
static void
check_fold(const PaAdditive *additive, int64_t y)
{
	int64_t		folded = pa_additive_fold(additive, y);
	double		apart = pa_additive_log_likelihood(additive, additive->least, y) -
		pa_additive_log_likelihood(additive, additive->least, folded);
	int64_t		first;
	int64_t		last;
	int64_t		v;

	if (!pa_additive_window(additive, &first, &last))
	{
		assert_true(folded == y);
		return;
	}
	assert_true(folded >= first && folded <= last);
	assert_true(folded == y || y < first || y > last);
	for (v = additive->least; v <= additive->most; v++)
		assert_true(fabs(pa_additive_log_likelihood(additive, v, y) -
						 pa_additive_log_likelihood(additive, v, folded) - apart) < 1e-12 * (1 + fabs(apart)));
}

static void
folded_outputs_tell_the_same(void **state)
{
	PaKernel	kernel[8];
	int			kernels = some_kernels(kernel);
	PaAdditive	additive;
	int64_t		y;
	int			i;

	(void) state;
	for (i = 0; i < kernels; i++)
	{
		assert_int_equal(pa_additive_make(&kernel[i], -7, 5, &additive), PA_OK);
		for (y = -200; y <= 200; y++)
			check_fold(&additive, y);
		check_fold(&additive, -(INT64_C(1) << 40));
		check_fold(&additive, INT64_C(1) << 40);
	}
}

static void
additive_draws(void **state)
{
	long		draws = draws_wanted() / 20;
	PaKernel	kernel[8];
	int			kernels = some_kernels(kernel);
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < kernels; i++)
	{
		double		seen[101] = {0};
		double		expected[101];
		double		inside = 0;
		PaAdditive	additive;
		int64_t		y;
		long		j;

		assert_int_equal(pa_additive_make(&kernel[i], 0, 10, &additive), PA_OK);
		for (j = 0; j < draws; j++)
		{
			assert_int_equal(pa_additive_draw(&additive, 4, &random, &y), PA_OK);
			seen[y < -49 || y > 50 ? 100 : y + 49]++;
		}
		for (y = -49; y <= 50; y++)
		{
			expected[y + 49] = draws * exp(pa_additive_log_likelihood(&additive, 4, y));
			inside += expected[y + 49];
		}
		expected[100] = fmax(0, draws - inside);
		assert_true(chi_square_p(seen, expected, 101) > FALSE_ALARM);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chances_are_exact),
		cmocka_unit_test(no_answer_without_randomness),
		cmocka_unit_test(binary_is_what_it_says),
		cmocka_unit_test(binary_refuses),
		cmocka_unit_test(coins_fall_as_they_should),
		cmocka_unit_test(response_is_what_it_says),
		cmocka_unit_test(response_draws),
		cmocka_unit_test(additive_likelihoods_and_levels),
		cmocka_unit_test(additive_refuses),
		cmocka_unit_test(windows_suffice),
		cmocka_unit_test(folded_outputs_tell_the_same),
		cmocka_unit_test(additive_draws),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
