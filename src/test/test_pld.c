/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_pld.c
 *		Tight composition against exact sums, closed forms and published figures.
 *
 * The exact sums run over all outcomes of all releases, in long double, from the
 * definitions alone.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/pld.h"
#include "core/accounting/pld_pool.h"
#include "core/noise/continuous.h"
#include "core/optimize/fft.h"
#include "source.h"
#include "unit.h"

/* Counts blocks; fails at the one with the given number, interrupts at the given call. */
typedef struct Host
{
	long		blocks;
	long		asked;
	long		fail_at;
	long		polled;
	long		interrupt_at;
} Host;

static void *
host_allocate(void *context, size_t size)
{
	Host	   *host = context;

	if (++host->asked == host->fail_at)
		return NULL;
	host->blocks++;
	return malloc(size);
}

static void
host_release(void *context, void *memory)
{
	Host	   *host = context;

	host->blocks--;
	free(memory);
}

static bool
host_interrupted(void *context)
{
	Host	   *host = context;

	return ++host->polled == host->interrupt_at;
}

/* A tenth of the cases where time is short: PA_TEST_DRAWS is set low then. */
static int
cases(int all)
{
	return draws_wanted() < 100000 ? (all + 9) / 10 : all;
}

static PaEnvironment
environment_of(Host *host)
{
	return (PaEnvironment) {host_allocate, host_release, host_interrupted, host};
}

static double
epsilon_of(const PaRun *runs, int nruns, double delta)
{
	Host		host = {0};
	PaEnvironment environment = environment_of(&host);
	double		epsilon = -1;

	assert_int_equal(pa_compose_epsilon(runs, nruns, delta, &environment, &epsilon), PA_OK);
	assert_int_equal(host.blocks, 0);
	return epsilon;
}

static double
delta_of(const PaRun *runs, int nruns, double epsilon)
{
	Host		host = {0};
	PaEnvironment environment = environment_of(&host);
	double		delta = -1;

	assert_int_equal(pa_compose_delta(runs, nruns, epsilon, &environment, &delta), PA_OK);
	assert_int_equal(host.blocks, 0);
	return delta;
}

static PaPart
plain(PaShape shape, double scale, double shift)
{
	PaPart		part = {.shift = shift, .coordinates = 1};

	assert_int_equal(pa_law_plain(shape, PA_LINE, scale, &part.law), PA_OK);
	return part;
}

static PaPart
recycled(PaShape shape, double scale, double shift, double band, double q)
{
	PaPart		part = {.shift = shift, .coordinates = 1};

	assert_int_equal(pa_law_recycled(shape, PA_LINE, scale, band, 1 - q, &part.law), PA_OK);
	return part;
}

static PaRun
run_of(const PaPart *parts, int nparts, double rate, uint64_t times)
{
	return (PaRun) {.parts = parts, .nparts = nparts, .rate = rate, .times = times};
}

/* Figures of two parts (one if the second has no times) with what an accountant may say. */
typedef struct Published
{
	PaPart		parts[2];
	uint64_t	times[2];
	double		rate;
	double		delta;
	double		sound_min;
	double		accept_max;
} Published;

