/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_sampler.c
 *		Samplers against the laws that define them, and against bad sources.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static PaKernel
optimal(const PaNoiseTable *table)
{
	PaKernel	kernel = {.kind = PA_KERNEL_OPTIMAL,.table = table};

	assert_true(pa_kernel_valid(&kernel));
	return kernel;
}

static const char *
description(const PaKernel *kernel)
{
	static char text[PA_KERNEL_TEXT];

	return pa_kernel_print(kernel, text) == PA_OK ? text : pa_kernel_name(kernel->kind);
}

static void
fail_if_unlikely(const PaKernel *kernel, const char *what, const double *seen, const double *expected, int cells)
{
	double		p = chi_square_p(seen, expected, cells);

	if (!(p > FALSE_ALARM))
		fail_msg("%s: %s has p = %g", description(kernel), what, p);
}

/*
 * Where a value is counted: from the tails, of which one cell each collects
 * what lies beyond half, to 0, which comes last and has most.
 */
static long
cell_of(int64_t noise, long half)
{
	long		beyond = half + 1;

	if (noise == 0)
		return 2 * beyond;
	if (llabs(noise) > half)
		return noise > 0;
	return 2 * (beyond - (long) llabs(noise)) + (noise > 0);
}

/* Pools neighbouring cells, so that Pearson's statistic has its law far out as well. */
static int
pool(double *seen, double *expected, long cells)
{
	int			pooled = 0;
	long		i;

	for (i = 0; i < cells; i++)
	{
		double		one_seen = seen[i];
		double		one_expected = expected[i];

		seen[i] = expected[i] = 0;
		seen[pooled] += one_seen;
		expected[pooled] += one_expected;
		if (expected[pooled] >= 100)
			pooled++;
	}
	return pooled;
}

/*
 * Two tests: every value by itself, and inside of the band against both sides,
 * which notices a small part of the mass in the wrong place.
 */
static void
check_draws(PaKernel kernel, long draws)
{
	long		half = (long) ceill((reference_is_gaussian(&kernel) ? 7 : 22) * reference_scale(&kernel)) + 1 +
		(kernel.kind == PA_KERNEL_OPTIMAL ? kernel.table->last : 2 * kernel.width);
	long		cells = 2 * half + 3;
	double	   *seen = calloc((size_t) cells, sizeof(double));
	double	   *expected = calloc((size_t) cells, sizeof(double));
	double		sides[3] = {0};
	double		expected_sides[3] = {0};
	long double all = reference_total(&kernel);
	PaRandom	random;
	long		i;

	assert_non_null(seen);
	assert_non_null(expected);
	for (i = -half; i <= half; i++)
	{
		double		part = (double) (draws * reference_weight(&kernel, i) / all);

		expected[cell_of(i, half)] = part;
		expected_sides[i < -kernel.band ? 0 : i > kernel.band ? 2 : 1] += part;
	}
	expected[0] = expected[1] = (double) (draws * reference_tail(&kernel, half + 1));
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < draws; i++)
	{
		int64_t		noise;

		assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_OK);
		seen[cell_of(noise, half)]++;
		sides[noise < -kernel.band ? 0 : noise > kernel.band ? 2 : 1]++;
	}
	fail_if_unlikely(&kernel, "a value", seen, expected, pool(seen, expected, cells));
	if (fmin(expected_sides[0], expected_sides[1]) >= 100)
		fail_if_unlikely(&kernel, "a side", sides, expected_sides, 3);
	free(seen);
	free(expected);
}

/* As many draws as wanted, fewer where each takes long */
static void
check_sampler(PaKernel kernel)
{
	check_draws(kernel, draws_wanted() / (1 + pa_kernel_rounds(&kernel) / 8));
}

static const double scales[] = {3.0 / 1024, 0.3, 0.75, 1, 2.5, 10, 1024};

static void
laplace_follows_its_law(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		check_sampler(plain(PA_KERNEL_LAPLACE, scales[i]));
}

