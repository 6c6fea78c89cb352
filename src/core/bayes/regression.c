/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regression.c
 *		Filters over continuous domains: screening first, then a search.
 *
 * For the full filter and output o: the loss afterwards is at most the loss so far
 * plus the range of the query's own term; if that is within the cap nothing is
 * searched.  Else a search decides: a bound within the cap accepts, a point
 * beyond it rejects.  Its bound is kept with the state, so the next query is
 * screened with it.
 *
 * Sums of a few certified numbers are rounded up by ROUND_UP each time.
 */
#include "core/bayes/regression.h"

#include <float.h>
#include <math.h>

#include "core/bayes/branch.h"

#define ROUND_UP (1.0 + 4 * DBL_EPSILON)

typedef struct Asking
{
	const PaBox *box;
	const PaAnswer **list;		/* the answers in question, with room for one more */
	int			n;				/* without the pending query */
	PaRegressionState	base;			/* closed groups as they are for the pending query */
	const PaRegressionRules *rules;
	const PaEnvironment *environment;
	PaRegressionDecision *decision;
} Asking;

/* --- single queries --- */

PaStatus
pa_regression_log_likelihood(const PaBox *box, const PaAnswer *answer, const double *x, double *value)
{
	PaTerm		term;
	double		sign;
	int			j;

	if (!pa_box_valid(box) || !pa_answer_valid(answer, box))
		return PA_INVALID;
	for (j = 0; j < box->dimensions; j++)
		if (!(x[j] >= box->low[j] && x[j] <= box->high[j]))
			return PA_INVALID;
	term = pa_term_make(&answer->query, answer->output, false, &sign);
	*value = pa_term_value(&term, sign * pa_regression_z(&answer->query, box->dimensions, x)) + term.offset;
	return PA_OK;
}

/* How much the log-likelihood of the answer varies over the box, rounded up. */
static double
variation(const PaBox *box, const PaAnswer *answer)
{
	double		low = answer->query.constant;
	double		high = answer->query.constant;
	double		scale = fabs(answer->query.constant);
	double		sign;
	PaTerm		term = pa_term_make(&answer->query, answer->output, false, &sign);
	double		slack;
	int			j;

	for (j = 0; j < box->dimensions; j++)
	{
		double		at_low = answer->query.theta[j] * box->low[j];
		double		at_high = answer->query.theta[j] * box->high[j];

		low += fmin(at_low, at_high);
		high += fmax(at_low, at_high);
		scale += fmax(fabs(at_low), fabs(at_high));
	}
	slack = (box->dimensions + 2) * DBL_EPSILON * scale;
	if (sign < 0)
	{
		double		swap = low;

		low = -high;
		high = -swap;
	}
	return fmin(pa_term_value(&term, high + slack) - pa_term_value(&term, low - slack) +
				(16 + term.epsilon) * DBL_EPSILON, term.epsilon * ROUND_UP);
}

static double
level_of(const PaBox *box, const PaRegression *query)
{
	PaAnswer	no = {*query, 0};
	PaAnswer	yes = {*query, 1};

	return fmax(variation(box, &no), variation(box, &yes));
}

PaStatus
pa_regression_level(const PaBox *box, const PaRegression *query, double *level)
{
	PaAnswer	answer = {*query, 0};

	if (!pa_box_valid(box) || !pa_answer_valid(&answer, box))
		return PA_INVALID;
	*level = level_of(box, query);
	return PA_OK;
}

/* --- searches --- */

static PaStatus
check(const PaBox *box, const PaAnswer *answers, int n)
{
	int			i;

	if (!pa_box_valid(box) || n < 0 || n > PA_REGRESSION_ANSWERS)
		return PA_INVALID;
	for (i = 0; i < n; i++)
		if (!pa_answer_valid(&answers[i], box))
			return PA_INVALID;
	return PA_OK;
}

/* The search of a list; an empty one has no loss. */
static PaStatus
search_list(const PaBox *box, const PaAnswer *const *list, int n, const PaSearchGoal *goal,
			const PaEnvironment *environment, PaSearch *search)
{
	PaSearch	nothing = {.nodes = 0};

	if (n > 0)
		return pa_branch_search(box, list, n, goal, environment, search);
	*search = nothing;
	return PA_OK;
}

static const PaAnswer **
make_list(const PaAnswer *answers, int from, int n, const PaEnvironment *environment)
{
	const PaAnswer **list = environment->allocate(environment->context,
												  (size_t) (n - from + 1) * sizeof(*list));
	int			i;

	if (list != NULL)
		for (i = from; i < n; i++)
			list[i - from] = &answers[i];
	return list;
}