static void
published_figures(void **state)
{
	const PaPart laplace = plain(PA_LAPLACE, 10, 1);
	const PaPart gaussian = plain(PA_GAUSSIAN, 30.749566131977332, 1);
	const Published published[] = {
		{{plain(PA_GAUSSIAN, 20, 1), plain(PA_LAPLACE, 20, 1)}, {100, 100}, 1, 1e-6, 3.27695, 3.2785},
		{{laplace}, {1000}, 1, 1e-5, 17.42363258631342, 17.45849931398536},
		{{laplace}, {1000}, 1, 1e-10, 23.944398935826023, 23.992313730011404},
		{{gaussian}, {1000}, 1, 1e-5, 4.521543590344379, 4.530597426403048},
		{{gaussian}, {1000}, 1, 1e-10, 6.7523840977540015, 6.765904414383956},
		{{recycled(PA_GAUSSIAN, 15, 5, 1, 0.9)}, {100}, 1, 1e-5, 133.33273786850935, 133.59953894778533},
		{{recycled(PA_LAPLACE, 20, 1, 5, 0.05)}, {1000}, 1, 1e-5, 7.964804240253805, 7.980743833478146},
		{{recycled(PA_GAUSSIAN, 273.381, 5, 1.104, 0.3), plain(PA_GAUSSIAN, 41.2197, 1)}, {182, 182}, 1, 1e-10,
		4.447765762438387, 4.456669402975806},
		{{plain(PA_LAPLACE, 13.3984, 5), plain(PA_LAPLACE, 2.19817, 1)}, {2, 2}, 1, 1e-10,
		1.6560797343409241, 1.6595524319511674},
		{{plain(PA_LAPLACE, 2.4657, 1)}, {5}, 1, 1e-6, 2.027785687358041, 2.0318452945780514},
		{{plain(PA_GAUSSIAN, 4.23542, 1), recycled(PA_LAPLACE, 2.94511, 1, 0.8202, 0.02)}, {2, 2}, 1, 1e-6,
		2.042854738310751, 2.0469444987318712},
		{{plain(PA_GAUSSIAN, 4.03172, 1)}, {50}, 0.2, 1e-5, 1.439348060407944, 1.4422302027589629},
	};
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(published) / sizeof(published[0]); i++)
	{
		const Published *p = &published[i];
		PaRun		runs[2] = {run_of(&p->parts[0], 1, p->rate, p->times[0]), run_of(&p->parts[1], 1, p->rate, p->times[1])};
		double		epsilon = epsilon_of(runs, p->times[1] > 0 ? 2 : 1, p->delta);

		assert_at_most(p->sound_min, epsilon);
		assert_at_most(epsilon, p->accept_max);
	}
}

/* n Gaussians are one with sigma/sqrt(n). */
static void
gaussians_are_a_gaussian(void **state)
{
	static const double deltas[] = {1e-2, 1e-5, 1e-8, 1e-12};
	static const uint64_t times[] = {2, 10, 1000, 100000};
	size_t		i;
	size_t		j;

	(void) state;
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
		{
			PaPart		part = plain(PA_GAUSSIAN, 1.25 * sqrt((double) times[i]), 1);
			PaRun		run = run_of(&part, 1, 1, times[i]);
			double		epsilon = epsilon_of(&run, 1, deltas[j]);
			double		delta = delta_of(&run, 1, epsilon);

			/* at epsilon delta is small enough, and 1e-3 lower it is not */
			assert_at_most(pa_gaussian_profile(1.25, 1, epsilon), deltas[j] * (1 + 1e-9));
			assert_at_most(deltas[j], pa_gaussian_profile(1.25, 1, epsilon * (1 - 1e-3)));
			assert_at_most(pa_gaussian_profile(1.25, 1, epsilon) * (1 - 1e-9), delta);
			assert_at_most(delta, pa_gaussian_profile(1.25, 1, epsilon * (1 - 1e-3)));
		}
}

/* (epsilon0, delta0)-randomised response, n times: a binomial sum */
static long double
response_delta(int n, long double epsilon0, long double delta0, long double epsilon)
{
	long double sum = 0;
	long double choose = 1;
	int			i;

	for (i = 0; i <= n; i++)
	{
		long double p = expl((n - i) * epsilon0 - n * logl(1 + expl(epsilon0)));
		long double q = expl(i * epsilon0 - n * logl(1 + expl(epsilon0)));

		sum += choose * fmaxl(0, p - expl(epsilon) * q);
		choose = choose * (n - i) / (i + 1);
	}
	return -expm1l(n * log1pl(-delta0)) + powl(1 - delta0, n) * sum;
}

