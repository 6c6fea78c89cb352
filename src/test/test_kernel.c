/*
 * test_kernel.c
 *		Parameters and texts of the kernels, and their laws against sums in long double.
 *
 * The reference is computed from the definitions alone, term by term.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/noise/continuous.h"
#include "kernel_reference.h"
#include "source.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const PaKernelKind plain_kinds[] = {PA_KERNEL_LAPLACE, PA_KERNEL_GAUSSIAN};

static const uint64_t few_weights[] = {7, 5, 5, 1, 0};
static const PaNoiseTable few = {4, 29, few_weights};
static const uint64_t lone_weight[] = {3};
static const PaNoiseTable lone = {0, 3, lone_weight};
static const uint64_t rare_weights[] = {(UINT64_C(1) << 62) - 2, 1};
static const PaNoiseTable rare = {1, UINT64_C(1) << 62, rare_weights};

static const double law_scales[] = {0.05, 0.3, 0.75, 1, 2.5, 10, 31.5, 40, 100, 1024};

/* One kernel per number, until false */
static bool
kernel_at(size_t number, PaKernel *kernel)
{
	static const PaNoiseTable *const tables[] = {&few, &lone, &rare};
	const PaKernel odd[] = {
		recycler(PA_KERNEL_BRDP_LAPLACE, 10, 3, KEEP(-1)), recycler(PA_KERNEL_BRDP_LAPLACE, 10.7, 12, KEEP(-4) + KEEP(-30)),
		recycler(PA_KERNEL_BRDP_LAPLACE, 2.5, 0, KEEP(0)), recycler(PA_KERNEL_BRDP_LAPLACE, 0.3, 0, KEEP(-8)),
		recycler(PA_KERNEL_BRDP_LAPLACE, 100, 1, KEEP(-62)), recycler(PA_KERNEL_BRDP_LAPLACE, 3, 1000, KEEP(-30)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 10, 3, KEEP(-1)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 10.7, 12, KEEP(-4) + KEEP(-30)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 2.5, 0, KEEP(0)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 0.3, 0, KEEP(-8)),
		recycler(PA_KERNEL_BRDP_GAUSSIAN, 100, 1, KEEP(-62)), recycler(PA_KERNEL_BRDP_GAUSSIAN, 3, 1000, KEEP(-30)),
		staircase(E_ONE, 1, 0), staircase(E_ONE / 3, 5, 7), staircase(2 * E_ONE + 1, 10, 0),
		staircase(2 * E_ONE, 10, 39), staircase(E_ONE / 100, 3, 1), staircase(200 * E_ONE, 30, 12)
	};

	if (number < 2 * COUNT(law_scales))
		*kernel = plain(plain_kinds[number % 2], law_scales[number / 2]);
	else if (number < 2 * COUNT(law_scales) + COUNT(odd))
		*kernel = odd[number - 2 * COUNT(law_scales)];
	else if (number < 2 * COUNT(law_scales) + COUNT(odd) + COUNT(tables))
		*kernel = (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = tables[number - 2 * COUNT(law_scales) - COUNT(odd)]};
	else
		return false;
	assert_true(pa_kernel_valid(kernel));
	return true;
}

/* A length that the law knows: its scale, or that of its support */
static double
typical(const PaKernel *kernel)
{
	return kernel->kind == PA_KERNEL_OPTIMAL ? kernel->table->last : (double) reference_scale(kernel);
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
	for (i = 0; i < COUNT(scales); i++)
	{
		kernel = plain(PA_KERNEL_LAPLACE, scales[i]);
		assert_true(pa_kernel_valid(&kernel));
		assert_true(pa_kernel_scale(&kernel) >= scales[i]);
		assert_true(pa_kernel_scale(&kernel) <= scales[i] * (1 + 1e-6) + 0x1p-20);
		assert_true(kernel.shift == 0 || kernel.numerator % 2 == 1);
	}
	kernel = plain(PA_KERNEL_LAPLACE, 2.5);
	assert_int_equal(kernel.numerator, 5);
	assert_int_equal(kernel.shift, 1);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 0, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, -1, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, NAN, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, INFINITY, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_STAIRCASE, 10, &kernel), PA_INVALID);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 0x1p40, &kernel), PA_OUT_OF_RANGE);
	assert_int_equal(pa_kernel_make(PA_KERNEL_LAPLACE, 1e300, &kernel), PA_OUT_OF_RANGE);
}

static void
names_are_found(void **state)
{
	PaKernelKind kind = PA_KERNEL_OPTIMAL;
	int			i;

	(void) state;
	for (i = 0; i < PA_KERNEL_KINDS; i++)
	{
		assert_true(pa_kernel_by_name(pa_kernel_name((PaKernelKind) i), &kind));
		assert_int_equal(kind, i);
		assert_int_equal(pa_kernel_needs_band(kind), i >= PA_KERNEL_BRDP_LAPLACE);
		assert_int_equal(pa_kernel_recycles(kind), i == PA_KERNEL_BRDP_LAPLACE || i == PA_KERNEL_BRDP_GAUSSIAN);
	}
	assert_false(pa_kernel_by_name("Laplace", &kind));
	assert_false(pa_kernel_by_name("", &kind));
	assert_false(pa_kernel_by_name("laplace ", &kind));
	assert_false(pa_kernel_by_name("unknown", &kind));
	assert_int_equal(kind, PA_KERNEL_OPTIMAL);
	assert_string_equal(pa_kernel_name((PaKernelKind) PA_KERNEL_KINDS), "unknown");
}

