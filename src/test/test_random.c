/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_random.c
 *		Uniform bits, integers and Bernoulli draws.
 */
#include <math.h>
#include <string.h>

#include "source.h"
#include "unit.h"

static PaRandom
system_random(void)
{
	PaRandom	random;

	pa_random_init(&random, source_system, NULL);
	return random;
}

/* Every byte handed out is the tape's, in order, and is wiped from the buffer. */
static void
hands_out_the_tape_and_wipes(void **state)
{
	unsigned char bytes[2 * PA_RANDOM_BUFFER];
	Tape		tape = {bytes, sizeof(bytes), 0};
	PaRandom	random;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char) (i * 37 + 11);
	pa_random_init(&random, source_tape, &tape);
	assert_int_equal(tape.at, 0);
	for (i = 0; i < sizeof(bytes); i += 8)
	{
		uint64_t	word = pa_random_u64(&random);
		unsigned char none[8] = {0};

		assert_memory_equal(&word, bytes + i, 8);
		assert_memory_equal(random.buffer + i % PA_RANDOM_BUFFER, none, 8);
	}
	assert_int_equal(pa_random_status(&random), PA_OK);
}

static void
failure_is_sticky(void **state)
{
	unsigned char bytes[PA_RANDOM_BUFFER];
	Tape		tape = {bytes, sizeof(bytes), 0};
	PaRandom	random;
	int			i;

	(void) state;
	memset(bytes, 0xff, sizeof(bytes));
	pa_random_init(&random, source_tape, &tape);
	for (i = 0; i < PA_RANDOM_BUFFER / 8; i++)
		assert_true(pa_random_u64(&random) == UINT64_MAX);
	assert_int_equal(pa_random_u64(&random), 0);
	assert_int_equal(pa_random_status(&random), PA_NO_RANDOMNESS);

	tape.at = 0;				/* the source recovers: too late */
	assert_int_equal(pa_random_u64(&random), 0);
	assert_int_equal(pa_random_below(&random, 100), 0);
	assert_int_equal(pa_random_below(&random, UINT64_MAX), 0);
	assert_false(pa_random_bit(&random));
	assert_false(pa_random_bernoulli(&random, 1, 1));
	assert_false(pa_random_bernoulli(&random, 5, 7));
	assert_false(pa_random_bernoulli_exp(&random, 0, 1));
	assert_int_equal(pa_random_status(&random), PA_NO_RANDOMNESS);
}

/* A source that repeats one byte for ever must not hang any draw. */
static void
stuck_source_ends(void **state)
{
	unsigned char byte = 0;

	(void) state;
	do
	{
		PaRandom	random;

		pa_random_init(&random, source_stuck, &byte);
		pa_random_below(&random, 3);
		pa_random_below128(&random, ((PaUint128) 1 << 100) + 1);
		pa_random_bernoulli(&random, 1, 3);
		pa_random_bernoulli_exp(&random, 1, 1);
		pa_random_bernoulli_exp(&random, (PaUint128) 1 << 120, 3);
	} while (++byte != 0);
}

static void
check_below(uint64_t bound)
{
	PaRandom	random = system_random();
	double		seen[64] = {0};
	double		expected[64];
	double		low_bits[4] = {0};
	double		even[4];
	long		draws = draws_wanted();
	int			cells = bound < 64 ? (int) bound : 64;
	uint64_t	per_cell = (bound - 1) / cells + 1;
	long		i;

	for (i = 0; i < cells; i++)
	{
		uint64_t	low = i * per_cell;
		uint64_t	high = bound - low < per_cell ? bound : low + per_cell;

		expected[i] = low < bound ? draws * ((double) (high - low) / bound) : 0;
	}
	for (i = 0; i < draws; i++)
	{
		uint64_t	draw = pa_random_below(&random, bound);

		assert_true(draw < bound);
		seen[draw / per_cell]++;
		low_bits[draw % 4]++;
	}
	assert_true(chi_square_p(seen, expected, cells) > FALSE_ALARM);
	for (i = 0; i < 4; i++)
		even[i] = draws / 4.0;
	if (bound >= UINT64_C(1) << 31)
		assert_true(chi_square_p(low_bits, even, 4) > FALSE_ALARM);
}

/*
 * Bounds next to powers of two and just above 2^k * 2/3, where a draw without
 * rejection would favour even results two to one.
 */
static void
below_is_uniform(void **state)
{
	static const uint64_t bounds[] = {
		2, 3, 5, 63, 64, 1000, UINT64_C(2863311531), UINT32_MAX, UINT64_C(4294967296),
		UINT64_C(4294967297), UINT64_C(12297829382473034411), UINT64_MAX
	};
	PaRandom	random = system_random();
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		check_below(bounds[i]);
	assert_int_equal(pa_random_below(&random, 1), 0);
}

/* Both halves of a 128-bit draw below 3 * 2^126 are used, quarter by quarter. */
static void
below128_is_uniform(void **state)
{
	PaRandom	random = system_random();
	PaUint128	bound = (PaUint128) 3 << 126;
	double		seen[48] = {0};
	double		expected[48];
	long		draws = draws_wanted() / 4;
	long		i;

	(void) state;
	for (i = 0; i < 48; i++)
		expected[i] = draws / 48.0;
	for (i = 0; i < draws; i++)
	{
		PaUint128	draw = pa_random_below128(&random, bound);

		assert_true(draw < bound);
		seen[(int) (draw >> 126) * 16 + (int) (draw >> 60 & 15)]++;
	}
	assert_true(chi_square_p(seen, expected, 48) > FALSE_ALARM);
}