static void
gaussian_follows_its_law(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		check_sampler(plain(PA_KERNEL_GAUSSIAN, scales[i]));
}

static void
check_recyclers(PaKernelKind kind)
{
	check_sampler(recycler(kind, 10, 3, KEEP(-1)));
	check_sampler(recycler(kind, 10.7, 12, KEEP(-2) + KEEP(-40)));
	check_sampler(recycler(kind, 2.5, 0, KEEP(0)));
	check_sampler(recycler(kind, 2.5, 0, KEEP(0) - KEEP(-53)));
	check_sampler(recycler(kind, 2.5, 1, KEEP(-62)));
	check_sampler(recycler(kind, 0.3, 0, KEEP(-8)));
	check_sampler(recycler(kind, 10, 0, KEEP(-4)));
	check_sampler(recycler(kind, 10, 0, KEEP(-20)));
	check_sampler(recycler(kind, 100, 0, KEEP(-8)));
	check_sampler(recycler(kind, 3, 1000, KEEP(-30)));
	check_sampler(recycler(kind, 0x1p-20, 0, KEEP(-62)));
}

static void
recycled_laplace_follows_its_law(void **state)
{
	(void) state;
	check_recyclers(PA_KERNEL_BRDP_LAPLACE);
}

static void
recycled_gaussian_follows_its_law(void **state)
{
	(void) state;
	check_recyclers(PA_KERNEL_BRDP_GAUSSIAN);
}

static void
staircase_follows_its_law(void **state)
{
	static const uint64_t losses[] = {E_ONE / 100 + 1, E_ONE / 7, E_ONE, 3 * E_ONE, 5 * E_ONE + 12345};
	static const int64_t shapes[][2] = {{1, 0}, {1, 5}, {2, 1}, {5, 7}, {10, 0}, {10, 30}, {10, 9}, {10, 29}, {64, 20}};
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; i < COUNT(losses); i++)
	{
		check_sampler(staircase(losses[i], 6, 2));
		for (j = 0; j < COUNT(shapes); j++)
			check_draws(staircase(losses[i], shapes[j][0], shapes[j][1]), draws_wanted() / 16);
	}
	check_sampler(staircase(E_ONE / 1000, 3, 1));
	check_sampler(staircase(200 * E_ONE, 7, 0));
	check_sampler(staircase(200 * E_ONE, 1000, 999));
	check_sampler(staircase((UINT64_C(1) << PA_STAIR_BITS) - 1, 1, 0));
}

static void
table_follows_its_law(void **state)
{
	static const uint64_t few[] = {7, 5, 5, 1, 0, 0};
	static const uint64_t lone[] = {3};
	static const uint64_t flat[] = {11, 11};
	static const uint64_t rare[] = {(UINT64_C(1) << 62) - 2, 1};
	uint64_t	many[513];
	PaNoiseTable tables[] = {{5, 29, few}, {0, 3, lone}, {1, 33, flat}, {1, UINT64_C(1) << 62, rare}, {512, 0, many}};
	size_t		i;
	int			k;

	(void) state;
	for (k = 0; k <= 512; k++)
	{
		many[k] = (UINT64_C(1) << 50) + (UINT64_C(1) << 30) * (uint64_t) (512 - k) * (uint64_t) (512 - k);
		tables[4].total += (k == 0 ? 1 : 2) * many[k];
	}
	for (i = 0; i < COUNT(tables); i++)
		check_sampler(optimal(&tables[i]));
}

/* Pr[N >= k], k >= 1, of a staircase by its geometric series */
static double
stair_tail(const PaKernel *kernel, int64_t k)
{
	double		loss = (double) ldexpl((long double) kernel->numerator, -PA_STAIR_SHIFT);
	double		width = (double) kernel->width;
	int64_t		rest = kernel->band % kernel->width;
	int64_t		stair = k <= rest ? 0 : (k - rest + kernel->width - 1) / kernel->width;
	double		left = (double) (rest + stair * kernel->width - k + 1);
	double		beyond = width / expm1(loss);	/* relative to this stair */

	return exp(-loss * (double) stair) * (left + beyond) / (2 * (double) rest + 1 + 2 * beyond);
}

