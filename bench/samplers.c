/*
 * samplers.c
 *		How many exact draws a second, and how long a calibration takes.
 *
 * The bits come from the operating system, whose cost is part of the figure.
 * The last column is the ratio to the goal: 1 or more is good enough.
 */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "core/accounting/calibrate.h"

#define LAPLACE_GOAL 1e6		/* draws a second */
#define GAUSSIAN_GOAL 0.5e6
#define CALIBRATION_GOAL 20e-3	/* seconds */

static bool
system_bytes(void *context, void *bytes, size_t length)
{
	(void) context;
	return getrandom(bytes, length, 0) == (ssize_t) length;
}

static double
now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec + 1e-9 * at.tv_nsec;
}

/* Draws for half a second. */
static int
bench_draws(PaKernelKind kind, double scale, double goal)
{
	PaKernel	kernel;
	PaRandom	random;
	double		start = now();
	double		spent;
	long		draws = 0;
	int64_t		noise;
	int			i;

	if (pa_kernel_make(kind, scale, &kernel) != PA_OK)
		return 1;
	pa_random_init(&random, system_bytes, NULL);
	do
	{
		for (i = 0; i < 1000; i++)
			if (pa_kernel_sample(&kernel, &random, &noise) != PA_OK)
				return 1;
		draws += i;
		spent = now() - start;
	} while (spent < 0.5);
	printf("draws        %-8s scale %-12g %12.0f /s   %6.2f\n",
		   pa_kernel_name(kind), scale, draws / spent, draws / spent / goal);
	return 0;
}

static int
bench_calibration(PaKernelKind kind, uint32_t groups, PaInt128 per_group, double epsilon)
{
	PaSensitivity sensitivity = {per_group, groups};
	PaCalibration out;
	double		start = now();
	double		spent;
	int			runs = 0;

	do
	{
		if (pa_calibrate(kind, &sensitivity, epsilon, 1e-8, &out) != PA_OK)
			return 1;
		runs++;
		spent = now() - start;
	} while (spent < 0.1);
	printf("calibration  %-8s L0 %-3u epsilon %-5g sensitivity %-10.4g %9.1f us   %6.2f\n",
		   pa_kernel_name(kind), (unsigned) groups, epsilon, (double) per_group,
		   1e6 * spent / runs, CALIBRATION_GOAL * runs / spent);
	return 0;
}

int
main(void)
{
	static const double scales[] = {3.0 / 1024, 10, 2.5, 1000, 123456.7, 1e9};
	static const double epsilons[] = {1e-9, 0.1, 1, 1e6};
	int			failed = 0;
	size_t		i;

	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		failed |= bench_draws(PA_KERNEL_LAPLACE, scales[i], LAPLACE_GOAL);
	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		failed |= bench_draws(PA_KERNEL_GAUSSIAN, scales[i], GAUSSIAN_GOAL);
	for (i = 0; i < sizeof(epsilons) / sizeof(epsilons[0]); i++)
	{
		failed |= bench_calibration(PA_KERNEL_LAPLACE, 3, 1, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 1, 1, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 1, 5000000, epsilons[i]);
		failed |= bench_calibration(PA_KERNEL_GAUSSIAN, 3, 5000000, epsilons[i]);
	}
	return failed;
}
