/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibration.h
 *		Calibrations that the session has made before.
 */
#ifndef PA_CALIBRATION_H
#define PA_CALIBRATION_H

#include "postgres.h"

#include "core/accounting/calibrate.h"

/*
 * The noise for a request: of the one kind whose bit is set in kinds, or of the
 * one among several that keeps to the error bound most often.  A table of noise
 * is the caller's, in the current memory context.  Errors out only on interrupts.
 */
extern PaStatus pa_calibration_find(const PaRequest *request, uint32 kinds, PaCalibration *out);

#endif							/* PA_CALIBRATION_H */
