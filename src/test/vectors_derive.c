/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_derive.c
 *		Test vectors of different values, hierarchies, derived answers, refinement and periods.
 */
#include <math.h>
#include <string.h>

#include "core/derive/least_squares.h"
#include "core/derive/periods.h"
#include "core/derive/tree.h"
#include "core/derive/width.h"
#include "core/distinct/cap.h"
#include "core/distinct/greedy.h"
#include "core/distinct/matching.h"
#include "core/refine/stop.h"
#include "source.h"
#include "vectors.h"
#include "vectors_read.h"

#define MOST_OWNERS 64
#define MOST_CAPS 16

/* The numbers of a vector's array of fractions [numerator, denominator]; null is INFINITY */
static double *
fractions(const json_t *array, size_t *count)
{
	double	   *to;
	size_t		i;
	json_t	   *item;

	*count = json_array_size(array);
	to = room(*count);
	json_array_foreach(array, i, item)
		to[i] = json_is_null(item) ? INFINITY :
		json_number(json_array_get(item, 0)) / json_number(json_array_get(item, 1));
	return to;
}

static double *
numbers_or_zero(const json_t *array)
{
	double	   *to = room(json_array_size(array));
	size_t		i;
	json_t	   *item;

	json_array_foreach(array, i, item)
		to[i] = json_is_null(item) ? 0 : json_number(item);
	return to;
}

/* Pairs in the orders of the vector: owners as they are listed, values from the least. */
static Outcome
run_distinct_capped(const Vector *vector)
{
	const json_t *owners = json_object_get(vector->input, "owners");
	size_t		count;
	size_t		caps;
	int		   *value = input_integers(vector, "owners", &count);
	int		   *cap = input_integers(vector, "caps", &caps);
	int64_t		start[MOST_OWNERS + 1] = {0};
	int64_t		exact[MOST_CAPS];
	int64_t		greedy[MOST_CAPS];
	double		as_double[2][MOST_CAPS];
	PaPairs		pairs = {.owners = (int32_t) json_array_size(owners),.start = start,.value = value};
	size_t		i;

	for (i = 0; i < (size_t) pairs.owners; i++)
		start[i + 1] = start[i] + (int64_t) json_array_size(json_array_get(owners, i));
	for (i = 0; i < count; i++)
		pairs.values = value[i] >= pairs.values ? value[i] + 1 : pairs.values;
	if (pa_distinct_exact(&pairs, cap, (int) caps, &plain_memory, exact) != PA_OK ||
		pa_distinct_greedy(&pairs, cap, (int) caps, &plain_memory, greedy) != PA_OK)
		return complain(vector, "no numbers");
	for (i = 0; i < caps; i++)
	{
		as_double[0][i] = (double) exact[i];
		as_double[1][i] = (double) greedy[i];
	}
	if (compare_all(vector, "exact", as_double[0], caps) != PASSED)
		return FAILED;
	return compare_all(vector, "greedy_rounds", as_double[1], caps);
}

/* Losses are rounded to a public unit, which may cost log_slack in ln p. */
static Outcome
run_distinct_cap_choice(const Vector *vector)
{
	size_t		caps;
	double	   *values = input_numbers(vector, "values", &caps);
	int		   *cap = input_integers(vector, "caps", NULL);
	double	   *pmf = expected_numbers(vector, "pmf", NULL);
	PaCapTerms	terms = {input(vector, "eps_noise"), input(vector, "beta_noise"),
	input(vector, "eps_select"), input(vector, "beta_select")};
	int64_t		value[MOST_CAPS];
	int64_t		loss[MOST_CAPS];
	double		sum = 0;
	size_t		i;

	for (i = 0; i < caps; i++)
		value[i] = (int64_t) values[i];
	if (pa_cap_losses(value, cap, (int) caps, &terms, loss) != PA_OK)
		return complain(vector, "no losses");
	for (i = 0; i < caps; i++)
		sum += exp(-terms.epsilon * (double) loss[i] / (2.0 * (double) PA_CAP_UNIT));
	for (i = 0; i < caps; i++)
	{
		double		log_p = -terms.epsilon * (double) loss[i] / (2.0 * (double) PA_CAP_UNIT) - log(sum);

		if (!(fabs(log_p - log(pmf[i])) <= 1e-3 * number(vector->tol, "log_slack")))
			return complain(vector, "ln p of %zu is %.17g, expected %.17g", i, log_p, log(pmf[i]));
	}
	return PASSED;
}