/* A row's flags and functions say the same as the law that it has. */
static void
rows_agree_with_laws(void **state)
{
	PaKernel	kernel;
	PaKernelTail tail;
	uint32_t	seen = 0;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		PaLaw		law = pa_kernel_law(&kernel);
		bool		pure = isfinite(pa_law_most_loss(&law, 2));
		bool		table = kernel.table != NULL;
		int64_t		k;

		seen |= PA_KERNEL_BIT(kernel.kind);
		assert_int_equal(pa_kernel_is_pure(kernel.kind), pure);
		assert_int_equal(pa_kernel_is_table(kernel.kind), table);
		assert_int_equal(pa_kernel_scale(&kernel) == 0, table);
		assert_int_equal(pa_kernel_tail_repeats(&kernel, &tail), pure);
		for (k = 0; !table && k < 40; k += 3)
		{
			double		fall = pa_kernel_log_fall(&kernel, k);

			if (fall > -600)
				assert_close(exp(fall), pa_kernel_pmf(&kernel, k) / pa_kernel_pmf(&kernel, 0), 1e-9);
			/* beyond the margin a period more or less is the same to any two values */
			if (pure)
				assert_close(exp(pa_kernel_log_fall(&kernel, tail.margin + k) - pa_kernel_log_fall(&kernel, tail.margin + k + 5)),
							 exp(pa_kernel_log_fall(&kernel, tail.margin + k + tail.period) -
								 pa_kernel_log_fall(&kernel, tail.margin + k + tail.period + 5)), 1e-9);
		}
	}
	assert_int_equal(seen, PA_KERNEL_ALL);
}

static void
laws_have_any_numbers(void **state)
{
	PaKernel	kernel;
	PaLaw		law;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		PaKernelNumbers numbers = {
			PA_LATTICE, pa_kernel_scale(&kernel), (double) kernel.width, (double) kernel.band, ldexp((double) kernel.keep, -PA_KEEP_BITS)
		};
		PaLaw		drawn = pa_kernel_law(&kernel);

		if (pa_kernel_is_table(kernel.kind))
		{
			assert_int_equal(pa_kernel_law_of(kernel.kind, &numbers, &law), PA_INVALID);
			continue;
		}
		assert_int_equal(pa_kernel_law_of(kernel.kind, &numbers, &law), PA_OK);
		assert_int_equal(law.form, drawn.form);
		assert_close(pa_law_density(&law, 0), pa_law_density(&drawn, 0), 1e-11);
		assert_close(pa_law_acceptance(&law, 9), pa_law_acceptance(&drawn, 9), 1e-11);
	}
}

/* What stands in the ledger is read again: no name may begin another one. */
static void
names_are_apart(void **state)
{
	int			i;
	int			j;

	(void) state;
	for (i = 0; i < PA_KERNEL_KINDS; i++)
		for (j = 0; j < PA_KERNEL_KINDS; j++)
		{
			const char *name = pa_kernel_name((PaKernelKind) i);

			assert_true(i == j || strncmp(name, pa_kernel_name((PaKernelKind) j), strlen(name)) != 0);
		}
}

static void
assert_valid(bool expected, PaKernel kernel)
{
	if (pa_kernel_valid(&kernel) != expected)
		fail_msg("%s %llu/2^%u band %lld keep %llu width %lld is%s valid", pa_kernel_name(kernel.kind),
				 (unsigned long long) kernel.numerator, kernel.shift, (long long) kernel.band,
				 (unsigned long long) kernel.keep, (long long) kernel.width, expected ? " not" : "");
}

static void
scales_have_edges(void **state)
{
	size_t		i;

	(void) state;
	for (i = 0; i < 4; i++)
	{
		PaKernelKind kind = (PaKernelKind) i;

		assert_valid(true, (PaKernel) {kind, 0, 1, 0, KEEP(0), 0, NULL});
		assert_valid(true, (PaKernel) {kind, 0, (UINT64_C(1) << 40) - 1, 0, KEEP(0), 0, NULL});
		assert_valid(true, (PaKernel) {kind, 20, (UINT64_C(1) << 21) - 1, 0, KEEP(0), 0, NULL});
		assert_valid(true, (PaKernel) {kind, 3, 8, 0, KEEP(0), 0, NULL});
		assert_valid(false, (PaKernel) {kind, 0, 0, 0, KEEP(0), 0, NULL});
		assert_valid(false, (PaKernel) {kind, 0, UINT64_C(1) << 40, 0, KEEP(0), 0, NULL});
		assert_valid(false, (PaKernel) {kind, 1, UINT64_C(1) << 21, 0, KEEP(0), 0, NULL});
		assert_valid(false, (PaKernel) {kind, 21, 1, 0, KEEP(0), 0, NULL});
	}
	assert_valid(false, (PaKernel) {(PaKernelKind) PA_KERNEL_KINDS, 0, 1, 0, KEEP(0), 1, NULL});
}

