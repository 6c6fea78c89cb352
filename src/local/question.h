/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * question.h
 *		One question of the local regime: the exact law of its answers.
 *
 * A question is made from a call of an ldp_ aggregate, or read back from
 * privacct.question; both give the same law bit for bit, since its numbers are
 * kept as they are.  A central release on the same table is a question too,
 * without answers: it costs each owner who is in it its epsilon.
 */
#ifndef PA_LOCAL_QUESTION_H
#define PA_LOCAL_QUESTION_H

#include "postgres.h"

#include "access/htup.h"
#include "access/tupdesc.h"

#include "core/bayes/query.h"
#include "core/bayes/regression.h"

#include "local/domain.h"

typedef enum PaAskKind
{
	PA_ASK_BINARY,				/* a bit about a number at each point, or on each cell of an interval */
	PA_ASK_RESPONSE,			/* a category, by k-ary randomised response */
	PA_ASK_ADDITIVE,			/* a number with additive noise */
	PA_ASK_LINEAR,				/* a bit about a linear form of the box, cut to [a, b] */
	PA_ASK_LOGISTIC,			/* a bit about the logistic function of one */
	PA_ASK_CENTRAL
} PaAskKind;

typedef struct PaQuestion
{
	PaAskKind	kind;
	int			number;			/* of the policy's questions, from 1 on */
	int64		charge_id;
	const char *text;			/* what was asked, for readers */
	double		level;			/* LDP epsilon; central: its epsilon */
	double		rho;
	int			ncolumns;		/* that the points run over, ascending; indexes into the domain */
	int			columns[PA_REGRESSION_DIMENSIONS];
	int			npoints;		/* of the projection on these columns */
	double	   *points;			/* number, category or steps at each; linear, logistic: coefficients */
	int			ncuts;			/* of the cells of one interval column, which the points are then; else 0 */
	double	   *cuts;
	PaBinary	binary;			/* also of linear and logistic: how the bit is drawn */
	PaResponse	response;
	PaAdditive	additive;
	double		low;			/* additive: a value is low + steps * step */
	double		step;
	PaRegression regression;	/* linear, logistic */
	double		slack;			/* linear, logistic: how far the law drawn may be from the law certified, twice, nats */
	bool		everybody_new;	/* central: owners who were never asked are in it */
	PaQuery		query;			/* binary, response, additive: over all points of the domain, or over the cells */
} PaQuestion;

extern const char *pa_question_randomiser(const PaQuestion *question);
extern bool pa_question_is_regression(const PaQuestion *question);

/* Whether the answers are kept in states one by one: about the box, not about points. */
extern bool pa_question_is_about_box(const PaQuestion *question);

/* Whether two questions with steps have the same law: their answers may change places. */
extern bool pa_question_is_alike(const PaQuestion *a, const PaQuestion *b);

/* Bits of an output as it is stored: 0 (central), 1, 8, 16 or 64. */
extern int	pa_question_width(const PaQuestion *question);

/* How many outputs there are; 0: not a fixed number (additive). */
extern int	pa_question_outputs(const PaQuestion *question);

/* Once kind, points and randomiser are set: makes query, level and rho. */
extern void pa_question_complete(PaQuestion *question, const PaDomain *domain);

/* How far the law that a linear or logistic question draws from may be from the one that is certified, twice, in nats. */
extern double pa_drawing_slack(const PaQuestion *question, const PaDomain *domain);

/* To and from a row of privacct.question; owners: how many answered. */
extern void pa_question_row(const PaQuestion *question, int64 policy_id, int owners, const PaDomain *domain,
							Datum *values, bool *nulls);
extern PaQuestion *pa_question_read(HeapTuple tuple, TupleDesc desc, const PaDomain *domain);

/* Columns of privacct.question */
enum
{
	QUESTION_POLICY = 1, QUESTION_NUMBER, QUESTION_CHARGE, QUESTION_ASKED_AT, QUESTION_TEXT, QUESTION_RANDOMISER,
	QUESTION_LEVEL, QUESTION_RHO, QUESTION_COLUMNS, QUESTION_PARAMETERS, QUESTION_KERNEL, QUESTION_POINTS,
	QUESTION_OWNERS, QUESTION_CUTS, QUESTION_COLUMN_COUNT = QUESTION_CUTS
};

#endif							/* PA_LOCAL_QUESTION_H */
