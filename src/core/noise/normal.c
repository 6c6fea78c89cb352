/*
 * normal.c
 *		Mills ratio and tail of the standard normal law.
 *
 * Method: up to CUT from erfc; beyond, the continued fraction
 *		M(z) = 1/(z + 1/(z + 2/(z + 3/(z + ...)))),
 * evaluated from its DEPTH-th level backwards.
 * Error bound: erfc part, the factor exp(z^2/2) carries the rounding of its
 * argument, z^2/2 * 2^-52 <= 8e-15 at the cut, and erfc(z/sqrt 2) as much
 * again.  Fraction: successive levels enclose the value; at z >= CUT level 60
 * is within 1e-16 of it.
 */
#include "core/noise/normal.h"

#include <math.h>

#define CUT 8.0
#define DEPTH 60

double
pa_mills(double z)
{
	double		below = z;
	int			level;

	if (z < CUT)
		return sqrt(M_PI_2) * erfc(z * M_SQRT1_2) * exp(0.5 * z * z);
	for (level = DEPTH; level >= 1; level--)
		below = z + level / below;
	return 1.0 / below;
}

double
pa_normal_tail(double z)
{
	if (z < 0)
		return 1.0 - pa_normal_tail(-z);
	return pa_mills(z) * exp(-0.5 * z * z) * M_2_SQRTPI * M_SQRT1_2 * 0.5;
}
