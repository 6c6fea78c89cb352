/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fft.h
 *		Fast Fourier transforms by GSL, with an error bound.
 */
#ifndef PA_FFT_H
#define PA_FFT_H

#include <stddef.h>

#include "core/status.h"

typedef struct PaComplex
{
	double		re;
	double		im;
} PaComplex;

#define PA_FFT_LEVELS 48

/* GSL's tables, made when a size is first used; all zero to begin with. */
typedef struct PaFft
{
	void	   *table[PA_FFT_LEVELS];	/* of size 2^i */
	void	   *work[PA_FFT_LEVELS];
} PaFft;

/*
 * In place; n >= 1 a power of two below 2^PA_FFT_LEVELS; backward is without the
 * factor 1/n.  PA_NO_MEMORY.
 */
extern PaStatus pa_fft_forward(PaFft *fft, PaComplex *z, size_t n);
extern PaStatus pa_fft_backward(PaFft *fft, PaComplex *z, size_t n);

/* Frees what was made. */
extern void pa_fft_close(PaFft *fft);

/* The 2-norm of the error of either is at most this times the 2-norm of the result. */
extern double pa_fft_error(size_t n);

#endif							/* PA_FFT_H */