static void
bits_are_fair(void **state)
{
	PaRandom	random = system_random();
	double		seen[256] = {0};
	double		expected[256];
	long		draws = draws_wanted() / 8;
	long		i;
	int			j;

	(void) state;
	for (i = 0; i < 256; i++)
		expected[i] = draws / 256.0;
	for (i = 0; i < draws; i++)
	{
		int			byte = 0;

		for (j = 0; j < 8; j++)
			byte = 2 * byte + pa_random_bit(&random);
		seen[byte]++;
	}
	assert_true(chi_square_p(seen, expected, 256) > FALSE_ALARM);
}

static void
check_rate(long yes, long draws, double rate)
{
	double		seen[2] = {(double) yes, (double) (draws - yes)};
	double		expected[2] = {draws * rate, draws * (1 - rate)};

	assert_true(chi_square_p(seen, expected, 2) > FALSE_ALARM);
}

/* Denominators of each of the three ways in which a Bernoulli is drawn. */
static void
bernoulli_has_its_rate(void **state)
{
	static const struct
	{
		double		rate;
		uint64_t	numerator;
		uint64_t	denominator;
		int			scale;		/* both times 2^scale + 1 */
	}			cases[] = {
		{1.0 / 3, 1, 3, 0}, {0.7, 7, 10, 0}, {2.0 / 3, 2, 3, 40}, {0.7, 7, 10, 80},
		{1.0 / 3, 1, 3, 110}, {0.001, 1, 1000, 60}
	};
	PaRandom	random = system_random();
	long		draws = draws_wanted();
	size_t		c;
	long		i;

	(void) state;
	for (c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		PaUint128	factor = cases[c].scale ? ((PaUint128) 1 << cases[c].scale) + 1 : 1;
		long		yes = 0;

		for (i = 0; i < draws; i++)
			yes += pa_random_bernoulli(&random, cases[c].numerator * factor,
									   cases[c].denominator * factor);
		check_rate(yes, draws, cases[c].rate);
	}
}

static void
bernoulli_of_nothing_and_all(void **state)
{
	PaRandom	random = system_random();
	PaUint128	most = ~(PaUint128) 0;
	int			i;

	(void) state;
	for (i = 0; i < 1000; i++)
	{
		assert_false(pa_random_bernoulli(&random, 0, 1));
		assert_false(pa_random_bernoulli(&random, 0, most));
		assert_true(pa_random_bernoulli(&random, 1, 1));
		assert_true(pa_random_bernoulli(&random, most, most));
		assert_true(pa_random_bernoulli_exp(&random, 0, most));
		assert_false(pa_random_bernoulli_exp(&random, most, 1));
	}
}

/*
 * On digits alone the draw must be the comparison itself.  A uniform real whose
 * first 32 digits equal those of 1/3 (0x55555555) is decided by the next 32;
 * 1/2 has only one group of digits, and reads no second one.
 */
static void
bernoulli_compares_digits(void **state)
{
	uint32_t	words[PA_RANDOM_BUFFER / 4] = {
		0x55555555, 0x55555554, 0x55555555, 0x55555556, 0x55555554, 0x55555556,
		0x80000000, 0x7fffffff, 0x80000001
	};
	Tape		tape = {(const unsigned char *) words, sizeof(words), 0};
	PaRandom	random;
	PaUint128	third = (PaUint128) 1 << 90;

	(void) state;
	pa_random_init(&random, source_tape, &tape);
	assert_true(pa_random_bernoulli(&random, third, 3 * third));
	assert_false(pa_random_bernoulli(&random, third, 3 * third));
	assert_true(pa_random_bernoulli(&random, third, 3 * third));
	assert_false(pa_random_bernoulli(&random, third, 3 * third));
	assert_false(pa_random_bernoulli(&random, third, 2 * third));
	assert_true(pa_random_bernoulli(&random, third, 2 * third));
	assert_false(pa_random_bernoulli(&random, third, 2 * third));
}

static void
bernoulli_exp_has_its_rate(void **state)
{
	static const struct
	{
		uint64_t	numerator;
		uint64_t	denominator;
	}			cases[] = {
		{1, 1}, {1, 2}, {1, 1000}, {999999, 1000000}, {5, 2}, {7, 1}, {3, UINT64_C(10000000000)}
	};
	PaRandom	random = system_random();
	long		draws = draws_wanted();
	size_t		c;
	long		i;

	(void) state;
	for (c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		PaUint128	wide = (PaUint128) 1 << (c % 2 ? 50 : 0);
		long		yes = 0;

		for (i = 0; i < draws; i++)
			yes += pa_random_bernoulli_exp(&random, cases[c].numerator * wide,
										   cases[c].denominator * wide);
		check_rate(yes, draws, exp(-(double) cases[c].numerator / cases[c].denominator));
	}
}

static void
status_has_words(void **state)
{
	int			status;

	(void) state;
	for (status = PA_OK; status <= PA_INTERRUPTED + 1; status++)
		assert_true(strlen(pa_status_text((PaStatus) status)) > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hands_out_the_tape_and_wipes),
		cmocka_unit_test(failure_is_sticky),
		cmocka_unit_test(stuck_source_ends),
		cmocka_unit_test(below_is_uniform),
		cmocka_unit_test(below128_is_uniform),
		cmocka_unit_test(bits_are_fair),
		cmocka_unit_test(bernoulli_has_its_rate),
		cmocka_unit_test(bernoulli_of_nothing_and_all),
		cmocka_unit_test(bernoulli_compares_digits),
		cmocka_unit_test(bernoulli_exp_has_its_rate),
		cmocka_unit_test(status_has_words),
	};

	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