static Outcome
run_tree_wls(const Vector *vector)
{
	size_t		nodes;
	int		   *parent = input_integers(vector, "parent", &nodes);
	double	   *released = numbers_or_zero(json_object_get(vector->input, "released"));
	double	   *variance = fractions(json_object_get(vector->input, "variance"), &nodes);
	PaTree		tree = {(int32_t) nodes, parent, released, variance};
	double	   *estimate = room(nodes);
	double	   *spread = room(nodes);

	if (pa_tree_estimate(&tree, &plain_memory, estimate, spread) != PA_OK)
		return complain(vector, "no estimate");
	if (compare_all(vector, "estimate", estimate, nodes) != PASSED)
		return FAILED;
	return compare_all(vector, "variance", spread, nodes);
}

static int64_t *
whole_numbers(const json_t *array)
{
	size_t		count;
	double	   *from = read_numbers_of(array, &count);
	int64_t    *to = (int64_t *) room(count);
	size_t		i;

	for (i = 0; i < count; i++)
		to[i] = (int64_t) from[i];
	return to;
}

static Outcome
run_least_squares(const Vector *vector)
{
	const json_t *queries = json_object_get(vector->input, "queries");
	const json_t *targets = json_object_get(vector->input, "targets");
	double	   *released = input_numbers(vector, "released", NULL);
	json_t	   *estimable = json_object_get(vector->expected, "estimable");
	json_t	   *estimate = json_object_get(vector->expected, "estimate");
	json_t	   *spread = json_object_get(vector->expected, "variance");
	size_t		count;
	double	   *variance = fractions(json_object_get(vector->input, "variance"), &count);
	PaAnswers	answers = {(int) count, (int) json_array_size(json_array_get(queries, 0)), whole_numbers(queries), variance};
	size_t		wanted = json_array_size(targets);
	PaEstimates estimates = {(bool *) room(wanted), room(wanted), room(wanted * count), NULL};
	size_t		i;

	if (pa_least_squares(&answers, whole_numbers(targets), (int) wanted, &plain_memory, &estimates) != PA_OK)
		return complain(vector, "no estimates");
	for (i = 0; i < wanted; i++)
	{
		bool		want = json_is_true(json_array_get(estimable, i));

		if (estimates.estimable[i] != want)
			return complain(vector, "whether target %zu is estimable is %d", i, estimates.estimable[i]);
		if (want && (compare(vector, "estimate", pa_weighted_sum(estimates.weight + i * count, released, (int) count),
							 json_number(json_array_get(estimate, i))) != PASSED ||
					 compare(vector, "variance", estimates.variance[i],
							 json_number(json_array_get(spread, i))) != PASSED))
			return FAILED;
	}
	return PASSED;
}

/* The bound by Chernoff is that of the vector, and what is given is the exact width. */
static Outcome
run_combined_width(const Vector *vector)
{
	const json_t *terms = json_object_get(vector->input, "terms");
	double		alpha = input(vector, "alpha");
	double		exact = expected(vector, "exact");
	PaPart		part[16];
	int			parts = (int) json_array_size(terms);
	double		bound;
	double		width;
	int			i;

	for (i = 0; i < parts; i++)
	{
		const json_t *term = json_array_get(terms, (size_t) i);
		bool		laplace = strcmp(json_string_value(json_array_get(term, 1)), "laplace") == 0;
		double		parameter = json_number(json_array_get(term, 2));

		part[i] = (PaPart) {json_number(json_array_get(term, 0)), laplace ? PA_LAPLACE : PA_GAUSSIAN,
		laplace ? 1 / parameter : parameter, 0};
	}
	if (pa_width_bound(part, parts, alpha, &bound) != PA_OK ||
		pa_width(part, parts, alpha, &plain_memory, &width) != PA_OK)
		return complain(vector, "no width");
	if (!(fabs(bound - expected(vector, "chernoff")) <= 1e-6 * bound))
		return complain(vector, "Chernoff's bound is %.17g", bound);
	return width == exact ? PASSED : complain(vector, "width is %.17g, expected %.17g", width, exact);
}

