/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_calibrate_within.c
 *		Calibrations of every kind with an error bound, against their laws in full.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/zcdp.h"
#include "calibration.h"
#include "source.h"

/* ln of Pr[N = k] but for a constant, from the integers of a kernel */
static long double
brute_log(const PaKernel *kernel, int64_t k)
{
	int64_t		far = k < 0 ? -k : k;
	long double scale = ldexpl((long double) kernel->numerator, -(int) kernel->shift);
	long double keep = far > kernel->band ? logl(ldexpl((long double) kernel->keep, -PA_KEEP_BITS)) : 0;
	int64_t		floor_stairs;

	switch (kernel->kind)
	{
		case PA_KERNEL_LAPLACE:
			return -far / scale;
		case PA_KERNEL_GAUSSIAN:
			return -far * (long double) far / (2 * scale * scale);
		case PA_KERNEL_BRDP_LAPLACE:
			return keep - far / scale;
		case PA_KERNEL_BRDP_GAUSSIAN:
			return keep - far * (long double) far / (2 * scale * scale);
		case PA_KERNEL_STAIRCASE:
			/* from the centre's stair on, so that the largest is 0 */
			floor_stairs = kernel->band - far >= 0 ? (kernel->band - far) / kernel->width :
				-((far - kernel->band + kernel->width - 1) / kernel->width);
			return scale * (floor_stairs - kernel->band / kernel->width);
		case PA_KERNEL_OPTIMAL:
			return far <= kernel->table->last ? logl((long double) kernel->table->weight[far]) -
				logl((long double) kernel->table->weight[0]) : -INFINITY;
	}
	return NAN;
}

/* A law in full: logs of its masses on -wide..wide; what is beyond weighs below e^-depth. */
typedef struct Brute
{
	int64_t		wide;
	long double *log_mass;		/* of k + wide */
} Brute;

#define MOST_CELLS 60000

static bool
brute_make(const PaKernel *kernel, int64_t shift, long double depth, Brute *brute)
{
	int64_t		wide = 1;
	long double total = 0;
	int64_t		k;

	while (brute_log(kernel, wide) > -depth && wide <= MOST_CELLS)
		wide *= 2;
	wide += shift;
	if (wide > MOST_CELLS || shift > MOST_CELLS)
		return false;
	brute->wide = wide;
	brute->log_mass = malloc((size_t) (2 * wide + 1) * sizeof(long double));
	assert_non_null(brute->log_mass);
	for (k = -wide; k <= wide; k++)
	{
		brute->log_mass[k + wide] = brute_log(kernel, k);
		total += expl(brute->log_mass[k + wide]);
	}
	for (k = -wide; k <= wide; k++)
		brute->log_mass[k + wide] -= logl(total);
	return true;
}

static long double
brute_at(const Brute *brute, int64_t k)
{
	return k < -brute->wide || k > brute->wide ? -INFINITY : brute->log_mass[k + brute->wide];
}

/* p(k) without a partner at k - shift counts in full, unless it is so only because the sum ends there */
static long double
profile_of(const Brute *brute, int64_t shift, long double epsilon)
{
	long double sum = 0;
	int64_t		k;

	for (k = -brute->wide + shift; k <= brute->wide; k++)
	{
		long double p = brute_at(brute, k);
		long double loss = p - brute_at(brute, k - shift);

		if (p > -INFINITY && loss > epsilon)
			sum += expl(p) * -expm1l(epsilon - loss);
	}
	return sum;
}

static long double
most_loss_of(const Brute *brute, int64_t shift)
{
	long double most = 0;
	int64_t		k;

	for (k = -brute->wide + shift; k <= brute->wide; k++)
		if (brute_at(brute, k) > -INFINITY)
			most = fmaxl(most, brute_at(brute, k) - brute_at(brute, k - shift));
	return most;
}

static long double
renyi_of(const Brute *brute, int64_t shift, long double order)
{
	long double most = -INFINITY;
	long double sum = 0;
	int64_t		k;

	for (k = -brute->wide + shift; k <= brute->wide; k++)
		most = fmaxl(most, order * brute_at(brute, k) + (1 - order) * brute_at(brute, k - shift));
	for (k = -brute->wide + shift; k <= brute->wide; k++)
		sum += expl(order * brute_at(brute, k) + (1 - order) * brute_at(brute, k - shift) - most);
	return (most + logl(sum)) / (order - 1);
}

static long double
acceptance_of(const Brute *brute, int64_t band)
{
	long double sum = 0;
	int64_t		k;

	for (k = -(band < brute->wide ? band : brute->wide); k <= band && k <= brute->wide; k++)
		sum += expl(brute_at(brute, k));
	return sum;
}

/* rho of one coordinate, from below: some orders; 1e-14 is for the error of these sums */
static void
check_rho(const Brute *brute, int64_t shift, long double rho)
{
	static const long double orders[] = {1.01L, 1.3L, 2, 4, 16, 64};
	size_t		i;

	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		assert_at_most(renyi_of(brute, shift, orders[i]) / orders[i], rho * (1 + 1e-12L) + 1e-14L);
}

