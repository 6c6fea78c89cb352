/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * respond.h
 *		Asking: rows become respondents, respondents answer, answers are counted.
 *
 * First the child is read to its end; what is kept of a row is whose it is, in
 * which group it counts, and the response to each question.  Then one question
 * after the other is put to those whom the filter admits; their answers are
 * recorded before the next question's filter looks at them.
 */
#ifndef PA_LOCAL_RESPOND_H
#define PA_LOCAL_RESPOND_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "bound/group_table.h"
#include "local/admit.h"
#include "local/ask.h"
#include "local/book/book.h"

/* Answers to one question in one group. */
typedef struct PaTally
{
	int64		answered;
	int64		hits;			/* one bit: how many said "high" */
	double		total;			/* additive: sum of the answers, in steps */
	int64	   *counts;			/* response: of each category */
	int64	   *outputs;		/* additive, where each is released: the answers */
	int64		capacity;
} PaTally;

typedef struct PaRespondents
{
	const PaLocalSpec *spec;
	const PaAsk *asks;
	PaGroupTable *groups;
	int64		count;
	int64		capacity;
	uint64	   *keys;			/* of each */
	uint32	   *records;
	int		   *owners;			/* number in the book; -1: none yet */
	int		   *group;
	uint32	  **points;			/* [question][respondent]: number of the point; NULL for forms */
	double	  **responses;		/* [question][respondent]: of the form; NULL for points */
	int64	   *asked;			/* of each group: respondents */
	PaTally   **tallies;		/* [question][group] */
	MemoryContext context;
} PaRespondents;

/* What one question's answers are, to be recorded. */
typedef struct PaAnswered
{
	int			count;
	uint8	   *answered;
	size_t		answered_bytes;
	uint8	   *outputs;
	size_t		outputs_bytes;
	double	   *bounds;			/* PA_BOUNDS for each of nstates; NULL: none */
	int			nstates;
	int			most_states;	/* afterwards */
} PaAnswered;

extern PaRespondents *pa_respondents_read(PlanState *child, PlanState *node, const PaLocalSpec *spec,
										  const PaPolicy *policy, const PaBook *book, const PaAsk *asks,
										  MemoryContext context);

/* Who may answer question i, the book's next.  May take long, and can be cancelled. */
extern PaAdmission pa_respondents_admit(PaRespondents *respondents, PaAsk *ask, const PaPolicy *policy, const PaBook *book);

/*
 * Puts question i to those who were admitted.  Whoever calls holds interrupts until
 * the answers are on their way to the ledger: that a query is cancelled must not
 * depend on what was answered, since what is not recorded could be asked again.
 */
extern PaAnswered pa_respondents_ask(PaRespondents *respondents, int i, PaAsk *ask, const PaAdmission *admission,
									 const PaPolicy *policy, PaBook *book);

#endif							/* PA_LOCAL_RESPOND_H */
