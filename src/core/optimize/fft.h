/*
 * fft.h
 *		Fast Fourier transform of a power of two, with an error bound.
 *
 * Forward leaves the frequencies in bit-reversed order and backward takes them
 * so: nothing here needs them sorted.  In that order the frequency -k of the one
 * at i >= 1 stands at 3 * 2^j - 1 - i, where 2^j is the highest power of two in i,
 * and frequency 0 at 0.
 */
#ifndef PA_FFT_H
#define PA_FFT_H

#include <stddef.h>

typedef struct PaComplex
{
	double		re;
	double		im;
} PaComplex;

/* Fills the n/2 twiddles that serve every power of two up to n >= 2. */
extern void pa_fft_twiddles(PaComplex *twiddles, size_t n);

/* In place; n >= 1 a power of two; backward is without the factor 1/n. */
extern void pa_fft_forward(PaComplex *z, size_t n, const PaComplex *twiddles);
extern void pa_fft_backward(PaComplex *z, size_t n, const PaComplex *twiddles);

/* Where the frequency stands that is the negative of the one at i. */
extern size_t pa_fft_opposite(size_t i);

/* The 2-norm of the error of either is at most this times the 2-norm of the result. */
extern double pa_fft_error(size_t n);

#endif							/* PA_FFT_H */
