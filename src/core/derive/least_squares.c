/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * least_squares.c
 *		Best linear unbiased estimates from answers of any rank, exact ones among them.
 *
 * Method.  Whole numbers choose (span.h): q exact answers E that are independent, with q
 * columns P where they have an inverse; and k further columns N that the noisy answers
 * determine.  The other columns are combinations of these, and are left out.
 *
 *		E:		B1 c_P + B2 c_N = y_E, so c_P = B1^-1 y_E - C c_N with C = B1^-1 B2
 *		noisy:	(X2 - X1 C) c_N = y - X1 B1^-1 y_E + noise
 *
 * The second is divided by the standard deviations and has full column rank: A = Q R by
 * Householder, the most certain rows first.  For a target, u = R^-T (t_N - C' t_P) has
 * |u|^2 = variance; a = Q u / sd for noisy answers, B1^-T (t_P - X1' a) for exact ones.
 */
#include "core/derive/least_squares.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_permute_vector.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "core/derive/span.h"

#define MOST_COEFFICIENT (INT64_C(1) << 53)
#define TOLERANCE 1e-9

typedef struct Problem
{
	const PaAnswers *answers;
	PaSpan		span;
	int			exact;			/* q */
	int			noisy;			/* answers with noise */
	int			free;			/* k */
	int		   *exact_row;		/* [q] which answers */
	size_t	   *noisy_row;		/* [noisy] which answers, by variance */
	size_t	   *order;			/* [q] permutation of the factors of B1 */
	double	   *inverse;		/* [q][q] factors of B1 */
	double	   *rest;			/* [q][k] C */
	double	   *factor;			/* [noisy][k] A, then its factors */
	double	   *tau;			/* [k] */
	double	   *left;			/* [noisy] scratch */
	double	   *right;			/* [q] scratch */
} Problem;

static double
coefficient(const Problem *p, int row, int column)
{
	return (double) p->answers->query[(size_t) row * (size_t) p->answers->cells + (size_t) column];
}

static bool
valid(const PaAnswers *answers, const int64_t *target, int targets)
{
	size_t		cells = (size_t) answers->cells;
	size_t		i;

	if (answers->answers < 0 || answers->cells < 1 || targets < 0)
		return false;
	for (i = 0; i < (size_t) answers->answers * cells; i++)
		if (answers->query[i] < -MOST_COEFFICIENT || answers->query[i] > MOST_COEFFICIENT)
			return false;
	for (i = 0; i < (size_t) targets * cells; i++)
		if (target[i] < -MOST_COEFFICIENT || target[i] > MOST_COEFFICIENT)
			return false;
	for (i = 0; i < (size_t) answers->answers; i++)
		if (!(answers->variance[i] >= 0 && isfinite(answers->variance[i])))
			return false;
	return true;
}

/* Adds the answers that are exact, or those that are not, to what is spanned. */
static PaStatus
add_answers(Problem *p, bool exact, const PaEnvironment *environment)
{
	int			i;

	for (i = 0; i < p->answers->answers; i++)
	{
		bool		independent;

		if ((p->answers->variance[i] == 0) != exact)
			continue;
		if (environment->interrupted && environment->interrupted(environment->context))
			return PA_INTERRUPTED;
		independent = pa_span_add(&p->span, p->answers->query + (size_t) i * (size_t) p->answers->cells);
		if (!exact)
			p->noisy++;
		else if (independent)
			p->exact_row[p->exact++] = i;
	}
	return PA_OK;
}

/* The noisy answers, the most certain first */
static void
sort_noisy(Problem *p)
{
	int			i;
	int			n = 0;

	if (p->answers->answers > 0)
		gsl_sort_index(p->noisy_row, p->answers->variance, 1, (size_t) p->answers->answers);
	for (i = 0; i < p->answers->answers; i++)
		if (p->answers->variance[p->noisy_row[i]] > 0)
			p->noisy_row[n++] = p->noisy_row[i];
}

/* The column of the i-th unknown that the noisy answers determine */
static int
free_column(const Problem *p, int i)
{
	return p->span.pivot[p->exact + i];
}

/* B1 into its factors, and C */
static bool
solve_exact(Problem *p)
{
	gsl_matrix_view inverse;
	gsl_permutation order = {(size_t) p->exact, p->order};
	int			sign;
	int			i;
	int			j;

	if (p->exact == 0)
		return true;
	inverse = gsl_matrix_view_array(p->inverse, (size_t) p->exact, (size_t) p->exact);
	for (i = 0; i < p->exact; i++)
		for (j = 0; j < p->exact; j++)
			gsl_matrix_set(&inverse.matrix, (size_t) i, (size_t) j, coefficient(p, p->exact_row[i], p->span.pivot[j]));
	if (gsl_linalg_LU_decomp(&inverse.matrix, &order, &sign) != GSL_SUCCESS)
		return false;
	for (j = 0; j < p->free; j++)
	{
		gsl_vector_view column = gsl_vector_view_array_with_stride(p->rest + j, (size_t) p->free, (size_t) p->exact);

		for (i = 0; i < p->exact; i++)
			gsl_vector_set(&column.vector, (size_t) i, coefficient(p, p->exact_row[i], free_column(p, j)));
		if (gsl_linalg_LU_svx(&inverse.matrix, &order, &column.vector) != GSL_SUCCESS)
			return false;
	}
	return true;
}

/* A and its factors */
static bool
solve_noisy(Problem *p)
{
	gsl_matrix_view factor;
	gsl_vector_view tau;
	int			i;
	int			j;
	int			e;

	if (p->free == 0)
		return true;
	for (i = 0; i < p->noisy; i++)
	{
		int			row = (int) p->noisy_row[i];
		double		deviation = sqrt(p->answers->variance[row]);

		for (j = 0; j < p->free; j++)
		{
			double		sum = coefficient(p, row, free_column(p, j));

			for (e = 0; e < p->exact; e++)
				sum -= coefficient(p, row, p->span.pivot[e]) * p->rest[(size_t) e * (size_t) p->free + (size_t) j];
			p->factor[(size_t) i * (size_t) p->free + (size_t) j] = sum / deviation;
		}
	}
	factor = gsl_matrix_view_array(p->factor, (size_t) p->noisy, (size_t) p->free);
	tau = gsl_vector_view_array(p->tau, (size_t) p->free);
	return gsl_linalg_QR_decomp(&factor.matrix, &tau.vector) == GSL_SUCCESS;
}

/* Weights of noisy answers, and the variance */
static bool
weigh_noisy(Problem *p, const int64_t *target, double *weight, double *variance)
{
	gsl_matrix_view factor;
	gsl_matrix_view r;
	gsl_vector_view tau;
	gsl_vector_view left;
	gsl_vector_view u;
	int			i;
	int			e;

	*variance = 0;
	if (p->free == 0)
		return true;
	factor = gsl_matrix_view_array(p->factor, (size_t) p->noisy, (size_t) p->free);
	r = gsl_matrix_submatrix(&factor.matrix, 0, 0, (size_t) p->free, (size_t) p->free);
	tau = gsl_vector_view_array(p->tau, (size_t) p->free);
	left = gsl_vector_view_array(p->left, (size_t) p->noisy);
	u = gsl_vector_view_array(p->left, (size_t) p->free);
	memset(p->left, 0, (size_t) p->noisy * sizeof(double));
	for (i = 0; i < p->free; i++)
	{
		p->left[i] = (double) target[free_column(p, i)];
		for (e = 0; e < p->exact; e++)
			p->left[i] -= p->rest[(size_t) e * (size_t) p->free + (size_t) i] * (double) target[p->span.pivot[e]];
	}
	if (gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &r.matrix, &u.vector) != GSL_SUCCESS)
		return false;
	for (i = 0; i < p->free; i++)
		*variance += p->left[i] * p->left[i];
	if (gsl_linalg_QR_Qvec(&factor.matrix, &tau.vector, &left.vector) != GSL_SUCCESS)
		return false;
	for (i = 0; i < p->noisy; i++)
		weight[p->noisy_row[i]] = p->left[i] / sqrt(p->answers->variance[p->noisy_row[i]]);
	return true;
}

/* Weights of exact answers, given those of the others */
static bool
weigh_exact(Problem *p, const int64_t *target, double *weight)
{
	gsl_matrix_view inverse;
	gsl_vector_view right;
	gsl_permutation order = {(size_t) p->exact, p->order};
	int			i;
	int			e;

	if (p->exact == 0)
		return true;
	for (e = 0; e < p->exact; e++)
	{
		p->right[e] = (double) target[p->span.pivot[e]];
		for (i = 0; i < p->noisy; i++)
			p->right[e] -= coefficient(p, (int) p->noisy_row[i], p->span.pivot[e]) * weight[p->noisy_row[i]];
	}
	inverse = gsl_matrix_view_array(p->inverse, (size_t) p->exact, (size_t) p->exact);
	right = gsl_vector_view_array(p->right, (size_t) p->exact);
	/* B1 = O' L U for the permutation O, so B1' = U' L' O */
	if (gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &inverse.matrix, &right.vector) != GSL_SUCCESS ||
		gsl_blas_dtrsv(CblasLower, CblasTrans, CblasUnit, &inverse.matrix, &right.vector) != GSL_SUCCESS ||
		gsl_permute_vector_inverse(&order, &right.vector) != GSL_SUCCESS)
		return false;
	for (e = 0; e < p->exact; e++)
		weight[p->exact_row[e]] = p->right[e];
	return true;
}