static void
responses_are_binomial(void **state)
{
	static const double losses[] = {0.01, 0.3, 2};
	static const double leaks[] = {0, 1e-9};
	int			n;
	int			i;
	int			j;
	int			k;

	(void) state;
	for (i = 0; i < 3; i++)
		for (j = 0; j < 2; j++)
			for (n = 2; n <= cases(200); n *= 3)
			{
				PaPart		part = {.coordinates = 1};
				PaRun		run = run_of(&part, 1, 1, (uint64_t) n);

				assert_int_equal(pa_law_response(losses[i], leaks[j], &part.law), PA_OK);
				for (k = 0; k < 8; k++)
				{
					double		epsilon = (k + 0.3) / 8 * fmin(n, 12 * sqrt(n)) * losses[i];
					double		delta = delta_of(&run, 1, epsilon);
					long double exact = response_delta(n, losses[i], leaks[j], epsilon);

					assert_at_most(exact * (1 - 1e-12L), delta);
					assert_at_most(delta, response_delta(n, losses[i], leaks[j], epsilon * (1 - 1e-3L)) * (1 + 1e-3L) + 1e-250L);
				}
			}
}

#define MOST_PARTS 4

typedef struct Lattice
{
	uint64_t	weight[8];
	PaNoiseTable table;
	PaPart		part;
} Lattice;

/* A random symmetric unimodal law on at most 7 points, and a shift. */
static void
random_lattice(PaRandom *random, Lattice *lattice)
{
	int			last = 1 + (int) (pa_random_u64(random) % 3);
	uint64_t	total = 0;
	int			k;

	lattice->weight[last] = 1 + pa_random_u64(random) % 1000;
	for (k = last - 1; k >= 0; k--)
		lattice->weight[k] = lattice->weight[k + 1] + pa_random_u64(random) % 5000;
	for (k = 1; k <= last; k++)
		total += 2 * lattice->weight[k];
	lattice->table = (PaNoiseTable) {last, total + lattice->weight[0], lattice->weight};
	lattice->part = (PaPart) {.shift = 1 + (double) (pa_random_u64(random) % 2), .coordinates = 1};
	assert_int_equal(pa_law_table(&lattice->table, &lattice->part.law), PA_OK);
}

static long double
lattice_pmf(const Lattice *lattice, int k)
{
	return abs(k) > lattice->table.last ? 0 : (long double) lattice->weight[abs(k)] / lattice->table.total;
}

/* All outcomes of n parts at once: masses under P and Q multiply. */
static void
all_outcomes(const Lattice *lattices, int n, long double p, long double q,
			 void (*visit) (void *context, long double p, long double q), void *context)
{
	int			reach;
	int			k;

	if (n == 0)
	{
		visit(context, p, q);
		return;
	}
	reach = lattices->table.last + (int) lattices->part.shift;
	for (k = -reach; k <= reach; k++)
	{
		long double here = lattice_pmf(lattices, k);
		long double there = lattice_pmf(lattices, k - (int) lattices->part.shift);

		if (here > 0 || there > 0)
			all_outcomes(lattices + 1, n - 1, p * here, q * there, visit, context);
	}
}

typedef struct Sum
{
	const Lattice *lattices;	/* of one release */
	int			nparts;
	int			times;			/* that are left */
	long double rate;
	bool		add;
	long double e;				/* e^epsilon */
	long double p;				/* of the releases so far */
	long double q;
	long double delta;
} Sum;

/* One release more, sampled, then the next. */
static void
visit_release(void *context, long double p, long double q)
{
	Sum		   *sum = context;
	Sum			next = *sum;
	long double sampled = (1 - sum->rate) * q + sum->rate * p;

	next.p *= sum->add ? q : sampled;
	next.q *= sum->add ? sampled : q;
	next.times--;
	next.delta = 0;
	if (next.times > 0)
		all_outcomes(next.lattices, next.nparts, 1, 1, visit_release, &next);
	else
		next.delta = fmaxl(0, next.p - next.e * next.q);
	sum->delta += next.delta;
}

