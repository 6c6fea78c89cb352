/*
 * test_calibrate.c
 *		The promise of a calibration holds, and little more noise than that is added.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/accounting/budget.h"
#include "core/accounting/calibrate.h"
#include "core/accounting/zcdp.h"
#include "core/noise/continuous.h"
#include "source.h"
#include "unit.h"

/* Pr[N >= k] of the discrete Gaussian, summed from its definition */
static long double
brute_tail(long double sigma, long k)
{
	long double all = 1;
	long double sum = 0;
	long		wide = (long) (20 * sigma) + 20;
	long		j;

	for (j = wide; j >= 1; j--)
		all += 2 * expl(-j * (long double) j / (2 * sigma * sigma));
	for (j = wide + (k > 0 ? k : 0); j >= k; j--)
		sum += expl(-j * (long double) j / (2 * sigma * sigma));
	return sum / all;
}

static long double
brute_delta(long double sigma, long shift, long double epsilon)
{
	long double all = 1;
	long double sum = 0;
	long		wide = (long) (20 * sigma) + 20;
	long		k;

	for (k = wide; k >= 1; k--)
		all += 2 * expl(-k * (long double) k / (2 * sigma * sigma));
	for (k = -wide; k <= wide + shift; k++)
	{
		long double loss = shift * (long double) (shift - 2 * k) / (2 * sigma * sigma);

		if (loss > epsilon)
			sum += -expm1l(epsilon - loss) * expl(-k * (long double) k / (2 * sigma * sigma));
	}
	return sum / all;
}

#define ALL_KINDS PA_KERNEL_ALL

static PaRequest
plain_request(PaKernelKind kind, const PaSensitivity *sensitivity, double epsilon, double delta)
{
	PaRequest	request = {
		.kind = kind, .sensitivity = *sensitivity, .epsilon = epsilon, .delta = delta, .within = -1
	};

	return request;
}

static PaStatus
calibrate(PaKernelKind kind, const PaSensitivity *sensitivity, double epsilon, double delta, PaCalibration *got)
{
	PaRequest	request = plain_request(kind, sensitivity, epsilon, delta);

	return pa_calibrate(&request, NULL, got);
}

static bool
is_gaussian(PaKernelKind kind)
{
	return kind == PA_KERNEL_GAUSSIAN || kind == PA_KERNEL_BRDP_GAUSSIAN;
}

static bool
is_pure(PaKernelKind kind)
{
	return kind != PA_KERNEL_OPTIMAL && !is_gaussian(kind);
}

/* What must hold of every result, in terms of the request alone */
static void
check_frame(const PaRequest *request, const PaCalibration *got)
{
	PaInt128	divisor = got->lattice.divisor;
	PaInt128	covered = (PaInt128) got->shift * divisor;
	double		rho = pa_kernel_rho(&got->kernel, got->shift) * request->sensitivity.groups;

	assert_true(got->kernel.kind == request->kind && pa_kernel_valid(&got->kernel));
	assert_true(request->kind >= PA_KERNEL_STAIRCASE || got->kernel.shift == 0 || got->kernel.numerator % 2 == 1);
	assert_true(got->lattice.multiple == 1 && (divisor & (divisor - 1)) == 0);
	assert_true(covered >= request->sensitivity.per_group);
	assert_true(covered - divisor < request->sensitivity.per_group);
	assert_true(got->epsilon == request->epsilon || isnan(request->epsilon));
	assert_true(got->delta == (is_pure(request->kind) ? 0 : request->delta) || isnan(request->delta));
	assert_true(got->rho == rho || fabs(got->rho - rho) <= 1e-12 * rho);
	if (request->rho > 0)
		assert_at_most(got->rho, request->rho);
	if (request->within < 0)
		assert_true(got->band == -1 && isnan(got->acceptance));
	else
	{
		assert_true(got->acceptance >= 0 && got->acceptance <= 1);
		assert_true(got->band >= 0 && (long double) got->band * (long double) divisor <= request->within);
	}
}

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