/* Pr[N >= k] of a law too wide to sum; the others by their continuous form, wrong by 1e-6 */
static double
wide_tail(const PaKernel *kernel, int64_t k)
{
	double		x = (double) k / (double) reference_scale(kernel);
	double		tail;

	if (kernel->kind == PA_KERNEL_STAIRCASE)
		return k > 0 ? stair_tail(kernel, k) : 1 - stair_tail(kernel, 1 - k);
	tail = reference_is_gaussian(kernel) ? 0.5 * erfc(fabs(x) / sqrt(2)) : 0.5 * exp(-fabs(x));
	return x < 0 ? 1 - tail : tail;
}

/*
 * For laws too wide for cells of one value: 64 cells of equal probability.  An
 * atom on an edge, which would be in the wrong cell, has to be negligible.
 */
static void
check_wide(PaKernel kernel)
{
	long		draws = draws_wanted() / 10;
	double		seen[64] = {0};
	double		expected[64];
	PaRandom	random;
	long		i;

	assert_true(pa_kernel_valid(&kernel));
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < draws; i++)
	{
		int64_t		noise;

		assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_OK);
		seen[(int) (64 * fmin(wide_tail(&kernel, noise), 1 - 1e-16))]++;
	}
	for (i = 0; i < 64; i++)
		expected[i] = (double) draws / 64;
	fail_if_unlikely(&kernel, "a quantile", seen, expected, 64);
}

static void
wide_laws_are_followed(void **state)
{
	static const double wide[] = {1048577, 2097151, 0x1p40 - 1};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(wide); i++)
	{
		check_wide(plain(PA_KERNEL_LAPLACE, wide[i]));
		check_wide(plain(PA_KERNEL_GAUSSIAN, wide[i]));
	}
	check_wide(staircase(17592, 3, 1)); /* e is 1e-9 */
	check_wide(staircase(17592, 1099, 1098));
	check_wide(staircase(17, 1, 0));
	check_wide(staircase(E_ONE, 1000000, 300000));
	check_wide(staircase(4 * E_ONE, INT64_C(1) << 40, INT64_C(1) << 38));
	check_wide(staircase(200 * E_ONE, (INT64_C(1) << 47) - 3, (INT64_C(1) << 46) + 17));
	check_wide(staircase(3 * E_ONE, INT64_C(123456789), INT64_C(123456789) * 12));
}

/* A recycler at the ends of its range is the base law again, or none but the band. */
static void
wide_recyclers_are_followed(void **state)
{
	PaKernel	laplace = recycler(PA_KERNEL_BRDP_LAPLACE, 0x1p40 - 1, 0, KEEP(0));
	PaKernel	gaussian = recycler(PA_KERNEL_BRDP_GAUSSIAN, 0x1p40 - 1, PA_BAND_LIMIT - 1, KEEP(-62));
	PaKernel	inside = recycler(PA_KERNEL_BRDP_GAUSSIAN, 0x1p40 - 1, INT64_C(1) << 36, KEEP(-62));
	long		draws = draws_wanted() / 1000;
	double		seen[64] = {0};
	double		expected[64];
	PaRandom	random;
	int64_t		noise;
	long		i;

	(void) state;
	check_wide(laplace);
	check_wide(gaussian);
	/* a sixteenth of sigma: flat but for 1e-3, which so few draws do not show */
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < draws; i++)
	{
		assert_int_equal(pa_kernel_sample(&inside, &random, &noise), PA_OK);
		assert_true(noise >= -inside.band && noise <= inside.band);
		seen[(noise + inside.band) * 63 / (2 * inside.band)]++;
	}
	for (i = 0; i < 63; i++)
		expected[i] = (double) draws / 63;
	fail_if_unlikely(&inside, "the band", seen, expected, 63);
}

