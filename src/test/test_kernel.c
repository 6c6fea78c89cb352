/*
 * test_kernel.c
 *		Laws of the kernels against sums in long double, and samplers against laws.
 *
 * The reference is computed here from the definitions alone, term by term.
 */
#include <math.h>
#include <stdlib.h>

#include "core/noise/continuous.h"
#include "core/noise/law.h"
#include "source.h"
#include "unit.h"

static const PaKernelKind kinds[] = {PA_KERNEL_LAPLACE, PA_KERNEL_GAUSSIAN};

static PaKernel
kernel_of(PaKernelKind kind, double scale)
{
	PaKernel	kernel;

	assert_int_equal(pa_kernel_make(kind, scale, &kernel), PA_OK);
	return kernel;
}

/* Half width beyond which the law has no mass that a long double notices */
static long
width_of(PaKernelKind kind, double scale)
{
	return (long) ((kind == PA_KERNEL_LAPLACE ? 120 : 16) * scale) + 20;
}

static long double
weight(PaKernelKind kind, double scale, long k)
{
	long double x = fabsl((long double) k) / scale;

	return kind == PA_KERNEL_LAPLACE ? expl(-x) : expl(-x * x / 2);
}

static long double
total_weight(PaKernelKind kind, double scale)
{
	long double sum = 0;
	long		k;

	for (k = width_of(kind, scale); k >= 1; k--)
		sum += 2 * weight(kind, scale, k);
	return sum + 1;
}

static long double
brute_tail(PaKernelKind kind, double scale, long k)
{
	long double sum = 0;
	long		j;

	for (j = labs(k) + width_of(kind, scale); j >= k; j--)
		sum += weight(kind, scale, j);
	return sum / total_weight(kind, scale);
}

static long double
brute_delta(PaKernelKind kind, double scale, long shift, double epsilon)
{
	long		wide = width_of(kind, scale);
	long double sum = 0;
	long		k;

	for (k = -wide; k <= wide + shift; k++)
	{
		long double gain = weight(kind, scale, k) - expl(epsilon) * weight(kind, scale, k - shift);

		if (gain > 0)
			sum += gain;
	}
	return sum / total_weight(kind, scale);
}

/* D_alpha(p || p shifted) / alpha from its definition, less the rounding of the sum */
static long double
brute_ratio(PaKernelKind kind, double scale, long shift, long double alpha)
{
	long		wide = width_of(kind, scale);
	long double sum = 0;
	long		k;

	for (k = -4 * wide; k <= 4 * wide + shift; k++)
	{
		long double x = fabsl((long double) k) / scale;
		long double y = fabsl((long double) (k - shift)) / scale;

		if (kind == PA_KERNEL_GAUSSIAN)
		{
			x *= x / 2;
			y *= y / 2;
		}
		sum += expl(-alpha * x + (alpha - 1) * y);
	}
	return (logl(sum / total_weight(kind, scale)) - 1e-17L) / (alpha * (alpha - 1));
}

static long double
brute_divergence(PaKernelKind kind, double scale, long shift)
{
	long		wide = width_of(kind, scale);
	long double sum = 0;
	long		k;

	for (k = -wide; k <= wide + shift; k++)
		sum += weight(kind, scale, k) * (fabsl((long double) (k - shift)) - fabsl((long double) k)) / scale;
	return sum / total_weight(kind, scale);
}

static void
scales_round_up(void **state)
{
	static const double scales[] = {
		1e-9, 1e-6, 0.3, 1.0 / 3, 0.75, 1, 2.5, 10, 1e3 / 7, 1024, 1048575.3, 2097151, 3e9 + 0.5, 1e12
	};
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
	{
		kernel = kernel_of(PA_KERNEL_LAPLACE, scales[i]);
		assert_true(pa_kernel_valid(&kernel));
		assert_true(pa_kernel_scale(&kernel) >= scales[i]);
		assert_true(pa_kernel_scale(&kernel) <= scales[i] * (1 + 1e-6) + 0x1p-20);
		assert_true(kernel.shift == 0 || kernel.numerator % 2 == 1);
	}
	kernel = kernel_of(PA_KERNEL_LAPLACE, 2.5);
	assert_int_equal(kernel.numerator, 5);
	assert_int_equal(kernel.shift, 1);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 0, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, -1, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, NAN, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, INFINITY, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 0x1p40, &kernel), PA_OUT_OF_RANGE);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 1e300, &kernel), PA_OUT_OF_RANGE);
}