static PaSensitivity
random_sensitivity(PaRandom *random)
{
	PaSensitivity sensitivity = {1, 1};
	uint64_t	size = pa_random_below(random, 70);

	sensitivity.per_group += pa_random_below128(random, (PaUint128) 1 << size);
	if (pa_random_bit(random))
		sensitivity.groups += pa_random_below(random, 50);
	return sensitivity;
}

/* epsilon n >= L0 D 2^s with epsilon as an amount, in integers that are wide enough */
static int
laplace_promise(const PaCalibration *got, uint32_t groups, double epsilon, uint64_t numerator)
{
	PaAmount	exact;
	PaUint128	high;
	PaUint128	low;
	PaUint128	need;
	PaUint128	need_low;
	PaUint128	loss = ((PaUint128) groups * (uint64_t) got->shift) << got->kernel.shift;
	PaUint128	unit = 1;
	int			i;

	assert_int_equal(pa_amount_from_double_down(epsilon, &exact), PA_OK);
	for (i = 0; i < PA_AMOUNT_DIGITS; i++)
		unit *= 10;
	/* both products as high * 2^64 + low; each half product fits: n < 2^40, loss < 2^64 here */
	assert_true(loss >> 64 == 0);
	low = (PaUint128) (uint64_t) exact * numerator;
	high = ((PaUint128) exact >> 64) * numerator + (low >> 64);
	need_low = (PaUint128) (uint64_t) unit * (uint64_t) loss;
	need = (unit >> 64) * (uint64_t) loss + (need_low >> 64);
	return high > need || (high == need && (uint64_t) low >= (uint64_t) need_low);
}

static void
laplace_keeps_its_promise(void **state)
{
	uint64_t	seed = 5;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaSensitivity sensitivity = random_sensitivity(&random);
		double		epsilon = exp(uniform(&random, log(1e-6), log(1e3)));
		PaCalibration got;
		PaRequest	request = plain_request(PA_KERNEL_LAPLACE, &sensitivity, epsilon, 0);

		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
		assert_true(got.epsilon == epsilon && got.delta == 0);
		assert_true(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator));
		/* least on its grid: one part in a million less would break the promise */
		if (got.kernel.numerator > 1 << 19)
			assert_false(laplace_promise(&got, sensitivity.groups, epsilon, got.kernel.numerator - 1));
		/* and the lattice costs little, seen from the fine one */
		assert_at_most(pa_kernel_scale(&got.kernel) * pa_lattice_step(&got.lattice),
					   sensitivity.groups * (double) sensitivity.per_group / epsilon *
					   (1 + 1.0 / PA_COARSE_STEPS + 1e-5) +
					   pa_lattice_step(&got.lattice) * 0x1p-20);
	}
}

/* A pure promise charges exactly what was asked: no scale is rounded up for nothing. */
static void
decimal_epsilon_gives_the_exact_scale(void **state)
{
	static const struct
	{
		double		epsilon;
		uint64_t	scale;
	}			cases[] = {{0.1, 10}, {0.2, 5}, {0.01, 100}, {0.001, 1000}, {1, 1}, {1e-9, 1000000000}};
	PaSensitivity one = {1, 1};
	PaCalibration got;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		assert_int_equal(calibrate(PA_KERNEL_LAPLACE, &one, cases[i].epsilon, 0, &got), PA_OK);
		assert_int_equal(got.kernel.shift, 0);
		assert_int_equal(got.kernel.numerator, cases[i].scale);
	}
}

static void
gaussian_keeps_its_promise(void **state)
{
	uint64_t	seed = 6;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 150; i++)
	{
		PaSensitivity sensitivity = {1 + pa_random_below(&random, i % 2 ? 5 : 100000), 1};
		double		epsilon = exp(uniform(&random, log(0.05), log(20)));
		double		delta = exp(uniform(&random, log(1e-12), log(0.05)));
		PaRequest	request;
		PaCalibration got;
		PaKernel	less;
		long double exact;

		request = plain_request(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta);
		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
		assert_true(got.epsilon == epsilon && got.delta == delta);
		exact = brute_delta(pa_kernel_scale(&got.kernel), got.shift, epsilon);
		assert_at_most(exact, delta * (1 - 1e-15L));
		assert_int_equal(pa_kernel_make(PA_KERNEL_GAUSSIAN,
										pa_kernel_scale(&got.kernel) * (1 - 1e-5) - 0x1p-19, &less), PA_OK);
		assert_at_most(delta, brute_delta(pa_kernel_scale(&less), got.shift, epsilon));
	}
}