static long double
exact_delta(const Lattice *lattices, int nparts, int times, double rate, bool add, long double epsilon)
{
	Sum			sum = {lattices, nparts, times, rate, add, expl(epsilon), 1, 1, 0};

	all_outcomes(lattices, nparts, 1, 1, visit_release, &sum);
	return sum.delta;
}

static long double
exact_worst(const Lattice *lattices, int nparts, int times, double rate, long double epsilon)
{
	return fmaxl(exact_delta(lattices, nparts, times, rate, false, epsilon),
				 exact_delta(lattices, nparts, times, rate, true, epsilon));
}

static void
check_exact(const Lattice *lattices, const PaRun *runs, int nruns, int nparts, int times, double rate, double epsilon)
{
	long double exact = exact_worst(lattices, nparts, times, rate, epsilon);
	double		delta = delta_of(runs, nruns, epsilon);
	double		back;

	assert_at_most(exact * (1 - 1e-13L), delta);
	assert_at_most(delta, exact_worst(lattices, nparts, times, rate, epsilon * (1 - 2e-3L)) * (1 + 1e-3L) + 1e-14L);
	if (delta >= 1 || delta <= 0)
		return;
	back = epsilon_of(runs, nruns, delta);
	assert_at_most(exact_worst(lattices, nparts, times, rate, back), delta * (1 + 1e-13L));
	/* what tails may take of delta can leave nothing, if nearly all of it is infinite loss */
	if (delta < 0.98)
		assert_at_most(epsilon_of(runs, nruns, delta * 1.01), epsilon * (1 + 2e-3) + 1e-9);
}

static void
never_below_exact_sums(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random;
	int			i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < cases(150); i++)
	{
		Lattice		lattices[MOST_PARTS];
		PaRun		runs[MOST_PARTS];
		int			n = 2 + i % 3;

		for (j = 0; j < n; j++)
		{
			random_lattice(&random, &lattices[j]);
			runs[j] = run_of(&lattices[j].part, 1, 1, 1);
		}
		for (j = 0; j < 4; j++)
			check_exact(lattices, runs, n, n, 1, 1, uniform(&random, 0, 2 + 2 * j));
	}
}

static void
never_below_exact_sums_of_samples(void **state)
{
	uint64_t	seed = 12;
	PaRandom	random;
	int			i;
	int			j;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < cases(60); i++)
	{
		Lattice		lattices[MOST_PARTS];
		PaPart		parts[MOST_PARTS];
		int			nparts = 1 + i % 2;
		int			times = 1 + i % 3;
		double		rate = uniform(&random, 0.02, 0.98);
		PaRun		run = run_of(parts, nparts, rate, (uint64_t) times);

		for (j = 0; j < nparts; j++)
		{
			random_lattice(&random, &lattices[j]);
			parts[j] = lattices[j].part;
		}
		for (j = 0; j < 3; j++)
			check_exact(lattices, &run, 1, nparts, times, rate, uniform(&random, 0, 2));
	}
}

/* Two equal coordinates of a sampled release are the same as two equal parts. */
static void
coordinates_are_parts(void **state)
{
	PaPart		part = plain(PA_GAUSSIAN, 3, 1);
	PaPart		parts[5] = {part, part, part, part, part};
	PaRun		run = run_of(&part, 1, 0.25, 20);
	PaRun		split = run_of(parts, 5, 0.25, 20);
	PaPart		joined = plain(PA_GAUSSIAN, 3, sqrt(5));
	PaRun		single = run_of(&joined, 1, 0.25, 20);
	double		exact = epsilon_of(&single, 1, 1e-6);

	(void) state;
	part.coordinates = 5;
	assert_at_most(exact * (1 - 3e-4), epsilon_of(&run, 1, 1e-6));
	assert_at_most(epsilon_of(&run, 1, 1e-6), exact * (1 + 1e-3));
	assert_close(epsilon_of(&split, 1, 1e-6), epsilon_of(&run, 1, 1e-6), 1e-3);
	run.rate = split.rate = single.rate = 1;
	exact = epsilon_of(&single, 1, 1e-6);
	assert_at_most(exact * (1 - 3e-4), epsilon_of(&run, 1, 1e-6));
	assert_at_most(epsilon_of(&run, 1, 1e-6), exact * (1 + 1e-3));
	assert_close(epsilon_of(&split, 1, 1e-6), epsilon_of(&run, 1, 1e-6), 1e-12);
}

