/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adult.c
 *		Fig. 7: acceptance of queries over the Adult data set.
 *
 * Noise does not depend on the data, so acceptance is exact without any.  The
 * data show the size of the answers, and a simulation follows Section 3.1 of
 * the paper step by step.
 */
#include <math.h>
#include <stdlib.h>

#include "brdp_paper.h"
#include "census.h"
#include "exact.h"
#include "generator.h"
#include "markdown.h"
#include "tables.h"

#define DELTA 1e-5
#define RUNS 1000

typedef struct Panel
{
	const char *name;
	Query		query;
} Panel;

static const Panel panels[] = {
	{"(a) sum", {PA_GAUSSIAN, 5, 22, 0.5, DELTA}},
	{"(b) sum", {PA_GAUSSIAN, 10, 12, 0.5, DELTA}},
	{"(c) average", {PA_GAUSSIAN, 1, 0.0017, 0.05, DELTA}},
	{"(d) average", {PA_GAUSSIAN, 1, 0.0012, 0.05, DELTA}},
	{"(c), theta ours", {PA_GAUSSIAN, 0.01, 0.0017, 0.05, DELTA}},
	{"(d), theta ours", {PA_GAUSSIAN, 0.01, 0.0012, 0.05, DELTA}},
	{"(e), (f) count", {PA_GAUSSIAN, 3, 1, 0.1, DELTA}},
};

#define PANELS ((int) (sizeof(panels) / sizeof(panels[0])))

static bool
law_of_paper(const Query *query, PaLaw *law)
{
	PaperRecycler at;

	return paper_best_kernel(query, PAPER_AS_MEANT, 0, &at) && exact_law(query, at.scale, at.q, law);
}

typedef struct Mechanism
{
	const char *name;
	PaShape		shape;
	bool		(*choose) (const Query *query, PaLaw *law);
} Mechanism;

static const Mechanism mechanisms[] = {
	{"Gaussian", PA_GAUSSIAN, exact_plain},
	{"Laplace", PA_LAPLACE, exact_plain},
	{"paper's BR-Gaussian", PA_GAUSSIAN, law_of_paper},
	{"paper's BR-Laplace", PA_LAPLACE, law_of_paper},
	{"BR-Gaussian", PA_GAUSSIAN, exact_recycled},
	{"BR-Laplace", PA_LAPLACE, exact_recycled},
	{"staircase", PA_LAPLACE, exact_staircase},
};

#define MECHANISMS ((int) (sizeof(mechanisms) / sizeof(mechanisms[0])))

static bool
choose(const Mechanism *mechanism, const Query *query, PaLaw *law)
{
	Query		shaped = *query;

	shaped.shape = mechanism->shape;
	return mechanism->choose(&shaped, law);
}

static void
acceptance_row(const Panel *panel)
{
	const Query *query = &panel->query;
	PaLaw		law;
	int			i;

	cell_text(panel->name);
	cell_short(query->epsilon);
	cell_short(query->sensitivity);
	cell_short(query->theta);
	for (i = 0; i < MECHANISMS; i++)
	{
		bool		there = choose(&mechanisms[i], query, &law);

		cell_probability(there ? pa_law_acceptance(&law, query->theta) : NAN);
		if (mechanisms[i].choose == law_of_paper)
			cell_rough(there ? pa_law_delta(&law, query->sensitivity, query->epsilon) : NAN);
	}
	row_end();
}

static void
acceptance_table(void)
{
	int			i;

	heading("7a. Fig. 7: acceptance");
	paragraph("delta = 1e-5; the staircase has delta = 0. theta = .01 is ours: with the printed theta = 1 every noise is accepted.");
	table("panel|eps|D|theta|Gaussian|Laplace|paper's BR-Gaussian|its true delta|paper's BR-Laplace|its true delta|"
		  "BR-Gaussian|BR-Laplace|staircase");
	for (i = 0; i < PANELS; i++)
		acceptance_row(&panels[i]);
}

/* The least t with Pr[|N| <= t] >= share. */
static double
half_width(const PaLaw *law, double share)
{
	double		low = 0;
	double		up = 1;
	int			i;

	while (pa_law_acceptance(law, up) < share && up < 1e12)
		up *= 2;
	for (i = 0; i < 60; i++)
	{
		double		middle = (low + up) / 2;

		if (pa_law_acceptance(law, middle) < share)
			low = middle;
		else
			up = middle;
	}
	return up;
}