/* The goal is met, by sums over the law; true if they could be done. */
static bool
check_goal(const PaRequest *request, const PaCalibration *got)
{
	long double groups = request->sensitivity.groups;
	Brute		brute;

	if (!brute_make(&got->kernel, got->shift, 60 - logl(request->delta > 0 ? request->delta : 1e-9), &brute))
		return false;
	if (request->rho > 0)
		check_rho(&brute, got->shift, request->rho / groups);
	else if (request->kind == PA_KERNEL_OPTIMAL)
		assert_at_most(profile_of(&brute, got->shift, request->epsilon / groups) * groups, request->delta);
	else if (is_pure(request->kind))
		assert_at_most(most_loss_of(&brute, got->shift) * groups, request->epsilon * (1 + 1e-15L));
	else if (groups == 1)
		assert_at_most(profile_of(&brute, got->shift, request->epsilon), request->delta * (1 - 1e-15L));
	else
	{
		check_rho(&brute, got->shift, got->rho / groups);
		assert_at_most(pa_zcdp_delta(got->rho, request->epsilon), request->delta);
	}
	if (request->within >= 0)
	{
		assert_at_most(got->acceptance, acceptance_of(&brute, got->band) * (1 + 1e-15L));
		assert_at_most(acceptance_of(&brute, got->band) * (1 - 1e-9L), got->acceptance);
	}
	free(brute.log_mass);
	return true;
}

/* One of some special values, or anything in between. */
static double
odd_number(PaRandom *random, const double *special, int count, double low, double high)
{
	if (pa_random_below(random, 4) == 0)
		return special[pa_random_below(random, (uint64_t) count)];
	return exp(uniform(random, log(low), log(high)));
}

static PaRequest
odd_request(PaRandom *random)
{
	static const double epsilons[] = {1e-9, 1e6, 1, 0.1, 0, NAN, INFINITY, -1, 1e-300};
	static const double deltas[] = {0, 1e-300, 5e-324, 1e-3, 0.5, 0.999, 1, NAN, -0.1};
	static const double bounds[] = {-1, 0, 0.5, 1, 1e300, INFINITY, NAN, 511, 1e15};
	static const double rhos[] = {1e-300, 1e300, 1e-6, 0.5, NAN, -1, INFINITY};
	PaRequest	request = {
		.kind = (PaKernelKind) pa_random_below(random, PA_KERNEL_KINDS),
		.sensitivity = {1, 1},
		.epsilon = odd_number(random, epsilons, 9, 1e-9, 1e6),
		.delta = odd_number(random, deltas, 9, 1e-300, 1),
		.within = odd_number(random, bounds, 9, 1e-3, 1e6)
	};

	request.sensitivity.per_group += pa_random_below128(random, (PaUint128) 1 << pa_random_below(random, 100));
	if (pa_random_bit(random))
		request.sensitivity.groups += (uint32_t) exp(uniform(random, 0, log(1e6)));
	if (pa_random_bit(random))
		request.within *= (double) request.sensitivity.per_group;
	if (pa_random_below(random, 3) == 0)
		request.rho = odd_number(random, rhos, 7, 1e-12, 1e6);
	return request;
}

/* Refused, impossible, or a valid kernel that meets the goal. */
static void
any_request_has_an_answer(void **state)
{
	long		rounds = draws_wanted() / 500;
	uint64_t	seed = 21;
	PaRandom	random;
	long		summed = 0;
	long		i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < rounds; i++)
	{
		PaRequest	request = odd_request(&random);
		PaCalibration got;
		PaStatus	status = pa_calibrate(&request, &plain_memory, &got);

		assert_true(status == PA_OK || status == PA_INVALID || status == PA_NO_SOLUTION);
		if (status != PA_OK)
			continue;
		check_frame(&request, &got);
		summed += check_goal(&request, &got);
		pa_calibration_free(&got, &plain_memory);
	}
	assert_at_most(rounds / 100.0, summed);
}

static PaRequest
ordinary_request(PaRandom *random, PaKernelKind kind)
{
	PaRequest	request = {
		.kind = kind,
		.sensitivity = {1 + pa_random_below(random, 40), 1 + (pa_random_below(random, 4) == 0) * 2},
		.epsilon = exp(uniform(random, log(0.1), log(20))),
		.delta = exp(uniform(random, log(1e-9), log(0.05)))
	};

	request.within = (double) pa_random_below(random, 1 + 2 * (uint64_t) request.sensitivity.per_group);
	if (kind == PA_KERNEL_OPTIMAL)
		request.delta = exp(uniform(random, log(4e-3), log(0.1)));
	else if (pa_random_below(random, 4) == 0)
		request.rho = exp(uniform(random, log(1e-3), log(5)));
	return request;
}

