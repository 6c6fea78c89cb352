/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_forms.h
 *		Nodes that are parts of boxes: intervals for the forms w_i beside those of x.
 *
 * With few steep terms a node is better bounded by a linear program and split at
 * a value of one form: where a sigmoid or a cut ramp runs from one end to the other,
 * a split at its bend leaves two parts on which it hardly changes, for which
 * coordinates would have to be split many times.
 */
#ifndef PA_BRANCH_FORMS_H
#define PA_BRANCH_FORMS_H

#include "core/bayes/branch_climb.h"
#include "core/bayes/branch_program.h"

typedef struct PaForms
{
	double	   *from;			/* the interval of each form; infinite unless it was split or cut */
	double	   *to;				/* (behind from) */
	PaRelaxation relaxation;
	PaProgram  *program;
	PaClimb    *climb;			/* the caller's, with the envelopes */
	const PaEnvironment *environment;
} PaForms;

/* The rule, by measurement: steep terms, and few of them for the dimensions. */
extern bool pa_forms_wanted(const PaSum *sum, const PaBox *box);

/* For sums like this one; NULL if there is no memory. */
extern PaForms *pa_forms_make(const PaSum *sum, PaClimb *climb, const PaEnvironment *environment);
extern void pa_forms_free(PaForms *forms);

/* No form has an interval of its own. */
extern void pa_forms_open(PaForms *forms, const PaSum *sum);
extern bool pa_forms_split(const PaForms *forms, const PaSum *sum);

/* Narrows the box to where the forms can be in their intervals; false if that is nowhere. */
extern bool pa_forms_narrow(const PaForms *forms, const PaSum *sum, double *low, double *high);

/*
 * Bounds like pa_climb_bound() on the envelopes in the climb, from climb->x, by a linear program,
 * and by a climb from its solution where tangents alone are not exact; the better bound,
 * its gradient and point are then the climb's.  side: which of two sums.  False if there
 * is none, with the climb as it was.
 */
extern bool pa_forms_bound(PaForms *forms, const PaSum *sum, int side, const double *low,
						   const double *high, double floor, double close);

/*
 * Cuts off values of forms with which the last bound is at most floor; whether it is
 * worth another bound.  *cut says whether anything went.
 */
extern bool pa_forms_cut(PaForms *forms, const PaSum *sum, double floor, bool *cut);

/* The form whose envelope is furthest above its term, and where to split it; -1 if none is. */
extern int	pa_forms_choose(const PaForms *forms, const PaSum *sum, double *point);

#endif							/* PA_BRANCH_FORMS_H */