/* Whether X'a = t, as near as the target's largest part asks: false also for what is not a number */
static bool
unbiased(const Problem *p, const int64_t *target, const double *weight)
{
	double		largest = 0;
	int			i;
	int			j;

	for (j = 0; j < p->answers->cells; j++)
		largest = fmax(largest, fabs((double) target[j]));
	for (j = 0; j < p->answers->cells; j++)
	{
		double		sum = -(double) target[j];

		for (i = 0; i < p->answers->answers; i++)
			sum += weight[i] * coefficient(p, i, j);
		if (!(fabs(sum) <= TOLERANCE * largest))
			return false;
	}
	return true;
}

static PaStatus
estimate(Problem *p, const int64_t *target, int targets, PaEstimates *estimates)
{
	int			t;

	for (t = 0; t < targets; t++)
	{
		size_t		cells = (size_t) t * (size_t) p->answers->cells;
		double	   *weight = estimates->weight + (size_t) t * (size_t) p->answers->answers;

		memset(weight, 0, (size_t) p->answers->answers * sizeof(double));
		estimates->variance[t] = INFINITY;
		estimates->estimable[t] = pa_span_has(&p->span, target + cells,
											  estimates->missing ? estimates->missing + cells : NULL);
		if (estimates->estimable[t] &&
			!(weigh_noisy(p, target + cells, weight, &estimates->variance[t]) &&
			  weigh_exact(p, target + cells, weight) &&
			  unbiased(p, target + cells, weight)))
			return PA_NO_SOLUTION;
	}
	return PA_OK;
}