/* The loss of answers from..n-1, as tight as the rules ask. */
static PaStatus
tight_loss(const PaBox *box, const PaAnswer *answers, int from, int n, double gap, long nodes,
		   const PaEnvironment *environment, PaSearch *search)
{
	PaSearchGoal goal = {gap, -INFINITY, INFINITY, nodes};
	const PaAnswer **list = make_list(answers, from, n, environment);
	PaStatus	status;

	if (list == NULL)
		return PA_NO_MEMORY;
	status = search_list(box, list, n - from, &goal, environment, search);
	environment->release(environment->context, list);
	return status;
}

PaStatus
pa_regression_bounds(const PaBox *box, const PaAnswer *answers, int n, double gap, long nodes,
					 const PaEnvironment *environment, PaRegressionBounds *bounds)
{
	PaSearch	search;
	PaStatus	status = check(box, answers, n);
	int			j;

	if (status != PA_OK)
		return status;
	if (!(gap >= 0) || nodes < 1)
		return PA_INVALID;
	status = tight_loss(box, answers, 0, n, gap, nodes, environment, &search);
	if (status != PA_OK)
		return status;
	bounds->max_least = search.max.least;
	bounds->max_most = search.max.most;
	bounds->min_least = -search.min.most;
	bounds->min_most = -search.min.least;
	bounds->loss_least = search.least;
	bounds->loss_most = search.most;
	bounds->nodes = search.nodes;
	for (j = 0; j < box->dimensions; j++)
	{
		bounds->x_max[j] = n > 0 ? search.max.x[j] : box->low[j];
		bounds->x_min[j] = n > 0 ? search.min.x[j] : box->low[j];
	}
	return PA_OK;
}

/* --- groups --- */

static bool
realised_valid(const PaRegressionState *known, int n, const PaRegressionRules *rules)
{
	if (!(known->loss >= 0 && known->closed_loss >= 0) || known->closed < 0 || known->closed > n)
		return false;
	return rules->group == 0 ? known->closed == 0 && known->closed_loss == 0 :
		known->closed % rules->group == 0 && n - known->closed <= rules->group;
}

static bool
rules_valid(const PaRegressionRules *rules)
{
	return isfinite(rules->cap) && rules->gap >= 0 && rules->nodes >= 0 && rules->group >= 0;
}

/* Closes the last group if it is full, with a bound that is tight. */
static PaStatus
close_group(Asking *asking, const PaAnswer *answers, int n)
{
	const PaRegressionRules *rules = asking->rules;
	PaRegressionState *base = &asking->base;
	PaSearch	search;
	PaStatus	status;

	if (rules->group == 0 || n - base->closed < rules->group)
		return PA_OK;
	status = tight_loss(asking->box, answers, base->closed, n, rules->gap, rules->nodes > 0 ? rules->nodes : 1,
						asking->environment, &search);
	if (status != PA_OK)
		return status;
	base->loss = fmin(base->loss, (base->closed_loss + search.most) * ROUND_UP);
	base->closed_loss = base->loss;
	base->closed = n;
	asking->decision->nodes += search.nodes;
	return PA_OK;
}

/* --- the filters --- */

/*
 * Whether the loss of the first n of the list, with the closed groups, is within
 * limit; with no nodes only whether a point shows that it is not.
 */
static PaStatus
compare(Asking *asking, int n, double limit, long nodes, double *loss, PaRegressionVerdict *verdict)
{
	double		closed = asking->base.closed_loss * ROUND_UP;
	PaSearchGoal goal = {0, limit / ROUND_UP - closed, limit - asking->base.closed_loss, nodes};
	PaSearch	search;
	PaStatus	status = search_list(asking->box, asking->list, n, &goal, asking->environment, &search);

	if (status != PA_OK)
		return status;
	asking->decision->nodes += search.nodes;
	*loss = fmin(*loss, (closed + search.most) * ROUND_UP);
	if (*loss <= limit)
		*verdict = PA_REGRESSION_ACCEPT;
	else
		*verdict = search.least > goal.reject ? PA_REGRESSION_REJECT : PA_REGRESSION_UNDETERMINED;
	return PA_OK;
}

static PaStatus
decide_simplified(Asking *asking, const PaRegression *query, const double *range)
{
	PaRegressionDecision *decision = asking->decision;
	double		level = fmax(query->epsilon, level_of(asking->box, query));
	double		limit = asking->rules->cap / ROUND_UP - level;
	double		loss = asking->base.loss;
	PaStatus	status = PA_OK;
	int			o;

	decision->verdict = PA_REGRESSION_ACCEPT;
	if (loss > limit && asking->rules->nodes == 0)
		decision->verdict = PA_REGRESSION_UNDETERMINED;
	else if (loss > limit)
		status = compare(asking, asking->n, limit, asking->rules->nodes, &loss, &decision->verdict);
	decision->worst = (loss + level) * ROUND_UP;
	for (o = 0; o < 2; o++)
		decision->after[o].loss = fmin((loss + range[o]) * ROUND_UP, fmax(loss, asking->rules->cap));
	return status;
}

