/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recycling.c
 *		Algorithms 1 and 2, Fig. 3 and Fig. 4, beside the exact profile.
 */
#include <math.h>
#include <stdint.h>

#include "brdp_paper.h"
#include "core/accounting/recycle.h"
#include "exact.h"
#include "generator.h"
#include "markdown.h"
#include "tables.h"

#define DELTA 1e-5
#define LEAST_ROUND 0x1p-12

static const Query settings[] = {
	{PA_GAUSSIAN, 1, 1, 1, DELTA},
	{PA_GAUSSIAN, 1, 1, 3, DELTA},
	{PA_GAUSSIAN, 1, 5, 1, DELTA},
	{PA_GAUSSIAN, 1, 5, 3, DELTA},
	{PA_GAUSSIAN, 1, 5, 5, DELTA},
	{PA_GAUSSIAN, 5, 22, 0.5, DELTA},
	{PA_GAUSSIAN, 10, 12, 0.5, DELTA},
	{PA_GAUSSIAN, 3, 1, 0.1, DELTA},
	{PA_LAPLACE, 1, 1, 1, DELTA},
	{PA_LAPLACE, 1, 1, 3, DELTA},
	{PA_LAPLACE, 1, 5, 1, DELTA},
	{PA_LAPLACE, 1, 5, 3, DELTA},
	{PA_LAPLACE, 1, 5, 5, DELTA},
	{PA_LAPLACE, 5, 22, 0.5, DELTA},
	{PA_LAPLACE, 10, 12, 0.5, DELTA},
	{PA_LAPLACE, 3, 1, 0.1, DELTA},
};

#define SETTINGS ((int) (sizeof(settings) / sizeof(settings[0])))

static void
cells_of_query(const Query *query)
{
	cell_text(query->shape == PA_GAUSSIAN ? "Gaussian" : "Laplace");
	cell_short(query->theta);
	cell_short(query->sensitivity);
	cell_short(query->epsilon);
}

static void
cells_of_paper(const Query *query, const PaperRecycler *at)
{
	cell_short(at->epsilon_y);
	cell_short(at->scale);
	cell_rate(at->q);
	cell_rough(at->claimed_delta);
	cell_rough(exact_delta(query, at->scale, at->q));
	cell_short(exact_delta(query, at->scale, at->q) / query->delta);
	cell_probability(at->acceptance);
}

static void
paper_table(void)
{
	int			i;

	heading("1a. What Algorithms 1 and 2 return");
	paragraph("delta = 1e-5. Ternary search over eps_y, objective (9).");
	table("kernel|theta|D|eps|eps_y|scale|q|claimed delta|true delta|true / asked for|acceptance");
	for (i = 0; i < SETTINGS; i++)
	{
		PaperRecycler at;

		if (!paper_best_kernel(&settings[i], PAPER_AS_MEANT, 0, &at))
			continue;
		cells_of_query(&settings[i]);
		cells_of_paper(&settings[i], &at);
		row_end();
	}
}

static void
exact_table(void)
{
	int			i;

	heading("1b. The same queries with exact accounting");
	paragraph("delta = 1e-5; the staircase has delta = 0.");
	table("kernel|theta|D|eps|kernel alone|scale|q|true delta|acceptance|staircase");
	for (i = 0; i < SETTINGS; i++)
	{
		const Query *query = &settings[i];
		PaLaw		law;

		if (!exact_recycled(query, &law))
			continue;
		cells_of_query(query);
		cell_probability(exact_acceptance(exact_plain, query));
		cell_short(law.base.scale);
		cell_rate(1 - pa_law_keep(&law));
		cell_rough(pa_law_delta(&law, query->sensitivity, query->epsilon));
		cell_probability(pa_law_acceptance(&law, query->theta));
		cell_probability(exact_acceptance(exact_staircase, query));
		row_end();
	}
}

