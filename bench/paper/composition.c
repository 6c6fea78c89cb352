/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * composition.c
 *		Algorithm 3, Fig. 5 and Table I, beside exact composition.
 */
#include <math.h>

#include "brdp_paper.h"
#include "exact.h"
#include "figures.h"
#include "markdown.h"
#include "tables.h"

#define DELTA 1e-5
#define TIMES 1000

static const int times_shown[] = {1, 10, 100, 1000};

static void
counterexample(void)
{
	Query		query = {PA_GAUSSIAN, 1, 5, 1, DELTA};
	PaLaw		law;
	int			i;

	heading("4a. Theorem 3 is not a bound");
	paragraph("Gaussian kernel, sigma = 15, D = 5, theta = 1, q = .9: eps at delta = 1e-5. "
			  "Algorithm 3 leaves out the term k = 0 of Theorem 3.");
	table("releases|Algorithm 3|Theorem 3|exact|too low by");
	if (!exact_law(&query, 15, 0.9, &law))
		return;
	for (i = 0; i < 4; i++)
	{
		double		printed = paper_composed_epsilon(&query, 15, 0.9, times_shown[i], PAPER_ALGORITHM_3, DELTA);
		double		claimed = paper_composed_epsilon(&query, 15, 0.9, times_shown[i], PAPER_THEOREM_3, DELTA);
		double		epsilon = exact_composed_epsilon(&law, query.sensitivity, times_shown[i], DELTA);

		cell_count(times_shown[i]);
		cell_fixed(printed, 2);
		cell_fixed(claimed, 2);
		cell_fixed(epsilon, 2);
		cell_fixed(epsilon - claimed, 2);
		row_end();
	}
}

static void
figure_5_row(const Query *query, int times)
{
	PaperRecycler paper;
	PaLaw		plain;
	PaLaw		recycled;
	PaLaw		of_paper;

	if (!paper_best_kernel(query, PAPER_AS_MEANT, 0, &paper) ||
		!exact_law(query, paper.scale, paper.q, &of_paper) ||
		!exact_plain(query, &plain) || !exact_recycled(query, &recycled))
		return;
	cell_text(query->shape == PA_GAUSSIAN ? "Gaussian" : "Laplace");
	cell_short(query->sensitivity);
	cell_short(query->epsilon);
	cell_count(times);
	cell_fixed(exact_composed_epsilon(&plain, query->sensitivity, times, DELTA), 3);
	cell_fixed(paper_composed_epsilon(query, paper.scale, paper.q, times, PAPER_THEOREM_3, DELTA), 3);
	cell_fixed(exact_composed_epsilon(&of_paper, query->sensitivity, times, DELTA), 3);
	cell_fixed(exact_composed_epsilon(&recycled, query->sensitivity, times, DELTA), 3);
	row_end();
}

static void
figure_5(void)
{
	static const Query queries[] = {
		{PA_GAUSSIAN, 1, 1, 1, DELTA},
		{PA_LAPLACE, 1, 1, 1, DELTA},
		{PA_GAUSSIAN, 1, 5, 3, DELTA},
		{PA_LAPLACE, 1, 5, 3, DELTA},
	};
	int			i;
	int			j;

	heading("4b. Fig. 5: eps after composition");
	paragraph("theta = 1, each release made for (eps, 1e-5), eps at delta = 1e-5 of all. The figure has D = 1, eps = 1. "
			  "Theorem 3 takes a Laplace kernel by Renyi divergences, as the paper does.");
	table("kernel|D|eps each|releases|kernel alone, exact|paper's BR, Theorem 3|paper's BR, exact|valid BR, exact");
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
			figure_5_row(&queries[i], times_shown[j]);
}

/* What the paper prints: eps at 1e-5 and 1e-10, seconds. */
typedef struct Printed
{
	const char *name;
	double		epsilon[2];
	double		seconds;
} Printed;

static void
table_1_row(const Printed *printed, const Query *query, const PaLaw *law, const PaperRecycler *paper)
{
	static const double deltas[] = {1e-5, 1e-10};
	double		start = seconds_now();
	double		exact[2];
	double		spent;
	int			i;

	for (i = 0; i < 2; i++)
		exact[i] = exact_composed_epsilon(law, query->sensitivity, TIMES, deltas[i]);
	spent = (seconds_now() - start) / 2;
	cell_text(printed->name);
	for (i = 0; i < 2; i++)
	{
		cell_fixed(printed->epsilon[i], 2);
		cell_fixed(paper == NULL ? NAN :
				   paper_composed_epsilon(query, paper->scale, paper->q, TIMES, PAPER_THEOREM_3, deltas[i]), 2);
		cell_fixed(exact[i], 2);
	}
	cell_fixed(printed->seconds, 1);
	cell_rough(spent);
	row_end();
}

static void
table_1_of_kernel(const Query *query, const Printed *plain, const Printed *recycled, const Printed *ours)
{
	PaperRecycler none = {0};
	PaperRecycler paper;
	PaLaw		law;

	if (exact_plain(query, &law))
	{
		none.scale = law.base.scale;
		table_1_row(plain, query, &law, &none);
	}
	if (paper_best_kernel(query, PAPER_AS_MEANT, 0, &paper) && exact_law(query, paper.scale, paper.q, &law))
		table_1_row(recycled, query, &law, &paper);
	if (exact_recycled(query, &law))
		table_1_row(ours, query, &law, NULL);
}

static void
table_1(void)
{
	static const Printed laplace = {"Lap-DP", {18.98, 25.38}, 12.3};
	static const Printed laplace_paper = {"Lap-BRDP", {16.8, 22.23}, 63.2};
	static const Printed laplace_ours = {"valid BR-Laplace", {NAN, NAN}, NAN};
	static const Printed gaussian = {"Gau-DP", {4.77, 7.17}, 13.5};
	static const Printed gaussian_paper = {"Gau-BRDP", {4.72, 6.93}, 77.5};
	static const Printed gaussian_ours = {"valid BR-Gaussian", {NAN, NAN}, NAN};
	Query		query = {PA_LAPLACE, 1, 1, 0.1, DELTA};

	heading("5. Table I: eps after 1000 releases of eps = .1");
	paragraph("theta = 1 and D = 1 are ours, the paper names none; each release is made for (.1, 1e-5). "
			  "\"Theorem 3\" of a kernel alone is its own accounting with q = 0. "
			  "Seconds are run times: the last column is of this machine and differs from run to run.");
	table("mechanism|printed, 1e-5|Theorem 3|exact|printed, 1e-10|Theorem 3|exact|printed seconds|seconds");
	table_1_of_kernel(&query, &laplace, &laplace_paper, &laplace_ours);
	query.shape = PA_GAUSSIAN;
	table_1_of_kernel(&query, &gaussian, &gaussian_paper, &gaussian_ours);
}

void
tables_of_composition(void)
{
	counterexample();
	figure_5();
	table_1();
}
