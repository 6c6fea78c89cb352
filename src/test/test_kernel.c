/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_kernel.c
 *		Parameters of kernels: which are valid, and what rows of kinds say of them.
 */
#include <math.h>
#include <string.h>

#include "kernel_cases.h"

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
		cmocka_unit_test(scale_of_each_kind),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
