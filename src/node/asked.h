/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asked.h
 *		What a release is of, taken apart: rows, conditions, keys, values.
 *
 * It comes from the leaf as the guard had it (guard/question.c), with what is known at
 * execution put in.  The parts are expressions over the tables of the source, so those of
 * two releases can be compared if their sources are the same.
 */
#ifndef PA_ASKED_H
#define PA_ASKED_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "price/release.h"

#define PA_SOURCE_BYTES 32

typedef struct PaAsked
{
	unsigned char source[PA_SOURCE_BYTES];	/* hash of FROM, of its policies and of the settings that give functions their meaning */
	List	   *conditions;		/* that all hold of the rows */
	List	   *keys;			/* as PaLeafSpec.keys */
	List	   *values;			/* of each aggregate: what it is of */
	const Query *rows;			/* FROM: expressions refer to its tables */
} PaAsked;

/* NULL: nobody knows, as there is no question */
extern PaAsked *pa_asked(const PaRelease *release, List *expressions, ExprContext *context);

/* What an expression over the rows is called to whoever asks. */
extern const char *pa_asked_name(const PaAsked *asked, Node *expression);

/* Whether it has a value in every row; and conditions that are false of none: those that the table itself has. */
extern bool pa_asked_never_null(const PaAsked *asked, Node *expression);
extern List *pa_asked_checks(const PaAsked *asked);

#endif							/* PA_ASKED_H */
