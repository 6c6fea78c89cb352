/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fft.c
 *		GSL's mixed-radix transform of powers of two.
 *
 * Not its radix-2 routine, which finds twiddles by recurrence, so that its error
 * grows with n.  The mixed-radix one takes them from a table of sines and cosines;
 * it allocates that table, and room to work, by malloc, which is the one place
 * where the core does not allocate from its caller.
 *
 * Error bound, relative to the norm, u = 2^-53.  A pass of radix 4 (or 2, once) is
 * a multiplication by twiddles and 4-point (2-point) transforms, twice (sqrt 2
 * times) a unitary map.  An angle 2 pi m/n is computed as m (-2 pi/n): wrong by at
 * most 1.5 u of 2 pi, and the sine by u more, so a twiddle by at most 10.5 u; a
 * complex product by sqrt(5) u (Brent, Percival, Zimmermann 2007); two sums by u
 * each.  That is below 16 u a pass, by the argument of Higham, Accuracy and
 * Stability of Numerical Algorithms, Theorem 24.2, to first order.  We claim 16 u
 * for every level of radix 2, of which a pass has two.
 */
#include "core/optimize/fft.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_complex.h>
#include <stdbool.h>

/* Tables for size n; false if there is no memory. */
static bool
prepare(PaFft *fft, size_t n, int level)
{
	if (fft->table[level] == NULL)
		fft->table[level] = gsl_fft_complex_wavetable_alloc(n);
	if (fft->work[level] == NULL)
		fft->work[level] = gsl_fft_complex_workspace_alloc(n);
	return fft->table[level] != NULL && fft->work[level] != NULL;
}

static PaStatus
transform(PaFft *fft, PaComplex *z, size_t n, gsl_fft_direction direction)
{
	int			level = __builtin_ctzll(n);

	if (!prepare(fft, n, level))
		return PA_NO_MEMORY;
	if (gsl_fft_complex_transform((double *) z, 1, n, fft->table[level], fft->work[level], direction) != GSL_SUCCESS)
		return PA_INVALID;
	return PA_OK;
}

PaStatus
pa_fft_forward(PaFft *fft, PaComplex *z, size_t n)
{
	return transform(fft, z, n, gsl_fft_forward);
}

PaStatus
pa_fft_backward(PaFft *fft, PaComplex *z, size_t n)
{
	return transform(fft, z, n, gsl_fft_backward);
}

void
pa_fft_close(PaFft *fft)
{
	int			level;

	for (level = 0; level < PA_FFT_LEVELS; level++)
	{
		if (fft->table[level] != NULL)
			gsl_fft_complex_wavetable_free(fft->table[level]);
		if (fft->work[level] != NULL)
			gsl_fft_complex_workspace_free(fft->work[level]);
		fft->table[level] = fft->work[level] = NULL;
	}
}

double
pa_fft_error(size_t n)
{
	return 8 * DBL_EPSILON * (__builtin_ctzll(n) + 1);
}