static void
recyclers_have_edges(void **state)
{
	PaKernelKind kind;

	(void) state;
	for (kind = PA_KERNEL_BRDP_LAPLACE; kind <= PA_KERNEL_BRDP_GAUSSIAN; kind++)
	{
		assert_valid(true, recycler(kind, 10, PA_BAND_LIMIT - 1, 1));
		assert_valid(false, recycler(kind, 10, PA_BAND_LIMIT, 1));
		assert_valid(false, recycler(kind, 10, -1, 1));
		assert_valid(false, recycler(kind, 10, 3, 0));
		assert_valid(false, recycler(kind, 10, 3, KEEP(0) + KEEP(-1)));
		/* 53 significant bits */
		assert_valid(true, recycler(kind, 10, 3, (UINT64_C(1) << 53) - 1));
		assert_valid(true, recycler(kind, 10, 3, KEEP(0) - KEEP(-53)));
		assert_valid(true, recycler(kind, 10, 3, KEEP(-1) + KEEP(-53)));
		assert_valid(false, recycler(kind, 10, 3, KEEP(-1) + KEEP(-54)));
		assert_valid(false, recycler(kind, 10, 3, KEEP(0) - 1));
		assert_valid(false, recycler(kind, 10, 3, (UINT64_C(1) << 53) + 1));
		/* rounds that are accepted too rarely */
		assert_valid(true, recycler(kind, 1e9, 0, KEEP(-12)));
		assert_valid(false, recycler(kind, 1e9, 0, KEEP(-13)));
		assert_valid(false, recycler(kind, 1e6, 10, 1));
		assert_valid(true, recycler(kind, 1e6, 1000, 1));
	}
	/* 1 - r = 2^-12 (1 + r) for r = exp(-1/b), hence b = 1/ln((1+x)/(1-x)) with x = 2^-12 */
	assert_valid(true, recycler(PA_KERNEL_BRDP_LAPLACE, 2047.99, 0, 1));
	assert_valid(false, recycler(PA_KERNEL_BRDP_LAPLACE, 2048.01, 0, 1));
	assert_valid(true, recycler(PA_KERNEL_BRDP_GAUSSIAN, 4096 / 2.50664, 0, 1));
	assert_valid(false, recycler(PA_KERNEL_BRDP_GAUSSIAN, 4096 / 2.50662, 0, 1));
}

static void
staircases_have_edges(void **state)
{
	const int64_t widest = (INT64_C(1) << 48) - 1;

	(void) state;
	assert_valid(true, staircase(17, 1, 0));
	assert_valid(false, staircase(16, 1, 0));
	assert_valid(false, staircase(0, 1, 0));
	assert_valid(true, staircase((UINT64_C(1) << 52) - 1, 1, 0));
	assert_valid(false, staircase(UINT64_C(1) << 52, 1, 0));
	assert_valid(true, staircase((UINT64_C(1) << 52) - 1, widest, widest - 1));
	assert_valid(false, staircase((UINT64_C(1) << 52) - 1, widest + 1, widest));
	assert_valid(false, staircase(E_ONE, 0, 0));
	assert_valid(false, staircase(E_ONE, -1, 0));
	assert_valid(false, staircase(E_ONE, INT64_MIN, 0));
	assert_valid(false, staircase(E_ONE, 1, -1));
	assert_valid(true, staircase(E_ONE, 1, PA_BAND_LIMIT - 1));
	assert_valid(false, staircase(E_ONE, 1, PA_BAND_LIMIT));
	assert_valid(false, (PaKernel) {PA_KERNEL_STAIRCASE, PA_STAIR_SHIFT - 1, E_ONE, 0, 0, 1, NULL});
	/* exp(-e) + (1 - exp(-e))/(2 width) = 2^-12 at width = 2048 for endless e, at e = 8.3178 for endless width */
	assert_valid(true, staircase(200 * E_ONE, 2048, 0));
	assert_valid(false, staircase(200 * E_ONE, 2049, 0));
	assert_valid(true, staircase(200 * E_ONE, 2049, 1));
	assert_valid(true, staircase((uint64_t) (8.3177 * 0x1p44), INT64_C(1) << 40, INT64_C(1) << 40));
	assert_valid(false, staircase((uint64_t) (8.3178 * 0x1p44), INT64_C(1) << 40, INT64_C(1) << 40));
}

