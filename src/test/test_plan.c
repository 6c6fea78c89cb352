/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_plan.c
 *		A plan's noise keeps the promise, and would not if it were weaker by 1 %.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/accounting/budget.h"
#include "core/accounting/plan.h"
#include "core/accounting/pld.h"
#include "source.h"
#include "unit.h"

static bool
at_once(void *context)
{
	(void) context;
	return true;
}

#define GAUSSIAN(releases, groups, weight) {PA_KERNEL_GAUSSIAN, releases, groups, -1, weight}
#define LAPLACE(releases, groups, weight) {PA_KERNEL_LAPLACE, releases, groups, -1, weight}
#define BANDED(kind, releases, groups, within, weight) {kind, releases, groups, within, weight}
#define COUNT(array) ((int) (sizeof(array) / sizeof((array)[0])))

/* Every kernel with a scale smaller by the factor, its form kept. */
static void
sharpen(PaPlannedNoise *noise, int n, double factor)
{
	int			i;

	for (i = 0; i < n; i++)
	{
		PaKernel   *kernel = &noise[i].kernel;

		if (kernel->kind == PA_KERNEL_STAIRCASE)
			kernel->numerator = (uint64_t) ((double) kernel->numerator / factor);
		else
		{
			PaKernelKind plain = kernel->kind == PA_KERNEL_GAUSSIAN || kernel->kind == PA_KERNEL_BRDP_GAUSSIAN ?
				PA_KERNEL_GAUSSIAN : PA_KERNEL_LAPLACE;
			PaKernel	made;

			assert_int_equal(pa_kernel_make(plain, pa_kernel_scale(kernel) * factor, &made), PA_OK);
			kernel->numerator = made.numerator;
			kernel->shift = made.shift;
		}
	}
}

static void
check_plan(const PaPlannedSlot *slots, int n, double epsilon, double delta)
{
	PaPlannedNoise noise[PA_PLAN_SLOTS];
	double		composed;
	int			i;

	assert_int_equal(pa_plan_fit(slots, n, epsilon, delta, &plain_memory, noise), PA_OK);
	assert_int_equal(pa_plan_epsilon(slots, noise, n, delta, &plain_memory, &composed), PA_OK);
	assert_at_most(composed, epsilon);
	for (i = 0; i < n; i++)
	{
		assert_true(pa_kernel_valid(&noise[i].kernel));
		assert_int_equal(noise[i].kernel.kind, slots[i].kind);
		assert_true(noise[i].rho > 0 && noise[i].epsilon > 0);
		assert_at_most(noise[i].epsilon, epsilon);
		assert_at_most(pa_kernel_delta(&noise[i].kernel, PA_PLAN_STEPS, noise[i].epsilon), delta);
		if (slots[i].within >= 0)
		{
			assert_int_equal(noise[i].band, (int64_t) floor(slots[i].within * PA_PLAN_STEPS));
			assert_true(noise[i].acceptance > 0 && noise[i].acceptance < 1);
		}
		else
			assert_true(noise[i].band == -1 && isnan(noise[i].acceptance));
	}
	sharpen(noise, n, 0.99);
	assert_int_equal(pa_plan_epsilon(slots, noise, n, delta, &plain_memory, &composed), PA_OK);
	assert_true(composed > epsilon);
}

static void
plans_keep_the_promise_tightly(void **state)
{
	const PaPlannedSlot gaussian[] = {GAUSSIAN(100, 1, 1)};
	const PaPlannedSlot laplace[] = {LAPLACE(50, 3, 1)};
	const PaPlannedSlot single[] = {LAPLACE(1, 1, 1)};
	const PaPlannedSlot mixed[] = {
		GAUSSIAN(20, 1, 1), LAPLACE(10, 2, 0.5), BANDED(PA_KERNEL_STAIRCASE, 5, 1, 0.5, 2),
		BANDED(PA_KERNEL_BRDP_LAPLACE, 4, 1, 0.3, 1), BANDED(PA_KERNEL_BRDP_GAUSSIAN, 6, 1, 0.4, 1)
	};

	(void) state;
	check_plan(gaussian, COUNT(gaussian), 2, 1e-6);
	check_plan(laplace, COUNT(laplace), 1, 1e-7);
	check_plan(single, COUNT(single), 0.5, 1e-9);
	check_plan(mixed, COUNT(mixed), 3, 1e-6);
}

