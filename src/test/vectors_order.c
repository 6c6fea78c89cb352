/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_order.c
 *		Test vectors of quantiles, extremes and modes, against the whole weights that are drawn from.
 *
 * Losses are rounded to a public unit, so ln of a probability may differ by the vector's log_slack.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/order/accuracy.h"
#include "core/order/mode.h"
#include "order_law.h"
#include "source.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST_RUNS 64
#define MOST_OUTCOMES 4096

typedef struct Problem
{
	PaCellRun	run[MOST_RUNS];
	PaCells		data;
	uint32_t	numerator[PA_QUANTILES_MOST];
	PaQuantiles quantiles;
	int32_t		owner_rows;
	PaExponential mechanism;
	long double law[MOST_OUTCOMES];
} Problem;

static bool
read_data(const Vector *vector, Problem *problem)
{
	size_t		count;
	double	   *hist = input_numbers(vector, "hist", &count);
	size_t		i;

	if (count / 2 > MOST_RUNS)
		return false;
	for (i = 0; i < count / 2; i++)
		problem->run[i] = (PaCellRun) {(int64_t) hist[2 * i], (int64_t) hist[2 * i + 1]};
	problem->data = (PaCells) {problem->run, count / 2, (int64_t) input(vector, "K")};
	problem->owner_rows = (int32_t) input(vector, "M");
	return true;
}

static int64_t
common(int64_t a, int64_t b)
{
	int64_t		x = a;
	int64_t		y = b;

	while (y != 0)
	{
		int64_t		rest = x % y;

		x = y;
		y = rest;
	}
	return a / x * b;
}

/* Quantiles come as fractions, in a flat array: over one denominator */
static bool
read_quantiles(const Vector *vector, Problem *problem)
{
	size_t		count;
	double	   *q = input_numbers(vector, "q", &count);
	int64_t		denominator = 1;
	size_t		i;

	if (count / 2 > PA_QUANTILES_MOST)
		return false;
	for (i = 0; i < count / 2; i++)
		denominator = common(denominator, (int64_t) q[2 * i + 1]);
	for (i = 0; i < count / 2; i++)
		problem->numerator[i] = (uint32_t) ((int64_t) q[2 * i] * (denominator / (int64_t) q[2 * i + 1]));
	problem->quantiles = (PaQuantiles) {problem->numerator, (int) (count / 2), (uint32_t) denominator};
	return true;
}

static bool
make_mechanism(double epsilon, Problem *problem)
{
	return pa_exponential_make(epsilon, pa_exponential_steps(epsilon), 1, &plain_memory, &problem->mechanism) == PA_OK;
}

static bool
near(const Vector *vector, double got, double want)
{
	return within(vector, got, want) || fabs(log(got) - log(want)) <= number(vector->tol, "log_slack");
}

static Outcome
compare_near(const Vector *vector, const char *name, const double *got, size_t count)
{
	size_t		wanted;
	double	   *want = expected_numbers(vector, name, &wanted);
	size_t		i;

	if (wanted != count)
		return complain(vector, "%zu numbers of %s, expected %zu", count, name, wanted);
	for (i = 0; i < count; i++)
		if (!near(vector, got[i], want[i]))
			return complain(vector, "%s[%zu] is %.17g, expected %.17g", name, i, got[i], want[i]);
	return PASSED;
}

static Outcome
compare_probes(const Vector *vector, const Problem *problem)
{
	size_t		count;
	int		   *probe = input_integers(vector, "probes", &count);
	double	   *at = room(count);
	double	   *up_to = room(count);
	long double sum = 0;
	size_t		i = 0;
	int			cell;

	for (cell = 0; cell < problem->data.cells && i < count; cell++)
	{
		sum += problem->law[cell];
		if (cell == probe[i])
		{
			at[i] = (double) problem->law[cell];
			up_to[i++] = (double) sum;
		}
	}
	return compare_near(vector, "pmf_at", at, count) == PASSED ?
		compare_near(vector, "cdf_at", up_to, count) : FAILED;
}

/* The law of one order statistic */
static Outcome
run_rank(const Vector *vector, Problem *problem, const PaRank *rank)
{
	size_t		cells = (size_t) problem->data.cells;
	double	   *pmf = room(cells);
	size_t		i;

	if (cells > MOST_OUTCOMES || !make_mechanism(input(vector, "eps"), problem))
		return complain(vector, "no mechanism");
	if (rank_law(&problem->data, rank, problem->owner_rows, &problem->mechanism, problem->law) != PA_OK)
		return complain(vector, "no law");
	pa_exponential_free(&problem->mechanism, &plain_memory);
	for (i = 0; i < cells; i++)
		pmf[i] = (double) problem->law[i];
	return json_object_get(vector->input, "probes") != NULL ? compare_probes(vector, problem) :
		compare_near(vector, "pmf", pmf, cells);
}

static Outcome
run_quantile(const Vector *vector)
{
	Problem		problem;

	if (!read_data(vector, &problem) || !read_quantiles(vector, &problem))
		return not_built(vector);
	return run_rank(vector, &problem, &(PaRank) {PA_RANK_QUANTILE, problem.numerator[0],
			problem.quantiles.denominator, 0});
}

static Outcome
run_kth(const Vector *vector)
{
	Problem		problem;
	PaRank		rank = {input_is(vector, "side", "max") ? PA_RANK_LARGEST : PA_RANK_SMALLEST, 0, 1,
	(int64_t) input(vector, "k")};

	if (!read_data(vector, &problem))
		return not_built(vector);
	return run_rank(vector, &problem, &rank);
}