/* Memory whose size depends on how many answers are exact and on the rank */
static PaStatus
solve(Problem *p, const int64_t *target, int targets, const PaEnvironment *environment, PaEstimates *estimates)
{
	size_t		q = (size_t) p->exact;
	size_t		k = (size_t) p->free;
	size_t		m = (size_t) p->noisy;
	double	   *memory = environment->allocate(environment->context,
											   (q * q + q * k + m * k + k + m + q + 1) * sizeof(double));
	PaStatus	status;

	if (memory == NULL)
		return PA_NO_MEMORY;
	p->inverse = memory;
	p->rest = p->inverse + q * q;
	p->factor = p->rest + q * k;
	p->tau = p->factor + m * k;
	p->left = p->tau + k;
	p->right = p->left + m;
	status = solve_exact(p) && solve_noisy(p) ? estimate(p, target, targets, estimates) : PA_NO_SOLUTION;
	environment->release(environment->context, memory);
	return status;
}

/* Which answers are used, and how: needs what is spanned to be empty */
static PaStatus
choose_rows(Problem *p, const PaEnvironment *environment)
{
	PaStatus	status = add_answers(p, true, environment);

	if (status == PA_OK)
		status = add_answers(p, false, environment);
	p->free = p->span.rank - p->exact;
	sort_noisy(p);
	return status;
}

PaStatus
pa_least_squares(const PaAnswers *answers, const int64_t *target, int targets,
				 const PaEnvironment *environment, PaEstimates *estimates)
{
	Problem		p = {.answers = answers};
	size_t		n = (size_t) answers->answers;
	PaStatus	status;

	if (!valid(answers, target, targets))
		return PA_INVALID;
	status = pa_span_make(answers->cells, answers->answers, environment, &p.span);
	if (status != PA_OK)
		return status;
	p.noisy_row = environment->allocate(environment->context, n * (2 * sizeof(size_t) + sizeof(int)) + 1);
	if (p.noisy_row == NULL)
	{
		pa_span_free(&p.span, environment);
		return PA_NO_MEMORY;
	}
	p.order = p.noisy_row + n;
	p.exact_row = (int *) (p.order + n);
	status = choose_rows(&p, environment);
	if (status == PA_OK)
		status = solve(&p, target, targets, environment, estimates);
	environment->release(environment->context, p.noisy_row);
	pa_span_free(&p.span, environment);
	return status;
}

double
pa_weighted_sum(const double *weight, const double *released, int answers)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < answers; i++)
		sum += weight[i] * released[i];
	return sum;
}
