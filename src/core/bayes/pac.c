/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pac.c
 *		See pac.h.
 */
#include "core/bayes/pac.h"

#include <float.h>
#include <math.h>

#define UP (1.0 + 16 * DBL_EPSILON)

PaPacPrivate
pa_pac_private(double alpha, double gamma, double epsilon, double beta)
{
	PaPacPrivate made = {NAN, NAN, NAN, NAN};

	if (!(alpha > 0 && epsilon > 0 && gamma >= 0 && gamma < 1 && beta > 0 && beta < 1))
		return made;
	made.scale = 2.0 * alpha / epsilon * UP;
	made.delta = gamma;
	made.alpha = (alpha - made.scale * log(beta)) * UP;
	made.gamma = fmin((gamma + beta) * UP, 1.0);
	return made;
}

double
pa_pac_share(double epsilon, double n, double beta, double ratio, double dimensions)
{
	if (!(epsilon > 0 && n >= 1 && beta > 0 && beta < 1 && ratio > 0 && dimensions >= 1))
		return NAN;
	return 2.0 * (dimensions * log1p(ratio) + M_LN2 - log(beta)) / (n * epsilon) * UP;
}