static void
gaussian_of_many_groups(void **state)
{
	uint64_t	seed = 9;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 2000; i++)
	{
		PaSensitivity sensitivity = random_sensitivity(&random);
		double		epsilon = exp(uniform(&random, log(1e-3), log(50)));
		double		delta = exp(uniform(&random, log(1e-12), log(0.05)));
		PaRequest	request;
		PaCalibration got;

		sensitivity.groups++;
		request = plain_request(PA_KERNEL_GAUSSIAN, &sensitivity, epsilon, delta);
		assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
		check_frame(&request, &got);
		assert_at_most(pa_zcdp_delta(got.rho, epsilon), delta);
		if (pa_kernel_scale(&got.kernel) > 1)
			assert_at_most(delta, pa_zcdp_delta(got.rho * (1 + 1e-5), epsilon));
	}
}

/* A budget in zCDP is filled by calibrated releases without ever passing it. */
static void
rho_is_what_the_profile_says(void **state)
{
	PaSensitivity one = {1, 1};
	PaCalibration got;

	(void) state;
	assert_int_equal(calibrate(PA_KERNEL_GAUSSIAN, &one, 1, 1e-6, &got), PA_OK);
	/* the exact profile needs less noise than the detour through zCDP */
	assert_at_most(1e-6, pa_zcdp_delta(got.rho, 1));
	assert_at_most(pa_zcdp_epsilon(got.rho, 1e-6), 1.15);
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

		assert_int_equal(pa_calibrate_best(&request, ALL_KINDS, &plain_memory, &best), PA_OK);
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

static void
no_setting_fails(void **state)
{
	static const double epsilons[] = {1e-9, 1e-3, 1, 1e3, 1e6};
	static const double deltas[] = {1e-300, 1e-9, 0.5, 0.999};
	size_t		e;
	size_t		d;
	int			bits;
	int			groups;
	int			kind;

	(void) state;
	for (e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++)
		for (d = 0; d < sizeof(deltas) / sizeof(deltas[0]); d++)
			for (bits = 0; bits < 100; bits += 33)
				for (groups = 1; groups <= 1000; groups *= 1000)
					for (kind = 0; kind < PA_KERNEL_OPTIMAL; kind++)
					{
						PaRequest	request = {
							.kind = (PaKernelKind) kind, .sensitivity = {((PaInt128) 1 << bits) | 1, groups},
							.epsilon = epsilons[e], .delta = deltas[d], .within = ldexp(0.7, bits)
						};
						PaCalibration got;
						PaStatus	status = pa_calibrate(&request, NULL, &got);

						if (status == PA_OK)
							check_frame(&request, &got);
						else
						{
							assert_int_equal(status, PA_NO_SOLUTION);
							assert_true(groups / epsilons[e] > 1e9);
						}
					}
}

static PaStatus
answer(PaKernelKind kind, PaSensitivity sensitivity, double epsilon, double delta, double rho, double within)
{
	PaRequest	request = {
		.kind = kind, .sensitivity = sensitivity, .epsilon = epsilon, .delta = delta, .rho = rho, .within = within
	};
	PaCalibration got = {.shift = 99};
	PaStatus	status = pa_calibrate(&request, &plain_memory, &got);

	if (status == PA_OK)
		pa_calibration_free(&got, &plain_memory);
	else
		assert_int_equal(got.shift, 99);
	return status;
}

static void
bad_requests_are_refused(void **state)
{
	PaSensitivity one = {1, 1};
	PaSensitivity none = {0, 1};
	PaSensitivity huge = {(PaInt128) 1 << 100, 1};
	PaSensitivity nowhere = {1, 0};
	PaSensitivity wide = {1, 100};
	PaRequest	request = plain_request(PA_KERNEL_OPTIMAL, &one, 1, 0.01);
	PaCalibration got;

	(void) state;
	assert_int_equal(answer(PA_KERNEL_LAPLACE, none, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, huge, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, nowhere, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 0, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, -1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, NAN, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1.1e6, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, -0.1, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, NAN, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, -1, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, INFINITY, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, NAN, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_LAPLACE, one, 1, 0, 0, NAN), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_GAUSSIAN, one, 1, 1, 0, -1), PA_INVALID);
	assert_int_equal(answer((PaKernelKind) PA_KERNEL_KINDS, one, 1, 0.1, 0, 1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_GAUSSIAN, one, 1, 0, 0, -1), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_BRDP_GAUSSIAN, one, 1, 0, 0, 1), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_BRDP_GAUSSIAN, one, 1, 0.1, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_BRDP_LAPLACE, one, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_STAIRCASE, one, 1, 0, 0, -1), PA_INVALID);
	assert_int_equal(answer(PA_KERNEL_STAIRCASE, one, 1, 0, 0, 0), PA_OK);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 1e-3, 0, 5), PA_OK);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 0.9e-3, 0, 5), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, wide, 1, 0.01, 0, 5), PA_NO_SOLUTION);
	assert_int_equal(answer(PA_KERNEL_OPTIMAL, one, 1, 0.01, 0.1, 5), PA_NO_SOLUTION);
	request.within = 3;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_INVALID);
}