static const double law_scales[] = {0.05, 0.3, 0.75, 1, 2.5, 10, 31.5, 40, 100, 1024};

#define LAW_SCALES (sizeof(law_scales) / sizeof(law_scales[0]))

static void
pmf_is_the_law(void **state)
{
	size_t		i;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < LAW_SCALES; i++)
		{
			PaKernel	kernel = kernel_of(kinds[kind], law_scales[i]);
			double		scale = pa_kernel_scale(&kernel);
			long double all = total_weight(kinds[kind], scale);
			long double sum = 0;
			long		k;

			for (k = -width_of(kinds[kind], scale); k <= width_of(kinds[kind], scale); k++)
			{
				sum += pa_kernel_pmf(&kernel, k);
				if (labs(k) <= 30 * scale)
					assert_close(pa_kernel_pmf(&kernel, k), weight(kinds[kind], scale, k) / all, 1e-12);
			}
			assert_close(sum, 1.0L, 1e-12);
		}
}

static void
tail_is_rounded_up(void **state)
{
	static const double places[] = {-3, -1, 0, 0.5, 1, 2, 4, 7, 12, 20};
	size_t		i;
	size_t		j;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < LAW_SCALES; i++)
			for (j = 0; j < sizeof(places) / sizeof(places[0]); j++)
			{
				PaKernel	kernel = kernel_of(kinds[kind], law_scales[i]);
				double		scale = pa_kernel_scale(&kernel);
				long		k = (long) (places[j] * scale);
				long double exact = brute_tail(kinds[kind], scale, k);

				assert_close(pa_kernel_tail(&kernel, k), exact, 1e-10);
				assert_at_most(exact, pa_kernel_tail(&kernel, k) * (1 + 1e-15L));
			}
}

/* The Euler-Maclaurin run and the term-by-term run agree where the first is used. */
static void
gaussian_run_agrees(void **state)
{
	static const double sigmas[] = {32, 33, 57.3, 200, 1000, 5000};
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(sigmas) / sizeof(sigmas[0]); i++)
	{
		double		k;

		for (k = 1; k < 0.16 * sigmas[i] * sigmas[i]; k = floor(k * 1.7 + 1))
		{
			long double sum = 0;
			long double j;

			for (j = 30 * sigmas[i]; j >= 0; j--)
				sum += expl(-(j / sigmas[i]) * (2 * k + j) / sigmas[i] / 2);
			assert_close(pa_law_gaussian_run(sigmas[i], k), sum, 1e-12);
		}
	}
}

static void
error_is_the_least_bound(void **state)
{
	static const double confidences[] = {0.01, 0.5, 0.9, 0.95, 0.999, 1 - 1e-9};
	size_t		i;
	size_t		j;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < LAW_SCALES; i++)
			for (j = 0; j < sizeof(confidences) / sizeof(confidences[0]); j++)
			{
				PaKernel	kernel = kernel_of(kinds[kind], law_scales[i]);
				double		scale = pa_kernel_scale(&kernel);
				int64_t		m = pa_kernel_error(&kernel, confidences[j]);

				assert_true(m >= 0);
				assert_at_most(2 * brute_tail(kinds[kind], scale, m + 1), 1 - confidences[j]);
				if (m > 0)
					assert_at_most(1 - confidences[j], 2 * brute_tail(kinds[kind], scale, m) * (1 + 1e-9L));
			}
}

static void
check_delta(PaKernelKind kind, double wanted, long shift, double epsilon)
{
	PaKernel	kernel = kernel_of(kind, wanted);
	double		scale = pa_kernel_scale(&kernel);
	long double exact = brute_delta(kind, scale, shift, epsilon);
	double		delta = pa_kernel_delta(&kernel, shift, epsilon);

	/* the reference itself is a sum of rounded terms: 1e-17 of its mass */
	assert_at_most(exact, delta + 1e-17L * (1 + expl(epsilon) * 1e-2L));
	assert_at_most(delta, exact * (1 + 1e-7L) + 1e-13L);
	assert_true(delta >= 0 && delta <= 1);
}

static void
delta_is_the_sum(void **state)
{
	uint64_t	seed = 20240607;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 1500; i++)
	{
		PaKernelKind kind = kinds[i % 2];
		double		scale = exp(uniform(&random, log(0.2), log(300)));
		long		shift = (long) (scale * exp(uniform(&random, log(0.01), log(8)))) + (i % 3 != 0);
		double		reach = kind == PA_KERNEL_LAPLACE ? shift / scale : 5 * shift / scale;

		check_delta(kind, scale, shift, uniform(&random, -1.2, 1.2) * reach);
	}
	check_delta(PA_KERNEL_GAUSSIAN, 1024, 100, 0.5);
	check_delta(PA_KERNEL_GAUSSIAN, 1024, 1, 0.001);
	check_delta(PA_KERNEL_LAPLACE, 1024, 100, 0.05);
}

