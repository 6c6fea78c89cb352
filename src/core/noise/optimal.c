/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * optimal.c
 *		The linear program of additive noise, and integers that keep its promise.
 *
 * Unknown are the masses p_0 >= p_1 >= ... >= p_last >= 0 of |N|, with
 * p_0 + 2 (p_1 + ... + p_last) = 1.  The profile at the shift D is
 *		sum over k of max(0, p(k) - c p(k - D)),	c = e^epsilon,
 * to which only k < D/2 contribute, as p does not grow with |k| and c >= 1.  A
 * slack v_k >= p(k) - c p(k - D), v_k >= 0, stands for each of them that has a
 * partner; without one p(k) itself counts.  Greatest is p_0 + 2 (p_1 + ... + p_band).
 * A lesser c is a stronger promise, so c is at most e^MOST_LOSS: beyond that the
 * program would not be solved in doubles, and the tails it governs weigh nothing.
 *
 * The solver is trusted for nothing but usefulness.  Its masses are cut to
 * multiples of 2^-60, made not to grow, and their sum is the total; the profile
 * of exactly these integers, rounded up, is compared with delta.  If it is above,
 * the program is solved again for a lower delta.
 */
#include "core/noise/optimal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/optimize/glpk.h"

#define MOST_LOSS 20.0			/* of the program: e^20 = 5e8 */
#define UNIT 0x1p60
#define DUST 1e-15				/* masses that are rounding errors of the solver */
#define SOLVES 6
#define ITERATIONS 20000		/* of a try, at most */

typedef struct Program
{
	int			shift;
	int			band;
	int			last;
	double		epsilon;
	double		allowed;		/* delta of the next solution */
	const PaEnvironment *environment;
	glp_prob   *problem;
	bool		lost;
	double		acceptance;		/* results */
	double		mass[PA_OPTIMAL_LAST + 1];
} Program;

/* Column of p_k; the slacks follow. */
static int
mass_column(int k)
{
	return abs(k) + 1;
}

/* One row of "count" coefficients; GLPK counts from 1. */
static void
add_row(glp_prob *problem, int kind, double low, double high, int count, const int *column, const double *value)
{
	int			row = glp_add_rows(problem, 1);

	glp_set_row_bnds(problem, row, kind, low, high);
	glp_set_mat_row(problem, row, count, column, value);
}

static void
add_masses(Program *program)
{
	int			column[PA_OPTIMAL_LAST + 2];
	double		value[PA_OPTIMAL_LAST + 2];
	int			k;

	glp_add_cols(program->problem, program->last + 1);
	for (k = 0; k <= program->last; k++)
	{
		column[k + 1] = mass_column(k);
		value[k + 1] = k == 0 ? 1.0 : 2.0;
		glp_set_col_bnds(program->problem, column[k + 1], GLP_LO, 0.0, 0.0);
		glp_set_obj_coef(program->problem, column[k + 1], k <= program->band ? value[k + 1] : 0.0);
	}
	add_row(program->problem, GLP_FX, 1.0, 1.0, program->last + 1, column, value);
}

static void
add_descent(Program *program)
{
	int			k;

	for (k = 0; k < program->last; k++)
	{
		int			column[3] = {0, mass_column(k), mass_column(k + 1)};
		double		value[3] = {0, 1.0, -1.0};

		add_row(program->problem, GLP_LO, 0.0, 0.0, 2, column, value);
	}
}

/* v_k + c p(k - D) - p(k) >= 0; returns the column of v_k */
static int
add_slack(Program *program, int k)
{
	int			slack = glp_add_cols(program->problem, 1);
	double		c = exp(fmin(program->epsilon, MOST_LOSS));
	int			column[4] = {0, slack, mass_column(k), mass_column(k - program->shift)};
	double		value[4] = {0, 1.0, -1.0, c};

	glp_set_col_bnds(program->problem, slack, GLP_LO, 0.0, 0.0);
	add_row(program->problem, GLP_LO, 0.0, 0.0, 3, column, value);
	return slack;
}

