/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pld_convolve.h
 *		Sums of many independent losses, under an exponential tilt.
 *
 * A tilted law has, at the loss width * (lowest + i), at least the mass that the
 * loss has there:
 *		weight[i] e^(log_moment - tilt width (lowest + i)),
 * weights adding to 1.  Under the right tilt the losses that decide on delta are
 * in the middle of the weights, however small delta is.
 */
#ifndef PA_PLD_CONVOLVE_H
#define PA_PLD_CONVOLVE_H

#include "core/accounting/pld_grid.h"
#include "core/optimize/fft.h"

#define PA_CONVOLVE_MOST ((int64_t) 1 << 20)	/* largest transform */

typedef struct PaTilted
{
	int64_t		lowest;
	int64_t		count;
	double	   *weight;
	double		log_moment;
	double		infinite;		/* Pr[L = infinity], without tilt */
	double		mean;			/* of the weights, in points */
	double		variance;
	double		norm;			/* their 2-norm */
} PaTilted;

typedef struct PaConvolver
{
	PaPool	   *pool;
	double		width;
	double		tilt;			/* >= 0 */
	double		budget;			/* how much may move to infinity at each step */
	PaFft		fft;
	PaComplex  *product;
	PaComplex  *factor;
	int64_t		size;			/* of what those two are made for */
} PaConvolver;

/* ln of the sum of weight[i] e^(x (lowest + i)); not all weights are 0. */
extern double pa_log_phi(const double *weight, int64_t count, int64_t lowest, double x);

extern void pa_convolver_init(PaConvolver *convolver, PaPool *pool, double width, double tilt, double budget);
extern void pa_convolver_close(PaConvolver *convolver);

/*
 * The grid's own mass is released.  All three return PA_OUT_OF_RANGE if the
 * result would need more than PA_CONVOLVE_MOST points.
 */
extern PaStatus pa_tilted_make(PaConvolver *convolver, const PaGrid *grid, PaTilted *law);

/* Replaces the law by that of so many (a whole number >= 1) independent copies. */
extern PaStatus pa_tilted_power(PaConvolver *convolver, double times, PaTilted *law);

/* The law of the sum of all, whose weights are released; count >= 1. */
extern PaStatus pa_tilted_sum(PaConvolver *convolver, PaTilted *laws, int64_t count, PaTilted *sum);

/* delta at epsilon >= 0, infinite losses included. */
extern double pa_tilted_delta(const PaConvolver *convolver, const PaTilted *law, double epsilon);

/* The least epsilon >= 0 with at most that delta; INFINITY if there is none. */
extern double pa_tilted_epsilon(const PaConvolver *convolver, const PaTilted *law, double delta);

#endif							/* PA_PLD_CONVOLVE_H */