static bool
read_gradual(const Vector *vector, PaGradual *gradual)
{
	size_t		levels;
	double	   *epsilon = input_numbers(vector, "eps", &levels);

	return pa_gradual_make(epsilon, (int) levels, 1, gradual) == PA_OK;
}

/* Pr[noise of the levels] from the chain's definition */
static double
joint(const PaGradual *gradual, const double *noise)
{
	int			last = gradual->levels - 1;
	double		p = pa_kernel_pmf(&gradual->kernel[last], (int64_t) noise[last]);
	int			i;

	for (i = last - 1; i >= 0; i--)
	{
		double		keep = pa_gradual_keep(gradual, i);
		int64_t		change = (int64_t) (noise[i] - noise[i + 1]);

		p *= (change == 0 ? keep : 0) + (1 - keep) * pa_kernel_pmf(&gradual->kernel[i], change);
	}
	return p;
}

static Outcome
run_gradual_laplace(const Vector *vector)
{
	PaGradual	gradual;
	size_t		count;
	double	   *points = input_numbers(vector, "points", &count);
	double		keep[PA_GRADUAL_LEVELS];
	double	   *law = room(count);
	int			i;

	if (!read_gradual(vector, &gradual))
		return complain(vector, "no levels");
	for (i = 0; i + 1 < gradual.levels; i++)
		keep[i] = pa_gradual_keep(&gradual, i);
	if (compare_all(vector, "keep", keep, (size_t) gradual.levels - 1) != PASSED)
		return FAILED;
	count /= (size_t) gradual.levels;
	for (i = 0; i < (int) count; i++)
		law[i] = joint(&gradual, points + i * gradual.levels);
	return compare_all(vector, "joint", law, count);
}

#define REACH 1200

/* What happens to one number: reached[x] is the probability of no stop before a level, given its noise x */
typedef struct Run
{
	const PaGradual *gradual;
	double		value;
	double		share;
	double		floor;
	int64_t		width[PA_GRADUAL_LEVELS];
} Run;

static bool
stops(const Run *run, int level, int noise)
{
	return level + 1 == run->gradual->levels ||
		pa_stop_reached(run->value + noise, (double) run->width[level], run->share, run->floor);
}

/* reached of the next level: the average over the coarser noise that may have led to a step */
static void
go_on(const Run *run, int level, double *reached)
{
	static double next[2 * REACH + 1];
	static double coarse[4 * REACH + 1];
	double		keep = pa_gradual_keep(run->gradual, level);
	int			x;
	int			y;

	for (x = -2 * REACH; x <= 2 * REACH; x++)
		coarse[2 * REACH + x] = pa_kernel_pmf(&run->gradual->kernel[level], x);
	for (x = -REACH; x <= REACH; x++)
		if (stops(run, level, x))
			reached[REACH + x] = 0;
	for (x = -REACH; x <= REACH; x++)
	{
		double		sum = 0;

		for (y = -REACH; y <= REACH; y++)
			if (reached[REACH + y] > 0)
				sum += reached[REACH + y] * coarse[2 * REACH + y - x];
		next[REACH + x] = keep * reached[REACH + x] + (1 - keep) * sum;
	}
	memcpy(reached, next, sizeof(next));
}