/* Tiny deltas, which the check above leaves to its absolute part */
static void
small_delta_keeps_precision(void **state)
{
	PaKernel	kernel = kernel_of(PA_KERNEL_GAUSSIAN, 40);
	double		epsilon;

	(void) state;
	for (epsilon = 0.05; epsilon < 0.45; epsilon += 0.05)
	{
		long double exact = brute_delta(PA_KERNEL_GAUSSIAN, 40, 2, epsilon);

		assert_close(pa_kernel_delta(&kernel, 2, epsilon), exact, 1e-8);
		assert_at_most(exact, pa_kernel_delta(&kernel, 2, epsilon));
	}
}

/* At and beyond the largest loss there is nothing left, to the last bit. */
static void
laplace_delta_ends_at_its_loss(void **state)
{
	static const double scales[] = {0.25, 1, 2.5, 10, 1024};
	size_t		i;
	int64_t		shift;

	(void) state;
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		for (shift = 1; shift < 5000; shift = shift * 3 + 1)
		{
			PaKernel	kernel = kernel_of(PA_KERNEL_LAPLACE, scales[i]);
			double		loss = nextafter(shift / scales[i], INFINITY);

			assert_true(pa_kernel_delta(&kernel, shift, loss) == 0.0);
			assert_true(pa_kernel_delta(&kernel, shift, loss * (1 - 1e-6)) > 0.0);
		}
	assert_true(pa_kernel_delta(&(PaKernel) {PA_KERNEL_LAPLACE, 10, 0}, 10, 1.0) == 0.0);
}

static void
delta_grows_with_the_shift(void **state)
{
	static const double scales[] = {0.4, 3, 50, 700};
	size_t		i;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < 4; i++)
		{
			PaKernel	kernel = kernel_of(kinds[kind], scales[i]);
			double		epsilon;

			for (epsilon = -0.5; epsilon < 3; epsilon += 0.25)
			{
				double		before = 0;
				int64_t		shift;

				for (shift = 0; shift < 60; shift++)
				{
					double		delta = pa_kernel_delta(&kernel, shift, epsilon);

					assert_at_most(before, delta + 1e-11L);
					before = delta;
				}
			}
		}
}

/* Scales and shifts near the ends of their ranges: finite, in range, in order. */
static void
extremes_are_sane(void **state)
{
	static const double scales[] = {0x1p-20, 1e-3, 1, 0x1p20, 1e9, 0x1p40 - 1};
	static const int64_t shifts[] = {0, 1, 1000, INT64_C(1) << 40, INT64_MAX};
	static const double epsilons[] = {-1e300, -1e6, -1, 0, 1e-9, 1, 1e6, 1e300};
	size_t		i;
	size_t		j;
	size_t		e;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
			for (j = 0; j < sizeof(shifts) / sizeof(shifts[0]); j++)
			{
				PaKernel	kernel = kernel_of(kinds[kind], scales[i]);
				double		before = 1;

				assert_true(isfinite(pa_kernel_rho(&kernel, shifts[j])));
				for (e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++)
				{
					double		delta = pa_kernel_delta(&kernel, shifts[j], epsilons[e]);

					assert_true(delta >= 0 && delta <= 1);
					if (!(delta <= before + 1e-11))
						fail_msg("%s scale %g shift %g epsilon %g: delta %g after %g",
								 pa_kernel_name(kinds[kind]), scales[i], (double) shifts[j],
								 epsilons[e], delta, before);
					before = delta;
				}
			}
}

/* On a fine lattice the discrete profile is the continuous one. */
static void
large_scales_approach_the_continuum(void **state)
{
	double		scale = 0x1p20;
	PaKernel	laplace = kernel_of(PA_KERNEL_LAPLACE, scale);
	PaKernel	gaussian = kernel_of(PA_KERNEL_GAUSSIAN, scale);
	double		epsilon;

	(void) state;
	for (epsilon = 0.1; epsilon < 3; epsilon += 0.3)
	{
		assert_close(pa_kernel_delta(&gaussian, 1 << 20, epsilon),
					 pa_gaussian_profile(scale, 0x1p20, epsilon), 1e-8);
		if (epsilon < 0.95)
			assert_close(pa_kernel_delta(&laplace, 1 << 20, epsilon),
						 pa_laplace_profile(scale, 0x1p20, epsilon), 1e-8);
	}
}