/* Monotone, commutes with whole steps, and moves by at most the shift. */
static void
lattices_round(void **state)
{
	uint64_t	seed = 10;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaInt128	d = 1 + (PaInt128) pa_random_below(&random, i % 2 ? 10 : 1 << 20);
		PaInt128	m = 1 + (PaInt128) pa_random_below(&random, 50);
		PaLattice	lattice = {d, (uint64_t) m};
		PaInt128	total = (PaInt128) pa_random_below(&random, 1 << 24) - (1 << 23);
		PaInt128	change = (PaInt128) pa_random_below(&random, 1 << 22);
		PaInt128	at = pa_lattice_round(&lattice, total);
		PaInt128	moved = pa_lattice_round(&lattice, total + change) - at;

		assert_true(2 * (at * d - total * m) <= d && 2 * (total * m - at * d) < d);
		assert_true(pa_lattice_round(&lattice, total + 7 * d) == at + 7 * m);
		assert_true(moved >= 0 && moved <= pa_lattice_shift(&lattice, change));
		assert_true(pa_lattice_shift(&lattice, change) * d >= change * m);
		assert_true((pa_lattice_shift(&lattice, change) - 1) * d < change * m);
		assert_close(pa_lattice_step(&lattice), (long double) d / (long double) m, 1e-15);
	}
}

static void
lattices_fit(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random;
	PaLattice	lattice;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		PaInt128	per_group = 1 + pa_random_below128(&random, (PaUint128) 1 << pa_random_below(&random, 100));
		int64_t		steps = 1 + (int64_t) pa_random_below(&random, UINT64_C(1) << pa_random_below(&random, 27));
		PaInt128	shift;

		steps = steps < PA_FIT_STEPS ? steps : PA_FIT_STEPS;
		assert_int_equal(pa_lattice_fit(per_group, steps, &lattice), PA_OK);
		shift = pa_lattice_shift(&lattice, per_group);
		assert_true(shift <= steps && shift >= steps - steps / 500 - (steps > 1 ? 1 : 0));
		assert_true(lattice.divisor >= 1 && lattice.multiple >= 1);
		assert_true((PaInt128) lattice.multiple <= 512 * steps / per_group + 1);
	}
	assert_int_equal(pa_lattice_fit(1, 700, &lattice), PA_OK);
	assert_true(lattice.divisor == 1 && lattice.multiple == 700);
	assert_int_equal(pa_lattice_fit(0, 7, &lattice), PA_INVALID);
	assert_int_equal(pa_lattice_fit(7, 0, &lattice), PA_INVALID);
	assert_int_equal(pa_lattice_fit(7, PA_FIT_STEPS + 1, &lattice), PA_INVALID);
}

