/*
 * profile.c
 *		What one coordinate of discrete noise gives away: delta(epsilon) and rho.
 *
 * The loss ln p(k)/p(k-D) falls in k, so the cells that count towards
 * delta(epsilon) are k <= K, where K is the last cell with a loss above epsilon:
 *		delta(epsilon) = Pr[N <= K] - e^epsilon Pr[N <= K - D].
 * A K that is off by rounding leaves out (or adds) only cells whose loss equals
 * epsilon up to rounding; the margins below cover them.
 */
#include <float.h>
#include <math.h>

#include "core/noise/law.h"

/*
 * A difference up - down of two computed parts, rounded up to a probability.
 * What is not a number would be the largest.
 */
static double
round_up(double up, double down, double error)
{
	double		delta = up - down + (up + fabs(down)) * fmin(error, 1.0) + DBL_MIN;

	return delta < 1.0 ? fmax(0.0, delta) : 1.0;
}

/*
 * The loss is D/b up to k = 0, falls by 2/b a step to -D/b at k = D and stays
 * there.  With r = exp(-1/b), for |epsilon| < D/b,
 *		delta = (1 - r^(K+1) + r - e^(epsilon - (D-K)/b)) / (1 + r).
 * fma gives the sign of b epsilon -+ D without error, so epsilon = D/b is 0.
 */
static double
laplace_delta(const PaLaw *law, double shift, double epsilon)
{
	double		b = law->scale;
	double		r = exp(-1.0 / b);
	double		reach = fma(-b, epsilon, shift);
	double		last;
	double		up;
	double		down;

	if (reach <= 0)
		return 0.0;
	if (fma(b, epsilon, shift) <= 0)
		return round_up(-expm1(epsilon), 0.0, 4 * DBL_EPSILON);
	last = ceil(0.5 * reach) - 1.0;
	up = -expm1(-(last + 1.0) / b);
	if (b < 1.0)
	{
		up += r;
		down = exp(epsilon - (shift - last) / b);
	}
	else
		down = r * expm1(epsilon - (shift - last - 1.0) / b);
	return fmin(1.0, round_up(up / (1.0 + r), down / (1.0 + r), 64 * DBL_EPSILON) +
				4 * DBL_EPSILON * (fabs(epsilon) + shift / b) * r);
}

/*
 * The loss is D (D - 2k) / (2 sigma^2), so K is the last k below
 * D/2 - sigma^2 epsilon / D.  Where the second part would under- or overflow it
 * is taken relative to p(K): e^epsilon p(K-D) = p(K) e^(epsilon - loss(K)), whose
 * exponent is at most 0 by the choice of K, whatever rounding says.
 */
static double
gaussian_delta(const PaLaw *law, double shift, double epsilon)
{
	double		sigma = law->scale;
	double		last = ceil(0.5 * shift - sigma * epsilon * (sigma / shift)) - 1.0;
	double		loss = (shift / sigma) * ((shift - 2.0 * last) / (2.0 * sigma));
	double		error = PA_LAW_ERROR + 8 * DBL_EPSILON * (fabs(epsilon) + fabs(loss));
	double		up = pa_law_tail(law, -last);
	double		down;

	if (last < shift)
		down = pa_law_pmf(law, last) * exp(fmin(0.0, epsilon - loss)) *
			pa_law_gaussian_run(sigma, shift - last);
	else
		down = exp(epsilon) * pa_law_tail(law, shift - last);
	return round_up(up, down, error);
}

double
pa_law_delta(const PaLaw *law, double shift, double epsilon)
{
	if (shift == 0)
		return epsilon < 0 ? round_up(-expm1(epsilon), 0.0, 4 * DBL_EPSILON) : 0.0;
	if (law->kind == PA_KERNEL_LAPLACE)
		return laplace_delta(law, shift, epsilon);
	return gaussian_delta(law, shift, epsilon);
}

/* x - 1 + e^-x, without cancellation for x >= 0 */
static double
convex_gap(double x)
{
	double		term;
	double		sum = 0;
	int			i;

	if (x > 0.5)
		return x + expm1(-x);
	term = 0.5 * x * x;
	for (i = 3; i <= 18; i++)
	{
		sum += term;
		term *= -x / i;
	}
	return sum;
}

/* 1 - x / sinh(x), x > 0 */
static double
sinh_gap(double x)
{
	double		term;
	double		sum = 0;
	int			i;

	if (x > 700.0)
		return 1.0;
	if (x > 1.0)
		return 1.0 - x / sinh(x);
	term = x * x * x / 6.0;		/* sinh(x) - x = x^3/3! + x^5/5! + ... */
	for (i = 5; i <= 21; i += 2)
	{
		sum += term;
		term *= x * x / (i * (i - 1));
	}
	return sum / sinh(x);
}

/*
 * Laplace: the divergence of order 1, epsilon - (1 - e^-epsilon) (1/b)/sinh(1/b)
 * with epsilon = D/b, is the supremum (docs/theory.md); written as a sum of two
 * positive parts.
 */
static double
laplace_rho(const PaLaw *law, double shift)
{
	double		epsilon = shift / law->scale;
	double		rho = convex_gap(epsilon) - expm1(-epsilon) * sinh_gap(1.0 / law->scale);

	return fmin(rho, fmin(0.5 * epsilon * epsilon, epsilon));
}

double
pa_law_rho(const PaLaw *law, double shift)
{
	double		steps = shift / law->scale;
	double		rho;

	if (shift == 0)
		return 0.0;
	rho = law->kind == PA_KERNEL_LAPLACE ? laplace_rho(law, shift) : 0.5 * steps * steps;
	return rho * (1.0 + 128 * DBL_EPSILON) + DBL_MIN;
}