/* Row 2: what counts towards delta; its bound is set by each solve. */
static void
add_profile(Program *program)
{
	int			column[4 * PA_OPTIMAL_LAST];
	double		value[4 * PA_OPTIMAL_LAST];
	int			most = (program->shift - 1) / 2;
	int			count = 0;
	int			row = glp_add_rows(program->problem, 1);
	double		alone[PA_OPTIMAL_LAST + 1] = {0};
	int			k;

	for (k = -program->last; k <= most && k <= program->last; k++)
	{
		if (program->shift - k > program->last)
			alone[abs(k)] += 1.0;
		else
		{
			column[++count] = add_slack(program, k);
			value[count] = 1.0;
		}
	}
	for (k = 0; k <= program->last; k++)
	{
		if (alone[k] > 0)
		{
			column[++count] = mass_column(k);
			value[count] = alone[k];
		}
	}
	glp_set_mat_row(program->problem, row, count, column, value);
}

static PaStatus
build(void *context)
{
	Program    *program = context;

	program->problem = glp_create_prob();
	glp_set_obj_dir(program->problem, GLP_MAX);
	add_masses(program);
	add_profile(program);
	add_descent(program);
	glp_scale_prob(program->problem, GLP_SF_GM | GLP_SF_EQ | GLP_SF_2N);
	return PA_OK;
}

static PaStatus
run_simplex(Program *program, double tolerance, int method)
{
	glp_smcp	how;
	PaStatus	status;

	glp_init_smcp(&how);
	how.tol_bnd = how.tol_dj = tolerance;
	how.meth = method;
	status = pa_glpk_simplex(program->problem, &how, ITERATIONS, program->environment);
	return status == PA_OK && glp_get_status(program->problem) != GLP_OPT ? PA_NO_SOLUTION : status;
}

/*
 * Strict tolerances make the solver stall, or see no feasible point where there
 * are many, far more often than GLPK's own; hence those come first.
 */
static PaStatus
solve(void *context)
{
	Program    *program = context;
	static const struct
	{
		double		tolerance;
		int			method;
	}			tries[] = {{1e-7, GLP_PRIMAL}, {1e-7, GLP_DUAL}, {1e-9, GLP_PRIMAL}};
	PaStatus	status = PA_NO_SOLUTION;
	int			k;

	glp_set_row_bnds(program->problem, 2, GLP_UP, 0.0, program->allowed);
	for (k = 0; k < 3 && status == PA_NO_SOLUTION; k++)
	{
		if (k > 0)
			glp_std_basis(program->problem);
		status = run_simplex(program, tries[k].tolerance, tries[k].method);
	}
	if (status != PA_OK)
		return status;
	program->acceptance = glp_get_obj_val(program->problem);
	for (k = 0; k <= program->last; k++)
		program->mass[k] = glp_get_col_prim(program->problem, mass_column(k));
	return PA_OK;
}

static PaStatus
tear_down(void *context)
{
	Program    *program = context;

	glp_delete_prob(program->problem);
	program->problem = NULL;
	return PA_OK;
}

/* Cuts the masses to weights; returns the last one that is not zero. */
static int32_t
cut(const Program *program, uint64_t *weight, uint64_t *total)
{
	int32_t		last = 0;
	int32_t		k;

	*total = 0;
	for (k = 0; k <= program->last; k++)
	{
		double		mass = program->mass[k] > DUST ? fmin(program->mass[k], 1.0) : 0.0;

		weight[k] = (uint64_t) (mass * UNIT);
		if (k > 0 && weight[k] > weight[k - 1])
			weight[k] = weight[k - 1];
		if (weight[k] > 0)
			last = k;
		*total += (k == 0 ? 1 : 2) * weight[k];
	}
	return last;
}

