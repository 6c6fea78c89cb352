/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.h
 *		What answers with steps say of the cells of interval columns.
 *
 * Each such question is about one column, so the log-likelihood of a state's answers to them is a sum of
 * a function of each column alone, constant on the cells of all cuts that were ever asked about.  Its range
 * over the box is the sum of the ranges, exactly, since a box has every combination of numbers
 * (docs/theory-local.md, A).
 */
#ifndef PA_LOCAL_STEPS_H
#define PA_LOCAL_STEPS_H

#include "postgres.h"

#include "core/bayes/cells.h"
#include "local/book/state_room.h"
#include "local/question.h"

struct PaBook;

typedef struct PaSteps PaSteps;

/*
 * Of the questions that a book's states refer to, and of a further one that is to be asked (or NULL). In the
 * memory of the caller; errors out where there are more cuts than a table may have.
 */
extern PaSteps *pa_steps_make(const struct PaBook *book, const PaQuestion *further);

/* Cells of a dimension of the box; cuts NULL: nothing was asked about it. */
extern PaCuts pa_steps_cuts(const PaSteps *steps, int dimension);

/* The further question's law over the cells of its column. */
extern const PaQuery *pa_steps_query(const PaSteps *steps);

/* The table of a state's answers over the cells of a dimension: good until the next call. */
extern PaLikelihood pa_steps_table(PaSteps *steps, const PaOwnerState *state, int dimension);

/* The loss of a state's answers with steps, rounded up; but for those about a dimension (-1: all of them). */
extern double pa_steps_loss(PaSteps *steps, const PaOwnerState *state, int except);

#endif							/* PA_LOCAL_STEPS_H */