/* rho is at least every D_alpha/alpha, and is approached by one. */
static void
rho_is_the_supremum(void **state)
{
	static const double scales[] = {0.2, 0.5, 1, 2.5, 10, 60};
	static const long shifts[] = {1, 2, 3, 10, 50};
	size_t		i;
	size_t		j;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
			for (j = 0; j < sizeof(shifts) / sizeof(shifts[0]); j++)
			{
				PaKernel	kernel = kernel_of(kinds[kind], scales[i]);
				double		scale = pa_kernel_scale(&kernel);
				double		rho = pa_kernel_rho(&kernel, shifts[j]);
				double		epsilon = shifts[j] / scale;
				long double best = 0;
				long double alpha;

				if (epsilon > 60)
					continue;
				for (alpha = 1.0001L; alpha < 40; alpha = 1 + (alpha - 1) * 1.3L)
				{
					if (kinds[kind] == PA_KERNEL_GAUSSIAN && alpha * epsilon > 40)
						break;
					best = fmaxl(best, brute_ratio(kinds[kind], scale, shifts[j], alpha));
				}
				assert_at_most(best, rho * (1 + 1e-12L));
				if (kinds[kind] == PA_KERNEL_GAUSSIAN)
					assert_close(rho, 0.5L * epsilon * epsilon, 1e-12);
				else
				{
					assert_close(rho, brute_divergence(kinds[kind], scale, shifts[j]), 1e-12);
					assert_at_most(rho, best * 1.001L + 1e-9L);
					assert_at_most(rho, fmin(epsilon, epsilon * epsilon / 2) * (1 + 1e-12));
				}
			}
}

/* One step of shift is randomised response: rho = epsilon tanh(epsilon/2). */
static void
rho_of_one_step(void **state)
{
	double		epsilon;

	(void) state;
	for (epsilon = 1e-8; epsilon < 100; epsilon *= 3.7)
	{
		PaLaw		law = pa_law_make(PA_KERNEL_LAPLACE, 1 / epsilon);

		assert_close(pa_law_rho(&law, 1), epsilon * tanhl(epsilon / 2.0L), 1e-12);
	}
}

static void
check_sampler(PaKernelKind kind, double wanted)
{
	PaKernel	kernel = kernel_of(kind, wanted);
	double		scale = pa_kernel_scale(&kernel);
	long double all = total_weight(kind, scale);
	long		half = width_of(kind, scale) / 3;
	long		cells = 2 * half + 3;	/* the ends collect what lies beyond */
	long		draws = draws_wanted();
	double	   *seen = calloc(cells, sizeof(double));
	double	   *expected = calloc(cells, sizeof(double));
	PaRandom	random;
	long		i;

	assert_non_null(seen);
	assert_non_null(expected);
	pa_random_init(&random, source_system, NULL);
	for (i = -half; i <= half; i++)
		expected[i + half + 1] = (double) (draws * weight(kind, scale, i) / all);
	expected[0] = expected[cells - 1] = (double) (draws * brute_tail(kind, scale, half + 1));
	for (i = 0; i < draws; i++)
	{
		int64_t		noise;

		assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_OK);
		seen[noise < -half ? 0 : noise > half ? cells - 1 : noise + half + 1]++;
	}
	if (!(chi_square_p(seen, expected, (int) cells) > FALSE_ALARM))
		fail_msg("%s sampler at scale %g does not follow its law", pa_kernel_name(kind), scale);
	free(seen);
	free(expected);
}

static const double sampled[] = {3.0 / 1024, 0.3, 0.75, 1, 2.5, 10, 1024};

static void
laplace_sampler_follows_its_law(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(sampled) / sizeof(sampled[0]); i++)
		check_sampler(PA_KERNEL_LAPLACE, sampled[i]);
}

static void
gaussian_sampler_follows_its_law(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(sampled) / sizeof(sampled[0]); i++)
		check_sampler(PA_KERNEL_GAUSSIAN, sampled[i]);
}

/*
 * Scales too large for cells of one step: 64 cells of equal probability, their
 * edges from the continuous law, whose difference is below 1e-6 of a cell.
 */
