/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pointwise.h
 *		The part of a Gaussian profile between two boundaries, where p and e^loss q
 *		nearly cancel: summed point by point.
 */
#ifndef PA_POINTWISE_H
#define PA_POINTWISE_H

#include "core/noise/base.h"

#define PA_POINTWISE_ERROR 1e-10

/*
 * As the gain of pa_base_gain, shift > 0, with relative error below
 * PA_POINTWISE_ERROR, besides that of a loss lowered for its rounding.
 */
extern double pa_pointwise_gain(const PaBase *base, double shift, double loss, double from, double to);

#endif							/* PA_POINTWISE_H */
