/*
 * samplers.c
 *		How many exact draws a second, and how long a calibration takes.
 *
 * The bits come from the operating system, whose cost is part of the figure.
 * A recycler that wastes nothing costs what its base law costs, divided by the
 * acceptance of a round; its overhead is what it costs relative to that.
 * The last column is the ratio to the goal: 1 or more is good enough.
 */
#include <math.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "core/accounting/calibrate.h"

#define LAPLACE_GOAL 1e6		/* draws a second */
#define GAUSSIAN_GOAL 0.5e6
#define STAIRCASE_GOAL 0.5e6	/* divided by the mean number of rounds */
#define OVERHEAD_GOAL 1.5
#define CALIBRATION_GOAL 20e-3	/* seconds */
#define TURNS 7
#define BATCH 200				/* draws between two looks at the clock */

static bool
system_bytes(void *context, void *bytes, size_t length)
{
	(void) context;
	return getrandom(bytes, length, 0) == (ssize_t) length;
}

/* The time of this process, so that what else the machine does counts little */
static double
now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

/* Seconds per draw, measured for the given time; negative if the sampler fails. */
static double
cost_of_draw(const PaKernel *kernel, double seconds)
{
	PaRandom	random;
	double		start = now();
	double		spent;
	long		draws = 0;
	int64_t		noise;
	int			i;

	pa_random_init(&random, system_bytes, NULL);
	do
	{
		for (i = 0; i < BATCH; i++)
			if (pa_kernel_sample(kernel, &random, &noise) != PA_OK)
				return -1;
		draws += i;
		spent = now() - start;
	} while (spent < seconds);
	return spent / draws;
}

static int
bench_draws(PaKernelKind kind, double scale, double goal)
{
	PaKernel	kernel;
	double		cost;

	if (pa_kernel_make(kind, scale, &kernel) != PA_OK)
		return 1;
	cost = cost_of_draw(&kernel, 0.5);
	printf("draws        %-13s scale %-12g %12.0f /s   %6.2f\n",
		   pa_kernel_name(kind), scale, 1 / cost, 1 / cost / goal);
	return cost <= 0;
}

/* Both laws in turn, so that a change of the clock rate hits both; the least of each counts. */
static int
bench_recycling(PaKernelKind base_kind, double scale, int64_t band, double keep)
{
	PaKernel	base;
	PaKernel	recycler;
	PaLaw		law;
	double		least[2] = {1, 1};
	double		overhead;
	int			turn;

	if (pa_kernel_make(base_kind, scale, &base) != PA_OK)
		return 1;
	recycler = base;
	recycler.kind = base_kind == PA_KERNEL_LAPLACE ? PA_KERNEL_BRDP_LAPLACE : PA_KERNEL_BRDP_GAUSSIAN;
	recycler.band = band;
	recycler.keep = (uint64_t) (keep * 0x1p62);
	for (turn = 0; turn < 2 * TURNS; turn++)
	{
		double		cost = cost_of_draw(turn % 2 == 0 ? &base : &recycler, 0.05);

		if (cost <= 0)
			return 1;
		if (cost < least[turn % 2])
			least[turn % 2] = cost;
	}
	law = pa_kernel_law(&recycler);
	overhead = least[1] / least[0] * (law.band_mass + keep * law.out_mass);
	printf("recycling    %-13s scale %-6g band %-4ld keep %-8g %9.0f /s   overhead %5.3f   %6.2f\n",
		   pa_kernel_name(recycler.kind), scale, (long) band, keep, 1 / least[1], overhead, OVERHEAD_GOAL / overhead);
	return 0;
}

/* kernel_staircase.c has the acceptance of a round. */
static int
bench_staircase(double loss, int64_t width, int64_t band)
{
	PaKernel	kernel = {.kind = PA_KERNEL_STAIRCASE,.shift = PA_STAIR_SHIFT,.band = band,.width = width};
	double		centre = (2 * (double) (band % width) + 1) / (2 * (double) width);
	double		rounds = 1 / (exp(-loss) - expm1(-loss) * centre);
	double		cost;

	kernel.numerator = (uint64_t) (loss * 0x1p44);
	cost = cost_of_draw(&kernel, 0.25);
	printf("staircase    e %-6g width %-9ld band %-9ld %9.0f /s   rounds %6.3f     %6.2f\n",
		   loss, (long) width, (long) band, 1 / cost, rounds, rounds / (cost * STAIRCASE_GOAL));
	return cost <= 0;
}

static int
bench_calibration(PaKernelKind kind, uint32_t groups, PaInt128 per_group, double epsilon)
{
	PaRequest	request = {kind, {per_group, groups}, epsilon, 1e-8, 0, (double) per_group / 5};
	PaCalibration out;
	double		start = now();
	double		spent;
	int			runs = 0;

	do
	{
		if (pa_calibrate(&request, NULL, &out) != PA_OK)
			return 1;
		runs++;
		spent = now() - start;
	} while (spent < 0.1);
	printf("calibration  %-13s L0 %-3u epsilon %-5g sensitivity %-10.4g %9.1f us   %6.2f\n",
		   pa_kernel_name(kind), (unsigned) groups, epsilon, (double) per_group,
		   1e6 * spent / runs, CALIBRATION_GOAL * runs / spent);
	return 0;
}

static int
bench_all_draws(void)
{
	static const double scales[] = {3.0 / 1024, 10, 2.5, 1000, 123456.7, 1e9};
	int			failed = 0;
	size_t		i;

	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		failed |= bench_draws(PA_KERNEL_LAPLACE, scales[i], LAPLACE_GOAL);
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		failed |= bench_draws(PA_KERNEL_GAUSSIAN, scales[i], GAUSSIAN_GOAL);
	return failed;
}

/* From rounds that all succeed to a thousand of them */
static int
bench_all_recyclers(PaKernelKind base)
{
	return bench_recycling(base, 10, 3, 1) |
		bench_recycling(base, 10, 3, 0x1p-1) |
		bench_recycling(base, 10, 3, 0x1p-8) |
		bench_recycling(base, 2.5, 0, 0x1p-6) |
		bench_recycling(base, 1000, 200, 0x1p-4) |
		bench_recycling(base, 1000, 1, 0x1p-20) |
		bench_recycling(base, 1e9, 100000000, 0x1p-10);
}

static int
bench_all_staircases(void)
{
	return bench_staircase(1, 1, 0) |
		bench_staircase(1, 512, 100) |
		bench_staircase(3, 512, 100) |
		bench_staircase(1e-9, 512, 511) |
		bench_staircase(1, 1000000000, 999999999) |
		bench_staircase(5, 512, 3);
}

int
main(void)
{
	static const double epsilons[] = {1e-9, 0.1, 1, 1e6};
	int			failed = 0;
	size_t		i;

	failed |= bench_all_draws();
	failed |= bench_all_recyclers(PA_KERNEL_LAPLACE);
	failed |= bench_all_recyclers(PA_KERNEL_GAUSSIAN);
	failed |= bench_all_staircases();
	for (i = 0; i < sizeof(epsilons) / sizeof(epsilons[0]); i++)
	{
		failed |= bench_calibration(PA_KERNEL_LAPLACE, 3, 1, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 1, 1, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 1, 5000000, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 3, 5000000, epsilons[i]);
	}
	failed |= bench_calibration(PA_KERNEL_BRDP_LAPLACE, 1, 5000000, 3);
	failed |= bench_calibration(PA_KERNEL_BRDP_GAUSSIAN, 1, 5000000, 3);
	failed |= bench_calibration(PA_KERNEL_STAIRCASE, 1, 5000000, 3);
	return failed;
}
