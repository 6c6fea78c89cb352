/*
 * law.h
 *		The numbers of a discrete law whose scale is any double.
 *
 * kernel.c reads it with a kernel's exact dyadic scale (a double holds every
 * one of them); tests read it with the scales of published figures.
 */
#ifndef PA_LAW_H
#define PA_LAW_H

#include <stdint.h>

#include "core/noise/kernel.h"

typedef struct PaLaw
{
	PaKernelKind kind;
	double		scale;
	double		peak;			/* Pr[N = 0] */
} PaLaw;

/* scale > 0, finite */
extern PaLaw pa_law_make(PaKernelKind kind, double scale);

/* Pr[N = k], Pr[N >= k]; to nearest, relative error below PA_LAW_ERROR.  k is whole. */
#define PA_LAW_ERROR 4e-12
extern double pa_law_pmf(const PaLaw *law, double k);
extern double pa_law_tail(const PaLaw *law, double k);

/* As pa_kernel_delta and pa_kernel_rho: rounded up; shift is whole, >= 0. */
extern double pa_law_delta(const PaLaw *law, double shift, double epsilon);
extern double pa_law_rho(const PaLaw *law, double shift);

/* Sum of p(k+j)/p(k) over j >= 0 for the Gaussian law, k >= 1. */
extern double pa_law_gaussian_run(double sigma, double k);

#endif							/* PA_LAW_H */
