/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smooth.h
 *		The width of many discrete Gaussian noises, from that of one on the line.
 */
#ifndef PA_SMOOTH_H
#define PA_SMOOTH_H

#include "core/derive/width.h"

/*
 * w with Pr(|sum a_i N_i| > w) <= alpha, in (0, 1); INFINITY if a term with a weight is not Gaussian, or its
 * sigma is below 1.  Proved for the lattice, and close to the normal width for large
 * sigmas.  excess is not looked at.
 */
extern double pa_smooth_width(const PaPart *part, int parts, double alpha);

#endif							/* PA_SMOOTH_H */
