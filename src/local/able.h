/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * able.h
 *		Who can bear a question, before it is asked and charged.
 *
 * It depends on published answers, on the question, and on which owners the table
 * has: on nothing that is protected, so it may be said, and for nothing.
 */
#ifndef PA_LOCAL_ABLE_H
#define PA_LOCAL_ABLE_H

#include "postgres.h"

#include "utils/snapshot.h"

#include "local/book/book.h"

typedef struct PaAble
{
	int64		known;			/* owners who were asked before */
	int64	   *able;			/* of each question: how many of them can bear it */
	bool	   *newcomers;		/* of each question: whether owners who were never asked can */
	int64		releases;		/* how often at least one owner is certain to bear all of them */
} PaAble;

/* As things stand now; reads no row of the table. */
extern PaAble pa_able(const PaPolicy *policy, int count, PaQuestion *const *questions);

/*
 * 53PA2 if there is a question of a release that nobody can bear.  Where it would be up
 * to owners who were never asked, an index of owners is read, once, to see whether there
 * are any.
 */
extern void pa_require_able(const PaPolicy *policy, int count, PaQuestion *const *questions, Snapshot snapshot);

/* A question without answers that costs so much: a central release. */
extern PaQuestion *pa_central_question(const PaDomain *domain, double epsilon);

#endif							/* PA_LOCAL_ABLE_H */