static Outcome
run_expost_stop(const Vector *vector)
{
	PaGradual	gradual;
	double	   *epsilon = input_numbers(vector, "eps", NULL);
	Run			run = {&gradual, input(vector, "value"), input(vector, "rel"), input(vector, "floor"), {0}};
	static double reached[2 * REACH + 1];
	double		stop[PA_GRADUAL_LEVELS] = {0};
	double		width[PA_GRADUAL_LEVELS];
	double		cost = 0;
	double		covered = 0;
	int			level;
	int			x;

	/* of the vectors' alpha each level has all: they say what is lost by that */
	if (!read_gradual(vector, &gradual) ||
		pa_stop_widths(&gradual, fmin(0.999, input(vector, "alpha") * gradual.levels), run.width) != PA_OK)
		return complain(vector, "no levels");
	for (x = 0; x <= 2 * REACH; x++)
		reached[x] = 1;
	for (level = 0; level < gradual.levels; level++)
	{
		for (x = -REACH; x <= REACH; x++)
			if (stops(&run, level, x))
			{
				double		p = reached[REACH + x] * pa_kernel_pmf(&gradual.kernel[level], x);

				stop[level] += p;
				covered += llabs(x) <= run.width[level] ? p : 0;
			}
		cost += stop[level] * epsilon[level];
		width[level] = (double) run.width[level];
		if (level + 1 < gradual.levels)
			go_on(&run, level, reached);
	}
	if (compare_all(vector, "widths", width, (size_t) gradual.levels) != PASSED ||
		compare_all(vector, "stop", stop, (size_t) gradual.levels) != PASSED ||
		compare(vector, "expected_eps", cost, expected(vector, "expected_eps")) != PASSED)
		return FAILED;
	for (level = 0; level < gradual.levels; level++)
		width[level] = pa_gradual_cost(&gradual, level, 1);
	if (compare_all(vector, "worst_loss", width, (size_t) gradual.levels) != PASSED)
		return FAILED;
	return compare(vector, "coverage", covered, expected(vector, "coverage"));
}

static Outcome
run_gaussian_refine(const Vector *vector)
{
	size_t		count;
	double	   *released = input_numbers(vector, "released", &count);
	double	   *rho = input_numbers(vector, "rho", NULL);
	double		estimate;
	double		variance;

	if (pa_combine_gaussian(released, rho, (int) count, 1, &estimate, &variance) != PA_OK)
		return complain(vector, "no estimate");
	if (compare(vector, "estimate", estimate, expected(vector, "estimate")) != PASSED ||
		compare(vector, "spent_rho", 1 / (2 * variance), expected(vector, "spent_rho")) != PASSED)
		return FAILED;
	return compare(vector, "variance", variance, expected(vector, "variance"));
}

static Outcome
run_factorisation(const Vector *vector)
{
	static const struct
	{
		PaPeriodWay way;
		const char *most;
		const char *mean;
	}			ways[] = {
		{PA_PERIOD_ROOT, "sqrt_max", "sqrt_mean"},
		{PA_PERIOD_TREE, "tree_max", "tree_mean"},
		{PA_PERIOD_BELOW, "honaker_max", "honaker_mean"},
		{PA_PERIOD_EACH, "daily_max", "daily_mean"}
	};
	int			n = (int) input(vector, "n");
	PaPeriodError error[4];
	int			i;

	for (i = 0; i < 4; i++)
		if (pa_period_error(ways[i].way, n, &error[i]) != PA_OK ||
			compare(vector, ways[i].most, error[i].most, expected(vector, ways[i].most)) != PASSED ||
			compare(vector, ways[i].mean, error[i].mean, expected(vector, ways[i].mean)) != PASSED)
			return FAILED;
	if (compare(vector, "c", error[0].change, expected(vector, "c")) != PASSED ||
		compare(vector, "sqrt_day_max", error[0].single, expected(vector, "sqrt_day_max")) != PASSED ||
		compare(vector, "tree_sens2", error[1].change, expected(vector, "tree_sens2")) != PASSED)
		return FAILED;
	/* each total afresh, at an n-th of rho */
	return compare(vector, "repeat_each", n, expected(vector, "repeat_each"));
}

static Outcome
run_participation(const Vector *vector)
{
	double		change;

	if (pa_period_change((int) input(vector, "n"), (int) input(vector, "periods"), (int) input(vector, "gap"), &change) != PA_OK)
		return complain(vector, "no change");
	return compare(vector, "sens2", change, expected(vector, "sens2"));
}

const Kind	vector_kinds_derive[] = {
	{"distinct_capped", run_distinct_capped},
	{"distinct_cap_choice", run_distinct_cap_choice},
	{"tree_wls", run_tree_wls},
	{"least_squares", run_least_squares},
	{"combined_width", run_combined_width},
	{"gradual_laplace", run_gradual_laplace},
	{"expost_stop", run_expost_stop},
	{"gaussian_refine", run_gaussian_refine},
	{"factorisation", run_factorisation},
	{"participation", run_participation},
	{NULL, NULL}
};