/* Draws from a kernel, if valid, under the overflow checks of this build */
static void
exercise(const PaKernel *kernel, PaRandom *random)
{
	double		most = 60 * (double) reference_scale(kernel) + 2 * (double) kernel->width;
	int			draws = pa_kernel_valid(kernel) ? 300 / (int) (1 + pa_kernel_rounds(kernel) / 4) + 3 : 0;
	int			i;

	for (i = 0; i < draws; i++)
	{
		int64_t		noise;

		assert_int_equal(pa_kernel_sample(kernel, random, &noise), PA_OK);
		assert_true(fabs((double) noise) <= most);
	}
}

static void
corners_of_scales_do_not_overflow(void **state)
{
	static const int64_t bands[] = {0, 1, 1000, INT64_C(1) << 39, PA_BAND_LIMIT - 1};
	static const uint64_t keeps[] = {1, KEEP(-12), KEEP(-1), KEEP(0)};
	PaRandom	random;
	int			kind;
	uint32_t	shift;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (kind = PA_KERNEL_LAPLACE; kind <= PA_KERNEL_BRDP_GAUSSIAN; kind++)
		for (shift = 0; shift <= PA_SCALE_SHIFT; shift++)
		{
			uint64_t	last = (UINT64_C(1) << (shift == 0 ? PA_SCALE_WHOLE_BITS : PA_SCALE_BITS)) - 1;
			uint64_t	numerators[] = {1, 2, 3, UINT64_C(1) << shift, last / 2 + 1, last};
			size_t		i;

			for (i = 0; i < COUNT(numerators) * COUNT(bands); i++)
			{
				PaKernel	kernel = {.kind = (PaKernelKind) kind,.shift = shift};

				kernel.numerator = numerators[i % COUNT(numerators)];
				kernel.band = bands[i / COUNT(numerators)];
				kernel.keep = keeps[i % COUNT(keeps)];
				exercise(&kernel, &random);
			}
		}
}

static void
corners_of_staircases_do_not_overflow(void **state)
{
	static const uint64_t numerators[] = {17, 1000, E_ONE / 1000, E_ONE, 8 * E_ONE, (UINT64_C(1) << PA_STAIR_BITS) - 1};
	PaRandom	random;
	size_t		i;
	int			j;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(numerators); i++)
	{
		int64_t		widest = (int64_t) (numerators[i] - 1) / 16;
		int64_t		widths[] = {1, 2, widest / 2, widest - 1, widest};

		for (j = 0; j < (int) COUNT(widths) * 5; j++)
		{
			int64_t		width = widths[j / 5] < 1 ? 1 : widths[j / 5];
			int64_t		whole = (PA_BAND_LIMIT - 1) / width * width;
			int64_t		bands[] = {0, width - 1, width / 2, whole - 1, PA_BAND_LIMIT - 1};
			PaKernel	kernel = {PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT, numerators[i], bands[j % 5], 0, width, NULL};

			exercise(&kernel, &random);
		}
	}
}

/*
 * Words for one geometric draw: the given rest, kept by a factor that holds, and
 * then a given number of factors exp(-1) that hold and one that does not.  A
 * factor exp(-1) holds if a half does and a third does not.
 */
static size_t
write_geometric(unsigned char *bytes, uint64_t rest, int whole)
{
	static const uint32_t kept[] = {0, 0, 0, 0x80000000};
	static const uint32_t factor[] = {0, 0x80000000};
	size_t		length = 0;
	int			i;

	memcpy(bytes, &rest, sizeof(rest));
	length += sizeof(rest);
	memcpy(bytes + length, kept, sizeof(kept));
	length += sizeof(kept);
	for (i = 0; i < whole; i++, length += sizeof(factor))
		memcpy(bytes + length, factor, sizeof(factor));
	memcpy(bytes + length, &factor[1], sizeof(uint32_t));
	return length + sizeof(uint32_t);
}