static void
every_kind_meets_its_goal(void **state)
{
	uint64_t	seed = 22;
	PaRandom	random;
	int			solved[PA_KERNEL_KINDS] = {0};
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 240; i++)
	{
		PaRequest	request = ordinary_request(&random, (PaKernelKind) (i % PA_KERNEL_KINDS));
		PaCalibration got;
		PaStatus	status = pa_calibrate(&request, &plain_memory, &got);

		if (request.kind != PA_KERNEL_OPTIMAL)
			assert_int_equal(status, PA_OK);
		if (status != PA_OK)
			continue;
		check_frame(&request, &got);
		solved[request.kind] += check_goal(&request, &got);
		pa_calibration_free(&got, &plain_memory);
	}
	for (i = 0; i < PA_KERNEL_KINDS; i++)
		assert_at_most(5, solved[i]);
}

/* The best kind is as good as each; recycling is never worse than its base. */
static void
best_is_best(void **state)
{
	uint64_t	seed = 23;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 40; i++)
	{
		PaRequest	request = ordinary_request(&random, PA_KERNEL_LAPLACE);
		double		acceptance[PA_KERNEL_KINDS];
		PaCalibration best;
		int			kind;

		assert_int_equal(pa_calibrate_best(&request, PA_KERNEL_ALL, &plain_memory, &best), PA_OK);
		for (kind = 0; kind < PA_KERNEL_KINDS; kind++)
		{
			PaCalibration got = {.acceptance = -1};

			request.kind = (PaKernelKind) kind;
			if (pa_calibrate(&request, &plain_memory, &got) == PA_OK)
				pa_calibration_free(&got, &plain_memory);
			acceptance[kind] = got.acceptance;
			assert_at_most(got.acceptance, best.acceptance);
		}
		assert_true(best.acceptance == acceptance[best.kernel.kind]);
		assert_at_most(acceptance[PA_KERNEL_LAPLACE], acceptance[PA_KERNEL_BRDP_LAPLACE]);
		assert_at_most(acceptance[PA_KERNEL_GAUSSIAN], acceptance[PA_KERNEL_BRDP_GAUSSIAN]);
		pa_calibration_free(&best, &plain_memory);
	}
}

/* More to spend never leaves less within the error bound. */
static void
acceptance_grows_with_the_goal(void **state)
{
	uint64_t	seed = 24;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 100; i++)
	{
		PaRequest	request = ordinary_request(&random, (PaKernelKind) (i % PA_KERNEL_OPTIMAL));
		PaCalibration less;
		PaCalibration more;
		double		factor = uniform(&random, 1, 1.5);

		assert_int_equal(pa_calibrate(&request, NULL, &less), PA_OK);
		request.epsilon *= factor;
		request.rho *= factor;
		assert_int_equal(pa_calibrate(&request, NULL, &more), PA_OK);
		assert_at_most(less.acceptance * (1 - 1e-4), more.acceptance);
	}
}

/* Known: a staircase is a Laplace's better where the bound is below the sensitivity. */
static void
the_staircase_is_the_limit_of_pure_noise(void **state)
{
	PaRequest	request = {.sensitivity = {5000, 1}, .epsilon = 3, .delta = 1e-5, .within = 1000};
	static const double want[] = {0.451, 0.114, 0.622, 0.644, 0.792};
	int			kind;

	(void) state;
	for (kind = 0; kind < 5; kind++)
	{
		PaCalibration got;

		request.kind = (PaKernelKind) kind;
		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		assert_close(got.acceptance, want[kind], 0.005);
	}
}

/* The bound lies deep inside of a wide plateau, which a large epsilon would propose in vain. */
static void
staircase_of_little_patience(void **state)
{
	static const double bounds[] = {0, 10, 100, 1e6 + 10, 5e6 + 3};
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
	{
		PaRequest	request = {
			.kind = PA_KERNEL_STAIRCASE, .sensitivity = {1000000, 1}, .epsilon = 30, .within = bounds[i]
		};
		PaCalibration stairs;
		PaCalibration laplace;

		assert_int_equal(pa_calibrate(&request, NULL, &stairs), PA_OK);
		assert_true(pa_kernel_valid(&stairs.kernel));
		request.kind = PA_KERNEL_LAPLACE;
		assert_int_equal(pa_calibrate(&request, NULL, &laplace), PA_OK);
		assert_at_most(laplace.acceptance, stairs.acceptance);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_meets_its_goal),
		cmocka_unit_test(any_request_has_an_answer),
		cmocka_unit_test(best_is_best),
		cmocka_unit_test(acceptance_grows_with_the_goal),
		cmocka_unit_test(the_staircase_is_the_limit_of_pure_noise),
		cmocka_unit_test(staircase_of_little_patience),
	};

	return cmocka_run_group_tests_name("calibrate within", tests, NULL, NULL);
}
