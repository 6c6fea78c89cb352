/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * constant_call.h
 *		Calls that are no part of the allow list, and need not be: of constants.
 */
#ifndef PA_CONSTANT_CALL_H
#define PA_CONSTANT_CALL_H

#include "postgres.h"

#include "guard/guard.h"

/*
 * What a call of a built-in function that is not allowed over protected rows, or of an
 * operator, comes to where its arguments are constants and parameters: computed before any row
 * is read, so whatever the function does, errors included, is the same for all rows.
 * The call itself if it is none of these.
 */
extern Node *pa_constant_call(PaGuard *guard, Node *call);

#endif							/* PA_CONSTANT_CALL_H */
