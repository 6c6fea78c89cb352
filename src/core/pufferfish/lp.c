/*
 * lp.c
 *		GLPK behind a guard.
 *
 * GLPK calls abort() on what it takes for a fault, also when memory runs out.
 * While it runs its error hook jumps out instead, past GLPK's frames only, and
 * glp_free_env() returns all that GLPK has allocated.  Its messages are swallowed.
 */
#include "core/pufferfish/lp.h"

#include <glpk.h>
#include <setjmp.h>
#include <stddef.h>

#define SLICE_MS 20				/* between looks at interrupts */
#define MOST_SLICES 500

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
	jmp_buf		fault;
} Program;

static void
jump_out(void *program)
{
	longjmp(((Program *) program)->fault, 1);
}

static int
swallow(void *info, const char *message)
{
	(void) info;
	(void) message;
	return 1;
}

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

static bool
interrupted(const PaEnvironment *environment)
{
	return environment->interrupted != NULL && environment->interrupted(environment->context);
}

/* In slices of time, so that an interrupt is seen soon. */
static PaStatus
run(Program *program, int method)
{
	glp_smcp	how;
	int			code = GLP_ETMLIM;
	int			status;
	int			i;

	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.tm_lim = SLICE_MS;
	how.meth = method;
	for (i = 0; i < MOST_SLICES && code == GLP_ETMLIM; i++)
	{
		if (interrupted(program->environment))
			return PA_INTERRUPTED;
		code = glp_simplex(program->problem, &how);
	}
	status = glp_get_status(program->problem);
	program->infeasible = code == 0 && status == GLP_NOFEAS;
	return code == 0 && status == GLP_OPT ? PA_OK : PA_NO_SOLUTION;
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

/* After a fault the environment of GLPK is gone. */
static PaStatus
guarded(Program *program)
{
	PaStatus	status;

	if (setjmp(program->fault) != 0)
	{
		glp_free_env();
		return PA_NO_SOLUTION;
	}
	glp_error_hook(jump_out, program);
	glp_term_hook(swallow, NULL);
	build(program);
	status = solve(program);
	glp_delete_prob(program->problem);
	glp_term_hook(NULL, NULL);
	glp_error_hook(NULL, NULL);
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
	status = guarded(&program);
	environment->release(environment->context, program.value);
	if (infeasible != NULL)
		*infeasible = status == PA_NO_SOLUTION && program.infeasible;
	return status;
}
