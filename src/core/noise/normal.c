/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * normal.c
 *		Mills ratio and tail of the standard normal law.
 *
 * Method: (z + c) M(z) with c = 5 is a smooth function of t = (z - c)/(z + c),
 * which runs from -1 to 1; its Chebyshev series to degree 23, written in powers
 * of t.  The coefficients were computed with 60 digits.
 * Error bound: the rest of the series is below 5e-17 of a value that is at least
 * 1.  The powers' absolute values sum to 6.7 at most; rounding of the sum, of t
 * and of both quotients stays below 6 DBL_EPSILON.
 */
#include "core/noise/normal.h"

#include <math.h>

#define CENTRE 5.0
#define DEGREE 23
#define BEYOND 1e17				/* where M(z) = 1/z to the last bit */

static const double series[DEGREE + 1] = {
	1.9280810471531575,
	-1.66786659518896,
	1.2415470615738771,
	-0.78591107554654527,
	0.41364471573217226,
	-0.17325473408715042,
	0.052125502421826932,
	-0.0075032828206787593,
	-0.0019999620670556138,
	0.0013658591609424361,
	-0.00014883252854029768,
	-0.00012473565818721082,
	4.1812697072720427e-05,
	9.9747800855427332e-06,
	-6.9405498481783575e-06,
	-8.3606759801814071e-07,
	1.0865648093633823e-06,
	9.6684283572163253e-08,
	-1.6898908396071304e-07,
	-1.7398124277679196e-08,
	2.324918339616538e-08,
	3.1868668438665133e-09,
	-1.9688207966686729e-09,
	-3.3368504879231681e-10,
};

/* Four interleaved sums in powers of t^4: they do not wait for each other. */
double
pa_mills(double z)
{
	double		t = (z - CENTRE) / (z + CENTRE);
	double		t2 = t * t;
	double		t4 = t2 * t2;
	double		sum[4];
	int			i;
	int			j;

	if (z > BEYOND)
		return 1.0 / z;
	for (j = 0; j < 4; j++)
		sum[j] = series[DEGREE - 3 + j];
	for (i = DEGREE - 7; i >= 0; i -= 4)
		for (j = 0; j < 4; j++)
			sum[j] = sum[j] * t4 + series[i + j];
	return ((sum[0] + t2 * sum[2]) + t * (sum[1] + t2 * sum[3])) / (z + CENTRE);
}

double
pa_normal_tail(double z)
{
	double		square = z * z;

	if (z < 0)
		return 1.0 - pa_normal_tail(-z);
	if (z > 40)
		return 0;
	return pa_mills(z) * exp(-0.5 * square) * (1.0 - 0.5 * fma(z, z, -square)) *
		M_2_SQRTPI * M_SQRT1_2 * 0.5;
}