/* Coarser only as far as scale, sensitivity and bound still have their steps. */
static void
lattices_are_coarse_where_they_can(void **state)
{
	PaRequest	request = {
		.kind = PA_KERNEL_GAUSSIAN, .sensitivity = {1 << 20, 1}, .epsilon = 1, .delta = 1e-6, .within = -1
	};
	PaCalibration got;

	(void) state;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.shift == 512);
	request.within = 4096;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 8 && got.band == 512);
	request.within = 511.5;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 1 && got.band == 511);
	request.sensitivity.per_group = 100;
	assert_int_equal(pa_calibrate(&request, NULL, &got), PA_OK);
	assert_true(got.lattice.divisor == 1 && got.shift == 100);
}

static void
threshold_is_the_least(void **state)
{
	static const double deltas[] = {1e-300, 1e-12, 1e-7, 1e-3, 0.3};
	static const double epsilons[] = {0.01, 0.3, 1, 5, 50};
	uint32_t	groups;
	size_t		e;
	size_t		d;

	(void) state;
	for (e = 0; e < 5; e++)
		for (d = 0; d < 5; d++)
			for (groups = 1; groups <= 100; groups *= 10)
			{
				PaSensitivity owners = {1, groups};
				PaCalibration got;
				long double r;
				int64_t		tau;
				long double b;

				assert_int_equal(calibrate(PA_KERNEL_LAPLACE, &owners, epsilons[e], 0, &got), PA_OK);
				assert_true(got.lattice.divisor == 1);
				assert_int_equal(pa_selection_threshold(&got.kernel, groups, deltas[d], &tau), PA_OK);
				assert_true(tau >= 1);
				b = pa_kernel_scale(&got.kernel);
				r = expl(-1 / b);
				if (tau > 1)
					assert_at_most(groups * expl(-(tau - 1) / b) / (1 + r), (long double) deltas[d]);
				if (tau > 2)
					assert_at_most((long double) deltas[d], groups * expl(-(tau - 2) / b) / (1 + r) * (1 + 1e-9L));
			}
}

static void
threshold_of_gaussian(void **state)
{
	PaSensitivity owners = {1, 3};
	PaCalibration got;
	int64_t		tau;
	long double sigma;

	(void) state;
	assert_int_equal(calibrate(PA_KERNEL_GAUSSIAN, &owners, 1, 1e-6, &got), PA_OK);
	assert_int_equal(pa_selection_threshold(&got.kernel, 3, 1e-7, &tau), PA_OK);
	sigma = pa_kernel_scale(&got.kernel);
	assert_at_most(3 * brute_tail(sigma, (long) tau - 1), 1e-7L);
	assert_at_most(1e-7L, 3 * brute_tail(sigma, (long) tau - 2));
	assert_int_equal(pa_selection_threshold(&got.kernel, 0, 1e-7, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 0, &tau), PA_INVALID);
	assert_int_equal(pa_selection_threshold(&got.kernel, 1, 1, &tau), PA_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(laplace_keeps_its_promise),
		cmocka_unit_test(decimal_epsilon_gives_the_exact_scale),
		cmocka_unit_test(gaussian_keeps_its_promise),
		cmocka_unit_test(gaussian_of_many_groups),
		cmocka_unit_test(rho_is_what_the_profile_says),
		cmocka_unit_test(every_kind_meets_its_goal),
		cmocka_unit_test(any_request_has_an_answer),
		cmocka_unit_test(best_is_best),
		cmocka_unit_test(acceptance_grows_with_the_goal),
		cmocka_unit_test(the_staircase_is_the_limit_of_pure_noise),
		cmocka_unit_test(staircase_of_little_patience),
		cmocka_unit_test(no_setting_fails),
		cmocka_unit_test(bad_requests_are_refused),
		cmocka_unit_test(lattices_round),
		cmocka_unit_test(lattices_fit),
		cmocka_unit_test(lattices_are_coarse_where_they_can),
		cmocka_unit_test(threshold_is_the_least),
		cmocka_unit_test(threshold_of_gaussian),
	};

	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
