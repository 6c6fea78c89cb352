/*
 * gaussian_check.c
 *		Whether a covariance can be used: its eigenvalues by Jacobi's rotations.
 *
 * Rotations stop once what is off the diagonal is below 2^-60 of the matrix, so
 * eigenvalues down to 1e-12 of the largest are known well enough to be told from
 * smaller ones.
 */
#include "core/pufferfish/gaussian.h"

#include <math.h>

#define MOST_CONDITION 1e12
#define SWEEPS 60
#define SMALL 0x1p-60L

static PaFault
fault_of_numbers(const PaGaussianRows *rows)
{
	int			n = rows->rows;
	int			i;
	int			j;

	if (n > PA_GAUSSIAN_ROWS)
		return PA_FAULT_SIZE;
	if (n < 1 || !(rows->width > 0 && rows->width <= rows->bound && isfinite(rows->bound)))
		return PA_FAULT_ARGUMENT;
	for (i = 0; i < n * n; i++)
		if (!isfinite(rows->covariance[i]))
			return PA_FAULT_ENTRY;
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			if (!(fabs(rows->covariance[i * n + j] - rows->covariance[j * n + i]) <=
				  1e-9 * sqrt(fabs(rows->covariance[i * n + i] * rows->covariance[j * n + j]))))
				return PA_FAULT_SYMMETRY;
	return PA_FAULT_NONE;
}

/* Makes (p, q) zero. */
static void
rotate(long double *s, int n, int p, int q)
{
	long double theta = (s[q * n + q] - s[p * n + p]) / (2 * s[p * n + q]);
	long double t = (theta < 0 ? -1 : 1) / (fabsl(theta) + sqrtl(theta * theta + 1));
	long double c = 1 / sqrtl(t * t + 1);
	int			k;

	for (k = 0; k < n; k++)
	{
		long double x = s[k * n + p];
		long double y = s[k * n + q];

		s[k * n + p] = c * x - t * c * y;
		s[k * n + q] = t * c * x + c * y;
	}
	for (k = 0; k < n; k++)
	{
		long double x = s[p * n + k];
		long double y = s[q * n + k];

		s[p * n + k] = c * x - t * c * y;
		s[q * n + k] = t * c * x + c * y;
	}
}

/* A sweep over all pairs; whether there was anything to do */
static bool
sweep(long double *s, int n)
{
	long double most = 0;
	bool		done = true;
	int			p;
	int			q;

	for (p = 0; p < n; p++)
		most = fmaxl(most, fabsl(s[p * n + p]));
	for (p = 0; p < n; p++)
		for (q = p + 1; q < n; q++)
			if (fabsl(s[p * n + q]) > SMALL * most)
			{
				rotate(s, n, p, q);
				done = false;
			}
	return !done;
}

static PaFault
fault_of_eigenvalues(const long double *s, int n)
{
	long double least = INFINITY;
	long double most = 0;
	int			i;

	for (i = 0; i < n; i++)
	{
		least = fminl(least, s[i * n + i]);
		most = fmaxl(most, s[i * n + i]);
	}
	if (!(least > -most / MOST_CONDITION && most > 0))
		return PA_FAULT_INDEFINITE;
	if (!(least > 0 && most <= MOST_CONDITION * least))
		return PA_FAULT_CONDITION;
	return PA_FAULT_NONE;
}

static PaStatus
find_eigenvalues(const PaGaussianRows *rows, const PaEnvironment *environment, long double *s)
{
	int			n = rows->rows;
	int			i;

	for (i = 0; i < n * n; i++)
		s[i] = rows->covariance[i];
	for (i = 0; i < SWEEPS && sweep(s, n); i++)
		if (environment->interrupted != NULL && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
	return PA_OK;
}

PaStatus
pa_gaussian_check(const PaGaussianRows *rows, const PaEnvironment *environment, PaFault *fault)
{
	PaFault		found = fault_of_numbers(rows);
	size_t		cells = (size_t) rows->rows * (size_t) rows->rows;
	size_t		align = _Alignof(long double);
	void	   *memory;
	long double *s;
	PaStatus	status;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	memory = environment->allocate(environment->context, cells * sizeof(long double) + align);
	if (memory == NULL)
		return PA_NO_MEMORY;
	/* the environment aligns for doubles only */
	s = (long double *) (((uintptr_t) memory + align - 1) / align * align);
	status = find_eigenvalues(rows, environment, s);
	if (status == PA_OK)
		found = fault_of_eigenvalues(s, rows->rows);
	environment->release(environment->context, memory);
	return found == PA_FAULT_NONE ? status : pa_fault(fault, found);
}
