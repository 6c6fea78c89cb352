/*
 * fft.c
 *		Transforms by halving the modulus x^n - 1.
 *
 * A polynomial modulo x^2m - c^2 is split into its rests modulo x^m - c and
 * x^m + c; at the end stand the values at all roots.  Block b of any level has
 * c = exp(-2 pi i rev(b)/2), rev(b) the bits of b behind the point in reverse, so
 * one table, independent of n, serves all levels, and inner loops run over
 * neighbours with a constant c.  Two levels are done in one pass over memory.
 *
 * GSL is not used here: its radix-2 routine finds twiddles by recurrence, whose
 * error grows with n, and its others allocate by themselves.
 *
 * Error bound: a level maps (x, y) to (x + c y, x - c y), sqrt(2) times a unitary
 * map.  With u = 2^-53 a complex product has relative error below sqrt(5) u
 * (Brent, Percival, Zimmermann 2007), a sum u, a twiddle u: relative to the norm
 * less than 4.5 u a level, to first order; the argument is that of Higham,
 * Accuracy and Stability of Numerical Algorithms, Theorem 24.2.  We claim 5 u.
 */
#include "core/optimize/fft.h"

#include <float.h>
#include <math.h>

static inline PaComplex
times(PaComplex a, PaComplex b)
{
	return (PaComplex) {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline PaComplex
times_conjugate(PaComplex a, PaComplex b)
{
	return (PaComplex) {a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
}

static inline PaComplex
plus(PaComplex a, PaComplex b)
{
	return (PaComplex) {a.re + b.re, a.im + b.im};
}

static inline PaComplex
minus(PaComplex a, PaComplex b)
{
	return (PaComplex) {a.re - b.re, a.im - b.im};
}

/* Block b + filled, filled a power of two above b, turns by half as much more than b. */
void
pa_fft_twiddles(PaComplex *twiddles, size_t n)
{
	size_t		filled;
	size_t		b;

	twiddles[0] = (PaComplex) {1.0, 0.0};
	for (filled = 1; filled < n / 2; filled *= 2)
		for (b = 0; b < filled; b++)
		{
			double		turn = 0;
			double		bit = 0.25;
			size_t		rest;

			for (rest = b + filled; rest > 0; rest >>= 1, bit *= 0.5)
				turn += (rest & 1) != 0 ? bit : 0;
			twiddles[b + filled] = (PaComplex) {cos(2.0 * M_PI * turn), -sin(2.0 * M_PI * turn)};
		}
}

static void
split(PaComplex *z, size_t half, PaComplex c)
{
	size_t		j;

	for (j = 0; j < half; j++)
	{
		PaComplex	y = times(z[j + half], c);

		z[j + half] = minus(z[j], y);
		z[j] = plus(z[j], y);
	}
}

/* A level with c and the next with its two square roots first and second. */
static void
split_twice(PaComplex *z, size_t quarter, PaComplex c, PaComplex first, PaComplex second)
{
	PaComplex  *z1 = z + quarter;
	PaComplex  *z2 = z1 + quarter;
	PaComplex  *z3 = z2 + quarter;
	size_t		j;

	for (j = 0; j < quarter; j++)
	{
		PaComplex	y2 = times(z2[j], c);
		PaComplex	y3 = times(z3[j], c);
		PaComplex	low = times(plus(z1[j], y3), first);
		PaComplex	high = times(minus(z1[j], y3), second);
		PaComplex	even = plus(z[j], y2);
		PaComplex	odd = minus(z[j], y2);

		z[j] = plus(even, low);
		z1[j] = minus(even, low);
		z2[j] = plus(odd, high);
		z3[j] = minus(odd, high);
	}
}

void
pa_fft_forward(PaComplex *z, size_t n, const PaComplex *twiddles)
{
	size_t		size = n;
	size_t		b;

	for (; size >= 4; size /= 4)
		for (b = 0; b < n / size; b++)
			split_twice(z + b * size, size / 4, twiddles[b], twiddles[2 * b], twiddles[2 * b + 1]);
	if (size == 2)
		for (b = 0; b < n / 2; b++)
			split(z + 2 * b, 1, twiddles[b]);
}

static void
join(PaComplex *z, size_t half, PaComplex c)
{
	size_t		j;

	for (j = 0; j < half; j++)
	{
		PaComplex	y = minus(z[j], z[j + half]);

		z[j] = plus(z[j], z[j + half]);
		z[j + half] = times_conjugate(y, c);
	}
}

static void
join_twice(PaComplex *z, size_t quarter, PaComplex c, PaComplex first, PaComplex second)
{
	PaComplex  *z1 = z + quarter;
	PaComplex  *z2 = z1 + quarter;
	PaComplex  *z3 = z2 + quarter;
	size_t		j;

	for (j = 0; j < quarter; j++)
	{
		PaComplex	even = plus(z[j], z1[j]);
		PaComplex	low = times_conjugate(minus(z[j], z1[j]), first);
		PaComplex	odd = plus(z2[j], z3[j]);
		PaComplex	high = times_conjugate(minus(z2[j], z3[j]), second);

		z[j] = plus(even, odd);
		z1[j] = plus(low, high);
		z2[j] = times_conjugate(minus(even, odd), c);
		z3[j] = times_conjugate(minus(low, high), c);
	}
}

void
pa_fft_backward(PaComplex *z, size_t n, const PaComplex *twiddles)
{
	size_t		size = 4;
	size_t		b;

	/* an odd number of levels leaves one of size two at the end of forward */
	if ((__builtin_ctzll(n) & 1) != 0)
	{
		for (b = 0; b < n / 2; b++)
			join(z + 2 * b, 1, twiddles[b]);
		size = 8;
	}
	for (; size <= n; size *= 4)
		for (b = 0; b < n / size; b++)
			join_twice(z + b * size, size / 4, twiddles[b], twiddles[2 * b], twiddles[2 * b + 1]);
}

size_t
pa_fft_opposite(size_t i)
{
	if (i == 0)
		return 0;
	return 3 * ((size_t) 1 << (63 - __builtin_clzll(i))) - 1 - i;
}

double
pa_fft_error(size_t n)
{
	return 2.5 * DBL_EPSILON * (__builtin_ctzll(n) + 1);
}