static void
pure_plans_need_no_delta(void **state)
{
	const PaPlannedSlot pure[] = {LAPLACE(10, 1, 1), LAPLACE(5, 2, 2), BANDED(PA_KERNEL_STAIRCASE, 4, 1, 0.25, 1)};
	const PaPlannedSlot impure[] = {LAPLACE(10, 1, 1), GAUSSIAN(1, 1, 1)};
	PaPlannedNoise noise[3];
	double		unit;

	(void) state;
	check_plan(pure, COUNT(pure), 1, 0);
	assert_int_equal(pa_plan_fit(pure, 3, 1, 0, &plain_memory, noise), PA_OK);
	/* 10 + 5 x 2 x 2 + 4 = 34 parts */
	unit = PA_PLAN_STEPS / pa_kernel_scale(&noise[0].kernel);
	assert_close(unit, 1.0 / 34, 2e-5);
	assert_close(noise[0].epsilon, 1.0 / 34, 2e-5);
	assert_close(noise[1].epsilon, 4.0 / 34, 2e-5);
	assert_int_equal(pa_plan_fit(impure, 2, 1, 0, &plain_memory, noise), PA_NO_SOLUTION);
}

static void
weights_are_ratios(void **state)
{
	const PaPlannedSlot slots[] = {GAUSSIAN(10, 1, 1), GAUSSIAN(10, 1, 3), LAPLACE(10, 1, 1.5)};
	const PaPlannedSlot scaled[] = {GAUSSIAN(10, 1, 0.1), GAUSSIAN(10, 1, 0.3), LAPLACE(10, 1, 0.15)};
	PaPlannedNoise noise[3],
				same[3];
	int			i;

	(void) state;
	assert_int_equal(pa_plan_fit(slots, 3, 2, 1e-6, &plain_memory, noise), PA_OK);
	assert_int_equal(pa_plan_fit(scaled, 3, 2, 1e-6, &plain_memory, same), PA_OK);
	assert_close(pa_kernel_scale(&noise[0].kernel) / pa_kernel_scale(&noise[1].kernel), 3.0, 1e-5);
	assert_close(pa_kernel_scale(&noise[0].kernel) / pa_kernel_scale(&noise[2].kernel), 1.5, 1e-5);
	for (i = 0; i < 3; i++)
		assert_close(pa_kernel_scale(&noise[i].kernel), pa_kernel_scale(&same[i].kernel), 3e-5);
}

/* A sensitivity of any size has at most PA_PLAN_STEPS steps, and a smaller shift loses less. */
static void
smaller_shifts_lose_less(void **state)
{
	const PaPlannedSlot slots[] = {BANDED(PA_KERNEL_BRDP_GAUSSIAN, 10, 1, 0.2, 1), BANDED(PA_KERNEL_STAIRCASE, 10, 1, 0.6, 1)};
	PaPlannedNoise noise[2];
	int			i;
	int64_t		shift;

	(void) state;
	assert_int_equal(pa_plan_fit(slots, 2, 4, 1e-6, &plain_memory, noise), PA_OK);
	for (i = 0; i < 2; i++)
	{
		double		full = pa_kernel_delta(&noise[i].kernel, PA_PLAN_STEPS, 0.1);

		for (shift = 1; shift < PA_PLAN_STEPS; shift += 97)
			assert_at_most(pa_kernel_delta(&noise[i].kernel, shift, 0.1), full);
	}
}

static void
planning_beats_sums(void **state)
{
	const PaPlannedSlot slots[] = {LAPLACE(100, 1, 1)};
	PaPlannedNoise noise[1];

	(void) state;
	assert_int_equal(pa_plan_fit(slots, 1, 1, 1e-6, &plain_memory, noise), PA_OK);
	/* by sums of epsilon each of a hundred gets 1/100 */
	assert_true(PA_PLAN_STEPS / pa_kernel_scale(&noise[0].kernel) > 2.0 / 100);
}