/* The tape, then fair bits */
static bool
source_prepared(void *context, void *bytes, size_t length)
{
	Tape	   *tape = context;
	size_t		some = tape->length - tape->at < length ? tape->length - tape->at : length;

	memcpy(bytes, tape->bytes + tape->at, some);
	tape->at += some;
	return source_system(NULL, (unsigned char *) bytes + some, length - some);
}

static PaStatus
draw_prepared(const PaKernel *kernel, const unsigned char *bytes, size_t length, int64_t *noise)
{
	Tape		tape = {bytes, length, 0};
	PaRandom	random;

	pa_random_init(&random, source_prepared, &tape);
	return pa_kernel_sample(kernel, &random, noise);
}

/* The longest magnitudes that are drawn fit, and longer ones are reported. */
static void
longest_draws_fit(void **state)
{
	static unsigned char bytes[65536];
	const uint64_t positive = 0;
	PaKernel	laplace = plain(PA_KERNEL_LAPLACE, 0x1p40 - 1);
	PaKernel	gaussian = plain(PA_KERNEL_GAUSSIAN, 0x1p40 - 1);
	PaKernel	stairs[] = {
		staircase(17, 1, 0),
		staircase((UINT64_C(1) << PA_STAIR_BITS) - 1, (INT64_C(1) << 48) - 1, (INT64_C(1) << 48) - 2),
		staircase(17600, 1024, 1023)
	};
	int64_t		noise = 0;
	size_t		length;
	size_t		i;

	(void) state;
	length = write_geometric(bytes, laplace.numerator - 1, 4096);
	memcpy(bytes + length, &positive, sizeof(positive));
	assert_int_equal(draw_prepared(&laplace, bytes, length + sizeof(positive), &noise), PA_OK);
	assert_int_equal(noise, (int64_t) (laplace.numerator * 4097 - 1));
	/* as a Gaussian proposal it is refused, after an exponent that overflows nothing */
	assert_int_equal(draw_prepared(&gaussian, bytes, length + sizeof(positive), &noise), PA_OK);
	length = write_geometric(bytes, laplace.numerator - 1, 4097);
	assert_int_equal(draw_prepared(&laplace, bytes, length, &noise), PA_NO_RANDOMNESS);
	for (i = 0; i < COUNT(stairs); i++)
	{
		int64_t		stair = (int64_t) (((UINT64_C(1) << PA_STAIR_SHIFT) * 4097 - 1) / stairs[i].numerator);
		int64_t		rest = stairs[i].band % stairs[i].width;

		length = write_geometric(bytes, (UINT64_C(1) << PA_STAIR_SHIFT) - 1, 4096);
		memcpy(bytes + length, &positive, sizeof(positive));
		assert_int_equal(draw_prepared(&stairs[i], bytes, length + sizeof(positive), &noise), PA_OK);
		assert_int_equal(noise, rest + (stair - 1) * stairs[i].width + 1);
		assert_true(noise < INT64_C(1) << 53);
		length = write_geometric(bytes, 0, 4097);
		assert_int_equal(draw_prepared(&stairs[i], bytes, length, &noise), PA_NO_RANDOMNESS);
	}
}

static void
invalid_kernels_are_refused(void **state)
{
	static const PaKernel bad[] = {
		{PA_KERNEL_LAPLACE, 0, 0, 0, 0, 0, NULL},
		{PA_KERNEL_GAUSSIAN, 1, UINT64_C(1) << 21, 0, 0, 0, NULL},
		{PA_KERNEL_BRDP_LAPLACE, 0, 10, 3, 0, 0, NULL},
		{PA_KERNEL_BRDP_GAUSSIAN, 0, 10, -1, 1, 0, NULL},
		{PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT, E_ONE, 3, 0, 0, NULL},
		{PA_KERNEL_OPTIMAL, 0, 0, 0, 0, 0, NULL},
		{(PaKernelKind) PA_KERNEL_KINDS, 0, 10, 3, 1, 1, NULL}
	};
	PaRandom	random;
	int64_t		noise = 77;
	size_t		i;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (i = 0; i < COUNT(bad); i++)
		assert_int_equal(pa_kernel_sample(&bad[i], &random, &noise), PA_INVALID);
	assert_int_equal(noise, 77);
}