static void
tables_have_edges(void **state)
{
	static uint64_t long_weights[514] = {1};
	static const uint64_t growing[] = {5, 6};
	static const uint64_t huge[] = {UINT64_MAX, UINT64_MAX};
	const struct
	{
		bool		valid;
		PaNoiseTable table;
	}			cases[] = {
		{true, {4, 29, few_weights}}, {false, {4, 28, few_weights}}, {false, {4, 30, few_weights}},
		{false, {3, 0, few_weights}}, {true, {3, 29, few_weights}}, {false, {-1, 29, few_weights}},
		{true, {512, 1, long_weights}}, {false, {513, 1, long_weights}}, {false, {1, 17, growing}},
		{false, {1, UINT64_MAX - 2, huge}}, {false, {4, 29, NULL}}, {false, {0, 0, &long_weights[1]}},
		{true, {1, UINT64_C(1) << 62, rare_weights}}
	};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(cases); i++)
		assert_valid(cases[i].valid, (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = &cases[i].table});
	assert_valid(false, (PaKernel) {.kind = PA_KERNEL_OPTIMAL});
}

/* Never fewer than the inverse of the acceptance, which is summed here */
static void
rounds_are_enough(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		PaKernel	base = kernel;
		long double acceptance = 1;

		if (pa_kernel_recycles(kernel.kind))
		{
			base.kind = reference_is_gaussian(&kernel) ? PA_KERNEL_GAUSSIAN : PA_KERNEL_LAPLACE;
			acceptance = 1 - 2 * reference_tail(&base, kernel.band + 1);
			acceptance += (1 - acceptance) * ldexpl((long double) kernel.keep, -PA_KEEP_BITS);
		}
		else if (kernel.kind == PA_KERNEL_STAIRCASE)
			acceptance = -expm1l(reference_log(&kernel, kernel.band % kernel.width + 1)) *
				reference_total(&kernel) / (2 * kernel.width);
		assert_at_most(1 / acceptance, pa_kernel_rounds(&kernel) * (1 + 1e-12L));
		assert_at_most(pa_kernel_rounds(&kernel), 4096);
	}
}

static void
pmf_is_the_law(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		long double all = reference_total(&kernel);
		long double sum = 0;
		int64_t		reach = reference_reach(&kernel);
		int64_t		k;

		for (k = -reach; k <= reach; k++)
		{
			sum += pa_kernel_pmf(&kernel, k);
			if (llabs(k) <= 30 * typical(&kernel))
				assert_close(pa_kernel_pmf(&kernel, k), reference_weight(&kernel, k) / all, 1e-11);
		}
		assert_close(sum, 1.0L, 1e-11);
	}
}

static void
tail_is_rounded_up(void **state)
{
	static const double places[] = {-3, -1, 0, 0.5, 1, 2, 4, 7, 12, 20};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (j = 0; j < COUNT(places); j++)
		{
			int64_t		k = (int64_t) (places[j] * typical(&kernel));
			long double exact = reference_tail(&kernel, k);

			assert_at_most(exact, pa_kernel_tail(&kernel, k) * (1 + 1e-15L));
			assert_at_most(pa_kernel_tail(&kernel, k), exact * (1 + 1e-10L) + 1e-300L);
		}
		assert_true(pa_kernel_tail(&kernel, INT64_MIN) == 1.0);
		assert_true(pa_kernel_tail(&kernel, -PA_BAND_LIMIT) == 1.0);
		assert_true(pa_kernel_tail(&kernel, PA_BAND_LIMIT) < 1e-300);
		assert_true(pa_kernel_tail(&kernel, INT64_MAX) < 1e-300);
	}
}

static void
acceptance_is_rounded_down(void **state)
{
	PaKernel	kernel;
	size_t		i;
	int			place;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (place = 0; place < 12; place++)
		{
			int64_t		theta = place < 4 ? place : place < 8 ? kernel.band + place - 6 : (place - 7) * (int64_t) typical(&kernel);
			long double exact = 0;
			int64_t		k;

			for (k = -theta; k <= theta; k++)
				exact += reference_weight(&kernel, k);
			exact /= reference_total(&kernel);
			assert_at_most(pa_kernel_acceptance(&kernel, theta), exact * (1 + 1e-15L));
			assert_at_most(exact, pa_kernel_acceptance(&kernel, theta) * (1 + 1e-10L));
		}
		assert_true(pa_kernel_acceptance(&kernel, -1) == 0.0);
		assert_at_most(1 - 1e-10L, pa_kernel_acceptance(&kernel, INT64_MAX));
		assert_at_most(pa_kernel_acceptance(&kernel, INT64_MAX), 1);
	}
}

/* q itself is 1 - keep/2^62, and is never rounded up. */
static void
recycling_is_rounded_down(void **state)
{
	static const uint64_t keeps[] = {1, 3, KEEP(-53), KEEP(-30) + 1, KEEP(-1), KEEP(0) - KEEP(-53), KEEP(0)};
	size_t		i;
	PaKernel	laplace = plain(PA_KERNEL_LAPLACE, 10);

	(void) state;
	for (i = 0; i < COUNT(keeps); i++)
	{
		PaKernel	kernel = recycler(PA_KERNEL_BRDP_LAPLACE, 3, 100, keeps[i]);
		long double exact = 1 - ldexpl((long double) keeps[i], -PA_KEEP_BITS);

		assert_at_most(pa_kernel_recycling(&kernel), exact);
		assert_at_most(exact, pa_kernel_recycling(&kernel) + 0x1p-53L);
		assert_true(pa_kernel_recycling(&kernel) < 1);
	}
	assert_true(pa_kernel_recycling(&laplace) == 0.0);
}

