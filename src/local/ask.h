/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ask.h
 *		From a call of an ldp_ aggregate to the question that owners are asked.
 *
 * An expression over listed columns is evaluated once for each point of those
 * columns; an owner's response is then found by the owner's point.  One over
 * interval columns must be a linear form (form.h), computed for each owner, or have steps over one of
 * them (cells.h): then it is evaluated once for each cell.
 * Nothing here reads a row.
 */
#ifndef PA_LOCAL_ASK_H
#define PA_LOCAL_ASK_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "bound/statistic.h"
#include "local/question.h"
#include "local/spec.h"

typedef struct PaAsk
{
	const PaLeafAggregate *call;
	PaQuestion	question;
	double		epsilon;		/* what is charged to the quota; at least the level */
	double		noise_variance; /* additive: of one owner's noise, in steps */
	uint32		weight[PA_REGRESSION_DIMENSIONS];	/* of a column's place in the number of the point; by column of the spec */
	uint32	   *representative; /* for each point of the question one of the domain */
	double		coefficient[PA_REGRESSION_DIMENSIONS];	/* linear, logistic: by column of the spec */
	int			cell_column;	/* with steps: the column of the spec whose cells are the points */
	Oid			category_type;	/* response: what the categories are */
	Datum	   *categories;
	bool	   *category_nulls;
} PaAsk;

/* True if the spec's columns that the question needs are intervals: it is about a linear form. */
extern bool pa_ask_is_regression(const PaAsk *ask);

/* One for each call of the leaf; errors out on what cannot be asked.  expressions: bounds and options. */
extern PaAsk *pa_ask_prepare(const PaLocalSpec *spec, List *expressions, const PaPolicy *policy,
							 const PaDomain *domain, ExprContext *context);

/* What so many questions are charged together, and an epsilon as an amount; errors out if it is out of range. */
extern double pa_ask_total(const PaAsk *asks, int count);
extern PaAmount pa_ask_amount(double epsilon);

#endif							/* PA_LOCAL_ASK_H */
