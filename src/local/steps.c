/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.c
 *		See steps.h.
 */
#include "postgres.h"

#include <float.h>

#include "server_environment.h"
#include "errors.h"
#include "local/book/book.h"
#include "local/steps.h"

#define UP (1 + 4 * DBL_EPSILON)

/* A question over the finer cells of its column; the same numbers, so the same law. */
typedef struct Refined
{
	int			number;
	int			dimension;
	PaQuestion	question;
} Refined;

struct PaSteps
{
	PaCuts		cuts[PA_REGRESSION_DIMENSIONS];	/* of each dimension */
	int			nquestions;
	Refined    *questions;		/* by number, but for the further one, which is the last */
	double	   *values;			/* room for a table */
};

static int
dimension_of(const PaDomain *domain, const PaQuestion *question)
{
	return domain->dimension[question->columns[0]];
}

static void
add_cuts(PaSteps *steps, int dimension, const PaQuestion *question)
{
	PaCuts	   *cuts = &steps->cuts[dimension];
	PaCuts		more = {question->ncuts, question->cuts};
	double	   *merged = palloc(sizeof(double) * (cuts->count + more.count));

	*cuts = (PaCuts) {pa_cuts_merge(cuts, &more, merged), merged};
	if (cuts->count >= PA_MOST_DOMAIN)
		ereport(ERROR,
				errcode(ERRCODE_PA_INVALID_OPTION),
				errmsg("%s cannot be asked", question->text ? question->text : "the question"),
				errdetail("All questions about the column have more than %d steps together.", PA_MOST_DOMAIN - 1),
				errhint("Ask with steps that were asked about before."));
}

static void
add_question(PaSteps *steps, const PaDomain *domain, const PaQuestion *question)
{
	Refined    *refined = &steps->questions[steps->nquestions++];

	*refined = (Refined) {question->number, dimension_of(domain, question), *question};
	add_cuts(steps, refined->dimension, question);
}

/* Once all cuts are known. */
static void
refine(Refined *refined, const PaCuts *finer, const PaDomain *domain)
{
	PaQuestion *question = &refined->question;
	PaCuts		coarser = {question->ncuts, question->cuts};
	uint32	   *projection = palloc(sizeof(uint32) * (finer->count + 1));
	double	   *points = palloc(sizeof(double) * (finer->count + 1));

	pa_cells_project(finer, &coarser, projection);
	for (int i = 0; i <= finer->count; i++)
		points[i] = question->points[projection[i]];
	pfree(projection);
	question->points = points;
	question->npoints = finer->count + 1;
	question->cuts = unconstify(double *, finer->cut);
	question->ncuts = finer->count;
	pa_question_complete(question, domain);
}

PaSteps *
pa_steps_make(const PaBook *book, const PaQuestion *further)
{
	PaSteps    *steps = palloc0(sizeof(PaSteps));
	int			most = 0;

	steps->questions = palloc(sizeof(Refined) * (book->nregressions + 1));
	for (int i = 0; i < book->nregressions; i++)
		if (book->regressions[i]->ncuts > 0)
			add_question(steps, &book->domain, book->regressions[i]);
	if (further)
		add_question(steps, &book->domain, further);
	for (int i = 0; i < steps->nquestions; i++)
	{
		const PaCuts *finer = &steps->cuts[steps->questions[i].dimension];

		refine(&steps->questions[i], finer, &book->domain);
		most = Max(most, finer->count + 1);
	}
	steps->values = palloc(sizeof(double) * Max(most, 1));
	return steps;
}

PaCuts
pa_steps_cuts(const PaSteps *steps, int dimension)
{
	return steps->cuts[dimension];
}

const PaQuery *
pa_steps_query(const PaSteps *steps)
{
	return &steps->questions[steps->nquestions - 1].question.query;
}

/* NULL: of another kind, or about another dimension. */
static const PaQuestion *
question_about(const PaSteps *steps, int number, int dimension)
{
	int			low = 0,
				high = steps->nquestions;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (steps->questions[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == steps->nquestions || steps->questions[low].number != number || steps->questions[low].dimension != dimension)
		return NULL;
	return &steps->questions[low].question;
}

PaLikelihood
pa_steps_table(PaSteps *steps, const PaOwnerState *state, int dimension)
{
	PaLikelihood table;

	(void) pa_likelihood_start(steps->values, (size_t) steps->cuts[dimension].count + 1, &table);
	for (int i = 0; i < state->nanswers; i++)
	{
		const PaQuestion *question = question_about(steps, state->answers[2 * i], dimension);

		if (question && pa_query_record(&question->query, state->answers[2 * i + 1], &table, pa_server_environment()) != PA_OK)
			elog(ERROR, "an answer to question %d is impossible", question->number);
	}
	return table;
}

double
pa_steps_loss(PaSteps *steps, const PaOwnerState *state, int except)
{
	double		sum = 0;

	for (int i = 0; i < PA_REGRESSION_DIMENSIONS; i++)
	{
		PaRealisedLoss loss;
		PaLikelihood table;

		if (i == except || steps->cuts[i].count == 0)
			continue;
		table = pa_steps_table(steps, state, i);
		loss = pa_likelihood_loss(&table);
		sum = (sum + loss.loss + loss.error) * (sum + loss.loss > 0 ? UP : 1);
	}
	return sum;
}