static void
scale_of_each_kind(void **state)
{
	PaKernel	kernel = recycler(PA_KERNEL_BRDP_GAUSSIAN, 2.5, 3, KEEP(-1));

	(void) state;
	assert_true(pa_kernel_scale(&kernel) == 2.5);
	kernel = staircase(E_ONE / 4, 3, 1);
	assert_true(pa_kernel_scale(&kernel) == 12);
	kernel = (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = &few};
	assert_true(pa_kernel_scale(&kernel) == 0);
}

static void
error_is_the_least_bound(void **state)
{
	static const double confidences[] = {0.01, 0.5, 0.9, 0.95, 0.999, 1 - 1e-9};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		for (j = 0; j < COUNT(confidences); j++)
		{
			int64_t		m = pa_kernel_error(&kernel, confidences[j]);

			assert_true(m >= 0);
			assert_at_most(2 * reference_tail(&kernel, m + 1), 1 - confidences[j]);
			if (m > 0)
				assert_at_most(1 - confidences[j], 2 * reference_tail(&kernel, m) * (1 + 1e-9L));
		}
		assert_int_equal(pa_kernel_error(&kernel, 0), -1);
		assert_int_equal(pa_kernel_error(&kernel, 1), -1);
		assert_int_equal(pa_kernel_error(&kernel, NAN), -1);
	}
	/* 29 parts in all: 12 beyond 1, 2 beyond 2, none beyond 3 */
	kernel = (PaKernel) {.kind = PA_KERNEL_OPTIMAL,.table = &few};
	assert_int_equal(pa_kernel_error(&kernel, 16.9 / 29), 1);
	assert_int_equal(pa_kernel_error(&kernel, 17.1 / 29), 2);
	assert_int_equal(pa_kernel_error(&kernel, 27.1 / 29), 3);
	assert_int_equal(pa_kernel_error(&kernel, 1 - 0x1p-53), 3);
}

/* The sum over one direction, and the part of its terms that rounding may spoil */
static void
check_delta(const PaKernel *kernel, int64_t shift, double epsilon)
{
	int64_t		reach = reference_reach(kernel);
	long double all = reference_total(kernel);
	long double exact = 0;
	double		delta = pa_kernel_delta(kernel, shift, epsilon);
	int64_t		k;

	for (k = -reach; k <= reach + shift; k++)
	{
		long double gain = reference_weight(kernel, k) - expl(epsilon) * reference_weight(kernel, k - shift);

		if (gain > 0)
			exact += gain / all;
	}
	if (!(exact <= delta * (1 + 1e-15L) + 1e-17L * (1 + expl(epsilon) * 1e-2L)) ||
		!(delta <= exact * (1 + 1e-7L) + 1e-13L))
		fail_msg("%s scale %g band %lld: delta(%g) of shift %lld is %.17g, expected %.17Lg", pa_kernel_name(kernel->kind),
				 pa_kernel_scale(kernel), (long long) kernel->band, epsilon, (long long) shift, delta, exact);
	assert_true(delta >= 0 && delta <= 1);
}

static void
delta_is_the_sum(void **state)
{
	uint64_t	seed = 20240607;
	PaRandom	random;
	PaKernel	kernel;
	size_t		i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; kernel_at(i, &kernel); i++)
		for (j = 0; j < 20; j++)
		{
			int64_t		shift = (int64_t) (typical(&kernel) * exp(uniform(&random, log(0.01), log(4)))) + (j % 3 != 0);
			double		reach = (reference_is_gaussian(&kernel) ? 5 : 1.1) * (double) shift / typical(&kernel);

			if (kernel.kind == PA_KERNEL_STAIRCASE)
				shift = kernel.width * (j % 3) + j % 2;
			check_delta(&kernel, shift, uniform(&random, -1.2, 1.2) * fmin(reach, 30));
		}
}

/* At and beyond the largest loss there is nothing left, to the last bit. */
static void
pure_delta_ends_at_its_loss(void **state)
{
	static const double scales[] = {0.25, 1, 2.5, 10, 1024};
	PaKernel	kernel;
	size_t		i;
	int64_t		shift;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		for (shift = 1; shift < 5000; shift = shift * 3 + 1)
		{
			double		loss = nextafter((double) shift / scales[i], INFINITY);

			kernel = plain(PA_KERNEL_LAPLACE, scales[i]);
			assert_true(pa_kernel_delta(&kernel, shift, loss) == 0.0);
			assert_true(pa_kernel_delta(&kernel, shift, loss * (1 - 1e-6)) > 0.0);
		}
	kernel = plain(PA_KERNEL_LAPLACE, 10);
	assert_true(pa_kernel_delta(&kernel, 10, 1) == 0.0);
	kernel = staircase(E_ONE, 10, 23);
	for (shift = 1; shift <= 10; shift++)
	{
		assert_true(pa_kernel_delta(&kernel, shift, 1) == 0.0);
		assert_true(pa_kernel_delta(&kernel, shift, 1 - 1e-6) > 0.0);
	}
	assert_true(pa_kernel_delta(&kernel, 11, 1) > 0.0);
}