static void
one_release_is_its_profile(void **state)
{
	const PaPart parts[] = {plain(PA_LAPLACE, 1.5, 1), plain(PA_GAUSSIAN, 1.5, 1),
	recycled(PA_GAUSSIAN, 1.5, 1, 1, 0.5)};
	int			i;
	int			k;

	(void) state;
	for (i = 0; i < 3; i++)
		for (k = 0; k < 10; k++)
		{
			PaRun		run = run_of(&parts[i], 1, 1, 1);
			double		delta = pa_law_delta(&parts[i].law, 1, 0.1 * k);
			double		epsilon;

			assert_true(delta_of(&run, 1, 0.1 * k) == delta);
			epsilon = epsilon_of(&run, 1, delta);
			assert_at_most(pa_law_delta(&parts[i].law, 1, epsilon), delta);
			assert_at_most(epsilon, 0.1 * k * (1 + 1e-9) + 1e-9);
			run.delta = 0.001;
			assert_close(delta_of(&run, 1, 0.1 * k), fmin(1, delta + 0.001), 1e-12);
		}
}

static void
more_costs_more(void **state)
{
	PaPart		parts[2] = {recycled(PA_GAUSSIAN, 10, 1, 1, 0.3), plain(PA_LAPLACE, 12, 1)};
	double		last = 0;
	int			i;

	(void) state;
	for (i = 1; i < 40; i++)
	{
		PaRun		runs[2] = {run_of(&parts[0], 1, 1, (uint64_t) i), run_of(&parts[1], 1, 1, 7)};
		double		epsilon = epsilon_of(runs, 2, 1e-6);

		assert_at_most(last * (1 - 2e-4), epsilon);
		last = epsilon;
	}
	for (i = 1; i < 40; i++)
	{
		PaRun		runs[2] = {run_of(&parts[0], 1, 1, 40), run_of(&parts[1], 1, 1, 7)};
		double		epsilon = epsilon_of(runs, 2, pow(10, -0.5 * i));

		assert_at_most(i > 1 ? last * (1 - 2e-4) : 0, epsilon);
		last = epsilon;
	}
}

/* Far below what double arithmetic could see without a tilt. */
static void
tiny_deltas(void **state)
{
	PaPart		part = plain(PA_GAUSSIAN, 10, 1);
	PaRun		run = run_of(&part, 1, 1, 25);
	double		epsilon;

	(void) state;
	for (epsilon = 4; epsilon < 16; epsilon += 1.5)
	{
		double		exact = pa_gaussian_profile(2, 1, epsilon);
		double		delta = delta_of(&run, 1, epsilon);

		assert_at_most(exact * (1 - 1e-9), delta);
		assert_at_most(delta, pa_gaussian_profile(2, 1, epsilon * (1 - 1e-3)));
	}
	assert_at_most(epsilon_of(&run, 1, 1e-150), 26.5 * 0.5 + 0.125);
	assert_at_most(25.5 * 0.5 + 0.125, epsilon_of(&run, 1, 1e-150));
}

