/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lp.c
 *		A program in rows becomes one of GLPK's.
 */
#include "core/pufferfish/lp.h"

#include <stddef.h>

#include "core/optimize/glpk.h"

#define ITERATIONS 200000		/* of a try, at most */

typedef struct Program
{
	const PaLp *lp;
	const PaEnvironment *environment;
	glp_prob   *problem;
	int		   *column;			/* one row of GLPK's, which counts from 1 */
	double	   *value;
	double	   *x;
	double	   *multiplier;
	bool		infeasible;
} Program;

static void
add_rows(Program *program)
{
	const PaLp *lp = program->lp;
	int			i;
	int			j;

	glp_add_rows(program->problem, lp->rows);
	for (i = 0; i < lp->rows; i++)
	{
		int			count = 0;

		for (j = 0; j < lp->columns; j++)
			if (lp->row[(size_t) i * (size_t) lp->columns + (size_t) j] != 0)
			{
				program->column[++count] = j + 1;
				program->value[count] = lp->row[(size_t) i * (size_t) lp->columns + (size_t) j];
			}
		glp_set_row_bnds(program->problem, i + 1, i < lp->least ? GLP_UP : GLP_FX, lp->right[i], lp->right[i]);
		glp_set_mat_row(program->problem, i + 1, count, program->column, program->value);
	}
}

static void
build(Program *program)
{
	int			j;

	program->problem = glp_create_prob();
	glp_set_obj_dir(program->problem, GLP_MIN);
	glp_add_cols(program->problem, program->lp->columns);
	for (j = 0; j < program->lp->columns; j++)
	{
		glp_set_col_bnds(program->problem, j + 1, GLP_LO, 0.0, 0.0);
		glp_set_obj_coef(program->problem, j + 1, program->lp->cost[j]);
	}
	add_rows(program);
	glp_scale_prob(program->problem, GLP_SF_GM | GLP_SF_EQ | GLP_SF_2N);
}

static PaStatus
run(Program *program, int method)
{
	glp_smcp	how;
	PaStatus	status;

	glp_init_smcp(&how);
	how.meth = method;
	status = pa_glpk_simplex(program->problem, &how, ITERATIONS, program->environment);
	program->infeasible = status == PA_OK && glp_get_status(program->problem) == GLP_NOFEAS;
	return status == PA_OK && glp_get_status(program->problem) != GLP_OPT ? PA_NO_SOLUTION : status;
}

static PaStatus
solve(Program *program)
{
	PaStatus	status = run(program, GLP_PRIMAL);
	int			i;

	if (status == PA_NO_SOLUTION && !program->infeasible)
	{
		glp_std_basis(program->problem);
		status = run(program, GLP_DUALP);
	}
	for (i = 0; status == PA_OK && program->x != NULL && i < program->lp->columns; i++)
		program->x[i] = glp_get_col_prim(program->problem, i + 1);
	for (i = 0; status == PA_OK && program->multiplier != NULL && i < program->lp->rows; i++)
		program->multiplier[i] = -glp_get_row_dual(program->problem, i + 1);
	return status;
}

static PaStatus
build_and_solve(void *context)
{
	Program    *program = context;
	PaStatus	status;

	build(program);
	status = solve(program);
	glp_delete_prob(program->problem);
	return status;
}

PaStatus
pa_lp_solve(const PaLp *lp, const PaEnvironment *environment, double *x, double *multiplier, bool *infeasible)
{
	Program		program = {.lp = lp, .environment = environment, .x = x, .multiplier = multiplier};
	size_t		count = (size_t) lp->columns + 1;
	PaStatus	status;

	if (lp->columns < 1 || lp->rows < 1 || (double) lp->columns * lp->rows > PA_LP_CELLS)
		return PA_INVALID;
	program.value = environment->allocate(environment->context, count * (sizeof(double) + sizeof(int)));
	if (program.value == NULL)
		return PA_NO_MEMORY;
	program.column = (int *) (program.value + count);
	status = pa_glpk_run(build_and_solve, &program, NULL);
	environment->release(environment->context, program.value);
	if (infeasible != NULL)
		*infeasible = status == PA_NO_SOLUTION && program.infeasible;
	return status;
}