static void
delta_grows_with_the_shift(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
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

/* Finite, in range, in order. */
static void
check_sane(const PaKernel *kernel, int64_t shift)
{
	static const double epsilons[] = {-1e300, -1e6, -1, 0, 1e-9, 1, 1e6, 1e300};
	double		before = 1;
	size_t		e;

	assert_true(pa_kernel_valid(kernel));
	assert_true(isfinite(pa_kernel_rho(kernel, shift)));
	assert_true(pa_kernel_error(kernel, 1 - 0x1p-53) >= 0);
	for (e = 0; e < COUNT(epsilons); e++)
	{
		double		delta = pa_kernel_delta(kernel, shift, epsilons[e]);

		assert_true(delta >= 0 && delta <= 1);
		if (!(delta <= before + 1e-11))
			fail_msg("%s scale %g shift %g epsilon %g: delta %g after %g", pa_kernel_name(kernel->kind),
					 pa_kernel_scale(kernel), (double) shift, epsilons[e], delta, before);
		before = delta;
	}
}

static void
extremes_are_sane(void **state)
{
	static const double scales[] = {0x1p-20, 1e-3, 1, 0x1p20, 1e9, 0x1p40 - 1};
	static const int64_t shifts[] = {0, 1, 1000, INT64_C(1) << 40, INT64_MAX};
	const PaKernel stairs[] = {
		staircase(17, 1, 0), staircase((UINT64_C(1) << 52) - 1, 1, PA_BAND_LIMIT - 1),
		staircase((UINT64_C(1) << 52) - 1, (INT64_C(1) << 48) - 1, (INT64_C(1) << 48) - 2)
	};
	size_t		i;
	size_t		j;
	int			kind;

	(void) state;
	for (i = 0; i < COUNT(scales); i++)
		for (j = 0; j < COUNT(shifts); j++)
			for (kind = 0; kind < 2; kind++)
			{
				PaKernel	kernel = plain(plain_kinds[kind], scales[i]);

				check_sane(&kernel, shifts[j]);
				kernel = recycler((PaKernelKind) (kind + PA_KERNEL_BRDP_LAPLACE), scales[i], 3, KEEP(-12));
				check_sane(&kernel, shifts[j]);
				kernel = recycler(kernel.kind, scales[i], PA_BAND_LIMIT - 1, 1);
				check_sane(&kernel, shifts[j]);
			}
	for (i = 0; i < COUNT(stairs); i++)
		for (j = 0; j < COUNT(shifts); j++)
			check_sane(&stairs[i], shifts[j]);
}

/* On a fine lattice the discrete profile is the continuous one. */
static void
large_scales_approach_the_continuum(void **state)
{
	double		scale = 0x1p20;
	PaKernel	laplace = plain(PA_KERNEL_LAPLACE, scale);
	PaKernel	gaussian = plain(PA_KERNEL_GAUSSIAN, scale);
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

/*
 * D_alpha(p || p shifted) / alpha from its definition, less the rounding of the
 * sum.  A Gaussian's terms are largest at (1 - alpha) shift.
 */
static long double
reference_ratio(const PaKernel *kernel, int64_t shift, long double alpha)
{
	int64_t		reach = (reference_is_gaussian(kernel) ? 4 : 1) * reference_reach(kernel) +
		(pa_kernel_recycles(kernel->kind) ? kernel->band : 0);
	long double sum = 0;
	int64_t		k;

	for (k = -reach; k <= reach + shift; k++)
		sum += expl(alpha * reference_log(kernel, k) - (alpha - 1) * reference_log(kernel, k - shift));
	return (logl(sum / reference_total(kernel)) - 1e-17L) / (alpha * (alpha - 1));
}

/*
 * rho is at least every D_alpha/alpha, and is approached by one.  The orders
 * tried here show that, unless a Gaussian's band ends beyond what they look at.
 */
static void
check_rho(const PaKernel *kernel, int64_t shift)
{
	double		rho = pa_kernel_rho(kernel, shift);
	double		epsilon = (double) shift / typical(kernel);
	long double best = 0;
	long double alpha;

	for (alpha = 1.0001L; alpha < 40; alpha = 1 + (alpha - 1) * 1.3L)
	{
		if (reference_is_gaussian(kernel) && alpha * epsilon > 40)
			break;
		best = fmaxl(best, reference_ratio(kernel, shift, alpha));
	}
	assert_at_most(best, rho * (1 + 1e-12L));
	if (alpha >= 40 && best > 1e-6L && !(reference_is_gaussian(kernel) && kernel->band > 30 * shift))
		assert_at_most(rho, best * 1.01L);
	if (kernel->kind == PA_KERNEL_GAUSSIAN)
		assert_close(rho, 0.5L * epsilon * epsilon, 1e-12);
	if (kernel->kind == PA_KERNEL_LAPLACE)
		assert_at_most(rho, fmin(epsilon, epsilon * epsilon / 2) * (1 + 1e-12));
}

static void
rho_is_the_supremum(void **state)
{
	static const int64_t shifts[] = {1, 2, 3, 10, 50};
	PaKernel	kernel;
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
		for (j = 0; j < COUNT(shifts); j++)
		{
			/* a shift takes the end of the table's support out of it */
			if (kernel.kind == PA_KERNEL_OPTIMAL)
				assert_true(isinf(pa_kernel_rho(&kernel, shifts[j])));
			else if (shifts[j] < 60 * typical(&kernel) && typical(&kernel) <= 100)
				check_rho(&kernel, shifts[j]);
		}
}

/* One step of shift of a Laplace or of stairs of one is randomised response: rho = epsilon tanh(epsilon/2). */
static void
rho_of_one_step(void **state)
{
	double		scale;

	(void) state;
	for (scale = 0.02; scale < 1e8; scale *= 3.7)
	{
		PaKernel	kernel = plain(PA_KERNEL_LAPLACE, scale);
		long double epsilon = 1 / reference_scale(&kernel);

		assert_close(pa_kernel_rho(&kernel, 1), epsilon * tanhl(epsilon / 2), 1e-6);
		kernel = staircase((uint64_t) (fmin(1 / scale, 200) * 0x1p44), 1, 3);
		epsilon = 1 / reference_scale(&kernel);
		assert_close(pa_kernel_rho(&kernel, 1), epsilon * tanhl(epsilon / 2), 1e-6);
	}
}

static void
texts_are_canonical(void **state)
{
	static const struct
	{
		const char *text;
		PaKernel	kernel;
	}			cases[] = {
		{"laplace 81/2^3", {PA_KERNEL_LAPLACE, 3, 81, 0, 0, 0, NULL}},
		{"laplace 81/2^3", {PA_KERNEL_LAPLACE, 5, 324, 0, 0, 0, NULL}},
		{"gaussian 12/2^0", {PA_KERNEL_GAUSSIAN, 0, 12, 0, 0, 0, NULL}},
		{"gaussian 12/2^0", {PA_KERNEL_GAUSSIAN, 1, 24, 7, 7, 7, NULL}},
		{"gaussian 1099511627775/2^0", {PA_KERNEL_GAUSSIAN, 0, (UINT64_C(1) << 40) - 1, 0, 0, 0, NULL}},
		{"brdp_laplace 81/2^3 band 10 keep 4611686018427387904", {PA_KERNEL_BRDP_LAPLACE, 3, 81, 10, KEEP(0), 0, NULL}},
		{"brdp_gaussian 1/2^20 band 4503599627370495 keep 1", {PA_KERNEL_BRDP_GAUSSIAN, 20, 1, PA_BAND_LIMIT - 1, 1, 0, NULL}},
		{"staircase 123/2^44 band 10 width 3", {PA_KERNEL_STAIRCASE, 44, 123, 10, 0, 3, NULL}},
		{"staircase 17592186044416/2^44 band 0 width 1", {PA_KERNEL_STAIRCASE, 44, E_ONE, 0, 0, 1, NULL}}
	};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(cases); i++)
	{
		char		text[PA_KERNEL_TEXT];
		PaKernel	parsed;

		assert_int_equal(pa_kernel_print(&cases[i].kernel, text), PA_OK);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(pa_kernel_parse(text, &parsed), PA_OK);
		assert_int_equal(pa_kernel_print(&parsed, text), PA_OK);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(parsed.kind, cases[i].kernel.kind);
		assert_true(pa_kernel_scale(&parsed) == pa_kernel_scale(&cases[i].kernel));
	}
}

static void
texts_come_back(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		char		text[PA_KERNEL_TEXT] = "untouched";
		PaKernel	parsed;

		if (kernel.kind == PA_KERNEL_OPTIMAL)
		{
			assert_int_equal(pa_kernel_print(&kernel, text), PA_INVALID);
			assert_string_equal(text, "untouched");
			continue;
		}
		assert_int_equal(pa_kernel_print(&kernel, text), PA_OK);
		assert_int_equal(pa_kernel_parse(text, &parsed), PA_OK);
		assert_int_equal(parsed.kind, kernel.kind);
		assert_int_equal(parsed.shift, kernel.shift);
		assert_int_equal(parsed.numerator, kernel.numerator);
		assert_int_equal(parsed.band, kernel.band);
		assert_int_equal(parsed.keep, kernel.keep);
		assert_int_equal(parsed.width, kernel.width);
		assert_null(parsed.table);
	}
}

