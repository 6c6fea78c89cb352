/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpf_health.c
 *		The four regressions of Section 6.3 of the paper on the Bayesian filter.
 *
 * Coefficients of its Table I; the domain, the mock persons and the printed losses
 * as in Section 6.3 and Appendix E.
 */
#include <math.h>

#include "core/bayes/regression.h"
#include "figures.h"
#include "markdown.h"
#include "source.h"
#include "tables.h"

#define QUERIES 4
#define COLUMNS 4
#define OUTCOMES 16
#define PERSONS 2
#define GAP 2e-5
#define NODES 100000
#define EPSILON 1.0				/* of each query */
#define SLEEP 12.0				/* hours that are answered at most */

static const double domain_low[COLUMNS] = {10, 0, 50, 10};	/* age, sex, blood pressure, BMI */
static const double domain_high[COLUMNS] = {100, 1, 200, 50};
static const PaBox domain = {COLUMNS, domain_low, domain_high};

static const char *const names[QUERIES] = {"heart disease", "stroke", "diabetes", "sleep"};

static const double theta[QUERIES][COLUMNS] = {
	{-0.059, -1.456, -0.0134, 0},
	{0.0761, 0.0952, 0, 0.0163},
	{0.0491, 0, -0.0091, 0.1039},
	{0.0855, 0.4617, -0.07, 0},
};

static const PaRegression queries[QUERIES] = {
	{PA_REGRESSION_LOGISTIC, theta[0], 6.177, 0, 1, EPSILON},
	{PA_REGRESSION_LOGISTIC, theta[1], -7.989, 0, 1, EPSILON},
	{PA_REGRESSION_LOGISTIC, theta[2], -5.07, 0, 1, EPSILON},
	{PA_REGRESSION_LINEAR, theta[3], 12.323, 0, SLEEP, EPSILON},
};

typedef struct Person
{
	double		x[COLUMNS];
	double		printed[QUERIES];
} Person;

static const Person persons[PERSONS] = {
	{{34, 0, 110, 18}, {0.94, 0.06, 0.094, 7.50}},
	{{52, 1, 140, 23}, {0.45, 0.027, 0.24, 7.32}},
};

/* The outcome's bits are the answers, heart disease the highest. */
static const double printed_loss[OUTCOMES] = {
	2.4639, 1.8036, 2.4084, 2.7253, 2.6865, 2.4642, 3.1550, 3.7449,
	3.4761, 2.7511, 2.2610, 2.1975, 2.3362, 1.9062, 1.6863, 2.4959,
};

static bool
answered(int outcome, int query)
{
	return outcome >> (QUERIES - 1 - query) & 1;
}

static void
answers_of(int outcome, PaAnswer *answers)
{
	int			i;

	for (i = 0; i < QUERIES; i++)
		answers[i] = (PaAnswer) {queries[i], answered(outcome, i)};
}

static double
linear_form(const PaRegression *query, const double *x)
{
	double		z = query->constant;
	int			j;

	for (j = 0; j < COLUMNS; j++)
		z += query->theta[j] * x[j];
	return z;
}

/* The ends of the linear form over the domain. */
static void
range_of_form(const PaRegression *query, double *least, double *most)
{
	int			j;

	*least = *most = query->constant;
	for (j = 0; j < COLUMNS; j++)
	{
		double		a = query->theta[j] * domain_low[j];
		double		b = query->theta[j] * domain_high[j];

		*least += fmin(a, b);
		*most += fmax(a, b);
	}
}

/* The linear query as it would be without the cut: its largest loss; NAN if that is no probability. */
static double
level_without_cut(const PaRegression *query, double least, double most)
{
	double		f = 1 / (exp(query->epsilon) + 1);
	double		low = f * (1 + expm1(query->epsilon) * (least - query->a) / (query->b - query->a));
	double		high = f * (1 + expm1(query->epsilon) * (most - query->a) / (query->b - query->a));

	return low <= 0 || high >= 1 ? NAN : fmax(log(high / low), log((1 - low) / (1 - high)));
}

static void
levels(void)
{
	int			i;

	heading("2a. The four regressions over the domain");
	paragraph("Level: how much LDP the query alone is, eps = 1 having been asked for.");
	table("query|linear form from|to|level|level without truncation");
	for (i = 0; i < QUERIES; i++)
	{
		double		level = NAN;
		double		least;
		double		most;

		range_of_form(&queries[i], &least, &most);
		if (pa_regression_level(&domain, &queries[i], &level) != PA_OK)
			return;
		cell_text(names[i]);
		cell_fixed(least, 3);
		cell_fixed(most, 3);
		cell_fixed(level, 4);
		cell_fixed(queries[i].kind == PA_REGRESSION_LINEAR ? level_without_cut(&queries[i], least, most) : NAN, 4);
		row_end();
	}
}