static void
failed_sources_are_reported(void **state)
{
	static const uint64_t weights[] = {7, 5};
	static const PaNoiseTable table = {1, 17, weights};
	PaKernel	kernels[] = {
		plain(PA_KERNEL_LAPLACE, 10), plain(PA_KERNEL_GAUSSIAN, 10),
		recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-3)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 10, 3, KEEP(-3)),
		staircase(E_ONE, 10, 3), optimal(&table)
	};
	unsigned char byte = 0;
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(kernels); i++)
	{
		Tape		empty = {&byte, 0, 0};
		PaRandom	random;
		int64_t		noise = 77;

		pa_random_init(&random, source_tape, &empty);
		assert_int_equal(pa_kernel_sample(&kernels[i], &random, &noise), PA_NO_RANDOMNESS);
		assert_int_equal(noise, 77);
	}
}

/*
 * Whatever byte it is stuck at, a source neither hangs the sampler nor breaks
 * it.  Not every byte is tried where patience is long.
 */
static void
stuck_sources_end(void **state)
{
	PaKernel	kernels[] = {
		plain(PA_KERNEL_LAPLACE, 1000.5), plain(PA_KERNEL_GAUSSIAN, 1000.5),
		recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-3)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 10, 3, KEEP(-3)),
		recycler(PA_KERNEL_BRDP_LAPLACE, 100, 50, KEEP(-50)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 100, 50, KEEP(-50)),
		staircase(E_ONE, 10, 3), staircase(20 * E_ONE, 10, 3), staircase(100, 2, 0)
	};
	int			byte;
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(kernels); i++)
		for (byte = 0; byte < 256; byte += pa_kernel_rounds(&kernels[i]) == 1 ? 1 : 17)
		{
			unsigned char stuck = (unsigned char) byte;
			clock_t		start = clock();
			PaRandom	random;
			int64_t		noise;
			PaStatus	status;

			pa_random_init(&random, source_stuck, &stuck);
			status = pa_kernel_sample(&kernels[i], &random, &noise);
			assert_true(status == PA_OK || status == PA_NO_RANDOMNESS);
			assert_true(byte != 0 || status == PA_NO_RANDOMNESS);
			assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
		}
}

/* A source of ones proposes what these kernels refuse, for ever. */
static void
refused_for_ever_is_a_failure(void **state)
{
	PaKernel	kernels[] = {
		recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-3)), recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-62)),
		staircase(E_ONE, 10, 3), staircase(200 * E_ONE, 10, 3)
	};
	unsigned char ones = 255;
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(kernels); i++)
	{
		PaRandom	random;
		int64_t		noise = 77;

		pa_random_init(&random, source_stuck, &ones);
		assert_int_equal(pa_kernel_sample(&kernels[i], &random, &noise), PA_NO_RANDOMNESS);
		assert_int_equal(noise, 77);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(laplace_follows_its_law),
		cmocka_unit_test(gaussian_follows_its_law),
		cmocka_unit_test(recycled_laplace_follows_its_law),
		cmocka_unit_test(recycled_gaussian_follows_its_law),
		cmocka_unit_test(staircase_follows_its_law),
		cmocka_unit_test(table_follows_its_law),
		cmocka_unit_test(wide_laws_are_followed),
		cmocka_unit_test(wide_recyclers_are_followed),
		cmocka_unit_test(corners_of_scales_do_not_overflow),
		cmocka_unit_test(corners_of_staircases_do_not_overflow),
		cmocka_unit_test(longest_draws_fit),
		cmocka_unit_test(invalid_kernels_are_refused),
		cmocka_unit_test(failed_sources_are_reported),
		cmocka_unit_test(stuck_sources_end),
		cmocka_unit_test(refused_for_ever_is_a_failure),
	};

	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