static void
other_texts_are_refused(void **state)
{
	static const char *const bad[] = {
		"", " ", "laplace", "laplace ", "laplace 81", "laplace 81/2^", "laplace 81/2^3 ", " laplace 81/2^3",
		"laplace  81/2^3", "laplace 081/2^3", "laplace 81/2^03", "laplace +81/2^3", "laplace -81/2^3", "Laplace 81/2^3",
		"laplace 82/2^3", "laplace 0/2^0", "laplace 81/2^21", "laplace 1099511627776/2^0", "laplace 81/2^4294967299",
		"laplace 18446744073709551697/2^3", "laplace 81/2^3 band 10 keep 1", "laplace 81/2^3\n", "laplace\t81/2^3",
		"brdp_laplace 81/2^3", "brdp_laplace 81/2^3 band 10", "brdp_laplace 81/2^3 band 10 keep 0",
		"brdp_laplace 81/2^3 band -1 keep 1", "brdp_laplace 81/2^3 band 4503599627370496 keep 1",
		"brdp_laplace 81/2^3 band 10 keep 4611686018427387905", "brdp_laplace 81/2^3 band 10 keep 4611686018427387903",
		"brdp_laplace 81/2^3 band 10 keep 9223372036854775809", "brdp_laplace 81/2^3 keep 1 band 10",
		"brdp_gaussian 81/2^3 band 10 width 3", "brdp_gaussian 1000000/2^0 band 0 keep 1",
		"staircase 123/2^43 band 10 width 3", "staircase 123/2^44 band 10 width 0", "staircase 123/2^44 band 10 width 8",
		"staircase 123/2^44 band 10", "staircase 123/2^44 band 10 width 3 keep 1", "staircase 0123/2^44 band 10 width 3",
		"staircase 4503599627370496/2^44 band 10 width 3", "optimal", "optimal 1/2^0 band 3", "unknown 1/2^0"
	};
	PaKernel	untouched = {PA_KERNEL_OPTIMAL, 1, 2, 3, 4, 5, NULL};
	char		text[PA_KERNEL_TEXT] = "untouched";
	PaKernel	invalid = {PA_KERNEL_LAPLACE, 0, 0, 0, 0, 0, NULL};
	size_t		i;

	(void) state;
	for (i = 0; i < COUNT(bad); i++)
		if (pa_kernel_parse(bad[i], &untouched) != PA_INVALID)
			fail_msg("\"%s\" is taken for a kernel", bad[i]);
	assert_int_equal(untouched.kind, PA_KERNEL_OPTIMAL);
	assert_int_equal(untouched.keep, 4);
	assert_int_equal(pa_kernel_print(&invalid, text), PA_INVALID);
	assert_string_equal(text, "untouched");
}

