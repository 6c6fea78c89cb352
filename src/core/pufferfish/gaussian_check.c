/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaussian_check.c
 *		Whether a covariance can be used, which its eigenvalues say.
 *
 * GSL finds them within some 1e-15 of the largest, times the number of rows, so
 * those above 1e-12 of it are told from smaller ones.
 */
#include "core/pufferfish/gaussian.h"

#include <gsl/gsl_eigen.h>
#include <math.h>

#define MOST_CONDITION 1e12

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

static PaFault
fault_of_eigenvalues(const double *eigenvalue, int n)
{
	double		least = INFINITY;
	double		most = 0;
	int			i;

	for (i = 0; i < n; i++)
	{
		least = fmin(least, eigenvalue[i]);
		most = fmax(most, eigenvalue[i]);
	}
	if (!(least > -most / MOST_CONDITION && most > 0))
		return PA_FAULT_INDEFINITE;
	if (!(least > 0 && most <= MOST_CONDITION * least))
		return PA_FAULT_CONDITION;
	return PA_FAULT_NONE;
}

/* Such that no square overflows */
static void
copy_scaled(const PaGaussianRows *rows, double *matrix)
{
	int			cells = rows->rows * rows->rows;
	double		most = 0;
	int			i;

	for (i = 0; i < cells; i++)
		most = fmax(most, fabs(rows->covariance[i]));
	for (i = 0; i < cells; i++)
		matrix[i] = most > 0 ? rows->covariance[i] / most : 0;
}

/* scratch: rows * rows numbers for the matrix, which is overwritten, and rows for its eigenvalues */
static PaStatus
find_eigenvalues(const PaGaussianRows *rows, double *scratch)
{
	size_t		n = (size_t) rows->rows;
	gsl_matrix_view matrix = gsl_matrix_view_array(scratch, n, n);
	gsl_vector_view eigenvalues = gsl_vector_view_array(scratch + n * n, n);
	gsl_eigen_symm_workspace *workspace = gsl_eigen_symm_alloc(n);

	if (workspace == NULL)
		return PA_NO_MEMORY;
	copy_scaled(rows, scratch);
	(void) gsl_eigen_symm(&matrix.matrix, &eigenvalues.vector, workspace);
	gsl_eigen_symm_free(workspace);
	return PA_OK;
}

PaStatus
pa_gaussian_check(const PaGaussianRows *rows, const PaEnvironment *environment, PaFault *fault)
{
	PaFault		found = fault_of_numbers(rows);
	size_t		n = (size_t) rows->rows;
	double	   *scratch;
	PaStatus	status;

	if (found != PA_FAULT_NONE)
		return pa_fault(fault, found);
	scratch = environment->allocate(environment->context, (n + 1) * n * sizeof(double));
	if (scratch == NULL)
		return PA_NO_MEMORY;
	status = find_eigenvalues(rows, scratch);
	if (status == PA_OK)
		found = fault_of_eigenvalues(scratch + n * n, rows->rows);
	environment->release(environment->context, scratch);
	return found == PA_FAULT_NONE ? status : pa_fault(fault, found);
}