static void
equal_runs_are_counted_once(void **state)
{
	PaPart		parts[200];
	PaRun		runs[200];
	PaRun		once;
	int			i;

	(void) state;
	for (i = 0; i < 200; i++)
	{
		parts[i] = plain(PA_GAUSSIAN, 20, 1);
		runs[i] = run_of(&parts[i], 1, 1, 1);
	}
	once = run_of(&parts[0], 1, 1, 200);
	assert_true(epsilon_of(runs, 200, 1e-7) == epsilon_of(&once, 1, 1e-7));
	/* and if they are all a little different it makes little difference */
	for (i = 0; i < 200; i++)
		parts[i] = plain(PA_GAUSSIAN, 20 + 1e-9 * i, 1);
	assert_close(epsilon_of(runs, 200, 1e-7), epsilon_of(&once, 1, 1e-7), 3e-4);
	assert_at_most(epsilon_of(&once, 1, 1e-7) * (1 - 3e-4), epsilon_of(runs, 200, 1e-7));
}

/* Delta 0, infinite losses, a lot of releases, nothing at all */
static void
ends_of_the_range(void **state)
{
	PaPart		laplace = plain(PA_LAPLACE, 2, 1);
	PaPart		gaussian = plain(PA_GAUSSIAN, 2, 1);
	PaPart		none = plain(PA_GAUSSIAN, 2, 0);
	PaPart		response = {.coordinates = 1};
	PaRun		runs[2] = {run_of(&laplace, 1, 1, 10), run_of(&gaussian, 1, 1, 3)};
	PaRun		selection = {.rate = 1, .times = 4, .delta = 1e-3};

	(void) state;
	assert_close(epsilon_of(runs, 1, 0), 5.0, 1e-12);
	assert_at_most(5, epsilon_of(runs, 1, 0));
	assert_true(epsilon_of(runs, 2, 0) == INFINITY);
	assert_true(delta_of(runs, 1, 5.0001) == 0);
	assert_at_most(delta_of(runs, 1, 5), 1e-13);
	assert_true(delta_of(runs, 0, 0) == 0);
	assert_true(epsilon_of(runs, 0, 0) == 0);
	runs[0] = run_of(&none, 1, 1, 1000);
	assert_true(epsilon_of(runs, 1, 0) == 0);
	assert_true(delta_of(runs, 1, 0) == 0);

	assert_close(delta_of(&selection, 1, 1), 4e-3, 1e-12);
	assert_at_most(4e-3, delta_of(&selection, 1, 1));
	assert_true(epsilon_of(&selection, 1, 3.9e-3) == INFINITY);
	assert_true(epsilon_of(&selection, 1, 4.1e-3) == 0);
	selection.rate = 0.5;
	assert_close(delta_of(&selection, 1, 1), 2e-3, 1e-12);
	selection = (PaRun) {.rate = 1, .times = 10, .delta = 1};
	assert_true(delta_of(&selection, 1, 1) == 1);

	assert_int_equal(pa_law_response(1, 1e-4, &response.law), PA_OK);
	runs[0] = run_of(&response, 1, 1, 50);
	assert_true(epsilon_of(runs, 1, 4.9e-3) == INFINITY);
	assert_at_most(epsilon_of(runs, 1, 5.1e-3), 50);
	runs[0].rate = 0.1;
	assert_at_most(epsilon_of(runs, 1, 5.1e-4), 50);
	assert_true(epsilon_of(runs, 1, 4.9e-4) == INFINITY);
}

/* Losses of which squares, or numbers of steps, would overflow */
static void
losses_of_any_size(void **state)
{
	PaPart		parts[2] = {{.shift = 1, .coordinates = 2}, {.shift = 1, .coordinates = 7}};
	PaRun		runs[2];

	(void) state;
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LATTICE, 1e-216, &parts[0].law), PA_OK);
	assert_int_equal(pa_law_plain(PA_LAPLACE, PA_LINE, 20, &parts[1].law), PA_OK);
	runs[0] = run_of(parts, 2, 0.37, 19);
	assert_at_most(1e215, epsilon_of(runs, 1, 0.04));
	assert_at_most(0.37, delta_of(runs, 1, 1));

	assert_int_equal(pa_law_response(0, 0, &parts[0].law), PA_OK);
	runs[0] = run_of(&parts[0], 1, 0.5, 3);
	runs[1] = run_of(&parts[1], 1, 1, 2);
	assert_true(epsilon_of(runs, 1, 1e-6) == 0);
	assert_at_most(epsilon_of(&runs[1], 1, 1e-6) * 0.99, epsilon_of(runs, 2, 1e-6));
	assert_at_most(delta_of(&runs[1], 1, 0.1) * 0.99, delta_of(runs, 2, 0.1));
}