static void
objective_table(void)
{
	int			i;

	heading("1c. The maximum of Algorithm 2's objective");
	paragraph("The best of 601 values of eps_y, and the ternary search with (10) as it is printed.");
	table("kernel|theta|D|eps|eps_y|scale|q|claimed delta|true delta|true / asked for|acceptance|(10): eps_y|(10): q");
	for (i = 0; i < SETTINGS; i++)
	{
		PaperRecycler best;
		PaperRecycler printed;

		if (!paper_scan_kernels(&settings[i], &best) ||
			!paper_best_kernel(&settings[i], PAPER_AS_PRINTED, 0, &printed))
			continue;
		cells_of_query(&settings[i]);
		cells_of_paper(&settings[i], &best);
		cell_short(printed.epsilon_y);
		cell_rough(printed.q);
		row_end();
	}
}

/* Of the project's test vectors ("verify"). */
typedef struct Accepted
{
	Query		query;
	double		scale;
	double		q;
} Accepted;

static const Accepted accepted[] = {
	{{PA_GAUSSIAN, 1, 5, 1, 1e-5}, 198480.32013205238, 0.9999999999990905},
	{{PA_LAPLACE, 6.7203126783, 5.88711, 0.530354, 1e-5}, 12.333194924455453, 0.05174151613846334},
	{{PA_LAPLACE, 0.987469497, 0.715428, 0.336497, 0.01}, 2.2153042058709005, 0.16849981715313334},
	{{PA_LAPLACE, 13.0356696645, 8.14765, 0.66669, 0.01}, 23.0520576490584, 0.38530396318219573},
	{{PA_GAUSSIAN, 0.706554255891, 0.715209, 1.72771, 1e-7}, 466105.8176065172, 0.8513364385871682},
	{{PA_GAUSSIAN, 13.9387080429, 2.53809, 0.660763, 1e-7}, 3063781.9571655327, 0.6398126688363845},
	{{PA_GAUSSIAN, 1.5497940751, 1.44869, 0.256764, 0.01}, 7.376590933296219, 0.0032560016406932846},
};

static void
accepted_table(void)
{
	int			i;

	heading("1d. Recyclers that Algorithm 1 accepts");
	table("kernel|theta|D|eps|scale|q|delta asked for|Proposition 2|true delta|acceptance");
	for (i = 0; i < (int) (sizeof(accepted) / sizeof(accepted[0])); i++)
	{
		const Accepted *at = &accepted[i];
		PaLaw		law;

		if (!exact_law(&at->query, at->scale, at->q, &law))
			continue;
		cells_of_query(&at->query);
		cell_short(at->scale);
		cell_rate(at->q);
		cell_rough(at->query.delta);
		cell_short(paper_delta(&at->query, at->scale, at->q));
		cell_short(pa_law_delta(&law, at->query.sensitivity, at->query.epsilon));
		cell_probability(pa_law_acceptance(&law, at->query.theta));
		row_end();
	}
}

static Query
random_query(Generator *generator, PaShape shape)
{
	Query		query = {shape, 1, 1, 1, 1};

	query.theta = pow(10, -1.5 + 2 * generator_uniform(generator));
	query.epsilon = pow(10, -1 + 1.7 * generator_uniform(generator));
	query.delta = pow(10, -8 + 6 * generator_uniform(generator));
	return query;
}

static void
survey_of_shape(PaShape shape, const char *name, int settings_wanted)
{
	Generator	generator = {1};
	int			broken = 0;
	int			plainly = 0;
	int			tenfold = 0;
	double		worst = 0;
	int			i;

	for (i = 0; i < settings_wanted; i++)
	{
		Query		query = random_query(&generator, shape);
		PaperRecycler at;
		double		factor;

		if (!paper_recycling_rate(&query, query.epsilon * (0.05 + 0.95 * generator_uniform(&generator)), &at))
			continue;
		factor = exact_delta(&query, at.scale, at.q) / query.delta;
		broken += factor > 1 + 1e-6;
		plainly += factor > 1.01;
		tenfold += factor > 10;
		worst = fmax(worst, factor);
	}
	cell_text(name);
	cell_count(settings_wanted);
	cell_fixed(100.0 * broken / settings_wanted, 1);
	cell_fixed(100.0 * plainly / settings_wanted, 1);
	cell_fixed(100.0 * tenfold / settings_wanted, 1);
	cell_rough(worst);
	row_end();
}

