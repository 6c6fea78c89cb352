/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rephrase.h
 *		What means the same as something that the rest of the guard knows.
 */
#ifndef PA_REPHRASE_H
#define PA_REPHRASE_H

#include "guard/guard.h"

/*
 * In place, in the query and its subqueries: || of a text and another type, and
 * concat(), become || of texts; calls of constants become constants; comparisons by which nulls are equal become
 * equalities; EXISTS loses what makes no difference to it, and over public tables that refers to the row
 * outside by equalities becomes IN.
 */
extern void pa_rephrase(PaGuard *guard, Query *query);

/* null_safe.c: of the query, without its subqueries */
extern void pa_settle_null_safe(Query *query);

#endif							/* PA_REPHRASE_H */