static void
many_releases_end_soon(void **state)
{
	static const uint64_t times[] = {1000000, 1000000000, UINT64_C(1000000000000000), UINT64_MAX};
	int			i;

	(void) state;
	for (i = 0; i < cases(4); i++)
	{
		PaPart		part = plain(PA_GAUSSIAN, 2 * sqrt((double) times[i]), 1);
		PaRun		run = run_of(&part, 1, 1, times[i]);
		double		epsilon = epsilon_of(&run, 1, 1e-6);

		assert_at_most(pa_gaussian_profile(2, 1, epsilon), 1e-6);
		if (times[i] <= 1000000)
			assert_at_most(1e-6, pa_gaussian_profile(2, 1, epsilon * (1 - 2e-3)));
		part.coordinates = UINT32_MAX;
		epsilon = epsilon_of(&run, 1, 1e-6);
		assert_at_most(pa_gaussian_profile(2 / sqrt(UINT32_MAX), 1, epsilon * 0.999), 1e-6);
	}
}

static void
invalid_arguments(void **state)
{
	Host		host = {0};
	PaEnvironment environment = environment_of(&host);
	PaPart		part = plain(PA_LAPLACE, 2, 1);
	const PaRun good = run_of(&part, 1, 1, 10);
	PaRun		bad[7] = {good, good, good, good, good, good, good};
	double		out = -1;
	int			i;

	(void) state;
	bad[0].times = 0;
	bad[1].rate = 0;
	bad[2].rate = 1.5;
	bad[3].delta = -1;
	bad[4].delta = NAN;
	bad[5].nparts = -1;
	bad[6].rate = NAN;
	for (i = 0; i < 7; i++)
	{
		assert_int_equal(pa_compose_epsilon(&bad[i], 1, 1e-6, &environment, &out), PA_INVALID);
		assert_int_equal(pa_compose_delta(&bad[i], 1, 1, &environment, &out), PA_INVALID);
	}
	assert_int_equal(pa_compose_epsilon(&good, 1, 1, &environment, &out), PA_INVALID);
	assert_int_equal(pa_compose_epsilon(&good, 1, -1e-9, &environment, &out), PA_INVALID);
	assert_int_equal(pa_compose_epsilon(&good, -1, 0.1, &environment, &out), PA_INVALID);
	assert_int_equal(pa_compose_delta(&good, 1, -1, &environment, &out), PA_INVALID);
	assert_int_equal(pa_compose_delta(&good, 1, INFINITY, &environment, &out), PA_INVALID);
	part.coordinates = 0;
	assert_int_equal(pa_compose_delta(&good, 1, 1, &environment, &out), PA_INVALID);
	part.coordinates = 1;
	part.shift = -1;
	assert_int_equal(pa_compose_delta(&good, 1, 1, &environment, &out), PA_INVALID);
	assert_true(out == -1);
	assert_int_equal(host.asked, 0);
}