static void
large_samplers_follow_their_law(void **state)
{
	static const double large[] = {1048577, 2097151, 0x1p40 - 1};
	long		draws = draws_wanted() / 10;
	int			kind;
	size_t		s;
	long		i;

	(void) state;
	for (kind = 0; kind < 2; kind++)
		for (s = 0; s < sizeof(large) / sizeof(large[0]); s++)
		{
			PaKernel	kernel = kernel_of(kinds[kind], large[s]);
			double		seen[64] = {0};
			double		expected[64];
			PaRandom	random;

			pa_random_init(&random, source_system, NULL);
			for (i = 0; i < draws; i++)
			{
				int64_t		noise;
				double		x;
				double		tail;

				assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_OK);
				x = noise / large[s];
				tail = kinds[kind] == PA_KERNEL_GAUSSIAN ? 0.5 * erfc(fabs(x) / sqrt(2)) : 0.5 * exp(-fabs(x));
				tail = fmin(x < 0 ? tail : 1 - tail, 1 - 1e-16);
				seen[(int) (64 * tail)]++;
			}
			for (i = 0; i < 64; i++)
				expected[i] = draws / 64.0;
			assert_true(chi_square_p(seen, expected, 64) > FALSE_ALARM);
		}
}

/* Every corner of the range of scales, under the overflow checks of this build */
static void
corners_do_not_overflow(void **state)
{
	PaRandom	random;
	int			kind;
	uint32_t	shift;

	(void) state;
	pa_random_init(&random, source_system, NULL);
	for (kind = 0; kind < 2; kind++)
		for (shift = 0; shift <= PA_SCALE_SHIFT; shift++)
		{
			uint64_t	last = (UINT64_C(1) << (shift == 0 ? PA_SCALE_WHOLE_BITS : PA_SCALE_BITS)) - 1;
			uint64_t	numerators[] = {1, 2, 3, UINT64_C(1) << shift, last / 2 + 1, last};
			int			n;

			for (n = 0; n < 6; n++)
			{
				PaKernel	kernel = {kinds[kind], numerators[n], shift};
				double		scale = ldexp((double) numerators[n], -(int) shift);
				int			i;

				if (!pa_kernel_valid(&kernel))
					continue;
				for (i = 0; i < 300; i++)
				{
					int64_t		noise;

					assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_OK);
					assert_true(fabs((double) noise) <= 60 * scale);
				}
			}
		}
}

static void
sampler_reports_failure(void **state)
{
	unsigned char byte = 0;
	Tape		empty = {&byte, 0, 0};
	PaRandom	random;
	int64_t		noise = 77;
	int			kind;

	(void) state;
	for (kind = 0; kind < 2; kind++)
	{
		PaKernel	kernel = kernel_of(kinds[kind], 10);
		PaKernel	bad = {kinds[kind], 0, 0};

		pa_random_init(&random, source_tape, &empty);
		assert_int_equal(pa_kernel_sample(&kernel, &random, &noise), PA_NO_RANDOMNESS);
		pa_random_init(&random, source_system, NULL);
		assert_int_equal(pa_kernel_sample(&bad, &random, &noise), PA_INVALID);
		bad.numerator = UINT64_C(1) << 21;
		bad.shift = 1;
		assert_int_equal(pa_kernel_sample(&bad, &random, &noise), PA_INVALID);
		assert_int_equal(noise, 77);
	}
	do
	{
		PaKernel	kernel = kernel_of(kinds[byte % 2], 1000.5);

		pa_random_init(&random, source_stuck, &byte);
		pa_kernel_sample(&kernel, &random, &noise); /* must end */
	} while (++byte != 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales_round_up),
		cmocka_unit_test(pmf_is_the_law),
		cmocka_unit_test(tail_is_rounded_up),
		cmocka_unit_test(gaussian_run_agrees),
		cmocka_unit_test(error_is_the_least_bound),
		cmocka_unit_test(delta_is_the_sum),
		cmocka_unit_test(small_delta_keeps_precision),
		cmocka_unit_test(laplace_delta_ends_at_its_loss),
		cmocka_unit_test(delta_grows_with_the_shift),
		cmocka_unit_test(extremes_are_sane),
		cmocka_unit_test(large_scales_approach_the_continuum),
		cmocka_unit_test(rho_is_the_supremum),
		cmocka_unit_test(rho_of_one_step),
		cmocka_unit_test(laplace_sampler_follows_its_law),
		cmocka_unit_test(gaussian_sampler_follows_its_law),
		cmocka_unit_test(large_samplers_follow_their_law),
		cmocka_unit_test(corners_do_not_overflow),
		cmocka_unit_test(sampler_reports_failure),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
