/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errors.h
 *		The SQLSTATEs of privacct.  They are part of the interface.
 *
 * The class, the first two characters, is one of PostgreSQL's that says the
 * same, because drivers make exceptions of classes: 42 is a programming error,
 * 22 an error of the data that were given, 53, 55 and 58 are operational.  What
 * follows is outside of what the standard and PostgreSQL use.
 */
#ifndef PA_ERRORS_H
#define PA_ERRORS_H

#include "postgres.h"

/* the statement asks a protected table for something that is not allowed */
#define ERRCODE_PA_REFUSED				MAKE_SQLSTATE('4','2','P','A','1')
/* the release would cost more than is left */
#define ERRCODE_PA_BUDGET_EXHAUSTED		MAKE_SQLSTATE('5','3','P','A','2')
/* the ledger cannot take the charge now: nothing was released */
#define ERRCODE_PA_LEDGER_UNAVAILABLE	MAKE_SQLSTATE('5','5','P','A','3')
/* a declaration (protect, set_bounds, ...) is not acceptable */
#define ERRCODE_PA_INVALID_POLICY		MAKE_SQLSTATE('4','2','P','A','4')
/* epsilon, delta, bounds or an option of a query is not acceptable */
#define ERRCODE_PA_INVALID_OPTION		MAKE_SQLSTATE('2','2','P','A','5')

/* a release failed after its charge, before anything left; says nothing more */
#define ERRCODE_PA_RELEASE_FAILED		MAKE_SQLSTATE('5','8','P','A','6')

#endif							/* PA_ERRORS_H */