/* Every block that cannot be had, every poll that says stop: no leak, no result. */
static void
failures_leave_nothing(void **state)
{
	PaPart		parts[4] = {plain(PA_LAPLACE, 20, 1), plain(PA_GAUSSIAN, 20, 1), plain(PA_GAUSSIAN, 30, 1),
	plain(PA_LAPLACE, 5, 1)};
	PaRun		runs[3] = {run_of(parts, 1, 0.5, 10), run_of(parts + 1, 2, 1, 5), run_of(parts + 3, 1, 0.1, 3)};
	PaStatus	status;
	long		n;

	(void) state;
	/* few atoms, so that the release's own sum is quick */
	assert_int_equal(pa_law_response(0.05, 0, &parts[0].law), PA_OK);
	parts[0].coordinates = 3;
	for (n = 1, status = PA_NO_MEMORY; status == PA_NO_MEMORY; n++)
	{
		Host		host = {.fail_at = n};
		PaEnvironment environment = environment_of(&host);
		double		out = -1;

		status = pa_compose_epsilon(runs, 3, 1e-6, &environment, &out);
		assert_int_equal(host.blocks, 0);
		assert_true(status == PA_OK || (status == PA_NO_MEMORY && out == -1));
	}
	assert_at_most(20, n);
	for (n = 1, status = PA_INTERRUPTED; status == PA_INTERRUPTED; n++)
	{
		Host		host = {.interrupt_at = n};
		PaEnvironment environment = environment_of(&host);
		double		out = -1;

		status = pa_compose_delta(runs, 3, 1, &environment, &out);
		assert_int_equal(host.blocks, 0);
		assert_true(status == PA_OK || (status == PA_INTERRUPTED && out == -1));
	}
	assert_at_most(10, n);
}

/* Against the definition; and the bound on the error holds for a hard input. */
static void
transform_is_fourier(void **state)
{
	enum {N = 64};
	PaFft		fft = {{NULL}, {NULL}};
	PaComplex	z[N];
	PaComplex	before[N];
	double		wrong = 0;
	double		size = 0;
	int			i;
	int			j;

	(void) state;
	for (i = 0; i < N; i++)
		before[i] = z[i] = (PaComplex) {cos(i * i), 1.0 / (1 + i)};
	assert_int_equal(pa_fft_forward(&fft, z, N), PA_OK);
	for (i = 0; i < N; i++)
	{
		long double re = 0;
		long double im = 0;

		for (j = 0; j < N; j++)
		{
			long double turn = -2 * acosl(-1) * ((i * j) % N) / N;

			re += before[j].re * cosl(turn) - before[j].im * sinl(turn);
			im += before[j].re * sinl(turn) + before[j].im * cosl(turn);
		}
		wrong += (double) ((re - z[i].re) * (re - z[i].re) + (im - z[i].im) * (im - z[i].im));
		size += (double) (re * re + im * im);
	}
	assert_at_most(sqrt(wrong), pa_fft_error(N) * sqrt(size));
	assert_int_equal(pa_fft_backward(&fft, z, N), PA_OK);
	for (i = 0; i < N; i++)
	{
		assert_at_most(fabs(z[i].re / N - before[i].re), 1e-14);
		assert_at_most(fabs(z[i].im / N - before[i].im), 1e-14);
	}
	pa_fft_close(&fft);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transform_is_fourier),
		cmocka_unit_test(published_figures),
		cmocka_unit_test(gaussians_are_a_gaussian),
		cmocka_unit_test(responses_are_binomial),
		cmocka_unit_test(never_below_exact_sums),
		cmocka_unit_test(never_below_exact_sums_of_samples),
		cmocka_unit_test(coordinates_are_parts),
		cmocka_unit_test(one_release_is_its_profile),
		cmocka_unit_test(more_costs_more),
		cmocka_unit_test(tiny_deltas),
		cmocka_unit_test(equal_runs_are_counted_once),
		cmocka_unit_test(ends_of_the_range),
		cmocka_unit_test(losses_of_any_size),
		cmocka_unit_test(many_releases_end_soon),
		cmocka_unit_test(invalid_arguments),
		cmocka_unit_test(failures_leave_nothing),
	};

	return cmocka_run_group_tests_name("pld", tests, NULL, NULL);
}
