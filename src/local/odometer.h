/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * odometer.h
 *		What functions that tell of states begin with.
 */
#ifndef PA_LOCAL_ODOMETER_H
#define PA_LOCAL_ODOMETER_H

#include "postgres.h"

#include "local/book/book.h"

/* The local policy of a table, for whoever may ask it, and for its owner; others are refused. */
extern const PaPolicy *pa_odometer_policy(Oid relation);

/* For what is the table's owner's alone. */
extern void pa_odometer_require_owner(Oid relation);

/*
 * NULL if the books are incomplete.  The views go on: what is not known to be left
 * is told as lost, and what is missing is told by privacct.check_books().
 */
extern PaBook *pa_odometer_book(const PaPolicy *policy);

/* The product of the columns' priors, for each point; NULL if all are uniform. */
extern double *pa_odometer_prior(const PaPolicy *policy, const PaDomain *domain);

#endif							/* PA_LOCAL_ODOMETER_H */
