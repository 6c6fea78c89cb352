/*
 * law.c
 *		Probabilities and tails of the discrete Laplace and Gaussian laws.
 *
 * Laplace, r = exp(-1/b):	p(k) = (1-r)/(1+r) r^|k|,  Pr[N >= k] = r^k/(1+r), k >= 1.
 *
 * Gaussian: p(k) = exp(-k^2/(2 sigma^2)) / Z.  Z is summed as it stands for
 * sigma < 1 and by Poisson's formula Z = sigma sqrt(2 pi) sum_j exp(-2 (pi sigma j)^2)
 * from 1 up; what is left out is below 1e-30 of Z in both.
 *
 * Gaussian tail, k >= 1: p(k) times the run sum_{j>=0} exp(-(2kj + j^2)/(2 sigma^2)).
 * Where sigma >= 32 and consecutive terms differ by a ratio above exp(-0.15),
 * the run follows from the midpoint form of Euler and Maclaurin's formula; with
 * u = k - 1/2, z = u/sigma, M the Mills ratio,
 *		sum_{j>=k} f(j) = f(u) sigma (M(z) - z/(24 sigma^2)
 *			+ 7 (z^3 - 3z)/(5760 sigma^4) - 31 (z^5 - 10z^3 + 15z)/(967680 sigma^6)) + R.
 * Error bound: R is of the size of the next term, which against the sum is
 * 127/154828800 (z/sigma)^8 <= 2.1e-13 for large z and below 1e-16 for z < 4.
 * Elsewhere the run is summed term by term (at most some 300 terms).  The
 * argument of exp(-k^2/(2 sigma^2)), at most 745, is rounded by 1.7e-13 at most.
 * Together this stays below PA_LAW_ERROR with room to spare.
 */
#include "core/noise/law.h"

#include <float.h>
#include <math.h>

#include "core/noise/normal.h"

#define EULER_SIGMA 32.0
#define EULER_STEP 0.15

static double
gaussian_mass(double sigma)
{
	double		sum = 0;
	int			j;

	if (sigma >= 1.0)
	{
		for (j = 1; j <= 3; j++)
			sum += exp(-2.0 * (M_PI * sigma * j) * (M_PI * sigma * j));
		return sigma * sqrt(2.0 * M_PI) * (1.0 + 2.0 * sum);
	}
	for (j = 12; j >= 1; j--)
		sum += exp(-0.5 * (j / sigma) * (j / sigma));
	return 1.0 + 2.0 * sum;
}

PaLaw
pa_law_make(PaKernelKind kind, double scale)
{
	PaLaw		law = {.kind = kind, .scale = scale};

	if (kind == PA_KERNEL_LAPLACE)
		law.peak = tanh(0.5 / scale);
	else
		law.peak = 1.0 / gaussian_mass(scale);
	return law;
}

double
pa_law_pmf(const PaLaw *law, double k)
{
	double		steps = fabs(k) / law->scale;

	if (law->kind == PA_KERNEL_LAPLACE)
		return law->peak * exp(-steps);
	return law->peak * exp(-0.5 * steps * steps);
}

static double
euler_run(double sigma, double k)
{
	double		z = (k - 0.5) / sigma;
	double		w = 1.0 / (sigma * sigma);
	double		sum = pa_mills(z);

	sum -= z / 24.0 * w;
	sum += 7.0 / 5760.0 * z * (z * z - 3.0) * w * w;
	sum -= 31.0 / 967680.0 * z * ((z * z - 10.0) * z * z + 15.0) * w * w * w;
	return sum * sigma * exp((k - 0.25) * 0.5 * w);
}

double
pa_law_gaussian_run(double sigma, double k)
{
	double		sum = 0;
	double		term = 1;
	double		j;

	if (sigma >= EULER_SIGMA && k <= EULER_STEP * sigma * sigma)
		return euler_run(sigma, k);
	for (j = 1; term > 0.01 * DBL_EPSILON * sum; j++)
	{
		sum += term;
		term = exp(-0.5 * (j / sigma) * ((2.0 * k + j) / sigma));
	}
	return sum;
}

/* Pr[N >= k], k >= 1 */
static double
upper_tail(const PaLaw *law, double k)
{
	if (law->kind == PA_KERNEL_LAPLACE)
		return exp(-k / law->scale) / (1.0 + exp(-1.0 / law->scale));
	return pa_law_pmf(law, k) * pa_law_gaussian_run(law->scale, k);
}

double
pa_law_tail(const PaLaw *law, double k)
{
	if (k >= 1)
		return upper_tail(law, k);
	return 1.0 - upper_tail(law, 1.0 - k);
}
