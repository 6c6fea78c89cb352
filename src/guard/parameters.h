/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parameters.h
 *		Values of parameters that the guard has to know.
 *
 * They are known where a plan is made for one execution.  A plan for all
 * executions is made without them: a statement that needs them then becomes a
 * plan that costs so much that PostgreSQL does not choose it, and that fails
 * should it be executed nevertheless.
 */
#ifndef PA_PARAMETERS_H
#define PA_PARAMETERS_H

#include "guard/guard.h"

/*
 * The constant that an expression of constants, parameters and built-in functions
 * is; NULL: it is something else, or waits for the value of a parameter.
 */
extern Const *pa_constant(const PaGuard *guard, Node *expression, bool *waits);

/*
 * Puts values in the place of parameters where a function that is allowed over
 * protected rows has to have a constant: in place, in the whole statement.
 */
extern void pa_settle_parameters(PaGuard *guard, Query *query);

/* A query of the same columns that fails when it is executed; and says in its plan that it had better not be. */
extern Query *pa_waiting_query(const Query *query);
extern void pa_discourage(PlannedStmt *plan);

#endif							/* PA_PARAMETERS_H */