/* The excess of the profile of the weights over delta, 0 or below if there is none. */
static double
excess(const Program *program, const PaNoiseTable *table, double delta)
{
	PaLaw		law;

	if (pa_law_table(table, &law) != PA_OK)
		return INFINITY;
	return pa_law_delta(&law, program->shift, program->epsilon) - delta;
}

/* Solves for less and less until the weights themselves keep delta. */
static PaStatus
solve_soundly(Program *program, double delta, uint64_t *weight, PaNoiseTable *table)
{
	double		over;
	PaStatus	status;
	int			i;

	program->allowed = delta * (1.0 - 1e-9);
	for (i = 0; i < SOLVES; i++)
	{
		status = pa_glpk_run(solve, program, &program->lost);
		if (status != PA_OK)
			return status;
		table->last = cut(program, weight, &table->total);
		table->weight = weight;
		over = excess(program, table, delta);
		if (over <= 0)
			return PA_OK;
		program->allowed -= ldexp(fmax(over, 1e-9 * delta), i);
		if (!(program->allowed > 0))
			break;
	}
	return PA_NO_SOLUTION;
}

static PaStatus
start(int64_t shift, int64_t band, int32_t last, double epsilon, double delta,
	  const PaEnvironment *environment, Program *program)
{
	if (!(epsilon > 0 && isfinite(epsilon) && delta > 0 && delta < 1) ||
		shift < 1 || band < 0 || band > last || last > PA_OPTIMAL_LAST)
		return PA_INVALID;
	if (shift > 2 * (int64_t) last)
		return PA_NO_SOLUTION;	/* nothing overlaps: delta is 1 */
	program->shift = (int) shift;
	program->band = (int) band;
	program->last = (int) last;
	program->epsilon = epsilon;
	program->environment = environment;
	return pa_glpk_run(build, program, &program->lost);
}

/* The table and its weights as one block. */
static PaStatus
pack(const PaNoiseTable *from, const PaEnvironment *environment, PaNoiseTable **table)
{
	size_t		size = sizeof(PaNoiseTable) + ((size_t) from->last + 1) * sizeof(uint64_t);
	PaNoiseTable *made = environment->allocate(environment->context, size);
	uint64_t   *weight;
	int32_t		k;

	if (made == NULL)
		return PA_NO_MEMORY;
	weight = (uint64_t *) (made + 1);
	for (k = 0; k <= from->last; k++)
		weight[k] = from->weight[k];
	*made = *from;
	made->weight = weight;
	*table = made;
	return PA_OK;
}

PaStatus
pa_optimal_noise(int64_t shift, int64_t band, int32_t last, double epsilon, double delta,
				 const PaEnvironment *environment, PaNoiseTable **table)
{
	Program		program = {0};
	uint64_t	weight[PA_OPTIMAL_LAST + 1];
	PaNoiseTable found;
	PaStatus	status;

	if (environment == NULL)
		return PA_INVALID;
	status = start(shift, band, last, epsilon, delta, environment, &program);
	if (status == PA_OK)
		status = solve_soundly(&program, delta, weight, &found);
	if (program.problem != NULL && !program.lost)
		(void) pa_glpk_run(tear_down, &program, &program.lost);
	return status == PA_OK ? pack(&found, environment, table) : status;
}

PaStatus
pa_optimal_acceptance(int64_t shift, int64_t band, int32_t last, double epsilon, double delta,
					  const PaEnvironment *environment, double *acceptance)
{
	Program		program = {0};
	PaStatus	status;

	status = start(shift, band, last, epsilon, delta, environment, &program);
	program.allowed = delta;
	if (status == PA_OK)
		status = pa_glpk_run(solve, &program, &program.lost);
	if (program.problem != NULL && !program.lost)
		(void) pa_glpk_run(tear_down, &program, &program.lost);
	if (status == PA_OK)
		*acceptance = program.acceptance;
	return status;
}