/* Whatever one changed byte makes of a text, it is a kernel with that text or none. */
static void
spoilt_texts_are_safe(void **state)
{
	PaKernel	kernel;
	size_t		i;

	(void) state;
	for (i = 0; kernel_at(i, &kernel); i++)
	{
		char		text[PA_KERNEL_TEXT];
		char		again[PA_KERNEL_TEXT];
		size_t		at;
		int			byte;

		if (kernel.kind == PA_KERNEL_OPTIMAL)
			continue;
		assert_int_equal(pa_kernel_print(&kernel, text), PA_OK);
		for (at = 0; text[at] != '\0'; at++)
			for (byte = 0; byte < 256; byte++)
			{
				char		kept = text[at];
				PaKernel	parsed;

				text[at] = (char) byte;
				if (pa_kernel_parse(text, &parsed) == PA_OK)
				{
					assert_int_equal(pa_kernel_print(&parsed, again), PA_OK);
					assert_string_equal(text, again);
				}
				text[at] = kept;
			}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales_round_up),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(names_are_apart),
		cmocka_unit_test(rows_agree_with_laws),
		cmocka_unit_test(laws_have_any_numbers),
		cmocka_unit_test(scales_have_edges),
		cmocka_unit_test(recyclers_have_edges),
		cmocka_unit_test(staircases_have_edges),
		cmocka_unit_test(tables_have_edges),
		cmocka_unit_test(rounds_are_enough),
		cmocka_unit_test(pmf_is_the_law),
		cmocka_unit_test(tail_is_rounded_up),
		cmocka_unit_test(acceptance_is_rounded_down),
		cmocka_unit_test(recycling_is_rounded_down),
		cmocka_unit_test(scale_of_each_kind),
		cmocka_unit_test(error_is_the_least_bound),
		cmocka_unit_test(delta_is_the_sum),
		cmocka_unit_test(pure_delta_ends_at_its_loss),
		cmocka_unit_test(delta_grows_with_the_shift),
		cmocka_unit_test(extremes_are_sane),
		cmocka_unit_test(large_scales_approach_the_continuum),
		cmocka_unit_test(rho_is_the_supremum),
		cmocka_unit_test(rho_of_one_step),
		cmocka_unit_test(texts_are_canonical),
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(spoilt_texts_are_safe),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