static void
huge_and_small_promises(void **state)
{
	const PaPlannedSlot slots[] = {
		LAPLACE(10, 1, 1), GAUSSIAN(10, 1, 1), BANDED(PA_KERNEL_STAIRCASE, 10, 1, 0.5, 1),
		BANDED(PA_KERNEL_BRDP_LAPLACE, 10, 1, 0.5, 1), BANDED(PA_KERNEL_BRDP_GAUSSIAN, 10, 1, 0.5, 1)
	};
	PaPlannedNoise noise[5];
	double		composed;
	static const double epsilons[] = {1e6, 1e3, 20, 1e-2, 1e-4};
	int			i;
	int			j;

	(void) state;
	for (i = 0; i < COUNT(epsilons); i++)
	{
		assert_int_equal(pa_plan_fit(slots, 5, epsilons[i], 1e-6, &plain_memory, noise), PA_OK);
		assert_int_equal(pa_plan_epsilon(slots, noise, 5, 1e-6, &plain_memory, &composed), PA_OK);
		assert_at_most(composed, epsilons[i]);
		for (j = 0; j < 5; j++)
			assert_at_most(pa_kernel_delta(&noise[j].kernel, PA_PLAN_STEPS, noise[j].epsilon), 1e-6);
	}
}

/* Costs say nothing under a plan, so a filter that is asked about one says no. */
static void
filters_of_sums_admit_nothing(void **state)
{
	const PaAccount account = {.accountant = PA_ACCOUNTANT_PLAN, .cap = {1000, 1000, 1000}};
	const PaCost nothing = {0, 0, 0};
	const PaCost little = {1, 1, 1};
	PaCost		left = pa_account_left(&account);

	(void) state;
	assert_false(pa_filter_admits(&account, &nothing));
	assert_false(pa_filter_admits(&account, &little));
	assert_true(pa_account_releases_left(&account, &nothing) == 0);
	assert_true(left.epsilon == 0 && left.delta == 0 && left.rho == 0);
}

static void
bad_plans_are_refused(void **state)
{
	PaPlannedSlot slot = GAUSSIAN(1, 1, 1);
	PaPlannedNoise noise[1];
	PaEnvironment impatient = plain_memory;
	PaPlannedSlot many[PA_PLAN_SLOTS + 1];
	int			i;

#define REFUSED(change) \
	do { \
		PaPlannedSlot bad = slot; \
		bad.change; \
		assert_int_equal(pa_plan_fit(&bad, 1, 1, 1e-6, &plain_memory, noise), PA_INVALID); \
	} while (0)

	(void) state;
	REFUSED(kind = PA_KERNEL_OPTIMAL);
	REFUSED(kind = PA_KERNEL_STAIRCASE);
	REFUSED(kind = PA_KERNEL_BRDP_GAUSSIAN);
	REFUSED(releases = 0);
	REFUSED(releases = PA_PLAN_RELEASES + 1);
	REFUSED(groups = 0);
	REFUSED(groups = PA_PLAN_GROUPS + 1);
	REFUSED(weight = 0);
	REFUSED(weight = NAN);
	REFUSED(within = NAN);
	REFUSED(within = 1e9);
	for (i = 0; i <= PA_PLAN_SLOTS; i++)
		many[i] = slot;
	assert_int_equal(pa_plan_fit(many, PA_PLAN_SLOTS + 1, 1, 1e-6, &plain_memory, noise), PA_INVALID);
	assert_int_equal(pa_plan_fit(&slot, 0, 1, 1e-6, &plain_memory, noise), PA_INVALID);
	assert_int_equal(pa_plan_fit(&slot, 1, 0, 1e-6, &plain_memory, noise), PA_INVALID);
	assert_int_equal(pa_plan_fit(&slot, 1, NAN, 1e-6, &plain_memory, noise), PA_INVALID);
	assert_int_equal(pa_plan_fit(&slot, 1, 1, 1, &plain_memory, noise), PA_INVALID);
	assert_int_equal(pa_plan_fit(&slot, 1, 1, -1, &plain_memory, noise), PA_INVALID);
	impatient.interrupted = at_once;
	assert_int_equal(pa_plan_fit(&slot, 1, 1, 1e-6, &impatient, noise), PA_INTERRUPTED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_keep_the_promise_tightly),
		cmocka_unit_test(pure_plans_need_no_delta),
		cmocka_unit_test(weights_are_ratios),
		cmocka_unit_test(smaller_shifts_lose_less),
		cmocka_unit_test(planning_beats_sums),
		cmocka_unit_test(huge_and_small_promises),
		cmocka_unit_test(filters_of_sums_admit_nothing),
		cmocka_unit_test(bad_plans_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