static void
width_table(void)
{
	static const int shown[] = {0, 1, 6};
	int			i;
	int			j;

	heading("7b. Fig. 7: half widths of the boxes");
	paragraph("Half of the noise, and 95 %% of it, stays within: what a band gains is paid for outside of it.");
	table("mechanism|(a) 50 %|(a) 95 %|(b) 50 %|(b) 95 %|(e) 50 %|(e) 95 %");
	for (i = 0; i < MECHANISMS; i++)
	{
		cell_text(mechanisms[i].name);
		for (j = 0; j < 3; j++)
		{
			PaLaw		law;
			bool		there = choose(&mechanisms[i], &panels[shown[j]].query, &law);

			cell_fixed(there ? half_width(&law, 0.5) : NAN, 2);
			cell_fixed(there ? half_width(&law, 0.95) : NAN, 2);
		}
		row_end();
	}
}

static double
clamped_sum(const Person *person, double most)
{
	double		sum = 0;
	int			i;

	for (i = 0; i < CENSUS_SUBSET; i++)
		sum += fmin(person[i].gain, most);
	return sum;
}

static long
rich_persons(const Person *person)
{
	long		count = 0;
	int			i;

	for (i = 0; i < CENSUS_SUBSET; i++)
		count += person[i].rich;
	return count;
}

static void
data_table(const Census *census)
{
	int			i;

	heading("7c. The answers of the ten subsets of Adult");
	paragraph("%ld lines, %ld without a missing field (the paper has 45,222: the test set is not in this file); "
			  "%d drawn with a fixed seed, %d for each subset in the order of the file. "
			  "\"Growth income\" is taken to be capital-gain in thousands of dollars, clamped to [0, D]; the count is that of incomes above 50K.",
			  census->read, census->complete, CENSUS_SUBSETS * CENSUS_SUBSET, CENSUS_SUBSET);
	table("subset|sum|sum, clamped to 22|sum, clamped to 12|average, clamped to 12|count");
	for (i = 0; i < CENSUS_SUBSETS; i++)
	{
		const Person *person = census->person[i];

		cell_count(i + 1);
		cell_fixed(clamped_sum(person, INFINITY), 1);
		cell_fixed(clamped_sum(person, 22), 1);
		cell_fixed(clamped_sum(person, 12), 1);
		cell_fixed(clamped_sum(person, 12) / CENSUS_SUBSET, 4);
		cell_count(rich_persons(person));
		row_end();
	}
}

static double
draw_noise(Generator *generator, const PaBase *base)
{
	double		u = generator_uniform(generator);
	double		v = generator_uniform(generator);

	if (base->shape == PA_GAUSSIAN)
		return base->scale * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
	return base->scale * (v < 0.5 ? log(u) : -log(u));
}

/* A release of y as in Section 3.1; counts the rounds. */
static double
release_answer(Generator *generator, const PaLaw *law, double q, double theta, double y, long *rounds)
{
	for (;;)
	{
		double		noise = draw_noise(generator, &law->base);

		(*rounds)++;
		if (fabs(noise) <= theta || generator_uniform(generator) >= q)
			return y + noise;
	}
}

static void
simulation_row(const Census *census, const Mechanism *mechanism, const Query *query)
{
	Generator	generator = {11};
	long		rounds = 0;
	long		within = 0;
	double		q;
	PaLaw		law;
	int			i;

	if (!choose(mechanism, query, &law) || law.form == PA_LAW_STAIRCASE)
		return;
	q = 1 - pa_law_keep(&law);
	for (i = 0; i < CENSUS_SUBSETS * RUNS; i++)
	{
		double		y = clamped_sum(census->person[i / RUNS], query->sensitivity);

		within += fabs(release_answer(&generator, &law, q, query->theta, y, &rounds) - y) <= query->theta;
	}
	cell_text(mechanism->name);
	cell_fixed((double) within / (CENSUS_SUBSETS * RUNS), 4);
	cell_probability(pa_law_acceptance(&law, query->theta));
	cell_fixed((double) rounds / (CENSUS_SUBSETS * RUNS), 3);
	cell_fixed(law.form == PA_LAW_RECYCLED ? 1 / (1 - law.out_mass * q) : 1, 3);
	row_end();
}

static void
simulation_table(const Census *census)
{
	int			i;

	heading("7d. Fig. 7(a), simulated on the subsets");
	paragraph("%d releases of each of the %d sums, clamped to 22, theta = 5, eps = .5; fixed seed.", RUNS, CENSUS_SUBSETS);
	table("mechanism|accepted, simulated|exact|rounds a release, simulated|exact");
	for (i = 0; i < MECHANISMS; i++)
		simulation_row(census, &mechanisms[i], &panels[0].query);
}

void
tables_of_adult(const char *file)
{
	Census	   *census = malloc(sizeof(Census));

	acceptance_table();
	width_table();
	if (census != NULL && file != NULL && census_read(file, census))
	{
		data_table(census);
		simulation_table(census);
	}
	else
		paragraph("Tables 7c and 7d are skipped: adult.csv is not there.");
	free(census);
}