static void
mock_persons(void)
{
	int			i;
	int			k;

	heading("2b. Section 6.3: the regressions of the two mock persons");
	table("query|person 0, printed|computed|person 1, printed|computed");
	for (i = 0; i < QUERIES; i++)
	{
		bool		logistic = queries[i].kind == PA_REGRESSION_LOGISTIC;

		cell_text(names[i]);
		for (k = 0; k < PERSONS; k++)
		{
			double		z = linear_form(&queries[i], persons[k].x);

			cell_short(persons[k].printed[i]);
			cell_fixed(logistic ? 1 / (1 + exp(-z)) : z, logistic ? 4 : 2);
		}
		row_end();
	}
}

static bool
outcome_row(int outcome, double *loss)
{
	PaAnswer	answers[QUERIES];
	PaRegressionBounds bounds;
	int			i;

	answers_of(outcome, answers);
	if (pa_regression_bounds(&domain, answers, QUERIES, GAP, NODES, &plain_memory, &bounds) != PA_OK)
		return false;
	*loss = bounds.loss_most;
	for (i = 0; i < QUERIES; i++)
		cell_short(answered(outcome, i) * (queries[i].kind == PA_REGRESSION_LINEAR ? SLEEP : 1));
	cell_fixed(printed_loss[outcome], 4);
	cell_fixed(bounds.loss_least, 5);
	cell_fixed(bounds.loss_most, 5);
	cell_fixed(printed_loss[outcome] - bounds.loss_most, 4);
	cell_count(bounds.nodes);
	row_end();
	return true;
}

/* Of copies, for quantile() sorts. */
static void
outcome_summary(const char *name, double share, const double *loss)
{
	double		printed[OUTCOMES];
	double		computed[OUTCOMES];
	int			i;

	for (i = 0; i < OUTCOMES; i++)
	{
		printed[i] = printed_loss[i];
		computed[i] = loss[i];
	}
	paragraph("%s: printed %.4f, computed %.4f.", name,
			  quantile(printed, OUTCOMES, share), quantile(computed, OUTCOMES, share));
}

static bool
appendix_e(double *loss)
{
	int			outcome;

	heading("2c. Appendix E: the realised loss (log L) of every outcome");
	paragraph("The exact loss is between \"at least\" and \"at most\". Nodes: boxes that the search looked at.");
	table("heart disease|stroke|diabetes|sleep|printed|at least|at most|printed - at most|nodes");
	for (outcome = 0; outcome < OUTCOMES; outcome++)
		if (!outcome_row(outcome, &loss[outcome]))
			return false;
	outcome_summary("Worst", 1, loss);
	outcome_summary("Median of the 16", 0.5, loss);
	return true;
}

static double
outcome_probability(int outcome, const Person *person)
{
	PaAnswer	answers[QUERIES];
	double		sum = 0;
	double		value;
	int			i;

	answers_of(outcome, answers);
	for (i = 0; i < QUERIES; i++)
	{
		if (pa_regression_log_likelihood(&domain, &answers[i], person->x, &value) != PA_OK)
			return NAN;
		sum += value;
	}
	return exp(sum);
}

/* The least loss that is not passed with probability a half. */
static double
median_loss(const double *probability, const double *loss)
{
	double		best = INFINITY;
	int			i;
	int			k;

	for (i = 0; i < OUTCOMES; i++)
	{
		double		below = 0;

		for (k = 0; k < OUTCOMES; k++)
			below += loss[k] <= loss[i] ? probability[k] : 0;
		if (below >= 0.5)
			best = fmin(best, loss[i]);
	}
	return best;
}

static void
losses_of_persons(const double *loss)
{
	int			k;
	int			i;

	heading("2d. The loss of the two mock persons");
	paragraph("With the probability that each outcome has for them. The last column: the loss is at most 3, so that "
			  "a further query with eps = 1 is accepted whatever its kind.");
	table("person|mean loss|median loss|Pr[loss at most 3]");
	for (k = 0; k < PERSONS; k++)
	{
		double		probability[OUTCOMES];
		double		mean = 0;
		double		room = 0;

		for (i = 0; i < OUTCOMES; i++)
		{
			probability[i] = outcome_probability(i, &persons[k]);
			mean += probability[i] * loss[i];
			room += loss[i] <= 3 ? probability[i] : 0;
		}
		cell_count(k);
		cell_fixed(mean, 3);
		cell_fixed(median_loss(probability, loss), 3);
		cell_fixed(room, 3);
		row_end();
	}
}

void
tables_of_health(void)
{
	double		loss[OUTCOMES];

	levels();
	mock_persons();
	if (appendix_e(loss))
		losses_of_persons(loss);
}