/* One round over both outputs, with so many nodes for those that are not within the cap yet. */
static PaStatus
try_outputs(Asking *asking, const PaRegression *query, long nodes)
{
	PaRegressionDecision *decision = asking->decision;
	int			o;

	decision->verdict = PA_REGRESSION_ACCEPT;
	for (o = 0; o < 2 && decision->verdict == PA_REGRESSION_ACCEPT; o++)
	{
		PaAnswer	pending = {*query, o};
		double	   *loss = &decision->after[o].loss;
		PaRegressionVerdict	verdict;
		PaStatus	status;

		if (*loss <= asking->rules->cap)
			continue;
		asking->list[asking->n] = &pending;
		status = compare(asking, asking->n + 1, asking->rules->cap, nodes, loss, &verdict);
		if (status != PA_OK)
			return status;
		if (nodes > 0 || verdict == PA_REGRESSION_REJECT)
			decision->verdict = verdict;
	}
	return PA_OK;
}

/* Points that reject are looked for first: they are cheap, and one output is enough. */
static PaStatus
decide_full(Asking *asking, const PaRegression *query, const double *range)
{
	PaRegressionDecision *decision = asking->decision;
	PaStatus	status;
	int			o;

	for (o = 0; o < 2; o++)
		decision->after[o].loss = (asking->base.loss + range[o]) * ROUND_UP;
	if (asking->rules->nodes == 0)
	{
		decision->worst = fmax(decision->after[0].loss, decision->after[1].loss);
		decision->verdict = decision->worst <= asking->rules->cap ? PA_REGRESSION_ACCEPT : PA_REGRESSION_UNDETERMINED;
		return PA_OK;
	}
	status = try_outputs(asking, query, 0);
	if (status == PA_OK && decision->verdict == PA_REGRESSION_ACCEPT)
		status = try_outputs(asking, query, asking->rules->nodes);
	decision->worst = fmax(decision->after[0].loss, decision->after[1].loss);
	return status;
}

static PaStatus
decide(Asking *asking, const PaRegression *query)
{
	double		range[2];
	int			o;

	for (o = 0; o < 2; o++)
	{
		PaAnswer	pending = {*query, o};

		range[o] = variation(asking->box, &pending);
		asking->decision->after[o] = asking->base;
	}
	if (asking->rules->simplified)
		return decide_simplified(asking, query, range);
	return decide_full(asking, query, range);
}

PaStatus
pa_regression_decide(const PaBox *box, const PaAnswer *answers, int n, const PaRegressionState *known,
					 const PaRegression *query, const PaRegressionRules *rules,
					 const PaEnvironment *environment, PaRegressionDecision *decision)
{
	PaAnswer	pending = {*query, 0};
	PaRegressionDecision made = {.verdict = PA_REGRESSION_UNDETERMINED, .worst = INFINITY};
	Asking		asking = {.box = box, .base = *known, .rules = rules, .environment = environment,
		.decision = &made};
	PaStatus	status = check(box, answers, n);

	if (status != PA_OK)
		return status;
	if (n == PA_REGRESSION_ANSWERS || !pa_answer_valid(&pending, box) || !rules_valid(rules) ||
		!realised_valid(known, n, rules))
		return PA_INVALID;
	status = close_group(&asking, answers, n);
	if (status != PA_OK)
		return status;
	asking.n = n - asking.base.closed;
	asking.list = make_list(answers, asking.base.closed, n, environment);
	if (asking.list == NULL)
		return PA_NO_MEMORY;
	status = decide(&asking, query);
	environment->release(environment->context, asking.list);
	if (status == PA_OK)
		*decision = made;
	return status;
}

PaStatus
pa_regression_refine(const PaBox *box, const PaAnswer *answers, int n, const PaRegressionRules *rules,
					 const PaEnvironment *environment, PaRegressionState *realised)
{
	PaSearch	search;
	PaStatus	status = check(box, answers, n);

	if (status != PA_OK)
		return status;
	if (!rules_valid(rules) || !realised_valid(realised, n, rules))
		return PA_INVALID;
	status = tight_loss(box, answers, realised->closed, n, rules->gap, rules->nodes, environment, &search);
	if (status == PA_OK)
		realised->loss = fmin(realised->loss, (realised->closed_loss + search.most) * ROUND_UP);
	return status;
}