static void
survey_table(void)
{
	heading("1e. How often Algorithm 1 breaks delta");
	paragraph("D = 1; theta in .03 to 3.2, eps in .1 to 5, delta in 1e-8 to 1e-2, each even in its logarithm; "
			  "eps_y even in .05 eps to eps.");
	table("kernel|settings|broken, %|by more than 1 %, %|tenfold or worse, %|largest true delta / delta");
	survey_of_shape(PA_GAUSSIAN, "Gaussian", 5000);
	survey_of_shape(PA_LAPLACE, "Laplace", 5000);
}

static void
figure_3_row(const Query *query, double epsilon_y)
{
	double		baseline = paper_baseline(query->epsilon, epsilon_y);
	PaperRecycler at;
	PaLaw		law;

	if (!paper_recycling_rate(query, epsilon_y, &at))
		return;
	cell_rough(query->delta);
	cell_fixed(epsilon_y, 2);
	cell_short(at.scale);
	cell_fixed(baseline, 4);
	cell_rough(exact_delta(query, at.scale, baseline));
	cell_fixed(at.q, 4);
	cell_rough(exact_delta(query, at.scale, at.q));
	if (pa_recycle_at(query->shape, PA_LINE, at.scale, query->theta, query->sensitivity,
					  query->epsilon, query->delta, LEAST_ROUND, &law) == PA_OK)
		cell_fixed(1 - pa_law_keep(&law), 4);
	else
		cell_text("-");
	row_end();
}

static void
figure_3(void)
{
	static const double deltas[] = {1e-3, 1e-5, 1e-7};
	static const double kernels[] = {0.25, 0.5, 1, 1.5, 2, 2.5, 2.9};
	int			i;
	int			j;

	heading("2. Fig. 3: q for a given Gaussian kernel");
	paragraph("theta = 1, D = 1, eps = 3, delta_y = delta. \"Baseline\" is Remark 1.");
	table("delta|eps_y|sigma|baseline q|its true delta|Algorithm 1: q|its true delta|largest valid q");
	for (i = 0; i < 3; i++)
		for (j = 0; j < 7; j++)
		{
			Query		query = {PA_GAUSSIAN, 1, 1, 3, deltas[i]};

			figure_3_row(&query, kernels[j]);
		}
}

static void
cells_of_shape(PaShape shape, Query query)
{
	PaperRecycler at;

	query.shape = shape;
	cell_probability(exact_acceptance(exact_plain, &query));
	if (paper_best_kernel(&query, PAPER_AS_MEANT, 0, &at))
	{
		cell_probability(at.acceptance);
		cell_rough(exact_delta(&query, at.scale, at.q));
	}
	else
	{
		cell_text("-");
		cell_text("-");
	}
	cell_probability(exact_acceptance(exact_recycled, &query));
}

static void
figure_4(const char *title, double sensitivity)
{
	int			i;

	heading(title);
	paragraph("theta = 1, D = %g, delta = 1e-5; the staircase has delta = 0.", sensitivity);
	table("eps|Gaussian|paper's BR-Gaussian|its true delta|BR-Gaussian|Laplace|paper's BR-Laplace|"
		  "its true delta|BR-Laplace|staircase");
	for (i = 1; i <= 10; i++)
	{
		Query		query = {PA_GAUSSIAN, 1, sensitivity, 0.5 * i, DELTA};

		cell_fixed(query.epsilon, 1);
		cells_of_shape(PA_GAUSSIAN, query);
		cells_of_shape(PA_LAPLACE, query);
		cell_probability(exact_acceptance(exact_staircase, &query));
		row_end();
	}
}

void
tables_of_recycling(void)
{
	paper_table();
	exact_table();
	objective_table();
	accepted_table();
	survey_table();
	figure_3();
	figure_4("3a. Fig. 4(a): acceptance", 1);
	figure_4("3b. Fig. 4(b): acceptance", 5);
}
