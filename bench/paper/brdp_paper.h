/*
 * brdp_paper.h
 *		The algorithms of a paper as they are printed there.  NOT VALID.
 *
 * Jiang, Du, Sagar and Yan, "Budget Recycling Differential Privacy"
 * (arXiv:2403.11445), Algorithms 1 to 4.  What they return need not be private:
 * docs/research/paper-brdp.md shows by how much.  They are here to be compared with,
 * and nothing outside of bench/paper may include this file.
 *
 * Notation of the paper: theta error bound, D sensitivity, q recycling rate,
 * (epsilon_y, delta_y) budget of the kernel with delta_y = delta, W and L
 * equations (7) and (6).
 */
#ifndef BRDP_PAPER_H
#define BRDP_PAPER_H

#include <stdbool.h>

#include "query.h"

/* What the paper answers. */
typedef struct PaperRecycler
{
	double		epsilon_y;
	double		scale;			/* b or sigma of the kernel */
	double		q;
	double		claimed_delta;	/* equation (8) at epsilon */
	double		acceptance;		/* p/(1 - pbar q), equation (9): this one is right */
} PaperRecycler;

/* What Algorithm 2 minimises. */
typedef enum PaperObjective
{
	PAPER_AS_PRINTED,			/* equation (10), where q and 1 - q are interchanged */
	PAPER_AS_MEANT				/* the inverse of the acceptance (9) */
} PaperObjective;

/* The kernel's scale for (epsilon_y, delta): analytic Gaussian, Laplace with its delta used up. */
extern bool paper_scale(const Query *query, double epsilon_y, double *scale);

/* Equation (7) for a kernel of the given scale. */
extern double paper_weight(const Query *query, double scale);

/* Equation (8): what Proposition 2 says about a kernel of the given scale. */
extern double paper_delta(const Query *query, double scale, double q);

/* Remark 1. */
extern double paper_baseline(double epsilon, double epsilon_y);

/* Algorithm 1: q for a kernel. */
extern bool paper_recycling_rate(const Query *query, double epsilon_y, PaperRecycler *answer);

/*
 * Algorithm 2: the kernel too, by ternary search.  sampling_sd is 0, or the
 * standard deviation of the sampling error in equation (13).
 */
extern bool paper_best_kernel(const Query *query, PaperObjective objective, double sampling_sd,
							  PaperRecycler *answer);

/*
 * The best of many epsilon_y instead: where the maximum of what Algorithm 2
 * searches really is.  Grid of epsilon times 10^-6 to 1, evenly in logarithms.
 */
extern bool paper_scan_kernels(const Query *query, PaperRecycler *answer);

/* Algorithm 3 as printed adds up from k = 1, Theorem 3 from k = 0. */
typedef enum PaperSum
{
	PAPER_ALGORITHM_3,
	PAPER_THEOREM_3
} PaperSum;

/*
 * Algorithm 3, and bisection: epsilon at delta of so many releases.  The
 * kernel's own composition is exact for Gaussian noise and by Renyi divergences
 * for Laplace noise, as in the paper.
 */
extern double paper_composed_epsilon(const Query *query, double scale, double q, int times,
									 PaperSum sum, double delta);

/* The standard deviations of Proposition 6 depend on the rate like this. */
typedef struct PaperSample
{
	double		sd;				/* of the sampling error at rate 1/2 */
} PaperSample;

extern double paper_sampling_sd(const PaperSample *sample, double rate);

/* Theorem 4, backwards: the budget on the sample. */
extern Query paper_sampled_query(const Query *query, double rate);

/* Algorithm 4: the sampling rate; *answer is the recycler on the sample. */
extern bool paper_best_rate(const Query *query, const PaperSample *sample, double *rate,
							PaperRecycler *answer);

/* Equation (13) as meant: the acceptance that the paper claims of all error together. */
extern double paper_claimed_acceptance(const Query *query, const PaperRecycler *recycler, double sampling_sd);

#endif							/* BRDP_PAPER_H */
