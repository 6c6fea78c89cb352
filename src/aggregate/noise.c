/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noise.c
 *		Draws the noise of a release, with random bits of the operating system.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "aggregate/release.h"

static bool
fill_strong(void *context, void *bytes, size_t length)
{
	return pg_strong_random(bytes, length);
}

PaRandom *
pa_session_random(void)
{
	static PaRandom random;
	static int	owner = 0;

	if (owner != MyProcPid || random.failed)
	{
		pa_random_init(&random, fill_strong, NULL);
		owner = MyProcPid;
	}
	return &random;
}

PaInt128
pa_release_noise(const PaStatistic *statistic, PaInt128 total)
{
	const PaCalibration *calibration = &statistic->calibration;
	int64_t		noise;
	PaStatus	status = pa_kernel_sample(&calibration->kernel, pa_session_random(), &noise);

	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("drawing noise failed: %s", pa_status_text(status)));
	return pa_lattice_round(&calibration->lattice, total) + noise;
}
