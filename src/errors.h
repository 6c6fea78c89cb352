/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errors.h
 *		The SQLSTATEs of privacct.  They are part of the interface.
 */
#ifndef PA_ERRORS_H
#define PA_ERRORS_H

#include "postgres.h"

/* the statement asks a protected table for something that is not allowed */
#define ERRCODE_PA_REFUSED				MAKE_SQLSTATE('P','A','0','0','1')
/* the release would cost more than is left */
#define ERRCODE_PA_BUDGET_EXHAUSTED		MAKE_SQLSTATE('P','A','0','0','2')
/* the ledger cannot take the charge now: nothing was released */
#define ERRCODE_PA_LEDGER_UNAVAILABLE	MAKE_SQLSTATE('P','A','0','0','3')
/* a declaration (protect, set_bounds, ...) is not acceptable */
#define ERRCODE_PA_INVALID_POLICY		MAKE_SQLSTATE('P','A','0','0','4')
/* epsilon, delta, bounds or an option of a query is not acceptable */
#define ERRCODE_PA_INVALID_OPTION		MAKE_SQLSTATE('P','A','0','0','5')

/* a release failed after its charge, before anything left; says nothing more */
#define ERRCODE_PA_RELEASE_FAILED		MAKE_SQLSTATE('P','A','0','0','6')

#endif							/* PA_ERRORS_H */
