/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noise.c
 *		Draws the noise of a release.
 */
#include "postgres.h"

#include "price/release.h"
#include "session_random.h"

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
