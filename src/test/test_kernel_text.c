/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_kernel_text.c
 *		Texts of kernels, as they stand in the ledger.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel_cases.h"

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
		cmocka_unit_test(texts_are_canonical),
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(spoilt_texts_are_safe),
	};

	return cmocka_run_group_tests_name("kernel text", tests, NULL, NULL);
}