static Outcome
run_mode(const Vector *vector)
{
	int64_t		score[MOST_RUNS];
	size_t		keys;
	double	   *count = input_numbers(vector, "counts", &keys);
	double	   *pmf = room(keys);
	size_t		i;

	if (keys > MOST_RUNS)
		return not_built(vector);
	for (i = 0; i < keys; i++)
		score[i] = (int64_t) count[i];
	if (pa_mode_law(score, (int) keys, input(vector, "eps"), (int64_t) input(vector, "per_cell"), pmf) != PA_OK)
		return complain(vector, "no law");
	return compare_near(vector, "pmf", pmf, keys);
}

/* [[cells], probability], ...; what is not named has no probability */
static Outcome
compare_law(const Vector *vector, const Problem *problem, size_t outcomes)
{
	const json_t *law = json_object_get(vector->expected, "law");
	double	   *want = room(outcomes);
	size_t		i;

	for (i = 0; i < json_array_size(law); i++)
	{
		const json_t *pair = json_array_get(law, i);
		size_t		outcome = 0;
		size_t		j;

		for (j = 0; j < json_array_size(json_array_get(pair, 0)); j++)
			outcome = outcome * (size_t) problem->data.cells +
				(size_t) json_integer_value(json_array_get(json_array_get(pair, 0), j));
		want[outcome] = json_number(json_array_get(pair, 1));
	}
	for (i = 0; i < outcomes; i++)
		if (want[i] == 0 ? problem->law[i] != 0 : !near(vector, (double) problem->law[i], want[i]))
			return complain(vector, "outcome %zu has %.17Lg, expected %.17g", i, problem->law[i], want[i]);
	return PASSED;
}

/* How many tuples of cells there are, with no probability yet; 0 if there are too many */
static size_t
outcomes_of(Problem *problem)
{
	size_t		outcomes = 1;
	int			i;

	for (i = 0; i < problem->quantiles.count && outcomes <= MOST_OUTCOMES; i++)
		outcomes *= (size_t) problem->data.cells;
	if (outcomes > MOST_OUTCOMES)
		return 0;
	memset(problem->law, 0, sizeof(problem->law));
	return outcomes;
}

/* Units so fine that what they take of epsilon is nothing beside log_slack */
#define FINE_STEPS 16384

static Outcome
run_recursive(const Vector *vector)
{
	double		epsilon = input(vector, "eps_level");
	Problem		problem;
	PaOrderCost cost;
	size_t		outcomes;
	PaStatus	status;

	if (!read_data(vector, &problem) || !read_quantiles(vector, &problem) ||
		(outcomes = outcomes_of(&problem)) == 0 ||
		pa_quantiles_mechanism(problem.quantiles.count, epsilon, FINE_STEPS, &plain_memory, &problem.mechanism) != PA_OK)
		return not_built(vector);
	status = quantiles_law(&problem.data, &problem.quantiles, problem.owner_rows, (uint64_t) input(vector, "S"),
						   &problem.mechanism, problem.law);
	pa_exponential_free(&problem.mechanism, &plain_memory);
	cost = pa_order_cost(problem.quantiles.count, epsilon);
	if (status != PA_OK)
		return complain(vector, "no law");
	if (cost.depth != (int) expected(vector, "depth"))
		return complain(vector, "depth is %d", cost.depth);
	if (compare_sound(vector, "cost_eps", cost.epsilon, expected(vector, "cost_eps")) != PASSED)
		return FAILED;
	return compare_law(vector, &problem, outcomes);
}

static Outcome
run_joint(const Vector *vector)
{
	Problem		problem;
	size_t		outcomes;
	PaStatus	status;

	if (!read_data(vector, &problem) || !read_quantiles(vector, &problem) ||
		(outcomes = outcomes_of(&problem)) == 0 || !make_mechanism(input(vector, "eps"), &problem))
		return not_built(vector);
	status = joint_law(&problem.data, &problem.quantiles, problem.owner_rows, &problem.mechanism, problem.law);
	pa_exponential_free(&problem.mechanism, &plain_memory);
	if (status != PA_OK)
		return complain(vector, "no law");
	return compare_law(vector, &problem, outcomes);
}

/* exact (1 - 1e-6) <= rho <= bound (1 + 1e-9) for what is charged, and what no charge can be below */
static Outcome
run_rho(const Vector *vector)
{
	double		epsilon = input(vector, "eps");
	double		exact = expected(vector, "exact");
	double		rho = pa_exponential_rho(epsilon);
	double		attained = pa_exponential_rho_attained(epsilon);

	if (!(rho >= exact && rho <= expected(vector, "bound") * (1 + 1e-9)))
		return complain(vector, "rho is %.17g", rho);
	if (!(fabs(attained - exact) <= 1e-9 * exact))
		return complain(vector, "attained is %.17g, expected %.17g", attained, exact);
	return PASSED;
}

const Kind	vector_kinds_order[] = {
	{"quantile_pmf", run_quantile},
	{"kth_pmf", run_kth},
	{"mode_pmf", run_mode},
	{"recursive_quantiles_pmf", run_recursive},
	{"joint_quantiles_pmf", run_joint},
	{"em_rho", run_rho},
	{NULL, NULL}
};
